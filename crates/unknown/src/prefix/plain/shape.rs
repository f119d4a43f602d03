//! The operations of a run on its stand-ins, as a tree: which attributes, calls and items of which
//! value, and the answers.

use std::collections::{BTreeMap, BTreeSet};

use codexec_data::sandbox::Asked;

/// Longer paths may have been cut.
const LONGEST: usize = 290;

/// One value.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The values taken from it, as path steps, in order: `.name`, `()`, `[0]`.
    pub steps: Vec<String>,
    /// Questions with their answers, in order.
    pub said: BTreeMap<String, Vec<i64>>,
    /// Lines that took it from another value, or asked it.
    pub lines: BTreeSet<u32>,
}

impl Node {
    /// Whether it was only tested for truth, and was always true.
    pub(super) fn is_true(&self) -> bool {
        self.said.len() == 1 && self.said.get("bool").is_some_and(|said| !said.contains(&0))
    }

    /// Whether nothing was taken from it, and its items were not requested.
    pub(super) fn is_leaf(&self) -> bool {
        self.steps.is_empty() && !self.said.contains_key("len")
    }
}

/// All values, by path.
#[derive(Debug, Default)]
pub(super) struct Shape {
    nodes: BTreeMap<String, Node>,
}

impl Shape {
    /// Reads the questions to stand-ins.
    pub(super) fn of(asked: &[Asked]) -> Self {
        let mut shape = Self::default();
        for one in asked.iter().filter(|a| a.what.len() < LONGEST) {
            let (path, question) = split_question(&one.what);
            shape.add(path, one.line);
            if let (Some(question), Some(node)) = (question, shape.nodes.get_mut(path)) {
                let said = node.said.entry(question.to_owned()).or_default();
                said.extend(&one.said);
            }
        }
        shape
    }

    pub(super) fn get(&self, path: &str) -> Option<&Node> {
        self.nodes.get(path)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.nodes.iter().map(|(path, node)| (path.as_str(), node))
    }

    fn add(&mut self, path: &str, line: u32) {
        let mut end = path.len();
        for (k, start) in steps(path).into_iter().rev().enumerate() {
            let node = self.nodes.entry(path[..end].to_owned()).or_default();
            if k == 0 {
                node.lines.insert(line);
            }
            if start == 0 {
                break;
            }
            let step = &path[start..end];
            let above = self.nodes.entry(path[..start].to_owned()).or_default();
            if !above.steps.iter().any(|s| s == step) {
                above.steps.push(step.to_owned());
            }
            end = start;
        }
    }
}

/// Returns the starts of the root and the steps of a path.
fn steps(path: &str) -> Vec<usize> {
    let mut found = vec![0];
    let mut at = 0;
    while at < path.len() {
        let rest = &path[at..];
        let length = if rest.starts_with("[\"") {
            rest.find("\"]").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('[') {
            rest.find(']').map_or(rest.len(), |end| end + 1)
        } else if rest.starts_with("()") {
            2
        } else {
            let inside = rest.char_indices().skip(1);
            let mut ends = inside.filter(|(_, c)| matches!(c, '.' | '[' | '('));
            ends.next().map_or(rest.len(), |(end, _)| end)
        };
        at += length;
        if at < path.len() {
            found.push(at);
        }
    }
    found
}

/// Splits a path and the question after it, if there is one.
fn split_question(what: &str) -> (&str, Option<&str>) {
    let ends = steps(what).into_iter().skip(1).chain([what.len()]);
    let mut start = 0;
    for end in ends {
        let step = &what[start..end];
        if !step.starts_with('[')
            && let Some(blank) = step.find(' ')
        {
            let at = start + blank;
            return (&what[..at], Some(&what[at + 1..]));
        }
        start = end;
    }
    (what, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_steps_and_questions() {
        let asked = |line, what: &str, said: &[i64]| Asked {
            line,
            what: what.to_owned(),
            said: said.to_vec(),
        };
        let shape = Shape::of(&[
            asked(1, "db.rows()", &[]),
            asked(1, "db.rows() len", &[2]),
            asked(2, "db.rows()[][\"a.b c\"] == x.y", &[1]),
        ]);
        assert_eq!(shape.get("db").unwrap().steps, [".rows"]);
        let rows = shape.get("db.rows()").unwrap();
        assert_eq!(
            (&rows.steps[..], &rows.said["len"][..]),
            (&["[]".to_owned()][..], &[2][..])
        );
        let item = shape.get("db.rows()[][\"a.b c\"]").unwrap();
        assert!(item.is_leaf() && item.said["== x.y"] == [1]);
        assert!(item.lines.contains(&2) && !rows.lines.contains(&2));
    }
}
