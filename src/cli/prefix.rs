//! `codexec prefix`: finds code to prepend to a program so that as much of it as possible runs.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use codexec_data::installer::Installer;
use codexec_data::sandbox::{Limits, Packages, Pool, directories, modules};
use codexec_data::syntax::SyntaxError;
use codexec_data::trace::Program;
use rayon::prelude::*;
use serde_json::json;

use super::input::{
    are_many, expand_with_code, read_program, show_syntax_error, stdin_of, syntax_error,
};
use super::json::Json;
use super::llm::LlmArgs;
use super::prefix_view::{Look, document, row, summary, text};
use super::project::ProjectArgs;
use super::sandbox::{PackageArgs, SandboxArgs};
use super::view::text::clean;
use crate::guide::GuideError;
use crate::prefix::generators::{GENERATORS, Neural, Rules};
use crate::prefix::{Found, Generator, PrefixError, PrefixOptions, Snippet, find};
use crate::values::predictors::{DEFAULT, PREDICTORS, predictor};

/// Output format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// One JSON document; JSON Lines for several programs.
    Json,
}

/// Settings shared by `prefix` and `eval prefix`.
#[derive(Debug, clap::Args)]
pub(super) struct Settings {
    /// Source of prefixes: rules; neural (the rules, ranked by --predictor); or llm (a language
    /// model; see the options under Language model).
    #[arg(long, default_value = "rules", value_name = "NAME", value_parser = PossibleValuesParser::new(GENERATORS))]
    generator: String,
    /// The predictor of `codexec guide` that ranks values for --generator neural (default: guide's
    /// own).
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(PREDICTORS))]
    predictor: Option<String>,
    /// Do not call functions that the program never calls, and let `exit` end the program.
    #[arg(long)]
    strict: bool,
    /// Rounds of error and coverage guidance.
    #[arg(long, default_value_t = 16, value_name = "K", value_parser = clap::value_parser!(u16).range(..=1000))]
    rounds: u16,
    /// Prefixes per query.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    candidates: u16,
    /// Maximum number of runs of a program.
    #[arg(long, default_value_t = 200, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Maximum seconds per program (default 30; 300 with a language model). Only this limit makes
    /// results depend on the machine.
    #[arg(long, value_name = "S", value_parser = super::guide::seconds)]
    seconds: Option<f64>,
    /// Seed of random draws. The same seed gives the same prefixes.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Programs run in parallel; 0 for one per core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    workers: usize,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    packages: PackageArgs,
    #[command(flatten)]
    llm: LlmArgs,
}

/// Find code to prepend to programs so that as many of their lines as possible run.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec prefix snippet.py                  the best prefix, further ones, the remaining lines
  codexec prefix snippet.py --tree           all attempts with their results
  codexec prefix snippets/                   a directory, with a summary
  codexec prefix snippet.py --install        after installing missing packages that it imports
  codexec prefix snippet.py --format json | jq -r '.tried[.set[0]].prefix' | cat - snippet.py

  codexec prefix snippet.py --generator llm --endpoint http://localhost:11434/v1 --model NAME

A prefix is imports and assignments: Python to read, paste and change. Programs run only in the sandbox. \
Nothing leaves the machine, but for what --generator llm tells its endpoint (the program and what came \
of running it) and names of packages with --install.")]
pub(super) struct Args {
    /// Programs: files, directories of .py files, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    programs: Vec<PathBuf>,
    /// Also show the tree of prefixes.
    #[arg(long)]
    tree: bool,
    /// Output format of results.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Install missing packages with pip into a separate directory. Only wheels are installed, and
    /// nothing of them runs outside the sandbox. pip's configured package index sees their names.
    #[arg(long)]
    install: bool,
    /// Where --install puts packages, for all programs (default: ~/.cache/codexec/packages).
    #[arg(long, value_name = "DIR", requires = "install")]
    install_dir: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    project: ProjectArgs,
}

/// Wall-clock and CPU time of one run.
const RUN_TIME: Duration = Duration::from_secs(1);
/// The same if programs can import packages, which can take long.
const RUN_TIME_WITH_PACKAGES: Duration = Duration::from_secs(5);

