//! Options that select and configure an engine, and checks for options that the engine would
//! ignore. The engines come from the library's table.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use codexec_data::sandbox::Limits;
use codexec_plan::machine::FoldLevel;

use super::folding::{self, FoldArgs};
use super::llm::ServerArgs;
use super::sandbox::{PackageArgs, SandboxArgs};
use super::usage;
use crate::decode::Rule;
use crate::engine::{ENGINES, Need, PREDICT, Row, Settings, named, plan, project, whole};

/// Beam search variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Search {
    /// As published: stop once the number of finished hypotheses equals the beam width.
    Published,
    /// Consider only tokens at least half as likely as the best one. Stop once no open hypothesis
    /// can beat the best finished one.
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

/// Options shared by subcommands that query an engine.
#[derive(Debug, clap::Args)]
pub(super) struct EngineArgs {
    /// The engine that produces traces.
    #[arg(long, value_name = "ENGINE", value_parser = rows(), default_value = ENGINES[0].name)]
    engine: &'static Row,
    /// Same as --engine whole: the network writes the whole trace by beam search, as published
    /// checkpoints do.
    #[arg(long, conflicts_with = "engine")]
    whole: bool,
    #[command(flatten)]
    pub folding: FoldArgs,
    /// Make up missing values: unbound names, files, input (default: `trace` alone makes up values,
    /// for modules that cannot be found and calls that are not computed).
    #[arg(long)]
    pub inject: bool,
    /// Stop when the probability of the trace falls below this.
    #[arg(long, value_name = "P", value_parser = probability)]
    pub min_confidence: Option<f64>,
    /// Beam search variant (default: `best` for our own checkpoints, `published` for those in the
    /// paper's format).
    #[arg(long, value_enum, value_name = "HOW")]
    pub search: Option<Search>,
    /// Checkpoint directory, or a name on the Hugging Face hub (default: the embedded checkpoint).
    /// With --endpoint or --engine orca, the model name to request from the server.
    #[arg(long, value_name = "DIR|NAME")]
    pub model: Option<String>,
    /// Quantise the weights to 8 bits: a quarter of the memory, and faster for large checkpoints.
    #[arg(long)]
    pub quantised: bool,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub packages: PackageArgs,
    #[command(flatten)]
    server: ServerArgs,
}

/// Formats names as a choice: `plan, whole or orca`.
fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., before, last] => {
            let last = format!("{before} or {last}");
            let all = others.iter().copied().chain([last.as_str()]);
            all.collect::<Vec<_>>().join(", ")
        }
        names => names.concat(),
    }
}

fn probability(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or("a number from 0 to 1 is needed")
}

/// Engine names.
fn rows() -> impl TypedValueParser<Value = &'static Row> {
    let values = ENGINES
        .iter()
        .map(|row| PossibleValue::new(row.name).help(row.about))
        .chain([PossibleValue::new(PREDICT).hide(true)]);
    PossibleValuesParser::new(values)
        .try_map(|name| named(&name).ok_or_else(|| format!("no engine is called {name}")))
}

/// An engine whose row is shown for comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub row: &'static Row,
    /// What a planner folds.
    pub fold: FoldLevel,
}

/// Engine names and the planner's folding levels.
pub(super) fn beside() -> impl TypedValueParser<Value = Beside> {
    let values = ENGINES.iter().map(|row| PossibleValue::new(row.name));
    let values = values.chain(folding::names().map(PossibleValue::new));
    PossibleValuesParser::new(values).try_map(|name| {
        let level = folding::level_of(&name);
        let row = match level {
            Some(_) => Some(&plan::ROW),
            None => named(&name),
        };
        let row = row.ok_or_else(|| format!("no engine is called {name}"))?;
        let fold = level.unwrap_or_default();
        Ok::<_, String>(Beside { row, fold })
    })
}

