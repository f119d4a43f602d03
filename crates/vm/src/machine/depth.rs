//! The depth of the program as CPython counts it against the recursion limit: frames, and C calls
//! for one object within another.

use super::{After, Flow, Frame, Machine, Run};
use crate::code::Code;
use crate::machine::calls::call_tables::FOLDED;
use crate::value::{Object, ObjectId, Value};

/// Maximum frames of the machine for one that CPython counts: the runtime has helpers that CPython
/// does not have.
const HELPERS: usize = 8;
/// The largest recursion limit that is followed.
const MOST: usize = 5_000;
/// The depth to which containers are searched for objects of the program, see `touches_program`.
const SHALLOW: usize = 3;
/// The distance from the limit within which every object is counted.
const NEAR: usize = 16;
/// Maximum number of containers to look at.
const MOST_LOOKED_AT: usize = 10_000;

/// A frame that the interpreter evaluates.
const FRAME: &str = "";
const CALL: &str = " while calling a Python object";
const REPR: &str = " while getting the repr of an object";
const STR: &str = " while getting the str of an object";
pub(super) const COMPARISON: &str = " in comparison";

/// Classes of the runtime whose methods are in C in CPython.
const IN_C: [(&str, &str); 3] = [
    ("types", "SimpleNamespace."),
    ("", "_List."),
    ("", "_Dict."),
];
/// Comparison methods of a class. Their operands have several types, so CPython has no fast path
/// for any of them.
const COMPARES: [&str; 6] = ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"];

/// Returns the calls that code counts as, each with the text in its error.
fn counts_of(code: &Code) -> &'static [&'static str] {
    let Some(library) = &code.library else {
        return &[FRAME];
    };
    match code.qualname.as_str() {
        "_repr" => &[REPR],
        "_str" => &[STR],
        "_called_repr" | "_called_format" | "_hash_by" => &[CALL],
        "any" | "all" | "min" | "max" | "sorted" => &[CALL],
        "_compare" => &[COMPARISON],
        // The function that makes it handles cycles and calls others first.
        "_dataclass.<locals>.__repr__" => &[FRAME, CALL],
        "_dataclass.<locals>.values" => &[],
        // The items of a non-list are put into a list, whose repr is made.
        "_repr_listed" => &[REPR],
        "_repr_counter" => &[FRAME, REPR],
        // `copy` and `dataclasses` are written in Python.
        "_deepcopy" | "_copied_deeply" | "_plain" => &[FRAME],
        // Builtin functions and helpers, which are in C in CPython. Methods and functions of
        // modules may be in Python.
        name if name.ends_with("comp>") || library.module.starts_with(FOLDED) => &[],
        name if name.contains('.') => {
            let is_in_c = |(module, class): &(&str, &str)| {
                library.module == *module && name.starts_with(class)
            };
            match IN_C.iter().any(is_in_c) {
                true => &[],
                false => &[FRAME],
            }
        }
        name if !library.module.is_empty() && !name.starts_with('_') => &[FRAME],
        _ => &[],
    }
}

/// Counts the call of a class around its `__init__`, or the comparison around its method.
fn made(after: &After) -> usize {
    usize::from(match after {
        After::Init(_) => true,
        After::Operated(one) => one.is_deeper(),
        _ => false,
    })
}

impl Machine {
    /// Returns the recursion limit.
    pub(super) fn most_deep(&self) -> usize {
        self.budget.recursion_limit.min(MOST)
    }

    /// Returns how many more nested calls fit.
    pub(super) fn room(&self) -> usize {
        let level = self.frames.last().map_or(0, |frame| frame.level);
        self.most_deep().saturating_sub(level)
    }

    /// Whether a call of the program is certainly not too deep.
    pub(super) fn is_far_from_deep(&self) -> bool {
        self.room() > NEAR && self.frames.len() + NEAR < self.most_deep().saturating_mul(HELPERS)
    }

    /// Raises if a call of code would be too deep.
    pub(super) fn descend(&mut self, code: &Code, after: &After) -> Run<()> {
        let room = self.room();
        let made = made(after);
        if room < made {
            return Err(self.too_deep(CALL));
        }
        if let Some(what) = counts_of(code).get(room - made) {
            return Err(self.too_deep(what));
        }
        if self.frames.len() >= self.most_deep().saturating_mul(HELPERS) {
            return Err(self.too_deep(FRAME));
        }
        Ok(())
    }

    /// Makes a frame the innermost one.
    pub(super) fn push_frame(&mut self, mut frame: Frame) {
        let below = self.frames.last().map_or(0, |below| below.level);
        let calls = counts_of(&frame.code);
        frame.level = below + calls.len() + made(&frame.after);
        self.frames.push(frame);
    }

    pub(super) fn too_deep(&mut self, doing: &str) -> Flow {
        let message = format!("maximum recursion depth exceeded{doing}");
        self.raise("RecursionError", &message)
    }

    /// Whether a value is a container whose items the runtime compares.
    pub(super) fn is_compared(&self, value: &Value) -> bool {
        matches!(
            self.heap.object(value),
            Some(Object::List(_) | Object::Tuple(_) | Object::Deque(..) | Object::Dict(..))
        )
    }

    /// Whether a comparison is one call deeper. It is not for numbers and texts, which have their
    /// own instructions.
    pub(super) fn compares_deeper(&self, left: &Value, right: &Value) -> bool {
        let in_comparison =
            |frame: &Frame| !self.is_runtime(frame) && COMPARES.contains(&frame.code.name.as_str());
        left.id().is_some() || right.id().is_some() || self.frames.last().is_some_and(in_comparison)
    }

    /// Whether containers are nested deeper than operations look into them at once, or the program
    /// is so deep already that they have to be counted.
    pub(super) fn is_nested(&self, value: &Value) -> bool {
        if self.room() < NEAR {
            return true;
        }
        let mut seen: Vec<ObjectId> = Vec::new();
        let mut rest = vec![(value, 0)];
        let mut looked_at = 0;
        while let Some((value, depth)) = rest.pop() {
            looked_at += 1;
            let Some(id) = value.id() else { continue };
            if looked_at > MOST_LOOKED_AT || seen.contains(&id) {
                continue;
            }
            let below = depth + 1;
            let before = rest.len();
            match self.heap.get(id) {
                Object::List(items) => rest.extend(items.iter().map(|item| (item, below))),
                Object::Tuple(items) => rest.extend(items.iter().map(|item| (item, below))),
                Object::Deque(items, _) => rest.extend(items.iter().map(|item| (item, below))),
                Object::Set(items) | Object::Frozenset(items) => {
                    rest.extend(items.values().map(|item| (item, below)));
                }
                Object::Dict(entries, _) => {
                    for (key, value) in entries.values() {
                        rest.extend([(key, below), (value, below)]);
                    }
                }
                Object::DictView { of, .. } => {
                    if let Object::Dict(entries, _) = self.heap.get(*of) {
                        rest.extend(entries.values().map(|(_, value)| (value, below)));
                    }
                }
                _ => {}
            }
            if rest.len() > before {
                if depth > SHALLOW {
                    return true;
                }
                seen.push(id);
            }
        }
        false
    }
}
