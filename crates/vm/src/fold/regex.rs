//! Python's `re`, matched by `fancy-regex`: the same leftmost match with the same priorities.
//!
//! A pattern is translated first, because the syntaxes differ (`\Z`, a bracket in a class, white
//! space in verbose patterns). The locale flag has no equivalent and gives [`None`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::{Regex, RegexBuilder};

use super::regex_ascii as ascii;

/// `re.IGNORECASE`
const IGNORE_CASE: i64 = 2;
/// `re.MULTILINE`
const MULTI_LINE: i64 = 8;
/// `re.DOTALL`
const DOT_ALL: i64 = 16;
/// `re.UNICODE`
const UNICODE: i64 = 32;
/// `re.VERBOSE`
const VERBOSE: i64 = 64;
/// `re.ASCII`
const ASCII: i64 = 256;

/// Maximum backtracking steps of one match.
const MOST_STEPS: usize = 200_000;
/// Maximum cached patterns.
const MOST_KEPT: usize = 256;

/// The required position of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Anywhere from the start on (`search`).
    Anywhere,
    /// At the start (`match`).
    Start,
    /// From the start to the end (`fullmatch`).
    Whole,
    /// At the start, but not empty: the match that may follow an empty match there.
    NotEmpty,
}

/// A match takes too many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    /// Number of groups, without the whole match.
    pub groups: usize,
    /// Names of groups with their numbers, in order.
    pub names: Vec<(String, usize)>,
    /// For each group, starting with group 1, the number of its closing parenthesis among those of
    /// the pattern.
    closed: Vec<usize>,
}

/// A match: the span of each group in characters, the whole match first, and the number of the
/// group that was closed last.
pub type Found = (Vec<Option<(usize, usize)>>, Option<usize>);

type Kept = HashMap<(String, i64, Place), Option<Rc<Pattern>>>;

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::new(HashMap::new());
}

/// Returns a compiled pattern with flags as numbered in `re`. `None` if it has no equivalent, or is
/// invalid.
pub fn compiled(pattern: &str, flags: i64, place: Place) -> Option<Rc<Pattern>> {
    let wanted = (pattern.to_owned(), flags, place);
    if let Some(known) = KEPT.with_borrow(|kept| kept.get(&wanted).cloned()) {
        return known;
    }
    let made = compile(pattern, flags, place).map(Rc::new);
    KEPT.with_borrow_mut(|kept| {
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(wanted, made.clone());
    });
    made
}

fn compile(pattern: &str, flags: i64, place: Place) -> Option<Pattern> {
    const KNOWN: i64 = IGNORE_CASE | MULTI_LINE | DOT_ALL | UNICODE | VERBOSE | ASCII;
    if flags & !KNOWN != 0 {
        return None;
    }
    let mut translated = Translated::new(pattern, flags)?;
    let body = std::mem::take(&mut translated.text);
    let on = [(IGNORE_CASE, 'i'), (MULTI_LINE, 'm'), (DOT_ALL, 's')];
    let on: String = on
        .into_iter()
        .filter(|(bit, _)| translated.flags & bit != 0)
        .map(|(_, c)| c)
        .collect();
    let body = if on.is_empty() {
        format!("(?:{body})")
    } else {
        format!("(?{on}:{body})")
    };
    let text = match place {
        Place::Anywhere => body,
        Place::Start => format!(r"\G{body}"),
        Place::Whole => format!(r"\G{body}\z"),
        Place::NotEmpty => format!(r"\G{body}(?!\G)"),
    };
    let regex = RegexBuilder::new(&text)
        .backtrack_limit(MOST_STEPS)
        .build()
        .ok()?;
    Some(Pattern {
        regex,
        groups: translated.closed.len(),
        names: translated.names,
        closed: translated.closed,
    })
}

