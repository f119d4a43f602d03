//! Data made while a run goes on: the same rounds after a stop, none twice, and the wait is told.

use std::path::Path;
use std::sync::{Arc, Mutex};

use codexec_curriculum::{Ended, Error, Example, ForeignError, RoundSource};

use crate::records;
use crate::toy::{Toy, Watcher, config, examples, setup};

/// Rounds of twenty to twenty-four examples.
struct Rounds(Arc<Mutex<Vec<u64>>>);

impl RoundSource for Rounds {
    fn round(&self, number: u64) -> Result<Arc<Vec<Example>>, ForeignError> {
        self.0.lock().unwrap().push(number);
        let all = examples(30, 1);
        let from = (number % 6) as usize;
        Ok(Arc::new(all[from..from + 20 + from % 5].to_vec()))
    }

    fn fingerprint(&self) -> String {
        "rounds".to_owned()
    }
}

fn run(dir: &Path, stop_at: Option<u64>) -> (Vec<u64>, Ended, Vec<f32>) {
    let (model, asked) = (Toy::new(), Arc::default());
    let mut setup = setup(&model, config(), dir);
    setup.data.remove("hard");
    let rounds = Rounds(Arc::clone(&asked));
    setup.online.insert("hard".to_owned(), Box::new(rounds));
    let mut watcher = Watcher {
        stop_at,
        ..Watcher::default()
    };
    let ended = setup.resume_or_start().unwrap().run(&mut watcher).unwrap();
    let asked = asked.lock().unwrap().clone();
    (asked, ended, model.weights())
}

#[test]
fn a_stopped_run_has_the_same_rounds_to_come() {
    let whole = tempfile::tempdir().unwrap();
    let (all, _, weights) = run(whole.path(), None);
    assert!(all.len() > 3, "{all:?}");
    assert!(
        all.windows(2).all(|two| two[0] + 1 == two[1]),
        "one after the other: {all:?}"
    );
    let stopped = tempfile::tempdir().unwrap();
    let (before, ended, _) = run(stopped.path(), Some(44));
    assert_eq!(ended, Ended::Stopped);
    let (after, _, again) = run(stopped.path(), None);
    assert_eq!(
        before.last(),
        after.first(),
        "the round it was in is made again"
    );
    assert_eq!([&before[..], &after[1..]].concat(), all);
    // Seconds count for this stage's budget, and looks at the clock are seconds here; the stop adds
    // none, so even the weights are the same.
    assert_eq!(again, weights);
}

#[test]
fn the_wait_is_in_the_metrics_of_such_stages_alone() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), None);
    for record in records(dir.path()) {
        let wait = record.get("data_wait").and_then(serde_json::Value::as_f64);
        match record["stage"].as_str() {
            Some("easy") => assert_eq!(wait, None),
            // One look of three, a second each.
            _ => assert!(
                wait.is_some_and(|share| share > 0.3 && share < 0.7),
                "{record}"
            ),
        }
    }
}

#[test]
fn the_hardest_of_what_is_not_there_yet_cannot_be_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let model = Toy::new();
    let mut setup = setup(&model, config(), dir.path());
    setup.data.remove("hard");
    let rounds = Rounds(Arc::default());
    setup.online.insert("hard".to_owned(), Box::new(rounds));
    let hardest = codexec_curriculum::Hardest {
        share: 0.5,
        sample: None,
    };
    setup.config.stages[1]
        .hardest
        .insert("hard".to_owned(), hardest);
    assert!(matches!(setup.start(), Err(Error::UnknownDataSet { .. })));
}
