//! `codexec data singleline` and `codexec data tutorial` as a user meets them.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::support::{codexec, written};

fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn summary(output: &[u8]) -> Value {
    serde_json::from_slice(output).unwrap()
}

const LIBRARY: &str = "\
import os
def mean(values, weight):
    total = sum(values) * weight
    if total > 100:
        raise ValueError('too much: %r' % total)
    values.append(total)
    print(total, len(values))
    total -= values[0]
    del values[weight]
    path = os.path.join(total)
    while weight < total:
        weight += 1
    return total
";

#[test]
fn statements_of_any_files_become_marked_examples_the_same_for_any_number_of_workers() {
    let dir = tempfile::tempdir().unwrap();
    let library = written(dir.path(), "library.py", LIBRARY);
    let build = |name: &str, jobs: &str| {
        let out = dir.path().join(name);
        let arguments = [
            "data",
            "singleline",
            &library,
            "--count",
            "300",
            "--seed",
            "5",
            "--jobs",
            jobs,
        ];
        let made = codexec()
            .args(arguments)
            .args(["--json", "--out"])
            .arg(&out)
            .assert()
            .success();
        (out, summary(&made.get_output().stdout))
    };
    let (one, told) = build("one.jsonl", "1");
    let (two, _) = build("two.jsonl", "3");
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let records = records(&one);
    assert_eq!(records.len(), 300);
    assert_eq!(told["records"], 300);
    assert_eq!(told["templates"]["files"], 1);
    let mut kinds: Vec<&str> = records
        .iter()
        .map(|r| r["statement"].as_str().unwrap())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "assign",
            "augassign",
            "condition",
            "delete",
            "expr",
            "print",
            "raise"
        ]
    );
    for record in &records {
        assert_eq!(record["kind"], "singleline");
        assert!(
            record["source"].as_str().unwrap().ends_with("library.py"),
            "{record}"
        );
        assert!(!record["code"].as_str().unwrap().contains("os."));
    }
    let raised = records
        .iter()
        .filter(|r| r["outcome"] != "finished")
        .count();
    assert!(raised > 0 && raised <= 45, "{raised} of 300 raise");
}

#[test]
fn templates_are_saved_and_used_again() {
    let dir = tempfile::tempdir().unwrap();
    let library = written(dir.path(), "library.py", LIBRARY);
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (saved, first, second) = (path("saved.jsonl.zst"), path("1.jsonl"), path("2.jsonl"));
    let build = ["data", "singleline", "--count", "50", "--out"];
    codexec()
        .args(build)
        .args([&first, &library, "--save-templates", &saved])
        .assert()
        .success();
    codexec()
        .args(build)
        .args([&second, "--templates", &saved])
        .assert()
        .success();
    assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
    let unknown = written(
        dir.path(),
        "t.jsonl",
        "{\"stmt\": \"x = y\", \"free\": [\"y\"], \"types\": []}\n",
    );
    let refused = codexec()
        .args(build)
        .args([&path("3.jsonl"), "--templates", &unknown])
        .assert();
    refused.code(1).stderr(contains("no statement can be used"));
}

#[test]
fn every_step_of_a_real_run_that_can_stand_alone_does_what_it_did() {
    let dir = tempfile::tempdir().unwrap();
    let program = "\
a = b = []
n = int(input())
for i in range(n):
    a.append(i)
c = a[:]
def f(x):
    y = x * 2
    if y > 3:
        y -= 1
    return y
total = 0
while total < 4:
    total += f(2)
print('total', total)
c[0] = total
d = c[9]
";
    fs::create_dir(dir.path().join("programs")).unwrap();
    written(&dir.path().join("programs"), "p.py", program);
    written(&dir.path().join("programs"), "p.in", "3\n");
    let out = dir.path().join("steps.jsonl");
    let corpus = dir.path().join("programs").display().to_string();
    let made = codexec()
        .args([
            "data",
            "singleline",
            "--count",
            "0",
            "--raising",
            "1",
            "--traces",
            &corpus,
            "--json",
            "--out",
        ])
        .arg(&out)
        .assert()
        .success();
    let told = summary(&made.get_output().stdout);
    let found: Vec<(String, String, String)> = records(&out)
        .iter()
        .map(|r| {
            assert_eq!(r["problem"], "p");
            let text = |key: &str| r[key].as_str().unwrap().to_owned();
            (text("code"), text("statement"), text("outcome"))
        })
        .collect();
    let want = [
        ("a = [0, 1, 2]\nc = a[:]\n", "assign", "finished"),
        (
            "total = 0\nwhile total < 4:\n    break\n",
            "condition",
            "finished",
        ),
        ("x = 2\ny = x * 2\n", "assign", "finished"),
        ("y = 4\nif y > 3:\n    pass\n", "condition", "finished"),
        ("y = 4\ny -= 1\n", "augassign", "finished"),
        (
            "total = 3\nwhile total < 4:\n    break\n",
            "condition",
            "finished",
        ),
        (
            "total = 6\nwhile total < 4:\n    break\n",
            "condition",
            "finished",
        ),
        ("total = 6\nprint('total', total)\n", "print", "finished"),
        (
            "total = 6\nc = [0, 1, 2]\nc[0] = total\n",
            "assign",
            "finished",
        ),
        ("c = [6, 1, 2]\nd = c[9]\n", "assign", "IndexError"),
    ];
    let mut found: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|(c, s, o)| (c.as_str(), s.as_str(), o.as_str()))
        .collect();
    let mut want = want.to_vec();
    found.sort_unstable();
    want.sort_unstable();
    assert_eq!(found, want);
    // `a.append(i)` changes `b` in the program, and not by itself.
    assert_eq!(told["traces"]["unfaithful"], 3);
}

