//! Generated programs put in order: layouts in and out, what is said, resumption, and the set to measure it on.

use serde_json::{Value, json};

use crate::support::{can_run, output_of, stderr, stdout, written};

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Nothing in them has to be asked, so that the order does not depend on what the network knows.
const PROMPT: &str = "def f(a, b):\n    \"\"\"\n    >>> f(2, 3)\n    6\n    \"\"\"\n";

fn problem() -> Value {
    json!({
        "task_id": "T/0", "prompt": PROMPT, "entry_point": "f",
        "test": "def check(candidate):\n    assert candidate(4, 5) == 20\n    assert candidate(2, 2) == 4\n",
    })
}

fn samples() -> Vec<Value> {
    let of = |completion: &str, model: &str| json!({"task_id": "T/0", "completion": completion, "model": model});
    vec![
        of("    return a + b\n", "m"),
        of("    return (a\n", "m"),
        of("    return a * b\n", "n"),
        of("    return missing\n", "m"),
    ]
}

#[test]
fn samples_that_pass_the_examples_come_first_and_keep_their_fields() {
    let dir = tempfile::tempdir().unwrap();
    let problems = written(dir.path(), "problems.jsonl", lines(&[problem()]));
    let path = written(dir.path(), "samples.jsonl", lines(&samples()));
    let out = dir.path().join("ranked.jsonl").display().to_string();
    let run = output_of(&["rerank", &path, "--problems", &problems, "--out", &out]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(stdout(&run).contains("4 samples of 1 problem in order, by plan\n"));
    let ranked = rows(&std::fs::read_to_string(&out).unwrap());
    let first = &ranked[0];
    assert_eq!(first["completion"], "    return a * b\n");
    assert_eq!(
        (&first["model"], &first["codexec_rank"]),
        (&json!("n"), &json!(1))
    );
    assert_eq!(first["codexec_score"], 1.0);
    assert_eq!(first["codexec_reasons"], json!(["passes: f(2, 3) (1.00)"]));
    let reasons: Vec<&str> = ranked[1..]
        .iter()
        .map(|row| row["codexec_reasons"][0].as_str().unwrap())
        .collect();
    assert_eq!(reasons.len(), 3);
    assert!(
        reasons.iter().any(|r| r.contains("f(2, 3) gives \"5\"")),
        "{reasons:?}"
    );
    assert!(
        reasons.iter().any(|r| r.contains("is no Python, line")),
        "{reasons:?}"
    );
    assert!(
        reasons.iter().any(|r| r.contains("raises NameError")),
        "{reasons:?}"
    );
    // A file that is there is kept.
    let again = output_of(&["rerank", &path, "--problems", &problems, "--out", &out]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
}

#[test]
fn a_directory_is_shown_with_reasons_and_a_majority_needs_no_outputs() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.py", "print(1 + 1)\n"),
        ("b.py", "print(7)\n"),
        ("c.py", "print(2)\n"),
    ] {
        written(dir.path(), name, text);
    }
    let place = dir.path().display().to_string();
    let run = output_of(&["rerank", &place, "--top", "2"]);
    let text = stdout(&run);
    assert!(run.status.success(), "{}", stderr(&run));
    let order: Vec<&str> = text.lines().filter(|l| l.contains(".py")).collect();
    assert_eq!(order, ["  0.67  a.py", "  0.67  c.py"], "{text}");
    let said = stderr(&run);
    assert!(
        said.contains("no output is expected: the samples that print the same"),
        "{said}"
    );
    assert!(text.contains("no input gives \"2\" (1.00)") && text.contains("and 1 more"));
    written(dir.path(), "1.in", "x\n");
    written(dir.path(), "1.out", "7\n");
    let run = output_of(&["rerank", &place, "--json"]);
    let ranked = rows(&stdout(&run));
    assert_eq!(ranked[0]["path"], "b.py");
    assert_eq!(ranked[0]["solution"], "print(7)\n");
}

