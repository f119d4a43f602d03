//! Attributes of instances, classes, modules, functions, and methods of builtin values;
//! `__getattribute__`.

use std::sync::Arc;

use crate::fold::type_name::stream_class;
use crate::machine::sys_modules::module_name;
use crate::machine::tables::{RUNTIME, class_has, has_method, is_data};
use crate::machine::{Flow, Machine, Run};
use crate::operation::Operation;
use crate::value::{Function, Object, ObjectId, Value, View};

/// The result of an attribute lookup.
pub(in crate::machine) enum Found {
    Value(Value),
    /// A getter has to be called.
    Get(Value),
    /// A descriptor of the program has to be called with these arguments.
    Call(Value, Vec<Value>),
    Missing,
}

/// Library modules that are written in C in CPython: their functions do not become methods of a
/// class.
const OF_C: [&str; 5] = ["binascii", "struct", "sys", "time", "zlib"];

/// Whether a function replaces one that is written in C.
fn is_of_c(function: &Function) -> bool {
    let library = function.code.library.as_ref();
    !function.code.qualname.contains('.')
        && library.is_some_and(|library| OF_C.contains(&library.module))
}

impl Machine {
    /// `value.name`
    pub(in crate::machine) fn attribute(&mut self, value: &Value, name: &Arc<str>) -> Run<Value> {
        if let Some(get) = self.own_getter(value) {
            return Err(self.by_getter(value, name, get)?);
        }
        match self.find_attribute(value, name)? {
            Found::Value(value) => Ok(value),
            Found::Get(getter) => Err(Flow::Call(getter, vec![value.clone()])),
            Found::Call(function, arguments) => Err(Flow::Call(function, arguments)),
            Found::Missing => {
                if let Some(method) = self.method_of_object(value, name) {
                    return Ok(method);
                }
                if let Some(get) = self.special(value, "__getattr__") {
                    return Err(Flow::Call(get, vec![Value::Str(name.clone())]));
                }
                if self.is_lacking(value, name) {
                    let kind = self.type_name(value);
                    return Err(Flow::Unsupported(format!("{name} of {kind}")));
                }
                Err(self.no_attribute(value, name))
            }
        }
    }

    pub(in crate::machine) fn no_attribute(&mut self, value: &Value, name: &str) -> Flow {
        // `list[int]` looks attributes up in `list`.
        if let Some(Object::Special { kind, parts }) = self.heap.object(value)
            && *kind == crate::text::annotations::BUILTIN_ALIAS
        {
            let origin = parts[0].clone();
            return self.no_attribute(&origin, name);
        }
        let message = match self.heap.object(value) {
            Some(Object::Class(class)) if self.has_slot(class, name) => {
                return Flow::Unsupported("the descriptor of a slot".to_string());
            }
            // As `EnumType.__getattr__` raises it.
            Some(Object::Class(_)) if value.id().is_some_and(|id| self.is_member(id)) => {
                name.to_owned()
            }
            Some(Object::Class(class)) => {
                format!("type object '{}' has no attribute '{name}'", class.name)
            }
            Some(Object::Module(module)) if self.is_executed(module) => format!(
                "partially initialized module '{module}' has no attribute '{name}' (most likely due to a circular import)"
            ),
            Some(Object::Module(module)) => {
                let module = module_name(module);
                format!("module '{module}' has no attribute '{name}'")
            }
            _ => format!(
                "'{}' object has no attribute '{name}'",
                self.type_name(value)
            ),
        };
        self.raise("AttributeError", &message)
    }

    /// Whether an attribute lookup calls the program.
    pub(in crate::machine) fn computes(&mut self, value: &Value, name: &Arc<str>) -> Run<bool> {
        if !matches!(self.heap.object(value), Some(Object::Instance { .. })) {
            return Ok(false);
        }
        if self.own_getter(value).is_some() {
            return Ok(true);
        }
        Ok(match self.find_attribute(value, name)? {
            Found::Value(_) => false,
            Found::Missing => self.special(value, "__getattr__").is_some(),
            Found::Get(_) | Found::Call(..) => true,
        })
    }

