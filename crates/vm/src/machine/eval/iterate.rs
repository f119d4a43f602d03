//! Iteration: iterators of builtin values, unpacking, `*` and `**` in displays, patterns.

use crate::fold::{BinaryOp, Folded, subscript};
use crate::machine::eval::eval_loop::broken;
use crate::machine::objects::user_hash::Until;
use crate::machine::{After, Flow, Machine, Run};
use crate::operation::Operation;
use crate::value::{DictKind, Iterator, Object, ObjectId, Value, View};

impl Machine {
    /// `iter(value)`
    pub(in crate::machine) fn iter(&mut self, value: &Value) -> Run<Value> {
        let iterator = match value {
            Value::Str(text) => Iterator::Text {
                of: text.clone(),
                next: 0,
            },
            Value::Bytes(bytes) => Iterator::Bytes {
                of: bytes.clone(),
                next: 0,
            },
            Value::Object(id) => {
                let of = *id;
                match self.heap.get(of) {
                    Object::List(_)
                    | Object::Tuple(_)
                    | Object::Range(..)
                    | Object::Bytearray(_) => Iterator::Sequence { of, next: 0 },
                    Object::Deque(items, _) => Iterator::Deque {
                        of,
                        next: 0,
                        size: items.len(),
                    },
                    Object::Dict(entries, _) => Iterator::Dict {
                        of,
                        view: View::Keys,
                        next: 0,
                        size: entries.len(),
                        last: None,
                    },
                    Object::DictView { of, view } => {
                        let (of, view) = (*of, *view);
                        let size = self.heap.dict_len(of);
                        Iterator::Dict {
                            of,
                            view,
                            next: 0,
                            size,
                            last: None,
                        }
                    }
                    Object::Iterator(_) | Object::Generator { .. } => return Ok(value.clone()),
                    Object::Set(_) | Object::Frozenset(_) => {
                        if let Some(size) = self.keep_own_table(of) {
                            let live = Iterator::Set { of, next: 0, size };
                            return Ok(self.heap.make(Object::Iterator(live)));
                        }
                        let items = self.set_items(of)?;
                        let Some(items) = items else {
                            self.after = After::Again;
                            let operands = vec![value.clone()];
                            return Err(self.ask_operation(Operation::Items, operands));
                        };
                        Iterator::Items {
                            set: Some((of, items.len())),
                            of: items.into(),
                            next: 0,
                            kind: "set_iterator",
                        }
                    }
                    Object::Opaque { .. } => {
                        self.after = After::Again;
                        return Err(self.ask_operation(Operation::Items, vec![value.clone()]));
                    }
                    Object::Builtin(_) => match self.stream_lines(value) {
                        Some(lines) => lines,
                        None => return Err(self.not_iterable(value)),
                    },
                    Object::Instance { .. } | Object::Class(_) if self.members(of).is_none() => {
                        if let Some(iter) = self.special(value, "__iter__") {
                            return Err(self.helper("_iterator_by", vec![iter])?);
                        }
                        if let Some(get) = self.special(value, "__getitem__") {
                            let helper = self.prelude_value("_by_index")?;
                            return Err(Flow::Call(helper, vec![get]));
                        }
                        return Err(self.not_iterable(value));
                    }
                    Object::Class(_) => match self.members(of) {
                        Some(members) => Iterator::Items {
                            of: members.into(),
                            next: 0,
                            kind: "generator",
                            set: None,
                        },
                        None => return Err(self.not_iterable(value)),
                    },
                    _ => return Err(self.not_iterable(value)),
                }
            }
            _ => return Err(self.not_iterable(value)),
        };
        Ok(self.heap.make(Object::Iterator(iterator)))
    }

    pub(in crate::machine) fn not_iterable(&mut self, value: &Value) -> Flow {
        let message = format!("'{}' object is not iterable", self.type_name(value));
        self.raise("TypeError", &message)
    }

