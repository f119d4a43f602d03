//! Checkpoints on disk. Each is written under a temporary name, synced and renamed, so that a kill
//! at any moment leaves either the whole checkpoint or none. Every file is fingerprinted, so that
//! reading detects damage. Their contents are defined elsewhere.
//!
//! ```text
//! RUN/checkpoints/step-00000500/model.safetensors      f32 weights
//! RUN/checkpoints/step-00000500/optimizer.safetensors  moments: first.NAME, second.NAME
//! RUN/checkpoints/step-00000500/average.safetensors    average of the weights, where the settings ask for one
//! RUN/checkpoints/step-00000500/state.json             where the run stands
//! RUN/checkpoints/step-00000500/...                    what the model adds (config, tokenizer)
//! RUN/checkpoints/latest                               the name of the newest
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use codexec_data::files::{WholeDirectory, write_whole};

use crate::adamw::Moments;
use crate::error::{Error, Result};
use crate::example::Trainable;
use crate::fingerprint::fingerprint;
use crate::parameters::{Parameters, read_values, write_values};
use crate::state::LoopState;

const VERSION: u32 = 1;
pub(crate) const MODEL: &str = "model.safetensors";
pub(crate) const OPTIMIZER: &str = "optimizer.safetensors";
pub(crate) const AVERAGE: &str = "average.safetensors";
pub(crate) const STATE: &str = "state.json";
const LATEST: &str = "latest";
const STEP: &str = "step-";
/// Prefix of the names of unfinished files.
const WRITING: &str = ".step-";
pub(crate) const MOMENTS: [&str; 2] = ["first.", "second."];

/// Contents of a checkpoint besides the model's own files.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub weights: Vec<Vec<f32>>,
    pub moments: Moments,
    pub average: Option<Vec<Vec<f32>>>,
    pub state: LoopState,
}

/// The checkpoints of one run.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoints {
    dir: PathBuf,
    keep: usize,
}

impl Checkpoints {
    pub(crate) fn new(run_dir: &Path, keep: usize) -> Self {
        Self {
            dir: run_dir.join("checkpoints"),
            keep,
        }
    }

