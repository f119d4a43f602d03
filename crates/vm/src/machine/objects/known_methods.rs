//! Methods of builtin values with known arguments: of strings, lists, dicts, sets, deques, numbers
//! and bytes.
//!
//! This is the level [`FoldLevel::Methods`]. Methods that are not here, or have unusual arguments,
//! are asked.

use std::sync::Arc;

use crate::fold::compare::bytes_of;
use crate::fold::key::{HashError, key};
use crate::fold::{
    BinaryOp, Folded, arith, byte_order, compare, complex_functions, mathematics, numerals,
    str_methods, table,
};
use crate::machine::ask::Ask;
use crate::machine::calls::call::Keywords;
use crate::machine::calls::call_tables::without_receiver;
use crate::machine::objects::numbers::number_method;
use crate::machine::record::LONE;
use crate::machine::{Flow, Machine, Run};
use crate::operation::Operation;
use crate::value::{DictKind, Entries, Key, Object, Value};

/// The operations that are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum FoldLevel {
    /// None: everything that an oracle can answer is asked, except operations on the program's own
    /// objects. Known values are always rendered as text.
    Nothing,
    /// Operators, comparisons, truth, subscripts, formats, and functions that are loops over them
    /// (`len`, `sum`, `sorted`).
    Operators,
    /// Methods of builtin values, too.
    #[default]
    Methods,
}

impl FoldLevel {
    /// Whether operators are folded.
    #[must_use]
    pub fn operators(self) -> bool {
        self >= Self::Operators
    }

    /// Whether methods are folded.
    #[must_use]
    pub fn methods(self) -> bool {
        self >= Self::Methods
    }
}

/// A value, or `None` if an oracle must be asked.
pub(in crate::machine) type Known = Run<Option<Value>>;

impl Machine {
    /// Returns the value of an operation that is about to be asked, if methods are folded.
    pub(in crate::machine) fn fold_asked(&mut self, ask: &Ask) -> Known {
        if !self.settings.fold.methods() {
            return Ok(None);
        }
        let at = ask.operands.len().saturating_sub(ask.keywords.len());
        let (operands, values) = ask.operands.split_at(at);
        let keywords: Keywords = ask
            .keywords
            .iter()
            .cloned()
            .zip(values.iter().cloned())
            .collect();
        match (&ask.operation, operands) {
            (Operation::Method(name), [receiver, arguments @ ..]) => {
                self.fold_method(receiver, name, arguments, &keywords)
            }
            (Operation::Call(name), _) => self.fold_function(name, operands, &keywords),
            (Operation::Binary(op, inplace), [left, right]) => {
                if *op == BinaryOp::Or
                    && let Some(value) = self.merged(left, right, *inplace)?
                {
                    return Ok(Some(value));
                }
                self.view_binary(*op, left, right)
            }
            _ => Ok(None),
        }
    }

