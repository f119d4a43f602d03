//! `return` statements outside functions: a program cut out of a function ends there.

use std::collections::BTreeSet;

use super::syntax::{children, line, with_tree};
use super::tree::Node;

/// Returns the first lines of the `return` statements outside functions.
pub fn stray_returns(source: &str) -> BTreeSet<u32> {
    with_tree(source, |tree| Ok(below(tree.root_node()))).unwrap_or_default()
}

pub(crate) fn below(root: Node<'_>) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match node.kind() {
            "return_statement" => {
                found.insert(line(node));
            }
            // Their `return` is their own, or they are not Python.
            "function_definition" | "class_definition" | "expression_statement" => {}
            _ => open.extend(children(node)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_that_no_function_is_around() {
        let source =
            "def f():\n    return 1\nif x:\n    return (\n        2)\nfor y in z: return\n";
        assert_eq!(stray_returns(source), [4, 6].into());
        assert!(stray_returns("def f(:").is_empty());
    }
}
