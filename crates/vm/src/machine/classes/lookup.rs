//! Attributes of classes.

use std::sync::Arc;

use crate::machine::calls::call::Keywords;
use crate::machine::classes::attribute::Found;
use crate::machine::eval::eval_loop::broken;
use crate::machine::tables::{class_has, library_has, own_members, own_names};
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Attributes, DictKind, Entries, Key, Object, ObjectId, Value};

/// Whether a name of the metaclass of abstract classes is a method of `type` here, which does the
/// work of both.
fn is_method_of_type(builtin: &str, name: &str) -> bool {
    const OF_CLASSES: [&str; 4] = ["__dict__", "__bases__", "__base__", "__subclasses__"];
    matches!(builtin, "abc.ABCMeta" | "typing._ProtocolMeta")
        && class_has("type", name) == Some(true)
        && !OF_CLASSES.contains(&name)
}

impl Machine {
    /// Looks up an attribute of a class: its own, one of its bases or its metaclass, or one that
    /// every class has.
    pub(in crate::machine) fn class_found(&mut self, id: ObjectId, name: &Arc<str>) -> Run<Found> {
        if let Some(found) = self.class_attribute(id, name) {
            return Ok(self.bound_to_class(found, id, name));
        }
        if let Some(meta) = self.metaclass_of(id)
            && let Some(found) = self.class_attribute(meta, name)
            && !(name.starts_with("__") && name.ends_with("__"))
        {
            return Ok(match self.property(Some(&found)) {
                Some([getter, ..]) => Found::Get(getter),
                None => self.bound(found, Value::Object(id), meta),
            });
        }
        let Object::Class(class) = self.heap.get(id) else {
            return Err(broken("class"));
        };
        let (class_name, builtin) = (class.name.clone(), class.builtin.clone());
        let is_exception = self.is_exception_class(id);
        Ok(match (&**name, builtin) {
            ("__name__" | "__qualname__", _) => Found::Value(Value::Str(class_name)),
            ("__module__", builtin) => Found::Value(Value::str(match &builtin {
                Some(dotted) => dotted
                    .rsplit_once('.')
                    .map_or("builtins", |(module, _)| module),
                None => "__main__",
            })),
            ("__doc__", None) => Found::Value(Value::None),
            ("__abstractmethods__", None) => {
                let names = self.abstract_methods(id);
                let names: Vec<Value> = names.iter().map(|name| Value::str(name)).collect();
                let names = self.heap.tuple(names);
                let frozenset = self.builtin("frozenset");
                return Ok(Found::Call(frozenset, vec![names]));
            }
            ("__dict__", builtin) => match self.names_in_class(id, builtin.as_deref())? {
                Some(names) => {
                    let view = self.library_value("types", "MappingProxyType")?;
                    return Ok(Found::Call(view, vec![names]));
                }
                None => return Err(Flow::Unsupported(name.to_string())),
            },
            ("__weakref__", None) => Found::Value(self.prelude_value("_DESCRIPTOR")?),
            ("__mro__", _) => {
                let Object::Class(class) = self.heap.get(id) else {
                    return Err(broken("class"));
                };
                let classes = self.shown_order(class);
                Found::Value(self.heap.tuple(classes))
            }
            ("register", _) if self.is_abstract_base(id) => {
                let function = self.intrinsic("_register");
                let receiver = Value::Object(id);
                Found::Value(self.heap.make(Object::Method { function, receiver }))
            }
            ("__subclasses__", None) | ("mro", _) => {
                let function = self.intrinsic(&format!("_{name}"));
                let receiver = Value::Object(id);
                Found::Value(self.heap.make(Object::Method { function, receiver }))
            }
            ("__bases__", None) => {
                let bases = self.bases(id)?;
                Found::Value(self.heap.tuple(bases))
            }
            ("__base__", None) => {
                let first = self.bases(id)?.into_iter().next();
                Found::Value(first.unwrap_or(Value::None))
            }
            ("__call__", Some(builtin)) if *builtin == *"type" => {
                Found::Value(self.builtin("type.__call__"))
            }
            (_, Some(builtin)) if is_method_of_type(&builtin, name) => {
                Found::Value(self.builtin(&format!("type.{name}")))
            }
            ("__bases__" | "__base__" | "__subclasses__" | "__annotations__" | "__call__", _) => {
                return Err(Flow::Unsupported(name.to_string()));
            }
            (
                "__init__" | "__new__" | "__str__" | "__repr__" | "__eq__" | "__hash__"
                | "__setattr__" | "__getattribute__" | "__init_subclass__" | "__ne__",
                builtin,
            ) => {
                let owner = match builtin {
                    _ if is_exception => "BaseException".to_string(),
                    Some(builtin) => builtin.to_string(),
                    None => "object".to_string(),
                };
                Found::Value(self.builtin(&format!("{owner}.{name}")))
            }
            (_, Some(builtin)) => {
                // Attributes of an unknown class are not looked up.
                match class_has(&builtin, name).unwrap_or(!is_exception) {
                    true => Found::Value(self.builtin(&format!("{builtin}.{name}"))),
                    false => Found::Missing,
                }
            }
            (_, None) if class_has("object", name) == Some(true) => {
                Found::Value(self.builtin(&format!("object.{name}")))
            }
            _ => Found::Missing,
        })
    }

