//! A trace in the page's form: the JSON form, with steps as columns if there are many. A browser reads lists of numbers
//! in a third of the time of one object per step.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use codexec_trace::frames::Frame;
use codexec_trace::{
    Cause, Engine, Event, Frames, Limit, Origin, Outcome, Program, SourceFile, State, States, Step,
    Trace, Value, ValueType,
};
use serde::{Serialize, Serializer};

/// Maximum number of steps written one by one.
const FEW: usize = 5_000;
/// Replaces the number of a value: the name is no longer bound.
const GONE: i64 = -1;

/// Writes a trace with its states as changes.
pub(crate) fn write<S: Serializer>(trace: &&Trace, serializer: S) -> Result<S::Ok, S::Error> {
    if trace.steps.len() <= FEW {
        return trace.form(States::Changes).serialize(serializer);
    }
    let frames = Frames::of(trace);
    let packed = Packed {
        version: trace.version,
        engine: trace.engine,
        python: trace.python.as_deref(),
        checkpoint: trace.checkpoint.as_deref(),
        confidence: trace.confidence,
        program: &trace.program,
        files: &trace.files,
        frames: frames.described(trace).collect(),
        columns: Columns::of(trace, &frames),
        outcome: &trace.outcome,
        causes: &trace.causes,
        truncated: trace.truncated,
        limit: trace.limit,
    };
    packed.serialize(serializer)
}

/// A trace with columns instead of steps; the other fields are those of the JSON form.
#[derive(Serialize)]
struct Packed<'t> {
    version: u32,
    engine: Engine,
    #[serde(skip_serializing_if = "Option::is_none")]
    python: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f32>,
    program: &'t Program,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    files: &'t [SourceFile],
    frames: Vec<Frame<'t>>,
    columns: Columns<'t>,
    outcome: &'t Outcome,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    causes: &'t [Cause],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<Limit>,
}

/// A column, omitted if it is all zeros.
#[derive(Default, Serialize)]
#[serde(transparent)]
struct Column(Vec<u32>);

/// Steps as columns, with one entry per step.
#[derive(Default, Serialize)]
struct Columns<'t> {
    lines: Vec<u32>,
    /// A letter each: `c`, `l` or `r`.
    events: String,
    /// Names of functions, and the number of each step's.
    function_names: Vec<&'t str>,
    #[serde(skip_serializing_if = "Column::is_zero")]
    functions: Column,
    #[serde(skip_serializing_if = "Column::is_zero")]
    depths: Column,
    #[serde(skip_serializing_if = "Column::is_zero")]
    files: Column,
    #[serde(skip_serializing_if = "Column::is_zero")]
    frames: Column,
    /// Number of changes per step; for each change, the numbers of its name and value.
    changes: Vec<u32>,
    changed_names: Vec<u32>,
    changed_values: Vec<i64>,
    names: Vec<&'t str>,
    /// Distinct values: their text, and the number of each one's type and origin.
    texts: Vec<&'t str>,
    type_names: Vec<&'t ValueType>,
    types: Vec<u32>,
    origin_names: Vec<Origin>,
    #[serde(skip_serializing_if = "Column::is_zero")]
    origins: Column,
    /// Object numbers of values that have some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    objects: Vec<(u32, &'t [u32])>,
    /// For steps that print, and for steps that return a value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<(usize, &'t str)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    returned: Vec<(usize, u32)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    confidences: Vec<Option<f32>>,
}

impl Column {
    fn is_zero(&self) -> bool {
        self.0.iter().all(|number| *number == 0)
    }
}

/// Numbers items in the order of their first occurrence.
struct Numbers<K>(HashMap<K, u32>);

impl<K: Hash + Eq> Numbers<K> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    /// The number, and whether it is new.
    fn of(&mut self, key: K) -> (u32, bool) {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        match self.0.entry(key) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(new) => (*new.insert(next), true),
        }
    }
}

/// Writes columns step by step.
struct Writer<'t> {
    columns: Columns<'t>,
    functions: Numbers<&'t str>,
    names: Numbers<&'t str>,
    types: Numbers<&'t ValueType>,
    origins: Numbers<Origin>,
    values: Numbers<(&'t str, Origin, Option<&'t [u32]>)>,
    /// The last state of each frame.
    known: HashMap<u32, &'t State>,
}

impl<'t> Columns<'t> {
    fn of(trace: &'t Trace, frames: &Frames) -> Self {
        let mut writer = Writer {
            columns: Self::default(),
            functions: Numbers::new(),
            names: Numbers::new(),
            types: Numbers::new(),
            origins: Numbers::new(),
            values: Numbers::new(),
            known: HashMap::new(),
        };
        for (at, step) in trace.steps.iter().enumerate() {
            let frame = u32::try_from(frames.of_state(at)).unwrap_or(u32::MAX);
            writer.step(at, step, frame);
        }
        let mut columns = writer.columns;
        if columns.confidences.iter().all(Option::is_none) {
            columns.confidences = Vec::new();
        }
        columns
    }
}

