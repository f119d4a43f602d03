//! The committed results of the embedded checkpoint on the small sets: a change of the checkpoint, of
//! decoding or of a metric changes `docs/results/small.md` in the same commit.
//!
//! `CODEXEC_UPDATE_DOCS=1 cargo test --test eval_results` renews it.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// Processors differ in the last bits of a confidence, which may show in the second place of a
/// percentage; one example of the small sets more or less right is a whole percent or more.
const NEAR: f64 = 0.05;

fn results() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixtures = root.join("tests/fixtures/eval");
    let out = tempfile::tempdir().unwrap();
    Command::cargo_bin("codexec")
        .unwrap()
        .args(["eval", "--whole", "--beam", "2", "--data"])
        .arg(fixtures.join("small.jsonl"))
        .arg("--train")
        .arg(fixtures.join("train.jsonl"))
        .arg("--data")
        .arg(fixtures.join("orca.json"))
        .arg("--out")
        .arg(out.path())
        .assert()
        .success();
    let results = fs::read_to_string(out.path().join("results.md")).unwrap();
    let notice = "Written by `CODEXEC_UPDATE_DOCS=1 cargo test --test eval_results`: the embedded \
                  checkpoint on\nthe small sets in `tests/fixtures/eval`. They are there to notice a \
                  change, not to say how good\nthe checkpoint is.\n";
    results.replacen(
        "# Results\n",
        &format!("# Results on the small sets\n\n{notice}"),
        1,
    )
}

/// The first place where two texts differ by more than rounding.
fn first_difference(ours: &str, committed: &str) -> Option<String> {
    let mut pairs = ours.lines().zip(committed.lines());
    let line = pairs.find(|(a, b)| !same_line(a, b));
    let longer = ours.lines().count() != committed.lines().count();
    line.map(|(a, b)| format!("computed:  {a}\ncommitted: {b}"))
        .or_else(|| longer.then(|| "one has more lines".to_owned()))
}

fn same_line(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let cut = text.split([' ', '[', ']', ',']);
        cut.filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    let (a, b) = (words(a), words(b));
    let same = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= NEAR + 1e-9,
        _ => a == b,
    };
    a.len() == b.len() && a.iter().zip(&b).all(same)
}

#[test]
fn the_committed_results_are_those_of_the_embedded_checkpoint() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results/small.md");
    let ours = results();
    if std::env::var_os("CODEXEC_UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &ours).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap();
    if let Some(difference) = first_difference(&ours, &committed) {
        panic!(
            "docs/results/small.md is not what the embedded checkpoint gives:\n{difference}\n\
             Is the change meant? Then renew it: CODEXEC_UPDATE_DOCS=1 cargo test --test eval_results"
        );
    }
}

#[test]
fn a_changed_score_is_noticed_and_rounding_is_not() {
    let row = "| predict: default | 29.42 [27.3, 31.5] | – |";
    let check = |other: &str| first_difference(row, other).is_some();
    assert!(!check("| predict: default | 29.43 [27.3, 31.5] | – |"));
    assert!(check("| predict: default | 30.42 [27.3, 31.5] | – |"));
    assert!(check("| predict: other | 29.42 [27.3, 31.5] | – |"));
    assert!(check("| predict: default | 29.42 | – |"));
    assert!(check(&format!("{row}\nmore")));
}
