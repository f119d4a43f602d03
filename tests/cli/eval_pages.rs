//! Pages of scores: every subcommand of `codexec eval` writes the tables of its text with `--html`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{can_run, output_of, page_data, stderr, stdout, written};

/// The page that a command writes beside its JSON, and that JSON.
fn scored(dir: &Path, arguments: &[&str]) -> (Value, Value) {
    let page = dir.join("page.html").display().to_string();
    let run = output_of(&[arguments, &["--html", &page, "--force", "--json"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    let shown = page_data(&fs::read_to_string(&page).unwrap());
    let again = output_of(&[arguments, &["--html", &page]].concat());
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
    (shown, serde_json::from_str(&stdout(&run)).unwrap())
}

/// The first table of a section.
fn rows(page: &Value, section: usize) -> &Vec<Value> {
    let parts = page["sections"][section]["parts"].as_array().unwrap();
    let table = parts.iter().find(|part| part["kind"] == "table");
    table.unwrap()["rows"].as_array().unwrap()
}

#[test]
fn predictions_of_errors_have_intervals_and_a_curve() {
    let dir = tempfile::tempdir().unwrap();
    let row = |id: usize, code: &str, error: Option<&str>, line: Option<u32>| {
        json!({"id": id.to_string(), "problem": null, "code": code, "stdin": null, "description": null,
               "input_summary": null, "error": error, "error_line": line, "origin": "natural",
               "operators": [], "source": "", "licence": "", "split": "test"})
        .to_string()
    };
    let all = [
        row(0, "print(1 // 0)\n", Some("ZeroDivisionError"), Some(1)),
        row(1, "x = 1\n", None, None),
        row(2, "z = [0][0]\n", None, None),
    ];
    let path = written(dir.path(), "errors.jsonl", all.join("\n"));
    let arguments = ["eval", "errors", &path, "--engines", "plan,majority"];
    let (page, scores) = scored(dir.path(), &arguments);
    let cell = &rows(&page, 0)[0]["cells"][1];
    let accuracy = &scores["rows"][0]["scores"]["accuracy"];
    assert_eq!(cell["share"], accuracy["value"]);
    assert_eq!(cell["interval"], json!([accuracy["low"], accuracy["high"]]));
    assert_eq!(page["sections"].as_array().unwrap().len(), 3);
    let curve = &page["sections"][1]["parts"][0];
    assert_eq!(curve["is_calibration"], true);
    let force = output_of(&["eval", "errors", &path, "--force"]);
    assert_eq!(force.status.code(), Some(2));
}

#[test]
fn predictors_of_values_and_prefixes_stand_beside_the_literature() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let set = written(
        dir.path(),
        "set.jsonl",
        "{\"id\": \"a\", \"code\": \"print(x)\"}\n{\"id\": \"b\", \"code\": \"raise x\"}\n",
    );
    let guide = ["eval", "guide", "--programs", &set, "--predictors", "as-is"];
    let (page, scores) = scored(dir.path(), &guide);
    let cells = &rows(&page, 0)[0]["cells"];
    assert_eq!(
        cells[1]["share"],
        scores["coverage"][0]["scores"]["covered"]
    );
    assert_eq!(page["sections"][1]["title"], "Beside others");
    let (page, scores) = scored(dir.path(), &["eval", "prefix", "--programs", &set]);
    let reach = &rows(&page, 0)[3]["cells"];
    assert_eq!(reach[0], "all rounds");
    assert_eq!(reach[3]["share"], scores[0]["scores"]["reach"]["full"]);
    assert!(
        rows(&page, 1)
            .iter()
            .any(|row| row["cells"][0] == "SelfPiCo")
    );
}

#[test]
fn orders_of_samples_and_searches_say_what_is_more_than_chance() {
    let dir = tempfile::tempdir().unwrap();
    let case = json!([{"input": "", "output": "1"}]);
    let problem = |id: &str| {
        json!({"question_id": id, "public_test_cases": case, "code_list": ["print(22)", "print(1)"], "right": [false, true]})
            .to_string()
    };
    let samples = written(
        dir.path(),
        "s.jsonl",
        [problem("a"), problem("b")].join("\n"),
    );
    let arguments = ["eval", "rerank", &samples, "--engines", "plan"];
    let (page, scores) = scored(dir.path(), &arguments);
    let all = rows(&page, 0);
    assert_eq!(all[0]["cells"][3]["text"], "–");
    let last = &all[all.len() - 1]["cells"];
    let of_last = &scores["rows"][all.len() - 1];
    assert_eq!(last[1]["share"], of_last["pass"][0]["value"]);
    assert_eq!(last[3]["mark"], "good", "{last}");

    let program = |id: usize, problem: &str, code: &str, out: &str| {
        json!({"id": id.to_string(), "problem_id": problem, "code": code, "samples": [{"in": "", "out": out}]}).to_string()
    };
    let corpus = [
        program(0, "a", "print(1 + 1)\n", "2\n"),
        program(1, "a", "print(2)\n", "2\n"),
        program(2, "b", "print('abc')\n", "abc\n"),
        program(3, "b", "print('a' + 'bc')\n", "abc\n"),
    ];
    let corpus = written(dir.path(), "c.jsonl", corpus.join("\n"));
    let (page, scores) = scored(dir.path(), &["eval", "search", &corpus, "--no-run"]);
    for (row, score) in rows(&page, 0)
        .iter()
        .zip(scores["rows"].as_array().unwrap())
    {
        assert_eq!(row["cells"][0], score["name"]);
        assert_eq!(row["cells"][1]["share"], score["map"]["value"]);
    }
}

#[test]
fn questions_have_a_curve_and_wrong_answers() {
    let dir = tempfile::tempdir().unwrap();
    if !can_run() {
        return;
    }
    written(
        dir.path(),
        "p.py",
        "x = 17 * 23\ny = 'ab' + 'cd'\nz = x // 3\nprint(y, z)\n",
    );
    let place = dir.path().display().to_string();
    let questions = dir.path().join("q.jsonl").display().to_string();
    let usual = ["data", "plan", &place, "--out", &questions];
    let run = output_of(&[&usual[..], &["--variants", "2", "--exercises", "20"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    let (page, scores) = scored(dir.path(), &["eval", "questions", &questions]);
    let of_all = &rows(&page, 0)[0]["cells"];
    assert_eq!(of_all[1]["text"], scores["scores"]["questions"].to_string());
    let parts = page["sections"][0]["parts"].as_array().unwrap();
    assert_eq!(parts[1]["is_calibration"], true);
    assert_eq!(
        parts[2]["rows"].as_array().unwrap().len(),
        scores["scores"]["operations"].as_array().unwrap().len()
    );
}
