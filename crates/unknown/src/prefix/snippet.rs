//! A program as generators of prefixes see it: what it misses, what guards its lines, and what it
//! calls on each line.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use codexec_data::names::{usual_home, usual_module};
use codexec_trace::Program;

use super::calls::Calls;
use super::generators::Usage;
use super::guards::{Guard, guards};
use super::known::is_standard;
use super::missing::{self, Import};
use super::places::{Place, first_places, on_line, places};
use super::stand_in::{COMPARISONS, Features, OPERATORS};
use crate::analysis::paths::Aliases;
use crate::analysis::syntax::{children, last_line, line, text, with_tree};
use crate::analysis::tree::Node;
use crate::analysis::{Evidence, ParseError};
use crate::guide::{Location, Prepared, prepare};

/// A program to generate prefixes for; see the module.
#[derive(Debug)]
pub struct Snippet {
    pub(super) program: Program,
    pub(super) prepared: Prepared,
    /// Names that are read before the program binds them.
    pub(super) names: Vec<String>,
    pub(super) imports: Vec<Import>,
    pub(super) guards: Vec<Guard>,
    pub(super) features: Features,
    pub(super) calls: Calls,
    pub(super) aliases: Aliases,
    /// Expressions with paths, with their lines.
    pub(super) places: Vec<Place>,
    /// Indices of the places on each line.
    on_line: HashMap<u32, Vec<u32>>,
    /// The first location of each path.
    first_places: HashMap<String, u32>,
    /// Lines of `raise` statements, in order.
    pub(super) raises: Vec<(u32, u32)>,
    /// Parameters of the program's functions.
    pub(super) parameters: Vec<String>,
    /// Importable modules besides the standard library.
    modules: BTreeSet<String>,
    /// The deadline of the search, if it has one.
    pub(super) deadline: Option<Instant>,
    /// The cost of queries about it.
    pub(super) usage: Mutex<Usage>,
    /// Why the first unanswered query about it was not answered.
    pub(super) unanswered: Mutex<Option<String>>,
}

impl Snippet {
    /// Reads a program; `modules` are importable besides the standard library.
    ///
    /// # Errors
    /// If it is nested too deeply.
    pub fn of(program: &Program, modules: &BTreeSet<String>) -> Result<Self, ParseError> {
        let source = program.source.as_deref().unwrap_or_default();
        let prepared = prepare(source)?;
        with_tree(source, |tree| {
            let root = tree.root_node();
            let aliases = Aliases::of(root, source);
            let places = places(root, source);
            Ok(Self {
                on_line: on_line(&places),
                first_places: first_places(&prepared.instrumented.locations),
                program: program.clone(),
                names: missing::names(root, source, &prepared.instrumented.locations),
                imports: missing::imports(root, source),
                guards: guards(root, source, &aliases),
                calls: Calls::of(root, source, &aliases),
                features: features(root, source, &prepared.evidence),
                places,
                raises: raises(root),
                parameters: parameters(root, source),
                modules: modules.clone(),
                deadline: None,
                usage: Mutex::default(),
                unanswered: Mutex::default(),
                aliases,
                prepared,
            })
        })
    }

    /// Returns the program's text.
    pub fn source(&self) -> &str {
        self.program.source.as_deref().unwrap_or_default()
    }

    /// Returns the names that are read before the program binds them.
    pub fn missing_names(&self) -> &[String] {
        &self.names
    }

    /// Returns the attributes and methods of missing names, as written, in order.
    pub(super) fn missing_members(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let names: HashSet<&str> = self.names.iter().map(String::as_str).collect();
        let mut seen = HashSet::new();
        for place in &self.places {
            let root = super::draft::root_of(&place.path);
            let is_member = place.path.len() > root.len() && !place.path.ends_with([']', ')']);
            if is_member && names.contains(root) && seen.insert(&place.path) {
                found.push(place.path.clone());
            }
        }
        found
    }

    /// Returns the lines that count and are not among these.
    pub(super) fn uncovered(&self, covered: &BTreeSet<u32>) -> BTreeSet<u32> {
        let counted = self.prepared.statements.counted();
        counted.difference(covered).copied().collect()
    }

