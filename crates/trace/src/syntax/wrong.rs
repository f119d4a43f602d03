//! CPython 3.11's message and position for text that does not parse, by its parser's algorithm over
//! a grammar.
//!
//! The first pass goes as far as the text is valid. The second pass also tries the rules for invalid code. If neither
//! explains the error, it is `invalid syntax` at the first pass's last token. Tokenizer errors and unclosed brackets
//! take precedence over both (`Parser/pegen_errors.c`).

use std::collections::HashMap;
use std::rc::Rc;

use super::SyntaxError;
use super::peg::{Alternative, Class, Complaint, Grammar, Item, python};
use super::strings::{self, Wrong};
use super::tokens::{Kind, Token, Tokens};

/// Larger texts are skipped: a message is not worth the time.
const MOST_BYTES: usize = 1 << 20;
/// Maximum nesting of rules, as in CPython; less on a browser's small stack.
const DEEPEST: usize = if cfg!(target_family = "wasm") {
    1000
} else {
    6000
};
/// Rules that are tried at most, so that no text takes long.
const MOST_TRIED: usize = 50_000_000;
const STACK: usize = 64 << 20;

/// CPython's error for a text. `None` if it has none, or if the text is too large or too deep.
pub(super) fn complaint(source: &str) -> Option<SyntaxError> {
    if source.len() > MOST_BYTES {
        return None;
    }
    super::on_stack(STACK, || found(source)).flatten()
}

fn found(source: &str) -> Option<SyntaxError> {
    let grammar = python()?;
    let whole: String;
    let text = match source.ends_with('\n') {
        true => source,
        false => {
            whole = format!("{source}\n");
            &whole
        }
    };
    Parser::new(grammar, text).passes(Parser::file)
}

/// The error in the expression of an f-string field. Its columns are those of the expression in brackets.
fn of_field(grammar: &'static Grammar, expression: &str) -> Option<SyntaxError> {
    let text = format!("({expression})\n");
    let mut error = Parser::new(grammar, &text).passes(|parser| {
        parser.memo.clear();
        Ok(parser.rule(grammar.expression, 0)?.is_some())
    })?;
    error.message.insert_str(0, "f-string: ");
    Some(error)
}

/// Why matching cannot continue.
enum Stop {
    /// The match contains an error.
    Said(SyntaxError),
    /// Something is wrong with a token.
    Token(SyntaxError),
    TooMuch,
}

impl From<SyntaxError> for Stop {
    fn from(error: SyntaxError) -> Self {
        Self::Token(error)
    }
}

/// A part of the text that was matched.
#[derive(Debug)]
struct Node {
    label: &'static str,
    /// Its token numbers: the first, and the one after the last.
    first: usize,
    end: usize,
    parts: Vec<Rc<Node>>,
}

type Found = Option<(Option<Rc<Node>>, usize)>;

/// The items that an alternative has matched so far.
#[derive(Default)]
struct Matched {
    parts: Vec<Rc<Node>>,
    named: Option<Rc<Node>>,
}

struct Parser<'s> {
    grammar: &'static Grammar,
    tokens: Tokens<'s>,
    /// The tokens read so far.
    read: Vec<Token>,
    memo: HashMap<(usize, usize), Found>,
    second: bool,
    depth: usize,
    /// Rules that were tried.
    tried: usize,
}

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];
const SOFT_KEYWORDS: [&str; 3] = ["_", "case", "match"];

impl<'s> Parser<'s> {
    fn new(grammar: &'static Grammar, text: &'s str) -> Self {
        Self {
            grammar,
            tokens: Tokens::new(text),
            read: Vec::new(),
            memo: HashMap::new(),
            second: false,
            depth: 0,
            tried: 0,
        }
    }

