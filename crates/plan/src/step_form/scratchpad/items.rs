//! Workings of operations on items.

use std::sync::Arc;

use num_traits::ToPrimitive as _;

use super::super::powers;
use super::super::source::shown_places;
use super::numbers::number;
use crate::question::{Data, Question, Shape};
use codexec_vm::text::quoted;

/// Maximum items until one is found.
const MOST_TERMS: usize = 64;
/// Maximum items that are numbered.
const MOST_PLACES: usize = 24;
/// Fewest items that are counted.
const LEAST_COUNTED: usize = 4;
/// Fewest items that something is looked for in with a working.
const LEAST_ALIKE: usize = 3;
/// Maximum similar items in the working.
const MOST_ALIKE: usize = 8;
/// Maximum characters of a string in the working.
const LONGEST_ITEM: usize = 8;
/// Maximum characters of a number beside others.
const LONGEST_NUMBER: usize = 10;
/// Maximum nesting searched for the first non-container of an item.
const DEEPEST: usize = 4;

/// The items of a list or a tuple.
pub(super) fn of<'q>(question: &'q Question, data: &Data) -> Option<&'q [Data]> {
    let Data::Object(number) = data else {
        return None;
    };
    match question.objects.get(*number)? {
        Shape::Items("list" | "tuple" | "iterator", items) => Some(items),
        _ => None,
    }
}

/// The items of a list or a tuple, or the characters of a text.
pub(super) fn scalars(question: &Question, data: &Data) -> Option<Vec<Data>> {
    match data {
        Data::Str(text) => {
            let one = |c: char| Data::Str(Arc::from(c.encode_utf8(&mut [0; 4]) as &str));
            Some(text.chars().map(one).collect())
        }
        _ => Some(of(question, data)?.to_vec()),
    }
}

/// The first characters in which two strings differ; the empty string for the one that has ended.
pub(super) fn first_difference(a: &str, b: &str) -> Option<String> {
    let (mut left, mut right) = (a.chars(), b.chars());
    loop {
        let (one, other) = (left.next(), right.next());
        if one != other {
            let mut out = String::new();
            let text = |c: Option<char>| c.map(String::from).unwrap_or_default();
            quoted::text(&mut out, &text(one));
            out.push(':');
            quoted::text(&mut out, &text(other));
            return Some(out);
        }
        one?;
    }
}

/// Items by number up to a position, from the nearer end; the first two and the last need no
/// counting.
pub(super) fn to_place(question: &Question, items: &[Data], place: i64) -> Option<String> {
    let count = i64::try_from(items.len()).ok()?;
    if !(-count..count).contains(&place) || (-1..2).contains(&place) {
        return None;
    }
    if let Some(mut places) = shown_places(question) {
        if place < 0 {
            places.reverse();
        }
        let last = usize::try_from(place.rem_euclid(count)).ok()?;
        let until = places.iter().position(|at| *at == last)?;
        let line = |at: &usize| {
            let number = i64::try_from(*at).ok()? - if place < 0 { count } else { 0 };
            Some(format!("{number}:{}", beginning(question, &items[*at])?))
        };
        let lines: Option<Vec<String>> = places[..=until].iter().map(line).collect();
        return Some(lines?.join(","));
    }
    up_to(question, items, place)
}

/// Items by number, `0..=place` or `-1..=place` backwards, as far as they exist.
fn up_to(question: &Question, items: &[Data], place: i64) -> Option<String> {
    let count = i64::try_from(items.len()).ok()?;
    let most = i64::try_from(MOST_PLACES).ok()?;
    if count == 0 {
        return None;
    }
    let place = place.clamp(-count, count - 1);
    if place.abs() > most {
        return None;
    }
    let numbers: Vec<i64> = if place < 0 {
        (place..0).rev().collect()
    } else {
        (0..=place).collect()
    };
    let line = |number: &i64| {
        let at = usize::try_from(number.rem_euclid(count)).ok()?;
        Some(format!("{number}:{}", beginning(question, &items[at])?))
    };
    let lines: Option<Vec<String>> = numbers.iter().map(line).collect();
    Some(lines?.join(","))
}

/// Items up to the start or end of a slice; all of them if it has both. The first and the last need no counting.
pub(super) fn of_slice(question: &Question, items: &[Data], parts: &[Data; 3]) -> Option<String> {
    let part = |data: &Data| match data {
        Data::None => Some(None),
        Data::Int(value) => value.to_i64().map(Some),
        _ => None,
    };
    let [start, stop, step] = parts;
    match (part(start)?, part(stop)?, part(step)?) {
        (None | Some(0), None, None | Some(-1..=1)) => None,
        (None, Some(-1..=1), None) | (Some(-1..=1), None, None) => None,
        (None | Some(0), Some(place), None) | (Some(place), None, None) => {
            up_to(question, items, place)
        }
        _ => up_to(question, items, i64::try_from(items.len()).ok()?),
    }
}

/// All items, numbered from one.
pub(super) fn numbered(question: &Question, items: &[Data]) -> Option<String> {
    if !(LEAST_COUNTED..=MOST_PLACES).contains(&items.len()) {
        return None;
    }
    let line =
        |(at, item): (usize, &Data)| Some(format!("{}:{}", at + 1, beginning(question, item)?));
    let lines: Option<Vec<String>> = items.iter().enumerate().map(line).collect();
    Some(lines?.join(","))
}

