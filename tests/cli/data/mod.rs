//! `codexec data inspect` and `split`, and corpora with odd files, as a user meets them.

mod errors;
mod files;
mod generated;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use codexec_data::records::{Record, read_records, write_records};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};
use tempfile::tempdir;

use crate::support::{BINARY, codexec};

fn record(k: usize) -> Record {
    Record {
        id: format!("r{k}"),
        code: format!("a = {k}\nprint(a)\n"),
        code_tokens: format!("<0> a = {k} <1> print ( a )"),
        trace_tokens: format!("<line> <0> <state> a : {k} </state> <line> <1> <output> {k}"),
        outcome: "finished".to_owned(),
        problem: Some(format!("c:p{:05}", k / 4)),
        source: Some("somewhere".to_owned()),
        operators: vec!["CRP".to_owned(); k % 2],
        ..Record::default()
    }
}

/// A file of `count` records.
fn examples(directory: &Path, name: &str, count: usize) -> String {
    let path = directory.join(name);
    let records: Vec<Record> = (0..count).map(record).collect();
    write_records(&path, records.iter()).unwrap();
    path.display().to_string()
}

fn printed(arguments: &[&str]) -> String {
    let assert = codexec().args(arguments).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn inspect_counts_and_shows_samples_of_any_format() {
    let directory = tempdir().unwrap();
    let mut seen: Option<String> = None;
    for name in ["x.jsonl", "x.jsonl.zst", "x.parquet"] {
        let file = examples(directory.path(), name, 40);
        let text = printed(&["data", "inspect", &file, "--samples", "2", "--seed", "4"]);
        for words in [
            "40 examples, 10 problems",
            "codenet 40",
            "finished 40",
            "CRP 20, none 20",
            "somewhere 40",
            "steps: mean 2.0",
            "print(a)",
        ] {
            assert!(text.contains(words), "no {words} in:\n{text}");
        }
        let text = text.replace(name, "x");
        assert_eq!(*seen.get_or_insert(text.clone()), text);
    }
    let file = examples(directory.path(), "x.jsonl", 40);
    let other = printed(&["data", "inspect", &file, "--samples", "2", "--seed", "5"]);
    assert_ne!(seen.unwrap(), other.replace("x.jsonl", "x"));
}

#[test]
fn inspect_reads_shards_and_the_published_format_as_json() {
    let directory = tempdir().unwrap();
    examples(directory.path(), "a.jsonl", 4);
    examples(directory.path(), "b.parquet", 4);
    let published = directory.path().join("published.json");
    let line = r#"{"id": 1, "code": "a = 1", "code_tokens": ["<0>", "a", "=", "1"], "trace": "x",
        "trace_tokens": ["<line>", "<0>", "<state>", "a", ":", "1", "</state>"]}"#;
    fs::write(&published, line.replace('\n', "")).unwrap();
    let (shards, published) = (
        directory.path().display().to_string(),
        published.display().to_string(),
    );
    let text = printed(&[
        "data",
        "inspect",
        &shards,
        &published,
        "--json",
        "--samples",
        "1",
    ]);
    let objects: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(
        (&objects[0]["records"], &objects[0]["problems"]),
        (&8.into(), &1.into())
    );
    assert_eq!(objects[1]["records"], 1);
    assert_eq!(objects[1]["code_tokens"]["max"], 4);
    assert_eq!(objects[1]["steps"]["histogram"][0]["count"], 1);
    assert_eq!(objects[1]["samples"][0]["code_tokens"], "<0> a = 1");
    let text = printed(&["data", "inspect", &published, "--samples", "1"]);
    assert!(text.contains("a = 1"), "{text}");
}

#[test]
fn a_program_in_a_record_does_not_drive_the_terminal() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("x.jsonl");
    let hostile = "\x1b]0;title\x07";
    let record = Record {
        id: hostile.to_owned(),
        code: hostile.to_owned(),
        stdin: Some(hostile.to_owned()),
        trace_tokens: hostile.to_owned(),
        outcome: hostile.to_owned(),
        source: Some(hostile.to_owned()),
        operators: vec![hostile.to_owned()],
        ..Record::default()
    };
    write_records(&path, [record].iter()).unwrap();
    let text = printed(&[
        "data",
        "inspect",
        &path.display().to_string(),
        "--samples",
        "1",
    ]);
    assert!(!text.contains(['\x1b', '\x07']), "{text:?}");
}

