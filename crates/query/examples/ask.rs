//! Reads a trace in JSON and prints its folded rows, or why its last value is as it is.
//!
//! `cargo run -p codexec-query --example ask trace.json [NAME [STEP]]`

use codexec_query::Sources;
use codexec_query::fold::{Worth, fold};
use codexec_query::why::{Question, why};
use codexec_trace::Trace;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let trace = Trace::from_json(std::fs::read(words.next().ok_or("name a trace")?)?)?;
    let sources = Sources::of(&trace);
    let name = words.next();
    let step = words.next().map(|step| step.parse::<usize>()).transpose()?;
    if name.as_deref() == Some("fold") {
        let all: Vec<usize> = (0..trace.steps.len()).collect();
        for row in fold(&trace, &sources, &all, Worth::default()) {
            println!("{row:?}");
        }
        return Ok(());
    }
    let question = match name {
        Some(name) if name == "output" => Question::Output { line: step },
        Some(name) => Question::Variable {
            name,
            step: step.map(|step| step - 1),
        },
        None => Question::usual(&trace).ok_or("it neither raises nor prints")?,
    };
    let why = why(&trace, &question, None)?;
    for (k, link) in why.links.iter().enumerate() {
        let values: Vec<String> = link
            .values
            .iter()
            .map(|(name, value)| format!("{name} = {}", value.text))
            .collect();
        println!(
            "{k:>3} {:>5} {:>4}  {:<40} {:?} {} {} {} {:?}",
            link.step + 1,
            link.line,
            format!("{}{}", "  ".repeat(link.depth as usize), link.source),
            link.kind,
            values.join(", "),
            link.value.as_ref().map_or("", |value| &value.text),
            link.text.as_deref().unwrap_or(""),
            link.because,
        );
    }
    Ok(())
}
