//! `compile` with the flag for a syntax tree: nodes of `_ast`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::compile::tree::{Kind, Step, parse};
use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Attributes, Object, ObjectId, Value};

/// `PyCF_ONLY_AST`
pub(in crate::machine) const ONLY_TREE: i64 = 0x400;
/// Flags of `from __future__` imports, which do not change a tree.
const FUTURE: i64 = 0x1ff_0000 | 0x2000;

const PLACE: [&str; 4] = ["lineno", "col_offset", "end_lineno", "end_col_offset"];

impl Machine {
    /// Returns the tree of a text. `None` if the arguments do not request one.
    pub(in crate::machine) fn syntax_tree(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [
            source,
            Value::Str(file),
            Value::Str(mode),
            Value::Int(flags),
            ..,
        ] = arguments
        else {
            return Ok(None);
        };
        if flags & ONLY_TREE == 0 {
            return Ok(None);
        }
        let unsupported = |what: &str| Flow::Unsupported(format!("ast.parse of {what}"));
        if flags & !ONLY_TREE & !FUTURE != 0 {
            return Err(unsupported("comments"));
        }
        let text = match source {
            Value::Str(text) => text.clone(),
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if !text.contains("coding") => text.trim_start_matches('\u{feff}').into(),
                _ => return Err(unsupported("such bytes")),
            },
            // A node is returned unchanged.
            Value::Object(id) if matches!(self.heap.get(*id), Object::Instance { .. }) => {
                return Ok(Some(source.clone()));
            }
            _ => return Err(unsupported("that")),
        };
        let kind = match &**mode {
            "exec" => Kind::Module,
            "eval" => Kind::Expression,
            "single" => Kind::Interactive,
            _ => return Err(unsupported("a signature")),
        };
        self.charge(text.len().saturating_mul(4));
        match parse(&text, kind) {
            Ok(steps) => self.nodes_of(steps).map(Some),
            Err(error) => {
                let error = (kind != Kind::Expression).then_some(error);
                Err(self.no_code(&text, file, error))
            }
        }
    }

    fn nodes_of(&mut self, steps: Vec<Step>) -> Run<Value> {
        self.charge(steps.len());
        let mut known: HashMap<&'static str, Value> = HashMap::new();
        let mut texts: HashMap<&'static str, Arc<str>> = HashMap::new();
        let mut made: Vec<Value> = Vec::new();
        for step in steps {
            let value = match step {
                Step::Constant(constant) => self.constant(&constant),
                Step::One(class) => match known.get(class) {
                    Some(one) => one.clone(),
                    None => {
                        let one = self.library_value("_ast", &format!("_one_{class}"))?;
                        known.insert(class, one.clone());
                        one
                    }
                },
                Step::List(count) => {
                    let at = made.len().checked_sub(count);
                    let items = made.split_off(at.ok_or_else(|| broken("tree"))?);
                    self.heap.list(items)
                }
                Step::Node {
                    class,
                    fields,
                    place,
                } => {
                    let class = self.node_class(class, &mut known)?;
                    let at = made.len().checked_sub(fields.len());
                    let values = made.split_off(at.ok_or_else(|| broken("tree"))?);
                    let mut attributes = Attributes::default();
                    let places = place.into_iter().flatten();
                    let places = places.map(|number| Value::Int(number.into()));
                    let names = fields.iter().chain(&PLACE);
                    for (name, value) in names.zip(values.into_iter().chain(places)) {
                        let name = texts.entry(name).or_insert_with(|| (*name).into());
                        attributes.insert(name.clone(), value);
                    }
                    self.heap.make(Object::Instance {
                        class,
                        attributes,
                        base: None,
                    })
                }
            };
            made.push(value);
        }
        made.pop().ok_or_else(|| broken("tree"))
    }

    fn node_class(
        &mut self,
        class: &'static str,
        known: &mut HashMap<&'static str, Value>,
    ) -> Run<ObjectId> {
        let value = match known.get(class) {
            Some(value) => value.clone(),
            None => {
                let value = self.library_value("_ast", class)?;
                known.insert(class, value.clone());
                value
            }
        };
        value.id().ok_or_else(|| broken("class"))
    }
}