    fn fold_method(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Known {
        if let Some(function) = without_receiver(receiver, name) {
            return self.fold_function(function, arguments, keywords);
        }
        match receiver {
            Value::Str(text) if self.record.is_lone(text) => {
                Err(Flow::Unsupported(LONE.to_owned()))
            }
            Value::Str(text) if &**name == "join" => {
                let [parts] = arguments else {
                    return Ok(None);
                };
                self.fold_join(text, parts)
            }
            Value::Str(_) | Value::Bytes(_) if matches!(&**name, "encode" | "decode") => {
                self.fold_codec(receiver, arguments, keywords)
            }
            Value::Str(text) => {
                self.charge(text.len());
                let folded = str_methods::method(&mut self.heap, text, name, (arguments, keywords));
                self.settle(folded)
            }
            Value::Bytes(bytes) => self.bytes_method(bytes, (name, arguments, keywords), false),
            Value::Float(number) if &**name == "as_integer_ratio" && number.is_finite() => {
                let (top, bottom) = ratio(*number);
                self.count_folded();
                Ok(Some(self.heap.tuple(vec![top, bottom])))
            }
            Value::Float(number) if &**name == "as_integer_ratio" => {
                let (kind, what) = match number.is_nan() {
                    true => ("ValueError", "NaN"),
                    false => ("OverflowError", "Infinity"),
                };
                let message = format!("cannot convert {what} to integer ratio");
                Err(self.raise(kind, &message))
            }
            Value::Int(_) | Value::Bool(_) | Value::BigInt(_) if &**name == "to_bytes" => {
                let folded = byte_order::to_bytes(receiver, arguments, keywords);
                self.settle(folded)
            }
            Value::Int(_) | Value::Bool(_) | Value::BigInt(_) | Value::Float(_) => {
                if let (Some(op), [other]) = (operator_of(name), arguments) {
                    let takes = match receiver {
                        Value::Float(_) => is_number(other),
                        _ => is_number(other) && !matches!(other, Value::Float(_)),
                    };
                    let folded = match takes {
                        true => arith::binary(&mut self.heap, op, false, receiver, other),
                        false => Folded::Value(Value::NotImplemented),
                    };
                    return self.settle(folded);
                }
                let folded = number_method(receiver, name, arguments);
                self.settle(folded)
            }
            Value::Complex(real, imag) if &**name == "conjugate" && arguments.is_empty() => {
                self.count_folded();
                Ok(Some(Value::Complex(*real, -imag)))
            }
            Value::Object(id) => {
                let id = *id;
                let found = match self.heap.get(id) {
                    Object::Dict(..) => self.dict_method(id, name, arguments, keywords),
                    Object::Set(_) | Object::Frozenset(_) if keywords.is_empty() => {
                        self.set_method(receiver, name, arguments)
                    }
                    Object::Bytearray(bytes) if &**name == "decode" => {
                        let bytes = Value::Bytes(bytes.as_slice().into());
                        self.fold_codec(&bytes, arguments, keywords)
                    }
                    Object::Bytearray(_) => {
                        return self.bytearray_method(id, (name, arguments, keywords));
                    }
                    _ if !keywords.is_empty() => Ok(None),
                    Object::Range(start, stop, step) => {
                        let range = (start.clone(), stop.clone(), step.clone());
                        self.range_method(range, name, arguments)
                    }
                    Object::List(_) | Object::Tuple(_) | Object::Deque(..) => {
                        self.sequence_method(id, name, arguments)
                    }
                    _ => Ok(None),
                };
                if let Ok(Some(_)) = &found {
                    self.count_folded();
                }
                self.dict_changed(id);
                found
            }
            _ => Ok(None),
        }
    }

    /// `math.isclose` with keyword arguments.
    fn fold_is_close(&mut self, x: &Value, y: &Value, keywords: &Keywords) -> Known {
        let (mut relative, mut absolute) = (None, None);
        for (name, value) in keywords {
            match &**name {
                "rel_tol" => relative = Some(value),
                "abs_tol" => absolute = Some(value),
                _ => return Ok(None),
            }
        }
        self.settle(mathematics::is_close(x, y, relative, absolute))
    }

    /// Folds functions of builtin types and of the library that only read their arguments.
    pub(in crate::machine) fn fold_function(
        &mut self,
        name: &str,
        operands: &[Value],
        keywords: &Keywords,
    ) -> Known {
        if let (Some(method), [receiver @ Value::Str(_), arguments @ ..]) =
            (name.strip_prefix("str."), operands)
            && method != "maketrans"
        {
            return self.fold_method(receiver, &method.into(), arguments, keywords);
        }
        if let Some(made) = self.fold_made(name, operands, keywords)? {
            return Ok(Some(made));
        }
        match (name, operands) {
            ("str", [of @ Value::Bytes(_), _, ..]) | ("bytes", [of @ Value::Str(_), _, ..]) => {
                return self.fold_codec(of, &operands[1..], keywords);
            }
            ("ascii", [of]) if let Some(text) = self.fold_ascii(of)? => return Ok(Some(text)),
            _ => {}
        }
        if let ("math.isclose", [x, y]) = (name, operands) {
            return self.fold_is_close(x, y, keywords);
        }
        if !keywords.is_empty() {
            return Ok(None);
        }
        if let ("str" | "repr" | "ascii", [of]) = (name, operands) {
            let text = self.text_in_guessed_order(of, name);
            return Ok(text.inspect(|_| self.count_folded()));
        }
        if let ("math.fsum", [of]) = (name, operands)
            && let Some(items) = self.items_in_order(of)
        {
            let plain = |item: &&Value| mathematics::is_real(item);
            if let Some(odd) = items.iter().find(|item| !plain(item)) {
                if self.is_own(odd) {
                    return Ok(None);
                }
                let message = format!("must be real number, not {}", self.type_name(odd));
                return Err(self.raise("TypeError", &message));
            }
            return self.settle(mathematics::exact_sum(&items));
        }
        if let ("complex", [Value::Str(text)]) = (name, operands) {
            return self.settle(complex_functions::of_text(text));
        }
        if name.starts_with("cmath.") || matches!(name, "complex" | "abs") {
            let folded = complex_functions::call(&mut self.heap, name, operands);
            return self.settle(folded);
        }
        if let Some(function) = name.strip_prefix("unicodedata.") {
            return self.fold_unicode(function, operands);
        }
        let folded = match (name, operands) {
            ("int", []) => Folded::Value(Value::Int(0)),
            ("float", []) => Folded::Value(Value::Float(0.0)),
            ("int" | "float", [text @ (Value::Str(_) | Value::Bytes(_)), base @ ..])
                if base.len() < 2 =>
            {
                self.number_of_text(name, text, base)
            }
            ("int", [of, Value::Int(_)]) if !self.is_own(of) => {
                Folded::type_error("int() can't convert non-string with explicit base")
            }
            ("tuple", [of]) if matches!(self.heap.object(of), Some(Object::Tuple(_))) => {
                Folded::Value(of.clone())
            }
            ("list", [of]) if matches!(self.heap.object(of), Some(Object::Bytearray(_))) => {
                let bytes = self.bytes_of(of).unwrap_or_default();
                let items = bytes
                    .into_iter()
                    .map(|byte| Value::Int(byte.into()))
                    .collect();
                Folded::Value(self.heap.list(items))
            }
            ("sum", [of, start]) => self.joined_lists(of, start),
            ("str.maketrans", _) => table(&mut self.heap, operands),
            ("dict.fromkeys", [of, value @ ..]) if value.len() < 2 => {
                self.dict_of_keys(of, value.first())?
            }
            ("ord", [of]) => self.fold_ord(of),
            ("chr", [Value::Int(code)]) => fold_chr(*code),
            ("bin" | "oct" | "hex", [number @ (Value::Int(_) | Value::BigInt(_))]) => {
                numerals::in_base(name, number)
            }
            ("bytes" | "bytearray" | "bytes.maketrans" | "bytearray.maketrans", _) => {
                self.fold_bytes_made(name, operands)
            }
            ("html.escape", [Value::Str(text)]) => {
                let escaped = text
                    .replace('&', "&amp;")
                    .replace('<', "&lt;")
                    .replace('>', "&gt;");
                let escaped = escaped.replace('"', "&quot;").replace('\'', "&#x27;");
                Folded::Value(Value::Str(escaped.into()))
            }
            _ => Folded::Unknown,
        };
        self.settle(folded)
    }

    /// Folds `int(text)`, `int(text, base)` and `float(text)`.
    fn number_of_text(&mut self, name: &str, text: &Value, base: &[Value]) -> Folded {
        let inner = match text {
            Value::Str(inner) => &**inner,
            // Bytes beyond ASCII are not digits.
            Value::Bytes(bytes) if !bytes.is_ascii() => "\u{fffd}",
            Value::Bytes(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
            _ => "",
        };
        let Some(Value::Str(shown)) = self.known_text(text, true) else {
            return Folded::Unknown;
        };
        match (name, base) {
            ("float", []) => numerals::float(inner, &shown),
            ("int", []) => numerals::int(inner, 10, &shown),
            ("int", [Value::Int(base)]) => numerals::int(inner, *base, &shown),
            _ => Folded::Unknown,
        }
    }

    /// Folds `sum(lists, start)`.
    fn joined_lists(&mut self, of: &Value, start: &Value) -> Folded {
        let parts = self.items_in_order(of);
        let (Some(mut total), Some(parts)) = (self.heap.list_items(start), parts) else {
            return Folded::Unknown;
        };
        for part in parts {
            let Some(items) = self.heap.list_items(&part) else {
                return Folded::Unknown;
            };
            self.charge(16 * (total.len() + items.len()));
            total.extend(items);
        }
        Folded::Value(self.heap.list(total))
    }

    /// Folds `dict.fromkeys(of, value)`.
    fn dict_of_keys(&mut self, of: &Value, value: Option<&Value>) -> Run<Folded> {
        let Some(items) = self.items_in_order(of) else {
            return Ok(Folded::Unknown);
        };
        let value = value.cloned().unwrap_or(Value::None);
        let mut entries = Entries::default();
        for item in items {
            let Some(key) = self.plain_key(&item)? else {
                return Ok(Folded::Unknown);
            };
            entries.entry(key).or_insert((item, value.clone()));
        }
        let dict = Object::Dict(entries, DictKind::Plain);
        Ok(Folded::Value(self.heap.make(dict)))
    }

    /// Folds `ord(of)`.
    fn fold_ord(&self, of: &Value) -> Folded {
        if let Value::Str(text) = of {
            let mut chars = text.chars();
            return match (chars.next(), chars.next()) {
                (Some(one), None) => Folded::Value(Value::Int(i64::from(u32::from(one)))),
                _ => Folded::Unknown,
            };
        }
        match bytes_of(&self.heap, of) {
            Some([byte]) => Folded::Value(Value::Int(i64::from(*byte))),
            Some(bytes) => Folded::type_error(format!(
                "ord() expected a character, but string of length {} found",
                bytes.len()
            )),
            None => Folded::Unknown,
        }
    }

    pub(in crate::machine) fn bytes_of(&mut self, value: &Value) -> Option<Vec<u8>> {
        if let Some(Object::Bytearray(bytes)) = self.heap.object(value) {
            return Some(bytes.clone());
        }
        let count = match value {
            Value::Int(count) => Some(*count),
            Value::Bool(is) => Some(i64::from(*is)),
            _ => None,
        };
        if let Some(count) = count {
            return usize::try_from(count)
                .ok()
                .filter(|n| *n < 1 << 20)
                .map(|n| vec![0; n]);
        }
        if matches!(value, Value::Str(_)) {
            return None;
        }
        let items = self.items_in_order(value)?;
        let byte = |item: &Value| match item {
            Value::Int(byte) => u8::try_from(*byte).ok(),
            _ => None,
        };
        items.iter().map(byte).collect()
    }

    pub(in crate::machine) fn fold_join(&mut self, separator: &str, parts: &Value) -> Known {
        let Some(items) = self.items_in_order(parts) else {
            return Ok(None);
        };
        let mut text = String::new();
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                text.push_str(separator);
            }
            match item {
                Value::Str(part) => text.push_str(part),
                _ if self.is_own(item) => return Ok(None),
                _ => {
                    let kind = self.type_name(item);
                    let message =
                        format!("sequence item {at}: expected str instance, {kind} found");
                    return Err(self.raise("TypeError", &message));
                }
            }
            if text.len() > 1 << 20 {
                return Ok(None);
            }
        }
        self.charge(text.len());
        self.settle(Folded::Value(Value::Str(text.into())))
    }

