//! Selected steps as a document: the fields of a trace, with `selected` instead of `steps`.

use std::collections::BTreeMap;

use codexec_trace::{Cause, Engine, Event, Limit, Outcome, SourceFile, State, Trace, Value};
use serde::{Serialize, Serializer};

use super::{Chosen, Selected};

/// The document. `docs/trace-format.md` has its fields.
#[derive(Debug, Serialize)]
pub struct Document<'t> {
    version: u32,
    engine: Engine,
    #[serde(skip_serializing_if = "Option::is_none")]
    python: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<&'t str>,
    program: &'t str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<&'t str>,
    /// Number of steps of the trace.
    steps: usize,
    selected: Vec<StepDocument<'t>>,
    outcome: &'t Outcome,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    causes: &'t [Cause],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<Limit>,
}

#[derive(Debug, Serialize)]
struct StepDocument<'t> {
    /// Its number, from 1.
    step: usize,
    visit: usize,
    line: u32,
    event: Event,
    function: &'t str,
    depth: u32,
    #[serde(skip_serializing_if = "is_zero")]
    file: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Names<'t>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<&'t str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<&'t str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    output: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'t Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f32>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_zero(file: &u32) -> bool {
    *file == 0
}

/// A state, or some names of it.
#[derive(Debug)]
enum Names<'t> {
    All(&'t State),
    Some(Vec<(&'t str, &'t Value)>),
}

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All(state) => state.serialize(serializer),
            Self::Some(names) => serializer.collect_map(names.iter().copied()),
        }
    }
}

impl<'t> Document<'t> {
    pub(super) fn new(selected: &Selected<'t>) -> Self {
        let trace = selected.trace;
        Self {
            version: trace.version,
            engine: trace.engine,
            python: trace.python.as_deref(),
            checkpoint: trace.checkpoint.as_deref(),
            program: &trace.program.id,
            files: trace.files.iter().map(path).collect(),
            steps: trace.steps.len(),
            selected: selected
                .steps
                .iter()
                .map(|chosen| step(selected, trace, chosen))
                .collect(),
            outcome: &trace.outcome,
            causes: &trace.causes,
            truncated: trace.truncated,
            limit: trace.limit,
        }
    }
}

fn path(file: &SourceFile) -> &str {
    &file.path
}

fn step<'t>(selected: &Selected<'t>, trace: &'t Trace, chosen: &Chosen<'t>) -> StepDocument<'t> {
    let step = &trace.steps[chosen.step];
    let names = &chosen.changes.names;
    let bound = names
        .iter()
        .filter_map(|(name, value)| Some((*name, (*value)?)));
    let bound: BTreeMap<&str, &Value> = bound.collect();
    let selection = &selected.selection;
    let some = selection.changes || !selection.names.is_empty();
    let state = match some {
        true => Some(Names::Some(bound.iter().map(|(n, v)| (*n, *v)).collect())),
        false => selection.shows_changes().then_some(Names::All(&step.state)),
    };
    // Requested values need not be changes.
    let changed = match selection.shows_values() {
        true => Vec::new(),
        false => names
            .iter()
            .filter(|(_, value)| value.is_some())
            .map(|(n, _)| *n)
            .collect(),
    };
    let gone = names.iter().filter(|(_, value)| value.is_none());
    StepDocument {
        step: chosen.step + 1,
        visit: chosen.visit,
        line: step.line,
        event: step.event,
        function: &step.function,
        depth: step.depth,
        file: step.file,
        state,
        changed,
        gone: gone.map(|(name, _)| *name).collect(),
        output: &step.output,
        value: step.value.as_deref(),
        confidence: step.confidence.filter(|c| c.is_finite()),
    }
}
