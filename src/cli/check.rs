//! `codexec check`: predicts which programs raise, what and on which line, without running them.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use codexec_data::files::{Existing, Reservation, stop_by, write_whole};
use glob::Pattern;

use super::check_baseline::Baseline;
use super::check_config::{self, Config, Globs};
use super::check_page;
use super::check_report::Report;
use super::folding::FoldArgs;
use super::input::{expand, read_source, read_text, stdin_of};
use super::json::Json;
use super::project::{Entry, ModuleArgs, entry_of_module};
use super::{progress_bar, single_threaded_products, usage};
use crate::check::explain::Section;
use crate::check::formats::{json, sarif};
use crate::check::{CHECKERS, Checked, Note, Row, Settings, Source, named};
use crate::engine;
use crate::engine::environment::Environment;
use crate::engine::project::{Packages, Place};

/// Output format of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people.
    Text,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitHub Actions annotations.
    Github,
}

/// Find runtime errors without running anything: what a program raises, on which line, with what
/// probability.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec check examples                              all .py files below a directory
  codexec check prog.py --input '3 4'                 with this standard input
  codexec check prog.py --input-description '1 <= N <= 9'
  codexec check src --min-probability 0.9             only near certainties
  codexec check prog.py --engine combined             planned, and checked by a network
  codexec check -m shop.report                        a module of the project in this directory
  codexec check src --format sarif > check.sarif      for GitHub's code scanning
  codexec check src --baseline known.json             only findings since --write-baseline
  codexec check prog.py --explain prog.html           a page: each finding with its execution
  cat prog.py | codexec check - --format json

A program that reads input but has none is checked with several inputs that fit how it reads them. \
Functions that nothing calls are checked with made-up arguments. A NAME.in beside NAME.py is its input. \
Modules of the project that a program imports are checked with it. The comment `# codexec: ignore` hides \
the findings of its line, `# codexec: ignore[KeyError]` those of a kind. `[tool.codexec]` of the nearest \
pyproject.toml has lists include, exclude, select, ignore and packages.

Exit codes: 0 no finding, 1 findings, 2 wrong usage, or a file that cannot be read. More: docs/check.md.")]
pub(super) struct Args {
    /// Programs: files, directories of .py files, or - for standard input.
    #[arg(default_value = ".", value_name = "PATH", conflicts_with = "module")]
    programs: Vec<PathBuf>,
    #[command(flatten)]
    module: ModuleArgs,
    /// The input in words. Generated inputs respect its bounds, such as `1 <= N <= 100`.
    #[arg(long, value_name = "TEXT")]
    input_description: Option<String>,
    /// File with the standard input of the programs.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    stdin: Option<PathBuf>,
    /// Standard input of the programs.
    #[arg(long, value_name = "TEXT")]
    input: Option<String>,
    /// Directory in which imported modules are looked up, or `none` [default: the parent of each
    /// program's outermost package]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Check only files or directories that match a pattern, such as `src/*.py`. Overrides
    /// pyproject.toml.
    #[arg(long, value_name = "GLOB", value_parser = check_config::pattern)]
    include: Vec<Pattern>,
    /// Skip files or directories that match a pattern, such as `build`. Overrides pyproject.toml.
    #[arg(long, value_name = "GLOB", value_parser = check_config::pattern)]
    exclude: Vec<Pattern>,
    /// Report only these kinds of errors. Overrides pyproject.toml.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    select: Vec<String>,
    /// Do not report these kinds of errors. Overrides pyproject.toml.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Also follow these installed packages and their requirements. Overrides pyproject.toml.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    packages: Vec<String>,
    /// Do not report findings listed in this file.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to the --baseline file and report none.
    #[arg(long, requires = "baseline", conflicts_with = "explain")]
    write_baseline: bool,
    /// Print only findings and errors.
    #[arg(short, long, conflicts_with = "notes")]
    quiet: bool,
    /// The checker.
    #[arg(long, value_name = "ENGINE", value_parser = rows(), default_value = CHECKERS[0].name)]
    engine: &'static Row,
    /// Hide findings below this probability.
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = probability)]
    min_probability: f64,
    /// Share of programs that raise, between 0 and 1 (default 0.05). Raise it where errors are
    /// common, as in submissions to grade: `combined` and `ipa` then report them with more
    /// confidence.
    #[arg(long, value_name = "P", value_parser = share)]
    base_rate: Option<f64>,
    /// Output format of findings.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Also write an HTML page about one program: the probability of each line, and for each
    /// finding an execution that ends in it and the statements that led there.
    #[arg(long, value_name = "FILE")]
    explain: Option<PathBuf>,
    /// Overwrite an existing page.
    #[arg(long, requires = "explain")]
    force: bool,
    /// Number of inputs made up for a program that reads input but has none.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=100))]
    inputs: u8,
    /// Do not check functions that nothing calls.
    #[arg(long)]
    no_calls: bool,
    /// List for each program what could not be checked, and why (default: only if there is a single
    /// program).
    #[arg(long)]
    notes: bool,
    #[command(flatten)]
    folding: FoldArgs,
    /// Maximum steps per program.
    #[arg(long, default_value_t = 4096, value_name = "N")]
    max_steps: u32,
    /// Checkpoint directory, or a name on the Hugging Face hub (default: the embedded checkpoint).
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Seed of made-up inputs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Maximum seconds for all programs together; 0 for no limit. One program takes at most 20. The
    /// report names the programs that were not reached.
    #[arg(long, value_name = "N", default_value_t = 600.0, value_parser = seconds)]
    seconds: f64,
    /// Programs checked in parallel (default: one per core).
    #[arg(long, value_name = "N", value_parser = super::workers)]
    jobs: Option<usize>,
}

