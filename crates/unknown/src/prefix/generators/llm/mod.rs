//! Prefixes by a large language model behind any OpenAI-compatible endpoint, queried as in the
//! paper's Treefix: `prompts` writes the prompts, `answer` parses the answers.

mod answer;
mod parts;
mod prompts;

use std::collections::BTreeSet;
use std::sync::PoisonError;

use serde::Serialize;

use super::{Candidate, Generator, PrefixError, Snippet, Tried};
use crate::llm::{self, Client, Failure, Message, ServerOptions};
use answer::Answer;

/// How a language model is queried.
#[derive(Debug, Clone)]
pub struct LlmOptions {
    /// The server, and how it is queried.
    pub server: ServerOptions,
    /// Most queries per program. Twelve are enough for one about missing values, one about each of
    /// ten prefixes, and one about lines that are not reached.
    pub queries: usize,
    /// Dollars per million tokens of prompts and of answers.
    pub price: Option<(f64, f64)>,
}

/// The cost of queries to a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Usage {
    /// Queries of the search.
    pub queries: usize,
    /// Requests sent, including retries.
    pub requests: usize,
    /// Requests answered from the file.
    pub kept: usize,
    /// Prompt tokens, as the endpoint counts them.
    pub prompt_tokens: u64,
    /// Completion tokens.
    pub completion_tokens: u64,
    /// Answers.
    pub answers: usize,
    /// Answers that were not the requested JSON, but could be parsed.
    pub repaired: usize,
    /// Answers that could not be parsed.
    pub skipped: usize,
    /// Queries given up because the endpoint failed or time was up.
    pub failed: usize,
    /// Price of the tokens in dollars; `None` without prices.
    pub dollars: Option<f64>,
}

impl std::ops::Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            requests: self.requests + other.requests,
            kept: self.kept + other.kept,
            prompt_tokens: self.prompt_tokens + other.prompt_tokens,
            completion_tokens: self.completion_tokens + other.completion_tokens,
            answers: self.answers + other.answers,
            repaired: self.repaired + other.repaired,
            skipped: self.skipped + other.skipped,
            failed: self.failed + other.failed,
            dollars: match (self.dollars, other.dollars) {
                (Some(own), Some(other)) => Some(own + other),
                (own, other) => own.or(other),
            },
        }
    }
}

/// Queries a language model.
#[derive(Debug)]
pub struct Llm {
    client: Client,
    queries: usize,
    price: Option<(f64, f64)>,
}

impl Llm {
    /// Creates a generator; sends nothing yet.
    ///
    /// # Errors
    /// If the file of answers cannot be read, or the endpoint is not an address.
    pub fn new(options: LlmOptions) -> Result<Self, PrefixError> {
        let (queries, price) = (options.queries, options.price);
        Ok(Self {
            client: Client::new(options.server).map_err(failed)?,
            queries,
            price,
        })
    }

    /// Sends one query. `spare` queries are reserved for later; nothing is sent if no more are
    /// left.
    fn ask(
        &self,
        snippet: &Snippet,
        messages: &[Message],
        n: usize,
        spare: usize,
    ) -> Result<Vec<Candidate>, Failure> {
        if spent(snippet).queries + spare >= self.queries {
            return Ok(Vec::new());
        }
        let mut took = llm::Usage::default();
        let asked = self.client.ask(messages, n, snippet.deadline, &mut took);
        let mut usage = Usage {
            queries: 1,
            requests: took.requests,
            kept: took.kept,
            prompt_tokens: took.prompt_tokens,
            completion_tokens: took.completion_tokens,
            answers: took.answers,
            ..Usage::default()
        };
        let mut found: Vec<Candidate> = Vec::new();
        for content in asked.as_deref().unwrap_or_default() {
            match Answer::read(content) {
                Some(read) => {
                    usage.repaired += usize::from(read.repaired);
                    let text = read.answer.text();
                    if !found.iter().any(|c| c.text == text) {
                        found.push(Candidate::of_text(text));
                    }
                }
                None => usage.skipped += 1,
            }
        }
        if let Err(failure) = &asked {
            usage.failed = 1;
            let mut unanswered = snippet
                .unanswered
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            unanswered.get_or_insert_with(|| failure.why().to_owned());
        }
        usage.dollars = self.price.map(|(prompt, completion)| {
            (usage.prompt_tokens as f64 * prompt + usage.completion_tokens as f64 * completion)
                / 1e6
        });
        let mut all = snippet.usage.lock().unwrap_or_else(PoisonError::into_inner);
        *all = *all + usage;
        drop(all);
        asked.map(|_| found)
    }