    /// Whole checkpoints by step, oldest first.
    fn list(&self) -> Vec<(u64, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.dir) else {
            return Vec::new();
        };
        let step = |path: &Path| path.file_name()?.to_str()?.strip_prefix(STEP)?.parse().ok();
        let paths = entries.flatten().map(|entry| entry.path());
        let mut list: Vec<_> = paths
            .filter(|path| path.is_dir())
            .filter_map(|path| Some((step(&path)?, path)))
            .collect();
        list.sort();
        list
    }

    /// The newest checkpoint that was completed.
    pub(crate) fn latest(&self) -> Option<PathBuf> {
        let named = fs::read_to_string(self.dir.join(LATEST)).ok();
        let named = named
            .filter(|name| name.trim().starts_with(STEP))
            .map(|name| self.dir.join(name.trim()))
            .filter(|path| path.is_dir());
        // A kill between the two renames leaves the pointer at the previous checkpoint, which is
        // also complete.
        named.or_else(|| self.list().pop().map(|(_, path)| path))
    }

    /// Writes a checkpoint and removes the oldest beyond the number to keep. A failed one leaves
    /// nothing, so that a full disk is not made fuller.
    pub(crate) fn save<M: Trainable>(
        &self,
        model: &M,
        parameters: &Parameters,
        moments: &Moments,
        average: Option<&[Vec<f32>]>,
        state: LoopState,
    ) -> Result<PathBuf> {
        fs::create_dir_all(&self.dir).map_err(Error::io("create", &self.dir))?;
        let (name, step) = (format!("{STEP}{:08}", state.step), state.step);
        // An existing one was left by an attempt that this one repeats.
        let path = self.dir.join(&name);
        let whole = WholeDirectory::create(&path).map_err(Error::io("create", &path))?;
        let values = Values {
            parameters,
            moments,
            average,
        };
        write_into(whole.path(), model, &values, state)?;
        whole.publish().map_err(Error::io("rename to", &path))?;
        self.point_at(&name)?;
        self.prune(step)?;
        Ok(path)
    }

    fn point_at(&self, name: &str) -> Result<()> {
        let pointer = self.dir.join(LATEST);
        write_whole(&pointer, format!("{name}\n").as_bytes()).map_err(Error::io("write", &pointer))
    }

    /// Keeps the newest up to `step`. If an older checkpoint was resumed, later ones stay until the
    /// run gets there again. Half-written leftovers of a kill are removed.
    fn prune(&self, step: u64) -> Result<()> {
        let upto = self.list().into_iter().filter(|(at, _)| *at <= step).rev();
        for (_, path) in upto.skip(self.keep) {
            fs::remove_dir_all(&path).map_err(Error::io("remove", &path))?;
        }
        for entry in fs::read_dir(&self.dir)
            .map_err(Error::io("read", &self.dir))?
            .flatten()
        {
            if entry.file_name().to_string_lossy().starts_with(WRITING) {
                let path = entry.path();
                fs::remove_dir_all(&path).map_err(Error::io("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Reads the checkpoint at `path`.
    pub(crate) fn load(&self, path: &Path, parameters: &Parameters) -> Result<Loaded> {
        let damaged = |name: &str, why: String| Error::DamagedCheckpoint {
            path: path.join(name),
            why,
            older: self
                .list()
                .into_iter()
                .map(|(_, other)| other)
                .rfind(|o| o.as_path() < path),
        };
        let read = |name: &str| {
            fs::read(path.join(name)).map_err(|error| damaged(name, error.to_string()))
        };
        let state: LoopState = serde_json::from_slice(&read(STATE)?)
            .map_err(|error| damaged(STATE, error.to_string()))?;
        if state.version != VERSION {
            return Err(damaged(
                STATE,
                format!("version {}, not {VERSION}", state.version),
            ));
        }
        let values = |name: &str, prefixes: &[&str]| {
            let bytes = read(name)?;
            if state.files.get(name) != Some(&fingerprint(&bytes)) {
                return Err(damaged(
                    name,
                    "its content is not what was written".to_owned(),
                ));
            }
            read_values(&bytes, parameters, prefixes).map_err(|why| damaged(name, why))
        };
        let weights = values(MODEL, &[""])?.pop().unwrap_or_default();
        let mut moments = values(OPTIMIZER, &MOMENTS)?;
        let second = moments.pop().unwrap_or_default();
        let first = moments.pop().unwrap_or_default();
        let average = if state.files.contains_key(AVERAGE) {
            values(AVERAGE, &[""])?.pop()
        } else {
            None
        };
        Ok(Loaded {
            weights,
            moments: (first, second),
            average,
            state,
        })
    }
}

/// The numbers of a checkpoint.
struct Values<'a> {
    parameters: &'a Parameters,
    moments: &'a Moments,
    average: Option<&'a [Vec<f32>]>,
}

/// Writes the files of a checkpoint into the empty directory `dir`.
fn write_into<M: Trainable>(
    dir: &Path,
    model: &M,
    values: &Values<'_>,
    mut state: LoopState,
) -> Result<()> {
    let Values {
        parameters,
        moments,
        average,
    } = values;
    let at = |name: &str| dir.join(name);
    write_values(&at(MODEL), parameters, &[("", &parameters.values()?)])?;
    let parts = [
        (MOMENTS[0], moments.0.as_slice()),
        (MOMENTS[1], moments.1.as_slice()),
    ];
    write_values(&at(OPTIMIZER), parameters, &parts)?;
    if let Some(average) = average {
        write_values(&at(AVERAGE), parameters, &[("", average)])?;
    }
    model.write_files(dir).map_err(Error::io("write in", dir))?;
    state.version = VERSION;
    let names = [MODEL, OPTIMIZER].into_iter();
    for name in names.chain(average.map(|_| AVERAGE)) {
        let bytes = fs::read(at(name)).map_err(Error::io("read", at(name)))?;
        state.files.insert(name.to_owned(), fingerprint(&bytes));
    }
    let json = serde_json::to_vec_pretty(&state).map_err(std::io::Error::other);
    let json = json.map_err(Error::io("write", at(STATE)))?;
    fs::write(at(STATE), json).map_err(Error::io("write", at(STATE)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

    use super::*;

    #[test]
    fn a_pointer_without_a_name_points_at_no_checkpoint() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(dir.path(), 1);
        fs::create_dir(&checkpoints.dir).unwrap();
        for name in ["", "\n", ".", "..", "step-00000001"] {
            fs::write(checkpoints.dir.join(LATEST), name).unwrap();
            assert_eq!(checkpoints.latest(), None, "{name:?}");
        }
        let whole = checkpoints.dir.join("step-00000001");
        fs::create_dir(&whole).unwrap();
        for name in ["", "step-00000001\n"] {
            fs::write(checkpoints.dir.join(LATEST), name).unwrap();
            assert_eq!(checkpoints.latest().as_deref(), Some(whole.as_path()));
        }
    }
}
