//! The network that predicts errors as something the curriculum can train, and labelled programs as examples
//! it can learn from.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::VarBuilder;
use codexec_curriculum::{BatchLoss, Example, ForeignError, Trainable};
use codexec_data::tokenizer::{Digits, Vocabulary, VocabularyError, words_of};
use rayon::prelude::*;
use ruff_text_size::{TextRange, TextSize};
use serde::Deserialize;

use super::network::Network;
use codexec_check::ipa::program::plain_words;
use codexec_check::ipa::scores::{Judged, scores};
use codexec_check::ipa::{self, IpaConfig, NO_ERROR, Prediction, Program, ProgramError, kinds};
use codexec_model::error::Result;
use codexec_model::ops;

/// Maximum programs that a vocabulary is trained on.
const VOCABULARY_SAMPLE: usize = 20_000;
/// Programs judged together.
const JUDGED: usize = 16;

/// Origin of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It raises as its author wrote it.
    Natural,
    /// It was changed.
    Mutant,
    /// It raises nothing.
    Clean,
    /// It was given the input of another problem.
    Input,
}

/// A line of the files that `codexec data errors` writes; other fields are not looked at.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ErrorRow {
    /// The program.
    pub code: String,
    /// What its input is, in the words of its problem.
    #[serde(default)]
    pub description: Option<String>,
    /// Description of its input, from samples.
    #[serde(default)]
    pub input_summary: Option<String>,
    /// The type of its error. `None` if it raises nothing.
    pub error: Option<String>,
    /// The line of the error, 1-based.
    #[serde(default)]
    pub error_line: Option<u32>,
    /// Its origin.
    pub origin: Origin,
    /// Its part: `train`, `valid` or `test`.
    pub split: String,
}

impl ErrorRow {
    /// The description of the input in training, covering every form that users may give: the problem's words or the
    /// kind of input, and nothing for one program in eight. The length of the program decides.
    #[must_use]
    pub fn described(&self) -> Option<&str> {
        let (words, made_of) = (self.description.as_deref(), self.input_summary.as_deref());
        match self.code.len() % 8 {
            7 => None,
            odd if odd % 2 == 1 => made_of.or(words),
            _ => words.or(made_of),
        }
    }
}

/// Trains a vocabulary of `size` tokens on an even sample of programs and their descriptions.
///
/// # Errors
/// If the tokenizer library fails.
pub fn train_error_vocabulary(
    rows: &[&ErrorRow],
    size: usize,
    digits: Digits,
) -> std::result::Result<Vocabulary, VocabularyError> {
    let stride = rows.len().div_ceil(VOCABULARY_SAMPLE).max(1);
    let sample: Vec<&&ErrorRow> = rows.iter().step_by(stride).collect();
    let text = |row: &&&ErrorRow| {
        let whole = TextRange::up_to(TextSize::of(row.code.as_str()));
        let words = words_of(&row.code, &[whole]).unwrap_or_default().concat();
        format!(
            "{words} {}",
            row.described().map(plain_words).unwrap_or_default()
        )
    };
    let texts: Vec<String> = sample.par_iter().map(text).collect();
    Vocabulary::train(texts.iter().map(String::as_str), size, digits)
}

/// The examples of rows, in order, and the number left out because they do not parse or are too
/// large. The kind of an example is its origin.
///
/// # Errors
/// If the tokenizer library fails.
pub fn error_examples(
    rows: &[&ErrorRow],
    config: &IpaConfig,
    vocabulary: &Vocabulary,
) -> std::result::Result<(Vec<Example>, usize), VocabularyError> {
    let one = |row: &&ErrorRow| match Program::read(&row.code, row.described(), config, vocabulary)
    {
        Ok(program) if program.nodes.len() > config.settings.max_nodes => Ok(None),
        Ok(program) => {
            let class = kinds::class(row.error.as_deref()) as u32;
            let line = row.error_line.unwrap_or(0);
            Ok(Some(program.example(class, line, row.origin as u8)))
        }
        Err(ProgramError::Graph(_)) => Ok(None),
        Err(ProgramError::Vocabulary(error)) => Err(error),
    };
    let found: Vec<Option<Example>> = rows
        .par_iter()
        .map(one)
        .collect::<std::result::Result<_, _>>()?;
    let all = found.len();
    let found: Vec<Example> = found.into_iter().flatten().collect();
    let left_out = all - found.len();
    Ok((found, left_out))
}

