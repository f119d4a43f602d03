//! Messages of call errors that the machine detects itself.

use crate::machine::{Flow, Machine};
use crate::value::{Object, Value};

impl Machine {
    /// Returns the name of a callable in messages: `__main__.f()`.
    pub(in crate::machine) fn called_name(&self, function: &Value) -> String {
        match self.heap.object(self.function_of(function)) {
            Some(Object::Function(function)) => {
                let module = self.module_of_function(&function.code, function.globals);
                match module {
                    Value::Str(module) => format!("{module}.{}()", function.code.qualname),
                    _ => format!("{}()", function.code.qualname),
                }
            }
            Some(Object::Class(class)) => match &class.builtin {
                Some(name) => format!("{name}()"),
                None => match class.attributes.get("__module__") {
                    Some(Value::Str(module)) if class.is_own(&self.heap) => {
                        format!("{module}.{}()", class.name)
                    }
                    _ => format!("__main__.{}()", class.name),
                },
            },
            Some(Object::Builtin(name)) => format!("{name}()"),
            _ => String::from("function"),
        }
    }

    /// Returns the function of a method, also of a method of a method. Returns any other value
    /// itself.
    pub(in crate::machine) fn function_of<'v>(&'v self, mut value: &'v Value) -> &'v Value {
        while let Some(Object::Method { function, .. }) = self.heap.object(value) {
            value = function;
        }
        value
    }

    /// Returns the error of `**` with a value that has no keys, in a call (`merge`) or in a dict.
    pub(in crate::machine) fn no_mapping(
        &mut self,
        value: &Value,
        depth: usize,
        merge: bool,
    ) -> Flow {
        if matches!(self.heap.object(value), Some(Object::Opaque { .. })) {
            return Flow::Unsupported("`**` of something that is no dict".to_string());
        }
        let kind = self.type_name(value);
        let message = match self.peek(depth + 2) {
            Ok(function) if merge => {
                let called = self.called_name(&function);
                format!("{called} argument after ** must be a mapping, not {kind}")
            }
            _ => format!("'{kind}' object is not a mapping"),
        };
        self.raise("TypeError", &message)
    }

    /// Whether a value is certainly not iterable.
    pub(in crate::machine) fn is_plainly_no_iterable(&mut self, value: &Value) -> bool {
        match self.heap.object(value) {
            Some(Object::Instance { .. }) => {
                self.special(value, "__iter__").is_none()
                    && self.special(value, "__getitem__").is_none()
            }
            Some(Object::Function(_) | Object::Method { .. }) => true,
            Some(_) => false,
            None => !matches!(value, Value::Str(_) | Value::Bytes(_)),
        }
    }
}
