//! Introspection: `locals()`, `dir(x)`, `__bases__`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::code::Code;
use crate::fold::hash::hash_or_guess;
use crate::fold::key::{HashError, key};
use crate::machine::eval::eval_loop::broken;
use crate::machine::eval::tracing::local_values;
use crate::machine::record::FIRST_ADDRESS;
use crate::machine::tables::{listed_of_module, names_of};
use crate::machine::{Flow, Machine, Run};
use crate::value::{Class, DictKind, Entries, Key, Object, ObjectId, Value};

/// The names that `dir(object())` lists.
const OF_OBJECT: [&str; 24] = [
    "__class__",
    "__delattr__",
    "__dir__",
    "__doc__",
    "__eq__",
    "__format__",
    "__ge__",
    "__getattribute__",
    "__getstate__",
    "__gt__",
    "__hash__",
    "__init__",
    "__init_subclass__",
    "__le__",
    "__lt__",
    "__ne__",
    "__new__",
    "__reduce__",
    "__reduce_ex__",
    "__repr__",
    "__setattr__",
    "__sizeof__",
    "__str__",
    "__subclasshook__",
];

/// Methods of `object` that `super()` finds.
pub(in crate::machine) const OBJECT_METHODS: [&str; 15] = [
    "__init__",
    "__init_subclass__",
    "__str__",
    "__repr__",
    "__eq__",
    "__ne__",
    "__hash__",
    "__setattr__",
    "__getattribute__",
    "__delattr__",
    "__format__",
    "__sizeof__",
    "__dir__",
    "__reduce__",
    "with_traceback",
];

impl Machine {
    /// `id(value)`: differs from the number in a run, but is unique to this object.
    pub(in crate::machine) fn address(&mut self, value: &Value) -> Option<i64> {
        let id = value.id()?;
        self.record.gave_addresses = true;
        Some(FIRST_ADDRESS + 48 * i64::from(id.0))
    }

    /// `_guess()`: what follows is as in the sandbox, and differs on every other machine.
    pub(in crate::machine) fn guessed(&mut self) -> Value {
        self.record.guess(0.0);
        Value::None
    }

    /// Whether a class is `types.SimpleNamespace`, whose name includes its module in messages.
    pub(in crate::machine) fn is_simple_namespace(&self, class: &Value) -> bool {
        let known = self.bound_name("types", "SimpleNamespace");
        known.is_some_and(|known| known == *class)
    }

    /// Returns a method that an instance of a program's class inherits from `object`.
    pub(in crate::machine) fn method_of_object(
        &mut self,
        value: &Value,
        name: &str,
    ) -> Option<Value> {
        if !self.is_instance(value) || !OF_OBJECT.contains(&name) {
            return None;
        }
        let function = self.builtin(&format!("object.{name}"));
        let receiver = value.clone();
        Some(self.heap.make(Object::Method { function, receiver }))
    }

    /// `object.METHOD(instance, …)`: no oracle is asked about an object of the program.
    pub(in crate::machine) fn call_of_object(
        &mut self,
        method: &str,
        arguments: &[Value],
    ) -> Run<Option<Option<Value>>> {
        let done = |value: Value| Ok(Some(Some(value)));
        match (method, arguments) {
            ("__eq__", [a, b]) if a == b => done(Value::Bool(true)),
            ("__ne__", [a, b]) if a == b => done(Value::Bool(false)),
            ("__eq__" | "__ne__" | "__lt__" | "__le__" | "__gt__" | "__ge__", [_, _]) => {
                done(Value::NotImplemented)
            }
            (_, [value, ..]) if !self.is_instance(value) => Ok(None),
            ("__repr__", [value]) => {
                let class = self.type_of(value);
                let arguments = vec![value.clone(), class];
                let text = self.prelude_call("_object_text", arguments, Vec::new());
                text.map(Some)
            }
            ("__str__", [value]) => {
                let text = self.prelude_call("_repr", vec![value.clone()], Vec::new());
                text.map(Some)
            }
            ("__delattr__", [value, Value::Str(name)]) => {
                self.remove_attribute(value, name)?;
                done(Value::None)
            }
            ("__format__", [value, Value::Str(form)]) if form.is_empty() => {
                let text = self.prelude_call("_str", vec![value.clone()], Vec::new());
                text.map(Some)
            }
            ("__dir__", [value]) => self
                .listed_names(&value.clone())
                .map(|names| Some(Some(names))),
            ("__getstate__", [value]) => {
                let state = self.prelude_call("_state_of", vec![value.clone()], Vec::new());
                state.map(Some)
            }
            ("__reduce_ex__", [value, Value::Int(2..)]) if self.settings.fold.methods() => {
                let parts = self.prelude_call("_reduced", vec![value.clone()], Vec::new());
                parts.map(Some)
            }
            ("__getstate__" | "__hash__" | "__reduce__" | "__reduce_ex__" | "__sizeof__", _) => {
                Err(Flow::Unsupported(format!("object.{method}")))
            }
            _ => Ok(None),
        }
    }

