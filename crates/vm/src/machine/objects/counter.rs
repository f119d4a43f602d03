//! Methods of `Counter` with known arguments, and its operators.

use crate::fold::{BinaryOp, CompareOp, UnaryOp};
use crate::machine::Machine;
use crate::machine::calls::call::Keywords;
use crate::machine::objects::known_methods::Known;
use crate::value::{DictKind, Entries, Iterator, Key, Object, ObjectId, Value};

const NONE: Known = Ok(Some(Value::None));

impl Machine {
    /// `Counter.update` and `Counter.subtract`
    pub(in crate::machine) fn count_all(
        &mut self,
        id: ObjectId,
        of: &Value,
        subtract: bool,
    ) -> Known {
        let mut changes = Vec::new();
        let mut refused = None;
        if *of == Value::None {
            return NONE;
        }
        let is_empty = |machine: &Self| machine.items_of(&Value::Object(id)) == 0;
        if let Some(Object::Dict(entries, _)) = self.heap.object(of)
            && !subtract
            && is_empty(self)
        {
            // The counts are taken over unchanged.
            let entries = entries.clone();
            if let Object::Dict(own, _) = self.heap.get_mut(id) {
                *own = entries;
            }
            return NONE;
        }
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
                match self.plain_key(&item) {
                    Ok(Some(key)) => changes.push((key, item, 1)),
                    Ok(None) => return Ok(None),
                    // Those before it are counted, as CPython does.
                    Err(flow) => {
                        refused = Some(flow);
                        break;
                    }
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
        match refused {
            Some(flow) => Err(flow),
            None => NONE,
        }
    }

    /// The same with keyword arguments, which are counts.
    pub(in crate::machine) fn count_given(
        &mut self,
        id: ObjectId,
        subtract: bool,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Known {
        let counts = self.keyword_dict(keywords.clone());
        let given = match arguments {
            [] | [Value::None] => NONE,
            [of] => self.count_all(id, of, subtract),
            _ => return Ok(None),
        };
        match given? {
            Some(_) => self.count_all(id, &counts, subtract),
            None => Ok(None),
        }
    }

    /// Calls a method of a `Counter` that reads its counts.
    pub(in crate::machine) fn counted(
        &mut self,
        id: ObjectId,
        name: &str,
        arguments: &[Value],
    ) -> Known {
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
                    set: None,
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

    /// `left op right` of two counters. Counts that are not positive are dropped.
    pub(in crate::machine) fn counter_binary(
        &mut self,
        op: BinaryOp,
        inplace: bool,
        left: &Value,
        right: &Value,
    ) -> Option<Value> {
        let combine: fn(i64, i64) -> Option<i64> = match op {
            BinaryOp::Add => i64::checked_add,
            BinaryOp::Subtract => i64::checked_sub,
            BinaryOp::Or => |a, b| Some(a.max(b)),
            BinaryOp::And => |a, b| Some(a.min(b)),
            _ => return None,
        };
        let (mine, others) = (self.integer_counts(left)?, self.integer_counts(right)?);
        let items = mine.len() + others.len();
        let mut result = Entries::default();
        for (key, (name, count)) in mine {
            let count = combine(int(count), count_of(others, key))?;
            if count > 0 {
                result.insert(key.clone(), (name.clone(), Value::Int(count)));
            }
        }
        for (key, (name, count)) in others {
            let count = combine(0, int(count))?;
            if count > 0 && !mine.contains_key(key) {
                result.insert(key.clone(), (name.clone(), Value::Int(count)));
            }
        }
        self.charge(items);
        self.count_folded();
        let result = Object::Dict(result, DictKind::Counter);
        match (inplace, left) {
            (true, Value::Object(id)) => {
                self.heap.replace(*id, result);
                Some(left.clone())
            }
            _ => Some(self.heap.make(result)),
        }
    }

    /// `+counter` and `-counter`
    pub(in crate::machine) fn counter_unary(
        &mut self,
        op: UnaryOp,
        value: &Value,
    ) -> Option<Value> {
        let sign = match op {
            UnaryOp::Positive => 1,
            UnaryOp::Negative => -1,
            _ => return None,
        };
        let counted = self
            .integer_counts(value)?
            .iter()
            .filter_map(|(key, (name, count))| {
                let count = int(count).checked_mul(sign)?;
                (count > 0).then(|| (key.clone(), (name.clone(), Value::Int(count))))
            });
        let result = Object::Dict(counted.collect(), DictKind::Counter);
        self.count_folded();
        Some(self.heap.make(result))
    }

    /// Compares two counters. A missing element counts as zero.
    pub(in crate::machine) fn counter_compare(
        &mut self,
        op: CompareOp,
        left: &Value,
        right: &Value,
    ) -> Option<bool> {
        let (mine, others) = (self.integer_counts(left)?, self.integer_counts(right)?);
        let keys = || mine.keys().chain(others.keys());
        let all = |holds: fn(i64, i64) -> bool| {
            keys().all(|key| holds(count_of(mine, key), count_of(others, key)))
        };
        let is_equal = all(|a, b| a == b);
        let holds = match op {
            CompareOp::Equal => is_equal,
            CompareOp::NotEqual => !is_equal,
            CompareOp::LessEqual => all(|a, b| a <= b),
            CompareOp::GreaterEqual => all(|a, b| a >= b),
            CompareOp::Less => !is_equal && all(|a, b| a <= b),
            CompareOp::Greater => !is_equal && all(|a, b| a >= b),
        };
        self.count_folded();
        Some(holds)
    }

    /// Returns the entries of a counter, if all counts are integers.
    fn integer_counts(&self, value: &Value) -> Option<&Entries> {
        match self.heap.object(value)? {
            Object::Dict(entries, DictKind::Counter) => entries
                .values()
                .all(|(_, count)| matches!(count, Value::Int(_)))
                .then_some(entries),
            _ => None,
        }
    }
}

fn int(count: &Value) -> i64 {
    match count {
        Value::Int(count) => *count,
        _ => 0,
    }
}

fn count_of(counts: &Entries, key: &Key) -> i64 {
    counts.get(key).map_or(0, |(_, count)| int(count))
}
