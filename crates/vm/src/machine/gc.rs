//! Garbage collection: when nothing refers to an object any more, generators are closed, objects
//! with `__del__` finalised, and weak references cleared.
//!
//! CPython does so at once, and a trace shows the calls and returns. The heap counts no references.
//! A short look at the values that an instruction drops finds out whether it may drop the last
//! reference. Only then everything that the program can reach is marked.

use std::collections::{BTreeSet, HashSet};

use crate::code::{Instruction, Op};
use crate::machine::eval::generators::Slot;
use crate::machine::{After, Flow, Frame, Machine, Run};
use crate::value::{DictKind, Iterator, Object, ObjectId, Value};

/// Maximum objects that a look at dropped values visits.
pub(in crate::machine) const LOOK: usize = 256;
/// Maximum objects that are visited for a program in total. After that nothing is closed any more.
pub(in crate::machine) const VISITS: usize = 20_000_000;

/// The state of garbage collection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dropped {
    /// Traced generators that have not finished.
    open: BTreeSet<u32>,
    /// Objects with `__del__` that have not been finalised, and those that weak references watch.
    pub(in crate::machine) finals: BTreeSet<ObjectId>,
    /// The ones among them with callbacks of weak references.
    pub(in crate::machine) watched: BTreeSet<ObjectId>,
    pub(in crate::machine) weak: BTreeSet<ObjectId>,
    /// Objects to which only they themselves refer and that have been collected.
    pub(in crate::machine) collected: HashSet<ObjectId>,
    /// A local name was rebound: the tracer's snapshot of the locals keeps the old value until the
    /// next event.
    pub(in crate::machine) by_local: bool,
    /// The order in which the objects dropped last are closed and finalised.
    pub(in crate::machine) order: Vec<ObjectId>,
    /// The last reference to one of them may be gone.
    pub(in crate::machine) suspect: bool,
    /// Objects that are finalised when the program has ended, the first one last.
    pub(in crate::machine) last: Option<Vec<ObjectId>>,
    /// Frames that exceptions left. The traceback of each holds them as long as the exception
    /// exists.
    held: Vec<(ObjectId, Frame)>,
    /// Exceptions that propagate once the objects that they dropped have been closed and finalised,
    /// with the number of frames at that time.
    carried: Vec<(usize, Value)>,
    /// For each closing and finalising that has begun, the objects that were gone then and wait for
    /// its end.
    waits: Vec<Waits>,
    /// The exception that ended the program.
    pub(in crate::machine) uncaught: Option<Value>,
    pub(in crate::machine) visits: usize,
    /// Dropped objects stay: if there are many modules, looking for them takes longer than all
    /// else.
    pub(in crate::machine) stays: bool,
}

/// Generators, by slot, and objects that can be reached.
pub(in crate::machine) type Reached = (HashSet<u32>, HashSet<ObjectId>);

/// Objects that are gone, and are closed and finalised later.
#[derive(Debug, Clone, Default)]
struct Waits {
    generators: HashSet<u32>,
    objects: HashSet<ObjectId>,
}

impl Dropped {
    pub(in crate::machine) fn waits(&self, id: ObjectId) -> bool {
        self.waits.iter().any(|one| one.objects.contains(&id))
    }

    fn generator_waits(&self, slot: u32) -> bool {
        self.waits.iter().any(|one| one.generators.contains(&slot))
    }

    /// Whether nothing is looked for, and no closing has begun.
    pub(in crate::machine) fn is_quiet(&self) -> bool {
        self.is_idle() && !self.suspect && self.waits.is_empty() && self.carried.is_empty()
    }

    /// Whether nothing is looked for.
    fn is_idle(&self) -> bool {
        self.stays || self.open.is_empty() && self.finals.is_empty() && self.weak.is_empty()
    }
}

/// Returns how many values an instruction that works on values takes.
fn operands(op: Op) -> Option<usize> {
    match op {
        Op::BinaryOp | Op::BinarySubscr | Op::CompareOp | Op::ContainsOp | Op::IsOp => Some(2),
        Op::FormatValue
        | Op::PopJumpIfFalse
        | Op::PopJumpIfNone
        | Op::PopJumpIfNotNone
        | Op::PopJumpIfTrue
        | Op::UnaryInvert
        | Op::UnaryNegative
        | Op::UnaryNot
        | Op::UnaryPositive => Some(1),
        _ => None,
    }
}

impl Machine {
    /// Registers a new generator.
    pub(in crate::machine) fn created(&mut self, slot: u32, traced: bool) {
        if traced {
            self.dropped.open.insert(slot);
        }
    }

