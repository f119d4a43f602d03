//! Templates of `str.format` and of `text % values`, as literal parts and fields.

use super::format::{Spec, leading};
use crate::value::Value;

/// A part of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// A value.
    Field(Field),
}

/// A field of a template.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The number or the name of the argument. Empty for the next one.
    pub name: String,
    /// The conversion of the value before it is formatted: `s`, `r` or another.
    pub conversion: Option<char>,
    /// The format. `None` for `str` alone.
    pub spec: Option<Spec>,
    /// The letter of a `%` field. `None` in `str.format`.
    pub letter: Option<char>,
}

/// Parses a template of `str.format`. `None` if it has nested fields, attributes or subscripts, or
/// is invalid.
pub fn braces(template: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let mark = &rest[at..=at];
        let after = &rest[at + 1..];
        if let Some(doubled) = after.strip_prefix(mark) {
            text.push_str(mark);
            rest = doubled;
            continue;
        }
        if mark == "}" {
            return None;
        }
        let (inside, after) = after.split_once('}')?;
        if inside.contains('{') {
            return None;
        }
        let (head, spec) = inside.split_once(':').unwrap_or((inside, ""));
        let (name, conversion) = match head.split_once('!') {
            Some((name, "s")) => (name, Some('s')),
            Some((name, "r")) => (name, Some('r')),
            Some(_) => return None,
            None => (head, None),
        };
        let plain = |c: char| c == '_' || c.is_alphanumeric();
        if !name.chars().all(plain) {
            return None;
        }
        let spec = match spec {
            "" => None,
            spec => Some(Spec::parse(spec)?),
        };
        parts.push(Part::Text(std::mem::take(&mut text)));
        parts.push(Part::Field(Field {
            name: name.to_owned(),
            conversion,
            spec,
            letter: None,
        }));
        rest = after;
    }
    text.push_str(rest);
    parts.push(Part::Text(text));
    let numbers = |part: &Part| match part {
        Part::Field(field) => !field.name.is_empty() && field.name.parse::<usize>().is_ok(),
        Part::Text(_) => false,
    };
    let next = |part: &Part| matches!(part, Part::Field(field) if field.name.is_empty());
    let mixed = parts.iter().any(numbers) && parts.iter().any(next);
    (!mixed).then_some(parts)
}

/// Fills in the fields nested in the formats of other fields in a template of `str.format`:
/// `{:>{w}}` with `w` 5 becomes `{0:>5}`. `None` if there is no nested field, or one that is not
/// plain.
pub fn filled_in(template: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (mut out, mut rest, mut next, mut nested) = (String::new(), template, 0, false);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        if let Some(doubled) = ["{{", "}}"]
            .into_iter()
            .find(|mark| after.starts_with(mark))
        {
            out.push_str(doubled);
            rest = &after[2..];
            continue;
        }
        let after_open = after.strip_prefix('{')?;
        let end = after_open.find(['}', ':'])? + 1;
        let (head, spec) = (after[1..end].to_owned(), &after[end..]);
        let (name, conversion) = head.split_at(head.find('!').unwrap_or(head.len()));
        let mut number = |name: &str| match name {
            "" => {
                next += 1;
                (next - 1).to_string()
            }
            name => name.to_owned(),
        };
        out.push('{');
        out.push_str(&number(name));
        out.push_str(conversion);
        let mut spec = spec;
        while let Some(at) = spec.find(['{', '}']) {
            out.push_str(&spec[..at]);
            if spec[at..].starts_with('}') {
                spec = &spec[at..];
                break;
            }
            let (inner, behind) = spec[at + 1..].split_once('}')?;
            let plain = |c: char| c == '_' || c.is_alphanumeric();
            if !inner.chars().all(plain) {
                return None;
            }
            out.push_str(&value(&number(inner))?);
            nested = true;
            spec = behind;
        }
        out.push('}');
        rest = spec.strip_prefix('}')?;
    }
    out.push_str(rest);
    nested.then_some(out)
}

/// A field of a template of `text % values` as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PercentField {
    /// The name in parentheses.
    pub name: Option<String>,
    /// The letter at its end.
    pub letter: char,
    /// Start and end of the name with its parentheses.
    pub head: (usize, usize),
    /// Position of the letter.
    pub end: usize,
}

/// Returns the fields of a template of `text % values`. `None` if it has `*`, if only some fields
/// have names, or if it is invalid.
pub fn percent_fields(template: &str) -> Option<Vec<PercentField>> {
    let mut fields: Vec<PercentField> = Vec::new();
    let mut at = 0;
    while let Some(found) = template[at..].find('%') {
        at += found + 1;
        if template[at..].starts_with('%') {
            at += 1;
            continue;
        }
        let start = at;
        let name = match template[at..].starts_with('(') {
            true => {
                let length = bracketed(&template[at..])?;
                at += length;
                Some(template[start + 1..at - 1].to_owned())
            }
            false => None,
        };
        let head = (start, at);
        let is_format = |c: char| matches!(c, '-' | '+' | ' ' | '#' | '.') || c.is_ascii_digit();
        at += template[at..].find(|c| !is_format(c))?;
        let letter = template[at..].chars().next()?;
        if !"diuxXoeEfFgGcrsa".contains(letter) {
            return None;
        }
        if fields
            .first()
            .is_some_and(|first| first.name.is_some() != name.is_some())
        {
            return None;
        }
        let end = at;
        at += 1;
        fields.push(PercentField {
            name,
            letter,
            head,
            end,
        });
    }
    Some(fields)
}

