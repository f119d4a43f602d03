//! What an incomplete program misses: names that nobody binds, and modules that are not of the standard library. Code
//! in front of it binds them to values of the classes that the predictors of `codexec guide` name; their origin is
//! `injected`. A missing import becomes an assignment on its line. Files that are opened have three lines.

use std::collections::BTreeSet;

use codexec_data::syntax::with_parsed;
use codexec_data::trace::{Origin, Program, Trace};
use ruff_python_ast::visitor::{Visitor, walk_except_handler, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{
    ExceptHandler, Expr, ExprContext, Parameters, Pattern, Stmt, StmtImport, StmtImportFrom,
};
use ruff_python_stdlib::builtins::is_python_builtin;
use ruff_python_stdlib::sys::is_known_standard_library;
use ruff_text_size::{Ranged, TextRange};

use super::super::imports::without_lines;
use super::spelled::{CLASS, CLASS_TEXT, Spelled};
use codexec_unknown::analysis::is_builtin;
use codexec_unknown::guide::prepare;
use codexec_unknown::values::Predictor;

/// Name of the class of files, which `open` gives.
const FILE: &str = "MissingFile";
/// Lines of a file in a program that reads numbers.
const NUMBERS: &str = r"['1\n', '2\n', '3\n']";
/// Lines of a file in any other program.
const WORDS: &str = r"['a b\n', 'c d\n', 'e f\n']";
/// Minor version of the Python whose builtins and modules are known.
const MINOR: u8 = 11;

/// The code in front of a program, and the program with its missing imports assigned.
#[derive(Debug, Default)]
pub(super) struct Injected {
    front: String,
    source: String,
    names: BTreeSet<String>,
}

impl Injected {
    /// For a program. `None` if it misses nothing, or cannot be read.
    pub(super) fn new(program: &Program, predictor: &dyn Predictor) -> Self {
        let source = program.source.as_deref().unwrap_or_default();
        let unchanged = || Self {
            source: source.to_owned(),
            ..Self::default()
        };
        let found = with_parsed(source, |parsed| {
            let mut names = Names::default();
            names.visit_body(parsed.suite());
            names
        });
        let (Ok(found), Ok(prepared)) = (found, prepare(source)) else {
            return unchanged();
        };
        let mut names = found.missing();
        let mut text = source.to_owned();
        for (range, bound) in found.imports.iter().rev() {
            names.extend(bound.iter().cloned());
            let same = format!("{} = {}", bound.join(", "), bound.join(", "));
            text.replace_range(range.to_std_range(), &same);
        }
        let opens = found.read.contains("open") && !found.bound.contains("open");
        if names.is_empty() && !opens {
            return unchanged();
        }
        let missing = names.iter().map(String::as_str).collect();
        let values = Spelled::new(source, &prepared, predictor, &missing);
        let mut front = CLASS_TEXT.to_owned();
        for name in &names {
            front.push_str(&format!("{name} = {}\n", values.expression(name, 0)));
        }
        if opens {
            let numbers = found.read.contains("int") || found.read.contains("float");
            let lines = if numbers { NUMBERS } else { WORDS };
            front.push_str(&include_str!("missing_file.py").replace("LINES", lines));
        }
        Self {
            front,
            source: text,
            names,
        }
    }

    /// The program behind the code.
    pub(super) fn before(&self, program: &Program) -> Program {
        Program {
            source: Some(format!("{}{}", self.front, self.source)),
            ..program.clone()
        }
    }

    /// The trace of the program alone.
    pub(super) fn without(&self, mut trace: Trace, program: &Program) -> Trace {
        let lines = self.front.lines().count();
        without_lines(&mut trace, u32::try_from(lines).unwrap_or(u32::MAX));
        for step in &mut trace.steps {
            let opens = self.front.contains(FILE);
            let hidden = |name: &str| match name {
                CLASS => !self.front.is_empty(),
                FILE | "open" => opens,
                _ => false,
            };
            let shown = step.state.iter().filter(|(name, _)| !hidden(name));
            let marked = shown.map(|(name, value)| {
                let mut value = value.clone();
                let injected =
                    self.names.contains(name) || value.text.starts_with(&format!("<{FILE} "));
                if value.origin == Origin::Computed && injected {
                    value.origin = Origin::Injected;
                }
                (name.to_owned(), value)
            });
            step.state = marked.collect();
        }
        trace.program = program.clone();
        trace
    }
}

/// Whether the planner knows a module, of the standard library or beyond it.
fn is_known(module: &str) -> bool {
    is_known_standard_library(MINOR, module) || module == "numpy"
}

/// Names that a program reads and binds, anywhere in it, and imports of modules that are not there.
#[derive(Default)]
struct Names {
    read: BTreeSet<String>,
    bound: BTreeSet<String>,
    imports: Vec<(TextRange, Vec<String>)>,
    /// `from x import *` may bind anything.
    all: bool,
}

impl Names {
    fn missing(&self) -> BTreeSet<String> {
        if self.all {
            return BTreeSet::new();
        }
        let is_known = |name: &str| {
            let dunder = name.starts_with("__") && name.ends_with("__");
            self.bound.contains(name)
                || is_builtin(name)
                || is_python_builtin(name, MINOR, false)
                || dunder
        };
        let missing = self.read.iter().filter(|name| !is_known(name));
        missing.cloned().collect()
    }

    fn bind(&mut self, name: &str) {
        self.bound.insert(name.to_owned());
    }

    fn parameters(&mut self, parameters: &Parameters) {
        for parameter in parameters {
            self.bind(parameter.name());
        }
    }

    fn import(&mut self, node: &StmtImport) {
        let known = |module: &str| is_known(module.split('.').next().unwrap_or_default());
        let bound = |alias: &ruff_python_ast::Alias| match &alias.asname {
            Some(name) => name.to_string(),
            None => alias.name.split('.').next().unwrap_or_default().to_owned(),
        };
        let names: Vec<String> = node.names.iter().map(bound).collect();
        if node.names.iter().all(|alias| !known(&alias.name)) {
            self.imports.push((node.range(), names.clone()));
        }
        for name in names {
            self.bind(&name);
        }
    }

    fn import_from(&mut self, node: &StmtImportFrom) {
        let module = node.module.as_deref().unwrap_or_default();
        let first = module.split('.').next().unwrap_or_default();
        let known = node.level == 0 && is_known(first);
        let names: Vec<String> = node
            .names
            .iter()
            .map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).to_string())
            .collect();
        if names.iter().any(|name| name == "*") {
            self.all |= known || first != "__future__";
        } else if !known && first != "__future__" {
            self.imports.push((node.range(), names.clone()));
        }
        for name in names {
            self.bind(&name);
        }
    }
}

impl Visitor<'_> for Names {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(node) => self.import(node),
            Stmt::ImportFrom(node) => self.import_from(node),
            Stmt::FunctionDef(node) => {
                self.bind(&node.name);
                self.parameters(&node.parameters);
            }
            Stmt::ClassDef(node) => self.bind(&node.name),
            Stmt::Global(node) => node.names.iter().for_each(|name| self.bind(name)),
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Name(node) if node.ctx == ExprContext::Load => {
                self.read.insert(node.id.to_string());
            }
            Expr::Name(node) => self.bind(&node.id),
            Expr::Lambda(node) => {
                if let Some(parameters) = &node.parameters {
                    self.parameters(parameters);
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &ExceptHandler) {
        let ExceptHandler::ExceptHandler(node) = handler;
        if let Some(name) = &node.name {
            self.bind(name);
        }
        walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &Pattern) {
        let name = match pattern {
            Pattern::MatchAs(node) => node.name.as_ref(),
            Pattern::MatchStar(node) => node.name.as_ref(),
            Pattern::MatchMapping(node) => node.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.bind(name);
        }
        walk_pattern(self, pattern);
    }
}
