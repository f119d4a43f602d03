//! Queries an endpoint with OpenAI's chat completions protocol. It tolerates imperfect
//! implementations: one choice per request, no JSON mode, missing fields.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::choices::read;
use super::http::{Http, is_address};
use super::recorded::{Recorded, digest};
use super::{Message, Reply, ServerOptions, Usage};

/// Most bytes read of an answer, after decompression.
const LONGEST: u64 = 16 << 20;
/// Longest wait before a retry.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Most characters shown of an endpoint's message.
const LONGEST_MESSAGE: usize = 300;

/// Servers read seeds as signed integers.
const LARGEST_SEED: u64 = i64::MAX as u64;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The endpoint will refuse every other request too.
    Refused(String),
    /// The endpoint may answer other requests.
    Failed(String),
    /// The endpoint does not accept this request, perhaps because of its length, and may answer
    /// others.
    Unfit(String),
    /// The deadline has passed; says why there was no answer before.
    Late(String),
}

impl Failure {
    /// Returns the reason, for people.
    pub fn why(&self) -> &str {
        match self {
            Self::Refused(why) | Self::Failed(why) | Self::Unfit(why) | Self::Late(why) => why,
        }
    }
}

/// The result of sending a request once.
enum Sent {
    Answered(Reply),
    /// A retry may be answered, after this wait.
    Again(String, Option<Duration>),
    /// The endpoint does not accept it in this form.
    Unfit(String),
    Ended(Failure),
}

/// A client; see the module.
#[derive(Debug)]
pub struct Client {
    http: Http,
    url: String,
    /// The URL for messages, without secrets.
    address: String,
    options: ServerOptions,
    recorded: Option<Recorded<Reply>>,
    /// Whether the endpoint accepts only the model and the messages.
    plain: AtomicBool,
}

impl Client {
    /// Creates a client; sends nothing yet.
    ///
    /// # Errors
    /// If the file of answers cannot be read, or the endpoint is not an address.
    pub fn new(options: ServerOptions) -> Result<Self, Failure> {
        let (base, query) = match options.endpoint.split_once('?') {
            Some((base, query)) => (base, format!("?{query}")),
            None => (options.endpoint.as_str(), String::new()),
        };
        let base = base.trim_end_matches('/');
        let url = match base.strip_suffix("/chat/completions") {
            Some(_) => format!("{base}{query}"),
            None => format!("{base}/chat/completions{query}"),
        };
        if !is_address(&url) {
            return Err(Failure::Refused(format!(
                "{} is no address; give one like https://api.openai.com/v1 with --endpoint",
                shown(&options.endpoint)
            )));
        }
        let recorded = match options.answers.as_deref().map(Recorded::open) {
            Some(opened) => Some(opened.map_err(Failure::Refused)?),
            None => None,
        };
        Ok(Self {
            http: Http::new(options.timeout),
            address: shown(&url),
            url,
            options,
            recorded,
            plain: AtomicBool::new(false),
        })
    }

    /// Returns its name in traces: the model, and the address without secrets.
    pub fn name(&self) -> String {
        format!(
            "{} at {}",
            self.options.model,
            shown(&self.options.endpoint)
        )
    }

    /// Returns at most `n` answers; sends nothing and waits for nothing after `deadline`.
    ///
    /// # Errors
    /// If there is no answer at all.
    pub fn ask(
        &self,
        messages: &[Message],
        n: usize,
        deadline: Option<Instant>,
        usage: &mut Usage,
    ) -> Result<Vec<String>, Failure> {
        let mut found: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for ordinal in 0..n {
            let reply = match self.reply(messages, n - seen.len(), ordinal, deadline, usage) {
                Err(Failure::Failed(_) | Failure::Unfit(_) | Failure::Late(_))
                    if !found.is_empty() =>
                {
                    break;
                }
                reply => reply?,
            };
            let before = seen.len();
            let choices = reply.choices.into_iter().take(n - found.len());
            for choice in choices {
                seen.insert(choice.clone());
                found.push(choice);
            }
            // An endpoint that returns one choice per request is queried again, as long as it
            // returns new ones.
            if found.len() >= n || seen.len() == before {
                break;
            }
        }
        usage.answers += found.len();
        Ok(found)
    }

