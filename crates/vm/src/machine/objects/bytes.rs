//! Methods of bytes and bytearrays. Most are computed as string methods, with one character per
//! byte.

use std::sync::Arc;

use crate::fold::type_name::type_name;
use crate::fold::{Folded, str_methods};
use crate::machine::Machine;
use crate::machine::calls::call::Keywords;
use crate::machine::objects::known_methods::Known;
use crate::value::{Object, ObjectId, Value};

/// Methods with the same meaning for bytes and strings, for any bytes.
const OF_TEXTS: [&str; 21] = [
    "zfill",
    "count",
    "find",
    "rfind",
    "index",
    "rindex",
    "replace",
    "startswith",
    "endswith",
    "split",
    "rsplit",
    "partition",
    "rpartition",
    "strip",
    "lstrip",
    "rstrip",
    "removeprefix",
    "removesuffix",
    "center",
    "ljust",
    "rjust",
];
/// Methods with the same meaning if all bytes are ASCII.
const OF_ASCII: [&str; 13] = [
    "upper",
    "lower",
    "title",
    "capitalize",
    "swapcase",
    "isalpha",
    "isalnum",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "istitle",
    "expandtabs",
];

impl Machine {
    /// `bytes(…)`, `bytearray(…)` and their `maketrans`.
    pub(in crate::machine) fn fold_bytes_made(&mut self, name: &str, operands: &[Value]) -> Folded {
        let made = match operands {
            [] => Some(Vec::new()),
            [Value::Int(..=-1)] => {
                return Folded::Raise("ValueError", "negative count".to_owned());
            }
            [Value::BigInt(_)] => {
                let message = "cannot fit 'int' into an index-sized integer";
                return Folded::Raise("OverflowError", message.to_owned());
            }
            [of] if let Some(refused) = self.refused_bytes(name, of) => return refused,
            [of] => self.bytes_of(of),
            [text @ Value::Str(_), encoding] if name == "bytearray" => {
                let arguments = [encoding.clone()];
                match self.fold_codec(text, &arguments, &Vec::new()) {
                    Ok(Some(Value::Bytes(bytes))) => Some(bytes.to_vec()),
                    _ => None,
                }
            }
            [Value::Bytes(from), Value::Bytes(to)] if from.len() == to.len() => {
                let mut table: Vec<u8> = (0..=u8::MAX).collect();
                for (from, to) in from.iter().zip(to.iter()) {
                    table[usize::from(*from)] = *to;
                }
                Some(table)
            }
            [Value::Bytes(_), Value::Bytes(_)] => {
                let message = "maketrans arguments must have same length";
                return Folded::Raise("ValueError", message.to_string());
            }
            _ => None,
        };
        match made {
            Some(bytes) if name == "bytearray" => {
                Folded::Value(self.heap.make(Object::Bytearray(bytes)))
            }
            Some(bytes) => Folded::Value(Value::Bytes(bytes.into())),
            None => Folded::Unknown,
        }
    }

    /// Returns the error of `bytes` or `bytearray` for the first item of a list or a tuple that is
    /// not a byte.
    fn refused_bytes(&self, name: &str, of: &Value) -> Option<Folded> {
        let items = match self.heap.object(of) {
            Some(Object::List(items)) => items.as_slice(),
            Some(Object::Tuple(items)) => items,
            _ => return None,
        };
        let is_byte = |item: &&Value| matches!(item, Value::Int(0..=255) | Value::Bool(_));
        let item = items.iter().find(|item| !is_byte(item))?;
        Some(match item {
            Value::Int(_) | Value::BigInt(_) => {
                let what = if name == "bytes" { "bytes" } else { "byte" };
                Folded::Raise("ValueError", format!("{what} must be in range(0, 256)"))
            }
            Value::Object(id) if matches!(self.heap.get(*id), Object::Instance { .. }) => {
                return None;
            }
            _ => {
                let kind = type_name(&self.heap, item)?;
                let message = format!("'{kind}' object cannot be interpreted as an integer");
                Folded::Raise("TypeError", message)
            }
        })
    }

