//! The notation of `python.peg`: rules of a parsing expression grammar, read once.

use std::collections::HashMap;
use std::sync::OnceLock;

/// An item to match.
#[derive(Debug)]
pub(super) enum Item {
    /// A rule, by its number.
    Rule(usize),
    /// A keyword or an operator.
    Word(&'static str),
    /// A soft keyword: a name of this text.
    Soft(&'static str),
    /// A kind of token.
    Token(Class),
    /// A keyword or operator after which only one alternative is possible.
    Must(&'static str),
    /// The contents of brackets.
    Group(Vec<Alternative>),
    Optional(Box<Item>),
    /// At least this many.
    Repeat(Box<Item>, usize),
    /// One or more with a separator.
    Gather(Box<Item>, &'static str),
    Look(Box<Item>, bool),
    /// The alternatives behind are out.
    Cut,
    /// An item with a name.
    Named(Box<Item>),
}

/// A kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Name,
    Number,
    Imaginary,
    Str,
    Newline,
    Indent,
    Dedent,
    End,
    Soft,
    Any,
}

/// One way to match a rule.
#[derive(Debug)]
pub(super) struct Alternative {
    pub items: Vec<Item>,
    /// Name of a match in messages.
    pub label: Option<&'static str>,
    pub error: Option<Complaint>,
}

/// Error message of a match.
#[derive(Debug)]
pub(super) struct Complaint {
    /// `a`, `last`, or what needs more than a pattern.
    pub how: &'static str,
    pub message: String,
}

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub name: &'static str,
    pub alternatives: Vec<Alternative>,
    /// Whether it is only tried in the second pass.
    pub is_bad: bool,
    pub is_left_recursive: bool,
    /// Whether its matches are memoised. As in CPython, matches made without the rules of the second pass stay
    /// memoised in it.
    pub is_kept: bool,
    /// Whether those rules are excluded below it.
    pub is_plain: bool,
}

/// The grammar.
pub(super) struct Grammar {
    pub rules: Vec<Rule>,
    pub statement: usize,
    /// The contents of an f-string field.
    pub expression: usize,
}

/// The grammar of Python. Empty if the file is invalid, which a test prevents.
pub(super) fn python() -> Option<&'static Grammar> {
    static GRAMMAR: OnceLock<Option<Grammar>> = OnceLock::new();
    GRAMMAR
        .get_or_init(|| read(include_str!("python.peg")))
        .as_ref()
}

fn read(text: &'static str) -> Option<Grammar> {
    let mut parts: Vec<(&'static str, Vec<&'static str>)> = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        if line.starts_with(' ') {
            parts.last_mut()?.1.extend(words(line)?);
        } else {
            let (name, rest) = line.split_once(" = ")?;
            parts.push((name, words(rest)?));
        }
    }
    let numbers: HashMap<&str, usize> = parts.iter().map(|(name, _)| *name).zip(0..).collect();
    let mut rules = Vec::with_capacity(parts.len());
    for (name, words) in &parts {
        let mut reading = Reading {
            words,
            at: 0,
            numbers: &numbers,
        };
        let alternatives = reading.alternatives()?;
        if reading.at != words.len() {
            return None;
        }
        let own = numbers[name];
        let is_own = |a: &Alternative| matches!(a.items.first(), Some(Item::Rule(n)) if *n == own);
        let is_left_recursive = alternatives.iter().any(is_own) || is_mutual(name);
        rules.push(Rule {
            name,
            is_left_recursive,
            is_kept: is_left_recursive || KEPT.contains(name),
            is_plain: *name == "plain_expression",
            is_bad: name.starts_with("bad_") && *name != "bad_annotated",
            alternatives,
        });
    }
    Some(Grammar {
        statement: *numbers.get("statement")?,
        expression: *numbers.get("star_expressions")?,
        rules,
    })
}

/// Rules with memoised matches.
const KEPT: [&str; 16] = [
    "simple",
    "block",
    "closed_pattern",
    "expression",
    "star_expression",
    "disjunction",
    "conjunction",
    "inversion",
    "factor",
    "await",
    "strings",
    "arguments",
    "star_target",
    "star_atom_target",
    "del_target",
    "bad_named",
];

/// Left-recursive rules.
fn is_mutual(name: &str) -> bool {
    name == "attr"
}

/// The words of a line: names, quoted strings, and signs.
fn words(line: &'static str) -> Option<Vec<&'static str>> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => rest[1..].find('\'')? + 2,
            '"' => {
                let mut end = 1;
                while !rest[end..].starts_with('"') {
                    end += if rest[end..].starts_with('\\') { 2 } else { 1 };
                }
                end + 1
            }
            _ if rest.starts_with("=>") || rest.starts_with("->") => 2,
            _ if first.is_ascii_alphabetic() || first == '_' => rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(rest.len()),
            _ => 1,
        };
        let (word, behind) = rest.split_at(length);
        words.push(word);
        rest = behind.trim_start();
    }
    Some(words)
}

