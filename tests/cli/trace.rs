//! `codexec trace` as users see it: what a cut prediction keeps, traces of several programs one after
//! the other, the width of the text, and characters that could drive a terminal.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{BINARY, can_run, output_of, stderr, stdout, written};

fn traced(args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(args).env_remove("COLUMNS");
    command
}

/// Standard output and standard error of a command that succeeds.
fn said(command: &mut Command) -> (String, String) {
    let run = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (out, error) = (text(&run.stdout), text(&run.stderr));
    assert!(run.status.success(), "{error}");
    (out, error)
}

/// A program whose trace is longer than the embedded model can write, and that cannot end before.
const ENDLESS: &str = "n = 0\ntotal = 0\nwhile n < 1000:\n    n = n + 1\n    total = total + n\n";

#[test]
fn a_truncated_prediction_keeps_its_steps_and_names_the_models_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", ENDLESS);
    let trace = ["trace", &path, "--whole", "--beam", "1"];
    let (json, error) = said(&mut traced(&[&trace[..], &["--json"]].concat()));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(error, "");
    assert_eq!(json["truncated"], true, "{json}");
    assert!(json["limit"]["tokens"].as_u64().unwrap() > 100, "{json}");
    let steps = json["steps"].as_array().unwrap().len();
    assert!(steps > 5, "{json}");
    let (text, error) = said(&mut traced(&trace));
    assert_eq!(error, "");
    assert_eq!(text.matches("truncated").count(), 1, "{text}");
    assert!(text.contains(&format!("({steps} steps)")), "{text}");
    assert!(
        text.contains("tokens") && !text.contains("step limit"),
        "{text}"
    );
    // The paper's form cannot say it.
    let (paper, error) = said(&mut traced(&[&trace[..], &["--format", "paper"]].concat()));
    assert_eq!(paper.matches("<line>").count(), steps);
    assert_eq!(error.matches("truncated").count(), 1, "{error}");
}

#[test]
fn a_prediction_cut_at_max_steps_names_that_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", ENDLESS);
    let trace = ["trace", &path, "--whole", "--beam", "1", "--max-steps", "3"];
    let (text, error) = said(&mut traced(&trace));
    assert_eq!(error, "");
    assert!(
        text.contains("truncated: --max-steps asks for at most 3 steps (3 steps)"),
        "{text}"
    );
}