    /// `getattr` with a default, and `hasattr`. `None` if there is no such attribute.
    pub(in crate::machine) fn attribute_or(
        &mut self,
        value: &Value,
        name: &Arc<str>,
    ) -> Run<Option<Value>> {
        if self.own_getter(value).is_some() {
            return Err(Flow::Unsupported(
                "hasattr beside __getattribute__".to_string(),
            ));
        }
        match self.find_attribute(value, name)? {
            Found::Value(found) if self.is_supposed(value, name, &found) => {
                // Classes that are written in C have only methods.
                if let Some(Object::Class(class)) = self.heap.object(value)
                    && let Some(builtin) = &class.builtin
                    && (builtin.starts_with("itertools.") || builtin.starts_with("operator."))
                    && !name.starts_with("__")
                {
                    return Ok(None);
                }
                let kind = self.type_name(value);
                Err(Flow::Unsupported(format!("whether a {kind} has {name}")))
            }
            Found::Value(value) => Ok(Some(value)),
            Found::Get(getter) => Err(Flow::Call(getter, vec![value.clone()])),
            Found::Call(function, arguments) => Err(Flow::Call(function, arguments)),
            Found::Missing if let Some(method) = self.method_of_object(value, name) => {
                Ok(Some(method))
            }
            Found::Missing if self.special(value, "__getattr__").is_some() => {
                Err(Flow::Unsupported("hasattr beside __getattr__".to_string()))
            }
            Found::Missing if self.is_lacking(value, name) => {
                let kind = self.type_name(value);
                Err(Flow::Unsupported(format!("{name} of {kind}")))
            }
            Found::Missing if self.is_slot(value, name) => {
                Err(Flow::Unsupported("the descriptor of a slot".to_string()))
            }
            Found::Missing => Ok(None),
        }
    }

    /// Whether a class has a descriptor from `__slots__`.
    fn is_slot(&self, value: &Value, name: &str) -> bool {
        matches!(self.heap.object(value), Some(Object::Class(class)) if self.has_slot(class, name))
    }

