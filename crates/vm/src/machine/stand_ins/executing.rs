//! Instructions with a stand-in among their operands.

use super::super::{Flow, Machine, Run};
use crate::code::{Instruction, Op};
use crate::fold::BinaryOp;
use crate::machine::eval::eval_loop::broken;
use crate::stand_in::{Used, Wishes};
use crate::text::canonical;
use crate::value::{DictKind, Entries, Object, Value};

/// Maximum depth of nested containers that are searched.
pub(super) const MOST_DEPTH: usize = 2;
/// Number of items that an asynchronous iterator yields.
const GIVEN: usize = 2;

impl Machine {
    /// Executes an instruction with a stand-in among its operands. Returns false if it is to be
    /// executed normally, with the values into which the operands were converted.
    pub(in crate::machine) fn execute_stand_in(&mut self, instruction: Instruction) -> Run<bool> {
        let arg = instruction.arg as usize;
        let Some(first) = self.operand(1) else {
            return Ok(false);
        };
        let is_first = self.is_made_up(&first);
        match instruction.op {
            Op::Call => return self.call_with_stand_in(arg),
            Op::CallFunctionEx => return self.call_ex_with_stand_in(arg & 1 == 1),
            Op::BinaryOp => return self.stand_in_operator(instruction.arg, &first),
            Op::CompareOp | Op::IsOp | Op::ContainsOp | Op::BinarySubscr => {
                let second = self.peek(2)?;
                return self.stand_in_pair(instruction, &second, &first);
            }
            Op::StoreSubscr | Op::DeleteSubscr => {
                let container = self.peek(2)?;
                return self.stand_in_item(instruction.op, &container, &first);
            }
            Op::FormatValue => return self.stand_in_format(arg),
            Op::BuildSlice => {
                for depth in 1..=arg {
                    let bound = self.peek(depth)?;
                    if let Some(stand_in) = self.stand_in(&bound) {
                        self.set_operand(depth, Value::Int(stand_in.number as i64))?;
                    }
                }
                return Ok(false);
            }
            Op::WithExceptStart => {
                let exit = self.peek(4)?;
                if !self.is_made_up(&exit) {
                    return Ok(false);
                }
                self.push(Value::Bool(false))?;
                let frame = self.top()?;
                let next = frame.code.instructions.get(frame.next).map(|one| one.op);
                if next == Some(Op::GetAwaitable) {
                    self.skip_waiting()?;
                }
                return Ok(true);
            }
            // A made-up value is available immediately.
            Op::GetAwaitable if !is_first && self.was_made(&first) => {
                self.skip_waiting()?;
                return Ok(true);
            }
            Op::MatchKeys => return self.match_keys_of_stand_in(&first),
            Op::MatchClass => {
                let subject = self.peek(3)?;
                let class = self.peek(2)?;
                if !self.is_made_up(&subject) && !self.is_made_up(&class) {
                    return Ok(false);
                }
                return self.match_stand_in(arg);
            }
            Op::RaiseVarargs if arg >= 1 => {
                if arg == 2 && is_first {
                    self.set_operand(1, Value::None)?;
                }
                let raised = self.peek(arg)?;
                if let Some(stand_in) = self.stand_in(&raised) {
                    let class = self.missing_error(&stand_in.path);
                    self.set_operand(arg, class)?;
                }
                return Ok(false);
            }
            Op::CheckExcMatch => return self.match_exception_with_stand_in(&first),
            Op::LoadAttr | Op::LoadMethod if !is_first => {
                return self.attribute_of_base(instruction, &first);
            }
            _ => {}
        }
        if !is_first {
            return Ok(false);
        }
        self.execute_on_stand_in(instruction, &first)
    }

