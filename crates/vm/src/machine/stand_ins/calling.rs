//! Calls of a stand-in, and of other functions with one as an argument.

use std::sync::Arc;

use super::super::{After, Flow, Machine, Run};
use super::formatting::plain_for;
use crate::code::Op;
use crate::machine::eval::eval_loop::broken;
use crate::stand_in::Used;
use crate::value::{DictKind, Entries, Object, Value};

/// Maximum depth to which arguments are searched.
const MOST_DEPTH: usize = 3;
/// Functions that take or print a string.
const TAKE_TEXT: &[&str] = &[
    "print",
    "input",
    "open",
    "eval",
    "exec",
    "compile",
    "warnings.warn",
    "bytes.fromhex",
];
/// Modules whose functions take a path as a string.
const TAKE_PATHS: &[&str] = &["os.path", "posixpath", "genericpath"];
/// Functions that iterate their arguments.
const WALK: &[&str] = &[
    "list",
    "tuple",
    "set",
    "frozenset",
    "enumerate",
    "zip",
    "map",
    "filter",
    "reversed",
    "iter",
    "deque",
    "Counter",
    "chain",
    "from_iterable",
    "accumulate",
    "groupby",
    "islice",
    "cycle",
    "product",
    "combinations",
    "permutations",
    "pairwise",
    "tee",
    "compress",
    "filterfalse",
    "repeat",
    "reduce",
    "starmap",
    "takewhile",
    "dropwhile",
    "zip_longest",
];
/// Functions that keep their arguments without examining them.
const KEEP: &[&str] = &[
    "id",
    "property",
    "staticmethod",
    "classmethod",
    "vars",
    "super",
    "setattr",
    "delattr",
    "object",
    "type",
    "slice",
    "partial",
    "__build_class__",
    "Cell",
    "ContextVar",
    "nullcontext",
    "contextmanager",
    "dataclass",
    "field",
    "replace",
    "asdict",
    "ref",
    "lru_cache",
    "cache",
];
/// Modules whose functions and classes keep their arguments.
const KEEPERS: &[&str] = &[
    "collections",
    "dataclasses",
    "enum",
    "typing",
    "abc",
    "copy",
    "contextlib",
    "functools",
    "itertools",
    "types",
];
/// Functions that take a number.
const TAKE_NUMBERS: &[&str] = &[
    "range", "chr", "bin", "hex", "oct", "divmod", "pow", "round", "bytes",
];

/// A call on the stack.
struct Call {
    function: Value,
    /// Arguments, keyword arguments last.
    arguments: Vec<Value>,
    /// Number of keyword arguments.
    keywords: usize,
    /// Stack depth of the first argument; 1 is the top.
    first: usize,
}

impl Machine {
    fn call_on_stack(&self, count: usize) -> Run<Call> {
        let frame = self.frames.last().ok_or_else(|| broken("frame"))?;
        let at = frame
            .stack
            .len()
            .checked_sub(count + 2)
            .ok_or_else(|| broken("function"))?;
        let (function, from) = match &frame.stack[at] {
            Some(function) => (function.clone(), at + 1),
            None => (
                frame.stack[at + 1]
                    .clone()
                    .ok_or_else(|| broken("function"))?,
                at + 2,
            ),
        };
        let arguments: Vec<Value> = frame.stack[from..].iter().flatten().cloned().collect();
        Ok(Call {
            function,
            first: arguments.len(),
            arguments,
            keywords: frame.keywords.len(),
        })
    }

    pub(super) fn call_with_stand_in(&mut self, count: usize) -> Run<bool> {
        let call = self.call_on_stack(count)?;
        let of_stand_in = self.is_made_up(&call.function);
        if !of_stand_in
            && !call
                .arguments
                .iter()
                .any(|one| self.has_stand_in(one, MOST_DEPTH))
        {
            return Ok(false);
        }
        let result = if of_stand_in {
            // `@decorator`: the compiler puts the function in the place of a receiver.
            let is_decorator = count == 0 && !call.arguments.is_empty();
            if !is_decorator {
                self.may_raise(&call.function)?;
            }
            let functions = call
                .arguments
                .iter()
                .filter(|one| self.is_function_of_program(one));
            let functions: Vec<Value> = functions.cloned().collect();
            self.stand_ins.handed.extend(functions);
            if let (true, Some(id)) = (is_decorator, call.arguments.first().and_then(Value::id)) {
                self.stand_ins.decorated.insert(id);
            }
            match is_decorator {
                true => call.arguments.first().cloned(),
                false => Some(self.called(&call.function, &call.arguments)?),
            }
        } else {
            self.given_to(&call)?
        };
        let Some(result) = result else {
            return Ok(false);
        };
        for _ in 0..count + 2 {
            self.pop_slot()?;
        }
        self.top()?.keywords.clear();
        self.push(result)?;
        Ok(true)
    }

