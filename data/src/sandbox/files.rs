//! The file system visible to programs: the interpreter's files, read-only, and if requested installed packages,
//! directories of modules and the root of a project, also read-only, and nothing else. Enforced twice: by a private
//! file tree ([`enter_tree`]) and by Landlock ([`landlock`]).
//!
//! Deliberately without any writable place: a program that opens a file for writing gets an error.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};

use super::python::Interpreter;

type Result<T> = std::result::Result<T, String>;

const NONE: Option<&str> = None;
/// Packages installed beside the standard library are not part of it.
const FOREIGN: [&str; 2] = ["site-packages", "dist-packages"];
const NULL: &str = "/dev/null";

/// Replaces the machine's file tree by one that holds only the interpreter's files. Needs a
/// separate mount namespace.
pub(crate) fn enter_tree(python: &Interpreter, root: Option<&Path>) -> Result<()> {
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)
        .map_err(|e| format!("making mounts private: {e}"))?;
    let mut paths: Vec<&Path> = vec![&python.executable, Path::new(NULL)];
    paths.extend(python.library.iter().map(PathBuf::as_path));
    paths.extend(python.files.iter().map(PathBuf::as_path));
    paths.extend(python.directories());
    // A root may be inside a visible directory, or contain it.
    paths.extend(root);
    paths.sort_by_key(|path| path.components().count());
    let base = base(&paths)?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let size = Some("size=1m,nr_inodes=4096,mode=755");
    mount(Some("tmpfs"), base, Some("tmpfs"), flags, size)
        .map_err(|e| format!("mounting an empty tree on {}: {e}", base.display()))?;
    let mut tree = Tree {
        base,
        alone: python.directories().chain(root).collect(),
        there: HashSet::new(),
    };
    for path in paths {
        tree.show(path, 0)?;
    }
    for library in &python.library {
        tree.hide_foreign(library)?;
    }
    std::env::set_current_dir(base).map_err(|e| e.to_string())?;
    nix::unistd::pivot_root(".", ".").map_err(|e| format!("pivot_root: {e}"))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(|e| format!("leaving the old tree: {e}"))?;
    std::env::set_current_dir("/").map_err(|e| e.to_string())?;
    let flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | flags;
    mount(NONE, "/", NONE, flags, NONE).map_err(|e| format!("making the tree read-only: {e}"))
}

/// A directory to build the tree on that hides no part of the tree.
fn base(paths: &[&Path]) -> Result<&'static Path> {
    ["/mnt", "/media", "/srv", "/tmp", "/opt", "/var", "/run"]
        .into_iter()
        .map(Path::new)
        .find(|dir| dir.is_dir() && !paths.iter().any(|p| p.starts_with(dir)))
        .ok_or_else(|| "no directory to build the file tree on".to_owned())
}

/// The tree while it is built.
struct Tree<'p> {
    base: &'static Path,
    /// Directories shown without file systems mounted in them.
    alone: Vec<&'p Path>,
    there: HashSet<PathBuf>,
}

