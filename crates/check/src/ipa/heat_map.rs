//! The instruction pointer over time as a picture (the paper's Figure 2): a row for each node, a column for
//! each step, the darker the more mass. One SVG, complete in itself, to be put into an HTML page.

use std::fmt::Write as _;

use super::Pointer;

/// Size of a cell, and room for the text of a line.
const CELL: usize = 12;
const TEXT: usize = 320;
const HEAD: usize = 24;
/// Characters of a line that are shown.
const MOST_CHARACTERS: usize = 48;
/// Columns; of more steps only every so many is shown.
const MOST_COLUMNS: usize = 180;
/// Less mass than this is not drawn.
const LEAST: f32 = 0.002;

/// Draws the instruction pointer of a program; `source` is the program, for the text of its lines.
#[must_use]
pub fn heat_map(pointer: &Pointer, source: &str) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let stride = pointer.steps.len().div_ceil(MOST_COLUMNS).max(1);
    let columns: Vec<usize> = (0..pointer.steps.len()).step_by(stride).collect();
    let (width, height) = (
        TEXT + columns.len() * CELL + CELL,
        HEAD + pointer.nodes.len() * CELL + CELL,
    );
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heat-map\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"monospace\" font-size=\"10\">\n\
         <title>Where the instruction pointer is at each step</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    for (k, t) in columns.iter().enumerate().step_by(5) {
        let x = TEXT + k * CELL + CELL / 2;
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"14\" text-anchor=\"middle\" fill=\"#555555\">{t}</text>"
        );
    }
    for (row, node) in pointer.nodes.iter().enumerate() {
        let y = HEAD + row * CELL;
        let label = match (node.name, node.line) {
            (Some(name), _) => name.to_owned(),
            (None, line) => {
                let text = lines
                    .get((line as usize).wrapping_sub(1))
                    .map_or("", |l| l.trim_end());
                format!("{line:>4} {text}")
            }
        };
        let _ = writeln!(
            out,
            "<text x=\"4\" y=\"{}\" xml:space=\"preserve\" fill=\"#222222\">{}</text>",
            y + CELL - 3,
            escaped(&label)
        );
        let colour = if node.name == Some("error") {
            "#b3261e"
        } else {
            "#1f4e8c"
        };
        for (k, t) in columns.iter().enumerate() {
            let mass = pointer.steps[*t].get(row).copied().unwrap_or(0.0);
            if mass.is_nan() || mass < LEAST {
                continue;
            }
            // Small masses would be invisible on a linear scale.
            let opacity = mass.min(1.0).sqrt();
            let x = TEXT + k * CELL;
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" \
                 fill-opacity=\"{opacity:.3}\"><title>{}, step {t}: {mass:.3}</title></rect>",
                match node.name {
                    Some(name) => name.to_owned(),
                    None => format!("line {}", node.line),
                }
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Text as XML takes it, cut, without control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (k, c) in text.chars().enumerate() {
        if k == MOST_CHARACTERS {
            out.push('…');
            break;
        }
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' => out.push(' '),
            c if c.is_control()
                || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                out.push('\u{fffd}');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipa::PointerNode;

    fn pointer() -> Pointer {
        let node = |line, name| PointerNode { line, name };
        Pointer {
            nodes: vec![node(1, None), node(0, Some("exit")), node(0, Some("error"))],
            steps: vec![vec![1.0, 0.0, 0.0], vec![0.0, 0.75, 0.25]],
        }
    }

    #[test]
    fn cells_stand_where_the_mass_is() {
        let svg = heat_map(&pointer(), "x = 1\n");
        assert_eq!(svg.matches("fill-opacity").count(), 3, "{svg}");
        assert!(
            svg.contains("<title>line 1, step 0: 1.000</title>"),
            "{svg}"
        );
        assert!(svg.contains("<title>error, step 1: 0.250</title>"), "{svg}");
        assert!(svg.contains("   1 x = 1</text>"), "{svg}");
    }

    #[test]
    fn sources_cannot_break_out() {
        let hostile = "x = '</text></svg><script>alert(\"&\")</script>'\u{0}\u{202e}\n";
        let svg = heat_map(&pointer(), hostile);
        assert_eq!(svg.matches("<script").count(), 0);
        assert_eq!(svg.matches("</svg>").count(), 1);
        assert!(!svg.contains(['\u{0}', '\u{202e}']));
        assert!(
            svg.contains("&lt;/text&gt;&lt;/svg&gt;&lt;script&gt;"),
            "{svg}"
        );
    }

    #[test]
    fn long_runs_are_thinned_out() {
        let mut long = pointer();
        long.steps = vec![vec![1.0, 0.0, 0.0]; 1000];
        let svg = heat_map(&long, "");
        assert_eq!(svg.matches("fill-opacity").count(), 167);
    }
}
