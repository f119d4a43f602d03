//! Parses the choices of a reply. Unknown fields and malformed choices do not affect the others.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Reply;
use super::json::parse;

#[derive(Deserialize)]
struct Document {
    choices: Vec<Text>,
    #[serde(default)]
    usage: Value,
}

/// The text of a choice, of its message, or of a part of the message; empty if there is none.
#[derive(Default)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a choice")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Text, A::Error> {
        let mut all = Text::default();
        while let Some(Text(text)) = parts.next_element()? {
            all.0.push_str(&text);
        }
        Ok(all)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Text, A::Error> {
        let mut found = Text::default();
        while let Some(key) = fields.next_key::<String>()? {
            if found.0.is_empty() && matches!(key.as_str(), "message" | "content" | "text") {
                found = fields.next_value()?;
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Text, E> {
        Ok(Text::default())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Text, E> {
        Ok(Text::default())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Text, E> {
        Ok(Text::default())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Text, E> {
        Ok(Text::default())
    }

    fn visit_unit<E: Error>(self) -> Result<Text, E> {
        Ok(Text::default())
    }
}

/// Parses the choices of a reply; `None` if it has no list of them.
pub(super) fn read(text: &str) -> Option<Reply> {
    let document: Document = parse(text)?;
    let count = |key: &str| document.usage[key].as_u64().unwrap_or(0);
    let (prompt_tokens, completion_tokens) = (count("prompt_tokens"), count("completion_tokens"));
    let mut choices: Vec<String> = document.choices.into_iter().map(|c| c.0).collect();
    if choices.is_empty() {
        // It still counts as an answer, but one that cannot be read.
        choices.push(String::new());
    }
    Some(Reply {
        choices,
        prompt_tokens,
        completion_tokens,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_whatever_is_left_out() {
        let whole = r#"{"choices": [{"message": {"content": "a"}}, {"message": {"content": null}},
            {"message": {"content": [{"type": "text", "text": "b"}]}}, {"text": "c"}, 7],
            "usage": {"prompt_tokens": 5, "completion_tokens": 3}}"#;
        let reply = read(whole).unwrap();
        assert_eq!(reply.choices, ["a", "", "b", "c", ""]);
        assert_eq!((reply.prompt_tokens, reply.completion_tokens), (5, 3));
        for odd in [
            "[]",
            "[null]",
            "[-1.5]",
            "[true]",
            "[{}]",
            r#"[{"message": 1}]"#,
        ] {
            let reply = read(&format!("{{\"choices\": {odd}}}")).unwrap();
            assert_eq!(reply.choices, [""], "{odd}");
        }
        for broken in [
            "",
            "<html>",
            "{}",
            "[]",
            r#"{"choices": {}}"#,
            r#"{"choices": null, "error": "no"}"#,
            r#"{"error": "no"}"#,
        ] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }

    #[test]
    fn one_odd_choice_leaves_the_others() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let document = format!(
            r#"{{"choices": [{{"logprobs": {deep}, "message": {{"content": "a"}}}},
            {{"message": {{"content": "b\ud800"}}}}], "other": {deep}, "x": "\udc00"}}"#
        );
        assert_eq!(read(&document).unwrap().choices, ["a", "b\u{fffd}"]);
    }
}
