//! Random values of a named type, as Python literals.
//!
//! Sizes and magnitudes are spread: mostly small, sometimes large, as in real programs. The values
//! of one statement depend on each other and on the statement: a key is sometimes one of the
//! dictionary's, a string sometimes the one it is compared with. Otherwise nearly every lookup would
//! fail and nearly every comparison would be false.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, Number};

use crate::syntax::with_parsed;

/// The supported types. The scalars come first.
pub const TYPES: [&str; 21] = [
    "int",
    "float",
    "bool",
    "str",
    "none",
    "bytes",
    "list_int",
    "list_float",
    "list_str",
    "list_mixed",
    "list_list_int",
    "list_pair",
    "tuple_int",
    "tuple_str",
    "tuple_mixed",
    "set_int",
    "set_str",
    "dict_int_int",
    "dict_str_int",
    "dict_str_str",
    "dict_str_list",
];

/// How many of [`TYPES`] are not containers.
pub const SCALARS: usize = 6;

/// How often a scalar is one that the statement or a container already has.
const KNOWN: f64 = 0.4;

/// Draws the values of one statement.
#[derive(Debug, Clone, Default)]
pub struct Fuzzer {
    strings: Vec<String>,
    ints: Vec<i64>,
    /// Large numbers too: not where they would be a size or an exponent.
    wide: bool,
}

impl Fuzzer {
    /// For a statement, whose own literals become likely values.
    pub fn for_statement(text: &str) -> Self {
        let sizes = [
            "*",
            "<<",
            "range",
            "just(",
            "center(",
            "zfill(",
            "bytes(",
            "bytearray(",
            "%",
            ":>",
            ":<",
        ];
        let own = Self {
            wide: !sizes.iter().any(|word| text.contains(word)),
            ..Self::default()
        };
        let whole = match text.ends_with(':') {
            true => format!("{text} pass"),
            false => text.to_owned(),
        };
        // Without literals where it does not parse; running it will tell.
        let known = with_parsed(&whole, |parsed| {
            let mut own = own.clone();
            own.visit_body(parsed.suite());
            own
        });
        known.unwrap_or(own)
    }

    /// A literal for each type in order. `None` if a type is unknown.
    pub fn literals(mut self, types: &[String], rng: &mut ChaCha8Rng) -> Option<Vec<String>> {
        let container = |ty: &str| ty.contains('_');
        let mut drawn: Vec<String> = vec![String::new(); types.len()];
        // Containers first: scalars are drawn from their items.
        for containers in [true, false] {
            for (at, ty) in types.iter().enumerate() {
                if container(ty) == containers {
                    drawn[at] = self.literal(ty, rng)?;
                }
            }
        }
        Some(drawn)
    }

    /// A literal of one of [`TYPES`].
    pub fn literal(&mut self, ty: &str, rng: &mut ChaCha8Rng) -> Option<String> {
        Some(match ty {
            "int" => self.int(rng),
            "float" => self.float(rng),
            "bool" => if rng.random() { "True" } else { "False" }.to_owned(),
            "none" => "None".to_owned(),
            "str" => self.string(rng),
            "bytes" => format!("b{}", Self::default().string(rng)),
            "list_int" => self.many("[]", rng, Self::item),
            "list_float" => self.many("[]", rng, Self::float),
            "list_str" => self.many("[]", rng, Self::word),
            "list_mixed" => self.many("[]", rng, Self::any),
            "list_list_int" => self.many("[]", rng, |own, rng| own.many("[]", rng, Self::small)),
            "list_pair" => self.many("[]", rng, Self::pair),
            "tuple_int" => self.many("()", rng, Self::item),
            "tuple_str" => self.many("()", rng, Self::word),
            "tuple_mixed" => self.many("()", rng, Self::any),
            "set_int" => self.set(rng, Self::item),
            "set_str" => self.set(rng, Self::word),
            "dict_int_int" => self.dict(rng, Self::item, Self::int),
            "dict_str_int" => self.dict(rng, Self::word, Self::int),
            "dict_str_str" => self.dict(rng, Self::word, Self::string),
            "dict_str_list" => {
                self.dict(rng, Self::word, |own, rng| own.many("[]", rng, Self::small))
            }
            _ => return None,
        })
    }

