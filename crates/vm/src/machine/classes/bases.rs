//! Bases of the program's classes: builtin classes are replaced by shims of the runtime.

use crate::machine::classes::abc::{BASES, mixin};
use crate::machine::{Flow, Machine, Run};
use crate::text::annotations::{BUILTIN_ALIAS, GENERIC_ALIAS, is_of_typing};
use crate::value::{Object, ObjectId, Value};

/// The function that numbers the members of a flag.
pub(in crate::machine) const NEXT_FLAG: &str = "enum.Flag._generate_next_value_";
/// The function that names the members of a `StrEnum`.
pub(in crate::machine) const NEXT_TEXT: &str = "enum.StrEnum._generate_next_value_";

/// Builtin classes of plain values, and their shims as bases.
const PLAIN: [(&str, &str); 4] = [
    ("int", "_Int"),
    ("float", "_Float"),
    ("str", "_Text"),
    ("tuple", "_Tuple"),
];

/// Modules, descriptors, sets and containers of `collections`, and their shims as bases.
const OTHERS: [(&str, &str); 11] = [
    ("module", "_Module"),
    ("io.TextIOWrapper", "_TextWrapper"),
    ("property", "_Property"),
    ("staticmethod", "_StaticMethod"),
    ("classmethod", "_ClassMethod"),
    ("set", "_PlainSet"),
    ("frozenset", "_FrozenSet"),
    ("collections.deque", "_Deque"),
    ("collections.OrderedDict", "_OrderedDict"),
    ("collections.Counter", "_CounterDict"),
    ("collections.defaultdict", "_DefaultDict"),
];

/// Containers of `typing` with elements, and their shims as bases.
const OF_TYPING: [(&str, &str); 8] = [
    ("typing.List[", "_List"),
    ("typing.Dict[", "_Dict"),
    ("typing.Set[", "_PlainSet"),
    ("typing.FrozenSet[", "_FrozenSet"),
    ("typing.Deque[", "_Deque"),
    ("typing.DefaultDict[", "_DefaultDict"),
    ("typing.OrderedDict[", "_OrderedDict"),
    ("typing.Counter[", "_CounterDict"),
];

/// Builtin containers, and their shims as bases.
const CONTAINERS: [(&str, &str); 2] = [("list", "_List"), ("dict", "_Dict")];

/// Builtin classes that no class can derive from.
const FINAL: [&str; 12] = [
    "bool",
    "NoneType",
    "ellipsis",
    "NotImplementedType",
    "function",
    "method",
    "builtin_function_or_method",
    "generator",
    "coroutine",
    "range",
    "slice",
    "memoryview",
];

/// Builtin classes whose values have their own layout: no class derives from two of them.
const SOLID: [&str; 12] = [
    "int",
    "float",
    "complex",
    "str",
    "bytes",
    "bytearray",
    "tuple",
    "list",
    "dict",
    "set",
    "frozenset",
    "collections.deque",
];

/// Returns the abstract class of `typing.MutableSet[str]` and the like.
fn abstract_name(text: &str) -> Option<String> {
    let (name, _) = text.strip_prefix("typing.")?.split_once('[')?;
    let name = if name == "AbstractSet" { "Set" } else { name };
    let dotted = format!("collections.abc.{name}");
    (mixin(&dotted).is_some() || BASES.contains(&&*dotted)).then_some(dotted)
}

