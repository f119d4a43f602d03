//! Checks by planned execution: walks the control flow and executes nothing.
//!
//! A program is planned with its given input. If it reads input and has none, it is planned with several that fit how
//! it reads. Functions that nothing calls are planned by a call after the program, with arguments injected as by
//! `codexec guide`.
//!
//! Modules outside the planner's table, such as packages, are unknown. Planning continues with their values until one
//! would decide something. Then the program is planned again with several branches: an error counts if every tried
//! branch ends in it.
//!
//! C modules that a program can do without are assumed missing (`accelerators`). A name missing from a package may be
//! one of its modules, so it is a note.
//!
//! | what is made up | what is not reported |
//! |---|---|
//! | the input | the end of the input, and text that is no number: the input is to blame |
//! | what surrounds the program: arguments of the command line, the environment, files | errors that are gone where nothing is known of it, and what the program then refuses itself (`world`) |
//! | arguments | what a `raise` or `assert` of the program refuses, errors outside of the function, those of objects without a class or of classes of libraries, and those that other types or values avoid (`other_types`, `other_values`) |
//!
//! Planning takes at most 20 seconds per program, and in total the time of the settings (`time`); anything unplanned
//! then is a note.
//!
//! The probability of a finding is the mean, over the inputs or arguments, of the planned traces that end so, each with
//! its own probability.

mod accelerators;
mod asked;
mod beside;
mod blanked;
mod calls;
mod elsewhere;
mod gather;
mod imports;
mod made;
mod other_types;
mod other_values;
mod state;
mod suppressions;
mod time;
mod words;
mod world;

use std::ops::ControlFlow;

use codexec_data::syntax::with_parsed;
use codexec_data::trace::Program;

use self::asked::{Asked, asked_of};
use self::gather::Gathered;
use self::time::{Clock, Turn};
use super::{Checked, Checker, Done, Row, Settings, Source};
use codexec_engine::in_order::{Stop, in_order};
use codexec_engine::{self as engine, Answer, Engine, EngineError, Question};
use codexec_unknown::values::Predictor;
use codexec_unknown::values::predictors::standard;
use web_time::Instant;

/// Its row.
pub const ROW: Row = Row {
    name: "plan",
    about: "The execution is planned, a network answers what cannot be computed; nothing is executed",
    open,
};

/// Maximum statements of a program skipped to reach a function after them.
const MOST_IN_THE_WAY: usize = 3;
/// Sources that are planned together.
const GROUP: usize = 16;

/// Plans programs and reads their outcomes.
struct Plan {
    engine: Box<dyn Engine>,
    predictor: Box<dyn Predictor>,
    settings: Settings,
    opened: Instant,
}

fn open(settings: &Settings) -> Result<Box<dyn Checker>, EngineError> {
    let mut engines = (engine::plan::ROW.open)(&engine::Settings {
        unknown: true,
        places_only: true,
        ..settings.engine.clone()
    })?;
    let engine = engines.remove(0);
    Ok(Box::new(Plan {
        engine,
        predictor: standard(),
        settings: settings.clone(),
        opened: Instant::now(),
    }))
}

impl Checker for Plan {
    fn heading(&self) -> String {
        self.engine.heading()
    }

    fn check(&self, sources: &[Source], done: &mut Done<'_>) -> Result<(), EngineError> {
        let workers = match self.settings.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        };
        let groups: Vec<&[Source]> = sources.chunks(self.together()).collect();
        let mut number = 0;
        let clock = Clock::of(self.opened, self.settings.time, self.settings.stop.clone());
        let work = |group: &&[Source]| self.group(group, &clock);
        let handed_on = |_: &&[Source], checked: Result<Vec<Checked>, EngineError>| {
            for checked in checked? {
                if done(number, checked).is_break() {
                    return Err(Stop::Enough);
                }
                number += 1;
            }
            Ok(())
        };
        let result = std::thread::scope(|scope| {
            if time::IS_WATCHED {
                scope.spawn(|| clock.watch());
            }
            let _finishes = Finishes(&clock);
            in_order(&groups, workers, work, handed_on)
        });
        Stop::ended(result)
    }
}

/// Ends the watching of a clock, also where checking panics.
struct Finishes<'c>(&'c Clock);

impl Drop for Finishes<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

impl Plan {
    /// Sources planned together, so that their questions to a network are batched. Without questions, each is passed
    /// on as soon as it is done.
    fn together(&self) -> usize {
        let engine = &self.settings.engine;
        let asks = !engine.fold.methods()
            || engine.model.is_some()
            || engine.answers.is_some()
            || engine.server.is_some();
        if asks { GROUP } else { 1 }
    }

