//! One attack per test, under every layer and under Landlock and seccomp alone. Each asserts that
//! nothing got out, by what is seen from outside, and that the next program is run as if nothing
//! had happened.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

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
    attack(
        "import sys, itertools\nsys.stdout.writelines(itertools.repeat('x' * 1000))\n",
        |trace| {
            let ended = &trace.outcome;
            assert!(
                matches!(
                    ended,
                    Outcome::Timeout | Outcome::MemoryLimit | Outcome::OutputLimit
                ),
                "{ended:?}"
            );
        },
    );
    attack(
        "import os\nexec('while True: os.write(1, b\"x\" * 65536)')\n",
        |trace| assert_eq!(trace.outcome, Outcome::Timeout),
    );
    attack(
        "x = ['x' * 500] * 256\ny = [x] * 256\nz = [y] * 256\n",
        |trace| {
            assert_eq!(trace.outcome, Outcome::OutputLimit);
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
        "import sys\nsys.settrace(None)\nx = 2\n",
        "import sys\nx = 1\nsys._getframe().f_trace = None\ny = 2\n",
        "import sys\ndef f():\n    sys._getframe().f_trace = None\n    y = 2\nf()\nx = 2\n",
        "import sys\ndef f():\n    sys._getframe().f_trace_lines = False\n    y = 2\nf()\nx = 2\n",
    ] {
        attack(source, |trace| killed(trace, "tampered with the tracer"));
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
fn killing_the_parent() {
    // The process numbers that `os` gives are made up: ask the kernel.
    let prelude = "import os, signal, ctypes\nlibc = ctypes.CDLL(None)\n\
        pid, parent = libc.getpid(), libc.getppid()\n";
    all_refused(
        prelude,
        &[
            "os.kill(parent, signal.SIGKILL)",
            "os.kill(parent, signal.SIGSTOP)",
            "os.kill(1, signal.SIGKILL)",
            "os.kill(-1, signal.SIGKILL)",
            "os.killpg(0, signal.SIGKILL)",
            "os.kill(pid, signal.SIGSTOP)",
            "signal.pidfd_send_signal(os.pidfd_open(parent), signal.SIGKILL)",
            "os.setsid()",
            "os.setpgid(0, 0)",
            "1 // (libc.syscall(234, parent, parent, 9) == 0)",
            "1 // (libc.ptrace(16, parent, 0, 0) == 0)",
            "1 // (libc.prctl(1, 0, 0, 0, 0) == 0)",
        ],
    );
}

/// A directory of the machine with a secret in it, world-readable: only the sandbox protects it.
struct Canary {
    home: tempfile::TempDir,
    file: PathBuf,
}

const SECRET: &str = "canary-5b1f";

impl Canary {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let open = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(home.path(), open.clone()).unwrap();
        std::fs::create_dir(home.path().join(".ssh")).unwrap();
        let file = home.path().join(".ssh/id_ed25519");
        std::fs::write(&file, SECRET).unwrap();
        std::fs::set_permissions(&file, open).unwrap();
        Self { home, file }
    }

    /// Everything there is to see of the directory.
    fn look(&self) -> HashMap<PathBuf, (String, u32, std::time::SystemTime)> {
        use std::os::unix::fs::PermissionsExt;
        let mut seen = HashMap::new();
        for dir in [self.home.path().to_owned(), self.home.path().join(".ssh")] {
            for entry in std::fs::read_dir(dir).unwrap() {
                let entry = entry.unwrap();
                let about = std::fs::symlink_metadata(entry.path()).unwrap();
                let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
                let mode = about.permissions().mode();
                seen.insert(entry.path(), (text, mode, about.modified().unwrap()));
            }
        }
        seen
    }
}

#[test]
fn writing_outside() {
    let canary = Canary::new();
    let before = canary.look();
    let file = format!("{:?}", canary.file);
    let new = format!("{:?}", canary.home.path().join("new"));
    all_refused(
        &format!("import os\nfile, new = {file}, {new}\n"),
        &[
            "open(file, 'a').write('x')",
            "open(file, 'w')",
            "open(new, 'w')",
            "os.truncate(file, 0)",
            "os.unlink(file)",
            "os.rename(file, new)",
            "os.chmod(file, 0o600)",
            "os.chown(file, 1, 1)",
            "os.utime(file, (1, 1))",
            "os.setxattr(file, 'user.x', b'1')",
            "os.link(file, new)",
            "os.symlink(file, new)",
            "os.mkdir(new)",
            "os.mkfifo(new)",
            "os.mknod(new)",
            "open('/tmp/codexec-escaped', 'w')",
            "open('/dev/shm/codexec-escaped', 'w')",
            "open('/etc/codexec-escaped', 'w')",
            "open('codexec-escaped', 'w')",
            "open('/proc/self/mem', 'r+b')",
            "os.chroot('/')",
            "1 // (__import__('ctypes').CDLL(None).mount(b'x', b'/', b'tmpfs', 0, 0) == 0)",
        ],
    );
    assert_eq!(canary.look(), before);
    for dir in ["/tmp", "/dev/shm", "/etc", "/", "."] {
        assert!(!Path::new(dir).join("codexec-escaped").exists(), "{dir}");
    }
}

#[test]
fn reading_what_is_not_its_own() {
    let canary = Canary::new();
    assert_eq!(std::fs::read_to_string(&canary.file).unwrap(), SECRET);
    let file = format!("{:?}", canary.file);
    let home = format!("{:?}", canary.home.path());
    let real = std::env::var("HOME").unwrap_or_else(|_| "/root".into());
    all_refused(
        &format!("import os\nfile, home, real = {file}, {home}, {real:?}\n"),
        &[
            "open(file).read()",
            "os.open(file, os.O_RDONLY)",
            "os.listdir(home)",
            "os.listdir(home + '/.ssh')",
            "os.listdir(real + '/.ssh')",
            "open(real + '/.ssh/id_rsa').read()",
            "os.listdir(real)",
            "open('/etc/passwd').read()",
            "open('/etc/shadow').read()",
            "open('/proc/self/environ').read()",
            "open('/proc/1/environ').read()",
            "open('/proc/self/maps').read()",
            "open('/dev/tty')",
            "os.listdir('/etc')",
            "os.listdir('/proc')",
            "os.listdir('/home')",
            "os.open('/', os.O_RDONLY | os.O_PATH) and os.listdir('/root')",
        ],
    );
    // Nor is anything of the driver's environment there.
    let source = "import os, ctypes\nctypes.CDLL(None).getenv.restype = ctypes.c_char_p\n\
        print(sorted(os.environ), ctypes.CDLL(None).getenv(b'HOME'))\n";
    attack(source, |trace| {
        assert!(trace.output().ends_with("None\n") || trace.output().ends_with(" 0\n"));
        assert!(!trace.output().contains("HOME"), "{}", trace.output());
    });
}

#[test]
fn leaving_through_a_directory_of_packages() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let canary = Canary::new();
    let before = canary.look();
    let place = tempfile::tempdir().unwrap();
    let packages = place.path().join("packages");
    std::fs::create_dir(&packages).unwrap();
    let write = |name: &str, text: &str| {
        let file = packages.join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o777)).unwrap();
    };
    write("innocuous.py", "x = 7\n");
    write("tool", "#!/bin/sh\necho escaped\n");
    std::fs::set_permissions(&packages, std::fs::Permissions::from_mode(0o777)).unwrap();
    std::fs::write(place.path().join("beside.py"), "secret = 1\n").unwrap();
    symlink(&canary.file, packages.join("key")).unwrap();
    symlink(&canary.file, packages.join("linked.py")).unwrap();
    symlink(canary.home.path(), packages.join("home")).unwrap();
    symlink("..", packages.join("up")).unwrap();
    symlink("/etc", packages.join("etc")).unwrap();
    let config = || PoolConfig {
        packages: Packages {
            installed: false,
            directories: vec![packages.clone()],
        },
        ..config(Path::new(LAUNCHER))
    };
    let less = [Layer::Namespaces, Layer::FileTree];
    let pools = [
        Pool::new(config()).unwrap(),
        Pool::without_layers(config(), &less).unwrap(),
    ];
    attack_in(
        &pools,
        "import innocuous, datetime\nprint(innocuous.x, datetime.datetime.now().year)\n",
        |trace| assert_eq!(trace.output(), "7 2020\n", "what is not an attack works"),
    );
    let prelude = format!(
        "import os, sys\nat = {:?}\nfile, new = at + '/innocuous.py', at + '/new'\n\
         def first(path):\n    sys.path.insert(0, path)\n    return __import__('beside')\n",
        packages.canonicalize().unwrap()
    );
    all_refused_in(
        &pools,
        &prelude,
        &[
            "open(file, 'a').write('x')",
            "open(file, 'w')",
            "open(file, 'r+')",
            "open(new, 'w')",
            "os.truncate(file, 0)",
            "os.unlink(file)",
            "os.rename(file, new)",
            "os.chmod(file, 0o600)",
            "os.utime(file, (1, 1))",
            "os.setxattr(file, 'user.x', b'1')",
            "os.link(file, new)",
            "os.symlink(file, new)",
            "os.mkdir(new)",
            "os.execv(at + '/tool', ['tool'])",
            "os.posix_spawn(at + '/tool', ['tool'], {})",
            "open(at + '/key').read()",
            "__import__('linked')",
            "os.listdir(at + '/home')",
            "open(at + '/home/.ssh/id_ed25519').read()",
            "open(at + '/up/beside.py').read()",
            "open(at + '/../beside.py').read()",
            "first(at + '/up')",
            "open(at + '/etc/passwd').read()",
            "os.listdir(at + '/etc')",
        ],
    );
    assert_eq!(canary.look(), before);
    let text = std::fs::read_to_string(packages.join("innocuous.py")).unwrap();
    assert_eq!(text, "x = 7\n");
    assert!(!packages.join("new").exists() && !packages.join("__pycache__").exists());
    // Without being asked for, they are not there.
    attack("import innocuous\n", |trace| {
        let missing = matches!(&trace.outcome, Outcome::Raised { exception, .. } if exception == "ModuleNotFoundError");
        assert!(missing, "{:?}", trace.outcome);
    });
}

