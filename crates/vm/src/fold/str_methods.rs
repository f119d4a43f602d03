//! Methods of strings with known arguments.
//!
//! Positions count characters, as in Python. Arguments of unusual types give [`Folded::Unknown`].

use std::sync::Arc;

use super::Folded;
use super::str_layout::{expanded, filled, padded, translated};
use super::str_search::{ends, looked_for, partitioned, replaced};
use crate::value::{Heap, Value};

/// Arguments of a call: positional, and keyword.
pub type Arguments<'a> = (&'a [Value], &'a [(Arc<str>, Value)]);

/// `text.name(…)`.
pub fn method(heap: &mut Heap, text: &str, name: &str, arguments: Arguments<'_>) -> Folded {
    let (given, keywords) = arguments;
    let named = |name: &str| keywords.iter().find(|(n, _)| &**n == name).map(|(_, v)| v);
    if !keywords.is_empty() && !matches!(name, "split" | "rsplit" | "splitlines" | "expandtabs") {
        return Folded::Unknown;
    }
    match (name, given) {
        ("split" | "rsplit", [] | [_] | [_, _]) => {
            let separator = given.first().or_else(|| named("sep"));
            let most = given.get(1).or_else(|| named("maxsplit"));
            split(heap, text, separator, most, name == "rsplit")
        }
        ("splitlines", [] | [_]) => {
            let keep = given.first().or_else(|| named("keepends"));
            match keep.map_or(Some(false), flag) {
                Some(keep) => list(heap, lines(text, keep)),
                None => Folded::Unknown,
            }
        }
        ("expandtabs", [] | [_]) => {
            let size = given.first().or_else(|| named("tabsize"));
            match size.map_or(Some(8), int) {
                Some(size) => expanded(text, size),
                None => Folded::Unknown,
            }
        }
        ("strip" | "lstrip" | "rstrip", [] | [Value::None | Value::Str(_)]) => {
            let chars = match given {
                [Value::Str(chars)] => Some(&**chars),
                _ => None,
            };
            stripped(text, name, chars)
        }
        ("partition" | "rpartition", [Value::Str(separator)]) => {
            partitioned(heap, text, separator, name == "rpartition")
        }
        ("replace", [Value::Str(old), Value::Str(new)]) => replaced(text, old, new, -1),
        ("replace", [Value::Str(old), Value::Str(new), most]) => match int(most) {
            Some(most) => replaced(text, old, new, most),
            None => Folded::Unknown,
        },
        ("find" | "rfind" | "index" | "rindex" | "count", [Value::Str(part), bounds @ ..]) => {
            looked_for(text, name, part, bounds)
        }
        ("startswith" | "endswith", [part, bounds @ ..]) => ends(heap, text, name, part, bounds),
        ("center" | "ljust" | "rjust", [width, fill @ ..]) => padded(text, name, width, fill),
        ("zfill", [width]) => match int(width) {
            Some(width) => filled(text, width),
            None => Folded::Unknown,
        },
        ("removeprefix", [Value::Str(part)]) => of(text.strip_prefix(&**part).unwrap_or(text)),
        ("removesuffix", [Value::Str(part)]) => of(text.strip_suffix(&**part).unwrap_or(text)),
        ("translate", [table]) => translated(heap, text, table),
        (_, []) => plain(text, name),
        _ => Folded::Unknown,
    }
}

/// Whether Python treats a character of a string as white space.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

pub(super) fn only(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

pub(super) fn of(text: impl Into<Arc<str>>) -> Folded {
    Folded::Value(Value::Str(text.into()))
}

fn list(heap: &mut Heap, parts: Vec<&str>) -> Folded {
    let parts = parts.into_iter().map(Value::str).collect();
    Folded::Value(heap.list(parts))
}

pub(super) fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Bool(flag) => Some(i64::from(*flag)),
        _ => None,
    }
}

fn flag(value: &Value) -> Option<bool> {
    int(value).map(|number| number != 0)
}

