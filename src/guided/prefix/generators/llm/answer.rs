//! What a language model answers: imports and initialisations in JSON, and what can be saved of answers
//! that are not quite that.

use serde_json::{Value, json};

use crate::guided::syntax::{children, last_line, line, with_tree};

/// Statements of an answer that are read.
const MOST_STATEMENTS: usize = 200;
/// Characters of a statement that are read.
const LONGEST_STATEMENT: usize = 20_000;
/// How deep in an answer its object may be.
const DEEPEST: usize = 4;

/// The `Response` of the paper's prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// Import statements.
    pub imports: Vec<String>,
    /// Statements that bind what is missing.
    pub initialization: Vec<String>,
}

/// An answer with what had to be done to read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    /// What it says.
    pub answer: Answer,
    /// It was not the JSON that was asked for.
    pub repaired: bool,
}

impl Answer {
    /// Reads an answer; `None` where nothing in it is code.
    pub fn read(content: &str) -> Option<Read> {
        // Models that think aloud answer behind that.
        let content = content.rsplit("</think>").next().unwrap_or(content).trim();
        let content = content.trim_start_matches('\u{feff}');
        if let Ok(value) = serde_json::from_str::<Value>(content) {
            let found = object(&value, 0);
            let plain = found.is_some_and(|o| std::ptr::eq(o, &value) && is_as_asked(o));
            let answer = found.map(Self::of)?;
            return answer.cleaned(!plain);
        }
        for text in candidates(content) {
            let Ok(mended) = jsonrepair_rs::jsonrepair(text) else {
                continue;
            };
            let value = serde_json::from_str::<Value>(&mended).unwrap_or_default();
            if let Some(found) = object(&value, 0) {
                return Self::of(found).cleaned(true);
            }
        }
        let code = fences(content)
            .into_iter()
            .find(|(language, _)| matches!(*language, "python" | "py" | "python3"));
        let (_, code) = code?;
        Self::of_prefix(code).cleaned(true)
    }

    /// A prefix as an answer.
    pub fn of_prefix(prefix: &str) -> Self {
        let lines: Vec<&str> = prefix.lines().collect();
        let parts = with_tree(prefix, |tree| {
            let statements = children(tree.root_node()).into_iter();
            let parts = statements.map(|n| {
                let is_import = matches!(n.kind(), "import_statement" | "import_from_statement");
                (is_import, line(n) as usize, last_line(n) as usize)
            });
            Ok(parts.collect::<Vec<_>>())
        });
        let mut answer = Self::default();
        let mut read = 0;
        for (is_import, first, last) in parts.unwrap_or_default() {
            // Two statements on one line are one.
            if first <= read {
                continue;
            }
            read = last;
            let Some(text) = lines.get(first - 1..last) else {
                continue;
            };
            let text = text.join("\n");
            if is_import {
                answer.imports.push(text);
            } else {
                answer.initialization.push(text);
            }
        }
        answer
    }

    /// As the prompts ask for it.
    pub fn json(&self) -> String {
        json!({"imports": self.imports, "initialization": self.initialization}).to_string()
    }

    /// As a prefix.
    pub fn text(&self) -> String {
        let all = self.imports.iter().chain(&self.initialization);
        all.map(|s| format!("{s}\n")).collect()
    }

    fn of(object: &Value) -> Self {
        let mut answer = Self::default();
        for (key, value) in object.as_object().into_iter().flatten() {
            match part(key) {
                Some(Part::Imports) => statements(value, &mut answer.imports),
                Some(Part::Initialization) => statements(value, &mut answer.initialization),
                None => {}
            }
        }
        answer
    }

    /// Without what is no Python.
    fn cleaned(self, repaired: bool) -> Option<Read> {
        let before = self.imports.len() + self.initialization.len();
        let mut answer = Self::default();
        let mut repaired = repaired;
        for text in self.imports {
            let text = match text.trim() {
                bare if !bare.contains("import") => {
                    repaired = true;
                    format!("import {bare}")
                }
                whole => whole.to_owned(),
            };
            answer.imports.extend(parsed(&text));
        }
        for text in self.initialization {
            answer.initialization.extend(parsed(&text));
        }
        // It would have to be the program's first statement.
        answer.imports.retain(|i| !i.contains("__future__"));
        let after = answer.imports.len() + answer.initialization.len();
        let empty = after == 0 && (before > 0 || repaired);
        (!empty).then_some(Read {
            answer,
            repaired: repaired || after < before,
        })
    }
}

