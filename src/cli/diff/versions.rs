//! `codexec diff` of two directories, or of two revisions of a git repository, file by file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use tempfile::TempDir;

use crate::cli::input::python_files;
use crate::engine::project::Imports;

/// Two versions of a project on disk.
pub(super) struct Versions {
    /// Directory of the old version.
    pub old: PathBuf,
    /// Directory of the new version.
    pub new: PathBuf,
    /// Where revisions were checked out. Removed on drop.
    _place: Option<TempDir>,
}

/// A file of either version.
pub(super) struct Pair {
    /// Its path below both directories.
    pub path: String,
    /// Whether the old version has it.
    pub is_old: bool,
    /// Whether the new version has it.
    pub is_new: bool,
}

impl Versions {
    /// Two directories.
    pub(super) fn of_directories(old: &Path, new: &Path) -> anyhow::Result<Self> {
        let real = |path: &Path| {
            let real = path.canonicalize();
            real.with_context(|| path.display().to_string())
        };
        Ok(Self {
            old: real(old)?,
            new: real(new)?,
            _place: None,
        })
    }

    /// The revisions of `OLD..NEW`, checked out by git into a temporary directory. `OLD..` ends at
    /// the last commit.
    ///
    /// # Errors
    /// If this is not a git repository, or a revision does not exist.
    pub(super) fn of_revisions(range: &str) -> anyhow::Result<Self> {
        let wrong = || format!("{range}: name a second version, or revisions as OLD..NEW");
        let (old, new) = range.split_once("..").with_context(wrong)?;
        let new = if new.is_empty() { "HEAD" } else { new };
        let place = tempfile::tempdir()?;
        let root = place.path().canonicalize()?;
        for (name, revision) in [("old", old), ("new", new)] {
            let index = root.join(format!("{name}.index"));
            let commit = format!("{revision}^{{tree}}");
            git(&index, &["read-tree", &commit])
                .with_context(|| format!("revision {revision} cannot be checked out"))?;
            let prefix = format!("--prefix={}/{name}/", root.display());
            git(&index, &["checkout-index", "--all", &prefix])?;
            std::fs::create_dir_all(root.join(name))?;
        }
        Ok(Self {
            old: root.join("old"),
            new: root.join("new"),
            _place: Some(place),
        })
    }

    /// Unchanged files that import one of these, directly or indirectly, sorted by path.
    ///
    /// # Errors
    /// If a directory cannot be read.
    pub(super) fn reaching(&self, changed: &BTreeSet<String>) -> anyhow::Result<Vec<String>> {
        let mut found = BTreeSet::new();
        for root in [&self.old, &self.new] {
            let own = |path: &String| root.join(path);
            let files: Vec<PathBuf> = below(root)?.iter().map(own).collect();
            let imports = Imports::of(&files);
            let from: Vec<PathBuf> = changed.iter().map(own).collect();
            for file in imports.reaching(from.iter().map(PathBuf::as_path)) {
                let path = file
                    .strip_prefix(root)
                    .map(|path| path.display().to_string());
                found.extend(path.ok().filter(|path| self.is_same(path)));
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Python files whose text differs between the versions, sorted by path.
    ///
    /// # Errors
    /// If a directory cannot be read.
    pub(super) fn changed(&self) -> anyhow::Result<Vec<Pair>> {
        let (old, new) = (below(&self.old)?, below(&self.new)?);
        let mut changed = Vec::new();
        for path in old.union(&new) {
            let (is_old, is_new) = (old.contains(path), new.contains(path));
            if is_old && is_new && self.is_same(path) {
                continue;
            }
            changed.push(Pair {
                path: path.clone(),
                is_old,
                is_new,
            });
        }
        Ok(changed)
    }

    fn is_same(&self, path: &str) -> bool {
        let read = |root: &Path| std::fs::read(root.join(path)).ok();
        matches!((read(&self.old), read(&self.new)), (Some(old), Some(new)) if old == new)
    }
}

/// Paths of Python files below a directory.
fn below(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let files = python_files(root)?;
    let below = files.iter().filter_map(|file| {
        let path = file.strip_prefix(root).ok()?;
        Some(path.display().to_string())
    });
    Ok(below.collect())
}

/// Runs git with a separate index, so that the repository does not change.
fn git(index: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new("git");
    command.args(arguments).env("GIT_INDEX_FILE", index);
    let output = command
        .output()
        .context("git cannot be started; install it, or name two directories")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("git {}: {}", arguments[0], said.trim());
    }
    Ok(())
}
