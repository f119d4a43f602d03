//! The statement-level control-flow graph that an instruction pointer walks.
//!
//! Nodes are statements, or heads of compound statements. The last two are the exit, where a program has
//! ended, and the error node, where an exception has ended it. Every node has three successors: `yes` if
//! its condition holds or if it has none, `no` if it does not hold, `raise` to the handler around it or
//! to the error node. `super::build` defines the translation of each construct.

use codexec_data::syntax::{SyntaxError, with_parsed};
use ruff_text_size::{TextRange, TextSize};

use super::build::Builder;

/// Maximum nodes of a graph.
pub const MOST_NODES: usize = 4096;

/// Placeholders for the exit and the error node until the number of nodes is known.
pub(super) const EXIT: u32 = u32::MAX - 1;
pub(super) const ERROR: u32 = u32::MAX;

/// A node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Its text in the source.
    pub span: TextRange,
    /// Its first and last line, 1-based.
    pub lines: (u32, u32),
    /// Successor; also if its condition holds.
    pub yes: u32,
    /// Successor if its condition does not hold.
    pub no: u32,
    /// Successor if it raises.
    pub raise: u32,
    /// Steps that are allowed for it.
    pub steps: u32,
}

/// A graph of a program. Every node can be reached from the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// In source order. The exit has the number after the last, the error node the next one.
    pub nodes: Vec<Node>,
    /// The node where a program begins.
    pub start: u32,
}

/// Why a program has no graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// It does not parse.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// It has no statement.
    #[error("the program has no statement")]
    Empty,
    /// It is too large.
    #[error("the program has more than {MOST_NODES} statements")]
    Large,
}

impl Graph {
    /// The graph of a program.
    ///
    /// # Errors
    /// Where the program does not parse, is empty, or has more than [`MOST_NODES`] nodes.
    pub fn of(source: &str) -> Result<Self, GraphError> {
        with_parsed(source, |parsed| {
            let body = &parsed.syntax().body;
            if body.is_empty() {
                return Err(GraphError::Empty);
            }
            // With bodies of functions if there is room, otherwise without.
            [true, false]
                .into_iter()
                .find_map(|calls| Builder::new(source, body, calls).graph(body))
                .ok_or(GraphError::Large)
        })?
    }

    /// Drops unreachable nodes and sorts the rest in source order.
    ///
    /// `begins` are the starts of the nodes' statements; for one statement, later nodes were built
    /// first.
    pub(super) fn reached(built: &[Node], begins: &[TextSize], start: u32) -> Option<Self> {
        let mut is_reached = vec![false; built.len()];
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            let Some(seen) = is_reached.get_mut(node as usize) else {
                continue;
            };
            if !std::mem::replace(seen, true) {
                let Node { yes, no, raise, .. } = built[node as usize];
                open.extend([yes, no, raise]);
            }
        }
        let mut order: Vec<u32> = (0..built.len() as u32)
            .filter(|n| is_reached[*n as usize])
            .collect();
        if order.len() > MOST_NODES {
            return None;
        }
        order.sort_by_key(|n| (begins[*n as usize], std::cmp::Reverse(*n)));
        let count = order.len() as u32;
        let mut number = vec![0; built.len()];
        for (new, old) in order.iter().enumerate() {
            number[*old as usize] = new as u32;
        }
        let renumber = |node: u32| match node {
            EXIT => count,
            ERROR => count + 1,
            node => number[node as usize],
        };
        let nodes = order.iter().map(|old| {
            let node = built[*old as usize];
            Node {
                yes: renumber(node.yes),
                no: renumber(node.no),
                raise: renumber(node.raise),
                ..node
            }
        });
        Some(Self {
            nodes: nodes.collect(),
            start: renumber(start),
        })
    }

    /// The number of the exit.
    #[must_use]
    pub fn exit(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The number of the error node.
    #[must_use]
    pub fn error(&self) -> u32 {
        self.nodes.len() as u32 + 1
    }

    /// The number of steps, T(x), by the heuristic of the paper's implementation: one for each statement and
    /// two more for the head of a loop, doubled by every enclosing loop; one to end. At most `most`, but enough
    /// to reach the end without repeating anything.
    #[must_use]
    pub fn steps(&self, most: u32) -> u32 {
        let wanted = self
            .nodes
            .iter()
            .fold(1u32, |sum, node| sum.saturating_add(node.steps));
        wanted.min(most.max(self.nodes.len() as u32 + 1))
    }

    /// Whether an exception may be caught.
    #[must_use]
    pub fn has_handlers(&self) -> bool {
        self.nodes.iter().any(|node| node.raise != self.error())
    }
}

/// Lines of byte offsets.
pub(super) struct Lines(Vec<TextSize>);

impl Lines {
    pub(super) fn of(source: &str) -> Self {
        let ends = source.match_indices('\n').map(|(at, _)| at + 1);
        let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
        Self(std::iter::once(0).chain(ends).map(size).collect())
    }

    /// 1-based.
    pub(super) fn line(&self, at: TextSize) -> u32 {
        u32::try_from(self.0.partition_point(|begin| *begin <= at)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests;
