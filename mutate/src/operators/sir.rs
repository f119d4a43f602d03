//! A part of a slice is removed.
//!
//! **Why:** the bounds of what is copied move to the ends.
//!
//! **Sites:** each part present in `a[start:stop:step]`; at most one part of a slice. The
//! colon of a step is removed with it.
//!
//! **Declined:** plain indices, `a[:]`.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutator = Mutator::default();
//! assert_eq!(mutator.apply("b = a[1:n]\n", &[("SIR", 0, 0)])?.text, "b = a[:n]\n");
//! assert_eq!(mutator.apply("b = a[1:n]\n", &[("SIR", 1, 0)])?.text, "b = a[1:]\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use crate::{Change, Draw, Group, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "SIR",
    name: "slice index removal",
    source: include_str!("sir.rs"),
    find,
    edit,
};

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    let mut sites = Vec::new();
    if place.kind != "slice" {
        return sites;
    }
    let group = Some((Group::Slice, place.node.start_byte()));
    let mut colon = None;
    for part in place.node.children(&mut place.node.walk()) {
        let mut range = part.byte_range();
        match part.kind() {
            // the first colon must stay, the second goes with the step
            ":" => colon = Some(colon.map_or(range.end, |_| range.start)),
            _ if part.is_extra() => {}
            _ => {
                let second = colon.filter(|at| place.source[*at..].starts_with(':'));
                let blank = |at: &usize| place.source[at + 1..range.start].trim().is_empty();
                range.start = second.filter(blank).unwrap_or(range.start);
                sites.push(Site {
                    range: range.clone(),
                    slots: vec![range],
                    alone: true,
                    group,
                    ..Site::default()
                });
            }
        }
    }
    sites
}

fn edit(site: &Site, _: &str, _: &mut Draw) -> Option<Rewrite> {
    Rewrite::plain([Change::replace(site.slots.first()?.clone(), "")])
}
