//! The instruction pointer over time as a heat map (the paper's Figure 2): a row for each node, a column for each step,
//! darker for more mass. The caller draws it.

use super::Pointer;

/// Characters of a line that are shown.
const MOST_CHARACTERS: usize = 48;
/// Columns; if there are more steps, only every n-th is shown.
const MOST_COLUMNS: usize = 180;
/// Less mass than this counts as none.
const LEAST: f32 = 0.002;

/// Where the instruction pointer is at each step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatMap {
    /// The steps that are shown, from 0.
    pub steps: Vec<usize>,
    /// Nodes of the control flow.
    pub rows: Vec<HeatRow>,
}

/// A node of a [`HeatMap`].
#[derive(Debug, Clone, PartialEq)]
pub struct HeatRow {
    /// Its line with its text, or its name: `exit`, `error`.
    pub label: String,
    /// Whether it is where exceptions lead.
    pub is_error: bool,
    /// The share of the pointer there at each step, in 0..=1.
    pub mass: Vec<f32>,
}

/// The heat map of a program; `source` is the program, for the text of its lines.
#[must_use]
pub fn heat_map(pointer: &Pointer, source: &str) -> HeatMap {
    let lines: Vec<&str> = source.lines().collect();
    let stride = pointer.steps.len().div_ceil(MOST_COLUMNS).max(1);
    let steps: Vec<usize> = (0..pointer.steps.len()).step_by(stride).collect();
    let mass = |row: usize, step: usize| {
        let mass = pointer.steps[step].get(row).copied().unwrap_or(0.0);
        match mass.is_nan() || mass < LEAST {
            true => 0.0,
            false => mass.min(1.0),
        }
    };
    let rows = pointer.nodes.iter().enumerate();
    let rows = rows.map(|(row, node)| HeatRow {
        label: match (node.name, node.line) {
            (Some(name), _) => name.to_owned(),
            (None, line) => {
                let text = lines.get((line as usize).wrapping_sub(1));
                format!("{line:>4} {}", cut(text.map_or("", |text| text.trim_end())))
            }
        },
        is_error: node.name == Some("error"),
        mass: steps.iter().map(|step| mass(row, *step)).collect(),
    });
    HeatMap {
        rows: rows.collect(),
        steps,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipa::PointerNode;

    fn pointer() -> Pointer {
        let node = |line, name| PointerNode { line, name };
        Pointer {
            nodes: vec![node(1, None), node(0, Some("exit")), node(0, Some("error"))],
            steps: vec![vec![1.0, 0.0, 0.0], vec![0.001, 0.75, f32::NAN]],
        }
    }

    #[test]
    fn rows_are_nodes_and_columns_are_steps() {
        let map = heat_map(&pointer(), "x = 1\n");
        let labels: Vec<&str> = map.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["   1 x = 1", "exit", "error"]);
        let mass: Vec<&[f32]> = map.rows.iter().map(|row| row.mass.as_slice()).collect();
        assert_eq!(mass, [[1.0, 0.0], [0.0, 0.75], [0.0, 0.0]]);
        assert!(map.rows[2].is_error && !map.rows[0].is_error);
    }

    #[test]
    fn long_lines_are_cut_and_long_runs_are_thinned_out() {
        let mut long = pointer();
        long.steps = vec![vec![1.0, 0.0, 0.0]; 1000];
        let map = heat_map(&long, &"é".repeat(60));
        assert_eq!(map.steps.len(), 167);
        assert_eq!(map.steps[1], 6);
        assert_eq!(map.rows[0].label.chars().count(), 5 + MOST_CHARACTERS + 1);
    }
}
