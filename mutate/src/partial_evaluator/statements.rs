//! Statements in the order in which they run.
//!
//! A statement that reads nothing is skipped; only its bound names are forgotten.

use ruff_python_ast::{
    ElifElseClause, ExceptHandler, Expr, Stmt, StmtAnnAssign, StmtAssign, StmtAugAssign,
    StmtClassDef, StmtExpr, StmtFunctionDef, StmtIf, StmtImport, StmtImportFrom, StmtReturn,
    StmtTry, StmtWith,
};
use ruff_text_size::{Ranged, TextRange};

use super::binds::Binds;
use super::eval::{Evaluated, Use, arithmetic};
use super::scope::{Body, Flow, Function, Layer, Leave, Stop, Thing};
use super::value::Value;
use super::walk::Walk;

impl<'a> Walk<'a> {
    pub(super) fn statement(&mut self, statement: &'a Stmt) -> Result<Flow<'a>, Stop> {
        self.step()?;
        self.statement = statement.range().start().into();
        self.whole = None;
        let reads = self.names.read_in(statement.range());
        match statement {
            Stmt::Assign(s) => self.assignment(s)?,
            Stmt::AnnAssign(s) => self.annotated(s)?,
            Stmt::AugAssign(s) => self.augmented(s)?,
            Stmt::Expr(s) => self.expression(s)?,
            Stmt::Return(s) => return self.returned(s),
            Stmt::Break(_) => return Ok(Flow::Break),
            Stmt::Continue(_) => return Ok(Flow::Continue),
            Stmt::If(s) => return self.branch(s),
            Stmt::FunctionDef(f) => self.define(f)?,
            Stmt::Import(s) => self.import(s),
            Stmt::ImportFrom(s) => self.import_from(s),
            Stmt::For(s) if reads => return self.round(s, statement),
            Stmt::While(s) if reads && s.orelse.is_empty() => return self.repeat(s),
            Stmt::Try(s) if reads => self.attempt(s, statement)?,
            Stmt::With(s) if reads => self.with_block(s, statement)?,
            Stmt::ClassDef(c) if reads => self.class(c)?,
            _ if reads => return Err(Stop),
            s => self.skip(std::slice::from_ref(s), Some(self.position)),
        }
        Ok(Flow::Next)
    }

    /// `a = b = value`
    fn assignment(&mut self, s: &'a StmtAssign) -> Result<(), Stop> {
        self.whole = Some(s.value.range());
        let value = self.eval(&s.value)?;
        let unpacks = s.targets.len() == 1 && unpacks(&s.targets[0], &value);
        let thing = self.settle_value(value, s.value.range(), unpacks)?;
        for target in &s.targets {
            self.assign(target, thing.clone())?;
        }
        Ok(())
    }

    /// `a: type = value`
    fn annotated(&mut self, s: &'a StmtAnnAssign) -> Result<(), Stop> {
        if self.names.read_in(s.annotation.range()) {
            return Err(Stop);
        }
        if let Some(value) = &s.value {
            let range = value.range();
            let value = self.eval(value)?;
            let thing = self.settle_value(value, range, false)?;
            self.assign(&s.target, thing)?;
        }
        Ok(())
    }

    /// `a += value`
    fn augmented(&mut self, s: &'a StmtAugAssign) -> Result<(), Stop> {
        let before = match &*s.target {
            Expr::Name(n) => self.lookup(&n.id),
            target if self.names.read_in(target.range()) => return Err(Stop),
            _ => Thing::Data,
        };
        let value = self.eval(&s.value)?;
        let thing = self.emit(value, Use::Whole)?;
        if let Expr::Name(n) = &*s.target {
            if self.may_read(&before) || self.may_read(&thing) {
                return Err(Stop);
            }
            let sum = arithmetic(s.op, &before, &thing);
            self.bind(&n.id, sum);
        }
        Ok(())
    }

    /// An expression by itself.
    fn expression(&mut self, s: &'a StmtExpr) -> Result<(), Stop> {
        self.whole = Some(match &*s.value {
            // `print(main())`
            Expr::Call(c) if matches!(&*c.func, Expr::Name(n) if n.id.as_str() == "print") => {
                match &*c.arguments.args {
                    [Expr::Call(inner)] => inner.range(),
                    _ => c.range(),
                }
            }
            e => e.range(),
        });
        let value = self.eval(&s.value)?;
        self.settle_value(value, s.value.range(), false)?;
        Ok(())
    }

    /// The returned value.
    fn returned(&mut self, s: &'a StmtReturn) -> Result<Flow<'a>, Stop> {
        let Some(value) = &s.value else {
            return Ok(Flow::Return(Thing::Data));
        };
        let range = value.range();
        self.whole = Some(range);
        let value = self.eval(value)?;
        Ok(Flow::Return(self.settle_value(value, range, false)?))
    }

    /// `import a`
    fn import(&mut self, s: &'a StmtImport) {
        for alias in &s.names {
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            let sys = alias.name.as_str() == "sys";
            let thing = if sys { Thing::Sys } else { Thing::Data };
            self.bind(name.split('.').next().unwrap_or_default(), thing);
        }
    }

    /// `from a import b`
    fn import_from(&mut self, s: &'a StmtImportFrom) {
        let sys = s.module.as_ref().is_some_and(|m| m.as_str() == "sys");
        for alias in &s.names {
            let thing = match alias.name.as_str() {
                "stdin" | "*" if sys => Thing::Stream(Layer::Text),
                "open" | "stdin" | "input" => Thing::Opaque,
                _ => Thing::Data,
            };
            match alias.name.as_str() {
                "*" => {
                    // it may bind any name anew
                    let all: Vec<&'a str> = self.frames[self.here].things.keys().copied().collect();
                    self.forget(all);
                    if sys {
                        self.bind("stdin", thing);
                    }
                }
                name => self.bind(alias.asname.as_ref().map_or(name, |n| n.as_str()), thing),
            }
        }
    }

    /// A `with` whose body reads.
    fn with_block(&mut self, s: &'a StmtWith, statement: &'a Stmt) -> Result<(), Stop> {
        if s.is_async || s.items.iter().any(|i| self.names.read_in(i.range)) {
            return Err(Stop);
        }
        self.forget_bound(std::slice::from_ref(statement));
        let (commit, before) = (self.commits.len() - 1, self.reads);
        let Flow::Next = self.inner_block(&s.body)? else {
            return Err(Stop);
        };
        // it may have swallowed an exception
        if self.reads != before {
            self.doubt(commit);
        }
        self.forget_bound(std::slice::from_ref(statement));
        Ok(())
    }

    /// A class with a method that reads: what its instances do is not known.
    fn class(&mut self, c: &'a StmtClassDef) -> Result<(), Stop> {
        let head = c
            .arguments
            .as_ref()
            .is_some_and(|a| self.names.read_in(a.range));
        let reads = |s: &Stmt| match s {
            Stmt::FunctionDef(f) => self.head_reads(f),
            s => self.names.read_in(s.range()),
        };
        if head || !c.decorator_list.is_empty() || c.body.iter().any(reads) {
            return Err(Stop);
        }
        self.bind(&c.name, Thing::Opaque);
        Ok(())
    }

    /// Whether something that is passed on could be made to read.
    pub(super) fn may_read(&self, thing: &Thing<'a>) -> bool {
        match thing {
            Thing::Known(_) | Thing::Data => false,
            Thing::Builtin(name) => matches!(*name, "open" | "input"),
            Thing::Function(f) => self.names.read_in(f.range),
            Thing::Opaque | Thing::Sys | Thing::Stream(_) | Thing::Reader(..) => true,
        }
    }

    /// Notes the value of the expression at `whole`, the first that its statement evaluates.
    pub(super) fn settle_value(
        &mut self,
        value: Evaluated<'a>,
        whole: TextRange,
        unpacked: bool,
    ) -> Result<Thing<'a>, Stop> {
        if let (Some(pending), Thing::Known(known)) = (&value.pending, &value.thing)
            && pending.range == whole
            && known.has_literal()
            && (!matches!(known, Value::Iter(_)) || unpacked)
            && !pending.lazy
        {
            self.note(whole, known.clone(), pending.prompts.clone(), unpacked);
            return Ok(value.thing);
        }
        self.emit(value, Use::Whole)
    }

    pub(super) fn assign(&mut self, target: &'a Expr, thing: Thing<'a>) -> Result<(), Stop> {
        match target {
            Expr::Name(n) => self.bind(&n.id, thing),
            _ if self.may_read(&thing) => return Err(Stop),
            Expr::Tuple(_) | Expr::List(_) => {
                let targets = match target {
                    Expr::Tuple(t) => &t.elts,
                    Expr::List(l) => &l.elts,
                    _ => return Err(Stop),
                };
                let items = match thing {
                    Thing::Known(value) => value.items(),
                    _ => None,
                };
                let stars = targets.iter().any(|t| matches!(t, Expr::Starred(_)));
                let items = items.filter(|i| i.len() == targets.len() && !stars);
                for (at, target) in targets.iter().enumerate() {
                    let item = items.as_ref().map(|i| Thing::Known(i[at].clone()));
                    self.assign(target, item.unwrap_or(Thing::Data))?;
                }
            }
            Expr::Starred(s) => self.assign(&s.value, Thing::Data)?,
            Expr::Subscript(s) => {
                for part in [&s.value, &s.slice] {
                    let value = self.eval(part)?;
                    self.emit(value, Use::Whole)?;
                }
            }
            target if self.names.read_in(target.range()) => return Err(Stop),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn head_reads(&self, f: &StmtFunctionDef) -> bool {
        let returns = f.returns.as_ref().map(|r| r.range());
        let decorators = f.decorator_list.iter().map(|d| d.range());
        decorators
            .chain([f.parameters.range])
            .chain(returns)
            .any(|range| self.names.read_in(range))
    }

    pub(super) fn define(&mut self, f: &'a StmtFunctionDef) -> Result<(), Stop> {
        if self.head_reads(f) {
            return Err(Stop);
        }
        let plain = !f.is_async && f.decorator_list.is_empty() && !Binds::of(&f.body).lazy;
        let thing = if plain {
            Thing::Function(Function {
                name: &f.name,
                range: f.range,
                parameters: Some(&f.parameters),
                body: Body::Statements(&f.body),
                parent: self.here,
                parent_id: self.frames[self.here].id,
            })
        } else if self.names.read_in(f.range) {
            Thing::Opaque
        } else {
            Thing::Data
        };
        self.bind(&f.name, thing);
        Ok(())
    }

    pub(super) fn branch(&mut self, s: &'a StmtIf) -> Result<Flow<'a>, Stop> {
        let clauses: Vec<(Option<&'a Expr>, &'a [Stmt])> =
            std::iter::once((Some(&*s.test), &*s.body))
                .chain(s.elif_else_clauses.iter().map(|c: &ElifElseClause| {
                    let body: &'a [Stmt] = &c.body;
                    (c.test.as_ref(), body)
                }))
                .collect();
        for (at, (test, body)) in clauses.iter().enumerate() {
            let known = match test {
                None => Some(true),
                Some(test) => {
                    if at > 0 && self.names.read_in(test.range()) {
                        return Err(Stop);
                    }
                    let value = self.eval(test)?;
                    match self.settle_value(value, test.range(), false)? {
                        Thing::Known(value) => value.truth(),
                        _ => None,
                    }
                }
            };
            match known {
                Some(true) => return self.block(body),
                Some(false) => {}
                None => return self.either(&clauses[at..]),
            }
        }
        Ok(Flow::Next)
    }

    /// One of several branches; which one is uncertain.
    pub(super) fn either(
        &mut self,
        clauses: &[(Option<&'a Expr>, &'a [Stmt])],
    ) -> Result<Flow<'a>, Stop> {
        let tests = clauses[1..].iter().filter_map(|(test, _)| *test);
        if tests.into_iter().any(|t| self.names.read_in(t.range())) {
            return Err(Stop);
        }
        let reads = |body: &[Stmt]| body.iter().any(|s| self.names.read_in(s.range()));
        if !clauses.iter().any(|(_, body)| reads(body)) {
            for (_, body) in clauses {
                self.skip(body, Some(self.position));
            }
            return Ok(Flow::Next);
        }
        let (start, commit) = (self.position, self.commits.len() - 1);
        let frames = self.frames.clone();
        let mut ends: Vec<usize> = Vec::new();
        if clauses.iter().all(|(test, _)| test.is_some()) {
            ends.push(start);
        }
        self.conditional += 1;
        for (_, body) in clauses {
            self.position = start;
            self.frames.clone_from(&frames);
            let leave = match self.inner_block(body)? {
                Flow::Next => {
                    ends.push(self.position);
                    continue;
                }
                Flow::Break => Leave::Break,
                Flow::Continue => Leave::Continue,
                Flow::Return(_) => Leave::Return,
            };
            self.may_leave(leave, Some(self.position));
        }
        self.conditional -= 1;
        self.frames = frames;
        for (_, body) in clauses {
            self.forget_bound(body);
        }
        let Some(last) = ends.iter().max() else {
            // no branch comes to its end
            return Err(Stop);
        };
        if ends.iter().any(|e| e != last) {
            self.doubt(commit);
        }
        self.position = *last;
        Ok(Flow::Next)
    }

    pub(super) fn attempt(&mut self, s: &'a StmtTry, whole: &'a Stmt) -> Result<(), Stop> {
        let in_handlers = s.handlers.iter().any(|h| self.names.read_in(h.range()));
        let mut after = s.orelse.iter().chain(&s.finalbody);
        if in_handlers || after.any(|s| self.names.read_in(s.range())) {
            return Err(Stop);
        }
        let (commit, before, exits) = (self.commits.len() - 1, self.reads, self.exits.len());
        self.forget_bound(std::slice::from_ref(whole));
        let was = std::mem::replace(&mut self.linear, false);
        let mut certain = true;
        for (at, statement) in s.body.iter().enumerate() {
            let (reads, events) = (self.reads, self.events.len());
            let Flow::Next = self.statement(statement)? else {
                return Err(Stop);
            };
            // nothing can have failed before the only read
            let first = at == 0
                && self.reads == reads + 1
                && self.events.len() == events + 1
                && is_first(statement, self.events[events].range);
            certain &= first || self.reads == reads;
        }
        self.linear = was;
        if (self.reads != before && !certain) || self.exits.len() != exits {
            self.doubt(commit);
        }
        for handler in &s.handlers {
            let ExceptHandler::ExceptHandler(h) = handler;
            self.skip(&h.body, Some(self.position).filter(|_| certain));
        }
        self.skip(&s.orelse, None);
        self.skip(&s.finalbody, None);
        self.forget_bound(std::slice::from_ref(whole));
        Ok(())
    }
}

/// Whether `range` is evaluated before anything else of the statement can fail.
fn is_first(statement: &Stmt, range: TextRange) -> bool {
    let value = match statement {
        Stmt::Assign(s) => &s.value,
        Stmt::Expr(s) => &s.value,
        _ => return false,
    };
    let argument = match &**value {
        Expr::Call(c) if matches!(&*c.func, Expr::Name(n) if matches!(n.id.as_str(), "int" | "float")) => {
            c.arguments.args.iter().any(|a| a.range() == range)
        }
        _ => false,
    };
    argument || value.range() == range
}

/// Whether a value can be written without brackets where `target` unpacks it.
fn unpacks(target: &Expr, value: &Evaluated<'_>) -> bool {
    let targets = match target {
        Expr::Tuple(t) => &t.elts,
        Expr::List(l) => &l.elts,
        _ => return false,
    };
    let Thing::Known(Value::Iter(items) | Value::Tuple(items)) = &value.thing else {
        return false;
    };
    let stars = targets
        .iter()
        .filter(|t| matches!(t, Expr::Starred(_)))
        .count();
    match stars {
        0 => items.len() == targets.len(),
        1 => items.len() + 1 >= targets.len(),
        _ => false,
    }
}
