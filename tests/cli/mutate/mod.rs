//! `codexec mutate` and `codexec data merge` as a user meets them: what is written, what survives a
//! kill, what is refused.

mod outputs;
mod planned;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Plain, Stdio};
use std::time::{Duration, Instant};

use codexec_data::records::Record;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use crate::support::{BINARY, codexec};

/// Distinct small programs in JSON Lines, five to a problem; every seventh reads two inputs.
fn corpus(directory: &Path, count: usize) -> PathBuf {
    let lines = (0..count).map(|k| {
        let mut record = serde_json::json!({
            "id": format!("p{k}"),
            "problem_id": format!("q{}", k / 5),
            "licence": "CC0-1.0",
            "source": "made",
            "code": format!("a = {k}\nfor i in range({}):\n    a += i * {}\nprint(a, 'n{k}')\n",
                k % 4 + 1, k + 2),
        });
        if k % 7 == 0 {
            record["code"] = format!("n = int(input())\nprint(n + {k}, 10 // n)\n").into();
            record["samples"] = serde_json::json!([{"in": "3\n"}, {"in": "5\n"}]);
        }
        format!("{record}\n")
    });
    let path = directory.join("corpus.jsonl");
    fs::write(&path, lines.collect::<String>()).unwrap();
    path
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Every file below a directory with its bytes.
fn tree(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(path.is_file(), "{name} is left over");
        files.insert(name, fs::read(&path).unwrap());
    }
    files
}

