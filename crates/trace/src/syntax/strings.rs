//! Errors inside adjacent strings: incompatible prefixes, escapes, fields.

use super::SyntaxError;

/// An error in strings, with CPython's message.
pub(super) enum Wrong {
    /// About one of them.
    Token(usize, String),
    /// Reported at the last token read.
    Last(String),
    /// In a field of one of them, this many lines below its first.
    Inside(usize, u32, SyntaxError),
}

/// Reports the error in an expression.
type Parse<'p> = dyn Fn(&str) -> Option<SyntaxError> + 'p;

/// Checks adjacent strings.
pub(super) fn check(texts: &[&str], parse: &Parse<'_>) -> Result<(), Wrong> {
    let mut bytes = None;
    for (number, text) in texts.iter().enumerate() {
        let quote = text.find(['\'', '"']).unwrap_or(0);
        let prefix = text[..quote].to_ascii_lowercase();
        let is_bytes = prefix.contains('b');
        if *bytes.get_or_insert(is_bytes) != is_bytes {
            let message = "cannot mix bytes and nonbytes literals";
            return Err(Wrong::Last(message.to_owned()));
        }
        let body = body(&text[quote..]);
        if is_bytes && !body.is_ascii() {
            let message = "bytes can only contain ASCII literal characters";
            return Err(Wrong::Token(number, message.to_owned()));
        }
        if !prefix.contains('r') {
            let wrong = match is_bytes {
                true => bytes_escape(body),
                false => text_escape(body),
            };
            if let Some(message) = wrong {
                return Err(Wrong::Last(message));
            }
        }
        if prefix.contains('f') {
            let fields = Fields { body, parse };
            match fields.check(body, 0) {
                Ok(()) => {}
                Err(Field::Said(message)) => return Err(Wrong::Last(message)),
                Err(Field::Inside(lines, error)) => {
                    return Err(Wrong::Inside(number, lines, error));
                }
            }
        }
    }
    Ok(())
}

/// The text between the quotes.
fn body(text: &str) -> &str {
    let triple = text.len() >= 6 && (text.starts_with("'''") || text.starts_with("\"\"\""));
    let size = if triple { 3 } else { 1 };
    text.get(size..text.len().saturating_sub(size))
        .unwrap_or_default()
}

/// A `\x` of bytes without two digits.
fn bytes_escape(body: &str) -> Option<String> {
    let mut rest = body;
    let mut at = 0;
    while let Some(found) = rest.find('\\') {
        let behind = &rest[found + 1..];
        if let Some(digits) = behind.strip_prefix('x') {
            let count = digits
                .bytes()
                .take(2)
                .take_while(u8::is_ascii_hexdigit)
                .count();
            if count < 2 {
                return Some(format!(
                    "(value error) invalid \\x escape at position {}",
                    at + found
                ));
            }
        }
        let skipped = found + 1 + behind.chars().next().map_or(0, char::len_utf8);
        at += skipped;
        rest = &rest[skipped..];
    }
    None
}

/// A truncated escape, or one that names no character. Positions count the bytes of the text, with ten for each
/// non-ASCII character.
fn text_escape(body: &str) -> Option<String> {
    let mut at = 0;
    let mut chars = body.char_indices();
    while let Some((start, c)) = chars.next() {
        if c != '\\' {
            at += if c.is_ascii() { 1 } else { 10 };
            continue;
        }
        let (_, kind) = chars.next()?;
        let wanted = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            'N' => {
                let behind = &body[start + 2..];
                let closed = behind.starts_with('{').then(|| behind.find('}')).flatten();
                match closed {
                    Some(end) if end > 1 => {
                        at += 2 + end + 1;
                        chars.nth(behind[..end].chars().count());
                        continue;
                    }
                    _ => {
                        let length = if behind.starts_with('{') {
                            2 + behind.len()
                        } else {
                            2
                        };
                        let end = at + length - 1;
                        return Some(format!(
                            "(unicode error) 'unicodeescape' codec can't decode bytes in position {at}-{end}: malformed \\N character escape"
                        ));
                    }
                }
            }
            _ => {
                at += 1 + if kind.is_ascii() { 1 } else { 10 };
                continue;
            }
        };
        let digits = body[start + 2..]
            .bytes()
            .take(wanted)
            .take_while(u8::is_ascii_hexdigit);
        let count = digits.count();
        let value = u32::from_str_radix(&body[start + 2..start + 2 + count], 16);
        let shown = ["\\xXX", "\\uXXXX", "\\UXXXXXXXX"][match kind {
            'x' => 0,
            'u' => 1,
            _ => 2,
        }];
        let end = at + 1 + count;
        if count < wanted {
            return Some(format!(
                "(unicode error) 'unicodeescape' codec can't decode bytes in position {at}-{end}: truncated {shown} escape"
            ));
        }
        if value.is_ok_and(|value| value > 0x10_ffff) {
            return Some(format!(
                "(unicode error) 'unicodeescape' codec can't decode bytes in position {at}-{end}: illegal Unicode character"
            ));
        }
        at += 2 + count;
        if count > 0 {
            chars.nth(count - 1);
        }
    }
    None
}

