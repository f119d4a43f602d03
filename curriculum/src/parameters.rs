//! The trained variables of a model: their names, where they live, which of them decay, and their
//! way to and from safetensors files. It changes no weight by itself.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use candle_core::{DType, Device, Tensor, Var};
use safetensors::tensor::{Dtype, View};

use crate::error::{Error, Result};

/// One variable.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Checkpoint key.
    pub name: String,
    /// The variable the model computes with.
    pub var: Var,
    /// Whether weight decay applies: rank 2 and above, so neither biases nor norms.
    pub decays: bool,
}

/// Storage of gradients and moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// In flat host buffers: the fast way when the model computes on the CPU.
    Host,
    /// As tensors on the model's device, without copies off it.
    Device,
}

/// All variables of a model, in its order.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// The variables.
    pub list: Vec<Parameter>,
    /// Storage of gradients and moments.
    pub placement: Placement,
    /// The variables' device.
    pub device: Device,
}

impl Parameters {
    /// Takes a model's variables.
    ///
    /// # Errors
    /// [`Error::VariableType`] unless all are f32 on one device; [`Error::DuplicateVariable`].
    pub fn new(vars: Vec<(String, Var)>) -> Result<Self> {
        let device = vars
            .first()
            .map_or(Device::Cpu, |(_, var)| var.device().clone());
        let wrong = |var: &Var| var.dtype() != DType::F32 || !var.device().same_device(&device);
        let names: Vec<String> = vars
            .iter()
            .filter(|(_, var)| wrong(var))
            .map(|(name, _)| name.clone())
            .collect();
        if !names.is_empty() {
            return Err(Error::VariableType { names });
        }
        let mut seen = std::collections::BTreeSet::new();
        for (name, _) in &vars {
            if !seen.insert(name.as_str()) {
                return Err(Error::DuplicateVariable { name: name.clone() });
            }
        }
        let placement = if device.is_cpu() {
            Placement::Host
        } else {
            Placement::Device
        };
        let list = vars
            .into_iter()
            .map(|(name, var)| Parameter {
                decays: var.rank() >= 2,
                name,
                var,
            })
            .collect();
        Ok(Self {
            list,
            placement,
            device,
        })
    }

    /// Numbers in all variables.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list
            .iter()
            .map(|parameter| parameter.var.elem_count())
            .sum()
    }

    /// Sets every variable from f32 values in the model's order.
    pub(crate) fn set(&self, values: &[Vec<f32>]) -> Result<()> {
        for (parameter, values) in self.list.iter().zip(values) {
            let shape = parameter.var.shape();
            parameter
                .var
                .set(&Tensor::from_slice(values, shape, &self.device)?)?;
        }
        Ok(())
    }

    /// Every variable's values, in the model's order.
    pub(crate) fn values(&self) -> Result<Vec<Vec<f32>>> {
        self.list
            .iter()
            .map(|p| Ok(host(p.var.as_tensor())?))
            .collect()
    }
}

/// A tensor's values as f32 on the host.
pub(crate) fn host(tensor: &Tensor) -> candle_core::Result<Vec<f32>> {
    tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1()
}

/// A tensor being written to a file: converted one at a time.
struct Stored<'a> {
    shape: &'a [usize],
    dtype: DType,
    values: Cow<'a, [f32]>,
}

impl View for Stored<'_> {
    fn dtype(&self) -> Dtype {
        match self.dtype {
            DType::F16 => Dtype::F16,
            DType::BF16 => Dtype::BF16,
            _ => Dtype::F32,
        }
    }

    fn shape(&self) -> &[usize] {
        self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let values = self.values.iter();
        Cow::Owned(match self.dtype {
            DType::F16 => values
                .flat_map(|&x| half::f16::from_f32(x).to_le_bytes())
                .collect(),
            DType::BF16 => values
                .flat_map(|&x| half::bf16::from_f32(x).to_le_bytes())
                .collect(),
            _ => values.flat_map(|x| x.to_le_bytes()).collect(),
        })
    }

    fn data_len(&self) -> usize {
        self.values.len() * self.dtype().bitsize() / 8
    }
}

/// Writes named f32 values; `prefix` goes before each name.
pub(crate) fn write_values(
    path: &Path,
    parameters: &Parameters,
    parts: &[(&str, &[Vec<f32>])],
) -> Result<()> {
    let entries = parts.iter().flat_map(|(prefix, all)| {
        parameters
            .list
            .iter()
            .zip(all.iter())
            .map(move |(parameter, values)| {
                let shape = parameter.var.dims();
                let stored = Stored {
                    shape,
                    dtype: DType::F32,
                    values: Cow::Borrowed(values),
                };
                (format!("{prefix}{}", parameter.name), stored)
            })
    });
    write_entries(path, entries.collect())
}

