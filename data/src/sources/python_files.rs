//! Collects Python files below directories, whatever their bytes, as sources of statements.
//!
//! Unlike a corpus of programs these need not run, and need not even be whole: a library is as good.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{
    SourceError, Statement, Template, io_error, normalise_newlines, python_text, read_corpus,
    statements,
};

/// Which files of a directory count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileChoice {
    /// Those in directories called `test`, `tests` and the like.
    pub tests: bool,
    /// Installed packages: `site-packages` and `dist-packages`.
    pub packages: bool,
}

/// A text to collect from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PythonText {
    /// A file, and its name relative to the given path.
    File(PathBuf, String),
    /// A program of a corpus.
    Program {
        /// Its location.
        name: String,
        /// Its text.
        code: String,
        /// Its licence.
        licence: Option<String>,
    },
}

const TESTS: [&str; 4] = ["test", "tests", "idle_test", "testing"];
const PACKAGES: [&str; 2] = ["site-packages", "dist-packages"];

/// Endings of corpora.
const CORPUS: [&str; 4] = ["jsonl", "zst", "gz", "parquet"];

/// Everything that `paths` name, in order: files, directories of `.py`, and corpora in JSON
/// Lines(.zst).
///
/// # Errors
/// If a path cannot be read, or there is nothing to read in one.
pub fn python_texts(paths: &[PathBuf], choice: FileChoice) -> Result<Vec<PythonText>, SourceError> {
    let mut texts = Vec::new();
    for path in paths {
        let before = texts.len();
        if path.is_dir() {
            let mut files = Vec::new();
            walk(path, choice, &mut files)?;
            files.sort();
            texts.extend(files.into_iter().map(|file| {
                let name = file
                    .strip_prefix(path)
                    .unwrap_or(&file)
                    .display()
                    .to_string();
                PythonText::File(file, name)
            }));
        } else if path
            .extension()
            .is_some_and(|e| CORPUS.iter().any(|end| e == *end))
        {
            let programs = read_corpus(path)?;
            texts.extend(programs.into_iter().map(|program| PythonText::Program {
                name: program.source.unwrap_or(program.id),
                code: program.code,
                licence: program.licence,
            }));
        } else {
            fs::metadata(path).map_err(io_error(path))?;
            texts.push(PythonText::File(path.clone(), path.display().to_string()));
        }
        if texts.len() == before {
            return Err(SourceError::Empty {
                path: path.clone(),
                what: ".py",
            });
        }
    }
    Ok(texts)
}

fn walk(directory: &Path, choice: FileChoice, files: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    for entry in fs::read_dir(directory).map_err(io_error(directory))? {
        let entry = entry.map_err(io_error(directory))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(io_error(&path))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let left_out = (!choice.tests && TESTS.contains(&&*name))
            || (!choice.packages && PACKAGES.contains(&&*name));
        if kind.is_dir() && !left_out {
            walk(&path, choice, files)?;
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "py") {
            files.push(path);
        }
    }
    Ok(())
}

/// The results of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Collected {
    /// The statements, each once, in order of first occurrence; types are not known yet.
    pub templates: Vec<Template>,
    /// Statements seen, duplicates included.
    pub seen: usize,
    /// Texts that this parser cannot read as Python.
    pub unparsed: usize,
}

impl Collected {
    /// At most `count` of the templates, chosen by `seed`, in their order.
    pub fn some(self, count: usize, seed: u64) -> Vec<Template> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let total = self.templates.len();
        let mut chosen = rand::seq::index::sample(&mut rng, total, count.min(total)).into_vec();
        chosen.sort_unstable();
        let mut chosen = chosen.into_iter().peekable();
        let kept = |(at, template)| chosen.next_if_eq(&at).map(|_| template);
        self.templates
            .into_iter()
            .enumerate()
            .filter_map(kept)
            .collect()
    }
}