    /// Returns the elements of a set in its own order, if that is known.
    pub(in crate::machine) fn set_items(&mut self, id: ObjectId) -> Run<Option<Vec<Value>>> {
        let (Object::Set(elements) | Object::Frozenset(elements)) = self.heap.get(id) else {
            return Err(broken("set"));
        };
        if elements.len() < 2 {
            return Ok(Some(elements.values().cloned().collect()));
        }
        let size = elements.len();
        let (items, is_guess) = match self.table_of(id) {
            Some(table) => (table.elements().into_values().collect(), table.is_guess()),
            None => (elements.values().cloned().collect(), true),
        };
        if is_guess {
            self.record.guess_order(id.0, size);
        }
        Ok(Some(items))
    }

    /// Returns the elements of a set whose order is a guess, for uses that do not depend on it.
    /// `None` for any other value.
    pub(in crate::machine) fn without_order(&self, set: &Value) -> Option<Vec<Value>> {
        let Some(Object::Set(_) | Object::Frozenset(_)) = self.heap.object(set) else {
            return None;
        };
        let table = self.table_of(set.id()?)?;
        let items = || table.elements().into_values().collect();
        table.is_guess().then(items)
    }

    /// Whether a value is an iterator, whose items can be taken only once.
    pub(in crate::machine) fn is_iterator(&self, value: &Value) -> bool {
        matches!(
            self.heap.object(value),
            Some(Object::Iterator(_) | Object::Generator { .. })
        )
    }

    /// Returns the next item of an iterator.
    pub(in crate::machine) fn advance_iterator(
        &mut self,
        state: &mut Iterator,
    ) -> Run<Option<Value>> {
        Ok(match state {
            Iterator::Done { .. } => None,
            Iterator::Lines { bytes } => self.input_line(*bytes, None)?,
            Iterator::Text { of, next } => of[*next..].chars().next().map(|c| {
                *next += c.len_utf8();
                Value::str(c.encode_utf8(&mut [0; 4]))
            }),
            Iterator::Bytes { of, next } => of.get(*next).map(|byte| {
                *next += 1;
                Value::Int(i64::from(*byte))
            }),
            Iterator::Items { of, next, set, .. } => {
                if set.is_some_and(|(id, size)| self.items_of(&Value::Object(id)) != size) {
                    let message = "Set changed size during iteration";
                    return Err(self.raise("RuntimeError", message));
                }
                of.get(*next).cloned().inspect(|_| *next += 1)
            }
            Iterator::Set { of, next, size } => {
                if self.items_of(&Value::Object(*of)) != *size {
                    *size = usize::MAX;
                    let message = "Set changed size during iteration";
                    return Err(self.raise("RuntimeError", message));
                }
                if self.keep_own_table(*of).is_none() {
                    let what = "a set that is changed while it is iterated".to_string();
                    return Err(Flow::Unsupported(what));
                }
                let found = (self.heap.tables.get(of)).and_then(|table| table.from(*next));
                found.map(|(item, behind)| {
                    *next = behind;
                    item
                })
            }
            Iterator::Deque { of, next, size } => {
                if self.items_of(&Value::Object(*of)) != *size {
                    return Err(self.raise("RuntimeError", "deque mutated during iteration"));
                }
                *next += 1;
                self.item_at(*of, *next - 1)?
            }
            Iterator::Sequence { of, next } => {
                let item = self.item_at(*of, *next)?;
                *next += 1;
                item
            }
            Iterator::Reversed { of, next } => match next.checked_sub(1) {
                Some(at) => {
                    *next = at;
                    self.item_at(*of, at)?
                }
                None => None,
            },
            Iterator::Dict {
                of,
                view,
                next,
                size,
                last,
            } => {
                let Object::Dict(entries, kind) = self.heap.get(*of) else {
                    return Ok(None);
                };
                let is_ordered = *kind == DictKind::Ordered;
                // In a dict that lost keys and got as many others, the position is not known.
                let before = next.checked_sub(1).and_then(|at| entries.get_index(at));
                let is_moved = before.map(|(key, _)| key) != last.as_ref();
                if is_ordered && (is_moved || entries.len() != *size) {
                    *size = usize::MAX;
                    let message = "OrderedDict mutated during iteration";
                    return Err(self.raise("RuntimeError", message));
                }
                if entries.len() == *size && is_moved {
                    let what = "a dict whose keys change while it is iterated".to_string();
                    return Err(Flow::Unsupported(what));
                }
                if entries.len() != *size {
                    *size = usize::MAX;
                    let message = "dictionary changed size during iteration";
                    return Err(self.raise("RuntimeError", message));
                }
                let entry = entries.get_index(*next);
                if let Some((key, _)) = entry {
                    *last = Some(key.clone());
                }
                let entry = entry.map(|(_, pair)| pair.clone());
                *next += usize::from(entry.is_some());
                match (entry, *view) {
                    (None, _) => None,
                    (Some((key, _)), View::Keys) => Some(key),
                    (Some((_, value)), View::Values) => Some(value),
                    (Some((key, value)), View::Items) => Some(self.heap.tuple(vec![key, value])),
                }
            }
        })
    }

