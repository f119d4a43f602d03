//! Serves a page on this machine only. Rebuilds it when one of its files changes, or when the page
//! submits values in place of made-up ones.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use codexec_data::syntax::SyntaxError;
use codexec_page::Page;
use rand::Rng;
use serde::Deserialize;
use serde_json::json;
use tiny_http::{Header, Method, Request, Response, Server};

use super::causes;
use super::view::text::clean;
use crate::engine::plan::given::{Given, GivenError};

/// Interval between checks of files.
pub(super) const TICK: Duration = Duration::from_millis(200);

/// Maximum bytes of a page's request.
const MOST_ASKED: u64 = 64 << 10;
/// Maximum values in a request.
const MOST_GIVEN: usize = 200;

/// A page and its sources.
pub(super) struct Made {
    pub title: String,
    pub html: String,
    /// Its contents, where it is served.
    json: String,
    /// Text of the program.
    source: String,
    /// Files whose change makes the page out of date.
    files: Vec<PathBuf>,
}

impl Made {
    /// A page built from these files.
    pub(super) fn of(page: &Page<'_>, files: Vec<PathBuf>) -> anyhow::Result<Self> {
        Ok(Self {
            title: page.title.clone(),
            source: String::new(),
            html: page.html()?,
            json: match page.live {
                true => page.json()?,
                false => String::new(),
            },
            files,
        })
    }

    /// A page of a program.
    #[must_use]
    pub(super) fn of_program(self, source: &str) -> Self {
        Self {
            source: source.to_owned(),
            ..self
        }
    }
}

/// Rebuilds a page.
pub(super) type Again<'a> = &'a dyn Fn() -> anyhow::Result<Made>;

/// Rebuilds a page with given values in place of made-up ones. The syntax error if the program is not valid Python.
pub(super) type AgainWith<'a> = &'a dyn Fn(&[Given]) -> anyhow::Result<Result<Made, SyntaxError>>;

/// Why the page is out of date while the program does not parse.
fn no_python(error: &SyntaxError) -> String {
    match error.line {
        0 => clean(&format!("syntax error: {}", error.message)),
        line => clean(&format!("line {line}: syntax error: {}", error.message)),
    }
}

/// A value submitted by the page.
#[derive(Deserialize)]
struct Asked {
    line: u32,
    kind: String,
    what: String,
    value: String,
}

/// The values submitted by the page.
fn read_given(body: &str) -> Result<Vec<Given>, String> {
    let asked: Vec<Asked> = serde_json::from_str(body).map_err(|error| error.to_string())?;
    if asked.len() > MOST_GIVEN {
        return Err(format!("at most {MOST_GIVEN} values are allowed"));
    }
    let given = asked
        .iter()
        .map(|one| Given::new(one.line, &one.kind, &one.what, &one.value));
    let given = given.collect::<Result<_, GivenError>>();
    given.map_err(|error| error.to_string())
}

/// Moves values to the lines of their places in a new text of the program. Values whose line is
/// gone keep theirs.
fn moved(given: &[Given], before: &str, now: &str) -> Vec<Given> {
    let line = |text: &'_ str, number: u32| {
        let at = (number as usize).checked_sub(1)?;
        text.lines().nth(at).map(|line| line.trim().to_owned())
    };
    let place = |one: &Given| {
        let text = line(before, one.line)?;
        if line(now, one.line).as_ref() == Some(&text) {
            return None;
        }
        let lines = (1u32..).zip(now.lines());
        let mut same = lines.filter(|(_, line)| line.trim() == text);
        match (same.next(), same.next()) {
            (Some((number, _)), None) => Some(one.on_line(number)),
            _ => None,
        }
    };
    let given = given.iter();
    let given = given.map(|one| place(one).unwrap_or_else(|| one.clone()));
    given.collect()
}

/// Opens the page in the user's browser. If there is none, the address has been printed.
pub(super) fn show(what: &str) {
    if let Err(error) = open::that_detached(what) {
        super::warn(&format!(
            "no browser could be opened ({error}); open the address above"
        ));
    }
}

/// A page being served, and how often it was rebuilt.
struct Served {
    made: Made,
    version: u64,
    error: Option<String>,
    /// Values in place of made-up ones.
    given: Vec<Given>,
    /// When its files last changed.
    changed: Vec<Option<SystemTime>>,
}

impl Served {
    fn new(made: Made, given: Vec<Given>) -> Self {
        let changed = changed(&made.files);
        Self {
            made,
            version: 1,
            error: None,
            given,
            changed,
        }
    }

    /// Rebuilds the page if a file has changed.
    fn look(&mut self, again: AgainWith<'_>) {
        let now = changed(&self.made.files);
        if now == self.changed {
            return;
        }
        self.version += 1;
        self.changed = now;
        self.error = match self.made_with(self.given.clone(), again) {
            Ok(Ok(())) => {
                self.changed = changed(&self.made.files);
                None
            }
            Ok(Err(error)) => Some(no_python(&error)),
            Err(error) => {
                super::say(&super::message(&error));
                Some(clean(&causes(&error)))
            }
        };
    }

    /// Rebuilds the page with these values. The syntax error if the program is not valid Python.
    fn made_with(
        &mut self,
        given: Vec<Given>,
        again: AgainWith<'_>,
    ) -> anyhow::Result<Result<(), SyntaxError>> {
        let mut made = match again(&given)? {
            Ok(made) => made,
            Err(error) => return Ok(Err(error)),
        };
        self.given = moved(&given, &self.made.source, &made.source);
        if self.given != given {
            made = again(&self.given)?.unwrap_or(made);
        }
        self.made = made;
        Ok(Ok(()))
    }

