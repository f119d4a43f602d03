//! The syntax tree of a program, or the place where it does not parse.
//!
//! The tree is ruff's. Syntax errors have CPython's messages: `tokens` and `wrong` follow its parser over the grammar
//! `python.peg` (`peg` reads it, `strings` checks strings).
//!
//! Nesting that would overflow the stack is rejected before any recursion. Nothing is executed or
//! checked, and names are not resolved.

mod peg;
mod strings;
mod tokens;
mod wrong;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::{Mode, ParseError, ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::TextSize;

/// A syntax error, placed as an editor shows it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// Line, 1-based.
    pub line: u32,
    /// Column in characters, 1-based.
    pub column: u32,
    /// The error.
    pub message: String,
}

/// Passes the syntax tree of a program to `read`, on a stack that its nesting cannot overflow. The
/// tree is also dropped there.
pub fn with_parsed<T: Send>(
    source: &str,
    read: impl FnOnce(&Parsed<ModModule>) -> T + Send,
) -> Result<T, SyntaxError> {
    check_nesting(source)?;
    if source.len() <= SHALLOW {
        return Ok(read(&parse(source)?));
    }
    let stack = (STACK_PER_BYTE * source.len() + (8 << 20)).min(1 << 30);
    // No bracket is to blame here: this points at the start.
    on_stack(stack, || Ok(read(&parse(source)?)))
        .unwrap_or_else(|| Err(refused(source, 0, "nested too deeply")))
}

/// Works on a stack of this many bytes. `None` if it cannot be allocated, or if the work panicked.
#[cfg(not(target_family = "wasm"))]
fn on_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(bytes);
        worker.spawn_scoped(scope, work).ok()?.join().ok()
    })
}

/// Works on the only stack: WebAssembly has no threads.
#[cfg(target_family = "wasm")]
fn on_stack<T: Send>(_bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    Some(work())
}

fn parse(source: &str) -> Result<Parsed<ModModule>, SyntaxError> {
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY311);
    let parsed = parse_unchecked(source, options);
    if let Some(error) = parsed.errors().first() {
        return Err(explained(source, error));
    }
    if !parsed.unsupported_syntax_errors().is_empty()
        && let Some(error) = refused_by_cpython(source)
    {
        return Err(error);
    }
    parsed
        .try_into_module()
        .ok_or_else(|| refused(source, 0, "invalid syntax"))
}

/// The error in a program that the parser rejects: with CPython 3.11's message and position, unless CPython's parser
/// accepts it.
pub fn explained(source: &str, error: &ParseError) -> SyntaxError {
    refused_by_cpython(source).unwrap_or_else(|| {
        let (line, column) = line_column(source, error.location.start());
        let mut message = error.error.to_string();
        // Messages of CPython begin small, unless with a name.
        if let Some(first) = message.get_mut(..1)
            && !error.error.to_string()[1..].starts_with(char::is_uppercase)
        {
            first.make_ascii_lowercase();
        }
        SyntaxError {
            line,
            column,
            message,
        }
    })
}

/// CPython 3.11's error for text that its parser rejects. `None` if it accepts it, or if the text exceeds a
/// mebibyte. Excludes errors of its compiler, such as a `return` outside of functions.
///
/// ```
/// use codexec_trace::syntax::refused_by_cpython;
/// let error = refused_by_cpython("x = 1\nprint 'hello', x\n").unwrap();
/// let words = "Missing parentheses in call to 'print'. Did you mean print(...)?";
/// assert_eq!((error.line, error.column, error.message.as_str()), (2, 1, words));
/// ```
pub fn refused_by_cpython(source: &str) -> Option<SyntaxError> {
    wrong::complaint(source)
}

