//! Checkpoints: what is refused, and what a run makes of one.

use super::*;

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
fn a_prediction_of_no_steps_did_not_reach_an_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\r\ny = x / 0\r\n");
    let run = codexec()
        .args([
            "trace",
            &path,
            "--json",
            "--whole",
            "--beam",
            "1",
            "--max-steps",
            "0",
        ])
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
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/model/src/default");
    let file = |name: &str| fs::read(default.join(name)).unwrap();
    let json = |name: &str| serde_json::from_slice::<serde_json::Value>(&file(name)).unwrap();
    let model = dir.path().join("model");
    fs::create_dir(&model).unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::write(model.join(name), file(name)).unwrap();
    }
    let model_name = model.display().to_string();
    let arguments = [
        "trace",
        &program,
        "--whole",
        "--beam",
        "1",
        "--model",
        &model_name,
    ];

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
