//! Which files of a project import which, by their import statements.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use codexec_data::syntax::with_parsed;
use codexec_plan::machine::Finder;
use ruff_python_ast::statement_visitor::{StatementVisitor, walk_stmt};
use ruff_python_ast::{Stmt, StmtImport, StmtImportFrom};

use super::{Files, Place, read};

/// Files and their importers.
#[derive(Debug, Default)]
pub struct Imports {
    importers: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl Imports {
    /// From these resolved paths. An unreadable file imports nothing.
    pub fn of(files: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for file in files {
            for imported in imported(file) {
                let importers = found.importers.entry(imported).or_default();
                importers.insert(file.clone());
            }
        }
        found
    }

    /// Files that import one of these, directly or indirectly.
    pub fn reaching<'p>(&self, files: impl IntoIterator<Item = &'p Path>) -> BTreeSet<PathBuf> {
        let mut open: Vec<PathBuf> = files.into_iter().map(Path::to_owned).collect();
        let mut found = BTreeSet::new();
        while let Some(file) = open.pop() {
            for importer in self.importers.get(&file).into_iter().flatten() {
                if found.insert(importer.clone()) {
                    open.push(importer.clone());
                }
            }
        }
        found
    }
}

/// Files of its project that a file imports.
fn imported(file: &Path) -> BTreeSet<PathBuf> {
    let Ok(text) = read(file) else {
        return BTreeSet::new();
    };
    let Ok(place) = Place::of_source(file, None, &text) else {
        return BTreeSet::new();
    };
    let mut names = Names {
        package: place
            .package
            .split('.')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect(),
        found: BTreeSet::new(),
    };
    let names = with_parsed(&text, |parsed| {
        names.visit_body(parsed.suite());
        names.found
    });
    let mut files = BTreeSet::new();
    for name in names.unwrap_or_default() {
        let ends = name.match_indices('.').map(|(at, _)| at);
        for end in ends.chain([name.len()]) {
            if let Ok(Some(found)) = Files.find(&place.root, &name[..end])
                && found.source.is_some()
                && let Ok(path) = place.root.join(&*found.path).canonicalize()
            {
                files.insert(path);
            }
        }
    }
    files.remove(file);
    files
}

/// Dotted names that import statements name.
struct Names {
    package: Vec<String>,
    found: BTreeSet<String>,
}

impl Names {
    fn import(&mut self, node: &StmtImport) {
        let names = node.names.iter().map(|alias| alias.name.to_string());
        self.found.extend(names);
    }

    fn import_from(&mut self, node: &StmtImportFrom) {
        let above = (node.level as usize).checked_sub(1);
        let base = match above.map(|above| self.package.len().checked_sub(above)) {
            None => Vec::new(),
            Some(Some(left)) => self.package[..left].to_vec(),
            Some(None) => return,
        };
        let module = node.module.as_ref().map(ToString::to_string);
        let base: Vec<String> = base.into_iter().chain(module).collect();
        let base = base.join(".");
        // An import from a package may be one of its modules.
        for alias in &node.names {
            let name = alias.name.as_str();
            self.found.insert(match (base.as_str(), name) {
                (base, "*") => base.to_owned(),
                ("", name) => name.to_owned(),
                (base, name) => format!("{base}.{name}"),
            });
        }
    }
}

impl StatementVisitor<'_> for Names {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(node) => self.import(node),
            Stmt::ImportFrom(node) => self.import_from(node),
            other => walk_stmt(self, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_reached_by_imports_of_all_kinds() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        let files = [
            ("core.py", "x = 1\n"),
            ("plain.py", "import core as c\n"),
            (
                "late.py",
                "def f():\n    if f:\n        from core import x\n",
            ),
            ("twice.py", "import plain\n"),
            ("pkg/__init__.py", ""),
            ("pkg/a.py", "from ..core import x\nfrom . import b\n"),
            ("pkg/b.py", "from pkg.sub.c import *\n"),
            ("pkg/sub/__init__.py", ""),
            ("pkg/sub/c.py", "from .. import d\n"),
            ("pkg/d.py", "import core\n"),
            ("other.py", "import os\nimport nothing\n"),
            ("broken.py", "import core\nx = (\n"),
        ];
        let paths: Vec<PathBuf> = files.iter().map(|(file, _)| top.join(file)).collect();
        for (path, (_, text)) in paths.iter().zip(files) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let imports = Imports::of(&paths);
        let reaching = |file: &str| {
            let found = imports.reaching([&*top.join(file)]);
            let found = found.iter().map(|path| path.strip_prefix(&top).unwrap());
            found
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            reaching("core.py"),
            [
                "late.py",
                "pkg/a.py",
                "pkg/b.py",
                "pkg/d.py",
                "pkg/sub/c.py",
                "plain.py",
                "twice.py"
            ]
        );
        assert_eq!(reaching("pkg/sub/__init__.py"), ["pkg/a.py", "pkg/b.py"]);
        assert_eq!(reaching("twice.py"), [""; 0]);
    }
}
