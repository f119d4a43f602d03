//! Plain instructions: those that move and compare numbers, texts and references.

use crate::code::{Code, Constant, Instruction, Op};
use crate::machine::eval::quick_methods::has_plain_method;
use crate::value::{Attributes, Class, Heap, NameKey, Object, ObjectId, Value};

/// The result of executing an instruction.
pub(super) enum Done {
    /// Done; the next instruction follows.
    Next,
    /// Done; the instruction with this number follows.
    Jump(usize),
    /// It calls or returns; nothing was done.
    Leaves,
    /// It is not plain; nothing was done.
    Not,
}

/// The state that instructions work on.
pub(super) struct Plain<'m> {
    pub(super) heap: &'m mut Heap,
    pub(super) code: &'m Code,
    pub(super) stack: &'m mut Vec<Option<Value>>,
    pub(super) fast: &'m mut [Option<Value>],
    pub(super) cells: &'m [ObjectId],
    pub(super) globals: ObjectId,
    pub(super) namespace: Option<ObjectId>,
    /// The namespace of names that no module binds. `None` if others come first.
    pub(super) builtins: Option<ObjectId>,
    /// Whether items of containers are plain, too.
    pub(super) items: bool,
    /// Whether attributes of objects are plain, too.
    pub(super) objects: bool,
    /// Whether no call that CPython makes for an instruction is too deep.
    pub(super) is_far: bool,
    /// Number of operations that count as folded.
    pub(super) folded: u64,
    /// Bytes of the texts that they made.
    pub(super) bytes: usize,
    /// Instructions that those bytes count as.
    pub(super) charged: u64,
}