impl Settings {
    /// A pool. `installed` is the default for importing installed packages.
    pub(super) fn pool(&self, installed: bool) -> anyhow::Result<Pool> {
        let python = self.sandbox.python.as_deref();
        self.pool_with(self.packages.packages(python, installed)?)
    }

    fn pool_with(&self, packages: Packages) -> anyhow::Result<Pool> {
        let modules = modules(self.sandbox.python.as_deref(), &packages)?;
        let time = run_time(&modules);
        let limits = Limits {
            wall: time,
            cpu: time,
            ..Limits::default()
        };
        let config = self.sandbox.config(self.workers, limits, packages);
        Ok(Pool::new(config)?)
    }

    pub(super) fn options(&self, pool: &Pool) -> PrefixOptions {
        PrefixOptions {
            rounds: self.rounds.into(),
            candidates: self.candidates.into(),
            runs: self.runs as usize,
            time: Duration::from_secs_f64(self.seconds.unwrap_or(match self.generator.as_str() {
                "llm" => 300.0,
                _ => 30.0,
            })),
            run_time: run_time(pool.modules()),
            ..PrefixOptions::default()
        }
    }

    pub(super) fn generator(&self) -> anyhow::Result<Box<dyn Generator>> {
        if self.generator != "neural" && self.predictor.is_some() {
            let why = "--predictor ranks values for --generator neural";
            return Err(super::usage(why));
        }
        match self.generator.as_str() {
            "llm" if self.strict => {
                return Err(super::usage(
                    "--strict is for rules, and so for --generator neural",
                ));
            }
            "llm" => return Ok(Box::new(self.llm.generator(self.seed)?)),
            _ => self.llm.check_unused()?,
        }
        if self.generator == "rules" {
            return Ok(Box::new(Rules::new(self.strict)));
        }
        let name = self.predictor.as_deref().unwrap_or(DEFAULT);
        match predictor(name, self.seed) {
            Some(found) => Ok(Box::new(Neural::new(found, self.strict))),
            None => bail!("no predictor is called {name}; name one with --predictor"),
        }
    }
}

fn run_time(modules: &BTreeSet<String>) -> Duration {
    match modules.is_empty() {
        true => RUN_TIME,
        false => RUN_TIME_WITH_PACKAGES,
    }
}

/// The results for one program.
pub(super) struct Searched {
    pub program: Program,
    pub found: Found,
}

impl Searched {
    /// The syntax error that kept every run from starting.
    fn syntax_error(&self) -> Option<SyntaxError> {
        let best = self.found.best();
        best.and_then(|best| syntax_error(&best.outcome))
    }
}

/// A program that could not be searched, with its name and the reason.
struct Failed {
    id: String,
    why: anyhow::Error,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let files = expand_with_code(&args.programs)?;
    let generator = args.settings.generator()?;
    let mut failed = 0;
    let mut programs = Vec::new();
    for file in &files {
        let read = |stdin| {
            let mut program = read_program(file, stdin)?;
            args.project.equip(&mut program, file)?;
            Ok(program)
        };
        match stdin_of(file, None, None).and_then(read) {
            Ok(program) => programs.push(program),
            Err(error) if files.len() == 1 => return Err(error),
            Err(error) => {
                failed += 1;
                super::say(&super::message(&error));
            }
        }
    }
    let pool = match args.installer()? {
        Some(installer) => args.pool_with_installed(&installer, &programs)?,
        None => args.settings.pool(true)?,
    };
    let options = args.settings.options(&pool);
    let many = are_many(&args.programs, &files);
    // After this, no other program can be searched either.
    let ended = AtomicBool::new(false);
    let one = |program: Program| {
        if ended.load(Ordering::Relaxed) {
            return None;
        }
        let found = find(&pool, &program, generator.as_ref(), &options);
        let is_end = match &found {
            Ok(found) => found.refused,
            Err(PrefixError::Refused { .. } | PrefixError::Guide(GuideError::Sandbox(_))) => true,
            Err(_) => false,
        };
        // Programs run in parallel end for the same reason.
        if is_end && ended.swap(true, Ordering::Relaxed) && found.is_err() {
            return None;
        }
        Some(match found {
            Ok(found) => Ok(Searched { program, found }),
            Err(error) if many && !is_end => Err(Failed {
                why: anyhow::Error::from(error).context(program.id.clone()),
                id: program.id,
            }),
            Err(error) => Err(Failed {
                id: program.id,
                why: error.into(),
            }),
        })
    };
    let searched: Vec<Result<Searched, Failed>> =
        programs.into_par_iter().filter_map(one).collect();
    let mut rows = Vec::new();
    for one in searched {
        let one = match one {
            Ok(one) => one,
            Err(Failed { why, .. }) if !many => return Err(why),
            Err(one) => {
                failed += 1;
                super::say(&super::message(&one.why));
                rows.push(Err(one));
                continue;
            }
        };
        if let Some(why) = &one.found.unanswered {
            let why = format!("{}: {}: {why}", one.program.id, one.found.generator);
            if one.found.is_unanswered() || one.found.refused {
                failed += 1;
                super::say(&super::message(&anyhow::anyhow!(why)));
            } else {
                super::warn(&why);
            }
        }
        let error = one.syntax_error();
        if let Some(error) = &error {
            failed += 1;
            let source = one.program.source.as_deref().unwrap_or_default();
            super::say(&show_syntax_error(&one.program.id, source, error));
        }
        if error.is_none() || many || args.form() == Format::Json {
            rows.push(Ok(one));
        }
    }
    args.write(&rows, many)?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}

