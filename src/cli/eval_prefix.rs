//! `codexec eval prefix`: how much of a program with missing values runs behind prefixes.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use super::eval_figures::{self, PageArgs};
use super::eval_guide::evenly;
use super::json::Json;
use super::llm::used;
use super::prefix::Settings;
use crate::eval::guide::read_snippets;
use crate::eval::prefix::{PrefixScores, Reach, score, search};

/// Score prefixes: lines executed by all of them and by the best one, after each step.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec eval prefix --programs functions.jsonl.gz --programs stackoverflow.jsonl.gz
  codexec eval prefix --programs functions.jsonl.gz --limit 100 --json

Programs are JSON Lines with `id` and `code`. Beside the scores stand those of the literature for \
programs of the same kind.")]
pub(super) struct Args {
    /// Programs: JSON Lines, plain, .gz or .zst.
    #[arg(long, value_name = "FILE", required = true)]
    programs: Vec<PathBuf>,
    /// Score at most this many programs, sampled evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print one JSON document with every program's result instead of Markdown tables.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    settings: Settings,
}

/// P, p_best and share fully run: functions, Stack Overflow.
const LITERATURE: &[(&str, &str, &str)] = &[
    ("Treefix, GPT-4o", "84 / 76 / 69", "82 / 72 / 71"),
    ("SelfPiCo", "59 / – / –", "75 / – / –"),
    ("Incompleter", "51 / – / –", "69 / – / –"),
    (
        "all names as MagicMock",
        "55.3 / 55.3 / 36.5",
        "68.9 / 68.9 / 55.2",
    ),
    (
        "a sketch of these rules",
        "86.5 / 77.7 / 67.5",
        "86.0 / 85.1 / 77.6",
    ),
];

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _page = args.page.reserve()?;
    let generator = args.settings.generator()?;
    // Scores should not depend on installed packages.
    let pool = args.settings.pool(false)?;
    let options = args.settings.options(&pool);
    let mut rows = Vec::new();
    let mut documents = Vec::new();
    for path in &args.programs {
        let snippets = evenly(read_snippets(path)?, args.limit);
        let found = search(&pool, &snippets, generator.as_ref(), &options)?;
        let scores = score(&found);
        let set = path.display().to_string();
        if args.json {
            let programs = snippets.iter().zip(&found).map(|(snippet, found)| {
                json!({"id": snippet.id, "seconds": found.as_ref().map(|f| f.time.as_secs_f64()), "found": found})
            });
            documents.push(json!({
                "set": set,
                "generator": generator.name(),
                "scores": scores,
                "programs": programs.collect::<Vec<_>>(),
            }));
        }
        let usages = found.iter().flatten().filter_map(|f| f.usage);
        if let Some(all) = usages.reduce(|a, b| a + b) {
            super::note(&format!("{set}: {}", used(&all)));
        }
        rows.push((set, scores));
    }
    args.page.write("Prefixes", "Percent.", || {
        let columns = ["P / p_best / fully run", "functions", "Stack Overflow"];
        eval_figures::prefix(generator.name(), &rows, (&columns, LITERATURE))
    })?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", Json(json!(documents)))?;
    } else {
        write!(out, "{}", tables(generator.name(), &rows))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn tables(generator: &str, rows: &[(String, PrefixScores)]) -> String {
    let mut text = String::new();
    let mut line = |row: String| {
        text.push_str(&row);
        text.push('\n');
    };
    for (set, scores) in rows {
        line(format!(
            "{set}: {} programs, {generator}, percent\n",
            scores.programs
        ));
        line("| after | P | p_best | fully run | fully run by p_best |".to_owned());
        line("|---|--:|--:|--:|--:|".to_owned());
        let named = ["undefinedness", "error, round 1", "coverage, round 1"];
        for (name, reach) in named.iter().zip(&scores.steps) {
            line(row(name, *reach));
        }
        line(row("all rounds", scores.reach));
        line(format!(
            "\n{:.1} prefixes in P, {:.1} tried, {:.2} s a program (median {:.2} s)\n",
            scores.set, scores.tried, scores.seconds.0, scores.seconds.1
        ));
        line("| needs | prefixes in P | p_best |".to_owned());
        line("|---|--:|--:|".to_owned());
        for (needs, all, best) in &scores.needs {
            line(format!("| {} | {all} | {best} |", needs.as_str()));
        }
        let (all, best) = scores.lines;
        line(format!("| lines of the median prefix | {all} | {best} |\n"));
        let kinds = scores
            .values
            .iter()
            .map(|(kind, n)| format!("{kind} {n:.2}"));
        let kinds: Vec<String> = kinds.collect();
        line(format!("distinct values a program: {}\n", kinds.join(", ")));
    }
    line("| P / p_best / fully run | functions | Stack Overflow |\n|---|--:|--:|".to_owned());
    for (who, functions, snippets) in LITERATURE {
        line(format!("| {who} | {functions} | {snippets} |"));
    }
    text
}

fn row(name: &str, reach: Reach) -> String {
    let cells = [reach.cumulative, reach.best, reach.full, reach.full_best];
    let cells = cells.map(|x| format!("{:.1}", 100.0 * x));
    format!("| {name} | {} |", cells.join(" | "))
}
