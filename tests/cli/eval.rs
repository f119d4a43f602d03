//! `codexec eval` as users call it: data checked by running it, results written whole, two results
//! compared.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::support::codexec;

fn fixture(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/eval");
    root.join(name).display().to_string()
}

/// Runs `codexec eval` with these arguments and reads its JSON.
fn evaluated(args: &[&str]) -> Value {
    let out = codexec()
        .arg("eval")
        .args(args)
        .arg("--json")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{said}");
    serde_json::from_slice(&out.stdout).unwrap()
}

/// A score of the evaluated engine.
fn score(set: &Value, table: &str, metric: &str) -> Option<f64> {
    let tables = set["tables"].as_array().unwrap();
    let table = tables
        .iter()
        .find(|t| t["title"].as_str().unwrap().starts_with(table))
        .unwrap();
    let metrics = table["metrics"].as_array().unwrap();
    let at = metrics.iter().position(|m| m == metric).unwrap();
    table["rows"][0]["scores"][at]["value"].as_f64()
}

/// Running needs a sandbox.
#[cfg(target_os = "linux")]
#[test]
fn data_that_is_run_again_is_right_and_called_run() {
    let found = evaluated(&["--engine", "run", "--data", &fixture("small.jsonl")]);
    assert!(!found.to_string().contains("\"whole"));
    let sets = found["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 2);
    for set in sets {
        assert_eq!(score(set, "Lines", "exact"), Some(1.0), "{}", set["name"]);
        let engine = set["tables"][0]["rows"][0]["engine"].as_str().unwrap();
        assert!(engine.starts_with("run: CPython 3."), "{engine}");
        assert!(set.get("calibration").is_none(), "a run has no confidence");
    }
}

/// Programs of records stand in their projects: what they import and are given is what alone they do not have.
#[cfg(target_os = "linux")]
#[test]
fn records_name_a_root_arguments_and_environment() {
    let dir = tempfile::tempdir().unwrap();
    let programs = dir.path().join("programs");
    fs::create_dir_all(dir.path().join("shop")).unwrap();
    fs::create_dir_all(&programs).unwrap();
    fs::write(dir.path().join("shop/helper.py"), "x = 7\n").unwrap();
    // The truth of programs that do the same alone.
    fs::write(programs.join("a.py"), "x = 7\ny = x\n").unwrap();
    fs::write(programs.join("b.py"), "import sys, os\nx = 'one two'\n").unwrap();
    let file = dir.path().join("made.jsonl");
    let made = codexec()
        .args(["data", "traces"])
        .arg(&programs)
        .arg("--out")
        .arg(&file)
        .output();
    assert!(made.unwrap().status.success());
    let text = fs::read_to_string(&file).unwrap();
    let mut records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    records.retain(|record| record["operators"].as_array().unwrap().is_empty());
    assert_eq!(records.len(), 2);
    for record in &mut records {
        let (code, root) = match record["code"].as_str().unwrap().contains("sys") {
            true => (
                "import sys, os\nx = sys.argv[1] + os.environ['MORE']\n",
                None,
            ),
            false => ("from helper import x\ny = x\n", Some("shop")),
        };
        record["code"] = code.into();
        record["root"] = root.into();
        record["arguments"] = serde_json::json!(["one"]);
        record["environment"] = serde_json::json!({"MORE": " two"});
    }
    let write = |name: &str, records: &[Value]| {
        let lines = records.iter().map(|record| format!("{record}\n"));
        let file = dir.path().join(name);
        fs::write(&file, lines.collect::<String>()).unwrap();
        file.display().to_string()
    };
    let stood = write("stood.jsonl", &records);
    for engine in ["run", "plan"] {
        let found = evaluated(&["--engine", engine, "--data", &stood]);
        let set = &found["sets"][0];
        assert_eq!(score(set, "Lines", "exact"), Some(1.0), "{engine}: {set:#}");
    }
    let programs = write(
        "snippets.jsonl",
        &[serde_json::json!({
            "id": "a", "root": "shop", "arguments": ["one"],
            "code": "import sys\nfrom helper import x\ny = [0][x - 7]\nz = sys.argv[1]\n",
        })],
    );
    let guided = codexec()
        .args([
            "eval",
            "guide",
            "--predictors",
            "as-is",
            "--json",
            "--programs",
            &programs,
        ])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&guided.stdout);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert!(
        text.replace(' ', "").contains("\"covered\":1.0"),
        "{found:#}"
    );
    records[0]["root"] = "nowhere".into();
    let missing = write("missing.jsonl", &records);
    let run = codexec()
        .args(["eval", "--engine", "run", "--data", &missing])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        said.contains("nowhere") && said.contains("record "),
        "{said}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn orcas_programs_run_behind_the_imports_they_lack() {
    let found = evaluated(&["--engine", "run", "--data", &fixture("orca.json")]);
    let set = &found["sets"][0];
    assert_eq!(score(set, "ORCA", "exact match"), Some(1.0));
    assert_eq!(score(set, "ORCA", "values (aligned)"), Some(1.0));
    assert_eq!(score(set, "ORCA", "detection"), Some(1.0));
    assert_eq!(score(set, "ORCA", "error line"), Some(1.0));
    let names: Vec<&str> = set["tables"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|t| t["rows"].as_array().unwrap())
        .map(|r| r["engine"].as_str().unwrap())
        .collect();
    let stored = ["stored: statements", "stored: blocks"];
    assert!(stored.iter().all(|s| names.contains(s)), "{names:?}");
}

