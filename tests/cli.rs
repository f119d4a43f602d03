//! The command line as a user meets it: what it prints, where, and with which exit code.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn codexec() -> Command {
    Command::cargo_bin("codexec").unwrap()
}

fn written(directory: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = directory.join(name);
    fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// One line on standard error that names the file, nothing on standard output, exit code 1.
fn refused(arguments: &[&str], words: &[&str]) {
    let mut assert = codexec().args(arguments).assert().code(1).stdout("");
    for word in words {
        assert = assert.stderr(contains(*word));
    }
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn every_help_shows_an_example() {
    codexec()
        .arg("--help")
        .assert()
        .success()
        .stdout(contains("Example"));
    for command in [
        "trace",
        "eval",
        "mutate",
        "pretrain",
        "doctor",
        "completions",
    ] {
        let help = codexec().args([command, "--help"]).assert().success();
        help.stdout(contains("Example").and(contains(format!("codexec {command}"))));
    }
    for command in ["singleline", "steps", "traces", "tutorial", "merge"] {
        let help = codexec()
            .args(["data", command, "--help"])
            .assert()
            .success();
        help.stdout(contains("Example").and(contains(format!("codexec data {command}"))));
    }
}

#[test]
fn version_and_completions() {
    codexec()
        .arg("--version")
        .assert()
        .success()
        .stdout(contains(env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = codexec().args(["completions", shell]).assert().success();
        script.stdout(contains("codexec").and(contains("trace")));
    }
}

#[test]
fn wrong_usage_exits_with_two() {
    codexec().args(["trace"]).assert().code(2);
    codexec()
        .args(["trace", "x.py", "--engine", "guess"])
        .assert()
        .code(2);
    codexec()
        .args(["trace", "x.py", "--beam", "0"])
        .assert()
        .code(2);
}

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
    refused(&["trace", &path], &["deep.py:1:201", "nested too deeply"]);
}

#[test]
fn an_enormous_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "huge.py", vec![b'#'; 5 << 20]);
    refused(&["trace", &path], &["huge.py", "MiB"]);
}

#[test]
fn a_checkpoint_that_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\n");
    let model = dir.path().display().to_string();
    refused(
        &["trace", &path, "--model", &model],
        &[&model, "config.json"],
    );
}

#[test]
fn guide_is_an_engine_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = missing\n");
    let args = ["trace", &path, "--engine", "guide", "--json"];
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_codexec"))
        .args(args)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    if !run.status.success() {
        eprintln!("skipped: {}", String::from_utf8_lossy(&run.stderr));
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
            .args(["trace", &path, "--format", "json", "--beam", "2"])
            .assert();
        run.success().get_output().stdout.clone()
    };
    let first = once();
    let trace: serde_json::Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(trace["engine"], "predict");
    assert_eq!(trace["version"], 2);
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
        .args(["trace", &path, "--beam", "1"])
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
        .args(["trace", &path, "--beam", "1", "--max-steps", "5"])
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
    assert_eq!(ids.len(), 2);
    assert!(ids[0].contains("a.py") && ids[1].contains("c.py"));
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
        .args(["trace", &path, "--compare", "--json", "--beam", "2"])
        .assert()
        .success();
    let result: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(result["predicted"]["engine"], "predict");
    assert_eq!(result["actual"]["engine"], "run");
    assert!(result["metrics"].is_object());
}

#[test]
fn mutation_operators_are_chosen_by_code() {
    let dir = tempfile::tempdir().unwrap();
    written(
        dir.path(),
        "p.py",
        "x = 3\nif x < 5:\n    x += 2\nprint(x)\n",
    );
    let build = |operators: &str| {
        let out = dir.path().join("out.jsonl");
        codexec()
            .args([
                "data",
                "traces",
                "--operators",
                operators,
                "--mutants",
                "6",
                "--out",
            ])
            .args([&out, dir.path()])
            .assert()
            .success();
        fs::read_to_string(out).unwrap()
    };
    let rows = build("ROR,ASR");
    assert!(rows.contains("\"ROR\"") && rows.contains("\"ASR\"") && !rows.contains("\"CRP\""));
    codexec()
        .args([
            "data",
            "traces",
            "examples",
            "--operators",
            "XYZ",
            "--out",
            "unwritten.jsonl",
        ])
        .assert()
        .failure()
        .stderr(contains("XYZ").and(contains("ROR")));
}

