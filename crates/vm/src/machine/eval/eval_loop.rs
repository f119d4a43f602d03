//! The evaluation loop: one instruction after another, with the line events of CPython 3.11.

use std::sync::Arc;

use codexec_trace::Outcome;

use crate::code::{Code, Constant, Instruction, Op};
use crate::fold::{BinaryOp, CompareOp, UnaryOp};
use crate::machine::eval::operator_methods::Operator;
use crate::machine::{After, Flow, Frame, Machine, Run};
use crate::value::{DictKind, Entries, Object, ObjectId, Value};

impl Machine {
    /// Executes one instruction of the innermost frame.
    pub(in crate::machine) fn next_instruction(&mut self) -> Run<()> {
        self.budget.instructions += 1;
        if self.budget.instructions > self.settings.max_instructions {
            return Err(Flow::End(Outcome::InstructionLimit));
        }
        self.keep_to_budget()?;
        if self.close_dropped()? {
            return Ok(());
        }
        if let Some(error) = self.carried_on() {
            return self.carry(error);
        }
        let Some(frame) = self.frames.last() else {
            return Err(Flow::End(Outcome::Finished));
        };
        let at = frame.next;
        let Some(&instruction) = frame.code.instructions.get(at) else {
            return Err(Flow::Unsupported("code without a return".to_string()));
        };
        if frame.traced {
            self.trace(at, instruction)?;
        }
        let frame = self.top()?;
        frame.last = Some(at);
        frame.next = at + 1;
        self.after = After::Push;
        self.watch(instruction);
        if self.execute_unknown(instruction)? {
            return Ok(());
        }
        if self.goes_on() {
            if self.execute_stand_in(instruction)? {
                return Ok(());
            }
            return self.attempt(instruction, at);
        }
        self.execute_keyed(instruction, at)
    }

    /// Executes an instruction. The program decides which of its keys are equal.
    pub(in crate::machine) fn execute_keyed(
        &mut self,
        instruction: Instruction,
        at: usize,
    ) -> Run<()> {
        if !self.own_keys.wanted || crate::machine::objects::user_hash::wants_no_key(instruction.op)
        {
            return self.execute(instruction);
        }
        self.begin_keys();
        let done = self.execute(instruction);
        self.end_keys(at, done)
    }

    pub(in crate::machine) fn push(&mut self, value: Value) -> Run<()> {
        self.top()?.stack.push(Some(value));
        Ok(())
    }

    pub(in crate::machine) fn push_null(&mut self) -> Run<()> {
        self.top()?.stack.push(None);
        Ok(())
    }

    pub(in crate::machine) fn pop(&mut self) -> Run<Value> {
        self.pop_slot()?.ok_or_else(|| broken("null"))
    }

    pub(in crate::machine) fn pop_slot(&mut self) -> Run<Option<Value>> {
        self.top()?.stack.pop().ok_or_else(|| broken("empty stack"))
    }

    pub(in crate::machine) fn pop_many(&mut self, count: usize) -> Run<Vec<Value>> {
        let stack = &mut self.top()?.stack;
        let at = stack
            .len()
            .checked_sub(count)
            .ok_or_else(|| broken("short stack"))?;
        let values: Option<Vec<Value>> = stack.split_off(at).into_iter().collect();
        values.ok_or_else(|| broken("null"))
    }

    /// Returns the value `depth` below the top; 1 is the top.
    pub(in crate::machine) fn peek(&mut self, depth: usize) -> Run<Value> {
        let stack = &self.top()?.stack;
        let at = stack
            .len()
            .checked_sub(depth)
            .ok_or_else(|| broken("short stack"))?;
        stack[at].clone().ok_or_else(|| broken("null"))
    }

    pub(in crate::machine) fn name(&mut self, index: usize) -> Run<Arc<str>> {
        self.top()?
            .code
            .names
            .get(index)
            .cloned()
            .ok_or_else(|| broken("name"))
    }

    pub(in crate::machine) fn jump(&mut self, target: u32) -> Run<()> {
        self.top()?.next = target as usize;
        Ok(())
    }

