//! The report of a run as a page: its stages, its curves, its scores on held-out data.

use std::path::{Path, PathBuf};

use anyhow::Context;
use codexec_curriculum::{CURVES, METRICS_FILE, Metrics, OnlineRow};
use codexec_data::files::write_whole;
use codexec_page::Page;
use codexec_page::report::{Cell, Curves, Part, Section, Series, Table};

use super::super::figures;
use super::super::serve::Made;
use super::super::view::text::clean;

/// Writes `report.html` into the directory of a run and returns its path.
///
/// # Errors
/// If there are no metrics or the file cannot be written.
pub(super) fn write(run: &Path) -> anyhow::Result<PathBuf> {
    let path = run.join("report.html");
    let html = page(run, &Metrics::read(run)?).html()?;
    write_whole(&path, html.as_bytes()).with_context(|| path.display().to_string())?;
    Ok(path)
}

/// The report as a page to serve.
///
/// # Errors
/// If there are no metrics.
pub(super) fn made(run: &Path) -> anyhow::Result<Made> {
    let mut page = page(run, &Metrics::read(run)?);
    page.live = true;
    Made::of(&page, vec![run.join(METRICS_FILE)])
}

fn page(run: &Path, metrics: &Metrics) -> Page<'static> {
    let name = match run.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => run.display().to_string(),
    };
    let summary = match metrics.reached() {
        Some(reached) => format!(
            "{} steps, {:.2} million tokens, {:.1} minutes, {} steps skipped.",
            reached.steps,
            reached.tokens / 1e6,
            reached.seconds / 60.0,
            reached.skipped
        ),
        None => "No record yet.".to_owned(),
    };
    let summary = match metrics.unreadable {
        0 => summary,
        count => format!("{summary} {count} lines could not be read."),
    };
    let mut sections = vec![stages(metrics)];
    let curves = CURVES.iter().filter_map(|(key, title)| {
        let series = metrics.by_stage(key).into_iter();
        curve(title, "million tokens", series)
    });
    let curves: Vec<Part> = curves.collect();
    if !curves.is_empty() {
        sections.push(Section::new("Curves", curves));
    }
    let scores = metrics.scores.iter().filter_map(|(name, points)| {
        let series = std::iter::once((name.clone(), points.clone()));
        curve(&format!("Validation: {}", clean(name)), "step", series)
    });
    let lowest = lowest(metrics).map(Part::text);
    let scores: Vec<Part> = lowest.into_iter().chain(scores).collect();
    if !scores.is_empty() {
        sections.push(Section::new("Validation", scores));
    }
    figures::page(&format!("Training in {name}"), Some(summary), sections)
}

/// A line chart. `None` if there is no point.
fn curve(
    title: &str,
    x: &str,
    series: impl Iterator<Item = (String, Vec<(f64, f64)>)>,
) -> Option<Part> {
    let series = series.filter(|(_, points)| !points.is_empty());
    let series: Vec<Series> = series
        .map(|(name, points)| Series {
            name: clean(&name),
            points,
            notes: Vec::new(),
        })
        .collect();
    let curves = Curves {
        title: title.to_owned(),
        x: x.to_owned(),
        series,
        ..Curves::default()
    };
    (!curves.series.is_empty()).then(|| curves.into())
}

/// What a generated set has contributed, in words.
pub(super) fn said_of(made: &OnlineRow) -> String {
    let all = (made.fresh + made.repeated).max(1.0);
    format!(
        "{}: {} fresh traces, none twice ({} more had come before, {:.1} %); training waited for {} of {} rounds, {} traces.",
        clean(&made.set),
        made.fresh,
        made.repeated,
        made.repeated / all * 100.0,
        made.waited,
        made.rounds,
        made.waited_for
    )
}

/// Where the validation loss is lowest, and whether it has risen since. `None` if nothing was
/// validated.
fn lowest(metrics: &Metrics) -> Option<String> {
    let (step, loss) = metrics.best_validation()?;
    let (last, now) = *metrics.validations().last()?;
    let said = format!("Lowest validation loss: {loss:.4} after step {step}");
    Some(match last > step {
        true => format!("{said}; it has risen since, to {now:.4} after step {last}."),
        false => format!("{said}, the last one."),
    })
}

/// A table of the stages and the chosen settings.
fn stages(metrics: &Metrics) -> Section {
    let mut table = Table::new([
        "stage",
        "steps to",
        "million tokens to",
        "minutes to",
        "first loss",
        "last loss",
    ]);
    let loss = |loss: Option<f64>| loss.map_or("–".to_owned(), |loss| format!("{loss:.4}"));
    for stage in metrics.stages() {
        table.push([
            Cell::text(clean(&stage.name)),
            Cell::number(stage.reached.steps),
            Cell::number(format!("{:.2}", stage.reached.tokens / 1e6)),
            Cell::number(format!("{:.1}", stage.reached.seconds / 60.0)),
            Cell::number(loss(stage.first_loss)),
            Cell::number(loss(stage.last_loss)),
        ]);
    }
    let mut parts = vec![Part::from(table)];
    parts.extend(metrics.made().iter().map(|made| Part::text(said_of(made))));
    parts.extend(metrics.chosen.iter().map(|chosen| {
        Part::text(format!(
            "Of {} examples of {}, the {} with the highest loss were taken: mean {:.3} where it is {:.3} of all.",
            chosen.scored,
            clean(&chosen.set),
            chosen.chosen,
            chosen.mean_loss_chosen,
            chosen.mean_loss
        ))
    }));
    Section::new("Stages", parts)
}
