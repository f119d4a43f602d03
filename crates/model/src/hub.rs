//! Checkpoints by their name on the Hugging Face hub: from its cache, else downloaded into it. Only
//! the needed files are fetched; with `HF_HUB_OFFLINE` set, none are.

use std::path::PathBuf;

#[cfg(not(target_family = "wasm"))]
use hf_hub::api::sync::ApiBuilder;
#[cfg(not(target_family = "wasm"))]
use hf_hub::{Cache, Repo};

#[cfg(not(target_family = "wasm"))]
use super::load;
#[cfg(not(target_family = "wasm"))]
use super::weights::SHARD_INDEX;
use crate::error::{Error, Result};

/// Whether a text has the shape of a name on the hub: `owner/name`.
pub fn is_name(text: &str) -> bool {
    let part = |p: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !p.is_empty() && !p.starts_with('.') && p.chars().all(plain)
    };
    text.split_once('/')
        .is_some_and(|(owner, name)| part(owner) && part(name))
}

/// The directory of a checkpoint in the hub's cache; downloaded if missing.
///
/// # Errors
/// [`Error::Hub`] if there is no network, or no such checkpoint.
#[cfg(target_family = "wasm")]
pub fn fetch(name: &str) -> Result<PathBuf> {
    Err(Error::Hub {
        name: name.to_owned(),
        file: "config.json".to_owned(),
        cause: "nothing is downloaded here".to_owned(),
    })
}

/// The directory of a checkpoint in the hub's cache; downloaded if missing.
///
/// # Errors
/// [`Error::Hub`] if there is no network, or no such checkpoint.
#[cfg(not(target_family = "wasm"))]
pub fn fetch(name: &str) -> Result<PathBuf> {
    let cached = Cache::from_env().repo(Repo::model(name.to_owned()));
    let dir = cached.get("config.json").and_then(parent);
    if let Some(dir) = dir.filter(|d| load::is_complete(d)) {
        return Ok(dir);
    }
    let fail = |file: &str, cause: String| Error::Hub {
        name: name.to_owned(),
        file: file.to_owned(),
        cause,
    };
    if std::env::var_os("HF_HUB_OFFLINE").is_some_and(|v| !v.is_empty() && v != "0") {
        let cause = "it is not in the cache, and HF_HUB_OFFLINE is set".to_owned();
        return Err(fail("config.json", cause));
    }
    let api = ApiBuilder::from_env().with_progress(false).build();
    let api = api.map_err(|e| fail("config.json", e.to_string()))?;
    let repo = api.model(name.to_owned());
    let listing = repo
        .info()
        .map_err(|e| fail("list of files", e.to_string()))?;
    let files: Vec<String> = listing.siblings.into_iter().map(|s| s.rfilename).collect();
    for file in needed(&files) {
        repo.get(file).map_err(|e| fail(file, e.to_string()))?;
    }
    let config = repo
        .get("config.json")
        .map_err(|e| fail("config.json", e.to_string()))?;
    parent(config).ok_or_else(|| fail("config.json", "the cache has no directory".to_owned()))
}

#[cfg(not(target_family = "wasm"))]
fn parent(file: PathBuf) -> Option<PathBuf> {
    file.parent().map(|dir| dir.to_owned())
}

/// The files of a repository that make up a checkpoint: one form of the weights, and the tokenizer.
#[cfg(not(target_family = "wasm"))]
fn needed(files: &[String]) -> Vec<&str> {
    const ALWAYS: [&str; 7] = [
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "vocab.json",
        "merges.txt",
        "added_tokens.json",
        "special_tokens_map.json",
    ];
    let has = |name: &str| files.iter().any(|f| f == name);
    let shard = |f: &str| f.starts_with("model-") && f.ends_with(".safetensors");
    let weight = |f: &str| {
        if has("model.safetensors") {
            f == "model.safetensors"
        } else if has(SHARD_INDEX) {
            f == SHARD_INDEX || shard(f)
        } else {
            f == "pytorch_model.bin"
        }
    };
    let wanted = |f: &&str| ALWAYS.contains(f) || weight(f);
    files.iter().map(String::as_str).filter(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_paths() {
        assert!(is_name("microsoft/unixcoder-base"));
        for path in [
            "checkpoints",
            "./a/b",
            "../a",
            "/a/b",
            "a/b/c",
            "a//b",
            "a/",
            "~/x",
            "",
        ] {
            assert!(!is_name(path), "{path}");
        }
    }

    #[test]
    fn one_form_of_the_weights_is_fetched() {
        let files = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let listing = files(&[
            "README.md",
            "config.json",
            "merges.txt",
            "pytorch_model.bin",
            "vocab.json",
        ]);
        assert_eq!(
            needed(&listing),
            [
                "config.json",
                "merges.txt",
                "pytorch_model.bin",
                "vocab.json"
            ]
        );
        let listing = files(&[
            "flax_model.msgpack",
            "model.safetensors",
            "pytorch_model.bin",
        ]);
        assert_eq!(needed(&listing), ["model.safetensors"]);
        let listing = files(&[
            "model-00001-of-00002.safetensors",
            "model.safetensors.index.json",
        ]);
        assert_eq!(needed(&listing).len(), 2);
    }
}
