//! Coverage of programs with missing values behind prefixes: the measures of the paper's tables.
//!
//! Runs programs only through `codexec_unknown::prefix`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use codexec_data::sandbox::Pool;
use rayon::prelude::*;
use serde::Serialize;

use super::guide::SnippetRecord;
use codexec_unknown::analysis::ParseError;
use codexec_unknown::guide::GuideError;
use codexec_unknown::prefix::{
    Found, Generator, Needs, PrefixError, PrefixOptions, Step, find, values,
};

/// Coverage of prefixes at some point of the search, as means over programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Reach {
    /// Share of lines executed by at least one of the prefixes (the paper's P).
    pub cumulative: f64,
    /// Share of lines that the best of them executes (p_best).
    pub best: f64,
    /// Share of programs all of whose lines are executed by one of the prefixes.
    pub full: f64,
    /// Share of programs all of whose lines are executed by the best prefix.
    pub full_best: f64,
}

/// Scores of a set of programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrefixScores {
    /// Programs in the set; those that do not compile count as not executed.
    pub programs: usize,
    /// At the end.
    pub reach: Reach,
    /// After undefinedness guidance, error guidance and coverage guidance of the first round.
    pub steps: [Reach; 3],
    /// Prefixes in the smallest set, on average.
    pub set: f64,
    /// Prefixes that were tried, on average.
    pub tried: f64,
    /// Seconds for a program: mean and median.
    pub seconds: (f64, f64),
    /// How many prefixes of the smallest sets need each form, and how many of the best ones do.
    pub needs: Vec<(Needs, usize, usize)>,
    /// Lines of the median prefix of the smallest sets, and of the median best one.
    pub lines: (usize, usize),
    /// Distinct values of a program's smallest set, by kind, on average.
    pub values: BTreeMap<&'static str, f64>,
}

/// Looks for prefixes of every program, several at a time.
///
/// # Errors
/// If programs cannot be run, or the generator is unavailable.
pub fn search(
    pool: &Pool,
    snippets: &[SnippetRecord],
    generator: &dyn Generator,
    options: &PrefixOptions,
) -> Result<Vec<Option<Found>>, PrefixError> {
    let one = |snippet: &SnippetRecord| match find(pool, &snippet.program, generator, options) {
        Ok(found) if found.refused => Err(PrefixError::Refused {
            generator: generator.name(),
            why: found.unanswered.unwrap_or_default(),
        }),
        Ok(found) => Ok(Some(found)),
        Err(PrefixError::Guide(GuideError::Parse(ParseError::TooDeep))) => Ok(None),
        Err(error) => Err(error),
    };
    snippets.par_iter().map(one).collect()
}

/// Scores of the results.
pub fn score(found: &[Option<Found>]) -> PrefixScores {
    let count = found.len().max(1) as f64;
    let all: Vec<&Found> = found.iter().flatten().collect();
    let mean = |of: &dyn Fn(&Found) -> f64| all.iter().map(|f| of(f)).sum::<f64>() / count;
    let reach = |lines: &dyn Fn(&Found) -> (usize, usize)| {
        let share = |n: usize, f: &Found| n as f64 / f.coverage.lines.max(1) as f64;
        let full = |n: usize, f: &Found| f64::from(u8::from(n >= f.coverage.lines && n > 0));
        Reach {
            cumulative: mean(&|f| share(lines(f).0, f)),
            best: mean(&|f| share(lines(f).1, f)),
            full: mean(&|f| full(lines(f).0, f)),
            full_best: mean(&|f| full(lines(f).1, f)),
        }
    };
    let after = |step: Step| {
        reach(&|f: &Found| {
            let last = f
                .steps
                .iter()
                .rev()
                .find(|s| s.round <= 1 && s.step <= step);
            last.map_or((0, 0), |s| (s.cumulative, s.best))
        })
    };
    let mut times: Vec<Duration> = all.iter().map(|f| f.time).collect();
    times.sort_unstable();
    let median = times
        .get(times.len() / 2)
        .map_or(0.0, Duration::as_secs_f64);
    PrefixScores {
        programs: found.len(),
        reach: reach(&|f: &Found| {
            let best = f.best().map_or(0, |b| b.coverage.covered);
            (f.coverage.covered, best)
        }),
        steps: [
            after(Step::Undefinedness),
            after(Step::Error),
            after(Step::Coverage),
        ],
        set: mean(&|f| f.set.len() as f64),
        tried: mean(&|f| f.tried.len() as f64),
        seconds: (mean(&|f| f.time.as_secs_f64()), median),
        needs: needs(&all),
        lines: (
            median_lines(all.iter().flat_map(|f| prefixes(f))),
            median_lines(all.iter().filter_map(|f| prefixes(f).next())),
        ),
        values: values_by_kind(&all, count),
    }
}

/// The prefixes of the smallest set, best one first.
fn prefixes(found: &Found) -> impl Iterator<Item = &str> {
    let tried = found.set.iter().filter_map(|&k| found.tried.get(k));
    tried.map(|t| t.prefix.as_str())
}

fn needs(all: &[&Found]) -> Vec<(Needs, usize, usize)> {
    let of = |needs: Needs| {
        let every = all.iter().flat_map(|f| prefixes(f));
        let best = all.iter().filter_map(|f| prefixes(f).next());
        let is_it = |prefix: &&str| Needs::of(prefix) == needs;
        (
            needs,
            every.filter(is_it).count(),
            best.filter(is_it).count(),
        )
    };
    Needs::ALL.map(of).to_vec()
}

fn median_lines<'a>(prefixes: impl Iterator<Item = &'a str>) -> usize {
    let mut lines: Vec<usize> = prefixes.map(|p| p.lines().count()).collect();
    lines.sort_unstable();
    lines.get(lines.len() / 2).copied().unwrap_or(0)
}

fn values_by_kind(all: &[&Found], count: f64) -> BTreeMap<&'static str, f64> {
    let mut by_kind = BTreeMap::new();
    for found in all {
        let prefixes = found.set.iter().filter_map(|&k| found.tried.get(k));
        let distinct: BTreeSet<_> = prefixes.flat_map(|t| values(&t.prefix)).collect();
        for (kind, _) in distinct {
            *by_kind.entry(kind).or_insert(0.0) += 1.0 / count;
        }
    }
    by_kind
}
