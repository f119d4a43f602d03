//! Groups examples into micro-batches: examples of similar lengths together, to limit padding, in
//! shuffled order, so that a step sees all lengths.
//!
//! The sequence is a pure function of the seed, the lengths and the mix. Only lengths are read, and
//! nothing is remembered between epochs.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::example::Lengths;
use crate::fingerprint::derive_seed;

/// Examples, in random order, that tell how lengths are spread.
const ENOUGH: usize = 100_000;

/// An example of a stage: which of its data sets, and where in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pick {
    /// Position of the data set in the stage's mix.
    pub set: usize,
    /// Position of the example in the data set.
    pub index: usize,
}

/// One data set of a mix.
#[derive(Debug, Clone)]
pub struct Member {
    /// The length of every example.
    pub lengths: Vec<Lengths>,
    /// Passes over it in one epoch.
    pub repeats: f64,
}

/// Makes the micro-batches of every epoch of a stage.
#[derive(Debug)]
pub struct Batcher {
    seed: u64,
    micro_tokens: usize,
    members: Vec<Member>,
    tiling: Tiling,
}

/// How the plane of (source length, target length) is divided: into strips along one length, each
/// ordered by the other. The best number of strips depends on the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tiling {
    strips: usize,
    by_source: bool,
}

impl Batcher {
    /// A batcher for micro-batches of at most `micro_tokens` positions, including padding. A longer
    /// example is a batch of its own.
    #[must_use]
    pub fn new(seed: u64, micro_tokens: usize, members: Vec<Member>) -> Self {
        let tiling = Tiling {
            strips: 1,
            by_source: true,
        };
        let mut batcher = Self {
            seed,
            micro_tokens,
            members,
            tiling,
        };
        batcher.tiling = batcher.best_tiling();
        batcher
    }

    /// Examples of an epoch.
    pub(crate) fn quota(&self) -> f64 {
        let of = |member: &Member| member.lengths.len() as f64 * member.repeats;
        self.members.iter().map(of).sum()
    }

    /// The micro-batches of `epoch` (from 0). None is empty.
    #[must_use]
    pub fn epoch(&self, epoch: u64) -> Vec<Vec<Pick>> {
        let mut groups = self.tile(self.picks(epoch), self.tiling);
        groups.shuffle(&mut ChaCha8Rng::seed_from_u64(derive_seed(
            self.seed,
            &[2, epoch],
        )));
        groups
    }

    /// The lengths of an example.
    #[must_use]
    pub fn lengths(&self, pick: Pick) -> Lengths {
        self.members[pick.set].lengths[pick.index]
    }

    /// The examples of an epoch in random order. A member's sequence over all epochs is one
    /// permutation after another, of which an epoch takes the next `repeats × len`.
    fn picks(&self, epoch: u64) -> Vec<Pick> {
        let mut picks = Vec::new();
        for (set, member) in self.members.iter().enumerate() {
            let len = member.lengths.len() as u64;
            if len == 0 {
                continue;
            }
            let quota = len as f64 * member.repeats;
            let (mut at, end) = (
                (quota * epoch as f64) as u64,
                (quota * (epoch + 1) as f64) as u64,
            );
            while at < end {
                let (pass, from) = (at / len, (at % len) as usize);
                let take = (len - at % len).min(end - at) as usize;
                let order = self.permutation(set, pass);
                picks.extend(
                    order[from..from + take]
                        .iter()
                        .map(|&index| Pick { set, index }),
                );
                at += take as u64;
            }
        }
        picks.shuffle(&mut ChaCha8Rng::seed_from_u64(derive_seed(
            self.seed,
            &[1, epoch],
        )));
        picks
    }