impl EngineArgs {
    /// The engine.
    pub(super) fn row(&self) -> &'static Row {
        if self.whole { &whole::ROW } else { self.engine }
    }

    /// Whether the engine queries a language model on a server, not a checkpoint.
    pub(super) fn asks_server(&self) -> bool {
        let row = self.row();
        row.has(Need::Server) && (self.server.endpoint.is_some() || !row.has(Need::Network))
    }

    /// Settings of the engine. `workers` is the number of programs run in parallel, 0 for one per
    /// core.
    pub(super) fn settings(
        &self,
        workers: usize,
        limits: Limits,
        installed: bool,
    ) -> anyhow::Result<Settings> {
        let python = self.sandbox.python.as_deref();
        let packages = self.packages.packages(python, installed)?;
        let followed = match self.row().has(Need::Plan) {
            true => self.packages.followed(python, &packages)?,
            false => project::Packages::default(),
        };
        let server = match &self.model {
            Some(model) if self.asks_server() => Some(self.server.server(model, 0, true)?),
            _ => None,
        };
        Ok(Settings {
            server,
            answers: self.server.answers.clone(),
            model: self.model.clone(),
            quantised: self.quantised,
            rule: self.search.map(Rule::from),
            fold: self.folding.level(),
            inject: self.inject,
            min_confidence: self.min_confidence.unwrap_or(0.0),
            packages: followed,
            sandbox: self.sandbox.config(workers, limits, packages),
            ..Settings::default()
        })
    }

    /// Rejects options that the engine would ignore: its own, and `more` of the subcommand's, each
    /// with whether it was given. `compares`: programs are also run.
    pub(super) fn check_usage(
        &self,
        more: &[(&'static str, Need, bool)],
        compares: bool,
    ) -> anyhow::Result<()> {
        let own = [
            ("--model", Need::Model, self.model.is_some()),
            ("--quantised", Need::Network, self.quantised),
            ("--search", Need::Search, self.search.is_some()),
            (
                self.folding.given().unwrap_or("--fold"),
                Need::Plan,
                self.folding.given().is_some(),
            ),
            ("--inject", Need::Plan, self.inject),
            (
                "--min-confidence",
                Need::Plan,
                self.min_confidence.is_some(),
            ),
            ("--endpoint", Need::Server, self.server.endpoint.is_some()),
            ("--answers", Need::Answers, self.server.answers.is_some()),
        ];
        let requests = self.server.of_requests();
        let requests = requests.map(|(option, given)| (option, Need::Server, given));
        // A planner queries an interpreter for its packages.
        let need = |option| match option {
            "--python" if self.packages.takes_packages() => Need::Modules,
            _ => Need::Sandbox,
        };
        let sandbox = self.sandbox.given();
        let sandbox = sandbox.map(|option| (option, need(option), true));
        let modules = self.packages.given();
        let modules = modules.map(|option| (option, Need::Modules, true));
        let all = own
            .iter()
            .chain(&requests)
            .chain(more)
            .copied()
            .chain(sandbox)
            .chain(modules);
        let runs = [Need::Sandbox, Need::Modules];
        let unused = |need| !(self.row().has(need) || compares && runs.contains(&need));
        for (option, need, _) in all.filter(|(_, _, given)| *given) {
            if unused(need) {
                let fitting: Vec<&str> = ENGINES
                    .iter()
                    .filter(|row| row.has(need))
                    .map(|row| row.name)
                    .collect();
                return Err(usage(&format!(
                    "{option} does nothing with --engine {}; it is for --engine {}",
                    self.row().name,
                    listed(&fitting)
                )));
            }
        }
        let worlds = more
            .iter()
            .any(|(_, need, given)| *given && *need == Need::Beam);
        if worlds && (self.asks_server() || self.server.answers.is_some()) {
            return Err(usage(
                "--beam needs several answers to a question, and --endpoint and --answers give one; leave out --beam",
            ));
        }
        self.check_server()
    }

    /// Whether a planner computes everything it can and queries neither a network nor a server for
    /// the rest.
    pub(super) fn asks_nobody(&self) -> bool {
        self.row().has(Need::Plan) && self.folding.level().methods() && !self.asks_server()
    }

    /// Whether the engine tracks object identity.
    pub(super) fn knows_objects(&self) -> bool {
        self.row().has(Need::Plan) || self.row().executes
    }

    /// Whether steps are cheap: computed or executed.
    pub(super) fn is_cheap(&self) -> bool {
        self.asks_nobody() || self.row().by == codexec_data::trace::Engine::Run
    }

    /// Warns about network options if a planner never queries the network. `beam`: whether one was
    /// given.
    pub(super) fn warn_of_unasked(&self, beam: bool) {
        if !self.asks_nobody() {
            return;
        }
        let options = [
            ("--model", self.model.is_some()),
            ("--quantised", self.quantised),
            ("--answers", self.server.answers.is_some()),
            ("--beam", beam),
        ];
        let given = options.iter().filter(|(_, given)| *given);
        let given: Vec<&str> = given.map(|(option, _)| *option).collect();
        if let [option, rest @ ..] = given.as_slice() {
            let others: String = rest.iter().map(|other| format!(", {other}")).collect();
            super::warn(&format!(
                "no network is asked at --fold methods, so this changes nothing: {option}{others}; add --fold operators or --no-fold"
            ));
        }
    }

    /// Rejects options that do not fit what is queried: a checkpoint or a server.
    fn check_server(&self) -> anyhow::Result<()> {
        let requests = self.server.of_requests();
        Err(usage(&if !self.asks_server() {
            match requests.iter().find(|(_, given)| *given) {
                Some((option, _)) => format!("{option} is for --endpoint"),
                None => return Ok(()),
            }
        } else if self.model.is_none() && self.row().has(Need::Network) {
            "--endpoint needs a --model, the name of the model that is asked there".to_owned()
        } else if self.model.is_none() {
            format!(
                "--engine {} needs a --model, and an --endpoint unless it is OpenAI's",
                self.row().name
            )
        } else if self.quantised {
            "--quantised does nothing with --endpoint; it rounds the weights of a checkpoint"
                .to_owned()
        } else {
            return Ok(());
        }))
    }
}