#[test]
fn built_examples_are_the_same_for_any_number_of_workers() {
    let dir = tempfile::tempdir().unwrap();
    let build = |name: &str, jobs: &str| {
        let out = dir.path().join(name);
        codexec()
            .args([
                "data", "steps", "--count", "200", "--seed", "3", "--jobs", jobs, "--out",
            ])
            .arg(&out)
            .assert()
            .success();
        fs::read(out).unwrap()
    };
    let one = build("one.jsonl", "1");
    assert!(!one.is_empty());
    assert_eq!(one, build("two.jsonl", "2"));
}

#[test]
fn options_that_contradict_each_other_are_wrong_usage() {
    let cases = [
        vec!["trace", "p.py", "--engine", "run", "--compare"],
        vec!["trace", "p.py", "--compare", "--format", "paper"],
        vec!["trace", "p.py", "--json", "--format", "paper"],
        vec!["trace", "-", "-"],
        vec!["data", "traces", "x", "--kind", "foo", "--out", "y"],
        vec!["pretrain", "--config", "c", "--out", "o", "--data", "foo"],
        vec!["eval", "--data", "x", "--limit", "0"],
        vec![
            "pretrain", "--config", "c", "--out", "o", "--data", "a=b", "--python", "/nope",
        ],
    ];
    for arguments in cases {
        let assert = codexec().args(&arguments).assert().code(2).stdout("");
        assert.stderr(contains("error: "));
    }
}

#[test]
fn options_that_an_engine_does_not_use_are_refused() {
    let run = ["trace", "p.py", "--engine", "run"];
    let guide = ["eval", "--data", "x", "--engine", "guide"];
    let cases = [
        (
            &["trace", "p.py"][..],
            &["--python", "/nope"][..],
            "run or guide",
        ),
        (&["trace", "p.py"], &["--unsafe-no-sandbox"], "run or guide"),
        (&["trace", "p.py"], &["--packages"], "run or guide"),
        (&["trace", "p.py"], &["--packages-dir", "d"], "run or guide"),
        (&run, &["--beam", "3"], "predict"),
        (&run, &["--model", "m"], "predict"),
        (&run, &["--quantised"], "predict"),
        (&run, &["--search", "best"], "predict"),
        (&guide, &["--beam", "1,2"], "predict"),
        (&guide, &["--no-flow"], "predict"),
        (&["eval", "--data", "x"], &["--no-packages"], "run or guide"),
    ];
    for (command, option, fitting) in cases {
        let run = codexec().args(command).args(option).assert().code(2);
        let why = format!("it is for --engine {fitting}\n");
        run.stdout("")
            .stderr(contains(format!("{} does nothing", option[0])))
            .stderr(contains(why));
    }
    // A comparison runs the program.
    let compared = ["trace", "p.py", "--compare", "--python", "/nope"];
    codexec().args(compared).assert().code(1);
}

#[test]
fn every_command_that_runs_programs_takes_the_interpreter() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("p.py"), "x = 1\n").unwrap();
    let out = dir.path().join("out.jsonl");
    let (place, out) = (dir.path().to_str().unwrap(), out.to_str().unwrap());
    for command in [
        &["mutate", place][..],
        &["data", "traces", place, "--out", out],
        &["data", "steps", "--count", "1", "--out", out],
        &["data", "plan", place, "--out", out],
        &["guide", place],
        &["prefix", place],
        &["doctor"],
    ] {
        let run = codexec().args(command).args(["--python", "/nope"]).assert();
        let said = run.get_output();
        let said = [&said.stdout[..], &said.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains("/nope"), "{command:?}: {said}");
    }
}

#[test]
fn a_cause_is_said_once() {
    let run = codexec().args(["trace", "no/such.py"]).assert().code(1);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(stderr.matches("No such file").count(), 1, "{stderr}");
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
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_codexec"))
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
fn a_prediction_of_no_steps_did_not_reach_an_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\r\ny = x / 0\r\n");
    let run = codexec()
        .args(["trace", &path, "--json", "--beam", "1", "--max-steps", "0"])
        .assert()
        .success();
    let trace: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(trace["steps"].as_array().map(Vec::len), Some(0));
    assert_eq!(trace["outcome"]["kind"], "step_limit");
    assert_eq!(trace["program"]["source"], "x = 1\ny = x / 0\n");
}

