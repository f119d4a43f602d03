//! Finds out which types the variables of a statement can have, by running it.
//!
//! Combinations are drawn from the types suggested by use ([`types`](super::types)); those with
//! which it ran and did something are kept. Nothing is learned about values.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::build::unit_seed;
use super::step;
use super::types::{TypeSet, guess, suggested};
use crate::sandbox::{Pool, SandboxError};
use crate::sources::{StatementKind, Template, kind_of};
use crate::trace::Program;

/// Statements per unit; their programs share children.
const UNIT: usize = 10;
/// Maximum combinations tried per statement in each of [`ROUNDS`] rounds.
const TRIES: usize = 6;
const ROUNDS: usize = 3;
/// A statement with this many combinations is not tried again.
const ENOUGH: usize = 3;
/// How often a variable is `None` in a statement that tests for it.
const ABSENT: f64 = 0.4;

/// Templates with their working type combinations, without templates that have none. Depends only
/// on the templates and the seed.
///
/// # Errors
/// If the sandbox fails; a program's behaviour is never an error.
pub fn learn_types(
    pool: &Pool,
    templates: Vec<Template>,
    seed: u64,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Template>, SandboxError> {
    let units: Result<Vec<Vec<Template>>, SandboxError> = templates
        .par_chunks(UNIT)
        .enumerate()
        .map(|(at, unit)| {
            let learnt = learn_unit(pool, unit.to_vec(), unit_seed(seed, at));
            progress(unit.len());
            learnt
        })
        .collect();
    let mut learnt: Vec<Template> = units?.into_iter().flatten().collect();
    learnt.retain(|template| !template.types.is_empty());
    Ok(learnt)
}

/// A program to try, with its template and combination.
type Try = (usize, Vec<String>, Program);

fn learn_unit(
    pool: &Pool,
    mut unit: Vec<Template>,
    seed: u64,
) -> Result<Vec<Template>, SandboxError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let kinds: Vec<Option<StatementKind>> = unit.iter().map(|t| kind_of(&t.stmt)).collect();
    let guesses: Vec<Vec<TypeSet>> = unit
        .iter()
        .map(|t| guess(&t.program(&[]), &t.free))
        .collect();
    for _ in 0..ROUNDS {
        let mut tries: Vec<Try> = Vec::new();
        for (at, template) in unit.iter().enumerate() {
            if kinds[at].is_none() || template.types.len() >= ENOUGH {
                continue;
            }
            for _ in 0..TRIES {
                let types = combination(template, &guesses[at], &mut rng);
                let known = template.types.contains(&types);
                if known
                    || tries
                        .iter()
                        .any(|(other, t, _)| *other == at && *t == types)
                {
                    continue;
                }
                let program = step::program_of_types(template, &types, String::new(), &mut rng);
                tries.extend(program.map(|program| (at, types, program)));
            }
        }
        let programs: Vec<Program> = tries
            .iter()
            .map(|(_, _, program)| program.clone())
            .collect();
        let traces = pool.run_brief(&programs, false)?;
        for ((at, types, _), trace) in tries.into_iter().zip(traces) {
            let Some(kind) = kinds[at] else { continue };
            let record = step::record(&trace, unit[at].free.len(), kind, seed);
            if record.is_some_and(|r| works(&unit[at].stmt, kind, &r.outcome, &r.trace_tokens)) {
                unit[at].types.push(types);
            }
        }
    }
    Ok(unit)
}

/// Whether a run shows the statement's purpose.
fn works(stmt: &str, kind: StatementKind, outcome: &str, target: &str) -> bool {
    match kind {
        StatementKind::Raise => stmt.contains(outcome),
        StatementKind::Assert => matches!(outcome, "finished" | "AssertionError"),
        StatementKind::Condition => outcome == "finished",
        _ => outcome == "finished" && (target.contains("<state>") || target.contains("<output>")),
    }
}

fn combination(template: &Template, guesses: &[TypeSet], rng: &mut ChaCha8Rng) -> Vec<String> {
    let asked = |name: &String| {
        [" is None", " is not None"]
            .iter()
            .any(|test| template.stmt.contains(&format!("{name}{test}")))
    };
    let names = template.free.iter().zip(guesses);
    let drawn = names.map(|(name, guess)| {
        if asked(name) && rng.random_bool(ABSENT) {
            return "none".to_owned();
        }
        let both = guess.both(suggested(name));
        let types = match both.names() {
            likely if !likely.is_empty() && rng.random_bool(0.6) => likely,
            _ => guess.names(),
        };
        types
            .choose(rng)
            .map_or_else(String::new, |ty| (*ty).to_owned())
    });
    drawn.collect()
}
