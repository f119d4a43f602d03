//! Setting and deleting of attributes.

use std::sync::Arc;

use crate::machine::classes::instance_dict::OF_FUNCTIONS;
use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Class, DictKind, Key, Object, ObjectId, Value};

/// Modules whose names may be rebound: nothing else here looks them up.
const REPLACED: [&str; 8] = [
    "copy",
    "json",
    "math",
    "random",
    "statistics",
    "string",
    "time",
    "uuid",
];

impl Machine {
    /// `value.__class__ = class`, for classes of the program that replace no builtin class.
    fn set_class(&mut self, id: ObjectId, new: &Value) -> Run<()> {
        let is_plain = |object: Option<&Object>| matches!(object, Some(Object::Class(class)) if class.builtin.is_none());
        if !is_plain(self.heap.object(new)) {
            return Err(Flow::Unsupported("__class__ of that".to_string()));
        }
        match (self.heap.get_mut(id), new) {
            (
                Object::Instance {
                    class, base: None, ..
                },
                Value::Object(new),
            ) => {
                *class = *new;
                Ok(())
            }
            _ => Err(Flow::Unsupported("__class__ of that".to_string())),
        }
    }

    /// `value.name = new`
    pub(in crate::machine) fn set_attribute(
        &mut self,
        value: &Value,
        name: &Arc<str>,
        new: Value,
    ) -> Run<()> {
        let Some(id) = value.id() else {
            return Err(self.read_only(value, name));
        };
        if let Object::Instance { class, .. } = self.heap.get(id) {
            let class = *class;
            if &**name == "__class__" {
                return self.set_class(id, &new);
            }
            if let Some([_, setter, _]) = self.property(self.class_attribute(class, name).as_ref())
            {
                if setter == Value::None {
                    let owner = self.qualified_name(class);
                    let message = format!("property '{name}' of '{owner}' object has no setter");
                    return Err(self.raise("AttributeError", &message));
                }
                return Err(Flow::Call(setter, vec![value.clone(), new]));
            }
            if let Some(found) = self.class_attribute(class, name)
                && let Some(set) = self.special(&found, "__set__")
                && self.special(value, "__setattr__").is_none()
            {
                return Err(Flow::Call(set, vec![value.clone(), new]));
            }
            if let Some(set) = self.special(value, "__setattr__") {
                return Err(Flow::Call(set, vec![Value::Str(name.clone()), new]));
            }
            self.refuse_half(class, name, "__delete__", "__set__")?;
            if !self.may_have(class, name) {
                return Err(self.no_place(value, class, name));
            }
        }
        if let Object::Class(class) = self.heap.get(id)
            && let Some(members) = class.attributes.get("_member_map_").cloned()
            && matches!(self.heap.object(&members), Some(Object::Dict(entries, _)) if entries.contains_key(&Key::Str(name.clone())))
        {
            let message = format!("cannot reassign member '{name}'");
            return Err(self.raise("AttributeError", &message));
        }
        self.store_attribute(id, name, new)
    }

    /// Returns the getter, setter and deleter of a class attribute that is a property. A missing
    /// one is `None`.
    pub(in crate::machine) fn property(&self, found: Option<&Value>) -> Option<[Value; 3]> {
        match self.heap.object(found?) {
            Some(Object::Special { kind, parts }) if *kind == "property" => {
                parts[..3].to_vec().try_into().ok()
            }
            _ => None,
        }
    }

    /// Whether instances of a class can have an attribute. They cannot if all classes have
    /// `__slots__` without it.
    pub(in crate::machine) fn may_have(&self, class: ObjectId, name: &str) -> bool {
        let Object::Class(info) = self.heap.get(class) else {
            return true;
        };
        info.mro.iter().any(|id| match self.heap.get(*id) {
            Object::Class(class) => match &class.slots {
                Some(slots) => slots
                    .iter()
                    .any(|slot| &**slot == name || &**slot == "__dict__"),
                None => class.builtin.is_none() && !self.is_stand_in(class),
            },
            _ => true,
        }) || self.is_exception_class(class)
    }

