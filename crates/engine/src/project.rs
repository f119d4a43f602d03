//! Modules and files beside a program: looked up below its root, in module directories and among installed packages, as
//! in CPython.

mod graph;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use codexec_data::sandbox::{Traced, standard_library};
use codexec_data::sources::{below, normalise_newlines, plain_bytes, python_text};
use codexec_plan::machine::{Finder, Found, ModuleSource};
use ruff_python_stdlib::sys::is_known_standard_library;

pub use graph::Imports;

/// The supported version of the standard library.
const VERSION: u8 = 11;

/// Directories of more names are not listed.
const MOST_NAMES: usize = 10_000;

/// Reads modules and other files. A link that leads out of the root leads nowhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Files;

impl Finder for Files {
    fn find(&self, root: &Path, name: &str) -> Result<Option<ModuleSource>, String> {
        let plain = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !name.split('.').all(|part| !part.is_empty() && plain(part)) {
            return Ok(None);
        }
        let place = name.replace('.', "/");
        // The order of `importlib`: a package, a module, a namespace package.
        for (path, is_package) in [
            (format!("{place}/__init__.py"), true),
            (format!("{place}.py"), false),
        ] {
            if let Some(file) = below(root, path.as_ref()).filter(|file| file.is_file()) {
                let source = read(&file).map_err(|why| format!("module {name}: {path}: {why}"))?;
                return Ok(Some(ModuleSource {
                    name: path.as_str().into(),
                    path: path.into(),
                    source: Some(source.into()),
                    is_package,
                    is_hidden: false,
                }));
            }
        }
        let native = native(root, &place);
        let is_directory = || below(root, place.as_ref()).is_some_and(|place| place.is_dir());
        let is_package = native.is_none() && is_directory();
        let found = native.or(is_package.then_some(place));
        Ok(found.map(|path| ModuleSource {
            name: path.as_str().into(),
            path: path.into(),
            source: None,
            is_package,
            is_hidden: false,
        }))
    }

    fn look(&self, root: &Path, path: &Path) -> Result<Option<Found>, String> {
        let said = |error: std::io::Error| format!("{}: {error}", path.display());
        let Some(real) = below(root, path) else {
            return Ok(None);
        };
        let known = real.metadata().map_err(said)?;
        if known.is_file() {
            return Ok(Some(Found::File(known.len())));
        }
        if !known.is_dir() {
            return Err(format!("{}: neither file nor directory", path.display()));
        }
        let mut names = Vec::new();
        for entry in real.read_dir().map_err(said)? {
            let name = entry.map_err(said)?.file_name();
            if names.len() == MOST_NAMES {
                return Err(format!("{}: more than {MOST_NAMES} names", path.display()));
            }
            names.push(name.to_string_lossy().into_owned());
        }
        names.sort_unstable();
        Ok(Some(Found::Directory(names)))
    }

    fn read(&self, root: &Path, path: &Path) -> Result<Vec<u8>, String> {
        let gone = || format!("{}: it is gone", path.display());
        let real = below(root, path).ok_or_else(gone)?;
        plain_bytes(&real).map_err(|why| format!("{}: {why}", path.display()))
    }

    fn follow(&self, root: &Path, path: &Path) -> PathBuf {
        let whole = root.join(path);
        let mut above = whole.ancestors();
        let found = above.find_map(|place| Some((place, place.canonicalize().ok()?)));
        match found {
            Some((place, real)) => match whole.strip_prefix(place) {
                Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
                _ => real,
            },
            None => whole,
        }
    }
}

/// The native extension of a module at a place below a root: its path.
fn native(root: &Path, place: &str) -> Option<String> {
    let (directory, name) = place.rsplit_once('/').unwrap_or(("", place));
    let entries = below(root, directory.as_ref())?.read_dir().ok()?;
    let entries = entries.take(MOST_NAMES).flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut files = names.filter(|file| {
        let tag = file
            .strip_prefix(name)
            .and_then(|rest| rest.strip_suffix(".so"));
        tag.is_some_and(|tag| tag.is_empty() || tag.starts_with('.'))
    });
    let file = files.next()?;
    Some(match directory {
        "" => file,
        directory => format!("{directory}/{file}"),
    })
}

