//! What keeps a line from being executed: the condition, loop or handler before it.

use std::collections::BTreeSet;

use super::branch_conditions::{MOST, Ways};
use super::change::Change;
use super::draft::Value;
use crate::analysis::paths::Aliases;
use crate::analysis::syntax::{bare, branches, children, last_line, line, text};
use crate::analysis::tree::Node;

/// The kind of a guard.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Gate {
    /// A condition that must have this outcome.
    Condition(bool),
    /// A loop that needs items.
    Items,
    /// A handler of these exceptions, as written.
    Handler(Vec<String>),
    /// A function that must be called.
    Function,
}

/// A possibly closed way to lines.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Guard {
    /// Its kind.
    pub gate: Gate,
    /// The lines that decide, in order: conditions, the iterated expression, or the body of the
    /// `try`.
    pub decides: Vec<(u32, u32)>,
    /// The lines that it guards.
    pub target: (u32, u32),
    /// The line of the `else` or `except` before them.
    pub header: Option<u32>,
    /// Lists of changes; each may open it.
    pub ways: Vec<Vec<Change>>,
    /// Whether it is tested repeatedly: the condition of a `while`.
    pub repeats: bool,
    /// Whether it is in a loop, so that alternating outcomes open both branches.
    pub in_loop: bool,
}

impl Guard {
    /// Whether a line is one of the deciding ones.
    pub(super) fn is_decided_on(&self, line: u32) -> bool {
        self.decides
            .iter()
            .any(|(first, last)| *first <= line && line <= *last)
    }

    /// Whether one of the deciding lines was begun.
    pub(super) fn is_reached(&self, begun: &BTreeSet<u32>) -> bool {
        let mut spans = self.decides.iter();
        spans.any(|(first, last)| begun.range(*first..=*last).next().is_some())
    }

    /// Iterates over the deciding lines.
    pub(super) fn deciding(&self) -> impl Iterator<Item = u32> {
        self.decides.iter().flat_map(|(first, last)| *first..=*last)
    }
}

/// Returns every guard of a program, in order.
pub(super) fn guards<'t>(root: Node<'t>, source: &'t str, aliases: &'t Aliases) -> Vec<Guard> {
    let mut reader = Reader {
        source,
        ways: Ways::of(root, source, aliases),
        found: Vec::new(),
        left: MOST_CHANGES,
    };
    reader.read(root, false);
    reader.found
}

/// Most changes of all guards together. In a program with more, the later guards rely on the
/// questions of its runs.
const MOST_CHANGES: usize = 100_000;
/// Most conditions before a branch that are all handled; of a longer chain, only the nearest are.
const MOST_BEFORE: usize = 40;
const NEAREST: usize = 4;

/// Returns the conditions before a branch that are handled.
fn nearest<T>(before: &[T]) -> &[T] {
    match before.len() > MOST_BEFORE {
        true => &before[before.len() - NEAREST..],
        false => before,
    }
}

struct Reader<'t> {
    source: &'t str,
    ways: Ways<'t>,
    found: Vec<Guard>,
    /// Number of changes that may still be noted.
    left: usize,
}

fn span(node: Node<'_>) -> (u32, u32) {
    (line(node), last_line(node))
}

impl<'t> Reader<'t> {
    fn read(&mut self, node: Node<'t>, in_loop: bool) {
        let field = |name| node.child_by_field_name(name);
        let mut inside = in_loop;
        match node.kind() {
            "if_statement" => self.read_if(node, in_loop),
            "while_statement" => {
                if let (Some(condition), Some(body)) = (field("condition"), field("body")) {
                    self.together(&[(condition, true)], span(body), true);
                    if let Some(guard) = self.found.last_mut() {
                        guard.repeats = true;
                    }
                    self.behind(node, &[(condition, false)], in_loop);
                }
                inside = true;
            }
            "for_statement" => {
                if let (Some(right), Some(body)) = (field("right"), field("body")) {
                    let paths = self.ways.paths(right);
                    let mut ways = vec![vec![Change::Set(
                        paths.clone(),
                        Value::List(Value::items(2)),
                    )]];
                    ways.push(vec![Change::Set(paths.clone(), Value::StandIn)]);
                    ways.push(vec![Change::Answer(paths, "len".to_owned(), 2)]);
                    self.found.push(Guard {
                        gate: Gate::Items,
                        decides: vec![span(right)],
                        target: span(body),
                        header: None,
                        ways,
                        repeats: false,
                        in_loop,
                    });
                }
                inside = true;
            }
            "try_statement" => self.read_try(node, in_loop),
            "function_definition" => {
                if let Some(body) = field("body") {
                    self.found.push(Guard {
                        gate: Gate::Function,
                        decides: vec![(1, line(node))],
                        target: span(body),
                        header: None,
                        ways: Vec::new(),
                        repeats: false,
                        in_loop: false,
                    });
                }
                inside = false;
            }
            "lambda" => inside = false,
            _ => {}
        }
        for child in children(node) {
            self.read(child, inside);
        }
    }

