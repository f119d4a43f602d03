//! Refinements of a prefix that ended in an error: by the exception, its message, and the
//! expressions on the line that raised it.

use codexec_data::sandbox::Raised;

use super::start::{ARGV, INPUT, STDIN, add_module, add_name, file, stub};
use super::turns::{answers_in_turn, by_elements, counts_in_turn};
use crate::prefix::draft::{Draft, Home, Value, quoted, root_of};
use crate::prefix::missing::Import;
use crate::prefix::places::Place;
use crate::prefix::search_tree::Tried;
use crate::prefix::snippet::Snippet;
use crate::prefix::stand_in::Features;

/// Returns drafts that may pass an error, most promising first.
pub(super) fn repairs(
    snippet: &Snippet,
    draft: &Draft,
    tried: &Tried,
    trouble: &Raised,
) -> Vec<Draft> {
    if snippet.is_raised(trouble.line) && trouble.exception != "NameError" {
        return Vec::new(); // The program's own `raise` depends on its conditions.
    }
    let mut repair = Repair {
        snippet,
        draft,
        trouble,
        owned: owned_on(snippet, draft, tried, trouble.line),
        found: Vec::new(),
    };
    repair.by_kind();
    repair.by_answers(tried);
    repair.by_value();
    repair.by_call();
    repair.found
}

/// Returns the paths on a line whose values the draft chooses: the ones written there, and the ones
/// that stand-ins were asked for.
pub(super) fn owned_on(snippet: &Snippet, draft: &Draft, tried: &Tried, line: u32) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |path: &str| {
        if draft.owns(path) && !found.iter().any(|f| f == path) {
            found.push(path.to_owned());
        }
    };
    for place in snippet.paths_on(line) {
        for path in snippet.aliases.all(&place.path) {
            add(&path);
        }
    }
    for asked in tried.asked.iter().filter(|a| a.line == line) {
        if !asked.what.contains(' ') {
            add(&asked.what);
        }
    }
    found
}

/// Most drafts derived from a large one.
const MOST_LARGE: usize = 12;

struct Repair<'a> {
    snippet: &'a Snippet,
    draft: &'a Draft,
    trouble: &'a Raised,
    owned: Vec<String>,
    found: Vec<Draft>,
}

/// Returns the text between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let start = text.find(before)? + before.len();
    let end = text[start..].find(after)? + start;
    Some(&text[start..end])
}