    /// The type of the scalars that it has seen most of: `str` or `int`.
    pub fn likely_type(&self) -> &'static str {
        if self.strings.len() > self.ints.len() {
            "str"
        } else {
            "int"
        }
    }

    fn small(&mut self, rng: &mut ChaCha8Rng) -> String {
        rng.random_range(-3..=12).to_string()
    }

    fn int(&mut self, rng: &mut ChaCha8Rng) -> String {
        if !self.ints.is_empty() && rng.random_bool(KNOWN) {
            let near = if rng.random_bool(0.2) {
                rng.random_range(-1..=1)
            } else {
                0
            };
            let known = self.ints[rng.random_range(0..self.ints.len())];
            return known.saturating_add(near).to_string();
        }
        let value: i64 = match rng.random_range(0..40) {
            0..=17 => rng.random_range(0..=10),
            18..=23 => rng.random_range(-10..=30),
            24..=33 => rng.random_range(-100..=200),
            34..=37 => rng.random_range(-1000..=2000),
            38 if self.wide => rng.random_range(-100_000_000_000..=1_000_000_000_000),
            _ => rng.random_range(-100_000..=1_000_000),
        };
        value.to_string()
    }

    fn float(&mut self, rng: &mut ChaCha8Rng) -> String {
        let value: f64 = rng.random_range(-50.0..150.0);
        match rng.random_range(0..10) {
            0..=3 => format!("{value:.1}"),
            4..=6 => format!("{value:.2}"),
            7 | 8 => format!("{:.1}", value / 10.0),
            _ if self.wide => format!("{:.1}", value * 1000.0),
            _ => format!("{:.4}", value / 1000.0),
        }
    }

    fn string(&mut self, rng: &mut ChaCha8Rng) -> String {
        if !self.strings.is_empty() && rng.random_bool(KNOWN) {
            let known = &self.strings[rng.random_range(0..self.strings.len())];
            return match rng.random_range(0..6) {
                0 => format!("'{known}{}'", WORDS[rng.random_range(0..WORDS.len())]),
                1 => format!("'{}{known}'", WORDS[rng.random_range(0..WORDS.len())]),
                _ => format!("'{known}'"),
            };
        }
        if rng.random_bool(0.5) {
            return format!("'{}'", WORDS[rng.random_range(0..WORDS.len())]);
        }
        let length = match rng.random_range(0..10) {
            0 => rng.random_range(8..=24),
            _ => rng.random_range(1..=7),
        };
        let letters = match rng.random_range(0..10) {
            0..=3 => b"abc".as_slice(),
            4..=7 => b"abcdefghijklmnopqrstuvwxyz",
            8 => b"0123456789",
            _ => b"abc XYZ,.-_:/=019",
        };
        let text: String = (0..length)
            .map(|_| char::from(letters[rng.random_range(0..letters.len())]))
            .collect();
        format!("'{text}'")
    }

    /// An integer that a scalar may be equal to.
    fn item(&mut self, rng: &mut ChaCha8Rng) -> String {
        let text = self.int(rng);
        self.ints.extend(text.parse::<i64>().ok());
        text
    }

    /// A string that a scalar may be equal to.
    fn word(&mut self, rng: &mut ChaCha8Rng) -> String {
        let text = self.string(rng);
        self.strings.push(text.trim_matches('\'').to_owned());
        text
    }

    fn any(&mut self, rng: &mut ChaCha8Rng) -> String {
        match rng.random_range(0..8) {
            0..=2 => self.item(rng),
            3..=5 => self.word(rng),
            6 => self.float(rng),
            _ => ["None", "True", "False"][rng.random_range(0..3)].to_owned(),
        }
    }

    fn pair(&mut self, rng: &mut ChaCha8Rng) -> String {
        format!("({}, {})", self.small(rng), self.small(rng))
    }

    fn many(
        &mut self,
        brackets: &str,
        rng: &mut ChaCha8Rng,
        item: impl Fn(&mut Self, &mut ChaCha8Rng) -> String,
    ) -> String {
        let items: Vec<String> = (0..size(rng)).map(|_| item(self, rng)).collect();
        // An index into it.
        self.ints.extend(
            i64::try_from(items.len())
                .ok()
                .and_then(|n| n.checked_sub(1))
                .filter(|n| *n >= 0),
        );
        let (open, close) = brackets.split_at(1);
        let comma = if items.len() == 1 && open == "(" {
            ","
        } else {
            ""
        };
        format!("{open}{}{comma}{close}", items.join(", "))
    }

    fn distinct(
        &mut self,
        rng: &mut ChaCha8Rng,
        item: impl Fn(&mut Self, &mut ChaCha8Rng) -> String,
    ) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        for _ in 0..size(rng).max(1) {
            let new = item(self, rng);
            if !items.contains(&new) {
                items.push(new);
            }
        }
        items
    }

    fn set(
        &mut self,
        rng: &mut ChaCha8Rng,
        item: impl Fn(&mut Self, &mut ChaCha8Rng) -> String,
    ) -> String {
        format!("{{{}}}", self.distinct(rng, item).join(", "))
    }

    fn dict(
        &mut self,
        rng: &mut ChaCha8Rng,
        key: impl Fn(&mut Self, &mut ChaCha8Rng) -> String,
        value: impl Fn(&mut Self, &mut ChaCha8Rng) -> String,
    ) -> String {
        let keys = if size(rng) == 0 {
            Vec::new()
        } else {
            self.distinct(rng, key)
        };
        let items: Vec<String> = keys
            .into_iter()
            .map(|k| format!("{k}: {}", value(self, rng)))
            .collect();
        format!("{{{}}}", items.join(", "))
    }
}

