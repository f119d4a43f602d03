//! A syntax tree as one list of nodes, ordered by start. It is built in one walk over the parser's
//! tree. In the parser's tree the queries that every pass makes of most nodes (field, parent, next
//! sibling) each cost a search.

use std::ops::Range;
use std::sync::LazyLock;

use tree_sitter::Language;

/// Marks a missing node.
const NONE: u32 = u32::MAX;

struct Names {
    language: Language,
    kinds: Vec<&'static str>,
    fields: Vec<&'static str>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let language: Language = tree_sitter_python::LANGUAGE.into();
    let kinds = 0..language.node_kind_count() as u16;
    let fields = 0..=language.field_count() as u16;
    Names {
        kinds: kinds
            .map(|id| language.node_kind_for_id(id).unwrap_or_default())
            .collect(),
        fields: fields
            .map(|id| language.field_name_for_id(id).unwrap_or_default())
            .collect(),
        language,
    }
});

/// Returns the Python grammar.
pub(crate) fn language() -> &'static Language {
    &NAMES.language
}

#[derive(Debug)]
struct Entry {
    kind: &'static str,
    /// The field of its parent that it is in; empty if none.
    field: &'static str,
    named: bool,
    bytes: Range<u32>,
    first_row: u32,
    last_row: u32,
    last_column: u32,
    parent: u32,
    /// The first node after its subtree.
    after: u32,
}

/// A syntax tree.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Entry>,
    /// Number of nodes on the longest path from the root.
    pub depth: usize,
    /// Whether the text has syntax errors.
    pub has_error: bool,
}

impl Tree {
    pub(crate) fn of(tree: &tree_sitter::Tree) -> Self {
        let root = tree.root_node();
        let mut nodes: Vec<Entry> = Vec::with_capacity(root.descendant_count());
        let mut above: Vec<u32> = Vec::new();
        let mut depth = 1;
        let mut cursor = tree.walk();
        'all: loop {
            let node = cursor.node();
            let at = nodes.len() as u32;
            let field = cursor.field_id().map_or(0, |id| usize::from(id.get()));
            let (first, last) = (node.start_position(), node.end_position());
            nodes.push(Entry {
                // `ERROR` has an id beyond all others.
                kind: (NAMES.kinds.get(usize::from(node.kind_id())))
                    .copied()
                    .unwrap_or_else(|| node.kind()),
                field: NAMES.fields.get(field).copied().unwrap_or_default(),
                named: node.is_named(),
                bytes: node.start_byte() as u32..node.end_byte() as u32,
                first_row: first.row as u32,
                last_row: last.row as u32,
                last_column: last.column as u32,
                parent: above.last().copied().unwrap_or(NONE),
                after: at + 1,
            });
            if cursor.goto_first_child() {
                above.push(at);
                depth = depth.max(above.len() + 1);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'all;
                }
                let done = nodes.len() as u32;
                if let Some(parent) = above.pop() {
                    nodes[parent as usize].after = done;
                }
            }
        }
        Self {
            nodes,
            depth,
            has_error: root.has_error(),
        }
    }

    pub(crate) fn root_node(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }
}

/// A node of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    at: u32,
}

