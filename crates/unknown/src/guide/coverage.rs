//! Which lines of a program were executed without crashing, by the paper's count.
//!
//! A statement is covered once it completes without an exception; a header (`if`, `for`, ...) once
//! its condition does. All its lines are then covered. `else:`, `try:` and `finally:` execute
//! nothing themselves; they are covered when the block below them begins. Empty lines, comments and
//! docstrings do not count.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analysis::syntax::{children, last_line, line};
use crate::analysis::tree::Node;

/// The statements of a program by line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statements {
    /// First and last line of each statement, or of its header; 1-based, in order.
    pub spans: Vec<(u32, u32)>,
    /// Lines without an event of their own, each with the line of the statement whose start covers
    /// it.
    openers: Vec<(u32, usize)>,
    /// Lines that count.
    counted: BTreeSet<u32>,
}

/// How much of a program was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Lines executed without crashing.
    pub covered: usize,
    /// Lines that count.
    pub lines: usize,
}

impl Coverage {
    /// Returns the share in 0..=1; 1 for a program without lines.
    pub fn share(self) -> f64 {
        if self.lines == 0 {
            1.0
        } else {
            self.covered as f64 / self.lines as f64
        }
    }

    /// Whether every line was executed.
    pub fn is_full(self) -> bool {
        self.covered == self.lines
    }
}

impl Statements {
    /// Reads the statements below `root`.
    pub(super) fn of(root: Node<'_>, source: &str) -> Self {
        let mut found = Self::default();
        found.block(root);
        let text: Vec<&str> = source.lines().collect();
        let blank = |line: u32| {
            let text = text.get(line as usize - 1).map_or("", |l| l.trim());
            text.is_empty() || text.starts_with('#')
        };
        let spans = found.spans.iter().flat_map(|&(first, last)| first..=last);
        let openers = found.openers.iter().map(|&(line, _)| line);
        found.counted = spans.chain(openers).filter(|l| !blank(*l)).collect();
        found
    }

    fn block(&mut self, block: Node<'_>) {
        for (k, statement) in children(block).into_iter().enumerate() {
            let docstring = k == 0
                && statement.kind() == "expression_statement"
                && statement
                    .named_child(0)
                    .is_some_and(|s| s.kind() == "string")
                && (block.kind() == "module" || block.parent().is_some_and(is_definition));
            if docstring {
                continue;
            }
            match statement.kind() {
                // These execute nothing.
                "global_statement" | "nonlocal_statement" => {
                    if let Some(next) = statement.next_named_sibling() {
                        self.opener(statement, Some(next));
                    }
                }
                _ => self.statement(statement),
            }
        }
    }

    fn statement(&mut self, node: Node<'_>) {
        let mut bodies = Vec::new();
        let mut open = children(node);
        open.reverse();
        // Blocks of this statement, including those of its clauses.
        while let Some(child) = open.pop() {
            match child.kind() {
                "block" => bodies.push(child),
                "elif_clause" | "except_clause" | "except_group_clause" | "case_clause" => {
                    bodies.push(child);
                }
                "else_clause" | "finally_clause" | "function_definition" | "class_definition" => {
                    let mut inner = children(child);
                    inner.reverse();
                    if is_definition(child) {
                        bodies.push(child);
                    } else {
                        self.opener(child, inner.last().copied());
                        open.extend(inner);
                    }
                }
                _ => {}
            }
        }
        match node.kind() {
            "try_statement" => self.opener(node, bodies.first().copied()),
            "decorated_definition" => {
                let last = bodies.first().map_or(line(node), |b| line(*b));
                self.spans.push((line(node), last.max(line(node))));
                for body in bodies {
                    self.header(body, false);
                }
                return;
            }
            _ if !bodies.is_empty() => {
                self.span(node, bodies.first().copied());
            }
            _ => self.spans.push((line(node), last_line(node))),
        }
        for body in bodies {
            if body.kind() == "block" {
                self.block(body);
            } else {
                self.header(body, body.kind() != "case_clause");
            }
        }
    }

    /// A clause or definition inside a statement.
    fn header(&mut self, clause: Node<'_>, counts: bool) {
        let blocks = children(clause).into_iter().filter(|c| c.kind() == "block");
        let blocks: Vec<_> = blocks.collect();
        if counts {
            // In some versions a bare `except:` has no event of its own.
            let bare = clause.kind().starts_with("except") && children(clause).len() == 1;
            if bare {
                self.opener(clause, blocks.first().copied());
            } else {
                self.span(clause, blocks.first().copied());
            }
        } else if clause.kind() == "case_clause" {
            self.opener(clause, blocks.first().copied());
        }
        for block in blocks {
            self.block(block);
        }
    }

    fn span(&mut self, node: Node<'_>, body: Option<Node<'_>>) {
        let first = line(node);
        let last = body.map_or(last_line(node), |b| {
            let before = line(b).saturating_sub(1);
            before.max(first)
        });
        self.spans.push((first, last));
    }

    /// `else:` and similar lines: covered when the first statement of their block begins.
    fn opener(&mut self, node: Node<'_>, body: Option<Node<'_>>) {
        self.openers
            .push((line(node), body.map_or(0, |b| line(b) as usize)));
    }

    /// Returns the lines that count.
    pub(crate) fn counted(&self) -> &BTreeSet<u32> {
        &self.counted
    }

    /// Excludes appended statements, which do not count.
    pub(super) fn until(mut self, line: u32) -> Self {
        self.counted.retain(|one| *one <= line);
        self
    }

    /// Returns the statements on these lines.
    pub(super) fn of_lines(&self, lines: &BTreeSet<u32>) -> Vec<u32> {
        let begun = |(_, (first, last)): &(usize, &(u32, u32))| {
            lines.range(*first..=*last).next().is_some()
        };
        let found = self.spans.iter().enumerate().filter(begun);
        found.map(|(k, _)| k as u32).collect()
    }

    /// Returns the coverage after these statements completed and these lines began.
    pub fn coverage(&self, done: &[u32], begun: &BTreeSet<u32>) -> (Coverage, BTreeSet<u32>) {
        let mut covered = BTreeSet::new();
        for &k in done {
            if let Some(&(first, last)) = self.spans.get(k as usize) {
                covered.extend((first..=last).filter(|l| self.counted.contains(l)));
            }
        }
        for &(line, body) in &self.openers {
            if self.counted.contains(&line) && begun.contains(&(body as u32)) {
                covered.insert(line);
            }
        }
        let coverage = Coverage {
            covered: covered.len(),
            lines: self.counted.len(),
        };
        (coverage, covered)
    }
}

fn is_definition(node: Node<'_>) -> bool {
    matches!(node.kind(), "function_definition" | "class_definition")
}