impl Tree<'_> {
    fn inside(&self, path: &Path) -> PathBuf {
        self.base.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Shows a path of the machine at the same place, with the links that lead to it.
    fn show(&mut self, path: &Path, links: u32) -> Result<()> {
        if links > 32 {
            return Err(format!("{}: too many links", path.display()));
        }
        let said = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut at = PathBuf::from("/");
        let mut rest = path.components().filter(|c| *c != Component::RootDir);
        while let Some(part) = rest.next() {
            if part == Component::ParentDir {
                at.pop();
                continue;
            }
            at.push(part);
            let kind = fs::symlink_metadata(&at).map_err(said)?.file_type();
            if kind.is_symlink() {
                let target = fs::read_link(&at).map_err(said)?;
                if self.there.insert(at.clone()) {
                    std::os::unix::fs::symlink(&target, self.inside(&at)).map_err(said)?;
                }
                at.pop();
                let onward: PathBuf = rest.collect();
                return self.show(&at.join(target).join(onward), links + 1);
            }
            if self.there.contains(&at) {
                return Ok(());
            }
            if kind.is_dir() && at != path {
                match fs::create_dir(self.inside(&at)) {
                    Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => return Err(said(e)),
                    _ => {}
                }
            }
        }
        if self.there.insert(at.clone()) {
            self.bind(&at)?;
        }
        Ok(())
    }

    fn bind(&self, path: &Path) -> Result<()> {
        let to = self.inside(path);
        let said = |e: std::io::Error| format!("{}: {e}", to.display());
        if path.is_dir() {
            fs::create_dir_all(&to).map_err(said)?;
        } else {
            fs::write(&to, "").map_err(said)?;
        }
        let shown = |e| format!("showing {}: {e}", path.display());
        mount(Some(path), &to, NONE, MsFlags::MS_BIND, NONE)
            .or_else(|error| {
                // File systems mounted below would stay writable.
                if self.alone.contains(&path) {
                    return Err(error);
                }
                let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
                mount(Some(path), &to, NONE, flags, NONE)
            })
            .map_err(shown)?;
        let mut flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | kept(&to);
        if path.is_dir() {
            flags |= MsFlags::MS_NODEV;
        }
        mount(NONE, &to, NONE, flags, NONE).map_err(shown)
    }

    /// Covers unrequested installed packages with an empty directory.
    fn hide_foreign(&self, library: &Path) -> Result<()> {
        for name in FOREIGN {
            let place = library.join(name);
            let wanted = self.alone.iter().any(|shown| place.starts_with(shown));
            let place = self.inside(&place);
            if place.is_dir() && !wanted {
                let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_RDONLY;
                let size = Some("size=4k,nr_inodes=2,mode=555");
                mount(Some("tmpfs"), &place, Some("tmpfs"), flags, size)
                    .map_err(|e| format!("hiding {}: {e}", place.display()))?;
            }
        }
        Ok(())
    }
}

/// Flags of a mount that the kernel does not let a user namespace take away.
fn kept(path: &Path) -> MsFlags {
    let mut flags = MsFlags::MS_NOSUID;
    let Ok(now) = statvfs(path) else {
        return flags;
    };
    for (theirs, ours) in [
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ] {
        if now.flags().contains(theirs) {
            flags |= ours;
        }
    }
    flags
}

/// Restricts this process and its descendants to reading the interpreter's files, and forbids
/// everything else that the kernel's Landlock covers.
pub(crate) fn landlock(python: &Interpreter, root: Option<&Path>) -> Result<()> {
    let said = |e: landlock::RulesetError| e.to_string();
    let abi = ABI::V6;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))
        .and_then(|r| r.handle_access(AccessNet::from_all(abi)))
        .and_then(|r| r.scope(Scope::from_all(abi)))
        .and_then(|r| r.create())
        .map_err(said)?;
    let mut allow = |path: &Path, access| -> Result<()> {
        // A nonexistent path needs no permission.
        if let Ok(place) = PathFd::new(path) {
            (&mut rules)
                .add_rule(PathBeneath::new(place, access))
                .map_err(said)?;
        }
        Ok(())
    };
    for library in &python.library {
        allow(library, AccessFs::ReadDir.into())?;
        for entry in fs::read_dir(library).map_err(|e| e.to_string())?.flatten() {
            if !FOREIGN.iter().any(|name| entry.file_name() == *name) {
                allow(&entry.path(), AccessFs::ReadFile.into())?;
            }
        }
    }
    for packages in python.directories().chain(root) {
        allow(packages, AccessFs::ReadDir | AccessFs::ReadFile)?;
    }
    for file in &python.files {
        allow(file, AccessFs::ReadFile.into())?;
    }
    for file in python.loaders.iter().chain([&python.executable]) {
        allow(file, AccessFs::ReadFile | AccessFs::Execute)?;
    }
    allow(Path::new(NULL), AccessFs::ReadFile | AccessFs::WriteFile)?;
    let status = rules.restrict_self().map_err(said)?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel does not offer it".to_owned()),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}
