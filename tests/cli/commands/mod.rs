//! The command line as a user meets it: what it prints, where, and with which exit code.

mod checkpoints;
mod programs;

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{BINARY, codexec, output_of, skip, stderr, stdout, written};

/// One line on standard error that names the file, nothing on standard output, exit code 1.
fn refused(arguments: &[&str], words: &[&str]) {
    let mut assert = codexec().args(arguments).assert().code(1).stdout("");
    for word in words {
        assert = assert.stderr(contains(*word));
    }
    let said = stderr(assert.get_output());
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn every_help_shows_an_example() {
    codexec()
        .arg("--help")
        .assert()
        .success()
        .stdout(contains("Example"));
    for command in [
        "trace",
        "eval",
        "mutate",
        "pretrain",
        "doctor",
        "completions",
    ] {
        let help = codexec().args([command, "--help"]).assert().success();
        help.stdout(contains("Example").and(contains(format!("codexec {command}"))));
    }
    for command in ["singleline", "steps", "traces", "tutorial", "merge"] {
        let help = codexec()
            .args(["data", command, "--help"])
            .assert()
            .success();
        help.stdout(contains("Example").and(contains(format!("codexec data {command}"))));
    }
}

#[test]
fn version_and_completions() {
    codexec()
        .arg("--version")
        .assert()
        .success()
        .stdout(contains(env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = codexec().args(["completions", shell]).assert().success();
        script.stdout(contains("codexec").and(contains("trace")));
    }
}

#[test]
fn wrong_usage_exits_with_two() {
    codexec().args(["trace"]).assert().code(2);
    codexec()
        .args(["trace", "x.py", "--engine", "guess"])
        .assert()
        .code(2);
    codexec()
        .args(["trace", "x.py", "--beam", "0"])
        .assert()
        .code(2);
}

#[test]
fn mutation_operators_are_chosen_by_code() {
    let dir = tempfile::tempdir().unwrap();
    written(
        dir.path(),
        "p.py",
        "x = 3\nif x < 5:\n    x += 2\nprint(x)\n",
    );
    let build = |operators: &str| {
        let out = dir.path().join("out.jsonl");
        codexec()
            .args([
                "data",
                "traces",
                "--operators",
                operators,
                "--mutants",
                "6",
                "--out",
            ])
            .args([&out, dir.path()])
            .assert()
            .success();
        fs::read_to_string(out).unwrap()
    };
    let rows = build("ROR,ASR");
    assert!(rows.contains("\"ROR\"") && rows.contains("\"ASR\"") && !rows.contains("\"CRP\""));
    codexec()
        .args([
            "data",
            "traces",
            "examples",
            "--operators",
            "XYZ",
            "--out",
            "unwritten.jsonl",
        ])
        .assert()
        .failure()
        .stderr(contains("XYZ").and(contains("ROR")));
}

#[test]
fn built_examples_are_the_same_for_any_number_of_workers() {
    let dir = tempfile::tempdir().unwrap();
    let build = |name: &str, jobs: &str| {
        let out = dir.path().join(name);
        codexec()
            .args([
                "data", "steps", "--count", "200", "--seed", "3", "--jobs", jobs, "--out",
            ])
            .arg(&out)
            .assert()
            .success();
        fs::read(out).unwrap()
    };
    let one = build("one.jsonl", "1");
    assert!(!one.is_empty());
    assert_eq!(one, build("two.jsonl", "2"));
}

#[test]
fn options_that_contradict_each_other_are_wrong_usage() {
    let cases = [
        vec!["trace", "p.py", "--engine", "run", "--compare"],
        vec!["trace", "p.py", "--compare", "--format", "paper"],
        vec!["trace", "p.py", "--json", "--format", "paper"],
        vec!["trace", "-", "-"],
        vec!["data", "traces", "x", "--kind", "foo", "--out", "y"],
        vec!["pretrain", "--config", "c", "--out", "o", "--data", "foo"],
        vec!["eval", "--data", "x", "--limit", "0"],
        vec![
            "pretrain", "--config", "c", "--out", "o", "--data", "a=b", "--python", "/nope",
        ],
    ];
    for arguments in cases {
        let assert = codexec().args(&arguments).assert().code(2).stdout("");
        assert.stderr(contains("error: "));
    }
}

#[test]
fn wrong_usage_shows_the_usage_of_the_subcommand() {
    let run = output_of(&["trace", "a.py", "--compare", "--engine", "run"]);
    let text = stderr(&run);
    assert!(text.contains("Usage: codexec trace "), "{text}");
}

#[test]
fn options_that_an_engine_does_not_use_are_refused() {
    let run = ["trace", "p.py", "--engine", "run"];
    let guide = ["eval", "--data", "x", "--engine", "guide"];
    let cases = [
        (
            &["trace", "p.py"][..],
            &["--python", "/nope"][..],
            "run or guide",
        ),
        (&["trace", "p.py"], &["--unsafe-no-sandbox"], "run or guide"),
        (
            &["trace", "p.py", "--whole"],
            &["--packages"],
            "plan, run or guide",
        ),
        (
            &["trace", "p.py", "--whole"],
            &["--path", "d"],
            "plan, run or guide",
        ),
        (&run, &["--beam", "3"], "plan or whole"),
        (&run, &["--model", "m"], "plan, whole or orca"),
        (&run, &["--quantised"], "plan or whole"),
        (&run, &["--search", "best"], "whole"),
        (&guide, &["--beam", "1,2"], "plan or whole"),
        (&guide, &["--no-flow"], "whole"),
        (&run, &["--no-fold"], "plan"),
        (
            &["trace", "p.py", "--whole"],
            &["--min-confidence", "0.5"],
            "plan",
        ),
        (
            &["eval", "--data", "x", "--engine", "whole"],
            &["--no-packages"],
            "plan, run or guide",
        ),
    ];
    for (command, option, fitting) in cases {
        let run = codexec().args(command).args(option).assert().code(2);
        let why = format!("it is for --engine {fitting}\n");
        run.stdout("")
            .stderr(contains(format!("{} does nothing", option[0])))
            .stderr(contains(why));
    }
    // Worlds need alternatives, which are not kept.
    let kept = ["trace", "p.py", "--answers", "a.jsonl", "--beam", "2"];
    let run = codexec().args(kept).assert().code(2);
    run.stderr(contains("leave out --beam"));
    // A comparison runs the program.
    let compared = ["trace", "p.py", "--compare", "--python", "/nope"];
    codexec().args(compared).assert().code(1);
}

#[test]
fn every_command_that_runs_programs_takes_the_interpreter() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("p.py"), "x = 1\n").unwrap();
    let out = dir.path().join("out.jsonl");
    let (place, out) = (dir.path().to_str().unwrap(), out.to_str().unwrap());
    for command in [
        &["mutate", place][..],
        &["data", "traces", place, "--out", out],
        &["data", "steps", "--count", "1", "--out", out],
        &["data", "plan", place, "--out", out],
        &["guide", place],
        &["prefix", place],
        &["doctor"],
    ] {
        let run = codexec().args(command).args(["--python", "/nope"]).assert();
        let said = run.get_output();
        let said = [&said.stdout[..], &said.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains("/nope"), "{command:?}: {said}");
    }
}

#[test]
fn a_cause_is_said_once() {
    let run = codexec().args(["trace", "no/such.py"]).assert().code(1);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(stderr.matches("No such file").count(), 1, "{stderr}");
}