    /// Returns how many items an iterator has left. `None` if that is not known.
    pub(in crate::machine) fn left_in(&self, state: &Iterator) -> Option<usize> {
        let items = |of: &ObjectId| match self.heap.get(*of) {
            Object::Range(Value::Int(start), Value::Int(stop), Value::Int(step)) => {
                let span = if *step > 0 {
                    stop - start
                } else {
                    start - stop
                };
                usize::try_from((span + step.abs() - 1).max(0) / step.abs()).ok()
            }
            Object::Range(..) => None,
            object => Some(object.items()),
        };
        Some(match state {
            Iterator::Done { .. } => 0,
            Iterator::Lines { .. } => return None,
            Iterator::Text { of, next } => of[*next..].chars().count(),
            Iterator::Bytes { of, next } => of.len() - next,
            Iterator::Items { of, next, .. } => of.len() - next,
            Iterator::Reversed { of, next } => (*next).min(items(of)?),
            Iterator::Sequence { of, next } => items(of)?.saturating_sub(*next),
            Iterator::Deque { of, next, size } | Iterator::Dict { of, next, size, .. } => {
                match items(of)? == *size {
                    true => size.saturating_sub(*next),
                    false => 0,
                }
            }
            Iterator::Set { of, next, size } => match items(of)? == *size {
                true => self.heap.tables.get(of)?.left_from(*next),
                false => 0,
            },
        })
    }