    pub(super) fn call_ex_with_stand_in(&mut self, has_keywords: bool) -> Run<bool> {
        let extra = usize::from(has_keywords);
        let function = self.peek(2 + extra)?;
        let arguments = self.peek(1 + extra)?;
        if self.is_made_up(&arguments) {
            let items = self.items_of_stand_in(&arguments)?;
            let items = self.heap.tuple(items);
            self.set_operand(1 + extra, items)?;
        }
        if has_keywords {
            let keywords = self.peek(1)?;
            if self.is_made_up(&keywords) {
                let empty = self
                    .heap
                    .make(Object::Dict(Entries::default(), DictKind::Plain));
                self.set_operand(1, empty)?;
            }
        }
        if !has_keywords {
            self.fit_arguments(&function)?;
        }
        let result = if self.is_made_up(&function) {
            self.may_raise(&function)?;
            self.called(&function, &[])?
        } else if self.has_stand_in(&arguments, 1)
            && !self.is_of_program(&function)
            && !self.keeps(&function)
        {
            self.elsewhere(&function)?
        } else {
            return Ok(false);
        };
        for _ in 0..3 + extra {
            self.pop_slot()?;
        }
        self.push(result)?;
        Ok(true)
    }

    /// `model(x, *found)`: makes up as many arguments as the function takes.
    fn fit_arguments(&mut self, function: &Value) -> Run<()> {
        let Some(Object::Function(f)) = self.heap.object(function) else {
            return Ok(());
        };
        if f.code.library.is_some() {
            return Ok(());
        }
        let most = f.code.arg_count as usize;
        let least = most.saturating_sub(f.defaults.len());
        let arguments = self.peek(1)?;
        let Some(mut given) = self.known_items(&arguments) else {
            return Ok(());
        };
        let Some(last) = given.last().filter(|last| self.is_made_up(last)).cloned() else {
            return Ok(());
        };
        for number in given.len()..least {
            let more = self.child(&last, "", &format!("+{number}"), None)?;
            given.push(more);
        }
        let given = self.heap.tuple(given);
        self.set_operand(1, given)
    }

    /// Returns the result of calling a stand-in.
    fn called(&mut self, function: &Value, arguments: &[Value]) -> Run<Value> {
        let path = self
            .stand_in(function)
            .map_or_else(|| "".into(), |one| one.path);
        let name = path.rsplit('.').next().unwrap_or(&path).to_owned();
        let key: String = arguments.iter().map(|one| self.key_text(one)).collect();
        let key = if key.len() > 200 { String::new() } else { key };
        self.child(function, "()", &key, Some((Used::Call, &name)))
    }

    /// Returns the dotted name of a called function of the library.
    pub(super) fn callee(&self, function: &Value) -> Option<String> {
        match self.heap.object(function)? {
            Object::Builtin(name) => Some(name.to_string()),
            Object::Class(class) if !class.is_own(&self.heap) => {
                let dotted = match (&class.builtin, class.library) {
                    (Some(dotted), _) => dotted.to_string(),
                    (None, Some(module)) if !module.is_empty() => {
                        format!("{module}.{}", class.name)
                    }
                    _ => class.name.to_string(),
                };
                Some(dotted)
            }
            Object::Function(f) => {
                let file = f.code.library.as_ref()?;
                match file.module {
                    "" => Some(f.code.name.clone()),
                    module => Some(format!("{module}.{}", f.code.name)),
                }
            }
            Object::BuiltinMethod { name, .. } => Some(format!("method.{name}")),
            Object::Method { function, .. } => self.callee(function),
            _ => None,
        }
    }

    /// Whether a function or class is the program's own.
    pub(super) fn is_of_program(&self, function: &Value) -> bool {
        self.callee(function).is_none()
    }