    /// The error, after one pass or two.
    fn passes(&mut self, pass: impl Fn(&mut Self) -> Result<bool, Stop>) -> Option<SyntaxError> {
        match pass(self) {
            Ok(true) => return None,
            Ok(false) => {}
            Err(Stop::Said(error)) => return Some(self.rest().unwrap_or(error)),
            Err(Stop::Token(error)) => return Some(error),
            Err(Stop::TooMuch) => return None,
        }
        let last = self.read.last().copied()?;
        self.second = true;
        let said = match pass(self) {
            Err(Stop::Said(error)) => error,
            Err(Stop::Token(error)) => return Some(error),
            Err(Stop::TooMuch) => return None,
            Ok(_) => self.generic(last),
        };
        if matches!(last.kind, Kind::Indent | Kind::Dedent)
            && said.message.starts_with("unexpected ")
        {
            return Some(said);
        }
        Some(self.rest().unwrap_or(said))
    }

    /// Whether the whole text is valid. Never backtracks over a top-level statement.
    fn file(&mut self) -> Result<bool, Stop> {
        let mut at = 0;
        loop {
            self.memo.clear();
            if self.token(at)?.kind == Kind::End {
                return Ok(true);
            }
            match self.rule(self.grammar.statement, at)? {
                Some((_, next)) => at = next,
                None => return Ok(false),
            }
        }
    }

    fn token(&mut self, at: usize) -> Result<Token, Stop> {
        while self.read.len() <= at {
            let token = self.tokens.next()?;
            self.read.push(token);
        }
        Ok(self.read[at])
    }

    fn text(&self, token: &Token) -> &str {
        &self.tokens.source[token.start..token.end]
    }

    fn rule(&mut self, rule: usize, at: usize) -> Result<Found, Stop> {
        let known = &self.grammar.rules[rule];
        if known.is_bad && !self.second {
            return Ok(None);
        }
        if known.is_kept
            && let Some(found) = self.memo.get(&(rule, at))
        {
            return Ok(found.clone());
        }
        self.depth += 1;
        self.tried += 1;
        if self.depth > DEEPEST || self.tried > MOST_TRIED {
            return Err(Stop::TooMuch);
        }
        let second = self.second;
        self.second &= !known.is_plain;
        let found = if known.is_left_recursive {
            self.grown(rule, at)
        } else {
            self.alternatives(&known.alternatives, at, known.name)
        };
        self.second = second;
        self.depth -= 1;
        let found = found?;
        if known.is_kept {
            self.memo.insert((rule, at), found.clone());
        }
        Ok(found)
    }

    /// A left-recursive rule: matched again as long as it grows.
    fn grown(&mut self, rule: usize, at: usize) -> Result<Found, Stop> {
        let known = &self.grammar.rules[rule];
        let mut best: Found = None;
        loop {
            self.memo.insert((rule, at), best.clone());
            let found = self.alternatives(&known.alternatives, at, known.name)?;
            let longer = match (&found, &best) {
                (Some((_, end)), Some((_, before))) => end > before,
                (Some(_), None) => true,
                (None, _) => false,
            };
            if !longer {
                return Ok(best);
            }
            best = found;
        }
    }

    fn alternatives(
        &mut self,
        all: &'static [Alternative],
        at: usize,
        rule: &'static str,
    ) -> Result<Found, Stop> {
        for one in all {
            let (mut matched, mut cut) = (Matched::default(), false);
            let Some(end) = self.items(&one.items, at, &mut matched, &mut cut)? else {
                if cut {
                    return Ok(None);
                }
                continue;
            };
            if let Some(error) = &one.error {
                self.complain(error, end, &matched)?;
                continue;
            }
            if rule == "strings" {
                self.check_strings(at, end)?;
            }
            let node = match one.label {
                None if matched.parts.len() == 1 => matched.parts.pop(),
                label => Some(Rc::new(Node {
                    label: label.unwrap_or(""),
                    first: at,
                    end,
                    parts: matched.parts,
                })),
            };
            return Ok(Some((node, end)));
        }
        Ok(None)
    }