    /// Records that a generator has yielded to something that may not keep it.
    pub(in crate::machine) fn yielded(&mut self, slot: u32, after: &After) {
        if matches!(after, After::Drop) {
            self.dropped.open.remove(&slot);
        }
        if matches!(after, After::Next(_)) {
            self.dropped.suspect = true;
        }
    }

    /// Records that a generator has ended.
    pub(in crate::machine) fn finished(&mut self, slot: u32) {
        self.generators.slots[slot as usize] = Slot::Finished;
        self.dropped.open.remove(&slot);
    }

    /// Detects that an instruction may drop a generator, before it is executed.
    pub(in crate::machine) fn watch(&mut self, instruction: Instruction) {
        if instruction.op == Op::PopExcept && !self.dropped.held.is_empty() {
            self.dropped.suspect = true;
            self.dropped.by_local = false;
        }
        if self.dropped.is_idle() || self.dropped.suspect {
            return;
        }
        let Some(frame) = self.frames.last() else {
            return;
        };
        let arg = instruction.arg as usize;
        let named = || {
            let space = match instruction.op {
                Op::StoreName | Op::DeleteName => frame.namespace.unwrap_or(frame.globals),
                _ => frame.globals,
            };
            frame
                .code
                .names
                .get(arg)
                .and_then(|name| self.get_name(space, name))
        };
        let mut values = Vec::new();
        match instruction.op {
            Op::PopTop => values.extend(frame.stack.last().cloned().flatten()),
            Op::StoreFast | Op::DeleteFast => values.extend(frame.fast.get(arg).cloned().flatten()),
            Op::StoreDeref | Op::DeleteDeref => {
                values.extend(frame.cells.get(arg).map(|cell| Value::Object(*cell)));
            }
            Op::StoreName | Op::StoreGlobal | Op::DeleteName | Op::DeleteGlobal => {
                values.extend(named());
            }
            Op::ReturnValue => self.values_of(frame, &mut values),
            // Only a builtin function can be called with values that nothing refers to afterwards.
            // Other functions have them in their frames.
            Op::Call if !self.may_finalise(Op::Call) && !self.dropped.open.is_empty() => {
                let from = frame.stack.len().saturating_sub(arg);
                values.extend(frame.stack[from..].iter().flatten().cloned());
            }
            // An operand may be a generator or an object that nothing else refers to.
            op if let Some(count) = operands(op) => {
                let from = frame.stack.len().saturating_sub(count);
                let taken = frame.stack[from..].iter().flatten();
                values.extend(taken.filter(|value| self.is_watched(value)).cloned());
            }
            _ => {
                if self.may_finalise(instruction.op) {
                    // Of a call, only its operands: the rest of the stack stays.
                    let from = match instruction.op {
                        Op::Call => frame.stack.len().saturating_sub(arg + 2),
                        _ => 0,
                    };
                    let stack = frame.stack[from..].iter().flatten();
                    let stack: Vec<Value> = stack.cloned().collect();
                    self.put_first(&stack);
                    self.dropped.suspect = true;
                    self.dropped.by_local = false;
                }
                return;
            }
        }
        self.dropped.suspect = self.reaches_open(&values);
        if self.dropped.suspect {
            self.put_first(&values);
            self.dropped.by_local = matches!(instruction.op, Op::StoreFast | Op::DeleteFast);
        }
    }

    /// Puts the values that are dropped now before those that wait.
    fn put_first(&mut self, values: &[Value]) {
        let mut order = self.order_of_dropped(values);
        order.append(&mut self.dropped.order);
        self.dropped.order = order;
    }

    /// Records that an exception drops the values of an expression on the stack.
    pub(in crate::machine) fn drops(&mut self, from: usize) {
        if self.dropped.is_idle() {
            return;
        }
        let Some(frame) = self.frames.last() else {
            return;
        };
        let above = frame.stack.get(from..).unwrap_or_default();
        let values: Vec<Value> = above.iter().rev().flatten().cloned().collect();
        if self.reaches_open(&values) {
            let order = self.order_of_dropped(&values);
            self.dropped.order.extend(order);
            self.dropped.suspect = true;
            self.dropped.by_local = false;
        }
    }

    /// Records that an exception left a frame. A frame of the runtime counts as C code, which no
    /// traceback holds.
    pub(in crate::machine) fn left(&mut self, frame: &Frame, error: &Value) {
        if self.dropped.is_idle() {
            return;
        }
        let mut values = Vec::new();
        self.values_of(frame, &mut values);
        if self.reaches_open(&values) {
            if let Some(id) = error.id().filter(|_| !self.is_runtime(frame)) {
                let mut frame = frame.clone();
                frame.stack.clear();
                frame.after = After::Discard;
                self.dropped.held.push((id, frame));
            }
            self.dropped.suspect = true;
            self.dropped.by_local = false;
        }
    }

