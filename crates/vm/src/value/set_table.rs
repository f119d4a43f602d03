//! Hash tables of sets that were built by more than insertions. They determine the iteration order.
//!
//! The table of any other set is the one made by inserting its elements one after the other.

use std::collections::HashMap;

use super::hash_table::Table;
use super::{Elements, Key, Value};
use crate::operation::BinaryOp;

/// A hash table whose elements are numbered.
#[derive(Debug, Clone, Default)]
pub(crate) struct SetTable {
    pub(crate) table: Table,
    items: Vec<(Key, Value, i64)>,
    numbers: HashMap<Key, usize>,
    /// Whether each element is in the set, by its number.
    present: Vec<bool>,
    /// Whether a hash is guessed: the elements are known, their order is a guess.
    pub(crate) guessed: bool,
}

impl SetTable {
    /// Whether the order of its elements is a guess.
    pub(crate) fn is_guess(&self) -> bool {
        self.guessed && self.len() > 1
    }

    /// Whether it can be the table of these elements. Any other change to a set removes its table.
    pub(crate) fn fits(&self, elements: &Elements) -> bool {
        self.len() == elements.len()
    }

    /// Returns the elements in iteration order.
    pub(crate) fn elements(&self) -> Elements {
        let items = self
            .table
            .order()
            .into_iter()
            .map(|number| &self.items[number]);
        items
            .map(|(key, value, _)| (key.clone(), value.clone()))
            .collect()
    }

    /// Returns the first element at or after a slot of the table, and the slot after it.
    pub(crate) fn from(&self, slot: usize) -> Option<(Value, usize)> {
        let (number, next) = self.table.from(slot)?;
        Some((self.items[number].1.clone(), next))
    }

    /// Returns the number of elements at or after a slot of the table.
    pub(crate) fn left_from(&self, slot: usize) -> usize {
        let next = |at: &usize| self.table.from(*at).map(|(_, behind)| behind);
        std::iter::successors(Some(slot), next).count() - 1
    }

    /// Whether a key is in the set.
    pub(crate) fn has(&self, key: &Key) -> bool {
        self.numbers
            .get(key)
            .is_some_and(|number| self.present[*number])
    }

    fn number(&mut self, key: &Key, value: &Value, hash: i64) -> usize {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        self.items.push((key.clone(), value.clone(), hash));
        self.present.push(false);
        self.numbers.insert(key.clone(), self.items.len() - 1);
        self.items.len() - 1
    }

    /// Inserts an element with this hash unless it is present.
    pub(crate) fn add(&mut self, key: &Key, value: &Value, hash: i64) {
        let number = self.number(key, value, hash);
        if !self.present[number] {
            self.items[number].1 = value.clone();
            self.present[number] = true;
            self.table.insert(hash, number);
        }
    }

    /// Removes an element.
    pub(crate) fn remove(&mut self, key: &Key) {
        if let Some(number) = self.numbers.get(key).copied()
            && std::mem::take(&mut self.present[number])
        {
            self.table.remove(self.items[number].2, number);
        }
    }

    /// Removes the element that `pop` removes.
    pub(crate) fn pop(&mut self) -> Option<Key> {
        let number = self.table.pop()?;
        self.present[number] = false;
        Some(self.items[number].0.clone())
    }

    /// Inserts the elements of another set, as `update` does.
    pub(crate) fn merge(&mut self, other: &Self) {
        let numbers: Vec<usize> = other
            .items
            .iter()
            .map(|(key, value, hash)| self.number(key, value, *hash))
            .collect();
        self.guessed |= other.guessed;
        let present = self.present.clone();
        self.table.merge(
            &other.table.renumbered(|number| numbers[number]),
            |number| !present[number],
        );
        for (number, there) in numbers.into_iter().zip(&other.present) {
            self.present[number] |= there;
        }
    }

    /// Returns a copy, as `copy` and `set(other)` make one.
    pub(crate) fn copied(&self) -> Self {
        let mut copy = Self::default();
        copy.merge(self);
        copy
    }

    /// Removes the elements of `other` that are present and inserts the missing ones, in its order.
    fn toggle(&mut self, other: &Self) {
        for number in other.table.order() {
            let (key, value, hash) = &other.items[number];
            self.toggle_one(key, value, *hash);
        }
    }