    /// Executes an instruction whose top operand is a stand-in.
    fn execute_on_stand_in(&mut self, instruction: Instruction, first: &Value) -> Run<bool> {
        let arg = instruction.arg as usize;
        match instruction.op {
            Op::LoadAttr | Op::LoadMethod | Op::ImportFrom | Op::StoreAttr | Op::DeleteAttr => {
                self.attribute_of_stand_in(instruction, first)?
            }
            Op::ImportStar => {
                self.pop()?;
                self.stand_ins.imported_all = true;
            }
            Op::UnaryNegative | Op::UnaryInvert | Op::UnaryPositive => {
                self.pop()?;
                let number = self.stand_in(first).map_or(1.0, |one| one.number);
                let number = if instruction.op == Op::UnaryNegative {
                    -number
                } else {
                    number
                };
                let value = self.of_operator(first, ".neg", "", Some(number))?;
                self.push(value)?;
            }
            Op::UnaryNot => {
                self.pop()?;
                let truth = self.decide(first);
                self.push(Value::Bool(!truth))?;
            }
            Op::PopJumpIfFalse
            | Op::PopJumpIfTrue
            | Op::PopJumpIfNone
            | Op::PopJumpIfNotNone
            | Op::JumpIfFalseOrPop
            | Op::JumpIfTrueOrPop => return self.jump_on_stand_in(instruction, first),
            Op::UnpackSequence => {
                self.pop()?;
                for number in (0..arg).rev() {
                    let item = self.numbered(first, number)?;
                    self.push(item)?;
                }
            }
            Op::UnpackEx => self.unpack_ex_of_stand_in(first, arg & 0xff, arg >> 8)?,
            Op::GetIter | Op::GetYieldFromIter | Op::ListExtend | Op::SetUpdate => {
                let items = self.items_of_stand_in(first)?;
                let items = self.heap.list(items);
                self.set_operand(1, items)?;
                return Ok(false);
            }
            Op::DictUpdate | Op::DictMerge => {
                let empty = self
                    .heap
                    .make(Object::Dict(Entries::default(), DictKind::Plain));
                self.set_operand(1, empty)?;
                return Ok(false);
            }
            Op::BeforeWith | Op::BeforeAsyncWith => {
                self.pop()?;
                let exit = self.child(first, ".__exit__", "", None)?;
                self.push(exit)?;
                let entered = self.child(first, ".__enter__()", "", None)?;
                self.push(entered)?;
            }
            Op::GetAwaitable => {
                let awaited = self.child(first, "", "await", None)?;
                self.set_operand(1, awaited)?;
                self.skip_waiting()?;
            }
            Op::GetAiter => {}
            Op::GetAnext => {
                let Some(id) = first.id() else {
                    return Err(broken("iterator"));
                };
                let given = self.stand_ins.given.entry(id).or_default();
                *given += 1;
                if *given > GIVEN {
                    *given = 0;
                    return Err(self.raise("StopAsyncIteration", ""));
                }
                let number = given.to_string();
                let item = self.child(first, "[]", &number, None)?;
                self.push(item)?;
                self.skip_waiting()?;
            }
            Op::MatchMapping | Op::MatchSequence => {
                let truth = self.decide(first);
                self.push(Value::Bool(truth))?;
            }
            Op::GetLen => {
                let count = self.stand_in(first).map_or(0, |one| one.count);
                self.push(Value::Int(i64::try_from(count).unwrap_or(0)))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Matches an exception against classes of which some are stand-ins, which do not match.
    /// Returns false if the others remain to be matched.
    fn match_exception_with_stand_in(&mut self, classes: &Value) -> Run<bool> {
        if self.is_made_up(classes) {
            self.pop()?;
            self.push(Value::Bool(false))?;
            return Ok(true);
        }
        if let Some(Object::Tuple(items)) = self.heap.object(classes)
            && items.iter().any(|item| self.is_made_up(item))
        {
            let kept = items.iter().filter(|item| !self.is_made_up(item)).cloned();
            let kept = kept.collect();
            let kept = self.heap.tuple(kept);
            self.set_operand(1, kept)?;
        }
        Ok(false)
    }

    /// Pushes the values that a stand-in has for the keys of a pattern. Returns false if the
    /// subject is not a stand-in.
    fn match_keys_of_stand_in(&mut self, keys: &Value) -> Run<bool> {
        let subject = self.peek(2)?;
        if !self.is_made_up(&subject) {
            return Ok(false);
        }
        let keys = self.known_items(keys).unwrap_or_default();
        let mut values = Vec::new();
        for key in keys {
            values.push(self.item(&subject, &key)?);
        }
        let values = self.heap.tuple(values);
        self.push(values)?;
        Ok(true)
    }

    /// Reads, imports, stores or deletes an attribute of a stand-in.
    #[inline]
    fn attribute_of_stand_in(&mut self, instruction: Instruction, of: &Value) -> Run<()> {
        let name = self.name(instruction.arg as usize)?;
        match instruction.op {
            Op::LoadAttr | Op::LoadMethod => {
                self.pop()?;
                if instruction.op == Op::LoadMethod {
                    self.push_null()?;
                }
                let value = self.member(of, &name)?;
                self.push(value)?;
            }
            Op::ImportFrom => {
                let value = self.imported_member(of, &name)?;
                self.push(value)?;
            }
            Op::StoreAttr => {
                self.pop()?;
                let value = self.pop()?;
                if let Some(id) = of.id() {
                    let key = (id, format!(".{name}").into());
                    self.stand_ins.children.insert(key, value);
                }
            }
            Op::DeleteAttr => {
                self.pop()?;
                if let Some(id) = of.id() {
                    self.stand_ins
                        .children
                        .remove(&(id, format!(".{name}").into()));
                }
            }
            _ => return Err(broken("handler")),
        }
        Ok(())
    }

    /// Executes a jump whose condition is a stand-in. Returns false if the condition was decided
    /// and the jump is to be executed normally.
    #[inline]
    fn jump_on_stand_in(&mut self, instruction: Instruction, of: &Value) -> Run<bool> {
        match instruction.op {
            Op::PopJumpIfFalse | Op::PopJumpIfTrue => {
                let truth = self.decide(of);
                self.set_operand(1, Value::Bool(truth))?;
                Ok(false)
            }
            Op::PopJumpIfNone | Op::PopJumpIfNotNone => {
                let value = if self.decide_none(of) {
                    Value::None
                } else {
                    Value::Bool(true)
                };
                self.set_operand(1, value)?;
                Ok(false)
            }
            Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => {
                let truth = self.decide(of);
                if truth == (instruction.op == Op::JumpIfTrueOrPop) {
                    self.jump(instruction.arg)?;
                } else {
                    self.pop()?;
                }
                Ok(true)
            }
            _ => Err(broken("handler")),
        }
    }

    /// Unpacks a stand-in into this many items before a starred target and behind it.
    fn unpack_ex_of_stand_in(&mut self, of: &Value, before: usize, behind: usize) -> Run<()> {
        self.pop()?;
        for number in (0..behind).rev() {
            let item = self.numbered(of, before + 1 + number)?;
            self.push(item)?;
        }
        let item = self.numbered(of, before)?;
        let rest = self.heap.list(vec![item]);
        self.push(rest)?;
        for number in (0..before).rev() {
            let item = self.numbered(of, number)?;
            self.push(item)?;
        }
        Ok(())
    }

    /// Returns the value at a depth of the stack; 1 is the top.
    pub(super) fn operand(&self, depth: usize) -> Option<Value> {
        let stack = &self.frames.last()?.stack;
        stack.get(stack.len().checked_sub(depth)?)?.clone()
    }

    pub(super) fn set_operand(&mut self, depth: usize, value: Value) -> Run<()> {
        let stack = &mut self.top()?.stack;
        let at = stack
            .len()
            .checked_sub(depth)
            .ok_or_else(|| broken("short stack"))?;
        stack[at] = Some(value);
        Ok(())
    }

    /// Continues after the loop that waits for an awaited value, which is on top.
    fn skip_waiting(&mut self) -> Run<()> {
        let frame = self.top()?;
        let following = frame.code.instructions.iter().skip(frame.next).take(4);
        let send = following.into_iter().find(|one| one.op == Op::Send);
        frame.next = send.ok_or_else(|| broken("SEND"))?.arg as usize;
        Ok(())
    }

    /// Returns the result of an operator on a stand-in: a number for a number, otherwise an object.
    pub(super) fn of_operator(
        &mut self,
        of: &Value,
        step: &str,
        key: &str,
        number: Option<f64>,
    ) -> Run<Value> {
        let kind = self.stand_in(of).map_or("object", |one| one.kind);
        if !matches!(kind, "int" | "float") {
            return self.child(of, step, key, None);
        }
        let Some(id) = of.id() else {
            return Err(broken("operand"));
        };
        let memo = (id, format!("{step}{key}").into());
        if let Some(known) = self.stand_ins.children.get(&memo) {
            return Ok(known.clone());
        }
        let path = self
            .stand_in(of)
            .map_or_else(String::new, |one| format!("{}{step}", one.path));
        let wishes = Wishes {
            number: number.filter(|number| number.is_finite()),
            ..Wishes::default()
        };
        let value = self.new_stand_in(&path, kind, &wishes, Some(id));
        self.stand_ins.children.insert(memo, value.clone());
        Ok(value)
    }

    fn stand_in_operator(&mut self, arg: u32, right: &Value) -> Run<bool> {
        let left = self.peek(2)?;
        let Some((op, _)) = BinaryOp::from_nb(arg) else {
            return Ok(false);
        };
        let (of_left, of_right) = (self.stand_in(&left), self.stand_in(right));
        if let (Value::Str(template), BinaryOp::Remainder, true) = (&left, op, of_left.is_none()) {
            if !self.has_stand_in(right, MOST_DEPTH) {
                return Ok(false);
            }
            let template = template.clone();
            let plain = self.for_template(&template, right);
            self.set_operand(1, plain)?;
            return Ok(false);
        }
        if of_left.is_none() && of_right.is_none() {
            return Ok(false);
        }
        let is_text = |value: &Value| matches!(value, Value::Str(_));
        let is_list = |value: &Value| matches!(self.heap.object(value), Some(Object::List(_)));
        let as_text = |kind: &str| matches!(kind, "str" | "object");
        match (&of_left, &of_right, op) {
            (None, Some(one), BinaryOp::Add) if is_text(&left) && as_text(one.kind) => {
                self.set_operand(1, Value::Str(one.shown.clone()))?;
                return Ok(false);
            }
            (Some(one), None, BinaryOp::Add) if is_text(right) && as_text(one.kind) => {
                self.set_operand(2, Value::Str(one.shown.clone()))?;
                return Ok(false);
            }
            (None, Some(one), BinaryOp::Multiply) if is_text(&left) || is_list(&left) => {
                self.set_operand(1, Value::Int((one.number as i64).clamp(0, 8)))?;
                return Ok(false);
            }
            (None, Some(_), BinaryOp::Add) if is_list(&left) => {
                let items = self.items_of_stand_in(right)?;
                let items = self.heap.list(items);
                self.set_operand(1, items)?;
                return Ok(false);
            }
            (Some(_), None, BinaryOp::Add) if is_list(right) => {
                let items = self.items_of_stand_in(&left)?;
                let items = self.heap.list(items);
                self.set_operand(2, items)?;
                return Ok(false);
            }
            _ => {}
        }
        let key = self.key_text(if of_left.is_some() { right } else { &left });
        let (x, y) = (self.as_number(&left), self.as_number(right));
        let number = match op {
            BinaryOp::Add => x + y,
            BinaryOp::Subtract => x - y,
            BinaryOp::Multiply => x * y,
            BinaryOp::TrueDivide => x / y,
            BinaryOp::FloorDivide => (x / y).floor(),
            BinaryOp::Remainder => x.rem_euclid(y),
            BinaryOp::Power => x.powf(y),
            _ => 1.0,
        };
        let side = if of_left.is_some() { "" } else { "r" };
        let step = format!(".{side}{}", op.symbol());
        let value = match of_left.is_some() {
            true => self.of_operator(&left, &step, &key, Some(number))?,
            false => self.of_operator(right, &step, &key, Some(number))?,
        };
        self.pop_many(2)?;
        self.push(value)?;
        Ok(true)
    }

    fn as_number(&self, value: &Value) -> f64 {
        match value {
            Value::Int(value) => *value as f64,
            Value::Float(value) => *value,
            _ => self.stand_in(value).map_or(1.0, |one| one.number),
        }
    }

    fn stand_in_pair(
        &mut self,
        instruction: Instruction,
        left: &Value,
        right: &Value,
    ) -> Run<bool> {
        let of_left = self.is_made_up(left);
        let of_right = self.is_made_up(right);
        if !of_left && !of_right {
            return Ok(false);
        }
        let arg = instruction.arg as usize;
        let value = match instruction.op {
            Op::IsOp => {
                let same = match (left, right) {
                    (Value::None, other) | (other, Value::None) => self.decide_none(other),
                    _ if left == right => true,
                    _ if of_left => self.decide_same(left, right)?,
                    _ => self.decide_same(right, left)?,
                };
                Value::Bool(same != (arg == 1))
            }
            Op::CompareOp if left == right => {
                // `==`, `<=` and `>=`
                Value::Bool(matches!(arg, 1 | 2 | 5))
            }
            Op::CompareOp => {
                let (of, other) = if of_left {
                    (left, right)
                } else {
                    (right, left)
                };
                if matches!(arg, 2 | 3) && self.is_known_other(of, other) {
                    Value::Bool(arg == 3)
                } else {
                    let key = format!("{arg}{of_left}{}", self.key_text(other));
                    let sign = ["<", "<=", "==", "!=", ">", ">="].get(arg).unwrap_or(&"?");
                    let (left, right) = (self.named(left), self.named(right));
                    self.compared(of, &key, &format!("{left} {sign} {right}"))?
                }
            }
            // The container is below the item in `item in container`.
            Op::ContainsOp => {
                let (item, container) = (left, right);
                if !of_right
                    && matches!(
                        self.heap.object(container),
                        Some(Object::Dict(..) | Object::Set(_))
                    )
                {
                    return Ok(false);
                }
                let (of, other) = if of_right {
                    (container, item)
                } else {
                    (item, container)
                };
                let key = format!("in{of_right}{}", self.key_text(other));
                let (left, right) = (self.named(item), self.named(container));
                let asked = self.compared(of, &key, &format!("{left} in {right}"))?;
                let found = self.decide(&asked);
                Value::Bool(found != (arg == 1))
            }
            _ if of_left => self.item(left, right)?,
            _ => return self.stand_in_index(left, right),
        };
        self.pop_many(2)?;
        self.push(value)?;
        Ok(true)
    }

    /// Returns the path of a stand-in, or the text of any other value.
    pub(super) fn named(&self, value: &Value) -> String {
        let path = self.stand_in(value).map(|one| one.path.to_string());
        path.unwrap_or_else(|| canonical(&self.heap, value))
    }

    /// Returns a condition on a stand-in, with its text. Its path is that of the stand-in.
    pub(super) fn compared(&mut self, of: &Value, key: &str, text: &str) -> Run<Value> {
        let Some(id) = of.id() else {
            return Err(broken("operand"));
        };
        let memo = (id, format!("?{key}").into());
        if let Some(known) = self.stand_ins.children.get(&memo) {
            return Ok(known.clone());
        }
        let path = self.stand_in(of).map_or_else(|| "".into(), |one| one.path);
        let value = self.new_stand_in(&path, "object", &Wishes::default(), Some(id));
        if let Some(id) = value.id() {
            self.stand_ins.conditions.insert(id, text.into());
        }
        self.stand_ins.children.insert(memo, value.clone());
        Ok(value)
    }

    /// Returns an item of a stand-in.
    pub(super) fn item(&mut self, of: &Value, key: &Value) -> Run<Value> {
        let text = self.key_text(key);
        if let Some(id) = of.id()
            && let Some(stored) = self
                .stand_ins
                .children
                .get(&(id, format!("[={text}]").into()))
        {
            return Ok(stored.clone());
        }
        if matches!(self.heap.object(key), Some(Object::Slice(..))) {
            return self.child(of, "[:]", &text, None);
        }
        let step = match key {
            Value::Int(key) => format!("[{key}]"),
            Value::Str(key) => format!("[\"{key}\"]"),
            _ => "[]".to_owned(),
        };
        let path = self.stand_in(of).map_or_else(|| "".into(), |one| one.path);
        match self.known_at(&format!("{path}{step}")) {
            Some(_) => self.child(of, &step, "", None),
            None => self.child(of, "[]", &text, None),
        }
    }

    /// Executes a subscript with a stand-in as the index.
    fn stand_in_index(&mut self, container: &Value, index: &Value) -> Run<bool> {
        let count = match self.heap.object(container) {
            Some(Object::List(items)) => items.len(),
            Some(Object::Tuple(items)) => items.len(),
            _ => match container {
                Value::Str(text) => text.chars().count(),
                _ => 0,
            },
        };
        if count > 0 {
            let number = self.stand_in(index).map_or(0, |one| one.number as i64);
            let last = i64::try_from(count).unwrap_or(i64::MAX) - 1;
            self.set_operand(1, Value::Int(number.clamp(-last, last)))?;
            return Ok(false);
        }
        if let (Some(Object::Dict(entries, kind)), Ok(key)) = (
            self.heap.object(container),
            crate::fold::key::key(&self.heap, index),
        ) && (entries.contains_key(&key) || *kind != DictKind::Plain)
        {
            return Ok(false);
        }
        let key = self.key_text(container);
        let value = self.child(index, "[]", &key, None)?;
        self.pop_many(2)?;
        self.push(value)?;
        Ok(true)
    }

    /// Executes `container[key] = value` and `del container[key]`.
    fn stand_in_item(&mut self, op: Op, container: &Value, key: &Value) -> Run<bool> {
        let stores = op == Op::StoreSubscr;
        if self.is_made_up(container) {
            let value = stores.then(|| self.peek(3)).transpose()?;
            self.pop_many(2 + usize::from(stores))?;
            let Some(id) = container.id() else {
                return Ok(true);
            };
            let text = self.key_text(key);
            let memo = (id, format!("[={text}]").into());
            match value {
                Some(value) => self.stand_ins.children.insert(memo, value),
                None => self.stand_ins.children.remove(&memo),
            };
            return Ok(true);
        }
        if !self.is_made_up(key)
            || matches!(self.heap.object(container), Some(Object::Dict(..))) && stores
        {
            return Ok(false);
        }
        let is_known = matches!(
            self.heap.object(container),
            Some(Object::List(_) | Object::Dict(..))
        );
        if !is_known {
            return Ok(false);
        }
        self.pop_many(2 + usize::from(stores))?;
        Ok(true)
    }

    /// Whether a value is a stand-in, or contains one, up to a depth.
    pub(super) fn has_stand_in(&self, value: &Value, depth: usize) -> bool {
        if self.is_made_up(value) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        match self.heap.object(value) {
            Some(Object::List(items)) => items
                .iter()
                .take(64)
                .any(|one| self.has_stand_in(one, depth - 1)),
            Some(Object::Tuple(items)) => items
                .iter()
                .take(64)
                .any(|one| self.has_stand_in(one, depth - 1)),
            Some(Object::Dict(entries, _)) => entries
                .values()
                .take(64)
                .any(|(key, one)| self.is_made_up(key) || self.has_stand_in(one, depth - 1)),
            _ => false,
        }
    }

    fn match_stand_in(&mut self, positional: usize) -> Run<bool> {
        let names = self.pop()?;
        self.pop()?;
        let subject = self.pop()?;
        if !self.is_made_up(&subject) || !self.decide(&subject) {
            self.push(Value::None)?;
            return Ok(true);
        }
        let mut parts = Vec::new();
        for number in 0..positional {
            parts.push(self.numbered(&subject, number)?);
        }
        for name in self.known_items(&names).unwrap_or_default() {
            if let Value::Str(name) = name {
                parts.push(self.member(&subject, &name)?);
            }
        }
        let parts = self.heap.tuple(parts);
        self.push(parts)?;
        Ok(true)
    }

    /// Reads an attribute of an instance, a class or a `super()` with a stand-in as its base class,
    /// or of an object decorated by a stand-in.
    fn attribute_of_base(&mut self, instruction: Instruction, of: &Value) -> Run<bool> {
        let is_decorated = of
            .id()
            .is_some_and(|id| self.stand_ins.decorated.contains(&id));
        let base = self.stand_ins.base.as_ref().and_then(Value::id);
        if base.is_none() && !is_decorated {
            return Ok(false);
        }
        let class = match self.heap.object(of) {
            Some(Object::Instance { class, .. }) => Some(*class),
            Some(Object::Class(_)) => of.id(),
            Some(Object::Special {
                kind: "super",
                parts,
            }) => {
                let receiver = parts.get(1).cloned();
                match receiver.as_ref().and_then(|one| self.heap.object(one)) {
                    Some(Object::Instance { class, .. }) => Some(*class),
                    Some(Object::Class(_)) => receiver.as_ref().and_then(Value::id),
                    _ => None,
                }
            }
            _ => None,
        };
        let is_below = |class| base.is_some_and(|base| self.derives(class, base));
        if !is_decorated && !class.is_some_and(is_below) {
            return Ok(false);
        }
        let name = self.name(instruction.arg as usize)?;
        if name.starts_with("__") {
            return Ok(false);
        }
        let found = match self.attribute(of, &name) {
            Ok(_) => return Ok(false),
            Err(flow @ Flow::Raise(_)) => flow,
            // The instruction itself calls a property of the program.
            Err(_) => return Ok(false),
        };
        let Flow::Raise(error) = found else {
            return Ok(false);
        };
        if !self.is_a(&error, "AttributeError") {
            return Ok(false);
        }
        self.pop()?;
        if instruction.op == Op::LoadMethod {
            self.push_null()?;
        }
        let value = self.child(of, &format!(".{name}"), "", Some((Used::Attribute, &name)))?;
        self.push(value)?;
        Ok(true)
    }

    /// Returns a stand-in in a value.
    pub(super) fn stand_in_within(&self, value: &Value, depth: usize) -> Option<Value> {
        if self.is_made_up(value) {
            return Some(value.clone());
        }
        if depth == 0 {
            return None;
        }
        let find = |items: &mut dyn Iterator<Item = &Value>| {
            items
                .take(64)
                .find_map(|item| self.stand_in_within(item, depth - 1))
        };
        match self.heap.object(value)? {
            Object::List(items) => find(&mut items.iter()),
            Object::Tuple(items) => find(&mut items.iter()),
            Object::Dict(entries, _) => {
                find(&mut entries.values().flat_map(|(key, value)| [key, value]))
            }
            Object::Set(elements) => find(&mut elements.values()),
            Object::BuiltinMethod { receiver, .. } => self.stand_in_within(receiver, depth - 1),
            Object::Iterator(_) => None,
            _ => None,
        }
    }
}
