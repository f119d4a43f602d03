//! Outcomes that are no fault of the program: its own rejections, and effects of injected inputs and missing
//! modules.

use std::collections::BTreeSet;

use codexec_data::errors::kind_of;
use codexec_data::syntax::with_parsed;
use ruff_python_ast::visitor::{Visitor, walk_body, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Int, Stmt, StmtClassDef};
use ruff_text_size::Ranged;

/// Whether a missing key, or a name, is part of an injected input.
pub(super) fn is_read_key(exception: &str, message: &str, input: &str) -> bool {
    let key = match exception {
        // For input read by `eval`.
        "NameError" => message.split('\'').nth(1).unwrap_or_default(),
        _ => message.trim_matches(['\'', '"']),
    };
    let is_part = |separator: fn(char) -> bool| input.split(separator).any(|part| part == key);
    matches!(exception, "KeyError" | "NameError")
        && !key.is_empty()
        && (is_part(|c| c == '\n') || is_part(|c| !(c.is_alphanumeric() || c == '_' || c == '-')))
}

/// Whether an injected input is to blame rather than the program.
pub(super) fn blames_input(exception: &str, message: &str) -> bool {
    match exception {
        "EOFError" => true,
        "ValueError" => [
            "invalid literal for int",
            "could not convert string",
            "values to unpack",
        ]
        .iter()
        .any(|part| message.contains(part)),
        _ => false,
    }
}

/// Note for errors about files.
pub(super) const FILES: &str = "which files there are is not known";

/// Note for files that cannot be decoded.
pub(super) const ENCODING: &str = "which encoding its files are read in is not known";

/// Whether text of a file cannot be read or written in the default encoding of the planning system; other systems have
/// other defaults.
pub(super) fn depends_on_encoding(exception: &str, message: &str, line: &str) -> bool {
    matches!(exception, "UnicodeDecodeError" | "UnicodeEncodeError")
        && message.contains(" codec can't ")
        && !["decode(", "encode(", "encoding", "str(", "bytes("]
            .iter()
            .any(|word| line.contains(word))
}

/// Whether a comment of a source declares that a name already exists, provided by the caller.
pub(super) fn is_said_to_be_there(source: &str, name: &str) -> bool {
    let said = ["already", "inserted", "injected", "provided", "predefined"];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    source
        .lines()
        .filter_map(|line| line.split_once('#'))
        .any(|(_, comment)| {
            let names_it = comment.split(|c| !is_part(c)).any(|word| word == name);
            names_it && said.iter().any(|word| comment.contains(word))
        })
}

/// Packages whose modules the planner knows in part, and in one version.
const IN_VERSIONS: [&str; 4] = ["numpy", "scipy", "pandas", "sympy"];

/// Windows-only members of library modules; for constants, their prefixes.
const ON_WINDOWS: [(&str, &[&str]); 7] = [
    (
        "subprocess",
        &[
            "CREATE_",
            "STARTUPINFO",
            "STARTF_",
            "SW_HIDE",
            "DETACHED_PROCESS",
            "STD_",
            "ABOVE_NORMAL_",
            "BELOW_NORMAL_",
            "HIGH_PRIORITY_",
            "IDLE_PRIORITY_",
            "NORMAL_PRIORITY_",
            "REALTIME_PRIORITY_",
        ],
    ),
    (
        "os",
        &["startfile", "O_BINARY", "O_TEXT", "add_dll_directory"],
    ),
    ("signal", &["CTRL_"]),
    ("asyncio", &["Windows", "ProactorEventLoop"]),
    (
        "ctypes",
        &[
            "windll",
            "WinDLL",
            "oledll",
            "OleDLL",
            "WinError",
            "WINFUNCTYPE",
        ],
    ),
    ("sys", &["getwindowsversion", "winver"]),
    ("socket", &["SIO_", "ioctl"]),
];

/// Why a module may have an attribute that it seems to lack: in another version of a package, or on Windows.
pub(super) fn elsewhere_there(exception: &str, message: &str) -> Option<&'static str> {
    let (module, name) = message
        .strip_prefix("module '")?
        .split_once("' has no attribute '")?;
    let top = module.split('.').next().unwrap_or_default();
    let is_windows = |(known, names): &(&str, &[&str])| {
        *known == module && names.iter().any(|start| name.starts_with(start))
    };
    match exception {
        "AttributeError" if IN_VERSIONS.contains(&top) => {
            Some("which version of the package is there is not known")
        }
        "AttributeError" if ON_WINDOWS.iter().any(is_windows) => {
            Some("on which system it is started is not known")
        }
        _ => None,
    }
}

