//! Exceptions: raised, matched, and propagated through frames to a handler or out of the program.

use std::sync::Arc;

use codexec_trace::Outcome;

use num_bigint::BigInt;

use crate::machine::eval::eval_loop::broken;
use crate::machine::record::LONE;
use crate::machine::{After, Flow, Machine, Run};
use crate::text;
use crate::value::{Attributes, Object, ObjectId, Value};

impl Machine {
    /// Returns a builtin exception with a message.
    pub(in crate::machine) fn raise(&mut self, kind: &str, message: &str) -> Flow {
        if let Some(flow) = self.names_unknown(message) {
            return flow;
        }
        let arguments = if message.is_empty() {
            Vec::new()
        } else {
            vec![Value::str(message)]
        };
        self.raise_with(kind, arguments)
    }

    /// Returns a builtin exception with arguments.
    pub(in crate::machine) fn raise_with(&mut self, kind: &str, arguments: Vec<Value>) -> Flow {
        let class = self.class_id(kind);
        Flow::Raise(self.error_of(class, arguments))
    }

    /// Returns an exception of a class with arguments.
    pub(in crate::machine) fn error_of(&mut self, class: ObjectId, arguments: Vec<Value>) -> Value {
        let args = self.heap.tuple(arguments);
        self.heap.make(Object::Instance {
            class,
            attributes: Attributes::from_iter([("args".into(), args)]),
            base: None,
        })
    }

    /// `RAISE_VARARGS`: 0 reraises the handled exception, 2 has a cause.
    pub(in crate::machine) fn raise_varargs(&mut self, count: usize) -> Run<()> {
        let cause = if count == 2 { Some(self.pop()?) } else { None };
        if count == 0 {
            let handled = self
                .frames
                .iter()
                .rev()
                .find_map(|frame| frame.handled.clone());
            return match handled {
                // Like `RERAISE`: it was raised before and only propagates here.
                Some(error) => self.carry(error),
                None => Err(self.raise("RuntimeError", "No active exception to reraise")),
            };
        }
        let error = self.pop()?;
        if let (Some(Object::Class(_)), Some(id)) = (self.heap.object(&error), error.id())
            && self.is_exception_class(id)
        {
            let is_builtin = matches!(self.heap.object(&error), Some(Object::Class(class)) if class.builtin.is_some());
            return match cause {
                Some(cause) => self
                    .prelude_call("_raise_from", vec![error, cause], Vec::new())
                    .map(drop),
                None if is_builtin => self.call(error, Vec::new(), Vec::new(), After::Raise),
                None => self
                    .prelude_call("_raise_made", vec![error], Vec::new())
                    .map(drop),
            };
        }
        if let Some(Object::Class(class)) = cause.as_ref().and_then(|cause| self.heap.object(cause))
            && class.builtin.is_none()
        {
            let both = vec![error, cause.unwrap_or(Value::None)];
            return self.prelude_call("_raise_from", both, Vec::new()).map(drop);
        }
        let error = self.exception_of(&error)?;
        if let (Some(cause), Some(id)) = (cause, error.id()) {
            let cause = self.cause_of(cause)?;
            if let Object::Instance { attributes, .. } = self.heap.get_mut(id) {
                attributes.insert("__cause__".into(), cause);
                attributes.insert("__suppress_context__".into(), Value::Bool(true));
            }
        }
        Err(Flow::Raise(error))
    }

    /// Returns the operand of `from`: `None`, or an exception.
    fn cause_of(&mut self, cause: Value) -> Run<Value> {
        let is_exception = self.is_exception(&cause);
        match cause {
            Value::None => Ok(Value::None),
            cause if is_exception => self.exception_of(&cause),
            _ => {
                let message = "exception causes must derive from BaseException";
                Err(self.raise("TypeError", message))
            }
        }
    }

