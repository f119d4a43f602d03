//! The options of `codexec trace` that select steps, and how far a program is walked for what is shown of it.

use std::time::Duration;

use codexec_data::sandbox::Limits;
use codexec_data::trace::Trace;
use codexec_query::{Lines, NothingSelected, Selected, Selection};

/// Steps of a trace that is written as a whole, as in the paper.
const WRITTEN_STEPS: u32 = 1024;

/// Steps that a program is walked where only some of them are shown, and text that these may have.
const WALKED_STEPS: u32 = 100_000;
const WALKED_TEXT: usize = 32 << 20;

/// Seconds that such a program may run where it is executed.
const WALKED_TIME: Duration = Duration::from_secs(5);

/// How far a program is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct Walk {
    /// Most steps.
    pub steps: u32,
    /// Most text of them.
    pub text: usize,
    /// Time that it may run.
    pub time: Duration,
}

/// The heading of these options in the help.
const HEADING: &str = "Selection of steps";

/// Which steps are shown.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct SelectArgs {
    /// Only steps that change this variable, and only this variable. May be given several times.
    #[arg(help_heading = HEADING, long = "var", value_name = "NAME")]
    names: Vec<String>,
    /// Only steps on these lines. May be given several times.
    #[arg(help_heading = HEADING, long = "line", value_name = "[FILE:]N[-N]")]
    lines: Vec<Lines>,
    /// Only the steps at which their line is reached for the Nth time; with --var the variable is shown even if it does
    /// not change.
    #[arg(help_heading = HEADING, long = "visit", value_name = "N[-N]", value_parser = visits)]
    visits: Vec<(usize, usize)>,
    /// Only steps in this function, which may be written with its class: `Account.deposit`. May be given several times.
    #[arg(help_heading = HEADING, long = "function", value_name = "NAME")]
    functions: Vec<String>,
    /// Only steps with at most so many functions of the program below them; 0 is the module.
    #[arg(help_heading = HEADING, long, value_name = "N")]
    depth: Option<u32>,
    /// Only the first steps of what remains.
    #[arg(help_heading = HEADING, long, value_name = "N")]
    first: Option<usize>,
    /// Only the last steps of what remains.
    #[arg(help_heading = HEADING, long, value_name = "N")]
    last: Option<usize>,
    /// Only steps that change a value, and what they change.
    #[arg(help_heading = HEADING, long)]
    changes: bool,
    /// Only what is printed, with the step and the line that print it.
    #[arg(help_heading = HEADING, long)]
    output: bool,
    /// Show all steps of loops, of recursion and of long traces.
    #[arg(long)]
    pub all: bool,
}

/// `7` or `7-9`.
fn visits(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|n: &usize| *n > 0);
    let range = match text.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(text).map(|n| (n, n)),
    };
    range
        .filter(|(first, last)| first <= last)
        .ok_or_else(|| "write a number or a range: 7, 7-9".to_owned())
}

impl SelectArgs {
    /// The steps that are asked for; `None`: all.
    fn selection(&self) -> Option<Selection> {
        let mut selection = Selection::new();
        for name in &self.names {
            selection = selection.name(name);
        }
        for lines in &self.lines {
            selection = selection.lines(lines.clone());
        }
        for (first, last) in &self.visits {
            selection = selection.visits(*first, *last);
        }
        for name in &self.functions {
            selection = selection.function(name);
        }
        if let Some(most) = self.depth {
            selection = selection.depth(most);
        }
        if let Some(most) = self.first {
            selection = selection.first(most);
        }
        if let Some(most) = self.last {
            selection = selection.last(most);
        }
        if self.changes {
            selection = selection.changes();
        }
        if self.output {
            selection = selection.output();
        }
        (!selection.is_all()).then_some(selection)
    }

    /// Whether steps are selected.
    pub(super) fn selects(&self) -> bool {
        self.selection().is_some()
    }

    /// The steps that are asked for of a trace (`None`: all), and what it does not have of what is named: then there are
    /// no steps.
    pub(super) fn of<'t>(
        &self,
        trace: &'t Trace,
    ) -> (Option<Selected<'t>>, Option<NothingSelected>) {
        let Some(selection) = self.selection() else {
            return (None, None);
        };
        match selection.of(trace) {
            Ok(selected) => (Some(selected), None),
            Err(error) => {
                let nothing = Selected {
                    trace,
                    steps: Vec::new(),
                    selection,
                };
                (Some(nothing), Some(error))
            }
        }
    }

    /// The one function that is named, if one is.
    pub(super) fn only_function(&self) -> Option<&str> {
        self.functions.first().map(String::as_str)
    }

    /// Why a trace cannot be written from the call of one function, if more is selected.
    pub(super) fn refused_but_function(&self) -> Option<&'static str> {
        let rest = Self {
            functions: Vec::new(),
            ..self.clone()
        };
        if rest.selects() || self.functions.len() > 1 {
            return Some("--format cwm has a whole trace, or that of one --function");
        }
        None
    }

    /// Why steps cannot be selected beside other options, if they cannot.
    pub(super) fn refused(&self, compare: bool, paper: bool, out: bool) -> Option<&'static str> {
        if !self.selects() {
            return None;
        }
        if compare {
            Some("--compare shows whole traces beside each other; leave out the selection of steps")
        } else if paper {
            Some("the paper's form has whole traces; select steps with --format text or json")
        } else if out {
            Some("--out writes whole traces; select steps without it, or of its rows")
        } else {
            None
        }
    }
}

/// Limits of a trace: what was asked for, else those of what is shown; `part`: only some of the steps are.
pub(in crate::cli) fn limits(steps: Option<u32>, text: Option<usize>, part: bool) -> Walk {
    let usual = Limits::default();
    // Whoever limits the steps has the other limits of a trace that is written as a whole.
    let walk = match part && steps.is_none() {
        true => Walk {
            steps: WALKED_STEPS,
            text: WALKED_TEXT,
            time: WALKED_TIME,
        },
        false => Walk {
            steps: WRITTEN_STEPS,
            text: usual.max_bytes,
            time: usual.cpu,
        },
    };
    Walk {
        steps: steps.unwrap_or(walk.steps),
        text: text.unwrap_or(walk.text),
        ..walk
    }
}
