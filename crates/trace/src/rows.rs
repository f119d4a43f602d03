//! A trace as a table row: the JSON form with the same columns for every trace. Names and values are in
//! lists, so that any number of traces makes one typed table.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::frames::Frame;
use super::json::Shown;
use super::{
    Engine, Event, Origin, Outcome, SourceFile, States, Step, Trace, TraceForm, Value, ValueType,
};

/// Placeholder for unknown values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// Null: where columns have types.
    Null,
    /// A value of the column's type, so that a reader who takes the types from the values finds the same in every file:
    /// the empty string, -1, and 1 for a confidence.
    Filled,
}

impl Unknown {
    fn text(self, text: Option<&str>) -> Option<&str> {
        match self {
            Self::Null => text,
            Self::Filled => text.or(Some("")),
        }
    }
}

/// A trace as a row. The columns of `codexec_data::records::TRACE_COLUMNS` are its fields.
#[derive(Debug, Serialize)]
pub struct TraceRow<'a> {
    id: &'a str,
    source: Option<&'a str>,
    stdin: Option<&'a str>,
    version: u32,
    engine: Engine,
    python: Option<&'a str>,
    checkpoint: Option<&'a str>,
    files: Vec<FileRow<'a>>,
    frames: Vec<FrameRow>,
    steps: Vec<StepRow<'a>>,
    outcome: Json,
    truncated: bool,
}

#[derive(Debug, Serialize)]
struct FileRow<'a> {
    path: &'a str,
    source: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct FrameRow {
    function: String,
    file: u32,
    parent: Option<i64>,
}

#[derive(Debug, Serialize)]
struct StepRow<'a> {
    line: u32,
    event: Event,
    function: &'a str,
    depth: u32,
    file: u32,
    frame: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Vec<NamedValue<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<NamedValue<'a>>>,
    output: &'a str,
    value: Option<PlainValue<'a>>,
    confidence: Option<f32>,
}

/// A type or an origin, or the empty string.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Known<T> {
    Some(T),
    None(&'static str),
}

#[derive(Debug, Serialize)]
struct PlainValue<'a> {
    #[serde(rename = "type")]
    ty: Known<&'a ValueType>,
    text: &'a str,
    origin: Known<Origin>,
}

impl PlainValue<'_> {
    const NONE: Self = Self {
        ty: Known::None(""),
        text: "",
        origin: Known::None(""),
    };
}

impl<'a> From<&'a Value> for PlainValue<'a> {
    fn from(value: &'a Value) -> Self {
        Self {
            ty: Known::Some(&value.ty),
            text: &value.text,
            origin: Known::Some(value.origin),
        }
    }
}

#[derive(Debug, Serialize)]
struct NamedValue<'a> {
    name: &'a str,
    #[serde(flatten)]
    value: PlainValue<'a>,
}

/// The fields of every kind of outcome, and what fills them.
const OUTCOME: [(&str, Fill); 10] = [
    ("kind", Fill::Text),
    ("exception", Fill::Text),
    ("message", Fill::Text),
    ("line", Fill::Number),
    ("file", Fill::Number),
    ("column", Fill::Number),
    ("step", Fill::Number),
    ("why", Fill::Text),
    ("code", Fill::Number),
    ("text", Fill::Text),
];

#[derive(Debug, Clone, Copy)]
enum Fill {
    Text,
    Number,
}

/// Placeholder for an unknown number.
const NO_NUMBER: i64 = -1;

impl<'a> TraceRow<'a> {
    /// The row of a trace, with states written so.
    pub fn of(trace: &'a Trace, states: States, unknown: Unknown) -> Self {
        let form = TraceForm::of(trace, states);
        let steps = form.steps();
        let steps = steps.map(|(step, frame, shown)| StepRow::of(step, frame, shown, unknown));
        let file = |file: &'a SourceFile| FileRow {
            path: &file.path,
            source: unknown.text(file.source.as_deref()),
        };
        let frame = |frame: Frame<'_>| FrameRow {
            function: frame.function.to_owned(),
            file: frame.file,
            parent: match (frame.parent, unknown) {
                (None, Unknown::Filled) => Some(NO_NUMBER),
                (parent, _) => parent.map(i64::from),
            },
        };
        Self {
            id: &trace.program.id,
            source: unknown.text(trace.program.source.as_deref()),
            stdin: unknown.text(trace.program.stdin.as_deref()),
            version: trace.version,
            engine: trace.engine,
            python: unknown.text(trace.python.as_deref()),
            checkpoint: unknown.text(trace.checkpoint.as_deref()),
            files: trace.files.iter().map(file).collect(),
            steps: steps.collect(),
            frames: form.frames().map(frame).collect(),
            outcome: outcome(&trace.outcome, unknown),
            truncated: trace.truncated,
        }
    }
}

impl<'a> StepRow<'a> {
    fn of(step: &'a Step, frame: u32, shown: Shown<'a>, unknown: Unknown) -> Self {
        let (state, gone, changed) = match shown {
            Shown::Whole(state) => (Some(named(state.iter())), None, None),
            Shown::Changed(changes) => {
                let changed = named(changes.names.into_iter());
                (None, Some(changes.gone), Some(changed))
            }
        };
        let fills = unknown == Unknown::Filled;
        let value = step.value.as_deref().map(PlainValue::from);
        // JSON has no NaN.
        let confidence = step.confidence.filter(|c| c.is_finite());
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
            value: value.or(fills.then_some(PlainValue::NONE)),
            confidence: confidence.or(fills.then_some(1.0)),
        }
    }
}

fn named<'a>(names: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<NamedValue<'a>> {
    let pairs = names.map(|(name, value)| NamedValue {
        name,
        value: value.into(),
    });
    pairs.collect()
}

fn outcome(outcome: &Outcome, unknown: Unknown) -> Json {
    let mut known = serde_json::to_value(outcome).unwrap_or_else(|_| json!({}));
    if let Outcome::Raised { file, .. } = outcome {
        known["file"] = json!(file);
    }
    let field = |(name, fill): (&str, Fill)| {
        let value = known.get(name).filter(|value| !value.is_null()).cloned();
        let filled = match (unknown, fill) {
            (Unknown::Null, _) => Json::Null,
            (Unknown::Filled, Fill::Text) => json!(""),
            (Unknown::Filled, Fill::Number) => json!(NO_NUMBER),
        };
        (name.to_owned(), value.unwrap_or(filled))
    };
    Json::Object(OUTCOME.into_iter().map(field).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_of_an_outcome_is_lost() {
        let text = || "x".to_owned();
        for one in [
            Outcome::Finished,
            Outcome::Raised {
                file: 0,
                exception: text(),
                message: text(),
                line: 1,
                step: Some(0),
            },
            Outcome::Exited {
                code: 3,
                text: text(),
            },
            Outcome::Timeout,
            Outcome::InstructionLimit,
            Outcome::TraceLimit,
            Outcome::Killed { why: text() },
            Outcome::SyntaxError {
                line: 1,
                column: 2,
                message: text(),
            },
        ] {
            let row = outcome(&one, Unknown::Null);
            let known = serde_json::to_value(&one).unwrap();
            for (name, value) in known.as_object().unwrap() {
                assert_eq!(row.get(name), Some(value), "{name} of {one:?}");
            }
            assert_eq!(row.as_object().unwrap().len(), OUTCOME.len());
            let filled = outcome(&one, Unknown::Filled);
            assert!(
                filled
                    .as_object()
                    .unwrap()
                    .values()
                    .all(|value| !value.is_null())
            );
        }
    }
}