    /// Records a new instance whose `__init__` refused its arguments: nothing refers to it.
    pub(in crate::machine) fn refused_by_init(&mut self, instance: &Value) {
        if let Some(id) = instance.id().filter(|id| self.dropped.finals.contains(id)) {
            self.dropped.order.insert(0, id);
            self.dropped.suspect = true;
            self.dropped.by_local = false;
        }
    }

    /// Closes and finalises what a frame dropped before an exception leaves it. Returns true if the
    /// exception waits.
    pub(in crate::machine) fn closes_before(&mut self, error: &Value) -> Run<bool> {
        if !self.dropped.suspect {
            return Ok(false);
        }
        let waiting = (self.frames.len(), error.clone());
        self.dropped.carried.push(waiting);
        if self.close_dropped()? {
            return Ok(true);
        }
        self.dropped.carried.pop();
        Ok(false)
    }

    /// Returns the exception that waited for what it dropped, once that has been closed and
    /// finalised.
    pub(in crate::machine) fn carried_on(&mut self) -> Option<Value> {
        let (frames, _) = self.dropped.carried.last()?;
        match self.frames.len() > *frames {
            true => None,
            false => self.dropped.carried.pop().map(|(_, error)| error),
        }
    }

    /// Releases the objects that waited for a closing that has ended.
    fn closings_ended(&mut self) {
        if self.dropped.waits.is_empty() {
            return;
        }
        let frames = self.frames.iter().chain(self.stacks.waiting());
        let begun = frames.filter(|frame| matches!(frame.after, After::Drop));
        let begun = begun.count();
        if begun < self.dropped.waits.len() {
            self.dropped.waits.truncate(begun);
            self.dropped.suspect = true;
            self.dropped.by_local = false;
        }
    }

    /// Begins a closing: other objects that are gone, and that the closed one does not hold, wait
    /// for its end.
    pub(in crate::machine) fn closing_begins(
        &mut self,
        held: &[Value],
        reached: &(HashSet<u32>, HashSet<ObjectId>),
    ) {
        let (generators, seen) = reached;
        let (kept_generators, kept) = self.reachable(held, usize::MAX);
        let finals = self.dropped.finals.iter().copied();
        let objects = finals.filter(|id| !seen.contains(id) && !kept.contains(id));
        let open = self.dropped.open.iter().copied();
        let generators =
            open.filter(|slot| !generators.contains(slot) && !kept_generators.contains(slot));
        let waits = Waits {
            objects: objects.collect(),
            generators: generators.collect(),
        };
        self.dropped.waits.push(waits);
        self.dropped.suspect = false;
    }

    /// Closes the first generator that nothing refers to. Returns true if one is being closed.
    pub(in crate::machine) fn close_dropped(&mut self) -> Run<bool> {
        self.closings_ended();
        self.dropped.suspect &= !self.dropped.stays;
        if !self.dropped.suspect {
            return Ok(false);
        }
        while let Some((slot, reached)) = self.unreachable_generator() {
            self.dropped.open.remove(&slot);
            // A coroutine that was never awaited is not closed: CPython warns of it on standard
            // error.
            if let Slot::Suspended(frame) = &self.generators.slots[slot as usize]
                && frame.code.is_coroutine
                && frame
                    .last
                    .is_some_and(|last| frame.code.instructions[last].op == Op::ReturnGenerator)
            {
                continue;
            }
            if let Slot::Suspended(frame) = &self.generators.slots[slot as usize]
                && frame.code.is_async_generator
                && let Some(agen) = self.async_generator(slot)
                && let Some(hook) = self.bound_name("asyncio", "_dropped")
            {
                self.closing_begins(std::slice::from_ref(&agen), &reached);
                self.call(hook, vec![agen], Vec::new(), After::Drop)?;
                return Ok(true);
            }
            let mut held = Vec::new();
            if let Slot::Suspended(frame) = &self.generators.slots[slot as usize] {
                self.values_of(frame, &mut held);
            }
            self.closing_begins(&held, &reached);
            let Flow::Raise(error) = self.raise("GeneratorExit", "") else {
                return Err(Flow::Unsupported("a generator dropped there".to_string()));
            };
            self.resume(slot, Err(error), After::Drop)?;
            return Ok(true);
        }
        if self.finalise_dropped()? {
            return Ok(true);
        }
        self.dropped.suspect = false;
        if self.dropped.waits.is_empty() {
            self.dropped.order.clear();
        }
        Ok(false)
    }

