//! Values that may keep an injected call from a `KeyError` or an `IndexError`: those that the function names itself,
//! dicts that have the other arguments or anything for keys, and longer sequences.

use codexec_data::syntax::with_parsed;
use ruff_python_ast::Expr;
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_text_size::Ranged;

/// Literals of a function that are tried.
const MOST_LITERALS: usize = 6;
/// Maximum calls of one function with other values.
const MOST: usize = 40;
/// Dicts that have every key.
const ANY_KEY: [&str; 3] = [
    "__import__('collections').defaultdict(lambda: 'a')",
    "__import__('collections').defaultdict(int)",
    "__import__('collections').defaultdict(list)",
];
/// Length of longer sequences.
const LONGER: usize = 10;

/// Strings and whole numbers in a definition, as written, each once.
pub(super) fn literals(definition: &str) -> Vec<String> {
    struct Literals<'s>(&'s str, Vec<String>);
    impl Visitor<'_> for Literals<'_> {
        fn visit_expr(&mut self, expr: &Expr) {
            let is_literal = match expr {
                Expr::StringLiteral(text) => text.value.iter().count() == 1,
                Expr::NumberLiteral(number) => number.value.is_int(),
                _ => false,
            };
            let text = &self.0[expr.range().to_std_range()];
            let is_new = |found: &[String]| !found.iter().any(|known| known == text);
            if is_literal && !text.contains('\n') && is_new(&self.1) && self.1.len() < MOST_LITERALS
            {
                self.1.push(text.to_owned());
            }
            walk_expr(self, expr);
        }
    }
    with_parsed(definition, |parsed| {
        let mut all = Literals(definition, Vec::new());
        all.visit_body(parsed.suite());
        all.1
    })
    .unwrap_or_default()
}

/// Bindings of the same names to other values. `values` are names and expressions, `literals` those of the function.
pub(super) fn bindings_to_values(
    values: &[(String, String)],
    literals: &[String],
) -> Vec<Vec<(String, String)>> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(usize, &str) -> Option<String>| {
        let changed = |(at, (name, value)): (usize, &(String, String))| {
            let other = change(at, value).unwrap_or_else(|| value.clone());
            (name.clone(), other)
        };
        let one: Vec<(String, String)> = values.iter().enumerate().map(changed).collect();
        if one != values && !all.contains(&one) && all.len() < MOST {
            all.push(one);
        }
    };
    add(&|_, value| longer(value));
    for made in ANY_KEY {
        add(&|_, value| is_dict(value).then(|| made.to_owned()));
    }
    let others = values.iter().map(|(_, value)| value);
    let keys: Vec<&String> = others.chain(literals).collect();
    for key in &keys {
        for held in [
            "1".to_owned(),
            (*key).clone(),
            format!("[{key}]"),
            format!("{{{key}: 1}}"),
        ] {
            add(&|_, value| {
                (is_dict(value) && value != *key).then(|| format!("{{{key}: {held}}}"))
            });
        }
    }
    for literal in literals {
        add(&|_, value| same_type(value, literal).then(|| literal.clone()));
        for place in 0..values.len() {
            add(&|at, _| (at == place).then(|| literal.clone()));
        }
    }
    all
}

/// A sequence with more elements.
fn longer(value: &str) -> Option<String> {
    let is_sequence = value.starts_with(['[', '"', '\'', '(']);
    is_sequence.then(|| format!("{value} * {LONGER}"))
}

fn is_dict(value: &str) -> bool {
    value.starts_with('{')
}

fn same_type(value: &str, literal: &str) -> bool {
    let is_text = |text: &str| text.starts_with(['"', '\'']);
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    is_text(value) && is_text(literal) || is_number(value) && is_number(literal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_once() {
        let found = literals("def f(x):\n    return {'r': 0, \"g\": 10}[x] + 0.5 + 10\n");
        assert_eq!(found, ["'r'", "0", "\"g\"", "10"]);
    }

    #[test]
    fn dicts_get_keys_and_sequences_grow() {
        let values = [("d", "{}"), ("k", "\"a\""), ("xs", "[1, 2]")];
        let values = values.map(|(n, v)| (n.to_owned(), v.to_owned()));
        let all = bindings_to_values(&values, &["'r'".to_owned()]);
        let shown = |one: &Vec<(String, String)>| {
            one.iter()
                .map(|(_, v)| v.as_str())
                .collect::<Vec<_>>()
                .join(" ; ")
        };
        let all: Vec<String> = all.iter().map(shown).collect();
        assert!(all.contains(&"{} ; \"a\" * 10 ; [1, 2] * 10".to_owned()));
        assert!(all.contains(&"{\"a\": 1} ; \"a\" ; [1, 2]".to_owned()));
        assert!(all.contains(&"{} ; 'r' ; [1, 2]".to_owned()));
    }
}
