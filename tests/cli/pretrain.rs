//! `codexec pretrain` from its command line: shards, variants, pieces, reports, benchmarks.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use codexec_data::records::{read_records, write_records};
use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{codexec, page_data, skip};

const CONFIG: &str = r#"
seed = 3
threads = 2
log_every = 1
[model]
vocabulary = 512
hidden_size = 16
layers = 1
heads = 2
max_source = 128
max_target = 64
[[stages]]
name = "singleline"
steps = 6
mix = { singleline = 1.0 }
batch_tokens = 512
peak_lr = 1e-3
[[stages]]
name = "steps"
steps = 4
mix = { singleline = 1.0, steps = 1.0 }
hardest = { singleline = { share = 0.25 } }
batch_tokens = 512
peak_lr = 1e-3
"#;

fn any_threads() -> Command {
    let mut command = codexec();
    command.env_remove("RAYON_NUM_THREADS");
    command
}

fn path(dir: &Path, name: &str) -> String {
    dir.join(name).display().to_string()
}

/// A configuration, a directory of three shards, and a file.
fn prepared(dir: &Path) {
    fs::write(dir.join("run.toml"), CONFIG).unwrap();
    let all = path(dir, "all.jsonl");
    let build = ["data", "steps", "--count", "150", "--out", &all];
    any_threads().args(build).assert().success();
    let records = read_records(Path::new(&all)).unwrap();
    fs::create_dir(dir.join("shards")).unwrap();
    let names = ["a.jsonl.zst", "b.parquet", "c.jsonl"];
    for (name, records) in names.into_iter().zip(records.chunks(50)) {
        write_records(&dir.join("shards").join(name), records.iter()).unwrap();
    }
}

fn pretrain(dir: &Path, out: &str, more: &[&str]) -> assert_cmd::assert::Assert {
    let (config, out) = (path(dir, "run.toml"), path(dir, out));
    let singleline = format!("singleline={}", path(dir, "shards"));
    let steps = format!("steps={}", path(dir, "all.jsonl"));
    any_threads()
        .args([
            "pretrain", "--device", "cpu", "--config", &config, "--out", &out,
        ])
        .args(["--data", &singleline, "--data", &steps])
        .args(more)
        .assert()
}

/// Losses by step, without what depends on time.
fn losses(dir: &Path, out: &str) -> Vec<(u64, f64)> {
    let text = fs::read_to_string(dir.join(out).join("metrics.jsonl")).unwrap();
    let lines = text
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    lines
        .filter_map(|l| Some((l["step"].as_u64()?, l.get("loss")?.as_f64()?)))
        .collect()
}

#[test]
fn shards_are_one_data_set_whatever_the_number_of_readers() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    pretrain(dir.path(), "one", &["--readers", "1"])
        .success()
        .stderr(contains("examples scored"));
    pretrain(dir.path(), "three", &["--readers", "3"]).success();
    let one = losses(dir.path(), "one");
    assert_eq!(one.len(), 10);
    assert_eq!(one, losses(dir.path(), "three"));
    let report = fs::read_to_string(dir.path().join("one/report.html")).unwrap();
    let report = page_data(&report).to_string();
    assert!(report.contains("Loss of a target token"));

    // The single files give the same as the directory.
    let (config, out) = (path(dir.path(), "run.toml"), path(dir.path(), "files"));
    let mut command = any_threads();
    command.args([
        "pretrain", "--device", "cpu", "--config", &config, "--out", &out,
    ]);
    for name in ["a.jsonl.zst", "b.parquet", "c.jsonl"] {
        let file = path(&dir.path().join("shards"), name);
        command.args(["--data".to_owned(), format!("singleline={file}")]);
    }
    let steps = format!("steps={}", path(dir.path(), "all.jsonl"));
    command.args(["--data", &steps]).assert().success();
    assert_eq!(one, losses(dir.path(), "files"));
}