    fn items(
        &mut self,
        items: &'static [Item],
        mut at: usize,
        matched: &mut Matched,
        cut: &mut bool,
    ) -> Result<Option<usize>, Stop> {
        for item in items {
            if matches!(item, Item::Cut) {
                *cut = true;
                continue;
            }
            match self.item(item, at, matched)? {
                Some(end) => at = end,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    fn item(
        &mut self,
        item: &'static Item,
        at: usize,
        matched: &mut Matched,
    ) -> Result<Option<usize>, Stop> {
        Ok(match item {
            Item::Rule(rule) => match self.rule(*rule, at)? {
                Some((node, end)) => {
                    matched.parts.extend(node);
                    Some(end)
                }
                None => None,
            },
            Item::Word(word) => self.is_word(word, at)?.then_some(at + 1),
            Item::Must(word) => match self.is_word(word, at)? {
                true => Some(at + 1),
                false => {
                    let message = format!("expected '{word}'");
                    return Err(Stop::Said(self.at_token(&self.read[at], message)));
                }
            },
            Item::Soft(word) => {
                let token = self.token(at)?;
                let fits = token.kind == Kind::Name && self.text(&token) == *word;
                fits.then_some(at + 1)
            }
            Item::Token(class) => {
                if !self.is_class(*class, at)? {
                    return Ok(None);
                }
                let label = match class {
                    Class::Name => Some("name"),
                    Class::Number | Class::Str => Some("literal"),
                    _ => None,
                };
                matched
                    .parts
                    .extend(label.map(|label| self.leaf(label, at)));
                Some(at + 1)
            }
            Item::Group(inner) => match self.alternatives(inner, at, "")? {
                Some((node, end)) => {
                    match node {
                        Some(node) if node.label.is_empty() => {
                            matched.parts.extend(node.parts.iter().cloned());
                        }
                        node => matched.parts.extend(node),
                    }
                    Some(end)
                }
                None => None,
            },
            Item::Optional(inner) => Some(self.item(inner, at, matched)?.unwrap_or(at)),
            Item::Repeat(inner, least) => {
                let (mut end, mut count) = (at, 0);
                while let Some(next) = self.item(inner, end, matched)? {
                    if next == end {
                        break;
                    }
                    (end, count) = (next, count + 1);
                }
                (count >= *least).then_some(end)
            }
            Item::Gather(inner, between) => {
                let Some(mut end) = self.item(inner, at, matched)? else {
                    return Ok(None);
                };
                while self.is_word(between, end)? {
                    match self.item(inner, end + 1, matched)? {
                        Some(next) => end = next,
                        None => break,
                    }
                }
                Some(end)
            }
            Item::Look(inner, wanted) => {
                let found = self.item(inner, at, &mut Matched::default())?;
                (found.is_some() == *wanted).then_some(at)
            }
            Item::Named(inner) => {
                let mut own = Matched::default();
                let end = self.item(inner, at, &mut own)?;
                if let Some(end) = end {
                    let whole = || {
                        Rc::new(Node {
                            label: "",
                            first: at,
                            end,
                            parts: Vec::new(),
                        })
                    };
                    let node = own.parts.pop().unwrap_or_else(whole);
                    matched.named = Some(Rc::clone(&node));
                    matched.parts.push(node);
                }
                end
            }
            Item::Cut => Some(at),
        })
    }

    fn leaf(&self, label: &'static str, at: usize) -> Rc<Node> {
        Rc::new(Node {
            label,
            first: at,
            end: at + 1,
            parts: Vec::new(),
        })
    }

    fn is_word(&mut self, word: &str, at: usize) -> Result<bool, Stop> {
        let token = self.token(at)?;
        let fits = matches!(token.kind, Kind::Operator | Kind::Name);
        Ok(fits && self.text(&token) == word)
    }

    fn is_class(&mut self, class: Class, at: usize) -> Result<bool, Stop> {
        let token = self.token(at)?;
        let text = self.text(&token);
        Ok(match class {
            Class::Name => token.kind == Kind::Name && !KEYWORDS.contains(&text),
            // In CPython 3.11, a prefix also counts.
            Class::Soft => {
                let begins = |keyword: &&str| keyword.starts_with(text);
                token.kind == Kind::Name && SOFT_KEYWORDS.iter().any(begins)
            }
            Class::Number => token.kind == Kind::Number,
            Class::Imaginary => token.kind == Kind::Number && text.ends_with(['j', 'J']),
            Class::Str => token.kind == Kind::Str,
            Class::Newline => token.kind == Kind::Newline,
            Class::Indent => token.kind == Kind::Indent,
            Class::Dedent => token.kind == Kind::Dedent,
            Class::End => token.kind == Kind::End,
            Class::Any => token.kind != Kind::End,
        })
    }

    /// An error at a token's start. Tokens without a position have no column.
    fn at_token(&self, token: &Token, message: impl Into<String>) -> SyntaxError {
        let message = message.into();
        if matches!(token.kind, Kind::Indent | Kind::Dedent | Kind::End) {
            return SyntaxError {
                line: token.line,
                column: 0,
                message,
            };
        }
        self.at_byte(token.start, message)
    }

    fn at_byte(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        let before = &self.tokens.source[..at];
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        SyntaxError {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            message: message.into(),
        }
    }

    /// An error at the last token that was read.
    fn at_last(&self, message: impl Into<String>) -> SyntaxError {
        let Some(token) = self.read.last() else {
            return self.at_byte(0, message);
        };
        if matches!(token.kind, Kind::Indent | Kind::Dedent | Kind::End) {
            let mut error = self.at_byte(token.at, message);
            (error.line, error.column) = match error.column {
                // The end of the text belongs to the line before it.
                1 if token.at == self.tokens.source.len() => {
                    let line = self.tokens.source.lines().last().unwrap_or_default();
                    let column = u32::try_from(line.chars().count() + 1).unwrap_or(u32::MAX);
                    (error.line - 1, column)
                }
                column => (error.line, column - 1),
            };
            return error;
        }
        self.at_byte(token.start, message)
    }

    fn at_node(&self, node: &Node, message: impl Into<String>) -> SyntaxError {
        self.at_token(&self.read[node.first], message)
    }

    /// The message if no rule explains the error.
    fn generic(&self, last: Token) -> SyntaxError {
        match last.kind {
            Kind::Indent => self.at_last("unexpected indent"),
            Kind::Dedent => self.at_last("unexpected unindent"),
            _ => self.at_token(&last, "invalid syntax"),
        }
    }

    /// An error in the following tokens, which takes precedence over the parser's.
    fn rest(&mut self) -> Option<SyntaxError> {
        let line = self.read.last()?.line;
        loop {
            match self.tokens.next() {
                Ok(token) if token.kind == Kind::End => return None,
                Ok(_) => {}
                Err(error) => {
                    // A tokenizer error is reported only if the parser reaches it, except a bracket from an earlier
                    // line.
                    let open = self.tokens.never_closed();
                    let is_said = open.as_ref() != Some(&error) && !self.tokens.ended;
                    return match is_said {
                        true => Some(error),
                        false => open.filter(|open| line > open.line),
                    };
                }
            }
        }
    }

    fn check_strings(&self, at: usize, end: usize) -> Result<(), Stop> {
        let texts: Vec<&str> = self.read[at..end]
            .iter()
            .map(|token| self.text(token))
            .collect();
        let expression = |text: &str| of_field(self.grammar, text);
        let Err(wrong) = strings::check(&texts, &expression) else {
            return Ok(());
        };
        Err(Stop::Said(match wrong {
            Wrong::Token(number, message) => self.at_token(&self.read[at + number], message),
            Wrong::Last(message) => self.at_last(message),
            Wrong::Inside(number, lines, mut error) => {
                error.line += self.read[at + number].line + lines - 1;
                error
            }
        }))
    }

    /// Reports an error if a complaint applies.
    fn complain(&self, error: &Complaint, end: usize, matched: &Matched) -> Result<(), Stop> {
        let node = matched.named.as_deref();
        let said = match (error.how, node) {
            ("last", node) => Some(self.at_last(self.filled(&error.message, node))),
            ("a", Some(node)) => Some(self.at_node(node, self.filled(&error.message, Some(node)))),
            ("assign" | "loop" | "delete", Some(node)) => self.bad_target(node, error.how),
            ("legacy", Some(node)) => self.legacy(node).map(|name| {
                let message =
                    format!("Missing parentheses in call to '{name}'. Did you mean {name}(...)?");
                self.at_node(node, message)
            }),
            ("comma", Some(node)) => {
                let is_outer = self.read[end - 1].level == 0;
                let fits = !is_outer && self.legacy(node).is_none();
                fits.then(|| self.at_node(node, "invalid syntax. Perhaps you forgot a comma?"))
            }
            ("genexp", Some(node)) => {
                let positional: Vec<&Rc<Node>> = node
                    .parts
                    .iter()
                    .filter(|part| part.label == "positional")
                    .collect();
                match positional.as_slice() {
                    [_, .., last] => {
                        Some(self.at_node(last, "Generator expression must be parenthesized"))
                    }
                    _ => None,
                }
            }
            ("arguments", Some(node)) => {
                let unpacks = node.parts.iter().any(|part| holds(part, "unpacking"));
                let what = if unpacks { " unpacking" } else { "" };
                Some(self.at_last(format!(
                    "positional argument follows keyword argument{what}"
                )))
            }
            ("key", Some(node)) => {
                let last = &self.read[node.end - 1];
                let mut said = self.at_byte(last.end, "':' expected after dictionary key");
                said.column = said.column.saturating_sub(1);
                Some(said)
            }
            _ => None,
        };
        match said {
            Some(error) => Err(Stop::Said(error)),
            None => Ok(()),
        }
    }

    fn filled(&self, message: &str, node: Option<&Node>) -> String {
        let Some(node) = node else {
            return message.to_owned();
        };
        let first = &self.read[node.first];
        message
            .replace("{line}", &first.line.to_string())
            .replace("{text}", self.text(first))
            .replace("{name}", self.name_of(node))
    }

    /// Name of a kind of expression.
    fn name_of(&self, node: &Node) -> &'static str {
        if node.label == "literal" {
            let texts = self.read[node.first..node.end].iter();
            let has_fields = |token: &Token| {
                let text = self.text(token);
                let prefix = text.split(['\'', '"']).next().unwrap_or_default();
                token.kind == Kind::Str && prefix.contains(['f', 'F'])
            };
            if texts.into_iter().any(has_fields) {
                return "f-string expression";
            }
        }
        node.label
    }

    fn legacy(&self, node: &Node) -> Option<&str> {
        let name = self.text(&self.read[node.first]);
        let is_name = node.label == "name" && matches!(name, "print" | "exec");
        is_name.then_some(name)
    }

    /// The part of an expression that cannot be assigned to or deleted.
    fn bad_target(&self, node: &Node, how: &str) -> Option<SyntaxError> {
        let target = invalid_target(node, how)?;
        let verb = if how == "delete" {
            "delete"
        } else {
            "assign to"
        };
        Some(self.at_node(target, format!("cannot {verb} {}", self.name_of(target))))
    }
}

fn holds(node: &Node, label: &str) -> bool {
    node.label == label || node.label.is_empty() && node.parts.iter().any(|part| holds(part, label))
}

fn invalid_target<'n>(node: &'n Node, how: &str) -> Option<&'n Node> {
    match node.label {
        "list" | "tuple" => elements(node).find_map(|part| invalid_target(part, how)),
        "" => elements(node).find_map(|part| invalid_target(part, how)),
        "starred" if how == "delete" => Some(node),
        "starred" => node
            .parts
            .first()
            .and_then(|part| invalid_target(part, how)),
        "comparison" if how == "loop" => {
            let is_in = node.parts.get(1).is_some_and(|part| part.label == "in");
            let left = node.parts.first().filter(|_| is_in)?;
            invalid_target(left, how)
        }
        "name" | "subscript" | "attribute" => None,
        _ => Some(node),
    }
}

/// The elements of a display, through what only groups them.
fn elements(node: &Node) -> impl Iterator<Item = &Node> {
    node.parts.iter().map(Rc::as_ref)
}
