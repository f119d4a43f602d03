//! Near-duplicates: programs that differ only in names and constants.

use std::collections::HashMap;

use ruff_python_ast::token::TokenKind;
use ruff_text_size::Ranged;
use sha2::{Digest, Sha256};

use super::idioms::is_builtin;
use crate::syntax::with_parsed;

/// Key of a program without its own names and its constants: names become numbers in order of occurrence, except for
/// builtins and attributes, and constants their kind. `None` if it does not parse.
pub fn skeleton_hash(source: &str) -> Option<u64> {
    let hashed = with_parsed(source, |parsed| {
        let mut hasher = Sha256::new();
        let mut names: HashMap<&str, usize> = HashMap::new();
        let mut before = TokenKind::Newline;
        for token in parsed.tokens().iter() {
            let text = &source[token.range()];
            match token.kind() {
                TokenKind::Comment | TokenKind::NonLogicalNewline | TokenKind::EndOfFile => {
                    continue;
                }
                TokenKind::Name if before != TokenKind::Dot && !is_builtin(text) => {
                    let next = names.len();
                    let number = *names.entry(text).or_insert(next);
                    hasher.update([1]);
                    hasher.update(number.to_le_bytes());
                }
                TokenKind::Int | TokenKind::Float | TokenKind::Complex => hasher.update([2]),
                TokenKind::String | TokenKind::FStringMiddle => hasher.update([3]),
                TokenKind::Newline => hasher.update([4]),
                TokenKind::Indent => hasher.update([5]),
                TokenKind::Dedent => hasher.update([6]),
                _ => {
                    hasher.update(text.as_bytes());
                    hasher.update([0]);
                }
            }
            before = token.kind();
        }
        let digest = hasher.finalize();
        u64::from_le_bytes(std::array::from_fn(|k| digest[k]))
    });
    hashed.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_constants_make_no_other_program() {
        let hash = |source| skeleton_hash(source).unwrap();
        let plain = hash("total = 3\nfor k in range(4):\n    total += k\nprint(total)\n");
        assert_eq!(
            plain,
            hash("n = 10\nfor i in range(2):  # two\n    n += i\nprint(n)\n")
        );
        for other in [
            "n = 10\nfor i in range(2):\n    n -= i\nprint(n)\n",
            "n = 10\nfor i in range(2):\n    i += n\nprint(n)\n",
            "n = 10\nfor i in list(2):\n    n += i\nprint(n)\n",
            "n = '10'\nfor i in range(2):\n    n += i\nprint(n)\n",
        ] {
            assert_ne!(plain, hash(other), "{other}");
        }
        assert_ne!(hash("a.b()\n"), hash("a.c()\n"));
        assert_eq!(skeleton_hash("x = (\n"), None);
    }
}
