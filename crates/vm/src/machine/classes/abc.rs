//! Abstract classes (`collections.abc`, `typing`, `numbers`, the program's own) and protocols:
//! `isinstance` and `issubclass`, `register`, and the methods that a class leaves abstract.

use std::collections::HashSet;
use std::sync::Arc;

use crate::machine::eval::eval_loop::broken;
use crate::machine::tables::{abstract_classes, has_method};
use crate::machine::{Flow, Machine, Run};
use crate::value::{Class, Object, ObjectId, Value};

/// Returns the methods that make a class of the program count as an abstract class without deriving
/// from it.
pub(in crate::machine) fn methods_of(name: &str) -> &'static [&'static str] {
    match name {
        "Iterable" => &["__iter__"],
        "Iterator" => &["__iter__", "__next__"],
        "Reversible" => &["__iter__", "__reversed__"],
        "Sized" => &["__len__"],
        "Container" => &["__contains__"],
        "Collection" => &["__len__", "__iter__", "__contains__"],
        "Callable" => &["__call__"],
        "Generator" => &["__iter__", "__next__", "send", "throw", "close"],
        "Awaitable" => &["__await__"],
        "Coroutine" => &["__await__", "send", "throw", "close"],
        "AsyncIterable" => &["__aiter__"],
        "AsyncIterator" => &["__aiter__", "__anext__"],
        "AsyncGenerator" => &["__aiter__", "__anext__", "asend", "athrow", "aclose"],
        _ => &[],
    }
}

/// Classes of modules that are not abstract: only the objects that they made are their instances.
const CONCRETE: [&str; 4] = [
    "abc.ABCMeta",
    "typing._ProtocolMeta",
    "functools.cached_property",
    "functools.partial",
];

/// Whether a builtin class counts as an abstract class. `None` if that is not known here.
fn builtin_is(class: &str, name: &str) -> Option<bool> {
    let of = |class: &str| abstract_classes(class).map(|known| known.contains(name));
    let iterates = class.ends_with("iterator");
    // Other objects are like `object()`: they have a hash and nothing else.
    let known = of(class).or_else(|| of(if iterates { "list_iterator" } else { "object" }));
    known.filter(|_| ABSTRACT.contains(&name))
}

/// The abstract classes of `collections.abc` and `numbers`.
const ABSTRACT: [&str; 30] = [
    "Awaitable",
    "Coroutine",
    "AsyncIterable",
    "AsyncIterator",
    "AsyncGenerator",
    "Hashable",
    "Iterable",
    "Iterator",
    "Generator",
    "Reversible",
    "Sized",
    "Container",
    "Callable",
    "Collection",
    "Set",
    "MutableSet",
    "Mapping",
    "MutableMapping",
    "MappingView",
    "KeysView",
    "ItemsView",
    "ValuesView",
    "Sequence",
    "MutableSequence",
    "ByteString",
    "Number",
    "Complex",
    "Real",
    "Rational",
    "Integral",
];

/// Builtin classes that classes of the program can derive from without inheriting their data.
pub(in crate::machine) const BASES: [&str; 23] = [
    "object",
    "type",
    "abc.ABC",
    "abc.ABCMeta",
    "typing._ProtocolMeta",
    "typing.Generic",
    "typing.Protocol",
    "collections.abc.Iterator",
    "collections.abc.Iterable",
    "typing.Iterator",
    "typing.Iterable",
    "collections.abc.Sized",
    "collections.abc.Container",
    "collections.abc.Collection",
    "collections.abc.Callable",
    "collections.abc.Hashable",
    "collections.abc.Reversible",
    "typing.Sized",
    "typing.Container",
    "typing.Collection",
    "typing.Callable",
    "typing.Hashable",
    "typing.Reversible",
];

/// Returns the class of the runtime that gives a class of the program the methods of an abstract
/// one.
pub(in crate::machine) fn mixin(dotted: &str) -> Option<String> {
    let name = dotted
        .strip_prefix("collections.abc.")
        .or(dotted.strip_prefix("typing."))?;
    let known = [
        "Mapping",
        "MutableMapping",
        "Sequence",
        "MutableSequence",
        "Set",
        "MutableSet",
        "KeysView",
        "ItemsView",
        "ValuesView",
        "Iterator",
        "Generator",
    ];
    known.contains(&name).then(|| format!("_{name}"))
}