fn rows() -> impl TypedValueParser<Value = &'static Row> {
    let values = CHECKERS
        .iter()
        .map(|row| PossibleValue::new(row.name).help(row.about));
    PossibleValuesParser::new(values)
        .try_map(|name| named(&name).ok_or_else(|| format!("no engine is named {name}")))
}

fn probability(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or("expected a number from 0 to 1")
}

/// A share of programs, strictly between 0 and 1.
pub(super) fn share(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|p| *p > 0.0 && *p < 1.0);
    number.ok_or("expected a number between 0 and 1")
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let most = Duration::from_secs(u64::from(u32::MAX)).as_secs_f64();
    let number = text.parse().ok().filter(|n| (0.0..=most).contains(n));
    number.ok_or("expected a number of seconds")
}

/// Whether the value of --root is `none`.
fn is_none(root: &Path) -> bool {
    root.as_os_str() == "none"
}

/// What could not be read or checked.
const UNREADABLE: u8 = 2;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match args.check() {
        Err(error) if error.is::<clap::Error>() || super::is_broken_pipe(&error) => Err(error),
        Err(error) => {
            super::say(&super::message(&super::of_standard_output(error)));
            Ok(ExitCode::from(UNREADABLE))
        }
        done => done,
    }
}

/// The entry of an unreadable file in the JSON document.
fn unread_file(file: &Path, error: &anyhow::Error) -> (Source, Checked) {
    let path = file.display().to_string();
    let note = Note {
        line: None,
        text: format!("unread: {}", error.root_cause()),
    };
    let checked = Checked {
        path: path.clone(),
        notes: vec![note],
        is_open: true,
        ..Checked::default()
    };
    (Source::new(path, ""), checked)
}