    fn read_if(&mut self, node: Node<'t>, in_loop: bool) {
        let mut before: Vec<Node<'t>> = Vec::new();
        for (condition, body) in branches(node) {
            let Some(body) = body else { continue };
            let before_it = nearest(&before).iter();
            let mut wanted: Vec<(Node<'t>, bool)> = before_it.map(|n| (*n, false)).collect();
            wanted.extend(condition.map(|c| (c, true)));
            self.together(&wanted, span(body), in_loop);
            if condition.is_none()
                && let Some(guard) = self.found.last_mut()
            {
                guard.header = body.parent().map(line);
            }
            before.extend(condition);
        }
        let all = nearest(&before).iter();
        let wanted: Vec<(Node<'t>, bool)> = all.map(|n| (*n, false)).collect();
        self.behind(node, &wanted, in_loop);
        let raises = |body: Option<Node<'t>>| {
            let last = body.and_then(|b| children(b).into_iter().last());
            last.is_some_and(|s| s.kind() == "raise_statement")
        };
        if branches(node).into_iter().any(|(_, body)| raises(body)) {
            self.behind_all(node, &wanted, in_loop);
        }
    }

    /// Adds a guard for the rest of the block after a statement that may leave.
    fn behind(&mut self, node: Node<'t>, wanted: &[(Node<'t>, bool)], in_loop: bool) {
        if let (Some(next), Some(block)) = (node.next_named_sibling(), node.parent())
            && matches!(block.kind(), "block" | "module")
        {
            self.together(wanted, (line(next), last_line(block)), in_loop);
        }
    }

    /// Adds a guard for what follows the enclosing statements, if a raising statement is the last
    /// in its block.
    fn behind_all(&mut self, node: Node<'t>, wanted: &[(Node<'t>, bool)], in_loop: bool) {
        let mut at = node;
        while at.next_named_sibling().is_none() {
            match at.parent() {
                Some(up) if !up.kind().ends_with("_definition") => at = up,
                _ => return,
            }
        }
        if at.id() != node.id() {
            self.behind(at, wanted, in_loop);
        }
    }

    /// Adds a guard that is open if all of these have the wanted outcome; the last one decides.
    fn together(&mut self, wanted: &[(Node<'t>, bool)], target: (u32, u32), in_loop: bool) {
        let Some((last, outcome)) = wanted.last() else {
            return;
        };
        let mut ways = match self.left > 0 {
            true => self.ways.to(*last, *outcome),
            false => Vec::new(),
        };
        for (other, outcome) in wanted[..wanted.len() - 1].iter().rev() {
            if ways.is_empty() {
                break;
            }
            if let Some(first) = self.ways.to(*other, *outcome).into_iter().next() {
                for way in &mut ways {
                    // Changes for the last condition take precedence.
                    let mut all = first.clone();
                    all.append(way);
                    *way = all;
                }
            }
        }
        ways.truncate(MOST);
        let changes: usize = ways.iter().map(Vec::len).sum();
        self.left = self.left.saturating_sub(changes);
        self.found.push(Guard {
            gate: Gate::Condition(*outcome),
            decides: wanted.iter().map(|(node, _)| span(*node)).collect(),
            target,
            header: None,
            ways,
            repeats: false,
            in_loop,
        });
    }

    fn read_try(&mut self, node: Node<'t>, in_loop: bool) {
        let Some(body) = node.child_by_field_name("body") else {
            return;
        };
        let mut first = true;
        for clause in children(node) {
            if !clause.kind().starts_with("except") {
                continue;
            }
            let parts = children(clause);
            let Some(block) = parts.iter().find(|p| p.kind() == "block") else {
                continue;
            };
            let value = parts
                .first()
                .filter(|p| p.kind() != "block")
                .map(|p| match p.kind() {
                    "as_pattern" => p.named_child(0).unwrap_or(*p),
                    _ => *p,
                });
            let kinds = match value.map(bare) {
                // An exception that the earlier handlers do not catch.
                None if !first => vec!["KeyboardInterrupt".to_owned()],
                None => vec!["Exception".to_owned()],
                Some(v) if v.kind() == "tuple" => {
                    let all = children(v).into_iter();
                    all.map(|n| text(n, self.source).to_owned()).collect()
                }
                Some(v) => vec![text(v, self.source).to_owned()],
            };
            first = false;
            self.found.push(Guard {
                gate: Gate::Handler(kinds),
                decides: vec![span(body)],
                target: span(*block),
                header: Some(line(clause)),
                ways: Vec::new(),
                repeats: false,
                in_loop,
            });
        }
    }
}
