//! Metaclasses of the program: their `__new__`, `__init__`, `__call__`, `__instancecheck__` and
//! `__subclasscheck__` are called, operators on classes look up their methods, and their attributes
//! are looked up after those of the class. Metaclasses with other special methods are not walked.

use std::sync::Arc;

use crate::machine::calls::call::Keywords;
use crate::machine::eval::eval_loop::broken;
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Object, ObjectId, Value};

/// The class that waits for `type.__new__`.
const MADE: &str = "_MADE";
/// Names that a metaclass may define.
const WALKED: [&str; 11] = [
    "__instancecheck__",
    "__subclasscheck__",
    "__new__",
    "__init__",
    "__call__",
    "__module__",
    "__qualname__",
    "__doc__",
    "__annotations__",
    "__classcell__",
    "__class__",
];

/// Methods that a metaclass may define for operators on its classes. The first four make them
/// containers.
pub(in crate::machine) const OF_CLASSES: [&str; 53] = [
    "__len__",
    "__iter__",
    "__contains__",
    "__getitem__",
    "__repr__",
    "__str__",
    "__format__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__hash__",
    "__bool__",
    "__add__",
    "__radd__",
    "__sub__",
    "__rsub__",
    "__mul__",
    "__rmul__",
    "__truediv__",
    "__rtruediv__",
    "__floordiv__",
    "__rfloordiv__",
    "__mod__",
    "__rmod__",
    "__pow__",
    "__rpow__",
    "__matmul__",
    "__rmatmul__",
    "__and__",
    "__rand__",
    "__or__",
    "__ror__",
    "__xor__",
    "__rxor__",
    "__lshift__",
    "__rlshift__",
    "__rshift__",
    "__rrshift__",
    "__neg__",
    "__pos__",
    "__invert__",
    "__abs__",
    "__int__",
    "__float__",
    "__index__",
    "__reversed__",
    "__enter__",
    "__exit__",
    "__setitem__",
    "__delitem__",
];

impl Machine {
    /// Whether a class is a metaclass.
    pub(in crate::machine) fn is_metaclass(&self, class: ObjectId) -> bool {
        let base = self.runtime.classes.get("type");
        base.is_some_and(|base| class != *base && self.derives(class, *base))
    }

    /// Whether a metaclass of the program has a method that operators look up.
    pub(in crate::machine) fn has_special(&self, metaclass: ObjectId) -> bool {
        let Object::Class(info) = self.heap.get(metaclass) else {
            return false;
        };
        info.mro.iter().any(|id| match self.heap.get(*id) {
            Object::Class(class) if class.builtin.is_none() => OF_CLASSES[4..]
                .iter()
                .any(|name| class.attributes.contains_key(*name)),
            _ => false,
        })
    }

    /// Returns the metaclass of a class of the program, if it is also one of the program.
    pub(in crate::machine) fn metaclass_of(&self, class: ObjectId) -> Option<ObjectId> {
        match self.heap.get(class) {
            Object::Class(class) => class.metaclass,
            _ => None,
        }
    }

    /// Returns the metaclass of a new class: that of `metaclass=` or of a base.
    pub(in crate::machine) fn metaclass_for(
        &mut self,
        given: &Keywords,
        parents: &[ObjectId],
    ) -> Run<Option<ObjectId>> {
        let mut found = None;
        for (_, value) in given {
            let of_program = |id: &ObjectId| match self.heap.get(*id) {
                Object::Class(class) => class.builtin.is_none(),
                _ => false,
            };
            let meta = value.id().filter(|id| self.is_metaclass(*id));
            let Some(id) = meta.filter(of_program) else {
                return match value.id().map(|id| self.class_name(id).to_string()) {
                    Some(name) if matches!(&*name, "ABCMeta" | "_ProtocolMeta" | "type") => {
                        Ok(None)
                    }
                    _ => Err(Flow::Unsupported("class with metaclass=".to_string())),
                };
            };
            found = Some(id);
        }
        let inherited = parents
            .iter()
            .filter_map(|parent| self.metaclass_of(*parent));
        for other in inherited.collect::<Vec<_>>() {
            match found {
                Some(known) if self.derives(known, other) => {}
                Some(known) if !self.derives(other, known) => {
                    let message = "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases";
                    return Err(self.raise("TypeError", message));
                }
                _ => found = Some(other),
            }
        }
        let Some(meta) = found else { return Ok(None) };
        let Object::Class(info) = self.heap.get(meta) else {
            return Err(broken("metaclass"));
        };
        for id in info.mro.clone() {
            if let Object::Class(class) = self.heap.get(id)
                && class.builtin.is_none()
            {
                let special = |name: &&Arc<str>| name.starts_with("__") && name.ends_with("__");
                let mut names = class.attributes.keys().filter(special);
                let walked = |name: &str| WALKED.contains(&name) || OF_CLASSES.contains(&name);
                if let Some(name) = names.find(|name| !walked(name)) {
                    return Err(Flow::Unsupported(format!("{name} of a metaclass")));
                }
            }
        }
        Ok(Some(meta))
    }

