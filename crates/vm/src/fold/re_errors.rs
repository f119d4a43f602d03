//! Errors in regular expressions, with the messages of CPython 3.11's `re.error`.
//!
//! The first error from the left is found, in the order in which CPython parses a pattern. A
//! pattern without an error here may still be invalid: its look-behinds may have variable width.

/// Flag of `re.VERBOSE`.
const VERBOSE: i64 = 64;
/// Maximum depth of nested groups.
const DEEPEST: usize = 100;

/// The message, and its position in characters.
pub type PatternError = (String, usize);

/// Returns the first error of a pattern.
pub fn pattern_error(pattern: &str, flags: i64) -> Option<PatternError> {
    let mut reader = Reader {
        chars: pattern.chars().collect(),
        at: 0,
        verbose: flags & VERBOSE != 0,
        names: Vec::new(),
        complete: Vec::new(),
    };
    reader.top().err().flatten()
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    verbose: bool,
    names: Vec<(String, usize)>,
    /// For each group, whether its closing parenthesis was read.
    complete: Vec<bool>,
}

/// An error, or `None` if the pattern contains something that is not parsed here.
type Read<T> = Result<T, Option<PatternError>>;

fn wrong<T>(what: impl Into<String>, at: usize) -> Read<T> {
    Err(Some((what.into(), at)))
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn takes(&mut self, c: char) -> bool {
        let is_next = self.peek() == Some(c);
        self.at += usize::from(is_next);
        is_next
    }

    fn top(&mut self) -> Read<()> {
        self.alternatives(0)?;
        match self.peek() {
            Some(_) => wrong("unbalanced parenthesis", self.at),
            None => Ok(()),
        }
    }

    fn alternatives(&mut self, depth: usize) -> Read<()> {
        if depth > DEEPEST {
            return Err(None);
        }
        loop {
            self.sequence(depth)?;
            if !self.takes('|') {
                return Ok(());
            }
        }
    }

    fn sequence(&mut self, depth: usize) -> Read<()> {
        // Whether an item precedes that can be repeated, and whether it is already repeated.
        let (mut item, mut repeated) = (false, false);
        while let Some(c) = self.peek() {
            let here = self.at;
            match c {
                '|' | ')' => break,
                c if self.verbose && c.is_whitespace() => {
                    self.at += 1;
                    continue;
                }
                '#' if self.verbose => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                    continue;
                }
                '*' | '+' | '?' | '{' => {
                    self.at += 1;
                    if c == '{' && !self.bounds(here)? {
                        (item, repeated) = (true, false);
                        continue;
                    }
                    if !item {
                        return wrong("nothing to repeat", here);
                    }
                    if repeated {
                        return wrong("multiple repeat", here);
                    }
                    if matches!(self.peek(), Some('?' | '+')) {
                        self.at += 1;
                    }
                    repeated = true;
                    continue;
                }
                // Assertions cannot be repeated.
                '^' | '$' => {
                    self.at += 1;
                    (item, repeated) = (false, false);
                    continue;
                }
                '[' => self.class()?,
                '(' => {
                    item = self.group(depth)?;
                    repeated = false;
                    continue;
                }
                '\\' => {
                    self.escape(false)?;
                    let is_place = matches!(self.chars[here + 1], 'b' | 'B' | 'A' | 'Z');
                    (item, repeated) = (!is_place, false);
                    continue;
                }
                _ => self.at += 1,
            }
            (item, repeated) = (true, false);
        }
        Ok(())
    }

    /// Reads the repetition bounds after an opening brace. Returns whether there are any.
    fn bounds(&mut self, brace: usize) -> Read<bool> {
        let start = self.at;
        if self.peek() == Some('}') {
            return Ok(false);
        }
        let number = |reader: &mut Self| {
            let mut digits = String::new();
            while let Some(c) = reader.peek().filter(char::is_ascii_digit) {
                digits.push(c);
                reader.at += 1;
            }
            digits
        };
        let least = number(self);
        let most = match self.takes(',') {
            true => number(self),
            false => least.clone(),
        };
        if !self.takes('}') {
            self.at = start;
            return Ok(false);
        }
        if let (Ok(least), Ok(most)) = (least.parse::<u64>(), most.parse::<u64>())
            && most < least
        {
            return wrong("min repeat greater than max repeat", brace + 1);
        }
        Ok(true)
    }

    fn class(&mut self) -> Read<()> {
        let open = self.at;
        self.at += 1;
        self.takes('^');
        let first = self.at;
        loop {
            let Some(c) = self.peek() else {
                return wrong("unterminated character set", open);
            };
            if c == ']' && self.at > first {
                self.at += 1;
                return Ok(());
            }
            let low = self.member(open)?;
            if self.peek() != Some('-') {
                continue;
            }
            self.at += 1;
            match self.peek() {
                None => return wrong("unterminated character set", open),
                Some(']') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => {}
            }
            let high = self.member(open)?;
            let fits = match (low.1, high.1) {
                (Some(low), Some(high)) => low <= high,
                _ => false,
            };
            if !fits {
                let of = |(start, end): (usize, usize)| -> String {
                    self.chars[start..end].iter().collect()
                };
                let text = format!("bad character range {}-{}", of(low.0), of(high.0));
                return wrong(text, low.0.0);
            }
        }
    }

    /// Reads a character of a class, or an escape for several: its position, and the character.
    fn member(&mut self, open: usize) -> Read<((usize, usize), Option<char>)> {
        let start = self.at;
        let Some(c) = self.peek() else {
            return wrong("unterminated character set", open);
        };
        if c != '\\' {
            self.at += 1;
            return Ok(((start, self.at), Some(c)));
        }
        self.escape(true)?;
        let text: String = self.chars[start + 1..self.at].iter().collect();
        let one = match text.as_str() {
            "d" | "D" | "w" | "W" | "s" | "S" => None,
            "n" => Some('\n'),
            "t" => Some('\t'),
            "r" => Some('\r'),
            text if text.len() > 1 => return Err(None),
            text => text.chars().next(),
        };
        Ok(((start, self.at), one))
    }

    fn escape(&mut self, in_class: bool) -> Read<()> {
        let start = self.at;
        let Some(&c) = self.chars.get(start + 1) else {
            return wrong("bad escape (end of pattern)", start);
        };
        self.at += 2;
        match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 't' | 'r' | 'f' | 'v' | 'a' | 'b' => Ok(()),
            'B' | 'A' | 'Z' if !in_class => Ok(()),
            'x' | 'u' | 'U' => {
                let digits = match c {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                for _ in 0..digits {
                    if !self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                        let text: String = self.chars[start..self.at].iter().collect();
                        return wrong(format!("incomplete escape {text}"), start);
                    }
                    self.at += 1;
                }
                Ok(())
            }
            '1'..='9' if !in_class => {
                let is_digit = |at: usize| self.chars.get(at).is_some_and(char::is_ascii_digit);
                if is_digit(self.at) && is_digit(self.at + 1) {
                    return Err(None);
                }
                self.at += usize::from(is_digit(self.at));
                let text: String = self.chars[start + 1..self.at].iter().collect();
                let group: usize = text.parse().map_err(|_| None)?;
                match self.complete.get(group - 1) {
                    Some(true) => Ok(()),
                    Some(false) => wrong("cannot refer to an open group", start),
                    None => wrong(format!("invalid group reference {group}"), start + 1),
                }
            }
            '0'..='9' | 'N' => Err(None),
            c if c.is_ascii_alphabetic() => wrong(format!("bad escape \\{c}"), start),
            _ => Ok(()),
        }
    }

    /// Reads a group. Returns whether it can be repeated.
    fn group(&mut self, depth: usize) -> Read<bool> {
        let open = self.at;
        self.at += 1;
        let mut own = None;
        if self.takes('?') {
            let Some(c) = self.peek() else {
                return wrong("unexpected end of pattern", self.at);
            };
            self.at += 1;
            match c {
                'P' => match self.peek() {
                    Some('<') => {
                        self.at += 1;
                        let (name, start) = self.name('>')?;
                        let number = self.complete.len() + 1;
                        if let Some((_, known)) =
                            self.names.iter().find(|(known, _)| *known == name)
                        {
                            let text = format!(
                                "redefinition of group name '{name}' as group {number}; was group {known}"
                            );
                            return wrong(text, start);
                        }
                        self.names.push((name, number));
                        own = Some(number);
                    }
                    Some('=') => {
                        self.at += 1;
                        let (name, start) = self.name(')')?;
                        let known = self.names.iter().find(|(known, _)| *known == name);
                        let Some((_, number)) = known else {
                            return wrong(format!("unknown group name '{name}'"), start);
                        };
                        if !self.complete[*number - 1] {
                            return wrong("cannot refer to an open group", start);
                        }
                        return Ok(true);
                    }
                    Some(other) => {
                        return wrong(format!("unknown extension ?P{other}"), open + 1);
                    }
                    None => return wrong("unexpected end of pattern", self.at),
                },
                ':' | '=' | '!' | '>' => {}
                '<' => match self.peek() {
                    Some('=' | '!') => self.at += 1,
                    Some(other) => {
                        return wrong(format!("unknown extension ?<{other}"), open + 1);
                    }
                    None => return wrong("unexpected end of pattern", self.at),
                },
                'a' | 'i' | 'L' | 'm' | 's' | 'u' | 'x' | '-' => {
                    while let Some(flag) = self.peek() {
                        self.at += 1;
                        match flag {
                            ')' if open > 0 => {
                                return wrong(
                                    "global flags not at the start of the expression",
                                    open,
                                );
                            }
                            ')' => {
                                let flags = &self.chars[open..self.at];
                                self.verbose |= flags.contains(&'x');
                                return Ok(false);
                            }
                            ':' => break,
                            'a' | 'i' | 'm' | 's' | 'u' | '-' => {}
                            _ => return Err(None),
                        }
                    }
                }
                '#' | '(' => return Err(None),
                other => return wrong(format!("unknown extension ?{other}"), open + 1),
            }
        } else {
            own = Some(self.complete.len() + 1);
        }
        if own.is_some() {
            self.complete.push(false);
        }
        self.alternatives(depth + 1)?;
        if !self.takes(')') {
            return wrong("missing ), unterminated subpattern", open);
        }
        if let Some(number) = own {
            self.complete[number - 1] = true;
        }
        Ok(true)
    }

    /// Reads the name of a group up to its terminator. Returns it with its start.
    fn name(&mut self, end: char) -> Read<(String, usize)> {
        let start = self.at;
        let mut name = String::new();
        loop {
            match self.peek() {
                None if name.is_empty() => return wrong("missing group name", start),
                None => return wrong(format!("missing {end}, unterminated name"), start),
                Some(c) => {
                    self.at += 1;
                    if c == end {
                        break;
                    }
                    name.push(c);
                }
            }
        }
        if name.is_empty() {
            return wrong("missing group name", start);
        }
        let mut letters = name.chars();
        let begins = letters
            .next()
            .is_some_and(|c| c.is_alphabetic() || c == '_');
        if !begins || !letters.all(|c| c.is_alphanumeric() || c == '_') {
            return wrong(format!("bad character in group name '{name}'"), start);
        }
        Ok((name, start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checked against `re.compile` of CPython 3.11.
    #[test]
    fn errors_have_the_words_and_the_place_of_cpython() {
        let cases = [
            ("(", "missing ), unterminated subpattern", 0),
            ("a(b(c)", "missing ), unterminated subpattern", 1),
            ("a)b", "unbalanced parenthesis", 1),
            ("[a", "unterminated character set", 0),
            ("x[]", "unterminated character set", 1),
            ("*a", "nothing to repeat", 0),
            ("a|*", "nothing to repeat", 2),
            ("^*", "nothing to repeat", 1),
            ("a**", "multiple repeat", 2),
            ("a{2,1}", "min repeat greater than max repeat", 2),
            ("[z-a]", "bad character range z-a", 1),
            (r"[\w-a]", r"bad character range \w-a", 1),
            (r"a\q", r"bad escape \q", 1),
            ("a\\", "bad escape (end of pattern)", 1),
            (r"\2", "invalid group reference 2", 1),
            (r"(a\1)", "cannot refer to an open group", 2),
            ("(?P<1>x)", "bad character in group name '1'", 4),
            ("(?P<>x)", "missing group name", 4),
            (
                "(?P<a>x)(?P<a>y)",
                "redefinition of group name 'a' as group 2; was group 1",
                12,
            ),
            ("(?P=b)", "unknown group name 'b'", 4),
            ("$*", "nothing to repeat", 1),
            (r"\b+", "nothing to repeat", 2),
            (
                "a(?i)b",
                "global flags not at the start of the expression",
                1,
            ),
            ("(?P<a", "missing >, unterminated name", 4),
            ("(?Px)", "unknown extension ?Px", 1),
            ("(?%)", "unknown extension ?%", 1),
            (r"\x1", r"incomplete escape \x1", 0),
        ];
        for (pattern, what, at) in cases {
            assert_eq!(
                pattern_error(pattern, 0),
                Some((what.to_string(), at)),
                "{pattern}"
            );
        }
        for right in [
            "a{2",
            "a{,3}",
            r"[]a\]-]",
            "(?i)x(?=y)",
            r"(a)\1",
            "(?P<n>a)(?P=n)",
            "a{1,2}?",
            "[^]]",
        ] {
            assert_eq!(pattern_error(right, 0), None, "{right}");
        }
    }
}