impl Plain<'_> {
    #[inline]
    pub(super) fn push(&mut self, value: Value) -> Done {
        self.stack.push(Some(value));
        Done::Next
    }

    #[inline]
    pub(super) fn top(&self, depth: usize) -> Option<&Value> {
        self.stack
            .get(self.stack.len().wrapping_sub(depth))?
            .as_ref()
    }

    /// Replaces operands on the stack by a value.
    #[inline]
    pub(super) fn replace(&mut self, operands: usize, value: Value) -> Done {
        self.stack.truncate(self.stack.len() - operands);
        self.push(value)
    }

    /// The same for the result of an operation.
    #[inline]
    pub(super) fn give(&mut self, operands: usize, value: Value) -> Done {
        self.folded += 1;
        if let Value::Str(_) | Value::Bytes(_) | Value::BigInt(_) = value {
            self.count_text(value.bytes());
        }
        self.replace(operands, value)
    }

    /// Counts the bytes of a new text.
    #[inline]
    fn count_text(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.charged += (bytes / 4) as u64 / 16;
    }

    #[inline]
    fn jump_if(&mut self, jumps: bool, target: u32) -> Done {
        match jumps {
            true => Done::Jump(target as usize),
            false => Done::Next,
        }
    }

    /// Executes an instruction if it is plain.
    pub(super) fn execute(&mut self, instruction: Instruction) -> Done {
        self.attempted(instruction).unwrap_or(Done::Not)
    }

    #[allow(clippy::too_many_lines)] // one arm an instruction
    #[inline]
    fn attempted(&mut self, instruction: Instruction) -> Option<Done> {
        let arg = instruction.arg as usize;
        Some(match instruction.op {
            Op::Nop | Op::Precall => Done::Next,
            Op::PopTop => {
                self.stack.pop()?;
                Done::Next
            }
            Op::PushNull => {
                self.stack.push(None);
                Done::Next
            }
            Op::Copy => {
                let value = self.top(arg)?.clone();
                self.push(value)
            }
            Op::Swap => {
                let top = self.stack.len().checked_sub(1)?;
                let at = self.stack.len().checked_sub(arg)?;
                self.stack.swap(top, at);
                Done::Next
            }
            Op::LoadConst => {
                let value = match self.code.constants.get(arg)? {
                    Constant::None => Value::None,
                    Constant::Bool(value) => Value::Bool(*value),
                    Constant::Int(value) => Value::Int(*value),
                    Constant::Float(value) => Value::Float(*value),
                    Constant::Str(value) => Value::Str(value.clone()),
                    _ => return None,
                };
                self.push(value)
            }
            Op::LoadFast => {
                let value = self.fast.get(arg)?.clone()?;
                self.push(value)
            }
            Op::StoreFast => {
                let slot = self.fast.get_mut(arg)?;
                *slot = Some(self.stack.pop()??);
                Done::Next
            }
            Op::LoadDeref => {
                let Object::Cell(Some(value)) = self.heap.get(*self.cells.get(arg)?) else {
                    return None;
                };
                let value = value.clone();
                self.push(value)
            }
            Op::StoreDeref => {
                let cell = *self.cells.get(arg)?;
                let value = self.stack.pop()??;
                *self.heap.get_mut(cell) = Object::Cell(Some(value));
                Done::Next
            }
            Op::LoadGlobal => {
                let value = self.global(arg >> 1)?;
                if arg & 1 == 1 {
                    self.stack.push(None);
                }
                self.push(value)
            }
            Op::LoadName => {
                let value = match self.namespace.and_then(|space| self.named(space, arg)) {
                    Some(value) => value,
                    None => self.global(arg)?,
                };
                self.push(value)
            }
            Op::StoreName | Op::StoreGlobal => {
                let space = match (instruction.op, self.namespace) {
                    (Op::StoreName, Some(space)) => space,
                    _ => self.globals,
                };
                self.store_name(space, arg)?
            }
            Op::BinaryOp => {
                let value = binary(instruction.arg, self.top(2)?, self.top(1)?)?;
                self.give(2, value)
            }
            Op::CompareOp => {
                let holds = compare(instruction.arg, self.top(2)?, self.top(1)?)?;
                self.give(2, Value::Bool(holds))
            }
            Op::IsOp => {
                let same = match (self.top(2)?, self.top(1)?) {
                    (Value::None, Value::None) => true,
                    (Value::Object(left), Value::Object(right)) if self.items && left == right => {
                        true
                    }
                    (Value::None, other) | (other, Value::None)
                        if self.items || !matches!(other, Value::Object(_)) =>
                    {
                        false
                    }
                    _ => return None,
                };
                // It does not count as a folded operation.
                self.replace(2, Value::Bool(same != (arg == 1)))
            }
            Op::UnaryNot => {
                let truth = truth(self.top(1)?)?;
                self.give(1, Value::Bool(!truth))
            }
            Op::BinarySubscr if self.items => self.item()?,
            Op::StoreSubscr if self.items => self.store_item()?,
            Op::ContainsOp if self.items => {
                let found = self.contains()?;
                self.give(2, Value::Bool(found != (arg == 1)))
            }
            Op::GetIter if self.items => self.iterator()?,
            // Fields with a conversion other than `!s`, or with a format specification, are left.
            Op::FormatValue if self.is_far && arg < 2 => {
                let text = match self.top(1)? {
                    Value::Str(text) => text.clone(),
                    Value::Int(number) => number.to_string().into(),
                    _ => return None,
                };
                self.folded += 1;
                self.replace(1, Value::Str(text))
            }
            Op::BuildString => self.joined(arg)?,
            Op::Jump | Op::JumpNoInterrupt => Done::Jump(arg),
            Op::PopJumpIfFalse | Op::PopJumpIfTrue => {
                let truth = truth(self.top(1)?)?;
                self.folded += 1;
                self.stack.pop();
                self.jump_if(
                    truth == (instruction.op == Op::PopJumpIfTrue),
                    instruction.arg,
                )
            }
            Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => {
                let truth = truth(self.top(1)?)?;
                self.folded += 1;
                let jumps = truth == (instruction.op == Op::JumpIfTrueOrPop);
                if !jumps {
                    self.stack.pop();
                }
                self.jump_if(jumps, instruction.arg)
            }
            Op::PopJumpIfNone | Op::PopJumpIfNotNone => {
                let value = self.top(1)?;
                if !self.items && matches!(value, Value::Object(_)) {
                    return None;
                }
                let none = *value == Value::None;
                self.stack.pop();
                self.jump_if(
                    none == (instruction.op == Op::PopJumpIfNone),
                    instruction.arg,
                )
            }
            Op::ForIter => {
                let item = self.next_item()?;
                self.push(item)
            }
            Op::UnpackSequence if self.items => {
                let Object::Tuple(items) = self.heap.get(self.top(1)?.id()?) else {
                    return None;
                };
                if items.len() != arg {
                    return None;
                }
                let items = items.clone();
                self.stack.pop();
                self.stack.extend(items.iter().rev().cloned().map(Some));
                Done::Next
            }
            Op::LoadAttr if self.objects => self.attribute(arg)?,
            Op::LoadMethod if self.objects => match self.top(1)? {
                Value::Object(id) if matches!(self.heap.get(*id), Object::Instance { .. }) => {
                    self.method(arg)?
                }
                _ => self.builtin_method(arg)?,
            },
            Op::BuildTuple | Op::BuildList if self.items => {
                let at = self.stack.len().checked_sub(arg)?;
                if self.stack[at..].iter().any(Option::is_none) {
                    return None;
                }
                let items = self.stack.drain(at..).flatten();
                let made = match instruction.op {
                    Op::BuildTuple => Object::Tuple(items.collect()),
                    _ => Object::List(items.collect()),
                };
                let made = self.heap.make(made);
                self.push(made)
            }
            Op::StoreAttr if self.objects => self.store_attribute(arg)?,
            Op::Call if self.items => Done::Leaves,
            Op::ReturnValue => Done::Leaves,
            Op::ListAppend => {
                let list = self.top(arg + 1)?.id()?;
                if !matches!(self.heap.get(list), Object::List(_)) {
                    return None;
                }
                let value = self.stack.pop()??;
                if let Object::List(items) = self.heap.get_mut(list) {
                    items.push(value);
                }
                Done::Next
            }
            _ => return None,
        })
    }

    #[inline]
    fn named(&self, space: ObjectId, name: usize) -> Option<Value> {
        let Object::Dict(entries, _) = self.heap.get(space) else {
            return None;
        };
        let name = self.code.names.get(name)?;
        entries.get(&NameKey(name)).map(|(_, value)| value.clone())
    }

    #[inline]
    fn global(&self, name: usize) -> Option<Value> {
        (self.named(self.globals, name)).or_else(|| self.named(self.builtins?, name))
    }

    fn store_name(&mut self, space: ObjectId, name: usize) -> Option<Done> {
        if let Value::Object(id) = self.top(1)?
            && matches!(self.heap.get(*id), Object::Instance { .. })
        {
            return None;
        }
        let name = self.code.names.get(name)?;
        let Object::Dict(entries, _) = self.heap.get_mut(space) else {
            return None;
        };
        let (_, value) = entries.get_mut(&NameKey(name))?;
        *value = self.stack.pop()??;
        Some(Done::Next)
    }

    /// Returns an instance, its class and its attributes.
    fn instance(&self, depth: usize) -> Option<(ObjectId, &Class, &Attributes)> {
        let Value::Object(id) = *self.top(depth)? else {
            return None;
        };
        let Object::Instance {
            class, attributes, ..
        } = self.heap.get(id)
        else {
            return None;
        };
        match self.heap.get(*class) {
            Object::Class(class) => Some((id, class, attributes)),
            _ => None,
        }
    }

    /// Returns the attribute of the first class in the MRO that has the name.
    fn of_classes(&self, class: &Class, name: &str) -> Option<&Value> {
        let mut order = class.mro.iter();
        order.find_map(|id| match self.heap.get(*id) {
            Object::Class(class) => class.attributes.get(name),
            _ => None,
        })
    }

    /// `instance.name`, if only the instance has it.
    fn attribute(&mut self, name: usize) -> Option<Done> {
        let (_, class, attributes) = self.instance(1)?;
        let name = self.code.names.get(name)?;
        let value = attributes.get(name)?.clone();
        if self.of_classes(class, name).is_some() {
            return None;
        }
        Some(self.replace(1, value))
    }

    /// `instance.name(`, if a class has a function of the program by that name.
    fn method(&mut self, name: usize) -> Option<Done> {
        let (id, class, attributes) = self.instance(1)?;
        let name = self.code.names.get(name)?;
        let function = self.of_classes(class, name)?;
        let Object::Function(called) = self.heap.get(function.id()?) else {
            return None;
        };
        if called.hidden || attributes.contains_key(name) {
            return None;
        }
        let function = function.clone();
        self.stack.pop();
        self.stack.push(Some(function));
        Some(self.push(Value::Object(id)))
    }

    /// `value.name(`, if a builtin type has a method by that name.
    fn builtin_method(&mut self, name: usize) -> Option<Done> {
        let name = self.code.names.get(name)?;
        let receiver = self.top(1)?;
        if !has_plain_method(self.heap, receiver, name) {
            return None;
        }
        let receiver = self.stack.pop()??;
        let name = name.clone();
        let method = Object::BuiltinMethod { receiver, name };
        let method = self.heap.make(method);
        self.stack.push(None);
        Some(self.push(method))
    }

    /// Joins the texts of an f-string.
    fn joined(&mut self, count: usize) -> Option<Done> {
        let at = self.stack.len().checked_sub(count)?;
        let mut whole = String::new();
        for part in &self.stack[at..] {
            let Some(Value::Str(part)) = part else {
                return None;
            };
            whole.push_str(part);
            if whole.len() > MOST_TEXT {
                return None;
            }
        }
        self.count_text(whole.len());
        Some(self.replace(count, Value::Str(whole.into())))
    }

    /// `instance.name = value`, if its classes do not define it.
    fn store_attribute(&mut self, name: usize) -> Option<Done> {
        let (id, class, _) = self.instance(1)?;
        let name = self.code.names.get(name)?;
        let is_plain = class.mro.iter().all(|id| match self.heap.get(*id) {
            Object::Class(class) => {
                class.builtin.as_deref().is_none_or(|name| name == "object")
                    && class.slots.is_none()
                    && !class.attributes.contains_key(name)
                    && !class.attributes.contains_key("__setattr__")
            }
            _ => false,
        });
        if !is_plain || &**name == "__class__" || &**name == "__dict__" {
            return None;
        }
        self.stack.pop();
        let value = self.stack.pop()??;
        if let Object::Instance { attributes, .. } = self.heap.get_mut(id) {
            attributes.insert(name.clone(), value);
        }
        Some(Done::Next)
    }
}

