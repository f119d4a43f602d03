//! Whether an error of an injected call belongs to the program or to the injected arguments.
//!
//! A `TypeError` or an `AttributeError` below a call with unannotated arguments may only mean that the caller would
//! pass other types. So the call is planned again with other types, one argument at a time and all at once. If one of
//! these calls raises no such error, nothing is reported; if all do, no type suits the function. For a `KeyError` or an
//! `IndexError` the same is done with other values (`other_values`).

use std::sync::Arc;

use codexec_data::trace::Outcome;

use super::asked::{Asked, MadeUp};
use codexec_engine::Answer;

/// Values of the most common argument types, a class, and an unknown object.
const VALUES: [&str; 12] = [
    "1",
    "\"a\"",
    "[1, 2]",
    "[\"a\", \"b\"]",
    "[[1, 2], [3, 4]]",
    "{\"a\": 1}",
    "b\"a\"",
    "[b\"a\"]",
    "None",
    "int",
    "Missing()",
    "[Missing(), Missing()]",
];

/// Maximum calls of one function with other types.
const MOST: usize = 50;

/// The property of injected arguments that may be at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// Their types.
    Types,
    /// Their types, or what objects they are.
    Attributes,
    /// Their values.
    Values,
}

/// The possible cause of an exception.
pub(super) fn doubt(exception: &str, message: &str) -> Option<Doubt> {
    let is_format = ["Unknown format code", "Invalid format specifier"]
        .iter()
        .any(|start| message.starts_with(start));
    match exception {
        "TypeError" => Some(Doubt::Types),
        "ValueError" if is_format => Some(Doubt::Types),
        "AttributeError" => Some(Doubt::Attributes),
        "KeyError" | "IndexError" => Some(Doubt::Values),
        _ => None,
    }
}

/// Bindings of the same names to values of other types. `values` are names and expressions; `is_guessed` tells for
/// each whether no annotation names its type.
pub(super) fn other_bindings(
    values: &[(String, String)],
    is_guessed: &[bool],
) -> Vec<Vec<(String, String)>> {
    let guessed: Vec<usize> = (0..values.len()).filter(|at| is_guessed[*at]).collect();
    let with = |places: &[usize], value: &str| {
        let mut all = values.to_vec();
        for at in places {
            all[*at].1 = value.to_owned();
        }
        all
    };
    // An object keeps its known attributes, with other values in it.
    let made: Vec<usize> = guessed
        .iter()
        .copied()
        .filter(|at| values[*at].1.starts_with("Missing("))
        .filter(|at| with_leaves(&values[*at].1, "").1 > 0)
        .collect();
    let inside = VALUES.iter().flat_map(|value| {
        let leaves = |at: &usize| {
            let mut all = values.to_vec();
            all[*at].1 = with_leaves(&all[*at].1, value).0;
            all
        };
        made.iter().map(leaves).collect::<Vec<_>>()
    });
    let together = VALUES.iter().map(|value| with(&guessed, value));
    let alone = VALUES
        .iter()
        .flat_map(|value| guessed.iter().map(move |at| (*at, value)))
        .filter(|_| guessed.len() > 1)
        .map(|(at, value)| with(&[at], value));
    match guessed.is_empty() {
        true => Vec::new(),
        false => together.chain(inside).chain(alone).take(MOST).collect(),
    }
}

