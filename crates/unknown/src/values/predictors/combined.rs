//! What the program does with a value where that is clear; else what the network makes of the place.
//!
//! The network is asked about the unclear places alone, which is also what makes this the fastest of
//! the predictors that use it.

use std::path::Path;

use super::type_use::weigh;
use super::{LikelyClass, Neural, Predictor, Query, TypeUse};
use codexec_model::error::Result;

/// Places of one program that the network is asked about, the first ones: each takes it a millisecond or
/// more, and nothing stops it.
const MOST: usize = 1_000;
/// How sure the use must be.
const CLEAR: f32 = 0.8;

/// Decides by use, then by the network.
pub struct Combined {
    neural: Neural,
}

impl Combined {
    /// With the network that is part of the program.
    ///
    /// # Errors
    /// Those of [`Neural::embedded`].
    pub fn embedded() -> Result<Self> {
        let neural = Neural::embedded()?;
        Ok(Self { neural })
    }

    /// With one that `codexec pretrain` wrote.
    ///
    /// # Errors
    /// Those of [`Neural::open`].
    pub fn open(directory: &Path) -> Result<Self> {
        let neural = Neural::open(directory)?;
        Ok(Self { neural })
    }
}

impl Predictor for Combined {
    fn name(&self) -> &'static str {
        "combined"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let found = self.predict_all(std::slice::from_ref(query));
        found.into_iter().next().unwrap_or_default()
    }

    fn predict_all(&self, queries: &[Query<'_>]) -> Vec<Vec<LikelyClass>> {
        let is_clear = |query: &Query<'_>| {
            let weighed = query.uses.and_then(weigh);
            weighed.is_some_and(|(_, sure)| sure >= CLEAR)
        };
        let unclear = queries.iter().filter(|q| !is_clear(q)).take(MOST);
        let unclear: Vec<Query<'_>> = unclear.copied().collect();
        let mut answers = self.neural.predict_all(&unclear).into_iter();
        let one = |query: &Query<'_>| match is_clear(query) {
            true => TypeUse.predict(query),
            false => answers.next().unwrap_or_else(|| TypeUse.predict(query)),
        };
        queries.iter().map(one).collect()
    }
}