impl Machine {
    /// Whether a class, that of `value` if there is one, derives from one of `kinds` or counts as
    /// one of them.
    pub(in crate::machine) fn is_subclass(
        &mut self,
        value: Option<&Value>,
        class: &Value,
        kinds: &Value,
    ) -> Run<bool> {
        if value.is_none() {
            self.refuse_values(class)?;
        }
        let Some(class) = class.id() else {
            return Err(broken("class"));
        };
        let (mut waiting, mut seen) = (vec![kinds.clone()], HashSet::new());
        while let Some(kind) = waiting.pop() {
            match self.heap.object(&kind) {
                // The metaclass of enumerations, for which the runtime has no object.
                Some(Object::Class(info))
                    if matches!(
                        info.builtin.as_deref(),
                        Some("enum.EnumMeta" | "enum.EnumType")
                    ) && let Some(value) = value =>
                {
                    let enumeration = value.id().filter(|id| {
                        matches!(self.heap.get(*id), Object::Class(_))
                            && self.class_attribute(*id, "_enumeration_").is_some()
                    });
                    if enumeration.is_some() {
                        return Ok(true);
                    }
                }
                Some(Object::Class(info)) => {
                    let known = info.builtin.as_ref().is_none_or(|name| {
                        !name.contains('.')
                            || name.starts_with("collections.")
                            || CONCRETE.contains(&&**name)
                    });
                    let abstract_class = info
                        .builtin
                        .as_ref()
                        .is_some_and(|name| name.contains(".abc."));
                    let dotted = info.builtin.clone();
                    let Some(id) = kind.id() else {
                        return Err(broken("class"));
                    };
                    if self.is_hidden_abc(class, id) {
                        continue;
                    }
                    if self.derives(class, id) || self.is_registered(class, id)? {
                        return Ok(true);
                    }
                    let of_types =
                        (dotted.as_deref()).is_some_and(|dotted| dotted.starts_with("types."));
                    if of_types && self.is_no_descriptor(class) {
                        continue;
                    }
                    if let Some(dotted) = dotted.filter(|_| !known || abstract_class) {
                        if self.is_abstractly(class, &dotted)? {
                            return Ok(true);
                        }
                    } else if self.is_protocol(id) && self.satisfies(value, class, id)? {
                        return Ok(true);
                    }
                }
                Some(Object::Special { kind, parts })
                    if *kind == crate::text::annotations::UNION =>
                {
                    waiting.extend(parts.iter().rev().cloned());
                }
                Some(Object::Tuple(kinds)) => {
                    if kind.id().is_some_and(|id| seen.insert(id)) {
                        waiting.extend(kinds.iter().rev().cloned());
                    }
                }
                Some(Object::Opaque { class, text }) if is_alias(class) => {
                    let text = text.clone();
                    let Some(origin) = self.origin_class(&text)? else {
                        return Err(Flow::Unsupported(format!("isinstance of {text}")));
                    };
                    waiting.push(origin);
                }
                Some(Object::Opaque { .. }) => {
                    return Err(Flow::Unsupported("isinstance of that".to_string()));
                }
                _ => {
                    let (name, one, more) = match value {
                        Some(_) => ("isinstance", "type", "types"),
                        None => ("issubclass", "class", "classes"),
                    };
                    let message =
                        format!("{name}() arg 2 must be a {one}, a tuple of {more}, or a union");
                    return Err(self.raise("TypeError", &message));
                }
            }
        }
        Ok(false)
    }

    /// Whether classes of the program define their own instance or subclass checks.
    pub(in crate::machine) fn has_checks(&self, kinds: &Value) -> bool {
        let says = |id: ObjectId| {
            ["__instancecheck__", "__subclasscheck__"]
                .iter()
                .any(|name| self.of_metaclass(id, name).is_some())
                || self.class_attribute(id, "__subclasshook__").is_some()
        };
        // Tuples may contain themselves.
        let (mut waiting, mut seen) = (vec![kinds], HashSet::new());
        while let Some(kind) = waiting.pop() {
            match (self.heap.object(kind), kind.id()) {
                (Some(Object::Tuple(kinds)), Some(id)) if seen.insert(id) => {
                    waiting.extend(kinds.iter())
                }
                (Some(Object::Class(_)), Some(id)) if says(id) => return true,
                _ => {}
            }
        }
        false
    }

