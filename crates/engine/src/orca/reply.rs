//! A language model's reply to ORCA's prompt: which blocks the execution visits, what holds after each, and
//! where it raises.
//!
//! Any text can be read: parts in another form than the prompt requests are skipped. As in the authors' own
//! evaluation, a visit is a line that begins with `Block: N` (or `Block N:`), and an error counts if `Error Type`
//! and `Block` follow `Is Error: True` before the next `Is Error`; later headings are not visits.

use std::ops::Range;

/// Lines behind the first that a symbol table may have.
const MOST_TABLE_LINES: usize = 200;

/// A model's plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The blocks, in the order of their headings.
    pub visits: Vec<Visit>,
    /// The exception, if there is one.
    pub error: Option<Crash>,
    /// Whether the model ended its reply: `<STOP>` or `<END>`.
    pub stops: bool,
}

/// A block that the execution visits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visit {
    /// Its number.
    pub block: u32,
    /// The model's observation.
    pub observation: String,
    /// Its conclusion.
    pub reasoning: String,
    /// Its action.
    pub action: String,
    /// The state afterwards; empty if no table can be read.
    pub table: Option<Vec<Entry>>,
}

/// An entry of a symbol table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The variable.
    pub name: String,
    /// Its value, as written.
    pub value: String,
    /// Its type, as written; empty if there is none.
    pub kind: String,
}

/// An exception that ends the execution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crash {
    /// Its class, if given.
    pub kind: Option<String>,
    /// The block that raises it, if given.
    pub block: Option<u32>,
}

impl Plan {
    /// Reads a reply.
    pub fn read(reply: &str) -> Self {
        // Models that think aloud answer behind that.
        let reply = reply.rsplit("</think>").next().unwrap_or(reply);
        let lines = lines_of(reply);
        let flags: Vec<(usize, bool)> = (lines.iter().enumerate())
            .filter_map(|(at, line)| Some((at, flag(line)?)))
            .collect();
        let mut stated = None;
        for (k, (at, raises)) in flags.iter().enumerate() {
            let end = flags.get(k + 1).map_or(lines.len(), |(next, _)| *next);
            if *raises {
                stated = statement(&lines, *at + 1..end);
                if stated.is_some() {
                    break;
                }
            }
        }
        let flagged = flags.last().is_some_and(|(_, raises)| *raises);
        let (error, end) = match stated {
            Some((crash, at)) => (Some(crash), at),
            None => (flagged.then(Crash::default), lines.len()),
        };
        let mut heads: Vec<(usize, u32)> = (lines[..end].iter().enumerate())
            .filter_map(|(at, line)| Some((at, heading(line)?)))
            .collect();
        heads.push((end, 0));
        let visits = heads.windows(2);
        let visits = visits.map(|pair| visit(pair[0].1, &lines[pair[0].0 + 1..pair[1].0]));
        let done = |line: &&str| line.contains("<STOP>") || line.trim() == "<END>";
        Self {
            visits: visits.collect(),
            error,
            stops: lines.iter().any(done),
        }
    }

    /// The numbers of the blocks.
    pub fn blocks(&self) -> Vec<u32> {
        self.visits.iter().map(|visit| visit.block).collect()
    }
}

/// Lines, whatever ends them.
fn lines_of(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// The number of a heading. Indented text belongs to a section.
fn heading(line: &str) -> Option<u32> {
    let plain = line.trim_start_matches(['*', '#']);
    let plain = match plain.len() < line.len() {
        true => plain.trim_start(),
        false => plain,
    };
    let rest = plain.strip_prefix("Block")?;
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit());
        let (number, rest) = text.split_at(end.unwrap_or(text.len()));
        Some((number.parse().ok()?, rest.to_owned()))
    };
    match rest.strip_prefix(':') {
        Some(rest) => Some(digits(rest.trim_start_matches(' '))?.0),
        None => {
            let (number, rest) = digits(rest.strip_prefix(' ')?)?;
            rest.starts_with(':').then_some(number)
        }
    }
}

/// The text after a name such as `Symbol Table:`, at the beginning of a line or inside it.
fn behind<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let at = line.find(name)?;
    line[at + name.len()..].strip_prefix(':')
}

/// Whether a line reports an error, or none.
fn flag(line: &str) -> Option<bool> {
    let said = behind(line, "Is Error")?.trim_start_matches([' ', '*', '`']);
    if said.starts_with("True") {
        Some(true)
    } else {
        // A later empty form retracts what was reported before.
        (said.starts_with("False") || said.starts_with("N/A")).then_some(false)
    }
}