    /// Calls a method of bytes, or of a bytearray with these bytes (`is_array`), that modifies
    /// nothing.
    pub(in crate::machine) fn bytes_method(
        &mut self,
        bytes: &Arc<[u8]>,
        (name, arguments, keywords): (&str, &[Value], &Keywords),
        is_array: bool,
    ) -> Known {
        self.charge(bytes.len());
        match (name, arguments) {
            ("hex", []) if keywords.is_empty() => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                return self.settle(Folded::Value(Value::Str(digits.into())));
            }
            ("hex", [Value::Str(separator)]) if keywords.is_empty() => {
                let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let is_one = separator.len() == 1;
                return match is_one {
                    true => self.settle(Folded::Value(Value::Str(digits.join(separator).into()))),
                    false => Ok(None),
                };
            }
            ("hex", [Value::Str(separator), Value::Int(size)])
                if keywords.is_empty() && separator.len() == 1 && *size != 0 =>
            {
                let width = usize::try_from(size.unsigned_abs()).unwrap_or(usize::MAX);
                // Groups are counted from the right, with a negative size from the left.
                let first = if *size > 0 { bytes.len() % width } else { 0 };
                let (head, rest) = bytes.split_at(first);
                let groups = std::iter::once(head).chain(rest.chunks(width));
                let texts: Vec<String> = groups
                    .filter(|group| !group.is_empty())
                    .map(|group| group.iter().map(|byte| format!("{byte:02x}")).collect())
                    .collect();
                return self.settle(Folded::Value(Value::Str(texts.join(separator).into())));
            }
            ("isascii", []) => {
                return self.settle(Folded::Value(Value::Bool(bytes.is_ascii())));
            }
            ("join", [parts]) => return self.join_bytes(bytes, parts, is_array),
            ("translate", [Value::Bytes(table)]) if table.len() == 256 && keywords.is_empty() => {
                let made = bytes.iter().map(|byte| table[usize::from(*byte)]).collect();
                let made = self.bytes_value(made, is_array);
                return self.settle(Folded::Value(made));
            }
            _ => {}
        }
        if let ([], Some(changed)) = (arguments, with_letters(name, bytes)) {
            let changed = match is_array {
                true => self.heap.make(Object::Bytearray(changed)),
                false => Value::Bytes(changed.into()),
            };
            return self.settle(Folded::Value(changed));
        }
        if let (true, []) = (name.ends_with("strip"), arguments) {
            let stripped = match name {
                "lstrip" => without_blanks(bytes, true, false),
                "rstrip" => without_blanks(bytes, false, true),
                _ => without_blanks(bytes, true, true),
            };
            let stripped = self.bytes_value(stripped.to_vec(), is_array);
            return self.settle(Folded::Value(stripped));
        }
        // Some bytes are line ends or blanks only in strings.
        let is_plain = bytes.is_ascii() && !bytes.iter().any(|byte| matches!(byte, 0x1C..=0x1F));
        let same = match name {
            "split" | "rsplit" | "strip" | "lstrip" | "rstrip"
                if !matches!(arguments, [Value::Bytes(_), ..]) =>
            {
                is_plain
            }
            "splitlines" => is_plain && !bytes.iter().any(|byte| matches!(byte, 0x0B | 0x0C)),
            _ if OF_ASCII.contains(&name) => is_plain,
            _ => OF_TEXTS.contains(&name),
        };
        if !same {
            return Ok(None);
        }
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let Some(argument) = self.as_text(argument) else {
                return Ok(None);
            };
            given.push(argument);
        }
        if let (true, [Value::Int(byte), ..]) = (is_search(name), given.as_slice()) {
            let Ok(byte) = u8::try_from(*byte) else {
                return Err(self.raise("ValueError", "byte must be in range(0, 256)"));
            };
            given[0] = Value::str(&char::from(byte).to_string());
        }
        let text: String = bytes.iter().copied().map(char::from).collect();
        match str_methods::method(&mut self.heap, &text, name, (&given, keywords)) {
            Folded::Value(value) => {
                let value = self.as_bytes(value, is_array);
                self.settle(Folded::Value(value))
            }
            Folded::Raise("ValueError", why) if why == "substring not found" => {
                let why = String::from("subsection not found");
                self.settle(Folded::Raise("ValueError", why))
            }
            // The messages of string methods name other types.
            Folded::Raise("TypeError", _) | Folded::Unknown => Ok(None),
            other => self.settle(other),
        }
    }

    /// Calls a method that modifies a bytearray.
    pub(in crate::machine) fn bytearray_method(
        &mut self,
        id: ObjectId,
        (name, arguments, keywords): (&str, &[Value], &Keywords),
    ) -> Known {
        let Object::Bytearray(bytes) = self.heap.get(id) else {
            return Ok(None);
        };
        let count = bytes.len();
        let byte = |value: &Value| match value {
            Value::Int(value) => u8::try_from(*value).ok(),
            Value::Bool(value) => Some(u8::from(*value)),
            _ => None,
        };
        if let ("append" | "remove", [value]) | ("insert", [Value::Int(_), value]) =
            (name, arguments)
            && matches!(value, Value::Int(_) | Value::BigInt(_))
            && byte(value).is_none()
        {
            return Err(self.raise("ValueError", "byte must be in range(0, 256)"));
        }
        let more = match (name, arguments) {
            ("extend", [of]) if !matches!(of, Value::Int(_)) => self.bytes_of(of),
            _ => None,
        };
        let Object::Bytearray(bytes) = self.heap.get_mut(id) else {
            return Ok(None);
        };
        let made = match (name, arguments) {
            ("append", [value]) if byte(value).is_some() => {
                bytes.extend(byte(value));
                Value::None
            }
            ("extend", [_]) => match more {
                Some(more) => {
                    bytes.extend(more);
                    Value::None
                }
                None => return Ok(None),
            },
            ("pop", []) if count > 0 => Value::Int(bytes.pop().unwrap_or(0).into()),
            ("pop", [Value::Int(at)]) if usize::try_from(*at).is_ok_and(|at| at < count) => {
                let at = usize::try_from(*at).unwrap_or(0);
                Value::Int(bytes.remove(at).into())
            }
            ("insert", [Value::Int(at @ 0..), value]) if byte(value).is_some() => {
                let at = usize::try_from(*at).unwrap_or(count).min(count);
                bytes.insert(at, byte(value).unwrap_or(0));
                Value::None
            }
            ("remove", [value]) if byte(value).is_some() => {
                match bytes.iter().position(|other| Some(*other) == byte(value)) {
                    Some(at) => {
                        bytes.remove(at);
                        Value::None
                    }
                    None => return Err(self.raise("ValueError", "value not found in bytearray")),
                }
            }
            ("reverse", []) => {
                bytes.reverse();
                Value::None
            }
            ("clear", []) => {
                bytes.clear();
                Value::None
            }
            ("copy", []) => {
                let copy = bytes.clone();
                self.heap.make(Object::Bytearray(copy))
            }
            _ => {
                let bytes: Arc<[u8]> = bytes.as_slice().into();
                return self.bytes_method(&bytes, (name, arguments, keywords), true);
            }
        };
        self.settle(Folded::Value(made))
    }

    /// `b','.join(parts)`
    fn join_bytes(&mut self, separator: &[u8], parts: &Value, is_array: bool) -> Known {
        let Some(items) = self.items_in_order(parts) else {
            return Ok(None);
        };
        let mut joined = Vec::new();
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                joined.extend_from_slice(separator);
            }
            match (item, self.heap.object(item)) {
                (Value::Bytes(part), _) => joined.extend_from_slice(part),
                (_, Some(Object::Bytearray(part))) => joined.extend_from_slice(part),
                _ if self.is_own(item) => return Ok(None),
                _ => {
                    let kind = self.type_name(item);
                    let message =
                        format!("sequence item {at}: expected a bytes-like object, {kind} found");
                    return Err(self.raise("TypeError", &message));
                }
            }
            if joined.len() > 1 << 20 {
                return Ok(None);
            }
        }
        self.charge(joined.len());
        let joined = self.bytes_value(joined, is_array);
        self.settle(Folded::Value(joined))
    }

    fn bytes_value(&mut self, bytes: Vec<u8>, is_array: bool) -> Value {
        match is_array {
            true => self.heap.make(Object::Bytearray(bytes)),
            false => Value::Bytes(bytes.into()),
        }
    }

    /// Returns an argument with one character per byte. `None` for a string, and for values that
    /// are not valid arguments of bytes methods.
    fn as_text(&mut self, value: &Value) -> Option<Value> {
        let text = |bytes: &[u8]| {
            let text: String = bytes.iter().copied().map(char::from).collect();
            Value::Str(text.into())
        };
        Some(match value {
            Value::Bytes(bytes) => text(bytes),
            Value::Int(_) | Value::Bool(_) | Value::None => value.clone(),
            Value::Object(id) => match self.heap.get(*id) {
                Object::Bytearray(bytes) => text(bytes),
                Object::Tuple(items) => {
                    let items = items.to_vec();
                    let items: Option<Vec<Value>> =
                        items.iter().map(|item| self.as_text(item)).collect();
                    self.heap.tuple(items?)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Converts the result of a string method, with bytes in place of strings.
    fn as_bytes(&mut self, value: Value, is_array: bool) -> Value {
        let bytes = |text: &str| {
            text.chars()
                .map(|c| u8::try_from(c).unwrap_or(b'?'))
                .collect()
        };
        match &value {
            Value::Str(text) => {
                let made = bytes(text);
                self.bytes_value(made, is_array)
            }
            Value::Object(id) => match self.heap.get(*id) {
                Object::List(items) => {
                    let items = items.clone();
                    let items = items.into_iter().map(|item| self.as_bytes(item, is_array));
                    let items: Vec<Value> = items.collect();
                    self.heap.make(Object::List(items))
                }
                Object::Tuple(items) => {
                    let items = items.to_vec();
                    let items = items.into_iter().map(|item| self.as_bytes(item, is_array));
                    let items: Vec<Value> = items.collect();
                    self.heap.tuple(items)
                }
                _ => value,
            },
            _ => value,
        }
    }
}

/// Whether a method also accepts one byte as a number.
fn is_search(name: &str) -> bool {
    matches!(name, "find" | "rfind" | "index" | "rindex" | "count")
}

/// Applies a method that changes the case of letters to bytes: only ASCII letters count. `None` for
/// another method.
fn with_letters(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let upper = |byte: &u8| byte.to_ascii_uppercase();
    let lower = |byte: &u8| byte.to_ascii_lowercase();
    Some(match name {
        "upper" => bytes.iter().map(upper).collect(),
        "lower" => bytes.iter().map(lower).collect(),
        "swapcase" => {
            let swapped = |byte: &u8| match byte.is_ascii_uppercase() {
                true => lower(byte),
                false => upper(byte),
            };
            bytes.iter().map(swapped).collect()
        }
        "capitalize" => {
            let first = bytes.iter().take(1).map(upper);
            first.chain(bytes.iter().skip(1).map(lower)).collect()
        }
        "title" => {
            let mut within = false;
            let titled = |byte: &u8| {
                let before = std::mem::replace(&mut within, byte.is_ascii_alphabetic());
                if before { lower(byte) } else { upper(byte) }
            };
            bytes.iter().map(titled).collect()
        }
        _ => return None,
    })
}

/// Strips blanks from the ends of bytes.
fn without_blanks(bytes: &[u8], left: bool, right: bool) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | 0x09..=0x0D);
    let kept = |byte: &u8| !is_blank(byte);
    let Some(first) = bytes.iter().position(kept) else {
        return &[];
    };
    let end = bytes.iter().rposition(kept).map_or(0, |last| last + 1);
    let start = if left { first } else { 0 };
    &bytes[start..if right { end } else { bytes.len() }]
}