    /// Accepts the page's values and returns the response.
    fn give(&mut self, request: &mut Request, again: AgainWith<'_>) -> (u16, serde_json::Value) {
        let wrong = |status, error: String| (status, json!({ "error": error }));
        let mut body = String::new();
        let read = request.as_reader().take(MOST_ASKED + 1);
        if let Err(error) = std::io::BufReader::new(read).read_to_string(&mut body) {
            return wrong(400, error.to_string());
        }
        if body.len() as u64 > MOST_ASKED {
            return wrong(413, format!("more than {MOST_ASKED} bytes"));
        }
        let given = match read_given(&body) {
            Ok(given) => given,
            Err(error) => return wrong(400, error),
        };
        match self.made_with(given, again) {
            Ok(Ok(())) => {
                self.version += 1;
                self.error = None;
                (200, json!({ "version": self.version }))
            }
            Ok(Err(error)) => wrong(409, no_python(&error)),
            Err(error) => wrong(409, clean(&causes(&error))),
        }
    }

    fn answer(
        &mut self,
        mut request: Request,
        place: &Place,
        again: AgainWith<'_>,
    ) -> std::io::Result<()> {
        let header = |name: &str| {
            let all = request.headers().iter();
            let mut found =
                all.filter(|one| one.field.as_str().as_str().eq_ignore_ascii_case(name));
            found.next().map(|one| one.value.to_string())
        };
        // Another site open in the browser must not read the page through its own name for this
        // machine.
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
        // A form on another site cannot send JSON without a preflight request, and every browser
        // states the origin of a POST.
        let is_json = header("Content-Type").is_some_and(|kind| kind == "application/json");
        let may_give = is_json && header("Origin").is_some();
        let (status, kind, body) = match (is_own, request.method(), part) {
            (false, ..) => (403, "text/plain", "not from here\n".to_owned()),
            (true, Method::Get, Some("")) => (200, "text/html", self.made.html.clone()),
            (true, Method::Get, Some("data")) => (200, "application/json", self.made.json.clone()),
            (true, Method::Get, Some("version")) => {
                let now = json!({"version": self.version, "error": self.error});
                (200, "application/json", now.to_string())
            }
            (true, Method::Post, Some("given")) if may_give => {
                let (status, answer) = self.give(&mut request, again);
                (status, "application/json", answer.to_string())
            }
            (true, Method::Post, Some("given")) => {
                (403, "text/plain", "not from here\n".to_owned())
            }
            (true, Method::Get, _) => (404, "text/plain", "nothing here\n".to_owned()),
            (true, ..) => (
                405,
                "text/plain",
                "only GET, and POST of given values\n".to_owned(),
            ),
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

/// Address of a served page.
struct Place {
    /// The host names that a browser may use for this server.
    hosts: [String; 2],
    /// The path of the page, which cannot be guessed.
    path: String,
}

/// Serves a page until Ctrl-C.
///
/// # Errors
/// If the port is not available.
pub(super) fn serve(
    made: Made,
    again: Again<'_>,
    port: Option<u16>,
    opens: bool,
) -> anyhow::Result<ExitCode> {
    serve_with(made, Vec::new(), &|_| again().map(Ok), port, opens)
}

/// Serves a page of a program in which made-up values can be replaced.
///
/// # Errors
/// The errors of [`serve`].
pub(super) fn serve_with(
    made: Made,
    given: Vec<Given>,
    again: AgainWith<'_>,
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
    let mut served = Served::new(made, given);
    loop {
        if let Some(request) = server.recv_timeout(TICK)? {
            // A client that went away needs no response.
            let _ = served.answer(request, &place, again);
        }
        served.look(again);
    }
}

/// When files last changed.
pub(super) fn changed(files: &[PathBuf]) -> Vec<Option<SystemTime>> {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    files.iter().map(|path| time(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_move_with_the_lines_of_their_places() {
        let given: Vec<Given> = vec!["2:rows()=[]".parse().unwrap()];
        let before = "x = 1\nfor row in db.rows():\n    pass\n";
        let line = |now: &str| moved(&given, before, now)[0].line;
        assert_eq!(line(before), 2);
        assert_eq!(line(&format!("y = 2\n\n{before}")), 4);
        assert_eq!(line("if x:\n    for row in db.rows():\n        pass\n"), 2);
        // Ambiguous, or gone.
        assert_eq!(line(&format!("y = 2\n{before}{before}")), 2);
        assert_eq!(line("x = 1\nfor row in db.all():\n    pass\n"), 2);
    }

    #[test]
    fn what_a_page_gives_is_read_or_refused_with_the_reason() {
        let body = r#"[{"line": 2, "kind": "call", "what": "rows", "value": "[..., ...]"}]"#;
        assert_eq!(
            read_given(body).unwrap()[0].to_string(),
            "2:rows()=[..., ...]"
        );
        let error = read_given(&body.replace("[..., ...]", "sale")).unwrap_err();
        assert!(error.starts_with("sale is no literal of Python"), "{error}");
        assert!(read_given("{").is_err());
        let many = format!(
            "[{}]",
            vec![&body[1..body.len() - 1]; MOST_GIVEN + 1].join(",")
        );
        assert!(read_given(&many).unwrap_err().contains("at most"));
    }
}
