//! Mutants of real files compile under CPython, which refuses more than the grammar here does.
//!
//! Skipped, saying so, without `python3` or its standard library.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

mod support;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use codexec_mutate::{Config, Mutator};

/// Reads `\0`-terminated programs: parents that begin with `\x01`, then their mutants. Prints the
/// error and the text of every mutant that does not compile though its parent does.
const CHECK: &str = r#"
import sys, warnings
warnings.simplefilter("ignore")
def error(text):
    try:
        compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as e:
        return f"{type(e).__name__}: {e}\n{getattr(e, 'text', '')}"
checked = 0
for text in sys.stdin.buffer.read().decode().split("\0")[:-1]:
    if text.startswith("\x01"):
        fine = error(text[1:]) is None
    elif fine:
        checked += 1
        if why := error(text):
            print(why)
print("checked", checked)
"#;

#[test]
fn mutants_compile_under_cpython() {
    let Some(mut paths) = support::stdlib() else {
        return;
    };
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let own = std::fs::read_dir(fixtures)
        .unwrap()
        .map(|e| e.unwrap().path());
    let every: usize = std::env::var("CODEXEC_EVERY").map_or(8, |n| n.parse().unwrap());
    paths = own.chain(paths.into_iter().step_by(every)).collect();
    let python = Command::new("python3")
        .args(["-c", CHECK])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else {
        println!("skipped: no python3 here");
        return;
    };
    let mut stdin = python.stdin.take().unwrap();
    for path in paths {
        let Ok(source) = std::fs::read_to_string(path) else {
            continue;
        };
        let Ok(mutants) = Mutator::new(Config::default()).mutants(&source, 11) else {
            continue;
        };
        if source.contains('\0') {
            continue;
        }
        let count = (20_000 / source.len().max(1)).clamp(1, 40);
        write!(stdin, "\x01{source}\0").unwrap();
        for mutant in mutants.take(count) {
            write!(stdin, "{}\0", mutant.text).unwrap();
        }
    }
    drop(stdin);
    let printed = String::from_utf8(python.wait_with_output().unwrap().stdout).unwrap();
    let (wrong, checked) = printed.rsplit_once("checked ").unwrap();
    println!("{checked} mutants compiled");
    assert!(checked.trim().parse::<usize>().unwrap() > 100, "{printed}");
    assert_eq!(wrong, "");
}
