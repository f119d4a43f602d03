//! What goes wrong: damaged checkpoints, gradients that are absent or not finite, missing data.

use std::sync::atomic::Ordering;

use codexec_curriculum::{Error, Example, Notice, Skip, check_gradients};

use crate::toy::{POISON, SPIKE, Toy, Watcher, config, data, examples, setup};
use crate::{lines, records};

#[test]
fn damage_is_named_and_the_older_checkpoint_still_works() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let mut watcher = Watcher {
        stop_at: Some(16),
        ..Watcher::default()
    };
    setup(&model, config(), dir.path())
        .start()
        .unwrap()
        .run(&mut watcher)
        .unwrap();
    let checkpoint = dir.path().join("checkpoints/step-00000016");
    for name in ["model.safetensors", "optimizer.safetensors", "state.json"] {
        let path = checkpoint.join(name);
        let whole = std::fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() / 2], b""] {
            std::fs::write(&path, damaged).unwrap();
            let Err(error) = setup(&model, config(), dir.path()).resume() else {
                panic!("{name} of {} bytes was accepted", damaged.len())
            };
            let message = error.to_string();
            assert!(message.contains(name), "{message}");
            assert!(message.contains("older checkpoint is") && message.contains("step-00000014"));
        }
        std::fs::remove_file(&path).unwrap();
        let missing = setup(&model, config(), dir.path()).resume();
        assert!(
            matches!(missing, Err(Error::DamagedCheckpoint { .. })),
            "{name}"
        );
        std::fs::write(&path, whole).unwrap();
    }
    let older = dir.path().join("checkpoints/step-00000014");
    let mut trainer = setup(&model, config(), dir.path())
        .resume_from(&older)
        .unwrap();
    assert_eq!(trainer.steps(), 14);
    assert_eq!(
        lines(dir.path()).last().unwrap()["step"],
        14,
        "later lines are cut"
    );
    trainer.run(&mut ()).unwrap();
    assert_eq!(records(dir.path()).len(), 60);
}

#[test]
fn a_variable_without_gradient_is_named_before_the_first_step() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::with_cut_layer();
    let error = setup(&model, config(), dir.path())
        .start()
        .unwrap()
        .run(&mut ())
        .unwrap_err();
    let Error::NoGradient { names } = error else {
        panic!("{error}")
    };
    assert_eq!(names, ["cut.weight"]);
    let all = examples(4, 0);
    let batch: Vec<&Example> = all.iter().collect();
    check_gradients(&Toy::new(), &[batch]).unwrap();
}

#[test]
fn a_step_that_is_not_finite_is_skipped_and_said() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let mut watcher = Watcher::default();
    let mut setup = setup(&model, config(), dir.path());
    let mut easy = examples(90, 0);
    easy[40].kind = POISON;
    setup.data.insert("easy".to_owned(), Box::new(easy));
    setup.start().unwrap().run(&mut watcher).unwrap();
    let skipped = watcher
        .notices
        .iter()
        .filter(|n| matches!(n, Notice::Skipped { .. }))
        .count();
    let records = records(dir.path());
    assert!(skipped > 0);
    assert_eq!(records.last().unwrap()["skipped"], skipped);
    assert_eq!(
        records
            .iter()
            .filter(|record| record["loss"].is_null())
            .count(),
        skipped
    );
    assert!(model.weights().iter().all(|weight| weight.is_finite()));
}

#[test]
fn a_spike_is_skipped_like_what_is_not_finite() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let mut watcher = Watcher::default();
    let mut setup = setup(&model, config(), dir.path());
    let mut hard = examples(70, 1);
    hard[40].kind = SPIKE;
    setup.data.insert("hard".to_owned(), Box::new(hard));
    setup.config.stages.remove(0);
    setup.config.optimizer.spike = 20.0;
    setup.start().unwrap().run(&mut watcher).unwrap();
    let skipped: Vec<(u64, Skip)> = watcher
        .notices
        .iter()
        .filter_map(|n| match n {
            Notice::Skipped { step, why, .. } => Some((*step, *why)),
            _ => None,
        })
        .collect();
    assert!(!skipped.is_empty());
    for (step, why) in &skipped {
        assert!(*step > 20, "step {step} has too little before it");
        assert!(matches!(why, Skip::Spike { norm, usual } if *norm > 20.0 * usual));
    }
    assert_eq!(
        records(dir.path()).last().unwrap()["skipped"],
        skipped.len()
    );
}

#[test]
fn a_full_disk_ends_the_run_and_leaves_the_last_checkpoint_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    model.room.store(2, Ordering::Relaxed);
    let error = setup(&model, config(), dir.path())
        .start()
        .unwrap()
        .run(&mut ())
        .unwrap_err();
    let message = error.to_string();
    let Error::NotSaved {
        step: 21,
        checkpoint: Some(path),
        ..
    } = error
    else {
        panic!("{message}")
    };
    assert!(
        message.contains("step-00000014") && message.contains("resume"),
        "{message}"
    );
    let mut kept: Vec<_> = std::fs::read_dir(dir.path().join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    assert_eq!(kept, ["latest", "step-00000007", "step-00000014"]);

    let model = Toy::new();
    let mut trainer = setup(&model, config(), dir.path()).resume().unwrap();
    assert_eq!(trainer.steps(), 14, "{}", path.display());
    trainer.run(&mut ()).unwrap();
    assert_eq!(records(dir.path()).len(), 60);
}

#[test]
fn ten_in_a_row_end_the_run_and_leave_the_last_checkpoint_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let mut setup_poisoned = setup(&model, config(), dir.path());
    setup_poisoned
        .data
        .insert("hard".to_owned(), Box::new(examples(70, POISON)));
    let mut watcher = Watcher::default();
    let error = setup_poisoned
        .start()
        .unwrap()
        .run(&mut watcher)
        .unwrap_err();
    let Error::Diverged {
        in_a_row: 10,
        checkpoint: Some(path),
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert!(error.to_string().contains(&path.display().to_string()));
    let last_good = model.weights();
    assert!(last_good.iter().all(|weight| weight.is_finite()));

    let again = Toy::new();
    let mut setup_again = setup(&again, config(), dir.path());
    setup_again
        .data
        .insert("hard".to_owned(), Box::new(examples(70, POISON)));
    setup_again.resume_from(path).unwrap();
    assert_eq!(again.weights(), last_good, "skipped steps changed nothing");
}

#[test]
fn data_that_is_missing_or_empty_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let mut missing = setup(&model, config(), dir.path());
    missing.data.remove("easy");
    let Err(error) = missing.start() else {
        panic!("started without data")
    };
    assert!(
        error
            .to_string()
            .contains("stage easy wants the data set easy"),
        "{error}"
    );
    let mut empty = setup(&model, config(), dir.path());
    empty.data = data();
    empty
        .data
        .insert("easy".to_owned(), Box::new(Vec::<Example>::new()));
    assert!(matches!(empty.start(), Err(Error::EmptyStage { .. })));
}
