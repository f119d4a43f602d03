//! Programs that share a child: same traces as alone, whatever one of them does.
#![allow(clippy::unwrap_used)]

use codexec_data::sandbox::{Limits, Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program};

fn pool() -> Pool {
    Pool::new(PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    })
    .unwrap()
}

fn programs(sources: &[&str]) -> Vec<Program> {
    let made = sources.iter().enumerate().map(|(k, source)| Program {
        id: k.to_string(),
        source: Some((*source).into()),
        stdin: (k % 3 == 1).then(|| format!("{k}\n")),
        ..Program::default()
    });
    made.collect()
}

/// Each leaves something behind that the next ones would see, or ends in its own way.
const UNTIDY: &[&str] = &[
    "import math, random\nmath.pi = 3\nrandom.seed(1)\nx = random.random()\n",
    "import math, random\nx = (math.pi, random.random())\nimport sys\ny = sys.stdin.read()\n",
    "import sys\nsys.setrecursionlimit(50)\nsys.stdout = None\nsys.argv = []\n",
    "import sys\nx = (sys.getrecursionlimit(), sys.argv)\nprint(x)\n",
    "len = None\n__builtins__.len = None\n__builtins__.extra = 1\n",
    "x = len('ab')\ntry:\n    extra\nexcept NameError:\n    y = 'fresh'\n",
    "import builtins\nbuiltins.print = None\n",
    "print(open(0).read())\n",
    "print(open(0).read())\nx = input()\n",
    "import sys\nsys.stdin.close()\n",
    "import sys\nx = sys.stdin.read()\n",
    "x = 1 // 0\n",
    "x = (\n",
    "def f(n):\n    return f(n + 1)\nf(0)\n",
    "import sys\nx = []\nwhile True:\n    x.append(1)\n",
    "import json as j, colorsys\nj.dumps = None\ncolorsys.x = 1\n",
    "import json, colorsys\nx = json.dumps([1])\ny = hasattr(colorsys, 'x')\n",
    "import time, datetime\nx = time.time()\ntime.sleep(5)\ny = str(datetime.datetime.now())\n",
    "import time\nx = time.time()\n",
    "import string\nstring.digits = ''\ndel string.punctuation\n",
    "import string\nx = string.digits + string.punctuation\n",
    "from collections import Counter, OrderedDict, deque\nx = Counter('abca')\ny = deque(x)\n",
    "class A:\n    def __del__(self):\n        print('late')\na = A()\nb = [a]\nb.append(b)\n",
    "def g():\n    try:\n        yield 1\n    finally:\n        print('late')\nx = g()\nnext(x)\n",
    "raise SystemExit(3)\n",
    "import threading\nt = threading.Thread(target=print, args=(1,))\nt.start()\nt.join()\n",
    "x = {i: {j for j in range(3)} for i in range(3)}\nprint(x)\n",
];

#[test]
fn traces_in_a_shared_child_are_those_alone() {
    let pool = pool();
    let all = programs(UNTIDY);
    let together = pool.run_family(&all).unwrap();
    assert_eq!(together.len(), all.len());
    for (program, shared) in all.iter().zip(&together) {
        let alone = pool.run(program).unwrap().short();
        assert_eq!(*shared, alone, "{}", program.source.as_deref().unwrap());
    }
    let value = |k: usize, name: &str| together[k].steps.last().unwrap().state.get(name).cloned();
    assert_eq!(value(3, "x").unwrap().text, "(1000, ['prog.py'])");
    assert_eq!(value(5, "y").unwrap().text, "'fresh'");
}

#[test]
fn an_abnormal_end_costs_the_others_nothing() {
    let pool = pool();
    let all = programs(&[
        "x = 0\nprint(x)\n",
        "exec('import os; os._ex' + 'it(0)')\n",
        "x = 2\nprint(x)\n",
        "sum(iter(int, 1))\n",
        "x = 4\nprint(x)\n",
        "x = bytearray(1 << 33)\n",
        "while True:\n    pass\n",
        "while True:\n    try:\n        x = 1\n    except BaseException:\n        pass\n",
        "x = 8\nprint(x)\n",
        "import ctypes\nctypes.string_at(0)\n",
        "while True:\n    print('x' * 100000)\n",
        "x = 11\nprint(x)\n",
    ]);
    let traces = pool.run_family(&all).unwrap();
    for k in [0, 2, 4, 8, 11] {
        assert_eq!(traces[k].outcome, Outcome::Finished, "{k}");
        assert_eq!(traces[k].output(), format!("{k}\n"));
        assert_eq!(traces[k].program, all[k]);
    }
    assert_eq!(traces[1].outcome, Outcome::Finished);
    assert_eq!(traces[3].outcome, Outcome::Timeout);
    assert_eq!(traces[5].outcome, Outcome::MemoryLimit);
    assert_eq!(traces[6].outcome, Outcome::StepLimit);
    assert_eq!(traces[7].outcome, Outcome::StepLimit);
    assert!(matches!(&traces[9].outcome, Outcome::Killed { why } if why == "signal 11"));
    assert_eq!(traces[10].outcome, Outcome::OutputLimit);
}

