//! Everything but traces. Answers are JSON strings, which the package turns into objects.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use codexec::check::{CHECKERS, Checked, Settings as CheckSettings, Source};
use codexec::cli::view::{ViewStyle, render_comparison};
use codexec::engine::Answered;
use codexec::engine::outputs::{Teller, Told};
use codexec::engine::project::Place;
use codexec::eval::{Matching, first_divergence_by};
use codexec::prefix::generators::Rules;
use codexec::prefix::{PrefixOptions, find};
use codexec::rerank::Test;
use codexec::search::{Embedder, IndexFile, NoVector, Query};
use codexec::values::predictors::standard;
use codexec_data::sandbox::{Limits, Pool};
use codexec_data::sources::normalise_newlines;
use codexec_data::trace::Program;
use codexec_mutate::{Config, Mutator};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::cache::Cache;
use crate::errors::{EngineError, raised, unexpected};
use crate::request::{Asked, Options};
use crate::trace::Trace;
use crate::waiting::wait;

/// Limits of guided runs, as the command line has them.
fn guided_limits() -> Limits {
    Limits {
        max_steps: 10_000,
        max_bytes: 8 << 20,
        wall: Duration::from_secs(5),
        cpu: Duration::from_secs(5),
        ..Limits::default()
    }
}

static POOLS: Cache<Pool> = Cache::new();

/// The sandbox of these options.
fn pool(options: &Options, programs: usize) -> Result<Arc<Pool>, codexec::Failure> {
    let config = options.sandbox(programs, guided_limits())?;
    POOLS.get(format!("{config:?}"), || Ok(Pool::new(config)?))
}

fn text(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| unexpected(&error))
}

/// A file to check.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct File {
    path: String,
    source: String,
    stdin: Option<String>,
    description: Option<String>,
    /// Its project. `None` if it stands alone.
    file: Option<PathBuf>,
    root: Option<PathBuf>,
}

impl From<File> for Source {
    fn from(file: File) -> Self {
        let root = file.root.as_deref();
        let place = file.file.as_deref().map(|at| Place::of(at, root, false));
        Self {
            path: file.path,
            text: normalise_newlines(file.source),
            stdin: file.stdin,
            description: file.description,
            project: place.and_then(Result::ok),
        }
    }
}

