//! Minimises a program whose plan differs from its run.
//!
//! Edits follow the syntax tree: a statement, a clause or an item is removed, a block replaces the statement around
//! it, an expression becomes one of its parts or a short value. An edit is kept if the program still fails the same
//! way.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use codexec_data::sandbox::SandboxError;
use codexec_trace::syntax::with_parsed;
use ruff_python_ast::visitor::source_order::{
    SourceOrderVisitor, TraversalSignal, walk_body, walk_except_handler, walk_expr, walk_stmt,
};
use ruff_python_ast::{
    AnyNodeRef, Decorator, ElifElseClause, ExceptHandler, Expr, MatchCase, Stmt,
};
use ruff_text_size::{Ranged, TextRange};

use super::comparison::{Comparison, Verdict};

/// Edited programs judged together.
const AT_ONCE: usize = 24;

/// The smallest program found that fails alike, with its verdict.
///
/// # Errors
/// If the sandbox cannot run anything.
pub(crate) fn minimise(
    comparison: &Comparison,
    source: &str,
    verdict: &Verdict,
    most: Duration,
) -> Result<(String, Verdict), SandboxError> {
    let begin = Instant::now();
    let (mut source, mut verdict) = (source.to_owned(), verdict.clone());
    let mut seen: HashSet<String> = HashSet::new();
    'smaller: loop {
        let mut edited = edits(&source);
        edited.retain(|text| text.len() < source.len() && seen.insert(text.clone()));
        edited.sort_by_key(String::len);
        for some in edited.chunks(AT_ONCE) {
            if begin.elapsed() > most {
                return Ok((source, verdict));
            }
            let verdicts = comparison.judge(some)?;
            let alike =
                |found: &Verdict| (found.class, &found.kind) == (verdict.class, &verdict.kind);
            if let Some(at) = verdicts.iter().position(alike) {
                (source, verdict) = (some[at].clone(), verdicts[at].clone());
                continue 'smaller;
            }
        }
        return Ok((source, verdict));
    }
}

/// All parsable results of one edit of a program.
fn edits(source: &str) -> Vec<String> {
    let changes = with_parsed(source, |parsed| {
        let mut finder = Finder {
            source,
            changes: Vec::new(),
        };
        finder.visit_body(&parsed.syntax().body);
        finder.changes
    });
    let made = changes
        .unwrap_or_default()
        .into_iter()
        .map(|(range, text)| {
            let (from, to) = (usize::from(range.start()), usize::from(range.end()));
            format!("{}{text}{}", &source[..from], &source[to..])
        });
    let valid = |text: &String| with_parsed(text, |_| ()).is_ok();
    made.filter(valid).collect()
}

/// Collects possible edits: a range and its replacement.
struct Finder<'s> {
    source: &'s str,
    changes: Vec<(TextRange, String)>,
}

