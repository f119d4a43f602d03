//! What changed in a container, as the shortest edits, and containers after edits.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use super::StepFormError;
use super::literals::Values;
use crate::question::{Data, Operation, Question, Shape};

/// The edits that make `new` of `old`.
pub(super) fn edits(
    question: &Question,
    old: &Shape,
    new: &Shape,
    values: &Values<'_>,
) -> Result<Vec<String>, StepFormError> {
    let found = match (old, new) {
        (Shape::Items(a, old), Shape::Items(b, new)) if a == b => match *a {
            "list" => of_sequence(question, old, new, values)?,
            "set" => of_set(old, new, values)?,
            _ => None,
        },
        (Shape::Deque(old, _), Shape::Deque(new, _)) => of_sequence(question, old, new, values)?,
        (Shape::Dict(a, _, old), Shape::Dict(b, _, new)) if a == b => of_dict(old, new, values)?,
        _ => None,
    };
    let whole = whole(new, values)?;
    let shorter = |edits: &Vec<String>| {
        edits.iter().map(String::len).sum::<usize>() + 2 * edits.len() <= whole.len() + 2
    };
    Ok(found.filter(shorter).unwrap_or_else(|| vec![whole]))
}

/// The edit that replaces all of a container.
pub(super) fn whole(shape: &Shape, values: &Values<'_>) -> Result<String, StepFormError> {
    Ok(format!("={}", whole_text(shape, values)?))
}

/// The items of a container, as a list, set or dict: its kind is known.
fn whole_text(shape: &Shape, values: &Values<'_>) -> Result<String, StepFormError> {
    Ok(match shape {
        Shape::Items("list", items) | Shape::Deque(items, _) => {
            format!("[{}]", values.texts(items)?)
        }
        Shape::Items("set", items) => format!("{{{}}}", values.texts(items)?),
        Shape::Items("bytearray", items) => format!("[{}]", values.texts(items)?),
        Shape::Dict(_, _, pairs) => {
            let mut texts = Vec::with_capacity(pairs.len());
            for (key, value) in pairs {
                texts.push(format!("{}: {}", values.text(key)?, values.text(value)?));
            }
            format!("{{{}}}", texts.join(", "))
        }
        _ => return Err(StepFormError::NoText("a change of this kind of object")),
    })
}

fn of_sequence(
    question: &Question,
    old: &[Data],
    new: &[Data],
    values: &Values<'_>,
) -> Result<Option<Vec<String>>, StepFormError> {
    let name = match &question.operation {
        Operation::Method(name) => &**name,
        _ => "",
    };
    let least = old.len().min(new.len());
    // Equal neighbours can be matched from both ends: a method that works at the front is read from
    // the back.
    let front = matches!(name, "popleft" | "appendleft" | "extendleft" | "insert")
        || name == "pop" && question.operands.len() > 1;
    let (prefix, suffix) = if front {
        let suffix = common(old.iter().rev(), new.iter().rev()).min(least);
        (common(old.iter(), new.iter()).min(least - suffix), suffix)
    } else {
        let prefix = common(old.iter(), new.iter()).min(least);
        (
            prefix,
            common(old.iter().rev(), new.iter().rev()).min(least - prefix),
        )
    };
    let (gone, come) = (
        &old[prefix..old.len() - suffix],
        &new[prefix..new.len() - suffix],
    );
    Ok(match (gone, come) {
        ([], []) => Some(Vec::new()),
        ([], come) if suffix == 0 => Some(vec![format!("+{}", values.texts(come)?)]),
        ([], come) if prefix == 0 => Some(vec![format!("<{}", values.texts(come)?)]),
        ([], [one]) => Some(vec![format!("[{prefix}]+{}", values.text(one)?)]),
        ([one], []) if name == "remove" => Some(vec![format!("-{}", values.text(one)?)]),
        ([_], []) if suffix == 0 => Some(vec!["[-1]".to_string()]),
        ([_], []) => Some(vec![format!("[{prefix}]")]),
        _ => {
            let mut edits = Vec::new();
            for _ in new.len()..old.len() {
                edits.push("[-1]".to_string());
            }
            if new.len() > old.len() {
                edits.push(format!("+{}", values.texts(&new[old.len()..])?));
            }
            for at in (0..least).filter(|&at| old[at] != new[at]) {
                edits.push(format!("[{at}]={}", values.text(&new[at])?));
            }
            Some(edits)
        }
    })
}

fn common<'d>(a: impl Iterator<Item = &'d Data>, b: impl Iterator<Item = &'d Data>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// A key of a set or dict: hashed, since sets of a hundred thousand items are compared at every change.
#[derive(PartialEq)]
struct Key<'d>(&'d Data);

// A NaN is never found again, which looks like a removal and an insertion.
impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self.0).hash(state);
        match self.0 {
            Data::Int(value) => value.hash(state),
            // Both zeros are equal.
            Data::Float(value) => (value + 0.0).to_bits().hash(state),
            Data::Str(text) => text.hash(state),
            Data::Bytes(bytes) => bytes.hash(state),
            Data::Object(number) => number.hash(state),
            _ => {}
        }
    }
}

fn of_set(
    old: &[Data],
    new: &[Data],
    values: &Values<'_>,
) -> Result<Option<Vec<String>>, StepFormError> {
    let before: HashSet<Key<'_>> = old.iter().map(Key).collect();
    let after: HashSet<Key<'_>> = new.iter().map(Key).collect();
    let mut edits = Vec::new();
    for item in old.iter().filter(|item| !after.contains(&Key(item))) {
        edits.push(format!("-{}", values.text(item)?));
    }
    let come = new.iter().filter(|item| !before.contains(&Key(item)));
    let come: Vec<Data> = come.cloned().collect();
    if !come.is_empty() {
        edits.push(format!("+{}", values.texts(&come)?));
    }
    Ok((!edits.is_empty()).then_some(edits))
}

type Pair = (Data, Data);

fn of_dict(
    old: &[Pair],
    new: &[Pair],
    values: &Values<'_>,
) -> Result<Option<Vec<String>>, StepFormError> {
    let before: HashMap<Key<'_>, &Data> =
        old.iter().map(|(key, value)| (Key(key), value)).collect();
    let after: HashSet<Key<'_>> = new.iter().map(|(key, _)| Key(key)).collect();
    let mut edits = Vec::new();
    let mut kept: Vec<&Data> = Vec::new();
    for (key, _) in old {
        if after.contains(&Key(key)) {
            kept.push(key);
        } else {
            edits.push(format!("-{}", values.text(key)?));
        }
    }
    // Edits keep the order of the remaining keys, and append the others.
    let order: Vec<&Data> = new.iter().map(|(key, _)| key).collect();
    if order.get(..kept.len()) != Some(kept.as_slice()) {
        return Ok(None);
    }
    for (key, value) in new {
        if before.get(&Key(key)).is_none_or(|before| *before != value) {
            edits.push(format!("[{}]={}", values.text(key)?, values.text(value)?));
        }
    }
    Ok((!edits.is_empty()).then_some(edits))
}
