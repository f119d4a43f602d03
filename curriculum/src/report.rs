//! A run as one HTML file with its charts in it: `metrics.jsonl` in, `report.html` out. It needs
//! nothing but that file, loads nothing from the net and runs no script.

mod chart;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use codexec_data::files::write_whole;
use serde_json::Value;

use self::chart::{Chart, Series, escaped};
use crate::error::{Error, Result};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:1080px;margin:2em auto;\
padding:0 1em;color:#222}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;\
border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}figure{display:inline-block;\
margin:.5em 1em .5em 0}svg text{font:11px system-ui,sans-serif;fill:#555}";

/// What the metrics of a run say, line by line.
#[derive(Debug, Default)]
struct Run {
    /// Records of loss and speed.
    records: Vec<Value>,
    /// Name of a score → (step, score).
    scores: BTreeMap<String, Vec<(f64, f64)>>,
    /// What was chosen of data sets.
    chosen: Vec<Value>,
    /// Lines that are no JSON; the last of a run that goes on may be one.
    unreadable: usize,
}

impl Run {
    fn of(text: &str) -> Self {
        let mut run = Self::default();
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else {
                run.unreadable += 1;
                continue;
            };
            if let Some(scores) = value.get("validation").and_then(Value::as_object) {
                for (name, score) in scores {
                    let point = number(&value, "step").zip(score.as_f64());
                    run.scores.entry(name.clone()).or_default().extend(point);
                }
            } else if let Some(chosen) = value.get("hardest") {
                run.chosen.push(chosen.clone());
            } else {
                run.records.push(value);
            }
        }
        run
    }

    /// One series a stage, in order: `key` over the tokens seen, in millions.
    fn by_stage(&self, key: &str) -> Vec<Series> {
        let mut series: Vec<Series> = Vec::new();
        for record in &self.records {
            let name = record["stage"].as_str().unwrap_or_default();
            if series.last().is_none_or(|last| last.name != name) {
                series.push(Series::new(name));
            }
            let point = number(record, "tokens").zip(number(record, key));
            if let (Some(last), Some((tokens, y))) = (series.last_mut(), point) {
                last.points.push((tokens / 1e6, y));
            }
        }
        series
    }
}

fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key)?.as_f64()
}

