//! Line, call and return events, by the rule of CPython 3.11, and the states at them.

use std::sync::Arc;

use codexec_trace::Event;
use indexmap::IndexMap;

use crate::code::{Instruction, Op};
use crate::machine::{Frame, Machine, Run};
use crate::text;
use crate::value::{Heap, Object, ObjectId, Value};

impl Machine {
    pub(in crate::machine) fn trace(&mut self, at: usize, instruction: Instruction) -> Run<()> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let code = &frame.code.instructions;
        let entry = code.iter().position(|i| i.op == Op::Resume).unwrap_or(0);
        if at < entry {
            return Ok(());
        }
        if instruction.op == Op::Resume {
            if self.frames.len() > 1 {
                // A module is entered at line 0, where nothing stands.
                return self.event(Event::Call, instruction.line.max(1));
            }
            return Ok(());
        }
        let Some(last) = frame.last else {
            return Ok(());
        };
        let last_line = if last <= entry { 0 } else { code[last].line };
        let line = instruction.line;
        if line != 0 && (line != last_line || at < last && instruction.op != Op::Send) {
            return self.event(Event::Line, line);
        }
        Ok(())
    }

    /// An event of the innermost frame.
    pub(in crate::machine) fn event(&mut self, event: Event, line: u32) -> Run<()> {
        if self.record.raises.is_some() {
            return self.count_event(line);
        }
        let state = if self.record.has_pending() {
            self.snapshot()
        } else {
            Vec::new()
        };
        let Some(globals) = self.frames.last().map(|frame| frame.globals) else {
            return Ok(());
        };
        let file = self.file_of(globals);
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let place = (frame.depth, file);
        self.record.event(
            event,
            line,
            &frame.code.name,
            place,
            state,
            &mut frame.shown,
        )
    }

    /// The locals of the innermost frame, as the interpreter's snapshot of them has them.
    pub(in crate::machine) fn snapshot(&mut self) -> Vec<(Arc<str>, String)> {
        self.refresh_locals();
        let heap = &self.heap;
        let Some(frame) = self.frames.last_mut() else {
            return Vec::new();
        };
        let shown = |name: &str| !HIDDEN.contains(&name);
        if let Some(namespace) = frame.namespace.or(frame.locals) {
            let Object::Dict(entries, _) = heap.get(namespace) else {
                return Vec::new();
            };
            return entries
                .values()
                .filter_map(|(name, value)| match name {
                    Value::Str(name) if shown(name) => {
                        Some((name.clone(), text::canonical(heap, value)))
                    }
                    _ => None,
                })
                .collect();
        }
        let values = local_values(frame, heap);
        values
            .into_iter()
            .filter(|(name, _)| shown(name))
            .map(|(name, value)| (name, text::canonical(heap, &value)))
            .collect()
    }
}

/// The locals of a function's frame, in the order in which the interpreter's snapshot has them.
pub(in crate::machine) fn local_values(frame: &mut Frame, heap: &Heap) -> Vec<(Arc<str>, Value)> {
    let cell = |id: &ObjectId| match heap.get(*id) {
        Object::Cell(value) => value.clone(),
        _ => None,
    };
    let cells = frame
        .code
        .cell_vars
        .iter()
        .chain(&frame.code.free_vars)
        .zip(&frame.cells);
    let cells: IndexMap<&Arc<str>, Option<Value>> =
        cells.map(|(name, id)| (name, cell(id))).collect();
    let plain = frame
        .code
        .var_names
        .iter()
        .zip(&frame.fast)
        .map(|(name, value)| {
            (
                name,
                cells.get(name).cloned().flatten().or_else(|| value.clone()),
            )
        });
    let only_cells = cells
        .iter()
        .filter(|(name, _)| !frame.code.var_names.contains(name));
    let values: IndexMap<&Arc<str>, Value> = plain
        .chain(only_cells.map(|(name, value)| (*name, value.clone())))
        .filter_map(|(name, value)| Some((name, value?)))
        .collect();
    frame.order.retain(|name, ()| values.contains_key(name));
    for name in values.keys() {
        frame.order.entry((*name).clone()).or_insert(());
    }
    let order = frame.order.keys();
    order
        .map(|name| (name.clone(), values[name].clone()))
        .collect()
}

/// Names that the interpreter sets, as in `data/python/sandbox/tracer.py`.
const HIDDEN: [&str; 28] = [
    "__path__",
    "__name__",
    "__builtins__",
    "__doc__",
    "__file__",
    "__spec__",
    "__loader__",
    "__package__",
    "__annotations__",
    "__cached__",
    "__module__",
    "__qualname__",
    "__firstlineno__",
    "__static_attributes__",
    "__class__",
    "__classcell__",
    "__classdict__",
    "__classdictcell__",
    "__conditional_annotations__",
    "__annotate__",
    "__annotate_func__",
    "__annotations_cache__",
    "__type_params__",
    ".type_params",
    ".generic_base",
    ".defaults",
    ".kwdefaults",
    ".0",
];

impl Frame {
    /// Line of the instruction executed last, or the next line before it that is known.
    pub(crate) fn line(&self) -> u32 {
        let Some(last) = self.last else {
            return self.code.first_line;
        };
        self.code.instructions[last].line
    }
}