    fn keeps(&self, function: &Value) -> bool {
        let name = self.callee(function).unwrap_or_default();
        let (module, last) = name.rsplit_once('.').unwrap_or(("", &name));
        KEEP.contains(&last)
            || KEEPERS.contains(&module)
            || last == "dict"
            || module == "method"
            || self.is_error(function)
    }

    /// Returns a made-up result for a library function that does not examine a stand-in.
    fn elsewhere(&mut self, function: &Value) -> Run<Value> {
        let name = self.callee(function).unwrap_or_default();
        let last = name.rsplit('.').next().unwrap_or(&name).to_owned();
        let line = self.current_line();
        let place = self.place_at(line, Used::Call, &last);
        let path = place.as_ref().and_then(|place| place.path.as_ref());
        let path = path.map_or_else(
            || format!("{name}()"),
            |path| match path.ends_with(')') {
                true => path.clone(),
                false => format!("{path}()"),
            },
        );
        Ok(self.made_at(&path, place, Some((Used::Call, &last)), None))
    }

    /// Returns the result of a library function that receives a stand-in. `None` if it is called
    /// normally, with the values into which the arguments were converted.
    fn given_to(&mut self, call: &Call) -> Run<Option<Value>> {
        let Some(name) = self.callee(&call.function) else {
            return Ok(None);
        };
        let (module, last) = name.rsplit_once('.').unwrap_or(("", &name));
        let positional = call.arguments.len() - call.keywords;
        let first = call
            .arguments
            .first()
            .filter(|one| self.is_made_up(one))
            .cloned();
        if name == "__build_class__" {
            self.bases_of(call)?;
            return Ok(None);
        }
        if let Some(first) = &first
            && module != "method"
            && let Some(value) = self.of_first(last, module, first, call, positional)?
        {
            return Ok(Some(value));
        }
        let takes_text = TAKE_TEXT.contains(&&*name)
            || TAKE_PATHS.contains(&module)
            || self.is_error(&call.function);
        if takes_text {
            self.arguments_as_text(call)?;
            return Ok(None);
        }
        if matches!(
            module,
            "" | "builtins" | "collections" | "itertools" | "functools"
        ) && WALK.contains(&last)
        {
            for (at, argument) in call.arguments.iter().enumerate() {
                let is_function = at == 0
                    && matches!(
                        last,
                        "map" | "filter" | "reduce" | "starmap" | "takewhile" | "dropwhile"
                    );
                if self.is_made_up(argument) && !is_function {
                    let items = self.items_of_stand_in(argument)?;
                    let items = self.heap.list(items);
                    self.set_operand(call.first - at, items)?;
                } else if is_function && self.is_made_up(argument) {
                    return self.elsewhere(&call.function).map(Some);
                }
            }
            return Ok(None);
        }
        if module == "method" {
            return self.method_given(last, call);
        }
        if matches!(last, "exit" | "quit" | "_exit") {
            self.set_operand(call.first, Value::None)?;
            return Ok(None);
        }
        if TAKE_NUMBERS.contains(&last) && module.is_empty() || matches!(module, "math" | "cmath") {
            for (at, argument) in call.arguments.iter().enumerate() {
                if let Some(one) = self.stand_in(argument) {
                    let number = match (last, one.kind) {
                        // Makes a loop run two iterations.
                        ("range", "object") => Value::Int(2),
                        (_, "float") => Value::Float(one.number),
                        _ => Value::Int(one.number as i64),
                    };
                    self.set_operand(call.first - at, number)?;
                }
            }
            return Ok(None);
        }
        if self.keeps(&call.function) {
            return Ok(None);
        }
        if matches!(
            name.as_str(),
            "max"
                | "min"
                | "sum"
                | "sorted"
                | "any"
                | "all"
                | "len"
                | "isinstance"
                | "repr"
                | "str"
        ) {
            return Ok(None);
        }
        // A function that calls the program back does so.
        if call
            .arguments
            .iter()
            .any(|one| self.is_function_of_program(one))
        {
            return Ok(None);
        }
        self.elsewhere(&call.function).map(Some)
    }

    fn is_error(&self, function: &Value) -> bool {
        matches!(self.heap.object(function), Some(Object::Class(_)))
            && function.id().is_some_and(|id| self.is_exception_class(id))
    }

