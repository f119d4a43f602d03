//! Generates inputs that fit how a program reads them: `int(input())` gets a line with one integer,
//! `map(int, input().split())` unpacked to two names a line with two. The program is followed in text order with the
//! generated numbers: what is read `n` times gets `n` lines. Nothing is run, and branches are taken in order.

mod expressions;
mod shapes;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use ruff_python_ast::{Expr, Stmt, StmtFor, StmtWhile};

use self::shapes::{Held, is_reader, literal, rounds_of, uses_of};
use super::bounds::Bounds;
use crate::syntax::{SyntaxError, with_parsed};

/// Maximum lines of an input.
const MOST_LINES: usize = 200;
/// Maximum depth of followed calls.
const MOST_DEPTH: usize = 8;
/// Most statements and expressions that are looked at.
const MOST_VISITS: usize = 50_000;
/// Maximum repetitions of a loop.
const MOST_ROUNDS: i64 = 24;

/// The reads of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guess {
    /// No statement reads standard input.
    ReadsNothing,
    /// Inputs that fit; all different.
    Inputs(Vec<String>),
}

/// At most `most` inputs that fit how a program reads them, within the bounds of a description.
///
/// # Errors
/// The first syntax error.
///
/// ```
/// use codexec_data::errors::{Guess, plausible_inputs};
/// let source = "n = int(input())\na = list(map(int, input().split()))\nprint(a[n - 1])\n";
/// let Guess::Inputs(inputs) = plausible_inputs(source, None, 3, 0)? else {
///     return Err("reads its input".into());
/// };
/// let lines: Vec<&str> = inputs[0].lines().collect();
/// let n: usize = lines[0].parse()?;
/// assert_eq!(lines[1].split(' ').count(), n);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plausible_inputs(
    source: &str,
    description: Option<&str>,
    most: usize,
    seed: u64,
) -> Result<Guess, SyntaxError> {
    let reads = ["input", "stdin", "open(0"];
    if !reads.iter().any(|word| source.contains(word)) {
        return with_parsed(source, |_| Guess::ReadsNothing);
    }
    let bounds = description.map(Bounds::of).unwrap_or_default();
    with_parsed(source, |parsed| {
        let mut inputs: Vec<String> = Vec::new();
        // Slightly more draws than inputs, because small ones repeat.
        for draw in 0..most * 4 {
            if inputs.len() == most {
                break;
            }
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(draw as u64);
            let mut reader = Reader::new(&bounds, parsed.suite(), rng, draw);
            reader.body(parsed.suite());
            if !reader.has_read {
                return Guess::ReadsNothing;
            }
            let text = reader.text();
            if !inputs.contains(&text) {
                inputs.push(text);
            }
        }
        Guess::Inputs(inputs)
    })
}

/// Types that a line is converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Float,
    Word,
}

/// Follows a program.
struct Reader<'p> {
    bounds: &'p Bounds,
    functions: BTreeMap<&'p str, Callee<'p>>,
    /// Names that hold a line, or yield one.
    lines_held: Held,
    readers: BTreeSet<String>,
    known: BTreeMap<String, i64>,
    /// The integer that was read last by itself.
    last: Option<i64>,
    lines: Vec<String>,
    has_read: bool,
    rng: ChaCha8Rng,
    /// Upper end of small numbers: later draws have larger ones.
    high: i64,
    /// Numbers are 0: the line that ends a loop.
    zeros: bool,
    depth: usize,
    /// Remaining part of [`MOST_VISITS`].
    visits: usize,
}

/// A function whose body reads.
#[derive(Clone, Copy)]
enum Callee<'p> {
    Body(&'p [Stmt]),
    Value(&'p Expr),
}

/// Requirements of an assignment's target.
#[derive(Clone, Copy, Default)]
struct Wanted<'p> {
    names: &'p [Expr],
    name: Option<&'p str>,
}