/// The first program's trace is there while a later one still waits for its input.
#[cfg(unix)]
#[test]
fn traces_of_several_programs_are_written_as_each_is_done() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "a.py", "x = 41 + 1\n");
    written(dir.path(), "b.py", "while True:\n    pass\n");
    let path = dir.path().display().to_string();
    let mut run = traced(&[
        "trace",
        &path,
        "--engine",
        "run",
        "--max-steps",
        "1000000000",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    let mut out = BufReader::new(run.stdout.take().unwrap());
    let mut head = String::new();
    for _ in 0..4 {
        out.read_line(&mut head).unwrap();
    }
    assert!(head.contains("a.py") && head.contains("x = 42"), "{head}");
    // The second runs until its time is over: it has not ended when the first is read.
    assert!(
        run.try_wait().unwrap().is_none(),
        "the first came with the second"
    );
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert!(
        rest.contains("b.py") && rest.contains("time limit"),
        "{rest}"
    );
    assert!(run.wait().unwrap().success());
}

#[test]
fn predictions_of_several_programs_are_those_of_each_alone() {
    let dir = tempfile::tempdir().unwrap();
    let names = ["a.py", "b.py", "c.py"];
    let sources = [
        "x = 1\n",
        "y = [1, 2]\ny.append(3)\nprint(y)\n",
        "z = 'a'\n",
    ];
    let paths: Vec<String> = (names.iter().zip(sources))
        .map(|(name, source)| written(dir.path(), name, source))
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let (all, _) = said(&mut traced(
        &[&["trace", "--json", "--whole", "--beam", "2"], &paths[..]].concat(),
    ));
    let all: Vec<Value> = (all.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(all.len(), 3);
    for (path, trace) in paths.iter().zip(all) {
        let (one, _) = said(&mut traced(&[
            "trace", "--json", "--whole", "--beam", "2", path,
        ]));
        let one: Value = serde_json::from_str(&one).unwrap();
        assert_eq!(one, trace);
    }
}

#[cfg(unix)]
#[test]
fn text_is_as_wide_as_asked_and_wide_shows_whole_values() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(
        dir.path(),
        "p.py",
        "numbers = list(range(100, 160))\nprint(numbers)\n",
    );
    let trace = ["trace", &path, "--engine", "run"];
    let whole: Vec<String> = (100..160).map(|n: u32| n.to_string()).collect();
    let whole = format!("[{}]", whole.join(", "));
    for columns in [60, 80, 140] {
        let (text, _) = said(traced(&trace).env("COLUMNS", columns.to_string()));
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert_eq!(widest, columns, "{text}");
        assert!(!text.contains(&whole));
        let wide = [&trace[..], &["--wide"]].concat();
        let (text, _) = said(traced(&wide).env("COLUMNS", columns.to_string()));
        assert!(text.contains(&format!("numbers = {whole}")), "{text}");
        assert!(text.contains(&format!("│ {whole}")), "{text}");
    }
}

/// C1, a carriage return, an override of direction and a mark without width, printed and held.
const EVIL: &str = "s = '\\x9b31m\\u202eabc\\r\\u200b\\x1b[2J'\nprint(s, end='\\t|')\n";

#[cfg(unix)]
#[test]
fn no_form_lets_control_characters_through() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", EVIL);
    let printed = "\u{9b}31m\u{202e}abc\r\u{200b}\u{1b}[2J\t|";
    let drives = |c: char| {
        (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{200b}' | '\u{202e}')
    };
    for (form, tabs) in [("text", 0), ("paper", 1), ("json", 0)] {
        let (out, _) = said(&mut traced(&[
            "trace", &path, "--engine", "run", "--format", form,
        ]));
        assert!(!out.contains(drives), "{form}: {out:?}");
        assert_eq!(out.matches('\t').count(), tabs, "{form}: {out:?}");
        if form == "json" {
            let json: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(json["steps"][1]["output"], printed);
        }
    }
    let (guided, _) = said(&mut traced(&["guide", &path, "--format", "json"]));
    assert!(!guided.contains(drives), "{guided:?}");
    let json: Value = serde_json::from_str(&guided).unwrap();
    assert_eq!(json["trace"]["steps"][1]["output"], printed);
}

/// The interpreter is looked at outside the sandbox: nothing of the working directory may run there.
#[test]
fn a_file_of_the_working_directory_takes_the_place_of_no_module() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", "print(1)\n");
    for module in ["enum.py", "json.py", "sys.py", "abc.py"] {
        written(
            dir.path(),
            module,
            "open('executed', 'w').close()\nraise ImportError\n",
        );
    }
    let mut command = traced(&["trace", &program, "--engine", "run"]);
    let run = command.current_dir(dir.path()).output().unwrap();
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(!dir.path().join("executed").exists(), "{error}");
    assert!(!error.contains("no Python"), "{error}");
    assert!(!can_run() || run.status.success(), "{error}");
}

/// One row for each program: what does not parse has one, too.
#[test]
fn every_program_has_its_row() {
    let dir = tempfile::tempdir().unwrap();
    let good = written(dir.path(), "a.py", "x = 1\n");
    let bad = written(dir.path(), "broken.py", "x = 1\nprint 'a', x\n");
    let kinds = |text: &str| -> Vec<String> {
        let row =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["outcome"]["kind"].clone();
        text.lines()
            .map(|line| row(line).as_str().unwrap().to_owned())
            .collect()
    };
    let said = "broken.py:2:1: syntax error: Missing parentheses in call to 'print'. Did you mean print(...)?";
    for engine in ["plan", "whole", "run", "guide"] {
        if matches!(engine, "run" | "guide") && !can_run() {
            continue;
        }
        let run = output_of(&["trace", &good, &bad, "--engine", engine, "--format", "json"]);
        assert_eq!(run.status.code(), Some(1));
        assert_eq!(kinds(&stdout(&run))[1..], ["syntax_error"], "{engine}");
        assert_eq!(kinds(&stdout(&run)).len(), 2, "{engine}");
        assert!(stderr(&run).contains(said), "{engine}: {}", stderr(&run));
    }
    let out = dir.path().join("t.jsonl").display().to_string();
    let run = output_of(&["trace", &good, &bad, "--out", &out]);
    assert_eq!(run.status.code(), Some(1));
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(kinds(&text), ["finished", "syntax_error"]);
    let run = output_of(&["trace", &good, &bad]);
    assert!(
        stdout(&run).contains("does not compile: line 2, column 1"),
        "{}",
        stdout(&run)
    );
    // For people one program's error is said once.
    assert_eq!(stdout(&output_of(&["trace", &bad])), "");
}

