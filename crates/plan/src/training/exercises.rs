//! Statements of one operation with random values, written for training: every builtin and method that programs
//! call, including those rare in a corpus. Operators and subscripts have a separate table, for networks that answer
//! what planned execution folds.

use codexec_data::examples::fuzz::{Fuzzer, TYPES};
use codexec_trace::Program;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Share of statements with a value of any type at one position: most of these raise.
const CONFUSED: f64 = 0.08;

/// Share of operators if they are asked: 70 % of the questions of a corpus then.
const OPERATORS: f64 = 0.7;

/// Draws statements.
pub struct Exercises {
    calls: Table,
    /// Operators and subscripts, if they are also drawn.
    operators: Option<Table>,
}

/// Weights, summed up, and statements.
struct Table(Vec<(u32, &'static str)>);

impl Table {
    fn read(text: &'static str) -> Self {
        let mut sum = 0;
        let row = |line: &'static str| {
            let (weight, statement) = line.split_once(' ')?;
            sum += weight.parse::<u32>().ok()?;
            Some((sum, statement))
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self(lines.filter_map(row).collect())
    }

    fn draw(&self, rng: &mut ChaCha8Rng) -> &'static str {
        let total = self.0.last().map_or(1, |(sum, _)| *sum);
        let drawn = rng.random_range(0..total);
        let row = self.0.iter().find(|(sum, _)| drawn < *sum);
        row.map_or("", |(_, statement)| statement)
    }
}

/// Part of a statement.
#[derive(Debug, PartialEq)]
enum Part<'a> {
    Text(&'a str),
    Brace(char),
    Place(&'a str),
}

fn parts(statement: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = statement;
    while let Some(at) = rest.find(['{', '}']) {
        parts.push(Part::Text(&rest[..at]));
        let from = &rest[at..];
        let end = from.find('}');
        rest = match (from.get(..2), end) {
            (Some("{{"), _) => {
                parts.push(Part::Brace('{'));
                &from[2..]
            }
            (Some("}}"), _) => {
                parts.push(Part::Brace('}'));
                &from[2..]
            }
            (_, Some(end)) if from.starts_with('{') => {
                parts.push(Part::Place(&from[1..end]));
                &from[end + 1..]
            }
            _ => &from[1..],
        };
    }
    parts.push(Part::Text(rest));
    parts
}

impl Exercises {
    /// Statements of calls; with `operators` also of operators and subscripts, more often than calls.
    pub fn new(operators: bool) -> Self {
        Self {
            calls: Table::read(include_str!("exercises.txt")),
            operators: operators.then(|| Table::read(include_str!("operators.txt"))),
        }
    }

    /// A program of one statement.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> Program {
        let operators = self.operators.as_ref();
        let table = operators.filter(|_| rng.random_bool(OPERATORS));
        let is_operator = table.is_some();
        let statement = table.unwrap_or(&self.calls).draw(rng);
        let mut fuzzer = Fuzzer::for_statement("x");
        let (mut names, mut out) = (String::new(), String::new());
        let mut text = String::from("''");
        let parts = parts(statement);
        let places = parts.iter().filter(|p| matches!(p, Part::Place(_))).count();
        let confused =
            (places > 0 && rng.random_bool(CONFUSED)).then(|| rng.random_range(0..places));
        let mut place_number = 0;
        for part in parts {
            match part {
                Part::Text(fixed) => out.push_str(fixed),
                Part::Brace(brace) => out.push(brace),
                Part::Place(place) => {
                    // No other value fits between quotes.
                    let is_quoted = out.ends_with('\'');
                    let literal = if confused == Some(place_number) && !is_quoted {
                        let other = TYPES[rng.random_range(0..TYPES.len())];
                        fuzzer.literal(other, rng).unwrap_or_default()
                    } else {
                        literal(place, &mut fuzzer, &text, rng)
                    };
                    place_number += 1;
                    if place == "str" || place == "bytes" {
                        text.clone_from(&literal);
                    }
                    // `3.bit_length()` is not a program, and `-3 ** 2` is another one.
                    let number = literal.starts_with(|c: char| c == '-' || c.is_ascii_digit());
                    let receiver = number && statement.contains(&format!("{{{place}}}."));
                    out.push_str(&if is_operator {
                        // The compiler folds operators of literals.
                        names.push_str(&format!("p{place_number} = {literal}; "));
                        format!("p{place_number}")
                    } else if receiver {
                        format!("({literal})")
                    } else {
                        literal
                    });
                }
            }
        }
        Program {
            id: String::new(),
            source: Some(format!("{names}{out}\n")),
            stdin: None,
            ..Program::default()
        }
    }
}

fn literal(place: &str, fuzzer: &mut Fuzzer, text: &str, rng: &mut ChaCha8Rng) -> String {
    let inside: Vec<char> = text.trim_matches(['b', '\'']).chars().collect();
    let ty = match place {
        "size" => return rng.random_range(0..=150).to_string(),
        "num" => {
            let most = 10_u32.pow(rng.random_range(1..=5));
            return rng.random_range(0..most).to_string();
        }
        "long" => {
            let digits = rng.random_range(1..=9_u32).min(rng.random_range(1..=9));
            return rng.random_range(0..10_u64.pow(digits)).to_string();
        }
        "nums" => {
            let count = rng.random_range(1..=6);
            let most = 10_u32.pow(rng.random_range(1..=4));
            let numbers: Vec<String> = (0..count)
                .map(|_| rng.random_range(0..most).to_string())
                .collect();
            return format!("'{}'", numbers.join(" "));
        }
        "code" => return rng.random_range(32..127).to_string(),
        "ascii" => {
            let letter = char::from(rng.random_range(32..127_u8));
            let quote = if letter == '\'' { '"' } else { '\'' };
            let escape = if letter == '\\' { "\\" } else { "" };
            return format!("{quote}{escape}{letter}{quote}");
        }
        "huge" => {
            // What programs take for infinity, and numbers near it.
            let power = format!("1{}", "0".repeat(rng.random_range(6..=18)));
            let times = if rng.random_bool(0.3) {
                rng.random_range(2..100).to_string()
            } else {
                String::from("1")
            };
            let rest = match rng.random_range(0..3) {
                0 => rng.random_range(1..1000),
                _ => 0,
            };
            let sign = if rng.random_bool(0.2) { "-" } else { "" };
            let value = times.parse::<i128>().unwrap_or(1) * power.parse::<i128>().unwrap_or(1);
            return format!("{sign}{}", value + rest);
        }
        "small" => return rng.random_range(0..=16).to_string(),
        "index" => return rng.random_range(0..=5).to_string(),
        "sub" if !inside.is_empty() && rng.random_bool(0.75) => {
            let from = match rng.random_range(0..4) {
                0 => 0,
                1 => inside.len().saturating_sub(2),
                _ => rng.random_range(0..inside.len()),
            };
            let to = (from + rng.random_range(1..=3)).min(inside.len());
            return format!("'{}'", inside[from..to].iter().collect::<String>());
        }
        "char" if !inside.is_empty() && rng.random_bool(0.7) => {
            return format!("'{}'", inside[rng.random_range(0..inside.len())]);
        }
        "char" => {
            let letters = b"abcxyz ,-.019";
            let letter = char::from(letters[rng.random_range(0..letters.len())]);
            return format!("'{letter}'");
        }
        "word" | "sub" => {
            let words = ["", " ", ",", ", ", "-", "x", "ab", "b", "0", "__", "->"];
            return format!("'{}'", words[rng.random_range(0..words.len())]);
        }
        // The fuzzer's replacement for a scalar is often an item of the container before it.
        "one" => fuzzer.likely_type(),
        ty => ty,
    };
    debug_assert!(TYPES.contains(&ty), "{ty}");
    fuzzer.literal(ty, rng).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn every_row_is_a_program() {
        let exercises = Exercises::new(true);
        assert!(exercises.calls.0.len() > 200);
        assert!(
            exercises
                .operators
                .as_ref()
                .is_some_and(|t| t.0.len() > 100)
        );
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..3_000 {
            let program = exercises.draw(&mut rng);
            let source = program.source.unwrap_or_default();
            assert!(codexec_vm::compile::compile(&source).is_ok(), "{source}");
        }
    }

    #[test]
    fn braces_are_doubled_in_a_row() {
        let expected = vec![
            Part::Text("f'"),
            Part::Brace('{'),
            Part::Text(""),
            Part::Place("int"),
            Part::Text(":b"),
            Part::Brace('}'),
            Part::Text("'"),
        ];
        assert_eq!(parts("f'{{{int}:b}}'"), expected);
    }
}
