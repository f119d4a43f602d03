//! The options that say which installed packages programs can import in the sandbox: the same for
//! every subcommand that runs programs.

use std::path::PathBuf;

use codexec_data::sandbox::Packages;

/// Options of every subcommand that runs programs.
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
    pub fn packages(&self, installed: bool) -> Packages {
        Packages {
            installed: self.packages || installed && !self.no_packages,
            directories: self.packages_dir.clone(),
        }
    }
}
