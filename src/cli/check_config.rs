//! The table `[tool.codexec]` of the nearest `pyproject.toml`: which files `codexec check` reads
//! and what it reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use glob::{MatchOptions, Pattern};
use serde::Deserialize;
use toml::{Spanned, Value};

/// The keys of the table.
const KEYS: [&str; 5] = ["include", "exclude", "select", "ignore", "packages"];

/// Which parts of a project are checked and reported.
#[derive(Debug, Clone, Default)]
pub(super) struct Config {
    /// Files to check within directories; all `.py` files if empty.
    pub include: Globs,
    /// Files and directories to skip.
    pub exclude: Globs,
    /// Kinds of errors to report; all if empty.
    pub select: Vec<String>,
    /// Kinds of errors to ignore.
    pub ignore: Vec<String>,
    /// Installed packages whose modules are also executed.
    pub packages: Vec<String>,
}

/// Path patterns relative to a directory.
#[derive(Debug, Clone, Default)]
pub(super) struct Globs {
    base: PathBuf,
    patterns: Vec<Pattern>,
}

impl Globs {
    /// Path patterns relative to the working directory.
    pub(super) fn here(patterns: &[Pattern]) -> anyhow::Result<Self> {
        Ok(Self {
            base: Path::new(".").canonicalize().context(".")?,
            patterns: patterns.to_vec(),
        })
    }

    /// Whether a pattern matches a resolved path or one of its parent directories. A pattern
    /// without `/` matches names.
    fn are_for(&self, path: &Path) -> bool {
        let options = MatchOptions {
            require_literal_separator: true,
            ..MatchOptions::default()
        };
        let below = path.strip_prefix(&self.base).unwrap_or(path);
        let parts = below
            .ancestors()
            .filter(|part| !part.as_os_str().is_empty());
        let parts: Vec<&Path> = parts.collect();
        self.patterns.iter().any(|pattern| {
            let is_name = !pattern.as_str().contains('/');
            parts.iter().any(|part| {
                let name = part.file_name().map(Path::new).filter(|_| is_name);
                pattern.matches_path_with(name.unwrap_or(part), options)
            })
        })
    }
}

#[derive(Debug, Deserialize)]
struct Document {
    tool: Option<Tools>,
}

#[derive(Debug, Deserialize)]
struct Tools {
    codexec: Option<Spanned<Value>>,
}

/// The table again, with the spans of its keys.
#[derive(Debug, Deserialize)]
struct Placed {
    tool: PlacedTools,
}

#[derive(Debug, Deserialize)]
struct PlacedTools {
    codexec: BTreeMap<Spanned<String>, Spanned<Value>>,
}

impl Config {
    /// The table of the nearest `pyproject.toml` that has one, in a path's directory or above.
    ///
    /// # Errors
    /// Names the file, the line and the key.
    pub(super) fn nearest(path: &Path) -> anyhow::Result<Self> {
        let Ok(real) = path.canonicalize() else {
            // A missing file is reported where it is read.
            return Ok(Self::default());
        };
        for directory in real.ancestors() {
            let file = directory.join("pyproject.toml");
            if file.is_file()
                && let Some(config) = Self::of_file(&file)?
            {
                return Ok(config);
            }
        }
        Ok(Self::default())
    }

    fn of_file(file: &Path) -> anyhow::Result<Option<Self>> {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        // Other tools report their own tables.
        if !text.contains("codexec") {
            return Ok(None);
        }
        let at = |span: Option<std::ops::Range<usize>>| {
            let before = span.and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            format!("{}:{line}", file.display())
        };
        let error = |error: toml::de::Error| {
            anyhow::anyhow!("{}: {}", at(error.span()), error.message().trim_end())
        };
        let document: Document = toml::from_str(&text).map_err(error)?;
        let Some(table) = document.tool.and_then(|tool| tool.codexec) else {
            return Ok(None);
        };
        if !table.get_ref().is_table() {
            let kind = table.get_ref().type_str();
            let place = at(Some(table.span()));
            bail!("{place}: tool.codexec: expected a table, found a value of type {kind}");
        }
        let placed: Placed = toml::from_str(&text).map_err(error)?;
        let base = file.parent().unwrap_or(Path::new("/"));
        let mut config = Self::default();
        for (key, value) in placed.tool.codexec {
            let place = format!("{}: tool.codexec.{}", at(Some(key.span())), key.get_ref());
            if !KEYS.contains(&key.get_ref().as_str()) {
                bail!("{place}: no such key; there are {}", KEYS.join(", "));
            }
            let texts = texts(value.get_ref()).map_err(|kind| {
                let place = format!("{}: tool.codexec.{}", at(Some(value.span())), key.get_ref());
                anyhow::anyhow!("{place}: expected a list of strings, found a value of type {kind}")
            })?;
            let globs = || -> anyhow::Result<Globs> {
                let patterns = texts.iter().map(|text| pattern(text));
                let patterns: Result<_, _> = patterns.collect();
                Ok(Globs {
                    base: base.to_owned(),
                    patterns: patterns.map_err(|why| anyhow::anyhow!("{place}: {why}"))?,
                })
            };
            match key.get_ref().as_str() {
                "include" => config.include = globs()?,
                "exclude" => config.exclude = globs()?,
                "select" => config.select = texts,
                "ignore" => config.ignore = texts,
                _ => config.packages = texts,
            }
        }
        Ok(Some(config))
    }

