//! Classes that look their attributes up themselves, by `__getattribute__`.

use std::sync::Arc;

use super::attribute::Found;
use super::{Flow, Machine, Run};
use crate::value::{Object, Value};

impl Machine {
    /// The `__getattribute__` of the program, bound to an instance that has one.
    pub(super) fn own_getter(&mut self, value: &Value) -> Option<Value> {
        let is_instance = matches!(self.heap.object(value), Some(Object::Instance { .. }));
        (self.reads_itself && is_instance)
            .then(|| self.special(value, "__getattribute__"))
            .flatten()
    }

    /// `object.__getattribute__(value, name)`
    pub(super) fn plain_attribute(&mut self, value: &Value, name: &Arc<str>) -> Run<Value> {
        match self.find_attribute(value, name)? {
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
