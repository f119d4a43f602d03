//! Runs programs of many seeds: counts, rows, and a directory from which a run can be resumed.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::comparison::{Class, Comparison, Verdict};
use super::generator::Generator;
use super::minimiser::minimise;

/// Programs that are judged together.
const BATCH: u64 = 64;

/// Settings of a campaign.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The first seed.
    pub seed: u64,
    /// Seeds.
    pub count: u64,
    /// Statements of a program, as requested.
    pub statements: String,
    /// Maximum time, if limited.
    pub time: Option<Duration>,
    /// Maximum time to minimise one program. `None` disables it.
    pub minimise: Option<Duration>,
    /// Directory of rows and progress.
    pub keep: Option<PathBuf>,
    /// Hides progress.
    pub quiet: bool,
}

/// A program with a difference.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Its seed.
    pub seed: u64,
    /// Its class, by [`Class::name`].
    pub class: String,
    /// The kind of difference or stop.
    pub kind: String,
    /// Line of the program, 1-based; 0 if there is none.
    pub line: u32,
    /// The planned and the actual result.
    pub detail: String,
    /// Productions of its statements.
    pub titles: Vec<String>,
    /// The program, minimised if requested.
    pub program: String,
}

/// Progress of a campaign: the file `progress.json` of its directory.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Progress {
    statements: String,
    first: u64,
    next: u64,
    /// Seeds that are being planned: still there where the process was lost over them.
    at: Option<(u64, u64)>,
    counts: BTreeMap<String, u64>,
    seconds: f64,
}

/// Results of a campaign.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Statements of a program.
    pub statements: String,
    /// The first seed.
    pub first: u64,
    /// The seed to continue from.
    pub next: u64,
    /// Programs by class.
    pub counts: BTreeMap<String, u64>,
    /// Time it took.
    pub seconds: f64,
    /// Programs that are not equal.
    pub rows: Vec<Row>,
}

/// The file of rows and the file of the progress.
struct Kept {
    directory: PathBuf,
}

impl Kept {
    fn rows(&self) -> PathBuf {
        self.directory.join("rows.jsonl")
    }

    fn read(&self, plan: &Plan) -> Result<(Progress, Vec<Row>)> {
        let path = self.directory.join("progress.json");
        let Ok(text) = std::fs::read_to_string(&path) else {
            return Ok((begun(plan), Vec::new()));
        };
        let progress: Progress = serde_json::from_str(&text).with_context(|| {
            format!(
                "{} holds no progress; name another directory",
                path.display()
            )
        })?;
        ensure!(
            (&progress.statements, progress.first) == (&plan.statements, plan.seed),
            "{} holds programs of {} statements from seed {} on: ask for these, or name another directory",
            self.directory.display(),
            progress.statements,
            progress.first
        );
        let text = std::fs::read_to_string(self.rows()).unwrap_or_default();
        let rows = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        // Rows of seeds that are not done were being written.
        let rows = rows.filter(|row: &Row| row.seed < progress.next).collect();
        Ok((progress, rows))
    }

    fn write(&self, progress: &Progress, rows: &[Row]) -> Result<()> {
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.rows())?;
        for row in rows {
            writeln!(file, "{}", serde_json::to_string(row)?)?;
        }
        let (path, part) = (
            self.directory.join("progress.json"),
            self.directory.join("progress.part"),
        );
        std::fs::write(&part, serde_json::to_string_pretty(progress)?)?;
        std::fs::rename(part, path)?;
        Ok(())
    }
}

fn begun(plan: &Plan) -> Progress {
    Progress {
        statements: plan.statements.clone(),
        first: plan.seed,
        next: plan.seed,
        ..Progress::default()
    }
}

/// Judges the programs of a plan, or the remaining ones.
///
/// # Errors
/// If the sandbox fails, or the directory cannot be used.
pub(crate) fn run(plan: &Plan, generator: &Generator, comparison: &Comparison) -> Result<Report> {
    let kept = plan.keep.as_deref().map(kept).transpose()?;
    let (mut progress, mut rows) = match &kept {
        Some(kept) => kept.read(plan)?,
        None => (begun(plan), Vec::new()),
    };
    let (begin, before) = (Instant::now(), progress.seconds);
    let end = plan.seed.saturating_add(plan.count);
    // After a process was lost over several seeds, each is planned alone; over a single one, it is
    // skipped.
    let mut alone_until = 0;
    if let Some((first, many)) = progress.at.take() {
        if many == 1 {
            let row = lost(&generator.program(first));
            note(&mut progress, &row.class);
            progress.next = first + 1;
            if let Some(kept) = &kept {
                kept.write(&progress, std::slice::from_ref(&row))?;
            }
            rows.push(row);
        }
        alone_until = first + BATCH;
    }
    while progress.next < end {
        if plan.time.is_some_and(|most| begin.elapsed() >= most) {
            break;
        }
        let many = if progress.next < alone_until {
            1
        } else {
            BATCH
        };
        let seeds = progress.next..(progress.next + many).min(end);
        if let Some(kept) = &kept {
            progress.at = Some((seeds.start, seeds.end - seeds.start));
            kept.write(&progress, &[])?;
        }
        let programs: Vec<_> = seeds.clone().map(|seed| generator.program(seed)).collect();
        let sources: Vec<String> = programs.iter().map(|p| p.source.clone()).collect();
        let verdicts = comparison.judge(&sources)?;
        let mut fresh = Vec::new();
        for (program, verdict) in programs.into_iter().zip(verdicts) {
            note(&mut progress, verdict.class.name());
            if verdict.class == Class::Equal {
                continue;
            }
            let wanted = matches!(
                verdict.class,
                Class::Silent | Class::Message | Class::Broken
            );
            let (source, verdict) = match plan.minimise.filter(|_| wanted) {
                Some(most) => minimise(comparison, &program.source, &verdict, most)?,
                None => (program.source, verdict),
            };
            fresh.push(row(program.seed, program.titles, source, verdict));
        }
        progress.next = seeds.end;
        progress.at = None;
        progress.seconds = before + begin.elapsed().as_secs_f64();
        if let Some(kept) = &kept {
            kept.write(&progress, &fresh)?;
        }
        rows.append(&mut fresh);
        if !plan.quiet {
            let wrong = progress.counts.get(Class::Silent.name()).unwrap_or(&0);
            let done = progress.next - plan.seed;
            eprint!(
                "\r{done} of {} programs, {wrong} silently wrong ",
                plan.count
            );
        }
    }
    if !plan.quiet {
        eprintln!();
    }
    Ok(Report {
        statements: progress.statements,
        first: plan.seed,
        next: progress.next,
        counts: progress.counts,
        seconds: before + begin.elapsed().as_secs_f64(),
        rows,
    })
}

fn kept(directory: &Path) -> Result<Kept> {
    std::fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be made", directory.display()))?;
    Ok(Kept {
        directory: directory.to_owned(),
    })
}

fn note(progress: &mut Progress, class: &str) {
    *progress.counts.entry(class.to_owned()).or_default() += 1;
}

fn row(seed: u64, titles: Vec<String>, program: String, verdict: Verdict) -> Row {
    Row {
        seed,
        class: verdict.class.name().to_owned(),
        kind: verdict.kind,
        line: verdict.line,
        detail: verdict.detail,
        titles,
        program,
    }
}

fn lost(program: &super::generator::Generated) -> Row {
    let why = "the process was lost";
    row(
        program.seed,
        program.titles.clone(),
        program.source.clone(),
        Verdict {
            class: Class::Broken,
            kind: why.to_owned(),
            line: 0,
            detail: why.to_owned(),
        },
    )
}
