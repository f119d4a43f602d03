//! The options of every subcommand that starts the sandbox: the interpreter, what programs can import,
//! and whether they run where the machine cannot isolate them.

use std::path::{Path, PathBuf};

use codexec_data::sandbox::{Limits, Packages, Pool, PoolConfig};

use crate::engine::environment::{Environment, Wanted};
use crate::engine::project;

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

/// Options of every subcommand whose programs may import more than the standard library and modules beside them.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct PackageArgs {
    /// Let programs import installed packages: these and what they require, or all if none is named. They are those of
    /// --python, else of the active environment or of a .venv in the working directory or above it, else of the usual
    /// interpreter (no .pth files, not the user's own directory).
    #[arg(long, value_name = "NAME", num_args = 0..=1, value_delimiter = ',', value_parser = package, overrides_with = "no_packages")]
    packages: Option<Vec<String>>,
    /// Let programs import only the standard library.
    #[arg(long, overrides_with = "packages")]
    no_packages: bool,
    /// Let programs import packages from this directory, read-only. May be given several times.
    #[arg(long, value_name = "DIR")]
    packages_dir: Vec<PathBuf>,
    /// Look for the modules that programs import in this directory, too, behind the root and before the standard library;
    /// read-only. May be given several times.
    #[arg(long = "path", value_name = "DIR")]
    paths: Vec<PathBuf>,
    /// Trace modules outside the root, too, whose files or directories a pattern is for, as `click` or `lib/*.py`. May be
    /// given several times.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Do not trace modules of the root whose files or directories a pattern is for. May be given several times.
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
    /// What was asked for; `installed` where nothing was said.
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
    /// Where a package that is named is not installed, or a pattern is none.
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
    /// Where no interpreter is found that would say where its packages are, or a directory is not there.
    pub(super) fn followed(
        &self,
        python: Option<&Path>,
        packages: &Packages,
    ) -> anyhow::Result<project::Packages> {
        Ok(self.wanted(python, false).followed(packages)?)
    }

    /// Whether installed packages were asked for.
    pub(super) fn takes_packages(&self) -> bool {
        self.packages.is_some()
    }

    /// What makes programs import a package that is installed and that they cannot import. `None`: it is not installed, or
    /// allowed.
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

    /// One of these that was given.
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
