//! Statements of modules that planning cannot execute, left out if planning continues with unknown
//! values.
//!
//! The innermost statement at the outermost level of a module that is being executed is given up.
//! From then on the names that it binds are unknown, and so is everything that its functions may
//! have changed: containers and instances that they name, and names that they bind. Execution
//! continues with the next statement.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use codexec_trace::Outcome;
use ruff_python_ast::PythonVersion;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;

use super::budget::Budget;
use super::raises::Recorded;
use super::{After, Frame, Machine, Run, Unsupported};
use crate::code::{Code, Constant, Op};
use crate::value::{Object, ObjectId};

/// Maximum statements that are left out.
const MOST: usize = 4096;
/// Maximum functions and classes of a statement that are searched.
const MOST_LOOKS: usize = 2000;
/// Names of functions that change names in ways that cannot be seen.
const HIDES: [&str; 5] = ["globals", "locals", "vars", "exec", "modules"];

impl Machine {
    /// Leaves out the statement of a module that is being executed. Returns false if no statement
    /// can be left out.
    pub(super) fn skip_statement(&mut self, what: &str, only_imports: bool) -> bool {
        let may = self.settings.unknown
            && self.settings.recorded == Recorded::Raises
            && self.stacks.waiting().next().is_none()
            && self.doubts.unknown.iter().filter(|one| one.skipped).count() < MOST;
        if !may {
            return false;
        }
        let is_module = |(at, frame): &(usize, &Frame)| {
            let is_import = matches!(frame.after, After::Import(_));
            let is_entry =
                *at == 0 && self.doubts.skips && !self.appended.is_begun && !only_imports;
            frame.traced && frame.namespace == Some(frame.globals) && (is_import || is_entry)
        };
        let Some((at, frame)) = (self.frames.iter().enumerate().rev()).find(is_module) else {
            return false;
        };
        let (code, globals) = (frame.code.clone(), frame.globals);
        let text = self.library.texts.get(&globals).cloned();
        let Some((lines, next)) = text.and_then(|text| around(&text, frame.line(), &code)) else {
            return false;
        };
        let mut effects = Effects::default();
        for one in &code.instructions {
            if lines.contains(&one.line) {
                effects.add(&code, (one.op, one.arg), true, true);
            }
        }
        let (line, file) = (self.current_line(), self.current_file());
        let is_inside = file == self.file_of(globals) && lines.contains(&line);
        let (line, file) = match is_inside {
            true => (line, file),
            false => (self.frames[at].line(), self.file_of(globals)),
        };
        while self.frames.len() > at + 1 {
            let Some(mut frame) = self.frames.pop() else {
                break;
            };
            match (frame.generator, frame.before.take()) {
                (Some(slot), Some(before)) => self.put_back(slot, *before),
                (Some(slot), None) => self.finished(slot),
                (None, _) => {}
            }
        }
        self.doubts.unknown.push(Unsupported {
            what: what.to_owned(),
            line,
            file,
            skipped: true,
        });
        let origin: Arc<str> = self.place_in_words(line, file).into();
        if effects.hidden {
            self.library.partial.insert(globals, origin.clone());
        }
        self.forget_effects(effects, globals, &origin);
        if let Some(frame) = self.frames.last_mut() {
            frame.stack.clear();
            frame.keywords.clear();
            frame.found_keys.clear();
            frame.truth = None;
            frame.handled = None;
            frame.next = next;
        }
        self.after = After::Push;
        true
    }

    /// Leaves out the statement of an import that has exhausted the program's budget. The program
    /// then has the same budget again.
    pub(super) fn skip_import(&mut self, outcome: &Outcome) -> bool {
        let what = match outcome {
            Outcome::Timeout => "takes too long",
            Outcome::InstructionLimit => "too many instructions",
            _ => return false,
        };
        let is_first = !self.doubts.unknown.iter().any(|one| one.what == what);
        if !is_first || !self.skip_statement(what, true) {
            return false;
        }
        self.budget.instructions = 0;
        self.budget = Budget::new();
        self.budget.begin_turn();
        true
    }