/// Collects the statements of all texts; two that differ only in blanks are one.
///
/// # Errors
/// If a file cannot be read.
pub fn collect_statements(
    texts: &[PythonText],
    source: &str,
    licence: Option<&str>,
    progress: &(dyn Fn() + Sync),
) -> Result<Collected, SourceError> {
    let mut collected = Collected::default();
    let mut index: HashMap<String, usize> = HashMap::new();
    // In parts, so that the statements of all files are never in memory together.
    for part in texts.chunks(256) {
        let found: Result<Vec<Option<Vec<Statement>>>, SourceError> = part
            .par_iter()
            .map(|text| {
                progress();
                statements_of(text)
            })
            .collect();
        for (text, found) in part.iter().zip(found?) {
            let Some(found) = found else {
                collected.unparsed += 1;
                continue;
            };
            collected.seen += found.len();
            for statement in found {
                let key: String = statement.text.split_whitespace().collect();
                match index.get(&key) {
                    Some(&at) => collected.templates[at].n += 1,
                    None => {
                        index.insert(key, collected.templates.len());
                        let template = template(statement, text, source, licence);
                        collected.templates.push(template);
                    }
                }
            }
        }
    }
    Ok(collected)
}

fn statements_of(text: &PythonText) -> Result<Option<Vec<Statement>>, SourceError> {
    Ok(match text {
        PythonText::File(path, _) => {
            let bytes = fs::read(path).map_err(io_error(path))?;
            // Text in an unknown encoding is not Python either.
            let source = python_text(bytes).ok().map(normalise_newlines);
            source.and_then(|source| statements(&source).ok())
        }
        PythonText::Program { code, .. } => statements(code).ok(),
    })
}

fn template(
    statement: Statement,
    text: &PythonText,
    source: &str,
    licence: Option<&str>,
) -> Template {
    let (source, licence) = match text {
        PythonText::File(_, name) if source.is_empty() => (name.clone(), licence),
        PythonText::File(_, name) => (format!("{source}: {name}"), licence),
        PythonText::Program { name, licence, .. } => (name.clone(), licence.as_deref()),
    };
    Template {
        stmt: statement.text,
        kind: Some(statement.kind.name().to_owned()),
        free: statement.free,
        stored: statement.stored,
        n: 1,
        src: vec![source],
        licence: licence.map(str::to_owned),
        types: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_counted_once_modulo_blanks_and_any_bytes_are_survived() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::create_dir_all(path("pkg/tests")).unwrap();
        fs::create_dir_all(path("site-packages")).unwrap();
        fs::write(path("a.py"), "x = y+1\nz = y\n").unwrap();
        fs::write(path("pkg/b.py"), "\u{feff}x  = y + 1\r\n").unwrap();
        fs::write(path("pkg/broken.py"), b"\xff\xfe\x00x = = \x80").unwrap();
        fs::write(path("pkg/tests/c.py"), "t = y\n").unwrap();
        fs::write(path("site-packages/d.py"), "p = y\n").unwrap();
        let root = [directory.path().to_owned()];
        let texts = python_texts(&root, FileChoice::default()).unwrap();
        let collected = collect_statements(&texts, "lib", Some("MIT"), &|| ()).unwrap();
        assert_eq!((collected.seen, collected.unparsed), (3, 1));
        let found: Vec<(&str, usize)> = collected
            .templates
            .iter()
            .map(|t| (t.stmt.as_str(), t.n))
            .collect();
        assert_eq!(found, [("x = y+1", 2), ("z = y", 1)]);
        assert_eq!(collected.templates[0].src, ["lib: a.py"]);
        let all = FileChoice {
            tests: true,
            packages: true,
        };
        assert_eq!(python_texts(&root, all).unwrap().len(), 5);
    }

    #[test]
    fn nothing_to_read_is_an_error_that_names_it() {
        let directory = tempfile::tempdir().unwrap();
        for path in [
            directory.path().to_owned(),
            directory.path().join("missing.py"),
        ] {
            let error =
                python_texts(std::slice::from_ref(&path), FileChoice::default()).unwrap_err();
            assert!(
                error.to_string().contains(&path.display().to_string()),
                "{error}"
            );
        }
    }
}
