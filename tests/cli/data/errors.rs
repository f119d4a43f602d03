//! `codexec data errors` and `codexec eval errors`: what is written, that it is what the sandbox says, and its scores.

use codexec_data::errors::{ErrorOrigin, ErrorRecord, read_error_records};
use codexec_data::records::Part;
use serde_json::{Value, json};
use tempfile::tempdir;

use crate::support::{BINARY, can_run, output_of, stderr, stdout, written};

/// Programs of several problems: one with samples, one that raises, some that read, some that do not.
fn corpus() -> String {
    let mut lines = Vec::new();
    for k in 0..12 {
        let reads = "n = int(input())\nxs = list(map(int, input().split()))\ntotal = str(sum(xs[:n]))\nprint(total + '!')\n";
        let (code, samples) = match k % 4 {
            0 => (
                format!("{reads}print({k})\n"),
                json!([{"in": "2\n3 4\n", "out": ""}]),
            ),
            1 => (
                format!("values = [1, 2]\nprint(values[{k}])\n"),
                Value::Null,
            ),
            2 => (format!("{reads}print({k}, n)\n"), Value::Null),
            _ => (
                format!("d = {{'a': {k}}}\nfor key in ['a']:\n    print(d[key], len(key))\n"),
                Value::Null,
            ),
        };
        lines.push(
            json!({"id": format!("r{k}"), "code": code, "group": format!("c:p{k}"), "samples": samples,
                   "src": "here", "licence": "MIT"})
            .to_string(),
        );
    }
    lines.join("\n") + "\n"
}