    /// Binds an attribute of a class to the class itself, from which it is read.
    #[inline]
    fn bound_to_class(&mut self, found: Value, id: ObjectId, name: &str) -> Found {
        if let Some(get) = self.special(&found, "__get__") {
            let arguments = vec![Value::None, Value::Object(id)];
            return Found::Call(get, arguments);
        }
        match self.heap.object(&found) {
            Some(Object::Special { kind, parts }) => match *kind {
                "staticmethod" => Found::Value(parts[0].clone()),
                "classmethod" => {
                    let function = parts[0].clone();
                    let receiver = Value::Object(id);
                    Found::Value(self.heap.make(Object::Method { function, receiver }))
                }
                _ => Found::Value(found),
            },
            Some(Object::Function(_))
                if matches!(name, "__init_subclass__" | "__class_getitem__") =>
            {
                let receiver = Value::Object(id);
                Found::Value(self.heap.make(Object::Method {
                    function: found,
                    receiver,
                }))
            }
            _ => Found::Value(found),
        }
    }

    /// Returns the namespace of a class, if it is known.
    fn names_in_class(&mut self, id: ObjectId, builtin: Option<&str>) -> Run<Option<Value>> {
        let Some(builtin) = builtin else {
            if let Some(names) = self.names_of_library(id)? {
                return Ok(Some(names));
            }
            return match self.is_exception_class(id) {
                true => Ok(None),
                false => self.class_dict(id).map(Some),
            };
        };
        if matches!(builtin, "object" | "abc.ABC") {
            return Ok(Some(self.names_in_object()));
        }
        let Some(names) = own_members(builtin) else {
            return Ok(None);
        };
        let mut entries = Entries::default();
        for name in names {
            let method = self.builtin(&format!("{builtin}.{name}"));
            entries.insert(Key::Str(name.into()), (Value::str(name), method));
        }
        Ok(Some(self.heap.make(Object::Dict(entries, DictKind::Plain))))
    }

