//! What can be seen of generators from outside: which run, and which asynchronous ones still wait at a `yield`.

use super::generator::Slot;
use super::{Flow, Machine, Run};
use crate::code::Op;
use crate::value::{Object, ObjectId, Value};

impl Machine {
    /// What the runtime has in the place of a method, or the state of a generator.
    pub(super) fn part_of_generator(&mut self, value: &Value, name: &str) -> Run<Option<Value>> {
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

    /// `gi_running`, `cr_running`, `ag_running` and the like; `__name__`, and the frame where there is none any more.
    fn state_of_generator(&self, value: &Value, name: &str) -> Run<Option<Value>> {
        let unknown = || Err(Flow::Unsupported(format!("{name} of a generator")));
        let Some(Object::Generator { frame, .. }) = self.heap.object(value) else {
            return Ok(None);
        };
        let slot = self.generators.get(*frame as usize);
        match (name, slot) {
            ("__name__", Some(Slot::Suspended(frame))) => Ok(Some(Value::str(&frame.code.name))),
            ("__qualname__", Some(Slot::Suspended(frame))) => {
                Ok(Some(Value::str(&frame.code.qualname)))
            }
            ("gi_frame" | "cr_frame" | "ag_frame", Some(Slot::Finished)) => Ok(Some(Value::None)),
            ("gi_frame" | "cr_frame" | "ag_frame" | "gi_code" | "cr_code" | "ag_code", _)
            | ("gi_yieldfrom" | "cr_await" | "ag_await" | "cr_origin", _)
            | ("__name__" | "__qualname__", _) => unknown(),
            _ => Ok(self.runs_or_waits(value, name).map(Value::Bool)),
        }
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
        let slot = self.generators.get(*frame as usize)?;
        match name.strip_prefix(prefix)? {
            "running" => Some(matches!(slot, Slot::Running)),
            "suspended" if prefix != "ag_" => Some(has_begun(slot)),
            _ => None,
        }
    }

    /// `_locals_of(generator)`: values of the local names of a generator of the runtime, its arguments first.
    pub(super) fn locals_of_generator(&mut self, value: &Value) -> Run<Value> {
        let slot = match self.heap.object(value) {
            Some(Object::Generator { frame, .. }) => self.generators.get(*frame as usize),
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

    /// The asynchronous generator of a slot.
    pub(super) fn async_generator(&self, slot: u32) -> Option<Value> {
        let count = u32::try_from(self.heap.len()).unwrap_or(u32::MAX);
        let mut ids = (0..count).map(ObjectId);
        let of_slot = |id: &ObjectId| match self.heap.get(*id) {
            Object::Generator { frame, .. } => *frame == slot,
            _ => false,
        };
        ids.find(of_slot).map(Value::Object)
    }

    /// `_open_agens()`: asynchronous generators that wait at a `yield`.
    pub(super) fn open_async_generators(&mut self) -> Value {
        let started = |slot: &Slot| match slot {
            Slot::Suspended(frame) => frame.code.is_async_generator && has_begun(slot),
            _ => false,
        };
        let slots = self.generators.iter().enumerate();
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