/// Whether a message names a runtime class that replaces a library class: its gaps are the planner's.
pub(super) fn names_internal(message: &str, source: &str) -> bool {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    quoted.any(|name| {
        let mut letters = name.chars();
        letters.next() == Some('_')
            && letters.next().is_some_and(char::is_uppercase)
            && !source.contains(name)
    })
}

/// Modules that put names into the program that imports them.
pub(super) const INJECT: [&str; 1] = ["pgzrun"];

/// Whether a library rejects injected values: the shape of an array, a string that is not a number or a pattern.
pub(super) fn refuses_values(exception: &str, message: &str) -> bool {
    let kind = kind_of(exception, message).unwrap_or_default();
    matches!(
        kind,
        "numpy.AxisError" | "decimal.InvalidOperation" | "re.error"
    ) || kind == "ValueError" && (message.contains("broadcast") || message.starts_with("shapes "))
}

/// Whether notebooks, or the shells of packages, have a name without an import.
pub(super) fn is_of_notebooks(name: &str) -> bool {
    matches!(
        name,
        "display" | "get_ipython" | "spark" | "sc" | "sqlContext" | "dbutils"
    )
}

/// Whether the system reports that a file exists or not, which a plan cannot know.
pub(super) fn depends_on_files(exception: &str, message: &str) -> bool {
    let of_files = [
        "FileExistsError",
        "FileNotFoundError",
        "IsADirectoryError",
        "NotADirectoryError",
        "OSError",
        "PermissionError",
    ];
    of_files.contains(&exception) && message.starts_with("[Errno ")
}

/// Whether an injected call fails because of the contents of a fresh object, missing `*args`, invalid JSON, or a module
/// of a package. A failed assertion is the program's own condition on its arguments.
pub(super) fn blames_call(exception: &str, message: &str, function: &str, line: &str) -> bool {
    let is_method = function.contains('.') && line.contains("self");
    match exception {
        // A skipped test is not a failed one.
        "AssertionError" | "JSONDecodeError" | "SkipTest" => true,
        // The caller may be in a coroutine.
        "RuntimeError" => message == "no running event loop",
        "KeyError" | "IndexError" | "StopIteration" => is_method,
        "ValueError" => is_method && message.contains(" not in "),
        "AttributeError" => {
            let module = message.strip_prefix("module '");
            // A class with this mixin has more.
            let class = function.split('.').next().unwrap_or_default();
            let is_mixed_in =
                class.contains("Mixin") && message.starts_with(&format!("'{class}' object "));
            is_method && (is_mixed_in || message.starts_with("'NoneType' object "))
                || module
                    .is_some_and(|rest| is_package(rest.split('\'').next().unwrap_or_default()))
        }
        "TypeError" => {
            // A base class lacks members of its subclasses.
            let class = function.split('.').next().unwrap_or_default();
            let of_class = format!("'{class}' object ");
            is_method && (message.starts_with(&of_class) || message.contains("NoneType"))
                || message.starts_with("attribute name must be string")
                || message.starts_with("isinstance() arg 2 must be a type")
                || message.contains("missing ")
                    && message.contains(" required ")
                    && ["(*", ", *"].iter().any(|star| line.contains(star))
        }
        _ => false,
    }
}

/// Whether a library rejects an object of the wrong kind.
pub(super) fn refuses_object(message: &str) -> bool {
    message.ends_with("must be callable")
        || message.contains("should be called on dataclass ")
        || message.contains("buffer API required")
        || message.starts_with("a bytes-like object is required")
}

/// Whether an operation failed on the result of a comparison: library objects, such as arrays, give others than bools.
pub(super) fn is_of_comparison(message: &str, line: &str) -> bool {
    let compares = ["==", "!=", "<", ">"]
        .iter()
        .any(|sign| line.contains(sign));
    compares && message.starts_with("'bool' object ")
}

