//! The worlds of `codexec trace --beam`: other possible executions of a program with made-up
//! values.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::view::outcome_text;
use super::view::text::{clean, fit, pad};
use crate::engine::{Answered, Decided};

/// The worlds of one program, in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Worlds {
    all: Vec<World>,
    /// Index of the world shown.
    shown: usize,
    /// The others, by index.
    others: Vec<(usize, Answered)>,
}

#[derive(Debug)]
struct World {
    probability: f64,
    steps: usize,
    ends: String,
    decisions: Vec<Decided>,
}

impl World {
    fn of(answered: &Answered) -> Self {
        Self {
            probability: f64::from(answered.score.unwrap_or_default()).exp(),
            steps: answered.trace.steps.len(),
            ends: outcome_text(&answered.trace.outcome),
            decisions: answered.decisions.clone(),
        }
    }
}

impl Worlds {
    /// Selects the world to show by its number from 1, or the first if it does not exist.
    pub(super) fn choose(mut answered: Answered, number: usize) -> (Answered, Self) {
        let mut others: Vec<_> = (1..).zip(std::mem::take(&mut answered.others)).collect();
        let all = std::iter::once(&answered).chain(others.iter().map(|(_, other)| other));
        let all = all.map(World::of).collect();
        let mut shown = 0;
        if let Some((at, other)) = number.checked_sub(2).and_then(|at| others.get_mut(at)) {
            shown = *at;
            *at = 0;
            std::mem::swap(&mut answered, other);
        }
        (answered, Self { all, shown, others })
    }

    /// Index of the world shown.
    pub(super) fn shown(&self) -> usize {
        self.shown
    }

    /// The worlds not shown, by index.
    pub(super) fn others(&self) -> &[(usize, Answered)] {
        &self.others
    }

    /// The probability of a world and its decisions.
    pub(super) fn world(&self, at: usize) -> Option<(f64, &[Decided])> {
        let world = self.all.get(at)?;
        Some((world.probability, &world.decisions))
    }

    /// Number of worlds.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Whether there is more than one.
    pub(super) fn are_several(&self) -> bool {
        self.count() > 1
    }

    /// The worlds as JSON.
    pub(super) fn json(&self) -> Value {
        let world = |world: &World| {
            json!({
                "probability": world.probability,
                "steps": world.steps,
                "ends": world.ends,
                "decisions": world.decisions,
            })
        };
        self.all.iter().map(world).collect()
    }

    /// The worlds as a table: their odds relative to the first, how they end, and what differs in
    /// them.
    pub(super) fn text(&self) -> String {
        let mut out = String::from("worlds:\n");
        let ends = self.all.iter().map(|world| world.ends.chars().count());
        let width = ends.max().unwrap_or_default().clamp(4, 40);
        let _ = writeln!(
            out,
            "{:>5}  {:>6}  {:>6}  {}  otherwise",
            "world",
            "odds",
            "steps",
            pad("end", width)
        );
        let first = self.all.first().map_or(1.0, |world| world.probability);
        for (number, world) in self.all.iter().enumerate() {
            let mark = if number == self.shown { '*' } else { ' ' };
            let ends = pad(&fit(&world.ends, width), width);
            let mut head = format!(
                "{:>3} {mark}  {:>6}  {:>6}  {ends}",
                number + 1,
                odds(world.probability, first),
                world.steps
            );
            if world.decisions.iter().all(|one| !one.other) {
                let _ = writeln!(out, "{}", head.trim_end());
            }
            let mut times: HashMap<(&Option<String>, u32, &str), usize> = HashMap::new();
            for one in &world.decisions {
                let time = times.entry((&one.file, one.line, &one.what)).or_default();
                *time += 1;
                if one.other {
                    let _ = writeln!(out, "{head}  {}", otherwise(one, *time));
                    head = " ".repeat(head.chars().count());
                }
            }
        }
        out
    }
}

/// Relative odds: `2.3`, `0.04`, `<0.01`.
fn odds(probability: f64, first: f64) -> String {
    match probability / first {
        odds if !odds.is_finite() => "-".to_owned(),
        odds if odds < 0.01 => "<0.01".to_owned(),
        odds if odds < 9.95 => format!("{odds:.2}"),
        odds => format!("{odds:.0}"),
    }
}

/// `line 9: response.ok is false`. `time` is how often it was decided there so far.
fn otherwise(one: &Decided, time: usize) -> String {
    let file = one.file.as_ref().map(|file| format!("{}:", clean(file)));
    let place = match file {
        Some(file) => format!("{file}{}", one.line),
        None => format!("line {}", one.line),
    };
    let visit = match time {
        1 => String::new(),
        time => format!(", time {time}"),
    };
    let (what, taken) = (clean(&one.what), clean(&one.taken));
    format!("{place}{visit}: {} {}", fit(&what, 40), fit(&taken, 40))
}
