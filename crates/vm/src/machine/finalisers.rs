//! Objects with `__del__` and weak references: the order in which they are freed, and the calls
//! that this makes.

use std::collections::{HashMap, HashSet};

use crate::code::Op;
use crate::machine::gc::{LOOK, Reached, VISITS};
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Object, ObjectId, Value};

impl Machine {
    /// Registers a new instance of a class of the program.
    pub(in crate::machine) fn instance_made(&mut self, id: ObjectId, class: ObjectId) {
        let Some(finaliser) = self.class_attribute(class, "__del__") else {
            return;
        };
        // Finalisers in the library's source close resources. Finding the right moment would cost
        // more than all else.
        let of_library = match self.heap.object(&finaliser) {
            Some(Object::Function(function)) => self.is_hidden(function.globals),
            _ => false,
        };
        if !of_library {
            self.dropped.finals.insert(id);
        }
    }

    /// Whether an instruction may drop an object with `__del__` that no look at the stack finds.
    pub(in crate::machine) fn may_finalise(&self, op: Op) -> bool {
        if self.dropped.finals.is_empty() {
            return false;
        }
        match op {
            Op::StoreAttr | Op::DeleteAttr | Op::StoreSubscr | Op::DeleteSubscr | Op::Call => true,
            Op::LoadAttr => {
                let Some(frame) = self.frames.last() else {
                    return false;
                };
                let Some(Some(Value::Object(id))) = frame.stack.last() else {
                    return false;
                };
                let held = |value: &Option<Value>| *value == Some(Value::Object(*id));
                self.dropped.finals.contains(id) && !frame.fast.iter().any(held)
            }
            _ => false,
        }
    }

    /// Returns the dropped objects with `__del__` and the dropped open generators, in the order in
    /// which CPython frees them.
    pub(in crate::machine) fn order_of_dropped(&self, values: &[Value]) -> Vec<ObjectId> {
        // The number of references to each object, and the objects that it refers to, the first one
        // last.
        let mut held: HashMap<ObjectId, (usize, Vec<Value>)> = HashMap::new();
        let mut order = Vec::new();
        let mut next: Vec<Value> = values.iter().rev().cloned().collect();
        while let Some(value) = next.pop() {
            let Some(id) = value.id() else { continue };
            if let Some((references, _)) = held.get_mut(&id) {
                *references += 1;
                continue;
            }
            if held.len() > LOOK {
                continue;
            }
            if self.dropped.finals.contains(&id) || self.is_open_generator(id) {
                order.push(id);
            }
            let mut parts = Vec::new();
            self.parts(self.heap.get(id), &mut parts);
            self.held_by(id, &mut parts);
            // Lists and tuples are freed from their ends.
            if !matches!(self.heap.get(id), Object::List(_) | Object::Tuple(_)) {
                parts.reverse();
            }
            next.extend(parts.iter().cloned());
            held.insert(id, (1, parts));
        }
        // An object is freed with its last reference. Objects that refer to themselves come after
        // all others.
        let mut freed = Vec::new();
        let mut next: Vec<Value> = values.iter().rev().cloned().collect();
        while let Some(value) = next.pop() {
            let Some((references, parts)) = value.id().and_then(|id| held.get_mut(&id)) else {
                continue;
            };
            *references = references.saturating_sub(1);
            if *references == 0 && !freed.iter().any(|id| Some(*id) == value.id()) {
                next.append(parts);
                freed.extend(value.id().filter(|id| order.contains(id)));
            }
        }
        order.retain(|id| !freed.contains(id));
        freed.append(&mut order);
        freed
    }

    /// Finalises the first object that nothing refers to. Returns true if its `__del__` is called.
    pub(in crate::machine) fn finalise_dropped(&mut self) -> Run<bool> {
        if self.dropped.finals.is_empty() {
            return Ok(false);
        }
        let reached = self.reached()?;
        self.forget_frames(&reached.1);
        let mut known = self
            .dropped
            .order
            .iter()
            .filter(|id| self.dropped.finals.contains(id));
        let found = known.find(|id| self.is_gone(**id, &reached.1)).copied();
        let all = || self.dropped.finals.iter().copied();
        let found = found.or_else(|| all().find(|id| self.is_gone(*id, &reached.1)));
        let Some(id) = found else {
            return Ok(false);
        };
        if self.dropped.by_local {
            let what = "an object with `__del__` that a local name drops".to_string();
            return Err(Flow::Unsupported(what));
        }
        self.dropped.finals.remove(&id);
        self.closing_begins(&[Value::Object(id)], &reached);
        self.finalise(id)?;
        Ok(true)
    }

    /// Whether an object with `__del__` is freed now: the program cannot reach it, and it does not
    /// refer to itself.
    pub(in crate::machine) fn is_gone(&self, id: ObjectId, reached: &HashSet<ObjectId>) -> bool {
        !reached.contains(&id) && !self.dropped.waits(id) && !self.is_cyclic(id)
    }

    fn finalise(&mut self, id: ObjectId) -> Run<()> {
        let method = self.special(&Value::Object(id), "__del__");
        if self.dropped.watched.remove(&id) {
            let number = Value::Int(i64::from(id.0));
            self.dropped.weak.remove(&id);
            let helper = self.library_value("weakref", "_died")?;
            let arguments = vec![method.unwrap_or(Value::None), number];
            self.call(helper, arguments, Vec::new(), After::Drop)?;
        } else if let Some(method) = method {
            self.call(method, Vec::new(), Vec::new(), After::Drop)?;
        }
        Ok(())
    }

