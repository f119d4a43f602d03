//! A loop runs backwards: its iterable is wrapped in `reversed`.
//!
//! **Why:** the same work in another order; sums stay, lists and last values change. Sets, `zip`,
//! `enumerate` and generators raise an exception; the user decides whether to keep such mutants.
//!
//! **Sites:** `for x in e`. A tuple without brackets gets them.
//!
//! **Declined:** `while`; comprehensions; `async for`; iterables already in a call of `reversed`.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("for x in a, b: print(x)\n", &[("RIL", 0, 0)])?;
//! assert_eq!(mutant.text, "for x in reversed((a, b)): print(x)\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use super::loops;
use crate::edit::gap;
use crate::{Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "RIL",
    name: "reverse iteration loop",
    source: include_str!("ril.rs"),
    find,
    edit,
};

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if place.kind != "for_statement" || place.node.child(0).is_none_or(|c| c.kind() == "async") {
        return Vec::new();
    }
    let Some(over) = place.field("right") else {
        return Vec::new();
    };
    let function = over
        .child_by_field_name("function")
        .filter(|_| over.kind() == "call");
    if function.is_some_and(|f| place.text(f) == "reversed") {
        return Vec::new();
    }
    let range = over.byte_range();
    let (open, close) = (range.start..range.start, range.end..range.end);
    let mut slots = vec![open, close];
    if over.kind() == "expression_list" {
        slots.push(range);
    }
    vec![loops::site(place, loops::RIL, slots)]
}

fn edit(site: &Site, source: &str, _: &mut Draw) -> Option<Rewrite> {
    let span = site.slots.first()?.start..site.slots.get(1)?.end;
    let tuple = site.slots.len() == 3;
    let (open, close) = if tuple {
        ("reversed((", "))")
    } else {
        ("reversed(", ")")
    };
    // `in(a)` has no blank to keep the words apart
    let open = format!("{}{open}", gap(source, &(span.start..span.start)));
    let open = Change::before(&span, open);
    Rewrite::plain([open, Change::after(span.start, span.end, close)])
}
