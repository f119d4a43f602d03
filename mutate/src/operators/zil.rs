//! A loop does nothing: its body begins with `break`.
//!
//! **Why:** zero iterations; as in MutPy the loop variable is still bound once.
//!
//! **Sites:** `for` and `while`. A body on the header's line gets `break; `.
//!
//! **Declined:** bodies that begin with `break`.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("while x:\n    x = f(x)  # on\n", &[("ZIL", 0, 0)])?;
//! assert_eq!(mutant.text, "while x:\n    break\n    x = f(x)  # on\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use super::loops::{self, body, indent};
use crate::{Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "ZIL",
    name: "zero iteration loop",
    source: include_str!("zil.rs"),
    find,
    edit,
};

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    let Some(body) = body(place).filter(|b| b.first.kind() != "break_statement") else {
        return Vec::new();
    };
    let at = body.first.start_byte();
    let indented = (!body.inline).then(|| at - indent(place.source, at).len()..at);
    let slots = std::iter::once(at..at).chain(indented).collect();
    vec![loops::site(place, loops::ZIL, slots)]
}

fn edit(site: &Site, source: &str, _: &mut Draw) -> Option<Rewrite> {
    let at = site.slots.first()?.start;
    let text = match site.slots.get(1) {
        Some(blanks) => {
            let crlf = source[..blanks.start].ends_with("\r\n");
            format!(
                "break{}{}",
                if crlf { "\r\n" } else { "\n" },
                &source[blanks.clone()]
            )
        }
        None => "break; ".to_owned(),
    };
    Rewrite::plain([Change::before(&(at..usize::MAX), text)])
}
