//! An encoder trained for searches, from programs to what it finds.

use std::path::Path;

use serde_json::{Value, json};

use super::search::{SUM, found, indexed, place};
use crate::support::{output_of, stderr, stdout, written};

const SETTINGS: &str = r#"
seed = 1
dtype = "f32"
threads = 1
log_every = 10
eval_every = 30
checkpoint_every = 10

[optimizer]
betas = [0.9, 0.98]
eps = 1e-8
weight_decay = 0.0
clip = 1.0

[model]
task = "search"
vocabulary = 520
hidden_size = 24
layers = 1
heads = 2
max_source = 48
max_target = 1
MORE

[[stages]]
name = "search"
steps = 30
mix = { programs = 1.0 }
batch_tokens = 2048
micro_tokens = MICRO
peak_lr = 5.0e-3
warmup_steps = 5
schedule = "constant"
"#;

fn settings(place: &Path, more: &str, micro: u32) -> String {
    let text = SETTINGS
        .replace("MORE", more)
        .replace("MICRO", &micro.to_string());
    written(place, "search.toml", text)
}

/// Ten problems: programs of one have a word in common, and the rest is chance.
pub(crate) fn problems(place: &Path) -> String {
    let rows = (0..50).map(|k| {
        let (word, other) = (
            ["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op", "qr", "st"][k % 10],
            k * 7 % 13,
        );
        let code = match k % 3 {
            0 => format!("x = {other}\nprint(x, '{word}')\n"),
            1 => format!("for i in range({other}):\n    print('{word}', i)\n"),
            _ => format!("def f(a):\n    return a + {other}\nprint('{word}', f({k}))\n"),
        };
        json!({"id": k.to_string(), "problem_id": word, "code": code})
    });
    let rows: String = rows.map(|row| format!("{row}\n")).collect();
    written(place, "programs.jsonl", rows)
}

fn trained(config: &str, programs: &str, out: &Path, more: &[&str]) -> std::process::Output {
    let data = format!("programs={programs}");
    let out = out.display().to_string();
    let args = [
        "pretrain", "--config", config, "--data", &data, "--valid", &data, "--out", &out,
    ];
    output_of(&[&args[..], more].concat())
}

/// The validations of a run: MAP.
fn maps(run: &Path) -> Vec<f64> {
    let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let rows = metrics
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter_map(|row| row["validation"]["programs MAP"].as_f64())
        .collect()
}

#[test]
fn an_encoder_learns_which_programs_belong_together_and_goes_on_after_a_stop() {
    let dir = tempfile::tempdir().unwrap();
    let programs = problems(dir.path());
    let untrained = settings(dir.path(), "", 2048).replace("search.toml", "none.toml");
    let none = std::fs::read_to_string(dir.path().join("search.toml")).unwrap();
    let none = none
        .replace("steps = 30", "steps = 1")
        .replace("eval_every = 30", "eval_every = 1");
    std::fs::write(&untrained, none).unwrap();
    let before = dir.path().join("before");
    let run = trained(&untrained, &programs, &before, &[]);
    assert!(run.status.success(), "{}", stderr(&run));
    let config = settings(dir.path(), "", 2048);
    let whole = dir.path().join("run");
    let run = trained(&config, &programs, &whole, &[]);
    assert!(run.status.success(), "{}", stderr(&run));
    let said = stderr(&run);
    assert!(
        said.contains("50 programs of 10 problems, 0 without another"),
        "{said}"
    );
    let (first, last) = (maps(&before)[0], *maps(&whole).last().unwrap());
    assert!(last > first + 0.15, "{first} {last}");
    // In two sittings the result is the same.
    let pieces = dir.path().join("pieces");
    let run = trained(&config, &programs, &pieces, &["--piece", "0.0001"]);
    assert!(stderr(&run).contains("--resume"), "{}", stderr(&run));
    let run = trained(&config, &programs, &pieces, &["--resume"]);
    assert!(run.status.success(), "{}", stderr(&run));
    let weights = |run: &Path| std::fs::read(run.join("checkpoint/model.safetensors")).unwrap();
    assert!(weights(&whole) == weights(&pieces));

    // What it is for: an index; and what it is not for.
    let model = whole.join("checkpoint").display().to_string();
    let place = place();
    let index = indexed(place.path(), &["--model", &model, "--no-outputs"]);
    let snippet = written(place.path(), "snippet.py", SUM);
    let all = found(&[&index, &snippet, "--model", &model]);
    assert!(all["found"][0]["id"].as_str().unwrap().ends_with("sum.py"));
    for whole in [&["--whole"][..], &[]] {
        let run = output_of(&[&["trace", &snippet, "--model", &model][..], whole].concat());
        assert_eq!(run.status.code(), Some(1));
        assert!(
            stderr(&run).contains("it is for `codexec search`"),
            "{}",
            stderr(&run)
        );
    }
    let corpus = [("a", 1), ("a", 2), ("b", 3), ("b", 4)].map(|(problem, n)| {
        let row = json!({"problem_id": problem, "code": format!("print({n})"), "samples": [{"in": "", "out": n.to_string()}]});
        format!("{row}\n")
    });
    let corpus = written(place.path(), "c.jsonl", corpus.concat());
    let run = output_of(&["eval", "search", &corpus, "--model", &model, "--no-run"]);
    let table = stdout(&run);
    assert!(table.contains("| encoder, contrastive |"), "{table}");
    assert!(
        table.contains("| contrastive and predicted outputs |"),
        "{table}"
    );
}

#[test]
fn training_that_cannot_be_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let programs = problems(dir.path());
    let refused = |config: &str, programs: &str, more: &[&str], cause: &str| {
        let run = trained(config, programs, &out, more);
        assert!(!run.status.success());
        assert!(stderr(&run).contains(cause), "{}", stderr(&run));
        assert!(!out.join("checkpoint").exists());
    };
    let table = |line: &str| format!("[model.search]\n{line}");
    for (more, cause) in [
        (
            "temperature = 0.0",
            "[model]: `search.temperature` is 0; it must be above 0",
        ),
        ("partners = 0", "`search.partners` is 0; it must be from 1"),
        (
            "most_programs = 1",
            "`search.most_programs` is 1; a pair needs 2",
        ),
        (
            "renamed = 2.0",
            "`search.renamed` is 2; a share is from 0 to 1",
        ),
        ("negatives = 3", "unknown field `negatives`"),
    ] {
        refused(
            &settings(dir.path(), &table(more), 2048),
            &programs,
            &[],
            cause,
        );
    }
    let other = settings(dir.path(), &table("partners = 1"), 2048);
    let text = std::fs::read_to_string(&other).unwrap();
    std::fs::write(&other, text.replace("\"search\"\nvoc", "\"traces\"\nvoc")).unwrap();
    refused(&other, &programs, &[], "`search` is for task = \"search\"");
    let good = settings(dir.path(), "", 2048);
    let online = format!("programs={programs}");
    refused(&good, &programs, &["--online", &online], "--online");
    let alone = "{\"code\": \"print(1)\"}\n{\"code\": \"print(2)\", \"problem_id\": 1}\n";
    let alone = written(dir.path(), "alone.jsonl", alone);
    refused(
        &good,
        &alone,
        &[],
        "fewer than two problems with two programs",
    );
    let default = format!("{}/crates/model/src/default", env!("CARGO_MANIFEST_DIR"));
    refused(
        &good,
        &programs,
        &["--init", &default],
        "not of the sizes in [model]",
    );
    let narrow = settings(dir.path(), "", 64);
    refused(
        &narrow,
        &programs,
        &[],
        "micro_tokens = 64 does not hold two pairs",
    );
}
