//! Step examples: assignments of the variables a statement reads, then the statement.
//!
//! The target is the statement's own step in delta form: the changed variables, the printed text, or
//! the class of the exception it raises (without the message). A condition has a body of one line,
//! and the target continues with that line if the condition holds. This is the paper's SingleLine
//! task in our notation.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::fuzz::{Fuzzer, TYPES};
use super::{Kind, Record};
use crate::records::FINISHED;
use crate::sources::{StatementKind, Template};
use crate::tokenizer::source_text;
use crate::trace::{Outcome, Program, Trace, delta, delta_text};

/// How often a variable gets a value of a type never seen there, as in failing real code.
const STRANGE: f64 = 0.04;

/// A program that assigns random values and then runs the template's statement. `None` if no
/// combination of types is known.
pub fn program(template: &Template, id: String, rng: &mut ChaCha8Rng) -> Option<Program> {
    let fitting: Vec<&Vec<String>> = template.known_types().collect();
    if fitting.is_empty() {
        return None;
    }
    let mut types = fitting[rng.random_range(0..fitting.len())].clone();
    if rng.random_bool(STRANGE) && !types.is_empty() {
        let at = rng.random_range(0..types.len());
        types[at] = TYPES[rng.random_range(0..TYPES.len())].to_owned();
    }
    program_of_types(template, &types, id, rng)
}

/// The same with values of given types.
pub fn program_of_types(
    template: &Template,
    types: &[String],
    id: String,
    rng: &mut ChaCha8Rng,
) -> Option<Program> {
    let values = Fuzzer::for_statement(&template.stmt).literals(types, rng)?;
    Some(Program {
        id,
        source: Some(template.program(&values)),
        stdin: None,
        ..Program::default()
    })
}

/// The example from a run of such a program, whose first `setup` lines are the assignments. `None`
/// if the statement took several steps, hit a limit, or shows an address.
pub fn record(trace: &Trace, setup: usize, kind: StatementKind, seed: u64) -> Option<Record> {
    let code = trace.program.source.clone()?;
    let in_order =
        |steps: &[crate::trace::Step]| steps.iter().zip(1..).all(|(step, line)| step.line == line);
    let own = trace.steps.len().checked_sub(setup)?;
    let most = if kind == StatementKind::Condition {
        2
    } else {
        1
    };
    if own < 1 || own > most || !in_order(&trace.steps) {
        return None;
    }
    let outcome = match &trace.outcome {
        Outcome::Finished | Outcome::Exited { .. } => FINISHED.to_owned(),
        Outcome::Raised {
            exception,
            step: Some(step),
            ..
        } if *step as usize == setup => exception.clone(),
        _ => return None,
    };
    let mut changes = delta(&trace.clone().short()).ok()?;
    changes.steps.drain(..setup);
    if let Outcome::Raised { step, message, .. } = &mut changes.outcome {
        *step = Some(0);
        message.clear();
    }
    let source = source_text(&code, None).ok()?;
    let trace_tokens = delta_text::render(&changes);
    if trace_tokens.contains("0 x 7 f") {
        return None;
    }
    Some(Record {
        id: trace.program.id.clone(),
        kind: Kind::SingleLine,
        code_tokens: source.text,
        trace_tokens,
        code,
        outcome,
        statement: Some(kind),
        seed,
        ..Record::default()
    })
}
