//! Checks by the Exception IPA-GNN, which reads a program and the description of its input.

use codexec_data::errors::input_summary;

use super::explain::Section;
use super::ipa::{IpaModel, KINDS, Prediction, Query, heat_map};
use super::{Checked, Checker, Done, End, Finding, Note, Row, Settings, Source};
use crate::engine::EngineError;

/// Its row.
pub const ROW: Row = Row {
    name: "ipa",
    about: "A graph network reads the program and the description of its input; nothing is planned or executed",
    open,
};

/// Programs that are judged before results are handed on.
const TOGETHER: usize = 256;

const CONFIG: &[u8] = include_bytes!("ipa/default/config.json");
const TOKENIZER: &[u8] = include_bytes!("ipa/default/tokenizer.json");
const WEIGHTS: &[u8] = include_bytes!("ipa/default/model.safetensors");

struct Ipa {
    name: String,
    model: IpaModel,
    workers: usize,
}

fn open(settings: &Settings) -> Result<Box<dyn Checker>, EngineError> {
    let (name, model) = match &settings.engine.model {
        Some(name) => (name.clone(), IpaModel::open(name.as_ref())?),
        None => {
            let name = "embedded".to_owned();
            let model = IpaModel::from_bytes(&name, CONFIG, TOKENIZER, WEIGHTS)?;
            (name, model)
        }
    };
    let workers = match settings.workers {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        workers => workers,
    };
    Ok(Box::new(Ipa {
        name,
        model,
        workers,
    }))
}

impl Checker for Ipa {
    fn heading(&self) -> String {
        format!("ipa: {}", self.name)
    }

    fn check(&self, sources: &[Source], done: &mut Done<'_>) -> Result<(), EngineError> {
        let mut number = 0;
        for together in sources.chunks(TOGETHER) {
            let told_of: Vec<Option<String>> = together.iter().map(input_of).collect();
            let queries = together.iter().zip(&told_of);
            let queries: Vec<Query<'_>> = queries.map(|(one, input)| query(one, input)).collect();
            let predicted = self.model.predict(&queries, false, self.workers)?;
            for (source, predicted) in together.iter().zip(predicted) {
                let checked = match predicted {
                    Ok(prediction) => told(source, &prediction),
                    Err(error) => Checked {
                        path: source.path.clone(),
                        notes: vec![Note {
                            line: None,
                            text: error.to_string(),
                        }],
                        is_open: true,
                        ..Checked::default()
                    },
                };
                if done(number, checked).is_break() {
                    return Ok(());
                }
                number += 1;
            }
        }
        Ok(())
    }

    fn sections(&self, source: &Source) -> Result<Vec<Section>, EngineError> {
        let input = input_of(source);
        let mut predicted = self.model.predict(&[query(source, &input)], true, 1)?;
        let pointer = predicted.pop().and_then(Result::ok).and_then(|p| p.pointer);
        let section = |pointer| Section {
            title: "Instruction pointer by step".to_owned(),
            body: heat_map(&pointer, &source.text),
        };
        Ok(pointer.map(section).into_iter().collect())
    }
}

/// What is known of the input in words: its description, or what the input itself is made of.
fn input_of(source: &Source) -> Option<String> {
    let given = source.stdin.as_deref().map(input_summary);
    source.description.clone().or(given)
}

fn query<'s>(source: &'s Source, input: &'s Option<String>) -> Query<'s> {
    Query {
        source: &source.text,
        description: input.as_deref(),
    }
}

/// What a prediction says, with one finding: the most probable kind on the most probable line.
fn told(source: &Source, prediction: &Prediction) -> Checked {
    let error = f64::from(prediction.error);
    let mut kinds = KINDS.iter().zip(&prediction.kinds).skip(1);
    let first = kinds.next();
    let kind = kinds.fold(first, |best, one| match best {
        Some(best) if best.1 >= one.1 => Some(best),
        _ => Some(one),
    });
    let kind = kind.map_or("other", |(kind, _)| *kind).to_owned();
    let line = prediction.lines.first().map(|(line, _)| *line);
    let finding = line.map(|line| {
        let text = source
            .text
            .lines()
            .nth(line as usize - 1)
            .unwrap_or_default();
        let blank = text.chars().take_while(|c| c.is_whitespace()).count();
        let length = text.trim_end().chars().count();
        Finding {
            kind: kind.clone(),
            line,
            column: blank as u32 + 1,
            end_line: line,
            end_column: length as u32 + 1,
            probability: error,
            message: String::new(),
            values: None,
            when: None,
        }
    });
    let lines = prediction.lines.iter();
    Checked {
        path: source.path.clone(),
        findings: finding.into_iter().collect(),
        error,
        lines: lines
            .map(|(line, mass)| (*line, f64::from(*mass)))
            .collect(),
        end: Some(End {
            kind: (error >= 0.5).then_some(kind),
            line: line.filter(|_| error >= 0.5),
            probability: error.max(1.0 - error),
        }),
        notes: Vec::new(),
        is_open: false,
    }
}
