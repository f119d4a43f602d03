//! CPython 3.11's syntax tree of a program, as `ast.parse` gives it: every node with its fields and its place, nothing folded.
//!
//! It is a list of steps for a stack: what a node is made of stands before it, in the order of its fields. So nobody who makes
//! the nodes has to be as deep as the program.

use std::sync::Arc;

use ruff_python_ast as ruff;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::ast::Loc;
use super::convert::Converter;
use super::{CompileError, on_deep_stack, syntax};
use crate::code::Constant;

/// What is made next.
#[derive(Debug, Clone)]
pub enum Step {
    /// A constant, or nothing.
    Constant(Constant),
    /// The only object of a class without fields, such as `Load`.
    One(&'static str),
    /// A list of the given number of parts made before.
    List(usize),
    /// A node of a class: one for each of its fields was made before.
    Node {
        /// The class.
        class: &'static str,
        /// Its fields.
        fields: &'static [&'static str],
        /// Line and column where it begins and where it ends, for classes that have them.
        place: Option<[u32; 4]>,
    },
}

/// What kind of text is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `exec`: a module.
    Module,
    /// `eval`: an expression.
    Expression,
    /// `single`: what is typed at a prompt.
    Interactive,
}

pub(super) type Result<T> = std::result::Result<T, CompileError>;

/// The steps that make the tree of a text.
///
/// # Errors
/// What CPython reports as `SyntaxError`.
pub fn parse(source: &str, kind: Kind) -> Result<Vec<Step>> {
    syntax::check_nesting(source)?;
    on_deep_stack(source, || {
        parse_here(source, kind).map_err(|error| error.in_characters(source))
    })
}

fn parse_here(source: &str, kind: Kind) -> Result<Vec<Step>> {
    let mode = match kind {
        Kind::Expression => Mode::Expression,
        Kind::Module | Kind::Interactive => Mode::Module,
    };
    let options = ParseOptions::from(mode).with_target_version(ruff::PythonVersion::PY311);
    let parsed = parse_unchecked(source, options);
    let converter = Converter::new(source);
    if let Some(error) = parsed.errors().first() {
        return Err(syntax::explained(source, error).into());
    }
    if let Some(error) = parsed.unsupported_syntax_errors().first() {
        if let Some(error) = syntax::refused_by_cpython(source) {
            return Err(error.into());
        }
        let place = converter.at(error.range().start());
        return Err(CompileError::at(place, error.to_string()));
    }
    let mut tree = Tree {
        converter,
        steps: Vec::new(),
    };
    match parsed.syntax() {
        ruff::Mod::Module(module) => {
            tree.body(&module.body)?;
            if kind == Kind::Interactive {
                tree.bare("Interactive", &["body"]);
            } else {
                tree.steps.push(Step::List(0));
                tree.bare("Module", &["body", "type_ignores"]);
            }
        }
        ruff::Mod::Expression(expression) => {
            tree.expr(&expression.body)?;
            tree.bare("Expression", &["body"]);
        }
    }
    Ok(tree.steps)
}

/// Writes the steps.
pub(super) struct Tree<'s> {
    pub(super) converter: Converter<'s>,
    pub(super) steps: Vec<Step>,
}