    /// `object.__dict__`
    pub(in crate::machine) fn names_in_object(&mut self) -> Value {
        let mut entries = Entries::default();
        for name in OF_OBJECT {
            let method = self.builtin(&format!("object.{name}"));
            entries.insert(Key::Str(name.into()), (Value::str(name), method));
        }
        self.heap.make(Object::Dict(entries, DictKind::Plain))
    }

    /// `locals()`: the namespace of a module or a class body, or a dict of the names that a
    /// function has bound.
    pub(in crate::machine) fn locals(&mut self) -> Run<Value> {
        let frame = self.top()?;
        if let Some(namespace) = frame.namespace {
            return Ok(Value::Object(namespace));
        }
        let known = frame.locals;
        let dict = known.unwrap_or_else(|| {
            let empty = Object::Dict(Entries::default(), DictKind::Plain);
            self.heap.add(empty)
        });
        self.top()?.locals = Some(dict);
        self.refresh_locals();
        Ok(Value::Object(dict))
    }

    /// Updates the locals dict of the innermost frame from the bindings of its names. Its other
    /// items stay.
    pub(in crate::machine) fn refresh_locals(&mut self) {
        let heap = &self.heap;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let Some(dict) = frame.locals else {
            return;
        };
        let values = local_values(frame, heap);
        let code = frame.code.clone();
        let Object::Dict(entries, _) = self.heap.get_mut(dict) else {
            return;
        };
        let names = code.var_names.iter().chain(&code.cell_vars);
        for name in names.chain(&code.free_vars) {
            if !values.iter().any(|(bound, _)| bound == name) {
                entries.shift_remove(&Key::Str(name.clone()));
            }
        }
        for (name, value) in values {
            let entry = entries.entry(Key::Str(name.clone()));
            entry.or_insert((Value::Str(name), Value::None)).1 = value;
        }
    }

    /// Returns the hash of a value that contains nothing of the program.
    pub(in crate::machine) fn known_hash(&mut self, value: &Value) -> Run<Value> {
        self.count_folded();
        match crate::fold::hash::hash(&self.heap, value) {
            Some(hash) => Ok(Value::Int(hash)),
            None => self.guessed_hash(value),
        }
    }

    /// `hash(value)` that depends on addresses (`None`, a tuple with it): a guess.
    fn guessed_hash(&mut self, value: &Value) -> Run<Value> {
        if matches!(self.heap.object(value), Some(Object::Class(_)))
            && let Some(hash) = self.hash_of_address(value)
        {
            self.record.guess(0.0);
            return Ok(hash);
        }
        let is_hashable = match (value, self.heap.object(value)) {
            (Value::None | Value::Ellipsis | Value::NotImplemented, _) => true,
            (_, Some(Object::Builtin(_))) => true,
            (_, Some(Object::Tuple(_) | Object::Frozenset(_))) => key(&self.heap, value).is_ok(),
            _ => false,
        };
        if !is_hashable {
            return Err(self.without_hash(value));
        }
        self.record.guess(0.0);
        Ok(Value::Int(hash_or_guess(&self.heap, value).0))
    }

    /// Raises for values: `issubclass` takes only classes.
    pub(in crate::machine) fn refuse_values(&mut self, class: &Value) -> Run<()> {
        match self.heap.object(class) {
            None
            | Some(
                Object::List(_) | Object::Tuple(_) | Object::Dict(..) | Object::Instance { .. },
            ) => Err(self.raise("TypeError", "issubclass() arg 1 must be a class")),
            _ => Ok(()),
        }
    }

    /// Returns why the hash of an object of the program is unknown: it is not hashable, or its hash
    /// is an address.
    pub(in crate::machine) fn without_hash(&mut self, value: &Value) -> Flow {
        match key(&self.heap, value) {
            Err(HashError::Unhashable(message)) => self.raise("TypeError", &message),
            _ => Flow::Unsupported("hash of an object".to_string()),
        }
    }

