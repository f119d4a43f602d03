//! Coverage of guided execution on programs with missing values, and its accuracy on the line order
//! and errors of ORCA's incomplete programs.
//!
//! Coverage is that of `codexec_unknown::guide`. [`super::values`] measures how realistic injected
//! values are. Runs programs only through it.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use codexec_data::records::Standing;
use codexec_data::sandbox::Pool;
use codexec_data::trace::{Event, Outcome, Program, Trace};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use codexec_unknown::analysis::ParseError;
use codexec_unknown::guide::{Coverage, GuideError, GuideOptions, guide};
use codexec_unknown::values::Predictor;

/// Errors in evaluation files.
#[derive(Debug, thiserror::Error)]
pub enum GuideEvalError {
    /// A file cannot be read.
    #[error("{path}: {why}; name a JSON Lines file, plain, .gz or .zst")]
    File {
        /// The file.
        path: String,
        /// Why not.
        why: String,
    },
    /// An invalid record.
    #[error("{path}: line {line}: {why}")]
    Record {
        /// The file.
        path: String,
        /// Its line, 1-based.
        line: usize,
        /// The error.
        why: String,
    },
    /// Nothing to score.
    #[error("{path}: {what}")]
    Empty {
        /// The file.
        path: String,
        /// What is missing, and what to do.
        what: &'static str,
    },
    /// A program could not be guided.
    #[error(transparent)]
    Guide(#[from] GuideError),
}

/// A program of a set.
#[derive(Debug, Clone, Deserialize)]
pub struct SnippetRecord {
    /// Its name in the set.
    pub id: String,
    /// Its text.
    pub code: String,
    #[serde(flatten)]
    standing: Standing,
    /// The program that it is about.
    #[serde(skip)]
    pub program: Program,
}

/// Reads the programs of a set, one JSON object per line.
///
/// # Errors
/// The errors of [`read_lines`], and a missing root of a program.
pub fn read_snippets(path: &Path) -> Result<Vec<SnippetRecord>, GuideEvalError> {
    let mut snippets: Vec<SnippetRecord> = read_lines(path)?;
    for (k, one) in snippets.iter_mut().enumerate() {
        one.program.id.clone_from(&one.id);
        one.program.source = Some(one.code.clone());
        let stood = one.standing.equip(&mut one.program, path);
        stood.map_err(|why| GuideEvalError::Record {
            path: path.display().to_string(),
            line: k + 1,
            why,
        })?;
    }
    Ok(snippets)
}

/// Coverage of a set of programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageScores {
    /// Programs in the set; those that do not compile count as not executed.
    pub programs: usize,
    /// Mean share of lines that were executed.
    pub covered: f64,
    /// Share of programs all of whose lines were executed.
    pub full: f64,
    /// Milliseconds per line, rewriting and running, on one worker.
    pub millis_a_line: f64,
}

/// Results for programs with known line order and errors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OrderScores {
    /// Programs.
    pub programs: usize,
    /// Share whose lines run in exactly the true order.
    pub exact: f64,
    /// Share for which it is right whether an error ends them.
    pub detected: f64,
    /// Share of programs with an error whose error is found, and on its line.
    pub error_line: f64,
}

/// Reads a text file, decompressed from gzip or Zstandard if necessary, without a byte order mark.
///
/// # Errors
/// If it cannot be read.
pub fn read_text(path: &Path) -> Result<String, GuideEvalError> {
    let wrong = |why: std::io::Error| GuideEvalError::File {
        path: path.display().to_string(),
        why: why.to_string(),
    };
    let mut text = String::new();
    let mut file = codexec_data::files::open_packed(path).map_err(wrong)?;
    file.read_to_string(&mut text).map_err(wrong)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// Reads records, one JSON object per line.
///
/// # Errors
/// If the file cannot be read, a line is not such a record, or there is none.
pub fn read_lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, GuideEvalError> {
    let text = read_text(path)?;
    let lines = text.lines().enumerate();
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty()).peekable();
    if lines.peek().is_none() {
        return Err(empty(path, "it has no record; give one JSON object a line"));
    }
    lines
        .map(|(k, line)| {
            serde_json::from_str(line).map_err(|e| GuideEvalError::Record {
                path: path.display().to_string(),
                line: k + 1,
                why: e.to_string(),
            })
        })
        .collect()
}

/// The error of a file with nothing to score.
pub fn empty(path: &Path, what: &'static str) -> GuideEvalError {
    GuideEvalError::Empty {
        path: path.display().to_string(),
        what,
    }
}

