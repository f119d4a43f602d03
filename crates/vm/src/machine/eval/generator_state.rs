//! The state of generators seen from outside: which run, and which asynchronous ones still wait at
//! a `yield`.

use std::sync::Arc;

use crate::code::Op;
use crate::machine::eval::generators::Slot;
use crate::machine::eval::tracing::local_values;
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Key, Object, ObjectId, Value};

impl Machine {
    /// Returns the runtime's replacement of a method, or the state of a generator.
    pub(in crate::machine) fn part_of_generator(
        &mut self,
        value: &Value,
        name: &str,
    ) -> Run<Option<Value>> {
        let kind = match self.heap.object(value) {
            Some(Object::Generator { kind, .. }) => *kind,
            _ => return Ok(None),
        };
        let function = match (kind, name) {
            ("coroutine", "__await__") => "_coroutine_wrapper",
            ("async_generator", "__anext__") => "_agen_next",
            ("async_generator", "asend") => "_agen_send",
            ("async_generator", "aclose") => "_AgenClosing",
            _ => return self.state_of_generator(value, name),
        };
        let (function, receiver) = (self.prelude_value(function)?, value.clone());
        Ok(Some(self.heap.make(Object::Method { function, receiver })))
    }

    /// `gi_running`, `cr_running`, `ag_running` and the like: names, code, frame, and the object it
    /// waits for.
    fn state_of_generator(&mut self, value: &Value, name: &str) -> Run<Option<Value>> {
        let Some(Object::Generator { frame, kind }) = self.heap.object(value) else {
            return Ok(None);
        };
        let (slot, kind) = (*frame, *kind);
        let prefix = match kind {
            "generator" => "gi_",
            "coroutine" => "cr_",
            "async_generator" => "ag_",
            _ => return Ok(None),
        };
        let Some(code) = self.generators.codes.get(slot as usize).cloned() else {
            return Ok(None);
        };
        match (name, name.strip_prefix(prefix)) {
            ("__name__", _) => Ok(Some(Value::str(&code.name))),
            ("__qualname__", _) => Ok(Some(Value::str(&code.qualname))),
            (_, Some("frame")) => Ok(Some(self.frame_of_generator(slot))),
            (_, Some("code")) => {
                // Its position is no longer known.
                let (class, parts) = self.shown_code(&code, self.runtime.builtins)?;
                Err(Flow::Call(class, parts))
            }
            (_, Some("yieldfrom" | "await")) => Ok(Some(self.waited_for(slot))),
            (_, Some("origin")) => Ok(Some(Value::None)),
            _ => Ok(self.runs_or_waits(value, name).map(Value::Bool)),
        }
    }

    /// Returns the frame of a generator, always the same object. `None` if it has ended.
    fn frame_of_generator(&mut self, slot: u32) -> Value {
        if matches!(
            self.generators.slots.get(slot as usize),
            Some(Slot::Finished)
        ) {
            return Value::None;
        }
        if let Some(known) = self.generators.frames.get(&slot) {
            return Value::Object(*known);
        }
        let frame = self.heap.add(Object::Special {
            kind: "frame",
            parts: vec![Value::Int(i64::from(slot))],
        });
        self.generators.frames.insert(slot, frame);
        Value::Object(frame)
    }

    /// `f_lineno`, `f_locals` and `f_code` of a generator's frame.
    pub(in crate::machine) fn part_of_frame(&mut self, slot: &Value, name: &str) -> Run<Value> {
        let unknown = || Flow::Unsupported(format!("{name} of a frame"));
        let Value::Int(slot) = slot else {
            return Err(unknown());
        };
        let slot = u32::try_from(*slot).map_err(|_| unknown())?;
        let heap = &self.heap;
        let frame = match self.generators.slots.get_mut(slot as usize) {
            Some(Slot::Suspended(frame)) => &mut **frame,
            _ => {
                let mut running = self.frames.iter_mut();
                running
                    .find(|frame| frame.generator == Some(slot))
                    .ok_or_else(unknown)?
            }
        };
        match name {
            "f_lineno" => Ok(Value::Int(i64::from(frame.line()))),
            "f_locals" if frame.locals.is_none() => {
                let values = local_values(frame, heap);
                let entry = |(name, value): (Arc<str>, Value)| {
                    (Key::Str(name.clone()), (Value::Str(name), value))
                };
                let entries = values.into_iter().map(entry).collect();
                Ok(self.heap.make(Object::Dict(entries, DictKind::Plain)))
            }
            "f_code" => {
                let (code, globals) = (frame.code.clone(), frame.globals);
                let (class, parts) = self.shown_code(&code, globals)?;
                Err(Flow::Call(class, parts))
            }
            _ => Err(unknown()),
        }
    }

