//! Tests the kernels, compiled for the CPU by a C++ compiler, against plain loops; see
//! `kernels.cpp`.

use std::path::Path;
use std::process::Command;

#[test]
fn kernels_give_what_loops_give() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels");
    let compiler = Command::new("c++")
        .args(["-std=c++20", "-O1", "-pthread", "-o"])
        .arg(&program)
        .arg(tests.join("kernels.cpp"))
        .output();
    let Ok(compiled) = compiler else {
        eprintln!("skipped: no C++ compiler");
        return;
    };
    let said = String::from_utf8_lossy(&compiled.stderr);
    if said.contains("<barrier>") || said.contains("<bit>") {
        eprintln!("skipped: this compiler lacks parts of C++20");
        return;
    }
    assert!(compiled.status.success(), "{said}");
    let run = Command::new(program)
        .output()
        .expect("it was just compiled");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}");
}
