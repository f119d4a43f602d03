//! HTTP requests. A module in a browser has no connections of its own: nothing is sent there.

use std::time::Duration;

/// A response.
pub(super) struct Received {
    pub(super) status: u16,
    /// The delay that the server requests.
    pub(super) wait: Option<Duration>,
    /// The body, up to the limit.
    pub(super) bytes: std::io::Result<Vec<u8>>,
}

/// Sends requests.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
pub(super) struct Http(ureq::Agent);

#[cfg(not(target_family = "wasm"))]
impl Http {
    /// Creates a client with this timeout per request.
    pub(super) fn new(timeout: Duration) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // The key is sent only to the address that the user gave.
            .max_redirects(0)
            .user_agent(concat!("codexec/", env!("CARGO_PKG_VERSION")));
        Self(config.build().into())
    }

    /// Posts JSON with a timeout, and reads at most this number of bytes of the answer.
    ///
    /// # Errors
    /// Why there is no answer.
    pub(super) fn post(
        &self,
        url: &str,
        key: Option<&str>,
        body: &str,
        time: Duration,
        most: u64,
    ) -> Result<Received, String> {
        use std::io::Read;
        let mut request = self.0.post(url).header("Content-Type", "application/json");
        if let Some(key) = key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let request = request.config().timeout_global(Some(time)).build();
        let mut response = request.send(body).map_err(|e| e.to_string())?;
        let wait = response.headers().get("retry-after").and_then(|value| {
            let seconds: f64 = value.to_str().ok()?.trim().parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        });
        let mut bytes = Vec::new();
        let read = response
            .body_mut()
            .as_reader()
            .take(most)
            .read_to_end(&mut bytes);
        Ok(Received {
            status: response.status().as_u16(),
            wait,
            bytes: read.map(|_| bytes),
        })
    }
}

/// Whether a text is an HTTP address.
#[cfg(not(target_family = "wasm"))]
pub(super) fn is_address(url: &str) -> bool {
    let uri: Option<ureq::http::Uri> = url.parse().ok();
    let scheme = uri.as_ref().and_then(|u| u.scheme_str());
    matches!(scheme, Some("http" | "https"))
}

/// Sends nothing.
#[cfg(target_family = "wasm")]
#[derive(Debug)]
pub(super) struct Http;

#[cfg(target_family = "wasm")]
impl Http {
    pub(super) fn new(_: Duration) -> Self {
        Self
    }

    pub(super) fn post(
        &self,
        _: &str,
        _: Option<&str>,
        _: &str,
        _: Duration,
        _: u64,
    ) -> Result<Received, String> {
        Err("nothing is sent from here".to_owned())
    }
}

#[cfg(target_family = "wasm")]
pub(super) fn is_address(_: &str) -> bool {
    true
}
