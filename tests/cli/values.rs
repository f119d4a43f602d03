//! The neural predictor of missing values, from recorded events to a guided run, as a user has it.

use std::path::Path;
use std::process::Output;

use crate::support::{output_of, skip, stderr};

fn json(run: &Output) -> serde_json::Value {
    assert!(run.status.success(), "{}", stderr(run));
    serde_json::from_slice(&run.stdout).unwrap()
}

/// What every fixture has in common: a value that is added is a number, one that is joined a string.
fn events() -> String {
    let mut lines = String::new();
    for package in ["a", "b", "c", "d", "e", "f"] {
        for line in 0..60 {
            let (value, before, after) = match line % 2 {
                0 => ("int_pos", "total = 1 + ", " * 2\n"),
                _ => ("str_nonempty", "text = ', ' . join ( ", " . split ( ) )\n"),
            };
            let event = serde_json::json!({
                "package": package, "file": "m.py", "line": line, "name": format!("n{}", line / 2 % 7),
                "kind": "variable", "value": value, "before": before, "after": after,
            });
            lines.push_str(&format!("{event}\n"));
        }
    }
    lines
}

const SETTINGS: &str = r#"
seed = 1
dtype = "f32"
threads = 1
log_every = 20
eval_every = 40

[optimizer]
betas = [0.9, 0.98]
eps = 1e-8
weight_decay = 0.0
clip = 1.0

[model]
task = "values"
vocabulary = 500
hidden_size = 16
layers = 1
heads = 2
max_source = 24
max_target = 12

[[stages]]
name = "values"
steps = 40
mix = { values = 1.0 }
batch_tokens = 1024
micro_tokens = 1024
peak_lr = 2e-2
warmup_steps = 5
schedule = "cosine"
floor = 0.1
"#;

fn trained(dir: &Path) -> String {
    let path = |name: &str| dir.join(name).display().to_string();
    std::fs::write(path("events.jsonl"), events()).unwrap();
    std::fs::write(path("values.toml"), SETTINGS).unwrap();
    let (config, out) = (path("values.toml"), path("run"));
    let data = format!("values={}", path("events.jsonl"));
    let run = output_of(&[
        "pretrain", "--device", "cpu", "--config", &config, "--data", &data, "--valid", &data,
        "--out", &out,
    ]);
    assert!(run.status.success(), "{}", stderr(&run));
    format!("{out}/checkpoint")
}

