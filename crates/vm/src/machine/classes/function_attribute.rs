//! Attributes of functions: those of the program and of the runtime, and builtin ones.

use std::sync::Arc;

use crate::machine::classes::attribute::Found;
use crate::machine::tables::has_method;
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Entries, Function, Object, ObjectId, Value};

/// Attributes that functions of the library may have.
const OF_DECORATORS: [&str; 6] = [
    "cache_clear",
    "cache_info",
    "cache_parameters",
    "dispatch",
    "register",
    "registry",
];

impl Machine {
    /// Looks up an attribute of a function that was not set.
    pub(super) fn attribute_of_function(
        &mut self,
        id: ObjectId,
        function: &Function,
        name: &Arc<str>,
    ) -> Run<Found> {
        let code = function.code.clone();
        let of_runtime = function.hidden;
        Ok(match &**name {
            "__name__" => Found::Value(Value::str(&code.name)),
            "__qualname__" => Found::Value(Value::str(&code.qualname)),
            "__module__" => Found::Value(self.module_of_function(&code, function.globals)),
            "__doc__" => {
                let doc = code.constants.first().cloned();
                let doc = doc.map_or(Value::None, |doc| self.constant(&doc));
                Found::Value(doc)
            }
            "__defaults__" | "__kwdefaults__" | "__closure__" if !of_runtime => {
                Found::Value(self.function_part(id, function, name))
            }
            "__annotations__" if !of_runtime => {
                let none = Object::Dict(Entries::default(), DictKind::Plain);
                let none = self.heap.make(none);
                self.store_attribute(id, name, none.clone())?;
                Found::Value(none)
            }
            "__code__" if !of_runtime => {
                let (class, parts) = self.shown_code(&code, function.globals)?;
                return Ok(Found::Call(class, parts));
            }
            "__dict__" if !of_runtime => Found::Value(self.own_dict(id)?),
            "__globals__" if !of_runtime => Found::Value(Value::Object(function.globals)),
            "__get__" if !of_runtime => {
                let getter = self.prelude_value("_getter_of")?;
                return Ok(Found::Call(getter, vec![Value::Object(id)]));
            }
            "__dict__" | "__defaults__" | "__code__" | "__annotations__" | "__closure__"
            | "__kwdefaults__" | "__globals__" | "__get__" => {
                return Err(Flow::Unsupported(name.to_string()));
            }
            // Attributes that the library's decorators give functions. Other functions have none of
            // these.
            _ if of_runtime
                && !name.starts_with("__")
                && !OF_DECORATORS.contains(&&**name)
                && function.attributes.is_empty() =>
            {
                Found::Missing
            }
            // It is a slot wrapper: it can be called, and has none of a method's attributes.
            "__func__" | "__wrapped__" | "__signature__" | "__isabstractmethod__"
                if matches!(&*code.name, "__call__" | "__get__") && of_runtime =>
            {
                Found::Missing
            }
            // It replaces an object of another class.
            _ if of_runtime => {
                return Err(Flow::Unsupported(format!("{name} of {}", code.name)));
            }
            _ => Found::Missing,
        })
    }

    /// Returns the type of a builtin function by its dotted name: that of methods if it belongs to
    /// a builtin class.
    pub(super) fn kind_of_function(&self, dotted: &str) -> &'static str {
        let class = dotted.split_once('.').map(|(class, _)| class);
        match class.is_some_and(|class| self.runtime.classes.contains_key(class)) {
            true => "method_descriptor",
            false => "builtin_function_or_method",
        }
    }

    /// Looks up an attribute of a builtin function or of a method of a builtin class.
    pub(super) fn function_attribute(&mut self, dotted: &str, name: &str) -> Run<Found> {
        let kind = self.kind_of_function(dotted);
        let of_class = kind == "method_descriptor";
        let is_plain = of_class || !dotted.contains('.');
        let last = dotted.rsplit('.').next().unwrap_or(dotted);
        Ok(match name {
            "__name__" => Found::Value(Value::str(last)),
            "__qualname__" if !of_class => Found::Value(Value::str(last)),
            "__qualname__" => Found::Value(Value::str(dotted)),
            "__module__" if !of_class => {
                let module = dotted
                    .rsplit_once('.')
                    .map_or("builtins", |(module, _)| module);
                Found::Value(Value::str(module))
            }
            "__class__" => Found::Value(self.class_value(kind)),
            // Only methods have it.
            "__func__" if !is_plain => Found::Missing,
            // Attributes that the library's decorators give functions. Other functions have none of
            // these.
            _ if !is_plain && !name.starts_with("__") && !OF_DECORATORS.contains(&name) => {
                Found::Missing
            }
            // A function of a module may be written in Python and have attributes that the program
            // set.
            _ if !is_plain => Found::Value(self.builtin(&format!("{dotted}.{name}"))),
            _ if !has_method(kind, name) => Found::Missing,
            "__get__" => {
                let function = self.builtin(dotted);
                Found::Call(self.prelude_value("_getter_of")?, vec![function])
            }
            _ => return Err(Flow::Unsupported(format!("{name} of {dotted}"))),
        })
    }
}
