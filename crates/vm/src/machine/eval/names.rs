//! Names, attributes, constants and functions: instructions that load, store and delete them.

use std::sync::Arc;

use crate::code::{Constant, Instruction, Op};
use crate::machine::eval::eval_loop::broken;
use crate::machine::{After, Flow, Machine, Run};
use crate::value::set_table::SetTable;
use crate::value::{
    Attributes, DictKind, Elements, Entries, Function, Key, Object, ObjectId, Value,
};

impl Machine {
    /// Executes an instruction about a name, an attribute or a constant.
    pub(in crate::machine) fn execute_name(&mut self, instruction: Instruction) -> Run<()> {
        let arg = instruction.arg as usize;
        match instruction.op {
            Op::LoadConst => self.load_const(arg),
            Op::LoadFast => self.load_fast(arg),
            Op::StoreFast => self.store_fast(arg),
            Op::DeleteFast => self.delete_fast(arg),
            Op::LoadClosure => {
                let cell = self.cell(arg)?;
                self.push(Value::Object(cell))
            }
            Op::LoadDeref => {
                let value = self.load_deref(arg)?;
                self.push(value)
            }
            Op::LoadClassderef => self.load_class_deref(arg),
            Op::StoreDeref => {
                let value = self.pop()?;
                let id = self.cell(arg)?;
                *self.heap.get_mut(id) = Object::Cell(Some(value));
                Ok(())
            }
            Op::DeleteDeref => {
                self.load_deref(arg)?;
                let id = self.cell(arg)?;
                *self.heap.get_mut(id) = Object::Cell(None);
                Ok(())
            }
            Op::LoadName => self.load_name(arg),
            Op::LoadGlobal => {
                let name = self.name(arg >> 1)?;
                let value = self.global(&name)?;
                if arg & 1 == 1 {
                    self.push_null()?;
                }
                self.push(value)
            }
            Op::StoreName | Op::StoreGlobal => self.bind_name(instruction.op, arg),
            Op::DeleteName | Op::DeleteGlobal => self.unbind_name(instruction.op, arg),
            Op::LoadAttr => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                let value = self.attribute(&object, &name)?;
                self.push(value)
            }
            Op::LoadMethod => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                self.push_null()?;
                let value = self.attribute(&object, &name)?;
                self.push(value)
            }
            Op::StoreAttr => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                let value = self.pop()?;
                self.after = After::Discard;
                self.set_attribute(&object, &name, value)
            }
            Op::DeleteAttr => {
                let name = self.name(arg)?;
                let object = self.pop()?;
                self.after = After::Discard;
                self.delete_attribute(&object, &name)
            }
            _ => Err(broken("handler")),
        }
    }

    /// Pushes a local variable.
    #[inline]
    fn load_fast(&mut self, index: usize) -> Run<()> {
        match self.top()?.fast.get(index).cloned().flatten() {
            Some(value) => self.push(value),
            None => {
                let name = self.top()?.code.var_names.get(index).cloned();
                Err(self.unbound_local(&name.unwrap_or_else(|| "".into())))
            }
        }
    }

    /// Binds a local variable to the top value.
    #[inline]
    fn store_fast(&mut self, index: usize) -> Run<()> {
        let value = self.pop()?;
        let slot = self
            .top()?
            .fast
            .get_mut(index)
            .ok_or_else(|| broken("local"))?;
        *slot = Some(value);
        Ok(())
    }

    /// Deletes a local variable.
    #[inline]
    fn delete_fast(&mut self, index: usize) -> Run<()> {
        let slot = self
            .top()?
            .fast
            .get_mut(index)
            .ok_or_else(|| broken("local"))?;
        if slot.take().is_some() {
            return Ok(());
        }
        let name = self.top()?.code.var_names[index].clone();
        Err(self.unbound_local(&name))
    }

    /// Pushes a name of the class body, or else a variable of an enclosing function.
    #[inline]
    fn load_class_deref(&mut self, index: usize) -> Run<()> {
        let name = self.cell_name(index)?;
        let namespace = self.top()?.namespace;
        let found = namespace.and_then(|space| self.get_name(space, &name));
        let value = match found {
            Some(value) => value,
            None => self.load_deref(index)?,
        };
        self.push(value)
    }

    /// Pushes a name of the namespace, or else a global name.
    #[inline]
    fn load_name(&mut self, index: usize) -> Run<()> {
        let name = self.name(index)?;
        let namespace = self.top()?.namespace;
        let found = namespace.and_then(|space| self.get_name(space, &name));
        let value = match found {
            Some(value) => value,
            None => self.global(&name)?,
        };
        self.push(value)
    }

    /// Binds a name of the namespace or a global name to the top value.
    #[inline]
    fn bind_name(&mut self, op: Op, index: usize) -> Run<()> {
        let name = self.name(index)?;
        let value = self.pop()?;
        let frame = self.top()?;
        let space = match (op, frame.namespace) {
            (Op::StoreName, Some(space)) => space,
            _ => frame.globals,
        };
        let value = self.automatic(space, &name, value);
        self.set_name(space, &name, value);
        Ok(())
    }

    /// Deletes a name of the namespace or a global name.
    #[inline]
    fn unbind_name(&mut self, op: Op, index: usize) -> Run<()> {
        let name = self.name(index)?;
        let frame = self.top()?;
        let space = match (op, frame.namespace) {
            (Op::DeleteName, Some(space)) => space,
            _ => frame.globals,
        };
        if self.delete_name(space, &name) {
            return Ok(());
        }
        if self.makes_names() {
            return Ok(());
        }
        Err(self.raise("NameError", &format!("name '{name}' is not defined")))
    }

    /// Returns the value to which a class body binds a name: in an enumeration, the next number for
    /// `auto()`.
    fn automatic(&self, space: ObjectId, name: &str, value: Value) -> Value {
        let Some(Object::Instance { class, .. }) = self.heap.object(&value) else {
            return value;
        };
        let auto = self.bound_name("enum", "auto");
        let Object::Dict(entries, _) = self.heap.get(space) else {
            return value;
        };
        if auto != Some(Value::Object(*class)) {
            return value;
        }
        let numbering = Key::Str("_generate_next_value_".into());
        let own = match entries.get(&numbering) {
            Some((_, function)) => !matches!(self.heap.object(function), Some(Object::Builtin(_))),
            None => true,
        };
        if own {
            return value;
        }
        let last = entries.values().rev().find_map(|pair| match pair {
            (Value::Str(name), Value::Int(value)) if !name.starts_with('_') => Some(*value),
            _ => None,
        });
        let last = last.unwrap_or(0);
        let next = entries.get(&numbering).map(|(_, function)| function);
        let next = next.and_then(|function| self.heap.object(function));
        if matches!(next, Some(Object::Builtin(name)) if &**name == crate::machine::classes::bases::NEXT_TEXT)
        {
            return Value::str(&name.to_lowercase());
        }
        if matches!(next, Some(Object::Builtin(name)) if &**name == crate::machine::classes::bases::NEXT_FLAG)
        {
            // The next power of two after the greatest member.
            let members = entries.values().filter_map(|pair| match pair {
                (Value::Str(name), Value::Int(value)) if !name.starts_with('_') => Some(*value),
                _ => None,
            });
            let bits = i64::BITS - members.fold(0, i64::max).leading_zeros();
            return Value::Int(1i64.checked_shl(bits).unwrap_or(i64::MAX));
        }
        Value::Int(last.saturating_add(1))
    }

    fn cell(&mut self, index: usize) -> Run<ObjectId> {
        self.top()?
            .cells
            .get(index)
            .copied()
            .ok_or_else(|| broken("cell"))
    }

    fn cell_name(&mut self, index: usize) -> Run<Arc<str>> {
        let code = &self.top()?.code;
        let mut names = code.cell_vars.iter().chain(&code.free_vars);
        names.nth(index).cloned().ok_or_else(|| broken("cell"))
    }

    fn load_deref(&mut self, index: usize) -> Run<Value> {
        let id = self.cell(index)?;
        if let Object::Cell(Some(value)) = self.heap.get(id) {
            return Ok(value.clone());
        }
        let name = self.cell_name(index)?;
        let free = index >= self.top()?.code.cell_vars.len();
        Err(if free {
            let message = format!(
                "cannot access free variable '{name}' where it is not associated with a value in \
                 enclosing scope"
            );
            self.raise("NameError", &message)
        } else {
            self.unbound_local(&name)
        })
    }

    fn unbound_local(&mut self, name: &str) -> Flow {
        let message = format!(
            "cannot access local variable '{name}' where it is not associated with a value"
        );
        self.raise("UnboundLocalError", &message)
    }

    fn load_const(&mut self, index: usize) -> Run<()> {
        let constant = self.top()?.code.constants.get(index).cloned();
        match constant.ok_or_else(|| broken("constant"))? {
            // `MAKE_FUNCTION` follows and reads the code from the instruction.
            Constant::Code(_) => self.push(Value::Ellipsis),
            constant => {
                let value = self.constant(&constant);
                self.push(value)
            }
        }
    }

    /// Returns a constant as a value. Tuples are made anew: their identity is not that of CPython.
    pub(in crate::machine) fn constant(&mut self, constant: &Constant) -> Value {
        match constant {
            Constant::None | Constant::Code(_) => Value::None,
            Constant::Bool(b) => Value::Bool(*b),
            Constant::Int(i) => Value::Int(*i),
            Constant::BigInt(i) => Value::BigInt(i.clone()),
            Constant::Float(x) => Value::Float(*x),
            Constant::Complex(re, im) => Value::Complex(*re, *im),
            Constant::Str(s) => Value::Str(s.clone()),
            Constant::Bytes(b) => Value::Bytes(b.clone()),
            Constant::Ellipsis => Value::Ellipsis,
            Constant::Tuple(items) => {
                let items = items.iter().map(|item| self.constant(item)).collect();
                self.heap.tuple(items)
            }
            Constant::Frozenset(items) => {
                let items: Vec<Value> = items.iter().map(|item| self.constant(item)).collect();
                let mut elements = Elements::default();
                for item in items {
                    if let Ok(key) = self.key(&item) {
                        elements.entry(key).or_insert(item);
                    }
                }
                // The compiler rebuilds it from its own elements, in their order
                // (`merge_consts_recursive`).
                if let Some(table) = SetTable::of(&self.heap, &elements) {
                    elements = table.elements();
                }
                // And once more, if one of its texts is a name that the interpreter already knows.
                let again = SetTable::of(&self.heap, &elements).map(|table| table.elements());
                let is_name = |value: &Value| matches!(value, Value::Str(text) if text.len() > 1 && text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()));
                // In the library the order of a constant is hardly ever seen.
                if let Some(again) = again
                    && self.frames.last().is_some_and(|frame| frame.traced)
                    && elements.values().any(is_name)
                    && !again.keys().eq(elements.keys())
                {
                    self.record.guess(0.5);
                }
                self.heap.make(Object::Frozenset(elements))
            }
        }
    }

    pub(in crate::machine) fn make_function(&mut self, flags: usize) -> Run<()> {
        self.pop()?;
        let frame = self.top()?;
        let before = frame
            .last
            .and_then(|last| last.checked_sub(1))
            .ok_or_else(|| broken("code"))?;
        let index = frame.code.instructions[before].arg as usize;
        let Some(Constant::Code(code)) = frame.code.constants.get(index).cloned() else {
            return Err(broken("code"));
        };
        let globals = frame.globals;
        let closure = if flags & 8 == 8 {
            self.pop_items()?
        } else {
            Vec::new()
        };
        let mut attributes = Attributes::default();
        if flags & 4 == 4 {
            let pairs = self.pop_items()?;
            let mut entries = Entries::default();
            for pair in pairs.chunks_exact(2) {
                entries.insert(self.key(&pair[0])?, (pair[0].clone(), pair[1].clone()));
            }
            let object = Object::Dict(entries, DictKind::Plain);
            attributes.insert("__annotations__".into(), self.heap.make(object));
        }
        let kw_defaults = if flags & 2 == 2 {
            Some(self.pop()?)
        } else {
            None
        };
        let defaults = if flags & 1 == 1 {
            self.pop_items()?
        } else {
            Vec::new()
        };
        let kw_defaults = match kw_defaults
            .and_then(|dict| dict.id())
            .map(|id| self.heap.get(id))
        {
            Some(Object::Dict(entries, _)) => entries
                .values()
                .filter_map(|(name, value)| match name {
                    Value::Str(name) => Some((name.clone(), value.clone())),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let hidden = code.library.is_some();
        let function = self.heap.make(Object::Function(Arc::new(Function {
            code,
            globals,
            defaults,
            kw_defaults,
            closure: closure.iter().filter_map(Value::id).collect(),
            attributes,
            hidden,
        })));
        self.push(function)
    }

    fn pop_items(&mut self) -> Run<Vec<Value>> {
        let tuple = self.pop()?;
        self.known_items(&tuple).ok_or_else(|| broken("tuple"))
    }
}
