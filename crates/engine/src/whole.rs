//! A network writes the whole trace; nothing is executed.

mod prediction;

use std::ops::ControlFlow;
use std::sync::Arc;

use candle_core::{DType, Device};
use codexec_data::trace::Program;

use super::in_order::Stop;
use super::{
    Answer, Answered, Done, Engine, EngineError, Engines, Need, Question, Row, Settings, Unanswered,
};
use codexec_model::error::{Error, Result};
use codexec_model::{Checkpoint, Writes, embedded};

pub use prediction::{PredictOptions, Predicted, Prediction, predict, predict_each};

/// Default width of the beam.
const BEAM: usize = 10;

/// Its row.
pub const ROW: Row = Row {
    name: "whole",
    about: "A network writes the whole trace by beam search; nothing is executed",
    needs: &[Need::Model, Need::Network, Need::Search, Need::Beam],
    executes: false,
    by: codexec_data::trace::Engine::Predict,
    imports_installed: false,
    open,
};

/// Programs that are decoded together before the first of them is handed on.
const GROUP: usize = 64;

/// Asks a checkpoint.
struct Whole {
    checkpoint: Arc<Checkpoint>,
    options: PredictOptions,
    together: bool,
    /// What tells it from the same checkpoint with another beam.
    beside: String,
}

/// The embedded checkpoint, or the named one.
///
/// # Errors
/// Names the file, the cause and what to do.
pub fn checkpoint(name: Option<&str>) -> Result<Checkpoint> {
    let device = Device::Cpu;
    match name {
        None => embedded::load(&device),
        Some(name) => {
            let checkpoint = Checkpoint::open(name, &device, DType::F32)?;
            match checkpoint.config.codexec.writes {
                Writes::Traces => Ok(checkpoint),
                Writes::Answers => Err(Error::Config {
                    file: checkpoint.name,
                    cause: "this checkpoint answers single operations: use --engine plan"
                        .to_owned(),
                }),
                Writes::Vectors => Err(Error::vectors_alone(checkpoint.name)),
            }
        }
    }
}

fn open(settings: &Settings) -> std::result::Result<Engines, EngineError> {
    let mut checkpoint = checkpoint(settings.model.as_deref())?;
    if settings.quantised {
        checkpoint = checkpoint.quantised()?;
    }
    let checkpoint = Arc::new(checkpoint);
    let engine = |beam: &usize| -> Box<dyn Engine> {
        Box::new(Whole {
            checkpoint: Arc::clone(&checkpoint),
            options: PredictOptions {
                beam: *beam,
                max_steps: settings.max_steps,
                flow: settings.flow,
                rule: settings.rule,
                ..PredictOptions::default()
            },
            together: settings.together,
            beside: match settings.widths.len() {
                0 | 1 => String::new(),
                _ => format!(", beam {beam}"),
            },
        })
    };
    Ok(match settings.widths.as_slice() {
        [] => vec![engine(&BEAM)],
        widths => widths.iter().map(engine).collect(),
    })
}

impl Engine for Whole {
    fn heading(&self) -> String {
        format!("whole: {}", self.checkpoint.name)
    }

    fn label(&self, _question: &Question<'_>) -> String {
        format!("whole: {}{}", self.checkpoint.name, self.beside)
    }

    fn identity(&self) -> std::result::Result<String, EngineError> {
        let (heading, options) = (self.heading(), &self.options);
        let weights = self.checkpoint.fingerprint()?;
        Ok(format!("{heading} {weights} {options:?}"))
    }

    fn answer(
        &self,
        question: &Question<'_>,
        done: &mut Done<'_>,
    ) -> std::result::Result<(), EngineError> {
        let options = PredictOptions {
            prefix: question.kind.prefix(),
            ..self.options
        };
        if !self.together {
            let one = |program: &Program, predicted| match done(program, self.read(predicted)) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(Stop::Enough),
            };
            return Stop::ended(predict_each(
                &self.checkpoint,
                question.programs,
                &options,
                one,
            ));
        }
        for group in question.programs.chunks(GROUP) {
            let predicted = predict(&self.checkpoint, group, &options)?;
            for (program, predicted) in group.iter().zip(predicted) {
                if done(program, self.read(predicted)).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl Whole {
    fn read(&self, predicted: Predicted) -> Answer {
        let prediction = predicted.map_err(Unanswered::Syntax)?;
        let window = self.checkpoint.config.codexec.max_source;
        Ok(Answered {
            score: Some(prediction.score),
            cut_at: prediction.source_cut.then_some(window),
            ..Answered::certain(prediction.trace)
        })
    }
}
