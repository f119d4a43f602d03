//! Attributes of numbers and of `collections` containers that are builtin values here.

use crate::machine::Machine;
use crate::value::{DictKind, Object, Value};

impl Machine {
    /// Whether a value is not a valid default factory: it is not callable.
    pub(in crate::machine) fn is_no_factory(&self, value: &Value) -> bool {
        *value != Value::None && self.is_uncallable(value)
    }

    /// Whether a value is certainly not callable.
    pub(in crate::machine) fn is_uncallable(&self, value: &Value) -> bool {
        match self.heap.object(value) {
            None => true,
            Some(object) => matches!(
                object,
                Object::List(_)
                    | Object::Dict(..)
                    | Object::Tuple(_)
                    | Object::Set(_)
                    | Object::Frozenset(_)
                    | Object::Deque(..)
                    | Object::Bytearray(_)
                    | Object::Range(..)
                    | Object::Slice(..)
                    | Object::Iterator(_)
                    | Object::Generator { .. }
                    | Object::Module(_)
                    | Object::DictView { .. }
            ),
        }
    }

    /// Returns `maxlen` of a deque, `default_factory` of a defaultdict, and attributes of numbers.
    pub(in crate::machine) fn container_attribute(
        &self,
        value: &Value,
        name: &str,
    ) -> Option<Value> {
        match (value, name) {
            (Value::Bool(is), "real" | "numerator") => return Some(Value::Int(i64::from(*is))),
            (Value::Int(_) | Value::BigInt(_) | Value::Bool(_), "imag") => {
                return Some(Value::Int(0));
            }
            (Value::Int(_) | Value::BigInt(_) | Value::Bool(_), "denominator") => {
                return Some(Value::Int(1));
            }
            (Value::Float(_), "real") => return Some(value.clone()),
            (Value::Float(_), "imag") => return Some(Value::Float(0.0)),
            _ => {}
        }
        match (self.heap.object(value)?, name) {
            (Object::Deque(_, most), "maxlen") if self.settings.fold.methods() => {
                let most = most.and_then(|most| i64::try_from(most).ok());
                Some(most.map_or(Value::None, Value::Int))
            }
            (Object::Dict(_, DictKind::Default(factory)), "default_factory") => {
                Some(factory.clone())
            }
            _ => None,
        }
    }
}
