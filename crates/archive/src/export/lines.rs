//! Tables of lines.

use std::io::{self, Write};

use super::{Column, Field, Table};

type Out<'a> = &'a mut (dyn Write + Send);

/// Comma-separated values.
pub(super) struct Csv<'a>(Out<'a>);

impl<'a> Csv<'a> {
    pub(super) fn new(out: Out<'a>, columns: &[Column]) -> io::Result<Self> {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self(out))
    }
}

impl Table for Csv<'_> {
    fn row(&mut self, fields: Vec<Field>) -> io::Result<()> {
        let texts: Vec<String> = fields.iter().map(csv).collect();
        writeln!(self.0, "{}", texts.join(","))
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// Quoted where a reader would stumble.
fn csv(field: &Field) -> String {
    match field {
        Field::Number(number) => number.map_or_else(String::new, |number| number.to_string()),
        Field::Text(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Field::Text(text) => text.clone(),
    }
}

/// One JSON object on each line.
pub(super) struct JsonLines<'a> {
    out: Out<'a>,
    columns: &'static [Column],
}

impl<'a> JsonLines<'a> {
    pub(super) fn new(out: Out<'a>, columns: &'static [Column]) -> Self {
        Self { out, columns }
    }
}

impl Table for JsonLines<'_> {
    fn row(&mut self, fields: Vec<Field>) -> io::Result<()> {
        let value = |field: Field| match field {
            Field::Text(text) => text.into(),
            Field::Number(number) => number.into(),
        };
        let names = self.columns.iter().map(|column| column.name.to_string());
        let object: serde_json::Map<String, serde_json::Value> =
            names.zip(fields.into_iter().map(value)).collect();
        serde_json::to_writer(&mut *self.out, &object)?;
        writeln!(self.out)
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_that_is_needed() {
        assert_eq!(csv(&Field::Text("a,\"b\"".into())), "\"a,\"\"b\"\"\"");
        assert_eq!(csv(&Field::Text("plain".into())), "plain");
        assert_eq!(csv(&Field::Number(None)), "");
    }
}
