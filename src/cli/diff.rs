//! `codexec diff`: two versions of a program or a project under the same injected values.

mod versions;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use codexec_data::sandbox::Pool;
use codexec_data::trace::Program;
use serde_json::json;

use self::versions::Versions;
use super::guide::Settings;
use super::guide_view::ended_by_return;
use super::input::{read_source, show_syntax_error, syntax_error};
use super::json::Json;
use super::project::ProjectArgs;
use super::view::text::clean;
use crate::engine::project::Place;
use crate::guide::{ComparedVersions, Difference, compare};
use crate::values::Predictor;

/// How the comparison is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON document.
    Json,
}

/// Say whether two versions of a program or a project behave the same, under the same injected values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec diff old.py new.py
  codexec diff old_project/ new_project/     each Python file whose text differs
  codexec diff v1.0..v1.1                    two revisions of the git repository that you are in
  codexec diff HEAD~1.. --json

Both versions run several times, each time under other injected values, the same for both. Functions \
and methods that a version only defines are called. The verdict is `same`, `different` (with what \
differs, and for which values), or `not distinguished`: no difference was found, and the output says \
which questions stay open.

Exit code: 0 same, 1 different, 2 wrong usage or a file that cannot be compared, 3 not distinguished.")]
pub(super) struct Args {
    /// The old version: a file or a directory; or OLD..NEW, revisions of a git repository.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new version: a file or a directory.
    #[arg(value_name = "NEW")]
    new: Option<PathBuf>,
    /// How the comparison is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    project: ProjectArgs,
}

/// What cannot be compared: 1 says that versions differ.
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
    let pool = settings.pool(2, true)?;
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

fn code(difference: &Difference) -> u8 {
    match difference {
        Difference::Same => 0,
        Difference::Different { .. } => 1,
        Difference::NotDistinguished { .. } => 3,
    }
}

/// What came of a file of a project.
enum Verdict {
    Compared(Box<ComparedVersions>),
    /// The old version does not have it.
    Added,
    /// The new version does not have it.
    Removed,
    /// It cannot be compared.
    Failed(String),
}

impl Verdict {
    fn name(&self) -> &'static str {
        match self {
            Self::Compared(found) => match found.difference {
                Difference::Same => "same",
                Difference::Different { .. } => "different",
                Difference::NotDistinguished { .. } => "not distinguished",
            },
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Failed(_) => "not compared",
        }
    }
}

/// Compares the files that both versions of a project have and whose texts differ.
fn compared_projects(args: &Args, versions: &Versions) -> anyhow::Result<ExitCode> {
    let settings = &args.settings;
    let pairs = versions.changed()?;
    let predictor = settings.predictor()?;
    let pool = settings.pool(2, true)?;
    let format = if args.json { Format::Json } else { args.format };
    let mut out = anstream::stdout().lock();
    let mut documents = Vec::new();
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let mut worst = 0;
    for pair in &pairs {
        let verdict = match (pair.is_old, pair.is_new) {
            (false, _) => Verdict::Added,
            (_, false) => Verdict::Removed,
            _ => compared_file(args, versions, &pair.path, &pool, predictor.as_ref())?,
        };
        worst = match (&verdict, worst) {
            (Verdict::Compared(found), 0 | 3) if code(&found.difference) > 0 => {
                code(&found.difference)
            }
            (Verdict::Failed(_), 0 | 3) => TROUBLE,
            (Verdict::Compared(found), TROUBLE) if code(&found.difference) == 1 => 1,
            _ => worst,
        };
        match counts.iter_mut().find(|(name, _)| *name == verdict.name()) {
            Some((_, count)) => *count += 1,
            None => counts.push((verdict.name(), 1)),
        }
        match format {
            Format::Json => documents.push(document(&pair.path, &verdict)),
            Format::Text => {
                write!(out, "{}: ", clean(&pair.path))?;
                match &verdict {
                    Verdict::Compared(found) => write!(out, "{}", text(found))?,
                    Verdict::Failed(why) => writeln!(out, "not compared: {}", clean(why))?,
                    other => writeln!(out, "{}", other.name())?,
                }
                out.flush()?;
            }
        }
    }
    match format {
        Format::Json => writeln!(out, "{:#}", Json(json!({ "files": documents })))?,
        Format::Text if pairs.is_empty() => {
            writeln!(out, "same: no Python file has another text")?;
        }
        Format::Text => {
            let counts = counts.iter().map(|(name, count)| format!("{count} {name}"));
            let counts = counts.collect::<Vec<_>>().join(", ");
            writeln!(out, "{} with another text: {counts}", files(pairs.len()))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::from(worst))
}

fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    }
}

fn compared_file(
    args: &Args,
    versions: &Versions,
    path: &str,
    pool: &Pool,
    predictor: &dyn Predictor,
) -> anyhow::Result<Verdict> {
    let read = |root: &Path| {
        let file = root.join(path);
        let mut program = Program {
            id: path.to_owned(),
            source: Some(read_source(&file)?),
            stdin: args.settings.input.clone(),
            ..Program::default()
        };
        args.project.give(&mut program);
        let place = Place::of(&file, None, false)?;
        program.root = Some(place.root);
        program.package = place.package;
        Ok::<_, anyhow::Error>(program)
    };
    let programs = read(&versions.old).and_then(|old| Ok((old, read(&versions.new)?)));
    let (old, new) = match programs {
        Ok(programs) => programs,
        Err(error) => return Ok(Verdict::Failed(format!("{error:#}"))),
    };
    let found = compare(pool, &old, &new, predictor, &args.settings.options())?;
    for (which, guided) in [("old", &found.old), ("new", &found.new)] {
        if let Some(error) = syntax_error(&guided.trace.outcome) {
            let why = format!("{which} version, line {}: {}", error.line, error.message);
            return Ok(Verdict::Failed(why));
        }
    }
    Ok(Verdict::Compared(Box::new(found)))
}

fn document(path: &str, verdict: &Verdict) -> serde_json::Value {
    let (difference, worlds) = match verdict {
        Verdict::Compared(found) => (json!(found.difference), json!(found.worlds)),
        _ => (json!(null), json!(null)),
    };
    let why = match verdict {
        Verdict::Failed(why) => json!(why),
        _ => json!(null),
    };
    json!({
        "path": path, "verdict": verdict.name(), "difference": difference, "worlds": worlds, "why": why,
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