    /// `line 3`, `shop/cart.py:3`.
    pub(super) fn place_in_words(&self, line: u32, file: u32) -> String {
        let files = &self.library.files;
        match (file as usize).checked_sub(1).and_then(|at| files.get(at)) {
            Some(file) => format!("{}:{line}", file.path),
            None => format!("line {line}"),
        }
    }

    /// Marks a namespace as partial: if a module had a statement left out, its names are unknown,
    /// also where all of them are imported.
    pub(super) fn partial_as(&mut self, globals: ObjectId) -> Run<()> {
        if let Some(origin) = self.library.partial.get(&globals).cloned() {
            let frame = self.top()?;
            let space = frame.namespace.unwrap_or(frame.globals);
            self.library.partial.entry(space).or_insert(origin);
        }
        Ok(())
    }

    /// Whether a statement of the program itself was left out.
    pub(super) fn has_skipped_of_entry(&self) -> bool {
        self.doubts
            .unknown
            .iter()
            .any(|one| one.skipped && one.file == 0)
    }

    /// Forgets the values that a statement may have changed.
    fn forget_effects(&mut self, effects: Effects, globals: ObjectId, origin: &Arc<str>) {
        let mut open: Vec<(Effects, ObjectId)> = vec![(effects, globals)];
        let mut seen: HashSet<ObjectId> = HashSet::new();
        while let Some((effects, globals)) = open.pop() {
            for name in effects.names {
                let Some(value) = self.get_name(globals, &name) else {
                    continue;
                };
                let Some(id) = value.id().filter(|id| seen.insert(*id)) else {
                    continue;
                };
                if seen.len() > MOST_LOOKS {
                    break;
                }
                match self.heap.get(id) {
                    Object::Function(function) => open.push(effects_of(function)),
                    Object::Class(class) if class.is_own(&self.heap) => {
                        for value in class.attributes.values() {
                            if let Some(Object::Function(function)) = self.heap.object(value) {
                                open.push(effects_of(function));
                            }
                        }
                    }
                    Object::Module(_) | Object::Class(_) => {}
                    // Values that cannot be forgotten stay.
                    _ => drop(self.forget(&value, origin, 1)),
                }
            }
            for name in effects.bound {
                let value = self.unknown_value(origin.clone());
                self.set_name(globals, &name, value);
            }
        }
    }
}

fn effects_of(function: &crate::value::Function) -> (Effects, ObjectId) {
    let mut effects = Effects::default();
    effects.add_all(&function.code, false);
    (effects, function.globals)
}

/// The effects of code on global names.
#[derive(Debug, Default)]
struct Effects {
    /// Names that are looked up.
    names: HashSet<Arc<str>>,
    /// Names that are bound or unbound.
    bound: HashSet<Arc<str>>,
    /// Whether names of the module may be bound in ways that cannot be seen.
    hidden: bool,
}

impl Effects {
    /// Adds an instruction. `runs`: it is executed with the statement, and not only when a function
    /// is called.
    fn add(&mut self, code: &Code, (op, arg): (Op, u32), of_module: bool, runs: bool) {
        let name = |arg: u32| code.names.get(arg as usize).cloned();
        let read = match op {
            Op::StoreName | Op::DeleteName if of_module => return self.bound.extend(name(arg)),
            Op::StoreGlobal | Op::DeleteGlobal => return self.bound.extend(name(arg)),
            Op::LoadName | Op::LoadAttr | Op::LoadMethod => name(arg),
            Op::LoadGlobal => name(arg / 2),
            Op::ImportStar => {
                self.hidden = true;
                None
            }
            Op::LoadConst => {
                if let Some(Constant::Code(inner)) = code.constants.get(arg as usize) {
                    self.add_all(inner, runs && !inner.is_optimized);
                }
                None
            }
            _ => None,
        };
        self.hidden |= runs && read.as_ref().is_some_and(|name| HIDES.contains(&&**name));
        if !matches!(op, Op::LoadAttr | Op::LoadMethod) {
            self.names.extend(read);
        }
    }

