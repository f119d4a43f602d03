//! `register` of abstract classes.

use super::{Machine, Run};
use crate::value::{Object, ObjectId, Value};

impl Machine {
    /// Whether a class derives from `ABC`, has `ABCMeta` as its metaclass, or is an abstract class of
    /// `collections.abc` or `numbers`.
    pub(super) fn is_abstract_base(&self, class: ObjectId) -> bool {
        let Object::Class(info) = self.heap.get(class) else {
            return false;
        };
        let is_abstract = |name: &str| {
            let (module, _) = name.rsplit_once('.').unwrap_or_default();
            name == "abc.ABC" || matches!(module, "collections.abc" | "numbers")
        };
        let mut mro = info.mro.iter();
        mro.any(|id| match self.heap.get(*id) {
            Object::Class(class) => class.builtin.as_deref().is_some_and(is_abstract),
            _ => false,
        })
    }

    /// `A.register(B)`: from now on `B` and what derives from it count as derived from `A`.
    pub(super) fn register(&mut self, class: &Value, other: &Value) -> Run<Value> {
        if self.is_unknown(other) {
            return Ok(other.clone());
        }
        let (Some(id), Some(Object::Class(_)), Some(of)) =
            (other.id(), self.heap.object(other), class.id())
        else {
            return Err(self.raise("TypeError", "Can only register classes"));
        };
        if self.derives(of, id) {
            let message = "Refusing to create an inheritance cycle";
            return Err(self.raise("RuntimeError", message));
        }
        self.registered.push((of, id));
        Ok(other.clone())
    }

    /// Whether a class derives from one that is registered for an abstract class or for one below it.
    pub(super) fn is_registered(&mut self, class: ObjectId, kind: ObjectId) -> Run<bool> {
        let known = self.registered.iter();
        let known = known.filter(|(of, _)| self.derives(*of, kind));
        let others: Vec<ObjectId> = known.map(|(_, other)| *other).collect();
        for other in others {
            if self.is_subclass(None, &Value::Object(class), &Value::Object(other))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
