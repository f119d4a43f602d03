//! Errors behind a branch on an unknown value.
//!
//! Planning ends at such a branch, and what follows is not checked. So the program is planned again with several branches, and
//! with unknown arguments, input and surroundings. An error counts if every branch that was tried ends in it. A missing name
//! that nothing in the file binds counts if one branch does.

use codexec_data::syntax::with_parsed;
use codexec_data::trace::Outcome;
use codexec_engine::{Answer, Answered, Stopped, WOULD_DECIDE};
use ruff_python_ast::visitor::{
    Visitor, walk_except_handler, walk_expr, walk_parameter, walk_pattern, walk_stmt,
};
use ruff_python_ast::{Alias, ExceptHandler, Expr, Parameter, Pattern, Stmt};

use super::super::asked::{Asked, MadeUp};
use super::super::world::{self, Judged};
use super::Gathered;

/// Maximum number of programs of one source that are planned again: itself and calls.
const MOST: usize = 6;

/// The same program with unknown input or arguments, to see whether an error depends on made-up ones.
pub(super) fn without_made_up(asked: &Asked) -> Asked {
    let mut asked = asked.clone();
    match &asked.made_up {
        MadeUp::Input(_) => asked.program.stdin = None,
        MadeUp::Call {
            unknown: Some(call),
            behind,
            ..
        } => {
            let source = asked.program.source.as_deref().unwrap_or_default();
            let before = source.get(..*behind).unwrap_or_default();
            asked.program.source = Some(format!("{before}{call}"));
        }
        _ => {}
    }
    asked
}

impl Gathered<'_> {
    /// Keeps a program if an unknown value ended its planning. Made-up inputs and arguments of one call are one program.
    pub(super) fn keep_undecided(&mut self, asked: &Asked, stopped: &Stopped) {
        let is_given = match &asked.made_up {
            MadeUp::Call { unknown, text, .. } => unknown.is_none() && !text.ends_with("()"),
            _ => false,
        };
        if !stopped.why.ends_with(WOULD_DECIDE) || is_given || self.undecided.len() == MOST {
            return;
        }
        let mut open = without_made_up(asked);
        if matches!(open.made_up, MadeUp::Input(_)) {
            open.made_up = MadeUp::Nothing;
        }
        if !self.undecided.iter().any(|one| one.program == open.program) {
            self.undecided.push(open);
        }
    }

    /// These programs.
    pub(in crate::plan) fn undecided(&mut self) -> Vec<Asked> {
        std::mem::take(&mut self.undecided)
    }

    /// Adds the result of one of them.
    pub(in crate::plan) fn add_either_way(&mut self, asked: &Asked, answer: Answer) {
        let Ok(answered) = answer else {
            return;
        };
        let ends_so = |one: &Answered| {
            one.stopped.is_none() && matches!(one.trace.outcome, Outcome::Raised { .. })
        };
        let same = |other: &Answered| {
            ends_so(other) && world::judge_ended(&answered, other) == Judged::Same
        };
        let lacks_name = |one: &&Answered| {
            let name = match &one.trace.outcome {
                Outcome::Raised { message, .. } => message.split('\'').nth(1),
                _ => None,
            };
            let binds = |name| binds(&self.source.text, name);
            ends_so(one) && world::is_of_name(one) && !name.is_none_or(binds)
        };
        let mut all = std::iter::once(&answered).chain(&answered.others);
        let found = match ends_so(&answered) && answered.others.iter().all(same) {
            true => Some(&answered),
            false => all.find(lacks_name),
        };
        let Some(found) = found.filter(|found| !self.refuses(found)) else {
            return;
        };
        let mut found = found.clone();
        // The probability is that of the finding, not of this branch.
        found.score = Some(0.0);
        let mut asked = asked.clone();
        asked.weight = 1.0;
        asked.most = asked.most.min(world::FOR_EITHER_WAY);
        self.ended_anyway(asked.clone(), &found);
        self.drop_conditions(&asked, &found);
    }

    /// A finding of every branch has no condition and no example input.
    fn drop_conditions(&mut self, asked: &Asked, answered: &Answered) {
        let Outcome::Raised {
            line: at,
            exception,
            ..
        } = &answered.trace.outcome
        else {
            return;
        };
        if asked.made_up != MadeUp::Nothing {
            return;
        }
        for (key, found) in &mut self.found {
            if key.function.is_none() && key.line == *at && key.kind == *exception {
                found.condition = None;
                found.example = None;
            }
        }
    }
}

/// Whether a program binds a name somewhere.
fn binds(source: &str, name: &str) -> bool {
    let found = with_parsed(source, |parsed| {
        let mut found = Binds {
            name,
            is_bound: false,
        };
        found.visit_body(parsed.suite());
        found.is_bound
    });
    found.unwrap_or(true)
}

/// Looks for what binds a name.
struct Binds<'n> {
    name: &'n str,
    is_bound: bool,
}

impl Visitor<'_> for Binds<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        self.is_bound |= match statement {
            Stmt::FunctionDef(one) => *one.name == *self.name,
            Stmt::ClassDef(one) => *one.name == *self.name,
            Stmt::Global(one) => one.names.iter().any(|name| **name == *self.name),
            _ => false,
        };
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Name(one) = expression {
            self.is_bound |= *one.id == *self.name && !one.ctx.is_load();
        }
        walk_expr(self, expression);
    }

    fn visit_alias(&mut self, alias: &Alias) {
        let bound = alias.asname.as_ref().unwrap_or(&alias.name);
        self.is_bound |= bound.split('.').next() == Some(self.name) || **bound == *"*";
    }

    fn visit_parameter(&mut self, parameter: &Parameter) {
        self.is_bound |= *parameter.name == *self.name;
        walk_parameter(self, parameter);
    }

    fn visit_except_handler(&mut self, handler: &ExceptHandler) {
        let ExceptHandler::ExceptHandler(one) = handler;
        self.is_bound |= one.name.as_ref().is_some_and(|name| **name == *self.name);
        walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &Pattern) {
        let name = match pattern {
            Pattern::MatchAs(one) => one.name.as_ref(),
            Pattern::MatchStar(one) => one.name.as_ref(),
            Pattern::MatchMapping(one) => one.rest.as_ref(),
            _ => None,
        };
        self.is_bound |= name.is_some_and(|name| **name == *self.name);
        walk_pattern(self, pattern);
    }
}
