//! Language models behind any server with OpenAI's chat completions protocol: `client` sends
//! requests over `http`, `choices` parses the replies, `recorded` keeps them in a file.
//!
//! The prompts, and the meaning of answers, are defined where they are needed: in
//! [`prefix`](crate::prefix) and `codexec::engine`.

mod choices;
mod client;
mod http;
pub mod json;
mod recorded;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use client::{Client, Failure};
pub use recorded::{Recorded, digest};

/// The server, and how it is queried.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Base address of the API, such as `https://api.openai.com/v1`.
    pub endpoint: String,
    /// The model's name there.
    pub model: String,
    /// The key, if the endpoint requires one.
    pub key: Option<String>,
    /// Timeout of a request.
    pub timeout: Duration,
    /// Number of retries of a request after a temporary failure.
    pub retries: u32,
    /// Sampling temperature; `None` for the endpoint's default.
    pub temperature: Option<f64>,
    /// Seed, for endpoints that accept one.
    pub seed: u64,
    /// Whether an answer must be JSON, for endpoints that can enforce it.
    pub json: bool,
    /// A file that keeps answers; a request is not sent if its answer is there.
    pub answers: Option<PathBuf>,
}

/// The cost of queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
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
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    role: &'static str,
    content: String,
}

impl Message {
    /// A system message: instructions for the whole conversation.
    pub fn system(content: impl Into<String>) -> Self {
        Self::of("system", content.into())
    }

    /// A user message: the question.
    pub fn user(content: impl Into<String>) -> Self {
        Self::of("user", content.into())
    }

    /// An assistant message: the model's answer.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::of("assistant", content.into())
    }

    fn of(role: &'static str, content: String) -> Self {
        Self { role, content }
    }
}

/// The reply to one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The texts of its choices.
    pub choices: Vec<String>,
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the choices.
    pub completion_tokens: u64,
}
