//! Programs that would take too much memory or time end planning.

use codexec_data::trace::{Outcome, Program};
use codexec_plan::machine::{Machine, Settings, Status};

fn planned(source: &str) -> Machine {
    let program = Program {
        source: Some(source.to_owned()),
        ..Program::default()
    };
    let mut machine = Machine::new(&program, Settings::default());
    assert!(!matches!(machine.advance(), Status::Asks(_)), "{source}");
    machine
}

#[test]
fn lists_that_fill_the_memory_end_planning() {
    for source in [
        "while True:\n    x = [0] * 1000000\n",
        "x = [0]\nwhile True:\n    x += x\n",
        "x = {1}\nwhile True:\n    x = set(range(1000000))\n",
    ] {
        let machine = planned(source);
        let why = machine.unsupported().map(|stop| stop.what.clone());
        let why = why.unwrap_or_default();
        assert!(
            why.contains("items of containers") || why.contains("a list as long as that"),
            "{source}{why}"
        );
    }
}

#[test]
fn work_on_long_lists_counts_as_instructions() {
    for repeated in [
        "xs == ys",
        "1 in xs",
        "xs <= ys",
        "max(xs)",
        "sorted(xs)",
        "len(range(300000))",
        "max(range(300000))",
        "len(set('ab' * 150000))",
    ] {
        let source = format!(
            "xs = [0] * 300000\nys = [0] * 300000\ntotal = [0 for _ in range(10 ** 6) if {repeated} == 9]\n"
        );
        let machine = planned(&source);
        if let Some(stop) = machine.unsupported() {
            assert!(stop.what.contains("items of containers"), "{}", stop.what);
            continue;
        }
        let outcome = machine.into_trace(&Program::default()).outcome;
        assert_eq!(outcome, Outcome::Timeout, "{repeated}");
    }
}

/// Structures that share their parts, or stand for one another, without end: planning ends, one way or another.
#[test]
fn what_stands_in_itself_ends_planning() {
    for source in [
        "class A: pass\nA.__call__ = A()\nA()()\n",
        "x = print\n[x := staticmethod(x) for _ in range(100000)]\nx()\n",
        "x = int\n[x := (x,) for _ in range(100000)]\nisinstance('a', x)\n",
        "x = int\n[x := (x, x) for _ in range(60)]\nisinstance('a', x)\n",
        "x = ValueError()\n[x := ValueError(x) for _ in range(100000)]\ny = str(x)\n",
        "x = 1\n[x := f'{x}{x}' for _ in range(100)]\n",
        "x = []\n[x := [x, x] for _ in range(60)]\ny = f'{x}'\n",
        "x = (1,)\n[x := (x, x) for _ in range(60)]\nd = {x: 1}\n",
        "x = frozenset()\n[x := frozenset([x, frozenset([x])]) for _ in range(30)]\n",
        "s = 'a' * 2 ** 19\nx = [f'{s}{i}' for i in range(10000)]\n",
        "n = 1 << 131000\nx = [n + i for i in range(10 ** 6)]\n",
        "s = 'exec(s)'\nexec(s)\n",
    ] {
        let program = Program {
            source: Some(source.to_owned()),
            ..Program::default()
        };
        Machine::new(&program, Settings::default()).advance();
    }
}