impl Repair<'_> {
    fn with(&mut self, change: impl FnOnce(&mut Draft)) {
        if self.draft.is_large() && self.found.len() > MOST_LARGE {
            return;
        }
        let mut draft = self.draft.clone();
        change(&mut draft);
        self.found.push(draft);
    }

    fn set(&mut self, path: &str, value: Value) {
        if *self.draft.value(path) != value {
            self.with(|d| d.set(path, value));
        }
    }

    /// Repairs that the exception itself names.
    fn by_kind(&mut self) {
        let message = self.trouble.message.clone();
        if message.contains("'StandIn' object") || message.contains("awaitable") {
            self.with(|d| d.features = Features::all());
        }
        if message.starts_with("'function' object") && self.draft.features.callbacks {
            // Not every call with a function decorates it.
            self.with(|d| d.features.callbacks = false);
        }
        let message = message.as_str();
        match self.trouble.exception.as_str() {
            "NameError" | "UnboundLocalError" => {
                if let Some(name) = between(message, "name '", "'") {
                    self.with(|d| d.roots.push(name.to_owned(), Home::Name));
                    let snippet = self.snippet;
                    self.with(|d| add_name(snippet, d, name));
                    self.found.reverse();
                }
            }
            "ModuleNotFoundError" | "ImportError" => self.import(message),
            "EOFError" => {
                self.with(|d| {
                    d.lines.insert("input", INPUT.to_owned());
                });
                self.with(|d| {
                    d.lines.insert("stdin", STDIN.to_owned());
                });
            }
            "FileNotFoundError"
            | "PermissionError"
            | "IsADirectoryError"
            | "NotADirectoryError"
            | "OSError"
            | "FileExistsError"
            | "UnsupportedOperation" => {
                self.with(|d| {
                    d.lines.insert("open", file());
                });
            }
            "IndexError" => {
                self.with(|d| {
                    d.lines.insert("argv", ARGV.to_owned());
                });
            }
            "KeyError" => {
                if let Some(key) = between(message, "'", "'") {
                    let line = format!("import os\nos.environ[{}] = \"1\"", quoted(key));
                    let mentions = self.snippet.paths_on(self.trouble.line);
                    if mentions.iter().any(|p| p.path.contains("environ")) {
                        self.with(|d| {
                            let lines = d.lines.entry("environ").or_default();
                            if !lines.is_empty() {
                                lines.push('\n');
                            }
                            lines.push_str(&line);
                        });
                    }
                }
            }
            "ValueError" | "TypeError" => self.counts(message),
            _ => {}
        }
    }

    fn import(&mut self, message: &str) {
        if let (Some(name), Some(module)) = (
            between(message, "cannot import name '", "'"),
            between(message, "' from '", "'"),
        ) {
            let snippet = self.snippet;
            self.with(|d| {
                d.patches
                    .insert(format!("{module}.{name}"), name.to_owned());
                if let Some(uses) = snippet.prepared.evidence.get(name) {
                    let value = super::start::value_of(snippet, name, uses, None);
                    d.values.insert(name.to_owned(), value);
                }
            });
        }
        if let Some(module) = between(message, "No module named '", "'") {
            let own: Vec<&Import> = self
                .snippet
                .imports
                .iter()
                .filter(|i| i.module == module || i.module.starts_with(&format!("{module}.")))
                .collect();
            self.with(|d| {
                add_module(d, module);
                for import in own {
                    stub(d, &import.module, import);
                }
            });
        }
    }

    /// Repairs a wrong number of items.
    fn counts(&mut self, message: &str) {
        let wanted = between(message, "expected ", ",")
            .or_else(|| between(message, "(expected ", ")"))
            .or_else(|| between(message, "at least ", ","))
            .and_then(|n| n.trim().parse::<usize>().ok());
        let wanted = wanted.or_else(|| {
            let unpacks = message.starts_with("cannot unpack non-iterable");
            unpacks.then_some(2)
        });
        if let Some(count) = wanted.filter(|n| *n <= 32 && message.contains("unpack")) {
            for path in self.owned.clone() {
                let uses = self.snippet.prepared.evidence.get(&path);
                let value = Value::Tuple(Value::items(count));
                let element = format!("{path}[]");
                if uses.is_some_and(|u| u.iterated && u.unpacked.is_none()) {
                    self.set(&element, value.clone());
                }
                self.set(&path, value);
                self.found
                    .extend(counts_in_turn(self.draft, &path, count as i64));
            }
        }
        if message.contains("invalid literal for int") || message.contains("could not convert") {
            for path in self.owned.clone() {
                self.set(&path, Value::text("1"));
            }
        }
    }

    /// Gives other answers to the questions of stand-ins.
    fn by_answers(&mut self, tried: &Tried) {
        let line = self.trouble.line;
        if self.trouble.exception == "AssertionError" {
            self.found.extend(answers_in_turn(self.draft, tried, line));
        }
        if self.trouble.message.starts_with("'bool' object") {
            self.found.extend(by_elements(self.draft, tried, line));
        }
    }

    /// Sets other values for the expressions on the line.
    fn by_value(&mut self) {
        let message = self.trouble.message.as_str();
        let owned = self.owned.clone();
        // A value other than a stand-in was a guess.
        for path in &owned {
            let plain = !matches!(
                self.draft.value(path),
                Value::StandIn | Value::Class | Value::Exception
            );
            if plain && !self.draft.imports.contains_key(path) {
                self.set(path, Value::StandIn);
            }
        }
        let numbers = [
            "number",
            "integer",
            "int",
            "float",
            "not supported between",
            "unsupported operand",
        ];
        let is_number = numbers.iter().any(|n| message.contains(n));
        let mut values = vec![
            Value::Code("1".to_owned()),
            Value::List(Value::items(2)),
            Value::Code("{\"a\": \"a\"}".to_owned()),
            Value::text("a"),
            Value::Code("None".to_owned()),
        ];
        if message.contains("bytes") {
            values.insert(0, Value::Code("b\"a\"".to_owned()));
        } else if message.contains("dict") || message.contains("mapping") {
            values.swap(0, 2);
        } else if message.contains("BaseException") || message.contains("exception") {
            values.insert(0, Value::Exception);
        } else if message.contains("arg 2 must be a type") || message.contains("must be a class") {
            values.insert(0, Value::Code("str".to_owned()));
        } else if !is_number {
            values.swap(0, 1);
        }
        if matches!(
            self.trouble.exception.as_str(),
            "AttributeError" | "NameError"
        ) {
            values.truncate(0);
        }
        self.with(|d| d.objects = !d.objects);
        for value in values.iter().take(3) {
            for path in owned.iter().take(5) {
                let called = self
                    .snippet
                    .prepared
                    .evidence
                    .get(path)
                    .is_some_and(|u| u.called);
                if !called {
                    self.set(path, value.clone());
                }
            }
        }
    }

    /// Replaces functions of real modules on the line with stand-ins, then the modules.
    fn by_call(&mut self) {
        if self.trouble.exception == "NameError" {
            return;
        }
        let snippet = self.snippet;
        let places: Vec<&Place> = snippet.paths_on(self.trouble.line);
        let mut first = Vec::new();
        for place in &places {
            for draft in patched(snippet, self.draft, place) {
                if !first.contains(&draft) {
                    first.push(draft);
                }
            }
        }
        let environment = matches!(
            self.trouble.exception.as_str(),
            "FileNotFoundError"
                | "PermissionError"
                | "OSError"
                | "gaierror"
                | "URLError"
                | "SystemExit"
        ) || self.owned.is_empty();
        if environment {
            // The expressions on the line cannot work here with any value.
            let rest = std::mem::take(&mut self.found);
            let (early, late) = rest.split_at(rest.len().min(1));
            self.found = [early, &first, late].concat();
        } else {
            let at = self.found.len().min(6);
            self.found.splice(at..at, first);
        }
    }
}

