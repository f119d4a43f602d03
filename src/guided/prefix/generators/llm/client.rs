//! Asks an endpoint that speaks OpenAI's protocol of chat completions, and bears with those that speak it
//! imperfectly: without several choices to a request, without JSON mode, with fields left out.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::{Response, Uri};

use super::prompts::Message;
use super::recorded::{Recorded, Reply, digest};
use super::{LlmOptions, Usage};

/// Bytes of an answer that are read.
const LONGEST: u64 = 16 << 20;
/// Longest wait before a request is sent again.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Characters of an endpoint's message that are shown.
const LONGEST_MESSAGE: usize = 300;

/// Seeds are signed on the other side.
const LARGEST_SEED: u64 = i64::MAX as u64;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The endpoint will not answer the next request either.
    Refused(String),
    /// It may answer later.
    Passing(String),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    url: String,
    options: LlmOptions,
    recorded: Option<Recorded>,
    /// The endpoint takes nothing but the model and the messages.
    plain: AtomicBool,
}

impl Client {
    /// A client; nothing is sent yet.
    pub fn new(options: LlmOptions) -> Result<Self, Failure> {
        let base = options.endpoint.trim_end_matches('/');
        let url = match base.strip_suffix("/chat/completions") {
            Some(_) => base.to_owned(),
            None => format!("{base}/chat/completions"),
        };
        let uri: Option<Uri> = url.parse().ok();
        let scheme = uri.as_ref().and_then(|u| u.scheme_str());
        if !matches!(scheme, Some("http" | "https")) {
            return Err(Failure::Refused(format!(
                "{} is no address; give one like https://api.openai.com/v1 with --endpoint",
                options.endpoint
            )));
        }
        let recorded = match options.answers.as_deref().map(Recorded::open) {
            Some(opened) => Some(opened.map_err(Failure::Refused)?),
            None => None,
        };
        let agent = Agent::config_builder()
            .timeout_global(Some(options.timeout))
            .http_status_as_error(false)
            // The key goes where the user said and nowhere else.
            .max_redirects(0)
            .user_agent(concat!("codexec/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Ok(Self {
            agent,
            url,
            options,
            recorded,
            plain: AtomicBool::new(false),
        })
    }

    /// About `n` different answers.
    pub fn ask(
        &self,
        messages: &[Message],
        n: usize,
        usage: &mut Usage,
    ) -> Result<Vec<String>, Failure> {
        let mut found: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for ordinal in 0..n {
            let reply = match self.reply(messages, n - found.len(), ordinal, usage) {
                Err(Failure::Passing(_)) if !found.is_empty() => break,
                reply => reply?,
            };
            let before = found.len();
            for choice in reply.choices {
                usage.answers += 1;
                if seen.insert(choice.clone()) {
                    found.push(choice);
                }
            }
            // An endpoint that gives one choice whatever it is asked for is asked again, as long as
            // it says something new.
            if usage.answers >= n || found.len() == before {
                break;
            }
        }
        Ok(found)
    }

    fn reply(
        &self,
        messages: &[Message],
        n: usize,
        ordinal: usize,
        usage: &mut Usage,
    ) -> Result<Reply, Failure> {
        let body = self.body(messages, n, ordinal, false);
        // The same whatever the endpoint turned out to take.
        let request = digest(&self.url, body.to_string().as_bytes(), ordinal);
        let kept = self.recorded.as_ref().and_then(|r| r.get(&request));
        if let Some(reply) = kept {
            usage.kept += 1;
            return Ok(reply);
        }
        let reply = self.send(messages, n, ordinal, usage)?;
        usage.prompt_tokens += reply.prompt_tokens;
        usage.completion_tokens += reply.completion_tokens;
        if let Some(recorded) = &self.recorded {
            recorded.keep(&request, &reply).map_err(Failure::Refused)?;
        }
        Ok(reply)
    }

    fn body(&self, messages: &[Message], n: usize, ordinal: usize, plain: bool) -> Value {
        let mut body = json!({"model": self.options.model, "messages": messages});
        if let Some(temperature) = self.options.temperature {
            body["temperature"] = json!(temperature);
        }
        if !plain {
            body["n"] = json!(n);
            body["response_format"] = json!({"type": "json_object"});
            body["seed"] = json!(self.options.seed.wrapping_add(ordinal as u64) & LARGEST_SEED);
        }
        body
    }

