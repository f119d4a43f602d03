//! `codexec diff`: two versions of a program or a project under the same injected values.

mod page;
mod versions;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use codexec_data::files::write_whole;
use codexec_data::sandbox::Pool;
use codexec_data::trace::Program;
use serde_json::json;

use self::page::Shown;
use self::versions::Versions;
use super::data::reserve;
use super::guide::Settings;
use super::guide_view::ended_by_return;
use super::input::{read_source, show_syntax_error, syntax_error};
use super::json::Json;
use super::project::ProjectArgs;
use super::view::text::clean;
use crate::engine::project::Place;
use crate::guide::{ComparedVersions, Difference, GuideOptions, compare};
use crate::values::Predictor;

/// Output format of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// One JSON document.
    Json,
}

/// Compare the behaviour of two versions of a program or a project under the same injected values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec diff old.py new.py
  codexec diff old_project/ new_project/     each Python file whose text differs, or that imports one
  codexec diff v1.0..v1.1                    two revisions of the git repository that you are in
  codexec diff HEAD~1.. --json
  codexec diff old.py new.py --html diff.html    a page: both versions side by side, and where they diverge

Both versions run several times, with different injected values each time, but the same for both. Functions \
and methods that a version only defines are called. The verdict is `same`, `different` (with what \
differs, and for which values), or `not distinguished`: no difference was found, and the output says \
which questions stay open.

Exit code: 0 same, 1 different, 2 wrong usage or a file that cannot be compared, 3 not distinguished.")]
pub(super) struct Args {
    /// The old version: a file or a directory; or OLD..NEW, two revisions of a git repository.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new version: a file or a directory.
    #[arg(value_name = "NEW")]
    new: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Also write an HTML page. For a program it shows both versions side by side, with values that
    /// make them differ, and the first step at which they diverge; for a project, a table of its
    /// files.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite an existing page.
    #[arg(long, requires = "html")]
    force: bool,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    project: ProjectArgs,
}

/// Exit code for versions that cannot be compared. 1 means that they differ.
const TROUBLE: u8 = 2;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match compared(args) {
        Err(error) if !error.is::<clap::Error>() && !super::is_broken_pipe(&error) => {
            super::say(&super::message(&super::of_standard_output(error)));
            Ok(ExitCode::from(TROUBLE))
        }
        other => other,
    }
}

fn compared(args: &Args) -> anyhow::Result<ExitCode> {
    let _reserved = match &args.html {
        Some(path) => Some(reserve(path, args.force)?),
        None => None,
    };
    let Some(new) = &args.new else {
        return compared_projects(args, &Versions::of_revisions(&args.old.to_string_lossy())?);
    };
    if args.old.is_dir() && new.is_dir() {
        return compared_projects(args, &Versions::of_directories(&args.old, new)?);
    }
    let settings = &args.settings;
    let read = |file| settings.read(file, &args.project);
    let (old, new) = (read(&args.old)?, read(new)?);
    let predictor = settings.predictor()?;
    let pool = settings.pool(2, true, args.html.is_some())?;
    let found = compare(&pool, &old, &new, predictor.as_ref(), &settings.options())?;
    let mut failed = false;
    for (program, guided) in [(&old, &found.old), (&new, &found.new)] {
        if let Some(error) = syntax_error(&guided.trace.outcome) {
            let source = program.source.as_deref().unwrap_or_default();
            super::say(&show_syntax_error(&program.id, source, &error));
            failed = true;
        } else if let Some(line) = guided.returned {
            super::note(&format!("{}: {}", program.id, ended_by_return(line)));
        }
    }
    if failed {
        return Ok(ExitCode::from(TROUBLE));
    }
    if args.html.is_some() {
        let title = format!("{} and {}", old.id, new.id);
        let shown = Shown::of(&pool, &old.id, &old, &new, &found)?;
        args.write_page(&title, &[shown])?;
    }
    let mut out = anstream::stdout().lock();
    let format = if args.json { Format::Json } else { args.format };
    match format {
        Format::Json => {
            let document = json!({
                "difference": found.difference,
                "worlds": found.worlds,
                "old": {"id": old.id, "coverage": found.old.coverage,
                        "injected": found.old.injected},
                "new": {"id": new.id, "coverage": found.new.coverage,
                        "injected": found.new.injected},
            });
            writeln!(out, "{:#}", Json(document))?;
        }
        Format::Text => write!(out, "{}", text(&found))?,
    }
    out.flush()?;
    Ok(ExitCode::from(code(&found.difference)))
}

