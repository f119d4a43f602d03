//! The notation of the files in `grammar/`: productions of a text, with random parts between `«` and `»`.
//!
//! | notation | what it becomes |
//! |---|---|
//! | `«int»` | a production of the section `[int]`, or a variable of that type |
//! | `«any*0..3»` | so many of them, with commas; of statements, so many on lines of their own |
//! | `«any;x:int»` | one in which `x` is a variable of that type |
//! | `«+¦-¦*»` | one of these texts, which may have random parts themselves |
//! | `«#-9..20»` | a number from one to the other |
//! | `$d`, `«$d:dict»` | a fresh name, the same in all of the production; from the next line on a variable of that type |
//! | `«var:list»` | a variable of that type; without one, another production is taken |
//! | `%let $f:fn` | alone on a line: from here on the name is a variable of that type |
//!
//! `[int]` begins a section of single-line productions, `[stmt 3: title]` one production of several lines with
//! its weight. Lines that begin with `# ` before a header are comments.

use std::collections::HashMap;

/// One part of a production.
#[derive(Debug)]
pub(super) enum Part {
    /// Literal text.
    Text(String),
    /// Productions of a section.
    Use {
        /// The section.
        name: String,
        /// Variables that only this part sees, and their types.
        locals: Vec<(String, String)>,
        /// Least and most.
        times: Option<(u64, u64)>,
    },
    /// A fresh name, and its type if it is a variable from the next line on.
    Fresh(String, Option<String>),
    /// A fresh name is a variable of a type.
    Let(String, String),
    /// A variable of a type.
    Variable(String),
    /// One of several.
    Choice(Vec<Vec<Part>>),
    /// A number between two.
    Number(i64, i64),
}

/// One alternative of a section.
#[derive(Debug)]
pub(super) struct Production {
    /// Its name in reports; empty in sections of lines.
    pub title: String,
    /// Its relative frequency.
    pub weight: u64,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// All sections by their names.
#[derive(Debug, Default)]
pub(super) struct Grammar(HashMap<String, Vec<Production>>);

/// Characters of a name.
fn is_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

impl Grammar {
    /// Adds the sections of a file.
    ///
    /// # Errors
    /// An error and its line.
    pub(super) fn add(&mut self, text: &str) -> Result<(), String> {
        let mut lines = text.lines().zip(1..).peekable();
        let (mut section, mut several): (String, Option<(String, u64)>) = (String::new(), None);
        while let Some((line, number)) = lines.next() {
            let wrong = |why: &str| format!("line {number}: {why}: {line}");
            if let Some(header) = header(line) {
                (section, several) = header;
                let Some((title, weight)) = &several else {
                    continue;
                };
                let mut body = Vec::new();
                while let Some((line, _)) = lines.next_if(|(line, _)| !ends_production(line)) {
                    body.push(line);
                }
                let parts = parse(&with_lets(&body)).map_err(|why| wrong(&why))?;
                let production = Production {
                    title: title.clone(),
                    weight: *weight,
                    parts,
                };
                self.0.entry(section.clone()).or_default().push(production);
            } else if !line.trim().is_empty() && !line.starts_with('#') {
                if section.is_empty() || several.is_some() {
                    return Err(wrong("a production outside a section"));
                }
                let production = Production {
                    title: String::new(),
                    weight: 1,
                    parts: parse(line).map_err(|why| wrong(&why))?,
                };
                self.0.entry(section.clone()).or_default().push(production);
            }
        }
        Ok(())
    }

    /// The productions of a section.
    pub(super) fn section(&self, name: &str) -> Option<&[Production]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Whether a section has productions of several lines.
    pub(super) fn has_blocks(&self, name: &str) -> bool {
        let productions = self.section(name).unwrap_or_default();
        productions.iter().any(|p| !p.title.is_empty())
    }

    /// Sections that productions use and that are not there.
    pub(super) fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let mut open: Vec<&Part> = self.0.values().flatten().flat_map(|p| &p.parts).collect();
        while let Some(part) = open.pop() {
            match part {
                Part::Use { name, .. } if !self.0.contains_key(name) => missing.push(name.clone()),
                Part::Choice(texts) => open.extend(texts.iter().flatten()),
                _ => {}
            }
        }
        missing.sort();
        missing.dedup();
        missing
    }
}