    /// `isinstance` or `issubclass` with a class that defines its own check, or with a tuple that
    /// has such a class.
    pub(in crate::machine) fn own_check(
        &mut self,
        function: &str,
        value: &Value,
        kinds: &Value,
    ) -> Run<Option<Option<Value>>> {
        let of_instances = function == "isinstance";
        let class = match of_instances {
            true => self.type_of(value),
            false => value.clone(),
        };
        let Some(id) = kinds.id().filter(|_| !self.is_tuple(kinds)) else {
            let check = self.builtin(function);
            let arguments = vec![check, value.clone(), kinds.clone()];
            return self
                .prelude_call("_any_kind", arguments, Vec::new())
                .map(Some);
        };
        if of_instances && class == *kinds {
            return Ok(Some(Some(Value::Bool(true))));
        }
        let check = match of_instances {
            true => "__instancecheck__",
            false => "__subclasscheck__",
        };
        if let Some(check) = self.of_metaclass(id, check) {
            let arguments = vec![check, kinds.clone(), value.clone()];
            return self
                .prelude_call("_checked", arguments, Vec::new())
                .map(Some);
        }
        if self.class_attribute(id, "__subclasshook__").is_some() {
            let arguments = vec![kinds.clone(), class];
            return self
                .prelude_call("_hooked", arguments, Vec::new())
                .map(Some);
        }
        let value = of_instances.then_some(value);
        let is = self.is_subclass(value, &class, kinds)?;
        Ok(Some(Some(Value::Bool(is))))
    }

    /// Whether instances of a class are certainly not among the interpreter's own objects that
    /// `types` names: descriptors, code, frames.
    fn is_no_descriptor(&self, class: ObjectId) -> bool {
        const PLAIN: [&str; 22] = [
            "NoneType",
            "bool",
            "bytearray",
            "bytes",
            "classmethod",
            "complex",
            "dict",
            "float",
            "frozenset",
            "function",
            "functools.cached_property",
            "functools.partial",
            "int",
            "list",
            "method",
            "module",
            "property",
            "set",
            "staticmethod",
            "str",
            "tuple",
            "type",
        ];
        match self.heap.get(class) {
            Object::Class(class) => match &class.builtin {
                Some(builtin) => PLAIN.contains(&&**builtin),
                None => class.is_own(&self.heap),
            },
            _ => false,
        }
    }

    fn is_tuple(&self, value: &Value) -> bool {
        matches!(self.heap.object(value), Some(Object::Tuple(_)))
    }