    fn group(&self, sources: &[Source], clock: &Clock) -> Result<Vec<Checked>, EngineError> {
        let mut gathered: Vec<Gathered<'_>> = sources.iter().map(Gathered::of).collect();
        if let Some(why) = clock.is_up() {
            for one in &mut gathered {
                one.leave(format!("not checked: {why}"));
            }
            return Ok(gathered.into_iter().map(Gathered::checked).collect());
        }
        let turn = clock.turn();
        self.all_steps(sources, &mut gathered, &turn)?;
        if let Some(why) = turn.is_up() {
            for one in &mut gathered {
                one.leave(format!("not checked further: {why}"));
            }
        }
        Ok(gathered.into_iter().map(Gathered::checked).collect())
    }

    /// Plans sources with all injected values, until their time is up.
    fn all_steps(
        &self,
        sources: &[Source],
        gathered: &mut [Gathered<'_>],
        turn: &Turn<'_>,
    ) -> Result<(), EngineError> {
        let mut asked: Vec<(usize, Asked)> = Vec::new();
        for (at, source) in sources.iter().enumerate() {
            match with_parsed(&source.text, |_| ()) {
                Err(error) => gathered[at].refuse(&error),
                Ok(()) => {
                    let all = asked_of(source, &self.settings, self.predictor.as_ref());
                    asked.extend(all.into_iter().map(|one| (at, one)));
                }
            }
        }
        self.plan(&asked, &mut |at, one, answer| gathered[at].add(one, answer))?;
        self.open(gathered)?;
        for _ in 0..MOST_IN_THE_WAY {
            let programs = gathered.iter_mut().enumerate();
            let again: Vec<(usize, Asked)> = programs
                .flat_map(|(at, one)| {
                    let all = one.without_statements_in_the_way().into_iter();
                    all.map(move |one| (at, one))
                })
                .collect();
            if again.is_empty() || turn.is_up().is_some() {
                break;
            }
            self.plan(&again, &mut |at, one, answer| gathered[at].add(one, answer))?;
            self.open(gathered)?;
        }
        if turn.is_up().is_some() {
            return Ok(());
        }
        self.either_way(gathered)?;
        if turn.is_up().is_some() {
            return Ok(());
        }
        let calls = gathered.iter_mut().enumerate();
        let again: Vec<(usize, Asked)> = calls
            .flat_map(|(at, one)| one.with_others().into_iter().map(move |one| (at, one)))
            .collect();
        self.plan(&again, &mut |at, one, answer| {
            gathered[at].add_other(one, &answer);
        })
    }

    /// Plans programs that may end as they do because of what surrounds them, without that.
    fn open(&self, gathered: &mut [Gathered<'_>]) -> Result<(), EngineError> {
        let all = gathered.iter().enumerate();
        let asked: Vec<(usize, Asked)> = all
            .flat_map(|(at, one)| one.with_conditions().into_iter().map(move |one| (at, one)))
            .collect();
        let mut answers: Vec<Vec<Answer>> = gathered.iter().map(|_| Vec::new()).collect();
        let open = Question {
            open_world: true,
            ..Question::of(&[])
        };
        self.plan_in(open, &asked, &mut |at, _, answer| answers[at].push(answer))?;
        for (one, answers) in gathered.iter_mut().zip(answers) {
            one.without_conditions(answers);
        }
        Ok(())
    }

    /// Plans programs again, with several branches, if an unknown value ended planning.
    fn either_way(&self, gathered: &mut [Gathered<'_>]) -> Result<(), EngineError> {
        let programs = gathered.iter_mut().enumerate();
        let asked: Vec<(usize, Asked)> = programs
            .flat_map(|(at, one)| one.undecided().into_iter().map(move |one| (at, one)))
            .collect();
        let question = Question {
            open_world: true,
            either_way: true,
            ..Question::of(&[])
        };
        self.plan_in(question, &asked, &mut |at, one, answer| {
            gathered[at].add_either_way(one, answer);
        })
    }

    /// Plans programs and hands each answer on, with the number of the source.
    fn plan(
        &self,
        asked: &[(usize, Asked)],
        done: &mut dyn FnMut(usize, &Asked, Answer),
    ) -> Result<(), EngineError> {
        self.plan_in(Question::of(&[]), asked, done)
    }

    fn plan_in(
        &self,
        how: Question<'_>,
        asked: &[(usize, Asked)],
        done: &mut dyn FnMut(usize, &Asked, Answer),
    ) -> Result<(), EngineError> {
        let programs: Vec<Program> = asked.iter().map(|(_, one)| one.program.clone()).collect();
        let mut next = 0;
        let question = Question {
            lacks_imports: self.settings.lacks_imports,
            programs: &programs,
            ..how
        };
        self.engine.answer(&question, &mut |_, answer: Answer| {
            if let Some((at, one)) = asked.get(next) {
                done(*at, one, answer);
            }
            next += 1;
            ControlFlow::Continue(())
        })
    }
}
