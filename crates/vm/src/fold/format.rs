//! Numbers and strings formatted by a format specification: `format(value, spec)`, the fields of
//! f-strings, of `str.format` and of `text % values`.

use num_traits::{Signed as _, ToPrimitive as _};

use super::Folded;
use super::integer::Integer;
use super::number_text;
use crate::value::Value;

/// Maximum width and precision that are computed.
const MOST: usize = 1 << 12;

/// `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spec {
    /// The fill character. A blank if absent.
    pub fill: Option<char>,
    /// One of `<`, `>`, `^`, `=`.
    pub align: Option<char>,
    /// `+`, `-` or a blank: the sign of positive numbers.
    pub sign: Option<char>,
    /// Whether negative zero loses its sign.
    unsigned_zero: bool,
    /// Whether a prefix shows the base, and a float keeps its point and zeros.
    pub(super) alternate: bool,
    /// Minimum number of characters.
    pub width: usize,
    grouping: Option<char>,
    /// A second separator, which is an error.
    twice: Option<char>,
    /// Digits after the point, or maximum characters.
    pub precision: Option<usize>,
    /// Minimum digits of an integer: the precision of a `%` field.
    pub least_digits: usize,
    /// The type letter.
    pub kind: Option<char>,
    /// The whole text if more follows the letter, which is an error.
    invalid: Option<String>,
}

