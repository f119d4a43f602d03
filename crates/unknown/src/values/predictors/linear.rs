//! What features of a place say that were seen in runs of other programs: names, words next to it, and
//! how the value is used.

use std::path::Path;

use codexec_model::error::Result;

use super::{LikelyClass, Predictor, Query};
use crate::values::linear::LinearModel;

const WEIGHTS: &[u8] = include_bytes!("linear/model.safetensors");

/// Asks the linear classifier.
pub struct Linear {
    model: LinearModel,
}

impl Linear {
    /// The classifier that is part of the program.
    ///
    /// # Errors
    /// Only when the build embedded another file.
    pub fn embedded() -> Result<Self> {
        let model = LinearModel::from_bytes("the embedded predictor", WEIGHTS)?;
        Ok(Self { model })
    }

    /// Of a classifier.
    pub fn of(model: LinearModel) -> Self {
        Self { model }
    }

    /// The classifier.
    pub fn into_model(self) -> LinearModel {
        self.model
    }

    /// One that `codexec guide learn` wrote.
    ///
    /// # Errors
    /// Names the file and the cause.
    pub fn open(file: &Path) -> Result<Self> {
        let model = LinearModel::open(file)?;
        Ok(Self { model })
    }
}

impl Predictor for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        self.model.predict(query)
    }
}