impl Tree<'_> {
    pub(super) fn none(&mut self) {
        self.constant(Constant::None);
    }

    pub(super) fn constant(&mut self, constant: Constant) {
        self.steps.push(Step::Constant(constant));
    }

    pub(super) fn text(&mut self, text: &str) {
        let text: Arc<str> = self.converter.name(text);
        self.constant(Constant::Str(text));
    }

    pub(super) fn name_or_none(&mut self, name: Option<&ruff::Identifier>) {
        match name {
            Some(name) => self.text(name.as_str()),
            None => self.none(),
        }
    }

    pub(super) fn one(&mut self, class: &'static str) {
        self.steps.push(Step::One(class));
    }

    pub(super) fn bare(&mut self, class: &'static str, fields: &'static [&'static str]) {
        self.steps.push(Step::Node {
            class,
            fields,
            place: None,
        });
    }

    pub(super) fn node(
        &mut self,
        class: &'static str,
        fields: &'static [&'static str],
        place: [u32; 4],
    ) {
        self.steps.push(Step::Node {
            class,
            fields,
            place: Some(place),
        });
    }

    pub(super) fn place(&self, range: TextRange) -> [u32; 4] {
        self.between(range.start(), range.end())
    }

    pub(super) fn between(&self, start: TextSize, end: TextSize) -> [u32; 4] {
        self.from(self.converter.at(start), end)
    }

    fn from(&self, start: Loc, end: TextSize) -> [u32; 4] {
        let line = |place: Loc| u32::try_from(place.line).unwrap_or(1);
        let end = self.converter.at(end);
        [line(start), start.col, line(end), end.col]
    }

    pub(super) fn body(&mut self, body: &[ruff::Stmt]) -> Result<()> {
        for statement in body {
            self.stmt(statement)?;
        }
        self.steps.push(Step::List(body.len()));
        Ok(())
    }

    fn stmt(&mut self, statement: &ruff::Stmt) -> Result<()> {
        let place = self.place(statement.range());
        self.converter.enter(statement.start())?;
        self.stmt_inner(statement, place)?;
        self.converter.leave();
        Ok(())
    }

    fn stmt_inner(&mut self, statement: &ruff::Stmt, place: [u32; 4]) -> Result<()> {
        use ruff::Stmt as R;
        match statement {
            R::FunctionDef(node) => self.function(node)?,
            R::ClassDef(node) => self.class(node)?,
            R::Return(node) => {
                self.optional(node.value.as_deref())?;
                self.node("Return", &["value"], place);
            }
            R::Delete(node) => {
                self.exprs(&node.targets)?;
                self.node("Delete", &["targets"], place);
            }
            R::Assign(node) => {
                self.exprs(&node.targets)?;
                self.expr(&node.value)?;
                self.none();
                self.node("Assign", &["targets", "value", "type_comment"], place);
            }
            R::AugAssign(node) => {
                self.expr(&node.target)?;
                self.one(operator(node.op));
                self.expr(&node.value)?;
                self.node("AugAssign", &["target", "op", "value"], place);
            }
            R::AnnAssign(node) => {
                self.expr(&node.target)?;
                self.expr(&node.annotation)?;
                self.optional(node.value.as_deref())?;
                self.constant(Constant::Int(node.simple.into()));
                let fields = &["target", "annotation", "value", "simple"];
                self.node("AnnAssign", fields, place);
            }
            R::Raise(node) => {
                self.optional(node.exc.as_deref())?;
                self.optional(node.cause.as_deref())?;
                self.node("Raise", &["exc", "cause"], place);
            }
            R::Assert(node) => {
                self.expr(&node.test)?;
                self.optional(node.msg.as_deref())?;
                self.node("Assert", &["test", "msg"], place);
            }
            R::Import(node) => {
                self.aliases(&node.names);
                self.node("Import", &["names"], place);
            }
            R::ImportFrom(node) => {
                match &node.module {
                    Some(module) => {
                        self.text(&module.as_str().replace(char::is_whitespace, ""));
                    }
                    None => self.none(),
                }
                self.aliases(&node.names);
                self.constant(Constant::Int(node.level.into()));
                self.node("ImportFrom", &["module", "names", "level"], place);
            }
            R::Global(node) => {
                self.names(&node.names);
                self.node("Global", &["names"], place);
            }
            R::Nonlocal(node) => {
                self.names(&node.names);
                self.node("Nonlocal", &["names"], place);
            }
            R::Expr(node) => {
                self.expr(&node.value)?;
                self.node("Expr", &["value"], place);
            }
            R::Pass(_) => self.node("Pass", &[], place),
            R::Break(_) => self.node("Break", &[], place),
            R::Continue(_) => self.node("Continue", &[], place),
            _ => self.block(statement, place)?,
        }
        Ok(())
    }

    fn block(&mut self, statement: &ruff::Stmt, place: [u32; 4]) -> Result<()> {
        use ruff::Stmt as R;
        match statement {
            R::For(node) => {
                self.expr(&node.target)?;
                self.expr(&node.iter)?;
                self.body(&node.body)?;
                self.body(&node.orelse)?;
                self.none();
                let class = if node.is_async { "AsyncFor" } else { "For" };
                let fields = &["target", "iter", "body", "orelse", "type_comment"];
                self.node(class, fields, place);
            }
            R::While(node) => {
                self.expr(&node.test)?;
                self.body(&node.body)?;
                self.body(&node.orelse)?;
                self.node("While", &["test", "body", "orelse"], place);
            }
            R::If(node) => {
                self.expr(&node.test)?;
                self.body(&node.body)?;
                self.clauses(&node.elif_else_clauses, node.end())?;
                self.node("If", &["test", "body", "orelse"], place);
            }
            R::With(node) => {
                for item in &node.items {
                    self.expr(&item.context_expr)?;
                    self.optional(item.optional_vars.as_deref())?;
                    self.bare("withitem", &["context_expr", "optional_vars"]);
                }
                self.steps.push(Step::List(node.items.len()));
                self.body(&node.body)?;
                self.none();
                let class = if node.is_async { "AsyncWith" } else { "With" };
                self.node(class, &["items", "body", "type_comment"], place);
            }
            R::Match(node) => {
                self.expr(&node.subject)?;
                for case in &node.cases {
                    self.pattern(&case.pattern)?;
                    self.optional(case.guard.as_deref())?;
                    self.body(&case.body)?;
                    self.bare("match_case", &["pattern", "guard", "body"]);
                }
                self.steps.push(Step::List(node.cases.len()));
                self.node("Match", &["subject", "cases"], place);
            }
            R::Try(node) => {
                self.body(&node.body)?;
                for handler in &node.handlers {
                    let ruff::ExceptHandler::ExceptHandler(handler) = handler;
                    self.optional(handler.type_.as_deref())?;
                    self.name_or_none(handler.name.as_ref());
                    self.body(&handler.body)?;
                    let place = self.place(handler.range());
                    self.node("ExceptHandler", &["type", "name", "body"], place);
                }
                self.steps.push(Step::List(node.handlers.len()));
                self.body(&node.orelse)?;
                self.body(&node.finalbody)?;
                let class = if node.is_star { "TryStar" } else { "Try" };
                self.node(class, &["body", "handlers", "orelse", "finalbody"], place);
            }
            _ => {
                let place = self.converter.at(statement.start());
                return Err(CompileError::at(place, "invalid syntax"));
            }
        }
        Ok(())
    }

    /// Each `elif` is an `if` in what is done otherwise.
    fn clauses(&mut self, clauses: &[ruff::ElifElseClause], end: TextSize) -> Result<()> {
        let mut places = Vec::new();
        let mut is_open = true;
        for clause in clauses {
            self.converter.enter(clause.start())?;
            match &clause.test {
                Some(test) => {
                    places.push(self.between(clause.start(), end));
                    self.expr(test)?;
                    self.body(&clause.body)?;
                }
                None => {
                    self.body(&clause.body)?;
                    is_open = false;
                }
            }
        }
        if is_open {
            self.steps.push(Step::List(0));
        }
        for place in places.into_iter().rev() {
            self.node("If", &["test", "body", "orelse"], place);
            self.steps.push(Step::List(1));
        }
        clauses.iter().for_each(|_| self.converter.leave());
        Ok(())
    }

    fn function(&mut self, node: &ruff::StmtFunctionDef) -> Result<()> {
        let start = (self.converter).behind_decorators(&node.decorator_list, node.start());
        if node.type_params.is_some() {
            return Err(CompileError::at(start, "invalid syntax"));
        }
        self.text(&node.name);
        self.parameters(Some(&node.parameters))?;
        self.body(&node.body)?;
        self.decorators(&node.decorator_list)?;
        self.optional(node.returns.as_deref())?;
        self.none();
        let class = match node.is_async {
            true => "AsyncFunctionDef",
            false => "FunctionDef",
        };
        let fields = &[
            "name",
            "args",
            "body",
            "decorator_list",
            "returns",
            "type_comment",
        ];
        let place = self.from(start, node.end());
        self.node(class, fields, place);
        Ok(())
    }

    fn class(&mut self, node: &ruff::StmtClassDef) -> Result<()> {
        let start = (self.converter).behind_decorators(&node.decorator_list, node.start());
        if node.type_params.is_some() {
            return Err(CompileError::at(start, "invalid syntax"));
        }
        self.text(&node.name);
        self.exprs(node.bases())?;
        self.keywords(node.keywords())?;
        self.body(&node.body)?;
        self.decorators(&node.decorator_list)?;
        let fields = &["name", "bases", "keywords", "body", "decorator_list"];
        let place = self.from(start, node.end());
        self.node("ClassDef", fields, place);
        Ok(())
    }

    fn decorators(&mut self, decorators: &[ruff::Decorator]) -> Result<()> {
        for decorator in decorators {
            self.expr(&decorator.expression)?;
        }
        self.steps.push(Step::List(decorators.len()));
        Ok(())
    }

    pub(super) fn parameters(&mut self, parameters: Option<&ruff::Parameters>) -> Result<()> {
        let none = ruff::Parameters::default();
        let parameters = parameters.unwrap_or(&none);
        let lists = [&parameters.posonlyargs, &parameters.args];
        for list in lists {
            for parameter in list {
                self.parameter(&parameter.parameter)?;
            }
            self.steps.push(Step::List(list.len()));
        }
        self.variadic_parameter(parameters.vararg.as_deref())?;
        for parameter in &parameters.kwonlyargs {
            self.parameter(&parameter.parameter)?;
        }
        self.steps.push(Step::List(parameters.kwonlyargs.len()));
        for parameter in &parameters.kwonlyargs {
            self.optional(parameter.default.as_deref())?;
        }
        self.steps.push(Step::List(parameters.kwonlyargs.len()));
        self.variadic_parameter(parameters.kwarg.as_deref())?;
        let mut count = 0;
        for parameter in lists.into_iter().flatten() {
            if let Some(default) = &parameter.default {
                self.expr(default)?;
                count += 1;
            }
        }
        self.steps.push(Step::List(count));
        let fields = &[
            "posonlyargs",
            "args",
            "vararg",
            "kwonlyargs",
            "kw_defaults",
            "kwarg",
            "defaults",
        ];
        self.bare("arguments", fields);
        Ok(())
    }

    fn variadic_parameter(&mut self, parameter: Option<&ruff::Parameter>) -> Result<()> {
        match parameter {
            Some(parameter) => self.parameter(parameter),
            None => {
                self.none();
                Ok(())
            }
        }
    }

    fn parameter(&mut self, parameter: &ruff::Parameter) -> Result<()> {
        self.text(&parameter.name);
        self.optional(parameter.annotation.as_deref())?;
        self.none();
        // The star of `*args` stands before it.
        let annotation = parameter.annotation.as_deref();
        let end = annotation.map_or(parameter.name.end(), Ranged::end);
        let end = end.max(parameter.range().end());
        let place = self.between(parameter.name.start(), end);
        self.node("arg", &["arg", "annotation", "type_comment"], place);
        Ok(())
    }

    fn aliases(&mut self, names: &[ruff::Alias]) {
        for alias in names {
            // `import a . b` is `import a.b`
            self.text(&alias.name.as_str().replace(char::is_whitespace, ""));
            self.name_or_none(alias.asname.as_ref());
            let place = self.place(alias.range());
            self.node("alias", &["name", "asname"], place);
        }
        self.steps.push(Step::List(names.len()));
    }

    fn names(&mut self, names: &[ruff::Identifier]) {
        for name in names {
            self.text(name);
        }
        self.steps.push(Step::List(names.len()));
    }
}

/// The class of an operator.
pub(super) fn operator(op: ruff::Operator) -> &'static str {
    match op {
        ruff::Operator::Add => "Add",
        ruff::Operator::Sub => "Sub",
        ruff::Operator::Mult => "Mult",
        ruff::Operator::MatMult => "MatMult",
        ruff::Operator::Div => "Div",
        ruff::Operator::Mod => "Mod",
        ruff::Operator::Pow => "Pow",
        ruff::Operator::LShift => "LShift",
        ruff::Operator::RShift => "RShift",
        ruff::Operator::BitOr => "BitOr",
        ruff::Operator::BitXor => "BitXor",
        ruff::Operator::BitAnd => "BitAnd",
        ruff::Operator::FloorDiv => "FloorDiv",
    }
}
