//! The command line: one file per subcommand. This one has the parser and the exit codes.
//!
//! Exit code `0` means success, `1` bad input or a bad environment, `2` wrong usage. (`diff` uses
//! its exit code for the verdict.) Results go to standard output, everything else to standard
//! error.

mod check;
mod check_baseline;
mod check_config;
mod check_page;
mod check_report;
mod completions;
mod data;
mod diff;
mod doctor;
mod engines;
mod eval;
mod eval_compare;
mod eval_errors;
mod eval_figures;
mod eval_guide;
mod eval_output;
mod eval_prefix;
mod eval_questions;
mod eval_rerank;
mod eval_search;
mod figures;
mod folding;
mod guide;
mod guide_view;
mod input;
mod json;
mod learn;
mod llm;
mod man;
mod merge;
mod missing;
mod mutate;
mod mutate_summary;
mod outputs;
mod page;
mod prefix;
mod prefix_view;
mod pretrain;
mod project;
mod record;
mod rerank;
mod sandbox;
mod schema;
mod search;
mod serve;
mod singleline;
mod terminal;
mod trace;
mod traced_by;
mod tutorial;
pub mod view;
mod why;
mod worlds;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use codexec_data::files::clean_up_when_stopped;

use view::text::clean;

/// Predict, collect and complete executions of Python programs.
#[derive(Debug, Parser)]
#[command(
    name = "codexec",
    version,
    about,
    max_term_width = 100,
    after_help = "\
Example:
  codexec trace examples/01_add.py             a predicted trace: nothing is executed
  codexec trace examples/01_add.py --compare   beside CPython's own run"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the trace of a program: predicted, executed, or executed with injected values.
    Trace(trace::Args),
    View(Box<page::Args>),
    Why(why::Args),
    Check(check::Args),
    Guide(guide::Args),
    Prefix(prefix::Args),
    Rerank(Box<rerank::Args>),
    /// Find programs with the same behaviour, by encoder vectors and predicted outputs.
    #[command(subcommand)]
    Search(search::Command),
    /// Score an engine and baselines on files of examples.
    Eval(Box<eval::Args>),
    Diff(diff::Args),
    /// Train a checkpoint.
    Pretrain(pretrain::Args),
    Mutate(mutate::Args),
    /// Build training examples from programs.
    #[command(subcommand)]
    Data(data::Command),
    /// Show the isolation, interpreter and model in use.
    Doctor(doctor::Args),
    Schema(schema::Args),
    /// Print a completion script for a shell.
    Completions(completions::Args),
    Man(man::Args),
}

/// The process that runs the command line.
#[derive(Debug)]
pub struct Host {
    /// The words of the command line, starting with the program's name.
    pub arguments: Vec<OsString>,
    /// Makes matrix products started later run in one thread each, or restarts the command.
    pub single_threaded: fn() -> anyhow::Result<()>,
}

/// Set once, by [`main_in`].
static HOST: OnceLock<Host> = OnceLock::new();

/// The words after the program's name.
fn arguments() -> impl Iterator<Item = &'static OsString> {
    HOST.get()
        .into_iter()
        .flat_map(|host| host.arguments.iter().skip(1))
}

/// The command line as a process of its own.
pub fn main() -> ExitCode {
    main_in(Host {
        arguments: std::env::args_os().collect(),
        single_threaded: start_again,
    })
}

/// Parses the arguments, runs the subcommand, reports its error.
pub fn main_in(host: Host) -> ExitCode {
    let host = HOST.get_or_init(|| host);
    let cli = match Cli::try_parse_from(&host.arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if let Err(error) = clean_up_when_stopped() {
        warn(&format!("an interrupt may leave temporary files: {error}"));
    }
    let result = match cli.command {
        Command::Trace(args) => trace::run(&args),
        Command::View(args) => page::run(*args),
        Command::Why(args) => why::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Guide(args) => guide::run(&args),
        Command::Prefix(args) => prefix::run(&args),
        Command::Rerank(args) => rerank::run(&args),
        Command::Search(command) => search::run(&command),
        Command::Eval(args) => eval::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Pretrain(args) => pretrain::run(&args),
        Command::Mutate(args) => mutate::run(&args),
        Command::Data(command) => data::run(&command),
        Command::Doctor(args) => doctor::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::run(&args, &mut Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => match error.downcast::<clap::Error>() {
            Ok(usage) => {
                let _ = usage.print();
                ExitCode::from(2)
            }
            Err(error) => {
                say(&message(&of_standard_output(error)));
                ExitCode::from(1)
            }
        },
    }
}

/// Maximum workers or threads of a command. A larger number is an error; no machine has the memory.
const MOST_WORKERS: usize = 1024;

/// A number of workers from the command line.
fn workers(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=MOST_WORKERS).contains(n));
    number.ok_or_else(|| format!("expected a number from 1 to {MOST_WORKERS}"))
}

