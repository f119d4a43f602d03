//! `codexec eval guide`: how much of a program with missing values runs, and how realistic the run
//! is.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::eval_figures::{self, PageArgs};
use super::guide::Settings;
use super::json::Json;
use crate::eval::guide::{
    CoverageScores, OrderScores, cover, empty, order, read_lines, read_ordered, read_snippets,
};
use crate::eval::values::{Names, ValueScores, score};
use crate::guide::{Abstraction, GuideOptions};
use crate::values::Predictor;
use crate::values::events::{Part, ValueEvent, divide};
use crate::values::predictors::PREDICTORS;

/// Score predictors of missing values: coverage, agreement with recorded values, order of lines.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec eval guide --programs functions.jsonl.gz --programs stackoverflow.jsonl.gz
  codexec eval guide --events events.jsonl.zst --predictors type-use,frequency
  codexec eval guide --orca incomplete.json.gz

Programs are JSON Lines with `id` and `code`; events have `package`, `name`, `kind`, `value`, \
`before` and `after`; only those count that nothing was learnt from: every fifth package, and of the \
others every twentieth place. `most frequent` says what a name mostly is in the rest. Below the \
tables stand the figures of the literature for the same kind of programs.")]
pub(super) struct Args {
    /// Programs to run: JSON Lines, plain, .gz or .zst.
    #[arg(long, value_name = "FILE")]
    programs: Vec<PathBuf>,
    /// Recorded values to compare predictions with.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Score all recorded values, because nothing was learned from these packages.
    #[arg(long, requires = "events")]
    unlearned: bool,
    /// ORCA's incomplete programs with their true line order.
    #[arg(long, value_name = "FILE")]
    orca: Option<PathBuf>,
    /// Predictors to score, in this order.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = PossibleValuesParser::new(PREDICTORS), default_values_t = PREDICTORS.iter().map(|p| (*p).to_owned()))]
    predictors: Vec<String>,
    /// Score at most this many programs or events, sampled evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print one JSON document instead of Markdown tables.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    settings: Settings,
}

