//! Algorithm 1 of the paper: prefixes for what a program misses, then repeated refinements of those
//! that ended in an error and of those that come near lines that no prefix reaches.

use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

use codexec_data::sandbox::{AttemptPlan, Attempted, Pool};
use codexec_trace::Outcome;
use rayon::prelude::*;

use super::generators::Generator;
use super::plain;
use super::search_tree::{Candidate, Step, Tried, smallest_set};
use super::snippet::Snippet;
use super::{Found, PrefixError, PrefixOptions};
use crate::guide::{Coverage, GuideError};

/// Candidates that run concurrently. Fixed, so that the result does not depend on the number of
/// workers.
const BATCH: usize = 4;
/// Approximate bytes of prefixes and their results: a program that needs enormous prefixes gets
/// fewer.
const MOST_HELD: usize = 256 << 20;
/// Most failing lines dropped from a prefix, one at a time.
const MOST_DROPPED: usize = 10;

pub(super) struct Search<'a> {
    pool: &'a Pool,
    snippet: &'a Snippet,
    options: &'a PrefixOptions,
    plan: AttemptPlan,
    begun: Instant,
    texts: HashSet<String>,
    runs: usize,
    tried: Vec<Tried>,
    covered: BTreeSet<u32>,
    steps: Vec<super::StepResult>,
    /// Approximate bytes of all of it.
    held: usize,
    /// Whether the generator will answer no more.
    refused: bool,
}

impl<'a> Search<'a> {
    /// `begun` is the start of the time limit.
    pub(super) fn new(
        pool: &'a Pool,
        snippet: &'a Snippet,
        options: &'a PrefixOptions,
        begun: Instant,
    ) -> Self {
        let plan = AttemptPlan {
            statements: snippet.prepared.statements.spans.clone(),
            events: options.events,
            seconds: options.run_time.as_secs_f64() * 0.9,
        };
        Self {
            pool,
            snippet,
            options,
            plan,
            begun,
            texts: HashSet::new(),
            runs: 0,
            tried: Vec::new(),
            covered: BTreeSet::new(),
            steps: Vec::new(),
            held: 0,
            refused: false,
        }
    }

    pub(super) fn run(mut self, generator: &dyn Generator) -> Result<Found, PrefixError> {
        let snippet = self.snippet;
        let first = generator.for_missing(snippet, self.options.candidates)?;
        let first = first.into_iter().map(|c| (None, c)).collect();
        self.try_all(first, Step::Undefinedness)?;
        if self.tried.is_empty() {
            let bare = Candidate::of_text(String::new());
            self.try_all(vec![(None, bare)], Step::None)?;
        }
        if let Some(Outcome::SyntaxError { .. }) = self.tried.first().map(|t| &t.outcome) {
            return self.found(generator);
        }
        self.note(Step::Undefinedness, 0);
        match self.rounds(generator) {
            // The earlier results are valid.
            Err(PrefixError::Refused { .. }) => self.refused = true,
            other => other?,
        }
        self.found(generator)
    }

    fn rounds(&mut self, generator: &dyn Generator) -> Result<(), PrefixError> {
        let snippet = self.snippet;
        let mut expanded = HashSet::new();
        // Whether errors on lines that other prefixes pass are repaired too.
        let mut thorough = false;
        for round in 1..=self.options.rounds {
            let before = (self.covered.len(), self.best());
            self.repair(generator, &mut expanded, thorough)?;
            self.note(Step::Error, round);
            if self.is_done() {
                break;
            }
            let found = generator.for_lines(
                snippet,
                &self.tried,
                &self.covered,
                self.options.candidates,
            )?;
            self.try_all(found, Step::Coverage)?;
            self.note(Step::Coverage, round);
            let stuck = before == (self.covered.len(), self.best());
            if self.is_done() || stuck && thorough {
                break;
            }
            thorough = stuck;
        }
        Ok(())
    }

    /// Refines prefixes that ended in an error, best first, as long as that leads further.
    fn repair(
        &mut self,
        generator: &dyn Generator,
        expanded: &mut HashSet<usize>,
        thorough: bool,
    ) -> Result<(), PrefixError> {
        for _ in 0..self.options.repairs {
            if self.is_done() {
                return Ok(());
            }
            let open = (0..self.tried.len()).filter(|k| {
                let wanted = thorough || self.is_in_the_way(*k);
                wanted && !expanded.contains(k) && self.leads_on(*k)
            });
            let open = open.filter(|k| !self.tried[*k].troubles().is_empty());
            let Some(next) = open.max_by_key(|&k| (self.tried[k].covered.len(), k)) else {
                return Ok(());
            };
            expanded.insert(next);
            let found =
                generator.for_error(self.snippet, &self.tried[next], self.options.candidates)?;
            let found = found.into_iter().map(|c| (Some(next), c)).collect();
            self.try_all(found, Step::Error)?;
        }
        Ok(())
    }

    /// Whether an error keeps a prefix from lines that no other executes either, or the best prefix
    /// from more.
    fn is_in_the_way(&self, k: usize) -> bool {
        let one = &self.tried[k];
        let mut troubles = one.troubles().into_iter();
        match one.error {
            Some(_) if one.covered.len() == self.best() => true,
            _ => troubles.any(|t| !self.covered.contains(&t.line)),
        }
    }

