//! Literals: integers of any size and f-strings.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use ruff_python_ast as ruff;

use super::CompileError;
use super::ast::*;
use super::convert::Converter;
use crate::code::Constant;

/// An integer as small as it can be.
pub(super) fn integer(value: BigInt) -> Constant {
    match value.to_i64() {
        Some(small) => Constant::Int(small),
        None => Constant::BigInt(Arc::new(value)),
    }
}

/// The value of an integer literal.
pub(super) fn int(text: &str) -> Option<Constant> {
    let text: String = text.chars().filter(|c| *c != '_').collect();
    let (digits, radix) = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (&text[2..], 16),
        Some("0o") => (&text[2..], 8),
        Some("0b") => (&text[2..], 2),
        _ => (text.as_str(), 10),
    };
    BigInt::parse_bytes(digits.as_bytes(), radix).map(integer)
}

/// Parts of an f-string: adjacent literals are merged, empty ones dropped.
struct Parts {
    /// Start of the first string: the position of its contents.
    first: Loc,
    /// Start of the string being read.
    string: Loc,
    literal: String,
    values: Vec<Expr>,
}

impl Parts {
    fn new(first: Loc, string: Loc) -> Self {
        Parts {
            first,
            string,
            literal: String::new(),
            values: Vec::new(),
        }
    }

    fn flush(&mut self, loc: Loc) {
        if !self.literal.is_empty() {
            let text = std::mem::take(&mut self.literal);
            let kind = ExprKind::Constant(Constant::Str(text.into()));
            self.values.push(Expr { loc, kind });
        }
    }

    fn finish(mut self, loc: Loc) -> Expr {
        self.flush(loc);
        Expr {
            loc,
            kind: ExprKind::Joined(self.values),
        }
    }
}

impl Converter<'_> {
    pub(super) fn f_string(
        &mut self,
        node: &ruff::ExprFString,
        loc: Loc,
    ) -> Result<ExprKind, CompileError> {
        let mut parts = Parts::new(loc, loc);
        for part in &node.value {
            parts.string = self.loc(part);
            match part {
                ruff::FStringPart::Literal(literal) => parts.literal.push_str(literal),
                ruff::FStringPart::FString(string) => {
                    self.f_string_elements(&string.elements, &mut parts)?;
                }
            }
        }
        Ok(parts.finish(loc).kind)
    }

    fn f_string_elements(
        &mut self,
        elements: &ruff::InterpolatedStringElements,
        parts: &mut Parts,
    ) -> Result<(), CompileError> {
        for element in elements {
            match element {
                ruff::InterpolatedStringElement::Literal(literal) => {
                    parts.literal.push_str(literal);
                }
                ruff::InterpolatedStringElement::Interpolation(field) => {
                    if let Some(text) = &field.debug_text {
                        parts.literal.push_str(text.as_str());
                    }
                    parts.flush(parts.first);
                    let value = self.formatted(field, parts.first, parts.string)?;
                    parts.values.push(value);
                }
            }
        }
        Ok(())
    }

    fn formatted(
        &mut self,
        field: &ruff::InterpolatedElement,
        loc: Loc,
        string: Loc,
    ) -> Result<Expr, CompileError> {
        let value = Box::new(self.expr(&field.expression)?);
        let spec = match &field.format_spec {
            None => None,
            Some(spec) => {
                let mut parts = Parts::new(loc, string);
                self.nested(loc, |this| {
                    this.f_string_elements(&spec.elements, &mut parts)
                })?;
                Some(Box::new(parts.finish(string)))
            }
        };
        let conversion = match field.conversion {
            ruff::ConversionFlag::Str => 1,
            ruff::ConversionFlag::Repr => 2,
            ruff::ConversionFlag::Ascii => 3,
            ruff::ConversionFlag::None if field.debug_text.is_some() && spec.is_none() => 2,
            ruff::ConversionFlag::None => 0,
        };
        Ok(Expr {
            loc,
            kind: ExprKind::Formatted {
                value,
                conversion,
                spec,
            },
        })
    }
}

/// A float as `repr` writes it.
pub(super) fn float_text(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "nan"
        } else if value > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .into();
    }
    let text = format!("{value:e}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..16) => {
            let plain = if exponent < 16 {
                format!("{value}")
            } else {
                text
            };
            if plain.contains('.') {
                plain
            } else {
                plain + ".0"
            }
        }
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        Err(_) => text,
    }
}
