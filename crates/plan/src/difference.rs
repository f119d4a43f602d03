//! What first differs between a planned trace and that of a run.
//!
//! Origins, confidences and engines differ by nature and are ignored. Addresses of objects (`0x7f5b46686c30`) differ
//! from run to run: any is as good as another.

use std::borrow::Cow;
use std::fmt;

use codexec_trace::{Outcome, Step, Trace};

/// The difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// The line, or whether it is entered, executed or left.
    Order,
    /// The function, or its depth.
    Function,
    /// A variable of the state, or the order of its names.
    State,
    /// The return value.
    Value,
    /// The printed output.
    Output,
    /// One trace continues where the other ends.
    Length,
    /// The outcome.
    Outcome,
    /// The class of the exception.
    Exception,
    /// The line or the step of the exception.
    Place,
    /// The message of the exception alone.
    Message,
}

impl Aspect {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "line order",
            Self::Function => "function or depth",
            Self::State => "state",
            Self::Value => "value",
            Self::Output => "output",
            Self::Length => "number of steps",
            Self::Outcome => "outcome",
            Self::Exception => "exception",
            Self::Place => "place of the exception",
            Self::Message => "message",
        }
    }
}

/// The first difference of two traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The difference.
    pub aspect: Aspect,
    /// Index of the step; the number of steps if they are equal.
    pub step: usize,
    /// Line of the program at that step, 1-based; 0 if there is none.
    pub line: u32,
    /// As it was planned.
    pub planned: String,
    /// As it ran.
    pub run: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at step {}, line {}: planned {}, run {}",
            self.aspect.name(),
            self.step + 1,
            self.line,
            self.planned,
            self.run
        )
    }
}

/// The first difference of a planned trace and a run. `None` if they are equal.
pub fn first(planned: &Trace, run: &Trace) -> Option<Difference> {
    let steps = planned.steps.iter().zip(&run.steps).enumerate();
    let found = steps.filter_map(|(at, (a, b))| order(at, a, b).or_else(|| contents(at, a, b)));
    let mut found = found.chain(length(planned, run));
    found.next().or_else(|| end(planned, run))
}

/// The same if planning stopped before the end: of its last step only the place counts, and its outcome does not.
pub fn first_before_stop(planned: &Trace, run: &Trace) -> Option<Difference> {
    let last = planned.steps.len().saturating_sub(1);
    let steps = planned.steps.iter().zip(&run.steps).enumerate();
    let mut found = steps.filter_map(|(at, (a, b))| {
        order(at, a, b).or_else(|| contents(at, a, b).filter(|_| at < last))
    });
    let longer = planned.steps.len() > run.steps.len();
    found
        .next()
        .or_else(|| length(planned, run).filter(|_| longer))
}

/// Whether a run was cut by a limit, or did not start: then there is nothing to compare with.
pub fn is_over_a_limit(outcome: &Outcome) -> bool {
    !matches!(
        outcome,
        Outcome::Finished | Outcome::Raised { .. } | Outcome::Exited { .. }
    )
}

fn order(step: usize, a: &Step, b: &Step) -> Option<Difference> {
    let (aspect, planned, run) = if (a.line, a.event) != (b.line, b.event) {
        let place = |s: &Step| format!("{} {:?}", s.line, s.event);
        (Aspect::Order, place(a), place(b))
    } else if (&a.function, a.depth) != (&b.function, b.depth) {
        let place = |s: &Step| format!("{} {}", s.function, s.depth);
        (Aspect::Function, place(a), place(b))
    } else {
        return None;
    };
    Some(Difference {
        aspect,
        step,
        line: a.line,
        planned,
        run,
    })
}

fn contents(step: usize, a: &Step, b: &Step) -> Option<Difference> {
    let value = |s: &Step| s.value.as_ref().map(|v| without_addresses(&v.text).into());
    let shown = |value: Option<String>| value.unwrap_or_else(|| "nothing".to_owned());
    let (output, ran) = (without_addresses(&a.output), without_addresses(&b.output));
    let (aspect, planned, run) = if let Some((planned, run)) = state(a, b) {
        (Aspect::State, planned, run)
    } else if value(a) != value(b) {
        (Aspect::Value, shown(value(a)), shown(value(b)))
    } else if output != ran {
        (Aspect::Output, format!("{output:?}"), format!("{ran:?}"))
    } else {
        return None;
    };
    Some(Difference {
        aspect,
        step,
        line: a.line,
        planned,
        run,
    })
}

/// The variables that differ; all names where only their order does.
fn state(a: &Step, b: &Step) -> Option<(String, String)> {
    let texts = |step: &Step| -> Vec<String> {
        let variables = step.state.iter();
        let text = |(name, value): (&str, &codexec_trace::Value)| format!("{name}={}", value.text);
        let texts = variables.map(text);
        texts.map(|t| without_addresses(&t).into_owned()).collect()
    };
    let (planned, run) = (texts(a), texts(b));
    if planned == run {
        return None;
    }
    let only = |of: &[String], other: &[String]| -> Vec<String> {
        of.iter().filter(|t| !other.contains(t)).cloned().collect()
    };
    let (here, there) = (only(&planned, &run), only(&run, &planned));
    if here.is_empty() && there.is_empty() {
        return Some((planned.join(" "), run.join(" ")));
    }
    Some((here.join(" "), there.join(" ")))
}