    /// Returns an exception instance. A builtin class makes one; anything else is a `TypeError`.
    pub(in crate::machine) fn exception_of(&mut self, value: &Value) -> Run<Value> {
        match self.heap.object(value) {
            Some(Object::Instance { class, .. }) if self.is_exception_class(*class) => {
                Ok(value.clone())
            }
            Some(Object::Class(class))
                if value.id().is_some_and(|id| self.is_exception_class(id)) =>
            {
                let Some(name) = class.builtin.clone() else {
                    return Err(Flow::Unsupported(
                        "a class thrown into a generator".to_string(),
                    ));
                };
                match self.raise(&name, "") {
                    Flow::Raise(error) => Ok(error),
                    other => Err(other),
                }
            }
            _ => Err(self.raise("TypeError", "exceptions must derive from BaseException")),
        }
    }

    /// Whether a value is an exception or an exception class.
    pub(in crate::machine) fn is_exception(&self, value: &Value) -> bool {
        match self.heap.object(value) {
            Some(Object::Instance { class, .. }) => self.is_exception_class(*class),
            Some(Object::Class(_)) => value.id().is_some_and(|id| self.is_exception_class(id)),
            _ => false,
        }
    }

    pub(in crate::machine) fn is_exception_class(&self, class: ObjectId) -> bool {
        self.runtime
            .classes
            .get("BaseException")
            .is_some_and(|base| self.derives(class, *base))
    }

    /// Whether a class is another one or derives from it.
    pub(in crate::machine) fn derives(&self, class: ObjectId, base: ObjectId) -> bool {
        match self.heap.get(class) {
            Object::Class(class) => class.mro.contains(&base),
            _ => false,
        }
    }

    /// Whether an exception matches a class of an `except`.
    pub(in crate::machine) fn matches(&mut self, error: &Value, kinds: &Value) -> Run<bool> {
        let Some(Object::Instance { class, .. }) = self.heap.object(error) else {
            return Err(broken("exception"));
        };
        let class = *class;
        let all = match self.heap.object(kinds) {
            Some(Object::Tuple(kinds)) => kinds.to_vec(),
            _ => vec![kinds.clone()],
        };
        for kind in all {
            match kind.id() {
                Some(id) if self.is_exception_class(id) => {
                    if self.derives(class, id) {
                        return Ok(true);
                    }
                }
                _ => {
                    let message =
                        "catching classes that do not inherit from BaseException is not allowed";
                    return Err(self.raise("TypeError", message));
                }
            }
        }
        Ok(false)
    }

    /// Executes an instruction of `except*`: calls a function of the runtime with the two values on
    /// top of the stack.
    pub(in crate::machine) fn except_star(&mut self, helper: &str, after: After) -> Run<()> {
        let second = self.pop()?;
        let first = self.pop()?;
        let helper = self.prelude_value(helper)?;
        self.call(helper, vec![first, second], Vec::new(), after)
    }

    /// Pushes what an `except*` leaves and what it handles. The latter becomes the handled
    /// exception.
    pub(in crate::machine) fn split_group(&mut self, pair: &Value) -> Run<()> {
        let parts = self.known_items(pair).unwrap_or_default();
        let [rest, handled] = parts.as_slice() else {
            return Err(broken("group"));
        };
        self.push(rest.clone())?;
        self.push(handled.clone())?;
        if *handled != Value::None {
            self.top()?.handled = Some(handled.clone());
        }
        Ok(())
    }

    pub(in crate::machine) fn is_a(&self, error: &Value, kind: &str) -> bool {
        match (self.heap.object(error), self.runtime.classes.get(kind)) {
            (Some(Object::Instance { class, .. }), Some(base)) => self.derives(*class, *base),
            _ => false,
        }
    }

    /// `RERAISE`: propagates the exception; with an argument, as if from where it was raised.
    pub(in crate::machine) fn reraise(&mut self, depth: usize) -> Run<()> {
        let error = self.pop()?;
        if depth > 0 {
            let Value::Int(last) = self.peek(depth)? else {
                return Err(broken("position"));
            };
            self.top()?.last = usize::try_from(last).ok();
        }
        self.carry(error)
    }