#[test]
fn split_keeps_the_format_and_puts_listed_problems_into_test() {
    let directory = tempdir().unwrap();
    let file = examples(directory.path(), "x.parquet", 400);
    let list = directory.path().join("list.txt");
    fs::write(&list, "p00002\n\n# none\np00003\np99999\n").unwrap();
    let out = directory.path().join("sets");
    let out_text = out.display().to_string();
    codexec()
        .args([
            "data",
            "split",
            &file,
            "--out",
            &out_text,
            "--fractions",
            "80,10,10",
        ])
        .args(["--test-problems", &list.display().to_string()])
        .assert()
        .success()
        .stdout("")
        .stderr(contains("2 of 3 problems found").and(contains("train.parquet")));
    let read = |name: &str| read_records(&out.join(format!("{name}.parquet"))).unwrap();
    let (train, valid, test) = (read("train"), read("valid"), read("test"));
    assert_eq!(train.len() + valid.len() + test.len(), 400);
    let listed = |r: &Record| ["c:p00002", "c:p00003"].contains(&r.problem.as_deref().unwrap());
    assert_eq!(test.iter().filter(|r| listed(r)).count(), 8);
    let report: Value =
        serde_json::from_str(&fs::read_to_string(out.join("split.json")).unwrap()).unwrap();
    assert_eq!(report["parts"][0]["records"], train.len());
    let again = directory.path().join("again").display().to_string();
    printed(&[
        "data",
        "split",
        &file,
        "--out",
        &again,
        "--fractions",
        "80,10,10",
        "--format",
        "jsonl",
    ]);
    let lines = fs::read_to_string(Path::new(&again).join("train.jsonl")).unwrap();
    assert!(lines.lines().count() >= train.len());
}

#[test]
fn bad_input_is_named_and_bad_usage_is_usage() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("bad.jsonl");
    fs::write(&path, "{\"code\": \"\"}\n{]\n").unwrap();
    let bad = path.display().to_string();
    let out = directory.path().join("out").display().to_string();
    for arguments in [
        vec!["data", "inspect", &bad],
        vec!["data", "split", &bad, "--out", &out],
    ] {
        codexec()
            .args(arguments)
            .assert()
            .code(1)
            .stderr(contains("bad.jsonl:2"));
    }
    let table = directory.path().join("bad.parquet");
    fs::write(&table, "PAR1 nothing PAR1").unwrap();
    let table = table.display().to_string();
    codexec()
        .args(["data", "inspect", &table])
        .assert()
        .code(1)
        .stderr(contains("bad.parquet").and(contains("panicked").not()));
    for fractions in ["90,5", "50,50,50", "-10,60,50", "a,b,c"] {
        let arguments = [
            "data",
            "split",
            &bad,
            "--out",
            &out,
            "--fractions",
            fractions,
        ];
        codexec().args(arguments).assert().code(2);
    }
    for command in ["inspect", "split"] {
        codexec()
            .args(["data", command, "--help"])
            .assert()
            .success()
            .stdout(contains("Example"));
    }
}

#[test]
fn files_that_are_skipped_are_named() {
    let directory = tempdir().unwrap();
    fs::write(directory.path().join("bad.py"), b"\xff").unwrap();
    let corpus = directory.path().display().to_string();
    let out = directory.path().join("x.jsonl").display().to_string();
    codexec()
        .args(["data", "traces", &corpus, "--out", &out])
        .assert()
        .code(1)
        .stderr(contains("skipped 1: ").and(contains("bad.py: line 1: byte 0 is not UTF-8")));
}

#[test]
fn what_holds_no_example_is_refused_and_leaves_nothing() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("sets");
    for (name, text, why) in [
        ("empty.jsonl", "", "empty.jsonl: no example in it"),
        ("bad.jsonl", "{\"code\": 3}\n", "bad.jsonl:1: "),
    ] {
        let file = directory.path().join(name);
        fs::write(&file, text).unwrap();
        let inspected = codexec().args(["data", "inspect"]).arg(&file).assert();
        inspected.code(1).stdout("").stderr(contains(why));
        let mut split = codexec();
        split.args(["data", "split"]).arg(&file).arg("--out");
        split.arg(&out).assert().code(1).stderr(contains(why));
        assert!(!out.exists());
    }
}

