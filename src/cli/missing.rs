//! Hints about options that would make a module available that a program failed to import.

use std::path::{Path, PathBuf};

use codexec_data::trace::{Outcome, Program};
use codexec_plan::machine::Finder;

use super::sandbox::{PackageArgs, SandboxArgs};
use crate::engine::Answered;
use crate::engine::project::{Files, is_library};

/// Number of directories above a root in which a module is looked up.
const MOST_ABOVE: usize = 4;

/// Hints for modules that could not be imported, or that planning knows nothing about.
pub(super) fn hints(
    program: &Program,
    answered: &Answered,
    sandbox: &SandboxArgs,
    packages: &PackageArgs,
) -> Vec<String> {
    let missing = missing_module(&answered.trace.outcome);
    let stopped = answered.stopped.as_ref().map_or("", |at| &*at.why);
    if stopped.contains(" is native code,") {
        return vec!["--engine run executes native code, in the sandbox".to_owned()];
    }
    let unknown = answered.unknown.iter().map(|one| &*one.why);
    let mut hints: Vec<String> = Vec::new();
    for name in missing.into_iter().chain(unknown) {
        let top = name.split('.').next().unwrap_or(name);
        if is_library(top) || top.starts_with('_') {
            continue;
        }
        let hint = packages.hint(sandbox.python.as_deref(), top);
        let hint = hint.or_else(|| beside(program, name)).or_else(|| {
            // An unknown module may be harmless.
            let is_injected = answered.injected.iter().any(|one| one.name == name);
            let is_in_the_way =
                missing == Some(name) || is_injected || stopped.contains(&format!(" {name},"));
            let why = "neither beside the program nor installed";
            let next = "--path DIR names a directory that has it";
            is_in_the_way.then(|| format!("{top} is {why}; {next}"))
        });
        hints.extend(hint.filter(|hint| !hints.contains(hint)));
    }
    hints
}

/// The name in `No module named 'shop.tax'`.
fn missing_module(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Raised {
            exception, message, ..
        } if exception == "ModuleNotFoundError" => {
            let name = message.strip_prefix("No module named '")?;
            name.split('\'').next()
        }
        _ => None,
    }
}

/// Whether a directory is a package without an `__init__.py`.
fn has_modules(directory: &Path) -> bool {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.path());
    names.any(|path| path.extension().is_some_and(|end| end == "py"))
}

/// A directory above the root, or `src` in one, that contains a module or its package.
fn beside(program: &Program, name: &str) -> Option<String> {
    let root = program.root.as_deref()?;
    let module = name.split('.').next().unwrap_or(name);
    let has = |place: &Path, name: &str| {
        let found = Files.find(place, name).ok().flatten();
        found.is_some_and(|found| found.source.is_some() || has_modules(&place.join(&*found.path)))
    };
    let is_there = |place: &PathBuf| has(place, module) || has(place, name);
    let source = root.join("src");
    if is_there(&source) {
        return Some(format!(
            "{module} is in {0}; --path {0} has it found",
            source.display()
        ));
    }
    root.ancestors().skip(1).take(MOST_ABOVE).find_map(|above| {
        let above = above.to_owned();
        let source = above.join("src");
        if above.parent().is_some() && is_there(&above) {
            Some(format!(
                "{module} is in {0}; --root {0} has it found",
                above.display()
            ))
        } else if is_there(&source) {
            let (root, path) = (above.display(), source.display());
            Some(format!(
                "{module} is in {path}; --root {root} --path {path} has it found"
            ))
        } else {
            None
        }
    })
}
