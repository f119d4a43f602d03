//! From syntax to control-flow graph.
//!
//! | construct | nodes |
//! |---|---|
//! | simple statement | one |
//! | `if`, `elif`, `while` | one for the test |
//! | `for` | one that makes the iterator, one that binds the next element: `yes` to the body, `no` behind the loop |
//! | `match` | one for the subject, one for each case: `yes` to its body, `no` to the next case |
//! | `with` | one for the head, before its body |
//! | `try` | none; statements of its body raise to the first handler, or to `finally` |
//! | `except` | one for the head: `yes` to its body, `no` to the next handler; behind the last, out of the `try` |
//! | `finally` | a copy of its body for each way through it: normal, raising, `return`, `break`, `continue` |
//! | `raise` | one, from which all ways lead where it raises to |
//! | `exit()`, `quit()`, `sys.exit()`, `raise SystemExit` | one, from which all ways lead to the exit |
//! | `def` | one; its body is where it is called |
//! | `class` | one for the head, then its body |
//!
//! The body of a module function follows the statement that calls it by name, once per call, up to three calls
//! deep; if a test calls it, it follows a separate node with the text of the test. Functions that are not
//! called so (methods, recursion, generators, decorated ones) are only their `def`, with all of its text.
//! Unreachable code has no node. A context manager is never assumed to suppress an exception.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::{ExceptHandler, Expr, Stmt, StmtFunctionDef, StmtTry};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::calls::{Functions, called, ends_program, is_exit};
use super::graph::{ERROR, EXIT, Graph, Lines, MOST_NODES, Node};

/// Maximum nesting of inlined calls.
const DEEPEST: usize = 3;
/// Maximum nodes of a builder, unreachable ones included.
const MOST_BUILT: usize = 4 * MOST_NODES;

/// The context of a statement.
#[derive(Clone, Copy)]
enum Frame<'a> {
    /// A loop: where `continue` and `break` lead.
    Loop { head: u32, behind: u32 },
    /// Handlers: where an exception leads.
    Handlers(u32),
    /// A `finally`.
    Finally(&'a StmtTry),
    /// A call: where `return` leads.
    Call { behind: u32 },
}

/// Where a jump is to lead.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Jump {
    Break,
    Continue,
    Return,
    Raise,
}

