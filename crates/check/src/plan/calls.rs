//! Calls of functions and methods that nothing calls, with injected arguments, as lines after the
//! program.
//!
//! An argument has the class in its annotation, or else one from a predictor. One call has the most probable class of
//! each argument; others have the second class for one argument. They are weighted by the probability of their classes.

use std::sync::Arc;

use codexec_data::trace::Program;

use super::asked::{Asked, MadeUp, Nature, as_module};
use super::made::{Classes, Made};
use super::other_types::{other_bindings, types_in, with_leaves};
use super::other_values::{bindings_to_values, literals};
use crate::Source;
use codexec_engine::plan::spelled::{CLASS, CLASS_TEXT, Spelled};
use codexec_unknown::analysis::{Uncalled, uncalled};
use codexec_unknown::guide::prepare;
use codexec_unknown::values::predictors::TypeUse;
use codexec_unknown::values::{Class, Predictor};

/// A nonexistent module, unknown to planning.
const CALLER: &str = "codexec_what_the_caller_gives";
/// Functions of a program that are called.
const MOST_FUNCTIONS: usize = 40;
/// Calls of one function.
const MOST_CALLS: usize = 4;
/// Maximum characters of an argument that are shown.
const SHOWN: usize = 40;

/// The calls of a program, after `text`, which is the planned program. Empty if it is nested too deeply.
pub(super) fn calls_of(
    source: &Source,
    text: &str,
    stdin: Option<String>,
    predictor: &dyn Predictor,
) -> Vec<Asked> {
    let mut asked = Vec::new();
    let program = as_module(source);
    let guarded = match program.module.is_empty() {
        true => without_main(text),
        false => text.to_owned(),
    };
    let classes = Classes::of(&source.text);
    for function in uncalled(&source.text)
        .unwrap_or_default()
        .iter()
        .take(MOST_FUNCTIONS)
    {
        let all = arguments(function, &source.text, predictor, &classes);
        let sum: f64 = all.iter().map(|one| one.weight).sum();
        let first = all.first();
        let other_types: Arc<[String]> = first
            .map_or_else(Vec::new, |one| one.with_other_types(function))
            .into();
        let definition = source.text.get(function.definition.clone());
        let nature = Nature::of(function, &source.text);
        let absent: Arc<[String]> = absent(&header(&source.text, function.line)).into();
        let literals = literals(definition.unwrap_or_default());
        let other_values: Arc<[String]> = first
            .map_or_else(Vec::new, |one| one.with_other_values(function, &literals))
            .into();
        for one in all {
            let end = if guarded.ends_with('\n') { "" } else { "\n" };
            let behind = one.statements(function);
            asked.push(Asked {
                program: Program {
                    source: Some(format!("{guarded}{end}{behind}")),
                    stdin: stdin.clone(),
                    behind: Some(guarded.len() + end.len()),
                    ..program.clone()
                },
                made_up: MadeUp::Call {
                    function: function.name.clone(),
                    text: one.shown(function),
                    guessed: one.guessed(),
                    values: one.plain(),
                    behind: guarded.len() + end.len(),
                    absent: Arc::clone(&absent),
                    unknown: one.with_nothing_known(function).map(Into::into),
                    other_types: Arc::clone(&other_types),
                    other_values: Arc::clone(&other_values),
                    doubt: None,
                    nature,
                },
                weight: one.weight / sum.max(f64::MIN_POSITIVE),
                most: 1.0,
            });
        }
    }
    asked
}

impl Nature {
    fn of(function: &Uncalled, source: &str) -> Self {
        let header = header(source, function.line);
        let definition = source.get(function.definition.clone());
        let is_name = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let has_star = |header: &str| {
            let mut stars = header.match_indices('*').map(|(at, _)| at);
            stars.any(|at| {
                let before = header[..at].ends_with(['(', ' ', ',']);
                before && is_name(&header[at + 1..])
            })
        };
        // How the instance is made of a method's class.
        let init = definition.filter(|_| function.name.contains('.'));
        let init = init.and_then(|text| Some(&text[text.find("def __init__(")?..]));
        Self {
            is_starred: has_star(&header)
                || init.is_some_and(|text| has_star(&self::header(text, 1))),
            takes_keywords: (header.split("**").skip(1)).any(is_name),
            in_handlers: definition.is_some_and(|text| text.contains("exc_info()")),
        }
    }
}

