//! Programs that would take too much memory or time end planning, and none ends the process.

#![allow(clippy::unwrap_used)] // A test that cannot set up its input may panic.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use codexec_plan::machine::{Machine, Recorded, Settings, Status};
use codexec_plan::oracles::Nobody;
use codexec_plan::scheduler::plan_each;
use codexec_trace::{Outcome, Program, Trace};

/// Fewer instructions than usual, so that the tests are quick.
fn settings() -> Settings {
    Settings {
        max_instructions: 5_000_000,
        // A build for tests is slow, and so may the machine be.
        max_cpu: Duration::from_secs(300),
        asks_rest: false,
        ..Settings::default()
    }
}

fn program(source: impl Into<String>) -> Program {
    Program {
        source: Some(source.into()),
        ..Program::default()
    }
}

fn planned(source: &str, settings: Settings) -> Machine {
    let mut machine = Machine::new(&program(source), settings);
    assert!(!matches!(machine.advance(), Status::Waits), "{source}");
    machine
}

fn why(machine: &Machine) -> String {
    let stop = machine.unsupported().map(|stop| stop.what.clone());
    stop.unwrap_or_default()
}

#[test]
fn programs_that_fill_the_memory_end_planning() {
    let small = Settings {
        max_memory: 64 << 20,
        ..Settings::default()
    };
    for source in [
        "while True:\n    x = [0] * 1000000\n",
        "x = [0]\nwhile True:\n    x += x\n",
        "x = {1}\nwhile True:\n    x = set(range(1000000))\n",
        "x = [i for i in range(10 ** 8)]\n",
        "x = {i: i for i in range(10 ** 8)}\n",
        "x = {(i, i) for i in range(10 ** 8)}\n",
        "from collections import deque\nx = deque()\n[x.append(str(i) * 9) for i in range(10 ** 8)]\n",
        "x = bytearray()\n[x.extend(b'a' * 1000) for i in range(10 ** 8)]\n",
        "s = 'a' * 2 ** 19\nx = [f'{s}{i}' for i in range(10000)]\n",
        "n = 1 << 131000\nx = [n + i for i in range(10 ** 6)]\n",
        "from types import SimpleNamespace\nx = [SimpleNamespace(a=1.5, b=1, c=2) for i in range(10 ** 8)]\n",
        "x = [map(str, [i]) for i in range(10 ** 8)]\n",
        "from typing import List\nx = int\n[x := List[x] for i in range(100000)]\n",
        "x = lambda: 1\n[x := (lambda y=x: y) for i in range(10 ** 8)]\n",
    ] {
        let why = why(&planned(source, small.clone()));
        assert!(
            why.starts_with("more memory") || why.contains("a list as long as that"),
            "{source}{why}"
        );
    }
}

#[test]
fn a_full_memory_ends_planning_where_statements_may_be_left_out() {
    let small = Settings {
        max_memory: 64 << 20,
        unknown: true,
        recorded: Recorded::Raises,
        ..Settings::default()
    };
    let source = "import nowhere\nx = [i for i in range(10 ** 8)]\ny = 1\nz = 1 / 0\n";
    let machine = planned(source, small);
    assert!(
        why(&machine).starts_with("more memory"),
        "{}",
        why(&machine)
    );
    let trace = machine.into_trace(&Program::default());
    assert!(!matches!(trace.outcome, Outcome::Raised { .. }));
}

#[test]
fn strings_that_are_gone_take_no_memory() {
    let small = Settings {
        max_memory: 64 << 20,
        ..Settings::default()
    };
    let source = "s = ''\nany((s := s + 'abcdefgh') == '' for _ in range(20000))\nn = len(s)\n";
    let machine = planned(source, small);
    assert_eq!(why(&machine), "");
    let trace = machine.into_trace(&Program::default());
    assert_eq!(trace.outcome, Outcome::Finished);
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
        let machine = planned(&source, settings());
        if !why(&machine).is_empty() {
            assert!(why(&machine).starts_with("more memory"), "{source}");
            continue;
        }
        let outcome = machine.into_trace(&Program::default()).outcome;
        assert_eq!(outcome, Outcome::InstructionLimit, "{repeated}");
    }
}

#[test]
fn cpu_time_has_a_limit() {
    let quick = Settings {
        max_cpu: Duration::from_millis(200),
        ..Settings::default()
    };
    for source in [
        "x = [0 for _ in range(10 ** 9)]\n",
        "import asyncio\nasync def f():\n    await asyncio.gather(*[asyncio.sleep(9) for i in range(10 ** 6)])\nasyncio.run(f())\n",
    ] {
        let machine = planned(source, quick.clone());
        let outcome = machine.into_trace(&Program::default()).outcome;
        assert_eq!(outcome, Outcome::Timeout, "{source}");
    }
}