/// A network whose weights are variables.
pub struct TrainableErrors {
    network: ipa::Network,
    vars: Vec<(String, Var)>,
    device: Device,
}

impl TrainableErrors {
    /// A network with fresh weights from a seed, or with given `weights`.
    ///
    /// # Errors
    /// If a tensor is of the wrong shape.
    pub fn new(
        config: &IpaConfig,
        seed: u64,
        weights: Option<HashMap<String, Tensor>>,
        device: &Device,
    ) -> Result<Self> {
        let fresh = config.random_weights(seed, device)?;
        let (mut vars, mut tensors) = (Vec::new(), HashMap::new());
        for (name, _) in config.tensors() {
            let given = weights.as_ref().and_then(|weights| weights.get(&name));
            let Some(tensor) = given.or_else(|| fresh.get(&name)) else {
                continue;
            };
            let var = Var::from_tensor(&tensor.to_dtype(DType::F32)?.to_device(device)?)?;
            tensors.insert(name.clone(), var.as_tensor().clone());
            vars.push((name, var));
        }
        let vb = VarBuilder::from_tensors(tensors, DType::F32, device);
        Ok(Self {
            network: ipa::Network::new(config, vb)?,
            vars,
            device: device.clone(),
        })
    }

    /// Logarithms of probabilities (B,C), classes (B), and the number of non-padding positions.
    fn judged(&self, batch: &[&Example]) -> candle_core::Result<(Tensor, Vec<u32>, usize)> {
        let read = programs(batch)?;
        let programs: Vec<&Program> = read.iter().map(|(program, ..)| program).collect();
        let found = self.network.log_probabilities(&programs);
        let (kinds, padding) = found.map_err(candle_core::Error::wrap)?;
        Ok((
            kinds,
            read.iter().map(|(_, class, _)| *class).collect(),
            padding,
        ))
    }

    /// Judges examples, lines included.
    fn judge_lines(&self, batch: &[Example]) -> std::result::Result<Vec<Judged>, ForeignError> {
        let read = programs(&batch.iter().collect::<Vec<_>>())?;
        let programs: Vec<&Program> = read.iter().map(|(program, ..)| program).collect();
        let predictions = self.network.predict(&programs, false)?;
        let judged = read.iter().zip(predictions);
        Ok(judged
            .map(|((program, class, line), found)| judge(program, *class, *line, &found))
            .collect())
    }
}

fn programs(batch: &[&Example]) -> candle_core::Result<Vec<(Program, u32, u32)>> {
    let read = batch.iter().map(|example| {
        let of = Program::of_example(example);
        of.ok_or_else(|| candle_core::Error::Msg("an example that is not a program".to_owned()))
    });
    read.collect()
}

fn judge(program: &Program, class: u32, line: u32, found: &Prediction) -> Judged {
    let predicted = found
        .kinds
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1));
    let is_known = class as usize != NO_ERROR && line > 0;
    let first = found.lines.first().filter(|_| is_known);
    // A statement of several lines is found by its first.
    let has_line = |at: u32| {
        let spans = program.nodes.iter().map(|node| node.lines);
        spans
            .filter(|(first, _)| *first == at)
            .any(|(first, last)| (first..=last).contains(&line))
    };
    Judged {
        class: class as usize,
        predicted: predicted.map_or(NO_ERROR, |(k, _)| k),
        loss: -found.kinds[class as usize].max(f32::MIN_POSITIVE).ln(),
        line: first.map(|(at, _)| has_line(*at)),
    }
}

impl Network for TrainableErrors {
    fn judge(&self, batch: &[&Example]) -> candle_core::Result<Vec<(f32, bool)>> {
        let (kinds, classes, _) = self.judged(batch)?;
        let best = kinds.argmax(1)?.to_vec1::<u32>()?;
        let rows: Vec<Vec<f32>> = kinds.to_vec2()?;
        let one = |((row, best), class): ((&Vec<f32>, u32), &u32)| {
            (-row[*class as usize], best == *class)
        };
        Ok(rows.iter().zip(best).zip(&classes).map(one).collect())
    }

