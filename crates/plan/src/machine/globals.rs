//! Names: those of the program, of the builtins, and of modules; and the start of the runtime.

use std::sync::Arc;

use super::tables::*;
use super::{After, Flow, Machine, Run};
use crate::fold::type_name::{ITERTOOLS, stream_class};
use crate::machine::calls::call::Keywords;
use crate::machine::eval::eval_loop::broken;
use crate::value::{DictKind, Entries, Key, Object, ObjectId, Value};

/// What `numpy` has; what the runtime has not of it is unsupported, and no mistake of the program.
const NUMPY_NAMES: &str = include_str!("numpy_names.txt");

/// Classes of members of modules that are data: they differ between machines and versions.
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

/// Further modules of the standard library, of which nothing is known.
const STANDARD: &str = "aifc antigravity asynchat asyncore atexit audioop bdb cProfile cgi cgitb chunk code codeop \
    compileall copyreg crypt ctypes curses dbm dis distutils encodings ensurepip errno faulthandler \
    fcntl filecmp ftplib genericpath getopt gettext grp idlelib imaplib imghdr imp lib2to3 mailbox \
    mailcap marshal mimetypes mmap modulefinder netrc nis nntplib ntpath nturl2path opcode ossaudiodev \
    pdb pickletools pipes pkgutil plistlib poplib posix posixpath profile pstats pty pwd py_compile \
    pyclbr pydoc pydoc_data pyexpat quopri readline reprlib rlcompleter runpy select selectors site \
    smtpd smtplib sndhdr socketserver spwd sre_compile sre_constants sre_parse ssl stat stringprep sunau \
    symtable sysconfig syslog tabnanny telnetlib termios this tkinter token tokenize tomllib trace \
    tracemalloc tty turtle turtledemo uu venv wave webbrowser wsgiref xdrlib xmlrpc zipapp zipimport";

/// Packages of the standard library: they alone have further modules.
const PACKAGES: [&str; 17] = [
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
    "re",
    "sqlite3",
    "unittest",
    "urllib",
    "wsgiref",
    "xml",
    "zoneinfo",
];

/// `logging`, which reads the clock when it is imported, and modules that import it.
const READS_CLOCK: [&str; 4] = ["logging", "asyncio", "concurrent.futures", "unittest.mock"];

impl Machine {
    pub(super) fn get_name(&self, space: ObjectId, name: &Arc<str>) -> Option<Value> {
        match self.heap.get(space) {
            Object::Dict(entries, _) => entries
                .get(&Key::Str(name.clone()))
                .map(|(_, value)| value.clone()),
            _ => None,
        }
    }

    pub(super) fn set_name(&mut self, space: ObjectId, name: &str, value: Value) {
        let name: Arc<str> = name.into();
        if let Object::Dict(entries, _) = self.heap.get_mut(space) {
            let entry = entries.entry(Key::Str(name.clone()));
            entry.or_insert_with(|| (Value::Str(name), Value::None)).1 = value;
        }
    }

    pub(super) fn delete_name(&mut self, space: ObjectId, name: &Arc<str>) -> bool {
        match self.heap.get_mut(space) {
            Object::Dict(entries, _) => entries.shift_remove(&Key::Str(name.clone())).is_some(),
            _ => false,
        }
    }

    /// A global name, or one of the builtins.
    pub(super) fn global(&mut self, name: &Arc<str>) -> Run<Value> {
        let globals = self.top()?.globals;
        if let Some(value) = self.get_name(globals, name) {
            return Ok(value);
        }
        if globals != self.prelude
            && let Some(value) = self.replaced.get(name)
        {
            return Ok(value.clone());
        }
        if let Some(value) = self.get_name(self.builtins, name) {
            return Ok(value);
        }
        if let Some(value) = self.builtin_name(name) {
            self.set_name(self.builtins, name, value.clone());
            return Ok(value);
        }
        if matches!(&**name, "__builtins__" | "__loader__") {
            return Err(Flow::Unsupported(name.to_string()));
        }
        Err(self.raise("NameError", &format!("name '{name}' is not defined")))
    }