/// Returns drafts in which the function called at a place is replaced: a function of a real module,
/// a name that the prefix imports, or a builtin.
pub(super) fn patched(snippet: &Snippet, draft: &Draft, place: &Place) -> Vec<Draft> {
    let mut found = Vec::new();
    let path = place.path.trim_end_matches("()");
    let is_plain = !path.contains(['(', '[', ' ']);
    if !is_plain {
        return found;
    }
    let root = root_of(path);
    if let Some(import) = draft.imports.get(root) {
        // For the prefix's `import os`: the function, or the whole module.
        let module = module_bound(import, root);
        if let (Some(module), Some(rest)) =
            (module, path.strip_prefix(root).filter(|r| !r.is_empty()))
        {
            let mut one = draft.clone();
            one.patches
                .insert(format!("{module}{rest}"), path.to_owned());
            found.push(one);
        }
        let mut one = draft.clone();
        one.imports.remove(root);
        found.push(one);
        return found;
    }
    for import in snippet
        .imports
        .iter()
        .filter(|i| i.level == 0 && snippet.is_there(&i.module))
    {
        let bound = import.names.iter().find(|(_, bound)| bound == root);
        let target = if let Some((name, _)) = bound {
            format!("{}.{name}{}", import.module, &path[root.len()..])
        } else if import.names.is_empty() && import.alias.as_deref() == Some(root) {
            format!("{}{}", import.module, &path[root.len()..])
        } else if import.names.is_empty() && root_of(&import.module) == root && path != root {
            path.to_owned()
        } else {
            continue;
        };
        if target.contains('.') && !draft.patches.contains_key(&target) && target != import.module {
            let mut one = draft.clone();
            one.patches.insert(target, path.to_owned());
            found.push(one);
        }
    }
    let builtin = place.called.is_some() && path == root && !draft.owns(root);
    let kept = [
        "print",
        "isinstance",
        "super",
        "type",
        "len",
        "range",
        "enumerate",
        "str",
        "repr",
        "list",
        "dict",
        "hasattr",
        "getattr",
        "Exception",
    ];
    if builtin && crate::analysis::scopes::is_builtin(root) && !kept.contains(&root) {
        let mut one = draft.clone();
        one.roots.push(root.to_owned(), Home::Name);
        found.push(one);
    }
    found
}

/// Returns the module that an import statement of a prefix binds to a name.
fn module_bound(import: &str, name: &str) -> Option<String> {
    if let Some(rest) = import.strip_prefix("import ") {
        let module = rest.split(" as ").next().unwrap_or(rest);
        return Some(module.to_owned());
    }
    let (module, _) = import.strip_prefix("from ")?.split_once(" import ")?;
    Some(format!("{module}.{name}"))
}