#[test]
fn opening_a_socket() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let (tcp_port, udp_port) = (
        tcp.local_addr().unwrap().port(),
        udp.local_addr().unwrap().port(),
    );
    all_refused(
        "import socket as s",
        &[
            &format!("s.create_connection(('127.0.0.1', {tcp_port}), 1)"),
            &format!("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp_port}))"),
            "s.socket(s.AF_INET6, s.SOCK_STREAM)",
            "s.socket(s.AF_UNIX, s.SOCK_STREAM)",
            "s.socket(s.AF_NETLINK, s.SOCK_RAW)",
            "s.socket(s.AF_PACKET, s.SOCK_RAW)",
            "s.create_server(('127.0.0.1', 0))",
            "s.getaddrinfo('example.org', 80)",
        ],
    );
    let none = std::io::ErrorKind::WouldBlock;
    assert_eq!(tcp.accept().unwrap_err().kind(), none);
    assert_eq!(udp.recv(&mut [0]).unwrap_err().kind(), none);
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

/// Parent and command line of every process of the machine.
fn processes() -> HashMap<u32, (u32, String)> {
    let mut all = HashMap::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        let mut fields = stat.rsplit(')').next().unwrap().split_whitespace();
        if fields.next() == Some("Z") {
            continue;
        }
        let parent = fields.next().unwrap().parse().unwrap();
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        all.insert(pid, (parent, line));
    }
    all
}

