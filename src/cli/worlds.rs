//! The worlds of `codexec trace --beam`: what else a program may do where values are made up.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::view::outcome_text;
use super::view::text::{clean, fit, pad};
use crate::engine::{Answered, Decided};

/// Worlds of one program, in the order in which they are numbered.
#[derive(Debug, Default)]
pub(super) struct Worlds {
    all: Vec<World>,
    /// Which of them is shown, from 0.
    shown: usize,
    /// What the others are, by their places.
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
    /// Takes a world for the one that is shown, by its number from 1; the first where there is none of this number.
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

    /// Which is shown, from 0.
    pub(super) fn shown(&self) -> usize {
        self.shown
    }

    /// What those are that are not shown, by their places.
    pub(super) fn others(&self) -> &[(usize, Answered)] {
        &self.others
    }

    /// How probable a world is, and what was decided in it.
    pub(super) fn world(&self, at: usize) -> Option<(f64, &[Decided])> {
        let world = self.all.get(at)?;
        Some((world.probability, &world.decisions))
    }

    /// How many there are.
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

    /// The worlds as a table: how likely each is beside the first, how it ends, and what is otherwise in it.
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

/// How likely something is beside something else: `2.3`, `0.04`, `<0.01`.
fn odds(probability: f64, first: f64) -> String {
    match probability / first {
        odds if !odds.is_finite() => "-".to_owned(),
        odds if odds < 0.01 => "<0.01".to_owned(),
        odds if odds < 9.95 => format!("{odds:.2}"),
        odds => format!("{odds:.0}"),
    }
}

/// `line 9: response.ok is false`; `time`: how often it was decided there so far.
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