fn records(bytes: &[u8]) -> Vec<Record> {
    let text = String::from_utf8(zstd::decode_all(bytes).unwrap()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn manifest(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn records_replay_and_say_where_they_come_from() {
    let place = tempfile::tempdir().unwrap();
    let corpus = corpus(place.path(), 12);
    let out = place.path().join("out.jsonl.zst");
    let (corpus, out) = (text(&corpus), text(&out));
    codexec()
        .args([
            "mutate",
            &corpus,
            "--out",
            &out,
            "--per-program",
            "6",
            "--keep",
            "raised",
        ])
        .assert()
        .success()
        .stdout(contains("records").and(contains("operator")));
    let made = records(&fs::read(&out).unwrap());
    let manifest = manifest(Path::new(&format!("{out}.manifest.json")));
    assert_eq!(manifest["counts"]["records"], made.len());
    assert_eq!(manifest["files"][0]["records"], made.len());
    assert_eq!(manifest["counts"]["originals"], 12);
    assert_eq!(manifest["counts"]["programs"]["mutated"], 12);
    assert!(!Path::new(&format!("{out}.parts")).exists());
    let problems = manifest["problems"].as_object().unwrap();
    let by_problem: u64 = problems
        .values()
        .map(|p| p["records"].as_u64().unwrap())
        .sum();
    assert_eq!(by_problem, made.len() as u64);

    let sources: BTreeMap<String, String> = fs::read_to_string(&corpus)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|r| {
            (
                r["id"].as_str().unwrap().into(),
                r["code"].as_str().unwrap().into(),
            )
        })
        .collect();
    let mutator = codexec_mutate::Mutator::default();
    let (mut mutants, mut raised, mut seen) = (0, 0, std::collections::HashSet::new());
    for record in &made {
        assert!(seen.insert(record.code.clone()), "{} twice", record.code);
        assert_eq!(record.licence.as_deref(), Some("CC0-1.0"));
        assert!(record.problem.is_some() && record.trace.is_some());
        let parent = &sources[record.parent.as_ref().unwrap()];
        if record.operators.is_empty() {
            assert_eq!(&record.code, parent);
            continue;
        }
        mutants += 1;
        let edits = record
            .operators
            .iter()
            .zip(&record.sites)
            .zip(&record.seeds);
        let edits: Vec<(&str, usize, u64)> = edits
            .map(|((o, site), seed)| (o.as_str(), *site as usize, *seed))
            .collect();
        assert_eq!(mutator.apply(parent, &edits).unwrap().text, record.code);
        if record.outcome != "finished" {
            raised += 1;
            assert!(record.outcome.ends_with("Error") && record.error_line.is_some());
            assert!(record.trace_tokens.contains("<raise>"));
        }
    }
    assert!(
        mutants > 40 && raised > 0,
        "{mutants} mutants, {raised} raised"
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_workers() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 150));
    let build = |name: &str, jobs: &str, seed: &str| {
        let out = place.path().join(name);
        codexec()
            .args([
                "mutate",
                &corpus,
                "--per-program",
                "3",
                "--jobs",
                jobs,
                "--seed",
                seed,
            ])
            .args(["--out", &text(&out)])
            .assert()
            .success();
        tree(&out)
    };
    let one = build("one", "1", "5");
    assert_eq!(one.len(), 4, "three shards and the manifest");
    assert!(one == build("three", "3", "5"));
    assert!(one != build("other", "3", "6"));
}

#[test]
fn what_cannot_be_built_is_said_with_the_right_code() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 3));
    let usage = |arguments: &[&str], words: &str| {
        let all = [&["mutate", &corpus][..], arguments].concat();
        codexec()
            .args(all)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(words));
    };
    usage(&["--operators", "CRP,XXX"], "CRP, AOD");
    usage(&["--shard", "3/2"], "2/8 for the second of eight");
    usage(&["--timeout", "5"], "1s or 250ms");
    usage(&["--timeout", "0s"], "1ms");
    usage(&["--probability", "1.5"], "above 0 and up to 1");
    usage(&["--keep", "none"], "ok, raised or all");
    usage(&["--per-program", "0"], "per-program");
    usage(&["--resume"], "--out");
    let refused = |corpus: &str, words: &[&str]| {
        let mut assert = codexec()
            .args(["mutate", corpus, "--no-run"])
            .assert()
            .code(1)
            .stdout("");
        for word in words {
            assert = assert.stderr(contains(*word));
        }
    };
    refused("missing.jsonl", &["missing.jsonl", "No such file"]);
    let write = |name: &str, bytes: &[u8]| {
        let path = place.path().join(name);
        fs::write(&path, bytes).unwrap();
        text(&path)
    };
    refused(&write("empty.jsonl", b""), &["empty.jsonl", "no program"]);
    refused(
        &write("bad.jsonl", b"{\"code\": \"x = 1\"}\n{]\n"),
        &["bad.jsonl:2"],
    );
    let empty = place.path().join("empty");
    fs::create_dir(&empty).unwrap();
    refused(&text(&empty), &["empty", ".py"]);
}

#[test]
fn programs_that_do_not_parse_are_named_not_fatal() {
    let place = tempfile::tempdir().unwrap();
    let lines = [
        r#"{"id": "good", "code": "x = 1\nprint(x + 2)\n"}"#,
        r#"{"id": "bad", "code": "x = 1\nprint(x +\n"}"#,
        r#"{"id": "old", "code": "print 'x'\n"}"#,
        r#"{"id": "clock", "code": "import time\nprint(time.time())\n"}"#,
        r#"{"id": "copy", "code": "x   = 1 # one\nprint(x + 2)\n"}"#,
        r#"{"id": "spins", "code": "x = sum(range(10 ** 12))\n"}"#,
    ];
    let corpus = place.path().join("c.jsonl");
    fs::write(&corpus, lines.join("\n")).unwrap();
    let out = place.path().join("out");
    let arguments = [
        "mutate",
        &text(&corpus),
        "--out",
        &text(&out),
        "--json",
        "--timeout",
        "300ms",
    ];
    let assert = codexec().args(arguments).assert().success();
    let summary: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let programs = &summary["counts"]["programs"];
    let want = serde_json::json!({"read": 6, "mutated": 1, "duplicate": 1, "syntax_error": 2,
        "too_long": 0, "unstable": 1, "over_limit": 1});
    assert_eq!(programs, &want);
    let named = &summary["counts"]["syntax_errors"];
    assert_eq!(named[0]["id"], "bad");
    assert!(named[0]["message"].as_str().unwrap().starts_with("line "));
    assert_eq!(named[1]["id"], "old");
}

