//! Programs to trees: a fresh parse, the parse of a changed program, and where a parse failed.

use tree_sitter::{InputEdit, Node, Parser, Point, Tree};

use crate::explosion::explodes;
use crate::starred::without_stars;
use crate::{Change, MutateError};

/// Version of the Python grammar that sites are found with.
pub fn grammar_version() -> String {
    let language = tree_sitter::Language::from(tree_sitter_python::LANGUAGE);
    match language.metadata() {
        Some(m) => format!(
            "{}.{}.{}",
            m.major_version, m.minor_version, m.patch_version
        ),
        None => format!("ABI {}", language.abi_version()),
    }
}

/// Nodes above the deepest up to which changed programs are parsed by recursive descent.
const MOST_DEPTH: usize = 64;

/// A parsed program, from which changed ones are parsed.
pub(crate) struct Parsed<'a> {
    pub source: &'a str,
    pub tree: Tree,
    parser: Parser,
    /// Nodes above the deepest.
    depth: usize,
    /// Whether changed programs can be parsed by ruff, which is five times as fast and stricter: not
    /// if it rejects the parent (Python 2, say) or the parent could overflow its stack.
    descends: bool,
    /// Whether the program itself has constants that take all of its time.
    explodes: bool,
    /// Start of each line.
    lines: Vec<usize>,
}

impl<'a> Parsed<'a> {
    /// Parses a program.
    pub(crate) fn new(source: &'a str) -> Result<Self, MutateError> {
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_python::LANGUAGE.into())
            .map_err(|e| MutateError::Grammar(e.to_string()))?;
        let given_up = || MutateError::Grammar("parsing was given up".into());
        let mut tree = parser.parse(source, None).ok_or_else(given_up)?;
        if tree.root_node().has_error() {
            let masked = without_stars(source).and_then(|text| parser.parse(text, None));
            match masked {
                Some(masked) if !masked.root_node().has_error() => tree = masked,
                _ => return Err(first_error(&tree)),
            }
        }
        let starts = source
            .bytes()
            .enumerate()
            .filter(|(_, b)| *b == b'\n')
            .map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Ok(Self {
            source,
            tree,
            parser,
            lines,
            depth: 0,
            descends: false,
            explodes: false,
        })
    }

    /// The maximum depth of nodes, which determines how changed programs are parsed.
    pub(crate) fn set_depth(&mut self, depth: usize) {
        self.depth = depth;
        self.descends = false;
        if depth <= MOST_DEPTH
            && let Ok(module) = ruff_python_parser::parse_module(self.source)
        {
            self.descends = true;
            self.explodes = explodes(module.syntax());
        }
    }

    /// Whether the changed program is worth running: it parses and, if the parent has none, it has no
    /// constants that would take all of its time.
    pub(crate) fn is_worth_running(&mut self, text: &str, changes: &[Change]) -> bool {
        if !self.descends || self.explodes {
            return self.parses(text, changes);
        }
        ruff_python_parser::parse_module(text).is_ok_and(|module| !explodes(module.syntax()))
    }

    /// Whether the program still parses as `text`, which `changes` made of it.
    pub(crate) fn parses(&mut self, text: &str, changes: &[Change]) -> bool {
        if self.descends {
            return ruff_python_parser::parse_module(text).is_ok();
        }
        // Parsing on from the parent's tree is faster than afresh even with an edit on every line,
        // but to tell a tree of a change takes as long as the tree is deep.
        if changes.len() * self.depth > text.len() {
            let tree = self.parser.parse(text, None);
            return tree.is_some_and(|tree| !tree.root_node().has_error());
        }
        let mut tree = self.tree.clone();
        // from the end, so that earlier offsets stay valid
        for change in changes.iter().rev() {
            tree.edit(&self.input_edit(change));
        }
        let tree = self.parser.parse(text, Some(&tree));
        tree.is_some_and(|tree| !tree.root_node().has_error())
    }

    fn input_edit(&self, change: &Change) -> InputEdit {
        let start_position = self.point(change.range.start);
        let rows = change.text.bytes().filter(|b| *b == b'\n').count();
        let column = match change.text.rfind('\n') {
            Some(at) => change.text.len() - at - 1,
            None => start_position.column + change.text.len(),
        };
        InputEdit {
            start_byte: change.range.start,
            old_end_byte: change.range.end,
            new_end_byte: change.range.start + change.text.len(),
            start_position,
            old_end_position: self.point(change.range.end),
            new_end_position: Point::new(start_position.row + rows, column),
        }
    }

    fn point(&self, byte: usize) -> Point {
        let row = self.lines.partition_point(|start| *start <= byte) - 1;
        Point::new(row, byte - self.lines[row])
    }
}

fn first_error(tree: &Tree) -> MutateError {
    let mut at = Point::new(0, 0);
    walk(tree, |node| {
        let found = node.is_error() || node.is_missing();
        if found {
            at = node.start_position();
        }
        !found
    });
    MutateError::Syntax {
        line: at.row + 1,
        column: at.column + 1,
    }
}

/// Visits nodes in source order without recursion, until `visit` returns false.
fn walk(tree: &Tree, mut visit: impl FnMut(Node<'_>) -> bool) {
    let mut cursor = tree.walk();
    loop {
        if !visit(cursor.node()) {
            return;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