impl Args {
    /// Writes the page, if requested.
    fn write_page(&self, title: &str, all: &[Shown]) -> anyhow::Result<()> {
        let Some(path) = &self.html else {
            return Ok(());
        };
        let html = page::html(title, all)?;
        write_whole(path, html.as_bytes()).with_context(|| path.display().to_string())
    }
}

/// A verdict in words.
fn name_of(difference: &Difference) -> &'static str {
    match difference {
        Difference::Same => "same",
        Difference::Different { .. } => "different",
        Difference::NotDistinguished { .. } => "not distinguished",
    }
}

fn code(difference: &Difference) -> u8 {
    match difference {
        Difference::Same => 0,
        Difference::Different { .. } => 1,
        Difference::NotDistinguished { .. } => 3,
    }
}

/// The result for one file of a project.
enum Verdict {
    Compared(Box<ComparedVersions>),
    /// Missing in the old version.
    Added,
    /// Missing in the new version.
    Removed,
    /// Not comparable.
    Failed(String),
}

impl Verdict {
    fn name(&self) -> &'static str {
        match self {
            Self::Compared(found) => name_of(&found.difference),
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Failed(_) => "not compared",
        }
    }
}

/// Compares the files present in both versions: first files whose text differs, then files that
/// import one of these, directly or indirectly.
fn compared_projects(args: &Args, versions: &Versions) -> anyhow::Result<ExitCode> {
    let pairs = versions.changed()?;
    let predictor = args.settings.predictor()?;
    let pool = args.settings.pool(2, true, args.html.is_some())?;
    let format = if args.json { Format::Json } else { args.format };
    let mut comparison = Comparison {
        args,
        versions,
        pool: &pool,
        predictor: predictor.as_ref(),
        format,
        documents: Vec::new(),
        shown: Vec::new(),
        worst: 0,
    };
    let mut changed = Counts::default();
    let mut differing = BTreeSet::new();
    for pair in &pairs {
        let verdict = match (pair.is_old, pair.is_new) {
            (false, _) => Verdict::Added,
            (_, false) => Verdict::Removed,
            _ => comparison.compare(&pair.path, false)?,
        };
        changed.add(&verdict);
        if verdict.name() != "same" {
            differing.insert(pair.path.clone());
        }
        comparison.write(&pair.path, &verdict, false)?;
    }
    let mut others = Counts::default();
    for path in versions.reaching(&differing)? {
        let verdict = comparison.compare(&path, true)?;
        others.add(&verdict);
        comparison.write(&path, &verdict, true)?;
    }
    let title = args.old.display().to_string();
    let title = match &args.new {
        Some(new) => format!("{title} and {}", new.display()),
        None => title,
    };
    args.write_page(&title, &comparison.shown)?;
    let mut out = anstream::stdout().lock();
    match format {
        Format::Json => writeln!(out, "{:#}", Json(json!({ "files": comparison.documents })))?,
        Format::Text if pairs.is_empty() => {
            writeln!(out, "same: no Python file has another text")?;
        }
        Format::Text => {
            writeln!(
                out,
                "{} with another text: {}",
                files(changed.all()),
                changed.text()
            )?;
            if others.all() > 0 {
                let (files, text) = (files(others.all()), others.text());
                writeln!(
                    out,
                    "{files} with the same text that reach those by imports: {text}"
                )?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(comparison.worst))
}

/// Number of files per verdict, in order of first appearance.
#[derive(Debug, Default)]
struct Counts(Vec<(&'static str, usize)>);

impl Counts {
    fn add(&mut self, verdict: &Verdict) {
        match self.0.iter_mut().find(|(name, _)| *name == verdict.name()) {
            Some((_, count)) => *count += 1,
            None => self.0.push((verdict.name(), 1)),
        }
    }

    fn all(&self) -> usize {
        self.0.iter().map(|(_, count)| count).sum()
    }

    fn text(&self) -> String {
        let counts = self.0.iter().map(|(name, count)| format!("{count} {name}"));
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// The comparison of two versions of a project.
struct Comparison<'a> {
    args: &'a Args,
    versions: &'a Versions,
    pool: &'a Pool,
    predictor: &'a dyn Predictor,
    format: Format,
    documents: Vec<serde_json::Value>,
    /// Contents of the page.
    shown: Vec<Shown>,
    /// The exit code so far.
    worst: u8,
}

impl Comparison<'_> {
    /// Reports the result for a file. With `is_same`, its text is unchanged, so that only a
    /// difference is reported.
    fn write(&mut self, path: &str, verdict: &Verdict, is_same: bool) -> anyhow::Result<()> {
        self.worst = match (verdict, self.worst) {
            (Verdict::Compared(found), 0 | 3) if code(&found.difference) > 0 => {
                code(&found.difference)
            }
            (Verdict::Failed(_), 0 | 3) => TROUBLE,
            (Verdict::Compared(found), TROUBLE) if code(&found.difference) == 1 => 1,
            (_, worst) => worst,
        };
        if self.args.html.is_some() && !matches!(verdict, Verdict::Compared(_)) {
            self.shown.push(Shown::not_compared(path, verdict));
        }
        if self.format == Format::Json {
            self.documents.push(document(path, verdict, is_same));
            return Ok(());
        }
        if is_same && verdict.name() == "not distinguished" {
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        write!(out, "{}: ", clean(path))?;
        match verdict {
            Verdict::Compared(found) => write!(out, "{}", text(found))?,
            Verdict::Failed(why) => writeln!(out, "not compared: {}", clean(why))?,
            other => writeln!(out, "{}", other.name())?,
        }
        Ok(out.flush()?)
    }

    /// The verdict on a file. `is_same`: whether its text is unchanged.
    fn compare(&mut self, path: &str, is_same: bool) -> anyhow::Result<Verdict> {
        let (old, new) = match (
            self.read(&self.versions.old, path),
            self.read(&self.versions.new, path),
        ) {
            (Ok(old), Ok(new)) => (old, new),
            (Err(error), _) | (_, Err(error)) => return Ok(Verdict::Failed(format!("{error:#}"))),
        };
        let options = GuideOptions {
            changed_elsewhere: is_same,
            ..self.args.settings.options()
        };
        let found = compare(self.pool, &old, &new, self.predictor, &options)?;
        for (which, guided) in [("old", &found.old), ("new", &found.new)] {
            if let Some(error) = syntax_error(&guided.trace.outcome) {
                let why = format!("{which} version, line {}: {}", error.line, error.message);
                return Ok(Verdict::Failed(why));
            }
        }
        if self.args.html.is_some() {
            self.shown
                .push(Shown::of(self.pool, path, &old, &new, &found)?);
        }
        Ok(Verdict::Compared(Box::new(found)))
    }

    fn read(&self, root: &Path, path: &str) -> anyhow::Result<Program> {
        let file = root.join(path);
        let mut program = Program {
            id: path.to_owned(),
            source: Some(read_source(&file)?),
            stdin: self.args.settings.input.clone(),
            ..Program::default()
        };
        self.args.project.give(&mut program);
        let place = Place::of(&file, None, false)?;
        program.root = Some(place.root);
        program.package = place.package;
        Ok(program)
    }
}

fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    }
}

fn document(path: &str, verdict: &Verdict, is_same: bool) -> serde_json::Value {
    let (difference, worlds) = match verdict {
        Verdict::Compared(found) => (json!(found.difference), json!(found.worlds)),
        _ => (json!(null), json!(null)),
    };
    let why = match verdict {
        Verdict::Failed(why) => json!(why),
        _ => json!(null),
    };
    json!({
        "path": path, "same_text": is_same, "verdict": verdict.name(), "difference": difference,
        "worlds": worlds, "why": why,
    })
}

fn text(found: &ComparedVersions) -> String {
    match &found.difference {
        Difference::Same => "same\n".to_owned(),
        Difference::Different { values, picked } => {
            let mut text = "different\n".to_owned();
            let shown = |value: &Option<String>| match value {
                Some(value) => clean(value.trim_end_matches('\n')),
                None => "(not there)".to_owned(),
            };
            for (name, old, new) in values {
                let (old, new) = (shown(old), shown(new));
                text.push_str(&format!("  {}: {old} -> {new}\n", clean(name)));
            }
            let is = picked
                .iter()
                .map(|(term, value)| clean(&format!("{term} is {value}")));
            if !picked.is_empty() {
                text.push_str(&format!("where {}\n", is.collect::<Vec<_>>().join(", ")));
            }
            text
        }
        Difference::NotDistinguished { why } => {
            let mut text = "not distinguished\n".to_owned();
            for one in why {
                text.push_str(&format!("  {}\n", clean(one)));
            }
            text
        }
    }
}
