//! Plans many programs concurrently: their questions are asked together, equal ones once.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use codexec_trace::{Outcome, Program, Trace};
use indexmap::IndexMap;
use rayon::prelude::*;

use codexec_vm::machine::{Assumed, Counts, Machine, Settings, Status, Unsupported};
use codexec_vm::stand_in::{Decision, Guesses, MadeUp, ProgramGuesses};
use codexec_vm::value::ObjectId;

use crate::answer;
use crate::ask;
use crate::oracles::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};

/// A planned program.
#[derive(Debug)]
pub struct Planned {
    /// Its trace, up to where planning went.
    pub trace: Trace,
    /// Why planning stopped early, if it did.
    pub unsupported: Option<Unsupported>,
    /// Unknown modules, if planning continued with their values.
    pub unknown: Vec<Unsupported>,
    /// Facts around the program that it looked at, and that are only assumed.
    pub assumed: Vec<Assumed>,
    /// Injected values, if planning continued with some.
    pub made_up: Vec<MadeUp>,
    /// Operations folded and asked.
    pub counts: Counts,
    /// Assumptions about injected values, in order.
    pub decisions: Vec<Decision>,
    /// Probability of the trace: the product of the confidences of all answers and decisions.
    pub probability: f64,
    /// Other worlds, with other decisions: first those whose last changed decision is changed in no earlier world, by
    /// probability. The first ones do not depend on the number requested.
    pub others: Vec<Planned>,
}

/// Programs planned concurrently.
const AT_ONCE: usize = 256;
/// Worlds planned per requested one, since some coincide.
const TRIES: usize = 8;
/// Worlds that are planned where unknown values decide: where the first one raises, and where it does not.
const TRIES_EITHER_WAY: (usize, usize) = (8, 3);
/// Worlds that wait to be planned.
const MOST_OPEN: usize = 10_000;
/// Answers that are remembered.
const MOST_ANSWERS: usize = 200_000;

/// The opinions of an oracle on one question, most probable first.
type Opinions = Vec<Result<Answer, AnswerError>>;

/// Questions and their keys.
type Asked = Vec<(String, Question)>;

/// A program being planned: the worlds that its answers leave possible.
struct Active {
    number: usize,
    /// Running worlds.
    worlds: Vec<Machine>,
    /// The most probable finished world.
    ended: Option<Machine>,
    /// Worlds with other decisions on injected values.
    decided: Decided,
}

/// Plans programs, and passes on each with its number when it is done. `done` can stop the planning, and
/// [`Machine::cancel_by`] ends running plans.
///
/// With [`Settings::worlds`] above 1 a program continues in several worlds if the oracle has several opinions; the
/// most probable finished world is its trace.
///
/// # Errors
/// If the oracle fails.
pub fn plan_each(
    programs: &[Program],
    settings: &Settings,
    oracle: &mut dyn Oracle,
    mut done: impl FnMut(usize, Planned) -> ControlFlow<()>,
) -> Result<(), OracleError> {
    let settings = Settings {
        answers: oracle.origin(),
        asks_rest: !oracle.guesses(),
        ..settings.clone()
    };
    let most = settings.worlds.max(1);
    let name = match oracle.guesses() && settings.fold.methods() {
        true => "planned".to_owned(),
        false => format!("planned, answers by {}", oracle.name()),
    };
    let mut answers: HashMap<String, Opinions> = HashMap::new();
    let threads = Threads::of(programs.len());
    let mut waiting = programs.iter().enumerate();
    let mut active: Vec<Active> = Vec::new();
    loop {
        if Machine::is_cancelled() {
            return Ok(());
        }
        let mut asked: IndexMap<String, Question> = IndexMap::new();
        let mut still = Vec::with_capacity(active.len());
        let most_new = AT_ONCE.saturating_sub(active.len());
        let fresh: Vec<(usize, &Program)> = waiting.by_ref().take(most_new).collect();
        // Programs share the cores; their questions are gathered in program order, for any number of cores.
        let questions: Vec<Asked> = threads.share(|| {
            let all = programs;
            let fresh = fresh.into_par_iter().map(|(number, program)| Active {
                number,
                worlds: vec![begun(program, &settings)],
                ended: None,
                decided: Decided::default(),
            });
            active.par_extend(fresh);
            let programs = active.par_iter_mut();
            let go_on = |p: &mut Active| p.go_on(&all[p.number], &name, &settings, &answers);
            programs.map(go_on).collect()
        });
        for (program, questions) in active.drain(..).zip(questions) {
            for (key, question) in questions {
                asked.entry(key).or_insert(question);
            }
            if !program.worlds.is_empty() {
                still.push(program);
            } else if let Some(planned) = program.decided.planned()
                && done(program.number, planned).is_break()
            {
                return Ok(());
            }
        }
        active = still;
        if active.is_empty() && waiting.len() == 0 {
            return Ok(());
        }
        if asked.is_empty() {
            continue;
        }
        if answers.len() > MOST_ANSWERS {
            answers.clear();
        }
        let (keys, questions): (Vec<String>, Vec<Question>) = asked.into_iter().unzip();
        let found: Vec<Opinions> = if most == 1 {
            let one = oracle.answer(&questions)?.into_iter();
            one.map(|answer| vec![answer]).collect()
        } else {
            oracle.opinions(&questions, most)?
        };
        answers.extend(keys.into_iter().zip(found));
    }
}

