//! The features of a place for the linear classifier: the name and its words, the adjacent words,
//! the nearby words, the enclosing code, other uses of the name in the same piece of code, and the
//! uses of the value that the syntax shows.

use std::hash::Hasher;

use fnv::FnvHasher;

use super::super::excerpt::{first_characters, last_characters};
use super::super::predictors::weigh;
use super::Query;
use crate::analysis::uses::Literal;
use crate::analysis::{Kind, Uses};

/// Words before and after a place that count without their position.
const NEAR: (usize, usize) = (25, 20);
/// Words next to a place that count with their distance.
const NEXT: usize = 5;

/// Returns the features of a place as hashes, sorted and unique.
pub(super) fn features(query: &Query<'_>) -> Vec<u32> {
    let mut found = Features {
        kind: query.kind.as_str(),
        hashes: Vec::with_capacity(200),
    };
    let before = words(last_characters(query.before));
    let after = words(first_characters(query.after));
    let parts = parts(query.name);
    found.of_name(query.name, &parts);
    let last = parts.last().map_or(query.name, String::as_str);
    found.of_neighbours(query.name, last, &before, &after);
    found.of_other_uses(query.name, &before);
    found.of_other_uses(query.name, &after);
    found.of_name_pieces(query.name);
    found.of_surroundings(query.name, last, &before);
    if query.kind == Kind::Call {
        found.of_call(last, &after);
    }
    found.of_both_sides(query.name, &before);
    found.of_both_sides(query.name, &after);
    if let Some(uses) = query.uses {
        found.of_uses(uses);
    }
    found.hashes.sort_unstable();
    found.hashes.dedup();
    found.hashes
}

/// Collects features.
struct Features<'a> {
    kind: &'a str,
    hashes: Vec<u32>,
}

