//! Beam search as in the published implementation, over several programs in parallel.
//!
//! Scores are sums of log-probabilities; by default there is no length penalty. The first step expands one hypothesis.
//! A finished hypothesis keeps its place in the beam of that step and has no children. [`Rule`] decides which
//! hypotheses are expanded and when search stops. One deliberate difference: if none is finished at the length limit,
//! the published code lists the best unfinished one twice; here each is listed once.
//!
//! A grammar removes tokens; the probabilities of the others remain the network's.

use candle_core::Tensor;
use rayon::prelude::*;

use super::grammar::Grammar;
use crate::error::Result;
use crate::{EncoderDecoder, KvCache, Row};

/// Decides which hypotheses are expanded and when search stops; at the length limit in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rule {
    /// As published: every token is considered. The search stops once `</s>` has been on top of the
    /// beam at some step and the number of finished hypotheses equals the beam width: short ones can
    /// fill that number before a better long one is finished.
    #[default]
    Published,
    /// Considers only tokens at least half as probable as the best one at their place. The search
    /// stops once no open hypothesis can win: the score of each, divided by the maximum length, is
    /// no better than the best finished one's.
    ///
    /// Without the first rule, a wide beam finds traces that end early in an improbable exception:
    /// one improbable token costs less on average than all the uncertainty in the rest of the
    /// program.
    Best,
}

/// Under [`Rule::Best`], the minimum probability of a token relative to the best one's.
const CLOSE: f32 = 0.5;

/// Settings of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Width of the beam; 1 is greedy.
    pub beam: usize,
    /// Maximum tokens of a prediction, `</s>` included; never more than the checkpoint allows.
    pub max_tokens: usize,
    /// The first token of every target (`<mask0>`).
    pub start: u32,
    /// The last (`</s>`).
    pub end: u32,
    /// Exponent of a finished hypothesis's length that divides its score when choosing the best; 0 as
    /// published, 1 for the mean log-probability of a token. At 0, a short trace that ends in an
    /// improbable exception beats every long one.
    pub length_penalty: f32,
    /// Which hypotheses to expand, and when to stop.
    pub rule: Rule,
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
            rule: Rule::Published,
        }
    }
}

/// A prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// Its tokens, without the start and without `</s>`.
    pub tokens: Vec<u32>,
    /// Log-probability of each token given the previous ones, and of `</s>` unless it is truncated.
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

/// Drops programs whose search is over, once there are enough of them to justify the copy.
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
    rule: Rule,
    steps: usize,
    nodes: Vec<Node>,
    /// Open hypotheses, best first.
    live: Vec<Slot<G::State>>,
    /// Score and last node of the finished ones.
    finished: Vec<(f32, usize)>,
    /// The best rank among the finished ones.
    best: f32,
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
            rule: options.rule,
            steps: 0,
            nodes: Vec::new(),
            live: vec![first],
            finished: Vec::new(),
            best: f32::NEG_INFINITY,
            topped: false,
        }
    }

    fn done(&self) -> bool {
        let enough = match self.rule {
            Rule::Published => self.topped && self.finished.len() >= self.width,
            // Those that cannot win are no longer open.
            Rule::Best => false,
        };
        enough || self.live.is_empty() || self.steps >= self.limit
    }

    /// What finished hypotheses are compared by.
    fn rank(&self, score: f32, length: usize) -> f32 {
        score / (length as f32).powf(self.length_penalty)
    }

    /// The network's next input; empty once the search is over.
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
            let least = match self.rule {
                Rule::Published => f32::NEG_INFINITY,
                Rule::Best => {
                    let mut top = f32::NEG_INFINITY;
                    allowed.for_each(logits.len(), |token| top = top.max(logits[token]));
                    top + CLOSE.ln()
                }
            };
            allowed.for_each(logits.len(), |token| {
                if logits[token] < least {
                    return;
                }
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
            // No token may follow, or the network gave no numbers: the result is unchanged.
            self.steps = self.limit;
            return;
        }
        self.steps += 1;
        self.topped |= best.0[0].token == self.end;
        self.live = best.0.iter().filter_map(|c| self.take(c)).collect();
        if self.rule == Rule::Best && !self.finished.is_empty() {
            // Scores only fall, and a longer hypothesis divides by more: this is the best that each
            // can become. Open ones are sorted, so those that cannot win are at the end.
            let can_win = |slot: &Slot<G::State>| self.rank(slot.score, self.limit) > self.best;
            let open = self.live.iter().take_while(|slot| can_win(slot)).count();
            self.live.truncate(open);
        }
    }

    /// Records a chosen token. Returns the slot that continues from it, if any.
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
            self.best = self.best.max(self.rank(chosen.score, self.steps));
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
        let rank = |h: &Hypothesis| self.rank(h.score, h.logprobs.len());
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

