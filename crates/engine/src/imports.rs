//! Adds imports that programs lack, as ORCA's do, whose authors run them inside a function with
//! imports: if a run raises a `NameError` for the name of a known module, it is repeated with that
//! import.

use codexec_data::sandbox::{Pool, SandboxError};
use codexec_data::trace::{Outcome, Program, Step, Trace};

/// Maximum imports added to one program.
const MOST_IMPORTS: usize = 6;

/// The imports that a program turned out to lack so far.
#[derive(Debug, Default)]
pub(super) struct Imports(Vec<String>);

impl Imports {
    /// The program behind them.
    pub(super) fn before(&self, program: &Program) -> Program {
        let source = program.source.as_deref().unwrap_or_default();
        let whole = self.0.iter().map(|import| format!("{import}\n"));
        let before: usize = self.0.iter().map(|import| import.len() + 1).sum();
        Program {
            source: Some(whole.chain([source.to_owned()]).collect()),
            behind: program.behind.map(|at| at + before),
            ..program.clone()
        }
    }

    /// Whether this trace ends because of another missing import, which is then added.
    pub(super) fn lacks_another(&mut self, trace: &Trace) -> bool {
        match undefined_name(&trace.outcome).and_then(missing_import) {
            Some(import) if self.0.len() < MOST_IMPORTS && !self.0.contains(&import) => {
                self.0.push(import);
                true
            }
            _ => false,
        }
    }

    /// The trace of the program alone.
    pub(super) fn without(&self, mut trace: Trace, program: &Program) -> Trace {
        without_lines(&mut trace, u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        trace.program = program.clone();
        trace
    }
}

/// Runs a program behind the imports that it turns out to lack; the trace is that of the program alone.
pub(super) fn run_with_imports(pool: &Pool, program: &Program) -> Result<Trace, SandboxError> {
    let mut imports = Imports::default();
    loop {
        let trace = pool.run(&imports.before(program))?;
        if !imports.lacks_another(&trace) {
            return Ok(imports.without(trace, program));
        }
    }
}

/// The name of `name 'math' is not defined`.
fn undefined_name(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Raised {
            exception, message, ..
        } if exception == "NameError" => message.split('\'').nth(1),
        _ => None,
    }
}

/// For a program that ran without its imports: the line to prepend, if the missing name is that of a
/// known module or of one of its members.
fn missing_import(name: &str) -> Option<String> {
    let from = match name {
        "math" | "sys" | "itertools" | "collections" | "bisect" | "heapq" | "functools" | "re"
        | "copy" | "string" | "operator" | "random" | "fractions" | "decimal" | "statistics"
        | "time" | "os" | "datetime" | "queue" | "array" | "calendar" | "numpy" | "sympy"
        | "scipy" | "pandas" | "networkx" => {
            return Some(format!("import {name}"));
        }
        "np" => return Some("import numpy as np".to_owned()),
        "pd" => return Some("import pandas as pd".to_owned()),
        "isprime" | "nextprime" | "prevprime" | "factorint" | "primefactors" | "divisors"
        | "primerange" | "sieve" | "totient" => "sympy",
        "deque" | "defaultdict" | "Counter" | "OrderedDict" | "namedtuple" => "collections",
        "sqrt" | "ceil" | "floor" | "gcd" | "factorial" | "pi" | "log" | "log10" | "log2"
        | "sin" | "cos" | "tan" | "radians" | "hypot" | "inf" | "comb" | "prod" => "math",
        "permutations"
        | "combinations"
        | "product"
        | "accumulate"
        | "groupby"
        | "chain"
        | "combinations_with_replacement"
        | "count" => "itertools",
        "heappush" | "heappop" | "heapify" => "heapq",
        "bisect_left" | "bisect_right" | "insort" => "bisect",
        "reduce" | "lru_cache" | "cmp_to_key" => "functools",
        "deepcopy" => "copy",
        "Fraction" => "fractions",
        "Decimal" | "ROUND_HALF_UP" => "decimal",
        "ascii_lowercase" | "ascii_uppercase" | "ascii_letters" => "string",
        "itemgetter" | "mul" | "xor" | "add" => "operator",
        "stdin" => "sys",
        _ => return None,
    };
    Some(format!("from {from} import {name}"))
}

/// The trace of a program without its first `added` lines. Names bound by these lines stay in the
/// states.
pub(super) fn without_lines(trace: &mut Trace, added: u32) {
    if let Outcome::SyntaxError { line, .. } = &mut trace.outcome {
        *line = line.saturating_sub(added);
    }
    if let Outcome::Raised { line, step, .. } = &mut trace.outcome {
        let until = step.map_or(0, |k| k as usize).min(trace.steps.len());
        let gone = trace.steps[..until].iter().filter(|s| s.line <= added);
        let gone = u32::try_from(gone.count()).unwrap_or(u32::MAX);
        *line = line.saturating_sub(added);
        *step = step.map(|k| k.saturating_sub(gone));
    }
    let mut kept: Vec<Step> = Vec::with_capacity(trace.steps.len());
    for mut step in trace.steps.drain(..) {
        if step.line > added {
            step.line -= added;
            kept.push(step);
        } else if let Some(before) = kept.last_mut() {
            // Of a function that was defined there: the line that calls it ends where the function has.
            before.state = step.state;
            before.output.push_str(&step.output);
        }
    }
    trace.steps = kept;
}
