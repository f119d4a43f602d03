//! A comparison becomes another.
//!
//! **Why:** bounds that are off by one, inverted tests: loops run once more or never.
//!
//! **Sites:** `< <= > >= == !=`, also each one in a chain; each becomes any of the other five.
//!
//! **Declined:** `is`, `is not`, `in`, `not in`. Only the sign is written, so `i==n` never becomes
//! `i isn`.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("while i<=n: f()\n", &[("ROR", 0, 5)])?;
//! assert_eq!(mutant.text, "while i>n: f()\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use crate::{Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "ROR",
    name: "relational operator replacement",
    source: include_str!("ror.rs"),
    find,
    edit,
};

const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if place.parent() != "comparison_operator" || !RELATIONS.contains(&place.kind) {
        return Vec::new();
    }
    let range = place.node.byte_range();
    vec![Site {
        range: range.clone(),
        slots: vec![range],
        ..Site::default()
    }]
}

fn edit(site: &Site, source: &str, draw: &mut Draw) -> Option<Rewrite> {
    let slot = site.slots.first()?.clone();
    let new = draw.other(&RELATIONS, &source[slot.clone()])?;
    Rewrite::plain([Change::replace(slot, new)])
}