    pub(in crate::machine) fn find_attribute(
        &mut self,
        value: &Value,
        name: &Arc<str>,
    ) -> Run<Found> {
        let Value::Object(id) = value else {
            return self.builtin_attribute(value, name);
        };
        if &**name == "__class__" && self.has_type_as_class(*id) {
            return Ok(Found::Value(self.type_of(value)));
        }
        if &**name == "__call__" && self.is_plainly_called(*id) {
            let caller = self.prelude_value("_caller_of")?;
            return Ok(Found::Call(caller, vec![value.clone()]));
        }
        match self.heap.get(*id) {
            Object::Instance {
                class, attributes, ..
            } => {
                let class = *class;
                let own = attributes.get(name).cloned();
                self.instance_attribute((*id, class), own, name)
            }
            Object::Class(_) => self.class_found(*id, name),
            // The library's source looks up single names there.
            Object::Module(module)
                if &**name == "__dict__"
                    && &**module != "builtins"
                    && self.is_in_library_source()?
                    && self.globals_of(module).is_none() =>
            {
                let names = self.prelude_value("_ModuleNames")?;
                Ok(Found::Call(names, vec![value.clone()]))
            }
            Object::Module(module) => {
                let dotted = module.clone();
                Ok(match self.module_member(&dotted, name)? {
                    Some(value) => Found::Value(value),
                    None => Found::Missing,
                })
            }
            Object::Function(function) => {
                if let Some(value) = function.attributes.get(name) {
                    return Ok(Found::Value(value.clone()));
                }
                let function = function.clone();
                self.attribute_of_function(*id, &function, name)
            }
            Object::Cell(Some(held)) if &**name == "cell_contents" => {
                Ok(Found::Value(held.clone()))
            }
            Object::Method { function, receiver } => {
                let (function, receiver) = (function.clone(), receiver.clone());
                match &**name {
                    "__self__" => Ok(Found::Value(receiver)),
                    "__func__" => Ok(Found::Value(function)),
                    _ => {
                        let function = self.function_of(&function).clone();
                        self.find_attribute(&function, name)
                    }
                }
            }
            Object::BuiltinMethod {
                receiver,
                name: own,
            } => match &**name {
                "__name__" => Ok(Found::Value(Value::Str(own.clone()))),
                "__self__" => Ok(Found::Value(receiver.clone())),
                _ => self.builtin_attribute(value, name),
            },
            Object::Special { kind, .. }
                if &**name == "__get__"
                    && matches!(*kind, "staticmethod" | "classmethod" | "property") =>
            {
                let getter = self.prelude_value("_getter_of_descriptor")?;
                Ok(Found::Call(getter, vec![value.clone()]))
            }
            Object::Special { kind, parts } => {
                let (kind, parts) = (*kind, parts.clone());
                self.special_attribute(kind, &parts, name)
            }
            Object::Builtin(dotted) => {
                let dotted = dotted.clone();
                if stream_class(&dotted).is_some() {
                    return self.stream_attribute(&dotted, name);
                }
                self.function_attribute(&dotted, name)
            }
            Object::Range(start, stop, step) => Ok(match &**name {
                "start" => Found::Value(start.clone()),
                "stop" => Found::Value(stop.clone()),
                "step" => Found::Value(step.clone()),
                _ => return self.builtin_attribute(value, name),
            }),
            Object::Slice(start, stop, step) => Ok(match &**name {
                "start" => Found::Value(start.clone()),
                "stop" => Found::Value(stop.clone()),
                "step" => Found::Value(step.clone()),
                _ => return self.builtin_attribute(value, name),
            }),
            _ => self.builtin_attribute(value, name),
        }
    }

    /// Whether `__class__` of an object is its type, whatever attributes it has.
    #[inline]
    fn has_type_as_class(&self, id: ObjectId) -> bool {
        match self.heap.get(id) {
            Object::Function(_) | Object::Class(_) | Object::Method { .. } | Object::Module(_) => {
                true
            }
            Object::Special { kind, .. } => matches!(
                *kind,
                "property" | "staticmethod" | "classmethod" | "cached_property" | "partial"
            ),
            _ => false,
        }
    }

    /// Looks up an attribute of an instance with its class: its own, or one of the class.
    #[inline]
    fn instance_attribute(
        &mut self,
        (id, class): (ObjectId, ObjectId),
        own: Option<Value>,
        name: &Arc<str>,
    ) -> Run<Found> {
        let value = Value::Object(id);
        let inherited = self.class_attribute(class, name);
        if let Some([getter, ..]) = self.property(inherited.as_ref()) {
            return Ok(match getter {
                Value::None => Found::Missing,
                getter => Found::Get(getter),
            });
        }
        if let Some(found) = &inherited
            && let Some(get) = self.special(found, "__get__")
            && (own.is_none() || self.is_data_descriptor(found))
        {
            let arguments = vec![value.clone(), Value::Object(class)];
            return Ok(Found::Call(get, arguments));
        }
        if let Some(own) = own {
            return Ok(Found::Value(own));
        }
        if let Some(Object::Special { kind, parts }) =
            inherited.as_ref().and_then(|found| self.heap.object(found))
            && *kind == "cached_property"
        {
            let arguments = vec![parts[0].clone(), value.clone(), Value::Str(name.clone())];
            return Ok(Found::Call(
                self.prelude_value("_cached_property")?,
                arguments,
            ));
        }
        if let Some(found) = inherited {
            return Ok(self.bound(found, value.clone(), class));
        }
        Ok(match &**name {
            "__class__" => Found::Value(Value::Object(class)),
            "__dict__" if !self.may_have(class, "__dict__") => Found::Missing,
            "__dict__" => Found::Value(self.own_dict(id)?),
            "__doc__" => Found::Value(Value::None),
            _ if self.is_exception_class(class) => self.exception_attribute(&value, name)?,
            _ => Found::Missing,
        })
    }

