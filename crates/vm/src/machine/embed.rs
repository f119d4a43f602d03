//! Continuing after an operation that the caller has executed: the changes that it may make, and
//! the value or exception with which the program continues.

use super::{Flow, Machine};
use crate::value::{Heap, Key, Object, ObjectId, Value};

impl Machine {
    /// Returns the objects of the program.
    pub fn heap(&self) -> &Heap {
        &self.heap
    }

    /// The same, for making objects.
    pub fn heap_mut(&mut self) -> &mut Heap {
        &mut self.heap
    }

    /// Replaces an object by another. Functions, instances and classes stay unchanged.
    pub fn change(&mut self, id: ObjectId, object: Object) {
        let kept = matches!(
            self.heap.get(id),
            Object::Function(_) | Object::Instance { .. } | Object::Class(_)
        );
        if !kept {
            *self.heap.get_mut(id) = object;
            self.heap.tables.remove(&id);
            self.dict_changed(id);
        }
    }

    /// Prints. Returns false if the output exceeds its limit.
    pub fn write_output(&mut self, text: &str) -> bool {
        self.record.write(text).is_ok()
    }

    /// Returns an exception of a builtin class, by its dotted name.
    pub fn exception(&mut self, kind: &str, args: Vec<Value>) -> Option<Value> {
        let kind = self.public_name(kind);
        match self.raise_with(&kind, args) {
            Flow::Raise(error) => Some(error),
            _ => None,
        }
    }

    /// Continues with the value of the operation that the machine waits for, or with the exception
    /// that it raises. Planning ends below [`Settings::min_probability`](super::Settings).
    pub fn go_on(&mut self, result: Result<Value, Value>, confidence: f32) {
        let Some(waiting) = self.waiting.take() else {
            return;
        };
        self.record.answered(confidence);
        self.doubts.probability *= f64::from(confidence);
        if self.doubts.probability < self.settings.min_probability {
            self.give_up(&format!(
                "a trace of probability {:.2}",
                self.doubts.probability
            ));
            return;
        }
        let flow = match result {
            Ok(value) => self.deliver(value, waiting.after).err(),
            Err(error) => Some(Flow::Raise(error)),
        };
        if let Some(flow) = flow {
            self.divert(flow);
        }
    }

    /// Ends planning because nobody executes the operation.
    pub fn give_up(&mut self, why: &str) {
        self.waiting = None;
        self.divert(Flow::Unsupported(why.to_string()));
    }

    /// Returns the key of a value in dicts and sets. `None` if it has no hash.
    pub fn key_of(&self, value: &Value) -> Option<Key> {
        // A copy of a container keeps the keys that were compared when they were inserted.
        if let Some(id) = value.id().filter(|id| self.heap.hashed.contains_key(id)) {
            return Some(Key::Identity(id));
        }
        crate::fold::key::key(&self.heap, value).ok()
    }

    /// Returns a builtin class or function, or a member of a module, by its dotted name.
    pub fn named_value(&mut self, name: &str) -> Value {
        if self.runtime.classes.contains_key(name) {
            return self.class_value(name);
        }
        if let Some((module, member)) = name.rsplit_once('.')
            && let Ok(Some(value)) = self.module_member(module, member)
        {
            return value;
        }
        self.builtin(name)
    }

    /// Puts the elements of a set in CPython's iteration order, as if they had been added in their
    /// current order.
    pub fn order_set(&mut self, id: ObjectId) {
        let (Object::Set(elements) | Object::Frozenset(elements)) = self.heap.get(id) else {
            return;
        };
        let values: Vec<Value> = elements.values().cloned().collect();
        let Some(order) = crate::fold::set_order::order(&self.heap, &values) else {
            return;
        };
        if let Object::Set(elements) | Object::Frozenset(elements) = self.heap.get_mut(id) {
            let old: Vec<_> = std::mem::take(elements).into_iter().collect();
            *elements = order
                .into_iter()
                .filter_map(|at| old.get(at).cloned())
                .collect();
        }
    }

    /// Returns the public name of a class: `json.JSONDecodeError` for
    /// `json.decoder.JSONDecodeError`.
    fn public_name(&self, dotted: &str) -> String {
        let mut parts = dotted.split('.');
        if let (Some(package), Some(name)) = (parts.next(), parts.next_back()) {
            let short = format!("{package}.{name}");
            let shown = crate::machine::tables::modules()
                .get(package)
                .is_some_and(|members| members.iter().any(|(member, _)| *member == name));
            if shown && !self.runtime.classes.contains_key(dotted) {
                return short;
            }
        }
        dotted.to_string()
    }
}