#[test]
fn what_cannot_be_built_is_said_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    fs::create_dir(dir.path().join("empty")).unwrap();
    let (empty, missing, out) = (path("empty"), path("missing.py"), path("out.jsonl"));
    let useless = written(dir.path(), "useless.py", "import os\nx = os.getcwd()\n");
    let nowhere = path("no/out.jsonl");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["singleline", &empty, "--out", &out], 1, "empty"),
        (&["singleline", &missing, "--out", &out], 1, "missing.py"),
        (&["singleline", &useless, "--out", &out], 1, "no statement"),
        (
            &["singleline", "--count", "0", "--out", &out],
            1,
            "--traces",
        ),
        (
            &["singleline", &useless, "--raising", "2", "--out", &out],
            2,
            "0 to 1",
        ),
        (
            &["singleline", &useless, "--out", &nowhere],
            1,
            "no such directory",
        ),
        (
            &["tutorial", "--docs", &empty, "--out", &out],
            1,
            "python3-doc",
        ),
        (
            &[
                "tutorial",
                "--docs",
                &empty,
                "--operators",
                "XYZ",
                "--out",
                &out,
            ],
            1,
            "XYZ",
        ),
    ];
    for (arguments, code, word) in cases {
        let refused = codexec()
            .arg("data")
            .args(arguments)
            .assert()
            .code(code)
            .stdout("");
        refused.stderr(contains(word).and(contains("panicked").not()));
    }
    let left: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

fn fixture() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/docs")
        .display()
        .to_string()
}

#[test]
fn the_tutorials_examples_are_run_compared_and_mutated() {
    let dir = tempfile::tempdir().unwrap();
    let build = |name: &str, jobs: &str| {
        let out = dir.path().join(name);
        let arguments = [
            "data",
            "tutorial",
            "--docs",
            &fixture(),
            "--mutants",
            "5",
            "--jobs",
            jobs,
        ];
        let made = codexec()
            .args(arguments)
            .args(["--json", "--out"])
            .arg(&out)
            .assert()
            .success();
        (out, summary(&made.get_output().stdout))
    };
    let (one, told) = build("one.jsonl", "1");
    let (two, _) = build("two.jsonl", "2");
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());

    let records = records(&one);
    let own: Vec<&Value> = records
        .iter()
        .filter(|r| r["operators"].as_array().is_some_and(Vec::is_empty))
        .collect();
    let codes: Vec<&str> = own.iter().map(|r| r["code"].as_str().unwrap()).collect();
    assert_eq!(codes.len(), 6, "{codes:#?}");
    assert!(
        codes[0].ends_with("rex = Pet('Rex')\nprint(rex.feed())\nprint(rex.name)\n"),
        "{}",
        codes[0]
    );
    assert!(
        codes[1].contains("_ = sum(weights) / len(weights)  # the mean\nprint(_)\nprint(_ * 2)\n")
    );
    // What an example needs of the page comes with it, and nothing else.
    assert!(
        codes[2].starts_with("class Pet:")
            && codes[2].contains("print(rex.feed())\nprint(rex.feed(2))\n"),
        "{}",
        codes[2]
    );
    assert!(
        codes[2].ends_with("rex.feed(1 / 0)  # doctest: +ELLIPSIS\n")
            && !codes[2].contains("weights")
    );
    assert_eq!(own[2]["outcome"], "ZeroDivisionError");
    assert_eq!(
        codes[3],
        "weights = [4, 12.5, 7]\nprint('all', len(weights), 'weighed')\n"
    );
    assert!(codes[5].ends_with("    total += weight  # in kilograms\nprint(total)\n"));
    for record in &records {
        assert_eq!(record["kind"], "tutorial");
        assert_eq!(record["source"], "python docs 3.11");
        assert_eq!(record["licence"], "PSF-2.0");
        assert_eq!(record["problem"], "tutorial/pets");
    }
    assert!(records.len() > own.len() && told["mutants_kept"] == records.len() - own.len());

    assert_eq!(told["dropped"]["files"], 1);
    assert_eq!(told["not_python"], 1);
    assert_eq!(told["normalised"], 2, "{told}");
    let wrong = told["disagreements"].as_array().unwrap();
    assert_eq!(
        wrong.len(),
        2,
        "the answer, and the value in the trace: {wrong:?}"
    );
    assert_eq!(wrong[0]["code"], "len(weights) + 1");
    assert_eq!(wrong[0]["recorded"], "5");
    assert_eq!(wrong[0]["answered"], "4");
}

#[test]
fn the_installed_documentation_agrees_with_the_interpreter() {
    if !Path::new("/usr/share/doc/python3.11/html/_sources/tutorial").is_dir() {
        eprintln!("skipped: python3-doc is not installed");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("t.jsonl");
    let arguments = [
        "data",
        "tutorial",
        "--docs",
        "/usr/share/doc/python3.11",
        "--mutants",
        "0",
        "--json",
        "--out",
    ];
    let made = codexec().args(arguments).arg(&out).assert().success();
    let told = summary(&made.get_output().stdout);
    let number = |key: &str| told[key].as_u64().unwrap();
    assert!(number("compared") > 300 && number("kept") > 100, "{told}");
    // The rest is order of sets, addresses, paths and floats as Python 2 wrote them.
    let agree = number("exact") + number("normalised");
    assert!(agree * 100 >= number("compared") * 96, "{told}");
}