    /// Handles an exception that was raised in the innermost frame.
    pub(in crate::machine) fn unwind(&mut self, error: Value) -> Run<()> {
        let Some(id) = error.id() else {
            return Err(broken("exception"));
        };
        let step = u32::try_from(self.record.steps.len()).unwrap_or(u32::MAX);
        self.record.raised_at.insert(id.0, step);
        let place = (self.current_line(), self.current_file());
        self.record.raised_line.entry(id.0).or_insert(place);
        self.trace_back(&error);
        self.keep_place(id);
        let handled = self
            .frames
            .iter()
            .rev()
            .filter(|frame| !self.is_runtime(frame));
        let handled = handled.filter_map(|frame| frame.handled.clone()).next();
        if let Some(handled) = handled.filter(|handled| *handled != error) {
            self.set_context(&error, handled);
        }
        self.carry(error)
    }

    /// Whether the message of an exception is unknown.
    pub(super) fn is_unsaid(&self, error: &Value) -> bool {
        let unsaid = self.bound_name("", "_Unsaid");
        let is_unsaid = |arg: &Value| match self.heap.object(arg) {
            Some(Object::Instance { class, .. }) => unsaid == Some(Value::Object(*class)),
            _ => false,
        };
        self.exception_args(error).iter().any(is_unsaid)
    }

    /// Returns the message of an exception, without the place where the interpreter is installed.
    pub(super) fn said(&mut self, error: &Value, class: ObjectId) -> String {
        let message = self.message(error, class);
        match self.is_a(error, "ImportError") {
            true => self.without_place(message),
            false => message,
        }
    }

    /// Adds the innermost frame to the traceback of an exception, if it is the program's.
    fn trace_back(&mut self, error: &Value) {
        if let (Some(id), Some(frame)) = (error.id(), self.frames.last())
            && !self.is_runtime(frame)
            && !self.is_hidden(frame.globals)
        {
            let is_entry = self.file_of(frame.globals) == 0;
            let place = (frame.line(), Arc::from(&*frame.code.name), is_entry);
            self.record.tracebacks.entry(id.0).or_default().push(place);
        }
    }

    /// Corrects where an exception was raised when the program runs again: one from a library was
    /// raised there.
    fn seen_first(&mut self, error: &Value) {
        let Some(id) = error.id() else {
            return;
        };
        let places = self.record.tracebacks.get(&id.0).map_or(0, Vec::len);
        if places <= 1 {
            let step = u32::try_from(self.record.steps.len()).unwrap_or(u32::MAX);
            self.record.raised_at.insert(id.0, step);
        }
    }

