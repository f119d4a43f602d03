//! The files of `lib/`, as compiled by `build.rs`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

use foldhash::fast::RandomState;

use crate::code::{Code, LibraryFile};

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Files by module and by the names that they bind in it.
type Files = HashMap<(&'static str, &'static str), &'static [u16], RandomState>;

/// A file of the library.
struct Frozen {
    /// Its path below `lib/`.
    path: &'static str,
    /// The module that it is part of. Empty for the core.
    module: &'static str,
    /// `methods`: only if methods are folded; `operators`: only if they are not; empty: always.
    level: &'static str,
    /// Lines whose operators concern the program's values.
    asked: &'static [u32],
    /// [`Code`] in the format of `postcard`.
    code: &'static [u8],
}

/// Returns the file of a module that binds a name, depending on whether methods are folded.
pub(super) fn file_with(module: &str, name: &str, methods: bool) -> Option<u16> {
    static NAMED: LazyLock<Files> = LazyLock::new(|| {
        let names = NAMES
            .iter()
            .map(|(of, known, files)| ((*of, *known), *files));
        names.collect()
    });
    let mut files = NAMED.get(&(module, name))?.iter().copied();
    files.find(|file| match FILES[usize::from(*file)].level {
        "methods" => methods,
        "operators" => !methods,
        _ => true,
    })
}

/// Whether any files are part of a module.
pub(super) fn has_module(module: &str) -> bool {
    FILES.iter().any(|file| file.module == module)
}

/// Returns the path of a file below `lib/`, for messages.
pub(super) fn path_of(file: u16) -> &'static str {
    FILES[usize::from(file)].path
}

/// Returns the module that a file is part of.
pub(super) fn module_of(file: u16) -> &'static str {
    FILES[usize::from(file)].module
}

/// Returns the code of a file. `None` only if the table is damaged, which a test excludes.
pub(super) fn code_of(file: u16) -> Option<Arc<Code>> {
    static CODES: [OnceLock<Option<Arc<Code>>>; FILES.len()] =
        [const { OnceLock::new() }; FILES.len()];
    let file = usize::from(file);
    let read = || {
        let frozen = &FILES[file];
        let code: Code = postcard::from_bytes(frozen.code).ok()?;
        let library = Arc::new(LibraryFile {
            module: frozen.module,
            asked: frozen.asked,
        });
        Some(Arc::new(code.of_library(&library)))
    };
    CODES[file].get_or_init(read).clone()
}

/// Returns the files that are used if methods are folded, or if they are not.
#[cfg(test)]
pub(super) fn files(methods: bool) -> impl Iterator<Item = u16> {
    let other = if methods { "operators" } else { "methods" };
    let files = (0..).zip(FILES);
    files.filter_map(move |(at, file)| (file.level != other).then_some(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_files_of_their_level() {
        let path = |module, name, methods| file_with(module, name, methods).map(path_of);
        assert_eq!(path("fractions", "Fraction", true), Some("fractions.py"));
        assert_eq!(path("fractions", "Fraction", false), None);
        assert_eq!(path("os.path", "join", false), Some("os.path/names.py"));
        assert_ne!(
            path("logging", "getLogger", true),
            path("logging", "getLogger", false)
        );
    }

    #[test]
    fn marks_belong_to_their_files() {
        let code = code_of(file_with("_folded.heapq", "heappush", true).unwrap()).unwrap();
        let library = code.library.as_ref().unwrap();
        assert_eq!(library.module, "_folded.heapq");
        assert!(!library.asked.is_empty() && library.asked.is_sorted());
    }
}
