//! One test of a problem: the input of a sample, and whether its output is right.

use codexec_data::trace::Program;

use super::literal::{Literal, literal};

/// A test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// An expression printed after the sample's code, and its expected value.
    Call {
        /// The expression, as `f(2)`.
        call: String,
        /// The value in Python notation. `None` if unknown.
        expected: Option<String>,
    },
    /// A standard input, and what should be printed.
    Input {
        /// Standard input.
        stdin: String,
        /// Standard output. `None` if unknown.
        expected: Option<String>,
    },
}

impl Test {
    /// The expected result, if known.
    pub fn expected(&self) -> Option<&str> {
        match self {
            Self::Call { expected, .. } | Self::Input { expected, .. } => expected.as_deref(),
        }
    }

    /// Its name in reasons.
    pub fn name(&self) -> String {
        match self {
            Self::Call { call, .. } => short(call),
            Self::Input { stdin, .. } if stdin.is_empty() => "no input".to_owned(),
            Self::Input { stdin, .. } => format!("input {}", short(&format!("{stdin:?}"))),
        }
    }

    /// The program that exposes a sample's behaviour.
    pub fn program(&self, id: &str, code: &str) -> Program {
        let (source, stdin) = match self {
            Self::Call { call, .. } => {
                let end = if code.ends_with('\n') { "" } else { "\n" };
                (format!("{code}{end}print(repr({call}))\n"), None)
            }
            Self::Input { stdin, .. } => (code.to_owned(), Some(stdin.clone())),
        };
        Program {
            id: id.to_owned(),
            source: Some(source),
            stdin,
            ..Program::default()
        }
    }

    /// The answer within a program's output: for a call the last line, since a function may print.
    pub fn answer<'o>(&self, output: &'o str) -> &'o str {
        match self {
            Self::Call { .. } => output.trim_end().rsplit('\n').next().unwrap_or_default(),
            Self::Input { .. } => output,
        }
    }

    /// Whether a program's output is right. `None` if unknown.
    ///
    /// Values are compared as Python does, printed text line by line without blanks at the ends of lines and of the
    /// whole.
    ///
    /// ```
    /// use codexec_eval::rerank::Test;
    /// let test = Test::Call { call: "f(2)".into(), expected: Some("[1, 2.0]".into()) };
    /// assert_eq!(test.passes("[1, 2]\n"), Some(true));
    /// let test = Test::Input { stdin: "2\n".into(), expected: Some("4\n".into()) };
    /// assert_eq!(test.passes("4"), Some(true));
    /// assert_eq!(test.passes("5"), Some(false));
    /// ```
    pub fn passes(&self, output: &str) -> Option<bool> {
        let expected = self.expected()?;
        let answer = self.answer(output);
        Some(match self {
            Self::Call { .. } => match (literal(answer), literal(expected)) {
                (Some(answer), Some(expected)) => answer == expected,
                _ => answer.trim() == expected.trim(),
            },
            Self::Input { .. } => lines(answer).eq(lines(expected)),
        })
    }

    /// Whether two outputs are equivalent.
    pub fn agree(&self, one: &str, other: &str) -> bool {
        let (one, other) = (self.answer(one), self.answer(other));
        match self {
            Self::Call { .. } if one != other => {
                let (one, other): (Option<Literal>, _) = (literal(one), literal(other));
                one.is_some() && one == other
            }
            Self::Call { .. } => true,
            Self::Input { .. } => lines(one).eq(lines(other)),
        }
    }
}

/// The lines of printed text that count.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end().lines().map(str::trim_end)
}

/// Characters of a text that a reason shows.
const SHOWN: usize = 48;

/// A text on one line, truncated if long.
pub(super) fn short(text: &str) -> String {
    let text = text.trim();
    let first = text.lines().next().unwrap_or_default();
    match first.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &first[..at]),
        None if first.len() < text.len() => format!("{first}…"),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(expected: &str) -> Test {
        Test::Call {
            call: "f(2)".to_owned(),
            expected: Some(expected.to_owned()),
        }
    }

    fn input(expected: &str) -> Test {
        Test::Input {
            stdin: "1\n".to_owned(),
            expected: Some(expected.to_owned()),
        }
    }

    #[test]
    fn a_call_is_printed_behind_the_code() {
        let program = call("4").program("s", "def f(x):\n    return x");
        assert_eq!(
            program.source.unwrap(),
            "def f(x):\n    return x\nprint(repr(f(2)))\n"
        );
        assert_eq!(program.stdin, None);
    }

    #[test]
    fn values_are_compared_and_not_their_text() {
        assert_eq!(call("{'a': 1}").passes("{\"a\":1}\n"), Some(true));
        assert_eq!(call("4").passes("printed\n4\n"), Some(true));
        assert_eq!(call("'4'").passes("4\n"), Some(false));
        assert_eq!(call("<A object>").passes("<A object>"), Some(true));
        assert_eq!(call("4").passes(""), Some(false));
        let unknown = Test::Call {
            call: "f()".to_owned(),
            expected: None,
        };
        assert_eq!(unknown.passes("1"), None);
        assert!(unknown.agree("1", "1.0") && !unknown.agree("x", "y"));
    }

    #[test]
    fn blanks_at_the_ends_of_lines_do_not_count() {
        assert_eq!(input("1 2\n3\n").passes("1 2 \n3\n\n"), Some(true));
        assert_eq!(input("1\r\n2").passes("1\n2\n"), Some(true));
        assert_eq!(input("1 2").passes("1  2"), Some(false));
        assert_eq!(input("1\n2").passes("1 2"), Some(false));
        assert!(input("").agree("a\n", "a") && !input("").agree("a", "b"));
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(short("a\nb"), "a…");
        assert!(short(&"é".repeat(100)).ends_with("é…"));
    }
}