/// Writes out the widths and precisions that are values (`%*d`) in a template of `text % values`.
/// Returns the template and the remaining values. `None` if there are none, or one is not an
/// integer.
pub fn starred(template: &str, values: &[Value]) -> Option<(String, Vec<Value>)> {
    if !template.contains('*') {
        return None;
    }
    let (mut out, mut rest, mut values) = (String::new(), template, values.iter());
    let (mut left, mut stars) = (Vec::new(), 0);
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        out.push('%');
        if let Some(after) = after.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let end = after.find(|c: char| c.is_alphabetic() || c == '(')?;
        for c in after[..end].chars() {
            match (c, values.as_slice().first()) {
                ('*', Some(Value::Int(number))) => {
                    values.next();
                    stars += 1;
                    let is_precision = out.ends_with('.');
                    let number = if is_precision {
                        *number.max(&0)
                    } else {
                        *number
                    };
                    out.push_str(&number.to_string());
                }
                ('*', _) => return None,
                _ => out.push(c),
            }
        }
        left.extend(values.next().cloned());
        rest = &after[end..];
    }
    out.push_str(rest);
    left.extend(values.cloned());
    (stars > 0).then_some((out, left))
}

/// Returns CPython's error message for an invalid field in a template of `text % values`, and the
/// number of fields before it.
pub fn percent_error(template: &str) -> Option<(String, usize)> {
    let mut before = 0;
    let mut chars = template.char_indices().peekable();
    while let Some((_, c)) = chars.next() {
        if c != '%' {
            continue;
        }
        let is_format =
            |c: char| matches!(c, '-' | '+' | ' ' | '#' | '.' | '*') || c.is_ascii_digit();
        if chars.next_if(|(_, c)| *c == '%').is_some() {
            continue;
        }
        if chars.peek().is_some_and(|(_, c)| *c == '(') {
            chars.by_ref().find(|(_, c)| *c == ')');
        }
        while chars.next_if(|(_, c)| is_format(*c)).is_some() {}
        chars.next_if(|(_, c)| matches!(c, 'h' | 'l' | 'L'));
        match chars.next() {
            None => return Some(("incomplete format".to_owned(), before)),
            Some((_, letter)) if "diuxXoeEfFgGcrsa".contains(letter) => before += 1,
            Some((at, letter)) => {
                let index = template[..at].chars().count();
                let shown = if letter.is_ascii_graphic() {
                    letter
                } else {
                    '?'
                };
                let code = u32::from(letter);
                let message =
                    format!("unsupported format character '{shown}' (0x{code:x}) at index {index}");
                return Some((message, before));
            }
        }
    }
    None
}

/// Returns the byte length of a parenthesised name, with its parentheses.
fn bracketed(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Parses a template of `text % values`. `None` if it has `*`, or is invalid. The precision of an
/// integer is its minimum number of digits.
pub fn percents(template: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            text.push('%');
            rest = after;
            continue;
        }
        let (name, after) = match after.starts_with('(') {
            true => {
                let (name, after) = after.split_at(bracketed(after)?);
                // An empty name is treated as no name.
                let name = Some(&name[1..name.len() - 1]).filter(|name| !name.is_empty());
                (name?, after)
            }
            false => ("", after),
        };
        let mut spec = Spec::default();
        let flags = after.find(|c| !matches!(c, '-' | '+' | ' ' | '0' | '#'));
        let (flags, after) = after.split_at(flags?);
        let (width, mut after) = leading(after)?;
        spec.width = width.unwrap_or(0);
        if let Some(precise) = after.strip_prefix('.') {
            let (precision, rest) = leading(precise)?;
            spec.precision = Some(precision.unwrap_or(0));
            after = rest;
        }
        // C length modifiers are ignored.
        after = after.strip_prefix(['h', 'l', 'L']).unwrap_or(after);
        let letter = after.chars().next()?;
        rest = after.get(1..)?;
        if matches!(letter, 'd' | 'i' | 'u' | 'x' | 'X' | 'o') {
            spec.least_digits = spec.precision.take().unwrap_or(0);
        }
        let (kind, conversion) = match letter {
            'd' | 'i' | 'u' => ('d', None),
            'x' | 'X' | 'o' => (letter, None),
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => (letter, None),
            's' | 'r' | 'a' => ('s', Some(letter)),
            'c' => {
                // It is one character, regardless of the precision.
                spec.precision = None;
                ('s', None)
            }
            _ => return None,
        };
        spec.alternate = flags.contains('#') && kind != 's';
        spec.kind = Some(kind);
        if flags.contains('-') {
            spec.align = Some('<');
        } else if kind == 's' {
            spec.align = Some('>');
        } else if flags.contains('0') {
            spec.fill = Some('0');
        }
        if kind != 's' {
            let sign = ['+', ' '].into_iter().find(|sign| flags.contains(*sign));
            spec.sign = sign;
        }
        parts.push(Part::Text(std::mem::take(&mut text)));
        parts.push(Part::Field(Field {
            name: name.to_owned(),
            conversion,
            spec: Some(spec),
            letter: Some(letter),
        }));
    }
    text.push_str(rest);
    parts.push(Part::Text(text));
    Some(parts)
}
