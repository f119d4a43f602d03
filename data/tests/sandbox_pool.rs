//! Programs through the pool: traces, outcomes, families, and the layers.
#![allow(clippy::unwrap_used)]

use codexec_data::sandbox::{Layer, Limits, Pool, PoolConfig, SandboxError};
use codexec_data::trace::{Engine, Origin, Outcome, Program, Trace, delta, delta_text};

fn config() -> PoolConfig {
    PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    }
}

fn program(source: &str) -> Program {
    Program {
        id: "t".into(),
        source: Some(source.into()),
        stdin: None,
        ..Program::default()
    }
}

fn value(trace: &Trace, name: &str) -> String {
    let last = trace.steps.iter().rev().find_map(|s| s.state.get(name));
    last.map_or_else(|| "<unbound>".into(), |v| v.text.to_string())
}

#[test]
fn runs_programs_and_reports_isolation() {
    let pool = Pool::new(config()).unwrap();
    println!("{}", pool.isolation());
    pool.isolation().minimum().unwrap();
    let trace = pool.run(&program("x = 1\nprint(x + 1)\n")).unwrap();
    assert_eq!(trace.engine, Engine::Run);
    assert_eq!(trace.python.as_deref(), Some(&*pool.isolation().version));
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(trace.output(), "2\n");
    assert_eq!(value(&trace, "x"), "1");
    assert_eq!(
        trace.program.source.as_deref(),
        Some("x = 1\nprint(x + 1)\n")
    );
}

#[test]
fn maps_every_ending() {
    let limits = Limits {
        memory: 256 << 20,
        ..Limits::default()
    };
    let pool = Pool::new(PoolConfig { limits, ..config() }).unwrap();
    let outcome = |source: &str| pool.run(&program(source)).unwrap().outcome;
    assert_eq!(
        outcome("x = 1\ny = x // 0\n"),
        Outcome::Raised {
            file: 0,
            exception: "ZeroDivisionError".into(),
            message: "integer division or modulo by zero".into(),
            line: 2,
            step: Some(1),
        }
    );
    assert!(matches!(
        outcome("x = (\n"),
        Outcome::SyntaxError { line: 1, .. }
    ));
    assert_eq!(outcome("while True:\n    pass\n"), Outcome::StepLimit);
    assert_eq!(
        outcome("while True:\n    print('x' * 100000)\n"),
        Outcome::OutputLimit
    );
    assert_eq!(outcome("x = bytearray(1 << 30)\n"), Outcome::MemoryLimit);
    assert_eq!(outcome("sum(iter(int, 1))\n"), Outcome::Timeout);
    let died = Outcome::Killed {
        why: "signal 11".into(),
    };
    assert_eq!(outcome("import ctypes\nctypes.string_at(0)\n"), died);
    assert_eq!(outcome("import os\nos._exit(0)\n"), Outcome::Finished);
    assert_eq!(outcome("x = 1\n"), Outcome::Finished);
}

/// The steps made before a program is stopped are kept, the line that it was stopped in included.
#[test]
fn a_program_that_is_stopped_has_its_steps() {
    let pool = Pool::new(config()).unwrap();
    for stop in [
        "sum(iter(int, 1))",
        "__import__('ctypes').string_at(0)",
        "__import__('os')._exit(0)",
    ] {
        let source = format!("x = '\\ud800'\nprint(7)\nfor y in range(3):\n    z = y\n{stop}\n");
        let stopped = program(&source);
        for traces in [
            vec![pool.run(&stopped).unwrap()],
            pool.run_family(&[program("x = 1\n"), stopped.clone()])
                .unwrap(),
        ] {
            let trace = traces.last().unwrap();
            let lines: Vec<u32> = trace.steps.iter().map(|s| s.line).collect();
            assert_eq!(
                lines,
                [1, 2, 3, 4, 3, 4, 3, 4, 3, 5],
                "{stop} {:?}",
                trace.outcome
            );
            assert!(matches!(
                trace.outcome,
                Outcome::Timeout | Outcome::Killed { .. } | Outcome::Finished
            ));
            assert_eq!(trace.output(), "7\n");
            assert_eq!(value(trace, "z"), "2");
            trace.check().unwrap();
        }
    }
    for first in ["sum(iter(int, 1))\n", "while True: pass\n"] {
        let trace = pool.run(&program(first)).unwrap();
        assert_eq!(trace.outcome, Outcome::Timeout);
        let lines: Vec<u32> = trace.steps.iter().map(|s| s.line).collect();
        assert_eq!(lines, [1], "{first}");
    }
    let inside = "def f(n):\n    x = n\n    sum(iter(int, 1))\nf(1)\n";
    let trace = pool.run(&program(inside)).unwrap();
    let last = trace.steps.last().unwrap();
    assert_eq!((last.line, last.function.as_str(), last.depth), (3, "f", 1));
    assert_eq!(value(&trace, "x"), "1");
    trace.check().unwrap();
}

