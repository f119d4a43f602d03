//! Values that replace an error caused by a missing object.

use super::super::{Flow, Machine, Run};
use super::executing::MOST_DEPTH;
use crate::code::{Instruction, Op};
use crate::stand_in::Used;
use crate::text::canonical;
use crate::value::{Object, Value};

/// Methods of dicts in Python 2.
const RENAMED: [(&str, &str); 3] = [
    ("iteritems", "items"),
    ("itervalues", "values"),
    ("iterkeys", "keys"),
];

impl Machine {
    /// Executes an instruction. The result is a stand-in if the instruction fails because of a
    /// stand-in among its operands, because it calls an unmodelled function of the library, or
    /// because a module lacks a name.
    pub(in crate::machine) fn attempt(&mut self, instruction: Instruction, at: usize) -> Run<()> {
        let arg = instruction.arg as usize;
        let (taken, given) = match instruction.op {
            Op::BinaryOp | Op::CompareOp | Op::ContainsOp | Op::BinarySubscr => (2, 1),
            Op::Call => (arg + 2, 1),
            Op::CallFunctionEx => (3 + (arg & 1), 1),
            Op::FormatValue => (1 + usize::from(arg & 4 == 4), 1),
            Op::LoadAttr => (1, 1),
            Op::LoadMethod => (1, 2),
            Op::ImportFrom => (0, 1),
            Op::StoreSubscr => (3, 0),
            Op::DeleteSubscr => (2, 0),
            Op::ListExtend | Op::SetUpdate | Op::SetAdd | Op::DictUpdate => (1, 0),
            _ => return self.execute_keyed(instruction, at),
        };
        let is_own = self
            .frames
            .last()
            .is_some_and(|frame| !self.is_runtime(frame));
        let operands: Vec<Value> = match is_own {
            true => (1..=taken)
                .filter_map(|depth| self.operand(depth))
                .collect(),
            false => return self.execute_keyed(instruction, at),
        };
        let frames = self.frames.len();
        let below = self.top()?.stack.len().saturating_sub(taken);
        let flow = match self.execute_keyed(instruction, at) {
            Err(flow @ (Flow::Raise(_) | Flow::Unsupported(_))) if self.frames.len() == frames => {
                flow
            }
            done => return done,
        };
        let cause = operands
            .iter()
            .find_map(|one| self.stand_in_within(one, MOST_DEPTH));
        let made = match &flow {
            Flow::Raise(error) if self.stand_ins.wanted.take() == error.id() => None,
            Flow::Raise(error) => {
                self.instead_of_error(instruction, error, &operands, cause.as_ref())?
            }
            Flow::Unsupported(what) => match (&cause, instruction.op) {
                (Some(cause), _) => Some(self.of_operands(instruction, cause, &operands)?),
                (None, Op::Call | Op::CallFunctionEx) => {
                    let named = operands.iter().rev().find_map(|one| self.callee(one));
                    if named.as_deref() == Some("print") {
                        return Err(flow);
                    }
                    let what = named.unwrap_or_else(|| what.clone());
                    Some(self.not_modelled(&what)?)
                }
                _ => None,
            },
            _ => None,
        };
        let Some(made) = made else {
            return Err(flow);
        };
        let frame = self.top()?;
        frame.stack.truncate(below);
        frame.keywords.clear();
        frame.truth = None;
        if given == 2 {
            self.push_null()?;
        }
        if given > 0 {
            self.push(made)?;
        }
        Ok(())
    }

    /// Returns the result of an operation with a stand-in, which is the same for the same operands.
    fn of_operands(
        &mut self,
        instruction: Instruction,
        cause: &Value,
        operands: &[Value],
    ) -> Run<Value> {
        let texts: String = operands.iter().map(|one| self.key_text(one)).collect();
        let key = format!("{:?}{texts}", instruction.op);
        self.child(cause, ".", &key, None)
    }

