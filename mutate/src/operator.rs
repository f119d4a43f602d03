//! The interface of an operator: a code, a name, a function that finds sites and one that edits
//! them.
//!
//! An operator sees one node at a time, with the nodes above it, and never other operators.

use std::ops::Range;

use tree_sitter::Node;

use crate::precedence::Binding;
use crate::{Change, Draw};

/// One mutation operator; a row of [`crate::REGISTRY`].
pub struct Operator {
    /// Three letters, as in the paper's Table 1.
    pub code: &'static str,
    /// In words.
    pub name: &'static str,
    /// Its module's documentation is made into `docs/operators.md`.
    pub source: &'static str,
    /// The sites at this node.
    pub find: fn(&Place<'_, '_>) -> Vec<Site>,
    /// Draws the edit of a site; `None` declines.
    pub edit: fn(&Site, &str, &mut Draw) -> Option<Rewrite>,
}

/// A place where an operator applies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Site {
    /// Bytes it is about.
    pub range: Range<usize>,
    /// Its slots, ascending; the operator defines their meaning.
    pub slots: Vec<Range<usize>>,
    /// Nothing else may be edited in `range`.
    pub alone: bool,
    /// Sites with the same key are mutually exclusive: one per loop or slice is drawn.
    pub group: Option<(Group, usize)>,
    /// Which of an operator's forms this is; the operator defines its meaning.
    pub form: u8,
}

/// The reason for mutual exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// One of the three loop operators or none, with equal probability (at probability 0.5).
    Loop,
    /// One of the parts of a slice.
    Slice,
}

/// The edit drawn for a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The text for the site's slots.
    pub changes: Vec<Change>,
    /// How strongly the node of the site binds afterwards, where that differs.
    pub binding: Option<Binding>,
}

impl Rewrite {
    /// A rewrite with unchanged binding strength.
    pub fn plain(changes: impl Into<Vec<Change>>) -> Option<Self> {
        Some(Self {
            changes: changes.into(),
            binding: None,
        })
    }
}

/// A node on the way from the root to the current node.
#[derive(Debug, Clone, Copy)]
pub struct Above<'t> {
    /// The node.
    pub node: Node<'t>,
    /// Its kind, as the grammar names it.
    pub kind: &'static str,
    /// Its index in the table of bindings.
    pub(crate) bound: Option<usize>,
    /// Its context.
    pub inside: Inside,
}

/// The context of a node, at any depth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inside {
    /// An annotation, a type alias or a `case` pattern: nothing is edited there.
    pub fixed: bool,
    /// The operand of `**` in a call or a dictionary.
    pub unpacked: bool,
    /// The format part of an f-string's field.
    pub format: bool,
}

impl Inside {
    /// The same, below a node of this kind.
    pub(crate) fn below(self, kind: &str) -> Self {
        Self {
            fixed: self.fixed
                || matches!(
                    kind,
                    "type" | "type_alias_statement" | "type_parameter" | "case_pattern"
                ),
            unpacked: self.unpacked || kind == "dictionary_splat",
            format: self.format || kind == "format_specifier",
        }
    }
}

/// A node and its context.
pub struct Place<'t, 'a> {
    /// The node.
    pub node: Node<'t>,
    /// Its kind, as the grammar names it.
    pub kind: &'static str,
    /// The nodes above it, from the root. Asking a node for its parent would walk from the root.
    pub above: &'a [Above<'t>],
    /// Its context.
    pub inside: Inside,
    /// The whole program.
    pub source: &'a str,
}

impl<'t> Place<'t, '_> {
    /// Kind of the parent; empty for the root.
    pub fn parent(&self) -> &'static str {
        self.above.last().map_or("", |a| a.kind)
    }

    /// Text of a node.
    pub fn text(&self, node: Node<'_>) -> &str {
        &self.source[node.byte_range()]
    }

    /// The child in a field of the grammar.
    pub fn field(&self, name: &str) -> Option<Node<'t>> {
        self.node.child_by_field_name(name)
    }
}

/// The operators between two numbers, in the order of the language reference.
pub(crate) const ARITHMETIC: [&str; 7] = ["+", "-", "*", "/", "//", "%", "**"];