impl<'t> Writer<'t> {
    fn step(&mut self, at: usize, step: &'t Step, frame: u32) {
        let (function, is_new) = self.functions.of(&step.function);
        let columns = &mut self.columns;
        if is_new {
            columns.function_names.push(&step.function);
        }
        columns.lines.push(step.line);
        columns.events.push(match step.event {
            Event::Call => 'c',
            Event::Line => 'l',
            Event::Return => 'r',
        });
        columns.functions.0.push(function);
        columns.depths.0.push(step.depth);
        columns.files.0.push(step.file);
        columns.frames.0.push(frame);
        columns.confidences.push(step.confidence);
        if !step.output.is_empty() {
            columns.outputs.push((at, &step.output));
        }
        if let Some(value) = &step.value {
            let value = self.value(value);
            self.columns.returned.push((at, value));
        }
        let before = self.known.insert(frame, &step.state);
        let count = self.state(before, &step.state);
        self.columns.changes.push(count);
    }

    /// Writes the differences of a state from the previous one of its frame. Returns the number of changes.
    fn state(&mut self, before: Option<&'t State>, after: &'t State) -> u32 {
        let start = self.columns.changed_names.len();
        let mut rest = after.iter().peekable();
        let mut is_ordered = true;
        for (name, value) in before.into_iter().flat_map(State::iter) {
            match rest.next_if(|(next, _)| *next == name) {
                // Usually the same memory.
                Some((_, now)) if std::ptr::eq(now, value) || now == value => {}
                Some((_, now)) => self.bound(name, now),
                None => {
                    is_ordered &= after.get(name).is_none();
                    self.unbound(name);
                }
            }
        }
        if is_ordered {
            for (name, value) in rest {
                self.bound(name, value);
            }
        } else {
            // The order of names differs.
            self.columns.changed_names.truncate(start);
            self.columns.changed_values.truncate(start);
            for (name, _) in before.into_iter().flat_map(State::iter) {
                self.unbound(name);
            }
            for (name, value) in after.iter() {
                self.bound(name, value);
            }
        }
        u32::try_from(self.columns.changed_names.len() - start).unwrap_or(u32::MAX)
    }

    fn name(&mut self, name: &'t str) {
        let (number, is_new) = self.names.of(name);
        if is_new {
            self.columns.names.push(name);
        }
        self.columns.changed_names.push(number);
    }

    fn bound(&mut self, name: &'t str, value: &'t Value) {
        self.name(name);
        let value = self.value(value);
        self.columns.changed_values.push(i64::from(value));
    }

    fn unbound(&mut self, name: &'t str) {
        self.name(name);
        self.columns.changed_values.push(GONE);
    }

    fn value(&mut self, value: &'t Value) -> u32 {
        let objects = value.objects.as_deref();
        // The type follows from the text.
        let (number, is_new) = self.values.of((&value.text, value.origin, objects));
        if is_new {
            let (ty, is_new_type) = self.types.of(&value.ty);
            let (origin, is_new_origin) = self.origins.of(value.origin);
            let columns = &mut self.columns;
            columns.texts.push(&value.text);
            columns.types.push(ty);
            columns.origins.0.push(origin);
            if is_new_type {
                columns.type_names.push(&value.ty);
            }
            if is_new_origin {
                columns.origin_names.push(value.origin);
            }
            if let Some(objects) = objects {
                columns.objects.push((number, objects));
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn step(line: u32, names: &[(&str, &str)]) -> Step {
        let mut state = State::new();
        for (name, text) in names {
            state.set(*name, Value::new(*text, Origin::Computed));
        }
        Step {
            line,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state,
            output: String::new(),
            value: None,
            confidence: None,
        }
    }

    #[test]
    fn steps_are_columns_of_what_changes() {
        let mut trace = Trace::new(Engine::Predict, Program::default());
        trace.steps = vec![
            step(1, &[("x", "1"), ("y", "2")]),
            step(2, &[("x", "2"), ("y", "2")]),
            step(2, &[("y", "2"), ("x", "2")]),
            step(3, &[("x", "2")]),
        ];
        trace.steps[3].output = "2\n".to_owned();
        let columns = Columns::of(&trace, &Frames::of(&trace));
        assert_eq!(
            serde_json::to_value(columns).unwrap(),
            json!({
                "lines": [1, 2, 2, 3],
                "events": "llll",
                "function_names": ["<module>"],
                "changes": [2, 1, 4, 1],
                "changed_names": [0, 1, 0, 0, 1, 1, 0, 1],
                "changed_values": [0, 1, 1, -1, -1, 1, 1, -1],
                "names": ["x", "y"],
                "texts": ["1", "2"],
                "type_names": ["int"],
                "types": [0, 0],
                "origin_names": ["computed"],
                "outputs": [[3, "2\n"]],
            })
        );
    }

    #[test]
    fn only_long_traces_have_columns() {
        let write = |steps: usize| {
            let mut trace = Trace::new(Engine::Run, Program::default());
            trace.steps = vec![step(1, &[("x", "1")]); steps];
            serde_json::to_value(Form(&trace)).unwrap()
        };
        #[derive(Serialize)]
        struct Form<'t>(#[serde(serialize_with = "super::write")] &'t Trace);
        assert!(write(FEW)["steps"].is_array());
        let long = write(FEW + 1);
        assert!(long.get("steps").is_none());
        assert_eq!(long["columns"]["lines"].as_array().unwrap().len(), FEW + 1);
        assert_eq!(long["outcome"], write(FEW)["outcome"]);
        assert_eq!(long["version"], write(FEW)["version"]);
    }
}