/// Modules outside the project that are also followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    /// What installed packages are imported as.
    pub names: Vec<String>,
    /// Directories that have them, as `site-packages`.
    pub directories: Vec<PathBuf>,
    /// Fully followed package directories, searched before the others.
    pub whole: Vec<PathBuf>,
    /// Directories of modules, without links, searched behind the root and before the standard library.
    pub paths: Vec<PathBuf>,
    /// Which files are traced. `None` means all.
    pub traced: Option<Traced>,
    /// Whether programs have these packages and no others.
    pub are_all: bool,
    /// Where the source of the standard library is.
    pub library: Library,
}

/// The standard library of an interpreter, which is queried for it on first use.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// Whether it is enabled.
    is_wanted: bool,
    /// The interpreter that was chosen.
    python: Option<PathBuf>,
    found: Arc<OnceLock<Option<PathBuf>>>,
}

impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        (self.is_wanted, &self.python) == (other.is_wanted, &other.python)
    }
}

impl Eq for Library {}

impl Library {
    /// The library of an interpreter, or of the default one.
    pub fn of(python: Option<&Path>) -> Self {
        Self {
            is_wanted: true,
            python: python.map(Path::to_owned),
            found: Arc::default(),
        }
    }

    /// The directory. `None` if there is no suitable interpreter.
    fn directory(&self) -> Option<&Path> {
        let find = || {
            let found = standard_library(self.python.as_deref()).ok();
            found.map(|(directory, _)| directory)
        };
        match self.is_wanted {
            true => self.found.get_or_init(find).as_deref(),
            false => None,
        }
    }

    fn find(&self, name: &str) -> Result<Option<ModuleSource>, String> {
        let Some(directory) = self.directory() else {
            return Ok(None);
        };
        let Some(mut found) = Files
            .find(directory, name)?
            .filter(|one| one.source.is_some())
        else {
            return Ok(None);
        };
        let file = directory.join(&*found.path).display().to_string();
        found.path = file.as_str().into();
        found.name = found.path.clone();
        found.is_hidden = true;
        Ok(Some(found))
    }

    /// The file of a module, as in its `__file__`; empty if it is built in. `None` if unknown.
    fn file(&self, name: &str) -> Option<String> {
        let top = name.split('.').next().unwrap_or(name);
        if !is_library(top) {
            return None;
        }
        // Other versions have other names in their modules.
        let directory = self
            .directory()
            .filter(|place| place.ends_with("python3.11"))?;
        let place = name.replace('.', "/");
        let files = [format!("{place}/__init__.py"), format!("{place}.py")];
        let source = files.iter().map(|file| directory.join(file));
        if let Some(file) = source.into_iter().find(|file| file.is_file()) {
            return Some(file.display().to_string());
        }
        let extensions = directory.join("lib-dynload");
        let file = match name.contains('.') {
            true => return None,
            false => native(&extensions, name),
        };
        Some(match file {
            Some(file) => extensions.join(file).display().to_string(),
            None => String::new(),
        })
    }
}

/// Whether a module belongs to the standard library.
pub fn is_library(top: &str) -> bool {
    is_known_standard_library(VERSION, top)
}

/// The entry of a module's name in a directory.
enum Has {
    Nothing,
    /// Parts of a package that also has parts in other directories.
    Namespace,
    Module,
}

fn has(directory: &Path, top: &str) -> Has {
    let package = below(directory, top.as_ref()).filter(|place| place.is_dir());
    let is_file = |path: String| below(directory, path.as_ref()).is_some_and(|f| f.is_file());
    if is_file(format!("{top}/__init__.py")) || is_file(format!("{top}.py")) {
        return Has::Module;
    }
    match (native(directory, top), package) {
        (Some(_), _) => Has::Module,
        (None, Some(_)) => Has::Namespace,
        (None, None) => Has::Nothing,
    }
}

impl Packages {
    /// Directories in which modules of a name are looked for, in order.
    fn places<'p>(&'p self, root: &'p Path, top: &str) -> Vec<&'p Path> {
        let mut places = vec![root];
        places.extend(self.paths.iter().map(PathBuf::as_path));
        // The planner has a `numpy` of its own.
        if is_library(top) || top == "numpy" {
            return places;
        }
        places.extend(self.whole.iter().map(PathBuf::as_path));
        if self.names.iter().any(|name| name == top) {
            places.extend(self.directories.iter().map(PathBuf::as_path));
        }
        places
    }

