//! Rows of a Parquet table, read row by row: the requested columns, in JSON form.
//!
//! A missing value is a missing field. Columns of unsupported types (times, decimals, maps) are
//! rejected by name if they are used for a field, and otherwise ignored.

use std::fs::File;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{ConvertedType, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::{ReaderIter, TreeBuilder};
use parquet::record::{Field, Row};
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{SourceError, io_error};

/// Values of a column that are decoded at a time.
const BATCH: usize = 128;

/// Characters of a message that are shown: the library's may hold a whole value.
const MESSAGE: usize = 300;

/// The rows of a table. Ends after the first error.
pub(super) struct Table<T> {
    path: PathBuf,
    reader: SerializedFileReader<File>,
    columns: SchemaDescPtr,
    rows: Option<ReaderIter>,
    /// Row groups begun, and rows read of the last one.
    groups: usize,
    row: u64,
    failed: bool,
    records: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Table<T> {
    /// Opens a table. Of the named columns, the existing ones are read; one is `code`.
    pub(super) fn open(path: &Path, names: &[&str]) -> Result<Self, SourceError> {
        let fail = |message: String| SourceError::Unreadable {
            path: path.to_owned(),
            message: cut(message),
        };
        let file = File::open(path).map_err(io_error(path))?;
        if file.metadata().map_err(io_error(path))?.is_dir() {
            return Err(fail("is a directory".to_owned()));
        }
        let reader = guarded(|| SerializedFileReader::new(file)).map_err(fail)?;
        let schema = reader.metadata().file_metadata().schema();
        let found = schema.get_fields().iter();
        let found: Vec<_> = found
            .filter(|f| names.contains(&f.name()))
            .cloned()
            .collect();
        if !found.iter().any(|f| f.name() == "code") {
            let all: Vec<&str> = schema.get_fields().iter().map(|f| f.name()).collect();
            return Err(fail(format!(
                "has no column `code`; its columns are {}",
                all.join(", ")
            )));
        }
        if let Some(odd) = found.iter().find(|f| !is_known(f)) {
            return Err(fail(format!(
                "column `{}` has a type that is not read",
                odd.name()
            )));
        }
        let columns = guarded(|| {
            Type::group_type_builder(schema.name())
                .with_fields(found)
                .build()
        });
        let columns = Arc::new(SchemaDescriptor::new(Arc::new(columns.map_err(fail)?)));
        Ok(Self {
            path: path.to_owned(),
            reader,
            columns,
            rows: None,
            groups: 0,
            row: 0,
            failed: false,
            records: PhantomData,
        })
    }

    fn read(&mut self) -> Result<Option<T>, String> {
        loop {
            if let Some(rows) = &mut self.rows {
                self.row += 1;
                if let Some(row) = guarded(|| rows.next().transpose())? {
                    let record = serde_json::from_value(Value::Object(object(row)?));
                    return record.map(Some).map_err(|e| e.to_string());
                }
            }
            if self.groups == self.reader.num_row_groups() {
                return Ok(None);
            }
            (self.groups, self.row) = (self.groups + 1, 0);
            self.rows = Some(guarded(|| {
                let group = self.reader.get_row_group(self.groups - 1)?;
                let builder = TreeBuilder::new().with_batch_size(BATCH);
                builder.as_iter(self.columns.clone(), &*group)
            })?);
        }
    }
}

impl<T: DeserializeOwned> Iterator for Table<T> {
    type Item = Result<T, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = self.read().transpose()?;
        Some(record.map_err(|message| {
            self.failed = true;
            SourceError::Row {
                path: self.path.clone(),
                row_group: self.groups,
                row: self.row,
                message: cut(message),
            }
        }))
    }
}

/// Runs a function of the library, which panics on some damaged files.
fn guarded<R>(read: impl FnOnce() -> Result<R, ParquetError>) -> Result<R, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("the file is damaged".to_owned()),
    }
}

fn cut(message: String) -> String {
    match message.char_indices().nth(MESSAGE) {
        Some((at, _)) => format!("{}…", &message[..at]),
        None => message,
    }
}

/// Whether it is text, whole numbers and bools, lists and groups of them: the types of records.
fn is_known(field: &Type) -> bool {
    let info = field.get_basic_info();
    let kind = info.converted_type();
    if field.is_group() {
        let fields = field.get_fields();
        let list = kind != ConvertedType::LIST || is_list(fields);
        let annotated = matches!(kind, ConvertedType::NONE | ConvertedType::LIST);
        return annotated && list && !fields.is_empty() && fields.iter().all(|f| is_known(f));
    }
    match field.get_physical_type() {
        Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE => true,
        Physical::BYTE_ARRAY => matches!(
            kind,
            ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON
        ),
        Physical::INT32 | Physical::INT64 => matches!(
            kind,
            ConvertedType::NONE
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64
                | ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64
        ),
        Physical::INT96 | Physical::FIXED_LEN_BYTE_ARRAY => false,
    }
}

/// A list has one repeated field.
fn is_list(fields: &[Arc<Type>]) -> bool {
    use parquet::basic::Repetition;
    matches!(fields, [one] if one.get_basic_info().repetition() == Repetition::REPEATED)
}

pub(crate) fn object(row: Row) -> Result<Map<String, Value>, String> {
    let mut fields = Map::new();
    for (name, field) in row.into_columns() {
        let value = value(field).map_err(|error| format!("column `{name}`: {error}"))?;
        if !value.is_null() {
            fields.insert(name, value);
        }
    }
    Ok(fields)
}

fn value(field: Field) -> Result<Value, String> {
    Ok(match field {
        Field::Null => Value::Null,
        Field::Bool(value) => value.into(),
        Field::Byte(value) => value.into(),
        Field::Short(value) => value.into(),
        Field::Int(value) => value.into(),
        Field::Long(value) => value.into(),
        Field::UByte(value) => value.into(),
        Field::UShort(value) => value.into(),
        Field::UInt(value) => value.into(),
        Field::ULong(value) => value.into(),
        Field::Float(value) => value.into(),
        Field::Double(value) => value.into(),
        Field::Str(value) => value.into(),
        Field::Bytes(bytes) => {
            let text = std::str::from_utf8(bytes.data()).map_err(|error| error.to_string())?;
            text.into()
        }
        Field::Group(row) => Value::Object(object(row)?),
        Field::ListInternal(list) => {
            let values = list.elements().iter().cloned().map(value);
            Value::Array(values.collect::<Result<_, _>>()?)
        }
        other => return Err(format!("{other} is not read")),
    })
}