impl Args {
    fn check(&self) -> anyhow::Result<ExitCode> {
        let dashes = self.programs.iter().filter(|p| p.as_os_str() == "-");
        if dashes.count() > 1 {
            return Err(usage("standard input can be read only once: give - once"));
        }
        // Runs before standard input is read, because the process restarts itself.
        single_threaded_products()?;
        let files = self.files()?;
        if self.explain.is_some() && files.len() != 1 {
            return Err(usage("--explain shows one program; name one file"));
        }
        let reserved = match &self.explain {
            Some(path) => {
                let existing = Existing::replace_if(self.force);
                let one = Reservation::of_file(path, existing);
                Some(one.with_context(|| path.display().to_string())?)
            }
            None => None,
        };
        let baseline = match &self.baseline {
            Some(file) => Some(Baseline::open(file, self.write_baseline)?),
            None => None,
        };
        let (mut sources, mut configs) = (Vec::new(), Vec::new());
        let mut unread = Vec::new();
        for (file, config) in &files {
            match self.read(file) {
                Ok(source) => {
                    sources.push(source);
                    configs.push(Rc::clone(config));
                }
                Err(error) => {
                    super::say(&super::message(&error));
                    unread.push((sources.len(), unread_file(file, &error)));
                }
            }
        }
        let style = (self.shown(), !self.notes && files.len() > 1 || self.quiet);
        let mut report = Report::new(&sources, &configs, baseline, style);
        let (engine, sections) = self.check_all(&sources, &mut report)?;
        if let (Some(file), true) = (&self.baseline, self.write_baseline) {
            let count = report.write_baseline(file)?;
            self.note(&format!(
                "{} in {}",
                plural(count, "finding"),
                file.display()
            ));
        } else if self.shown() == Format::Text && !sources.is_empty() {
            self.note(&self.summary(&report));
        }
        if let Some((why, count)) = report.left() {
            self.note(&format!("warning: {} {why}", plural(count, "file")));
        }
        let found = report.count();
        let explained = match &self.explain {
            Some(_) => Some(self.settings(installed(report.packages())?)),
            None => None,
        };
        let checked = report.checked();
        let mut pairs: Vec<_> = checked.iter().map(|(source, one)| (source, one)).collect();
        // Every file has an entry, unreadable ones included.
        for (before, (source, checked)) in unread.iter().rev() {
            pairs.insert((*before).min(pairs.len()), (source, checked));
        }
        let mut out = anstream::stdout().lock();
        match self.shown() {
            Format::Json => writeln!(out, "{:#}", Json(json(&engine, &pairs)))?,
            Format::Sarif => writeln!(out, "{:#}", Json(sarif(&pairs)))?,
            // These are written as they are found.
            Format::Text | Format::Github => {}
        }
        out.flush()?;
        if let (Some(path), Some(settings), [(source, checked), ..], true) = (
            &self.explain,
            &explained,
            pairs.as_slice(),
            unread.is_empty(),
        ) {
            let how = check_page::How {
                engine: &engine,
                settings,
                sections: &sections,
            };
            let html = check_page::html(source, checked, &pairs[1..], &how)?;
            write_whole(path, html.as_bytes()).with_context(|| path.display().to_string())?;
        }
        drop(reserved);
        Ok(ExitCode::from(match unread.is_empty() {
            true => u8::from(found > 0),
            false => UNREADABLE,
        }))
    }