    /// Returns the namespace of a class of the program: the names that its body bound, and those
    /// that every class has.
    fn class_dict(&mut self, id: ObjectId) -> Run<Value> {
        let Object::Class(class) = self.heap.get(id) else {
            return Err(broken("class"));
        };
        let own = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(class) => class.builtin.is_none() && class.slots.is_none(),
            _ => false,
        };
        let mut slots = class.slots.clone().unwrap_or_default();
        slots.sort_unstable();
        let is_plain = class.slots.is_none();
        let derived = class.mro.iter().skip(1).any(own);
        let attribute = |(name, value): (&Arc<str>, &Value)| (name.clone(), value.clone());
        let listed = |(name, _): &(Arc<str>, Value)| &**name != "__qualname__";
        let has_text = class.attributes.contains_key("__doc__");
        let bound = class.attributes.iter().take(class.of_body);
        let mut names: Vec<(Arc<str>, Value)> = bound.map(attribute).filter(listed).collect();
        let later = class.attributes.iter().skip(class.of_body);
        let later: Vec<(Arc<str>, Value)> = later.map(attribute).filter(listed).collect();
        let descriptor = self.prelude_value("_DESCRIPTOR")?;
        if !slots.is_empty() {
            let member = self.prelude_value("_MEMBER")?;
            names.extend(slots.into_iter().map(|slot| (slot, member.clone())));
        }
        for name in ["__dict__", "__weakref__"] {
            if !derived && is_plain {
                names.push((name.into(), descriptor.clone()));
            }
        }
        if !has_text {
            names.push(("__doc__".into(), Value::None));
        }
        names.extend(later);
        let mut entries = Entries::default();
        for (name, value) in names {
            entries.insert(Key::Str(name.clone()), (Value::Str(name), value));
        }
        Ok(self.heap.make(Object::Dict(entries, DictKind::Plain)))
    }

    /// Returns the module and name of a library class that the runtime replaces.
    pub(in crate::machine) fn library_class(&self, id: ObjectId) -> Option<String> {
        let Object::Class(class) = self.heap.get(id) else {
            return None;
        };
        match class.attributes.get("__module__") {
            Some(Value::Str(module)) if class.builtin.is_none() && &**module != "__main__" => {
                Some(format!("{}.{}", module.trim_start_matches('_'), class.name))
            }
            _ => None,
        }
    }

    /// Returns the namespace of a library class, if it is known, with the values that the runtime
    /// has.
    fn names_of_library(&mut self, id: ObjectId) -> Run<Option<Value>> {
        let Some(names) = self.library_class(id).as_deref().and_then(own_names) else {
            return Ok(None);
        };
        let descriptor = self.prelude_value("_DESCRIPTOR")?;
        let Object::Class(class) = self.heap.get(id) else {
            return Err(broken("class"));
        };
        let entries = names.into_iter().map(|name| {
            let value = class.attributes.get(name).unwrap_or(&descriptor).clone();
            (Key::Str(name.into()), (Value::str(name), value))
        });
        let entries = entries.collect();
        Ok(Some(self.heap.make(Object::Dict(entries, DictKind::Plain))))
    }

    /// Whether a class, or the class of an instance, derives from a library class with a name that
    /// the runtime lacks.
    pub(in crate::machine) fn is_lacking(&self, value: &Value, name: &str) -> bool {
        // The runtime looks up attributes that it gave its own objects.
        if self
            .frames
            .last()
            .is_some_and(|frame| self.is_runtime(frame))
        {
            return false;
        }
        let id = match (self.heap.object(value), value.id()) {
            (Some(Object::Instance { class, .. }), _) => *class,
            (Some(Object::Class(_)), Some(id)) => id,
            _ => return false,
        };
        let Object::Class(class) = self.heap.get(id) else {
            return false;
        };
        let mut dotted = class.mro.iter().filter_map(|id| self.library_class(*id));
        dotted.any(|dotted| library_has(&dotted, name))
    }

    /// `type(name, bases, namespace)`, and the same call of a metaclass.
    pub(in crate::machine) fn made_class(
        &mut self,
        meta: Option<ObjectId>,
        arguments: &[Value],
        after: After,
    ) -> Run<()> {
        let unsupported = || Flow::Unsupported("type() of three arguments".to_string());
        let [Value::Str(name), bases, namespace] = arguments else {
            return Err(unsupported());
        };
        let bases = self.known_items(bases).ok_or_else(unsupported)?;
        let given = meta.map(|meta| ("metaclass".into(), Value::Object(meta)));
        let given: Keywords = given.into_iter().collect();
        let body = self.body_of(name.clone(), &bases, &given, after)?;
        // A function of the module `abc` makes the class.
        let of_abc = meta.is_some() && meta == self.runtime.classes.get("abc.ABCMeta").copied();
        let namespace = match of_abc {
            true => self.with_given_module(namespace, "abc".into()),
            false => self.with_module(namespace),
        };
        self.finish_class(body, namespace)
    }

    /// Returns a namespace with `__module__`, if a module of the project makes a class of it by a
    /// call.
    fn with_module(&mut self, namespace: &Value) -> Value {
        let frame = self.frames.iter().rev().find(|f| !self.is_runtime(f));
        let module = frame.and_then(|frame| self.get_name(frame.globals, &"__name__".into()));
        let Some(Value::Str(module)) = module else {
            return namespace.clone();
        };
        match self.heap.own_modules.contains(&module) {
            true => self.with_given_module(namespace, module),
            false => namespace.clone(),
        }
    }

    fn with_given_module(&mut self, namespace: &Value, module: Arc<str>) -> Value {
        let Some(Object::Dict(entries, kind)) = self.heap.object(namespace) else {
            return namespace.clone();
        };
        if entries.contains_key(&Key::Str("__module__".into())) {
            return namespace.clone();
        }
        let copy = Object::Dict(entries.clone(), kind.clone());
        let copy = self.heap.add(copy);
        self.set_name(copy, "__module__", Value::Str(module));
        Value::Object(copy)
    }
}

/// Returns the attributes that a class gets from its namespace.
pub(in crate::machine) fn attributes_of(name: &Arc<str>, entries: &Entries) -> Attributes {
    let mut attributes = Attributes::default();
    for (name, value) in entries.values() {
        if let Value::Str(name) = name
            && &**name != "__classcell__"
        {
            attributes.insert(name.clone(), value.clone());
        }
    }
    let mut add = |key: &str, value: Value| {
        attributes.entry(key.into()).or_insert(value);
    };
    add("__module__", Value::str("__main__"));
    add("__qualname__", Value::Str(name.clone()));
    attributes
}