/// The head of the definition on a line, up to its colon.
fn header(source: &str, line: u32) -> String {
    let mut header = String::new();
    for line in source.lines().skip(line.saturating_sub(1) as usize) {
        header.push_str(line);
        if line.trim_end().ends_with(':') {
            break;
        }
    }
    header
}

/// Names of a signature's parameters that default to `None`.
fn absent(header: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in header.match_indices('=') {
        let rest = header[at + 1..].trim_start();
        let is_none = rest
            .strip_prefix("None")
            .is_some_and(|rest| rest.trim_start().starts_with([',', ')']));
        let before = &header[..at];
        let begin = before.rfind(['(', ',']).map_or(0, |at| at + 1);
        let name = before[begin..].split(':').next().unwrap_or_default();
        if is_none && !name.trim().is_empty() {
            names.push(name.trim().to_owned());
        }
    }
    names
}

/// The arguments of one call.
struct Arguments {
    /// Names and expressions.
    values: Vec<(String, String)>,
    /// For each, whether no annotation gives its full type.
    is_guessed: Vec<bool>,
    /// How the instance is constructed, if that needs arguments besides the method's.
    instance: Option<String>,
    weight: f64,
}

impl Arguments {
    /// The statements of the call.
    fn call(&self, function: &Uncalled) -> String {
        let class = function.name.split('.').next().unwrap_or_default();
        match &self.instance {
            Some(made) => {
                let usual = format!("made_{class} = {class}()\n");
                function
                    .call
                    .replacen(&usual, &format!("made_{class} = {made}\n"), 1)
            }
            None => function.call.clone(),
        }
    }

    fn bindings(&self) -> String {
        let all = self.values.iter();
        all.map(|(name, value)| format!("{name} = {value}\n"))
            .collect()
    }

    /// The lines after the program.
    fn statements(&self, function: &Uncalled) -> String {
        format!("{CLASS_TEXT}{}{}", self.bindings(), self.call(function))
    }

    /// The same with unknown arguments, from a nonexistent module.
    fn with_nothing_known(&self, function: &Uncalled) -> Option<String> {
        if self.values.is_empty() && self.instance.is_none() {
            return None;
        }
        let values = self.values.iter();
        let one = Arguments {
            values: values
                .map(|(name, _)| (name.clone(), format!("{CALLER}.{name}")))
                .collect(),
            is_guessed: self.is_guessed.clone(),
            instance: (self.instance.as_deref())
                .map(|made| with_leaves(made, &format!("{CALLER}.given")).0),
            weight: self.weight,
        };
        Some(format!("import {CALLER}\n{}", one.statements(function)))
    }

    /// The same with values of other types for the arguments without an annotation.
    fn with_other_types(&self, function: &Uncalled) -> Vec<String> {
        self.with_each(other_bindings(&self.values, &self.is_guessed), function)
    }

    /// The same with other values, `literals` of the function among them.
    fn with_other_values(&self, function: &Uncalled, literals: &[String]) -> Vec<String> {
        self.with_each(bindings_to_values(&self.values, literals), function)
    }

    fn with_each(&self, all: Vec<Vec<(String, String)>>, function: &Uncalled) -> Vec<String> {
        let one = |values| {
            let one = Arguments {
                values,
                is_guessed: self.is_guessed.clone(),
                instance: self.instance.clone(),
                weight: self.weight,
            };
            one.statements(function)
        };
        all.into_iter().map(one).collect()
    }

    /// Types in the arguments that are guessed.
    fn guessed(&self) -> Vec<Vec<&'static str>> {
        let plain = self.is_guessed.iter().zip(&self.values);
        plain
            .filter(|(is_guessed, _)| **is_guessed)
            .map(|(_, (_, value))| types_in(value))
            .collect()
    }

    /// Numbers and strings among the arguments, as written by `repr`.
    fn plain(&self) -> Vec<String> {
        let one = |(_, value): &(String, String)| match value.strip_prefix('"') {
            Some(text) => Some(format!("'{}'", text.trim_end_matches('"'))),
            None => value.parse::<i64>().ok().map(|_| value.clone()),
        };
        self.values.iter().filter_map(one).collect()
    }

    fn shown(&self, function: &Uncalled) -> String {
        let short = |text: &str| match text.char_indices().nth(SHOWN) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text.to_owned(),
        };
        let all = self.values.iter();
        let all: Vec<String> = all
            .map(|(name, value)| (name, value.replace("__import__('pathlib').", "")))
            .map(|(name, value)| format!("{name}={}", short(&value)))
            .collect();
        format!("{}({})", function.name, all.join(", "))
    }
}

