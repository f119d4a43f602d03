//! Simple statements of a Python file, with the names they read.
//!
//! A collected statement can stand alone: it is one logical line that reads a few variables, the builtins named in
//! [`builtins`](super::builtins) and methods of builtin types, and nothing else. Conditions of `if` and `while` are
//! collected as their header. Nothing is run and no type is known here.

use std::collections::HashSet;

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::{Ranged, TextSize};
use serde::{Deserialize, Serialize};

use super::builtins;
use super::names::Names;
use crate::syntax::{SyntaxError, with_parsed};

/// The kind of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatementKind {
    /// `a = b`
    Assign,
    /// `a += b`
    Augassign,
    /// `del a[b]`
    Delete,
    /// `a.append(b)`
    Expr,
    /// `print(a)`
    Print,
    /// `if a > b:`; its only effect is whether the next line runs
    Condition,
    /// `raise ValueError(a)`
    Raise,
    /// `assert a`
    Assert,
}

impl StatementKind {
    /// The name it has in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assign => "assign",
            Self::Augassign => "augassign",
            Self::Delete => "delete",
            Self::Expr => "expr",
            Self::Print => "print",
            Self::Condition => "condition",
            Self::Raise => "raise",
            Self::Assert => "assert",
        }
    }
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its text on one line; a condition ends with its colon.
    pub text: String,
    /// Its kind.
    pub kind: StatementKind,
    /// The names it reads, in order of evaluation, without builtins.
    pub free: Vec<String>,
    /// The names it binds.
    pub stored: Vec<String>,
    /// The builtins it uses.
    pub builtins: Vec<String>,
    /// The line it starts on, 1-based.
    pub line: u32,
    /// True when it has that line to itself.
    pub alone: bool,
    /// Of a condition, the line that runs next when it holds.
    pub body: Option<u32>,
}

/// Maximum characters of a statement.
const LONGEST: usize = 160;

/// The statements of a program that can stand alone and read at least one and at most four names.
///
/// # Errors
/// The first syntax error of a program that does not parse.
pub fn statements(source: &str) -> Result<Vec<Statement>, SyntaxError> {
    with_parsed(source, |parsed| {
        let mut imported = Imported::default();
        imported.visit_body(parsed.suite());
        let mut collector = Collector {
            source,
            tokens: parsed.tokens(),
            lines: line_starts(source),
            imported: imported.0,
            found: Vec::new(),
        };
        collector.visit_body(parsed.suite());
        collector.found
    })
}

/// The kind of a single statement, or of the header of a condition.
pub fn kind_of(text: &str) -> Option<StatementKind> {
    let body = if text.ends_with(':') { " pass" } else { "" };
    let whole = format!("{text}{body}");
    let kind = with_parsed(&whole, |parsed| match parsed.suite().first() {
        Some(Stmt::Assign(_) | Stmt::AnnAssign(_)) => Some(StatementKind::Assign),
        Some(Stmt::AugAssign(_)) => Some(StatementKind::Augassign),
        Some(Stmt::Delete(_)) => Some(StatementKind::Delete),
        Some(Stmt::Expr(expr)) if called(&expr.value) == Some("print") => {
            Some(StatementKind::Print)
        }
        Some(Stmt::Expr(_)) => Some(StatementKind::Expr),
        Some(Stmt::If(_) | Stmt::While(_)) => Some(StatementKind::Condition),
        Some(Stmt::Raise(_)) => Some(StatementKind::Raise),
        Some(Stmt::Assert(_)) => Some(StatementKind::Assert),
        _ => None,
    });
    kind.ok().flatten()
}