    /// Pops a value and returns whether it is true. The same instruction may be executed again.
    pub(in crate::machine) fn pop_truth(&mut self) -> Run<bool> {
        let value = self.pop()?;
        if let Some(truth) = self.top()?.truth.take() {
            return Ok(truth);
        }
        self.after = After::Truth(value.clone());
        self.truth(&value)
    }

    #[allow(clippy::too_many_lines)] // one arm an instruction
    fn execute(&mut self, instruction: Instruction) -> Run<()> {
        let arg = instruction.arg as usize;
        match instruction.op {
            Op::Nop | Op::Resume | Op::Precall | Op::MakeCell | Op::CopyFreeVars => Ok(()),
            Op::PopTop => self.pop_slot().map(drop),
            Op::PushNull => self.push_null(),
            Op::Copy => {
                let stack = &mut self.top()?.stack;
                let at = stack.len().checked_sub(arg).ok_or_else(|| broken("copy"))?;
                let value = stack[at].clone();
                stack.push(value);
                Ok(())
            }
            Op::Swap => {
                let stack = &mut self.top()?.stack;
                let top = stack.len().checked_sub(1).ok_or_else(|| broken("swap"))?;
                let at = stack.len().checked_sub(arg).ok_or_else(|| broken("swap"))?;
                stack.swap(top, at);
                Ok(())
            }
            Op::LoadConst
            | Op::LoadFast
            | Op::StoreFast
            | Op::DeleteFast
            | Op::LoadClosure
            | Op::LoadDeref
            | Op::LoadClassderef
            | Op::StoreDeref
            | Op::DeleteDeref
            | Op::LoadName
            | Op::LoadGlobal
            | Op::StoreName
            | Op::StoreGlobal
            | Op::DeleteName
            | Op::DeleteGlobal
            | Op::LoadAttr
            | Op::LoadMethod
            | Op::StoreAttr
            | Op::DeleteAttr => self.execute_name(instruction),
            Op::BinaryOp => {
                let right = self.pop()?;
                let left = self.pop()?;
                let (op, inplace) =
                    BinaryOp::from_nb(instruction.arg).ok_or_else(|| broken("operator"))?;
                let operator = Operator::Binary(op, inplace);
                if let Some(call) = self.operator_call(operator, &left, &right) {
                    return Err(call);
                }
                let value = self.binary(op, inplace, &left, &right)?;
                self.push(value)
            }
            Op::UnaryNegative | Op::UnaryInvert | Op::UnaryPositive => {
                let value = self.pop()?;
                let op = match instruction.op {
                    Op::UnaryNegative => UnaryOp::Negative,
                    Op::UnaryInvert => UnaryOp::Invert,
                    _ => UnaryOp::Positive,
                };
                let value = self.unary(op, &value)?;
                self.push(value)
            }
            Op::UnaryNot => {
                let truth = self.pop_truth()?;
                self.push(Value::Bool(!truth))
            }
            Op::CompareOp => {
                let right = self.pop()?;
                let left = self.pop()?;
                let op =
                    CompareOp::from_arg(instruction.arg).ok_or_else(|| broken("comparison"))?;
                if let Some(call) = self.operator_call(Operator::Compare(op), &left, &right) {
                    return Err(call);
                }
                let value = self.compare(op, &left, &right)?;
                self.push(value)
            }
            Op::IsOp => {
                let right = self.pop()?;
                let left = self.pop()?;
                let same = self.is_same(&left, &right)?;
                self.push(Value::Bool(same != (arg == 1)))
            }
            Op::ContainsOp => {
                let container = self.pop()?;
                let item = self.pop()?;
                if arg == 1 {
                    self.after = After::Not;
                }
                let found = self.contains(&container, &item)?;
                self.push(Value::Bool(found != (arg == 1)))
            }
            Op::BinarySubscr => {
                let index = self.pop()?;
                let container = self.pop()?;
                let value = self.subscript(&container, &index)?;
                self.push(value)
            }
            Op::StoreSubscr => {
                let index = self.pop()?;
                let container = self.pop()?;
                let value = self.pop()?;
                self.after = After::Discard;
                self.store_subscript(&container, &index, value)
            }
            Op::DeleteSubscr => {
                let index = self.pop()?;
                let container = self.pop()?;
                self.after = After::Discard;
                self.delete_subscript(&container, &index)
            }
            Op::Jump | Op::JumpNoInterrupt => self.jump(instruction.arg),
            Op::PopJumpIfFalse => {
                if !self.pop_truth()? {
                    self.jump(instruction.arg)?;
                }
                Ok(())
            }
            Op::PopJumpIfTrue => {
                if self.pop_truth()? {
                    self.jump(instruction.arg)?;
                }
                Ok(())
            }
            Op::PopJumpIfNone | Op::PopJumpIfNotNone => {
                let none = self.pop()? == Value::None;
                if none == (instruction.op == Op::PopJumpIfNone) {
                    self.jump(instruction.arg)?;
                }
                Ok(())
            }
            Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => {
                let value = self.peek(1)?;
                let truth = self.pop_truth()?;
                if truth == (instruction.op == Op::JumpIfTrueOrPop) {
                    self.push(value)?;
                    self.jump(instruction.arg)?;
                }
                Ok(())
            }
            Op::BuildTuple
            | Op::BuildList
            | Op::ListToTuple
            | Op::BuildSet
            | Op::BuildMap
            | Op::BuildConstKeyMap
            | Op::BuildSlice
            | Op::BuildString
            | Op::FormatValue
            | Op::ListAppend
            | Op::SetAdd
            | Op::MapAdd
            | Op::ListExtend
            | Op::SetUpdate
            | Op::DictUpdate
            | Op::DictMerge
            | Op::UnpackSequence
            | Op::UnpackEx => self.execute_display(instruction),
            Op::GetIter => {
                let value = self.pop()?;
                let iterator = self.iter(&value)?;
                self.push(iterator)
            }
            Op::GetYieldFromIter => {
                let value = self.pop()?;
                let iterator = self.iter(&value)?;
                self.push(iterator)
            }
            Op::ForIter => self.for_iter(instruction.arg),
            Op::Send => self.send(instruction.arg),
            Op::YieldValue => self.yield_value(),
            Op::ReturnGenerator => self.return_generator(),
            Op::ReturnValue => self.return_value(),
            Op::KwNames => {
                let names = self.top()?.code.constants.get(arg).cloned();
                let Some(Constant::Tuple(names)) = names else {
                    return Err(broken("names"));
                };
                let names = names.iter().filter_map(|name| match name {
                    Constant::Str(name) => Some(name.clone()),
                    _ => None,
                });
                self.top()?.keywords = names.collect();
                Ok(())
            }
            Op::Call => self.call_instruction(arg),
            Op::CallFunctionEx => self.call_ex(arg & 1 == 1),
            Op::MakeFunction => self.make_function(arg),
            Op::LoadBuildClass => {
                let value = self.builtin("__build_class__");
                self.push(value)
            }
            Op::LoadAssertionError => {
                let value = self.class_value("AssertionError");
                self.push(value)
            }
            Op::SetupAnnotations => {
                let Some(space) = self.top()?.namespace else {
                    return Ok(());
                };
                if self.get_name(space, &"__annotations__".into()).is_none() {
                    let dict = self
                        .heap
                        .make(Object::Dict(Entries::default(), DictKind::Plain));
                    self.set_name(space, "__annotations__", dict);
                }
                Ok(())
            }
            Op::ImportName => {
                let name = self.name(arg)?;
                let from = self.pop()?;
                let value = match self.pop()? {
                    Value::Int(level) if level > 0 && self.has_no_package()? => {
                        let dots = ".".repeat(usize::try_from(level).unwrap_or(1));
                        let module = format!("{dots}{name}");
                        self.unknown_module(&module)
                    }
                    level => {
                        let name = match level {
                            Value::Int(level) if level > 0 => {
                                self.absolute(&name, usize::try_from(level).unwrap_or(1))?
                            }
                            _ => name,
                        };
                        let names = self.names_in(&from);
                        let is_from = names.is_some();
                        if self.import_source(&name, names, After::Push)?.is_some() {
                            return Ok(());
                        }
                        self.import(&name, is_from)?
                    }
                };
                self.push(value)
            }
            Op::ImportFrom => {
                let name = self.name(arg)?;
                let module = self.peek(1)?;
                let value = self.import_from(&module, &name)?;
                self.push(value)
            }
            Op::ImportStar => {
                let module = self.pop()?;
                self.import_star(&module)
            }
            Op::RaiseVarargs => self.raise_varargs(arg),
            Op::Reraise => self.reraise(arg),
            Op::PushExcInfo => {
                let error = self.pop()?;
                let frame = self.top()?;
                let before = frame.handled.replace(error.clone());
                frame.stack.push(Some(before.unwrap_or(Value::None)));
                frame.stack.push(Some(error));
                Ok(())
            }
            Op::PopExcept => {
                let before = self.pop()?;
                self.top()?.handled = (before != Value::None).then_some(before);
                Ok(())
            }
            Op::CheckExcMatch => {
                let kinds = self.pop()?;
                let error = self.peek(1)?;
                let matches = self.matches(&error, &kinds)?;
                self.push(Value::Bool(matches))
            }
            Op::BeforeWith => self.before_with("__enter__", "__exit__"),
            Op::WithExceptStart => {
                let exit = self.peek(4)?;
                let error = self.peek(1)?;
                let kind = self.type_of(&error);
                let traceback = self.heap.make(Object::Opaque {
                    class: "traceback".into(),
                    text: "None".into(),
                });
                Err(Flow::Call(exit, vec![kind, error, traceback]))
            }
            Op::GetLen => {
                let value = self.peek(1)?;
                let value = self.tuple_in(&value).unwrap_or(value);
                match self.known_items(&value) {
                    Some(items) => self.push(Value::Int(items.len() as i64)),
                    None => Err(Flow::Unsupported("length in a pattern".to_string())),
                }
            }
            Op::MatchMapping => {
                let value = self.peek(1)?;
                let is = self.is_mapping(&value)?;
                self.push(Value::Bool(is))
            }
            Op::MatchSequence => {
                let value = self.peek(1)?;
                let is = self.is_sequence(&value)?;
                self.push(Value::Bool(is))
            }
            Op::MatchKeys => self.match_keys(),
            Op::MatchClass => self.match_class(arg),
            Op::AsyncGenWrap => self.async_gen_wrap(),
            Op::BeforeAsyncWith => self.before_with("__aenter__", "__aexit__"),
            Op::EndAsyncFor => self.end_async_for(),
            Op::GetAiter => self.get_aiter(),
            Op::GetAnext => self.get_anext(),
            Op::GetAwaitable => self.get_awaitable(),
            Op::CheckEgMatch => self.except_star("_eg_match", After::Pair),
            Op::PrepReraiseStar => self.except_star("_eg_reraised", After::Push),
            Op::PrintExpr => Err(Flow::Unsupported("interactive code".to_string())),
        }
    }

