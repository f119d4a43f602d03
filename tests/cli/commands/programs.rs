//! Programs: where they come from, what cannot be read, and traces by each engine.

use super::*;

#[test]
fn a_missing_file() {
    refused(&["trace", "no/such.py"], &["no/such.py", "No such file"]);
}

#[test]
fn a_directory_without_programs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display().to_string();
    refused(&["trace", &path], &[&path, "no .py file"]);
}

#[test]
fn bytes_that_are_not_utf8() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "latin.py", b"x = 1\ny = '\xe9'\n");
    refused(&["trace", &path], &["latin.py", "line 2", "not UTF-8"]);
}

#[test]
fn an_empty_file() {
    let dir = tempfile::tempdir().unwrap();
    for text in ["", "\n\n", "# only a comment\n"] {
        let path = written(dir.path(), "empty.py", text);
        refused(&["trace", &path], &["empty.py", "empty"]);
    }
}

#[test]
fn an_empty_file_of_a_package_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "__init__.py", "");
    written(dir.path(), "notes.py", "# nothing yet\n");
    let path = dir.path().display().to_string();
    refused(&["trace", &path], &["no code in the .py files here"]);
    written(dir.path(), "a.py", "print(1)\n");
    let run = output_of(&["trace", &path]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(stdout(&run).contains("print(1)"));
}

#[test]
fn a_long_line_is_shown_around_its_error() {
    let dir = tempfile::tempdir().unwrap();
    let long = format!("{}y = = 2\n", "x = 1; ".repeat(1000));
    let path = written(dir.path(), "long.py", &long);
    let run = output_of(&["trace", &path]);
    let text = stderr(&run);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("long.py:1:7005: syntax error"), "{text}");
    let under = lines[1].chars().nth(lines[2].chars().count() - 1);
    assert!(
        under == Some('=') && lines[1].chars().count() < 170,
        "{text}"
    );
}

#[test]
fn a_syntax_error_is_shown_under_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "broken.py", "x = 1\ny = = 2\n");
    refused(
        &["trace", &path],
        &["broken.py:2:5", "y = = 2", "\n      ^"],
    );
}

#[test]
fn hostile_nesting_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "deep.py", "(".repeat(200_000));
    refused(
        &["trace", &path],
        &["deep.py:1:201", "too many nested parentheses"],
    );
}

#[test]
fn an_enormous_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "huge.py", vec![b'#'; 5 << 20]);
    refused(&["trace", &path], &["huge.py", "MiB"]);
}

#[test]
fn guide_is_an_engine_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = missing\n");
    let args = ["trace", &path, "--engine", "guide", "--json"];
    let run = codexec().args(args).output().unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    if !run.status.success() {
        skip(stderr(&run));
        return;
    }
    let trace: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(trace["engine"], "guide");
    assert_eq!(trace["checkpoint"], "combined");
    assert_eq!(trace["outcome"]["kind"], "finished");
    assert_eq!(trace["steps"][0]["state"]["x"]["origin"], "injected");
}

#[test]
fn a_prediction_names_its_engine_and_is_the_same_twice() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\nprint(x)\n");
    let once = || {
        let run = codexec()
            .args(["trace", &path, "--format", "json", "--whole", "--beam", "2"])
            .assert();
        run.success().get_output().stdout.clone()
    };
    let first = once();
    let trace: serde_json::Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(trace["engine"], "predict");
    assert_eq!(trace["version"], 3);
    assert!(
        trace["steps"]
            .as_array()
            .is_some_and(|steps| !steps.is_empty())
    );
    assert_eq!(first, once());
}