/// One row for each program: a file that cannot be read has one, too, in its place.
#[test]
fn a_file_that_cannot_be_read_has_its_row() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    std::fs::write(path("b.py"), b"x = '\xff'\n").unwrap();
    std::fs::create_dir(path("d.py")).unwrap();
    for name in ["a.py", "c.py"] {
        written(dir.path(), name, "x = 1\n");
    }
    let directory = dir.path().display().to_string();
    let named = [path("a.py"), path("b.py"), path("missing.py"), path("c.py")];
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let all: [(&[&str], &[&str]); 2] = [
        (&[&directory], &["finished", "killed", "finished"]),
        (&named, &["finished", "killed", "killed", "finished"]),
    ];
    for (programs, expected) in all {
        for engine in ["plan", "whole"] {
            let options = ["--engine", engine, "--format", "json"];
            let run = output_of(&[&["trace"][..], programs, &options].concat());
            assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
            let rows: Vec<Value> = (stdout(&run).lines())
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let kinds: Vec<&str> = (rows.iter())
                .map(|row| row["outcome"]["kind"].as_str().unwrap())
                .collect();
            assert_eq!(kinds, expected, "{engine}: {}", stderr(&run));
            let why = rows[1]["outcome"]["why"].as_str().unwrap();
            assert!(why.contains("unread: ") && why.contains("UTF-8"), "{why}");
            assert!(rows[1]["program"]["id"].as_str().unwrap().ends_with("b.py"));
        }
    }
}

#[test]
fn a_directory_gives_rows_even_with_one_program() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "a.py", "x = 1\n");
    let path = dir.path().display().to_string();
    for command in ["trace", "guide", "prefix"] {
        if command != "trace" && !can_run() {
            continue;
        }
        let run = output_of(&[command, &path, "--json"]);
        assert_eq!(
            stdout(&run).lines().count(),
            1,
            "{command}: {}",
            stdout(&run)
        );
    }
}

/// What is lost is an error; that nobody reads on is none.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "a.py", "x = 1\n");
    let full = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for (args, code) in [
        (vec!["trace", &path], 1),
        (vec!["trace", &path, "--json"], 1),
        (vec!["check", &path, "--json"], 2),
        (vec!["mutate", dir.path().to_str().unwrap(), "--no-run"], 1),
        (vec!["doctor"], 1),
        (vec!["completions", "bash"], 1),
    ] {
        let run = traced(&args).stdout(full()).output().unwrap();
        let error = stderr(&run);
        assert_eq!(run.status.code(), Some(code), "{args:?}: {error}");
        assert_eq!(
            error.matches("standard output cannot be written").count(),
            1,
            "{args:?}: {error}"
        );
        assert!(!error.contains("panicked"), "{error}");
    }
}

/// Both engines stop at the step that passes the limit, and say which limit it was.
#[test]
fn the_limit_of_a_trace_is_the_same_in_both_engines() {
    let dir = tempfile::tempdir().unwrap();
    for (name, source, kind) in [
        (
            "states.py",
            "xs = []\nfor i in range(100):\n    xs.append(i)\n",
            "trace_limit",
        ),
        (
            "values.py",
            "def f(n):\n    return 'é' * n\nfor i in range(100):\n    f(i)\n",
            "trace_limit",
        ),
        (
            "output.py",
            "for i in range(100):\n    print('x' * 50)\n",
            "output_limit",
        ),
    ] {
        let path = written(dir.path(), name, source);
        let of = |engine: &str| -> Value {
            let run = output_of(&[
                "trace",
                &path,
                "--engine",
                engine,
                "--max-trace",
                "1000",
                "--json",
            ]);
            assert!(stderr(&run).contains("--max-trace"), "{}", stderr(&run));
            serde_json::from_str(&stdout(&run)).unwrap()
        };
        let planned = of("plan");
        assert_eq!(planned["outcome"]["kind"], kind, "{name}");
        if can_run() {
            let ran = of("run");
            assert_eq!(planned["outcome"], ran["outcome"], "{name}");
            let steps = |trace: &Value| trace["steps"].as_array().unwrap().len();
            assert_eq!(steps(&planned), steps(&ran), "{name}");
        }
    }
}