fn line_starts(source: &str) -> Vec<usize> {
    let ends = source.bytes().enumerate().filter(|(_, b)| *b == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

/// Names that imports bind anywhere in a file: they are modules, or unknown.
#[derive(Default)]
struct Imported(HashSet<String>);

impl<'a> Visitor<'a> for Imported {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let names = match stmt {
            Stmt::Import(import) => &import.names,
            Stmt::ImportFrom(import) => &import.names,
            _ => return walk_stmt(self, stmt),
        };
        for alias in names {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
            self.0
                .insert(bound.split('.').next().unwrap_or(bound).to_owned());
        }
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

struct Collector<'a> {
    source: &'a str,
    tokens: &'a [Token],
    lines: Vec<usize>,
    imported: HashSet<String>,
    found: Vec<Statement>,
}

impl<'a> Visitor<'a> for Collector<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::If(branch) => {
                self.condition(stmt.start(), &branch.test, &branch.body);
                for clause in &branch.elif_else_clauses {
                    if let Some(test) = &clause.test {
                        self.condition(clause.start(), test, &clause.body);
                    }
                }
            }
            Stmt::While(repeat) => self.condition(stmt.start(), &repeat.test, &repeat.body),
            _ => self.simple(stmt),
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

impl<'a> Collector<'a> {
    fn simple(&mut self, stmt: &'a Stmt) {
        let mut names = Names::default();
        let kind = match stmt {
            Stmt::Assign(assign) => {
                names.visit_expr(&assign.value);
                for target in &assign.targets {
                    names.target(target);
                }
                StatementKind::Assign
            }
            Stmt::AugAssign(assign) => {
                if let Expr::Name(name) = &*assign.target {
                    names.read(name.id.as_str());
                }
                names.target(&assign.target);
                names.visit_expr(&assign.value);
                StatementKind::Augassign
            }
            Stmt::Delete(delete) => {
                for target in &delete.targets {
                    match target {
                        Expr::Subscript(_) => names.target(target),
                        Expr::Name(name) => names.read(name.id.as_str()),
                        _ => names.alone = false,
                    }
                }
                StatementKind::Delete
            }
            Stmt::Expr(expr) => match called(&expr.value) {
                Some(function) => {
                    names.visit_expr(&expr.value);
                    if function == "print" {
                        StatementKind::Print
                    } else {
                        StatementKind::Expr
                    }
                }
                None => return,
            },
            Stmt::Raise(raise) => {
                let (Some(raised), None) = (&raise.exc, &raise.cause) else {
                    return;
                };
                if !called(raised).is_some_and(builtins::is_exception) {
                    return;
                }
                names.visit_expr(raised);
                StatementKind::Raise
            }
            Stmt::Assert(assert) => {
                names.visit_expr(&assert.test);
                if let Some(message) = &assert.msg {
                    names.visit_expr(message);
                }
                StatementKind::Assert
            }
            _ => return,
        };
        self.add(stmt.start(), kind, names, None);
    }

    fn condition(&mut self, start: TextSize, test: &'a Expr, body: &'a [Stmt]) {
        let mut names = Names::default();
        names.visit_expr(test);
        let body = body.first().map(|first| self.line(first.start()));
        self.add(start, StatementKind::Condition, names, body);
    }

    fn line(&self, offset: TextSize) -> u32 {
        let line = self
            .lines
            .partition_point(|&start| start <= offset.to_usize());
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    fn add(&mut self, start: TextSize, kind: StatementKind, names: Names, body: Option<u32>) {
        let readable = |name: &String| !self.imported.contains(name) && !name.starts_with("__");
        let shadowed = |name: &String| names.builtin.contains(name);
        let usable = names.alone
            && (1..=4).contains(&names.free.len())
            && names.free.iter().chain(&names.stored).all(readable)
            && !names
                .builtin
                .iter()
                .any(|name| self.imported.contains(name))
            && !names.stored.iter().any(shadowed);
        if !usable {
            return;
        }
        let first = self.tokens.partition_point(|token| token.start() < start);
        let Some((text, last)) = one_line(self.source, &self.tokens[first..], kind) else {
            return;
        };
        let before = self.tokens[..first].iter().next_back();
        let opens = before.is_none_or(|token| {
            matches!(
                token.kind(),
                TokenKind::Newline
                    | TokenKind::NonLogicalNewline
                    | TokenKind::Indent
                    | TokenKind::Dedent
            )
        });
        let line = self.line(start);
        let closes = self
            .tokens
            .get(first + last)
            .is_none_or(|token| token.kind() != TokenKind::Semi);
        let one = self
            .tokens
            .get(first + last)
            .is_none_or(|token| self.line(token.start()) == line);
        self.found.push(Statement {
            text,
            kind,
            free: names.free,
            stored: names.stored,
            builtins: names.builtin,
            line,
            alone: opens && closes && one && body.is_none_or(|body| body > line),
            body,
        });
    }
}

/// The name of the function or method that an expression calls, if it is a call by name.
fn called(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => Some(name.id.as_str()),
            Expr::Attribute(method) => Some(method.attr.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// The text of the statement at the start of the tokens, on one line, and the token it ends before.
fn one_line(source: &str, tokens: &[Token], kind: StatementKind) -> Option<(String, usize)> {
    let (mut text, mut depth, mut end) = (String::new(), 0_usize, None::<usize>);
    for (at, token) in tokens.iter().enumerate() {
        let (range, mut shown) = (token.range(), &source[token.range()]);
        match token.kind() {
            TokenKind::Newline | TokenKind::Semi | TokenKind::EndOfFile => {
                return (kind != StatementKind::Condition).then_some((text, at));
            }
            TokenKind::Comment | TokenKind::NonLogicalNewline => continue,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                depth = depth.saturating_sub(1)
            }
            TokenKind::Colon if depth == 0 && kind == StatementKind::Condition => {
                text.push(':');
                return Some((text, at));
            }
            TokenKind::Elif => shown = "if",
            _ => {}
        }
        let start = range.start().to_usize();
        if shown.contains(['\n', '\r', '\u{c}']) || text.len() > LONGEST {
            return None;
        }
        let gap = end.is_some_and(|end| end < start);
        let wrapped = end.is_some_and(|end| source[end..start].contains('\n'));
        let tight =
            wrapped && (text.ends_with(['(', '[', '{']) || shown.starts_with([')', ']', '}']));
        if gap && !tight {
            text.push(' ');
        }
        text.push_str(shown);
        end = Some(range.end().to_usize());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let found = statements(source).unwrap();
        found
            .into_iter()
            .map(|s| format!("{}|{}|{}", s.kind.name(), s.text, s.free.join(",")))
            .collect()
    }

    #[test]
    fn statements_that_stand_alone_are_found_wherever_they_are() {
        let source = "\
import os, sys as system
def f(a, b):
    c = a + len(b)  # sum
    c += [x * a for x in b if x]
    if a < b and (c or
                  b):
        b.append(a); c = {
            a: f'{b!r:>{c}}',  # first
        }
    elif not a: print(a, end='')
    while a: a -= 1
    del b[a:], c
    raise ValueError('no %s' % a)
    assert isinstance(b, (str, bytes)), a
";
        let want = [
            "assign|c = a + len(b)|a,b",
            "augassign|c += [x * a for x in b if x]|c,b,a",
            "condition|if a < b and (c or b):|a,b,c",
            "condition|if not a:|a",
            "expr|b.append(a)|b,a",
            "assign|c = {a: f'{b!r:>{c}}',}|a,b,c",
            "print|print(a, end='')|a",
            "condition|while a:|a",
            "augassign|a -= 1|a",
            "delete|del b[a:], c|b,a,c",
            "raise|raise ValueError('no %s' % a)|a",
            "assert|assert isinstance(b, (str, bytes)), a|b,a",
        ];
        let found = texts(source);
        assert_eq!(found, want);
        let alone: Vec<u32> = statements(source)
            .unwrap()
            .iter()
            .filter(|s| s.alone)
            .map(|s| s.line)
            .collect();
        assert_eq!(alone, [3, 4, 12, 13, 14], "a line of their own");
    }

    #[test]
    fn what_needs_more_than_values_and_builtins_is_not() {
        for source in [
            "import os\nx = os.path\n",
            "import copy\nx = copy.copy(y)\n",
            "x = self.y\n",
            "self.x = y\n",
            "x = f(y)\n",
            "x = open(y)\n",
            "x = y.frobnicate()\n",
            "x = lambda: y\n",
            "x = [f(y) for f in z]\n",
            "x = 1\n",
            "x = a + b + c + d + e\n",
            "x = (y := z)\n",
            "raise x\n",
            "raise ValueError(x) from y\n",
            "print(x, file=y)\n",
            "x = '''a\nb''' + y\n",
            "list = list(x)\n",
            "x = list.append(y)\n",
            "x = __name__ + y\n",
            "x == y\n",
        ] {
            assert_eq!(texts(source), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn what_does_not_parse_is_refused_not_overflowed() {
        for source in [
            "x = = 1\n".to_owned(),
            "(".repeat(100_000),
            "\0\u{fffd}\x1a".to_owned(),
        ] {
            assert!(statements(&source).is_err());
        }
        let chain = format!("a = b{}\n", ".c()".repeat(50_000));
        assert!(statements(&chain).unwrap().is_empty());
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "[-a-c01 =+.:;(){}\\[\\]\"'#\\\\\n\t,%é]{0,80}") {
            let _ = statements(&text);
        }
    }
}