/// An expression with another value for each of its numbers and strings, and their number.
pub(super) fn with_leaves(expression: &str, value: &str) -> (String, usize) {
    let (mut text, mut count) = (String::new(), 0);
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        let is_word = text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let length = match first {
            '"' | '\'' => rest[1..].find(first).map(|end| end + 2),
            '0'..='9' if !is_word => {
                let part = |c: char| !(c.is_ascii_alphanumeric() || c == '.');
                Some(rest.find(part).unwrap_or(rest.len()))
            }
            _ => None,
        };
        match length {
            Some(length) => {
                text.push_str(value);
                count += 1;
                rest = &rest[length..];
            }
            None => {
                text.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    (text, count)
}

/// The same call with other types, or with other values, for an error on a line.
pub(super) fn others(asked: &Asked, doubt: Doubt, line: u32) -> Vec<Asked> {
    let MadeUp::Call {
        behind,
        other_types,
        other_values,
        ..
    } = &asked.made_up
    else {
        return Vec::new();
    };
    let source = asked.program.source.as_deref().unwrap_or_default();
    let before = source.get(..*behind).unwrap_or_default();
    let others = match doubt {
        Doubt::Types | Doubt::Attributes => Arc::clone(other_types),
        Doubt::Values => Arc::clone(other_values),
    };
    others
        .iter()
        .map(|call| {
            let mut one = asked.clone();
            one.program.source = Some(format!("{before}{call}"));
            if let MadeUp::Call { doubt: asked, .. } = &mut one.made_up {
                *asked = Some((doubt, line));
            }
            one
        })
        .collect()
}

/// Whether a planned call shows that the function takes these arguments, or leaves it open; the doubt is about an error on a
/// line of `source`.
pub(super) fn may_fit(answer: &Answer, (doubted, on): (Doubt, u32), source: &str) -> bool {
    match answer {
        Ok(answered) => match &answered.trace.outcome {
            _ if answered.stopped.is_some() => true,
            Outcome::Raised {
                exception,
                message,
                line,
                ..
            } => match (doubt(exception, message), doubted) {
                // It got past the error, or has another: this one does not occur with every
                // argument.
                (Some(Doubt::Types | Doubt::Attributes), Doubt::Types | Doubt::Attributes)
                    if *line != on =>
                {
                    !comes_before(source, *line, on)
                }
                // A value without a class is an object that the program knows better.
                (Some(Doubt::Attributes), Doubt::Attributes) => message.contains("'Missing'"),
                (Some(Doubt::Values), Doubt::Types | Doubt::Attributes) | (None, _) => true,
                (Some(_), _) => false,
            },
            _ => true,
        },
        Err(_) => true,
    }
}

/// Whether a line precedes another in the same function, so that an error there is independent of the other.
fn comes_before(source: &str, line: u32, other: u32) -> bool {
    let lines: Vec<&str> = source.lines().take(other as usize).collect();
    let header = lines
        .iter()
        .rposition(|text| text.trim_start().starts_with("def "));
    header.is_some_and(|at| (at + 1..other as usize).contains(&(line as usize)))
}

/// Types of an expression's literals: of `[(1, "a")]` list, tuple, int, str.
pub(super) fn types_in(text: &str) -> Vec<&'static str> {
    let mut types = Vec::new();
    let mut quoted = None;
    let mut before = ' ';
    for c in text.chars() {
        let kind = match (quoted, c) {
            (Some(quote), _) => {
                if c == quote {
                    quoted = None;
                }
                None
            }
            (None, '"' | '\'') => {
                quoted = Some(c);
                Some("str")
            }
            (None, '[') => Some("list"),
            (None, '(') if !before.is_alphanumeric() => Some("tuple"),
            (None, '{') if text == "{}" || text.contains(':') => Some("dict"),
            (None, '{') => Some("set"),
            (None, '.') if before.is_ascii_digit() => Some("float"),
            (None, '0'..='9') if !before.is_alphanumeric() && before != '.' => Some("int"),
            _ => None,
        };
        types.extend(kind);
        before = c;
    }
    types
}

/// Whether an operation failed because an unannotated argument was guessed to be of a type that callers need not pass:
/// two arguments of incomparable types, a number where something else is needed, a string that is subscripted by a
/// string or formats a number, or a container whose method takes other arguments.
pub(super) fn blames_guesses(message: &str, guessed: &[Vec<&'static str>]) -> bool {
    let guesses = |kind: &str| guessed.iter().any(|types| types.contains(&kind));
    let quoted = message
        .strip_prefix('\'')
        .and_then(|rest| rest.split('\'').next());
    let number = ["int", "float"].into_iter().any(|kind| {
        guesses(kind)
            && (quoted == Some(kind)
                && (message.contains(" object has no attribute ")
                    || message.ends_with(" object is not iterable")
                    || message.ends_with(" object is not subscriptable")
                    || message.ends_with(" object is not callable"))
                || message == format!("cannot unpack non-iterable {kind} object")
                || message == format!("object of type '{kind}' has no len()")
                || message == format!("argument of type '{kind}' is not iterable"))
    });
    let text = [
        "string indices must be integers",
        "not all arguments converted during",
    ];
    let text = guesses("str") && text.iter().any(|start| message.starts_with(start));
    let method = ["dict", "list", "str", "set", "tuple"].iter().any(|kind| {
        let rest = message
            .strip_prefix(kind)
            .and_then(|rest| rest.strip_prefix('.'));
        guesses(kind) && rest.is_some_and(|rest| rest.contains("() takes "))
    });
    if number || text || method {
        return true;
    }
    let Some((_, types)) = message.split_once(" not supported between instances of ") else {
        return false;
    };
    let Some((left, right)) = types.trim_matches('\'').split_once("' and '") else {
        return false;
    };
    let holds = |at: usize, kind: &str| guessed[at].contains(&kind);
    (0..guessed.len())
        .any(|a| (0..guessed.len()).any(|b| a != b && holds(a, left) && holds(b, right)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_of_two_guesses_says_little() {
        let message = "'<' not supported between instances of 'tuple' and 'int'";
        let guessed = [types_in("[1, 1]"), types_in("(1, 1,)")];
        assert_eq!(guessed[0], ["list", "int", "int"]);
        assert!(blames_guesses(message, &guessed));
        assert!(!blames_guesses(message, &guessed[1..]));
        assert!(!blames_guesses(
            "can only concatenate str (not \"int\") to str",
            &guessed
        ));
    }

    #[test]
    fn what_fails_before_says_nothing() {
        let source = "def a(x):\n    x + 1\n\ndef b(x):\n    y = x\n    return y + 1\n";
        assert!(comes_before(source, 5, 6));
        assert!(!comes_before(source, 6, 5));
        assert!(!comes_before(source, 2, 6));
    }

    #[test]
    fn an_object_keeps_its_parts_with_other_values() {
        let made = "Missing(mode=\"a\", x1=1, at=lambda *_: 2.5)";
        let want = "Missing(mode=None, x1=None, at=lambda *_: None)";
        assert_eq!(with_leaves(made, "None"), (want.to_owned(), 3));
    }

    #[test]
    fn guessed_arguments_are_changed_alone_and_together() {
        let values =
            [("a", "1"), ("b", "2"), ("c", "3")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        let all = other_bindings(&values, &[true, false, true]);
        assert_eq!(all.len(), 3 * VALUES.len());
        assert!(all.iter().all(|one| one[1].1 == "2"));
        let shown =
            |one: &[(String, String)]| one.iter().map(|(_, v)| v.clone()).collect::<String>();
        assert_eq!(shown(&all[1]), "\"a\"2\"a\"");
        assert!(all.iter().any(|one| shown(one) == "12None"));
        assert!(other_bindings(&values, &[false; 3]).is_empty());
    }
}
