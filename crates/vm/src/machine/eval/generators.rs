//! Generators: frames that are suspended and resumed.

use std::collections::HashMap;
use std::sync::Arc;

use crate::code::{Code, Op};
use crate::fold::type_name::ITERTOOLS;
use crate::machine::classes::attribute::Found;
use crate::machine::eval::eval_loop::broken;
use crate::machine::{After, Flow, Frame, Machine, Run};
use crate::value::{Iterator, Object, ObjectId, Value};

/// The generators of a program.
#[derive(Debug, Clone, Default)]
pub(in crate::machine) struct Generators {
    pub(in crate::machine) slots: Vec<Slot>,
    /// The code of each generator.
    pub(in crate::machine) codes: Vec<Arc<Code>>,
    /// The frame object of each generator that the program has asked for one.
    pub(in crate::machine) frames: HashMap<u32, ObjectId>,
}

/// A generator's frame.
#[derive(Debug, Clone)]
pub(crate) enum Slot {
    /// Not running.
    Suspended(Box<Frame>),
    /// On the stack of frames.
    Running,
    /// Returned or raised.
    Finished,
}

impl Slot {
    /// Returns its frame if it is suspended.
    pub(in crate::machine) fn frame(&self) -> Option<&Frame> {
        match self {
            Self::Suspended(frame) => Some(frame),
            Self::Running | Self::Finished => None,
        }
    }
}

/// The wrapper of the values that an asynchronous generator yields.
pub(in crate::machine) const WRAPPED: &str = "async_generator_wrapped_value";

impl Machine {
    pub(in crate::machine) fn new_generator(&mut self, mut frame: Frame) -> Value {
        let slot = u32::try_from(self.generators.slots.len()).unwrap_or(u32::MAX);
        frame.generator = Some(slot);
        let kind = match (self.is_runtime(&frame), frame.code.name.as_str()) {
            (true, name) => RUNTIME
                .into_iter()
                .chain(ITERTOOLS)
                .find(|kind| name.strip_prefix('_') == Some(kind)),
            _ => None,
        };
        let kind = match (frame.code.is_coroutine, frame.code.is_async_generator) {
            (true, _) => Some("coroutine"),
            (_, true) => Some("async_generator"),
            _ => kind,
        };
        frame.lasts = kind.is_some_and(|kind| !GENERATORS.contains(&kind));
        self.created(slot, frame.traced || self.is_hidden(frame.globals));
        self.generators.codes.push(frame.code.clone());
        self.generators.slots.push(Slot::Suspended(Box::new(frame)));
        self.heap.make(Object::Generator {
            frame: slot,
            kind: kind.unwrap_or("generator"),
        })
    }

    /// Whether a value is a generator of a kind.
    fn is_generator_of(&self, value: &Value, wanted: &str) -> bool {
        matches!(self.heap.object(value), Some(Object::Generator { kind, .. }) if *kind == wanted)
    }

    /// `GET_AWAITABLE`: a coroutine itself, or the result of another object's `__await__`.
    pub(in crate::machine) fn get_awaitable(&mut self) -> Run<()> {
        let value = self.pop()?;
        if self.is_generator_of(&value, "coroutine") {
            return self.push(value);
        }
        if let Some(method) = self.special(&value, "__await__") {
            return Err(Flow::Call(method, Vec::new()));
        }
        let kind = self.type_name(&value);
        let message = format!("object {kind} can't be used in 'await' expression");
        Err(self.raise("TypeError", &message))
    }

    /// `GET_AITER`
    pub(in crate::machine) fn get_aiter(&mut self) -> Run<()> {
        let value = self.pop()?;
        if self.is_generator_of(&value, "async_generator") {
            return self.push(value);
        }
        if let Some(method) = self.special(&value, "__aiter__") {
            return Err(Flow::Call(method, Vec::new()));
        }
        let kind = self.type_name(&value);
        let message = format!("'async for' requires an object with __aiter__ method, got {kind}");
        Err(self.raise("TypeError", &message))
    }

    /// `GET_ANEXT`: the iterator stays on the stack.
    pub(in crate::machine) fn get_anext(&mut self) -> Run<()> {
        let value = self.peek(1)?;
        if self.is_generator_of(&value, "async_generator") {
            let next = self.prelude_value("_anext")?;
            return Err(Flow::Call(next, vec![value]));
        }
        if let Some(method) = self.special(&value, "__anext__") {
            return Err(Flow::Call(method, Vec::new()));
        }
        let kind = self.type_name(&value);
        let message = format!("'async for' requires an iterator with __anext__ method, got {kind}");
        Err(self.raise("TypeError", &message))
    }