fn below(root: u32) -> Vec<u32> {
    let all = processes();
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() {
        let root = found[at];
        let children = all.iter().filter(|(_, (parent, _))| *parent == root);
        found.extend(children.map(|(pid, _)| *pid));
        at += 1;
    }
    found.remove(0);
    found
}

#[test]
fn nothing_is_left_running() {
    for (k, layers) in [&[][..], &[Layer::Namespaces, Layer::FileTree][..]]
        .into_iter()
        .enumerate()
    {
        // A limit that no other pool has marks every process of this one by its command line.
        let wall = Duration::from_micros(1_062_500 + k as u64);
        let mark = format!("\"wall\":{}", wall.as_secs_f64());
        let count = || {
            processes()
                .values()
                .filter(|(_, l)| l.contains(&mark))
                .count()
        };
        let marked = PoolConfig {
            limits: codexec_data::sandbox::Limits {
                wall,
                ..Default::default()
            },
            ..config(Path::new(LAUNCHER))
        };
        let pool = Pool::without_layers(marked, layers).unwrap();
        innocent(&pool);
        let before = count();
        assert!(before > 0);
        for source in [
            "import _thread\n_thread.start_new_thread(lambda: sum(iter(int, 1)), ())\n",
            "import signal\nsignal.signal(15, signal.SIG_IGN)\nsum(iter(int, 1))\n",
            "import os\nexec('try: os.fork()\\nexcept OSError: pass')\n",
        ] {
            pool.run(&program(source)).unwrap();
        }
        innocent(&pool);
        assert_eq!(count(), before);
        drop(pool);
        wait_for(|| (count() == 0).then_some(()));
    }
}

