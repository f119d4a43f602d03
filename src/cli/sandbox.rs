//! Options shared by subcommands that start the sandbox: the interpreter, importable packages, and
//! whether to run without isolation.

use std::path::{Path, PathBuf};

use codexec_data::sandbox::{Limits, Packages, Pool, PoolConfig};

use crate::engine::environment::{Environment, Wanted};
use crate::engine::project;

/// Options of subcommands that start the sandbox.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct SandboxArgs {
    /// Interpreter for the sandbox (default: the first one on the path).
    #[arg(long, value_name = "FILE")]
    pub python: Option<PathBuf>,
    /// Run programs even if the machine cannot isolate them.
    #[arg(long)]
    unsafe_no_sandbox: bool,
}

impl SandboxArgs {
    /// Configuration of a pool, with 0 workers for one per core.
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

    /// The first of these options that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let python = self.python.is_some().then_some("--python");
        python.or(self.unsafe_no_sandbox.then_some("--unsafe-no-sandbox"))
    }
}

/// Options of subcommands whose programs may import more than the standard library and neighbouring
/// modules.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct PackageArgs {
    /// Let programs import installed packages: these and their requirements, or all if none is
    /// named. They come from the environment of --python, else from the active one or a .venv in
    /// the working directory or above, else from the default interpreter (no .pth files, no user
    /// site directory).
    #[arg(long, value_name = "NAME", num_args = 0..=1, value_delimiter = ',', value_parser = package, overrides_with = "no_packages")]
    packages: Option<Vec<String>>,
    /// Let programs import only the standard library.
    #[arg(long, overrides_with = "packages")]
    no_packages: bool,
    /// Let programs import packages from this directory, read-only. Can be repeated.
    #[arg(long, value_name = "DIR")]
    packages_dir: Vec<PathBuf>,
    /// Also look up imports in this directory, after the root and before the standard library;
    /// read-only. Can be repeated.
    #[arg(long = "path", value_name = "DIR")]
    paths: Vec<PathBuf>,
    /// Also trace modules outside the root whose files or directories match a pattern, such as
    /// `click` or `lib/*.py`. Can be repeated.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Do not trace modules of the root whose files or directories match a pattern. Can be
    /// repeated.
    #[arg(long, value_name = "GLOB")]
    omit: Vec<String>,
}

/// The name of a package from the command line.
fn package(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    match text.ends_with(".py") || text.is_empty() || !text.chars().all(plain) {
        true => Err(format!(
            "`{text}` is no package; for all packages give --packages behind the programs"
        )),
        false => Ok(text.to_owned()),
    }
}

impl PackageArgs {
    /// The requested packages; `installed` is the default.
    fn wanted(&self, python: Option<&Path>, installed: bool) -> Wanted {
        Wanted {
            python: python.map(Path::to_owned),
            installed: self.takes_packages() || installed && !self.no_packages,
            names: self.packages.clone().unwrap_or_default(),
            directories: self.packages_dir.clone(),
            paths: self.paths.clone(),
            include: self.include.clone(),
            omit: self.omit.clone(),
        }
    }

    /// The packages for programs that run.
    ///
    /// # Errors
    /// If a named package is not installed, or a pattern is invalid.
    pub(super) fn packages(
        &self,
        python: Option<&Path>,
        installed: bool,
    ) -> anyhow::Result<Packages> {
        Ok(self.wanted(python, installed).packages()?)
    }

    /// The same for a planner.
    ///
    /// # Errors
    /// If no interpreter can report its packages, or a directory does not exist.
    pub(super) fn followed(
        &self,
        python: Option<&Path>,
        packages: &Packages,
    ) -> anyhow::Result<project::Packages> {
        Ok(self.wanted(python, false).followed(packages)?)
    }

    /// Whether installed packages were requested.
    pub(super) fn takes_packages(&self) -> bool {
        self.packages.is_some()
    }

    /// A hint on how to make an installed package importable. `None` if it is not installed or
    /// already allowed.
    pub(super) fn hint(&self, python: Option<&Path>, module: &str) -> Option<String> {
        let environment =
            Environment::of(self.wanted(python, false).interpreter().as_deref()).ok()?;
        let is_allowed =
            |names: &Vec<String>| names.is_empty() || names.iter().any(|n| n == module);
        if self.packages.as_ref().is_some_and(is_allowed) || !environment.has(module) {
            return None;
        }
        let names = self.packages.iter().flatten().map(String::as_str);
        let names: Vec<&str> = names.chain([module]).collect();
        Some(format!(
            "{module} is installed in {}; --packages {} lets the program import it",
            environment.name,
            names.join(",")
        ))
    }

    /// The first of these options that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--packages", self.takes_packages()),
            ("--no-packages", self.no_packages),
            ("--packages-dir", !self.packages_dir.is_empty()),
            ("--path", !self.paths.is_empty()),
            ("--include", !self.include.is_empty()),
            ("--omit", !self.omit.is_empty()),
        ];
        let given = options.into_iter().find(|(_, is_given)| *is_given);
        given.map(|(option, _)| option)
    }
}
