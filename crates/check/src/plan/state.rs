//! State that a call of one function lacks because others were not called before: attributes bound by a subclass or
//! another file, tables filled at the start, searches of a fresh object.

use std::collections::BTreeSet;

use super::asked::MadeUp;
use super::suppressions::Bound;

impl Bound {
    /// Whether a line reads an attribute or a global name that some statement of the source binds: a call of one
    /// function may require an earlier call of another.
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

/// Whether a line reads an item of an attribute, as `Settings.values["sound"]`. Others determine its
/// contents.
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

/// Whether a name on a line is bound above it, in the same function, to the result of a method or an attribute of
/// `self`: a search of a fresh object finds nothing.
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

/// Whether the result of a method of `self` lacks an attribute: `self.smallest().value`. A fresh object returns
/// something else than a filled one.
pub(super) fn is_of_own_result(line: &str, message: &str) -> bool {
    let missing = message.rsplit_once(" has no attribute '");
    let missing = missing.map_or("", |(_, name)| name.trim_end_matches('\''));
    let read = format!(").{missing}");
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    !missing.is_empty()
        && line.match_indices(&read).any(|(at, _)| {
            let called = line[..at].rsplit_once('(').map_or("", |(before, _)| before);
            let name = &called[called.trim_end_matches(is_part).len()..];
            name.starts_with("self.")
        })
}

/// Whether an object of the program passed to an injected call, other than `self`, lacks an attribute: the caller may
/// have set it.
pub(super) fn is_of_given_object(line: &str, message: &str, made_up: &MadeUp) -> bool {
    let MadeUp::Call { text, .. } = made_up else {
        return false;
    };
    let Some((object, name)) = message.rsplit_once(" has no attribute '") else {
        return false;
    };
    let class = object.split('\'').nth(1).unwrap_or_default();
    let is_given = text
        .split_once('(')
        .is_some_and(|(_, given)| given.contains(&format!("{class}(")));
    let read = format!(".{}", name.trim_end_matches('\''));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let of_self = line.match_indices(&read).any(|(at, _)| {
        let holder = &line[..at];
        let holder = &holder[holder.trim_end_matches(is_part).len()..];
        matches!(holder, "self" | "cls")
    });
    is_given && !of_self
}

/// Whether a line reads an item of a list or dict that a statement of the module writes out: `NAMES[i]`.
pub(super) fn is_item_of_module(source: &str, line: u32) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    let items = text.match_indices('[').map(|(at, _)| &text[..at]);
    items.into_iter().any(|before| {
        let name = &before[before.trim_end_matches(is_part).len()..];
        let bound = ["[", "{", "("].map(|bracket| format!("{name} = {bracket}"));
        !name.is_empty()
            && source
                .lines()
                .any(|text| bound.iter().any(|bound| text.starts_with(bound)))
    })
}

/// Whether a name on a line is bound above it, in the same function, to such a string.
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

/// Whether a function takes any number of arguments, was called with none, and an error reports missing ones.
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
        let message = "'int' object has no attribute 'value'";
        assert!(is_of_own_result("return self.least().value", message));
        assert!(!is_of_own_result("return self.least.value", message));
        assert!(!is_of_own_result("return least().value", message));
        let module = "NAMES = ['a']\ndef f(xs):\n    ys = [1]\n    return NAMES[9] + ys[9]\n";
        assert!(is_item_of_module(module, 4));
        assert!(!is_item_of_module(
            "def f(x):\n    y = [1]\n    return y[9]\n",
            3
        ));
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
}
