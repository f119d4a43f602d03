//! The values of a prefix, for statistics.

use crate::analysis::syntax::{children, text, with_tree};

/// Returns the values of a prefix as written, each with its kind: those of assignments and those in
/// `GIVEN`. Imports count as `module`, definitions as `class`.
pub fn values(prefix: &str) -> Vec<(&'static str, String)> {
    let found = with_tree(prefix, |tree| {
        let mut found = Vec::new();
        for statement in children(tree.root_node()) {
            match statement.kind() {
                "import_statement" | "import_from_statement" => {
                    found.push(("module", text(statement, prefix).to_owned()));
                }
                "class_definition" => {
                    let name = statement
                        .child_by_field_name("name")
                        .map(|n| text(n, prefix));
                    if name != Some("StandIn") {
                        found.push(("class", text(statement, prefix).to_owned()));
                    }
                }
                "expression_statement" => {
                    let assignment = statement
                        .named_child(0)
                        .filter(|a| a.kind() == "assignment");
                    let Some(right) = assignment.and_then(|a| a.child_by_field_name("right"))
                    else {
                        continue;
                    };
                    let left = assignment.and_then(|a| a.child_by_field_name("left"));
                    let given = left.is_some_and(|l| text(l, prefix) == "GIVEN");
                    let of_given = children(right).into_iter();
                    let of_given = of_given.filter_map(|pair| pair.child_by_field_name("value"));
                    let values: Vec<_> = if given {
                        of_given.collect()
                    } else {
                        vec![right]
                    };
                    found.extend(values.iter().map(|v| {
                        let written = text(*v, prefix);
                        (kind(v.kind(), written), written.to_owned())
                    }));
                }
                _ => {}
            }
        }
        Ok(found)
    });
    found.unwrap_or_default()
}

fn kind(node: &str, written: &str) -> &'static str {
    match node {
        "string" | "concatenated_string" => "str",
        "integer" => "int",
        "float" => "float",
        "true" | "false" => "bool",
        "none" => "None",
        "list" => "list",
        "tuple" => "tuple",
        "dictionary" => "dict",
        "set" => "set",
        "lambda" => "callable",
        "call" if written.starts_with("StandIn(") => "stand-in",
        "call" if written.starts_with("SimpleNamespace(") => "namespace",
        "call" if written.starts_with("MagicMock(") => "mock",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_where_prefixes_have_them() {
        let prefix = "import os\nclass StandIn: pass\nclass E(Exception): pass\nx = StandIn(\"x\")\n\
                      GIVEN = {\n    \"x.y\": 1,\n    \"x bool\": [True, False],\n}\n";
        let kinds: Vec<&str> = values(prefix).iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, ["module", "class", "stand-in", "int", "list"]);
    }
}
