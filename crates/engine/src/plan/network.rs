//! A checkpoint in step form answers the planner's questions.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use codexec_data::records::Kind;
use codexec_data::tokenizer::Vocabulary;
use codexec_data::trace::Origin;
use codexec_plan::oracles::{Oracle, OracleError};
use codexec_plan::question::{Answer, AnswerError, Question};
use codexec_plan::step_form;

use rayon::prelude::*;

use codexec_model::Checkpoint;
use codexec_model::decode::{Hypothesis, NoGrammar, SearchOptions, beam_search};
use codexec_model::error::{Error, Result};

/// Questions that are decoded together: the same on every machine, since what shares a product may differ in
/// the last digits.
const TOGETHER: usize = 16;
/// No token spells more bytes of a source than this on average: longer sources need not be tokenised.
const MOST_BYTES: usize = 16;
/// Answers with a higher confidence have no alternatives.
const SURE: f32 = 0.95;
/// Maximum sources with remembered hypotheses.
const MOST_KNOWN: usize = 100_000;
/// Hypotheses of a second search if the most probable answer is invalid.
const SECOND_LOOK: usize = 4;

/// Asks a network.
pub struct Network<'c> {
    checkpoint: &'c Checkpoint,
    vocabulary: Vocabulary,
    search: SearchOptions,
    /// The most probable hypotheses of earlier sources. Different questions can have the same source, which shows only
    /// the ends of a long container.
    known: Mutex<HashMap<Vec<u32>, Option<Hypothesis>>>,
    /// Threads for groups of questions, if products have one thread each.
    threads: Option<rayon::ThreadPool>,
}

