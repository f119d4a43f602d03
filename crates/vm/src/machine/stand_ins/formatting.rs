//! Stand-ins in formatted text: a number if the format needs one.

use super::super::{Machine, Run};
use crate::value::{DictKind, Object, Value};

impl Machine {
    pub(super) fn stand_in_format(&mut self, arg: usize) -> Run<bool> {
        let has_spec = arg & 4 == 4;
        let depth = 1 + usize::from(has_spec);
        if has_spec {
            let spec = self.peek(1)?;
            if let Some(one) = self.stand_in(&spec) {
                self.set_operand(1, Value::Str(one.shown))?;
            }
        }
        let value = self.peek(depth)?;
        let Some(one) = self.stand_in(&value) else {
            return Ok(false);
        };
        let spec = match has_spec {
            true => self.peek(1)?,
            false => Value::str(""),
        };
        let Value::Str(spec) = spec else {
            return Ok(false);
        };
        let plain = match (spec.chars().last(), arg & 3) {
            (Some(last), 0) => {
                plain_for(last, one.number, spec.contains('.') || spec.contains(','))
            }
            _ => None,
        };
        let is_dated = spec.contains('%') && !spec.ends_with('%');
        if is_dated {
            // The format of a date, which is unknown.
            self.set_operand(1, Value::str(""))?;
        }
        self.set_operand(depth, plain.unwrap_or(Value::Str(one.shown)))?;
        Ok(false)
    }

    /// Replaces the stand-ins among the values of a `%` template.
    pub(super) fn for_template(&mut self, template: &str, right: &Value) -> Value {
        let mut conversions = Vec::new();
        let mut rest = template.chars().peekable();
        while let Some(c) = rest.next() {
            if c != '%' {
                continue;
            }
            if rest.next_if_eq(&'%').is_some() {
                continue;
            }
            if rest.next_if_eq(&'(').is_some() {
                rest.by_ref().find(|c| *c == ')');
            }
            let is_part = |c: &char| c.is_ascii_digit() || " .+-#*".contains(*c);
            while rest.next_if(is_part).is_some() {}
            conversions.extend(rest.next());
        }
        let one_for = |machine: &mut Self, at: usize, value: &Value| {
            let Some(one) = machine.stand_in(value) else {
                return value.clone();
            };
            let last = conversions.get(at).copied().unwrap_or('s');
            plain_for(last, one.number, false).unwrap_or(Value::Str(one.shown))
        };
        match self.heap.object(right) {
            Some(Object::Tuple(items)) => {
                let items = items.clone();
                let items = items.iter().enumerate();
                let items = items.map(|(at, item)| one_for(self, at, item)).collect();
                self.heap.tuple(items)
            }
            Some(Object::Dict(entries, _)) => {
                let mut entries = entries.clone();
                for (_, value) in entries.values_mut() {
                    *value = one_for(self, usize::MAX, &value.clone());
                }
                self.heap.make(Object::Dict(entries, DictKind::Plain))
            }
            _ => one_for(self, 0, right),
        }
    }
}

/// Returns a number if a format needs one.
pub(super) fn plain_for(conversion: char, number: f64, has_part: bool) -> Option<Value> {
    match conversion {
        'd' | 'i' | 'u' | 'b' | 'o' | 'x' | 'X' | 'c' => Some(Value::Int(number as i64)),
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n' => Some(Value::Float(number)),
        '%' => Some(Value::Float(number)),
        ',' if has_part => Some(Value::Float(number)),
        _ => None,
    }
}
