//! Items of lists, tuples, dicts, sets and texts, as plain instructions read, store and iterate
//! over them.

use crate::machine::eval::plain::{Done, Plain};
use crate::value::{
    DictKind, Elements, Entries, Heap, Iterator, Key, NameKey, Object, ObjectId, Value, View,
};

/// Returns the entry of a plain key in a dict.
fn entry<'e>(entries: &'e Entries, key: &Value) -> Option<Option<&'e (Value, Value)>> {
    match key {
        Value::Str(name) => Some(entries.get(&NameKey(name))),
        Value::Int(number) => Some(entries.get(&Key::Int(*number))),
        _ => None,
    }
}

/// Whether a set has a plain key.
fn has_element(elements: &Elements, key: &Value) -> Option<bool> {
    match key {
        Value::Str(name) => Some(elements.contains_key(&NameKey(name))),
        Value::Int(number) => Some(elements.contains_key(&Key::Int(*number))),
        _ => None,
    }
}

impl Plain<'_> {
    /// `container[index]`
    pub(super) fn item(&mut self) -> Option<Done> {
        let id = match (self.top(2)?, self.top(1)?) {
            (Value::Object(id), _) => *id,
            (Value::Str(text), Value::Int(index)) if text.is_ascii() => {
                let place = place(*index, text.len())?;
                let character = Value::str(&text[place..=place]);
                return Some(self.give(2, character));
            }
            _ => return None,
        };
        let value = match (self.heap.get(id), self.top(1)?) {
            (Object::List(items), Value::Int(index)) => items.get(place(*index, items.len())?),
            (Object::Tuple(items), Value::Int(index)) => items.get(place(*index, items.len())?),
            (Object::Dict(entries, _), key) if self.heap.hashed.is_empty() => {
                let (_, value) = entry(entries, key)??;
                let value = value.clone();
                // A dict returns an existing value: nothing is made.
                self.folded += 1;
                return Some(self.replace(2, value));
            }
            _ => return None,
        };
        let value = value?.clone();
        Some(self.give(2, value))
    }

    /// `container[index] = value`
    pub(super) fn store_item(&mut self) -> Option<Done> {
        let (&Value::Object(id), index) = (self.top(2)?, self.top(1)?) else {
            return None;
        };
        let value = self.top(3)?;
        match (self.heap.get(id), index) {
            (Object::List(items), &Value::Int(index)) => {
                let (place, value) = (place(index, items.len())?, value.clone());
                if let Object::List(items) = self.heap.get_mut(id) {
                    items[place] = value;
                }
            }
            (Object::Dict(..), Value::Str(_) | Value::Int(_))
                if self.objects && self.heap.hashed.is_empty() =>
            {
                let (index, value) = (index.clone(), value.clone());
                self.put(id, index, value);
            }
            _ => return None,
        }
        self.stack.truncate(self.stack.len() - 3);
        self.folded += 1;
        Some(Done::Next)
    }

    /// Stores a value in a dict under a plain key.
    fn put(&mut self, dict: ObjectId, key: Value, value: Value) {
        let Object::Dict(entries, _) = self.heap.get_mut(dict) else {
            return;
        };
        let known = match &key {
            Value::Str(name) => entries.get_mut(&NameKey(name)),
            Value::Int(number) => entries.get_mut(&Key::Int(*number)),
            _ => return,
        };
        if let Some((_, held)) = known {
            *held = value;
            return;
        }
        let hashed = match &key {
            Value::Str(name) => Key::Str(name.clone()),
            Value::Int(number) => Key::Int(*number),
            _ => return,
        };
        entries.insert(hashed, (key, value));
    }

    /// `item in container`
    pub(super) fn contains(&self) -> Option<bool> {
        let (item, container) = (self.top(2)?, self.top(1)?);
        if let (Value::Str(text), Value::Str(part)) = (container, item) {
            return Some(text.contains(&**part));
        }
        if !self.heap.hashed.is_empty() {
            return None;
        }
        match self.heap.object(container)? {
            Object::Dict(entries, _) => entry(entries, item).map(|found| found.is_some()),
            Object::Set(elements) | Object::Frozenset(elements) => has_element(elements, item),
            _ => None,
        }
    }

    /// Makes the iterator of a container or a text.
    pub(super) fn iterator(&mut self) -> Option<Done> {
        let iterator = match self.top(1)? {
            Value::Str(of) => Iterator::Text {
                of: of.clone(),
                next: 0,
            },
            Value::Object(id) => match self.heap.get(*id) {
                Object::List(_) | Object::Tuple(_) | Object::Range(..) => {
                    Iterator::Sequence { of: *id, next: 0 }
                }
                Object::Iterator(_) | Object::Generator { .. } => return Some(Done::Next),
                _ => return None,
            },
            _ => return None,
        };
        let iterator = self.heap.make(Object::Iterator(iterator));
        Some(self.replace(1, iterator))
    }

    /// Returns the next item of the iterator on top of the stack.
    pub(super) fn next_item(&mut self) -> Option<Value> {
        let Value::Object(id) = *self.top(1)? else {
            return None;
        };
        match self.heap.get(id) {
            Object::Iterator(Iterator::Sequence { of, next }) => {
                let (of, at) = (*of, *next);
                let item = self.item_of(of, at)?;
                if let Object::Iterator(Iterator::Sequence { next, .. }) = self.heap.get_mut(id) {
                    *next = at + 1;
                }
                Some(item)
            }
            Object::Iterator(Iterator::Text { of, next }) => {
                let character = of[*next..].chars().next()?;
                let item = Value::str(character.encode_utf8(&mut [0; 4]));
                if let Object::Iterator(Iterator::Text { next, .. }) = self.heap.get_mut(id) {
                    *next += character.len_utf8();
                }
                Some(item)
            }
            Object::Iterator(Iterator::Dict { .. }) if self.items => self.next_of_dict(id),
            _ => None,
        }
    }

    fn item_of(&self, of: ObjectId, at: usize) -> Option<Value> {
        match self.heap.get(of) {
            Object::List(_) | Object::Tuple(_) if !self.items => None,
            _ => plain_item(self.heap, of, at),
        }
    }

    /// The same for an iterator over an unchanged dict.
    fn next_of_dict(&mut self, id: ObjectId) -> Option<Value> {
        let Object::Iterator(Iterator::Dict {
            of,
            view,
            next,
            size,
            last,
        }) = self.heap.get(id)
        else {
            return None;
        };
        let Object::Dict(entries, kind) = self.heap.get(*of) else {
            return None;
        };
        let before = next.checked_sub(1).and_then(|at| entries.get_index(at));
        let is_as_it_was = *kind != DictKind::Ordered
            && entries.len() == *size
            && before.map(|(key, _)| key) == last.as_ref();
        let (key, (name, value)) = entries.get_index(*next).filter(|_| is_as_it_was)?;
        let (key, name, value) = (key.clone(), name.clone(), value.clone());
        let view = *view;
        if let Object::Iterator(Iterator::Dict { next, last, .. }) = self.heap.get_mut(id) {
            *next += 1;
            *last = Some(key);
        }
        Some(match view {
            View::Keys => name,
            View::Values => value,
            View::Items => self.heap.tuple(vec![name, value]),
        })
    }
}

/// Returns an item of a list, a tuple or a range.
pub(in crate::machine) fn plain_item(heap: &Heap, of: ObjectId, at: usize) -> Option<Value> {
    match heap.get(of) {
        Object::List(items) => items.get(at).cloned(),
        Object::Tuple(items) => items.get(at).cloned(),
        Object::Range(Value::Int(start), Value::Int(stop), Value::Int(step)) => {
            let offset = step.checked_mul(i64::try_from(at).ok()?)?;
            let item = start.checked_add(offset)?;
            let is_inside = if *step > 0 {
                item < *stop
            } else {
                item > *stop
            };
            Some(Value::Int(Some(item).filter(|_| is_inside)?))
        }
        _ => None,
    }
}

/// Returns the position of an index in a sequence of this length.
#[inline]
fn place(index: i64, length: usize) -> Option<usize> {
    let place = match index < 0 {
        true => usize::try_from(index + i64::try_from(length).ok()?).ok()?,
        false => usize::try_from(index).ok()?,
    };
    (place < length).then_some(place)
}