impl Features<'_> {
    /// Adds a feature with a name and texts.
    fn add(&mut self, name: &str, texts: &[&str]) {
        let mut hasher = FnvHasher::default();
        hasher.write(name.as_bytes());
        for text in texts {
            hasher.write_u8(0);
            hasher.write(text.as_bytes());
        }
        // The high bits of a product mix best (Knuth's multiplicative hashing).
        let mixed = hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.hashes.push((mixed >> 32) as u32);
    }

    /// Adds a feature that depends on the kind of the place.
    fn of_kind(&mut self, name: &str, texts: &[&str]) {
        let kind = self.kind;
        let mut all = vec![kind];
        all.extend(texts);
        self.add(name, &all);
    }

    fn of_name(&mut self, name: &str, parts: &[String]) {
        self.of_kind("kind", &[]);
        self.of_kind("name", &[name]);
        for part in parts {
            self.of_kind("part", &[part]);
        }
        if let ([first, _, ..], [.., before_last, last]) = (parts, parts) {
            self.of_kind("first", &[first]);
            self.of_kind("two", &[before_last, last]);
        }
        if let Some(last) = parts.last() {
            self.of_kind("last", &[last]);
        }
        let lower = name.to_lowercase();
        let third = lower
            .char_indices()
            .nth(3)
            .map_or(lower.len(), |(at, _)| at);
        self.of_kind("begins", &[&lower[..third]]);
        let third = lower.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
        self.of_kind("ends", &[&lower[third..]]);
        let has_lower = name.chars().any(char::is_lowercase);
        if !has_lower {
            self.of_kind("constant", &[]);
        } else if name.starts_with(char::is_uppercase) {
            self.of_kind("class", &[]);
        }
    }

    fn of_neighbours(&mut self, name: &str, last: &str, before: &[&str], after: &[&str]) {
        let b = |at: usize| before.len().checked_sub(at).map_or("", |at| before[at]);
        let a = |at: usize| after.get(at - 1).copied().unwrap_or("");
        for at in 1..=NEXT {
            let place = ["", "1", "2", "3", "4", "5"][at];
            self.of_kind("before", &[place, b(at)]);
            self.of_kind("after", &[place, a(at)]);
        }
        self.of_kind("b2", &[b(2), b(1)]);
        self.of_kind("b3", &[b(3), b(2), b(1)]);
        self.add("b4", &[b(4), b(3), b(2), b(1)]);
        self.of_kind("a2", &[a(1), a(2)]);
        self.of_kind("a3", &[a(1), a(2), a(3)]);
        self.add("a4", &[a(1), a(2), a(3), a(4)]);
        self.of_kind("b1a1", &[b(1), a(1)]);
        self.of_kind("b2a1", &[b(2), b(1), a(1)]);
        self.of_kind("b1a2", &[b(1), a(1), a(2)]);
        self.of_kind("last a1", &[last, a(1)]);
        self.of_kind("last a2", &[last, a(1), a(2)]);
        self.of_kind("last b1", &[last, b(1)]);
        self.add("name a1", &[name, a(1)]);
        self.add("name b2", &[name, b(2), b(1)]);
        for word in before.iter().rev().take(NEAR.0) {
            self.add("near before", &[word]);
        }
        for word in after.iter().take(NEAR.1) {
            self.add("near after", &[word]);
        }
    }

    /// Other uses of the same name: the words after it, assignments to it, its annotation.
    fn of_other_uses(&mut self, name: &str, words: &[&str]) {
        let at = |index: Option<usize>| index.and_then(|i| words.get(i)).copied().unwrap_or("");
        for (i, _) in words.iter().enumerate().filter(|(_, word)| **word == name) {
            let (next, second) = (at(Some(i + 1)), at(Some(i + 2)));
            let (previous, earlier) = (at(i.checked_sub(1)), at(i.checked_sub(2)));
            self.add("use1", &[next]);
            self.add("use2", &[next, second]);
            self.add("led1", &[previous]);
            self.add("led2", &[earlier, previous]);
            if matches!(next, "=" | ":" | ".") {
                self.add("set1", &[next, second]);
                self.add("set2", &[next, second, at(Some(i + 3))]);
            }
        }
    }

    /// Substrings of four characters of the name.
    fn of_name_pieces(&mut self, name: &str) {
        let marked: Vec<char> = std::iter::once('^')
            .chain(name.chars().take(40).flat_map(char::to_lowercase))
            .chain(['$'])
            .collect();
        for piece in marked.windows(4) {
            let piece: String = piece.iter().collect();
            self.of_kind("piece", &[&piece]);
        }
    }

    /// The enclosing code: the statement, the call and its argument, the assignment target, the
    /// function and the class.
    fn of_surroundings(&mut self, name: &str, last: &str, before: &[&str]) {
        let line = before.iter().rposition(|word| *word == "\n");
        let line = &before[line.map_or(0, |at| at + 1)..];
        let statement = line.first().copied().unwrap_or("");
        self.of_kind("statement", &[statement]);
        self.of_kind("statement last", &[statement, last]);
        let function = before.windows(2).rev().find(|two| two[0] == "def");
        let function = function.map_or("", |two| two[1]);
        let class = before.windows(2).rev().find(|two| two[0] == "class");
        if let Some(two) = class {
            self.of_kind("in class", &[two[1]]);
        }
        if !function.is_empty() {
            self.of_kind("in function", &[function]);
            self.of_kind("in function last", &[function, last]);
            for part in parts(function) {
                self.of_kind("in function part", &[&part]);
                if statement == "return" && line.len() == 1 {
                    self.of_kind("returned from", &[&part]);
                }
            }
        }
        let (opened, argument) = opened(before);
        if let Some(at) = opened {
            let of = at.checked_sub(1).map_or("", |at| before[at]);
            let place = ["0", "1", "2", "3", "more"][argument.min(4)];
            self.of_kind("opened", &[before[at], place]);
            self.of_kind("argument", &[before[at], of]);
            self.of_kind("argument at", &[before[at], of, place]);
            self.of_kind("argument last", &[of, last]);
        }
        let mut target = before;
        // Up to the receiver.
        while let [rest @ .., _, "."] = target {
            target = rest;
        }
        if let [.., earlier, receiver, "."] = before {
            self.of_kind("receiver", &[receiver, name]);
            self.of_kind("receiver last", &[receiver, last]);
            for part in parts(receiver) {
                self.of_kind("receiver part", &[&part, name]);
                self.of_kind("receiver part", &[&part]);
            }
            self.of_kind("receiver of", &[earlier, receiver]);
        }
        if let [.., target, "="] = target {
            let how = if opened.is_some() { "keyword" } else { "set" };
            self.of_kind("into", &[how, target]);
            self.of_kind("into last", &[how, target, last]);
            for part in parts(target) {
                self.of_kind("into part", &[how, &part]);
            }
        }
    }

    /// The rest of a call: its arguments, and the words after it.
    fn of_call(&mut self, last: &str, after: &[&str]) {
        let mut depth = 0usize;
        let mut arguments = 0;
        for (at, word) in after.iter().enumerate() {
            match *word {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth <= 1 => {
                    let then = |n: usize| after.get(at + n).copied().unwrap_or("");
                    self.add("then1", &[then(1)]);
                    self.add("then2", &[then(1), then(2)]);
                    self.add("then3", &[then(1), then(2), then(3)]);
                    self.add("then last", &[last, then(1)]);
                    let arguments = if at == 1 { 0 } else { arguments + 1 };
                    let count = ["0", "1", "2", "3", "more"][arguments.min(4)];
                    self.add("arguments", &[count]);
                    self.add("arguments last", &[last, count]);
                    return;
                }
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 1 => arguments += 1,
                _ => {}
            }
        }
    }

    /// Other uses of the same name, with the words on both sides.
    fn of_both_sides(&mut self, name: &str, words: &[&str]) {
        let at = |index: Option<usize>| index.and_then(|i| words.get(i)).copied().unwrap_or("");
        for (i, _) in words.iter().enumerate().filter(|(_, word)| **word == name) {
            let (next, second) = (at(Some(i + 1)), at(Some(i + 2)));
            let (previous, earlier) = (at(i.checked_sub(1)), at(i.checked_sub(2)));
            self.add("around1", &[previous, next]);
            self.add("around2", &[earlier, previous, next, second]);
            if next == ":" || next == "=" {
                self.add("set3", &[next, second, at(Some(i + 3)), at(Some(i + 4))]);
            }
        }
    }

    /// The uses that the syntax shows.
    fn of_uses(&mut self, uses: &Uses) {
        if let Some((class, sure)) = weigh(uses) {
            let sure = if sure >= 0.8 { "clear" } else { "likely" };
            self.add("weighed", &[class.as_str(), sure]);
            self.of_kind("weighed", &[class.as_str(), sure]);
        }
        let flags = [
            ("called", uses.called),
            ("exception", uses.exception),
            ("base", uses.base),
            ("entered", uses.entered),
            ("iterated", uses.iterated),
            ("starred", uses.starred),
            ("keywords", uses.keywords),
            ("sized", uses.sized),
            ("multi", uses.multi),
            ("sliced", uses.sliced),
            ("looked up", uses.looked_up),
            ("arithmetic", uses.arithmetic),
            ("joined", uses.joined),
            ("extended", uses.extended),
            ("operated", uses.operated),
            ("set when missing", uses.set_when_missing),
            ("keys", !uses.keys.is_empty()),
            ("indexed", uses.indexed.is_some()),
            ("unpacked", uses.unpacked.is_some()),
            ("none", uses.none == Some(true)),
            ("not none", uses.none == Some(false)),
            ("true", uses.truth == Some(true)),
            ("false", uses.truth == Some(false)),
        ];
        for (flag, _) in flags.iter().filter(|(_, is)| *is) {
            self.add("use", &[flag]);
        }
        for attribute in uses.attributes.iter().take(NEAR.0) {
            let called = if uses.methods.contains(attribute) {
                "()"
            } else {
                ""
            };
            self.add("asked for", &[attribute, called]);
        }
        for (function, place) in uses.handed_to.iter().take(NEAR.0) {
            self.add(
                "handed to",
                &[function, if *place == 0 { "first" } else { "" }],
            );
        }
        for comparison in uses.comparisons.iter().take(NEXT) {
            let literal = match &comparison.literal {
                Literal::Text(text) if text.is_empty() => "''",
                Literal::Text(_) => "text",
                Literal::Int(0) => "0",
                Literal::Int(_) => "int",
                Literal::Float(_) => "float",
                Literal::Bool(true) => "True",
                Literal::Bool(false) => "False",
            };
            let length = if comparison.length { "length" } else { "" };
            let wanted = if comparison.wanted { "wanted" } else { "" };
            self.add("compared", &[literal, length]);
            self.add("compared", &[&comparison.operator, literal, length, wanted]);
        }
        for (kind, wanted) in uses.instance_of.iter().take(NEXT) {
            self.add("instance of", &[kind, if *wanted { "wanted" } else { "" }]);
        }
    }
}

