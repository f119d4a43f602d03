//! What planning reports, in the words of the command line.

use codexec_plan::machine::Unsupported;

/// How the planner names an operation that an oracle would be asked.
const ASKED: &str = "which is not computed";

/// Where planning stopped, and why.
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
