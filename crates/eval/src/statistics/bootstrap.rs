//! How sure a score is: percentile bootstrap over programs.
//!
//! A resample draws as many groups as there are, with replacement; a group is a program with its
//! mutants, which tend to be right or wrong together. Two engines, or two checkpoints, are compared
//! on the same draws. The draws depend only on the seed and the number of groups.
//!
//! Not corrected for multiple comparisons: of twenty comparisons of equals one is expected to be
//! called different.

use std::collections::HashMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::share::{Share, total};

/// Part of the resamples that an interval holds.
pub const LEVEL: f64 = 0.95;

/// A score with its interval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The score. `None` if no example applies.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// Of a difference: whether the interval has 0 outside.
    pub fn excludes_zero(&self) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else {
            return false;
        };
        low > 0.0 || high < 0.0
    }
}

/// The draws for one set of examples.
#[derive(Debug, Clone)]
pub struct Bootstrap {
    /// The group of each example.
    group_of: Vec<usize>,
    /// How often each group is in each resample.
    draws: Vec<Vec<u32>>,
}

impl Bootstrap {
    /// Draws `samples` resamples; `groups` names the group of each example. With no samples there
    /// are no intervals.
    pub fn new(groups: &[&str], samples: usize, seed: u64) -> Self {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let group_of: Vec<usize> = groups
            .iter()
            .map(|name| {
                let next = known.len();
                *known.entry(name).or_insert(next)
            })
            .collect();
        let count = known.len();
        let draw = |sample: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(sample as u64);
            let mut times = vec![0; count];
            for _ in 0..count {
                times[rng.random_range(0..count)] += 1;
            }
            times
        };
        Self {
            draws: (0..samples).into_par_iter().map(draw).collect(),
            group_of,
        }
    }

    /// A score and its interval, from the contributions of examples.
    pub fn estimate(&self, shares: &[Share]) -> Estimate {
        let groups = self.by_group(shares);
        let ratio = |times: &Vec<u32>| weighted(&groups, times).value();
        interval(
            total(shares.iter().copied()).value(),
            self.draws.iter().map(ratio).collect(),
        )
    }

    /// A score that is not a ratio of sums, and its interval: `score` receives the weight of each
    /// example.
    pub fn estimate_of(&self, score: impl Fn(&[u32]) -> Option<f64> + Sync) -> Estimate {
        let drawn = |times: &Vec<u32>| {
            let of_each: Vec<u32> = self.group_of.iter().map(|group| times[*group]).collect();
            score(&of_each)
        };
        interval(
            score(&vec![1; self.group_of.len()]),
            self.draws.par_iter().map(drawn).collect(),
        )
    }

    /// The score of `b` less that of `a`, with the interval of the difference.
    pub fn difference(&self, a: &[Share], b: &[Share]) -> Estimate {
        let (groups_a, groups_b) = (self.by_group(a), self.by_group(b));
        let less = |a: Share, b: Share| Some(b.value()? - a.value()?);
        let drawn = |times: &Vec<u32>| less(weighted(&groups_a, times), weighted(&groups_b, times));
        interval(
            less(total(a.iter().copied()), total(b.iter().copied())),
            self.draws.iter().map(drawn).collect(),
        )
    }

    fn by_group(&self, shares: &[Share]) -> Vec<Share> {
        let count = self.group_of.iter().max().map_or(0, |last| last + 1);
        let mut sums = vec![Share::default(); count];
        for (share, group) in shares.iter().zip(&self.group_of) {
            sums[*group] += *share;
        }
        sums
    }
}

fn weighted(groups: &[Share], times: &[u32]) -> Share {
    let drawn = groups.iter().zip(times);
    total(drawn.map(|(share, times)| Share {
        got: share.got * f64::from(*times),
        of: share.of * f64::from(*times),
    }))
}