    /// Display name of a file, and whether a trace omits its frames. It belongs to the innermost directory.
    fn name(&self, traced: &Traced, root: &Path, file: &Path) -> (String, bool) {
        let outside = self.paths.iter().filter(|path| !path.starts_with(root));
        let places = self.whole.iter().chain(&self.directories).chain(outside);
        let places = places.filter(|place| file.starts_with(place));
        let place = places.max_by_key(|place| place.components().count());
        let deeper =
            |place: &PathBuf| !file.starts_with(root) || *place != *root && place.starts_with(root);
        let name = |place: &Path| {
            let path = file.strip_prefix(place).unwrap_or(file);
            path.display().to_string()
        };
        match place.filter(|place| deeper(place)) {
            Some(place) => {
                let name = name(place);
                let is_hidden = !traced.includes(&name);
                (name, is_hidden)
            }
            None => {
                let name = name(root);
                let is_hidden = traced.omits(&name);
                (name, is_hidden)
            }
        }
    }
}

impl Finder for Packages {
    fn lacks(&self, root: &Path, top: &str) -> bool {
        if !self.are_all || is_library(top) {
            return false;
        }
        let mut places = self.places(root, top);
        places.extend(self.whole.iter().map(PathBuf::as_path));
        if self.names.iter().any(|name| name == top) {
            places.extend(self.directories.iter().map(PathBuf::as_path));
        }
        let has_it = |place: &&Path| !matches!(has(place, top), Has::Nothing);
        !places.iter().any(has_it)
    }

    fn library(&self, name: &str) -> Result<Option<ModuleSource>, String> {
        self.library.find(name)
    }

    fn library_file(&self, name: &str) -> Option<String> {
        self.library.file(name)
    }

    fn modified(&self, root: &Path, path: &Path) -> Option<f64> {
        // Of a program's own files the sandbox has copies.
        let is_elsewhere = self.search_path()?.iter().any(|place| place == root);
        let known = below(root, path)
            .filter(|_| is_elsewhere)?
            .metadata()
            .ok()?;
        let since = known.modified().ok()?.duration_since(std::time::UNIX_EPOCH);
        since.ok().map(|since| since.as_secs_f64())
    }

    fn search_path(&self) -> Option<Vec<PathBuf>> {
        let library = self.library.directory()?;
        // Other versions have other names, and everything else on the path is packages.
        let has_packages = !self.directories.is_empty() || !self.whole.is_empty();
        if !library.ends_with("python3.11") || !has_packages {
            return None;
        }
        let mut places = vec![
            library.with_file_name("python311.zip"),
            library.to_owned(),
            library.join("lib-dynload"),
        ];
        let packages = self
            .paths
            .iter()
            .chain(&self.whole)
            .chain(&self.directories);
        places.extend(packages.cloned());
        Some(places)
    }

