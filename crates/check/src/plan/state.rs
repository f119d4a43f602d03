//! What a call of one function lacks because others were not called before: attributes that a subclass or another file binds,
//! tables that are filled at the start, what a search of a fresh object finds.

use std::collections::BTreeSet;
use std::path::Path;

use super::suppressions::Bound;

/// Files beside the one that is checked that are looked into, and bytes of one.
const MOST_FILES: usize = 100;
const MOST_BYTES: u64 = 1 << 20;

impl Bound {
    /// Whether a line reads an attribute or a global name that some statement of the source binds: a call of one function
    /// may need that another was called before.
    pub(super) fn is_set_elsewhere(&self, line: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let names = |all: &BTreeSet<String>, dotted: bool| {
            line.match_indices(is_part).any(|(at, _)| {
                let before = &line[..at];
                let rest = &line[at..];
                let name = &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())];
                !before.ends_with(is_part) && before.ends_with('.') == dotted && all.contains(name)
            })
        };
        let of_module = |name: &String| {
            line.match_indices(&format!("{name}."))
                .any(|(at, _)| !line[..at].ends_with(is_part))
        };
        names(&self.attributes, true)
            || names(&self.globals, false)
            || self.modules.iter().any(of_module)
    }
}

/// Whether a line reads an item of an attribute: `Settings.values["sound"]`. What is in it others decide.
pub(super) fn reads_item_of_attribute(line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices('[').any(|(at, _)| {
        let before = &line[..at];
        let name = before.trim_end_matches(is_part);
        name.len() < before.len()
            && name.ends_with('.')
            && name[..name.len() - 1].ends_with(is_part)
    })
}

/// Whether a name on a line is bound above it, in the same function, to what a method or an attribute of `self` gives: a search
/// of a fresh object finds nothing.
pub(super) fn is_found_in_self(source: &str, line: u32) -> bool {
    is_bound_above(source, line, |value| {
        value.contains("self.") || value.contains("cls.")
    })
}

/// Whether a name on a line is bound above it, in the same function, to an empty container.
pub(super) fn is_of_own_container(source: &str, line: u32) -> bool {
    let empty = ["{}", "[]", "dict()", "list()", "set()"];
    is_bound_above(source, line, |value| empty.contains(&value.trim()))
}

/// Whether a name on a line is bound above it, in the same function, to such a text.
fn is_bound_above(source: &str, line: u32, is_it: impl Fn(&str) -> bool) -> bool {
    let above: Vec<&str> = source.lines().take(line as usize).collect();
    let Some((text, above)) = above.split_last() else {
        return false;
    };
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let names: Vec<&str> = text.split(|c| !is_part(c)).collect();
    let is_header = |text: &&&str| text.trim_start().starts_with("def ");
    let mut body = above.iter().rev().take_while(|text| !is_header(text));
    body.any(|text| {
        let bound = text.split_once('=');
        bound.is_some_and(|(name, value)| {
            // `x == self.y` binds nothing.
            !value.starts_with('=') && names.contains(&name.trim()) && is_it(value)
        })
    })
}

/// Whether a function takes any number of arguments, was called with none, and an error says that some are missing.
pub(super) fn lacks_arguments(source: &str, function: &str, message: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function);
    let header = source
        .split(&format!("def {name}("))
        .nth(1)
        .unwrap_or_default();
    let parameters = header.split(')').next().unwrap_or_default();
    let takes_any = parameters.split(',').any(|one| {
        let one = one.trim_start();
        one.starts_with('*') && one.len() > 1
    });
    takes_any
        && (message.contains(" expected at least ")
            || message.contains("missing")
            || message.contains("empty")
            || message.contains("must be at least one")
            || message.contains("index out of range"))
}

/// Whether a file beside the one at a path binds an attribute of this name, as a subclass does.
pub(super) fn is_bound_beside(path: &str, attribute: &str) -> bool {
    let directory = Path::new(path)
        .parent()
        .filter(|place| !place.as_os_str().is_empty());
    let Ok(entries) = directory.unwrap_or(Path::new(".")).read_dir() else {
        return false;
    };
    let files = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut files = files
        .filter(|file| file.extension().is_some_and(|end| end == "py"))
        .take(MOST_FILES);
    files.any(|file| {
        let is_small = file.metadata().is_ok_and(|data| data.len() <= MOST_BYTES);
        let text = is_small.then(|| std::fs::read(&file).ok()).flatten();
        text.is_some_and(|text| binds(&String::from_utf8_lossy(&text), attribute))
    })
}

/// Whether a line reads an attribute of a class or module that a file beside the one at a path binds: `Window.SCALE`.
pub(super) fn reads_what_is_bound_beside(path: &str, line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut after = line.split('.').skip(1);
    after.any(|rest| {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let is_call = rest[end..].starts_with('(');
        end > 0 && !is_call && is_bound_beside(path, &rest[..end])
    })
}

/// Whether a text binds an attribute, as far as its words say.
fn binds(text: &str, attribute: &str) -> bool {
    text.match_indices(attribute).any(|(at, _)| {
        let rest = text[at + attribute.len()..].trim_start_matches(' ');
        text[..at].ends_with('.') && rest.starts_with('=') && !rest.starts_with("==")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_attributes_are_of_a_table() {
        assert!(reads_item_of_attribute("if not Variables.vdict['sound']:"));
        assert!(!reads_item_of_attribute("x = vdict['sound'] + a.b"));
        assert!(!reads_item_of_attribute("x = [1, 2]"));
        assert!(!reads_item_of_attribute("x = f()[0]"));
    }

    #[test]
    fn names_are_found_where_self_is_searched() {
        let source = "def f(self, name):\n    found = find(self.all, name)\n    n = 1\n    return found.x + n\n";
        assert!(is_found_in_self(source, 4));
        let compared = "def f(self, found):\n    found == self.x\n    return found.x\n";
        assert!(!is_found_in_self(compared, 3));
        let plain = "class A:\n    x = self.y\n    def f(self):\n        found = find(1)\n        return found.x\n";
        assert!(!is_found_in_self(plain, 5));
        let own =
            "def f(words):\n    counts = {}\n    for word in words:\n        counts[word] += 1\n";
        assert!(is_of_own_container(own, 4));
        assert!(!is_of_own_container(own, 3));
    }

    #[test]
    fn functions_of_any_number_of_arguments_are_not_called_with_none() {
        let source =
            "def least(self, *args):\n    return min(*args)\ndef plain(a):\n    return min(a)\n";
        let message = "min expected at least 1 argument, got 0";
        assert!(lacks_arguments(source, "A.least", message));
        assert!(!lacks_arguments(source, "plain", message));
        assert!(!lacks_arguments(source, "least", "division by zero"));
    }

    #[test]
    fn attributes_are_bound_in_files_beside() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("effects.py").display().to_string();
        std::fs::write(place.path().join("menu.py"), "class Menu(Able):\n    def f(self):\n        self.options = []\n        self.size == 1\n").unwrap();
        assert!(is_bound_beside(&path, "options"));
        assert!(!is_bound_beside(&path, "size"));
        assert!(!is_bound_beside(&path, "option"));
        assert!(reads_what_is_bound_beside(&path, "x = 1 / Menu.options"));
        assert!(!reads_what_is_bound_beside(
            &path,
            "x = 1 / Menu.size + self.options()"
        ));
    }
}