    /// `END_ASYNC_FOR`: ends the loop, or propagates another exception.
    pub(in crate::machine) fn end_async_for(&mut self) -> Run<()> {
        let error = self.pop()?;
        if self.is_a(&error, "StopAsyncIteration") {
            return self.pop().map(|_| ());
        }
        self.carry(error)
    }

    /// `ASYNC_GEN_WRAP`: wraps a value that an asynchronous generator yields, as distinct from one
    /// that it waits for.
    pub(in crate::machine) fn async_gen_wrap(&mut self) -> Run<()> {
        let value = self.pop()?;
        let wrapped = self.heap.make(Object::Special {
            kind: WRAPPED,
            parts: vec![value],
        });
        self.push(wrapped)
    }

    /// Resumes a generator with a value, or with an exception raised in it.
    pub(in crate::machine) fn resume(
        &mut self,
        slot: u32,
        sent: Result<Value, Value>,
        after: After,
    ) -> Run<()> {
        let place = self
            .generators
            .slots
            .get_mut(slot as usize)
            .ok_or_else(|| broken("generator"))?;
        match place {
            Slot::Running => {
                return Err(self.raise("ValueError", "generator already executing"));
            }
            Slot::Finished => {
                return match sent {
                    Ok(_) => self.exhausted(Value::None, after),
                    Err(error) => {
                        if matches!(after, After::Close | After::Drop) {
                            return Ok(());
                        }
                        Err(Flow::Raise(error))
                    }
                };
            }
            Slot::Suspended(_) => {}
        }
        if let Slot::Suspended(frame) = place {
            let code = frame.code.clone();
            self.descend(&code, &after)?;
        }
        let Slot::Suspended(frame) =
            std::mem::replace(&mut self.generators.slots[slot as usize], Slot::Running)
        else {
            return Err(broken("generator"));
        };
        let mut frame = *frame;
        if frame.lasts {
            frame.before = Some(Box::new(frame.clone()));
        }
        // A generator that passes an exception on to another one is not running itself.
        let below = (self.frames.iter().rev()).find(|frame| frame.traced && !frame.delegates);
        frame.depth = below.map_or(0, |frame| frame.depth + 1);
        frame.after = after;
        match sent {
            Ok(value) => {
                frame.stack.push(Some(value));
                self.push_frame(frame);
                Ok(())
            }
            Err(error) => {
                if let Some((send, inner)) = self.waits_for(&frame) {
                    frame.last = Some(send);
                    frame.next = send + 1;
                    frame.delegates = true;
                    self.push_frame(frame);
                    return self.resume(inner, Err(error), After::Send);
                }
                let (traced, line) = (frame.traced, frame.line());
                self.push_frame(frame);
                if traced {
                    self.event(codexec_trace::Event::Call, line)?;
                }
                let known = error
                    .id()
                    .is_some_and(|id| self.record.raised_at.contains_key(&id.0));
                if known {
                    self.carry(error)
                } else {
                    Err(Flow::Raise(error))
                }
            }
        }
    }

    /// Returns the instruction of a frame that waits in `yield from` or `await`, and the generator
    /// that it waits for.
    fn waits_for(&self, frame: &Frame) -> Option<(usize, u32)> {
        let send = frame.last?.checked_sub(1)?;
        if frame.code.instructions[send].op != Op::Send {
            return None;
        }
        match self.heap.object(frame.stack.last()?.as_ref()?) {
            // An iterator of the runtime has no `throw`.
            Some(Object::Generator { frame: inner, .. })
                if matches!(self.generators.slots[*inner as usize], Slot::Suspended(_))
                    && self.takes_values(frame.stack.last()?.as_ref()?) =>
            {
                Some((send, *inner))
            }
            _ => None,
        }
    }

    /// Continues the innermost frame after the generator that it waited for has ended.
    pub(in crate::machine) fn runs_again(&mut self) -> Run<()> {
        let frame = self.top()?;
        if std::mem::take(&mut frame.delegates) && frame.traced {
            let line = frame.line();
            self.event(codexec_trace::Event::Call, line)?;
        }
        Ok(())
    }

    /// `YIELD_VALUE`.
    pub(in crate::machine) fn yield_value(&mut self) -> Run<()> {
        let value = self.pop()?;
        if !std::mem::take(&mut self.top()?.delegates) {
            self.leave_event(Some(&value).filter(|value| **value != Value::None))?;
        }
        let Some(mut frame) = self.frames.pop() else {
            return Err(broken("frame"));
        };
        let slot = frame.generator.ok_or_else(|| broken("generator"))?;
        frame.before = None;
        let after = std::mem::replace(&mut frame.after, After::Push);
        self.yielded(slot, &after);
        self.generators.slots[slot as usize] = Slot::Suspended(Box::new(frame));
        if matches!(after, After::Close) {
            return Err(self.raise("RuntimeError", "generator ignored GeneratorExit"));
        }
        self.deliver(value, after)
    }

