//! What the text of a program says of values that it may miss: which of them have attributes, are called, or are asked in a
//! condition, and which exceptions the program expects.
//!
//! The rules are those of `codexec-unknown` (`analysis/branches.rs`, `analysis/handlers.rs`), as far as the planner's own
//! parser goes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use codexec_plan::stand_in::{Turn, Used, Wish};
use ruff_python_ast::visitor::{Visitor, walk_comprehension, walk_expr, walk_stmt};
use ruff_python_ast::{
    BoolOp, CmpOp, Comprehension, ExceptHandler, Expr, Stmt, StmtIf, StmtTry, UnaryOp,
};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextSize};

/// Calls that end the program.
const ENDS: [&str; 4] = ["exit", "quit", "sys.exit", "os._exit"];

/// Syntactic facts.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// Attributes that are read of a name.
    pub(crate) attributes: HashMap<String, BTreeSet<String>>,
    /// Names that are called, or are bases of classes.
    pub(crate) called: HashSet<String>,
    /// Names of the exceptions that handlers around a line catch; `*` for a bare `except`.
    pub(crate) caught: BTreeMap<u32, Vec<String>>,
    /// Desired results of conditions, by line.
    pub(crate) lines: HashMap<u32, Wish>,
    /// What conditions should be, by the values that they ask.
    pub(crate) places: HashMap<(u32, Used, String), Wish>,
}

impl Uses {
    /// For a program; if it does not parse, for the part that does.
    pub(crate) fn of(source: &str) -> Self {
        let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
        let Some(parsed) = parsed.try_into_module() else {
            return Self::default();
        };
        let mut reader = Reader {
            starts: starts(source),
            found: Self::default(),
        };
        let body = parsed.suite();
        reader.branches(body, 0);
        reader.visit_body(body);
        reader.found
    }
}

/// Offsets at which lines begin.
fn starts(source: &str) -> Vec<usize> {
    let ends = source
        .bytes()
        .enumerate()
        .filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

/// End of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Execution continues after it.
    Goes,
    /// `break` or `continue`.
    Jumps,
    /// It leaves the function or the program.
    Leaves,
}

struct Reader {
    starts: Vec<usize>,
    found: Uses,
}

impl Reader {
    fn line(&self, at: TextSize) -> u32 {
        let at = at.to_usize();
        u32::try_from(self.starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }

    /// Reads the `if` statements of a block, which is followed by this many statements.
    fn branches(&mut self, body: &[Stmt], behind: usize) {
        let mut following = match ending(body) {
            Ending::Leaves => 0,
            _ => behind,
        };
        for statement in body.iter().rev() {
            if let Stmt::If(statement) = statement {
                self.read_if(statement, following);
            }
            let within = match statement {
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => 0,
                _ => following,
            };
            for block in blocks(statement) {
                self.branches(block, within);
            }
            following += weight(statement);
        }
    }

    /// The branch with more statements leads further; one that leaves the function costs all that follows.
    fn read_if(&mut self, statement: &StmtIf, following: usize) {
        let first = (Some(&*statement.test), &statement.body[..]);
        let others = statement.elif_else_clauses.iter();
        let others = others.map(|clause| (clause.test.as_ref(), &clause.body[..]));
        let all: Vec<(Option<&Expr>, &[Stmt])> = std::iter::once(first).chain(others).collect();
        // From the last branch on: what is gained by going past the ones before it.
        let (mut otherwise, mut leaves) = (following, false);
        for (condition, body) in all.into_iter().rev() {
            let end = ending(body);
            let ends = end != Ending::Goes;
            let gain = weights(body) + if ends { 0 } else { following };
            let gone = end == Ending::Leaves;
            let Some(condition) = condition else {
                (otherwise, leaves) = (gain, gone);
                continue;
            };
            // Of two that lead equally far, the one that does not leave.
            let outcome = gain > otherwise || gain == otherwise && !ends;
            let turn = match if outcome { leaves } else { gone } {
                true => Turn::Never,
                false => Turn::Alternates,
            };
            self.condition(condition, Wish { outcome, turn });
            if outcome {
                (otherwise, leaves) = (gain, gone);
            }
        }
    }

    /// A condition that should be so: each of its operands is wished to be.
    fn condition(&mut self, condition: &Expr, wish: Wish) {
        let otherwise = Wish {
            outcome: !wish.outcome,
            ..wish
        };
        match condition {
            Expr::UnaryOp(not) if not.op == UnaryOp::Not => self.condition(&not.operand, otherwise),
            Expr::BoolOp(parts) if matches!(parts.op, BoolOp::And | BoolOp::Or) => {
                for part in &parts.values {
                    self.condition(part, wish);
                }
            }
            _ => {
                let (from, to) = (self.line(condition.start()), self.line(condition.end()));
                for line in from..=to {
                    self.found.lines.insert(line, wish);
                }
                let is_not_in =
                    matches!(condition, Expr::Compare(all) if all.ops.contains(&CmpOp::NotIn));
                let wish = if is_not_in { otherwise } else { wish };
                Asked { reader: self, wish }.visit_expr(condition);
            }
        }
    }

    fn note_caught(&mut self, statement: &StmtTry) {
        let names: Vec<String> = statement.handlers.iter().flat_map(names_of).collect();
        let (Some(first), Some(last)) = (statement.body.first(), statement.body.last()) else {
            return;
        };
        for line in self.line(first.start())..=self.line(last.end()) {
            let caught = self.found.caught.entry(line).or_default();
            caught.extend(names.iter().cloned());
        }
    }
}

impl<'a> Visitor<'a> for Reader {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let wish = |turn| Wish {
            outcome: true,
            turn,
        };
        match statement {
            Stmt::While(one) => self.condition(&one.test, wish(Turn::EndsLoop)),
            Stmt::Assert(one) => self.condition(&one.test, wish(Turn::Never)),
            Stmt::Try(one) => self.note_caught(one),
            Stmt::ClassDef(one) => {
                let names = one.bases().iter().filter_map(Expr::as_name_expr);
                self.found
                    .called
                    .extend(names.map(|name| name.id.to_string()));
            }
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Attribute(one) => {
                if let Expr::Name(of) = &*one.value {
                    let of = self.found.attributes.entry(of.id.to_string());
                    of.or_default().insert(one.attr.to_string());
                }
            }
            Expr::Call(one) => {
                if let Expr::Name(name) = &*one.func {
                    self.found.called.insert(name.id.to_string());
                }
            }
            Expr::If(one) => {
                let turn = Turn::Alternates;
                self.condition(
                    &one.test,
                    Wish {
                        outcome: true,
                        turn,
                    },
                );
            }
            _ => {}
        }
        walk_expr(self, expression);
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        for condition in &comprehension.ifs {
            let turn = Turn::Never;
            self.condition(
                condition,
                Wish {
                    outcome: true,
                    turn,
                },
            );
        }
        walk_comprehension(self, comprehension);
    }
}

