//! Modules of the program's project: source beside the entry, found by name and executed when it is
//! imported.
//!
//! The order is CPython's: a package before its modules, `__init__` before submodules, each once. A
//! module that raises while it is executed is absent. While one is executed the importing frame
//! waits; the imports that remain are kept in [`Importing`].

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use codexec_trace::Program;

use super::eval::eval_loop::broken;
use super::frozen;
use super::stdlib::stdin::Input;
use super::sys_modules::module_name;
use super::tables::modules;
use super::{After, Flow, Machine, Run, Settings, Unsupported};
use crate::value::{DictKind, Entries, Object, ObjectId, Value};

/// Modules that CPython 3.11 has before it looks into a directory: those in its binary, and those
/// that it starts with.
const FIRST: &str = "_abc _ast _codecs _collections _collections_abc _functools _imp _io _locale _operator _signal \
    _sitebuiltins _sre _stat _string _symtable _thread _tokenize _tracemalloc _warnings _weakref abc \
    atexit builtins codecs encodings errno faulthandler gc genericpath importlib io itertools marshal os \
    posix posixpath pwd site stat sys time xxsubtype zipimport";

/// Modules of the standard library that the machine has without a library file.
const OWN: &str = "__future__ bisect builtins cmath codecs collections.abc gc heapq importlib math numbers numpy \
    unicodedata";

/// The source of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleSource {
    /// Its path below the root, with `/`, or an absolute path. For a package that of its
    /// `__init__.py`, for a namespace package that of its directory.
    pub path: Arc<str>,
    /// Its text. `None`: a namespace package, or a native extension.
    pub source: Option<Arc<str>>,
    /// Whether it is a package.
    pub is_package: bool,
    /// The name of its file in traces and messages.
    pub name: Arc<str>,
    /// Whether a trace leaves out its frames, like those of the standard library.
    pub is_hidden: bool,
}

impl ModuleSource {
    /// Whether it is a native extension.
    pub fn is_native(&self) -> bool {
        self.source.is_none() && !self.is_package
    }
}

/// A file or directory at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A file of this many bytes.
    File(u64),
    /// A directory with these names, in order.
    Directory(Vec<String>),
}

/// Finds modules and files of projects.
pub trait Finder: Debug + Send + Sync {
    /// Returns the module of a dotted name in the project of a directory. `None` if it has none.
    ///
    /// # Errors
    /// Why its source cannot be read, in words.
    fn find(&self, root: &Path, name: &str) -> Result<Option<ModuleSource>, String>;

    /// Returns the file or directory at a path below a root. `None` if there is none.
    ///
    /// # Errors
    /// Why it is not known, in words.
    fn look(&self, root: &Path, path: &Path) -> Result<Option<Found>, String>;

    /// Returns the bytes of a file below a root.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn read(&self, root: &Path, path: &Path) -> Result<Vec<u8>, String>;

    /// Follows the links in a path below a root, as far as the path exists.
    fn follow(&self, root: &Path, path: &Path) -> PathBuf;

    /// Returns when a file or directory below a root was modified, in seconds, if programs see the
    /// same. `None` if it is not known.
    fn modified(&self, root: &Path, path: &Path) -> Option<f64> {
        let _ = (root, path);
        None
    }

    /// Returns the part of `sys.path` after the program's directory: the library and the packages,
    /// whose files programs may read. `None` if it is not known.
    fn search_path(&self) -> Option<Vec<PathBuf>> {
        None
    }

    /// Whether programs of a root certainly have no module of this name, which has no dots, because
    /// everything that they can import is known.
    fn lacks(&self, root: &Path, top: &str) -> bool {
        let _ = (root, top);
        false
    }

    /// Returns the source of a module of the standard library of an available interpreter. `None`
    /// if it has none.
    ///
    /// # Errors
    /// Why its source cannot be read, in words.
    fn library(&self, name: &str) -> Result<Option<ModuleSource>, String> {
        let _ = name;
        Ok(None)
    }

    /// Returns the file of a module of CPython 3.11's standard library, source or extension. `None`
    /// if it is not known; empty if the module is in the interpreter itself.
    fn library_file(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }
}

/// The finder of a project's path, the root, and the path below it.
pub(super) type InProject = (Arc<dyn Finder>, PathBuf, PathBuf);

