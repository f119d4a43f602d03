//! Methods of lists, tuples, deques and dicts with known arguments.

use std::collections::VecDeque;

use crate::machine::Machine;
use crate::machine::calls::call::Keywords;
use crate::machine::objects::known_methods::Known;
use crate::value::{DictKind, Entries, Key, Object, ObjectId, Value};

const NONE: Known = Ok(Some(Value::None));

impl Machine {
    pub(in crate::machine) fn sequence_method(
        &mut self,
        id: ObjectId,
        name: &str,
        arguments: &[Value],
    ) -> Known {
        let value = Value::Object(id);
        let length = self.items_of(&value);
        let is_tuple = matches!(self.heap.get(id), Object::Tuple(_));
        match (name, arguments) {
            ("index", [item, bounds @ ..]) => return self.place(&value, item, bounds),
            ("count", [item]) => {
                let mut count = 0;
                for found in self.items_in_order(&value).unwrap_or_default() {
                    match self.alike(&found, item) {
                        Some(same) => count += i64::from(same),
                        None => return Ok(None),
                    }
                }
                return Ok(Some(Value::Int(count)));
            }
            _ if is_tuple => return Ok(None),
            ("remove", [item]) => return self.removed_from_sequence(id, item),
            ("copy", []) => {
                let copy = self.heap.get(id).clone();
                return Ok(Some(self.heap.make(copy)));
            }
            _ => {}
        }
        let more = match (name, arguments) {
            ("extend" | "extendleft", [of]) => match self.items_in_order(of) {
                Some(items) => items,
                None => return Ok(None),
            },
            _ => Vec::new(),
        };
        self.charge(if matches!(name, "insert" | "pop" | "reverse") {
            length
        } else {
            0
        });
        match self.heap.get_mut(id) {
            Object::List(items) => match (name, arguments) {
                ("append", [item]) => items.push(item.clone()),
                ("extend", [_]) => items.extend(more),
                ("insert", [Value::Int(at), item]) => {
                    items.insert(clamped(*at, length), item.clone())
                }
                ("clear", []) => items.clear(),
                ("reverse", []) => items.reverse(),
                ("pop", []) if length > 0 => return Ok(items.pop()),
                ("pop", []) => return Err(self.raise("IndexError", "pop from empty list")),
                ("pop", [Value::Int(_)]) if length == 0 => {
                    return Err(self.raise("IndexError", "pop from empty list"));
                }
                ("pop", [Value::Int(at)]) => {
                    let at = if *at < 0 { at + length as i64 } else { *at };
                    return match usize::try_from(at) {
                        Ok(at) if at < length => Ok(Some(items.remove(at))),
                        _ => Err(self.raise("IndexError", "pop index out of range")),
                    };
                }
                _ => return Ok(None),
            },
            Object::Deque(..) => return self.deque_method(id, name, arguments, more),
            _ => return Ok(None),
        }
        NONE
    }

