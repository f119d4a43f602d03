//! `codexec view`: a page that shows the execution of a program, opened in a browser, or served while the program is edited.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use codexec_data::files::write_whole;
use rand::Rng;
use serde_json::json;
use tiny_http::{Header, Method, Request, Response, Server};

use super::causes;
use super::trace::{self, of_one};
use super::view::text::clean;

/// How often files are looked at.
const TICK: Duration = Duration::from_millis(200);

/// Show the execution of a program as a page in the browser.
#[derive(Debug, clap::Args)]
#[group(skip)]
#[command(after_help = "\
Examples:
  codexec view prog.py                          predicted; nothing is executed
  codexec view prog.py --compare                beside what CPython really does
  codexec view snippet.py --beam 8              what else it may do where values are missing
  codexec view prog.py --engine run --input '3' executed in the sandbox
  codexec view prog.py --serve                  loaded again whenever the program is saved
  codexec view prog.py --serve --no-open --port 8123

The page is one file, which makes no request. `codexec trace --html FILE` writes it where you want it. With --serve a server \
listens on this machine alone, under an address that others cannot guess; Ctrl-C ends it. A program that cannot be traced \
while it is edited leaves the page as it was, with the error above it.")]
pub(super) struct Args {
    #[command(flatten)]
    trace: trace::Args,
    /// Serve the page, and trace the program again when it or one of its modules changes.
    #[arg(long)]
    serve: bool,
    /// The port on which it is served; a free one without it.
    #[arg(long, requires = "serve", value_name = "N")]
    port: Option<u16>,
    /// Open no browser; the address is printed.
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(mut args: Args) -> anyhow::Result<ExitCode> {
    args.trace.is_viewed = true;
    let Some(made) = made(&args)? else {
        return Ok(ExitCode::from(1));
    };
    if args.serve {
        return serve(&args, made);
    }
    let name = made.title.replace(|c: char| !c.is_alphanumeric(), "-");
    let name = name
        .trim_matches('-')
        .chars()
        .rev()
        .take(40)
        .collect::<String>();
    let name: String = name.chars().rev().collect();
    let directory = tempfile::Builder::new()
        .prefix("codexec-")
        .tempdir()?
        .keep();
    let path = directory.join(format!("{name}.html"));
    write_whole(&path, made.html.as_bytes()).with_context(|| path.display().to_string())?;
    let shown = path.display().to_string();
    println!("{}", clean(&shown));
    if !args.no_open {
        show(&shown);
    }
    Ok(ExitCode::SUCCESS)
}

/// A page, and what it was made of.
struct Made {
    title: String,
    html: String,
    /// What it shows, where it is served.
    json: String,
    /// Files whose change makes it another one.
    files: Vec<PathBuf>,
}

/// The page of the program; `None` where an error was reported instead.
fn made(args: &Args) -> anyhow::Result<Option<Made>> {
    of_one(&args.trace, |one| {
        let mut page = trace::page::of(one, &args.trace);
        page.live = args.serve;
        Ok(Made {
            title: page.title.clone(),
            html: page.html()?,
            json: match args.serve {
                true => page.json()?,
                false => String::new(),
            },
            files: trace::page::files(one),
        })
    })
}

/// Opens what is there in the user's browser; where there is none, the address was printed.
fn show(what: &str) {
    if let Err(error) = open::that_detached(what) {
        super::warn(&format!(
            "no browser could be opened ({error}); open the address above"
        ));
    }
}

/// What the command was, as a user could type it again.
pub(super) fn command() -> String {
    let word = |word: &std::ffi::OsString| {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
        match !word.is_empty() && word.chars().all(plain) {
            true => word.into_owned(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    };
    let words: Vec<String> = super::arguments().map(word).collect();
    clean(&format!("codexec {}", words.join(" ")))
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
    fn look(&mut self, args: &Args) {
        let now = changed(&self.made.files);
        if now == self.changed {
            return;
        }
        self.version += 1;
        match made(args) {
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

fn serve(args: &Args, made: Made) -> anyhow::Result<ExitCode> {
    let port = args.port.unwrap_or(0);
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
    if !args.no_open {
        show(&address);
    }
    let mut served = Served::new(made);
    loop {
        if let Some(request) = server.recv_timeout(TICK)? {
            // Whoever went away needs no answer.
            let _ = served.answer(request, &place);
        }
        served.look(args);
    }
}

fn changed(files: &[PathBuf]) -> Vec<Option<SystemTime>> {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    files.iter().map(|path| time(path)).collect()
}