    pub(super) fn is_function_of_program(&self, value: &Value) -> bool {
        matches!(self.heap.object(value), Some(Object::Function(f)) if f.code.library.is_none())
    }

    /// Returns the result of a builtin function for a stand-in. `None` for another function.
    fn of_first(
        &mut self,
        name: &str,
        module: &str,
        first: &Value,
        call: &Call,
        positional: usize,
    ) -> Run<Option<Value>> {
        if !matches!(module, "" | "builtins") {
            return Ok(None);
        }
        let Some(one) = self.stand_in(first) else {
            return Ok(None);
        };
        Ok(Some(match (name, positional) {
            ("str" | "repr" | "ascii" | "format", 1) => Value::Str(one.shown),
            ("format", 2) => {
                let spec = call.arguments.get(1).cloned();
                let last = match &spec {
                    Some(Value::Str(spec)) => spec.chars().last(),
                    _ => None,
                };
                let plain = last.and_then(|last| plain_for(last, one.number, true));
                self.set_operand(call.first, plain.unwrap_or(Value::Str(one.shown)))?;
                return Ok(None);
            }
            ("int" | "hash" | "ord", _) => Value::Int(one.number as i64),
            ("float", 1) => Value::Float(one.number),
            ("complex", 1) => Value::Complex(one.number, 0.0),
            ("bytes" | "bytearray", 2) => Value::Bytes(one.shown.as_bytes().into()),
            ("abs" | "round", _) => {
                let key = call.arguments[1..]
                    .iter()
                    .map(|one| self.key_text(one))
                    .collect::<String>();
                self.of_operator(first, &format!(".{name}"), &key, Some(one.number.abs()))?
            }
            ("len", 1) => Value::Int(i64::try_from(one.count).unwrap_or(0)),
            ("bool", 1) => Value::Bool(self.decide(first)),
            ("isinstance" | "issubclass" | "hasattr" | "callable", _) => {
                let key = call.arguments[1..]
                    .iter()
                    .map(|one| self.key_text(one))
                    .collect::<String>();
                let of: Vec<String> = call.arguments.iter().map(|one| self.named(one)).collect();
                let text = format!("{name}({})", of.join(", "));
                let asked = self.compared(first, &format!("{name}{key}"), &text)?;
                Value::Bool(self.decide(&asked))
            }
            ("type", 1) => self.child(first, ".__class__", "", None)?,
            ("getattr", 2 | 3) => match call.arguments.get(1) {
                Some(Value::Str(name)) => self.member(first, &name.clone())?,
                _ => self.child(first, ".", "getattr", None)?,
            },
            ("setattr", 3) => {
                if let (Some(id), Some(Value::Str(name))) = (first.id(), call.arguments.get(1)) {
                    let value = call.arguments[2].clone();
                    self.stand_ins
                        .children
                        .insert((id, format!(".{name}").into()), value);
                }
                Value::None
            }
            ("next", _) => {
                let Some(id) = first.id() else {
                    return Ok(None);
                };
                let given = self.stand_ins.given.entry(id).or_default();
                *given += 1;
                let number = given.to_string();
                if given.is_multiple_of(3) && positional == 1 && self.ready_for_the_end() {
                    return Err(self.raise("StopIteration", ""));
                }
                self.child(first, "[]", &number, None)?
            }
            ("sorted", _) => {
                let items = self.items_of_stand_in(first)?;
                self.heap.list(items)
            }
            ("min" | "max", 1) => self.child(first, "[]", name, None)?,
            ("sum", _) => self.child(first, ".sum()", "", Some((Used::Call, "sum")))?,
            ("any" | "all", 1) => Value::Bool(self.decide(first)),
            ("dict", 1) => self
                .heap
                .make(Object::Dict(Entries::default(), DictKind::Plain)),
            ("min" | "max", _) => first.clone(),
            ("dir", 1) => self.heap.list(vec![Value::str("a")]),
            ("vars", 1) => self
                .heap
                .make(Object::Dict(Entries::default(), DictKind::Plain)),
            _ => return Ok(None),
        }))
    }

    /// Whether a handler around the line catches the end of an iterator.
    fn ready_for_the_end(&mut self) -> bool {
        let line = self.current_line();
        self.guesses()
            .is_some_and(|guesses| guesses.catches(line, &["StopIteration"]))
    }

