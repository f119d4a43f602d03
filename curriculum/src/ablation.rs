//! Variants of a run, by name, for comparison: they show which part of the recipe a result comes from.
//! Each is a change of settings; the trainer does not know them.

use std::collections::BTreeMap;

use toml::Value;

use crate::config::{Budget, RunConfig, StageConfig};

/// A variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ablation {
    /// Curriculum with each stage on its own data alone, without that of earlier stages.
    Cel,
    /// No curriculum: the data of all stages at once.
    NoCurriculum,
    /// States written out after every step, not as changes.
    FullStates,
    /// The digits of a number as one word.
    JoinedDigits,
    /// Without the data set `steps`, the single steps of real traces.
    NoSteps,
}

/// The data set that [`Ablation::NoSteps`] leaves out.
const STEPS: &str = "steps";

impl Ablation {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Cel,
        Self::NoCurriculum,
        Self::FullStates,
        Self::JoinedDigits,
        Self::NoSteps,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cel => "cel",
            Self::NoCurriculum => "no-curriculum",
            Self::FullStates => "full-states",
            Self::JoinedDigits => "joined-digits",
            Self::NoSteps => "no-steps",
        }
    }

    /// The variant of a run.
    ///
    /// # Errors
    /// Why this run has none.
    pub fn of(self, config: &RunConfig) -> Result<RunConfig, &'static str> {
        let mut config = config.clone();
        match self {
            Self::Cel => own_data(&mut config)?,
            Self::NoCurriculum => config.stages = vec![all_at_once(&config.stages)?],
            Self::FullStates => model(&mut config, "states", "full"),
            Self::JoinedDigits => model(&mut config, "digits", "joined"),
            Self::NoSteps => without_steps(&mut config)?,
        }
        Ok(config)
    }
}

fn model(config: &mut RunConfig, key: &str, value: &str) {
    let value = Value::String(value.to_owned());
    config.model.insert(key.to_owned(), value);
}

fn own_data(config: &mut RunConfig) -> Result<(), &'static str> {
    let mut seen: Vec<String> = Vec::new();
    for stage in &mut config.stages {
        stage.mix.retain(|name, _| !seen.contains(name));
        stage.hardest.retain(|name, _| !seen.contains(name));
        seen.extend(stage.mix.keys().cloned());
    }
    match config.stages.iter().any(|stage| stage.mix.is_empty()) {
        true => Err("a stage has no data set that earlier ones have not"),
        false => Ok(()),
    }
}

fn without_steps(config: &mut RunConfig) -> Result<(), &'static str> {
    let has = |stage: &StageConfig| stage.mix.contains_key(STEPS);
    if !config.stages.iter().any(has) {
        return Err("no stage has a data set `steps`");
    }
    for stage in &mut config.stages {
        stage.mix.remove(STEPS);
        stage.hardest.remove(STEPS);
    }
    match config.stages.iter().any(|stage| stage.mix.is_empty()) {
        true => Err("a stage has nothing but `steps`"),
        false => Ok(()),
    }
}

/// One stage with the sets of all, each as frequent as in the last stage that has it, and the
/// budgets added up; everything else comes from the last stage.
fn all_at_once(stages: &[StageConfig]) -> Result<StageConfig, &'static str> {
    let last = stages.last().ok_or("there is no stage")?;
    let mut mix = BTreeMap::new();
    for stage in stages {
        mix.extend(stage.mix.clone());
    }
    let mut one = StageConfig {
        name: "all".to_owned(),
        mix,
        hardest: BTreeMap::new(),
        warmup_steps: stages.iter().map(|s| s.warmup_steps).max().unwrap_or(0),
        ..last.clone()
    };
    one.set_budget(total(stages)?);
    Ok(one)
}

/// The budgets of stages added up.
fn total(stages: &[StageConfig]) -> Result<Budget, &'static str> {
    let mut budgets = stages.iter().filter_map(StageConfig::budget);
    let first = budgets.next().ok_or("there is no stage")?;
    budgets.try_fold(first, |sum, budget| {
        Ok(match (sum, budget) {
            (Budget::Steps(a), Budget::Steps(b)) => Budget::Steps(a + b),
            (Budget::Tokens(a), Budget::Tokens(b)) => Budget::Tokens(a + b),
            (Budget::Minutes(a), Budget::Minutes(b)) => Budget::Minutes(a + b),
            (Budget::Epochs(a), Budget::Epochs(b)) => Budget::Epochs(a + b),
            _ => return Err("its stages have budgets of different kinds"),
        })
    })
}

