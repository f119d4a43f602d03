//! Python text to a tree-sitter tree, and the few questions about nodes that every pass asks.

use tree_sitter::{Node, Parser, Tree};

use super::GuideError;

/// Deeper trees are refused: every pass recurses.
const DEEPEST: usize = 4000;
/// Stack for the passes over a tree of that depth.
const STACK: usize = 96 << 20;
/// Trees up to this depth are read on the caller's stack.
const SHALLOW: usize = 150;

/// Parses `source` and gives `read` the tree, on a stack that its depth cannot overflow.
pub(super) fn with_tree<T: Send>(
    source: &str,
    read: impl FnOnce(&Tree) -> Result<T, GuideError> + Send,
) -> Result<T, GuideError> {
    let grammar = |why: &dyn std::fmt::Display| GuideError::Grammar {
        why: why.to_string(),
    };
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_python::LANGUAGE.into())
        .map_err(|e| grammar(&e))?;
    let tree = parser
        .parse(source, None)
        .ok_or_else(|| grammar(&"parsing was given up"))?;
    let deepest = depth(&tree);
    if deepest > DEEPEST {
        return Err(GuideError::TooDeep);
    }
    if deepest <= SHALLOW {
        return read(&tree);
    }
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || read(&tree));
        let worker = worker.map_err(|e| grammar(&e))?;
        worker.join().unwrap_or(Err(GuideError::TooDeep))
    })
}

fn depth(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let (mut now, mut most) = (1, 1);
    loop {
        if cursor.goto_first_child() {
            now += 1;
            most = most.max(now);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return most;
            }
            now -= 1;
        }
    }
}

/// The text of a node.
pub(super) fn text<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// Line of a node's first character, 1-based.
pub(super) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// Line of a node's last character, 1-based.
pub(super) fn last_line(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let row = if end.column == 0 && end.row > node.start_position().row {
        end.row - 1
    } else {
        end.row
    };
    row as u32 + 1
}

/// Named children, comments left out.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|c| c.kind() != "comment")
        .collect()
}

/// Whether `node` is the child of its parent that a field names.
pub(super) fn is_field(node: Node<'_>, parent: Node<'_>, field: &str) -> bool {
    let mut cursor = parent.walk();
    parent
        .children_by_field_name(field, &mut cursor)
        .any(|child| child.id() == node.id())
}

/// What a star stands before, if `node` is one: the grammar takes `[*f()]` for a call of `*f`.
pub(super) fn unstarred(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "list_splat" | "list_splat_pattern" => node.named_child(0).unwrap_or(node),
        _ => node,
    }
}

/// An expression without the parentheses around it, and without a star.
pub(super) fn bare(mut node: Node<'_>) -> Node<'_> {
    node = unstarred(node);
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) if inner.kind() != "comment" => node = inner,
            _ => break,
        }
    }
    node
}
