//! Death and resumption: the metrics file and the last checkpoint of an interrupted run are those
//! of an uninterrupted one, byte for byte.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use codexec_curriculum::{Ended, Error, Trainable as _};

use crate::toy::{Toy, Watcher, config, examples, setup};

/// The metrics and every file of the last checkpoint.
fn result(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let last = dir.join("checkpoints/step-00000060");
    let files = std::fs::read_dir(last)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = files.chain([dir.join("metrics.jsonl")]);
    let read = |file: PathBuf| {
        let name = file.file_name().unwrap().into();
        (name, std::fs::read(file).unwrap())
    };
    files.map(read).collect()
}

fn uninterrupted() -> BTreeMap<PathBuf, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let mut watcher = Watcher::default();
    setup(&Toy::new(), config(), dir.path())
        .start()
        .unwrap()
        .run(&mut watcher)
        .unwrap();
    result(dir.path())
}

fn assert_same(dir: &Path, expected: &BTreeMap<PathBuf, Vec<u8>>, when: &str) {
    let ours = result(dir);
    assert!(ours.keys().eq(expected.keys()), "{when}: other files");
    for (name, bytes) in &ours {
        let (ours, theirs) = (String::from_utf8_lossy(bytes), &expected[name]);
        assert!(
            bytes == theirs,
            "{when}: {} differs:\n{ours}",
            name.display()
        );
    }
}

#[test]
fn a_crashed_run_resumes_to_the_bit() {
    let expected = uninterrupted();
    // Right after a checkpoint, between two, at the end of a stage, in the second stage, twice.
    for crashes in [&[8][..], &[13], &[30], &[31], &[45], &[9, 9, 33, 59]] {
        let dir = tempfile::tempdir().unwrap();
        for (turn, &crash) in crashes.iter().enumerate() {
            let model = Toy::new();
            let setup = setup(&model, config(), dir.path());
            let mut trainer = if turn == 0 {
                setup.start()
            } else {
                setup.resume()
            }
            .unwrap();
            let mut watcher = Watcher {
                crash_at: Some(crash),
                ..Watcher::default()
            };
            let run = AssertUnwindSafe(|| trainer.run(&mut watcher));
            assert!(
                catch_unwind(run).is_err(),
                "it should have crashed at {crash}"
            );
        }
        let model = Toy::new();
        let mut trainer = setup(&model, config(), dir.path()).resume().unwrap();
        assert_eq!(
            trainer.run(&mut Watcher::default()).unwrap(),
            Ended::Finished
        );
        assert_same(dir.path(), &expected, &format!("after {crashes:?}"));
    }
}

/// What is exported is the average that the checkpoint keeps; training goes on with the weights themselves.
#[test]
fn the_model_has_the_average_of_its_weights_in_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let ended = setup(&model, config(), dir.path())
        .start()
        .unwrap()
        .run(&mut Watcher::default())
        .unwrap();
    assert_eq!(ended, Ended::Finished);
    let last = dir.path().join("checkpoints/step-00000060");
    let load = |name: &str| {
        candle_core::safetensors::load(last.join(name), &candle_core::Device::Cpu).unwrap()
    };
    let (average, weights) = (load("average.safetensors"), load("model.safetensors"));
    let flat =
        |tensor: &candle_core::Tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    for (name, var) in model.vars() {
        assert_eq!(flat(var.as_tensor()), flat(&average[&name]), "{name}");
        assert_ne!(flat(&average[&name]), flat(&weights[&name]), "{name}");
    }
}

#[test]
fn a_stopped_run_resumes_where_it_stopped() {
    let expected = uninterrupted();
    let dir = tempfile::tempdir().unwrap();
    let (model, mut watcher) = (
        Toy::new(),
        Watcher {
            stop_at: Some(17),
            ..Watcher::default()
        },
    );
    let mut trainer = setup(&model, config(), dir.path()).start().unwrap();
    assert_eq!(trainer.run(&mut watcher).unwrap(), Ended::Stopped);
    let model = Toy::new();
    let mut trainer = setup(&model, config(), dir.path()).resume().unwrap();
    assert_eq!(trainer.steps(), 17);
    trainer.run(&mut Watcher::default()).unwrap();
    assert_same(dir.path(), &expected, "after a stop");
}

#[test]
fn a_finished_run_has_nothing_left_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    setup(&model, config(), dir.path())
        .start()
        .unwrap()
        .run(&mut ())
        .unwrap();
    let weights = model.weights();
    let model = Toy::new();
    let mut trainer = setup(&model, config(), dir.path()).resume().unwrap();
    assert_eq!(trainer.run(&mut ()).unwrap(), Ended::Finished);
    assert_eq!((trainer.steps(), model.weights()), (60, weights));
}

const RUN_DIR: &str = "CURRICULUM_TEST_RUN_DIR";

#[test]
#[ignore = "the process that a_killed_process_resumes_to_the_bit kills"]
fn process_to_kill() {
    let dir = std::env::var_os(RUN_DIR).expect("started by the other test");
    let mut model = Toy::new();
    model.pause = Duration::from_millis(3);
    let setup = setup(&model, config(), Path::new(&dir));
    setup.start().unwrap().run(&mut Watcher::default()).unwrap();
}

#[test]
fn a_killed_process_resumes_to_the_bit() {
    let expected = uninterrupted();
    for kill_after in [16, 41] {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "resume::process_to_kill"])
            .env(RUN_DIR, dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let metrics = dir.path().join("metrics.jsonl");
        while std::fs::read_to_string(&metrics)
            .unwrap_or_default()
            .lines()
            .count()
            < kill_after
        {
            assert!(
                child.try_wait().unwrap().is_none(),
                "it ended before it was killed"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        let model = Toy::new();
        let mut trainer = setup(&model, config(), dir.path()).resume().unwrap();
        assert!(trainer.steps() > 0 && trainer.steps() < 60);
        trainer.run(&mut Watcher::default()).unwrap();
        assert_same(
            dir.path(),
            &expected,
            &format!("killed after {kill_after} lines"),
        );
    }
}

#[test]
fn another_run_is_not_continued() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    assert!(matches!(
        setup(&model, config(), dir.path()).resume(),
        Err(Error::NoCheckpoint { .. })
    ));
    let mut watcher = Watcher {
        stop_at: Some(8),
        ..Watcher::default()
    };
    setup(&model, config(), dir.path())
        .start()
        .unwrap()
        .run(&mut watcher)
        .unwrap();
    assert!(matches!(
        setup(&model, config(), dir.path()).start(),
        Err(Error::RunExists { .. })
    ));

    let mut other = config();
    other.stages[1].peak_lr *= 2.0;
    let refused = setup(&model, other, dir.path()).resume();
    assert!(matches!(
        refused,
        Err(Error::OtherRun {
            what: "settings",
            ..
        })
    ));

    let mut other = setup(&model, config(), dir.path());
    other
        .data
        .insert("hard".to_owned(), Box::new(examples(71, 1)));
    assert!(matches!(
        other.resume(),
        Err(Error::OtherRun { what: "data", .. })
    ));
}
