//! Builtins that accept keyword arguments: they are called with all arguments in their positions.

use crate::machine::calls::call::Keywords;
use crate::value::Value;

/// Returns the parameter names of a builtin, empty for a parameter without a name, and the value of
/// a parameter that is left out before others.
fn parameters(name: &str) -> Option<(&'static [&'static str], Value)> {
    Some(match name {
        "round" => (&["number", "ndigits"], Value::None),
        "pow" => (&["base", "exp", "mod"], Value::None),
        "int" => (&["", "base"], Value::None),
        "complex" => (&["real", "imag"], Value::Int(0)),
        "bytes" | "bytearray" => (&["source", "encoding", "errors"], Value::str("utf-8")),
        "str" => (&["object", "encoding", "errors"], Value::str("utf-8")),
        "property" => (&["fget", "fset", "fdel", "doc"], Value::None),
        _ => return None,
    })
}

/// Returns the arguments of a call with all keywords in their positions. `None` if a keyword has
/// none.
pub(in crate::machine) fn placed(
    name: &str,
    arguments: &[Value],
    keywords: &Keywords,
) -> Option<Vec<Value>> {
    let (names, left_out) = parameters(name)?;
    let mut all = arguments.to_vec();
    let mut used = 0;
    // All others need their first argument.
    let needs_first = name != "property";
    for name in names.iter().skip(arguments.len()) {
        if used == keywords.len() {
            break;
        }
        let named = keywords.iter().find(|(key, _)| &**key == *name);
        used += usize::from(named.is_some());
        if needs_first && all.is_empty() && named.is_none() {
            return None;
        }
        all.push(named.map_or(left_out.clone(), |(_, value)| value.clone()));
    }
    (used == keywords.len()).then_some(all)
}
