//! Walks the control flow over a symbol table. A network, or a language model on a server, answers one
//! operation at a time. Nothing is executed.

mod endpoint;
pub mod given;
mod guesses;
mod kept;
mod network;
pub mod spelled;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use candle_core::{DType, Device};
use codexec_data::sandbox::Injected;
use codexec_data::syntax::SyntaxError;
use codexec_data::trace::origins::mark_injected;
use codexec_data::trace::{Outcome, Program, SourceFile, Trace};
use codexec_plan::machine::{self, FoldLevel};
use codexec_plan::oracles::{Nobody, Oracle, OracleError};
use codexec_plan::scheduler::{Planned, plan_each};
use codexec_plan::stand_in::{Decision, GoesOn, Guesses, MadeUp, places};

pub use network::Network;

use endpoint::Endpoint;
use given::{Edited, Given, is_given, without_marks};
use guesses::Predicted;
use kept::{Answers, Kept};

use super::imports::Imports;
use super::{
    Answer, Answered, Decided, Done, Engine, EngineError, Engines, Need, Question, Row, Settings,
    Stopped, Unanswered,
};
use codexec_model::error::{Error, Result};
use codexec_model::{Checkpoint, Writes, embedded};
use codexec_unknown::llm::{Client, ServerOptions};

/// Its row.
pub const ROW: Row = Row {
    name: "plan",
    about: "The control flow is walked and operations are computed, or a network answers them; nothing is executed",
    needs: &[
        Need::Model,
        Need::Network,
        Need::Plan,
        Need::Modules,
        Need::Beam,
        Need::Server,
        Need::Answers,
        Need::Time,
    ],
    executes: false,
    by: codexec_data::trace::Engine::Predict,
    imports_installed: false,
    open,
};

/// Programs that are planned side by side before the first of them is handed on.
const GROUP: usize = 512;

/// The oracle.
enum Source {
    /// Nobody: an uncomputed operation ends the trace.
    Nobody,
    /// A checkpoint, and the file of its stored answers.
    Checkpoint(Arc<Checkpoint>, Option<Answers>),
    /// A language model on a server, whose client stores replies.
    Server(Box<Client>),
}

/// Plans programs.
struct Plan {
    source: Arc<Source>,
    settings: machine::Settings,
    /// The part shared by programs with unknown surroundings.
    open_starts: Option<Arc<machine::Starts>>,
    together: bool,
    /// Given values that replace injected ones.
    given: Arc<[Given]>,
}

/// The embedded checkpoint in step form, or the named one.
///
/// # Errors
/// Names the file, the cause and what to do.
pub fn checkpoint(name: Option<&str>) -> Result<Checkpoint> {
    let device = Device::Cpu;
    let Some(name) = name else {
        return embedded::load_steps(&device);
    };
    let checkpoint = Checkpoint::open(name, &device, DType::F32)?;
    match checkpoint.config.codexec.writes {
        Writes::Answers => Ok(checkpoint),
        Writes::Traces => Err(Error::Config {
            file: checkpoint.name,
            cause: "this checkpoint writes whole traces: add --whole".to_owned(),
        }),
        Writes::Vectors => Err(Error::vectors_alone(checkpoint.name)),
    }
}

/// The answers about missing values: given ones, and the guided execution's predictions for the rest.
pub fn guesses(given: &Arc<[Given]>) -> Arc<dyn Guesses> {
    match given.is_empty() {
        true => Arc::new(Predicted),
        false => Arc::new(Edited(Arc::clone(given))),
    }
}

