//! Random values of a named type, as Python literals.
//!
//! Sizes and magnitudes are spread: mostly small, sometimes large, because programs are so too.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A literal of the type, or `None` for a type that is not known.
///
/// Types: `int`, `float`, `bool`, `str`, `list_int`, `list_str`, `list_list_int`, `list_pair`,
/// `tuple_int`, `set_int`, `set_str`, `dict_int_int`, `dict_str_int`, `dict_str_str`,
/// `dict_str_list`.
pub fn literal(ty: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    Some(match ty {
        "int" => int(rng),
        "float" => float(rng),
        "bool" => if rng.random() { "True" } else { "False" }.to_owned(),
        "str" => string(rng),
        "list_int" => many("[", "]", rng, int),
        "list_str" => many("[", "]", rng, string),
        "list_list_int" => many("[", "]", rng, |rng| many("[", "]", rng, small)),
        "list_pair" => many("[", "]", rng, |rng| {
            format!("({}, {})", small(rng), small(rng))
        }),
        "tuple_int" => format!("({}, {})", int(rng), many("", "", rng, int)).replace(", )", ",)"),
        "set_int" => format!("{{{}}}", distinct(rng, int).join(", ")),
        "set_str" => format!("{{{}}}", distinct(rng, string).join(", ")),
        "dict_int_int" => dict(rng, small, int),
        "dict_str_int" => dict(rng, string, int),
        "dict_str_str" => dict(rng, string, string),
        "dict_str_list" => dict(rng, string, |rng| many("[", "]", rng, small)),
        _ => return None,
    })
}

fn small(rng: &mut ChaCha8Rng) -> String {
    rng.random_range(-3..=12).to_string()
}

fn int(rng: &mut ChaCha8Rng) -> String {
    let value: i64 = match rng.random_range(0..20) {
        0..=8 => rng.random_range(0..=10),
        9..=11 => rng.random_range(-10..=30),
        12..=16 => rng.random_range(-100..=200),
        17..=18 => rng.random_range(-1000..=2000),
        _ => rng.random_range(-100_000..=1_000_000),
    };
    value.to_string()
}

fn float(rng: &mut ChaCha8Rng) -> String {
    let value: f64 = rng.random_range(-50.0..150.0);
    match rng.random_range(0..3) {
        0 => format!("{value:.1}"),
        1 => format!("{value:.2}"),
        _ => format!("{:.1}", value / 10.0),
    }
}

const WORDS: [&str; 24] = [
    "a", "b", "abc", "hello", "world", "test", "key", "name", "cat", "dog", "red", "xyz", "Yes",
    "No", "abba", "foo", "bar", "A", "B1", "12", "7", "one two", "a b c", "",
];

fn string(rng: &mut ChaCha8Rng) -> String {
    if rng.random_bool(0.5) {
        return format!("'{}'", WORDS[rng.random_range(0..WORDS.len())]);
    }
    let length = rng.random_range(1..=7);
    let letters = if rng.random_bool(0.4) {
        b"abc".as_slice()
    } else {
        b"abcdefghijklmnopqrstuvwxyz"
    };
    let text: String = (0..length)
        .map(|_| char::from(letters[rng.random_range(0..letters.len())]))
        .collect();
    format!("'{text}'")
}

fn size(rng: &mut ChaCha8Rng) -> usize {
    match rng.random_range(0..12) {
        0 => 0,
        1..=8 => rng.random_range(1..=4),
        _ => rng.random_range(5..=8),
    }
}

fn many(
    open: &str,
    close: &str,
    rng: &mut ChaCha8Rng,
    item: impl Fn(&mut ChaCha8Rng) -> String,
) -> String {
    let items: Vec<String> = (0..size(rng)).map(|_| item(rng)).collect();
    format!("{open}{}{close}", items.join(", "))
}

fn distinct(rng: &mut ChaCha8Rng, item: impl Fn(&mut ChaCha8Rng) -> String) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for _ in 0..size(rng).max(1) {
        let new = item(rng);
        if !items.contains(&new) {
            items.push(new);
        }
    }
    items
}

fn dict(
    rng: &mut ChaCha8Rng,
    key: impl Fn(&mut ChaCha8Rng) -> String,
    value: impl Fn(&mut ChaCha8Rng) -> String,
) -> String {
    let keys = if size(rng) == 0 {
        Vec::new()
    } else {
        distinct(rng, key)
    };
    let items: Vec<String> = keys
        .into_iter()
        .map(|k| format!("{k}: {}", value(rng)))
        .collect();
    format!("{{{}}}", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn every_type_gives_a_python_literal() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for ty in [
            "int",
            "float",
            "bool",
            "str",
            "list_int",
            "list_str",
            "list_list_int",
            "list_pair",
            "tuple_int",
            "set_int",
            "set_str",
            "dict_int_int",
            "dict_str_int",
            "dict_str_str",
            "dict_str_list",
        ] {
            for _ in 0..200 {
                let text = literal(ty, &mut rng).unwrap();
                assert!(
                    ruff_python_parser::parse_expression(&text).is_ok(),
                    "{ty}: {text}"
                );
            }
        }
        assert_eq!(literal("frob", &mut rng), None);
    }
}
