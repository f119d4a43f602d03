//! Questions as words.

use codexec_trace::notation::spaced_value;
use num_traits::{Signed as _, ToPrimitive as _};

use super::StepFormError;
use super::literals::{Shown, Values};
use crate::question::{Data, Operation, Question, Shape};
use codexec_vm::fold::UnaryOp;

/// Maximum items of a container that is touched at one position and shown completely.
const MOST_WHOLE: usize = 4;
/// Items shown at each end of a longer one.
pub(super) const AT_ENDS: usize = 2;
/// Maximum items of a container that is shown completely for its length.
pub(super) const MOST_COUNTED: usize = 8;

/// Part of a source: text with spelled characters, or a word as it is.
enum Piece {
    Text(String),
    Word(&'static str),
}

/// The source of a question in words.
///
/// # Errors
/// If a value has no literal.
pub fn source(question: &Question) -> Result<String, StepFormError> {
    let pieces = pieces(question)?;
    let words: Vec<String> = pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => spaced_value(&text),
            Piece::Word(word) => word.to_string(),
        })
        .collect();
    Ok(words.join(" "))
}

/// A question as a line of code, for people.
///
/// # Errors
/// If a value has no literal.
pub fn code(question: &Question) -> Result<String, StepFormError> {
    let pieces = pieces(question)?;
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(&text),
            Piece::Word(word @ (":" | "[" | "]")) => out.push_str(word),
            Piece::Word(word @ ("del" | "-" | "~" | "not")) => {
                out.push_str(word);
                if word.len() > 1 {
                    out.push(' ');
                }
            }
            Piece::Word(word) => {
                out.push(' ');
                out.push_str(word);
                out.push(' ');
            }
        }
    }
    Ok(out)
}

fn pieces(question: &Question) -> Result<Vec<Piece>, StepFormError> {
    let mut values = Values::new(&question.objects, question.objects.len());
    if let Some((object, part)) = part(question, &values) {
        values.show_part(object, part);
    }
    let operands = &question.operands;
    let text = |at: usize| -> Result<Piece, StepFormError> {
        let data = operands
            .get(at)
            .ok_or(StepFormError::NoText("a missing operand"))?;
        let text = values.text(data)?;
        let negative = text.starts_with('-') && at == 0;
        let power = matches!(data, Data::Int(_)) && text.contains('*');
        Ok(Piece::Text(if negative || power {
            format!("({text})")
        } else {
            text
        }))
    };
    Ok(match &question.operation {
        Operation::Call(name) => vec![Piece::Text(call(question, &values, name, 0)?)],
        Operation::Method(name) => {
            let receiver =
                values.text(operands.first().ok_or(StepFormError::NoText("a method"))?)?;
            let plain = receiver.starts_with(|c: char| c == '-' || c.is_ascii_digit());
            let receiver = if plain {
                format!("({receiver})")
            } else {
                receiver
            };
            let name = format!("{receiver}.{name}");
            vec![Piece::Text(call(question, &values, &name, 1)?)]
        }
        Operation::Binary(op, in_place) => {
            let sign = if *in_place {
                op.in_place()
            } else {
                op.symbol()
            };
            vec![text(0)?, Piece::Word(sign), text(1)?]
        }
        Operation::Unary(op) => {
            let word = match op {
                UnaryOp::Negative => "-",
                UnaryOp::Positive => "+",
                UnaryOp::Invert => "~",
                UnaryOp::Not => "not",
            };
            vec![Piece::Word(word), text(0)?]
        }
        Operation::Compare(op) => vec![text(0)?, Piece::Word(op.symbol()), text(1)?],
        Operation::Contains => vec![text(1)?, Piece::Word("in"), text(0)?],
        Operation::Truth => vec![Piece::Text(call(question, &values, "bool", 0)?)],
        Operation::Subscript => subscript(question, &values)?,
        Operation::StoreSubscript => {
            let mut pieces = subscript(question, &values)?;
            pieces.push(Piece::Word("="));
            pieces.push(text(2)?);
            pieces
        }
        Operation::DeleteSubscript => {
            let mut pieces = vec![Piece::Word("del")];
            pieces.extend(subscript(question, &values)?);
            pieces
        }
        Operation::Attribute(name) => vec![Piece::Text(format!(
            "{}.{name}",
            values.text(&operands[0])?
        ))],
        Operation::Format => vec![Piece::Text(call(question, &values, "format", 0)?)],
        Operation::Items => vec![Piece::Text(call(question, &values, "list", 0)?)],
        Operation::SortBy => vec![Piece::Text(call(question, &values, "sort_by", 0)?)],
    })
}

fn call(
    question: &Question,
    values: &Values<'_>,
    name: &str,
    from: usize,
) -> Result<String, StepFormError> {
    let operands = question.operands.get(from..).unwrap_or_default();
    let named = operands.len().checked_sub(question.keywords.len());
    let named = named.ok_or(StepFormError::NoText("keywords without values"))?;
    let mut arguments = Vec::with_capacity(operands.len());
    for operand in &operands[..named] {
        arguments.push(values.text(operand)?);
    }
    for (keyword, operand) in question.keywords.iter().zip(&operands[named..]) {
        arguments.push(format!("{keyword}={}", values.text(operand)?));
    }
    let arguments = arguments.join(", ");
    Ok(match name.strip_prefix("list:") {
        Some(inner) => format!("list({inner}({arguments}))"),
        None => format!("{name}({arguments})"),
    })
}

