//! Docstring examples as `doctest` executes them: typed lines, in which each expression prints its
//! value.

use ruff_python_ast::{ExceptHandler, Stmt};
use ruff_text_size::Ranged;

use crate::compile::compile;
use crate::machine::{After, Flow, Machine, Run};
use crate::value::Value;

impl Machine {
    /// `_doctest_run(text, names)`: executes an example in a dict of names, which contains
    /// `_doctest_show`.
    pub(in crate::machine) fn run_example(
        &mut self,
        text: &str,
        names: &Value,
    ) -> Run<Option<Value>> {
        let unsupported = |why: &str| Flow::Unsupported(format!("a doctest {why}"));
        let source = shown(text).ok_or_else(|| unsupported("that does not parse"))?;
        let code = compile(&source).map_err(|_| unsupported("that does not parse"))?;
        let code = code.of_text();
        let Some(names) = names.id() else {
            return Err(unsupported("without names"));
        };
        let after = std::mem::replace(&mut self.after, After::Push);
        self.run_text(code, names, names, after)?;
        Ok(None)
    }
}

/// Returns the text with `_doctest_show` around expression statements outside functions and
/// classes.
fn shown(text: &str) -> Option<String> {
    let parsed = ruff_python_parser::parse_module(text).ok()?;
    let mut places = Vec::new();
    add_places(&parsed.syntax().body, &mut places);
    let mut out = text.to_owned();
    places.sort_unstable();
    for (start, end) in places.into_iter().rev() {
        out.insert_str(end, "))");
        out.insert_str(start, "_doctest_show((");
    }
    Some(out)
}

fn add_places(body: &[Stmt], places: &mut Vec<(usize, usize)>) {
    for statement in body {
        match statement {
            Stmt::Expr(one) => {
                let range = one.range();
                places.push((range.start().to_usize(), range.end().to_usize()));
            }
            Stmt::For(one) => {
                add_places(&one.body, places);
                add_places(&one.orelse, places);
            }
            Stmt::While(one) => {
                add_places(&one.body, places);
                add_places(&one.orelse, places);
            }
            Stmt::If(one) => {
                add_places(&one.body, places);
                for clause in &one.elif_else_clauses {
                    add_places(&clause.body, places);
                }
            }
            Stmt::With(one) => add_places(&one.body, places),
            Stmt::Try(one) => {
                for part in [&one.body, &one.orelse, &one.finalbody] {
                    add_places(part, places);
                }
                for ExceptHandler::ExceptHandler(handler) in &one.handlers {
                    add_places(&handler.body, places);
                }
            }
            Stmt::Match(one) => {
                for case in &one.cases {
                    add_places(&case.body, places);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn statements_show_their_values() {
        assert_eq!(shown("1, 2").as_deref(), Some("_doctest_show((1, 2))"));
        let looped = "for x in y:\n    f(x)  # each\n    a = f(x)\n";
        let want = "for x in y:\n    _doctest_show((f(x)))  # each\n    a = f(x)\n";
        assert_eq!(shown(looped).as_deref(), Some(want));
        assert_eq!(
            shown("def f():\n    1\n").as_deref(),
            Some("def f():\n    1\n")
        );
        assert_eq!(shown("1 +"), None);
    }
}
