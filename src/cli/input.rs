//! Programs named on the command line (files, directories, `-`), and the errors they can have.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use codexec_data::sources::{Taken, normalise_newlines, python_text, snippet};
use codexec_data::syntax::{SyntaxError, taken_from};
use codexec_data::trace::{Outcome, Program};

use super::note;
use super::view::text::{clean, width};
use crate::check::formats::window;

/// Programs larger than this are rejected: no model and no trace reaches that far.
const MAX_BYTES: u64 = 4 << 20;

/// The program files that `paths` name. A directory stands for the `.py` files below it.
pub(super) fn expand(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        collect(path, &mut files).with_context(|| path.display().to_string())?;
        files[before..].sort();
        if files.len() == before {
            bail!("{}: no .py file in this directory", path.display());
        }
    }
    Ok(files)
}

/// The programs that `paths` name, except files without code found in a directory, such as
/// `__init__.py`.
pub(super) fn expand_with_code(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = expand(paths)?;
    // Unreadable files are kept, so that reading them reports the reason.
    let may_have_code = |file: &PathBuf| read_source(file).map_or(true, |source| is_code(&source));
    files.retain(|file| paths.contains(file) || may_have_code(file));
    match (files.is_empty(), paths.first()) {
        (true, Some(path)) => bail!("{}: no code in the .py files here", path.display()),
        _ => Ok(files),
    }
}

/// Whether a program contains anything but comments.
fn is_code(source: &str) -> bool {
    let code = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    source.lines().any(code)
}

/// Whether the output for `files` has one row per file: there are several, or a directory was
/// named, which may have more next time.
pub(super) fn are_many(paths: &[PathBuf], files: &[PathBuf]) -> bool {
    files.len() > 1 || paths.iter().any(|path| path.is_dir())
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            collect(&path, files)?;
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "py") {
            files.push(path);
        }
    }
    Ok(())
}

/// The sorted `.py` files below a directory, except in hidden directories and virtual environments.
pub(super) fn python_files(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(directory, &mut files).with_context(|| directory.display().to_string())?;
    files.sort();
    let is_hidden = |file: &PathBuf| {
        let below = file.strip_prefix(directory).unwrap_or(file);
        let inside = |part: &Path| {
            let name = part.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with('.') || directory.join(part).join("pyvenv.cfg").is_file()
        };
        below.ancestors().skip(1).any(inside)
    };
    files.retain(|file| !is_hidden(file));
    Ok(files)
}

/// Whether the note on rewritten line ends was printed: once is enough.
static SAID: AtomicBool = AtomicBool::new(false);

/// Reads one program; `-` is standard input.
pub(super) fn read_program(path: &Path, stdin: Option<String>) -> anyhow::Result<Program> {
    let id = path.display().to_string();
    let source = read_source(path)?;
    if !is_code(&source) {
        bail!("{id}: the program is empty");
    }
    Ok(Program {
        id,
        source: Some(source),
        stdin,
        ..Program::default()
    })
}

/// Reads the text of a program, which can be empty; `-` is standard input.
pub(super) fn read_source(path: &Path) -> anyhow::Result<String> {
    let id = path.display().to_string();
    let bytes = if id == "-" {
        read_standard_input()?
    } else {
        read_file(path)?
    };
    let source = python_text(bytes)
        .map_err(anyhow::Error::msg)
        .with_context(|| id.clone())?;
    if source.contains('\r') && !SAID.swap(true, Ordering::Relaxed) {
        note(&format!(
            "note: lines of {id} end in CRLF or CR; they are read as LF, here and in other programs"
        ));
    }
    let source = normalise_newlines(source);
    if is_notebook(path, &source) {
        bail!(
            "{id}: a Jupyter notebook, not a program; extract its code first: jupyter nbconvert --to \
             script {id}"
        );
    }
    let Some((source, taken)) = snippet(&source) else {
        return Ok(source);
    };
    note(&format!(
        "note: {id}: {}",
        match taken {
            Taken::Prompts =>
                "a session; read without its prompts and outputs, and with its values printed",
            Taken::Indentation => "indented as a whole; read without that indentation",
        }
    ));
    Ok(source)
}

