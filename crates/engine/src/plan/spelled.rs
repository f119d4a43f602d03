//! Values as Python expressions: the probable value at a path of a program, in a form that a planner can walk. The
//! classes are those of the predictors of `codexec guide`; each becomes a value that fits its use.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use codexec_unknown::analysis::{Hint, hint};
use codexec_unknown::guide::{Location, Prepared};
use codexec_unknown::values::predictors::LikelyClass;
use codexec_unknown::values::{Class, Predictor};

/// Name of the class of values that have attributes.
pub const CLASS: &str = "Missing";
/// Its definition.
pub const CLASS_TEXT: &str = "\
class Missing:
    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, value)
    def __repr__(self): return 'Missing()'
";
/// Maximum depth of a value.
const MOST_DEPTH: usize = 6;

/// Information about the values of a program, by path: `f`, `f()`, `f().name`, `f()[]`.
pub struct Spelled<'p> {
    prepared: &'p Prepared,
    roots: BTreeMap<&'p str, Root<'p>>,
    source: &'p str,
    predictor: &'p dyn Predictor,
    /// The predictor for values reached through names; the predictor itself if `None`.
    of_parts: Option<&'p dyn Predictor>,
}

/// The paths that begin with one name, and their predictions once they are needed.
#[derive(Default)]
struct Root<'p> {
    first: BTreeMap<&'p str, &'p Location>,
    classes: OnceCell<BTreeMap<&'p str, Vec<LikelyClass>>>,
}

/// The name that a path begins with.
fn root(path: &str) -> &str {
    path.split(['.', '(', '[']).next().unwrap_or_default()
}

impl<'p> Spelled<'p> {
    /// A predictor's answers for values reached through names. It is asked about the first place of each path once its
    /// name is used, because a query takes it a millisecond or more.
    pub fn new(
        source: &'p str,
        prepared: &'p Prepared,
        predictor: &'p dyn Predictor,
        names: &BTreeSet<&str>,
    ) -> Self {
        let mut roots: BTreeMap<&str, Root<'p>> = BTreeMap::new();
        for location in &prepared.instrumented.locations {
            if let Some(path) = location.path.as_deref()
                && names.contains(root(path))
            {
                let root = roots.entry(root(path)).or_default();
                root.first.entry(path).or_insert(location);
            }
        }
        Self {
            prepared,
            roots,
            source,
            predictor,
            of_parts: None,
        }
    }

    /// The same with another predictor for the names' attributes, items and results.
    #[must_use]
    pub fn with_parts_of(mut self, predictor: &'p dyn Predictor) -> Self {
        self.of_parts = Some(predictor);
        self
    }

    fn is_known(&self, path: &str) -> bool {
        let root = self.roots.get(root(path));
        let has = root.is_some_and(|root| root.first.contains_key(path));
        has || self.prepared.uses(Some(path)).is_some()
    }

    /// The classes that the value at a path may be of, the most probable first.
    pub fn likely(&self, path: &str) -> &[LikelyClass] {
        let Some(root) = self.roots.get(root(path)) else {
            return &[];
        };
        let classes = root.classes.get_or_init(|| self.asked(root));
        classes.get(path).map_or(&[], Vec::as_slice)
    }

