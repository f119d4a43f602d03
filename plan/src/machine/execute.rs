//! One instruction after the other, with the line events of CPython 3.11.

use std::sync::Arc;

use codexec_data::trace::{Event, Outcome};
use indexmap::IndexMap;

use super::{After, Flow, Frame, Machine, Run};
use crate::code::{Code, Constant, Instruction, Op};
use crate::fold::{BinaryOp, CompareOp, UnaryOp};
use crate::text;
use crate::value::{DictKind, Elements, Entries, Function, Object, ObjectId, Value};

impl Machine {
    /// Executes one instruction of the innermost frame.
    pub(super) fn next_instruction(&mut self) -> Run<()> {
        self.instructions += 1;
        if self.instructions > self.settings.max_instructions {
            return Err(Flow::End(Outcome::Timeout));
        }
        let Some(frame) = self.frames.last() else { return Err(Flow::End(Outcome::Finished)) };
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
        self.execute(instruction)
    }

    fn trace(&mut self, at: usize, instruction: Instruction) -> Run<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let code = &frame.code.instructions;
        let entry = code.iter().position(|i| i.op == Op::Resume).unwrap_or(0);
        if at < entry {
            return Ok(());
        }
        if instruction.op == Op::Resume {
            if self.frames.len() > 1 {
                return self.event(Event::Call, instruction.line);
            }
            return Ok(());
        }
        let Some(last) = frame.last else { return Ok(()) };
        let last_line = if last <= entry { 0 } else { code[last].line };
        let line = instruction.line;
        if line != 0 && (line != last_line || at < last && instruction.op != Op::Send) {
            return self.event(Event::Line, line);
        }
        Ok(())
    }

    /// An event of the innermost frame.
    pub(super) fn event(&mut self, event: Event, line: u32) -> Run<()> {
        let state = if self.record.has_pending() { self.snapshot() } else { Vec::new() };
        let Some(frame) = self.frames.last() else { return Ok(()) };
        self.record.event(event, line, &frame.code.name, frame.depth, state)
    }

    /// The locals of the innermost frame, as the interpreter's snapshot of them has them.
    fn snapshot(&mut self) -> Vec<(String, String)> {
        let heap = &self.heap;
        let Some(frame) = self.frames.last_mut() else { return Vec::new() };
        let shown = |name: &str| !HIDDEN.contains(&name);
        if let Some(namespace) = frame.namespace {
            let Object::Dict(entries, _) = heap.get(namespace) else { return Vec::new() };
            return entries
                .values()
                .filter_map(|(name, value)| match name {
                    Value::Str(name) if shown(name) => {
                        Some((name.to_string(), text::canonical(heap, value)))
                    }
                    _ => None,
                })
                .collect();
        }
        let cell = |id: &ObjectId| match heap.get(*id) {
            Object::Cell(value) => value.clone(),
            _ => None,
        };
        let cells = frame.code.cell_vars.iter().chain(&frame.code.free_vars).zip(&frame.cells);
        let cells: IndexMap<&Arc<str>, Option<Value>> =
            cells.map(|(name, id)| (name, cell(id))).collect();
        let plain = frame.code.var_names.iter().zip(&frame.fast).map(|(name, value)| {
            (name, cells.get(name).cloned().flatten().or_else(|| value.clone()))
        });
        let only_cells = cells.iter().filter(|(name, _)| !frame.code.var_names.contains(name));
        let values: IndexMap<&Arc<str>, Value> = plain
            .chain(only_cells.map(|(name, value)| (*name, value.clone())))
            .filter_map(|(name, value)| Some((name, value?)))
            .collect();
        frame.order.retain(|name, ()| values.contains_key(name));
        for name in values.keys() {
            frame.order.entry((*name).clone()).or_insert(());
        }
        let order = frame.order.keys().filter(|name| shown(name));
        order
            .map(|name| (name.to_string(), text::canonical(heap, &values[name])))
            .collect()
    }

    pub(super) fn push(&mut self, value: Value) -> Run<()> {
        self.top()?.stack.push(Some(value));
        Ok(())
    }

    fn push_null(&mut self) -> Run<()> {
        self.top()?.stack.push(None);
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Run<Value> {
        self.pop_slot()?.ok_or_else(|| broken("null"))
    }

    fn pop_slot(&mut self) -> Run<Option<Value>> {
        self.top()?.stack.pop().ok_or_else(|| broken("empty stack"))
    }

    pub(super) fn pop_many(&mut self, count: usize) -> Run<Vec<Value>> {
        let stack = &mut self.top()?.stack;
        let at = stack.len().checked_sub(count).ok_or_else(|| broken("short stack"))?;
        let values: Option<Vec<Value>> = stack.split_off(at).into_iter().collect();
        values.ok_or_else(|| broken("null"))
    }

    /// The value `depth` below the top; 1 is the top.
    pub(super) fn peek(&mut self, depth: usize) -> Run<Value> {
        let stack = &self.top()?.stack;
        let at = stack.len().checked_sub(depth).ok_or_else(|| broken("short stack"))?;
        stack[at].clone().ok_or_else(|| broken("null"))
    }

    fn name(&mut self, index: usize) -> Run<Arc<str>> {
        self.top()?.code.names.get(index).cloned().ok_or_else(|| broken("name"))
    }

    fn jump(&mut self, target: u32) -> Run<()> {
        self.top()?.next = target as usize;
        Ok(())
    }

    /// Pops a value and says whether it is true; may come back to the same instruction.
    fn pop_truth(&mut self) -> Run<bool> {
        let value = self.pop()?;
        if let Some(truth) = self.top()?.truth.take() {
            return Ok(truth);
        }
        self.after = After::Truth(value.clone());
        self.truth(&value)
    }

    fn cell(&mut self, index: usize) -> Run<ObjectId> {
        self.top()?.cells.get(index).copied().ok_or_else(|| broken("cell"))
    }

    fn cell_name(&mut self, index: usize) -> Run<Arc<str>> {
        let code = &self.top()?.code;
        let mut names = code.cell_vars.iter().chain(&code.free_vars);
        names.nth(index).cloned().ok_or_else(|| broken("cell"))
    }

    fn load_deref(&mut self, index: usize) -> Run<Value> {
        let id = self.cell(index)?;
        if let Object::Cell(Some(value)) = self.heap.get(id) {
            return Ok(value.clone());
        }
        let name = self.cell_name(index)?;
        let free = index >= self.top()?.code.cell_vars.len();
        Err(if free {
            let message = format!(
                "cannot access free variable '{name}' where it is not associated with a value in \
                 enclosing scope"
            );
            self.raise("NameError", &message)
        } else {
            self.unbound_local(&name)
        })
    }

    fn unbound_local(&mut self, name: &str) -> Flow {
        let message =
            format!("cannot access local variable '{name}' where it is not associated with a value");
        self.raise("UnboundLocalError", &message)
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
            Op::LoadConst => self.load_const(arg),
            Op::LoadFast => match self.top()?.fast.get(arg).cloned().flatten() {
                Some(value) => self.push(value),
                None => {
                    let name = self.top()?.code.var_names.get(arg).cloned();
                    Err(self.unbound_local(&name.unwrap_or_else(|| "".into())))
                }
            },
            Op::StoreFast => {
                let value = self.pop()?;
                let slot = self.top()?.fast.get_mut(arg).ok_or_else(|| broken("local"))?;
                *slot = Some(value);
                Ok(())
            }
            Op::DeleteFast => {
                let slot = self.top()?.fast.get_mut(arg).ok_or_else(|| broken("local"))?;
                if slot.take().is_some() {
                    return Ok(());
                }
                let name = self.top()?.code.var_names[arg].clone();
                Err(self.unbound_local(&name))
            }
            Op::LoadClosure => {
                let cell = self.cell(arg)?;
                self.push(Value::Object(cell))
            }
            Op::LoadDeref => {
                let value = self.load_deref(arg)?;
                self.push(value)
            }
            Op::LoadClassderef => {
                let name = self.cell_name(arg)?;
                let namespace = self.top()?.namespace;
                let found = namespace.and_then(|space| self.get_name(space, &name));
                let value = match found {
                    Some(value) => value,
                    None => self.load_deref(arg)?,
                };
                self.push(value)
            }
            Op::StoreDeref => {
                let value = self.pop()?;
                let id = self.cell(arg)?;
                *self.heap.get_mut(id) = Object::Cell(Some(value));
                Ok(())
            }
            Op::DeleteDeref => {
                self.load_deref(arg)?;
                let id = self.cell(arg)?;
                *self.heap.get_mut(id) = Object::Cell(None);
                Ok(())
            }
            Op::LoadName => {
                let name = self.name(arg)?;
                let namespace = self.top()?.namespace;
                let found = namespace.and_then(|space| self.get_name(space, &name));
                let value = match found {
                    Some(value) => value,
                    None => self.global(&name)?,
                };
                self.push(value)
            }
            Op::LoadGlobal => {
                let name = self.name(arg >> 1)?;
                let value = self.global(&name)?;
                if arg & 1 == 1 {
                    self.push_null()?;
                }
                self.push(value)
            }
            Op::StoreName | Op::StoreGlobal => {
                let name = self.name(arg)?;
                let value = self.pop()?;
                let frame = self.top()?;
                let space = match (instruction.op, frame.namespace) {
                    (Op::StoreName, Some(space)) => space,
                    _ => frame.globals,
                };
                self.set_name(space, &name, value);
                Ok(())
            }
            Op::DeleteName | Op::DeleteGlobal => {
                let name = self.name(arg)?;
                let frame = self.top()?;
                let space = match (instruction.op, frame.namespace) {
                    (Op::DeleteName, Some(space)) => space,
                    _ => frame.globals,
                };
                if self.delete_name(space, &name) {
                    return Ok(());
                }
                Err(self.raise("NameError", &format!("name '{name}' is not defined")))
            }
            Op::LoadAttr => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                let value = self.attribute(&object, &name, false)?;
                self.push(value)
            }
            Op::LoadMethod => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                self.push_null()?;
                let value = self.attribute(&object, &name, true)?;
                self.push(value)
            }
            Op::StoreAttr => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                let value = self.pop()?;
                self.after = After::Discard;
                self.set_attribute(&object, &name, value)
            }
            Op::DeleteAttr => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                self.after = After::Discard;
                self.delete_attribute(&object, &name)
            }
            Op::BinaryOp => {
                let right = self.pop()?;
                let left = self.pop()?;
                let (op, inplace) =
                    BinaryOp::from_nb(instruction.arg).ok_or_else(|| broken("operator"))?;
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
                let op = CompareOp::from_arg(instruction.arg).ok_or_else(|| broken("comparison"))?;
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
            Op::BuildTuple => {
                let items = self.pop_many(arg)?;
                let value = self.heap.tuple(items);
                self.push(value)
            }
            Op::BuildList => {
                let items = self.pop_many(arg)?;
                let value = self.heap.list(items);
                self.push(value)
            }
            Op::ListToTuple => {
                let list = self.pop()?;
                let items = self.known_items(&list).ok_or_else(|| broken("list"))?;
                let value = self.heap.tuple(items);
                self.push(value)
            }
            Op::BuildSet => {
                let items = self.pop_many(arg)?;
                let mut elements = Elements::default();
                for item in items {
                    let key = self.key(&item)?;
                    elements.entry(key).or_insert(item);
                }
                let value = self.heap.make(Object::Set(elements));
                self.push(value)
            }
            Op::BuildMap => {
                let items = self.pop_many(2 * arg)?;
                let mut entries = Entries::default();
                for pair in items.chunks_exact(2) {
                    let key = self.key(&pair[0])?;
                    let entry = entries.entry(key).or_insert_with(|| (pair[0].clone(), Value::None));
                    entry.1 = pair[1].clone();
                }
                let value = self.heap.make(Object::Dict(entries, DictKind::Plain));
                self.push(value)
            }
            Op::BuildConstKeyMap => {
                let keys = self.pop()?;
                let keys = self.known_items(&keys).ok_or_else(|| broken("keys"))?;
                let values = self.pop_many(arg)?;
                let mut entries = Entries::default();
                for (key, value) in keys.into_iter().zip(values) {
                    let entry = entries.entry(self.key(&key)?);
                    entry.or_insert_with(|| (key, Value::None)).1 = value;
                }
                let value = self.heap.make(Object::Dict(entries, DictKind::Plain));
                self.push(value)
            }
            Op::BuildSlice => {
                let step = if arg == 3 { self.pop()? } else { Value::None };
                let stop = self.pop()?;
                let start = self.pop()?;
                let value = self.heap.make(Object::Slice(start, stop, step));
                self.push(value)
            }
            Op::BuildString => {
                let parts = self.pop_many(arg)?;
                let mut whole = String::new();
                for part in parts {
                    let Value::Str(part) = part else { return Err(broken("string")) };
                    whole.push_str(&part);
                }
                self.push(Value::Str(whole.into()))
            }
            Op::FormatValue => {
                let spec = if arg & 4 == 4 { Some(self.pop()?) } else { None };
                let value = self.pop()?;
                let value = self.format_value(&value, arg & 3, spec)?;
                self.push(value)
            }
            Op::ListAppend => {
                let item = self.pop()?;
                let list = self.peek(arg)?;
                match list.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::List(items)) => items.push(item),
                    _ => return Err(broken("list")),
                }
                Ok(())
            }
            Op::SetAdd => {
                let item = self.pop()?;
                let key = self.key(&item)?;
                let set = self.peek(arg)?;
                match set.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::Set(elements)) => {
                        elements.entry(key).or_insert(item);
                    }
                    _ => return Err(broken("set")),
                }
                Ok(())
            }
            Op::MapAdd => {
                let value = self.pop()?;
                let name = self.pop()?;
                let key = self.key(&name)?;
                let map = self.peek(arg)?;
                match map.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::Dict(entries, _)) => {
                        entries.entry(key).or_insert_with(|| (name, Value::None)).1 = value;
                    }
                    _ => return Err(broken("dict")),
                }
                Ok(())
            }
            Op::ListExtend => self.list_extend(arg),
            Op::SetUpdate => self.set_update(arg),
            Op::DictUpdate | Op::DictMerge => self.dict_update(arg, instruction.op == Op::DictMerge),
            Op::UnpackSequence => self.unpack_sequence(arg),
            Op::UnpackEx => self.unpack_ex(arg & 0xff, arg >> 8),
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
                let Some(Constant::Tuple(names)) = names else { return Err(broken("names")) };
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
                let Some(space) = self.top()?.namespace else { return Ok(()) };
                if self.get_name(space, &"__annotations__".into()).is_none() {
                    let dict = self.heap.make(Object::Dict(Entries::default(), DictKind::Plain));
                    self.set_name(space, "__annotations__", dict);
                }
                Ok(())
            }
            Op::ImportName => {
                let name = self.name(arg)?;
                let from = self.pop()?;
                self.pop()?;
                let value = self.import(&name, from != Value::None)?;
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
            Op::BeforeWith => self.before_with(),
            Op::WithExceptStart => {
                let exit = self.peek(4)?;
                let error = self.peek(1)?;
                let kind = self.type_of(&error);
                Err(Flow::Call(exit, vec![kind, error, Value::None]))
            }
            Op::GetLen => {
                let value = self.peek(1)?;
                match self.known_items(&value) {
                    Some(items) => self.push(Value::Int(items.len() as i64)),
                    None => Err(Flow::Unsupported("length in a pattern".to_string())),
                }
            }
            Op::MatchMapping => {
                let value = self.peek(1)?;
                let is = matches!(self.heap.object(&value), Some(Object::Dict(..)));
                self.push(Value::Bool(is))
            }
            Op::MatchSequence => {
                let value = self.peek(1)?;
                let is = matches!(
                    self.heap.object(&value),
                    Some(Object::List(_) | Object::Tuple(_) | Object::Range(..) | Object::Deque(..))
                );
                self.push(Value::Bool(is))
            }
            Op::MatchKeys => self.match_keys(),
            Op::MatchClass => self.match_class(arg),
            Op::AsyncGenWrap
            | Op::BeforeAsyncWith
            | Op::EndAsyncFor
            | Op::GetAiter
            | Op::GetAnext
            | Op::GetAwaitable => Err(Flow::Unsupported("async".to_string())),
            Op::CheckEgMatch | Op::PrepReraiseStar => Err(Flow::Unsupported("except*".to_string())),
            Op::PrintExpr => Err(Flow::Unsupported("interactive code".to_string())),
        }
    }

    fn load_const(&mut self, index: usize) -> Run<()> {
        let constant = self.top()?.code.constants.get(index).cloned();
        match constant.ok_or_else(|| broken("constant"))? {
            // `MAKE_FUNCTION` follows and takes it from the instruction.
            Constant::Code(_) => self.push(Value::Ellipsis),
            constant => {
                let value = self.constant(&constant);
                self.push(value)
            }
        }
    }

    /// A constant as a value. Tuples are made anew: their identity is not that of CPython.
    pub(super) fn constant(&mut self, constant: &Constant) -> Value {
        match constant {
            Constant::None | Constant::Code(_) => Value::None,
            Constant::Bool(b) => Value::Bool(*b),
            Constant::Int(i) => Value::Int(*i),
            Constant::BigInt(i) => Value::BigInt(i.clone()),
            Constant::Float(x) => Value::Float(*x),
            Constant::Complex(re, im) => Value::Complex(*re, *im),
            Constant::Str(s) => Value::Str(s.clone()),
            Constant::Bytes(b) => Value::Bytes(b.clone()),
            Constant::Ellipsis => Value::Ellipsis,
            Constant::Tuple(items) => {
                let items = items.iter().map(|item| self.constant(item)).collect();
                self.heap.tuple(items)
            }
            Constant::Frozenset(items) => {
                let items: Vec<Value> = items.iter().map(|item| self.constant(item)).collect();
                let mut elements = Elements::default();
                for item in items {
                    if let Ok(key) = self.key(&item) {
                        elements.entry(key).or_insert(item);
                    }
                }
                self.heap.make(Object::Frozenset(elements))
            }
        }
    }

    fn make_function(&mut self, flags: usize) -> Run<()> {
        self.pop()?;
        let frame = self.top()?;
        let before = frame.last.and_then(|last| last.checked_sub(1)).ok_or_else(|| broken("code"))?;
        let index = frame.code.instructions[before].arg as usize;
        let Some(Constant::Code(code)) = frame.code.constants.get(index).cloned() else {
            return Err(broken("code"));
        };
        let globals = frame.globals;
        let closure = if flags & 8 == 8 { self.pop_items()? } else { Vec::new() };
        if flags & 4 == 4 {
            self.pop()?;
        }
        let kw_defaults = if flags & 2 == 2 { Some(self.pop()?) } else { None };
        let defaults = if flags & 1 == 1 { self.pop_items()? } else { Vec::new() };
        let kw_defaults = match kw_defaults.and_then(|dict| dict.id()).map(|id| self.heap.get(id)) {
            Some(Object::Dict(entries, _)) => entries
                .values()
                .filter_map(|(name, value)| match name {
                    Value::Str(name) => Some((name.clone(), value.clone())),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let hidden = globals == self.prelude;
        let function = self.heap.make(Object::Function(Box::new(Function {
            code,
            globals,
            defaults,
            kw_defaults,
            closure: closure.iter().filter_map(Value::id).collect(),
            attributes: IndexMap::new(),
            hidden,
        })));
        self.push(function)
    }

    fn pop_items(&mut self) -> Run<Vec<Value>> {
        let tuple = self.pop()?;
        self.known_items(&tuple).ok_or_else(|| broken("tuple"))
    }

    /// A frame for a code object; parameters are bound by the caller.
    pub(super) fn frame(
        &mut self,
        code: Arc<Code>,
        globals: ObjectId,
        namespace: Option<ObjectId>,
        after: After,
        program: bool,
    ) -> Frame {
        let below = self.frames.iter().rev().find(|frame| frame.traced);
        let depth = below.map_or(0, |frame| frame.depth + 1);
        let traced = program && !SKIPPED.contains(&code.name.as_str());
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
            truth: None,
            order: IndexMap::new(),
            code,
        }
    }
}

/// An instruction found the stack in another shape than the compiler leaves it in.
pub(super) fn broken(what: &str) -> Flow {
    Flow::Unsupported(format!("an instruction without its {what}"))
}

/// Frames that a trace leaves out.
const SKIPPED: [&str; 4] = ["<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"];

/// Names that the interpreter sets, as in `data/python/tracer.py`.
const HIDDEN: [&str; 27] = [
    "__name__",
    "__builtins__",
    "__doc__",
    "__file__",
    "__spec__",
    "__loader__",
    "__package__",
    "__annotations__",
    "__cached__",
    "__module__",
    "__qualname__",
    "__firstlineno__",
    "__static_attributes__",
    "__class__",
    "__classcell__",
    "__classdict__",
    "__classdictcell__",
    "__conditional_annotations__",
    "__annotate__",
    "__annotate_func__",
    "__annotations_cache__",
    "__type_params__",
    ".type_params",
    ".generic_base",
    ".defaults",
    ".kwdefaults",
    ".0",
];