/// Where a program is, and what it is given.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    /// The root of its project.
    pub(super) root: Option<PathBuf>,
    /// Its working directory.
    pub(super) directory: Option<PathBuf>,
    /// `__file__`
    pub(super) file: Option<PathBuf>,
    /// `sys.argv`
    pub(super) arguments: Vec<String>,
    /// Whether it is given an input.
    pub(super) has_input: bool,
    /// Its environment variables.
    pub(super) environment: Vec<(String, String)>,
}

impl Given {
    pub(super) fn of(program: &Program) -> Self {
        let name = std::iter::once(program.name());
        Self {
            root: program.root.clone(),
            directory: program.directory(),
            file: program.file(),
            arguments: name.chain(program.arguments.iter().cloned()).collect(),
            has_input: program.stdin.is_some(),
            environment: program.environment.clone(),
        }
    }
}

/// How a module that is the program is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Import {
    /// The module, after the packages that contain it.
    All,
    /// The module, without its outermost package, of which nothing is known.
    Without,
    /// A package for all of its modules, none of which is the program.
    Package,
}

/// An import that waits for a module to be executed.
#[derive(Debug, Clone)]
pub(crate) struct Importing {
    /// The module being executed.
    pub(super) module: Arc<str>,
    /// The module to import.
    pub(super) target: Arc<str>,
    /// Names of `from target import …`, whose submodules are imported. `None`: `import target`.
    pub(super) names: Option<Vec<Arc<str>>>,
    /// The use of its value.
    pub(super) after: Box<After>,
}

impl Machine {
    /// Imports a module of the project. `None` if the project does not have it; then `import` looks
    /// elsewhere.
    pub(super) fn import_source(
        &mut self,
        target: &Arc<str>,
        names: Option<Vec<Arc<str>>>,
        after: After,
    ) -> Run<Option<()>> {
        let runtime = self.frames.last().is_some_and(|f| self.is_runtime(f));
        // Modules of the machine import what the machine has, except modules that are only walked
        // from source.
        if self.settings.finder.is_none() || runtime && self.find_library(target)?.is_none() {
            return Ok(None);
        }
        let top: Arc<str> = target.split('.').next().unwrap_or(target).into();
        let is_first = FIRST.split(' ').any(|name| name == &*top);
        let by_finder =
            self.has_finders() && !modules().contains_key(&*top) && !self.is_standard(&top);
        let is_here = by_finder
            || self.is_loaded(&top) && !self.is_own_module(&top)
            || self.is_loaded(target)
            || !is_first && self.has_project() && self.find_here(&top)?.is_some();
        if !is_here
            && !self.is_from_source(target)?
            && self.next_part(target, names.as_deref())?.is_none()
        {
            return Ok(None);
        }
        self.import_on(target.clone(), names, after).map(Some)
    }

    /// Enters a program that is a module of a package, as `python -m` executes it: the package is
    /// imported first.
    pub(super) fn enter_package(&mut self, package: &str) -> Run<()> {
        if let Some(frame) = self.frames.last() {
            self.set_name(frame.globals, "__package__", Value::str(package));
        }
        if !self.has_project() {
            return Ok(());
        }
        self.import_on(package.into(), None, After::Discard)
    }

    /// Returns the names of a `from` import. `None` if there are none.
    pub(super) fn names_in(&mut self, list: &Value) -> Option<Vec<Arc<str>>> {
        let name = |value: &Value| match value {
            Value::Str(name) => Some(name.clone()),
            _ => None,
        };
        let names = self.items_in_order(list)?;
        Some(names.iter().filter_map(name).collect())
    }

    pub(super) fn is_loaded(&self, module: &str) -> bool {
        self.library.programs.contains_key(module) || self.library.placed.contains_key(module)
    }

    /// Whether the machine itself has a module of the standard library.
    pub(super) fn is_own_module(&self, module: &str) -> bool {
        !self.is_loaded(module)
            && (frozen::has_module(module) || OWN.split(' ').any(|own| own == module))
    }

    /// Returns a module of the project, or of the standard library's source.
    pub(super) fn find(&self, module: &str) -> Run<Option<ModuleSource>> {
        match self.find_here(module)? {
            Some(found) => Ok(Some(found)),
            None => self.find_library(module),
        }
    }

    /// Returns a module of the project. A native one that a package can do without is absent.
    fn find_here(&self, module: &str) -> Run<Option<ModuleSource>> {
        let found = self.found(module)?;
        let Some(native) = found.as_ref().filter(|found| found.is_native()) else {
            return Ok(found);
        };
        let name = module.rsplit('.').next().unwrap_or(module);
        let is_caught = self.frames.last().is_some_and(Self::catches);
        let can_do_without = is_caught || self.package_catches(module);
        if self.settings.unknown || name.starts_with('_') && can_do_without {
            return Ok(None);
        }
        Err(Flow::Unsupported(format!(
            "module {module}: {} is native code, which planning does not execute",
            native.name
        )))
    }

