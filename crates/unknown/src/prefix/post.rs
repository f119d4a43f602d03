//! Drops failing lines of a prefix.

use crate::analysis::syntax::{children, last_line, line, with_tree};

/// Returns a prefix without the statement that contains a line, or without the line if no statement
/// does.
pub(super) fn without_statement(prefix: &str, failed: u32) -> String {
    let lines = with_tree(prefix, |tree| {
        let root = tree.root_node();
        let holds =
            |n: &crate::analysis::tree::Node<'_>| line(*n) <= failed && failed <= last_line(*n);
        let found = children(root).into_iter().find(holds);
        Ok(found
            .filter(|_| !tree.has_error)
            .map(|n| (line(n), last_line(n))))
    });
    let (first, last) = lines.ok().flatten().unwrap_or((failed, failed));
    let kept = prefix
        .lines()
        .zip(1..)
        .filter(|(_, number)| !(first..=last).contains(number));
    kept.map(|(text, _)| format!("{text}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_of_a_line_is_left_out_whole() {
        let prefix = "import os\nx = f(\n    1,\n)\ny = 2\n";
        assert_eq!(without_statement(prefix, 3), "import os\ny = 2\n");
        assert_eq!(without_statement("x = = 1\ny = 2\n", 1), "y = 2\n");
    }
}
