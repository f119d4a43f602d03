//! Language models behind any server that speaks OpenAI's protocol of chat completions: `client` asks over
//! `http`, `choices` reads what comes back, `recorded` keeps it in a file.
//!
//! What is asked, and what an answer means, is said where it is needed: in [`prefix`](crate::prefix) and
//! `codexec::engine`.

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

/// Which server is asked, and how.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Base address of the API, such as `https://api.openai.com/v1`.
    pub endpoint: String,
    /// The model's name there.
    pub model: String,
    /// The key, if the endpoint wants one.
    pub key: Option<String>,
    /// Time-out of a request.
    pub timeout: Duration,
    /// How often a request that failed for the moment is sent again.
    pub retries: u32,
    /// Sampling temperature; the endpoint's own without it.
    pub temperature: Option<f64>,
    /// Seed for endpoints that take one.
    pub seed: u64,
    /// Whether an answer has to be JSON, for endpoints that can see to that.
    pub json: bool,
    /// A file that keeps answers; a request whose answer is there is not sent.
    pub answers: Option<PathBuf>,
}

/// What asking took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Requests that were sent, those sent again included.
    pub requests: usize,
    /// Requests whose answer had been kept.
    pub kept: usize,
    /// Tokens of prompts, as the endpoint counts them.
    pub prompt_tokens: u64,
    /// Tokens of answers.
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
    /// What holds for the whole conversation.
    pub fn system(content: impl Into<String>) -> Self {
        Self::of("system", content.into())
    }

    /// What is asked.
    pub fn user(content: impl Into<String>) -> Self {
        Self::of("user", content.into())
    }

    /// What the model answered.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::of("assistant", content.into())
    }

    fn of(role: &'static str, content: String) -> Self {
        Self { role, content }
    }
}

/// What came back for one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The texts of its choices.
    pub choices: Vec<String>,
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the choices.
    pub completion_tokens: u64,
}
