//! `codexec check` of projects: modules that import each other, what of a project is checked, what is reported.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::{codexec, stderr, stdout, written};

/// Runs `codexec check` in a directory.
fn check_in(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = codexec();
    command.current_dir(directory).arg("check").args(arguments);
    command.output().unwrap()
}

fn document(directory: &Path, arguments: &[&str]) -> Value {
    let run = check_in(directory, &[arguments, &["--json"]].concat());
    let is_known = run.status.code().is_some_and(|code| code < 2);
    assert!(is_known, "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).unwrap()
}

/// `file line kind` of all findings.
fn found(document: &Value) -> Vec<String> {
    let mut all = Vec::new();
    for file in document["files"].as_array().unwrap() {
        for finding in file["findings"].as_array().unwrap() {
            let (path, kind) = (file["path"].as_str().unwrap(), &finding["kind"]);
            let kind = kind.as_str().unwrap();
            all.push(format!("{path} {} {kind}", finding["line"]));
        }
    }
    all
}

/// A copy of the project among the fixtures.
fn project() -> TempDir {
    let dir = tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/check_projects");
    for place in ["", "shop"] {
        fs::create_dir_all(dir.path().join(place)).unwrap();
        for entry in fs::read_dir(from.join(place)).unwrap() {
            let file = entry.unwrap().path();
            let is_program = file.extension().is_some_and(|end| end == "py");
            if is_program && !file.ends_with("make_expected.py") {
                let name = Path::new(place).join(file.file_name().unwrap());
                fs::copy(&file, dir.path().join(name)).unwrap();
            }
        }
    }
    dir
}

/// `make_expected.py` wrote what CPython says.
#[test]
fn errors_are_found_once_in_the_files_where_they_are() {
    let dir = project();
    let expected = include_str!("../fixtures/check_projects/expected.txt");
    let mut wanted: Vec<&str> = expected
        .lines()
        .filter_map(|line| line.split_once(" raises ").map(|(_, place)| place))
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let all = document(dir.path(), &["."]);
    assert_eq!(found(&all), wanted);
    let paths = all["files"].as_array().unwrap().iter();
    let paths: Vec<&str> = paths.map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths.len(), 7, "{paths:?}");
    let sarif: Value =
        serde_json::from_str(&stdout(&check_in(dir.path(), &[".", "--format", "sarif"]))).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "shop/prices.py");
    assert_eq!(results.len(), wanted.len());
}

