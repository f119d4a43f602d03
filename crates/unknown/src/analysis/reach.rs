//! How many lines one execution can reach, in a block and after a statement.

use std::cell::RefCell;
use std::collections::HashMap;

use super::syntax::{branches, children, last_line, line, text};
use super::tree::Node;

/// How a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Execution continues after it.
    Goes,
    /// `break` or `continue`.
    Jumps,
    /// It leaves the function or the program.
    Leaves,
}

/// The most lines on a way through a piece of code, by how the way ends; `None` if no way ends like
/// that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Ways {
    goes: Option<u32>,
    jumps: Option<u32>,
    leaves: Option<u32>,
}

impl Ways {
    /// This number of lines, then execution continues.
    fn on(lines: u32) -> Self {
        Self {
            goes: Some(lines),
            ..Self::default()
        }
    }

    fn each(self, of: impl Fn(u32) -> u32) -> Self {
        Self {
            goes: self.goes.map(&of),
            jumps: self.jumps.map(&of),
            leaves: self.leaves.map(&of),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            goes: self.goes.max(other.goes),
            jumps: self.jumps.max(other.jumps),
            leaves: self.leaves.max(other.leaves),
        }
    }

    fn then(self, next: Self) -> Self {
        let Some(lines) = self.goes else { return self };
        let stays = Self { goes: None, ..self };
        stays.or(next.each(|more| lines.saturating_add(more)))
    }

    /// The most lines, with the lines that follow a way that continues and a way that jumps.
    fn most(self, behind: u32, behind_loop: u32) -> u32 {
        let goes = self.goes.map(|lines| lines.saturating_add(behind));
        let jumps = self.jumps.map(|lines| lines.saturating_add(behind_loop));
        goes.max(jumps).max(self.leaves).unwrap_or(0)
    }
}

/// The lines that can be reached in a program.
pub(super) struct Reach<'s> {
    source: &'s str,
    /// Of blocks and statements, by node number.
    ways: Vec<Ways>,
    /// Lines after a statement, by its number.
    behind: Vec<u32>,
    /// Lines after the loop that contains a block, by its number.
    behind_loop: Vec<u32>,
    endings: RefCell<HashMap<usize, Ending>>,
}