fn made(name: &str, more: &[&str]) -> (Vec<ErrorRecord>, String) {
    let dir = tempdir().unwrap();
    let corpus = written(dir.path(), "corpus.jsonl", corpus());
    let problems = r#"{"problem_id": "p0", "group": "c:p0", "input_desc": "N, then N integers"}"#;
    let problems = written(dir.path(), "problems.jsonl", problems);
    let out = dir.path().join(name).display().to_string();
    let usual = [
        "data",
        "errors",
        &corpus,
        "--out",
        &out,
        "--descriptions",
        &problems,
    ];
    let run = output_of(&[&usual[..], more].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    (read_error_records(out.as_ref()).unwrap(), stdout(&run))
}

#[test]
fn records_say_how_programs_end_and_training_is_balanced() {
    if !can_run() {
        return;
    }
    let (records, _) = made(
        "a.jsonl.zst",
        &["--fractions", "50,20,30", "--split-seed", "4"],
    );
    let natural = records.iter().filter(|r| r.origin == ErrorOrigin::Natural);
    for record in natural {
        assert_eq!(
            (record.error.as_deref(), record.error_line),
            (Some("IndexError"), Some(2))
        );
        assert!(record.operators.is_empty());
    }
    let described = records
        .iter()
        .filter(|r| r.problem.as_deref() == Some("c:p0"));
    for record in described {
        assert_eq!(record.description.as_deref(), Some("N, then N integers"));
        assert_eq!(record.stdin.as_deref(), Some("2\n3 4\n"));
        assert!(
            record
                .input_summary
                .as_ref()
                .is_some_and(|text| text.starts_with("2 lines;"))
        );
    }
    for part in [Part::Train, Part::Valid] {
        let of_part = records.iter().filter(|r| r.split == part);
        let raising = of_part.clone().filter(|r| r.error.is_some()).count();
        assert_eq!(2 * raising, of_part.count(), "{part:?}");
    }
    let mut edited = 0;
    for record in &records {
        if record.origin == ErrorOrigin::Mutant {
            assert_ne!(record.split, Part::Test);
            assert!(!record.operators.is_empty());
            edited += usize::from(record.error.is_some());
        }
        let line = record.error_line.unwrap_or(1) as usize;
        assert!(line <= record.code.lines().count());
        assert!(record.error.is_some() || record.error_line.is_none());
    }
    assert!(edited > 5, "{edited} raising mutants");
    let parts = |problem: &str| {
        let of = records
            .iter()
            .filter(|r| r.problem.as_deref() == Some(problem));
        of.map(|r| r.split)
            .collect::<std::collections::BTreeSet<_>>()
    };
    for k in 0..12 {
        assert!(parts(&format!("c:p{k}")).len() <= 1);
    }
}

#[test]
fn the_same_seed_gives_the_same_records_whatever_the_workers() {
    if !can_run() {
        return;
    }
    let one = made("a.jsonl", &["--jobs", "1", "--seed", "3"]);
    let two = made("a.jsonl", &["--jobs", "2", "--seed", "3"]);
    assert_eq!(one, two);
    assert_ne!(one.0, made("a.jsonl", &["--seed", "4"]).0);
}

#[test]
fn the_summary_counts_by_kind_and_origin() {
    if !can_run() {
        return;
    }
    let test_only = ["--fractions", "0,0,100"];
    let (records, text) = made("a.jsonl", &test_only);
    assert!(records.iter().all(|r| r.origin != ErrorOrigin::Mutant));
    assert!(
        text.contains("| IndexError | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 0 |"),
        "{text}"
    );
    let (_, text) = made("a.jsonl", &[&test_only[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["parts"]["test"]["IndexError"]["natural"], 2);
    assert_eq!(document["records"].as_u64(), Some(records.len() as u64));
}

/// The only input of the corpus is given to the programs of other problems that read, and those are scored by themselves.
#[test]
fn programs_are_given_inputs_of_other_problems() {
    if !can_run() {
        return;
    }
    let arguments = [
        "--fractions",
        "0,0,100",
        "--other-inputs",
        "4",
        "--guesses",
        "0",
    ];
    let (records, text) = made("a.jsonl", &arguments);
    let given: Vec<&ErrorRecord> = records
        .iter()
        .filter(|record| record.origin == ErrorOrigin::Input)
        .collect();
    let ids: Vec<&str> = given.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["r2#other0", "r6#other0", "r10#other0"]);
    for record in &given {
        assert_eq!(record.stdin.as_deref(), Some("2\n3 4\n"));
        assert!(record.error.is_none() && record.split == Part::Test);
        let summary = record.input_summary.as_deref();
        assert!(summary.is_some_and(|text| text.starts_with("2 lines;")));
    }
    assert!(
        text.contains("| No error | 0 | 0 | 0 | 0 | 0 | 0 | 7 | 3 |"),
        "{text}"
    );

    let dir = tempdir().unwrap();
    let rows: Vec<String> = (records.iter())
        .map(|record| serde_json::to_string(record).unwrap())
        .collect();
    let path = written(dir.path(), "errors.jsonl", rows.join("\n"));
    let scored = |more: &[&str]| {
        let run = output_of(
            &[
                &["eval", "errors", &path, "--engines", "majority", "--json"],
                more,
            ]
            .concat(),
        );
        let document: Value = serde_json::from_str(&stdout(&run)).unwrap();
        document["records"].as_u64().unwrap() as usize
    };
    assert_eq!(scored(&["--other-inputs"]), 3);
    assert_eq!(scored(&["--natural"]), records.len() - 3);
    assert_eq!(scored(&[]), records.len());
}

#[test]
fn predictions_are_scored_beside_the_majority() {
    let dir = tempdir().unwrap();
    let row = |id: usize, code: &str, error: Option<&str>, line: Option<u32>| {
        json!({"id": id.to_string(), "problem": null, "code": code, "stdin": null, "description": null,
               "input_summary": null, "error": error, "error_line": line, "origin": "natural",
               "operators": [], "source": "", "licence": "", "split": "test"})
        .to_string()
    };
    let rows = [
        row(0, "print(1 // 0)\n", Some("ZeroDivisionError"), Some(1)),
        row(1, "x = 1\nprint(x + 'a')\n", Some("TypeError"), Some(2)),
        row(2, "x = 1\n", None, None),
        row(3, "y = 2\n", None, None),
        row(4, "z = [0][0]\n", None, None),
    ];
    let path = written(dir.path(), "errors.jsonl", rows.join("\n"));
    let run = output_of(&[
        "eval",
        "errors",
        &path,
        "--engines",
        "plan,majority",
        "--json",
    ]);
    assert!(run.status.success(), "{}", stderr(&run));
    let document: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let score = |row: usize, name: &str| document["rows"][row]["scores"][name]["value"].as_f64();
    assert_eq!(
        (score(0, "accuracy"), score(0, "line")),
        (Some(1.0), Some(1.0))
    );
    assert_eq!(
        (score(1, "accuracy"), score(1, "recall")),
        (Some(0.6), Some(0.0))
    );
    let run = output_of(&["eval", "check", &path, "--engines", "majority"]);
    assert!(
        stdout(&run).contains("| majority | 60.0 ("),
        "{}",
        stdout(&run)
    );
    let run = output_of(&["eval", "errors", &path, "--part", "train"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("no record of the part train"),
        "{}",
        stderr(&run)
    );
}

/// Kills the real program with SIGKILL once it has done some programs, and lets it go on.
#[test]
fn a_build_that_was_killed_goes_on() {
    if !can_run() {
        return;
    }
    let dir = tempdir().unwrap();
    let corpus = written(dir.path(), "corpus.jsonl", corpus());
    let out = |name: &str| dir.path().join(name).display().to_string();
    let (whole, killed) = (out("whole.jsonl"), out("killed.jsonl"));
    let build = |out: &str, more: &[&str]| {
        let usual = ["data", "errors", &corpus, "--out", out, "--jobs", "1"];
        output_of(&[&usual[..], more].concat())
    };
    assert!(build(&whole, &[]).status.success());
    let progress = format!("{killed}.progress");
    let mut child = std::process::Command::new(BINARY)
        .args(["data", "errors", &corpus, "--out", &killed, "--jobs", "1"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let lines = || {
        let text = std::fs::read_to_string(&progress).unwrap_or_default();
        text.matches('\n').count()
    };
    while lines() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lines() >= 3 && !std::path::Path::new(&killed).exists());
    let refused = build(&killed, &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("--resume"),
        "{}",
        stderr(&refused)
    );
    let other = build(&killed, &["--resume", "--seed", "9"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(
        stderr(&other).contains("other settings"),
        "{}",
        stderr(&other)
    );
    let run = build(&killed, &["--resume"]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(
        stderr(&run).contains("programs were already done"),
        "{}",
        stderr(&run)
    );
    let read = |path: &str| std::fs::read(path).unwrap();
    assert!(read(&whole) == read(&killed) && !std::path::Path::new(&progress).exists());
}

/// One program of each end, in the form of ORCA's set: planning finds both, and the network has its say.
#[test]
fn orcas_set_is_read_and_weights_are_fitted() {
    let dir = tempdir().unwrap();
    let program = |code: &str, order: &[u32], raised: Value| json!({"code": code, "ground_truth_execution_order": order, "exception_info": raised, "final_trace": []});
    let set = json!({
        "p1_a": program("x = math.pi\nprint(x + 'a')\n", &[1, 2], json!({"class": "<class 'TypeError'>"})),
        "p2_b": program("x = 3\nprint(math.floor(x))\n", &[1, 2], Value::Null),
        "p3_c": program("x = '3'\nprint(x - 1)\n", &[1, 2], json!({"class": "<class 'TypeError'>"})),
        "p4_d": program("if len('abc') == 3:\n    return 3\nprint(1 / 0)\n", &[1, 2], Value::Null),
    });
    let path = written(dir.path(), "set.json", set.to_string());
    let run = output_of(&[
        "eval",
        "errors",
        &path,
        "--engines",
        "plan,ipa,combined",
        "--json",
    ]);
    assert!(run.status.success(), "{}", stderr(&run));
    let document: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let score = |row: usize, name: &str| document["rows"][row]["scores"][name]["value"].as_f64();
    assert_eq!(document["records"], 4);
    assert_eq!(
        (score(0, "detection"), score(0, "error_line")),
        (Some(1.0), Some(1.0))
    );
    assert!(score(1, "detection").is_some());
    assert_eq!(
        (score(2, "detection"), score(2, "error_line")),
        (Some(1.0), Some(1.0))
    );
    let weights = dir.path().join("calibration.json").display().to_string();
    let fit = ["eval", "errors", &path, "--fit", &weights];
    let run = output_of(&fit);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(
        stderr(&run).contains("4 programs, 2 of them raise"),
        "{}",
        stderr(&run)
    );
    let fitted: Value = serde_json::from_slice(&std::fs::read(&weights).unwrap()).unwrap();
    // The planner was right each time.
    assert!(
        fitted["both"]["sure_of_error"].as_f64().unwrap() > 0.1,
        "{fitted}"
    );
    assert_eq!(fitted["fitted_on"]["raise"], 2);
    assert_eq!(output_of(&fit).status.code(), Some(1));
    assert_eq!(
        output_of(&[&fit[..], &["--engines", "plan"]].concat())
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn bad_input_leaves_no_file() {
    let dir = tempdir().unwrap();
    let out = dir.path().join("a.jsonl").display().to_string();
    let run = output_of(&["data", "errors", "nowhere.jsonl", "--out", &out]);
    assert_eq!(run.status.code(), Some(1));
    let corpus = written(dir.path(), "corpus.jsonl", "{\"code\": 3}\n");
    let run = output_of(&["data", "errors", &corpus, "--out", &out]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("corpus.jsonl:1"), "{}", stderr(&run));
    let run = output_of(&["data", "errors", &corpus, "--out", "a.parquet"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(!dir.path().join("a.jsonl").exists());
    let records = written(dir.path(), "bad.jsonl", "{\"id\": \"a\"}\n");
    let run = output_of(&["eval", "errors", &records]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("bad.jsonl:1"), "{}", stderr(&run));
}
