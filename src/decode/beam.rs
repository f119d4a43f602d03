//! Beam search as the published implementation does it, over several programs at once.
//!
//! Scores are sums of log-probabilities; by default there is no length penalty. The first step expands one
//! hypothesis. A finished hypothesis keeps its place in the beam of that step and has no children.
//! The search of a program stops when `</s>` has been on top of its beam at some step and as many
//! hypotheses are finished as the beam is wide, or at the length limit. One deliberate difference:
//! when none is finished at the limit the published code lists the best unfinished one twice; here
//! each is listed once.
//!
//! A grammar removes tokens; the probabilities of the others stay what the network says.

use candle_core::Tensor;
use rayon::prelude::*;

use super::grammar::Grammar;
use crate::error::Result;
use crate::model::{EncoderDecoder, KvCache, Row};

/// How to search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Width of the beam; 1 is greedy.
    pub beam: usize,
    /// Most tokens of a prediction, `</s>` included; never more than the checkpoint allows.
    pub max_tokens: usize,
    /// The first token of every target (`<mask0>`).
    pub start: u32,
    /// The last (`</s>`).
    pub end: u32,
    /// Exponent of a finished hypothesis's length that divides its score when the best is chosen; 0
    /// as published, 1 for the mean log-probability of a token. Without it a short trace that ends in
    /// an unlikely exception beats every long one.
    pub length_penalty: f32,
}

impl SearchOptions {
    /// The published search: width 10, the checkpoint's own length limit.
    pub fn new(model: &EncoderDecoder, start: u32, end: u32) -> Self {
        Self {
            beam: 10,
            max_tokens: model.config().codexec.max_target,
            start,
            end,
            length_penalty: 0.0,
        }
    }
}

/// A prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// Its tokens, without the start and without `</s>`.
    pub tokens: Vec<u32>,
    /// Log-probability of each token given those before; one more, that of `</s>`, unless it is
    /// truncated.
    pub logprobs: Vec<f32>,
    /// Sum of the log-probabilities.
    pub score: f32,
    /// The length limit came before `</s>`.
    pub truncated: bool,
}

/// The best hypotheses for each source, best first, at most `options.beam` and at least one each.
///
/// `sources` are complete (`<s> ... </s>`); `grammars` has one grammar per source.
///
/// # Errors
/// [`crate::Error::Length`] for sources that do not fit; failures of the tensor library.
pub fn beam_search<G: Grammar + Sync>(
    model: &EncoderDecoder,
    sources: &[&[u32]],
    grammars: &[G],
    options: &SearchOptions,
) -> Result<Vec<Vec<Hypothesis>>> {
    assert_eq!(sources.len(), grammars.len(), "one grammar per source");
    if sources.is_empty() {
        return Ok(Vec::new());
    }
    let mut cache = model.encode(sources)?;
    let mut beams: Vec<Beam<'_, G>> = sources
        .iter()
        .zip(grammars)
        .map(|(source, grammar)| {
            let room = model.config().max_tokens() - source.len();
            Beam::new(grammar, options, options.max_tokens.min(room))
        })
        .collect();
    // The programs the cache still holds.
    let mut held: Vec<usize> = (0..beams.len()).collect();
    loop {
        drop_done(&mut cache, &mut held, &beams)?;
        if held.is_empty() {
            break;
        }
        let rows: Vec<Vec<Row>> = held.iter().map(|p| beams[*p].rows()).collect();
        let logits = model.decode_step(&mut cache, &rows)?;
        advance(&mut beams, &held, &logits)?;
    }
    Ok(beams.into_iter().map(Beam::finish).collect())
}

/// Drops programs whose search is over, once they are enough to be worth the copy.
fn drop_done<G: Grammar>(
    cache: &mut KvCache,
    held: &mut Vec<usize>,
    beams: &[Beam<'_, G>],
) -> Result<()> {
    let still: Vec<usize> = (0..held.len())
        .filter(|i| !beams[held[*i]].done())
        .collect();
    let dropped = held.len() - still.len();
    if still.is_empty() {
        held.clear();
    } else if dropped * 4 >= held.len() {
        cache.keep(&still)?;
        *held = still.into_iter().map(|i| held[i]).collect();
    }
    Ok(())
}

/// Gives each program its rows of `logits` (P,R,V).
fn advance<G: Grammar + Sync>(
    beams: &mut [Beam<'_, G>],
    held: &[usize],
    logits: &Tensor,
) -> Result<()> {
    let (_, rows, vocab) = logits.dims3()?;
    let logits = logits.flatten_all()?.to_vec1::<f32>()?;
    let mut active: Vec<Option<&mut Beam<'_, G>>> = beams.iter_mut().map(Some).collect();
    let held: Vec<_> = held.iter().filter_map(|p| active[*p].take()).collect();
    held.into_par_iter()
        .zip(logits.par_chunks(rows * vocab))
        .for_each(|(beam, logits)| beam.advance(logits, vocab));
    Ok(())
}

/// A token of some hypothesis.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: Option<usize>,
    token: u32,
    logprob: f32,
}

/// A place in the beam.
#[derive(Debug, Clone)]
struct Slot<S> {
    /// Its last token; `None` before the first.
    node: Option<usize>,
    /// Row of the last step it continues.
    parent: usize,
    token: u32,
    score: f32,
    state: S,
}

/// A possible next token.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    score: f32,
    row: usize,
    token: u32,
    logprob: f32,
}

