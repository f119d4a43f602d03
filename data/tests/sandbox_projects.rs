//! What a program of a project sees of its root and of what is around it, and that nothing of it changes.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use codexec_data::sandbox::{Layer, Pool, PoolConfig, SandboxError};
use codexec_data::trace::{Outcome, Program};

fn pool(without: &[Layer]) -> Pool {
    let config = PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    };
    Pool::without_layers(config, without).unwrap()
}

fn program(root: &Path, source: &str) -> Program {
    fs::write(root.join("main.py"), source).unwrap();
    Program {
        id: "main.py".into(),
        source: Some(source.into()),
        root: Some(root.canonicalize().unwrap()),
        ..Program::default()
    }
}

/// A root beside a secret, with links that lead out of it.
fn place() -> (tempfile::TempDir, std::path::PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("root");
    fs::create_dir_all(root.join("sub")).unwrap();
    fs::create_dir(place.path().join("secret")).unwrap();
    fs::write(place.path().join("secret/text"), "secret").unwrap();
    fs::write(place.path().join("outside.py"), "x = 'outside'\n").unwrap();
    symlink("../secret/text", root.join("link")).unwrap();
    symlink(place.path().join("secret"), root.join("directory")).unwrap();
    symlink("../outside.py", root.join("outside.py")).unwrap();
    symlink("sub/inner", root.join("inside")).unwrap();
    fs::write(root.join("sub/inner"), "inner").unwrap();
    (place, root)
}

/// What is tried prints `no` where it fails: nothing else may be printed.
const TRIED: &str = "\
import os, socket

def tried(name, function):
    try:
        print(name, function())
    except (OSError, ImportError):
        print(name, 'no')

here = os.getcwd()
above = os.path.dirname(here)
tried('link', lambda: open('link').read())
tried('directory', lambda: os.listdir('directory'))
tried('above', lambda: os.listdir('..'))
tried('beside', lambda: open('../secret/text').read())
tried('absolute', lambda: open(above + '/secret/text').read())
tried('outside', lambda: __import__('outside'))
tried('descriptor', lambda: os.open(above + '/secret/text', os.O_RDONLY))
tried('socket', lambda: socket.socket(socket.AF_UNIX))
tried('made', lambda: os.mkdir(above + '/made'))
tried('renamed', lambda: os.rename('sub/inner', above + '/inner'))
tried('linked', lambda: os.symlink('/etc/passwd', 'passwd'))
print('inside', open('inside').read())
";

#[test]
fn nothing_beside_a_root_is_seen_with_either_guard_of_files() {
    for without in [&[][..], &[Layer::Landlock], &[Layer::FileTree]] {
        let pool = pool(without);
        let (place, root) = place();
        let trace = pool.run(&program(&root, TRIED)).unwrap();
        let output = trace.output();
        assert_eq!(trace.outcome, Outcome::Finished, "{output}");
        for line in output.lines() {
            // Of the directories above a root there is nothing in the private tree but the way to it.
            let allowed =
                ["inside inner", "above ['root']"].contains(&line) || line.ends_with(" no");
            assert!(allowed, "{line} without {without:?}");
        }
        assert_eq!(output.lines().count(), 12);
        assert!(!place.path().join("made").exists());
    }
}

#[test]
fn what_a_program_changes_it_sees_and_nobody_else_does() {
    let (_place, root) = place();
    fs::write(root.join("data.txt"), "one\n").unwrap();
    let source = "\
import os
from pathlib import Path
with open('data.txt', 'a') as file:
    file.write('two\\n')
print(Path('data.txt').read_text().split())
os.remove('sub/inner')
print(os.path.exists('sub/inner'), os.listdir('sub'))
os.rename('data.txt', 'sub/moved.txt')
print(sorted(p.name for p in Path('sub').iterdir()), os.path.exists('data.txt'))
with open('sub/inner', 'x') as file:
    file.write('again')
print(open('sub/inner').read())
os.chdir('sub')
print(os.path.basename(os.getcwd()), open('inner').read(), os.listdir('.'))
print(open('../main.py').readline().strip())
";
    let trace = pool(&[]).run(&program(&root, source)).unwrap();
    let output = "['one', 'two']\nFalse []\n['moved.txt'] False\nagain\nsub again ['moved.txt', 'inner']\nimport os\n";
    assert_eq!(trace.outcome, Outcome::Finished);
    assert_eq!(trace.output(), output);
    assert_eq!(fs::read_to_string(root.join("data.txt")).unwrap(), "one\n");
    assert_eq!(fs::read_to_string(root.join("sub/inner")).unwrap(), "inner");
}

#[test]
fn a_worker_sees_the_root_of_its_program_alone() {
    let pool = pool(&[]);
    let (_one, first) = place();
    let (_two, second) = place();
    let source =
        format!("import os\nprint(os.path.exists({first:?}), os.path.exists({second:?}))\n");
    let alone = Program {
        source: Some(source.clone()),
        ..Program::default()
    };
    let output = |program: &Program| pool.run(program).unwrap().output();
    assert_eq!(output(&program(&first, &source)), "True False\n");
    assert_eq!(output(&program(&second, &source)), "False True\n");
    assert_eq!(output(&alone), "False False\n");
    assert_eq!(output(&program(&first, &source)), "True False\n");
}

#[test]
fn modules_shadow_the_library_as_in_a_directory_of_its_own() {
    let (_place, root) = place();
    fs::write(root.join("queue.py"), "class Empty(Exception):\n    pass\n").unwrap();
    fs::write(root.join("io.py"), "1 / 0\n").unwrap();
    let source = "import io, queue, sys\nprint(hasattr(io, 'StringIO'), hasattr(queue, 'Queue'), sys.argv)\n";
    let mut program = program(&root, source);
    program.arguments = vec!["--n".into(), "3".into()];
    let trace = pool(&[]).run(&program).unwrap();
    assert_eq!(trace.output(), "True False ['main.py', '--n', '3']\n");
    let paths: Vec<&str> = trace.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["main.py", "queue.py"]);
}

#[test]
fn the_root_of_the_machine_is_refused() {
    let program = Program {
        root: Some("/".into()),
        ..program(&place().1, "pass\n")
    };
    let refused = pool(&[]).run(&program);
    assert!(matches!(refused, Err(SandboxError::UnsuitableRoot { .. })));
}
