//! Conditions on unknown values, if [`Settings::either_way`](super::Settings) is set: planning
//! takes one branch, and another world takes the other.
//!
//! A condition is true, and a loop over an unknown value has one item. Each is a decision
//! ([`Machine::decisions`]) that another world takes differently: the condition is false, the loop
//! has no item or many. This holds for the program's own conditions; those of the library end
//! planning. A condition that is met too often ends it, too: an endless loop would end in any
//! error.

use std::sync::Arc;

use super::unknown::needs;
use super::{Machine, Run};
use crate::code::{Instruction, Op};
use crate::machine::eval::eval_loop::broken;
use crate::stand_in::Taken;
use crate::value::Value;

/// The probability of each way.
const EVEN: f64 = 0.5;
/// Items of a loop that has many.
const MANY: u32 = 6;
/// Maximum number of decisions of one line, and the same in a world where a loop has many items.
const MOST_VISITS: (u32, u32) = (2, 4 * MANY);
/// Maximum number of decisions of one execution.
const MOST_DECISIONS: usize = 60;

impl Machine {
    /// Executes a branch or a loop on an unknown value. Returns false for other instructions and
    /// for known values.
    pub(super) fn go_either_way(&mut self, instruction: Instruction) -> Run<bool> {
        let decides = matches!(
            instruction.op,
            Op::GetIter
                | Op::ForIter
                | Op::PopJumpIfFalse
                | Op::PopJumpIfTrue
                | Op::PopJumpIfNone
                | Op::PopJumpIfNotNone
                | Op::JumpIfFalseOrPop
                | Op::JumpIfTrueOrPop
        );
        if !decides {
            return Ok(false);
        }
        let value = self.peek(1)?;
        let Some(module) = self.module_of(&value) else {
            return Ok(false);
        };
        let is_own = self.frames.last().is_some_and(|frame| frame.traced);
        let is_again = self.is_met_again(instruction.op, &value);
        if !is_own || self.decisions().len() >= MOST_DECISIONS || is_again {
            return Err(needs(&module));
        }
        match instruction.op {
            // Each loop has its own value, which tells how many items it had.
            Op::GetIter => {
                self.pop()?;
                let value = self.unknown_value(module);
                self.push(value)?;
            }
            Op::ForIter => match self.has_another(&value, &module) {
                true => {
                    let item = self.unknown_value(module);
                    self.push(item)?;
                }
                false => {
                    self.pop()?;
                    self.jump(instruction.arg)?;
                }
            },
            Op::PopJumpIfFalse | Op::PopJumpIfTrue => {
                self.pop()?;
                if self.holds(&module) == (instruction.op == Op::PopJumpIfTrue) {
                    self.jump(instruction.arg)?;
                }
            }
            Op::PopJumpIfNone | Op::PopJumpIfNotNone => {
                self.pop()?;
                let is_none = !self.holds(&module);
                if is_none == (instruction.op == Op::PopJumpIfNone) {
                    self.jump(instruction.arg)?;
                }
            }
            Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => {
                match self.holds(&module) == (instruction.op == Op::JumpIfTrueOrPop) {
                    true => self.jump(instruction.arg)?,
                    false => drop(self.pop()?),
                }
            }
            _ => return Err(broken("condition")),
        }
        Ok(true)
    }

    /// Whether a line has reached its maximum of decisions.
    fn is_met_again(&self, op: Op, value: &Value) -> bool {
        let (most, of_many) = MOST_VISITS;
        let most = match op {
            Op::GetIter => return false,
            Op::ForIter if self.is_begun(value) => return false,
            Op::ForIter => 1,
            _ if self.stand_ins.has_many => of_many,
            _ => most,
        };
        let times = self.stand_ins.rounds.get(&self.current_line());
        times.is_some_and(|times| *times >= most)
    }

    /// Whether the number of items of a loop is decided.
    fn is_begun(&self, iterator: &Value) -> bool {
        let id = iterator.id();
        id.is_some_and(|id| self.stand_ins.left.contains_key(&id))
    }

    /// Whether a condition is true: every other time on its line, and the opposite in another
    /// world.
    fn holds(&mut self, module: &Arc<str>) -> bool {
        let line = self.current_line();
        let times = self.stand_ins.rounds.entry(line).or_default();
        *times += 1;
        let usual = *times % 2 == 1;
        let outcome = usual != self.is_otherwise();
        self.note_decision(module, Taken::Holds(outcome), EVEN);
        outcome
    }

    /// Whether a loop over an unknown value has another item. Their number is decided when the loop
    /// begins.
    fn has_another(&mut self, iterator: &Value, module: &Arc<str>) -> bool {
        let Some(id) = iterator.id() else {
            return false;
        };
        let left = match self.stand_ins.left.get(&id) {
            Some(left) => *left,
            None => {
                let line = self.current_line();
                *self.stand_ins.rounds.entry(line).or_default() += 1;
                let items = match self.other() {
                    None => 1,
                    Some(0) => 0,
                    Some(_) => MANY,
                };
                self.stand_ins.has_many |= items == MANY;
                self.note_one_of(module, Taken::Holds(items > 0), EVEN, 2);
                items
            }
        };
        self.stand_ins.left.insert(id, left.saturating_sub(1));
        left > 0
    }
}