/// Whether a text is a notebook: its JSON can be a valid Python expression.
fn is_notebook(path: &Path, text: &str) -> bool {
    if path.extension().is_some_and(|end| end == "ipynb") {
        return true;
    }
    let has = |field: &str| text.contains(field);
    text.trim_start().starts_with('{')
        && has("\"cells\"")
        && has("\"nbformat\"")
        && serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// A program's standard input: this text, that file, or the NAME.in beside NAME.py.
pub(super) fn stdin_of(
    program: &Path,
    text: Option<&str>,
    file: Option<&Path>,
) -> anyhow::Result<Option<String>> {
    let beside = program.with_extension("in");
    match (text, file) {
        (Some(text), _) => Ok(Some(text.to_owned())),
        (None, Some(file)) => read_text(file).map(Some),
        (None, None) if program.extension().is_some() && beside.is_file() => {
            read_text(&beside).map(Some)
        }
        (None, None) => Ok(None),
    }
}

/// Reads the text for a program's standard input.
pub(super) fn read_text(path: &Path) -> anyhow::Result<String> {
    decode(read_file(path)?).with_context(|| path.display().to_string())
}

fn read_standard_input() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes);
    read.context("standard input")?;
    check_size("standard input", bytes.len() as u64)?;
    Ok(bytes)
}

fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    // Devices and pipes have no size.
    check_size(&name(), file.metadata().with_context(name)?.len())?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(name)?;
    check_size(&name(), bytes.len() as u64)?;
    Ok(bytes)
}

fn check_size(name: &str, size: u64) -> anyhow::Result<()> {
    if size > MAX_BYTES {
        bail!(
            "{name}: more than {MAX_BYTES} bytes; programs of more than {} MiB are not read",
            MAX_BYTES >> 20
        );
    }
    Ok(())
}

fn decode(bytes: Vec<u8>) -> anyhow::Result<String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at]
            .iter()
            .filter(|&&b| b == b'\n')
            .count()
            + 1;
        anyhow::anyhow!("line {line}: byte {at} is not UTF-8; convert the file to UTF-8 first")
    })?;
    Ok(text
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text))
}

/// The syntax error that kept a run from starting.
pub(super) fn syntax_error(outcome: &Outcome) -> Option<SyntaxError> {
    match outcome {
        Outcome::SyntaxError {
            line,
            column,
            message,
        } => Some(SyntaxError {
            line: *line,
            column: *column,
            message: message.clone(),
        }),
        _ => None,
    }
}

/// A syntax error in the usual form: place, the line, a caret under the column. Only the message if
/// it has no place.
pub(super) fn show_syntax_error(id: &str, source: &str, error: &SyntaxError) -> String {
    let (id, message) = (clean(id), clean(&error.message));
    let later = taken_from(source).map(|version| {
        format!("\n  = Python {version} takes it; codexec plans and runs CPython 3.11")
    });
    let later = later.unwrap_or_default();
    if error.line == 0 || error.column == 0 {
        return format!("{id}: syntax error: {message}{later}");
    }
    let text = source.lines().nth(error.line as usize - 1).unwrap_or("");
    let (text, column) = window(text, error.column as usize);
    let blank = |c: char| if c.is_control() { ' ' } else { c };
    let show = |count: usize| clean(&text.chars().take(count).map(blank).collect::<String>());
    let shown = show(usize::MAX);
    let before = width(&show(column - 1));
    format!(
        "{id}:{}:{}: syntax error: {message}\n  {shown}\n  {}^{later}",
        error.line,
        error.column,
        " ".repeat(before)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, line: u32, column: u32) -> String {
        let message = "bad\x1b[31m".to_owned();
        let error = SyntaxError {
            line,
            column,
            message,
        };
        show_syntax_error("a\x1b.py", source, &error)
    }

    #[test]
    fn the_caret_stands_under_the_column_and_nothing_is_raw() {
        let text = shown("漢 = = \u{202e}1\n", 1, 5);
        let expected = "a\\x1b.py:1:5: syntax error: bad\\x1b[31m\n  漢 = = \\u202e1\n       ^";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_error_without_a_place_shows_none() {
        for (line, column) in [(0, 0), (0, 3), (1, 0)] {
            let text = shown("x = 1\n", line, column);
            assert_eq!(text, "a\\x1b.py: syntax error: bad\\x1b[31m");
        }
    }
}