impl RunConfig {
    /// The run with this budget in all, shared between the stages as their own budgets are.
    ///
    /// # Errors
    /// If those are of different kinds.
    pub fn with_budget(&self, budget: Budget) -> Result<Self, &'static str> {
        let whole = amount(total(&self.stages)?);
        let mut config = self.clone();
        for stage in &mut config.stages {
            let share = stage.budget().map_or(0.0, amount) / whole;
            stage.set_budget(match budget {
                Budget::Steps(n) => Budget::Steps(((n as f64 * share).round() as u64).max(1)),
                Budget::Tokens(n) => Budget::Tokens(((n as f64 * share).round() as u64).max(1)),
                Budget::Minutes(x) => Budget::Minutes(x * share),
                Budget::Epochs(x) => Budget::Epochs(x * share),
            });
        }
        Ok(config)
    }
}

fn amount(budget: Budget) -> f64 {
    match budget {
        Budget::Steps(n) | Budget::Tokens(n) => n as f64,
        Budget::Minutes(x) | Budget::Epochs(x) => x,
    }
}

impl StageConfig {
    /// Replaces the budget of a stage.
    fn set_budget(&mut self, budget: Budget) {
        (self.steps, self.tokens, self.minutes, self.epochs) = (None, None, None, None);
        match budget {
            Budget::Steps(n) => self.steps = Some(n),
            Budget::Tokens(n) => self.tokens = Some(n),
            Budget::Minutes(x) => self.minutes = Some(x),
            Budget::Epochs(x) => self.epochs = Some(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The stage files that have the paper's three stages.
    fn files() -> [RunConfig; 2] {
        ["curriculum.toml", "curriculum-small.toml"].map(|name| {
            let stages = Path::new(env!("CARGO_MANIFEST_DIR")).join("stages");
            RunConfig::from_file(&stages.join(name)).unwrap()
        })
    }

    fn mixes(config: &RunConfig) -> Vec<Vec<&str>> {
        let stages = config.stages.iter();
        stages
            .map(|stage| stage.mix.keys().map(String::as_str).collect())
            .collect()
    }

    #[test]
    fn the_stages_are_the_papers() {
        for config in files() {
            let expected = [
                vec!["singleline"],
                vec!["singleline", "tutorial"],
                vec!["codenetmut", "singleline", "steps", "tutorial"],
            ];
            assert_eq!(mixes(&config), expected);
            let hardest = |stage: &StageConfig| stage.hardest.get("singleline").map(|h| h.share);
            let hardest: Vec<_> = config.stages.iter().map(hardest).collect();
            assert_eq!(hardest[0], None);
            for share in &hardest[1..] {
                assert!(share.is_some_and(|share| (share - 1.0 / 3.0).abs() < 0.01));
            }
        }
    }

    #[test]
    fn every_variant_is_what_it_says() {
        for config in files() {
            let of = |ablation: Ablation| ablation.of(&config).unwrap();
            let cel = [
                vec!["singleline"],
                vec!["tutorial"],
                vec!["codenetmut", "steps"],
            ];
            assert_eq!(mixes(&of(Ablation::Cel)), cel);
            assert!(
                of(Ablation::Cel)
                    .stages
                    .iter()
                    .all(|s| s.hardest.is_empty())
            );
            let one = of(Ablation::NoCurriculum);
            let all = [vec!["codenetmut", "singleline", "steps", "tutorial"]];
            assert_eq!(mixes(&one), all);
            let budgets: u64 = config.stages.iter().filter_map(|s| s.tokens).sum();
            assert_eq!(one.stages[0].tokens, Some(budgets));
            assert!(one.stages[0].hardest.is_empty());
            let steps = of(Ablation::NoSteps);
            assert!(!mixes(&steps).concat().contains(&"steps"));
            let get = |ablation, key: &str| of(ablation).model[key].as_str().map(str::to_owned);
            assert_eq!(get(Ablation::FullStates, "states").as_deref(), Some("full"));
            assert_eq!(
                get(Ablation::JoinedDigits, "digits").as_deref(),
                Some("joined")
            );
        }
    }

    #[test]
    fn a_budget_is_shared_as_the_files_is() {
        for config in files() {
            let scaled = config.with_budget(Budget::Minutes(10.0)).unwrap();
            let minutes: Vec<f64> = scaled.stages.iter().filter_map(|s| s.minutes).collect();
            assert_eq!(minutes.len(), 3);
            assert!((minutes.iter().sum::<f64>() - 10.0).abs() < 1e-9);
            let tokens: Vec<f64> = config
                .stages
                .iter()
                .filter_map(|s| s.tokens)
                .map(|n| n as f64)
                .collect();
            assert!((minutes[2] / minutes[0] - tokens[2] / tokens[0]).abs() < 1e-9);
        }
    }
}
