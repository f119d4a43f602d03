//! The syntax tree of a program, or where it does not parse.
//!
//! Nesting that would overflow the stack is refused before anything recurses. It does not execute or
//! check anything, and says nothing of names.

use ruff_python_ast::ModModule;
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{LexicalErrorType, ParseError, ParseErrorType, Parsed};
use ruff_text_size::TextSize;

/// A syntax error, placed as an editor shows it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// Line, 1-based.
    pub line: u32,
    /// Column in characters, 1-based.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// Gives `read` the syntax tree of a program, on a stack that its nesting cannot overflow; the tree
/// is dropped there too.
pub fn with_parsed<T: Send>(
    source: &str,
    read: impl FnOnce(&Parsed<ModModule>) -> T + Send,
) -> Result<T, SyntaxError> {
    check_nesting(source)?;
    if source.len() <= SHALLOW {
        return Ok(read(&parse(source)?));
    }
    let stack = (STACK_PER_BYTE * source.len() + (8 << 20)).min(1 << 30);
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(stack)
            .spawn_scoped(scope, || Ok(read(&parse(source)?)));
        // No bracket is to blame here: these point at the start.
        let too_deep = || refused(source, 0, "nested too deeply");
        let worker = worker.map_err(|_| too_deep())?;
        worker.join().unwrap_or_else(|_| Err(too_deep()))
    })
}

fn parse(source: &str) -> Result<Parsed<ModModule>, SyntaxError> {
    ruff_python_parser::parse_module(source).map_err(|error| {
        let (line, column) = line_column(source, error.location.start());
        SyntaxError {
            line,
            column,
            message: message(source, &error),
        }
    })
}

/// What is wrong, in CPython's words where the parser has others for another kind of error: it does not tell an
/// indentation that depends on the width of a tab from one that fits nowhere.
pub fn message(source: &str, error: &ParseError) -> String {
    let (line, _) = line_column(source, error.location.start());
    let depends = match error.error {
        ParseErrorType::Lexical(LexicalErrorType::IndentationError) => {
            depends_on_tabs(source, line as usize, false)
        }
        ParseErrorType::UnexpectedIndentation => depends_on_tabs(source, line as usize, true),
        _ => false,
    };
    match depends {
        true => "inconsistent use of tabs and spaces in indentation".to_owned(),
        false => error.error.to_string(),
    }
}

/// Whether a line is at the column of a line above it only where a tab is eight columns wide (Python's
/// language reference, 2.1.8). `deeper`: the parser takes it to be deeper than the line before.
fn depends_on_tabs(source: &str, line: usize, deeper: bool) -> bool {
    let column = |text: &str| {
        let blank = text.chars().take_while(|c| matches!(c, ' ' | '\t'));
        blank.fold(0, |at, c| if c == '\t' { at / 8 * 8 + 8 } else { at + 1 })
    };
    let is_code = |text: &&str| !matches!(text.trim_start().chars().next(), None | Some('#'));
    let above = source.lines().take(line.saturating_sub(1)).filter(is_code);
    let columns: Vec<usize> = above.map(column).collect();
    let at = column(
        source
            .lines()
            .nth(line.saturating_sub(1))
            .unwrap_or_default(),
    );
    let last = columns.last().copied().unwrap_or(0);
    match deeper {
        true => at == last,
        false => at > 0 && (at > last || columns.contains(&at)),
    }
}

/// Longer sources are parsed on a stack of their own: chains such as `a.b.b` nest the tree without a
/// bracket, and dropping it recurses once for each link.
const SHALLOW: usize = 2 << 10;

/// Stack that one byte of source may need.
const STACK_PER_BYTE: usize = 256;

/// Brackets and f-strings nested deeper than this are refused, as CPython does.
const MAX_BRACKETS: usize = 200;
const MAX_FSTRINGS: usize = 150;

/// Refuses by the tokens alone, before anything that recurses sees them; brackets in strings and
/// comments do not count.
///
/// # Errors
/// Where more brackets or f-strings are open than CPython has room for.
pub fn check_nesting(source: &str) -> Result<(), SyntaxError> {
    if !nests_too_deeply(source) {
        return Ok(());
    }
    // The lexer does not say where it is: the shortest text that nests too deeply ends there.
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

fn nests_too_deeply(source: &str) -> bool {
    let (mut brackets, mut fstrings) = (0usize, 0usize);
    let mut lexer = ruff_python_parser::lexer::lex(source, ruff_python_parser::Mode::Module);
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
            ("x = 1\n    y = 2\n", "Unexpected indentation"),
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