#[test]
fn a_validation_is_kept_and_shown() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    let config = CONFIG.replace("log_every = 1", "log_every = 1\neval_every = 4");
    fs::write(dir.path().join("run.toml"), config).unwrap();
    let valid = format!("held={}", path(dir.path(), "all.jsonl"));
    pretrain(dir.path(), "run", &["--valid", &valid]).success();
    let text = fs::read_to_string(dir.path().join("run/metrics.jsonl")).unwrap();
    let lines = text
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    let scores: Vec<_> = lines.filter(|l| l.get("validation").is_some()).collect();
    let steps: Vec<u64> = scores.iter().filter_map(|l| l["step"].as_u64()).collect();
    assert_eq!(
        steps,
        [4, 6, 8, 10],
        "every four steps and at the end of stages"
    );
    let losses: Vec<f64> = scores
        .iter()
        .filter_map(|l| l["validation"]["held loss"].as_f64())
        .collect();
    assert!(
        losses.iter().all(|loss| (4.0..7.0).contains(loss)),
        "{losses:?}"
    );
    assert!(losses[3] < losses[0]);
    let report = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
    let report = page_data(&report).to_string();
    assert!(report.contains("Validation: held exact"));
}

#[test]
fn a_damaged_shard_stops_the_run_and_is_named() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    pretrain(dir.path(), "run", &["--budget", "steps=4"]).success();
    let checkpoint = dir.path().join("run/checkpoints/latest");
    let before = fs::read(&checkpoint).unwrap();
    let shard = dir.path().join("shards/b.parquet");
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, &bytes[..bytes.len() / 2]).unwrap();
    pretrain(dir.path(), "run", &["--budget", "steps=4", "--resume"])
        .code(1)
        .stderr(contains("b.parquet"));
    assert_eq!(fs::read(&checkpoint).unwrap(), before);
    fs::write(&shard, bytes).unwrap();
    pretrain(dir.path(), "run", &["--budget", "steps=4", "--resume"]).success();
}

#[test]
fn a_run_goes_on_elsewhere_from_a_packed_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    let piece = path(dir.path(), "piece");
    // So short that it stops after the first step.
    let short = ["--piece", "0.000001", "--pack", &piece];
    pretrain(dir.path(), "here", &short)
        .success()
        .stderr(contains("go on with --resume"))
        .stderr(contains("packed: "));
    assert!(dir.path().join("piece.00").is_file());
    pretrain(dir.path(), "there", &["--unpack", &piece, "--resume"]).success();
    let (first, rest) = (losses(dir.path(), "here"), losses(dir.path(), "there"));
    assert!(!first.is_empty() && first.len() < 10);
    assert_eq!(rest.len(), 10);
    assert_eq!(rest[..first.len()], first);

    let refused = ["--unpack", &piece, "--resume"];
    pretrain(dir.path(), "there", &refused)
        .code(1)
        .stderr(contains("already holds"));
    let out = path(dir.path(), "empty");
    let pack = ["pretrain", "--out", &out, "--pack", &piece];
    any_threads()
        .args(pack)
        .assert()
        .code(1)
        .stderr(contains("no checkpoint"));
}

#[test]
fn variants_and_budgets_change_the_run() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    let stages = |out: &str| -> Vec<String> {
        let text = fs::read_to_string(dir.path().join(out).join("metrics.jsonl")).unwrap();
        let lines = text
            .lines()
            .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
        let mut stages: Vec<String> = lines
            .filter(|l| l.get("loss").is_some())
            .filter_map(|l| Some(l["stage"].as_str()?.to_owned()))
            .collect();
        stages.dedup();
        stages
    };
    for (name, expected) in [
        ("cel", vec!["singleline", "steps"]),
        ("no-curriculum", vec!["all"]),
        ("joined-digits", vec!["singleline", "steps"]),
        ("full-states", vec!["singleline", "steps"]),
    ] {
        pretrain(
            dir.path(),
            name,
            &["--ablation", name, "--budget", "steps=5"],
        )
        .success();
        assert_eq!(stages(name), expected, "{name}");
        assert_eq!(losses(dir.path(), name).len(), 5);
    }
    pretrain(dir.path(), "x", &["--ablation", "less"])
        .code(2)
        .stderr(contains("no-curriculum"));
    pretrain(dir.path(), "x", &["--budget", "5"])
        .code(2)
        .stderr(contains("minutes=30"));
}

#[test]
fn a_report_needs_the_metrics_alone() {
    let dir = tempfile::tempdir().unwrap();
    let run = path(dir.path(), "");
    any_threads()
        .args(["pretrain", "--report", &run])
        .assert()
        .code(1)
        .stderr(contains("metrics.jsonl"));
    let line = r#"{"step":1,"stage":"s","loss":2.0,"tokens":10,"elapsed":1.0,"skipped":0}"#;
    fs::write(dir.path().join("metrics.jsonl"), format!("{line}\n")).unwrap();
    any_threads()
        .args(["pretrain", "--report", &run])
        .assert()
        .success();
    assert!(dir.path().join("report.html").is_file());
}

