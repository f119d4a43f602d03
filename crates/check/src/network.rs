//! Checks by the Exception IPA-GNN, which reads a program and the description of its input.

use std::path::Path;

use codexec_data::errors::{Guess, input_summary, plausible_inputs};

use super::calibration::Calibration;
use super::explain::Section;
use super::ipa::{IpaModel, KINDS, Prediction, Query, heat_map};
use super::{Checked, Checker, Done, End, Finding, Note, Row, Settings, Source};
use codexec_engine::EngineError;
use codexec_model::error::Error;

/// Its row.
pub(super) const ROW: Row = Row {
    name: "ipa",
    about: "A graph network reads the program and the description of its input; nothing is planned or executed",
    open,
};

/// Programs that are judged before results are handed on.
const TOGETHER: usize = 256;

const CONFIG: &[u8] = include_bytes!("ipa/default/config.json");
const TOKENIZER: &[u8] = include_bytes!("ipa/default/tokenizer.json");
const WEIGHTS: &[u8] = include_bytes!("ipa/default/model.safetensors");
const CALIBRATION: &[u8] = include_bytes!("ipa/default/calibration.json");
/// The file of a checkpoint with the weights of its probabilities.
const CALIBRATION_FILE: &str = "calibration.json";

struct Ipa {
    name: String,
    model: IpaModel,
    workers: usize,
    seed: u64,
    /// `None` if probabilities are not calibrated.
    calibration: Option<Calibration>,
}

fn open(settings: &Settings) -> Result<Box<dyn Checker>, EngineError> {
    let (name, model, calibration) = match &settings.engine.model {
        Some(name) => {
            let model = IpaModel::open(name.as_ref())?;
            (name.clone(), model, calibration_in(name.as_ref())?)
        }
        None => {
            let name = "embedded".to_owned();
            let model = IpaModel::from_bytes(&name, CONFIG, TOKENIZER, WEIGHTS)?;
            (name, model, Some(embedded_calibration()?))
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
        seed: settings.seed,
        calibration: calibration
            .filter(|_| settings.calibrated)
            .map(|calibration| settings.at_base_rate(calibration)),
    }))
}

/// The weights of the embedded network's probabilities.
pub(super) fn embedded_calibration() -> Result<Calibration, Error> {
    Calibration::from_json(CALIBRATION).map_err(|error| Error::Config {
        file: format!("embedded: {CALIBRATION_FILE}"),
        cause: error.to_string(),
    })
}

/// The weights in a directory, if it has some.
fn calibration_in(directory: &Path) -> Result<Option<Calibration>, Error> {
    let file = directory.join(CALIBRATION_FILE);
    let fail = |cause: String| Error::Config {
        file: file.display().to_string(),
        cause,
    };
    match std::fs::read(&file) {
        Ok(bytes) => {
            let found = Calibration::from_json(&bytes);
            found.map(Some).map_err(|error| fail(error.to_string()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error.to_string())),
    }
}

impl Checker for Ipa {
    fn heading(&self) -> String {
        format!("ipa: {}", self.name)
    }

    fn check(&self, sources: &[Source], done: &mut Done<'_>) -> Result<(), EngineError> {
        let mut number = 0;
        for together in sources.chunks(TOGETHER) {
            let told_of: Vec<Option<String>> =
                together.iter().map(|one| self.input_of(one)).collect();
            let queries = together.iter().zip(&told_of);
            let queries: Vec<Query<'_>> = queries.map(|(one, input)| query(one, input)).collect();
            let predicted = self.model.predict(&queries, false, self.workers)?;
            for (source, predicted) in together.iter().zip(predicted) {
                let checked = match predicted {
                    Ok(prediction) => told(source, &prediction, self.calibration),
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
        let input = self.input_of(source);
        let mut predicted = self.model.predict(&[query(source, &input)], true, 1)?;
        let pointer = predicted.pop().and_then(Result::ok).and_then(|p| p.pointer);
        let section = |pointer| Section {
            title: "Instruction pointer by step".to_owned(),
            map: heat_map(&pointer, &source.text),
        };
        Ok(pointer.map(section).into_iter().collect())
    }
}

impl Ipa {
    /// The known facts about the input in words: its kind if it is given, else its description, or the kind of an
    /// input that fits how the program reads.
    fn input_of(&self, source: &Source) -> Option<String> {
        if let Some(stdin) = &source.stdin {
            return Some(input_summary(stdin));
        }
        if source.description.is_some() {
            return source.description.clone();
        }
        match plausible_inputs(&source.text, None, 1, self.seed) {
            Ok(Guess::ReadsNothing) => Some(input_summary("")),
            Ok(Guess::Inputs(all)) => all.first().map(|input| input_summary(input)),
            _ => None,
        }
    }
}

fn query<'s>(source: &'s Source, input: &'s Option<String>) -> Query<'s> {
    Query {
        source: &source.text,
        description: input.as_deref(),
    }
}

/// A prediction with one finding: the most probable kind on the most probable line.
fn told(source: &Source, prediction: &Prediction, calibration: Option<Calibration>) -> Checked {
    let own = f64::from(prediction.error);
    let error = calibration.map_or(own, |known| known.of_network(own));
    // Lines share the program's probability.
    let share = if own > 0.0 { error / own } else { 0.0 };
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
            calls: Vec::new(),
            evidence: None,
            of_call: false,
        }
    });
    let lines = prediction.lines.iter();
    Checked {
        path: source.path.clone(),
        findings: finding.into_iter().collect(),
        error,
        clean: 1.0 - error,
        lines: lines
            .map(|(line, mass)| (*line, f64::from(*mass) * share))
            .collect(),
        raised: Some(End {
            kind: Some(kind.clone()),
            line,
            probability: error,
        }),
        end: Some(End {
            kind: (error >= 0.5).then_some(kind),
            line: line.filter(|_| error >= 0.5),
            probability: error.max(1.0 - error),
        }),
        elsewhere: Vec::new(),
        notes: Vec::new(),
        is_open: false,
        left: None,
    }
}