    pub(super) fn found(&self, module: &str) -> Run<Option<ModuleSource>> {
        match (&self.settings.finder, &self.library.given.root) {
            (Some(finder), Some(root)) => match &self.settings.starts {
                Some(starts) => starts.find(root, module, || finder.find(root, module)),
                None => finder.find(root, module),
            }
            .map_err(Flow::Unsupported),
            _ => Ok(None),
        }
    }

    /// Whether the program may have modules beside it.
    pub(super) fn has_project(&self) -> bool {
        self.settings.finder.is_some() && self.library.given.root.is_some()
    }

    /// Returns the finder, the root, and the path below it for an absolute path. `None` if it is
    /// not in the project.
    pub(super) fn in_project(&self, arguments: &[Value]) -> Run<Option<InProject>> {
        let [Value::Str(path)] = arguments else {
            return Err(broken("call"));
        };
        let (Some(finder), Some(root)) = (&self.settings.finder, &self.library.given.root) else {
            return Ok(None);
        };
        let path = Path::new(&**path);
        let below = |place: &Path| {
            let below = path.strip_prefix(place).ok()?;
            Some((finder.clone(), place.to_owned(), below.to_owned()))
        };
        Ok(below(root).or_else(|| {
            let others = finder.search_path().unwrap_or_default();
            others.iter().find_map(|place| below(place))
        }))
    }

    /// Whether nothing is known of where relative imports lead: without a project, and if planning
    /// continues with unknown values in a module that is in no package.
    pub(super) fn has_no_package(&mut self) -> Run<bool> {
        let globals = self.top()?.globals;
        let package = self.get_name(globals, &"__package__".into());
        // The library has packages, too.
        if matches!(package, Some(Value::Str(name)) if !name.is_empty()) {
            return Ok(false);
        }
        Ok(!self.has_project() || self.settings.unknown || self.makes_names())
    }

    /// Executes the next missing module, or ends the import.
    pub(super) fn import_on(
        &mut self,
        target: Arc<str>,
        names: Option<Vec<Arc<str>>>,
        after: After,
    ) -> Run<()> {
        let ends = target.match_indices('.').map(|(at, _)| at);
        for end in ends.chain([target.len()]) {
            let module = &target[..end];
            if self.is_loaded(module) || self.library.unknown.contains_key(module) {
                continue;
            }
            self.refuse_first_finder()?;
            let (parent, _) = module.rsplit_once('.').unwrap_or_default();
            let is_in_package = parent.is_empty()
                || self.is_package(parent)
                || self.library.unknown.contains_key(parent)
                || self.is_own_module(parent);
            let found = match is_in_package {
                true => self.find(module)?,
                false => None,
            };
            let Some(found) = found else {
                if self.is_own_module(module) || is_in_package && modules().contains_key(module) {
                    let value = self.module(module);
                    if let (Some(globals), Some((_, name))) =
                        (self.globals_at(parent), module.rsplit_once('.'))
                    {
                        self.set_name(globals, name, value);
                    }
                    continue;
                }
                if self.goes_on_unknown(module, parent, is_in_package) {
                    continue;
                }
                if self.has_finders() {
                    return self.ask_finders(module, target.clone(), names, after);
                }
                let mut message = format!("No module named '{module}'");
                if !is_in_package {
                    message.push_str(&format!("; '{parent}' is not a package"));
                }
                return Err(self.no_module(&message, module));
            };
            let module: Arc<str> = module.into();
            return self.begin_module(&found, module, target, names, after);
        }
        let failed = self.library.unknown.contains_key(&target);
        if let (Some(names), true) = (&names, failed) {
            // Nothing is known of the package, but its modules exist.
            for name in names {
                let module: Arc<str> = format!("{target}.{name}").into();
                if !self.is_loaded(&module)
                    && let Some(found) = self.find(&module)?
                {
                    let names = Some(names.clone());
                    return self.begin_module(&found, module, target.clone(), names, after);
                }
            }
        }
        if let Some(names) = &names
            && self.is_package(&target)
            && let Some(globals) = self.globals_at(&target)
        {
            for name in self.listed(globals, names) {
                let module: Arc<str> = format!("{target}.{name}").into();
                if self.get_name(globals, &name).is_none()
                    && !self.is_loaded(&module)
                    && let Some(found) = self.find(&module)?
                {
                    let names = Some(names.clone());
                    return self.begin_module(&found, module, target.clone(), names, after);
                }
            }
        }
        if let Some((part, found)) = self.next_part(&target, names.as_deref())? {
            return self.begin_module(&found, part, target, names, after);
        }
        let shown = match names {
            Some(_) => &*target,
            None => target.split('.').next().unwrap_or(&target),
        };
        let value = match self.library.unknown.get(shown) {
            Some(value) => value.clone(),
            None => self.module(shown),
        };
        self.deliver_module(value, names, after)
    }

