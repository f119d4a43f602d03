//! Compares a session's recorded answers with the interpreter's actual ones.
//!
//! The rules are doctest's with `ELLIPSIS` and `NORMALIZE_WHITESPACE`: runs of blanks are
//! equivalent, and `...` in the transcript matches anything. Of a traceback only the last line
//! counts.

use serde::Serialize;

/// How an answer compares with the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Agreement {
    /// Character for character.
    Exact,
    /// But for blanks, or with `...`.
    Normalised,
    /// Not.
    None,
}

/// The last line of a printed traceback: class and message.
pub fn printed_exception(answer: &str) -> Option<&str> {
    let raised = answer
        .lines()
        .any(|line| line.trim_start().starts_with("Traceback (most recent"));
    let last = answer.lines().rfind(|line| !line.starts_with(' '));
    last.filter(|_| raised)
}

/// Compares the answer with the transcript.
pub fn agreement(printed: &str, answered: &str) -> Agreement {
    if printed.trim_end() == answered.trim_end() {
        return Agreement::Exact;
    }
    let one_blank = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (printed, answered) = (one_blank(printed), one_blank(answered));
    if printed == answered || matches(&printed, &answered) {
        Agreement::Normalised
    } else {
        Agreement::None
    }
}

/// Whether a text matches the pattern with its `...` wildcards.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split("...").map(str::trim);
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_dots_are_forgiven_and_nothing_else() {
        assert_eq!(agreement("[1, 2]\n", "[1, 2]\n"), Agreement::Exact);
        assert_eq!(agreement("[1,\n 2]\n", "[1, 2]\n"), Agreement::Normalised);
        assert_eq!(
            agreement("<f at 0x...>\n", "<f at 0x7f>\n"),
            Agreement::Normalised
        );
        assert_eq!(
            agreement("a ... c ... e", "a b c d e"),
            Agreement::Normalised
        );
        assert_eq!(agreement("a ... c", "a b"), Agreement::None);
        assert_eq!(agreement("ab...ba", "aba"), Agreement::None);
        assert_eq!(agreement("1", "2"), Agreement::None);
        assert_eq!(agreement("", "2"), Agreement::None);
    }

    #[test]
    fn a_traceback_is_known_by_its_last_line() {
        let answer =
            "Traceback (most recent call last):\n  File \"<stdin>\", line 1\nKeyError: 'a'\n";
        assert_eq!(printed_exception(answer), Some("KeyError: 'a'"));
        assert_eq!(printed_exception("KeyError: 'a'\n"), None);
    }
}