    /// Handles the `return` of a generator.
    pub(in crate::machine) fn generator_returned(
        &mut self,
        slot: u32,
        value: Value,
        after: After,
    ) -> Run<()> {
        self.finished(slot);
        self.exhausted(value, after)
    }

    /// Handles the end of an iterator.
    pub(in crate::machine) fn exhausted(&mut self, value: Value, after: After) -> Run<()> {
        match after {
            After::ForIter => {
                let frame = self.top()?;
                let last = frame.last.ok_or_else(|| broken("loop"))?;
                let target = frame.code.instructions[last].arg;
                frame.stack.pop();
                frame.next = target as usize;
                Ok(())
            }
            After::Send => {
                self.runs_again()?;
                let frame = self.top()?;
                let last = frame.last.ok_or_else(|| broken("loop"))?;
                let target = frame.code.instructions[last].arg;
                frame.stack.pop();
                frame.stack.push(Some(value));
                frame.next = target as usize;
                Ok(())
            }
            After::Next(Some(default)) => self.push(default),
            After::Close | After::Drop => Ok(()),
            _ => {
                let arguments = if value == Value::None {
                    Vec::new()
                } else {
                    vec![value]
                };
                Err(self.raise_with("StopIteration", arguments))
            }
        }
    }

    /// `FOR_ITER`: the iterator stays on the stack while it has items.
    pub(in crate::machine) fn for_iter(&mut self, _target: u32) -> Run<()> {
        let iterator = self.peek(1)?;
        self.step_iterator(&iterator, Value::None, After::ForIter)
    }

    /// `SEND`.
    pub(in crate::machine) fn send(&mut self, _target: u32) -> Run<()> {
        let value = self.pop()?;
        let iterator = self.peek(1)?;
        self.step_iterator(&iterator, value, After::Send)
    }

    /// Asks an iterator for its next item, which is delivered as `after` says.
    pub(in crate::machine) fn step_iterator(
        &mut self,
        iterator: &Value,
        sent: Value,
        after: After,
    ) -> Run<()> {
        if sent != Value::None && matches!(after, After::Send) && !self.takes_values(iterator) {
            return self.send_to(iterator, sent);
        }
        match self.heap.object(iterator) {
            Some(Object::Generator { frame, .. }) => {
                let slot = *frame;
                self.resume(slot, Ok(sent), after)
            }
            Some(Object::Iterator(_)) => match self.next_item(iterator)? {
                Some(item) => self.deliver(item, after),
                None => self.exhausted(Value::None, after),
            },
            Some(Object::Instance { .. }) => {
                let Some(next) = self.special(iterator, "__next__") else {
                    let message =
                        format!("'{}' object is not an iterator", self.type_name(iterator));
                    return Err(self.raise("TypeError", &message));
                };
                self.call(next, Vec::new(), Vec::new(), after)
            }
            _ => {
                if let Some(Iterator::Lines { bytes }) = self.stream_lines(iterator) {
                    return match self.input_line(bytes, None)? {
                        Some(line) => self.deliver(line, after),
                        None => self.exhausted(Value::None, after),
                    };
                }
                let message = format!("'{}' object is not an iterator", self.type_name(iterator));
                Err(self.raise("TypeError", &message))
            }
        }
    }

    /// Resets an iterator of the runtime to the frame it had before it raised.
    pub(in crate::machine) fn put_back(&mut self, slot: u32, frame: Frame) {
        self.generators.slots[slot as usize] = Slot::Suspended(Box::new(frame));
    }

    /// Whether values can be sent into an iterator. They cannot for one of the runtime (`map`,
    /// `zip`).
    fn takes_values(&self, iterator: &Value) -> bool {
        matches!(self.heap.object(iterator), Some(Object::Generator { kind, .. }) if GENERATORS.contains(kind))
    }

    /// Sends a value from `yield from` to an iterator that is not a generator, by its method
    /// `send`.
    fn send_to(&mut self, iterator: &Value, sent: Value) -> Run<()> {
        match self.find_attribute(iterator, &"send".into())? {
            Found::Value(method) => self.call(method, vec![sent], Vec::new(), After::Send),
            Found::Missing => Err(self.no_attribute(iterator, "send")),
            _ => Err(Flow::Unsupported("a value sent to that".to_string())),
        }
    }