/// The first version of Python after 3.11 that accepts a program rejected by 3.11, such as `3.12`. `None` if no
/// version does.
///
/// ```
/// use codexec_trace::syntax::taken_from;
/// assert_eq!(taken_from("type Point = tuple[int, int]\n").as_deref(), Some("3.12"));
/// assert_eq!(taken_from("print 'hello'\n"), None);
/// assert_eq!(taken_from("return\n"), None);
/// ```
pub fn taken_from(source: &str) -> Option<String> {
    if check_nesting(source).is_err() || source.len() > MOST_LATER {
        return None;
    }
    let takes = |version: &PythonVersion| {
        let options = ParseOptions::from(Mode::Module).with_target_version(*version);
        let parsed = parse_unchecked(source, options);
        parsed.errors().is_empty() && parsed.unsupported_syntax_errors().is_empty()
    };
    let later = [
        PythonVersion::PY312,
        PythonVersion::PY313,
        PythonVersion::PY314,
    ];
    let stack = (STACK_PER_BYTE * source.len() + (8 << 20)).min(1 << 30);
    let own = on_stack(stack, || {
        let refused = !takes(&PythonVersion::PY311);
        refused.then(|| later.iter().copied().find(takes)).flatten()
    });
    own.flatten().map(|version| version.to_string())
}

/// Maximum bytes of a program that is tried in later versions.
const MOST_LATER: usize = 1 << 20;

/// Longer sources are parsed on a separate stack: chains such as `a.b.b` nest the tree without a
/// bracket, and dropping it recurses once per link.
const SHALLOW: usize = 2 << 10;

/// Stack that one byte of source may need.
const STACK_PER_BYTE: usize = 256;

/// Brackets and f-strings nested deeper than this are rejected, as in CPython.
const MAX_BRACKETS: usize = 200;
const MAX_FSTRINGS: usize = 150;

/// Checks the tokens alone, before anything that recurses sees them; brackets in strings and
/// comments do not count.
///
/// # Errors
/// Where more brackets or f-strings are open than CPython has room for.
pub fn check_nesting(source: &str) -> Result<(), SyntaxError> {
    if !nests_too_deeply(source) {
        return Ok(());
    }
    // The lexer does not report its position: the shortest text that nests too deeply ends there.
    let (mut fits, mut deep) = (0, source.len());
    loop {
        let middle = usize::midpoint(fits, deep);
        let Some(middle) = (middle.max(fits + 1)..deep).find(|at| source.is_char_boundary(*at))
        else {
            return Err(refused(source, fits, "too many nested parentheses"));
        };
        if nests_too_deeply(&source[..middle]) {
            deep = middle;
        } else {
            fits = middle;
        }
    }
}

/// Whether a text has enough brackets, or quotes that may open f-strings, to nest too deeply. Most do not, and need no
/// lexer.
fn may_nest_too_deeply(source: &str) -> bool {
    let opens = |byte: &u8| matches!(byte, b'(' | b'[' | b'{');
    let begins = |pair: &&[u8]| {
        matches!(
            pair,
            [b'f' | b'F' | b't' | b'T' | b'r' | b'R', b'\'' | b'"']
        )
    };
    let bytes = source.as_bytes();
    bytes.iter().filter(|byte| opens(byte)).count() > MAX_BRACKETS
        || bytes.windows(2).filter(begins).count() > MAX_FSTRINGS
}

fn nests_too_deeply(source: &str) -> bool {
    if !may_nest_too_deeply(source) {
        return false;
    }
    let (mut brackets, mut fstrings) = (0usize, 0usize);
    let mut lexer = ruff_python_parser::lexer::lex(source, Mode::Module);
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return false,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => brackets += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                brackets = brackets.saturating_sub(1);
            }
            TokenKind::FStringStart | TokenKind::TStringStart => fstrings += 1,
            TokenKind::FStringEnd | TokenKind::TStringEnd => fstrings = fstrings.saturating_sub(1),
            _ => {}
        }
        if brackets > MAX_BRACKETS || fstrings > MAX_FSTRINGS {
            return true;
        }
    }
}

