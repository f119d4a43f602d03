//! The linear classifier; if it is unsure, the uses of the value, if they are clear.
//!
//! Each of the two is right more often than the other on its side of [`SURE`]. If a clear use
//! disagreed with the classifier at 0.9, the classifier was right 29 times as often; below 0.7 the
//! use was right more often. A merely likely use was right less often than the classifier, however
//! unsure that was.

use std::path::Path;

use super::type_use::weigh;
use super::{LikelyClass, Linear, Predictor, Query};
use codexec_model::error::Result;

/// Least confidence of a clear use.
const CLEAR: f32 = 0.8;
/// Least confidence at which the classifier overrules a clear use. Chosen on packages held out of
/// the training packages.
const SURE: f32 = 0.7;

/// Decides by features of the place, then by use.
pub struct Combined {
    linear: Linear,
}

impl Combined {
    /// Uses the embedded classifier.
    ///
    /// # Errors
    /// Those of [`Linear::embedded`].
    pub fn embedded() -> Result<Self> {
        let linear = Linear::embedded()?;
        Ok(Self { linear })
    }

    /// Uses a classifier written by `codexec guide learn`.
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
        let mut found = self.linear.predict(query);
        let is_sure = found.first().is_some_and(|first| first.probability >= SURE);
        let weighed = query
            .uses
            .and_then(weigh)
            .filter(|(_, sure)| *sure >= CLEAR);
        let Some((class, sure)) = weighed.filter(|_| !is_sure) else {
            return found;
        };
        let of_class = found.iter().find(|one| one.class == class);
        let others = 1.0 - of_class.map_or(0.0, |one| one.probability);
        for one in &mut found {
            one.probability = match one.class == class {
                true => sure,
                false => one.probability * (1.0 - sure) / others.max(f32::EPSILON),
            };
        }
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Kind, Uses};
    use crate::values::Class;

    #[test]
    fn a_clear_use_is_believed_where_the_classifier_is_not_sure() {
        let combined = Combined::embedded().unwrap();
        let uses = Uses {
            entered: true,
            ..Uses::default()
        };
        let ask = |name, uses| {
            combined.predict(&Query {
                name,
                kind: Kind::Name,
                before: "",
                after: "",
                uses,
            })
        };
        // An unknown name.
        let found = ask("zqx", Some(&uses));
        assert_eq!((found[0].class, found[0].probability), (Class::Object, 0.8));
        assert_eq!(found.len(), Class::ALL.len());
        let all: f32 = found.iter().map(|one| one.probability).sum();
        assert!((all - 1.0).abs() < 1e-3, "{all}");
        // An unclear use leaves the decision to the classifier.
        let unclear = Uses {
            iterated: true,
            ..Uses::default()
        };
        let linear = &combined.linear;
        let query = Query {
            name: "rows",
            kind: Kind::Name,
            before: "for row in ",
            after: ":",
            uses: Some(&unclear),
        };
        assert_eq!(combined.predict(&query), linear.predict(&query));
    }
}
