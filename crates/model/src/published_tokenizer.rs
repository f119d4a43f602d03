//! The tokenizer of checkpoints with `vocab.json` and `merges.txt`: byte-level BPE, with the added
//! and special tokens listed beside them. Follows the slow tokenizer of transformers 4.30, with
//! which the published checkpoints were trained: blanks next to an added token are dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokenizers::Tokenizer;

use super::load::{missing, read_optional};
use crate::error::{Error, Result};

/// Which blanks around a token belong to it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default)]
struct Strip {
    lstrip: bool,
    rstrip: bool,
}

impl Default for Strip {
    fn default() -> Self {
        Self::NONE
    }
}

impl Strip {
    const NONE: Self = Self {
        lstrip: false,
        rstrip: false,
    };
    const BOTH: Self = Self {
        lstrip: true,
        rstrip: true,
    };
}

/// Reads the tokenizer of a directory.
///
/// # Errors
/// [`Error::MissingFile`], [`Error::Json`], [`Error::Tokenizer`].
pub fn read(dir: &Path) -> Result<Tokenizer> {
    let vocab_path = dir.join("vocab.json");
    let Some(vocab) = read_optional(&vocab_path)? else {
        return Err(missing(dir, "tokenizer.json, and no vocab.json"));
    };
    let Some(merges) = read_optional(&dir.join("merges.txt"))? else {
        return Err(missing(dir, "merges.txt"));
    };
    let vocab_file = vocab_path.display().to_string();
    let mut vocab: BTreeMap<String, u32> = parse(&vocab, &vocab_file)?;
    let added: BTreeMap<String, u32> = optional(dir, "added_tokens.json")?;
    let specials: Map<String, Value> = optional(dir, "special_tokens_map.json")?;
    let tokens = added_tokens(&mut vocab, added, &specials);
    let fail = |cause: String| Error::Tokenizer {
        file: vocab_file.clone(),
        cause,
    };
    let ids: BTreeSet<u32> = vocab.values().copied().collect();
    if ids.len() != vocab.len() {
        return Err(fail("two tokens have the same id".to_owned()));
    }
    let merges = String::from_utf8_lossy(&merges);
    let merges: Vec<&str> = merges
        .lines()
        .filter(|line| !line.starts_with("#version") && !line.trim().is_empty())
        .collect();
    let level = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
        "use_regex": true});
    let tokenizer = json!({
        "version": "1.0",
        "added_tokens": tokens,
        "pre_tokenizer": level,
        "decoder": level,
        "model": {
            "type": "BPE",
            "unk_token": vocab.contains_key("<unk>").then_some("<unk>"),
            "fuse_unk": false,
            "byte_fallback": false,
            "vocab": vocab,
            "merges": merges,
        },
    });
    Tokenizer::from_bytes(tokenizer.to_string()).map_err(|e| fail(e.to_string()))
}

/// The entries of a `tokenizer.json` for all atomic tokens, in the order of their ids; those
/// missing from `vocab` are added to it.
fn added_tokens(
    vocab: &mut BTreeMap<String, u32>,
    added: BTreeMap<String, u32>,
    specials: &Map<String, Value>,
) -> Vec<Value> {
    let mut strips: BTreeMap<String, Strip> = BTreeMap::new();
    for (token, id) in added {
        vocab.entry(token.clone()).or_insert(id);
        strips.insert(token, Strip::BOTH);
    }
    for (role, value) in specials {
        let plain = match role.as_str() {
            "additional_special_tokens" => Strip::BOTH,
            "mask_token" => Strip {
                lstrip: true,
                rstrip: false,
            },
            _ => Strip::NONE,
        };
        let one = std::slice::from_ref(value);
        for value in value.as_array().map_or(one, Vec::as_slice) {
            let content = value.as_str().or_else(|| value.get("content")?.as_str());
            let strip = match value {
                Value::Object(_) => Strip::deserialize(value).unwrap_or(plain),
                _ => plain,
            };
            if let Some(content) = content {
                strips.insert(content.to_owned(), strip);
            }
        }
    }
    let mut tokens: Vec<(u32, String, Strip)> = strips
        .into_iter()
        .filter_map(|(token, strip)| Some((*vocab.get(&token)?, token, strip)))
        .collect();
    tokens.sort_by_key(|(id, ..)| *id);
    let entry = |(id, content, strip): (u32, String, Strip)| {
        json!({"id": id, "content": content, "single_word": false, "lstrip": strip.lstrip,
            "rstrip": strip.rstrip, "normalized": false, "special": true})
    };
    tokens.into_iter().map(entry).collect()
}

fn optional<T: Default + for<'de> Deserialize<'de>>(dir: &Path, name: &str) -> Result<T> {
    let path = dir.join(name);
    match read_optional(&path)? {
        Some(text) => parse(&text, &path.display().to_string()),
        None => Ok(T::default()),
    }
}

fn parse<T: for<'de> Deserialize<'de>>(text: &[u8], file: &str) -> Result<T> {
    serde_json::from_slice(text).map_err(|source| Error::Json {
        file: file.to_owned(),
        source,
    })
}