#[test]
fn an_exception_may_have_no_name() {
    let pool = Pool::new(config()).unwrap();
    let trace = pool.run(&program("x = 1\nraise type('', (Exception,), {})('m')\n"));
    let trace = trace.unwrap();
    let want = Outcome::Raised {
        file: 0,
        exception: String::new(),
        message: "m".into(),
        line: 2,
        step: Some(1),
    };
    assert_eq!(trace.outcome, want);
    assert_eq!(value(&trace, "x"), "1");
    let text = delta_text::render(&delta(&trace).unwrap());
    let read = delta_text::parse(&text, Engine::Run, Program::default(), Origin::Observed);
    assert_eq!(read.unwrap().outcome, want);
}

#[test]
fn gives_standard_input_by_every_way_to_read_it() {
    let pool = Pool::new(config()).unwrap();
    for source in [
        "s = input() + input()\n",
        "import sys\ns = sys.stdin.read().replace('\\n', '')\n",
        "s = ''.join(open(0).read().split())\n",
        "import os\ns = os.read(0, 100).decode().replace('\\n', '')\n",
    ] {
        let mut given = program(source);
        given.stdin = Some("ä\nb\n".into());
        let trace = pool.run(&given).unwrap();
        assert_eq!(value(&trace, "s"), "'äb'", "{source}: {:?}", trace.outcome);
        // The next one has its own input, or none.
        let after = pool.run(&program("import sys\ns = sys.stdin.read()\n"));
        assert_eq!(value(&after.unwrap(), "s"), "''");
    }
}

const FIXED: &str = "import time, random, datetime, os, uuid, secrets, threading\n\
    a = (time.time(), time.perf_counter(), time.strftime('%Y'))\n\
    b = (random.random(), random.Random().random(), random.SystemRandom().random())\n\
    c = str(datetime.datetime.now())\n\
    d = (os.urandom(4), str(uuid.uuid4()), secrets.token_hex(4))\n\
    e = (os.getpid(), hash('abc'), os.cpu_count(), sorted(os.environ))\n\
    time.sleep(1000)\n\
    f = time.monotonic()\n";

#[test]
fn the_world_is_the_same_on_every_run() {
    let pools = [Pool::new(config()).unwrap(), Pool::new(config()).unwrap()];
    let first = pools[0].run(&program(FIXED)).unwrap();
    assert_eq!(first.outcome, Outcome::Finished, "{first:?}");
    assert!(value(&first, "c").starts_with("'2020-01-01"));
    for pool in &pools {
        pool.run(&program("import random\nx = random.random()\n"))
            .unwrap();
        assert_eq!(pool.run(&program(FIXED)).unwrap(), first);
    }
}

#[test]
fn an_event_loop_sleeps_without_waiting() {
    let pool = Pool::new(config()).unwrap();
    let source = "import asyncio\nasync def f():\n    await asyncio.sleep(3600)\n    return 7\n\
        x = asyncio.run(f())\n";
    let trace = pool.run(&program(source)).unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(value(&trace, "x"), "7");
}

/// What a program prints.
fn printed(trace: &Trace) -> String {
    trace
        .steps
        .iter()
        .map(|step| step.output.as_str())
        .collect()
}