/// Writes `report.html` into the directory of a run; its path.
///
/// # Errors
/// [`Error::Io`] when there are no metrics or the file cannot be written.
pub fn write_report(run_dir: &Path) -> Result<PathBuf> {
    let metrics = run_dir.join("metrics.jsonl");
    let text = fs::read_to_string(&metrics).map_err(Error::io("read", &metrics))?;
    let path = run_dir.join("report.html");
    let name = run_dir.file_name().map_or_else(
        || run_dir.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let page = html(&name, &Run::of(&text));
    write_whole(&path, page.as_bytes()).map_err(Error::io("write", &path))?;
    Ok(path)
}

fn html(name: &str, run: &Run) -> String {
    let title = format!("Run {}", escaped(name));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    if let Some(last) = run.records.last() {
        let count = |key: &str| number(last, key).unwrap_or(0.0);
        let _ = writeln!(
            out,
            "<p>{} steps, {:.2} million tokens, {:.1} minutes, {} steps skipped.</p>",
            count("step"),
            count("tokens") / 1e6,
            count("elapsed") / 60.0,
            count("skipped"),
        );
    } else {
        out.push_str("<p>No record yet.</p>\n");
    }
    if run.unreadable > 0 {
        let _ = writeln!(out, "<p>{} lines could not be read.</p>", run.unreadable);
    }
    stages(&mut out, run);
    for (title, key) in [
        ("Loss of a target token", "loss"),
        ("Share of target tokens predicted right", "accuracy"),
        ("Learning rate", "lr"),
        ("Tokens per second", "tokens_per_second"),
        ("Norm of the gradient, before clipping", "grad_norm"),
        ("Share of positions that are no padding", "real_share"),
        ("Share of the time spent waiting for data", "data_wait"),
        ("Steps skipped so far", "skipped"),
    ] {
        let series = run.by_stage(key);
        let chart = Chart {
            title,
            x: "million tokens",
            series,
        };
        chart.draw(&mut out);
    }
    for (score, points) in &run.scores {
        let series = vec![Series {
            name: score.clone(),
            points: points.clone(),
        }];
        let title = format!("Validation: {score}");
        let chart = Chart {
            title: &title,
            x: "step",
            series,
        };
        chart.draw(&mut out);
    }
    out.push_str("</body></html>\n");
    out
}

/// A table of the stages, and what was chosen for them.
fn stages(out: &mut String, run: &Run) {
    out.push_str(
        "<table><tr><th>stage</th><th>steps to</th><th>million tokens to</th><th>minutes to</th>\
         <th>first loss</th><th>last loss</th></tr>\n",
    );
    let mut at = 0;
    while at < run.records.len() {
        let stage = &run.records[at]["stage"];
        let rest = &run.records[at..];
        let count = rest.iter().take_while(|r| &r["stage"] == stage).count();
        let last = &rest[count - 1];
        let loss =
            |record: &Value| number(record, "loss").map_or("–".into(), |x| format!("{x:.4}"));
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{:.2}</td><td>{:.1}</td><td>{}</td><td>{}</td></tr>",
            escaped(stage.as_str().unwrap_or_default()),
            number(last, "step").unwrap_or(0.0),
            number(last, "tokens").unwrap_or(0.0) / 1e6,
            number(last, "elapsed").unwrap_or(0.0) / 60.0,
            loss(&rest[0]),
            loss(last),
        );
        at += count;
    }
    out.push_str("</table>\n");
    for chosen in &run.chosen {
        let get = |key: &str| number(chosen, key).unwrap_or(0.0);
        let _ = writeln!(
            out,
            "<p>Of {} examples of {}, the {} with the highest loss were taken: mean {:.3} where it is \
             {:.3} of all.</p>",
            get("scored"),
            escaped(chosen["set"].as_str().unwrap_or_default()),
            get("chosen"),
            get("mean_loss_chosen"),
            get("mean_loss"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: &str = r#"{"step":10,"stage":"a<b","loss":2.5,"accuracy":0.1,"lr":0.001,"grad_norm":1.5,"tokens_per_second":900.0,"real_share":0.95,"tokens":40000,"elapsed":60.0,"skipped":0}
{"step":20,"stage":"a<b","loss":null,"accuracy":0.3,"lr":0.002,"grad_norm":null,"tokens_per_second":950.0,"real_share":0.9,"tokens":80000,"elapsed":120.0,"skipped":1}
{"step":20,"validation":{"exact":0.25},"stage":"a<b"}
{"step":20,"hardest":{"set":"lines","scored":90,"chosen":30,"mean_loss":1.0,"mean_loss_chosen":2.0}}
{"step":30,"stage":"c","loss":1.5,"accuracy":0.5,"lr":0.001,"grad_norm":0.5,"tokens_per_second":800.0,"real_share":0.92,"tokens":120000,"elapsed":180.0,"skipped":1}
{"step":40,"sta"#;

    #[test]
    fn a_report_has_every_stage_chart_and_score_and_stands_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("metrics.jsonl"), METRICS).unwrap();
        let text = fs::read_to_string(write_report(dir.path()).unwrap()).unwrap();
        for part in [
            "30 steps, 0.12 million tokens, 3.0 minutes, 1 steps skipped",
            "1 lines could not be read",
            "a&lt;b",
            "Loss of a target token",
            "Learning rate",
            "Tokens per second",
            "Validation: exact",
            "Of 90 examples of lines, the 30",
        ] {
            assert!(text.contains(part), "{part} is missing");
        }
        // Eight charts less the one without values (waiting), and one score.
        assert_eq!(text.matches("<svg").count(), 8);
        for alien in ["<script", "http:", "https:", "a<b", "NaN", "inf"] {
            assert!(
                !text
                    .replace("http://www.w3.org/2000/svg", "")
                    .contains(alien),
                "{alien}"
            );
        }
    }

    #[test]
    fn no_metrics_are_an_error_and_none_yet_are_said() {
        let dir = tempfile::tempdir().unwrap();
        let message = write_report(dir.path()).unwrap_err().to_string();
        assert!(message.contains("metrics.jsonl"), "{message}");
        fs::write(dir.path().join("metrics.jsonl"), "").unwrap();
        let text = fs::read_to_string(write_report(dir.path()).unwrap()).unwrap();
        assert!(text.contains("No record yet"));
    }
}
