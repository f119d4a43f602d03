//! `from __future__ import …`: which features a program asks for.

use ruff_python_ast as ruff;

use super::CompileError;
use super::ast::Loc;
use super::convert::Converter;

const FEATURES: [&str; 10] = [
    "nested_scopes",
    "generators",
    "division",
    "absolute_import",
    "with_statement",
    "print_function",
    "unicode_literals",
    "barry_as_FLUFL",
    "generator_stop",
    "annotations",
];

/// The `__future__` imports of a program.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Future {
    /// Annotations stay strings.
    pub annotations: bool,
    /// Line of the last of these imports; 0 if there is none.
    pub line: i32,
}

/// Reads the imports at the beginning.
pub(super) fn read(body: &[ruff::Stmt], converter: &Converter) -> Result<Future, CompileError> {
    let mut future = Future::default();
    for (at, stmt) in body.iter().enumerate() {
        match stmt {
            ruff::Stmt::ImportFrom(import)
                if import.level == 0 && import.module.as_deref() == Some("__future__") =>
            {
                let loc = converter.loc(stmt);
                for alias in &import.names {
                    features(alias.name.as_str(), loc, &mut future)?;
                }
                future.line = loc.line;
            }
            ruff::Stmt::Expr(text) if at == 0 && text.value.is_string_literal_expr() => {}
            _ => break,
        }
    }
    Ok(future)
}

fn features(name: &str, loc: Loc, future: &mut Future) -> Result<(), CompileError> {
    match name {
        "annotations" => future.annotations = true,
        "braces" => return Err(CompileError::at(loc, "not a chance")),
        name if FEATURES.contains(&name) => {}
        name => {
            return Err(CompileError::at(
                loc,
                format!("future feature {name} is not defined"),
            ));
        }
    }
    Ok(())
}
