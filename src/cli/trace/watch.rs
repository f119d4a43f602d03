//! `codexec trace --watch`: the trace of one program in the terminal, repeated whenever the program
//! or one of its modules is saved.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::super::guide_view;
use super::super::serve::{TICK, changed};
use super::{Args, Format, Traced, of_one, page};
use codexec_query::Selected;

/// Clears a terminal and its history, and moves to the top.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Shows the trace, and again after each change, until Ctrl-C.
///
/// # Errors
/// If the program cannot be traced at first, or standard output is closed.
pub(super) fn watch(args: &Args) -> anyhow::Result<ExitCode> {
    let mut files: Vec<PathBuf> = args.programs.clone();
    let mut is_first = true;
    loop {
        let (known, before) = (files.clone(), changed(&files));
        let shown = of_one(args, |one| {
            let (selected, error) = args.select.of(&one.trace);
            if let Some(error) = error {
                return Err(anyhow::Error::new(error).context(one.program.id.clone()));
            }
            Ok((one.whole_text(args, selected.as_ref()), page::files(one)))
        });
        let mut out = anstream::stdout().lock();
        if std::io::stdout().is_terminal() && !is_first {
            write!(out, "{CLEAR}")?;
        }
        match shown {
            Ok(Ok((text, found))) => {
                write!(out, "{text}")?;
                files = found;
            }
            // Reported as invalid Python.
            Ok(Err(_)) => {}
            Err(error) if is_first || super::super::is_broken_pipe(&error) => return Err(error),
            Err(error) => super::super::say(&super::super::message(&error)),
        }
        out.flush()?;
        drop(out);
        is_first = false;
        let names: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        super::super::note(&format!("watching {}; Ctrl-C ends it", names.join(", ")));
        // A file saved during tracing is not shown yet.
        if changed(&known) != before {
            continue;
        }
        let seen = changed(&files);
        while changed(&files) == seen {
            std::thread::sleep(TICK);
        }
    }
}

impl Traced<'_> {
    /// The text of a trace: its steps, made-up values, other worlds.
    pub(super) fn whole_text(&self, args: &Args, selected: Option<&Selected<'_>>) -> String {
        let mut text = format!("{}\n", self.text(args, selected));
        if selected.is_none() {
            if !self.injected.is_empty() {
                text.push_str(&guide_view::made_up(&self.injected));
            }
            if self.worlds.are_several() {
                text.push('\n');
                text.push_str(&self.worlds.text());
            }
        }
        text
    }
}

impl Args {
    /// Why it cannot be watched with these options.
    pub(super) fn refuses_watch(&self) -> Option<&'static str> {
        let writes = self.out.is_some() || self.html.is_some() || self.is_viewed;
        if !self.watch {
            None
        } else if writes || self.form() != Format::Text {
            Some("--watch shows text; `codexec view --serve` reloads a page")
        } else if self
            .programs
            .iter()
            .any(|program| program.as_os_str() == "-")
        {
            Some("--watch needs a file, not standard input")
        } else {
            None
        }
    }
}
