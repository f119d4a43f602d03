//! Opens a checkpoint: a directory in the hub's layout, a name on the hub, or embedded bytes. Every
//! problem with the files is an error here, with the file's name. Damaged files never cause a
//! panic.

use std::io::Read;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use sha2::{Digest, Sha256};
use tokenizers::Tokenizer;

use super::weights::{self, Weights};
use super::{EncoderDecoder, ModelConfig, hub, published_tokenizer};
use crate::error::{Error, Result};

/// Rows of the token embeddings that a fingerprint is made of.
const FINGERPRINT_ROWS: usize = 8;

/// A network with the tokenizer it was trained with.
#[derive(Debug)]
pub struct Checkpoint {
    /// Its origin, as given.
    pub name: String,
    /// `config.json`.
    pub config: ModelConfig,
    /// Text to ids and back.
    pub tokenizer: Tokenizer,
    /// The network, arranged for inference.
    pub model: EncoderDecoder,
}

/// The weights files of a directory, in order of preference.
enum WeightFiles {
    Safetensors(Vec<PathBuf>),
    Pickle(PathBuf),
}

impl Checkpoint {
    /// Opens a directory, or a hub name as `microsoft/codeexecutor`. Weights are cast to `dtype`
    /// whatever the files hold (f32 on a CPU).
    ///
    /// # Errors
    /// Names the file, the cause and what to do; see [`Error`].
    pub fn open(dir_or_name: &str, device: &Device, dtype: DType) -> Result<Self> {
        let dir = locate(dir_or_name)?;
        let config = read_config(&dir)?;
        let tokenizer = read_tokenizer(&dir)?;
        let weights = read_weights(&dir)?;
        Self::assemble(dir_or_name, config, tokenizer, &weights, device, dtype)
    }

    /// A checkpoint from the bytes of its three files: `config.json`, `tokenizer.json`,
    /// `model.safetensors`.
    ///
    /// # Errors
    /// As for [`Checkpoint::open`], with the file names `name` and the usual ones.
    pub fn from_bytes(
        name: &str,
        config: &[u8],
        tokenizer: &[u8],
        safetensors: &[u8],
        device: &Device,
        dtype: DType,
    ) -> Result<Self> {
        let file = |file: &str| format!("{name}: {file}");
        let config = ModelConfig::from_json(config, &file("config.json"))?;
        let tokenizer = parse_tokenizer(tokenizer, &file("tokenizer.json"))?;
        let mut weights = Weights::new(file("model.safetensors"));
        weights.add_safetensors(safetensors, &file("model.safetensors"))?;
        Self::assemble(name, config, tokenizer, &weights, device, dtype)
    }

    fn assemble(
        name: &str,
        mut config: ModelConfig,
        tokenizer: Tokenizer,
        weights: &Weights,
        device: &Device,
        dtype: DType,
    ) -> Result<Self> {
        if config.num_labels.is_some() {
            return Err(Error::Config {
                file: format!("{name}: config.json"),
                cause: "this is a classifier of values, it writes no traces; it is for \
                        `codexec guide --predictor neural --predictor-model`"
                    .to_owned(),
            });
        }
        let ids = tokenizer.get_vocab(true);
        let highest = ids.values().copied().max().unwrap_or(0);
        if highest as usize >= config.vocab_size {
            return Err(Error::Config {
                file: format!("{name}: config.json"),
                cause: format!(
                    "vocab_size is {}, tokenizer.json has a token with the id {highest}",
                    config.vocab_size
                ),
            });
        }
        // A source takes positions from the same table as its target.
        let window = config.max_tokens();
        config.codexec.max_source = config.codexec.max_source.min(window);
        let tensors = weights.select(&config, device, dtype)?;
        let vb = VarBuilder::from_tensors(tensors, dtype, device);
        Ok(Self {
            name: name.to_owned(),
            model: EncoderDecoder::new(&config, vb)?.for_inference()?,
            config,
            tokenizer,
        })
    }

    /// The same network with weights of 8 bits.
    ///
    /// # Errors
    /// The errors of [`EncoderDecoder::quantise`].
    pub fn quantised(self) -> Result<Self> {
        Ok(Self {
            model: self.model.quantise()?,
            ..self
        })
    }