    fn permutation(&self, set: usize, pass: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.members[set].lengths.len()).collect();
        let seed = derive_seed(self.seed, &[0, set as u64, pass]);
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        order
    }

    /// Real tokens of an example.
    fn tokens(&self, pick: Pick) -> usize {
        let lengths = self.lengths(pick);
        lengths.source as usize + lengths.target as usize
    }

    /// The tiling whose first epoch computes the fewest positions, estimated from its first examples.
    fn best_tiling(&self) -> Tiling {
        let mut picks = self.picks(0);
        picks.truncate(ENOUGH);
        let tokens: usize = picks.iter().map(|&pick| self.tokens(pick)).sum();
        let most = (tokens / self.micro_tokens.max(1)).max(1);
        let doubling = |strips: &usize| strips.checked_mul(2);
        std::iter::successors(Some(1), doubling)
            .take_while(|&strips| strips <= most)
            .flat_map(|strips| [true, false].map(|by_source| Tiling { strips, by_source }))
            .min_by_key(|&tiling| {
                let groups = self.tile(picks.clone(), tiling);
                groups
                    .iter()
                    .map(|group| self.positions(group))
                    .sum::<usize>()
            })
            .unwrap_or(Tiling {
                strips: 1,
                by_source: true,
            })
    }

    /// Positions of a micro-batch, padding included.
    fn positions(&self, group: &[Pick]) -> usize {
        let longest = group
            .iter()
            .map(|&pick| self.lengths(pick))
            .fold((0, 0), widen);
        group.len() * (longest.0 + longest.1) as usize
    }

    /// Orders `picks` by `tiling` and cuts them into micro-batches. Equal lengths keep their random
    /// order.
    fn tile(&self, mut picks: Vec<Pick>, tiling: Tiling) -> Vec<Vec<Pick>> {
        let key = |pick: &Pick, first: bool| {
            let lengths = self.lengths(*pick);
            if first == tiling.by_source {
                lengths.source
            } else {
                lengths.target
            }
        };
        picks.sort_by_key(|pick| key(pick, true));
        let tokens: usize = picks.iter().map(|&pick| self.tokens(pick)).sum();
        let share = tokens.div_ceil(tiling.strips).max(1);
        let (mut start, mut seen, mut strip) = (0, 0, 0);
        for end in 1..=picks.len() {
            seen += self.tokens(picks[end - 1]);
            if seen >= share * (strip + 1) || end == picks.len() {
                picks[start..end].sort_by_key(|pick| key(pick, false));
                if strip % 2 == 1 {
                    picks[start..end].reverse(); // a strip begins where the last one ended
                }
                (start, strip) = (end, seen / share);
            }
        }
        self.cut(&picks)
    }

    fn cut(&self, picks: &[Pick]) -> Vec<Vec<Pick>> {
        let mut groups: Vec<Vec<Pick>> = Vec::new();
        let mut longest = (0, 0);
        for &pick in picks {
            let wider = widen(longest, self.lengths(pick));
            match groups.last_mut() {
                Some(group)
                    if (group.len() + 1) * (wider.0 + wider.1) as usize <= self.micro_tokens =>
                {
                    group.push(pick);
                    longest = wider;
                }
                _ => {
                    groups.push(vec![pick]);
                    longest = widen((0, 0), self.lengths(pick));
                }
            }
        }
        groups
    }
}

fn widen(longest: (u32, u32), lengths: Lengths) -> (u32, u32) {
    (longest.0.max(lengths.source), longest.1.max(lengths.target))
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    /// Log-normal lengths: programs around 120 tokens, traces two to four times as long.
    fn realistic(count: usize, seed: u64) -> Vec<Lengths> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut normal = move || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        (0..count)
            .map(|_| {
                let source = (120f64.ln() + 0.5 * normal()).exp().clamp(8.0, 512.0);
                let target = (source * (3f64.ln() + 0.4 * normal()).exp()).clamp(8.0, 1024.0);
                Lengths {
                    source: source as u32,
                    target: target as u32,
                }
            })
            .collect()
    }

    fn member(count: usize, repeats: f64) -> Member {
        Member {
            lengths: realistic(count, count as u64),
            repeats,
        }
    }

    #[test]
    fn an_epoch_has_each_example_once_and_keeps_to_the_limit() {
        let batcher = Batcher::new(7, 4096, vec![member(3000, 1.0), member(500, 1.0)]);
        for epoch in [0, 1, 5] {
            let groups = batcher.epoch(epoch);
            for group in &groups {
                assert!(!group.is_empty());
                assert!(group.len() == 1 || batcher.positions(group) <= 4096);
            }
            let mut picks: Vec<Pick> = groups.into_iter().flatten().collect();
            picks.sort();
            let expected = |set, len| (0..len).map(move |index| Pick { set, index });
            assert!(
                picks
                    .into_iter()
                    .eq(expected(0, 3000).chain(expected(1, 500)))
            );
        }
    }

    #[test]
    fn nine_tenths_of_the_positions_are_real() {
        for (count, micro) in [(20_000, 4096), (20_000, 2048), (5_000, 4096)] {
            let batcher = Batcher::new(1, micro, vec![member(count, 1.0)]);
            let groups = batcher.epoch(3);
            let real: usize = groups
                .iter()
                .flatten()
                .map(|&pick| batcher.tokens(pick))
                .sum();
            let padded: usize = groups.iter().map(|group| batcher.positions(group)).sum();
            let share = real as f64 / padded as f64;
            assert!(
                share >= 0.9,
                "{share} of {count} in {micro}, {:?}",
                batcher.tiling
            );
        }
    }

    #[test]
    fn fractions_take_turns_and_multiples_repeat() {
        let batcher = Batcher::new(3, 4096, vec![member(1000, 0.25), member(100, 2.0)]);
        let mut seen = vec![0; 1000];
        for epoch in 0..4 {
            let picks: Vec<Pick> = batcher.epoch(epoch).into_iter().flatten().collect();
            assert_eq!(picks.len(), 250 + 200);
            picks
                .iter()
                .filter(|pick| pick.set == 0)
                .for_each(|pick| seen[pick.index] += 1);
            for index in 0..100 {
                assert_eq!(
                    picks
                        .iter()
                        .filter(|&&p| p == Pick { set: 1, index })
                        .count(),
                    2
                );
            }
        }
        assert!(
            seen.iter().all(|&count| count == 1),
            "four quarters make the whole"
        );
    }

    #[test]
    fn same_seed_same_batches_other_seed_others() {
        let make = |seed| Batcher::new(seed, 2048, vec![member(2000, 1.0)]);
        assert_eq!(make(5).epoch(4), make(5).epoch(4));
        assert_ne!(make(5).epoch(4), make(6).epoch(4));
        assert_ne!(make(5).epoch(4), make(5).epoch(5));
    }
}