/// What a method does to its instance is a change in the text and in JSON, and not in the paper form.
#[test]
fn attributes_and_return_values_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let source = "class A:\n    def add(self, x):\n        self.n = x\n        return [x]\na = A()\na.add(5)\n";
    let path = written(dir.path(), "p.py", source);
    let said = |format: &str| {
        let run = codexec()
            .args(["trace", &path, "--engine", "run", "--format", format])
            .assert();
        String::from_utf8(run.success().get_output().stdout.clone()).unwrap()
    };
    let text = said("text");
    assert!(text.contains("self = <A n=5>"), "{text}");
    assert!(text.contains("returns [5]"), "{text}");
    let trace: serde_json::Value = serde_json::from_str(&said("json")).unwrap();
    let last = trace["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(last["event"], "return");
    assert_eq!(last["value"]["text"], "[5]");
    assert_eq!(last["state"]["a"]["text"], "<A n=5>");
    let paper = said("paper");
    assert!(
        paper.contains("a : <A>") && !paper.contains("n=5"),
        "{paper}"
    );
}

/// How a program ends that does not come to its last line.
#[test]
fn ends_of_programs_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let ended = |source: &str| {
        let path = written(dir.path(), "p.py", source);
        let run = codexec().args(["trace", &path, "--engine", "run"]).assert();
        let text = String::from_utf8(run.success().get_output().stdout.clone()).unwrap();
        text.trim_end().lines().last().unwrap().to_owned()
    };
    let cases = [
        (
            "import sys\nsys.exit('fatal')\n",
            "exited with status 1: fatal (2 steps)",
        ),
        (
            "import sys\nsys.exit(3)\n",
            "exited with status 3 (2 steps)",
        ),
        ("import sys\nsys.exit()\n", "finished (2 steps)"),
        ("import os\nos._exit(7)\n", "exited with status 7 (2 steps)"),
        ("import os\nos.abort()\n", "killed: signal 6 (2 steps)"),
        ("while True: pass\n", "stopped at the time limit (1 step)"),
        (
            "import sys\nsys._getframe().f_trace = None\nx = 1\n",
            "killed: tampered with the tracer (1 step)",
        ),
        (
            "import sys\nsys.setrecursionlimit(15)\ndef f(): f()\nf()\n",
            "raised RecursionError on line 3: maximum recursion depth exceeded (46 steps)",
        ),
    ];
    for (source, end) in cases {
        assert_eq!(ended(source), end, "{source}");
    }
}

#[test]
fn prediction_needs_no_python() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\n");
    codexec()
        .args(["trace", &path, "--whole", "--beam", "1"])
        .env("PATH", dir.path())
        .env("CODEXEC_PYTHON", "/nonexistent/python")
        .assert()
        .success();
}

#[test]
fn run_without_python_says_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\n");
    codexec()
        .args(["trace", &path, "--engine", "run"])
        .env("PATH", dir.path())
        .env_remove("CODEXEC_PYTHON")
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("python"));
}

#[test]
fn a_program_longer_than_the_window_is_traced_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let long: String = (0..150).map(|k| format!("variable_{k} = {k}\n")).collect();
    let path = written(dir.path(), "long.py", long);
    codexec()
        .args(["trace", &path, "--whole", "--beam", "1", "--max-steps", "5"])
        .assert()
        .success()
        .stderr(contains("window"));
}

#[test]
fn run_traces_what_happened() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "n = int(input())\nprint(n * 2)\n");
    let run = codexec()
        .args([
            "trace", &path, "--engine", "run", "--input", "21", "--format", "json",
        ])
        .assert()
        .success();
    let trace: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(trace["engine"], "run");
    assert_eq!(trace["steps"][0]["state"]["n"]["text"], "21");
    assert_eq!(trace["steps"][1]["output"], "42\n");
    assert_eq!(trace["outcome"]["kind"], "finished");
}

#[test]
fn several_programs_give_json_lines_and_bad_ones_do_not_stop_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "a.py", "x = 1\n");
    written(dir.path(), "b.py", b"\xff\n");
    written(dir.path(), "c.py", "y = 2\n");
    let path = dir.path().display().to_string();
    let run = codexec()
        .args(["trace", &path, "--engine", "run", "--format", "json"])
        .assert()
        .code(1)
        .stderr(contains("b.py"));
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let ids: Vec<String> = text
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["program"]["id"].to_string())
        .collect();
    let places = ["a.py", "b.py", "c.py"];
    assert_eq!(ids.len(), places.len());
    assert!(ids.iter().zip(places).all(|(id, place)| id.contains(place)));
    // What cannot be read has a row that says so.
    let unread: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let why = unread["outcome"]["why"].as_str().unwrap_or_default();
    assert!(why.starts_with("unread: "), "{unread}");
}

