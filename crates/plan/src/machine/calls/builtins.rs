//! Builtin functions and methods: those that are about the program's own objects, its control flow, its
//! input and output are done here; text of known values is folded; all others are asked.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::fold::BinaryOp;
use crate::machine::calls::call::Keywords;
use crate::machine::calls::call_tables::{
    FOLDED, LOOK_INSIDE, ON_DEMAND, UNBOUND, WALKED, is_stateful,
};
use crate::machine::calls::keyword_places::placed;
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{DictKind, Object, Value};

impl Machine {
    /// Whether a value is, or holds, something of the program that no oracle can look into.
    pub(in crate::machine) fn touches_program(&self, value: &Value) -> bool {
        self.touches(value, 3)
    }

    fn touches(&self, value: &Value, depth: usize) -> bool {
        let Some(object) = self.heap.object(value) else {
            return false;
        };
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

    pub(in crate::machine) fn prelude_call(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        self.library_call("", name, arguments, keywords)
    }

    /// Calls a function of a module that is written in Python.
    pub(in crate::machine) fn library_call(
        &mut self,
        module: &str,
        name: &str,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        let function = self.library_value(module, name)?;
        let after = std::mem::replace(&mut self.after, After::Push);
        self.call(function, arguments, keywords, after)
            .map(|()| None)
    }

    /// A builtin function. Nothing: its value arrives later.
    pub(in crate::machine) fn call_builtin(
        &mut self,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        self.check_call(name, &arguments, &keywords)?;
        if let Some(value) = self.own_builtin(name, &arguments, &keywords)? {
            return Ok(value);
        }
        if let Some(value) = self.fold_call(name, &arguments, &keywords)? {
            return Ok(Some(value));
        }
        if &**name == "dict.fromkeys" && arguments.iter().any(|value| self.touches_program(value)) {
            return self.prelude_call("_from_keys", arguments, keywords);
        }
        let touches = arguments.iter().any(|value| self.touches_program(value))
            || keywords
                .iter()
                .any(|(_, value)| self.touches_program(value));
        if WALKED.contains(&&**name) {
            if self.settings.fold.operators() {
                self.count_folded();
            }
            let (module, name) = name.rsplit_once('.').unwrap_or(("builtins", name));
            return self.library_call(&format!("{FOLDED}{module}"), name, arguments, keywords);
        }
        if ON_DEMAND.contains(&&**name) && (touches || self.settings.fold.operators()) {
            return self.prelude_call(name, arguments, keywords);
        }
        if arguments.iter().any(|value| self.is_iterator(value)) {
            let function = self.builtin(name);
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            return self.prelude_call("_drain", vec![function, arguments, keywords], Vec::new());
        }
        let looks_inside = touches && LOOK_INSIDE.iter().any(|prefix| name.starts_with(prefix));
        if looks_inside || is_stateful(name) {
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
        if let Some(value) = self.stream_call(name, arguments, keywords)? {
            return done(value);
        }
        if let Some(module) = self.import_call(name, arguments, keywords)? {
            return done(module);
        }
        match (name, arguments) {
            ("round" | "pow", _) if !keywords.is_empty() => {
                match placed(name, arguments, keywords) {
                    Some(all) => self.call_builtin(&name.into(), all, Vec::new()).map(Some),
                    None => Ok(None),
                }
            }
            ("__build_class__", _) => {
                self.build_class(arguments, keywords)?;
                Ok(Some(None))
            }
            ("print", _) => self.print(arguments, keywords).map(Some),
            ("input", _) => self.input_call(arguments).map(Some),
            ("open", [Value::Int(0)]) => done(self.builtin("sys.stdin")),
            ("open", [Value::Int(0), Value::Str(mode)]) if keywords.is_empty() => {
                let is_binary = mode.contains('b');
                done(self.builtin(["sys.stdin", "sys.stdin.buffer"][usize::from(is_binary)]))
            }
            ("open" | "io.open", _) => match self.library_name("", &"_mem_open".into()) {
                Some(_) => self
                    .prelude_call("_mem_open", arguments.to_vec(), keywords.clone())
                    .map(Some),
                None => Err(self.open_file(arguments, keywords)),
            },
            ("exit" | "quit" | "sys.exit", _) => {
                Err(self.raise_with("SystemExit", arguments.to_vec()))
            }
            ("sys.setrecursionlimit", [Value::Int(limit)]) => {
                self.recursion_limit = usize::try_from(*limit).unwrap_or(1000);
                done(Value::None)
            }
            ("gc.collect", []) => self.collect().map(|number| Some(Some(number))),
            ("sys.getrecursionlimit", []) => done(Value::Int(self.recursion_limit as i64)),
            ("iter", [value]) => self.iter(value).map(|it| Some(Some(it))),
            ("iter", [_, _]) => self
                .prelude_call("_iter_until", arguments.to_vec(), Vec::new())
                .map(Some),
            ("next", [it]) => self.next_of(it, None).map(Some),
            ("next", [it, default]) => self.next_of(it, Some(default.clone())).map(Some),
            ("isinstance" | "issubclass", [value, kinds]) if self.has_checks(kinds) => {
                self.own_check(name, value, kinds)
            }
            ("type.__instancecheck__", [kind, value]) => {
                let class = self.type_of(value);
                self.is_subclass(Some(value), &class, kind)
                    .map(|is| Some(Some(Value::Bool(is))))
            }
            ("type.__subclasscheck__", [kind, class]) => self
                .is_subclass(None, class, kind)
                .map(|is| Some(Some(Value::Bool(is)))),
            ("isinstance", [value, kinds]) => {
                if let Some(is) = self.satisfies_by_getattr(value, kinds)? {
                    return done(Value::Bool(is));
                }
                let class = self.type_of(value);
                self.is_subclass(Some(value), &class, kinds)
                    .map(|is| Some(Some(Value::Bool(is))))
            }
            ("issubclass", [class, kinds]) => self
                .is_subclass(None, class, kinds)
                .map(|is| Some(Some(Value::Bool(is)))),
            ("vars", [value @ Value::Object(id)])
                if matches!(self.heap.object(value), Some(Object::Instance { .. })) =>
            {
                let id = *id;
                match self.heap.object(value) {
                    Some(Object::Instance { class, .. }) if !self.may_have(*class, "__dict__") => {
                        Err(self.raise("TypeError", "vars() argument must have __dict__ attribute"))
                    }
                    _ => self.own_dict(id).map(|dict| Some(Some(dict))),
                }
            }
            ("vars", [class]) if matches!(self.heap.object(class), Some(Object::Class(_))) => self
                .attribute(class, &"__dict__".into())
                .map(|dict| Some(Some(dict))),
            ("vars", [value])
                if matches!(
                    self.heap.object(value),
                    None | Some(
                        Object::List(_)
                            | Object::Tuple(_)
                            | Object::Dict(_, DictKind::Plain)
                            | Object::Set(_)
                            | Object::Frozenset(_)
                            | Object::Bytearray(_)
                            | Object::Range(..)
                            | Object::Slice(..)
                    )
                ) =>
            {
                Err(self.raise("TypeError", "vars() argument must have __dict__ attribute"))
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
            ("getattr", [value, Value::Str(attribute)]) => self
                .attribute(value, attribute)
                .map(|value| Some(Some(value))),
            ("getattr", [value, Value::Str(attribute), _])
                if self.computes(value, attribute)? =>
            {
                self.prelude_call("_getattr_or", arguments.to_vec(), Vec::new())
                    .map(Some)
            }
            ("hasattr", [value, Value::Str(attribute)]) if self.computes(value, attribute)? => self
                .prelude_call("_hasattr", arguments.to_vec(), Vec::new())
                .map(Some),
            ("getattr", [value, Value::Str(attribute), default]) => {
                let found = self.attribute_or(value, attribute)?;
                done(found.unwrap_or_else(|| default.clone()))
            }
            ("hasattr", [value, Value::Str(attribute)]) => {
                let found = match self.attribute_or(value, attribute) {
                    Err(Flow::Unsupported(_)) if self.has_by_table(value, attribute) => true,
                    found => found?.is_some(),
                };
                done(Value::Bool(found))
            }
            ("setattr", [value, Value::Str(attribute), new]) => {
                self.set_attribute(value, attribute, new.clone())?;
                done(Value::None)
            }
            ("delattr", [value, Value::Str(attribute)]) => {
                self.delete_attribute(value, attribute)?;
                done(Value::None)
            }
            ("compile", [Value::Str(_), ..]) if keywords.is_empty() => {
                done(self.compiled(arguments)?)
            }
            ("eval" | "exec", [Value::Object(_), ..]) if keywords.is_empty() => {
                self.evaluate(name, arguments).map(Some)
            }
            ("eval" | "exec" | "ast.literal_eval", [Value::Str(_), ..])
                if keywords.is_empty()
                    && (name != "ast.literal_eval" || self.settings.fold.methods()) =>
            {
                self.evaluate(name, arguments).map(Some)
            }
            ("globals", []) => done(Value::Object(self.top()?.globals)),
            ("os.fstat", [Value::Int(0)]) => self.input_stat().map(Some),
            ("locals" | "vars", []) => self.locals().map(|dict| Some(Some(dict))),
            ("dir", [value]) => self.listed_names(value).map(|names| Some(Some(names))),
            ("id", [value]) => match self.address(value) {
                Some(address) => done(Value::Int(address)),
                None => Err(Flow::Unsupported(name.to_string())),
            },
            (
                "compile" | "locals" | "vars" | "dir" | "help" | "breakpoint" | "__import__"
                | "memoryview" | "aiter",
                _,
            ) => Err(Flow::Unsupported(name.to_string())),
            ("itertools.chain.from_iterable", _) => self
                .prelude_call("_chain_of", arguments.to_vec(), keywords.clone())
                .map(Some),
            ("anext", [value]) => match self.special(value, "__anext__") {
                Some(method) => Err(Flow::Call(method, Vec::new())),
                None => self
                    .prelude_call("_agen_next", vec![value.clone()], Vec::new())
                    .map(Some),
            },
            ("hex" | "oct" | "bin" | "chr", [value])
                if self.special(value, "__index__").is_some() =>
            {
                let all = vec![self.builtin(name), value.clone()];
                self.prelude_call("_by_numbers", all, Vec::new()).map(Some)
            }
            ("pow", [base, rest @ ..]) if let Some(method) = self.own_power(base, rest.len()) => {
                Err(Flow::Call(method, rest.to_vec()))
            }
            ("pow", [base, power, modulus])
                if self.settings.fold.operators()
                    && let Some(message) = self.refused_power([base, power, modulus]) =>
            {
                Err(self.raise("TypeError", &message))
            }
            (_, [_, ..]) if let Some(helper) = self.number_helper(name, arguments) => {
                let mut all = vec![self.builtin(name)];
                all.extend_from_slice(arguments);
                self.prelude_call(helper, all, Vec::new()).map(Some)
            }
            ("repr" | "ascii", [value]) => {
                if name == "repr"
                    && let Some(text) = self.known_text_below(value, true, 1)
                {
                    self.count_folded();
                    return done(text);
                }
                if self.touches_program(value) || self.is_nested(value) {
                    return self
                        .prelude_call("_called_repr", vec![value.clone()], Vec::new())
                        .map(Some);
                }
                Ok(None)
            }
            ("hash", [value]) if self.settings.fold.operators() && !self.touches_program(value) => {
                done(self.known_hash(value)?)
            }
            ("copy.deepcopy", [value, ..]) if self.settings.fold.methods() => {
                if arguments.len() == 1
                    && let Some(copy) = self.fold_made(name, arguments, keywords)?
                {
                    return done(copy);
                }
                match self.touches_program(value) || arguments.len() > 1 {
                    true => self
                        .prelude_call("_deepcopy", arguments.to_vec(), keywords.clone())
                        .map(Some),
                    false => Ok(None),
                }
            }
            ("format", [value, spec @ ..]) if spec.len() < 2 && keywords.is_empty() => {
                let text = self.format_value(value, 0, spec.first().cloned())?;
                done(text)
            }
            ("pow", [base, power]) if self.is_instance(base) || self.is_instance(power) => {
                let value = self.binary(BinaryOp::Power, false, base, power)?;
                done(value)
            }
            ("math.floor" | "math.ceil" | "math.trunc", [value]) if self.is_instance(value) => {
                let method = format!("__{}__", name.trim_start_matches("math."));
                match self.special(value, &method) {
                    Some(method) => Err(Flow::Call(method, Vec::new())),
                    None => Ok(None),
                }
            }
            ("len" | "abs" | "hash" | "round", [value, ..]) => {
                let (method, checked) = match name {
                    "len" => ("__len__", "_length_by"),
                    "abs" => ("__abs__", ""),
                    "hash" => ("__hash__", "_hash_by"),
                    _ => ("__round__", ""),
                };
                match self.special(value, method) {
                    Some(Value::None) if name == "hash" => Err(self.without_hash(value)),
                    _ if name == "hash" && self.has_equality_alone(value) => {
                        Err(self.without_hash(value))
                    }
                    Some(method) if !checked.is_empty() => Err(self.helper(checked, vec![method])?),
                    Some(method) => Err(Flow::Call(method, arguments[1..].to_vec())),
                    None if name == "len"
                        && matches!(self.heap.object(value), Some(Object::Class(_))) =>
                    {
                        // That of an enumeration; other classes have none.
                        let members = self.known_items(value);
                        Ok(members.map(|members| Some(Value::Int(members.len() as i64))))
                    }
                    None if name == "hash" && self.special(value, "_hash_values_").is_some() => {
                        self.prelude_call("_hash_of", vec![value.clone()], Vec::new())
                            .map(Some)
                    }
                    None if name == "hash"
                        && let Some(hash) = self.hash_of_address(value) =>
                    {
                        done(hash)
                    }
                    None if name == "hash" && self.touches_program(value) => {
                        Err(self.without_hash(value))
                    }
                    None => Ok(None),
                }
            }
            (dotted, _)
                if let Some((class, method)) = dotted.split_once('.')
                    && let Some(message) =
                        self.refused_receiver(class, method, arguments.first()) =>
            {
                Err(self.raise("TypeError", &message))
            }
            (dotted, _) if let Some(helper) = self.unbound_method(dotted, arguments.first()) => {
                let (class, method) = dotted.split_once('.').unwrap_or_default();
                let mut all = vec![Value::str(class), Value::str(method)];
                all.extend(arguments.to_vec());
                self.prelude_call(helper, all, keywords.clone()).map(Some)
            }
            ("object.__init_subclass__", [class]) if !keywords.is_empty() => {
                Err(self.no_keywords_of_bases(&class.clone()))
            }
            ("object.__subclasshook__", [_]) => done(Value::NotImplemented),
            ("object.__init__" | "object.__init_subclass__" | "type.__init__", _) => {
                done(Value::None)
            }
            ("BaseException.__init__", [Value::Object(id), args @ ..]) => {
                let args = self.heap.tuple(args.to_vec());
                self.store_attribute(*id, &"args".into(), args)?;
                done(Value::None)
            }
            ("object.__new__" | "BaseException.__new__", [Value::Object(class), ..]) => {
                let class = *class;
                let made = self.heap.add(Object::Instance {
                    class,
                    attributes: IndexMap::new(),
                    base: None,
                });
                self.instance_made(made, class);
                done(Value::Object(made))
            }
            ("type.__new__", arguments) => {
                let made = self.type_new(arguments, keywords.clone())?;
                done(made)
            }
            ("type.__call__", [class @ Value::Object(_), rest @ ..]) => {
                let after = std::mem::replace(&mut self.after, After::Push);
                self.instantiate(&class.clone(), true, rest.to_vec(), keywords.clone(), after)?;
                Ok(Some(None))
            }
            ("object.__setattr__", [value @ Value::Object(id), Value::Str(attribute), new]) => {
                if let Some(Object::Instance { class, .. }) = self.heap.object(value)
                    && !self.may_have(*class, attribute)
                {
                    let class = *class;
                    return Err(self.no_place(value, class, attribute));
                }
                self.store_attribute(*id, attribute, new.clone())?;
                done(Value::None)
            }
            ("object.__getattribute__", [value, Value::Str(name)]) => {
                done(self.plain_attribute(value, name)?)
            }
            (dotted, [_, ..])
                if let Some(method) = dotted.strip_prefix("object.")
                    && let Some(value) = self.call_of_object(method, arguments)? =>
            {
                Ok(Some(value))
            }
            ("BaseException.__str__", [value]) => {
                let args = self.exception_args(value);
                if args.len() == 2 && self.is_a(value, "OSError") {
                    let whole = vec![value.clone()];
                    return self
                        .prelude_call("_system_error", whole, Vec::new())
                        .map(Some);
                }
                if let Some(said) = self.syntax_error(value, &args) {
                    return done(Value::str(&said));
                }
                let (text, shown) = match args.as_slice() {
                    [] => return done(Value::str("")),
                    [one] if self.is_a(value, "KeyError") => ("_repr", one.clone()),
                    [one] => ("_str", one.clone()),
                    _ => ("_repr", self.heap.tuple(args)),
                };
                self.prelude_call(text, vec![shown], Vec::new()).map(Some)
            }
            ("list.sort", [list, ..]) => self.sort(list, keywords.clone()).map(Some),
            _ if name.contains('.') && !UNBOUND.contains(&name) => {
                // `str.upper(text)`, `list.append(xs, 1)`
                let Some((class, method)) = name.split_once('.') else {
                    return Ok(None);
                };
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

    pub(in crate::machine) fn is_of(&mut self, value: &Value, class: &str) -> bool {
        let own = self.type_of(value);
        let class = self.class_id(class);
        own.id().is_some_and(|own| self.derives(own, class))
    }

    /// What calls a function of `math` with the numbers that objects of the program say they are.
    fn number_helper(&mut self, name: &str, arguments: &[Value]) -> Option<&'static str> {
        const BY_INDEX: [&str; 6] = ["gcd", "lcm", "comb", "perm", "factorial", "isqrt"];
        let function = name.strip_prefix("math.")?;
        if matches!(function, "floor" | "ceil" | "trunc") {
            return None;
        }
        let mut values = arguments.iter();
        match BY_INDEX.contains(&function) {
            true => values
                .any(|value| self.special(value, "__index__").is_some())
                .then_some("_by_numbers"),
            false => (values.any(|value| self.is_number_like(value))).then_some("_by_floats"),
        }
    }
}