    fn toggle_one(&mut self, key: &Key, value: &Value, hash: i64) {
        if self.has(key) {
            self.remove(key);
        } else {
            self.add(key, value, hash);
        }
    }

    /// Returns the elements of `from` that are in `among` (or, unless `wanted`, those that are
    /// not), inserted one by one.
    fn chosen(from: &Self, among: &Self, wanted: bool) -> Self {
        let mut table = Self::default();
        for number in from.table.order() {
            let (key, value, hash) = &from.items[number];
            if among.has(key) == wanted {
                table.add(key, value, *hash);
            }
        }
        table
    }

    fn without(mut self, other: &Self) -> Self {
        for number in other.table.order() {
            self.remove(&other.items[number].0);
        }
        self.table.settle();
        self
    }

    fn len(&self) -> usize {
        self.table.used()
    }

    /// Returns `self op other` of two sets, or `self op= other`. `None` for other operators.
    pub(crate) fn combined(self, op: BinaryOp, other: &Self, inplace: bool) -> Option<Self> {
        let guessed = self.guessed || other.guessed;
        let mut table = self.joined(op, other, inplace)?;
        table.guessed = guessed;
        Some(table)
    }

    fn joined(self, op: BinaryOp, other: &Self, inplace: bool) -> Option<Self> {
        Some(match op {
            BinaryOp::Or => {
                let mut table = if inplace { self } else { self.copied() };
                table.merge(other);
                table
            }
            BinaryOp::And if other.len() > self.len() => Self::chosen(&self, other, true),
            BinaryOp::And => Self::chosen(other, &self, true),
            BinaryOp::Subtract if inplace => self.without(other),
            BinaryOp::Subtract if self.len() >> 2 > other.len() => self.copied().without(other),
            BinaryOp::Subtract => Self::chosen(&self, other, false),
            BinaryOp::Xor => {
                let (mut table, toggled) = match inplace {
                    true => (self, other),
                    false => (other.copied(), &self),
                };
                table.toggle(toggled);
                table
            }
            _ => return None,
        })
    }

    /// [`Self::combined`] with an operand that is not a set: its elements in its order. `dict`:
    /// they are the keys of a dict.
    pub(crate) fn combined_with(
        self,
        op: BinaryOp,
        other: &Self,
        order: &Elements,
        inplace: bool,
        dict: bool,
    ) -> Option<Self> {
        let guessed = self.guessed || other.guessed;
        let mut table = self.joined_with(op, other, order, inplace, dict)?;
        table.guessed = guessed;
        Some(table)
    }

    fn joined_with(
        self,
        op: BinaryOp,
        other: &Self,
        order: &Elements,
        inplace: bool,
        dict: bool,
    ) -> Option<Self> {
        Some(match op {
            BinaryOp::Subtract if dict && !inplace => return self.joined(op, other, false),
            BinaryOp::Xor if !inplace => {
                let mut table = Self::default();
                if dict {
                    table.table.reserve(order.len());
                }
                for key in order.keys() {
                    let (key, value, hash) = &other.items[*other.numbers.get(key)?];
                    table.add(key, value, *hash);
                }
                table.toggle(&self);
                table
            }
            BinaryOp::Xor if dict => {
                let mut table = self;
                for key in order.keys() {
                    let (key, value, hash) = &other.items[*other.numbers.get(key)?];
                    table.toggle_one(key, value, *hash);
                }
                table
            }
            BinaryOp::Or => {
                let mut table = if inplace { self } else { self.copied() };
                if dict {
                    table.table.reserve(order.len());
                }
                for key in order.keys() {
                    let number = *other.numbers.get(key)?;
                    let (key, value, hash) = &other.items[number];
                    table.add(key, value, *hash);
                }
                table
            }
            BinaryOp::And => {
                let mut table = Self::default();
                for key in order.keys().filter(|key| self.has(key)) {
                    let (key, value, hash) = &other.items[*other.numbers.get(key)?];
                    table.add(key, value, *hash);
                }
                table
            }
            BinaryOp::Subtract if inplace => self.without(other),
            BinaryOp::Subtract => self.copied().without(other),
            _ => return self.joined(op, other, inplace),
        })
    }
}