fn arguments(
    function: &Uncalled,
    source: &str,
    predictor: &dyn Predictor,
    classes: &Classes,
) -> Vec<Arguments> {
    let class = function.name.split_once('.').map_or("", |(class, _)| class);
    let makes_one = function.call.contains(&format!("= {class}()\n"));
    let needs_nothing = |made: &Made| *made == Made::Called(Vec::new());
    if function.arguments.is_empty() && (!makes_one || classes.get(class).is_none_or(needs_nothing))
    {
        return vec![Arguments {
            values: Vec::new(),
            is_guessed: Vec::new(),
            instance: None,
            weight: 1.0,
        }];
    }
    let definition = source.get(function.definition.clone()).unwrap_or_default();
    // Alone, so that other functions' uses of the same names have no influence.
    let alone = format!("{definition}\n{}", function.call);
    let Ok(prepared) = prepare(&alone) else {
        return Vec::new();
    };
    let parameters = function.arguments.iter().map(|(name, _)| name.as_str());
    let names = parameters.chain([class]).collect();
    let spelled = Spelled::new(&alone, &prepared, predictor, &names).with_parts_of(&TypeUse);
    let annotations = Annotations {
        spelled: &spelled,
        classes,
    };
    let instance = makes_one
        .then(|| annotations.instance(class, class, 0))
        .flatten();
    let (mut first, mut is_guessed) = (Vec::new(), Vec::new());
    let mut weight = 1.0;
    // For each argument: its second class, and how much less probable it is than the first.
    let mut others: Vec<(usize, Class, f64)> = Vec::new();
    for (at, (name, annotation)) in function.arguments.iter().enumerate() {
        let named = annotation
            .as_deref()
            .and_then(|text| annotations.value(text, name, 0));
        let says_all = |text: &str| annotations.says_all(text, 0);
        is_guessed.push(named.is_none() || !annotation.as_deref().is_some_and(says_all));
        if let Some(value) = named {
            first.push((name.clone(), value));
            continue;
        }
        // An unknown type gives nothing to guess.
        if annotation.as_deref().is_some_and(names_type) {
            first.push((
                name.clone(),
                spelled.expression_of(name, Some(Class::Object), 0),
            ));
            continue;
        }
        let likely = spelled.likely(name);
        let mut value = spelled.expression(name, 0);
        let uses = prepared.uses(Some(name));
        if value == format!("{CLASS}()") && uses.is_some_and(|uses| uses.iterated) {
            value = spelled.expression_of(name, Some(Class::ListNonempty), 0);
        }
        first.push((name.clone(), value));
        if let [one, other, ..] = likely {
            let one_sure = f64::from(one.probability).max(1e-6);
            weight *= one_sure;
            others.push((at, other.class, f64::from(other.probability) / one_sure));
        }
    }
    others.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut all = vec![Arguments {
        values: first.clone(),
        is_guessed: is_guessed.clone(),
        instance: instance.clone(),
        weight,
    }];
    for (at, class, factor) in others.into_iter().take(MOST_CALLS - 1) {
        let mut values = first.clone();
        values[at].1 = spelled.expression_of(&values[at].0, Some(class), 0);
        all.push(Arguments {
            values,
            is_guessed: is_guessed.clone(),
            instance: instance.clone(),
            weight: weight * factor,
        });
    }
    all
}

