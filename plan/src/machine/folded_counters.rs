//! Methods of `Counter` whose arguments are known.

use super::Machine;
use super::folded_methods::Known;
use crate::value::{Iterator, Object, ObjectId, Value};

const NONE: Known = Ok(Some(Value::None));

impl Machine {
    /// `Counter.update` and `Counter.subtract`
    pub(super) fn count_all(&mut self, id: ObjectId, of: &Value, subtract: bool) -> Known {
        let mut changes = Vec::new();
        if let Some(Object::Dict(entries, _)) = self.heap.object(of) {
            for (key, (name, count)) in entries {
                let Value::Int(count) = count else {
                    return Ok(None);
                };
                changes.push((key.clone(), name.clone(), *count));
            }
        } else {
            let Some(items) = self.items_in_order(of) else {
                return Ok(None);
            };
            for item in items {
                match self.plain_key(&item)? {
                    Some(key) => changes.push((key, item, 1)),
                    None => return Ok(None),
                }
            }
        }
        let Object::Dict(entries, _) = self.heap.get_mut(id) else {
            return Ok(None);
        };
        if !entries
            .values()
            .all(|(_, count)| matches!(count, Value::Int(_)))
        {
            return Ok(None);
        }
        for (key, name, count) in changes {
            let count = if subtract { -count } else { count };
            if let (_, Value::Int(sum)) = entries.entry(key).or_insert((name, Value::Int(0))) {
                *sum = sum.saturating_add(count);
            }
        }
        NONE
    }

    /// Methods of a `Counter` that look at its counts.
    pub(super) fn counted(&mut self, id: ObjectId, name: &str, arguments: &[Value]) -> Known {
        let Object::Dict(entries, _) = self.heap.get(id) else {
            return Ok(None);
        };
        let pair = |(name, count): &(Value, Value)| match count {
            Value::Int(count) => Some((name.clone(), *count)),
            _ => None,
        };
        let pairs: Option<Vec<(Value, i64)>> = entries.values().map(pair).collect();
        let Some(mut pairs) = pairs else {
            return Ok(None);
        };
        self.charge(pairs.len());
        match (name, arguments) {
            ("total", []) => Ok(Some(Value::Int(pairs.iter().map(|(_, count)| count).sum()))),
            ("elements", []) if pairs.iter().map(|(_, count)| count).sum::<i64>() < 1 << 16 => {
                let repeated = pairs.into_iter().flat_map(|(name, count)| {
                    std::iter::repeat_n(name, usize::try_from(count).unwrap_or(0))
                });
                let of = repeated.collect::<Vec<Value>>().into();
                let kind = "iterator";
                Ok(Some(self.heap.make(Object::Iterator(Iterator::Items {
                    of,
                    next: 0,
                    kind,
                }))))
            }
            ("most_common", [] | [Value::None | Value::Int(_)]) => {
                pairs.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
                if let [Value::Int(most)] = arguments {
                    pairs.truncate(usize::try_from(*most).unwrap_or(0));
                }
                let pair = |(name, count)| self.heap.tuple(vec![name, Value::Int(count)]);
                let pairs = pairs.into_iter().map(pair).collect();
                Ok(Some(self.heap.list(pairs)))
            }
            _ => Ok(None),
        }
    }
}
