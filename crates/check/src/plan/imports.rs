//! Whether an import error belongs to the program, or to its starting directory and import order.

use std::path::Path;

use codexec_data::syntax::with_parsed;
use ruff_python_ast::Stmt;

use super::calls::has_main;
use super::suppressions::{Bound, names_one_of};
use crate::Source;

/// The note for circular imports.
const EARLY: &str = "another module may be imported first";
/// The note if another module may have the name.
const ELSEWHERE: &str = "which module this is depends on where the program is started";

/// Why an error may disappear if the source is started differently. `None` if it does not.
pub(super) fn may_be_gone(source: &Source, message: &str) -> Option<&'static str> {
    // Circular imports that need not be entered here: the source is not a program of its own.
    if message.contains("partially initialized module") && !has_main(&source.text) {
        return Some(EARLY);
    }
    // Another file than the one that lacks the name, if the source is started in its own directory:
    // `from library import Library` in `library/__init__.py`, beside `library.py`.
    let top = lacking_module(message).unwrap_or_default();
    let beside = Path::new(&source.path).with_file_name(format!("{top}.py"));
    let is_meant = message
        .rsplit_once(" (")
        .is_some_and(|(_, place)| is_same(place, &beside));
    let is_own = Path::new(&source.path).ends_with(format!("{top}/__init__.py"));
    let is_named = message.ends_with(')') && !message.contains("(most likely");
    if beside.is_file() && (is_own || is_named && !is_meant) {
        return Some(ELSEWHERE);
    }
    // It sets its own search path for modules.
    if !top.is_empty() && source.text.contains("sys.path.") && is_of_project(source, top) {
        return Some(ELSEWHERE);
    }
    // The source itself, where a package of its name is meant.
    let own = Path::new(&source.path).file_stem()?.to_string_lossy();
    if message.ends_with(&format!("; '{own}' is not a package")) {
        return Some(ELSEWHERE);
    }
    // A directory above the source is the package, if it is started there.
    let package = message.strip_suffix("' is not a package");
    let package = package.and_then(|text| text.rsplit('\'').next());
    let above = Path::new(&source.path).canonicalize().ok();
    let mut above = above.iter().flat_map(|path| path.ancestors().skip(1));
    if package.is_some_and(|name| above.any(|place| place.ends_with(name))) {
        return Some(ELSEWHERE);
    }
    let lacking = lacking_module(message)?;
    is_elsewhere(source, lacking).then_some(ELSEWHERE)
}

/// Why a called module may be something else if the source is started differently: a package has a name and a module
/// that are called alike, and import order decides between them.
pub(super) fn may_be_no_module(source: &str, message: &str, line: &str) -> Option<&'static str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let called = |name: &str| {
        !name.is_empty()
            && line.match_indices(name).any(|(at, _)| {
                !line[..at].ends_with(is_part) && line[at + name.len()..].starts_with('(')
            })
    };
    let mut taken = source
        .lines()
        .filter(|text| text.trim_start().starts_with("from "))
        .filter_map(|text| text.split_once(" import "))
        .flat_map(|(_, names)| names.split(|c| !is_part(c)));
    (message == "'module' object is not callable" && taken.any(called)).then_some(ELSEWHERE)
}

/// A name on a line that is imported from a project module, or bound here, by an import that may fail: its replacement
/// may be something else.
pub(super) fn may_stand_in(source: &Source, own: &Bound, line: &str) -> Option<String> {
    let defines = |name: &str| {
        let mut lines = source.text.lines().map(str::trim_start);
        lines.any(|text| {
            let defined = text.strip_prefix("class ").or(text.strip_prefix("def "));
            defined.is_some_and(|rest| {
                rest.strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with(['(', ':']))
            })
        })
    };
    let stands_in = |name: &str| own.fallible.contains(name) && defines(name);
    if let Some(name) = names_one_of(line, stands_in) {
        return Some(name.to_owned());
    }
    let beside = Path::new(&source.path).parent().map(Path::to_owned);
    let root = source.project.as_ref().map(|place| place.root.clone());
    let root = root.or(beside)?;
    let text_of = |module: &str| {
        let place = root.join(module.replace('.', "/"));
        let text = std::fs::read_to_string(place.with_extension("py"));
        text.or_else(|_| std::fs::read_to_string(place.join("__init__.py")))
            .ok()
    };
    with_parsed(&source.text, |parsed| {
        let imports = parsed.suite().iter().filter_map(Stmt::as_import_from_stmt);
        let mut taken = imports.flat_map(|one| one.names.iter().map(move |name| (one, name)));
        taken.find_map(|(import, alias)| {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
            names_one_of(line, |word| word == bound)?;
            let module = import.module.as_ref().filter(|_| import.level == 0)?;
            let other = Bound::of(&text_of(module)?);
            (other.fallible.contains(alias.name.as_str())).then(|| bound.to_owned())
        })
    })
    .ok()
    .flatten()
}