    fn scores(
        &self,
        batches: &[Vec<Example>],
    ) -> std::result::Result<Vec<(String, f64)>, ForeignError> {
        let mut judged = Vec::new();
        for batch in batches {
            for some in batch.chunks(JUDGED) {
                judged.extend(self.judge_lines(some)?);
            }
        }
        let found = scores(&judged);
        let mut out = vec![
            ("loss", found.loss),
            ("accuracy", found.accuracy),
            ("weighted F1", found.weighted_f1),
            ("error F1", found.error_f1),
            ("detection F1", found.detection_f1),
        ];
        out.extend(found.localisation.map(|share| ("localisation", share)));
        Ok(out
            .into_iter()
            .map(|(name, score)| (name.to_owned(), score))
            .collect())
    }
}

impl Trainable for TrainableErrors {
    fn vars(&self) -> Vec<(String, Var)> {
        self.vars.clone()
    }

    fn loss(&self, batch: &[&Example]) -> candle_core::Result<BatchLoss> {
        let (kinds, classes, padding) = self.judged(batch)?;
        let real: usize = batch.iter().map(|e| e.source.len() + e.target.len()).sum();
        let classes = Tensor::from_vec(classes, batch.len(), &self.device)?;
        let weights = Tensor::ones(batch.len(), DType::F32, &self.device)?;
        let correct = ops::weighted_hits(&kinds.detach(), &classes, &weights)?;
        let sum = kinds.gather(&classes.unsqueeze(1)?, 1)?.sum_all()?.neg()?;
        Ok(BatchLoss {
            sum,
            tokens: batch.len(),
            weight: batch.len() as f64,
            correct,
            padded: real + padding,
        })
    }

    fn example_losses(&self, batch: &[&Example]) -> candle_core::Result<Vec<f32>> {
        Ok(self
            .judge(batch)?
            .into_iter()
            .map(|(loss, _)| loss)
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use codexec_check::ipa::{Architecture, Description, IpaSettings, MilPooling, Scope};
    use codexec_curriculum::check_gradients;
    use codexec_model::ModelConfig;
    use codexec_model::ops::Pooling;

    use super::*;

    const SOURCE: &str = "n = int(input())\ntotal = 0\nfor i in range(n):\n    total += i\ntry:\n    print(total / n)\nexcept ZeroDivisionError:\n    print(0)\n";

    /// One form of the network for each architecture, scope, pooling and place of the description.
    fn forms() -> Vec<IpaSettings> {
        use Architecture::{ExceptionIpaGnn, IpaGnn, MilTransformer, Transformer};
        use Description::{Attention, Docstring, Film, None};
        use Scope::{Global, Local};
        let of = |architecture, encoder, pooling, description, mil_pooling| IpaSettings {
            architecture,
            encoder,
            pooling,
            description,
            mil_pooling,
            ..IpaSettings::default()
        };
        let (mean, most) = (MilPooling::Mean, MilPooling::Max);
        vec![
            of(MilTransformer, Local, Pooling::Mean, Docstring, most),
            of(MilTransformer, Global, Pooling::Mean, Docstring, mean),
            of(
                MilTransformer,
                Global,
                Pooling::Mean,
                Docstring,
                MilPooling::LogSumExp,
            ),
            of(ExceptionIpaGnn, Local, Pooling::Mean, Docstring, most),
            of(ExceptionIpaGnn, Global, Pooling::First, None, most),
            of(ExceptionIpaGnn, Local, Pooling::Max, Film, most),
            of(ExceptionIpaGnn, Global, Pooling::Sum, Attention, most),
            of(IpaGnn, Local, Pooling::Mean, Docstring, most),
            of(Transformer, Global, Pooling::Mean, Docstring, most),
        ]
    }

    #[test]
    fn gradients_reach_every_parameter() {
        let vocabulary =
            Vocabulary::train([SOURCE, "x = 1 2 3"].into_iter(), 600, Digits::Apart).unwrap();
        for settings in forms() {
            let mut encoder = ModelConfig::new(vocabulary.size(), 16, 1, 2, 64);
            encoder.codexec.max_source = 40;
            encoder.codexec.max_target = 24;
            let config = IpaConfig::new(encoder, settings);
            let trainable = TrainableErrors::new(&config, 3, None, &Device::Cpu).unwrap();
            let example = |source: &str, class| {
                let program = Program::read(source, Some("3 int"), &config, &vocabulary).unwrap();
                program.example(class, 1, 0)
            };
            let examples = [example(SOURCE, 5), example("while x:\n    x = f(x)\n", 0)];
            check_gradients(&trainable, &[examples.iter().collect()]).unwrap();
        }
    }
}
