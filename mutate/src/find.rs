//! One walk over a program: the sites of all operators and the table of bindings.
//!
//! The walk keeps its own stack: programs can nest deeper than a thread's stack allows. The engine
//! draws edits for the sites.

use std::cmp::Reverse;
use std::ops::Range;

use tree_sitter::Tree;

use crate::operator::{Above, Inside};
use crate::precedence::{Bound, Level, Side};
use crate::{Operator, Place, Site};

/// A site and whose it is.
pub(crate) struct Found {
    pub operator: &'static Operator,
    /// Which of the operator's sites it is, in source order.
    pub index: usize,
    pub site: Site,
    /// Its node in the table of bindings.
    pub bound: Option<usize>,
}

/// The results of a walk over a program.
pub(crate) struct Sites {
    /// Outer sites before the ones inside them.
    pub found: Vec<Found>,
    pub bounds: Vec<Bound>,
    /// Nodes above the deepest.
    pub depth: usize,
}

/// Finds the sites of `operators`.
pub(crate) fn find(tree: &Tree, source: &str, operators: &[&'static Operator]) -> Sites {
    let mut sites = Sites {
        found: Vec::new(),
        bounds: Vec::new(),
        depth: 0,
    };
    let mut above: Vec<Above<'_>> = Vec::new();
    let mut kept: Vec<Range<usize>> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let kind = node.kind();
        sites.depth = sites.depth.max(above.len());
        if kind == "comment" && is_pragma(&source[node.byte_range()]) {
            kept.push(line_of(source, node.start_byte()));
        }
        let inside = above
            .last()
            .map_or_else(Inside::default, |a| a.inside.below(a.kind));
        let place = Place {
            node,
            kind,
            above: &above,
            inside,
            source,
        };
        let bound = if inside.fixed {
            None
        } else {
            bind(&place, cursor.field_name(), &mut sites.bounds)
        };
        if !inside.fixed {
            for operator in operators {
                let here = (operator.find)(&place).into_iter();
                sites.found.extend(here.map(|site| Found {
                    operator,
                    index: 0,
                    site,
                    bound,
                }));
            }
        }
        if cursor.goto_first_child() {
            above.push(Above {
                node,
                kind,
                bound,
                inside,
            });
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                sites.found.retain(|found| !writes_in(&found.site, &kept));
                order(&mut sites.found, operators);
                return sites;
            }
            above.pop();
        }
    }
}

/// Whether a comment excludes its line: `# pragma: no mutate`, as in mutmut.
fn is_pragma(comment: &str) -> bool {
    let said = comment.split_once("pragma:");
    said.is_some_and(|(_, said)| said.contains("no mutate"))
}

/// The bytes of a line, without its end.
fn line_of(source: &str, at: usize) -> Range<usize> {
    let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let length = source[at..].find('\n').unwrap_or(source.len() - at);
    start..at + length
}

/// Whether a site writes in one of these lines.
fn writes_in(site: &Site, lines: &[Range<usize>]) -> bool {
    let mut slots = site.slots.iter();
    slots.any(|slot| {
        let last = slot.end.max(slot.start + 1);
        lines
            .iter()
            .any(|line| slot.start < line.end && line.start < last)
    })
}

/// Numbers the sites of each operator by where they first write, then puts outer sites first.
fn order(found: &mut [Found], operators: &[&'static Operator]) {
    found.sort_by_key(|f| f.site.slots.first().map_or(0, |slot| slot.start));
    for operator in operators {
        let own = found
            .iter_mut()
            .filter(|f| f.operator.code == operator.code);
        for (index, found) in own.enumerate() {
            found.index = index;
        }
    }
    found.sort_by_key(|f| (f.site.range.start, Reverse(f.site.range.end)));
}

/// Enters a node into the table of bindings, if an edit can change how it or an operand binds.
fn bind(place: &Place<'_, '_>, field: Option<&str>, bounds: &mut Vec<Bound>) -> Option<usize> {
    let level = match place.kind {
        "binary_operator" | "boolean_operator" => {
            let operator = place.field("operator")?;
            Level::of(operator.kind())?
        }
        "not_operator" => Level::Not,
        "unary_operator" => Level::Unary,
        "await" => Level::Await,
        "integer" | "float" => Level::Atom,
        _ => return None,
    };
    let side = if matches!(field, Some("right" | "argument")) {
        Side::Right
    } else {
        Side::Left
    };
    let above = place.above.last();
    let parent = above.and_then(|a| a.bound);
    if let Some(parent) = parent {
        // `a and b and c` is one expression with three operands
        if place.kind == "boolean_operator" && side == Side::Left && bounds[parent].level == level {
            return Some(parent);
        }
    }
    let before_trailer = above.is_some_and(|a| match a.kind {
        "attribute" | "await" => true,
        "subscript" => field == Some("value"),
        "call" => field == Some("function"),
        _ => false,
    });
    bounds.push(Bound {
        range: place.node.byte_range(),
        level,
        parent: parent.map(|p| (p, side)),
        before_trailer,
    });
    Some(bounds.len() - 1)
}