fn open(settings: &Settings) -> std::result::Result<Engines, EngineError> {
    let source = Arc::new(match &settings.server {
        Some(server) => Source::Server(Box::new(Client::new(ServerOptions {
            json: true,
            answers: settings.answers.clone(),
            ..server.clone()
        })?)),
        // An unused network is not loaded, since loading takes longer than planning.
        None if settings.fold.methods()
            && settings.model.is_none()
            && settings.answers.is_none() =>
        {
            Source::Nobody
        }
        None => {
            let mut checkpoint = checkpoint(settings.model.as_deref())?;
            let answers = settings.answers.as_deref();
            let answers = answers
                .map(|file| Answers::open(file, &checkpoint, settings.quantised))
                .transpose()?;
            if settings.quantised {
                checkpoint = checkpoint.quantised()?;
            }
            Source::Checkpoint(Arc::new(checkpoint), answers)
        }
    });
    let goes_on = settings.inject || settings.goes_on && matches!(*source, Source::Nobody);
    let starts = Arc::new(machine::Starts::new());
    let open_starts = Arc::new(machine::Starts::new());
    let given: Arc<[Given]> = settings.given.clone().into();
    let finder = settings.finder.clone();
    let finder = finder.unwrap_or_else(|| Arc::new(settings.packages.clone()));
    let engine = |worlds: &usize| -> Box<dyn Engine> {
        let usual = machine::Settings::default();
        Box::new(Plan {
            source: Arc::clone(&source),
            settings: machine::Settings {
                max_steps: settings.max_steps,
                max_text: settings.sandbox.limits.max_bytes,
                references: settings.sandbox.references,
                fold: settings.fold,
                min_probability: settings.min_confidence,
                worlds: *worlds,
                unknown: settings.unknown,
                goes_on: goes_on.then(|| GoesOn {
                    names: settings.inject,
                    guesses: guesses(&given),
                }),
                max_cpu: settings.plan_time.unwrap_or(usual.max_cpu),
                finder: Some(Arc::clone(&finder)),
                recorded: match settings.places_only {
                    true => machine::Recorded::Raises,
                    false => machine::Recorded::Steps,
                },
                starts: settings.places_only.then(|| Arc::clone(&starts)),
                ..usual
            },
            open_starts: settings.places_only.then(|| Arc::clone(&open_starts)),
            together: settings.together,
            given: Arc::clone(&given),
        })
    };
    Ok(match settings.widths.as_slice() {
        [] => vec![engine(&1)],
        widths => widths.iter().map(engine).collect(),
    })
}

impl Plan {
    fn name(&self) -> String {
        let fold = match self.settings.fold {
            FoldLevel::Methods => "",
            FoldLevel::Operators => ", operators folded",
            FoldLevel::Nothing => ", without folding",
        };
        let name = match &*self.source {
            Source::Nobody => return "plan".to_owned(),
            Source::Checkpoint(checkpoint, _) => checkpoint.name.clone(),
            Source::Server(client) => client.name(),
        };
        let worlds = match self.settings.worlds {
            1 => String::new(),
            worlds => format!(", {worlds} worlds"),
        };
        format!("plan: {name}{fold}{worlds}")
    }

    /// Oracles.
    fn oracle(&self) -> Result<Box<dyn Oracle + '_>> {
        Ok(match &*self.source {
            Source::Nobody => Box::new(Nobody),
            Source::Checkpoint(checkpoint, None) => Box::new(Network::new(checkpoint)?),
            Source::Checkpoint(checkpoint, Some(answers)) => {
                Box::new(Kept::new(Network::new(checkpoint)?, answers))
            }
            Source::Server(client) => Box::new(Endpoint::new(client)),
        })
    }
}

impl Engine for Plan {
    fn heading(&self) -> String {
        self.name()
    }

    fn label(&self, _question: &Question<'_>) -> String {
        self.name()
    }

    fn identity(&self) -> std::result::Result<String, EngineError> {
        let weights = match &*self.source {
            Source::Nobody => String::new(),
            Source::Checkpoint(checkpoint, _) => checkpoint.fingerprint()?,
            Source::Server(client) => client.name(),
        };
        let (name, settings) = (self.name(), &self.settings);
        Ok(format!("{name} {weights} {settings:?}"))
    }