    /// Sends a request until it is answered, refused, or has failed too often.
    fn send(
        &self,
        messages: &[Message],
        n: usize,
        ordinal: usize,
        usage: &mut Usage,
    ) -> Result<Reply, Failure> {
        let mut failed = 0;
        loop {
            let plain = self.plain.load(Ordering::Relaxed);
            let body = self.body(messages, n, ordinal, plain);
            usage.requests += 1;
            let (why, wait) = match self.post(&body.to_string()) {
                Err(why) => (why, None),
                Ok(mut response) => {
                    let status = response.status().as_u16();
                    let wait = retry_after(&response);
                    let body = response.body_mut().with_config().limit(LONGEST);
                    let text = body.read_to_vec();
                    let text = text.map(|b| String::from_utf8_lossy(&b).into_owned());
                    match (status, text) {
                        (200..=299, Ok(text)) => return Ok(read(&text)),
                        (_, Err(e)) => (e.to_string(), wait),
                        (400 | 422, Ok(_)) if !plain => {
                            self.plain.store(true, Ordering::Relaxed);
                            continue;
                        }
                        (408 | 409 | 425 | 429 | 500..=599, Ok(text))
                            if !text.contains("insufficient_quota") =>
                        {
                            (said(status, &text), wait)
                        }
                        (_, Ok(text)) => return Err(self.refused(status, &text)),
                    }
                }
            };
            if failed >= self.options.retries {
                return Err(Failure::Passing(format!(
                    "{} did not answer {}: {why}; with --answers FILE another run goes on from here",
                    self.url,
                    match failed {
                        0 => "a request".to_owned(),
                        n => format!("a request sent {} times", n + 1),
                    }
                )));
            }
            let usual = Duration::from_millis(500 << failed.min(8));
            std::thread::sleep(wait.unwrap_or(usual).min(LONGEST_WAIT));
            failed += 1;
        }
    }

    fn post(&self, body: &str) -> Result<Response<ureq::Body>, String> {
        let mut request = self
            .agent
            .post(&self.url)
            .header("Content-Type", "application/json");
        if let Some(key) = &self.options.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        request.send(body).map_err(|e| e.to_string())
    }

    fn refused(&self, status: u16, text: &str) -> Failure {
        let next = match status {
            401 | 403 => "; is the key right, and in the variable that --key-env names?",
            404 => "; is --endpoint right (it ends in /v1 for most servers), and --model?",
            300..=399 => "; name the address that it moved to with --endpoint",
            _ => "",
        };
        let url = &self.url;
        Failure::Refused(format!("{url} answered {}{next}", said(status, text)))
    }
}

/// The wait that an endpoint asks for.
fn retry_after(response: &Response<ureq::Body>) -> Option<Duration> {
    let value = response.headers().get("retry-after")?.to_str().ok()?;
    let seconds: f64 = value.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The status of a request that failed, and the endpoint's message.
fn said(status: u16, text: &str) -> String {
    let document = serde_json::from_str::<Value>(text).unwrap_or_default();
    let error = document.get("error").unwrap_or(&document);
    let message = error.get("message").unwrap_or(error).as_str();
    let message = message.unwrap_or(text).trim();
    let message: String = message.chars().take(LONGEST_MESSAGE).collect();
    match message.is_empty() {
        true => format!("status {status}"),
        false => format!("status {status}: {message}"),
    }
}

/// The choices of an answer; none where it is not what the protocol says.
fn read(text: &str) -> Reply {
    let document = serde_json::from_str::<Value>(text).unwrap_or_default();
    let count = |key: &str| document["usage"][key].as_u64().unwrap_or(0);
    let choices = document["choices"].as_array();
    let choices = choices.into_iter().flatten().map(|choice| {
        let content = &choice["message"]["content"];
        match content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let texts = parts.iter().filter_map(|p| p["text"].as_str());
                texts.collect()
            }
            _ => choice["text"].as_str().unwrap_or_default().to_owned(),
        }
    });
    let mut choices: Vec<String> = choices.collect();
    if choices.is_empty() {
        // An answer all the same: one that cannot be read.
        choices.push(String::new());
    }
    Reply {
        choices,
        prompt_tokens: count("prompt_tokens"),
        completion_tokens: count("completion_tokens"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_whatever_is_left_out() {
        let whole = r#"{"choices": [{"message": {"content": "a"}}, {"message": {"content": null}},
            {"message": {"content": [{"type": "text", "text": "b"}]}}, {"text": "c"}, 7],
            "usage": {"prompt_tokens": 5, "completion_tokens": 3}}"#;
        let reply = read(whole);
        assert_eq!(reply.choices, ["a", "", "b", "c", ""]);
        assert_eq!((reply.prompt_tokens, reply.completion_tokens), (5, 3));
        for broken in [
            "",
            "<html>",
            "{}",
            "[]",
            r#"{"choices": {}}"#,
            r#"{"error": "no"}"#,
        ] {
            assert_eq!(read(broken).choices, [""], "{broken}");
        }
    }

    #[test]
    fn messages_of_endpoints_are_found() {
        assert_eq!(
            said(401, r#"{"error": {"message": "bad key"}}"#),
            "status 401: bad key"
        );
        assert_eq!(said(500, r#"{"error": "down"}"#), "status 500: down");
        assert_eq!(said(502, "<html>"), "status 502: <html>");
        assert_eq!(said(503, " "), "status 503");
    }
}
