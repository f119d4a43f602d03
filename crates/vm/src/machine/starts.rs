//! Programs that have been executed once, for all that continue from their ends: calls of their
//! functions, and modules of one package.
//!
//! A copy of a machine shares the objects that it does not change, see `value/objects.rs`.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, VecDeque};
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use codexec_trace::Program;

use super::project::{Import, ModuleSource};
use super::{Machine, Settings, budget};
use crate::code::Code;
use crate::compile::{CompileError, compile};

/// Maximum programs whose ends are kept.
const MOST_ENDS: usize = 16;
/// Maximum packages that are kept in their state after the import.
const MOST_PACKAGES: usize = 8;

/// A machine whose program has ended. `None`: an oracle has to be asked first.
type Ended = Arc<OnceLock<Option<Box<Machine>>>>;

/// State that programs of one run share.
#[derive(Default)]
pub struct Starts {
    ends: Mutex<Recent>,
    packages: Mutex<Recent>,
    codes: Mutex<HashMap<Arc<str>, Arc<Code>>>,
    found: Mutex<HashMap<(PathBuf, String), Option<ModuleSource>>>,
}

impl Debug for Starts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Starts")
    }
}

/// The result of importing a package.
pub(super) enum Package {
    /// A machine that has imported it.
    Imported(Box<Machine>),
    /// Planning ended in it.
    Ended,
}

/// The machines that were requested last.
#[derive(Default)]
struct Recent {
    by_key: HashMap<u64, Ended>,
    order: VecDeque<u64>,
}

impl Recent {
    fn get(&mut self, key: u64, most: usize) -> Ended {
        if let Some(found) = self.by_key.get(&key) {
            return found.clone();
        }
        if self.order.len() >= most
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_key.remove(&oldest);
        }
        self.order.push_back(key);
        self.by_key.entry(key).or_default().clone()
    }
}

fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key_of(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

impl Starts {
    /// Makes an empty set of starts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a machine at the end of a program's own part, which continues with the source after
    /// it.
    pub(super) fn machine(&self, program: &Program, settings: &Settings) -> Option<Machine> {
        let (own, rest) = parts(program)?;
        let goes_on = !rest.trim().is_empty();
        let mut machine = self.end(program, own, settings, true)?;
        // For a program by itself, its actual execution is wanted.
        if !goes_on && program.module.is_empty() && machine.has_skipped_of_entry() {
            machine = self.end(program, own, settings, false)?;
        }
        machine.budget = budget::Budget::new();
        machine.budget.instructions = 0;
        machine.set_behind(own, rest);
        Some(machine)
    }

    fn end(
        &self,
        program: &Program,
        own: &str,
        settings: &Settings,
        skips: bool,
    ) -> Option<Machine> {
        let place = (&program.root, &program.package, &program.module);
        let key = key_of((own, &program.stdin, place, skips));
        let end = locked(&self.ends).get(key, MOST_ENDS);
        let machine = end.get_or_init(|| {
            let alone = Program {
                source: Some(own.to_owned()),
                behind: None,
                ..program.clone()
            };
            let mut machine = Machine::begun(&alone, settings.clone());
            machine.doubts.skips = skips;
            machine.walk_to_end().then(|| Box::new(machine))
        });
        machine.as_deref().cloned()
    }

    /// Returns a machine that has imported the package of a module. `None` if it cannot be shared
    /// with this module.
    pub(super) fn package(&self, program: &Program, settings: &Settings) -> Option<Package> {
        let (root, module) = (program.root.as_deref()?, &*program.module);
        let finder = settings.finder.as_ref()?;
        let top = module.split('.').next().unwrap_or(module);
        let key = key_of((root, top));
        let package = locked(&self.packages).get(key, MOST_PACKAGES);
        let machine = package.get_or_init(|| {
            let alone = Program {
                source: None,
                stdin: None,
                package: String::new(),
                module: top.to_owned(),
                behind: None,
                ..program.clone()
            };
            let mut machine = Machine::importing_module(&alone, settings.clone(), Import::Package);
            machine.walk_to_end().then(|| Box::new(machine))
        });
        let machine = machine.as_deref()?;
        if machine.ending.outcome.is_some() || machine.ending.unsupported.is_some() {
            return (top != module).then_some(Package::Ended);
        }
        let found = self.find(root, module, || finder.find(root, module));
        let source = found.ok()??.source;
        let is_same = source.as_deref() == program.source.as_deref();
        let is_usable = is_same && !machine.library.unknown.contains_key(module);
        is_usable.then(|| Package::Imported(Box::new(machine.clone())))
    }

    /// Returns the code of a text.
    pub(super) fn code(&self, source: &Arc<str>) -> Result<Arc<Code>, CompileError> {
        if let Some(code) = locked(&self.codes).get(source) {
            return Ok(code.clone());
        }
        let code = Arc::new(code_of_module(source)?);
        locked(&self.codes).insert(source.clone(), code.clone());
        Ok(code)
    }

    /// Returns a module, which is looked up once.
    pub(super) fn find(
        &self,
        root: &Path,
        name: &str,
        find: impl FnOnce() -> Result<Option<ModuleSource>, String>,
    ) -> Result<Option<ModuleSource>, String> {
        let key = (root.to_owned(), name.to_owned());
        if let Some(found) = locked(&self.found).get(&key) {
            return Ok(found.clone());
        }
        let found = find()?;
        locked(&self.found).insert(key, found.clone());
        Ok(found)
    }
}

/// Compiles a module's text. For one without code the interpreter reports line 0, as for its entry.
pub(super) fn code_of_module(source: &str) -> Result<Code, CompileError> {
    let mut code = compile(source.trim_start_matches('\u{feff}'))?;
    if code.instructions.iter().all(|one| one.line == 0) {
        let rest = code.instructions.iter_mut().skip(1);
        rest.for_each(|one| one.line = 1);
    }
    Ok(code)
}

/// Returns the program's own part, and the source after it.
pub(super) fn parts(program: &Program) -> Option<(&str, &str)> {
    let source = program.source.as_deref()?;
    source.split_at_checked(program.behind?)
}
