//! A trace as a row of a table: the JSON form with the same columns for every trace. Names stand beside
//! their values in lists, and what is not known is null, so that any number of traces makes one typed
//! table.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::{Engine, Event, Origin, Outcome, SourceFile, State, Step, Trace, Value, ValueType};

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
    steps: Vec<StepRow<'a>>,
    outcome: Json,
    truncated: bool,
}

#[derive(Debug, Serialize)]
struct FileRow<'a> {
    path: &'a str,
    source: Option<&'a str>,
}

impl<'a> From<&'a SourceFile> for FileRow<'a> {
    fn from(file: &'a SourceFile) -> Self {
        Self {
            path: &file.path,
            source: file.source.as_deref(),
        }
    }
}

#[derive(Debug, Serialize)]
struct StepRow<'a> {
    line: u32,
    event: Event,
    function: &'a str,
    depth: u32,
    file: u32,
    state: Vec<NamedValue<'a>>,
    output: &'a str,
    value: Option<PlainValue<'a>>,
    confidence: Option<f32>,
}

#[derive(Debug, Serialize)]
struct PlainValue<'a> {
    #[serde(rename = "type")]
    ty: &'a ValueType,
    text: &'a str,
    origin: Origin,
}

impl<'a> From<&'a Value> for PlainValue<'a> {
    fn from(value: &'a Value) -> Self {
        Self {
            ty: &value.ty,
            text: &value.text,
            origin: value.origin,
        }
    }
}

#[derive(Debug, Serialize)]
struct NamedValue<'a> {
    name: &'a str,
    #[serde(flatten)]
    value: PlainValue<'a>,
}

/// The fields of every kind of outcome.
const OUTCOME: [&str; 10] = [
    "kind",
    "exception",
    "message",
    "line",
    "file",
    "column",
    "step",
    "why",
    "code",
    "text",
];

impl<'a> From<&'a Trace> for TraceRow<'a> {
    fn from(trace: &'a Trace) -> Self {
        Self {
            id: &trace.program.id,
            source: trace.program.source.as_deref(),
            stdin: trace.program.stdin.as_deref(),
            version: trace.version,
            engine: trace.engine,
            python: trace.python.as_deref(),
            checkpoint: trace.checkpoint.as_deref(),
            files: trace.files.iter().map(FileRow::from).collect(),
            steps: trace.steps.iter().map(StepRow::from).collect(),
            outcome: outcome(&trace.outcome),
            truncated: trace.truncated,
        }
    }
}

impl<'a> From<&'a Step> for StepRow<'a> {
    fn from(step: &'a Step) -> Self {
        Self {
            line: step.line,
            event: step.event,
            function: &step.function,
            depth: step.depth,
            file: step.file,
            state: named(&step.state),
            output: &step.output,
            value: step.value.as_ref().map(PlainValue::from),
            // JSON has no number that is none.
            confidence: step.confidence.filter(|c| c.is_finite()),
        }
    }
}

fn named(state: &State) -> Vec<NamedValue<'_>> {
    let pairs = state.iter().map(|(name, value)| NamedValue {
        name,
        value: value.into(),
    });
    pairs.collect()
}

fn outcome(outcome: &Outcome) -> Json {
    let mut known = serde_json::to_value(outcome).unwrap_or_else(|_| json!({}));
    if let Outcome::Raised { file, .. } = outcome {
        known["file"] = json!(file);
    }
    let field = |name: &str| {
        (
            name.to_owned(),
            known.get(name).cloned().unwrap_or_default(),
        )
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
            let row = outcome(&one);
            let known = serde_json::to_value(&one).unwrap();
            for (name, value) in known.as_object().unwrap() {
                assert_eq!(row.get(name), Some(value), "{name} of {one:?}");
            }
            assert_eq!(row.as_object().unwrap().len(), OUTCOME.len());
        }
    }
}
