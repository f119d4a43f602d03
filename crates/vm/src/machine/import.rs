//! Modules: those of the standard library, whose members the machine knows from a table
//! (`modules.txt`), and the parts of them that are written in Python (`lib/`).
//!
//! A module written in Python has its own globals, as in CPython. Its files are executed when a
//! name that they bind is first used, in frames that no trace shows. Names that a module does not
//! have are those of the core (`lib/core`), then those of the builtins.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use codexec_trace::SourceFile;

use super::from_source::Sources;
use super::frozen;
use super::project::Given;
use super::tables::*;
use super::{After, Flow, FoldLevel, Machine, Run};
use crate::code::Code;
use crate::fold::type_name::{ITERTOOLS, stream_class};
use crate::machine::eval::eval_loop::broken;
use crate::value::{DictKind, Entries, Object, ObjectId, Value};

/// Classes of module members that are data: they differ between machines and versions.
const DATA: [&str; 20] = [
    "str",
    "list",
    "dict",
    "tuple",
    "bytes",
    "int",
    "float",
    "bool",
    "set",
    "frozenset",
    "NoneType",
    "_Environ",
    "SimpleNamespace",
    "flags",
    "thread_info",
    "hash_info",
    "int_info",
    "UCD",
    "_StderrHandler",
    "PyCapsule",
];

/// Other modules of the standard library, of which nothing is known.
const STANDARD: &str = "aifc antigravity asynchat asyncore audioop bdb cProfile cgi cgitb chunk code codeop \
    compileall copyreg crypt ctypes curses dbm dis distutils encodings ensurepip errno faulthandler \
    fcntl filecmp ftplib genericpath getopt gettext idlelib imaplib imghdr imp lib2to3 mailbox \
    mailcap mimetypes mmap modulefinder netrc nis nntplib ntpath nturl2path opcode ossaudiodev \
    pdb pickletools pipes pkgutil plistlib poplib posix posixpath profile pstats pty py_compile \
    pyclbr pydoc pydoc_data quopri readline reprlib rlcompleter runpy selectors site \
    smtpd smtplib sndhdr socketserver spwd sre_compile sre_constants sre_parse ssl stat stringprep sunau \
    symtable sysconfig syslog tabnanny telnetlib termios this tkinter token tokenize tomllib trace \
    tracemalloc tty turtle turtledemo uu venv wave webbrowser wsgiref xdrlib xmlrpc zipapp";

/// Packages of the standard library: only they have submodules.
const PACKAGES: [&str; 18] = [
    "asyncio",
    "collections",
    "concurrent",
    "email",
    "html",
    "http",
    "importlib",
    "json",
    "logging",
    "multiprocessing",
    "pyexpat",
    "re",
    "sqlite3",
    "unittest",
    "urllib",
    "wsgiref",
    "xml",
    "zoneinfo",
];

/// Modules of the standard library on other systems.
const WINDOWS: [&str; 7] = [
    "_winapi", "_winreg", "_msi", "msilib", "msvcrt", "winreg", "winsound",
];

/// Modules that only the library imports, and the public ones that have the same members.
const PUBLIC: [(&str, &str); 13] = [
    ("_abc", "abc"),
    ("_bisect", "bisect"),
    ("_codecs", "codecs"),
    ("_collections", "collections"),
    ("_collections_abc", "collections.abc"),
    ("_functools", "functools"),
    ("_heapq", "heapq"),
    ("_io", "io"),
    ("_operator", "operator"),
    ("_struct", "struct"),
    ("_thread", "threading"),
    ("_weakref", "weakref"),
    ("posixpath", "os.path"),
];

/// Private names that `sys` has in later versions, and that libraries look up.
const LATER: [&str; 4] = [
    "_getframemodulename",
    "_is_gil_enabled",
    "_is_interned",
    "_is_immortal",
];

/// `logging`, which reads the clock when it is imported, and modules that import it.
const READS_CLOCK: [&str; 4] = ["logging", "asyncio", "concurrent.futures", "unittest.mock"];