/// The statement of an error in some lines, and the line where it begins.
fn statement(lines: &[&str], part: Range<usize>) -> Option<(Crash, usize)> {
    part.clone().find_map(|at| {
        let kind = behind(lines[at], "Error Type")?;
        let mut following = lines[at + 1..part.end].iter();
        let block = following.find(|line| !line.trim().is_empty())?;
        let block = block.trim_start().strip_prefix("Block:")?.trim_start();
        let end = block.find(|c: char| !c.is_ascii_digit());
        let number = block[..end.unwrap_or(block.len())].parse().ok()?;
        let crash = Crash {
            kind: class(kind),
            block: Some(number),
        };
        Some((crash, at))
    })
}

/// `TypeError` of `<class 'TypeError'>`, or of `TypeError: because`.
fn class(text: &str) -> Option<String> {
    let text = text.split("<class '").last().unwrap_or(text);
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let begin = text.find(is_part)?;
    let text = &text[begin..];
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let name = text[..end].trim_end_matches('.');
    let name = name.rsplit('.').next().unwrap_or(name);
    (!name.is_empty()).then(|| name.to_owned())
}

/// The sections of a visit.
fn visit(block: u32, lines: &[&str]) -> Visit {
    let mut found = Visit {
        block,
        ..Visit::default()
    };
    let mut section = 0;
    for (at, line) in lines.iter().enumerate() {
        let plain = line.trim().trim_start_matches(['*', '#', '-', ' ']);
        let named = ["Observation", "Reasoning", "Action"]
            .iter()
            .position(|name| plain.starts_with(name) && behind(plain, name).is_some());
        let text = match named {
            Some(k) => {
                section = k + 1;
                plain.split_once(':').map_or("", |(_, rest)| rest)
            }
            None => line,
        };
        if let Some(table) = behind(line, "Symbol Table") {
            section = 0;
            let rest = &lines[at + 1..];
            let rest = rest[..rest.len().min(MOST_TABLE_LINES)].join("\n");
            // The last table that can be read: the model corrects itself.
            found.table = table_of(&format!("{table}\n{rest}")).or(found.table);
        } else if flag(line).is_some()
            || plain.starts_with("Next")
            || plain.starts_with("Statement")
        {
            section = 0;
        }
        let into = match section {
            1 => &mut found.observation,
            2 => &mut found.reasoning,
            3 => &mut found.action,
            _ => continue,
        };
        if !text.trim().is_empty() {
            if !into.is_empty() {
                into.push('\n');
            }
            into.push_str(text.trim().trim_matches('*').trim());
        }
    }
    found
}

/// Entries of a table at the start of a text: on one line if possible, else on several.
fn table_of(text: &str) -> Option<Vec<Entry>> {
    let first = text.lines().next().unwrap_or_default().trim();
    let inside = |text: &str| {
        let text = text.trim().trim_matches('`').trim();
        Some(text.strip_prefix('{')?.strip_suffix('}')?.to_owned())
    };
    let inside = match inside(first) {
        Some(inside) => inside,
        None if first.starts_with('{') || first.is_empty() => {
            let text = text.trim_start().strip_prefix('{')?;
            let end = parts(text, '}').first().map_or(0, |part| part.end);
            if end >= text.len() {
                return None;
            }
            text[..end].to_owned()
        }
        None => return None,
    };
    let items = parts(&inside, ',').into_iter();
    Some(items.filter_map(|item| entry(&inside[item])).collect())
}

/// An entry `'name': (value, type)` or `'name': value`.
fn entry(item: &str) -> Option<Entry> {
    let item = item.trim();
    let colon = parts(item, ':').first()?.end;
    let name = item[..colon].trim().trim_matches(['\'', '"', '`']);
    let value = item.get(colon + 1..)?.trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    if name.is_empty() || !name.chars().all(is_name) || value.is_empty() {
        return None;
    }
    let pair = value.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
    let whole = |value: &str, kind: &str| Entry {
        name: name.to_owned(),
        value: value.trim().to_owned(),
        kind: kind.trim().to_owned(),
    };
    let Some(pair) = pair else {
        return Some(whole(value, ""));
    };
    let split = parts(pair, ',');
    match split.last() {
        Some(kind) if split.len() > 1 && is_type(&pair[kind.clone()]) => {
            Some(whole(&pair[..kind.start - 1], &pair[kind.clone()]))
        }
        // A tuple without a type.
        _ => Some(whole(value, "")),
    }
}

/// Whether a text names a type: `int`, `list[int]`, `<class 'int'>`, `None`.
fn is_type(text: &str) -> bool {
    let text = text.trim();
    let is_value = matches!(text, "True" | "False");
    !is_value && text.starts_with(|c: char| c.is_alphabetic() || c == '<' || c == '_')
}

/// Parts of a text between separators outside of brackets and quotes.
fn parts(text: &str, separator: char) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut begin, mut depth, mut quote, mut escaped) = (0, 0_usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, c) if c == separator && depth == 0 => {
                found.push(begin..at);
                begin = at + c.len_utf8();
            }
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    if !text[begin..].trim().is_empty() || found.is_empty() {
        found.push(begin..text.len());
    }
    found
}

#[cfg(test)]
mod tests;
