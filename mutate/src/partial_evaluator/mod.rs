//! A partial evaluator of Python: specialises a program to one standard input, by turning its input
//! statements into assignments of constants.
//!
//! It computes the values of expressions that depend only on the input and constants (reads,
//! conversions, arithmetic, calls of the program's own functions), as far as needed to determine each
//! read; everything else stays for the run. It is not a mutation: the program's meaning is unchanged.
//!
//! The program is walked in execution order: the input determines each read as long as loops have a
//! known number of iterations and branches a known outcome. `n = int(input())` becomes `n = 3`; a
//! read in a loop takes its values from a list assigned before the loop. Once the order of reads is
//! uncertain, the rest of the program is unchanged and keeps the rest of the input: the result has
//! the same output and outcome. Line numbers can change.
//!
//! | module | what |
//! |---|---|
//! | `names`, `leak`, `binds` | which names could read, which statements bind |
//! | `walk`, `things` | the walk's state |
//! | `statements`, `loops`, `eval`, `calls`, `functions` | what is walked, in the order in which it runs |
//! | `value` | what reads give, conversions, literals |
//! | `write` | the new text |
//!
//! Nothing is run and nothing is guessed. Not analysed, and left: classes and generators that read,
//! loops until the input ends, readers passed as arguments.

mod binds;
mod calls;
mod eval;
mod functions;
mod input_taint;
mod loops;
mod names;
mod scope;
mod statements;
mod value;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use ruff_python_ast::Stmt;
use tree_sitter::Tree;

use crate::MutateError;
use crate::parse::Parsed;

/// Deeper programs are left unchanged.
const MOST_DEPTH: u32 = 150;

/// Longer input is not a sample.
const MOST_STDIN: usize = 1 << 20;

/// Stack of the walk, which calls itself as deep as the program nests and calls.
const STACK: usize = 64 << 20;

/// A program whose input statements are constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inlined {
    /// The program.
    pub source: String,
    /// Its remaining standard input.
    pub stdin: String,
    /// Expressions that were replaced.
    pub sites: usize,
    /// Whether it reads nothing any more, or only the end of its input.
    pub complete: bool,
}

/// Replaces the reads of `source` from standard input by their results for `stdin`.
///
/// ```
/// let source = "n = int(input())\nfor i in range(n):\n    a, b = map(int, input().split())\n";
/// let inlined = codexec_mutate::inline_input(source, "2\n1 2\n3 4\n")?;
/// assert!(inlined.complete && inlined.stdin.is_empty());
/// assert_eq!(
///     inlined.source,
///     "n = 2\ninputs = [[1, 2], [3, 4]]\nfor i in range(n):\n    a, b = inputs[i]\n"
/// );
/// # Ok::<(), codexec_mutate::MutateError>(())
/// ```
///
/// # Errors
/// If the program does not parse.
pub fn inline_input(source: &str, stdin: &str) -> Result<Inlined, MutateError> {
    let parsed = Parsed::new(source)?;
    let unchanged = Inlined {
        source: source.to_owned(),
        stdin: stdin.to_owned(),
        sites: 0,
        complete: false,
    };
    let deep = depth(&parsed.tree) > MOST_DEPTH;
    if deep || stdin.len() > MOST_STDIN || !value::is_plain(stdin) {
        return Ok(unchanged);
    }
    let inlined = std::thread::scope(|scope| {
        let walk = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || inline(source, stdin));
        walk.ok()?.join().ok()?
    });
    let parses = |i: &Inlined| i.sites == 0 || Parsed::new(&i.source).is_ok();
    Ok(inlined.filter(parses).unwrap_or(unchanged))
}

fn inline(source: &str, stdin: &str) -> Option<Inlined> {
    let parsed = ruff_python_parser::parse_module(source).ok()?;
    let body: &[Stmt] = parsed.suite();
    let names = names::Names::of(body);
    if names.opaque {
        return None;
    }
    let mut walk = walk::Walk::new(stdin, &names);
    let stopped = walk.module(body);
    let mut complete = stopped.is_none();
    let (mut position, mut events) = match stopped {
        Some(commit) => (commit.position, commit.events),
        None => (walk.position, walk.events.len()),
    };
    loop {
        let written = write::write(
            source,
            &names,
            &walk.events[..events],
            &walk.commits,
            complete,
        );
        match written {
            Ok((text, sites)) => {
                return Some(Inlined {
                    source: text,
                    stdin: stdin[position..].to_owned(),
                    sites,
                    complete,
                });
            }
            Err(event) => {
                let back = walk.commits.iter().rev().find(|c| c.events <= event)?;
                (position, events) = (back.position, back.events);
                complete = false;
            }
        }
    }
}

/// Nodes above the deepest, counted until they are too many.
fn depth(tree: &Tree) -> u32 {
    let mut cursor = tree.walk();
    let (mut depth, mut most) = (0, 0);
    while most <= MOST_DEPTH {
        most = most.max(depth);
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return most;
            }
            depth -= 1;
        }
    }
    most
}
