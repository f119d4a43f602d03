//! Numbers as text, as `repr` writes them.

use num_bigint::BigInt;

/// Maximum decimal digits of an integer that CPython 3.11.7 converts.
pub const MOST_DIGITS: usize = 4300;

/// Returns the decimal text of an integer. `None` if it has more digits than CPython converts.
pub fn integer(value: &BigInt) -> Option<String> {
    // 4300 digits are fewer than 14285 bits.
    if value.bits() > 14_285 {
        return None;
    }
    let text = value.to_string();
    (text.trim_start_matches('-').len() <= MOST_DIGITS).then_some(text)
}

/// `repr` of a float.
pub fn float(value: f64) -> String {
    let mut text = String::new();
    write_float(&mut text, value, true);
    text
}

/// `repr` of a complex number.
pub fn complex(real: f64, imag: f64) -> String {
    let mut text = String::new();
    if real == 0.0 && real.is_sign_positive() {
        write_float(&mut text, imag, false);
        text.push('j');
        return text;
    }
    text.push('(');
    write_float(&mut text, real, false);
    if imag.is_nan() || imag.is_sign_positive() {
        text.push('+');
    }
    write_float(&mut text, imag, false);
    text.push_str("j)");
    text
}

/// Returns the shortest digits that parse to the same float, with an exponent. Of two equally near
/// ones it chooses the even one, as CPython does.
fn shortest(value: f64) -> String {
    let short = format!("{value:e}");
    let digits = short
        .bytes()
        .take_while(|byte| *byte != b'e')
        .filter(u8::is_ascii_digit);
    let even = format!("{value:.*e}", digits.count().saturating_sub(1));
    if even.parse() == Ok(value) {
        even
    } else {
        short
    }
}

/// Writes the shortest digits that parse to the same float. `point`: whole numbers get `.0`.
fn write_float(text: &mut String, value: f64, point: bool) {
    if value.is_nan() {
        text.push_str("nan");
        return;
    }
    if value.is_sign_negative() {
        text.push('-');
    }
    if value.is_infinite() {
        text.push_str("inf");
        return;
    }
    let scientific = shortest(value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if !(-4..16).contains(&exponent) {
        let (head, rest) = digits.split_at(1);
        text.push_str(head);
        if !rest.is_empty() {
            text.push('.');
            text.push_str(rest);
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        text.push_str(&format!("e{sign}{:02}", exponent.abs()));
    } else if exponent < 0 {
        text.push_str("0.");
        text.push_str(&zeros(-1 - exponent));
        text.push_str(&digits);
    } else {
        let whole = usize::try_from(exponent + 1).unwrap_or(1);
        if digits.len() > whole {
            let (head, rest) = digits.split_at(whole);
            text.push_str(head);
            text.push('.');
            text.push_str(rest);
        } else {
            text.push_str(&digits);
            text.push_str(&"0".repeat(whole - digits.len()));
            if point {
                text.push_str(".0");
            }
        }
    }
}
