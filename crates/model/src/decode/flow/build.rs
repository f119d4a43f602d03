//! From the syntax tree to [`LineFlow`], statement by statement, each with its successors.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, ExceptHandler, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::LineFlow;

/// Lines, with 0 for the end of the frame.
type Lines = BTreeSet<u32>;

/// The end of the frame.
const END: u32 = 0;

/// Where abrupt control flow goes.
#[derive(Debug, Clone, Default)]
struct Around {
    /// `break` and `continue` of the innermost loop.
    breaks: Lines,
    continues: Lines,
    /// An exception: handlers, `finally`, the headers of `with`.
    raises: Lines,
    /// `return`, where something comes before the frame ends.
    returns: Lines,
}

impl Around {
    fn all(&self) -> Lines {
        let parts = [&self.breaks, &self.continues, &self.raises, &self.returns];
        parts.into_iter().flatten().copied().collect()
    }

    /// The same, everything passing through `gate` first.
    fn through(&self, gate: &Lines) -> Self {
        Self {
            breaks: gate.clone(),
            continues: gate.clone(),
            raises: gate.clone(),
            returns: gate.clone(),
        }
    }
}

/// The flow of a module.
pub(super) fn flow(source: &str, suite: &[Stmt]) -> LineFlow {
    let starts = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1));
    let starts: Vec<usize> = starts.collect();
    let count = starts.len() + 2;
    let mut builder = Builder {
        starts,
        flow: LineFlow {
            next: vec![Lines::new(); count],
            inside: vec![Lines::new(); count],
            ends_anywhere: ["exit", "quit", "SystemExit"]
                .iter()
                .any(|word| source.contains(word)),
            ..LineFlow::default()
        },
    };
    let end = Lines::from([END]);
    let start = builder.block(suite, &end, &Around::default());
    let mut flow = builder.flow;
    for (line, next) in flow.next.iter_mut().enumerate() {
        // Functions also end, but only their frame, which is always allowed.
        if next.remove(&END) {
            flow.last.insert(line as u32);
        }
    }
    for inside in &mut flow.inside {
        inside.remove(&END);
    }
    if start.contains(&END) {
        flow.last.insert(END);
    }
    flow.start = start.into_iter().filter(|line| *line != END).collect();
    flow
}

struct Builder {
    /// Byte offset of every line.
    starts: Vec<usize>,
    flow: LineFlow,
}

impl Builder {
    fn line(&self, at: TextSize) -> u32 {
        self.starts.partition_point(|start| *start <= at.to_usize()) as u32
    }

    fn lines(&self, range: TextRange) -> Lines {
        (self.line(range.start())..=self.line(range.end())).collect()
    }

    /// From the start of `from` to the end of the last of `parts`, or of `from`'s own line.
    fn header(&self, from: TextSize, parts: &[TextSize]) -> Lines {
        let end = parts.iter().copied().max().unwrap_or(from).max(from);
        self.lines(TextRange::new(from, end))
    }

    /// Every line of `lines` may be followed by the others of them, and by `then`.
    fn link(&mut self, lines: &Lines, then: &[&Lines]) {
        for &line in lines {
            let Some(next) = self.flow.next.get_mut(line as usize) else {
                continue;
            };
            next.extend(lines.iter().copied().filter(|other| *other != line));
            next.extend(then.iter().copied().flatten());
        }
    }

    /// Processes statements in order. Returns their possible first lines.
    fn block(&mut self, suite: &[Stmt], follow: &Lines, around: &Around) -> Lines {
        let mut next = follow.clone();
        for statement in suite.iter().rev() {
            next = self.statement(statement, &next, around);
        }
        next
    }

    fn statement(&mut self, statement: &Stmt, follow: &Lines, around: &Around) -> Lines {
        self.lambdas(statement);
        match statement {
            Stmt::FunctionDef(def) => self.function(def, follow, around),
            Stmt::ClassDef(class) => self.class(class, follow, around),
            Stmt::If(branch) => self.branch(branch, follow, around),
            Stmt::While(it) => {
                let header = self.header(it.start(), &[it.test.end()]);
                let constant = is_constant(&it.test);
                self.repeated(header, constant, (&it.body, &it.orelse), follow, around)
            }
            Stmt::For(it) => {
                let header = self.header(it.start(), &[it.iter.end()]);
                self.repeated(header, false, (&it.body, &it.orelse), follow, around)
            }
            Stmt::With(it) => self.with(it, follow, around),
            Stmt::Match(it) => self.matched(it, follow, around),
            Stmt::Try(it) => self.attempt(it, follow, around),
            Stmt::Return(it) => self.jump(it.range(), &[&around.returns, &around.raises]),
            Stmt::Raise(it) => self.jump(it.range(), &[&around.raises]),
            Stmt::Break(it) => self.jump(it.range(), &[&around.breaks]),
            Stmt::Continue(it) => self.jump(it.range(), &[&around.continues]),
            other => {
                let lines = self.jump(other.range(), &[follow, &around.raises]);
                match may_be_skipped(other) {
                    true => &lines | follow,
                    false => lines,
                }
            }
        }
    }

