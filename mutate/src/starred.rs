//! Stars that the grammar of trees does not know, where Python has them: `for e in *[1], 2:`,
//! `return *f(), 1`.
//!
//! Only for the tree, each is replaced by a blank: byte offsets are preserved, and the edited text
//! keeps its stars.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ModModule};
use ruff_text_size::Ranged;

/// Longer texts are skipped: the stack is sized for these.
const MOST_BYTES: usize = 16 << 10;
const STACK: usize = 256 << 20;

/// The text with blanks for the stars in tuples without parentheses. `None` if it has no such star or is
/// not Python.
pub fn without_stars(source: &str) -> Option<String> {
    if !source.contains('*') || source.len() > MOST_BYTES {
        return None;
    }
    // A text may nest as deeply as it is long.
    let stars = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        let worker = worker.spawn_scoped(scope, || stars(source)).ok()?;
        worker.join().ok()?
    })?;
    let mut bytes = source.as_bytes().to_vec();
    for at in &stars {
        bytes[*at] = b' ';
    }
    let text = String::from_utf8(bytes).ok()?;
    (!stars.is_empty()).then_some(text)
}

fn stars(source: &str) -> Option<Vec<usize>> {
    struct Stars(Vec<usize>);
    impl<'a> Visitor<'a> for Stars {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Tuple(tuple) = expr
                && !tuple.parenthesized
            {
                let starred = tuple.elts.iter().filter(|e| e.is_starred_expr());
                self.0.extend(starred.map(|e| e.start().to_usize()));
            }
            walk_expr(self, expr);
        }
    }
    let module: ModModule = ruff_python_parser::parse_module(source).ok()?.into_syntax();
    let mut found = Stars(Vec::new());
    found.visit_body(&module.body);
    Some(found.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_of_bare_tuples_are_blanks_for_the_tree() {
        let masked = |source: &str| without_stars(source);
        assert_eq!(
            masked("for e in *[1], 2:\n    f(*e, (*e, 1))\n").as_deref(),
            Some("for e in  [1], 2:\n    f(*e, (*e, 1))\n")
        );
        assert_eq!(masked("x = '*', 2 * 3\n"), None);
        assert_eq!(masked("for e in *:\n"), None);
        assert_eq!(masked(&format!("x = {}*y, 1\n", "-".repeat(15_000))), None);
    }
}