    /// Whether a module, by its dotted name, can be imported.
    pub(super) fn is_there(&self, module: &str) -> bool {
        let mut parts = module.split('.');
        let top = parts.next().unwrap_or(module);
        if is_standard(top) || !self.modules.contains(top) {
            return is_standard(top);
        }
        match parts.next().filter(|_| self.is_namespace(top)) {
            Some(part) => self.modules.contains(&format!("{top}.{part}")),
            None => true,
        }
    }

    /// Whether anything besides the standard library can be imported.
    pub(super) fn has_packages(&self) -> bool {
        !self.modules.is_empty()
    }

    /// Whether a name is a namespace package: it holds only its subpackages.
    fn is_namespace(&self, top: &str) -> bool {
        let below = format!("{top}.");
        let next = self.modules.range(below.clone()..).next();
        next.is_some_and(|module| module.starts_with(&below))
    }

    /// Returns the module that a name usually means, if it can be imported.
    pub(super) fn module_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        match usual_module(name) {
            Some(module) => Some(module).filter(|m| self.is_there(m)),
            None => Some(name).filter(|n| !n.starts_with('_') && self.is_there(n)),
        }
    }

    /// Returns the module that a name is usually imported from, if it can be imported.
    pub(super) fn home_of(&self, name: &str) -> Option<&'static str> {
        usual_home(name).filter(|module| self.is_there(module))
    }

    /// Returns the packages that the program imports and that are not installed, in order.
    pub fn missing_packages(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for module in self.missing_modules() {
            let top = module.split('.').next().unwrap_or_default();
            // For an installed namespace package, the part.
            let part = match self.is_there(top) {
                true => module.splitn(3, '.').take(2).collect::<Vec<_>>().join("."),
                false => top.to_owned(),
            };
            if seen.insert(part.clone()) {
                found.push(part);
            }
        }
        found
    }

    /// Returns the dotted modules that the program imports and that are not installed, in order.
    pub fn missing_modules(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for import in self.imports.iter().filter(|i| i.level == 0) {
            let names = import.names.iter().map(|(name, _)| name);
            // `from google import protobuf`: the package depends on the name.
            let mut modules: Vec<String> = names
                .map(|name| format!("{}.{name}", import.module))
                .collect();
            if !self.is_there(&import.module) {
                modules.insert(0, import.module.clone());
            } else if self.is_namespace(&import.module) {
                modules.retain(|module| !self.is_there(module));
            } else {
                continue;
            }
            for module in modules {
                if seen.insert(module.clone()) {
                    found.push(module);
                }
            }
        }
        found
    }

    /// Whether a line is part of a `raise`, which never ends without an exception.
    pub(super) fn is_raised(&self, line: u32) -> bool {
        // Statements do not overlap.
        let before = self.raises.partition_point(|(first, _)| *first <= line);
        before > 0 && line <= self.raises[before - 1].1
    }

    /// Returns the places on a line.
    pub(super) fn paths_on(&self, line: u32) -> Vec<&Place> {
        let on = self.on_line.get(&line).into_iter().flatten();
        on.map(|&at| &self.places[at as usize]).collect()
    }

    /// Returns the first place of a path in the program, for queries to predictors.
    pub(super) fn first_place(&self, path: &str) -> Option<&Location> {
        let at = self.first_places.get(path)?;
        self.prepared.instrumented.locations.get(*at as usize)
    }

    /// Returns why the first unanswered query about it was not answered.
    pub(super) fn why_unanswered(&self) -> Option<String> {
        let why = self.unanswered.lock();
        why.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the deadline of the search has passed.
    pub(super) fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

fn features(root: Node<'_>, source: &str, evidence: &Evidence) -> Features {
    let mut found = Features::default();
    dunders(evidence, &mut found);
    let mut functions: HashSet<&str> = HashSet::new();
    let mut handed: Vec<&str> = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let field = |name| node.child_by_field_name(name).map(|n| text(n, source));
        match node.kind() {
            "subscript" | "generic_type" | "delete_statement" => found.items = true,
            "with_statement" => found.context = true,
            "binary_operator" | "augmented_assignment" => {
                let sign = field("operator").unwrap_or_default();
                let sign = sign.strip_suffix('=').unwrap_or(sign);
                let known = OPERATORS.iter().filter(|(s, _)| *s == sign);
                found.operators.extend(known.map(|(_, name)| *name));
            }
            "unary_operator" => {
                found.operators.insert(match field("operator") {
                    Some("~") => "invert",
                    Some("+") => "pos",
                    _ => "neg",
                });
            }
            "comparison_operator" => {
                for sign in node.children_by_field_name("operators") {
                    let sign = text(sign, source);
                    found.contains |= sign.ends_with("in");
                    let known = COMPARISONS.iter().filter(|(s, _)| *s == sign);
                    for (_, name) in known {
                        // The value may be the right operand.
                        found.comparisons.insert(name);
                        found.comparisons.insert(match *name {
                            "lt" => "gt",
                            "gt" => "lt",
                            "le" => "ge",
                            "ge" => "le",
                            other => other,
                        });
                    }
                }
            }
            "await" | "async" => found.awaits = true,
            "decorated_definition" | "lambda" => found.callbacks = true,
            "function_definition" => functions.extend(field("name")),
            "argument_list" | "return_statement" => {
                let given = children(node).into_iter();
                handed.extend(given.map(|n| {
                    let value = n
                        .child_by_field_name("value")
                        .filter(|_| n.kind() == "keyword_argument");
                    text(value.unwrap_or(n), source)
                }));
            }
            "assignment" => handed.extend(field("right")),
            "call" => match field("function") {
                Some("isinstance" | "issubclass") => found.instances = true,
                Some("next") => found.next = true,
                Some("abs" | "round") => {
                    found.operators.extend(["abs", "round"]);
                }
                Some("divmod") => found.operators.extend(["floordiv", "mod"]),
                Some("sum") => found.operators.extend(["add"]),
                Some("sorted" | "min" | "max") => found.comparisons.extend(["lt", "gt"]),
                _ => {}
            },
            _ => {}
        }
        open.extend(node.children());
    }
    let named = |handed: &&str| functions.contains(*handed) || handed.starts_with("self.");
    found.callbacks |= !functions.is_empty() && handed.iter().any(named);
    found
}