/// The best few candidates, best first; ties keep their order.
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

#[cfg(test)]
mod tests {
    use super::super::grammar::NoGrammar;
    use super::*;

    const END: u32 = 0;

    /// Searches with given probabilities: `next` returns those of each token after a text.
    fn search(
        rule: Rule,
        width: usize,
        limit: usize,
        next: impl Fn(&[u32]) -> Vec<f32>,
    ) -> Vec<Hypothesis> {
        let options = SearchOptions {
            beam: width,
            max_tokens: limit,
            start: 9,
            end: END,
            length_penalty: 1.0,
            rule,
        };
        let mut beam = Beam::new(&NoGrammar, &options, limit);
        while !beam.done() {
            let rows = beam.live.iter().map(|slot| {
                let so_far = beam.hypothesis(slot.score, slot.node, true).tokens;
                next(&so_far).into_iter().map(f32::ln).collect::<Vec<f32>>()
            });
            let rows: Vec<Vec<f32>> = rows.collect();
            let vocab = rows[0].len();
            beam.advance(&rows.concat(), vocab);
        }
        beam.finish()
    }

    /// One long text of certain tokens (1) that ends after 12, and at each step short ends that are
    /// less probable.
    fn long_and_sure(so_far: &[u32]) -> Vec<f32> {
        match so_far {
            [] => vec![0.4, 0.36, 0.24],
            [.., 2] => vec![0.9, 0.05, 0.05],
            ones if ones.len() >= 12 => vec![0.98, 0.01, 0.01],
            _ => vec![0.01, 0.98, 0.01],
        }
    }

    #[test]
    fn short_hypotheses_do_not_end_the_search_before_a_better_long_one() {
        let short = search(Rule::Published, 3, 40, long_and_sure);
        assert!(short[0].tokens.len() < 12, "{short:?}");
        let best = search(Rule::Best, 3, 40, long_and_sure);
        assert_eq!(best[0].tokens, [1; 12]);
        assert!(!best[0].truncated);
        assert!(best.windows(2).all(|pair| {
            let mean = |h: &Hypothesis| h.score / h.logprobs.len() as f32;
            mean(&pair[0]) >= mean(&pair[1])
        }));
    }

    #[test]
    fn the_search_stops_as_soon_as_nothing_can_win() {
        // Ended at once with certainty: the rest has no chance.
        let sure = |_: &[u32]| vec![0.999, 0.0005, 0.0005];
        let found = search(Rule::Best, 4, 1000, sure);
        assert!(found[0].tokens.is_empty() && found.iter().all(|h| h.tokens.len() < 3));
        // Nothing ever ends, except by the limit.
        let never = |_: &[u32]| vec![0.0, 0.5, 0.5];
        let found = search(Rule::Best, 2, 6, never);
        assert!(found.iter().all(|h| h.truncated && h.tokens.len() == 6));
    }

    #[test]
    fn both_rules_agree_where_one_hypothesis_is_kept() {
        for rule in [Rule::Published, Rule::Best] {
            let found = search(rule, 1, 40, long_and_sure);
            assert_eq!(found.len(), 1);
            assert!(found[0].tokens.is_empty(), "0.4 is more than 0.36");
        }
    }
}
