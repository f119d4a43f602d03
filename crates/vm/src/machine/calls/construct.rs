//! Calls of builtin classes.

use std::sync::Arc;

use crate::fold::type_name::ITERTOOLS;
use crate::machine::calls::call::Keywords;
use crate::machine::calls::keyword_places::placed;
use crate::machine::eval::eval_loop::broken;
use crate::machine::tables::ITERATORS;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Attributes, DictKind, Elements, Entries, Object, ObjectId, Value};

/// A function of the runtime that makes an object of a builtin class.
struct Maker {
    function: &'static str,
    /// Whether the class is its first argument.
    takes_class: bool,
    takes_keywords: bool,
}

impl Maker {
    /// A function that takes the positional arguments of the call.
    fn of_arguments(function: &'static str) -> Self {
        Self {
            function,
            takes_class: false,
            takes_keywords: false,
        }
    }

    /// A function that takes the class and the positional arguments of the call.
    fn of_class(function: &'static str) -> Self {
        Self {
            takes_class: true,
            ..Self::of_arguments(function)
        }
    }

    /// The same function, which takes the keyword arguments, too.
    fn and_keywords(self) -> Self {
        Self {
            takes_keywords: true,
            ..self
        }
    }
}

impl Machine {
    /// Calls a builtin class.
    pub(in crate::machine) fn construct(
        &mut self,
        class: ObjectId,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        if self.is_exception_class(class) {
            let (class, attributes) = self.exception_parts(class, arguments);
            return Ok(Some(self.heap.make(Object::Instance {
                class,
                attributes,
                base: None,
            })));
        }
        self.check_call(name, &arguments, &keywords)?;
        let of_itertools = name
            .strip_prefix("itertools.")
            .is_some_and(|name| ITERTOOLS.contains(&name));
        if of_itertools || ITERATORS.contains(&&**name) {
            let (module, name) = name.rsplit_once('.').unwrap_or(("", name));
            return self.library_call(module, name, arguments, keywords);
        }
        if !keywords.is_empty()
            && let Some(all) = placed(name, &arguments, &keywords)
        {
            return self.construct(class, name, all, Vec::new());
        }
        if let Some(value) = self.fold_call(name, &arguments, &keywords)? {
            return Ok(Some(value));
        }
        let special = ["property", "staticmethod", "classmethod"];
        if let Some(kind) = special.into_iter().find(|kind| *kind == &**name) {
            let mut parts = arguments;
            // The last part of a property is its docstring, if it is not its getter's.
            parts.resize(4, Value::None);
            return Ok(Some(self.heap.make(Object::Special { kind, parts })));
        }
        self.make_unfolded(class, name, arguments, keywords)
    }

    /// Makes an object of a builtin class whose call folding does not answer.
    fn make_unfolded(
        &mut self,
        class: ObjectId,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        let plain = keywords.is_empty();
        if arguments.is_empty()
            && let Some(empty) = self.made_empty(class, name, plain)
        {
            return Ok(Some(empty));
        }
        match (&**name, arguments.as_slice()) {
            ("module", [Value::Str(name), doc @ ..]) if plain && doc.len() < 2 => {
                let doc = doc.first().unwrap_or(&Value::None).clone();
                return Ok(Some(self.made_module(name, doc)));
            }
            ("functools.cached_property", [function]) => {
                let parts = vec![function.clone()];
                return Ok(Some(self.heap.make(Object::Special {
                    kind: "cached_property",
                    parts,
                })));
            }
            ("type", [value]) => return Ok(Some(self.type_of(value))),
            ("type", _) => {
                let after = std::mem::replace(&mut self.after, crate::machine::After::Push);
                return self.made_class(None, &arguments, after).map(|()| None);
            }
            ("abc.ABCMeta", [_, _, _]) => {
                let after = std::mem::replace(&mut self.after, crate::machine::After::Push);
                let meta = Some(self.class_id("abc.ABCMeta"));
                return self.made_class(meta, &arguments, after).map(|()| None);
            }
            ("super", _) => return self.super_object(&arguments).map(Some),
            ("bool", [value]) => {
                // The truth value arrives where the bool is wanted.
                return self.truth(value).map(|truth| Some(Value::Bool(truth)));
            }
            ("collections.defaultdict", [factory, ..]) if self.is_no_factory(factory) => {
                let message = "first argument must be callable or None";
                return Err(self.raise("TypeError", message));
            }
            ("collections.defaultdict", [factory]) if plain => {
                let object = Object::Dict(Entries::default(), DictKind::Default(factory.clone()));
                return Ok(Some(self.heap.make(object)));
            }
            ("dict", []) => return Ok(Some(self.keyword_dict(keywords))),
            ("str", [value]) => {
                if let Some(text) = self.known_text(value, false) {
                    self.count_folded();
                    return Ok(Some(text));
                }
                self.refuse_long_integers(value)?;
            }
            ("threading.Thread", _) => {
                return Err(Flow::Unsupported(format!("an object of {name}")));
            }
            ("functools.partial", [function, rest @ ..]) => {
                return self.made_partial(function, rest, keywords).map(Some);
            }
            ("method" | "types.MethodType", [function, receiver]) if keywords.is_empty() => {
                let (function, receiver) = (function.clone(), receiver.clone());
                return Ok(Some(self.heap.make(Object::Method { function, receiver })));
            }
            ("enum.Enum" | "typing.NamedTuple", _) => {
                return Err(Flow::Unsupported(name.to_string()));
            }
            (
                "typing.TypeVar" | "typing.NewType" | "typing.ParamSpec" | "typing.TypeVarTuple",
                _,
            ) => {
                let parameter = type_parameter(name, &arguments, &keywords);
                return Ok(Some(self.heap.make(parameter)));
            }
            _ => {}
        }
        if let Some(maker) = self.maker(name, &arguments, plain) {
            let mut all = arguments;
            if maker.takes_class {
                all.insert(0, Value::Object(class));
            }
            let keywords = match maker.takes_keywords {
                true => keywords,
                false => Vec::new(),
            };
            return self.prelude_call(maker.function, all, keywords);
        }
        self.ask_for_object(class, name, arguments, keywords)
    }

