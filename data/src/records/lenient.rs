//! Fields that other tools write in more than one way: ids as numbers, tokens as lists.

use serde::Deserialize;
use serde::de::Deserializer;

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected text or an integer")]
enum Id {
    Text(String),
    Signed(i64),
    Unsigned(u64),
}

/// Text, or an integer as text.
pub(crate) fn id<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(match Id::deserialize(from)? {
        Id::Text(text) => text,
        Id::Signed(number) => number.to_string(),
        Id::Unsigned(number) => number.to_string(),
    })
}

/// Text, an integer as text, or nothing.
pub(crate) fn id_option<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Wrapped(#[serde(deserialize_with = "id")] String);
    Ok(Option::<Wrapped>::deserialize(from)?.map(|w| w.0))
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected text or a list of texts")]
enum Words {
    Text(String),
    List(Vec<String>),
}

impl Words {
    fn join(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::List(words) => words.join(" "),
        }
    }
}

/// Text, or a list of texts joined by single blanks.
pub(super) fn joined<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Words::deserialize(from).map(Words::join)
}

/// The same, or nothing.
pub(super) fn joined_option<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<String>, D::Error> {
    Ok(Option::<Words>::deserialize(from)?.map(Words::join))
}
