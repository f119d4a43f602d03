//! Options that select a language model and configure its requests.

use std::path::PathBuf;
use std::time::Duration;

use crate::llm::ServerOptions;
use crate::prefix::generators::{Llm, LlmOptions, Usage};

/// OpenAI's own endpoint.
const OPENAI: &str = "https://api.openai.com/v1";
/// Heading of these options in the help.
const HEADING: &str = "Language model";
/// The variable that usually holds a key.
const KEY: &str = "OPENAI_API_KEY";

/// Options for the server and its requests.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct ServerArgs {
    /// Base URL of any OpenAI-compatible API (default: OpenAI's own, if a language model is used at
    /// all).
    #[arg(long, help_heading = HEADING, value_name = "URL")]
    pub endpoint: Option<String>,
    /// Environment variable with the key (default: OPENAI_API_KEY).
    #[arg(long, help_heading = HEADING, value_name = "VARIABLE")]
    key_env: Option<String>,
    /// Store answers in this file and reuse stored ones.
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Sampling temperature (default: the endpoint's own).
    #[arg(long, help_heading = HEADING, value_name = "T", value_parser = temperature)]
    temperature: Option<f64>,
    /// Time limit of a request in seconds (default 120).
    #[arg(long, help_heading = HEADING, value_name = "S", value_parser = super::guide::seconds)]
    request_timeout: Option<f64>,
    /// Retries of a failed request, with growing delays (default 4).
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = clap::value_parser!(u32).range(..=20))]
    retries: Option<u32>,
}

/// Options of `--generator llm`.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct LlmArgs {
    #[command(flatten)]
    server: ServerArgs,
    /// The model to query.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Maximum queries per program (default 12: one for missing values, ten for errors, one for
    /// unreached lines).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    queries: Option<u32>,
    /// Dollars per million tokens of prompts and of answers, to add up the cost.
    #[arg(long, value_name = "IN,OUT", value_parser = price)]
    price: Option<(f64, f64)>,
}

fn price(text: &str) -> Result<(f64, f64), String> {
    let is_price = |p: &f64| p.is_finite() && *p >= 0.0;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(is_price);
    let parts = text.split_once(',');
    let price = parts.and_then(|(a, b)| Some((number(a)?, number(b)?)));
    price.ok_or_else(|| "expected two prices in dollars, such as 2.50,10".to_owned())
}

fn temperature(text: &str) -> Result<f64, String> {
    let temperature = text.parse().ok().filter(|t| (0.0..=2.0).contains(t));
    temperature.ok_or_else(|| "expected a number from 0 to 2".to_owned())
}

impl ServerArgs {
    /// The server with a model of this name, for answers in JSON. `repeats`: an answer file exists,
    /// so the key may be missing, since all answers may be stored.
    pub(super) fn server(
        &self,
        model: &str,
        seed: u64,
        repeats: bool,
    ) -> anyhow::Result<ServerOptions> {
        let endpoint = self.endpoint.clone().unwrap_or_else(|| OPENAI.to_owned());
        let variable = self.key_env.as_deref().unwrap_or(KEY);
        let key = std::env::var_os(variable).map(|key| key.to_string_lossy().trim().to_owned());
        let key = key.filter(|key| !key.is_empty());
        let is_sendable = |key: &String| key.chars().all(|c| c == ' ' || c.is_ascii_graphic());
        if !key.as_ref().is_none_or(is_sendable) {
            anyhow::bail!(
                "the key in {variable} has a line break or another invalid character; set \
                 it again"
            );
        }
        let kept = repeats && self.answers.as_ref().is_some_and(|file| file.exists());
        let needed = (self.endpoint.is_none() || self.key_env.is_some()) && !kept;
        if key.is_none() && needed {
            anyhow::bail!(
                "there is no key in {variable}; set it, name another variable with --key-env, or a \
                 server that needs none with --endpoint, such as http://localhost:11434/v1"
            );
        }
        Ok(ServerOptions {
            endpoint,
            model: model.to_owned(),
            key,
            timeout: Duration::from_secs_f64(self.request_timeout.unwrap_or(120.0)),
            retries: self.retries.unwrap_or(4),
            temperature: self.temperature,
            seed,
            json: true,
            answers: self.answers.clone(),
        })
    }

    /// The options that apply only to requests to a server, and whether each was given.
    pub(super) fn of_requests(&self) -> [(&'static str, bool); 4] {
        [
            ("--key-env", self.key_env.is_some()),
            ("--temperature", self.temperature.is_some()),
            ("--request-timeout", self.request_timeout.is_some()),
            ("--retries", self.retries.is_some()),
        ]
    }
}

impl LlmArgs {
    /// The generator.
    pub(super) fn generator(&self, seed: u64) -> anyhow::Result<Llm> {
        let Some(model) = &self.model else {
            return Err(super::usage("--generator llm needs a --model"));
        };
        Ok(Llm::new(LlmOptions {
            server: self.server.server(model, seed, false)?,
            queries: self.queries.unwrap_or(12) as usize,
            price: self.price,
        })?)
    }

    /// Rejects options that only language models have.
    pub(super) fn check_unused(&self) -> anyhow::Result<()> {
        let own = [
            ("--endpoint", self.server.endpoint.is_some()),
            ("--model", self.model.is_some()),
            ("--queries", self.queries.is_some()),
            ("--answers", self.server.answers.is_some()),
            ("--price", self.price.is_some()),
        ];
        let mut given = own.into_iter().chain(self.server.of_requests());
        match given.find(|(_, given)| *given) {
            Some((option, _)) => Err(super::usage(&format!("{option} is for --generator llm"))),
            None => Ok(()),
        }
    }
}

/// The cost of all requests, on one line.
pub(super) fn used(usage: &Usage) -> String {
    let mut text = format!(
        "language model: {} queries, {} requests, {} + {} tokens",
        usage.queries, usage.requests, usage.prompt_tokens, usage.completion_tokens
    );
    if let Some(dollars) = usage.dollars {
        text.push_str(&format!(", ${dollars:.4}"));
    }
    let skipped = match usage.skipped == usage.answers {
        true => "answers skipped: none could be read",
        false => "answers skipped",
    };
    for (count, what) in [
        (usage.kept, "kept answers used"),
        (usage.repaired, "answers repaired"),
        (usage.skipped, skipped),
        (
            usage.failed,
            "queries given up, the endpoint failed or time was up",
        ),
    ] {
        if count > 0 {
            text.push_str(&format!("; {count} {what}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_two_numbers() {
        assert_eq!(price("2.50, 10"), Ok((2.5, 10.0)));
        for wrong in ["", "1", "1,2,3", "-1,2", "a,b", "inf,1", "1,nan"] {
            assert!(price(wrong).is_err(), "{wrong}");
        }
        assert_eq!(temperature("0.7"), Ok(0.7));
        for wrong in ["", "nan", "inf", "-0.1", "2.1", "warm"] {
            assert!(temperature(wrong).is_err(), "{wrong}");
        }
    }
}
