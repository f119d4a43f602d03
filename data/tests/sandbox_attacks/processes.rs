//! Attacks on other processes, and what is left of our own.

use super::*;

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
            .args(["--exact", "processes::driver_to_be_killed", "--nocapture"])
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
