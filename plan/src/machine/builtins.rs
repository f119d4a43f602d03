//! Builtin functions and methods: those that are about the program's own objects, its control flow, its
//! input and output are done here; text of known values is folded; all others are asked.

use std::sync::Arc;

use indexmap::IndexMap;

use super::call::Keywords;
use super::execute::broken;
use super::{After, Flow, Machine, Run};
use crate::question::Operation;
use crate::text;
use crate::value::{DictKind, Elements, Entries, Iterator, Object, ObjectId, Value};

/// Functions that the runtime executes where an argument calls back or can be taken once only.
const ON_DEMAND: [&str; 6] = ["any", "all", "sum", "min", "max", "sorted"];

/// Modules whose functions depend on more than their arguments.
const STATEFUL: [&str; 8] =
    ["random.", "time.", "os.", "io.", "sys.", "datetime.datetime.now", "datetime.date.today", "array."];

impl Machine {
    /// Whether a value is, or holds, something of the program that no oracle can look into.
    pub(super) fn touches_program(&self, value: &Value) -> bool {
        self.touches(value, 3)
    }

    fn touches(&self, value: &Value, depth: usize) -> bool {
        let Some(object) = self.heap.object(value) else { return false };
        match object {
            Object::Function(_)
            | Object::Method { .. }
            | Object::Instance { .. }
            | Object::Generator { .. }
            | Object::Iterator(_)
            | Object::Special { .. } => true,
            Object::Class(class) => class.builtin.is_none(),
            _ if depth == 0 => false,
            Object::List(items) => items.iter().any(|item| self.touches(item, depth - 1)),
            Object::Tuple(items) => items.iter().any(|item| self.touches(item, depth - 1)),
            Object::Deque(items, _) => items.iter().any(|item| self.touches(item, depth - 1)),
            Object::Set(items) | Object::Frozenset(items) => {
                items.values().any(|item| self.touches(item, depth - 1))
            }
            Object::Dict(entries, _) => entries
                .values()
                .any(|(k, v)| self.touches(k, depth - 1) || self.touches(v, depth - 1)),
            Object::DictView { of, .. } => self.touches(&Value::Object(*of), depth - 1),
            _ => false,
        }
    }

    fn prelude_call(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        let function = self.prelude_value(name)?;
        let after = std::mem::replace(&mut self.after, After::Push);
        self.call(function, arguments, keywords, after).map(|()| None)
    }

    /// A builtin function. Nothing: its value arrives later.
    pub(super) fn call_builtin(
        &mut self,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        if let Some(intrinsic) = name.strip_prefix("plan.") {
            return self.intrinsic(intrinsic, arguments);
        }
        if let Some(value) = self.own_builtin(name, &arguments, &keywords)? {
            return Ok(value);
        }
        let touches = arguments.iter().any(|value| self.touches_program(value))
            || keywords.iter().any(|(_, value)| self.touches_program(value));
        if touches && ON_DEMAND.contains(&&**name) {
            return self.prelude_call(name, arguments, keywords);
        }
        if arguments.iter().any(|value| self.is_iterator(value)) {
            let function = self.builtin(name);
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            return self.prelude_call("_drain", vec![function, arguments, keywords], Vec::new());
        }
        if STATEFUL.iter().any(|prefix| name.starts_with(prefix)) {
            return Err(Flow::Unsupported(format!("call of {name}")));
        }
        Err(self.ask_call(name, arguments, keywords))
    }