#[test]
fn an_error_in_a_module_that_is_not_checked_itself_is_attributed_to_it() {
    let dir = project();
    let all = document(dir.path(), &["report.py"]);
    assert_eq!(found(&all), ["shop/prices.py 5 ZeroDivisionError"]);
    let run = check_in(dir.path(), &["report.py", "again.py"]);
    let text = stdout(&run);
    assert_eq!(text.matches("ZeroDivisionError").count(), 1, "{text}");
    assert!(
        text.starts_with("shop/prices.py:5:12: ZeroDivisionError (99 %): division by zero"),
        "{text}"
    );
    assert!(text.contains("sum(values) / len(values)"), "{text}");
    let run = check_in(dir.path(), &["report.py", "--format", "github"]);
    assert!(stdout(&run).starts_with("::error file=shop/prices.py,line=5,col=12"));
    let alone = document(dir.path(), &["report.py", "--root", "none"]);
    assert!(found(&alone).is_empty());
    let notes = alone["files"][0]["notes"].as_array().unwrap();
    assert!(notes[0]["text"].as_str().unwrap().contains("shop"));
    let run = check_in(dir.path(), &["report.py", "--root", "nowhere"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(stderr(&run).contains("--root nowhere"), "{}", stderr(&run));
}

#[test]
fn a_statement_that_cannot_be_followed_is_a_note_of_its_file_alone() {
    let dir = project();
    let all = document(dir.path(), &["."]);
    for file in all["files"].as_array().unwrap() {
        let path = file["path"].as_str().unwrap();
        let notes = file["notes"].as_array().unwrap();
        assert_eq!(
            notes.is_empty(),
            path != "shop/rates.py",
            "{path} {notes:?}"
        );
    }
}

#[test]
fn nothing_is_known_of_what_a_left_out_statement_may_have_changed() {
    let dir = tempdir().unwrap();
    let source = "\
import nothing_known

ITEMS = []
TABLE = {}
LIMIT = 0

def fill(flag):
    global LIMIT
    if flag:
        ITEMS.append(1)
        LIMIT = 5

if nothing_known.flag:
    fill(True)

def first():
    return ITEMS[0]

def share():
    return 10 // LIMIT

def price():
    return TABLE['a']
";
    written(dir.path(), "a.py", source);
    let all = document(dir.path(), &["a.py"]);
    assert_eq!(found(&all), ["a.py 23 KeyError"]);
    let notes = all["files"][0]["notes"].to_string();
    assert!(
        notes.contains("not checked: a value of nothing_known would decide"),
        "{notes}"
    );
    // Of the program itself no end is told.
    assert!(
        all["files"][0]["end"].is_null(),
        "{}",
        all["files"][0]["end"]
    );
}

#[test]
fn a_package_that_raises_hides_nothing_of_its_modules() {
    let dir = tempdir().unwrap();
    let top = dir.path();
    fs::create_dir_all(top.join("pkg")).unwrap();
    written(
        &top.join("pkg"),
        "__init__.py",
        "VERSION = '1.x'.split('.')[2]\n",
    );
    let core = "from . import other\n\ndef half(n: int):\n    return other.TWO + 'a'\n";
    written(&top.join("pkg"), "core.py", core);
    written(&top.join("pkg"), "other.py", "TWO = 2\n");
    let wanted = ["pkg/__init__.py 1 IndexError", "pkg/core.py 4 TypeError"];
    assert_eq!(found(&document(top, &["."])), wanted);
}

#[test]
fn the_table_in_pyproject_says_what_is_checked_and_options_override_it() {
    let dir = project();
    let top = dir.path();
    let table = "[tool.codexec]\nexclude = ['shop/rates.py', 'again.py']\nignore = ['TypeError']\n";
    written(top, "pyproject.toml", table);
    let all = document(top, &["."]);
    assert_eq!(found(&all), ["shop/prices.py 5 ZeroDivisionError"]);
    assert_eq!(all["files"].as_array().unwrap().len(), 5);
    // From another directory, and below the one with the table.
    assert_eq!(
        document(&top.join("shop"), &["."])["files"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let all = document(
        top,
        &[".", "--ignore", "ZeroDivisionError", "--exclude", "r*.py"],
    );
    assert_eq!(found(&all), ["shop/prices.py 9 TypeError"]);
    let all = document(
        top,
        &[".", "--include", "shop", "--select", "IndexError,TypeError"],
    );
    assert!(
        found(&all).is_empty(),
        "the file is excluded, the kind ignored"
    );
    // A file that is named is checked.
    let all = document(top, &["shop/rates.py"]);
    assert_eq!(found(&all), ["shop/rates.py 14 IndexError"]);
}

#[test]
fn a_wrong_table_is_refused_with_its_place() {
    let dir = project();
    for (table, wanted) in [
        (
            "[tool.codexec]\nselect = 'TypeError'\n",
            "pyproject.toml:2: tool.codexec.select: expected a list of strings",
        ),
        (
            "[tool.codexec]\nexlude = []\n",
            "pyproject.toml:2: tool.codexec.exlude: no such key; there are include",
        ),
        ("[tool.codexec]\ninclude = [\n", "pyproject.toml:2: "),
        (
            "[tool.codexec]\npackages = ['nothing_of_that_name']\n",
            "packages: no",
        ),
    ] {
        written(dir.path(), "pyproject.toml", table);
        let mut command = codexec();
        command.current_dir(dir.path()).args(["check", "."]);
        command
            .env("VIRTUAL_ENV", dir.path())
            .env("RAYON_NUM_THREADS", "1");
        fs::create_dir_all(dir.path().join("lib")).unwrap();
        let run = command.output().unwrap();
        let said = stderr(&run);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains(wanted) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn installed_packages_are_followed_where_they_are_named() {
    let dir = tempdir().unwrap();
    let site = dir.path().join("env/lib/python3.11/site-packages");
    fs::create_dir_all(&site).unwrap();
    written(
        &site,
        "counted.py",
        "def count():\n    return 3\n\ndef bad():\n    return 1 / 0\n",
    );
    written(
        dir.path(),
        "a.py",
        "import counted\nprint([][counted.count()])\n",
    );
    let check = |more: &[&str]| {
        let mut command = codexec();
        command
            .current_dir(dir.path())
            .args(["check", "a.py", "--json"])
            .args(more);
        let run = command
            .env("VIRTUAL_ENV", dir.path().join("env"))
            .output()
            .unwrap();
        found(&serde_json::from_str(&stdout(&run)).unwrap())
    };
    assert!(check(&[]).is_empty());
    assert_eq!(check(&["--packages", "counted"]), ["a.py 2 IndexError"]);
}

#[test]
fn comments_hide_findings_of_their_line() {
    let dir = tempdir().unwrap();
    let source = "\
def f(n: int):
    return n + 'a'  # codexec: ignore

def g(n: int):
    return n + 'a'  # codexec: ignore[TypeError]

def h(n: int):
    return n + 'a'  # codexec: ignore[KeyError]
";
    written(dir.path(), "a.py", source);
    assert_eq!(
        found(&document(dir.path(), &["a.py"])),
        ["a.py 8 TypeError"]
    );
}

#[test]
fn a_baseline_hides_what_it_has_wherever_the_lines_move() {
    let dir = tempdir().unwrap();
    let source = "def f(n: int):\n    return n + 'a'\n";
    written(dir.path(), "a.py", source);
    let with = ["a.py", "--baseline", "known.json"];
    let run = check_in(dir.path(), &with);
    assert_eq!(run.status.code(), Some(2));
    assert!(
        stderr(&run).contains("--write-baseline writes it"),
        "{}",
        stderr(&run)
    );
    let run = check_in(dir.path(), &[&with[..], &["--write-baseline"]].concat());
    assert_eq!((run.status.code(), stdout(&run).as_str()), (Some(0), ""));
    assert!(
        stderr(&run).contains("1 finding in known.json"),
        "{}",
        stderr(&run)
    );
    let run = check_in(dir.path(), &with);
    assert_eq!((run.status.code(), stdout(&run).as_str()), (Some(0), ""));
    assert!(
        stderr(&run).contains("1 other in the baseline"),
        "{}",
        stderr(&run)
    );
    written(dir.path(), "a.py", format!("import os\n\n{source}"));
    assert_eq!(check_in(dir.path(), &with).status.code(), Some(0));
    // A second one of the same text is new, and so is one of another text.
    let more = format!("{source}\ndef g(n: int):\n    return n + 'a'\n");
    written(dir.path(), "a.py", &more);
    assert_eq!(found(&document(dir.path(), &with)), ["a.py 5 TypeError"]);
    for (text, wanted) in [
        (
            "{\"version\": 1,\n\"findings\": 3}",
            "known.json:2: not a baseline",
        ),
        (
            "{\"version\": 9, \"findings\": []}",
            "known.json: version 9",
        ),
    ] {
        written(dir.path(), "known.json", text);
        let run = check_in(dir.path(), &with);
        assert_eq!(run.status.code(), Some(2));
        assert!(stderr(&run).contains(wanted), "{}", stderr(&run));
    }
}

#[test]
fn quiet_says_what_was_found_and_nothing_else() {
    let dir = project();
    let run = check_in(dir.path(), &[".", "--quiet"]);
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(stderr(&run), "");
    let text = stdout(&run);
    assert!(
        text.contains("ZeroDivisionError") && !text.contains("note:"),
        "{text}"
    );
    let run = check_in(dir.path(), &["fine.py", "-q"]);
    let all = (run.status.code(), stdout(&run), stderr(&run));
    assert_eq!(all, (Some(0), String::new(), String::new()));
}

/// What a made-up call lacks, or what a program does without, is no error of the program.
#[test]
fn what_a_made_up_call_lacks_is_not_reported() {
    let dir = tempdir().unwrap();
    let source = "\
import sys
import importlib

try:
    import nobody_has_this
except ImportError:
    nobody_has_this = None

def first(*values):
    return next(iter(values))

def handled():
    return sys.exc_info()[2].tb_next

def loaded(name: str):
    return importlib.import_module(name)

def method(kind: str):
    return getattr([], kind)

class Mixin:
    kinds = None
    def keep(self, key: str):
        self['a'].append(key)

class Node:
    def text(self):
        return self.kind

class Leaf(Node):
    kind = 3

def wrong(count: int):
    return 'n' + count

if nobody_has_this is None:
    raise ImportError('nobody_has_this is needed')
";
    written(dir.path(), "a.py", source);
    let all = document(dir.path(), &["a.py"]);
    assert!(found(&all).is_empty(), "{:?}", found(&all));
    let without = source.rsplit_once("\nif nobody").unwrap().0;
    written(dir.path(), "a.py", without);
    assert_eq!(
        found(&document(dir.path(), &["a.py"])),
        ["a.py 34 TypeError"]
    );
}

/// What one file says of its own is not all: others of the project bind attributes, define methods, call its functions, and
/// stand in for packages.
#[test]
fn the_rest_of_the_project_is_looked_at() {
    let dir = tempdir().unwrap();
    let at = |name: &str, text: &str| written(dir.path(), name, text);
    at("README.md", "");
    at(
        "shim.py",
        "try:\n    from fastapi import Router\nexcept ImportError:\n    class Router:\n        pass\n",
    );
    at(
        "health.py",
        "from shim import Router\nrouter = Router(tags=['a'])\n",
    );
    let window = "class Window:\n    SCALE = 0\n\nclass Base:\n    def __init__(self, width):\n        self.width = width\n    def draw(self):\n        return self.drawn(self.width)\n";
    at("window.py", window);
    let tiles =
        "from window import Window\n\ndef tiles(width: int):\n    return width // Window.SCALE\n";
    at("tiles.py", tiles);
    at(
        "main.py",
        "from window import Window, Base\nWindow.SCALE = 2\nclass Sky(Base):\n    def drawn(self, width):\n        return width\n",
    );
    // A name that no file binds is missing all the same.
    at(
        "wrong.py",
        "def shown(width: int):\n    return width + hieght\n",
    );
    let all = document(dir.path(), &["."]);
    assert_eq!(found(&all), ["wrong.py 2 NameError"]);
}

#[test]
fn a_module_is_checked_as_python_executes_it_by_name() {
    let dir = tempdir().unwrap();
    fs::create_dir_all(dir.path().join("shop")).unwrap();
    written(dir.path(), "shop/rates.py", "rates = [1]\n");
    // It imports from its package, which has no `__init__.py`, and raises only where it is executed.
    let report = "from .rates import rates\n\nif __name__ == '__main__':\n    print(rates[1])\n";
    written(dir.path(), "shop/report.py", report);
    written(dir.path(), "shop/__main__.py", "print(1 // 0)\n");
    let of = |module: &str| found(&document(dir.path(), &["-m", module]));
    assert_eq!(of("shop.report"), ["shop/report.py 4 IndexError"]);
    assert_eq!(of("shop"), ["shop/__main__.py 1 ZeroDivisionError"]);
    for wrong in [
        vec!["-m", "nowhere"],
        vec!["-m", "shop.report", "shop/rates.py"],
    ] {
        let run = check_in(dir.path(), &wrong);
        assert_eq!(run.status.code(), Some(2), "{wrong:?}");
    }
    let run = check_in(&dir.path().join("shop"), &["-m", "shop", "--root", ".."]);
    assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
}
