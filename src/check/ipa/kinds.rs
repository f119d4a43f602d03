//! Kinds of errors: those of the Python Runtime Errors data set (Bieber et al. 2022, section 3), and one for
//! all others.

/// The class of a program that raises nothing.
pub const NO_ERROR: usize = 0;

/// What a network tells apart, in the order of its outputs.
pub const KINDS: [&str; 28] = [
    "no error",
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
    "other",
];

/// The class of an error by the name of its type, with or without its module; of none, [`NO_ERROR`].
#[must_use]
pub fn class(error: Option<&str>) -> usize {
    let Some(error) = error else { return NO_ERROR };
    let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
    let found = KINDS.iter().skip(1).position(|kind| {
        *kind == error
            || last(kind) == error
            || (error.contains('.') && error.ends_with(&format!(".{kind}")))
    });
    found.map_or(KINDS.len() - 1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_their_module() {
        assert_eq!(
            KINDS[class(Some("InvalidOperation"))],
            "decimal.InvalidOperation"
        );
        assert_eq!(
            KINDS[class(Some("decimal.InvalidOperation"))],
            "decimal.InvalidOperation"
        );
        assert_eq!(KINDS[class(Some("builtins.ValueError"))], "ValueError");
        assert_eq!(KINDS[class(Some("SystemError"))], "other");
        assert_eq!(class(None), NO_ERROR);
        let mut names = KINDS.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KINDS.len());
    }
}