/// Names in annotations that determine a value, beside `CONTAINERS`.
const KNOWN: [&str; 15] = [
    "Path",
    "PurePath",
    "pathlib",
    "int",
    "float",
    "complex",
    "str",
    "bool",
    "bytes",
    "None",
    "typing",
    "Optional",
    "Union",
    "collections",
    "abc",
];
/// Containers.
const CONTAINERS: [&str; 15] = [
    "list",
    "List",
    "Sequence",
    "Iterable",
    "MutableSequence",
    "Collection",
    "set",
    "Set",
    "dict",
    "Dict",
    "Mapping",
    "tuple",
    "Tuple",
    "frozenset",
    "FrozenSet",
];
/// How deep instances in instances are made.
const DEEPEST: usize = 3;

/// Values for annotations.
struct Annotations<'a, 's> {
    spelled: &'a Spelled<'s>,
    classes: &'a Classes,
}

impl Annotations<'_, '_> {
    /// A value of an annotated type: `int`, `list[str]`, `Optional[int]`, a class of the program. `None` for others.
    fn value(&self, text: &str, path: &str, depth: usize) -> Option<String> {
        let text = text.trim().trim_matches(['"', '\'']);
        let text = alternatives(text)
            .into_iter()
            .find(|part| *part != "None")?;
        let (name, inner) = match text.split_once('[') {
            Some((name, inner)) => (name, inner.strip_suffix(']')?),
            None => (text, ""),
        };
        let name = name.rsplit('.').next().unwrap_or(name).trim();
        let element = || {
            let known = self.value(inner, &format!("{path}[]"), depth);
            known.unwrap_or_else(|| self.unnamed(Some(inner), &format!("{path}[]")))
        };
        let class = match name {
            "int" => Class::IntPos,
            "float" | "complex" => Class::FloatPos,
            "str" => Class::StrNonempty,
            "bool" => Class::True,
            "Optional" => return self.value(inner, path, depth),
            "list" | "List" | "Sequence" | "Iterable" | "MutableSequence" | "Collection" => {
                let one = element();
                return Some(format!("[{one}, {one}]"));
            }
            "set" | "Set" => return Some(format!("{{{}}}", element())),
            "dict" | "Dict" | "Mapping" if !inner.is_empty() => {
                let (key, value) = inner.split_once(',')?;
                let key = self.value(key, path, depth)?;
                let value = self.value(value, path, depth)?;
                return Some(format!("{{{key}: {value}}}"));
            }
            "tuple" | "Tuple" if !inner.is_empty() && !inner.contains('[') => {
                let parts = inner.split(',').map(|part| match part.trim() {
                    "..." => self.value(inner.split(',').next()?, path, depth),
                    part => self.value(part, path, depth),
                });
                let parts: Option<Vec<String>> = parts.collect();
                return Some(format!("({},)", parts?.join(", ")));
            }
            "Path" | "PurePath" => return Some(format!("__import__('pathlib').{name}('a')")),
            _ => return self.instance(name, path, depth),
        };
        Some(self.spelled.expression_of(path, Some(class), 0))
    }

    /// A value if the annotation names no known type: an unknown object, if it names one at all.
    fn unnamed(&self, annotation: Option<&str>, path: &str) -> String {
        match annotation {
            None => self.spelled.expression(path, 1),
            Some(_) => format!("{CLASS}()"),
        }
    }

    /// Whether every name in an annotation is a known type, and every container has item types.
    fn says_all(&self, text: &str, depth: usize) -> bool {
        if has_bare_container(text) || depth > DEEPEST {
            return false;
        }
        let names = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let mut names = names.filter(|name| !name.is_empty());
        let is_type = |name| KNOWN.contains(&name) || CONTAINERS.contains(&name);
        names.all(|name| {
            is_type(name)
                || self.classes.get(name).is_some_and(|made| match made {
                    Made::Member(_) => true,
                    // Its item types must also be given.
                    Made::Called(parameters) => parameters.iter().all(|(_, annotation)| {
                        let annotation = annotation.as_deref();
                        annotation.is_some_and(|text| self.says_all(text, depth + 1))
                    }),
                })
        })
    }

