//! Recombined functions of a corpus: one or two of them, from any of its programs, called with random values.
//!
//! Only functions that need nothing but their parameters, themselves and builtins are used. Their possible parameter
//! types are found by calling them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use ruff_python_ast::Stmt;
use ruff_text_size::Ranged;

use super::idioms::is_builtin;
use crate::examples::build::{is_unstable, unit_seed};
use crate::examples::fuzz::Fuzzer;
use crate::examples::slice::Names;
use crate::examples::tracer::Tracer;
use crate::sandbox::SandboxError;
use crate::syntax::with_parsed;
use crate::trace::{Outcome, Program};

/// Maximum parameters of a function.
const MOST_PARAMETERS: usize = 3;
/// Maximum lines.
const MOST_LINES: usize = 25;
/// Combinations of types that are tried with a function.
const TRIES: usize = 16;
/// Candidate types of parameters; the most likely ones are repeated.
const TYPES: [&str; 12] = [
    "int",
    "int",
    "int",
    "int",
    "str",
    "str",
    "list_int",
    "list_int",
    "list_str",
    "float",
    "list_list_int",
    "dict_str_int",
];
/// Names that a function must not use.
const UNFIT: [&str; 7] = [
    "import ",
    "input(",
    "open(",
    "global ",
    "nonlocal ",
    "yield",
    "await ",
];

/// A function and its possible calls.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    name: String,
    code: String,
    /// Types of arguments with which it finished.
    types: Vec<Vec<String>>,
}

/// Functions that can be called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Functions {
    all: Vec<Known>,
    tried: usize,
}

impl Functions {
    /// Takes the functions of programs, each text once, and finds out how they can be called.
    ///
    /// # Errors
    /// If the sandbox fails.
    pub fn of<'p>(
        programs: impl Iterator<Item = &'p str>,
        tracer: &dyn Tracer,
        seed: u64,
    ) -> Result<Self, SandboxError> {
        let mut found: Vec<(String, String, usize)> = programs.flat_map(functions).collect();
        let mut seen = std::collections::HashSet::new();
        found.retain(|(_, code, _)| seen.insert(code.clone()));
        let tried = found.len();
        let learnt: Result<Vec<Option<Known>>, SandboxError> = found
            .into_par_iter()
            .enumerate()
            .map(|(at, function)| learnt(function, tracer, unit_seed(seed, at)))
            .collect();
        Ok(Self {
            all: learnt?.into_iter().flatten().collect(),
            tried,
        })
    }

    /// Number of callable ones.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Number of attempts.
    pub fn tried(&self) -> usize {
        self.tried
    }

    /// A program of one or two of them, deterministic for a seed. `None` if there is none.
    pub fn program(&self, seed: u64) -> Option<String> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let count = if rng.random_bool(0.5) { 1 } else { 2 };
        let mut taken: Vec<&Known> = Vec::new();
        while taken.len() < count {
            let one = self.all.get(rng.random_range(0..self.all.len().max(1)))?;
            if taken.iter().any(|other| other.name == one.name) {
                break;
            }
            taken.push(one);
        }
        let mut code: String = taken
            .iter()
            .map(|one| format!("{}\n\n", one.code))
            .collect();
        let results = ["result", "answer"];
        for (one, result) in taken.iter().zip(results) {
            let types = &one.types[rng.random_range(0..one.types.len())];
            let values = Fuzzer::for_statement(&one.code).literals(types, &mut rng)?;
            code.push_str(&format!(
                "{result} = {}({})\nprint({result})\n",
                one.name,
                values.join(", ")
            ));
        }
        Some(code)
    }
}

/// The standalone functions of a program: name, text, and number of parameters.
fn functions(source: &str) -> Vec<(String, String, usize)> {
    let found = with_parsed(source, |parsed| {
        let mut found = Vec::new();
        for stmt in parsed.suite() {
            let Stmt::FunctionDef(function) = stmt else {
                continue;
            };
            let of = &function.parameters;
            let plain = of.vararg.is_none() && of.kwarg.is_none() && of.kwonlyargs.is_empty();
            let count = of.posonlyargs.len() + of.args.len();
            let has_defaults = of.args.iter().any(|one| one.default.is_some());
            let code = source[function.range()].trim_end().to_owned();
            let is_small = code.lines().count() <= MOST_LINES;
            let fits = plain && !has_defaults && (1..=MOST_PARAMETERS).contains(&count);
            if fits && is_small && !function.is_async && function.decorator_list.is_empty() {
                found.push((function.name.to_string(), code, count));
            }
        }
        found
    });
    let mut found = found.unwrap_or_default();
    found.retain(|(name, code, _)| stands_alone(name, code));
    found
}

fn stands_alone(name: &str, code: &str) -> bool {
    if is_unstable(code) || UNFIT.iter().any(|word| code.contains(word)) {
        return false;
    }
    let names = Names::of(code);
    let needed = names.late.iter().chain(&names.used);
    names.bound.contains(name) && needed.clone().all(|one| one == name || is_builtin(one))
}

/// A function with its working argument types. `None` if there are none.
fn learnt(
    (name, code, parameters): (String, String, usize),
    tracer: &dyn Tracer,
    seed: u64,
) -> Result<Option<Known>, SandboxError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut tried, mut programs) = (Vec::new(), Vec::new());
    for _ in 0..TRIES {
        let types = (0..parameters).map(|_| TYPES[rng.random_range(0..TYPES.len())].to_owned());
        let types: Vec<String> = types.collect();
        let values = Fuzzer::for_statement(&code).literals(&types, &mut rng);
        let Some(values) = values.filter(|_| !tried.contains(&types)) else {
            continue;
        };
        programs.push(Program {
            source: Some(format!(
                "{code}\n\nresult = {name}({})\n",
                values.join(", ")
            )),
            ..Program::default()
        });
        tried.push(types);
    }
    let traces = tracer.traces(&programs)?;
    let ended = traces.into_iter().zip(tried).filter_map(|(trace, types)| {
        let trace = trace?;
        let gives = |value: &crate::trace::Value| value.text != "None";
        let result = trace.steps.last().and_then(|step| step.state.get("result"));
        (trace.outcome == Outcome::Finished && result.is_some_and(gives)).then_some(types)
    });
    let types: Vec<Vec<String>> = ended.collect();
    Ok((!types.is_empty()).then_some(Known { name, code, types }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_need_nothing_else_are_taken() {
        let source = "import math\nM = 7\ndef half(n):\n    return n // 2\n\ndef far(n):\n    return n % M\n\n\
                      def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\n\ndef root(n):\n    return math.sqrt(n)\n\n\
                      def many(*n):\n    return n\n\ndef asks(n):\n    return input() + n\n";
        let found = functions(source);
        let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["half", "fact"]);
        assert_eq!(found[0].1, "def half(n):\n    return n // 2");
    }
}
