//! Operations on two sets or dicts whose keys define `__hash__`.
//!
//! CPython looks up the keys of one container in the other by their stored hashes, and calls
//! `__eq__` if hashes are equal. These calls run first. Equal keys then have the same `Key` in both
//! containers, and the operation continues as with any other keys.

use crate::fold::{BinaryOp, CompareOp};
use crate::machine::objects::user_hash::{Until, WantedKeys};
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Object, ObjectId, Value};

impl Machine {
    /// Ends planning if an operation would compare keys that only the program can compare.
    pub(in crate::machine) fn refuse_own_keys(&self, containers: &[&Value]) -> Run<()> {
        if containers.iter().any(|value| self.has_own_keys(value)) {
            let what = "an operation of keys with their own __hash__";
            return Err(Flow::Unsupported(what.to_string()));
        }
        Ok(())
    }

    /// Prepares an operation on two containers that looks up the keys of one in the other.
    /// Afterwards equal keys have the same `Key`.
    pub(in crate::machine) fn join_own_keys(
        &mut self,
        keys: &Value,
        among: &Value,
        until: Until,
    ) -> Run<()> {
        if keys == among || !self.has_own_keys(keys) || !self.has_own_keys(among) {
            return Ok(());
        }
        let Some(found) = self.own_keys.found.get(self.own_keys.taken).cloned() else {
            let own = |machine: &mut Self, container: &Value| {
                let mut keys = machine.items_in_order(container).unwrap_or_default();
                keys.retain(|key| {
                    key.id()
                        .is_some_and(|id| machine.heap.hashed.contains_key(&id))
                });
                keys
            };
            let wanted = WantedKeys::Between(own(self, keys), own(self, among), until);
            return Err(Flow::Key(Box::new(wanted)));
        };
        self.own_keys.taken += 1;
        let pairs = self.known_items(&found).unwrap_or_default();
        for pair in pairs.chunks(2) {
            let [mine, other] = pair else { break };
            self.rename_key(keys, mine, among, other);
        }
        Ok(())
    }

    /// Stores a key of a container under the `Key` of an equal one in another.
    fn rename_key(&mut self, keys: &Value, mine: &Value, among: &Value, other: &Value) {
        let (Some((place, _)), Some((_, name))) =
            (self.named_key(keys, mine), self.named_key(among, other))
        else {
            return;
        };
        let Some(id) = keys.id() else { return };
        self.heap.tables.remove(&id);
        match self.heap.get_mut(id) {
            Object::Dict(entries, _) => {
                let named = entries.drain(..).enumerate();
                let named = named.map(|(at, (key, entry))| match at == place {
                    true => (name.clone(), entry),
                    false => (key, entry),
                });
                *entries = named.collect();
            }
            Object::Set(elements) | Object::Frozenset(elements) => {
                let named = elements.drain(..).enumerate();
                let named = named.map(|(at, (key, item))| match at == place {
                    true => (name.clone(), item),
                    false => (key, item),
                });
                *elements = named.collect();
            }
            _ => {}
        }
    }

    /// [`Self::join_own_keys`] for an operator: CPython iterates one of the two and looks its keys
    /// up in the other.
    pub(in crate::machine) fn join_for_operator(
        &mut self,
        op: BinaryOp,
        inplace: bool,
        left: &Value,
        right: &Value,
    ) -> Run<()> {
        if !self.own_keys.wanted {
            return Ok(());
        }
        let (mine, others) = (self.items_of(left), self.items_of(right));
        let goes_right = match op {
            BinaryOp::Or => true,
            BinaryOp::And => others <= mine,
            BinaryOp::Subtract => inplace || mine / 4 > others,
            BinaryOp::Xor => inplace,
            _ => return Ok(()),
        };
        match goes_right {
            true => self.join_own_keys(right, left, Until::End),
            false => self.join_own_keys(left, right, Until::End),
        }
    }

    /// [`Self::join_own_keys`] for a comparison, which ends at the first missing key, or at
    /// different lengths.
    pub(in crate::machine) fn join_for_comparison(
        &mut self,
        op: CompareOp,
        left: &Value,
        right: &Value,
    ) -> Run<()> {
        let (keys, among) = match op {
            CompareOp::Greater | CompareOp::GreaterEqual => (right, left),
            _ => (left, right),
        };
        let (fewer, more) = (self.items_of(keys), self.items_of(among));
        let looks = match op {
            CompareOp::Equal | CompareOp::NotEqual => fewer == more,
            CompareOp::Less | CompareOp::Greater => fewer < more,
            CompareOp::LessEqual | CompareOp::GreaterEqual => fewer <= more,
        };
        match looks {
            true => self.join_own_keys(keys, among, Until::Missing),
            false => Ok(()),
        }
    }

    /// `left | right` of two dicts with keys of the program.
    pub(in crate::machine) fn own_merged(
        &mut self,
        left: &Value,
        right: &Value,
        inplace: bool,
    ) -> Run<Option<Value>> {
        let dict = |value: &Value| matches!(self.heap.object(value), Some(Object::Dict(_, kind)) if *kind != DictKind::Counter);
        if !self.own_keys.wanted || !dict(left) || !dict(right) || !self.has_own_keys(right) {
            return Ok(None);
        }
        self.join_own_keys(right, left, Until::End)?;
        let (Some(mut id), Some(object)) = (left.id(), self.heap.object(left).cloned()) else {
            return Ok(None);
        };
        if !inplace {
            id = self.heap.add(object);
        }
        self.count_folded();
        self.merge_own(id, right);
        Ok(Some(Value::Object(id)))
    }

    /// Puts the entries of a dict into another one, with which its keys were joined.
    pub(in crate::machine) fn merge_own(&mut self, into: ObjectId, from: &Value) {
        let Some(Object::Dict(more, _)) = self.heap.object(from).cloned() else {
            return;
        };
        if let Object::Dict(entries, _) = self.heap.get_mut(into) {
            for (key, (name, value)) in more {
                entries.entry(key).or_insert_with(|| (name, Value::None)).1 = value;
            }
        }
        self.dict_changed(into);
    }

    /// Whether a container can be joined with the argument of its method.
    pub(in crate::machine) fn joins(&self, container: &Value, other: &Value) -> bool {
        matches!(
            (self.heap.object(container), self.heap.object(other)),
            (
                Some(Object::Set(_) | Object::Frozenset(_)),
                Some(Object::Set(_) | Object::Frozenset(_))
            ) | (Some(Object::Dict(..)), Some(Object::Dict(..)))
        )
    }

    pub(in crate::machine) fn join_for_method(
        &mut self,
        container: &Value,
        name: &str,
        other: &Value,
    ) -> Run<()> {
        let op = match name.trim_end_matches("_update") {
            "union" | "update" => BinaryOp::Or,
            "intersection" => BinaryOp::And,
            "difference" => BinaryOp::Subtract,
            "symmetric_difference" => BinaryOp::Xor,
            "issubset" => return self.join_own_keys(container, other, Until::Missing),
            "issuperset" => return self.join_own_keys(other, container, Until::Missing),
            "isdisjoint" if self.items_of(other) > self.items_of(container) => {
                return self.join_own_keys(container, other, Until::Found);
            }
            "isdisjoint" => return self.join_own_keys(other, container, Until::Found),
            _ => return self.refuse_own_keys(&[container]),
        };
        self.join_for_operator(op, name.ends_with("update"), container, other)
    }
}
