//! Parses a language model's answers: imports and initialisations in JSON, or what can be recovered
//! from malformed answers.

use serde_json::{Value, json};

use super::parts::{candidates, code};
use crate::analysis::syntax::{children, last_line, line, with_tree};
use crate::analysis::tree::Node;
use crate::llm::json;

/// Most statements read of an answer.
const MOST_STATEMENTS: usize = 200;
/// Most characters read of a statement.
const LONGEST_STATEMENT: usize = 20_000;
/// Most nesting of the object in an answer.
const DEEPEST: usize = 4;

/// The `Response` of the paper's prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// Import statements.
    pub imports: Vec<String>,
    /// Statements that bind the missing values.
    pub initialization: Vec<String>,
}

/// A parsed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    /// The answer.
    pub answer: Answer,
    /// Whether it was not the requested JSON.
    pub repaired: bool,
}

impl Answer {
    /// Parses an answer; `None` if it contains no code.
    pub(super) fn read(content: &str) -> Option<Read> {
        // Models that think aloud answer after it.
        let content = content.rsplit("</think>").next().unwrap_or(content).trim();
        let content = content.trim_start_matches('\u{feff}');
        match serde_json::from_str::<Value>(content) {
            Ok(value) if is_as_asked(&value) => return Self::of(&value).cleaned(false),
            // Quoted text is shorter than before, so that this ends.
            Ok(Value::String(text)) => {
                let read = Self::read(&text);
                return read.map(|r| Read {
                    repaired: true,
                    ..r
                });
            }
            Ok(value) => return Self::of(&object(&value, 0)?).cleaned(true),
            Err(_) => {}
        }
        let content = &json::whole(content);
        let read = candidates(content).into_iter().filter_map(Self::mended);
        // The first of the longest ones: drafts come before the answer, or are shorter.
        let size = |read: &Read| read.answer.imports.len() + read.answer.initialization.len();
        let most = read.reduce(|a, b| if size(&b) > size(&a) { b } else { a });
        most.or_else(|| Self::of_prefix(code(content)?).cleaned(true))
    }

