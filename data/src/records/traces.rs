//! Files of traces, one per row: JSON Lines, or a typed Parquet table.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::Format;
use super::lines::Lines;
use super::nested::{Field, Kind, NestedTable};
use crate::files::WholeFile;
use crate::sources::{SourceError, io_error};
use crate::trace::{States, Trace, TraceRow, Unknown};

/// The columns of a trace.
pub const TRACE_COLUMNS: &[Field] = &columns(STEP);

/// The columns of a trace whose states are written as changes.
pub const TRACE_CHANGE_COLUMNS: &[Field] = &columns(CHANGE_STEP);

/// The columns of a trace with such steps.
const fn columns(step: &'static [Field]) -> [Field; 12] {
    [
        Field::required("id", Kind::Text),
        Field::nullable("source", Kind::Text),
        Field::nullable("stdin", Kind::Text),
        Field::required("version", Kind::Short),
        Field::required("engine", Kind::Text),
        Field::nullable("python", Kind::Text),
        Field::nullable("checkpoint", Kind::Text),
        Field::required("files", Kind::List(FILE)),
        Field::required("frames", Kind::List(FRAME)),
        Field::required("steps", Kind::List(step)),
        Field::required("outcome", Kind::Struct(OUTCOME)),
        Field::required("truncated", Kind::Bool),
    ]
}

const FRAME: &[Field] = &[
    Field::required("function", Kind::Text),
    Field::required("file", Kind::Number),
    Field::nullable("parent", Kind::Number),
];

const FILE: &[Field] = &[
    Field::required("path", Kind::Text),
    Field::nullable("source", Kind::Text),
];

/// The columns of a step, which depend on the form of its state.
macro_rules! step_columns {
    ($($state:expr),+) => {
        &[
            Field::required("line", Kind::Number),
            Field::required("event", Kind::Text),
            Field::required("function", Kind::Text),
            Field::required("depth", Kind::Number),
            Field::required("file", Kind::Number),
            Field::required("frame", Kind::Number),
            $($state,)+
            Field::required("output", Kind::Text),
            Field::nullable("value", Kind::Struct(VALUE)),
            Field::nullable("confidence", Kind::Float),
        ]
    };
}

const STEP: &[Field] = step_columns![Field::required("state", Kind::List(NAMED_VALUE))];

const CHANGE_STEP: &[Field] = step_columns![
    Field::required("gone", Kind::Texts),
    Field::required("changed", Kind::List(NAMED_VALUE))
];

const VALUE: &[Field] = &[
    Field::required("type", Kind::Text),
    Field::required("text", Kind::Text),
    Field::required("origin", Kind::Text),
];

const NAMED_VALUE: &[Field] = &[
    Field::required("name", Kind::Text),
    Field::required("type", Kind::Text),
    Field::required("text", Kind::Text),
    Field::required("origin", Kind::Text),
];

const OUTCOME: &[Field] = &[
    Field::required("kind", Kind::Text),
    Field::nullable("exception", Kind::Text),
    Field::nullable("message", Kind::Text),
    Field::nullable("line", Kind::Number),
    Field::nullable("file", Kind::Number),
    Field::nullable("column", Kind::Number),
    Field::nullable("step", Kind::Number),
    Field::nullable("why", Kind::Text),
    Field::nullable("code", Kind::Number),
    Field::nullable("text", Kind::Text),
];

/// Writes traces to a file that appears completely or not at all. The name determines the format
/// (see [`Format::to_write`]).
pub struct TraceWriter {
    path: PathBuf,
    states: States,
    sink: Sink,
}

enum Sink {
    Lines(Lines),
    Table(Box<NestedTable<BufWriter<WholeFile>>>),
}

impl TraceWriter {
    /// Begins a file of traces with states written so.
    ///
    /// # Errors
    /// If the name has no supported suffix, or the file cannot be created.
    pub fn create(path: &Path, states: States) -> Result<Self, SourceError> {
        let format = Format::to_write(path)?;
        let begin = || -> std::io::Result<Sink> {
            let file = BufWriter::new(WholeFile::create(path)?);
            Ok(match format {
                Format::Parquet => {
                    let columns = match states {
                        States::Full => TRACE_COLUMNS,
                        States::Changes => TRACE_CHANGE_COLUMNS,
                    };
                    let table = NestedTable::new(file, columns);
                    Sink::Table(Box::new(table.map_err(std::io::Error::other)?))
                }
                format => Sink::Lines(Lines::new(file, format)?),
            })
        };
        Ok(Self {
            path: path.to_owned(),
            states,
            sink: begin().map_err(io_error(path))?,
        })
    }

