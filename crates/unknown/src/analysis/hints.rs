//! Which value of a class fits its next uses in the program: the literal that it is compared with,
//! the keys that are read, the number of unpacked items. This goes beyond the paper, where each
//! class has one value.

use serde::Serialize;

use super::uses::{Literal, Uses};

/// Wishes for a value. The runtime follows the ones that the class supports.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Hint {
    /// The text that it should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The separator that it is split at; the text then contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separator: Option<String>,
    /// The number that it should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
    /// The keys that it should have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// The number of items that it should have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// It is an exception class.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exception: bool,
    /// It is a class that patterns match.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pattern: bool,
    /// It is passed to a function that parses numbers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub digits: bool,
}

/// Default number of items in a collection: a loop over it runs twice.
const ITEMS: usize = 2;

/// Returns the hint that the uses of a value give.
pub fn hint(uses: &Uses) -> Hint {
    let mut hint = Hint {
        exception: uses.exception,
        pattern: uses.pattern,
        keys: uses
            .keys
            .difference(&uses.absent)
            .take(16)
            .cloned()
            .collect(),
        count: uses.unpacked,
        digits: uses
            .handed_to
            .iter()
            .any(|(f, at)| *at == 0 && matches!(f.as_str(), "int" | "float")),
        ..Hint::default()
    };
    for one in &uses.comparisons {
        match &one.literal {
            Literal::Int(value) if one.length => {
                let length = solve(*value as f64, &one.operator, one.wanted).max(0.0);
                hint.count.get_or_insert((length as usize).min(8));
            }
            Literal::Int(value) => {
                hint.number
                    .get_or_insert(solve(*value as f64, &one.operator, one.wanted));
            }
            Literal::Float(value) => {
                hint.number
                    .get_or_insert(solve(*value, &one.operator, one.wanted));
            }
            Literal::Text(text) => {
                if one.is_same() && text.len() < 200 {
                    hint.text.get_or_insert_with(|| text.clone());
                }
            }
            Literal::Bool(_) => {}
        }
    }
    if let (None, Some(separator)) = (&hint.text, &uses.separator) {
        hint.text = Some(format!("a{separator}a"));
        hint.separator = Some(separator.clone());
    }
    if hint.count.is_none() && uses.truth == Some(false) && !uses.iterated {
        hint.count = Some(0);
    } else if let (None, Some(most)) = (hint.count, uses.indexed) {
        hint.count = Some((most + 1).max(ITEMS));
    } else if hint.count.is_none() && uses.iterated {
        hint.count = Some(ITEMS);
    }
    hint
}

/// Returns a number for which `x operator value` is `wanted`.
pub(crate) fn solve(value: f64, operator: &str, wanted: bool) -> f64 {
    match (operator, wanted) {
        ("==" | "is" | "<=" | ">=" | "in", true) | ("!=" | "<" | ">" | "not in", false) => value,
        (">", true) | ("<=", false) | ("!=" | "not in", true) | ("==" | "in", false) => value + 1.0,
        _ => value - 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::analyse_for_tests;

    #[test]
    fn later_use_chooses_the_value() {
        let program = "\
if size > 10:
    print(size)
if kind in ('train', 'test'):
    print(kind)
a, b, c = point
if len(rows) == 3:
    print(rows)
n = int(word)
";
        let evidence = analyse_for_tests(program);
        let of = |path: &str| hint(evidence.get(path).unwrap());
        assert_eq!(of("size").number, Some(11.0));
        assert_eq!(of("kind").text.as_deref(), Some("train"));
        assert_eq!(of("point").count, Some(3));
        assert_eq!(of("rows").count, Some(3));
        assert!(of("word").digits);
    }

    #[test]
    fn comparisons_come_out_as_wanted() {
        for operator in ["==", "!=", "<", "<=", ">", ">="] {
            for wanted in [true, false] {
                let x = solve(5.0, operator, wanted);
                let outcome = match operator {
                    "==" => x == 5.0,
                    "!=" => x != 5.0,
                    "<" => x < 5.0,
                    "<=" => x <= 5.0,
                    ">" => x > 5.0,
                    _ => x >= 5.0,
                };
                assert_eq!(outcome, wanted, "{operator}");
            }
        }
    }
}