/// Whether an error concerns an injected value itself, one of `values` as written by `repr`: a key, the name of an
/// attribute or of a module, or unparsable text. A caller passes valid ones.
pub(super) fn blames_value(exception: &str, message: &str, values: &[String], line: &str) -> bool {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let texts = || values.iter().filter_map(|value| value.strip_prefix('\''));
    match exception {
        "KeyError" => values.iter().any(|value| value == message),
        // It was evaluated.
        "NameError" => quoted.any(|name| {
            names_one_of(line, |word| word == name).is_none()
                && texts().any(|text| text.trim_end_matches('\'') == name)
        }),
        "AttributeError" => {
            let name = quoted.last().unwrap_or_default();
            let is_written = line.contains(&format!(".{name}"));
            !is_written && texts().any(|text| text.trim_end_matches('\'') == name)
        }
        "ImportError" | "LookupError" | "ModuleNotFoundError" | "ValueError" => {
            quoted.any(|part| !part.is_empty() && texts().any(|text| text.contains(part)))
        }
        _ => false,
    }
}

/// Packages of the standard library: an import from them may be one of their modules.
const PACKAGES: [&str; 24] = [
    "asyncio",
    "collections",
    "concurrent",
    "ctypes",
    "curses",
    "dbm",
    "distutils",
    "email",
    "encodings",
    "html",
    "http",
    "importlib",
    "json",
    "logging",
    "multiprocessing",
    "os",
    "re",
    "sqlite3",
    "tkinter",
    "unittest",
    "urllib",
    "wsgiref",
    "xml",
    "zoneinfo",
];

/// Whether the message of an `ImportError` is about a name of a package.
pub(super) fn names_package(message: &str) -> bool {
    let module = message.split('\'').nth(3).unwrap_or_default();
    module.is_empty() || is_package(module)
}

fn is_package(module: &str) -> bool {
    PACKAGES.contains(&module.split('.').next().unwrap_or_default())
}

/// Bindings of a source that a call of one of its functions may lack.
#[derive(Debug, Default)]
pub(super) struct Bound {
    /// Attributes, of whatever object or in the body of a class.
    pub attributes: BTreeSet<String>,
    /// Names that functions bind as globals, and those of imports that may fail.
    pub globals: BTreeSet<String>,
    /// Names of imports that may fail.
    pub fallible: BTreeSet<String>,
    /// Module names bound to something empty, which some statement fills or rebinds.
    pub fresh: BTreeSet<String>,
    /// Attributes that are `None` at first, and that another statement sets.
    pub set_later: BTreeSet<String>,
    /// Attributes that statements bind to `None`, and those that they bind to anything else.
    set: (BTreeSet<String>, BTreeSet<String>),
    /// Names that a statement binds anywhere.
    pub names: BTreeSet<String>,
    /// Names of what some statement fills.
    filled: BTreeSet<String>,
    /// Names that are bound only where the source is started, in `if __name__ == '__main__':`.
    pub started: BTreeSet<String>,
    /// Names of imported modules, whose state other functions may set.
    pub modules: BTreeSet<String>,
    /// Classes with a base from outside the source, which may bind attributes in them.
    pub open_classes: BTreeSet<String>,
}

impl Bound {
    /// For a source; empty if it does not parse.
    pub(super) fn of(source: &str) -> Self {
        with_parsed(source, |parsed| {
            let mut found = Self::default();
            found.visit_body(parsed.suite());
            let guarded = parsed.suite().iter().filter_map(Stmt::as_if_stmt);
            let guarded = guarded.filter(|one| {
                let test = &source[one.test.range().to_std_range()];
                test.contains("__name__") && test.contains("__main__")
            });
            let mut names = Names::default();
            guarded.for_each(|one| names.visit_body(&one.body));
            found.started = names.0;
            let assigned = parsed.suite().iter().filter_map(Stmt::as_assign_stmt);
            let fresh = assigned.filter(|one| is_empty(&one.value));
            let fresh = fresh
                .flat_map(|one| &one.targets)
                .filter_map(Expr::as_name_expr);
            let fresh = fresh.map(|name| name.id.to_string());
            let fresh =
                fresh.filter(|name| found.filled.contains(name) || found.globals.contains(name));
            found.fresh = fresh.collect();
            found.set_later = found.set.0.intersection(&found.set.1).cloned().collect();
            found
        })
        .unwrap_or_default()
    }

    /// Whether an error concerns `None`, and its function reads an attribute that is set later.
    pub(super) fn is_not_set_yet(&self, message: &str, source: &str, line: u32) -> bool {
        let above: Vec<&str> = source.lines().take(line as usize).collect();
        let is_header = |text: &&&str| text.trim_start().starts_with("def ");
        let body = above.iter().rev().take_while(|text| !is_header(text));
        message.contains("NoneType")
            && body.into_iter().any(|text| {
                let mut after = text.split('.').skip(1);
                after.any(|rest| {
                    let is_part = |c: char| c.is_alphanumeric() || c == '_';
                    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                    self.set_later.contains(&rest[..end])
                })
            })
    }

