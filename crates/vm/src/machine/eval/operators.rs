//! Operators: folded if they can be, passed to methods of the program if it has them, else asked.

use crate::fold::key::{HashError, key};
use crate::fold::{BinaryOp, CompareOp, Folded, UnaryOp, arith, compare};
use crate::machine::depth::COMPARISON;
use crate::machine::{Flow, Frame, Machine, Run};
use crate::operation::Operation;
use crate::text;
use crate::value::{Key, Object, Value};

/// Whether operations of a library frame are asked without folding, like those of the program: the
/// line is marked.
fn is_asked(frame: &Frame) -> bool {
    let library = frame.code.library.as_ref();
    library.is_some_and(|file| file.asked.binary_search(&frame.line()).is_ok())
}

impl Machine {
    /// Returns the result of a folded operation. `None` if it has to be asked.
    pub(in crate::machine) fn settle(&mut self, folded: Folded) -> Run<Option<Value>> {
        match folded {
            Folded::Value(value) => {
                self.count_folded();
                self.count_bytes(&value);
                Ok(Some(value))
            }
            Folded::Raise(kind, message) => {
                let is_limit = message.starts_with("Exceeds the limit (");
                if is_limit && self.bound_name("sys", "_no_limit") == Some(Value::Bool(true)) {
                    return Err(Flow::Unsupported("integers without a limit".to_owned()));
                }
                self.count_folded();
                Err(self.raise(kind, &message))
            }
            Folded::Unknown => Ok(None),
        }
    }

    /// Counts the bytes of a new string or number.
    pub(in crate::machine) fn count_bytes(&mut self, value: &Value) {
        let bytes = value.bytes();
        self.charge(bytes / 4);
        self.budget.bytes = self.budget.bytes.saturating_add(bytes);
    }

    /// Counts an operation of the program. Those of the runtime do not count.
    pub(in crate::machine) fn count_folded(&mut self) {
        if self
            .frames
            .last()
            .is_some_and(|frame| !self.is_runtime(frame))
        {
            self.record.counts.folded += 1;
        }
    }

    /// Whether operators look up methods in the class of a value that is the program's: an instance,
    /// or a class whose metaclass has such methods.
    pub(in crate::machine) fn is_instance(&self, value: &Value) -> bool {
        match self.heap.object(value) {
            Some(Object::Instance { .. }) => true,
            Some(Object::Class(class)) => class.metaclass.is_some_and(|id| self.has_special(id)),
            _ => false,
        }
    }

    /// Whether an operator concerns the program's own objects, so that the runtime has to look for
    /// methods.
    pub(in crate::machine) fn is_own(&self, value: &Value) -> bool {
        self.touches_program(value)
    }

    /// Whether an operation of the program is asked although it could be folded.
    pub(in crate::machine) fn asks_all(&self, operands: &[&Value]) -> bool {
        let plain = |value: &&Value| !self.is_own(value) && !self.is_iterator(value);
        !self.settings.fold.operators()
            && self
                .frames
                .last()
                .is_some_and(|frame| !self.is_runtime(frame) || is_asked(frame))
            && operands.iter().all(plain)
    }

    pub(in crate::machine) fn helper(&mut self, name: &str, arguments: Vec<Value>) -> Run<Flow> {
        Ok(Flow::Call(self.prelude_value(name)?, arguments))
    }

