//! The cells of a column in a table of records, and how they are taken from a record.

use serde_json::{Value, json};

use super::Record;
use super::nested::feature;

/// A column.
pub(super) struct Column {
    /// Its name, that of the field in JSON.
    pub name: &'static str,
    /// Its cells.
    pub cells: Cells,
}

/// The type of a column's cells, with the function that takes one from a record.
pub(super) enum Cells {
    Text(fn(&Record) -> &str),
    OptionalText(fn(&Record) -> Option<&str>),
    Texts(fn(&Record) -> &[String]),
    OptionalNumber(fn(&Record) -> Option<u32>),
    Numbers(fn(&Record) -> &[u64]),
    /// A number of 64 bits as text.
    Numeral(fn(&Record) -> u64),
    NumeralList(fn(&Record) -> &[u64]),
    OptionalBool(fn(&Record) -> Option<bool>),
}

impl Column {
    pub(super) const fn new(name: &'static str, cells: Cells) -> Self {
        Self { name, cells }
    }

    /// The type of its cells, in `datasets`' notation of features.
    pub(super) fn feature(&self) -> Value {
        match self.cells {
            Cells::Text(_) | Cells::OptionalText(_) | Cells::Numeral(_) => feature("string"),
            Cells::OptionalNumber(_) => feature("int64"),
            Cells::OptionalBool(_) => feature("bool"),
            Cells::Texts(_) | Cells::NumeralList(_) => json!([feature("string")]),
            Cells::Numbers(_) => json!([feature("int64")]),
        }
    }

    /// Its line in the text of a Parquet schema.
    pub(super) fn schema(&self) -> String {
        let name = self.name;
        let list = |element: &str| {
            format!(
                "required group {name} (LIST) {{ repeated group list {{ required {element}; }} }}"
            )
        };
        match self.cells {
            Cells::Text(_) | Cells::Numeral(_) => format!("required binary {name} (STRING);"),
            Cells::OptionalText(_) => format!("optional binary {name} (STRING);"),
            Cells::Texts(_) | Cells::NumeralList(_) => list("binary element (STRING)"),
            // Signed, as readers of JSON take the same numbers.
            Cells::OptionalNumber(_) => format!("optional int64 {name};"),
            Cells::Numbers(_) => list("int64 element"),
            Cells::OptionalBool(_) => format!("optional boolean {name};"),
        }
    }
}
