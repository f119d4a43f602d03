//! Rounds of examples made while a network is trained: the same whatever the number of threads.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "support/skip.rs"]
mod skip;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use codexec::training::{
    ExampleGenerator, History, Material, Online, OnlineSettings, States, Window,
};
use codexec_curriculum::RoundSource;
use codexec_data::examples::tracer::{Tracer, Walking};
use codexec_data::generated::{Functions, Idioms, Written};
use codexec_data::planner::PlanLimits;
use codexec_data::records::Kind;
use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::sources::read_corpus;
use codexec_data::tokenizer::{Digits, Vocabulary};
use codexec_plan::in_process::InProcess;

/// Rounds of mutants that are executed.
fn online(threads: usize) -> Option<Online> {
    // The test's own program is not a sandbox worker; the command line is.
    let config = PoolConfig {
        launcher: Some(PathBuf::from(env!("CARGO_BIN_EXE_codexec"))),
        ..PoolConfig::default()
    };
    let pool = Pool::new(config)
        .inspect_err(|error| skip::skip(error))
        .ok()?;
    Some(made_by(Box::new(pool), "run", threads))
}

/// The same, planned.
fn planned(threads: usize) -> Online {
    made_by(Box::new(walking()), "plan", threads)
}

fn walking() -> Walking {
    let limits = PlanLimits::like(Duration::from_millis(250), 1024, 2 << 20);
    Walking::new(Arc::new(InProcess), limits)
}

fn made_by(tracer: Box<dyn Tracer>, engine: &'static str, threads: usize) -> Online {
    let programs = Material::Programs(read_corpus(&examples()).unwrap(), Kind::CodeNet);
    made_of(programs, tracer, engine, threads)
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

fn made_of(
    material: Material,
    tracer: Box<dyn Tracer>,
    engine: &'static str,
    threads: usize,
) -> Online {
    let texts = ["<0> a = 1 print ( a ) <line> <state> </state>"; 20];
    let generator = ExampleGenerator {
        settings: OnlineSettings {
            programs: 6,
            mutants: 4,
            ahead: 2,
            ..OnlineSettings::default()
        },
        material,
        tracer,
        engine,
        window: Window {
            max_source: 512,
            max_target: 1024,
            states: States::Delta,
        },
        vocabulary: Vocabulary::train(texts.into_iter(), 600, Digits::Apart).unwrap(),
        seed: 7,
    };
    Online::new(generator, threads).unwrap()
}

#[test]
fn rounds_do_not_depend_on_threads_or_on_where_one_begins() {
    let Some(one) = online(1) else { return };
    let rounds: Vec<_> = (0..4).map(|n| one.round(n).unwrap()).collect();
    assert!(rounds.iter().all(|round| !round.is_empty()));
    assert_ne!(rounds[0], rounds[1], "no round comes twice");
    assert_eq!(
        one.round(3).unwrap(),
        rounds[3],
        "unless it is asked for again"
    );
    let Some(three) = online(3) else { return };
    for number in [2, 3, 0] {
        assert_eq!(three.round(number).unwrap(), rounds[number as usize]);
    }
    assert_eq!(one.fingerprint(), three.fingerprint());
}

#[test]
fn planned_rounds_are_those_of_runs() {
    let Some(run) = online(2) else { return };
    let planned = planned(2);
    for number in 0..3 {
        assert_eq!(planned.round(number).unwrap(), run.round(number).unwrap());
    }
    assert_ne!(planned.fingerprint(), run.fingerprint());
}

#[test]
fn nothing_comes_twice_whatever_the_threads_or_where_a_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let rounds = |file: &str, threads: usize, from: u64| -> Vec<_> {
        let history = History::open(&dir.path().join(file)).unwrap();
        let online = planned(threads).never_repeating(history);
        let rounds = (from..6).map(|n| online.round(n).unwrap()).collect();
        assert_eq!(online.tally().rounds, 6 - from);
        rounds
    };
    let whole = rounds("one", 1, 0);
    let mut seen = HashSet::new();
    assert!(whole.iter().all(|round| !round.is_empty()));
    for example in whole.iter().flat_map(|round| round.iter()) {
        assert!(seen.insert(example.source.clone()), "an example came twice");
    }
    let alone = planned(1);
    let repeating = (0..6).map(|n| alone.round(n).unwrap().len()).sum::<usize>();
    assert!(repeating > seen.len(), "there is nothing to leave out");
    assert_eq!(rounds("three", 3, 0), whole);
    // As after a kill in round 3: what came before is known, what came after is made again.
    assert_eq!(rounds("one", 2, 3), whole[3..]);
}

#[test]
fn generated_programs_and_functions_never_come_twice_either() {
    let programs = read_corpus(&examples()).unwrap();
    let codes = || programs.iter().map(|program| program.code.as_str());
    let functions = Functions::of(codes(), &walking(), 3).unwrap();
    assert!(!functions.is_empty());
    for written in [
        Written::Grammar(Idioms::of(codes())),
        Written::Functions(functions),
    ] {
        let online = |threads: usize| {
            let material = Material::Written(written.clone());
            let online = made_of(material, Box::new(walking()), "plan", threads);
            online.never_repeating(History::default())
        };
        let (one, three) = (online(1), online(3));
        let mut seen = HashSet::new();
        for number in 0..3 {
            let round = one.round(number).unwrap();
            assert_eq!(round, three.round(number).unwrap());
            assert!(!round.is_empty());
            for example in round.iter() {
                assert!(seen.insert(example.source.clone()), "an example came twice");
            }
        }
    }
}