impl Pattern {
    /// Returns the match in a text from the character `start` on. An error if it takes too many
    /// steps.
    pub fn find(&self, text: &str, start: usize) -> Result<Option<Found>, TooLong> {
        let Some(byte) = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .nth(start)
        else {
            return Ok(None);
        };
        let captures = self
            .regex
            .captures_from_pos(text, byte)
            .map_err(|_| TooLong)?;
        let Some(captures) = captures else {
            return Ok(None);
        };
        let place = |byte: usize| text[..byte].chars().count();
        let spans: Vec<Option<(usize, usize)>> = (0..=self.groups)
            .map(|group| {
                captures
                    .get(group)
                    .map(|m| (place(m.start()), place(m.end())))
            })
            .collect();
        let matched = (1..=self.groups).filter(|group| spans[*group].is_some());
        let last = matched.max_by_key(|group| self.closed[group - 1]);
        Ok(Some((spans, last)))
    }
}

/// An open group: its number, if it has one, and the flags after it.
type Open = (Option<usize>, i64);

/// Returns the flags of letters. `None` if a letter is unknown.
fn flags_of(letters: &str) -> Option<i64> {
    let bit = |letter| {
        Some(match letter {
            'i' => IGNORE_CASE,
            'm' => MULTI_LINE,
            's' => DOT_ALL,
            'x' => VERBOSE,
            'u' => UNICODE,
            'a' => ASCII,
            _ => return None,
        })
    };
    letters
        .chars()
        .try_fold(0, |flags, letter| Some(flags | bit(letter)?))
}

/// Returns up to three octal digits at the start.
fn octal(chars: &[char]) -> String {
    let digits = chars.iter().take(3);
    digits.take_while(|c| ('0'..='7').contains(*c)).collect()
}

/// A pattern in the syntax of `fancy-regex`.
struct Translated {
    text: String,
    flags: i64,
    names: Vec<(String, usize)>,
    closed: Vec<usize>,
}

impl Translated {
    fn new(pattern: &str, flags: i64) -> Option<Self> {
        let mut out = Self {
            text: String::new(),
            flags,
            names: Vec::new(),
            closed: Vec::new(),
        };
        let mut rest = pattern;
        // Flags for the whole pattern are at its start.
        if let Some(inner) = rest.strip_prefix("(?")
            && let Some((letters, after)) = inner.split_once(')')
            && !letters.is_empty()
            && let Some(flags) = flags_of(letters)
        {
            out.flags |= flags;
            rest = after;
        }
        let chars: Vec<char> = rest.chars().collect();
        out.translate(&chars)?;
        Some(out)
    }

    fn translate(&mut self, chars: &[char]) -> Option<()> {
        let (mut at, mut open, mut closings) = (0, Vec::<Open>::new(), 0);
        // Whether an item precedes that can be repeated, and whether it is already repeated.
        let (mut item, mut repeated) = (false, false);
        while let Some(&c) = chars.get(at) {
            at += 1;
            let verbose = self.flags & VERBOSE != 0;
            if verbose && c.is_whitespace() {
                continue;
            }
            match c {
                '#' if verbose => {
                    while chars.get(at).is_some_and(|c| *c != '\n') {
                        at += 1;
                    }
                    continue;
                }
                '\\' => {
                    at += self.escape(chars, at, false)?;
                    (item, repeated) = (true, false);
                }
                '[' => {
                    at = self.class(chars, at)?;
                    (item, repeated) = (true, false);
                }
                '(' => {
                    at += self.group(chars, at, &mut open)?;
                    (item, repeated) = (false, false);
                }
                ')' => {
                    let (group, flags) = open.pop()?;
                    closings += 1;
                    self.flags = flags;
                    if let Some(group) = group {
                        self.closed[group - 1] = closings;
                    }
                    self.text.push(')');
                    (item, repeated) = (true, false);
                }
                '*' | '+' | '?' if item && !repeated => {
                    self.text.push(c);
                    at += self.lazy(chars, at);
                    repeated = true;
                }
                '*' | '+' | '?' => return None,
                '{' => match bounds(&chars[at..]) {
                    Some((least, most, length)) if item && !repeated => {
                        self.text.push_str(&format!("{{{least}{most}}}"));
                        at += length;
                        at += self.lazy(chars, at);
                        repeated = true;
                    }
                    Some(_) => return None,
                    None => {
                        self.text.push_str(r"\{");
                        (item, repeated) = (true, false);
                    }
                },
                '$' if self.flags & MULTI_LINE == 0 => {
                    self.text.push_str(r"(?=\n?\z)");
                    (item, repeated) = (true, false);
                }
                '|' => {
                    self.text.push(c);
                    (item, repeated) = (false, false);
                }
                '^' | '$' | '.' => {
                    self.text.push(c);
                    (item, repeated) = (true, false);
                }
                _ => {
                    self.literal(c);
                    (item, repeated) = (true, false);
                }
            }
        }
        open.is_empty().then_some(())
    }