#[test]
fn a_benchmark_says_where_the_time_goes() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("run.toml"), CONFIG).unwrap();
    let config = path(dir.path(), "run.toml");
    let benchmark = [
        "pretrain",
        "--device",
        "cpu",
        "--config",
        &config,
        "--benchmark",
        "2",
    ];
    let table = any_threads().args(benchmark).assert().success();
    for row in [
        "tokens per second",
        "backward",
        "waiting for data",
        "share of it",
        "peak memory",
    ] {
        let text = String::from_utf8_lossy(&table.get_output().stdout).into_owned();
        assert!(text.contains(row), "{text}");
    }
    let json = any_threads()
        .args(benchmark)
        .arg("--json")
        .assert()
        .success();
    let timed = [&benchmark[..], &["--cpu-time"]].concat();
    any_threads().args(timed).assert().success();
    let report: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    let share = |key: &str| report[key].as_f64().unwrap();
    let parts = ["forward", "backward", "optimizer", "data_wait"].map(share);
    assert!((parts.iter().sum::<f64>() - 1.0).abs() < 0.01, "{parts:?}");
    assert!(share("tokens_per_second") > 0.0 && share("flops_per_token") > 0.0);
    assert_eq!(report["steps"], 2);
}

#[test]
fn data_can_be_made_on_the_way() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    let doctor = any_threads().arg("doctor").output().unwrap();
    if !doctor.status.success() {
        skip("no sandbox here");
        return;
    }
    let config = CONFIG
        .replace(
            "mix = { singleline = 1.0, steps = 1.0 }",
            "mix = { made = 1.0 }",
        )
        .replace("hardest = { singleline = { share = 0.25 } }\n", "")
        .replace("max_source = 128", "max_source = 512")
        .replace("max_target = 64", "max_target = 1024")
        .replace("[model]", "[online]\nprograms = 4\nmutants = 3\n[model]");
    fs::write(dir.path().join("run.toml"), config).unwrap();
    let examples = concat!("made=", env!("CARGO_MANIFEST_DIR"), "/examples");
    for (out, makers) in [("one", "1"), ("two", "2")] {
        pretrain(dir.path(), out, &["--online", examples, "--makers", makers]).success();
    }
    let one = losses(dir.path(), "one");
    assert_eq!(one.len(), 10);
    assert_eq!(one, losses(dir.path(), "two"));
    let metrics = fs::read_to_string(dir.path().join("one/metrics.jsonl")).unwrap();
    assert!(metrics.lines().last().unwrap().contains("data_wait"));
    let config = path(dir.path(), "run.toml");
    let out = path(dir.path(), "alone");
    let alone = [
        "pretrain", "--config", &config, "--out", &out, "--online", examples,
    ];
    any_threads()
        .args(alone)
        .assert()
        .code(2)
        .stderr(contains("--tokenizer"));
    // Before any file is read.
    let misspelt = [
        "pretrain",
        "--config",
        &config,
        "--out",
        &out,
        "--data",
        "step=no-such.jsonl",
    ];
    any_threads()
        .args(misspelt)
        .assert()
        .code(1)
        .stderr(contains("wants the data set").and(contains("given: step")));
    let twice = ["--online", "steps=examples", "--online", "made=examples"];
    pretrain(dir.path(), "x", &twice)
        .code(1)
        .stderr(contains("two data sets"));
}

