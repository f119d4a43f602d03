//! What tracing a program costs, in CPU time of everything that takes part (driver, worker, child),
//! so that other load on the machine does not count: programs per second and core.
//!
//! 8-line programs of 25 steps, four ways in turn, round by round: a child of its own in a long-lived
//! worker, a shared child (mutants of one program), a fresh `python3 -I` per program without any
//! isolation or tracing, and a fresh worker with full isolation per program.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program};

const ROUNDS: usize = 5;

fn main() {
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let programs = programs(256);
    let pool = match Pool::new(config()) {
        Ok(pool) => pool,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    println!("{}\n", pool.isolation());
    check(&pool, &programs);
    // Processor time of a process is known once it is waited for: every pool lives for one round.
    drop(pool);
    let mut best = [f64::INFINITY; 4];
    for _ in 0..ROUNDS {
        let costs = [
            cost(&programs, single),
            cost(&programs, family),
            cost(&programs[..16], fresh_python),
            cost(&programs[..16], fresh_sandbox),
        ];
        for (best, cost) in best.iter_mut().zip(costs) {
            *best = best.min(cost);
        }
    }
    let names = [
        "one child per program",
        "programs of a family share a child",
        "fresh python3 -I, nothing isolated or traced",
        "fresh sandboxed worker",
    ];
    for (name, cost) in names.iter().zip(best) {
        println!("{name:48} {:8.0} us {:8.0}/s/core", cost * 1e6, 1.0 / cost);
    }
    println!(
        "\none child per program: {:.1} times a fresh sandboxed process, {:.1} times fresh python3 -I",
        best[3] / best[0],
        best[2] / best[0]
    );
}

fn config() -> PoolConfig {
    PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    }
}

/// Programs of 8 lines and 25 steps.
fn programs(count: usize) -> Vec<Program> {
    let made = (0..count).map(|k| Program {
        id: k.to_string(),
        source: Some(format!(
            "a = {}\nb = {}\ntotal = 0\nfor i in range(5):\n    a, b = b, a + b\n    \
             if a % 2 == 0:\n        total += a\nprint(total, [i, a, b])\n",
            2 * k,
            4 * k + 2
        )),
        stdin: None,
        ..Program::default()
    });
    made.collect()
}

fn check(pool: &Pool, programs: &[Program]) {
    let alone = pool.run(&programs[3]);
    let together = pool.run_family(&programs[..8]);
    let (Ok(alone), Ok(together)) = (alone, together) else {
        panic!("the pool does not run");
    };
    assert_eq!(alone.outcome, Outcome::Finished);
    assert_eq!(alone, together[3]);
    println!(
        "{} lines, {} steps\n",
        alone.program.source.iter().flat_map(|s| s.lines()).count(),
        alone.steps.len()
    );
}

/// CPU seconds per program of one way of running them.
fn cost(programs: &[Program], way: impl Fn(&[Program]) -> f64) -> f64 {
    way(programs) / programs.len() as f64
}

/// The start of the worker is not the programs' cost: it is measured apart and taken off.
fn pooled(programs: &[Program], run: impl Fn(&Pool, &[Program])) -> f64 {
    let spent = |programs: &[Program]| {
        let start = cpu();
        let Ok(pool) = Pool::new(config()) else {
            panic!("the pool does not start");
        };
        run(&pool, programs);
        drop(pool);
        cpu() - start
    };
    let small = spent(&programs[..1]);
    (spent(programs) - small) * programs.len() as f64 / (programs.len() - 1) as f64
}

fn single(programs: &[Program]) -> f64 {
    pooled(programs, |pool, programs| {
        for program in programs {
            assert!(pool.run(program).is_ok());
        }
    })
}

fn family(programs: &[Program]) -> f64 {
    pooled(programs, |pool, programs| {
        assert!(pool.run_family(programs).is_ok());
    })
}

fn fresh_sandbox(programs: &[Program]) -> f64 {
    pooled(programs, |pool, programs| {
        for program in programs {
            assert!(pool.run_fresh(program).is_ok());
        }
    })
}

fn fresh_python(programs: &[Program]) -> f64 {
    let python: PathBuf = match Pool::new(config()) {
        Ok(pool) => pool.isolation().python.clone(),
        Err(error) => panic!("{error}"),
    };
    let start = cpu();
    for program in programs {
        let source = program.source.as_deref().unwrap_or_default();
        let status = Command::new(&python)
            .args(["-I", "-c", source])
            .stdout(Stdio::null())
            .status();
        assert!(status.is_ok_and(|s| s.success()));
    }
    cpu() - start
}

/// User and system time of this process and of all processes that were waited for, seconds.
#[cfg(target_os = "linux")]
fn cpu() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN]
        .into_iter()
        .filter_map(|who| getrusage(who).ok())
        .flat_map(|usage| [usage.user_time(), usage.system_time()])
        .map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 * 1e-6)
        .sum()
}

/// Wall-clock time, where processor time is not available.
#[cfg(not(target_os = "linux"))]
fn cpu() -> f64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0.0, |d| d.as_secs_f64())
}
