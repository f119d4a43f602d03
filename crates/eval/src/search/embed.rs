//! A program as a vector: the mean of the encoder's last hidden states, of length 1.
//!
//! Source: CodeExecutor, section 5.2, and UniXcoder. A program longer than the encoder's window is read in windows, and
//! the mean is over all of them.

use candle_core::{DType, Device, Tensor};
use codexec_data::syntax::SyntaxError;
use codexec_data::tokenizer::Vocabulary;
use codexec_data::tokenizer::source::source_text;
use rayon::prelude::*;

use super::frame::Frame;
use super::nearest::length_one;
use codexec_model::error::{Error, Result};
use codexec_model::{Checkpoint, Form, Writes, embedded};

/// Windows that are read together: the same on every machine, since what shares a product may differ in the last
/// digits.
const TOGETHER: usize = 16;

/// Makes vectors.
pub struct Embedder {
    checkpoint: Checkpoint,
    /// Our own; published checkpoints use their tokenizer unchanged.
    vocabulary: Option<Vocabulary>,
    frame: Frame,
    threads: Option<rayon::ThreadPool>,
}

/// Why a program has no vector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoVector(pub SyntaxError);

/// A vector, or why there is none.
pub(super) type Embedded = std::result::Result<Vec<f32>, NoVector>;