    fn asked(&self, of: &Root<'p>) -> BTreeMap<&'p str, Vec<LikelyClass>> {
        let is_part = |path: &str| self.of_parts.is_some() && root(path) != path;
        let (parts, names): (Vec<_>, Vec<_>) = of.first.iter().partition(|(path, _)| is_part(path));
        let ask = |predictor: &dyn Predictor, asked: Vec<(&&'p str, &&'p Location)>| {
            let query = |(_, at): &(&&str, &&'p Location)| self.prepared.query(self.source, at);
            let queries: Vec<_> = asked.iter().map(query).collect();
            let likely = predictor.predict_all(&queries);
            let paths = asked.into_iter().map(|(path, _)| *path);
            paths.zip(likely).collect::<Vec<_>>()
        };
        let mut all: BTreeMap<_, _> = ask(self.predictor, names).into_iter().collect();
        all.extend(ask(self.of_parts.unwrap_or(self.predictor), parts));
        all
    }

    /// An expression that makes the value at a path.
    pub fn expression(&self, path: &str, depth: usize) -> String {
        let class = self.likely(path).first().map(|likely| likely.class);
        self.expression_of(path, class, depth)
    }

    /// An expression that makes a value of a class for a path.
    pub fn expression_of(&self, path: &str, class: Option<Class>, depth: usize) -> String {
        let uses = self.prepared.uses(Some(path));
        let wanted = uses.map(hint).unwrap_or_default();
        if wanted.exception {
            return "Exception".to_owned();
        }
        if uses.is_some_and(|uses| uses.base) {
            return "object".to_owned();
        }
        if depth > MOST_DEPTH {
            return "1".to_owned();
        }
        let called = format!("{path}()");
        let is_called = uses.is_some_and(|uses| uses.called) || self.is_known(&called);
        let attributes: BTreeSet<&String> = match uses {
            Some(uses) => uses.attributes.iter().chain(&uses.methods).collect(),
            None => BTreeSet::new(),
        };
        if is_called && attributes.is_empty() {
            return format!("lambda *_, **__: {}", self.expression(&called, depth + 1));
        }
        // A value with used attributes is an instance, unless they are those of a builtin class.
        let plain = class
            .filter(|class| !matches!(class, Class::Object | Class::Resource | Class::Callable));
        match plain {
            Some(class) => self.plain(path, class, &wanted, depth),
            None if attributes.is_empty() && class.is_none() => "1".to_owned(),
            None if attributes.is_empty() => format!("{CLASS}()"),
            None => {
                let of = |name: &&String| {
                    let value = self.expression(&format!("{path}.{name}"), depth + 1);
                    format!("{name}={value}")
                };
                let all: Vec<String> = attributes.iter().map(of).collect();
                format!("{CLASS}({})", all.join(", "))
            }
        }
    }

    fn plain(&self, path: &str, class: Class, wanted: &Hint, depth: usize) -> String {
        let number = |usual: f64| wanted.number.unwrap_or(usual);
        let items = || -> Vec<String> {
            let element = format!("{path}[]");
            let value = match self.is_known(&element) {
                true => self.expression(&element, depth + 1),
                false => "1".to_owned(),
            };
            vec![value; wanted.count.unwrap_or(2).min(8)]
        };
        match class {
            Class::None => "None".to_owned(),
            Class::True => "True".to_owned(),
            Class::False => "False".to_owned(),
            Class::IntNeg => format!("{:.0}", number(-1.0)),
            Class::IntZero => format!("{:.0}", number(0.0)),
            Class::IntPos => format!("{:.0}", number(1.0)),
            Class::FloatNeg => format!("{:?}", number(-1.0)),
            Class::FloatZero => format!("{:?}", number(0.0)),
            Class::FloatPos => format!("{:?}", number(1.0)),
            Class::StrEmpty => "''".to_owned(),
            Class::StrNonempty => {
                let usual = if wanted.digits { "1" } else { "a" };
                format!("{:?}", wanted.text.as_deref().unwrap_or(usual))
            }
            Class::ListEmpty => "[]".to_owned(),
            Class::ListNonempty => format!("[{}]", items().join(", ")),
            Class::TupleEmpty => "()".to_owned(),
            Class::TupleNonempty => format!("({},)", items().join(", ")),
            Class::SetEmpty => "set()".to_owned(),
            Class::SetNonempty => format!("{{{}}}", items().join(", ")),
            Class::DictEmpty => "{}".to_owned(),
            Class::DictNonempty => {
                let of = |key: &String| {
                    let value = format!("{path}[{key:?}]");
                    let value = match self.is_known(&value) {
                        true => self.expression(&value, depth + 1),
                        false => "1".to_owned(),
                    };
                    format!("{key:?}: {value}")
                };
                let all: Vec<String> = wanted.keys.iter().map(of).collect();
                format!("{{{}}}", all.join(", "))
            }
            Class::Callable | Class::Resource | Class::Object => format!("{CLASS}()"),
        }
    }
}
