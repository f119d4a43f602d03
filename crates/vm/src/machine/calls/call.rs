//! Calls: the function, its frame, and the arguments of its parameters.

use std::sync::Arc;

use codexec_trace::Outcome;

use crate::code::Op;
use crate::machine::calls::intrinsics::INTRINSICS;
use crate::machine::eval::eval_loop::broken;
use crate::machine::eval::tracing::shown_text;
use crate::machine::{After, Flow, Machine, Run};
use crate::text::annotations;
use crate::value::{Attributes, DictKind, Entries, Function, Object, ObjectId, Value};

/// Keyword arguments, in order.
pub(in crate::machine) type Keywords = Vec<(Arc<str>, Value)>;

impl Machine {
    /// `CALL`: below the arguments are a null and the function, or a function and its `self`.
    pub(in crate::machine) fn call_instruction(&mut self, count: usize) -> Run<()> {
        let names = std::mem::take(&mut self.top()?.keywords);
        let mut arguments = self.pop_many(count)?;
        let stack = &mut self.top()?.stack;
        let first = stack.pop().flatten().ok_or_else(|| broken("function"))?;
        let second = stack.pop().ok_or_else(|| broken("function"))?;
        let function = match second {
            Some(function) => {
                arguments.insert(0, first);
                function
            }
            None => first,
        };
        let at = arguments
            .len()
            .checked_sub(names.len())
            .ok_or_else(|| broken("keywords"))?;
        let values = arguments.split_off(at);
        self.call(
            function,
            arguments,
            names.into_iter().zip(values).collect(),
            After::Push,
        )
    }

    /// `CALL_FUNCTION_EX`: takes a tuple of arguments, and optionally a dict of keyword arguments.
    pub(in crate::machine) fn call_ex(&mut self, has_keywords: bool) -> Run<()> {
        let keywords = if has_keywords {
            Some(self.pop()?)
        } else {
            None
        };
        let arguments = self.pop()?;
        let Some(arguments) = self.known_items(&arguments) else {
            if self.is_plainly_no_iterable(&arguments) {
                let function = self.pop()?;
                let message = format!(
                    "{} argument after * must be an iterable, not {}",
                    self.called_name(&function),
                    self.type_name(&arguments)
                );
                return Err(self.raise("TypeError", &message));
            }
            // The items have to be taken first: `f(*iterator)`.
            if let Some(keywords) = keywords {
                let function = self.pop()?;
                self.top()?.stack.pop();
                let helper = self.prelude_value("_call_with")?;
                let all = vec![function, arguments, keywords];
                return self.call(helper, all, Vec::new(), After::Push);
            }
            self.after = After::Again;
            return Err(self.take_all(arguments, "_list"));
        };
        let function = self.pop()?;
        self.top()?.stack.pop();
        let keywords = match keywords {
            None => Vec::new(),
            Some(dict) => self.keywords_of(&dict)?,
        };
        self.call(function, arguments, keywords, After::Push)
    }

    pub(in crate::machine) fn keywords_of(&mut self, dict: &Value) -> Run<Keywords> {
        let Some(Object::Dict(entries, _)) = self.heap.object(dict) else {
            return Err(Flow::Unsupported(
                "`**` of something that is no dict".to_string(),
            ));
        };
        let pairs: Vec<(Value, Value)> = entries.values().cloned().collect();
        let mut keywords = Vec::with_capacity(pairs.len());
        for (name, value) in pairs {
            let Value::Str(name) = name else {
                return Err(self.raise("TypeError", "keywords must be strings"));
            };
            keywords.push((name, value));
        }
        Ok(keywords)
    }