    fn find(&self, root: &Path, name: &str) -> Result<Option<ModuleSource>, String> {
        let top = name.split('.').next().unwrap_or(name);
        let mut namespaces = Vec::new();
        let mut found = None;
        // The first module or package; else parts of a package wherever they are.
        for place in self.places(root, top) {
            match has(place, top) {
                Has::Module => {
                    found = Some(place);
                    break;
                }
                Has::Namespace => namespaces.push(place),
                Has::Nothing => {}
            }
        }
        // A directory without `__init__.py` does not take precedence over a library module.
        if is_library(top) && found.is_none() {
            namespaces.clear();
        }
        for place in found.map_or(namespaces, |place| vec![place]) {
            if let Some(mut found) = Files.find(place, name)? {
                let file = place.join(&*found.path);
                if place != root {
                    // Joining it to a root leaves it unchanged.
                    found.path = file.display().to_string().into();
                }
                found.name = found.path.clone();
                if let Some(traced) = &self.traced {
                    let (name, is_hidden) = self.name(traced, root, &file);
                    (found.name, found.is_hidden) = (name.into(), is_hidden);
                }
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn look(&self, root: &Path, path: &Path) -> Result<Option<Found>, String> {
        Files.look(root, path)
    }

    fn read(&self, root: &Path, path: &Path) -> Result<Vec<u8>, String> {
        Files.read(root, path)
    }

    fn follow(&self, root: &Path, path: &Path) -> PathBuf {
        Files.follow(root, path)
    }
}

/// Maximum parent directories of a file to search for one that it imports from.
const MOST_ABOVE: usize = 8;

/// The position of a file in its project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The directory above its outermost package, with links resolved; its own directory if it is in no package.
    pub root: PathBuf,
    /// Its package, as a dotted name; empty for none.
    pub package: String,
    /// Its dotted module name; empty if it is in no package, or cannot be imported.
    pub module: String,
}

impl Place {
    /// The position of a file with this text. If it imports by name from a directory above it
    /// (`from cogs.admin import x` in `cogs/admin/y.py`), that directory is a package of the one above.
    ///
    /// # Errors
    /// The errors of [`Place::of`].
    pub fn of_source(file: &Path, root: Option<&Path>, text: &str) -> std::io::Result<Self> {
        let place = Self::of(file, root, text.contains("from ."))?;
        let above = match root {
            None if place.package.is_empty() => above_imported(&file.canonicalize()?, text),
            _ => None,
        };
        Ok(match above {
            Some(root) => Self { root, ..place },
            None => place,
        })
    }

    /// The position of a file, below a root if one is given. `is_relative`: it imports from its own package, so its
    /// directory belongs to a package above it even without an `__init__.py`.
    ///
    /// # Errors
    /// If the file or the root does not exist.
    pub fn of(file: &Path, root: Option<&Path>, is_relative: bool) -> std::io::Result<Self> {
        let real = file.canonicalize()?;
        let directory = real.parent().unwrap_or(&real);
        let has_init = |place: &Path| place.join("__init__.py").is_file();
        let mut package = directory.ancestors().filter(|place| has_init(place));
        let package = match is_relative {
            true => package.next(),
            false => Some(directory).filter(|place| has_init(place)),
        };
        let is_in_package = package.is_some();
        let found = match root {
            Some(root) => root.canonicalize()?,
            None => above_packages(package.unwrap_or(directory)).to_owned(),
        };
        let below = directory.strip_prefix(&found).ok();
        let parts = below.filter(|_| is_in_package).map(dotted);
        let package = parts.flatten().unwrap_or_default();
        let stem = real.file_stem().unwrap_or_default().to_string_lossy();
        let module = match &*stem {
            _ if package.is_empty() => String::new(),
            "__init__" => package.clone(),
            stem if is_name(stem) => format!("{package}.{stem}"),
            _ => String::new(),
        };
        Ok(Self {
            root: found,
            package,
            module,
        })
    }
}

/// The directory above the outermost package that a directory is in, or is.
pub fn above_packages(directory: &Path) -> &Path {
    let is_package = |place: &Path| {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        is_name(&name) && place.join("__init__.py").is_file()
    };
    let mut top = directory;
    while let (true, Some(above)) = (is_package(top), top.parent()) {
        top = above;
    }
    top
}

/// The parent of a directory that contains a file and from which it imports a module.
fn above_imported(file: &Path, text: &str) -> Option<PathBuf> {
    let imported = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let is_import = matches!(words.next(), Some("from" | "import"));
        words.next().filter(|_| is_import)
    });
    for name in imported.flat_map(|word| word.split(',')) {
        let Some((top, rest)) = name.split_once('.').filter(|(top, _)| is_name(top)) else {
            continue;
        };
        let next = rest.split('.').next().unwrap_or_default();
        let is_it = |place: &&Path| {
            place.file_name().is_some_and(|name| name == top)
                && (place.join(next).is_dir() || place.join(format!("{next}.py")).is_file())
        };
        let mut above = file.ancestors().skip(1).take(MOST_ABOVE);
        if let Some(root) = above.find(is_it).and_then(Path::parent) {
            return Some(root.to_owned());
        }
        // A neighbouring module that is not a package hides the package.
        let mut above = file.ancestors().skip(1).take(MOST_ABOVE);
        let directory = above.next()?;
        let is_hidden =
            directory.join(format!("{top}.py")).is_file() && !directory.join(top).is_dir();
        let has_it = |place: &&Path| is_it(&place.join(top).as_path());
        if let Some(root) = above.find(has_it).filter(|_| is_hidden) {
            return Some(root.to_owned());
        }
    }
    None
}

