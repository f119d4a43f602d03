//! The classes of a network: no error, the kinds of [`codexec_data::errors`], and one for all other errors.

use codexec_data::errors;

/// The class of a program without an error.
pub const NO_ERROR: usize = 0;

/// The classes of a network, in the order of its outputs.
pub const KINDS: [&str; errors::KINDS.len() + 2] = {
    let mut all = ["other"; errors::KINDS.len() + 2];
    all[NO_ERROR] = "no error";
    let mut at = 0;
    while at < errors::KINDS.len() {
        all[at + 1] = errors::KINDS[at];
        at += 1;
    }
    all
};

/// The class of an error by the name of its type, with or without its module; without an error,
/// [`NO_ERROR`].
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
        assert_eq!(
            (KINDS[14], KINDS[26], KINDS[27]),
            ("numpy.AxisError", "ZeroDivisionError", "other")
        );
        let mut names = KINDS.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KINDS.len());
    }
}
