//! What a program does behind its last line, and past `sys.stdout`: `atexit`, `__del__`, descriptors.
#![allow(clippy::unwrap_used)]

use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program};

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

/// The output is what CPython prints into a file.
#[test]
fn what_is_written_to_the_descriptor_of_standard_output_is_output() {
    let pool = Pool::new(config()).unwrap();
    let source = "import os, sys\n\
        out = open(1, 'w')\n\
        print('a', file=out, flush=True)\n\
        os.fdopen(1, 'wb', 0).write(b'b\\n')\n\
        with open(sys.stdout.fileno(), 'w', closefd=False) as f: f.write('c\\n')\n\
        print('d', out.name, out.mode)\n\
        out.write('e\\n')\n\
        f = open('file', 'w')\n\
        f.write('not here')\n\
        f.close()\n";
    let trace = pool.run(&program(source)).unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(trace.output(), "a\nb\nc\nd 1 w\ne\n");
    assert_eq!(trace.steps[2].output, "a\n");
}

/// Each output is what CPython prints; those of 3.8 to 3.13 are the same.
#[test]
fn functions_of_atexit_run_when_the_program_has_ended() {
    let pool = Pool::new(config()).unwrap();
    let ended = "import atexit, threading\n\
        def bye(name):\n    print('bye', name)\n\
        def fails():\n    print('fails')\n    1 / 0\n\
        atexit.register(bye, 'Ann')\n\
        atexit.register(fails)\n\
        atexit.register(bye, name='Bob')\n\
        threading.Timer(0.1, bye, ('thread',)).start()\n\
        print('done')\n";
    let output = "done\nbye thread\nbye Bob\nfails\nbye Ann\n";
    let trace = pool.run(&program(ended)).unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(trace.output(), output);
    assert_eq!(trace.steps.last().unwrap().line, 3);
    for (end, is_end) in [
        ("int('x')", "raised"),
        ("raise SystemExit(3)", "exited"),
        ("import os; os._exit(4)", "left at once"),
    ] {
        let source =
            format!("import atexit\natexit.register(print, 'bye')\nprint('done')\n{end}\n");
        let trace = pool.run(&program(&source)).unwrap();
        let (rest, matches) = match is_end {
            "raised" => (
                "bye\n",
                matches!(trace.outcome, Outcome::Raised { line: 4, .. }),
            ),
            "exited" => ("bye\n", matches!(trace.outcome, Outcome::Exited { .. })),
            _ => ("", matches!(trace.outcome, Outcome::Exited { .. })),
        };
        assert!(matches, "{end}: {:?}", trace.outcome);
        assert_eq!(trace.output(), format!("done\n{rest}"), "{end}");
    }
    let endless =
        "import atexit\n@atexit.register\ndef f():\n    n = 0\n    while True:\n        n += 1\n";
    let trace = pool.run(&program(endless)).unwrap();
    assert!(
        matches!(trace.outcome, Outcome::StepLimit),
        "{:?}",
        trace.outcome
    );
}

/// The order is that of CPython, of 3.8 to 3.13.
#[test]
fn objects_that_are_left_are_finalised() {
    let pool = Pool::new(config()).unwrap();
    let class = "class A:\n\
        \x20   def __init__(self, name, other=None): self.name, self.other = name, other\n\
        \x20   def __del__(self): print('del', self.name, limit)\n";
    let source = format!(
        "import gc\n{class}gc.get_objects = gc.get_referents = None\nlimit = 3\nb = A('b')\n\
         pair = [A('first'), A('outer', A('inner'))]\n\
         kept = {{'k': A('kept', b)}}\ndel b\nA('gone')\nprint('end')\n"
    );
    let trace = pool.run(&program(&source)).unwrap();
    assert_eq!(trace.outcome, Outcome::Finished);
    let order = ["outer", "first", "kept", "inner", "b"].map(|name| format!("del {name} 3\n"));
    assert_eq!(
        trace.output(),
        format!("del gone 3\nend\n{}", order.concat())
    );
    let endless = "class A:\n    def __del__(self):\n        n = 0\n        while True:\n            n += 1\na = A()\n";
    let trace = pool.run(&program(endless)).unwrap();
    assert_eq!(trace.outcome, Outcome::StepLimit);
}
