//! Programs that change what the library or the interpreter keeps: in a shared child their traces, and those of
//! the programs beside them, are the ones of a run alone.
#![allow(clippy::unwrap_used)]

use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program, Trace};
use codexec_mutate::{Config, Mutator};

/// Each prints what it can see, changes it, and prints it again; the last ones only look.
const PROGRAMS: &str = include_str!("shared_state.txt");
/// Programs that only look, at the end of [`PROGRAMS`].
const WITNESSES: usize = 3;

fn pool() -> Pool {
    Pool::new(PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    })
    .unwrap()
}

fn program(id: &str, source: &str) -> Program {
    Program {
        id: id.to_owned(),
        source: Some(source.to_owned()),
        stdin: None,
        ..Program::default()
    }
}

fn programs() -> Vec<Program> {
    let text = format!("\n{PROGRAMS}");
    let parts = text.split("\n-- ").skip(1);
    let found: Vec<Program> = parts
        .map(|part| part.split_once('\n').unwrap())
        .map(|(name, source)| program(name, &format!("{source}\n")))
        .collect();
    assert!(found.len() > 60);
    found
}

/// Programs whose trace in a family is not that of a run alone, with both.
fn differing(pool: &Pool, family: &[Program]) -> Vec<String> {
    let mut found = Vec::new();
    let kept = pool.run_brief(family, false).unwrap();
    let finishing = pool.run_finishing(family, false).unwrap();
    for (kept, finishing) in kept.iter().zip(&finishing) {
        let alone = pool.run(&kept.program).unwrap().short();
        let ends = matches!(
            alone.outcome,
            Outcome::Finished | Outcome::Raised { .. } | Outcome::SyntaxError { .. }
        );
        let shown = |trace: &Trace| format!("{:?}\n{}", trace.outcome, trace.output());
        for trace in [Some(kept), ends.then_some(finishing)]
            .into_iter()
            .flatten()
        {
            if *trace != alone {
                let (id, here) = (&alone.program.id, shown(trace));
                found.push(format!("{id}\n{here}\nalone:\n{}", shown(&alone)));
            }
        }
    }
    found
}

#[test]
fn what_a_program_changes_is_not_seen_by_the_next() {
    let pool = pool();
    let all = programs();
    let (changing, witnesses) = all.split_at(all.len() - WITNESSES);
    let mut family = all.clone();
    for one in changing {
        // Once more after itself, and before each that looks.
        family.extend([one.clone(), one.clone()]);
        family.extend_from_slice(witnesses);
    }
    let found = differing(&pool, &family);
    assert!(found.is_empty(), "{}", found.join("\n---\n"));
}

/// The gate: 2,000 mutants of programs that change such state, each family with its witnesses between. Prints how many
/// differ from a run alone. `cargo test -p codexec-data --test sandbox_shared_state -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn mutants_have_the_traces_of_runs_alone() {
    let pool = pool();
    let all = programs();
    let (changing, witnesses) = all.split_at(all.len() - WITNESSES);
    let mutator = Mutator::new(Config::default());
    let (mut mutants, mut compared, mut found) = (0, 0, Vec::new());
    for seed in 0.. {
        if mutants >= 2000 {
            break;
        }
        for one in changing {
            let source = one.source.as_deref().unwrap();
            let made = mutator.mutants(source, seed).unwrap().take(6);
            let mut family: Vec<Program> = made.map(|m| program(&one.id, &m.text)).collect();
            mutants += family.len();
            family.extend_from_slice(witnesses);
            family.push(one.clone());
            compared += 2 * family.len();
            found.extend(differing(&pool, &family));
        }
    }
    println!(
        "{mutants} mutants, {compared} traces, {} not those of a run alone",
        found.len()
    );
    assert!(found.is_empty(), "{}", found.join("\n---\n"));
}
