//! What the interpreter does for a program at odd moments: alarms, hooks, breakpoints, databases, logs. The outputs are
//! those of CPython 3.11.
#![allow(clippy::unwrap_used)]

use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program, Trace};

fn pools() -> Vec<Pool> {
    let config = || PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    };
    let mut found = vec![Pool::new(config()).unwrap()];
    // Every other interpreter that is there.
    let listed = std::env::var_os("HOME").map(|h| std::path::Path::new(&h).join(".pyenv/versions"));
    for entry in listed
        .and_then(|v| std::fs::read_dir(v).ok())
        .into_iter()
        .flatten()
        .flatten()
    {
        let python = entry.path().join("bin/python3");
        let config = PoolConfig {
            python: Some(python),
            ..config()
        };
        found.extend(Pool::new(config));
    }
    found
}

fn run_in(pool: &Pool, source: &str, stdin: Option<&str>) -> Trace {
    let program = Program {
        id: "t".into(),
        source: Some(source.into()),
        stdin: stdin.map(Into::into),
        ..Program::default()
    };
    pool.run(&program).unwrap()
}

/// Runs a program under every interpreter.
fn each(source: &str, stdin: Option<&str>, check: impl Fn(&Trace, &str)) {
    for pool in pools() {
        let version = &pool.isolation().version;
        check(
            &run_in(&pool, source, stdin),
            &format!("{version}: {source}"),
        );
    }
}

fn prints(source: &str, output: &str) {
    each(source, None, |trace, told| {
        assert_eq!(
            trace.outcome,
            Outcome::Finished,
            "{told}\n{}",
            trace.output()
        );
        assert_eq!(trace.output(), output, "{told}");
    });
}

#[test]
fn an_alarm_comes_in_the_order_of_the_clock() {
    let head = "import signal, time, threading, queue\nlog = []\n\
        def ring(n, f): log.append((n, f.f_lineno, f.f_code.co_name)); print('ring', len(log))\n\
        class Late(Exception): pass\n\
        def late(n, f): raise Late\n\
        signal.signal(signal.SIGALRM, ring)\n";
    let sleeps = "print(signal.alarm(3), signal.alarm(1))\n\
        def wait():\n    time.sleep(2)\n\
        wait()\nprint(log, signal.alarm(0))\n\
        print(signal.setitimer(signal.ITIMER_REAL, 0.5, 0.4))\n\
        time.sleep(1.5)\n\
        print(len(log), [round(x, 1) for x in signal.setitimer(signal.ITIMER_REAL, 0)])\n\
        signal.alarm(1)\nsignal.pause()\nprint('paused', len(log))\n";
    prints(
        &format!("{head}{sleeps}"),
        "0 3\nring 1\n[(14, 9, 'wait')] 0\n(0.0, 0.0)\nring 2\nring 3\nring 4\n4 [0.2, 0.4]\nring 5\npaused 5\n",
    );
    let raises = "signal.signal(signal.SIGALRM, late)\nsignal.alarm(1)\n\
        try:\n    time.sleep(5); print('slept')\nexcept Late: print('late')\n\
        signal.alarm(2)\n\
        try:\n    end = time.time() + 3\n    while time.time() < end: time.sleep(0.1)\n    print('waited')\n\
        except Late: print('late again')\n\
        signal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.000001)\n\
        time.sleep(10 ** 6)\nprint('ignored')\n";
    prints(&format!("{head}{raises}"), "late\nlate again\nignored\n");
    let threads = "signal.signal(signal.SIGALRM, late)\nq = queue.Queue()\n\
        def work():\n    time.sleep(0.3); q.put(1); time.sleep(2); q.put(2); print('done')\n\
        t = threading.Thread(target=work); t.start()\nsignal.alarm(1)\n\
        try:\n    while True: print(q.get())\nexcept Late: print('late')\n\
        print(q.get())\nt.join()\n\
        lock = threading.Lock(); lock.acquire()\n\
        signal.signal(signal.SIGALRM, lambda *a: print('tick'))\n\
        signal.setitimer(signal.ITIMER_REAL, .2, .2)\nprint(lock.acquire(timeout=0.5))\n\
        signal.setitimer(signal.ITIMER_REAL, 0)\n\
        signal.signal(signal.SIGALRM, lambda *a: lock.release())\n\
        signal.alarm(1)\nprint(lock.acquire(), lock.locked())\n";
    prints(
        &format!("{head}{threads}"),
        "1\nlate\ndone\n2\ntick\ntick\nFalse\nTrue True\n",
    );
    let computes = "signal.signal(signal.SIGALRM, late)\nsignal.setitimer(signal.ITIMER_REAL, 0.2)\n\
        try:\n    sum(i for i in iter(int, 1))\nexcept Late: print('late')\n";
    prints(&format!("{head}{computes}"), "late\n");
    each(
        "import signal, time\nsignal.alarm(1)\ntime.sleep(3)\nprint('never')\n",
        None,
        |trace, told| {
            let why = "signal 14".to_owned();
            assert_eq!(trace.outcome, Outcome::Killed { why }, "{told}");
        },
    );
}

