//! Names of library modules that the machine has only in part: functions, classes and constants are
//! taken one by one from the module's source, if there is an interpreter.
//!
//! They have their own globals. A name that is not bound there is the machine's own member of the
//! module, else what the source binds it to, else a builtin.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;

use super::{Machine, Run};
use crate::code::Code;
use crate::compile::compile;
use crate::value::{DictKind, Entries, Object, ObjectId, Value};

/// Modules whose functions are walked if the machine does not have them. They do nothing that the
/// sandbox forbids.
const BY_NAME: &str = "base64 calendar codecs collections configparser contextlib copy csv dataclasses difflib enum fractions \
    functools glob heapq html inspect json json.decoder json.encoder locale logging operator pprint shlex statistics string textwrap \
    traceback types typing urllib.parse uuid warnings weakref";

/// Modules whose classes are walked, too.
const CLASSES: &str = "codecs configparser csv difflib inspect json logging pprint shlex string textwrap traceback urllib.parse";

/// The parts taken from sources.
#[derive(Debug, Clone, Default)]
pub(super) struct Sources {
    /// Globals by module, and modules by globals.
    spaces: HashMap<Arc<str>, ObjectId>,
    of: HashMap<ObjectId, Arc<str>>,
    /// Where each module binds its names. `None`: it has no source.
    indices: HashMap<Arc<str>, Option<Arc<Index>>>,
    /// Names whose statements are being executed, or have been.
    begun: HashSet<(Arc<str>, Arc<str>)>,
}

#[derive(Debug)]
struct Index {
    source: Arc<str>,
    /// Statements that bind a name, by their positions in the source.
    places: HashMap<String, Vec<std::ops::Range<usize>>>,
}

impl Index {
    fn new(source: Arc<str>) -> Option<Self> {
        let module = ruff_python_parser::parse_module(&source).ok()?;
        let mut places: HashMap<String, Vec<std::ops::Range<usize>>> = HashMap::new();
        for statement in &module.syntax().body {
            let mut names = Vec::new();
            bound_by(statement, &mut names);
            let range = statement.range();
            for name in names {
                let of_name = places.entry(name).or_default();
                // A definition replaces earlier statements.
                if matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                    of_name.clear();
                }
                of_name.push(range.start().to_usize()..range.end().to_usize());
            }
        }
        Some(Self { source, places })
    }
}

/// Collects the names that a statement at the top of a module binds.
fn bound_by(statement: &Stmt, names: &mut Vec<String>) {
    match statement {
        Stmt::FunctionDef(function) => names.push(function.name.to_string()),
        Stmt::ClassDef(class) => names.push(class.name.to_string()),
        Stmt::Assign(assign) => assign
            .targets
            .iter()
            .for_each(|target| bound_to(target, names)),
        Stmt::AnnAssign(assign) if assign.value.is_some() => bound_to(&assign.target, names),
        Stmt::Import(import) => names.extend(import.names.iter().map(|alias| {
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            name.split('.').next().unwrap_or(name).to_string()
        })),
        Stmt::ImportFrom(import) => names.extend(import.names.iter().map(|alias| {
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            name.to_string()
        })),
        Stmt::If(branches) => {
            branches
                .body
                .iter()
                .for_each(|inner| bound_by(inner, names));
            let others = branches.elif_else_clauses.iter();
            others
                .flat_map(|clause| &clause.body)
                .for_each(|inner| bound_by(inner, names));
        }
        Stmt::Try(parts) => {
            parts.body.iter().for_each(|inner| bound_by(inner, names));
            for handler in &parts.handlers {
                let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                handler.body.iter().for_each(|inner| bound_by(inner, names));
            }
            parts.orelse.iter().for_each(|inner| bound_by(inner, names));
        }
        _ => {}
    }
}

fn bound_to(target: &Expr, names: &mut Vec<String>) {
    match target {
        Expr::Name(name) => names.push(name.id.to_string()),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|inner| bound_to(inner, names)),
        _ => {}
    }
}

impl Sources {
    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    pub(super) fn contains(&self, globals: ObjectId) -> bool {
        self.of.contains_key(&globals)
    }
}

