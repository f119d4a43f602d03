//! Findings of `codexec check` for a program.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use codexec_check::plan::ROW;
use codexec_check::{Checked, End, Finding, Note, Settings, Source};
use codexec_engine::project::Place;
use codexec_engine::{self as engine};
use codexec_playground::{Beside, File, ROOT, answered};
use serde::{Deserialize, Serialize};
use web_time::Instant;

/// Most time, in milliseconds, where the request does not say.
const MILLISECONDS: u64 = 15_000;
/// Maximum time of one of the plans that checking makes.
const OF_ONE_PLAN: Duration = Duration::from_secs(3);

/// A program to check.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// Its text.
    source: String,
    /// Its standard input.
    #[serde(default)]
    stdin: Option<String>,
    /// Its name.
    #[serde(default)]
    name: Option<String>,
    /// Files beside the program.
    #[serde(default)]
    files: Vec<File>,
    /// Findings below it are left out.
    #[serde(default)]
    min_probability: Option<f64>,
    /// Maximum time.
    #[serde(default)]
    max_milliseconds: Option<u64>,
}

/// The findings.
#[derive(Debug, Serialize)]
struct Answer {
    /// Errors, by line.
    findings: Vec<Shown>,
    /// Those in other files, which the program leads to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<Other>,
    /// The probability that the program raises when it is run.
    error_probability: f64,
    /// The most probable end.
    end: Option<End>,
    /// What could not be determined.
    notes: Vec<Note>,
    /// Elapsed time.
    milliseconds: f64,
}

/// A finding, also as one sentence.
#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    finding: Finding,
    sentence: String,
}

/// Errors in another file.
#[derive(Debug, Serialize)]
struct Other {
    path: String,
    findings: Vec<Shown>,
}

/// The answer to a request, both as JSON.
pub(crate) fn answer(request: &[u8]) -> String {
    let request = serde_json::from_slice::<Request>(request);
    let request = request.map_err(|error| format!("the request cannot be read: {error}"));
    answered(request.and_then(check))
}

fn check(request: Request) -> Result<Answer, String> {
    let begun = Instant::now();
    let usual = Settings::default();
    let least = request.min_probability.unwrap_or(usual.min_probability);
    let milliseconds = request.max_milliseconds.unwrap_or(MILLISECONDS);
    let files = request.files.into_iter();
    let beside = Beside::of(files.map(|file| (file.path, file.text)));
    // A program by itself stands nowhere, as on the command line.
    let project = (!beside.is_empty()).then(|| Place {
        root: ROOT.into(),
        package: String::new(),
        module: String::new(),
    });
    let settings = Settings {
        min_probability: least,
        time: Some(Duration::from_millis(milliseconds)),
        engine: engine::Settings {
            finder: Some(Arc::new(beside)),
            plan_time: Some(OF_ONE_PLAN),
            ..usual.engine
        },
        ..usual
    };
    let source = Source {
        path: request.name.unwrap_or_else(|| "prog.py".to_owned()),
        text: request.source,
        stdin: request.stdin,
        project,
        ..Source::default()
    };
    let checker = (ROW.open)(&settings).map_err(|error| error.to_string())?;
    let mut found = None;
    let sources = std::slice::from_ref(&source);
    let ended = checker.check(sources, &mut |_, checked| {
        found = Some(checked);
        ControlFlow::Break(())
    });
    ended.map_err(|error| error.to_string())?;
    let mut checked = found.ok_or("nothing was checked")?;
    checked.keep_above(least);
    checked.drop_ignored(&source.text);
    Ok(read(checked, begun))
}

fn read(checked: Checked, begun: Instant) -> Answer {
    let shown = |findings: Vec<Finding>| {
        let findings = findings.into_iter().map(|finding| Shown {
            sentence: finding.sentence(),
            finding,
        });
        findings.collect()
    };
    let left = checked.left.into_iter();
    let left = left.map(|text| Note { line: None, text });
    let elsewhere = checked.elsewhere.into_iter().map(|other| Other {
        path: other.path,
        findings: shown(other.findings),
    });
    Answer {
        elsewhere: elsewhere.collect(),
        findings: shown(checked.findings),
        error_probability: checked.error,
        end: checked.end,
        notes: checked.notes.into_iter().chain(left).collect(),
        milliseconds: begun.elapsed().as_secs_f64() * 1000.0,
    }
}
