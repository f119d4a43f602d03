//! Single statements with the names they read and the types those names can have.
//!
//! The raw material of step examples: a statement is run after assignments of random values of those
//! types. A small table is built in; larger ones are read from JSON Lines (`stmt`, `free`, `types`).

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::write_whole;

use super::{SourceError, io_error, read_json_lines};

/// A statement that reads a few variables and otherwise only builtins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// The statement, one line; a condition is the header of its `if` or `while`.
    pub stmt: String,
    /// Its kind, according to the author of the file; [`kind_of`](super::kind_of) decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The names it reads.
    pub free: Vec<String>,
    /// The names it binds.
    #[serde(default)]
    pub stored: Vec<String>,
    /// How often it was seen.
    #[serde(default)]
    pub n: usize,
    /// Where it was seen first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub src: Vec<String>,
    /// The licence it is under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Combinations of types it is known to run with, in the order of `free`: `int`, `float`,
    /// `bool`, `str`, `list_int`, `dict_str_int`, ...
    #[serde(default)]
    pub types: Vec<Vec<String>>,
}

/// Reads templates; those without a known combination of types are left out.
///
/// # Errors
/// If the file cannot be read, or a line has no statement.
pub fn read_templates(path: &Path) -> Result<Vec<Template>, SourceError> {
    let mut templates: Vec<Template> = read_json_lines(path)?;
    templates.retain(|t| t.types.iter().any(|types| types.len() == t.free.len()));
    Ok(templates)
}

/// Writes templates in the form that [`read_templates`] reads, compressed if the name ends in
/// `.zst`: completely or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_templates(path: &Path, templates: &[Template]) -> Result<(), SourceError> {
    let write = || -> std::io::Result<()> {
        let mut text = Vec::new();
        for template in templates {
            serde_json::to_writer(&mut text, template)?;
            text.push(b'\n');
        }
        if path.extension().is_some_and(|e| e == "zst") {
            text = zstd::encode_all(&text[..], 9)?;
        }
        write_whole(path, &text)
    };
    write().map_err(io_error(path))
}

/// Text, names read, combinations of types.
type Builtin = (
    &'static str,
    &'static [&'static str],
    &'static [&'static [&'static str]],
);

