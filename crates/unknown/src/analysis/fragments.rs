//! The uses of a value in a fragment of a program, as in recorded events: some text before a place
//! and some after it, cut anywhere.

use super::branches::Outcomes;
use super::evidence::Evidence;
use super::paths::path_of;
use super::syntax::with_tree;
use super::uses::Kind;
use super::uses::Uses;

/// Returns the uses of a value that the text around a place shows.
pub fn uses_in_fragment(before: &str, name: &str, after: &str, kind: Kind) -> Option<Uses> {
    // A line that is cut at its start would spoil the indentation of the following lines.
    let before = match before.find('\n') {
        Some(end) if !before[..end].trim().is_empty() || end == 0 => &before[end + 1..],
        _ => before,
    };
    let source = format!("{before}{name}{after}");
    let (from, to) = (before.len(), before.len() + name.len());
    with_tree(&source, |tree| {
        let root = tree.root_node();
        let outcomes = Outcomes::of(root, &source);
        let evidence = Evidence::of(root, &source, &outcomes);
        let mut node = root.descendant_for_byte_range(from, to);
        // Up to the attribute or the call that the name is part of.
        while let Some(found) = node {
            let fits = match kind {
                Kind::Name => found.kind() == "identifier",
                Kind::Attribute => found.kind() == "attribute",
                Kind::Call => found.kind() == "call",
            };
            if fits || found.start_byte() + 400 < from {
                break;
            }
            node = found.parent();
        }
        let path = node.and_then(|n| path_of(n, &source));
        Ok(path.and_then(|path| evidence.get(&path).cloned()))
    })
    .ok()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_piece_still_shows_how_a_value_is_used() {
        let uses = |before, after, kind| uses_in_fragment(before, "items", after, kind).unwrap();
        let found = uses(
            "ext(x)\n    for one in ",
            ":\n        go(one)\n    if (",
            Kind::Name,
        );
        assert!(found.iterated);
        let found = uses("rn 3\n    self.", ".append(4)\n    x = {", Kind::Attribute);
        assert!(found.attributes.contains("append"));
        let found = uses("x)\n    a, b = self.", "(3)\n    x", Kind::Call);
        assert_eq!(found.unpacked, Some(2));
    }
}
