//! Names of a program that could refer to something that reads standard input.
//!
//! A textual over-approximation: code that mentions none of [`Names::readers`] reads nothing. The
//! walk tracks the meaning of a name at each moment.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Alias, CmpOp, ExceptHandler, Expr, ExprContext, Parameters, Pattern, Stmt};
use ruff_text_size::TextRange;

use super::binds::captured;
use super::input_taint::Leak;

/// Functions through which a program can come by its streams, its names or its text unseen.
const FUNCTIONS: &str = "__builtins__ __doc__ __import__ __file__ __loader__ __spec__ breakpoint compile \
    dir eval exec getattr globals help id locals setattr vars";

/// The same for attributes and imported names.
const ATTRIBUTES: &str = "__builtins__ __class__ __code__ __dict__ __doc__ __getattribute__ __globals__ \
    __loader__ __self__ _getframe detach dup dup2 fdopen fileno fork fstat get_objects getrefcount getsizeof modules \
    openpty popen posix_spawn preadv pread raw readv reconfigure seek sendfile setprofile settrace \
    spawnl splice system tell";

/// Modules whose star import hides no built-in function.
const STARS: &str = "math cmath itertools collections functools heapq bisect string decimal \
    fractions random copy time sys datetime typing";

/// Modules that can be imported without anything being read.
const MODULES: &str = "__future__ abc array bisect calendar cmath collections contextlib copy \
    dataclasses datetime decimal enum fractions functools heapq itertools json keyword math numbers \
    numba numpy networkx operator os pprint queue random re scipy sortedcontainers statistics \
    string struct sys textwrap threading time timeit types typing unicodedata warnings zlib \
    resource gc io bitarray sympy pandas hashlib platform";

pub(super) fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|n| n == name)
}

/// Facts about a program's names from its text alone.
#[derive(Default)]
pub(super) struct Names {
    /// Whether nothing can be known about the program.
    pub opaque: bool,
    /// Names that may refer to something that reads.
    pub readers: HashSet<String>,
    /// Names that several scopes can bind at any time.
    pub unsteady: HashSet<String>,
    /// Names bound anywhere, and how often.
    pub bound: HashMap<String, usize>,
    /// How often a name is looked up.
    pub loads: HashMap<String, usize>,
    /// Positions of readers, ascending.
    mentions: Vec<u32>,
}

impl Names {
    pub(super) fn of(body: &[Stmt]) -> Self {
        let mut scan = Scan::default();
        scan.visit_body(body);
        let mut names = std::mem::take(&mut scan.names);
        let readers = scan.spread();
        let mentioned = |name: &str| scan.mentions.iter().any(|(_, n)| *n == name);
        let opened = scan.mentions.iter().filter(|(_, n)| *n == "open").count();
        // each layer has its own buffer: data read by one is not seen by another
        let layers = [
            mentioned("open"),
            mentioned("buffer"),
            mentioned("input") || scan.text_streams,
        ];
        let hidden = scan.dunders.iter().any(|range| {
            let inside = |at: &u32| range.contains((*at).into());
            let named = |m: &&(u32, &str)| readers.contains(m.1) && inside(&m.0);
            scan.mentions.iter().any(|m| named(&m))
        });
        names.opaque |= opened > 1 || layers.iter().filter(|used| **used).count() > 1 || hidden;
        names.mentions = scan
            .mentions
            .iter()
            .filter(|(_, n)| readers.contains(*n))
            .map(|(at, _)| *at)
            .collect();
        names.mentions.sort_unstable();
        names.readers = readers.into_iter().map(str::to_owned).collect();
        names
    }

    /// Whether text in `range` mentions something that may read.
    pub(super) fn read_in(&self, range: TextRange) -> bool {
        let (start, end) = (u32::from(range.start()), u32::from(range.end()));
        let first = self.mentions.partition_point(|at| *at < start);
        self.mentions.get(first).is_some_and(|at| *at < end)
    }
}

