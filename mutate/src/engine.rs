//! Simultaneous edits: draws the sites to edit, keeps edits apart, yields distinct mutants.
//!
//! It knows single operators only as rows, and does no IO.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::edit::{Change, Edit, sort, write};
use crate::find::{Found, Sites, find};
use crate::operator::Group;
use crate::parse::Parsed;
use crate::precedence::brackets;
use crate::{Draw, MutateError, Operator, REGISTRY};

/// Consecutive draws without a new mutant before the stream ends.
const TRIES: usize = 32;

/// Settings of the draws.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Probability with which each site is edited. A loop gets each of its three operators with half
    /// of it, at most a third: at 0.5, one of the three or none, with equal probability.
    pub probability: f64,
    /// Codes of the operators that take part.
    pub operators: Vec<String>,
}

impl Default for Config {
    /// The paper's: all operators, each site with probability 0.5.
    fn default() -> Self {
        Self {
            probability: 0.5,
            operators: REGISTRY.iter().map(|o| o.code.to_owned()).collect(),
        }
    }
}

/// A changed program and its changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The whole program.
    pub text: String,
    /// Which operators were applied where; enough to replay the mutant.
    pub edits: Vec<Edit>,
    /// The changes, ascending in bytes of the parent; all other bytes are the parent's.
    pub changes: Vec<Change>,
}

/// A place where an operator applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Code of the operator.
    pub operator: &'static str,
    /// Which of the operator's sites, counted from 0 in source order.
    pub site: usize,
    /// The bytes that it is about.
    pub range: std::ops::Range<usize>,
}

/// Makes mutants of programs.
#[derive(Debug, Clone, Default)]
pub struct Mutator {
    config: Config,
}

impl Mutator {
    /// A mutator with these settings.
    pub fn new(config: Config) -> Self {
        Self { config }
    }

    /// Distinct mutants of `source`, each different from it, in an order determined by `seed`. Ends
    /// when no new one is found in 32 draws. Mutants with constants that would take all of a program's
    /// time (`2 ** 10 ** 9`, `[0] * 10 ** 9`) are skipped, unless the program itself has some.
    ///
    /// # Errors
    /// If the program does not parse, or the settings name an unknown operator.
    pub fn mutants<'a>(&self, source: &'a str, seed: u64) -> Result<Mutants<'a>, MutateError> {
        let parent = Parent::new(source, &self.operators()?)?;
        Ok(Mutants {
            choices: choices(&parent.sites.found),
            parent,
            draw: Draw::new(seed),
            probability: self.config.probability,
            seen: HashSet::from([fingerprint(source)]),
        })
    }

    /// Everything that can be edited in `source`, operator by operator.
    ///
    /// # Errors
    /// As for [`Mutator::mutants`].
    pub fn candidates(&self, source: &str) -> Result<Vec<Candidate>, MutateError> {
        let operators = self.operators()?;
        let parent = Parent::new(source, &operators)?;
        let mut all: Vec<(usize, Candidate)> = Vec::new();
        for found in parent.sites.found {
            let row = operators.iter().position(|o| o.code == found.operator.code);
            let operator = found.operator.code;
            let candidate = Candidate {
                operator,
                site: found.index,
                range: found.site.range,
            };
            all.push((row.unwrap_or_default(), candidate));
        }
        all.sort_by_key(|(row, candidate)| (*row, candidate.site));
        Ok(all.into_iter().map(|(_, candidate)| candidate).collect())
    }

    /// Replays edits: of each its operator's code, its site and its seed. The settings do not matter.
    ///
    /// # Errors
    /// If the program does not parse, an operator or a site does not exist, an edit is declined,
    /// two exclude each other, or the result is not a different program.
    pub fn apply(&self, source: &str, edits: &[(&str, usize, u64)]) -> Result<Mutant, MutateError> {
        let all: Vec<&'static Operator> = REGISTRY.iter().collect();
        let mut parent = Parent::new(source, &all)?;
        let mut chosen = Vec::new();
        for (code, site, seed) in edits {
            let operator = operator(code)?.code;
            let own = |f: &Found| f.operator.code == operator;
            let at = parent
                .sites
                .found
                .iter()
                .position(|f| own(f) && f.index == *site);
            let sites = || parent.sites.found.iter().filter(|f| own(f)).count();
            let unknown = || MutateError::UnknownSite {
                operator,
                site: *site,
                sites: sites(),
            };
            chosen.push((at.ok_or_else(unknown)?, *seed));
        }
        chosen.sort_unstable();
        let kept = apart(&parent.sites.found, chosen.clone(), &mut Draw::new(0));
        let mutant = parent.make(&kept);
        let missing = chosen.iter().find(|c| {
            let found = &parent.sites.found[c.0];
            !mutant
                .edits
                .iter()
                .any(|e| (e.operator, e.site) == (found.operator.code, found.index))
        });
        let valid = mutant.text != source && parent.parsed.parses(&mutant.text, &mutant.changes);
        let at_fault = missing.or_else(|| chosen.first().filter(|_| !valid));
        match at_fault.map(|(at, _)| &parent.sites.found[*at]) {
            Some(f) => Err(MutateError::NotAMutant {
                operator: f.operator.code,
                site: f.index,
            }),
            None => Ok(mutant),
        }
    }

    fn operators(&self) -> Result<Vec<&'static Operator>, MutateError> {
        let mut rows: Vec<&Operator> = Vec::new();
        for code in &self.config.operators {
            rows.push(operator(code)?);
        }
        // in the order of the table, each once, however they were named
        Ok(REGISTRY
            .iter()
            .filter(|o| rows.iter().any(|row| row.code == o.code))
            .collect())
    }
}

