//! Items of containers and iterators.

use crate::fold::compare;
use crate::fold::type_name::reversed_name;
use crate::machine::eval::eval_loop::broken;
use crate::machine::eval::plain_items::plain_item;
use crate::machine::{Flow, Machine, Run};
use crate::operation::Operation;
use crate::value::{Iterator, Object, ObjectId, Value};

impl Machine {
    /// `_next`
    pub(super) fn intrinsic_next(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [it] => {
                let end = self.end();
                self.next_of(it, Some(end))
            }
            _ => Err(broken("call")),
        }
    }

    /// `_row(iterators)`: returns the next item of each as a tuple. `_END` if one of them has to be
    /// advanced by itself, or is exhausted.
    pub(super) fn intrinsic_row(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let iterators = arguments.first().and_then(|list| self.heap.object(list));
        let row = match iterators {
            Some(Object::List(iterators)) => self.row_of(iterators),
            _ => return Err(broken("call")),
        };
        let Some(row) = row else {
            return Ok(Some(self.end()));
        };
        let mut items = Vec::with_capacity(row.len());
        for (id, item) in row {
            if let Object::Iterator(Iterator::Sequence { next, .. }) = self.heap.get_mut(id) {
                *next += 1;
            }
            items.push(item);
        }
        Ok(Some(self.heap.tuple(items)))
    }

    /// Returns the next items of distinct iterators over lists, tuples and ranges.
    fn row_of(&self, iterators: &[Value]) -> Option<Vec<(ObjectId, Value)>> {
        if !self.doubts.unknown.is_empty() || !self.heap.stand_ins.is_empty() {
            return None;
        }
        let mut row: Vec<(ObjectId, Value)> = Vec::with_capacity(iterators.len());
        for iterator in iterators {
            let id = iterator.id()?;
            let Object::Iterator(Iterator::Sequence { of, next }) = self.heap.get(id) else {
                return None;
            };
            if row.iter().any(|(other, _)| *other == id) {
                return None;
            }
            row.push((id, plain_item(&self.heap, *of, *next)?));
        }
        Some(row)
    }

    /// `_len`
    pub(super) fn intrinsic_len(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Str(text)] => Value::Int(match text.is_ascii() {
                true => text.len() as i64,
                false => text.chars().count() as i64,
            }),
            [value] => {
                let known = match self.heap.object(value) {
                    Some(Object::List(items)) => Some(items.len()),
                    Some(Object::Tuple(items)) => Some(items.len()),
                    Some(Object::Bytearray(bytes)) => Some(bytes.len()),
                    Some(Object::Set(all) | Object::Frozenset(all)) => Some(all.len()),
                    _ => self.known_items(value).map(|items| items.len()),
                };
                let known = known.or_else(|| self.stand_in(value).map(|one| one.count));
                Value::Int(known.ok_or_else(|| broken("length"))? as i64)
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_push`
    pub(super) fn intrinsic_push(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [list, item] => {
                match list.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::List(items)) => items.push(item.clone()),
                    _ => return Err(broken("list")),
                }
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_pop`
    pub(super) fn intrinsic_pop(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [list] => match list.id().map(|id| self.heap.get_mut(id)) {
                Some(Object::List(items)) => items.pop().ok_or_else(|| broken("item"))?,
                _ => return Err(broken("list")),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_put`
    pub(super) fn intrinsic_put(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [list, Value::Int(at), item] => {
                match list.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::List(items)) => {
                        let at = usize::try_from(*at).unwrap_or(0).min(items.len());
                        items.insert(at, item.clone());
                    }
                    _ => return Err(broken("list")),
                }
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_items`
    pub(super) fn intrinsic_items(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => match self.known_items(value) {
                Some(items) => self.heap.list(items),
                None => self.end(),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_scalars`: whether `+` and `*` of these are never asked.
    pub(super) fn intrinsic_scalars(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => {
                let items = self.known_items(value).unwrap_or_default();
                Value::Bool(items.iter().all(|item| match self.heap.object(item) {
                    None | Some(Object::Instance { .. } | Object::Tuple(_)) => true,
                    Some(_) => false,
                }))
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_sort_by`
    pub(super) fn intrinsic_sort_by(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [items, keys, reverse] => {
                if let Some(sorted) = self.fold_sorted(items, keys, reverse) {
                    return Ok(Some(sorted));
                }
                // Items without an order, or without one between them: each comparison decides, or
                // raises.
                if self.settings.fold.operators() && self.items_of(keys) < 64 {
                    return self.prelude_call("_timsort", arguments.to_vec(), Vec::new());
                }
                if items == keys {
                    let keywords = vec![("reverse".into(), reverse.clone())];
                    let keywords = if *reverse == Value::Bool(false) {
                        Vec::new()
                    } else {
                        keywords
                    };
                    return Err(self.ask_call("sorted", vec![items.clone()], keywords));
                }
                Err(self.ask_operation(Operation::SortBy, arguments.to_vec()))
            }
            _ => Err(broken("call")),
        }
    }

    /// `_unordered`
    pub(super) fn intrinsic_unordered(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => match self.without_order(value) {
                Some(items) => self.heap.list(items),
                None => self.end(),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_guess_order`
    pub(super) fn intrinsic_guess_order(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => {
                if let Some(id) = value.id() {
                    self.record.guess_order(id.0, self.items_of(value));
                }
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_final_next`
    pub(super) fn intrinsic_final_next(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => self.next_final(),
            _ => return Err(broken("call")),
        }))
    }

    /// `_left`: returns how many items an iterator of the machine has left.
    pub(super) fn intrinsic_left(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [it] => match self.heap.object(it) {
                Some(Object::Iterator(state)) => match self.left_in(&state.clone()) {
                    Some(left) => Value::Int(left as i64),
                    None => return Err(Flow::Unsupported("__length_hint__ of that".into())),
                },
                _ => return Err(Flow::Unsupported("__length_hint__ of that".into())),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_reverse_iter`
    pub(super) fn intrinsic_reverse_iter(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [sequence] => {
                let of = sequence.id();
                let items = self.known_items(sequence);
                match (self.heap.object(sequence), of, items) {
                    (
                        Some(Object::List(_) | Object::Tuple(_) | Object::Deque(..)),
                        Some(of),
                        Some(items),
                    ) => self.heap.make(Object::Iterator(Iterator::Reversed {
                        of,
                        next: items.len(),
                    })),
                    (Some(Object::Set(_) | Object::Frozenset(_)), ..) => self.end(),
                    (_, _, Some(mut items)) => {
                        let kind = reversed_name(&self.heap, sequence);
                        items.reverse();
                        let of = items.into();
                        self.heap.make(Object::Iterator(Iterator::Items {
                            of,
                            next: 0,
                            kind,
                            set: None,
                        }))
                    }
                    _ => self.end(),
                }
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_identical`: is called before a comparison, so equal texts and numbers need not be known to
    /// be one object.
    pub(super) fn intrinsic_identical(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [left, right] => match (left, right) {
                (Value::Float(x), Value::Float(_)) if x.is_nan() => {
                    Value::Bool(self.is_same(left, right)?)
                }
                _ => Value::Bool(compare::is_same(left, right).unwrap_or(false)),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_zipped`
    pub(super) fn intrinsic_zipped(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [left, right] => {
                let left = self.known_items(left).ok_or_else(|| broken("items"))?;
                let right = self.known_items(right).ok_or_else(|| broken("items"))?;
                let pairs = left.into_iter().zip(right);
                let pairs = pairs.map(|(a, b)| self.heap.tuple(vec![a, b])).collect();
                self.heap.list(pairs)
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_filled`
    pub(super) fn intrinsic_filled(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value, Value::Int(count)] => {
                let count = usize::try_from(*count).unwrap_or(0);
                if count > 1 << 22 {
                    return Err(Flow::Unsupported("a list as long as that".to_string()));
                }
                self.heap.list(vec![value.clone(); count])
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_range`
    pub(super) fn intrinsic_range(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [stop] => {
                let bounds = [Value::Int(0), stop.clone(), Value::Int(1)];
                self.range_of(bounds)?
            }
            [start, stop] => {
                let bounds = [start.clone(), stop.clone(), Value::Int(1)];
                self.range_of(bounds)?
            }
            [start, stop, step] => self.range_of([start.clone(), stop.clone(), step.clone()])?,
            _ => return Err(broken("call")),
        }))
    }
}