/// Everything that [`Names`] is computed from.
#[derive(Default)]
struct Scan<'a> {
    names: Names,
    /// Names, attributes and imported names in the text, with their positions.
    mentions: Vec<(u32, &'a str)>,
    /// Functions and classes with their contents.
    definitions: Vec<(&'a str, TextRange)>,
    /// Parts of a name.
    flows: Vec<(&'a str, &'a Expr)>,
    /// Return values of functions, with the function's name; none for generators and classes.
    returns: Vec<(&'a str, Option<&'a Expr>)>,
    /// Methods that Python calls implicitly.
    dunders: Vec<TextRange>,
    /// Functions that the visited code is in.
    inside: Vec<&'a str>,
    /// Whether `sys.stdin` is used otherwise than for its `buffer`.
    text_streams: bool,
}

impl<'a> Scan<'a> {
    /// Follows readers through definitions and assignments to a fixed point.
    fn spread(&self) -> HashSet<&'a str> {
        let mut readers: HashSet<&str> =
            ["input", "raw_input", "stdin", "__stdin__", "open", "buffer"].into();
        let sources = ["input", "raw_input", "read", "readline", "readlines"];
        // names whose calls return only data
        let mut harmless: HashSet<&str> = sources.into();
        harmless.extend(self.definitions.iter().map(|(name, _)| *name));
        harmless.extend(self.flows.iter().map(|(name, _)| *name));
        loop {
            let before = (readers.len(), harmless.len());
            for (name, range) in &self.definitions {
                let inside = |at: u32| range.contains(at.into());
                if self
                    .mentions
                    .iter()
                    .any(|(at, n)| readers.contains(n) && inside(*at))
                {
                    readers.insert(name);
                }
            }
            for (name, value) in &self.flows {
                let leak = Leak {
                    readers: &readers,
                    harmless: &harmless,
                    mentions: &self.mentions,
                };
                let (leaks, calls_leak) = (leak.leaks(value), !leak.calls_are_harmless(value));
                if leaks {
                    readers.insert(name);
                    if calls_leak {
                        harmless.remove(name);
                    }
                }
            }
            for (name, value) in &self.returns {
                let leak = Leak {
                    readers: &readers,
                    harmless: &harmless,
                    mentions: &self.mentions,
                };
                if value.is_none_or(|value| leak.leaks(value)) {
                    harmless.remove(name);
                }
            }
            if before == (readers.len(), harmless.len()) {
                return readers;
            }
        }
    }

    fn bind(&mut self, name: &'a str) {
        *self.names.bound.entry(name.to_owned()).or_default() += 1;
    }

    fn flow(&mut self, target: &'a Expr, value: &'a Expr) {
        match target {
            Expr::Name(n) => self.flows.push((&n.id, value)),
            Expr::Attribute(a) => self.flows.push((&a.attr, value)),
            Expr::Subscript(s) => self.flow(&s.value, value),
            Expr::Starred(s) => self.flow(&s.value, value),
            Expr::Tuple(t) => t.elts.iter().for_each(|e| self.flow(e, value)),
            Expr::List(l) => l.elts.iter().for_each(|e| self.flow(e, value)),
            _ => self.names.opaque = true,
        }
    }

    fn import(&mut self, module: &str) {
        let top = module.split('.').next().unwrap_or_default();
        self.names.opaque |= !listed(MODULES, top);
    }
}