#[test]
fn codenetmut_mutates_train_alone_and_parts_no_problem() {
    let place = tempdir().unwrap();
    let lines = (0..60).map(|k| {
        let code = format!("a = {k}\nfor i in range(3):\n    a += i * 2\nprint(a)\n");
        let record =
            json!({"id": format!("p{k}"), "problem_id": format!("q{}", k / 3), "code": code});
        format!("{record}\n")
    });
    let corpus = place.path().join("corpus.jsonl");
    fs::write(&corpus, lines.collect::<String>()).unwrap();
    let listed = place.path().join("listed.txt");
    fs::write(&listed, "q7\n").unwrap();
    let build = |out: &Path, more: &[&str]| {
        let mut command = codexec();
        command
            .args(["data", "codenetmut"])
            .arg(&corpus)
            .arg("--out")
            .arg(out);
        command.args([
            "--per-program",
            "3",
            "--fractions",
            "60,20,20",
            "--test-problems",
        ]);
        command.arg(&listed).args(more).assert()
    };
    let out = place.path().join("sets");
    let printed = build(&out, &["--json"])
        .success()
        .get_output()
        .stdout
        .clone();
    let printed: Value = serde_json::from_slice(&printed).unwrap();
    let read = |name: &str| read_records(&out.join(format!("{name}.jsonl.zst"))).unwrap();
    let mut places: HashMap<String, &str> = HashMap::new();
    for name in ["train", "valid", "test"] {
        let records = read(name);
        assert!(!records.is_empty(), "{name}");
        assert_eq!(printed[name]["counts"]["records"], records.len(), "{name}");
        for record in &records {
            let place = *places
                .entry(record.problem.clone().unwrap())
                .or_insert(name);
            assert_eq!(place, name);
        }
        let mutants = records.iter().filter(|r| !r.operators.is_empty()).count();
        assert_eq!(mutants > 0, name == "train", "{name}: {mutants} mutants");
    }
    assert_eq!(places["q7"], "test");
    assert_eq!(places.len(), 20);
    // What is there is not built over; with --resume there is nothing left to do.
    let before = fs::read(out.join("train.jsonl.zst")).unwrap();
    build(&out, &[]).code(1).stderr(contains("--resume"));
    build(&out, &["--resume"]).success();
    assert_eq!(fs::read(out.join("train.jsonl.zst")).unwrap(), before);
    let again = place.path().join("again");
    build(&again, &["--jobs", "1"]).success();
    assert_eq!(fs::read(again.join("train.jsonl.zst")).unwrap(), before);
    build(&out, &["--resume", "--split-seed", "5"])
        .code(1)
        .stderr(contains("corpus"));
}

#[test]
fn a_corpus_without_a_program_is_refused_and_leaves_nothing() {
    let place = tempdir().unwrap();
    let out = place.path().join("sets");
    for (name, cause) in [
        ("empty.jsonl", "no program in it"),
        ("one.py", "is one program"),
        ("missing.jsonl", "No such file"),
    ] {
        let corpus = place.path().join(name);
        if !name.starts_with("missing") {
            fs::write(&corpus, "").unwrap();
        }
        let mut command = codexec();
        command
            .args(["data", "codenetmut"])
            .arg(&corpus)
            .arg("--out")
            .arg(&out);
        command
            .assert()
            .code(1)
            .stderr(contains(name).and(contains(cause)));
        assert!(!out.exists(), "{name}");
    }
}

#[test]
fn the_same_code_is_never_in_two_parts_whatever_the_problem() {
    let place = tempdir().unwrap();
    // Every program stands under four problems, each time laid out otherwise.
    let lines = (0..120).map(|k| {
        let (value, blanks) = (k / 4, " ".repeat(k % 4 + 1));
        let code = format!("a = {value}\nfor i in range(3):\n{blanks}a += i # {k}\nprint(a)\n");
        format!(
            "{}\n",
            json!({"id": format!("p{k}"), "problem_id": format!("q{k}"), "code": code})
        )
    });
    let corpus = place.path().join("corpus.jsonl");
    fs::write(&corpus, lines.collect::<String>()).unwrap();
    let out = place.path().join("sets");
    codexec()
        .args(["data", "codenetmut"])
        .args([&corpus, Path::new("--out"), &out])
        .args([
            "--per-program",
            "5",
            "--operators",
            "CRP",
            "--fractions",
            "80,10,10",
        ])
        .assert()
        .success()
        .stderr(contains("their code is in another part"));
    let normal = |code: &str| -> String {
        let lines = code
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        lines
            .flat_map(|line| line.chars().filter(|c| !c.is_whitespace()).chain(['\n']))
            .collect()
    };
    let mut places: HashMap<String, &str> = HashMap::new();
    for name in ["train", "valid", "test"] {
        let records = read_records(&out.join(format!("{name}.jsonl.zst"))).unwrap();
        assert!(!records.is_empty(), "{name}");
        for record in records {
            let place = *places.entry(normal(&record.code)).or_insert(name);
            assert_eq!(place, name, "{}", record.code);
        }
    }
}