    fn answer(
        &self,
        question: &Question<'_>,
        done: &mut Done<'_>,
    ) -> std::result::Result<(), EngineError> {
        if question.lacks_imports {
            return self.with_imports(question.programs, done);
        }
        let open;
        let settings = match (question.open_world, question.either_way) {
            (false, false) => &self.settings,
            (open_world, either_way) => {
                open = machine::Settings {
                    open_world,
                    either_way,
                    // Two worlds tell whether there is another end.
                    worlds: if either_way { 2 } else { self.settings.worlds },
                    starts: self.open_starts.clone().filter(|_| !either_way),
                    ..self.settings.clone()
                };
                &open
            }
        };
        let group = if self.together {
            question.programs.len().max(1)
        } else {
            GROUP
        };
        for programs in question.programs.chunks(group) {
            let mut oracle = self.oracle()?;
            let mut waiting: BTreeMap<usize, Planned> = BTreeMap::new();
            let (mut next, mut enough) = (0, false);
            let found = |number: usize, planned: Planned| {
                waiting.insert(number, planned);
                while let Some(mut planned) = waiting.remove(&next) {
                    name_entry(&mut planned.trace, &programs[next]);
                    if done(&programs[next], read(planned, &self.given)).is_break() {
                        enough = true;
                        return ControlFlow::Break(());
                    }
                    next += 1;
                }
                ControlFlow::Continue(())
            };
            plan_each(programs, settings, oracle.as_mut(), found).map_err(failure)?;
            if enough {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl Plan {
    /// Plans programs behind the imports that they turn out to lack.
    fn with_imports(
        &self,
        programs: &[Program],
        done: &mut Done<'_>,
    ) -> std::result::Result<(), EngineError> {
        let mut imports: Vec<Imports> = programs.iter().map(|_| Imports::default()).collect();
        let mut ready: Vec<Option<Planned>> = programs.iter().map(|_| None).collect();
        let mut open: Vec<usize> = (0..programs.len()).collect();
        while !open.is_empty() {
            let asked: Vec<Program> = open
                .iter()
                .map(|&at| imports[at].before(&programs[at]))
                .collect();
            let mut oracle = self.oracle()?;
            let mut again = Vec::new();
            plan_each(
                &asked,
                &self.settings,
                oracle.as_mut(),
                |number, planned| {
                    let at = open[number];
                    if imports[at].lacks_another(&planned.trace) {
                        again.push(at);
                    } else {
                        ready[at] = Some(planned);
                    }
                    ControlFlow::Continue(())
                },
            )
            .map_err(failure)?;
            again.sort_unstable();
            open = again;
        }
        for ((program, imports), planned) in programs
            .iter()
            .zip(&imports)
            .zip(ready.into_iter().flatten())
        {
            let planned = Planned {
                trace: imports.without(planned.trace, program),
                ..planned
            };
            if done(program, read(planned, &self.given)).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// The entry's file has its path below the root, like the others.
fn name_entry(trace: &mut Trace, program: &Program) {
    let (Some(file), Some(root)) = (trace.files.first_mut(), &program.root) else {
        return;
    };
    if let Some(path) = program
        .file()
        .as_deref()
        .and_then(|p| p.strip_prefix(root).ok())
    {
        file.path = path.display().to_string();
    }
}

fn read(planned: Planned, given: &[Given]) -> Answer {
    let Planned {
        mut trace,
        unsupported,
        unknown,
        assumed,
        made_up,
        decisions,
        probability,
        others,
        counts,
    } = planned;
    if !made_up.is_empty() {
        mark_injected(&mut trace, &places(&made_up, &decisions));
    }
    let files = &trace.files;
    let injected = made_up
        .into_iter()
        .map(|one| injected(one, files))
        .collect();
    let files = &trace.files;
    let decisions = decisions.into_iter();
    let decisions = decisions.filter(|one| !is_given(&one.what, given));
    let decisions = decisions.map(|one| decided(one, files)).collect();
    if trace.steps.is_empty() {
        // For anything uncertain.
        trace.confidence = None;
    }
    if let Outcome::SyntaxError {
        line,
        column,
        message,
    } = trace.outcome
    {
        return Err(Unanswered::Syntax(SyntaxError {
            line,
            column,
            message,
        }));
    }
    Ok(Answered {
        trace,
        score: Some(probability.ln() as f32),
        cut_at: None,
        stopped: unsupported.map(stopped),
        unknown: unknown.into_iter().map(stopped).collect(),
        assumed,
        injected,
        decisions,
        others: others
            .into_iter()
            .filter(|one| {
                // Given values have no alternatives.
                let mut others = one.decisions.iter().filter(|one| one.other);
                !others.any(|one| is_given(&one.what, given))
            })
            .filter_map(|one| read(one, given).ok())
            .collect(),
        questions: Some(counts.asked),
    })
}

/// An injected value, as reported by guided execution.
fn injected(made_up: MadeUp, files: &[SourceFile]) -> Injected {
    Injected {
        line: made_up.line,
        kind: made_up.used.as_str().to_owned(),
        name: made_up.name,
        text: made_up.text,
        class: made_up.class.to_owned(),
        sure: made_up.sure,
        file: path_of(made_up.file, files),
    }
}

/// An assumption, in words.
fn decided(decision: Decision, files: &[SourceFile]) -> Decided {
    Decided {
        line: decision.line,
        file: path_of(decision.file, files),
        what: without_marks(&decision.what),
        taken: decision.taken.to_string(),
        sure: decision.sure,
        other: decision.other,
    }
}

/// The path of a file, unless it is the program itself.
fn path_of(file: u32, files: &[SourceFile]) -> Option<String> {
    let file = files.get(file as usize).filter(|_| file > 0);
    file.map(|file| file.path.clone())
}

fn stopped(at: machine::Unsupported) -> Stopped {
    Stopped {
        line: Some(at.line),
        file: at.file,
        why: at.what,
        skipped: at.skipped,
    }
}

fn failure(error: OracleError) -> EngineError {
    match error {
        OracleError::Sandbox(error) => error.into(),
        OracleError::Other(error) => match error.downcast::<Error>() {
            Ok(error) => (*error).into(),
            Err(error) => Error::Oracle(error.to_string()).into(),
        },
    }
}
