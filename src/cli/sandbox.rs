//! The options of every subcommand that starts the sandbox: the interpreter, what programs can import,
//! and whether they run where the machine cannot isolate them.

use std::path::PathBuf;

use codexec_data::sandbox::{Limits, Packages, Pool, PoolConfig};

/// Options of every subcommand that starts the sandbox.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct SandboxArgs {
    /// Interpreter for the sandbox instead of the first one on the path.
    #[arg(long, value_name = "FILE")]
    pub python: Option<PathBuf>,
    /// Run programs even where the machine cannot isolate them.
    #[arg(long)]
    unsafe_no_sandbox: bool,
}

impl SandboxArgs {
    /// What a pool is made of; 0 workers for one per core.
    pub(super) fn config(&self, workers: usize, limits: Limits, packages: Packages) -> PoolConfig {
        PoolConfig {
            python: self.python.clone(),
            workers,
            limits,
            references: false,
            packages,
            unsafe_no_sandbox: self.unsafe_no_sandbox,
            launcher: None,
        }
    }

    /// A pool for programs that import only the standard library.
    pub(super) fn pool(&self, workers: usize, limits: Limits) -> anyhow::Result<Pool> {
        Ok(Pool::new(self.config(
            workers,
            limits,
            Packages::default(),
        ))?)
    }

    /// One of these that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let python = self.python.is_some().then_some("--python");
        python.or(self.unsafe_no_sandbox.then_some("--unsafe-no-sandbox"))
    }
}

/// Options of every subcommand whose programs may import installed packages.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct PackageArgs {
    /// Let programs import the packages installed for the interpreter (no .pth files, not the user's
    /// own directory).
    #[arg(long, overrides_with = "no_packages")]
    packages: bool,
    /// Let programs import only the standard library.
    #[arg(long, overrides_with = "packages")]
    no_packages: bool,
    /// Let programs import packages from this directory, read-only. May be given several times.
    #[arg(long, value_name = "DIR")]
    packages_dir: Vec<PathBuf>,
}

impl PackageArgs {
    /// What was asked for; `installed` where nothing was said.
    pub(super) fn packages(&self, installed: bool) -> Packages {
        Packages {
            installed: self.packages || installed && !self.no_packages,
            directories: self.packages_dir.clone(),
        }
    }

    /// One of these that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        if self.packages {
            Some("--packages")
        } else if self.no_packages {
            Some("--no-packages")
        } else {
            let any = !self.packages_dir.is_empty();
            any.then_some("--packages-dir")
        }
    }
}