/// A section header: its name, and the title and weight of a production of several lines.
#[allow(clippy::type_complexity)] // Read in one place.
fn header(line: &str) -> Option<(String, Option<(String, u64)>)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    if let Some((name, title)) = inner.split_once(": ") {
        let (name, weight) = name.split_once(' ').unwrap_or((name, "1"));
        return Some((
            name.to_owned(),
            Some((title.to_owned(), weight.parse().ok()?)),
        ));
    }
    let plain = inner.chars().all(|c| is_name(c) || c == ' ');
    plain.then(|| (inner.to_owned(), None))
}

fn ends_production(line: &str) -> bool {
    line.trim().is_empty() || header(line).is_some() || line.starts_with("# ")
}

/// The lines of a production; a line `%let` becomes a part at the end of the line before.
fn with_lets(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        match line.strip_prefix("%let $") {
            Some(rest) => text.push_str(&format!("«!{rest}»")),
            None if text.is_empty() => text.push_str(line),
            None => text.push_str(&format!("\n{line}")),
        }
    }
    text
}

/// The parts of a text.
fn parse(text: &str) -> Result<Vec<Part>, String> {
    let (mut parts, mut plain) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let named = after.find(|c| !is_name(c)).unwrap_or(after.len());
        let part;
        (part, rest) = match c {
            '«' => {
                let (inner, after) = bracketed(after)?;
                (Some(special(inner)?), after)
            }
            '$' if named > 0 => (
                Some(Part::Fresh(after[..named].to_owned(), None)),
                &after[named..],
            ),
            _ => (None, after),
        };
        match part {
            Some(part) => {
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                parts.push(part);
            }
            None => plain.push(c),
        }
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Ok(parts)
}

/// The text before and after the `»` that matches a `«` before the text.
fn bracketed(text: &str) -> Result<(&str, &str), String> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '«' => depth += 1,
            '»' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok((&text[..at], &text[at + c.len_utf8()..]));
        }
    }
    Err("« without »".to_owned())
}

/// The texts between `¦` outside of nested brackets.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '«' => depth += 1,
            '»' => depth -= 1,
            '¦' if depth == 0 => {
                found.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    found
}

/// The part between brackets.
fn special(inner: &str) -> Result<Part, String> {
    let texts = alternatives(inner);
    if texts.len() > 1 {
        let texts = texts.into_iter().map(parse).collect::<Result<_, _>>()?;
        return Ok(Part::Choice(texts));
    }
    let typed = |text: &str| match text.split_once(':') {
        Some((name, kind)) => (name.to_owned(), Some(kind.to_owned())),
        None => (text.to_owned(), None),
    };
    if let Some(rest) = inner.strip_prefix('$') {
        let (name, kind) = typed(rest);
        return Ok(Part::Fresh(name, kind));
    }
    if let Some(rest) = inner.strip_prefix('!') {
        let (name, kind) = typed(rest);
        return Ok(Part::Let(name, kind.ok_or("a name without a type")?));
    }
    if let Some(kind) = inner.strip_prefix("var:") {
        return Ok(Part::Variable(kind.to_owned()));
    }
    if let Some((least, most)) = inner.strip_prefix('#').and_then(|r| r.split_once("..")) {
        let number = |text: &str| text.parse().map_err(|_| format!("no number: {text}"));
        return Ok(Part::Number(number(least)?, number(most)?));
    }
    let (rest, locals) = inner.split_once(';').unwrap_or((inner, ""));
    let (name, times) = match rest.split_once('*') {
        Some((name, range)) => {
            let (least, most) = range.split_once("..").ok_or("no range after `*`")?;
            let number = |text: &str| text.parse().map_err(|_| format!("no number: {text}"));
            (name, Some((number(least)?, number(most)?)))
        }
        None => (rest, None),
    };
    let mut seen = Vec::new();
    for local in locals.split(',').filter(|local| !local.is_empty()) {
        let (name, kind) = typed(local);
        seen.push((name, kind.ok_or("a name without a type")?));
    }
    Ok(Part::Use {
        name: name.to_owned(),
        locals: seen,
        times,
    })
}