#[test]
fn a_killed_worker_is_replaced() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let wall = Duration::from_micros(60_062_503);
    let mark = format!("\"wall\":{}", wall.as_secs_f64());
    let workers = || {
        let all = processes().into_iter();
        let ours = all.filter(|(_, (_, line))| line.contains(&mark));
        ours.map(|(pid, _)| pid).collect::<Vec<u32>>()
    };
    let kill_all = || {
        for pid in workers() {
            let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
        }
    };
    let patient = PoolConfig {
        limits: codexec_data::sandbox::Limits {
            wall,
            ..Default::default()
        },
        ..config(Path::new(LAUNCHER))
    };
    let pool = Pool::new(patient).unwrap();
    innocent(&pool);
    kill_all();
    innocent(&pool);
    // In the middle of a program: again once, then it is held to be the program's doing.
    let blocked = program("import os\nr, w = os.pipe()\nos.read(r, 1)\n");
    std::thread::scope(|scope| {
        let trace = scope.spawn(|| pool.run(&blocked).unwrap());
        // The outer stage, the worker and its child; those of a life before may take a moment to go,
        // and a worker that is only starting is not to be hit.
        let dead = std::cell::RefCell::new(std::collections::HashSet::new());
        wait_for(|| {
            let mut dead = dead.borrow_mut();
            let alive: Vec<u32> = workers()
                .into_iter()
                .filter(|pid| !dead.contains(pid))
                .collect();
            if alive.len() >= 3 {
                kill_all();
                dead.extend(alive);
            }
            trace.is_finished().then_some(())
        });
        // Which of them the kernel ends first decides what the worker can still say.
        let outcome = trace.join().unwrap().outcome;
        let whys = ["its sandbox died with it, twice", "signal 9"];
        assert!(
            matches!(&outcome, Outcome::Killed { why } if whys.contains(&why.as_str())),
            "{outcome:?}"
        );
    });
    innocent(&pool);
    assert!(
        !pool.run_family(&[program("x = 1\n")]).unwrap()[0]
            .steps
            .is_empty()
    );
}

const DRIVER: &str = "CODEXEC_TEST_DRIVER";

/// Not a test of its own: the driver that the next test kills.
#[test]
fn driver_to_be_killed() {
    let Ok(layers) = std::env::var(DRIVER) else {
        return;
    };
    let layers: &[Layer] = match layers.as_str() {
        "all" => &[],
        _ => &[Layer::Namespaces, Layer::FileTree],
    };
    let patient = PoolConfig {
        limits: codexec_data::sandbox::Limits {
            wall: Duration::from_secs(600),
            cpu: Duration::from_secs(600),
            ..Default::default()
        },
        ..config(Path::new(LAUNCHER))
    };
    let pool = Pool::without_layers(patient, layers).unwrap();
    innocent(&pool);
    println!("ready");
    pool.run(&program("import os\nr, w = os.pipe()\nos.read(r, 1)\n"))
        .unwrap();
}

#[test]
fn everything_dies_with_the_driver() {
    use std::io::{BufRead, BufReader};
    for layers in ["all", "less"] {
        let mut driver = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "driver_to_be_killed", "--nocapture"])
            .env(DRIVER, layers)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(driver.stdout.take().unwrap());
        let ready = said.lines().any(|line| line.unwrap().contains("ready"));
        assert!(ready);
        // Worker and child; with namespaces the outer stage, too.
        let wanted = if layers == "all" { 3 } else { 2 };
        let found = wait_for(|| Some(below(driver.id())).filter(|f| f.len() >= wanted));
        driver.kill().unwrap();
        driver.wait().unwrap();
        wait_for(|| {
            let all = processes();
            (!found.iter().any(|pid| all.contains_key(pid))).then_some(())
        });
    }
}

/// Looks again and again until something is so; fails when it never comes to be.
fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it never came to be");
}

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
