//! An arithmetic operator becomes another.
//!
//! **Why:** the most common mistake in a formula; about half of these mutants give a new trace, a fifth
//! raise (`ZeroDivisionError`, `TypeError`).
//!
//! **Sites:** `+ - * / // % **` between two operands; each becomes any of the other six. Brackets
//! are added where the new operator would bind other operands: `-a ** b` → `-(a + b)`.
//!
//! **Declined:** augmented assignments (ASR does those), `%` after a string (formatting), and every
//! `*`, `**` and `/` that is not an operator: in calls, parameters, unpacking.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("y = a * b ** c\n", &[("AOR", 1, 0)])?;
//! assert_eq!(mutant.text, "y = a * (b % c)\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use tree_sitter::Node;

use crate::operator::ARITHMETIC;
use crate::{Binding, Change, Draw, Level, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "AOR",
    name: "arithmetic operator replacement",
    source: include_str!("aor.rs"),
    find,
    edit,
};

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if place.kind != "binary_operator" {
        return Vec::new();
    }
    let (Some(left), Some(operator)) = (place.field("left"), place.field("operator")) else {
        return Vec::new();
    };
    let formats = operator.kind() == "%" && is_string(left);
    if formats || !ARITHMETIC.contains(&operator.kind()) {
        return Vec::new();
    }
    let range = place.node.byte_range();
    vec![Site {
        range,
        slots: vec![operator.byte_range()],
        ..Site::default()
    }]
}

fn is_string(mut node: Node<'_>) -> bool {
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    matches!(node.kind(), "string" | "concatenated_string")
}

fn edit(site: &Site, source: &str, draw: &mut Draw) -> Option<Rewrite> {
    let slot = site.slots.first()?.clone();
    let new = draw.other(&ARITHMETIC, &source[slot.clone()])?;
    let binding = Level::of(new).map(Binding::As);
    Some(Rewrite {
        changes: vec![Change::replace(slot, new)],
        binding,
    })
}
