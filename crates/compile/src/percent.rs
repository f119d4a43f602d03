//! Converts `'%s: %r' % (name, value)` to the equivalent f-string.

use super::ast::*;
use crate::code::Constant;

/// The part after a `%`.
struct Spec {
    left: bool,
    width: Option<u32>,
    precision: Option<u32>,
    conversion: char,
}

/// A number of at most two digits; more are an error.
fn digits(chars: &[char], at: &mut usize) -> Result<Option<u32>, ()> {
    let start = *at;
    let mut value = 0;
    while let Some(digit) = chars.get(*at).and_then(|c| c.to_digit(10)) {
        value = value * 10 + digit;
        *at += 1;
        if *at - start > 2 {
            return Err(());
        }
    }
    Ok((*at > start).then_some(value))
}

fn spec(chars: &[char], at: &mut usize) -> Option<Spec> {
    let mut left = false;
    while let Some(flag) = chars.get(*at) {
        match flag {
            '-' => left = true,
            // No other flag affects strings.
            '+' | ' ' | '#' | '0' => {}
            _ => break,
        }
        *at += 1;
    }
    let width = digits(chars, at).ok()?;
    let mut precision = None;
    if chars.get(*at) == Some(&'.') {
        *at += 1;
        precision = Some(digits(chars, at).ok()?.unwrap_or(0));
    }
    let conversion = *chars.get(*at)?;
    *at += 1;
    Some(Spec {
        left,
        width,
        precision,
        conversion,
    })
}

/// The parts of the f-string, or `None` if the format is not simple enough. Takes the values out of
/// `elts` only on success.
pub(super) fn fields(format: &str, elts: &mut Vec<Expr>) -> Option<ExprKind> {
    if elts.iter().any(Expr::is_starred) {
        return None;
    }
    let chars: Vec<char> = format.chars().collect();
    let mut parts: Vec<Result<String, Spec>> = Vec::new();
    let mut at = 0;
    let mut literal = String::new();
    let mut count = 0;
    loop {
        while let Some(c) = chars.get(at) {
            if *c != '%' {
                literal.push(*c);
                at += 1;
            } else if chars.get(at + 1) == Some(&'%') {
                literal.push('%');
                at += 2;
            } else {
                break;
            }
        }
        if !literal.is_empty() {
            parts.push(Ok(std::mem::take(&mut literal)));
        }
        if at >= chars.len() {
            break;
        }
        at += 1;
        let spec = spec(&chars, &mut at)?;
        if !matches!(spec.conversion, 's' | 'r' | 'a') || count >= elts.len() {
            return None;
        }
        count += 1;
        parts.push(Err(spec));
        if at >= chars.len() {
            break;
        }
    }
    if count < elts.len() {
        return None;
    }
    let mut values = std::mem::take(elts).into_iter();
    let text = |text: String, loc| Expr {
        loc,
        kind: ExprKind::Constant(Constant::Str(text.into())),
    };
    let mut joined = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Ok(literal) => joined.push(text(literal, Loc::NONE)),
            Err(spec) => {
                let value = values.next()?;
                let place = value.loc;
                let mut format = String::new();
                if !spec.left && spec.width.is_some_and(|width| width > 0) {
                    format.push('>');
                }
                if let Some(width) = spec.width {
                    format.push_str(&width.to_string());
                }
                if let Some(precision) = spec.precision {
                    format.push_str(&format!(".{precision}"));
                }
                let format = (!format.is_empty()).then(|| {
                    let kind = ExprKind::Joined(vec![text(format, Loc::NONE)]);
                    Box::new(Expr { loc: place, kind })
                });
                let conversion = match spec.conversion {
                    's' => 1,
                    'r' => 2,
                    _ => 3,
                };
                let value = Box::new(value);
                let kind = ExprKind::Formatted {
                    value,
                    conversion,
                    spec: format,
                };
                joined.push(Expr { loc: place, kind });
            }
        }
    }
    Some(ExprKind::Joined(joined))
}
