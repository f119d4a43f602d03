//! The outcome that an undecided condition should have so that most of the program runs.
//!
//! A stand-in has no truth value of its own, so the first condition that tests it may choose one.
//! The outcome is read off the syntax: the branch by which one execution reaches more lines. A
//! branch that leaves the function loses the lines after it ([`reach`](super::reach)). Nothing
//! here decides about real values.

use codexec_data::sandbox::GuideWish;

use super::reach::{Ending, Reach};
use super::syntax::{bare, branches, children};
use super::tree::Node;

/// The wanted outcome of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The outcome that leads further.
    pub outcome: bool,
    /// The outcomes for other values at the same place.
    pub turn: Turn,
}

/// Whether the outcome changes when the same condition is asked of another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It does not change.
    Never,
    /// Every other value gets the other outcome: a loop runs both branches.
    EveryOther,
    /// The condition of a `while`: it ends the loop after some rounds.
    EndsLoop,
}

impl Wanted {
    /// Converts it to the runtime's form.
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

/// Wanted outcomes by node number. The nodes are operands of conditions that are not themselves
/// `and`, `or` or `not`.
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
        let reach = Reach::of(root, source);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            outcomes.read(node, &reach);
            open.extend(children(node));
        }
        outcomes
    }

    /// Returns the wanted outcome of a node, if the node is an operand of a condition.
    pub(crate) fn get(&self, node: Node<'_>) -> Option<Wanted> {
        self.by_node.get(node.id()).copied().flatten()
    }

    fn read(&mut self, node: Node<'_>, reach: &Reach<'_>) {
        let plain = |outcome| Wanted {
            outcome,
            turn: Turn::EveryOther,
        };
        match node.kind() {
            "if_statement" => self.read_if(node, reach),
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

    fn read_if(&mut self, node: Node<'_>, reach: &Reach<'_>) {
        // Backwards from the last branch: the lines gained by skipping the branches before it.
        let (mut otherwise, mut leaves) = (reach.behind(node), false);
        for (number, (condition, body)) in branches(node).into_iter().enumerate().rev() {
            let ending = body.map_or(Ending::Goes, |body| reach.ending(body));
            let gone = ending == Ending::Leaves;
            let gain = body.map_or(0, |body| reach.through(body, node));
            let Some(condition) = condition else {
                (otherwise, leaves) = (gain, gone);
                continue;
            };
            // Of two branches with equal gain, the one that does not leave.
            let is_as_far = gain == otherwise && ending == Ending::Goes;
            let outcome = gain > otherwise || is_as_far;
            let other_leaves = if outcome { leaves } else { gone };
            let turn = if other_leaves {
                Turn::Never
            } else {
                Turn::EveryOther
            };
            self.condition(Some(condition), Wanted { outcome, turn });
            if outcome {
                (otherwise, leaves) = (gain, gone);
            }
            // The line of an `elif` is executed; that of an `else` is not.
            otherwise += u32::from(number > 0);
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
