//! Formatting of known values: `format`, `str.format`, `text % values` and f-string fields with a
//! format. Without folding they are asked.

use crate::fold::Folded;
use crate::fold::format::Spec;
use crate::fold::mathematics;
use crate::fold::template::{
    Field, Part, PercentField, braces, filled_in, percent_error, percent_fields, percents, starred,
};
use crate::fold::type_name::type_name;
use crate::machine::calls::call::Keywords;
use crate::machine::{Machine, Run};
use crate::text;
use crate::value::{DictKind, Object, Value};

impl Machine {
    /// `format(value, spec)`. `None` if it is unknown.
    pub(in crate::machine) fn fold_format(
        &mut self,
        value: &Value,
        spec: &Value,
    ) -> Run<Option<Value>> {
        let (true, Value::Str(spec)) = (self.settings.fold.operators(), spec) else {
            return Ok(None);
        };
        if spec.is_empty() {
            return Ok(self.known_text(value, false));
        }
        let is_refused = matches!(
            value,
            Value::Bytes(_) | Value::None | Value::Ellipsis | Value::NotImplemented
        );
        if is_refused {
            let kind = self.type_name(value);
            let message = format!("unsupported format string passed to {kind}.__format__");
            return Err(self.raise("TypeError", &message));
        }
        if let Some(
            Object::Bytearray(_)
            | Object::Slice(..)
            | Object::DictView { .. }
            | Object::Generator { .. }
            | Object::Iterator(_)
            | Object::Module(_)
            | Object::Method { .. }
            | Object::List(_)
            | Object::Tuple(_)
            | Object::Dict(..)
            | Object::Set(_)
            | Object::Frozenset(_)
            | Object::Deque(..)
            | Object::Range(..)
            | Object::Class(_)
            | Object::Function(_)
            | Object::Builtin(_),
        ) = self.heap.object(value)
        {
            let kind = self.type_name(value);
            let message = format!("unsupported format string passed to {kind}.__format__");
            return Err(self.raise("TypeError", &message));
        }
        let spec = Spec::parse(spec);
        self.settle(spec.map_or(Folded::Unknown, |spec| spec.apply(value)))
    }