impl<'p> Reader<'p> {
    fn new(bounds: &'p Bounds, body: &'p [Stmt], rng: ChaCha8Rng, draw: usize) -> Self {
        let mut reader = Self {
            bounds,
            functions: BTreeMap::new(),
            lines_held: uses_of(body),
            readers: BTreeSet::new(),
            known: BTreeMap::new(),
            last: None,
            lines: Vec::new(),
            has_read: false,
            rng,
            high: [5, 9, 3, 20][draw % 4],
            zeros: false,
            depth: 0,
            visits: MOST_VISITS,
        };
        reader.define(body);
        reader
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Functions, and other names of `input`.
    fn define(&mut self, body: &'p [Stmt]) {
        for statement in body {
            match statement {
                Stmt::FunctionDef(node) => {
                    self.functions.insert(&node.name, Callee::Body(&node.body));
                }
                Stmt::ClassDef(node) => self.define(&node.body),
                Stmt::If(node) => self.define(&node.body),
                Stmt::Assign(node) => {
                    let Some(name) = node.targets.first().and_then(Expr::as_name_expr) else {
                        continue;
                    };
                    match &*node.value {
                        Expr::Lambda(lambda) => {
                            let value = Callee::Value(&lambda.body);
                            self.functions.insert(&name.id, value);
                        }
                        value if is_reader(value, &self.readers) => {
                            self.readers.insert(name.id.to_string());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    fn body(&mut self, body: &'p [Stmt]) {
        for statement in body {
            if self.lines.len() >= MOST_LINES || !self.visit() {
                return;
            }
            self.statement(statement);
        }
    }

    /// Whether there is time for one more.
    fn visit(&mut self) -> bool {
        self.visits = self.visits.saturating_sub(1);
        self.visits > 0
    }

    fn statement(&mut self, statement: &'p Stmt) {
        match statement {
            Stmt::Assign(node) => {
                let wanted = match node.targets.first() {
                    Some(Expr::Tuple(tuple)) => Wanted {
                        names: &tuple.elts,
                        name: None,
                    },
                    Some(Expr::List(list)) => Wanted {
                        names: &list.elts,
                        name: None,
                    },
                    Some(Expr::Name(name)) => Wanted {
                        names: &[],
                        name: Some(&name.id),
                    },
                    _ => Wanted::default(),
                };
                if let (Some(name), Some(number)) = (wanted.name, literal(&node.value)) {
                    self.known.insert(name.to_owned(), number);
                }
                self.expr(&node.value, wanted);
            }
            Stmt::AnnAssign(node) => {
                if let Some(value) = &node.value {
                    let name = node.target.as_name_expr().map(|name| name.id.as_str());
                    self.expr(value, Wanted { names: &[], name });
                }
            }
            Stmt::AugAssign(node) => self.expr(&node.value, Wanted::default()),
            Stmt::Expr(node) => self.expr(&node.value, Wanted::default()),
            Stmt::Return(node) => {
                if let Some(value) = &node.value {
                    self.expr(value, Wanted::default());
                }
            }
            Stmt::For(node) => self.for_loop(node),
            Stmt::While(node) => self.while_loop(node),
            Stmt::If(node) => {
                self.expr(&node.test, Wanted::default());
                self.body(&node.body);
            }
            Stmt::With(node) => {
                for item in &node.items {
                    self.expr(&item.context_expr, Wanted::default());
                }
                self.body(&node.body);
            }
            Stmt::Try(node) => {
                self.body(&node.body);
                self.body(&node.orelse);
                self.body(&node.finalbody);
            }
            Stmt::Assert(node) => self.expr(&node.test, Wanted::default()),
            Stmt::Match(node) => self.expr(&node.subject, Wanted::default()),
            _ => {}
        }
    }

    fn for_loop(&mut self, node: &'p StmtFor) {
        if self.is_stream(&node.iter) {
            self.has_read = true;
            let shape = node.target.as_name_expr().and_then(|name| {
                let held = self.lines_held.get(name.id.as_str());
                held.copied()
            });
            for _ in 0..2 {
                self.line(shape.unwrap_or((Kind::Word, None)), Wanted::default());
            }
            return;
        }
        let before = self.lines.len();
        self.expr(&node.iter, Wanted::default());
        let rounds = match rounds_of(&node.iter) {
            Some(count) => self.value(count),
            None if self.lines.len() > before => self.last,
            None => None,
        };
        for _ in 0..rounds.unwrap_or(2).clamp(0, MOST_ROUNDS) {
            self.body(&node.body);
        }
        self.body(&node.orelse);
    }

    fn while_loop(&mut self, node: &'p StmtWhile) {
        self.expr(&node.test, Wanted::default());
        let before = self.lines.len();
        self.body(&node.body);
        if self.lines.len() == before {
            return;
        }
        self.body(&node.body);
        // The line that ends it: zeros, as in most such programs.
        self.zeros = true;
        self.body(&node.body);
        self.zeros = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(source: &str) -> String {
        match plausible_inputs(source, None, 1, 0).unwrap() {
            Guess::Inputs(all) => all[0].clone(),
            Guess::ReadsNothing => String::new(),
        }
    }

    /// The number of words of each line.
    fn shape(source: &str) -> Vec<usize> {
        let text = first(source);
        text.lines().map(|l| l.split_whitespace().count()).collect()
    }

    fn integers(text: &str) -> bool {
        text.split_whitespace()
            .all(|word| word.parse::<i64>().is_ok())
    }

    #[test]
    fn lines_have_as_many_integers_as_are_unpacked() {
        let source = "a, b, c = map(int, input().split())
print(a + b + c)
";
        assert_eq!(shape(source), [3]);
        assert!(integers(&first(source)));
        assert_eq!(
            shape(
                "(a, b) = [int(x) for x in input().split()]
"
            ),
            [2]
        );
        assert_eq!(
            shape(
                "a, b = int(input()), int(input())
"
            ),
            [1, 1]
        );
    }

    #[test]
    fn what_is_read_n_times_gets_n_lines() {
        let source = "n = int(input())
for _ in range(n):
    x, y = map(int, input().split())
";
        let text = first(source);
        let n: usize = text.lines().next().unwrap().parse().unwrap();
        assert_eq!(text.lines().count(), n + 1);
        let list = "n = int(input())
xs = [int(input()) for _ in range(n)]
";
        let text = first(list);
        let n: usize = text.lines().next().unwrap().parse().unwrap();
        assert_eq!(text.lines().count(), n + 1);
    }

    #[test]
    fn functions_and_other_names_of_input_are_followed() {
        let source = "import sys
readline = sys.stdin.readline
def ints():
    return map(int, readline().split())
num = lambda: int(readline())
def main():
    n = num()
    a, b = ints()
    print(n, a, b)
if __name__ == '__main__':
    main()
";
        assert_eq!(shape(source), [1, 2]);
        assert!(integers(&first(source)));
    }

    #[test]
    fn a_line_that_is_held_is_what_it_is_used_as() {
        assert!(integers(&first(
            "s = input()
n = int(s)
"
        )));
        assert!(integers(&first(
            "parts = input().split()
n = int(parts[0])
"
        )));
        assert!(integers(&first(
            "a, b = input().split()
print(int(a) + int(b))
"
        )));
        assert!(!integers(&first(
            "s = input()
print(s.upper())
"
        )));
        assert!(integers(&first(
            "import sys
for line in sys.stdin:
    a, b = map(int, line.split())
"
        )));
    }

    #[test]
    fn loops_end_with_zeros() {
        let source = "while True:
    n, m = map(int, input().split())
    if n == 0: break
";
        assert!(first(source).ends_with(
            "0 0
"
        ));
    }

    #[test]
    fn bounds_of_a_description_hold() {
        let source = "n = int(input())
";
        let found = plausible_inputs(source, Some("40 ≤ n ≤ 42"), 8, 1).unwrap();
        let Guess::Inputs(all) = found else {
            panic!("reads")
        };
        assert!(all.len() > 1);
        for text in all {
            let n: i64 = text.trim().parse().unwrap();
            assert!((40..=42).contains(&n));
        }
    }

    #[test]
    fn programs_that_read_nothing_and_hostile_ones_are_no_panic() {
        assert_eq!(
            plausible_inputs(
                "x = 1
", None, 3, 0
            )
            .unwrap(),
            Guess::ReadsNothing
        );
        let endless = "def f():
    input()
    f()
f()
for a in range(9**9):
    f()
";
        assert!(shape(endless).len() <= MOST_LINES + MOST_DEPTH);
        assert!(
            plausible_inputs(
                "input(
", None, 3, 0
            )
            .is_err()
        );
        let nested = "for a in range(6):
"
        .to_owned();
        let nested: String = (0..30)
            .map(|k| format!("{}{nested}", " ".repeat(k)))
            .collect();
        assert!(
            shape(&format!(
                "{nested}{}input()
",
                " ".repeat(30)
            ))
            .len()
                <= MOST_LINES + 8
        );
    }
}