    /// Notes which attributes an assignment binds.
    fn binds(&mut self, statement: &Stmt, in_class: bool) {
        match statement {
            Stmt::Assign(one) => {
                for target in &one.targets {
                    self.sets(target, Some(&one.value), in_class);
                }
            }
            Stmt::AnnAssign(one) => self.sets(&one.target, one.value.as_deref(), in_class),
            _ => {}
        }
    }

    /// Notes that a statement binds an attribute: of an object, or of the class whose body it is in.
    fn sets(&mut self, target: &Expr, value: Option<&Expr>, in_class: bool) {
        let name = match target {
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            Expr::Name(name) if in_class => name.id.as_str(),
            _ => return,
        };
        let set = match value {
            Some(value) if value.is_none_literal_expr() => &mut self.set.0,
            _ => &mut self.set.1,
        };
        set.insert(name.to_owned());
    }

    /// Why a name missing in an error may exist elsewhere: an import that may fail, or a binding in the main part of
    /// the program.
    pub(super) fn may_be_there(
        &self,
        exception: &str,
        message: &str,
        line: &str,
    ) -> Option<String> {
        match exception {
            "AttributeError" | "TypeError" if message.contains("NoneType") => {
                let name = names_one_of(line, |word| self.fallible.contains(word))?;
                Some(format!("whether {name} can be imported is not known"))
            }
            "NameError" | "UnboundLocalError"
                if (message.split('\'').nth(1))
                    .is_some_and(|name| self.fallible.contains(name)) =>
            {
                let name = message.split('\'').nth(1)?;
                Some(format!("whether {name} can be imported is not known"))
            }
            "NameError" => {
                let name = message.split('\'').nth(1)?;
                let is_bound = self.started.contains(name);
                is_bound.then(|| format!("{name} is bound where the program is started"))
            }
            _ => None,
        }
    }

    /// Whether a name is unbound because a file may not have been opened.
    pub(super) fn may_not_be_opened(&self, exception: &str, message: &str, source: &str) -> bool {
        let name = message.split('\'').nth(1).unwrap_or_default();
        let is_unbound = exception == "UnboundLocalError"
            || exception == "NameError" && self.names.contains(name);
        is_unbound
            && ["open(", "connect("].iter().any(|call| {
                let opened = format!("{name} = ");
                source.match_indices(&opened).any(|(at, _)| {
                    let value = source[at + opened.len()..].lines().next();
                    value.is_some_and(|value| value.contains(call))
                })
            })
    }

    /// A class with known bases is a class of the source, and precedes its subclasses.
    fn add_class(&mut self, class: &StmtClassDef, known: &BTreeSet<String>) {
        let mut bases = class.arguments.iter().flat_map(|all| &all.args);
        let is_open = |base: &Expr| match base {
            Expr::Name(name) => {
                let name = name.id.as_str();
                name != "object" && (!known.contains(name) || self.open_classes.contains(name))
            }
            _ => true,
        };
        if bases.any(is_open) {
            self.open_classes.insert(class.name.to_string());
        }
    }
}