fn planned(machine: Machine, program: &Program, name: &str) -> Planned {
    let unsupported = machine.unsupported().cloned();
    let unknown = machine.unknown().to_vec();
    let assumed = machine.assumed().to_vec();
    let made_up = machine.made_up().to_vec();
    let decisions = machine.decisions().to_vec();
    let counts = machine.counts();
    let (probability, confidence) = (machine.probability(), machine.confidence());
    let mut trace = machine.into_trace(program);
    trace.checkpoint = Some(name.to_owned());
    trace.confidence = (counts.asked > 0 || confidence < 1.0).then_some(confidence as f32);
    Planned {
        trace,
        unsupported,
        unknown,
        assumed,
        made_up,
        counts,
        decisions,
        probability,
        others: Vec::new(),
    }
}

/// The threads that walk programs: the pool that planning was started in, or new threads, one per core. The global pool
/// is unsuitable: it has one thread if matrix products must not be split.
struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    fn of(programs: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.min(programs);
        let own = rayon::current_thread_index().is_none() && threads > 1;
        // Without threads the programs are walked here.
        let flag = Machine::cancelled_by();
        let builder = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .start_handler(move |_| Machine::cancel_by(flag.clone()));
        let pool = own.then(|| builder.build());
        Self(pool.and_then(Result::ok))
    }

    fn share<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

impl Active {
    /// Advances every world as far as its questions were answered. When all have ended, the worlds of other decisions
    /// on injected values begin, one after the other. Returns the questions that worlds wait for.
    fn go_on(
        &mut self,
        program: &Program,
        name: &str,
        settings: &Settings,
        answers: &HashMap<String, Opinions>,
    ) -> Asked {
        let most = settings.worlds.max(1);
        loop {
            let asked = self.advance(most, answers);
            if !self.worlds.is_empty() {
                return asked;
            }
            let Some(ended) = self.ended.take() else {
                return asked;
            };
            let guesses = ended.said_of_program();
            self.decided.instructions += ended.instructions();
            self.decided.take(planned(ended, program, name));
            // All worlds together have the budget of one.
            let is_spent = self.decided.instructions >= settings.max_instructions;
            let tries = match settings.either_way {
                true => self.decided.tries_either_way(),
                false => most.saturating_mul(TRIES),
            };
            let next = self.decided.next(most, tries);
            let Some(otherwise) = next.filter(|_| !is_spent) else {
                return asked;
            };
            let mut settings = Settings {
                otherwise,
                ..settings.clone()
            };
            if let (Some(goes_on), Some(guesses)) = (&mut settings.goes_on, guesses) {
                goes_on.guesses = Arc::new(Same(guesses));
            }
            self.worlds.push(begun(program, &settings));
        }
    }