#[test]
fn a_classifier_is_trained_scored_and_used() {
    let dir = tempfile::tempdir().unwrap();
    let model = trained(dir.path());
    let metrics = std::fs::read_to_string(dir.path().join("run/metrics.jsonl")).unwrap();
    assert!(metrics.contains("values exact"), "{metrics}");

    let file = dir.path().join("events.jsonl").display().to_string();
    let scores = json(&output_of(&[
        "eval",
        "guide",
        "--events",
        &file,
        "--predictors",
        "neural",
        "--predictor-model",
        &model,
        "--json",
    ]));
    let rows = scores["accuracy"].as_array().unwrap();
    let parts: Vec<_> = rows
        .iter()
        .map(|row| (&row["held_out"], &row["predictor"]))
        .collect();
    assert_eq!(parts.len(), 4, "{parts:?}");
    for row in rows {
        let first = row["scores"]["all"]["fine"][0].as_f64().unwrap();
        if row["predictor"] == "neural" {
            assert!(first > 0.9, "the code tells the class: {row}");
        } else {
            assert!(first < 0.9, "the name does not: {row}");
        }
    }
    let packages = rows
        .iter()
        .find(|row| row["held_out"] == "packages")
        .unwrap();
    assert_eq!(packages["scores"]["all"]["events"], 120);

    let snippet = dir.path().join("snippet.py");
    std::fs::write(&snippet, "total = 1 + n3 * 2\n").unwrap();
    let snippet = snippet.display().to_string();
    let run = output_of(&[
        "guide",
        &snippet,
        "--predictor",
        "neural",
        "--predictor-model",
        &model,
        "--abstraction",
        "fine",
        "--format",
        "json",
        "--top",
        "22",
    ]);
    if stderr(&run).contains("sandbox") {
        skip(stderr(&run));
        return;
    }
    let run = json(&run);
    assert_eq!(run["injected"][0]["name"], "n3");
    assert_eq!(run["trace"]["outcome"]["kind"], "finished", "{run}");
    let classes = run["predictions"][0]["classes"].as_array().unwrap();
    assert_eq!(
        (classes.len(), &classes[0]["class"]),
        (22, &"int_pos".into())
    );
    let sum: f64 = classes.iter().map(|c| c["sure"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");

    // It is no checkpoint for traces, and says so.
    let run = output_of(&["trace", &snippet, "--model", &model]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("classifier of values"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn a_published_encoder_can_be_started_from() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let published = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/tiny_checkpoint"
    );
    std::fs::write(path("events.jsonl"), events()).unwrap();
    let (config, out) = (path("values.toml"), path("run"));
    let data = format!("values={}", path("events.jsonl"));
    let arguments = [
        "pretrain", "--device", "cpu", "--config", &config, "--data", &data, "--init", published,
        "--out", &out,
    ];
    std::fs::write(path("values.toml"), SETTINGS.replace("= 24", "= 640")).unwrap();
    let run = output_of(&arguments);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("has 100 positions"),
        "{}",
        stderr(&run)
    );

    std::fs::write(path("values.toml"), SETTINGS.replace("= 24", "= 64")).unwrap();
    let run = output_of(&arguments);
    assert!(run.status.success(), "{}", stderr(&run));
    let model = format!("{out}/checkpoint");
    let config = std::fs::read(format!("{model}/config.json")).unwrap();
    let config: serde_json::Value = serde_json::from_slice(&config).unwrap();
    // Its sizes, not those in [model].
    assert_eq!(
        (&config["hidden_size"], &config["num_labels"]),
        (&32.into(), &22.into())
    );
    assert_eq!(config["id2label"]["21"], "object");
    let scores = json(&output_of(&[
        "eval",
        "guide",
        "--events",
        &path("events.jsonl"),
        "--predictors",
        "neural",
        "--predictor-model",
        &model,
        "--json",
    ]));
    let rows = scores["accuracy"].as_array().unwrap();
    let neural = rows
        .iter()
        .find(|row| row["predictor"] == "neural")
        .unwrap();
    assert!(
        neural["scores"]["all"]["fine"][0].as_f64().unwrap() > 0.9,
        "{neural}"
    );
}

#[test]
fn a_linear_predictor_learns_on_and_guides() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    std::fs::write(at("events.jsonl"), events()).unwrap();
    let learn = |more: &[&str]| {
        let out = at("values.safetensors");
        let first = [
            "guide",
            "learn",
            &at("events.jsonl"),
            "--json",
            "--force",
            "--out",
            &out,
        ];
        json(&output_of(&[&first[..], more].concat()))
    };
    // Alone they are enough for what is alike in them.
    let scores = learn(&["--fresh", "--epochs", "4"]);
    assert_eq!(scores["packages"]["fine"][0], 1.0, "{scores}");
    assert!(scores["learned"].as_u64().unwrap() > 200, "{scores}");
    let bytes = std::fs::read(at("values.safetensors")).unwrap();
    learn(&["--fresh", "--epochs", "4"]);
    assert_eq!(bytes, std::fs::read(at("values.safetensors")).unwrap());
    // At most ten of each package, on top of what is known.
    let scores = learn(&["--most", "10"]);
    assert!(scores["learned"].as_u64().unwrap() <= 40, "{scores}");

    std::fs::write(
        at("p.py"),
        "for key in table.keys():\n    print(key + 'x')\n",
    )
    .unwrap();
    let guided = output_of(&[
        "guide",
        &at("p.py"),
        "--json",
        "--predictor-model",
        &at("values.safetensors"),
    ]);
    match guided.status.success() {
        true => assert_eq!(
            json(&guided)["outcome"]["kind"],
            "finished",
            "{}",
            json(&guided)
        ),
        false => skip(stderr(&guided)),
    }
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    std::fs::write(at("events.jsonl"), "{}\n").unwrap();
    std::fs::write(at("there"), "mine").unwrap();
    std::fs::write(at("good.jsonl"), events()).unwrap();
    for (words, wanted) in [
        (["events.jsonl", "out"], "line 1"),
        (["nothing.jsonl", "out"], "nothing.jsonl"),
        (["good.jsonl", "there"], "--force"),
    ] {
        let run = output_of(&["guide", "learn", &at(words[0]), "--out", &at(words[1])]);
        assert_eq!(run.status.code(), Some(1), "{words:?}");
        assert!(stderr(&run).contains(wanted), "{words:?}: {}", stderr(&run));
    }
    assert_eq!(std::fs::read_to_string(at("there")).unwrap(), "mine");
    assert!(!dir.path().join("out").exists());
    let refused = [
        "guide",
        &at("good.jsonl"),
        "--predictor-model",
        &at("there"),
    ];
    assert!(stderr(&output_of(&refused)).contains("there"));
}

#[test]
fn what_is_no_predictor_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let snippet = dir.path().join("p.py");
    std::fs::write(&snippet, "print(x)\n").unwrap();
    let snippet = snippet.display().to_string();
    let tiny = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/model/src/default");
    let neural = ["--predictor", "neural", "--predictor-model"];
    for (more, code, want) in [
        (
            &["--predictor", "naive", "--predictor-model", tiny][..],
            2,
            "combined, linear or neural",
        ),
        (&[&neural[..], &[tiny]].concat(), 1, "num_labels is none"),
        (
            &[&neural[..], &["/nowhere/at/all"]].concat(),
            1,
            "/nowhere/at/all",
        ),
    ] {
        let run = output_of(&[&["guide", &snippet][..], more].concat());
        assert_eq!(run.status.code(), Some(code), "{}", stderr(&run));
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn bad_events_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("events.jsonl");
    let config = dir.path().join("values.toml");
    std::fs::write(&config, SETTINGS).unwrap();
    let out = dir.path().join("run");
    let [file_name, config, out_name] = [&file, &config, &out].map(|p| p.display().to_string());
    let data = format!("values={file_name}");
    for (text, want) in [
        ("", "no record"),
        ("{}\n", "line 1"),
        (&events().replace("int_pos", "integer")[..], "integer"),
    ] {
        std::fs::write(&file, text).unwrap();
        let run = output_of(&[
            "pretrain", "--config", &config, "--data", &data, "--out", &out_name,
        ]);
        assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
        assert!(!out.exists());
    }
}
