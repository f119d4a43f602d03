//! Classes that look their attributes up themselves, by `__getattribute__`.

use std::sync::Arc;

use super::attribute::Found;
use super::{Flow, Machine, Run};
use crate::value::{Object, Value};

impl Machine {
    /// The `__getattribute__` of the program, bound to an instance that has one.
    pub(super) fn own_getter(&mut self, value: &Value) -> Run<Option<Value>> {
        if !self.reads_itself {
            return Ok(None);
        }
        match self.heap.object(value) {
            Some(Object::Instance { .. }) => Ok(self.special(value, "__getattribute__")),
            Some(Object::Class(_)) => match self.special(value, "__getattribute__") {
                Some(_) => Err(Flow::Unsupported(
                    "__getattribute__ of a metaclass".to_string(),
                )),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// `object.__getattribute__(value, name)`
    pub(super) fn plain_attribute(&mut self, value: &Value, name: &Arc<str>) -> Run<Value> {
        match self.find_attribute(value, name, false)? {
            Found::Value(value) => Ok(value),
            Found::Get(getter) => Err(Flow::Call(getter, vec![value.clone()])),
            Found::Call(function, arguments) => Err(Flow::Call(function, arguments)),
            Found::Missing => Err(self.no_attribute(value, name)),
        }
    }

    /// The call that looks an attribute up; where it has none, a `__getattr__` is asked.
    pub(super) fn by_getter(&mut self, value: &Value, name: &Arc<str>, get: Value) -> Run<Flow> {
        let name = Value::Str(name.clone());
        match self.special(value, "__getattr__") {
            Some(other) => self.helper("_getattribute", vec![get, other, name]),
            None => Ok(Flow::Call(get, vec![name])),
        }
    }
}
