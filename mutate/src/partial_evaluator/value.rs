//! Values of a program's reads, their conversions by programs, and their literals.
//!
//! Only results that hold for every Python from 3.8 on are computed; the rest is left to the
//! program.

use std::fmt::Write;

/// Maximum items inspected individually.
const MOST_ITEMS: i128 = 20_000;

/// A value known before the program runs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Int(i128),
    /// As written.
    Float(String),
    Str(String),
    /// ASCII only.
    Bytes(String),
    List(Vec<Value>),
    Tuple(Vec<Value>),
    /// An unconsumed `map` or generator.
    Iter(Vec<Value>),
    Range(i128, i128, i128),
}

impl Value {
    pub(super) fn truth(&self) -> Option<bool> {
        Some(match self {
            Self::Bool(b) => *b,
            Self::Int(n) => *n != 0,
            Self::Str(s) | Self::Bytes(s) => !s.is_empty(),
            Self::List(items) | Self::Tuple(items) => !items.is_empty(),
            Self::Float(_) | Self::Iter(_) | Self::Range(..) => return None,
        })
    }

    /// The items of a loop over it.
    pub(super) fn items(&self) -> Option<Vec<Value>> {
        match self {
            Self::List(items) | Self::Tuple(items) | Self::Iter(items) => Some(items.clone()),
            Self::Str(text) => Some(text.chars().map(|c| Self::Str(c.into())).collect()),
            Self::Range(start, stop, step) => {
                let count = match step {
                    0 => return None,
                    1.. => (stop - start + step - 1).div_euclid(*step),
                    _ => (start - stop - step - 1).div_euclid(-step),
                };
                let count = count.max(0);
                (count <= MOST_ITEMS)
                    .then(|| (0..count).map(|k| Self::Int(start + k * step)).collect())
            }
            _ => None,
        }
    }

    /// Whether it cannot be changed through another name.
    pub(super) fn is_fixed(&self) -> bool {
        match self {
            Self::List(_) | Self::Iter(_) => false,
            Self::Tuple(items) => items.iter().all(Self::is_fixed),
            _ => true,
        }
    }

    /// Whether a literal can replace it in every use; a list can replace an [`Value::Iter`].
    pub(super) fn has_literal(&self) -> bool {
        match self {
            Self::Range(..) => false,
            Self::List(items) | Self::Tuple(items) | Self::Iter(items) => items
                .iter()
                .all(|i| i.has_literal() && !matches!(i, Self::Iter(_))),
            _ => true,
        }
    }

    /// Its literal.
    pub(super) fn literal(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// Its items with commas between them, without brackets.
    pub(super) fn bare(&self) -> Option<String> {
        match self {
            Self::Tuple(items) | Self::Iter(items) if items.len() > 1 => {
                let items: Vec<String> = items.iter().map(Self::literal).collect();
                Some(items.join(", "))
            }
            _ => None,
        }
    }

    fn write(&self, out: &mut String) {
        // writing to a String does not fail
        let _ = match self {
            Self::Bool(true) => write!(out, "True"),
            Self::Bool(false) => write!(out, "False"),
            Self::Int(n) => write!(out, "{n}"),
            Self::Float(text) => write!(out, "{text}"),
            Self::Str(text) => write!(out, "{}", quoted(text)),
            Self::Bytes(text) => write!(out, "b{}", quoted(text)),
            Self::List(items) | Self::Iter(items) => return sequence(items, "[", "]", out),
            Self::Tuple(items) if items.len() == 1 => return sequence(items, "(", ",)", out),
            Self::Tuple(items) => return sequence(items, "(", ")", out),
            Self::Range(a, b, c) => write!(out, "range({a}, {b}, {c})"),
        };
    }
}

fn sequence(items: &[Value], open: &str, close: &str, out: &mut String) {
    out.push_str(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        item.write(out);
    }
    out.push_str(close);
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::from(quote);
    for c in text.chars() {
        let _ = match c {
            '\n' => write!(out, "\\n"),
            '\t' => write!(out, "\\t"),
            '\\' => write!(out, "\\\\"),
            c if c == quote => write!(out, "\\{c}"),
            ' '..='~' => write!(out, "{c}"),
            c if c.is_alphanumeric() => write!(out, "{c}"),
            c if (c as u32) < 0x10000 => write!(out, "\\u{:04x}", c as u32),
            c => write!(out, "\\U{:08x}", c as u32),
        };
    }
    out.push(quote);
    out
}

/// Whether every conversion here treats the text as Python does: no blank but space, tab and line
/// feed, no other control character.
pub(super) fn is_plain(text: &str) -> bool {
    text.chars().all(|c| match c {
        '\n' | '\t' | ' ' => true,
        c => !c.is_control() && !c.is_whitespace(),
    })
}

fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n'])
}