/// Percentages covered and fully run: the paper's, those of later systems, and those of its
/// published runtime measured on the same functions and 125 snippets.
const LITERATURE: &[(&str, &str, &str)] = &[
    ("its runtime, as is", "4.3 / 2.0", "36.4 / 25.6"),
    ("its runtime, naive", "14.0 / 8.0", "40.7 / 29.6"),
    ("its runtime, random", "13.6 / 6.5", "40.7 / 28.0"),
    ("paper, frequency", "22.6 / –", "–"),
    ("paper, CodeT5", "51.6 / 35", "65.1 / 49"),
    ("best later single run", "59 / 40", "75 / 60"),
    ("an adaptive object, one run", "71 / 51", "74 / 62"),
];

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.programs.is_empty() && args.events.is_none() && args.orca.is_none() {
        return Err(super::usage(
            "nothing to score: give --programs, --events or --orca",
        ));
    }
    let _page = args.page.reserve()?;
    let mut coverage: Vec<(String, String, CoverageScores)> = Vec::new();
    let mut orders: Vec<(String, OrderScores)> = Vec::new();
    let options = args.settings.options();
    let runs = !args.programs.is_empty() || args.orca.is_some();
    let pool = if runs {
        Some(args.settings.pool(usize::MAX, false, false)?)
    } else {
        None
    };
    let predictors: Vec<_> = args
        .predictors
        .iter()
        .map(|name| args.settings.named(name))
        .collect::<anyhow::Result<_>>()?;
    if let Some(pool) = &pool {
        for path in &args.programs {
            let snippets = evenly(read_snippets(path)?, args.limit);
            let set = path.display().to_string();
            for predictor in &predictors {
                for (name, options) in args.ways(predictor.name()) {
                    let scores = cover(pool, &snippets, predictor.as_ref(), &options)?;
                    coverage.push((set.clone(), name, scores));
                }
            }
        }
        if let Some(path) = &args.orca {
            let programs = evenly(read_ordered(path)?, args.limit);
            for predictor in &predictors {
                let scores = order(pool, &programs, predictor.as_ref(), &options)?;
                orders.push((predictor.name().to_owned(), scores));
            }
        }
    }
    let accuracy = match &args.events {
        Some(path) => {
            let rows = accuracy(&read_lines(path)?, &predictors, args.limit, args.unlearned);
            if rows.is_empty() {
                let what = "no value is held out of its few; give more events, or several packages";
                return Err(empty(path, what).into());
            }
            rows
        }
        None => Vec::new(),
    };
    args.page
        .write("Predictors of missing values", "Percent.", || {
            let accuracy = accuracy.iter();
            let accuracy = accuracy.map(|row| (row.held_out, row.predictor.as_str(), &row.scores));
            let columns = ["covered / fully run", "functions", "Stack Overflow"];
            let published = (&columns, LITERATURE);
            eval_figures::guide(&coverage, &accuracy.collect::<Vec<_>>(), &orders, published)
        })?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let document = json!({
            "coverage": coverage.iter().map(|(set, predictor, scores)| {
                json!({"set": set, "predictor": predictor, "scores": scores})
            }).collect::<Vec<_>>(),
            "accuracy": accuracy.iter().map(|row| json!({
                "held_out": row.held_out,
                "predictor": row.predictor,
                "scores": row.scores,
            })).collect::<Vec<_>>(),
            "order": named(&orders),
        });
        writeln!(out, "{:#}", Json(document))?;
    } else {
        write!(out, "{}", tables(&coverage, &accuracy, &orders))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Scores of a predictor on the events of a part, by kind and in total.
struct Accuracy {
    held_out: &'static str,
    predictor: String,
    scores: BTreeMap<String, ValueScores>,
}

/// Scores on both held-out parts. The first predictor shows what names alone achieve.
fn accuracy(
    events: &[ValueEvent],
    predictors: &[Box<dyn Predictor>],
    limit: Option<u32>,
    unlearned: bool,
) -> Vec<Accuracy> {
    let parts = match unlearned {
        true => vec![Part::Packages; events.len()],
        false => divide(events),
    };
    let of = |wanted: Part| {
        let with_parts = events.iter().zip(&parts);
        with_parts.filter_map(move |(event, part)| (*part == wanted).then_some(event))
    };
    let names = Names::of(of(Part::Train));
    let mut rows = Vec::new();
    for (part, held_out) in [(Part::Places, "places"), (Part::Packages, "packages")] {
        let events = evenly(of(part).collect(), limit);
        if events.is_empty() {
            continue;
        }
        let all = predictors.iter().map(|p| p.as_ref() as &dyn Predictor);
        let informed = all.filter(|p| p.name() != "as-is");
        for predictor in std::iter::once(&names as &dyn Predictor).chain(informed) {
            rows.push(Accuracy {
                held_out,
                predictor: predictor.name().to_owned(),
                scores: score(&events, predictor),
            });
        }
    }
    rows
}

impl Args {
    /// The rows of a predictor: the paper's one value per class, and for the default predictor also
    /// its default values. With --abstraction, only that one.
    fn ways(&self, predictor: &str) -> Vec<(String, GuideOptions)> {
        let options = self.settings.options();
        let fine = GuideOptions {
            abstraction: Abstraction::Fine,
            ..options.clone()
        };
        match (self.settings.abstraction, predictor) {
            (Some(_), _) => vec![(predictor.to_owned(), options)],
            (None, "combined" | "linear" | "type-use" | "neural") => vec![
                (format!("{predictor}, adaptive"), options),
                (format!("{predictor}, fine"), fine),
            ],
            (None, "as-is") => vec![(predictor.to_owned(), options)],
            (None, _) => vec![(format!("{predictor}, fine"), fine)],
        }
    }
}

fn named<S: serde::Serialize>(rows: &[(String, S)]) -> Vec<serde_json::Value> {
    let row = |(name, scores): &(String, S)| json!({"predictor": name, "scores": scores});
    rows.iter().map(row).collect()
}

/// `limit` of `all`, spread evenly.
pub(super) fn evenly<T>(all: Vec<T>, limit: Option<u32>) -> Vec<T> {
    let count = limit.map_or(all.len(), |n| (n as usize).min(all.len()));
    let total = all.len();
    let mut taken = 0;
    let all = all.into_iter().enumerate();
    all.filter(|(k, _)| {
        let take = taken < count && *k == taken * total / count;
        taken += usize::from(take);
        take
    })
    .map(|(_, one)| one)
    .collect()
}

fn tables(
    coverage: &[(String, String, CoverageScores)],
    accuracy: &[Accuracy],
    orders: &[(String, OrderScores)],
) -> String {
    let mut text = String::new();
    let mut line = |row: String| {
        text.push_str(&row);
        text.push('\n');
    };
    let mut set = "";
    for (of, predictor, s) in coverage {
        if of != set {
            line(format!("\n{of}: {} programs, percent\n", s.programs));
            line("| predictor | covered | fully run | ms a line |".to_owned());
            line("|---|--:|--:|--:|".to_owned());
            set = of;
        }
        let (covered, full) = (100.0 * s.covered, 100.0 * s.full);
        let millis = s.millis_a_line;
        line(format!(
            "| {predictor} | {covered:.1} | {full:.1} | {millis:.2} |"
        ));
    }
    if !coverage.is_empty() {
        line("\n| covered / fully run | functions | Stack Overflow |\n|---|--:|--:|".to_owned());
        for (who, functions, snippets) in LITERATURE {
            line(format!("| {who} | {functions} | {snippets} |"));
        }
    }
    let mut part = "";
    for row in accuracy {
        if row.held_out != part {
            part = row.held_out;
            let events = row.scores.get("all").map_or(0, |s| s.events);
            line(format!(
                "\n{events} recorded values of {part} held out: class among the first 1 / 3 / 5, percent\n"
            ));
            line("| predictor | 22 classes | 12 classes | names | attributes | calls |".to_owned());
            line("|---|--:|--:|--:|--:|--:|".to_owned());
        }
        let top = |shares: Option<[f64; 3]>| {
            let cells =
                shares.map(|shares| shares.map(|x| format!("{:.1}", 100.0 * x)).join(" / "));
            cells.unwrap_or_else(|| "–".to_owned())
        };
        let fine = |of: &str| top(row.scores.get(of).map(|s| s.fine));
        let coarse = top(row.scores.get("all").map(|s| s.coarse));
        let (predictor, all) = (&row.predictor, fine("all"));
        let kinds = ["name", "attribute", "call"].map(fine).join(" | ");
        line(format!("| {predictor} | {all} | {coarse} | {kinds} |"));
    }
    if !accuracy.is_empty() {
        line("\n| paper | 22 classes | 12 classes |\n|---|--:|--:|".to_owned());
        line("| CodeT5, its own events | 80.1 / 88.4 / 91.7 | 88.1 / 92.1 / 94.2 |".to_owned());
    }
    if let Some((_, first)) = orders.first() {
        line(format!(
            "\nORCA's incomplete set: {} programs, percent\n",
            first.programs
        ));
        line("| predictor | order exact | error detected | error line |".to_owned());
        line("|---|--:|--:|--:|".to_owned());
        for (predictor, s) in orders {
            let cells = [s.exact, s.detected, s.error_line].map(|x| format!("{:.1}", 100.0 * x));
            line(format!("| {predictor} | {} |", cells.join(" | ")));
        }
    }
    text.trim_start_matches('\n').to_owned()
}
