//! Reads named tensors from files: safetensors, one or several, and PyTorch's pickles, with any
//! prefix that the exporter added. Their use is not known here.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use safetensors::SafeTensors;

use super::ModelConfig;
use crate::error::{Error, Result};

/// Lists which file of several holds which tensor.
pub(super) const SHARD_INDEX: &str = "model.safetensors.index.json";

/// The tensor by which the prefix is found.
const ANCHOR: &str = "embeddings.word_embeddings.weight";

/// Tensors as files name and store them.
#[derive(Debug)]
pub struct Weights {
    file: String,
    tensors: BTreeMap<String, Tensor>,
}

impl Weights {
    /// Empty; `file` names them in errors.
    pub fn new(file: String) -> Self {
        Self {
            file,
            tensors: BTreeMap::new(),
        }
    }

    /// Adds the tensors of one safetensors file. Non-float tensors (`position_ids`) are skipped.
    ///
    /// # Errors
    /// [`Error::Weights`] when the header or a tensor makes no sense.
    pub fn add_safetensors(&mut self, bytes: &[u8], file: &str) -> Result<()> {
        let fail = |cause: String| Error::Weights {
            file: file.to_owned(),
            cause,
        };
        let views = SafeTensors::deserialize(bytes).map_err(|e| fail(e.to_string()))?;
        for (name, view) in views.iter() {
            let dtype = match view.dtype() {
                safetensors::Dtype::F16 => DType::F16,
                safetensors::Dtype::BF16 => DType::BF16,
                safetensors::Dtype::F32 => DType::F32,
                safetensors::Dtype::F64 => DType::F64,
                _ => continue,
            };
            let tensor = Tensor::from_raw_buffer(view.data(), dtype, view.shape(), &Device::Cpu);
            self.tensors
                .insert(name.to_owned(), tensor.map_err(|e| fail(e.to_string()))?);
        }
        Ok(())
    }

    /// The tensors of a network by the names of a bare `RobertaModel`, checked against the
    /// configuration, cast and moved. Others are left out.
    ///
    /// # Errors
    /// [`Error::MissingTensor`], [`Error::TensorShape`].
    pub fn select(
        &self,
        config: &ModelConfig,
        device: &Device,
        dtype: DType,
    ) -> Result<HashMap<String, Tensor>> {
        self.select_named(config.tensors(), device, dtype)
    }

    /// As [`select`](Self::select), of a network with these tensors.
    ///
    /// # Errors
    /// As there.
    pub fn select_named(
        &self,
        tensors: Vec<(String, Vec<usize>)>,
        device: &Device,
        dtype: DType,
    ) -> Result<HashMap<String, Tensor>> {
        let prefix = self.prefix();
        let mut out = HashMap::new();
        for (name, wanted) in tensors {
            let Some(tensor) = self.tensors.get(&format!("{prefix}{name}")) else {
                return Err(Error::MissingTensor {
                    file: self.file.clone(),
                    tensor: name,
                });
            };
            if tensor.dims() != wanted {
                return Err(Error::TensorShape {
                    file: self.file.clone(),
                    tensor: name,
                    found: tensor.dims().to_vec(),
                    wanted,
                });
            }
            let tensor = tensor.to_dtype(dtype)?;
            // A sum is finite only if all are.
            let sum: f32 = tensor.to_dtype(DType::F32)?.sum_all()?.to_scalar()?;
            if !sum.is_finite() {
                return Err(Error::Weights {
                    file: self.file.clone(),
                    cause: format!("tensor `{name}` holds values that are not finite"),
                });
            }
            let tensor = tensor.to_device(device)?;
            out.insert(name, tensor.contiguous()?);
        }
        Ok(out)
    }

    /// The prefix of the names: empty, `roberta.`, `encoder.`, `model.encoder.`, ...; the shortest,
    /// if there are several networks.
    fn prefix(&self) -> &str {
        let prefixes = self
            .tensors
            .keys()
            .filter_map(|name| name.strip_suffix(ANCHOR));
        let whole = |p: &&str| p.is_empty() || p.ends_with('.');
        prefixes.filter(whole).min_by_key(|p| p.len()).unwrap_or("")
    }
}

/// Reads a `pytorch_model.bin` (a zip archive, as PyTorch writes since 1.6).
///
/// # Errors
/// [`Error::Weights`] if it is invalid or damaged.
pub(super) fn read_pickle(path: &Path) -> Result<Weights> {
    let fail = |error: candle_core::Error| Error::Weights {
        file: path.display().to_string(),
        cause: format!("not a readable PyTorch archive: {error}"),
    };
    let mut weights = Weights::new(path.display().to_string());
    let archive = candle_core::pickle::PthTensors::new(path, None).map_err(fail)?;
    for (name, info) in archive.tensor_infos() {
        if !info.dtype.is_float() {
            continue;
        }
        if let Some(tensor) = archive.get(name).map_err(fail)? {
            weights.tensors.insert(name.clone(), tensor);
        }
    }
    Ok(weights)
}

/// The files an index names, each once.
///
/// # Errors
/// [`Error::Json`], and [`Error::Weights`] if there is none or a name leads out of the directory.
pub(super) fn shards(index: &[u8], file: &str) -> Result<Vec<String>> {
    #[derive(serde::Deserialize)]
    struct Index {
        weight_map: BTreeMap<String, String>,
    }
    let index: Index = serde_json::from_slice(index).map_err(|source| Error::Json {
        file: file.to_owned(),
        source,
    })?;
    let mut names: Vec<String> = index.weight_map.into_values().collect();
    if names.is_empty() {
        return Err(Error::Weights {
            file: file.to_owned(),
            cause: "its weight_map names no file".to_owned(),
        });
    }
    names.sort_unstable();
    names.dedup();
    let plain = |n: &String| !n.is_empty() && !n.starts_with('.') && !n.contains(['/', '\\']);
    match names.iter().find(|n| !plain(n)) {
        Some(odd) => Err(Error::Weights {
            file: file.to_owned(),
            cause: format!("`{odd}` is not the name of a file beside it"),
        }),
        None => Ok(names),
    }
}
