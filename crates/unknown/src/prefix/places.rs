//! Expressions of a program by position.

use std::collections::HashMap;

use crate::analysis::Kind;
use crate::analysis::paths::{arguments, path_of};
use crate::analysis::syntax::{children, last_line, line};
use crate::analysis::tree::Node;
use crate::guide::Location;

/// An expression with a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    /// Its lines.
    pub lines: (u32, u32),
    /// Its path.
    pub path: String,
    /// The number of its arguments, if it is a call.
    pub called: Option<usize>,
}

/// Returns every expression that has a path, in order.
pub(super) fn places(root: Node<'_>, source: &str) -> Vec<Place> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let is_value = matches!(
            node.kind(),
            "identifier" | "attribute" | "call" | "subscript" | "await"
        );
        let first = line(node);
        if is_value && let Some(path) = path_of(node, source) {
            found.push(Place {
                lines: (first, last_line(node).min(first + 12)),
                path,
                called: arguments(node).map(|found| found.len()),
            });
        }
        open.extend(children(node).into_iter().rev());
    }
    found
}

/// Returns the indices of the places on each line.
pub(super) fn on_line(places: &[Place]) -> HashMap<u32, Vec<u32>> {
    let mut found: HashMap<u32, Vec<u32>> = HashMap::new();
    for (place, at) in places.iter().zip(0..) {
        for line in place.lines.0..=place.lines.1 {
            found.entry(line).or_default().push(at);
        }
    }
    found
}

/// Returns the first location of each path, for queries to predictors.
pub(super) fn first_places(locations: &[Location]) -> HashMap<String, u32> {
    let mut found = HashMap::new();
    for (place, at) in locations.iter().zip(0..) {
        let Some(path) = &place.path else { continue };
        if (place.kind == Kind::Name) != path.contains(['.', '(', '[']) {
            found.entry(path.clone()).or_insert(at);
        }
    }
    found
}