/// The parts of a path as a dotted name. `None` if one of them is not an identifier.
fn dotted(path: &Path) -> Option<String> {
    let parts = path.iter().map(|part| part.to_str());
    let parts: Option<Vec<&str>> = parts
        .map(|part| part.filter(|part| is_name(part)))
        .collect();
    parts.map(|parts| parts.join("."))
}

fn is_name(part: &str) -> bool {
    let plain = part.chars().all(|c| c.is_alphanumeric() || c == '_');
    plain && !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit())
}

fn read(file: &Path) -> Result<String, String> {
    Ok(normalise_newlines(python_text(plain_bytes(file)?)?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn found(root: &Path, name: &str) -> Option<(String, bool)> {
        let module = Files.find(root, name).unwrap()?;
        Some((module.path.to_string(), module.is_package))
    }

    #[test]
    fn modules_are_found_as_importlib_finds_them_and_never_outside() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        fs::create_dir_all(root.join("pkg/sub")).unwrap();
        fs::create_dir_all(root.join("space")).unwrap();
        for file in [
            "a.py",
            "pkg/__init__.py",
            "pkg/core.py",
            "pkg.py",
            "space/x.py",
        ] {
            fs::write(root.join(file), "x = 1\n").unwrap();
        }
        fs::write(place.path().join("secret.py"), "x = 1\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path().join("secret.py"), root.join("link.py")).unwrap();
        let file = |path: &str| Some((path.to_owned(), false));
        assert_eq!(found(&root, "a"), file("a.py"));
        assert_eq!(
            found(&root, "pkg"),
            Some(("pkg/__init__.py".to_owned(), true))
        );
        assert_eq!(found(&root, "pkg.core"), file("pkg/core.py"));
        assert_eq!(found(&root, "space"), Some(("space".to_owned(), true)));
        for nowhere in ["link", "secret", "..secret", "a.b", "", ".", "pkg/core"] {
            assert_eq!(found(&root, nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn a_directory_that_a_file_below_it_imports_from_is_a_package() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("bot-1.0/cogs/admin")).unwrap();
        for file in [
            "cogs/admin/a.py",
            "cogs/admin/cogs.py",
            "__init__.py",
            "cogs/__init__.py",
        ] {
            fs::write(top.join("bot-1.0").join(file), "x = 1\n").unwrap();
        }
        let file = top.join("bot-1.0/cogs/admin/a.py");
        let root = |text: &str| Place::of_source(&file, None, text).unwrap().root;
        let bot = top.join("bot-1.0");
        assert_eq!(root("import os\nfrom cogs.admin.b import x\n"), bot);
        assert_eq!(
            root("import os, cogs\nimport cogs.nothing\n"),
            bot.join("cogs/admin")
        );
        let init = Place::of(&bot.join("cogs/__init__.py"), None, false).unwrap();
        assert_eq!((init.root, init.module), (bot, "cogs".to_owned()));
    }

    #[test]
    fn a_file_is_placed_by_the_packages_around_it() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("src/shop/tax")).unwrap();
        for file in [
            "src/main.py",
            "src/shop/__init__.py",
            "src/shop/cart.py",
            "src/shop/tax/__init__.py",
            "src/shop/tax/rules.py",
            "src/shop/tax/no-name.py",
        ] {
            fs::write(top.join(file), "x = 1\n").unwrap();
        }
        let of = |file: &str, root: Option<&Path>| {
            let place = Place::of(&top.join(file), root, false).unwrap();
            (place.root, place.package, place.module)
        };
        let src = top.join("src");
        let is = |root: &Path, package: &str, module: &str| {
            (root.to_owned(), package.to_owned(), module.to_owned())
        };
        assert_eq!(of("src/main.py", None), is(&src, "", ""));
        assert_eq!(of("src/shop/__init__.py", None), is(&src, "shop", "shop"));
        assert_eq!(of("src/shop/cart.py", None), is(&src, "shop", "shop.cart"));
        let rules = "src/shop/tax/rules.py";
        assert_eq!(of(rules, None), is(&src, "shop.tax", "shop.tax.rules"));
        let unnamed = "src/shop/tax/no-name.py";
        assert_eq!(of(unnamed, None), is(&src, "shop.tax", ""));
        assert_eq!(
            of(rules, Some(&top)),
            is(&top, "src.shop.tax", "src.shop.tax.rules")
        );
        assert_eq!(of("src/main.py", Some(&top)), is(&top, "", ""));
        assert!(Place::of(&top.join("nothing.py"), None, false).is_err());
        fs::create_dir(top.join("src/shop/space")).unwrap();
        fs::write(top.join("src/shop/space/a.py"), "from .. import cart\n").unwrap();
        let space = "src/shop/space/a.py";
        assert_eq!(of(space, None), is(&src.join("shop/space"), "", ""));
        let place = Place::of(&top.join(space), None, true).unwrap();
        assert_eq!(place.module, "shop.space.a");
    }

    #[test]
    fn packages_are_found_behind_the_project_and_only_those_named() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        for file in ["root/a.py", "site/a.py", "site/b/__init__.py", "site/c.py"] {
            let file = top.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x = 1\n").unwrap();
        }
        let packages = Packages {
            names: vec!["a".to_owned(), "b".to_owned()],
            directories: vec![top.join("site")],
            ..Packages::default()
        };
        let found = |name: &str| {
            let module = packages.find(&top.join("root"), name).unwrap();
            module.map(|module| module.path.to_string())
        };
        assert_eq!(found("a").as_deref(), Some("a.py"));
        let b = top.join("site/b/__init__.py").display().to_string();
        assert_eq!(found("b"), Some(b));
        assert_eq!(found("c"), None);
    }

    #[test]
    fn directories_are_searched_in_the_order_of_type_checkers() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        for file in [
            "root/own.py",
            "root/space/own.py",
            "root/test_own.py",
            "root/env/site/deep.py",
            "lib/own.py",
            "lib/json.py",
            "lib/space/more.py",
            "site/csv.py",
            "site/own.py",
            "site/pkg/__init__.py",
            "site/pkg/core.py",
            "site/fast.cpython-311-x86_64-linux-gnu.so",
        ] {
            let file = top.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x = 1\n").unwrap();
        }
        let packages = |include: &[&str]| {
            let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
            Packages {
                whole: vec![top.join("site"), top.join("root/env/site")],
                paths: vec![top.join("lib")],
                traced: Some(Traced::new(&texts(include), &texts(&["test_*"])).unwrap()),
                ..Packages::default()
            }
        };
        let found = |include: &[&str], name: &str| {
            let module = packages(include).find(&top.join("root"), name).unwrap()?;
            let path = top.join("root").join(&*module.path);
            let path = path.strip_prefix(&top).unwrap().display().to_string();
            let shown = (!module.is_hidden).then(|| module.name.to_string());
            Some((path, shown))
        };
        for (include, name, path, shown) in [
            (&[][..], "own", "root/own.py", Some("own.py")),
            (&[], "test_own", "root/test_own.py", None),
            (&[], "space.own", "root/space/own.py", Some("space/own.py")),
            (&[], "space.more", "lib/space/more.py", None),
            (
                &["space"],
                "space.more",
                "lib/space/more.py",
                Some("space/more.py"),
            ),
            (&[], "json", "lib/json.py", None),
            (&[], "pkg.core", "site/pkg/core.py", None),
            (
                &["pkg/*.py"],
                "pkg.core",
                "site/pkg/core.py",
                Some("pkg/core.py"),
            ),
            (&[], "deep", "root/env/site/deep.py", None),
        ] {
            let wanted = (path.to_owned(), shown.map(str::to_owned));
            assert_eq!(found(include, name), Some(wanted), "{name} {include:?}");
        }
        // The standard library's own module takes precedence over packages. If a package lacks a module, no
        // other directory is searched.
        assert_eq!(found(&[], "csv"), None);
        assert_eq!(found(&[], "own.more"), None);
        let native = packages(&[]).find(&top.join("root"), "fast").unwrap();
        assert!(native.unwrap().is_native());
    }

    #[test]
    fn a_module_that_is_no_text_is_named() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("bad.py"), b"x = '\xff'\n").unwrap();
        let error = Files.find(root.path(), "bad").unwrap_err();
        assert!(error.contains("bad.py"), "{error}");
    }
}
