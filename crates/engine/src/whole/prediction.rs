//! Prediction by a network: a program's text in, its predicted trace out. Nothing is executed.

use std::sync::Arc;

use codexec_data::examples::Kind;
use codexec_data::syntax::SyntaxError;
use codexec_data::tokenizer::source::{SourceForm, source_text_as};
use codexec_data::tokenizer::{SourceText, Vocabulary};
use codexec_data::trace::{
    DeltaTrace, Engine, Event, Limit, Origin, Outcome, PaperTrace, Program, State, Step, Trace,
    Value, delta_text, full, paper,
};
use codexec_model::decode::flow::LineFlow;
use rayon::prelude::*;

use crate::in_order::in_order;
use codexec_model::decode::{
    self, Hypothesis, Rule, SearchOptions, TraceGrammar, beam_search, step_confidences,
};
use codexec_model::error::{Error, Result};
use codexec_model::{Checkpoint, Form};

/// Settings of a prediction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictOptions {
    /// Hypotheses kept; 1 is greedy.
    pub beam: usize,
    /// Maximum steps to predict, in addition to the model's own limit on tokens.
    pub max_steps: usize,
    /// The task's prefix token, as `<codenet>`.
    pub prefix: &'static str,
    /// Lines follow each other only as the program's control flow allows, read off its syntax.
    pub flow: bool,
    /// Beam search variant (default: as published for checkpoints in the paper's form, best for our
    /// own).
    pub rule: Option<Rule>,
}

impl PredictOptions {
    /// A step example's target is its last line alone, which no flow leads to.
    fn keeps_flow(&self) -> bool {
        self.flow && self.prefix != Kind::SingleLine.prefix()
    }
}

impl Default for PredictOptions {
    fn default() -> Self {
        Self {
            beam: 10,
            max_steps: 1024,
            prefix: "<codenet>",
            flow: true,
            rule: None,
        }
    }
}

/// A predicted trace and additional information.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The trace; where a limit ended it, it is `truncated`, names the `limit`, and has the steps that
    /// were written whole.
    pub trace: Trace,
    /// Target text as the model wrote it.
    pub text: String,
    /// Sum of the log-probabilities of its tokens.
    pub score: f32,
    /// True when the program is longer than the model's window and only its beginning was read.
    pub source_cut: bool,
}

/// A program that does not parse gets its syntax error instead.
pub type Predicted = std::result::Result<Prediction, SyntaxError>;

/// Predicts the traces of programs, decoded together: one result per program, in order.
///
/// # Errors
/// If the checkpoint's tokenizer does not fit its form, or a tensor operation fails.
pub fn predict(
    checkpoint: &Checkpoint,
    programs: &[Program],
    options: &PredictOptions,
) -> Result<Vec<Predicted>> {
    let reader = Reader::new(checkpoint, options)?;
    let mut results: Vec<(usize, Predicted)> = Vec::with_capacity(programs.len());
    let mut sources = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        match reader.prepare(at, program, options)? {
            Err(error) => results.push((at, Err(error))),
            Ok(source) => sources.push(source),
        }
    }
    // Grouping by length avoids padding.
    sources.sort_by_key(|source| source.ids.len());
    for found in each_group(&sources, &|group| reader.group(programs, group, options))? {
        results.extend(found);
    }
    results.sort_by_key(|(at, _)| *at);
    Ok(results
        .into_iter()
        .map(|(_, predicted)| predicted)
        .collect())
}

/// Predicts the traces of programs one by one and passes each to `done`, in order, as soon as it
/// and all before it are ready. Slower than [`predict`], but a program's result does not depend on
/// the other programs.
///
/// # Errors
/// As [`predict`]; and what `done` returns, which ends the work.
pub fn predict_each<E: From<Error> + Send>(
    checkpoint: &Checkpoint,
    programs: &[Program],
    options: &PredictOptions,
    mut done: impl FnMut(&Program, Predicted) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let reader = Reader::new(checkpoint, options)?;
    let one = |program: &Program| -> Result<Predicted> {
        let program = std::slice::from_ref(program);
        let source = match reader.prepare(0, &program[0], options)? {
            Err(error) => return Ok(Err(error)),
            Ok(source) => source,
        };
        let mut found = reader.group(program, &[source], options)?;
        match found.pop() {
            Some((_, predicted)) => Ok(predicted),
            None => unreachable!("a group of one program gives one result"),
        }
    };
    let cores = match candle_core::utils::get_num_threads() {
        1 => std::thread::available_parallelism().map_or(1, usize::from),
        // The products share the cores.
        _ => 1,
    };
    in_order(programs, cores, one, |program, predicted| {
        done(program, predicted?)
    })
}

