//! Summarises an input if a problem has no description:
//! `3 lines; line 1: 1 integer, 3; line 2: 3 integers from 1 to 9; line 3: 1 word of 4 letters`. Runs of lines with
//! one shape are merged.

/// Maximum lines described individually.
const MOST_SHAPES: usize = 6;

/// The shape of a line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Empty,
    Integers(usize),
    Numbers(usize),
    Words(usize),
}

/// A run of lines with one shape.
struct Run {
    first: usize,
    last: usize,
    shape: Shape,
    /// Least and greatest number, or length of a word.
    range: (f64, f64),
}

/// Describes an input.
///
/// ```
/// use codexec_data::errors::input_summary;
/// assert_eq!(
///     input_summary("3\n1 2 9\n"),
///     "2 lines; line 1: 1 integer, 3; line 2: 3 integers from 1 to 9"
/// );
/// assert_eq!(input_summary(""), "no line");
/// ```
pub fn input_summary(input: &str) -> String {
    let mut runs: Vec<Run> = Vec::new();
    for (line, number) in input.lines().zip(1..) {
        let (shape, range) = shape_of(line);
        match runs.last_mut() {
            Some(run) if run.shape == shape => {
                run.last = number;
                run.range = (run.range.0.min(range.0), run.range.1.max(range.1));
            }
            _ => runs.push(Run {
                first: number,
                last: number,
                shape,
                range,
            }),
        }
    }
    let lines = input.lines().count();
    let mut text = match lines {
        0 => return "no line".to_owned(),
        1 => "1 line".to_owned(),
        n => format!("{n} lines"),
    };
    for run in runs.iter().take(MOST_SHAPES) {
        text.push_str("; ");
        text.push_str(&run.words());
    }
    if runs.len() > MOST_SHAPES {
        text.push_str("; and more");
    }
    text
}

/// The shapes of an input's first two lines, and its number of lines, up to three.
pub(super) fn outline(input: &str) -> (Vec<Shape>, usize) {
    let first = input.lines().take(2).map(|line| shape_of(line).0);
    (first.collect(), input.lines().take(3).count())
}

fn shape_of(line: &str) -> (Shape, (f64, f64)) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let range = |all: &mut dyn Iterator<Item = f64>| {
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    let number = |word: &&&str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    let integer = |word: &&&str| word.parse::<i128>().is_ok();
    if words.is_empty() {
        (Shape::Empty, (0.0, 0.0))
    } else if words.iter().all(|word| integer(&word)) {
        let mut all = words.iter().filter_map(|word| number(&word));
        (Shape::Integers(words.len()), range(&mut all))
    } else if words.iter().all(|word| number(&word).is_some()) {
        let mut all = words.iter().filter_map(|word| number(&word));
        (Shape::Numbers(words.len()), range(&mut all))
    } else {
        let mut all = words.iter().map(|word| word.chars().count() as f64);
        (Shape::Words(words.len()), range(&mut all))
    }
}

impl Run {
    fn words(&self) -> String {
        let place = match (self.first, self.last) {
            (a, b) if a == b => format!("line {a}"),
            (a, b) => format!("lines {a} to {b}"),
        };
        let each = if self.first == self.last { "" } else { " each" };
        let plural = |n: usize, what: &str| match n {
            1 => format!("1 {what}{each}"),
            n => format!("{n} {what}s{each}"),
        };
        let (low, high) = self.range;
        let what = match &self.shape {
            Shape::Empty => return format!("{place}: empty"),
            Shape::Integers(n) => plural(*n, "integer"),
            Shape::Numbers(n) => plural(*n, "number"),
            Shape::Words(n) => plural(*n, "word"),
        };
        let unit = match &self.shape {
            Shape::Words(_) => " letters",
            _ => "",
        };
        match (&self.shape, low == high) {
            (Shape::Words(_), true) => format!("{place}: {what} of {low}{unit}"),
            (Shape::Words(_), false) => format!("{place}: {what} of {low} to {high}{unit}"),
            (_, true) => format!("{place}: {what}, {low}"),
            (_, false) => format!("{place}: {what} from {low} to {high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_lines_are_said_once() {
        assert_eq!(
            input_summary("2\nab 3\ncde 44\n\n1.5 -2\n"),
            "5 lines; line 1: 1 integer, 2; lines 2 to 3: 2 words each of 1 to 3 letters; line 4: empty; \
             line 5: 2 numbers from -2 to 1.5"
        );
        assert_eq!(input_summary("7"), "1 line; line 1: 1 integer, 7");
    }

    #[test]
    fn odd_inputs_are_no_panic() {
        let long: String = (0..20)
            .map(|k| if k % 2 == 0 { "1\n" } else { "a\n" })
            .collect();
        assert!(input_summary(&long).ends_with("; and more"));
        for text in [
            "\u{0}",
            "nan inf\n",
            "99999999999999999999999999999999999999999\n",
            "é漢\r\n",
        ] {
            assert!(!input_summary(text).is_empty());
        }
    }
}
