//! Step examples: assignments of the variables a statement reads, then the statement.
//!
//! The target is the statement's own step in delta form: the changed variables, the printed text, or
//! the class of the exception it raises (messages are not asked for). This is the paper's SingleLine task in our notation.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::fuzz::literal;
use super::{Kind, Record};
use crate::records::FINISHED;
use crate::sources::Template;
use crate::tokenizer::source_text;
use crate::trace::{Outcome, Program, Trace, delta, delta_text};

/// A program that assigns random values and then runs the template's statement. `None` where no
/// combination of types is known.
pub fn program(template: &Template, id: String, rng: &mut ChaCha8Rng) -> Option<Program> {
    let fitting: Vec<&Vec<String>> = template
        .types
        .iter()
        .filter(|t| t.len() == template.free.len())
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let types = fitting[rng.random_range(0..fitting.len())];
    let mut source = String::new();
    for (name, ty) in template.free.iter().zip(types) {
        source.push_str(&format!("{name} = {}\n", literal(ty, rng)?));
    }
    source.push_str(&template.stmt);
    source.push('\n');
    Some(Program {
        id,
        source: Some(source),
        stdin: None,
    })
}

/// The example a run of such a program gives: `None` when the statement took more than one step,
/// ran into a limit, or gives nothing to learn from.
pub fn record(trace: &Trace, seed: u64) -> Option<Record> {
    let code = trace.program.source.clone()?;
    let line = u32::try_from(code.lines().count()).ok()?;
    let at = trace.steps.len().checked_sub(1)?;
    if trace.steps[at].line != line || at + 1 != line as usize {
        return None;
    }
    let outcome = match &trace.outcome {
        Outcome::Finished => FINISHED.to_owned(),
        Outcome::Raised {
            exception,
            step: Some(step),
            ..
        } if *step as usize == at => exception.clone(),
        _ => return None,
    };
    let mut changes = delta(trace).ok()?;
    changes.steps = vec![changes.steps.swap_remove(at)];
    if let Outcome::Raised { step, message, .. } = &mut changes.outcome {
        *step = Some(0);
        message.clear();
    }
    let source = source_text(&code, None).ok()?;
    Some(Record {
        id: trace.program.id.clone(),
        kind: Kind::SingleLine,
        code_tokens: source.text,
        trace_tokens: delta_text::render(&changes),
        code,
        outcome,
        seed,
        ..Record::default()
    })
}