    /// Returns a generator that nothing refers to, and what the program can reach.
    fn unreachable_generator(&mut self) -> Option<(u32, Reached)> {
        if self.dropped.visits > VISITS {
            self.dropped.open.clear();
        }
        let may_be_gone = |slot: &u32| {
            matches!(self.generators.slots[*slot as usize], Slot::Suspended(_))
                && !self.dropped.generator_waits(*slot)
        };
        if !self.dropped.open.iter().any(may_be_gone) {
            return None;
        }
        let reached = self.reachable(&self.roots(), usize::MAX);
        let is_gone = |slot: &u32| !reached.0.contains(slot) && may_be_gone(slot);
        let mut slot = None;
        for id in &self.dropped.order {
            slot = self.open_generator(*id).filter(is_gone);
            if slot.is_some() {
                break;
            }
            // An object is finalised before those that come after it.
            if self.dropped.finals.contains(id) && self.is_gone(*id, &reached.1) {
                return None;
            }
        }
        let slot = slot.or_else(|| self.dropped.open.iter().copied().find(is_gone));
        self.dropped.visits += reached.1.len();
        Some((self.innermost(slot?), reached))
    }

    /// Returns the slot of a traced generator that has not finished.
    fn open_generator(&self, id: ObjectId) -> Option<u32> {
        match self.heap.get(id) {
            Object::Generator { frame, .. } => {
                Some(*frame).filter(|slot| self.dropped.open.contains(slot))
            }
            _ => None,
        }
    }

    pub(in crate::machine) fn is_open_generator(&self, id: ObjectId) -> bool {
        self.open_generator(id).is_some()
    }

    /// Drops what only the program's frames held, when it leaves by `SystemExit`.
    pub(in crate::machine) fn leave_frames(&mut self) {
        self.dropped.held.clear();
        self.dropped.suspect = true;
    }

    /// Returns the roots of the objects that the program can reach.
    pub(in crate::machine) fn roots(&self) -> Vec<Value> {
        // The module stays after its frame has ended, for threads and functions of `atexit`, and so
        // do their objects.
        let mut roots: Vec<Value> = self.stacks.module.map(Value::Object).into_iter().collect();
        // As in `sys.modules`.
        let modules = self.library.programs.values();
        roots.extend(modules.map(|globals| Value::Object(*globals)));
        roots.extend(self.bound_name("atexit", "_exit_calls"));
        roots.extend(self.runtime.replaced.values().cloned());
        roots.extend(self.library.members.values().cloned());
        roots.extend(self.library.placed.values().cloned());
        roots.extend(self.source_spaces());
        let carried = self.dropped.carried.iter();
        roots.extend(carried.map(|(_, error)| error.clone()));
        roots.extend(self.dropped.uncaught.clone());
        let waiting = self.stacks.waiting();
        for frame in self.frames.iter().chain(waiting) {
            roots.push(Value::Object(frame.globals));
            self.values_of(frame, &mut roots);
        }
        roots
    }

    /// Returns the generator that is closed first: if one waits in `yield from`, the one that it
    /// waits for.
    fn innermost(&self, mut slot: u32) -> u32 {
        while let Slot::Suspended(frame) = &self.generators.slots[slot as usize]
            && frame
                .last
                .is_some_and(|last| last > 0 && frame.code.instructions[last - 1].op == Op::Send)
            && let Some(Some(waited)) = frame.stack.last()
            && let Some(Object::Generator { frame: inner, .. }) = self.heap.object(waited)
            && self.dropped.open.contains(inner)
        {
            slot = *inner;
        }
        slot
    }

    /// Whether a value itself is a generator or an object whose end is looked for.
    fn is_watched(&self, value: &Value) -> bool {
        value.id().is_some_and(|id| {
            self.dropped.finals.contains(&id)
                || self.dropped.weak.contains(&id)
                || self.is_open_generator(id)
        })
    }

    fn reaches_open(&self, values: &[Value]) -> bool {
        let (generators, seen) = self.reachable(values, LOOK);
        let is_open = |slot: &u32| self.dropped.open.contains(slot);
        let is_known =
            |id: &ObjectId| self.dropped.finals.contains(id) || self.dropped.weak.contains(id);
        generators.iter().any(is_open) || seen.iter().any(is_known)
    }