impl<'c> Network<'c> {
    /// With a checkpoint that was trained on questions (`codexec data plan`).
    ///
    /// # Errors
    /// If its tokenizer was not made for our form.
    pub fn new(checkpoint: &'c Checkpoint) -> Result<Self> {
        let vocabulary = Vocabulary::new(checkpoint.tokenizer.clone());
        let vocabulary = vocabulary.map_err(|error| Error::Tokenizer {
            file: checkpoint.name.clone(),
            cause: error.to_string(),
        })?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if candle_core::utils::get_num_threads() == 1 && cores > 1 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build();
            Some(pool.map_err(|error| Error::Threads(error.to_string()))?)
        } else {
            None
        };
        let (start, end) = (checkpoint.token("<mask0>")?, checkpoint.token("</s>")?);
        Ok(Self {
            checkpoint,
            vocabulary,
            threads,
            known: Mutex::default(),
            search: SearchOptions {
                beam: 1,
                ..SearchOptions::new(&checkpoint.model, start, end)
            },
        })
    }

    /// Ids of a question, or why it has none.
    fn encode(&self, question: &Question) -> std::result::Result<Vec<u32>, AnswerError> {
        let refused = |why: &str| AnswerError::Refused(why.to_owned());
        let text = step_form::source(question).map_err(|error| refused(&error.to_string()))?;
        let ids = self
            .ids(&text)
            .map_err(|error| refused(&error.to_string()))?;
        ids.ok_or_else(|| refused("a question longer than the network's window"))
    }

    /// Ids of a source in words. `None` if it exceeds the window.
    fn ids(&self, source: &str) -> Result<Option<Vec<u32>>> {
        let window = self.checkpoint.config.codexec.max_source;
        if source.len() > MOST_BYTES * window {
            return Ok(None);
        }
        let encoded = self
            .vocabulary
            .encode_source(Kind::SingleLine.prefix(), source, window);
        let (ids, cut) = encoded.map_err(|error| Error::Tokenizer {
            file: self.checkpoint.name.clone(),
            cause: error.to_string(),
        })?;
        Ok((!cut).then_some(ids))
    }

    /// Answers to sources in words, and their probabilities. `None` if a source exceeds the window or the
    /// answer has no end.
    ///
    /// # Errors
    /// Failures of the tokenizer and the tensor library.
    pub fn words(&self, sources: &[&str]) -> Result<Vec<Option<(String, f32)>>> {
        let mut found = vec![None; sources.len()];
        let mut ids = Vec::new();
        for (at, source) in sources.iter().enumerate() {
            ids.extend(self.ids(source)?.map(|ids| (at, ids)));
        }
        ids.sort_by_key(|(_, ids)| ids.len());
        for (group, answers) in ids.chunks(TOGETHER).zip(self.groups(&ids)?) {
            for ((at, _), best) in group.iter().zip(answers) {
                let best = best.filter(|best| !best.truncated);
                found[*at] = best.map(|best| {
                    let words = self.vocabulary.decode(&best.tokens);
                    (words, self.sure(best.score))
                });
            }
        }
        Ok(found)
    }

    /// The most probable hypothesis for each source, by groups that share the cores.
    fn groups(&self, sources: &[(usize, Vec<u32>)]) -> Result<Vec<Vec<Option<Hypothesis>>>> {
        let one = |group: &[(usize, Vec<u32>)]| -> Result<Vec<Option<Hypothesis>>> {
            let ids: Vec<&[u32]> = group.iter().map(|(_, ids)| ids.as_slice()).collect();
            let found = self.search(&ids, 1)?;
            Ok(found
                .into_iter()
                .map(|all| all.into_iter().next())
                .collect())
        };
        match &self.threads {
            Some(threads) if sources.len() > TOGETHER => {
                threads.install(|| sources.par_chunks(TOGETHER).map(one).collect())
            }
            _ => sources.chunks(TOGETHER).map(one).collect(),
        }
    }

    fn search(&self, sources: &[&[u32]], beam: usize) -> Result<Vec<Vec<Hypothesis>>> {
        let options = SearchOptions {
            beam,
            ..self.search.clone()
        };
        let grammars = vec![NoGrammar; sources.len()];
        beam_search(&self.checkpoint.model, sources, &grammars, &options)
    }

    /// The confidence of an answer by the logarithm of its probability: its log-odds divided by the temperature of the
    /// checkpoint.
    fn sure(&self, score: f32) -> f32 {
        let temperature = self.checkpoint.config.codexec.temperature;
        if temperature == 1.0 {
            return score.exp();
        }
        let probability = f64::from(score).exp().min(1.0);
        let odds = f64::from(score) - (-probability).ln_1p();
        (1.0 / (1.0 + (-odds / temperature).exp())) as f32
    }

    /// The contents of a hypothesis.
    fn read(
        &self,
        question: &Question,
        found: &Hypothesis,
    ) -> std::result::Result<Answer, AnswerError> {
        if found.truncated {
            return Err(AnswerError::Malformed(
                "an answer without an end".to_owned(),
            ));
        }
        let text = self.vocabulary.decode(&found.tokens);
        let answer = step_form::read(question, &text);
        let mut answer = answer.map_err(|error| AnswerError::Malformed(error.to_string()))?;
        answer.confidence = self.sure(found.score);
        Ok(answer)
    }

    /// The first valid answer after the most probable one.
    fn second_look(
        &self,
        question: &Question,
        ids: &[u32],
    ) -> Result<std::result::Result<Answer, AnswerError>> {
        let found = self.search(&[ids], SECOND_LOOK)?;
        let mut first = None;
        for hypothesis in found.iter().flatten() {
            match self.read(question, hypothesis) {
                Ok(answer) => return Ok(Ok(answer)),
                Err(error) => first = first.or(Some(error)),
            }
        }
        let none = || AnswerError::Malformed("no answer".to_owned());
        Ok(Err(first.unwrap_or_else(none)))
    }

    /// Up to `most` answers to a question, most probable first.
    fn alternatives(
        &self,
        question: &Question,
        most: usize,
    ) -> Result<Vec<std::result::Result<Answer, AnswerError>>> {
        let ids = match self.encode(question) {
            Ok(ids) => ids,
            Err(error) => return Ok(vec![Err(error)]),
        };
        let mut answers: Vec<Answer> = Vec::new();
        for hypothesis in self.search(&[&ids], most)?.iter().flatten() {
            if let Ok(answer) = self.read(question, hypothesis) {
                // Two texts can be equivalent.
                let same = answers.iter_mut().find(|known| {
                    let confidence = answer.confidence;
                    Answer {
                        confidence,
                        ..(**known).clone()
                    } == answer
                });
                match same {
                    Some(known) => {
                        known.confidence = (known.confidence + answer.confidence).min(1.0);
                    }
                    None => answers.push(answer),
                }
            }
        }
        answers.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        Ok(answers.into_iter().map(Ok).collect())
    }

    /// Answers questions, grouped by similar length.
    ///
    /// # Errors
    /// Failures of the tensor library.
    pub fn answers(
        &self,
        questions: &[Question],
    ) -> Result<Vec<std::result::Result<Answer, AnswerError>>> {
        let sources: Vec<_> = questions.iter().map(|q| self.encode(q)).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > MOST_KNOWN {
            known.clear();
        }
        let fresh = sources.iter().flatten().filter(|s| !known.contains_key(*s));
        let fresh: BTreeSet<&Vec<u32>> = fresh.collect();
        let mut fresh: Vec<(usize, Vec<u32>)> = fresh.into_iter().cloned().enumerate().collect();
        fresh.sort_by_key(|(_, ids)| ids.len());
        let found = self.groups(&fresh)?.into_iter().flatten();
        known.extend(fresh.into_iter().map(|(_, ids)| ids).zip(found));
        let mut answers = Vec::with_capacity(questions.len());
        for (question, ids) in questions.iter().zip(sources) {
            let answer = match &ids {
                Ok(ids) => match known.get(ids).and_then(Option::as_ref) {
                    Some(best) => self.read(question, best),
                    None => Err(AnswerError::Malformed("no answer".to_owned())),
                },
                Err(error) => Err(error.clone()),
            };
            answers.push(match (answer, ids) {
                (Err(AnswerError::Malformed(_)), Ok(ids)) => self.second_look(question, &ids)?,
                (answer, _) => answer,
            });
        }
        Ok(answers)
    }
}

impl Oracle for Network<'_> {
    fn name(&self) -> &str {
        &self.checkpoint.name
    }

    fn origin(&self) -> Origin {
        Origin::Predicted
    }

    fn guesses(&self) -> bool {
        true
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> std::result::Result<Vec<std::result::Result<Answer, AnswerError>>, OracleError> {
        self.answers(questions)
            .map_err(|error| OracleError::Other(Box::new(error)))
    }

    fn opinions(
        &mut self,
        questions: &[Question],
        most: usize,
    ) -> std::result::Result<Vec<Vec<std::result::Result<Answer, AnswerError>>>, OracleError> {
        let answers = self.answer(questions)?;
        let mut opinions = Vec::with_capacity(answers.len());
        for (question, answer) in questions.iter().zip(answers) {
            let unsure = answer.as_ref().is_ok_and(|answer| answer.confidence < SURE);
            let mut several = Vec::new();
            if unsure {
                let found = self.alternatives(question, most);
                several = found.map_err(|error| OracleError::Other(Box::new(error)))?;
            }
            if several.is_empty() {
                several.push(answer);
            }
            opinions.push(several);
        }
        Ok(opinions)
    }
}