/// The parts of the library that a program has executed.
#[derive(Debug, Clone)]
pub(crate) struct Library {
    /// `_END` of the core: the sentinel for no value, used where `None` is a value.
    pub(super) end: Value,
    /// Globals of modules written in Python. The name of the core is empty.
    pub(super) spaces: HashMap<&'static str, ObjectId>,
    /// Globals of modules of the program, by their names in `sys.modules`.
    pub(super) programs: HashMap<Arc<str>, ObjectId>,
    /// Files of the project that were executed, in order, and their numbers by the globals of their
    /// modules.
    pub(super) files: Vec<SourceFile>,
    pub(super) file_of: HashMap<ObjectId, u32>,
    /// Files of modules whose frames a trace does not show, by their globals.
    pub(super) hidden: HashMap<ObjectId, Arc<str>>,
    /// Where the program is, and what it is given.
    pub(super) given: Given,
    /// Texts of modules of the project by their globals, if only places of exceptions are recorded.
    pub(super) texts: HashMap<ObjectId, Arc<str>>,
    /// Modules of the project, by their globals, that may have unknown names, and why.
    pub(super) partial: HashMap<ObjectId, Arc<str>>,
    /// Exceptions that report native modules as missing, and those modules.
    pub(super) natives: HashMap<ObjectId, Arc<str>>,
    /// Objects that the program has put into `sys.modules`, by their names there.
    pub(super) placed: HashMap<Arc<str>, Value>,
    /// The parts taken from the sources of modules.
    pub(super) sources: Sources,
    /// How many modules the program has made, or removed from `sys.modules`.
    pub(super) made: usize,
    /// Packages of the project that raised while they were imported for one of their modules, and
    /// the replacement of each.
    pub(super) unknown: HashMap<Arc<str>, Value>,
    /// The module that is the program, with its text if that differs from the text of its file.
    pub(super) entry: Option<(Arc<str>, Arc<str>)>,
    /// Attributes that the program has set on other modules, by dotted names. Files of the library
    /// continue with the original ones.
    pub(super) members: HashMap<Arc<str>, Value>,
    /// Files that have been executed, or are being executed.
    begun: HashSet<u16>,
    /// Whether files are used that replace what is asked if methods are not folded.
    pub(super) methods: bool,
    /// Whether a module that reads the clock at import has been imported.
    read_clock: bool,
}

impl Library {
    /// Makes a library with the globals of the core and the sentinel for no value.
    pub(super) fn new(core: ObjectId, end: Value) -> Self {
        Self {
            spaces: HashMap::from([("", core)]),
            end,
            programs: HashMap::new(),
            files: Vec::new(),
            file_of: HashMap::new(),
            hidden: HashMap::new(),
            given: Given::default(),
            texts: HashMap::new(),
            partial: HashMap::new(),
            natives: HashMap::new(),
            placed: HashMap::new(),
            sources: Sources::default(),
            made: 0,
            unknown: HashMap::new(),
            entry: None,
            members: HashMap::new(),
            begun: HashSet::new(),
            methods: true,
            read_clock: false,
        }
    }

    /// Whether globals are those of code taken from a module's source.
    pub(super) fn is_source(&self, globals: ObjectId) -> bool {
        self.sources.contains(globals)
    }

    /// Returns the number of a file. A module that raised may be imported again, but its file is
    /// listed once.
    pub(super) fn number_of(&mut self, name: &str, text: Option<&str>) -> u32 {
        let files = &mut self.files;
        let known = files.iter().position(|file| file.path == name);
        let at = known.unwrap_or(files.len());
        if known.is_none() {
            files.push(SourceFile {
                path: name.to_owned(),
                source: text.map(str::to_owned),
            });
        }
        u32::try_from(at + 1).unwrap_or(u32::MAX)
    }
}

impl Machine {
    /// Returns a value of the core.
    pub(super) fn prelude_value(&mut self, name: &str) -> Run<Value> {
        self.library_value("", name)
    }

    /// Returns a value of a module written in Python.
    pub(super) fn library_value(&mut self, module: &str, name: &str) -> Run<Value> {
        let found = self.library_name(module, &name.into());
        found.ok_or_else(|| Flow::Unsupported(format!("{name} of the library's {module}")))
    }

    /// Returns a global name of a module written in Python. The file that binds it is executed
    /// first, unless it has been.
    pub(super) fn library_name(&mut self, module: &str, name: &Arc<str>) -> Option<Value> {
        let space = self.library.spaces.get(module).copied();
        if let Some(value) = space.and_then(|space| self.get_name(space, name)) {
            return Some(value);
        }
        let file = frozen::file_with(module, name, self.library.methods)?;
        // A file that is being executed has not bound it yet.
        if !self.library.begun.insert(file) {
            return None;
        }
        let space = self.execute_file(file);
        self.get_name(space, name)
    }

