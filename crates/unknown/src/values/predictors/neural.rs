//! Predicts with a network (paper 1, section 3.3): an encoder reads the name, its kind and the
//! surrounding code, and classifies.

use std::path::Path;

use super::{LikelyClass, Predictor, Query, TypeUse};
use crate::values::Excerpt;
use crate::values::network::ValueModel;
use codexec_model::error::{Error, Result};

const CONFIG: &[u8] = include_bytes!("neural/config.json");
const TOKENIZER: &[u8] = include_bytes!("neural/tokenizer.json");
#[cfg(feature = "neural")]
const WEIGHTS: Option<&[u8]> = Some(include_bytes!("neural/model.safetensors"));
#[cfg(not(feature = "neural"))]
const WEIGHTS: Option<&[u8]> = None;

/// Queries a trained classifier.
pub struct Neural {
    model: ValueModel,
}

impl Neural {
    /// Returns the embedded classifier.
    ///
    /// # Errors
    /// If the build has none (feature `neural`), or the embedded files do not belong together.
    pub fn embedded() -> Result<Self> {
        let weights = WEIGHTS.ok_or_else(|| Error::Config {
            file: "the neural predictor".to_owned(),
            cause: "this build does not have it: use the default predictor, or name the directory \
                    crates/unknown/src/values/predictors/neural of a clone with --predictor-model"
                .to_owned(),
        })?;
        let model = ValueModel::from_bytes("the embedded predictor", CONFIG, TOKENIZER, weights)?;
        Ok(Self { model })
    }

    /// Opens a classifier written by `codexec pretrain`.
    ///
    /// # Errors
    /// Names the file, the cause and the remedy.
    pub fn open(directory: &Path) -> Result<Self> {
        let model = ValueModel::open(directory)?;
        Ok(Self { model })
    }
}

impl Predictor for Neural {
    fn name(&self) -> &'static str {
        "neural"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let found = self.predict_all(std::slice::from_ref(query));
        found.into_iter().next().unwrap_or_default()
    }

    fn predict_all(&self, queries: &[Query<'_>]) -> Vec<Vec<LikelyClass>> {
        let excerpts: Vec<Excerpt> = queries.iter().map(Excerpt::of).collect();
        // A text that the tokenizer refuses still has uses.
        let refused = |_| TypeUse.predict_all(queries);
        self.model.predict(&excerpts).unwrap_or_else(refused)
    }
}