impl Machine {
    /// Refuses bases that no class can derive from, or whose layouts differ. CPython does so after
    /// the body.
    pub(in crate::machine) fn check_layout(&mut self, parents: &[ObjectId]) -> Run<()> {
        let mut solid = Vec::new();
        for parent in parents {
            let Object::Class(info) = self.heap.get(*parent) else {
                continue;
            };
            if let Some(name) = info.builtin.as_deref().filter(|name| FINAL.contains(name)) {
                let message = format!("type '{name}' is not an acceptable base type");
                return Err(self.raise("TypeError", &message));
            }
            let lays_out = |id: &&ObjectId| match self.heap.get(**id) {
                Object::Class(class) => match (&class.builtin, &class.slots) {
                    (Some(name), _) => SOLID.contains(&&**name),
                    (None, Some(slots)) => slots.iter().any(|slot| !slot.starts_with("__")),
                    (None, None) => false,
                },
                _ => false,
            };
            solid.extend(info.mro.iter().find(lays_out).copied());
        }
        let fit = |a: ObjectId, b: ObjectId| self.derives(a, b) || self.derives(b, a);
        let conflict = solid.iter().any(|a| solid.iter().any(|b| !fit(*a, *b)));
        if conflict {
            let message = "multiple bases have instance lay-out conflict";
            return Err(self.raise("TypeError", message));
        }
        Ok(())
    }

    /// Whether a base is one of `typing` that is not a class here, such as `Generic[T]`.
    pub(in crate::machine) fn has_generic_base(&self, bases: &[Value]) -> bool {
        bases.iter().any(|base| match self.heap.object(base) {
            Some(Object::Opaque { class, .. }) => is_of_typing(class),
            Some(Object::Special { kind, .. }) => matches!(*kind, GENERIC_ALIAS | BUILTIN_ALIAS),
            _ => false,
        })
    }

    /// Returns the classes that `bases` refer to.
    pub(in crate::machine) fn parents(
        &mut self,
        bases: &[Value],
        hidden: bool,
    ) -> Run<Vec<ObjectId>> {
        let mut parents = Vec::new();
        let is_enumeration = |base: &Value| {
            base.id()
                .is_some_and(|id| self.class_attribute(id, "_enumeration_").is_some())
        };
        let enumeration = bases.iter().any(is_enumeration);
        for base in bases {
            // `List[int]` derives like `list`.
            let base = match self.heap.object(base) {
                Some(Object::Special { kind, parts })
                    if matches!(*kind, GENERIC_ALIAS | BUILTIN_ALIAS) =>
                {
                    parts[0].clone()
                }
                Some(Object::Opaque { class, text }) if is_of_typing(class) => {
                    let known = OF_TYPING.iter().find(|(of, _)| text.starts_with(of));
                    match known {
                        Some((_, name)) => self.prelude_value(name)?,
                        None => match abstract_name(text) {
                            Some(dotted) => self.class_value(&dotted),
                            None => base.clone(),
                        },
                    }
                }
                _ => base.clone(),
            };
            let builtin = match self.heap.object(&base) {
                Some(Object::Class(class)) if !hidden => class.builtin.clone(),
                _ => None,
            };
            let stand_in = builtin.and_then(|builtin| self.plain_class(&builtin));
            let base = match self.heap.object(&base) {
                Some(Object::Class(class)) if !hidden => match class.builtin.as_deref() {
                    Some("list") => self.prelude_value("_List")?,
                    Some("dict") => self.prelude_value("_Dict")?,
                    Some("str") if enumeration => self.library_value("enum", "StrMixin")?,
                    Some("int") if enumeration => self.library_value("enum", "IntMixin")?,
                    Some(_) if let Some(class) = stand_in => class,
                    Some(dotted) => match mixin(dotted) {
                        Some(name) => self.prelude_value(&name)?,
                        None => base.clone(),
                    },
                    None => base.clone(),
                },
                Some(Object::Builtin(name)) if &**name == "typing.TypedDict" => {
                    self.prelude_value("_TypedDict")?
                }
                _ => base.clone(),
            };
            match (self.heap.object(&base), base.id()) {
                (Some(Object::Class(class)), Some(id)) => {
                    if let Some(builtin) = &class.builtin
                        && !self.is_exception_class(id)
                        && !BASES.contains(&&**builtin)
                        && !FINAL.contains(&&**builtin)
                        && !hidden
                    {
                        return Err(Flow::Unsupported(format!("a subclass of {builtin}")));
                    }
                    parents.push(id);
                }
                // `Generic[T]` and the like.
                (Some(Object::Opaque { class, .. }), _) if is_of_typing(class) => {}
                _ => return Err(Flow::Unsupported("a base that is no class".to_string())),
            }
        }
        Ok(parents)
    }