    fn reply(
        &self,
        messages: &[Message],
        n: usize,
        ordinal: usize,
        deadline: Option<Instant>,
        usage: &mut Usage,
    ) -> Result<Reply, Failure> {
        let body = self.body(messages, n, ordinal, false);
        // Independent of the options that the endpoint accepts.
        let request = digest(&self.url, body.to_string().as_bytes(), ordinal);
        let kept = self.recorded.as_ref().and_then(|r| r.get(&request));
        if let Some(reply) = kept {
            usage.kept += 1;
            return Ok(reply);
        }
        let reply = self.send(messages, n, ordinal, deadline, usage)?;
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
            if self.options.json {
                body["response_format"] = json!({"type": "json_object"});
            }
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
        deadline: Option<Instant>,
        usage: &mut Usage,
    ) -> Result<Reply, Failure> {
        let left = || match deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            None => Duration::MAX,
        };
        let mut plain = self.plain.load(Ordering::Relaxed);
        let mut failed = 0;
        loop {
            let time = left().min(self.options.timeout);
            if time.is_zero() {
                return Err(Failure::Late(format!(
                    "there was no time to ask {}; give more --seconds",
                    self.address
                )));
            }
            let body = self.body(messages, n, ordinal, plain);
            usage.requests += 1;
            let (why, wait) = match self.post(&body.to_string(), time) {
                Sent::Answered(reply) => {
                    self.plain.store(plain, Ordering::Relaxed);
                    return Ok(reply);
                }
                Sent::Unfit(_) if !plain => {
                    plain = true;
                    continue;
                }
                Sent::Unfit(why) => return Err(Failure::Unfit(why)),
                Sent::Ended(failure) => return Err(failure),
                Sent::Again(why, wait) => (why, wait),
            };
            let usual = Duration::from_millis(500 << failed.min(8));
            let wait = wait.unwrap_or(usual).min(LONGEST_WAIT);
            let late = left() <= wait;
            if late && failed < self.options.retries {
                return Err(Failure::Late(format!(
                    "{} did not answer in the time that there was: {why}; is it running? Give more \
                     --seconds if it is slow",
                    self.address
                )));
            }
            if failed >= self.options.retries {
                return Err(Failure::Failed(format!(
                    "{} did not answer {}: {why}; with --answers FILE another run continues from here",
                    self.address,
                    match failed {
                        0 => "a request".to_owned(),
                        n => format!("a request sent {} times", n + 1),
                    }
                )));
            }
            std::thread::sleep(wait);
            failed += 1;
        }
    }

    /// Sends a request once.
    fn post(&self, body: &str, time: Duration) -> Sent {
        let key = self.options.key.as_deref();
        let received = match self.http.post(&self.url, key, body, time, LONGEST + 1) {
            Ok(received) => received,
            Err(why) => return Sent::Again(why.replace(&self.url, &self.address), None),
        };
        let (status, wait) = (received.status, received.wait);
        let bytes = match received.bytes {
            Ok(bytes) => bytes,
            Err(e) => return Sent::Again(e.to_string(), wait),
        };
        if bytes.len() as u64 > LONGEST {
            let why = format!(
                "{} answered with more than {} MiB; name another --model",
                self.address,
                LONGEST >> 20
            );
            return Sent::Ended(Failure::Failed(why));
        }
        let text = String::from_utf8_lossy(&bytes);
        match status {
            200..=299 => match read(&text) {
                Some(reply) => Sent::Answered(reply),
                None => {
                    let why = format!("an answer without choices, {}", said(status, &text));
                    Sent::Again(why, wait)
                }
            },
            400 | 413 | 422 => Sent::Unfit(format!(
                "{} answered {}; the program may be too long for the model, or something in it not \
                 allowed there",
                self.address,
                said(status, &text)
            )),
            408 | 409 | 425 | 429 | 500..=599 if !text.contains("insufficient_quota") => {
                Sent::Again(said(status, &text), wait)
            }
            _ => Sent::Ended(self.refused(status, &text)),
        }
    }

    fn refused(&self, status: u16, text: &str) -> Failure {
        let next = match status {
            401 | 403 => "; is the key right, and in the variable that --key-env names?",
            404 => "; is --endpoint right (it ends in /v1 for most servers), and --model?",
            300..=399 => "; name the address that it moved to with --endpoint",
            _ => "",
        };
        let address = &self.address;
        Failure::Refused(format!("{address} answered {}{next}", said(status, text)))
    }
}

/// Returns the status of a failed request, and the endpoint's message.
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

/// Returns an address without user, password and query.
fn shown(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), address),
    };
    let host = rest.find('/').unwrap_or(rest.len());
    let user = rest[..host].rfind('@').map_or(0, |at| at + 1);
    format!("{scheme}{}", &rest[user..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_secrets() {
        for (address, want) in [
            ("http://h:1/v1", "http://h:1/v1"),
            ("https://me:pass@h/v1?key=k", "https://h/v1"),
            ("https://me:p@ss@h", "https://h"),
            ("me:pass@h/a@b", "h/a@b"),
            ("", ""),
        ] {
            assert_eq!(shown(address), want);
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