impl<'a> Visitor<'a> for Scan<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                self.bind(&f.name);
                self.definitions.push((&f.name, f.range));
                let special = f.name.starts_with("__") && f.name.as_str() != "__init__";
                if special && f.name.ends_with("__") {
                    self.dunders.push(f.range);
                }
                self.inside.push(&f.name);
                visitor::walk_stmt(self, stmt);
                self.inside.pop();
                return;
            }
            Stmt::ClassDef(c) => {
                self.bind(&c.name);
                self.definitions.push((&c.name, c.range));
                self.definitions.push((&c.name, c.range));
                self.returns.push((&c.name, None));
            }
            Stmt::Assign(a) => a.targets.iter().for_each(|t| self.flow(t, &a.value)),
            Stmt::AugAssign(a) => self.flow(&a.target, &a.value),
            Stmt::AnnAssign(a) => {
                if let Some(value) = &a.value {
                    self.flow(&a.target, value);
                }
            }
            // The items of a stream are text.
            Stmt::For(f) if matches!(&*f.iter, Expr::Attribute(a) if a.attr.as_str() == "stdin") => {
            }
            Stmt::For(f) => self.flow(&f.target, &f.iter),
            Stmt::With(w) => {
                for item in &w.items {
                    if let Some(target) = &item.optional_vars {
                        self.flow(target, &item.context_expr);
                    }
                }
            }
            Stmt::Return(r) => {
                if let (Some(name), Some(value)) = (self.inside.last(), &r.value) {
                    self.returns.push((name, Some(value)));
                }
            }
            Stmt::Global(g) => {
                let names = g.names.iter().map(|n| n.to_string());
                self.names.unsteady.extend(names);
            }
            Stmt::Nonlocal(n) => {
                let names = n.names.iter().map(|n| n.to_string());
                self.names.unsteady.extend(names);
            }
            Stmt::Import(i) => i.names.iter().for_each(|a| self.import(&a.name)),
            Stmt::ImportFrom(i) => {
                let module = i.module.as_ref().map_or("", |m| m.as_str());
                self.import(module);
                let all = i.names.iter().any(|a| a.name.as_str() == "*");
                let read = i.names.iter().any(|a| a.name.as_str() == "read");
                self.names.opaque |=
                    i.level > 0 || (all && !listed(STARS, module)) || (read && module == "os");
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_alias(&mut self, alias: &'a Alias) {
        self.mentions
            .push((alias.range.start().into(), &alias.name));
        let name = alias.asname.as_ref().unwrap_or(&alias.name);
        self.bind(name.split('.').next().unwrap_or_default());
        self.names.opaque |= listed(ATTRIBUTES, &alias.name);
        if alias.name.as_str() == "stdin" {
            self.text_streams |= alias.asname.is_some();
            // under its new name it is the same
            self.definitions.push((name, alias.range));
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) => {
                self.mentions.push((n.range.start().into(), &n.id));
                self.names.opaque |= listed(FUNCTIONS, &n.id) && n.ctx == ExprContext::Load;
                self.text_streams |= n.id.as_str() == "stdin";
                match n.ctx {
                    ExprContext::Load => {
                        *self.names.loads.entry(n.id.to_string()).or_default() += 1;
                    }
                    _ => self.bind(&n.id),
                }
            }
            Expr::Attribute(a) => {
                self.mentions.push((a.attr.range.start().into(), &a.attr));
                let name = a.attr.as_str();
                let os = matches!(&*a.value, Expr::Name(n) if n.id.as_str() == "os");
                self.names.opaque |= listed(ATTRIBUTES, name) || (name == "read" && os);
                self.text_streams |= name == "stdin";
                // `sys.stdin.buffer` does not use the stream above it
                if name == "buffer" {
                    let mention = match &*a.value {
                        Expr::Attribute(inner) if inner.attr.as_str() == "stdin" => {
                            self.visit_expr(&inner.value);
                            Some((inner.attr.range, inner.attr.as_str()))
                        }
                        Expr::Name(n) if n.id.as_str() == "stdin" => Some((n.range, "stdin")),
                        _ => None,
                    };
                    if let Some((range, name)) = mention {
                        self.mentions.push((range.start().into(), name));
                        return;
                    }
                }
            }
            Expr::Named(n) => {
                self.flow(&n.target, &n.value);
                if let Expr::Name(name) = &*n.target {
                    self.names.unsteady.insert(name.id.to_string());
                }
            }
            Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Await(_) => {
                if let Some(name) = self.inside.last() {
                    self.returns.push((name, None));
                }
            }
            Expr::Compare(c) => {
                // a literal is one object, two reads are two
                let constant = |e: &Expr| {
                    matches!(
                        e,
                        Expr::NoneLiteral(_) | Expr::BooleanLiteral(_) | Expr::EllipsisLiteral(_)
                    )
                };
                let identity = |op: &CmpOp| matches!(op, CmpOp::Is | CmpOp::IsNot);
                let mut pairs = c.ops.iter().zip(&c.comparators);
                self.names.opaque |= pairs.any(|(op, e)| identity(op) && !constant(e));
            }
            Expr::StringLiteral(s) => {
                let text = s.value.to_str();
                self.names.opaque |= text.contains("/dev/") || text.contains("/proc/");
            }
            Expr::ListComp(c) => c.generators.iter().for_each(|g| self.generator(g)),
            Expr::SetComp(c) => c.generators.iter().for_each(|g| self.generator(g)),
            Expr::DictComp(c) => c.generators.iter().for_each(|g| self.generator(g)),
            Expr::Generator(c) => c.generators.iter().for_each(|g| self.generator(g)),
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_parameters(&mut self, parameters: &'a Parameters) {
        for parameter in parameters.iter_source_order() {
            self.bind(parameter.name());
            if let Some(default) = parameter.default() {
                self.flows.push((parameter.name(), default));
            }
        }
        visitor::walk_parameters(self, parameters);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(h) = handler;
        if let Some(name) = &h.name {
            self.bind(name);
        }
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let Some(name) = captured(pattern) {
            self.bind(name);
        }
        visitor::walk_pattern(self, pattern);
    }
}

impl<'a> Scan<'a> {
    fn generator(&mut self, generator: &'a ruff_python_ast::Comprehension) {
        if !matches!(&generator.iter, Expr::Attribute(a) if a.attr.as_str() == "stdin") {
            self.flow(&generator.target, &generator.iter);
        }
    }
}