    /// Looks for a handler frame by frame.
    pub(in crate::machine) fn carry(&mut self, mut error: Value) -> Run<()> {
        loop {
            if !self.frames.is_empty() {
                let before = self.record.steps.len();
                self.runs_again()?;
                if self.record.steps.len() > before {
                    self.seen_first(&error);
                }
            }
            let Some(frame) = self.frames.last_mut() else {
                return Err(self.uncaught(&error));
            };
            // The current position decides; `last` may be where the exception was first raised.
            let at = u32::try_from(frame.next)
                .unwrap_or(u32::MAX)
                .saturating_sub(1);
            let last = frame
                .last
                .map_or(0, |last| i64::try_from(last).unwrap_or(0));
            let mut handlers = frame.code.handlers.iter();
            let handler = handlers.find(|h| h.start <= at && at < h.end).copied();
            if let (Some(handler), Some(_)) = (handler, frame.last) {
                self.drops(handler.depth as usize);
                let frame = self.top()?;
                frame.stack.truncate(handler.depth as usize);
                if handler.push_lasti {
                    frame.stack.push(Some(Value::Int(last)));
                }
                frame.stack.push(Some(error));
                frame.next = handler.target as usize;
                frame.truth = None;
                frame.keywords.clear();
                return Ok(());
            }
            self.drops(0);
            self.top()?.stack.clear();
            if self.closes_before(&error)? {
                return Ok(());
            }
            self.leave_event(None)?;
            let Some(mut frame) = self.frames.pop() else {
                return Err(self.uncaught(&error));
            };
            self.refuse_error_of_unknown(&frame, &error)?;
            match (frame.generator, frame.before.take()) {
                (Some(slot), Some(before)) => self.put_back(slot, *before),
                (Some(slot), None) => self.finished(slot),
                (None, _) => {}
            }
            if let After::Import(importing) = &frame.after {
                self.refuse_native(&error)?;
                self.module_failed(importing);
                if self.goes_on_without(importing) {
                    return self.package_failed((**importing).clone());
                }
            }
            // Exceptions raised by closing and finalising are dropped.
            if matches!(frame.after, After::Drop) {
                return Ok(());
            }
            let is_generator = frame.generator.is_some() && !frame.lasts;
            if is_generator && self.is_a(&error, "StopIteration") {
                if let Flow::Raise(other) =
                    self.raise("RuntimeError", "generator raised StopIteration")
                {
                    let stopped = std::mem::replace(&mut error, other);
                    if let Some(id) = error.id()
                        && let Object::Instance { attributes, .. } = self.heap.get_mut(id)
                    {
                        attributes.insert("__cause__".into(), stopped.clone());
                        attributes.insert("__context__".into(), stopped);
                    }
                }
                return Err(Flow::Raise(error));
            }
            if matches!(frame.after, After::Close)
                && (self.is_a(&error, "GeneratorExit") || self.is_a(&error, "StopIteration"))
            {
                return Ok(());
            }
            self.left(&frame, &error);
            let iterates = matches!(
                frame.after,
                After::ForIter | After::Send | After::Next(Some(_))
            );
            if iterates && !is_generator && self.is_a(&error, "StopIteration") {
                let value = self.exception_args(&error).into_iter().next();
                return self.exhausted(value.unwrap_or(Value::None), frame.after);
            }
            self.trace_back(&error);
        }
    }