    fn builtin_name(&mut self, name: &Arc<str>) -> Option<Value> {
        match &**name {
            "NotImplemented" => return Some(Value::NotImplemented),
            "__package__" | "__spec__" => return Some(Value::None),
            "Ellipsis" => return Some(Value::Ellipsis),
            "EnvironmentError" | "IOError" => return Some(self.class_value("OSError")),
            _ => {}
        }
        if self.classes.contains_key(name) && !name.contains('.') && !UNNAMED.contains(&&**name) {
            return Some(self.class_value(name));
        }
        if ITERATORS.contains(&&**name) {
            return Some(self.class_value(name));
        }
        if RUNTIME.contains(&&**name) {
            return self.get_name(self.prelude, name);
        }
        FUNCTIONS.contains(&&**name).then(|| self.builtin(name))
    }

    /// A builtin function by its dotted name: one object each.
    pub(super) fn builtin(&mut self, dotted: &str) -> Value {
        if let Some(value) = self.named.get(dotted) {
            return value.clone();
        }
        let value = self.heap.make(Object::Builtin(dotted.into()));
        self.named.insert(dotted.into(), value.clone());
        value
    }

    /// Something of the runtime.
    pub(super) fn prelude_value(&mut self, name: &str) -> Run<Value> {
        let found = self.get_name(self.prelude, &name.into());
        found.ok_or_else(|| Flow::Unsupported(format!("the runtime's {name}")))
    }

