//! Refinements in which a repeated question to a stand-in gets alternating answers, or one that is
//! not a truth value.

use crate::prefix::draft::{Draft, Value};
use crate::prefix::search_tree::Tried;

/// Most answers noted per question and line.
const MOST_SAID: usize = 8;
/// Turns before and after an answer changes.
const MOST_TURNS: usize = 12;
/// Number of questions that get other answers.
const MOST_QUESTIONS: usize = 3;

/// Makes the lengths alternate of a value that is unpacked into different numbers of targets.
pub(super) fn counts_in_turn(draft: &Draft, path: &str, count: i64) -> Vec<Draft> {
    let question = format!("{path} len");
    let said = match (draft.answers.get(&question), draft.value(path)) {
        (Some(said), _) => said.clone(),
        (None, Value::Tuple(items) | Value::List(items)) => vec![items.len() as i64],
        _ => return Vec::new(),
    };
    let turns = [
        [&said[..], &[count]].concat(),
        [&[count], &said[..]].concat(),
    ];
    let one = |turns| {
        let mut one = draft.clone();
        one.set(path, Value::StandIn);
        one.answers.insert(question.clone(), turns);
        one
    };
    turns.into_iter().map(one).collect()
}

/// Changes the answer to a question from this line on; its earlier answers stay.
pub(super) fn answers_in_turn(draft: &Draft, tried: &Tried, line: u32) -> Vec<Draft> {
    let mut found = Vec::new();
    let here = tried.asked.iter().filter(|a| a.line == line);
    for asked in here.filter(|a| a.what.contains(' ')) {
        let Some(&last) = asked.said.last() else {
            continue;
        };
        let same = tried.asked.iter().filter(|a| a.what == asked.what);
        let before = same.clone().map(|a| a.said.len()).sum::<usize>() - 1;
        let is_truth = |a: &codexec_data::sandbox::Asked| a.said.iter().all(|n| matches!(n, 0 | 1));
        let known = |a: &codexec_data::sandbox::Asked| is_truth(a) && a.said.len() < MOST_SAID;
        if before == 0 || before > MOST_TURNS || !same.clone().all(known) {
            continue;
        }
        let said = draft.answers.get(&asked.what);
        let said = said.map_or(&[1][..], Vec::as_slice);
        let mut turns: Vec<i64> = said.iter().copied().cycle().take(before).collect();
        turns.extend([1 - last].repeat(MOST_TURNS));
        let mut one = draft.clone();
        one.answers.insert(asked.what.clone(), turns);
        found.push(one);
    }
    found
}

/// Makes a comparison up to this line return no truth value, as arrays do element by element.
pub(super) fn by_elements(draft: &Draft, tried: &Tried, line: u32) -> Vec<Draft> {
    let mut compared: Vec<&str> = Vec::new();
    for asked in tried.asked.iter().rev().filter(|a| a.line <= line) {
        let question = asked.what.split_once(' ').map_or("", |(_, q)| q);
        let is_sign = question.starts_with(['=', '!', '<', '>']);
        if is_sign && !compared.contains(&asked.what.as_str()) {
            compared.push(&asked.what);
        }
    }
    let one = |what: &str| {
        let mut one = draft.clone();
        one.answers.remove(what);
        let value = Value::StandInAt(what.to_owned());
        one.values.insert(what.to_owned(), value);
        one
    };
    compared.into_iter().take(MOST_QUESTIONS).map(one).collect()
}