    /// Appends a trace.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, trace: &Trace) -> Result<(), SourceError> {
        let mut push = || -> std::io::Result<()> {
            match &mut self.sink {
                Sink::Lines(out) => out.push(&TraceRow::of(trace, self.states, Unknown::Filled)),
                Sink::Table(table) => {
                    let row = TraceRow::of(trace, self.states, Unknown::Null);
                    let row = serde_json::to_value(&row)?;
                    table.push(&row).map_err(std::io::Error::other)
                }
            }
        };
        push().map_err(io_error(&self.path))
    }

    /// Makes the file durable and gives it its name.
    ///
    /// # Errors
    /// If the file cannot be written; nothing is left of it then.
    pub fn finish(self) -> Result<(), SourceError> {
        let Self { path, sink, .. } = self;
        let finish = || -> std::io::Result<()> {
            let file = match sink {
                Sink::Lines(out) => out.finish()?,
                Sink::Table(table) => table.finish().map_err(std::io::Error::other)?,
            };
            file.into_inner()?.publish()
        };
        finish().map_err(io_error(&path))
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use serde_json::Value;

    use super::*;
    use crate::trace::{Engine, Event, Outcome, Program, State, Step, Value as Bound};

    fn trace(id: &str, states: &[&[(&str, &str)]]) -> Trace {
        let program = Program {
            id: id.to_owned(),
            ..Program::default()
        };
        let mut trace = Trace::new(Engine::Run, program);
        for state in states {
            let pairs = state
                .iter()
                .map(|(n, v)| ((*n).to_owned(), Bound::observed(*v)));
            trace.steps.push(Step {
                line: 1,
                event: Event::Line,
                function: "<module>".into(),
                depth: 0,
                file: 0,
                state: State::from_iter(pairs),
                output: String::new(),
                value: state.first().map(|(_, v)| Box::new(Bound::observed(*v))),
                confidence: None,
            });
        }
        trace
    }

    /// The table reader's convention: a null is a missing field.
    fn without_null(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|_, value| !value.is_null());
                fields.values_mut().for_each(without_null);
            }
            Value::Array(values) => values.iter_mut().for_each(without_null),
            _ => {}
        }
    }

    fn rows_of(path: &Path) -> Vec<Value> {
        let file = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
        let rows = file.get_row_iter(None).unwrap();
        let rows = rows.map(|row| crate::sources::object(row.unwrap()).unwrap().into());
        rows.collect()
    }

    #[test]
    fn lists_in_lists_come_back_as_they_were() {
        let place = tempfile::tempdir().unwrap();
        let mut traces = vec![
            trace("none", &[]),
            trace("empty", &[&[], &[]]),
            trace("more", &[&[("a", "1"), ("b", "'x'")], &[], &[("c", "[1]")]]),
        ];
        traces[2].outcome = Outcome::Killed {
            why: "signal 9".to_owned(),
        };
        for states in [States::Full, States::Changes] {
            let path = place.path().join(format!("{states:?}.parquet"));
            let mut writer = TraceWriter::create(&path, states).unwrap();
            traces.iter().for_each(|t| writer.push(t).unwrap());
            writer.finish().unwrap();
            let rows = rows_of(&path);
            assert_eq!(rows.len(), 3);
            for (row, trace) in rows.iter().zip(&traces) {
                let expected = TraceRow::of(trace, states, Unknown::Null);
                let mut expected = serde_json::to_value(expected).unwrap();
                without_null(&mut expected);
                assert_eq!(*row, expected);
            }
        }
        let gone = &rows_of(&place.path().join("Changes.parquet"))[2]["steps"][1];
        assert_eq!(gone["gone"], serde_json::json!(["a", "b"]));
    }

    #[test]
    fn a_table_tells_datasets_its_types() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("t.parquet");
        let mut writer = TraceWriter::create(&path, States::Full).unwrap();
        writer.push(&trace("x", &[])).unwrap();
        writer.finish().unwrap();
        let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let known = file
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .unwrap();
        let types = known.iter().find(|one| one.key == "huggingface").unwrap();
        let types: Value = serde_json::from_str(types.value.as_ref().unwrap()).unwrap();
        let types = &types["info"]["features"];
        assert_eq!(types["id"]["dtype"], "string");
        let state = &types["steps"][0]["state"][0];
        assert_eq!(state["text"]["_type"], "Value");
        assert_eq!(types["steps"][0]["confidence"]["dtype"], "float32");
    }

    #[test]
    fn every_line_has_every_column() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("t.jsonl");
        let mut writer = TraceWriter::create(&path, States::Full).unwrap();
        writer.push(&trace("x", &[&[("a", "1")]])).unwrap();
        writer.finish().unwrap();
        let line: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let columns = TRACE_COLUMNS.iter().map(|c| c.name);
        assert!(line.as_object().unwrap().keys().eq(columns));
        assert!(!line.to_string().contains("null"));
        let step = &line["steps"][0];
        assert!(
            step.as_object()
                .unwrap()
                .keys()
                .eq(STEP.iter().map(|c| c.name))
        );
        assert_eq!(step["state"][0]["text"], "1");
        assert!(TraceWriter::create(&place.path().join("t.csv"), States::Full).is_err());
    }
}
