//! The text of a prefix around its values.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::draft::{Draft, Home, Value, quoted};
use super::super::search_tree::Tried;
use super::super::snippet::Snippet;
use super::super::stand_in;
use super::shape::Shape;
use super::write::{MOCK, Ways, Writer};

/// Longer lines are broken at commas.
const WIDTH: usize = 100;

/// Returns the text; `None` if a value cannot be written in this style.
pub(super) fn of(
    snippet: &Snippet,
    draft: &Draft,
    tried: &Tried,
    shape: &Shape,
    ways: &Ways,
) -> Option<String> {
    let mut writer = Writer::new(snippet, draft, shape, ways);
    let mut imports: BTreeSet<String> = BTreeSet::new();
    let mut classes = String::new();
    // Names with the statements that bind them.
    let mut names: Vec<(String, String)> = Vec::new();
    let mut modules: Vec<(usize, String)> = Vec::new();
    for (root, home) in draft.roots.iter() {
        if let Some(import) = draft.imports.get(root) {
            if is_read(snippet, tried, root) {
                imports.insert(import.clone());
            }
            continue;
        }
        match home {
            Home::Parameter | Home::Of(..) => {}
            Home::Module(module) => {
                imports.insert("import sys".to_owned());
                let value = of_module(&mut writer, draft, root, module, &mut classes);
                let text = format!("sys.modules[{}] = {value}", quoted(module));
                modules.push((module.matches('.').count(), broken(&text)));
            }
            Home::Name if is_read(snippet, tried, root) || is_meant(draft, root) => {
                match draft.values.get(root) {
                    Some(Value::Class | Value::Exception) => {
                        class(&mut writer, draft, root, &mut classes);
                    }
                    _ => {
                        let value = writer.value(root);
                        names.push((root.clone(), bound(root, &value)));
                    }
                }
            }
            Home::Name => {}
        }
    }
    modules.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
    let mut body = classes;
    for (_, text) in &modules {
        let _ = writeln!(body, "{text}");
    }
    if let Some(package) = &draft.package {
        let _ = writeln!(body, "__package__ = {}", quoted(package));
    }
    let mut patches = String::new();
    for (target, path) in &draft.patches {
        if let Some((module, _)) = target.rsplit_once('.') {
            imports.insert(format!("import {module}"));
        }
        let value = writer.value(path);
        let _ = writeln!(patches, "{}", broken(&format!("{target} = {value}")));
    }
    for line in draft.lines.values().flat_map(|l| l.lines()) {
        match line.starts_with("import ") || line.starts_with("from ") {
            true => drop(imports.insert(line.to_owned())),
            false => {
                let _ = writeln!(patches, "{line}");
            }
        }
    }
    let calls = calls(&mut writer, snippet, draft, tried);
    if !calls.is_empty() {
        imports.insert("import atexit".to_owned());
    }
    // A value made of other names comes after them.
    let mut waiting = names;
    while !waiting.is_empty() {
        let mentions = |text: &str, name: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|w| w == name)
        };
        let free = waiting.iter().position(|(name, text)| {
            let value = text.split_once(" = ").map_or("", |(_, v)| v);
            !waiting
                .iter()
                .any(|(other, _)| other != name && mentions(value, other))
        });
        let (_, text) = waiting.remove(free.unwrap_or(0));
        let _ = writeln!(patches, "{text}");
    }
    imports.extend(writer.imports.iter().map(|i| (*i).to_owned()));
    if writer.failed {
        return None;
    }
    let mut text = String::new();
    for import in &imports {
        let _ = writeln!(text, "{import}");
    }
    Some(text + &body + &patches + &calls)
}

/// Whether the program reached a line with a name.
fn is_read(snippet: &Snippet, tried: &Tried, name: &str) -> bool {
    let mut places = snippet.places.iter().filter(|p| p.path == name).peekable();
    places.peek().is_none()
        || places.any(|p| tried.begun.range(p.lines.0..=p.lines.1).next().is_some())
}

/// Whether other values refer to it.
fn is_meant(draft: &Draft, name: &str) -> bool {
    draft.values.values().any(|v| match v {
        Value::Code(code) | Value::StandInAt(code) => code == name,
        _ => false,
    })
}

fn bound(name: &str, value: &str) -> String {
    match value == format!("type({}, (), {{}})", quoted(name)) {
        true => format!("class {name}: pass"),
        false => broken(&format!("{name} = {value}")),
    }
}

/// Writes a class that the program derives from or catches.
fn class(writer: &mut Writer<'_>, draft: &Draft, name: &str, into: &mut String) {
    let _ = match draft.values.get(name) {
        Some(Value::Exception) => writeln!(into, "class {name}(Exception): pass"),
        _ if writer.ways.get(name) == Some(&MOCK) => {
            writer.imports.insert("from unittest.mock import MagicMock");
            writeln!(into, "{name} = MagicMock")
        }
        _ => writeln!(
            into,
            "class {name}:\n    def __init__(self, *_, **__): pass"
        ),
    };
}

