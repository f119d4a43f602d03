//! What a value must be according to its uses in the program; otherwise, what its name usually is.
//!
//! The evidence is weighed by hand, strongest first: what an operation supports at all (`with`,
//! `raise`, a compared literal), then which type has the called methods, then the functions that it
//! is passed to. If no use is telling, the frequencies of its name decide; if the name is unknown,
//! it is an object.

use codexec_data::sources::builtins::{Methods, types_with};

use super::frequency::recorded;
use super::{LikelyClass, Predictor, Query, certain};
use crate::analysis::uses::{Literal, Uses};
use crate::values::Class;

/// Decides by use, then by name.
#[derive(Debug)]
pub struct TypeUse;

impl Predictor for TypeUse {
    fn name(&self) -> &'static str {
        "type-use"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let weighed = query.uses.map(weigh).unwrap_or_default();
        let by_name = || match recorded(query.kind, query.name) {
            Some(known) => known.to_vec(),
            None => certain_enough(Class::Object, 0.4),
        };
        match weighed {
            Some((class, probability)) => {
                let mut found = certain_enough(class, probability);
                // The rest, by name.
                let left = 1.0 - probability;
                found.extend(by_name().into_iter().filter(|p| p.class != class).map(|p| {
                    LikelyClass {
                        probability: p.probability * left,
                        ..p
                    }
                }));
                found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
                found
            }
            None => by_name(),
        }
    }
}

fn certain_enough(class: Class, probability: f32) -> Vec<LikelyClass> {
    let mut found = certain(class);
    found[0].probability = probability;
    found
}

/// Returns the class that the uses indicate and how clearly; `None` if they indicate none.
pub(in crate::values) fn weigh(uses: &Uses) -> Option<(Class, f32)> {
    if uses.exception || uses.base || uses.pattern {
        return Some((Class::Callable, 0.95));
    }
    let must_be_none = uses.none == Some(true) && (uses.set_when_missing || !uses.is_used());
    if must_be_none || uses.set_when_missing && uses.truth == Some(false) {
        return Some((Class::None, 0.8));
    }
    if let Some(class) = instance(uses) {
        return Some((class, 0.9));
    }
    if uses.called {
        return Some((Class::Callable, 0.95));
    }
    if uses.entered {
        return Some((Class::Object, 0.8));
    }
    if uses.multi || uses.operated || uses.awaited {
        return Some((Class::Object, 0.7));
    }
    let dict = !uses.keys.is_empty() || uses.keywords;
    if dict
        && uses
            .attributes
            .iter()
            .all(|a| is_method_of(Methods::Dict, a))
    {
        return Some((Class::DictNonempty, 0.8));
    }
    if let Some(found) = methods(uses) {
        return Some(found);
    }
    if let Some(class) = compared(uses) {
        return Some((class, 0.85));
    }
    if uses.joined {
        return Some((Class::StrNonempty, 0.8));
    }
    if uses.extended {
        return Some((Class::ListNonempty, 0.8));
    }
    if uses.looked_up {
        return Some((Class::Object, 0.5));
    }
    if let Some(class) = handed(uses) {
        return Some((class, 0.7));
    }
    if uses.unpacked.is_some() {
        return Some((Class::TupleNonempty, 0.7));
    }
    if uses.arithmetic && !uses.iterated && uses.indexed.is_none() {
        return Some((Class::IntPos, 0.7));
    }
    if uses.iterated || uses.starred {
        return Some((Class::ListNonempty, 0.7));
    }
    if uses.sized || uses.indexed.is_some() || uses.sliced {
        return Some((Class::ListNonempty, 0.5));
    }
    None
}

fn instance(uses: &Uses) -> Option<Class> {
    let wanted = uses.instance_of.iter().filter(|(_, wanted)| *wanted);
    wanted.into_iter().find_map(|(name, _)| {
        Some(match name.as_str() {
            "str" => Class::StrNonempty,
            "int" => Class::IntPos,
            "float" => Class::FloatPos,
            "bool" => Class::True,
            "list" => Class::ListNonempty,
            "tuple" => Class::TupleNonempty,
            "set" => Class::SetNonempty,
            "dict" => Class::DictNonempty,
            _ => return None,
        })
    })
}

/// The types that methods distinguish. `tuple` has no methods besides those of `list`, `bytes` few
/// besides those of `str`.
const TYPES: [(Methods, Class); 4] = [
    (Methods::Str, Class::StrNonempty),
    (Methods::List, Class::ListNonempty),
    (Methods::Dict, Class::DictNonempty),
    (Methods::Set, Class::SetNonempty),
];