#[test]
fn a_large_family_is_answered_in_order() {
    let pool = pool();
    let sources: Vec<String> = (0..300).map(|k| format!("x = {k}\n")).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let traces = pool.run_family(&programs(&sources)).unwrap();
    let values = traces.iter().map(|t| &t.steps[0].state);
    for (k, state) in values.enumerate() {
        assert_eq!(state.get("x").unwrap().text, k.to_string());
    }
    assert_eq!(traces.len(), 300);
    assert!(pool.run_family(&[]).unwrap().is_empty());
}

/// The programs the tracer is tested with: between them they use most of the language.
#[test]
fn the_tracers_programs_are_traced_alike_alone_and_together() {
    let mut paths: Vec<_> = std::fs::read_dir("tests/programs")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    paths.sort();
    assert!(paths.len() > 10);
    let sources: Vec<String> = paths
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let all = programs(&sources);
    let pool = pool();
    for (k, shared) in pool.run_family(&all).unwrap().iter().enumerate() {
        let alone = pool.run(&all[k]).unwrap().short();
        assert_eq!(*shared, alone, "{}", paths[k].display());
    }
}

/// Most memory that any process below this one ever held, in bytes.
#[cfg(target_os = "linux")]
fn peak_below() -> usize {
    let number = |text: &str, key: &str| -> Option<usize> {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let texts = entries.filter_map(|e| std::fs::read_to_string(e.path().join("status")).ok());
    let all: Vec<(usize, usize, usize)> = texts
        .filter_map(|t| {
            let peak = number(&t, "VmHWM:")?;
            Some((number(&t, "Pid:")?, number(&t, "PPid:")?, peak << 10))
        })
        .collect();
    let mut below = vec![std::process::id() as usize];
    let mut peak = 0;
    while let Some(parent) = below.pop() {
        for (pid, _, memory) in all.iter().filter(|(_, p, _)| *p == parent) {
            peak = peak.max(*memory);
            below.push(*pid);
        }
    }
    peak
}

/// 120 MB of results: a worker that kept them all until the last would hold as much.
#[test]
#[cfg(target_os = "linux")]
fn a_worker_sends_large_results_as_they_come() {
    let pool = pool();
    let sources: Vec<String> = (0..64)
        .map(|k| format!("x = {k}\nprint(str(x % 10) * 1900000)\n"))
        .collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let traces = pool.run_family(&programs(&sources)).unwrap();
    for (k, trace) in traces.iter().enumerate() {
        let output = trace.output();
        assert_eq!(trace.outcome, Outcome::Finished, "{k}");
        assert_eq!(output.len(), 1_900_001, "{k}");
        assert!(output.starts_with(&(k % 10).to_string()), "{k}");
    }
    let peak = peak_below();
    assert!((1 << 20..100 << 20).contains(&peak), "{peak} bytes");
}

#[test]
fn a_family_whose_first_member_dies_is_not_run() {
    let pool = pool();
    let spins = "x = sum(range(10 ** 12))\n";
    let family = programs(&[spins, "x = 1\n", spins]);
    let traces = pool.run_brief(&family, true).unwrap();
    assert_eq!(traces.len(), 1);
    assert_eq!(traces[0].outcome, Outcome::Timeout);
    // An exception or a limit of steps is no reason, nor is what the others do.
    for first in ["1 / 0\n", "while True:\n    pass\n", "x = 2\n"] {
        let traces = pool
            .run_brief(&programs(&[first, "x = 1\n", spins, "x = 3\n"]), true)
            .unwrap();
        let ended: Vec<bool> = traces
            .iter()
            .map(|t| t.outcome == Outcome::Finished)
            .collect();
        assert_eq!(ended[1..], [true, false, true], "{first}");
        assert_eq!(traces[2].outcome, Outcome::Timeout);
    }
}

/// What a busy machine may not change: a program that needs three tenths of its CPU time comes to its
/// end, although it gets a fifth of a core, and the core runs more slowly than when the time was
/// measured; one that never ends does not, and one that waits for what never comes is not waited for.
#[test]
fn cpu_time_decides_on_a_busy_machine() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let limit = std::time::Duration::from_millis(500);
    let pool = Pool::new(PoolConfig {
        workers: 1,
        limits: Limits {
            cpu: limit,
            wall: limit,
            ..Limits::default()
        },
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    })
    .unwrap();
    let source = |rounds: u64| format!("x = sum(i for i in range({rounds}))\n");
    let ends = |rounds: u64| {
        let all = programs(&["y = 1\n", &source(rounds), "y = 2\n"]);
        let traces = pool.run_brief(&all, false).unwrap();
        assert_eq!(traces[2].outcome, Outcome::Finished);
        traces[1].outcome == Outcome::Finished
    };
    let mut rounds = 100_000;
    while ends(rounds * 5 / 4) {
        rounds = rounds * 5 / 4;
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..4 * std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let found: Vec<bool> = (0..3).map(|k| ends(rounds * 3 / 10 + k)).collect();
        let endless = ends(rounds * 100);
        let waits = programs(&["import queue\nqueue.Queue().get()\n"]);
        let waited = pool.run_brief(&waits, false).unwrap();
        done.store(true, Ordering::Relaxed);
        assert_eq!(found, [true; 3]);
        assert!(!endless);
        assert_eq!(waited[0].outcome, Outcome::Timeout);
    });
}