    /// Makes a frame for a code object. The caller binds the parameters.
    pub(in crate::machine) fn frame(
        &mut self,
        code: Arc<Code>,
        globals: ObjectId,
        namespace: Option<ObjectId>,
        after: After,
        program: bool,
    ) -> Frame {
        // A package is imported before the module executed in it begins.
        let below = self.frames.iter().rev();
        let below = below
            .filter(|frame| frame.next > 0)
            .find(|frame| frame.traced);
        let depth = below.map_or(0, |frame| frame.depth + 1);
        let traced = program
            && !code.is_text
            && !SKIPPED.contains(&code.name.as_str())
            && !self.is_hidden(globals);
        Frame {
            next: 0,
            last: None,
            stack: Vec::new(),
            fast: vec![None; code.var_names.len()],
            cells: Vec::new(),
            globals,
            namespace,
            handled: None,
            keywords: Vec::new(),
            generator: None,
            after,
            traced,
            depth,
            shown: codexec_trace::State::new(),
            level: 0,
            truth: None,
            order: Vec::new(),
            locals: None,
            found_keys: Vec::new(),
            delegates: false,
            lasts: false,
            before: None,
            code,
        }
    }
}

/// Returns the error of an instruction that finds the stack in another shape than the compiler
/// leaves it in.
pub(in crate::machine) fn broken(what: &str) -> Flow {
    Flow::Unsupported(format!("an instruction without its {what}"))
}

/// Frames that a trace leaves out.
const SKIPPED: [&str; 4] = ["<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"];