impl<'t> Node<'t> {
    fn entry(self) -> &'t Entry {
        &self.tree.nodes[self.at as usize]
    }

    fn to(self, at: u32) -> Self {
        Self {
            tree: self.tree,
            at,
        }
    }

    pub(crate) fn kind(self) -> &'static str {
        self.entry().kind
    }

    /// Returns its number in the tree.
    pub(crate) fn id(self) -> usize {
        self.at as usize
    }

    /// Returns the tree that it is part of.
    pub(crate) fn tree(self) -> &'t Tree {
        self.tree
    }

    pub(crate) fn byte_range(self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    pub(crate) fn start_byte(self) -> usize {
        self.entry().bytes.start as usize
    }

    pub(crate) fn end_byte(self) -> usize {
        self.entry().bytes.end as usize
    }

    /// Returns the row of its first character, 0-based.
    pub(crate) fn first_row(self) -> u32 {
        self.entry().first_row
    }

    /// Returns the row and column after its last character, 0-based.
    pub(crate) fn end(self) -> (u32, u32) {
        (self.entry().last_row, self.entry().last_column)
    }

    pub(crate) fn parent(self) -> Option<Self> {
        let parent = self.entry().parent;
        (parent != NONE).then(|| self.to(parent))
    }

    /// Returns the children, including punctuation and keywords.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> + Clone {
        let (mut at, end) = (self.at + 1, self.entry().after);
        std::iter::from_fn(move || {
            let node = (at < end).then(|| self.to(at))?;
            at = node.entry().after;
            Some(node)
        })
    }

    pub(crate) fn named_children(self) -> impl Iterator<Item = Self> + Clone {
        self.children().filter(|child| child.entry().named)
    }

    pub(crate) fn named_child(self, number: usize) -> Option<Self> {
        self.named_children().nth(number)
    }

    /// Returns the children in a field of the grammar.
    pub(crate) fn children_by_field_name<'f>(
        self,
        field: &'f str,
    ) -> impl Iterator<Item = Self> + use<'t, 'f> {
        self.children()
            .filter(move |child| child.entry().field == field)
    }

    pub(crate) fn child_by_field_name(self, field: &str) -> Option<Self> {
        self.children_by_field_name(field).next()
    }

    pub(crate) fn next_named_sibling(self) -> Option<Self> {
        let end = self.parent()?.entry().after;
        let mut at = self.entry().after;
        while at < end {
            let node = self.to(at);
            if node.entry().named {
                return Some(node);
            }
            at = node.entry().after;
        }
        None
    }

    /// Returns the smallest node around a range of bytes.
    pub(crate) fn descendant_for_byte_range(self, from: usize, to: usize) -> Option<Self> {
        let mut node = self;
        loop {
            let around = |child: &Self| child.end_byte() >= to && child.end_byte() > from;
            match node.children().find(around) {
                Some(child) if child.start_byte() <= from => node = child,
                _ => return Some(node),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every query agrees with the parser's own answer, for every node of a program with all kinds
    /// of nodes.
    #[test]
    fn questions_are_answered_as_the_parser_does() {
        let source = "\
# comment
@d(1)
def f(a, *b, c: int = 2, **e) -> str:
    '''doc'''
    for x, y in z:  # why
        if x is not y and (x := 3): pass
        elif x: return [*a, f'{b!r:>{c}}']
    else:
        with open(q) as r, s: del r.t[1:2, 3]
    try: raise E from g
    except (A, B) as h: x = = 1
match p:
    case {'k': [1, *_]} | P(z=0) if w: x.y += lambda v: v
";
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(language()).unwrap();
        let theirs = parser.parse(source, None).unwrap();
        let ours = Tree::of(&theirs);
        assert_eq!(ours.len(), theirs.root_node().descendant_count());
        let mut pairs = vec![(ours.root_node(), theirs.root_node())];
        let mut seen = 0;
        while let Some((one, other)) = pairs.pop() {
            seen += 1;
            let same = |a: Option<Node<'_>>, b: Option<tree_sitter::Node<'_>>| {
                let of_a = a.map(|n| (n.kind(), n.byte_range()));
                assert_eq!(of_a, b.map(|n| (n.kind(), n.byte_range())), "{other:?}");
            };
            same(Some(one), Some(other));
            same(one.parent(), other.parent());
            same(one.next_named_sibling(), other.next_named_sibling());
            same(one.named_child(1), other.named_child(1));
            let (from, to) = (other.start_byte(), other.end_byte());
            let (a, b) = (ours.root_node(), theirs.root_node());
            same(
                a.descendant_for_byte_range(from, to),
                b.descendant_for_byte_range(from, to),
            );
            assert_eq!(one.first_row() as usize, other.start_position().row);
            assert_eq!(one.end().0 as usize, other.end_position().row);
            assert_eq!(one.end().1 as usize, other.end_position().column);
            // The parser has two fields for a case of `match`; here it has one.
            let fields = NAMES.fields[1..].iter();
            for field in fields.filter(|_| other.kind() != "match_statement") {
                same(
                    one.child_by_field_name(field),
                    other.child_by_field_name(field),
                );
            }
            let mut cursor = other.walk();
            let children: Vec<_> = other.children(&mut cursor).collect();
            assert_eq!(one.children().count(), children.len());
            pairs.extend(one.children().zip(children));
        }
        assert_eq!(seen, ours.len());
    }
}