/// `a[b]`, or `a[b:c:d]` with a slice.
fn subscript(question: &Question, values: &Values<'_>) -> Result<Vec<Piece>, StepFormError> {
    let [container, index, ..] = question.operands.as_slice() else {
        return Err(StepFormError::NoText("a missing operand"));
    };
    let mut pieces = vec![Piece::Text(values.text(container)?), Piece::Word("[")];
    if let Some(Shape::Three("slice", [start, stop, step])) = values.shape(index) {
        for (at, data) in [start, stop, step].into_iter().enumerate() {
            if at == 1 || at == 2 && *data != Data::None {
                pieces.push(Piece::Word(":"));
            }
            if *data != Data::None {
                pieces.push(Piece::Text(values.text(data)?));
            }
        }
    } else {
        pieces.push(Piece::Text(values.text(index)?));
    }
    pieces.push(Piece::Word("]"));
    Ok(pieces)
}

/// Which part of a long container an operation is about.
fn part(question: &Question, values: &Values<'_>) -> Option<(usize, Shown)> {
    let Some(Data::Object(object)) = question.operands.first() else {
        return None;
    };
    let shape = question.objects.get(*object)?;
    // Shown twice, it would be cut twice.
    let again = question.operands[1..].contains(&Data::Object(*object));
    if again {
        return None;
    }
    let count = match shape {
        Shape::Items("list" | "tuple" | "set" | "frozenset", items) => items.len(),
        Shape::Deque(items, None) => items.len(),
        Shape::Dict(_, _, pairs) => pairs.len(),
        _ => return None,
    };
    match &question.operation {
        Operation::Subscript | Operation::StoreSubscript | Operation::DeleteSubscript => {
            let (positions, counted) = match shape {
                Shape::Dict(_, _, pairs) if count > MOST_WHOLE => {
                    let keys: Vec<&Data> = pairs.iter().map(|(key, _)| key).collect();
                    (beside(values, &keys, question.operands.get(1)?)?, false)
                }
                _ => (shown_places(question)?, true),
            };
            Some((*object, Shown { positions, counted }))
        }
        Operation::Call(name) if &**name == "len" => (count > MOST_COUNTED).then(|| {
            let part = Shown {
                positions: ends(count),
                counted: true,
            };
            (*object, part)
        }),
        Operation::Method(name) if count > MOST_WHOLE && question.keywords.is_empty() => {
            let argument = question.operands.get(1);
            let positions = match (shape, &**name) {
                (Shape::Items("list", _) | Shape::Deque(..), name) => {
                    at_ends(name, question.operands.len() - 1, argument).then(|| ends(count))?
                }
                (Shape::Dict(_, _, pairs), "get" | "pop" | "setdefault") => {
                    let keys: Vec<&Data> = pairs.iter().map(|(key, _)| key).collect();
                    beside(values, &keys, argument?)?
                }
                (Shape::Items("set", items), "add" | "discard" | "remove") => {
                    let items: Vec<&Data> = items.iter().collect();
                    beside(values, &items, argument?)?
                }
                _ => return None,
            };
            let part = Shown {
                positions,
                counted: false,
            };
            Some((*object, part))
        }
        _ => None,
    }
}

/// The places at both ends.
fn ends(count: usize) -> Vec<usize> {
    (0..AT_ENDS).chain(count - AT_ENDS..count).collect()
}

/// The items of a long list shown for an index: those at the end from which it counts, its neighbours and itself; both
/// ends if it is out of range.
pub(super) fn shown_places(question: &Question) -> Option<Vec<usize>> {
    let [Data::Object(object), Data::Int(index), others @ ..] = question.operands.as_slice() else {
        return None;
    };
    let count = match question.objects.get(*object)? {
        Shape::Items("list" | "tuple", items) | Shape::Deque(items, None) => items.len(),
        _ => return None,
    };
    if count <= MOST_COUNTED || others.contains(&Data::Object(*object)) {
        return None;
    }
    let from_behind = index.is_negative();
    let place = if from_behind {
        index + count
    } else {
        index.clone()
    };
    let Some(place) = place.to_usize().filter(|place| *place < count) else {
        return Some(ends(count));
    };
    let near = place.saturating_sub(1)..(place + 2).min(count);
    let end = if from_behind {
        count - AT_ENDS..count
    } else {
        0..AT_ENDS
    };
    let mut places: Vec<usize> = near.chain(end).collect();
    places.sort_unstable();
    places.dedup();
    Some(places)
}

/// Whether a method of a list or deque touches its ends alone.
fn at_ends(name: &str, arguments: usize, first: Option<&Data>) -> bool {
    let is = |wanted: i64| first == Some(&Data::Int(wanted.into()));
    match name {
        "append" | "appendleft" | "extend" | "extendleft" => arguments == 1,
        "popleft" => arguments == 0,
        "pop" => arguments == 0 || is(0) || is(-1),
        "insert" => arguments == 2 && is(0),
        _ => false,
    }
}

/// The position of a key among others, and the first ones.
fn beside(values: &Values<'_>, keys: &[&Data], key: &Data) -> Option<Vec<usize>> {
    let wanted = values.text(key).ok()?;
    let found = keys
        .iter()
        .position(|key| values.text(key).is_ok_and(|text| text == wanted));
    let mut positions: Vec<usize> = (0..AT_ENDS).chain(found).collect();
    positions.sort_unstable();
    positions.dedup();
    Some(positions)
}