    /// An instance of a class of the program.
    fn instance(&self, name: &str, path: &str, depth: usize) -> Option<String> {
        if depth >= DEEPEST {
            return None;
        }
        let parameters = match self.classes.get(name)? {
            Made::Member(member) => return Some(member.clone()),
            Made::Called(parameters) => parameters,
        };
        let given = parameters.iter().map(|(name, annotation)| {
            let path = format!("{path}.{}", name.trim_end_matches('='));
            let known = annotation
                .as_deref()
                .and_then(|text| self.value(text, &path, depth + 1));
            let value = known.unwrap_or_else(|| self.unnamed(annotation.as_deref(), &path));
            match name.ends_with('=') {
                true => format!("{name}{value}"),
                false => value,
            }
        });
        let given: Vec<String> = given.collect();
        Some(format!("{name}({})", given.join(", ")))
    }
}

/// Whether an annotation names a type, rather than anything (`Any`, `object`) or a variable of types (`T`).
fn names_type(annotation: &str) -> bool {
    let text = annotation.trim().trim_matches(['"', '\'']);
    let name = text.rsplit('.').next().unwrap_or(text);
    let is_container = CONTAINERS.iter().any(|one| text.contains(one));
    name.len() > 1 && !is_container && !matches!(name, "Any" | "object")
}

/// Whether an annotation names a container without item types: `list`, `dict[str, list]`.
fn has_bare_container(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    CONTAINERS.iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let rest = text[at + name.len()..].trim_start();
            !text[..at].ends_with(is_part) && !rest.starts_with(is_part) && !rest.starts_with('[')
        })
    })
}

/// The types of `A | B[C | D]`: A and B[C | D].
fn alternatives(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Whether a program has a part that is executed only if it is not imported.
pub(super) fn has_main(source: &str) -> bool {
    without_main(source) != source
}

/// The program with `pass` for the body of `if __name__ == '__main__':`, so that a call of a function does not run all
/// of it. Line numbers are preserved.
fn without_main(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut inside = false;
    for line in source.split_inclusive('\n') {
        let blank = line.trim().is_empty();
        let indented = line.starts_with([' ', '\t']);
        if !indented && !blank {
            inside = false;
        }
        if inside {
            text.push('\n');
            continue;
        }
        let is_guard = !indented && line.starts_with("if ") && line.contains("__name__");
        match line.trim_end().strip_suffix(':') {
            Some(head) if is_guard && line.contains("__main__") => {
                inside = true;
                text.push_str(&format!("{head}: pass\n"));
            }
            _ => text.push_str(line),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(source: &str) -> Vec<String> {
        let source = Source::new("a.py", source);
        let all = calls_of(&source, &source.text, None, &TypeUse).into_iter();
        all.map(|one| match one.made_up {
            MadeUp::Call { text, .. } => text,
            _ => String::new(),
        })
        .collect()
    }

    #[test]
    fn annotations_decide_and_uses_do_otherwise() {
        let text = "def f(n: int, s: 'str', xs: list[str], d: dict[str, int], o: Optional[float], t: tuple[int, str]):\n    return n\n";
        let all = calls(text);
        assert_eq!(
            all[0],
            "f(n=1, s=\"a\", xs=[\"a\", \"a\"], d={\"a\": 1}, o=1.0, t=(1, \"a\",))"
        );
        let used = calls("def f(words):\n    for w in words:\n        print(w.upper())\n");
        assert!(used[0].contains("words=["), "{used:?}");
    }

    #[test]
    fn parameters_are_none_unless_they_are_given() {
        let header = "def f(self, a, b=None, c: int | None = None, d=1, *, e = None) -> None:";
        assert_eq!(absent(header), ["b", "c", "e"]);
    }

    #[test]
    fn weights_of_a_function_add_up_to_one() {
        let source = Source::new("a.py", "def f(a, b):\n    return a + b\ndef g(): pass\n");
        let all = calls_of(&source, &source.text, None, &TypeUse);
        for name in ["f", "g"] {
            let of = |one: &&Asked| matches!(&one.made_up, MadeUp::Call { function, .. } if function == name);
            let sum: f64 = all.iter().filter(of).map(|one| one.weight).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{name}");
        }
    }

    #[test]
    fn the_guarded_part_goes_and_lines_stay() {
        let source =
            "def f():\n    pass\nif __name__ == '__main__':\n    x = 1\n\n    f()\ny = 2\n";
        let want = "def f():\n    pass\nif __name__ == '__main__': pass\n\n\n\ny = 2\n";
        assert_eq!(without_main(source), want);
    }
}