/// Notes what is wished of the values that an operand of a condition asks.
struct Asked<'r> {
    reader: &'r mut Reader,
    wish: Wish,
}

impl<'a> Visitor<'a> for Asked<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        let (used, name, at) = match expression {
            Expr::Name(one) => (Used::Name, one.id.to_string(), one.start()),
            Expr::Attribute(one) => (Used::Attribute, one.attr.to_string(), one.attr.start()),
            Expr::Call(one) => match &*one.func {
                Expr::Name(name) => (Used::Call, name.id.to_string(), name.start()),
                Expr::Attribute(of) => (Used::Call, of.attr.to_string(), of.attr.start()),
                _ => return walk_expr(self, expression),
            },
            _ => return walk_expr(self, expression),
        };
        let line = self.reader.line(at);
        let known = self.reader.found.places.entry((line, used, name));
        known.or_insert(self.wish);
        walk_expr(self, expression);
    }
}

/// The last part of each name that a handler catches.
fn names_of(handler: &ExceptHandler) -> Vec<String> {
    let ExceptHandler::ExceptHandler(handler) = handler;
    let last = |kind: &Expr| match kind {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(of) => Some(of.attr.to_string()),
        _ => None,
    };
    match handler.type_.as_deref() {
        None => vec!["*".to_owned()],
        Some(Expr::Tuple(kinds)) => kinds.elts.iter().filter_map(last).collect(),
        Some(kind) => last(kind).into_iter().collect(),
    }
}

/// The blocks of a statement.
fn blocks(statement: &Stmt) -> Vec<&[Stmt]> {
    match statement {
        Stmt::FunctionDef(one) => vec![&one.body],
        Stmt::ClassDef(one) => vec![&one.body],
        Stmt::For(one) => vec![&one.body, &one.orelse],
        Stmt::While(one) => vec![&one.body, &one.orelse],
        Stmt::With(one) => vec![&one.body],
        Stmt::If(one) => {
            let others = one.elif_else_clauses.iter().map(|clause| &clause.body[..]);
            std::iter::once(&one.body[..]).chain(others).collect()
        }
        Stmt::Match(one) => one.cases.iter().map(|case| &case.body[..]).collect(),
        Stmt::Try(one) => {
            let handlers = one.handlers.iter();
            let handlers = handlers.map(|ExceptHandler::ExceptHandler(handler)| &handler.body[..]);
            let rest = [&one.orelse[..], &one.finalbody[..]];
            std::iter::once(&one.body[..])
                .chain(handlers)
                .chain(rest)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Statements in a block. What is raised is not executed without crashing.
fn weights(body: &[Stmt]) -> usize {
    body.iter().map(weight).sum()
}

fn weight(statement: &Stmt) -> usize {
    let own = usize::from(!matches!(statement, Stmt::Raise(_)));
    own + blocks(statement).into_iter().map(weights).sum::<usize>()
}

fn ending(body: &[Stmt]) -> Ending {
    match body.last() {
        Some(Stmt::Return(_) | Stmt::Raise(_)) => Ending::Leaves,
        Some(Stmt::Break(_) | Stmt::Continue(_)) => Ending::Jumps,
        Some(Stmt::Try(one)) => ending(&one.body),
        Some(Stmt::With(one)) => ending(&one.body),
        Some(Stmt::Expr(one)) => match &*one.value {
            Expr::Call(call) if ENDS.contains(&&*dotted(&call.func)) => Ending::Leaves,
            _ => Ending::Goes,
        },
        Some(Stmt::If(one)) => {
            let is_complete = one
                .elif_else_clauses
                .last()
                .is_some_and(|last| last.test.is_none());
            let others = one.elif_else_clauses.iter().map(|clause| &clause.body[..]);
            let mut all = std::iter::once(&one.body[..]).chain(others);
            match is_complete && all.all(|body| ending(body) == Ending::Leaves) {
                true => Ending::Leaves,
                false => Ending::Goes,
            }
        }
        _ => Ending::Goes,
    }
}

/// A dotted name; empty for anything else.
fn dotted(expression: &Expr) -> String {
    match expression {
        Expr::Name(name) => name.id.to_string(),
        Expr::Attribute(of) => match &*of.value {
            Expr::Name(name) => format!("{}.{}", name.id, of.attr),
            _ => String::new(),
        },
        _ => String::new(),
    }
}