impl Visitor<'_> for Bound {
    fn visit_body(&mut self, body: &[Stmt]) {
        let classes = body.iter().filter_map(Stmt::as_class_def_stmt);
        let known = classes
            .clone()
            .map(|class| class.name.to_string())
            .collect();
        for class in classes {
            self.add_class(class, &known);
        }
        walk_body(self, body);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        if let Expr::Attribute(attribute) = expr
            && attribute.ctx.is_store()
        {
            self.attributes.insert(attribute.attr.to_string());
        }
        if let Expr::Name(name) = expr
            && name.ctx.is_store()
        {
            self.names.insert(name.id.to_string());
        }
        let filled = match expr {
            Expr::Subscript(part) if part.ctx.is_store() => part.value.as_name_expr(),
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(method) if FILL.contains(&method.attr.as_str()) => {
                    method.value.as_name_expr()
                }
                _ => None,
            },
            _ => None,
        };
        self.filled.extend(filled.map(|name| name.id.to_string()));
        walk_expr(self, expr);
    }

    fn visit_stmt(&mut self, statement: &Stmt) {
        self.binds(statement, false);
        match statement {
            Stmt::ClassDef(class) => {
                let targets = class.body.iter().flat_map(|one| match one {
                    Stmt::Assign(assign) => assign.targets.iter().collect(),
                    Stmt::AnnAssign(assign) => vec![&*assign.target],
                    _ => Vec::new(),
                });
                let names = targets.filter_map(Expr::as_name_expr);
                self.attributes
                    .extend(names.map(|name| name.id.to_string()));
                for one in &class.body {
                    self.binds(one, true);
                }
            }
            Stmt::Import(import) => {
                self.modules.extend(import.names.iter().map(bound_by));
            }
            Stmt::ImportFrom(import) => {
                self.modules.extend(import.names.iter().map(bound_by));
            }
            Stmt::Global(global) => {
                self.globals
                    .extend(global.names.iter().map(ToString::to_string));
            }
            Stmt::Try(tried) => {
                let imports = tried.body.iter().filter_map(|one| match one {
                    Stmt::Import(import) => Some(&import.names),
                    Stmt::ImportFrom(import) => Some(&import.names),
                    _ => None,
                });
                let bound: Vec<String> = imports.flatten().map(bound_by).collect();
                self.fallible.extend(bound.iter().cloned());
                self.globals.extend(bound);
            }
            _ => {}
        }
        walk_stmt(self, statement);
    }
}

/// Methods that put something into a container.
const FILL: [&str; 8] = [
    "append",
    "appendleft",
    "add",
    "extend",
    "insert",
    "update",
    "setdefault",
    "push",
];

/// Whether an expression evaluates to an empty container or `None`.
fn is_empty(expr: &Expr) -> bool {
    match expr {
        Expr::List(list) => list.elts.is_empty(),
        Expr::Tuple(tuple) => tuple.elts.is_empty(),
        // A table filled by others.
        Expr::Dict(dict) => dict.items.iter().all(|item| {
            let is_zero = item.value.as_number_literal_expr();
            is_empty(&item.value)
                || is_zero.is_some_and(|one| one.value.as_int() == Some(&Int::ZERO))
        }),
        Expr::NoneLiteral(_) => true,
        Expr::Call(call) => {
            let is_container =
                |name: &str| ["list", "dict", "set", "tuple", "deque"].contains(&name);
            let named = call.func.as_name_expr();
            call.arguments.is_empty() && named.is_some_and(|name| is_container(&name.id))
        }
        _ => false,
    }
}

/// The name that a part of an import binds.
fn bound_by(part: &ruff_python_ast::Alias) -> String {
    let name = part.asname.as_ref().unwrap_or(&part.name);
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Names that statements bind, without those inside functions and classes.
#[derive(Debug, Default)]
struct Names(BTreeSet<String>);

impl Visitor<'_> for Names {
    fn visit_expr(&mut self, expr: &Expr) {
        if let Expr::Name(name) = expr
            && name.ctx.is_store()
        {
            self.0.insert(name.id.to_string());
        }
        walk_expr(self, expr);
    }

    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                self.0.insert(function.name.to_string());
            }
            Stmt::ClassDef(class) => {
                self.0.insert(class.name.to_string());
            }
            Stmt::Import(ruff_python_ast::StmtImport { names, .. })
            | Stmt::ImportFrom(ruff_python_ast::StmtImportFrom { names, .. }) => {
                self.0.extend(names.iter().map(bound_by));
            }
            _ => walk_stmt(self, statement),
        }
    }
}

/// A line of a source, from 1; empty if there is none.
pub(super) fn line_of(text: &str, line: u32) -> &str {
    let mut lines = text.lines();
    lines
        .nth(line.saturating_sub(1) as usize)
        .unwrap_or_default()
}

/// The first word of a line that is one of these.
pub(super) fn names_one_of(line: &str, is_one: impl Fn(&str) -> bool) -> Option<&str> {
    let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.find(|word| is_one(word))
}