fn operator(code: &str) -> Result<&'static Operator, MutateError> {
    let named = REGISTRY.iter().find(|o| o.code == code);
    named.ok_or_else(|| MutateError::UnknownOperator(code.to_owned()))
}

/// A program and its sites.
struct Parent<'a> {
    parsed: Parsed<'a>,
    sites: Sites,
}

impl<'a> Parent<'a> {
    fn new(source: &'a str, operators: &[&'static Operator]) -> Result<Self, MutateError> {
        let mut parsed = Parsed::new(source)?;
        let sites = find(&parsed.tree, source, operators);
        parsed.set_depth(sites.depth);
        Ok(Self { parsed, sites })
    }

    /// The program with these sites edited, each with its seed; declining ones are left out.
    fn make(&self, chosen: &[(usize, u64)]) -> Mutant {
        let (mut edits, mut changes, mut bindings) = (Vec::new(), Vec::new(), Vec::new());
        for (at, seed) in chosen {
            let Found {
                operator,
                index,
                site,
                bound,
            } = &self.sites.found[*at];
            let mut draw = Draw::new(*seed);
            let Some(rewrite) = (operator.edit)(site, self.parsed.source, &mut draw) else {
                continue;
            };
            changes.extend(rewrite.changes);
            bindings.extend(bound.zip(rewrite.binding));
            let (site, range) = (*index, site.range.clone());
            edits.push(Edit {
                operator: operator.code,
                site,
                seed: *seed,
                range,
            });
        }
        brackets(&self.sites.bounds, &bindings, &mut changes);
        sort(&mut changes);
        Mutant {
            text: write(self.parsed.source, &changes),
            edits,
            changes,
        }
    }
}

/// A random decision: one site, or mutually exclusive sites.
struct Choice {
    sites: Vec<usize>,
    group: Option<Group>,
}

fn choices(found: &[Found]) -> Vec<Choice> {
    let mut all: Vec<Choice> = Vec::new();
    let mut groups = std::collections::HashMap::new();
    for (at, f) in found.iter().enumerate() {
        let Some(key) = f.site.group else {
            all.push(Choice {
                sites: vec![at],
                group: None,
            });
            continue;
        };
        let place = *groups.entry(key).or_insert(all.len());
        if place == all.len() {
            all.push(Choice {
                sites: Vec::new(),
                group: Some(key.0),
            });
        }
        all[place].sites.push(at);
    }
    all
}

impl Choice {
    fn draw(&self, probability: f64, found: &[Found], draw: &mut Draw) -> Option<usize> {
        match self.group {
            Some(Group::Loop) => {
                let each = (probability / 2.0).min(1.0 / 3.0);
                let drawn = draw.unit() / each;
                // a form that the loop lacks, or that takes no part, is skipped
                let form = if drawn < 3.0 {
                    drawn as u8
                } else {
                    return None;
                };
                self.sites
                    .iter()
                    .copied()
                    .find(|at| found[*at].site.form == form)
            }
            _ if !draw.chance(probability) => None,
            _ => self
                .sites
                .get(draw.below(self.sites.len() as u32) as usize)
                .copied(),
        }
    }
}

/// Drops sites so that none is inside one that must be alone; `draw` decides which.
///
/// `chosen` is ascending, so outer sites come before inner ones.
fn apart(found: &[Found], chosen: Vec<(usize, u64)>, draw: &mut Draw) -> Vec<(usize, u64)> {
    let mut kept: Vec<(usize, u64)> = Vec::with_capacity(chosen.len());
    // the site that must be alone, its position in `kept`, and whether it has already won
    let mut alone: Option<(usize, usize, bool)> = None;
    for (at, seed) in chosen {
        let site = &found[at].site;
        if kept
            .last()
            .is_some_and(|k| k.0 == at || excludes(&found[k.0].site, site))
        {
            continue;
        }
        if let Some((outer, place, won)) = &mut alone
            && site.range.start < found[*outer].site.range.end
        {
            if *won || draw.chance(0.5) {
                *won = true;
                continue;
            }
            kept.remove(*place);
            alone = None;
        }
        if site.alone {
            alone = Some((at, kept.len(), false));
        }
        kept.push((at, seed));
    }
    kept
}

fn excludes(one: &crate::Site, other: &crate::Site) -> bool {
    one.group.is_some() && one.group == other.group
}

/// The mutants of one program; see [`Mutator::mutants`].
pub struct Mutants<'a> {
    parent: Parent<'a>,
    choices: Vec<Choice>,
    draw: Draw,
    probability: f64,
    seen: HashSet<u64>,
}

impl Mutants<'_> {
    fn attempt(&mut self) -> Option<Mutant> {
        let found = &self.parent.sites.found;
        let mut chosen = Vec::with_capacity(self.choices.len());
        for choice in &self.choices {
            if let Some(at) = choice.draw(self.probability, found, &mut self.draw) {
                // short enough for every JSON reader
                chosen.push((at, self.draw.bits() >> 32));
            }
        }
        chosen.sort_unstable();
        let chosen = apart(found, chosen, &mut self.draw);
        let mutant = self.parent.make(&chosen);
        let new = self.seen.insert(fingerprint(&mutant.text));
        (new && self
            .parent
            .parsed
            .is_worth_running(&mutant.text, &mutant.changes))
        .then_some(mutant)
    }
}

impl Iterator for Mutants<'_> {
    type Item = Mutant;

    fn next(&mut self) -> Option<Mutant> {
        if self.choices.is_empty() {
            return None;
        }
        (0..TRIES).find_map(|_| self.attempt())
    }
}

/// Key of a text among those seen; a collision costs a mutant, with odds of 2⁻⁶⁴.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