/// Runs all programs of a set under a predictor.
///
/// # Errors
/// If programs cannot be run.
pub fn cover(
    pool: &Pool,
    snippets: &[SnippetRecord],
    predictor: &dyn Predictor,
    options: &GuideOptions,
) -> Result<CoverageScores, GuideEvalError> {
    let one = |snippet: &SnippetRecord| -> Result<(Coverage, Duration), GuideEvalError> {
        let begun = Instant::now();
        match guide(pool, &snippet.program, predictor, options) {
            Ok(guided) => Ok((guided.coverage, begun.elapsed())),
            Err(GuideError::Parse(ParseError::TooDeep)) => {
                let lines = snippet.code.lines().count();
                Ok((Coverage { covered: 0, lines }, begun.elapsed()))
            }
            Err(error) => Err(error.into()),
        }
    };
    let found: Result<Vec<_>, _> = snippets.par_iter().map(one).collect();
    let found = found?;
    let count = found.len().max(1) as f64;
    let lines: usize = found.iter().map(|(c, _)| c.lines).sum();
    let time: Duration = found.iter().map(|(_, time)| *time).sum();
    Ok(CoverageScores {
        programs: found.len(),
        covered: found.iter().map(|(c, _)| c.share()).sum::<f64>() / count,
        full: found.iter().filter(|(c, _)| c.is_full()).count() as f64 / count,
        millis_a_line: 1000.0 * time.as_secs_f64() / lines.max(1) as f64,
    })
}

/// A program of ORCA's incomplete set.
#[derive(Debug, Clone, Deserialize)]
pub struct OrderedProgram {
    /// Its text.
    pub code: String,
    /// Its lines as they run.
    pub ground_truth_execution_order: Vec<u32>,
    /// The error that ends it.
    #[serde(default)]
    pub exception_info: Option<serde_json::Value>,
}

/// Reads ORCA's file: an object of programs by name.
///
/// # Errors
/// If it cannot be read or is something else.
pub fn read_ordered(path: &Path) -> Result<Vec<(String, OrderedProgram)>, GuideEvalError> {
    let found: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&read_text(path)?)
        .map_err(|e| GuideEvalError::File {
            path: path.display().to_string(),
            why: e.to_string(),
        })?;
    let one = |(name, value): (String, serde_json::Value)| match serde_json::from_value(value) {
        Ok(program) => Ok((name, program)),
        Err(e) => Err(GuideEvalError::File {
            path: path.display().to_string(),
            why: format!("{name}: {e}"),
        }),
    };
    if found.is_empty() {
        return Err(empty(
            path,
            "it has no program; give an object of programs by name",
        ));
    }
    found.into_iter().map(one).collect()
}

/// Runs programs with a known line order.
///
/// # Errors
/// If programs cannot be run.
pub fn order(
    pool: &Pool,
    programs: &[(String, OrderedProgram)],
    predictor: &dyn Predictor,
    options: &GuideOptions,
) -> Result<OrderScores, GuideEvalError> {
    let one = |(id, program): &(String, OrderedProgram)| -> Result<_, GuideEvalError> {
        let asked = Program {
            id: id.clone(),
            source: Some(program.code.clone()),
            stdin: None,
            ..Program::default()
        };
        let guided = guide(pool, &asked, predictor, options)?;
        Ok(judge(&guided.trace, program))
    };
    let found: Result<Vec<Judged>, _> = programs.par_iter().map(one).collect();
    let found = found?;
    let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
    let faulty = programs.iter().filter(|(_, p)| p.is_faulty()).count();
    Ok(OrderScores {
        programs: found.len(),
        exact: share(found.iter().filter(|j| j.exact).count(), found.len()),
        detected: share(found.iter().filter(|j| j.detected).count(), found.len()),
        error_line: share(found.iter().filter(|j| j.error_line).count(), faulty),
    })
}

struct Judged {
    exact: bool,
    detected: bool,
    error_line: bool,
}

impl OrderedProgram {
    fn is_faulty(&self) -> bool {
        !matches!(self.exception_info, None | Some(serde_json::Value::Null))
    }
}

fn judge(trace: &Trace, truth: &OrderedProgram) -> Judged {
    let lines = trace.steps.iter().filter(|s| s.event == Event::Line);
    let lines: Vec<u32> = lines.map(|s| s.line).collect();
    let raised = match trace.outcome {
        Outcome::Raised { line, .. } => Some(line),
        _ => None,
    };
    Judged {
        exact: lines == truth.ground_truth_execution_order,
        detected: raised.is_some() == truth.is_faulty(),
        error_line: truth.is_faulty()
            && raised.is_some()
            && raised == truth.ground_truth_execution_order.last().copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codexec_data::trace::{Engine, State, Step};

    #[test]
    fn an_error_counts_on_its_line_only() {
        let step = |line| Step {
            line,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state: State::new(),
            output: String::new(),
            value: None,
            confidence: None,
        };
        let mut trace = Trace::new(Engine::Guide, Program::default());
        trace.steps = vec![step(1), step(2)];
        let truth = OrderedProgram {
            code: String::new(),
            ground_truth_execution_order: vec![1, 2],
            exception_info: Some(serde_json::json!({"class": "TypeError"})),
        };
        let found = judge(&trace, &truth);
        assert!(found.exact && !found.detected && !found.error_line);
        trace.outcome = Outcome::Raised {
            file: 0,
            exception: "TypeError".into(),
            message: String::new(),
            line: 2,
            step: None,
        };
        let found = judge(&trace, &truth);
        assert!(found.exact && found.detected && found.error_line);
    }
}