    /// Continues with an unknown value for a module that a package of the project lacks, because it
    /// may be made when the package is built, or be written in C. Returns false if unknown values
    /// end planning, or if the program handles a missing module.
    fn goes_on_unknown(&mut self, module: &str, parent: &str, is_in_package: bool) -> bool {
        let goes_on = self.settings.unknown
            && is_in_package
            && !parent.is_empty()
            && !self.is_ready_for_exceptions();
        if goes_on {
            let value = self.unknown_module(module);
            if let (Some(globals), Some((_, name))) =
                (self.globals_of(parent), module.rsplit_once('.'))
            {
                self.set_name(globals, name, value.clone());
            }
            self.library.unknown.insert(module.into(), value);
        }
        goes_on
    }

    /// Returns a `ModuleNotFoundError` with its `name`.
    pub(super) fn no_module(&mut self, message: &str, module: &str) -> Flow {
        let raised = self.raise("ModuleNotFoundError", message);
        self.set_on(&raised, &[("name", module)]);
        self.mark_native(&raised, module);
        raised
    }

    /// Sets attributes of an exception.
    fn set_on(&mut self, raised: &Flow, texts: &[(&str, &str)]) {
        if let Flow::Raise(Value::Object(id)) = raised
            && let Object::Instance { attributes, .. } = self.heap.get_mut(*id)
        {
            for (name, text) in texts {
                attributes.insert((*name).into(), Value::str(text));
            }
        }
    }

    fn set_none(&mut self, raised: &Flow, name: &str) {
        if let Flow::Raise(Value::Object(id)) = raised
            && let Object::Instance { attributes, .. } = self.heap.get_mut(*id)
        {
            attributes.insert(name.into(), Value::None);
        }
    }

    /// Returns the names of a `from` import: for `*`, those of `__all__`.
    fn listed(&mut self, globals: ObjectId, names: &[Arc<str>]) -> Vec<Arc<str>> {
        if names.iter().any(|name| &**name == "*") {
            return self.all_of(globals).unwrap_or_default();
        }
        names.to_vec()
    }

    /// Returns the names in the `__all__` of a module.
    pub(super) fn all_of(&mut self, globals: ObjectId) -> Option<Vec<Arc<str>>> {
        let all = self.get_name(globals, &"__all__".into())?;
        self.names_in(&all)
    }

    fn is_package(&self, module: &str) -> bool {
        let globals = self.globals_at(module);
        globals.is_some_and(|globals| self.get_name(globals, &"__path__".into()).is_some())
            || self.is_placed_package(module)
    }

    fn begin_module(
        &mut self,
        found: &ModuleSource,
        module: Arc<str>,
        target: Arc<str>,
        names: Option<Vec<Arc<str>>>,
        after: After,
    ) -> Run<()> {
        let root = self.library.given.root.as_deref();
        let root = root.unwrap_or(Path::new(""));
        let path = root.join(&*found.path);
        let is_entry = self.library.given.file.as_deref() == Some(&*path);
        let path = path.display().to_string();
        let source = match &self.library.entry {
            Some((entry, text)) if *entry == module => Some(text.clone()),
            _ => found.source.clone(),
        };
        let code = match &source {
            None => None,
            Some(source) => match self.compiled_module(source) {
                Ok(code) => Some(code),
                Err(error) => {
                    self.refuse_later(&module, source)?;
                    return Err(self.no_code(source, &path, Some(error)));
                }
            },
        };
        let empty = Object::Dict(Entries::default(), DictKind::Plain);
        let globals = self.heap.add(empty);
        let parent = module.rsplit_once('.').map_or("", |(parent, _)| parent);
        let package = if found.is_package { &*module } else { parent };
        self.set_name(globals, "__name__", Value::str(&module));
        self.set_name(globals, "__doc__", Value::None);
        self.set_name(globals, "__package__", Value::str(package));
        if found.is_package {
            let directory = path.strip_suffix("/__init__.py").unwrap_or(&path);
            let directory = self.heap.list(vec![Value::str(directory)]);
            self.set_name(globals, "__path__", directory);
        }
        if found.source.is_some() {
            self.set_name(globals, "__file__", Value::str(&path));
        }
        self.add_module(&module, globals);
        self.shows_module(found, &module, globals, is_entry);
        if (self.library.entry.as_ref()).is_some_and(|(entry, _)| *entry == module) {
            self.stacks.module = Some(globals);
        }
        self.importing(true);
        let importing = Importing {
            module: module.clone(),
            target,
            names,
            after: Box::new(after),
        };
        let Some(code) = code else {
            return self.module_executed(importing);
        };
        let after = After::Import(Box::new(importing));
        self.enter_source((found, is_entry), source, code, globals, after);
        Ok(())
    }

