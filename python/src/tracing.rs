//! Traces of programs by an engine. Engines are cached between calls: opening one may start a sandbox or load a
//! network.

use std::ops::ControlFlow;
use std::sync::Arc;

use codexec::engine::{Engines, Question, Row, Settings};
use codexec_data::trace::Program;
use pyo3::prelude::*;

use crate::cache::Cache;
use crate::errors::raised;
use crate::request::{Asked, Options};
use crate::trace::Trace;
use crate::waiting::wait;

/// The open engines.
static OPEN: Cache<Engines> = Cache::new();

/// The engine of these settings.
pub(crate) fn open(row: &Row, settings: &Settings) -> Result<Arc<Engines>, codexec::Failure> {
    let key = format!("{} {settings:?}", row.name);
    OPEN.get(key, || Ok((row.open)(settings)?))
}

/// The traces of programs, in their order.
#[pyfunction]
pub(crate) fn trace_programs(
    py: Python<'_>,
    programs: Vec<Asked>,
    options: Options,
) -> PyResult<Vec<Trace>> {
    let row = options.row()?;
    let settings = Settings {
        goes_on: true,
        ..options.settings(programs.len())?
    };
    let programs: Vec<Program> = programs.into_iter().map(Program::from).collect();
    let answers = wait(py, options.workers(), move |given| {
        let engines = open(row, &settings)?;
        let mut answers = Vec::with_capacity(programs.len());
        if let Some(engine) = engines.first() {
            engine.answer(&Question::of(&programs), &mut |program, answer| {
                answers.push(answer.unwrap_or_else(|why| why.trace(row, program)));
                match given.up() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })?;
        }
        Ok::<_, codexec::Failure>(answers)
    })?;
    let traces = answers.map_err(raised)?.into_iter();
    Ok(traces.map(|answer| Trace::of(answer, row.name)).collect())
}
