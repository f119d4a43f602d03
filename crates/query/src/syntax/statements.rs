//! Statements as units, in one walk over the tree of a file.

use ruff_python_ast::{
    Decorator, ExceptHandler, Expr, Parameters, Pattern, Stmt, StmtAssign, StmtClassDef, StmtFor,
    StmtFunctionDef, StmtIf, StmtMatch, StmtTry, StmtWhile,
};
use ruff_text_size::{Ranged, TextSize};

use super::expressions::Reader;
use super::{Bound, Head, Scope, Syntax, Unit};

/// The units and scopes of a program; without its lines.
pub(super) fn read(source: &str, body: &[Stmt]) -> Syntax {
    let starts = source.match_indices('\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
    let mut walk = Walk {
        syntax: Syntax {
            scopes: vec![Scope {
                lines: (1, u32::MAX),
                ..Scope::default()
            }],
            of_line: vec![None; starts.len()],
            ..Syntax::default()
        },
        starts,
        scope: 0,
    };
    walk.block(body, None);
    walk.syntax
}

/// A unit, and whether the following statements are in its body.
type Parent = Option<(usize, bool)>;

struct Walk {
    syntax: Syntax,
    starts: Vec<usize>,
    scope: usize,
}

impl Walk {
    fn line(&self, at: TextSize) -> u32 {
        let line = self.starts.partition_point(|start| *start <= at.to_usize());
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// First and last line of something; what ends with a line's end has not begun the next.
    fn lines(&self, node: &impl Ranged) -> (u32, u32) {
        let first = self.line(node.start());
        let end = node.end().checked_sub(1.into()).unwrap_or(node.start());
        (first, self.line(end).max(first))
    }

    /// Lines of a header, and of its body.
    fn header(&self, start: TextSize, body: &[Stmt]) -> ((u32, u32), Option<(u32, u32)>) {
        let first = self.line(start);
        let (Some(one), Some(last)) = (body.first(), body.last()) else {
            return ((first, first), None);
        };
        let begins = self.lines(one).0;
        let body = (begins, self.lines(last).1);
        ((first, begins.saturating_sub(1).max(first)), Some(body))
    }

    /// The unit of these lines: a new one, or that of the first line.
    fn unit(&mut self, (first, last): (u32, u32), parent: Parent, guards: &[usize]) -> usize {
        let place = (first as usize).saturating_sub(1);
        if let Some(known) = self.syntax.of_line.get(place).copied().flatten() {
            let unit = &mut self.syntax.units[known];
            unit.shared = true;
            unit.last = unit.last.max(last);
            self.claim(known, (first, last));
            return known;
        }
        let at = self.syntax.units.len();
        self.syntax.units.push(Unit {
            first,
            last,
            scope: self.scope,
            parent,
            guards: guards.to_vec(),
            ..Unit::default()
        });
        self.claim(at, (first, last));
        at
    }

    fn claim(&mut self, unit: usize, (first, last): (u32, u32)) {
        for line in first..=last {
            if let Some(free) = self.syntax.of_line.get_mut(line as usize - 1) {
                free.get_or_insert(unit);
            }
        }
    }

    /// Passes expressions of a unit to `read`, and notes what they bind.
    fn with(&mut self, unit: usize, read: impl FnOnce(&mut Reader<'_>)) {
        let unit = &mut self.syntax.units[unit];
        let before = unit.binds.len();
        read(&mut Reader::new(unit));
        let scope = &mut self.syntax.scopes[self.scope];
        for bound in &unit.binds[before..] {
            if !scope.globals.contains(&bound.name) && !scope.nonlocals.contains(&bound.name) {
                scope.locals.insert(bound.name.clone());
            }
        }
    }

    fn block(&mut self, body: &[Stmt], parent: Parent) {
        let mut guards = Vec::new();
        for statement in body {
            self.statement(statement, parent, &guards);
            if let Stmt::If(one) = statement
                && leaves(std::slice::from_ref(statement), true)
            {
                let clauses = one.elif_else_clauses.iter();
                let tests = clauses.filter(|clause| clause.test.is_some());
                let starts = tests.map(|clause| clause.range.start());
                for start in std::iter::once(one.range.start()).chain(starts) {
                    guards.extend(self.syntax.unit(self.line(start)));
                }
            }
        }
    }

    fn statement(&mut self, statement: &Stmt, parent: Parent, guards: &[usize]) {
        match statement {
            Stmt::FunctionDef(one) => self.function(one, parent, guards),
            Stmt::ClassDef(one) => self.class(one, parent, guards),
            Stmt::If(one) => self.conditional(one, parent, guards),
            Stmt::While(one) => self.while_loop(one, parent, guards),
            Stmt::For(one) => self.for_loop(one, parent, guards),
            Stmt::Try(one) => self.attempt(one, parent, guards),
            Stmt::Match(one) => self.matching(one, parent, guards),
            Stmt::With(one) => {
                let (lines, _) = self.header(one.range.start(), &one.body);
                let unit = self.unit(lines, parent, guards);
                self.with(unit, |reader| {
                    for item in &one.items {
                        reader.read(&item.context_expr);
                        if let Some(target) = &item.optional_vars {
                            reader.target(target, None);
                        }
                    }
                });
                self.block(&one.body, parent);
            }
            Stmt::Global(one) => {
                let names = one.names.iter().map(ToString::to_string);
                self.syntax.scopes[self.scope].globals.extend(names);
            }
            Stmt::Nonlocal(one) => {
                let names = one.names.iter().map(ToString::to_string);
                self.syntax.scopes[self.scope].nonlocals.extend(names);
            }
            simple => {
                let unit = self.unit(self.lines(simple), parent, guards);
                self.syntax.units[unit].breaks |= simple.is_break_stmt();
                self.with(unit, |reader| simple_statement(reader, simple));
            }
        }
    }

    fn conditional(&mut self, one: &StmtIf, parent: Parent, guards: &[usize]) {
        let (lines, body) = self.header(one.range.start(), &one.body);
        let mut test = self.unit(lines, parent, guards);
        self.head(test, Head::If, body);
        self.with(test, |reader| reader.read(&one.test));
        self.block(&one.body, Some((test, true)));
        for clause in &one.elif_else_clauses {
            let Some(condition) = &clause.test else {
                self.block(&clause.body, Some((test, false)));
                continue;
            };
            let (lines, body) = self.header(clause.range.start(), &clause.body);
            test = self.unit(lines, Some((test, false)), guards);
            self.head(test, Head::If, body);
            self.with(test, |reader| reader.read(condition));
            self.block(&clause.body, Some((test, true)));
        }
    }

    fn head(&mut self, unit: usize, head: Head, body: Option<(u32, u32)>) {
        let unit = &mut self.syntax.units[unit];
        // The first of several statements on a line decides.
        unit.head.get_or_insert(head);
        unit.body = unit.body.or(body);
    }

    fn while_loop(&mut self, one: &StmtWhile, parent: Parent, guards: &[usize]) {
        let (lines, body) = self.header(one.range.start(), &one.body);
        let unit = self.unit(lines, parent, guards);
        let forever = match &*one.test {
            Expr::BooleanLiteral(value) => value.value,
            Expr::NumberLiteral(_) => true,
            _ => false,
        };
        let forever = body.filter(|_| forever).map(|(first, _)| first);
        self.head(unit, Head::While { forever }, body);
        self.with(unit, |reader| reader.read(&one.test));
        self.block(&one.body, Some((unit, true)));
        self.block(&one.orelse, Some((unit, false)));
    }

    fn for_loop(&mut self, one: &StmtFor, parent: Parent, guards: &[usize]) {
        let (lines, body) = self.header(one.range.start(), &one.body);
        let unit = self.unit(lines, parent, guards);
        self.head(unit, Head::For, body);
        self.with(unit, |reader| {
            reader.read(&one.iter);
            reader.target(&one.target, None);
        });
        self.block(&one.body, Some((unit, true)));
        self.block(&one.orelse, Some((unit, false)));
    }

    fn attempt(&mut self, one: &StmtTry, parent: Parent, guards: &[usize]) {
        let (lines, _) = self.header(one.range.start(), &one.body);
        self.unit(lines, parent, guards);
        self.block(&one.body, parent);
        for handler in &one.handlers {
            let ExceptHandler::ExceptHandler(handler) = handler;
            let (lines, body) = self.header(handler.range.start(), &handler.body);
            let unit = self.unit(lines, parent, guards);
            self.head(unit, Head::Except, body);
            self.with(unit, |reader| {
                if let Some(kind) = &handler.type_ {
                    reader.read(kind);
                }
                if let Some(name) = &handler.name {
                    bind(reader, name);
                }
            });
            self.block(&handler.body, Some((unit, true)));
        }
        self.block(&one.orelse, parent);
        self.block(&one.finalbody, parent);
    }

    fn matching(&mut self, one: &StmtMatch, parent: Parent, guards: &[usize]) {
        let first = self.line(one.range.start());
        let last = self.line(one.subject.end()).max(first);
        let subject = self.unit((first, last), parent, guards);
        self.with(subject, |reader| reader.read(&one.subject));
        for case in &one.cases {
            let (lines, body) = self.header(case.range.start(), &case.body);
            let unit = self.unit(lines, parent, guards);
            self.head(unit, Head::Case, body);
            self.with(unit, |reader| {
                reader.read(&one.subject);
                captures(&case.pattern, &mut |name| bind(reader, name));
                if let Some(guard) = &case.guard {
                    reader.read(guard);
                }
            });
            self.block(&case.body, Some((unit, true)));
        }
    }

    fn function(&mut self, one: &StmtFunctionDef, parent: Parent, guards: &[usize]) {
        let (lines, _) = self.header(one.range.start(), &one.body);
        let unit = self.unit(lines, parent, guards);
        self.with(unit, |reader| {
            for decorator in &one.decorator_list {
                reader.read(&decorator.expression);
            }
            let parameters = one.parameters.iter_non_variadic_params();
            parameters
                .filter_map(|one| one.default.as_deref())
                .for_each(|default| reader.read(default));
            bind(reader, &one.name);
        });
        let scope = Scope {
            name: one.name.to_string(),
            is_static: one.decorator_list.iter().any(is_static),
            parameters: names(&one.parameters),
            ..Scope::default()
        };
        self.inside(scope, self.lines(one), &one.parameters, &one.body);
    }

    fn class(&mut self, one: &StmtClassDef, parent: Parent, guards: &[usize]) {
        let (lines, _) = self.header(one.range.start(), &one.body);
        let unit = self.unit(lines, parent, guards);
        self.with(unit, |reader| {
            for decorator in &one.decorator_list {
                reader.read(&decorator.expression);
            }
            for base in one.arguments.iter().flat_map(|all| all.args.iter()) {
                reader.read(base);
            }
            bind(reader, &one.name);
        });
        let scope = Scope {
            name: one.name.to_string(),
            is_class: true,
            ..Scope::default()
        };
        let nothing = Parameters::default();
        self.inside(scope, self.lines(one), &nothing, &one.body);
    }

    /// The body of a function or a class.
    fn inside(&mut self, scope: Scope, lines: (u32, u32), given: &Parameters, body: &[Stmt]) {
        let around = self.scope;
        let outer = &self.syntax.scopes[around];
        let qualified = match outer.qualified.is_empty() {
            true => scope.name.clone(),
            false => format!("{}.{}", outer.qualified, scope.name),
        };
        let locals = given.iter().map(|one| one.name().to_string()).collect();
        self.scope = self.syntax.scopes.len();
        self.syntax.scopes.push(Scope {
            qualified,
            parent: Some(around),
            lines,
            locals,
            ..scope
        });
        self.block(body, None);
        self.scope = around;
    }
}

fn is_static(decorator: &Decorator) -> bool {
    matches!(&decorator.expression, Expr::Name(name) if name.id == "staticmethod")
}

/// Names of parameters, but for `*args` and `**kwargs`.
fn names(parameters: &Parameters) -> Vec<String> {
    let all = parameters.iter_non_variadic_params();
    all.map(|one| one.parameter.name.to_string()).collect()
}

fn bind(reader: &mut Reader<'_>, name: &str) {
    reader.unit.binds.push(Bound {
        name: name.to_owned(),
        from: None,
    });
}

fn simple_statement(reader: &mut Reader<'_>, statement: &Stmt) {
    match statement {
        Stmt::Assign(one) => assignment(reader, one),
        Stmt::AugAssign(one) => {
            match &*one.target {
                Expr::Name(name) => {
                    let mut read = name.clone();
                    read.ctx = ruff_python_ast::ExprContext::Load;
                    reader.read(&Expr::Name(read));
                }
                place => reader.read(place),
            }
            reader.read(&one.value);
            reader.target(&one.target, None);
        }
        Stmt::AnnAssign(one) => {
            if let Some(value) = &one.value {
                reader.read(value);
                reader.target(&one.target, None);
            }
        }
        Stmt::Return(one) => one.value.iter().for_each(|value| reader.read(value)),
        Stmt::Expr(one) => reader.read(&one.value),
        Stmt::Assert(one) => {
            reader.read(&one.test);
            one.msg.iter().for_each(|message| reader.read(message));
        }
        Stmt::Raise(one) => {
            one.exc.iter().for_each(|value| reader.read(value));
            one.cause.iter().for_each(|value| reader.read(value));
        }
        Stmt::Delete(one) => {
            for target in &one.targets {
                match target {
                    Expr::Name(name) => bind(reader, &name.id),
                    place => reader.target(place, None),
                }
            }
        }
        Stmt::Import(one) => {
            for alias in &one.names {
                let whole = alias.asname.as_ref().unwrap_or(&alias.name);
                bind(reader, whole.split('.').next().unwrap_or_default());
            }
        }
        Stmt::ImportFrom(one) => {
            for alias in &one.names {
                bind(reader, alias.asname.as_ref().unwrap_or(&alias.name));
            }
        }
        _ => {}
    }
}

/// `a, b = b, a + b`: each name has its own reads.
fn assignment(reader: &mut Reader<'_>, one: &StmtAssign) {
    if let ([Expr::Tuple(targets)], Expr::Tuple(values)) = (one.targets.as_slice(), &*one.value)
        && targets.elts.len() == values.elts.len()
        && !targets
            .elts
            .iter()
            .chain(&values.elts)
            .any(Expr::is_starred_expr)
    {
        let mut from = Vec::new();
        for value in &values.elts {
            let start = reader.unit.reads.len();
            reader.read(value);
            from.push(start..reader.unit.reads.len());
        }
        for (target, from) in targets.elts.iter().zip(from) {
            reader.target(target, Some(from));
        }
        return;
    }
    reader.read(&one.value);
    for target in &one.targets {
        reader.target(target, None);
    }
}

/// Names that a pattern binds.
fn captures(pattern: &Pattern, bound: &mut dyn FnMut(&str)) {
    match pattern {
        Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => {}
        Pattern::MatchSequence(one) => one.patterns.iter().for_each(|one| captures(one, bound)),
        Pattern::MatchMapping(one) => {
            one.patterns.iter().for_each(|one| captures(one, bound));
            one.rest.iter().for_each(|name| bound(name));
        }
        Pattern::MatchClass(one) => {
            let plain = one.arguments.patterns.iter();
            plain.for_each(|one| captures(one, bound));
            let named = one.arguments.keywords.iter();
            named.for_each(|one| captures(&one.pattern, bound));
        }
        Pattern::MatchStar(one) => one.name.iter().for_each(|name| bound(name)),
        Pattern::MatchAs(one) => {
            one.pattern.iter().for_each(|one| captures(one, bound));
            one.name.iter().for_each(|name| bound(name));
        }
        Pattern::MatchOr(one) => one.patterns.iter().for_each(|one| captures(one, bound)),
    }
}

/// Whether statements can leave their block. `jumps`: `break` and `continue` do.
fn leaves(body: &[Stmt], jumps: bool) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Return(_) | Stmt::Raise(_) => true,
        Stmt::Break(_) | Stmt::Continue(_) => jumps,
        Stmt::If(one) => {
            let others = one.elif_else_clauses.iter();
            leaves(&one.body, jumps) || others.into_iter().any(|other| leaves(&other.body, jumps))
        }
        Stmt::With(one) => leaves(&one.body, jumps),
        Stmt::Try(one) => [&one.body, &one.orelse, &one.finalbody]
            .iter()
            .any(|body| leaves(body, jumps)),
        Stmt::For(one) => leaves(&one.body, false),
        Stmt::While(one) => leaves(&one.body, false),
        _ => false,
    })
}