#[test]
fn runs_that_end_early_are_counted_by_what_ends_them() {
    let place = tempfile::tempdir().unwrap();
    let corpus = place.path().join("c.jsonl");
    let line = r#"{"id": "p", "code": "n = 1\nx = 3 ** n\nfor i in range(3):\n    x += i\n"}"#;
    fs::write(&corpus, line).unwrap();
    let counted = |keep: &str| {
        let arguments = ["mutate", &text(&corpus), "--json", "--keep", keep];
        let out = place.path().join(keep);
        let assert = codexec()
            .args(arguments)
            .args(["--per-program", "200", "--out", &text(&out)])
            .assert()
            .success();
        let summary: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        assert_eq!(summary["settings"]["timeout_ms"], 250);
        summary["counts"]["outcomes"].clone()
    };
    let (ok, all) = (counted("ok"), counted("all"));
    assert!(ok["finished"].as_u64() > Some(50), "{ok}");
    assert_eq!(ok, all);
}

#[test]
fn a_table_has_the_records_of_the_lines() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 8));
    let all = ["m.parquet", "m.jsonl", "m"].map(|name| {
        let out = place.path().join(name);
        codexec()
            .args([
                "mutate",
                &corpus,
                "--per-program",
                "3",
                "--out",
                &text(&out),
            ])
            .assert()
            .success();
        codexec_data::records::read_records(&out).unwrap()
    });
    assert!(all[0].len() > 16 && all[0] == all[1] && all[1] == all[2]);
    let merged = text(&place.path().join("again.parquet"));
    let input = text(&place.path().join("m.parquet"));
    codexec()
        .args(["data", "merge", &input, "--out", &merged])
        .assert()
        .success();
    assert!(codexec_data::records::read_records(Path::new(&merged)).unwrap() == all[0]);
}

#[test]
fn inlined_programs_read_nothing() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 15));
    let assert = codexec()
        .args(["mutate", &corpus, "--inline-input", "--per-program", "4"])
        .assert();
    let out = String::from_utf8(assert.success().get_output().stdout.clone()).unwrap();
    let all: Vec<Record> = out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert!(
        all.iter()
            .all(|r| r.stdin.is_none() && !r.code.contains("input()"))
    );
    // One text for each of the two inputs, both mutated.
    let of = |id: &str| {
        all.iter()
            .filter(|r| r.parent.as_deref() == Some(id))
            .count()
    };
    assert!(
        all.iter()
            .any(|r| r.id == "p7" && r.code.starts_with("n = 3\n"))
    );
    assert!(
        all.iter()
            .any(|r| r.id == "p7:1" && r.code.starts_with("n = 5\n"))
    );
    assert!(of("p7") > 1 && of("p7:1") > 1);
}

#[test]
fn limits_are_kept_only_when_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let corpus = place.path().join("c.jsonl");
    let code = "i = 0\nwhile i < 3000:\n    i += 1\nprint(i)\n";
    fs::write(
        &corpus,
        serde_json::json!({"id": "long", "code": code}).to_string(),
    )
    .unwrap();
    for (keep, wanted) in [("raised", false), ("all", true)] {
        let assert = codexec()
            .args([
                "mutate",
                &text(&corpus),
                "--keep",
                keep,
                "--operators",
                "CRP",
            ])
            .assert()
            .success();
        let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let outcomes = out
            .lines()
            .map(|l| serde_json::from_str::<Record>(l).unwrap().outcome);
        assert_eq!(
            outcomes.filter(|o| o == "step_limit").count() > 0,
            wanted,
            "{keep}"
        );
    }
}
