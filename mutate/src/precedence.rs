//! Brackets where an edit would change how neighbours bind.
//!
//! Operators are replaced in place, several at once: `a * b + c` may become `(a + b) * c`, and
//! `2 * 3` `(-7) ** 3`. Each operator only states the new binding strength of its own node; here
//! all edits together determine which operands need brackets to keep the parent's tree. Operands
//! that were already in brackets, or are inside calls, lists or statements, are not in the table.

use std::ops::Range;

use crate::Change;

/// How strongly a node binds, weakest first (language reference, 6.17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are those of the language reference
pub enum Level {
    Or,
    And,
    Not,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Term,
    Unary,
    Power,
    Await,
    Atom,
}

impl Level {
    /// Of a binary operator.
    pub fn of(operator: &str) -> Option<Self> {
        Some(match operator {
            "or" => Self::Or,
            "and" => Self::And,
            "|" => Self::BitOr,
            "^" => Self::BitXor,
            "&" => Self::BitAnd,
            "<<" | ">>" => Self::Shift,
            "+" | "-" => Self::Sum,
            "*" | "/" | "//" | "%" | "@" => Self::Term,
            "**" => Self::Power,
            _ => return None,
        })
    }

    fn next(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Not,
            Self::Not => Self::Comparison,
            Self::Comparison => Self::BitOr,
            Self::BitOr => Self::BitXor,
            Self::BitXor => Self::BitAnd,
            Self::BitAnd => Self::Shift,
            Self::Shift => Self::Sum,
            Self::Sum => Self::Term,
            Self::Term => Self::Unary,
            Self::Unary => Self::Power,
            Self::Power => Self::Await,
            Self::Await | Self::Atom => Self::Atom,
        }
    }

    /// The minimum binding strength of an operand without brackets.
    fn asks(self, side: Side) -> Self {
        match (self, side) {
            (Self::Power, Side::Left) => Self::Await,
            (Self::Power, Side::Right) => Self::Unary,
            (Self::Unary | Self::Not, _) | (_, Side::Left) => self,
            (_, Side::Right) => self.next(),
        }
    }
}

/// Binding strength of a node after an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// As an expression of this level.
    As(Level),
    /// As its operand: a prefix was taken away.
    AsOperand,
}

/// Which operand of its parent a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// An expression whose binding, or whose parent's, an edit may change.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    pub range: Range<usize>,
    pub level: Level,
    /// The operator it is an operand of, without brackets between.
    pub parent: Option<(usize, Side)>,
    /// It precedes `.name`, `[…]` or `(…)`.
    pub before_trailer: bool,
}

/// Adds the brackets that `bindings` (node, its binding, index of the edit) make necessary.
///
/// `nodes` are in the order of a walk from the root, parents first.
pub(crate) fn brackets(nodes: &[Bound], bindings: &[(usize, Binding)], changes: &mut Vec<Change>) {
    if bindings.is_empty() {
        return;
    }
    let mut edited: Vec<Option<Binding>> = vec![None; nodes.len()];
    for (node, binding) in bindings {
        edited[*node] = Some(*binding);
    }
    let level = |at: usize| match edited[at] {
        Some(Binding::As(level)) => level,
        _ => nodes[at].level,
    };
    // replaces a removed prefix
    let mut operand = vec![Level::Atom; nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        let mut binds = match edited[at] {
            Some(Binding::AsOperand) => operand[at],
            _ => level(at),
        };
        let moved = edited[at].is_some() || node.parent.is_some_and(|(p, _)| edited[p].is_some());
        let asked = match node.parent {
            Some((parent, side)) => level(parent).asks(side),
            None if node.before_trailer => Level::Atom,
            None => Level::Or,
        };
        if moved && binds < asked {
            changes.extend(Change::brackets(&node.range));
            binds = Level::Atom;
        }
        if let Some((parent, _)) = node.parent {
            operand[parent] = operand[parent].min(binds);
        }
    }
}
