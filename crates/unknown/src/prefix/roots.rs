//! The roots of paths that a prefix binds, each with its origin. Drafts share them until one
//! changes them, since a program may miss thousands of names.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The origin of a root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Home {
    /// A name that the prefix binds.
    Name,
    /// A name that the program imports from a made-up module: the module, and the name there.
    Of(String, String),
    /// A made-up module, dotted.
    Module(String),
    /// A parameter of a function of the program.
    Parameter,
}

#[derive(Debug, Clone, Default)]
struct Found {
    all: Vec<(String, Home)>,
    by_name: HashMap<String, Vec<usize>>,
    homes: HashSet<Home>,
}

/// Roots, in the order in which the program needs them.
#[derive(Debug, Clone, Default)]
pub(super) struct Roots {
    found: Arc<Found>,
}

impl PartialEq for Roots {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.found, &other.found) || self.found.all == other.found.all
    }
}

impl FromIterator<(String, Home)> for Roots {
    fn from_iter<I: IntoIterator<Item = (String, Home)>>(all: I) -> Self {
        let mut roots = Self::default();
        for (name, home) in all {
            roots.push(name, home);
        }
        roots
    }
}

impl Roots {
    pub(super) fn iter(&self) -> impl Iterator<Item = &(String, Home)> {
        self.found.all.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.found.all.len()
    }

    pub(super) fn push(&mut self, name: String, home: Home) {
        let found = Arc::make_mut(&mut self.found);
        let at = found.all.len();
        found.by_name.entry(name.clone()).or_default().push(at);
        found.homes.insert(home.clone());
        found.all.push((name, home));
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&Home) -> bool) {
        let all = self.found.all.iter();
        *self = all.filter(|(_, home)| keep(home)).cloned().collect();
    }

    /// Whether a name is one of them, with any origin.
    pub(super) fn has(&self, name: &str) -> bool {
        self.found.by_name.contains_key(name)
    }

    /// Returns the origins of a name; seldom more than one.
    pub(super) fn homes(&self, name: &str) -> impl Iterator<Item = &Home> {
        let places = self.found.by_name.get(name).into_iter().flatten();
        places.map(|&at| &self.found.all[at].1)
    }

    /// Whether a root has this origin; not meaningful for `Name` and `Parameter`.
    pub(super) fn has_home(&self, home: &Home) -> bool {
        self.found.homes.contains(home)
    }
}