#[test]
fn planned_data_go_on_after_a_kill_and_never_come_twice() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    let templates = path(dir.path(), "templates.jsonl");
    let statements = [
        r#"{"stmt": "a = b + c", "free": ["b", "c"], "types": [["int", "int"], ["str", "str"]]}"#,
        r#"{"stmt": "if b > c:", "free": ["b", "c"], "types": [["int", "int"]]}"#,
    ];
    fs::write(&templates, statements.join("\n")).unwrap();
    let config = CONFIG
        .replace(
            "mix = { singleline = 1.0, steps = 1.0 }",
            "mix = { made = 1.0, lines = 1.0 }",
        )
        .replace("hardest = { singleline = { share = 0.25 } }\n", "")
        .replace("max_source = 128", "max_source = 512")
        .replace("max_target = 64", "max_target = 1024")
        .replace("[model]", "[online]\nprograms = 4\nmutants = 3\n[model]");
    fs::write(dir.path().join("run.toml"), &config).unwrap();
    let made = concat!("made=", env!("CARGO_MANIFEST_DIR"), "/examples");
    let lines = format!("lines=statements:{templates}");
    let valid = format!("steps={}", path(dir.path(), "all.jsonl"));
    let all = [
        "--online", made, "--online", &lines, "--engine", "plan", "--valid", &valid,
    ];
    let whole = pretrain(dir.path(), "whole", &all).success();
    whole.stderr(contains("fresh traces, none twice"));
    let expected = losses(dir.path(), "whole");
    assert_eq!(expected.len(), 10);
    // Stopped with a checkpoint as soon as may be, again and again.
    let pieces = [&all[..], &["--piece", "0.0001", "--resume"]].concat();
    let mut runs = 0;
    while losses_so_far(dir.path(), "pieces").len() < expected.len() {
        pretrain(dir.path(), "pieces", &pieces).success();
        runs += 1;
        assert!(runs < 100, "no progress");
    }
    assert!(runs > 2, "{runs} runs");
    assert_eq!(losses(dir.path(), "pieces"), expected);
    let given = |out: &str, set: &str| {
        let path = dir.path().join(out).join(format!("online/{set}.given"));
        fs::read(path).unwrap()
    };
    for set in ["made", "lines"] {
        assert!(given("whole", set) == given("pieces", set), "{set}");
    }
    let last = metrics(dir.path(), "whole").pop().unwrap();
    let of = |key: &str| last["online"]["made"][key].as_u64().unwrap();
    assert!(of("fresh") > 0 && of("rounds") > 0 && of("waited") <= of("rounds"));
    let report = fs::read_to_string(dir.path().join("whole/report.html")).unwrap();
    assert!(
        page_data(&report)
            .to_string()
            .contains("fresh traces, none twice")
    );
    pretrain(dir.path(), "x", &["--engine", "plan"])
        .code(2)
        .stderr(contains("--online"));
}

#[test]
fn the_checkpoint_with_the_lowest_validation_loss_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    prepared(dir.path());
    // At the rate of the second stage the loss rises.
    let (first, second) = CONFIG.rsplit_once("peak_lr = 1e-3").unwrap();
    let config = format!("{first}peak_lr = 5.0{second}");
    let config = config.replace("log_every = 1", "log_every = 1\neval_every = 1");
    fs::write(dir.path().join("run.toml"), config).unwrap();
    let valid = format!("steps={}", path(dir.path(), "all.jsonl"));
    let run = pretrain(dir.path(), "run", &["--valid", &valid]).success();
    let lines = metrics(dir.path(), "run").into_iter();
    let scores = lines.filter_map(|line| {
        let loss = line["validation"]["steps loss"].as_f64()?;
        Some((line["step"].as_u64()?, loss))
    });
    let scores: Vec<(u64, f64)> = scores.collect();
    let lower = |a: &(u64, f64), b: &(u64, f64)| a.1.total_cmp(&b.1);
    let (best, _) = *scores.iter().min_by(|a, b| lower(a, b)).unwrap();
    let (last, _) = *scores.last().unwrap();
    assert!(best < last, "the loss does not rise: {scores:?}");
    run.stderr(
        contains("the validation loss has risen").and(contains(format!("after step {best}"))),
    );
    let weights = |out: &str| fs::read(dir.path().join("run").join(out).join("model.safetensors"));
    assert!(weights("best").unwrap() != weights("checkpoint").unwrap());
    // As a run that ends there.
    let report = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
    assert!(
        page_data(&report)
            .to_string()
            .contains("it has risen since")
    );
}

/// The lines of the metrics of a run.
fn metrics(dir: &Path, out: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(dir.join(out).join("metrics.jsonl")).unwrap_or_default();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// The losses of a run that may not have begun.
fn losses_so_far(dir: &Path, out: &str) -> Vec<(u64, f64)> {
    match dir.join(out).join("metrics.jsonl").is_file() {
        true => losses(dir, out),
        false => Vec::new(),
    }
}