/// Every item, with how many up to it equal `x`.
pub(super) fn tally(items: &[Data], x: &Data) -> Option<String> {
    let is_part = matches!(x, Data::Str(text) if text.chars().count() != 1)
        && matches!(items.first(), Some(Data::Str(_)));
    if items.len() < 3 || items.len() > MOST_PLACES || is_part {
        return None;
    }
    let mut count = 0;
    let line = |item: &Data| {
        count += usize::from(item == x);
        Some(format!("{}:{count}", scalar(item)?))
    };
    let lines: Option<Vec<String>> = items.iter().map(line).collect();
    Some(lines?.join(","))
}

/// Every item, with how many up to it equal it.
pub(super) fn counts(items: &[Data]) -> Option<String> {
    if items.len() < 3 || items.len() > MOST_PLACES {
        return None;
    }
    let line = |(at, item): (usize, &Data)| {
        let count = items[..=at].iter().filter(|other| *other == item).count();
        Some(format!("{}:{count}", scalar(item)?))
    };
    let lines: Option<Vec<String>> = items.iter().enumerate().map(line).collect();
    Some(lines?.join(","))
}

/// The items of a container as long as `x` with the same first character, unless `x` is a single character.
pub(super) fn alike(question: &Question, x: &Data, all: &Data) -> Option<String> {
    let Data::Object(number) = all else {
        return None;
    };
    let items: Vec<&Data> = match question.objects.get(*number)? {
        Shape::Items("list" | "tuple" | "set" | "frozenset", items) => items.iter().collect(),
        Shape::Dict(_, _, pairs) => pairs.iter().map(|(key, _)| key).collect(),
        _ => return None,
    };
    if items.len() < LEAST_ALIKE || items.len() > MOST_TERMS {
        return None;
    }
    let text = |data: &Data| match data {
        Data::Int(_) | Data::Str(_) => scalar(data),
        _ => None,
    };
    let of = text(x).filter(|of| of.len() > if matches!(x, Data::Str(_)) { 3 } else { 1 })?;
    let first = |text: &str| {
        let mut characters = text.chars().filter(|c| !matches!(c, '\'' | '"'));
        characters.next()
    };
    let mut found: Vec<String> = Vec::new();
    for item in items {
        let Some(text) = text(item) else { continue };
        if text.len() == of.len() && first(&text) == first(&of) && !found.contains(&text) {
            found.push(text);
        }
    }
    match found.len() {
        0 => Some(String::from("_")),
        1..=MOST_ALIKE => Some(found.join(",")),
        _ => None,
    }
}

/// The best number up to each.
pub(super) fn best(items: &[Data], largest: bool) -> Option<String> {
    if items.len() < 3 || items.len() > MOST_PLACES {
        return None;
    }
    let value = |data: &Data| match data {
        Data::Int(value) => value.to_f64(),
        Data::Float(value) => Some(*value),
        _ => None,
    };
    let mut best: Option<(f64, String)> = None;
    let mut lines = Vec::with_capacity(items.len());
    for item in items {
        let value = value(item)?;
        let is_better = |(before, _): &(f64, String)| {
            if largest {
                value > *before
            } else {
                value < *before
            }
        };
        if best.as_ref().is_none_or(is_better) {
            let text = short(item).filter(|text| text.len() <= 2 * LONGEST_NUMBER)?;
            best = Some((value, text));
        }
        lines.push(best.as_ref()?.1.clone());
    }
    Some(lines.join(","))
}

/// Items by number, up to the first that is `found`. Numbers only: a string among them would need its
/// quotes.
pub(super) fn until(items: &[Data], found: impl Fn(&Data) -> Option<bool>) -> Option<String> {
    let mut lines = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if at >= MOST_TERMS {
            return None;
        }
        lines.push(format!("{at}:{}", short(item)?));
        if found(item)? {
            return Some(lines.join(","));
        }
    }
    (!lines.is_empty()).then(|| lines.join(","))
}

/// A non-container item, or the first within it; `_` if there is none.
fn beginning(question: &Question, item: &Data) -> Option<String> {
    let mut item = item;
    for _ in 0..DEEPEST {
        let Data::Object(number) = item else {
            return scalar(item);
        };
        let first = match question.objects.get(*number) {
            Some(Shape::Items("list" | "tuple" | "set", items) | Shape::Deque(items, _)) => {
                items.first()
            }
            Some(Shape::Dict(_, _, pairs)) => pairs.first().map(|(key, _)| key),
            _ => None,
        };
        match first {
            Some(first) => item = first,
            None => return Some(String::from("_")),
        }
    }
    Some(String::from("_"))
}

/// A number or a short text.
fn scalar(data: &Data) -> Option<String> {
    match data {
        Data::Str(text) if text.chars().count() <= LONGEST_ITEM => {
            let mut out = String::new();
            quoted::text(&mut out, text);
            Some(out)
        }
        Data::Bool(value) => Some(String::from(if *value { "True" } else { "False" })),
        Data::None => Some(String::from("None")),
        data => short(data).filter(|text| text.len() <= LONGEST_NUMBER),
    }
}

/// A number, with its zeros as a power of ten.
fn short(data: &Data) -> Option<String> {
    let text = number(data)?;
    Some(match data {
        Data::Float(_) => text,
        _ => powers::written(&text),
    })
}