/// Applies `work` to groups of sources, in order. If products have one thread each
/// (`RAYON_NUM_THREADS=1`), the groups share the cores; otherwise the products do.
fn each_group<T: Send>(
    sources: &[Encoded],
    work: &(impl Fn(&[Encoded]) -> Result<T> + Sync),
) -> Result<Vec<T>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if candle_core::utils::get_num_threads() > 1 || cores == 1 {
        return sources.chunks(GROUP).map(work).collect();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build();
    let pool = pool.map_err(|error| Error::Threads(error.to_string()))?;
    pool.install(|| sources.par_chunks(GROUP).map(work).collect())
}

/// A program ready for the network.
struct Encoded {
    at: usize,
    ids: Vec<u32>,
    cut: bool,
    grammar: TraceGrammar,
}

/// Programs decoded together. The same on every machine, since sharing a product can change the last
/// digits.
const GROUP: usize = 4;

/// Everything needed to get from program to ids and from ids to trace.
struct Reader<'a> {
    checkpoint: &'a Checkpoint,
    /// Our own; published checkpoints use their tokenizer unchanged.
    vocabulary: Option<Vocabulary>,
    classes: Arc<decode::TokenClasses>,
    search: SearchOptions,
    form: SourceForm,
    prefix: &'static str,
    line: u32,
    output: u32,
}

impl<'a> Reader<'a> {
    fn new(checkpoint: &'a Checkpoint, options: &PredictOptions) -> Result<Self> {
        let form = match checkpoint.config.codexec.form {
            Form::Delta => SourceForm::Own,
            Form::Paper => SourceForm::Paper,
        };
        let vocabulary = match form {
            SourceForm::Own => {
                Some(Vocabulary::new(checkpoint.tokenizer.clone()).map_err(|e| {
                    Error::Tokenizer {
                        file: checkpoint.name.clone(),
                        cause: e.to_string(),
                    }
                })?)
            }
            SourceForm::Paper => None,
        };
        let (start, end) = (checkpoint.token("<mask0>")?, checkpoint.token("</s>")?);
        let search = SearchOptions {
            beam: options.beam,
            // Published checkpoints are searched as published.
            length_penalty: match form {
                SourceForm::Own => 1.0,
                SourceForm::Paper => 0.0,
            },
            rule: options.rule.unwrap_or(match form {
                SourceForm::Own => Rule::Best,
                SourceForm::Paper => Rule::Published,
            }),
            ..SearchOptions::new(&checkpoint.model, start, end)
        };
        Ok(Self {
            checkpoint,
            vocabulary,
            classes: Arc::new(decode::TokenClasses::new(&checkpoint.tokenizer)),
            search,
            form,
            prefix: options.prefix,
            line: checkpoint.token("<line>")?,
            output: checkpoint.token("<output>")?,
        })
    }

    /// A program as ids with its grammar, or why it does not parse.
    fn prepare(
        &self,
        at: usize,
        program: &Program,
        options: &PredictOptions,
    ) -> Result<std::result::Result<Encoded, SyntaxError>> {
        let text = program.source.as_deref().unwrap_or("");
        let source = match source_text_as(self.form, text, program.stdin.as_deref()) {
            Err(error) => return Ok(Err(error)),
            Ok(source) => source,
        };
        let (ids, cut) = self.encode(&source)?;
        let grammar = self.grammar(&source, text, options.keeps_flow());
        Ok(Ok(Encoded {
            at,
            ids,
            cut,
            grammar,
        }))
    }

