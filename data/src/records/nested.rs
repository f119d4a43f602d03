//! Rows of nested values as a Parquet table: structs, and lists of them, to any depth.
//!
//! Each leaf of the schema is a column. Dremel's pair of levels marks where lists and nulls begin;
//! it is computed here while a row is taken apart.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

use super::writer::LEVEL;

/// A row group ends at this many rows or bytes of text, which a writer holds in memory.
const GROUP_ROWS: usize = 4096;
const GROUP_BYTES: usize = 32 << 20;

/// A column, or a field of a struct.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its contents.
    pub kind: Kind,
    /// Whether it may be null.
    pub nullable: bool,
}

/// The contents of a field.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number of 64 bits.
    Number,
    /// A whole number of 32 bits.
    Short,
    /// A number of 32 bits with a point.
    Float,
    /// True or false.
    Bool,
    /// Fields.
    Struct(&'static [Field]),
    /// A list of structs with these fields.
    List(&'static [Field]),
    /// A list of strings.
    Texts,
}

impl Field {
    /// One that always exists.
    pub const fn required(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            nullable: false,
        }
    }

    /// One that may be null.
    pub const fn nullable(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            nullable: true,
        }
    }

    /// Its part of the text of a Parquet schema.
    fn schema(&self) -> String {
        let name = self.name;
        let repetition = if self.nullable {
            "optional"
        } else {
            "required"
        };
        let inner = |fields: &[Field]| fields.iter().map(Self::schema).collect::<String>();
        match self.kind {
            Kind::Text => format!("{repetition} binary {name} (STRING);"),
            Kind::Number => format!("{repetition} int64 {name};"),
            Kind::Short => format!("{repetition} int32 {name};"),
            Kind::Float => format!("{repetition} float {name};"),
            Kind::Bool => format!("{repetition} boolean {name};"),
            Kind::Struct(fields) => format!("{repetition} group {name} {{ {} }}", inner(fields)),
            Kind::Texts => format!(
                "{repetition} group {name} (LIST) {{ repeated group list {{ required binary element (STRING); }} }}"
            ),
            Kind::List(fields) => format!(
                "{repetition} group {name} (LIST) {{ repeated group list {{ required group element {{ {} }} }} }}",
                inner(fields)
            ),
        }
    }

    /// The kinds of the leaves below it, in order.
    fn leaves(&self, found: &mut Vec<Kind>) {
        match self.kind {
            Kind::Struct(fields) | Kind::List(fields) => {
                fields.iter().for_each(|field| field.leaves(found));
            }
            Kind::Texts => found.push(Kind::Text),
            leaf => found.push(leaf),
        }
    }

    /// Its type, in `datasets`' notation of features.
    fn feature(&self) -> Value {
        match self.kind {
            Kind::Text => feature("string"),
            Kind::Number => feature("int64"),
            Kind::Short => feature("int32"),
            Kind::Float => feature("float32"),
            Kind::Bool => feature("bool"),
            Kind::Struct(fields) => features(fields),
            Kind::List(fields) => json!([features(fields)]),
            Kind::Texts => json!([feature("string")]),
        }
    }
}

/// A type of plain values, as `datasets` writes it.
pub(super) fn feature(dtype: &str) -> Value {
    json!({"dtype": dtype, "_type": "Value"})
}

/// The types of columns, in `datasets`' notation of features.
pub fn features(fields: &[Field]) -> Value {
    let fields = fields.iter();
    Value::Object(
        fields
            .map(|field| (field.name.to_owned(), field.feature()))
            .collect(),
    )
}

/// Properties of a table whose columns have these types: its compression, and the metadata from which `datasets` reads
/// its types.
pub(super) fn properties(features: &Value) -> Result<WriterProperties, ParquetError> {
    let types = json!({"info": {"features": features}}).to_string();
    let types = KeyValue::new("huggingface".to_owned(), types);
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        .set_key_value_metadata(Some(vec![types]))
        .build())
}

