//! Attacks on the tracer and on what is believed of its results.

use super::*;

#[test]
fn segfault_through_ctypes() {
    attack("import ctypes\nctypes.string_at(0)\n", |trace| {
        killed(trace, "signal 11");
    });
    attack("import os\nx = 1\nos.abort()\n", |trace| {
        assert_eq!(trace.steps.len(), 3);
        killed(trace, "signal 6");
    });
}

#[test]
fn switching_the_tracer_off() {
    for source in [
        "import sys\nx = 1\nsys._getframe().f_trace = None\ny = 2\n",
        "import sys\ndef f():\n    sys._getframe().f_trace = None\n    y = 2\nf()\nx = 2\n",
        "import sys\ndef f():\n    sys._getframe().f_trace_lines = False\n    y = 2\nf()\nx = 2\n",
    ] {
        attack(source, |trace| killed(trace, "tampered with the tracer"));
    }
    // Where there is nothing to switch off for a program, nothing is.
    attack("import sys\nsys.settrace(None)\nx = 2\n", |trace| {
        assert_eq!(trace.outcome, Outcome::Finished);
        assert_eq!(trace.steps.len(), 3);
    });
    for source in [
        "import sys\nx = sys.gettrace()\nsys.settrace(lambda *_: None)\ny = 2\n",
        "import threading\nthreading.settrace(lambda *_: None)\nthreading.Thread(target=print).start()\n",
    ] {
        attack(source, |trace| {
            let why = "it set a trace function of its own (sys.settrace), in place of the one that records the trace";
            killed(trace, why);
            assert!(trace.steps.len() >= 2);
        });
    }
}

#[test]
fn leaving_without_a_result() {
    attack("import os\nx = 1\nos._exit(0)\n", |trace| {
        assert_eq!(trace.outcome, Outcome::Finished);
        assert_eq!(trace.steps.len(), 3);
    });
    let exited = |code, text: &str| Outcome::Exited {
        code,
        text: text.to_owned(),
    };
    attack(
        "import os\nprint(1)\ndef f(): os._exit(7)\nf()\n",
        |trace| {
            assert_eq!((trace.output(), trace.steps.len()), ("1\n".to_owned(), 6));
            assert_eq!(trace.outcome, exited(7, ""));
        },
    );
    for (call, code, text) in [
        ("3", 3, ""),
        ("-1", 255, ""),
        ("True", 1, ""),
        ("'fatal'", 1, "fatal"),
        ("[1, 'a']", 1, "[1, 'a']"),
        ("object()", 1, ""),
    ] {
        attack(&format!("import sys\nsys.exit({call})\n"), |trace| {
            assert_eq!(trace.outcome, exited(code, text), "{call}");
        });
    }
    for call in ["", "0", "None", "False"] {
        attack(&format!("import sys\nsys.exit({call})\n"), |trace| {
            assert_eq!(trace.outcome, Outcome::Finished, "{call}");
        });
    }
    attack("import ctypes\nctypes.CDLL(None)._exit(7)\n", |trace| {
        killed(trace, "no valid result");
    });
}

/// What the tracer and the worker use is theirs, whatever the program puts in its place.
#[test]
fn replacing_builtins() {
    let source = "import builtins\nput = setattr\nfor name in dir(builtins):\n    if name[0] != '_':\n        \
        put(builtins, name, None)\nx = 1\n";
    attack(source, |trace| {
        assert_eq!(trace.outcome, Outcome::Finished);
        assert_eq!(
            trace.steps.last().unwrap().state.get("x"),
            Some(&Value::observed("1"))
        );
    });
    attack(
        "import builtins\ndef mine(*a): pass\nbuiltins.print = mine\nprint(1)\n",
        |trace| {
            assert_eq!(trace.outcome, Outcome::Finished);
        },
    );
}

/// The limit counts the program's frames, and what is traced goes on behind the error.
#[test]
fn a_low_recursion_limit() {
    for limit in [2, 15, 40, 200] {
        let set = format!("import sys\nsys.setrecursionlimit({limit})\n");
        let f = "def f(n):\n    return f(n + 1)\n";
        attack(&format!("{set}{f}f(2)\n"), |trace| {
            let Outcome::Raised {
                exception,
                line,
                step,
                ..
            } = &trace.outcome
            else {
                panic!("{limit}: {:?}", trace.outcome);
            };
            let line_of_step = trace.steps[step.unwrap() as usize].line;
            assert_eq!(exception, "RecursionError");
            let deepest = trace.steps.iter().map(|s| s.depth).max().unwrap();
            assert_eq!(deepest + 1, limit);
            assert_eq!((*line, line_of_step), (4, 4));
            trace.check().unwrap();
        });
        let caught =
            format!("{set}{f}try:\n    f(2)\nexcept RecursionError as e:\n    print(e)\nx = 1\n");
        attack(&caught, |trace| {
            assert_eq!(trace.outcome, Outcome::Finished, "{limit}");
            assert_eq!(trace.output(), "maximum recursion depth exceeded\n");
            assert_eq!(trace.steps.last().unwrap().line, 9);
        });
    }
}

