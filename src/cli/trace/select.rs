//! The options of `codexec trace` that select steps, and the limits of the walk behind them.

use std::time::Duration;

use codexec_data::sandbox::Limits;
use codexec_data::trace::Trace;
use codexec_query::{Lines, NothingSelected, Selected, Selection};

/// Maximum steps of a trace that is written as a whole, as in the paper.
const WRITTEN_STEPS: u32 = 1024;

/// Maximum steps of a program if only some of them are shown, and the text that they may have.
const WALKED_STEPS: u32 = 100_000;
const WALKED_TEXT: usize = 32 << 20;

/// Seconds that such a program may run where it is executed.
const WALKED_TIME: Duration = Duration::from_secs(5);

/// Limits for walking a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct Walk {
    /// Maximum steps.
    pub steps: u32,
    /// Maximum text of the steps.
    pub text: usize,
    /// Maximum time.
    pub time: Duration,
}

/// The heading of these options in the help.
const HEADING: &str = "Selection of steps";

/// Which steps are shown.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct SelectArgs {
    /// Show only steps that change this variable, and only this variable. Can be repeated.
    #[arg(help_heading = HEADING, long = "var", value_name = "NAME")]
    names: Vec<String>,
    /// Show only steps on these lines. Can be repeated.
    #[arg(help_heading = HEADING, long = "line", value_name = "[FILE:]N[-N]")]
    lines: Vec<Lines>,
    /// Show only steps that reach their line for the Nth time. With --var, the variable is shown
    /// even if it does not change.
    #[arg(help_heading = HEADING, long = "visit", value_name = "N[-N]", value_parser = visits)]
    visits: Vec<(usize, usize)>,
    /// Show only steps in this function, optionally with its class: `Account.deposit`. Can be
    /// repeated.
    #[arg(help_heading = HEADING, long = "function", value_name = "NAME")]
    functions: Vec<String>,
    /// Show only steps with at most this many of the program's functions below them on the stack; 0
    /// is the module.
    #[arg(help_heading = HEADING, long, value_name = "N")]
    depth: Option<u32>,
    /// Show only the first of the remaining steps.
    #[arg(help_heading = HEADING, long, value_name = "N")]
    first: Option<usize>,
    /// Show only the last of the remaining steps.
    #[arg(help_heading = HEADING, long, value_name = "N")]
    last: Option<usize>,
    /// Show only steps that change a value, and what they change.
    #[arg(help_heading = HEADING, long)]
    changes: bool,
    /// Show only printed output, with the step and the line that print it.
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
        .ok_or_else(|| "expected a number or a range: 7, 7-9".to_owned())
}

impl SelectArgs {
    /// The selected steps. `None` means all.
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

    /// The selected steps of a trace (`None`: all), and the named items that it lacks. If it lacks
    /// any, there are no steps.
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

    /// The only named function, if there is one.
    pub(super) fn only_function(&self) -> Option<&str> {
        self.functions.first().map(String::as_str)
    }

    /// Why a trace cannot start at the call of one function if more is selected.
    pub(super) fn refused_but_function(&self) -> Option<&'static str> {
        let rest = Self {
            functions: Vec::new(),
            ..self.clone()
        };
        if rest.selects() || self.functions.len() > 1 {
            return Some("--format cwm writes a whole trace, or that of one --function");
        }
        None
    }

    /// Why steps cannot be selected together with other options.
    pub(super) fn refused(&self, compare: bool, paper: bool, out: bool) -> Option<&'static str> {
        if !self.selects() {
            return None;
        }
        if compare {
            Some("--compare shows whole traces beside each other; leave out the selection of steps")
        } else if paper {
            Some("the paper's form shows whole traces; select steps with --format text or json")
        } else if out {
            Some("--out writes whole traces; select steps without it, or of its rows")
        } else {
            None
        }
    }
}

/// Limits of a trace: the requested ones, else the defaults for what is shown. `part`: only some of
/// the steps are shown.
pub(in crate::cli) fn limits(steps: Option<u32>, text: Option<usize>, part: bool) -> Walk {
    let usual = Limits::default();
    // A given limit of steps implies the other limits of a whole trace.
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
