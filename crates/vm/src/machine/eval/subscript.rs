//! Subscripts: reading, storing and deleting.

use crate::fold::{Folded, subscript};
use crate::machine::tables::class_has;
use crate::machine::{Flow, Machine, Run};
use crate::operation::Operation;
use crate::text::annotations::{BUILTIN_ALIAS, GENERIC_ALIAS, is_of_typing};
use crate::value::{DictKind, Object, ObjectId, Value};

impl Machine {
    /// Returns `__class_getitem__` of a class of the program.
    fn class_getitem(&self, class: &Value) -> Option<Value> {
        let is_own = matches!(self.heap.object(class), Some(Object::Class(class)) if class.builtin.is_none());
        let found = (class.id().filter(|_| is_own))
            .and_then(|id| self.class_attribute(id, "__class_getitem__"))?;
        match self.heap.object(&found) {
            Some(Object::Special { kind, parts }) if *kind == "classmethod" => {
                Some(parts[0].clone())
            }
            Some(Object::Function(_)) => Some(found),
            _ => None,
        }
    }

    /// Whether a class accepts types in brackets: it derives from `Generic`, or from a class that
    /// accepts them.
    pub(in crate::machine) fn is_generic(&self, class: ObjectId) -> bool {
        let Object::Class(info) = self.heap.get(class) else {
            return true;
        };
        info.mro.iter().any(|id| match self.heap.get(*id) {
            Object::Class(of) => match &of.builtin {
                Some(builtin) if **builtin == *"object" => false,
                Some(builtin) if **builtin == *"type" => true,
                Some(builtin) => class_has(builtin, "__class_getitem__") != Some(false),
                None => of.is_generic || !of.is_own(&self.heap),
            },
            _ => true,
        })
    }

    fn check_generic(&mut self, class: &Value) -> Run<()> {
        match class.id().filter(|id| !self.is_generic(*id)) {
            Some(id) => {
                let message = format!("type '{}' is not subscriptable", self.class_name(id));
                Err(self.raise("TypeError", &message))
            }
            None => Ok(()),
        }
    }

    /// Makes `Stack[int]`, which is called and derived from like `Stack`.
    pub(in crate::machine) fn generic_alias(&mut self, class: &Value, index: &Value) -> Value {
        let arguments = match self.heap.object(index) {
            Some(Object::Tuple(_)) => index.clone(),
            _ => self.heap.tuple(vec![index.clone()]),
        };
        self.heap.make(Object::Special {
            kind: GENERIC_ALIAS,
            parts: vec![class.clone(), arguments],
        })
    }

