//! Programs of ORCA's sets with a `return` outside a function.
//!
//! Their authors ran each program inside a function, where such a `return` ends it.

use std::ops::Range;

use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{Stmt, StmtReturn};
use ruff_text_size::Ranged;

use crate::syntax::with_parsed;

/// The program with `exit((value))` for each `return value` outside of functions, on the same lines. A program that
/// does not parse is unchanged.
pub fn ending_at_returns(code: &str) -> String {
    let found = with_parsed(code, |parsed| {
        let mut returns = Returns(Vec::new());
        returns.visit_body(&parsed.syntax().body);
        returns.0
    });
    let mut text = code.to_owned();
    for (statement, value) in found.unwrap_or_default().into_iter().rev() {
        let value = value.map_or("None", |value| &code[value]);
        text.replace_range(statement, &format!("exit(({value}))"));
    }
    text
}

/// Where the statements are, and their values.
struct Returns(Vec<(Range<usize>, Option<Range<usize>>)>);

impl<'a> Visitor<'a> for Returns {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Return(StmtReturn { value, range, .. }) => {
                let value = value.as_ref().map(|value| value.range().to_std_range());
                self.0.push((range.to_std_range(), value));
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            other => walk_stmt(self, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ending_at_returns;

    #[test]
    fn returns_outside_functions_end_the_program() {
        let code = "def f():\n    return 1\nif f():\n    return a, 'é'\nelse:\n    return\nreturn (1 +\n    2)\n";
        let ended = "def f():\n    return 1\nif f():\n    exit((a, 'é'))\nelse:\n    exit((None))\nexit((1 +\n    2))\n";
        assert_eq!(ending_at_returns(code), ended);
        assert_eq!(ending_at_returns("print(1\n"), "print(1\n");
    }
}
