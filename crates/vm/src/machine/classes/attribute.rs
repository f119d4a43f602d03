//! Attributes of instances, classes, modules, functions, and methods of builtin values;
//! `__getattribute__`.

use std::sync::Arc;

use crate::fold::type_name::stream_class;
use crate::machine::classes::reflection::OBJECT_METHODS;
use crate::machine::eval::eval_loop::broken;
use crate::machine::sys_modules::module_name;
use crate::machine::tables::{RUNTIME, class_has, has_method, is_data};
use crate::machine::{Flow, Machine, Run};
use crate::operation::Operation;
use crate::text::annotations;
use crate::value::{DictKind, Entries, Function, Object, ObjectId, Value, View};

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

/// The docstring of `functools.partial`.
const PARTIAL: &str = "partial(func, *args, **keywords) - new function with partial application\n    of the given arguments and keywords.\n";

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
        if &**name == "__class__"
            && let Object::Function(_)
            | Object::Class(_)
            | Object::Method { .. }
            | Object::Module(_) = self.heap.get(*id)
        {
            return Ok(Found::Value(self.type_of(value)));
        }
        if &**name == "__class__"
            && let Object::Special { kind, .. } = self.heap.get(*id)
            && matches!(
                *kind,
                "property" | "staticmethod" | "classmethod" | "cached_property" | "partial"
            )
        {
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
                    "__dict__" => Found::Value(self.own_dict(*id)?),
                    "__doc__" => Found::Value(Value::None),
                    _ if self.is_exception_class(class) => self.exception_attribute(value, name)?,
                    _ => Found::Missing,
                })
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
                        Found::Value(self.function_part(&function, name))
                    }
                    "__annotations__" if !of_runtime => {
                        let none = Object::Dict(Entries::default(), DictKind::Plain);
                        let none = self.heap.make(none);
                        self.store_attribute(*id, name, none.clone())?;
                        Found::Value(none)
                    }
                    "__code__" if !of_runtime => {
                        let (class, parts) = self.shown_code(&code, function.globals)?;
                        return Ok(Found::Call(class, parts));
                    }
                    "__dict__" if !of_runtime => Found::Value(self.own_dict(*id)?),
                    "__globals__" if !of_runtime => Found::Value(Value::Object(function.globals)),
                    "__get__" if !of_runtime => {
                        let getter = self.prelude_value("_getter_of")?;
                        return Ok(Found::Call(getter, vec![value.clone()]));
                    }
                    "__dict__" | "__defaults__" | "__code__" | "__annotations__"
                    | "__closure__" | "__kwdefaults__" | "__globals__" | "__get__" => {
                        return Err(Flow::Unsupported(name.to_string()));
                    }
                    // Attributes that the library's decorators give functions. Other functions have
                    // none of these.
                    _ if of_runtime
                        && !name.starts_with("__")
                        && !OF_DECORATORS.contains(&&**name)
                        && function.attributes.is_empty() =>
                    {
                        Found::Missing
                    }
                    // It is a slot wrapper: it can be called, and has none of a method's
                    // attributes.
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

    /// Returns the type of a builtin function by its dotted name: that of methods if it belongs to
    /// a builtin class.
    fn kind_of_function(&self, dotted: &str) -> &'static str {
        let class = dotted.split_once('.').map(|(class, _)| class);
        match class.is_some_and(|class| self.runtime.classes.contains_key(class)) {
            true => "method_descriptor",
            false => "builtin_function_or_method",
        }
    }

    /// Looks up an attribute of a builtin function or of a method of a builtin class.
    fn function_attribute(&mut self, dotted: &str, name: &str) -> Run<Found> {
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

    fn special_attribute(
        &mut self,
        kind: &'static str,
        parts: &[Value],
        name: &Arc<str>,
    ) -> Run<Found> {
        match (kind, &**name) {
            ("property", "fget") => Ok(Found::Value(parts[0].clone())),
            ("property", "fset") => Ok(Found::Value(parts[1].clone())),
            ("property", "fdel") => Ok(Found::Value(parts[2].clone())),
            ("property", "__doc__") if parts[3] != Value::None => {
                Ok(Found::Value(parts[3].clone()))
            }
            ("property", "__doc__") => match self.heap.object(&parts[0]) {
                Some(Object::Function(_)) => self.find_attribute(&parts[0].clone(), name),
                _ => Ok(Found::Value(Value::None)),
            },
            ("property", "setter" | "getter" | "deleter") => {
                let at = match &**name {
                    "getter" => 0,
                    "setter" => 1,
                    _ => 2,
                };
                let receiver = self.heap.make(Object::Special {
                    kind: "property",
                    parts: parts.to_vec(),
                });
                Ok(Found::Value(self.heap.make(Object::BuiltinMethod {
                    receiver,
                    name: ["getter", "setter", "deleter"][at].into(),
                })))
            }
            ("super", _) => {
                let [Value::Object(after), receiver] = parts else {
                    return Err(broken("super"));
                };
                let class = match self.heap.object(receiver) {
                    Some(Object::Instance { class, .. }) => *class,
                    Some(Object::Class(_)) => {
                        let own = receiver.id().ok_or_else(|| broken("super"))?;
                        let meta = self.metaclass_of(own);
                        meta.filter(|meta| self.derives(*meta, *after))
                            .unwrap_or(own)
                    }
                    _ => return Err(Flow::Unsupported("super of that".to_string())),
                };
                let Object::Class(info) = self.heap.get(class) else {
                    return Err(broken("super"));
                };
                let mro = info.mro.clone();
                let from = mro.iter().position(|id| id == after).map_or(0, |at| at + 1);
                for id in &mro[from..] {
                    let Object::Class(info) = self.heap.get(*id) else {
                        continue;
                    };
                    if let Some(found) = info.attributes.get(name).cloned() {
                        if let Some(Object::Special { kind, parts }) = self.heap.object(&found)
                            && *kind == "property"
                        {
                            let getter = parts[0].clone();
                            return Err(Flow::Call(getter, vec![receiver.clone()]));
                        }
                        if &**name == "__new__" {
                            return Ok(Found::Value(found));
                        }
                        return Ok(self.bound(found, receiver.clone(), class));
                    }
                }
                if &**name == "__class_getitem__" && self.is_generic(class) {
                    let function = self.prelude_value("_generic_item")?;
                    let receiver = receiver.clone();
                    return Ok(Found::Value(
                        self.heap.make(Object::Method { function, receiver }),
                    ));
                }
                // Attributes of `object` and `BaseException`.
                let owner = if self.is_exception_class(class) {
                    "BaseException"
                } else if self.is_metaclass(class) {
                    "type"
                } else {
                    "object"
                };
                let function = self.builtin(&format!("{owner}.{name}"));
                if &**name == "__new__" {
                    return Ok(Found::Value(function));
                }
                let of_type = ["__call__", "__instancecheck__", "__subclasscheck__"];
                let is_known = owner == "type" && of_type.contains(&&**name);
                if !OBJECT_METHODS.contains(&&**name) && !is_known {
                    return Ok(Found::Missing);
                }
                let receiver = receiver.clone();
                Ok(Found::Value(
                    self.heap.make(Object::Method { function, receiver }),
                ))
            }
            ("frame", _) => Ok(Found::Value(self.part_of_frame(&parts[0], name)?)),
            ("staticmethod" | "classmethod", "__func__" | "__wrapped__") => {
                Ok(Found::Value(parts[0].clone()))
            }
            ("partial", "__module__") => Ok(Found::Value(Value::str("functools"))),
            ("partial", "__doc__") => {
                let set = parts.get(3).cloned();
                Ok(Found::Value(set.unwrap_or_else(|| Value::str(PARTIAL))))
            }
            ("partial", _)
                if !name.starts_with("__") && !matches!(&**name, "func" | "args" | "keywords") =>
            {
                Ok(Found::Missing)
            }
            ("partial", _)
                if name.starts_with("__")
                    && !matches!(&**name, "__dict__" | "__setstate__" | "__class_getitem__")
                    && !has_method(kind, name) =>
            {
                Ok(Found::Missing)
            }
            ("cached_property", "func") => Ok(Found::Value(parts[0].clone())),
            // They share the metadata of their functions, but no attributes that programs set.
            (
                "staticmethod" | "classmethod",
                "__module__"
                | "__name__"
                | "__qualname__"
                | "__doc__"
                | "__annotations__"
                | "__isabstractmethod__",
            ) if matches!(self.heap.object(&parts[0]), Some(Object::Function(_))) => {
                self.find_attribute(&parts[0].clone(), name)
            }
            ("staticmethod" | "classmethod", _) if !name.starts_with("__") => Ok(Found::Missing),
            ("staticmethod" | "classmethod", _) if !has_method(kind, name) => Ok(Found::Missing),
            ("cached_property", "__doc__") => match parts.get(1) {
                Some(set) => Ok(Found::Value(set.clone())),
                None => self.find_attribute(&parts[0], name),
            },
            ("partial", "args") => Ok(Found::Value(parts[1].clone())),
            ("partial", "keywords") => Ok(Found::Value(parts[2].clone())),
            (annotations::GENERIC_ALIAS | annotations::BUILTIN_ALIAS, "__args__") => {
                Ok(Found::Value(parts[1].clone()))
            }
            (annotations::UNION, "__args__") => Ok(Found::Value(self.heap.tuple(parts.to_vec()))),
            ("partial", "func")
            | (annotations::GENERIC_ALIAS | annotations::BUILTIN_ALIAS, "__origin__") => {
                Ok(Found::Value(parts[0].clone()))
            }
            (annotations::GENERIC_ALIAS | annotations::BUILTIN_ALIAS, _) => {
                self.find_attribute(&parts[0], name)
            }
            ("code", "replace") => {
                let function = self.prelude_value("_replaced_code")?;
                let parts = parts.to_vec();
                let receiver = self.heap.make(Object::Special { kind, parts });
                Ok(Found::Value(
                    self.heap.make(Object::Method { function, receiver }),
                ))
            }
            ("code", _) => {
                let (class, parts) = self.shown_text(parts)?;
                let get = self.prelude_value("_part_of_code")?;
                let shown = vec![class, self.heap.tuple(parts), Value::Str(name.clone())];
                Ok(Found::Call(get, shown))
            }
            _ => Err(Flow::Unsupported(format!("attribute {name} of a {kind}"))),
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