    /// `left op right`
    pub(in crate::machine) fn binary(
        &mut self,
        op: BinaryOp,
        inplace: bool,
        left: &Value,
        right: &Value,
    ) -> Run<Value> {
        if op == BinaryOp::Remainder && matches!(left, Value::Str(_)) && self.is_instance(right) {
            return Err(self.helper("_percent", vec![left.clone(), right.clone()])?);
        }
        if self.is_instance(left) || self.is_instance(right) {
            let name = Value::str(binary_method(op));
            let symbol = Value::str(op.symbol());
            let arguments = vec![
                left.clone(),
                right.clone(),
                name,
                symbol,
                Value::Bool(inplace),
            ];
            return Err(self.helper("_binary", arguments)?);
        }
        if !self.asks_all(&[left, right]) {
            if let Some(counter) = self.counter_binary(op, inplace, left, right) {
                return Ok(counter);
            }
            let folded = arith::binary(&mut self.heap, op, inplace, left, right);
            if let Some(value) = self.settle(folded)? {
                return Ok(value);
            }
        }
        if let Some(value) = self.container_binary(op, inplace, left, right)? {
            return Ok(value);
        }
        let is_deque = matches!(self.heap.object(left), Some(Object::Deque(..)));
        if is_deque && op == BinaryOp::Add && inplace {
            return Err(self.helper("_extended", vec![left.clone(), right.clone()])?);
        }
        if self.is_iterator(right) && matches!(self.heap.object(left), Some(Object::List(_))) {
            if op == BinaryOp::Add && inplace {
                return Err(self.helper("_extended", vec![left.clone(), right.clone()])?);
            }
            if op == BinaryOp::Add {
                let kind = self.type_name(right);
                let message = format!("can only concatenate list (not \"{kind}\") to list");
                return Err(self.raise("TypeError", &message));
            }
        }
        if op == BinaryOp::Remainder
            && matches!(left, Value::Bytes(_))
            && (self.settings.fold.methods() || self.is_own(right))
        {
            return Err(self.helper("_percent_bytes", vec![left.clone(), right.clone()])?);
        }
        if op == BinaryOp::Remainder && matches!(left, Value::Str(_)) && self.is_own(right) {
            return Err(self.helper("_percent", vec![left.clone(), right.clone()])?);
        }
        if let (BinaryOp::Remainder, Value::Str(template)) = (op, left)
            && let Some(text) = self.fold_percent(template, right)?
        {
            return Ok(text);
        }
        if arith::is_huge(op, left, right, &self.heap) {
            return Err(Flow::Unsupported("a value that is too large".to_string()));
        }
        Err(self.ask_operation(
            Operation::Binary(op, inplace),
            vec![left.clone(), right.clone()],
        ))
    }

    /// `-value`, `+value`, `~value`
    pub(in crate::machine) fn unary(&mut self, op: UnaryOp, value: &Value) -> Run<Value> {
        if self.is_instance(value) {
            let (name, symbol) = match op {
                UnaryOp::Negative => ("__neg__", '-'),
                UnaryOp::Positive => ("__pos__", '+'),
                UnaryOp::Invert | UnaryOp::Not => ("__invert__", '~'),
            };
            if let Some(method) = self.special(value, name) {
                return Err(Flow::Call(method, Vec::new()));
            }
            let message = format!(
                "bad operand type for unary {symbol}: '{}'",
                self.type_name(value)
            );
            return Err(self.raise("TypeError", &message));
        }
        if self.asks_all(&[value]) {
            return Err(self.ask_operation(Operation::Unary(op), vec![value.clone()]));
        }
        if let Some(counter) = self.counter_unary(op, value) {
            return Ok(counter);
        }
        let folded = arith::unary(&self.heap, op, value);
        match self.settle(folded)? {
            Some(value) => Ok(value),
            None => Err(self.ask_operation(Operation::Unary(op), vec![value.clone()])),
        }
    }

    /// `left op right`, a comparison.
    pub(in crate::machine) fn compare(
        &mut self,
        op: CompareOp,
        left: &Value,
        right: &Value,
    ) -> Run<Value> {
        if self.asks_all(&[left, right]) {
            return Err(
                self.ask_operation(Operation::Compare(op), vec![left.clone(), right.clone()])
            );
        }
        if self.own_keys.wanted {
            self.join_for_comparison(op, left, right)?;
        }
        self.charge(self.items_of(left).min(self.items_of(right)));
        if let Some(holds) = self.counter_compare(op, left, right) {
            return Ok(Value::Bool(holds));
        }
        let room = self.room();
        if room == 0 && self.compares_deeper(left, right) {
            return Err(self.too_deep(COMPARISON));
        }
        let folded = compare::compare_within(&self.heap, op, left, right, room);
        if let Some(value) = self.settle(folded)? {
            return Ok(value);
        }
        if let Some(holds) = self.view_compare(op, left, right)? {
            return Ok(holds);
        }
        let is_deep = |value| self.is_compared(value) && self.is_nested(value);
        let is_deep = is_deep(left) && is_deep(right);
        if self.is_own(left) || self.is_own(right) || is_deep {
            let arguments = vec![
                left.clone(),
                right.clone(),
                Value::str(compare_method(op)),
                Value::str(op.symbol()),
            ];
            return Err(self.helper("_compare", arguments)?);
        }
        Err(self.ask_operation(Operation::Compare(op), vec![left.clone(), right.clone()]))
    }