/// A checker's findings for files, in order.
#[pyfunction]
pub(crate) fn check(
    py: Python<'_>,
    files: Vec<File>,
    engine: String,
    min_probability: f64,
    seed: u64,
    options: Options,
) -> PyResult<String> {
    let row = CHECKERS.iter().find(|row| row.name == engine);
    let row =
        row.ok_or_else(|| PyValueError::new_err(format!("no checker is called {engine:?}")))?;
    let usual = CheckSettings::default();
    let found = options.settings(files.len())?;
    let settings = CheckSettings {
        min_probability,
        seed,
        workers: options.workers(),
        engine: codexec::engine::Settings {
            packages: found.packages,
            model: found.model,
            max_steps: options
                .max_steps()
                .map_or(usual.engine.max_steps, |most| most as usize),
            plan_time: found.plan_time,
            ..usual.engine
        },
        ..usual
    };
    let sources: Vec<Source> = files.into_iter().map(Source::from).collect();
    let answer = wait(py, options.workers(), move |given| {
        let checker = (row.open)(&settings)?;
        let mut answers = vec![None; sources.len()];
        checker.check(&sources, &mut |number, mut checked| {
            checked.keep_above(min_probability);
            if let Some(answer) = answers.get_mut(number) {
                *answer = Some(checked);
            }
            match given.up() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        Ok::<_, codexec::Failure>(answers)
    })?;
    let answers = answer.map_err(raised)?;
    // A program's finding in an imported file also counts as its own.
    let one = |checked: &Option<Checked>| {
        let checked = checked.as_ref()?;
        let elsewhere = checked.elsewhere.iter();
        let elsewhere = elsewhere.map(|e| json!({ "path": e.path, "findings": e.findings }));
        let elsewhere: Vec<_> = elsewhere.collect();
        Some(json!({ "own": checked, "elsewhere": elsewhere }))
    };
    text(&answers.iter().map(one).collect::<Vec<_>>())
}

/// A guided run: its trace, and the injected values.
#[pyfunction]
pub(crate) fn guide(py: Python<'_>, program: Asked, options: Options) -> PyResult<(Trace, String)> {
    let program = Program::from(program);
    let guided = wait(py, 1, move |_| {
        let pool = pool(&options, 1)?;
        let predictor = standard();
        let guided = codexec::guide::guide(&pool, &program, predictor.as_ref(), &options.guide())?;
        Ok::<_, codexec::Failure>(guided)
    })?;
    let guided = guided.map_err(raised)?;
    let rest = json!({
        "coverage": guided.coverage,
        "covered": guided.covered,
        "lines": guided.lines,
        "injected": guided.injected,
        "returned": guided.returned,
    });
    let trace = Trace::of(Answered::certain(guided.trace), "guide");
    Ok((trace, text(&rest)?))
}

/// Code to put in front of a program.
#[pyfunction]
pub(crate) fn prefix(py: Python<'_>, program: Asked, options: Options) -> PyResult<String> {
    let program = Program::from(program);
    let found = wait(py, 0, move |_| {
        let pool = pool(&options, options.workers())?;
        let found = find(
            &pool,
            &program,
            &Rules::default(),
            &PrefixOptions::default(),
        )?;
        Ok::<_, codexec::Failure>(found)
    })?;
    text(&found.map_err(raised)?)
}

/// Whether two versions differ.
#[pyfunction]
pub(crate) fn diff(py: Python<'_>, old: Asked, new: Asked, options: Options) -> PyResult<String> {
    let (old, new) = (Program::from(old), Program::from(new));
    let compared = wait(py, 0, move |_| {
        let pool = pool(&options, 2)?;
        let predictor = standard();
        let compared =
            codexec::guide::compare(&pool, &old, &new, predictor.as_ref(), &options.guide())?;
        Ok::<_, codexec::Failure>(compared)
    })?;
    let compared = compared.map_err(raised)?;
    text(&json!({ "difference": compared.difference, "worlds": compared.worlds }))
}

/// A test of samples: a standard input, or a call; and the expected result.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted {
    input: Option<String>,
    call: Option<String>,
    expected: Option<String>,
}

impl From<Wanted> for Test {
    fn from(wanted: Wanted) -> Self {
        match wanted.call {
            Some(call) => Self::Call {
                call,
                expected: wanted.expected,
            },
            None => Self::Input {
                stdin: wanted.input.unwrap_or_default(),
                expected: wanted.expected,
            },
        }
    }
}

/// Samples from the best on.
#[pyfunction]
pub(crate) fn rerank(
    py: Python<'_>,
    samples: Vec<String>,
    tests: Vec<Wanted>,
    options: Options,
) -> PyResult<String> {
    let settings = options.settings(samples.len())?;
    let tests = tests.into_iter().map(Test::from);
    let request = tests.fold(codexec::rerank(samples), codexec::RerankRequest::test);
    let request = request.engine(options.row()?, settings);
    let order = wait(py, options.workers(), move |_| request.order())?;
    text(&order.map_err(raised)?)
}

/// The programs of an index that are most like another.
#[pyfunction]
pub(crate) fn search(
    py: Python<'_>,
    index: PathBuf,
    program: Asked,
    top: usize,
    options: Options,
) -> PyResult<String> {
    let settings = options.settings(1)?;
    let row = options.row()?;
    let model = settings.model.clone();
    let program = Program::from(program);
    let found = wait(py, options.workers(), move |_| {
        let file = IndexFile::open(&index)?;
        let embedder = Embedder::open(model.as_deref())?;
        if file.head().digest != embedder.digest()? {
            anyhow::bail!(
                "{}: its vectors were made by {}; name that encoder with model=, or make the index again",
                index.display(),
                file.head().model
            );
        }
        let source = program.source.clone().unwrap_or_default();
        let vector = embedder.embed(&[&source], &|_| {})?.remove(0);
        let vector = vector.map_err(|NoVector(error)| {
            anyhow::anyhow!("{}:{}: {}", program.id, error.line, error.message)
        })?;
        let index = file.read()?;
        let engines = (row.open)(&settings)?;
        let engine = engines.first().context("no engine")?;
        let teller = Teller::new(row, engine.as_ref(), None)?;
        let told = match index.outputs.as_str() {
            "none" => None,
            _ => teller.tell(std::slice::from_ref(&program), &|_| {})?.pop(),
        };
        let output = told.as_ref().and_then(Told::text);
        let query = Query {
            vector: &vector,
            output: output.filter(|output| !output.trim().is_empty()),
        };
        let hits = index.nearest(&query, top).into_iter().map(|hit| {
            let entry = &index.entries[hit.entry];
            json!({ "id": entry.id, "code": entry.code, "score": hit.score, "cosine": hit.cosine,
                    "output": entry.output, "output_similarity": hit.output })
        });
        Ok(hits.collect::<Vec<_>>())
    })?;
    text(&found.map_err(|error| EngineError::new_err(format!("{error:#}")))?)
}

/// Mutants of a program.
#[pyfunction]
pub(crate) fn mutants(py: Python<'_>, source: String, count: usize, seed: u64) -> PyResult<String> {
    let made = wait(py, 1, move |given| {
        let mutator = Mutator::new(Config::default());
        let mutants = mutator.mutants(&source, seed)?;
        let mutants = mutants.take(count).take_while(|_| !given.up());
        Ok::<_, codexec_mutate::MutateError>(mutants.collect::<Vec<_>>())
    })?;
    let made = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let one = |mutant: &codexec_mutate::Mutant| {
        let edits = mutant.edits.iter().map(|edit| {
            json!({ "operator": edit.operator, "site": edit.site, "seed": edit.seed,
                    "range": [edit.range.start, edit.range.end] })
        });
        json!({ "text": mutant.text, "edits": edits.collect::<Vec<_>>() })
    };
    text(&made.iter().map(one).collect::<Vec<_>>())
}

/// The first difference of two traces, and both side by side as text.
#[pyfunction]
pub(crate) fn compare(
    predicted: &Trace,
    actual: &Trace,
    width: usize,
) -> PyResult<(String, String)> {
    let (predicted, actual) = (predicted.trace(), actual.trace());
    let difference = first_divergence_by(predicted, actual, Matching::Canonical);
    let source = actual.program.source.as_deref().unwrap_or("");
    let style = ViewStyle {
        width,
        ..ViewStyle::default()
    };
    Ok((
        text(&difference)?,
        render_comparison(predicted, actual, source, &style),
    ))
}
