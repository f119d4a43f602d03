//! Methods of sets with known arguments, and operators of sets if one operand is a dict view.

use crate::fold::key::key;
use crate::fold::{BinaryOp, CompareOp, compare};
use crate::machine::objects::known_methods::Known;
use crate::machine::{Machine, Run};
use crate::value::set_table::SetTable;
use crate::value::{DictKind, Elements, Object, ObjectId, Value, View};

const NONE: Known = Ok(Some(Value::None));

impl Machine {
    pub(in crate::machine) fn set_method(
        &mut self,
        set: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Known {
        let Some(id) = set.id() else {
            return Ok(None);
        };
        let frozen = matches!(self.heap.get(id), Object::Frozenset(_));
        match (name, arguments) {
            ("add", [item]) if !frozen => {
                let Some(key) = self.plain_key(item)? else {
                    return Ok(None);
                };
                if let Object::Set(elements) = self.heap.get_mut(id) {
                    elements.entry(key.clone()).or_insert_with(|| item.clone());
                }
                if let Some(mut table) = self.heap.tables.remove(&id) {
                    table.put(&self.heap, &key, item);
                    self.heap.tables.insert(id, table);
                }
                NONE
            }
            ("remove" | "discard", [item]) if !frozen => {
                let Some(key) = self.plain_key(item)? else {
                    return Ok(None);
                };
                let table = self.taken_table(id);
                let Object::Set(elements) = self.heap.get_mut(id) else {
                    return Ok(None);
                };
                let gone = elements.shift_remove(&key).is_some();
                if let Some(mut table) = table {
                    table.remove(&key);
                    self.heap.tables.insert(id, table);
                }
                if !gone && name == "remove" {
                    return Err(self.raise_with("KeyError", vec![item.clone()]));
                }
                NONE
            }
            ("pop", []) if !frozen => self.popped_element(id),
            ("clear", []) if !frozen => {
                self.heap.tables.remove(&id);
                self.heap.replace(id, Object::Set(Elements::default()));
                NONE
            }
            ("copy", []) if frozen => Ok(Some(set.clone())),
            ("copy", []) => Ok(Some(self.set_copy(id, false))),
            ("issubset" | "issuperset" | "isdisjoint", [other]) => {
                let (Some(mine), Some(others)) = (self.elements_of(set)?, self.elements_of(other)?)
                else {
                    return Ok(None);
                };
                Ok(Some(Value::Bool(match name {
                    "issubset" => mine.keys().all(|key| others.contains_key(key)),
                    "issuperset" => others.keys().all(|key| mine.contains_key(key)),
                    _ => !mine.keys().any(|key| others.contains_key(key)),
                })))
            }
            ("union" | "intersection" | "difference" | "symmetric_difference", [other]) => {
                self.combined(set, name, other)
            }
            (
                "update"
                | "intersection_update"
                | "difference_update"
                | "symmetric_difference_update",
                [other],
            ) if !frozen => Ok(self.combined(set, name, other)?.map(|_| Value::None)),
            ("union" | "intersection" | "difference", []) => self.set_method(set, "copy", &[]),
            ("union" | "intersection" | "difference", several) => {
                let mut result = set.clone();
                for other in several {
                    match self.combined(&result, name, other)? {
                        Some(combined) => result = combined,
                        None => return Ok(None),
                    }
                }
                Ok(Some(result))
            }
            ("update" | "intersection_update" | "difference_update", several) if !frozen => {
                for other in several {
                    if self.combined(set, name, other)?.is_none() {
                        return Ok(None);
                    }
                }
                Ok(Some(Value::None))
            }
            _ => Ok(None),
        }
    }

    /// Removes the element of a set that its table has first, and returns it.
    fn popped_element(&mut self, id: ObjectId) -> Known {
        let size = self.items_of(&Value::Object(id));
        if size == 0 {
            return Err(self.raise("KeyError", "pop from an empty set"));
        }
        let Some(mut table) = self.taken_table(id) else {
            return Ok(None);
        };
        if table.is_guess() {
            self.record.guess_order(id.0, size);
        }
        let key = table.pop();
        self.heap.tables.insert(id, table);
        match (self.heap.get_mut(id), key) {
            (Object::Set(elements), Some(key)) => Ok(elements.shift_remove(&key)),
            _ => Ok(None),
        }
    }

    /// Returns the table of these elements, inserted one by one. `None` if their order depends on
    /// addresses of objects that the program makes.
    fn table_with(&self, elements: &Elements) -> Option<SetTable> {
        SetTable::of(&self.heap, elements).or_else(|| {
            let own = elements.values().any(|value| self.touches_program(value));
            (!own).then(|| SetTable::guessed(&self.heap, elements))
        })
    }

    /// Returns the table of a set. `None` as in [`Self::table_with`].
    pub(in crate::machine) fn table_of(&self, id: ObjectId) -> Option<SetTable> {
        let (Object::Set(elements) | Object::Frozenset(elements)) = self.heap.get(id) else {
            return None;
        };
        match self
            .heap
            .tables
            .get(&id)
            .filter(|table| table.fits(elements))
        {
            Some(table) => Some(table.clone()),
            None => self.table_with(elements),
        }
    }

    /// Stores the table of a set that is iterated, and returns its size. `None` if it is a
    /// frozenset, or as in [`Self::table_with`].
    pub(in crate::machine) fn keep_own_table(&mut self, id: ObjectId) -> Option<usize> {
        let Object::Set(elements) = self.heap.get(id) else {
            return None;
        };
        let size = elements.len();
        let is_kept = (self.heap.tables.get(&id)).is_some_and(|table| table.fits(elements));
        if !is_kept {
            let table = self.table_with(elements)?;
            self.charge(4 * size);
            self.heap.keep_table(id, table);
        }
        if self.heap.tables.get(&id).is_some_and(SetTable::is_guess) {
            self.record.guess_order(id.0, size);
        }
        Some(size)
    }

    /// [`Self::table_of`], removed from storage, to be changed and stored again.
    fn taken_table(&mut self, id: ObjectId) -> Option<SetTable> {
        self.charge(self.items_of(&Value::Object(id)));
        let kept = self.heap.tables.remove(&id);
        let (Object::Set(elements) | Object::Frozenset(elements)) = self.heap.get(id) else {
            return None;
        };
        kept.filter(|table| table.fits(elements))
            .or_else(|| self.table_with(elements))
    }

    /// Copies a set into a set or a frozenset.
    pub(in crate::machine) fn set_copy(&mut self, id: ObjectId, frozen: bool) -> Value {
        self.charge(4 * self.items_of(&Value::Object(id)));
        let table = self.table_of(id).map(|table| table.copied());
        let elements = match (&table, self.heap.get(id)) {
            (Some(table), _) => table.elements(),
            (None, Object::Set(elements) | Object::Frozenset(elements)) => elements.clone(),
            _ => Elements::default(),
        };
        let copy = self.heap.add(match frozen {
            true => Object::Frozenset(elements),
            false => Object::Set(elements),
        });
        if let Some(table) = table {
            self.heap.keep_table(copy, table);
        }
        Value::Object(copy)
    }

    /// Creates a set with the elements of a table: a new one of the kind of `like`, or `like`
    /// itself.
    fn set_made(&mut self, like: ObjectId, table: SetTable, inplace: bool) -> Value {
        let elements = table.elements();
        let frozen = matches!(self.heap.get(like), Object::Frozenset(_));
        let object = match frozen {
            true => Object::Frozenset(elements),
            false => Object::Set(elements),
        };
        let id = if inplace && !frozen {
            self.heap.replace(like, object);
            like
        } else {
            self.heap.add(object)
        };
        self.heap.keep_table(id, table);
        Value::Object(id)
    }

    /// `left op right` of two sets. `None` if a hash is unknown.
    pub(in crate::machine) fn set_combined(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        inplace: bool,
    ) -> Option<Value> {
        let value = self.set_joined(op, left, right, inplace)?;
        self.count_folded();
        Some(value)
    }

    /// [`Self::set_combined`], not counted as an operation of the program.
    pub(in crate::machine) fn set_joined(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        inplace: bool,
    ) -> Option<Value> {
        let inplace = inplace && matches!(self.heap.object(left), Some(Object::Set(_)));
        let nothing_new = left.id() == right.id() || self.items_of(right) == 0;
        if inplace && op == BinaryOp::Or && nothing_new {
            // The table is not rebuilt.
            return Some(left.clone());
        }
        let (mine, others) = (self.table_of(left.id()?)?, self.table_of(right.id()?)?);
        let table = mine.combined(op, &others, inplace)?;
        self.charge(self.items_of(left) + self.items_of(right));
        Some(self.set_made(left.id()?, table, inplace))
    }

    /// Returns the elements of an iterable, in its order.
    fn elements_of(&mut self, value: &Value) -> Run<Option<Elements>> {
        if let Some(Object::Set(elements) | Object::Frozenset(elements)) = self.heap.object(value) {
            return Ok(Some(elements.clone()));
        }
        let Some(items) = self.items_in_order(value) else {
            return Ok(None);
        };
        let mut elements = Elements::default();
        for item in items {
            match self.plain_key(&item)? {
                Some(key) => elements.entry(key).or_insert(item),
                None => return Ok(None),
            };
        }
        Ok(Some(elements))
    }

    fn combined(&mut self, set: &Value, name: &str, other: &Value) -> Known {
        let op = match name.trim_end_matches("_update") {
            "union" | "update" => BinaryOp::Or,
            "intersection" => BinaryOp::And,
            "difference" => BinaryOp::Subtract,
            _ => BinaryOp::Xor,
        };
        let inplace = name.ends_with("update");
        let is_set = matches!(
            self.heap.object(other),
            Some(Object::Set(_) | Object::Frozenset(_))
        );
        if is_set {
            return Ok(self.set_combined(op, set, other, inplace));
        }
        let order = match self.elements_of(other) {
            // The elements before one without a hash are added or removed.
            Err(flow) if matches!(name, "update" | "difference_update") => {
                let items = self.known_items(other).unwrap_or_default();
                let added = items.into_iter();
                let added = added
                    .take_while(|one| key(&self.heap, one).is_ok())
                    .collect();
                let added = self.heap.list(added);
                self.combined(set, name, &added)?;
                return Err(flow);
            }
            order => order?,
        };
        let (Some(order), Some(id)) = (order, set.id()) else {
            return Ok(None);
        };
        let (Some(mine), Some(others)) = (self.table_of(id), self.table_with(&order)) else {
            return Ok(None);
        };
        let dict = self.is_plain_dict(other);
        let table = mine.combined_with(op, &others, &order, inplace, dict);
        Ok(table.map(|table| self.set_made(id, table, inplace)))
    }

    /// Compares sets if one is a dict view.
    pub(in crate::machine) fn view_compare(
        &mut self,
        op: CompareOp,
        left: &Value,
        right: &Value,
    ) -> Known {
        let is_view = |machine: &Self, value: &Value| matches!(machine.heap.object(value), Some(Object::DictView { view, .. }) if *view != View::Values);
        let is_set = |machine: &Self, value: &Value| {
            matches!(
                machine.heap.object(value),
                Some(Object::Set(_) | Object::Frozenset(_))
            ) || is_view(machine, value)
        };
        let views = is_view(self, left) || is_view(self, right);
        if !views || !is_set(self, left) || !is_set(self, right) {
            return Ok(None);
        }
        let (Some(mine), Some(others)) = (self.elements_of(left)?, self.elements_of(right)?) else {
            return Ok(None);
        };
        let left = self.heap.make(Object::Set(mine));
        let right = self.heap.make(Object::Set(others));
        let folded = compare::compare(&self.heap, op, &left, &right);
        self.settle(folded)
    }

    /// Computes a set operator if one operand is a dict view. The result is a set.
    pub(in crate::machine) fn view_binary(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
    ) -> Known {
        let is_view = |machine: &Self, value: &Value| matches!(machine.heap.object(value), Some(Object::DictView { view, .. }) if *view != View::Values);
        let plain = |machine: &Self, value: &Value| {
            !matches!(
                machine.heap.object(value),
                None | Some(Object::Instance { .. })
            )
        };
        if !(is_view(self, left) && plain(self, right) || is_view(self, right) && plain(self, left))
        {
            return Ok(None);
        }
        let (left, right) = match op {
            // `set & view` is computed as `view & set`.
            BinaryOp::And if !is_view(self, left) => (right, left),
            _ => (left, right),
        };
        let (Some(mine), Some(others)) = (self.elements_of(left)?, self.elements_of(right)?) else {
            return Ok(None);
        };
        let others_table = match right.id().filter(|_| self.table_is_own(right)) {
            Some(id) => self.table_of(id),
            None => self.table_with(&others),
        };
        let (Some(mine_table), Some(others_table)) = (self.table_for(left, &mine), others_table)
        else {
            return Ok(None);
        };
        let is_set = |value: &Value| matches!(self.heap.object(value), Some(Object::Set(_)));
        let is_items = |value: &Value| matches!(self.heap.object(value), Some(Object::DictView { view, .. }) if *view == View::Items);
        let table = match op {
            BinaryOp::Xor if is_items(left) && is_items(right) => None,
            // As in CPython: of two views the smaller one is iterated; of a view and a set the
            // view, unless it is larger.
            BinaryOp::And
                if is_set(right) && mine.len() <= others.len()
                    || is_view(self, right) && mine.len() < others.len() =>
            {
                others_table.combined_with(op, &mine_table, &mine, false, false)
            }
            BinaryOp::And => mine_table.combined_with(op, &others_table, &others, false, false),
            _ if self.table_is_own(right) => mine_table.combined(op, &others_table, true),
            _ => mine_table.combined_with(op, &others_table, &others, true, false),
        };
        let Some(table) = table else {
            return Ok(None);
        };
        self.charge(mine.len() + others.len());
        self.count_folded();
        let id = self.heap.add(Object::Set(table.elements()));
        self.heap.keep_table(id, table);
        Ok(Some(Value::Object(id)))
    }

    fn table_is_own(&self, value: &Value) -> bool {
        matches!(
            self.heap.object(value),
            Some(Object::Set(_) | Object::Frozenset(_))
        )
    }

    /// Returns the table of a new set with the elements of a set, a dict view or another iterable.
    fn table_for(&self, value: &Value, elements: &Elements) -> Option<SetTable> {
        match self.heap.object(value) {
            Some(Object::Set(_) | Object::Frozenset(_)) => {
                self.table_of(value.id()?).map(|table| table.copied())
            }
            Some(Object::DictView { of, view })
                if *view == View::Keys && self.is_plain_dict(&Value::Object(*of)) =>
            {
                Some(SetTable::of_dict(&self.heap, elements))
            }
            _ => self.table_with(elements),
        }
    }

    /// Whether a value is a dict and not an instance of a subclass.
    pub(in crate::machine) fn is_plain_dict(&self, value: &Value) -> bool {
        matches!(
            self.heap.object(value),
            Some(Object::Dict(_, DictKind::Plain))
        )
    }

    /// Stores the table that `set(d)` makes from the keys of a dict.
    pub(in crate::machine) fn keep_dict_table(&mut self, set: &Value) {
        if let Some(id) = set.id()
            && let Object::Set(elements) | Object::Frozenset(elements) = self.heap.get(id)
            && !elements.values().any(|value| self.touches_program(value))
        {
            let table = SetTable::of_dict(&self.heap, elements);
            let ordered = table.elements();
            match self.heap.get_mut(id) {
                Object::Set(elements) | Object::Frozenset(elements) => *elements = ordered,
                _ => {}
            }
            self.heap.keep_table(id, table);
        }
    }
}
