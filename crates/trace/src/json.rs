//! The JSON form: the trace with its frames, and states written completely or as changes. `docs/trace-format.md` has
//! the schema; this module adds the checks that types cannot express.

use std::collections::HashMap;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::delta::difference;
use super::frames::Frame;
use super::{
    Cause, Engine, Event, FormError, Frames, Limit, OLDEST_TRACE_VERSION, Outcome, Program,
    SourceFile, State, Step, TRACE_VERSION, Text, Trace, Value, is_entry,
};

/// Notation of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum States {
    /// Every state has all names of its frame.
    #[default]
    Full,
    /// A state holds the changes since the previous one of its frame.
    Changes,
}

/// Serialises a trace as the JSON form.
#[derive(Debug)]
pub struct TraceForm<'t> {
    trace: &'t Trace,
    states: States,
    frames: Frames,
}

impl<'t> TraceForm<'t> {
    /// The form of a trace, with states written so.
    pub fn of(trace: &'t Trace, states: States) -> Self {
        Self {
            trace,
            states,
            frames: Frames::of(trace),
        }
    }

    /// The frames of the trace.
    pub(super) fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        self.frames.described(self.trace)
    }

    /// The steps, each with its state and the number of the state's frame.
    pub(super) fn steps(&self) -> impl Iterator<Item = (&'t Step, u32, Shown<'t>)> {
        let mut known: HashMap<u32, &State> = HashMap::new();
        self.trace.steps.iter().enumerate().map(move |(k, step)| {
            let frame = u32::try_from(self.frames.of_state(k)).unwrap_or(u32::MAX);
            if self.states == States::Full {
                return (step, frame, Shown::Whole(&step.state));
            }
            let changes = match known.insert(frame, &step.state) {
                Some(before) => Changed::between(before, &step.state),
                None => Changed {
                    gone: Vec::new(),
                    names: step.state.iter().collect(),
                },
            };
            (step, frame, Shown::Changed(changes))
        })
    }
}

/// A state in its serialised form.
#[derive(Debug)]
pub(super) enum Shown<'t> {
    Whole(&'t State),
    Changed(Changed<'t>),
}

/// What changed in a frame: names to remove first, then names to bind in this order.
#[derive(Debug)]
pub(super) struct Changed<'t> {
    pub gone: Vec<&'t str>,
    pub names: Vec<(&'t str, &'t Value)>,
}

impl<'t> Changed<'t> {
    fn between(before: &'t State, after: &'t State) -> Self {
        if before.is(after) {
            return Self {
                gone: Vec::new(),
                names: Vec::new(),
            };
        }
        let (gone, names) = difference(before, after).unwrap_or_else(|| {
            // The order of names differs.
            let gone = before.iter().map(|(name, _)| name).collect();
            (gone, after.iter().collect())
        });
        Self { gone, names }
    }
}

impl Serialize for Changed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().copied())
    }
}

#[derive(Serialize)]
struct StepForm<'t> {
    line: u32,
    event: Event,
    function: &'t str,
    depth: u32,
    #[serde(skip_serializing_if = "is_entry")]
    file: u32,
    #[serde(skip_serializing_if = "is_entry")]
    frame: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'t State>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Changed<'t>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    output: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'t Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f32>,
}

impl<'t> StepForm<'t> {
    fn of(step: &'t Step, frame: u32, shown: Shown<'t>) -> Self {
        let (state, gone, changed) = match shown {
            Shown::Whole(state) => (Some(state), Vec::new(), None),
            Shown::Changed(mut changes) => {
                let gone = std::mem::take(&mut changes.gone);
                (None, gone, Some(changes))
            }
        };
        Self {
            line: step.line,
            event: step.event,
            function: &step.function,
            depth: step.depth,
            file: step.file,
            frame,
            state,
            gone,
            changed,
            output: &step.output,
            value: step.value.as_deref(),
            confidence: step.confidence,
        }
    }
}

/// The steps of a form, serialised one by one.
struct Steps<'f>(&'f TraceForm<'f>);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps = self.0.steps();
        serializer.collect_seq(steps.map(|(step, frame, shown)| StepForm::of(step, frame, shown)))
    }
}

impl Serialize for TraceForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let trace = self.trace;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &trace.version)?;
        map.serialize_entry("engine", &trace.engine)?;
        if let Some(python) = &trace.python {
            map.serialize_entry("python", python)?;
        }
        if let Some(checkpoint) = &trace.checkpoint {
            map.serialize_entry("checkpoint", checkpoint)?;
        }
        if let Some(confidence) = &trace.confidence {
            map.serialize_entry("confidence", confidence)?;
        }
        map.serialize_entry("program", &trace.program)?;
        if !trace.files.is_empty() {
            map.serialize_entry("files", &trace.files)?;
        }
        if self.frames.count() > 1 {
            map.serialize_entry("frames", &self.frames().collect::<Vec<_>>())?;
        }
        map.serialize_entry("steps", &Steps(self))?;
        map.serialize_entry("outcome", &trace.outcome)?;
        if !trace.causes.is_empty() {
            map.serialize_entry("causes", &trace.causes)?;
        }
        if trace.truncated {
            map.serialize_entry("truncated", &true)?;
        }
        if let Some(limit) = &trace.limit {
            map.serialize_entry("limit", limit)?;
        }
        map.end()
    }
}