/// `int(value)`, if certain.
pub(super) fn to_int(value: &Value) -> Option<Value> {
    match value {
        Value::Int(n) => Some(Value::Int(*n)),
        Value::Bool(b) => Some(Value::Int(i128::from(*b))),
        Value::Str(text) | Value::Bytes(text) => {
            let text = trimmed(text);
            let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            // far from where arithmetic on it could overflow
            (plain && digits.len() <= 30)
                .then(|| text.parse().ok())
                .flatten()
                .map(Value::Int)
        }
        _ => None,
    }
}

/// `float(value)`, if certain.
pub(super) fn to_float(value: &Value) -> Option<Value> {
    let text = match value {
        Value::Float(text) => text.clone(),
        Value::Int(n) if n.unsigned_abs() < 1 << 53 => n.to_string(),
        Value::Str(text) | Value::Bytes(text) => trimmed(text).to_owned(),
        _ => return None,
    };
    let sign = if text.starts_with('-') { "-" } else { "" };
    let text = text.strip_prefix(['+', '-']).unwrap_or(&text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    let whole_exponent = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        !e.is_empty() && digits(e)
    });
    if !digits(whole) || !digits(part) || (whole.is_empty() && part.is_empty()) || !whole_exponent {
        return None;
    }
    let point = if mantissa.contains('.') || exponent.is_some() {
        ""
    } else {
        ".0"
    };
    Some(Value::Float(format!("{sign}{text}{point}")))
}

/// `value.name(arguments)` for methods that split input.
pub(super) fn method(value: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
    let (text, bytes) = match value {
        Value::Str(text) => (text.as_str(), false),
        Value::Bytes(text) => (text.as_str(), true),
        _ => return None,
    };
    let same = |text: &str| match bytes {
        true => Value::Bytes(text.to_owned()),
        false => Value::Str(text.to_owned()),
    };
    let given = match (arguments, bytes) {
        ([], _) => None,
        ([Value::Str(given)], false) | ([Value::Bytes(given)], true) => Some(given.as_str()),
        _ => return None,
    };
    let blank = |c: char| given.map_or(matches!(c, ' ' | '\t' | '\n'), |g| g.contains(c));
    Some(match name {
        "strip" => same(text.trim_matches(blank)),
        "rstrip" => same(text.trim_end_matches(blank)),
        "lstrip" => same(text.trim_start_matches(blank)),
        "split" => Value::List(match given {
            Some("") => return None,
            Some(separator) => text.split(separator).map(same).collect(),
            None => text
                .split([' ', '\t', '\n'])
                .filter(|t| !t.is_empty())
                .map(same)
                .collect(),
        }),
        "splitlines" if given.is_none() => Value::List(text.lines().map(same).collect()),
        "decode" if bytes && given.is_none() => Value::Str(text.to_owned()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Str(text.into())
    }

    #[test]
    fn conversions_are_pythons() {
        assert_eq!(to_int(&text(" -007\n")), Some(Value::Int(-7)));
        assert_eq!(to_int(&text("1_0")), None);
        assert_eq!(to_int(&text("")), None);
        assert_eq!(to_int(&text("--1")), None);
        let float = |t| to_float(&text(t)).map(|v| v.literal());
        assert_eq!(float("3").as_deref(), Some("3.0"));
        assert_eq!(float("-.5e3").as_deref(), Some("-.5e3"));
        assert_eq!(float("1e").as_deref(), None);
        assert_eq!(float("nan").as_deref(), None);
        let split = |t, by: &[Value]| method(&text(t), "split", by).map(|v| v.literal());
        assert_eq!(split(" a  b\n", &[]).as_deref(), Some("['a', 'b']"));
        assert_eq!(
            split("a,,b", &[text(",")]).as_deref(),
            Some("['a', '', 'b']")
        );
        assert_eq!(split("a", &[text("")]), None);
    }

    #[test]
    fn literals_read_back() {
        assert_eq!(text("it's\t\\").literal(), "\"it's\\t\\\\\"");
        assert_eq!(text("'\"").literal(), "'\\'\"'");
        assert_eq!(text("ä\u{200b}").literal(), "'ä\\u200b'");
        assert_eq!(Value::Tuple(vec![Value::Int(1)]).literal(), "(1,)");
        assert_eq!(Value::Bytes("a".into()).literal(), "b'a'");
    }

    #[test]
    fn ranges_have_pythons_items() {
        let count = |a, b, c| Value::Range(a, b, c).items().map(|i| i.len());
        assert_eq!(count(0, 5, 2), Some(3));
        assert_eq!(count(5, 0, -2), Some(3));
        assert_eq!(count(5, 0, 1), Some(0));
        assert_eq!(count(0, 5, -1), Some(0));
        assert_eq!(count(0, 5, 0), None);
        assert_eq!(count(0, 1 << 90, 1), None);
    }
}
