//! Settings that are read, filled in and rejected.

use super::*;

const GOOD: &str = "seed = 1\n[optimizer]\nclip = 1.0\n\n[[stages]]\nname = \"a\"\nsteps = 9\n\
                        batch_tokens = 64\npeak_lr = 1e-3\nmix = { x = 1 }\n";

fn message(text: &str) -> String {
    RunConfig::from_toml(text, "run.toml")
        .unwrap_err()
        .to_string()
}

#[test]
fn errors_name_file_line_and_key() {
    RunConfig::from_toml(GOOD, "run.toml").unwrap();
    let cases = [
        (
            GOOD.replace("peak_lr = 1e-3", "peak_lr = -1.0"),
            "run.toml:9: `stages[0].peak_lr`",
        ),
        (
            GOOD.replace("steps = 9", "steps = \"9\""),
            "run.toml:7: `stages[0].steps`",
        ),
        (
            GOOD.replace("clip = 1.0", "clip = 0.0"),
            "run.toml:3: `optimizer.clip`",
        ),
        (GOOD.replace("clip", "clop"), "run.toml:3: `optimizer.clop`"),
        (
            GOOD.replace("clip = 1.0", "average = 1.0"),
            "run.toml:3: `optimizer.average`",
        ),
        (
            GOOD.replace("steps = 9", "steps = 9\nminutes = 1.0"),
            "run.toml:5: `stages[0]`",
        ),
        (
            GOOD.replace("batch_tokens = 64\n", ""),
            "run.toml:5: `stages[0]`",
        ),
        (
            GOOD.replace("{ x = 1 }", "{ x = 0 }"),
            "run.toml:10: `stages[0].mix`",
        ),
        (
            GOOD.replace("{ x = 1 }", "{ x = 1e300 }"),
            "run.toml:10: `stages[0].mix`",
        ),
        (
            format!("{GOOD}hardest = {{ y = {{ share = 0.5 }} }}\n"),
            "run.toml:11: `stages[0].hardest`",
        ),
        (
            format!("{GOOD}hardest = {{ x = {{ share = 1.5 }} }}\n"),
            "run.toml:11: `stages[0].hardest`",
        ),
        (GOOD.replace("seed = 1", "seed = "), "run.toml:1: "),
        (
            GOOD.replace("seed = 1", "seed = 1\nthreads = 1000000"),
            "run.toml:2: `threads`: must be at most 1024",
        ),
    ];
    for (text, expected) in cases {
        let message = message(&text);
        assert!(
            message.starts_with(expected),
            "{message} should start with {expected}"
        );
    }
}

#[test]
fn the_example_run_is_valid() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("stages/tiny.toml");
    let config = RunConfig::from_file(&path).unwrap();
    assert!(config.stages.iter().all(|stage| stage.budget().is_some()));
}

#[test]
fn fingerprint_ignores_what_does_not_change_losses() {
    let base = RunConfig::from_toml(GOOD, "run.toml").unwrap();
    let mut other = base.clone();
    other.log_every = 77;
    other.eval_every = Some(3);
    assert_eq!(base.fingerprint(), other.fingerprint());
    other.threads = 2; // halves the micro-batches that follow from it
    assert_ne!(base.fingerprint(), other.fingerprint());
    other.stages[0].micro_tokens = Some(64);
    assert_eq!(base.fingerprint(), other.fingerprint());
    other.stages[0].peak_lr = 2e-3;
    assert_ne!(base.fingerprint(), other.fingerprint());
}
