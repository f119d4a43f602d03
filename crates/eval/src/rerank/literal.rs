//! Python literals, and when two of them are equal.
//!
//! Unsupported: names, calls, f-strings, complex numbers. Text that is not a literal is compared as text.

use codexec_data::syntax::with_parsed;
use ruff_python_ast::{Expr, Number, Stmt, UnaryOp};

/// The value of a literal.
#[derive(Debug, Clone)]
pub enum Literal {
    /// `None`.
    None,
    /// `True`, `False`.
    Bool(bool),
    /// An integer in decimal digits, with its sign.
    Int(String),
    /// A float.
    Float(f64),
    /// A string.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Self>),
    /// A tuple.
    Tuple(Vec<Self>),
    /// A set or, empty, `set()`.
    Set(Vec<Self>),
    /// A dict.
    Dict(Vec<(Self, Self)>),
}

/// Parses text that is exactly one literal.
pub fn literal(text: &str) -> Option<Literal> {
    let text = text.trim();
    if text == "set()" {
        return Some(Literal::Set(Vec::new()));
    }
    let read = with_parsed(text, |parsed| match parsed.syntax().body.as_slice() {
        [Stmt::Expr(one)] => of(&one.value),
        _ => None,
    });
    read.ok().flatten()
}

fn of(expression: &Expr) -> Option<Literal> {
    let all = |items: &[Expr]| items.iter().map(of).collect::<Option<Vec<_>>>();
    Some(match expression {
        Expr::NoneLiteral(_) => Literal::None,
        Expr::BooleanLiteral(one) => Literal::Bool(one.value),
        Expr::StringLiteral(one) => Literal::Text(one.value.to_str().to_owned()),
        Expr::BytesLiteral(one) => Literal::Bytes(one.value.bytes().collect()),
        Expr::NumberLiteral(one) => match &one.value {
            Number::Int(int) => Literal::Int(match int.as_u64() {
                Some(small) => small.to_string(),
                None => int.to_string(),
            }),
            Number::Float(float) => Literal::Float(*float),
            Number::Complex { .. } => return None,
        },
        Expr::UnaryOp(one) if one.op == UnaryOp::USub => match of(&one.operand)? {
            Literal::Int(digits) if digits == "0" => Literal::Int(digits),
            Literal::Int(digits) => Literal::Int(format!("-{digits}")),
            Literal::Float(float) => Literal::Float(-float),
            _ => return None,
        },
        Expr::List(one) => Literal::List(all(&one.elts)?),
        Expr::Tuple(one) => Literal::Tuple(all(&one.elts)?),
        Expr::Set(one) => Literal::Set(all(&one.elts)?),
        Expr::Dict(one) => {
            let pair = |item: &ruff_python_ast::DictItem| {
                Some((of(item.key.as_ref()?)?, of(&item.value)?))
            };
            Literal::Dict(one.items.iter().map(pair).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

impl Literal {
    /// Its numeric value, as digits if it is whole.
    fn number(&self) -> Option<(Option<&str>, f64)> {
        match self {
            Self::Bool(false) => Some((Some("0"), 0.0)),
            Self::Bool(true) => Some((Some("1"), 1.0)),
            Self::Int(digits) => Some((Some(digits), digits.parse().unwrap_or(f64::NAN))),
            Self::Float(float) => Some((None, *float)),
            _ => None,
        }
    }
}

/// Python's `==`: `1 == 1.0 == True`, sets and dicts in any order, lists and tuples differ.
impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        if let (Some(a), Some(b)) = (self.number(), other.number()) {
            return match (a.0, b.0) {
                (Some(a), Some(b)) => a == b,
                _ => a.1 == b.1,
            };
        }
        let within = |a: &[Self], b: &[Self]| a.iter().all(|x| b.contains(x));
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => a == b,
            (Self::Set(a), Self::Set(b)) => within(a, b) && within(b, a),
            (Self::Dict(a), Self::Dict(b)) => {
                // Of a key that comes twice the last value holds.
                let get = |all: &[(Self, Self)], key: &Self| {
                    let last = all.iter().rev().find(|(k, _)| k == key);
                    last.map(|(_, value)| value.clone())
                };
                let within = |a: &[(Self, Self)], b: &[(Self, Self)]| {
                    a.iter().all(|(key, _)| {
                        let found = get(b, key);
                        found.is_some() && found == get(a, key)
                    })
                };
                within(a, b) && within(b, a)
            }
            _ => false,
        }
    }
}

/// A value of JSON as Python writes it.
pub(super) fn of_json(value: &serde_json::Value) -> String {
    use serde_json::Value;
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(all) => format!("[{}]", joined(all.iter().map(of_json).collect())),
        Value::Object(all) => {
            let pair = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), of_json(value))
            };
            format!("{{{}}}", joined(all.iter().map(pair).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_as_python_says() {
        let equal = [
            ("4", " 4 "),
            ("1", "1.0"),
            ("True", "1"),
            ("0x10", "16"),
            ("'a'", "\"a\""),
            ("[1,2]", "[1, 2]"),
            ("1, 2", "(1, 2)"),
            ("{2, 1}", "{1, 2}"),
            ("{'a': 1, 'b': [2]}", "{'b': [2], 'a': 1.0}"),
            ("set()", "set()"),
            ("-3", "- 3"),
            ("'a' 'b'", "'ab'"),
            ("99999999999999999999999", "99_999_999_999_999_999_999_999"),
        ];
        for (a, b) in equal {
            assert_eq!(literal(a).unwrap(), literal(b).unwrap(), "{a} {b}");
        }
        let different = [
            ("[1, 2]", "(1, 2)"),
            ("[1, 2]", "[2, 1]"),
            ("'1'", "1"),
            ("None", "0"),
            ("{1: 2}", "{1: 3}"),
            ("{1: 2}", "{1: 2, 3: 4}"),
            ("{1}", "{1, 2}"),
            ("b'a'", "'a'"),
            ("99999999999999999999999", "99999999999999999999998"),
        ];
        for (a, b) in different {
            assert_ne!(literal(a).unwrap(), literal(b).unwrap(), "{a} {b}");
        }
    }

    #[test]
    fn what_is_no_literal_is_none() {
        for text in ["", "f(1)", "x", "1 + 2", "[1, x]", "= 3", "f'{x}'", "1\n2"] {
            assert!(literal(text).is_none(), "{text}");
        }
        assert!(literal(&"[".repeat(100_000)).is_none());
    }

    #[test]
    fn json_becomes_python() {
        let value = serde_json::json!({"a": [true, null, 1.5, "x\"\n"]});
        assert_eq!(of_json(&value), r#"{"a": [True, None, 1.5, "x\"\n"]}"#);
    }
}