    /// `container[index]`
    pub(in crate::machine) fn subscript(&mut self, container: &Value, index: &Value) -> Run<Value> {
        match self.heap.object(container) {
            Some(Object::Instance { .. }) => {
                if let Some(get) = self.special(container, "__getitem__") {
                    return Err(Flow::Call(get, vec![index.clone()]));
                }
                let message = format!(
                    "'{}' object is not subscriptable",
                    self.type_name(container)
                );
                return Err(self.raise("TypeError", &message));
            }
            Some(Object::Class(class)) if class.metaclass.is_some() => {
                if let Some(get) = self.special(container, "__getitem__") {
                    return Err(Flow::Call(get, vec![index.clone()]));
                }
                if let Some(function) = self.class_getitem(container) {
                    return Err(Flow::Call(function, vec![container.clone(), index.clone()]));
                }
                self.check_generic(container)?;
                return self.annotation(container, index);
            }
            Some(Object::Class(_)) if self.member_map(container).is_some() => {
                let members = self.member_map(container).unwrap_or(Value::None);
                return self.subscript(&members, index);
            }
            Some(Object::Class(class)) => {
                if let Some(function) = self.class_getitem(container) {
                    return Err(Flow::Call(function, vec![container.clone(), index.clone()]));
                }
                let is_builtin = class.builtin.is_some();
                self.check_generic(container)?;
                if is_builtin {
                    return self.annotation(container, index);
                }
                return Ok(self.generic_alias(container, index));
            }
            Some(Object::Special { kind, .. })
                if matches!(*kind, GENERIC_ALIAS | BUILTIN_ALIAS) =>
            {
                return Ok(container.clone());
            }
            Some(Object::Opaque { class, text })
                if is_of_typing(class) || text.starts_with("typing.") =>
            {
                if &**text == "typing.ClassVar" {
                    return Ok(container.clone());
                }
                return self.annotation(container, index);
            }
            _ => {}
        }
        if self.asks_all(&[container, index]) {
            let operands = vec![container.clone(), index.clone()];
            return Err(self.ask_operation(Operation::Subscript, operands));
        }
        if let Some(Object::Dict(..)) = self.heap.object(container) {
            let key = self.key_in(container, index)?;
            let Some(Object::Dict(entries, kind)) = self.heap.object(container) else {
                return Err(Flow::Unsupported("a dict".to_string()));
            };
            if let Some((_, value)) = entries.get(&key) {
                let value = value.clone();
                self.count_folded();
                return Ok(value);
            }
            return match kind.clone() {
                DictKind::Default(factory) if factory != Value::None => {
                    let helper = self.prelude_value("_missing")?;
                    Err(Flow::Call(
                        helper,
                        vec![container.clone(), index.clone(), factory],
                    ))
                }
                DictKind::Counter => Ok(Value::Int(0)),
                _ => Err(self.raise_with("KeyError", vec![index.clone()])),
            };
        }
        if let Some(Object::Slice(start, stop, step)) = self.heap.object(index) {
            let parts = [start.clone(), stop.clone(), step.clone()];
            if parts.iter().any(|part| self.is_instance(part)) {
                let mut all = vec![container.clone()];
                all.extend(parts);
                return Err(self.helper("_slice_into", all)?);
            }
        }
        if matches!(self.heap.object(index), Some(Object::Class(_))) && self.is_instance(index) {
            return self.index_of(container, index);
        }
        let folded = subscript::get(&mut self.heap, container, index);
        match self.settle(folded)? {
            Some(value) => Ok(value),
            None if self.is_instance(index) => self.index_of(container, index),
            None => {
                Err(self
                    .ask_operation(Operation::Subscript, vec![container.clone(), index.clone()]))
            }
        }
    }

    /// Returns the members of an enumeration by their names.
    fn member_map(&self, class: &Value) -> Option<Value> {
        self.class_attribute(class.id()?, "_member_map_")
    }

    /// Converts an index. An instance is an index if it has `__index__`.
    fn index_of(&mut self, container: &Value, index: &Value) -> Run<Value> {
        let kind = self.type_name(container);
        let index_kind = self.type_name(index);
        let message = match &*kind {
            "str" => format!("string indices must be integers, not '{index_kind}'"),
            "bytes" => format!("byte indices must be integers or slices, not {index_kind}"),
            "list" | "tuple" | "range" | "bytearray" => {
                format!("{kind} indices must be integers or slices, not {index_kind}")
            }
            "collections.deque" => {
                format!("sequence index must be integer, not '{index_kind}'")
            }
            _ => format!("'{kind}' object is not subscriptable"),
        };
        let arguments = vec![container.clone(), index.clone(), Value::Str(message.into())];
        Err(self.helper("_index_into", arguments)?)
    }

    /// `container[index] = value`
    pub(in crate::machine) fn store_subscript(
        &mut self,
        container: &Value,
        index: &Value,
        value: Value,
    ) -> Run<()> {
        if let Some(set) = self.special(container, "__setitem__") {
            return Err(Flow::Call(set, vec![index.clone(), value]));
        }
        if self.is_instance(container) && self.scalar_base(container).is_none() {
            if self.special(container, "__delitem__").is_some() {
                return Err(self.raise("AttributeError", "__setitem__"));
            }
            let kind = self.type_name(container);
            let message = format!("'{kind}' object does not support item assignment");
            return Err(self.raise("TypeError", &message));
        }
        if self.asks_all(&[container, index, &value]) {
            let operands = vec![container.clone(), index.clone(), value];
            return Err(self.ask_operation(Operation::StoreSubscript, operands));
        }
        if let (Some(Object::Dict(..)), Some(id)) = (self.heap.object(container), container.id()) {
            let key = self.key_in(container, index)?;
            if let Object::Dict(entries, _) = self.heap.get_mut(id) {
                entries
                    .entry(key)
                    .or_insert_with(|| (index.clone(), Value::None))
                    .1 = value;
                self.dict_changed(id);
                self.count_folded();
            }
            return Ok(());
        }
        let value = self.value_for(container, index, value)?;
        match subscript::set_item(&mut self.heap, container, index, &value) {
            Folded::Unknown if self.is_instance(index) => {
                let arguments = vec![container.clone(), index.clone(), value];
                Err(self.helper("_store_into", arguments)?)
            }
            Folded::Unknown => {
                let operands = vec![container.clone(), index.clone(), value];
                Err(self.ask_operation(Operation::StoreSubscript, operands))
            }
            folded => self.settle(folded).map(drop),
        }
    }

