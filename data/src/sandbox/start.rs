//! Starts a worker: its configuration, and its stages.
//!
//! On Linux the launcher binary is executed with [`STAGE`] as its first argument and becomes the
//! sandbox. Elsewhere, and only when the caller accepts it, the interpreter is started bare.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::isolation::{Isolation, Layer, Missing};
use super::payload::MOST_NAMES;
use super::python::Interpreter;
use super::script::LOADER;
use super::{PoolConfig, SandboxError, Traced};

/// First argument of a binary that is to become a stage of the sandbox.
pub(crate) const STAGE: &str = "--codexec-sandbox-stage";

/// The default launcher of pools.
static LAUNCHER: OnceLock<PathBuf> = OnceLock::new();

/// Sets the default launcher binary of pools. For programs that cannot call [`launcher_hook`](super::launcher_hook)
/// first, such as those that have this library as a module. The first call wins.
pub fn use_launcher(path: PathBuf) {
    let _ = LAUNCHER.set(path);
}

/// Everything a stage needs to know; passed on its command line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub interpreter: Interpreter,
    pub launcher: PathBuf,
    /// The directory of the programs' project, shown read-only.
    pub root: Option<PathBuf>,
    /// Layers that are not to be tried, and why.
    pub without: Vec<Missing>,
    pub unsafe_no_sandbox: bool,
    /// Process number of the driver: a stage that outlives it leaves.
    pub driver: i32,
    pub options: WorkerOptions,
}

/// The Python worker's configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WorkerOptions {
    /// CPU time after which the kernel ends a program, whole seconds.
    pub cpu: u64,
    /// CPU time after which a program is ended, seconds.
    pub limit: f64,
    /// Time for which a program may wait without computing, seconds.
    pub wall: f64,
    pub steps: u32,
    pub bytes: usize,
    /// Names of one state.
    pub names: usize,
    /// Whether values have the numbers of the objects in their texts.
    pub references: bool,
    /// Size of the memory through which a child answers, bytes.
    pub shared: usize,
    /// Address space of a child, bytes.
    pub memory: u64,
    /// Maximum processes of the user; 0 for no limit.
    pub processes: u64,
    /// Directories at the end of the path of the search.
    pub packages: Vec<PathBuf>,
    /// Further directories, of which only the modules of `modules` are found.
    pub named: Vec<PathBuf>,
    /// Names of modules.
    pub modules: Vec<String>,
    /// Directories behind the root, at the beginning of the path of the search.
    pub paths: Vec<PathBuf>,
    /// Which files are traced.
    pub traced: Traced,
    /// The child's system call filter in hexadecimal; empty for none.
    pub filter: String,
    /// The active layers; returned in the worker's first message.
    pub report: Isolation,
}

impl Plan {
    pub(super) fn new(
        config: &PoolConfig,
        interpreter: Interpreter,
        without: &[Layer],
    ) -> Result<Self, SandboxError> {
        let launcher = match config.launcher.as_ref().or_else(|| LAUNCHER.get()) {
            Some(path) => path.clone(),
            None => std::env::current_exe().map_err(|e| SandboxError::Worker {
                why: format!("this program's own file is not known ({e}); name a launcher"),
            })?,
        };
        let without = without
            .iter()
            .map(|&layer| Missing {
                layer,
                why: "switched off".to_owned(),
            })
            .collect();
        let options = WorkerOptions::new(config, &interpreter);
        Ok(Self {
            interpreter,
            launcher,
            root: None,
            without,
            unsafe_no_sandbox: config.unsafe_no_sandbox,
            driver: std::process::id() as i32,
            options,
        })
    }

    /// `Err` with the reason when a layer is not to be tried.
    #[cfg(target_os = "linux")]
    pub(super) fn wanted(&self, layer: Layer) -> Result<(), String> {
        match self.without.iter().find(|m| m.layer == layer) {
            Some(missing) => Err(missing.why.clone()),
            None => Ok(()),
        }
    }

    #[cfg(target_os = "linux")]
    pub(super) fn note(&mut self, layer: Layer, result: Result<(), String>) {
        self.options.report.note(layer, result);
    }

    /// The command that becomes a worker.
    pub(super) fn command(&self) -> Result<Command, SandboxError> {
        if cfg!(target_os = "linux") {
            let text = serde_json::to_string(self)
                .map_err(|e| SandboxError::Worker { why: e.to_string() })?;
            let mut command = Command::new(&self.launcher);
            command.args([STAGE, "outer", &text]);
            return Ok(command);
        }
        if !self.unsafe_no_sandbox {
            return Err(SandboxError::Unsupported {
                system: std::env::consts::OS,
            });
        }
        let mut bare = self.clone();
        for layer in Layer::ALL {
            let why = format!("not for {}", std::env::consts::OS);
            bare.options.report.note(layer, Err(why));
        }
        Ok(worker_command(&bare))
    }

    /// The binary to name if no worker started.
    pub(super) fn launcher(&self) -> &Path {
        &self.launcher
    }
}

impl WorkerOptions {
    fn new(config: &PoolConfig, interpreter: &Interpreter) -> Self {
        let limits = &config.limits;
        Self {
            cpu: limits.cpu.as_secs_f64().ceil().max(1.0) as u64,
            limit: limits.cpu.min(limits.wall).as_secs_f64(),
            wall: limits.wall.as_secs_f64(),
            steps: limits.max_steps,
            bytes: limits.max_bytes,
            names: MOST_NAMES,
            references: config.references,
            // JSON of a trace: names, lines and escapes besides the counted text.
            shared: limits.max_bytes.saturating_mul(4).saturating_add(1 << 20),
            memory: limits.memory,
            processes: 0,
            packages: interpreter.packages.clone(),
            named: interpreter.named.clone(),
            modules: interpreter.names.clone(),
            paths: interpreter.paths.clone(),
            traced: config.packages.traced.clone(),
            filter: String::new(),
            report: Isolation {
                python: interpreter.executable.clone(),
                version: interpreter.version.clone(),
                ..Isolation::default()
            },
        }
    }
}

/// Keeps numerical libraries from starting threads, each with its own memory.
const SINGLE_THREADED: [&str; 6] = [
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
];

/// The interpreter that reads the worker's program: no user or site packages, no path of its own, and a
/// fixed environment. (`-I` would ignore the hash seed.)
pub(crate) fn worker_command(plan: &Plan) -> Command {
    let options = serde_json::to_string(&plan.options).unwrap_or_default();
    let mut command = Command::new(&plan.interpreter.executable);
    command
        .args(["-s", "-S", "-B", "-c", LOADER])
        .arg(options)
        .env_clear()
        .envs([
            ("PYTHONHASHSEED", "0"),
            ("PYTHONUTF8", "1"),
            ("LC_ALL", "C.UTF-8"),
            ("TZ", "UTC"),
        ])
        .envs(SINGLE_THREADED.map(|variable| (variable, "1")));
    command
}