/// Whether a module is not found anywhere: which packages are installed where the program is started is not known.
pub(super) fn lacks_package(exception: &str, message: &str) -> bool {
    exception == "ModuleNotFoundError" && !message.ends_with("is not a package")
}

/// Whether a path in a message, followed by a bracket, is that of a file.
fn is_same(place: &str, file: &Path) -> bool {
    let place = Path::new(place.trim_end_matches(')')).canonicalize();
    place.is_ok_and(|place| file.canonicalize().is_ok_and(|file| file == place))
}

/// Whether a module is found below the root of a source.
fn is_of_project(source: &Source, module: &str) -> bool {
    source.project.as_ref().is_some_and(|place| {
        place.root.join(format!("{module}.py")).exists() || place.root.join(module).is_dir()
    })
}

/// The topmost package of the module that lacks a name.
fn lacking_module(message: &str) -> Option<&str> {
    let module = match message.strip_prefix("module '") {
        Some(rest) if rest.contains("has no attribute") => rest,
        _ => {
            message
                .strip_prefix("cannot import name ")?
                .split_once(" from '")?
                .1
        }
    };
    module.split(['.', '\'']).next()
}

/// Whether another module of this name is found if the source is started as a script in its own directory, or if an
/// installed package takes precedence over a directory.
fn is_elsewhere(source: &Source, module: &str) -> bool {
    let own = source.project.as_ref();
    let top = own.and_then(|place| place.module.split('.').next());
    if top == Some(module) && own.is_some_and(|place| place.module != module) {
        return true;
    }
    let beside = Path::new(&source.path).parent().map(Path::to_owned);
    let roots = own
        .map(|place| place.root.clone())
        .into_iter()
        .chain(beside);
    let has = |directory: &Path| directory.is_dir() && !directory.join("__init__.py").exists();
    roots.into_iter().any(|root| has(&root.join(module)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_for_a_package_may_be_another_thing() {
        let place = tempfile::tempdir().unwrap();
        let shim = "try:\n    from fastapi import Router\nexcept ImportError:\n    class Router:\n        pass\n";
        std::fs::write(place.path().join("shim.py"), shim).unwrap();
        let of = |text: &str, line: &str| {
            let source = Source::new(place.path().join("a.py").display().to_string(), text);
            may_stand_in(&source, &Bound::of(text), line)
        };
        let line = "router = Router(tags=[])";
        assert_eq!(
            of("from shim import Router\n", line).as_deref(),
            Some("Router")
        );
        assert_eq!(of("from other import Router\n", line), None);
        assert_eq!(of(shim, line).as_deref(), Some("Router"));
        assert_eq!(of(shim, "route(1)"), None);
    }

    #[test]
    fn another_file_is_meant_where_the_source_is_started_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        for file in [
            "graph/__init__.py",
            "graph/graph.py",
            "bfs/graph.py",
            "bfs/bfs.py",
        ] {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), "").unwrap();
        }
        let of = |path: &str, text: &str, from: &str| {
            let message = format!(
                "cannot import name 'Graph' from 'graph' ({})",
                root.join(from).display()
            );
            let mut source = Source::new(root.join(path).display().to_string(), text);
            source.project =
                codexec_engine::project::Place::of(&root.join(path), Some(root), false).ok();
            may_be_gone(&source, &message).is_some()
        };
        let text = "from graph import Graph\n";
        assert!(of("bfs/bfs.py", text, "graph/__init__.py"));
        assert!(!of("bfs/bfs.py", text, "bfs/graph.py"));
        std::fs::remove_file(root.join("bfs/graph.py")).unwrap();
        assert!(!of("bfs/bfs.py", text, "graph/__init__.py"));
        let looks = "import sys\nsys.path.append('src')\nfrom graph import Graph\n";
        assert!(of("bfs/bfs.py", looks, "graph/__init__.py"));
        assert!(of("graph/__init__.py", text, "graph/__init__.py"));
        let source = Source::new(root.join("bfs/bfs.py").display().to_string(), text);
        let is_gone = |name: &str| {
            let message = format!("No module named '{name}.x'; '{name}' is not a package");
            may_be_gone(&source, &message).is_some()
        };
        assert!(is_gone("bfs"));
        assert!(!is_gone("graph"));
    }

    #[test]
    fn a_module_of_a_package_may_be_a_class() {
        let message = "'module' object is not callable";
        let source = "from Board import BoardStatus, Colour\nimport random\n";
        let of = |line| may_be_no_module(source, message, line).is_some();
        assert!(of("x = BoardStatus()"));
        assert!(!of("x = random()"));
        assert!(!of("x = OfBoardStatus()"));
    }

    #[test]
    fn the_module_that_lacks_a_name() {
        for (message, module) in [
            ("module 'queue' has no attribute 'Queue'", Some("queue")),
            ("module 'a.b' has no attribute 'c'", Some("a")),
            (
                "cannot import name 'x' from 'utils' (/p/utils/__init__.py)",
                Some("utils"),
            ),
            ("'A' object has no attribute 'x'", None),
        ] {
            assert_eq!(lacking_module(message), module, "{message}");
        }
    }
}