fn length(planned: &Trace, run: &Trace) -> Option<Difference> {
    let (a, b) = (planned.steps.len(), run.steps.len());
    let step = a.min(b);
    let longer = if a > b { planned } else { run };
    (a != b).then(|| Difference {
        aspect: Aspect::Length,
        step,
        line: longer.steps.get(step).map_or(0, |s| s.line),
        planned: format!("{a} and {}", ended(&planned.outcome)),
        run: format!("{b} and {}", ended(&run.outcome)),
    })
}

fn end(planned: &Trace, run: &Trace) -> Option<Difference> {
    let (a, b) = (&planned.outcome, &run.outcome);
    if a == b {
        return None;
    }
    let mut line = 0;
    let aspect = match (a, b) {
        (
            Outcome::Raised {
                file: _,
                exception,
                message,
                line: at,
                step,
            },
            Outcome::Raised {
                file: _,
                exception: other,
                message: said,
                line: there,
                step: raised,
            },
        ) => {
            line = *at;
            if exception != other {
                Aspect::Exception
            } else if (at, step) != (there, raised) {
                Aspect::Place
            } else if without_addresses(message) != without_addresses(said) {
                Aspect::Message
            } else {
                return None;
            }
        }
        _ => Aspect::Outcome,
    };
    Some(Difference {
        aspect,
        step: planned.steps.len(),
        line,
        planned: ended(a),
        run: ended(b),
    })
}

/// An outcome in a line.
fn ended(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Raised {
            file: _,
            exception,
            message,
            line,
            step,
        } => {
            let step = step.map_or("no step".to_owned(), |step| format!("step {}", step + 1));
            format!("{exception}: {message} (line {line}, {step})")
        }
        other => format!("{other:?}"),
    }
}

/// A text with every address of an object the same.
pub fn without_addresses(text: &str) -> Cow<'_, str> {
    const BEGIN: &str = "0x7f";
    if !text.contains(BEGIN) {
        return Cow::Borrowed(text);
    }
    let (mut rest, mut found) = (text, String::with_capacity(text.len()));
    while let Some(at) = rest.find(BEGIN) {
        let (before, address) = rest.split_at(at);
        let end = address[BEGIN.len()..].find(|c: char| !c.is_ascii_hexdigit());
        let end = end.map_or(address.len(), |end| end + BEGIN.len());
        found.push_str(before);
        // Shorter ones are numbers of the program.
        found.push_str(if end == 14 {
            "0x7f…"
        } else {
            &address[..end]
        });
        rest = &address[end..];
    }
    found.push_str(rest);
    Cow::Owned(found)
}

#[cfg(test)]
mod tests {
    use codexec_trace::{Engine, Event, Program, State, Value};

    use super::*;

    fn trace(texts: &[&str], outcome: Outcome) -> Trace {
        let mut trace = Trace::new(Engine::Run, Program::default());
        trace.outcome = outcome;
        trace.steps = texts
            .iter()
            .zip(1..)
            .map(|(text, line)| Step {
                line,
                event: Event::Line,
                function: "<module>".into(),
                depth: 0,
                file: 0,
                state: State::from_iter([("x".to_owned(), Value::observed(*text))]),
                output: String::new(),
                value: None,
                confidence: None,
            })
            .collect();
        trace
    }

    fn raised(message: &str) -> Outcome {
        Outcome::Raised {
            file: 0,
            exception: "ValueError".to_owned(),
            message: message.to_owned(),
            line: 2,
            step: Some(1),
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        let one = trace(&["1", "2"], raised("a"));
        assert_eq!(first(&one, &one.clone()), None);
        let found = first(&one, &trace(&["1", "3"], raised("b"))).unwrap();
        assert_eq!(
            found.to_string(),
            "state at step 2, line 2: planned x=2, run x=3"
        );
        let found = first(&one, &trace(&["1", "2"], raised("b"))).unwrap();
        assert_eq!(found.aspect, Aspect::Message);
        let found = first(&one, &trace(&["1", "2"], Outcome::Finished)).unwrap();
        assert_eq!(found.aspect, Aspect::Outcome);
        let found = first(&one, &trace(&["1", "2", "3"], raised("a"))).unwrap();
        assert_eq!((found.aspect, found.line), (Aspect::Length, 3));
    }

    #[test]
    fn a_stop_is_right_where_its_steps_are() {
        let run = trace(&["1", "2", "3"], Outcome::Finished);
        let stopped = |texts: &[&str]| trace(texts, Outcome::Timeout);
        assert_eq!(first_before_stop(&stopped(&["1", "?"]), &run), None);
        assert!(first_before_stop(&stopped(&["?", "2"]), &run).is_some());
        assert!(first_before_stop(&stopped(&["1", "2", "3", "4"]), &run).is_some());
    }

    #[test]
    fn addresses_are_all_the_same() {
        let of = |text| trace(&[text], Outcome::Finished);
        let (a, b) = (
            "<A object at 0x7f5b46686c30>",
            "<A object at 0x7f0000000010>",
        );
        assert_eq!(first(&of(a), &of(b)), None);
        assert!(first(&of("'0x7f1'"), &of("'0x7f2'")).is_some());
    }
}
