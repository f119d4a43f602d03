//! Calls that folding answers: functions of numbers, and loops of operators over known items
//! (`len`, `min`, `sorted`, `set`, `Counter`). Without folding they are asked.

use std::collections::VecDeque;

use crate::fold::integer::{self, Integer};
use crate::fold::{
    BinaryOp, CompareOp, Folded, arith, byte_order, compare, hex_floats, mathematics, order_of,
};
use crate::machine::calls::call::Keywords;
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Elements, Entries, Object, Value};

impl Machine {
    /// Returns the value of a call that is folded. `None` if it is walked or asked.
    pub(in crate::machine) fn fold_call(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Value>> {
        if !self.settings.fold.operators() || !keywords.is_empty() {
            return Ok(None);
        }
        if let Some(function) = name.strip_prefix("math.") {
            if let [one] = arguments
                && let Some(pair) = mathematics::pair(function, one)
            {
                return Ok(Some(self.heap.tuple(pair.to_vec())));
            }
            let folded = match (function, arguments) {
                ("dist", [p, q]) => match (self.items_in_order(p), self.items_in_order(q)) {
                    (Some(p), Some(q)) => mathematics::distance(&p, &q),
                    _ => Folded::Unknown,
                },
                _ => mathematics::call(function, arguments),
            };
            return self.settle(folded);
        }
        let folded = match (name, arguments) {
            ("bytes.fromhex", [Value::Str(text)]) => byte_order::from_hex(text),
            ("float.fromhex", [Value::Str(text)]) => hex_floats::read(text),
            ("slice", [stop]) => return Ok(Some(self.slice(Value::None, stop, Value::None))),
            ("slice", [start, stop]) => {
                return Ok(Some(self.slice(start.clone(), stop, Value::None)));
            }
            ("slice", [start, stop, step]) => {
                return Ok(Some(self.slice(start.clone(), stop, step.clone())));
            }
            ("int", []) => Folded::Value(Value::Int(0)),
            ("float", []) => Folded::Value(Value::Float(0.0)),
            ("bool", []) => Folded::Value(Value::Bool(false)),
            ("str", []) => Folded::Value(Value::str("")),
            ("int", [value]) => mathematics::int(value),
            ("float", [value]) => mathematics::float_of(value),
            ("round", [value, digits @ ..]) if digits.len() < 2 => {
                mathematics::round(value, digits.first())
            }
            ("pow", [base, power]) if !self.is_own(base) && !self.is_own(power) => {
                arith::binary(&mut self.heap, BinaryOp::Power, false, base, power)
            }
            ("pow", [base, power, modulus]) => {
                let numbers = [base, power, modulus].map(Integer::of);
                match numbers {
                    [Some(base), Some(power), Some(modulus)] => {
                        if integer::is_long_power(&power, &modulus) {
                            return Err(Flow::Unsupported("a power of that many bits".into()));
                        }
                        integer::power_modulo(&base, &power, &modulus)
                    }
                    _ => Folded::Unknown,
                }
            }
            ("format", [value, spec]) if !self.is_own(value) => {
                return self.fold_format(value, spec);
            }
            ("len", [value]) => self.known_length(value),
            ("range", [Value::Int(_), Value::Int(_), Value::Int(0)]) => {
                Folded::Raise("ValueError", "range() arg 3 must not be zero".to_owned())
            }
            ("range", bounds @ [_, ..]) if bounds.len() < 4 => return Ok(self.fold_range(bounds)),
            ("min" | "max", [one]) => match self.items_in_order(one) {
                Some(items) => self.extreme(name, &items),
                None => Folded::Unknown,
            },
            ("min" | "max", [_, _, ..]) => self.extreme(name, arguments),
            (
                "list"
                | "tuple"
                | "set"
                | "frozenset"
                | "collections.deque"
                | "collections.Counter",
                [of],
            ) => return self.fold_container(name, of),
            _ => Folded::Unknown,
        };
        self.settle(folded)
    }

    fn fold_range(&mut self, bounds: &[Value]) -> Option<Value> {
        let mut numbers = Vec::new();
        for bound in bounds {
            match (bound, mathematics::int(bound)) {
                (Value::Float(_), _) => return None,
                (_, Folded::Value(number)) => numbers.push(number),
                _ => return None,
            }
        }
        let (start, stop, step) = match numbers.as_slice() {
            [stop] => (Value::Int(0), stop.clone(), Value::Int(1)),
            [start, stop] => (start.clone(), stop.clone(), Value::Int(1)),
            [start, stop, step] if *step != Value::Int(0) => {
                (start.clone(), stop.clone(), step.clone())
            }
            _ => return None,
        };
        self.count_folded();
        Some(self.heap.make(Object::Range(start, stop, step)))
    }

    /// Counts work on many items as instructions, so that the instruction limit also limits time.
    pub(in crate::machine) fn charge(&mut self, items: usize) {
        self.budget.instructions += items as u64 / 16;
    }

    /// Returns the number of items of a list, a tuple, a dict or a set.
    pub(in crate::machine) fn items_of(&self, value: &Value) -> usize {
        self.heap.object(value).map_or(0, Object::items)
    }

    fn slice(&mut self, start: Value, stop: &Value, step: Value) -> Value {
        self.heap.make(Object::Slice(start, stop.clone(), step))
    }

    /// Returns the items of a value in the order of a loop over it. `None` if they are not known,
    /// as for a set of the program's own objects.
    pub(in crate::machine) fn items_in_order(&mut self, value: &Value) -> Option<Vec<Value>> {
        let items = match (value, self.heap.object(value)) {
            (Value::Object(id), Some(Object::Set(_) | Object::Frozenset(_))) => {
                self.set_items(*id).ok().flatten()
            }
            _ => self.known_items(value),
        };
        self.charge(items.as_ref().map_or(0, Vec::len));
        items
    }

    fn known_length(&mut self, value: &Value) -> Folded {
        if let Value::Str(text) = value {
            self.charge(text.len() / 16);
        }
        let length = match (value, self.heap.object(value)) {
            (Value::Str(text), _) => Some(text.chars().count()),
            (Value::Bytes(bytes), _) => Some(bytes.len()),
            (_, Some(Object::List(items))) => Some(items.len()),
            (_, Some(Object::Tuple(items))) => Some(items.len()),
            (_, Some(Object::Set(items) | Object::Frozenset(items))) => Some(items.len()),
            (_, Some(Object::Dict(entries, _))) => Some(entries.len()),
            (_, Some(Object::Deque(items, _))) => Some(items.len()),
            (_, Some(Object::Bytearray(bytes))) => Some(bytes.len()),
            (_, Some(Object::DictView { .. } | Object::Range(..))) => {
                self.items_in_order(value).map(|items| items.len())
            }
            _ => None,
        };
        length.map_or(Folded::Unknown, |length| {
            Folded::Value(Value::Int(length as i64))
        })
    }

    /// Returns the smallest or the greatest item, the first of equal ones.
    fn extreme(&self, name: &str, items: &[Value]) -> Folded {
        let op = if name == "max" {
            CompareOp::Greater
        } else {
            CompareOp::Less
        };
        let Some((mut best, rest)) = items.split_first() else {
            return Folded::Raise("ValueError", format!("{name}() arg is an empty sequence"));
        };
        for item in rest {
            match compare::compare(&self.heap, op, item, best) {
                Folded::Value(Value::Bool(true)) => best = item,
                Folded::Value(_) => {}
                other => return other,
            }
        }
        Folded::Value(best.clone())
    }

    fn fold_container(&mut self, name: &str, of: &Value) -> Run<Option<Value>> {
        let is_dict = matches!(self.heap.object(of), Some(Object::Dict(..)));
        let is_set = matches!(
            self.heap.object(of),
            Some(Object::Set(_) | Object::Frozenset(_))
        );
        if (name == "collections.Counter" && is_dict)
            || (name == "tuple" && matches!(self.heap.object(of), Some(Object::Tuple(_))))
        {
            return Ok(None);
        }
        if is_set
            && name.ends_with("set")
            && let Some(id) = of.id()
        {
            self.count_folded();
            return Ok(Some(match (name, self.heap.get(id)) {
                ("frozenset", Object::Frozenset(_)) => of.clone(),
                _ => self.set_copy(id, name == "frozenset"),
            }));
        }
        let Some(items) = self.items_in_order(of) else {
            return Ok(None);
        };
        let object = match name {
            "list" => Object::List(items),
            "tuple" => Object::Tuple(items.into()),
            "collections.deque" => Object::Deque(VecDeque::from(items), None),
            "collections.Counter" => {
                let mut entries = Entries::default();
                for item in items {
                    let key = self.key_among(&item, |_| {
                        entries.values().map(|(key, _)| key.clone()).collect()
                    })?;
                    let entry = entries.entry(key);
                    let (_, count) = entry.or_insert_with(|| (item, Value::Int(0)));
                    if let Value::Int(count) = count {
                        *count += 1;
                    }
                }
                Object::Dict(entries, DictKind::Counter)
            }
            _ => {
                let mut elements = Elements::default();
                for item in items {
                    let key = self.key_among(&item, |_| elements.values().cloned().collect())?;
                    elements.entry(key).or_insert(item);
                }
                if name == "set" {
                    Object::Set(elements)
                } else {
                    Object::Frozenset(elements)
                }
            }
        };
        self.count_folded();
        let made = self.heap.make(object);
        if name.ends_with("set") && self.is_plain_dict(of) {
            self.keep_dict_table(&made);
        }
        Ok(Some(made))
    }

    /// Returns `sorted(items, key=…)`, given the values of the keys. `None` if a comparison is
    /// unknown.
    pub(in crate::machine) fn fold_sorted(
        &mut self,
        items: &Value,
        keys: &Value,
        reverse: &Value,
    ) -> Option<Value> {
        if !self.settings.fold.operators() {
            return None;
        }
        let reverse = compare::truth(&self.heap, reverse)?;
        let (items, keys) = (self.known_items(items)?, self.known_items(keys)?);
        self.charge(16 * keys.len());
        let order = order_of(&self.heap, &keys, reverse)?;
        self.count_folded();
        let sorted = order.into_iter().map(|at| items.get(at).cloned());
        let sorted = sorted.collect::<Option<Vec<_>>>()?;
        Some(self.heap.list(sorted))
    }
}