    /// Whether a file in a directory is checked.
    pub(super) fn covers(&self, file: &Path) -> bool {
        let real = file.canonicalize();
        let real = real.as_deref().unwrap_or(file);
        let included = self.include.patterns.is_empty() || self.include.are_for(real);
        included && !self.excludes(real)
    }

    /// Whether a file is excluded, given its resolved path.
    pub(super) fn excludes(&self, file: &Path) -> bool {
        self.exclude.are_for(file)
    }

    /// Whether a kind of error is reported.
    pub(super) fn reports(&self, kind: &str) -> bool {
        let names = |kinds: &[String]| kinds.iter().any(|one| one == kind);
        (self.select.is_empty() || names(&self.select)) && !names(&self.ignore)
    }
}

/// The strings of a list, or the type of an item that is not a string.
fn texts(value: &Value) -> Result<Vec<String>, &'static str> {
    let all = value.as_array().ok_or(value.type_str())?;
    let text = |one: &Value| one.as_str().map(str::to_owned).ok_or(one.type_str());
    all.iter()
        .map(text)
        .collect::<Result<_, _>>()
        .map_err(|kind| match kind {
            "integer" => "list with an integer",
            "float" => "list with a float",
            "boolean" => "list with a boolean",
            "table" => "list with a table",
            "array" => "list with a list",
            _ => "list with a date",
        })
}

/// A pattern of paths, as on the command line.
pub(super) fn pattern(text: &str) -> Result<Pattern, String> {
    let plain = text
        .strip_prefix("./")
        .unwrap_or(text)
        .trim_end_matches('/');
    Pattern::new(plain).map_err(|error| format!("the pattern `{text}`: {}", error.msg))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Config>, String> {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("pyproject.toml");
        std::fs::write(&file, text).unwrap();
        let before = format!("{}:", file.display());
        let said = |error: anyhow::Error| error.to_string().replace(&before, "");
        Config::of_file(&file).map_err(said)
    }

    #[test]
    fn wrong_keys_and_types_are_named_with_their_line() {
        for (text, wanted) in [
            (
                "[tool.codexec]\nexlude = []\n",
                "2: tool.codexec.exlude: no such key",
            ),
            (
                "[tool.codexec]\n\nselect = 'KeyError'\n",
                "3: tool.codexec.select: expected a list of strings",
            ),
            (
                "[tool.codexec]\nignore = [1]\n",
                "2: tool.codexec.ignore: expected a list of strings, found a value of type list with an integer",
            ),
            (
                "[tool.codexec]\nexclude = ['a[']\n",
                "2: tool.codexec.exclude: the pattern `a[`",
            ),
            ("[tool]\ncodexec = 1\n", "2: tool.codexec: expected a table"),
            ("[project]\nname = 'codexec\n", "2: "),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
        assert!(read("[tool.ruff]\nline-length = 1\n").unwrap().is_none());
        assert!(read("").unwrap().is_none());
        assert!(read("{{ name }}\n").unwrap().is_none());
        let config = read("[tool.codexec]\nselect = ['KeyError']\n").unwrap();
        let config = config.unwrap();
        assert!(config.reports("KeyError") && !config.reports("IndexError"));
    }

    #[test]
    fn patterns_are_for_paths_directories_and_names() {
        let globs = |text: &str| Globs {
            base: "/p".into(),
            patterns: vec![pattern(text).unwrap()],
        };
        for (text, path) in [
            ("build", "/p/build/a.py"),
            ("build/", "/p/src/build/a.py"),
            ("*_pb2.py", "/p/src/x_pb2.py"),
            ("src/*.py", "/p/src/a.py"),
            ("src/gen", "/p/src/gen/deep/a.py"),
            ("./src/**/t.py", "/p/src/a/b/t.py"),
        ] {
            assert!(globs(text).are_for(Path::new(path)), "{text} {path}");
        }
        for (text, path) in [
            ("build", "/p/builds/a.py"),
            ("src/*.py", "/p/src/a/b.py"),
            ("src/gen", "/p/other/src/gen/a.py"),
            ("p", "/p/a.py"),
        ] {
            assert!(!globs(text).are_for(Path::new(path)), "{text} {path}");
        }
    }
}
