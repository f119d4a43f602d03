//! Names: those of the program and of the builtins; and what a machine starts with.

use std::sync::Arc;

use super::import::Library;
use super::tables::*;
use super::{Flow, Machine, Run};
use crate::machine::calls::intrinsics::INTRINSICS;
use crate::value::{DictKind, Entries, Key, NameKey, Object, ObjectId, Value};

impl Machine {
    pub(super) fn get_name(&self, space: ObjectId, name: &Arc<str>) -> Option<Value> {
        match self.heap.get(space) {
            Object::Dict(entries, _) => entries.get(&NameKey(name)).map(|(_, value)| value.clone()),
            _ => None,
        }
    }

    pub(super) fn set_name(&mut self, space: ObjectId, name: &str, value: Value) {
        if let Object::Dict(entries, _) = self.heap.get_mut(space) {
            if let Some((_, bound)) = entries.get_mut(&NameKey(name)) {
                *bound = value;
                return;
            }
            let name: Arc<str> = name.into();
            let entry = entries.entry(Key::Str(name.clone()));
            entry.or_insert_with(|| (Value::Str(name), Value::None)).1 = value;
        }
    }

    pub(super) fn delete_name(&mut self, space: ObjectId, name: &Arc<str>) -> bool {
        match self.heap.get_mut(space) {
            Object::Dict(entries, _) => entries.shift_remove(&NameKey(name)).is_some(),
            _ => false,
        }
    }

    /// A global name, or one of the builtins.
    pub(super) fn global(&mut self, name: &Arc<str>) -> Run<Value> {
        let frame = self.top()?;
        let (globals, library) = (frame.globals, frame.code.library.clone());
        if let Some(value) = self.get_name(globals, name) {
            return Ok(value);
        }
        match library {
            Some(file) => {
                if let Some(value) = self.library_name(file.module, name) {
                    return Ok(value);
                }
                if let Some(value) = self.library_name("", name) {
                    return Ok(value);
                }
            }
            None => {
                if let Some(value) = self.replaced.get(name) {
                    return Ok(value.clone());
                }
            }
        }
        if let Some(value) = self.get_name(self.builtins, name) {
            return Ok(value);
        }
        if let Some(value) = self.builtin_name(name) {
            self.set_name(self.builtins, name, value.clone());
            return Ok(value);
        }
        if matches!(&**name, "__builtins__" | "__loader__") {
            return Err(Flow::Unsupported(name.to_string()));
        }
        if let Some(origin) = self.library.partial.get(&globals) {
            return Ok(self.unknown_value(origin.clone()));
        }
        if self.goes_on()
            && let Some(value) = self.missing_name(name)?
        {
            return Ok(value);
        }
        Err(self.raise("NameError", &format!("name '{name}' is not defined")))
    }

    pub(super) fn builtin_name(&mut self, name: &Arc<str>) -> Option<Value> {
        match &**name {
            "NotImplemented" => return Some(Value::NotImplemented),
            // Of a namespace without a name of its own, as that of `exec`.
            "__name__" => return Some(Value::str("builtins")),
            "__package__" | "__spec__" => return Some(Value::None),
            "Ellipsis" => return Some(Value::Ellipsis),
            "EnvironmentError" | "IOError" => return Some(self.class_value("OSError")),
            _ => {}
        }
        if self.classes.contains_key(name) && !name.contains('.') && !UNNAMED.contains(&&**name) {
            return Some(self.class_value(name));
        }
        if ITERATORS.contains(&&**name) {
            return Some(self.class_value(name));
        }
        if RUNTIME.contains(&&**name) {
            return self.library_name("", name);
        }
        FUNCTIONS.contains(&&**name).then(|| self.builtin(name))
    }

    /// A builtin function by its dotted name: one object each.
    pub(super) fn builtin(&mut self, dotted: &str) -> Value {
        if let Some(value) = self.named.get(dotted) {
            return value.clone();
        }
        let value = self.heap.make(Object::Builtin(dotted.into()));
        self.named.insert(dotted.into(), value.clone());
        value
    }

    /// Builtin classes, builtins, and the core with what its files call of the machine.
    pub(super) fn prepare(&mut self) {
        self.make_classes();
        self.start_core();
    }

    fn make_classes(&mut self) {
        let object = self.add_class("object", None);
        for name in CLASSES {
            self.add_class(name, Some(object));
        }
        let int = self.class_id("int");
        self.add_class("bool", Some(int));
        let dict = self.class_id("dict");
        for name in ["defaultdict", "Counter", "OrderedDict"] {
            self.add_class(&format!("collections.{name}"), Some(dict));
        }
        for row in ERRORS {
            let mut names = row.split_whitespace();
            let base = names.next().map(|base| self.class_id(base));
            for name in names {
                self.add_class(name, base);
            }
        }
    }

    fn start_core(&mut self) {
        let empty = || Object::Dict(Entries::default(), DictKind::Plain);
        self.builtins = self.heap.add(empty());
        self.core = self.heap.add(empty());
        for (number, intrinsic) in (0..).zip(INTRINSICS) {
            let value = self.heap.make(Object::Intrinsic(number, intrinsic.name));
            self.set_name(self.core, intrinsic.name, value);
        }
        self.set_name(self.core, "__name__", Value::str("runtime"));
        let end = self.heap.make(Object::Special {
            kind: "end",
            parts: Vec::new(),
        });
        self.set_name(self.core, "_END", end.clone());
        self.library = Library::new(self.core, end);
    }
}