fn is_method_of(of: Methods, name: &str) -> bool {
    // Includes Python 2's.
    let old = of == Methods::Dict && matches!(name, "has_key" | "iteritems");
    old || types_with(name).any(|found| found == of)
}

/// Returns the type that has all attributes read, if all of them are called as methods.
fn methods(uses: &Uses) -> Option<(Class, f32)> {
    if uses.attributes.is_empty() {
        return None;
    }
    if uses.attributes != uses.methods || uses.decorates {
        return Some((Class::Object, 0.85));
    }
    let fits = |of: Methods| uses.methods.iter().all(|m| is_method_of(of, m));
    let mut fitting = TYPES
        .iter()
        .filter(|(of, _)| fits(*of))
        .map(|(_, class)| *class);
    match (fitting.next(), fitting.next()) {
        (Some(class), None) => Some((class, 0.85)),
        (Some(class), Some(_)) => Some((class, 0.45)),
        (None, _) => Some((Class::Object, 0.85)),
    }
}

fn compared(uses: &Uses) -> Option<Class> {
    let c = uses.comparisons.first()?;
    Some(match (&c.literal, c.length) {
        (_, true) if uses.joined => Class::StrNonempty,
        (_, true) => Class::ListNonempty,
        (Literal::Text(text), _) if text.is_empty() && c.is_same() => Class::StrEmpty,
        (Literal::Text(_), _) => Class::StrNonempty,
        (Literal::Int(_), _) => Class::IntPos,
        (Literal::Float(_), _) => Class::FloatPos,
        (Literal::Bool(value), _) if *value == c.is_same() => Class::True,
        (Literal::Bool(_), _) => Class::False,
    })
}

/// Returns the class that builtin and standard library functions expect.
fn handed(uses: &Uses) -> Option<Class> {
    uses.handed_to.iter().find_map(|(function, at)| {
        let last = function.rsplit('.').next().unwrap_or(function);
        Some(match (function.as_str(), *at) {
            ("range" | "chr" | "hex" | "bin", _) => Class::IntPos,
            ("ord" | "open" | "__import__", 0) => Class::StrNonempty,
            ("int" | "float", 0) => Class::StrNonempty,
            ("getattr" | "setattr" | "hasattr", 1) => Class::StrNonempty,
            ("sum" | "sorted" | "enumerate" | "reversed" | "zip" | "set" | "list", _) => {
                Class::ListNonempty
            }
            ("map" | "filter", 1) => Class::ListNonempty,
            ("time.sleep" | "sleep", 0) => Class::IntPos,
            (f, _) if f.starts_with("os.path.") => Class::StrNonempty,
            (f, _) if f.starts_with("os.") && f != "os.walk()" => Class::StrNonempty,
            (f, _) if f.starts_with("math.") => Class::FloatPos,
            (f, 0 | 1) if f.starts_with("re.") => Class::StrNonempty,
            (_, 0) if matches!(last, "startswith" | "endswith" | "split" | "replace") => {
                Class::StrNonempty
            }
            (_, 0) if last == "join" => Class::ListNonempty,
            _ => return None,
        })
    })
}

/// Does the same for a value that no predictor is asked about: an element, or the target of `with`.
pub(crate) fn of_derived(uses: &Uses) -> (Class, f32) {
    weigh(uses).unwrap_or((Class::Object, 0.4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::analyse_for_tests;

    #[test]
    fn use_tells_the_kind() {
        let program = "\
if mode == 'fast': go(mode)
for part in text.split(','): print(part.strip())
total = price + 1.5
with lock: pass
try: run()
except Failure: pass
print(config['name'], config.get('size'))
if limit is None: limit = 3
items.append(total)
if isinstance(x, dict): pass
@keys.add('c')
def f(): pass
";
        let evidence = analyse_for_tests(program);
        let class = |path: &str| evidence.get(path).and_then(weigh).map(|(class, _)| class);
        assert_eq!(class("mode"), Some(Class::StrNonempty));
        assert_eq!(class("text"), Some(Class::StrNonempty));
        assert_eq!(class("text.split"), Some(Class::Callable));
        assert_eq!(class("text.split()[]"), Some(Class::StrNonempty));
        assert_eq!(class("price"), Some(Class::IntPos));
        assert_eq!(class("lock"), Some(Class::Object));
        assert_eq!(class("Failure"), Some(Class::Callable));
        assert_eq!(class("config"), Some(Class::DictNonempty));
        assert_eq!(class("limit"), Some(Class::None));
        assert_eq!(class("items"), Some(Class::ListNonempty));
        assert_eq!(class("x"), Some(Class::DictNonempty));
        assert_eq!(class("keys"), Some(Class::Object));
        assert_eq!(class("go()"), None);
    }
}
