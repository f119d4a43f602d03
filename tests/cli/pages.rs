//! Pages of what is no single trace: two versions, generated programs in order, figures of data sets, evaluations and runs.
//! What a browser makes of them is tested in `viewer/`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{BINARY, can_run, output_of, page_data, stderr, stdout, written};

/// The data of the page that a command writes to `--html FILE`; its exit code is `code`.
fn page(dir: &Path, arguments: &[&str], code: i32) -> Value {
    let page = dir.join("page.html").display().to_string();
    let run = output_of(&[arguments, &["--html", &page, "--force"]].concat());
    assert_eq!(run.status.code(), Some(code), "{}", stderr(&run));
    page_data(&fs::read_to_string(&page).unwrap())
}

/// The parts of all sections that are of a kind, by title.
fn part<'p>(page: &'p Value, kind: &str, title: &str) -> &'p Value {
    let sections = page["sections"].as_array().unwrap();
    let mut parts = sections
        .iter()
        .flat_map(|one| one["parts"].as_array().unwrap());
    let found = parts.find(|one| one["kind"] == kind && one["title"] == title);
    found.unwrap_or_else(|| panic!("{kind} {title}: {page:#}"))
}

const MEAN: &str = "def mean(values: list[int]) -> float:\n    total = sum(values)\n    return total / len(values)\n";

#[test]
fn two_versions_are_shown_for_the_call_that_tells_them_apart() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let old = written(dir.path(), "old.py", MEAN);
    let guarded = MEAN.replace(
        "    return",
        "    if not values:\n        return 0\n    return",
    );
    let new = written(dir.path(), "new.py", guarded);
    let shown = page(dir.path(), &["diff", &old, &new, "--no-packages"], 1);
    let versions = &shown["versions"][0];
    assert_eq!(versions["verdict"], "different");
    assert_eq!(versions["witness"], json!(["values is []"]));
    assert_eq!(versions["differences"][0]["new"], "0");
    let trace = |side: &str| {
        let tab = versions[side].as_u64().unwrap() as usize;
        &shown["tabs"][tab]["trace"]
    };
    let text = trace("old")["program"]["source"].as_str().unwrap();
    assert!(text.ends_with("result = mean(values=[])\n"), "{text}");
    assert_eq!(trace("old")["outcome"]["exception"], "ZeroDivisionError");
    assert_eq!(trace("new")["outcome"]["kind"], "finished");
}

#[test]
fn made_up_values_that_tell_versions_apart_are_those_that_are_shown() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let text = "data = load()\nif data.count > 10:\n    print('big', data.count)\nelse:\n    print('small')\n";
    let old = written(dir.path(), "old.py", text);
    let new = written(dir.path(), "new.py", text.replace("> 10", "> 11"));
    let shown = page(dir.path(), &["diff", &old, &new, "--no-packages"], 1);
    let printed = |tab: usize| {
        let steps = shown["tabs"][tab]["trace"]["steps"].as_array().unwrap();
        steps
            .iter()
            .filter_map(|step| step["output"].as_str())
            .collect::<String>()
    };
    assert_ne!(printed(0), printed(1));
}

#[test]
fn files_of_two_projects_are_rows() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (version, sign) in [("old", "+"), ("new", "-")] {
        let text = format!("def f(a: int) -> int:\n    return a {sign} 2\n");
        fs::create_dir(dir.path().join(version)).unwrap();
        written(&dir.path().join(version), "one.py", text);
    }
    written(&dir.path().join("new"), "two.py", "x = 1\n");
    let [old, new] = ["old", "new"].map(|one| dir.path().join(one).display().to_string());
    let shown = page(dir.path(), &["diff", &old, &new, "--no-packages"], 1);
    let rows = shown["table"]["rows"].as_array().unwrap();
    assert_eq!(rows[0]["cells"][1], "different");
    assert_eq!(rows[0]["tab"], 0);
    assert_eq!(rows[1]["cells"], json!(["two.py", "added", ""]));
    assert!(rows[1].get("tab").is_none());
}

#[test]
fn samples_are_rows_that_lead_to_the_test_that_they_fail() {
    let dir = tempfile::tempdir().unwrap();
    let prompt =
        "def f(a, b):\n    \"\"\"\n    >>> f(2, 2)\n    4\n    >>> f(2, 3)\n    6\n    \"\"\"\n";
    let problem = json!({"task_id": "T/0", "prompt": prompt, "entry_point": "f"});
    let problems = written(dir.path(), "problems.jsonl", format!("{problem}\n"));
    let samples: String = ["    return a + b\n", "    return a * b\n"]
        .map(|text| format!("{}\n", json!({"task_id": "T/0", "completion": text})))
        .concat();
    let path = written(dir.path(), "samples.jsonl", samples);
    let shown = page(dir.path(), &["rerank", &path, "--problems", &problems], 0);
    let rows = shown["table"]["rows"].as_array().unwrap();
    assert_eq!(rows[0]["cells"][1], "sample 2");
    assert_eq!(
        rows[0]["cells"][4],
        json!({"text": "2 of 2", "mark": "good"})
    );
    assert_eq!(
        rows[1]["cells"][4],
        json!({"text": "1 of 2", "mark": "bad"})
    );
    let tab = &shown["tabs"][rows[1]["tab"].as_u64().unwrap() as usize];
    assert_eq!(tab["note"], "Does not pass f(2, 3), where 6 is expected");
    let text = tab["trace"]["program"]["source"].as_str().unwrap();
    assert!(text.ends_with("print(repr(f(2, 3)))\n"), "{text}");
}