    /// Advances every world as far as its questions were answered, keeps the most probable ones, and returns the
    /// questions that they wait for.
    fn advance(&mut self, most: usize, answers: &HashMap<String, Opinions>) -> Asked {
        let mut open = std::mem::take(&mut self.worlds);
        let mut stopped: Vec<(Machine, String, Question)> = Vec::new();
        while let Some(mut machine) = open.pop() {
            match advance(&mut machine) {
                None => self.end(machine),
                Some((question, objects)) => {
                    let key = question.json().to_string();
                    match answers.get(&key) {
                        Some(opinions) => open.extend(split(machine, &objects, opinions)),
                        None => stopped.push((machine, key, question)),
                    }
                }
            }
            if open.len() + stopped.len() > most {
                keep_likeliest(most, &mut open, &mut stopped);
            }
        }
        // A world less probable than a finished one can only become less so.
        let least = self.ended.as_ref().filter(|m| m.unsupported().is_none());
        let least = least.map_or(-1.0, Machine::probability);
        let mut asked = Vec::with_capacity(stopped.len());
        for (machine, key, question) in stopped {
            if machine.probability() > least {
                asked.push((key, question));
                self.worlds.push(machine);
            }
        }
        asked
    }

    /// A completely planned world beats an incomplete one.
    fn end(&mut self, machine: Machine) {
        let rank = |m: &Machine| (m.unsupported().is_none(), m.probability());
        if self
            .ended
            .as_ref()
            .is_none_or(|best| rank(&machine) > rank(best))
        {
            self.ended = Some(machine);
        }
    }
}

/// The earlier result of a program.
#[derive(Debug)]
struct Same(Arc<dyn ProgramGuesses>);

impl Guesses for Same {
    fn of(&self, _: &str) -> Arc<dyn ProgramGuesses> {
        Arc::clone(&self.0)
    }
}

/// Numbers of decisions, and which of the other possibilities each takes.
type Otherwise = Vec<(usize, usize)>;

/// Worlds with other decisions on injected values. Each is planned from the beginning: up to its last changed decision
/// it follows the world it derives from.
#[derive(Default)]
struct Decided {
    /// Worlds that have ended, that of the usual decisions first.
    worlds: Vec<Planned>,
    /// Where the lines of worlds went, so that no two are the same.
    ways: HashSet<u64>,
    /// Worlds that could begin.
    open: Vec<Open>,
    /// How often a decision at a place was the last changed one of a world.
    times: HashMap<u64, usize>,
    /// The decisions that are otherwise in the world being planned.
    otherwise: Otherwise,
    /// Number of planned worlds.
    count: usize,
    /// Whether one ended at the time limit, as others would.
    is_late: bool,
    /// Instructions that were executed in them.
    instructions: u64,
}

/// A world that could begin.
struct Open {
    /// The most that it can be probable.
    most: f64,
    otherwise: Otherwise,
    /// Where its last other decision is made, on what and how.
    place: u64,
}

impl Decided {
    /// A world has ended: what could be otherwise behind its last other decision begins worlds of its own.
    fn take(&mut self, planned: Planned) {
        self.count += 1;
        self.is_late |= planned.trace.outcome == Outcome::Timeout;
        let from = self.otherwise.last().map_or(0, |(last, _)| last + 1);
        let mut probability = 1.0;
        for (number, decision) in planned.decisions.iter().enumerate() {
            if number >= from && self.open.len() < MOST_OPEN {
                let others = decision.others.max(1);
                let most = probability * (1.0 - decision.sure) / others as f64;
                for other in 0..others {
                    let mut otherwise = self.otherwise.clone();
                    otherwise.push((number, other));
                    let place = hash(&(decision.file, decision.line, &decision.what, other));
                    self.open.push(Open {
                        most,
                        otherwise,
                        place,
                    });
                }
            }
            probability *= decision.sure;
        }
        if self.ways.insert(way(&planned.trace)) {
            self.worlds.push(planned);
        }
    }

    /// The changed decisions of the next world: those whose last one was changed least often before, by probability.
    /// `None` if there are enough.
    fn next(&mut self, most: usize, tries: usize) -> Option<Arc<[(usize, usize)]>> {
        if self.is_late || self.worlds.len() >= most || self.count >= tries {
            return None;
        }
        let times = |at: usize| self.times.get(&self.open[at].place).copied().unwrap_or(0);
        // Ties go to the first.
        let better = |best: usize, at: usize| {
            let (newer, likelier) = (
                times(at) < times(best),
                self.open[at].most > self.open[best].most,
            );
            match newer || likelier && times(at) == times(best) {
                true => at,
                false => best,
            }
        };
        let best = (0..self.open.len()).reduce(better)?;
        let open = self.open.remove(best);
        *self.times.entry(open.place).or_default() += 1;
        self.otherwise = open.otherwise;
        Some(self.otherwise.as_slice().into())
    }