    /// Whether a class of the runtime is the shim of a builtin class, whose instances have no dict.
    fn is_stand_in(&self, class: &Class) -> bool {
        let other = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(class) => (class.builtin.as_deref()).is_some_and(|name| name != "object"),
            _ => false,
        };
        self.makes_instances(class) && class.mro.iter().any(other)
    }

    /// Whether a class of the runtime makes the instances of its subclasses.
    pub(in crate::machine) fn makes_instances(&self, class: &Class) -> bool {
        let new = class.attributes.get("__new__");
        let new = new.and_then(|new| self.heap.object(new));
        matches!(new, Some(Object::Function(function)) if function.hidden)
    }

    /// Binds an attribute without consulting the class.
    pub(in crate::machine) fn store_attribute(
        &mut self,
        id: ObjectId,
        name: &Arc<str>,
        new: Value,
    ) -> Run<()> {
        let is_text = match self.heap.object(&new) {
            Some(Object::Instance { base, .. }) => matches!(base, Some(Value::Str(_))),
            _ => false,
        };
        match self.heap.get_mut(id) {
            Object::Instance { .. } if &**name == "__dict__" => self.set_own_dict(id, &new),
            Object::Instance { attributes, .. } => {
                attributes.insert(name.clone(), new);
                self.attributes_changed(id);
                Ok(())
            }
            Object::Class(class) if class.builtin.is_none() && &**name == "__name__" => {
                match &new {
                    Value::Str(new) => {
                        class.name = new.clone();
                        Ok(())
                    }
                    _ if is_text => {
                        Err(Flow::Unsupported("a __name__ of that kind set".to_string()))
                    }
                    _ => {
                        let class = class.name.clone();
                        let kind = self.type_name(&new);
                        let message =
                            format!("can only assign string to {class}.__name__, not '{kind}'");
                        Err(self.raise("TypeError", &message))
                    }
                }
            }
            Object::Class(class) if class.builtin.is_none() => {
                class.attributes.insert(name.clone(), new);
                Ok(())
            }
            Object::Function(_) => self.set_on_function(id, name, new),
            Object::Dict(_, DictKind::Default(factory)) if &**name == "default_factory" => {
                *factory = new;
                Ok(())
            }
            // From now on output goes to this object, and input comes from it.
            Object::Module(module)
                if &**module == "sys" && matches!(&**name, "stdin" | "stdout" | "stderr") =>
            {
                let is_known = self.is_instance(&new) || self.stream_of(&new).is_some();
                if !is_known && &**name == "stdin" {
                    return Err(Flow::Unsupported("another standard input".to_string()));
                }
                let place = format!("_{}", name.to_uppercase());
                // Its file is executed first, because it sets the name, too.
                self.library_name("", &place.as_str().into());
                self.set_name(
                    self.runtime.core,
                    &place,
                    if is_known { new } else { Value::None },
                );
                Ok(())
            }
            // From now on the program calls the new value by this name. Functions of the runtime
            // keep their own.
            Object::Module(module) if &**module == "builtins" => {
                self.runtime.replaced.insert(name.clone(), new);
                Ok(())
            }
            Object::Generator { .. } => Err(Flow::Unsupported(
                "an attribute of a generator set".to_string(),
            )),
            // Programs replace random functions, or the time.
            Object::Module(module) => {
                let module = module.clone();
                self.set_member(&module, name, new)
            }
            Object::Special {
                kind: "property",
                parts,
            } if &**name == "__doc__" => {
                parts[3] = new;
                Ok(())
            }
            Object::Special {
                kind: "partial",
                parts,
            } if &**name == "__doc__" => {
                parts.truncate(3);
                parts.push(new);
                Ok(())
            }
            Object::Special {
                kind: "cached_property",
                parts,
            } if &**name == "__doc__" => {
                parts.truncate(1);
                parts.push(new);
                Ok(())
            }
            Object::Special { kind, .. } => {
                let what = format!("an attribute of a {kind} set");
                Err(Flow::Unsupported(what))
            }
            _ => {
                let value = Value::Object(id);
                Err(self.read_only(&value, name))
            }
        }
    }

    /// `module.name = value`.
    fn set_member(&mut self, module: &str, name: &Arc<str>, value: Value) -> Run<()> {
        if let Some(globals) = self.globals_of(module) {
            self.set_name(globals, name, value);
            return Ok(());
        }
        // In CPython, functions of its own module see it.
        if let Some(bound) = self.library_name(module, name) {
            let object = self.heap.object(&bound);
            match matches!(object, Some(Object::Function(_) | Object::Class(_))) {
                true if REPLACED.contains(&module) => {}
                true => return Err(Flow::Unsupported(format!("another {module}.{name}"))),
                false => {
                    if let Some(space) = self.library.spaces.get(module) {
                        self.set_name(*space, name, value.clone());
                    }
                }
            }
        }
        let dotted = format!("{module}.{name}");
        self.library.members.insert(dotted.into(), value);
        Ok(())
    }

    /// Returns the error for an attribute of a builtin value or class that is set or deleted.
    fn read_only(&mut self, value: &Value, name: &str) -> Flow {
        if let Some(Object::Class(class)) = self.heap.object(value) {
            const OF_C: [&str; 3] = [
                "collections.deque",
                "collections.defaultdict",
                "collections.OrderedDict",
            ];
            let builtin = class.builtin.clone().unwrap_or_default();
            if builtin.contains('.') && !OF_C.contains(&&*builtin) {
                return Flow::Unsupported("an attribute of a class set".to_string());
            }
            let message = format!("cannot set '{name}' attribute of immutable type '{builtin}'");
            return self.raise("TypeError", &message);
        }
        if matches!(self.heap.object(value), Some(Object::Opaque { .. })) {
            return self.no_attribute(value, name);
        }
        let kind = self.type_name(value);
        if name.starts_with("__") || !crate::machine::tables::has_method(&kind, name) {
            return self.no_attribute(value, name);
        }
        let message = match (kind.as_str(), name) {
            ("complex", "real" | "imag") | ("range" | "slice", "start" | "stop" | "step") => {
                String::from("readonly attribute")
            }
            ("bool", "real" | "imag" | "numerator" | "denominator") => {
                format!("attribute '{name}' of 'int' objects is not writable")
            }
            ("int" | "float", "real" | "imag" | "numerator" | "denominator")
            | ("collections.deque", "maxlen") => {
                format!("attribute '{name}' of '{kind}' objects is not writable")
            }
            _ if crate::machine::tables::is_listed(&kind) => {
                format!("'{kind}' object attribute '{name}' is read-only")
            }
            _ => return self.no_attribute(value, name),
        };
        self.raise("AttributeError", &message)
    }

    /// `del value.name`
    pub(in crate::machine) fn delete_attribute(
        &mut self,
        value: &Value,
        name: &Arc<str>,
    ) -> Run<()> {
        let Some(id) = value.id() else {
            return Err(self.read_only(value, name));
        };
        if let Object::Instance { class, .. } = self.heap.get(id) {
            let class = *class;
            if let Some([_, _, deleter]) = self.property(self.class_attribute(class, name).as_ref())
            {
                if deleter == Value::None {
                    let owner = self.qualified_name(class);
                    let message = format!("property '{name}' of '{owner}' object has no deleter");
                    return Err(self.raise("AttributeError", &message));
                }
                return Err(Flow::Call(deleter, vec![value.clone()]));
            }
            if let Some(found) = self.class_attribute(class, name)
                && let Some(delete) = self.special(&found, "__delete__")
            {
                return Err(Flow::Call(delete, vec![value.clone()]));
            }
            if let Some(delete) = self.special(value, "__delattr__") {
                return Err(Flow::Call(delete, vec![Value::Str(name.clone())]));
            }
            self.refuse_half(class, name, "__set__", "__delete__")?;
        }
        self.remove_attribute(value, name)
    }

    /// Returns the qualified name of a class.
    fn qualified_name(&self, class: ObjectId) -> String {
        let own = match self.heap.get(class) {
            Object::Class(class) => class.attributes.get("__qualname__"),
            _ => None,
        };
        match own {
            Some(Value::Str(name)) => name.to_string(),
            _ => self.class_name(class).to_string(),
        }
    }

    /// Raises if a descriptor has only the other one of two methods, so that the attribute cannot
    /// be changed.
    fn refuse_half(&mut self, class: ObjectId, name: &str, has: &str, lacks: &str) -> Run<()> {
        if let Some(found) = self.class_attribute(class, name)
            && self.special(&found, has).is_some()
            && self.special(&found, lacks).is_none()
        {
            return Err(self.raise("AttributeError", lacks));
        }
        Ok(())
    }

    /// `object.__delattr__(value, name)`, without descriptors.
    pub(in crate::machine) fn remove_attribute(
        &mut self,
        value: &Value,
        name: &Arc<str>,
    ) -> Run<()> {
        let Some(id) = value.id() else {
            return Err(self.read_only(value, name));
        };
        let removed = match self.heap.get_mut(id) {
            Object::Instance { attributes, .. } => attributes.shift_remove(name).is_some(),
            Object::Class(class) if class.builtin.is_none() => {
                class.attributes.shift_remove(name).is_some()
            }
            Object::List(_)
            | Object::Tuple(_)
            | Object::Dict(..)
            | Object::Set(_)
            | Object::Frozenset(_)
            | Object::Range(..)
            | Object::Slice(..)
            | Object::Bytearray(_) => return Err(self.read_only(value, name)),
            Object::Function(_) if OF_FUNCTIONS.contains(&&**name) => {
                return Err(Flow::Unsupported(format!("{name} of a function deleted")));
            }
            Object::Function(function) => Arc::make_mut(function)
                .attributes
                .shift_remove(name)
                .is_some(),
            Object::Module(module) => {
                let module = module.clone();
                self.delete_member(&module, name)?
            }
            _ => return Err(Flow::Unsupported("an attribute deleted".to_string())),
        };
        if removed {
            self.attributes_changed(id);
            Ok(())
        } else if let Object::Instance { class, .. } = self.heap.get(id) {
            let class = *class;
            Err(self.no_place(value, class, name))
        } else {
            Err(self.no_attribute(value, name))
        }
    }

    /// `function.name = new`
    fn set_on_function(&mut self, id: ObjectId, name: &Arc<str>, new: Value) -> Run<()> {
        let refused = |what: &str| format!("{name} must be set to {what}");
        let defaults = match (&**name, &new, self.heap.object(&new)) {
            ("__dict__", ..) => return self.set_own_dict(id, &new),
            ("__defaults__" | "__kwdefaults__", Value::None, _) => Vec::new(),
            ("__defaults__", _, Some(Object::Tuple(items))) => items.to_vec(),
            ("__defaults__", ..) => return Err(self.raise("TypeError", &refused("a tuple object"))),
            ("__kwdefaults__", _, Some(Object::Dict(..))) => Vec::new(),
            ("__kwdefaults__", ..) => {
                return Err(self.raise("TypeError", &refused("a dict object")));
            }
            ("__name__" | "__qualname__", Value::Str(_), _) => Vec::new(),
            ("__name__" | "__qualname__", ..) => {
                return Err(self.raise("TypeError", &refused("a string object")));
            }
            ("__code__" | "__globals__" | "__closure__", ..) => {
                return Err(Flow::Unsupported(format!("{name} of a function set")));
            }
            _ => Vec::new(),
        };
        let named = match (&**name, self.heap.object(&new)) {
            ("__kwdefaults__", Some(Object::Dict(entries, _))) => {
                let named = entries.values().filter_map(|(name, value)| match name {
                    Value::Str(name) => Some((name.clone(), value.clone())),
                    _ => None,
                });
                named.collect()
            }
            _ => Vec::new(),
        };
        let Object::Function(function) = self.heap.get_mut(id) else {
            return Err(broken("function"));
        };
        let function = Arc::make_mut(function);
        match &**name {
            "__defaults__" => function.defaults = defaults,
            "__kwdefaults__" => {
                function.kw_defaults = named;
                self.keep_defaults(id, new.id());
            }
            _ => {
                function.attributes.insert(name.clone(), new);
            }
        }
        self.attributes_changed(id);
        Ok(())
    }

    /// Returns the error for an attribute that an instance cannot have, or does not have, when it
    /// is set or deleted.
    pub(in crate::machine) fn no_place(
        &mut self,
        value: &Value,
        class: ObjectId,
        name: &Arc<str>,
    ) -> Flow {
        if let Object::Class(info) = self.heap.get(class)
            && self.has_slot(info, name)
        {
            return self.raise("AttributeError", name);
        }
        if !self.may_have(class, "__dict__") && self.class_attribute(class, name).is_some() {
            let kind = self.type_name(value);
            let message = format!("'{kind}' object attribute '{name}' is read-only");
            return self.raise("AttributeError", &message);
        }
        self.no_attribute(value, name)
    }
}