#[test]
fn data_sets_have_histograms() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let corpus = dir.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    written(
        &corpus,
        "a.py",
        "total = 0\nfor k in range(4):\n    total += k * 2\nprint(10 // total)\n",
    );
    let out = dir.path().join("mutants.jsonl.zst").display().to_string();
    let corpus = corpus.display().to_string();
    let arguments = ["mutate", &corpus, "--out", &out, "--keep", "all"];
    let shown = page(dir.path(), &arguments, 0);
    let operators = part(&shown, "table", "Results of mutants by operator");
    let row = operators["rows"].as_array().unwrap().iter();
    let mut row = row.filter(|row| row["cells"][0] == "AOR");
    let made = row.next().unwrap()["cells"][1]["text"].as_str().unwrap();
    assert!(made.parse::<u32>().unwrap() > 0);

    let inspected = page(dir.path(), &["data", "inspect", &out], 0);
    for all in [&shown, &inspected] {
        let steps = part(all, "bars", "Steps");
        assert_eq!(steps["histogram"], true);
        let bars = steps["bars"].as_array().unwrap();
        let count: u64 = bars.iter().map(|bar| bar[1].as_u64().unwrap()).sum();
        let run = output_of(&["data", "inspect", &out, "--json"]);
        let summary: Value = serde_json::from_str(&stdout(&run)).unwrap();
        assert_eq!(count, summary["records"].as_u64().unwrap());
    }
    let again = output_of(&["data", "inspect", &out, "--html", &out]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
}

#[test]
fn evaluations_have_bars_with_intervals_and_stand_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/eval/small.jsonl");
    let fixture = fixture.display().to_string();
    let out = |name: &str| dir.path().join(name).display().to_string();
    let arguments = [
        "eval",
        "--data",
        &fixture,
        "--limit",
        "6",
        "--out",
        &out("a"),
    ];
    let shown = page(dir.path(), &arguments, 0);
    let tables = shown["sections"][0]["parts"].as_array().unwrap();
    let cell = &tables[0]["rows"][0]["cells"][1];
    let share = cell["share"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&share));
    let interval = cell["interval"].as_array().unwrap();
    assert!(interval[0].as_f64().unwrap() <= share && share <= interval[1].as_f64().unwrap());
    let run = output_of(&[
        "eval",
        "--data",
        &fixture,
        "--limit",
        "6",
        "--out",
        &out("b"),
    ]);
    assert!(run.status.success(), "{}", stderr(&run));
    let arguments = ["eval", "compare", &out("a"), &out("b")];
    let shown = page(dir.path(), &arguments, 0);
    let row = &shown["sections"][0]["parts"][0]["rows"][0]["cells"];
    assert_eq!(row[2]["share"], row[3]["share"]);
    assert!(row[4]["text"].as_str().unwrap().starts_with("+0.00"));
}

#[test]
fn a_run_has_its_curves() {
    let dir = tempfile::tempdir().unwrap();
    let line = |step: u32, loss: f64| json!({"step": step, "stage": "</script>", "loss": loss, "tokens": 1000 * step, "elapsed": 1.0, "skipped": 0});
    let score = json!({"step": 2, "validation": {"held exact": 0.25}});
    let text = format!("{}\n{}\n{score}\n{{\"st", line(1, 2.0), line(2, 1.5));
    written(dir.path(), "metrics.jsonl", text);
    let run = dir.path().display().to_string();
    let done = output_of(&["pretrain", "--report", &run]);
    assert!(done.status.success(), "{}", stderr(&done));
    let html = fs::read_to_string(dir.path().join("report.html")).unwrap();
    let shown = page_data(&html);
    let curve = part(&shown, "curves", "Loss of a target token");
    assert_eq!(curve["series"][0]["name"], "</script>");
    assert_eq!(
        curve["series"][0]["points"],
        json!([[0.001, 2.0], [0.002, 1.5]])
    );
    let score = part(&shown, "curves", "Validation: held exact");
    assert_eq!(score["series"][0]["points"], json!([[2.0, 0.25]]));
    assert!(
        shown["summary"]
            .as_str()
            .unwrap()
            .ends_with("1 lines could not be read.")
    );
    assert!(shown.get("live").is_none());
}

#[test]
fn a_watched_program_is_traced_again_when_it_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", "x = 1\nprint(x)\n");
    let mut child = Command::new(BINARY)
        .args(["trace", &program, "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut until = |what: &str| {
        let mut text = String::new();
        for line in out.by_ref() {
            text += &line.unwrap();
            if text.contains(what) {
                return;
            }
        }
        panic!("{what} is not in {text}");
    };
    until("finished");
    let line = said.next().unwrap().unwrap();
    assert!(
        line.contains("watching") && line.contains("Ctrl-C"),
        "{line}"
    );
    std::thread::sleep(Duration::from_millis(50));
    written(dir.path(), "prog.py", "x = (\n");
    let line = said.find(|line| line.as_ref().unwrap().contains("was never closed"));
    assert!(line.is_some(), "what is wrong is said, and it goes on");
    written(dir.path(), "prog.py", "x = 2\nprint(x * 21)\n");
    until("│ 42");
    child.kill().unwrap();
    child.wait().unwrap();

    let refused = output_of(&["trace", &program, "--watch", "--json"]);
    assert_eq!(refused.status.code(), Some(2));
    let refused = output_of(&["trace", "-", "--watch"]);
    assert_eq!(refused.status.code(), Some(2));
}
