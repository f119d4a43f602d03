//! What the program does with a value where that is clear; else what was learned of such places.
//!
//! The linear classifier alone is right a little more often, but a value that fits its use is the one with which a program goes
//! on: what is compared with `"sale"` is a text.

use std::path::Path;

use super::type_use::weigh;
use super::{LikelyClass, Linear, Predictor, Query, TypeUse};
use codexec_model::error::Result;

/// How sure the use must be.
const CLEAR: f32 = 0.8;

/// Decides by use, then by features of the place.
pub struct Combined {
    linear: Linear,
}

impl Combined {
    /// With the classifier that is part of the program.
    ///
    /// # Errors
    /// Those of [`Linear::embedded`].
    pub fn embedded() -> Result<Self> {
        let linear = Linear::embedded()?;
        Ok(Self { linear })
    }

    /// With one that `codexec guide learn` wrote.
    ///
    /// # Errors
    /// Those of [`Linear::open`].
    pub fn open(file: &Path) -> Result<Self> {
        let linear = Linear::open(file)?;
        Ok(Self { linear })
    }
}

impl Predictor for Combined {
    fn name(&self) -> &'static str {
        "combined"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let weighed = query.uses.and_then(weigh);
        match weighed.is_some_and(|(_, sure)| sure >= CLEAR) {
            true => TypeUse.predict(query),
            false => self.linear.predict(query),
        }
    }
}
