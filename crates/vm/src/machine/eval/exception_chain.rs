//! Chains of exceptions: `__cause__` and `__context__`.

use codexec_trace::{Cause, Link, MOST_CAUSES};

use crate::machine::Machine;
use crate::value::{Object, Value};

impl Machine {
    /// Sets the context of an exception that is raised while another one is handled. The chain never
    /// leads back to it.
    pub(super) fn set_context(&mut self, error: &Value, handled: Value) {
        let mut at = handled.clone();
        for _ in 0..MOST_CAUSES {
            let Some(next) = self.linked(&at, "__context__") else {
                break;
            };
            if next == *error {
                if let Some(Object::Instance { attributes, .. }) =
                    at.id().map(|id| self.heap.get_mut(id))
                {
                    attributes.shift_remove("__context__");
                }
                break;
            }
            at = next;
        }
        if let Some(Object::Instance { attributes, .. }) =
            error.id().map(|id| self.heap.get_mut(id))
        {
            attributes.insert("__context__".into(), handled);
        }
    }

    /// Returns `__cause__` or `__context__` of an exception, if it is another exception.
    fn linked(&self, error: &Value, name: &str) -> Option<Value> {
        match self.heap.object(error) {
            Some(Object::Instance { attributes, .. }) => attributes
                .get(name)
                .filter(|value| value.id().is_some())
                .cloned(),
            _ => None,
        }
    }

    /// Returns the exceptions that led to one, in the order of its traceback, the nearest first.
    pub(super) fn causes_of(&mut self, error: &Value) -> Vec<Cause> {
        let mut causes = Vec::new();
        let mut seen = vec![error.clone()];
        while let Some(at) = seen.last().filter(|_| causes.len() < MOST_CAUSES) {
            let (how, next) = match self.linked(at, "__cause__") {
                Some(cause) => (Link::Cause, Some(cause)),
                None if self.suppresses_context(at) => break,
                None => (Link::Context, self.linked(at, "__context__")),
            };
            let Some(next) = next.filter(|next| !seen.contains(next)) else {
                break;
            };
            let (Some(Object::Instance { class, .. }), Some(id)) =
                (self.heap.object(&next), next.id())
            else {
                break;
            };
            let (class, id) = (*class, id.0);
            let message = match self.is_unsaid(&next) {
                true => String::new(),
                false => self.said(&next, class),
            };
            let is_lone = self.record.is_lone(&message);
            // One that never reached a frame of the program has no line there.
            let is_own = self.record.tracebacks.contains_key(&id);
            let places = self.record.raised_line.get(&id).filter(|_| is_own);
            let (line, file) = places.copied().unwrap_or_default();
            causes.push(Cause {
                how,
                exception: self.class_name(class).to_string(),
                message: if is_lone { String::new() } else { message },
                line,
                file,
                step: match self.record.raises {
                    Some(_) => None,
                    None => self.record.raised_at.get(&id).filter(|_| is_own).copied(),
                },
            });
            seen.push(next);
        }
        causes
    }

    fn suppresses_context(&self, error: &Value) -> bool {
        let Some(Object::Instance { attributes, .. }) = self.heap.object(error) else {
            return false;
        };
        match attributes.get("__suppress_context__") {
            Some(set) => *set == Value::Bool(true),
            None => attributes.contains_key("__cause__"),
        }
    }
}