    /// A simple statement.
    fn jump(&mut self, range: TextRange, then: &[&Lines]) -> Lines {
        let lines = self.lines(range);
        self.link(&lines, then);
        lines
    }

    fn branch(&mut self, it: &ast::StmtIf, follow: &Lines, around: &Around) -> Lines {
        // From the last clause up: the successors of a false condition.
        let mut otherwise = follow.clone();
        for clause in it.elif_else_clauses.iter().rev() {
            let body = self.block(&clause.body, follow, around);
            otherwise = match &clause.test {
                None => body,
                Some(test) => {
                    let header = self.header(clause.start(), &[test.end()]);
                    self.condition(header, test, &body, &otherwise, around)
                }
            };
        }
        let body = self.block(&it.body, follow, around);
        let header = self.header(it.start(), &[it.test.end()]);
        self.condition(header, &it.test, &body, &otherwise, around)
    }

    fn condition(
        &mut self,
        header: Lines,
        test: &Expr,
        body: &Lines,
        otherwise: &Lines,
        around: &Around,
    ) -> Lines {
        self.link(&header, &[body, otherwise, &around.raises]);
        match is_constant(test) {
            true => &(&header | body) | otherwise,
            false => header,
        }
    }

    fn repeated(
        &mut self,
        header: Lines,
        constant: bool,
        (body, orelse): (&[Stmt], &[Stmt]),
        follow: &Lines,
        around: &Around,
    ) -> Lines {
        let after = self.block(orelse, follow, around);
        let again = match (constant, body.first()) {
            (true, Some(first)) => &header | &self.lines(first.range()),
            _ => header.clone(),
        };
        let inner = Around {
            breaks: follow.clone(),
            continues: again.clone(),
            ..around.clone()
        };
        let entry = self.block(body, &again, &inner);
        self.link(&header, &[&entry, &after, &around.raises]);
        match constant {
            true => &(&header | &entry) | &after,
            false => header,
        }
    }

    fn with(&mut self, it: &ast::StmtWith, follow: &Lines, around: &Around) -> Lines {
        let ends: Vec<TextSize> = it.items.iter().map(Ranged::end).collect();
        let header = self.header(it.start(), &ends);
        // Leaving runs `__exit__`, which shows as the header once more.
        let gate = &header | follow;
        let outside = around.all();
        let inner = Around {
            raises: &gate | &around.raises,
            returns: &header | &around.returns,
            breaks: &header | &around.breaks,
            continues: &header | &around.continues,
        };
        let body = self.block(&it.body, &gate, &inner);
        self.link(&header, &[&body, follow, &outside]);
        header
    }

    fn matched(&mut self, it: &ast::StmtMatch, follow: &Lines, around: &Around) -> Lines {
        let mut otherwise = follow.clone();
        for case in it.cases.iter().rev() {
            let body = self.block(&case.body, follow, around);
            let guard = case.guard.as_ref().map_or(case.pattern.end(), |g| g.end());
            let header = self.header(case.start(), &[guard]);
            self.link(&header, &[&body, &otherwise, &around.raises]);
            otherwise = &(&header | &body) | &otherwise;
        }
        let header = self.header(it.start(), &[it.subject.end()]);
        self.link(&header, &[&otherwise, &around.raises]);
        header
    }

