//! A small timeline of a trace: the depth of its calls, and where something is raised, made up or
//! printed.

use codexec_data::trace::{Origin, Outcome, Trace};
use codexec_query::changes::each_change;

use super::caught::Caught;
use super::{BAD, DIM, OUTPUT, View, WARN, counted};

/// Heights of a column, the lowest first.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Minimum call depth for a timeline.
const SHALLOW: u32 = 1;
/// Columns of the words before and after it.
const LABEL: usize = 7;
const BEHIND: usize = 28;

/// Marks under a column, most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Raised,
    Caught,
    MadeUp,
    Printed,
}

impl View<'_> {
    /// The timeline of a trace with deep calls.
    pub(super) fn timeline(&mut self, trace: &Trace, caught: &[Caught]) {
        let steps = &trace.steps;
        let Some((deepest, depth)) = steps
            .iter()
            .map(|step| step.depth)
            .enumerate()
            .rev()
            .max_by_key(|(_, depth)| *depth)
            .filter(|(_, depth)| *depth > SHALLOW)
        else {
            return;
        };
        let room = self.style.width.max(40).saturating_sub(LABEL + BEHIND);
        let columns = room.min(steps.len());
        let of = |step: usize| step * columns / steps.len();
        let mut depths = vec![0; columns];
        for (k, step) in steps.iter().enumerate() {
            depths[of(k)] = step.depth.max(depths[of(k)]);
        }
        let top = HEIGHTS.len() as u64 - 1;
        let height = |of_column: &u32| {
            let height = (u64::from(*of_column) * top).div_ceil(u64::from(depth));
            HEIGHTS[height as usize]
        };
        let bars: String = depths.iter().map(height).collect();
        let calls = counted(depth as usize, "call");
        let behind = format!("  {calls} deep at step {}", deepest + 1);
        let label = self.paint(DIM, "depth  ");
        let behind = self.paint(DIM, &behind);
        self.push_line(&format!("{label}{bars}{behind}"));
        self.marks(trace, caught, columns);
    }

    /// A line of marks under the columns.
    fn marks(&mut self, trace: &Trace, caught: &[Caught], columns: usize) {
        let steps = &trace.steps;
        let mut marks: Vec<Option<Mark>> = vec![None; columns];
        let mut put = |step: usize, mark: Mark| {
            let of_column = &mut marks[step * columns / steps.len()];
            *of_column = of_column.map_or(Some(mark), |known| Some(known.min(mark)));
        };
        for (k, step) in steps.iter().enumerate() {
            if !step.output.is_empty() {
                put(k, Mark::Printed);
            }
        }
        for (k, changes) in each_change(trace).enumerate() {
            let mut values = changes.names.iter().filter_map(|(_, value)| *value);
            if values.any(|value| value.origin == Origin::Injected) {
                put(k, Mark::MadeUp);
            }
        }
        for one in caught {
            put(one.raised, Mark::Caught);
        }
        if let Outcome::Raised {
            step: Some(step), ..
        } = &trace.outcome
        {
            put((*step as usize).min(steps.len() - 1), Mark::Raised);
        }
        let all = [
            (Mark::Raised, '✗', "raised", BAD),
            (Mark::Caught, '×', "caught", WARN),
            (Mark::MadeUp, '!', "made up", WARN),
            (Mark::Printed, '│', "printed", OUTPUT),
        ];
        let there: Vec<_> = all
            .into_iter()
            .filter(|(mark, ..)| marks.contains(&Some(*mark)))
            .collect();
        if there.is_empty() {
            return;
        }
        let mut line = " ".repeat(LABEL);
        for mark in &marks {
            match there.iter().find(|(known, ..)| Some(*known) == *mark) {
                Some((_, sign, _, style)) => line.push_str(&self.paint(*style, &sign.to_string())),
                None => line.push(' '),
            }
        }
        let words: Vec<String> = there
            .iter()
            .map(|(_, sign, word, style)| {
                format!("{} {word}", self.paint(*style, &sign.to_string()))
            })
            .collect();
        self.push_line(&format!("{line}  {}", words.join(" ")));
    }
}