/// Maximum text of a trace. The sandbox shares four times as much memory with each program.
const MOST_TRACE: usize = 128 << 20;

/// A limit on a trace's text from the command line.
fn trace_bytes(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=MOST_TRACE).contains(n));
    number.ok_or_else(|| format!("expected a number of bytes from 1 to {MOST_TRACE}"))
}

/// Whether words are a valid `codexec` command line, starting with the program's name. Used by
/// tests of the documentation.
///
/// # Errors
/// What the parser would print.
pub fn check_arguments(words: &[String]) -> Result<(), clap::Error> {
    Cli::try_parse_from(words).map(drop)
}

/// Usage errors that the parser does not detect.
fn usage(text: &str) -> anyhow::Error {
    let mut command = Cli::command();
    command.build();
    for word in arguments() {
        match command.find_subcommand(word) {
            Some(found) => command = found.clone(),
            None => break,
        }
    }
    command.error(ErrorKind::ArgumentConflict, text).into()
}

/// `error: ` and the chain of causes on one line.
fn message(error: &anyhow::Error) -> String {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    format!("{red}error{red:#}: {}", clean(&causes(error)))
}

/// The chain of causes, each once, without the backtraces of tensor errors.
fn causes(error: &anyhow::Error) -> String {
    let backtrace = |line: &str| line.trim_start().starts_with("0: ");
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        let lines: Vec<&str> = cause
            .lines()
            .take_while(|line| !backtrace(line))
            .map(str::trim)
            .collect();
        let cause = lines.join(" ");
        if text.is_empty() {
            text = cause;
        } else if !text.contains(cause.trim()) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// A write error names its file. One without a file concerns standard output.
fn of_standard_output(error: anyhow::Error) -> anyhow::Error {
    use std::io::ErrorKind::{Other, StorageFull, WriteZero};
    match error.downcast_ref::<std::io::Error>() {
        Some(io) if error.chain().count() == 1 => match io.kind() {
            StorageFull | WriteZero => error.context("standard output cannot be written"),
            Other if io.raw_os_error().is_some() => {
                error.context("standard output cannot be written")
            }
            _ => error,
        },
        _ => error,
    }
}

/// The reader is gone, as behind `| head -1`: no error, as in ripgrep and ruff.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

/// A line on standard error that is not the result.
fn warn(text: &str) {
    let yellow = anstyle::AnsiColor::Yellow.on_default().bold();
    say(&format!("{yellow}warning{yellow:#}: {}", clean(text)));
}

/// A line for people on standard error.
fn note(text: &str) {
    say(&clean(text));
}

/// Notes that programs are not read byte for byte.
fn note_ends_of_lines(programs: u64) {
    let of = match programs {
        0 => return,
        1 => "1 program".to_owned(),
        n => format!("{n} programs"),
    };
    note(&format!(
        "note: lines of {of} end in CRLF or CR; they are read as LF"
    ));
}

/// Text for people on standard error, unchanged. A closed standard error stops nothing.
fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// A progress bar on standard error, hidden if that is no terminal.
fn progress_bar(length: u64, what: &'static str) -> indicatif::ProgressBar {
    if !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let style = "{msg} {bar:30} {pos}/{len} {per_sec} {elapsed}, {eta} left";
    let style = indicatif::ProgressStyle::with_template(style)
        .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
    indicatif::ProgressBar::new(length)
        .with_style(style)
        .with_message(what)
}

/// Number of threads that the matrix library starts.
const THREADS: &str = "RAYON_NUM_THREADS";

/// Makes every matrix product run in one thread, for work that already uses all cores and for
/// networks whose products are too small to split. The process may restart itself once: call this
/// before reading standard input.
fn single_threaded_products() -> anyhow::Result<()> {
    match HOST.get() {
        Some(host) if std::env::var_os(THREADS).is_none() => (host.single_threaded)(),
        _ => Ok(()),
    }
}

/// The matrix library reads the number of threads at start, so the process restarts itself once
/// with it set.
fn start_again() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let mut again = std::process::Command::new(std::env::current_exe()?);
        again.args(arguments()).env(THREADS, "1");
        Err(again.exec()).context("restarting with one thread per product")
    }
    #[cfg(not(unix))]
    {
        warn("set RAYON_NUM_THREADS=1 for speed");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn causes_are_said_once_on_one_clean_line() {
        let inner = anyhow!("No such file")
            .context("cannot read a: No such file")
            .context("b");
        assert_eq!(causes(&inner), "b: cannot read a: No such file");
        let traced = anyhow!("shape mismatch\n   0: candle::bt\n   1: main").context("model");
        assert_eq!(causes(&traced), "model: shape mismatch");
        let shown = message(&anyhow!("\x1b]0;title\x07\u{202e}"));
        assert!(shown.ends_with("\\x1b]0;title\\x07\\u202e"), "{shown}");
    }
}