    /// Calls any value. The result is delivered as `after` says, now or when a frame returns.
    pub(in crate::machine) fn call(
        &mut self,
        function: Value,
        arguments: Vec<Value>,
        keywords: Keywords,
        after: After,
    ) -> Run<()> {
        let (mut function, mut arguments, mut keywords) = (function, arguments, keywords);
        // Unwraps values that wrap another callable.
        for _ in 0..self.room().max(8) {
            let (inner, more) = match self.heap.object(&function) {
                Some(Object::Method { function, receiver }) => {
                    arguments.insert(0, receiver.clone());
                    (function.clone(), 1)
                }
                Some(Object::Instance { .. }) => match self.special(&function, "__call__") {
                    Some(call) => (call, 1),
                    None => return self.call_plain(function, arguments, keywords, after),
                },
                Some(Object::Special { kind, parts }) if *kind == "partial" => {
                    let (inner, given, named) =
                        (parts[0].clone(), parts[1].clone(), parts[2].clone());
                    let mut all = self.known_items(&given).unwrap_or_default();
                    all.append(&mut arguments);
                    let mut all_keywords = self.keywords_of(&named)?;
                    all_keywords
                        .retain(|(name, _)| !keywords.iter().any(|(other, _)| other == name));
                    all_keywords.append(&mut keywords);
                    (arguments, keywords) = (all, all_keywords);
                    (inner, arguments.len())
                }
                Some(Object::Special { kind, parts })
                    if matches!(
                        *kind,
                        "staticmethod" | annotations::GENERIC_ALIAS | annotations::BUILTIN_ALIAS
                    ) =>
                {
                    (parts[0].clone(), 1)
                }
                _ => return self.call_plain(function, arguments, keywords, after),
            };
            self.charge(more);
            function = inner;
        }
        Err(self.too_deep(""))
    }

    /// Calls a value that wraps no other callable.
    fn call_plain(
        &mut self,
        function: Value,
        arguments: Vec<Value>,
        keywords: Keywords,
        after: After,
    ) -> Run<()> {
        let Some(object) = self.heap.object(&function) else {
            let message = format!("'{}' object is not callable", self.type_name(&function));
            return Err(self.raise("TypeError", &message));
        };
        match object {
            Object::Function(f) => {
                let f = f.clone();
                if f.hidden {
                    self.check_runtime(&f, &arguments, &keywords)?;
                }
                self.enter(&f, arguments, keywords, after)
            }
            Object::Class(_) => self.instantiate(&function, false, arguments, keywords, after),
            Object::Builtin(name) => {
                let name = name.clone();
                self.after = after.clone();
                let value = self.call_builtin(&name, arguments, keywords)?;
                match value {
                    Some(value) => self.deliver(value, after),
                    None => Ok(()),
                }
            }
            Object::Intrinsic(number, _) => {
                let call = INTRINSICS[usize::from(*number)].call;
                self.after = after.clone();
                match call(self, &arguments)? {
                    Some(value) => self.deliver(value, after),
                    None => Ok(()),
                }
            }
            Object::BuiltinMethod { receiver, name } => {
                let (receiver, name) = (receiver.clone(), name.clone());
                self.after = after.clone();
                let value = self.call_method(&receiver, &name, arguments, keywords)?;
                match value {
                    Some(value) => self.deliver(value, after),
                    None => Ok(()),
                }
            }
            Object::Opaque { text, .. } if text.starts_with("typing.") => {
                let text = text.clone();
                match self.called_of_typing(&text)? {
                    Some(class) => self.call(class, arguments, keywords, after),
                    None => Err(Flow::Unsupported(format!("a call of {text}"))),
                }
            }
            Object::Opaque { .. } => {
                let mut operands = vec![function.clone()];
                operands.extend(arguments);
                self.after = after;
                Err(self.ask_call("operator.call", operands, keywords))
            }
            _ => {
                let message = format!("'{}' object is not callable", self.type_name(&function));
                Err(self.raise("TypeError", &message))
            }
        }
    }

    /// Enters a function of the program or of the runtime.
    pub(in crate::machine) fn enter(
        &mut self,
        function: &Function,
        arguments: Vec<Value>,
        keywords: Keywords,
        after: After,
    ) -> Run<()> {
        self.descend(&function.code, &after)?;
        if self.goes_on() && !function.hidden {
            self.stand_ins
                .entered
                .insert(Arc::as_ptr(&function.code) as usize);
        }
        let fast = self.bind(function, arguments, keywords)?;
        let mut frame = self.frame(
            function.code.clone(),
            function.globals,
            None,
            after,
            !function.hidden,
        );
        frame.fast = fast;
        self.close_over(&mut frame, function);
        self.push_frame(frame);
        Ok(())
    }

