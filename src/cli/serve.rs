//! Serves a page on this machine alone, and makes it again when one of its files changes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use codexec_page::Page;
use rand::Rng;
use serde_json::json;
use tiny_http::{Header, Method, Request, Response, Server};

use super::causes;
use super::view::text::clean;

/// How often files are looked at.
pub(super) const TICK: Duration = Duration::from_millis(200);

/// A page, and what it was made of.
pub(super) struct Made {
    pub title: String,
    pub html: String,
    /// What it shows, where it is served.
    json: String,
    /// Files whose change makes it another one.
    files: Vec<PathBuf>,
}

impl Made {
    /// A page that was made of these files.
    pub(super) fn of(page: &Page<'_>, files: Vec<PathBuf>) -> anyhow::Result<Self> {
        Ok(Self {
            title: page.title.clone(),
            html: page.html()?,
            json: match page.live {
                true => page.json()?,
                false => String::new(),
            },
            files,
        })
    }
}

/// Makes a page again. `None`: an error was reported instead.
pub(super) type Again<'a> = &'a dyn Fn() -> anyhow::Result<Option<Made>>;

/// Opens what is there in the user's browser; where there is none, the address was printed.
pub(super) fn show(what: &str) {
    if let Err(error) = open::that_detached(what) {
        super::warn(&format!(
            "no browser could be opened ({error}); open the address above"
        ));
    }
}

/// A page that is served, and how often it was made again.
struct Served {
    made: Made,
    version: u64,
    error: Option<String>,
    /// When its files were changed last.
    changed: Vec<Option<SystemTime>>,
}

impl Served {
    fn new(made: Made) -> Self {
        let changed = changed(&made.files);
        Self {
            made,
            version: 1,
            error: None,
            changed,
        }
    }

    /// Makes the page again where a file has changed.
    fn look(&mut self, again: Again<'_>) {
        let now = changed(&self.made.files);
        if now == self.changed {
            return;
        }
        self.version += 1;
        match again() {
            Ok(Some(made)) => {
                self.changed = changed(&made.files);
                self.made = made;
                self.error = None;
                return;
            }
            Ok(None) => self.error = Some("the program is no Python at the moment".to_owned()),
            Err(error) => {
                super::say(&super::message(&error));
                self.error = Some(clean(&causes(&error)));
            }
        }
        self.changed = now;
    }

    fn answer(&self, request: Request, place: &Place) -> std::io::Result<()> {
        let header = |name: &str| {
            let all = request.headers().iter();
            let mut found =
                all.filter(|one| one.field.as_str().as_str().eq_ignore_ascii_case(name));
            found.next().map(|one| one.value.to_string())
        };
        // Another site that a browser has open may not read the page by a name of its own for this machine.
        let is_own = header("Host").is_some_and(|host| place.hosts.contains(&host))
            && header("Origin").is_none_or(|origin| {
                let host = origin.strip_prefix("http://").unwrap_or_default();
                place.hosts.iter().any(|own| own == host)
            });
        let url = request
            .url()
            .split('?')
            .next()
            .unwrap_or_default()
            .to_owned();
        let part = url.strip_prefix(&place.path);
        let (status, kind, body) = match (is_own, request.method(), part) {
            (false, ..) => (403, "text/plain", "not from here\n".to_owned()),
            (true, Method::Get, Some("")) => (200, "text/html", self.made.html.clone()),
            (true, Method::Get, Some("data")) => (200, "application/json", self.made.json.clone()),
            (true, Method::Get, Some("version")) => {
                let now = json!({"version": self.version, "error": self.error});
                (200, "application/json", now.to_string())
            }
            (true, Method::Get, _) => (404, "text/plain", "nothing here\n".to_owned()),
            (true, ..) => (405, "text/plain", "only GET\n".to_owned()),
        };
        let response = Response::from_string(body).with_status_code(status);
        let mut response = response.with_chunked_threshold(usize::MAX);
        for (name, value) in [
            ("Content-Type", format!("{kind}; charset=utf-8").as_str()),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ] {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        request.respond(response)
    }
}

/// Where a page is served.
struct Place {
    /// What a browser may call this server.
    hosts: [String; 2],
    /// The path of the page, which nobody can guess.
    path: String,
}

/// Serves a page until Ctrl-C.
///
/// # Errors
/// Where the port cannot be had.
pub(super) fn serve(
    made: Made,
    again: Again<'_>,
    port: Option<u16>,
    opens: bool,
) -> anyhow::Result<ExitCode> {
    let port = port.unwrap_or(0);
    let server = Server::http(("127.0.0.1", port))
        .map_err(|error| anyhow::anyhow!("port {port} of this machine: {error}"))?;
    let port = server
        .server_addr()
        .to_ip()
        .map_or(port, |address| address.port());
    let place = Place {
        hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        path: format!("/{:016x}/", rand::rng().random::<u64>()),
    };
    let address = format!("http://127.0.0.1:{port}{}", place.path);
    println!("{address}");
    super::note("served until Ctrl-C; saved changes are shown");
    if opens {
        show(&address);
    }
    let mut served = Served::new(made);
    loop {
        if let Some(request) = server.recv_timeout(TICK)? {
            // Whoever went away needs no answer.
            let _ = served.answer(request, &place);
        }
        served.look(again);
    }
}

/// When files were changed last.
pub(super) fn changed(files: &[PathBuf]) -> Vec<Option<SystemTime>> {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    files.iter().map(|path| time(path)).collect()
}
