//! Accuracy of value predictors: the class recorded in a run against the most probable predicted
//! classes (paper 1, section 5.2).
//!
//! Coarse shares are those of the twelve coarse classes, each with the total probability of its fine
//! ones.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use codexec_unknown::analysis::{Kind, uses_in_fragment};
use codexec_unknown::values::events::ValueEvent;
use codexec_unknown::values::{Class, Coarse, LikelyClass, Predictor, Query};

/// Numbers of most probable classes that may include the right one.
pub const TOP: [usize; 3] = [1, 3, 5];

/// Shares of events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueScores {
    /// Recorded events.
    pub events: usize,
    /// Share whose fine class is among the first 1, 3 and 5.
    pub fine: [f64; 3],
    /// Share whose coarse class is.
    pub coarse: [f64; 3],
}

/// Scores of all events (`all`) and of each kind.
pub fn score(events: &[&ValueEvent], predictor: &dyn Predictor) -> BTreeMap<String, ValueScores> {
    const CHUNK: usize = 256;
    let found: Vec<(Kind, Hits)> = events
        .par_chunks(CHUNK)
        .flat_map(|chunk| hits(chunk, predictor))
        .collect();
    let mut counts: BTreeMap<String, (usize, Hits)> = BTreeMap::new();
    for (kind, hits) in found {
        for of in ["all", kind.as_str()] {
            let (events, sum) = counts.entry(of.to_owned()).or_default();
            *events += 1;
            for (sum, hit) in sum.iter_mut().flatten().zip(hits.iter().flatten()) {
                *sum += hit;
            }
        }
    }
    let shares = |(of, (events, hits)): (String, (usize, Hits))| {
        let [fine, coarse] = hits.map(|top| top.map(|hit| hit as f64 / events as f64));
        let scores = ValueScores {
            events,
            fine,
            coarse,
        };
        (of, scores)
    };
    counts.into_iter().map(shares).collect()
}

/// For fine and coarse classes, whether (or how often) the first 1, 3 and 5 include the right one.
type Hits = [[usize; 3]; 2];

fn hits(events: &[&ValueEvent], predictor: &dyn Predictor) -> Vec<(Kind, Hits)> {
    let uses: Vec<_> = events
        .iter()
        .map(|e| uses_in_fragment(&e.before, &e.name, &e.after, e.kind))
        .collect();
    let queries: Vec<Query<'_>> = events
        .iter()
        .zip(&uses)
        .map(|(event, uses)| Query {
            name: &event.name,
            kind: event.kind,
            before: &event.before,
            after: &event.after,
            uses: uses.as_ref(),
        })
        .collect();
    let predicted = predictor.predict_all(&queries);
    let judged = events.iter().zip(predicted).map(|(event, predicted)| {
        let fine = predicted.iter().position(|p| p.class == event.value);
        let coarse = coarse(&predicted)
            .iter()
            .position(|c| *c == event.value.coarse());
        let within = |at: Option<usize>| TOP.map(|k| usize::from(at.is_some_and(|at| at < k)));
        (event.kind, [within(fine), within(coarse)])
    });
    judged.collect()
}

/// The coarse classes of predictions, the most probable first.
fn coarse(predicted: &[LikelyClass]) -> Vec<Coarse> {
    let mut shares: BTreeMap<Coarse, f32> = BTreeMap::new();
    for one in predicted {
        *shares.entry(one.class.coarse()).or_default() += one.probability;
    }
    let mut classes: Vec<(Coarse, f32)> = shares.into_iter().collect();
    classes.sort_by(|a, b| b.1.total_cmp(&a.1));
    classes.into_iter().map(|(class, _)| class).collect()
}

/// Predicts for every kind and name its most frequent class: what names alone achieve. Ties go to
/// the first in the paper's table.
#[derive(Debug, Default)]
pub struct Names(BTreeMap<(Kind, String), BTreeMap<Class, usize>>);

impl Names {
    /// Learns from events.
    pub fn of<'a>(events: impl Iterator<Item = &'a ValueEvent>) -> Self {
        let mut names = Self::default();
        for event in events {
            let of = names.0.entry((event.kind, event.name.clone())).or_default();
            *of.entry(event.value).or_default() += 1;
        }
        names
    }
}

impl Predictor for Names {
    fn name(&self) -> &'static str {
        "most frequent"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let Some(counts) = self.0.get(&(query.kind, query.name.to_owned())) else {
            return vec![LikelyClass {
                class: Class::Object,
                probability: 1.0,
            }];
        };
        let all: usize = counts.values().sum();
        let mut found: Vec<LikelyClass> = counts
            .iter()
            .map(|(class, count)| LikelyClass {
                class: *class,
                probability: *count as f32 / all as f32,
            })
            .collect();
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: Kind, name: &str, value: Class) -> ValueEvent {
        ValueEvent {
            package: "p".into(),
            file: String::new(),
            line: 0,
            name: name.into(),
            kind,
            value,
            before: String::new(),
            after: String::new(),
        }
    }

    #[test]
    fn hits_are_counted_by_rank_kind_and_coarseness() {
        use Class::{IntNeg, IntPos, IntZero, None, StrEmpty};
        let learnt = [(None, 4), (IntPos, 3), (IntZero, 2), (IntNeg, 1)];
        let learnt = learnt
            .map(|(class, n)| vec![event(Kind::Name, "x", class); n])
            .concat();
        let names = Names::of(learnt.iter());
        let asked = [
            event(Kind::Name, "x", None),
            event(Kind::Name, "x", IntZero),
            event(Kind::Name, "x", IntNeg),
            event(Kind::Call, "x", StrEmpty),
        ];
        let scores = score(&asked.iter().collect::<Vec<_>>(), &names);
        assert_eq!(scores["all"].fine, [0.25, 0.5, 0.75]);
        // The integers together are more probable than None.
        assert_eq!(scores["all"].coarse, [0.5, 0.75, 0.75]);
        assert_eq!((scores["name"].events, scores["call"].events), (3, 1));
        assert_eq!(scores["call"].fine, [0.0; 3]);
    }
}
