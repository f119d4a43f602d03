//! `and` becomes `or`, and vice versa.
//!
//! **Why:** conditions that hold too often or too seldom; of all operators this gives new traces most
//! often after the loop operators (74 in 100).
//!
//! **Sites:** a chain `a and b and c` is one site, and all its operators change together. Brackets are
//! added if the chain is an operand of another: `x or a and b` → `x or (a or b)`.
//!
//! **Declined:** `&` and `|`.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("x or a and b and c\n", &[("LCR", 1, 0)])?;
//! assert_eq!(mutant.text, "x or (a or b or c)\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use crate::{Binding, Change, Draw, Level, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "LCR",
    name: "logical connector replacement",
    source: include_str!("lcr.rs"),
    find,
    edit,
};

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if place.kind != "boolean_operator" {
        return Vec::new();
    }
    let Some(word) = place.field("operator") else {
        return Vec::new();
    };
    let same = |node: tree_sitter::Node<'_>| {
        node.kind() == "boolean_operator"
            && node
                .child_by_field_name("operator")
                .is_some_and(|w| w.kind() == word.kind())
    };
    let upper = place.above.last();
    if upper.is_some_and(|a| {
        same(a.node)
            && a.node
                .child_by_field_name("left")
                .is_some_and(|l| l == place.node)
    }) {
        return Vec::new();
    }
    let mut slots = vec![word.byte_range()];
    let mut left = place.field("left");
    while let Some(chain) = left.filter(|node| same(*node)) {
        slots.extend(
            chain
                .child_by_field_name("operator")
                .map(|w| w.byte_range()),
        );
        left = chain.child_by_field_name("left");
    }
    slots.reverse();
    vec![Site {
        range: place.node.byte_range(),
        slots,
        ..Site::default()
    }]
}

fn edit(site: &Site, source: &str, _: &mut Draw) -> Option<Rewrite> {
    let and = &source[site.slots.first()?.clone()] == "and";
    let (new, level) = if and {
        ("or", Level::Or)
    } else {
        ("and", Level::And)
    };
    let changes = site
        .slots
        .iter()
        .map(|slot| Change::replace(slot.clone(), new))
        .collect();
    Some(Rewrite {
        changes,
        binding: Some(Binding::As(level)),
    })
}
