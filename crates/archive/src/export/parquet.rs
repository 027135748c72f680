//! Tables in Parquet: columns packed with zstd, which data frames and analytic databases read at once.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Kind, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::{Column, Field, Table};

/// Rows that are packed together.
const GROUP: usize = 0x1_0000;

type Out<'a> = &'a mut (dyn Write + Send);

pub(super) struct Parquet<'a> {
    writer: SerializedFileWriter<Out<'a>>,
    columns: &'static [Column],
    rows: Vec<Vec<Field>>,
}

fn wrong(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}

/// Any field may be empty; text is UTF-8.
fn schema(columns: &[Column]) -> Result<Type, ParquetError> {
    let fields = columns.iter().map(|column| {
        let kind = if column.whole { Kind::INT64 } else { Kind::BYTE_ARRAY };
        let meaning = if column.whole { ConvertedType::NONE } else { ConvertedType::UTF8 };
        let field = Type::primitive_type_builder(column.name, kind)
            .with_repetition(Repetition::OPTIONAL)
            .with_converted_type(meaning);
        Ok(Arc::new(field.build()?))
    });
    let fields = fields.collect::<Result<_, ParquetError>>()?;
    Type::group_type_builder("surus").with_fields(fields).build()
}

impl<'a> Parquet<'a> {
    pub(super) fn new(out: Out<'a>, columns: &'static [Column]) -> io::Result<Self> {
        let packed = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
        let schema = Arc::new(schema(columns).map_err(wrong)?);
        let writer = SerializedFileWriter::new(out, schema, Arc::new(packed.build())).map_err(wrong)?;
        Ok(Self { writer, columns, rows: Vec::with_capacity(GROUP) })
    }

    fn group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for (index, column) in self.columns.iter().enumerate() {
            let Some(mut writer) = group.next_column()? else { break };
            let fields = self.rows.iter().filter_map(|row| row.get(index));
            if column.whole {
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

fn number(field: &Field) -> Option<i64> {
    if let Field::Number(value) = field { *value } else { None }
}

fn text(field: &Field) -> Option<ByteArray> {
    if let Field::Text(text) = field { Some(text.as_str().into()) } else { None }
}

/// A column has a level for every row, 0 where it is empty, and only the values that are there.
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

impl Table for Parquet<'_> {
    fn row(&mut self, fields: Vec<Field>) -> io::Result<()> {
        self.rows.push(fields);
        if self.rows.len() < GROUP { Ok(()) } else { self.group().map_err(wrong) }
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.group().map_err(wrong)?;
        }
        self.writer.close().map(drop).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    const COLUMNS: [Column; 2] =
        [Column { name: "name", whole: false, about: "" }, Column { name: "number", whole: true, about: "" }];

    #[test]
    fn what_is_written_is_read_by_the_same_names() {
        let mut bytes = Vec::new();
        let mut table: Box<dyn Table> = Box::new(Parquet::new(&mut bytes, &COLUMNS).unwrap());
        let count = GROUP as i64 + 5;
        for number in 0..count {
            let told = (number % 3 != 0).then_some(number);
            table.row(vec![Field::Text(format!("row {number}")), Field::Number(told)]).unwrap();
        }
        table.end().unwrap();
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