    /// Continues the import of a module that has been executed: its package gets it as an
    /// attribute.
    pub(super) fn module_executed(&mut self, importing: Importing) -> Run<()> {
        self.importing(false);
        if let Some((parent, name)) = importing.module.rsplit_once('.')
            && let Some(globals) = self.globals_at(parent)
        {
            let value = self.module(&importing.module);
            self.set_name(globals, name, value);
        }
        let Importing {
            target,
            names,
            after,
            ..
        } = importing;
        self.import_on(target, names, *after)
    }

    /// Removes a module that raised while it was executed.
    pub(super) fn module_failed(&mut self, importing: &Importing) {
        self.importing(false);
        self.library.placed.remove(&importing.module);
        self.library.programs.remove(&importing.module);
        self.runtime.modules.remove(&importing.module);
    }

    /// Returns a machine that imports a module in place of a program.
    pub(super) fn importing_module(program: &Program, settings: Settings, what: Import) -> Self {
        let mut machine = Self::ready(program, settings);
        machine.budget.begin_turn();
        match machine.code(&"".into()) {
            Ok(code) => machine.enter_module(code),
            Err(error) => machine.refuse(error),
        }
        // It imports, and is not part of the program.
        for frame in &mut machine.frames {
            frame.traced = false;
        }
        let module: Arc<str> = program.module.as_str().into();
        if what != Import::Package {
            let text = program.source.as_deref().unwrap_or_default();
            machine.library.entry = Some((module.clone(), text.into()));
        }
        if what == Import::Without {
            let top = module.split('.').next().unwrap_or(&module).into();
            machine.knows_nothing_of(top);
        }
        machine.begin_import(module);
        machine.budget.end_turn();
        machine
    }

    /// Continues with a module after its package has been imported.
    pub(super) fn with_entry(mut self, program: &Program) -> Self {
        let module: Arc<str> = program.module.as_str().into();
        self.input = Input::new(program.stdin.as_deref().unwrap_or_default());
        self.library.given.has_input = program.stdin.is_some();
        let text = program.source.as_deref().unwrap_or_default();
        self.library.entry = Some((module.clone(), text.into()));
        self.budget.begin_turn();
        match self.globals_of(&module) {
            Some(globals) => self.stacks.module = Some(globals),
            None => self.begin_import(module),
        }
        self.budget.end_turn();
        self
    }

    fn begin_import(&mut self, module: Arc<str>) {
        if let Err(flow) = self.import_on(module, None, After::Discard) {
            self.divert(flow);
        }
    }

    /// Whether a package raised while it was imported for the module that is the program.
    pub(super) fn goes_on_without(&self, failed: &Importing) -> bool {
        let entry = self.library.entry.as_ref().map(|(entry, _)| &**entry);
        let outermost = self.frames.len() == 1 && self.frames.iter().all(|frame| !frame.traced);
        self.settings.unknown && outermost && entry != Some(&*failed.module)
    }

    /// Continues the import of a package's module after the package raised: nothing is known of it.
    pub(super) fn package_failed(&mut self, failed: Importing) -> Run<()> {
        self.knows_nothing_of(failed.module);
        self.import_on(failed.target, failed.names, *failed.after)
    }

    fn knows_nothing_of(&mut self, package: Arc<str>) {
        let what = package.to_string();
        self.doubts.unknown.push(Unsupported {
            what,
            line: 0,
            file: 0,
            skipped: false,
        });
        let value = self.unknown_value(package.clone());
        self.library.unknown.insert(package, value);
    }

