//! The hardest part of a data set, by the model's own loss: before a stage that requests it, every
//! example (or a seeded sample) is scored by the mean loss of its target tokens, and the stage uses the
//! share with the highest losses.
//!
//! Losses are stored in the run's directory as they are computed, so that a stopped run resumes
//! scoring, and later stages with the same set reuse the losses:
//!
//! ```text
//! RUN/hardest/NAME.losses   a line of JSON, then 4 bytes (f32) an example, in scoring order
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::batcher::{Batcher, Member, Pick};
use crate::config::Hardest;
use crate::error::{Error, Result};
use crate::example::{Example, ExampleSource, Trainable};
use crate::fingerprint::derive_seed;
use crate::gradient::Workers;
use crate::metrics::{Notice, Observer};

/// Micro-batches that are scored between two looks at the observer, for each thread.
const ROUND: usize = 4;

/// Key of a file's losses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    set: String,
    /// Fingerprint of the set.
    data: String,
    sample: Option<usize>,
    micro_tokens: usize,
    /// Step after which the losses were begun.
    step: u64,
}

/// The scored examples, and the settings.
#[derive(Clone, Copy)]
pub(crate) struct Scoring<'a> {
    pub run_dir: &'a Path,
    pub seed: u64,
    pub micro_tokens: usize,
    pub step: u64,
    /// The set's name, fingerprint, and requested share.
    pub name: &'a str,
    pub data: &'a str,
    pub hardest: &'a Hardest,
    pub source: &'a dyn ExampleSource,
}

/// The hardest examples of a set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Selection {
    /// Positions in the set, ascending.
    pub indices: Vec<u32>,
    /// Number scored.
    pub scored: usize,
    /// Mean loss of those scored, and of those chosen.
    pub means: [f64; 2],
    /// Whether new losses were computed.
    pub is_new: bool,
}

impl Scoring<'_> {
    /// The hardest examples. `None` if the observer stopped the run during scoring.
    pub(crate) fn select<M: Trainable>(
        &self,
        model: &M,
        workers: &Workers,
        observer: &mut dyn Observer,
    ) -> Result<Option<Selection>> {
        let sample = self.sample();
        let groups = self.groups(&sample);
        let (mut file, mut losses) = self.open(&groups)?;
        let is_new = losses.len() < sample.len();
        let mut at = 0;
        let mut begun = 0;
        while begun < losses.len() {
            begun += groups[at].len();
            at += 1;
        }
        for round in groups[at..].chunks(ROUND * workers.count()) {
            if observer.stop() {
                return Ok(None);
            }
            let batches: Vec<Vec<Example>> = round
                .iter()
                .map(|group| {
                    group
                        .iter()
                        .map(|pick| self.fetch(&sample, *pick))
                        .collect()
                })
                .collect::<Result<_>>()?;
            let scored = workers.losses(model, &batches)?;
            let scored: Vec<f32> = scored.into_iter().flatten().collect();
            let bytes: Vec<u8> = scored.iter().flat_map(|loss| loss.to_le_bytes()).collect();
            let path = self.path();
            file.write_all(&bytes).map_err(Error::io("write", &path))?;
            losses.extend(scored);
            observer.notice(&Notice::Scoring {
                set: self.name.to_owned(),
                done: losses.len(),
                of: sample.len(),
            });
        }
        let order = groups.iter().flatten().map(|pick| sample[pick.index]);
        Ok(Some(self.choose(order.zip(losses).collect(), is_new)))
    }

    fn fetch(&self, sample: &[u32], pick: Pick) -> Result<Example> {
        let index = sample[pick.index] as usize;
        self.source.get(index).map_err(|source| Error::Example {
            name: self.name.to_owned(),
            index,
            source,
        })
    }

    /// The examples to score, ascending.
    fn sample(&self) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.source.len() as u32).collect();
        if let Some(most) = self.hardest.sample.filter(|most| *most < all.len()) {
            let seed = derive_seed(self.seed, &[5]);
            all.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            all.truncate(most);
            all.sort_unstable();
        }
        all
    }

    /// The sample in micro-batches, the same whatever the number of threads.
    fn groups(&self, sample: &[u32]) -> Vec<Vec<Pick>> {
        let lengths = sample.iter().map(|i| self.source.lengths(*i as usize));
        let member = Member {
            lengths: lengths.collect(),
            repeats: 1.0,
        };
        Batcher::new(self.seed, self.micro_tokens, vec![member]).epoch(0)
    }

    /// The highest losses; ties go to the first. NaN is never selected.
    fn choose(&self, mut losses: Vec<(u32, f32)>, is_new: bool) -> Selection {
        losses.retain(|(_, loss)| loss.is_finite());
        losses.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let scored = losses.len();
        let count = (scored as f64 * self.hardest.share).round() as usize;
        let mean = |losses: &[(u32, f32)]| {
            let sum: f64 = losses.iter().map(|(_, loss)| f64::from(*loss)).sum();
            sum / losses.len().max(1) as f64
        };
        let means = [mean(&losses), mean(&losses[..count])];
        let mut indices: Vec<u32> = losses[..count].iter().map(|(index, _)| *index).collect();
        indices.sort_unstable();
        Selection {
            indices,
            scored,
            means,
            is_new,
        }
    }

    fn path(&self) -> PathBuf {
        self.run_dir
            .join("hardest")
            .join(format!("{}.losses", self.name))
    }

    /// The file of losses, positioned at its end, and its complete micro-batches.
    fn open(&self, groups: &[Vec<Pick>]) -> Result<(File, Vec<f32>)> {
        let path = self.path();
        let directory = self.run_dir.join("hardest");
        fs::create_dir_all(&directory).map_err(Error::io("create", &directory))?;
        let mut kept = self.kept(&path).unwrap_or_default();
        let mut whole = 0;
        for group in groups {
            if whole + group.len() > kept.len() {
                break;
            }
            whole += group.len();
        }
        kept.truncate(whole);
        let header = Header {
            set: self.name.to_owned(),
            data: self.data.to_owned(),
            sample: self.hardest.sample,
            micro_tokens: self.micro_tokens,
            step: self.step,
        };
        if whole == 0 {
            let line = serde_json::to_string(&header).map_err(std::io::Error::other);
            let written = line.and_then(|line| fs::write(&path, format!("{line}\n")));
            written.map_err(Error::io("write", &path))?;
        } else {
            // A partial micro-batch, left by a kill, is removed.
            let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
            let line = bytes.iter().position(|b| *b == b'\n').unwrap_or(0) + 1;
            let file = File::options().write(true).open(&path);
            file.and_then(|file| file.set_len((line + whole * 4) as u64))
                .map_err(Error::io("cut", &path))?;
        }
        let file = File::options().append(true).open(&path);
        Ok((file.map_err(Error::io("open", &path))?, kept))
    }

    /// The losses in the file, if they are of this set and were not begun later than now (as where an
    /// older checkpoint was resumed).
    fn kept(&self, path: &Path) -> Option<Vec<f32>> {
        let bytes = fs::read(path).ok()?;
        let end = bytes.iter().position(|b| *b == b'\n')?;
        let header: Header = serde_json::from_slice(&bytes[..end]).ok()?;
        let same = header.set == self.name
            && header.data == self.data
            && header.sample == self.hardest.sample
            && header.micro_tokens == self.micro_tokens
            && header.step <= self.step;
        let (words, _) = bytes[end + 1..].as_chunks::<4>();
        same.then(|| words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    }
}

/// The selected parts of data sets, by name; sets not listed are used completely.
pub(crate) type Parts = BTreeMap<String, Vec<u32>>;