    /// `item in container`
    pub(in crate::machine) fn contains(&mut self, container: &Value, item: &Value) -> Run<bool> {
        let texts = [container, item].map(|value| self.plain_base(value));
        if let [base, other] = &texts
            && (base.is_some() || other.is_some())
            && self.special(container, "__contains__").is_none()
            && let (container @ Value::Str(_), item @ Value::Str(_)) = (
                base.as_ref().unwrap_or(container),
                other.as_ref().unwrap_or(item),
            )
        {
            return self.contains(container, item);
        }
        if self.is_instance(container) || self.is_iterator(container) {
            return Err(self.helper("_contains", vec![container.clone(), item.clone()])?);
        }
        if self.asks_all(&[container, item]) {
            return Err(
                self.ask_operation(Operation::Contains, vec![container.clone(), item.clone()])
            );
        }
        if let Some(Object::List(items)) = self.heap.object(container) {
            self.charge(items.len());
        }
        let table = matches!(
            self.heap.object(container),
            Some(Object::Dict(..) | Object::Set(_) | Object::Frozenset(_))
        );
        let folded = match table && self.kept_alike(item).is_some() {
            true => Folded::Unknown,
            false => compare::contains(&self.heap, container, item),
        };
        match self.settle(folded)? {
            Some(Value::Bool(found)) => return Ok(found),
            Some(_) => return Err(Flow::Unsupported("membership".to_string())),
            None => {}
        }
        if let Some(Object::Dict(..) | Object::Set(_) | Object::Frozenset(_)) =
            self.heap.object(container)
        {
            let key = self.key_in(container, item)?;
            return Ok(match self.heap.object(container) {
                Some(Object::Dict(entries, _)) => entries.contains_key(&key),
                Some(Object::Set(elements) | Object::Frozenset(elements)) => {
                    elements.contains_key(&key)
                }
                _ => false,
            });
        }
        if self.is_own(container) || self.is_own(item) {
            return Err(self.helper("_contains", vec![container.clone(), item.clone()])?);
        }
        Err(self.ask_operation(Operation::Contains, vec![container.clone(), item.clone()]))
    }

    /// Whether a value is true.
    pub(in crate::machine) fn truth(&mut self, value: &Value) -> Run<bool> {
        if !matches!(value, Value::Bool(_) | Value::None) && self.asks_all(&[value]) {
            return Err(self.ask_operation(Operation::Truth, vec![value.clone()]));
        }
        if let Some(truth) = compare::truth(&self.heap, value) {
            self.count_folded();
            return Ok(truth);
        }
        match self.heap.object(value) {
            Some(Object::Instance { .. } | Object::Class(_)) => {
                if self.special(value, "__bool__").is_none()
                    && self.special(value, "__len__").is_none()
                {
                    return Ok(true);
                }
                Err(self.helper("_truth", vec![value.clone()])?)
            }
            Some(Object::DictView { of, .. }) => match self.heap.get(*of) {
                Object::Dict(entries, _) => Ok(!entries.is_empty()),
                _ => Ok(false),
            },
            Some(Object::Opaque { .. }) => {
                Err(self.ask_operation(Operation::Truth, vec![value.clone()]))
            }
            _ => Ok(true),
        }
    }

    /// `left is right`
    pub(in crate::machine) fn is_same(&mut self, left: &Value, right: &Value) -> Run<bool> {
        // There is only one empty tuple.
        let is_empty = |value| matches!(self.heap.object(value), Some(Object::Tuple(items)) if items.is_empty());
        if is_empty(left) && is_empty(right) {
            return Ok(true);
        }
        if let Some(same) = compare::is_same(left, right) {
            return Ok(same);
        }
        match (left, right) {
            // Equal texts and numbers of a program are mostly one object, because constants are
            // shared.
            (Value::Object(_), Value::Object(_)) => Ok(left == right),
            _ => Err(Flow::Unsupported("identity of equal values".to_string())),
        }
    }

    /// Returns the key by which a value is compared in dicts.
    pub(in crate::machine) fn key(&mut self, value: &Value) -> Run<Key> {
        match key(&self.heap, value) {
            Ok(key) => Ok(key),
            Err(HashError::Unhashable(message)) => Err(self.raise("TypeError", &message)),
            Err(HashError::AskClass(_) | HashError::Unknown) => Err(Flow::Unsupported(
                "a key with its own __hash__ or __eq__".to_string(),
            )),
        }
    }

