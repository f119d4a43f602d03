//! Loops with a known number of iterations, and how statements may leave enclosing ones.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{ExceptHandler, Expr, Stmt, StmtFor, StmtWhile};
use ruff_text_size::Ranged;

use super::binds::Binds;
use super::eval::Use;
use super::scope::{Flow, Leave, Stop, Thing, Turn};
use super::value::Value;
use super::walk::Walk;

impl<'a> Walk<'a> {
    fn turn(&self, variable: Option<&'a str>) -> Turn<'a> {
        Turn {
            id: self.steps,
            frame: self.frames[self.here].id,
            variable,
            count: 0,
        }
    }

    /// A `for` that reads.
    pub(super) fn round(&mut self, s: &'a StmtFor, whole: &'a Stmt) -> Result<Flow<'a>, Stop> {
        let orelse = s.orelse.iter().any(|s| self.names.read_in(s.range()));
        if s.is_async || orelse || self.names.read_in(s.target.range()) {
            return Err(Stop);
        }
        let commit = self.commits.len() - 1;
        let iterable = self.eval(&s.iter)?;
        let iterable = self.lines_of(iterable, s.iter.range())?;
        let items = match &iterable.thing {
            Thing::Known(value) => value.items(),
            _ => None,
        };
        let lazy = iterable.pending.as_ref().is_some_and(|p| p.lazy);
        if iterable
            .pending
            .as_ref()
            .is_some_and(|p| !p.prompts.is_empty())
        {
            self.settle_value(iterable, s.iter.range(), false)?;
        } else {
            self.emit(iterable, Use::Eager)?;
        }
        if !s.body.iter().any(|s| self.names.read_in(s.range())) {
            let mut leaves = Vec::new();
            collect_leaves(&s.body, true, &mut leaves);
            if lazy && leaves.contains(&Leave::Break) {
                self.doubt(commit);
            }
            if leaves.contains(&Leave::Return) {
                self.may_leave(Leave::Return, Some(self.position).filter(|_| !lazy));
            }
            self.skip(&s.orelse, Some(self.position));
            self.forget_bound(std::slice::from_ref(whole));
            return Ok(Flow::Next);
        }
        if lazy {
            return Err(Stop);
        }
        let variable = match &*s.target {
            Expr::Name(n) => Some(n.id.as_str()),
            _ => None,
        };
        self.turns.push(self.turn(variable));
        let flow = self.each(items, s)?;
        let flow = self.rounds_end(flow, &s.body)?;
        let mut targets = Binds::default();
        targets.visit_expr(&s.target);
        self.forget(targets.names);
        self.skip(&s.orelse, Some(self.position));
        Ok(flow)
    }

    fn each(&mut self, items: Option<Vec<Value>>, s: &'a StmtFor) -> Result<Flow<'a>, Stop> {
        for item in items.ok_or(Stop)? {
            self.assign(&s.target, Thing::Known(item))?;
            match self.inner_block(&s.body)? {
                Flow::Next | Flow::Continue => {}
                flow => return Ok(flow),
            }
            self.turn_end(&s.body);
        }
        Ok(Flow::Next)
    }

    /// A `while` that reads.
    pub(super) fn repeat(&mut self, s: &'a StmtWhile) -> Result<Flow<'a>, Stop> {
        self.turns.push(self.turn(None));
        let flow = self.while_known(&s.test, &s.body)?;
        self.rounds_end(flow, &s.body)
    }

    fn while_known(&mut self, test: &'a Expr, body: &'a [Stmt]) -> Result<Flow<'a>, Stop> {
        loop {
            self.step()?;
            let value = self.eval(test)?;
            let Thing::Known(value) = self.emit(value, Use::Whole)? else {
                return Err(Stop);
            };
            if !value.truth().ok_or(Stop)? {
                return Ok(Flow::Next);
            }
            match self.inner_block(body)? {
                Flow::Next | Flow::Continue => {}
                flow => return Ok(flow),
            }
            self.turn_end(body);
        }
    }

    fn turn_end(&mut self, body: &'a [Stmt]) {
        if self.settle(Leave::Continue, self.turns.len()) {
            self.forget_bound(body);
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.count += 1;
        }
    }

    /// Leaves a loop; stops if an earlier iteration may have left it for code that is not walked.
    fn rounds_end(&mut self, flow: Flow<'a>, body: &'a [Stmt]) -> Result<Flow<'a>, Stop> {
        let depth = self.turns.len();
        let ended = matches!(flow, Flow::Next);
        let returned = matches!(flow, Flow::Return(_));
        let continued = self.settle(Leave::Continue, depth);
        let broken = self.settle(Leave::Break, depth);
        if (continued && !ended) || (broken && returned) {
            return Err(Stop);
        }
        if broken || continued {
            self.forget_bound(body);
        }
        self.turns.pop();
        Ok(match flow {
            Flow::Return(thing) => Flow::Return(thing),
            _ => Flow::Next,
        })
    }
}

/// How statements may leave enclosing ones; `own` includes a loop around them.
pub(super) fn collect_leaves(body: &[Stmt], own: bool, out: &mut Vec<Leave>) {
    for statement in body {
        match statement {
            Stmt::Break(_) if own => out.push(Leave::Break),
            Stmt::Continue(_) if own => out.push(Leave::Continue),
            Stmt::Return(_) => out.push(Leave::Return),
            Stmt::If(s) => {
                collect_leaves(&s.body, own, out);
                for clause in &s.elif_else_clauses {
                    collect_leaves(&clause.body, own, out);
                }
            }
            Stmt::For(s) => {
                collect_leaves(&s.body, false, out);
                collect_leaves(&s.orelse, own, out);
            }
            Stmt::While(s) => {
                collect_leaves(&s.body, false, out);
                collect_leaves(&s.orelse, own, out);
            }
            Stmt::With(s) => collect_leaves(&s.body, own, out),
            Stmt::Match(s) => {
                for case in &s.cases {
                    collect_leaves(&case.body, own, out);
                }
            }
            Stmt::Try(s) => {
                collect_leaves(&s.body, own, out);
                for handler in &s.handlers {
                    let ExceptHandler::ExceptHandler(h) = handler;
                    collect_leaves(&h.body, own, out);
                }
                collect_leaves(&s.orelse, own, out);
                collect_leaves(&s.finalbody, own, out);
            }
            _ => {}
        }
    }
}