    /// Makes the cells of a frame: its own, including arguments that are cells, and those of the
    /// closure.
    pub(in crate::machine) fn close_over(
        &mut self,
        frame: &mut crate::machine::Frame,
        function: &Function,
    ) {
        let code = frame.code.clone();
        for name in &code.cell_vars {
            let slot = code.var_names.iter().position(|var| var == name);
            let value = slot.and_then(|slot| frame.fast[slot].take());
            frame.cells.push(self.heap.add(Object::Cell(value)));
        }
        frame.cells.extend(&function.closure);
    }

    /// Delivers the value of a call or a question to the innermost frame.
    pub(in crate::machine) fn deliver(&mut self, value: Value, after: After) -> Run<()> {
        match after {
            After::Push | After::ForIter | After::Next(_) | After::Send => {
                if self.frames.is_empty() {
                    return Err(Flow::End(Outcome::Finished));
                }
                self.push(value)
            }
            After::Discard => Ok(()),
            After::Again => {
                let frame = self.top()?;
                frame.stack.push(Some(value));
                frame.next = frame.last.unwrap_or(0);
                Ok(())
            }
            After::Truth(original) => {
                let Value::Bool(truth) = value else {
                    return Err(Flow::Unsupported("a truth that is no bool".to_string()));
                };
                let frame = self.top()?;
                frame.truth = Some(truth);
                frame.stack.push(Some(original));
                frame.next = frame.last.unwrap_or(0);
                Ok(())
            }
            After::Not => {
                let Value::Bool(truth) = value else {
                    return Err(Flow::Unsupported("a truth that is no bool".to_string()));
                };
                self.push(Value::Bool(!truth))
            }
            After::Init(instance) => {
                if value != Value::None {
                    let message = format!(
                        "__init__() should return None, not '{}'",
                        self.type_name(&value)
                    );
                    return Err(self.raise("TypeError", &message));
                }
                self.push(instance)
            }
            After::Class(body) => self.finish_class(*body, value),
            After::Close | After::Drop => Ok(()),
            After::Import(importing) => self.module_executed(*importing),
            After::Key => self.key_found(&value),
            After::Pair => self.split_group(&value),
            After::Operated(one) if value == Value::NotImplemented => self.operator_refused(*one),
            After::Operated(_) => self.push(value),
            After::Raise => {
                let error = self.exception_of(&value)?;
                Err(Flow::Raise(error))
            }
        }
    }

    /// `RETURN_VALUE`.
    pub(in crate::machine) fn return_value(&mut self) -> Run<()> {
        let value = self.pop()?;
        self.leave_event(Some(&value))?;
        let Some(frame) = self.frames.pop() else {
            return Err(Flow::End(Outcome::Finished));
        };
        if self.frames.is_empty() && frame.generator.is_none() {
            return Err(Flow::End(Outcome::Finished));
        }
        if let Some(slot) = frame.generator {
            return self.generator_returned(slot, value, frame.after);
        }
        let value = match &frame.after {
            After::Class(_) => Value::Object(frame.namespace.unwrap_or(frame.globals)),
            _ => value,
        };
        self.deliver(value, frame.after)
    }

