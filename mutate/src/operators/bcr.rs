//! `break` becomes `continue`, and vice versa.
//!
//! **Why:** a loop that stops too late or too soon. It may loop forever; limits on execution end
//! it.
//!
//! **Sites:** `break`, `continue`.
//!
//! **Declined:** in a loop's `else`, where the statement belongs to an outer loop, if to any.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("for x in y: break\n", &[("BCR", 0, 0)])?;
//! assert_eq!(mutant.text, "for x in y: continue\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use crate::{Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "BCR",
    name: "break/continue replacement",
    source: include_str!("bcr.rs"),
    find,
    edit,
};

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if !matches!(place.kind, "break_statement" | "continue_statement") || !in_body(place) {
        return Vec::new();
    }
    let range = place.node.byte_range();
    vec![Site {
        range: range.clone(),
        slots: vec![range],
        ..Site::default()
    }]
}

/// Whether the nearest loop holds it in its body, not in its `else`.
fn in_body(place: &Place<'_, '_>) -> bool {
    let mut below = "";
    for above in place.above.iter().rev() {
        match above.kind {
            "for_statement" | "while_statement" => return below != "else_clause",
            "function_definition" | "class_definition" => return false,
            kind => below = kind,
        }
    }
    false
}

fn edit(site: &Site, source: &str, draw: &mut Draw) -> Option<Rewrite> {
    let slot = site.slots.first()?.clone();
    let new = draw.other(&["break", "continue"], &source[slot.clone()])?;
    Rewrite::plain([Change::replace(slot, new)])
}
