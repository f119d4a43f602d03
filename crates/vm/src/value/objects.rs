//! The objects of a heap, in parts that its copies share until one of them changes an object of the
//! part.
//!
//! A machine is copied for each program, and for each call after an executed program. Most objects
//! do not change, so a copy costs one reference per part.

use std::sync::Arc;

use super::Object;

/// Objects per part, as a power of two.
const PART_BITS: u32 = 6;
const PART: usize = 1 << PART_BITS;

/// Consecutive objects, and the moment of each one's last change.
#[derive(Debug, Clone)]
struct Part {
    objects: Vec<Object>,
    changed: [u32; PART],
}

/// Objects by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Objects {
    parts: Vec<Arc<Part>>,
    count: usize,
    /// The current moment, which a cache of objects advances.
    now: u32,
}

impl Objects {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.parts.iter().flat_map(|part| part.objects.iter())
    }

    pub(super) fn push(&mut self, object: Object) {
        self.count += 1;
        if let Some(last) = self.parts.last_mut()
            && last.objects.len() < PART
        {
            let part = Arc::make_mut(last);
            part.changed[part.objects.len()] = self.now;
            part.objects.push(object);
            return;
        }
        let mut objects = Vec::with_capacity(PART);
        objects.push(object);
        self.parts.push(Arc::new(Part {
            objects,
            changed: [self.now; PART],
        }));
    }

    pub(super) fn get(&self, number: u32) -> &Object {
        &self.parts[(number >> PART_BITS) as usize].objects[number as usize & (PART - 1)]
    }

    pub(super) fn get_mut(&mut self, number: u32) -> &mut Object {
        let part = Arc::make_mut(&mut self.parts[(number >> PART_BITS) as usize]);
        let at = number as usize & (PART - 1);
        part.changed[at] = self.now;
        &mut part.objects[at]
    }

    /// Begins a new moment.
    pub(super) fn move_on(&mut self) -> u32 {
        self.now = self.now.saturating_add(1);
        self.now
    }

    /// Whether an object was created, or may have been changed, at a moment or later.
    pub(super) fn is_changed_since(&self, number: u32, moment: u32) -> bool {
        let part = &self.parts[(number >> PART_BITS) as usize];
        part.changed[number as usize & (PART - 1)] >= moment || moment == u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn changes_are_noted() {
        let mut objects = Objects::default();
        for number in 0..100 {
            objects.push(Object::List(vec![Value::Int(number)]));
        }
        let moment = objects.move_on();
        assert!((0..100).all(|number| !objects.is_changed_since(number, moment)));
        *objects.get_mut(70) = Object::List(Vec::new());
        objects.push(Object::List(Vec::new()));
        let changed = |number: &u32| objects.is_changed_since(*number, moment);
        assert_eq!((0..101).filter(changed).collect::<Vec<_>>(), [70, 100]);
        let moment = objects.move_on();
        assert!((0..101).all(|number| !objects.is_changed_since(number, moment)));
    }

    #[test]
    fn copies_change_by_themselves() {
        let item = |number: i64| Object::List(vec![Value::Int(number)]);
        let mut one = Objects::default();
        for number in 0..200 {
            one.push(item(number));
        }
        let mut other = one.clone();
        *other.get_mut(130) = item(-1);
        other.push(item(200));
        one.push(item(-200));
        assert_eq!((one.len(), other.len()), (201, 201));
        for number in 0..200 {
            assert_eq!(*one.get(number), item(number.into()));
            let changed = if number == 130 { -1 } else { number.into() };
            assert_eq!(*other.get(number), item(changed));
        }
        assert_eq!((one.get(200), other.get(200)), (&item(-200), &item(200)));
        assert_eq!(one.iter().count(), 201);
        assert!(!one.is_empty());
    }
}
