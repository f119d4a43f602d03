//! `__dict__` of the program's instances and functions: a dict of the heap. It changes with the
//! attributes, and they change with it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::machine::{Flow, Machine, Run};
use crate::value::{Attributes, Class, DictKind, Entries, Function, Key, Object, ObjectId, Value};

/// Instances whose `__dict__` was read or set, and their dicts, in both directions. Instances may
/// share one.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnDicts {
    dicts: HashMap<ObjectId, ObjectId>,
    owners: HashMap<ObjectId, Vec<ObjectId>>,
    /// The `__kwdefaults__` that functions gave, and the other way round.
    keyword_defaults: HashMap<ObjectId, ObjectId>,
    defaulted: HashMap<ObjectId, ObjectId>,
}

impl OwnDicts {
    /// Whether no instance has a dict yet.
    pub(in crate::machine) fn is_empty(&self) -> bool {
        self.dicts.is_empty() && self.owners.is_empty() && self.defaulted.is_empty()
    }
}

/// Attributes of functions that are not in their dicts.
pub(in crate::machine) const OF_FUNCTIONS: [&str; 8] = [
    "__annotations__",
    "__code__",
    "__defaults__",
    "__doc__",
    "__kwdefaults__",
    "__module__",
    "__name__",
    "__qualname__",
];

/// Attributes of exceptions that are not in their dicts.
const OF_EXCEPTIONS: [&str; 9] = [
    "args",
    " filename",
    "__cause__",
    "__context__",
    "__suppress_context__",
    "__traceback__",
    "_eg_from",
    "_eg_message",
    "_eg_exceptions",
];
/// Builtin classes whose values have nothing in a dict of a subclass.
const VALUES: [&str; 11] = [
    "int",
    "float",
    "complex",
    "str",
    "bytes",
    "bytearray",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
];

