//! `codexec check` as users meet it: planted errors, clean programs, forms, exit codes, bad input.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::{codexec, output_of, page_data, stderr, stdout, written};

fn fixtures(directory: &str) -> String {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    all.join(directory).display().to_string()
}

fn checked(path: &str, more: &[&str]) -> Value {
    let run = output_of(&[&["check", path, "--json"], more].concat());
    assert!(
        run.status.code().is_some_and(|code| code < 2),
        "{}",
        stderr(&run)
    );
    serde_json::from_str(&stdout(&run)).unwrap()
}

/// Each fixture says in its first line what is wrong with it, and where; those that say nothing are clean.
#[test]
fn planted_errors_are_found_and_clean_programs_have_none() {
    planted_errors_are_found("check", (20, 15));
}

/// The same beside packages of which nothing is known. The clean ones do with them what may not lead to a finding.
#[test]
fn errors_beside_unknown_packages_are_found() {
    planted_errors_are_found("check_packages", (20, 6));
}

/// What surrounds a program decides some errors: those are no findings, but notes.
#[test]
fn errors_of_a_world_that_nobody_described_are_notes() {
    // Those that a fact decides have a low figure, and are notes.
    planted_errors_are_found_above("check_world", (4, 7), "0.1");
    let document = checked(&fixtures("check_world"), &[]);
    for file in document["files"].as_array().unwrap() {
        let path = file["path"].as_str().unwrap();
        let has_note = !file["notes"].as_array().unwrap().is_empty();
        assert_eq!(
            has_note,
            !path.ends_with("independent.py"),
            "{path}: {}",
            file["notes"]
        );
        let has_finding = !file["findings"].as_array().unwrap().is_empty();
        assert_eq!(has_finding, !has_note, "{path}");
    }
    let finding = |name: &str| {
        let path = format!("{}/{name}.py", fixtures("check_world"));
        let document = checked(&path, &["--min-probability", "0.1"]);
        document["files"][0]["findings"][0].clone()
    };
    let sure = |finding: &Value| finding["probability"].as_f64().unwrap();
    assert!(sure(&finding("independent")) > 0.95);
    let conditional = finding("without_arguments");
    assert!(sure(&conditional) <= 0.1);
    assert_eq!(conditional["when"], "without arguments on the command line");
    // With an input that is given, its end is an error of the program.
    let path = format!("{}/in_method.py", fixtures("check_world"));
    let given = checked(&path, &["--input", ""]);
    assert_eq!(given["files"][0]["findings"][0]["kind"], "EOFError");
}

fn planted_errors_are_found(directory: &str, least: (usize, usize)) {
    planted_errors_are_found_above(directory, least, "0.5");
}

