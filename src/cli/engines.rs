//! The options that choose an engine and what it works with, and what of them an engine would not obey.
//! The engines are those of the library's table.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use codexec_data::sandbox::Limits;

use super::sandbox::{PackageArgs, SandboxArgs};
use super::usage;
use crate::decode::Rule;
use crate::engine::{ENGINES, Need, Row, Settings, named};

/// How beam search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Search {
    /// As published: until as many hypotheses have ended as the beam is wide.
    Published,
    /// Among tokens at least half as likely as the likeliest, until no hypothesis that goes on can
    /// become better than the best that ended.
    Best,
}

impl From<Search> for Rule {
    fn from(search: Search) -> Self {
        match search {
            Search::Published => Self::Published,
            Search::Best => Self::Best,
        }
    }
}

/// Options of every subcommand that asks an engine.
#[derive(Debug, clap::Args)]
pub(super) struct EngineArgs {
    /// Which engine writes the traces.
    #[arg(long, value_name = "ENGINE", value_parser = rows(), default_value = ENGINES[0].name)]
    pub engine: &'static Row,
    /// How beam search goes: without it `best` for our own checkpoints, and `published` for those that
    /// write the paper's form.
    #[arg(long, value_enum, value_name = "HOW")]
    pub search: Option<Search>,
    /// Checkpoint directory, or a name on the Hugging Face hub; the embedded one without it.
    #[arg(long, value_name = "DIR|NAME")]
    pub model: Option<String>,
    /// Round the weights to 8 bits: a quarter of the memory, and faster with large checkpoints.
    #[arg(long)]
    pub quantised: bool,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub packages: PackageArgs,
}

/// The engines by their names.
fn rows() -> impl TypedValueParser<Value = &'static Row> {
    let values = ENGINES
        .iter()
        .map(|row| PossibleValue::new(row.name).help(row.about));
    PossibleValuesParser::new(values)
        .try_map(|name| named(&name).ok_or_else(|| format!("no engine is called {name}")))
}

impl EngineArgs {
    /// Settings of the engine; `workers` run programs at once, 0 for one per core.
    pub fn settings(&self, workers: usize, limits: Limits, installed: bool) -> Settings {
        let packages = self.packages.packages(installed);
        Settings {
            model: self.model.clone(),
            quantised: self.quantised,
            rule: self.search.map(Rule::from),
            sandbox: self.sandbox.config(workers, limits, packages),
            ..Settings::default()
        }
    }

    /// Refuses options that the engine would not obey: these, and `more` of the subcommand's own, each
    /// with whether it was given. `compares`: programs are run besides.
    pub fn check_usage(
        &self,
        more: &[(&'static str, Need, bool)],
        compares: bool,
    ) -> anyhow::Result<()> {
        let own = [
            ("--model", Need::Network, self.model.is_some()),
            ("--quantised", Need::Network, self.quantised),
            ("--search", Need::Network, self.search.is_some()),
        ];
        let sandbox = self.sandbox.given().or(self.packages.given());
        let sandbox = sandbox.map(|option| (option, Need::Sandbox, true));
        let all = own.iter().chain(more).copied().chain(sandbox);
        let unused = |need| !(self.engine.has(need) || compares && need == Need::Sandbox);
        for (option, need, _) in all.filter(|(_, _, given)| *given) {
            if unused(need) {
                let fitting: Vec<&str> = ENGINES
                    .iter()
                    .filter(|row| row.has(need))
                    .map(|row| row.name)
                    .collect();
                return Err(usage(&format!(
                    "{option} does nothing with --engine {}; it is for --engine {}",
                    self.engine.name,
                    fitting.join(" or ")
                )));
            }
        }
        Ok(())
    }
}