/// Returns the number at the start of a text, if there is one, and the rest. `None` if the number
/// is above [`MOST`].
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
    /// Parses a specification. `None` if it is invalid, or one that is not computed.
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
        if let Some(after) = rest.strip_prefix('z') {
            (spec.unsigned_zero, rest) = (true, after);
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
            spec.twice = rest.chars().next().filter(|c| matches!(c, ',' | '_'));
        }
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = leading(after)?;
            (spec.precision, rest) = (Some(precision?), after);
        }
        let mut last = rest.chars();
        spec.kind = last.next();
        spec.invalid = last.next().map(|_| text.to_owned());
        Some(spec)
    }

    /// `format(value, spec)` of a number, a string or `None`.
    pub fn apply(&self, value: &Value) -> Folded {
        match value {
            Value::None => {
                let message = "unsupported format string passed to NoneType.__format__";
                return Folded::type_error(message);
            }
            Value::Bytes(_) => {
                return Folded::type_error("unsupported format string passed to bytes.__format__");
            }
            Value::Str(_) | Value::Float(_) | Value::Complex(..) => {}
            other if Integer::of(other).is_some() => {}
            _ => return Folded::Unknown,
        }
        if let (Some(one), Some(other)) = (self.grouping, self.twice) {
            if one != other {
                let why = "Cannot specify both ',' and '_'.";
                return Folded::Raise("ValueError", why.to_owned());
            }
            if self.invalid.is_none() {
                let why = format!("Cannot specify '{one}' with '{other}'.");
                return Folded::Raise("ValueError", why);
            }
        }
        let of = match value {
            Value::Str(_) => "str",
            Value::Float(_) => "float",
            Value::Complex(..) => "complex",
            Value::Bool(_) => "bool",
            _ => "int",
        };
        if let Some(text) = &self.invalid {
            let message = format!("Invalid format specifier '{text}' for object of type '{of}'");
            return Folded::Raise("ValueError", message);
        }
        if let (Some(mark), Some(kind)) = (self.grouping, self.kind)
            && !("defgEG%F".contains(kind) || (mark == '_' && "boxX".contains(kind)))
        {
            let message = format!("Cannot specify '{mark}' with '{}'.", shown(kind));
            return Folded::Raise("ValueError", message);
        }
        match value {
            Value::Str(text) => self.string(text),
            Value::Float(value) => self.float(*value),
            Value::Complex(real, imag) => self.complex(*real, *imag),
            other => match Integer::of(other) {
                Some(number) => self.integer(&number, of),
                None => Folded::Unknown,
            },
        }
    }

    fn wrong_kind(&self, of: &str) -> Folded {
        let kind = shown(self.kind.unwrap_or('?'));
        let message = format!("Unknown format code '{kind}' for object of type '{of}'");
        Folded::Raise("ValueError", message)
    }

    /// Returns the error for an option that strings or integers do not allow.
    fn refused(&self, what: &str, of: &str) -> Folded {
        Folded::Raise(
            "ValueError",
            format!("{what} not allowed in {of} format specifier"),
        )
    }

    fn string(&self, text: &str) -> Folded {
        if self.kind.is_some_and(|kind| kind != 's') {
            return self.wrong_kind("str");
        }
        if let Some(mark) = self.grouping {
            return Folded::Raise("ValueError", format!("Cannot specify '{mark}' with 's'."));
        } else if self.sign == Some(' ') {
            return self.refused("Space", "string");
        } else if self.sign.is_some() {
            return self.refused("Sign", "string");
        } else if self.unsigned_zero {
            return self.refused("Negative zero coercion (z)", "string");
        } else if self.alternate {
            return self.refused("Alternate form (#)", "string");
        } else if self.align == Some('=') {
            return self.refused("'=' alignment", "string");
        }
        let most = self.precision.unwrap_or(usize::MAX);
        let text: String = text.chars().take(most).collect();
        Folded::Value(Value::Str(self.padded("", &text, '<').into()))
    }

    fn integer(&self, number: &Integer, of: &str) -> Folded {
        let (size, prefix) = match self.kind {
            None | Some('d' | 'n') => (10, ""),
            Some('b') => (2, "0b"),
            Some('o') => (8, "0o"),
            Some('x') => (16, "0x"),
            Some('X') => (16, "0X"),
            Some('c') => return self.character(number),
            Some(kind) if "eEfFgG%".contains(kind) => {
                return number.to_f64().map_or(Folded::Unknown, |x| self.float(x));
            }
            Some(_) => return self.wrong_kind(of),
        };
        if self.precision.is_some() {
            return self.refused("Precision", "integer");
        }
        if self.unsigned_zero {
            return self.refused("Negative zero coercion (z)", "integer");
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
        if digits.len() < self.least_digits {
            digits.insert_str(0, &"0".repeat(self.least_digits - digits.len()));
        }
        let prefix = if self.alternate { prefix } else { "" };
        let group = if size == 10 { 3 } else { 4 };
        self.number(number.is_negative(), prefix, (&digits, ""), group)
    }

    /// Formats a number as a character (`c`).
    fn character(&self, number: &Integer) -> Folded {
        let wrong = |message: &str| Folded::Raise("ValueError", message.to_owned());
        if self.precision.is_some() {
            return wrong("Precision not allowed in integer format specifier");
        }
        if self.unsigned_zero {
            return self.refused("Negative zero coercion (z)", "integer");
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
        if self.kind.is_some_and(|kind| !"eEfFgG%n".contains(kind)) {
            return self.wrong_kind("float");
        }
        let Some(text) = self.digits(value.abs()) else {
            return Folded::Unknown;
        };
        let whole = text.bytes().take_while(u8::is_ascii_digit).count();
        self.number(self.is_negative(value, &text), "", text.split_at(whole), 3)
    }

    /// Whether a number with these digits shows a minus sign.
    fn is_negative(&self, value: f64, digits: &str) -> bool {
        let is_zero = || !digits.contains(|c: char| matches!(c, '1'..='9' | 'i' | 'I'));
        value.is_sign_negative() && !value.is_nan() && !(self.unsigned_zero && is_zero())
    }

    /// Formats a float without its sign. `None` if it is not computed.
    fn digits(&self, absolute: f64) -> Option<String> {
        let places = self.precision.unwrap_or(6);
        let mut text = match self.kind {
            _ if !absolute.is_finite() => number_text::float(absolute),
            None => match self.precision {
                None => number_text::float(absolute),
                Some(digits) => general(absolute, digits, true, self.alternate),
            },
            Some('f' | 'F') => format!("{absolute:.places$}"),
            Some('e' | 'E') => exponential(absolute, places),
            Some('g' | 'G' | 'n') => general(absolute, places, false, self.alternate),
            Some('%') if (100.0 * absolute).is_finite() => format!("{:.places$}", 100.0 * absolute),
            Some(_) => return None,
        };
        if self.alternate && absolute.is_finite() && !text.contains('.') {
            text.insert(text.find('e').unwrap_or(text.len()), '.');
        }
        if self.kind.is_some_and(|kind| kind.is_ascii_uppercase()) {
            text.make_ascii_uppercase();
        }
        if self.kind == Some('%') {
            text.push('%');
        }
        Some(text)
    }

    /// Formats both parts alike, each with its sign, in one field.
    fn complex(&self, real: f64, imag: f64) -> Folded {
        match self.kind {
            Some(kind) if !"eEfFgGn".contains(kind) => return self.wrong_kind("complex"),
            None => return Folded::Unknown,
            Some(_) => {}
        }
        if self.fill == Some('0') {
            return self.refused("Zero padding is", "complex");
        }
        if self.align == Some('=') {
            return self.refused("'=' alignment flag is", "complex");
        }
        let part = |value: f64, sign: Option<char>| {
            let one = Self {
                sign,
                width: 0,
                fill: None,
                align: None,
                ..self.clone()
            };
            match one.float(value) {
                Folded::Value(Value::Str(text)) => Some(text.to_string()),
                _ => None,
            }
        };
        match (part(real, self.sign), part(imag, Some('+'))) {
            (Some(real), Some(imag)) => {
                let text = self.padded("", &format!("{real}{imag}j"), '>');
                Folded::Value(Value::Str(text.into()))
            }
            _ => Folded::Unknown,
        }
    }

    /// Formats a number from its sign, the digits before the point, which it groups, and the rest.
    fn number(
        &self,
        negative: bool,
        prefix: &str,
        (whole, rest): (&str, &str),
        group: usize,
    ) -> Folded {
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            (false, _) => "",
        };
        let before = format!("{sign}{prefix}");
        let mut whole = whole.to_owned();
        // Leading zeros of grouped digits are grouped, too.
        if self.fill == Some('0')
            && matches!(self.align, None | Some('='))
            && self.grouping.is_some()
        {
            let room = self.width.saturating_sub(before.len() + rest.len());
            while !whole.is_empty() && whole.len() + (whole.len() - 1) / group < room {
                whole.insert(0, '0');
            }
        }
        let mut number = String::with_capacity(2 * whole.len() + rest.len());
        for (at, digit) in whole.chars().enumerate() {
            if let Some(mark) = self.grouping
                && at > 0
                && (whole.len() - at) % group == 0
            {
                number.push(mark);
            }
            number.push(digit);
        }
        number.push_str(rest);
        let usual = if self.fill == Some('0') { '=' } else { '>' };
        Folded::Value(Value::Str(self.padded(&before, &number, usual).into()))
    }

    /// Pads a text to the width. `before` precedes the fill characters if the alignment is `=`.
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

/// Returns a type letter as messages show it.
fn shown(kind: char) -> String {
    match kind.is_ascii_graphic() {
        true => kind.to_string(),
        false => format!("\\x{:x}", u32::from(kind)),
    }
}

/// Formats with `digits` significant digits, with an exponent if the number is very large or small.
/// `point`: whole numbers keep one digit after the point, as without a type. `whole`: trailing
/// zeros stay.
fn general(value: f64, digits: usize, point: bool, whole: bool) -> String {
    let digits = digits.max(1);
    let text = exponential(value, digits - 1);
    let exponent = text.split_once('e').and_then(|(_, e)| e.parse().ok());
    let exponent: i64 = exponent.unwrap_or(0);
    let limit = digits as i64 - i64::from(point);
    let trimmed = |text: &str| match text.contains('.') && !whole {
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