    /// Reads `?` or `+` after a repetition.
    fn lazy(&mut self, chars: &[char], at: usize) -> usize {
        match chars.get(at) {
            Some(c @ ('?' | '+')) => {
                self.text.push(*c);
                1
            }
            _ => 0,
        }
    }

    fn literal(&mut self, c: char) {
        if c.is_alphanumeric() || c == '_' {
            self.text.push(c);
        } else {
            self.text.push_str(&format!(r"\x{{{:x}}}", u32::from(c)));
        }
    }

    /// Translates the escape after a backslash. Returns its number of characters.
    fn escape(&mut self, chars: &[char], at: usize, in_class: bool) -> Option<usize> {
        let c = *chars.get(at)?;
        match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B'
                if self.flags & ASCII != 0 && !(in_class && c == 'b') =>
            {
                self.text.push_str(&ascii::class(c, in_class)?);
                Some(1)
            }
            // Combining marks are not word characters, record separators are white space.
            'w' | 'W' | 's' | 'S' => {
                let members = match c {
                    'w' | 'W' => r"\p{L}\p{N}_",
                    _ => r"\s\x1c-\x1f",
                };
                self.text.push_str(&match (c, in_class) {
                    ('W' | 'S', _) => format!("[^{members}]"),
                    (_, true) => members.to_owned(),
                    (_, false) => format!("[{members}]"),
                });
                Some(1)
            }
            'd' | 'D' | 'n' | 't' | 'r' | 'f' | 'v' | 'a' => {
                self.text.push('\\');
                self.text.push(c);
                Some(1)
            }
            'b' if in_class => {
                self.text.push_str(r"\x08");
                Some(1)
            }
            'b' | 'B' | 'A' if !in_class => {
                self.text.push('\\');
                self.text.push(c);
                Some(1)
            }
            'Z' if !in_class => {
                self.text.push_str(r"\z");
                Some(1)
            }
            'x' | 'u' => {
                let digits = if c == 'x' { 2 } else { 4 };
                let code: String = chars.get(at + 1..=at + digits)?.iter().collect();
                self.literal(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                Some(1 + digits)
            }
            // An octal number: always in a class, elsewhere with a leading zero or three digits.
            '0'..='7' if in_class || c == '0' || octal(&chars[at..]).len() == 3 => {
                let digits = octal(&chars[at..]);
                let code = u32::from_str_radix(&digits, 8).ok()?;
                self.literal(char::from_u32(code).filter(|_| code <= 0o377)?);
                Some(digits.len())
            }
            '1'..='9' if !in_class => {
                let number: String = chars[at..]
                    .iter()
                    .take_while(|c| c.is_ascii_digit())
                    .collect();
                // Three digits may be an octal code, and a group must be closed before a reference
                // to it.
                let group: usize = number.parse().ok().filter(|n| *n < 100)?;
                if *self.closed.get(group - 1)? == 0 {
                    return None;
                }
                self.text.push_str(&format!(r"(?:\{group})"));
                Some(number.len())
            }
            c if c.is_ascii_alphanumeric() => None,
            c => {
                self.literal(c);
                Some(1)
            }
        }
    }

    /// Translates a class after its opening bracket. Returns its end.
    fn class(&mut self, chars: &[char], mut at: usize) -> Option<usize> {
        self.text.push('[');
        if chars.get(at) == Some(&'^') {
            self.text.push('^');
            at += 1;
        }
        let first = at;
        loop {
            let c = *chars.get(at)?;
            at += 1;
            match c {
                ']' if at > first + 1 => {
                    self.text.push(']');
                    return Some(at);
                }
                '\\' => at += self.escape(chars, at, true)?,
                '-' => {
                    let edge = at == first + 1 || chars.get(at) == Some(&']');
                    // A class such as `\w` does not begin a range.
                    let after_class = matches!(
                        chars.get(at.wrapping_sub(3)..at - 1),
                        Some(['\\', 'd' | 'D' | 'w' | 'W' | 's' | 'S'])
                    );
                    match edge || after_class {
                        true => self.text.push_str(r"\-"),
                        false => self.text.push('-'),
                    }
                }
                c => self.literal(c),
            }
        }
    }

