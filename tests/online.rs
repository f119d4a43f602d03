//! Rounds of examples made while a network is trained: the same whatever the number of threads.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "support/skip.rs"]
mod skip;

use std::path::{Path, PathBuf};

use codexec::training::{ExampleGenerator, Online, OnlineSettings, States, Window};
use codexec_curriculum::RoundSource;
use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::sources::read_corpus;
use codexec_data::tokenizer::{Digits, Vocabulary};

fn online(threads: usize) -> Option<Online> {
    // The test's own program is not a sandbox worker; the command line is.
    let config = PoolConfig {
        launcher: Some(PathBuf::from(env!("CARGO_BIN_EXE_codexec"))),
        ..PoolConfig::default()
    };
    let pool = Pool::new(config)
        .inspect_err(|error| skip::skip(error))
        .ok()?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let texts = ["<0> a = 1 print ( a ) <line> <state> </state>"; 20];
    let generator = ExampleGenerator {
        settings: OnlineSettings {
            programs: 6,
            mutants: 4,
            ahead: 2,
            ..OnlineSettings::default()
        },
        corpus: read_corpus(&examples).unwrap(),
        pool,
        window: Window {
            max_source: 512,
            max_target: 1024,
            states: States::Delta,
        },
        vocabulary: Vocabulary::train(texts.into_iter(), 600, Digits::Apart).unwrap(),
        seed: 7,
    };
    Some(Online::new(generator, threads).unwrap())
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
