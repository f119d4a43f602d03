//! First prefixes: the missing names, with values that fit their uses.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::analysis::evidence::Evidence;
use crate::analysis::hints::hint;
use crate::analysis::uses::Uses;
use crate::prefix::change::Change;
use crate::prefix::draft::{Draft, Home, Value, quoted, root_of};
use crate::prefix::guards::Gate;
use crate::prefix::known::{is_standard, renamed};
use crate::prefix::snippet::Snippet;
use crate::values::predictors::of_derived;
use crate::values::{Class, Predictor};

/// Returns the first drafts, most promising first.
pub(super) fn drafts(snippet: &Snippet, predictor: Option<&dyn Predictor>) -> Vec<Draft> {
    let base = base(snippet, predictor, false);
    let mut found = vec![base.clone()];
    if snippet.has_packages() {
        // An installed package may not work here, or may need more than stand-ins as arguments.
        found.push(self::base(snippet, predictor, true));
    }
    let mut plain = base.clone();
    plain
        .values
        .retain(|_, value| matches!(value, Value::Exception | Value::Class | Value::Tuple(_)));
    found.push(plain);
    let mut objects = base.clone();
    objects.objects = true;
    found.push(objects);
    let mut opposite = base;
    for said in opposite.answers.values_mut() {
        for one in said {
            *one = 1 - *one;
        }
    }
    found.push(opposite);
    found
}

/// Returns the draft that follows all evidence. With `made_up`, installed packages are stand-ins
/// too.
fn base(snippet: &Snippet, predictor: Option<&dyn Predictor>, made_up: bool) -> Draft {
    let mut draft = Draft {
        features: snippet.features.clone(),
        made_up,
        ..Draft::default()
    };
    modules(snippet, &mut draft);
    for name in &snippet.names {
        add_name(snippet, &mut draft, name);
    }
    follow_uses(snippet, &mut draft, predictor);
    draft
}

/// Calls the functions of the program, with arguments that fit their uses.
pub(super) fn call_functions(snippet: &Snippet, draft: &mut Draft) {
    draft.calls = true;
    for name in &snippet.parameters {
        if !draft.roots.has(name) {
            draft.roots.push(name.clone(), Home::Parameter);
        }
    }
    let before = (draft.values.clone(), draft.answers.clone());
    follow_uses(snippet, draft, None);
    draft.values.extend(before.0);
    draft.answers.extend(before.1);
}

/// Sets values by their uses, and answers to conditions so that more of the program runs.
fn follow_uses(snippet: &Snippet, draft: &mut Draft, predictor: Option<&dyn Predictor>) {
    let evidence = &snippet.prepared.evidence;
    for (path, uses) in evidence.iter() {
        let is_root = draft.roots.has(path);
        let mut homes = draft.roots.homes(path);
        let is_module = homes.any(|home| matches!(home, Home::Module(_)));
        // A name that Python 3 renamed is the renamed one, whatever its uses.
        if is_module || !draft.owns(path) || renamed(root_of(path)).is_some() {
            continue;
        }
        let value = value_of(snippet, path, uses, predictor);
        // `class Base` in a made-up module, for example.
        if value != Value::StandIn || is_root {
            draft.values.insert(path.to_owned(), value);
        }
        if let Some(truth) = uses.truth
            && *draft.value(path) == Value::StandIn
        {
            draft
                .answers
                .insert(format!("{path} bool"), vec![i64::from(truth)]);
        }
    }
    draft.answers.retain(|_, said| said != &[1]);
    turns(snippet, draft);
}