    /// Identifies checkpoints independently of their names: a digest of some of the weights. The logits of a unit
    /// vector are the weights themselves, to the last bit on every machine.
    ///
    /// # Errors
    /// Failures of the tensor library.
    pub fn fingerprint(&self) -> Result<String> {
        let width = self.config.hidden_size;
        let rows = FINGERPRINT_ROWS.min(width);
        let units: Vec<f32> = (0..rows * width)
            .map(|at| if at / width == at % width { 1.0 } else { 0.0 })
            .collect();
        // rows * hidden_size
        let units = Tensor::from_vec(units, (rows, width), self.model.device())?;
        // rows * vocab_size
        let weights = self.model.logits(&units)?.to_dtype(DType::F32)?;
        let mut hash = Sha256::new();
        for weight in weights.flatten_all()?.to_vec1::<f32>()? {
            hash.update(weight.to_le_bytes());
        }
        let hash = hash.finalize();
        Ok(hash[..8].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The id of a token that must be in the vocabulary.
    ///
    /// # Errors
    /// [`Error::MissingToken`].
    pub fn token(&self, token: &str) -> Result<u32> {
        self.tokenizer
            .token_to_id(token)
            .ok_or_else(|| Error::MissingToken {
                token: token.to_owned(),
            })
    }
}

/// The directory a checkpoint is in, downloaded if need be.
///
/// # Errors
/// [`Error::Read`] when it is neither a directory nor a name of the hub, else [`Error::Hub`].
pub fn locate(dir_or_name: &str) -> Result<PathBuf> {
    let path = Path::new(dir_or_name);
    if path.is_dir() {
        return Ok(path.to_owned());
    }
    if !path.exists() && hub::is_name(dir_or_name) {
        return hub::fetch(dir_or_name);
    }
    let source = match std::fs::metadata(path) {
        Ok(_) => std::io::Error::other("a checkpoint is a directory, this is a file"),
        Err(error) => error,
    };
    Err(Error::Read {
        path: path.to_owned(),
        source,
    })
}

/// Whether a directory has all that a checkpoint needs.
#[cfg(not(target_family = "wasm"))] // where nothing is downloaded
pub(super) fn is_complete(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).is_file();
    let vocabulary = has("tokenizer.json") || (has("vocab.json") && has("merges.txt"));
    has("config.json") && vocabulary && weight_files(dir).is_ok_and(|files| files.exist())
}

/// Reads `config.json` of a directory.
///
/// # Errors
/// [`Error::MissingFile`], [`Error::Json`], [`Error::Config`].
pub fn read_config(dir: &Path) -> Result<ModelConfig> {
    let path = dir.join("config.json");
    let Some(text) = read_optional(&path)? else {
        return Err(missing(dir, "config.json"));
    };
    ModelConfig::from_json(&text, &path.display().to_string())
}

/// Reads `tokenizer.json` of a directory, or makes the tokenizer of its `vocab.json` and
/// `merges.txt`.
///
/// # Errors
/// [`Error::MissingFile`], [`Error::Json`], [`Error::Tokenizer`].
pub fn read_tokenizer(dir: &Path) -> Result<Tokenizer> {
    let path = dir.join("tokenizer.json");
    if let Some(text) = read_optional(&path)? {
        return parse_tokenizer(&text, &path.display().to_string());
    }
    published_tokenizer::read(dir)
}

/// Reads the weights of a directory unchanged, on the CPU.
///
/// # Errors
/// [`Error::MissingFile`], [`Error::Read`], [`Error::Weights`].
pub fn read_weights(dir: &Path) -> Result<Weights> {
    match weight_files(dir)? {
        WeightFiles::Safetensors(files) => {
            let first = files.first().map(|f| f.display().to_string());
            let mut weights = Weights::new(first.unwrap_or_default());
            for file in files {
                let bytes = read(&file, u64::MAX)?;
                weights.add_safetensors(&bytes, &file.display().to_string())?;
            }
            Ok(weights)
        }
        WeightFiles::Pickle(file) => weights::read_pickle(&file),
    }
}

#[cfg(not(target_family = "wasm"))]
impl WeightFiles {
    fn exist(&self) -> bool {
        match self {
            Self::Safetensors(files) => files.iter().all(|f| f.is_file()),
            Self::Pickle(file) => file.is_file(),
        }
    }
}

fn weight_files(dir: &Path) -> Result<WeightFiles> {
    let single = dir.join("model.safetensors");
    if single.is_file() {
        return Ok(WeightFiles::Safetensors(vec![single]));
    }
    let index = dir.join(weights::SHARD_INDEX);
    if let Some(text) = read_optional(&index)? {
        let shards = weights::shards(&text, &index.display().to_string())?;
        let files = shards.iter().map(|name| dir.join(name)).collect();
        return Ok(WeightFiles::Safetensors(files));
    }
    let pickle = dir.join("pytorch_model.bin");
    if pickle.is_file() {
        return Ok(WeightFiles::Pickle(pickle));
    }
    Err(missing(dir, "model.safetensors or pytorch_model.bin"))
}

fn parse_tokenizer(text: &[u8], file: &str) -> Result<Tokenizer> {
    let fail = |error: tokenizers::Error| Error::Tokenizer {
        file: file.to_owned(),
        cause: error.to_string(),
    };
    let mut tokenizer = Tokenizer::from_bytes(text).map_err(fail)?;
    // Cutting and padding are decided here, by the network's window.
    tokenizer.with_truncation(None).map_err(fail)?;
    tokenizer.with_padding(None);
    Ok(tokenizer)
}

pub(super) fn missing(dir: &Path, wanted: &'static str) -> Error {
    Error::MissingFile {
        dir: dir.to_owned(),
        wanted,
    }
}

/// The bytes of a regular file of at most `most` bytes.
fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let bytes = || {
        // Checked before opening: opening a pipe waits for its writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(std::io::Error::other("this is not a regular file"));
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path)?;
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            let why = format!("the file has more than {} MiB", most >> 20);
            return Err(std::io::Error::other(why));
        }
        Ok(bytes)
    };
    bytes().map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })
}

/// The largest published tokenizers have 20 MB.
const MOST_JSON: u64 = 64 << 20;

/// The bytes of a JSON or text file of a checkpoint. `None` if it does not exist.
pub(super) fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    if path.exists() {
        read(path, MOST_JSON).map(Some)
    } else {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::embedded;
    use super::*;

    #[test]
    fn fingerprints_tell_checkpoints_apart() {
        let steps = embedded::load_steps(&Device::Cpu).unwrap();
        let whole = embedded::load(&Device::Cpu).unwrap();
        let of_steps = steps.fingerprint().unwrap();
        assert_eq!(of_steps, steps.fingerprint().unwrap());
        assert_ne!(of_steps, whole.fingerprint().unwrap());
        assert_eq!(of_steps.len(), 16);
    }
}