    /// Returns the value whose hash is that of an enumeration member: its scalar value, or its name.
    pub(in crate::machine) fn hashed_in_member(&self, value: &Value) -> Option<Value> {
        let Some(Object::Instance {
            class,
            attributes,
            base,
        }) = self.heap.object(value)
        else {
            return None;
        };
        match base {
            _ if !self.is_member(*class) => None,
            Some(base) => Some(base.clone()),
            None => attributes.get("_name_").cloned(),
        }
    }

    /// `hash(value)` of an object without its own hash: that of its address, which differs in a
    /// run.
    pub(in crate::machine) fn hash_of_address(&mut self, value: &Value) -> Option<Value> {
        let is_own =
            matches!(key(&self.heap, value), Ok(Key::Identity(id)) if Some(id) == value.id());
        is_own.then(|| self.identity_hash(value))?
    }

    /// `object.__hash__(value)`, `type.__hash__(class)`: the hash of an address.
    pub(in crate::machine) fn identity_hash(&mut self, value: &Value) -> Option<Value> {
        let address = self.address(value)?;
        Some(Value::Int(address >> 4))
    }

    /// Returns the error of `object.__init_subclass__` if keywords are left for it.
    pub(in crate::machine) fn no_keywords_of_bases(&mut self, class: &Value) -> Flow {
        let class = match self.heap.object(class) {
            Some(Object::Class(class)) => class.name.to_string(),
            _ => String::new(),
        };
        let message = format!("{class}.__init_subclass__() takes no keyword arguments");
        self.raise("TypeError", &message)
    }

    /// `dir()`: the names bound in the program's current scope.
    pub(in crate::machine) fn names_here(&mut self) -> Run<Value> {
        let heap = &self.heap;
        let frame = self.frames.last_mut().ok_or_else(|| broken("frame"))?;
        let names: BTreeSet<Arc<str>> = match frame.namespace.map(|space| heap.get(space)) {
            Some(Object::Dict(entries, _)) => {
                // Names that the sandbox gives a module. Not all of them are bound here.
                const GIVEN: [&str; 3] = ["__builtins__", "__file__", "__name__"];
                let is_module = frame.namespace == Some(frame.globals);
                let names = entries.values().filter_map(|(name, value)| match name {
                    Value::Str(name) if **name == *"__doc__" && *value == Value::None => None,
                    Value::Str(name) => Some(name.clone()),
                    _ => None,
                });
                let given = GIVEN.map(Arc::from).into_iter();
                names.chain(given.filter(|_| is_module)).collect()
            }
            Some(_) => return Err(Flow::Unsupported("dir".to_string())),
            None => {
                let values = local_values(frame, heap).into_iter();
                values.map(|(name, _)| name).collect()
            }
        };
        let names = names.into_iter().map(Value::Str).collect();
        Ok(self.heap.list(names))
    }

    /// `dir(x)` of builtin classes and their values, and of classes of the program without builtin
    /// bases and their instances.
    pub(in crate::machine) fn listed_names(&mut self, value: &Value) -> Run<Value> {
        let unknown = || Flow::Unsupported("dir".to_string());
        let kind = match self.heap.object(value) {
            Some(Object::Class(class)) => class.builtin.as_deref().map(str::to_owned),
            Some(Object::Instance { .. } | Object::Module(_) | Object::Opaque { .. }) => None,
            _ => Some(self.type_name(value).to_string()),
        };
        if let Some(names) = kind.and_then(|kind| names_of(&kind)) {
            let names = names.into_iter().map(Value::str).collect();
            return Ok(self.heap.list(names));
        }
        if let Some(Object::Module(name)) = self.heap.object(value)
            && let Some(names) = listed_of_module(name)
        {
            let names = names.into_iter().map(Value::str).collect();
            return Ok(self.heap.list(names));
        }
        let (class, own) = match (self.heap.object(value), value.id()) {
            (Some(Object::Class(_)), Some(id)) => (id, Vec::new()),
            (
                Some(Object::Instance {
                    class,
                    attributes,
                    base: None,
                }),
                _,
            ) => (*class, attributes.keys().cloned().collect()),
            _ => return Err(unknown()),
        };
        if self.class_attribute(class, "__dir__").is_some() {
            return Err(unknown());
        }
        let mut names: BTreeSet<Arc<str>> = OF_OBJECT.iter().map(|name| Arc::from(*name)).collect();
        names.extend(own);
        let Object::Class(info) = self.heap.get(class) else {
            return Err(broken("class"));
        };
        for id in info.mro.clone() {
            let Object::Class(info) = self.heap.get(id) else {
                return Err(broken("class"));
            };
            match info.builtin.as_deref() {
                Some("object") => continue,
                Some("abc.ABC") => {
                    names.extend(["__abstractmethods__", "_abc_impl"].map(Arc::from));
                    continue;
                }
                Some(_) => return Err(unknown()),
                None if info.slots.is_some() => return Err(unknown()),
                None => {}
            }
            // A metaclass may list other names.
            if let Some(metaclass) = info.metaclass
                && (self.class_attribute(metaclass, "__dir__").is_some()
                    || !matches!(self.heap.get(metaclass), Object::Class(one) if one.is_own(&self.heap)))
            {
                return Err(unknown());
            }
            let generated = info.attributes.contains_key("__dataclass_fields__");
            if generated || !info.is_own(&self.heap) {
                return Err(unknown());
            }
            let of_class = info
                .attributes
                .keys()
                .filter(|name| &***name != "__qualname__");
            names.extend(of_class.cloned());
            names.extend(["__dict__", "__module__", "__weakref__"].map(Arc::from));
        }
        let names = names.into_iter().map(Value::Str).collect();
        Ok(self.heap.list(names))
    }

