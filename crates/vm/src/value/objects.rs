//! The objects of a heap, in parts that copies of it share until one of them changes something in a part.
//!
//! A machine is copied for each program, and for each call behind a program that has been executed. Most objects stay as
//! they are, so a copy costs a reference for each part.

use std::sync::Arc;

use super::Object;

/// Objects of a part, as a power of two.
const PART_BITS: u32 = 6;
const PART: usize = 1 << PART_BITS;

/// Objects by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Objects {
    parts: Vec<Arc<Vec<Object>>>,
    count: usize,
}

impl Objects {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    pub(super) fn push(&mut self, object: Object) {
        self.count += 1;
        if let Some(last) = self.parts.last_mut()
            && last.len() < PART
        {
            Arc::make_mut(last).push(object);
            return;
        }
        let mut part = Vec::with_capacity(PART);
        part.push(object);
        self.parts.push(Arc::new(part));
    }

    pub(super) fn get(&self, number: u32) -> &Object {
        &self.parts[(number >> PART_BITS) as usize][number as usize & (PART - 1)]
    }

    pub(super) fn get_mut(&mut self, number: u32) -> &mut Object {
        let part = &mut self.parts[(number >> PART_BITS) as usize];
        &mut Arc::make_mut(part)[number as usize & (PART - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

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