fn refused(source: &str, at: usize, message: &str) -> SyntaxError {
    let offset = TextSize::try_from(at).unwrap_or_default();
    let (line, column) = line_column(source, offset);
    SyntaxError {
        line,
        column,
        message: message.to_owned(),
    }
}

/// 1-based line and column (in characters) of a byte offset.
fn line_column(source: &str, offset: TextSize) -> (u32, u32) {
    let mut at = offset.to_usize().min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let before = &source[..at];
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (
        u32::try_from(line).unwrap_or(u32::MAX),
        u32::try_from(column).unwrap_or(u32::MAX),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(source: &str) -> Result<(), SyntaxError> {
        with_parsed(source, |_| ())
    }

    #[test]
    fn a_syntax_error_is_placed() {
        let error = parsed("x = 1\ny = = 2\n").unwrap_err();
        assert_eq!((error.line, error.column), (2, 5));
    }

    #[test]
    fn tabs_that_could_be_any_width_are_told_from_indentation_that_fits_nowhere() {
        let tabs = "inconsistent use of tabs and spaces in indentation";
        let neither = "unindent does not match any outer indentation level";
        for (source, message) in [
            ("if 1:\n        a\n\tb\n", tabs),
            ("if 1:\n\ta\n        b\n", tabs),
            ("if 1:\n    a\n\n# c\n\tb\n", tabs),
            ("if 1:\n  if 1:\n\ta\n        b\n", tabs),
            ("x = 1\n    y = 2\n", "unexpected indent"),
            ("if 1:\n    a\n  b\n", neither),
            ("if 1:\n\t\ta\n\tb\n", neither),
        ] {
            assert_eq!(parsed(source).unwrap_err().message, message, "{source:?}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_not_overflowed() {
        for hostile in [
            "(".repeat(100_000),
            "[\n".repeat(112_000),
            "f\"\"\"{\n".repeat(2000),
            "[".repeat(5000) + "\n",
        ] {
            let error = parsed(&hostile).unwrap_err();
            assert_eq!(error.message, "too many nested parentheses");
        }
    }

    #[test]
    fn deep_nesting_is_placed_where_the_limit_is_passed() {
        let lines = "x = 1\ns = '((('  # ((([\n";
        for (hostile, line, column) in [
            ("(".repeat(100_000), 1, 201),
            (format!("{lines}é = {}", "[".repeat(300)), 3, 205),
            (format!("{lines}{}", "{\n".repeat(300)), 203, 1),
            (
                format!("{lines}()\n{}1{}", "(".repeat(201), ")".repeat(201)),
                4,
                201,
            ),
            ("f\"\"\"{\n".repeat(2000), 151, 2),
        ] {
            let error = parsed(&hostile).unwrap_err();
            let shown = &hostile[..20];
            assert_eq!((error.line, error.column), (line, column), "{shown}");
        }
        let closed = format!("{}1{}\n", "(".repeat(200), ")".repeat(200));
        assert!(parsed(&closed).is_ok());
    }

    #[test]
    fn deep_chains_do_not_overflow() {
        for (start, link, end) in [
            ("x = 2", "**-2", ""),
            ("x = ", "not ", "1"),
            ("x = ", "-", "1"),
            ("a", ".b", ""),
            ("f", "()", ""),
            ("1", "+1", ""),
            ("x = ", "1 if 1 else ", "1"),
            ("x = ", "lambda: ", "1"),
        ] {
            let source = format!("{start}{}{end}\n", link.repeat(100_000));
            assert!(parsed(&source).is_ok(), "{link}");
        }
    }

    #[test]
    fn long_runs_that_do_not_nest_are_read() {
        let dashes = "-".repeat(1500);
        for source in [
            format!("# {dashes}\nx = 1\n"),
            format!("'{dashes}'\n"),
            format!("x = 1{}\n", " ".repeat(2000)),
            format!("x = '{}'\n", "[".repeat(250)),
        ] {
            assert!(parsed(&source).is_ok());
        }
    }
}
