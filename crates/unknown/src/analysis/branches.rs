//! Which way an undecided condition is to go so that most of the program runs.
//!
//! A stand-in has no truth of its own: the first time a condition asks, it may say what leads
//! further. What leads further is read off the syntax: the branch with more statements, where one
//! that leaves the function costs all that follows. This decides nothing about real values.

use std::cell::RefCell;
use std::collections::HashMap;

use codexec_data::sandbox::GuideWish;

use super::syntax::{bare, branches, children, text};
use super::tree::Node;

/// What a condition is asked to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The outcome that leads further.
    pub outcome: bool,
    /// What other values may say at the same place.
    pub turn: Turn,
}

/// Whether the outcome changes when the same condition is asked of another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It stays.
    Never,
    /// Every other value gives the other one: a loop sees both branches.
    EveryOther,
    /// The condition of a `while`: after some rounds it ends.
    EndsLoop,
}

impl Wanted {
    /// As the runtime reads it.
    pub(crate) fn wish(self, line: u32) -> GuideWish {
        let turn = match self.turn {
            Turn::Never => 0,
            Turn::EveryOther => 1,
            Turn::EndsLoop => 2,
        };
        GuideWish {
            line,
            outcome: self.outcome,
            turn,
        }
    }
}

/// Outcomes by the number of the node that is asked: an operand of a condition that is itself no `and`,
/// `or` or `not`.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    by_node: Vec<Option<Wanted>>,
}

impl Outcomes {
    /// Reads every condition below `root`.
    pub(crate) fn of(root: Node<'_>, source: &str) -> Self {
        let mut outcomes = Self {
            by_node: vec![None; root.tree().len()],
        };
        let blocks = Blocks::of(root, source);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            outcomes.read(node, &blocks);
            open.extend(children(node));
        }
        outcomes
    }

    /// What is wanted of this node, if it is an operand of a condition.
    pub(crate) fn get(&self, node: Node<'_>) -> Option<Wanted> {
        self.by_node.get(node.id()).copied().flatten()
    }

    fn read(&mut self, node: Node<'_>, blocks: &Blocks<'_>) {
        let plain = |outcome| Wanted {
            outcome,
            turn: Turn::EveryOther,
        };
        match node.kind() {
            "if_statement" => self.read_if(node, blocks),
            "while_statement" => {
                let wanted = Wanted {
                    outcome: true,
                    turn: Turn::EndsLoop,
                };
                self.condition(node.child_by_field_name("condition"), wanted);
            }
            "assert_statement" => {
                let wanted = Wanted {
                    outcome: true,
                    turn: Turn::Never,
                };
                self.condition(node.named_child(0), wanted);
            }
            "conditional_expression" => self.condition(node.named_child(1), plain(true)),
            "if_clause" => self.condition(
                node.named_child(0),
                Wanted {
                    outcome: true,
                    turn: Turn::Never,
                },
            ),
            _ => {}
        }
    }

    fn read_if(&mut self, node: Node<'_>, blocks: &Blocks<'_>) {
        let rest = blocks.following(node);
        // From the last branch on: what is gained by going past the ones before it.
        let (mut otherwise, mut leaves) = (rest, false);
        for (condition, body) in branches(node).into_iter().rev() {
            let ends = body.is_some_and(|body| blocks.ending(body) != Ending::Goes);
            let gain = body.map_or(0, |body| blocks.weight(body)) + if ends { 0 } else { rest };
            let gone = body.is_some_and(|body| blocks.ending(body) == Ending::Leaves);
            if condition.is_none() {
                (otherwise, leaves) = (gain, gone);
                continue;
            }
            // Of two that lead equally far, the one that does not leave.
            let outcome = gain > otherwise || gain == otherwise && !ends;
            let other_leaves = if outcome { leaves } else { gone };
            let turn = if other_leaves {
                Turn::Never
            } else {
                Turn::EveryOther
            };
            self.condition(condition, Wanted { outcome, turn });
            if outcome {
                (otherwise, leaves) = (gain, gone);
            }
        }
    }

    fn condition(&mut self, node: Option<Node<'_>>, wanted: Wanted) {
        let Some(node) = node.map(bare) else { return };
        match node.kind() {
            "not_operator" => self.condition(
                node.child_by_field_name("argument"),
                Wanted {
                    outcome: !wanted.outcome,
                    ..wanted
                },
            ),
            "boolean_operator" => {
                self.condition(node.child_by_field_name("left"), wanted);
                self.condition(node.child_by_field_name("right"), wanted);
            }
            _ => {
                if let Some(at) = self.by_node.get_mut(node.id()) {
                    *at = Some(wanted);
                }
            }
        }
    }
}