/// Threads started by planning obey the flag of the calling thread.
#[test]
fn a_flag_cancels_plans_in_all_their_threads() {
    let endless = Settings {
        max_steps: usize::MAX,
        max_text: usize::MAX,
        max_instructions: u64::MAX,
        ..settings()
    };
    let programs = ["x = [0 for _ in range(10 ** 9)]\n", "while True: x = 1\n"].map(program);
    let flag = Arc::new(AtomicBool::new(false));
    Machine::cancel_by(Some(Arc::clone(&flag)));
    let cancels = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        flag.store(true, Ordering::Relaxed);
    });
    let (begun, mut ended) = (Instant::now(), Vec::new());
    let done = plan_each(&programs, &endless, &mut Nobody, |number, planned| {
        ended.push((number, planned.trace.outcome));
        ControlFlow::Continue(())
    });
    done.unwrap();
    cancels.join().unwrap();
    // Without the flag each would take 300 seconds.
    assert!(begun.elapsed() < Duration::from_secs(100));
    assert_eq!(ended, [(0, Outcome::Timeout), (1, Outcome::Timeout)]);
    Machine::cancel_by(None);
}

/// Structures with shared or self-referential parts, without end: planning ends, one way or another.
#[test]
fn what_stands_in_itself_ends_planning() {
    for source in [
        "class A: pass\nA.__call__ = A()\nA()()\n",
        "x = print\n[x := staticmethod(x) for _ in range(100000)]\nx()\n",
        "x = int\n[x := (x, x) for _ in range(60)]\nisinstance('a', x)\n",
        "x = 1\n[x := f'{x}{x}' for _ in range(100)]\n",
        "x = []\n[x := [x, x] for _ in range(60)]\ny = f'{x}'\n",
        "x = (1,)\n[x := (x, x) for _ in range(60)]\nd = {x: 1}\n",
        "x = frozenset()\n[x := frozenset([x, frozenset([x])]) for _ in range(30)]\n",
        "s = 'exec(s)'\nexec(s)\n",
        "from typing import Union, List\nx = int\n[x := Union[List[x], x] for _ in range(60)]\ny = str(x)\n",
        "from types import MethodType\nx = print\n[x := MethodType(x, 1) for _ in range(100000)]\nx.name\nx(2)\n",
    ] {
        Machine::new(&program(source), settings()).advance();
    }
}

/// Containers of one value, to be nested.
const NESTED: [&str; 30] = [
    "[x]",
    "(x,)",
    "{1: x}",
    "deque([x])",
    "ValueError(x)",
    "ExceptionGroup('g', [ValueError(), x]) if isinstance(x, Exception) else ValueError(x)",
    "KeyError(x)",
    "OSError(1, x)",
    "frozenset([x]) if hash(x) else x",
    "slice(x)",
    "list[x]",
    "type[x]",
    "List[x]",
    "Optional[x]",
    "Callable[[x], x]",
    "(list[x] | None)",
    "partial(x)",
    "staticmethod(x)",
    "classmethod(x)",
    "property(x)",
    "MethodType(x, 1) if callable(x) else len",
    "iter([x])",
    "map(str, x)",
    "chain(x)",
    "enumerate(x)",
    "Box(x)",
    "Data(x)",
    "Named(x)",
    "defaultdict(int, a=x)",
    "SimpleNamespace(a=x)",
];

/// Operations on such a structure.
const USES: [&str; 9] = [
    "str(x)",
    "f'{x!r:>5}'",
    "hash(x)",
    "x == y",
    "copy.deepcopy(x)",
    "json.dumps(x)",
    "isinstance(1, x)",
    "x()",
    "x.name",
];

#[test]
fn no_nesting_ends_the_process() {
    const BEFORE: &str = "\
import copy, json
from collections import deque, defaultdict, namedtuple
from dataclasses import dataclass
from functools import partial
from itertools import chain
from types import MethodType, SimpleNamespace
from typing import Callable, List, Optional
class Box:
    def __init__(self, a): self.a = a
    def __repr__(self): return repr(self.a)
    def __eq__(self, other): return self.a == other.a
    def __hash__(self): return hash(self.a)
@dataclass(frozen=True, order=True)
class Data:
    a: object
Named = namedtuple('Named', 'a')
";
    let mut programs = Vec::new();
    for nested in NESTED {
        let made = format!(
            "def made():\n    x = int\n    [x := {nested} for _ in range(10000)]\n    return x\n"
        );
        for used in USES {
            let other = if used.contains('y') {
                "y = made()\n"
            } else {
                ""
            };
            let source = format!("{BEFORE}{made}x = made()\n{other}{used}\n");
            programs.push(program(source));
        }
    }
    let traces = traces_of(&programs);
    assert_eq!(traces.len(), programs.len());
    for (trace, program) in traces.iter().zip(&programs) {
        let text = format!("{:?}", trace.outcome);
        let source = program.source.as_deref().unwrap();
        assert!(!text.contains("codexec itself"), "{text}\n{source}");
    }
}

