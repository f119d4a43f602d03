//! Packed checkpoints: small, in small files, and a run goes on from them nearly as it would have.

use std::path::Path;

use codexec_curriculum::{Ended, Error, PackLimits, pack, unpack};

use crate::toy::{Toy, Watcher, config, setup};
use crate::{lines, records};

fn stopped_at(step: u64, dir: &Path) {
    let model = Toy::new();
    let mut watcher = Watcher {
        stop_at: Some(step),
        ..Watcher::default()
    };
    let mut trainer = setup(&model, config(), dir).start().unwrap();
    assert_eq!(trainer.run(&mut watcher).unwrap(), Ended::Stopped);
}

const SMALL: PackLimits = PackLimits {
    total: 60_000_000,
    file: 1_000,
};

#[test]
fn a_run_goes_on_from_pieces() {
    let whole = tempfile::tempdir().unwrap();
    setup(&Toy::new(), config(), whole.path())
        .start()
        .unwrap()
        .run(&mut ())
        .unwrap();

    // Stopped in both stages, and carried to another directory each time.
    let mut here = tempfile::tempdir().unwrap();
    stopped_at(17, here.path());
    for stop_at in [Some(41), None] {
        let (packed, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let prefix = packed.path().join("piece");
        let parts = pack(here.path(), &prefix, SMALL).unwrap();
        assert!(parts.len() > 1);
        for path in &parts {
            assert!(std::fs::metadata(path).unwrap().len() <= 1_000);
        }
        unpack(&prefix, there.path()).unwrap();
        let model = Toy::new();
        let mut watcher = Watcher {
            stop_at,
            ..Watcher::default()
        };
        let mut trainer = setup(&model, config(), there.path()).resume().unwrap();
        trainer.run(&mut watcher).unwrap();
        here = there;
    }
    let (ours, expected) = (records(here.path()), records(whole.path()));
    assert_eq!(ours.len(), expected.len());
    for (ours, expected) in ours.iter().zip(&expected) {
        // The same batches: as many tokens after every step; and nearly the same losses.
        assert_eq!(ours["tokens"], expected["tokens"]);
        let [a, b] = [ours, expected].map(|record| record["loss"].as_f64().unwrap());
        assert!(
            (a - b).abs() < 0.03 * b + 0.01,
            "step {}: {a} and {b}",
            ours["step"]
        );
    }
    assert!(
        here.path()
            .join("checkpoints/step-00000060/config.json")
            .is_file()
    );
}

#[test]
fn fewer_bits_make_it_fit_and_too_few_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    stopped_at(17, dir.path());
    let size = |total: usize| {
        let limits = PackLimits {
            total,
            file: 15_000_000,
        };
        let parts = pack(dir.path(), &dir.path().join("../never"), limits);
        let parts = parts.map_err(|error| error.to_string())?;
        let bytes: u64 = parts
            .iter()
            .map(|path| path.metadata().unwrap().len())
            .sum();
        parts
            .iter()
            .for_each(|path| std::fs::remove_file(path).unwrap());
        Ok::<_, String>(bytes as usize)
    };
    let most = size(60_000_000).unwrap();
    let mut sizes: Vec<usize> = (0..most + 8192)
        .step_by(16)
        .filter_map(|n| {
            let bytes = size(n).ok()?;
            assert!(bytes <= n, "{bytes} where {n} is the limit");
            Some(bytes)
        })
        .collect();
    sizes.dedup();
    assert!(sizes.len() >= 8, "16 down to 8 bits: {sizes:?}");
    assert!(size(100).unwrap_err().contains("over the limit"));
}

#[test]
fn damage_and_other_runs_are_refused() {
    let (dir, packed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let prefix = packed.path().join("piece");
    assert!(matches!(
        pack(dir.path(), &prefix, SMALL),
        Err(Error::NoCheckpoint { .. })
    ));
    stopped_at(8, dir.path());
    let parts = pack(dir.path(), &prefix, SMALL).unwrap();
    assert!(matches!(
        unpack(&prefix, dir.path()),
        Err(Error::RunExists { .. })
    ));
    let to = tempfile::tempdir().unwrap();
    for part in &parts {
        let whole = std::fs::read(part).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for damaged in [Some(flipped), None] {
            match damaged {
                Some(bytes) => std::fs::write(part, bytes).unwrap(),
                None => std::fs::remove_file(part).unwrap(),
            }
            let error = unpack(&prefix, to.path()).unwrap_err().to_string();
            assert!(error.contains("piece.0"), "{error}");
            assert!(!to.path().join("checkpoints").exists());
        }
        std::fs::write(part, whole).unwrap();
    }
    unpack(&prefix, to.path()).unwrap();
    assert_eq!(lines(to.path()), lines(dir.path()));
}