    /// The same for a name whose file has been executed. `None` if it has not.
    pub(super) fn bound_name(&self, module: &str, name: &str) -> Option<Value> {
        let space = self.library.spaces.get(module)?;
        self.get_name(*space, &name.into())
    }

    /// Returns the globals of a module written in Python.
    fn space_of(&mut self, module: &'static str) -> ObjectId {
        if let Some(space) = self.library.spaces.get(module) {
            return *space;
        }
        let space = Object::Dict(Entries::default(), DictKind::Plain);
        let space = self.heap.add(space);
        self.set_name(space, "__name__", Value::str(module));
        self.library.spaces.insert(module, space);
        space
    }

    /// Executes a file of the library while the program waits. Returns the globals of its module.
    fn execute_file(&mut self, file: u16) -> ObjectId {
        let space = self.space_of(frozen::module_of(file));
        let Some(code) = frozen::code_of(file) else {
            debug_assert!(false, "lib/{} is damaged", frozen::path_of(file));
            return space;
        };
        self.execute_aside(code, space);
        debug_assert!(
            self.waiting.is_none() && self.ending.unsupported.is_none(),
            "lib/{}: {:?} {:?}",
            frozen::path_of(file),
            self.waiting,
            self.ending.unsupported,
        );
        space
    }

    /// Executes code of the library while the program waits, to its end or to where it stops.
    pub(super) fn execute_aside(&mut self, code: Arc<Code>, space: ObjectId) {
        let frames = std::mem::take(&mut self.frames);
        let dropped = std::mem::take(&mut self.dropped);
        let (after, instructions) = (self.after.clone(), self.budget.instructions);
        // Nothing that it does concerns the program.
        let (fold, counts) = (self.settings.fold, self.record.counts);
        self.settings.fold = FoldLevel::Methods;
        let frame = self.frame(code, space, Some(space), After::Discard, false);
        self.push_frame(frame);
        while self.ending.unsupported.is_none()
            && self.ending.outcome.is_none()
            && !self.is_at_end()
        {
            if let Err(flow) = self.next_instruction() {
                self.divert(flow);
            }
        }
        self.frames = frames;
        self.dropped = dropped;
        (self.after, self.budget.instructions) = (after, instructions);
        (self.settings.fold, self.record.counts) = (fold, counts);
    }

    /// Whether the outermost frame is about to return.
    pub(super) fn is_at_end(&self) -> bool {
        match self.frames.as_slice() {
            [] => true,
            [frame] => (frame.code.instructions.get(frame.next))
                .is_none_or(|next| next.op == crate::code::Op::ReturnValue),
            _ => false,
        }
    }

    /// `import name`: returns the module, or its topmost package.
    pub(super) fn import(&mut self, name: &str, from: bool) -> Run<Value> {
        let public = PUBLIC
            .iter()
            .find(|(private, _)| *private == name && !self.library.programs.contains_key(name));
        // `import posixpath` binds `os.path`, not `os`.
        let (name, from) = public.map_or((name, from), |(_, public)| (*public, true));
        let top = name.split('.').next().unwrap_or(name);
        if self.is_loaded(name) {
            return Ok(self.module(if from { name } else { top }));
        }
        if self
            .frames
            .last()
            .is_some_and(|frame| self.is_runtime(frame))
        {
            return Ok(self.module(if from { name } else { top }));
        }
        if !modules().contains_key(top) && !["numpy", "__future__", "builtins"].contains(&top) {
            let is_standard = self.is_standard(top);
            if WINDOWS.contains(&top) && !self.settings.unknown {
                return Err(self.no_module(&format!("No module named '{top}'"), top));
            }
            let is_absent = match is_standard {
                // An accelerator that a library can do without.
                true => top.starts_with('_') && self.is_in_hidden(),
                false => true,
            };
            // As in the sandbox. If a program does not handle the exception, it is unknown whether
            // it has the module.
            if is_absent && self.is_ready_for_exceptions() || self.lacks(top) {
                return Err(self.no_module(&format!("No module named '{top}'"), top));
            }
            return Ok(self.unknown_module(name));
        }
        if top == "numpy" && self.lacks(top) {
            return Err(self.no_module("No module named 'numpy'", top));
        }
        if top != name && !PACKAGES.contains(&top) && top != "numpy" && name != "os.path" {
            let message = format!("No module named '{name}'; '{top}' is not a package");
            let raised = self.raise("ModuleNotFoundError", &message);
            // The import system looks up a path first, and hides that there is none.
            let missing = format!("module '{top}' has no attribute '__path__'");
            let missing = self.raise("AttributeError", &missing);
            if let (Flow::Raise(Value::Object(id)), Flow::Raise(context)) = (&raised, missing)
                && let Object::Instance { attributes, .. } = self.heap.get_mut(*id)
            {
                attributes.insert("__context__".into(), context);
                attributes.insert("__suppress_context__".into(), Value::Bool(true));
            }
            return Err(raised);
        }
        if READS_CLOCK.contains(&name) && !self.library.read_clock {
            self.library.read_clock = true;
            self.tick();
        }
        Ok(self.module(if from { name } else { top }))
    }

