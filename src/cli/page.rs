//! `codexec view`: an HTML page of a program's execution, opened in a browser, or served while the
//! program is edited.

use std::cell::RefCell;
use std::process::ExitCode;

use anyhow::Context;
use codexec_data::files::write_whole;
use codexec_data::syntax::SyntaxError;

use super::serve::{self, Made, show};
use super::trace::{self, of_one};
use super::view::text::clean;
use crate::engine::plan::given::Given;

/// Show the execution of a program as a page in the browser.
#[derive(Debug, clap::Args)]
#[group(skip)]
#[command(after_help = "\
Examples:
  codexec view prog.py                          predicted; nothing is executed
  codexec view prog.py --compare                beside what CPython really does
  codexec view snippet.py --beam 8              its other executions if values are missing
  codexec view prog.py --engine run --input '3' executed in the sandbox
  codexec view prog.py --serve                  loaded again whenever the program is saved
  codexec view snippet.py --inject --serve      made-up values can be edited in the page
  codexec view prog.py --serve --no-open --port 8123

The page is one file, which makes no request. `codexec trace --html FILE` writes it where you want it. With --serve a server \
listens on this machine alone, under an address that others cannot guess; Ctrl-C ends it. A program that cannot be traced \
while it is edited leaves the page as it was, with the error above it.")]
pub(super) struct Args {
    #[command(flatten)]
    trace: trace::Args,
    /// Serve the page, and trace the program again whenever it or one of its modules changes.
    #[arg(long)]
    serve: bool,
    /// Port to serve on (default: any free port).
    #[arg(long, requires = "serve", value_name = "N")]
    port: Option<u16>,
    /// Do not open a browser; the address is printed.
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(mut args: Args) -> anyhow::Result<ExitCode> {
    args.trace.is_viewed = true;
    let Ok(made) = made(&args)? else {
        return Ok(ExitCode::from(1));
    };
    if args.serve {
        let (given, port, opens) = (args.trace.given.set.clone(), args.port, !args.no_open);
        let args = RefCell::new(args);
        let again = |given: &[Given]| {
            let mut args = args.borrow_mut();
            args.trace.given.set = given.to_vec();
            self::made(&args)
        };
        return serve::serve_with(made, given, &again, port, opens);
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

/// The page of the program, or its syntax error, which was reported.
fn made(args: &Args) -> anyhow::Result<Result<Made, SyntaxError>> {
    of_one(&args.trace, |one| {
        let mut page = trace::page::of(one, &args.trace);
        page.live = args.serve;
        Ok(Made::of(&page, trace::page::files(one))?.of_program(one.source()))
    })
}

/// The command line, as a user could type it again.
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