    /// Returns the key of a value. `None` if its class must be asked.
    pub(in crate::machine) fn plain_key(&mut self, value: &Value) -> Run<Option<Key>> {
        match key(&self.heap, value) {
            Ok(key) => Ok(Some(key)),
            Err(HashError::Unhashable(_)) => self.key(value).map(Some),
            Err(HashError::AskClass(_) | HashError::Unknown) => Ok(None),
        }
    }

    /// Whether two values are identical or equal. `None` if a class must be asked.
    pub(in crate::machine) fn alike(&self, a: &Value, b: &Value) -> Option<bool> {
        if let (Value::Object(a), Value::Object(b)) = (a, b)
            && a == b
        {
            return Some(true);
        }
        compare::equal(&self.heap, a, b)
    }
}

/// Returns a finite float as a fraction in lowest terms.
fn ratio(number: f64) -> (Value, Value) {
    use num_bigint::BigInt;
    if number == 0.0 {
        return (Value::Int(0), Value::Int(1));
    }
    let bits = number.to_bits();
    let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0);
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let zeros = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> zeros, exponent + i64::from(zeros));
    let power = BigInt::from(1) << exponent.unsigned_abs();
    let mantissa = BigInt::from(mantissa) * if number < 0.0 { -1 } else { 1 };
    if exponent < 0 {
        (Value::int(mantissa), Value::int(power))
    } else {
        (Value::int(mantissa * power), Value::Int(1))
    }
}

fn is_number(value: &Value) -> bool {
    matches!(
        value,
        Value::Int(_) | Value::Bool(_) | Value::BigInt(_) | Value::Float(_)
    )
}

/// Returns the operator of a special method, as in `x.__add__(y)`.
fn operator_of(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "__add__" => BinaryOp::Add,
        "__sub__" => BinaryOp::Subtract,
        "__mul__" => BinaryOp::Multiply,
        "__truediv__" => BinaryOp::TrueDivide,
        "__floordiv__" => BinaryOp::FloorDivide,
        "__mod__" => BinaryOp::Remainder,
        _ => return None,
    })
}

/// Folds `chr(code)`.
fn fold_chr(code: i64) -> Folded {
    if !(0..=0x0010_FFFF).contains(&code) {
        return Folded::Raise("ValueError", "chr() arg not in range(0x110000)".to_owned());
    }
    let code = u32::try_from(code).ok().and_then(char::from_u32);
    code.map_or(Folded::Unknown, |c| {
        Folded::Value(Value::str(&c.to_string()))
    })
}