    /// Returns a result that replaces an error caused by a missing object. `None` if the error is
    /// the program's own.
    fn instead_of_error(
        &mut self,
        instruction: Instruction,
        error: &Value,
        operands: &[Value],
        cause: Option<&Value>,
    ) -> Run<Option<Value>> {
        let line = self.current_line();
        let Some(guesses) = self.guesses() else {
            return Ok(None);
        };
        let is_caught = |kinds: &[&str]| guesses.catches(line, kinds);
        let arg = instruction.arg as usize;
        if instruction.op == Op::ImportFrom && self.makes_names() {
            let expects = ["ImportError", "ModuleNotFoundError", "Exception", "*"];
            let module = self.peek(1)?;
            if !self.is_a(error, "ImportError") || is_caught(&expects) {
                return Ok(None);
            }
            let name = self.name(arg)?;
            return self.missing_member(&module, &name).map(Some);
        }
        if matches!(instruction.op, Op::LoadAttr | Op::LoadMethod) {
            let [of] = operands else {
                return Ok(None);
            };
            let is_missing = self.is_a(error, "AttributeError") && !is_caught(&["AttributeError"]);
            let name = self.name(arg)?;
            if is_missing
                && self.makes_names()
                && matches!(self.heap.object(of), Some(Object::Module(_)))
            {
                return self.missing_member(of, &name).map(Some);
            }
            let is_dict = matches!(self.heap.object(of), Some(Object::Dict(..)));
            let now = RENAMED.iter().find(|(old, _)| *old == &*name);
            if let (true, true, true, Some((_, now))) =
                (is_missing, is_dict, self.makes_names(), now)
            {
                return self.attribute(of, &(*now).into()).map(Some);
            }
        }
        // An error with `None` is too often the program's own.
        let may_be_made = |one: &&Value| **one != Value::None && self.was_made(one);
        if cause.is_none() && !operands.iter().any(|one| may_be_made(&one)) {
            return Ok(None);
        }
        let calls_program = matches!(instruction.op, Op::Call | Op::CallFunctionEx)
            && operands
                .last()
                .is_some_and(|callee| self.is_of_program(callee));
        let kinds = [
            "TypeError",
            "ValueError",
            "AttributeError",
            "LookupError",
            "ArithmeticError",
        ];
        let is_fault = kinds.iter().any(|kind| self.is_a(error, kind));
        if calls_program || !is_fault || is_caught(&kinds) || is_caught(&["KeyError", "IndexError"])
        {
            return Ok(None);
        }
        let Some(cause) = cause else {
            let (used, name) = match instruction.op {
                Op::LoadAttr | Op::LoadMethod => (Used::Attribute, self.name(arg)?),
                _ => {
                    let called = operands.iter().rev().find_map(|one| self.callee(one));
                    let called = called.unwrap_or_else(|| "operation".to_owned());
                    (
                        Used::Call,
                        called.rsplit('.').next().unwrap_or(&called).into(),
                    )
                }
            };
            let place = self.place_at(line, used, &name);
            let path = place.as_ref().and_then(|place| place.path.clone());
            let path = path.unwrap_or_else(|| format!("?.{name}"));
            return Ok(Some(self.made_at(&path, place, Some((used, &name)), None)));
        };
        self.of_operands(instruction, cause, operands).map(Some)
    }

    /// Whether a plain value may be a made-up one. It cannot be distinguished from other values
    /// with the same text.
    pub(super) fn was_made(&self, value: &Value) -> bool {
        let value = match self.heap.object(value) {
            Some(Object::BuiltinMethod { receiver, .. }) => receiver,
            Some(Object::List(_) | Object::Tuple(_)) => value,
            Some(_) => return false,
            None => value,
        };
        if self.stand_ins.made.is_empty() {
            return false;
        }
        let text = canonical(&self.heap, value);
        self.stand_ins.made.iter().any(|one| one.text == text)
    }

    /// Returns a value for a name that a module lacks, or for one imported from it.
    fn missing_member(&mut self, module: &Value, name: &str) -> Run<Value> {
        let place = self.place_at(self.current_line(), Used::Attribute, name);
        let dotted = match self.heap.object(module) {
            Some(Object::Module(dotted)) => format!("{dotted}.{name}"),
            _ => name.to_owned(),
        };
        let path = place.as_ref().and_then(|place| place.path.clone());
        let memo = module.id().map(|id| (id, format!(".{name}").into()));
        if let Some(known) = memo
            .as_ref()
            .and_then(|memo| self.stand_ins.children.get(memo))
        {
            return Ok(known.clone());
        }
        let path = path.unwrap_or(match self.known_at(name) {
            Some(_) => name.to_owned(),
            None => dotted,
        });
        let value = self.made_at(&path, place, Some((Used::Attribute, name)), None);
        if let Some(memo) = memo {
            self.stand_ins.children.insert(memo, value.clone());
        }
        Ok(value)
    }
}