/// The central interval of the resamples' scores, without undefined ones.
fn interval(value: Option<f64>, drawn: Vec<Option<f64>>) -> Estimate {
    let mut drawn: Vec<f64> = drawn.into_iter().flatten().collect();
    drawn.sort_by(f64::total_cmp);
    let tail = (1.0 - LEVEL) / 2.0;
    Estimate {
        value,
        low: quantile(&drawn, tail),
        high: quantile(&drawn, 1.0 - tail),
    }
}

/// Of sorted numbers, between the two nearest.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = part * last as f64;
    let below = sorted[at.floor() as usize];
    let above = sorted[at.ceil() as usize];
    Some(below + (above - below) * at.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|k| k.to_string()).collect()
    }

    fn bootstrap(count: usize, seed: u64) -> Bootstrap {
        let names = names(count);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Bootstrap::new(&names, 1000, seed)
    }

    fn rights(count: usize, every: usize) -> Vec<Share> {
        (0..count).map(|k| Share::of_bool(k % every == 0)).collect()
    }

    #[test]
    fn an_interval_is_about_two_standard_errors_each_way() {
        let found = bootstrap(400, 1).estimate(&rights(400, 4));
        let wanted = 1.96 * (0.25f64 * 0.75 / 400.0).sqrt();
        let (value, low, high) = (
            found.value.unwrap(),
            found.low.unwrap(),
            found.high.unwrap(),
        );
        assert_eq!(value, 0.25);
        assert!((value - low - wanted).abs() < 0.01, "{found:?}");
        assert!((high - value - wanted).abs() < 0.01, "{found:?}");
        assert_eq!(bootstrap(400, 1).estimate(&rights(400, 4)), found);
        assert_ne!(bootstrap(400, 2).estimate(&rights(400, 4)), found);
    }

    #[test]
    fn pairs_tell_apart_what_single_intervals_do_not() {
        let count = 200;
        let a = rights(count, 2);
        let mut b = a.clone();
        for k in [1, 3, 5, 7, 9, 11, 13, 15] {
            b[k] = Share::of_bool(true);
        }
        let draws = bootstrap(count, 3);
        let (one, other) = (draws.estimate(&a), draws.estimate(&b));
        assert!(one.high > other.low, "single intervals overlap");
        let difference = draws.difference(&a, &b);
        assert!((difference.value.unwrap() - 0.04).abs() < 1e-12);
        assert!(difference.excludes_zero(), "{difference:?}");
        assert!(!draws.difference(&a, &a).excludes_zero());
    }

    #[test]
    fn copies_of_a_program_make_no_score_surer() {
        let groups: Vec<String> = (0..400).map(|k| (k / 20).to_string()).collect();
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let shares: Vec<Share> = (0..400).map(|k| Share::of_bool(k / 20 % 2 == 0)).collect();
        let width = |e: Estimate| e.high.unwrap() - e.low.unwrap();
        let grouped = width(Bootstrap::new(&groups, 1000, 0).estimate(&shares));
        let apart = width(bootstrap(400, 0).estimate(&shares));
        assert!(grouped > 3.0 * apart, "{grouped} {apart}");
    }

    #[test]
    fn a_score_by_counts_has_the_interval_of_the_same_ratio() {
        let shares = rights(60, 3);
        let by_counts = |times: &[u32]| {
            let right = |(k, times): (usize, &u32)| if k % 3 == 0 { *times } else { 0 };
            let right: u32 = times.iter().enumerate().map(right).sum();
            Some(f64::from(right) / f64::from(times.iter().sum::<u32>()))
        };
        let draws = bootstrap(60, 5);
        assert_eq!(draws.estimate_of(by_counts), draws.estimate(&shares));
    }

    #[test]
    fn nothing_to_score_is_no_panic() {
        let none = Bootstrap::new(&[], 10, 0);
        assert_eq!(none.estimate(&[]), Estimate::default());
        let silent = bootstrap(3, 0).estimate(&[Share::default(); 3]);
        assert_eq!(silent, Estimate::default());
        let names = ["a", "b"];
        let without = Bootstrap::new(&names, 0, 0).estimate(&[Share::of_bool(true); 2]);
        assert_eq!((without.value, without.low), (Some(1.0), None));
    }
}
