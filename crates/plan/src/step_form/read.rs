//! Answers out of words.

use codexec_trace::notation::{read_text, read_value};
use ruff_python_ast::{Expr, ModExpression};
use ruff_python_parser::parse_expression;

use super::link::Links;
use super::messages::usual_message;
use super::write::is_first;
use super::{OUTPUT, RAISE, SEPARATOR, STATE, StepFormError, WORKED};
use crate::question::{Answer, Data, Operation, Question, RaisedAnswer, Shape};

/// Maximum length of a value's text.
const MOST_TEXT: usize = 100_000;

/// Reads the target of a question.
///
/// # Errors
/// [`StepFormError::Malformed`] if it is not an answer to the question.
pub fn read(question: &Question, target: &str) -> Result<Answer, StepFormError> {
    let words: Vec<&str> = target.split_whitespace().collect();
    let (words, worked) = match split(&words, WORKED) {
        (_, Some(rest)) => (rest, true),
        (words, None) => (words, false),
    };
    if worked && words.is_empty() {
        return Err(malformed("a working without a value"));
    }
    let (words, output) = split(words, OUTPUT);
    let (value, state) = split(words, STATE);
    let mut reader = Reader::new(question);
    let result = match value {
        [RAISE, kind @ ..] => Err(reader.raised(kind)?),
        [] => Ok(Data::None),
        words => {
            let text = read_words(words)?;
            let expr = expression(&text)?;
            let link = reader.links.gives_out;
            Ok(reader.data(&expr, link)?.0)
        }
    };
    let mut changed = Vec::new();
    let mut result = result;
    if let Some(state) = state {
        let Some(Data::Object(number)) = question.operands.first() else {
            return Err(malformed("a change of nothing"));
        };
        let mut shape = question.objects[*number].clone();
        for edit in state.split(|word| *word == SEPARATOR) {
            shape = reader.edited(shape, &read_words(edit)?)?;
        }
        // Storing an existing value changes nothing.
        if shape != question.objects[*number] {
            changed.push((*number, shape));
        }
        let own = Data::Object(*number);
        if value.is_empty() && is_first(question, &own) {
            result = Ok(own);
        }
        if let Some(stored) = stored_now(question, &changed) {
            result = Ok(stored);
        }
    }
    Ok(Answer {
        result,
        made: reader.shapes.split_off(question.objects.len()),
        changed,
        output: output.map_or(Ok(String::new()), |words| {
            read_text(&words.join(" ")).map_err(|error| malformed(&error.to_string()))
        })?,
        confidence: 1.0,
        sets_in_order: false,
    })
}

/// The value that `d[k]` of a `defaultdict` stored under a new key: it is also the result.
fn stored_now(question: &Question, changed: &[(usize, Shape)]) -> Option<Data> {
    let (number, Shape::Dict(_, _, pairs)) = changed.first()? else {
        return None;
    };
    let Shape::Dict(_, _, before) = &question.objects[*number] else {
        return None;
    };
    let is_new = question.operation == Operation::Subscript && pairs.len() == before.len() + 1;
    is_new.then(|| pairs.last().map(|(_, value)| value.clone()))?
}

pub(super) fn malformed(why: &str) -> StepFormError {
    StepFormError::Malformed(why.to_string())
}

fn split<'w, 'a>(words: &'w [&'a str], at: &str) -> (&'w [&'a str], Option<&'w [&'a str]>) {
    match words.iter().position(|word| *word == at) {
        Some(found) => (&words[..found], Some(&words[found + 1..])),
        None => (words, None),
    }
}

fn read_words(words: &[&str]) -> Result<String, StepFormError> {
    let text = read_value(&words.join(" ")).map_err(|error| malformed(&error.to_string()))?;
    if text.len() > MOST_TEXT {
        return Err(malformed("a value that is too long"));
    }
    Ok(text)
}

/// Deeper brackets are rejected: the parser recurses.
const MOST_BRACKETS: usize = 60;

pub(super) fn shallow(text: &str) -> Result<(), StepFormError> {
    let open = text.chars().filter(|c| "([{-+~".contains(*c)).count();
    let mut depth = 0_usize;
    let mut deepest = 0;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    // A row of signs nests without a bracket.
    let signs =
        text.contains("----------") || text.contains("++++++++++") || text.contains("~~~~~~~~~~");
    if deepest > MOST_BRACKETS || signs || open > MOST_TEXT {
        return Err(malformed("a value that is nested too deeply"));
    }
    Ok(())
}

pub(super) fn expression(text: &str) -> Result<Expr, StepFormError> {
    shallow(text)?;
    let parsed = parse_expression(text).map_err(|_| malformed(text))?;
    let ModExpression { body, .. } = parsed.into_syntax();
    Ok(*body)
}

/// Builds the objects of an answer.
pub(super) struct Reader<'q> {
    pub question: &'q Question,
    pub links: Links,
    /// The question's objects, then those created by the answer.
    pub shapes: Vec<Shape>,
    pub placeholders: Vec<usize>,
}

impl<'q> Reader<'q> {
    fn new(question: &'q Question) -> Self {
        let placeholders = question.objects.iter().enumerate();
        let placeholders = placeholders.filter(|(_, shape)| **shape == Shape::Placeholder);
        Self {
            question,
            links: Links::new(question),
            shapes: question.objects.clone(),
            placeholders: placeholders.map(|(number, _)| number).collect(),
        }
    }

    fn raised(&mut self, words: &[&str]) -> Result<RaisedAnswer, StepFormError> {
        let text = read_words(words)?;
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let (kind, rest) = text.split_at(end.unwrap_or(text.len()));
        if !kind.starts_with(char::is_alphabetic) {
            return Err(malformed("an exception without a kind"));
        }
        let inside = rest
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let args = match inside {
            None if rest.is_empty() => usual_message(self.question, kind).unwrap_or_default(),
            None => return Err(malformed(rest)),
            Some(inside) => match expression(&format!("[{inside}]"))? {
                Expr::List(list) => self.items(&list.elts)?,
                _ => return Err(malformed(rest)),
            },
        };
        Ok(RaisedAnswer {
            kind: kind.to_string(),
            args,
        })
    }
}
