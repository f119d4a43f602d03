//! Parses Python text to a tree-sitter tree, and answers the few queries on nodes that every pass
//! makes.

use codexec_mutate::without_stars;
use tree_sitter::Parser;

use super::ParseError;
use super::tree::{Node, Tree, language};

/// Deeper trees are refused, since every pass recurses.
const DEEPEST: usize = 4000;
/// Stack size for the passes over a tree of that depth.
const STACK: usize = 96 << 20;
/// Trees up to this depth are read on the caller's stack.
const SHALLOW: usize = 150;

/// Parses `source` and passes the tree to `read`, on a stack that its depth cannot overflow.
pub(crate) fn with_tree<T: Send>(
    source: &str,
    read: impl FnOnce(&Tree) -> Result<T, ParseError> + Send,
) -> Result<T, ParseError> {
    let grammar = |why: &dyn std::fmt::Display| ParseError::Grammar {
        why: why.to_string(),
    };
    let mut parser = Parser::new();
    parser.set_language(language()).map_err(|e| grammar(&e))?;
    let mut tree = parser
        .parse(source, None)
        .ok_or_else(|| grammar(&"parsing was given up"))?;
    if tree.root_node().has_error()
        && let Some(masked) = without_stars(source).and_then(|text| parser.parse(text, None))
    {
        tree = masked;
    }
    let tree = Tree::of(&tree);
    let deepest = tree.depth;
    if deepest > DEEPEST {
        return Err(ParseError::TooDeep);
    }
    if deepest <= SHALLOW {
        return read(&tree);
    }
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || read(&tree));
        let worker = worker.map_err(|e| grammar(&e))?;
        worker.join().unwrap_or(Err(ParseError::TooDeep))
    })
}

/// A condition (`None` for `else`) and its block.
pub(crate) type Branch<'t> = (Option<Node<'t>>, Option<Node<'t>>);

/// Returns the branches of an `if` statement, in order.
pub(crate) fn branches(node: Node<'_>) -> Vec<Branch<'_>> {
    fn of(node: Node<'_>) -> Branch<'_> {
        let part = |name| node.child_by_field_name(name);
        (part("condition"), part("consequence"))
    }
    let mut branches = vec![of(node)];
    for other in node.children_by_field_name("alternative") {
        branches.push(match other.kind() {
            "elif_clause" => of(other),
            _ => (None, other.child_by_field_name("body")),
        });
    }
    branches
}

/// Returns the text of a node.
pub(crate) fn text<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// Returns the line of a node's first character, 1-based.
pub(crate) fn line(node: Node<'_>) -> u32 {
    node.first_row() + 1
}

/// Returns the line of a node's last character, 1-based.
pub(crate) fn last_line(node: Node<'_>) -> u32 {
    let (row, column) = node.end();
    let inside = column == 0 && row > node.first_row();
    if inside { row } else { row + 1 }
}

/// Returns the named children, without comments.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children()
        .filter(|c| c.kind() != "comment")
        .collect()
}

/// Whether `node` is the child of its parent in this field.
pub(crate) fn is_field(node: Node<'_>, parent: Node<'_>, field: &str) -> bool {
    parent
        .children_by_field_name(field)
        .any(|child| child.id() == node.id())
}

/// Returns the expression after a star, or the node itself: the grammar parses `[*f()]` as a call
/// of `*f`.
pub(crate) fn unstarred(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "list_splat" | "list_splat_pattern" => node.named_child(0).unwrap_or(node),
        _ => node,
    }
}

/// Strips a star and the parentheses around an expression.
pub(crate) fn bare(mut node: Node<'_>) -> Node<'_> {
    node = unstarred(node);
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) if inner.kind() != "comment" => node = inner,
            _ => break,
        }
    }
    node
}
