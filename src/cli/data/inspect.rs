//! `codexec data inspect`: summarises files of examples.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::records::{Counts, Lengths, Record, RecordReader, Summary};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cli::json::Json;
use crate::cli::view::text::{clean, fit, pad, width};
use crate::cli::{figures, terminal, view};
use crate::eval::records::shown_trace;

/// Summarise files of examples: counts, length histograms, samples.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec data inspect train.jsonl.zst --samples 3 --seed 1
  codexec data inspect train.jsonl.zst --html train.html     a page with histograms

Reads JSON Lines (packed or not), Parquet, a directory of such files (counted together), and the published \
data sets. Lengths are in words of code_tokens and trace_tokens.

--json: one object per FILE with file, records, kinds, outcomes, problems, parents, operators, unmutated, \
sources, licences; code_tokens, trace_tokens and steps with min, mean, median, p90, max and histogram \
([{from, to, count}]); and samples, records as they are.")]
pub(in crate::cli) struct Args {
    /// Files, or directories of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Show this many examples, drawn at random.
    #[arg(long, default_value_t = 0, value_name = "N")]
    samples: usize,
    /// Seed of that draw.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Print one JSON object per file.
    #[arg(long)]
    json: bool,
    /// Also write an HTML page with histograms of steps and lengths, and with the counts.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite an existing page.
    #[arg(long, requires = "html")]
    force: bool,
}

/// Values listed of a count; the rest is summed up.
const LISTED: usize = 12;