/// Makes conditions in loops alternate, so that a loop runs both branches and ends.
fn turns(snippet: &Snippet, draft: &mut Draft) {
    let counted = snippet.prepared.statements.counted();
    for guard in snippet.guards.iter().filter(|g| g.in_loop) {
        let mut lines = counted.range(guard.target.0..=guard.target.1);
        if lines.all(|line| snippet.is_raised(*line)) {
            continue;
        }
        let Gate::Condition(wanted) = guard.gate else {
            continue;
        };
        for change in guard.ways.iter().flatten() {
            let Change::Answer(paths, question, said) = change else {
                continue;
            };
            if question == "len" || !wanted {
                continue;
            }
            let owned: Vec<&String> = paths.iter().filter(|p| draft.owns(p)).collect();
            for path in owned {
                let key = format!("{path} {question}");
                if *draft.value(path) != Value::StandIn {
                    continue;
                }
                let turns = if guard.repeats {
                    vec![*said, *said, 1 - said]
                } else {
                    let first = draft
                        .answers
                        .get(&key)
                        .and_then(|a| a.first().copied())
                        .unwrap_or(1);
                    vec![first, 1 - first]
                };
                draft.answers.insert(key, turns);
            }
        }
    }
}

/// Adds the modules that the program imports and that are not installed, or should not be used.
fn modules(snippet: &Snippet, draft: &mut Draft) {
    let deepest = snippet.imports.iter().map(|i| i.level).max().unwrap_or(0);
    if deepest > 0 {
        let package = format!("package{}", ".sub".repeat(deepest - 1));
        add_module(draft, &package);
        draft.package = Some(package);
    }
    for import in &snippet.imports {
        let module = if import.level > 0 {
            let base = format!("package{}", ".sub".repeat(deepest - import.level));
            match import.module.as_str() {
                "" => base,
                module => format!("{base}.{module}"),
            }
        } else if is_standard(&import.module) || !draft.made_up && snippet.is_there(&import.module)
        {
            continue;
        } else {
            import.module.clone()
        };
        stub(draft, &module, import);
    }
}

/// Adds a made-up module where an import finds it.
pub(super) fn stub(draft: &mut Draft, module: &str, import: &crate::prefix::missing::Import) {
    match (&import.alias, module.rsplit_once('.')) {
        (Some(alias), None) => {
            let home = Home::Module(module.to_owned());
            if !draft.roots.has_home(&home) {
                draft.roots.push(alias.clone(), home);
            }
        }
        (Some(alias), Some((package, last))) => {
            add_module(draft, module);
            add_root(draft, alias, Home::Of(package.to_owned(), last.to_owned()));
        }
        (None, _) => add_module(draft, module),
    }
    for (name, bound) in &import.names {
        add_root(draft, bound, Home::Of(module.to_owned(), name.clone()));
    }
}

/// Adds a made-up module with the packages around it.
pub(super) fn add_module(draft: &mut Draft, module: &str) {
    let ends = module.match_indices('.').map(|(at, _)| at);
    for end in ends.chain([module.len()]) {
        let home = Home::Module(module[..end].to_owned());
        if !draft.roots.has_home(&home) {
            draft.roots.push(module[..end].to_owned(), home);
        }
    }
}

fn add_root(draft: &mut Draft, name: &str, home: Home) {
    if !draft.roots.has_home(&home) {
        draft.roots.push(name.to_owned(), home);
    }
}

/// Adds a name that the program reads and nothing binds.
pub(super) fn add_name(snippet: &Snippet, draft: &mut Draft, name: &str) {
    if draft.roots.homes(name).any(|home| *home == Home::Name) {
        return;
    }
    draft.roots.push(name.to_owned(), Home::Name);
    let uses = snippet.prepared.evidence.get(name);
    if let Some(import) = usual_import(snippet, draft, name, uses) {
        draft.imports.insert(name.to_owned(), import);
    } else if let Some(code) = renamed(name) {
        draft
            .values
            .insert(name.to_owned(), Value::Code(code.to_owned()));
    } else if let Some(uses) = uses {
        draft
            .values
            .insert(name.to_owned(), value_of(snippet, name, uses, None));
    }
    if (name.ends_with("Error") || name.ends_with("Exception"))
        && uses.is_none_or(|u| u.attributes.is_empty())
        && name.starts_with(char::is_uppercase)
    {
        draft.values.insert(name.to_owned(), Value::Exception);
    }
}