impl Machine {
    /// Returns the module whose source gave a frame its globals.
    pub(super) fn source_module(&self, globals: ObjectId) -> Option<Arc<str>> {
        self.library.sources.of.get(&globals).cloned()
    }

    /// Returns a global name of code that was taken from a module's source.
    pub(super) fn name_in_source(&mut self, module: &str, name: &Arc<str>) -> Run<Option<Value>> {
        if let Some(value) = self.library_name(module, name) {
            return Ok(Some(value));
        }
        self.value_in_source(module, name)
    }

    /// Returns the function from a module's source that is called for a library function that the
    /// machine does not have.
    pub(super) fn source_function(&mut self, dotted: &str) -> Run<Option<Value>> {
        let Some((module, name)) = dotted.rsplit_once('.') else {
            return Ok(None);
        };
        let found = self.value_in_source(module, &name.into())?;
        Ok(found.filter(|found| matches!(self.heap.object(found), Some(Object::Function(_)))))
    }

    /// Returns a class or a constant of a module that the machine does not have.
    pub(super) fn source_member(
        &mut self,
        module: &str,
        name: &str,
        is_class: bool,
    ) -> Run<Option<Value>> {
        let is_one = (module, name) == ("typing", "ForwardRef");
        if is_class
            && !is_one
            && !CLASSES
                .split_ascii_whitespace()
                .any(|known| known == module)
        {
            return Ok(None);
        }
        self.value_in_source(module, &name.into())
    }

    /// Returns the value that the source of a module binds to a name. `None` if the module is not
    /// walked, or does not bind it.
    fn value_in_source(&mut self, module: &str, name: &Arc<str>) -> Run<Option<Value>> {
        let is_walked = !self.settings.unknown
            && self.settings.fold.methods()
            && BY_NAME
                .split_ascii_whitespace()
                .any(|known| known == module);
        if !is_walked {
            return Ok(None);
        }
        let space = self.source_space(module);
        if let Some(value) = self.get_name(space, name) {
            return Ok(Some(value));
        }
        let Some(index) = self.source_index(module) else {
            return Ok(None);
        };
        let Some(places) = index.places.get(&**name) else {
            return Ok(None);
        };
        // A statement that is being executed has not bound it yet.
        if !self
            .library
            .sources
            .begun
            .insert((module.into(), name.clone()))
        {
            return Ok(None);
        }
        for place in places {
            let Ok(code) = compile(&index.source[place.clone()]) else {
                return Ok(None);
            };
            if !self.execute_statement(Arc::new(code), space) {
                return Ok(None);
            }
        }
        Ok(self.get_name(space, name))
    }

    fn source_space(&mut self, module: &str) -> ObjectId {
        if let Some(space) = self.library.sources.spaces.get(module) {
            return *space;
        }
        let space = self
            .heap
            .add(Object::Dict(Entries::default(), DictKind::Plain));
        self.set_name(space, "__name__", Value::str(module));
        let module: Arc<str> = module.into();
        self.library.sources.spaces.insert(module.clone(), space);
        self.library.sources.of.insert(space, module.clone());
        self.library.hidden.insert(space, module);
        space
    }

    fn source_index(&mut self, module: &str) -> Option<Arc<Index>> {
        if let Some(known) = self.library.sources.indices.get(module) {
            return known.clone();
        }
        let finder = self.settings.finder.clone()?;
        let found = finder.library(module).ok().flatten();
        let index = found
            .and_then(|found| found.source)
            .and_then(Index::new)
            .map(Arc::new);
        self.library
            .sources
            .indices
            .insert(module.into(), index.clone());
        index
    }

    /// Executes a statement of a module's source while the program waits. Returns whether it got to
    /// its end.
    fn execute_statement(&mut self, code: Arc<Code>, space: ObjectId) -> bool {
        self.execute_aside(code, space);
        let is_done =
            self.ending.unsupported.take().is_none() && self.ending.outcome.take().is_none();
        self.waiting.take().is_none() && is_done
    }

    /// Returns the globals that hold values from sources, for garbage collection.
    pub(super) fn source_spaces(&self) -> impl Iterator<Item = Value> + '_ {
        self.library
            .sources
            .spaces
            .values()
            .map(|space| Value::Object(*space))
    }
}