    /// Returns the generators and objects that can be reached from values. At most `most` objects
    /// are visited.
    pub(in crate::machine) fn reachable(&self, values: &[Value], most: usize) -> Reached {
        let mut generators = HashSet::new();
        let mut seen: HashSet<ObjectId> = HashSet::new();
        let mut next: Vec<Value> = values.to_vec();
        let mut visits = 0;
        while let Some(value) = next.pop() {
            visits += 1;
            if visits > most {
                break;
            }
            let Some(id) = value.id() else { continue };
            if !seen.insert(id) {
                continue;
            }
            if let Object::Generator { frame, .. } = self.heap.get(id) {
                generators.insert(*frame);
            }
            self.parts(self.heap.get(id), &mut next);
            self.held_by(id, &mut next);
        }
        (generators, seen)
    }

    /// Collects the values to which the frames that an exception left refer.
    pub(in crate::machine) fn held_by(&self, error: ObjectId, out: &mut Vec<Value>) {
        let held = self.dropped.held.iter().filter(|(id, _)| *id == error);
        held.for_each(|(_, frame)| self.values_of(frame, out));
    }

    /// Forgets the frames of exceptions that are gone.
    pub(in crate::machine) fn forget_frames(&mut self, seen: &HashSet<ObjectId>) {
        self.dropped.held.retain(|(id, _)| seen.contains(id));
    }

    /// Collects the values to which a frame refers, except its globals.
    pub(in crate::machine) fn values_of(&self, frame: &Frame, out: &mut Vec<Value>) {
        out.extend(frame.stack.iter().flatten().cloned());
        out.extend(frame.fast.iter().flatten().cloned());
        out.extend(frame.cells.iter().map(|cell| Value::Object(*cell)));
        out.extend(frame.namespace.map(Value::Object));
        out.extend(frame.handled.clone());
        match &frame.after {
            After::Truth(value) | After::Next(Some(value)) | After::Init(value) => {
                out.push(value.clone());
            }
            After::Operated(one) => out.extend(one.both().map(Clone::clone)),
            _ => {}
        }
    }

    /// Collects the values to which an object refers. Globals of functions are those of a frame.
    pub(in crate::machine) fn parts(&self, object: &Object, out: &mut Vec<Value>) {
        let ids = |ids: &[ObjectId]| ids.iter().copied().map(Value::Object).collect::<Vec<_>>();
        match object {
            Object::List(items) => {
                out.extend(items.iter().filter(|item| item.id().is_some()).cloned())
            }
            Object::Tuple(items) => out.extend(items.iter().cloned()),
            Object::Deque(items, _) => out.extend(items.iter().cloned()),
            Object::Set(items) | Object::Frozenset(items) => out.extend(items.values().cloned()),
            Object::Dict(entries, kind) => {
                if let DictKind::Default(factory) = kind {
                    out.push(factory.clone());
                }
                for (key, value) in entries.values() {
                    out.extend(
                        [key, value]
                            .into_iter()
                            .filter(|v| v.id().is_some())
                            .cloned(),
                    );
                }
            }
            Object::Cell(value) => out.extend(value.clone()),
            Object::Function(function) => {
                out.extend(function.defaults.iter().cloned());
                out.extend(function.kw_defaults.iter().map(|(_, value)| value.clone()));
                out.extend(ids(&function.closure));
                out.extend(function.attributes.values().cloned());
            }
            Object::Class(class) => {
                out.extend(ids(&class.mro));
                out.extend(class.attributes.values().cloned());
            }
            Object::Instance {
                class,
                attributes,
                base,
            } => {
                out.push(Value::Object(*class));
                out.extend(attributes.values().cloned());
                out.extend(base.clone());
            }
            Object::Method { function, receiver } => {
                out.extend([function.clone(), receiver.clone()])
            }
            Object::BuiltinMethod { receiver, .. } => out.push(receiver.clone()),
            Object::DictView { of, .. } => out.push(Value::Object(*of)),
            Object::Iterator(iterator) => match iterator {
                Iterator::Sequence { of, .. }
                | Iterator::Reversed { of, .. }
                | Iterator::Deque { of, .. }
                | Iterator::Set { of, .. }
                | Iterator::Dict { of, .. } => {
                    out.push(Value::Object(*of));
                }
                Iterator::Items { of, .. } => out.extend(of.iter().cloned()),
                _ => {}
            },
            Object::Generator { frame, .. } => {
                if let Slot::Suspended(frame) = &self.generators.slots[*frame as usize] {
                    self.values_of(frame, out);
                }
            }
            Object::Special { parts, .. } => out.extend(parts.iter().cloned()),
            _ => {}
        }
    }
}