/// Writes a made-up module, with the names that the program imports from it.
fn of_module(
    writer: &mut Writer<'_>,
    draft: &Draft,
    root: &str,
    module: &str,
    classes: &mut String,
) -> String {
    if let Some(value) = draft.values.get(root).filter(|v| **v != Value::StandIn) {
        if let Value::Code(code) = value {
            return code.clone();
        }
        writer.failed = true;
    }
    let mut fields: Vec<(String, String)> = Vec::new();
    for (name, home) in draft.roots.iter() {
        match home {
            Home::Of(of, own) if of == module => {
                if matches!(
                    draft.values.get(name),
                    Some(Value::Class | Value::Exception)
                ) {
                    class(writer, draft, name, classes);
                    fields.push((own.clone(), name.clone()));
                } else {
                    let value = writer.value(name);
                    fields.push((own.clone(), value));
                }
            }
            Home::Module(other) => {
                // The module's own node has the attribute if the program reads it as one.
                let below = other.strip_prefix(module).and_then(|r| r.strip_prefix('.'));
                if let Some(own) = below.filter(|o| !o.contains('.')) {
                    fields.push((own.to_owned(), format!("sys.modules[{}]", quoted(other))));
                }
            }
            _ => {}
        }
    }
    let steps = writer.shape.get(root).map(|n| n.steps.clone());
    for step in steps.unwrap_or_default() {
        match step.strip_prefix('.') {
            Some(name) if !fields.iter().any(|(f, _)| f == name) => {
                let value = writer.value(&format!("{root}.{name}"));
                fields.push((name.to_owned(), value));
            }
            Some(_) => {}
            None => writer.failed = true,
        }
    }
    let fields: Vec<String> = fields.iter().map(|(f, v)| format!("{f}={v}")).collect();
    let kind = match writer.ways.get(root) == Some(&MOCK) {
        true => {
            writer.imports.insert("from unittest.mock import MagicMock");
            "MagicMock"
        }
        false => {
            writer.imports.insert("from types import SimpleNamespace");
            "SimpleNamespace"
        }
    };
    format!("{kind}({})", fields.join(", "))
}

/// Writes calls of the functions that the program only defines, for when it has ended. The last
/// registered function is called first.
fn calls(writer: &mut Writer<'_>, snippet: &Snippet, draft: &Draft, tried: &Tried) -> String {
    let mut text = String::new();
    if !draft.calls {
        return text;
    }
    for function in snippet.calls.functions.iter().rev() {
        let (first, last) = function.lines;
        if tried.begun.range(first..=last).next().is_none() {
            continue;
        }
        let mut arguments = Vec::new();
        for name in &function.parameters {
            arguments.push(writer.value(name));
        }
        let call = format!("{}({})", function.name, arguments.join(", "));
        let call = match (function.yields, function.awaits) {
            (true, false) => format!("list({call})"),
            (false, true) => format!("{call}.send(None)"),
            _ => call,
        };
        let _ = writeln!(
            text,
            "{}",
            broken(&format!("atexit.register(lambda: {call})"))
        );
    }
    text
}

/// Breaks a long statement into lines, by opening its outermost brackets.
fn broken(text: &str) -> String {
    let text_is_short = text.chars().count() <= WIDTH;
    let from = text.find(" = ").map_or(0, |at| at + 3);
    let open = text[from..]
        .find(['(', '[', '{'])
        .filter(|_| !text_is_short);
    let open = open.map(|at| from + at);
    let Some(open) = open.filter(|at| text.ends_with([')', ']', '}']) && *at + 2 < text.len())
    else {
        return text.to_owned();
    };
    let inside = &text[open + 1..text.len() - 1];
    let Some(parts) = parts(inside) else {
        return text.to_owned();
    };
    let mut out = format!("{}\n", &text[..=open]);
    for part in parts {
        let part = broken(part.trim());
        for line in part.lines() {
            let _ = writeln!(out, "    {line}");
        }
        out.truncate(out.len() - 1);
        out.push_str(",\n");
    }
    out + &text[text.len() - 1..]
}

/// Returns the parts between commas; `None` if the brackets are not one pair around all of them.
fn parts(text: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if let Some(q) = quote {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == q {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // A comma between a lambda's own parameters is not a separator.
            ',' if depth == 0 && !is_head(&text[start..at]) => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    let rest = &text[start..];
    if !rest.trim().is_empty() {
        found.push(rest);
    }
    (depth == 0).then_some(found)
}

/// Whether a comma after a part belongs to the parameters of a lambda.
fn is_head(part: &str) -> bool {
    match part.rfind("lambda ") {
        Some(at) => !part[at..].contains(':'),
        None => false,
    }
}

/// Returns the prefix's text with the short class of stand-ins, in both of its kinds.
pub(super) fn with_short_class(draft: &Draft, tried: &Tried) -> Vec<String> {
    let kinds = [draft.objects, !draft.objects].into_iter();
    let short = kinds.map(|objects| {
        stand_in::short(
            &draft.features,
            &tried.asked,
            !objects,
            !draft.raises.is_empty(),
        )
    });
    short.map(|class| draft.text_with(&class)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_statements_are_broken_at_their_commas() {
        let long = "y".repeat(60);
        let text = format!(
            "x = SimpleNamespace(a=lambda *_, **__: 1, b=[{long}, \"(,\"], c=2{})",
            " ".repeat(30)
        );
        assert_eq!(broken("x = f(1, 2)"), "x = f(1, 2)");
        let broken = broken(&text);
        assert!(
            broken.contains(&format!("    b=[{long}, \"(,\"],\n    c=2,\n)")) || broken == text,
            "{broken}"
        );
    }
}
