//! A directory of programs with `NAME.in` and `NAME.out`: every program of a directory is a sample of one problem, and
//! every input there a test of it. Subdirectories are separate problems.

use std::fs;
use std::path::{Path, PathBuf};

use codexec_data::sources::{SourceError, normalise_newlines, python_text};
use serde_json::json;

use super::super::extract::extract;
use super::super::test::Test;
use super::{Check, Problem, Sample, SampleSet, unreadable};

/// Larger files are rejected.
const MOST_BYTES: u64 = 4 << 20;

pub(super) fn read(path: &Path) -> Result<SampleSet, SourceError> {
    let mut set = SampleSet {
        problems: Vec::new(),
        samples: Vec::new(),
        rows: Vec::new(),
        lists: Vec::new(),
        is_array: false,
    };
    let mut open = vec![path.to_owned()];
    while let Some(directory) = open.pop() {
        let (files, mut inner) = entries(&directory)?;
        inner.reverse();
        open.extend(inner);
        take(path, &directory, &files, &mut set)?;
    }
    if set.samples.is_empty() {
        let cause = "no program (.py) in it, or in a directory in it";
        return Err(unreadable(path, cause));
    }
    Ok(set)
}

/// The files and directories in a directory, sorted by name, without hidden ones.
fn entries(directory: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), SourceError> {
    let io = |source| SourceError::Io {
        path: directory.to_owned(),
        source,
    };
    let (mut files, mut inner) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(directory).map_err(io)? {
        let entry = entry.map_err(io)?;
        let kind = entry.file_type().map_err(io)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        match (kind.is_dir(), kind.is_file()) {
            _ if hidden => {}
            (true, _) => inner.push(entry.path()),
            (_, true) => files.push(entry.path()),
            _ => {}
        }
    }
    files.sort();
    inner.sort();
    Ok((files, inner))
}

fn take(
    root: &Path,
    directory: &Path,
    files: &[PathBuf],
    set: &mut SampleSet,
) -> Result<(), SourceError> {
    let of = |ending: &str| -> Vec<&PathBuf> {
        let fits = |file: &&PathBuf| file.extension().is_some_and(|e| e == ending);
        files.iter().filter(fits).collect()
    };
    let programs = of("py");
    if programs.is_empty() {
        return Ok(());
    }
    let mut tests = Vec::new();
    for input in of("in") {
        let output = input.with_extension("out");
        let expected = match output.is_file() {
            true => Some(text(&output)?),
            false => None,
        };
        tests.push(Test::Input {
            stdin: text(input)?,
            expected,
        });
    }
    for output in of("out") {
        // A program without input still has an output.
        if !output.with_extension("in").is_file() {
            tests.push(Test::Input {
                stdin: String::new(),
                expected: Some(text(output)?),
            });
        }
    }
    let known: Vec<Test> = tests
        .iter()
        .filter(|t| t.expected().is_some())
        .cloned()
        .collect();
    if tests.is_empty() {
        tests.push(Test::Input {
            stdin: String::new(),
            expected: None,
        });
    }
    let below = directory.strip_prefix(root).unwrap_or(directory);
    // `.` also has a name.
    let whole = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let name = match below.as_os_str().is_empty() {
        true => whole.file_name().unwrap_or(root.as_os_str()),
        false => below.as_os_str(),
    };
    let id = name.to_string_lossy().into_owned();
    for file in programs {
        let bytes = bytes(file)?;
        let code = python_text(bytes).map_err(|why| unreadable(file, why.to_string()))?;
        let code = normalise_newlines(code);
        let shown = file.strip_prefix(root).unwrap_or(file);
        let fields = json!({
            "task_id": id,
            "path": shown.display().to_string(),
            "solution": code,
        });
        let found = extract(&code, &[], &str::to_owned);
        set.samples.push(Sample {
            problem: set.problems.len(),
            code: found.code,
            left_out: found.left_out,
            row: set.rows.len(),
            item: None,
        });
        set.rows.extend(fields.as_object().cloned());
        set.lists.push(None);
    }
    set.problems.push(Problem {
        id,
        tests,
        check: match known.is_empty() {
            true => Check::None,
            false => Check::Tests(known),
        },
        ..Problem::default()
    });
    Ok(())
}

fn bytes(path: &Path) -> Result<Vec<u8>, SourceError> {
    let read = || {
        let size = fs::metadata(path)?.len();
        if size > MOST_BYTES {
            let why = format!("more than {} MiB", MOST_BYTES >> 20);
            return Err(std::io::Error::other(why));
        }
        fs::read(path)
    };
    read().map_err(|source| SourceError::Io {
        path: path.to_owned(),
        source,
    })
}

fn text(path: &Path) -> Result<String, SourceError> {
    let text = String::from_utf8(bytes(path)?);
    text.map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        unreadable(path, format!("byte {at} is not UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::read_samples;
    use super::*;

    #[test]
    fn a_directory_is_a_problem_and_so_are_those_in_it() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("two/b.py", "print(input())\r\n");
        write("two/a.py", "print(1)\n");
        write("two/1.in", "1\n");
        write("two/1.out", "1\n");
        write("two/2.in", "2\n");
        write("one/c.py", "print(3)\n");
        write("one/.hidden.py", "print(3)\n");
        write("empty/notes.txt", "x");
        let set = read_samples(place.path(), None).unwrap();
        let ids: Vec<&str> = set.problems.iter().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["one", "two"]);
        assert_eq!(set.problems[0].tests.len(), 1);
        assert_eq!(set.problems[0].check, Check::None);
        assert_eq!(set.problems[1].tests[0].expected(), Some("1\n"));
        assert_eq!(set.problems[1].tests[1].expected(), None);
        assert_eq!(set.of(1), [1, 2]);
        assert_eq!(set.name(1), "two/a.py");
        assert_eq!(set.samples[2].code, "print(input())\n");
        write("two/3.in", "x");
        fs::write(place.path().join("two/3.in"), b"\xff").unwrap();
        let error = read_samples(place.path(), None).unwrap_err().to_string();
        assert!(error.contains("3.in: byte 0 is not UTF-8"), "{error}");
        let empty = place.path().join("empty");
        let error = read_samples(&empty, None).unwrap_err().to_string();
        assert!(error.contains("no program (.py) in it"), "{error}");
        write("alone/a.py", "print(1)\n");
        write("alone/a.out", "1\n");
        let set = read_samples(&place.path().join("alone"), None).unwrap();
        assert_eq!(set.problems[0].tests.len(), 1);
        assert_eq!(set.problems[0].tests[0].expected(), Some("1\n"));
    }
}
