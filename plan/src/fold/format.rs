//! Texts of numbers and strings by a format specification: `format(value, spec)`, the fields of f-strings and of `str.format`,
//! and those of `text % values`.

use num_traits::{Signed as _, ToPrimitive as _};

use super::Folded;
use super::integer::Integer;
use super::number_text;
use crate::value::Value;

/// A wider field, or one with more digits, is not computed.
const MOST: usize = 1 << 12;

/// `[[fill]align][sign][#][0][width][grouping][.precision][type]`
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spec {
    /// What fills the field; a blank without it.
    pub fill: Option<char>,
    /// One of `<`, `>`, `^`, `=`.
    pub align: Option<char>,
    /// `+`, `-` or a blank: what positive numbers show for a sign.
    pub sign: Option<char>,
    /// Whether a prefix says the base.
    pub(super) alternate: bool,
    /// Least characters.
    pub width: usize,
    grouping: Option<char>,
    /// Digits after the point, or characters.
    pub precision: Option<usize>,
    /// The last letter.
    pub kind: Option<char>,
}

/// The number at the start of a text, if there is one, and the rest; nothing where the number is above [`MOST`].
pub(super) fn leading(text: &str) -> Option<(Option<usize>, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    if digits.is_empty() {
        return Some((None, rest));
    }
    let number = digits.parse().ok().filter(|number| *number <= MOST)?;
    Some((Some(number), rest))
}