impl Finder<'_> {
    fn text(&self, range: TextRange) -> &str {
        &self.source[usize::from(range.start())..usize::from(range.end())]
    }

    /// The columns before a position in its line.
    fn column(&self, range: TextRange) -> usize {
        let before = &self.source[..usize::from(range.start())];
        before.len() - before.rfind('\n').map_or(0, |at| at + 1)
    }

    fn change(&mut self, range: TextRange, text: impl Into<String>) {
        self.changes.push((range, text.into()));
    }

    /// Statements are removed, one by one and half of them together.
    fn without(&mut self, body: &[Stmt]) {
        for (at, stmt) in body.iter().enumerate() {
            let single = body.len() == 1;
            let text = if single { "pass" } else { "" };
            let range = match (body.get(at + 1), at.checked_sub(1).map(|b| &body[b])) {
                _ if single => stmt.range(),
                (Some(next), _) => TextRange::new(stmt.start(), next.start()),
                (None, Some(before)) => TextRange::new(before.end(), stmt.end()),
                (None, None) => stmt.range(),
            };
            self.change(range, text);
        }
        let half = body.len() / 2;
        if let [first, .., last] = body
            && half > 0
        {
            let middle = &body[half];
            self.change(TextRange::new(first.start(), middle.start()), "");
            self.change(TextRange::new(body[half - 1].end(), last.end()), "");
        }
    }

    /// A block replaces the statement around it.
    fn unwrapped(&mut self, stmt: &Stmt, body: &[Stmt]) {
        let (Some(first), Some(last)) = (body.first(), body.last()) else {
            return;
        };
        let range = TextRange::new(first.start(), last.end());
        let (from, to) = (self.column(range), self.column(stmt.range()));
        let deeper = " ".repeat(from.saturating_sub(to));
        let text = self.text(range).replace(&format!("\n{deeper}"), "\n");
        self.change(stmt.range(), text);
    }

    /// Items between commas are removed one by one.
    fn without_items(&mut self, items: &[TextRange]) {
        for (at, item) in items.iter().enumerate() {
            let range = match (items.get(at + 1), at.checked_sub(1).map(|b| items[b])) {
                (Some(next), _) => TextRange::new(item.start(), next.start()),
                (None, Some(before)) => TextRange::new(before.end(), item.end()),
                (None, None) => *item,
            };
            self.change(range, "");
        }
    }

    /// The clause behind all others goes.
    fn without_tail(&mut self, stmt: &Stmt, tail: &[Stmt], before: Option<TextRange>) {
        if let (Some(before), false) = (before, tail.is_empty()) {
            self.change(TextRange::new(before.end(), stmt.end()), "");
        }
    }

    /// The parts of an expression.
    fn items_of(expr: &Expr) -> Vec<TextRange> {
        let ranges = |exprs: &[Expr]| exprs.iter().map(Ranged::range).collect();
        match expr {
            Expr::List(list) => ranges(&list.elts),
            Expr::Tuple(tuple) => ranges(&tuple.elts),
            Expr::Set(set) => ranges(&set.elts),
            Expr::Call(call) => {
                let arguments = call.arguments.args.iter().map(Ranged::range);
                let keywords = call.arguments.keywords.iter().map(Ranged::range);
                arguments.chain(keywords).collect()
            }
            Expr::Dict(dict) => {
                let item = |item: &ruff_python_ast::DictItem| {
                    let start = item.key.as_ref().map_or(item.value.start(), Ranged::start);
                    TextRange::new(start, item.value.end())
                };
                dict.items.iter().map(item).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Collects the expressions right below a node.
struct Children(Vec<TextRange>);

impl<'a> SourceOrderVisitor<'a> for Children {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0.push(expr.range());
    }

    fn visit_body(&mut self, _: &'a [Stmt]) {}
}

impl<'a> SourceOrderVisitor<'a> for Finder<'_> {
    fn enter_node(&mut self, _: AnyNodeRef<'a>) -> TraversalSignal {
        TraversalSignal::Traverse
    }

    fn visit_body(&mut self, body: &'a [Stmt]) {
        self.without(body);
        walk_body(self, body);
    }

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let end = |body: &[Stmt]| body.last().map(Ranged::range);
        match stmt {
            Stmt::If(it) => self.unwrapped(stmt, &it.body),
            Stmt::With(it) => self.unwrapped(stmt, &it.body),
            Stmt::While(it) => {
                self.unwrapped(stmt, &it.body);
                self.without_tail(stmt, &it.orelse, end(&it.body));
            }
            Stmt::For(it) => {
                self.unwrapped(stmt, &it.body);
                self.without_tail(stmt, &it.orelse, end(&it.body));
            }
            Stmt::Try(it) => {
                self.unwrapped(stmt, &it.body);
                let handled = it.handlers.last().map(Ranged::range).or(end(&it.body));
                self.without_tail(stmt, &it.finalbody, end(&it.orelse).or(handled));
            }
            Stmt::FunctionDef(it) => self.unwrapped(stmt, &it.body),
            Stmt::ClassDef(it) => self.unwrapped(stmt, &it.body),
            _ => {}
        }
        // Parts of an assignment, or of a call statement, can stand alone.
        let mut children = Children(Vec::new());
        if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            walk_stmt(&mut children, stmt);
        }
        for child in children.0 {
            let text = self.text(child).to_owned();
            self.change(stmt.range(), text);
        }
        walk_stmt(self, stmt);
    }

    fn visit_decorator(&mut self, decorator: &'a Decorator) {
        let end = self.source[usize::from(decorator.end())..].find(|c: char| !c.is_whitespace());
        let skipped = ruff_text_size::TextSize::try_from(end.unwrap_or(0)).unwrap_or_default();
        self.change(
            TextRange::new(decorator.start(), decorator.end() + skipped),
            "",
        );
        self.visit_expr(&decorator.expression);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        self.change(handler.range(), "");
        walk_except_handler(self, handler);
    }

    fn visit_elif_else_clause(&mut self, clause: &'a ElifElseClause) {
        self.change(clause.range(), "");
        ruff_python_ast::visitor::source_order::walk_elif_else_clause(self, clause);
    }

    fn visit_match_case(&mut self, case: &'a MatchCase) {
        self.change(case.range(), "");
        ruff_python_ast::visitor::source_order::walk_match_case(self, case);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        let mut children = Children(Vec::new());
        walk_expr(&mut children, expr);
        for child in children.0 {
            let text = self.text(child).to_owned();
            self.change(expr.range(), format!("({text})"));
            self.change(expr.range(), text);
        }
        for short in ["0", "''", "[]", "x"] {
            self.change(expr.range(), short);
        }
        self.without_items(&Self::items_of(expr));
        walk_expr(self, expr);
    }
}