    /// Whether a module is being executed.
    pub(super) fn is_executed(&self, module: &str) -> bool {
        self.frames.iter().any(
            |frame| matches!(&frame.after, After::Import(importing) if &*importing.module == module),
        )
    }

    /// Returns the name of a relative import: `name` after `level` dots, from the innermost frame's
    /// package.
    pub(super) fn absolute(&mut self, name: &str, level: usize) -> Run<Arc<str>> {
        let globals = self.top()?.globals;
        let text = |value: Option<Value>| match value {
            Some(Value::Str(text)) => Some(text),
            _ => None,
        };
        let package = text(self.get_name(globals, &"__package__".into()));
        let package = package.unwrap_or_else(|| "".into());
        if package.is_empty() {
            let message = "attempted relative import with no known parent package";
            return Err(self.raise("ImportError", message));
        }
        let parts: Vec<&str> = package.split('.').collect();
        if level > parts.len() {
            let message = "attempted relative import beyond top-level package";
            return Err(self.raise("ImportError", message));
        }
        let base = parts[..=parts.len() - level].join(".");
        Ok(match name.is_empty() {
            true => base.into(),
            false => format!("{base}.{name}").into(),
        })
    }

    /// Returns the error of `from module import name` if a module of the project does not have that
    /// name.
    pub(super) fn cannot_import(&mut self, module: &str, name: &str) -> Flow {
        let globals = self.globals_of(module);
        let file = match globals.and_then(|globals| self.get_name(globals, &"__file__".into())) {
            Some(Value::Str(file)) => Some(file.to_string()),
            _ if globals.is_some() => None,
            _ => self.library_file(module),
        };
        let part = format!("{module}.{name}");
        let module = match module {
            "os.path" => "posixpath",
            module => module_name(module),
        };
        let file = file.filter(|file| !file.is_empty());
        let path = file.clone();
        let file = file.unwrap_or_else(|| "unknown location".to_owned());
        let message = match self.is_executed(module) {
            true => format!(
                "cannot import name '{name}' from partially initialized module '{module}' (most likely due to a \
                 circular import) ({file})"
            ),
            false => format!("cannot import name '{name}' from '{module}' ({file})"),
        };
        let raised = self.raise("ImportError", &message);
        self.set_on(&raised, &[("name", module)]);
        match &path {
            Some(path) => self.set_on(&raised, &[("path", path)]),
            None => self.set_none(&raised, "path"),
        }
        self.mark_native(&raised, &part);
        raised
    }

    /// Returns the file of a module of the standard library in messages.
    pub(super) fn library_file(&self, module: &str) -> Option<String> {
        let finder = self.settings.finder.as_ref()?;
        let module = match module {
            "os.path" => "posixpath",
            // Its name differs from that of its file.
            "collections.abc" => return None,
            module => module,
        };
        match self.settings.unknown {
            true => None,
            false => finder.library_file(module),
        }
    }

    /// `from module import *` of a module of the project.
    pub(super) fn import_all(&mut self, module: &str, globals: ObjectId) -> Run<()> {
        let names = match self.all_of(globals) {
            Some(names) => names,
            None => match self.heap.get(globals) {
                Object::Dict(entries, _) => {
                    let names = entries.values().filter_map(|(name, _)| match name {
                        Value::Str(name) if !name.starts_with('_') => Some(name.clone()),
                        _ => None,
                    });
                    names.collect()
                }
                _ => return Err(broken("globals")),
            },
        };
        let frame = self.top()?;
        let space = frame.namespace.unwrap_or(frame.globals);
        for name in names {
            let Some(value) = self.get_name(globals, &name) else {
                let message = format!("module '{module}' has no attribute '{name}'");
                return Err(self.raise("AttributeError", &message));
            };
            self.set_name(space, &name, value);
        }
        Ok(())
    }

    /// Whether a trace leaves out the frames of a module, by its globals: it is not one of the
    /// project.
    pub(in crate::machine) fn is_hidden(&self, globals: ObjectId) -> bool {
        !self.library.hidden.is_empty() && self.library.hidden.contains_key(&globals)
    }

    /// Returns the file of a frame's code, by the frame's globals: an index into
    /// [`codexec_trace::Trace::files`].
    pub(super) fn file_of(&self, globals: ObjectId) -> u32 {
        let files = &self.library.file_of;
        files.get(&globals).copied().unwrap_or(0)
    }
}
