//! A negation is removed.
//!
//! **Why:** the other branch is taken.
//!
//! **Sites:** `not x` → `x`; `x not in y` → `x in y`.
//!
//! **Declined:** `is not`.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("if not a and b not in c: d\n", &[("COD", 0, 0), ("COD", 1, 0)])?;
//! assert_eq!(mutant.text, "if a and b in c: d\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use crate::edit::{gap, with_blanks};
use crate::{Binding, Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "COD",
    name: "conditional operator deletion",
    source: include_str!("cod.rs"),
    find,
    edit,
};

/// `not x`.
const NEGATION: u8 = 0;
/// `x not in y`.
const NOT_IN: u8 = 1;

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    let range = place.node.byte_range();
    let (slot, form) = match place.kind {
        "not_operator" => {
            let Some(word) = place.node.child(0).filter(|w| w.kind() == "not") else {
                return Vec::new();
            };
            (with_blanks(place.source, word.byte_range()), NEGATION)
        }
        "not in" if place.parent() == "comparison_operator" => (range.clone(), NOT_IN),
        _ => return Vec::new(),
    };
    vec![Site {
        range,
        slots: vec![slot],
        form,
        ..Site::default()
    }]
}

fn edit(site: &Site, source: &str, _: &mut Draw) -> Option<Rewrite> {
    let slot = site.slots.first()?.clone();
    if site.form == NOT_IN {
        return Rewrite::plain([Change::replace(slot, "in")]);
    }
    let space = gap(source, &slot);
    let changes = vec![Change::replace(slot, space)];
    Some(Rewrite {
        changes,
        binding: Some(Binding::AsOperand),
    })
}
