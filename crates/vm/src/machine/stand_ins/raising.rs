//! Calls of missing functions, which may raise an exception that the surrounding `try` expects.

use std::sync::Arc;

use super::super::{Flow, Machine, Run};
use crate::code::{Instruction, Op};
use crate::machine::stdlib::files::LONGEST_CLAUSE;
use crate::stand_in::{Taken, Used};
use crate::value::{Object, ObjectId, Value};

/// Probability that a call inside a `try` raises.
const RAISES: f64 = 0.1;
/// Exceptions that do not mean that a call failed.
const NO_FAILURES: [&str; 5] = [
    "BaseException",
    "KeyboardInterrupt",
    "SystemExit",
    "GeneratorExit",
    "StopIteration",
];
/// Maximum clauses of a `try` that are examined.
const MOST_CLAUSES: usize = 8;

/// A dotted name.
type Dotted = Vec<Arc<str>>;

impl Machine {
    /// Decides whether a call of a stand-in raises. By default it does not.
    ///
    /// # Errors
    /// The exception.
    pub(super) fn may_raise(&mut self, function: &Value) -> Run<()> {
        let expected = self.expected_errors();
        if expected.is_empty() {
            return Ok(());
        }
        let what = format!("{}()", self.named(function));
        let others = expected.len();
        let Some(names) = self.other().and_then(|which| expected.get(which)) else {
            let first = expected.iter().filter_map(|names| names.last());
            let first: Vec<&str> = first.map(|name| &**name).collect();
            let taken = Taken::Raises(first.join(" or "), false);
            self.doubts.probability *= 1.0 - RAISES;
            self.note_one_of(&what, taken, 1.0 - RAISES, others);
            return Ok(());
        };
        let sure = RAISES / others as f64;
        self.doubts.probability *= sure;
        let name = names.last().map(|name| &**name).unwrap_or_default();
        self.note_one_of(&what, Taken::Raises(name.to_owned(), true), sure, others);
        let class = self.error_class(names)?;
        let is_error = |id: &ObjectId| self.is_exception_class(*id);
        let Some(class) = class.and_then(|class| class.id()).filter(is_error) else {
            return Ok(());
        };
        let error = self.error_of(class, Vec::new());
        let called = what.trim_end_matches("()");
        let called = called.rsplit('.').next().unwrap_or(called).to_owned();
        self.note(Used::Call, &called, &error, "object", None);
        self.stand_ins.wanted = error.id();
        Err(Flow::Raise(error))
    }

    /// Returns the exceptions that the clauses of the innermost `except` around the instruction
    /// expect: the dotted name of the first class of each.
    fn expected_errors(&self) -> Vec<Dotted> {
        let mut found = Vec::new();
        let frame = self.frames.last().filter(|one| !self.is_runtime(one));
        let Some((frame, last)) = frame.and_then(|frame| Some((frame, frame.last?))) else {
            return found;
        };
        let mut handlers = frame.code.handlers.iter();
        let handler = handlers.find(|h| (h.start as usize..h.end as usize).contains(&last));
        let code = &frame.code.instructions;
        let begin = handler.map(|handler| handler.target as usize);
        let Some(mut at) = begin.filter(|at| {
            let begin = code.get(*at).map(|one| one.op);
            begin == Some(Op::PushExcInfo)
        }) else {
            return found;
        };
        at += 1;
        while found.len() < MOST_CLAUSES {
            let clause = code.get(at..).unwrap_or_default();
            let clause = &clause[..clause.len().min(LONGEST_CLAUSE)];
            if clause.first().is_some_and(|first| first.op == Op::PopTop) {
                found.push(vec!["Exception".into()]);
                break;
            }
            let matches = clause.iter().position(|one| one.op == Op::CheckExcMatch);
            let Some(next) = matches.and_then(|at| clause.get(at + 1)) else {
                break;
            };
            if let Some(names) = Self::first_class(clause, &frame.code.names)
                && names
                    .last()
                    .is_some_and(|name| !NO_FAILURES.contains(&&**name))
            {
                found.push(names);
            }
            if next.op != Op::PopJumpIfFalse || next.arg as usize <= at {
                break;
            }
            at = next.arg as usize;
        }
        found
    }

    /// Returns the dotted name that a clause loads first.
    fn first_class(clause: &[Instruction], names: &[Arc<str>]) -> Option<Dotted> {
        let (first, rest) = clause.split_first()?;
        let name = match first.op {
            Op::LoadName => names.get(first.arg as usize)?,
            Op::LoadGlobal => names.get((first.arg >> 1) as usize)?,
            _ => return None,
        };
        let mut dotted = vec![name.clone()];
        for one in rest.iter().take_while(|one| one.op == Op::LoadAttr) {
            dotted.push(names.get(one.arg as usize)?.clone());
        }
        Some(dotted)
    }

    /// Returns the class of a dotted name, if it can be resolved without executing anything.
    fn error_class(&mut self, names: &[Arc<str>]) -> Run<Option<Value>> {
        let Some((first, rest)) = names.split_first() else {
            return Ok(None);
        };
        let mut class = self.global(first)?;
        for name in rest {
            let module = match self.heap.object(&class) {
                Some(Object::Module(module)) => Some(module.to_string()),
                _ => None,
            };
            class = match module {
                Some(module) => match self.module_member(&module, name)? {
                    Some(member) => member,
                    None => return Ok(None),
                },
                None if self.is_made_up(&class) => self.member(&class, name)?,
                None => return Ok(None),
            };
        }
        Ok(Some(class))
    }
}
