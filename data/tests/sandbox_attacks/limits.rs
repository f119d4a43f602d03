//! Attacks on the machine: too much of everything.

use super::*;

#[test]
fn fork_bomb() {
    attack("import os\nwhile True:\n    os.fork()\n", |trace| {
        let Outcome::Raised {
            exception, step, ..
        } = &trace.outcome
        else {
            panic!("{:?}", trace.outcome);
        };
        assert_eq!(exception, "PermissionError");
        assert_eq!(*step, Some(2), "refused the first time");
    });
    all_refused(
        "import os, ctypes\nlibc = ctypes.CDLL(None)\ndef raw(*a):\n    if libc.syscall(*a) < 0: \
         raise OSError",
        &[
            "os.fork()",
            "os.forkpty()",
            "os.posix_spawn('/bin/true', ['true'], {})",
            "os.execv('/bin/true', ['true'])",
            "__import__('subprocess').run(['/bin/true'])",
            "raw(56, 17, 0, 0, 0, 0)",
            "raw(57)",
            "raw(58)",
            "raw(435, 0, 0)",
            "1 // (os.system('true') == 0)",
        ],
    );
}

#[test]
fn ten_gigabytes() {
    attack("x = bytearray(10 << 30)\n", |trace| {
        assert_eq!(trace.outcome, Outcome::MemoryLimit);
    });
    attack("x = list(range(10 ** 10))\n", |trace| {
        assert_eq!(trace.outcome, Outcome::MemoryLimit);
    });
    attack("x = 'ab'\nwhile True:\n    x = x + x\n", |trace| {
        // A busy machine takes its time to hand out a gigabyte.
        let ended = &trace.outcome;
        assert!(
            matches!(ended, Outcome::MemoryLimit | Outcome::Timeout),
            "{ended:?}"
        );
    });
    all_refused(
        "import mmap, os, resource",
        &[
            "mmap.mmap(-1, 8 << 30)",
            "os.ftruncate(os.memfd_create('x'), 4 << 30)",
            "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
            "resource.setrlimit(resource.RLIMIT_CPU, (99, 99))",
        ],
    );
}

#[test]
fn endless_loops() {
    attack("x = 0\nwhile True:\n    x += 1\n", |trace| {
        assert_eq!(trace.outcome, Outcome::StepLimit);
        assert_eq!(trace.steps.len(), 1024);
    });
    attack("x = sum(iter(int, 1))\n", |trace| {
        assert_eq!(trace.outcome, Outcome::Timeout);
    });
    attack("import re\nre.match('(a+)+$', 'a' * 50 + 'b')\n", |trace| {
        assert_eq!(trace.outcome, Outcome::Timeout);
    });
    attack(
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass\n",
        |trace| assert_eq!(trace.outcome, Outcome::StepLimit),
    );
}

#[test]
fn endless_output() {
    attack("while True:\n    print('x' * 100000)\n", |trace| {
        assert_eq!(trace.outcome, Outcome::OutputLimit);
        assert!(trace.output().len() < 4 << 20);
    });
    // All of it in one step.
    for source in [
        "import sys, itertools\nsys.stdout.writelines(itertools.repeat('x' * 1000))\n",
        "import os\nexec('while True: os.write(1, b\"x\" * 65536)')\n",
    ] {
        attack(source, |trace| {
            let ended = &trace.outcome;
            assert!(
                matches!(
                    ended,
                    Outcome::Timeout
                        | Outcome::MemoryLimit
                        | Outcome::OutputLimit
                        | Outcome::TraceLimit
                ),
                "{ended:?}"
            );
        });
    }
    attack(
        "x = ['x' * 500] * 256\ny = [x] * 256\nz = [y] * 256\n",
        |trace| {
            assert_eq!(trace.outcome, Outcome::TraceLimit);
        },
    );
}

#[test]
fn deep_recursion() {
    attack("def f(n):\n    return f(n + 1)\nf(0)\n", |trace| {
        let ended = &trace.outcome;
        assert!(
            matches!(ended, Outcome::StepLimit)
                || matches!(ended, Outcome::Raised { exception, .. } if exception == "RecursionError"),
            "{ended:?}"
        );
    });
    for source in [
        "import sys\nsys.setrecursionlimit(10 ** 9)\nx = []\n\
         exec('for i in range(10 ** 6): x = [x]')\nprint(len(repr(x)))\n",
        "import sys\nsys.setrecursionlimit(10 ** 9)\n\
         exec('class A:\\n def __getattr__(s, n): return getattr(s, n + \"a\")\\nA().x')\n",
        "exec('(' * 100000 + ')' * 100000)\n",
    ] {
        attack(source, |trace| {
            // It dies or is refused, depending on the interpreter; it never finishes.
            assert_ne!(trace.outcome, Outcome::Finished, "{source}");
        });
    }
}

#[test]
fn ignoring_signals() {
    let source = "import signal\nfor s in range(1, 65):\n    try:\n        \
        signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\n\
        sum(iter(int, 1))\n";
    attack(source, |trace| assert_eq!(trace.outcome, Outcome::Timeout));
}

#[test]
fn endless_threads() {
    let source = "import _thread, ctypes\nlibc = ctypes.CDLL(None)\nn = 0\n\
        exec('while True:\\n _thread.start_new_thread(libc.sleep, (1000,))\\n n += 1')\n";
    attack(source, |trace| {
        let ended = &trace.outcome;
        assert!(
            matches!(
                ended,
                Outcome::Raised { .. } | Outcome::MemoryLimit | Outcome::Timeout
            ),
            "{ended:?}"
        );
    });
    let lingering =
        "import _thread\n_thread.start_new_thread(lambda: sum(iter(int, 1)), ())\nx = 1\n";
    attack(lingering, |_| {});
}

#[test]
fn reading_for_ever() {
    let source = "import sys\nx = sys.stdin.read()\ny = open(0).read()\n";
    attack(source, |trace| {
        assert_eq!(trace.outcome, Outcome::Finished);
        let last = trace.steps.last().unwrap();
        assert_eq!(last.state.get("x").unwrap().text, "''");
    });
    attack("import os\nr, w = os.pipe()\nos.read(r, 1)\n", |trace| {
        assert_eq!(trace.outcome, Outcome::Timeout);
    });
}

/// Each finished program of a group buys the next one its time; the count is the child's own word.
#[test]
fn pretended_progress_buys_no_time() {
    let source = "import sys, struct\nf = sys._getframe()\nwhile True:\n    worker = \
                  f.f_locals.get('self')\n    if hasattr(worker, 'shared'):\n        break\n    \
                  f = f.f_back\nprint('found')\nexec('import select\\nn = 1\\nwhile True:\\n  \
                  worker.shared.map[:4] = struct.pack(\"<I\", n)\\n  n += 1\\n  \
                  select.poll().poll(100)')\n";
    attack(source, |trace| {
        // Given more than its own time, it would have been given up together with its worker.
        killed(trace, "no valid result");
    });
}