/// Returns the import that usually binds a name, if the program's uses fit it.
fn usual_import(
    snippet: &Snippet,
    draft: &Draft,
    name: &str,
    uses: Option<&Uses>,
) -> Option<String> {
    let is_real = |module: &&str| !draft.made_up || is_standard(module);
    let attributes = uses.map(|u| &u.attributes).filter(|a| !a.is_empty());
    let called = uses.is_some_and(|u| u.called || u.base);
    if matches!(name, "datetime" | "time" | "date") && called {
        let module = if name == "time" { "time" } else { "datetime" };
        return Some(format!("from {module} import {name}"));
    }
    if name == "datetime"
        && attributes.is_some_and(|a| {
            a.iter().any(|a| {
                matches!(
                    a.as_str(),
                    "now" | "utcnow" | "strptime" | "fromtimestamp" | "today"
                )
            })
        })
    {
        return Some("from datetime import datetime".to_owned());
    }
    if let (Some(module), Some(_)) = (snippet.module_of(name).filter(is_real), attributes) {
        return Some(match module.rsplit_once('.') {
            _ if module == name => format!("import {module}"),
            Some((package, last)) if last == name => format!("from {package} import {last}"),
            _ => format!("import {module} as {name}"),
        });
    }
    let home = snippet.home_of(name).filter(is_real)?;
    let constants = [
        "argv",
        "stdin",
        "stdout",
        "stderr",
        "pi",
        "digits",
        "punctuation",
        "ascii_letters",
        "ascii_lowercase",
        "ascii_uppercase",
    ];
    // `count` may also be a number: it is the function only if it is used like it.
    let constant = name.starts_with(char::is_uppercase) || constants.contains(&name);
    (called || attributes.is_some() || constant).then(|| format!("from {home} import {name}"))
}

/// Returns the value for a path by its uses.
pub(in crate::prefix) fn value_of(
    snippet: &Snippet,
    path: &str,
    uses: &Uses,
    predictor: Option<&dyn Predictor>,
) -> Value {
    let hint = hint(uses);
    if hint.exception {
        return Value::Exception;
    }
    if hint.pattern || uses.base {
        return Value::Class;
    }
    let (mut class, mut sure) = of_derived(uses);
    if let Some(predictor) = predictor
        && let Some((said, probability)) = predicted(snippet, path, predictor)
    {
        (class, sure) = (said, probability);
    }
    if sure < 0.7 {
        return Value::StandIn;
    }
    let number = |otherwise: f64| hint.number.unwrap_or(otherwise);
    let count = hint.count.unwrap_or(2);
    match class {
        Class::None => Value::Code("None".to_owned()),
        Class::True => Value::Code("True".to_owned()),
        Class::False => Value::Code("False".to_owned()),
        Class::IntNeg => Value::Code(format!("{}", number(-1.0) as i64)),
        Class::IntZero => Value::Code(format!("{}", number(0.0) as i64)),
        Class::IntPos => Value::Code(format!("{}", number(1.0) as i64)),
        Class::FloatNeg => Value::Code(format!("{:?}", number(-1.0))),
        Class::FloatZero => Value::Code(format!("{:?}", number(0.0))),
        Class::FloatPos => Value::Code(format!("{:?}", number(1.0))),
        Class::StrEmpty => Value::text(""),
        Class::StrNonempty => Value::text(&match &hint.text {
            Some(text) => text.clone(),
            None if hint.digits => "1".to_owned(),
            None => "a".repeat(hint.count.unwrap_or(1).clamp(1, 8)),
        }),
        Class::ListEmpty => Value::Code("[]".to_owned()),
        Class::TupleEmpty => Value::Code("()".to_owned()),
        Class::SetEmpty => Value::Code("set()".to_owned()),
        Class::DictEmpty => Value::Code("{}".to_owned()),
        Class::ListNonempty => Value::List(items(&snippet.prepared.evidence, path, count)),
        Class::TupleNonempty => Value::Tuple(items(&snippet.prepared.evidence, path, count)),
        Class::SetNonempty => Value::Code("{\"a\", \"b\"}".to_owned()),
        Class::DictNonempty if uses.keywords && hint.keys.is_empty() => {
            Value::Code("{}".to_owned())
        }
        Class::DictNonempty if hint.keys.is_empty() => Value::StandIn,
        Class::DictNonempty => {
            let one = |key: &String| {
                let below = format!("{path}[{key:?}]");
                let value = match snippet.prepared.evidence.get(&below) {
                    Some(uses) => value_of(snippet, &below, uses, predictor),
                    None => Value::StandIn,
                };
                (key.clone(), value)
            };
            Value::Dict(hint.keys.iter().map(one).collect())
        }
        Class::Callable | Class::Resource | Class::Object => Value::StandIn,
    }
}

