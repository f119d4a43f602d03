//! Predicts by features of a place that were seen in runs of other programs: names, adjacent words,
//! and the uses of the value.

use std::path::Path;

use codexec_model::error::Result;

use super::{LikelyClass, Predictor, Query};
use crate::values::linear::LinearModel;

const WEIGHTS: &[u8] = include_bytes!("linear/model.safetensors");

/// Queries the linear classifier.
pub struct Linear {
    model: LinearModel,
}

impl Linear {
    /// Returns the embedded classifier.
    ///
    /// # Errors
    /// Only if the build embedded a wrong file.
    pub fn embedded() -> Result<Self> {
        let model = LinearModel::from_bytes("the embedded predictor", WEIGHTS)?;
        Ok(Self { model })
    }

    /// Wraps a classifier.
    pub fn of(model: LinearModel) -> Self {
        Self { model }
    }

    /// Returns the classifier.
    pub fn into_model(self) -> LinearModel {
        self.model
    }

    /// Opens a classifier written by `codexec guide learn`.
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