    /// Records the `return` event of the innermost frame if it is traced.
    pub(in crate::machine) fn leave_event(&mut self, value: Option<&Value>) -> Run<()> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        if !frame.traced {
            return Ok(());
        }
        let (line, function) = (frame.line(), frame.code.is_optimized);
        self.event(codexec_trace::Event::Return, line)?;
        if let (Some(value), true) = (value, function && self.record.raises.is_none()) {
            let text = shown_text(&self.heap, value, self.settings.references);
            self.record.gives(text);
        }
        Ok(())
    }

    /// `RETURN_GENERATOR`: suspends the frame.
    pub(in crate::machine) fn return_generator(&mut self) -> Run<()> {
        let Some(mut frame) = self.frames.pop() else {
            return Err(broken("frame"));
        };
        debug_assert_eq!(
            frame.last.map(|last| frame.code.instructions[last].op),
            Some(Op::ReturnGenerator)
        );
        let after = std::mem::replace(&mut frame.after, After::Push);
        let value = self.new_generator(frame);
        self.deliver(value, after)
    }

    /// Calls `__new__` and `__init__`, or makes an instance of a builtin class. Unless `plain`,
    /// `__call__` of the metaclass comes first.
    pub(in crate::machine) fn instantiate(
        &mut self,
        class: &Value,
        plain: bool,
        arguments: Vec<Value>,
        keywords: Keywords,
        after: After,
    ) -> Run<()> {
        let Some(id) = class.id() else {
            return Err(broken("class"));
        };
        let Object::Class(info) = self.heap.get(id) else {
            return Err(broken("class"));
        };
        if let Some(name) = info.builtin.clone() {
            self.after = after.clone();
            let value = self.construct(id, &name, arguments, keywords)?;
            return match value {
                Some(value) => self.deliver(value, after),
                None => Ok(()),
            };
        }
        self.check_class(id, &arguments, &keywords)?;
        let Object::Class(info) = self.heap.get(id) else {
            return Err(broken("class"));
        };
        if self.is_metaclass(id) && keywords.is_empty() {
            return self.made_class(Some(id), &arguments, after);
        }
        if info.metaclass.is_some()
            && !plain
            && let Some(call) = self.of_metaclass(id, "__call__")
        {
            let mut all = vec![class.clone()];
            all.extend(arguments);
            return self.call(call, all, keywords, after);
        }
        self.check_not_abstract(id)?;
        if let Some(new) = self.class_attribute(id, "__new__")
            && matches!(
                self.heap.object(&new),
                Some(Object::Function(_) | Object::Special { .. })
            )
        {
            let helper = self.prelude_value("_instantiate")?;
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            return self.call(
                helper,
                vec![class.clone(), new, arguments, keywords],
                Vec::new(),
                after,
            );
        }
        let exception = self.is_exception_class(id);
        let init = self.class_attribute(id, "__init__");
        if init.as_ref().is_some_and(|init| self.is_descriptor(init)) {
            let helper = self.prelude_value("_initialised")?;
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            return self.call(
                helper,
                vec![class.clone(), arguments, keywords],
                Vec::new(),
                after,
            );
        }
        let init = init.filter(|init| matches!(self.heap.object(init), Some(Object::Function(_))));
        if init.is_none() && !exception && (!arguments.is_empty() || !keywords.is_empty()) {
            let message = format!("{}() takes no arguments", self.class_name(id));
            return Err(self.raise("TypeError", &message));
        }
        let mut attributes = Attributes::default();
        if exception {
            attributes = self.exception_parts(id, arguments.clone()).1;
        }
        let instance = self.heap.make(Object::Instance {
            class: id,
            attributes,
            base: None,
        });
        if let Value::Object(made) = instance {
            self.instance_made(made, id);
        }
        match init {
            Some(init) => {
                let mut all = vec![instance.clone()];
                all.extend(arguments);
                let after = match after {
                    After::Push => After::Init(instance.clone()),
                    After::Discard => After::Discard,
                    _ => {
                        return Err(Flow::Unsupported("an instance made there".to_string()));
                    }
                };
                let called = self.call(init, all, keywords, after);
                if let Err(Flow::Raise(_)) = called {
                    self.refused_by_init(&instance);
                }
                called
            }
            None => self.deliver(instance, after),
        }
    }

    /// Raises CPython's `TypeError` if a class has abstract methods.
    fn check_not_abstract(&mut self, id: ObjectId) -> Run<()> {
        let missing = self.abstract_methods(id);
        if !missing.is_empty() {
            let message = format!(
                "Can't instantiate abstract class {} with abstract method{} {}",
                self.class_name(id),
                if missing.len() == 1 { "" } else { "s" },
                missing.join(", ")
            );
            return Err(self.raise("TypeError", &message));
        }
        Ok(())
    }

    /// Whether a value is an instance of a class with `__get__`.
    fn is_descriptor(&mut self, value: &Value) -> bool {
        match self.heap.object(value) {
            Some(Object::Instance { class, .. }) => {
                let class = *class;
                self.class_attribute(class, "__get__").is_some()
            }
            _ => false,
        }
    }

    pub(in crate::machine) fn keyword_dict(&mut self, keywords: Keywords) -> Value {
        let mut entries = Entries::default();
        for (name, value) in keywords {
            entries.insert(
                crate::value::Key::Str(name.clone()),
                (Value::Str(name), value),
            );
        }
        self.heap.make(Object::Dict(entries, DictKind::Plain))
    }
}