/// A leaf on its way into the file.
#[derive(Debug)]
struct Leaf {
    kind: Kind,
    values: Values,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

#[derive(Debug, Default)]
struct Values {
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    shorts: Vec<i32>,
    floats: Vec<f32>,
    bools: Vec<bool>,
}

/// Position of a value: its levels, and the nesting of lists around it.
#[derive(Clone, Copy)]
struct Place {
    repetition: i16,
    definition: i16,
    lists: i16,
}

/// A table of nested rows being written.
pub(super) struct NestedTable<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    fields: &'static [Field],
    leaves: Vec<Leaf>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> NestedTable<W> {
    pub(super) fn new(out: W, fields: &'static [Field]) -> Result<Self, ParquetError> {
        let columns: String = fields.iter().map(Field::schema).collect();
        let schema = parse_message_type(&format!("message row {{ {columns} }}"))?;
        let properties = properties(&features(fields))?;
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        let mut kinds = Vec::new();
        fields.iter().for_each(|field| field.leaves(&mut kinds));
        let leaf = |kind| Leaf {
            kind,
            values: Values::default(),
            definition: Vec::new(),
            repetition: Vec::new(),
        };
        Ok(Self {
            writer,
            fields,
            leaves: kinds.into_iter().map(leaf).collect(),
            rows: 0,
            bytes: 0,
        })
    }

    /// Appends a row, an object with the table's fields.
    pub(super) fn push(&mut self, row: &Value) -> Result<(), ParquetError> {
        let mut taking = Taking {
            leaves: &mut self.leaves,
            next: 0,
            bytes: 0,
        };
        let place = Place {
            repetition: 0,
            definition: 0,
            lists: 0,
        };
        taking.fields(self.fields, Some(row), place)?;
        self.bytes += taking.bytes;
        self.rows += 1;
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for leaf in &mut self.leaves {
            let missing = || ParquetError::General("a column is missing".to_owned());
            let mut out = group.next_column()?.ok_or_else(missing)?;
            leaf.write(&mut out)?;
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

impl Leaf {
    fn write(&mut self, out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = (
            std::mem::take(&mut self.definition),
            std::mem::take(&mut self.repetition),
        );
        let (definition, repetition) = (Some(&levels.0[..]), Some(&levels.1[..]));
        let values = std::mem::take(&mut self.values);
        match self.kind {
            Kind::Text => {
                out.typed::<ByteArrayType>()
                    .write_batch(&values.texts, definition, repetition)
            }
            Kind::Number => {
                out.typed::<Int64Type>()
                    .write_batch(&values.numbers, definition, repetition)
            }
            Kind::Short => {
                out.typed::<Int32Type>()
                    .write_batch(&values.shorts, definition, repetition)
            }
            Kind::Float => {
                out.typed::<FloatType>()
                    .write_batch(&values.floats, definition, repetition)
            }
            Kind::Bool => {
                out.typed::<BoolType>()
                    .write_batch(&values.bools, definition, repetition)
            }
            Kind::Struct(_) | Kind::List(_) | Kind::Texts => Ok(0),
        }
        .map(drop)
    }

    /// Accepts a value of its kind; false for another one.
    fn take(&mut self, value: &Value) -> bool {
        let values = &mut self.values;
        let taken = match self.kind {
            Kind::Text => value.as_str().map(|v| values.texts.push(v.into())),
            Kind::Number => value.as_i64().map(|v| values.numbers.push(v)),
            Kind::Short => {
                let number = value.as_i64().and_then(|v| i32::try_from(v).ok());
                number.map(|v| values.shorts.push(v))
            }
            Kind::Float => value.as_f64().map(|v| values.floats.push(v as f32)),
            Kind::Bool => value.as_bool().map(|v| values.bools.push(v)),
            Kind::Struct(_) | Kind::List(_) | Kind::Texts => None,
        };
        taken.is_some()
    }
}

/// A row being taken apart.
struct Taking<'a> {
    leaves: &'a mut [Leaf],
    /// The leaf that comes next.
    next: usize,
    bytes: usize,
}

impl Taking<'_> {
    fn fields(
        &mut self,
        fields: &'static [Field],
        value: Option<&Value>,
        place: Place,
    ) -> Result<(), ParquetError> {
        fields
            .iter()
            .try_for_each(|field| self.field(field, value.and_then(|v| v.get(field.name)), place))
    }

    fn field(
        &mut self,
        field: &'static Field,
        value: Option<&Value>,
        mut place: Place,
    ) -> Result<(), ParquetError> {
        let value = value.filter(|v| !v.is_null());
        let Some(value) = value else {
            if !field.nullable {
                return Err(ParquetError::General(format!(
                    "no `{}` in a row",
                    field.name
                )));
            }
            self.nothing(field, place);
            return Ok(());
        };
        place.definition += i16::from(field.nullable);
        match field.kind {
            Kind::Struct(fields) => self.fields(fields, Some(value), place),
            Kind::List(fields) => {
                let elements = value.as_array().map_or(&[][..], Vec::as_slice);
                if elements.is_empty() {
                    self.nothing(field, place);
                    return Ok(());
                }
                let (first, lists) = (self.next, place.lists + 1);
                for (k, element) in elements.iter().enumerate() {
                    self.next = first;
                    let place = Place {
                        repetition: if k == 0 { place.repetition } else { lists },
                        definition: place.definition + 1,
                        lists,
                    };
                    self.fields(fields, Some(element), place)?;
                }
                Ok(())
            }
            Kind::Texts => {
                let elements = value.as_array().map_or(&[][..], Vec::as_slice);
                if elements.is_empty() {
                    self.nothing(field, place);
                    return Ok(());
                }
                let lists = place.lists + 1;
                for (k, element) in elements.iter().enumerate() {
                    let place = Place {
                        repetition: if k == 0 { place.repetition } else { lists },
                        definition: place.definition + 1,
                        lists,
                    };
                    self.leaf(field, element, place)?;
                    self.next -= 1;
                }
                self.next += 1;
                Ok(())
            }
            _ => self.leaf(field, value, place),
        }
    }

    /// Takes a value of a leaf.
    fn leaf(&mut self, field: &Field, value: &Value, place: Place) -> Result<(), ParquetError> {
        let leaf = &mut self.leaves[self.next];
        if !leaf.take(value) {
            let (name, kind) = (field.name, leaf.kind);
            return Err(ParquetError::General(format!("`{name}` is no {kind:?}")));
        }
        leaf.definition.push(place.definition);
        leaf.repetition.push(place.repetition);
        self.next += 1;
        self.bytes += value.as_str().map_or(8, str::len);
        Ok(())
    }

    /// The entry of every leaf below a field without a value.
    fn nothing(&mut self, field: &'static Field, place: Place) {
        let mut below = Vec::new();
        field.leaves(&mut below);
        for leaf in &mut self.leaves[self.next..self.next + below.len()] {
            leaf.definition.push(place.definition);
            leaf.repetition.push(place.repetition);
        }
        self.next += below.len();
    }
}
