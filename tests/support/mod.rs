//! What tests of the command line share: the command, what it said, files for it, and whether programs
//! can be run here at all.

mod skip;

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
pub(crate) use skip::skip;

/// The command's own file.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_codexec");

/// The command, to be given arguments.
pub(crate) fn codexec() -> Command {
    Command::new(BINARY)
}

/// What the command does with these arguments.
pub(crate) fn output_of(args: &[&str]) -> Output {
    codexec().args(args).output().unwrap()
}

/// Standard output, as text.
pub(crate) fn stdout(run: &Output) -> String {
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// Standard error, as text.
pub(crate) fn stderr(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

/// The path of a file that is written.
pub(crate) fn written(directory: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = directory.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// False where no program can be run; then that is said.
pub(crate) fn can_run() -> bool {
    let dir = tempfile::tempdir().unwrap();
    let run = output_of(&["guide", &written(dir.path(), "p.py", "x = 1\n")]);
    if !run.status.success() {
        skip(stderr(&run));
    }
    run.status.success()
}

/// What a page shows: the document that is packed into it.
pub(crate) fn page_data(page: &str) -> serde_json::Value {
    use base64::Engine as _;
    use std::io::Read;
    assert!(page.to_lowercase().starts_with("<!doctype html>"));
    let (_, rest) = page.split_once("json+gzip\">").unwrap();
    let (packed, _) = rest.split_once("</script>").unwrap();
    let packed = base64::engine::general_purpose::STANDARD
        .decode(packed)
        .unwrap();
    let mut json = String::new();
    let mut reader = flate2::read::GzDecoder::new(&packed[..]);
    reader.read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}