/// The error in a field.
enum Field {
    Said(String),
    /// Lines below the string's first.
    Inside(u32, SyntaxError),
}

fn said<T>(message: impl Into<String>) -> Result<T, Field> {
    Err(Field::Said(format!("f-string: {}", message.into())))
}

/// The fields of an f-string.
struct Fields<'f> {
    body: &'f str,
    parse: &'f Parse<'f>,
}

impl<'f> Fields<'f> {
    fn check(&self, text: &'f str, depth: usize) -> Result<(), Field> {
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            // `\N{…}` is not a field.
            if depth == 0 && rest[..at].ends_with("\\N") && rest[at..].starts_with('{') {
                rest = &rest[at + rest[at..].find('}').map_or(1, |end| end + 1)..];
                continue;
            }
            let (sign, behind) = rest[at..].split_at(1);
            if depth == 0 && behind.starts_with(sign) {
                rest = &behind[1..];
                continue;
            }
            if sign == "}" {
                return said("single '}' is not allowed");
            }
            if depth >= 2 {
                return said("expressions nested too deeply");
            }
            rest = self.field(behind, depth)?;
        }
        Ok(())
    }

    /// Checks a field. Returns the rest.
    fn field(&self, text: &'f str, depth: usize) -> Result<&'f str, Field> {
        let end = end_of_expression(text)?;
        let (expression, mut rest) = text.split_at(end);
        if rest.is_empty() {
            return said("expecting '}'");
        }
        if expression.trim().is_empty() {
            return said("empty expression not allowed");
        }
        if let Some(error) = (self.parse)(expression) {
            let before = self.body.len() - self.body[offset(self.body, text)..].len();
            let lines = self.body[..before].bytes().filter(|b| *b == b'\n').count();
            return Err(Field::Inside(u32::try_from(lines).unwrap_or(0), error));
        }
        if let Some(behind) = rest.strip_prefix('=') {
            rest = behind.trim_start();
        }
        if let Some(behind) = rest.strip_prefix('!') {
            let mut after = behind.chars();
            let Some(conversion) = after.next() else {
                return said("expecting '}'");
            };
            if !matches!(conversion, 's' | 'r' | 'a') {
                return said("invalid conversion character: expected 's', 'r', or 'a'");
            }
            rest = after.as_str();
        }
        if let Some(behind) = rest.strip_prefix(':') {
            let Some(end) = end_of_format(behind) else {
                return said("expecting '}'");
            };
            self.check(&behind[..end], depth + 1)?;
            rest = &behind[end..];
        }
        match rest.strip_prefix('}') {
            Some(behind) => Ok(behind),
            None => said("expecting '}'"),
        }
    }
}

/// Offset of a part in a text.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize)
        .saturating_sub(text.as_ptr() as usize)
        .min(text.len())
}

/// End of a format.
fn end_of_format(text: &str) -> Option<usize> {
    let mut level = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => level += 1,
            '}' if level == 0 => return Some(at),
            '}' => level -= 1,
            _ => {}
        }
    }
    None
}

/// End of a field's expression.
fn end_of_expression(text: &str) -> Result<usize, Field> {
    let mut open: Vec<char> = Vec::new();
    let mut quote: Option<(char, usize)> = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c == '\\' {
            let message = "f-string expression part cannot include a backslash";
            return Err(Field::Said(message.to_owned()));
        }
        if let Some((sign, size)) = quote {
            let run = text[at..].chars().take(size).filter(|c| *c == sign).count();
            let ends = run == size;
            at += if ends { size } else { c.len_utf8() };
            quote = quote.filter(|_| !ends);
            continue;
        }
        match c {
            '\'' | '"' => {
                let run = text[at..].chars().take_while(|next| *next == c).count();
                let size = if run >= 3 { 3 } else { 1 };
                quote = Some((c, size));
                at += size;
                continue;
            }
            '(' | '[' | '{' => open.push(c),
            '#' => {
                let message = "f-string expression part cannot include '#'";
                return Err(Field::Said(message.to_owned()));
            }
            '!' | ':' | '}' | '=' | '>' | '<' if open.is_empty() => {
                let is_comparison = matches!(c, '!' | '=' | '<' | '>');
                if is_comparison && text[at + 1..].starts_with('=') {
                    at += 2;
                    continue;
                }
                if !matches!(c, '<' | '>') {
                    break;
                }
            }
            ')' | ']' | '}' => {
                let Some(last) = open.pop() else {
                    return said(format!("unmatched '{c}'"));
                };
                if !matches!((last, c), ('(', ')') | ('[', ']') | ('{', '}')) {
                    return said(format!(
                        "closing parenthesis '{c}' does not match opening parenthesis '{last}'"
                    ));
                }
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    match (quote, open.pop()) {
        (Some(_), _) => said("unterminated string"),
        (None, Some(last)) => said(format!("unmatched '{last}'")),
        (None, None) => Ok(at),
    }
}