    /// Formats a field of an f-string.
    pub(in crate::machine) fn format_value(
        &mut self,
        value: &Value,
        conversion: usize,
        spec: Option<Value>,
    ) -> Run<Value> {
        let spec = spec.filter(|spec| *spec != Value::str(""));
        let known = match (conversion, &spec) {
            // An object formats itself.
            (0, Some(_)) => (!self.is_own(value)).then(|| value.clone()),
            (0, _) => self.known_text_below(value, false, 1),
            (1, _) => self.known_text(value, false),
            (2, _) => self.known_text(value, true),
            (3, _) => text::ascii(&self.heap, value).map(|text| Value::str(&text)),
            _ => None,
        };
        match (known, spec) {
            (Some(text), None) => {
                self.count_folded();
                Ok(text)
            }
            (Some(converted), Some(spec)) if !self.is_own(&converted) => {
                if let Some(text) = self.fold_format(&converted, &spec)? {
                    return Ok(text);
                }
                Err(self.ask_operation(Operation::Format, vec![converted, spec]))
            }
            (_, spec) if self.is_own(value) || self.is_nested(value) => {
                let spec = spec.unwrap_or_else(|| Value::str(""));
                let arguments = vec![value.clone(), Value::Int(conversion as i64), spec];
                Err(self.helper("_format", arguments)?)
            }
            (_, Some(_)) => Err(Flow::Unsupported(
                "a conversion beside a format".to_string(),
            )),
            _ => {
                let name = match conversion {
                    2 => "repr",
                    3 => "ascii",
                    _ => "str",
                };
                Err(self.ask_call(name, vec![value.clone()], Vec::new()))
            }
        }
    }

    /// Raises CPython's error for the text of an integer with too many digits.
    pub(in crate::machine) fn refuse_long_integers(&mut self, value: &Value) -> Run<()> {
        if !matches!(value, Value::BigInt(_)) {
            return Ok(());
        }
        match text::convert(&self.heap, text::Conversion::Repr, value) {
            folded @ Folded::Raise(..) => self.settle(folded).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Returns the text of a value with sets whose order is a guess. `None` if it is not known, or
    /// if nothing in it is a guess.
    pub(in crate::machine) fn text_in_guessed_order(
        &mut self,
        value: &Value,
        name: &str,
    ) -> Option<Value> {
        let (text, guessed) = text::in_guessed_order(&self.heap, value)?;
        for set in guessed {
            self.record
                .guess_order(set.0, self.items_of(&Value::Object(set)));
        }
        Some(match name {
            "ascii" => Value::str(&text::to_ascii(&text)),
            _ => Value::Str(text.into()),
        })
    }

    /// Returns the text of a value. `None` if it is not known without asking.
    pub(in crate::machine) fn known_text(&self, value: &Value, repr: bool) -> Option<Value> {
        self.known_text_below(value, repr, 0)
    }

    /// The same in a frame of the runtime that counts as the call that makes the text.
    pub(in crate::machine) fn known_text_here(&self, value: &Value, repr: bool) -> Option<Value> {
        self.text_within(value, repr, self.room() + 1)
    }

    /// The same within calls that have no frames here.
    pub(in crate::machine) fn known_text_below(
        &self,
        value: &Value,
        repr: bool,
        calls: usize,
    ) -> Option<Value> {
        self.text_within(value, repr, self.room().checked_sub(calls)?)
    }

    fn text_within(&self, value: &Value, repr: bool, room: usize) -> Option<Value> {
        let text = if repr {
            text::repr_within(&self.heap, value, room)
        } else {
            text::str_within(&self.heap, value, room)
        };
        text.map(|text| Value::Str(text.into()))
    }
}

/// Returns the method that an operator calls.
pub(super) fn binary_method(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "__add__",
        BinaryOp::And => "__and__",
        BinaryOp::FloorDivide => "__floordiv__",
        BinaryOp::LeftShift => "__lshift__",
        BinaryOp::MatrixMultiply => "__matmul__",
        BinaryOp::Multiply => "__mul__",
        BinaryOp::Remainder => "__mod__",
        BinaryOp::Or => "__or__",
        BinaryOp::Power => "__pow__",
        BinaryOp::RightShift => "__rshift__",
        BinaryOp::Subtract => "__sub__",
        BinaryOp::TrueDivide => "__truediv__",
        BinaryOp::Xor => "__xor__",
    }
}

/// Returns the method that a comparison calls.
pub(super) fn compare_method(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Less => "__lt__",
        CompareOp::LessEqual => "__le__",
        CompareOp::Equal => "__eq__",
        CompareOp::NotEqual => "__ne__",
        CompareOp::Greater => "__gt__",
        CompareOp::GreaterEqual => "__ge__",
    }
}
