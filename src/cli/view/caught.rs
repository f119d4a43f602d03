//! Exceptions that a program catches. A trace does not record them: they show in the steps, which
//! move from a line to an `except` and into its body.

use codexec_data::trace::{Event, Trace};
use codexec_query::Sources;
use codexec_query::syntax::Head;

/// A caught exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Caught {
    /// The step that raised it.
    pub raised: usize,
    /// Line and file of the `except` clause that caught it.
    pub line: u32,
    pub file: u32,
    /// Its class if the `except` clause names it, else what the clause names.
    pub what: String,
}

/// The caught exceptions of a trace, in the order of the steps that raise them.
pub(super) fn caught(trace: &Trace, sources: &Sources) -> Vec<Caught> {
    let steps = &trace.steps;
    let head = |k: usize| {
        let step = steps.get(k)?;
        let unit = sources.unit(step.file, step.line)?;
        let unit = sources.get(unit)?;
        (step.event == Event::Line && unit.head == Some(Head::Except)).then_some(unit)
    };
    let mut all = Vec::new();
    let mut from = None;
    for k in 0..steps.len() {
        let Some(unit) = head(k) else {
            from = None;
            continue;
        };
        // The first of several clauses is where the exception arrives.
        let raised = *from.get_or_insert_with(|| raised_before(trace, k));
        let next = steps.get(k + 1);
        let enters = next.is_some_and(|next| {
            let (first, last) = unit.body.unwrap_or_default();
            next.file == steps[k].file && (first..=last).contains(&next.line)
        });
        if let (true, Some(raised)) = (enters, raised) {
            let bound = unit.binds.first();
            let value = bound.and_then(|bound| steps[k].state.get(&bound.name));
            let class = value.and_then(|value| class_of(&value.text));
            let text = sources
                .file(steps[k].file)
                .map(|file| file.text(steps[k].line));
            all.push(Caught {
                raised,
                line: steps[k].line,
                file: steps[k].file,
                what: class
                    .or_else(|| text.and_then(named))
                    .unwrap_or_else(|| "exception".to_owned()),
            });
        }
    }
    all.sort_by_key(|one| one.raised);
    all
}

/// The step that raised the exception handled at the `except` of a step: the one before it, or
/// where functions begin to end without a return value.
fn raised_before(trace: &Trace, handler: usize) -> Option<usize> {
    let depth = trace.steps[handler].depth;
    let before = trace.steps[..handler].iter().enumerate().rev();
    let mut unwound = before.skip_while(|(_, step)| {
        step.event == Event::Return && step.value.is_none() && step.depth > depth
    });
    let (at, step) = unwound.next()?;
    match step.event {
        // A returned value was used on the calling line.
        Event::Return => {
            let caller = step.depth.checked_sub(1)?;
            let mut before = trace.steps[..at].iter();
            before.rposition(|step| step.event == Event::Line && step.depth == caller)
        }
        _ => Some(at),
    }
}

/// `ValueError` of `<ValueError args=(1,)>`.
fn class_of(text: &str) -> Option<String> {
    let rest = text.strip_prefix('<')?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))?;
    (end > 0).then(|| rest[..end].to_owned())
}

/// What an `except` names: `KeyError` of `except KeyError as error:`.
fn named(line: &str) -> Option<String> {
    let rest = line
        .strip_prefix("except")?
        .trim_start()
        .trim_start_matches('*');
    let end = rest.find([':', '#']).unwrap_or(rest.len());
    let what = rest[..end].split(" as ").next().unwrap_or_default().trim();
    (!what.is_empty()).then(|| what.to_owned())
}