    /// Makes an object of a builtin class that a call without positional arguments makes.
    fn made_empty(&mut self, class: ObjectId, name: &str, plain: bool) -> Option<Value> {
        let object = match name {
            "object" => Object::Instance {
                class,
                attributes: Attributes::default(),
                base: None,
            },
            "list" => return Some(self.heap.list(Vec::new())),
            "tuple" => return Some(self.heap.tuple(Vec::new())),
            "dict" if plain => Object::Dict(Entries::default(), DictKind::Plain),
            "set" => Object::Set(Elements::default()),
            "frozenset" => Object::Frozenset(Elements::default()),
            "collections.deque" if plain => Object::Deque(Default::default(), None),
            "collections.Counter" if plain => Object::Dict(Entries::default(), DictKind::Counter),
            "collections.OrderedDict" if plain => {
                Object::Dict(Entries::default(), DictKind::Ordered)
            }
            "collections.defaultdict" if plain => {
                Object::Dict(Entries::default(), DictKind::Default(Value::None))
            }
            _ => return None,
        };
        Some(self.heap.make(object))
    }

    /// Makes a `functools.partial`.
    fn made_partial(&mut self, function: &Value, more: &[Value], keywords: Keywords) -> Run<Value> {
        if self.is_uncallable(function)
            || self.is_instance(function) && self.special(function, "__call__").is_none()
        {
            let message = "the first argument must be callable";
            return Err(self.raise("TypeError", message));
        }
        let mut function = function.clone();
        let (mut rest, mut named) = (Vec::new(), Vec::new());
        // A partial of a partial wraps the function of the inner one.
        if let Some(Object::Special { kind, parts }) = self.heap.object(&function)
            && *kind == "partial"
        {
            let parts = parts.clone();
            rest = self.known_items(&parts[1]).unwrap_or_default();
            named = self.keywords_of(&parts[2])?;
            function = parts[0].clone();
        }
        rest.extend_from_slice(more);
        for (name, value) in keywords {
            match named.iter_mut().find(|(other, _)| *other == name) {
                Some((_, old)) => *old = value,
                None => named.push((name, value)),
            }
        }
        let (rest, named) = (self.heap.tuple(rest), self.keyword_dict(named));
        let parts = vec![function, rest, named];
        Ok(self.heap.make(Object::Special {
            kind: "partial",
            parts,
        }))
    }

    /// Returns the runtime function that makes an object of a builtin class from these arguments.
    /// `None` if they need no methods of the program.
    fn maker(&mut self, name: &str, arguments: &[Value], plain: bool) -> Option<Maker> {
        Some(match (name, arguments) {
            ("str", [value]) if self.touches_program(value) || self.is_nested(value) => {
                Maker::of_arguments("_str")
            }
            ("list", [value]) if self.touches_program(value) => Maker::of_arguments("_list"),
            ("tuple", [value]) if self.touches_program(value) => Maker::of_arguments("_tuple"),
            ("set", [value]) if self.touches_program(value) && !self.is_iterator(value) => {
                Maker::of_arguments("_set_of")
            }
            ("dict", [value])
                if plain
                    && self.touches_program(value)
                    && !matches!(self.heap.object(value), Some(Object::Dict(..))) =>
            {
                Maker::of_arguments("_dict_of")
            }
            ("dict", [value]) if !plain && self.is_instance(value) => {
                Maker::of_arguments("_dict_with").and_keywords()
            }
            ("int" | "float" | "bytes", [value]) if self.converts_itself(value, name) => {
                Maker::of_class("_converted")
            }
            ("bytes" | "bytearray", [value]) if self.has_bytes(value) => {
                Maker::of_class("_made_of_list")
            }
            ("complex", [value]) if self.is_instance(value) => Maker::of_arguments("_complex_of"),
            ("range", _)
                if arguments
                    .iter()
                    .any(|value| self.special(value, "__index__").is_some()) =>
            {
                Maker::of_class("_by_numbers")
            }
            (
                "frozenset" | "collections.deque" | "collections.Counter" | "bytearray",
                [value, ..],
            ) if self.is_own_iterable(value) && self.special(value, "keys").is_none() => {
                Maker::of_class("_made_of").and_keywords()
            }
            ("io.TextIOWrapper", [_, ..]) => Maker::of_arguments("_TextWrapper").and_keywords(),
            _ => return None,
        })
    }

