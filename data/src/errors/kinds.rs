//! Kinds of errors: those of the Exception IPA-GNN paper ("Static Prediction of Runtime Errors by Learning to Execute
//! Programs with External Resource Descriptions"), by name, and the kind of an outcome.
//!
//! Like the paper, this table distinguishes two causes of `ValueError` and `OverflowError`: `math.sqrt(-1)` is a
//! `MathDomainError`. A class missing from the table counts as its nearest builtin base class in it. Other exceptions,
//! such as user-defined ones, have no kind.

use crate::trace::Outcome;

/// The paper's name for a program that ends without an uncaught exception.
pub const NO_ERROR: &str = "No error";

/// The 26 kinds. Networks have their outputs in this order.
pub const KINDS: [&str; 26] = [
    "AssertionError",
    "AttributeError",
    "decimal.InvalidOperation",
    "EOFError",
    "FileNotFoundError",
    "ImportError",
    "IndentationError",
    "IndexError",
    "KeyError",
    "MathDomainError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "numpy.AxisError",
    "OSError",
    "OverflowError",
    "re.error",
    "RecursionError",
    "RuntimeError",
    "StopIteration",
    "SyntaxError",
    "TabError",
    "TypeError",
    "UnboundLocalError",
    "ValueError",
    "ZeroDivisionError",
];

/// Builtin classes that the table lacks, and the class that they count as.
const COUNT_AS: [(&str, &str); 27] = [
    ("JSONDecodeError", "ValueError"),
    ("UnicodeDecodeError", "ValueError"),
    ("UnicodeEncodeError", "ValueError"),
    ("UnicodeTranslateError", "ValueError"),
    ("UnicodeError", "ValueError"),
    ("StatisticsError", "ValueError"),
    ("NotImplementedError", "RuntimeError"),
    ("FloatingPointError", "OverflowError"),
    ("BlockingIOError", "OSError"),
    ("BrokenPipeError", "OSError"),
    ("ChildProcessError", "OSError"),
    ("ConnectionAbortedError", "OSError"),
    ("ConnectionError", "OSError"),
    ("ConnectionRefusedError", "OSError"),
    ("ConnectionResetError", "OSError"),
    ("FileExistsError", "OSError"),
    ("InterruptedError", "OSError"),
    ("IsADirectoryError", "OSError"),
    ("NotADirectoryError", "OSError"),
    ("PermissionError", "OSError"),
    ("ProcessLookupError", "OSError"),
    ("TimeoutError", "OSError"),
    ("UnsupportedOperation", "OSError"),
    ("FrozenInstanceError", "AttributeError"),
    ("InvalidOperation", "decimal.InvalidOperation"),
    ("ConversionSyntax", "decimal.InvalidOperation"),
    ("AxisError", "numpy.AxisError"),
];

/// How a program ended, as far as errors are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Without an uncaught exception, including `sys.exit` with any status.
    Clean,
    /// With an exception of this kind, at this line.
    Error(&'static str, Option<u32>),
    /// With an exception that has no kind.
    Unknown,
    /// A limit was reached, or it was stopped from outside: the outcome is unknown.
    Unfinished,
}

/// The kind of an exception class with its message. `None` for classes without one.
///
/// ```
/// use codexec_data::errors::kind_of;
/// assert_eq!(kind_of("ValueError", "math domain error"), Some("MathDomainError"));
/// assert_eq!(kind_of("PermissionError", ""), Some("OSError"));
/// assert_eq!(kind_of("MyError", ""), None);
/// ```
pub fn kind_of(exception: &str, message: &str) -> Option<&'static str> {
    let name = match (exception, message) {
        ("ValueError", "math domain error") => "MathDomainError",
        // `re.error` and `struct.error` have the same name; the messages of the first name a position or a group.
        ("error", text) if text.contains("position") || text.contains("group") => "re.error",
        ("PatternError", _) => "re.error",
        (name, _) => COUNT_AS
            .iter()
            .find(|(class, _)| *class == name)
            .map_or(name, |(_, kind)| kind),
    };
    KINDS.into_iter().find(|kind| *kind == name)
}

/// The class of an outcome.
pub fn ending(outcome: &Outcome) -> Ending {
    match outcome {
        Outcome::Finished | Outcome::Exited { .. } => Ending::Clean,
        Outcome::Raised {
            exception,
            message,
            line,
            ..
        } => match kind_of(exception, message) {
            Some(kind) => Ending::Error(kind, (*line > 0).then_some(*line)),
            None => Ending::Unknown,
        },
        Outcome::SyntaxError { line, message, .. } => {
            Ending::Error(syntax_kind(message), (*line > 0).then_some(*line))
        }
        Outcome::MemoryLimit => Ending::Error("MemoryError", None),
        Outcome::Timeout
        | Outcome::StepLimit
        | Outcome::InstructionLimit
        | Outcome::OutputLimit
        | Outcome::TraceLimit
        | Outcome::Killed { .. } => Ending::Unfinished,
    }
}

/// Which of the three kinds of syntax errors has a message of CPython's or of our parser.
pub fn syntax_kind(message: &str) -> &'static str {
    let text = message.to_lowercase();
    if text.contains("inconsistent use of tabs") {
        "TabError"
    } else if text.contains("indent") {
        "IndentationError"
    } else {
        "SyntaxError"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raised(exception: &str, message: &str, line: u32) -> Outcome {
        Outcome::Raised {
            file: 0,
            exception: exception.to_owned(),
            message: message.to_owned(),
            line,
            step: None,
        }
    }

    #[test]
    fn the_table_has_26_kinds_and_every_alias_leads_into_it() {
        let mut names = KINDS.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 26);
        for (class, kind) in COUNT_AS {
            assert!(KINDS.contains(&kind) && !KINDS.contains(&class), "{class}");
        }
    }

    #[test]
    fn outcomes_end_as_the_paper_counts_them() {
        let error = |exception: &str, message: &str| ending(&raised(exception, message, 3));
        assert_eq!(error("KeyError", "1"), Ending::Error("KeyError", Some(3)));
        assert_eq!(
            error("ValueError", "math domain error"),
            Ending::Error("MathDomainError", Some(3))
        );
        assert_eq!(
            error("OverflowError", "math range error"),
            Ending::Error("OverflowError", Some(3))
        );
        assert_eq!(
            error("error", "nothing to repeat at position 0"),
            Ending::Error("re.error", Some(3))
        );
        assert_eq!(error("error", "unpack requires a buffer"), Ending::Unknown);
        assert_eq!(error("MyError", ""), Ending::Unknown);
        assert_eq!(ending(&Outcome::Timeout), Ending::Unfinished);
        let exit = Outcome::Exited {
            code: 3,
            text: String::new(),
        };
        assert_eq!(ending(&exit), Ending::Clean);
        let syntax = |message: &str| {
            ending(&Outcome::SyntaxError {
                line: 2,
                column: 1,
                message: message.to_owned(),
            })
        };
        for (message, kind) in [
            ("unexpected indent", "IndentationError"),
            (
                "expected an indented block after 'if' statement on line 1",
                "IndentationError",
            ),
            (
                "unindent does not match any outer indentation level",
                "IndentationError",
            ),
            (
                "inconsistent use of tabs and spaces in indentation",
                "TabError",
            ),
            ("invalid syntax", "SyntaxError"),
        ] {
            assert_eq!(syntax(message), Ending::Error(kind, Some(2)));
        }
    }
}