#[test]
fn standard_input_is_a_program() {
    codexec()
        .args(["trace", "-", "--engine", "run", "--format", "paper"])
        .write_stdin("a = 1\nb = [a]\n")
        .assert()
        .success()
        .stdout(contains("<line> <0> <state> a : 1 </state> <line> <1> <state> a : 1 <dictsep> b : [ 1 ] </state>"));
}

#[test]
fn compare_shows_both_and_the_metrics() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\nprint(x)\n");
    let run = codexec()
        .args([
            "trace",
            &path,
            "--compare",
            "--json",
            "--whole",
            "--beam",
            "2",
        ])
        .assert()
        .success();
    let result: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(result["predicted"]["engine"], "predict");
    assert_eq!(result["actual"]["engine"], "run");
    assert!(result["metrics"].is_object());
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_an_end_is_not_read_to_its_end() {
    refused(&["trace", "/dev/zero"], &["/dev/zero", "MiB"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_no_panic() {
    for arguments in [&["completions", "bash"] as &[&str], &["doctor"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let run = std::process::Command::new(BINARY)
            .args(arguments)
            .stdout(full.unwrap())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("No space left"), "{stderr}");
    }
}

#[test]
fn names_and_messages_do_not_drive_the_terminal() {
    let run = codexec().args(["trace", "no\x1b[31m\u{202e}.py"]).assert();
    let run = run.code(1).stderr(contains("no\\x1b[31m\\u202e.py"));
    let stderr = &run.get_output().stderr;
    assert!(!stderr.contains(&0x1b), "{stderr:?}");
}

#[test]
fn a_notebook_is_refused_by_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let cells = r#"{"cells":[{"cell_type":"code","source":["print(1)"],"outputs":[],"metadata":{},"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}"#;
    let path = written(dir.path(), "nb.ipynb", cells);
    for (command, code) in [("trace", 1), ("check", 2), ("guide", 1), ("prefix", 1)] {
        let run = output_of(&[command, &path]);
        assert_eq!(run.status.code(), Some(code), "{command}");
        assert_eq!(stdout(&run), "", "{command}");
        assert!(
            stderr(&run).contains("nb.ipynb: a Jupyter notebook"),
            "{command}"
        );
        assert!(
            stderr(&run).contains("jupyter nbconvert --to script"),
            "{command}"
        );
    }
    let run = codexec()
        .args(["trace", "-"])
        .write_stdin(cells)
        .output()
        .unwrap();
    assert!(
        stderr(&run).contains("a Jupyter notebook"),
        "{}",
        stderr(&run)
    );
}

/// Lines keep their numbers.
#[test]
fn snippets_are_read_as_they_were_copied() {
    let indented = "    # all of it\n    x = 3\n    for i in range(x):\n        print(i)\n";
    let session =
        "# as copied\n>>> x = [1, 2]\n>>> for i in x:\n...     print(i)\n1\n2\n>>> sum(x)\n3\n";
    for (source, output, last, said) in [
        (indented, "0\n1\n2\n", 4, "indented as a whole"),
        (session, "1\n2\n3\n", 7, "without its prompts"),
    ] {
        let run = codexec()
            .args(["trace", "-", "--json"])
            .write_stdin(source)
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", stderr(&run));
        assert!(stderr(&run).contains(said), "{}", stderr(&run));
        let trace: serde_json::Value = serde_json::from_str(&stdout(&run)).unwrap();
        let steps = trace["steps"].as_array().unwrap();
        let text: String = steps
            .iter()
            .map(|step| step["output"].as_str().unwrap_or_default())
            .collect();
        assert_eq!(text, output);
        assert_eq!(
            steps
                .iter()
                .map(|step| step["line"].as_u64().unwrap())
                .max(),
            Some(last)
        );
    }
}