fn raises(root: Node<'_>) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.kind() == "raise_statement" {
            found.push((line(node), last_line(node)));
        }
        open.extend(children(node));
    }
    found.sort_unstable();
    found
}

fn parameters(root: Node<'_>, source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if matches!(node.kind(), "parameters" | "lambda_parameters") {
            for parameter in children(node) {
                let name = parameter.child_by_field_name("name").unwrap_or(parameter);
                let name = match name.kind() {
                    "typed_parameter" => name.named_child(0).unwrap_or(name),
                    _ => name,
                };
                if name.kind() == "identifier" && seen.insert(text(name, source)) {
                    found.push(text(name, source).to_owned());
                }
            }
        }
        open.extend(children(node).into_iter().rev());
    }
    found
}

/// Notes dunder attributes that the program reads or calls, except those that every value has and
/// those with a meaning in a class.
fn dunders(evidence: &Evidence, found: &mut Features) {
    let usual = [
        "__class__",
        "__dict__",
        "__doc__",
        "__module__",
        "__init__",
        "__new__",
        "__qualname__",
        "__slots__",
        "__code__",
        "__repr__",
        "__str__",
        "__getattribute__",
        "__setattr__",
        "__delattr__",
        "__reduce__",
        "__init_subclass__",
        "__bool__",
        "__len__",
        "__iter__",
        "__call__",
    ];
    for (_, uses) in evidence.iter() {
        for name in &uses.attributes {
            let is_one = name.starts_with("__") && name.ends_with("__");
            if !is_one || usual.contains(&name.as_str()) {
                continue;
            }
            match name.as_str() {
                "__getitem__" | "__setitem__" | "__delitem__" => found.items = true,
                "__enter__" | "__exit__" => found.context = true,
                "__contains__" => found.contains = true,
                "__next__" => found.next = true,
                "__aenter__" | "__aexit__" | "__await__" | "__aiter__" => found.awaits = true,
                "__eq__" | "__ne__" | "__lt__" | "__le__" | "__gt__" | "__ge__" => {
                    found
                        .comparisons
                        .extend(COMPARISONS.iter().map(|(_, n)| *n));
                }
                "__hash__" => {
                    found.comparisons.insert("eq");
                }
                _ if uses.methods.contains(name) => {
                    found.methods.insert(name.clone());
                }
                _ => {
                    found.dunders.insert(name.clone());
                }
            }
        }
    }
}
