//! Values as the paper shows them: containers spaced out, strings without quotes, instances by their
//! class alone.

use crate::without_attributes;

/// A canonical value text as the paper shows it: `['a', -3]` becomes `[ a , -3 ]`, `<A x=1>` becomes
/// `<A>`.
pub fn paper_value(text: &str) -> String {
    let text = &*without_attributes(text);
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    let mut unclosed = Unclosed::default();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut bare = None;
        let length = match unclosed.string_length(rest, c) {
            Some(length) => {
                bare = Some(unquoted(&rest[1..length - 1]));
                length
            }
            None => c.len_utf8(),
        };
        match c {
            '[' | ']' | '(' | ')' | '{' | '}' | ',' | ':' => {
                if !out.is_empty() && !gap {
                    out.push(' ');
                }
                out.push(c);
                out.push(' ');
                gap = true;
            }
            ' ' if gap => {}
            _ => {
                let piece = bare.as_deref().unwrap_or(&rest[..length]);
                out.push_str(piece);
                gap &= piece.is_empty();
            }
        }
        at += length;
    }
    if gap {
        out.pop();
    }
    out
}

/// Kinds of quotes known to start no literal. A later quote of the same kind starts none either,
/// since it would need the same end; this avoids a quadratic search.
#[derive(Default)]
struct Unclosed {
    single: bool,
    double: bool,
}

impl Unclosed {
    /// Length in bytes of the string literal at the start of `text`, whose first character is
    /// `first`. Call it front to back on one text.
    fn string_length(&mut self, text: &str, first: char) -> Option<usize> {
        let unclosed = match first {
            '\'' => &mut self.single,
            '"' => &mut self.double,
            _ => return None,
        };
        if *unclosed {
            return None;
        }
        let length = string_length(text, first);
        *unclosed = length.is_none();
        length
    }
}

fn string_length(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at + 1)
}

/// The inside of a literal as `str` would show it. If it has unprintable characters it stays
/// escaped, as the interpreter would list it in a container.
fn unquoted(inside: &str) -> String {
    let (mut out, mut chars) = (String::with_capacity(inside.len()), inside.chars());
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(shown @ ('\\' | '\'' | '"'))) => {
                out.push(shown);
                chars.next();
            }
            ('\\', _) => return inside.to_owned(),
            _ => out.push(c),
        }
    }
    out
}
