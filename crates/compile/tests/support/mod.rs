//! Code as JSON, in the form that `dump_code.py` writes, and what differs.

use codexec_compile::code::{Code, Constant};
use serde_json::{Value, json};

/// Code as `dump_code.py` writes it.
pub(crate) fn code(code: &Code) -> Value {
    let instructions = code.instructions.iter();
    let handlers = code.handlers.iter();
    json!({
        "name": code.name,
        "qualname": code.qualname,
        "first_line": code.first_line,
        "args": [code.arg_count, code.posonly_arg_count, code.kwonly_arg_count],
        "flags": [
            code.has_varargs,
            code.has_varkeywords,
            code.is_generator,
            code.is_coroutine,
            code.is_async_generator,
            code.is_optimized,
        ],
        "instructions": instructions
            .map(|instr| json!([format!("{:?}", instr.op), instr.arg, instr.line]))
            .collect::<Vec<_>>(),
        "handlers": handlers
            .map(|it| json!([it.start, it.end, it.target, it.depth, it.push_lasti]))
            .collect::<Vec<_>>(),
        "constants": code.constants.iter().map(constant).collect::<Vec<_>>(),
        "names": texts(&code.names),
        "var_names": texts(&code.var_names),
        "cell_vars": texts(&code.cell_vars),
        "free_vars": texts(&code.free_vars),
        "stack_size": code.stack_size,
    })
}

fn texts(names: &[std::sync::Arc<str>]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

fn bits(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn constant(value: &Constant) -> Value {
    match value {
        Constant::None => json!("None"),
        Constant::Ellipsis => json!("Ellipsis"),
        Constant::Bool(value) => json!(["bool", format!("{:#x}", u8::from(*value))]),
        Constant::Int(value) => {
            let sign = if *value < 0 { "-" } else { "" };
            json!(["int", format!("{sign}{:#x}", value.unsigned_abs())])
        }
        Constant::BigInt(value) => {
            let sign = if value.sign() == num_bigint::Sign::Minus {
                "-"
            } else {
                ""
            };
            json!([
                "int",
                format!("{sign}0x{}", value.magnitude().to_str_radix(16))
            ])
        }
        Constant::Float(value) => json!(["float", bits(*value)]),
        Constant::Complex(real, imaginary) => json!(["complex", bits(*real), bits(*imaginary)]),
        Constant::Str(text) => json!(["str", &**text]),
        Constant::Bytes(bytes) => json!(["bytes", hex(bytes)]),
        Constant::Tuple(items) => {
            json!(["tuple", items.iter().map(constant).collect::<Vec<_>>()])
        }
        Constant::Frozenset(items) => {
            let mut items: Vec<Value> = items.iter().map(constant).collect();
            items.sort_by_key(python_dumps);
            json!(["frozenset", items])
        }
        Constant::Code(inner) => json!(["code", code(inner)]),
    }
}

/// As `json.dumps` writes it: what frozensets are sorted by.
fn python_dumps(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(python_dumps).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) => {
            let mut quoted = String::from("\"");
            for c in text.chars() {
                match c {
                    '"' => quoted.push_str("\\\""),
                    '\\' => quoted.push_str("\\\\"),
                    '\n' => quoted.push_str("\\n"),
                    '\r' => quoted.push_str("\\r"),
                    '\t' => quoted.push_str("\\t"),
                    '\u{8}' => quoted.push_str("\\b"),
                    '\u{c}' => quoted.push_str("\\f"),
                    ' '..='~' => quoted.push(c),
                    c => {
                        for unit in c.encode_utf16(&mut [0; 2]) {
                            quoted.push_str(&format!("\\u{unit:04x}"));
                        }
                    }
                }
            }
            quoted + "\""
        }
        other => other.to_string(),
    }
}

/// The first difference, in words; `None` if there is none.
pub(crate) fn difference(path: &str, ours: &Value, theirs: &Value) -> Option<String> {
    if ours == theirs {
        return None;
    }
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            // Instructions say most, but those of an inner code are looked at first.
            let keys = [
                "name",
                "first_line",
                "args",
                "flags",
                "cell_vars",
                "free_vars",
                "constants",
                "instructions",
                "handlers",
                "names",
                "var_names",
                "stack_size",
                "qualname",
            ];
            let inner = format!("{path}/{}", b["name"].as_str().unwrap_or("?"));
            let mut found = keys.iter().filter_map(|key| {
                let place = format!("{inner}.{key}");
                if *key == "instructions" {
                    return instructions(&place, &a[*key], &b[*key]);
                }
                difference(&place, &a[*key], &b[*key])
            });
            found
                .find(|text| text.contains(".instructions"))
                .or_else(|| {
                    keys.iter()
                        .find_map(|key| difference(&format!("{inner}.{key}"), &a[*key], &b[*key]))
                })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(at, (a, b))| difference(&format!("{path}[{at}]"), a, b)),
        _ => Some(format!("{path}: ours {ours} theirs {theirs}")),
    }
}

fn instructions(path: &str, ours: &Value, theirs: &Value) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let (a, b) = (ours.as_array()?, theirs.as_array()?);
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let show = |list: &[Value]| {
        let end = list.len().min(same + 4);
        let shown = &list[same.saturating_sub(1)..end];
        shown
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    Some(format!(
        "{path}[{same}]:\n    ours   {}\n    theirs {}",
        show(a),
        show(b)
    ))
}
