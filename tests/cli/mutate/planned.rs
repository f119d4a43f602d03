//! Mutants that are planned in process: the same bytes as those of runs, whatever the workers and after a kill.

use super::*;

/// The record lines of a build in a directory.
fn lines(directory: &Path) -> Vec<String> {
    let shards = fs::read_dir(directory).unwrap();
    let mut shards: Vec<PathBuf> = shards.map(|entry| entry.unwrap().path()).collect();
    shards.retain(|path| path.to_string_lossy().ends_with(".jsonl.zst"));
    shards.sort();
    let text = |path: &PathBuf| zstd::decode_all(&fs::read(path).unwrap()[..]).unwrap();
    let lines = shards
        .iter()
        .map(|path| String::from_utf8(text(path)).unwrap());
    lines
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn build(corpus: &str, out: &Path, more: &[&str]) -> Value {
    let assert = codexec()
        .args(["mutate", corpus, "--json", "--out", &text(out)])
        .args(more)
        .assert()
        .success();
    let summary: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    summary["counts"].clone()
}

#[test]
fn planned_records_are_the_bytes_of_runs() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 60));
    let at = |name: &str| place.path().join(name);
    for keep in ["ok", "raised"] {
        let more = ["--per-program", "5", "--keep", keep];
        let (run, plan) = (at(&format!("run-{keep}")), at(&format!("plan-{keep}")));
        build(&corpus, &run, &more);
        let counts = build(&corpus, &plan, &[&more[..], &["--engine", "plan"]].concat());
        let (run, plan) = (lines(&run), lines(&plan));
        assert!(run.len() > 200, "{}", run.len());
        assert!(
            run == plan,
            "{keep}: {} and {} records",
            run.len(),
            plan.len()
        );
        // Powers that are too large: a run has no time for them.
        assert!(counts["plan"]["stopped"].as_u64() < Some(5), "{counts}");
        assert!(counts["plan"]["walked"].as_u64() > Some(300));
        assert!(counts["plan"]["verified"].as_u64() > Some(0));
        assert_eq!(counts["plan"]["disagreed"], 0);
    }
}

#[test]
fn examples_that_can_be_walked_have_the_records_of_their_runs() {
    let place = tempfile::tempdir().unwrap();
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let (run, plan) = (place.path().join("run"), place.path().join("plan"));
    build(corpus, &run, &["--keep", "raised"]);
    let planned = ["--keep", "raised", "--engine", "plan", "--verify", "0"];
    build(corpus, &plan, &planned);
    let (run, plan) = (lines(&run), lines(&plan));
    let missing = plan.iter().find(|line| !run.contains(line));
    assert_eq!(missing, None);
    assert!(
        plan.len() * 20 > run.len() * 19,
        "{} of {}",
        plan.len(),
        run.len()
    );
}

#[test]
fn the_same_seed_gives_the_same_planned_bytes_whatever_the_workers() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 150));
    let build = |name: &str, workers: &str| {
        let out = place.path().join(name);
        let more = ["--per-program", "3", "--engine", "plan", "--verify", "5%"];
        build(
            &corpus,
            &out,
            &[&more[..], &["--workers", workers]].concat(),
        );
        tree(&out)
    };
    assert!(build("one", "1") == build("three", "3"));
}

#[test]
fn what_cannot_be_walked_is_counted_by_cause_or_executed() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("c.jsonl");
    let lines_of = [
        r#"{"id": "plain", "code": "x = 1\nprint(x + 2)\n"}"#,
        r#"{"id": "stops", "code": "import sqlite3\nx = 1\nprint(x + 2, sqlite3.connect(':memory:') is None)\n"}"#,
    ];
    fs::write(&path, lines_of.join("\n")).unwrap();
    let (corpus, at) = (text(&path), |name: &str| place.path().join(name));
    build(&corpus, &at("run"), &[]);
    let counts = build(&corpus, &at("plan"), &["--engine", "plan"]);
    let of = |name: &str, id: &str| {
        let all = lines(&at(name)).into_iter();
        all.filter(|line| line.contains(id)).collect::<Vec<_>>()
    };
    assert_eq!(of("plan", "\"plain"), of("run", "\"plain"));
    assert!(of("plan", "\"stops").is_empty() && !of("run", "\"stops").is_empty());
    let causes = counts["plan"]["causes"].as_object().unwrap();
    let stopped: u64 = causes.values().filter_map(Value::as_u64).sum();
    assert_eq!(counts["plan"]["stopped"], stopped);
    assert!(causes.keys().all(|cause| !cause.is_empty()), "{causes:?}");
    let counts = build(&corpus, &at("both"), &["--engine", "plan,run"]);
    assert_eq!(lines(&at("both")), lines(&at("run")));
    assert_eq!(counts["plan"]["executed"], stopped);
    codexec()
        .args(["mutate", &corpus, "--engine", "plan", "--verify", "0"])
        .args(["--out", &text(&at("said"))])
        .assert()
        .success()
        .stdout(contains("stopped and dropped").and(contains("stopped at  ")));
}

#[test]
fn planning_options_without_effect_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 3));
    let refused = |arguments: &[&str], words: &str| {
        codexec()
            .args(["mutate", &corpus])
            .args(arguments)
            .assert()
            .code(2)
            .stderr(contains(words));
    };
    refused(&["--verify", "1%"], "--engine plan");
    refused(&["--engine", "guide"], "run, plan or plan,run");
    refused(&["--engine", "plan", "--verify", "120%"], "up to 100%");
    refused(&["--engine", "plan", "--no-run"], "--no-run");
    let nothing_runs = ["--engine", "plan", "--verify", "0", "--python", "python3"];
    refused(&nothing_runs, "none does");
}

#[test]
fn data_traces_are_planned_like_they_run() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 12));
    let made = |name: &str, more: &[&str]| {
        let out = place.path().join(name);
        let assert = codexec()
            .args(["data", "traces", &corpus, "--out", &text(&out)])
            .args(["--operators", "all"])
            .args(more)
            .assert()
            .success();
        (fs::read(&out).unwrap(), assert)
    };
    let (run, _) = made("run.jsonl", &[]);
    let (plan, said) = made("plan.jsonl", &["--engine", "plan", "--verify", "100%"]);
    assert!(run == plan && !run.is_empty());
    said.stderr(contains("compared with runs, 0 of them"));
    let (alone, _) = made("alone.jsonl", &["--engine", "plan", "--verify", "0"]);
    assert!(alone == plan);
}
