//! Lines over a number, as SVG inside HTML.

use std::fmt::Write;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 240.0;
/// Room left, right, above and below for numbers and names.
const MARGIN: [f64; 4] = [58.0, 12.0, 10.0, 44.0];
/// Most points of a line; more are averaged.
const POINTS: usize = 600;
const COLOURS: [&str; 6] = [
    "#1b6ca8", "#c8553d", "#3a7d44", "#7b4fa6", "#b8860b", "#4a4a4a",
];

/// One line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

impl Series {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            points: Vec::new(),
        }
    }
}

/// Lines on common axes.
#[derive(Debug)]
pub(super) struct Chart<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub series: Vec<Series>,
}

/// Text that may stand in HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// A range of numbers and where they go on the page.
#[derive(Debug, Clone, Copy)]
struct Axis {
    from: f64,
    to: f64,
    at: f64,
    length: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, at: f64, length: f64) -> Self {
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (from, to) = (from.min(value), to.max(value));
        }
        if from == to {
            let room = if from == 0.0 { 1.0 } else { from.abs() * 0.1 };
            (from, to) = (from - room, to + room);
        }
        Self {
            from,
            to,
            at,
            length,
        }
    }

    fn place(self, value: f64) -> f64 {
        self.at + (value - self.from) / (self.to - self.from) * self.length
    }

    /// Round numbers within the range, about five.
    fn ticks(self) -> Vec<f64> {
        let rough = (self.to - self.from) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(rough);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step).floor() as i64;
        (first..=last).map(|k| k as f64 * step).collect()
    }
}

/// Averages of neighbours, so that no more than [`POINTS`] are left.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(POINTS).max(1);
    let mean = |chunk: &[(f64, f64)]| {
        let count = chunk.len() as f64;
        let sum = chunk
            .iter()
            .fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        (sum.0 / count, sum.1 / count)
    };
    points.chunks(size).map(mean).collect()
}

fn label(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{value:.1e}")
    } else {
        // Six digits tell all ticks apart, without the zeros at the end.
        let text = format!("{value:.4}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        text.to_owned()
    }
}

impl Chart<'_> {
    /// Draws the chart, if there is anything to draw.
    pub(super) fn draw(&self, out: &mut String) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        if points().next().is_none() {
            return;
        }
        let [left, right, top, bottom] = MARGIN;
        let x = Axis::new(points().map(|p| p.0), left, WIDTH - left - right);
        let height = HEIGHT - top - bottom;
        let y = Axis::new(points().map(|p| p.1), top + height, -height);
        let _ = write!(
            out,
            "<figure><figcaption>{}</figcaption><svg width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">",
            escaped(self.title)
        );
        for tick in y.ticks() {
            let at = y.place(tick);
            let _ = write!(
                out,
                "<path d=\"M{left} {at:.1}H{:.1}\" stroke=\"#e4e4e4\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{}</text>",
                WIDTH - right,
                left - 6.0,
                at + 4.0,
                label(tick)
            );
        }
        let floor = top + height;
        for tick in x.ticks() {
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x.place(tick),
                floor + 15.0,
                label(tick)
            );
        }
        self.lines(out, x, y);
        let _ = writeln!(
            out,
            "<path d=\"M{left} {top}V{floor:.1}H{:.1}\" fill=\"none\" stroke=\"#888\"/><text x=\"{:.1}\" \
             y=\"{:.1}\" text-anchor=\"end\">{}</text></svg></figure>",
            WIDTH - right,
            WIDTH - right,
            floor + 32.0,
            escaped(self.x)
        );
    }

    /// The lines and their names.
    fn lines(&self, out: &mut String, x: Axis, y: Axis) {
        let mut name_at = x.at;
        for (index, series) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let mut path = String::new();
            for (k, point) in thinned(&series.points).into_iter().enumerate() {
                let mark = if k == 0 { 'M' } else { 'L' };
                let _ = write!(
                    path,
                    "{mark}{:.1} {:.1}",
                    x.place(point.0),
                    y.place(point.1)
                );
            }
            if series.points.len() == 1 {
                path.push_str("h2");
            }
            let name = escaped(&series.name);
            let _ = write!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"><title>{name}\
                 </title></path><text x=\"{name_at:.1}\" y=\"{:.1}\" style=\"fill:{colour}\">{name}</text>",
                HEIGHT - 12.0
            );
            name_at += 8.0 + 7.0 * series.name.chars().count() as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        for (from, to, expected) in [
            (0.0, 10.0, vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
            (0.52, 2.3, vec![1.0, 1.5, 2.0]),
            (-1.0, 1.0, vec![-1.0, -0.5, 0.0, 0.5, 1.0]),
        ] {
            let ticks = Axis::new([from, to].into_iter(), 0.0, 100.0).ticks();
            assert_eq!(ticks, expected);
        }
        assert_eq!(
            [0.5, 1.0, 2.5e-4, 12_000.0].map(label),
            ["0.5", "1", "2.5e-4", "12000"]
        );
    }

    #[test]
    fn thinning_keeps_ends_and_mean() {
        let points: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), 3.0)).collect();
        let thin = thinned(&points);
        assert!(thin.len() <= POINTS && thin.len() > POINTS / 2);
        assert!(thin.iter().all(|p| p.1 == 3.0));
        assert!(thin[0].0 < 20.0 && thin[thin.len() - 1].0 > 9_980.0);
        assert_eq!(thinned(&points[..7]), points[..7]);
    }
}
