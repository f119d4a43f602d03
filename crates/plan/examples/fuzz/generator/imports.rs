//! The imports that a program needs, by the modules that its text names.

/// Modules that productions name with a dot.
const MODULES: [&str; 30] = [
    "abc",
    "asyncio",
    "bisect",
    "collections",
    "collections.abc",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "io",
    "itertools",
    "json",
    "math",
    "numbers",
    "operator",
    "re",
    "statistics",
    "string",
    "struct",
    "textwrap",
    "typing",
    "unicodedata",
    "random",
    "time",
    "sys",
];

/// Modules whose names can be used alone: no variable has such a name.
const FROM: [&str; 7] = [
    "abc",
    "collections",
    "contextlib",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
];

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Positions after `module.` in a text, if it is not part of a longer name.
fn places(text: &str, module: &str) -> Vec<usize> {
    let dotted = format!("{module}.");
    let found = text.match_indices(&dotted);
    let alone = found.filter(|(at, _)| !text[..*at].ends_with(is_part));
    alone.map(|(at, _)| at + dotted.len()).collect()
}

/// A program with its imports prepended; some modules by single names if `from` allows it.
pub(super) fn with_imports(program: &str, from: bool) -> String {
    let mut text = program.to_owned();
    let (mut whole, mut single) = (Vec::new(), Vec::new());
    for module in MODULES {
        let found = places(&text, module);
        if found.is_empty() {
            continue;
        }
        if !from || !FROM.contains(&module) || text.contains("collections.abc") {
            whole.push(module);
            continue;
        }
        let mut names = Vec::new();
        for at in found.into_iter().rev() {
            let rest = &text[at..];
            let end = rest.find(|c| !is_part(c) || c == '.');
            names.push(rest[..end.unwrap_or(rest.len())].to_owned());
            text.replace_range(at - module.len() - 1..at, "");
        }
        names.sort();
        names.dedup();
        single.push(format!("from {module} import {}\n", names.join(", ")));
    }
    if !whole.is_empty() {
        single.insert(0, format!("import {}\n", whole.join(", ")));
    }
    single.concat() + &text
}