/// How a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Execution goes on behind it.
    Goes,
    /// `break` or `continue`.
    Jumps,
    /// It leaves the function or the program.
    Leaves,
}

/// What blocks weigh and how they end, each worked out once.
struct Blocks<'s> {
    source: &'s str,
    /// Statements that begin before the node of each number.
    before: Vec<usize>,
    endings: RefCell<HashMap<usize, Ending>>,
}

impl<'s> Blocks<'s> {
    fn of(root: Node<'_>, source: &'s str) -> Self {
        let mut before = vec![0; root.tree().len() + 1];
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let kind = node.kind();
            // What is raised is not executed without crashing.
            let counts = kind.ends_with("_statement") || kind.ends_with("_definition");
            if counts && kind != "raise_statement" {
                before[node.id() + 1] = 1;
            }
            open.extend(children(node));
        }
        for at in 1..before.len() {
            before[at] += before[at - 1];
        }
        Self {
            source,
            before,
            endings: RefCell::default(),
        }
    }

    /// Statements in and below a node.
    fn weight(&self, node: Node<'_>) -> usize {
        self.before[node.after()] - self.before[node.id()]
    }

    fn ending(&self, block: Node<'_>) -> Ending {
        let known = self.endings.borrow().get(&block.id()).copied();
        known.unwrap_or_else(|| {
            let found = self.read_ending(block);
            self.endings.borrow_mut().insert(block.id(), found);
            found
        })
    }

    fn read_ending(&self, block: Node<'_>) -> Ending {
        let Some(last) = children(block).last().copied() else {
            return Ending::Goes;
        };
        match last.kind() {
            "return_statement" | "raise_statement" => Ending::Leaves,
            "break_statement" | "continue_statement" => Ending::Jumps,
            "try_statement" | "with_statement" => {
                let body = last.child_by_field_name("body");
                body.map_or(Ending::Goes, |body| self.ending(body))
            }
            "expression_statement" => {
                let called = last
                    .named_child(0)
                    .filter(|c| c.kind() == "call")
                    .and_then(|c| c.child_by_field_name("function"));
                match called.map(|f| text(f, self.source)) {
                    Some("exit" | "quit" | "sys.exit" | "os._exit") => Ending::Leaves,
                    _ => Ending::Goes,
                }
            }
            "if_statement" => {
                let others: Vec<_> = last.children_by_field_name("alternative").collect();
                let complete = others.last().is_some_and(|o| o.kind() == "else_clause");
                let bodies = others.iter().filter_map(|o| {
                    o.child_by_field_name("consequence")
                        .or_else(|| o.child_by_field_name("body"))
                });
                let mut all = last
                    .child_by_field_name("consequence")
                    .into_iter()
                    .chain(bodies);
                if complete && all.all(|body| self.ending(body) == Ending::Leaves) {
                    Ending::Leaves
                } else {
                    Ending::Goes
                }
            }
            _ => Ending::Goes,
        }
    }

    /// Statements that follow one in its function or module, if nothing leaves before them.
    fn following(&self, node: Node<'_>) -> usize {
        let mut found = 0;
        let mut at = node;
        while let Some(parent) = at.parent() {
            if matches!(parent.kind(), "block" | "module") {
                found += self.before[parent.after()] - self.before[at.after()];
                if parent.kind() == "block" && self.ending(parent) == Ending::Leaves {
                    break;
                }
            }
            if matches!(parent.kind(), "function_definition" | "class_definition") {
                break;
            }
            at = parent;
        }
        found
    }
}
