//! How much planned execution computes itself: options of every subcommand that plans.

use clap::ValueEnum;
use codexec_plan::machine::FoldLevel;

/// What is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Nothing: the network is asked everything
    None,
    /// Operators, comparisons, subscripts, formats, and functions that are loops of them, as len and sorted
    Operators,
    /// Methods of builtin values, too, as split and append
    Methods,
}

impl From<Level> for FoldLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::None => Self::Nothing,
            Level::Operators => Self::Operators,
            Level::Methods => Self::Methods,
        }
    }
}

/// What a planner folds.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct FoldArgs {
    /// What the planner computes itself where all values are known; the network is asked the rest.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Methods)]
    fold: Level,
    /// The same as --fold none.
    #[arg(long, conflicts_with = "fold")]
    no_fold: bool,
}

impl FoldArgs {
    /// The level.
    pub(super) fn level(&self) -> FoldLevel {
        if self.no_fold {
            FoldLevel::Nothing
        } else {
            self.fold.into()
        }
    }

    /// The option that was given, if it is not the usual level.
    pub(super) fn given(&self) -> Option<&'static str> {
        match self.level() {
            FoldLevel::Methods => None,
            _ if self.no_fold => Some("--no-fold"),
            _ => Some("--fold"),
        }
    }
}

/// Levels as engines of their own, beside the usual one.
const LEVELS: [(&str, FoldLevel); 2] = [
    ("no-fold", FoldLevel::Nothing),
    ("fold-operators", FoldLevel::Operators),
];

/// Names of levels as engines.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LEVELS.iter().map(|(name, _)| *name)
}

/// The level that an engine of this name stands for.
pub(super) fn level_of(name: &str) -> Option<FoldLevel> {
    LEVELS
        .iter()
        .find(|(level, _)| *level == name)
        .map(|(_, level)| *level)
}