    /// Predicts a group of sources, decoded together, each with its program's index.
    fn group(
        &self,
        programs: &[Program],
        group: &[Encoded],
        options: &PredictOptions,
    ) -> Result<Vec<(usize, Predicted)>> {
        let ids: Vec<&[u32]> = group.iter().map(|s| s.ids.as_slice()).collect();
        let grammars: Vec<TraceGrammar> = group.iter().map(|s| s.grammar.clone()).collect();
        let found = beam_search(&self.checkpoint.model, &ids, &grammars, &self.search)?;
        let mut predicted = Vec::with_capacity(group.len());
        for (source, hypotheses) in group.iter().zip(found) {
            let Some(best) = hypotheses.first() else {
                unreachable!("a search gives at least one hypothesis for each program")
            };
            let prediction = self.read(&programs[source.at], best, source, options)?;
            predicted.push((source.at, Ok(prediction)));
        }
        Ok(predicted)
    }

    fn grammar(&self, source: &SourceText, program: &str, flow: bool) -> TraceGrammar {
        let form = self.checkpoint.config.codexec.form;
        let grammar = TraceGrammar::new(self.classes.clone(), form, source.lines as usize);
        match LineFlow::of(program) {
            Ok(lines) if flow && form == Form::Delta => grammar.with_flow(lines),
            _ => grammar,
        }
    }

    /// Ids of a source, and whether it was cut to the window.
    fn encode(&self, source: &SourceText) -> Result<(Vec<u32>, bool)> {
        let max = self.checkpoint.config.codexec.max_source;
        let (ids, cut) = match &self.vocabulary {
            Some(vocabulary) => vocabulary
                .encode_source(self.prefix, &source.text, max)
                .map_err(|e| self.tokenizer_error(&e.to_string()))?,
            None => self.encode_published(&source.text, max)?,
        };
        Ok((ids, cut || source.cut))
    }

    /// `<s> <encoder-decoder> </s> prefix code <mask0> </s>` by the checkpoint's own tokenizer.
    fn encode_published(&self, text: &str, max: usize) -> Result<(Vec<u32>, bool)> {
        let encode = |text: &str| {
            let encoding = self.checkpoint.tokenizer.encode_fast(text, false);
            encoding
                .map(|e| e.get_ids().to_vec())
                .map_err(|e| self.tokenizer_error(&e.to_string()))
        };
        let mut ids = encode(&format!("<s><encoder-decoder></s>{}", self.prefix))?;
        let code = encode(text)?;
        let room = max.saturating_sub(ids.len() + 2);
        let cut = code.len() > room;
        ids.extend(code.into_iter().take(room));
        ids.extend(encode("<mask0></s>")?);
        Ok((ids, cut))
    }

    fn tokenizer_error(&self, cause: &str) -> Error {
        Error::Tokenizer {
            file: self.checkpoint.name.clone(),
            cause: cause.to_owned(),
        }
    }

    fn read(
        &self,
        program: &Program,
        best: &Hypothesis,
        source: &Encoded,
        options: &PredictOptions,
    ) -> Result<Prediction> {
        let whole = if best.truncated {
            source.grammar.complete_prefix(&best.tokens)
        } else {
            best.tokens.len()
        };
        let tokens = &best.tokens[..whole];
        let text = match &self.vocabulary {
            Some(vocabulary) => vocabulary.decode(tokens),
            None => self
                .checkpoint
                .tokenizer
                .decode(tokens, false)
                .map_err(|e| self.tokenizer_error(&e.to_string()))?,
        };
        let (mut trace, outputs_first) = match self.form {
            SourceForm::Own => (delta_trace(&text, program), None),
            SourceForm::Paper => (paper_trace(&text, program), Some(self.output)),
        };
        trace.checkpoint = Some(self.checkpoint.name.clone());
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        trace.limit = match (trace.steps.len() > options.max_steps, best.truncated) {
            (true, _) => Some(Limit::Steps(count(options.max_steps))),
            (false, true) => Some(Limit::Tokens(count(best.tokens.len()))),
            (false, false) => None,
        };
        trace.truncated = trace.limit.is_some();
        let confidences = step_confidences(tokens, &best.logprobs, self.line, outputs_first);
        for (step, sure) in trace.steps.iter_mut().zip(confidences) {
            step.confidence = Some(sure.confidence);
        }
        trace.steps.truncate(options.max_steps);
        if trace.truncated {
            // The trace did not reach an end, whatever would have followed.
            trace.outcome = Outcome::StepLimit;
        }
        Ok(Prediction {
            trace,
            text,
            score: best.score,
            source_cut: source.cut,
        })
    }
}