    /// Returns the shim of `int`, `float`, `str`, `tuple`, a set or a container of `collections` as
    /// a base, if the runtime has it.
    fn plain_class(&mut self, builtin: &str) -> Option<Value> {
        let mut known = PLAIN.iter().chain(&OTHERS);
        let (_, name) = known.find(|(class, _)| *class == builtin)?;
        self.library_name("", &(*name).into())
    }

    /// Returns the helper that calls a method of a builtin class, named with its class, on an
    /// object whose class derives from a shim: `int.__new__(cls, 5)`, `str.__add__(self, other)`,
    /// `list.append(self, item)`.
    pub(in crate::machine) fn unbound_method(
        &self,
        dotted: &str,
        first: Option<&Value>,
    ) -> Option<&'static str> {
        let (class, method) = dotted.split_once('.')?;
        let helper = if CONTAINERS.iter().any(|(builtin, _)| *builtin == class) {
            self.is_method_of(dotted, first?)
                .then_some("_unbound_container")
        } else if method == "__init__" && OTHERS.iter().any(|(builtin, _)| *builtin == class) {
            let (_, name) = OTHERS.iter().find(|(builtin, _)| *builtin == class)?;
            let stand_in = self.bound_name("", name)?.id()?;
            let is_derived = match self.heap.object(first?)? {
                Object::Instance { class, .. } => self.derives(*class, stand_in),
                _ => false,
            };
            is_derived.then_some("_unbound_other")
        } else {
            let is_plain = PLAIN.iter().any(|(builtin, _)| *builtin == class);
            // Plain values have their own methods, and no class of the program derives from a shim
            // yet.
            let mut stand_ins = PLAIN.iter();
            let is_derived = stand_ins.any(|(_, name)| self.bound_name("", name).is_some());
            // `int.__new__(cls, 5)` of an `IntEnum`.
            let of_enumeration = method == "__new__"
                && first
                    .and_then(Value::id)
                    .is_some_and(|class| self.class_attribute(class, "_enumeration_").is_some());
            (is_plain && (is_derived || of_enumeration) && method.starts_with("__"))
                .then_some("_unbound_plain")
        }?;
        Some(helper)
    }

    /// Whether a builtin is a method of a class that an object's class derives from.
    pub(in crate::machine) fn is_method_of(&self, dotted: &str, object: &Value) -> bool {
        let stand_in = || {
            let (class, _) = dotted.split_once('.')?;
            let mut known = CONTAINERS.iter().chain(&PLAIN);
            let (_, name) = known.find(|(builtin, _)| *builtin == class)?;
            self.bound_name("", name)?.id()
        };
        match (stand_in(), self.heap.object(object)) {
            (Some(stand_in), Some(Object::Instance { class, .. })) => {
                self.derives(*class, stand_in)
            }
            // `list.__new__(cls)`
            (Some(stand_in), Some(Object::Class(_))) if dotted.ends_with(".__new__") => object
                .id()
                .is_some_and(|class| self.derives(class, stand_in)),
            _ => false,
        }
    }

    /// Returns the function that gives the members of an enumeration their values. `None` if the
    /// class is not one.
    pub(in crate::machine) fn numbering(&self, parents: &[ObjectId]) -> Option<&'static str> {
        let has = |what: &str| {
            let mut parents = parents.iter();
            parents.any(|parent| self.class_attribute(*parent, what).is_some())
        };
        has("_enumeration_").then(|| match (has("_is_flag_"), has("_is_text_")) {
            (true, _) => NEXT_FLAG,
            (_, true) => NEXT_TEXT,
            _ => "enum._generate_next_value_",
        })
    }
}