    fn attempt(&mut self, it: &ast::StmtTry, follow: &Lines, around: &Around) -> Lines {
        // `finally` may be on the way to anywhere.
        let (follow, around) = match it.finalbody.is_empty() {
            true => (follow.clone(), around.clone()),
            false => {
                let onward = &(follow | &around.all()) | &Lines::from([END]);
                let entry = self.block(&it.finalbody, &onward, around);
                let through = around.through(&entry);
                (entry, through)
            }
        };
        let mut handlers = Lines::new();
        for handler in &it.handlers {
            let ExceptHandler::ExceptHandler(handler) = handler;
            let kind = handler.type_.as_ref().map_or(handler.start(), |t| t.end());
            let header = self.header(handler.start(), &[kind]);
            // The name of the exception is deleted where its block began.
            let leave = &header | &follow;
            let after = match handler.name {
                Some(_) => &leave,
                None => &follow,
            };
            let body = self.block(&handler.body, after, &around);
            self.link(&header, &[&body, &follow, &around.all()]);
            handlers.extend(header);
        }
        // The handler that matches an exception is unknown; each is tested in turn.
        let all = handlers.clone();
        self.link(&handlers, &[&all]);
        let inner = Around {
            raises: &handlers | &around.raises,
            ..around.clone()
        };
        let orelse = self.block(&it.orelse, &follow, &around);
        let body = self.block(&it.body, &orelse, &inner);
        let header = Lines::from([self.line(it.start())]);
        self.link(&header, &[&body]);
        &header | &body
    }

    fn function(&mut self, def: &ast::StmtFunctionDef, follow: &Lines, around: &Around) -> Lines {
        let body_start = def.body.first().map_or(def.end(), Ranged::start);
        let mut header = self.lines(TextRange::new(def.start(), body_start));
        let body_line = self.line(body_start);
        if header.len() > 1 {
            header.remove(&body_line);
        }
        let inner = Around::default();
        let body = self.block(&def.body, &Lines::from([END]), &inner);
        self.enter(&header, &body);
        let mut yields = Yields(false);
        yields.visit_body(&def.body);
        if yields.0 {
            // A generator resumes where it stopped.
            let lines = self.lines(def.range());
            self.flow.entries.extend(lines);
        }
        self.link(&header, &[follow, &around.raises]);
        header
    }

    /// A frame that begins at one of `header` and continues with `body`.
    fn enter(&mut self, header: &Lines, body: &Lines) {
        for &line in header {
            self.flow.entries.insert(line);
            if let Some(inside) = self.flow.inside.get_mut(line as usize) {
                inside.extend(body);
                inside.extend(header.iter().filter(|other| **other != line));
            }
        }
    }

    fn class(&mut self, class: &ast::StmtClassDef, follow: &Lines, around: &Around) -> Lines {
        let body_start = class.body.first().map_or(class.end(), Ranged::start);
        let mut header = self.lines(TextRange::new(class.start(), body_start));
        if header.len() > 1 {
            header.remove(&self.line(body_start));
        }
        let body = self.block(&class.body, &Lines::from([END]), &Around::default());
        self.enter(&header, &body);
        for &line in &header {
            // The body sets its name at the header's line before its own first line.
            if let Some(inside) = self.flow.inside.get_mut(line as usize) {
                inside.extend(&header);
            }
        }
        self.link(&header, &[&body, follow, &around.raises]);
        header
    }

    /// Frames that expressions make.
    fn lambdas(&mut self, statement: &Stmt) {
        let mut found = Lambdas(Vec::new());
        found.visit_stmt(statement);
        for range in found.0 {
            let lines = self.lines(range);
            self.enter(&lines, &lines);
            self.link(&lines, &[]);
        }
    }
}

/// Statements that may compile to nothing.
fn may_be_skipped(statement: &Stmt) -> bool {
    match statement {
        Stmt::Global(_) | Stmt::Nonlocal(_) => true,
        Stmt::AnnAssign(it) => it.value.is_none(),
        Stmt::Assert(it) => is_constant(&it.test),
        Stmt::Expr(it) => is_constant(&it.value),
        _ => false,
    }
}

fn is_constant(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.as_str() == "__debug__",
        Expr::UnaryOp(it) => is_constant(&it.operand),
        other => other.is_literal_expr(),
    }
}

/// The lambdas in a statement's own expressions, or in those of its blocks.
struct Lambdas(Vec<TextRange>);

impl<'a> Visitor<'a> for Lambdas {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Lambda(lambda) = expression {
            self.0.push(lambda.range());
        }
        visitor::walk_expr(self, expression);
    }
}

/// Whether a function is a generator or a coroutine.
struct Yields(bool);

impl<'a> Visitor<'a> for Yields {
    fn visit_expr(&mut self, expression: &'a Expr) {
        self.0 |= matches!(
            expression,
            Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Await(_)
        );
        visitor::walk_expr(self, expression);
    }
}