enum Part {
    Imports,
    Initialization,
}

fn part(key: &str) -> Option<Part> {
    let key = key.to_lowercase();
    if key.starts_with("import") {
        Some(Part::Imports)
    } else if key.starts_with("initiali") {
        Some(Part::Initialization)
    } else {
        None
    }
}

/// Whether it is the type of the prompts.
fn is_as_asked(object: &Value) -> bool {
    let strings = |key: &str| {
        let items = object.get(key).and_then(Value::as_array);
        items.is_some_and(|items| items.iter().all(Value::is_string))
    };
    strings("imports") && strings("initialization")
}

/// The first object with one of the keys.
fn object(value: &Value, depth: usize) -> Option<&Value> {
    if depth > DEEPEST {
        return None;
    }
    match value {
        Value::Object(map) if map.keys().any(|key| part(key).is_some()) => Some(value),
        Value::Object(map) => map.values().find_map(|v| object(v, depth + 1)),
        Value::Array(items) => items.iter().find_map(|v| object(v, depth + 1)),
        _ => None,
    }
}

/// Statements of a list, a text, or an object with a value for each name.
fn statements(value: &Value, into: &mut Vec<String>) {
    if into.len() >= MOST_STATEMENTS {
        return;
    }
    match value {
        Value::String(text) if text.len() <= LONGEST_STATEMENT && !text.trim().is_empty() => {
            into.push(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| statements(item, into)),
        Value::Object(values) => {
            for (name, value) in values {
                into.push(format!("{name} = {}", python(value)));
            }
        }
        _ => {}
    }
}

/// A value of JSON as Python writes it; a text is taken for the expression that it was meant as.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) => {
            let one =
                |(key, v): (&String, &Value)| format!("{}: {}", json!(key).clone(), literal(v));
            let items: Vec<String> = map.iter().map(one).collect();
            format!("{{{}}}", items.join(", "))
        }
        Value::Number(number) => number.to_string(),
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(_) => value.to_string(),
        value => python(value),
    }
}

/// Code that is Python as it stands, or would be further to the left.
fn parsed(code: &str) -> Option<String> {
    let code = code.trim_matches(['\n', '\r']).trim_end();
    let fits = |code: &str| with_tree(code, |tree| Ok(!tree.has_error)).unwrap_or(false);
    if code.trim().is_empty() {
        return None;
    }
    let indented = code.starts_with([' ', '\t']);
    if !indented && fits(code) {
        return Some(code.to_owned());
    }
    let margin = |line: &str| line.len() - line.trim_start().len();
    let filled = code.lines().filter(|line| !line.trim().is_empty());
    let left = filled.map(margin).min().unwrap_or(0);
    let moved: Vec<&str> = code.lines().map(|l| l.get(left..).unwrap_or("")).collect();
    let moved = moved.join("\n");
    fits(&moved).then_some(moved)
}

/// What of an answer may be JSON, the likeliest first.
fn candidates(content: &str) -> Vec<&str> {
    let fenced = fences(content).into_iter();
    let mut found: Vec<&str> = fenced
        .filter(|(language, text)| *language == "json" || text.trim_start().starts_with(['{', '[']))
        .map(|(_, text)| text)
        .collect();
    if let Some(first) = content.find('{') {
        found.push(&content[first..]);
        if let Some(last) = content.rfind('}').filter(|last| *last > first) {
            found.push(&content[first..=last]);
        }
    }
    found
}

