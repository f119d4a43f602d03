//! Data sets generated during a run: their source, their tracer, and what they must not contain.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use codexec_curriculum::{OnlineSets, RunConfig};
use codexec_data::examples::single_line::Statements;
use codexec_data::examples::tracer::{Tracer, Walking};
use codexec_data::generated::{Functions, Idioms, Written, skeleton_hash};
use codexec_data::planner::PlanLimits;
use codexec_data::records::{Kind, read_records};
use codexec_data::sandbox::Limits;
use codexec_data::sources::{CorpusProgram, read_templates};
use codexec_data::tokenizer::Vocabulary;

use super::super::data::{corpus, operators};
use super::super::note;
use super::super::traced_by::planner;
use super::Args;
use super::sets::cores;
use crate::training::{
    ExampleGenerator, History, Material, ModelSettings, Online, OnlineSettings, source_hash,
};

/// The subdirectory of a run that records generated examples.
const GIVEN: &str = "online";

/// The run time that a plan's limits correspond to, as for mutants: anything longer seldom fits a
/// window.
const PLANNED: Duration = Duration::from_millis(250);

/// The source of a set, as given on the command line.
enum Named<'p> {
    Programs(&'p Path, Kind),
    Statements(&'p Path),
    Generated(&'p Path),
    Functions(&'p Path),
}

impl<'p> Named<'p> {
    /// `CORPUS`, or a prefix and its source: `tutorial`, `statements`, `generated`, `functions`.
    fn of(text: &'p Path) -> Self {
        let after = |prefix: &str| text.to_str()?.strip_prefix(prefix).map(Path::new);
        if let Some(path) = after("statements:") {
            return Self::Statements(path);
        }
        if let Some(path) = after("generated:") {
            return Self::Generated(path);
        }
        if let Some(path) = after("functions:") {
            return Self::Functions(path);
        }
        match after("tutorial:") {
            Some(path) => Self::Programs(path, Kind::Tutorial),
            None => Self::Programs(text, Kind::CodeNet),
        }
    }
}

/// What must never be trained on: the sources of validation examples, generated programs close to
/// them, and their problems.
#[derive(Default)]
struct Reserved {
    sources: HashSet<u64>,
    problems: HashSet<String>,
}

impl Reserved {
    fn of(
        files: &[(String, PathBuf)],
        vocabulary: &Vocabulary,
        settings: &ModelSettings,
    ) -> anyhow::Result<Self> {
        let mut reserved = Self::default();
        for (_, path) in files {
            for record in read_records(path)? {
                let example = settings.window().example(&record, vocabulary)?;
                let hash = example.map(|example| source_hash(&example.source));
                reserved.sources.extend(hash);
                reserved.sources.extend(skeleton_hash(&record.code));
                reserved.problems.extend(record.problem);
            }
        }
        Ok(reserved)
    }

    /// The programs of other problems.
    fn others(&self, name: &str, mut programs: Vec<CorpusProgram>) -> Vec<CorpusProgram> {
        let all = programs.len();
        programs.retain(|program| {
            let problem = program.problem.as_ref();
            problem.is_none_or(|problem| !self.problems.contains(problem))
        });
        if programs.len() < all {
            note(&format!(
                "{name}: {} programs left out, of problems to validate with",
                all - programs.len()
            ));
        }
        programs
    }
}

impl Args {
    /// The data sets generated while the run proceeds.
    pub(crate) fn online(
        &self,
        config: &RunConfig,
        vocabulary: &Vocabulary,
        settings: &ModelSettings,
    ) -> anyhow::Result<OnlineSets> {
        let made: OnlineSettings = toml::Value::Table(config.online.clone())
            .try_into()
            .context("[online]")?;
        if let Some(key) = made.complaint() {
            bail!("[online]: `{key}` must be above zero");
        }
        let made = OnlineSettings {
            operators: operators(&made.operators)?,
            ..made
        };
        let mut sets = OnlineSets::new();
        if self.online.is_empty() {
            return Ok(sets);
        }
        let reserved = Reserved::of(&self.valid, vocabulary, settings)?;
        let makers = self.makers.unwrap_or_else(|| cores().saturating_sub(1));
        let makers = makers.max(1);
        for (at, (name, text)) in self.online.iter().enumerate() {
            if sets.contains_key(name) || self.data.iter().any(|(other, _)| other == name) {
                bail!("--online {name}=...: there are two data sets of that name");
            }
            if name.contains(['/', '\\']) || name.starts_with('.') {
                bail!("--online {name}=...: a name cannot be a path");
            }
            let seed = config.seed.wrapping_add(at as u64);
            let tracer = self.tracer(makers)?;
            let making = Making {
                name,
                reserved: &reserved,
                tracer: tracer.as_ref(),
                seed,
            };
            let (what, material) = making.material(&Named::of(text))?;
            note(&format!("{name}: made of {what} on {makers} threads"));
            let generator = ExampleGenerator {
                settings: made.clone(),
                material,
                tracer,
                engine: self.engine.name(),
                window: settings.window(),
                vocabulary: Vocabulary::from_json(vocabulary.to_json()?.as_bytes())?,
                seed,
            };
            let set =
                Online::new(generator, makers)?.never_repeating(self.history(name, &reserved)?);
            sets.insert(name.clone(), Box::new(set));
        }
        Ok(sets)
    }

    /// The tracer of the programs.
    fn tracer(&self, makers: usize) -> anyhow::Result<Box<dyn Tracer>> {
        let limits = Limits::default();
        if self.engine.plans() {
            let limits = PlanLimits::like(PLANNED, limits.max_steps, limits.max_bytes);
            return Ok(Box::new(Walking::new(planner(), limits)));
        }
        Ok(Box::new(self.sandbox.pool(makers, limits)?))
    }

    /// What the run has generated of a set so far; empty at the start.
    fn history(&self, name: &str, reserved: &Reserved) -> anyhow::Result<History> {
        let path = self.out().join(GIVEN).join(format!("{name}.given"));
        let shown = || path.display().to_string();
        if !self.resume && path.exists() {
            std::fs::remove_file(&path).with_context(shown)?;
        }
        let history = History::open(&path).with_context(shown)?;
        Ok(history.without(reserved.sources.clone()))
    }
}

/// The settings of a set.
struct Making<'m> {
    name: &'m str,
    reserved: &'m Reserved,
    tracer: &'m dyn Tracer,
    seed: u64,
}

impl Making<'_> {
    /// Reads the source of a set. Also in words.
    fn material(&self, named: &Named<'_>) -> anyhow::Result<(String, Material)> {
        match named {
            Named::Programs(path, kind) => {
                let programs = self.programs(path)?;
                let what = format!("{} programs", programs.len());
                Ok((what, Material::Programs(programs, *kind)))
            }
            Named::Statements(path) => {
                let statements = Statements::new(&read_templates(path)?);
                if statements.is_empty() {
                    bail!(
                        "{}: no statement with types that it runs with; `codexec data singleline --save-templates` writes some",
                        path.display()
                    );
                }
                let what = format!("{} statements", statements.len());
                Ok((what, Material::Statements(statements)))
            }
            Named::Generated(path) => {
                let programs = self.programs(path)?;
                let idioms = Idioms::of(programs.iter().map(|program| program.code.as_str()));
                let what = format!(
                    "a grammar with the frequencies of {} programs",
                    idioms.programs()
                );
                Ok((what, Material::Written(Written::Grammar(idioms))))
            }
            Named::Functions(path) => {
                let programs = self.programs(path)?;
                let codes = programs.iter().map(|program| program.code.as_str());
                let functions = Functions::of(codes, self.tracer, self.seed)?;
                if functions.is_empty() {
                    bail!(
                        "{}: no function that stands alone and can be called with plain values",
                        path.display()
                    );
                }
                let (found, tried) = (functions.len(), functions.tried());
                let what =
                    format!("{found} functions that can be called, of {tried} that stand alone,");
                Ok((what, Material::Written(Written::Functions(functions))))
            }
        }
    }

    /// The programs of a corpus, without the problems of validation sets.
    fn programs(&self, path: &Path) -> anyhow::Result<Vec<CorpusProgram>> {
        let programs = self.reserved.others(self.name, corpus::read(path)?);
        if programs.is_empty() {
            bail!("{}: no program to make examples of", path.display());
        }
        Ok(programs)
    }
}
