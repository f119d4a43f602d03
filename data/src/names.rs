//! The usual meaning of unbound names: modules under their usual names, and usual imports from modules.
//! The table is `data/python/names.txt`, which guided runs also read.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The table, as the runtime of guided programs reads it.
pub(crate) const TABLE: &str = include_str!("../python/names.txt");

static MODULES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let pairs = section("aliases").filter_map(|line| line.split_once(' '));
    pairs.collect()
});

static HOMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let mut found = HashMap::new();
    for line in section("symbols") {
        let mut words = line.split(' ');
        let module = words.next().unwrap_or_default();
        for name in words {
            found.entry(name).or_insert(module);
        }
    }
    found
});

/// The lines of a part of the table.
fn section(wanted: &str) -> impl Iterator<Item = &'static str> {
    let mut inside = false;
    TABLE.lines().filter(move |line| {
        if let Some(rest) = line.strip_prefix('[') {
            inside = rest
                .strip_prefix(wanted)
                .is_some_and(|r| r.starts_with(']'));
            return false;
        }
        inside && !line.is_empty()
    })
}

/// The module, dotted, that usually goes by a name which is not its own.
pub fn usual_module(name: &str) -> Option<&'static str> {
    MODULES.get(name).copied()
}

/// The module, dotted, that a name is usually imported from.
pub fn usual_home(name: &str) -> Option<&'static str> {
    HOMES.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_their_part_of_the_table() {
        assert_eq!(usual_module("ET"), Some("xml.etree.ElementTree"));
        assert_eq!(usual_module("deque"), None);
        assert_eq!(usual_home("deque"), Some("collections"));
        assert_eq!(usual_home("starmap"), Some("itertools"));
        assert_eq!(usual_home("np"), None);
        // The runtime of guided programs gets the table between quotes.
        assert!(!TABLE.contains("'''") && !TABLE.contains('\\'));
    }
}