#[test]
fn a_record_that_cannot_be_scored_is_named_before_anything_is_predicted() {
    let dir = tempfile::tempdir().unwrap();
    let steps = dir.path().join("steps.jsonl").display().to_string();
    let build = ["data", "steps", "--count", "20", "--out", &steps];
    codexec().args(build).assert().success();
    let text = fs::read_to_string(&steps).unwrap();
    let mut record: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    record["id"] = "odd-one".into();
    record["trace_tokens"] = "<state> nonsense".into();
    let bad = written(dir.path(), "bad.jsonl", format!("{text}{record}\n"));
    refused(&["eval", "--data", &bad], &["bad.jsonl", "odd-one"]);
}

const TINY: &str = "seed = 1\n[model]\nvocabulary = 600\nhidden_size = 8\nlayers = 1\nheads = 2\n\
    max_source = 64\nmax_target = 64\n[[stages]]\nname = \"a\"\nsteps = 1\nbatch_tokens = 512\n\
    peak_lr = 1e-3\nmix = { steps = 1 }\n";

#[test]
fn a_model_that_cannot_be_built_is_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    for (old, new) in [
        ("heads = 2", "heads = 0"),
        ("heads = 2", "heads = 3"),
        ("hidden_size = 8", "hidden_size = 0"),
        ("hidden_size = 8", "hidden_size = 9000000000000000000"),
        ("vocabulary = 600", "vocabulary = 0"),
        ("layers = 1", "layers = 0"),
        ("layers = 1", "layers = 100000"),
        ("max_source = 64", "max_source = 0"),
    ] {
        let config = written(dir.path(), "run.toml", TINY.replace(old, new));
        let key = new.split(' ').next().unwrap();
        let out = out.display().to_string();
        let data = ["--data", "steps=none.jsonl"];
        let arguments = [&["pretrain", "--config", &config, "--out", &out], &data[..]].concat();
        refused(&arguments, &["run.toml", key]);
    }
    assert!(!out.exists());
}

#[test]
fn a_refused_run_leaves_the_run_before_it_resumable() {
    let dir = tempfile::tempdir().unwrap();
    let config = written(dir.path(), "run.toml", TINY);
    let data = |name: &str, seed: &str| {
        let path = dir.path().join(name).display().to_string();
        let build = [
            "data", "steps", "--count", "60", "--seed", seed, "--out", &path,
        ];
        codexec().args(build).assert().success();
        format!("steps={path}")
    };
    let (first, other) = (data("a.jsonl", "1"), data("b.jsonl", "2"));
    let out = dir.path().join("run");
    let pretrain = |data: &str, more: &[&str]| {
        codexec()
            .args([
                "pretrain", "--device", "cpu", "--config", &config, "--data", data, "--out",
            ])
            .arg(&out)
            .args(more)
            .assert()
    };
    // A directory of checkpoints without one is a run that has not begun.
    fs::create_dir_all(out.join("checkpoints")).unwrap();
    pretrain(&first, &["--resume"]).success();
    let tokenizer = fs::read(out.join("tokenizer.json")).unwrap();
    pretrain(&other, &[])
        .code(1)
        .stderr(contains("already holds"));
    assert_eq!(tokenizer, fs::read(out.join("tokenizer.json")).unwrap());
    pretrain(&first, &["--resume"]).success();
    assert!(out.join("checkpoint/model.safetensors").is_file());
    assert!(!out.join("checkpoint.old").exists());
}

