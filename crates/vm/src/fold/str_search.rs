//! Methods of strings that search for parts, and replace them.

use super::str_methods::{int, of};
use super::type_name::type_name;
use super::{Folded, MOST_BYTES};
use crate::value::{Heap, Object, Value};

pub(super) fn partitioned(heap: &mut Heap, text: &str, separator: &str, right: bool) -> Folded {
    if separator.is_empty() {
        return Folded::value_error("empty separator");
    }
    let found = if right {
        text.rsplit_once(separator)
    } else {
        text.split_once(separator)
    };
    let parts = match found {
        Some((before, after)) => [before, separator, after],
        None if right => ["", "", text],
        None => [text, "", ""],
    };
    Folded::Value(heap.tuple(parts.map(Value::str).to_vec()))
}

pub(super) fn replaced(text: &str, old: &str, new: &str, most: i64) -> Folded {
    if (text.len() + 1).saturating_mul(new.len() + 1) > MOST_BYTES {
        return Folded::Unknown;
    }
    match usize::try_from(most) {
        Ok(most) => of(text.replacen(old, new, most)),
        Err(_) => of(text.replace(old, new)),
    }
}

/// Returns the part of a text between two positions, and the number of characters before it. The
/// inner `None`: it begins after the end of the text. The outer one: a bound is not an integer.
#[allow(clippy::option_option)]
fn window<'a>(text: &'a str, bounds: &[Value]) -> Option<Option<(&'a str, usize)>> {
    let length = i64::try_from(text.chars().count()).ok()?;
    let bound = |at: usize, default: i64| match bounds.get(at) {
        None | Some(Value::None) => Some(default),
        Some(value) => int(value).map(|n| if n < 0 { (n + length).max(0) } else { n }),
    };
    if bounds.len() > 2 {
        return None;
    }
    let (start, end) = (bound(0, 0)?, bound(1, length)?.min(length));
    if start > end {
        return Some(None);
    }
    let byte = |at: i64| {
        let at = usize::try_from(at).unwrap_or(0);
        text.char_indices()
            .nth(at)
            .map_or(text.len(), |(byte, _)| byte)
    };
    Some(Some((
        &text[byte(start)..byte(end)],
        usize::try_from(start).ok()?,
    )))
}

pub(super) fn looked_for(text: &str, name: &str, part: &str, bounds: &[Value]) -> Folded {
    let Some(window) = window(text, bounds) else {
        return Folded::Unknown;
    };
    let number =
        |n: usize| i64::try_from(n).map_or(Folded::Unknown, |n| Folded::Value(Value::Int(n)));
    if name == "count" {
        return number(window.map_or(0, |(text, _)| text.matches(part).count()));
    }
    let found = window.and_then(|(text, before)| {
        let byte = if name.starts_with('r') {
            text.rfind(part)
        } else {
            text.find(part)
        };
        byte.map(|byte| before + text[..byte].chars().count())
    });
    match found {
        Some(at) => number(at),
        None if name.ends_with("find") => Folded::Value(Value::Int(-1)),
        None => Folded::value_error("substring not found"),
    }
}

pub(super) fn ends(heap: &Heap, text: &str, name: &str, part: &Value, bounds: &[Value]) -> Folded {
    let parts = match (part, heap.object(part)) {
        (Value::Str(_), _) => std::slice::from_ref(part),
        (_, Some(Object::Tuple(parts))) => parts,
        _ => return Folded::Unknown,
    };
    let Some(window) = window(text, bounds) else {
        return Folded::Unknown;
    };
    for part in parts {
        let Value::Str(part) = part else {
            let Some(kind) = type_name(heap, part) else {
                return Folded::Unknown;
            };
            let message = format!("tuple for {name} must only contain str, not {kind}");
            return Folded::type_error(message);
        };
        let fits = window.is_some_and(|(text, _)| match name {
            "startswith" => text.starts_with(&**part),
            _ => text.ends_with(&**part),
        });
        if fits {
            return Folded::bool(true);
        }
    }
    Folded::bool(false)
}