struct Reading<'r> {
    words: &'r [&'static str],
    at: usize,
    numbers: &'r HashMap<&'static str, usize>,
}

impl Reading<'_> {
    fn peek(&self) -> Option<&'static str> {
        self.words.get(self.at).copied()
    }

    fn take(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        self.at += usize::from(is_next);
        is_next
    }

    fn alternatives(&mut self) -> Option<Vec<Alternative>> {
        let mut all = vec![self.alternative()?];
        while self.take("|") {
            all.push(self.alternative()?);
        }
        Some(all)
    }

    fn alternative(&mut self) -> Option<Alternative> {
        let mut found = Alternative {
            items: Vec::new(),
            label: None,
            error: None,
        };
        while let Some(word) = self.peek() {
            match word {
                "|" | ")" => break,
                "->" => {
                    self.at += 1;
                    found.label = Some(self.label()?);
                }
                "=>" => {
                    self.at += 1;
                    let how = self.peek()?;
                    self.at += 1;
                    let message = match self.peek() {
                        Some(text) if text.starts_with('"') => {
                            self.at += 1;
                            text[1..text.len() - 1].replace("\\\"", "\"")
                        }
                        _ => String::new(),
                    };
                    found.error = Some(Complaint { how, message });
                }
                _ => found.items.push(self.item()?),
            }
        }
        Some(found)
    }

    /// The words up to the next sign form one label.
    fn label(&mut self) -> Option<&'static str> {
        const LABELS: [&str; 30] = [
            "tuple",
            "conditional expression",
            "yield expression",
            "starred",
            "named expression",
            "expression",
            "comparison",
            "in",
            "await expression",
            "attribute",
            "function call",
            "subscript",
            "slice",
            "True",
            "False",
            "None",
            "ellipsis",
            "lambda",
            "parameter",
            "literal",
            "list",
            "set display",
            "dict literal",
            "comprehension",
            "list comprehension",
            "set comprehension",
            "generator expression",
            "dict comprehension",
            "arguments",
            "positional",
        ];
        const MORE: [&str; 2] = ["keyword", "unpacking"];
        let start = self.at;
        let is_word = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        while self.peek().is_some_and(|word| is_word(&word)) {
            self.at += 1;
        }
        let text = self.words[start..self.at].join(" ");
        LABELS
            .iter()
            .chain(&MORE)
            .find(|label| **label == text)
            .copied()
    }

    fn item(&mut self) -> Option<Item> {
        if self.take("&") {
            return Some(Item::Look(Box::new(self.item()?), true));
        }
        if self.take("!") {
            return Some(Item::Look(Box::new(self.item()?), false));
        }
        if self.take("~") {
            return Some(Item::Cut);
        }
        if self.take("must") {
            let word = self.peek()?;
            self.at += 1;
            return Some(Item::Must(&word[1..word.len() - 1]));
        }
        let is_named = self.words.get(self.at + 1) == Some(&":");
        if is_named {
            self.at += 2;
        }
        let mut item = self.atom()?;
        loop {
            item = if self.take("?") {
                Item::Optional(Box::new(item))
            } else if self.take("*") {
                Item::Repeat(Box::new(item), 0)
            } else if self.take("+") {
                Item::Repeat(Box::new(item), 1)
            } else if self.take("%") {
                let word = self.peek()?;
                self.at += 1;
                Item::Gather(Box::new(item), &word[1..word.len() - 1])
            } else {
                break;
            };
        }
        Some(match is_named {
            true => Item::Named(Box::new(item)),
            false => item,
        })
    }

    fn atom(&mut self) -> Option<Item> {
        let word = self.peek()?;
        self.at += 1;
        if word == "(" {
            let inner = self.alternatives()?;
            return self.take(")").then_some(Item::Group(inner));
        }
        if let Some(text) = word.strip_prefix('\'') {
            return Some(Item::Word(&text[..text.len() - 1]));
        }
        if let Some(text) = word.strip_prefix('"') {
            return Some(Item::Soft(&text[..text.len() - 1]));
        }
        Some(Item::Token(match word {
            "NAME" => Class::Name,
            "NUMBER" => Class::Number,
            "IMAGINARY" => Class::Imaginary,
            "STRING" => Class::Str,
            "NEWLINE" => Class::Newline,
            "INDENT" => Class::Indent,
            "DEDENT" => Class::Dedent,
            "END" => Class::End,
            "SOFT" => Class::Soft,
            "ANY" => Class::Any,
            rule => return self.numbers.get(rule).map(|number| Item::Rule(*number)),
        }))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_grammar_reads() {
        let grammar = super::python().unwrap();
        assert_eq!(grammar.rules[grammar.statement].name, "statement");
    }
}