/// Blocks between fences with what stands behind the first; the last may be open.
fn fences(content: &str) -> Vec<(&str, &str)> {
    let mut parts = content.split("```").skip(1);
    let mut found = Vec::new();
    while let Some(block) = parts.next() {
        let (language, text) = block.split_once('\n').unwrap_or(("", block));
        found.push((language.trim(), text));
        parts.next();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str) -> (Vec<String>, Vec<String>, bool) {
        let Some(read) = Answer::read(content) else {
            return (vec!["nothing".to_owned()], Vec::new(), false);
        };
        (
            read.answer.imports,
            read.answer.initialization,
            read.repaired,
        )
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|t| (*t).to_owned()).collect()
    }

    #[test]
    fn what_was_asked_for_is_read() {
        let content = r#"{"imports": ["import os"], "initialization": ["x = 1", "y = 'a'"]}"#;
        let wanted = (strings(&["import os"]), strings(&["x = 1", "y = 'a'"]));
        let (imports, initialization, repaired) = read(content);
        assert_eq!((imports, initialization), wanted);
        assert!(!repaired);
        // Nothing is needed: an answer, too.
        assert_eq!(
            read(r#"{"imports": [], "initialization": []}"#),
            (strings(&[]), strings(&[]), false)
        );
    }

    #[test]
    fn malformed_answers_are_mended() {
        let one = (strings(&["import os"]), strings(&["x = 1"]), true);
        for content in [
            // In a fence, with words around it, behind thoughts.
            "```json\n{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}\n```",
            "Sure!\n{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}\nDone.",
            "<think>{x}</think>```\n{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}```",
            // Python's quotes, commas at the end, comments, no quotes around keys.
            "{'imports': ['import os',], 'initialization': ['x = 1'],}",
            "{imports: [\"import os\"], // needed\n initialization: [\"x = 1\"]}",
            // Cut off in a statement that is not whole, and behind the last.
            r#"{"imports": ["import os"], "initialization": ["x = 1", "y = [1, "#,
            r#"{"imports": ["import os"], "initialization": ["x = 1""#,
            // Other types, other keys, deeper.
            r#"{"imports": "import os", "initialization": "x = 1"}"#,
            r#"{"imports": ["os"], "initialization": {"x": 1}}"#,
            r#"{"Response": {"imports": ["import os"], "initialization": ["    x = 1"]}}"#,
            r#"[{"Imports": ["import os"], "initialisation": ["x = 1"]}]"#,
            // No JSON at all.
            "```python\nimport os\nx = 1\n```",
            // A statement that is no Python.
            r#"{"imports": ["import os"], "initialization": ["x = 1", "y = = 2"]}"#,
        ] {
            assert_eq!(read(content), one, "{content}");
        }
        let lines = "{\"imports\": [], \"initialization\": [\"class A:\n    n = 1\"]}";
        assert_eq!(read(lines).1, ["class A:\n    n = 1"]);
        let values =
            r#"{"initialization": {"a": null, "b": [true, "t"], "c": "f(1)", "d": {"k": 1.5}}}"#;
        assert_eq!(
            read(values).1,
            [
                "a = None",
                "b = [True, \"t\"]",
                "c = f(1)",
                "d = {\"k\": 1.5}"
            ]
        );
    }

    #[test]
    fn answers_without_code_are_none() {
        let deep = "[".repeat(100_000);
        for content in [
            "",
            "null",
            "{}",
            "[1, 2]",
            "I cannot help with that.",
            "{\"answer\": 42}",
            "{\"imports\": null, \"initialization\": [\"= =\"]}",
            "\u{0}\u{feff}",
            &deep,
        ] {
            assert_eq!(
                Answer::read(content),
                None,
                "{}",
                &content[..20.min(content.len())]
            );
        }
    }

    #[test]
    fn a_prefix_becomes_an_answer_and_back() {
        let prefix = "import os\nfrom a import (\n    b,\n)\nx = 1\nclass A:\n    n = 2\n";
        let answer = Answer::of_prefix(prefix);
        assert_eq!(answer.imports.len(), 2);
        assert_eq!(answer.initialization.len(), 2);
        assert_eq!(answer.text(), prefix);
        assert_eq!(Answer::read(&answer.json()).map(|r| r.answer), Some(answer));
    }
}
