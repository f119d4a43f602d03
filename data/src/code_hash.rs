//! When two programs are the same: hashes of code without whitespace and comments.

use ruff_python_ast::ModModule;
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;
use sha2::{Digest, Sha256};

use crate::syntax::{SyntaxError, with_parsed};
#[cfg(not(target_family = "wasm"))]
use crate::tokenizer::SourceText;
#[cfg(not(target_family = "wasm"))]
use crate::tokenizer::source::{SourceForm, write};

/// Key of a program, equal if only whitespace and comments differ. Among 10^9 programs two
/// different ones collide with odds of 10^-21.
pub(crate) type CodeHash = [u8; 16];

/// A program in source form, with its hash.
///
/// # Errors
/// The first syntax error.
#[cfg(not(target_family = "wasm"))] // who asks is not there
pub(crate) fn read(
    source: &str,
    stdin: Option<&str>,
) -> Result<(SourceText, CodeHash), SyntaxError> {
    with_parsed(source, |parsed| {
        let text = write(SourceForm::Own, source, stdin, parsed);
        (text, hash(source, parsed))
    })
}

/// The hash of a program alone.
///
/// # Errors
/// The first syntax error.
pub(crate) fn of(source: &str) -> Result<CodeHash, SyntaxError> {
    with_parsed(source, |parsed| hash(source, parsed))
}

fn hash(source: &str, parsed: &Parsed<ModModule>) -> CodeHash {
    let mut hasher = Sha256::new();
    for token in parsed.tokens().iter() {
        match token.kind() {
            TokenKind::Comment | TokenKind::NonLogicalNewline | TokenKind::EndOfFile => {}
            TokenKind::Newline => hasher.update([1]),
            TokenKind::Indent => hasher.update([2]),
            TokenKind::Dedent => hasher.update([3]),
            _ => {
                hasher.update(&source[token.range()]);
                hasher.update([0]);
            }
        }
    }
    short(hasher)
}

/// The hash of a program as a parent: distinct from those of records, so that a program that equals
/// another one's mutant is still mutated.
#[cfg(not(target_family = "wasm"))] // who asks is not there
pub(crate) fn as_parent(code: CodeHash) -> CodeHash {
    hashed(&[b"parent", &code[..]].concat())
}

/// The short hash of any bytes.
pub(crate) fn hashed(bytes: &[u8]) -> [u8; 16] {
    short(Sha256::new_with_prefix(bytes))
}

fn short(hasher: Sha256) -> CodeHash {
    let digest = hasher.finalize();
    let mut hash = CodeHash::default();
    hash.copy_from_slice(&digest[..16]);
    hash
}

/// A number for a text, the same on every machine.
pub(crate) fn stable_number(parts: &[&[u8]]) -> u64 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let digest = hasher.finalize();
    u64::from_le_bytes(std::array::from_fn(|k| digest[k]))
}

/// Lower-case hexadecimal.
#[cfg(not(target_family = "wasm"))] // who asks is not there
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> bool {
        read(one, None).unwrap().1 == read(other, None).unwrap().1
    }

    #[test]
    fn whitespace_and_comments_make_no_other_program() {
        let plain = "if a:\n    b = [1, 2]\nc = 'x y'\n";
        for other in [
            "if a :\n\tb=[ 1,2 ]  # two\n\n\n# c\nc='x y'",
            "if a:\r\n  b = [\n    1,\n    2]\r\nc = \\\n  'x y'\r\n",
        ] {
            assert!(same(plain, other), "{other}");
        }
    }

    #[test]
    fn what_runs_otherwise_is_another_program() {
        let plain = "if a:\n    b = 1\nc = 'x y'\n";
        for other in [
            "if a:\n    b = 1\n    c = 'x y'\n",
            "if a:\n    b = 1\nc = 'xy'\n",
            "if a:\n    b = 1\nc = 'x y' 'z'\n",
            "if a:\n    b = 11\nc = 'x y'\n",
        ] {
            assert!(!same(plain, other), "{other}");
        }
        assert!(!same("ab\n", "a\nb\n"));
    }
}
