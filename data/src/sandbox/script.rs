//! The program of a worker: the files of `data/python/sandbox`, run in sequence in one namespace.
//! Shared definitions are written here in Rust, and sent.

use super::attempt::{LONGEST_ASKED, MOST_ANSWERS, MOST_ASKED, MOST_ERRORS};
use super::guide::MOST_INJECTED;
use crate::names::TABLE;

macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("../../python/sandbox/", $name))),*]
    };
}

/// In the order in which they run: each uses what those before it define.
const PARTS: [&str; 23] = parts![
    "values.py",
    "inlined.py",
    "ends.py",
    "outputs.py",
    "tracer.py",
    "brief.py",
    "fixed.py",
    "threads.py",
    "alarms.py",
    "debugger.py",
    "memory_files.py",
    "memory_databases.py",
    "shared_child.py",
    "project.py",
    "names.py",
    "body.py",
    "guide.py",
    "guide_values.py",
    "stand_in.py",
    "terms.py",
    "term_methods.py",
    "attempt.py",
    "worker.py",
];

/// The interpreter's command line: reads the program from descriptor 0, before the requests, and runs
/// it. The kernel does not accept an argument of 128 KiB.
pub(crate) const LOADER: &str = "\
import sys
file, text = open(0, 'rb', 0, closefd=False), b''
length = int.from_bytes(file.read(4), 'little')
while len(text) < length:
    text += file.read(length - len(text)) or sys.exit('its program was cut off')
sys.argv[2:] = text.split(b'\\0')
del file, text, length
while len(sys.argv) > 2:
    exec(sys.argv.pop(2))
";

/// The program as [`LOADER`] reads it: its length, then its parts with a zero byte between them.
pub(crate) fn framed() -> Vec<u8> {
    let mut text = constants();
    for part in &PARTS {
        text.push('\0');
        text.push_str(part);
    }
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.extend(text.into_bytes());
    bytes
}

/// Rust's definitions, as assignments.
fn constants() -> String {
    let mut text = format!("USUAL_NAMES = '''{TABLE}'''\n");
    for (name, value) in [
        ("MOST_INJECTED", MOST_INJECTED),
        ("MOST_ERRORS", MOST_ERRORS),
        ("MOST_ASKED", MOST_ASKED),
        ("MOST_ANSWERS", MOST_ANSWERS),
        ("LONGEST_ASKED", LONGEST_ASKED),
    ] {
        text += &format!("{name} = {value}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_part() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("python/sandbox");
        let files = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|end| end == "py"));
        let mut files: Vec<String> = files
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect();
        let mut parts = PARTS;
        files.sort_unstable();
        parts.sort_unstable();
        assert!(files == parts);
        assert!(PARTS.iter().all(|part| !part.contains('\0')));
    }
}