    /// Removes the first item of a list or a deque that is equal to this one.
    fn removed_from_sequence(&mut self, id: ObjectId, item: &Value) -> Known {
        for (at, found) in self
            .items_in_order(&Value::Object(id))
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            match self.alike(found, item) {
                Some(true) => {
                    match self.heap.get_mut(id) {
                        Object::List(items) => drop(items.remove(at)),
                        Object::Deque(items, _) => drop(items.remove(at)),
                        _ => {}
                    }
                    return NONE;
                }
                Some(false) => {}
                None => return Ok(None),
            }
        }
        if matches!(self.heap.get(id), Object::List(_)) {
            return Err(self.raise("ValueError", "list.remove(x): x not in list"));
        }
        let Some(Value::Str(text)) = self.known_text(item, true) else {
            return Ok(None);
        };
        let message = format!("{text} is not in deque");
        Err(self.raise("ValueError", &message))
    }

    /// Calls a method of a deque. An iterable argument has the items `more`.
    #[inline]
    fn deque_method(
        &mut self,
        id: ObjectId,
        name: &str,
        arguments: &[Value],
        more: Vec<Value>,
    ) -> Known {
        let Object::Deque(items, most) = self.heap.get_mut(id) else {
            return Ok(None);
        };
        let (length, most) = (items.len(), *most);
        match (name, arguments) {
            ("append", [item]) => items.push_back(item.clone()),
            ("appendleft", [item]) => items.push_front(item.clone()),
            ("extend", [_]) => {
                for item in more {
                    items.push_back(item);
                    drop_surplus(items, most, true);
                }
            }
            ("extendleft", [_]) => {
                for item in more {
                    items.push_front(item);
                    drop_surplus(items, most, false);
                }
            }
            ("clear", []) => items.clear(),
            ("reverse", []) => items.make_contiguous().reverse(),
            ("rotate", [] | [Value::Int(_)]) if length > 0 => {
                let by = match arguments {
                    [Value::Int(by)] => *by,
                    _ => 1,
                };
                items.rotate_right(usize::try_from(by.rem_euclid(length as i64)).unwrap_or(0));
            }
            ("rotate", [] | [Value::Int(_)]) => {}
            ("insert", [Value::Int(at), item]) if most.is_none_or(|most| length < most) => {
                items.insert(clamped(*at, length), item.clone());
            }
            ("pop" | "popleft", []) => {
                let item = if name == "pop" {
                    items.pop_back()
                } else {
                    items.pop_front()
                };
                return match item {
                    Some(item) => Ok(Some(item)),
                    None => Err(self.raise("IndexError", "pop from an empty deque")),
                };
            }
            _ => return Ok(None),
        }
        drop_surplus(items, most, name != "appendleft");
        NONE
    }

    /// `sequence.index(item, start, stop)`
    fn place(&mut self, sequence: &Value, item: &Value, bounds: &[Value]) -> Known {
        let items = self.items_in_order(sequence).unwrap_or_default();
        let length = items.len() as i64;
        let mut limits = [0, length];
        for (limit, bound) in limits.iter_mut().zip(bounds) {
            let Value::Int(bound) = bound else {
                return Ok(None);
            };
            *limit = if *bound < 0 {
                (bound + length).max(0)
            } else {
                *bound
            };
        }
        if bounds.len() > 2 {
            return Ok(None);
        }
        for (at, found) in (0..).zip(&items) {
            if at < limits[0] || at >= limits[1] {
                continue;
            }
            match self.alike(found, item) {
                Some(true) => return Ok(Some(Value::Int(at))),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        let message = match self.heap.object(sequence) {
            Some(Object::Tuple(_)) => "tuple.index(x): x not in tuple".to_string(),
            object => {
                let what = if matches!(object, Some(Object::List(_))) {
                    "list"
                } else {
                    "deque"
                };
                let Some(Value::Str(text)) = self.known_text(item, true) else {
                    return Ok(None);
                };
                format!("{text} is not in {what}")
            }
        };
        Err(self.raise("ValueError", &message))
    }

    pub(in crate::machine) fn dict_method(
        &mut self,
        id: ObjectId,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Known {
        let Object::Dict(_, kind) = self.heap.get(id) else {
            return Ok(None);
        };
        let kind = kind.clone();
        if kind == DictKind::Counter && matches!(name, "update" | "subtract") {
            return self.count_given(id, name == "subtract", arguments, keywords);
        }
        let (last, arguments) = match (name, arguments) {
            ("move_to_end", [wanted, Value::Bool(last)]) => (*last, std::slice::from_ref(wanted)),
            ("popitem", [Value::Bool(last)]) if kind == DictKind::Ordered => (*last, &[][..]),
            _ => (true, arguments),
        };
        let last = match keywords.as_slice() {
            [] => last,
            [(name, Value::Bool(last))] if &**name == "last" => *last,
            _ if name == "update" => true,
            _ => return Ok(None),
        };
        match (name, arguments) {
            ("get" | "pop" | "setdefault", [wanted, default @ ..]) if default.len() < 2 => {
                let default = default.first().cloned();
                // `pop` of an empty dict does not hash the key.
                if name == "pop" && self.heap.dict_len(id) == 0 {
                    return match default {
                        Some(default) => Ok(Some(default)),
                        None => Err(self.raise_with("KeyError", vec![wanted.clone()])),
                    };
                }
                let Some(key) = self.plain_key(wanted)? else {
                    return Ok(None);
                };
                let Object::Dict(entries, _) = self.heap.get_mut(id) else {
                    return Ok(None);
                };
                let found = match name {
                    "pop" => entries.shift_remove(&key),
                    _ => entries.get(&key).cloned(),
                };
                match (found, default) {
                    (Some((_, value)), _) => Ok(Some(value)),
                    (None, default) if name == "setdefault" => {
                        let value = default.unwrap_or(Value::None);
                        entries.insert(key, (wanted.clone(), value.clone()));
                        Ok(Some(value))
                    }
                    (None, Some(default)) => Ok(Some(default)),
                    (None, None) if name == "get" => NONE,
                    (None, None) => Err(self.raise_with("KeyError", vec![wanted.clone()])),
                }
            }
            ("update", [] | [_]) => self.put_given(id, arguments, keywords),
            ("fromkeys", _) if kind == DictKind::Plain => {
                self.fold_function("dict.fromkeys", arguments, keywords)
            }
            ("clear", []) => {
                if let Object::Dict(entries, _) = self.heap.get_mut(id) {
                    entries.clear();
                }
                NONE
            }
            ("copy", []) => {
                let copy = self.heap.get(id).clone();
                Ok(Some(self.heap.make(copy)))
            }
            ("popitem", []) => {
                let Object::Dict(entries, _) = self.heap.get_mut(id) else {
                    return Ok(None);
                };
                let pair = if last {
                    entries.pop()
                } else {
                    entries.shift_remove_index(0)
                };
                match pair {
                    Some((_, (key, value))) => Ok(Some(self.heap.tuple(vec![key, value]))),
                    None if kind == DictKind::Ordered => {
                        Err(self.raise("KeyError", "dictionary is empty"))
                    }
                    None => Err(self.raise("KeyError", "popitem(): dictionary is empty")),
                }
            }
            ("move_to_end", [wanted]) if kind == DictKind::Ordered => {
                self.move_key(id, wanted, last)
            }
            ("most_common" | "total" | "elements", _) if kind == DictKind::Counter => {
                self.counted(id, name, arguments)
            }
            _ => Ok(None),
        }
    }

    /// Moves a key of an ordered dict to its end or its beginning.
    fn move_key(&mut self, id: ObjectId, wanted: &Value, last: bool) -> Known {
        let Some(key) = self.plain_key(wanted)? else {
            return Ok(None);
        };
        let Object::Dict(entries, _) = self.heap.get_mut(id) else {
            return Ok(None);
        };
        let Some(pair) = entries.shift_remove(&key) else {
            // The exception is created from the key: no arguments for `None`, the items of
            // a tuple.
            let arguments = match wanted {
                Value::None => Vec::new(),
                key => match self.heap.object(key) {
                    Some(Object::Tuple(items)) => items.to_vec(),
                    _ => vec![key.clone()],
                },
            };
            return Err(self.raise_with("KeyError", arguments));
        };
        let at = if last { entries.len() } else { 0 };
        entries.shift_insert(at, key, pair);
        NONE
    }

    /// Returns the pairs with which a dict is updated.
    pub(in crate::machine) fn pairs_of(&mut self, value: &Value) -> Option<Vec<(Value, Value)>> {
        if let Some(Object::Dict(entries, _)) = self.heap.object(value) {
            return Some(entries.values().cloned().collect());
        }
        if self.is_own(value) && self.is_instance(value) {
            return None;
        }
        let mut pairs = Vec::new();
        for item in self.items_in_order(value)? {
            match self.known_items(&item)?.as_slice() {
                [key, value] => pairs.push((key.clone(), value.clone())),
                _ => return None,
            }
        }
        Some(pairs)
    }

    /// Returns the error for a value from which no dict can be made. `None` if it is unknown.
    fn no_pairs(&mut self, of: ObjectId, value: &Value) -> Known {
        if matches!(
            value,
            Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::None
        ) {
            return Err(self.not_iterable(value));
        }
        if self.is_instance(value) || self.is_iterator(value) {
            return Ok(None);
        }
        let is_ordered = matches!(self.heap.get(of), Object::Dict(_, DictKind::Ordered));
        let items = self.items_in_order(value).unwrap_or_default();
        for (at, item) in items.iter().enumerate() {
            let length = self.known_items(item).map(|parts| parts.len());
            let is_plain = matches!(
                item,
                Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::None
            );
            let (kind, message) = match length {
                Some(2) => continue,
                Some(length) if is_ordered => ("ValueError", not_two(length)),
                Some(length) => (
                    "ValueError",
                    format!(
                        "dictionary update sequence element #{at} has length {length}; 2 is required"
                    ),
                ),
                None if is_plain && is_ordered => return Err(self.not_iterable(item)),
                None if is_plain => (
                    "TypeError",
                    format!(
                        "cannot convert dictionary update sequence element #{at} to a sequence"
                    ),
                ),
                None => return Ok(None),
            };
            let before = self.heap.list(items[..at].to_vec());
            if let Some(pairs) = self.pairs_of(&before) {
                self.put_all(of, pairs)?;
            }
            return Err(self.raise(kind, &message));
        }
        Ok(None)
    }

    /// Puts the arguments of `dict(…)` or `update(…)` into a dict.
    pub(in crate::machine) fn put_given(
        &mut self,
        id: ObjectId,
        of: &[Value],
        keywords: &Keywords,
    ) -> Known {
        let mut pairs = Vec::new();
        if let [of] = of {
            match self.pairs_of(of) {
                Some(found) => pairs = found,
                None => return self.no_pairs(id, of),
            }
        }
        let named = keywords.iter();
        pairs.extend(named.map(|(name, value)| (Value::Str(name.clone()), value.clone())));
        self.put_all(id, pairs)
    }

    pub(in crate::machine) fn put_all(
        &mut self,
        id: ObjectId,
        pairs: Vec<(Value, Value)>,
    ) -> Known {
        let mut keyed = Vec::new();
        let mut refused = None;
        for (name, value) in pairs {
            match self.plain_key(&name) {
                Ok(Some(key)) => keyed.push((key, name, value)),
                Ok(None) => return Ok(None),
                // Those before it are put, as CPython does.
                Err(flow) => {
                    refused = Some(flow);
                    break;
                }
            }
        }
        self.charge(keyed.len());
        if let Object::Dict(entries, _) = self.heap.get_mut(id) {
            for (key, name, value) in keyed {
                put(entries, key, name, value);
            }
        }
        match refused {
            Some(flow) => Err(flow),
            None => NONE,
        }
    }

    /// `left | right` of dicts.
    pub(in crate::machine) fn merged(
        &mut self,
        left: &Value,
        right: &Value,
        inplace: bool,
    ) -> Known {
        let (Some(Object::Dict(entries, kind)), Some(Object::Dict(_, other))) =
            (self.heap.object(left), self.heap.object(right))
        else {
            return Ok(None);
        };
        // Counters have their own operator. Combined with other dicts, they count as dicts.
        let is_counter = *kind == DictKind::Counter;
        if is_counter && (inplace || *other == DictKind::Counter) {
            return Ok(None);
        }
        let has_own = |kind: &DictKind| matches!(kind, DictKind::Ordered | DictKind::Default(_));
        let made = match (has_own(kind), has_own(other)) {
            (true, _) => kind.clone(),
            (false, true) => other.clone(),
            (false, false) => DictKind::Plain,
        };
        let copy = Object::Dict(entries.clone(), made);
        let (Some(pairs), Some(id)) = (self.pairs_of(right), left.id()) else {
            return Ok(None);
        };
        let target = if inplace { id } else { self.heap.add(copy) };
        if self.put_all(target, pairs)?.is_none() {
            return Ok(None);
        }
        self.count_folded();
        self.dict_changed(target);
        Ok(Some(Value::Object(target)))
    }
}

fn put(entries: &mut Entries, key: Key, name: Value, value: Value) {
    // The key that was inserted first stays.
    match entries.get_mut(&key) {
        Some(entry) => entry.1 = value,
        None => drop(entries.insert(key, (name, value))),
    }
}

fn clamped(at: i64, length: usize) -> usize {
    let at = if at < 0 { at + length as i64 } else { at };
    usize::try_from(at).unwrap_or(0).min(length)
}

fn drop_surplus(items: &mut VecDeque<Value>, most: Option<usize>, left: bool) {
    if most.is_some_and(|most| items.len() > most) {
        if left {
            items.pop_front();
        } else {
            items.pop_back();
        }
    }
}

/// Returns the message of an `OrderedDict` for a sequence of `length` items in place of a key and a
/// value.
fn not_two(length: usize) -> String {
    match length {
        0 | 1 => {
            let plural = if length == 1 { "" } else { "s" };
            format!("need more than {length} value{plural} to unpack")
        }
        _ => "too many values to unpack (expected 2)".to_owned(),
    }
}