    /// Returns the value to store at an index: for a slice of a list or a bytearray, its items.
    fn value_for(&mut self, container: &Value, index: &Value, value: Value) -> Run<Value> {
        let is_slice = matches!(self.heap.object(index), Some(Object::Slice(..)));
        let is_bytes = match self.heap.object(container) {
            Some(Object::List(_)) => false,
            Some(Object::Bytearray(_)) => true,
            _ => return Ok(value),
        };
        if !is_slice {
            return Ok(value);
        }
        if let Some(mut parts) = self.own_bounds(container, index) {
            parts.insert(0, container.clone());
            parts.push(value);
            return Err(self.helper("_store_sliced", parts)?);
        }
        if is_bytes && matches!(value, Value::Str(_) | Value::Bytes(_)) {
            return Ok(value);
        }
        match self.known_items(&value) {
            Some(items) => Ok(self.heap.list(items)),
            None if self.heap.object(&value).is_none() => Ok(value),
            None => {
                if let Some(error) = subscript::slice_error(&self.heap, index) {
                    self.settle(error)?;
                }
                let arguments = vec![container.clone(), index.clone(), value];
                Err(self.helper("_store_slice", arguments)?)
            }
        }
    }

    /// Returns the bounds of a slice of a list or a bytearray, if one of them is an object of the
    /// program.
    fn own_bounds(&self, container: &Value, index: &Value) -> Option<Vec<Value>> {
        let Some(Object::List(_) | Object::Bytearray(_)) = self.heap.object(container) else {
            return None;
        };
        let Object::Slice(start, stop, step) = self.heap.object(index)? else {
            return None;
        };
        let parts = vec![start.clone(), stop.clone(), step.clone()];
        let is_own = parts.iter().any(|part| self.is_instance(part));
        is_own.then_some(parts)
    }

    /// `del container[index]`
    pub(in crate::machine) fn delete_subscript(
        &mut self,
        container: &Value,
        index: &Value,
    ) -> Run<()> {
        if let Some(delete) = self.special(container, "__delitem__") {
            return Err(Flow::Call(delete, vec![index.clone()]));
        }
        if self.is_instance(container) && self.scalar_base(container).is_none() {
            // One slot serves both methods.
            if self.special(container, "__setitem__").is_some() {
                return Err(self.raise("AttributeError", "__delitem__"));
            }
            let kind = self.type_name(container);
            let as_sequence = kind != "object"
                && (matches!(index, Value::Int(_) | Value::Bool(_) | Value::BigInt(_))
                    || self.special(index, "__index__").is_some());
            let not = if as_sequence { "doesn't" } else { "does not" };
            let message = format!("'{kind}' object {not} support item deletion");
            return Err(self.raise("TypeError", &message));
        }
        if self.asks_all(&[container, index]) {
            let operands = vec![container.clone(), index.clone()];
            return Err(self.ask_operation(Operation::DeleteSubscript, operands));
        }
        if let (Some(Object::Dict(..)), Some(id)) = (self.heap.object(container), container.id()) {
            let key = self.key_in(container, index)?;
            let removed = match self.heap.get_mut(id) {
                // Deleting a missing key of a counter is no error.
                Object::Dict(entries, kind) => {
                    entries.shift_remove(&key).is_some() || *kind == DictKind::Counter
                }
                _ => false,
            };
            self.dict_changed(id);
            return if removed {
                Ok(())
            } else {
                Err(self.raise_with("KeyError", vec![index.clone()]))
            };
        }
        if let Some(mut parts) = self.own_bounds(container, index) {
            parts.insert(0, container.clone());
            return Err(self.helper("_delete_sliced", parts)?);
        }
        match subscript::delete_item(&mut self.heap, container, index) {
            Folded::Unknown => {
                let operands = vec![container.clone(), index.clone()];
                Err(self.ask_operation(Operation::DeleteSubscript, operands))
            }
            folded => self.settle(folded).map(drop),
        }
    }
}