impl Machine {
    /// `instance.__dict__`, `function.__dict__`
    pub(in crate::machine) fn own_dict(&mut self, id: ObjectId) -> Run<Value> {
        let class = match self.heap.get(id) {
            Object::Instance { class, .. } => class,
            Object::Function(_) => return Ok(self.made_dict(id)),
            _ => return Err(Flow::Unsupported("__dict__".to_string())),
        };
        let mro = match self.heap.get(*class) {
            Object::Class(class) => class.mro.clone(),
            _ => Vec::new(),
        };
        // The items in the dict of a library's object are not known here.
        let of_plain = self.class_attribute(*class, "_plain_key_").is_some();
        let of_module = self.class_attribute(*class, "_has_dict_").is_some();
        let plain = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(class) if class.attributes.contains_key("_plain_key_") => true,
            Object::Class(class) if of_plain && class.builtin.is_some() => true,
            Object::Class(_) if self.is_exception_class(*id) => true,
            Object::Class(class) if of_module && class.builtin.as_deref() == Some("module") => true,
            Object::Class(class) if class.attributes.contains_key("_has_dict_") => true,
            Object::Class(class) => {
                let module = class.attributes.get("__module__");
                let object = class.builtin.as_deref().is_some_and(|builtin| {
                    matches!(builtin, "object" | "abc.ABC") || VALUES.contains(&builtin)
                });
                let own = class.builtin.is_none()
                    && (class.is_own(&self.heap) || module == Some(&Value::str("argparse")));
                object || own
            }
            _ => false,
        };
        if !mro.iter().all(plain) {
            return Err(Flow::Unsupported("__dict__".to_string()));
        }
        Ok(self.made_dict(id))
    }

    fn made_dict(&mut self, id: ObjectId) -> Value {
        if !self.own_dicts.dicts.contains_key(&id) {
            let dict = Object::Dict(Entries::default(), DictKind::Plain);
            let dict = self.heap.add(dict);
            self.own_dicts.dicts.insert(id, dict);
            self.own_dicts.owners.insert(dict, vec![id]);
        }
        self.attributes_changed(id);
        Value::Object(self.own_dicts.dicts[&id])
    }

    /// `instance.__dict__ = new`
    pub(in crate::machine) fn set_own_dict(&mut self, id: ObjectId, new: &Value) -> Run<()> {
        let unsupported = || Flow::Unsupported("a __dict__ of that kind set".to_string());
        let is_text = |name: &Value| matches!(name, Value::Str(_));
        match self.heap.object(new) {
            Some(Object::Dict(entries, DictKind::Plain))
                if entries.values().all(|(name, _)| is_text(name)) => {}
            Some(Object::Dict(..) | Object::Instance { .. } | Object::Opaque { .. }) => {
                return Err(unsupported());
            }
            _ => {
                let kind = self.type_name(new);
                let message = format!("__dict__ must be set to a dictionary, not a '{kind}'");
                return Err(self.raise("TypeError", &message));
            }
        }
        let Value::Object(old) = self.own_dict(id)? else {
            return Err(unsupported());
        };
        let Some(dict) = new.id() else {
            return Err(unsupported());
        };
        if let Some(owners) = self.own_dicts.owners.get_mut(&old) {
            owners.retain(|owner| *owner != id);
        }
        self.own_dicts.dicts.insert(id, dict);
        self.own_dicts.owners.entry(dict).or_default().push(id);
        self.dict_changed(dict);
        Ok(())
    }

    /// Updates the dict of an instance from its attributes, if it has one.
    pub(in crate::machine) fn attributes_changed(&mut self, id: ObjectId) {
        let attributes = match self.heap.get(id) {
            Object::Instance { attributes, .. } => attributes,
            Object::Function(function) => &function.attributes,
            _ => return,
        };
        let Some(dict) = self.own_dicts.dicts.get(&id) else {
            return;
        };
        let slots = self.slots_of(id);
        let entries: Entries = attributes
            .iter()
            .filter(|(name, _)| !slots.contains(name))
            .map(|(name, value)| {
                let pair = (Value::Str(name.clone()), value.clone());
                (Key::Str(name.clone()), pair)
            })
            .collect();
        let dict = *dict;
        *self.heap.get_mut(dict) = Object::Dict(entries, DictKind::Plain);
        if (self.own_dicts.owners.get(&dict)).is_some_and(|owners| owners.len() > 1) {
            self.dict_changed(dict);
        }
    }

    /// Updates the instances that have this dict, if any, from its items.
    pub(in crate::machine) fn dict_changed(&mut self, dict: ObjectId) {
        if let Some(function) = self.own_dicts.defaulted.get(&dict) {
            self.takes_defaults(*function, dict);
        }
        let Some(owners) = self.own_dicts.owners.get(&dict) else {
            return;
        };
        for owner in owners.clone() {
            self.takes_dict(owner, dict);
        }
    }

    /// Makes a dict the `__kwdefaults__` of a function, which changes with it; `None` ends that.
    pub(in crate::machine) fn keep_defaults(&mut self, function: ObjectId, dict: Option<ObjectId>) {
        if let Some(old) = self.own_dicts.keyword_defaults.remove(&function) {
            self.own_dicts.defaulted.remove(&old);
        }
        if let Some(dict) = dict {
            self.own_dicts.keyword_defaults.insert(function, dict);
            self.own_dicts.defaulted.insert(dict, function);
        }
    }

    /// Updates the defaults of a function from its `__kwdefaults__`.
    fn takes_defaults(&mut self, function: ObjectId, dict: ObjectId) {
        let Object::Dict(entries, _) = self.heap.get(dict) else {
            return;
        };
        let named = entries.values().filter_map(|(name, value)| match name {
            Value::Str(name) => Some((name.clone(), value.clone())),
            _ => None,
        });
        let named = named.collect();
        if let Object::Function(function) = self.heap.get_mut(function) {
            Arc::make_mut(function).kw_defaults = named;
        }
    }

    fn takes_dict(&mut self, owner: ObjectId, dict: ObjectId) {
        let Object::Dict(entries, _) = self.heap.get(dict) else {
            return;
        };
        let held = entries.values().filter_map(|(name, value)| match name {
            Value::Str(name) => Some((name.clone(), value.clone())),
            _ => None,
        });
        let mut held: Attributes = held.collect();
        let slots = self.slots_of(owner);
        let attributes = match self.heap.get_mut(owner) {
            Object::Instance { attributes, .. } => attributes,
            Object::Function(function) => &mut Arc::make_mut(function).attributes,
            _ => return,
        };
        let in_slots = attributes.iter().filter(|(name, _)| slots.contains(*name));
        held.extend(in_slots.map(|(name, value)| (name.clone(), value.clone())));
        *attributes = held;
    }

    /// Returns the attributes that a dict leaves out: the slots of an instance, or a function's own
    /// attributes.
    fn slots_of(&self, owner: ObjectId) -> Vec<Arc<str>> {
        let class = match self.heap.get(owner) {
            Object::Instance { class, .. } => class,
            Object::Function(_) => return OF_FUNCTIONS.map(Arc::from).to_vec(),
            _ => return Vec::new(),
        };
        let mut names = vec!["_data_".into()];
        if self.is_exception_class(*class) {
            names.extend(OF_EXCEPTIONS.map(Arc::from));
        }
        if let Object::Class(class) = self.heap.get(*class) {
            names.extend(self.slots_of_class(class));
        }
        names
    }

    fn slots_of_class(&self, class: &Class) -> Vec<Arc<str>> {
        let of_class = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(class) => class.slots.clone(),
            _ => None,
        };
        class.mro.iter().filter_map(of_class).flatten().collect()
    }

    /// Whether a class has a descriptor of this name from `__slots__`.
    pub(in crate::machine) fn has_slot(&self, class: &Class, name: &str) -> bool {
        self.slots_of_class(class)
            .iter()
            .any(|slot| &**slot == name)
    }

    /// Returns `__defaults__`, `__kwdefaults__` or `__closure__` of a function.
    pub(in crate::machine) fn function_part(
        &mut self,
        id: ObjectId,
        function: &Function,
        name: &str,
    ) -> Value {
        match name {
            "__kwdefaults__" if let Some(known) = self.own_dicts.keyword_defaults.get(&id) => {
                Value::Object(*known)
            }
            "__kwdefaults__" if !function.kw_defaults.is_empty() => {
                let mut entries = Entries::default();
                for (name, value) in &function.kw_defaults {
                    let pair = (Value::Str(name.clone()), value.clone());
                    entries.insert(Key::Str(name.clone()), pair);
                }
                let dict = self.heap.add(Object::Dict(entries, DictKind::Plain));
                self.keep_defaults(id, Some(dict));
                Value::Object(dict)
            }
            "__defaults__" if !function.defaults.is_empty() => {
                self.heap.tuple(function.defaults.clone())
            }
            "__closure__" if !function.closure.is_empty() => {
                let cells = function.closure.iter().map(|id| Value::Object(*id));
                self.heap.tuple(cells.collect())
            }
            _ => Value::None,
        }
    }
}