    /// Translates the beginning of a group after its parenthesis. Returns the number of characters
    /// read.
    fn group(&mut self, chars: &[char], at: usize, open: &mut Vec<Open>) -> Option<usize> {
        if chars.get(at) != Some(&'?') {
            self.closed.push(0);
            open.push((Some(self.closed.len()), self.flags));
            self.text.push('(');
            return Some(0);
        }
        let rest: String = chars[at + 1..].iter().take(200).collect();
        if let Some(name) = rest.strip_prefix("P<") {
            let (name, _) = name.split_once('>')?;
            let mut letters = name.chars();
            let fits = letters
                .next()
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
                && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !fits || self.names.iter().any(|(known, _)| known == name) {
                return None;
            }
            self.closed.push(0);
            open.push((Some(self.closed.len()), self.flags));
            self.names.push((name.to_owned(), self.closed.len()));
            self.text.push('(');
            return Some(name.len() + 4);
        }
        if let Some(name) = rest.strip_prefix('(') {
            // A condition: whether an earlier group has matched.
            let (name, _) = name.split_once(')')?;
            let named = self.names.iter().find(|(known, _)| known == name);
            let group = match named {
                Some((_, group)) => *group,
                None => name.parse().ok()?,
            };
            if *self.closed.get(group.checked_sub(1)?)? == 0 {
                return None;
            }
            self.text.push_str(&format!("(?({group})"));
            open.push((None, self.flags));
            return Some(name.len() + 3);
        }
        if let Some(name) = rest.strip_prefix("P=") {
            let (name, _) = name.split_once(')')?;
            let (_, group) = self.names.iter().find(|(known, _)| known == name)?;
            self.text.push_str(&format!(r"(?:\{group}"));
            open.push((None, self.flags));
            return Some(name.len() + 3);
        }
        for start in [":", "=", "!", "<=", "<!", ">"] {
            if rest.starts_with(start) {
                self.text.push_str("(?");
                self.text.push_str(start);
                open.push((None, self.flags));
                return Some(1 + start.len());
            }
        }
        self.scoped(&rest, open)
    }

    /// Translates the flags of a group: `i:`, `s-m:`.
    fn scoped(&mut self, rest: &str, open: &mut Vec<Open>) -> Option<usize> {
        let (letters, _) = rest.split_once(':')?;
        let (on, off) = letters.split_once('-').unwrap_or((letters, ""));
        // `a` and `u` exclude each other, and only one can be given.
        let (on, off) = (flags_of(on)?, flags_of(off)?);
        open.push((None, self.flags));
        self.flags = (self.flags | on) & !off;
        if on & UNICODE != 0 {
            self.flags &= !ASCII;
        }
        let engine = [(IGNORE_CASE, 'i'), (MULTI_LINE, 'm'), (DOT_ALL, 's')];
        let letters = |wanted: bool| -> String {
            let chosen = engine
                .iter()
                .filter(|(bit, _)| (self.flags & bit != 0) == wanted);
            chosen.map(|(_, c)| c).collect()
        };
        self.text
            .push_str(&format!("(?{}-{}:", letters(true), letters(false)).replace("-:", ":"));
        Some(2 + rest.split_once(':')?.0.len())
    }
}

/// `m}`, `m,n}`, `m,}` or `,n}`: the minimum, the rest, and the number of characters.
fn bounds(chars: &[char]) -> Option<(String, String, usize)> {
    let end = chars.iter().take(12).position(|c| *c == '}')?;
    let inner: String = chars[..end].iter().collect();
    let (least, most) = match inner.split_once(',') {
        Some((least, most)) => (least, Some(most)),
        None => (inner.as_str(), None),
    };
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if !digits(least) || !most.is_none_or(digits) || inner.is_empty() || inner == "," {
        return None;
    }
    let least = if least.is_empty() { "0" } else { least };
    Some((
        least.to_owned(),
        most.map_or(String::new(), |most| format!(",{most}")),
        end + 1,
    ))
}