    fn shown(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    fn note(&self, text: &str) {
        if !self.quiet {
            super::note(text);
        }
    }

    /// Which files of a path's project are checked and reported.
    fn config(&self, path: &Path) -> anyhow::Result<Config> {
        let mut config = match path.as_os_str() == "-" {
            true => Config::nearest(Path::new("."))?,
            false => Config::nearest(path)?,
        };
        if !self.include.is_empty() {
            config.include = Globs::here(&self.include)?;
        }
        if !self.exclude.is_empty() {
            config.exclude = Globs::here(&self.exclude)?;
        }
        for (own, given) in [
            (&mut config.select, &self.select),
            (&mut config.ignore, &self.ignore),
            (&mut config.packages, &self.packages),
        ] {
            if !given.is_empty() {
                own.clone_from(given);
            }
        }
        Ok(config)
    }

    /// The files to check. Directories are searched, except hidden ones and environments.
    fn files(&self) -> anyhow::Result<Vec<(PathBuf, Rc<Config>)>> {
        if let Some(entry) = self.entry()? {
            let config = Rc::new(self.config(&entry.file)?);
            return Ok(vec![(entry.file, config)]);
        }
        let mut files = Vec::new();
        for path in &self.programs {
            let config = Rc::new(self.config(path)?);
            let all = expand(std::slice::from_ref(path))?;
            let own = |file: &PathBuf| {
                let below = file.strip_prefix(path).unwrap_or(file);
                !path.is_dir() || !below.components().any(is_foreign) && config.covers(file)
            };
            let kept: Vec<PathBuf> = all.into_iter().filter(own).collect();
            if kept.is_empty() {
                let path = path.display();
                anyhow::bail!("{path}: the include list matches no .py file in this directory");
            }
            files.extend(kept.into_iter().map(|file| (file, Rc::clone(&config))));
        }
        Ok(files)
    }

    fn read(&self, file: &Path) -> anyhow::Result<Source> {
        let stdin = match (&self.input, &self.stdin) {
            (None, Some(path)) => Some(read_text(path)?),
            (text, _) => stdin_of(file, text.as_deref(), None)?,
        };
        let shown = file.strip_prefix(".").unwrap_or(file);
        let text = read_source(file)?;
        let project = self.place(file, &text)?;
        Ok(Source {
            path: shown.display().to_string(),
            text,
            stdin,
            description: self.input_description.clone(),
            project,
        })
    }

    /// The module of `-m`.
    fn entry(&self) -> anyhow::Result<Option<Entry>> {
        let root = self.root.as_deref().filter(|root| !is_none(root));
        let root = root.unwrap_or(Path::new("."));
        let module = self.module.module.as_deref();
        module.map(|name| entry_of_module(name, root)).transpose()
    }

    /// The position of a file in its project. `None` if it is checked on its own.
    fn place(&self, file: &Path, text: &str) -> anyhow::Result<Option<Place>> {
        if let Some(entry) = self.entry()? {
            return Ok(Some(entry.as_place()));
        }
        if file.as_os_str() == "-" || self.root.as_deref().is_some_and(is_none) {
            return Ok(None);
        }
        let place = Place::of_source(file, self.root.as_deref(), text);
        let root = self.root.as_deref().unwrap_or(file);
        place
            .map(Some)
            .with_context(|| format!("--root {}", root.display()))
    }

    fn settings(&self, packages: Packages) -> Settings {
        Settings {
            min_probability: self.min_probability,
            inputs: usize::from(self.inputs),
            calls: !self.no_calls,
            seed: self.seed,
            workers: self.jobs.unwrap_or(0),
            time: (self.seconds > 0.0).then(|| Duration::from_secs_f64(self.seconds)),
            stop: Some(interrupts()),
            calibrated: true,
            base_rate: self.base_rate,
            lacks_imports: false,
            engine: engine::Settings {
                model: self.model.clone(),
                fold: self.folding.level(),
                max_steps: self.max_steps as usize,
                packages,
                ..engine::Settings::default()
            },
        }
    }

    /// Checks all programs, hands on the findings, and returns the engine's name and its part of a
    /// page.
    fn check_all(
        &self,
        sources: &[Source],
        report: &mut Report<'_>,
    ) -> anyhow::Result<(String, Vec<Section>)> {
        let bar = match self.quiet {
            true => indicatif::ProgressBar::hidden(),
            false => progress_bar(sources.len() as u64, "files"),
        };
        // A single large file also takes a while.
        bar.enable_steady_tick(Duration::from_millis(200));
        let packages = installed(report.packages())?;
        let checker = (self.engine.open)(&self.settings(packages))?;
        let mut ended = Ok(());
        checker.check(sources, &mut |number, mut checked| {
            checked.keep_above(self.min_probability);
            bar.inc(1);
            let written = match report.add(number, checked) {
                _ if self.write_baseline => String::new(),
                written => written,
            };
            ended = match written.is_empty() {
                true => Ok(()),
                false => bar.suspend(|| write(&written)),
            };
            match ended {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        bar.finish_and_clear();
        ended?;
        let sections = match (&self.explain, sources) {
            (Some(_), [source]) => checker.sections(source)?,
            _ => Vec::new(),
        };
        Ok((checker.heading(), sections))
    }

    fn summary(&self, report: &Report<'_>) -> String {
        let files = plural(report.sources(), "file");
        let open = report.open();
        let mut text = match report.count() {
            0 => format!("no error found in {files}"),
            n => format!("{} found in {files}", plural(n, "error")),
        };
        if report.hidden() > 0 {
            let hidden = plural(report.hidden(), "other");
            text.push_str(&format!("; {hidden} in the baseline"));
        }
        if open > 0 {
            text.push_str(&format!(
                "; {} not checked to the end",
                plural(open, "file")
            ));
            if report.sources() > 1 && !self.notes {
                text.push_str(" (--notes says why)");
            }
        }
        text
    }
}

/// A flag set when the process is asked to stop, so that it can write its findings. A second
/// request stops it at once.
fn interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    stop_by(Arc::clone(&flag));
    flag
}

/// The named packages with their requirements, and their directories: from a nearby environment, or
/// else the default interpreter's.
fn installed(names: &[String]) -> anyhow::Result<Packages> {
    if names.is_empty() {
        return Ok(Packages::default());
    }
    let environment = match Environment::near() {
        Some(near) => near,
        None => Environment::of(None).context(
            "packages: no environment is active, and there is no .venv in this directory or above it",
        )?,
    };
    let names = environment.with_required(names);
    Ok(Packages {
        names: names.map_err(|why| anyhow::anyhow!("packages: {why}"))?,
        directories: environment.directories,
        ..Packages::default()
    })
}

fn plural(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

fn write(text: &str) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Whether a path component belongs to code outside the project.
fn is_foreign(part: Component<'_>) -> bool {
    let Component::Normal(name) = part else {
        return false;
    };
    let name = name.to_string_lossy();
    name.starts_with('.')
        || ["venv", "node_modules", "site-packages", "__pycache__"].contains(&name.as_ref())
}