    /// Parses text that begins with an answer, perhaps malformed.
    fn mended(text: &str) -> Option<Read> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let whole = values.next().and_then(Result::ok);
        let found = whole.and_then(|value| object(&value, 0)).or_else(|| {
            let mended = jsonrepair_rs::jsonrepair(text).ok()?;
            object(&json::parse(&mended)?, 0)
        });
        Self::of(&found?).cleaned(true)
    }

    /// Converts a prefix to an answer.
    pub(super) fn of_prefix(prefix: &str) -> Self {
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
        let mut whole: Vec<(bool, usize, usize)> = Vec::new();
        for part in parts.unwrap_or_default() {
            match whole.last_mut() {
                // Two statements on one line count as one.
                Some(before) if part.1 <= before.2 => before.2 = before.2.max(part.2),
                _ => whole.push(part),
            }
        }
        for (is_import, first, last) in whole {
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

    /// Returns the JSON that the prompts ask for.
    pub(super) fn json(&self) -> String {
        json!({"imports": self.imports, "initialization": self.initialization}).to_string()
    }

    /// Returns the prefix.
    pub(super) fn text(&self) -> String {
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

    /// Drops what is not Python.
    fn cleaned(self, repaired: bool) -> Option<Read> {
        let before = self.imports.len() + self.initialization.len();
        let mut answer = Self::default();
        let mut repaired = repaired;
        for text in self.imports {
            let mut words = text.split_whitespace();
            let is_bare = !words.any(|word| matches!(word, "import" | "from"));
            let named = is_bare.then(|| parsed(&format!("import {}", text.trim())));
            repaired |= is_bare;
            answer
                .imports
                .extend(named.flatten().or_else(|| parsed(text.trim())));
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

/// Whether it has the type that the prompts ask for.
fn is_as_asked(object: &Value) -> bool {
    let strings = |key: &str| {
        let items = object.get(key).and_then(Value::as_array);
        items.is_some_and(|items| items.iter().all(Value::is_string))
    };
    strings("imports") && strings("initialization")
}

/// Returns the first object with one of the keys, also from JSON inside a string.
fn object(value: &Value, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    match value {
        Value::Object(map) if map.keys().any(|key| part(key).is_some()) => Some(value.clone()),
        Value::Object(map) => map.values().find_map(|v| object(v, depth + 1)),
        Value::Array(items) => items.iter().find_map(|v| object(v, depth + 1)),
        Value::String(text) => object(&json::parse(text)?, depth + 1),
        _ => None,
    }
}

/// Collects the statements of a list, a string, or an object that maps names to values.
fn statements(value: &Value, into: &mut Vec<String>) {
    if into.len() >= MOST_STATEMENTS {
        return;
    }
    match value {
        Value::String(text) if text.len() <= LONGEST_STATEMENT && !text.trim().is_empty() => {
            into.push(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| match pair(item) {
            Some(statement) => into.push(statement),
            None => statements(item, into),
        }),
        Value::Object(values) => {
            for (name, value) in values {
                into.push(format!("{name} = {}", python(value)));
            }
        }
        _ => {}
    }
}

/// Reads a variable and its value, each under a key.
fn pair(item: &Value) -> Option<String> {
    let (name, value) = (item.get("name")?.as_str()?, item.get("value")?);
    Some(format!("{name} = {}", python(value)))
}

/// Writes a JSON value in Python; a string is taken for the expression that it contains.
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

/// Returns code that is valid Python, as it is or dedented.
fn parsed(code: &str) -> Option<String> {
    let code = code.trim_matches(['\n', '\r']).trim_end();
    let fits = |code: &str| {
        let fits = with_tree(code, |t| Ok(!t.has_error && !lacks_body(t.root_node())));
        fits.unwrap_or(false)
    };
    // A backslash would join the following line.
    if code.trim().is_empty() || code.ends_with('\\') {
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

/// Whether a block after a colon is empty, which the grammar accepts.
fn lacks_body(node: Node<'_>) -> bool {
    node.kind() == "block" && children(node).is_empty() || node.children().any(lacks_body)
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
        // If nothing is needed, that is an answer too.
        assert_eq!(
            read(r#"{"imports": [], "initialization": []}"#),
            (strings(&[]), strings(&[]), false)
        );
    }

    #[test]
    fn malformed_answers_are_mended() {
        let one = (strings(&["import os"]), strings(&["x = 1"]), true);
        for content in [
            // In a fence, with text around it, after thoughts.
            "```json\n{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}\n```",
            "Sure!\n{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}\nDone.",
            "<think>{x}</think>```\n{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}```",
            // Python quotes, trailing commas, comments, unquoted keys.
            "{'imports': ['import os',], 'initialization': ['x = 1'],}",
            "{imports: [\"import os\"], // needed\n initialization: [\"x = 1\"]}",
            // Cut off inside a statement, and after the last one.
            r#"{"imports": ["import os"], "initialization": ["x = 1", "y = [1, "#,
            r#"{"imports": ["import os"], "initialization": ["x = 1""#,
            // Other types, other keys, deeper nesting.
            r#"{"imports": "import os", "initialization": "x = 1"}"#,
            r#"{"imports": ["os"], "initialization": {"x": 1}}"#,
            r#"{"Response": {"imports": ["import os"], "initialization": ["    x = 1"]}}"#,
            r#"[{"Imports": ["import os"], "initialisation": ["x = 1"]}]"#,
            // No JSON at all.
            "```python\nimport os\nx = 1\n```",
            "```Python\nimport os\nx = 1\n```",
            "So:\n```\nimport os\nx = 1\n```\nDone.",
            "import os\nx = 1",
            // After other objects or drafts, and before some.
            "{\"thinking\": \"imports?\"} {\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}",
            "<thinking>{\"imports\": [\"y\"]}</thinking>{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}",
            "{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]} {\"note\": 1}",
            // As JSON inside a string.
            r#""{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}""#,
            r#"{"arguments": "{\"imports\": [\"import os\"], \"initialization\": [\"x = 1\"]}"}"#,
            r#"{"imports": ["os"], "initialization": [{"name": "x", "value": "1"}]}"#,
            // A lone surrogate.
            r#"{"imports": ["import os"], "initialization": ["x = 1"], "note": "\ud800"}"#,
            // A statement that is not Python.
            r#"{"imports": ["import os"], "initialization": ["x = 1", "y = = 2"]}"#,
            // A statement that would swallow the next one.
            r#"{"imports": ["import os"], "initialization": ["y = 1 \\", "x = 1"]}"#,
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
    fn statements_without_a_body_are_left_out() {
        for head in [
            "for i in range(3):",
            "while True:",
            "if x:",
            "if x:\n    pass\nelse:",
            "class A:",
            "class A:\n    # later",
            "def f():",
            "async def f():",
            "with x:",
            "try:\n    pass\nexcept E:",
            "try:\n    pass\nfinally:",
            "class A:\n    def f(self):",
        ] {
            assert_eq!(parsed(head), None, "{head}");
        }
        for whole in [
            "for i in range(3): pass",
            "class A:\n    \"\"\"Says what.\"\"\"",
            "def f(): ...",
            "match x:\n    case 1:\n        y = 2",
            "if x:\n    # why\n    pass",
        ] {
            assert_eq!(parsed(whole).as_deref(), Some(whole));
        }
    }

    #[test]
    fn bare_names_of_modules_are_imported() {
        let names = r#"{"imports": ["importlib", "numpy as np", "os, sys", "from math import pi", "x = __import__('x')"]}"#;
        let want = [
            "import importlib",
            "import numpy as np",
            "import os, sys",
            "from math import pi",
            "x = __import__('x')",
        ];
        assert_eq!(read(names).0, want);
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
            "Sorry",
            "Reason: none",
            "```\nno code\n```",
            "\"\\\"no\\\"\"",
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
        let prefix = "import os; a = 1; rows = [\n]; c = 2\nd = 3\n";
        assert_eq!(Answer::of_prefix(prefix).text(), prefix);
        assert_eq!(Answer::read(&answer.json()).map(|r| r.answer), Some(answer));
    }
}
