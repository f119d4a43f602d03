//! Going on after an operation that the caller has done: what it may change, and with what the program goes on.

use super::{Flow, Machine};
use crate::value::{Heap, Key, Object, ObjectId, Value};

impl Machine {
    /// The objects of the program.
    pub fn heap(&self) -> &Heap {
        &self.heap
    }

    /// The same, to make objects.
    pub fn heap_mut(&mut self) -> &mut Heap {
        &mut self.heap
    }

    /// Puts another object in the place of one. Functions, instances and classes stay as they are.
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

    /// Prints. Whether that is allowed: not where it is more than the limit.
    pub fn write_output(&mut self, text: &str) -> bool {
        self.record.write(text).is_ok()
    }

    /// An exception of a builtin class, by its dotted name.
    pub fn exception(&mut self, kind: &str, args: Vec<Value>) -> Option<Value> {
        let kind = self.public_name(kind);
        match self.raise_with(&kind, args) {
            Flow::Raise(error) => Some(error),
            _ => None,
        }
    }

    /// Goes on with the value of the operation that it waits for, or with the exception that it raises. Below
    /// [`Settings::min_probability`](super::Settings) planning ends.
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

    /// Ends planning: the operation is not done by anybody.
    pub fn give_up(&mut self, why: &str) {
        self.waiting = None;
        self.divert(Flow::Unsupported(why.to_string()));
    }

    /// The key that a value has in dicts and sets. `None` if it has no hash.
    pub fn key_of(&self, value: &Value) -> Option<Key> {
        // A copy of a container keeps the keys that were compared when they came into it.
        if let Some(id) = value.id().filter(|id| self.heap.hashed.contains_key(id)) {
            return Some(Key::Identity(id));
        }
        crate::fold::key::key(&self.heap, value).ok()
    }

    /// A builtin class or function, or a member of a module, by its dotted name.
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

    /// Puts the elements of a set in the order in which CPython would iterate over them, had they been added as they stand.
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

    /// `json.JSONDecodeError` for `json.decoder.JSONDecodeError`: a class as its package shows it.
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