/// Builds from the last statement to the first, so that successors are always known.
pub(super) struct Builder<'a> {
    source: &'a str,
    lines: Lines,
    nodes: Vec<Node>,
    /// Where the statement of each node begins.
    begins: Vec<TextSize>,
    frames: Vec<Frame<'a>>,
    loops: u32,
    functions: Functions<'a>,
    /// Functions being called, and those whose bodies were built.
    calling: Vec<&'a str>,
    built: HashSet<&'a str>,
    /// The nodes of definitions, by their names.
    definitions: Vec<(u32, &'a StmtFunctionDef)>,
    /// Copies of `finally` by the `try`, their targets, and the number of enclosing frames.
    copies: HashMap<(TextRange, u32, usize, u32), u32>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(source: &'a str, body: &'a [Stmt], calls: bool) -> Self {
        Self {
            source,
            lines: Lines::of(source),
            nodes: Vec::new(),
            begins: Vec::new(),
            frames: Vec::new(),
            loops: 0,
            functions: if calls {
                Functions::of(body)
            } else {
                Functions::default()
            },
            calling: Vec::new(),
            built: HashSet::new(),
            definitions: Vec::new(),
            copies: HashMap::new(),
        }
    }

    /// The graph of a module. `None` if it is too large.
    pub(super) fn graph(mut self, body: &'a [Stmt]) -> Option<Graph> {
        let start = self.body(body, EXIT);
        if self.is_full() {
            return None;
        }
        for (node, function) in std::mem::take(&mut self.definitions) {
            if self.built.contains(function.name.as_str()) {
                self.nodes[node as usize].span = self.head(function.start(), &function.body);
            }
        }
        Graph::reached(&self.nodes, &self.begins, start)
    }

    fn is_full(&self) -> bool {
        self.nodes.len() > MOST_BUILT
    }

    /// The head of a compound statement: up to its body.
    fn head(&self, start: TextSize, body: &[Stmt]) -> TextRange {
        let end = body.first().map_or(start, Ranged::start).max(start);
        let text = &self.source[start.to_usize()..end.to_usize()];
        // A comment between head and body does not belong to it.
        let colon = text.rfind(':').map_or(text.len(), |at| at + 1);
        let text = text
            .split('#')
            .next()
            .filter(|t| t.trim_end().ends_with(':'))
            .unwrap_or(&text[..colon]);
        TextRange::at(start, TextSize::of(text.trim_end()))
    }

    fn node(&mut self, span: TextRange, (yes, no): (u32, u32), steps: u32) -> u32 {
        let raise = self.jump(Jump::Raise);
        let number = self.nodes.len() as u32;
        self.begins.push(span.start());
        self.nodes.push(Node {
            span,
            lines: (self.lines.line(span.start()), self.lines.line(span.end())),
            yes,
            no,
            raise,
            steps,
        });
        number
    }

    /// Steps of a statement: doubled by every loop around it.
    fn once(&self) -> u32 {
        1u32.checked_shl(self.loops)
            .filter(|n| *n > 0)
            .unwrap_or(u32::MAX)
    }

    fn twice(&self) -> u32 {
        self.once().saturating_mul(2)
    }

    /// Statements that continue at `next`. Returns their first node.
    fn body(&mut self, statements: &'a [Stmt], mut next: u32) -> u32 {
        for statement in statements.iter().rev() {
            if self.is_full() {
                break;
            }
            next = self.statement(statement, next);
        }
        next
    }

    fn statement(&mut self, statement: &'a Stmt, next: u32) -> u32 {
        match statement {
            Stmt::Break(node) => {
                let to = self.jump(Jump::Break);
                self.node(node.range, (to, to), self.once())
            }
            Stmt::Continue(node) => {
                let to = self.jump(Jump::Continue);
                self.node(node.range, (to, to), self.once())
            }
            Stmt::Return(node) => {
                let to = self.jump(Jump::Return);
                self.simple(node.range, node.value.as_deref(), to)
            }
            Stmt::Raise(node) => {
                let ends = node.exc.as_deref().is_some_and(is_exit);
                let to = if ends { EXIT } else { self.jump(Jump::Raise) };
                self.node(node.range, (to, to), self.once())
            }
            Stmt::Expr(node) => {
                let next = if ends_program(&node.value) {
                    EXIT
                } else {
                    next
                };
                self.simple(node.range, Some(&node.value), next)
            }
            Stmt::If(node) => {
                let mut no = next;
                for clause in node.elif_else_clauses.iter().rev() {
                    let yes = self.body(&clause.body, next);
                    no = match &clause.test {
                        None => yes,
                        Some(test) => {
                            let head = TextRange::new(clause.start(), test.end());
                            self.test(head, Some(test), (yes, no), self.once())
                        }
                    };
                }
                let yes = self.body(&node.body, next);
                let head = TextRange::new(node.start(), node.test.end());
                self.test(head, Some(&node.test), (yes, no), self.once())
            }
            Stmt::While(node) => {
                let no = self.body(&node.orelse, next);
                let head = TextRange::new(node.start(), node.test.end());
                let steps = self.once().saturating_add(self.twice());
                self.looped(head, Some(&node.test), &node.body, (no, next), steps)
            }
            Stmt::For(node) => {
                let no = self.body(&node.orelse, next);
                let target = TextRange::new(node.start(), node.target.end());
                let bound = self.looped(target, None, &node.body, (no, next), self.twice());
                let iterator = self.simple(node.iter.range(), Some(&node.iter), bound);
                self.begins[iterator as usize] = node.start();
                iterator
            }
            Stmt::Match(node) => {
                let mut no = next;
                for case in node.cases.iter().rev() {
                    let yes = self.body(&case.body, next);
                    let always = case.guard.is_none() && case.pattern.is_irrefutable();
                    let head = self.head(case.start(), &case.body);
                    let ways = (yes, if always { yes } else { no });
                    no = self.test(head, case.guard.as_deref(), ways, self.once());
                }
                let head = TextRange::new(node.start(), node.subject.end());
                self.simple(head, Some(&node.subject), no)
            }
            Stmt::With(node) => {
                let inner = self.body(&node.body, next);
                let head = self.head(node.start(), &node.body);
                let mut behind = inner;
                for item in node.items.iter().rev() {
                    behind = self.calls(&item.context_expr, behind);
                }
                self.node(head, (behind, behind), self.once())
            }
            Stmt::Try(node) => self.attempt(node, next),
            Stmt::ClassDef(node) => {
                let inner = self.body(&node.body, next);
                let head = self.head(node.start(), &node.body);
                self.node(head, (inner, inner), self.once())
            }
            Stmt::FunctionDef(node) => {
                let number = self.node(node.range, (next, next), self.once());
                let head = self.head(node.start(), &node.body);
                // Nothing of the body runs here.
                self.nodes[number as usize].lines.1 = self.lines.line(head.end());
                self.definitions.push((number, node));
                number
            }
            Stmt::Assign(node) => self.simple(node.range, Some(&node.value), next),
            Stmt::AugAssign(node) => self.simple(node.range, Some(&node.value), next),
            Stmt::AnnAssign(node) => self.simple(node.range, node.value.as_deref(), next),
            Stmt::Assert(node) => self.simple(node.range, Some(&node.test), next),
            other => self.node(other.range(), (next, next), self.once()),
        }
    }

    /// A statement without a condition, then the functions that it calls.
    fn simple(&mut self, span: TextRange, expr: Option<&'a Expr>, next: u32) -> u32 {
        let next = match expr {
            Some(expr) => self.calls(expr, next),
            None => next,
        };
        self.node(span, (next, next), self.once())
    }

    /// A test, behind the functions that it calls.
    fn test(
        &mut self,
        span: TextRange,
        expr: Option<&'a Expr>,
        ways: (u32, u32),
        steps: u32,
    ) -> u32 {
        let test = self.node(span, ways, steps);
        let Some(expr) = expr else { return test };
        let first = self.calls(expr, test);
        if first == test {
            return test;
        }
        self.node(span, (first, first), self.once())
    }

    /// The head and the body of a loop; `(no, behind)` is where it ends, and where `break` leads.
    fn looped(
        &mut self,
        head: TextRange,
        test: Option<&'a Expr>,
        body: &'a [Stmt],
        (no, behind): (u32, u32),
        steps: u32,
    ) -> u32 {
        let end = self.node(head, (no, no), steps);
        let mut begin = end;
        if let Some(test) = test {
            let first = self.calls(test, end);
            if first != end {
                begin = self.node(head, (first, first), self.once());
            }
        }
        self.frames.push(Frame::Loop {
            head: begin,
            behind,
        });
        self.loops += 1;
        let yes = self.body(body, begin);
        self.loops -= 1;
        self.frames.pop();
        self.nodes[end as usize].yes = yes;
        begin
    }

    fn attempt(&mut self, node: &'a StmtTry, next: u32) -> u32 {
        let behind = self.body(&node.finalbody, next);
        let has_finally = !node.finalbody.is_empty();
        if has_finally {
            self.frames.push(Frame::Finally(node));
        }
        // After the last handler, an exception propagates as if there were none.
        let mut entry = None;
        for ExceptHandler::ExceptHandler(handler) in node.handlers.iter().rev() {
            let yes = self.body(&handler.body, behind);
            let no = match (&handler.type_, entry) {
                (None, _) => yes,
                (Some(_), Some(following)) => following,
                (Some(_), None) => self.jump(Jump::Raise),
            };
            let head = self.head(handler.start(), &handler.body);
            entry = Some(self.node(head, (yes, no), self.once()));
        }
        let otherwise = self.body(&node.orelse, behind);
        if let Some(entry) = entry {
            self.frames.push(Frame::Handlers(entry));
        }
        let begin = self.body(&node.body, otherwise);
        if entry.is_some() {
            self.frames.pop();
        }
        if has_finally {
            self.frames.pop();
        }
        begin
    }

    /// The bodies of the functions that an expression calls, before `next`.
    fn calls(&mut self, expr: &'a Expr, mut next: u32) -> u32 {
        if self.functions.is_empty() || self.calling.len() >= DEEPEST {
            return next;
        }
        for name in called(expr).into_iter().rev() {
            let Some(function) = self.functions.get(name) else {
                continue;
            };
            if self.calling.contains(&name) || self.is_full() {
                continue;
            }
            self.built.insert(name);
            self.calling.push(name);
            self.frames.push(Frame::Call { behind: next });
            next = self.body(&function.body, next);
            self.frames.pop();
            self.calling.pop();
        }
        next
    }

    /// Where a jump leads, through every `finally` on the way.
    fn jump(&mut self, jump: Jump) -> u32 {
        for at in (0..self.frames.len()).rev() {
            match (self.frames[at], jump) {
                (Frame::Finally(node), _) => {
                    let inner = self.frames.split_off(at);
                    let target = self.jump(jump);
                    let target = self.copy(node, target);
                    self.frames.extend(inner);
                    return target;
                }
                (Frame::Loop { behind, .. }, Jump::Break) => return behind,
                (Frame::Loop { head, .. }, Jump::Continue) => return head,
                (Frame::Call { behind }, Jump::Return) => return behind,
                (Frame::Handlers(entry), Jump::Raise) => return entry,
                _ => {}
            }
        }
        if jump == Jump::Raise { ERROR } else { EXIT }
    }

    /// The body of a `finally` that leads to a node.
    fn copy(&mut self, node: &'a StmtTry, target: u32) -> u32 {
        let calls = u32::try_from(self.calling.len()).unwrap_or(u32::MAX);
        let key = (node.range, target, self.frames.len(), calls);
        if let Some(found) = self.copies.get(&key) {
            return *found;
        }
        let entry = self.body(&node.finalbody, target);
        self.copies.insert(key, entry);
        entry
    }
}