impl Args {
    fn installer(&self) -> anyhow::Result<Option<Installer>> {
        let python = self.settings.sandbox.python.as_deref();
        let opened = self
            .install
            .then(|| Installer::open(python, self.install_dir.as_deref()));
        Ok(opened.transpose()?)
    }

    /// A pool with the programs' imports, after installing missing packages.
    fn pool_with_installed(
        &self,
        installer: &Installer,
        programs: &[Program],
    ) -> anyhow::Result<Pool> {
        let python = self.settings.sandbox.python.as_deref();
        let own = self.settings.packages.packages(python, true)?;
        // Unreadable files are reported in their turn.
        let missing = |packages: &Packages| -> anyhow::Result<Vec<String>> {
            let there = modules(python, packages)?;
            let snippets = programs.iter().filter_map(|p| Snippet::of(p, &there).ok());
            let missing: BTreeSet<String> = snippets.flat_map(|t| t.missing_modules()).collect();
            Ok(missing.into_iter().collect())
        };
        let wanted = missing(&installer.with(own.clone()))?;
        if !wanted.is_empty() {
            let place = installer.root().display();
            let mut said = |name: &str| super::note(&format!("installing {name} into {place}"));
            let seen = directories(python, &own)?;
            let done = installer.install(&wanted, &seen, &mut said)?;
            let left = missing(&installer.with(own.clone()))?;
            for one in done.iter().filter(|one| left.contains(&one.module)) {
                let why = match (&one.failure, &one.package) {
                    (Some(why), _) => why.clone(),
                    (None, Some(package)) => format!("{package} does not have it"),
                    (None, None) => continue,
                };
                super::warn(&format!("{} is made up: {why}", one.module));
            }
        }
        self.settings.pool_with(installer.with(own))
    }

    /// Output format of prefixes.
    fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    fn write(&self, rows: &[Result<Searched, Failed>], many: bool) -> anyhow::Result<()> {
        let mut out = anstream::stdout().lock();
        let look = Look {
            color: std::io::stdout().is_terminal(),
            tree: self.tree,
        };
        for one in rows {
            let one = match one {
                Ok(one) => one,
                Err(Failed { id, why }) => {
                    let why = super::causes(why);
                    match self.form() {
                        Format::Json => writeln!(out, "{}", Json(json!({"id": id, "error": why})))?,
                        Format::Text => writeln!(out, "not run  {}", clean(&why))?,
                    }
                    continue;
                }
            };
            match self.form() {
                Format::Json if many => writeln!(out, "{}", Json(document(one)))?,
                Format::Json => writeln!(out, "{:#}", Json(document(one)))?,
                Format::Text if many => writeln!(out, "{}", row(one))?,
                Format::Text => write!(out, "{}", text(one, look))?,
            }
        }
        if many && self.form() == Format::Text {
            let begun = rows.iter().flatten();
            let begun = begun.filter(|one| one.syntax_error().is_none());
            writeln!(out, "{}", summary(&begun.collect::<Vec<_>>()))?;
        }
        Ok(out.flush()?)
    }
}
