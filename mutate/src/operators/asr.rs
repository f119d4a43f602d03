//! An augmented assignment becomes another.
//!
//! **Why:** traces are mostly about counters and accumulators; one token changes the
//! rest of the trace.
//!
//! **Sites:** `+= -= *= /= //= %= **=`; each becomes any of the other six.
//!
//! **Declined:** `@=` and the bitwise ones; plain assignments.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("n += 1\n", &[("ASR", 0, 0)])?;
//! assert_eq!(mutant.text, "n **= 1\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use crate::{Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "ASR",
    name: "assignment operator replacement",
    source: include_str!("asr.rs"),
    find,
    edit,
};

const ASSIGNMENTS: [&str; 7] = ["+=", "-=", "*=", "/=", "//=", "%=", "**="];

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if place.parent() != "augmented_assignment" || !ASSIGNMENTS.contains(&place.kind) {
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
    let new = draw.other(&ASSIGNMENTS, &source[slot.clone()])?;
    Rewrite::plain([Change::replace(slot, new)])
}
