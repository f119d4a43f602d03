//! Classes: their bodies, their MRO and their parts.

use std::sync::Arc;

use crate::fold::type_name::{ITERTOOLS, iterator_name, stream_class};
use crate::machine::calls::call::Keywords;
use crate::machine::eval::eval_loop::broken;
use crate::machine::{After, Machine, Run};
use crate::value::{Attributes, Class, DictKind, Entries, Object, ObjectId, Value};

/// A class whose body is being executed.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    name: Arc<str>,
    bases: Vec<ObjectId>,
    metaclass: Option<ObjectId>,
    after: After,
    cell: Option<ObjectId>,
    /// The library module whose file defines the class.
    library: Option<&'static str>,
    keywords: Keywords,
    is_generic: bool,
    /// The bases as they are written, if one is not a class.
    written: Vec<Value>,
    /// `ABC`, if it is a base only because of `ABCMeta`.
    abstracts: Option<ObjectId>,
}

/// Returns a private name as a class mangles it.
fn mangled(class: &str, name: &str) -> String {
    let owner = class.trim_start_matches('_');
    match name.starts_with("__") && !name.ends_with("__") && !owner.is_empty() {
        true => format!("_{owner}{name}"),
        false => name.to_owned(),
    }
}

impl Machine {
    /// `__build_class__(function, name, *bases, **keywords)`.
    pub(in crate::machine) fn build_class(
        &mut self,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<()> {
        let [function, Value::Str(name), bases @ ..] = arguments else {
            return Err(broken("class"));
        };
        let (meta, keywords): (Keywords, Keywords) = keywords
            .iter()
            .cloned()
            .partition(|(keyword, _)| &**keyword == "metaclass");
        let library = match self.heap.object(function) {
            Some(Object::Function(f)) => f.code.library.as_ref().map(|file| file.module),
            _ => None,
        };
        let mut parents = self.parents(bases, library.is_some())?;
        let added = self.abstract_parent(&meta, &mut parents);
        let Some(Object::Function(function)) = self.heap.object(function) else {
            return Err(broken("class"));
        };
        let function = function.clone();
        let space = self
            .heap
            .add(Object::Dict(Entries::default(), DictKind::Plain));
        if let Some(numbering) = self.numbering(&parents) {
            let function = self.builtin(numbering);
            self.set_name(space, "_generate_next_value_", function);
        }
        let metaclass = self.metaclass_for(&meta, &parents)?;
        let after = self.after.clone();
        let body = Body {
            name: name.clone(),
            bases: parents,
            metaclass,
            after,
            cell: None,
            library,
            keywords,
            is_generic: self.has_generic_base(bases),
            written: self.written_bases(bases),
            abstracts: added,
        };
        let mut frame = self.frame(
            function.code.clone(),
            function.globals,
            Some(space),
            After::Discard,
            !function.hidden,
        );
        self.close_over(&mut frame, &function);
        let own = function
            .code
            .cell_vars
            .iter()
            .position(|name| &**name == "__class__");
        let cell = own.map(|at| frame.cells[at]);
        frame.after = After::Class(Box::new(Body { cell, ..body }));
        self.push_frame(frame);
        Ok(())
    }

    /// Returns the bases of a class statement if one is not a class, such as `Generic[T]`.
    fn written_bases(&self, bases: &[Value]) -> Vec<Value> {
        match self.has_generic_base(bases) {
            true => bases.to_vec(),
            false => Vec::new(),
        }
    }

    /// Whether `ABC` is an ancestor of a class only because of `ABCMeta`: it was added to the
    /// class, or to each base that has it.
    fn hides_abc(&self, bases: &[ObjectId], added: Option<ObjectId>) -> bool {
        let Some(abc) = self.runtime.classes.get("abc.ABC").copied() else {
            return false;
        };
        let mut having = bases.iter().filter(|base| self.derives(**base, abc));
        let hides = |base: &ObjectId| match self.heap.get(*base) {
            Object::Class(class) => class.hides_abc || Some(*base) == added,
            _ => false,
        };
        having.clone().next().is_some() && having.all(hides)
    }

    /// Adds `ABC` to the parents of a class whose metaclass is `ABCMeta` or derives from it,
    /// because the work of `ABCMeta` is implemented for classes below `ABC`.
    fn abstract_parent(
        &mut self,
        meta: &Keywords,
        parents: &mut Vec<ObjectId>,
    ) -> Option<ObjectId> {
        let abstracts = self.runtime.classes.get("abc.ABCMeta").copied()?;
        let mut metaclasses = meta.iter().filter_map(|(_, value)| value.id());
        if !metaclasses.any(|id| self.derives(id, abstracts)) {
            return None;
        }
        let abc = self.class_id("abc.ABC");
        if parents.iter().any(|parent| self.derives(*parent, abc)) {
            return None;
        }
        // Only `object` is above it.
        let object = self.class_id("object");
        let at = parents.iter().position(|parent| *parent == object);
        parents.insert(at.unwrap_or(parents.len()), abc);
        Some(abc)
    }

    /// Returns the body of a class without statements.
    pub(in crate::machine) fn body_of(
        &mut self,
        name: Arc<str>,
        bases: &[Value],
        given: &Keywords,
        after: After,
    ) -> Run<Body> {
        let mut parents = self.parents(bases, false)?;
        let abstracts = self.abstract_parent(given, &mut parents);
        Ok(Body {
            metaclass: self.metaclass_for(given, &parents)?,
            name,
            bases: parents,
            after,
            cell: None,
            library: None,
            keywords: Keywords::new(),
            is_generic: self.has_generic_base(bases),
            written: Vec::new(),
            abstracts,
        })
    }

    /// Makes the class after its body has run. `namespace` is a dict of the names that the body
    /// bound.
    pub(in crate::machine) fn finish_class(&mut self, body: Body, namespace: Value) -> Run<()> {
        let Some(Object::Dict(entries, _)) = self.heap.object(&namespace) else {
            return Err(broken("class"));
        };
        let mut attributes = crate::machine::classes::lookup::attributes_of(&body.name, entries);
        if !body.written.is_empty() && body.library.is_none() {
            let written = self.heap.tuple(body.written.clone());
            attributes.insert("__orig_bases__".into(), written);
        }
        let slots = match attributes.get("__slots__").cloned() {
            Some(name @ Value::Str(_)) => Some(vec![name]),
            Some(slots) => self.known_items(&slots),
            None => None,
        };
        let mut names = Vec::new();
        if body.library.is_none() {
            self.check_layout(&body.bases)?;
            self.check_slots(&body, slots.as_deref().unwrap_or_default(), &attributes)?;
        }
        for slot in slots.iter().flatten() {
            names.extend(match slot {
                Value::Str(name) => Some(Arc::from(mangled(&body.name, name))),
                _ => None,
            });
        }
        let slots = slots.map(|_| names);
        let mut given = body.bases.clone();
        given.retain(|base| Some(*base) != body.abstracts);
        let mut bases = body.bases;
        if bases.is_empty() {
            bases.push(self.class_id("object"));
        }
        let id = self.heap.add(Object::Class(Box::new(Class {
            name: body.name,
            mro: Vec::new(),
            of_body: attributes.len(),
            attributes,
            builtin: None,
            slots,
            metaclass: body.metaclass,
            is_generic: body.is_generic,
            hides_abc: false,
            library: body.library,
        })));
        let mut before = bases.iter().enumerate();
        if let Some((_, twice)) = before.find(|(at, base)| bases[..*at].contains(base)) {
            let message = format!("duplicate base class {}", self.class_name(*twice));
            return Err(self.raise("TypeError", &message));
        }
        let Some(mro) = self.linearize(id, &bases) else {
            let twice = bases.iter().enumerate();
            let mut twice = twice.filter(|(at, base)| bases[..*at].contains(base));
            if let Some((_, base)) = twice.next() {
                let message = format!("duplicate base class {}", self.class_name(*base));
                return Err(self.raise("TypeError", &message));
            }
            let names: Vec<String> = bases
                .iter()
                .map(|base| self.class_name(*base).to_owned())
                .collect();
            let message = format!(
                "Cannot create a consistent method resolution\norder (MRO) for bases {}",
                names.join(", ")
            );
            return Err(self.raise("TypeError", &message));
        };
        let hides_abc = self.hides_abc(&bases, body.abstracts);
        if let Object::Class(class) = self.heap.get_mut(id) {
            let mut slots = class.slots.iter().flatten();
            self.own_keys.wanted |= class.attributes.contains_key("__hash__")
                || slots.any(|slot| &**slot == "__hash__");
            self.reads_itself |= class.attributes.contains_key("__getattribute__");
            class.mro = mro;
            class.hides_abc = hides_abc;
        }
        if let Some(cell) = body.cell {
            *self.heap.get_mut(cell) = Object::Cell(Some(Value::Object(id)));
        }
        let class = Value::Object(id);
        if let Some(meta) = body.metaclass {
            let of_class = (given, namespace, body.keywords);
            return self.tell_metaclass(id, meta, of_class, body.after);
        }
        if body.library.is_none() && self.has_hooks(id, &bases, &body.keywords) {
            let keywords = self.keyword_dict(body.keywords);
            let made = self.prelude_value("_class_made")?;
            return self.call(made, vec![class, keywords], Vec::new(), body.after);
        }
        match self.class_attribute(id, "__finish__") {
            Some(finish) if body.library.is_none() => {
                self.call(finish, vec![class], Vec::new(), body.after)
            }
            _ => self.deliver(class, body.after),
        }
    }

    /// Refuses items of `__slots__` that are not identifiers, or that the body of the class bound.
    fn check_slots(&mut self, body: &Body, slots: &[Value], attributes: &Attributes) -> Run<()> {
        let variable = (body.bases.iter()).find_map(|base| match self.heap.get(*base) {
            Object::Class(class) => class.mro.iter().find_map(|id| match self.heap.get(*id) {
                Object::Class(class) => {
                    let kinds = ["int", "bytes", "tuple"];
                    class
                        .builtin
                        .clone()
                        .filter(|name| kinds.contains(&&**name))
                }
                _ => None,
            }),
            _ => None,
        });
        if let (Some(_), Some(base), false) = (variable, body.bases.first(), slots.is_empty()) {
            let base = self.shown_base(*base);
            let message = format!("nonempty __slots__ not supported for subtype of '{base}'");
            return Err(self.raise("TypeError", &message));
        }
        for slot in slots {
            let Value::Str(name) = slot else {
                let kind = self.type_name(slot);
                let message = format!("__slots__ items must be strings, not '{kind}'");
                return Err(self.raise("TypeError", &message));
            };
            if !is_name(name) {
                return Err(self.raise("TypeError", "__slots__ must be identifiers"));
            }
        }
        for slot in slots {
            let Value::Str(name) = slot else { continue };
            let mangled = mangled(&body.name, name);
            if mangled != "__qualname__" && attributes.contains_key(mangled.as_str()) {
                let message = format!("'{mangled}' in __slots__ conflicts with class variable");
                return Err(self.raise("ValueError", &message));
            }
        }
        Ok(())
    }

    /// Returns the name of a base in CPython: that of the builtin class if the base is its shim.
    fn shown_base(&self, base: ObjectId) -> String {
        match self.heap.get(base) {
            Object::Class(class) if class.attributes.contains_key("_plain_key_") => {
                let behind = class.mro.get(1).copied().unwrap_or(base);
                self.class_name(behind).to_owned()
            }
            _ => self.class_name(base).to_owned(),
        }
    }

    /// Whether a new class has hooks to call: `__set_name__` of its attributes, `__init_subclass__`
    /// of its bases.
    pub(in crate::machine) fn has_hooks(
        &mut self,
        id: ObjectId,
        bases: &[ObjectId],
        keywords: &Keywords,
    ) -> bool {
        let Object::Class(class) = self.heap.get(id) else {
            return false;
        };
        let values: Vec<Value> = class.attributes.values().cloned().collect();
        let named = values
            .iter()
            .any(|value| self.special(value, "__set_name__").is_some());
        let inherited = bases
            .iter()
            .find_map(|base| self.class_attribute(*base, "__init_subclass__"));
        let own = inherited.is_some_and(|found| {
            let found = self.heap.object(&found);
            matches!(found, Some(Object::Function(_) | Object::Special { .. }))
        });
        named || own || !keywords.is_empty()
    }

    /// C3 linearization: the class, then its bases, each before its own bases.
    fn linearize(&mut self, id: ObjectId, bases: &[ObjectId]) -> Option<Vec<ObjectId>> {
        let mut lists: Vec<Vec<ObjectId>> = bases
            .iter()
            .map(|base| match self.heap.get(*base) {
                Object::Class(class) => class.mro.clone(),
                _ => Vec::new(),
            })
            .collect();
        lists.push(bases.to_vec());
        let (mut order, mut work) = (vec![id], 0);
        loop {
            lists.retain(|list| !list.is_empty());
            if lists.is_empty() {
                self.charge(work);
                return Some(order);
            }
            work += lists.iter().map(Vec::len).sum::<usize>();
            let heads = lists.iter().map(|list| list[0]);
            let next = heads
                .clone()
                .find(|head| lists.iter().all(|list| !list[1..].contains(head)))?;
            order.push(next);
            for list in &mut lists {
                if list[0] == next {
                    list.remove(0);
                }
            }
        }
    }

    /// Returns an attribute of a class or of its bases.
    pub(in crate::machine) fn class_attribute(&self, class: ObjectId, name: &str) -> Option<Value> {
        let Object::Class(info) = self.heap.get(class) else {
            return None;
        };
        // Each class has its own `__doc__`.
        let most = if name == "__doc__" { 1 } else { usize::MAX };
        let mut order = info.mro.iter().take(most);
        order.find_map(|id| match self.heap.get(*id) {
            Object::Class(class) => class.attributes.get(name).cloned(),
            _ => None,
        })
    }

    /// Whether the class of an instance has an `__eq__` of the program that precedes any `__hash__`
    /// in the MRO.
    pub(in crate::machine) fn has_equality_alone(&self, value: &Value) -> bool {
        let Some(Object::Instance { class, .. }) = self.heap.object(value) else {
            return false;
        };
        let Object::Class(info) = self.heap.get(*class) else {
            return false;
        };
        let first = info.mro.iter().find_map(|id| match self.heap.get(*id) {
            Object::Class(class) if class.attributes.contains_key("__hash__") => Some(false),
            Object::Class(class) if class.slots.iter().flatten().any(|s| &**s == "__hash__") => {
                Some(false)
            }
            Object::Class(class) => {
                let equal = self.heap.object(class.attributes.get("__eq__")?);
                matches!(equal, Some(Object::Function(f)) if !f.hidden).then_some(true)
            }
            _ => None,
        });
        first.unwrap_or(false)
    }

    /// Returns the `__name__` of a class.
    pub(in crate::machine) fn class_name(&self, class: ObjectId) -> &str {
        match self.heap.get(class) {
            Object::Class(class) => &class.name,
            _ => "object",
        }
    }

    /// Whether an instance has a name in a slot of its class that precedes any class attribute of
    /// this name in the MRO.
    fn is_in_slot(&self, class: ObjectId, name: &str) -> bool {
        let Object::Class(own) = self.heap.get(class) else {
            return false;
        };
        let classes = own.mro.iter().filter_map(|at| match self.heap.get(*at) {
            Object::Class(class) => Some(class),
            _ => None,
        });
        let mut said = classes.filter_map(|class| {
            let is_slot = class.slots.iter().flatten().any(|slot| &**slot == name);
            (is_slot || class.attributes.contains_key(name)).then_some(is_slot)
        });
        said.next().unwrap_or(false)
    }

    /// Returns a special method of an instance's class, bound to the instance.
    pub(in crate::machine) fn special(&mut self, value: &Value, name: &str) -> Option<Value> {
        let class = match self.heap.object(value) {
            Some(Object::Instance {
                class, attributes, ..
            }) => {
                if name == "__hash__"
                    && let Some(called) = attributes.get(name)
                    && self.is_in_slot(*class, name)
                {
                    return Some(called.clone());
                }
                *class
            }
            Some(Object::Class(_))
                if crate::machine::classes::metaclasses::OF_CLASSES.contains(&name) =>
            {
                self.metaclass_of(value.id()?)?
            }
            _ => return None,
        };
        let found = self.class_attribute(class, name)?;
        match self.heap.object(&found) {
            Some(Object::Function(_)) => Some(self.heap.make(Object::Method {
                function: found,
                receiver: value.clone(),
            })),
            Some(Object::Special { kind, parts }) if *kind == "staticmethod" => {
                Some(parts[0].clone())
            }
            // A descriptor of the program or the library: it returns the value that is called.
            Some(Object::Instance { class, .. })
                if self.class_attribute(*class, "__get__").is_some() =>
            {
                let through = self.prelude_value("_call_through_get").ok()?;
                let of_descriptor = self.heap.make(Object::Method {
                    function: through,
                    receiver: found,
                });
                Some(self.heap.make(Object::Method {
                    function: of_descriptor,
                    receiver: value.clone(),
                }))
            }
            Some(Object::Builtin(dotted)) if !is_alias(name, dotted) => None,
            Some(Object::Builtin(_)) => Some(self.heap.make(Object::Method {
                function: found,
                receiver: value.clone(),
            })),
            _ => Some(found),
        }
    }

    /// Returns the class of any value.
    pub(in crate::machine) fn type_of(&mut self, value: &Value) -> Value {
        let name = match value {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::BigInt(_) => "int",
            Value::Float(_) => "float",
            Value::Complex(..) => "complex",
            Value::Str(_) => "str",
            Value::Bytes(_) => "bytes",
            Value::Ellipsis => "ellipsis",
            Value::NotImplemented => "NotImplementedType",
            Value::Object(id) => match self.heap.get(*id) {
                Object::Instance { class, .. } => return Value::Object(*class),
                Object::Class(class) => match class.metaclass {
                    Some(meta) => return Value::Object(meta),
                    None if self.comes_from_protocol(*id) => "typing._ProtocolMeta",
                    None if self.is_abstract_base(*id) => "abc.ABCMeta",
                    None => "type",
                },
                Object::Iterator(of) => iterator_name(&self.heap, of).unwrap_or("iterator"),
                Object::Generator { kind, .. } => kind,
                object => type_name(object),
            },
        };
        let dotted = match name {
            "deque" | "defaultdict" | "Counter" | "OrderedDict" => format!("collections.{name}"),
            "cached_property" | "partial" => format!("functools.{name}"),
            _ if ITERTOOLS.contains(&name) => format!("itertools.{name}"),
            _ => name.to_string(),
        };
        self.class_value(&dotted)
    }

    /// Returns the name of any value's class in error messages.
    pub(in crate::machine) fn type_name(&mut self, value: &Value) -> String {
        if let Some(Object::Opaque { class, .. }) = self.heap.object(value) {
            return class.to_string();
        }
        let class = self.type_of(value);
        if self.is_simple_namespace(&class) {
            return "types.SimpleNamespace".to_string();
        }
        if let Some(Object::Generator { kind, .. }) = self.heap.object(value)
            && ITERTOOLS.contains(kind)
        {
            return format!("itertools.{kind}");
        }
        if let Some(Object::Instance { .. }) = self.heap.object(value)
            && let Some(name) = crate::fold::type_name::type_name(&self.heap, value)
        {
            return name.into_owned();
        }
        match class.id().map_or("object", |id| self.class_name(id)) {
            name @ ("deque" | "defaultdict" | "OrderedDict") => format!("collections.{name}"),
            "partial" => "functools.partial".to_string(),
            "UnionType" => "types.UnionType".to_string(),
            name => name.to_string(),
        }
    }

    /// Returns a builtin class by its dotted name. Makes it if it does not exist yet.
    pub(in crate::machine) fn class_id(&mut self, dotted: &str) -> ObjectId {
        if let Some(id) = self.runtime.classes.get(dotted) {
            return *id;
        }
        let name = dotted.rsplit('.').next().unwrap_or(dotted);
        if dotted == "abc.ABCMeta" {
            let of = self.runtime.classes.get("type").copied();
            return self.add_class(dotted, of);
        }
        if dotted == "typing._ProtocolMeta" {
            let of = self.class_id("abc.ABCMeta");
            return self.add_class(dotted, Some(of));
        }
        let object = self.runtime.classes.get("object").copied();
        let base =
            if name.ends_with("Error") || name.ends_with("Exception") || ERRORS.contains(&name) {
                self.runtime.classes.get("Exception").copied()
            } else {
                None
            };
        self.add_class(dotted, base.or(object))
    }

    /// Adds a builtin class.
    pub(in crate::machine) fn add_class(
        &mut self,
        dotted: &str,
        base: Option<ObjectId>,
    ) -> ObjectId {
        let mut mro = match base.map(|base| self.heap.get(base)) {
            Some(Object::Class(class)) => class.mro.clone(),
            _ => Vec::new(),
        };
        let id = self.heap.add(Object::Class(Box::new(Class {
            name: dotted.rsplit('.').next().unwrap_or(dotted).into(),
            mro: Vec::new(),
            attributes: Attributes::default(),
            of_body: 0,
            builtin: Some(dotted.into()),
            slots: None,
            metaclass: None,
            is_generic: false,
            hides_abc: false,
            library: None,
        })));
        mro.insert(0, id);
        if let Object::Class(class) = self.heap.get_mut(id) {
            class.mro = mro;
        }
        self.runtime.classes.insert(dotted.into(), id);
        id
    }

    /// Returns a builtin class as a value.
    pub(in crate::machine) fn class_value(&mut self, dotted: &str) -> Value {
        Value::Object(self.class_id(dotted))
    }
}

fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    begins && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// `__setattr__ = dict.__setitem__`
fn is_alias(name: &str, dotted: &str) -> bool {
    matches!(name, "__setattr__" | "__getattr__" | "__delattr__") && !dotted.starts_with("object.")
}

const ERRORS: [&str; 2] = ["queue.Empty", "queue.Full"];

fn type_name(object: &Object) -> &'static str {
    match object {
        Object::List(_) => "list",
        Object::Tuple(_) => "tuple",
        Object::Dict(_, DictKind::Plain) => "dict",
        Object::Dict(_, DictKind::Default(_)) => "defaultdict",
        Object::Dict(_, DictKind::Counter) => "Counter",
        Object::Dict(_, DictKind::Ordered) => "OrderedDict",
        Object::Set(_) => "set",
        Object::Frozenset(_) => "frozenset",
        Object::Deque(..) => "deque",
        Object::Bytearray(_) => "bytearray",
        Object::Range(..) => "range",
        Object::Slice(..) => "slice",
        Object::Cell(_) => "cell",
        Object::Function(_) => "function",
        Object::Method { .. } => "method",
        Object::Builtin(name) => stream_class(name).unwrap_or("builtin_function_or_method"),
        Object::BuiltinMethod { .. } | Object::Intrinsic(..) => "builtin_function_or_method",
        Object::Module(_) => "module",
        Object::DictView { view, .. } => match view {
            crate::value::View::Keys => "dict_keys",
            crate::value::View::Values => "dict_values",
            crate::value::View::Items => "dict_items",
        },
        Object::Iterator(_) => "iterator",
        Object::Generator { kind, .. } | Object::Special { kind, .. } => kind,
        Object::Class(_) => "type",
        Object::Instance { .. } | Object::Opaque { .. } => "object",
    }
}