    /// Whether the standard library has a module of which nothing is known.
    pub(super) fn is_standard(&self, top: &str) -> bool {
        top.starts_with('_') || STANDARD.split(' ').any(|known| known == top)
    }

    /// Whether the innermost frame is one of a module that no trace shows.
    pub(super) fn is_in_hidden(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| self.is_hidden(frame.globals))
    }

    /// Whether the program certainly has no module of this name.
    pub(super) fn lacks(&self, top: &str) -> bool {
        match (&self.settings.finder, &self.library.given.root) {
            (Some(finder), Some(root)) => !self.settings.unknown && finder.lacks(root, top),
            _ => false,
        }
    }

    /// Counts a reading of the sandbox's clock by a library, which takes a millisecond.
    fn tick(&mut self) {
        let clock = self.library_name("", &"_CLOCK".into());
        if let Some(Value::Object(clock)) = clock
            && let Object::List(items) = self.heap.get_mut(clock)
            && let [Value::Int(time)] = items.as_mut_slice()
        {
            *time += 1_000_000;
        }
    }

    /// Adds a module of the program to `sys.modules` under a name.
    pub(super) fn add_module(&mut self, name: &str, globals: ObjectId) {
        self.library.programs.insert(name.into(), globals);
        self.module(name);
    }

    /// Returns the globals of a module of the program. `None` if it is of the standard library.
    pub(super) fn globals_of(&self, module: &str) -> Option<ObjectId> {
        self.library.programs.get(module).copied()
    }

    pub(super) fn module(&mut self, name: &str) -> Value {
        if let Some(placed) = self.library.placed.get(name) {
            return placed.clone();
        }
        if let Some(id) = self.runtime.modules.get(name) {
            return Value::Object(*id);
        }
        let id = self.heap.add(Object::Module(name.into()));
        self.runtime.modules.insert(name.into(), id);
        Value::Object(id)
    }

    pub(super) fn import_from(&mut self, module: &Value, name: &Arc<str>) -> Run<Value> {
        let Some(Object::Module(dotted)) = self.heap.object(module) else {
            // The program has put another object into `sys.modules`.
            let get = self.library_value("importlib.util", "_member_of")?;
            return Err(Flow::Call(
                get,
                vec![module.clone(), Value::Str(name.clone())],
            ));
        };
        let dotted = dotted.clone();
        let member = match self.module_member(&dotted, name) {
            // An unknown import of a library stops planning where it is used.
            Err(Flow::Unsupported(_)) if self.is_in_hidden() => {
                self.unknown_module(&format!("{dotted}.{name}"));
                Some(self.unknown_value(format!("{dotted}.{name}").into()))
            }
            found => found?,
        };
        match member {
            Some(value) => Ok(value),
            None if self.globals_of(&dotted).is_some() => {
                // A module in a circular import is not yet an attribute of its package.
                let part = format!("{dotted}.{name}");
                match self.is_loaded(&part) {
                    true => Ok(self.module(&part)),
                    false
                        if self.library.hidden.contains_key(
                            &self.globals_of(&dotted).unwrap_or(self.runtime.builtins),
                        ) && modules().contains_key(part.as_str()) =>
                    {
                        Ok(self.module(&part))
                    }
                    false => Err(self.cannot_import(&dotted, name)),
                }
            }
            None if self.library_file(&dotted).is_some() => Err(self.cannot_import(&dotted, name)),
            None => {
                // The message names the file of the module, which differs on each machine.
                let kind = Value::Object(self.class_id("ImportError"));
                Err(self.helper("_no_literal", vec![kind])?)
            }
        }
    }

    pub(super) fn import_star(&mut self, module: &Value) -> Run<()> {
        let Some(Object::Module(dotted)) = self.heap.object(module) else {
            return Err(broken("module"));
        };
        let dotted = dotted.clone();
        if let Some(globals) = self.globals_of(&dotted) {
            self.partial_as(globals)?;
            return self.import_all(&dotted, globals);
        }
        let Some(members) = modules().get(&*dotted) else {
            return Err(Flow::Unsupported(format!("from {dotted} import *")));
        };
        let frame = self.top()?;
        // `_thread` is the same module here, but has other names.
        if &*dotted == "threading" && frame.code.names.iter().any(|name| &**name == "_thread") {
            return Err(Flow::Unsupported("from _thread import *".to_string()));
        }
        let space = frame.namespace.unwrap_or(frame.globals);
        for (name, member) in members {
            if matches!(member, Member::Part | Member::Hidden) {
                continue;
            }
            let name: Arc<str> = (*name).into();
            if let Some(value) = self.module_member(&dotted, &name)? {
                self.set_name(space, &name, value);
            }
        }
        Ok(())
    }

    /// Returns an attribute of a module of the standard library.
    pub(super) fn module_member(&mut self, module: &str, name: &str) -> Run<Option<Value>> {
        match self.known_member(module, name) {
            Err(Flow::Unsupported(_)) if self.has_unknown() => {
                Ok(Some(self.unknown_module(module)))
            }
            found => found,
        }
    }

    pub(super) fn known_member(&mut self, module: &str, name: &str) -> Run<Option<Value>> {
        if let Some(globals) = self.globals_of(module) {
            return self.walked_member(globals, name);
        }
        if name == "__name__" {
            let posix = if module == "os.path" {
                "posixpath"
            } else {
                module
            };
            return Ok(Some(Value::str(posix)));
        }
        if module == "sys"
            && let Some(target) = self.redirected(name)
        {
            return Ok(Some(target));
        }
        if module == "builtins" {
            return self.member_of_builtins(name);
        }
        let dotted = format!("{module}.{name}");
        if module == "__future__" && name == "all_feature_names" {
            return Ok(Some(self.unknown_module(&dotted)));
        }
        if module == "__future__" {
            let object = Object::Opaque {
                class: "_Feature".into(),
                text: dotted.into(),
            };
            return Ok(Some(self.heap.make(object)));
        }
        if let Some(value) = self.library.members.get(dotted.as_str())
            && !self
                .frames
                .last()
                .is_some_and(|frame| self.is_runtime(frame))
        {
            return Ok(Some(value.clone()));
        }
        if let Some(value) = self.runtime.named.get(dotted.as_str()) {
            return Ok(Some(value.clone()));
        }
        if module == "sys" && matches!(name, "__stdin__" | "__stdout__" | "__stderr__") {
            return Ok(Some(
                self.builtin(&format!("sys.{}", name.trim_matches('_'))),
            ));
        }
        if let ("sys", Some(value)) = (module, self.prefix(name)) {
            return Ok(Some(value));
        }
        match dotted.as_str() {
            "numpy.linalg" => return Ok(Some(self.module(&dotted))),
            "numpy.random" => return Err(Flow::Unsupported("random numbers".to_string())),
            _ => {}
        }
        if module == "itertools" && ITERTOOLS.contains(&name) {
            return Ok(Some(self.class_value(&dotted)));
        }
        if let Some(value) = self.library_name(module, &name.into()) {
            return Ok(Some(self.kept_member(&dotted, value)));
        }
        if self.globals_of(&dotted).is_some() {
            // A submodule that is walked from source.
            return Ok(Some(self.module(&dotted)));
        }
        if let Some(class) = self.alias_class(module, name) {
            let class = self.class_value(&class);
            return Ok(Some(self.kept_member(&dotted, class)));
        }
        self.member_by_table(module, name, &dotted)
    }

    /// Returns a member of a module that is walked from source, by the module's globals.
    fn walked_member(&mut self, globals: ObjectId, name: &str) -> Run<Option<Value>> {
        Ok(match name {
            "__dict__" => Some(Value::Object(globals)),
            "__spec__" | "__loader__"
                if self.get_name(globals, &name.into()).is_none()
                    && self.is_walked_module(globals) =>
            {
                return Err(self.spec_call(globals, name)?);
            }
            _ => match self.get_name(globals, &name.into()) {
                None if !name.starts_with("__") => self
                    .library
                    .partial
                    .get(&globals)
                    .cloned()
                    .map(|origin| self.unknown_value(origin)),
                found => found,
            },
        })
    }

    /// Returns a member of `builtins`.
    fn member_of_builtins(&mut self, name: &str) -> Run<Option<Value>> {
        if name == "__dict__" {
            return self.builtins_dict().map(Some);
        }
        // The sandbox has no `site`, which adds them.
        const OF_SITE: [&str; 4] = ["help", "copyright", "credits", "license"];
        if !self.settings.unknown && OF_SITE.contains(&name) {
            return Ok(self.runtime.replaced.get(name).cloned());
        }
        match name {
            "None" => return Ok(Some(Value::None)),
            "True" | "__debug__" => return Ok(Some(Value::Bool(true))),
            "False" => return Ok(Some(Value::Bool(false))),
            _ => {}
        }
        let name: Arc<str> = name.into();
        if let Some(value) = self.runtime.replaced.get(&name) {
            return Ok(Some(value.clone()));
        }
        let known = self.get_name(self.runtime.builtins, &name);
        Ok(known.or_else(|| self.builtin_name(&name)))
    }

    /// Returns the member that the table of modules has under a dotted name.
    fn member_by_table(&mut self, module: &str, name: &str, dotted: &str) -> Run<Option<Value>> {
        if module == "numpy" && numpy_has(name) || module == "numpy.linalg" {
            return Err(Flow::Unsupported(dotted.to_owned()));
        }
        let Some(members) = modules().get(module) else {
            return match module.contains('.') {
                true => Err(Flow::Unsupported(format!("module {module}"))),
                false => Ok(None),
            };
        };
        let value = match members.iter().find(|(member, _)| *member == name) {
            Some((_, Member::Constant(value))) => constant(value),
            Some((_, Member::Class)) => match self.source_member(module, name, true)? {
                Some(class) => class,
                None => self.class_value(dotted),
            },
            Some((_, Member::Builtin(name))) => match self.runtime.classes.get(*name) {
                Some(id) => Value::Object(*id),
                None => self.builtin(name),
            },
            Some((_, Member::Error(base))) => {
                let base = self.runtime.classes.get(*base).copied();
                let known = self.runtime.classes.get(dotted).copied();
                Value::Object(known.unwrap_or_else(|| self.add_class(dotted, base)))
            }
            Some((_, Member::Module)) => self.module(dotted),
            Some((_, Member::Part)) if is_known(dotted) => self.module(dotted),
            Some((_, Member::Part)) => return Ok(Some(self.unknown_module(dotted))),
            Some((_, Member::Hidden)) => match self.source_member(module, name, false)? {
                Some(value) => return Ok(Some(value)),
                None => return self.unknown_data(dotted).map(Some),
            },
            Some((_, Member::Function)) => self.builtin(dotted),
            Some((_, Member::Other(_))) if stream_class(dotted).is_some() => self.builtin(dotted),
            Some((_, Member::Other("list"))) if dotted == "sys.argv" => self.arguments(),
            Some((_, Member::Other(kind))) if DATA.contains(kind) => {
                return match self.source_member(module, name, false)? {
                    Some(value) => Ok(Some(value)),
                    None => self.unknown_data(dotted).map(Some),
                };
            }
            Some((_, Member::Other(kind))) => self.heap.make(Object::Opaque {
                class: (*kind).into(),
                text: dotted.into(),
            }),
            None if is_known(dotted) => self.module(dotted),
            // A private name of a module.
            None if name.starts_with('_')
                && let Some(value) = self.source_member(module, name, false)? =>
            {
                value
            }
            None if module == "sys" && LATER.contains(&name) => return Ok(None),
            None if name.starts_with('_') && has_private_name(module, name) => {
                return Ok(Some(self.unknown_module(dotted)));
            }
            None => return Ok(None),
        };
        Ok(Some(self.kept_member(dotted, value)))
    }

    /// Keeps a member of a module: the next time the same value is returned.
    fn kept_member(&mut self, dotted: &str, value: Value) -> Value {
        self.runtime.named.insert(dotted.into(), value.clone());
        value
    }

    /// Returns the path where the interpreter is installed, if there is one: `sys.prefix` and the
    /// like.
    fn prefix(&self, name: &str) -> Option<Value> {
        const NAMES: [&str; 4] = ["prefix", "base_prefix", "exec_prefix", "base_exec_prefix"];
        let finder = self.settings.finder.as_ref()?;
        if !NAMES.contains(&name) || self.settings.unknown {
            return None;
        }
        // `lib/python3.11/os.py` is below it.
        let file = finder.library_file("os")?;
        let prefix = std::path::Path::new(&file).ancestors().nth(3)?;
        Some(Value::str(&prefix.to_string_lossy()))
    }

    /// Returns the class that a module has under another name.
    fn alias_class(&self, module: &str, name: &str) -> Option<String> {
        let dotted = match (module, name) {
            ("types", _) => kind_of_type(name)?.to_string(),
            ("threading", "allocate_lock" | "LockType") => "threading.Lock".to_owned(),
            ("collections", "deque" | "defaultdict" | "Counter" | "OrderedDict") => {
                format!("collections.{name}")
            }
            _ => return None,
        };
        Some(dotted)
    }
}