impl Serialize for Trace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TraceForm::of(self, States::Full).serialize(serializer)
    }
}

/// A deserialised trace. Frames are not read: they follow from the events.
#[derive(Deserialize)]
struct Read {
    version: u32,
    engine: Engine,
    #[serde(default)]
    python: Option<String>,
    #[serde(default)]
    checkpoint: Option<String>,
    #[serde(default)]
    confidence: Option<f32>,
    program: Program,
    #[serde(default)]
    files: Vec<SourceFile>,
    steps: Vec<ReadStep>,
    outcome: Outcome,
    #[serde(default)]
    causes: Vec<Cause>,
    #[serde(default)]
    truncated: bool,
    #[serde(default)]
    limit: Option<Limit>,
}

#[derive(Deserialize)]
struct ReadStep {
    line: u32,
    event: Event,
    function: Text,
    depth: u32,
    #[serde(default)]
    file: u32,
    #[serde(default)]
    frame: u32,
    #[serde(default)]
    state: Option<State>,
    #[serde(default)]
    gone: Vec<String>,
    #[serde(default)]
    changed: Option<State>,
    #[serde(default)]
    output: String,
    #[serde(default)]
    value: Option<Box<Value>>,
    #[serde(default)]
    confidence: Option<f32>,
}

impl ReadStep {
    /// The step, with the states that were read before it by their frames.
    fn step<E: serde::de::Error>(self, known: &mut HashMap<u32, State>) -> Result<Step, E> {
        let before = known.entry(self.frame).or_default();
        *before = match (self.state, self.changed) {
            (Some(state), None) => state.following(before),
            (None, Some(changed)) => {
                let mut state = before.clone();
                let names = changed.iter().map(|(n, v)| (n.to_owned(), v.clone()));
                state.apply(&self.gone, names.collect());
                state
            }
            (None, None) => return Err(E::missing_field("state")),
            (Some(_), Some(_)) => {
                return Err(E::custom("a step has `state` or `changed`, not both"));
            }
        };
        Ok(Step {
            line: self.line,
            event: self.event,
            function: self.function,
            depth: self.depth,
            file: self.file,
            state: before.clone(),
            output: self.output,
            value: self.value,
            confidence: self.confidence,
        })
    }
}

impl<'de> Deserialize<'de> for Trace {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Read::deserialize(deserializer)?;
        let mut known = HashMap::new();
        let steps = read.steps.into_iter().map(|step| step.step(&mut known));
        Ok(Self {
            version: read.version,
            engine: read.engine,
            python: read.python,
            checkpoint: read.checkpoint,
            confidence: read.confidence,
            program: read.program,
            files: read.files,
            steps: steps.collect::<Result<_, _>>()?,
            outcome: read.outcome,
            causes: read.causes,
            truncated: read.truncated,
            limit: read.limit,
        })
    }
}

/// The only field of every version.
#[derive(serde::Deserialize)]
struct Header {
    version: u32,
}

impl Trace {
    /// One line of JSON. A non-finite confidence becomes `null`, which is dropped on reading.
    ///
    /// # Errors
    /// [`FormError::Json`], should the serialiser fail.
    pub fn to_json(&self) -> Result<String, FormError> {
        Ok(serde_json::to_string(self)?)
    }

    /// Serialises the trace, with its states in the requested form.
    pub fn form(&self, states: States) -> TraceForm<'_> {
        TraceForm::of(self, states)
    }

    /// Reads a trace from JSON, with states whole or as changes.
    ///
    /// # Errors
    /// [`FormError::Version`] for an unsupported version, [`FormError::Json`] for anything that is not a trace
    /// (including a name twice in a state), [`FormError::StepOutOfRange`] if the exception names a missing step,
    /// [`FormError::FileOutOfRange`] for an unlisted file. [`Trace::check`] verifies that events fit a call stack,
    /// which a predicted trace need not.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, FormError> {
        let json = json.as_ref();
        let read: Result<Self, _> = serde_json::from_slice(json);
        let found = match &read {
            Ok(trace) => Some(trace.version),
            Err(_) => serde_json::from_slice(json).ok().map(|h: Header| h.version),
        };
        match found {
            Some(found) if !(OLDEST_TRACE_VERSION..=TRACE_VERSION).contains(&found) => {
                Err(FormError::Version {
                    found,
                    oldest: OLDEST_TRACE_VERSION,
                    newest: TRACE_VERSION,
                })
            }
            _ => {
                let trace = read?;
                trace.check_outcome()?;
                trace.check_files()?;
                Ok(trace)
            }
        }
    }
}