#[test]
fn results_are_the_same_on_any_number_of_cores_and_compare_as_equal() {
    let directory = tempfile::tempdir().unwrap();
    let run = |name: &str, cores: &str| {
        let out = directory.path().join(name);
        codexec()
            .env("RAYON_NUM_THREADS", cores)
            .args(["eval", "--whole", "--beam", "1", "--limit", "4", "--data"])
            .arg(fixture("small.jsonl"))
            .arg("--out")
            .arg(&out)
            .assert()
            .success()
            .stdout(contains("baseline: no change"));
        let mut names: Vec<String> = fs::read_dir(&out)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["results.json", "results.md"]);
        out.join("results.json")
    };
    let (one, two) = (run("one", "1"), run("two", "2"));
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    codexec()
        .args(["eval", "compare"])
        .args([&one, &two])
        .assert()
        .success()
        .stdout(contains("no significant difference"))
        .stdout(contains(format!("B: whole: default ({})", two.display())))
        .stdout(PredicateBooleanExt::not(contains("different:")));
}

#[test]
fn results_on_other_examples_are_not_compared() {
    let directory = tempfile::tempdir().unwrap();
    let orca = fixture("orca.json");
    let results = |limit: &str| {
        let found = evaluated(&["--whole", "--beam", "1", "--data", &orca, "--limit", limit]);
        let path = directory.path().join(limit);
        fs::write(&path, found.to_string()).unwrap();
        path
    };
    codexec()
        .args(["eval", "compare"])
        .args([results("1"), results("2")])
        .assert()
        .code(1)
        .stderr(contains("no set has the same examples"));
    let bad = directory.path().join("bad.json");
    fs::write(&bad, "{}").unwrap();
    codexec()
        .args(["eval", "compare"])
        .args([&bad, &bad])
        .assert()
        .code(1)
        .stderr(contains("bad.json"));
}

#[test]
fn what_cannot_be_written_is_said_before_anything_is_predicted() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    codexec()
        .args(["eval", "--data", &fixture("small.jsonl"), "--out"])
        .arg(&file)
        .assert()
        .code(1)
        .stderr(contains("file"));
    codexec().arg("eval").assert().code(2);
    let kept = directory.path().join("results.json");
    fs::write(&kept, "mine").unwrap();
    codexec()
        .args(["eval", "--data", &fixture("small.jsonl"), "--out"])
        .arg(directory.path())
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("results.json").and(contains("--force")));
    assert_eq!(fs::read_to_string(&kept).unwrap(), "mine");
}

#[test]
fn records_without_a_trace_are_no_examples() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("records.jsonl");
    let stages = "curriculum/stages/tiny.toml";
    let attempts: [(&str, &[&str]); 2] = [
        (
            r#"{"id": "m1", "code": "x = 1\n", "code_tokens": "<0> x = 1", "outcome": "not_run"}"#,
            &["record m1 has no trace", "not_run", "--no-run"],
        ),
        (
            r#"{"id": "e1", "code": "x = 1\n", "origin": "clean", "split": "test", "error": null}"#,
            &["codexec data errors", "codexec eval errors"],
        ),
    ];
    for (record, words) in attempts {
        fs::write(&file, format!("{record}\n")).unwrap();
        let out = directory.path().join("out");
        for arguments in [
            &["eval", "--data", "FILE"][..],
            &[
                "pretrain",
                "--config",
                stages,
                "--data",
                "singleline=FILE",
                "--data",
                "programs=FILE",
                "--out",
                "OUT",
            ],
        ] {
            let argument = |a: &&str| {
                a.replace("FILE", file.to_str().unwrap())
                    .replace("OUT", out.to_str().unwrap())
            };
            let mut failed = codexec();
            let failed = failed.args(arguments.iter().map(argument)).assert().code(1);
            for word in words {
                let stderr = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
                assert!(stderr.contains(word), "{arguments:?}: {stderr}");
            }
        }
    }
    codexec()
        .args(["data", "split"])
        .arg(&file)
        .arg("--out")
        .arg(directory.path().join("sets"))
        .assert()
        .code(1)
        .stderr(contains("codexec data errors"));
    assert!(!directory.path().join("sets").exists());
}

#[test]
fn guided_runs_of_complete_programs_are_what_happened() {
    let out = tempfile::tempdir().unwrap();
    let printed = codexec()
        .args([
            "eval",
            "--data",
            &fixture("small.jsonl"),
            "--engine",
            "guide",
        ])
        .args(["--bootstrap", "0", "--json", "--out"])
        .arg(out.path())
        .assert()
        .success();
    let results: Value = serde_json::from_slice(&printed.get_output().stdout).unwrap();
    let rows = results["sets"][0]["tables"][0]["rows"].as_array().unwrap();
    assert_eq!(rows[0]["engine"], "guide: combined");
    assert_eq!(rows[0]["scores"][0]["value"], 1.0, "{}", rows[0]);
}

#[test]
fn widths_of_the_beam_stand_side_by_side() {
    let small = fixture("small.jsonl");
    let found = evaluated(&["--whole", "--beam", "2,1", "--limit", "3", "--data", &small]);
    let alone = evaluated(&["--whole", "--beam", "1", "--limit", "3", "--data", &small]);
    for (set, alone) in [0, 1].map(|k| (&found["sets"][k], &alone["sets"][k])) {
        let rows = set["tables"][1]["rows"].as_array().unwrap();
        assert_eq!(rows[0]["engine"], "whole: default, beam 2");
        assert_eq!(rows[1]["engine"], "whole: default, beam 1");
        let (beside, alone) = (&rows[1], &alone["tables"][1]["rows"][0]);
        assert_eq!(alone["engine"], "whole: default");
        assert_eq!(beside["scores"], alone["scores"]);
    }
    // Of whole programs: those that raise, and those that are said to.
    let counts = &found["sets"][1]["confusions"][1][1];
    let total: u64 = counts
        .as_object()
        .unwrap()
        .values()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(total, 3, "{counts}");
}
