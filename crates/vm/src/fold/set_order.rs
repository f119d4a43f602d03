//! Hash tables of sets from the hashes of their elements. See `SetTable` and [`Table`].

use super::hash::{hash, hash_or_guess};
use crate::value::hash_table::Table;
use crate::value::set_table::SetTable;
use crate::value::{Elements, Heap, Key, Value};

impl SetTable {
    /// Returns the table of elements inserted one after the other. `None` if a hash is unknown.
    pub(crate) fn of(heap: &Heap, elements: &Elements) -> Option<Self> {
        let mut table = Self::default();
        for (key, value) in elements {
            table.add(key, value, hash(heap, value)?);
        }
        Some(table)
    }

    /// [`Self::of`], with guessed hashes for the elements whose hashes are addresses.
    pub(crate) fn guessed(heap: &Heap, elements: &Elements) -> Self {
        let mut table = Self::default();
        for (key, value) in elements {
            table.put(heap, key, value);
        }
        table
    }

    /// Inserts an element unless it is present.
    pub(crate) fn put(&mut self, heap: &Heap, key: &Key, value: &Value) {
        let (hash, is_known) = hash_or_guess(heap, value);
        self.guessed |= !is_known;
        self.add(key, value, hash);
    }

    /// Returns the table of the keys of a dict (`set(d)`).
    pub(crate) fn of_dict(heap: &Heap, keys: &Elements) -> Self {
        let mut table = Self::default();
        table.table.reserve(keys.len());
        for (key, value) in keys {
            table.put(heap, key, value);
        }
        table
    }
}

/// Returns the iteration order of a set into which these distinct values were inserted one after
/// the other, as indices of the values. `None` if a hash is unknown.
pub fn order(heap: &Heap, elements: &[Value]) -> Option<Vec<usize>> {
    let mut table = Table::default();
    for (at, element) in elements.iter().enumerate() {
        table.insert(hash(heap, element)?, at);
    }
    Some(table.order())
}
