//! Python programs as code objects of CPython 3.11.
//!
//! [`compile`] compiles a program as CPython 3.11 does, instruction by instruction: the same operations,
//! arguments, lines, jump targets, handlers and constants. The steps are CPython's own: the tree with
//! folded constants (`convert`, `fold`), the symbol table (`symbols`), code in basic blocks (`generate`),
//! their optimisation (`optimize`) and the list of instructions (`assemble`).
//!
//! Not produced: caches and specialised instructions, columns, warnings. Surrogate halves in strings
//! (`'\ud800'`) become U+FFFD, as in the parser. Nothing is executed.
//!
//! `tests/dump_code.py` dumps CPython's code for programs, and `tests/compile.rs` compares. After a change
//! of the programs in `tests/fixtures`, regenerate the records beside them as described there.

pub mod code;
pub mod floats;
pub mod tree;

mod arithmetic;
mod assemble;
mod ast;
mod convert;
mod convert_def;
mod convert_expr;
mod fold;
mod future;
mod generate;
mod generate_annotation;
mod generate_call;
mod generate_comp;
mod generate_display;
mod generate_expr;
mod generate_import;
mod generate_mapping;
mod generate_match;
mod generate_scope;
mod generate_try;
mod generate_unwind;
mod lines;
mod literals;
mod optimize;
mod percent;
mod repr;
mod swaps;
mod symbols;
mod symbols_expr;
mod symbols_visit;
mod tree_expr;
mod unit;
mod unparse;

use codexec_trace::syntax::{self, SyntaxError};
use ruff_python_ast as ruff;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;

use crate::code::Code;
use ast::Loc;

/// Why a program has no code: what CPython reports as `SyntaxError`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CompileError {
    /// Line, 1-based; 0 unknown.
    pub line: u32,
    /// Column in characters, 1-based; 0 unknown.
    pub column: u32,
    /// The message, in CPython's words.
    pub message: String,
}

impl From<SyntaxError> for CompileError {
    fn from(error: SyntaxError) -> Self {
        Self {
            line: error.line,
            column: error.column,
            message: error.message,
        }
    }
}

/// The message of a compiler error of our own: `finally` is duplicated for every path through it.
pub const TOO_MUCH: &str = "code that is longer than planning keeps";

impl CompileError {
    fn at(loc: Loc, message: impl Into<String>) -> Self {
        let known = loc.line > 0;
        CompileError {
            line: loc.line.max(0) as u32,
            column: if known { loc.col + 1 } else { 0 },
            message: message.into(),
        }
    }

    /// The same with its column in characters, converted from bytes.
    fn in_characters(mut self, source: &str) -> Self {
        let line = source.lines().nth(self.line.saturating_sub(1) as usize);
        let before = line.and_then(|line| line.get(..self.column.saturating_sub(1) as usize));
        if let Some(before) = before.filter(|_| self.column > 0) {
            self.column = u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX);
        }
        self
    }
}

/// Compiles a program.
///
/// # Errors
/// What CPython reports as `SyntaxError`, in its words unless the parser finds it.
pub fn compile(source: &str) -> Result<Code, CompileError> {
    syntax::check_nesting(source)?;
    on_deep_stack(source, || compile_here(source, false))
}

/// Compiles a program that may be a function body that was cut out: `return` and `await` are allowed at its top.
///
/// # Errors
/// The errors of [`compile`].
pub fn compile_body(source: &str) -> Result<Code, CompileError> {
    syntax::check_nesting(source)?;
    on_deep_stack(source, || compile_here(source, true))
}

/// Deep programs need a deep stack, also for dropping them; untouched pages cost nothing.
#[cfg(not(target_family = "wasm"))]
fn on_deep_stack<T>(source: &str, work: impl FnOnce() -> T) -> T {
    let stack = (64 << 20) + source.len().saturating_mul(1024);
    stacker::grow(stack, work)
}

/// WebAssembly commits all of its memory, and calls use the browser's stack, which does not grow: the linker sets how
/// deep programs can be.
#[cfg(target_family = "wasm")]
fn on_deep_stack<T>(_source: &str, work: impl FnOnce() -> T) -> T {
    work()
}

fn compile_here(source: &str, is_body: bool) -> Result<Code, CompileError> {
    let options = ParseOptions::from(Mode::Module).with_target_version(ruff::PythonVersion::PY311);
    let parsed = parse_unchecked(source, options);
    let mut converter = convert::Converter::new(source);
    if let Some(error) = parsed.errors().first() {
        return Err(syntax::explained(source, error).into());
    }
    if let Some(error) = parsed.unsupported_syntax_errors().first() {
        if let Some(error) = syntax::refused_by_cpython(source) {
            return Err(error.into());
        }
        return Err(CompileError::at(
            converter.at(error.range().start()),
            error.to_string(),
        ));
    }
    let Some(module) = parsed.try_into_module() else {
        return Err(CompileError::at(Loc::NONE, "invalid syntax"));
    };
    let generated = || {
        let future = future::read(module.suite(), &converter)?;
        converter.texts = future.annotations;
        let body = converter.documented_body(module.suite())?;
        drop(module);
        let scopes = symbols_visit::scopes(&body, converter.scope_count(), is_body)?;
        generate::Generator::module(&scopes, &body, future.line, is_body)
    };
    generated().map_err(|error: CompileError| error.in_characters(source))
}
