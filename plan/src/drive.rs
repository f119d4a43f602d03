//! Plans many programs side by side: their questions are asked together, equal ones once.

use std::collections::HashMap;
use std::ops::ControlFlow;

use codexec_data::trace::{Program, Trace};

use crate::machine::{Counts, Machine, Settings, Status, Unsupported};
use crate::oracles::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};

/// A planned program.
#[derive(Debug)]
pub struct Planned {
    /// Its trace, up to where planning went.
    pub trace: Trace,
    /// Why planning stopped early, if it did.
    pub unsupported: Option<Unsupported>,
    /// Operations folded and asked.
    pub counts: Counts,
    /// Probability of the trace: the product of the confidences of all answers.
    pub probability: f64,
}

/// Programs that are planned at once.
const AT_ONCE: usize = 64;
/// Answers that are remembered.
const MOST_ANSWERS: usize = 200_000;

/// Plans programs, and gives each as it is done with its number. `done` may say that no more are wanted.
///
/// # Errors
/// When the oracle fails.
pub fn plan_each(
    programs: &[Program],
    settings: &Settings,
    oracle: &mut dyn Oracle,
    mut done: impl FnMut(usize, Planned) -> ControlFlow<()>,
) -> Result<(), OracleError> {
    let settings = Settings {
        answers: oracle.origin(),
        ..settings.clone()
    };
    let name = format!("planned, answers by {}", oracle.name());
    let mut answers: HashMap<String, Result<Answer, AnswerError>> = HashMap::new();
    let mut waiting = programs.iter().enumerate();
    let mut active: Vec<(usize, Machine)> = Vec::new();
    loop {
        while active.len() < AT_ONCE {
            let Some((number, program)) = waiting.next() else {
                break;
            };
            active.push((number, Machine::new(program, settings.clone())));
        }
        if active.is_empty() {
            return Ok(());
        }
        let mut asked: Vec<(String, Question)> = Vec::new();
        let mut keys: Vec<String> = Vec::new();
        let mut still = Vec::with_capacity(active.len());
        for (number, mut machine) in active.drain(..) {
            match advance(&mut machine, &answers) {
                None => {
                    let unsupported = machine.unsupported().cloned();
                    let counts = machine.counts();
                    let probability = machine.probability();
                    let mut trace = machine.into_trace(&programs[number]);
                    trace.checkpoint = Some(name.clone());
                    let planned = Planned {
                        trace,
                        unsupported,
                        counts,
                        probability,
                    };
                    if done(number, planned).is_break() {
                        return Ok(());
                    }
                }
                Some((key, question)) => {
                    if !keys.contains(&key) {
                        keys.push(key.clone());
                        asked.push((key, question));
                    }
                    still.push((number, machine));
                }
            }
        }
        active = still;
        if answers.len() > MOST_ANSWERS {
            answers.clear();
        }
        let (keys, questions): (Vec<String>, Vec<Question>) = asked.into_iter().unzip();
        answers.extend(keys.into_iter().zip(oracle.answer(&questions)?));
    }
}

/// Lets a machine go on as long as its questions were answered before.
fn advance(
    machine: &mut Machine,
    answers: &HashMap<String, Result<Answer, AnswerError>>,
) -> Option<(String, Question)> {
    loop {
        match machine.advance() {
            Status::Ended => return None,
            Status::Asks(question) => {
                let key = question.json().to_string();
                match answers.get(&key) {
                    None => return Some((key, *question)),
                    Some(Ok(answer)) => {
                        if let Err(error) = machine.answer(answer) {
                            machine.give_up(&error.to_string());
                        }
                    }
                    Some(Err(error)) => machine.give_up(&error.to_string()),
                }
            }
        }
    }
}

/// Plans one program.
///
/// # Errors
/// When the oracle fails.
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