/// Folds methods without arguments.
fn plain(text: &str, name: &str) -> Folded {
    let ascii = text.is_ascii();
    let all =
        |test: fn(&char) -> bool| Folded::bool(!text.is_empty() && text.chars().all(|c| test(&c)));
    let cased = |other: fn(&u8) -> bool, cased: fn(&u8) -> bool| {
        Folded::bool(text.bytes().any(|b| cased(&b)) && !text.bytes().any(|b| other(&b)))
    };
    match name {
        "isspace" => all(|c| is_space(*c)),
        "isascii" => Folded::bool(ascii),
        _ if !ascii => super::str_beyond_ascii::plain(text, name),
        "upper" => of(text.to_ascii_uppercase()),
        "lower" => of(text.to_ascii_lowercase()),
        "isalpha" => all(char::is_ascii_alphabetic),
        "casefold" => of(text.to_ascii_lowercase()),
        "swapcase" => {
            let swap = |c: char| match c.is_ascii_uppercase() {
                true => c.to_ascii_lowercase(),
                false => c.to_ascii_uppercase(),
            };
            of(text.chars().map(swap).collect::<String>())
        }
        "capitalize" => {
            let mut text = text.to_ascii_lowercase();
            if let Some(first) = text.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            of(text)
        }
        "title" => {
            let mut within = false;
            let title = text.chars().map(|c| {
                let changed = match within {
                    true => c.to_ascii_lowercase(),
                    false => c.to_ascii_uppercase(),
                };
                within = c.is_ascii_alphabetic();
                changed
            });
            of(title.collect::<String>())
        }
        "isdigit" | "isdecimal" | "isnumeric" => all(char::is_ascii_digit),
        "isalnum" => all(char::is_ascii_alphanumeric),
        "isprintable" => Folded::bool(text.bytes().all(|b| (b' '..=b'~').contains(&b))),
        "isidentifier" => {
            let start = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            Folded::bool(start && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        }
        "islower" => cased(u8::is_ascii_uppercase, u8::is_ascii_lowercase),
        "isupper" => cased(u8::is_ascii_lowercase, u8::is_ascii_uppercase),
        "istitle" => {
            let (mut within, mut any) = (false, false);
            for b in text.bytes() {
                if b.is_ascii_alphabetic() {
                    if b.is_ascii_uppercase() == within {
                        return Folded::bool(false);
                    }
                    any = true;
                }
                within = b.is_ascii_alphabetic();
            }
            Folded::bool(any)
        }
        _ => Folded::Unknown,
    }
}

fn stripped(text: &str, name: &str, chars: Option<&str>) -> Folded {
    let gone = |c: char| chars.map_or_else(|| is_space(c), |chars| chars.contains(c));
    let mut rest = text;
    if name != "rstrip" {
        rest = rest.trim_start_matches(gone);
    }
    if name != "lstrip" {
        rest = rest.trim_end_matches(gone);
    }
    of(rest)
}

fn split(
    heap: &mut Heap,
    text: &str,
    separator: Option<&Value>,
    most: Option<&Value>,
    right: bool,
) -> Folded {
    let Some(most) = most.map_or(Some(-1), int) else {
        return Folded::Unknown;
    };
    let most = usize::try_from(most).unwrap_or(usize::MAX - 1);
    let mut parts: Vec<&str> = match separator {
        None | Some(Value::None) if right => words_from_right(text, most),
        None | Some(Value::None) => words(text, most),
        Some(Value::Str(separator)) if separator.is_empty() => {
            return Folded::value_error("empty separator");
        }
        Some(Value::Str(separator)) if right => text.rsplitn(most + 1, &**separator).collect(),
        Some(Value::Str(separator)) => text.splitn(most + 1, &**separator).collect(),
        Some(_) => return Folded::Unknown,
    };
    if right {
        parts.reverse();
    }
    list(heap, parts)
}

fn words(text: &str, most: usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text.trim_start_matches(is_space));
    while !rest.is_empty() {
        let end = if parts.len() < most {
            rest.find(is_space)
        } else {
            None
        };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        parts.push(word);
        rest = after.trim_start_matches(is_space);
    }
    parts
}

/// Returns the words, the last one first.
fn words_from_right(text: &str, most: usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text.trim_end_matches(is_space));
    while !rest.is_empty() {
        let space = if parts.len() < most {
            rest.rfind(is_space)
        } else {
            None
        };
        let start = space.map_or(0, |at| {
            at + rest[at..].chars().next().map_or(0, char::len_utf8)
        });
        parts.push(&rest[start..]);
        rest = rest[..start].trim_end_matches(is_space);
    }
    parts
}

fn lines(text: &str, keep: bool) -> Vec<&str> {
    const ENDS: [char; 10] = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
        '\u{2029}',
    ];
    let (mut parts, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let end = rest.find(ENDS).unwrap_or(rest.len());
        let width = match &rest[end..] {
            after if after.starts_with("\r\n") => 2,
            after => after.chars().next().map_or(0, char::len_utf8),
        };
        parts.push(&rest[..if keep { end + width } else { end }]);
        rest = &rest[end + width..];
    }
    parts
}
