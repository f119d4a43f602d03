//! What programs import of installed packages and of directories of modules, native code among it.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use codexec_data::sandbox::{Packages, Pool, PoolConfig, interpreter};
use codexec_data::trace::{Outcome, Program, Trace};

fn run(packages: Packages, root: Option<&Path>, source: &str) -> Trace {
    let config = PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        packages,
        ..PoolConfig::default()
    };
    let program = Program {
        id: "main.py".into(),
        source: Some(source.into()),
        root: root.map(|root| root.canonicalize().unwrap()),
        ..Program::default()
    };
    Pool::new(config).unwrap().run(&program).unwrap()
}

/// An extension that uses what a C++ compiler brings along.
const EXTENSION: &str = r#"
#include <Python.h>
#include <stdexcept>
#include <string>
static PyObject *said(PyObject *, PyObject *) {
    std::string text = "C++ ";
    try { throw std::runtime_error("runs"); }
    catch (const std::exception &error) { text += error.what(); }
    return PyUnicode_FromString(text.c_str());
}
static PyMethodDef methods[] = {{"said", said, METH_NOARGS, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "cpp_one", nullptr, -1, methods};
PyMODINIT_FUNC PyInit_cpp_one() { return PyModule_Create(&module); }
"#;

/// Builds the extension. `false`: there is no compiler, or no header of the interpreter.
fn build(place: &Path) -> bool {
    let (python, _) = interpreter(None).unwrap();
    let asked = "import sysconfig; print(sysconfig.get_paths()['include'])";
    let include = Command::new(python).args(["-c", asked]).output().unwrap();
    let include = String::from_utf8_lossy(&include.stdout).trim().to_owned();
    fs::write(place.join("cpp_one.cpp"), EXTENSION).unwrap();
    let built = Command::new("g++")
        .args(["-shared", "-fPIC", "-I", &include, "-o"])
        .args([place.join("cpp_one.so"), place.join("cpp_one.cpp")])
        .output();
    built.is_ok_and(|built| built.status.success())
}

#[test]
fn a_directory_of_packages_alone_has_the_runtime_of_cpp() {
    let place = tempfile::tempdir().unwrap();
    if !build(place.path()) {
        eprintln!("skipped: no g++ with the interpreter's headers");
        return;
    }
    let directories = vec![place.path().to_owned()];
    let packages = [
        Packages {
            directories: directories.clone(),
            ..Packages::default()
        },
        Packages {
            installed: true,
            environment: directories.clone(),
            names: vec!["cpp_one".to_owned()],
            ..Packages::default()
        },
        Packages {
            paths: directories,
            ..Packages::default()
        },
    ];
    for packages in packages {
        let trace = run(packages, None, "import cpp_one\nprint(cpp_one.said())\n");
        assert_eq!(trace.output(), "C++ runs\n", "{:?}", trace.outcome);
    }
}

#[test]
fn of_an_environment_only_what_is_named_is_found() {
    let place = tempfile::tempdir().unwrap();
    let site = place.path().join("site");
    let info = site.join("one-2.5.dist-info");
    fs::create_dir_all(&info).unwrap();
    fs::create_dir_all(site.join("space/part")).unwrap();
    fs::write(
        info.join("METADATA"),
        "Metadata-Version: 2.1\nName: one\nVersion: 2.5\n",
    )
    .unwrap();
    for (file, text) in [
        ("one.py", "import two\nx = two.x + 1\n"),
        ("two.py", "x = 1\n"),
        ("three.py", "x = 'three'\n"),
        ("space/part/__init__.py", "x = 'part'\n"),
        ("json.py", "x = 'not the library'\n"),
    ] {
        fs::write(site.join(file), text).unwrap();
    }
    let packages = || Packages {
        installed: true,
        environment: vec![site.clone()],
        names: ["one", "two", "space", "json"].map(str::to_owned).to_vec(),
        ..Packages::default()
    };
    let source = "\
import json, one, space.part
from importlib.metadata import version
print(one.x, space.part.x, json.dumps(1), version('one'))
import three
";
    let trace = run(packages(), None, source);
    assert_eq!(trace.output(), "2 part 1 2.5\n");
    let Outcome::Raised {
        exception, message, ..
    } = &trace.outcome
    else {
        panic!("{:?}", trace.outcome);
    };
    assert_eq!(exception, "ModuleNotFoundError");
    assert_eq!(message, "No module named 'three'");
}

#[test]
fn directories_of_modules_come_behind_the_root_and_before_the_library() {
    let place = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("root/own.py", "x = 'root'\n"),
        ("lib/own.py", "x = 'lib'\n"),
        ("lib/textwrap.py", "x = 'lib'\n"),
        (
            "lib/threads.py",
            "import threading\nx = threading.active_count()\n",
        ),
        ("beside.py", "x = 1\n"),
    ] {
        let file = place.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let root = place.path().join("root");
    let source = "\
import own, textwrap, threads, os
print(own.x, textwrap.x, threads.x)
lib = os.path.dirname(textwrap.__file__)
try:
    open(os.path.join(lib, 'made.txt'), 'w')
except OSError:
    print('nothing is written')
print(os.path.exists(os.path.join(os.path.dirname(lib), 'beside.py')))
import beside
";
    let packages = Packages {
        paths: vec![place.path().join("lib")],
        ..Packages::default()
    };
    let trace = run(packages, Some(&root), source);
    assert_eq!(trace.output(), "root lib 1\nnothing is written\nFalse\n");
    assert!(!place.path().join("lib/made.txt").exists());
    assert!(
        matches!(&trace.outcome, Outcome::Raised { exception, .. } if exception == "ModuleNotFoundError")
    );
}