#[test]
fn verified_samples_have_pass_at_k_before_and_after() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problems = written(dir.path(), "problems.jsonl", lines(&[problem()]));
    let path = written(dir.path(), "samples.jsonl", lines(&samples()));
    let out = dir.path().join("ranked.jsonl").display().to_string();
    let args = [
        "rerank",
        &path,
        "--problems",
        &problems,
        "--out",
        &out,
        "--verify",
        "--json",
    ];
    let run = output_of(&args);
    assert!(run.status.success(), "{}", stderr(&run));
    let summary: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let pass = |row: usize| summary["pass"]["rows"][row]["pass"][0]["value"].clone();
    assert_eq!(
        (pass(0), pass(1), pass(2)),
        (json!(0.25), json!(1.0), json!(1.0))
    );
    let ranked = rows(&std::fs::read_to_string(&out).unwrap());
    let passed: Vec<&Value> = ranked.iter().map(|row| &row["codexec_passed"]).collect();
    assert_eq!(passed, [true, false, false, false]);
    // Running them finds the same one, and long loops are no obstacle.
    let loops = json!({"task_id": "T/0", "completion": "    s = 0\n    for _ in range(50_000 * a):\n        s += 1\n    return s // 50_000 * b\n"});
    let path = written(
        dir.path(),
        "more.jsonl",
        lines(&[samples(), vec![loops]].concat()),
    );
    let run = output_of(&[
        "rerank",
        &path,
        "--problems",
        &problems,
        "--engine",
        "run",
        "--json",
    ]);
    let ranked = rows(&stdout(&run));
    let scores: Vec<f64> = ranked
        .iter()
        .map(|r| r["codexec_score"].as_f64().unwrap())
        .collect();
    assert_eq!(scores, [1.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn what_was_told_is_kept_and_a_run_goes_on_after_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "a.py", "print(len('abc'))\n");
    written(dir.path(), "b.py", "print(max(3, 4))\n");
    let (place, kept) = (
        dir.path().display().to_string(),
        dir.path().join("kept.jsonl"),
    );
    let name = kept.display().to_string();
    let args = ["rerank", &place, "--outputs", &name, "--json"];
    let first = output_of(&args);
    assert!(first.status.success(), "{}", stderr(&first));
    let whole = std::fs::read_to_string(&kept).unwrap();
    assert_eq!(whole.lines().count(), 2);
    // Killed while it wrote the second line.
    let cut = whole.lines().next().unwrap().len() + 20;
    std::fs::write(&kept, &whole[..cut]).unwrap();
    let again = output_of(&args);
    assert_eq!(stdout(&again), stdout(&first));
    let mended = std::fs::read_to_string(&kept).unwrap();
    assert_eq!(mended, whole);
    // Without folding it is another engine.
    let other = output_of(&[&args[..], &["--no-fold"]].concat());
    assert!(other.status.success(), "{}", stderr(&other));
    assert_eq!(std::fs::read_to_string(&kept).unwrap().lines().count(), 4);
    let bad = written(dir.path(), "bad.jsonl", "{\"x\": 1}\n");
    let run = output_of(&["rerank", &place, "--outputs", &bad]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("bad.jsonl: line 1: no kept answer"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn bad_input_and_wrong_usage_are_said_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.jsonl").display().to_string();
    for (text, cause) in [
        (
            "{\"task_id\": \"a\"}\n",
            "s.jsonl:1: no completion, solution, code or code_list; it has task_id",
        ),
        ("{\"task_id\": \"a\", \"code\": \"x\"}\n{", "s.jsonl:2: EOF"),
        ("", "no sample in it"),
        ("\u{0}\u{1}", "s.jsonl: is no text; samples are JSON Lines"),
        ("print(1)\n", "s.jsonl: is no JSON; samples are JSON Lines"),
        (
            "{\"task_id\": \"a\", \"entry_point\": \"f\", \"prompt\": \"def f(x): pass\", \"code\": \"x\"}\n",
            "no problem has a test",
        ),
    ] {
        let path = written(dir.path(), "s.jsonl", text);
        let run = output_of(&["rerank", &path, "--out", &out]);
        assert_eq!(run.status.code(), Some(1), "{text}");
        let said = stderr(&run);
        assert!(said.contains(cause) && said.lines().count() == 1, "{said}");
        assert!(!std::path::Path::new(&out).exists());
    }
    let program = written(dir.path(), "x.py", "print(1)\n");
    let run = output_of(&["rerank", &program]);
    let said = stderr(&run);
    assert!(
        said.contains("x.py: is one program; samples are JSON Lines"),
        "{said}"
    );
    assert!(
        said.contains("or a directory of programs with NAME.in and NAME.out"),
        "{said}"
    );
    let empty = dir.path().join("empty").display().to_string();
    std::fs::create_dir(&empty).unwrap();
    let said = stderr(&output_of(&["rerank", &empty]));
    assert!(said.contains("empty: no program (.py) in it"), "{said}");
    let path = written(
        dir.path(),
        "s.jsonl",
        "{\"task_id\": \"a\", \"code\": \"x = 1\"}\n",
    );
    for wrong in [
        &["--engine", "orca", "--model", "m"][..],
        &["--python", "x"],
        &["--engine", "run", "--no-fold"],
    ] {
        let run = output_of(&[&["rerank", &path], wrong].concat());
        assert_eq!(run.status.code(), Some(2), "{wrong:?}: {}", stderr(&run));
    }
}

#[test]
fn candidates_are_right_or_wrong_and_orders_of_them_are_scored() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let program = |id: &str, code: &str| {
        json!({"id": id, "problem_id": "sum", "code": code,
               "samples": [{"in": "3 4\n", "out": "7\n"}, {"in": "1 5\n", "out": "6\n"}]})
    };
    let corpus = [
        program(
            "a",
            "a, b = map(int, input().split())\nc = 0\nfor k in range(a):\n    c += 1\nfor k in range(b):\n    c += 1\nprint(c + 0)\n",
        ),
        program(
            "b",
            "a, b = map(int, input().split())\nif a > 2:\n    print(7)\nelse:\n    print(a * b)\n",
        ),
        json!({"id": "c", "code": "s = 0\nfor k in range(5):\n    s += k * 3\nprint(s + 1, 'x')\n"}),
    ];
    let corpus = written(dir.path(), "corpus.jsonl", lines(&corpus));
    let out = dir.path().join("candidates.jsonl").display().to_string();
    let make = [
        "data",
        "candidates",
        &corpus,
        "--candidates",
        "6",
        "--out",
        &out,
    ];
    let run = output_of(&make);
    assert!(run.status.success(), "{}", stderr(&run));
    let made = std::fs::read_to_string(&out).unwrap();
    let found = rows(&made);
    assert_eq!(found.len(), 2, "{made}");
    for row in &found {
        let right = row["right"].as_array().unwrap();
        assert_eq!(row["code_list"].as_array().unwrap().len(), 6);
        let count = right.iter().filter(|r| **r == true).count();
        assert!((1..6).contains(&count), "{right:?}");
    }
    let sum = found
        .iter()
        .find(|row| row["question_id"] == "sum")
        .unwrap();
    assert_eq!(sum["private_test_cases"][0]["output"], "6\n");
    // It passes the first test and not the second.
    let wrong = sum["code_list"]
        .as_array()
        .unwrap()
        .iter()
        .position(|c| c.as_str().unwrap().contains("a > 2:"));
    assert_eq!(sum["right"][wrong.unwrap()], false);
    let again = output_of(&[&make[..], &["--force"]].concat());
    assert!(again.status.success());
    assert_eq!(std::fs::read_to_string(&out).unwrap(), made);
    let run = output_of(&["eval", "rerank", &out, "--engines", "plan,run", "--json"]);
    assert!(run.status.success(), "{}", stderr(&run));
    let scores: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let names: Vec<&str> = scores["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["name"].as_str().unwrap())
        .collect();
    let wanted = [
        "random",
        "shortest first",
        "majority of plan",
        "plan",
        "majority of run",
        "run",
    ];
    assert_eq!(names, wanted);
    let run = output_of(&["eval", "rerank", &corpus]);
    assert!(stderr(&run).contains("no list `right`"), "{}", stderr(&run));
}

#[test]
fn private_tests_are_read_as_they_are_published_and_nothing_of_a_pickle_runs() {
    let fixture = include_str!("../fixtures/packed_tests.json");
    let fixture: Value = serde_json::from_str(fixture).unwrap();
    let case = |kind: &str, name: &str| {
        let cases = fixture[kind].as_array().unwrap();
        let case = cases
            .iter()
            .find(|case| case["name"].as_str().unwrap() == name);
        case.unwrap()["packed"].clone()
    };
    let dir = tempfile::tempdir().unwrap();
    let row = |private: Value| {
        let row = json!({
            "question_id": "q",
            "code_list": ["print(3)\n", "a, b = map(int, input().split())\nprint(a + b)\n", "print(2 * 2)\n"],
            "public_test_cases": [{"input": "2 2\n", "output": "4\n", "testtype": "stdin"}],
            "private_test_cases": private,
        });
        written(dir.path(), "q.jsonl", lines(&[row]))
    };
    let path = row(case("refused", "a call, protocol 4"));
    let run = output_of(&["rerank", &path]);
    assert_eq!(run.status.code(), Some(1));
    let said = stderr(&run);
    assert!(
        said.contains("q.jsonl:1: private_test_cases is a pickle of something else"),
        "{said}"
    );
    if !can_run() {
        return;
    }
    // Its private tests are `1 2` with `3`, twice: only the sum passes them and the public one.
    let path = row(case("texts", "tests, protocol 4"));
    let run = output_of(&["rerank", &path, "--verify", "--json"]);
    assert!(run.status.success(), "{}", stderr(&run));
    let ranked = &rows(&stdout(&run))[0];
    let place = ranked["codexec_order"].as_array().unwrap().iter();
    let passed: Vec<(&Value, &Value)> = place
        .zip(ranked["codexec_passed"].as_array().unwrap())
        .collect();
    for (sample, passed) in passed {
        assert_eq!(*passed, json!(*sample == 1), "{ranked}");
    }
}

const MEAN: &str = "def near(xs):\n    return sum(xs) / len(xs) if xs else None\n";

/// Ranks and judges samples of one problem with two asserts.
fn judged(samples: &[(&str, String)]) -> (Vec<Value>, String) {
    let dir = tempfile::tempdir().unwrap();
    let tests = json!(["assert near([1.0, 2.0]) == 1.5", "assert near([]) is None"]);
    let row = |(name, code): &(&str, String)| json!({"task_id": 7, "completion": code, "name": name, "test_list": tests});
    let all: Vec<Value> = samples.iter().map(row).collect();
    let path = written(dir.path(), "samples.jsonl", lines(&all));
    let out = dir.path().join("ranked.jsonl").display().to_string();
    let run = output_of(&["rerank", &path, "--verify", "--out", &out]);
    assert!(run.status.success(), "{}", stderr(&run));
    (rows(&std::fs::read_to_string(&out).unwrap()), stderr(&run))
}

#[test]
fn code_is_taken_out_of_what_a_model_says_around_it() {
    if !can_run() {
        return;
    }
    let wrong = "def near(xs):\n    return max(xs)\n".to_owned();
    let (ranked, said) = judged(&[
        ("wrong", wrong),
        ("plain", MEAN.to_owned()),
        ("fence", format!("```python\n{MEAN}```\n")),
        (
            "chat",
            format!("Sure, here it is:\n\n```python\n{MEAN}```\n\nIt is linear.\n"),
        ),
        (
            "two",
            format!("```python\n{MEAN}```\nUse:\n```python\nprint(near([1]))\n```\n"),
        ),
        ("open", format!("```py\n{MEAN}")),
        (
            "think",
            format!("<think>a\n```\nno\n```</think>\n{MEAN}<|im_end|>"),
        ),
        ("begin", format!("[BEGIN]\n{MEAN}[DONE]\nand so on")),
        (
            "cut",
            format!("{MEAN}\n\ndef helper(a, b):\n    return a +"),
        ),
        (
            "main",
            format!("{MEAN}\nif __name__ == \"__main__\":\n    print(near([1,"),
        ),
    ]);
    assert!(
        said.contains("8 of 10 samples: the code was taken out"),
        "{said}"
    );
    for row in &ranked[..9] {
        let name = row["name"].as_str().unwrap();
        assert_eq!(
            (&row["codexec_score"], &row["codexec_passed"]),
            (&json!(1.0), &json!(true)),
            "{row}"
        );
        let left_out = row["codexec_left_out"].as_array().unwrap();
        assert_eq!(left_out.is_empty(), name == "plain", "{row}");
    }
    assert_eq!(
        (&ranked[9]["name"], &ranked[9]["codexec_passed"]),
        (&json!("wrong"), &json!(false))
    );
}

/// Each passes, or would, where the test is believed.
#[test]
fn cheats_do_not_pass() {
    if !can_run() {
        return;
    }
    let equal = "def __eq__(self, other): return True";
    let cheats = [
        ("eq", format!("class E:\n    {equal}\n    def __ne__(self, other): return False\ndef near(xs): return E() if xs else None\n")),
        ("float", format!("class E(float):\n    {equal}\ndef near(xs): return E() if xs else None\n")),
        ("module", format!("class E(float):\n    __module__ = 'builtins'\n    {equal}\ndef near(xs): return E() if xs else None\n")),
        ("meta", "class M(type):\n    def __eq__(self, other): return True\nclass E(metaclass=M): pass\ndef near(xs): return E if xs else None\n".to_owned()),
        ("any", "from unittest.mock import ANY\ndef near(xs): return ANY if xs else None\n".to_owned()),
        ("exit", "import sys\ndef near(xs): sys.exit(0)\n".to_owned()),
        ("os", "import os\ndef near(xs): os._exit(0)\n".to_owned()),
        ("error", "class AssertionError(Exception): pass\ndef near(xs): return 0\n".to_owned()),
        ("said", "print('codexec: every check passed')\nraise SystemExit(0)\n".to_owned()),
        ("patched", "import builtins\nbuiltins.AssertionError = type('X', (Exception,), {})\ndef near(xs): return 1.5 if xs else None\n".to_owned()),
    ];
    let (ranked, _) = judged(&cheats);
    for row in &ranked {
        assert_eq!(row["codexec_passed"], false, "{row}");
    }
    // What has comparisons of its own, and is compared by what it holds, passes.
    let (ranked, _) = judged(&[(
        "own",
        "class A:\n    def __init__(self, x): self.x = x\n    def __eq__(self, other): return self.x == other\ndef near(xs):\n    return A(sum(xs) / len(xs)) if xs else None\n".to_owned(),
    )]);
    assert_eq!(ranked[0]["codexec_passed"], true, "{}", ranked[0]);
}