    /// What the machine does itself: nothing where the function is another one.
    #[allow(clippy::too_many_lines)] // one arm a function
    fn own_builtin(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        let done = |value: Value| Ok(Some(Some(value)));
        match (name, arguments) {
            ("__build_class__", _) => {
                self.build_class(arguments, keywords)?;
                Ok(Some(None))
            }
            ("print", _) => self.print(arguments, keywords).map(Some),
            ("input", _) => {
                if let Some(prompt) = arguments.first() {
                    let Some(Value::Str(text)) = self.known_text(prompt, false) else {
                        return Err(Flow::Unsupported("a prompt".to_string()));
                    };
                    self.record.write(&text)?;
                }
                let line = self.input.line();
                if line.is_empty() {
                    return Err(self.raise("EOFError", "EOF when reading a line"));
                }
                done(Value::str(line.strip_suffix('\n').unwrap_or(&line)))
            }
            ("sys.stdin.readline", _) => done(Value::Str(self.input.line().into())),
            ("sys.stdin.buffer.readline", _) => {
                done(Value::Bytes(self.input.line().into_bytes().into()))
            }
            ("sys.stdin.read", _) => done(Value::Str(self.input.rest().into())),
            ("sys.stdin.buffer.read", _) => done(Value::Bytes(self.input.rest().into_bytes().into())),
            ("sys.stdin.readlines", []) => {
                let mut lines = Vec::new();
                loop {
                    let line = self.input.line();
                    if line.is_empty() {
                        return Ok(Some(Some(self.heap.list(lines))));
                    }
                    lines.push(Value::Str(line.into()));
                }
            }
            ("open", [Value::Int(0), ..]) => done(self.builtin("sys.stdin")),
            ("open", _) => Err(Flow::Unsupported("open".to_string())),
            ("sys.stdout.write", [Value::Str(text)]) => {
                self.record.write(text)?;
                done(Value::Int(text.chars().count() as i64))
            }
            ("sys.stdout.flush" | "sys.stderr.write" | "sys.stderr.flush", _) => done(Value::None),
            ("exit" | "quit" | "sys.exit", _) => {
                Err(self.raise_with("SystemExit", arguments.to_vec()))
            }
            ("sys.setrecursionlimit", [Value::Int(limit)]) => {
                self.recursion_limit = usize::try_from(*limit).unwrap_or(1000);
                done(Value::None)
            }
            ("sys.getrecursionlimit", []) => done(Value::Int(self.recursion_limit as i64)),
            ("iter", [value]) => self.iter(value).map(|it| Some(Some(it))),
            ("iter", [_, _]) => {
                self.prelude_call("_iter_until", arguments.to_vec(), Vec::new()).map(Some)
            }
            ("next", [it]) => self.next_of(it, None).map(Some),
            ("next", [it, default]) => self.next_of(it, Some(default.clone())).map(Some),
            ("isinstance", [value, kinds]) => {
                let class = self.type_of(value);
                self.is_subclass(&class, kinds).map(|is| Some(Some(Value::Bool(is))))
            }
            ("issubclass", [class, kinds]) => {
                self.is_subclass(class, kinds).map(|is| Some(Some(Value::Bool(is))))
            }
            ("callable", [value]) => {
                let is = match self.heap.object(value) {
                    Some(Object::Instance { .. }) => self.special(value, "__call__").is_some(),
                    Some(
                        Object::Function(_)
                        | Object::Class(_)
                        | Object::Method { .. }
                        | Object::Builtin(_)
                        | Object::BuiltinMethod { .. },
                    ) => true,
                    Some(Object::Special { kind, .. }) => *kind == "partial",
                    _ => false,
                };
                done(Value::Bool(is))
            }
            ("getattr", [value, Value::Str(attribute)]) => {
                self.attribute(value, attribute, true).map(|value| Some(Some(value)))
            }
            ("getattr", [value, Value::Str(attribute), default]) => {
                let found = self.attribute_or(value, attribute)?;
                done(found.unwrap_or_else(|| default.clone()))
            }
            ("hasattr", [value, Value::Str(attribute)]) => {
                let found = self.attribute_or(value, attribute)?;
                done(Value::Bool(found.is_some()))
            }
            ("setattr", [value, Value::Str(attribute), new]) => {
                self.set_attribute(value, attribute, new.clone())?;
                done(Value::None)
            }
            ("delattr", [value, Value::Str(attribute)]) => {
                self.delete_attribute(value, attribute)?;
                done(Value::None)
            }
            ("globals", []) => {
                let globals = self.top()?.globals;
                done(Value::Object(globals))
            }
            ("id" | "eval" | "exec" | "compile" | "locals" | "vars" | "dir" | "help"
            | "breakpoint" | "__import__" | "memoryview" | "aiter" | "anext", _) => {
                Err(Flow::Unsupported(name.to_string()))
            }
            ("repr" | "ascii", [value]) => {
                if name == "repr"
                    && let Some(text) = self.known_text(value, true)
                {
                    self.record.counts.folded += 1;
                    return done(text);
                }
                if self.touches_program(value) {
                    return self.prelude_call("_repr", vec![value.clone()], Vec::new()).map(Some);
                }
                Ok(None)
            }
            ("len" | "abs" | "hash" | "round", [value, ..]) => {
                let method = match name {
                    "len" => "__len__",
                    "abs" => "__abs__",
                    "hash" => "__hash__",
                    _ => "__round__",
                };
                match self.special(value, method) {
                    Some(method) => Err(Flow::Call(method, arguments[1..].to_vec())),
                    None if name == "hash" && self.touches_program(value) => {
                        Err(Flow::Unsupported("hash of an object".to_string()))
                    }
                    None => Ok(None),
                }
            }
            ("object.__init__" | "object.__init_subclass__", _) => done(Value::None),
            ("BaseException.__init__", [Value::Object(id), args @ ..]) => {
                let args = self.heap.tuple(args.to_vec());
                self.store_attribute(*id, &"args".into(), args)?;
                done(Value::None)
            }
            ("object.__new__" | "BaseException.__new__", [Value::Object(class), ..]) => {
                let class = *class;
                let attributes = IndexMap::new();
                done(self.heap.make(Object::Instance { class, attributes, base: None }))
            }
            ("object.__setattr__", [Value::Object(id), Value::Str(attribute), new]) => {
                self.store_attribute(*id, attribute, new.clone())?;
                done(Value::None)
            }
            ("object.__eq__", [a, b]) => {
                done(if a == b { Value::Bool(true) } else { Value::NotImplemented })
            }
            ("BaseException.__str__", [value]) => {
                let args = self.exception_args(value);
                match args.as_slice() {
                    [] => done(Value::str("")),
                    [one] => self.prelude_call("_str", vec![one.clone()], Vec::new()).map(Some),
                    _ => {
                        let args = self.heap.tuple(args);
                        self.prelude_call("_repr", vec![args], Vec::new()).map(Some)
                    }
                }
            }
            ("list.sort", [list, ..]) => {
                self.sort(list, keywords.clone()).map(Some)
            }
            _ if name.contains('.') => {
                // `str.upper(text)`, `list.append(xs, 1)`
                let Some((class, method)) = name.split_once('.') else { return Ok(None) };
                let is_type = self.classes.contains_key(class) && !method.contains('.');
                match arguments {
                    [receiver, rest @ ..] if is_type && self.is_of(receiver, class) => self
                        .call_method(receiver, &method.into(), rest.to_vec(), keywords.clone())
                        .map(Some),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn is_of(&mut self, value: &Value, class: &str) -> bool {
        let own = self.type_of(value);
        let class = self.class_id(class);
        own.id().is_some_and(|own| self.derives(own, class))
    }

    fn is_subclass(&mut self, class: &Value, kinds: &Value) -> Run<bool> {
        let Some(class) = class.id() else { return Err(broken("class")) };
        let kinds = match self.heap.object(kinds) {
            Some(Object::Tuple(kinds)) => kinds.to_vec(),
            _ => vec![kinds.clone()],
        };
        for kind in kinds {
            match self.heap.object(&kind) {
                Some(Object::Class(info)) => {
                    let known = info.builtin.as_ref().is_none_or(|name| {
                        !name.contains('.') || name.starts_with("collections.")
                    });
                    let abstract_class =
                        info.builtin.as_ref().is_some_and(|name| name.contains(".abc."));
                    if !known || abstract_class {
                        return Err(Flow::Unsupported("an abstract class".to_string()));
                    }
                    if kind.id().is_some_and(|kind| self.derives(class, kind)) {
                        return Ok(true);
                    }
                }
                Some(Object::Tuple(_)) => {
                    if self.is_subclass(&Value::Object(class), &kind)? {
                        return Ok(true);
                    }
                }
                Some(Object::Opaque { .. }) => {
                    return Err(Flow::Unsupported("isinstance of that".to_string()));
                }
                _ => {
                    let message =
                        "isinstance() arg 2 must be a type, a tuple of types, or a union";
                    return Err(self.raise("TypeError", message));
                }
            }
        }
        Ok(false)
    }

    fn next_of(&mut self, iterator: &Value, default: Option<Value>) -> Run<Option<Value>> {
        if !matches!(self.after, After::Push) {
            return Err(Flow::Unsupported("next() there".to_string()));
        }
        self.step_iterator(iterator, Value::None, After::Next(default)).map(|()| None)
    }

    fn print(&mut self, arguments: &[Value], keywords: &Keywords) -> Run<Option<Value>> {
        let (mut separator, mut end, mut silent) = (Value::None, Value::None, false);
        for (name, value) in keywords {
            match &**name {
                "sep" => separator = value.clone(),
                "end" => end = value.clone(),
                "flush" => {}
                "file" => match self.heap.object(value) {
                    Some(Object::Builtin(name)) if &**name == "sys.stdout" => {}
                    Some(Object::Builtin(name)) if &**name == "sys.stderr" => silent = true,
                    None if *value == Value::None => {}
                    _ => return Err(Flow::Unsupported("print to a file".to_string())),
                },
                _ => {
                    let message = format!("'{name}' is an invalid keyword argument for print()");
                    return Err(self.raise("TypeError", &message));
                }
            }
        }
        for (name, value) in [("sep", &separator), ("end", &end)] {
            if !matches!(value, Value::None | Value::Str(_)) {
                let kind = self.type_name(value);
                let message = format!("{name} must be None or a string, not {kind}");
                return Err(self.raise("TypeError", &message));
            }
        }
        let texts: Option<Vec<String>> =
            arguments.iter().map(|value| text::str(&self.heap, value)).collect();
        if silent {
            return match texts {
                Some(_) => Ok(Some(Value::None)),
                None => Err(Flow::Unsupported("print of objects to stderr".to_string())),
            };
        }
        let Some(texts) = texts else {
            let arguments = self.heap.tuple(arguments.to_vec());
            return self.prelude_call("_print", vec![arguments, separator, end], Vec::new());
        };
        let word = |value: &Value, default: &str| match value {
            Value::Str(text) => text.to_string(),
            _ => default.to_string(),
        };
        let line = texts.join(&word(&separator, " ")) + &word(&end, "\n");
        self.record.write(&line)?;
        self.record.counts.folded += 1;
        Ok(Some(Value::None))
    }

    fn sort(&mut self, list: &Value, keywords: Keywords) -> Run<Option<Value>> {
        let key = keywords.iter().any(|(name, value)| &**name == "key" && self.touches_program(value));
        if key || self.touches_program(list) {
            return self.prelude_call("_sort", vec![list.clone()], keywords);
        }
        let (names, values): (Vec<_>, Vec<_>) = keywords.into_iter().unzip();
        let mut operands = vec![list.clone()];
        operands.extend(values);
        Err(Flow::Ask(Box::new(super::exchange::Ask {
            operation: Operation::Method("sort".into()),
            operands,
            keywords: names,
        })))
    }

    /// A method of a builtin value.
    pub(super) fn call_method(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        match self.heap.object(receiver) {
            Some(Object::Generator { frame, .. }) => {
                let slot = *frame;
                return self.generator_method(slot, name, &arguments);
            }
            Some(Object::Iterator(_)) if &**name == "__next__" => {
                return self.next_of(receiver, None);
            }
            Some(Object::Dict(..)) if arguments.is_empty() => {
                if let Some(id) = receiver.id()
                    && let Some(view) = self.dict_view(id, name)
                {
                    return Ok(Some(view));
                }
            }
            Some(Object::List(_)) if &**name == "sort" => return self.sort(receiver, keywords),
            Some(Object::Instance { .. }) if &**name == "with_traceback" => {
                return Ok(Some(receiver.clone()));
            }
            Some(Object::Special { kind, parts }) if *kind == "property" => {
                let mut parts = parts.clone();
                let at = match &**name {
                    "getter" => 0,
                    "setter" => 1,
                    _ => 2,
                };
                parts[at] = arguments.into_iter().next().unwrap_or(Value::None);
                return Ok(Some(self.heap.make(Object::Special { kind: "property", parts })));
            }
            _ => {}
        }
        if arguments.iter().any(|value| self.is_iterator(value)) {
            let function =
                self.heap.make(Object::BuiltinMethod { receiver: receiver.clone(), name: name.clone() });
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            return self.prelude_call("_drain", vec![function, arguments, keywords], Vec::new());
        }
        let (names, values): (Vec<_>, Vec<_>) = keywords.into_iter().unzip();
        let mut operands = vec![receiver.clone()];
        operands.extend(arguments);
        operands.extend(values);
        Err(Flow::Ask(Box::new(super::exchange::Ask {
            operation: Operation::Method(name.clone()),
            operands,
            keywords: names,
        })))
    }

    /// A builtin class is called.
    pub(super) fn construct(
        &mut self,
        class: ObjectId,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        if self.is_exception_class(class) {
            let args = self.heap.tuple(arguments);
            let attributes = IndexMap::from([("args".into(), args)]);
            return Ok(Some(self.heap.make(Object::Instance { class, attributes, base: None })));
        }
        let special = ["property", "staticmethod", "classmethod"];
        if let Some(kind) = special.into_iter().find(|kind| *kind == &**name) {
            let mut parts = arguments;
            parts.resize(3, Value::None);
            return Ok(Some(self.heap.make(Object::Special { kind, parts })));
        }
        let plain = keywords.is_empty();
        match (&**name, arguments.as_slice()) {
            ("functools.cached_property", [function]) => {
                let parts = vec![function.clone()];
                return Ok(Some(self.heap.make(Object::Special { kind: "cached_property", parts })));
            }
            ("object", []) => {
                let attributes = IndexMap::new();
                return Ok(Some(self.heap.make(Object::Instance { class, attributes, base: None })));
            }
            ("type", [value]) => return Ok(Some(self.type_of(value))),
            ("type", _) => return Err(Flow::Unsupported("type() of three arguments".to_string())),
            ("super", _) => return self.super_object(&arguments).map(Some),
            ("bool", [value]) => {
                // The truth arrives where the bool is wanted.
                return self.truth(value).map(|truth| Some(Value::Bool(truth)));
            }
            ("list", []) => return Ok(Some(self.heap.list(Vec::new()))),
            ("tuple", []) => return Ok(Some(self.heap.tuple(Vec::new()))),
            ("dict", []) if plain => {
                let object = Object::Dict(Entries::default(), DictKind::Plain);
                return Ok(Some(self.heap.make(object)));
            }
            ("set", []) => return Ok(Some(self.heap.make(Object::Set(Elements::default())))),
            ("collections.deque", []) if plain => {
                return Ok(Some(self.heap.make(Object::Deque(Default::default(), None))));
            }
            ("collections.Counter", []) if plain => {
                let object = Object::Dict(Entries::default(), DictKind::Counter);
                return Ok(Some(self.heap.make(object)));
            }
            ("collections.OrderedDict", []) if plain => {
                let object = Object::Dict(Entries::default(), DictKind::Ordered);
                return Ok(Some(self.heap.make(object)));
            }
            ("collections.defaultdict", []) if plain => {
                let object = Object::Dict(Entries::default(), DictKind::Default(Value::None));
                return Ok(Some(self.heap.make(object)));
            }
            ("collections.defaultdict", [factory]) if plain => {
                let object = Object::Dict(Entries::default(), DictKind::Default(factory.clone()));
                return Ok(Some(self.heap.make(object)));
            }
            ("dict", []) => return Ok(Some(self.keyword_dict(keywords))),
            ("str", [value]) => {
                if let Some(text) = self.known_text(value, false) {
                    self.record.counts.folded += 1;
                    return Ok(Some(text));
                }
                if self.touches_program(value) {
                    return self.prelude_call("_str", vec![value.clone()], Vec::new());
                }
            }
            ("list", [value]) if self.touches_program(value) => {
                return self.prelude_call("_list", arguments, Vec::new());
            }
            ("tuple", [value]) if self.touches_program(value) => {
                return self.prelude_call("_tuple", arguments, Vec::new());
            }
            ("set", [value]) if self.touches_program(value) && !self.is_iterator(value) => {
                return self.prelude_call("_set_of", arguments, Vec::new());
            }
            ("dict", [value]) if plain && self.touches_program(value) => {
                if !matches!(self.heap.object(value), Some(Object::Dict(..))) {
                    return self.prelude_call("_dict_of", arguments, Vec::new());
                }
            }
            ("int" | "float", [value]) => {
                let method = if &**name == "int" { "__int__" } else { "__float__" };
                if let Some(method) = self.special(value, method) {
                    return Err(Flow::Call(method, Vec::new()));
                }
            }
            ("threading.Thread" | "random.Random" | "io.StringIO" | "array.array", _) => {
                return Err(Flow::Unsupported(format!("an object of {name}")));
            }
            ("functools.partial", [function, ..]) => {
                let rest = self.heap.tuple(arguments[1..].to_vec());
                let named = self.keyword_dict(keywords);
                let parts = vec![function.clone(), rest, named];
                return Ok(Some(self.heap.make(Object::Special { kind: "partial", parts })));
            }
            ("enum.Enum" | "typing.NamedTuple", _) => {
                return Err(Flow::Unsupported(name.to_string()));
            }
            ("typing.TypeVar" | "typing.NewType", _) => {
                let object =
                    Object::Opaque { class: "_GenericAlias".into(), text: "list[int]".into() };
                return Ok(Some(self.heap.make(object)));
            }
            _ => {}
        }
        if arguments.iter().any(|value| self.is_iterator(value)) {
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            let class = Value::Object(class);
            return self.prelude_call("_drain", vec![class, arguments, keywords], Vec::new());
        }
        Err(self.ask_call(name, arguments, keywords))
    }

    fn super_object(&mut self, arguments: &[Value]) -> Run<Value> {
        let parts = match arguments {
            [class, receiver] => vec![class.clone(), receiver.clone()],
            [] => {
                let Some(frame) = self.frames.last() else { return Err(broken("frame")) };
                let at = frame.code.free_vars.iter().position(|name| &**name == "__class__");
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
                    _ => return Err(self.raise("RuntimeError", "super(): __class__ cell not found")),
                };
                vec![class, first.ok_or_else(|| broken("argument"))?]
            }
            _ => return Err(Flow::Unsupported("super() of that".to_string())),
        };
        Ok(self.heap.make(Object::Special { kind: "super", parts }))
    }

    /// What the runtime's Python code calls.
    fn intrinsic(&mut self, name: &str, arguments: Vec<Value>) -> Run<Option<Value>> {
        let end = || -> Arc<str> { "_END".into() };
        Ok(Some(match (name, arguments.as_slice()) {
            ("_next", [it]) => {
                let end = self.get_name(self.prelude, &end()).unwrap_or(Value::None);
                return self.next_of(it, Some(end));
            }
            ("_len", [value]) => {
                let known = match self.heap.object(value) {
                    Some(Object::List(items)) => Some(items.len()),
                    Some(Object::Tuple(items)) => Some(items.len()),
                    _ => self.known_items(value).map(|items| items.len()),
                };
                Value::Int(known.ok_or_else(|| broken("length"))? as i64)
            }
            ("_push", [list, item]) => {
                match list.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::List(items)) => items.push(item.clone()),
                    _ => return Err(broken("list")),
                }
                Value::None
            }
            ("_write", [Value::Str(text)]) => {
                self.record.write(text)?;
                Value::None
            }
            ("_write", [other]) => {
                let message =
                    format!("__str__ returned non-string (type {})", self.type_name(other));
                return Err(self.raise("TypeError", &message));
            }
            ("_text", [value, Value::Bool(repr)]) => match self.known_text(value, *repr) {
                Some(text) => text,
                None => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
            },
            ("_find", [value, Value::Str(method)]) => match self.special(value, method) {
                Some(method) => method,
                None => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
            },
            ("_ask", [Value::Str(name), args, kwargs]) => {
                let args = self.known_items(args).ok_or_else(|| broken("arguments"))?;
                let kwargs = self.keywords_of(kwargs)?;
                return Err(self.ask_call(name, args, kwargs));
            }
            ("_sort_by", [items, keys, reverse]) => {
                if items == keys {
                    let keywords = vec![("reverse".into(), reverse.clone())];
                    let keywords =
                        if *reverse == Value::Bool(false) { Vec::new() } else { keywords };
                    return Err(self.ask_call("sorted", vec![items.clone()], keywords));
                }
                return Err(self.ask_operation(Operation::SortBy, arguments));
            }
            ("_classof", [value]) => self.type_of(value),
            ("_own", [value]) => Value::Bool(self.touches_program(value)),
            ("_throw", [Value::Str(what)]) => return Err(Flow::Unsupported(what.to_string())),
            ("_kind", [value]) => Value::str(match self.heap.object(value) {
                Some(Object::Iterator(_) | Object::Generator { .. }) => "iterator",
                Some(Object::List(_) | Object::Tuple(_)) => "sequence",
                Some(Object::Instance { .. }) => "own",
                Some(Object::Function(_)) => "function",
                _ => "other",
            }),
            ("_init", [instance, args, kwargs]) => {
                let args = self.known_items(args).unwrap_or_default();
                let kwargs = self.keywords_of(kwargs)?;
                match self.special(instance, "__init__") {
                    Some(init) => {
                        let after = std::mem::replace(&mut self.after, After::Push);
                        return self.call(init, args, kwargs, after).map(|()| None);
                    }
                    None => Value::None,
                }
            }
            ("_own_attribute", [class, Value::Str(attribute)]) => {
                let found = match self.heap.object(class) {
                    Some(Object::Class(class)) => class.attributes.get(attribute).cloned(),
                    _ => None,
                };
                match found {
                    Some(value) => value,
                    None => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
                }
            }
            ("_mro", [class]) => {
                let mro = match self.heap.object(class) {
                    Some(Object::Class(class)) => class.mro.clone(),
                    _ => return Err(broken("class")),
                };
                self.heap.list(mro.into_iter().map(Value::Object).collect())
            }
            ("_set_own", [Value::Object(id), Value::Str(attribute), value]) => {
                self.store_attribute(*id, attribute, value.clone())?;
                Value::None
            }
            ("_reverse_iter", [sequence]) => {
                let of = sequence.id();
                let items = self.known_items(sequence);
                match (self.heap.object(sequence), of, items) {
                    (
                        Some(Object::List(_) | Object::Tuple(_) | Object::Deque(..)),
                        Some(of),
                        Some(items),
                    ) => self
                        .heap
                        .make(Object::Iterator(Iterator::Reversed { of, next: items.len() })),
                    (Some(Object::Set(_) | Object::Frozenset(_)), ..) => {
                        self.get_name(self.prelude, &end()).unwrap_or(Value::None)
                    }
                    (_, _, Some(mut items)) => {
                        items.reverse();
                        let of = items.into();
                        self.heap.make(Object::Iterator(Iterator::Items {
                            of,
                            next: 0,
                            kind: "reversed",
                        }))
                    }
                    _ => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
                }
            }
            ("_line", []) => Value::Str(self.input.line().into()),
            _ => return Err(Flow::Unsupported(format!("the runtime's {name}"))),
        }))
    }
}
