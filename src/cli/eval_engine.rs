//! The engines that `codexec eval` asks, several programs at a time on all cores.

use std::path::PathBuf;

use codexec_data::sandbox::{Packages, Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program, Trace};
use rayon::prelude::*;

use super::progress_bar;
use super::trace::load_model;
use crate::analysis::ParseError;
use crate::guide::{GuideError, GuideOptions, guide};
use crate::model::Checkpoint;
use crate::tasks::evaluation::Answers;
use crate::tasks::orca_evaluation::{missing_import, without_lines};
use crate::tasks::trace::{PredictOptions, Predicted, predict};
use crate::values::predictors::standard;

/// Programs between two movements of the progress bar.
const GROUP: usize = 64;

/// An engine, ready to answer.
pub(super) enum Answering {
    /// Predicts; nothing is executed.
    Network {
        /// The checkpoint.
        checkpoint: Box<Checkpoint>,
        /// Widths of the beam; it answers once with each.
        widths: Vec<usize>,
        /// How it is asked; the prefix is that of the kind of example.
        options: PredictOptions,
    },
    /// Runs.
    Sandbox(Pool),
    /// Runs, and makes up what is missing.
    Guided(Pool),
}

impl Answering {
    pub fn network(
        model: Option<&str>,
        quantised: bool,
        widths: Vec<usize>,
        options: PredictOptions,
    ) -> anyhow::Result<Self> {
        let mut checkpoint = load_model(model)?;
        if quantised {
            checkpoint = checkpoint.quantised()?;
        }
        Ok(Self::Network {
            checkpoint: Box::new(checkpoint),
            widths,
            options,
        })
    }

    pub fn sandbox(python: Option<PathBuf>, packages: Packages) -> anyhow::Result<Self> {
        Ok(Self::Sandbox(pool(python, packages)?))
    }

    pub fn guided(python: Option<PathBuf>, packages: Packages) -> anyhow::Result<Self> {
        Ok(Self::Guided(pool(python, packages)?))
    }

    /// What results are headed with.
    pub fn name(&self) -> String {
        match self {
            Self::Network { checkpoint, .. } => format!("predict: {}", checkpoint.name),
            Self::Sandbox(_) => "run: no prediction, a check of the data".to_owned(),
            Self::Guided(_) => "guide: run, with what is missing made up".to_owned(),
        }
    }

    /// Answers for programs, never none: one for each width of the beam, else one. `prefix` is the
    /// token that tells a network the task.
    pub fn answer(
        &self,
        programs: &[Program],
        prefix: &'static str,
    ) -> anyhow::Result<Vec<Answers>> {
        match self {
            Self::Network {
                checkpoint,
                widths,
                options,
            } => {
                let answer = |beam: &usize| {
                    let options = PredictOptions {
                        prefix,
                        beam: *beam,
                        ..*options
                    };
                    let found = predicted(checkpoint, programs, &options)?;
                    let name = match widths.len() {
                        1 => checkpoint.name.clone(),
                        _ => format!("{}, beam {beam}", checkpoint.name),
                    };
                    Ok(Answers::predicted(&name, found))
                };
                widths.iter().map(answer).collect()
            }
            Self::Sandbox(pool) => {
                // Records have the short form.
                let run = |program: &Program| Ok(pool.run(program)?.short());
                Ok(vec![Answers::run(each(programs, run)?, "")])
            }
            Self::Guided(pool) => {
                let predictor = standard();
                let options = GuideOptions::default();
                let run =
                    |program: &Program| match guide(pool, program, predictor.as_ref(), &options) {
                        Ok(guided) => Ok(Some(guided.trace.short())),
                        Err(GuideError::Parse(ParseError::TooDeep)) => Ok(None),
                        Err(error) => Err(error.into()),
                    };
                let traces = each(programs, run)?;
                Ok(vec![Answers::guided(traces, predictor.name())])
            }
        }
    }

    /// The same for ORCA's programs, which lack the imports they need: where running one raises a
    /// `NameError` of a known module's name, it is run again behind that import.
    pub fn answer_orca(&self, programs: &[Program]) -> anyhow::Result<Vec<Answers>> {
        match self {
            Self::Network { options, .. } => self.answer(programs, options.prefix),
            Self::Guided(_) => self.answer(programs, ""),
            Self::Sandbox(pool) => {
                let run = |program: &Program| run_with_imports(pool, program);
                let traces = each(programs, run)?;
                Ok(vec![Answers::run(traces, ", missing imports added")])
            }
        }
    }
}

fn pool(python: Option<PathBuf>, packages: Packages) -> anyhow::Result<Pool> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Pool::new(PoolConfig {
        python,
        packages,
        workers,
        ..PoolConfig::default()
    })?)
}

/// Predictions for all programs, in order.
fn predicted(
    checkpoint: &Checkpoint,
    programs: &[Program],
    options: &PredictOptions,
) -> anyhow::Result<Vec<Predicted>> {
    let bar = progress_bar(programs.len() as u64, "predicting");
    let mut all = Vec::with_capacity(programs.len());
    for group in programs.chunks(GROUP) {
        all.extend(predict(checkpoint, group, options)?);
        bar.inc(group.len() as u64);
    }
    bar.finish_and_clear();
    Ok(all)
}

/// Runs each program, several at a time.
fn each<T: Send>(
    programs: &[Program],
    run: impl Fn(&Program) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let bar = progress_bar(programs.len() as u64, "running");
    let traces = programs.par_iter().map(|program| {
        let trace = run(program);
        bar.inc(1);
        trace
    });
    let traces = traces.collect::<anyhow::Result<Vec<T>>>();
    bar.finish_and_clear();
    traces
}

/// Most imports added to one program.
const MOST_IMPORTS: usize = 6;

fn run_with_imports(pool: &Pool, program: &Program) -> anyhow::Result<Trace> {
    let mut imports: Vec<String> = Vec::new();
    loop {
        let source = program.source.as_deref().unwrap_or_default();
        let whole = imports.iter().map(|i| format!("{i}\n"));
        let source = whole.chain([source.to_owned()]).collect();
        let asked = Program {
            source: Some(source),
            ..program.clone()
        };
        let mut trace = pool.run(&asked)?;
        let import = undefined_name(&trace.outcome).and_then(missing_import);
        match import {
            Some(import) if imports.len() < MOST_IMPORTS && !imports.contains(&import) => {
                imports.push(import);
            }
            _ => {
                without_lines(&mut trace, u32::try_from(imports.len())?);
                trace.program = program.clone();
                return Ok(trace.short());
            }
        }
    }
}

/// The name of `name 'math' is not defined`.
fn undefined_name(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Raised {
            exception, message, ..
        } if exception == "NameError" => message.split('\'').nth(1),
        _ => None,
    }
}