    /// Same as `ask`, but if the endpoint does not answer, the earlier results are kept.
    fn refine(
        &self,
        snippet: &Snippet,
        messages: &[Message],
        n: usize,
        spare: usize,
    ) -> Result<Vec<Candidate>, PrefixError> {
        if spent(snippet).failed > 0 {
            return Ok(Vec::new());
        }
        match self.ask(snippet, messages, n, spare) {
            Err(Failure::Failed(_) | Failure::Unfit(_) | Failure::Late(_)) => Ok(Vec::new()),
            asked => asked.map_err(failed),
        }
    }

    /// Returns the conversation that led to a prefix.
    fn conversation(snippet: &Snippet, prefix: &str) -> Vec<Message> {
        vec![
            Message::system(prompts::SYSTEM),
            Message::user(prompts::for_missing(snippet)),
            Message::assistant(Answer::of_prefix(prefix).json()),
        ]
    }
}

/// Returns the cost of the queries about a program so far.
fn spent(snippet: &Snippet) -> Usage {
    *snippet.usage.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(failure: Failure) -> PrefixError {
    let generator = "llm";
    match failure {
        Failure::Refused(why) => PrefixError::Refused { generator, why },
        Failure::Failed(why) | Failure::Unfit(why) | Failure::Late(why) => {
            PrefixError::Generator { generator, why }
        }
    }
}

impl Generator for Llm {
    fn name(&self) -> &'static str {
        "llm"
    }

    fn for_missing(&self, snippet: &Snippet, n: usize) -> Result<Vec<Candidate>, PrefixError> {
        let nothing = snippet.missing_names().is_empty() && snippet.missing_packages().is_empty();
        if nothing {
            return Ok(Vec::new());
        }
        let messages = [
            Message::system(prompts::SYSTEM),
            Message::user(prompts::for_missing(snippet)),
        ];
        match self.ask(snippet, &messages, n, 0) {
            // The program can be tried without a prefix.
            Err(Failure::Late(_)) => Ok(Vec::new()),
            asked => asked.map_err(failed),
        }
    }

    fn for_error(
        &self,
        snippet: &Snippet,
        tried: &Tried,
        n: usize,
    ) -> Result<Vec<Candidate>, PrefixError> {
        let troubles = tried.troubles();
        let Some(error) = troubles.first() else {
            return Ok(Vec::new());
        };
        let mut messages = Self::conversation(snippet, &tried.prefix);
        messages.push(Message::user(prompts::for_error(snippet, error)));
        // One query is reserved for lines that are not reached.
        self.refine(snippet, &messages, n, 1)
    }

    fn for_lines(
        &self,
        snippet: &Snippet,
        tried: &[Tried],
        covered: &BTreeSet<u32>,
        n: usize,
    ) -> Result<Vec<(Option<usize>, Candidate)>, PrefixError> {
        let best = (0..tried.len()).max_by_key(|&k| {
            let further = std::cmp::Reverse(k);
            (tried[k].covered.len(), further)
        });
        let Some(best) = best else {
            return Ok(Vec::new());
        };
        let uncovered = snippet.uncovered(covered);
        let mut messages = Self::conversation(snippet, &tried[best].prefix);
        messages.push(Message::user(prompts::for_lines(snippet, &uncovered)));
        let found = self.refine(snippet, &messages, n, 0)?;
        Ok(found.into_iter().map(|c| (Some(best), c)).collect())
    }

    fn usage(&self, snippet: &Snippet) -> Option<Usage> {
        Some(spent(snippet))
    }
}
