//! A cache of the canonical texts of objects from one step of a trace to the next.
//!
//! Little changes between two steps. A text depends on the objects in it, so it is written again
//! only if one of them may have changed.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use codexec_trace::Text;

use super::canonical::{canonical_text, canonical_with_parts};
use crate::value::{Heap, Object, ObjectId, Value};

/// Maximum bytes of all cached texts.
const MOST_BYTES: usize = 4 << 20;

/// A text, and the objects on which it depends.
#[derive(Debug, Clone)]
struct Kept {
    text: Text,
    parts: Vec<ObjectId>,
    /// The moment at which it was written.
    moment: u32,
}

/// The cached texts of a trace.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptTexts {
    texts: HashMap<ObjectId, Kept, RandomState>,
    bytes: usize,
    /// Number of modules whose classes are shown differently from others.
    modules: usize,
}

impl KeptTexts {
    /// Returns the canonical text of a value at `moment`, which the heap has reached before the
    /// call.
    pub(crate) fn text(&mut self, heap: &Heap, value: &Value, moment: u32) -> Text {
        let Value::Object(id) = value else {
            return canonical_text(heap, value);
        };
        let is_kept = matches!(
            heap.get(*id),
            Object::List(_)
                | Object::Tuple(_)
                | Object::Dict(..)
                | Object::Set(_)
                | Object::Frozenset(_)
                | Object::Deque(..)
                | Object::Instance { .. }
        );
        if !is_kept {
            return canonical_text(heap, value);
        }
        let modules = heap.own_modules.len() + heap.hidden_modules.len();
        if self.bytes > MOST_BYTES || self.modules != modules {
            *self = Self::default();
            self.modules = modules;
        }
        if let Some(kept) = self.texts.get(id) {
            let mut parts = kept.parts.iter();
            if parts.all(|part| !heap.is_changed_since(*part, kept.moment)) {
                return kept.text.clone();
            }
        }
        let (text, parts) = canonical_with_parts(heap, value);
        let text = Text::from(text);
        let kept = parts.map(|parts| Kept {
            text: text.clone(),
            parts,
            moment,
        });
        let size = |kept: &Kept| kept.text.len() + size_of_val(&*kept.parts);
        self.bytes += kept.as_ref().map_or(0, size);
        let before = match kept {
            Some(kept) => self.texts.insert(*id, kept),
            None => self.texts.remove(id),
        };
        self.bytes -= before.as_ref().map_or(0, size);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::canonical;
    use super::*;

    #[test]
    fn texts_follow_what_changes_within() {
        let mut heap = Heap::new();
        let inner = heap.add(Object::List(vec![Value::Int(1)]));
        let outer = heap.list(vec![Value::Object(inner), Value::str("a")]);
        let mut texts = KeptTexts::default();
        let mut now = |heap: &mut Heap| {
            let moment = heap.move_on();
            let text = texts.text(heap, &outer, moment);
            assert_eq!(text, canonical(heap, &outer));
            text
        };
        assert_eq!(now(&mut heap), "[[1], 'a']");
        assert_eq!(now(&mut heap), "[[1], 'a']");
        *heap.get_mut(inner) = Object::List(vec![Value::Int(2)]);
        assert_eq!(now(&mut heap), "[[2], 'a']");
        *heap.get_mut(inner) = Object::List(vec![outer.clone()]);
        assert_eq!(now(&mut heap), "[[[...]], 'a']");
        assert_eq!(now(&mut heap), "[[[...]], 'a']");
    }
}