    /// Whether an attribute of a builtin class or of a module's function is only assumed to exist.
    fn is_supposed(&self, value: &Value, name: &str, found: &Value) -> bool {
        let owner = match self.heap.object(value) {
            Some(Object::Class(class)) => match &class.builtin {
                Some(builtin) if class_has(builtin, name).is_none() => builtin,
                _ => return false,
            },
            Some(Object::Builtin(dotted))
                if dotted.contains('.') && stream_class(dotted).is_none() =>
            {
                dotted
            }
            _ => return false,
        };
        matches!(self.heap.object(found), Some(Object::Builtin(dotted)) if **dotted == format!("{owner}.{name}"))
    }

    /// Whether a builtin value or class has an attribute, whatever its value is.
    pub(in crate::machine) fn has_by_table(&mut self, value: &Value, name: &str) -> bool {
        match self.heap.object(value) {
            Some(Object::Instance { .. } | Object::Module(_) | Object::Opaque { .. }) => false,
            Some(Object::Class(class)) => {
                let builtin = class.builtin.as_deref().unwrap_or("object");
                class_has(builtin, name) == Some(true) || self.has_slot(class, name)
            }
            Some(Object::Builtin(dotted)) => {
                has_method(self.kind_of_function(&dotted.clone()), name)
            }
            _ => {
                let kind = self.type_name(value);
                has_method(&kind, name)
            }
        }
    }

    /// Whether calling an object calls no method of the program: a function, or a class whose
    /// `__call__` is `type`'s.
    fn is_plainly_called(&self, id: ObjectId) -> bool {
        match self.heap.get(id) {
            Object::Function(function) => !function.attributes.contains_key("__call__"),
            Object::Method { .. } | Object::BuiltinMethod { .. } => true,
            Object::Builtin(dotted) => &**dotted != "type",
            Object::Special { kind, .. } => *kind == "partial",
            Object::Class(class) => {
                class.metaclass.is_none()
                    && class.builtin.as_deref() != Some("type")
                    && self.class_attribute(id, "__call__").is_none()
            }
            _ => false,
        }
    }

    fn is_data_descriptor(&mut self, value: &Value) -> bool {
        self.special(value, "__set__").is_some() || self.special(value, "__delete__").is_some()
    }

    /// Binds an attribute of a class to an instance of it.
    pub(in crate::machine) fn bound(
        &mut self,
        found: Value,
        receiver: Value,
        class: ObjectId,
    ) -> Found {
        match self.heap.object(&found) {
            Some(Object::Function(f)) if RUNTIME.contains(&f.code.qualname.as_str()) => {
                Found::Value(found)
            }
            Some(Object::Function(f)) if is_of_c(f) => Found::Value(found),
            Some(Object::Function(_)) => Found::Value(self.heap.make(Object::Method {
                function: found,
                receiver,
            })),
            Some(Object::Special { kind, parts }) => match *kind {
                "staticmethod" => Found::Value(parts[0].clone()),
                "classmethod" => {
                    let function = parts[0].clone();
                    let receiver = Value::Object(class);
                    Found::Value(self.heap.make(Object::Method { function, receiver }))
                }
                _ => Found::Value(found),
            },
            // `push = list.append`
            Some(Object::Builtin(dotted)) if self.is_method_of(dotted, &receiver) => {
                let function = found;
                Found::Value(self.heap.make(Object::Method { function, receiver }))
            }
            _ => Found::Value(found),
        }
    }