    /// Whether the metaclass of a class derives from `ABCMeta`.
    pub(in crate::machine) fn is_made_by_abcmeta(&self, class: ObjectId) -> bool {
        let abstracts = self.runtime.classes.get("abc.ABCMeta");
        let meta = self.metaclass_of(class);
        abstracts
            .zip(meta)
            .is_some_and(|(abstracts, meta)| self.derives(meta, *abstracts))
    }

    /// Returns the program's function of this name in a metaclass.
    pub(in crate::machine) fn of_metaclass(&self, class: ObjectId, name: &str) -> Option<Value> {
        let found = self.class_attribute(self.metaclass_of(class)?, name)?;
        let is_own = matches!(self.heap.object(&found), Some(Object::Function(_)));
        is_own.then_some(found)
    }

    /// Calls the metaclass of a class that was made.
    pub(in crate::machine) fn tell_metaclass(
        &mut self,
        class: ObjectId,
        meta: ObjectId,
        (bases, namespace, keywords): (Vec<ObjectId>, Value, Keywords),
        after: After,
    ) -> Run<()> {
        let name = Value::Str(self.class_name(class).into());
        let bases = self
            .heap
            .tuple(bases.into_iter().map(Value::Object).collect());
        self.set_name(self.runtime.core, MADE, Value::Object(class));
        let new = self.of_metaclass(class, "__new__").unwrap_or(Value::None);
        let init = self.of_metaclass(class, "__init__").unwrap_or(Value::None);
        let keywords = self.keyword_dict(keywords);
        let helper = self.prelude_value("_metaclass")?;
        let arguments = vec![
            Value::Object(class),
            Value::Object(meta),
            new,
            init,
            name,
            bases,
            namespace,
            keywords,
        ];
        self.call(helper, arguments, Vec::new(), after)
    }

    /// `type.__new__(mcs, name, bases, namespace)` in a class statement: the class that its body
    /// made, with the current contents of the namespace.
    pub(in crate::machine) fn type_new(
        &mut self,
        arguments: &[Value],
        keywords: Keywords,
    ) -> Run<Value> {
        let unsupported = || Flow::Unsupported("type() of three arguments".to_string());
        let [_, Value::Str(name), bases, namespace] = arguments else {
            return Err(unsupported());
        };
        let made = self.get_name(self.runtime.core, &MADE.into());
        let id = made.as_ref().and_then(Value::id).ok_or_else(unsupported)?;
        self.set_name(self.runtime.core, MADE, Value::None);
        let given = self.known_items(bases).ok_or_else(unsupported)?;
        let Some(Object::Dict(entries, _)) = self.heap.object(namespace) else {
            return Err(unsupported());
        };
        let attributes = crate::machine::classes::lookup::attributes_of(name, entries);
        let object = self.class_id("object");
        let Object::Class(class) = self.heap.get_mut(id) else {
            return Err(broken("class"));
        };
        let given = given.iter().filter_map(Value::id);
        let same = given.chain([object]).all(|base| class.mro.contains(&base));
        if !same || class.name != *name {
            return Err(Flow::Unsupported(
                "a metaclass that renames or derives".to_string(),
            ));
        }
        class.attributes = attributes;
        let bases: Vec<ObjectId> = class.mro.iter().skip(1).copied().collect();
        if self.has_hooks(id, &bases, &keywords) {
            let keywords = self.keyword_dict(keywords);
            return Err(self.helper("_class_made", vec![Value::Object(id), keywords])?);
        }
        Ok(Value::Object(id))
    }
}
