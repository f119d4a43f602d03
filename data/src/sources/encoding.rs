//! The text of a Python file, in the encoding that it declares (PEP 263).

use encoding_rs::Encoding;

/// The text of a Python file: UTF-8, with or without a byte order mark, unless its first or second line
/// declares another encoding.
///
/// # Errors
/// The error and its place, for people.
pub fn python_text(bytes: Vec<u8>) -> Result<String, String> {
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        let line = bytes[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        return Err(format!(
            "line {line}: a NUL byte, which Python does not read in a program; is this a file of text, in UTF-8?"
        ));
    }
    let marked = bytes.starts_with(b"\xef\xbb\xbf");
    let declared = declared(&bytes).map(|name| name.to_ascii_lowercase().replace('_', "-"));
    match declared.as_deref().map(usual_name) {
        None | Some("utf-8" | "utf8" | "utf-8-sig" | "u8" | "utf" | "cp65001") => utf8(bytes),
        Some(other) if marked => Err(format!(
            "the file begins with the mark of UTF-8 and declares the encoding `{other}`; leave out one of \
             them"
        )),
        Some("ascii" | "us-ascii" | "646") => match bytes.is_ascii() {
            true => utf8(bytes),
            false => Err("a byte is not of the declared encoding `ascii`".to_owned()),
        },
        // Python's is the first 256 characters; the web's encoding of that name differs.
        Some("latin-1" | "latin1" | "l1" | "iso-8859-1" | "iso8859-1" | "8859" | "cp819") => {
            Ok(bytes.into_iter().map(char::from).collect())
        }
        Some(name) => other(name, &bytes),
    }
}

/// CPython's tokeniser reads `utf-8-unix` as `utf-8`, and the like.
fn usual_name(name: &str) -> &str {
    let all = ["utf-8", "latin-1", "iso-8859-1", "iso-latin-1"];
    let is_variant = |usual: &&&str| {
        name.strip_prefix(**usual)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    match all.iter().find(is_variant) {
        Some(&"iso-latin-1") => "iso-8859-1",
        Some(usual) => usual,
        None => name,
    }
}

/// Text of UTF-8, without a byte order mark.
pub(super) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        format!("line {line}: byte {at} is not UTF-8; convert the file to UTF-8 first")
    })?;
    let unmarked = text.strip_prefix('\u{feff}').map(str::to_owned);
    Ok(unmarked.unwrap_or(text))
}

/// An encoding by the name that Python has for it.
fn other(name: &str, bytes: &[u8]) -> Result<String, String> {
    let label = match name {
        "cp932" | "ms932" | "mskanji" | "ms-kanji" => "shift_jis",
        "cp949" | "uhc" | "ms949" => "euc-kr",
        "cp950" | "950" => "big5",
        "cp936" | "936" => "gbk",
        "eucjp" | "ujis" => "euc-jp",
        "euckr" => "euc-kr",
        "shiftjis" => "shift_jis",
        "mac-roman" => "macintosh",
        other => other,
    };
    let unknown =
        || format!("the declared encoding `{name}` is not known; convert the file to UTF-8 first");
    let encoding = Encoding::for_label(label.as_bytes()).ok_or_else(unknown)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.map(|text| text.into_owned())
        .ok_or_else(|| format!("a byte is not of the declared encoding `{name}`"))
}

/// The encoding declared on the first line, or on the second one if the first is blank or a comment.
fn declared(bytes: &[u8]) -> Option<&str> {
    let mut lines = bytes.split(|b| matches!(b, b'\n' | b'\r')).take(4);
    let first = lines.next()?;
    if let Some(name) = cookie(first) {
        return Some(name);
    }
    let start = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    let code = start.iter().find(|b| !matches!(b, b' ' | b'\t' | 0x0c));
    if code.is_some_and(|b| *b != b'#') {
        return None;
    }
    // Between \r and \n there is no line.
    let second = match bytes.get(first.len()..first.len() + 2) {
        Some(b"\r\n") => lines.nth(1)?,
        _ => lines.next()?,
    };
    cookie(second)
}

/// The name in a comment `coding: NAME` or `coding=NAME`.
fn cookie(line: &[u8]) -> Option<&str> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let comment = line
        .iter()
        .position(|b| !matches!(b, b' ' | b'\t' | 0x0c))?;
    let comment = line[comment..].strip_prefix(b"#")?;
    let after = (0..comment.len()).find_map(|at| {
        let rest = comment[at..].strip_prefix(b"coding")?;
        rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))
    })?;
    let blanks = after
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    let name = &after[blanks..];
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let length = name.iter().take_while(|b| is_part(b)).count();
    std::str::from_utf8(&name[..length])
        .ok()
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_in_the_encoding_it_declares() {
        for (bytes, text) in [
            (&b"s = 1\n"[..], "s = 1\n"),
            (b"\xef\xbb\xbfs = '\xc3\xa9'\n", "s = 'é'\n"),
            (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n"),
            (
                b"# -*- coding: latin-1 -*-\ns = '\xe9\x80'\n",
                "# -*- coding: latin-1 -*-\ns = 'é\u{80}'\n",
            ),
            (
                b"#!/usr/bin/python\r\n# vim: set fileencoding=cp1252 :\r\ns = '\x80'\r\n",
                "#!/usr/bin/python\r\n# vim: set fileencoding=cp1252 :\r\ns = '€'\r\n",
            ),
            (
                b"\n# coding=Shift_JIS\ns = '\x82\xa0'",
                "\n# coding=Shift_JIS\ns = 'あ'",
            ),
            (b"# coding: koi8_r\ns = '\xc1'", "# coding: koi8_r\ns = 'а'"),
            (
                b"# coding: euc_jp\ns = '\xa4\xa2'",
                "# coding: euc_jp\ns = 'あ'",
            ),
            (b"#_*_coding:utf-8_*_\ns = 1", "#_*_coding:utf-8_*_\ns = 1"),
            (
                b"# coding: latin-1-unix\ns = '\xe9'",
                "# coding: latin-1-unix\ns = 'é'",
            ),
            // After code there is no declaration.
            (b"a = 1\n# coding: latin-1\n", "a = 1\n# coding: latin-1\n"),
        ] {
            assert_eq!(python_text(bytes.to_vec()).unwrap(), text);
        }
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (bytes, said) in [
            (&b"a = 1\ns = '\xe9'\n"[..], "line 2: byte 11 is not UTF-8"),
            (b"a = 1\nb = '\0'\n", "line 2: a NUL byte"),
            (b"# coding: nonsense\n", "`nonsense` is not known"),
            (b"# coding: ascii\ns = '\xe9'\n", "`ascii`"),
            (b"\xef\xbb\xbf# coding: latin-1\n", "leave out one"),
            (b"# coding: euc-jp\ns = '\xa4'\n", "`euc-jp`"),
        ] {
            let error = python_text(bytes.to_vec()).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