/// The search of one program.
struct Beam<'g, G: Grammar> {
    grammar: &'g G,
    width: usize,
    end: u32,
    limit: usize,
    length_penalty: f32,
    steps: usize,
    nodes: Vec<Node>,
    /// Hypotheses that go on, best first.
    live: Vec<Slot<G::State>>,
    /// Score and last node of those that ended.
    finished: Vec<(f32, usize)>,
    topped: bool,
}

impl<'g, G: Grammar> Beam<'g, G> {
    fn new(grammar: &'g G, options: &SearchOptions, limit: usize) -> Self {
        let first = Slot {
            node: None,
            parent: 0,
            token: options.start,
            score: 0.0,
            state: grammar.start(),
        };
        Self {
            grammar,
            width: options.beam.max(1),
            end: options.end,
            limit,
            length_penalty: options.length_penalty,
            steps: 0,
            nodes: Vec::new(),
            live: vec![first],
            finished: Vec::new(),
            topped: false,
        }
    }

    fn done(&self) -> bool {
        let enough = self.topped && self.finished.len() >= self.width;
        enough || self.live.is_empty() || self.steps >= self.limit
    }

    /// What the network must compute: nothing once the search is over.
    fn rows(&self) -> Vec<Row> {
        if self.done() {
            return Vec::new();
        }
        let row = |slot: &Slot<G::State>| Row {
            parent: slot.parent,
            token: slot.token,
        };
        self.live.iter().map(row).collect()
    }

    /// Takes the best continuations; `logits` has a row of `vocab` for each live slot.
    fn advance(&mut self, logits: &[f32], vocab: usize) {
        if self.done() {
            return;
        }
        let mut best = Best::new(self.width);
        for (row, (slot, logits)) in self.live.iter().zip(logits.chunks(vocab)).enumerate() {
            let norm = log_sum_exp(logits);
            let allowed = self.grammar.allowed(&slot.state);
            allowed.for_each(logits.len(), |token| {
                let logprob = logits[token] - norm;
                best.offer(Candidate {
                    score: slot.score + logprob,
                    row,
                    token: token as u32,
                    logprob,
                });
            });
        }
        if best.0.is_empty() {
            // Nothing may follow, or the network gave no numbers: what there is stays as it is.
            self.steps = self.limit;
            return;
        }
        self.steps += 1;
        self.topped |= best.0[0].token == self.end;
        self.live = best.0.iter().filter_map(|c| self.take(c)).collect();
    }

    /// Records a chosen token; the slot that goes on from it, if any.
    fn take(&mut self, chosen: &Candidate) -> Option<Slot<G::State>> {
        let from = &self.live[chosen.row];
        self.nodes.push(Node {
            parent: from.node,
            token: chosen.token,
            logprob: chosen.logprob,
        });
        let node = self.nodes.len() - 1;
        if chosen.token == self.end {
            self.finished.push((chosen.score, node));
            return None;
        }
        Some(Slot {
            node: Some(node),
            parent: chosen.row,
            token: chosen.token,
            score: chosen.score,
            state: self.grammar.advance(&from.state, chosen.token),
        })
    }

    /// Finished hypotheses by score, then unfinished ones.
    fn finish(self) -> Vec<Hypothesis> {
        let ended = self.finished.iter();
        let mut ended: Vec<Hypothesis> = ended
            .map(|(score, node)| self.hypothesis(*score, Some(*node), false))
            .collect();
        let rank = |h: &Hypothesis| h.score / (h.logprobs.len() as f32).powf(self.length_penalty);
        ended.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        let cut = self.live.iter();
        let cut = cut.map(|slot| self.hypothesis(slot.score, slot.node, true));
        ended.into_iter().chain(cut).take(self.width).collect()
    }

    fn hypothesis(&self, score: f32, mut node: Option<usize>, truncated: bool) -> Hypothesis {
        let (mut tokens, mut logprobs) = (Vec::new(), Vec::new());
        while let Some(at) = node {
            tokens.push(self.nodes[at].token);
            logprobs.push(self.nodes[at].logprob);
            node = self.nodes[at].parent;
        }
        tokens.reverse();
        logprobs.reverse();
        if !truncated {
            tokens.pop();
        }
        Hypothesis {
            tokens,
            logprobs,
            score,
            truncated,
        }
    }
}

/// The best few candidates, best first; among equals the one offered first.
struct Best(Vec<Candidate>, usize);

impl Best {
    fn new(width: usize) -> Self {
        Self(Vec::with_capacity(width + 1), width)
    }

    fn offer(&mut self, candidate: Candidate) {
        let full = self.0.len() == self.1;
        let beaten = full
            && self
                .0
                .last()
                .is_some_and(|last| candidate.score <= last.score);
        if beaten || candidate.score.is_nan() {
            return;
        }
        let at = self.0.partition_point(|c| c.score >= candidate.score);
        self.0.insert(at, candidate);
        self.0.truncate(self.1);
    }
}

fn log_sum_exp(logits: &[f32]) -> f32 {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|l| (l - top).exp()).sum();
    top + sum.ln()
}
