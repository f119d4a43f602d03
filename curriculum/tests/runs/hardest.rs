//! The hardest part of a data set: chosen by the model's own loss, once, the same whatever the
//! number of threads and however often the run was stopped.

use std::path::Path;

use codexec_curriculum::{Ended, Example, Hardest, Notice, RunConfig};

use crate::lines;
use crate::toy::{HARD, Toy, Watcher, config, examples, setup};

/// Every fifth example has a loss that is four times what it would be.
fn uneven() -> Vec<Example> {
    let mut all = examples(70, 1);
    all.iter_mut().step_by(5).for_each(|e| e.kind = HARD);
    all
}

fn hardest(threads: usize, share: f64, sample: Option<usize>) -> RunConfig {
    let mut config = RunConfig {
        threads,
        ..config()
    };
    let hardest = Hardest { share, sample };
    config.stages[1].hardest.insert("hard".to_owned(), hardest);
    config
}

fn run(config: RunConfig, dir: &Path, watcher: &mut Watcher) -> Ended {
    let model = Toy::new();
    let mut setup = setup(&model, config, dir);
    setup.data.insert("hard".to_owned(), Box::new(uneven()));
    setup.resume_or_start().unwrap().run(watcher).unwrap()
}

fn scored(watcher: &Watcher) -> Vec<usize> {
    let scoring = watcher.notices.iter().filter_map(|notice| match notice {
        Notice::Scoring { done, .. } => Some(*done),
        _ => None,
    });
    scoring.collect()
}

fn files(dir: &Path) -> (String, Vec<u8>) {
    let metrics = std::fs::read_to_string(dir.join("metrics.jsonl")).unwrap();
    (
        metrics,
        std::fs::read(dir.join("hardest/hard.losses")).unwrap(),
    )
}

#[test]
fn the_share_with_the_highest_losses_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let mut watcher = Watcher::default();
    run(hardest(2, 0.2, None), dir.path(), &mut watcher);
    assert_eq!(scored(&watcher).last(), Some(&70));
    let examples = watcher.notices.iter().filter_map(|notice| match notice {
        Notice::Stage { examples, .. } => Some(*examples),
        _ => None,
    });
    assert_eq!(examples.collect::<Vec<_>>(), [90, 27 + 14]);
    let all = lines(dir.path());
    let chosen: Vec<_> = all.iter().filter_map(|line| line.get("hardest")).collect();
    assert_eq!(chosen.len(), 1);
    assert_eq!(
        (&chosen[0]["scored"], &chosen[0]["chosen"]),
        (&70.into(), &14.into())
    );
    let mean = |key: &str| chosen[0][key].as_f64().unwrap();
    assert!(mean("mean_loss_chosen") > 2.0 * mean("mean_loss"));
}

#[test]
fn threads_and_stops_change_nothing_and_nothing_is_scored_twice() {
    let dir = tempfile::tempdir().unwrap();
    run(hardest(1, 0.2, None), dir.path(), &mut Watcher::default());
    let expected = files(dir.path());
    let more = tempfile::tempdir().unwrap();
    run(hardest(3, 0.2, None), more.path(), &mut Watcher::default());
    assert_eq!(files(more.path()).1, expected.1);

    let stopped = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for turn in 0.. {
        let mut watcher = Watcher {
            stop_scoring_after: Some(2),
            ..Watcher::default()
        };
        let ended = run(hardest(1, 0.2, None), stopped.path(), &mut watcher);
        let scored = scored(&watcher);
        assert!(
            scored.iter().all(|done| *done > seen),
            "turn {turn}: {scored:?}"
        );
        seen = scored.last().copied().unwrap_or(seen);
        if ended == Ended::Finished {
            assert!(turn > 0, "it was never stopped");
            break;
        }
    }
    // The clock of these tests ticks when it is looked at, so only times may differ.
    assert_eq!(files(stopped.path()).1, expected.1);
    let last = |dir: &Path| lines(dir).last().unwrap()["step"].clone();
    assert_eq!(last(stopped.path()), last(dir.path()));
    let mut again = Watcher::default();
    let checkpoints = stopped.path().join("checkpoints");
    std::fs::write(checkpoints.join("latest"), "step-00000049\n").unwrap();
    run(hardest(1, 0.2, None), stopped.path(), &mut again);
    assert!(scored(&again).is_empty(), "the losses are kept");
}

#[test]
fn a_sample_is_enough() {
    let dir = tempfile::tempdir().unwrap();
    let mut watcher = Watcher::default();
    run(hardest(2, 0.5, Some(30)), dir.path(), &mut watcher);
    assert_eq!(scored(&watcher).last(), Some(&30));
    let stage = watcher
        .notices
        .iter()
        .rev()
        .find_map(|notice| match notice {
            Notice::Stage { examples, .. } => Some(*examples),
            _ => None,
        });
    assert_eq!(stage, Some(27 + 15));
}
