//! The launcher's two stages between the driver and the interpreter.
//!
//! Outer stage: a new session, new namespaces, and the inner stage as process 1 in them. Inner stage:
//! file tree, no capabilities, limits, Landlock, system call filter, then the interpreter replaces
//! it. Both are this very binary, executed again: everything here is safe code, and nothing of the
//! driver's memory or descriptors reaches the interpreter. No root, no setuid.

use std::fs;
use std::io::Write;
use std::os::fd::RawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Command;

use nix::sched::{CloneFlags, unshare};
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use nix::sys::{personality, prctl, signal::Signal};
use nix::unistd::{Gid, Uid, getgid, getppid, getuid, setsid};

use super::isolation::Layer;
use super::start::{Plan, STAGE, worker_command};
use super::{MINIMUM, files, syscalls};

type Result<T> = std::result::Result<T, String>;

/// Most threads and processes of a program's user, where the kernel counts them by namespace.
const MOST_PROCESSES: u64 = 64;

/// Runs the stage named on the command line. Returns only with an error, after reporting it to the
/// driver.
pub(crate) fn become_stage(which: &str, plan: &str) -> i32 {
    let result = serde_json::from_str(plan)
        .map_err(|e| e.to_string())
        .and_then(|plan: Plan| match which {
            "outer" => outer(plan),
            "inner" => inner(plan),
            other => Err(format!("no stage `{other}`")),
        });
    match result {
        Ok(code) => code,
        Err(why) => {
            let why = why.as_bytes();
            let mut frame = b"ERR1".to_vec();
            frame.extend((why.len() as u32).to_le_bytes());
            frame.extend(why);
            // Nobody is left to notify if this fails.
            let _ = std::io::stdout().write_all(&frame);
            1
        }
    }
}

fn outer(mut plan: Plan) -> Result<i32> {
    close_inherited();
    // Process groups cross process namespaces: a signal to group 0 must not reach the driver.
    setsid().map_err(|e| format!("setsid: {e}"))?;
    let (user, group) = (getuid(), getgid());
    let entered = plan.wanted(Layer::Namespaces).and_then(|()| {
        unshare_all().map_err(|e| format!("the kernel does not let this user have them ({e})"))
    });
    if entered.is_ok() {
        map_ids(user, group).map_err(|e| format!("mapping the user: {e}"))?;
        plan.options.processes = MOST_PROCESSES;
    }
    plan.note(Layer::Namespaces, entered);
    die_with_parent()?;
    if getppid().as_raw() != plan.driver {
        return Err("the driver is gone".to_owned());
    }
    if !plan.options.report.has(Layer::Namespaces) {
        return inner(plan);
    }
    let text = serde_json::to_string(&plan).map_err(|e| e.to_string())?;
    let status = Command::new("/proc/self/exe")
        .args([STAGE, "inner", &text])
        .status()
        .map_err(|e| format!("starting the inner stage: {e}"))?;
    Ok(status.code().unwrap_or(128 + status.signal().unwrap_or(0)))
}

/// Inherited descriptors that the driver's parent left open. The driver's own are close-on-exec.
fn close_inherited() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else {
        return;
    };
    let open: Vec<RawFd> = entries
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open.into_iter().filter(|&d| d > 2) {
        // The one that listed them is already closed.
        let _ = nix::unistd::close(descriptor);
    }
}

fn unshare_all() -> nix::Result<()> {
    unshare(
        CloneFlags::CLONE_NEWUSER
            | CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS
            | CloneFlags::CLONE_NEWCGROUP
            | CloneFlags::CLONE_NEWNS,
    )
}

/// Inside, this user is 0; there are no others.
fn map_ids(user: Uid, group: Gid) -> std::io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("0 {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("0 {group} 1"))
}

fn die_with_parent() -> Result<()> {
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|e| format!("PR_SET_PDEATHSIG: {e}"))
}

fn inner(mut plan: Plan) -> Result<i32> {
    let namespaces = plan.options.report.has(Layer::Namespaces);
    die_with_parent()?;
    if namespaces {
        // A program that asks for the host's name gets the same everywhere.
        nix::unistd::sethostname("codexec").map_err(|e| format!("sethostname: {e}"))?;
    }
    let tree = match plan.wanted(Layer::FileTree) {
        Ok(()) if namespaces => {
            files::enter_tree(&plan.interpreter, plan.root.as_deref())?;
            Ok(())
        }
        Ok(()) => Err("it needs namespaces".to_owned()),
        Err(why) => Err(why),
    };
    plan.note(Layer::FileTree, tree);
    drop_capabilities(namespaces)?;
    let fixed = plan.wanted(Layer::FixedAddresses).and_then(|()| {
        personality::set(personality::Persona::ADDR_NO_RANDOMIZE)
            .map(drop)
            .map_err(|e| format!("personality: {e}"))
    });
    plan.note(Layer::FixedAddresses, fixed);
    let limited = plan.wanted(Layer::Limits).and_then(|()| limit());
    plan.note(Layer::Limits, limited);
    prctl::set_no_new_privs().map_err(|e| format!("PR_SET_NO_NEW_PRIVS: {e}"))?;
    let landlocked = plan
        .wanted(Layer::Landlock)
        .and_then(|()| files::landlock(&plan.interpreter, plan.root.as_deref()));
    plan.note(Layer::Landlock, landlocked);
    let filters = syscalls::filters().map_err(|e| e.to_string());
    let filtered = plan.wanted(Layer::Seccomp).and_then(|()| {
        let filters = filters?;
        for filter in &filters.worker {
            seccompiler::apply_filter(filter).map_err(|e| e.to_string())?;
        }
        Ok(syscalls::hex(&filters.child))
    });
    let filtered = filtered.map(|child| plan.options.filter = child);
    plan.note(Layer::Seccomp, filtered);
    die_with_parent()?;
    if !plan.unsafe_no_sandbox
        && let Err(missing) = plan.options.report.minimum()
    {
        return Err(format!("{MINIMUM}{missing}"));
    }
    Err(format!(
        "starting {}: {}",
        plan.interpreter.executable.display(),
        worker_command(&plan).exec()
    ))
}

fn drop_capabilities(must: bool) -> Result<()> {
    for set in [
        caps::CapSet::Bounding,
        caps::CapSet::Ambient,
        caps::CapSet::Inheritable,
        caps::CapSet::Effective,
        caps::CapSet::Permitted,
    ] {
        // An unprivileged user has none to drop and may not change the bounding set.
        if let Err(error) = caps::clear(None, set)
            && must
        {
            return Err(format!("dropping capabilities: {error}"));
        }
    }
    Ok(())
}

fn limit() -> Result<()> {
    const MIB: rlim_t = 1 << 20;
    for (resource, most) in [
        (Resource::RLIMIT_FSIZE, 16 * MIB),
        (Resource::RLIMIT_NOFILE, 64),
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_STACK, 8 * MIB),
        (Resource::RLIMIT_MEMLOCK, 0),
        (Resource::RLIMIT_MSGQUEUE, 0),
        (Resource::RLIMIT_SIGPENDING, 64),
    ] {
        let (_, allowed) = getrlimit(resource).map_err(|e| format!("reading {resource:?}: {e}"))?;
        let most = most.min(allowed);
        setrlimit(resource, most, most).map_err(|e| format!("setting {resource:?}: {e}"))?;
    }
    Ok(())
}
