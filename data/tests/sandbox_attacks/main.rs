//! One attack per test, under every layer and under Landlock and seccomp alone. Each asserts that
//! nothing got out, by what is seen from outside, and that the next program is run as if nothing
//! had happened.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod limits;
mod processes;
mod reach;
mod results;

use std::collections::HashMap;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use codexec_data::sandbox::{Layer, Packages, Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program, Trace, Value};

const LAUNCHER: &str = env!("CARGO_BIN_EXE_codexec-sandbox");

fn config(launcher: &Path) -> PoolConfig {
    PoolConfig {
        workers: 1,
        launcher: Some(launcher.into()),
        ..PoolConfig::default()
    }
}

/// All layers; then what is left where user namespaces are blocked.
fn pools() -> &'static [Pool; 2] {
    static POOLS: OnceLock<[Pool; 2]> = OnceLock::new();
    POOLS.get_or_init(|| {
        let less = [Layer::Namespaces, Layer::FileTree];
        let launcher = Path::new(LAUNCHER);
        [
            Pool::new(config(launcher)).unwrap(),
            Pool::without_layers(config(launcher), &less).unwrap(),
        ]
    })
}

fn program(source: &str) -> Program {
    Program {
        id: "attack".into(),
        source: Some(source.into()),
        stdin: None,
        ..Program::default()
    }
}

/// Runs an attack in both pools, lets `check` look at what came of it, then runs an innocent program.
fn attack(source: &str, check: impl Fn(&Trace)) {
    attack_in(pools(), source, check);
}

fn attack_in(pools: &[Pool; 2], source: &str, check: impl Fn(&Trace)) {
    for pool in pools {
        let trace = pool.run(&program(source)).unwrap();
        check(&trace);
        innocent(pool);
    }
}

fn innocent(pool: &Pool) {
    let trace = pool.run(&program("x = [1, 2]\nprint(sum(x))\n")).unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(trace.output(), "3\n");
    assert_eq!(trace.steps[0].state.get("x").unwrap().text, "[1, 2]");
}

/// Attempts that must all fail: `attempts` are lambdas in a list. What each gave is printed.
fn all_refused(prelude: &str, attempts: &[&str]) {
    all_refused_in(pools(), prelude, attempts);
}

fn all_refused_in(pools: &[Pool; 2], prelude: &str, attempts: &[&str]) {
    let mut source = format!(
        "{prelude}\ndef attempt(k, f):\n    try:\n        f()\n        print(k, 'escaped')\n    \
         except BaseException as e:\n        print(k, 'refused', type(e).__name__)\n"
    );
    for (k, attempt) in attempts.iter().enumerate() {
        source += &format!("attempt({k}, lambda: {attempt})\n");
    }
    attack_in(pools, &source, |trace| {
        assert_eq!(trace.outcome, Outcome::Finished, "{}", trace.output());
        let output = trace.output();
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), attempts.len(), "{output}");
        for (line, attempt) in lines.iter().zip(attempts) {
            assert!(line.contains(" refused "), "{attempt}: {line}");
            assert!(!line.contains("NameError") && !line.contains("AttributeError"));
        }
    });
}

fn killed(trace: &Trace, why: &str) {
    let want = Outcome::Killed { why: why.into() };
    assert_eq!(trace.outcome, want, "{}", trace.output());
}

#[test]
fn attempts_can_succeed() {
    // The check above would be worthless if nothing could ever pass it by.
    let source = "import os\nos.getpid()\nprint(0, 'escaped')\n";
    let trace = pools()[0].run(&program(source)).unwrap();
    assert_eq!(trace.output(), "0 escaped\n");
}

#[test]
fn both_ways_of_isolation_are_what_they_should_be() {
    let [full, less] = pools();
    println!("{}\n--\n{}", full.isolation(), less.isolation());
    assert!(less.isolation().has(Layer::Landlock) && less.isolation().has(Layer::Seccomp));
    assert!(!less.isolation().has(Layer::Namespaces));
}