/// Lines of `raise` and `assert` statements. Empty if the source does not parse.
pub(super) fn refusals(source: &str) -> BTreeSet<u32> {
    struct Refusals<'s>(&'s str, BTreeSet<u32>);
    impl Visitor<'_> for Refusals<'_> {
        fn visit_stmt(&mut self, statement: &Stmt) {
            if matches!(statement, Stmt::Raise(_) | Stmt::Assert(_)) {
                let line = |at: usize| self.0[..at].matches('\n').count() as u32 + 1;
                let range = statement.range().to_std_range();
                self.1.extend(line(range.start)..=line(range.end));
            }
            walk_stmt(self, statement);
        }
    }
    with_parsed(source, |parsed| {
        let mut found = Refusals(source, BTreeSet::new());
        found.visit_body(parsed.suite());
        found.1
    })
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_what_is_there() {
        let source = "# The isBad API is already defined for you.\nx = isBad(other)  # other\n";
        assert!(is_said_to_be_there(source, "isBad"));
        assert!(!is_said_to_be_there(source, "other"));
    }

    #[test]
    fn attributes_are_there_in_other_versions_and_on_windows() {
        let of = |module: &str, name: &str| {
            let message = format!("module '{module}' has no attribute '{name}'");
            elsewhere_there("AttributeError", &message).is_some()
        };
        assert!(of("numpy", "recfromcsv"));
        assert!(of("subprocess", "CREATE_NEW_PROCESS_GROUP"));
        assert!(of("os", "startfile"));
        assert!(!of("time", "clock"));
        assert!(!of("random", "randInt"));
    }

    #[test]
    fn errors_about_a_made_up_value_are_its_fault() {
        let values = ["'a'", "'b:c'", "1"].map(str::to_owned);
        let blames = |exception: &str, message: &str, line: &str| {
            blames_value(exception, message, &values, line)
        };
        assert!(blames("KeyError", "'a'", "d[k]"));
        assert!(blames("KeyError", "1", "d[k]"));
        assert!(!blames("KeyError", "'price'", "d['price']"));
        let missing = "'Log' object has no attribute 'a'";
        assert!(blames("AttributeError", missing, "getattr(log, kind)"));
        assert!(!blames("AttributeError", missing, "log.a"));
        assert!(blames(
            "ModuleNotFoundError",
            "No module named 'b'",
            "import_module(name)"
        ));
        assert!(blames(
            "ValueError",
            "time data 'a' does not match format '%H'",
            "strptime(s)"
        ));
        assert!(!blames(
            "ValueError",
            "not enough values to unpack",
            "a, b = s"
        ));
        assert!(!blames("TypeError", "unsupported operand 'a'", "a + b"));
        let message = "'_VersionText' object has no attribute 'lower'";
        assert!(names_internal(message, "import sys"));
        assert!(!names_internal(message, "class _VersionText: pass"));
        assert!(!names_internal("'str' object has no attribute '_x'", ""));
    }

    #[test]
    fn what_a_source_binds() {
        let bound = Bound::of(
            "class A:\n    x = 1\n    y: int\n    def f(self):\n        global g\n        self.z = g = 1\n\
             try:\n    import a.b, c as d\n    from e import f\nexcept ImportError:\n    import h\n\
             class B(A): pass\nclass C(Other): pass\nclass D(C): pass\nclass E(object): pass\n",
        );
        let all = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(all(bound.attributes), "x y z");
        assert_eq!(all(bound.globals), "a d f g");
        assert_eq!(all(bound.open_classes), "C D");
        assert_eq!(all(bound.fallible), "a d f");
        let bound = Bound::of(
            "x = 1\nif __name__ == '__main__':\n    import a as b\n    y = x\n    for i, (j, k) in y:\n        z = 1\n",
        );
        assert_eq!(all(bound.started), "b i j k y z");
        let bound = Bound::of(
            "a = []\nb = c = {}\nd = [1]\ne = deque()\nf = None\ng = list('a')\nh = []\n\
             def fill():\n    global f\n    a.append(b)\n    b[1] = c[2]\n    e.add(1)\n    g.add(1)\n",
        );
        assert_eq!(all(bound.fresh), "a b e f");
    }

    #[test]
    fn attributes_that_are_none_until_they_are_set() {
        let source = "class A:\n    all = None\n    none = None\n    def start(self, b):\n        self.all = [b]\n    def size(self):\n        found = copy(self.all)\n        return len(found)\n    def other(self):\n        return len(self.none)\n";
        let bound = Bound::of(source);
        assert_eq!(bound.set_later.iter().collect::<Vec<_>>(), ["all"]);
        let message = "object of type 'NoneType' has no len()";
        assert!(bound.is_not_set_yet(message, source, 8));
        assert!(!bound.is_not_set_yet("'int' object", source, 8));
        assert!(!bound.is_not_set_yet(message, source, 10));
    }
}