    /// Returns the result of a known value's method that receives a stand-in.
    fn method_given(&mut self, name: &str, call: &Call) -> Run<Option<Value>> {
        let Some(Object::BuiltinMethod { receiver, .. }) = self.heap.object(&call.function) else {
            return Ok(None);
        };
        let receiver = receiver.clone();
        match (&receiver, name) {
            (Value::Str(template), "format") => {
                let template = template.clone();
                let numbers = numeric_fields(&template);
                for (at, argument) in call.arguments.iter().enumerate() {
                    if let Some(one) = self.stand_in(argument) {
                        let plain = match numbers.get(at).copied().flatten() {
                            Some(last) => plain_for(last, one.number, true),
                            None => None,
                        };
                        self.set_operand(call.first - at, plain.unwrap_or(Value::Str(one.shown)))?;
                    }
                }
                return Ok(None);
            }
            (Value::Str(_) | Value::Bytes(_), "join") => {
                let Some(argument) = call.arguments.first() else {
                    return Ok(None);
                };
                let items = match self.is_made_up(argument) {
                    true => self.items_of_stand_in(argument)?,
                    false => self.heap.list_items(argument).unwrap_or_default(),
                };
                let texts = items.iter().map(|item| match self.stand_in(item) {
                    Some(one) => Value::Str(one.shown),
                    None => item.clone(),
                });
                let texts = texts.collect();
                let texts = self.heap.list(texts);
                self.set_operand(call.first, texts)?;
                return Ok(None);
            }
            (Value::Str(_), _) => {
                self.arguments_as_text(call)?;
                return Ok(None);
            }
            _ => {}
        }
        if matches!(name, "write" | "writelines") {
            self.arguments_as_text(call)?;
            return Ok(None);
        }
        if matches!(
            name,
            "extend"
                | "extendleft"
                | "union"
                | "intersection"
                | "difference"
                | "issubset"
                | "issuperset"
        ) || name == "update"
        {
            let is_dict = matches!(self.heap.object(&receiver), Some(Object::Dict(..)));
            for (at, argument) in call.arguments.iter().enumerate() {
                if !self.is_made_up(argument) || at >= call.arguments.len() - call.keywords {
                    continue;
                }
                let items = if is_dict {
                    self.heap
                        .make(Object::Dict(Entries::default(), DictKind::Plain))
                } else {
                    let items = self.items_of_stand_in(argument)?;
                    self.heap.list(items)
                };
                self.set_operand(call.first - at, items)?;
            }
        }
        Ok(None)
    }

    fn arguments_as_text(&mut self, call: &Call) -> Run<()> {
        for (at, argument) in call.arguments.iter().enumerate() {
            if let Some(one) = self.stand_in(argument) {
                self.set_operand(call.first - at, Value::Str(one.shown))?;
            }
        }
        Ok(())
    }

    /// Replaces stand-ins among the bases of a class by a class that accepts any arguments.
    fn bases_of(&mut self, call: &Call) -> Run<()> {
        let positional = call.arguments.len() - call.keywords;
        let mut has_base = false;
        for (at, argument) in call.arguments.iter().enumerate().skip(2) {
            if !self.is_made_up(argument) {
                continue;
            }
            if at >= positional {
                // A metaclass, or an argument of the base class.
                let class = self.class_value("type");
                let name = self
                    .frames
                    .last()
                    .and_then(|frame| frame.keywords.get(at - positional).cloned());
                let value = if name.as_deref() == Some("metaclass") {
                    class
                } else {
                    Value::None
                };
                self.set_operand(call.first - at, value)?;
                continue;
            }
            let base = match has_base {
                // Further stand-ins are dropped.
                true => self.class_value("object"),
                false => self.base_class()?,
            };
            has_base = true;
            self.set_operand(call.first - at, base)?;
        }
        Ok(())
    }

    fn base_class(&mut self) -> Run<Value> {
        if let Some(base) = &self.stand_ins.base {
            return Ok(base.clone());
        }
        let base = self.prelude_value("_MissingBase")?;
        self.stand_ins.base = Some(base.clone());
        Ok(base)
    }