fn planted_errors_are_found_above(directory: &str, least: (usize, usize), probability: &str) {
    let (least_planted, least_clean) = least;
    let document = checked(&fixtures(directory), &["--min-probability", probability]);
    let mut wrong = Vec::new();
    let (mut planted, mut clean) = (0, 0);
    for file in document["files"].as_array().unwrap() {
        let path = file["path"].as_str().unwrap();
        let source = fs::read_to_string(path).unwrap();
        let expected = source.lines().next().unwrap().strip_prefix("# expect: ");
        let findings = file["findings"].as_array().unwrap();
        let found: Vec<String> = findings
            .iter()
            .map(|finding| format!("{} {}", finding["line"], finding["kind"].as_str().unwrap()))
            .collect();
        match expected {
            Some(_) => planted += 1,
            None => clean += 1,
        }
        if found != expected.into_iter().collect::<Vec<_>>() {
            wrong.push(format!("{path}: {found:?} {}", file["notes"]));
        }
    }
    assert!(
        planted >= least_planted && clean >= least_clean,
        "{planted} {clean}"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn findings_are_shown_with_their_line_and_values() {
    let dir = tempdir().unwrap();
    let path = written(dir.path(), "a.py", "a = '3'\nprint(a + 1)\n");
    let run = output_of(&["check", &path]);
    assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
    let text = stdout(&run);
    assert!(
        text.starts_with(&format!("{path}:2:7: TypeError (")),
        "{text}"
    );
    for part in ["print(a + 1)", "^^^^^", "'3' + 1: str and int"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(stderr(&run).contains("1 error found in 1 file"));
    let clean = written(dir.path(), "b.py", "print(1)\n");
    let run = output_of(&["check", &clean]);
    assert_eq!((run.status.code(), stdout(&run).as_str()), (Some(0), ""));
}

#[test]
fn the_input_decides_and_a_made_up_one_is_named() {
    let dir = tempdir().unwrap();
    let path = written(
        dir.path(),
        "a.py",
        "n = int(input())\nprint(10 // (n - 3))\n",
    );
    let count = |more: &[&str]| {
        let document = checked(&path, more);
        document["files"][0]["findings"].as_array().unwrap().clone()
    };
    assert!(count(&["--input", "4"]).is_empty());
    assert_eq!(count(&["--input", "3"])[0]["kind"], "ZeroDivisionError");
    let file = written(dir.path(), "three.txt", "3\n");
    assert_eq!(count(&["--stdin", &file]).len(), 1);
    let only = [
        "--input-description",
        "3 <= n <= 3",
        "--min-probability",
        "0.9",
    ];
    let found = count(&only);
    assert_eq!(found.len(), 1);
    let when = found[0]["when"].as_str().unwrap();
    assert!(
        when.contains("made-up input") && when.contains('3'),
        "{when}"
    );
    assert!(count(&["--input-description", "5 <= n <= 8"]).is_empty());
}

#[test]
fn functions_that_nothing_calls_are_called_with_what_fits() {
    let dir = tempdir().unwrap();
    let source = "def label(count: int):\n    return 'n = ' + count\n";
    let path = written(dir.path(), "a.py", source);
    let document = checked(&path, &[]);
    let finding = &document["files"][0]["findings"][0];
    assert_eq!(
        (finding["line"].as_u64(), finding["kind"].as_str()),
        (Some(2), Some("TypeError"))
    );
    assert_eq!(finding["when"], "when called as label(count=1)");
    let without = checked(&path, &["--no-calls"]);
    assert!(
        without["files"][0]["findings"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn planning_that_stops_is_a_note_and_no_finding() {
    let dir = tempdir().unwrap();
    let path = written(
        dir.path(),
        "a.py",
        "import pandas as pd\nif pd.Series(3)[5]:\n    print([][1])\n",
    );
    let run = output_of(&["check", &path]);
    assert_eq!(run.status.code(), Some(0));
    for part in [
        ":1: note: nothing is known of pandas",
        ":2: note: not checked further: a value of pandas would decide",
    ] {
        assert!(stdout(&run).contains(part), "{part}\n{}", stdout(&run));
    }
    assert!(stderr(&run).contains("1 file not checked to the end"));
    let other = written(dir.path(), "b.py", "x = 1\n");
    let run = output_of(&["check", &path, &other]);
    assert_eq!(stdout(&run), "");
    assert!(
        stderr(&run).contains("--notes says why"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn the_engines_agree_on_what_the_planner_is_sure_of() {
    let dir = tempdir().unwrap();
    let path = written(
        dir.path(),
        "a.py",
        "n = int(input())\nprint(n // (n - n))\n",
    );
    let of = |engine: &str| {
        let document = checked(&path, &["--engine", engine, "--input", "3"]);
        let file = document["files"][0].clone();
        (file["error_probability"].as_f64().unwrap(), file)
    };
    let ((plan, _), (ipa, _), (combined, file)) = (of("plan"), of("ipa"), of("combined"));
    assert!(plan > 0.9 && combined > 0.5, "{plan} {ipa} {combined}");
    assert!((0.0..=1.0).contains(&ipa));
    let finding = &file["findings"][0];
    assert_eq!(
        (finding["line"].as_u64(), finding["kind"].as_str()),
        (Some(2), Some("ZeroDivisionError"))
    );
    assert!(finding["values"].is_string(), "{finding}");
    let probability = finding["probability"].as_f64().unwrap();
    // What findings of the kind are true for is part of it.
    assert!(
        probability <= combined && probability > 0.95 * combined,
        "{finding} {combined}"
    );
    // Where half of all programs raise, an error is more probable, and no less where next to none does.
    let at = |rate: &str| {
        let options = ["--engine", "combined", "--input", "3", "--base-rate", rate];
        checked(&path, &options)["files"][0]["error_probability"]
            .as_f64()
            .unwrap()
    };
    assert!(at("0.5") > combined && combined > at("0.001"));
    let run = output_of(&["check", &path, "--base-rate", "1"]);
    assert_eq!(run.status.code(), Some(2), "{}", stderr(&run));
    // It has the heat map of the network, too.
    let page = dir.path().join("a.html").display().to_string();
    let run = output_of(&["check", &path, "--engine", "combined", "--explain", &page]);
    assert!(
        run.status.code().is_some_and(|code| code < 2),
        "{}",
        stderr(&run)
    );
    let shown = page_data(&fs::read_to_string(&page).unwrap());
    assert_eq!(shown["sections"][0]["title"], "Instruction pointer by step");
    let map = &shown["sections"][0]["parts"][0];
    assert_eq!(map["kind"], "heat");
    let of_first = |column: usize| map["rows"][0]["shares"][column].as_f64().unwrap();
    assert!(of_first(0) > of_first(1), "{map}");
    let rows = map["rows"].as_array().unwrap().iter();
    let mut bad = rows.filter(|row| row["mark"] == "bad");
    assert_eq!(bad.next().unwrap()["name"], "error");
}

#[test]
fn sarif_and_annotations_have_every_finding() {
    let dir = tempdir().unwrap();
    let path = written(dir.path(), "a.py", "print(1 // 0)\n");
    let run = output_of(&["check", &path, "--format", "sarif"]);
    assert_eq!(run.status.code(), Some(1));
    let log: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "ZeroDivisionError");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (region["startLine"].as_u64(), region["startColumn"].as_u64()),
        (Some(1), Some(7))
    );
    let run = output_of(&["check", &path, "--format", "github"]);
    let text = stdout(&run);
    assert!(
        text.starts_with("::error file=") && text.contains(",line=1,col=7,"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn the_page_has_each_finding_with_an_execution_that_ends_so() {
    let dir = tempdir().unwrap();
    let page = dir.path().join("a.html").display().to_string();
    let explained = |source: &str| {
        let path = written(dir.path(), "a.py", source);
        let run = output_of(&["check", &path, "--explain", &page, "--force"]);
        assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
        let html = fs::read_to_string(&page).unwrap();
        assert!(!html.contains("<script>alert"), "text of a program is data");
        page_data(&html)
    };
    let shown = explained("s = '<script>alert(1)</script>'\nif len(s) > 3:\n    print(s + 1)\n");
    let finding = &shown["findings"][0];
    let trace = &shown["tabs"][finding["tab"].as_u64().unwrap() as usize]["trace"];
    assert_eq!(trace["outcome"]["exception"], "TypeError");
    let step = finding["step"].as_u64().unwrap() as usize;
    assert_eq!(trace["steps"][step]["line"], 3);
    let because = finding["because"].as_array().unwrap().iter();
    let because: Vec<&str> = because.map(|one| one["source"].as_str().unwrap()).collect();
    assert!(
        because.contains(&"s = '<script>alert(1)</script>'"),
        "{because:?}"
    );
    assert!(shown["lines"]["3"].as_f64().unwrap() > 0.5);
    let summary = shown["summary"].as_str().unwrap();
    assert!(summary.contains("TypeError on line 3"), "{summary}");

    // A function that nothing calls: the call stands behind the program.
    let source = "def greet(name: str) -> str:\n    text = 'hi ' + name\n    return text + 1\n";
    let shown = explained(source);
    let finding = &shown["findings"][0];
    assert_eq!(finding["line"], 3);
    let trace = &shown["tabs"][finding["tab"].as_u64().unwrap() as usize]["trace"];
    assert_eq!(trace["outcome"]["exception"], "TypeError");
    let text = trace["program"]["source"].as_str().unwrap();
    assert!(
        text.starts_with(source) && text.ends_with("greet(name)\n"),
        "{text}"
    );
}

#[test]
fn the_page_of_what_is_no_python_or_has_no_error_has_one_execution() {
    let dir = tempdir().unwrap();
    for (source, code, outcome) in [("x = (\n", 1, "syntax_error"), ("x = 1\n", 0, "finished")] {
        let path = written(dir.path(), "a.py", source);
        let page = dir.path().join("a.html").display().to_string();
        let run = output_of(&["check", &path, "--explain", &page, "--force"]);
        assert_eq!(run.status.code(), Some(code), "{}", stderr(&run));
        let shown = page_data(&fs::read_to_string(&page).unwrap());
        assert_eq!(shown["tabs"].as_array().unwrap().len(), 1);
        assert_eq!(shown["tabs"][0]["trace"]["outcome"]["kind"], outcome);
    }
}

#[test]
fn the_page_is_of_one_program_and_is_not_overwritten() {
    let dir = tempdir().unwrap();
    let path = written(dir.path(), "a.py", "print(1 // 0)\n");
    let page = dir.path().join("a.html").display().to_string();
    let explain = |more: &[&str]| {
        let run = output_of(&[&["check", &path, "--explain", &page], more].concat());
        run.status.code()
    };
    assert_eq!(explain(&[]), Some(1));
    assert_eq!(explain(&[]), Some(2));
    assert_eq!(explain(&["--force"]), Some(1));
    let other = written(dir.path(), "b.py", "x = 1\n");
    assert_eq!(explain(&[&other]), Some(2));
}

/// As an `__init__.py` often is: CPython executes it, and it ends.
#[test]
fn an_empty_program_has_no_error() {
    let dir = tempdir().unwrap();
    for text in ["", "\n# nothing yet\n"] {
        let path = written(dir.path(), "a.py", text);
        let run = output_of(&["check", &path]);
        assert_eq!(run.status.code(), Some(0));
        assert_eq!(stdout(&run), "");
        assert!(stderr(&run).contains("no error found in 1 file"));
    }
}

#[test]
fn bad_input_has_one_message_each_and_exit_code_2() {
    let dir = tempdir().unwrap();
    let bad = written(dir.path(), "bad.py", b"x = '\xff'\n");
    let good = written(dir.path(), "good.py", "print(1 / 0)\n");
    let run = output_of(&["check", &bad, &good]);
    assert_eq!(run.status.code(), Some(2));
    assert!(stderr(&run).contains("bad.py") && stdout(&run).contains("ZeroDivisionError"));
    for args in [
        vec!["check", "nowhere.py"],
        vec!["check", &good, "--min-probability", "2"],
        vec!["check", &good, "--engine", "oracle"],
        vec!["check", "-", "-"],
        vec!["check", &good, "--stdin", "nowhere.txt"],
        vec!["check", &good, "--model", "nowhere/model"],
    ] {
        let run = output_of(&args);
        assert_eq!(run.status.code(), Some(2), "{args:?}");
        assert!(!stderr(&run).contains("panicked"), "{}", stderr(&run));
    }
    let syntax = written(dir.path(), "syntax.py", "x = = 1\n");
    let run = output_of(&["check", &syntax]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stdout(&run).contains("SyntaxError (100 %)"),
        "{}",
        stdout(&run)
    );
    let empty = written(dir.path(), "__init__.py", "");
    assert_eq!(output_of(&["check", &empty]).status.code(), Some(0));
}

#[test]
fn a_file_that_cannot_be_read_has_its_place_in_the_document() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("a.py"), "x = 1\n").unwrap();
    fs::write(dir.path().join("b.py"), b"\xff\n").unwrap();
    fs::write(dir.path().join("c.py"), "x = [][1]\n").unwrap();
    let path = dir.path().display().to_string();
    let run = codexec()
        .args(["check", &path, "--format", "json"])
        .assert()
        .code(2);
    let document: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let files = document["files"].as_array().unwrap();
    let names = files.iter().map(|file| file["path"].as_str().unwrap());
    let names: Vec<&str> = names.map(|name| name.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["a.py", "b.py", "c.py"]);
    let note = files[1]["notes"][0]["text"].as_str().unwrap();
    assert!(
        note.starts_with("unread: line 1: byte 0 is not UTF-8"),
        "{note}"
    );
    assert_eq!(files[2]["findings"][0]["kind"], "IndexError");
}

#[test]
fn hostile_sources_are_no_panic_and_drive_no_terminal() {
    let dir = tempdir().unwrap();
    let deep = format!("x = {}1{}\n", "(".repeat(5000), ")".repeat(5000));
    let long = format!("x = '{}' + 1\n", "a".repeat(50_000));
    let marks = "x = '\u{202e}\u{1b}[31m' + 1  # \u{2066}\n".to_owned();
    let tabs = "if 1:\n\tx = '漢字'; y = x + 1\n".to_owned();
    for (name, source) in [
        ("deep.py", deep),
        ("long.py", long),
        ("marks.py", marks),
        ("tabs.py", tabs),
    ] {
        let path = written(dir.path(), name, source);
        for format in ["text", "json", "sarif", "github"] {
            let run = output_of(&["check", &path, "--format", format]);
            assert_eq!(run.status.code(), Some(1), "{name} {}", stderr(&run));
            let text = stdout(&run);
            assert!(
                !text.contains('\u{202e}') && !text.contains('\u{1b}'),
                "{name} {format}"
            );
        }
    }
}

#[test]
fn environments_below_a_directory_are_left_out() {
    let dir = tempdir().unwrap();
    let root = dir.path().display().to_string();
    fs::create_dir_all(dir.path().join(".venv/lib")).unwrap();
    written(&dir.path().join(".venv/lib"), "bad.py", "print(1 / 0)\n");
    let none = output_of(&["check", &root]);
    assert_eq!(none.status.code(), Some(2));
    written(dir.path(), "a.py", "print(1)\n");
    codexec().args(["check", &root]).assert().code(0);
    codexec()
        .args(["check"])
        .current_dir(dir.path())
        .assert()
        .code(0);
    codexec()
        .args(["check", "-"])
        .write_stdin("print(1 / 0)\n")
        .assert()
        .code(1);
}

/// A program that is planned for long, beside one with an error.
fn slow_beside_wrong() -> tempfile::TempDir {
    let dir = tempdir().unwrap();
    // Up to the limit of instructions.
    let slow = "[0 for i in range(10_000) for j in range(10_000) if i + j < 0]\nprint(1)\n";
    written(dir.path(), "a.py", "print(1 / 0)\n");
    for name in 'b'..='z' {
        // Programs of the same text are checked once.
        let program = format!("{slow}print('{name}')\n");
        written(dir.path(), &format!("{name}.py"), &program);
    }
    dir
}

#[test]
fn what_there_is_no_time_for_is_said_beside_what_was_found() {
    let dir = slow_beside_wrong();
    let path = dir.path().display().to_string();
    let run = output_of(&["check", &path, "--json", "--seconds", "1", "--jobs", "1"]);
    assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
    let document: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let files = document["files"].as_array().unwrap();
    assert_eq!(files.len(), 26);
    assert_eq!(files[0]["findings"][0]["kind"], "ZeroDivisionError");
    for file in &files[1..] {
        assert!(file["findings"].as_array().unwrap().is_empty());
    }
    // Whoever is fast has checked some of them.
    let notes = files[25]["notes"][0]["text"].as_str().unwrap();
    assert_eq!(
        notes,
        "not checked: the time for all programs is up (1 second)"
    );
    let said = stderr(&run);
    assert!(said.contains(" files not checked"), "{said}");
    let wrong = output_of(&["check", &path, "--seconds", "-1"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// Who ends it gets what was found so far.
#[cfg(unix)]
#[test]
fn a_check_that_is_ended_writes_what_it_found() {
    let dir = slow_beside_wrong();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("codexec"));
    command
        .args(["check", "--json", "--jobs", "1"])
        .arg(dir.path());
    let command = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null());
    let child = command.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(6));
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(sent.unwrap().success());
    let run = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&run.stdout).unwrap();
    let files = document["files"].as_array().unwrap();
    assert_eq!(files[0]["findings"][0]["kind"], "ZeroDivisionError");
    assert!(
        files[25]["notes"].to_string().contains("interrupted"),
        "{}",
        files[25]["notes"]
    );
}
