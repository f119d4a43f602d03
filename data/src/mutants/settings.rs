//! The settings of a build, and this machine's part of it.
//!
//! Two builds whose [`Settings`], [`Versions`] and corpus agree give the same records. So
//! everything here is in the manifest, and nothing else (the number of workers is not).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::records::Kind;

/// Which runs become records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Runs that finish.
    #[default]
    Ok,
    /// Also runs that end in an exception.
    Raised,
    /// Also runs that hit a limit.
    All,
}

/// How programs are traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TracedBy {
    /// The sandbox executes them.
    #[default]
    #[serde(rename = "run")]
    Run,
    /// They are walked in this process; what cannot be is dropped.
    #[serde(rename = "plan")]
    Plan,
    /// The same, but what cannot be walked is executed.
    #[serde(rename = "plan,run")]
    PlanOrRun,
}

impl TracedBy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Run, Self::Plan, Self::PlanOrRun];

    /// Its name on the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Plan => "plan",
            Self::PlanOrRun => "plan,run",
        }
    }

    /// Whether programs are walked.
    pub fn plans(self) -> bool {
        self != Self::Run
    }

    // As serde asks.
    fn is_run(&self) -> bool {
        *self == Self::Run
    }
}

/// Settings that identify a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Maximum mutants of a program.
    pub per_program: usize,
    /// Codes of the operators, in the order of the registry.
    pub operators: Vec<String>,
    /// Probability with which a site is edited.
    pub probability: f64,
    /// Seed of every draw.
    pub seed: u64,
    /// Which runs become records.
    pub keep: Keep,
    /// False: mutants are written without being run.
    pub run: bool,
    /// How programs are traced.
    #[serde(default, skip_serializing_if = "TracedBy::is_run")]
    pub engine: TracedBy,
    /// Share of the planned records that are compared with a run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub verify: f64,
    /// CPU time of a run, milliseconds; for a plan it determines the number of instructions.
    pub timeout_ms: u64,
    /// Steps of a run.
    pub max_steps: u32,
    /// Most sample inputs of a program; its mutants take them in turn.
    pub inputs: usize,
    /// Inline the reads of programs before they are mutated, as far as that is sound.
    pub inline_input: bool,
    /// The task the records belong to.
    pub kind: Kind,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            per_program: 20,
            operators: codexec_mutate::REGISTRY
                .iter()
                .map(|o| o.code.to_owned())
                .collect(),
            probability: 0.5,
            seed: 0,
            keep: Keep::Ok,
            run: true,
            engine: TracedBy::Run,
            verify: 0.0,
            timeout_ms: 250,
            max_steps: 1024,
            inputs: 2,
            inline_input: false,
            kind: Kind::CodeNet,
        }
    }
}

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

/// Approximate number of mutants per batch: a batch is what is redone after a kill.
const BATCH_MUTANTS: usize = 1280;

/// Maximum programs in a batch.
const BATCH_PROGRAMS: usize = 64;

impl Settings {
    /// Whether anything is executed.
    pub fn executes(&self) -> bool {
        self.run && (self.engine != TracedBy::Plan || self.verify > 0.0)
    }

    /// Programs in a batch; each batch is a shard file.
    pub fn batch(&self) -> usize {
        (BATCH_MUTANTS / self.per_program.max(1)).clamp(1, BATCH_PROGRAMS)
    }
}

/// One machine's part of a corpus: `2/8` is the second of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// Counted from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Number of parts.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether a problem, named by its stable hash, belongs to this part.
    pub fn has(self, problem: u64) -> bool {
        problem % u64::from(self.count) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
            (plain(index) && plain(count)).then_some((index.parse().ok()?, count.parse().ok()?))
        });
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err("write I/N with I from 1 to N, as 2/8 for the second of eight".to_owned()),
        }
    }
}

/// Influences on the records besides settings and corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// This program.
    pub codexec: String,
    /// The interpreter, as `3.11.7`. `None` if nothing is run, nor compared with a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub python: Option<String>,
    /// The grammar that sites are found with.
    pub tree_sitter_python: String,
}

impl Versions {
    /// The current ones; `python` is the interpreter's.
    pub fn of(python: Option<String>) -> Self {
        Self {
            codexec: env!("CARGO_PKG_VERSION").to_owned(),
            python,
            tree_sitter_python: codexec_mutate::grammar_version(),
        }
    }
}

/// Which programs a build is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corpus {
    /// Programs in it, including those of other machines' shards.
    pub programs: u64,
    /// SHA-256 of the programs with their inputs, in order.
    pub sha256: String,
}

/// Everything that determines the results of a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// Versions in force.
    pub versions: Versions,
    /// Settings.
    pub settings: Settings,
    /// The corpus.
    pub corpus: Corpus,
    /// Which part of it.
    pub shard: Shard,
}

impl Identity {
    /// The differences, as `seed (1, not 0)`, this one's value first.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let (ours, theirs) = (flat(self), flat(other));
        let of = |all: &[(String, String)], name: &str| {
            let found = all.iter().find(|(n, _)| n == name);
            found.map_or("none".to_owned(), |(_, value)| value.clone())
        };
        let mut names: Vec<&String> = ours.iter().chain(&theirs).map(|(n, _)| n).collect();
        names.sort();
        names.dedup();
        names
            .into_iter()
            .map(|name| (name, of(&ours, name), of(&theirs, name)))
            .filter(|(_, here, there)| here != there)
            .map(|(name, here, there)| format!("{name} ({here}, not {there})"))
            .collect()
    }
}

/// Leaves of the JSON form with their names.
fn flat(identity: &Identity) -> Vec<(String, String)> {
    let mut leaves = Vec::new();
    let value = serde_json::to_value(identity).unwrap_or_default();
    for (group, inner) in value.as_object().into_iter().flatten() {
        match inner.as_object() {
            Some(fields) => leaves.extend(fields.iter().map(|(name, value)| {
                let name = match group.as_str() {
                    "settings" => name.clone(),
                    "corpus" => format!("corpus {name}"),
                    _ => format!("version of {name}"),
                };
                (name, value.to_string())
            })),
            None => leaves.push((group.clone(), inner.to_string())),
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_read_and_written_or_refused() {
        let shard: Shard = "2/8".parse().unwrap();
        assert_eq!((shard.index(), shard.count()), (2, 8));
        assert_eq!(shard.to_string(), "2/8");
        for wrong in [
            "0/4", "5/4", "1", "1/", "/1", "a/b", "1/0", "+1/2", "1/2/3", "-1/2",
        ] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_divide_every_problem_among_them() {
        for problem in 0..100 {
            let owners = (1..=7).filter(|index| {
                let shard = Shard {
                    index: *index,
                    count: 7,
                };
                shard.has(problem)
            });
            assert_eq!(owners.count(), 1);
        }
    }

    #[test]
    fn differences_name_the_setting_and_both_values() {
        let one = Identity {
            versions: Versions::of(None),
            settings: Settings::default(),
            corpus: Corpus {
                programs: 3,
                sha256: "ab".into(),
            },
            shard: Shard::default(),
        };
        let mut other = one.clone();
        assert!(one.differences(&other).is_empty());
        other.settings.seed = 7;
        other.corpus.programs = 4;
        other.versions.python = Some("3.11.7".into());
        other.shard = "1/2".parse().unwrap();
        let said = one.differences(&other).join("; ");
        let want = "corpus programs (3, not 4); seed (0, not 7); shard (\"1/1\", not \"1/2\"); \
                    version of python (none, not \"3.11.7\")";
        assert_eq!(said, want);
    }
}