    /// Calls the next function that was passed to a missing object and was not called yet, as a
    /// framework would do. The result no longer affects the end of the program. Returns false if
    /// there is none.
    pub(in crate::machine) fn call_back(&mut self) -> Run<bool> {
        while !self.stand_ins.handed.is_empty() {
            let function = self.stand_ins.handed.remove(0);
            let Some(Object::Function(f)) = self.heap.object(&function) else {
                continue;
            };
            let code = f.code.clone();
            if self
                .stand_ins
                .entered
                .contains(&(Arc::as_ptr(&code) as usize))
            {
                continue;
            }
            let wanted = (code.arg_count as usize).saturating_sub(f.defaults.len());
            let given: Vec<Arc<str>> = code.var_names.iter().take(wanted).cloned().collect();
            let only = code.var_names.iter().skip(code.arg_count as usize);
            let only = only.take(code.kwonly_arg_count as usize);
            let has_default =
                |name: &Arc<str>| f.kw_defaults.iter().any(|(known, _)| known == name);
            let only: Vec<Arc<str>> = only.filter(|name| !has_default(name)).cloned().collect();
            let arguments = given
                .iter()
                .map(|name| self.made_at(name, None, None, None))
                .collect();
            let arguments = self.heap.tuple(arguments);
            let keywords = only
                .iter()
                .map(|name| (name.clone(), self.made_at(name, None, None, None)));
            let keywords = keywords.collect();
            let keywords = self.keyword_dict(keywords);
            let helper = self.prelude_value("_called_back")?;
            let all = vec![function, arguments, keywords];
            self.call(helper, all, Vec::new(), After::Drop)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Continues after the call of a library function that turns out to be unmodelled during its
    /// execution. The result of the call is made up. Returns false if planning ends.
    pub(in crate::machine) fn leaves_library(&mut self, what: &str) -> bool {
        let in_library = self
            .frames
            .last()
            .is_some_and(|frame| self.is_runtime(frame));
        if !self.goes_on() || !in_library {
            return false;
        }
        let Some(own) = self
            .frames
            .iter()
            .rposition(|frame| !self.is_runtime(frame))
        else {
            return false;
        };
        let frame = &self.frames[own];
        let last = frame
            .last
            .and_then(|last| frame.code.instructions.get(last));
        let is_call = last.is_some_and(|one| matches!(one.op, Op::Call | Op::CallFunctionEx));
        let is_plain = self.frames[own + 1..]
            .iter()
            .all(|frame| frame.generator.is_none());
        // The printed output would be missing.
        let prints = &*self.frames[own + 1].code.name == "print";
        if prints || !is_call || !is_plain || !matches!(self.frames[own + 1].after, After::Push) {
            return false;
        }
        let called = self.frames[own + 1].code.name.clone();
        self.frames.truncate(own + 1);
        let named = if called.starts_with('_') {
            what
        } else {
            &*called
        };
        match self.not_modelled(named) {
            Ok(value) => self.push(value).is_ok(),
            Err(_) => false,
        }
    }

    /// Returns a made-up result for a function that the planner does not model, if planning
    /// continues.
    pub(in crate::machine) fn not_modelled(&mut self, what: &str) -> Run<Value> {
        if !self.goes_on() {
            return Err(Flow::Unsupported(what.to_owned()));
        }
        if let Some(refused) = self.refused_by_sandbox(what) {
            return Err(refused);
        }
        let name = what.split('(').next().unwrap_or(what);
        let last = name.rsplit('.').next().unwrap_or(name).to_owned();
        let line = self.current_line();
        let place = self.place_at(line, Used::Call, &last);
        let path = place.as_ref().and_then(|place| place.path.clone());
        let path = path.unwrap_or_else(|| format!("{name}()"));
        Ok(self.made_at(&path, place, Some((Used::Call, &last)), None))
    }
}

/// Returns the last letter of the format of each field in a `str.format` template, if it has one.
fn numeric_fields(template: &str) -> Vec<Option<char>> {
    let mut fields = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        rest = &rest[at + 1..];
        if let Some(escaped) = rest.strip_prefix('{') {
            rest = escaped;
            continue;
        }
        let Some(end) = rest.find('}') else { break };
        let field = &rest[..end];
        fields.push(
            field
                .split_once(':')
                .and_then(|(_, spec)| spec.chars().last()),
        );
        rest = &rest[end + 1..];
    }
    fields
}