    /// `template.format(…)`. `None` if a part of it is unknown.
    pub(in crate::machine) fn fold_template(
        &mut self,
        template: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Value>> {
        let given = |name: &str| match name.parse::<usize>() {
            Ok(number) => arguments.get(number).cloned(),
            Err(_) => {
                let named = keywords.iter().find(|(known, _)| **known == *name);
                named.map(|(_, value)| value.clone())
            }
        };
        let text = |name: &str| match given(name)? {
            Value::Int(number) => Some(number.to_string()),
            Value::Str(text) if !text.contains(['{', '}']) => Some(text.to_string()),
            _ => None,
        };
        let filled = filled_in(template, text);
        let template = filled.as_deref().unwrap_or(template);
        let (true, Some(parts)) = (self.settings.fold.operators(), braces(template)) else {
            return Ok(None);
        };
        let mut next = 0;
        let value = |field: &Field| {
            if field.name.is_empty() {
                next += 1;
                return arguments.get(next - 1).cloned();
            }
            given(&field.name)
        };
        self.fill_all(parts, value)
    }

    /// `template % values`. `None` if a part of it is unknown.
    pub(in crate::machine) fn fold_percent(
        &mut self,
        template: &str,
        values: &Value,
    ) -> Run<Option<Value>> {
        if let Some(Object::Tuple(items)) = self.heap.object(values)
            && let Some((template, rest)) = starred(template, items)
        {
            let rest = self.heap.tuple(rest);
            return self.fold_percent(&template, &rest);
        }
        let (true, Some(parts)) = (self.settings.fold.operators(), percents(template)) else {
            let given = match self.heap.object(values) {
                Some(Object::Tuple(items)) => items.len(),
                Some(Object::Dict(..)) => usize::MAX,
                _ => 1,
            };
            return match percent_error(template) {
                Some((message, before))
                    if self.settings.fold.operators()
                        && (given > before || message.starts_with('i')) =>
                {
                    Err(self.raise("ValueError", &message))
                }
                Some((_, 0)) if given == 0 => {
                    Err(self.raise("TypeError", "not enough arguments for format string"))
                }
                _ => Ok(None),
            };
        };
        let fields = parts.iter().filter_map(|part| match part {
            Part::Field(field) => Some(field.name.clone()),
            Part::Text(_) => None,
        });
        let names: Vec<String> = fields.collect();
        let named = names.iter().any(|name| !name.is_empty());
        if named && names.iter().any(String::is_empty) {
            return Ok(None);
        }
        // An object with subscripts, except tuples and strings, may be a mapping, which need not be
        // used up.
        let (values, may_be_mapping) = match self.heap.object(values) {
            Some(Object::Instance { .. }) => return Ok(None),
            _ if named => match self.named_values(values, names)? {
                Some(values) => (values, true),
                None => return Ok(None),
            },
            Some(Object::Tuple(items)) => (items.to_vec(), false),
            object => (vec![values.clone()], object.is_some()),
        };
        let (mut values, mut short) = (values.into_iter(), false);
        let text = self.fill_all(parts, |_| {
            let value = values.next();
            short = value.is_none();
            value
        })?;
        if short {
            return Err(self.raise("TypeError", "not enough arguments for format string"));
        }
        let left = values.next();
        if text.is_some() && left.is_some() {
            if may_be_mapping {
                let is_known = matches!(
                    left.and_then(|left| self.heap.object(&left)),
                    Some(Object::Dict(..) | Object::List(_))
                );
                return Ok(text.filter(|_| is_known));
            }
            let message = "not all arguments converted during string formatting";
            return Err(self.raise("TypeError", message));
        }
        Ok(text)
    }

    /// Returns the values of a mapping for some names. `None` if they are unknown.
    fn named_values(&mut self, mapping: &Value, names: Vec<String>) -> Run<Option<Vec<Value>>> {
        let mut found = Vec::new();
        for name in names {
            let value = match self.heap.object(mapping) {
                Some(Object::Dict(entries, DictKind::Plain | DictKind::Ordered)) => entries
                    .values()
                    .find(|(key, _)| matches!(key, Value::Str(key) if **key == *name))
                    .map(|(_, value)| value.clone()),
                None | Some(Object::Tuple(_)) => {
                    return Err(self.raise("TypeError", "format requires a mapping"));
                }
                Some(_) => return Ok(None),
            };
            match value {
                Some(value) => found.push(value),
                None => return Err(self.raise_with("KeyError", vec![Value::str(&name)])),
            }
        }
        Ok(Some(found))
    }

    /// Returns the fields of a template as pairs of name and letter. None if the runtime cannot
    /// fill it.
    pub(in crate::machine) fn percent_fields(&mut self, template: &str) -> Value {
        let Some(fields) = percent_fields(template) else {
            return Value::None;
        };
        let pair = |field: PercentField| {
            let name = field.name.map_or(Value::None, |name| Value::str(&name));
            self.heap
                .tuple(vec![name, Value::str(&field.letter.to_string())])
        };
        let pairs = fields.into_iter().map(pair).collect();
        self.heap.list(pairs)
    }

    /// Returns the template without names, with `s` for the letters of these fields.
    pub(in crate::machine) fn percent_spelled(&mut self, template: &str, spelled: &Value) -> Value {
        let spelled = self.known_items(spelled).unwrap_or_default();
        let (mut text, mut at) = (String::new(), 0);
        let fields = percent_fields(template).unwrap_or_default();
        for (number, field) in fields.iter().enumerate() {
            text.push_str(&template[at..field.head.0]);
            text.push_str(&template[field.head.1..field.end]);
            match spelled.contains(&Value::Int(number as i64)) {
                true => text.push('s'),
                false => text.push(field.letter),
            }
            at = field.end + 1;
        }
        text.push_str(&template[at..]);
        Value::Str(text.into())
    }

    /// Fills each field of a template with a value. `None` if a value or its text is unknown.
    fn fill_all(
        &mut self,
        parts: Vec<Part>,
        mut value: impl FnMut(&Field) -> Option<Value>,
    ) -> Run<Option<Value>> {
        let mut text = String::new();
        for part in parts {
            let field = match part {
                Part::Text(part) => {
                    text.push_str(&part);
                    continue;
                }
                Part::Field(field) => field,
            };
            let Some(value) = value(&field) else {
                return Ok(None);
            };
            match self.fill(&field, &value)? {
                Some(part) => text.push_str(&part),
                None => return Ok(None),
            }
        }
        self.charge(text.len() / 16);
        self.settle(Folded::Value(Value::Str(text.into())))
    }

    /// Returns the text of a value in a field.
    fn fill(&mut self, field: &Field, value: &Value) -> Run<Option<String>> {
        if self.is_own(value) {
            return Ok(None);
        }
        let converted = match field.conversion {
            Some('a') => text::ascii(&self.heap, value).map(|text| Value::str(&text)),
            Some(conversion) => self.known_text(value, conversion == 'r'),
            None if field.spec.is_none() => self.known_text(value, false),
            None => Some(value.clone()),
        };
        let (Some(converted), spec) = (converted, &field.spec) else {
            return Ok(None);
        };
        let converted = match (field.letter, &converted) {
            (Some('d' | 'i' | 'u'), Value::Float(_)) => {
                match self.settle(mathematics::int(&converted))? {
                    Some(whole) => whole,
                    None => return Ok(None),
                }
            }
            (Some('c'), Value::Int(_) | Value::BigInt(_) | Value::Bool(_)) => {
                let code = match &converted {
                    Value::Int(code) => u32::try_from(*code).ok(),
                    Value::Bool(code) => Some(u32::from(*code)),
                    _ => None,
                };
                let Some(c) = code.and_then(char::from_u32) else {
                    return Err(self.raise("OverflowError", "%c arg not in range(0x110000)"));
                };
                Value::str(&c.to_string())
            }
            (Some('c'), Value::Str(text)) if text.chars().count() == 1 => converted,
            (Some(letter), value) if let Some(message) = self.refused_field(letter, value) => {
                return Err(self.raise("TypeError", &message));
            }
            _ => converted,
        };
        let formatted = match spec {
            Some(spec) => spec.apply(&converted),
            None => Folded::Value(converted),
        };
        match formatted {
            Folded::Value(Value::Str(text)) => Ok(Some(text.to_string())),
            Folded::Raise(kind, message) => Err(self.raise(kind, &message)),
            _ => Ok(None),
        }
    }

    /// Returns the error of a `text % values` field for a value of the wrong type.
    fn refused_field(&self, letter: char, value: &Value) -> Option<String> {
        let is_whole = matches!(value, Value::Int(_) | Value::BigInt(_) | Value::Bool(_));
        let is_real = is_whole || matches!(value, Value::Float(_));
        let kind = type_name(&self.heap, value)?;
        match letter {
            'd' | 'i' | 'u' if !is_real => Some(format!(
                "%{letter} format: a real number is required, not {kind}"
            )),
            'x' | 'X' | 'o' if !is_whole => Some(format!(
                "%{letter} format: an integer is required, not {kind}"
            )),
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' if !is_real => {
                Some(format!("must be real number, not {kind}"))
            }
            'c' if !is_whole => Some("%c requires int or char".to_owned()),
            _ => None,
        }
    }
}