#[test]
fn the_hook_for_exceptions_is_called() {
    let hook = "import sys, atexit\natexit.register(print, 'bye')\n\
        def hook(t, v, tb): print('hook', t.__name__, v, tb.tb_lineno, tb.tb_frame.f_code.co_name)";
    let raised = |kind: &str| {
        let kind = kind.to_owned();
        move |trace: &Trace, told: &str| match &trace.outcome {
            Outcome::Raised {
                exception, step, ..
            } => {
                assert_eq!(*exception, kind, "{told}");
                let raising = &trace.steps[step.unwrap() as usize];
                assert!([5, 6].contains(&raising.line), "{told}");
            }
            other => panic!("{told}: {other:?}"),
        }
    };
    let source = format!("{hook}\nsys.excepthook = hook\nraise ValueError('x')\n");
    each(&source, None, |trace, told| {
        raised("ValueError")(trace, told);
        assert_eq!(
            trace.output(),
            "hook ValueError x 5 <module>\nbye\n",
            "{told}"
        );
    });
    let source = format!("{hook}; 1 / 0\nsys.excepthook = hook\nraise KeyError(1)\n");
    each(&source, None, |trace, told| {
        raised("KeyError")(trace, told);
        assert_eq!(
            trace.output(),
            "hook KeyError 1 5 <module>\nbye\n",
            "{told}"
        );
    });
    let source = format!("{hook}; sys.exit(3)\nsys.excepthook = hook\nraise KeyError(1)\n");
    each(&source, None, |trace, told| {
        let exited = matches!(trace.outcome, Outcome::Exited { code: 3, .. });
        assert!(exited, "{told}: {:?}", trace.outcome);
    });
    let source = format!("{hook}\nsys.excepthook = hook\nsys.exit()\n");
    prints(&source, "bye\n");
}

#[test]
fn a_breakpoint_reads_one_command() {
    let source = "x = 1\ndef f(a):\n    breakpoint()\n    return a\nprint(f(x) + 1)\n";
    for input in ["", "q\n"] {
        each(source, Some(input), |trace, told| {
            let quit = matches!(&trace.outcome, Outcome::Raised { exception, line: 3, .. } if exception == "BdbQuit");
            assert!(quit, "{told}: {:?}", trace.outcome);
            let shown = "> /prog.py(3)f()\n-> breakpoint()\n(Pdb) ";
            assert_eq!(trace.output().trim_end_matches('\n'), shown, "{told}");
        });
    }
    let traced =
        "import pdb\nx = int(input())\nfor i in range(2):\n    pdb.set_trace()\nprint(x + 1)\n";
    each(traced, Some("5\nc\ncontinue\n"), |trace, told| {
        assert_eq!(trace.outcome, Outcome::Finished, "{told}");
        assert!(trace.output().ends_with("(Pdb) 6\n"), "{told}");
    });
}

