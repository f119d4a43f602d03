//! The steps of a trace as columns.

use std::sync::Arc;

use arrow_array::builder::{
    Float32Builder, MapBuilder, MapFieldNames, StringBuilder, UInt32Builder,
};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use codexec_trace::Event;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::unexpected;
use crate::trace::Inner;

/// A row for each step:
///
/// | column | type |
/// |---|---|
/// | step, line, depth, file, frame | uint32 |
/// | event, function, source, output, value | string |
/// | state, changes | map from string to string: names and texts of values |
/// | confidence | float32 |
fn batch(trace: &Inner) -> Result<RecordBatch, ArrowError> {
    let steps = &trace.trace().steps;
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let mut numbers: [UInt32Builder; 5] = Default::default();
    let mut texts: [StringBuilder; 5] = Default::default();
    let mut maps = [names(), names()];
    let mut confidence = Float32Builder::new();
    for (k, step) in steps.iter().enumerate() {
        let all = [
            number(k),
            step.line,
            step.depth,
            step.file,
            number(trace.frames().of_state(k)),
        ];
        for (column, value) in numbers.iter_mut().zip(all) {
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
        for (column, value) in texts.iter_mut().zip(all) {
            column.append_option(value);
        }
        let before = trace.before(k);
        let [state, changes] = &mut maps;
        for (name, value) in step.state.iter() {
            let is_same = before.is_some_and(|before| before.get(name) == Some(value));
            for map in [Some(&mut *state), (!is_same).then_some(&mut *changes)]
                .into_iter()
                .flatten()
            {
                map.keys().append_value(name);
                map.values().append_value(&value.text);
            }
        }
        state.append(true)?;
        changes.append(true)?;
        confidence.append_option(step.confidence);
    }
    let [at, line, depth, file, frame] = numbers.map(|mut column| Arc::new(column.finish()));
    let [event, function, source, output, value] =
        texts.map(|mut column| Arc::new(column.finish()));
    let [state, changes] = maps.map(|mut column| Arc::new(column.finish()));
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("step", at, false),
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
    ];
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, column, null)| Field::new(*name, column.data_type().clone(), *null))
        .collect();
    let arrays = columns.into_iter().map(|(_, column, _)| column).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}

/// A column of names and texts.
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

/// The steps as a stream of one batch.
pub(crate) fn stream<'py>(py: Python<'py>, trace: &Inner) -> PyResult<Bound<'py, PyCapsule>> {
    let batch = batch(trace).map_err(|error| unexpected(&error))?;
    let schema = batch.schema();
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