/// Whether there is evidence for a path with this prefix.
fn has_below(evidence: &Evidence, begin: &str) -> bool {
    let from = (Bound::Included(begin), Bound::Unbounded);
    let next = evidence.by_path.range::<str, _>(from).next();
    next.is_some_and(|(path, _)| path.starts_with(begin))
}

/// Returns the items of a list under a path.
fn items(evidence: &Evidence, path: &str, count: usize) -> Vec<Value> {
    let known: BTreeMap<usize, &Uses> = (0..count)
        .filter_map(|k| {
            Some((
                k,
                evidence
                    .get(&format!("{path}[{k}]"))
                    .or(evidence.get(&format!("{path}[]")))?,
            ))
        })
        .collect();
    let one = |k: usize| {
        let numbered = format!("{path}[{k}]");
        let stand_in = match has_below(evidence, &numbered) {
            true => Value::StandInAt(numbered),
            false => Value::StandIn,
        };
        let Some(uses) = known.get(&k) else {
            return stand_in;
        };
        let (class, sure) = of_derived(uses);
        let hint = hint(uses);
        match class {
            _ if sure < 0.7 || hint.exception => stand_in,
            Class::StrNonempty => {
                Value::text(
                    hint.text
                        .as_deref()
                        .unwrap_or(if hint.digits { "1" } else { "a" }),
                )
            }
            Class::IntPos => Value::Code(format!("{}", hint.number.unwrap_or(1.0) as i64)),
            Class::TupleNonempty => Value::Tuple(Value::items(hint.count.unwrap_or(2))),
            Class::DictNonempty if !hint.keys.is_empty() => {
                let one = |key: &String| (key.clone(), Value::StandIn);
                Value::Dict(hint.keys.iter().map(one).collect())
            }
            _ => stand_in,
        }
    };
    (0..count).map(one).collect()
}

/// Returns a predictor's class for the first place of a path.
fn predicted(snippet: &Snippet, path: &str, predictor: &dyn Predictor) -> Option<(Class, f32)> {
    let place = snippet.first_place(path)?;
    let first = predictor.predict(&snippet.prepared.query(snippet.source(), place));
    first.first().map(|p| (p.class, p.probability))
}

/// Command-line arguments.
pub(super) const ARGV: &str = "import sys\nsys.argv = [\"prog.py\", \"1\", \"1\", \"1\"]";
/// Text on standard input.
pub(super) const STDIN: &str = "import io\nimport sys\nsys.stdin = io.StringIO(\"1 1\\n\" * 9)";
/// An answer to every `input`.
pub(super) const INPUT: &str = "input = lambda *_: \"1\"";

/// The in-memory file that `open` returns.
pub(super) fn file() -> String {
    format!(
        "import io\nopen = lambda *_, **__: io.StringIO({})",
        quoted("a 1\nb 2\n")
    )
}
