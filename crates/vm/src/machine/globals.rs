//! Names of the program and of the builtins, and the initial state of a machine.

use std::sync::Arc;

use super::import::Library;
use super::tables::*;
use super::{Flow, Machine, Run};
use crate::machine::calls::intrinsics::INTRINSICS;
use crate::value::{DictKind, Entries, Key, NameKey, Object, ObjectId, Value};

/// Names of builtins, in the order of `builtins.__dict__`.
const BUILTINS: &str = "__name__ __doc__ __package__ __loader__ __spec__ __build_class__ __import__ abs all any ascii bin \
    breakpoint callable chr compile delattr dir divmod eval exec format getattr globals hasattr hash hex id input isinstance \
    issubclass iter aiter len locals max min next anext oct ord pow print repr round setattr sorted sum vars None Ellipsis \
    NotImplemented False True bool memoryview bytearray bytes classmethod complex dict enumerate filter float frozenset \
    property int list map object range reversed set slice staticmethod str super tuple type zip __debug__ BaseException \
    BaseExceptionGroup Exception GeneratorExit KeyboardInterrupt SystemExit ArithmeticError AssertionError AttributeError \
    BufferError EOFError ImportError LookupError MemoryError NameError OSError ReferenceError RuntimeError \
    StopAsyncIteration StopIteration SyntaxError SystemError TypeError ValueError Warning FloatingPointError OverflowError \
    ZeroDivisionError BytesWarning DeprecationWarning EncodingWarning FutureWarning ImportWarning \
    PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning UserWarning BlockingIOError \
    ChildProcessError ConnectionError FileExistsError FileNotFoundError InterruptedError IsADirectoryError \
    NotADirectoryError PermissionError ProcessLookupError TimeoutError IndentationError IndexError KeyError \
    ModuleNotFoundError NotImplementedError RecursionError UnboundLocalError UnicodeError BrokenPipeError \
    ConnectionAbortedError ConnectionRefusedError ConnectionResetError TabError UnicodeDecodeError UnicodeEncodeError \
    UnicodeTranslateError ExceptionGroup EnvironmentError IOError open";

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

    /// Returns a global name or a builtin.
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
                if let Some(module) = self.source_module(globals)
                    && let Some(value) = self.name_in_source(&module, name)?
                {
                    return Ok(value);
                }
                if let Some(value) = self.runtime.replaced.get(name) {
                    return Ok(value.clone());
                }
            }
        }
        if matches!(&**name, "__spec__" | "__loader__") && self.is_walked_module(globals) {
            return Err(self.spec_call(globals, name)?);
        }
        if let Some(value) = self.get_name(self.runtime.builtins, name) {
            return Ok(value);
        }
        if let Some(value) = self.builtin_name(name) {
            self.set_name(self.runtime.builtins, name, value.clone());
            return Ok(value);
        }
        if &**name == "__builtins__" {
            // In modules other than the program it is the dict.
            return match self.stacks.module == Some(globals) {
                true => Ok(self.module("builtins")),
                false => self.builtins_dict(),
            };
        }
        if &**name == "__loader__" {
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
            // For a namespace without its own name, such as that of `exec`.
            "__name__" => return Some(Value::str("builtins")),
            "__package__" | "__spec__" => return Some(Value::None),
            "Ellipsis" => return Some(Value::Ellipsis),
            "EnvironmentError" | "IOError" => return Some(self.class_value("OSError")),
            _ => {}
        }
        if self.runtime.classes.contains_key(name)
            && !name.contains('.')
            && !UNNAMED.contains(&&**name)
        {
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

    /// `builtins.__dict__`, in which programs look names up, with all names.
    pub(super) fn builtins_dict(&mut self) -> Run<Value> {
        if !self.runtime.replaced.is_empty() {
            let what = "__dict__ of builtins that the program replaced";
            return Err(Flow::Unsupported(what.to_string()));
        }
        for name in BUILTINS.split_ascii_whitespace() {
            let name: Arc<str> = name.into();
            let known = self.get_name(self.runtime.builtins, &name);
            let constant = match &*name {
                "None" => Some(Value::None),
                "True" | "__debug__" => Some(Value::Bool(true)),
                "False" => Some(Value::Bool(false)),
                _ => None,
            };
            if let Some(value) = known.or(constant).or_else(|| self.builtin_name(&name)) {
                self.delete_name(self.runtime.builtins, &name);
                self.set_name(self.runtime.builtins, &name, value);
            }
        }
        Ok(Value::Object(self.runtime.builtins))
    }

    /// Returns a builtin function by its dotted name, always the same object.
    pub(super) fn builtin(&mut self, dotted: &str) -> Value {
        if let Some(value) = self.runtime.named.get(dotted) {
            return value.clone();
        }
        let value = self.heap.make(Object::Builtin(dotted.into()));
        self.runtime.named.insert(dotted.into(), value.clone());
        value
    }

    /// Prepares the builtin classes, the builtins, and the core with the functions of the machine
    /// that its files call.
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
        self.runtime.builtins = self.heap.add(empty());
        self.runtime.core = self.heap.add(empty());
        for (number, intrinsic) in (0..).zip(INTRINSICS) {
            let value = self.heap.make(Object::Intrinsic(number, intrinsic.name));
            self.set_name(self.runtime.core, intrinsic.name, value);
        }
        self.set_name(self.runtime.core, "__name__", Value::str("runtime"));
        let end = self.heap.make(Object::Special {
            kind: "end",
            parts: Vec::new(),
        });
        self.set_name(self.runtime.core, "_END", end.clone());
        self.library = Library::new(self.runtime.core, end);
    }
}