#[test]
fn files_are_in_memory() {
    let pool = Pool::new(config()).unwrap();
    let source = "import json, os, pathlib, shutil, tempfile\n\
        with open('a.txt', 'w') as f:\n    f.write('one\\ntwo\\n')\n\
        with open('a.txt', 'a') as f:\n    print('three', file=f)\n\
        with open('a.txt') as f:\n    lines = [line.strip() for line in f]\n\
        os.makedirs('data/deep')\n\
        json.dump({'k': [1]}, pathlib.Path('data', 'deep', 'x.json').open('w'))\n\
        read = json.loads(pathlib.Path('data/deep/x.json').read_text())\n\
        names = sorted(os.listdir()), [r for r, _, _ in os.walk('data')], os.path.getsize('a.txt')\n\
        with tempfile.TemporaryDirectory() as d:\n    open(d + '/t', 'wb').write(b'1')\n    there = os.listdir(d)\n\
        shutil.copytree('data', 'copy')\n\
        seen = os.stat('copy')\n\
        kinds = type(seen.st_mtime).__name__, seen.st_mtime_ns > 0, type(os.scandir()).__name__\n\
        os.rename('a.txt', 'data/b.txt')\n\
        gone = os.path.exists('a.txt'), os.path.exists(d), open('data/b.txt', 'rb').read(3)\n\
        open('/usr/x', 'w')\n";
    for _ in 0..2 {
        let trace = pool.run(&program(source)).unwrap();
        let raised = matches!(&trace.outcome, Outcome::Raised { exception, .. } if exception == "OSError" || exception == "PermissionError");
        assert!(raised, "{:?}", trace.outcome);
        assert_eq!(value(&trace, "lines"), "['one', 'two', 'three']");
        assert_eq!(value(&trace, "read"), "{'k': [1]}");
        assert_eq!(
            value(&trace, "names"),
            "(['a.txt', 'data'], ['data', 'data/deep'], 14)"
        );
        assert_eq!(value(&trace, "there"), "['t']");
        assert_eq!(value(&trace, "kinds"), "('float', True, 'ScandirIterator')");
        assert_eq!(value(&trace, "gone"), "(False, False, b'one')");
    }
    // The next program has none of them.
    let trace = pool.run(&program("open('a.txt')\n")).unwrap();
    let raised = matches!(&trace.outcome, Outcome::Raised { exception, .. } if exception == "FileNotFoundError");
    assert!(raised, "{:?}", trace.outcome);
}

#[test]
fn threads_take_turns() {
    let pool = Pool::new(config()).unwrap();
    let sleepers = "import threading, time\n\
        def work(n):\n    print('begins', n)\n    time.sleep(n * 1000)\n    print('ends', n)\n\
        all = [threading.Thread(target=work, args=(n,)) for n in (3, 1, 2)]\n\
        for t in all: t.start()\n\
        all[0].join(1500)\n\
        print([t.is_alive() for t in all])\n\
        for t in all: t.join()\n";
    let slept = "begins 3\nbegins 1\nbegins 2\nends 1\n[True, False, True]\nends 2\nends 3\n";
    let queue = "import threading, queue\n\
        q = queue.Queue(2)\n\
        def give():\n    for i in range(5): q.put(i); print('put', i)\n    q.put(None)\n\
        def take():\n    while (i := q.get()) is not None: print('got', i)\n\
        a, b = threading.Thread(target=give), threading.Thread(target=take)\n\
        a.start(); b.start(); a.join(); b.join()\n\
        try: q.get(timeout=1000)\nexcept queue.Empty: print('empty')\n";
    let given = "put 0\nput 1\ngot 0\ngot 1\nput 2\nput 3\ngot 2\ngot 3\nput 4\ngot 4\nempty\n";
    let workers = "import time\nfrom concurrent.futures import *\n\
        def f(n): time.sleep(n * 1000); return n\n\
        pool = ThreadPoolExecutor(2)\n\
        print([g.result() for g in as_completed([pool.submit(f, n) for n in (3, 1, 1)])])\n";
    let events = "import asyncio, time\n\
        def f(): time.sleep(2000); return 7\n\
        async def main(): print(await asyncio.gather(asyncio.to_thread(f), asyncio.sleep(1000, 8)))\n\
        asyncio.run(main())\n";
    for (source, output) in [
        (sleepers, slept),
        (queue, given),
        (workers, "[1, 1, 3]\n"),
        (events, "[7, 8]\n"),
    ] {
        let trace = pool.run(&program(source)).unwrap();
        assert_eq!(trace.outcome, Outcome::Finished, "{source}");
        assert_eq!(printed(&trace), output, "{source}");
    }
    let stuck = "import threading\na = threading.Lock()\na.acquire()\na.acquire()\n";
    let trace = pool.run(&program(stuck)).unwrap();
    assert_eq!(trace.outcome, Outcome::Timeout);
}