    /// Returns the object that a generator waits for in `yield from` or `await`.
    fn waited_for(&self, slot: u32) -> Value {
        let waiting = match self.generators.slots.get(slot as usize) {
            Some(Slot::Suspended(frame)) => frame
                .last
                .filter(|last| *last > 0 && frame.code.instructions[last - 1].op == Op::Send)
                .and_then(|_| frame.stack.last().cloned().flatten()),
            _ => None,
        };
        waiting.unwrap_or(Value::None)
    }

    fn runs_or_waits(&self, value: &Value, name: &str) -> Option<bool> {
        let Some(Object::Generator { frame, kind }) = self.heap.object(value) else {
            return None;
        };
        let prefix = match *kind {
            "generator" => "gi_",
            "coroutine" => "cr_",
            "async_generator" => "ag_",
            _ => return None,
        };
        let slot = self.generators.slots.get(*frame as usize)?;
        match name.strip_prefix(prefix)? {
            "running" => Some(matches!(slot, Slot::Running)),
            "suspended" if prefix != "ag_" => Some(has_begun(slot)),
            _ => None,
        }
    }

    /// `_locals_of(generator)`: returns the values of the local names of a generator of the
    /// runtime, arguments first.
    pub(in crate::machine) fn locals_of_generator(&mut self, value: &Value) -> Run<Value> {
        let slot = match self.heap.object(value) {
            Some(Object::Generator { frame, .. }) => self.generators.slots.get(*frame as usize),
            _ => None,
        };
        let Some(Slot::Suspended(frame)) = slot else {
            return Err(Flow::Unsupported(
                "the text of an iterator that has ended".into(),
            ));
        };
        let values = frame
            .fast
            .iter()
            .map(|value| value.clone().unwrap_or(Value::None));
        let values = values.collect();
        Ok(self.heap.list(values))
    }

    /// Returns the asynchronous generator of a slot.
    pub(in crate::machine) fn async_generator(&self, slot: u32) -> Option<Value> {
        let count = u32::try_from(self.heap.len()).unwrap_or(u32::MAX);
        let mut ids = (0..count).map(ObjectId);
        let of_slot = |id: &ObjectId| match self.heap.get(*id) {
            Object::Generator { frame, .. } => *frame == slot,
            _ => false,
        };
        ids.find(of_slot).map(Value::Object)
    }

    /// `_open_agens()`: returns the asynchronous generators that wait at a `yield`.
    pub(in crate::machine) fn open_async_generators(&mut self) -> Value {
        let started = |slot: &Slot| match slot {
            Slot::Suspended(frame) => frame.code.is_async_generator && has_begun(slot),
            _ => false,
        };
        let slots = self.generators.slots.iter().enumerate();
        let open: Vec<u32> = slots
            .filter(|(_, slot)| started(slot))
            .filter_map(|(at, _)| u32::try_from(at).ok())
            .collect();
        let open = open
            .into_iter()
            .filter_map(|slot| self.async_generator(slot))
            .collect();
        self.heap.list(open)
    }
}

/// Whether a generator waits at a `yield` or an `await`.
fn has_begun(slot: &Slot) -> bool {
    match slot {
        Slot::Suspended(frame) => frame
            .last
            .is_some_and(|at| frame.code.instructions[at].op != Op::ReturnGenerator),
        _ => false,
    }
}