    fn add_all(&mut self, code: &Code, runs: bool) {
        for one in &code.instructions {
            self.add(code, (one.op, one.arg), false, runs);
        }
    }
}

/// Returns the lines of the statement that contains a line, and the instruction after it.
fn around(source: &str, line: u32, code: &Code) -> Option<(RangeInclusive<u32>, usize)> {
    if line == 0 {
        return None;
    }
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY311);
    let parsed = parse_unchecked(source.trim_start_matches('\u{feff}'), options);
    let module = parsed.try_into_module()?;
    let ends: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
    let line_of = |at: usize| u32::try_from(ends.partition_point(|end| *end < at)).map(|n| n + 1);
    let mut statement: Option<(u32, u32)> = None;
    let mut later = Vec::new();
    for one in module.suite() {
        let range = one.range().to_std_range();
        let (from, to) = (line_of(range.start).ok()?, line_of(range.end).ok()?);
        match &mut statement {
            // Statements on the same line are one here.
            Some((_, last)) if from <= *last => *last = to.max(*last),
            Some(_) => later.push(from..=to),
            None if (from..=to).contains(&line) => statement = Some((from, to)),
            None => {}
        }
    }
    let (from, to) = statement?;
    let begins = |lines: &RangeInclusive<u32>| {
        let mut all = code.instructions.iter();
        all.position(|one| lines.contains(&one.line))
    };
    let next = later.iter().find_map(begins).or_else(|| {
        let pairs = code.instructions.windows(2);
        let mut pairs = pairs.map(|pair| (pair[0].op, pair[1].op));
        pairs.position(|pair| pair == (Op::LoadConst, Op::ReturnValue))
    })?;
    let is_free = |handler: &crate::code::Handler| {
        let next = u32::try_from(next).unwrap_or(u32::MAX);
        !(handler.start < next && next < handler.end)
    };
    code.handlers
        .iter()
        .all(is_free)
        .then_some((from..=to, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;

    fn skipped(source: &str, line: u32) -> Option<(RangeInclusive<u32>, u32)> {
        let code = compile(source).unwrap();
        let (lines, next) = around(source, line, &code)?;
        Some((lines, code.instructions[next].line))
    }

    #[test]
    fn the_next_statement_begins_behind_all_of_a_compound_one() {
        let source = "\
x = 1
try:
    a = f()
except ValueError:
    a = 2
else:
    b = 3
@d
def g():
    return 1
y = 2; z = f()
'text'
if x:
    y = 3
";
        assert_eq!(skipped(source, 1), Some((1..=1, 2)));
        assert_eq!(skipped(source, 5), Some((2..=7, 8)));
        let (lines, next) = skipped(source, 11).unwrap();
        assert!(lines == (11..=11) && [12, 13].contains(&next), "{next}");
        let (lines, _) = skipped(source, 14).unwrap();
        assert_eq!(lines, 13..=14);
        assert_eq!(skipped(source, 99), None);
    }

    #[test]
    fn names_that_cannot_be_seen_are_those_of_what_is_executed() {
        let hides = |source: &str| {
            let code = compile(source).unwrap();
            let mut effects = Effects::default();
            for one in &code.instructions {
                effects.add(&code, (one.op, one.arg), true, true);
            }
            effects.hidden
        };
        assert!(hides("from a import *\n"));
        assert!(hides("class A:\n    globals()['x'] = 1\n"));
        assert!(hides("import sys\nsys.modules['a'] = 1\n"));
        assert!(!hides("def f():\n    return globals()\n"));
    }

    #[test]
    fn effects_are_those_of_functions_in_it_too() {
        let code = compile("def f():\n    global g\n    g = h(LIST)\nx = f()\n").unwrap();
        let mut effects = Effects::default();
        for one in &code.instructions {
            effects.add(&code, (one.op, one.arg), true, true);
        }
        let has = |names: &HashSet<Arc<str>>, name: &str| names.iter().any(|n| &**n == name);
        assert!(has(&effects.bound, "g") && has(&effects.bound, "x"));
        assert!(has(&effects.names, "LIST") && !effects.hidden);
    }
}
