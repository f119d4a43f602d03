//! Line, call and return events, by the rules of CPython 3.11, and the states at them.

use std::sync::Arc;

use codexec_trace::Event;

use crate::code::{Instruction, Op};
use crate::machine::eval::quick::entry_of;
use crate::machine::record::Text;
use crate::machine::{Frame, Machine, Run};
use crate::text;
use crate::value::{Heap, Object, ObjectId, Value};

impl Machine {
    pub(in crate::machine) fn trace(&mut self, at: usize, instruction: Instruction) -> Run<()> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let code = &frame.code.instructions;
        let entry = entry_of(&frame.code);
        if at < entry {
            return Ok(());
        }
        if instruction.op == Op::Resume {
            if self.frames.len() > 1 {
                // A module is entered at line 0, which has no source.
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

    /// Records an event of the innermost frame.
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

    /// Returns the locals of the innermost frame as in the interpreter's snapshot.
    pub(in crate::machine) fn snapshot(&mut self) -> Vec<(Arc<str>, Text)> {
        self.refresh_locals();
        let moment = self.heap.move_on();
        let heap = &self.heap;
        let references = self.settings.references;
        let texts = &mut self.record.texts;
        let mut text_of = |value: &Value| match references {
            true => shown_text(heap, value, true),
            false => Text {
                text: texts.text(heap, value, moment),
                objects: None,
            },
        };
        let Some(frame) = self.frames.last_mut() else {
            return Vec::new();
        };
        let shown = |name: &str| !name.starts_with(['_', '.']) || !HIDDEN.contains(&name);
        if let Some(namespace) = frame.namespace.or(frame.locals) {
            let Object::Dict(entries, _) = heap.get(namespace) else {
                return Vec::new();
            };
            return entries
                .values()
                .filter_map(|(name, value)| match name {
                    Value::Str(name) if shown(name) => Some((name.clone(), text_of(value))),
                    _ => None,
                })
                .collect();
        }
        let values = local_values(frame, heap);
        values
            .into_iter()
            .filter(|(name, _)| shown(name))
            .map(|(name, value)| (name, text_of(&value)))
            .collect()
    }
}

/// Returns the text of a value in a trace, with the objects in it if references are wanted.
pub(in crate::machine) fn shown_text(heap: &Heap, value: &Value, references: bool) -> Text {
    if references {
        let (text, objects) = text::canonical_with_objects(heap, value);
        return Text {
            text: text.into(),
            objects: Some(objects),
        };
    }
    Text {
        text: text::canonical(heap, value).into(),
        objects: None,
    }
}

/// Returns the locals of a function's frame, in the order of the interpreter's snapshot.
pub(in crate::machine) fn local_values(frame: &mut Frame, heap: &Heap) -> Vec<(Arc<str>, Value)> {
    let mut order = std::mem::take(&mut frame.order);
    let code = &*frame.code;
    let named: Vec<(&Arc<str>, Option<Value>)> = match frame.cells.is_empty() {
        true => code
            .var_names
            .iter()
            .zip(frame.fast.iter().cloned())
            .collect(),
        false => named_values(frame, heap),
    };
    let is_bound = |slot: u32| {
        named
            .get(slot as usize)
            .is_some_and(|(_, value)| value.is_some())
    };
    order.retain(|slot| is_bound(*slot));
    let bound = named.iter().filter(|(_, value)| value.is_some()).count();
    if order.len() < bound {
        let mut is_known = vec![false; named.len()];
        for slot in &order {
            is_known[*slot as usize] = true;
        }
        let slots = (0..).zip(&named).zip(is_known);
        let new = slots.filter(|((_, (_, value)), is_known)| value.is_some() && !is_known);
        order.extend(new.map(|((slot, _), _)| slot));
    }
    let values = order.iter().filter_map(|slot| {
        let (name, value) = named.get(*slot as usize)?;
        Some(((*name).clone(), value.clone()?))
    });
    let values = values.collect();
    frame.order = order;
    values
}

/// Returns the names of a function's frame with cells, each once: its variables, and its cells that
/// are not variables.
fn named_values<'f>(frame: &'f Frame, heap: &Heap) -> Vec<(&'f Arc<str>, Option<Value>)> {
    let code = &*frame.code;
    let of_cell = |id: &ObjectId| match heap.get(*id) {
        Object::Cell(value) => value.clone(),
        _ => None,
    };
    let cells = code.cell_vars.iter().chain(&code.free_vars);
    let cells: Vec<(&Arc<str>, &ObjectId)> = cells.zip(&frame.cells).collect();
    let plain = code.var_names.iter().zip(&frame.fast).map(|(name, value)| {
        let cell = cells.iter().rev().find(|(of, _)| *of == name);
        let held = cell.and_then(|(_, id)| of_cell(id));
        (name, held.or_else(|| value.clone()))
    });
    let only_cells = (cells.iter()).filter(|(name, _)| !code.var_names.contains(name));
    plain
        .chain(only_cells.map(|(name, id)| (*name, of_cell(id))))
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
    /// Returns the line of the last executed instruction. Before any, the first line of the code.
    pub(crate) fn line(&self) -> u32 {
        let Some(last) = self.last else {
            return self.code.first_line;
        };
        self.code.instructions[last].line
    }
}