impl Spec {
    /// Reads a specification; nothing where it is none, or one that is not computed.
    pub fn parse(text: &str) -> Option<Self> {
        let mut spec = Self::default();
        let mut rest = text;
        let is_align = |c: char| matches!(c, '<' | '>' | '^' | '=');
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(fill), Some(align)) if is_align(align) => {
                (spec.fill, spec.align) = (Some(fill), Some(align));
                rest = &text[fill.len_utf8() + 1..];
            }
            (Some(align), _) if is_align(align) => {
                spec.align = Some(align);
                rest = &text[1..];
            }
            _ => {}
        }
        if let Some(sign) = rest.chars().next().filter(|c| matches!(c, '+' | '-' | ' ')) {
            spec.sign = Some(sign);
            rest = &rest[1..];
        }
        if let Some(after) = rest.strip_prefix('#') {
            (spec.alternate, rest) = (true, after);
        }
        if spec.fill.is_none()
            && let Some(after) = rest.strip_prefix('0')
        {
            (spec.fill, rest) = (Some('0'), after);
        }
        let (width, after) = leading(rest)?;
        (spec.width, rest) = (width.unwrap_or(0), after);
        if let Some(grouping) = rest.chars().next().filter(|c| matches!(c, ',' | '_')) {
            (spec.grouping, rest) = (Some(grouping), &rest[1..]);
        }
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = leading(after)?;
            (spec.precision, rest) = (Some(precision?), after);
        }
        let mut last = rest.chars();
        spec.kind = last.next();
        let known = spec
            .kind
            .is_none_or(|kind| "bcdeEfFgGnosxX%".contains(kind));
        (known && last.next().is_none()).then_some(spec)
    }

    /// `format(value, spec)` of a number, a string or `None`.
    pub fn apply(&self, value: &Value) -> Folded {
        if let (Some(mark), Some(kind)) = (self.grouping, self.kind)
            && !matches!(value, Value::None | Value::Object(_))
            && ("csn".contains(kind) || (mark == ',' && "boxX".contains(kind)))
        {
            let message = format!("Cannot specify '{mark}' with '{kind}'.");
            return Folded::Raise("ValueError", message);
        }
        match value {
            Value::Str(text) => self.string(text),
            Value::Float(value) => self.float(*value),
            Value::None => {
                Folded::type_error("unsupported format string passed to NoneType.__format__")
            }
            other => match Integer::of(other) {
                Some(number) => self.integer(&number, matches!(other, Value::Bool(_))),
                None => Folded::Unknown,
            },
        }
    }

    fn wrong_kind(&self, of: &str) -> Folded {
        let kind = self.kind.unwrap_or('?');
        let message = format!("Unknown format code '{kind}' for object of type '{of}'");
        Folded::Raise("ValueError", message)
    }

    fn string(&self, text: &str) -> Folded {
        if self.kind.is_some_and(|kind| kind != 's') {
            return self.wrong_kind("str");
        }
        if self.sign.is_some()
            || self.alternate
            || self.grouping.is_some()
            || self.align == Some('=')
        {
            return Folded::Unknown;
        }
        let most = self.precision.unwrap_or(usize::MAX);
        let text: String = text.chars().take(most).collect();
        Folded::Value(Value::Str(self.padded("", &text, '<').into()))
    }

    fn integer(&self, number: &Integer, is_bool: bool) -> Folded {
        let (size, prefix) = match self.kind {
            None | Some('d') => (10, ""),
            Some('b') => (2, "0b"),
            Some('o') => (8, "0o"),
            Some('x') => (16, "0x"),
            Some('X') => (16, "0X"),
            Some('n') => return Folded::Unknown,
            Some('c') => return self.character(number),
            Some('s') => return self.wrong_kind(if is_bool { "bool" } else { "int" }),
            _ => return number.to_f64().map_or(Folded::Unknown, |x| self.float(x)),
        };
        if self.precision.is_some() {
            let message = "Precision not allowed in integer format specifier";
            return Folded::Raise("ValueError", message.to_owned());
        }
        let absolute = number.big().abs();
        let Some(digits) = number_text::integer(&absolute) else {
            return Folded::Unknown;
        };
        let mut digits = match size {
            10 => digits,
            size => absolute.to_str_radix(size),
        };
        if self.kind == Some('X') {
            digits.make_ascii_uppercase();
        }
        let prefix = if self.alternate { prefix } else { "" };
        let group = if size == 10 { 3 } else { 4 };
        self.number(number.is_negative(), prefix, (&digits, ""), group)
    }

    /// The character with a number.
    fn character(&self, number: &Integer) -> Folded {
        let wrong = |message: &str| Folded::Raise("ValueError", message.to_owned());
        if self.precision.is_some() {
            return wrong("Precision not allowed in integer format specifier");
        }
        if self.sign.is_some() {
            return wrong("Sign not allowed with integer format specifier 'c'");
        }
        if self.alternate {
            return wrong("Alternate form (#) not allowed with integer format specifier 'c'");
        }
        let code = number.big().to_u32().filter(|code| *code <= 0x0010_FFFF);
        match code.map(char::from_u32) {
            Some(Some(c)) => {
                let text = self.padded("", c.encode_utf8(&mut [0; 4]), '>');
                Folded::Value(Value::Str(text.into()))
            }
            Some(None) => Folded::Unknown,
            None => Folded::overflow("%c arg not in range(0x110000)"),
        }
    }

    fn float(&self, value: f64) -> Folded {
        let places = self.precision.unwrap_or(6);
        let absolute = value.abs();
        if self.kind.is_some_and(|kind| !"eEfFgG%n".contains(kind)) {
            return self.wrong_kind("float");
        }
        if self.alternate {
            return Folded::Unknown;
        }
        let mut text = match self.kind {
            _ if !value.is_finite() => number_text::float(absolute),
            None => match self.precision {
                None => number_text::float(absolute),
                Some(digits) => general(absolute, digits, true),
            },
            Some('f' | 'F') => format!("{absolute:.places$}"),
            Some('e' | 'E') => exponential(absolute, places),
            Some('g' | 'G') => general(absolute, places, false),
            Some('%') if (100.0 * absolute).is_finite() => format!("{:.places$}", 100.0 * absolute),
            Some(_) => return Folded::Unknown,
        };
        if self.kind.is_some_and(|kind| kind.is_ascii_uppercase()) {
            text.make_ascii_uppercase();
        }
        if self.kind == Some('%') {
            text.push('%');
        }
        let whole = text.bytes().take_while(u8::is_ascii_digit).count();
        let negative = value.is_sign_negative() && !value.is_nan();
        self.number(negative, "", text.split_at(whole), 3)
    }

    /// A number of its sign, the digits before the point, grouped, and what comes after them.
    fn number(
        &self,
        negative: bool,
        prefix: &str,
        (whole, rest): (&str, &str),
        group: usize,
    ) -> Folded {
        let mut grouped = String::with_capacity(2 * whole.len());
        for (at, digit) in whole.chars().enumerate() {
            if let Some(mark) = self.grouping
                && at > 0
                && (whole.len() - at) % group == 0
            {
                grouped.push(mark);
            }
            grouped.push(digit);
        }
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            (false, _) => "",
        };
        let (before, number) = (format!("{sign}{prefix}"), format!("{grouped}{rest}"));
        // Zeros in front of grouped digits are grouped, too.
        let zeros = self.fill == Some('0') && matches!(self.align, None | Some('='));
        let missing = self.width > before.len() + number.chars().count();
        if zeros && missing && self.grouping.is_some() {
            return Folded::Unknown;
        }
        let usual = if self.fill == Some('0') { '=' } else { '>' };
        Folded::Value(Value::Str(self.padded(&before, &number, usual).into()))
    }

    /// A text in its field; `before` stands in front of what fills it where the alignment is `=`.
    fn padded(&self, before: &str, text: &str, usual: char) -> String {
        let length = before.chars().count() + text.chars().count();
        let missing = self.width.saturating_sub(length);
        let fill = |count: usize| self.fill.unwrap_or(' ').to_string().repeat(count);
        match self.align.unwrap_or(usual) {
            '<' => format!("{before}{text}{}", fill(missing)),
            '^' => {
                let left = missing / 2;
                format!("{}{before}{text}{}", fill(left), fill(missing - left))
            }
            '=' => format!("{before}{}{text}", fill(missing)),
            _ => format!("{}{before}{text}", fill(missing)),
        }
    }
}

/// `d.ddde+XX`
fn exponential(value: f64, places: usize) -> String {
    let text = format!("{value:.places$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// So many significant digits, with an exponent where the number is very large or small. `point`: whole numbers keep one,
/// as without a type.
fn general(value: f64, digits: usize, point: bool) -> String {
    let digits = digits.max(1);
    let text = exponential(value, digits - 1);
    let exponent = text.split_once('e').and_then(|(_, e)| e.parse().ok());
    let exponent: i64 = exponent.unwrap_or(0);
    let limit = digits as i64 - i64::from(point);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= limit {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let places = usize::try_from(digits as i64 - 1 - exponent).unwrap_or(0);
    let mut text = trimmed(&format!("{value:.places$}"));
    if point && !text.contains('.') {
        text.push_str(".0");
    }
    text
}
