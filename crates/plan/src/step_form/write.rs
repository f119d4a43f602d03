//! Answers as words.

use codexec_trace::notation::{spaced_text, spaced_value};

use super::edits::{edits, whole};
use super::literals::Values;
use super::messages::usual_message;
use super::scratchpad::working;
use super::{OUTPUT, RAISE, SEPARATOR, STATE, StepFormError, WORKED};
use crate::question::{Answer, Data, Operation, Question, Shape};

/// How an answer expresses a container's change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Changes {
    /// By the shortest edits: `+ 7`, `[3] = 7`.
    #[default]
    Edits,
    /// By its final contents.
    Whole,
}

/// The target of a question: its answer in words, changes as edits.
///
/// # Errors
/// If the answer has no text: another object than the first operand changed, or a value that has no literal.
pub fn target(question: &Question, answer: &Answer) -> Result<String, StepFormError> {
    target_with(question, answer, Changes::Edits)
}

/// [`target`] with changes in the form of `changes`.
///
/// # Errors
/// As [`target`].
pub fn target_with(
    question: &Question,
    answer: &Answer,
    changes: Changes,
) -> Result<String, StepFormError> {
    let first = match question.operands.first() {
        Some(Data::Object(number)) => Some(*number),
        _ => None,
    };
    if answer
        .changed
        .iter()
        .any(|(number, _)| Some(*number) != first)
    {
        return Err(StepFormError::NoText("a change of another object"));
    }
    // The values afterwards.
    let mut shapes = question.objects.clone();
    shapes.extend(answer.made.iter().cloned());
    for (number, shape) in &answer.changed {
        shapes[*number] = shape.clone();
    }
    let values = Values::new(&shapes, question.objects.len());
    let mut words: Vec<String> = Vec::new();
    if let Some(noted) = working(question).filter(|_| answer.result.is_ok()) {
        words.push(spaced_value(&noted));
        words.push(WORKED.to_string());
    }
    let changed = answer.changed.first();
    let stored = said_anyway(question, answer, &values)?;
    match &answer.result {
        Err(raised) => {
            words.push(RAISE.to_string());
            words.push(spaced_value(&raised.kind));
            let usual = usual_message(question, &raised.kind);
            if usual.as_deref() != Some(raised.args.as_slice()) {
                words.push(spaced_value(&format!("({})", values.texts(&raised.args)?)));
            }
        }
        Ok(Data::None) if changed.is_some() || stored.is_some() => {}
        Ok(value) if is_first(question, value) => {}
        Ok(value) => words.push(spaced_value(&values.text(value)?)),
    }
    let is_said = stored.is_some() || changed.is_some();
    if changes == Changes::Whole
        && let Some(number) = first.filter(|_| is_said)
    {
        words.push(STATE.to_string());
        words.push(spaced_value(&whole(&shapes[number], &values)?));
    } else if let Some(edit) = stored {
        words.push(STATE.to_string());
        words.push(spaced_value(&edit));
    } else if let Some((number, shape)) = changed {
        words.push(STATE.to_string());
        let edits = edits(question, &question.objects[*number], shape, &values)?;
        let edits: Vec<String> = edits.iter().map(|edit| spaced_value(edit)).collect();
        words.push(edits.join(&format!(" {SEPARATOR} ")));
    }
    if !answer.output.is_empty() {
        words.push(OUTPUT.to_string());
        words.push(spaced_text(&answer.output));
    }
    Ok(words.join(" "))
}

/// The edit of an operation in a form independent of the previous contents, so that the network need not
/// check them: `xs[2] = 7`, `seen.add(3)`, `xs.sort()`.
fn said_anyway(
    question: &Question,
    answer: &Answer,
    values: &Values<'_>,
) -> Result<Option<String>, StepFormError> {
    let [Data::Object(object), arguments @ ..] = question.operands.as_slice() else {
        return Ok(None);
    };
    let before = question.objects.get(*object);
    let after = answer.changed.first().map(|(_, shape)| shape).or(before);
    if answer.result != Ok(Data::None) || !question.keywords.is_empty() && !is_sort(question) {
        return Ok(None);
    }
    let same_text = |item: &Data, other: &Data| -> Result<bool, StepFormError> {
        Ok(item == other && values.text(item)? == values.text(other)?)
    };
    Ok(match (&question.operation, before, arguments) {
        (
            Operation::StoreSubscript,
            Some(Shape::Items("list", _) | Shape::Deque(..)),
            [index @ Data::Int(_), value],
        ) => Some(format!("[{}]={}", values.text(index)?, values.text(value)?)),
        (Operation::StoreSubscript, Some(Shape::Dict(_, _, pairs)), [key, value])
            if answer.changed.is_empty() =>
        {
            let mut known = false;
            for (other, _) in pairs {
                known |= same_text(other, key)?;
            }
            let edit = || Ok(format!("[{}]={}", values.text(key)?, values.text(value)?));
            known.then(edit).transpose()?
        }
        (Operation::Method(name), Some(Shape::Items("set", items)), [item])
            if &**name == "add" && answer.changed.is_empty() =>
        {
            let mut known = false;
            for other in items {
                known |= same_text(other, item)?;
            }
            known
                .then(|| Ok(format!("+{}", values.text(item)?)))
                .transpose()?
        }
        (Operation::Method(name), Some(Shape::Items("list", _)), _)
            if is_sort(question) || (&**name == "reverse" && arguments.is_empty()) =>
        {
            match after {
                Some(Shape::Items("list", items)) => Some(format!("=[{}]", values.texts(items)?)),
                _ => None,
            }
        }
        _ => None,
    })
}

fn is_sort(question: &Question) -> bool {
    matches!(&question.operation, Operation::Method(name) if &**name == "sort")
}

/// Whether the value of an operation that changes its first operand is that operand itself.
pub(super) fn is_first(question: &Question, value: &Data) -> bool {
    let object = matches!(value, Data::Object(_)) && question.operands.first() == Some(value);
    object && matches!(question.operation, Operation::Binary(_, true))
}
