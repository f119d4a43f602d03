//! Runs untrusted programs in a real Python, and returns their behaviour as traces.
//!
//! A pool of long-lived workers, each a Python that forks one child per program. Around each worker,
//! as far as the machine supports them: namespaces, a file tree with only the interpreter, Landlock,
//! a system call filter, limits, no capabilities; around each child a second filter. No root, no
//! setuid file, no daemon. Seccomp and (Landlock or a private file tree) are the minimum: with less,
//! [`Pool::new`] refuses. [`Isolation`] lists the active layers.
//!
//! | module | what |
//! |---|---|
//! | `pool`, `limits` | workers, queueing, retries; what a program may use |
//! | `guide` | programs that miss values: plan and report |
//! | `attempt` | programs with a prefix: plan and report |
//! | `worker`, `payload` | what is said between driver and worker; reading what children wrote |
//! | `start`, `stage` | how a worker comes to be |
//! | `script` | its program: the files of `data/python/sandbox` |
//! | `files`, `syscalls` | what programs can see and call |
//! | `python` | finding the interpreter |
//! | `packages`, `traced` | what can be imported, and which files are traced |
//!
//! # What this does not stop
//!
//! - A hole in the kernel behind one of the remaining system calls (files, memory, threads, clocks).
//! - A program falsifying its *own* trace: tracer and program share an interpreter, and a program that
//!   walks frames, `gc` or memory can find the records. It harms no other program's trace, except in
//!   [`Pool::run_family`], whose programs are not isolated from each other.
//! - A program reading, in its own memory, remains of programs that ran before it in the same worker
//!   ([`Pool::run_fresh`] is without them).
//! - Learning about the machine what needs no permission: CPU features, timing through ctypes or the
//!   time-stamp counter, kernel version, amount of memory, and, without namespaces, the host's name
//!   and the sizes and dates of files with known names (no Landlock covers `stat` yet).
//! - Using all of its limits: each of them holds for one program, not for all together. The machine
//!   must bear pools times workers times memory.
//! - Timing attacks between processes on one core.
//!
//! # Installed packages
//!
//! There are none unless [`PoolConfig::packages`] requests them: then directories of packages are readable like the
//! standard library, never writable, and last on the search path. No `.pth` file is followed, links out of them lead
//! nowhere, and no system call is added: `numpy`, `scipy` and `sympy` work with those above. Their extension modules
//! are native code that runs in the child, under the same filters as everything there. If some installed packages are
//! named, the others can also be read, but `import` does not find them. Directories of modules ([`Packages::paths`])
//! are shown likewise, and searched before the standard library, only in the child.
//!
//! # What stays different from run to run
//!
//! Clocks, randomness, hash seed, environment and process numbers are fixed. Addresses (`id()`, the
//! default `repr`) are not entirely: they depend on what ran before.

mod attempt;
mod error;
#[cfg(target_os = "linux")]
mod files;
mod guide;
mod isolation;
mod limits;
mod packages;
mod payload;
mod pool;
mod python;
mod script;
#[cfg(target_os = "linux")]
mod stage;
mod start;
#[cfg(target_os = "linux")]
mod syscalls;
mod traced;
mod worker;

pub use attempt::{Asked, AttemptPlan, Attempted, Raised};
pub use error::SandboxError;
pub use guide::{
    Compared, Effect, GuideClass, GuidePlace, GuidePlan, GuideValue, GuideWish, GuidedRun,
    Injected, Learnt, MadeCall, MadeResult, Picked, World,
};
pub use isolation::{Isolation, Layer, Missing};
pub use limits::Limits;
pub use packages::Packages;
pub use pool::{Pool, PoolConfig};
pub use start::use_launcher;
pub use traced::Traced;

/// Directory of the standard library of the Python that runs programs, and its version; `asked` selects another than
/// the default.
///
/// # Errors
/// If no suitable Python is found.
pub fn standard_library(
    asked: Option<&std::path::Path>,
) -> Result<(std::path::PathBuf, String), SandboxError> {
    let python = python::Interpreter::find(asked, &Packages::default())?;
    let library = python
        .library
        .iter()
        .find(|place| place.join("os.py").is_file());
    let library = library
        .cloned()
        .ok_or_else(|| SandboxError::UnsuitablePython {
            path: python.executable.clone(),
            why: "its standard library is not in files".to_owned(),
        })?;
    Ok((library, python.version))
}

/// The Python that runs programs, and its version; `asked` selects another than the default.
///
/// # Errors
/// If no suitable Python is found.
pub fn interpreter(
    asked: Option<&std::path::Path>,
) -> Result<(std::path::PathBuf, String), SandboxError> {
    let python = python::Interpreter::find(asked, &Packages::default())?;
    Ok((python.executable, python.version))
}

/// The directories of packages that programs would see with this interpreter and these packages.
///
/// # Errors
/// If no suitable Python is found, or a directory is not one of packages.
pub fn directories(
    asked: Option<&std::path::Path>,
    packages: &Packages,
) -> Result<Vec<std::path::PathBuf>, SandboxError> {
    let python = python::Interpreter::find(asked, packages)?;
    Ok(python.packages.into_iter().chain(python.named).collect())
}

/// What [`Pool::modules`] of a pool with this interpreter and these packages would be.
///
/// # Errors
/// If no suitable Python is found, or a directory is not one of packages.
pub fn modules(
    asked: Option<&std::path::Path>,
    packages: &Packages,
) -> Result<std::collections::BTreeSet<String>, SandboxError> {
    let python = python::Interpreter::find(asked, packages)?;
    Ok(python.importable())
}

/// Begins the message of a stage that gives up, so that the driver can tell it from an accident.
const MINIMUM: &str = "minimum: ";

/// Must be the first line of `main` in every binary that uses a [`Pool`] without naming another
/// launcher: the pool starts that binary again to become the sandbox. Returns at once, or never.
pub fn launcher_hook() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != start::STAGE) {
        return;
    }
    let rest: Vec<String> = arguments
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    std::process::exit(run_stage(&rest));
}

#[cfg(target_os = "linux")]
fn run_stage(arguments: &[String]) -> i32 {
    match arguments {
        [which, plan] => stage::become_stage(which, plan),
        _ => 1,
    }
}

#[cfg(not(target_os = "linux"))]
fn run_stage(_: &[String]) -> i32 {
    1
}
