//! The tools that a prefix needs beside plain values, for statistics.

use serde::Serialize;

/// The most complex of these tools in a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// No prefix.
    Nothing,
    /// Plain values, imports, empty classes.
    Plain,
    /// Functions, `SimpleNamespace`, or another small tool of the standard library.
    Namespace,
    /// `unittest.mock`.
    Mock,
    /// Its own class of stand-ins.
    Class,
}

impl Needs {
    /// All variants, plainest first.
    pub const ALL: [Self; 5] = [
        Self::Nothing,
        Self::Plain,
        Self::Namespace,
        Self::Mock,
        Self::Class,
    ];

    /// Returns the tools that a prefix needs.
    pub fn of(prefix: &str) -> Self {
        let has = |text: &str| prefix.contains(text);
        if has("class StandIn") {
            Self::Class
        } else if has("MagicMock") || has("AsyncMock") {
            Self::Mock
        } else if ["SimpleNamespace(", "lambda", "nullcontext(", "defaultdict("]
            .into_iter()
            .any(has)
        {
            Self::Namespace
        } else if prefix.trim().is_empty() {
            Self::Nothing
        } else {
            Self::Plain
        }
    }

    /// Returns its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Plain => "plain values",
            Self::Namespace => "namespaces and lambdas",
            Self::Mock => "MagicMock",
            Self::Class => "a class",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_them_counts() {
        for (prefix, needs) in [
            ("", Needs::Nothing),
            ("import os\nx = 1\n", Needs::Plain),
            ("f = lambda *_: 1\n", Needs::Namespace),
            ("f = lambda *_: MagicMock()\n", Needs::Mock),
            (
                "class StandIn(str):\n    pass\nm = MagicMock()\n",
                Needs::Class,
            ),
        ] {
            assert_eq!(Needs::of(prefix), needs, "{prefix}");
        }
    }
}
