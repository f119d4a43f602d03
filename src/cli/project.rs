//! The project and arguments of a program: options shared by subcommands that execute or plan
//! programs of projects.

use std::path::{Path, PathBuf};

use anyhow::Context;
use codexec_data::trace::Program;
use codexec_plan::machine::Finder;

use crate::engine::project::{Files, Place};

/// Options for the location and arguments of programs.
#[derive(Debug, clap::Args)]
pub(super) struct ProjectArgs {
    /// Project directory. Imports are looked up in it before the standard library, and its files
    /// can be read. `none` disables both [default: the directory of each program]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Environment variable for the programs, in addition to the sandbox's. Can be repeated.
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    environment: Vec<(String, String)>,
    /// Arguments of the programs: their `sys.argv[1:]`.
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

/// The option that names a module instead of a program.
#[derive(Debug, clap::Args)]
pub(super) struct ModuleArgs {
    /// Module to execute as `python -m` does, looked up from --root or the working directory.
    #[arg(short, long, value_name = "MODULE")]
    pub module: Option<String>,
}

/// The entry of a project.
pub(super) struct Entry {
    /// Its file.
    pub file: PathBuf,
    /// With links resolved.
    root: PathBuf,
    /// `__package__`
    package: String,
}

impl Entry {
    /// Places a program in it.
    pub(super) fn place(&self, program: &mut Program) {
        program.root = Some(self.root.clone());
        program.package.clone_from(&self.package);
    }

    /// The location of its file as a program, executed and not imported.
    pub(super) fn as_place(&self) -> Place {
        Place {
            root: self.root.clone(),
            package: self.package.clone(),
            module: String::new(),
        }
    }
}

impl ProjectArgs {
    /// Whether --root was given.
    pub(super) fn has_root(&self) -> bool {
        self.root.is_some()
    }

    /// Places the program of a file in its project, with arguments and environment.
    ///
    /// # Errors
    /// The errors of [`Self::place`].
    pub(super) fn equip(&self, program: &mut Program, file: &Path) -> anyhow::Result<()> {
        self.give(program);
        self.place(program, file)
    }

    /// The requested root. `None` if none was named.
    fn named(&self) -> Option<&Path> {
        self.root
            .as_deref()
            .filter(|root| root.as_os_str() != "none")
    }

    /// Gives a program its arguments and environment.
    pub(super) fn give(&self, program: &mut Program) {
        program.arguments.clone_from(&self.arguments);
        program.environment.clone_from(&self.environment);
    }

    /// Places the program of a file in its project.
    ///
    /// # Errors
    /// If the directory of --root does not exist.
    pub(super) fn place(&self, program: &mut Program, file: &Path) -> anyhow::Result<()> {
        let root = match &self.root {
            Some(root) if root.as_os_str() == "none" => return Ok(()),
            Some(root) => root.as_path(),
            // Piped input has no known location.
            None if file.as_os_str() == "-" => return Ok(()),
            None => file.parent().unwrap_or(Path::new("")),
        };
        // The whole machine is not a project.
        if self.root.is_none() && root.parent().is_none() && root.has_root() {
            return Ok(());
        }
        let root = match root.as_os_str().is_empty() {
            true => Path::new("."),
            false => root,
        };
        let real = root.canonicalize();
        let real = real.with_context(|| format!("--root {}", root.display()))?;
        program.root = Some(real);
        Ok(())
    }

    /// The entry of `python -m MODULE`.
    ///
    /// # Errors
    /// If there is no such module.
    pub(super) fn entry_of_module(&self, module: &str) -> anyhow::Result<Entry> {
        entry_of_module(module, self.named().unwrap_or(Path::new(".")))
    }

    /// The entry of a directory with a `__main__.py`.
    ///
    /// # Errors
    /// If a path cannot be resolved.
    pub(super) fn entry_of_directory(&self, directory: &Path) -> anyhow::Result<Option<Entry>> {
        match directory.join("__main__.py").is_file() {
            true => entry_of_directory(directory, self.named()).map(Some),
            false => Ok(None),
        }
    }
}

/// A variable of the environment from the command line.
fn variable(text: &str) -> Result<(String, String), String> {
    let wrong = || format!("`{text}` is not NAME=VALUE");
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    match name.is_empty() || text.contains('\0') {
        true => Err(wrong()),
        false => Ok((name.to_owned(), value.to_owned())),
    }
}

/// The entry of `python -m MODULE`. For a package, its `__main__`.
///
/// # Errors
/// If there is no such module.
pub(super) fn entry_of_module(module: &str, root: &Path) -> anyhow::Result<Entry> {
    let root = root
        .canonicalize()
        .with_context(|| format!("--root {}", root.display()))?;
    let find = |name: &str| Files.find(&root, name).map_err(anyhow::Error::msg);
    let missing = || {
        anyhow::anyhow!(
            "no module {module} in {}: go to the project's directory, or name it with --root",
            root.display()
        )
    };
    let mut name = module.to_owned();
    let mut found = find(&name)?.with_context(missing)?;
    if found.is_package {
        name.push_str(".__main__");
        let why = || format!("{module} is a package without a __main__.py: it cannot be executed");
        found = find(&name)?.with_context(why)?;
    }
    let (package, _) = name.rsplit_once('.').unwrap_or_default();
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let file = root.join(&*found.path);
    Ok(Entry {
        file: file.strip_prefix(here).map(Path::to_owned).unwrap_or(file),
        package: package.to_owned(),
        root,
    })
}

/// The entry of a directory with a `__main__.py`. For a package, as `python -m` executes it.
fn entry_of_directory(directory: &Path, root: Option<&Path>) -> anyhow::Result<Entry> {
    let file = directory.join("__main__.py");
    let real = directory
        .canonicalize()
        .with_context(|| directory.display().to_string())?;
    let place = Place::of(&real.join("__main__.py"), None, false)?;
    let root = root.map(Path::canonicalize).transpose()?;
    Ok(Entry {
        file,
        root: root.unwrap_or(place.root),
        package: place.package,
    })
}
