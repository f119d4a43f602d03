//! Trace examples: a whole program and its delta trace up to its end or its exception.

use super::{Kind, Record};
use crate::records::FINISHED;
use crate::sources::CorpusProgram;
use crate::tokenizer::source_text;
use crate::trace::{Outcome, Trace, delta, delta_text, truncate_at_raise};

/// The example from a run of a program. `None` if it hit a limit or has no steps.
///
/// The target ends with the class of an uncaught exception, without its message and later steps.
pub fn record(
    trace: &Trace,
    parent: &CorpusProgram,
    operators: Vec<String>,
    kind: Kind,
    seed: u64,
) -> Option<Record> {
    let code = trace.program.source.clone()?;
    let outcome = match &trace.outcome {
        Outcome::Finished | Outcome::Exited { .. } => FINISHED.to_owned(),
        Outcome::Raised { exception, .. } => exception.clone(),
        _ => return None,
    };
    if trace.steps.is_empty() {
        return None;
    }
    let mut target = delta(&truncate_at_raise(trace).short()).ok()?;
    if let Outcome::Raised { message, .. } = &mut target.outcome {
        message.clear();
    }
    let source = source_text(&code, trace.program.stdin.as_deref()).ok()?;
    if source.cut {
        return None;
    }
    Some(Record {
        id: trace.program.id.clone(),
        kind,
        code_tokens: source.text,
        trace_tokens: delta_text::render(&target),
        code,
        stdin: trace.program.stdin.clone(),
        outcome,
        statement: None,
        problem: parent.problem.clone(),
        source: parent.source.clone(),
        licence: parent.licence.clone(),
        parent: Some(parent.id.clone()),
        operators,
        seed,
        ..Record::default()
    })
}
