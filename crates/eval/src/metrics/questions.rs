//! Share of the planner's questions that a checkpoint answers exactly, by operation.

use std::collections::BTreeMap;

use serde::Serialize;

use super::calibration::Reliability;

/// A question, the expected answer and the actual one.
#[derive(Debug, Clone)]
pub struct Answered<'r> {
    /// The question as a line of code.
    pub code: &'r str,
    /// The true answer, without blanks between words.
    pub truth: String,
    /// The answer, without blanks between words. `None` if there is none.
    pub answer: Option<String>,
    /// Its probability.
    pub confidence: f64,
    /// Whether the same question was trained on.
    pub seen: bool,
}

/// Questions of one operation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Operation {
    /// Its name, as `append` or `+=`.
    pub name: String,
    /// Questions.
    pub questions: usize,
    /// Answered exactly.
    pub exact: usize,
    /// A question that was answered wrongly, with the answer and the truth.
    pub example: Option<[String; 3]>,
}

/// A checkpoint's results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// Questions.
    pub questions: usize,
    /// Answered exactly: every word of the target.
    pub exact: usize,
    /// Questions that were not trained on, as far as is known.
    pub unseen: usize,
    /// Number answered exactly.
    pub unseen_exact: usize,
    /// By operation, those with most wrong answers first.
    pub operations: Vec<Operation>,
    /// Calibration of the answers' probabilities.
    pub calibration: Reliability,
}

/// Scores answers.
pub fn score(answers: &[Answered<'_>]) -> Scores {
    let mut operations: BTreeMap<String, Operation> = BTreeMap::new();
    let (mut exact, mut unseen, mut unseen_exact) = (0, 0, 0);
    for answered in answers {
        let right = answered.answer.as_ref() == Some(&answered.truth);
        if !answered.seen {
            unseen += 1;
            unseen_exact += usize::from(right);
        }
        let name = operation(answered.code);
        let row = operations.entry(name.clone()).or_default();
        row.name = name;
        row.questions += 1;
        if right {
            exact += 1;
            row.exact += 1;
        } else if row.example.is_none() {
            let answer = answered.answer.clone().unwrap_or_default();
            row.example = Some([answered.code.to_owned(), answer, answered.truth.clone()]);
        }
    }
    let mut operations: Vec<Operation> = operations.into_values().collect();
    operations.sort_by_key(|row| {
        (
            std::cmp::Reverse(row.questions - row.exact),
            row.name.clone(),
        )
    });
    let predictions = answers.iter().map(|answered| {
        let right = answered.answer.as_ref() == Some(&answered.truth);
        (answered.confidence, right)
    });
    Scores {
        questions: answers.len(),
        exact,
        unseen,
        unseen_exact,
        operations,
        calibration: Reliability::new("answers", predictions),
    }
}

/// The operation of a question by its code: the called function or method, or the operator.
fn operation(code: &str) -> String {
    if let Some(call) = code.strip_suffix(')')
        && let Some(open) = opening(call)
    {
        let name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let before = &code[..open];
        let from = before.trim_end_matches(name).len();
        let name = before[from..].trim_start_matches('.');
        if !name.is_empty() {
            return name.to_owned();
        }
    }
    let words = [
        " //= ", " **= ", " += ", " -= ", " *= ", " /= ", " %= ", " |= ", " &= ", " == ", " != ",
        " <= ", " >= ", " < ", " > ", " in ", " // ", " ** ", " + ", " - ", " * ", " / ", " % ",
        " | ", " & ", " ^ ", " << ", " >> ",
    ];
    if let Some(word) = words.iter().find(|word| outside(code, word)) {
        return word.trim().to_owned();
    }
    match (code.starts_with("del "), outside(code, " = ")) {
        (true, _) => "del []",
        (_, true) => "[] =",
        _ if code.ends_with(']') => "[]",
        _ if is_difference(code) => "-",
        _ => "other",
    }
    .to_owned()
}

/// Whether this is a difference of two numbers, written without blanks: `10-5`, `0--1`, `(-1)-5`.
fn is_difference(code: &str) -> bool {
    let number = |text: &str| {
        let text = text
            .strip_prefix('(')
            .and_then(|t| t.strip_suffix(')'))
            .unwrap_or(text);
        let text = text.strip_prefix('-').unwrap_or(text);
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || "*+.e".contains(c))
    };
    let signs = code.match_indices('-');
    signs
        .into_iter()
        .any(|(at, _)| at > 0 && number(&code[..at]) && number(&code[at + 1..]))
}

/// Where the bracket opens that the end of this text closes.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => return Some(at),
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a word is outside of brackets and strings.
fn outside(code: &str, word: &str) -> bool {
    let (mut depth, mut quote) = (0, None);
    for (at, c) in code.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) if depth == 0 && code[at..].starts_with(word) => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_told_by_what_is_called_or_by_the_operator() {
        let cases = [
            ("[4, 1].append((2, 3))", "append"),
            ("math.gcd(2, -3)", "math.gcd"),
            ("max([1, 2], key=len)", "max"),
            ("[1] += [2]", "+="),
            ("'a < b'.split(' ')", "split"),
            ("[1, 2] < (3)", "<"),
            ("'a'[0]", "[]"),
            ("[1][0] = 3", "[] ="),
            ("del {1: 2}[1]", "del []"),
            ("3 in [1, 2]", "in"),
            ("10-5", "-"),
            ("(-1)-10**6", "-"),
            ("0--1", "-"),
            ("-1", "other"),
        ];
        for (code, name) in cases {
            assert_eq!(operation(code), name, "{code}");
        }
    }

    #[test]
    fn wrong_answers_are_counted_by_operation() {
        let answered = |code, truth: &str, answer: &str, confidence| Answered {
            code,
            truth: truth.to_owned(),
            answer: Some(answer.to_owned()),
            confidence,
            seen: code == "abs(-3)",
        };
        let scores = score(&[
            answered("abs(-3)", "3", "3", 0.9),
            answered("abs(-4)", "4", "5", 0.6),
            answered("len('ab')", "2", "2", 1.0),
        ]);
        assert_eq!((scores.questions, scores.exact), (3, 2));
        assert_eq!((scores.unseen, scores.unseen_exact), (2, 1));
        assert_eq!(scores.operations[0].name, "abs");
        assert_eq!(scores.operations[0].exact, 1);
        let example = scores.operations[0].example.as_ref().unwrap();
        assert_eq!(example[1], "5");
    }
}