/// The programs of `nested.txt`: what CPython 3.11 prints of values nested about as deep as its recursion limit allows
/// (`nested_vectors.py` asks it).
#[test]
fn nested_values_reach_the_recursion_limit_as_in_cpython() {
    let deep = Settings {
        max_steps: 100_000,
        max_text: 64 << 20,
        max_instructions: Settings::default().max_instructions,
        ..settings()
    };
    let before = include_str!("fixtures/nested.py");
    let mut wrong = Vec::new();
    for case in include_str!("fixtures/nested.txt").split("\n====\n") {
        let Some((source, said)) = case.split_once("\n----\n") else {
            continue;
        };
        let machine = planned(&format!("{before}{source}"), deep.clone());
        let why = why(&machine);
        let trace = machine.into_trace(&Program::default());
        let printed: String = (trace.steps.iter())
            .map(|step| step.output.as_str())
            .collect();
        if printed.trim_end() != said.trim_end() {
            let name = source.lines().next().unwrap_or_default();
            wrong.push(format!("{name}: {printed:?}, not {said:?} {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Source text that is deep or long.
#[test]
fn no_source_ends_the_process() {
    let deep = |open: &str, middle: &str, close: &str, times: usize| {
        format!(
            "x = {}{middle}{}\n",
            open.repeat(times),
            close.repeat(times)
        )
    };
    let mut sources = Vec::new();
    for times in [90, 20_000] {
        sources.extend([
            deep("(", "1", ")", times),
            deep("[", "1", "]", times),
            deep("{1: ", "1", "}", times),
            deep("not ", "1", "", times),
            deep("-", "1", "", times),
            deep("lambda: ", "1", "", times),
            deep("1 if 1 else ", "1", "", times),
            deep("f(", "1", ")", times),
            deep("a[", "1", "]", times),
            deep("1 and ", "1", "", times),
            deep("1 or 0 and ", "1", "", times),
            deep("1 + ", "1", "", times),
            deep("1 ** ", "1", "", times),
            deep("'a' ", "'b'", "", times),
            deep("1 < ", "2", "", times),
            deep("", "a", ".b", times),
            deep("", "a", "[0]", times),
            deep("", "a", "()", times),
            deep("", "1", ", 2", times),
            deep("[y for y in ", "[1]", "]", times),
            deep("f'{", "1", "}'", times.min(100)),
            deep("(y := ", "1", ")", times),
            deep("*", "a", "", times),
            format!("def f():\n    pass\n{}\n", "x = 1; ".repeat(times)),
            format!("if 1: x = 1\n{}\n", "elif 2: x = 2\n".repeat(times)),
            format!(
                "{}x = 1\n",
                (0..times.min(2_000))
                    .map(|i| format!("{}if 1:\n", " ".repeat(i)))
                    .collect::<String>()
                    + &" ".repeat(times.min(2_000))
            ),
            format!("x = {}\n", "9".repeat(times)),
            format!("x = '{}'\n", "a".repeat(times * 10)),
            format!(
                "def f({}): pass\n",
                (0..times).map(|i| format!("a{i},")).collect::<String>()
            ),
            format!("{}def f(): pass\n", "@a\n".repeat(times)),
            format!(
                "match 1:\n    case {}1{}: pass\n",
                "[".repeat(times),
                "]".repeat(times)
            ),
            format!("x: {}int{} = 1\n", "list[".repeat(times), "]".repeat(times)),
            format!("global {}x\n", "x, ".repeat(times)),
            format!("try: pass\n{}", "except ValueError: pass\n".repeat(times)),
        ]);
    }
    let programs: Vec<Program> = sources.into_iter().map(program).collect();
    let traces = traces_of(&programs);
    for (trace, program) in traces.iter().zip(&programs) {
        let text = format!("{:?}", trace.outcome);
        let source = program.source.as_deref().unwrap();
        let shown: String = source.chars().take(60).collect();
        assert!(!text.contains("codexec itself"), "{text}\n{shown}");
    }
}

fn traces_of(programs: &[Program]) -> Vec<Trace> {
    let quick = Settings {
        max_instructions: 2_000_000,
        max_cpu: Duration::from_secs(2),
        max_memory: 256 << 20,
        ..settings()
    };
    let mut traces = vec![None; programs.len()];
    let done = plan_each(programs, &quick, &mut Nobody, |number, planned| {
        traces[number] = Some(planned.trace);
        ControlFlow::Continue(())
    });
    done.unwrap();
    traces.into_iter().flatten().collect()
}
