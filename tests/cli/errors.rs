//! The network that predicts errors, from labelled programs to predictions, as a user has it.

use std::path::Path;
use std::process::Output;

use codexec::check::ipa::{IpaModel, KINDS, Query};

use crate::support::{output_of, stderr, written};

/// What every program has in common: one that divides by zero or adds a string raises, others do not.
fn rows(split: &str) -> String {
    let mut lines = String::new();
    for k in 0..60 {
        let (last, error) = match k % 4 {
            0 => (format!("z = {k} / 0"), Some("ZeroDivisionError")),
            1 => (format!("z = {k} + 'a'"), Some("TypeError")),
            _ => (format!("z = {k} + 1"), None),
        };
        let middle = ["y = 2", "for i in range(3):\n    y = i", "if x:\n    y = 1"][k % 3];
        let code = format!("x = {k}\n{middle}\n{last}\nprint(x)\n");
        let line = code.lines().count() as u32 - 1;
        let row = serde_json::json!({
            "id": format!("p{k}"), "problem": format!("q{k}"), "code": code, "stdin": null,
            "description": null, "input_summary": "no input", "error": error,
            "error_line": error.map(|_| line), "origin": if error.is_some() { "natural" } else { "clean" },
            "operators": [], "source": "test", "licence": "MIT", "split": split,
        });
        lines.push_str(&format!("{row}\n"));
    }
    lines
}

fn settings(steps: u32, more: &str) -> String {
    format!(
        r#"
seed = 1
dtype = "f32"
threads = 1
log_every = 20
eval_every = 60
checkpoint_every = 10

[optimizer]
betas = [0.9, 0.98]
eps = 1e-8
weight_decay = 0.0
clip = 1.0

[model]
task = "errors"
vocabulary = 500
hidden_size = 24
layers = 1
heads = 2
max_source = 32
max_target = 16

[model.errors]
{more}

[[stages]]
name = "errors"
steps = {steps}
mix = {{ errors = 1.0 }}
batch_tokens = 8192
micro_tokens = 8192
peak_lr = 1e-2
warmup_steps = 5
schedule = "cosine"
floor = 0.1
"#
    )
}

fn pretrain(dir: &Path, config: &str, more: &[&str]) -> Output {
    let config = written(dir, "errors.toml", config);
    let data = format!("errors={}", written(dir, "train.jsonl", rows("train")));
    let valid = format!("errors={}", written(dir, "valid.jsonl", rows("valid")));
    let out = dir.join("run").display().to_string();
    let mut args = vec![
        "pretrain", "--device", "cpu", "--config", &config, "--data", &data,
    ];
    args.extend(["--valid", &valid, "--out", &out]);
    args.extend(more);
    output_of(&args)
}

#[test]
fn a_network_is_trained_and_finds_errors_and_their_lines() {
    let dir = tempfile::tempdir().unwrap();
    let run = pretrain(dir.path(), &settings(120, ""), &[]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(
        stderr(&run).contains("60 programs, 30 of them raise"),
        "{}",
        stderr(&run)
    );
    let metrics = std::fs::read_to_string(dir.path().join("run/metrics.jsonl")).unwrap();
    for score in [
        "accuracy",
        "weighted F1",
        "error F1",
        "detection F1",
        "localisation",
    ] {
        assert!(
            metrics.contains(&format!("errors {score}")),
            "{score}: {metrics}"
        );
    }
    let model = IpaModel::open(&dir.path().join("run/checkpoint")).unwrap();
    let query = |source| Query {
        source,
        description: Some("no input"),
    };
    let sources = [
        "x = 7\ny = 2\nz = 7 / 0\nprint(x)\n",
        "x = 7\nfor i in range(3):\n    y = i\nz = 7 + 'a'\nprint(x)\n",
        "x = 7\nif x:\n    y = 1\nz = 7 + 1\nprint(x)\n",
    ];
    let found = model.predict(&sources.map(query), true, 2).unwrap();
    let kinds: Vec<&str> = found
        .iter()
        .map(|found| {
            let kinds = found.as_ref().unwrap().kinds.iter().enumerate();
            KINDS[kinds.max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0]
        })
        .collect();
    assert_eq!(kinds, ["ZeroDivisionError", "TypeError", "no error"]);
    // The lines were never shown in training; a network may raise one statement late, but not before it can know.
    let lines: Vec<u32> = found[..2]
        .iter()
        .map(|found| found.as_ref().unwrap().lines[0].0)
        .collect();
    assert_eq!(lines[0], 3);
    assert!((4..=5).contains(&lines[1]), "{lines:?}");
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let whole = pretrain(dir.path(), &settings(20, "architecture = \"ipa-gnn\""), &[]);
    assert!(whole.status.success(), "{}", stderr(&whole));
    let weights =
        |name: &str| std::fs::read(dir.path().join(name).join("checkpoint/model.safetensors"));
    std::fs::rename(dir.path().join("run"), dir.path().join("whole")).unwrap();
    // A piece of no length ends after its first step.
    let more = ["--resume", "--piece", "0.0001"];
    let config = settings(20, "architecture = \"ipa-gnn\"");
    let first = pretrain(dir.path(), &config, &more);
    assert!(
        stderr(&first).contains("go on with --resume"),
        "{}",
        stderr(&first)
    );
    let rest = pretrain(dir.path(), &config, &["--resume"]);
    assert!(rest.status.success(), "{}", stderr(&rest));
    assert_eq!(weights("run").unwrap(), weights("whole").unwrap());
}

#[test]
fn settings_and_data_that_make_no_sense_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        ("rnn_layers = 0", "rnn_layers"),
        ("pooling = \"median\"", "pooling"),
        (
            "architecture = \"transformer\"\ndescription = \"film\"",
            "description",
        ),
        ("heads = 3", "heads"),
    ];
    for (more, wanted) in cases {
        let run = pretrain(dir.path(), &settings(5, more), &[]);
        assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
        assert!(stderr(&run).contains(wanted), "{}", stderr(&run));
        assert!(!dir.path().join("run").exists());
    }
    let config = written(dir.path(), "errors.toml", settings(5, ""));
    let data = format!("errors={}", written(dir.path(), "test.jsonl", rows("test")));
    let out = dir.path().join("run").display().to_string();
    let run = output_of(&[
        "pretrain", "--config", &config, "--data", &data, "--out", &out,
    ]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("no program of the part `train`"),
        "{}",
        stderr(&run)
    );
}
