//! Constants as `repr` writes them.

use super::literals::float_text;
use crate::code::Constant;

/// A constant as `repr` writes it.
pub(super) fn constant(value: &Constant) -> String {
    match value {
        Constant::None => "None".into(),
        Constant::Ellipsis => "Ellipsis".into(),
        Constant::Bool(value) => if *value { "True" } else { "False" }.into(),
        Constant::Int(value) => value.to_string(),
        Constant::BigInt(value) => value.to_string(),
        Constant::Float(value) => float_text(*value),
        Constant::Complex(real, imaginary) => {
            let trim = |value: f64| {
                let text = float_text(value);
                text.strip_suffix(".0").map_or(text.clone(), str::to_string)
            };
            if *real == 0.0 && real.is_sign_positive() {
                return format!("{}j", trim(*imaginary));
            }
            let sign = if imaginary.is_sign_negative() {
                ""
            } else {
                "+"
            };
            format!("({}{sign}{}j)", trim(*real), trim(*imaginary))
        }
        Constant::Str(text) => quoted(text),
        Constant::Bytes(bytes) => {
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            let mut out = String::from("b");
            out.push_str(&quoted(&text));
            out.chars()
                .map(|c| {
                    if c.is_ascii() {
                        c.to_string()
                    } else {
                        format!("\\x{:02x}", c as u32)
                    }
                })
                .collect()
        }
        Constant::Tuple(items) => {
            let mut texts: Vec<String> = items.iter().map(constant).collect();
            if texts.len() == 1 {
                texts.push(String::new());
                return format!("({})", texts.join(",").trim_end());
            }
            format!("({})", texts.join(", "))
        }
        Constant::Frozenset(items) => {
            let texts: Vec<String> = items.iter().map(constant).collect();
            format!("frozenset({{{}}})", texts.join(", "))
        }
        Constant::Code(code) => format!("<code object {}>", code.name),
    }
}

/// A text in quotes, as `repr` writes it.
pub(super) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c < ' ' || ('\u{7f}'..='\u{a0}').contains(&c) || c == '\u{ad}' => {
                out.push_str(&format!("\\x{:02x}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
