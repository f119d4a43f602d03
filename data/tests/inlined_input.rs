//! Programs whose input statements became constants print the same and end the same.
//!
//! Over the corpus in `../shared`; `CODEXEC_INLINE_PROGRAMS` says how many programs of it, `all` for
//! every one with real samples.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use codexec_data::sandbox::{Limits, Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program, Trace};
use codexec_mutate::inline_input;

/// Programs that the test runs when it is not told otherwise.
const PROGRAMS: usize = 200;

fn pool() -> Pool {
    let limits = Limits {
        wall: Duration::from_secs(2),
        cpu: Duration::from_secs(2),
        max_steps: 20_000,
        ..Limits::default()
    };
    Pool::new(PoolConfig {
        limits,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    })
    .unwrap()
}

fn run(pool: &Pool, source: &str, stdin: &str) -> Trace {
    pool.run(&Program {
        id: "t".into(),
        source: Some(source.into()),
        stdin: Some(stdin.into()),
        ..Program::default()
    })
    .unwrap()
}

/// How a program ended, without the line: it can move.
fn ending(trace: &Trace) -> Option<String> {
    match &trace.outcome {
        Outcome::Finished => Some("finished".into()),
        Outcome::Raised {
            exception, message, ..
        } => Some(format!("{exception}: {message}")),
        // which limit a program meets, and when, is no property of it
        _ => None,
    }
}

/// Programs with real samples, with the first sample's input, evenly taken.
fn corpus() -> Option<Vec<(String, String, String)>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora/train_programs.jsonl.zst");
    if !path.exists() {
        eprintln!("skipped: there is no {}", path.display());
        return None;
    }
    let text = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
    let records = String::from_utf8(text).unwrap();
    let mut all = Vec::new();
    for line in records.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let stdin = record["samples"][0]["in"].as_str();
        if let (Some(stdin), true) = (stdin, record["sample_src"] != "guess") {
            let text = |name: &str| record[name].as_str().unwrap().to_owned();
            all.push((text("id"), text("code"), stdin.to_owned()));
        }
    }
    let wanted = std::env::var("CODEXEC_INLINE_PROGRAMS").ok();
    let count = match wanted.as_deref() {
        Some("all") => all.len(),
        Some(count) => count.parse().unwrap(),
        None => PROGRAMS,
    };
    let step = (all.len() / count.max(1)).max(1);
    Some(all.into_iter().step_by(step).collect())
}

#[test]
fn inlined_programs_print_and_end_the_same() {
    let Some(programs) = corpus() else { return };
    let pool = pool();
    let [complete, partly, compared, unparsed] = [const { AtomicUsize::new(0) }; 4];
    let wrong = std::sync::Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for at in 0..threads {
            let mine = programs.iter().skip(at).step_by(threads);
            let (pool, wrong) = (&pool, &wrong);
            let (complete, partly) = (&complete, &partly);
            let (compared, unparsed) = (&compared, &unparsed);
            scope.spawn(move || {
                for (id, source, stdin) in mine {
                    let Ok(inlined) = inline_input(source, stdin) else {
                        unparsed.fetch_add(1, Ordering::Relaxed);
                        continue;
                    };
                    if inlined.complete {
                        complete.fetch_add(1, Ordering::Relaxed);
                    } else if inlined.sites > 0 {
                        partly.fetch_add(1, Ordering::Relaxed);
                    }
                    if inlined.sites == 0 {
                        assert_eq!((&inlined.source, &inlined.stdin), (source, stdin));
                        continue;
                    }
                    let before = run(pool, source, stdin);
                    let Some(ended) = ending(&before) else {
                        continue;
                    };
                    let after = run(pool, &inlined.source, &inlined.stdin);
                    compared.fetch_add(1, Ordering::Relaxed);
                    if ending(&after).as_ref() != Some(&ended) || before.output() != after.output()
                    {
                        let text = &inlined.source;
                        let how = (ended, &after.outcome);
                        wrong.lock().unwrap().push(format!("{id} {how:?}\n{text}"));
                    }
                }
            });
        }
    });
    let count = |n: &AtomicUsize| n.load(Ordering::Relaxed);
    println!(
        "{} programs: {} inlined in full, {} in part, {} do not parse; {} ran both ways",
        programs.len(),
        count(&complete),
        count(&partly),
        count(&unparsed),
        count(&compared)
    );
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n---\n")
    );
    assert!(count(&complete) * 2 > programs.len() && count(&compared) > programs.len() / 2);
}