/// Where only programs that come to their end are of use, these have the same traces, and the others
/// the same outcomes and no steps.
#[test]
fn programs_that_finish_are_the_same_when_others_are_not_kept() {
    let pool = pool();
    let mut sources = UNTIDY.to_vec();
    sources.extend([
        "while True:\n    x = 1\n",
        "while True:\n    try:\n        x = 1\n    except:\n        x = 2\n",
        "while True:\n    print('x' * 100000)\n",
        "import math\nmath.pi = 3\nfor i in range(2000):\n    len = i\n",
        "import math\nx = (math.pi, len('abc'))\n",
        "def f(n):\n    yield n\n    yield from f(n + 1)\nfor x in f(0):\n    pass\n",
        "x = input() if False else 1\nfor i in range(3):\n    x **= i\nprint(x, 2 ** -1, 2.5 ** 3)\n",
        "s = '2 ** 3'  # 2 ** 3\nx = (2 **\n  x if False else 3 ** 2)\nprint(s, f'{x ** 2}', True ** 3)\n",
        "def f(*a, **k):\n    return k\nx = f(**{'a': 2 ** 3})\n",
        "class A:\n    def __pow__(self, n):\n        self.n = type(n) is int\n        return n\nx = A() ** 3\n",
        "x = 'a' ** 2\n",
        "from fractions import Fraction\nx = Fraction(1, 3) ** 4\ny = (-8) ** 2 ** 2\n",
        "x = [\n",
        "last = 'program'\n",
    ]);
    let all = programs(&sources);
    let kept = pool.run_brief(&all, false).unwrap();
    let brief = pool.run_finishing(&all, false).unwrap();
    for (kept, brief) in kept.iter().zip(&brief) {
        let source = kept.program.source.as_deref().unwrap();
        match &kept.outcome {
            Outcome::Finished | Outcome::Raised { .. } | Outcome::SyntaxError { .. } => {
                assert_eq!(kept, brief, "{source}");
            }
            // It runs into both limits.
            Outcome::OutputLimit | Outcome::TraceLimit if brief.outcome == Outcome::StepLimit => {}
            // A run that is not kept has no steps to tell the two by.
            Outcome::TraceLimit => assert_eq!(brief.outcome, Outcome::OutputLimit, "{source}"),
            outcome => {
                assert_eq!(*outcome, brief.outcome, "{source}");
                assert!(brief.steps.is_empty());
            }
        }
    }
    let limited = |k: usize| &brief[UNTIDY.len() + k].outcome;
    assert_eq!(*limited(0), Outcome::StepLimit);
    assert_eq!(*limited(1), Outcome::StepLimit);
    assert_eq!(*limited(5), Outcome::StepLimit);
}

#[test]
fn a_power_that_explodes_ends_at_once_where_only_the_finished_are_kept() {
    let pool = Pool::new(PoolConfig {
        workers: 1,
        limits: Limits {
            cpu: std::time::Duration::from_secs(100),
            wall: std::time::Duration::from_secs(100),
            ..Limits::default()
        },
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    })
    .unwrap();
    let explosive = [
        "n = 10 ** 9\nx = 7 ** n\n",
        "n = 10 ** 9\nx = 3\nx **= n\n",
        "x = 2 ** 10 ** 21\n",
        "x = 3\nwhile True:\n    x = x ** 2\n",
        "def f(a, b=2 ** 10):\n    return (a + 1) ** b ** b\ntry:\n    f(5)\nexcept:\n    pass\n",
    ];
    let mut sources = explosive.to_vec();
    sources.push("x = 2 ** 1000\n");
    let begun = std::time::Instant::now();
    let traces = pool.run_finishing(&programs(&sources), false).unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_secs(50));
    for trace in &traces[..explosive.len()] {
        let source = trace.program.source.as_deref().unwrap();
        assert_eq!(trace.outcome, Outcome::Timeout, "{source}");
    }
    assert_eq!(traces[explosive.len()].outcome, Outcome::Finished);
}