    /// `import name`: the module, or its topmost package.
    pub(super) fn import(&mut self, name: &str, from: bool) -> Run<Value> {
        let top = name.split('.').next().unwrap_or(name);
        if !modules().contains_key(top) && !["numpy", "__future__", "builtins"].contains(&top) {
            let is_standard = top.starts_with('_') || STANDARD.split(' ').any(|known| known == top);
            if !is_standard && self.is_ready_for_exceptions() {
                // As in the sandbox; whether a program that is not ready for that has the module is not known.
                let message = format!("No module named '{top}'");
                return Err(self.raise("ModuleNotFoundError", &message));
            }
            return Ok(self.unknown_module(name));
        }
        if top != name && !PACKAGES.contains(&top) && top != "numpy" && name != "os.path" {
            let message = format!("No module named '{name}'; '{top}' is not a package");
            let raised = self.raise("ModuleNotFoundError", &message);
            // The import system looks for a path first, and hides that there is none.
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
        if READS_CLOCK.contains(&name) && !self.modules.contains_key(READS_CLOCK[0]) {
            self.module(READS_CLOCK[0]);
            self.tick();
        }
        Ok(self.module(if from { name } else { top }))
    }

    /// A reading of the clock of the sandbox by a library: it takes a millisecond.
    fn tick(&mut self) {
        let clock = self.get_name(self.prelude, &"_CLOCK".into());
        if let Some(Value::Object(clock)) = clock
            && let Object::List(items) = self.heap.get_mut(clock)
            && let [Value::Int(time)] = items.as_mut_slice()
        {
            *time += 1_000_000;
        }
    }

    /// `__import__(name)`; nothing where it is another function.
    pub(super) fn import_call(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Value>> {
        let ("__import__", [Value::Str(module), places @ ..]) = (name, arguments) else {
            return Ok(None);
        };
        let named = keywords.iter().find(|(name, _)| &**name == "fromlist");
        let list = named.map(|(_, list)| list).or(places.get(2));
        let from = list.and_then(|list| self.items_in_order(list));
        let from = from.is_some_and(|names| !names.is_empty());
        self.import(module, from).map(Some)
    }

    fn module(&mut self, name: &str) -> Value {
        if let Some(id) = self.modules.get(name) {
            return Value::Object(*id);
        }
        let id = self.heap.add(Object::Module(name.into()));
        self.modules.insert(name.into(), id);
        Value::Object(id)
    }

    pub(super) fn import_from(&mut self, module: &Value, name: &Arc<str>) -> Run<Value> {
        let Some(Object::Module(dotted)) = self.heap.object(module) else {
            return Err(broken("module"));
        };
        let dotted = dotted.clone();
        match self.module_member(&dotted, name)? {
            Some(value) => Ok(value),
            None => {
                // The message names the file of the module, which is another one on each machine.
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
        let Some(members) = modules().get(&*dotted) else {
            return Err(Flow::Unsupported(format!("from {dotted} import *")));
        };
        let frame = self.top()?;
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

    /// An attribute of a module of the standard library.
    pub(super) fn module_member(&mut self, module: &str, name: &str) -> Run<Option<Value>> {
        match self.known_member(module, name) {
            Err(Flow::Unsupported(_)) if self.settings.unknown => {
                Ok(Some(self.unknown_module(module)))
            }
            found => found,
        }
    }

    fn known_member(&mut self, module: &str, name: &str) -> Run<Option<Value>> {
        if module == "sys"
            && let Some(target) = self.redirected(name)
        {
            return Ok(Some(target));
        }
        if module == "builtins" {
            let name: Arc<str> = name.into();
            if let Some(value) = self.replaced.get(&name) {
                return Ok(Some(value.clone()));
            }
            let known = self.get_name(self.builtins, &name);
            return Ok(known.or_else(|| self.builtin_name(&name)));
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
        if let Some(value) = self.named.get(dotted.as_str()) {
            return Ok(Some(value.clone()));
        }
        match dotted.as_str() {
            "numpy.linalg" => return Ok(Some(self.module(&dotted))),
            "numpy.random" => return Err(Flow::Unsupported("random numbers".to_string())),
            _ => {}
        }
        if module == "itertools" && ITERTOOLS.contains(&name) {
            return Ok(Some(self.class_value(&dotted)));
        }
        let runtime = dotted.replace('.', "__");
        let walked = self.settings.fold.methods() || !super::parts::is_of_methods(module);
        let known = self.get_name(self.prelude, &runtime.as_str().into());
        let value = if let Some(value) = known.filter(|_| walked) {
            value
        } else if let Some(class) = self.alias_class(module, name) {
            self.class_value(&class)
        } else {
            if module == "numpy" && NUMPY_NAMES.split_whitespace().any(|known| known == name)
                || module == "numpy.linalg"
            {
                return Err(Flow::Unsupported(dotted));
            }
            let Some(members) = modules().get(module) else {
                return match module.contains('.') {
                    true => Err(Flow::Unsupported(format!("module {module}"))),
                    false => Ok(None),
                };
            };
            match members.iter().find(|(member, _)| *member == name) {
                Some((_, Member::Constant(value))) => constant(value),
                Some((_, Member::Class)) => self.class_value(&dotted),
                Some((_, Member::Builtin(name))) => match self.classes.get(*name) {
                    Some(id) => Value::Object(*id),
                    None => self.builtin(name),
                },
                Some((_, Member::Error(base))) => {
                    let base = self.classes.get(*base).copied();
                    let known = self.classes.get(dotted.as_str()).copied();
                    Value::Object(known.unwrap_or_else(|| self.add_class(&dotted, base)))
                }
                Some((_, Member::Module)) => self.module(&dotted),
                Some((_, Member::Part)) if modules().contains_key(dotted.as_str()) => {
                    self.module(&dotted)
                }
                Some((_, Member::Part | Member::Hidden)) => {
                    return Ok(Some(self.unknown_module(&dotted)));
                }
                Some((_, Member::Function)) => self.builtin(&dotted),
                Some((_, Member::Other(_))) if stream_class(&dotted).is_some() => {
                    self.builtin(&dotted)
                }
                Some((_, Member::Other("list"))) if dotted == "sys.argv" => {
                    self.heap.list(vec![Value::str("prog.py")])
                }
                Some((_, Member::Other(kind))) if DATA.contains(kind) => {
                    return Ok(Some(self.unknown_module(&dotted)));
                }
                Some((_, Member::Other(kind))) => self.heap.make(Object::Opaque {
                    class: (*kind).into(),
                    text: dotted.as_str().into(),
                }),
                None if modules().contains_key(dotted.as_str()) => self.module(&dotted),
                // What a module keeps for itself.
                None if name.starts_with('_') => return Ok(Some(self.unknown_module(&dotted))),
                None => return Ok(None),
            }
        };
        self.named.insert(dotted.as_str().into(), value.clone());
        Ok(Some(value))
    }

    /// Classes that a module shows under another name.
    fn alias_class(&self, module: &str, name: &str) -> Option<String> {
        let dotted = match (module, name) {
            ("types", _) => kind_of_type(name)?.to_string(),
            ("collections", "deque" | "defaultdict" | "Counter" | "OrderedDict") => {
                format!("collections.{name}")
            }
            _ => return None,
        };
        Some(dotted)
    }

    /// Builtin classes, builtins and the runtime, with further parts of it.
    pub(super) fn prepare(&mut self, parts: &[&str]) {
        self.make_classes();
        self.start_runtime();
        for part in parts {
            self.load_runtime(part);
        }
        self.instructions = 0;
    }

    fn make_classes(&mut self) {
        let object = self.add_class("object", None);
        for name in CLASSES {
            self.add_class(name, Some(object));
        }
        let int = self.class_id("int");
        self.add_class("bool", Some(int));
        let dict = self.class_id("dict");
        for name in ["defaultdict", "Counter", "OrderedDict"] {
            self.add_class(&format!("collections.{name}"), Some(dict));
        }
        for row in ERRORS {
            let mut names = row.split_whitespace();
            let base = names.next().map(|base| self.class_id(base));
            for name in names {
                self.add_class(name, base);
            }
        }
    }

    fn start_runtime(&mut self) {
        let empty = || Object::Dict(Entries::default(), DictKind::Plain);
        self.builtins = self.heap.add(empty());
        self.prelude = self.heap.add(empty());
        for name in INTRINSICS {
            let value = self.builtin(&format!("plan.{name}"));
            self.set_name(self.prelude, name, value);
        }
        let prelude = self.prelude;
        self.set_name(self.prelude, "__name__", Value::str("runtime"));
        let end = self.heap.make(Object::Special {
            kind: "end",
            parts: Vec::new(),
        });
        self.set_name(prelude, "_END", end);
        self.load_runtime(include_str!("prelude.py"));
        self.load_runtime(include_str!("runtime/folded.py"));
        self.load_runtime(include_str!("runtime/classes.py"));
        self.load_runtime(include_str!("runtime/enums.py"));
        self.load_runtime(include_str!("runtime/files.py"));
        self.load_runtime(include_str!("runtime/libraries.py"));
        self.load_runtime(include_str!("runtime/containers.py"));
        self.load_runtime(include_str!("runtime/abstract.py"));
        self.load_runtime(include_str!("runtime/formatter.py"));
        self.load_runtime(include_str!("runtime/builtin_methods.py"));
    }

    /// Executes a part of the runtime that the program turns out to need while it runs.
    pub(super) fn load_now(&mut self, files: &[&str]) {
        let frames = std::mem::take(&mut self.frames);
        let dropped = std::mem::take(&mut self.dropped);
        let (after, instructions) = (self.after.clone(), self.instructions);
        for file in files {
            let Ok(code) = crate::compile::compile(file) else {
                continue;
            };
            let prelude = self.prelude;
            let frame = self.frame(
                Arc::new(code),
                prelude,
                Some(prelude),
                After::Discard,
                false,
            );
            self.push_frame(frame);
            while self.unsupported.is_none() && !self.is_at_end() {
                if let Err(flow) = self.next_instruction() {
                    self.divert(flow);
                }
            }
            self.frames.clear();
        }
        (self.frames, self.dropped) = (frames, dropped);
        (self.after, self.instructions) = (after, instructions);
    }

    /// Whether the outermost frame is about to return.
    fn is_at_end(&self) -> bool {
        match self.frames.as_slice() {
            [] => true,
            [frame] => (frame.code.instructions.get(frame.next))
                .is_none_or(|next| next.op == crate::code::Op::ReturnValue),
            _ => false,
        }
    }

    /// Executes Python code of the runtime.
    fn load_runtime(&mut self, source: &str) {
        let code = match crate::compile::compile(source) {
            Ok(code) => code,
            Err(error) => {
                debug_assert!(false, "runtime, line {}: {}", error.line, error.message);
                return;
            }
        };
        let prelude = self.prelude;
        let frame = self.frame(
            Arc::new(code),
            prelude,
            Some(prelude),
            After::Discard,
            false,
        );
        self.push_frame(frame);
        let status = self.advance();
        debug_assert!(
            matches!(status, super::Status::Ended)
                && self.outcome == Some(codexec_trace::Outcome::Finished),
            "runtime: {status:?} {:?} {:?}",
            self.unsupported,
            self.outcome,
        );
        self.outcome = None;
        self.frames.clear();
    }
}

/// The builtin class that `types` has under a name.
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