/// Whether the members of a module are known.
fn is_known(module: &str) -> bool {
    modules().contains_key(module) || frozen::has_module(module)
}

/// Returns the builtin class that `types` has under a name.
fn kind_of_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "BuiltinFunctionType" | "BuiltinMethodType" => "builtin_function_or_method",
        "CoroutineType" => "coroutine",
        "EllipsisType" => "ellipsis",
        "FunctionType" | "LambdaType" => "function",
        "GeneratorType" => "generator",
        "MethodType" => "method",
        "ModuleType" => "module",
        "NoneType" => "NoneType",
        "NotImplementedType" => "NotImplementedType",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use codexec_trace::Program;

    use super::*;
    use crate::code::{Constant, Op};
    use crate::machine::Settings;

    fn machine(fold: FoldLevel) -> Machine {
        let settings = Settings {
            fold,
            ..Settings::default()
        };
        let program = Program {
            source: Some("pass".to_string()),
            ..Program::default()
        };
        Machine::new(&program, settings)
    }

    #[test]
    fn every_file_can_be_the_first() {
        for fold in [FoldLevel::Operators, FoldLevel::Methods] {
            for file in frozen::files(fold.methods()) {
                let mut machine = machine(fold);
                machine.library.begun.insert(file);
                machine.execute_file(file);
                let path = frozen::path_of(file);
                assert_eq!(machine.ending.unsupported, None, "{path}");
                assert!(
                    machine.ending.outcome.is_none(),
                    "{path}: {:?}",
                    machine.ending.outcome
                );
            }
        }
    }

    /// Collects the names that code looks up in its module, including those of its functions.
    fn wanted(code: &Code, names: &mut Vec<Arc<str>>) {
        for instruction in &code.instructions {
            match instruction.op {
                Op::LoadGlobal => names.push(code.names[instruction.arg as usize / 2].clone()),
                Op::LoadName if code.name == "<module>" => {
                    names.push(code.names[instruction.arg as usize].clone());
                }
                _ => {}
            }
        }
        for constant in &code.constants {
            if let Constant::Code(code) = constant {
                wanted(code, names);
            }
        }
    }

    /// Whether a file itself binds a name.
    fn binds(code: &Code, name: &Arc<str>) -> bool {
        code.instructions.iter().any(|instruction| {
            matches!(instruction.op, Op::StoreName | Op::StoreGlobal)
                && code.names[instruction.arg as usize] == *name
        })
    }

    #[test]
    fn every_name_is_bound() {
        for fold in [FoldLevel::Operators, FoldLevel::Methods] {
            let mut missing = Vec::new();
            let mut machine = machine(fold);
            for file in frozen::files(fold.methods()) {
                let code = frozen::code_of(file).unwrap();
                let mut names = Vec::new();
                wanted(&code, &mut names);
                for name in names {
                    let has = |module| frozen::file_with(module, &name, fold.methods()).is_some();
                    let is_bound = binds(&code, &name)
                        || has(frozen::module_of(file))
                        || has("")
                        || machine.bound_name("", &name).is_some()
                        || machine.builtin_name(&name).is_some()
                        || &*name == "__name__";
                    if !is_bound {
                        missing.push(format!("{}: {name}", frozen::path_of(file)));
                    }
                }
            }
            // It is called only if methods are folded.
            missing.retain(|name| !name.ends_with("_add_file_methods"));
            missing.dedup();
            assert_eq!(missing, [""; 0], "{fold:?}");
        }
    }
}
