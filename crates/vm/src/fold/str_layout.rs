//! Methods of strings that pad them to a width, and methods that translate characters.

use super::str_methods::{int, of, only};
use super::{Folded, MOST_BYTES};
use crate::value::{DictKind, Entries, Heap, Key, Object, Value};

/// `str.maketrans(…)`: returns a dict of code points.
pub fn table(heap: &mut Heap, arguments: &[Value]) -> Folded {
    let code = |c: char| Value::Int(i64::from(u32::from(c)));
    let mut pairs = Vec::new();
    match arguments {
        [from] => {
            let Some(Object::Dict(entries, _)) = heap.object(from) else {
                return Folded::Unknown;
            };
            for (key, value) in entries.values() {
                let key = match key {
                    Value::Int(_) => key.clone(),
                    Value::Str(text) => match only(text) {
                        Some(one) => code(one),
                        None => return Folded::Unknown,
                    },
                    _ => return Folded::Unknown,
                };
                pairs.push((key, value.clone()));
            }
        }
        [Value::Str(from), Value::Str(to), rest @ ..] if rest.len() < 2 => {
            if from.chars().count() != to.chars().count() {
                return Folded::value_error(
                    "the first two maketrans arguments must have equal length",
                );
            }
            pairs.extend(
                from.chars()
                    .zip(to.chars())
                    .map(|(a, b)| (code(a), code(b))),
            );
            match rest {
                [] => {}
                [Value::Str(gone)] => pairs.extend(gone.chars().map(|c| (code(c), Value::None))),
                _ => return Folded::Unknown,
            }
        }
        _ => return Folded::Unknown,
    }
    let mut entries = Entries::default();
    for (key, value) in pairs {
        let Value::Int(number) = key else {
            return Folded::Unknown;
        };
        entries.insert(Key::Int(number), (key, value));
    }
    Folded::Value(heap.make(Object::Dict(entries, DictKind::Plain)))
}

pub(super) fn expanded(text: &str, size: i64) -> Folded {
    let size = usize::try_from(size).unwrap_or(0);
    if size.saturating_mul(text.len()) > MOST_BYTES {
        return Folded::Unknown;
    }
    let (mut out, mut column) = (String::new(), 0);
    for c in text.chars() {
        match c {
            '\t' if size > 0 => {
                let width = size - column % size;
                out.extend(std::iter::repeat_n(' ', width));
                column += width;
            }
            '\t' => {}
            _ => {
                out.push(c);
                column = if matches!(c, '\n' | '\r') {
                    0
                } else {
                    column + 1
                };
            }
        }
    }
    of(out)
}

pub(super) fn padded(text: &str, name: &str, width: &Value, fill: &[Value]) -> Folded {
    let fill = match fill {
        [] => Some(' '),
        [Value::Str(fill)] => only(fill),
        _ => None,
    };
    let (Some(width), Some(fill)) = (int(width), fill) else {
        return Folded::Unknown;
    };
    let length = text.chars().count();
    let width = usize::try_from(width).unwrap_or(0);
    if width > MOST_BYTES {
        return Folded::Unknown;
    }
    let pad = width.saturating_sub(length);
    let left = match name {
        "ljust" => 0,
        "rjust" => pad,
        _ => pad / 2 + (pad & width & 1),
    };
    let fill = |count: usize| std::iter::repeat_n(fill, count);
    of(fill(left)
        .chain(text.chars())
        .chain(fill(pad - left))
        .collect::<String>())
}

pub(super) fn filled(text: &str, width: i64) -> Folded {
    let width = usize::try_from(width).unwrap_or(0);
    if width > MOST_BYTES {
        return Folded::Unknown;
    }
    let zeros = "0".repeat(width.saturating_sub(text.chars().count()));
    let (sign, digits) = text.split_at(usize::from(text.starts_with(['+', '-'])));
    of(format!("{sign}{zeros}{digits}"))
}

pub(super) fn translated(heap: &Heap, text: &str, table: &Value) -> Folded {
    let Some(Object::Dict(entries, DictKind::Plain)) = heap.object(table) else {
        return Folded::Unknown;
    };
    let mut out = String::new();
    for c in text.chars() {
        match entries.get(&Key::Int(i64::from(u32::from(c)))) {
            None => out.push(c),
            Some((_, Value::None)) => {}
            Some((_, Value::Str(text))) => out.push_str(text),
            Some((_, Value::Int(code))) => match u32::try_from(*code).ok().and_then(char::from_u32)
            {
                Some(c) => out.push(c),
                None => return Folded::Unknown,
            },
            Some(_) => return Folded::Unknown,
        }
        if out.len() > MOST_BYTES {
            return Folded::Unknown;
        }
    }
    of(out)
}