/// The trace of a delta text. The grammar only produces valid text, except for a step truncated by
/// the length limit, which is dropped.
fn delta_trace(text: &str, program: &Program) -> Trace {
    let mut text = text;
    loop {
        match delta_text::parse(text, Engine::Predict, program.clone(), Origin::Predicted) {
            Ok(delta) => return full(&delta),
            Err(_) => match text.rfind("<line>") {
                Some(at) => text = &text[..at],
                None => return full(&DeltaTrace::new(Engine::Predict, program.clone())),
            },
        }
    }
}

/// The trace of a paper text, without events, functions and depths.
fn paper_trace(text: &str, program: &Program) -> Trace {
    let mut trace = Trace::new(Engine::Predict, program.clone());
    let mut text = text;
    let read = loop {
        match paper::parse(text) {
            Ok(read) => break read,
            Err(_) => match text.rfind("<line>") {
                Some(at) => text = text[..at].trim_end(),
                None => break PaperTrace::default(),
            },
        }
    };
    trace.steps = read
        .steps
        .into_iter()
        .map(|step| Step {
            line: step.line,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state: step
                .state
                .into_iter()
                .map(|(name, text)| (name, Value::new(text, Origin::Predicted)))
                .collect::<State>(),
            output: step.output.map_or_else(String::new, |text| text + "\n"),
            value: None,
            confidence: None,
        })
        .collect();
    trace
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;
    use codexec_model::embedded;

    /// The embedded vocabulary has words for instances with attributes, though the checkpoint was
    /// trained without them.
    #[test]
    fn attributes_survive_the_embedded_vocabulary() {
        let checkpoint = embedded::load(&Device::Cpu).unwrap();
        let vocabulary = Vocabulary::new(checkpoint.tokenizer.clone()).unwrap();
        let mut trace = Trace::new(Engine::Run, Program::default());
        let text = "<Account balance=-3 owner='a b' log=[<Entry ...>, <line x=1>]>";
        let step = Step {
            line: 1,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state: State::from_iter([("a".to_owned(), Value::observed(text))]),
            output: String::new(),
            value: None,
            confidence: None,
        };
        trace.steps = vec![step.clone(), step];
        let written = delta_text::render(&codexec_data::trace::delta(&trace).unwrap());
        let ids = vocabulary.encode_target(&written).unwrap();
        let read = delta_trace(&vocabulary.decode(&ids), &Program::default());
        assert_eq!(read.steps[0].state.get("a").unwrap().text, text);
        let classes = Arc::new(decode::TokenClasses::new(&checkpoint.tokenizer));
        let grammar = TraceGrammar::new(classes, Form::Delta, 1);
        // The grammar accepts all of the first step; the second one is `<line> <0>`.
        let tokens: Vec<u32> = vocabulary.encode(&written).unwrap();
        assert_eq!(grammar.complete_prefix(&tokens), tokens.len() - 2);
    }

    #[test]
    fn results_stand_in_the_order_of_their_programs() {
        let checkpoint = embedded::load(&Device::Cpu).unwrap();
        let sources = ["a = 12\nb = 30\nc = a\n", "x = = 1\n", "", "y = 5\n"];
        let programs = sources.map(|source| Program {
            id: source.into(),
            source: Some(source.into()),
            stdin: None,
            ..Program::default()
        });
        for beam in [0, 1, 3] {
            let options = PredictOptions {
                beam,
                ..PredictOptions::default()
            };
            let results = predict(&checkpoint, &programs, &options).unwrap();
            assert_eq!(results.len(), programs.len());
            assert!(results[1].is_err());
            for at in [0, 2, 3] {
                let prediction = results[at].as_ref().unwrap();
                assert_eq!(prediction.trace.program, programs[at]);
            }
        }
    }
}