    /// Worlds to plan where unknown values decide: whether all raise is of interest where the first one does.
    fn tries_either_way(&self) -> usize {
        let first = self.worlds.first().map(|world| &world.trace.outcome);
        match first {
            Some(Outcome::Raised { .. }) => TRIES_EITHER_WAY.0,
            _ => TRIES_EITHER_WAY.1,
        }
    }

    /// The world of the usual decisions, and the others in their order.
    fn planned(self) -> Option<Planned> {
        let mut worlds = self.worlds.into_iter();
        let mut first = worlds.next()?;
        first.others = worlds.collect();
        Some(first)
    }
}

/// The lines, outcome and output of a trace.
fn way(trace: &Trace) -> u64 {
    let lines = trace.steps.iter();
    let lines: Vec<(u32, u32, &str)> = lines.map(|s| (s.file, s.line, &*s.output)).collect();
    hash(&(lines, format!("{:?}", trace.outcome)))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A machine at the beginning of a program.
fn begun(program: &Program, settings: &Settings) -> Machine {
    guarded(|| Machine::new(program, settings.clone())).unwrap_or_else(|why| {
        let mut machine = Machine::new(&Program::default(), settings.clone());
        machine.give_up(&why);
        machine
    })
}

/// Advances a machine. Returns the question at which it stops, and its objects. `None` at its end.
fn advance(machine: &mut Machine) -> Option<(Question, Vec<ObjectId>)> {
    loop {
        let stopped = guarded(|| match machine.advance() {
            Status::Ended => None,
            Status::Waits => machine.wanted().map(|ask| ask::question(machine, ask)),
        });
        match stopped {
            Ok(None) => return None,
            Ok(Some(Ok(question))) => return Some(question),
            Ok(Some(Err(why))) | Err(why) => machine.give_up(&why),
        }
    }
}

/// An internal error ends one program: the others keep their rows.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("an error of codexec itself: {}", said.unwrap_or("unknown"))
    })
}

/// A world for each opinion on the question that a machine waits for.
fn split(
    machine: Machine,
    objects: &[ObjectId],
    opinions: &[Result<Answer, AnswerError>],
) -> Vec<Machine> {
    let told = |mut machine: Machine, opinion: &Result<Answer, AnswerError>| {
        let answered = opinion.as_ref().map_err(ToString::to_string);
        let answered =
            answered.and_then(
                |a| match guarded(|| answer::answer(&mut machine, objects, a)) {
                    Ok(taken) => taken.map_err(|error| error.to_string()),
                    Err(why) => Err(why),
                },
            );
        if let Err(why) = answered {
            machine.give_up(&why);
        }
        machine
    };
    let Some((first, others)) = opinions.split_first() else {
        let none = AnswerError::Refused("no answer".to_owned());
        return vec![told(machine, &Err(none))];
    };
    let mut worlds: Vec<Machine> = others.iter().map(|o| told(machine.clone(), o)).collect();
    worlds.push(told(machine, first));
    worlds
}

/// Drops the least probable of two sets of worlds until `most` are left.
fn keep_likeliest(
    most: usize,
    open: &mut Vec<Machine>,
    stopped: &mut Vec<(Machine, String, Question)>,
) {
    let all = open
        .iter()
        .chain(stopped.iter().map(|(machine, ..)| machine));
    let mut likely: Vec<f64> = all.map(Machine::probability).collect();
    likely.sort_by(|a, b| b.total_cmp(a));
    let Some(&least) = likely.get(most - 1) else {
        return;
    };
    // Ties go to the first.
    let above = likely.iter().filter(|p| **p > least).count();
    let mut equals = most - above;
    let mut stays = |machine: &Machine| {
        let probability = machine.probability();
        if probability == least && equals > 0 {
            equals -= 1;
            return true;
        }
        probability > least
    };
    open.retain(|machine| stays(machine));
    stopped.retain(|(machine, ..)| stays(machine));
}

