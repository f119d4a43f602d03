//! The tables of sets from the hashes of their elements, see `SetTable` and [`Table`].

use super::hash::{hash, hash_or_guess};
use crate::value::hash_table::Table;
use crate::value::set_table::SetTable;
use crate::value::{Elements, Heap, Key, Value};

impl SetTable {
    /// The table of elements that are put in one after the other. `None` if a hash is not known.
    pub(crate) fn of(heap: &Heap, elements: &Elements) -> Option<Self> {
        let mut table = Self::default();
        for (key, value) in elements {
            table.add(key, value, hash(heap, value)?);
        }
        Some(table)
    }

    /// As [`Self::of`], with guessed hashes of those elements whose own are addresses.
    pub(crate) fn guessed(heap: &Heap, elements: &Elements) -> Self {
        let mut table = Self::default();
        for (key, value) in elements {
            table.put(heap, key, value);
        }
        table
    }

    /// Puts an element in, if it is not there.
    pub(crate) fn put(&mut self, heap: &Heap, key: &Key, value: &Value) {
        let (hash, is_known) = hash_or_guess(heap, value);
        self.guessed |= !is_known;
        self.add(key, value, hash);
    }

    /// The table of the keys of a dict (`set(d)`).
    pub(crate) fn of_dict(heap: &Heap, keys: &Elements) -> Self {
        let mut table = Self::default();
        table.table.reserve(keys.len());
        for (key, value) in keys {
            table.put(heap, key, value);
        }
        table
    }
}

/// The order of a set into which these values, all different, were put one after the other: indices of
/// the values. `None` where a hash is not known.
pub fn order(heap: &Heap, elements: &[Value]) -> Option<Vec<usize>> {
    let mut table = Table::default();
    for (at, element) in elements.iter().enumerate() {
        table.insert(hash(heap, element)?, at);
    }
    Some(table.order())
}
