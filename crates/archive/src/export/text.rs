//! CSV and JSON Lines.

use std::io::{self, Write};

use super::{ExportColumn, FieldValue, TableWriter};

type Out<'a> = &'a mut (dyn Write + Send);

/// Comma-separated values.
pub(super) struct Csv<'a>(Out<'a>);

impl<'a> Csv<'a> {
    pub(super) fn new(out: Out<'a>, columns: &[ExportColumn]) -> io::Result<Self> {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self(out))
    }
}

impl TableWriter for Csv<'_> {
    fn write_row(&mut self, fields: Vec<FieldValue>) -> io::Result<()> {
        let texts: Vec<String> = fields.iter().map(csv).collect();
        writeln!(self.0, "{}", texts.join(","))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// Quotes a field if necessary.
fn csv(field: &FieldValue) -> String {
    match field {
        FieldValue::Number(number) => number.map_or_else(String::new, |number| number.to_string()),
        FieldValue::Text(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        FieldValue::Text(text) => text.clone(),
    }
}

/// One JSON object per line.
pub(super) struct JsonLines<'a> {
    out: Out<'a>,
    columns: &'static [ExportColumn],
}

impl<'a> JsonLines<'a> {
    pub(super) fn new(out: Out<'a>, columns: &'static [ExportColumn]) -> Self {
        Self { out, columns }
    }
}

impl TableWriter for JsonLines<'_> {
    fn write_row(&mut self, fields: Vec<FieldValue>) -> io::Result<()> {
        let value = |field: FieldValue| match field {
            FieldValue::Text(text) => text.into(),
            FieldValue::Number(number) => number.into(),
        };
        let names = self.columns.iter().map(|column| column.name.to_string());
        let object: serde_json::Map<String, serde_json::Value> =
            names.zip(fields.into_iter().map(value)).collect();
        serde_json::to_writer(&mut *self.out, &object)?;
        writeln!(self.out)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_that_is_needed() {
        assert_eq!(csv(&FieldValue::Text("a,\"b\"".into())), "\"a,\"\"b\"\"\"");
        assert_eq!(csv(&FieldValue::Text("plain".into())), "plain");
        assert_eq!(csv(&FieldValue::Number(None)), "");
    }
}