/// The embedded checkpoint with one of its files replaced at a time.
#[test]
fn damaged_checkpoints_are_refused_by_file() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "p.py", "x = 1\n");
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/model/default");
    let file = |name: &str| fs::read(default.join(name)).unwrap();
    let json = |name: &str| serde_json::from_slice::<serde_json::Value>(&file(name)).unwrap();
    let model = dir.path().join("model");
    fs::create_dir(&model).unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::write(model.join(name), file(name)).unwrap();
    }
    let model_name = model.display().to_string();
    let arguments = ["trace", &program, "--beam", "1", "--model", &model_name];

    let mut tokenizer = json("tokenizer.json");
    tokenizer["truncation"] = serde_json::json!({
        "direction": "Right", "max_length": 0, "strategy": "LongestFirst", "stride": 9});
    written(&model, "tokenizer.json", tokenizer.to_string());
    codexec().args(arguments).assert().success();

    let mut tokenizer = json("tokenizer.json");
    let vocab = tokenizer["model"]["vocab"].as_object_mut().unwrap();
    vocab.insert("planted".into(), 4_000_000.into());
    written(&model, "tokenizer.json", tokenizer.to_string());
    refused(&arguments, &["tokenizer.json", "4000000"]);
    written(&model, "tokenizer.json", file("tokenizer.json"));

    let mut config = json("config.json");
    config["num_hidden_layers"] = 5000.into();
    written(&model, "config.json", config.to_string());
    refused(&arguments, &["config.json", "num_hidden_layers"]);
    written(&model, "config.json", file("config.json"));

    let mut weights = file("model.safetensors");
    let end = weights.len();
    weights[end - 4096..].fill(0xff);
    written(&model, "model.safetensors", weights);
    refused(&arguments, &["model.safetensors", "not finite"]);

    fs::remove_file(model.join("model.safetensors")).unwrap();
    written(
        &model,
        "model.safetensors.index.json",
        "{\"weight_map\": {}}",
    );
    refused(&arguments, &["model.safetensors.index.json", "no file"]);

    // A directory is no regular file, and neither is a pipe, which would be waited for.
    let index = model.join("model.safetensors.index.json");
    written(
        &model,
        "model.safetensors.index.json",
        "{\"weight_map\": {\"a\": \"shard\"}}",
    );
    fs::create_dir(model.join("shard")).unwrap();
    refused(&arguments, &["shard", "not a regular file"]);
    fs::remove_file(index).unwrap();
    fs::remove_file(model.join("config.json")).unwrap();
    fs::create_dir(model.join("config.json")).unwrap();
    refused(&arguments, &["config.json", "not a regular file"]);
}

#[test]
fn a_run_starts_from_the_weights_of_a_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let steps = dir.path().join("steps.jsonl").display().to_string();
    let build = ["data", "steps", "--count", "60", "--out", &steps];
    codexec().args(build).assert().success();
    let data = format!("steps={steps}");
    let out = |name: &str| dir.path().join(name).display().to_string();
    let pretrain = |config: &str, name: &str, more: &[&str]| {
        codexec()
            .args(["pretrain", "--device", "cpu", "--config", config])
            .args(["--data", &data, "--out", &out(name)])
            .args(more)
            .assert()
    };
    let config = written(dir.path(), "run.toml", TINY);
    pretrain(&config, "first", &[]).success();
    let first = out("first/checkpoint");
    // A step too short to change anything: the weights and the vocabulary are those given.
    let still = TINY.replace("peak_lr = 1e-3", "peak_lr = 1e-30");
    let still = written(dir.path(), "still.toml", still);
    let other = still_of_another_seed(dir.path());
    for config in [&still, &other] {
        pretrain(config, "second", &["--init", &first]).success();
        for file in ["model.safetensors", "tokenizer.json"] {
            let of = |run: &str| fs::read(dir.path().join(run).join("checkpoint").join(file));
            assert_eq!(of("first").unwrap(), of("second").unwrap(), "{file}");
        }
        fs::remove_dir_all(dir.path().join("second")).unwrap();
    }
    let wider = TINY.replace("hidden_size = 8", "hidden_size = 16");
    let wider = written(dir.path(), "wider.toml", wider);
    let deeper = TINY.replace("layers = 1", "layers = 2");
    let deeper = written(dir.path(), "deeper.toml", deeper);
    for config in [&wider, &deeper] {
        let run = pretrain(config, "third", &["--init", &first]).code(1);
        run.stderr(contains("checkpoint: not of the sizes in [model]"));
    }
    pretrain(&config, "third", &["--init", "none"])
        .code(1)
        .stderr(contains("none"));
}

fn still_of_another_seed(dir: &Path) -> String {
    let text = TINY
        .replace("peak_lr = 1e-3", "peak_lr = 1e-30")
        .replace("seed = 1", "seed = 2");
    written(dir, "other.toml", text)
}
