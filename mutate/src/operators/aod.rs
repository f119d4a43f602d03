//! The sign before an operand is removed.
//!
//! **Why:** a forgotten sign. The value keeps its magnitude and its type, so the trace changes only in
//! what depends on it.
//!
//! **Sites:** unary `+` and `-`.
//!
//! **Declined:** `~`. A sign before a literal is kept in a mutant that replaces the literal.
//! A blank is left where the operand would run into a keyword: `return-x`.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("y = -x ** 2\n", &[("AOD", 0, 0)])?;
//! assert_eq!(mutant.text, "y = x ** 2\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use crate::edit::{gap, with_blanks};
use crate::{Binding, Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "AOD",
    name: "arithmetic operator deletion",
    source: include_str!("aod.rs"),
    find,
    edit,
};

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if place.kind != "unary_operator" {
        return Vec::new();
    }
    let (Some(sign), Some(operand)) = (place.field("operator"), place.field("argument")) else {
        return Vec::new();
    };
    if !matches!(sign.kind(), "+" | "-") {
        return Vec::new();
    }
    vec![Site {
        range: place.node.byte_range(),
        slots: vec![with_blanks(place.source, sign.byte_range())],
        alone: matches!(operand.kind(), "integer" | "float"),
        ..Site::default()
    }]
}

fn edit(site: &Site, source: &str, _: &mut Draw) -> Option<Rewrite> {
    let sign = site.slots.first()?;
    let change = Change::replace(sign.clone(), gap(source, sign));
    Some(Rewrite {
        changes: vec![change],
        binding: Some(Binding::AsOperand),
    })
}
