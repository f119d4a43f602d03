//! Trains the linear classifier by stochastic gradient descent on the cross-entropy, one event at a
//! time, with a learning rate per row (AdaGrad, Duchi et al. 2011).

use std::collections::{BTreeSet, HashMap};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{CLASSES, LinearModel, features::features, softmax};
use crate::analysis::uses_in_fragment;
use crate::values::events::ValueEvent;
use crate::values::{Class, Query};

/// Training settings.
#[derive(Debug, Clone, Copy)]
pub struct LearningSettings {
    /// How often each event is seen.
    pub epochs: u32,
    /// The step size of a row that has not moved yet.
    pub rate: f32,
    /// Least number of events with a feature for it to get scores.
    pub least: u32,
    /// Seed of the order of events.
    pub seed: u64,
}

impl Default for LearningSettings {
    fn default() -> Self {
        Self {
            epochs: 2,
            rate: 0.03,
            least: 6,
            seed: 0,
        }
    }
}

/// Trains on events, from scratch or from a model. The same events and settings give the same
/// model. `seen` is called after every thousand events with the numbers of seen and of all events.
pub fn learn(
    events: &[&ValueEvent],
    from: Option<&LinearModel>,
    settings: LearningSettings,
    seen: impl Fn(usize, usize),
) -> LinearModel {
    let mut examples: Vec<(Vec<u32>, usize)> = events.par_iter().map(|e| example(e)).collect();
    let known = known(&examples, from, settings.least);
    let row = |feature: &u32| known.binary_search(feature).ok().map(|row| row as u32);
    for (found, _) in &mut examples {
        *found = found.iter().filter_map(row).collect();
    }
    let mut scores = vec![0.0; known.len() * CLASSES];
    // The first events do not override what a model has learned before.
    let mut moved = vec![1e-2; known.len()];
    if let Some(model) = from {
        let (rows, _) = scores.as_chunks_mut::<CLASSES>();
        for (row, feature) in known.iter().enumerate() {
            if let Some(at) = model.row(*feature) {
                rows[row] = model.scores(at);
                moved[row] = 1.0;
            }
        }
    }
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let all = examples.len() * settings.epochs as usize;
    for epoch in 0..settings.epochs as usize {
        order.shuffle(&mut rng);
        for (n, at) in order.iter().enumerate() {
            let (rows, class) = &examples[*at];
            step(&mut scores, &mut moved, rows, *class, settings.rate);
            if n.is_multiple_of(1000) {
                seen(epoch * examples.len() + n, all);
            }
        }
    }
    LinearModel::of(known, &scores)
}

/// Returns the features that get scores, sorted: those of the model, and those of enough events.
fn known(examples: &[(Vec<u32>, usize)], from: Option<&LinearModel>, least: u32) -> Vec<u32> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for feature in examples.iter().flat_map(|(found, _)| found) {
        *counts.entry(*feature).or_default() += 1;
    }
    let often = counts.into_iter().filter(|(_, count)| *count >= least);
    let mut known: BTreeSet<u32> = often.map(|(feature, _)| feature).collect();
    if let Some(model) = from {
        known.extend(&model.features);
    }
    known.into_iter().collect()
}

/// Returns the features of an event, and the index of its class.
fn example(event: &ValueEvent) -> (Vec<u32>, usize) {
    let uses = uses_in_fragment(&event.before, &event.name, &event.after, event.kind);
    let found = features(&Query {
        name: &event.name,
        kind: event.kind,
        before: &event.before,
        after: &event.after,
        uses: uses.as_ref(),
    });
    let class = Class::ALL.iter().position(|class| *class == event.value);
    (found, class.unwrap_or_default())
}

/// Takes one event: moves the scores of its features against the gradient.
fn step(scores: &mut [f32], moved: &mut [f32], rows: &[u32], class: usize, rate: f32) {
    let (scores, _) = scores.as_chunks_mut::<CLASSES>();
    let mut gradient = [0f32; CLASSES];
    for row in rows {
        for (sum, score) in gradient.iter_mut().zip(&scores[*row as usize]) {
            *sum += score;
        }
    }
    softmax(&mut gradient);
    gradient[class] -= 1.0;
    let square = gradient.iter().map(|g| g * g).sum::<f32>() / CLASSES as f32;
    for row in rows {
        let row = *row as usize;
        moved[row] += square;
        let rate = rate / moved[row].sqrt();
        for (score, g) in scores[row].iter_mut().zip(&gradient) {
            *score -= rate * g;
        }
    }
}