    pub(in crate::machine) fn exception_args(&self, error: &Value) -> Vec<Value> {
        let Some(Object::Instance { attributes, .. }) = self.heap.object(error) else {
            return Vec::new();
        };
        let args = attributes
            .get("args")
            .and_then(|args| self.heap.object(args));
        match args {
            Some(Object::Tuple(items)) => items.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns the message of an `ImportError` without the file of a standard library module.
    fn without_place(&self, message: String) -> String {
        let Some((text, file)) = message.split_once(" (/") else {
            return message;
        };
        let is_library = |name: &str| {
            let known = self.library_file(name);
            known.is_some_and(|known| file == format!("{})", known.trim_start_matches('/')))
        };
        let module = text
            .rsplit_once("from '")
            .map(|(_, name)| name.trim_end_matches('\''));
        match module.is_some_and(is_library) {
            true => text.to_owned(),
            false => message,
        }
    }

    /// Returns the end of a program by an uncaught exception.
    fn uncaught(&mut self, error: &Value) -> Flow {
        if self.is_a(error, "SystemExit") {
            return Flow::End(self.exit_of(error));
        }
        let Some(Object::Instance { class, .. }) = self.heap.object(error) else {
            return broken("exception");
        };
        self.dropped.uncaught = Some(error.clone());
        let class = *class;
        let id = error.id().map_or(0, |id| id.0);
        if self.is_unsaid(error) {
            let what = match self.is_a(error, "ImportError") {
                true => "an ImportError, whose message names a file of the library",
                false => "what CPython says of a text that does not parse",
            };
            return Flow::Unsupported(what.into());
        }
        // A part of a group was raised where the group was.
        let origin = match self.heap.object(error) {
            Some(Object::Instance { attributes, .. }) => attributes.get("_eg_from"),
            _ => None,
        };
        let origin = origin.and_then(Value::id).map(|id| id.0);
        let raised_line = &self.record.raised_line;
        let line = raised_line
            .get(&id)
            .or(origin.and_then(|id| raised_line.get(&id)));
        let (line, file) = line.copied().unwrap_or_default();
        let message = self.said(error, class);
        if self.record.is_lone(&message) {
            return Flow::Unsupported(LONE.to_string());
        }
        self.ending.causes = self.causes_of(error);
        let step = match self.record.raises {
            Some(_) => self.place_of(id),
            None => self.record.raised_at.get(&id).copied(),
        };
        Flow::End(Outcome::Raised {
            exception: self.class_name(class).to_string(),
            message,
            line,
            file,
            step,
        })
    }

    /// Returns the outcome of a program that a `SystemExit` ends, as
    /// `data/python/sandbox/tracer.py` does.
    fn exit_of(&self, error: &Value) -> Outcome {
        let args = self.exception_args(error);
        let (code, text) = match args.as_slice() {
            [] | [Value::None] => (0, String::new()),
            [Value::Bool(status)] => (u8::from(*status), String::new()),
            // The shell sees the lowest byte.
            [Value::Int(status)] => (*status as u8, String::new()),
            [Value::BigInt(status)] => {
                let byte: BigInt = status.as_ref() & BigInt::from(255);
                (u8::try_from(byte).unwrap_or(255), String::new())
            }
            [Value::Str(text)] => (1, text.chars().take(512).collect()),
            [one] if self.is_data(one, 0) => {
                let text = text::canonical(&self.heap, one);
                (1, text.chars().take(512).collect())
            }
            // With several arguments the code is their tuple.
            _ => (1, String::new()),
        };
        match (code, text.as_str()) {
            (0, "") => Outcome::Finished,
            _ => Outcome::Exited { code, text },
        }
    }

    /// Returns `str(error)` if it calls nothing of the program, as `data/python/sandbox/tracer.py`
    /// does.
    fn message(&self, error: &Value, class: ObjectId) -> String {
        let own = self.class_attribute(class, "__str__");
        if own.is_some_and(|own| matches!(self.heap.object(&own), Some(Object::Function(_)))) {
            return String::new();
        }
        let args = self.exception_args(error);
        if !args.iter().all(|arg| self.is_data(arg, 0)) {
            return String::new();
        }
        let key_error = self.is_a(error, "KeyError");
        match args.as_slice() {
            [] => String::new(),
            [Value::Str(text)] if !key_error => text.chars().take(512).collect(),
            [one] => text::canonical(&self.heap, one),
            [_, _] if self.is_a(error, "OSError") => self.system_error(error, &args),
            [_, _] if let Some(said) = self.syntax_error(error, &args) => said,
            [_, _, _, _, _] if self.is_a(error, "UnicodeError") => {
                text::str(&self.heap, error).unwrap_or_default()
            }
            many => {
                let texts: Vec<String> = many
                    .iter()
                    .map(|arg| text::canonical(&self.heap, arg))
                    .collect();
                format!("({})", texts.join(", "))
            }
        }
    }

    fn is_data(&self, value: &Value, depth: usize) -> bool {
        let all = |values: &[Value]| values.iter().all(|value| self.is_data(value, depth + 1));
        match self.heap.object(value) {
            None => true,
            Some(_) if depth >= 8 => false,
            Some(Object::List(items)) => all(items),
            Some(Object::Tuple(items)) => all(items),
            Some(Object::Set(items) | Object::Frozenset(items)) => {
                items.values().all(|value| self.is_data(value, depth + 1))
            }
            Some(Object::Dict(entries, crate::value::DictKind::Plain)) => entries
                .values()
                .all(|(k, v)| self.is_data(k, depth + 1) && self.is_data(v, depth + 1)),
            Some(_) => false,
        }
    }
}