    /// Looks up attributes and methods of builtin values.
    fn builtin_attribute(&mut self, value: &Value, name: &Arc<str>) -> Run<Found> {
        if &**name == "__class__" {
            return Ok(Found::Value(self.type_of(value)));
        }
        match (value, &**name) {
            (Value::Int(_) | Value::BigInt(_), "numerator" | "real") => {
                return Ok(Found::Value(value.clone()));
            }
            (Value::Complex(re, _), "real") => return Ok(Found::Value(Value::Float(*re))),
            (Value::Complex(_, im), "imag") => return Ok(Found::Value(Value::Float(*im))),
            _ => {}
        }
        if let Some(value) = self.container_attribute(value, name) {
            return Ok(Found::Value(value));
        }
        if &**name == "__doc__" {
            // The library's source looks for its own marks there.
            return match self.is_in_hidden() {
                true => Ok(Found::Value(Value::None)),
                false => Err(Flow::Unsupported("__doc__ of a builtin value".to_string())),
            };
        }
        if let Some(value) = self.part_of_generator(value, name)? {
            return Ok(Found::Value(value));
        }
        if let Some(part) = self.part_of_alias(value, name) {
            return Ok(Found::Value(part));
        }
        if let Some(part) = self.part_of_parameters(value, name) {
            return Ok(Found::Value(part));
        }
        if let Some(Object::Opaque { class, .. }) = self.heap.object(value)
            && !self.is_unknown(value)
        {
            return Err(Flow::Unsupported(format!("{name} of {class}")));
        }
        let opaque = matches!(self.heap.object(value), Some(Object::Opaque { .. }));
        let kind = self.type_name(value);
        // The runtime drives asynchronous generators like other generators.
        let is_driven = kind == "async_generator"
            && matches!(&**name, "send" | "throw" | "close")
            && self
                .frames
                .last()
                .is_some_and(|frame| self.is_runtime(frame));
        if !opaque && !is_driven && !has_method(&kind, name) {
            return Ok(Found::Missing);
        }
        let is_deque = matches!(self.heap.object(value), Some(Object::Deque(..)));
        if is_deque && is_data(&kind, name) {
            return Err(self.ask_operation(Operation::Attribute(name.clone()), vec![value.clone()]));
        }
        if !opaque && is_data(&kind, name) {
            return Err(Flow::Unsupported(format!("{name} of a {kind}")));
        }
        let receiver = value.clone();
        Ok(Found::Value(self.heap.make(Object::BuiltinMethod {
            receiver,
            name: name.clone(),
        })))
    }

    /// Returns a view of a dict.
    pub(in crate::machine) fn dict_view(&mut self, of: ObjectId, name: &str) -> Option<Value> {
        let view = match name {
            "keys" => View::Keys,
            "values" => View::Values,
            "items" => View::Items,
            _ => return None,
        };
        Some(self.heap.make(Object::DictView { of, view }))
    }
}

impl Machine {
    /// Returns the program's `__getattribute__`, bound to an instance that has one.
    pub(in crate::machine) fn own_getter(&mut self, value: &Value) -> Option<Value> {
        let is_instance = matches!(self.heap.object(value), Some(Object::Instance { .. }));
        (self.reads_itself && is_instance)
            .then(|| self.special(value, "__getattribute__"))
            .flatten()
    }

    /// `object.__getattribute__(value, name)`
    pub(in crate::machine) fn plain_attribute(
        &mut self,
        value: &Value,
        name: &Arc<str>,
    ) -> Run<Value> {
        match self.find_attribute(value, name)? {
            Found::Value(value) => Ok(value),
            Found::Get(getter) => Err(Flow::Call(getter, vec![value.clone()])),
            Found::Call(function, arguments) => Err(Flow::Call(function, arguments)),
            Found::Missing => Err(self.no_attribute(value, name)),
        }
    }

    /// Returns the call that looks up an attribute. If it finds none, `__getattr__` is called.
    pub(in crate::machine) fn by_getter(
        &mut self,
        value: &Value,
        name: &Arc<str>,
        get: Value,
    ) -> Run<Flow> {
        let name = Value::Str(name.clone());
        match self.special(value, "__getattr__") {
            Some(other) => self.helper("_getattribute", vec![get, other, name]),
            None => Ok(Flow::Call(get, vec![name])),
        }
    }
}
