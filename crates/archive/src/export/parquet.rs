//! Parquet export.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Kind, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::{ExportColumn, FieldValue, TableWriter};

/// Rows per row group.
const ROW_GROUP_SIZE: usize = 0x1_0000;

type Out<'a> = &'a mut (dyn Write + Send);

pub(super) struct Parquet<'a> {
    writer: SerializedFileWriter<Out<'a>>,
    columns: &'static [ExportColumn],
    rows: Vec<Vec<FieldValue>>,
}

fn to_io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}

/// All fields are optional; text is UTF-8.
fn schema(columns: &[ExportColumn]) -> Result<Type, ParquetError> {
    let fields = columns.iter().map(|column| {
        let kind = if column.integer { Kind::INT64 } else { Kind::BYTE_ARRAY };
        let converted = if column.integer { ConvertedType::NONE } else { ConvertedType::UTF8 };
        let field = Type::primitive_type_builder(column.name, kind)
            .with_repetition(Repetition::OPTIONAL)
            .with_converted_type(converted);
        Ok(Arc::new(field.build()?))
    });
    let fields = fields.collect::<Result<_, ParquetError>>()?;
    Type::group_type_builder("surus").with_fields(fields).build()
}

impl<'a> Parquet<'a> {
    pub(super) fn new(out: Out<'a>, columns: &'static [ExportColumn]) -> io::Result<Self> {
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
        let schema = Arc::new(schema(columns).map_err(to_io_error)?);
        let writer =
            SerializedFileWriter::new(out, schema, Arc::new(properties.build())).map_err(to_io_error)?;
        Ok(Self { writer, columns, rows: Vec::with_capacity(ROW_GROUP_SIZE) })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for (index, column) in self.columns.iter().enumerate() {
            let Some(mut writer) = group.next_column()? else { break };
            let fields = self.rows.iter().filter_map(|row| row.get(index));
            if column.integer {
                write::<Int64Type>(&mut writer, fields.map(number))?;
            } else {
                write::<ByteArrayType>(&mut writer, fields.map(text))?;
            }
            writer.close()?;
        }
        self.rows.clear();
        group.close().map(drop)
    }
}

fn number(field: &FieldValue) -> Option<i64> {
    if let FieldValue::Number(value) = field { *value } else { None }
}

fn text(field: &FieldValue) -> Option<ByteArray> {
    if let FieldValue::Text(text) = field { Some(text.as_str().into()) } else { None }
}

/// Writes one definition level per row (0 for a missing value) and the existing values.
fn write<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    fields: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for value in fields {
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    writer.typed::<T>().write_batch(&values, Some(&levels), None).map(drop)
}

impl TableWriter for Parquet<'_> {
    fn write_row(&mut self, fields: Vec<FieldValue>) -> io::Result<()> {
        self.rows.push(fields);
        if self.rows.len() < ROW_GROUP_SIZE { Ok(()) } else { self.write_group().map_err(to_io_error) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.write_group().map_err(to_io_error)?;
        }
        self.writer.close().map(drop).map_err(to_io_error)
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    const COLUMNS: [ExportColumn; 2] = [
        ExportColumn { name: "name", integer: false, description: "" },
        ExportColumn { name: "number", integer: true, description: "" },
    ];

    #[test]
    fn what_is_written_is_read_by_the_same_names() {
        let mut bytes = Vec::new();
        let mut table: Box<dyn TableWriter> = Box::new(Parquet::new(&mut bytes, &COLUMNS).unwrap());
        let count = ROW_GROUP_SIZE as i64 + 5;
        for number in 0..count {
            let value = (number % 3 != 0).then_some(number);
            table
                .write_row(vec![FieldValue::Text(format!("row {number}")), FieldValue::Number(value)])
                .unwrap();
        }
        table.finish().unwrap();
        let file = std::env::temp_dir().join(format!("surus-{}.parquet", std::process::id()));
        std::fs::write(&file, bytes).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&file).unwrap()).unwrap();
        assert_eq!(
            (reader.metadata().num_row_groups(), reader.metadata().file_metadata().num_rows()),
            (2, count)
        );
        for (number, row) in (0..).zip(reader.get_row_iter(None).unwrap()) {
            let row = row.unwrap();
            assert_eq!(row.get_string(0).unwrap(), &format!("row {number}"));
            assert_eq!(row.get_long(1).ok(), (number % 3 != 0).then_some(number));
        }
        std::fs::remove_file(file).unwrap();
    }
}