/// The statements that are built in: text, names read, combinations of types.
const BUILTIN: &[Builtin] = &[
    (
        "a = b + c",
        &["b", "c"],
        &[
            &["int", "int"],
            &["float", "int"],
            &["str", "str"],
            &["list_int", "list_int"],
        ],
    ),
    (
        "a = b - c",
        &["b", "c"],
        &[
            &["int", "int"],
            &["float", "float"],
            &["set_int", "set_int"],
        ],
    ),
    (
        "a = b * c",
        &["b", "c"],
        &[&["int", "int"], &["str", "int"], &["float", "int"]],
    ),
    ("a = b // c", &["b", "c"], &[&["int", "int"]]),
    ("a = b % c", &["b", "c"], &[&["int", "int"]]),
    (
        "a = b / c",
        &["b", "c"],
        &[&["int", "int"], &["float", "int"]],
    ),
    ("a = b ** 2", &["b"], &[&["int"], &["float"]]),
    (
        "a = b < c",
        &["b", "c"],
        &[&["int", "int"], &["str", "str"]],
    ),
    (
        "a = b == c",
        &["b", "c"],
        &[&["int", "int"], &["str", "str"], &["list_int", "list_int"]],
    ),
    (
        "a = b and c",
        &["b", "c"],
        &[&["bool", "bool"], &["int", "int"]],
    ),
    ("a = not b", &["b"], &[&["bool"], &["int"], &["list_int"]]),
    (
        "a = b if b > c else c",
        &["b", "c"],
        &[&["int", "int"], &["float", "int"]],
    ),
    (
        "a += b",
        &["a", "b"],
        &[&["int", "int"], &["str", "str"], &["list_int", "list_int"]],
    ),
    ("a -= b", &["a", "b"], &[&["int", "int"]]),
    ("a *= b", &["a", "b"], &[&["int", "int"], &["str", "int"]]),
    (
        "a, b = b, a",
        &["a", "b"],
        &[&["int", "int"], &["str", "int"]],
    ),
    ("a, b = b, a + b", &["a", "b"], &[&["int", "int"]]),
    ("a, b = b, a % b", &["a", "b"], &[&["int", "int"]]),
    (
        "l.append(x)",
        &["l", "x"],
        &[&["list_int", "int"], &["list_str", "str"]],
    ),
    ("x = l.pop()", &["l"], &[&["list_int"], &["list_str"]]),
    (
        "x = l[i]",
        &["l", "i"],
        &[
            &["list_int", "int"],
            &["str", "int"],
            &["dict_int_int", "int"],
        ],
    ),
    (
        "l[i] = x",
        &["l", "i", "x"],
        &[&["list_int", "int", "int"], &["dict_int_int", "int", "int"]],
    ),
    (
        "l[0], l[1] = l[1], l[0]",
        &["l"],
        &[&["list_int"], &["list_str"]],
    ),
    (
        "d[k] = d.get(k, 0) + 1",
        &["d", "k"],
        &[&["dict_str_int", "str"], &["dict_int_int", "int"]],
    ),
    (
        "n = len(s)",
        &["s"],
        &[&["str"], &["list_int"], &["dict_str_int"]],
    ),
    ("m = max(l)", &["l"], &[&["list_int"], &["tuple_int"]]),
    ("m = min(a, b)", &["a", "b"], &[&["int", "int"]]),
    ("m = sum(l)", &["l"], &[&["list_int"], &["tuple_int"]]),
    ("m = abs(a - b)", &["a", "b"], &[&["int", "int"]]),
    (
        "l = sorted(l)",
        &["l"],
        &[&["list_int"], &["list_str"], &["set_int"]],
    ),
    ("l.sort()", &["l"], &[&["list_int"], &["list_str"]]),
    ("l.reverse()", &["l"], &[&["list_int"], &["list_str"]]),
    ("r = s[::-1]", &["s"], &[&["str"], &["list_int"]]),
    ("r = s[1:]", &["s"], &[&["str"], &["list_int"]]),
    (
        "r = s[:n]",
        &["s", "n"],
        &[&["str", "int"], &["list_int", "int"]],
    ),
    ("r = s + str(n)", &["s", "n"], &[&["str", "int"]]),
    ("s = str(n)", &["n"], &[&["int"], &["float"]]),
    ("n = int(f)", &["f"], &[&["float"]]),
    ("x = [i * 2 for i in l]", &["l"], &[&["list_int"]]),
    (
        "x = [i for i in l if i > n]",
        &["l", "n"],
        &[&["list_int", "int"]],
    ),
    ("x = list(range(n))", &["n"], &[&["int"]]),
    ("w = s.upper()", &["s"], &[&["str"]]),
    ("w = s.split()", &["s"], &[&["str"]]),
    ("w = ' '.join(l)", &["l"], &[&["list_str"]]),
    ("n = s.count('a')", &["s"], &[&["str"]]),
    ("n = l.index(x)", &["l", "x"], &[&["list_int", "int"]]),
    (
        "s.add(x)",
        &["s", "x"],
        &[&["set_int", "int"], &["set_str", "str"]],
    ),
    (
        "b = x in s",
        &["x", "s"],
        &[
            &["int", "set_int"],
            &["int", "list_int"],
            &["str", "dict_str_int"],
        ],
    ),
    (
        "print(x)",
        &["x"],
        &[&["int"], &["str"], &["list_int"], &["float"]],
    ),
    (
        "print(a, b)",
        &["a", "b"],
        &[&["int", "int"], &["str", "int"]],
    ),
    ("print(a + b)", &["a", "b"], &[&["int", "int"]]),
    (
        "print('Yes' if a > b else 'No')",
        &["a", "b"],
        &[&["int", "int"]],
    ),
];

impl Template {
    /// The statement after assignments to the names it reads. A condition gets a body, so that the
    /// next line shows whether it held.
    pub fn program(&self, values: &[String]) -> String {
        let mut text = String::new();
        for (name, value) in self.free.iter().zip(values) {
            text.push_str(&format!("{name} = {value}\n"));
        }
        text.push_str(&self.stmt);
        text.push('\n');
        if self.stmt.ends_with(':') {
            let body = if self.stmt.starts_with("while") {
                "break"
            } else {
                "pass"
            };
            text.push_str(&format!("    {body}\n"));
        }
        text
    }

    /// The combinations with one type for each name read.
    pub fn known_types(&self) -> impl Iterator<Item = &Vec<String>> {
        self.types
            .iter()
            .filter(|types| types.len() == self.free.len())
    }

    /// The built-in templates.
    pub fn builtin() -> Vec<Self> {
        let own = |names: &[&str]| {
            names
                .iter()
                .map(|n| (*n).to_owned())
                .collect::<Vec<String>>()
        };
        BUILTIN
            .iter()
            .map(|(stmt, free, types)| Self {
                stmt: (*stmt).to_owned(),
                kind: None,
                free: own(free),
                stored: Vec::new(),
                n: 1,
                src: Vec::new(),
                licence: None,
                types: types.iter().map(|t| own(t)).collect(),
            })
            .collect()
    }
}
