//! Uses of a file's names in other files of its project: bound attributes, called functions. Found by searching for
//! words.

use std::path::{Path, PathBuf};

/// Maximum files to search, and bytes of one.
const MOST_FILES: usize = 400;
const MOST_BYTES: u64 = 1 << 20;
/// Directories above a file in which the beginning of its project is looked for.
const MOST_ABOVE: usize = 6;
/// Markers of a project's root.
const BEGINNINGS: [&str; 8] = [
    ".git",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "README.md",
    "LICENSE",
    "Pipfile",
];
/// Directories that are not the project's own.
const FOREIGN: [&str; 4] = ["venv", "node_modules", "site-packages", "__pycache__"];

/// Whether a file of the project of the given one binds an attribute of this name, as a subclass does.
pub(super) fn is_bound(path: &str, attribute: &str) -> bool {
    any(path, |text| binds(text, attribute))
}

/// Whether a file of the project defines a function or method of this name, as a subclass does.
pub(super) fn is_defined(path: &str, name: &str) -> bool {
    let start = format!("def {name}(");
    any(path, |text| text.contains(&start))
}

/// Whether a file of the project defines a class of this name.
pub(super) fn has_class(path: &str, class: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = format!("class {class}");
    any(path, |text| {
        let mut found = text.match_indices(&start);
        found.any(|(at, _)| !text[at + start.len()..].starts_with(is_part))
    })
}

/// Whether a line reads an attribute of a class or module that a file of the project binds: `Window.SCALE`.
pub(super) fn reads_what_is_bound(path: &str, line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut after = line.split('.').skip(1);
    after.any(|rest| {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let is_call = rest[end..].starts_with('(');
        end > 0 && !is_call && is_bound(path, &rest[..end])
    })
}

/// Whether a file of the project that names the module at a path calls a function of this name.
pub(super) fn has_call(path: &str, name: &str) -> bool {
    let own = Path::new(path).canonicalize().ok();
    let module = Path::new(path).file_stem().unwrap_or_default();
    let module = module.to_string_lossy();
    let uses = |text: &str| {
        let mut imports = text.lines().filter(|line| line.contains("import"));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        imports.any(|line| line.split(|c| !is_part(c)).any(|word| word == module))
            && calls(text, name)
    };
    let mut files = files_of(path).into_iter();
    files.any(|file| {
        file.canonicalize().ok() != own && text_of(&file).is_some_and(|text| uses(&text))
    })
}

/// Whether it holds for the text of a file of the project.
fn any(path: &str, holds: impl Fn(&str) -> bool) -> bool {
    let mut files = files_of(path).into_iter();
    files.any(|file| text_of(&file).is_some_and(|text| holds(&text)))
}

fn text_of(file: &Path) -> Option<String> {
    let is_small = file.metadata().is_ok_and(|data| data.len() <= MOST_BYTES);
    let text = is_small.then(|| std::fs::read(file).ok()).flatten()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The Python files of a file's project, neighbouring ones first.
fn files_of(path: &str) -> Vec<PathBuf> {
    let directory = Path::new(path).parent();
    let directory = directory.filter(|place| !place.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let mut found = Vec::new();
    add_files(directory, false, &mut found);
    if let Some(root) = root_of(directory) {
        add_files(&root, true, &mut found);
    }
    found
}

/// The root of a directory's project: a marked one, else the topmost directory above it with Python files.
fn root_of(directory: &Path) -> Option<PathBuf> {
    let directory = directory.canonicalize().ok()?;
    // Files added by others do not belong to the project.
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let shared = |place: &Path| Some(place) == home.as_deref() || place == std::env::temp_dir();
    let own = |place: &&Path| place.parent().is_some() && !shared(place);
    let above = || directory.ancestors().take_while(own).take(MOST_ABOVE);
    let begins = |place: &&Path| BEGINNINGS.iter().any(|name| place.join(name).exists());
    let topmost = || above().take_while(|place| has_files(place)).last();
    let root = above().find(begins).or_else(topmost);
    root.map(Path::to_path_buf)
}

fn has_files(directory: &Path) -> bool {
    let mut entries = directory.read_dir().into_iter().flatten().flatten();
    entries.any(|entry| entry.path().extension().is_some_and(|end| end == "py"))
}

fn add_files(directory: &Path, with_inner: bool, found: &mut Vec<PathBuf>) {
    let Ok(entries) = directory.read_dir() else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|one| one.path())
        .collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if found.len() >= MOST_FILES {
            return;
        }
        if entry.extension().is_some_and(|end| end == "py") {
            found.push(entry);
        } else if with_inner
            && !name.starts_with('.')
            && !FOREIGN.contains(&&*name)
            && entry.is_dir()
            && !entry.is_symlink()
        {
            add_files(&entry, true, found);
        }
    }
}

/// Whether a text binds an attribute, as far as its words say.
fn binds(text: &str, attribute: &str) -> bool {
    text.match_indices(attribute).any(|(at, _)| {
        let rest = text[at + attribute.len()..].trim_start_matches(' ');
        text[..at].ends_with('.') && rest.starts_with('=') && !rest.starts_with("==")
    })
}

/// Whether a text calls a function or method of this name, as far as its words say.
fn calls(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = &text[..at];
        let is_defined = ["def ", "class "].iter().any(|word| before.ends_with(word));
        text[at + name.len()..].starts_with('(') && !before.ends_with(is_part) && !is_defined
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_bound_in_files_of_the_project() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("effects.py").display().to_string();
        std::fs::write(place.path().join("menu.py"), "class Menu(Able):\n    def f(self):\n        self.options = []\n        self.size == 1\n").unwrap();
        assert!(is_defined(&path, "f") && !is_defined(&path, "g"));
        assert!(is_bound(&path, "options"));
        assert!(!is_bound(&path, "size"));
        assert!(!is_bound(&path, "option"));
        assert!(has_class(&path, "Menu") && !has_class(&path, "Men"));
        assert!(reads_what_is_bound(&path, "x = 1 / Menu.options"));
        assert!(!reads_what_is_bound(
            &path,
            "x = 1 / Menu.size + self.options()"
        ));
        // In another directory of it, once its root is marked.
        std::fs::create_dir_all(place.path().join("inner/most")).unwrap();
        let inner = place.path().join("inner/most/a.py").display().to_string();
        assert!(!is_bound(&inner, "options"));
        std::fs::write(place.path().join("README.md"), "").unwrap();
        assert!(is_bound(&inner, "options"));
    }

    #[test]
    fn calls_are_those_of_other_files() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.py");
        std::fs::write(&path, "def f(x): pass\nf(1)\n").unwrap();
        let path = path.display().to_string();
        assert!(!has_call(&path, "f"));
        std::fs::write(
            place.path().join("b.py"),
            "def f(x): pass\ndef g(): return of(1)\n",
        )
        .unwrap();
        assert!(!has_call(&path, "f"));
        std::fs::write(place.path().join("c.py"), "import ab\nab.f(1)\n").unwrap();
        assert!(!has_call(&path, "f"));
        std::fs::write(place.path().join("d.py"), "import a\na.f(1)\n").unwrap();
        assert!(has_call(&path, "f"));
    }
}
