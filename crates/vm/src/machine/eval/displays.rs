//! Displays and unpacking: instructions that build containers and texts, and that unpack them.

use crate::code::{Instruction, Op};
use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Elements, Entries, Object, Value};

impl Machine {
    /// Executes an instruction that builds or unpacks.
    pub(in crate::machine) fn execute_display(&mut self, instruction: Instruction) -> Run<()> {
        let arg = instruction.arg as usize;
        match instruction.op {
            Op::BuildTuple => {
                let items = self.pop_many(arg)?;
                let value = self.heap.tuple(items);
                self.push(value)
            }
            Op::BuildList => {
                let items = self.pop_many(arg)?;
                let value = self.heap.list(items);
                self.push(value)
            }
            Op::ListToTuple => {
                let list = self.pop()?;
                let items = self.known_items(&list).ok_or_else(|| broken("list"))?;
                let value = self.heap.tuple(items);
                self.push(value)
            }
            Op::BuildSet => self.build_set(arg),
            Op::BuildMap => self.build_map(arg),
            Op::BuildConstKeyMap => self.build_const_key_map(arg),
            Op::BuildSlice => {
                let step = if arg == 3 { self.pop()? } else { Value::None };
                let stop = self.pop()?;
                let start = self.pop()?;
                let value = self.heap.make(Object::Slice(start, stop, step));
                self.push(value)
            }
            Op::BuildString => self.build_string(arg),
            Op::FormatValue => {
                let spec = if arg & 4 == 4 {
                    Some(self.pop()?)
                } else {
                    None
                };
                let value = self.pop()?;
                let value = self.format_value(&value, arg & 3, spec)?;
                self.push(value)
            }
            Op::ListAppend => self.append_to_list(arg),
            Op::SetAdd => self.add_to_set(arg),
            Op::MapAdd => self.add_to_map(arg),
            Op::ListExtend => self.list_extend(arg),
            Op::SetUpdate => self.set_update(arg),
            Op::DictUpdate | Op::DictMerge => {
                self.dict_update(arg, instruction.op == Op::DictMerge)
            }
            Op::UnpackSequence => self.unpack_sequence(arg),
            Op::UnpackEx => self.unpack_ex(arg & 0xff, arg >> 8),
            _ => Err(broken("handler")),
        }
    }

    /// Builds a set of the top items.
    #[inline]
    fn build_set(&mut self, count: usize) -> Run<()> {
        let items = self.pop_many(count)?;
        let mut elements = Elements::default();
        for item in items {
            let key = self.key_among(&item, |_| elements.values().cloned().collect())?;
            elements.entry(key).or_insert(item);
        }
        let value = self.heap.make(Object::Set(elements));
        self.push(value)
    }

    /// Builds a dict of the top pairs.
    #[inline]
    fn build_map(&mut self, count: usize) -> Run<()> {
        let items = self.pop_many(2 * count)?;
        let mut entries = Entries::default();
        for pair in items.chunks_exact(2) {
            let key = self.key_among(&pair[0], |_| {
                entries.values().map(|(key, _)| key.clone()).collect()
            })?;
            let entry = entries
                .entry(key)
                .or_insert_with(|| (pair[0].clone(), Value::None));
            entry.1 = pair[1].clone();
        }
        let value = self.heap.make(Object::Dict(entries, DictKind::Plain));
        self.push(value)
    }

    /// Builds a dict of the top values and a tuple of their keys.
    #[inline]
    fn build_const_key_map(&mut self, count: usize) -> Run<()> {
        let keys = self.pop()?;
        let keys = self.known_items(&keys).ok_or_else(|| broken("keys"))?;
        let values = self.pop_many(count)?;
        let mut entries = Entries::default();
        for (key, value) in keys.into_iter().zip(values) {
            let entry = entries.entry(self.key(&key)?);
            entry.or_insert_with(|| (key, Value::None)).1 = value;
        }
        let value = self.heap.make(Object::Dict(entries, DictKind::Plain));
        self.push(value)
    }

    /// Joins the top texts.
    #[inline]
    fn build_string(&mut self, count: usize) -> Run<()> {
        let parts = self.pop_many(count)?;
        let mut whole = String::new();
        for part in parts {
            let Value::Str(part) = part else {
                return Err(broken("string"));
            };
            whole.push_str(&part);
            if whole.len() > crate::fold::MOST_BYTES {
                return Err(Flow::Unsupported("a text as long as that".to_string()));
            }
        }
        let whole = Value::Str(whole.into());
        self.count_bytes(&whole);
        self.push(whole)
    }

    /// Appends the top item to the list at a depth of the stack.
    #[inline]
    fn append_to_list(&mut self, depth: usize) -> Run<()> {
        let item = self.pop()?;
        let list = self.peek(depth)?;
        match list.id().map(|id| self.heap.get_mut(id)) {
            Some(Object::List(items)) => items.push(item),
            _ => return Err(broken("list")),
        }
        Ok(())
    }

    /// Adds the top item to the set at a depth of the stack.
    #[inline]
    fn add_to_set(&mut self, depth: usize) -> Run<()> {
        let item = self.pop()?;
        let set = self.peek(depth)?;
        let key = self.key_in(&set, &item)?;
        match set.id().map(|id| self.heap.get_mut(id)) {
            Some(Object::Set(elements)) => {
                elements.entry(key).or_insert(item);
            }
            _ => return Err(broken("set")),
        }
        Ok(())
    }

    /// Adds the top key and value to the dict at a depth of the stack.
    #[inline]
    fn add_to_map(&mut self, depth: usize) -> Run<()> {
        let value = self.pop()?;
        let name = self.pop()?;
        let map = self.peek(depth)?;
        let key = self.key_in(&map, &name)?;
        match map.id().map(|id| self.heap.get_mut(id)) {
            Some(Object::Dict(entries, _)) => {
                entries.entry(key).or_insert_with(|| (name, Value::None)).1 = value;
            }
            _ => return Err(broken("dict")),
        }
        Ok(())
    }

    fn list_extend(&mut self, depth: usize) -> Run<()> {
        let value = self.peek(1)?;
        let is_program = self.frames.last().is_some_and(|f| !self.is_runtime(f));
        if is_program && self.is_plainly_no_iterable(&value) {
            let message = format!(
                "Value after * must be an iterable, not {}",
                self.type_name(&value)
            );
            return Err(self.raise("TypeError", &message));
        }
        let items = self.pop_iterable("_list")?;
        let list = self.peek(depth)?;
        match list.id().map(|id| self.heap.get_mut(id)) {
            Some(Object::List(all)) => {
                all.extend(items);
                Ok(())
            }
            _ => Err(broken("list")),
        }
    }
}
