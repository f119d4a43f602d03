//! `codexec data generated`: programs of a grammar and of functions, with their traces.

use std::fs;
use std::path::Path;

use codexec_data::generated::skeleton_hash;
use codexec_data::records::{Record, read_records};
use predicates::str::contains;

use crate::support::codexec;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

fn made(place: &Path, name: &str, more: &[&str]) -> (Vec<Record>, serde_json::Value) {
    let out = place.join(name);
    let assert = codexec()
        .args([
            "data",
            "generated",
            EXAMPLES,
            "--json",
            "--engine",
            "plan",
            "--out",
        ])
        .arg(&out)
        .args(more)
        .assert()
        .success();
    let summary = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    (read_records(&out).unwrap(), summary)
}

#[test]
fn programs_are_those_of_their_seed_and_what_runs_say() {
    let place = tempfile::tempdir().unwrap();
    let more = ["--count", "60", "--verify", "100%"];
    let (one, summary) = made(place.path(), "one.jsonl", &more);
    assert_eq!((one.len(), &summary["kept"]), (60, &60.into()));
    let workers = [&more[..], &["--jobs", "1"]].concat();
    assert_eq!(one, made(place.path(), "two.jsonl", &workers).0);
    let other = [&more[..], &["--seed", "1"]].concat();
    assert_ne!(one, made(place.path(), "three.jsonl", &other).0);
    // The sandbox says the same of every one of them.
    let out = place.path().join("run.jsonl");
    codexec()
        .args(["data", "generated", EXAMPLES, "--count", "60", "--out"])
        .arg(&out)
        .assert()
        .success()
        .stderr(contains("near-duplicates"));
    assert_eq!(one, read_records(&out).unwrap());
}

#[test]
fn no_program_is_nearly_another_one_or_a_reserved_one() {
    let place = tempfile::tempdir().unwrap();
    let small = [
        "--count",
        "150",
        "--statements",
        "1,1",
        "--depth",
        "0",
        "--functions",
        "0",
    ];
    let small = [&small[..], &["--steps", "1,9", "--verify", "0"]].concat();
    let (one, summary) = made(place.path(), "one.jsonl", &small);
    assert!(summary["near_duplicates"].as_u64() > Some(0), "{summary}");
    let hashes = |records: &[Record]| -> Vec<u64> {
        let hashes = records
            .iter()
            .map(|record| skeleton_hash(&record.code).unwrap());
        let mut hashes: Vec<u64> = hashes.collect();
        hashes.sort_unstable();
        hashes
    };
    let seen = hashes(&one);
    assert!(seen.windows(2).all(|pair| pair[0] != pair[1]));
    let reserved = place.path().join("one.jsonl").display().to_string();
    let without = [&small[..], &["--without", &reserved]].concat();
    let (two, summary) = made(place.path(), "two.jsonl", &without);
    assert!(summary["reserved"].as_u64() > Some(0), "{summary}");
    assert!(
        hashes(&two)
            .iter()
            .all(|hash| seen.binary_search(hash).is_err())
    );
}

#[test]
fn knobs_change_steps_and_size() {
    let place = tempfile::tempdir().unwrap();
    let mean = |name: &str, more: &[&str]| {
        let more = [&["--count", "80", "--verify", "0"], more].concat();
        let (records, _) = made(place.path(), name, &more);
        let words = |record: &Record| record.code_tokens.split_whitespace().count();
        records.iter().map(words).sum::<usize>() / records.len()
    };
    let small = mean("small.jsonl", &["--statements", "2,4", "--steps", "1,10"]);
    let large = mean(
        "large.jsonl",
        &["--statements", "10,16", "--steps", "20,200"],
    );
    assert!(large > 2 * small, "{large} {small}");
}

#[test]
fn functions_of_a_corpus_are_called_anew() {
    let place = tempfile::tempdir().unwrap();
    let more = ["--of", "functions", "--count", "20", "--verify", "100%"];
    let (records, _) = made(place.path(), "f.jsonl", &more);
    assert!(records.len() > 10, "{}", records.len());
    assert!(
        records
            .iter()
            .all(|record| record.code.contains("def ") && record.code.contains("result = "))
    );
    // Of a problem that is reserved nothing is taken.
    let corpus = place.path().join("corpus.jsonl");
    let line = r#"{"id": "a", "problem": "p1", "code": "def half(n):\n    return n // 2\n"}"#;
    fs::write(&corpus, line).unwrap();
    let reserved = place.path().join("reserved.jsonl");
    fs::write(&reserved, r#"{"problem": "p1", "code": "x = 1\n"}"#).unwrap();
    codexec()
        .args(["data", "generated"])
        .arg(&corpus)
        .arg("--without")
        .arg(&reserved)
        .args(["--engine", "plan", "--verify", "0", "--out"])
        .arg(place.path().join("x.jsonl"))
        .assert()
        .code(1)
        .stderr(contains("no program to count"));
}