#[test]
fn refuses_below_the_minimum_unless_told_otherwise() {
    let without = [Layer::Namespaces, Layer::Landlock];
    let error = Pool::without_layers(config(), &without).err().unwrap();
    let text = error.to_string();
    assert!(
        matches!(error, SandboxError::TooLittleIsolation { .. }),
        "{text}"
    );
    assert!(text.contains("no Landlock (switched off)") && text.contains("--unsafe-no-sandbox"));
    let error = Pool::without_layers(config(), &[Layer::Seccomp])
        .err()
        .unwrap();
    assert!(error.to_string().contains("no seccomp"), "{error}");
    let accepted = PoolConfig {
        unsafe_no_sandbox: true,
        ..config()
    };
    let pool = Pool::without_layers(accepted, &Layer::ALL).unwrap();
    assert!(pool.isolation().in_force.is_empty());
    let trace = pool.run(&program("x = 1\n")).unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    let ended = pool.run(&program("sum(iter(int, 1))\n")).unwrap().outcome;
    assert_eq!(ended, Outcome::Timeout);
}

#[test]
fn says_when_the_launcher_is_none() {
    let wrong = PoolConfig {
        launcher: Some("/bin/echo".into()),
        ..config()
    };
    let error = Pool::new(wrong).err().unwrap();
    assert!(error.to_string().contains("launcher_hook"), "{error}");
}

#[test]
fn threads_share_a_pool() {
    let pool = Pool::new(PoolConfig {
        workers: 2,
        ..config()
    })
    .unwrap();
    std::thread::scope(|scope| {
        for k in 0..6 {
            let pool = &pool;
            scope.spawn(move || {
                let trace = pool.run(&program(&format!("x = {k} * 2\n"))).unwrap();
                assert_eq!(value(&trace, "x"), (k * 2).to_string());
            });
        }
    });
}

#[test]
fn standard_input_comes_whole_or_not_at_all() {
    let pool = Pool::new(config()).unwrap();
    let source = "import sys\nx = len(sys.stdin.read())\n";
    let fed = |length: usize| Program {
        stdin: Some("a".repeat(length)),
        ..program(source)
    };
    let most = 16 << 20;
    let traces = pool
        .run_family(&[program("x = 1\n"), fed(most + 1), fed(most)])
        .unwrap();
    let refused = Outcome::Killed {
        why: "standard input of more than 16777216 bytes".into(),
    };
    assert_eq!(value(&traces[0], "x"), "1");
    assert_eq!(traces[1].outcome, refused);
    assert_eq!(value(&traces[2], "x"), most.to_string());
    assert_eq!(pool.run(&fed(most + 1)).unwrap().outcome, refused);
    assert_eq!(pool.run_fresh(&fed(most + 1)).unwrap().outcome, refused);
}

#[test]
fn names_of_every_kind_cost_no_trace() {
    let pool = Pool::new(config()).unwrap();
    let trace = pool
        .run(&program(
            "globals().update({'\\ud800': 2, '\\ud801': 3, 1: 4})\nx = 1\n",
        ))
        .unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(value(&trace, "\\ud800"), "2");
    assert_eq!(value(&trace, "\\ud801"), "3");
    let many = |count: usize| {
        let source =
            format!("x = 1\nglobals().update({{'n%d' % k: 1 for k in range({count})}})\ny = 2\n");
        pool.run(&program(&source)).unwrap()
    };
    assert_eq!(many(4094).outcome, Outcome::Finished);
    let cut = many(4096);
    assert_eq!(cut.outcome, Outcome::TraceLimit);
    assert_eq!(value(&cut, "x"), "1");
}

#[test]
fn functions_of_the_clock_are_no_methods_of_classes() {
    let pool = Pool::new(config()).unwrap();
    // `logging` has one in a class.
    let source = "import io, logging, time\n\
        class Watch:\n    now = time.perf_counter\n    parts = time.gmtime\n\
        a = (Watch().now() < 1, Watch().parts(0).tm_year)\n\
        s = io.StringIO()\n\
        logging.basicConfig(stream=s, format='%(asctime)s %(message)s', level=logging.INFO)\n\
        logging.info('x')\n\
        b = s.getvalue()\n";
    let trace = pool.run(&program(source)).unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(value(&trace, "a"), "(True, 1970)");
    let logged = value(&trace, "b");
    assert!(
        logged.starts_with("'2020-01-01 00:00:00,0") && logged.ends_with(" x\\n'"),
        "{logged}"
    );
}
