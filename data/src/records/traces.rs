//! Files of traces, one a row: JSON Lines, or a typed Parquet table.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Format;
use super::nested::{Field, Kind, NestedTable};
use super::writer::LEVEL;
use crate::files::WholeFile;
use crate::sources::{SourceError, io_error};
use crate::trace::{Trace, TraceRow};

/// The columns of a trace.
pub const TRACE_COLUMNS: &[Field] = &[
    Field::required("id", Kind::Text),
    Field::nullable("source", Kind::Text),
    Field::nullable("stdin", Kind::Text),
    Field::required("version", Kind::Short),
    Field::required("engine", Kind::Text),
    Field::nullable("python", Kind::Text),
    Field::nullable("checkpoint", Kind::Text),
    Field::required("files", Kind::List(FILE)),
    Field::required("steps", Kind::List(STEP)),
    Field::required("outcome", Kind::Struct(OUTCOME)),
    Field::required("truncated", Kind::Bool),
];

const FILE: &[Field] = &[
    Field::required("path", Kind::Text),
    Field::nullable("source", Kind::Text),
];

const STEP: &[Field] = &[
    Field::required("line", Kind::Number),
    Field::required("event", Kind::Text),
    Field::required("function", Kind::Text),
    Field::required("depth", Kind::Number),
    Field::required("file", Kind::Number),
    Field::required("state", Kind::List(NAMED_VALUE)),
    Field::required("output", Kind::Text),
    Field::nullable("value", Kind::Struct(VALUE)),
    Field::nullable("confidence", Kind::Float),
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

/// Writes traces to a file that appears whole or not at all. The format follows from the name (see
/// [`Format::to_write`]).
pub struct TraceWriter {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Lines(BufWriter<WholeFile>),
    Compressed(zstd::Encoder<'static, BufWriter<WholeFile>>),
    Table(Box<NestedTable<BufWriter<WholeFile>>>),
}

impl TraceWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// When the name ends in no format that is written, or the file cannot be created.
    pub fn create(path: &Path) -> Result<Self, SourceError> {
        let format = Format::to_write(path)?;
        let begin = || -> std::io::Result<Sink> {
            let file = BufWriter::new(WholeFile::create(path)?);
            Ok(match format {
                Format::JsonLines => Sink::Lines(file),
                Format::JsonLinesZstd => Sink::Compressed(zstd::Encoder::new(file, LEVEL)?),
                Format::Parquet => {
                    let table = NestedTable::new(file, TRACE_COLUMNS);
                    Sink::Table(Box::new(table.map_err(std::io::Error::other)?))
                }
            })
        };
        Ok(Self {
            path: path.to_owned(),
            sink: begin().map_err(io_error(path))?,
        })
    }

    /// Appends a trace.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push(&mut self, trace: &Trace) -> Result<(), SourceError> {
        let row = TraceRow::from(trace);
        let mut push = || -> std::io::Result<()> {
            match &mut self.sink {
                Sink::Lines(out) => {
                    serde_json::to_writer(&mut *out, &row)?;
                    out.write_all(b"\n")
                }
                Sink::Compressed(out) => {
                    serde_json::to_writer(&mut *out, &row)?;
                    out.write_all(b"\n")
                }
                Sink::Table(table) => table
                    .push(&serde_json::to_value(&row)?)
                    .map_err(std::io::Error::other),
            }
        };
        push().map_err(io_error(&self.path))
    }

    /// Makes the file durable and gives it its name.
    ///
    /// # Errors
    /// When the file cannot be written; nothing is left of it then.
    pub fn finish(self) -> Result<(), SourceError> {
        let Self { path, sink } = self;
        let finish = || -> std::io::Result<()> {
            let file = match sink {
                Sink::Lines(out) => out,
                Sink::Compressed(out) => out.finish()?,
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
                function: "<module>".to_owned(),
                depth: 0,
                file: 0,
                state: State::from_iter(pairs),
                output: String::new(),
                value: state.first().map(|(_, v)| Bound::observed(*v)),
                confidence: None,
            });
        }
        trace
    }

    /// What the reader of tables gives: a null is a missing field.
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
        let path = place.path().join("t.parquet");
        let mut writer = TraceWriter::create(&path).unwrap();
        traces.iter().for_each(|t| writer.push(t).unwrap());
        writer.finish().unwrap();
        let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<Value> = file
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap())
            .map(|row| crate::sources::object(row).unwrap().into())
            .collect();
        assert_eq!(rows.len(), 3);
        for (row, trace) in rows.iter().zip(&traces) {
            let mut expected = serde_json::to_value(TraceRow::from(trace)).unwrap();
            without_null(&mut expected);
            assert_eq!(*row, expected);
        }
    }

    #[test]
    fn every_line_has_every_column() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("t.jsonl");
        let mut writer = TraceWriter::create(&path).unwrap();
        writer.push(&trace("x", &[&[("a", "1")]])).unwrap();
        writer.finish().unwrap();
        let line: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let columns = TRACE_COLUMNS.iter().map(|c| c.name);
        assert!(line.as_object().unwrap().keys().eq(columns));
        let step = &line["steps"][0];
        assert!(
            step.as_object()
                .unwrap()
                .keys()
                .eq(STEP.iter().map(|c| c.name))
        );
        assert_eq!(step["state"][0]["text"], "1");
        assert!(TraceWriter::create(&place.path().join("t.csv")).is_err());
    }
}