    /// Whether a refinement is worth refining: it reached more than its parent, or as much but
    /// another error.
    fn leads_on(&self, k: usize) -> bool {
        let one = &self.tried[k];
        let Some(parent) = one.parent.map(|p| &self.tried[p]) else {
            return true;
        };
        let new = one.covered.difference(&parent.covered).next().is_some();
        new || one.error != parent.error && one.covered.len() >= parent.covered.len()
    }

    fn best(&self) -> usize {
        self.tried
            .iter()
            .map(|t| t.covered.len())
            .max()
            .unwrap_or(0)
    }

    fn lines(&self) -> usize {
        self.snippet.prepared.statements.counted().len()
    }

    fn is_done(&self) -> bool {
        let counted = self.snippet.prepared.statements.counted();
        let mut left = counted.difference(&self.covered);
        // At least one prefix is tried, even if finding it took all the time.
        let is_spent = !self.tried.is_empty() && (self.is_late() || self.held >= MOST_HELD);
        is_spent || self.runs >= self.options.runs || left.all(|line| self.snippet.is_raised(*line))
    }

    /// Runs candidates in order, until everything is executed or a budget is spent.
    fn try_all(
        &mut self,
        candidates: Vec<(Option<usize>, Candidate)>,
        step: Step,
    ) -> Result<(), PrefixError> {
        let mut waiting = candidates.into_iter();
        loop {
            if self.is_done() {
                return Ok(());
            }
            let mut batch = Vec::new();
            let room = BATCH.min(self.options.runs - self.runs);
            while batch.len() < room {
                let Some((parent, candidate)) = waiting.next() else {
                    break;
                };
                let reached = candidate
                    .target
                    .is_some_and(|line| self.covered.contains(&line));
                if !reached && self.texts.insert(candidate.text.clone()) {
                    batch.push((parent, candidate));
                }
            }
            if batch.is_empty() {
                return Ok(());
            }
            let run = |(parent, candidate): &(Option<usize>, Candidate)| {
                let mut tried = self.attempt(candidate)?;
                tried.parent = *parent;
                tried.step = step;
                Ok(tried)
            };
            let found: Result<Vec<Tried>, GuideError> = batch.par_iter().map(run).collect();
            self.runs += batch.len();
            for one in found? {
                self.covered.extend(one.covered.iter().copied());
                self.held += one.size();
                self.tried.push(one);
            }
        }
    }

    /// Runs one candidate. Statements of the prefix that fail are dropped, and it runs again.
    fn attempt(&self, candidate: &Candidate) -> Result<Tried, GuideError> {
        let mut candidate = candidate.clone();
        let mut dropped = 0;
        loop {
            let attempted: Attempted =
                self.pool
                    .attempt(&self.snippet.program, &candidate.text, &self.plan)?;
            let failed = match &attempted.outcome {
                Outcome::Raised { line, .. } | Outcome::SyntaxError { line, .. } => *line,
                _ => 0,
            };
            let again = attempted.in_prefix && failed > 0 && dropped < MOST_DROPPED;
            if again && !self.is_late() {
                candidate.text = super::post::without_statement(&candidate.text, failed);
                dropped += 1;
                continue;
            }
            let mut tried = Tried::of(&candidate, attempted, &self.snippet.prepared.statements);
            tried.dropped = dropped;
            return Ok(tried);
        }
    }

    fn note(&mut self, step: Step, round: usize) {
        self.steps.push(super::StepResult {
            step,
            round,
            cumulative: self.covered.len(),
            best: self.best(),
            prefixes: self.tried.len(),
        });
    }

    /// Rewrites the prefixes of the smallest set as a person would, if that executes as much.
    fn rewrite(&mut self, set: &[usize]) -> Result<(), GuideError> {
        for &k in set {
            let mut runs = 0;
            let found = plain::rewritten(self.snippet, &self.tried[k], |text| {
                if self.runs + runs >= self.options.runs || self.is_late() {
                    return Ok(None);
                }
                runs += 1;
                let tried = self.attempt(&Candidate::of_text(text))?;
                Ok(Some(tried))
            })?;
            self.runs += runs;
            if let Some(found) = found {
                let old = &self.tried[k];
                self.covered.extend(found.covered.iter().copied());
                self.tried[k] = Tried {
                    parent: old.parent,
                    step: old.step,
                    ..found
                };
            }
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.begun.elapsed() >= self.options.time
    }

    fn found(mut self, generator: &dyn Generator) -> Result<Found, PrefixError> {
        let set = smallest_set(&self.tried);
        self.rewrite(&set)?;
        let lines = self.lines();
        Ok(Found {
            generator: generator.name().to_owned(),
            coverage: Coverage {
                covered: self.covered.len(),
                lines,
            },
            missing_packages: self.snippet.missing_packages(),
            usage: generator.usage(self.snippet),
            unanswered: self.snippet.why_unanswered(),
            refused: self.refused,
            lines: self.snippet.prepared.statements.counted().clone(),
            covered: self.covered,
            set,
            tried: self.tried,
            steps: self.steps,
            runs: self.runs,
            time: self.begun.elapsed().max(Duration::from_micros(1)),
        })
    }
}
