//! Value-use events of a project: the uses in the modules of a recorded command, with the text
//! around each, for training predictors (`../shared/guided/events.jsonl.zst` has this format).

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use codexec_data::files::replace;
use codexec_data::recorder::{Observation, Recording};
use serde::Serialize;

use super::classes::Class;
use super::events::CONTEXT;

/// One use of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedEvent {
    /// The project, or the named package.
    pub package: String,
    /// The file, relative to the directory of the project or package.
    pub file: String,
    /// Its line, 1-based.
    pub line: u32,
    /// The variable, attribute or function.
    pub name: String,
    /// `variable`, `attribute` or `return value`.
    pub kind: String,
    /// The class of the value.
    pub value: Class,
    /// Text before the use.
    pub before: String,
    /// Text after the use.
    pub after: String,
}

/// Events, and why files have none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Ordered by package, file and place.
    pub events: Vec<RecordedEvent>,
    /// Number of events of each file.
    pub files: BTreeMap<String, usize>,
    /// Files that were not recorded, or only partly, with the reason.
    pub skipped: BTreeMap<String, String>,
}

/// Returns the events of a recording of the project in `root` with the name `project`.
pub fn recorded_events(recording: &Recording, root: &Path, project: &str) -> Recorded {
    let mut recorded = Recorded::default();
    for (path, why) in &recording.skipped {
        let shown = path.display().to_string();
        recorded.skipped.insert(shown, why.clone());
    }
    let mut by_file: BTreeMap<&PathBuf, Vec<&Observation>> = BTreeMap::new();
    for seen in &recording.observations {
        by_file.entry(&seen.file).or_default().push(seen);
    }
    for (path, seen) in by_file {
        let skipped = match std::fs::read_to_string(path) {
            Ok(text) => {
                let (package, file) = named(path, &seen[0].module, root, project);
                let before = recorded.events.len();
                let dropped = events_of(&text, &seen, &package, &file, &mut recorded.events);
                *recorded.files.entry(file).or_default() += recorded.events.len() - before;
                (dropped > 0).then(|| format!("{dropped} uses are not where they should be"))
            }
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Some("it is not UTF-8".to_owned())
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(why) = skipped {
            recorded.skipped.insert(path.display().to_string(), why);
        }
    }
    let place = |e: &RecordedEvent| (e.package.clone(), e.file.clone());
    recorded.events.sort_by_cached_key(place);
    recorded
}

/// Returns package and file as written in events.
fn named(path: &Path, module: &str, root: &Path, project: &str) -> (String, String) {
    let text = |path: &Path| {
        let parts = path.components().map(|c| c.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    };
    if let Ok(inside) = path.strip_prefix(root) {
        let directory = root.file_name().map(Path::new).unwrap_or(Path::new(""));
        return (project.to_owned(), text(&directory.join(inside)));
    }
    let parts = module.split('.').count();
    let package = module.split('.').next().unwrap_or(module);
    // The `__init__` module of a package is a file in its directory.
    let depth = parts + usize::from(path.file_stem().is_some_and(|s| s == "__init__"));
    let above = path.components().count().saturating_sub(depth);
    let inside: PathBuf = path.components().skip(above).collect();
    (package.to_owned(), text(&inside))
}

/// Adds the events of one file. Returns the number of observations whose name is not at their
/// position.
fn events_of(
    source: &str,
    seen: &[&Observation],
    package: &str,
    file: &str,
    events: &mut Vec<RecordedEvent>,
) -> usize {
    // As Python reads it: without a byte order mark, with `\n` line ends.
    let source = source
        .trim_start_matches('\u{feff}')
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let mut starts = vec![0];
    starts.extend(source.match_indices('\n').map(|(at, _)| at + 1));
    let at = |line: u32, column: u32| {
        let start = starts.get((line as usize).checked_sub(1)?)?;
        Some(start + column as usize)
    };
    let mut dropped = 0;
    for one in seen {
        let from = at(one.line, one.column);
        let to = at(one.end_line, one.end_column);
        let span = from
            .zip(to)
            .filter(|(from, to)| source.get(*from..*to) == Some(&one.name));
        let (Some((from, to)), Ok(value)) = (span, one.class.parse()) else {
            dropped += 1;
            continue;
        };
        let before: usize = source[..from]
            .chars()
            .rev()
            .take(CONTEXT)
            .map(char::len_utf8)
            .sum();
        let after: usize = source[to..].chars().take(CONTEXT).map(char::len_utf8).sum();
        events.push(RecordedEvent {
            package: package.to_owned(),
            file: file.to_owned(),
            line: one.line,
            name: one.name.clone(),
            kind: one.kind.clone(),
            value,
            before: source[from - before..from].to_owned(),
            after: source[to..to + after].to_owned(),
        });
    }
    dropped
}

/// Writes events as JSON Lines, compressed if `path` ends in `.zst`. The write is atomic.
///
/// # Errors
/// If the file cannot be written.
pub fn write_events(events: &[RecordedEvent], path: &Path) -> std::io::Result<()> {
    let lines = |out: &mut dyn Write| -> std::io::Result<()> {
        for event in events {
            serde_json::to_writer(&mut *out, event)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    };
    replace(path, |file| {
        let mut out = std::io::BufWriter::new(file);
        if path.extension().is_some_and(|e| e == "zst") {
            let mut packed = zstd::Encoder::new(&mut out, 10)?;
            lines(&mut packed)?;
            packed.finish()?;
        } else {
            lines(&mut out)?;
        }
        out.flush()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(file: &str, module: &str, place: (u32, u32, u32), name: &str) -> Observation {
        Observation {
            file: file.into(),
            module: module.into(),
            line: place.0,
            column: place.1,
            end_line: place.0,
            end_column: place.2,
            name: name.into(),
            kind: "variable".into(),
            class: "int_pos".into(),
        }
    }

    #[test]
    fn places_are_bytes_of_lines_and_context_is_characters() {
        let source = "\u{feff}é = 'ü'\r\nx = é\r\n";
        let found = seen("m.py", "m", (2, 4, 6), "é");
        let wrong = seen("m.py", "m", (2, 0, 2), "é");
        let mut events = Vec::new();
        let dropped = events_of(source, &[&found, &wrong], "p", "p/m.py", &mut events);
        assert_eq!((dropped, events.len()), (1, 1));
        assert_eq!(events[0].before, "é = 'ü'\nx = ");
        assert_eq!(events[0].after, "\n");
        let long = format!("{}x{}", "é".repeat(500), "ü".repeat(500));
        let found = seen("m.py", "m", (1, 1000, 1001), "x");
        let mut events = Vec::new();
        events_of(&long, &[&found], "p", "p/m.py", &mut events);
        assert_eq!(events[0].before, "é".repeat(CONTEXT));
        assert_eq!(events[0].after, "ü".repeat(CONTEXT));
    }

    #[test]
    fn files_are_named_from_the_project_or_the_package_on() {
        let root = Path::new("/home/me/thing-1.0");
        let of = |path: &str, module: &str| named(Path::new(path), module, root, "thing");
        let inside = of("/home/me/thing-1.0/thing/core.py", "thing.core");
        assert_eq!(inside, ("thing".into(), "thing-1.0/thing/core.py".into()));
        let package = of("/v/site-packages/idna/core.py", "idna.core");
        assert_eq!(package, ("idna".into(), "idna/core.py".into()));
        let whole = of("/v/site-packages/idna/__init__.py", "idna");
        assert_eq!(whole.1, "idna/__init__.py");
        let single = of("/v/site-packages/six.py", "six");
        assert_eq!(single, ("six".into(), "six.py".into()));
    }
}
