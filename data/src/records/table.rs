//! Records as a Parquet table: one column per field, row groups of bounded size, compressed.

use std::io::Write;
use std::sync::Arc;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::Value;

use super::Record;
use super::columns::Cells;
use super::nested::properties;
use super::record::COLUMNS;

/// A row group ends at this many rows or bytes of text, whichever comes first: a writer holds that
/// much in memory.
const GROUP_ROWS: usize = 65_536;
const GROUP_BYTES: usize = 32 << 20;

/// A table being written.
pub(super) struct Table<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// The next row group, a buffer a column.
    buffers: Vec<Buffer>,
    rows: usize,
    bytes: usize,
}

/// Values of a column with their levels, as Parquet stores them.
#[derive(Default)]
struct Buffer {
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    bools: Vec<bool>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

/// The types of the columns of records, in `datasets`' notation of features.
pub fn record_features() -> Value {
    let columns = COLUMNS.iter();
    Value::Object(columns.map(|c| (c.name.to_owned(), c.feature())).collect())
}

impl<W: Write + Send> Table<W> {
    pub(super) fn new(out: W) -> Result<Self, ParquetError> {
        let columns: String = COLUMNS.iter().map(|c| c.schema()).collect();
        let schema = parse_message_type(&format!("message record {{ {columns} }}"))?;
        let properties = properties(&record_features())?;
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        Ok(Self {
            writer,
            buffers: COLUMNS.iter().map(|_| Buffer::default()).collect(),
            rows: 0,
            bytes: 0,
        })
    }

    pub(super) fn push(&mut self, record: &Record) -> Result<(), ParquetError> {
        for (column, buffer) in COLUMNS.iter().zip(&mut self.buffers) {
            self.bytes += buffer.push(&column.cells, record);
        }
        self.rows += 1;
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for (column, buffer) in COLUMNS.iter().zip(&mut self.buffers) {
            let missing = || ParquetError::General(format!("no column {}", column.name));
            let mut out = group.next_column()?.ok_or_else(missing)?;
            let buffer = std::mem::take(buffer);
            let (definition, repetition) = buffer.levels();
            match column.cells {
                Cells::Text(_)
                | Cells::OptionalText(_)
                | Cells::Texts(_)
                | Cells::Numeral(_)
                | Cells::NumeralList(_) => {
                    out.typed::<ByteArrayType>()
                        .write_batch(&buffer.texts, definition, repetition)
                }
                Cells::OptionalNumber(_) | Cells::Numbers(_) => out
                    .typed::<Int64Type>()
                    .write_batch(&buffer.numbers, definition, repetition),
                Cells::OptionalBool(_) => {
                    out.typed::<BoolType>()
                        .write_batch(&buffer.bools, definition, repetition)
                }
            }?;
            out.close()?;
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Writes the rest and the footer.
    pub(super) fn finish(mut self) -> Result<W, ParquetError> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.writer.into_inner()
    }
}

fn numeral(number: u64) -> ByteArray {
    ByteArray::from(number.to_string().into_bytes())
}

impl Buffer {
    /// Takes a record's cell; the bytes of text that it adds.
    fn push(&mut self, cells: &Cells, record: &Record) -> usize {
        let before = self.texts.len();
        match cells {
            Cells::Text(of) => self.texts.push(of(record).into()),
            Cells::OptionalText(of) => {
                self.optional(of(record).is_some());
                self.texts.extend(of(record).map(ByteArray::from));
            }
            Cells::Texts(of) => {
                self.list(of(record).len());
                let texts = of(record).iter();
                self.texts
                    .extend(texts.map(|t| ByteArray::from(t.as_str())));
            }
            Cells::Numeral(of) => self.texts.push(numeral(of(record))),
            Cells::NumeralList(of) => {
                self.list(of(record).len());
                self.texts.extend(of(record).iter().map(|n| numeral(*n)));
            }
            Cells::OptionalNumber(of) => {
                self.optional(of(record).is_some());
                self.numbers.extend(of(record).map(i64::from));
            }
            Cells::Numbers(of) => {
                self.list(of(record).len());
                // A site is a position in a program: it needs less than 63 bits.
                self.numbers
                    .extend(of(record).iter().map(|n| n.cast_signed()));
            }
            Cells::OptionalBool(of) => {
                self.optional(of(record).is_some());
                self.bools.extend(of(record));
            }
        }
        self.texts[before..].iter().map(ByteArray::len).sum()
    }

    /// The levels of an optional cell.
    fn optional(&mut self, there: bool) {
        self.definition.push(i16::from(there));
    }

    /// The levels of a list: an entry for each element, one for an empty list.
    fn list(&mut self, length: usize) {
        self.repetition.push(0);
        self.definition
            .resize(self.definition.len() + length.max(1), i16::from(length > 0));
        self.repetition.resize(self.definition.len(), 1);
    }

    /// Definition and repetition levels, of columns that have them.
    fn levels(&self) -> (Option<&[i16]>, Option<&[i16]>) {
        let some = |levels: &[i16]| !levels.is_empty();
        (
            Some(&self.definition[..]).filter(|l| some(l)),
            Some(&self.repetition[..]).filter(|l| some(l)),
        )
    }
}