#[test]
fn names_of_the_interpreter_are_those_of_a_script() {
    prints(
        "print(__spec__, __package__, __cached__, __doc__, __name__)\nimport os\nprint(os.getloadavg())\n",
        "None None None None __main__\n(0.0, 0.0, 0.0)\n",
    );
    let source = "ns = {'a': 1}\nexec('b = a + 1', ns)\nd = {'__builtins__': 3}\ncopied = [dict(ns)]\nprint(len(ns))\n";
    each(source, None, |trace, told| {
        let last = &trace.steps.last().unwrap().state;
        let shown = ["ns", "d", "copied"].map(|name| last.get(name).unwrap().text.as_str());
        let wanted = [
            "{'a': 1, 'b': 2}",
            "{'__builtins__': 3}",
            "[{'a': 1, 'b': 2}]",
        ];
        assert_eq!(shown, wanted, "{told}");
        assert_eq!(trace.output(), "3\n", "{told}");
    });
}

#[test]
fn modules_that_write_files_find_them_again() {
    prints(
        "import logging\nlogging.basicConfig(filename='app.log', level=logging.INFO)\nlogging.info('x')\n",
        "",
    );
    prints(
        "import logging, zipfile, gzip, configparser, shelve\n\
         log = logging.getLogger('q')\nlog.addHandler(logging.FileHandler('b.log'))\nlog.warning('hey')\n\
         print(repr(open('b.log').read()))\n\
         with zipfile.ZipFile('z.zip', 'w') as z: z.writestr('a.txt', 'hello')\n\
         print(zipfile.ZipFile('z.zip').read('a.txt'), zipfile.is_zipfile('z.zip'))\n\
         with gzip.GzipFile('g.gz', 'w') as g: g.write(b'abc')\n\
         print(gzip.GzipFile('g.gz').read(), configparser.ConfigParser().read('none.ini'))\n\
         with shelve.open('sh') as s: s['a'] = [1]\n\
         with shelve.open('sh') as s: print(dict(s))\n",
        "'hey\\n'\nb'hello' True\nb'abc' []\n{'a': [1]}\n",
    );
    prints(
        "import os\npath = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'out.txt')\n\
         with open(path, 'w') as f: f.write('hello')\nprint(open('out.txt').read())\n",
        "hello\n",
    );
}

#[test]
fn a_database_lasts_as_long_as_its_file() {
    prints(
        "import sqlite3, os\n\
         c = sqlite3.connect('x.db')\n\
         print(os.listdir('.'), os.path.getsize('x.db'))\n\
         with c:\n\
         \x20   c.execute('create table t (a integer primary key, b text)')\n\
         \x20   c.executemany('insert into t (b) values (?)', [('x',), ('y',)])\n\
         d = sqlite3.connect('/x.db', timeout=0.1)\n\
         print(d.execute('select * from t').fetchall())\n\
         c.execute('insert into t (b) values (1)')\n\
         try: d.execute('delete from t')\n\
         except sqlite3.OperationalError as e: print(e)\n\
         c.rollback(); c.close(); d.close()\n\
         e = sqlite3.connect(database='x.db')\n\
         print(e.execute('select count(*) from t').fetchone())\n\
         e.close()\nos.remove('x.db')\n\
         e = sqlite3.connect(b'x.db')\n\
         try: e.execute('select * from t')\n\
         except sqlite3.OperationalError as e: print(e)\n\
         m = sqlite3.connect(':memory:')\n\
         print(m.execute('select 1').fetchall(), os.path.exists(':memory:'))\n\
         for path in '/etc/x.db', 'none/x.db':\n\
         \x20   try: sqlite3.connect(path)\n\
         \x20   except sqlite3.OperationalError as e: print(e)\n",
        "['x.db'] 0\n[(1, 'x'), (2, 'y')]\ndatabase is locked\n(2,)\nno such table: t\n[(1,)] False\n\
         unable to open database file\nunable to open database file\n",
    );
}