impl<'s> Reach<'s> {
    /// Reads a program.
    pub(super) fn of(root: Node<'_>, source: &'s str) -> Self {
        let count = root.tree().len();
        let mut found = Self {
            source,
            ways: vec![Ways::default(); count],
            behind: vec![0; count],
            behind_loop: vec![0; count],
            endings: RefCell::default(),
        };
        let mut parts = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if is_block(node) || node.parent().is_some_and(is_block) {
                parts.push(node);
            }
            open.extend(children(node));
        }
        parts.sort_unstable_by_key(|node| node.id());
        // Inner nodes first.
        for node in parts.iter().rev() {
            found.ways[node.id()] = match is_block(*node) {
                true => found.sequence(&children(*node)),
                false => found.statement(*node),
            };
        }
        for node in parts.iter().filter(|node| is_block(**node)) {
            found.follow(*node);
        }
        found
    }

    /// Returns the most lines that are reached after a statement.
    pub(super) fn behind(&self, statement: Node<'_>) -> u32 {
        self.behind[statement.id()]
    }

    /// Returns the most lines that are reached in a block of a statement and after it.
    pub(super) fn through(&self, block: Node<'_>, of: Node<'_>) -> u32 {
        self.ways[block.id()].most(self.behind(of), self.behind_loop[block.id()])
    }

    /// Returns how a block ends.
    pub(super) fn ending(&self, block: Node<'_>) -> Ending {
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
            "expression_statement" if self.is_exit(last) => Ending::Leaves,
            "if_statement" => {
                let all = branches(last);
                let is_complete = all.last().is_some_and(|(condition, _)| condition.is_none());
                let leaves = |body: Option<Node<'_>>| {
                    body.is_some_and(|body| self.ending(body) == Ending::Leaves)
                };
                match is_complete && all.into_iter().all(|(_, body)| leaves(body)) {
                    true => Ending::Leaves,
                    false => Ending::Goes,
                }
            }
            _ => Ending::Goes,
        }
    }

    fn is_exit(&self, statement: Node<'_>) -> bool {
        let called = statement
            .named_child(0)
            .filter(|call| call.kind() == "call")
            .and_then(|call| call.child_by_field_name("function"));
        let called = called.map(|function| text(function, self.source));
        matches!(called, Some("exit" | "quit" | "sys.exit" | "os._exit"))
    }

    fn sequence(&self, statements: &[Node<'_>]) -> Ways {
        let ways = statements.iter().map(|one| self.ways[one.id()]);
        ways.fold(Ways::on(0), Ways::then)
    }

    fn of_block(&self, block: Option<Node<'_>>) -> Ways {
        block.map_or(Ways::on(0), |block| self.ways[block.id()])
    }

    fn statement(&self, node: Node<'_>) -> Ways {
        let part = |name| node.child_by_field_name(name);
        let clause = |kind: &str| {
            let found = node.named_children().find(|child| child.kind() == kind);
            // `finally` has no field for its block.
            let block = found.and_then(|found| found.named_children().find(|c| is_block(*c)));
            match block {
                Some(block) => self.ways[block.id()].each(|lines| lines + 1),
                None => Ways::on(0),
            }
        };
        let head = |body: Option<Node<'_>>| match body {
            Some(body) => line(body).saturating_sub(line(node)).max(1),
            None => lines(node),
        };
        match node.kind() {
            // A `raise` crashes the program, so its lines do not count.
            "raise_statement" => leaving(0),
            "return_statement" => leaving(lines(node)),
            "expression_statement" if self.is_exit(node) => leaving(lines(node)),
            "break_statement" | "continue_statement" => Ways {
                jumps: Some(1),
                ..Ways::default()
            },
            "if_statement" => {
                let mut found = Ways::on(0);
                for (number, (condition, body)) in branches(node).into_iter().enumerate().rev() {
                    let of_body = self.of_block(body);
                    found = if condition.is_some() {
                        of_body.or(found)
                    } else {
                        of_body
                    };
                    // The line of an `elif` is executed; that of an `else` is not.
                    let is_elif = number > 0 && condition.is_some();
                    found = found.each(|lines| lines + u32::from(is_elif));
                }
                let head = head(part("consequence"));
                found.each(|lines| lines + head)
            }
            "for_statement" | "while_statement" => {
                let body = part("body");
                let of_body = self.of_block(body);
                // It runs more than once, so all its branches are seen.
                let around = head(body) + body.map_or(0, |body| lines(body));
                let ends = Ways {
                    jumps: None,
                    ..Ways::on(around)
                };
                let leaves = of_body.leaves.map(|lines| lines + head(body));
                ends.then(clause("else_clause")).or(Ways {
                    leaves,
                    ..Ways::default()
                })
            }
            "try_statement" => {
                let body = self.of_block(part("body")).each(|lines| lines + 1);
                let body = body.then(clause("else_clause"));
                let last = clause("finally_clause");
                body.each(|lines| lines + last.most(0, 0))
            }
            "with_statement" => {
                let head = head(part("body"));
                self.of_block(part("body")).each(|lines| lines + head)
            }
            "match_statement" => {
                let cases = part("body").map(children).unwrap_or_default();
                let ways = cases.into_iter().map(|case| self.ways[case.id()]);
                ways.fold(Ways::on(0), Ways::or).each(|lines| lines + 1)
            }
            "case_clause" => {
                let body = self.of_block(part("consequence"));
                body.each(|lines| lines + 1)
            }
            _ => Ways::on(lines(node)),
        }
    }

    /// Computes the lines that follow the statements of a block.
    fn follow(&mut self, block: Node<'_>) {
        let owner = owner(block);
        let (mut behind, mut behind_loop) = (0, 0);
        if let Some(owner) = owner {
            behind = self.behind[owner.id()];
            behind_loop = match owner.kind() {
                "for_statement" | "while_statement" => behind,
                _ => owner
                    .parent()
                    .map_or(0, |outer| self.behind_loop[outer.id()]),
            };
        }
        self.behind_loop[block.id()] = behind_loop;
        // Only one of several cases is executed.
        let are_cases = owner.is_some_and(|owner| owner.kind() == "match_statement");
        let mut ways = Ways::on(0);
        for statement in children(block).into_iter().rev() {
            self.behind[statement.id()] = ways.most(behind, behind_loop);
            if !are_cases {
                ways = self.ways[statement.id()].then(ways);
            }
        }
    }
}

