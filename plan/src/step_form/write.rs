//! Answers as words.

use codexec_data::trace::notation::{spaced_text, spaced_value};

use super::edits::edits;
use super::literals::Values;
use super::messages::usual_message;
use super::working::working;
use super::{OUTPUT, RAISE, SEPARATOR, STATE, StepFormError, WORKED};
use crate::question::{Answer, Data, Operation, Question};

/// The target of a question: its answer in words.
///
/// # Errors
/// When the answer has no text: another object than the first operand changed, or a value that has no literal.
pub fn target(question: &Question, answer: &Answer) -> Result<String, StepFormError> {
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
    // What values look like afterwards.
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
    match &answer.result {
        Err(raised) => {
            words.push(RAISE.to_string());
            words.push(spaced_value(&raised.kind));
            let usual = usual_message(question, &raised.kind);
            if usual.as_deref() != Some(raised.args.as_slice()) {
                words.push(spaced_value(&format!("({})", values.texts(&raised.args)?)));
            }
        }
        Ok(Data::None) if changed.is_some() => {}
        Ok(value) if is_first(question, value) => {}
        Ok(value) => words.push(spaced_value(&values.text(value)?)),
    }
    if let Some((number, shape)) = changed {
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

/// Whether the value of an operation that changes its first operand is that operand itself.
pub(super) fn is_first(question: &Question, value: &Data) -> bool {
    let object = matches!(value, Data::Object(_)) && question.operands.first() == Some(value);
    object && matches!(question.operation, Operation::Binary(_, true))
}