    /// Returns the next item of an iterator of the machine itself.
    pub(in crate::machine) fn next_item(&mut self, iterator: &Value) -> Run<Option<Value>> {
        let Some(id) = iterator.id() else {
            return Err(broken("iterator"));
        };
        let Object::Iterator(state) = self.heap.get(id) else {
            return Err(broken("iterator"));
        };
        let mut state = state.clone();
        let item = match self.advance_iterator(&mut state) {
            Ok(item) => item,
            Err(flow) => {
                // A container that was changed during iteration stays refused.
                *self.heap.get_mut(id) = Object::Iterator(state);
                return Err(flow);
            }
        };
        if item.is_none() {
            let kind = crate::fold::type_name::iterator_name(&self.heap, &state);
            state = Iterator::Done {
                kind: kind.unwrap_or("iterator"),
            };
        }
        *self.heap.get_mut(id) = Object::Iterator(state);
        Ok(item)
    }

    /// Calls a method of a generator.
    pub(in crate::machine) fn generator_method(
        &mut self,
        slot: u32,
        name: &str,
        arguments: &[Value],
    ) -> Run<Option<Value>> {
        let after = self.after.clone();
        match (name, arguments) {
            ("__next__", []) => {
                let after = next_after(after)?;
                self.resume(slot, Ok(Value::None), after).map(|()| None)
            }
            ("send", [value]) => {
                if *value != Value::None
                    && let Slot::Suspended(frame) = &self.generators.slots[slot as usize]
                    && frame
                        .last
                        .is_some_and(|at| frame.code.instructions[at].op == Op::ReturnGenerator)
                {
                    let message = "can't send non-None value to a just-started generator";
                    return Err(self.raise("TypeError", message));
                }
                let after = next_after(after)?;
                self.resume(slot, Ok(value.clone()), after).map(|()| None)
            }
            ("throw", [error, rest @ ..]) => {
                let after = next_after(after)?;
                let value = rest.first().filter(|value| **value != Value::None);
                let error = self.thrown(error, value)?;
                self.resume(slot, Err(error), after).map(|()| None)
            }
            ("close", []) => {
                if matches!(self.generators.slots[slot as usize], Slot::Running) {
                    return Err(self.raise("ValueError", "generator already executing"));
                }
                if !matches!(self.generators.slots[slot as usize], Slot::Suspended(_)) {
                    return Ok(Some(Value::None));
                }
                let Flow::Raise(error) = self.raise("GeneratorExit", "") else {
                    return Err(broken("exception"));
                };
                // The value of `close()` is pushed first: the frame below gets nothing else.
                self.push(Value::None)?;
                self.resume(slot, Err(error), After::Close).map(|()| None)
            }
            _ => Err(Flow::Unsupported(format!("generator method {name}"))),
        }
    }
}

impl Machine {
    /// Returns the exception that `throw` raises in a generator: the given one, or one made of a
    /// class and a value.
    fn thrown(&mut self, error: &Value, value: Option<&Value>) -> Run<Value> {
        let class = match self.heap.object(error) {
            Some(Object::Class(_)) => error.id().filter(|id| self.is_exception_class(*id)),
            Some(Object::Instance { class, .. }) if self.is_exception_class(*class) => {
                let message = "instance exception may not have a separate value";
                return match value {
                    Some(_) => Err(self.raise("TypeError", message)),
                    None => Ok(error.clone()),
                };
            }
            _ => None,
        };
        let Some(class) = class else {
            let kind = self.type_name(error);
            let message = format!(
                "exceptions must be classes or instances deriving from BaseException, not {kind}"
            );
            return Err(self.raise("TypeError", &message));
        };
        let Some(value) = value else {
            return self.exception_of(error);
        };
        let arguments = match self.heap.object(value) {
            Some(Object::Instance { class: of, .. }) if self.derives(*of, class) => {
                return Ok(value.clone());
            }
            Some(Object::Tuple(items)) => items.to_vec(),
            _ => vec![value.clone()],
        };
        let builtin = match self.heap.get(class) {
            Object::Class(class) => class.builtin.clone(),
            _ => None,
        };
        let Some(name) = builtin else {
            let what = "a class thrown into a generator";
            return Err(Flow::Unsupported(what.to_string()));
        };
        match self.raise_with(&name, arguments) {
            Flow::Raise(error) => Ok(error),
            other => Err(other),
        }
    }
}

/// Kinds that are generators in CPython, too.
const GENERATORS: [&str; 4] = [
    "generator",
    "coroutine",
    "async_generator",
    "coroutine_wrapper",
];

fn next_after(after: After) -> Run<After> {
    match after {
        After::Push => Ok(After::Next(None)),
        _ => Err(Flow::Unsupported("a generator resumed there".to_string())),
    }
}

/// Names of the iterators that `lib/core` makes with the generators `_map`, `_zip`, …, beside those
/// of `itertools`.
const RUNTIME: [&str; 10] = [
    "iterator",
    "map",
    "zip",
    "filter",
    "enumerate",
    "reversed",
    "callable_iterator",
    "_grouper",
    "_tee",
    "coroutine_wrapper",
];