#[inline]
fn truth(value: &Value) -> Option<bool> {
    Some(match value {
        Value::None => false,
        Value::Bool(value) => *value,
        Value::Int(value) => *value != 0,
        Value::Float(value) => *value != 0.0,
        Value::Str(text) => !text.is_empty(),
        _ => return None,
    })
}

/// `left op right` of two numbers or texts, if its value is plain.
#[inline]
fn binary(arg: u32, left: &Value, right: &Value) -> Option<Value> {
    // In-place operators follow the plain ones.
    let op = if arg >= IN_PLACE { arg - IN_PLACE } else { arg };
    match (left, right) {
        (&Value::Int(left), &Value::Int(right)) => integers(op, left, right).map(Value::Int),
        (&Value::Float(left), &Value::Float(right)) => floats(op, left, right).map(Value::Float),
        (&Value::Float(left), &Value::Int(right)) => {
            floats(op, left, exact(right)?).map(Value::Float)
        }
        (&Value::Int(left), &Value::Float(right)) => {
            floats(op, exact(left)?, right).map(Value::Float)
        }
        (Value::Str(left), Value::Str(right))
            if op == 0 && left.len().saturating_add(right.len()) <= MOST_TEXT =>
        {
            let mut text = String::with_capacity(left.len() + right.len());
            text.push_str(left);
            text.push_str(right);
            Some(Value::Str(text.into()))
        }
        _ => None,
    }
}

