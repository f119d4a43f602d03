//! How much planned execution computes itself: options shared by subcommands that plan.

use clap::ValueEnum;
use codexec_plan::machine::FoldLevel;

/// Folding levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Nothing: ask the network everything
    None,
    /// Operators, comparisons, subscripts, formats, and functions that loop over them, such as len
    /// and sorted
    Operators,
    /// Also methods of built-in values, such as split and append
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
    /// What the planner computes itself if all values are known; the network answers the rest.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Methods)]
    fold: Level,
    /// Same as --fold none.
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

    /// The option as given, unless it is the default level.
    pub(super) fn given(&self) -> Option<&'static str> {
        match self.level() {
            FoldLevel::Methods => None,
            _ if self.no_fold => Some("--no-fold"),
            _ => Some("--fold"),
        }
    }
}

/// Folding levels as engines of their own, for comparison with the default.
const LEVELS: [(&str, FoldLevel); 2] = [
    ("no-fold", FoldLevel::Nothing),
    ("fold-operators", FoldLevel::Operators),
];

/// Level names as engines.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LEVELS.iter().map(|(name, _)| *name)
}

/// The level of the engine with this name.
pub(super) fn level_of(name: &str) -> Option<FoldLevel> {
    LEVELS
        .iter()
        .find(|(level, _)| *level == name)
        .map(|(_, level)| *level)
}