/// Returns the bracket that is open at the end of the words, and the number of commas after it.
fn opened(words: &[&str]) -> (Option<usize>, usize) {
    let (mut depth, mut commas) = (0usize, 0);
    for (at, word) in words.iter().enumerate().rev() {
        match *word {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth == 0 => return (Some(at), commas),
            "(" | "[" | "{" => depth -= 1,
            "," if depth == 0 => commas += 1,
            "def" | "class" | "return" if depth == 0 => return (None, 0),
            _ => {}
        }
    }
    (None, 0)
}

/// Splits text into identifiers, numbers (all as `0`), line breaks, and every other character
/// except blanks.
fn words(text: &str) -> Vec<&str> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::with_capacity(text.len() / 3);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = match is_of_name(c) {
            true => rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()),
            false => c.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        if c.is_ascii_digit() {
            words.push("0");
        } else if c == '\n' || !c.is_whitespace() {
            words.push(word);
        }
        rest = behind;
    }
    words
}

/// Returns the words of a name in lower case: `HTTPServer_2` has `http`, `server` and `2`.
fn parts(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut parts: Vec<String> = Vec::new();
    let mut is_inside = false;
    for (i, c) in characters.iter().enumerate() {
        if !c.is_alphanumeric() {
            is_inside = false;
            continue;
        }
        let previous = i.checked_sub(1).map_or('_', |i| characters[i]);
        let ends_capitals = previous.is_uppercase()
            && c.is_uppercase()
            && characters
                .get(i + 1)
                .is_some_and(|next| next.is_lowercase());
        let begins = !is_inside
            || (c.is_uppercase() && !previous.is_uppercase())
            || ends_capitals
            || c.is_numeric() != previous.is_numeric();
        match parts.last_mut() {
            Some(part) if !begins => part.extend(c.to_lowercase()),
            _ => parts.push(c.to_lowercase().collect()),
        }
        is_inside = true;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Kind;

    #[test]
    fn names_have_words_and_code_has_tokens() {
        assert_eq!(parts("HTTPServer_2"), ["http", "server", "2"]);
        assert_eq!(parts("__is_ok"), ["is", "ok"]);
        assert_eq!(parts("maxItemCount"), ["max", "item", "count"]);
        assert_eq!(
            words("a1 = 12.5\n# é"),
            ["a1", "=", "0", ".", "0", "\n", "#", "é"]
        );
    }

    #[test]
    fn a_place_has_the_same_features_each_time_and_each_kind_its_own() {
        let query = Query {
            name: "count",
            kind: Kind::Name,
            before: "if x:\n    count: int = 1\n    return ",
            after: " + 1",
            uses: None,
        };
        let found = features(&query);
        assert!(found.len() > 40 && found.is_sorted());
        assert_eq!(found, features(&query));
        let kind = Kind::Call;
        assert_ne!(found, features(&Query { kind, ..query }));
        let nothing = Query {
            name: "",
            before: "",
            after: "",
            ..query
        };
        assert!(!features(&nothing).is_empty());
    }
}