/// Columns of the longest bar.
const BAR: usize = 40;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _page = match &args.html {
        Some(path) => Some(super::reserve(path, args.force)?),
        None => None,
    };
    let mut sections = Vec::new();
    let mut out = anstream::stdout().lock();
    for (k, path) in args.files.iter().enumerate() {
        let (summary, samples) = read(path, args)?;
        if args.html.is_some() {
            sections.push(figures::records(&path.display().to_string(), &summary));
        }
        if args.json {
            let mut object = serde_json::to_value(&summary)?;
            object["file"] = path.display().to_string().into();
            object["samples"] = serde_json::to_value(&samples)?;
            writeln!(out, "{}", Json(object))?;
            continue;
        }
        if k > 0 {
            writeln!(out)?;
        }
        write!(out, "{}", describe(path, &summary))?;
        for record in &samples {
            write!(out, "\n{}", sample(record))?;
        }
    }
    out.flush()?;
    if let Some(page) = &args.html {
        let title = match args.files.as_slice() {
            [file] => file.display().to_string(),
            files => format!("{} files of examples", files.len()),
        };
        figures::write(page, &title, None, sections)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Counts a file and draws samples uniformly.
fn read(path: &Path, args: &Args) -> anyhow::Result<(Summary, Vec<Record>)> {
    let mut summary = Summary::default();
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let mut samples: Vec<(u64, Record)> = Vec::new();
    for record in RecordReader::open(path)? {
        let record = record?;
        summary.add(&record);
        if samples.len() < args.samples {
            samples.push((summary.records, record));
        } else if args.samples > 0 {
            let at = rng.random_range(0..summary.records) as usize;
            if at < args.samples {
                samples[at] = (summary.records, record);
            }
        }
    }
    if summary.records == 0 {
        bail!("{}: no example in it", path.display());
    }
    samples.sort_by_key(|(at, _)| *at);
    Ok((
        summary,
        samples.into_iter().map(|(_, record)| record).collect(),
    ))
}

/// Counts and histograms as text.
fn describe(path: &Path, summary: &Summary) -> String {
    let mut text = format!(
        "{}: {} examples, {} problems, {} parent programs\n",
        clean(&path.display().to_string()),
        summary.records,
        summary.problems.count(),
        summary.parents.count(),
    );
    if summary.records == 0 {
        return text;
    }
    let mut operators = summary.operators.clone();
    if !operators.is_empty() {
        operators.insert("none".to_owned(), summary.unmutated);
    }
    for (name, counts) in [
        ("kinds", &summary.kinds),
        ("outcomes", &summary.outcomes),
        ("operators", &operators),
        ("sources", &summary.sources),
        ("licences", &summary.licences),
    ] {
        list(&mut text, name, counts);
    }
    for (name, lengths) in [
        ("code tokens", &summary.code_tokens),
        ("trace tokens", &summary.trace_tokens),
        ("steps", &summary.steps),
    ] {
        histogram(&mut text, name, lengths);
    }
    text
}

/// The most frequent values of a count, on one line.
fn list(text: &mut String, name: &str, counts: &Counts) {
    if counts.is_empty() {
        return;
    }
    let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest = counts.split_off(counts.len().min(LISTED));
    let listed = counts
        .iter()
        .map(|(value, n)| format!("{} {n}", fit(&clean(value), 48)));
    let mut listed: Vec<String> = listed.collect();
    if !rest.is_empty() {
        let sum: u64 = rest.iter().map(|(_, n)| **n).sum();
        listed.push(format!("{} others {sum}", rest.len()));
    }
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{}  {}", pad(name, 12), listed.join(", "));
}

fn histogram(text: &mut String, name: &str, lengths: &Lengths) {
    let at = |share| lengths.quantile(share);
    let _ = writeln!(
        text,
        "\n{name}: mean {:.1}, median {}, 90 % up to {}, from {} to {}",
        lengths.mean(),
        at(0.5),
        at(0.9),
        at(0.0),
        at(1.0),
    );
    let bars = lengths.histogram();
    let most = bars.iter().map(|b| b.count).max().unwrap_or(0).max(1);
    for bar in bars {
        let label = if bar.from == bar.to {
            bar.from.to_string()
        } else {
            format!("{}–{}", bar.from, bar.to)
        };
        let drawn = drawn(bar.count, most);
        let blanks = " ".repeat(14_usize.saturating_sub(width(&label)));
        let _ = writeln!(text, "{blanks}{label}  {drawn} {}", bar.count);
    }
}

/// A bar of blocks, in eighths. Never empty for a nonzero value.
fn drawn(count: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (count as f64 / most as f64 * (8 * BAR) as f64).round() as usize;
    let eighths = eighths.max(usize::from(count > 0));
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// An example: its description, its input, and its lines beside their effects.
fn sample(record: &Record) -> String {
    let mut head = vec![clean(&record.id), record.kind.name().to_owned()];
    let known = [
        ("problem", &record.problem),
        ("parent", &record.parent),
        ("source", &record.source),
        ("licence", &record.licence),
    ];
    for (name, value) in known {
        head.extend(value.as_ref().map(|v| format!("{name} {}", clean(v))));
    }
    if !record.operators.is_empty() {
        head.push(clean(&record.operators.join("+")));
    }
    let mut text = format!("── {}\n", head.join(" · "));
    for line in record.stdin.as_deref().unwrap_or_default().lines() {
        let _ = writeln!(text, "stdin │ {}", fit(&clean(line), 90));
    }
    match shown_trace(record) {
        Some(trace) => {
            text.push_str(&view::render(&trace, &record.code, &terminal::style()));
        }
        None => {
            for line in record.code.lines() {
                let _ = writeln!(text, "{}", fit(&clean(line), 100));
            }
            let _ = writeln!(text, "{}", fit(&clean(&record.trace_tokens), 400));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_to_scale_and_something_is_never_nothing() {
        assert_eq!(drawn(0, 10), "");
        assert_eq!(drawn(1, 1_000_000), "▏");
        assert_eq!(drawn(10, 10), "█".repeat(BAR));
        assert_eq!(drawn(5, 10), "█".repeat(BAR / 2));
        assert_eq!(drawn(41, 320), "█████▏");
    }

    #[test]
    fn the_most_frequent_are_listed_and_the_rest_is_summed() {
        let counts: Counts = (1..=14).map(|n| (format!("v{n}\x1b"), n)).collect();
        let mut text = String::new();
        list(&mut text, "values", &counts);
        assert!(
            text.starts_with("values        v14\\x1b 14, v13\\x1b 13"),
            "{text}"
        );
        assert!(text.ends_with("2 others 3\n"), "{text}");
    }
}
