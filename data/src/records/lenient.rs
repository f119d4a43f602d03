//! Fields that other tools write in several ways: ids as numbers, tokens as lists, nothing as null.

use serde::de::{Deserializer, Error, IntoDeserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

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

/// A string, an integer as a string, or nothing.
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

/// A string, or a list of strings joined by single blanks.
pub(super) fn joined<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Words::deserialize(from).map(Words::join)
}

/// The same, or nothing: null or the empty string.
pub(super) fn joined_option<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<String>, D::Error> {
    let words = Option::<Words>::deserialize(from)?.map(Words::join);
    Ok(words.filter(|text| !text.is_empty()))
}

/// A string, or nothing: null or the empty string.
pub(super) fn text_option<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    Ok(text.filter(|text| !text.is_empty()))
}

/// A line, or nothing: null or 0.
pub(super) fn line_option<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    Ok(Option::<u32>::deserialize(from)?.filter(|line| *line > 0))
}

/// A name of something, or nothing: null or the empty string.
pub(super) fn name_option<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let name = text_option(from)?;
    let read = |name: String| T::deserialize(name.into_deserializer());
    name.map(read).transpose()
}

/// The value, or else the default of its type: a column of a file has one type even if it is unknown everywhere.
pub(super) fn filled<T, S>(value: &Option<T>, into: S) -> Result<S::Ok, S::Error>
where
    T: Default + Serialize,
    S: Serializer,
{
    match value {
        Some(value) => value.serialize(into),
        None => T::default().serialize(into),
    }
}

/// The name of a known value, or else the empty string.
pub(super) fn filled_name<T: Serialize, S: Serializer>(
    value: &Option<T>,
    into: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => value.serialize(into),
        None => into.serialize_str(""),
    }
}

/// A value, or null for its default.
pub(super) fn or_default<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}

/// A seed: 64 bits as text, or as a number in older files.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a seed: an integer, as text or as a number"
)]
enum Seed {
    Number(u64),
    Text(String),
}

impl Seed {
    fn number<E: Error>(self) -> Result<u64, E> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Text(text) => text
                .parse()
                .map_err(|_| E::custom(format!("`{text}` is not a 64-bit seed"))),
        }
    }
}

/// A seed, or null for none.
pub(super) fn seed<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let seed = Option::<Seed>::deserialize(from)?;
    seed.map_or(Ok(0), Seed::number)
}

/// Seeds, or null for none.
pub(super) fn seeds<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    let seeds = Option::<Vec<Seed>>::deserialize(from)?.unwrap_or_default();
    seeds.into_iter().map(Seed::number).collect()
}

/// Writes a seed as text.
pub(super) fn as_text<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
    seed.to_string().serialize(to)
}

/// Writes seeds as strings.
pub(super) fn as_texts<S: Serializer>(seeds: &[u64], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(seeds.iter().map(u64::to_string))
}
