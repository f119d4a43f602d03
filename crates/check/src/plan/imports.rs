//! Whether an error of an import is one of the program, or of where it is started and what is imported first.

use std::path::Path;

use super::calls::has_main;
use crate::Source;

/// What a note says where modules import each other in a circle.
const EARLY: &str = "another module may be imported first";
/// What a note says where another module may have the name.
const ELSEWHERE: &str = "which module this is depends on where the program is started";

/// Why an error may be gone where the source is started in another way; `None` if it is not.
pub(super) fn may_be_gone(source: &Source, message: &str) -> Option<&'static str> {
    // Modules that import each other in a circle that nobody need enter here: the source is no program of its own.
    if message.contains("partially initialized module") && !has_main(&source.text) {
        return Some(EARLY);
    }
    // The source itself, where a package of its name is meant.
    let own = Path::new(&source.path).file_stem()?.to_string_lossy();
    if message.ends_with(&format!("; '{own}' is not a package")) {
        return Some(ELSEWHERE);
    }
    let lacking = lacking_module(message)?;
    is_elsewhere(source, lacking).then_some(ELSEWHERE)
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

/// Whether another module of this name is found where the source is started as a script in its own directory, or a directory
/// stands for it that an installed package comes before.
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
