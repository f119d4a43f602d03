//! Ends of lines as Python sees them.

/// `text` with `\n` for every `\r\n` and `\r`: Python accepts all three, everything after the
/// readers only one.
pub fn normalise_newlines(text: String) -> String {
    if !text.contains('\r') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('\r');
    out.extend(parts.next());
    for part in parts {
        out.push('\n');
        out.push_str(part.strip_prefix('\n').unwrap_or(part));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_line_is_one_newline() {
        let text = |t: &str| normalise_newlines(t.to_owned());
        assert_eq!(text("a\r\nb\rc\nd"), "a\nb\nc\nd");
        assert_eq!(text("\r\r\n\n\r"), "\n\n\n\n");
        assert_eq!(text("a = '\\r'\n"), "a = '\\r'\n");
    }
}