#[test]
fn nothing_planned_is_not_sure() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(
        dir.path(),
        "a.py",
        "import nothing_of_this_name.at_all as x\n",
    );
    let run = output_of(&["trace", &path]);
    assert!(!stdout(&run).contains("100% sure"), "{}", stdout(&run));
}

/// A project: an entry that imports a module beside it, and a package.
fn project(root: &std::path::Path) {
    for folder in ["shop", "tests"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    written(
        root,
        "main.py",
        "from shop import core\nprint(core.twice(21))\n",
    );
    written(root, "shop/__init__.py", "");
    written(root, "shop/core.py", "def twice(x):\n    return x * 2\n");
    written(
        root,
        "shop/__main__.py",
        "from .core import twice\nprint(twice(4), __name__, __package__)\n",
    );
    written(
        root,
        "shop/bad.py",
        "from . import core\ncore.twice(None)\n",
    );
    written(
        root,
        "tests/test_core.py",
        "from shop.core import twice\nassert twice(1) == 2\n",
    );
    // What the interpreter starts with is its own.
    written(root, "os.py", "raise ImportError\n");
}

#[test]
fn modules_beside_a_program_are_planned_with_it() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let planned = |args: &[&str]| {
        let mut command = traced(&[&["trace"], args].concat());
        let run = command.current_dir(dir.path()).output().unwrap();
        (stdout(&run), stderr(&run))
    };
    let (text, error) = planned(&["main.py"]);
    assert!(text.contains("│ 42\nfinished"), "{text}{error}");
    assert!(text.contains("── shop/core.py\n"), "{text}");
    let (text, _) = planned(&["main.py", "--json"]);
    let trace: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(trace["version"], 3);
    assert_eq!(trace["files"][0]["path"], "main.py");
    assert_eq!(trace["files"][2]["path"], "shop/core.py");
    let of_core = |step: &Value| step["file"] == 2 && step["function"] == "twice";
    assert!(
        trace["steps"].as_array().unwrap().iter().any(of_core),
        "{text}"
    );
    for args in [&["-m", "shop"][..], &["shop"], &["-m", "shop.__main__"]] {
        let (text, error) = planned(args);
        assert!(
            text.contains("│ 8 __main__ shop\nfinished"),
            "{args:?}: {text}{error}"
        );
    }
    let (text, _) = planned(&["-m", "shop.bad"]);
    assert!(
        text.contains("raised TypeError on line 2: unsupported operand")
            && text.contains("(shop/core.py)"),
        "{text}"
    );
    let (text, error) = planned(&["tests/test_core.py", "--root", "."]);
    assert!(text.contains("finished"), "{text}{error}");
}

#[test]
fn what_is_no_module_of_the_project_is_named() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let planned = |args: &[&str]| {
        let mut command = traced(&[&["trace"], args].concat());
        let run = command.current_dir(dir.path()).output().unwrap();
        assert!(run.stdout.is_empty(), "{}", stdout(&run));
        assert_eq!(run.status.code(), Some(1));
        stderr(&run)
    };
    let error = planned(&["-m", "shop.nothing"]);
    assert!(
        error.contains("no module shop.nothing") && error.contains("--root"),
        "{error}"
    );
    let error = planned(&["-m", "tests"]);
    assert!(error.contains("without a __main__.py"), "{error}");
    let error = planned(&["main.py", "--root", "nowhere"]);
    assert!(error.contains("--root nowhere"), "{error}");
    let mut command = traced(&["trace", "main.py", "--root", "none", "--json"]);
    let run = command.current_dir(dir.path()).output().unwrap();
    assert!(!stdout(&run).contains("core.py"), "{}", stdout(&run));
}