/// Maximum bytes of a text that is made here.
const MOST_TEXT: usize = 1 << 16;

/// Number of operators that are not in place.
const IN_PLACE: u32 = 13;

/// Returns an integer as a float, if it is exact.
#[inline]
fn exact(value: i64) -> Option<f64> {
    (value.unsigned_abs() <= 1 << 53).then_some(value as f64)
}

#[inline]
fn integers(op: u32, left: i64, right: i64) -> Option<i64> {
    match op {
        0 => left.checked_add(right),
        1 => Some(left & right),
        2 if right != 0 => {
            let quotient = left.checked_div(right)?;
            let is_below = left % right != 0 && (left < 0) != (right < 0);
            Some(quotient - i64::from(is_below))
        }
        5 => left.checked_mul(right),
        6 if right != 0 => {
            let rest = left.checked_rem(right)?;
            let is_other = rest != 0 && (rest < 0) != (right < 0);
            Some(if is_other { rest + right } else { rest })
        }
        7 => Some(left | right),
        10 => left.checked_sub(right),
        12 => Some(left ^ right),
        _ => None,
    }
}

#[inline]
fn floats(op: u32, left: f64, right: f64) -> Option<f64> {
    match op {
        0 => Some(left + right),
        5 => Some(left * right),
        10 => Some(left - right),
        11 if right != 0.0 => Some(left / right),
        _ => None,
    }
}

/// `left op right`, a comparison of two integers, floats or texts.
#[inline]
fn compare(arg: u32, left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => ordered(arg, left, right),
        (Value::Float(left), Value::Float(right)) => ordered(arg, left, right),
        // Characters are ordered by code point, as in Python.
        (Value::Str(left), Value::Str(right)) => ordered(arg, left, right),
        _ => None,
    }
}

#[inline]
fn ordered<T: PartialOrd>(arg: u32, left: &T, right: &T) -> Option<bool> {
    Some(match arg {
        0 => left < right,
        1 => left <= right,
        2 => left == right,
        3 => left != right,
        4 => left > right,
        5 => left >= right,
        _ => return None,
    })
}
