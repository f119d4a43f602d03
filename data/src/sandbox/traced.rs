//! Selects traced files by path patterns: those of a project without excluded ones, and additional ones. Planner and
//! tracer decide by the same regular expressions.

use fancy_regex::Regex;
use serde::{Deserialize, Serialize};

/// Path patterns. A pattern without `/` matches names of files and directories; one with it matches paths relative to
/// the root, a directory of modules, or one of packages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traced {
    /// Regular expressions of files outside the root that are traced.
    include: Vec<String>,
    /// Excluded files below the root.
    omit: Vec<String>,
}

impl Traced {
    /// By patterns as `*_test.py`, `shop/tax` or `**/generated`.
    ///
    /// # Errors
    /// Names the pattern and its error.
    pub fn new(include: &[String], omit: &[String]) -> Result<Self, String> {
        let all = |globs: &[String]| {
            let found = globs.iter().map(|glob| {
                let text = expression(glob);
                let wrong = |error| format!("the pattern `{glob}`: {error}");
                Regex::new(&text).map(|_| text).map_err(wrong)
            });
            found.collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            include: all(include)?,
            omit: all(omit)?,
        })
    }

    /// Whether a file outside the root is traced.
    pub fn includes(&self, path: &str) -> bool {
        matches(&self.include, path)
    }

    /// Whether a file below the root is not traced.
    pub fn omits(&self, path: &str) -> bool {
        matches(&self.omit, path)
    }
}

fn matches(expressions: &[String], path: &str) -> bool {
    expressions.iter().any(|text| {
        let found = Regex::new(text).and_then(|regex| regex.is_match(path));
        found.unwrap_or(false)
    })
}

/// The regular expression of a pattern, for Python as for Rust: it is looked for in a path.
fn expression(glob: &str) -> String {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let glob = glob.trim_end_matches('/');
    let mut text = match glob.contains('/') {
        true => "^".to_owned(),
        false => "(?:^|/)".to_owned(),
    };
    let mut rest = glob;
    while let Some(first) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("**/") {
            text.push_str("(?:.*/)?");
            rest = behind;
            continue;
        }
        if let Some(behind) = rest.strip_prefix("**") {
            text.push_str(".*");
            rest = behind;
            continue;
        }
        rest = &rest[first.len_utf8()..];
        match first {
            '*' => text.push_str("[^/]*"),
            '?' => text.push_str("[^/]"),
            '[' => match rest.split_once(']').filter(|(inside, _)| is_class(inside)) {
                Some((inside, behind)) => {
                    let inside = inside.replacen('!', "^", usize::from(inside.starts_with('!')));
                    text.push_str(&format!("[{inside}]"));
                    rest = behind;
                }
                None => text.push_str(r"\["),
            },
            plain if plain.is_alphanumeric() || plain == '_' || plain == '/' => text.push(plain),
            plain => text.extend(['\\', plain]),
        }
    }
    text + "(?:/|$)"
}

/// Whether brackets contain only characters and ranges.
fn is_class(inside: &str) -> bool {
    let inside = inside.strip_prefix('!').unwrap_or(inside);
    let plain = |c: char| c.is_alphanumeric() || "_-".contains(c);
    !inside.is_empty() && inside.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_for(glob: &str, path: &str) -> bool {
        let traced = Traced::new(&[glob.to_owned()], &[]).unwrap();
        traced.includes(path)
    }

    #[test]
    fn patterns_are_for_names_paths_and_directories() {
        for (glob, path) in [
            ("build", "build/a.py"),
            ("build/", "src/build/a.py"),
            ("*_pb2.py", "src/x_pb2.py"),
            ("src/*.py", "src/a.py"),
            ("src/gen", "src/gen/deep/a.py"),
            ("./src/**/t.py", "src/a/b/t.py"),
            ("**/t.py", "t.py"),
            ("a[0-9].py", "x/a1.py"),
            ("a[!0-9].py", "x/ab.py"),
            ("a+b.py", "a+b.py"),
            ("a[.py", "a[.py"),
        ] {
            assert!(is_for(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("build", "builds/a.py"),
            ("src/*.py", "src/a/b.py"),
            ("src/gen", "other/src/gen/a.py"),
            ("a.py", "abpy"),
            ("a[!0-9].py", "a1.py"),
            ("a+b.py", "aab.py"),
        ] {
            assert!(!is_for(glob, path), "{glob} {path}");
        }
        let wrong = Traced::new(&[], &["a[z-a].py".to_owned()]).unwrap_err();
        assert!(wrong.contains("`a[z-a].py`"), "{wrong}");
    }
}
