//! Character classes and word boundaries under `re.ASCII`.

/// Returns an escape in the syntax of `fancy-regex`.
pub(super) fn class(c: char, in_class: bool) -> Option<String> {
    const WORD: &str = "[0-9A-Za-z_]";
    let members = match c.to_ascii_lowercase() {
        'd' => "0-9",
        'w' => "0-9A-Za-z_",
        's' => r" \t\n\r\x0b\x0c",
        'b' if in_class => return None,
        // Between a word character and any other.
        _ => {
            let (ahead, behind) = match c {
                'b' => ('!', '='),
                _ => ('=', '!'),
            };
            return Some(format!(
                "(?:(?<={WORD})(?{ahead}{WORD})|(?<!{WORD})(?{behind}{WORD}))"
            ));
        }
    };
    Some(match (c.is_ascii_uppercase(), in_class) {
        (true, _) => format!("[^{members}]"),
        (false, true) => members.to_string(),
        (false, false) => format!("[{members}]"),
    })
}
