//! Imports of C modules that a standard library module has beside its own Python (PEP 399):
//!
//! ```text
//! try:
//!     from _heapq import *
//! except ImportError:
//!     pass
//! ```
//!
//! Such a module works without, so in planning the import fails.

use codexec_data::syntax::with_parsed;
use ruff_python_ast::{ExceptHandler, Stmt};
use ruff_text_size::Ranged;

/// The program with every such import failing. Line numbers are preserved.
pub(super) fn without_accelerators(source: &str) -> String {
    let mut text = source.to_owned();
    let found = with_parsed(source, |parsed| {
        let ranges = parsed
            .suite()
            .iter()
            .filter_map(|statement| match statement {
                Stmt::Try(node) => match node.body.as_slice() {
                    [one] if is_private(one) && node.handlers.iter().any(catches) => {
                        Some(one.range())
                    }
                    _ => None,
                },
                _ => None,
            });
        ranges.collect::<Vec<_>>()
    });
    for range in found.unwrap_or_default().into_iter().rev() {
        let range = range.to_std_range();
        let lines = "\n".repeat(source[range.clone()].matches('\n').count());
        text.replace_range(range, &format!("raise ImportError{lines}"));
    }
    text
}

fn is_private(statement: &Stmt) -> bool {
    match statement {
        Stmt::ImportFrom(node) => {
            node.level == 0
                && node
                    .module
                    .as_ref()
                    .is_some_and(|name| name.starts_with('_'))
        }
        Stmt::Import(node) => node.names.iter().any(|alias| alias.name.starts_with('_')),
        _ => false,
    }
}

fn catches(handler: &ExceptHandler) -> bool {
    let ExceptHandler::ExceptHandler(node) = handler;
    match &node.type_ {
        Some(kind) => {
            matches!(&**kind, ruff_python_ast::Expr::Name(name) if name.id == "ImportError")
        }
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_private_modules_whose_failure_is_caught() {
        let source =
            "try:\n    from _heapq import (a,\n        b)\nexcept ImportError:\n    pass\nx = 1\n";
        let want = "try:\n    raise ImportError\n\nexcept ImportError:\n    pass\nx = 1\n";
        assert_eq!(without_accelerators(source), want);
        for same in [
            "try:\n    import heapq\nexcept ImportError:\n    pass\n",
            "try:\n    import _heapq\nexcept ValueError:\n    pass\n",
            "import _heapq\n",
            "try:\n",
        ] {
            assert_eq!(without_accelerators(same), same);
        }
    }
}
