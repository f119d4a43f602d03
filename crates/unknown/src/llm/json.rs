//! Foreign JSON: it may have escapes of lone surrogates, and text around it.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Returns the first object in a model's answer: the whole answer, or the part between braces.
pub fn object(content: &str) -> Option<Map<String, Value>> {
    // Models that think aloud answer after it.
    let content = content.rsplit("</think>").next().unwrap_or(content);
    let of = |text: &str| match parse(text) {
        Some(Value::Object(object)) => Some(object),
        _ => None,
    };
    of(content.trim()).or_else(|| {
        let begin = content.find('{')?;
        let end = content.rfind('}').filter(|end| *end > begin)?;
        of(&content[begin..=end]).or_else(|| {
            let text = &content[begin..];
            let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
            match values.next() {
                Some(Ok(Value::Object(object))) => Some(object),
                _ => None,
            }
        })
    })
}

/// Parses JSON; if that fails, tries again without lone surrogates.
pub fn parse<T: DeserializeOwned>(text: &str) -> Option<T> {
    let read = serde_json::from_str(text);
    read.or_else(|_| serde_json::from_str(&whole(text))).ok()
}

/// Replaces escapes of lone surrogates with `\ufffd`.
pub fn whole(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let follows = |at: usize| escape.get(at..).and_then(unit);
        let length = match (unit(escape), follows(6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => 0,
            (Some(_), _) => 6,
            // The backslash and the character after it.
            _ => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        if length == 0 {
            whole.push_str("\\ufffd");
        } else {
            whole.push_str(&escape[..length]);
        }
        rest = &escape[if length == 0 { 6 } else { length }..];
    }
    whole.push_str(rest);
    whole
}

/// Returns the code unit of the escape that a text begins with.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let are_digits = digits.bytes().all(|b| b.is_ascii_hexdigit());
    are_digits.then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_among_words() {
        for text in [
            r#"{"a": 1}"#,
            "Sure:\n```json\n{\"a\": 1}\n```\nDone.",
            r#"<think>{"b": 2}</think> {"a": 1}"#,
            r#"{"a": 1} and {"b": 2}"#,
        ] {
            let found = object(text).unwrap();
            assert_eq!(found["a"], 1, "{text}");
        }
        for text in ["", "[1]", "no", "}{", "{\"a\": "] {
            assert_eq!(object(text), None, "{text}");
        }
    }

    #[test]
    fn halves_of_characters_are_replaced() {
        for (text, want) in [
            (r#""a\ud800b""#, "a\u{fffd}b"),
            (r#""\udc00\ud800""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83d\ude00\ud83d""#, "\u{1f600}\u{fffd}"),
            (r#""\\ud800 \ud800\\""#, "\\ud800 \u{fffd}\\"),
            (r#""\u00e9\ud800\n""#, "\u{e9}\u{fffd}\n"),
        ] {
            assert_eq!(parse::<String>(text).as_deref(), Some(want), "{text}");
        }
        for text in ["\\", "\\u", "\"\\ud8", "\\u\u{e9}\u{e9}", "\\\u{1f600}"] {
            assert_eq!(whole(text), text);
            assert_eq!(parse::<String>(text), None);
        }
    }
}