    /// Whether objects with `__del__` are left.
    pub(in crate::machine) fn has_finals(&mut self) -> bool {
        if self.dropped.stays {
            return false;
        }
        let left: Vec<ObjectId> = self.dropped.finals.iter().copied().collect();
        left.into_iter()
            .any(|id| self.special(&Value::Object(id), "__del__").is_some())
    }

    /// `_final_next()`: returns `__del__` of the next object that still has one, in the order of
    /// the last collection. `None` if none is left. Weak references are gone by then, and call
    /// nothing.
    pub(in crate::machine) fn next_final(&mut self) -> Value {
        // Objects that a finaliser makes and keeps are not looked for again.
        let mut left = match self.dropped.last.take() {
            Some(left) => left,
            None => self.last_order(),
        };
        self.dropped.watched.clear();
        let mut found = Value::None;
        while let Some(id) = left.pop() {
            // An object that a finaliser dropped was finalised then.
            if self.dropped.finals.remove(&id)
                && let Some(method) = self.special(&Value::Object(id), "__del__")
            {
                found = method;
                break;
            }
        }
        self.dropped.last = Some(left);
        found
    }

    /// Returns the remaining objects, the first one last: those that the module does not reach, in
    /// order of creation, then those that it reaches. An object made after its holder keeps its
    /// place; one made before it moves to the end when the holder is visited.
    fn last_order(&self) -> Vec<ObjectId> {
        let count = u32::try_from(self.heap.len()).unwrap_or(u32::MAX);
        let module = self.stacks.module;
        let others = (0..count).map(ObjectId).filter(|id| Some(*id) != module);
        let mut order: Vec<ObjectId> = module.into_iter().chain(others).collect();
        let mut reached: HashSet<ObjectId> = module.into_iter().collect();
        let mut passed = HashSet::new();
        let mut places = HashMap::new();
        let mut at = 0;
        while let Some(&id) = order.get(at) {
            at += 1;
            if !reached.contains(&id) {
                passed.insert(id);
                continue;
            }
            places.insert(id, at);
            let mut parts = Vec::new();
            self.parts(self.heap.get(id), &mut parts);
            // From the end, as in CPython.
            if matches!(self.heap.get(id), Object::List(_) | Object::Tuple(_)) {
                parts.reverse();
            }
            for part in parts.iter().filter_map(Value::id) {
                if reached.insert(part) && passed.contains(&part) {
                    order.push(part);
                }
            }
        }
        let mut left: Vec<ObjectId> = self.dropped.finals.iter().copied().collect();
        left.sort_by_key(|id| std::cmp::Reverse((places.get(id).copied(), id.0)));
        left
    }

    /// `_weak_watch(number)`: the runtime is told when the object is gone.
    pub(in crate::machine) fn watch_object(&mut self, number: i64) {
        let known = u32::try_from(number).map(ObjectId);
        if let Some(id) = known.ok().filter(|id| self.dropped.weak.contains(id)) {
            self.dropped.finals.insert(id);
            self.dropped.watched.insert(id);
        }
    }

    /// Returns everything that the program can reach.
    pub(in crate::machine) fn reached(&mut self) -> Run<Reached> {
        if self.dropped.visits > VISITS {
            let what = "objects that are looked for too often".to_string();
            return Err(Flow::Unsupported(what));
        }
        let reached = self.reachable(&self.roots(), usize::MAX);
        self.dropped.visits += reached.1.len();
        Ok(reached)
    }

    /// Whether an object refers to itself, directly or through others, and has not been collected.
    fn is_cyclic(&self, id: ObjectId) -> bool {
        let mut parts = Vec::new();
        self.parts(self.heap.get(id), &mut parts);
        let (_, seen) = self.reachable(&parts, usize::MAX);
        seen.contains(&id) && !self.dropped.collected.contains(&id)
    }

    /// `gc.collect()`: frees objects to which only they themselves refer. Their number is not
    /// known.
    pub(in crate::machine) fn collect(&mut self) -> Run<Value> {
        let frame = self.top()?;
        let next = frame.code.instructions.get(frame.next);
        if next.is_none_or(|next| next.op != Op::PopTop) {
            return Err(Flow::Unsupported(
                "the number of collected objects".to_string(),
            ));
        }
        let (_, seen) = self.reached()?;
        let gone: Vec<ObjectId> = (self.dropped.finals.iter().chain(&self.dropped.weak))
            .copied()
            .filter(|id| !seen.contains(id))
            .collect();
        self.dropped.collected.extend(gone);
        self.dropped.suspect = true;
        Ok(Value::Int(0))
    }

    /// Returns a number that identifies an object without referring to it.
    pub(in crate::machine) fn weak_number(&mut self, value: &Value) -> Value {
        match (value, self.heap.object(value)) {
            (
                Value::Object(id),
                Some(
                    Object::Instance { .. }
                    | Object::Function(_)
                    | Object::Class(_)
                    | Object::Set(_)
                    | Object::Frozenset(_)
                    | Object::Generator { .. },
                ),
            ) => {
                self.dropped.weak.insert(*id);
                Value::Int(i64::from(id.0))
            }
            _ => Value::None,
        }
    }

    /// Returns the object of a number. `None` if it is gone.
    pub(in crate::machine) fn weak_object(&mut self, number: i64) -> Run<Value> {
        let known = u32::try_from(number).map(ObjectId);
        let Some(id) = known.ok().filter(|id| self.dropped.weak.contains(id)) else {
            return Ok(Value::None);
        };
        if self.dropped.stays {
            return Ok(Value::Object(id));
        }
        let (_, seen) = self.reached()?;
        Ok(match seen.contains(&id) || self.is_cyclic(id) {
            true => Value::Object(id),
            false => Value::None,
        })
    }
}