fn leaving(lines: u32) -> Ways {
    Ways {
        leaves: Some(lines),
        ..Ways::default()
    }
}

fn is_block(node: Node<'_>) -> bool {
    matches!(node.kind(), "block" | "module")
}

fn lines(node: Node<'_>) -> u32 {
    last_line(node).saturating_sub(line(node)) + 1
}

/// Returns the statement that a block is part of; `None` for the body of a function, a class or the
/// module.
fn owner(block: Node<'_>) -> Option<Node<'_>> {
    let mut at = block;
    while let Some(parent) = at.parent() {
        if is_block(parent) {
            let is_own = matches!(
                at.kind(),
                "function_definition" | "class_definition" | "decorated_definition"
            );
            return (!is_own && at.id() != block.id()).then_some(at);
        }
        at = parent;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::branches::Outcomes;
    use crate::analysis::syntax::with_tree;

    /// Returns the wanted outcomes of a program's conditions, in order.
    fn wanted(source: &str) -> Vec<bool> {
        with_tree(source, |tree| {
            let root = tree.root_node();
            let outcomes = Outcomes::of(root, source);
            let mut found = Vec::new();
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if let Some(wanted) = outcomes.get(node) {
                    found.push((node.id(), wanted.outcome));
                }
                open.extend(children(node));
            }
            found.sort_unstable();
            Ok(found.into_iter().map(|(_, outcome)| outcome).collect())
        })
        .unwrap()
    }

    #[test]
    fn lines_count_that_one_execution_can_reach() {
        // A long statement counts more than a short one, and a branch that leaves loses what
        // follows.
        let long = "if a:\n    f(\n        1,\n        2,\n    )\nelse:\n    g()\n    h()\n";
        assert_eq!(wanted(long), [true]);
        assert_eq!(wanted("if a:\n    return\nf()\ng()\n"), [false]);
        assert_eq!(
            wanted("if a:\n    f()\n    g()\n    return 1\nh()\n"),
            [true]
        );
        // One branch of a nested `if` is reached.
        let nested = "if a:\n    if b:\n        f()\n        f()\n    elif c:\n        f()\n        f()\n\
                      else:\n    g()\n    g()\n    g()\n    g()\n    g()\n    g()\n";
        assert_eq!(wanted(nested), [false, false, true]);
        // The lines after a branch that leaves early do not count for it.
        let early = "if a:\n    f()\n    return\nif b:\n    return\ng()\n";
        assert_eq!(wanted(early), [false, false]);
    }

    #[test]
    fn jumps_go_on_behind_the_loop() {
        let source =
            "for x in y:\n    if x:\n        f()\n        g()\n        continue\n    h()\nk()\n";
        assert_eq!(wanted(source), [true]);
        let source = "try:\n    if x:\n        return\n    f()\nfinally:\n    g()\nmatch x:\n    case 1:\n        f()\n    case y if y:\n        g()\n";
        assert!(!wanted(source)[0]);
    }
}
