//! Whole runs of a toy model: they learn, resume to the bit after any kind of death, notice
//! damage, and survive numbers that are not finite.

#![allow(clippy::unwrap_used)] // test code, of which clippy sees only the #[test] functions

mod failure;
mod hardest;
mod online;
mod packed;
mod resume;
mod toy;

use codexec_curriculum::{Ended, Notice, RunConfig};
use serde_json::Value;
use toy::{Toy, Watcher, config, setup};

fn lines(dir: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(dir.join("metrics.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn records(dir: &std::path::Path) -> Vec<Value> {
    lines(dir)
        .into_iter()
        .filter(|line| line.get("loss").is_some())
        .collect()
}

#[test]
fn a_run_goes_through_its_stages_and_learns() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let mut watcher = Watcher::default();
    let mut trainer = setup(&model, config(), dir.path()).start().unwrap();
    assert_eq!(trainer.run(&mut watcher).unwrap(), Ended::Finished);

    let records = records(dir.path());
    assert_eq!(
        records.len(),
        60,
        "30 steps, then 60 seconds of 2 seconds a step"
    );
    let number = |index: usize, key: &str| records[index][key].as_f64().unwrap();
    assert!(
        (number(0, "loss") - (toy::WORDS as f64).ln()).abs() < 0.3,
        "near chance"
    );
    assert!(
        number(59, "loss") < 0.5 * number(0, "loss"),
        "{} is no progress",
        number(59, "loss")
    );
    assert!(
        number(59, "accuracy") > 0.5,
        "{} right",
        number(59, "accuracy")
    );
    assert!(
        (number(4, "lr") - 0.1).abs() < 1e-12,
        "the first warm-up ends at its peak"
    );
    assert!(
        (number(32, "lr") - 0.05).abs() < 1e-12,
        "the second warm-up ends at its peak"
    );
    assert!(
        number(59, "lr") < 0.0075 && number(59, "lr") >= 0.005,
        "the floor is a tenth"
    );
    assert_eq!(number(59, "stage_spent"), 1.0);
    assert_eq!(number(29, "eta"), 60.0, "the next stage is a minute");
    assert_eq!(records[29]["stage"], "easy");
    assert_eq!(records[30]["stage"], "hard");

    let validated = lines(dir.path())
        .into_iter()
        .filter(|line| line.get("validation").is_some());
    let validated: Vec<u64> = validated
        .map(|line| line["step"].as_u64().unwrap())
        .collect();
    assert_eq!(validated, [10, 20, 30, 40, 50, 60]);
    let stages = watcher.notices.iter().filter_map(|notice| match notice {
        Notice::Stage {
            index, examples, ..
        } => Some((*index, *examples)),
        _ => None,
    });
    assert_eq!(stages.collect::<Vec<_>>(), [(0, 90), (1, 27 + 70)]);

    let kept = std::fs::read_dir(dir.path().join("checkpoints")).unwrap();
    let mut kept: Vec<String> = kept
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    assert_eq!(
        kept,
        ["latest", "step-00000049", "step-00000056", "step-00000060"]
    );
    let newest = dir.path().join("checkpoints/step-00000060");
    assert!(
        newest.join("config.json").exists(),
        "the model's own files are there"
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads: usize| {
        let dir = tempfile::tempdir().unwrap();
        let config = RunConfig {
            threads,
            ..config()
        };
        let model = Toy::new();
        setup(&model, config, dir.path())
            .start()
            .unwrap()
            .run(&mut ())
            .unwrap();
        (
            std::fs::read_to_string(dir.path().join("metrics.jsonl")).unwrap(),
            model.weights(),
        )
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}