#[test]
fn tampering_with_records_through_gc() {
    let source = "import gc\nfor o in gc.get_objects():\n    \
        if type(o) is list and o and type(o[0]) is list: o.clear()\n    \
        if type(o) is dict and 'status' in o: o.clear()\nx = 2\n";
    attack(source, |_| {});
    let frames = "import sys, os\nf = sys._getframe()\nwhile f:\n    \
        for v in list(f.f_locals.values()):\n        if type(v) is list: v[:] = [[9] * 9] * 9\n    \
        f = f.f_back\n";
    attack(frames, |trace| assert_ne!(trace.outcome, Outcome::Timeout));
    let poisoned = "import json, struct, os, sys, builtins\njson.JSONEncoder.encode = None\n\
        struct.pack = None\nbuiltins.type = None\nsys.stdout = None\nos._exit = print\nx = 1\n";
    attack(poisoned, |_| {});
}

#[test]
fn writing_to_descriptors_of_the_driver() {
    use nix::fcntl::{FcntlArg, FdFlag, fcntl};
    use std::os::fd::AsRawFd;
    // As a shell leaves one open with `3>file`: it passes through every program that is executed.
    let file = tempfile::NamedTempFile::new().unwrap();
    fcntl(file.as_file(), FcntlArg::F_SETFD(FdFlag::empty())).unwrap();
    let fd = file.as_file().as_raw_fd();
    let open = Command::new("sh")
        .args(["-c", &format!("test -e /proc/self/fd/{fd}")])
        .status();
    assert!(open.unwrap().success(), "it is inherited");
    let source = "import os\nfound = []\nexec('for fd in range(3, 1024):\\n try:\\n  \
        os.write(fd, b\"x\"); found.append(fd)\\n except OSError: pass')\nprint(found)\n";
    for layers in [&[][..], &[Layer::Namespaces, Layer::FileTree][..]] {
        let pool = Pool::without_layers(config(Path::new(LAUNCHER)), layers).unwrap();
        let trace = pool.run(&program(source)).unwrap();
        assert_eq!(trace.output(), "[]\n");
        innocent(&pool);
    }
    assert_eq!(std::fs::read(file.path()).unwrap(), b"");
}

#[test]
fn forging_results() {
    // To every descriptor there is.
    let everywhere = "import os, struct\nfor fd in range(64):\n    try:\n        \
        os.write(fd, b'\\x0b\\0\\0\\0\\0\\0\\0\\0\\0\\x02\\0\\0\\0{}' * 64)\n    \
        except OSError:\n        pass\nimport ctypes\nctypes.CDLL(None)._exit(0)\n";
    attack(everywhere, |trace| killed(trace, "no valid result"));
    // To the memory through which it answers, found by walking frames.
    let found = "import sys, os, struct\nf = sys._getframe()\nwhile 'self' not in f.f_locals or \
        not hasattr(f.f_locals['self'], 'shared'):\n    f = f.f_back\n\
        m = f.f_locals['self'].shared.map\n";
    for forged in [
        "struct.pack('<II', 1, 0xffffffff)",
        "struct.pack('<I', 0xffffffff) * 1000",
        "struct.pack('<II', 1, len(m) - 7)",
        "struct.pack('<II', 1, 100000) + b'[' * 100000",
        "struct.pack('<II', 1, 2) + b'{}'",
        "struct.pack('<II', 1, 4) + b'\\xff' * 4",
    ] {
        let source = format!(
            "{found}data = {forged}\nm[:len(data)] = data\nimport ctypes\n\
            ctypes.CDLL(None)._exit(0)\n"
        );
        attack(&source, |trace| killed(trace, "no valid result"));
    }
}

// -- processes ----------------------------------------------------------------------------------

/// What a program before it sent is gone from the map when a program looks there.
#[test]
fn earlier_results_are_not_there_to_read() {
    let source = "import sys\nf = sys._getframe()\nwhile True:\n    worker = \
                  f.f_locals.get('self')\n    if hasattr(worker, 'shared'):\n        break\n    \
                  f = f.f_back\nprint('found', b'left' + b' behind' in worker.shared.map[:65536])\n";
    for pool in pools() {
        // Far enough in for the steps of the next program not to cover it.
        let before = "print('-' * 9000 + 'left behind')\n";
        assert!(
            pool.run(&program(before))
                .unwrap()
                .output()
                .ends_with("left behind\n")
        );
        let trace = pool.run(&program(source)).unwrap();
        assert_eq!(trace.output(), "found False\n", "{:?}", trace.outcome);
    }
}