    /// Whether instances of a class are instances of an abstract class, given by its dotted name.
    pub(in crate::machine) fn is_abstractly(&mut self, class: ObjectId, dotted: &str) -> Run<bool> {
        let unknown = || Flow::Unsupported("an abstract class".to_string());
        let (module, name) = dotted.rsplit_once('.').ok_or_else(unknown)?;
        if !matches!(module, "collections.abc" | "typing" | "numbers") {
            return Err(unknown());
        }
        let Object::Class(info) = self.heap.get(class) else {
            return Err(unknown());
        };
        if let Some(builtin) = &info.builtin {
            return builtin_is(builtin, name).ok_or_else(unknown);
        }
        let mro = info.mro.clone();
        let named = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(of) => match of
                .attributes
                .get("_abstract_")
                .map(|known| self.heap.object(known))
            {
                Some(Some(Object::Tuple(names))) => names.contains(&Value::str(name)),
                _ => false,
            },
            _ => false,
        };
        // Library classes that the runtime replaces. Whether their subclasses have a hash is a
        // separate question.
        let of_library = |id: &ObjectId| match self.heap.get(*id) {
            Object::Class(of) if of.builtin.is_none() && (name != "Hashable" || *id == class) => {
                !of.is_own(&self.heap)
                    && abstract_classes(&of.name).is_some_and(|known| known.contains(name))
            }
            _ => false,
        };
        if mro.iter().any(named) || mro.iter().any(of_library) {
            return Ok(true);
        }
        let has = |method: &str| {
            mro.iter().any(|id| match self.heap.get(*id) {
                Object::Class(of) => of.builtin.is_none() && of.attributes.contains_key(method),
                _ => false,
            })
        };
        if name == "Hashable" {
            let hashed = mro.iter().find_map(|id| match self.heap.get(*id) {
                Object::Class(of) if of.builtin.is_none() => match of.attributes.get("__hash__") {
                    Some(Value::None) => Some(false),
                    Some(_) => Some(true),
                    None if of.attributes.contains_key("_hash_fields_") => Some(true),
                    None => of.attributes.contains_key("__eq__").then_some(false),
                },
                _ => None,
            });
            return Ok(hashed.unwrap_or(true));
        }
        let methods = methods_of(name);
        if !methods.is_empty() && methods.iter().all(|method| has(method)) {
            return Ok(true);
        }
        let builtin = mro.iter().find_map(|id| match self.heap.get(*id) {
            Object::Class(of) => of
                .builtin
                .clone()
                .filter(|name| !name.contains("abc.") && &**name != "object"),
            _ => None,
        });
        match builtin {
            Some(builtin) => Ok(builtin_is(&builtin, name).unwrap_or(false)),
            None if builtin_is("int", name).is_some() => Ok(false),
            None => Err(unknown()),
        }
    }

    /// Whether a class of the program is a runtime protocol, and not a class that implements one.
    pub(in crate::machine) fn is_protocol(&self, class: ObjectId) -> bool {
        let Object::Class(info) = self.heap.get(class) else {
            return false;
        };
        info.attributes.contains_key("_is_runtime_protocol")
    }

    /// Whether a value, or a class without a value, has all members of a protocol.
    pub(in crate::machine) fn satisfies(
        &mut self,
        value: Option<&Value>,
        class: ObjectId,
        protocol: ObjectId,
    ) -> Run<bool> {
        for name in self.protocol_names(protocol) {
            let of_class = self.class_attribute(class, &name).is_some();
            let own = value.is_some_and(|value| match self.heap.object(value) {
                Some(Object::Instance { attributes, .. }) => attributes.contains_key(&name),
                _ => false,
            });
            let builtin = match self.heap.get(class) {
                Object::Class(of) => of.builtin.is_some(),
                _ => false,
            };
            let of_builtin = builtin && has_method(self.class_name(class), &name);
            if of_class || own || of_builtin {
                continue;
            }
            if value.is_some() && self.class_attribute(class, "__getattr__").is_some() {
                return Err(Flow::Unsupported(
                    "a protocol of what `__getattr__` finds".to_string(),
                ));
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether an instance has the members of a protocol, if its `__getattr__` is asked for them.
    /// `None` if it is not.
    pub(in crate::machine) fn satisfies_by_getattr(
        &mut self,
        value: &Value,
        protocol: &Value,
    ) -> Run<Option<bool>> {
        let (Some(id), Some(Object::Instance { class, .. })) =
            (protocol.id(), self.heap.object(value))
        else {
            return Ok(None);
        };
        let class = *class;
        if !self.is_protocol(id)
            || self.derives(class, id)
            || self.class_attribute(class, "__getattr__").is_none()
        {
            return Ok(None);
        }
        match self.protocol_names(id).as_slice() {
            [name] => {
                let name = Value::Str(name.clone());
                let arguments = vec![value.clone(), protocol.clone(), name];
                Err(self.helper("_has_of_protocol", arguments)?)
            }
            _ => Ok(None),
        }
    }

    /// Returns the names of a protocol's members.
    fn protocol_names(&self, protocol: ObjectId) -> Vec<Arc<str>> {
        let Object::Class(info) = self.heap.get(protocol) else {
            return Vec::new();
        };
        let mut wanted = Vec::new();
        for id in &info.mro {
            let Object::Class(of) = self.heap.get(*id) else {
                continue;
            };
            if of.builtin.is_some() {
                continue;
            }
            wanted.extend(of.attributes.keys().cloned());
            if let Some(Object::Dict(entries, _)) = of
                .attributes
                .get("__annotations__")
                .and_then(|found| self.heap.object(found))
            {
                wanted.extend(entries.values().filter_map(|(name, _)| match name {
                    Value::Str(name) => Some(name.clone()),
                    _ => None,
                }));
            }
        }
        const OWN: [&str; 9] = [
            "_is_runtime_protocol",
            "__module__",
            "__qualname__",
            "__doc__",
            "__annotations__",
            "__dict__",
            "__init__",
            "__slots__",
            "__weakref__",
        ];
        wanted.retain(|name| !OWN.contains(&&**name));
        wanted
    }
}

/// Returns the methods that an abstract class of `collections.abc` leaves to its subclasses.
fn required(class: &Class) -> &'static [&'static str] {
    if !class.attributes.contains_key("_abstract_") {
        return match class
            .builtin
            .as_deref()
            .and_then(|name| name.strip_prefix("collections.abc."))
        {
            Some("Iterator") => &["__next__"],
            Some(name) => methods_of(name),
            None => &[],
        };
    }
    match class.name.trim_start_matches('_') {
        "Mapping" => &["__getitem__", "__iter__", "__len__"],
        "MutableMapping" => &["__delitem__", "__setitem__"],
        "Sequence" => &["__getitem__", "__len__"],
        "MutableSequence" => &["__delitem__", "__setitem__", "insert"],
        "Set" => &["__contains__", "__iter__", "__len__"],
        "MutableSet" => &["add", "discard"],
        "Iterator" => &["__next__"],
        "Generator" => &["send", "throw"],
        _ => &[],
    }
}

impl Machine {
    /// Returns the names of the methods that a class below `ABC` leaves abstract, sorted.
    pub(in crate::machine) fn abstract_methods(&self, class: ObjectId) -> Vec<String> {
        let Object::Class(info) = self.heap.get(class) else {
            return Vec::new();
        };
        let classes: Vec<&Class> = info
            .mro
            .iter()
            .filter_map(|id| match self.heap.get(*id) {
                Object::Class(class) => Some(&**class),
                _ => None,
            })
            .collect();
        let is_abc = |class: &&Class| class.builtin.as_deref() == Some("abc.ABC");
        let required = classes.iter().flat_map(|class| required(class));
        let lacks = |name: &&str| {
            let mut classes = classes.iter();
            !classes.any(|class| class.attributes.contains_key(*name))
        };
        let mut names: Vec<String> = required.copied().filter(lacks).map(str::to_owned).collect();
        if names.is_empty() && !classes.iter().any(is_abc) {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        for (name, value) in classes.iter().flat_map(|class| &class.attributes) {
            if seen.insert(name) && self.is_abstract(value) {
                names.push(name.to_string());
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    fn is_abstract(&self, value: &Value) -> bool {
        match self.heap.object(value) {
            Some(Object::Function(function)) => {
                function.attributes.contains_key("__isabstractmethod__")
            }
            Some(Object::Special { parts, .. }) => parts.iter().any(|part| self.is_abstract(part)),
            _ => false,
        }
    }
}

impl Machine {
    /// Whether a class derives from `ABC`, has `ABCMeta` as its metaclass, or is an abstract class
    /// of `collections.abc` or `numbers`.
    pub(in crate::machine) fn is_abstract_base(&self, class: ObjectId) -> bool {
        let Object::Class(info) = self.heap.get(class) else {
            return false;
        };
        let is_abstract = |name: &str| {
            let (module, _) = name.rsplit_once('.').unwrap_or_default();
            name == "abc.ABC" || matches!(module, "collections.abc" | "numbers")
        };
        let mut mro = info.mro.iter();
        mro.any(|id| match self.heap.get(*id) {
            Object::Class(class) => class.builtin.as_deref().is_some_and(is_abstract),
            _ => false,
        })
    }

    /// Whether a class is `typing.Protocol` or derives from it.
    pub(in crate::machine) fn comes_from_protocol(&self, class: ObjectId) -> bool {
        let protocol = self.runtime.classes.get("typing.Protocol");
        protocol.is_some_and(|protocol| self.derives(class, *protocol))
    }

    /// Whether a class has this class, `ABC`, in its MRO only because of its metaclass.
    fn is_hidden_abc(&self, class: ObjectId, kind: ObjectId) -> bool {
        let is_abc = self.runtime.classes.get("abc.ABC") == Some(&kind);
        is_abc && matches!(self.heap.get(class), Object::Class(class) if class.hides_abc)
    }

    /// `A.register(B)`: from now on `B` and its subclasses count as subclasses of `A`.
    pub(in crate::machine) fn register(&mut self, class: &Value, other: &Value) -> Run<Value> {
        if self.is_unknown(other) {
            return Ok(other.clone());
        }
        let (Some(id), Some(Object::Class(_)), Some(of)) =
            (other.id(), self.heap.object(other), class.id())
        else {
            return Err(self.raise("TypeError", "Can only register classes"));
        };
        if self.derives(of, id) {
            let message = "Refusing to create an inheritance cycle";
            return Err(self.raise("RuntimeError", message));
        }
        self.runtime.registered.push((of, id));
        Ok(other.clone())
    }

    /// Returns the class that a plain name of `typing` refers to: `typing.Iterable` is
    /// `collections.abc.Iterable`.
    fn origin_class(&mut self, alias: &str) -> Run<Option<Value>> {
        if let Some(origin) = origin_of(alias) {
            return Ok(Some(self.class_value(origin)));
        }
        let (module, name) = match alias.trim_start_matches("typing.") {
            "AbstractSet" => ("collections.abc", "Set"),
            name @ ("Pattern" | "Match") => ("re", name),
            name @ ("AsyncGenerator" | "AsyncIterable" | "AsyncIterator" | "Awaitable"
            | "ByteString" | "Callable" | "Collection" | "Container" | "Coroutine"
            | "Generator" | "Hashable" | "ItemsView" | "Iterable" | "Iterator"
            | "KeysView" | "Mapping" | "MappingView" | "MutableMapping"
            | "MutableSequence" | "MutableSet" | "Reversible" | "Sequence" | "Sized"
            | "ValuesView") => ("collections.abc", name),
            _ => return Ok(None),
        };
        self.module_member(module, name)
    }

    /// Returns the class of the object that a call of a name of `typing`, such as `DefaultDict` or
    /// `Deque[int]`, makes. `None` if unknown.
    pub(in crate::machine) fn called_of_typing(&mut self, text: &str) -> Run<Option<Value>> {
        let alias = text.split('[').next().unwrap_or(text);
        let name = alias.trim_start_matches("typing.");
        let message = match (name, origin_of(alias)) {
            ("List" | "Dict" | "Set" | "FrozenSet" | "Tuple" | "Type", Some(origin)) => {
                format!("Type {name} cannot be instantiated; use {origin}() instead")
            }
            (_, Some(origin)) => return Ok(Some(self.class_value(origin))),
            ("ChainMap", None) => return self.library_value("collections", name).map(Some),
            (
                "ClassVar" | "Concatenate" | "Final" | "Literal" | "LiteralString" | "Never"
                | "NoReturn" | "NotRequired" | "Optional" | "Required" | "Self" | "TypeAlias"
                | "TypeGuard" | "Union" | "Unpack",
                None,
            ) if name.len() + "typing.".len() == text.len() => {
                format!("Cannot instantiate {text}")
            }
            _ => return Ok(None),
        };
        Err(self.raise("TypeError", &message))
    }

    /// Whether a class derives from one that is registered for an abstract class or for one of its
    /// subclasses.
    pub(in crate::machine) fn is_registered(
        &mut self,
        class: ObjectId,
        kind: ObjectId,
    ) -> Run<bool> {
        let known = self.runtime.registered.iter();
        let known = known.filter(|(of, _)| self.derives(*of, kind));
        let others: Vec<ObjectId> = known.map(|(_, other)| *other).collect();
        for other in others {
            if self.is_subclass(None, &Value::Object(class), &Value::Object(other))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether plain names of `typing` have this class.
fn is_alias(class: &str) -> bool {
    matches!(
        class,
        "_SpecialGenericAlias" | "_CallableType" | "_TupleType"
    )
}

/// Returns the class that a generic class of `typing` refers to.
fn origin_of(alias: &str) -> Option<&'static str> {
    Some(match alias.strip_prefix("typing.")? {
        "List" => "list",
        "Dict" => "dict",
        "Set" => "set",
        "FrozenSet" => "frozenset",
        "Tuple" => "tuple",
        "Type" => "type",
        "Deque" => "collections.deque",
        "DefaultDict" => "collections.defaultdict",
        "Counter" => "collections.Counter",
        "OrderedDict" => "collections.OrderedDict",
        _ => return None,
    })
}
