//! A linear classifier of missing values over features of a place.
//!
//! A feature is a text (`the name ends in "count"`, `the word before is "len("`, `".append" is
//! read`), identified by its hash. It has a score for each class; the scores of a place's features
//! are summed. The form is that of fastText (Joulin et al. 2017) without a hidden layer. It learns
//! from a hundred thousand events in seconds and answers in microseconds. A rare feature has no
//! scores.

mod features;
mod learn;

use std::collections::HashMap;
use std::path::Path;

use codexec_model::error::{Error, Result};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

use super::{Class, LikelyClass, Query};

pub use learn::{LearningSettings, learn};

/// Number of scores per feature.
const CLASSES: usize = Class::ALL.len();

/// A trained classifier: one row of scores per feature, each in 8 bits, with one scale per row.
pub struct LinearModel {
    /// `[features]`: their hashes, sorted.
    features: Vec<u32>,
    /// `[features]`: the factors of the rows' scores.
    scales: Vec<f32>,
    /// `[features, classes]`.
    scores: Vec<i8>,
}

impl LinearModel {
    /// Opens a file that holds the bytes of [`LinearModel::to_bytes`].
    ///
    /// # Errors
    /// Names the file and the cause.
    pub fn open(file: &Path) -> Result<Self> {
        let name = file.display().to_string();
        let path = file.to_owned();
        let bytes = std::fs::read(file).map_err(|source| Error::Read { path, source })?;
        Self::from_bytes(&name, &bytes)
    }

    /// Reads the bytes of a safetensors file.
    ///
    /// # Errors
    /// If it is no such file, or its tensors have other names or shapes; `name` names the file in
    /// messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let wrong = |cause: String| Error::Config {
            file: name.to_owned(),
            cause,
        };
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| wrong(error.to_string()))?;
        let tensor = |of: &str, dtype: Dtype, width: usize| {
            let found = tensors
                .tensor(of)
                .map_err(|error| wrong(error.to_string()))?;
            let rows = found.shape().first().copied().unwrap_or_default();
            let wanted = if width > 1 {
                vec![rows, width]
            } else {
                vec![rows]
            };
            if found.dtype() != dtype || found.shape() != wanted {
                let (is, has) = (found.dtype(), found.shape());
                return Err(wrong(format!(
                    "`{of}` is {is:?} {has:?}; a linear predictor of values has {dtype:?} {wanted:?}"
                )));
            }
            Ok((rows, found.data()))
        };
        let (rows, features) = tensor("features", Dtype::U32, 1)?;
        let (scaled, scales) = tensor("scales", Dtype::F32, 1)?;
        let (scored, scores) = tensor("scores", Dtype::I8, CLASSES)?;
        if rows != scaled || rows != scored {
            return Err(wrong(format!(
                "{rows} features have {scaled} scales and {scored} rows of scores"
            )));
        }
        let features: Vec<u32> = words(features).map(u32::from_le_bytes).collect();
        if !features.is_sorted() {
            return Err(wrong("its features are not in order".to_owned()));
        }
        Ok(Self {
            features,
            scales: words(scales).map(f32::from_le_bytes).collect(),
            scores: scores.iter().map(|b| b.cast_signed()).collect(),
        })
    }

    /// Returns the bytes of a safetensors file: `features` and `scales` `[features]`, `scores`
    /// `[features, classes]`.
    ///
    /// # Errors
    /// If the library fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let rows = self.features.len();
        let features: Vec<u8> = self.features.iter().flat_map(|f| f.to_le_bytes()).collect();
        let scales: Vec<u8> = self.scales.iter().flat_map(|s| s.to_le_bytes()).collect();
        let scores: Vec<u8> = self.scores.iter().map(|s| s.cast_unsigned()).collect();
        let wrong = |error: safetensors::SafeTensorError| Error::Config {
            file: "a linear predictor".to_owned(),
            cause: error.to_string(),
        };
        let features = TensorView::new(Dtype::U32, vec![rows], &features).map_err(wrong)?;
        let scales = TensorView::new(Dtype::F32, vec![rows], &scales).map_err(wrong)?;
        let scores = TensorView::new(Dtype::I8, vec![rows, CLASSES], &scores).map_err(wrong)?;
        let about = HashMap::from([("format".to_owned(), "codexec linear values 1".to_owned())]);
        let tensors = [
            ("features", features),
            ("scales", scales),
            ("scores", scores),
        ];
        serialize(tensors, Some(about)).map_err(wrong)
    }

    /// Builds a model from sorted features and their scores, `[features, classes]`.
    fn of(features: Vec<u32>, scores: &[f32]) -> Self {
        let (rows, _) = scores.as_chunks::<CLASSES>();
        let most = |row: &[f32; CLASSES]| row.iter().fold(0f32, |most, s| most.max(s.abs()));
        let scales: Vec<f32> = rows.iter().map(|row| most(row) / 127.0).collect();
        let rounded = |(row, scale): (&[f32; CLASSES], &f32)| {
            let scale = if *scale > 0.0 { *scale } else { 1.0 };
            row.map(|score| (score / scale).round() as i8)
        };
        let scores = rows.iter().zip(&scales).flat_map(rounded).collect();
        Self {
            features,
            scales,
            scores,
        }
    }

    /// Returns the row of a feature.
    fn row(&self, feature: u32) -> Option<usize> {
        self.features.binary_search(&feature).ok()
    }

    /// Returns the scores of a row.
    fn scores(&self, row: usize) -> [f32; CLASSES] {
        let (rows, _) = self.scores.as_chunks::<CLASSES>();
        rows[row].map(|score| f32::from(score) * self.scales[row])
    }

    /// Returns the classes of a place, most probable first.
    pub fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let mut sums = [0f32; CLASSES];
        let features = features::features(query);
        for row in features.iter().filter_map(|feature| self.row(*feature)) {
            for (sum, score) in sums.iter_mut().zip(self.scores(row)) {
                *sum += score;
            }
        }
        softmax(&mut sums);
        LikelyClass::ranked(sums)
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().copied()
}

/// Turns scores into probabilities, in place.
fn softmax(scores: &mut [f32; CLASSES]) {
    let most = scores.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
    }
    let all: f32 = scores.iter().sum();
    for score in scores.iter_mut() {
        *score /= all;
    }
}
