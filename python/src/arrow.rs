//! The steps of traces as tables: Arrow streams whose rows are produced on demand.

use std::sync::Arc;

use arrow_array::builder::{
    Float32Builder, MapBuilder, MapFieldNames, StringBuilder, UInt32Builder,
};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use codexec_trace::Event;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator};

use crate::errors::unexpected;
use crate::trace::{Inner, Trace};

/// Maximum rows of a batch, and bytes of its strings: a string column is limited to 2 GiB.
const ROWS: usize = 8192;
const BYTES: usize = 64 << 20;

/// A row for each step:
///
/// | column | type |
/// |---|---|
/// | trace | uint32: number of the trace in a table of many |
/// | program | string: what its program is called |
/// | step, line, depth, file, frame | uint32 |
/// | event, function, source, output, value | string |
/// | state, changes | map from string to string: names and texts of values |
/// | confidence | float32 |
#[derive(Debug)]
struct Columns {
    trace: UInt32Builder,
    program: StringBuilder,
    numbers: [UInt32Builder; 5],
    texts: [StringBuilder; 5],
    /// `changes` and `state`.
    maps: [MapBuilder<StringBuilder, StringBuilder>; 2],
    confidence: Float32Builder,
    rows: usize,
    bytes: usize,
}

impl Columns {
    fn new() -> Self {
        Self {
            trace: UInt32Builder::new(),
            program: StringBuilder::new(),
            numbers: Default::default(),
            texts: Default::default(),
            maps: [names(), names()],
            confidence: Float32Builder::new(),
            rows: 0,
            bytes: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.rows >= ROWS || self.bytes >= BYTES
    }

    /// The row of a step.
    fn append(&mut self, number: u32, trace: &Inner, k: usize) -> Result<(), ArrowError> {
        let step = &trace.trace().steps[k];
        let program = &trace.trace().program.id;
        self.trace.append_value(number);
        self.program.append_value(program);
        self.bytes += program.len();
        let counted = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let all = [
            counted(k),
            step.line,
            step.depth,
            step.file,
            counted(trace.frames().of_state(k)),
        ];
        for (column, value) in self.numbers.iter_mut().zip(all) {
            column.append_value(value);
        }
        let event = match step.event {
            Event::Call => "call",
            Event::Line => "line",
            Event::Return => "return",
        };
        let all = [
            Some(event),
            Some(step.function.as_str()),
            Some(trace.line(step.file, step.line)),
            Some(step.output.as_str()),
            step.value.as_ref().map(|value| value.text.as_str()),
        ];
        for (column, value) in self.texts.iter_mut().zip(all) {
            column.append_option(value);
            self.bytes += value.map_or(0, str::len);
        }
        let before = trace.before(k);
        let [changes, state] = &mut self.maps;
        for (name, value) in step.state.iter() {
            let is_same = before.is_some_and(|before| before.get(name) == Some(value));
            for map in [Some(&mut *state), (!is_same).then_some(&mut *changes)]
                .into_iter()
                .flatten()
            {
                map.keys().append_value(name);
                map.values().append_value(&value.text);
                self.bytes += name.len() + value.text.len();
            }
        }
        for map in &mut self.maps {
            map.append(true)?;
        }
        self.confidence.append_option(step.confidence);
        self.rows += 1;
        Ok(())
    }

    /// The columns with their names, and whether they are nullable; `many` adds the columns that identify
    /// traces.
    fn finish(self, many: bool) -> Vec<(&'static str, ArrayRef, bool)> {
        let [at, line, depth, file, frame] =
            self.numbers.map(|mut column| Arc::new(column.finish()));
        let [event, function, source, output, value] =
            self.texts.map(|mut column| Arc::new(column.finish()));
        let [changes, state] = self.maps.map(|mut column| Arc::new(column.finish()));
        let (mut trace, mut program) = (self.trace, self.program);
        let mut confidence = self.confidence;
        let mut columns: Vec<(&str, ArrayRef, bool)> = Vec::new();
        if many {
            columns.push(("trace", Arc::new(trace.finish()), false));
            columns.push(("program", Arc::new(program.finish()), false));
        }
        columns.extend([
            ("step", at as ArrayRef, false),
            ("line", line, false),
            ("event", event, false),
            ("function", function, false),
            ("depth", depth, false),
            ("file", file, false),
            ("frame", frame, false),
            ("source", source, false),
            ("output", output, false),
            ("changes", changes, false),
            ("state", state, false),
            ("value", value, true),
            ("confidence", Arc::new(confidence.finish()), true),
        ]);
        columns
    }
}

/// A column of names and values.
fn names() -> MapBuilder<StringBuilder, StringBuilder> {
    let fields = MapFieldNames {
        entry: "entries".to_owned(),
        key: "key".to_owned(),
        value: "value".to_owned(),
    };
    let value = Field::new("value", DataType::Utf8, true);
    MapBuilder::new(Some(fields), StringBuilder::new(), StringBuilder::new())
        .with_values_field(value)
}

fn schema_of(columns: &[(&'static str, ArrayRef, bool)]) -> SchemaRef {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, column, null)| Field::new(*name, column.data_type().clone(), *null))
        .collect();
    Arc::new(Schema::new(fields))
}

/// Source of traces.
enum Traces {
    /// One, with no columns of its own.
    One(Option<Arc<Inner>>),
    /// The given ones.
    Many(Py<PyIterator>),
}

impl Traces {
    fn next(&mut self) -> PyResult<Option<Arc<Inner>>> {
        match self {
            Self::One(trace) => Ok(trace.take()),
            Self::Many(iterator) => Python::attach(|py| {
                let next = iterator.bind(py).clone().next();
                let trace = |given: Bound<'_, PyAny>| {
                    let trace = given.cast::<Trace>()?;
                    Ok(Arc::clone(&trace.get().inner))
                };
                next.map(|given| given.and_then(trace)).transpose()
            }),
        }
    }
}

/// Batches of rows, each made on demand.
struct Rows {
    schema: SchemaRef,
    traces: Traces,
    /// The trace whose steps are being read, its number, and the next step.
    open: Option<(u32, Arc<Inner>, usize)>,
    /// Number of the next trace.
    number: u32,
    is_over: bool,
}

impl Rows {
    fn of(traces: Traces) -> Self {
        let many = matches!(traces, Traces::Many(_));
        Self {
            schema: schema_of(&Columns::new().finish(many)),
            traces,
            open: None,
            number: 0,
            is_over: false,
        }
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let mut columns = Columns::new();
        while !columns.is_full() {
            let Some((number, trace, step)) = &mut self.open else {
                let next = self.traces.next();
                match next.map_err(|error| ArrowError::ExternalError(Box::new(error)))? {
                    Some(trace) => self.open = Some((self.number, trace, 0)),
                    None => {
                        self.is_over = true;
                        break;
                    }
                }
                self.number += 1;
                continue;
            };
            if *step == trace.trace().steps.len() {
                self.open = None;
                continue;
            }
            columns.append(*number, trace, *step)?;
            *step += 1;
        }
        if columns.rows == 0 {
            return Ok(None);
        }
        let many = matches!(self.traces, Traces::Many(_));
        let arrays = columns
            .finish(many)
            .into_iter()
            .map(|(_, column, _)| column);
        RecordBatch::try_new(Arc::clone(&self.schema), arrays.collect()).map(Some)
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let batch = self.batch();
        // After an error there are no rows.
        self.is_over |= batch.is_err();
        batch.transpose()
    }
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

fn capsule(py: Python<'_>, rows: Rows) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(rows));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// The steps of a trace.
pub(crate) fn stream(py: Python<'_>, trace: Arc<Inner>) -> PyResult<Bound<'_, PyCapsule>> {
    capsule(py, Rows::of(Traces::One(Some(trace))))
}

/// The schema of a trace's steps.
pub(crate) fn schema(py: Python<'_>, many: bool) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = schema_of(&Columns::new().finish(many));
    let schema = FFI_ArrowSchema::try_from(&*schema).map_err(|error| unexpected(&error))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// The steps of many traces as an Arrow stream; an exception of the iterator ends it.
#[pyfunction]
pub(crate) fn table_stream<'py>(
    py: Python<'py>,
    traces: Bound<'py, PyIterator>,
) -> PyResult<Bound<'py, PyCapsule>> {
    capsule(py, Rows::of(Traces::Many(traces.unbind())))
}

/// The schema of such a stream.
#[pyfunction]
pub(crate) fn table_schema(py: Python<'_>) -> PyResult<Bound<'_, PyCapsule>> {
    schema(py, true)
}
