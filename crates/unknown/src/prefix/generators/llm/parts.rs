//! Parts of a language model's text that may be its answer: JSON objects, and code blocks.

use crate::analysis::syntax::{children, with_tree};
use crate::analysis::tree::Node;

/// Most beginnings of objects, or fences, tried in an answer.
const MOST_TRIED: usize = 8;
/// Most bytes read of an answer without JSON.
const LONGEST_CODE: usize = 200_000;

/// Returns the code of an answer: a fenced block that is marked as Python or looks like it, or the
/// whole text.
pub(super) fn code(content: &str) -> Option<&str> {
    let fenced = fences(content);
    let is_python = |language: &str| {
        let names = ["python", "py", "python3"];
        names.iter().any(|name| language.eq_ignore_ascii_case(name))
    };
    let named = fenced.iter().find(|(language, _)| is_python(language));
    let looks = |text: &&str| is_code(text);
    let nameless = fenced
        .iter()
        .filter(|(language, _)| language.is_empty())
        .take(MOST_TRIED);
    let named = named.map(|(_, text)| *text);
    named
        .or_else(|| nameless.map(|(_, text)| *text).find(looks))
        .or_else(|| Some(content).filter(looks))
}

/// Whether a text is Python, and not only words that happen to parse.
fn is_code(text: &str) -> bool {
    let binds = |node: Node<'_>| match node.kind() {
        "import_statement" | "import_from_statement" => true,
        _ => {
            let parts = node.named_child(0).filter(|n| n.kind() == "assignment");
            parts.is_some_and(|n| n.child_by_field_name("right").is_some())
        }
    };
    if text.len() > LONGEST_CODE {
        return false;
    }
    let found = with_tree(text, |tree| {
        Ok(!tree.has_error && children(tree.root_node()).into_iter().any(binds))
    });
    found.unwrap_or(false)
}

/// Returns the parts of an answer that may be JSON, most probable first.
pub(super) fn candidates(content: &str) -> Vec<&str> {
    let fenced = fences(content).into_iter();
    let mut found: Vec<&str> = fenced
        .filter(|(language, text)| {
            language.eq_ignore_ascii_case("json") || text.trim_start().starts_with(['{', '['])
        })
        .map(|(_, text)| text)
        .collect();
    // Objects before the answer, such as drafts, come last.
    let mut begins = Vec::new();
    let mut at = 0;
    for text in content.to_ascii_lowercase().split('{') {
        if at > 0 && (text.contains("imports") || text.contains("initiali")) {
            begins.push(at - 1);
        }
        at += text.len() + 1;
    }
    let begins = begins.into_iter().rev().take(MOST_TRIED);
    let mut begins: Vec<usize> = begins.collect();
    begins.extend(content.find('{').filter(|at| !begins.contains(at)));
    for first in begins {
        found.push(&content[first..]);
        if let Some(last) = content.rfind('}').filter(|last| *last > first) {
            found.push(&content[first..=last]);
        }
    }
    found
}

/// Returns fenced blocks with the language after the opening fence; the last may be unclosed.
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