    /// `__subclasses__()`: the classes that have this one among their bases, in order of creation.
    pub(in crate::machine) fn subclasses(&mut self, class: ObjectId) -> Run<Value> {
        let count = u32::try_from(self.heap.len()).unwrap_or(u32::MAX);
        self.charge(count as usize / 8);
        let below = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(info) => info.mro.iter().skip(1).any(|base| *base == class),
            _ => false,
        };
        let below: Vec<ObjectId> = (0..count).map(ObjectId).filter(below).collect();
        let mut direct = Vec::new();
        for id in below {
            if self.bases(id)?.contains(&Value::Object(class)) {
                direct.push(Value::Object(id));
            }
        }
        Ok(self.heap.list(direct))
    }

    /// Returns the MRO as programs see it.
    pub(in crate::machine) fn shown_order(&self, class: &Class) -> Vec<Value> {
        let abc = self.runtime.classes.get("abc.ABC").copied();
        let is_shown = |id: &ObjectId| match self.heap.get(*id) {
            _ if class.hides_abc && Some(*id) == abc => false,
            // Shims of the builtin class behind them.
            Object::Class(class) => !class.attributes.contains_key("_plain_key_"),
            _ => true,
        };
        let classes = class.mro.iter().copied().filter(is_shown);
        classes.map(Value::Object).collect()
    }

    /// `__bases__`: the classes of the MRO that are not inherited from another of them.
    pub(in crate::machine) fn bases(&mut self, class: ObjectId) -> Run<Vec<Value>> {
        let order = |id: ObjectId| match self.heap.get(id) {
            Object::Class(class) => Ok(class.mro.clone()),
            _ => Err(broken("class")),
        };
        let mut bases: Vec<ObjectId> = Vec::new();
        let abc = self.runtime.classes.get("abc.ABC").copied();
        let hides_abc = matches!(self.heap.get(class), Object::Class(class) if class.hides_abc);
        for id in order(class)?.into_iter().skip(1) {
            let mut known = hides_abc && Some(id) == abc;
            for base in &bases {
                known |= order(*base)?.contains(&id);
            }
            if !known {
                bases.push(id);
            }
        }
        let stands_for = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(class) => {
                class.builtin.is_none()
                    && ["_plain_key_", "_data_of_"]
                        .iter()
                        .any(|name| class.attributes.contains_key(*name))
            }
            _ => false,
        };
        if bases.iter().any(stands_for) {
            return Err(Flow::Unsupported("__bases__".to_string()));
        }
        Ok(bases.into_iter().map(Value::Object).collect())
    }
}

impl Machine {
    /// Returns `__module__` of a function, by its code and its globals.
    pub(in crate::machine) fn module_of_function(&self, code: &Code, globals: ObjectId) -> Value {
        match &code.library {
            Some(library) if library.module.is_empty() => Value::str("__main__"),
            Some(library) => Value::str(library.module),
            None => {
                let name = self.get_name(globals, &"__name__".into());
                name.unwrap_or_else(|| Value::str("__main__"))
            }
        }
    }
}