impl<'a> Visitor<'a> for Fuzzer {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::StringLiteral(text) => {
                let text = text.value.to_str();
                let plain = |c: char| (c.is_ascii_graphic() || c == ' ') && !"'\\%{}".contains(c);
                if text.len() <= 16 && text.chars().all(plain) {
                    self.strings.push(text.to_owned());
                }
            }
            Expr::NumberLiteral(number) => {
                if let Number::Int(value) = &number.value {
                    self.ints
                        .extend(value.as_i64().filter(|n| n.abs() <= 1_000_000));
                }
            }
            _ => walk_expr(self, expr),
        }
    }
}

const WORDS: [&str; 24] = [
    "a", "b", "abc", "hello", "world", "test", "key", "name", "cat", "dog", "red", "xyz", "Yes",
    "No", "abba", "foo", "bar", "A", "B1", "12", "7", "one two", "a b c", "",
];

fn size(rng: &mut ChaCha8Rng) -> usize {
    match rng.random_range(0..24) {
        0 | 1 => 0,
        2..=17 => rng.random_range(1..=4),
        18..=22 => rng.random_range(5..=8),
        _ => rng.random_range(9..=16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn every_type_gives_a_python_literal() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (at, ty) in TYPES.into_iter().enumerate() {
            assert_eq!(ty.contains('_'), at >= SCALARS, "{ty}");
            for _ in 0..200 {
                let text = Fuzzer::for_statement("x = y['it'] + 3")
                    .literal(ty, &mut rng)
                    .unwrap();
                assert!(
                    ruff_python_parser::parse_expression(&text).is_ok(),
                    "{ty}: {text}"
                );
            }
        }
        assert_eq!(Fuzzer::default().literal("frob", &mut rng), None);
    }

    #[test]
    fn a_key_is_often_one_of_the_dictionarys_and_a_string_the_one_compared_with() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let types = ["str", "dict_str_int"].map(str::to_owned);
        let (mut keys, mut equal) = (0, 0);
        for _ in 0..300 {
            let drawn = Fuzzer::for_statement("x = d[k]")
                .literals(&types, &mut rng)
                .unwrap();
            keys += usize::from(drawn[1].contains(&format!("{}:", drawn[0])));
            let drawn = Fuzzer::for_statement("if k == 'mode':")
                .literals(&types[..1], &mut rng)
                .unwrap();
            equal += usize::from(drawn[0] == "'mode'");
        }
        assert!(keys > 50 && keys < 250, "{keys}");
        assert!(equal > 50 && equal < 250, "{equal}");
    }
}