    fn item_at(&mut self, of: ObjectId, at: usize) -> Run<Option<Value>> {
        let sequence = Value::Object(of);
        match self.heap.get(of) {
            Object::List(items) => Ok(items.get(at).cloned()),
            Object::Tuple(items) => Ok(items.get(at).cloned()),
            Object::Deque(items, _) => Ok(items.get(at).cloned()),
            Object::Bytearray(bytes) => Ok(bytes.get(at).map(|b| Value::Int(i64::from(*b)))),
            Object::Range(Value::Int(start), Value::Int(stop), Value::Int(step)) => {
                let offset = i64::try_from(at).ok().and_then(|at| step.checked_mul(at));
                let item = offset.and_then(|offset| start.checked_add(offset));
                let inside = |item: &i64| if *step > 0 { item < stop } else { item > stop };
                Ok(item.filter(inside).map(Value::Int))
            }
            Object::Range(..) => {
                let at = Value::Int(i64::try_from(at).unwrap_or(i64::MAX));
                match subscript::get(&mut self.heap, &sequence, &at) {
                    Folded::Value(value) => Ok(Some(value)),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Returns the members of an enumeration without their aliases.
    fn members(&self, class: ObjectId) -> Option<Vec<Value>> {
        // Of a flag, only the members of one bit.
        let bits = self.class_attribute(class, "_bits_");
        let map = bits.or_else(|| self.class_attribute(class, "_member_map_"))?;
        let Some(Object::Dict(members, _)) = self.heap.object(&map) else {
            return None;
        };
        let named = |(name, member): &&(Value, Value)| match self.heap.object(member) {
            Some(Object::Instance { attributes, .. }) => attributes.get("_name_") == Some(name),
            _ => false,
        };
        let members = members.values().filter(named);
        Some(members.map(|(_, member)| member.clone()).collect())
    }

    /// Returns the items of a value if they are known without asking or executing anything.
    pub(in crate::machine) fn known_items(&mut self, value: &Value) -> Option<Vec<Value>> {
        match value {
            Value::Str(text) => {
                let mut buffer = [0; 4];
                Some(
                    text.chars()
                        .map(|c| Value::str(c.encode_utf8(&mut buffer)))
                        .collect(),
                )
            }
            Value::Bytes(bytes) => Some(bytes.iter().map(|b| Value::Int(i64::from(*b))).collect()),
            Value::Object(id) => match self.heap.get(*id) {
                Object::List(items) => Some(items.clone()),
                Object::Tuple(items) => Some(items.to_vec()),
                Object::Deque(items, _) => Some(items.iter().cloned().collect()),
                Object::Bytearray(bytes) => {
                    Some(bytes.iter().map(|b| Value::Int(i64::from(*b))).collect())
                }
                Object::Dict(entries, _) => {
                    Some(entries.values().map(|(key, _)| key.clone()).collect())
                }
                Object::DictView { of, view } => {
                    let view = *view;
                    let Object::Dict(entries, _) = self.heap.get(*of) else {
                        return None;
                    };
                    let pairs: Vec<(Value, Value)> = entries.values().cloned().collect();
                    let pick = |(key, item): (Value, Value)| match view {
                        View::Keys => key,
                        View::Values => item,
                        View::Items => self.heap.tuple(vec![key, item]),
                    };
                    Some(pairs.into_iter().map(pick).collect())
                }
                Object::Set(elements) | Object::Frozenset(elements) if elements.len() < 2 => {
                    Some(elements.values().cloned().collect())
                }
                Object::Range(..) => {
                    let mut items = Vec::new();
                    let of = *id;
                    while let Ok(Some(item)) = self.item_at(of, items.len()) {
                        items.push(item);
                        if items.len() > 1 << 20 {
                            return None;
                        }
                    }
                    Some(items)
                }
                Object::Class(_) => self.members(*id),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the call with which the runtime takes all items of an iterable into a list.
    pub(in crate::machine) fn take_all(&mut self, value: Value, helper: &str) -> Flow {
        match self.prelude_value(helper) {
            Ok(helper) => Flow::Call(helper, vec![value]),
            Err(flow) => flow,
        }
    }

    /// Pops an iterable and returns its items. The same instruction may be executed again with a
    /// list in its place.
    pub(in crate::machine) fn pop_iterable(&mut self, helper: &str) -> Run<Vec<Value>> {
        let value = self.pop()?;
        if let Some(items) = self.known_items(&value) {
            return Ok(items);
        }
        let iterable = matches!(
            self.heap.object(&value),
            Some(
                Object::Instance { .. }
                    | Object::Iterator(_)
                    | Object::Generator { .. }
                    | Object::Set(_)
                    | Object::Frozenset(_)
                    | Object::Opaque { .. }
                    | Object::Builtin(_)
                    | Object::Range(..)
            )
        );
        if !iterable {
            return Err(self.not_iterable(&value));
        }
        self.after = After::Again;
        Err(self.take_all(value, helper))
    }

    pub(in crate::machine) fn set_update(&mut self, depth: usize) -> Run<()> {
        let more = self.peek(1)?;
        let set = self.peek(depth + 1)?;
        self.join_own_keys(&more, &set, Until::End)?;
        if matches!(
            self.heap.object(&more),
            Some(Object::Set(_) | Object::Frozenset(_))
        ) && self.set_joined(BinaryOp::Or, &set, &more, true).is_some()
        {
            return self.pop().map(|_| ());
        }
        let items = self.pop_iterable("_all")?;
        for item in items {
            let key = self.key_in(&set, &item)?;
            if let Some(Object::Set(elements)) = set.id().map(|id| self.heap.get_mut(id)) {
                elements.entry(key).or_insert(item);
            }
        }
        Ok(())
    }

    pub(in crate::machine) fn dict_update(&mut self, depth: usize, merge: bool) -> Run<()> {
        let (more, dict) = (self.peek(1)?, self.peek(depth + 1)?);
        self.join_own_keys(&more, &dict, Until::End)?;
        self.pop()?;
        if self.special(&more, "keys").is_some() {
            self.after = After::Again;
            return Err(self.take_all(more, "_dict_of"));
        }
        let Some(Object::Dict(items, _)) = self.heap.object(&more) else {
            return Err(self.no_mapping(&more, depth, merge));
        };
        let more = items;
        let more = more.clone();
        for (key, (name, value)) in more {
            let Some(Object::Dict(entries, _)) = dict.id().map(|id| self.heap.get_mut(id)) else {
                return Err(broken("dict"));
            };
            if merge && entries.contains_key(&key) {
                let Value::Str(name) = name else {
                    return Err(broken("keyword"));
                };
                let function = self.peek(depth + 2)?;
                let called = self.called_name(&function);
                let message = format!("{called} got multiple values for keyword argument '{name}'");
                return Err(self.raise("TypeError", &message));
            }
            entries.entry(key).or_insert_with(|| (name, Value::None)).1 = value;
        }
        Ok(())
    }

    /// Returns the items to unpack. One more than needed is taken from an iterator.
    fn items_to_unpack(&mut self, count: usize, all: bool) -> Run<Vec<Value>> {
        let value = self.pop()?;
        let lazy = self.is_iterator(&value)
            || self.stream_lines(&value).is_some()
            || self.is_instance(&value) && self.may_iterate(&value);
        if lazy && !all {
            let helper = self.prelude_value("_take")?;
            self.after = After::Again;
            let most = Value::Int(i64::try_from(count + 1).unwrap_or(i64::MAX));
            return Err(Flow::Call(helper, vec![value, most]));
        }
        if self.known_items(&value).is_none() && !lazy {
            let kind = self.type_name(&value);
            if !matches!(kind.as_str(), "set" | "frozenset" | "range")
                && !matches!(self.heap.object(&value), Some(Object::Opaque { .. }))
            {
                let message = format!("cannot unpack non-iterable {kind} object");
                return Err(self.raise("TypeError", &message));
            }
        }
        self.top()?.stack.push(Some(value));
        self.pop_iterable("_all")
    }

    pub(in crate::machine) fn unpack_sequence(&mut self, count: usize) -> Run<()> {
        let items = self.items_to_unpack(count, false)?;
        if items.len() < count {
            let message = format!(
                "not enough values to unpack (expected {count}, got {})",
                items.len()
            );
            return Err(self.raise("ValueError", &message));
        }
        if items.len() > count {
            let message = format!("too many values to unpack (expected {count})");
            return Err(self.raise("ValueError", &message));
        }
        self.count_folded();
        self.top()?.stack.extend(items.into_iter().rev().map(Some));
        Ok(())
    }

    pub(in crate::machine) fn unpack_ex(&mut self, before: usize, behind: usize) -> Run<()> {
        let mut items = self.items_to_unpack(before + behind, true)?;
        if items.len() < before + behind {
            let message = format!(
                "not enough values to unpack (expected at least {}, got {})",
                before + behind,
                items.len()
            );
            return Err(self.raise("ValueError", &message));
        }
        let last = items.split_off(items.len() - behind);
        let middle = items.split_off(before);
        let middle = self.heap.list(middle);
        let stack = &mut self.top()?.stack;
        stack.extend(last.into_iter().rev().map(Some));
        stack.push(Some(middle));
        stack.extend(items.into_iter().rev().map(Some));
        Ok(())
    }
}