/// Plans one program.
///
/// # Errors
/// If the oracle fails.
pub fn plan(
    program: &Program,
    settings: &Settings,
    oracle: &mut dyn Oracle,
) -> Result<Option<Planned>, OracleError> {
    let mut planned = None;
    plan_each(std::slice::from_ref(program), settings, oracle, |_, p| {
        planned = Some(p);
        ControlFlow::Continue(())
    })?;
    Ok(planned)
}

/// Plans one program on this thread without an oracle: planning ends with the uncomputed operation.
pub fn plan_alone(program: &Program, settings: &Settings) -> Planned {
    let settings = Settings {
        asks_rest: false,
        worlds: 1,
        ..settings.clone()
    };
    let mut machine = begun(program, &settings);
    while advance(&mut machine).is_some() {
        machine.give_up("an operation that is not computed");
    }
    planned(machine, program, "planned")
}

#[cfg(test)]
mod tests {
    use codexec_trace::Origin;

    use super::*;
    use crate::question::Data;

    /// Knows every length, but is fairly confident of a wrong one, which is improbable in context.
    struct Unsure;

    fn answer(value: i64, confidence: f32) -> Result<Answer, AnswerError> {
        Ok(Answer {
            result: Ok(Data::Int(value.into())),
            made: Vec::new(),
            changed: Vec::new(),
            output: String::new(),
            confidence,
            sets_in_order: false,
        })
    }

    impl Oracle for Unsure {
        fn name(&self) -> &str {
            "unsure"
        }

        fn origin(&self) -> Origin {
            Origin::Predicted
        }

        fn answer(
            &mut self,
            questions: &[Question],
        ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
            let best = self.opinions(questions, 1)?.into_iter();
            Ok(best.flatten().collect())
        }

        fn opinions(
            &mut self,
            questions: &[Question],
            most: usize,
        ) -> Result<Vec<Opinions>, OracleError> {
            let of = |question: &Question| {
                let mut all = match question.operands.first() {
                    Some(Data::Int(n)) if *n == 7.into() => vec![answer(70, 0.3), answer(71, 0.3)],
                    Some(Data::Int(_)) => vec![answer(60, 0.9), answer(61, 0.1)],
                    _ => vec![answer(7, 0.6), answer(6, 0.4)],
                };
                all.truncate(most);
                all
            };
            Ok(questions.iter().map(of).collect())
        }
    }

    fn planned(worlds: usize) -> Planned {
        let program = Program {
            source: Some("n = 'abcabc'.count('a')\nm = n.bit_length()\nprint(m)\n".to_owned()),
            ..Program::default()
        };
        let settings = Settings {
            worlds,
            fold: codexec_vm::machine::FoldLevel::Operators,
            ..Settings::default()
        };
        plan(&program, &settings, &mut Unsure).unwrap().unwrap()
    }

    #[test]
    fn the_likeliest_world_is_the_trace() {
        let greedy = planned(1);
        assert_eq!(greedy.trace.output(), "70\n");
        assert!((greedy.probability - 0.18).abs() < 1e-6);
        let best = planned(3);
        assert_eq!(best.trace.output(), "60\n");
        assert_eq!(best.trace.outcome, Outcome::Finished);
        assert!((best.probability - 0.36).abs() < 1e-6);
    }

    #[test]
    fn many_programs_side_by_side_give_what_each_gives_alone() {
        let program = |number: usize| Program {
            source: Some(format!(
                "n = 'abcabc'.count('a')\nfor i in range({number}):\n    n = {number} + i\nprint(n.bit_length(), n)\n"
            )),
            ..Program::default()
        };
        // More than are planned concurrently.
        let programs: Vec<Program> = (0..AT_ONCE + 50).map(program).collect();
        let mut together: Vec<Option<Trace>> = vec![None; programs.len()];
        plan_each(&programs, &Settings::default(), &mut Unsure, |number, p| {
            assert!(together[number].replace(p.trace).is_none());
            ControlFlow::Continue(())
        })
        .unwrap();
        for (program, trace) in programs.iter().zip(together) {
            let alone = plan(program, &Settings::default(), &mut Unsure);
            assert_eq!(trace, alone.unwrap().map(|planned| planned.trace));
        }
    }
}