impl Embedder {
    /// From a checkpoint directory, a name on the hub, or `default` for the embedded checkpoint of whole traces, which
    /// was never trained for search. By default, the embedded encoder that was.
    ///
    /// # Errors
    /// Names the file, the cause and what to do.
    pub fn open(model: Option<&str>) -> Result<Self> {
        let device = Device::Cpu;
        let checkpoint = match model {
            None => embedded::load_search(&device)?,
            Some(name) if name == embedded::NAME && !std::path::Path::new(name).exists() => {
                embedded::load(&device)?
            }
            Some(name) => Checkpoint::open(name, &device, DType::F32)?,
        };
        let codexec = &checkpoint.config.codexec;
        if codexec.writes == Writes::Answers {
            return Err(Error::Config {
                file: checkpoint.name,
                cause:
                    "this checkpoint answers single operations and never saw a program: name one \
                        that writes traces"
                        .to_owned(),
            });
        }
        let tokenizer = |cause: String| Error::Tokenizer {
            file: checkpoint.name.clone(),
            cause,
        };
        let window = codexec.max_source;
        let window = window.min(checkpoint.config.max_tokens().saturating_sub(1));
        let (vocabulary, frame) = match codexec.form {
            Form::Delta => {
                let vocabulary = Vocabulary::new(checkpoint.tokenizer.clone());
                let vocabulary = vocabulary.map_err(|e| tokenizer(e.to_string()))?;
                let frame = Frame::own(&vocabulary, window);
                let frame = frame.map_err(|e| tokenizer(e.to_string()))?;
                (Some(vocabulary), frame)
            }
            Form::Paper => {
                let ids = |text: &str| {
                    let encoded = checkpoint.tokenizer.encode_fast(text, false);
                    encoded
                        .map(|e| e.get_ids().to_vec())
                        .map_err(|e| tokenizer(e.to_string()))
                };
                let encodes = checkpoint.tokenizer.token_to_id("<encoder-only>");
                let mode = encodes.map_or("<encoder-decoder>", |_| "<encoder-only>");
                let before = ids(&format!("<s>{mode}</s>"))?;
                (None, Frame::new(before, ids("</s>")?, window))
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if candle_core::utils::get_num_threads() == 1 && cores > 1 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build();
            Some(pool.map_err(|error| Error::Threads(error.to_string()))?)
        } else {
            None
        };
        Ok(Self {
            checkpoint,
            vocabulary,
            frame,
            threads,
        })
    }

    /// Whether it was trained for searches.
    pub fn is_contrastive(&self) -> bool {
        self.checkpoint.config.codexec.writes == Writes::Vectors
    }

    /// Name of its checkpoint.
    pub fn name(&self) -> &str {
        &self.checkpoint.name
    }

    /// Numbers of a vector.
    pub fn width(&self) -> usize {
        self.checkpoint.config.hidden_size
    }

    /// Tells its checkpoint from others.
    ///
    /// # Errors
    /// Failures of the tensor library.
    pub fn digest(&self) -> Result<String> {
        self.checkpoint.fingerprint()
    }

    /// The vectors of programs, in order. `progress` receives the number of newly read windows.
    ///
    /// # Errors
    /// Failures of the tokenizer and the tensor library; that a program does not parse is its answer.
    pub fn embed(
        &self,
        codes: &[&str],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Embedded>> {
        let mut found: Vec<Embedded> = Vec::with_capacity(codes.len());
        let mut windows: Vec<(usize, Vec<u32>)> = Vec::new();
        for (at, code) in codes.iter().enumerate() {
            match self.ids(code)? {
                Err(error) => found.push(Err(NoVector(error))),
                Ok(ids) => {
                    found.push(Ok(vec![0.0; self.width()]));
                    windows.extend(
                        self.frame
                            .windows(&ids)
                            .into_iter()
                            .map(|window| (at, window)),
                    );
                }
            }
        }
        // Grouping windows by length avoids padding.
        windows.sort_by_key(|(at, window)| (window.len(), *at));
        let one = |group: &[(usize, Vec<u32>)]| {
            let sums = self.sums(group);
            progress(group.len());
            sums
        };
        let sums: Result<Vec<Vec<Vec<f32>>>> = match &self.threads {
            Some(threads) => threads.install(|| windows.par_chunks(TOGETHER).map(one).collect()),
            None => windows.chunks(TOGETHER).map(one).collect(),
        };
        for (group, sums) in windows.chunks(TOGETHER).zip(sums?) {
            for ((at, _), sum) in group.iter().zip(sums) {
                if let Ok(vector) = &mut found[*at] {
                    vector.iter_mut().zip(&sum).for_each(|(v, s)| *v += s);
                }
            }
        }
        found.iter_mut().flatten().for_each(|v| length_one(v));
        Ok(found)
    }

    /// Ids of a program's code alone.
    fn ids(&self, code: &str) -> Result<std::result::Result<Vec<u32>, SyntaxError>> {
        let tokenizer = |cause: String| Error::Tokenizer {
            file: self.checkpoint.name.clone(),
            cause,
        };
        let Some(vocabulary) = &self.vocabulary else {
            let encoded = self.checkpoint.tokenizer.encode_fast(code, false);
            let encoded = encoded.map_err(|e| tokenizer(e.to_string()))?;
            return Ok(Ok(encoded.get_ids().to_vec()));
        };
        match source_text(code, None) {
            Err(error) => Ok(Err(error)),
            Ok(source) => {
                let ids = vocabulary.encode(&source.text);
                Ok(Ok(ids.map_err(|e| tokenizer(e.to_string()))?))
            }
        }
    }

    /// The sum of the last hidden states of each window.
    fn sums(&self, windows: &[(usize, Vec<u32>)]) -> Result<Vec<Vec<f32>>> {
        let sources: Vec<&[u32]> = windows.iter().map(|(_, ids)| ids.as_slice()).collect();
        // (B,L,H)
        let states: Tensor = self.checkpoint.model.states(&sources)?;
        let states = states.to_dtype(DType::F32)?.to_vec3::<f32>()?;
        let sum = |(states, ids): (&Vec<Vec<f32>>, &&[u32])| {
            let mut sum = vec![0.0; self.width()];
            for state in states.iter().take(ids.len()) {
                sum.iter_mut().zip(state).for_each(|(s, x)| *s += x);
            }
            sum
        };
        Ok(states.iter().zip(&sources).map(sum).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::cosine;
    use super::*;

    #[test]
    fn a_program_has_the_same_vector_beside_others() {
        let embedder = Embedder::open(None).unwrap();
        let long = "x = [1, 2, 3]\nprint(x)\n".repeat(60);
        let codes = ["print(1)\n", "x = = 1\n", &long, "# nothing\n"];
        let all = embedder.embed(&codes, &|_| {}).unwrap();
        assert!(all[1].is_err());
        for at in [0, 2, 3] {
            let vector = all[at].as_ref().unwrap();
            assert_eq!(vector.len(), embedder.width());
            let length: f32 = vector.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-4, "{length}");
            let alone = embedder.embed(&codes[at..=at], &|_| {}).unwrap().remove(0);
            assert!(cosine(vector, &alone.unwrap()) > 0.9999, "{at}");
        }
        let steps = format!("{}/../model/src/steps", env!("CARGO_MANIFEST_DIR"));
        assert!(Embedder::open(Some(&steps)).is_err());
    }
}
