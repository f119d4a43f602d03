//! What classes of the program derive from: builtin classes are replaced by classes of the runtime that stand for them.

use super::abstract_classes::{BASES, mixin};
use super::call::Keywords;
use super::subscript::GENERIC_ALIAS;
use super::{Flow, Machine, Run};
use crate::value::{Object, ObjectId, Value};

/// What numbers the members of a flag.
pub(super) const NEXT_FLAG: &str = "enum.Flag._generate_next_value_";
/// What names the members of a `StrEnum`.
pub(super) const NEXT_TEXT: &str = "enum.StrEnum._generate_next_value_";

/// Builtin classes with plain values, and what stands for them as a base.
const PLAIN: [(&str, &str); 4] = [
    ("int", "_Int"),
    ("float", "_Float"),
    ("str", "_Text"),
    ("tuple", "_Tuple"),
];

impl Machine {
    /// The classes that `bases` stand for; keywords that a base takes are taken out.
    pub(super) fn parents(
        &mut self,
        bases: &[Value],
        keywords: &mut Keywords,
        hidden: bool,
    ) -> Run<Vec<ObjectId>> {
        let mut parents = Vec::new();
        let is_enumeration = |base: &Value| {
            base.id()
                .is_some_and(|id| self.class_attribute(id, "_enumeration_").is_some())
        };
        let enumeration = bases.iter().any(is_enumeration);
        for base in bases {
            let base = match self.heap.object(base) {
                Some(Object::Class(class)) if !hidden => match class.builtin.as_deref() {
                    Some("list") => self.prelude_value("_List")?,
                    Some("dict") => self.prelude_value("_Dict")?,
                    Some("str") if enumeration => self.prelude_value("enum__StrMixin")?,
                    Some("int") if enumeration => self.prelude_value("enum__IntMixin")?,
                    Some(dotted) if let Some(class) = self.plain_class(dotted) => class,
                    Some(dotted) => match mixin(dotted) {
                        Some(name) => self.prelude_value(&name)?,
                        None => base.clone(),
                    },
                    None => base.clone(),
                },
                Some(Object::Special { kind, parts }) if *kind == GENERIC_ALIAS => parts[0].clone(),
                Some(Object::Builtin(name)) if &**name == "typing.TypedDict" => {
                    keywords.retain(|(name, _)| &**name != "total");
                    self.prelude_value("_TypedDict")?
                }
                _ => base.clone(),
            };
            match (self.heap.object(&base), base.id()) {
                (Some(Object::Class(class)), Some(id)) => {
                    if let Some(builtin) = &class.builtin
                        && !self.is_exception_class(id)
                        && !BASES.contains(&&**builtin)
                        && !hidden
                    {
                        return Err(Flow::Unsupported(format!("a subclass of {builtin}")));
                    }
                    parents.push(id);
                }
                // `Generic[T]` and the like.
                (Some(Object::Opaque { class, .. }), _) if &**class == GENERIC_ALIAS => {}
                _ => return Err(Flow::Unsupported("a base that is no class".to_string())),
            }
        }
        Ok(parents)
    }

    /// What stands for `int`, `float`, `str` or `tuple` as a base, where the runtime has it.
    fn plain_class(&self, builtin: &str) -> Option<Value> {
        let (_, name) = PLAIN.iter().find(|(class, _)| *class == builtin)?;
        self.get_name(self.prelude, &(*name).into())
    }

    /// Whether a builtin is a special method of a class that the runtime's classes stand for: `int.__new__`, `str.__add__`.
    pub(super) fn is_plain_method(&self, dotted: &str) -> bool {
        let split = dotted.split_once('.');
        split.is_some_and(|(class, method)| {
            PLAIN.iter().any(|(builtin, _)| *builtin == class) && method.starts_with("__")
        }) && self
            .get_name(self.prelude, &"_unbound_plain".into())
            .is_some()
    }

    /// The function that gives the members of an enumeration their values; nothing where the class is none.
    pub(super) fn numbering(&self, parents: &[ObjectId]) -> Option<&'static str> {
        let has = |what: &str| {
            let mut parents = parents.iter();
            parents.any(|parent| self.class_attribute(*parent, what).is_some())
        };
        has("_enumeration_").then(|| match (has("_is_flag_"), has("_is_text_")) {
            (true, _) => NEXT_FLAG,
            (_, true) => NEXT_TEXT,
            _ => "enum._generate_next_value_",
        })
    }
}