/// Reads the output of [`write_values`]: one list of values for each prefix, in the model's order.
/// The error describes the file.
pub(crate) fn read_values(
    bytes: &[u8],
    parameters: &Parameters,
    prefixes: &[&str],
) -> Result<Vec<Vec<Vec<f32>>>, String> {
    let file = safetensors::SafeTensors::deserialize(bytes).map_err(|e| e.to_string())?;
    let wanted = parameters.list.len() * prefixes.len();
    if file.len() != wanted {
        return Err(format!(
            "it holds {} tensors where the model has {wanted}",
            file.len()
        ));
    }
    let one = |prefix: &str, parameter: &Parameter| {
        let name = format!("{prefix}{}", parameter.name);
        let view = file
            .tensor(&name)
            .map_err(|_| format!("it has no tensor {name}"))?;
        if view.dtype() != Dtype::F32 || view.shape() != parameter.var.dims() {
            let (shape, dims) = (view.shape(), parameter.var.dims());
            return Err(format!(
                "{name} is {:?} {shape:?}, not F32 {dims:?}",
                view.dtype()
            ));
        }
        let (words, _) = view.data().as_chunks::<4>();
        Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    };
    let all = |prefix: &&str| parameters.list.iter().map(|p| one(prefix, p)).collect();
    prefixes.iter().map(all).collect()
}

/// Writes variables as a model file (`dtype` F32, F16 or BF16; anything else is written as F32).
///
/// # Errors
/// [`Error::Io`], [`Error::Tensor`].
pub fn export_safetensors(vars: &[(String, Var)], path: &Path, dtype: DType) -> Result<()> {
    let mut entries = Vec::with_capacity(vars.len());
    for (name, var) in vars {
        let values = Cow::Owned(host(var.as_tensor())?);
        entries.push((
            name.clone(),
            Stored {
                shape: var.dims(),
                dtype,
                values,
            },
        ));
    }
    write_entries(path, entries)
}

/// A tensor in a file: name, shape and values.
pub(crate) type Named = (String, Vec<usize>, Vec<f32>);

/// Writes tensors in f32.
pub(crate) fn write_named(path: &Path, tensors: Vec<Named>) -> Result<()> {
    let stored = tensors.iter().map(|(name, shape, values)| {
        let stored = Stored {
            shape,
            dtype: DType::F32,
            values: Cow::Borrowed(values),
        };
        (name.clone(), stored)
    });
    write_entries(path, stored.collect())
}

fn write_entries(path: &Path, entries: Vec<(String, Stored<'_>)>) -> Result<()> {
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize_to_file(entries, Some(metadata), path)
        .map_err(|error| Error::io("write", path)(std::io::Error::other(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vars() -> Vec<(String, Var)> {
        let device = Device::Cpu;
        let weight = Var::from_slice(&[1.0f32, 2.5, -3.0, 0.1], (2, 2), &device).unwrap();
        let bias = Var::from_slice(&[0.5f32, 70000.0], 2, &device).unwrap();
        vec![("w.weight".to_owned(), weight), ("w.bias".to_owned(), bias)]
    }

    #[test]
    fn only_matrices_decay() {
        let parameters = Parameters::new(vars()).unwrap();
        assert_eq!(
            parameters.list.iter().map(|p| p.decays).collect::<Vec<_>>(),
            [true, false]
        );
        assert_eq!(parameters.count(), 6);
    }

    #[test]
    fn other_types_and_shared_names_are_refused() {
        let mut wrong = vars();
        wrong[1].1 = Var::zeros(2, DType::BF16, &Device::Cpu).unwrap();
        let message = Parameters::new(wrong).unwrap_err().to_string();
        assert!(
            message.contains("w.bias") && !message.contains("w.weight"),
            "{message}"
        );
        let twice = [vars(), vars()].concat();
        assert!(matches!(
            Parameters::new(twice),
            Err(Error::DuplicateVariable { .. })
        ));
    }

    #[test]
    fn export_can_be_read_back_in_each_type() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("model.safetensors");
        for dtype in [DType::F32, DType::F16, DType::BF16] {
            export_safetensors(&vars(), &path, dtype).unwrap();
            let read = candle_core::safetensors::load(&path, &Device::Cpu).unwrap();
            assert_eq!(read.len(), 2);
            for (name, var) in vars() {
                assert_eq!(read[&name].dtype(), dtype);
                let expected = host(&var.to_dtype(dtype).unwrap()).unwrap();
                assert_eq!(host(&read[&name]).unwrap(), expected);
            }
        }
    }
}