    /// Whether a value has a method that converts it to an `int`, a `float` or `bytes`.
    fn converts_itself(&mut self, value: &Value, to: &str) -> bool {
        let methods: &[&str] = match to {
            "int" => &["__int__", "__index__", "__trunc__"],
            "float" => &["__float__", "__index__"],
            _ => &["__bytes__"],
        };
        methods
            .iter()
            .any(|method| self.special(value, method).is_some())
    }

    /// Asks for an object of a builtin class, after the items of iterators among the arguments are
    /// known.
    fn ask_for_object(
        &mut self,
        class: ObjectId,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        if crate::machine::calls::call_tables::is_stateful(name) {
            return match self.made_elsewhere(name, &arguments, &keywords)? {
                Some(value) => Ok(Some(value)),
                None => Err(Flow::Unsupported(format!("an object of {name}"))),
            };
        }
        let arguments = self.with_lines(arguments);
        if arguments.iter().any(|value| self.is_iterator(value)) {
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            let class = Value::Object(class);
            return self.prelude_call("_drain", vec![class, arguments, keywords], Vec::new());
        }
        Err(self.ask_call(name, arguments, keywords))
    }

    /// Whether an object of the program or an iterator gives the number of bytes, or the bytes one
    /// by one.
    fn has_bytes(&mut self, value: &Value) -> bool {
        self.is_own_iterable(value)
            || self.is_iterator(value)
            || self.special(value, "__index__").is_some()
    }

    fn super_object(&mut self, arguments: &[Value]) -> Run<Value> {
        let parts = match arguments {
            [class, receiver] => vec![class.clone(), receiver.clone()],
            [] => {
                let Some(frame) = self.frames.last() else {
                    return Err(broken("frame"));
                };
                let has_class = frame
                    .code
                    .free_vars
                    .iter()
                    .any(|name| &**name == "__class__");
                if !has_class && self.makes_names() {
                    // In the body of a method that was cut out of its class.
                    return Ok(self.stray_super());
                }
                if frame.code.arg_count == 0 {
                    return Err(self.raise("RuntimeError", "super(): no arguments"));
                }
                let at = frame
                    .code
                    .free_vars
                    .iter()
                    .position(|name| &**name == "__class__");
                let at = at.map(|at| at + frame.code.cell_vars.len());
                let cell = at.and_then(|at| frame.cells.get(at).copied());
                let first = frame.fast.first().cloned().flatten();
                let first = first.or_else(|| {
                    let name = frame.code.var_names.first()?;
                    let at = frame.code.cell_vars.iter().position(|cell| cell == name)?;
                    match self.heap.get(frame.cells[at]) {
                        Object::Cell(value) => value.clone(),
                        _ => None,
                    }
                });
                let class = match cell.map(|cell| self.heap.get(cell)) {
                    Some(Object::Cell(Some(class))) => class.clone(),
                    _ => {
                        return Err(self.raise("RuntimeError", "super(): __class__ cell not found"));
                    }
                };
                vec![class, first.ok_or_else(|| broken("argument"))?]
            }
            _ => return Err(Flow::Unsupported("super() of that".to_string())),
        };
        Ok(self.heap.make(Object::Special {
            kind: "super",
            parts,
        }))
    }
}

/// Returns the object that represents a type parameter, such as `TypeVar("T")`.
fn type_parameter(name: &str, arguments: &[Value], keywords: &Keywords) -> Object {
    let text = match (name, arguments) {
        ("typing.TypeVar" | "typing.ParamSpec", [Value::Str(name), ..])
            if keywords.iter().all(|(name, _)| &**name == "bound") =>
        {
            format!("~{name}")
        }
        _ => String::from("list[int]"),
    };
    let class = match name {
        "typing.ParamSpec" | "typing.TypeVarTuple" => &name["typing.".len()..],
        _ => "TypeVar",
    };
    Object::Opaque {
        class: class.into(),
        text: text.into(),
    }
}
