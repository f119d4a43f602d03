//! The iteration order of a set in CPython 3.11: that of its hash table.
//!
//! It depends on the hashes and on everything inserted and removed before. A literal of three or
//! more constants is a merge: `{1, 2, 3}` is compiled to an empty set into which a frozenset is
//! merged.

const LINEAR_PROBES: usize = 9;
const PERTURB_SHIFT: u32 = 5;
const LEAST_SLOTS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Slot {
    Unused,
    /// A removed element, which still occupies its slot.
    Dummy,
    Element {
        hash: u64,
        element: usize,
    },
}

/// The hash table of a set. Elements are numbers chosen by the caller, each used once.
#[derive(Debug, Clone)]
pub struct Table {
    slots: Vec<Slot>,
    /// Number of slots that are not unused.
    filled: usize,
    /// Number of elements.
    used: usize,
    /// The slot where `pop` looks next.
    finger: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            slots: vec![Slot::Unused; LEAST_SLOTS],
            filled: 0,
            used: 0,
            finger: 0,
        }
    }
}

impl Table {
    fn mask(&self) -> usize {
        self.slots.len() - 1
    }

    /// Follows the probe sequence of a hash to the first slot that is wanted. It always contains an
    /// unused slot.
    fn way(&self, hash: u64, mut wanted: impl FnMut(Slot) -> bool) -> usize {
        let mask = self.mask();
        let (mut perturb, mut at) = (hash, low_bits(hash) & mask);
        loop {
            let probes = if at + LINEAR_PROBES <= mask {
                LINEAR_PROBES
            } else {
                0
            };
            if let Some(found) = (at..=at + probes).find(|at| wanted(self.slots[*at])) {
                return found;
            }
            perturb >>= PERTURB_SHIFT;
            let next = at.wrapping_mul(5).wrapping_add(1);
            at = next.wrapping_add(low_bits(perturb)) & mask;
        }
    }

    /// Returns the slot for a new element: the last dummy in its probe sequence, otherwise the
    /// first unused slot.
    fn free(&self, hash: u64) -> usize {
        let mut dummies = 0;
        let unused = self.way(hash, |slot| {
            dummies += usize::from(slot == Slot::Dummy);
            slot == Slot::Unused
        });
        if dummies == 0 {
            return unused;
        }
        self.way(hash, |slot| {
            dummies -= usize::from(slot == Slot::Dummy);
            slot == Slot::Dummy && dummies == 0
        })
    }

    /// Puts an element into the table. Returns true if it occupies an additional slot.
    fn place(&mut self, hash: u64, element: usize) -> bool {
        let at = self.free(hash);
        let fills = self.slots[at] == Slot::Unused;
        self.slots[at] = Slot::Element { hash, element };
        self.filled += usize::from(fills);
        self.used += 1;
        fills
    }

    /// Adds an element that is not in the set (`add`, or one step of building a set from an
    /// iterable).
    pub fn insert(&mut self, hash: i64, element: usize) {
        let fills = self.place(hash.cast_unsigned(), element);
        if fills && self.filled * 5 >= self.mask() * 3 {
            let factor = if self.used > 50_000 { 2 } else { 4 };
            self.resize(self.used * factor);
        }
    }

    fn resize(&mut self, least: usize) {
        let mut size = LEAST_SLOTS;
        while size <= least {
            size *= 2;
        }
        let old = std::mem::replace(&mut self.slots, vec![Slot::Unused; size]);
        (self.filled, self.used) = (0, 0);
        for slot in old {
            if let Slot::Element { hash, element } = slot {
                self.place(hash, element);
            }
        }
    }

    /// Reserves room as `set(dict)` does before it inserts the keys one by one.
    pub fn reserve(&mut self, count: usize) {
        if (self.filled + count) * 5 >= self.mask() * 3 {
            self.resize((self.used + count) * 2);
        }
    }

    /// Adds the elements of a set (`update`, `|`, `set(other)`, `copy`) for which `new` is true.
    /// The others are in this set already.
    pub fn merge(&mut self, other: &Self, new: impl Fn(usize) -> bool) {
        self.reserve(other.used);
        let clean = other.filled == other.used;
        if self.filled == 0 && self.slots.len() == other.slots.len() && clean {
            self.slots.clone_from(&other.slots);
            (self.filled, self.used) = (other.filled, other.used);
            return;
        }
        let first = self.filled == 0;
        for slot in &other.slots {
            match slot {
                Slot::Element { hash, element } if first => {
                    self.place(*hash, *element);
                }
                Slot::Element { hash, element } if new(*element) => {
                    self.insert(hash.cast_signed(), *element);
                }
                _ => {}
            }
        }
    }

    /// Returns the first element at or after a slot, and the slot after it.
    pub fn from(&self, slot: usize) -> Option<(usize, usize)> {
        let mut slots = self.slots.iter().enumerate().skip(slot);
        slots.find_map(|(at, slot)| match slot {
            Slot::Element { element, .. } => Some((*element, at + 1)),
            _ => None,
        })
    }

    /// Returns the number of elements.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Returns the same table with its elements renumbered.
    pub fn renumbered(&self, number: impl Fn(usize) -> usize) -> Self {
        let mut other = self.clone();
        for slot in &mut other.slots {
            if let Slot::Element { element, .. } = slot {
                *element = number(*element);
            }
        }
        other
    }

    /// Removes an element (`remove`, `discard`).
    pub fn remove(&mut self, hash: i64, element: usize) {
        let is_it = |slot: Slot| matches!(slot, Slot::Element { element: it, .. } if it == element);
        let at = self.way(hash.cast_unsigned(), |slot| {
            slot == Slot::Unused || is_it(slot)
        });
        if is_it(self.slots[at]) {
            self.slots[at] = Slot::Dummy;
            self.used -= 1;
        }
    }

    /// Rebuilds the table if more than a fourth of its slots are dummies, as `difference_update`
    /// does at its end.
    pub fn settle(&mut self) {
        if self.filled - self.used > self.mask() / 4 {
            let factor = if self.used > 50_000 { 2 } else { 4 };
            self.resize(self.used * factor);
        }
    }

    /// Removes the element that `pop` removes. `None` if there is none.
    pub fn pop(&mut self) -> Option<usize> {
        let (mask, start) = (self.mask(), self.finger);
        for step in 0..self.slots.len() {
            let at = (start + step) & mask;
            if let Slot::Element { element, .. } = self.slots[at] {
                self.slots[at] = Slot::Dummy;
                self.used -= 1;
                self.finger = at + 1;
                return Some(element);
            }
        }
        None
    }

    /// Returns the elements in iteration order.
    pub fn order(&self) -> Vec<usize> {
        let elements = self.slots.iter().filter_map(|slot| match slot {
            Slot::Element { element, .. } => Some(*element),
            _ => None,
        });
        elements.collect()
    }
}

/// Returns as many bits as an index has, also if indices have 32 bits.
fn low_bits(hash: u64) -> usize {
    hash as usize
}