#[test]
fn a_program_has_its_arguments_files_and_environment_planned_and_run() {
    let dir = tempfile::tempdir().unwrap();
    let source = "\
import os, sys
from pathlib import Path
import helper

print(sys.argv, os.environ['MODE'], helper.first(sys.argv[1]))
print(Path(__file__).parent == Path.cwd(), Path(__file__).name)
with open('made.txt', 'w') as out:
    out.write('x')
print(os.listdir('.'))
";
    written(dir.path(), "main.py", source);
    written(
        dir.path(),
        "helper.py",
        "def first(path):\n    return open(path).readline().strip()\n",
    );
    written(dir.path(), "data.csv", "a,b\n1,2\n");
    let output = "['main.py', 'data.csv', '--n', '3'] fast a,b\nTrue main.py\n['data.csv', 'helper.py', 'main.py', 'made.txt']\n";
    let engines: &[&str] = match can_run() {
        true => &["plan", "run", "guide"],
        false => &["plan"],
    };
    for engine in engines {
        let args = ["trace", "main.py", "--json", "--engine", engine];
        let given = ["--env", "MODE=fast", "--", "data.csv", "--n", "3"];
        let mut command = traced(&[&args[..], &given].concat());
        let run = command.current_dir(dir.path()).output().unwrap();
        let trace: Value = serde_json::from_slice(&run.stdout).unwrap();
        let steps = trace["steps"].as_array().unwrap();
        let printed: String = steps.iter().filter_map(|s| s["output"].as_str()).collect();
        assert_eq!(printed, output, "{engine}: {}", stderr(&run));
        assert_eq!(trace["outcome"]["kind"], "finished");
        assert_eq!(trace["files"][1]["path"], "helper.py", "{engine}");
        assert_eq!(trace["program"]["arguments"][2], "3");
        assert!(!dir.path().join("made.txt").exists());
    }
    let wrong = output_of(&["trace", "main.py", "--env", "MODE"]);
    assert!(stderr(&wrong).contains("`MODE` is not NAME=VALUE"));
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn rows_have_the_files_of_a_program_with_a_root() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let args = ["trace", "main.py", "--root", ".", "--out", "rows.jsonl"];
    let run = traced(&args).current_dir(dir.path()).output().unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    let text = std::fs::read_to_string(dir.path().join("rows.jsonl")).unwrap();
    let row: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(row["files"][2]["path"], "shop/core.py");
    assert!(
        row["steps"]
            .as_array()
            .unwrap()
            .iter()
            .any(|step| step["file"] == 2)
    );
}

/// What is computed of a made-up value is none that is known, and what is not stays known; planned and guided alike.
#[test]
fn what_comes_of_made_up_values_is_marked() {
    let dir = tempfile::tempdir().unwrap();
    let source = "\
import shop
n = shop.count()
m = n + 1
known = 7
xs = [known]
xs.append(m)
def twice(a, b):
    c = a * 2
    return c
w = twice(m, known)
v = twice(known, 3)
text = 'a' if n > 100 else 'b'
n = 5
k = n
";
    let path = written(dir.path(), "prog.py", source);
    for engine in ["plan", "guide"] {
        if engine == "guide" && !can_run() {
            continue;
        }
        let run = output_of(&["trace", &path, "--engine", engine, "--json"]);
        assert!(run.status.success(), "{}", stderr(&run));
        let trace: Value = serde_json::from_str(&stdout(&run)).unwrap();
        let steps = trace["steps"].as_array().unwrap();
        let injected = |state: &Value| {
            let all = state.as_object().unwrap().iter();
            let all = all.filter(|(_, value)| value["origin"] == "injected");
            all.map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let last = &steps.last().unwrap()["state"];
        assert_eq!(injected(last), ["shop", "m", "xs", "w", "text"], "{engine}");
        // The frames of the two calls: the first was given a made-up number.
        let calls: Vec<Vec<String>> = steps
            .iter()
            .filter(|step| step["state"].get("c").is_some())
            .map(|step| injected(&step["state"]))
            .collect();
        assert_eq!(
            calls,
            [vec!["a", "c"], vec!["a", "c"], vec![], vec![]],
            "{engine}"
        );
    }
}

#[test]
fn what_led_to_an_exception_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let source = "\
def port(settings):
    try:
        return settings['port']
    except KeyError as error:
        raise ValueError('no port') from error

try:
    port({})
except ValueError:
    [].pop()
";
    let path = written(dir.path(), "p.py", source);
    let text = stdout(&output_of(&["trace", &path]));
    let end: Vec<&str> = text.trim_end().lines().rev().take(3).collect();
    assert_eq!(
        end,
        [
            "caused by KeyError on line 3: 'port'",
            "raised while handling ValueError on line 5: no port",
            "raised IndexError on line 10: pop from empty list (11 steps)",
        ]
    );
    let json = stdout(&output_of(&["trace", &path, "--json"]));
    let trace = codexec_data::trace::Trace::from_json(json).unwrap();
    let steps: Vec<u32> = trace.causes.iter().filter_map(|cause| cause.step).collect();
    let lines: Vec<u32> = steps
        .iter()
        .map(|at| trace.steps[*at as usize].line)
        .collect();
    assert_eq!(lines, [5, 3]);
}
