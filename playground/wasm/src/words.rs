//! What planning reports, in the words of the command line.

use codexec_plan::machine::Unsupported;
use codexec_plan::stand_in::Taken;

/// What was taken for granted of a value, in words that follow its name.
pub(crate) fn taken(taken: &Taken) -> String {
    match taken {
        Taken::Holds(holds) => format!("is {holds}"),
        Taken::IsNone(true) => "is None".to_owned(),
        Taken::IsNone(false) => "is not None".to_owned(),
        Taken::Is(text) => format!("is {text}"),
        Taken::IsNot(text) => format!("is not {text}"),
        Taken::Raises(error, true) => format!("raises {error}"),
        Taken::Raises(error, false) => format!("does not raise {error}"),
    }
}

/// How the planner names an operation that an oracle would be asked.
const ASKED: &str = "which is not computed";

/// Where planning stopped, and at what.
pub(crate) fn stopped(at: &Unsupported) -> String {
    let what = match at.what.ends_with(ASKED) {
        true => format!(
            "{}; a network could be asked, and there is none here",
            at.what
        ),
        false => at.what.clone(),
    };
    match at.line {
        0 => what,
        line => format!("line {line}: {what}"),
    }
}
