//! The class of a prefix for values that must support every operation. It is as short as the
//! program's operations allow, and is plain Python that a person can read and change.

use std::collections::BTreeSet;

use codexec_data::sandbox::Asked;

/// The operations of a program that the class must support.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Features {
    /// Subscripts: `x[k]`.
    pub items: bool,
    /// `with`.
    pub context: bool,
    /// `in`.
    pub contains: bool,
    /// `await`.
    pub awaits: bool,
    /// Passing functions as arguments, or decorating them.
    pub callbacks: bool,
    /// `isinstance` and `issubclass`.
    pub instances: bool,
    /// `next`.
    pub next: bool,
    /// Operators, by their methods: `add`, `neg`.
    pub operators: BTreeSet<&'static str>,
    /// Comparisons, by their methods: `eq`.
    pub comparisons: BTreeSet<&'static str>,
    /// Attributes such as `__version__` that are read.
    pub dunders: BTreeSet<String>,
    /// Methods such as `__html__` that are called.
    pub methods: BTreeSet<String>,
}

impl Features {
    /// Returns every operation that the class can support.
    pub(super) fn all() -> Self {
        let names = |list: &[(&str, &'static str)]| list.iter().map(|(_, n)| *n).collect();
        Self {
            items: true,
            context: true,
            contains: true,
            awaits: true,
            callbacks: true,
            instances: true,
            next: true,
            operators: names(OPERATORS),
            comparisons: names(COMPARISONS),
            dunders: BTreeSet::new(),
            methods: BTreeSet::new(),
        }
    }
}

/// Operators with the names of their methods.
pub(super) const OPERATORS: &[(&str, &str)] = &[
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "truediv"),
    ("//", "floordiv"),
    ("%", "mod"),
    ("**", "pow"),
    ("@", "matmul"),
    ("&", "and"),
    ("|", "or"),
    ("^", "xor"),
    ("<<", "lshift"),
    (">>", "rshift"),
];

/// Comparisons with the names of their methods.
pub(super) const COMPARISONS: &[(&str, &str)] = &[
    ("==", "eq"),
    ("!=", "ne"),
    ("<", "lt"),
    ("<=", "le"),
    (">", "gt"),
    (">=", "ge"),
];

/// The parts of the class, each under the line with its name.
const PARTS: &str = include_str!("stand_in.py");

/// Returns one of the parts.
fn part(name: &str) -> &'static str {
    let found = PARTS
        .split("#: ")
        .find_map(|part| part.strip_prefix(name)?.strip_prefix('\n'));
    found.unwrap_or_default()
}

/// Returns the code that calls the program's functions after it ends.
pub(super) fn calls() -> &'static str {
    part("calls")
}

/// Returns the text of the class. With `as_text` it derives from `str`, so that code that requires
/// text accepts it.
pub(super) fn class(features: &Features, as_text: bool) -> String {
    let callable = if features.callbacks {
        "callbacks"
    } else {
        "call"
    };
    let parts = [
        (true, if as_text { "text" } else { "object" }),
        (true, "core"),
        (true, callable),
        (features.next, "next"),
        (features.items, "items"),
        (features.context, "context"),
        (features.awaits, "awaits"),
        (features.instances, "instances"),
        (features.contains, "contains"),
        (!features.comparisons.is_empty(), "comparisons"),
    ];
    let wanted = parts.iter().filter(|(wanted, _)| *wanted);
    let mut text: String = wanted.map(|(_, name)| part(name)).collect();
    for (sign, name) in COMPARISONS {
        if features.comparisons.contains(name) {
            text.push_str(&format!(
                "    def __{name}__(self, other): return self._compare(\"{sign}\", other)\n"
            ));
        }
    }
    let mut methods = String::new();
    for name in &features.operators {
        methods.push_str(&format!("__{name}__ = "));
        if OPERATORS.iter().any(|(_, n)| n == name) {
            methods.push_str(&format!("__r{name}__ = "));
        }
    }
    if !methods.is_empty() {
        text.push_str(&format!("    {methods}lambda self, *_: self\n"));
    }
    for name in &features.dunders {
        text.push_str(&format!("    {name} = \"a\"\n"));
    }
    for name in &features.methods {
        text.push_str(&format!(
            "    def {name}(self, *_, **__): return self._give(\".{name}()\")\n"
        ));
    }
    text
}

/// Returns the class with only the operations that a run used: fewer than 15 lines unless that
/// is nearly everything.
pub(super) fn short(features: &Features, asked: &[Asked], as_text: bool, raises: bool) -> String {
    let asks = |question: &str| {
        let is_it = |a: &&Asked| a.what.split_once(' ').is_some_and(|(_, q)| q == question);
        asked
            .iter()
            .filter(is_it)
            .any(|a| !a.said.iter().all(|s| question == "bool" && *s == 1))
    };
    let takes = |step: &str| asked.iter().any(|a| a.what.contains(step));
    let mut text = short_start(asked, as_text, raises);
    let mut add = |wanted: bool, line: &str| {
        if wanted {
            text.push_str("    ");
            text.push_str(line);
            text.push('\n');
        }
    };
    add(
        takes("()"),
        "def __call__(self, *_, **__): return self._give(\"()\")",
    );
    add(
        asks("bool"),
        "def __bool__(self): return self._say(\"bool\")",
    );
    add(
        asks("len"),
        "def __len__(self): return self._say(\"len\", 2)",
    );
    add(
        takes("[]") && asks("len"),
        "def __iter__(self): return iter([self._give(\"[]\")] * len(self))",
    );
    let exact = asked.iter().any(|a| {
        a.what
            .split('[')
            .skip(1)
            .any(|rest| !rest.starts_with([']', ':']))
    });
    if exact || takes("[:]") {
        add(true, "def __getitem__(self, key):");
        add(
            true,
            "    exact = f'[\"{key}\"]' if isinstance(key, str) else f\"[{key}]\"",
        );
        add(
            true,
            "    return self._give(exact if self._path + exact in GIVEN else \"[]\")",
        );
    } else {
        add(
            features.items,
            "def __getitem__(self, key): return self._give(\"[]\")",
        );
    }
    add(features.items, "def __setitem__(self, key, value): pass");
    add(
        takes(".__enter__"),
        "def __enter__(self): return self._give(\".__enter__()\")",
    );
    add(takes(".__enter__"), "def __exit__(self, *_): pass");
    add(
        asks("contains"),
        "def __contains__(self, item): return self._say(\"contains\")",
    );
    add(
        asks("isinstance"),
        "def __instancecheck__(self, value): return self._say(\"isinstance\")",
    );
    add(
        features.next,
        "def __next__(self): return self._give(\"[]\")",
    );
    add(asks("int"), "def __index__(self): return 1");
    for (sign, name) in COMPARISONS {
        let wanted = asks(sign);
        let line = format!("def __{name}__(self, other): return self._say(\"{sign}\")");
        add(wanted, &line);
        add(wanted && *name == "eq", "__hash__ = object.__hash__");
    }
    add(!features.operators.is_empty(), &operator_methods(features));
    text
}

/// Returns the beginning of the short class, with the method that answers questions only if one is
/// asked.
fn short_start(asked: &[Asked], as_text: bool, raises: bool) -> String {
    let mut text = part(if as_text {
        "short text"
    } else {
        "short object"
    })
    .to_owned();
    text.push_str(part(if raises { "short raise" } else { "short give" }));
    let is_asked = |a: &Asked| {
        let question = a.what.split_once(' ').map(|(_, question)| question);
        question.is_some_and(|q| q != "bool" && q != "int" || a.said.iter().any(|s| *s != 1))
    };
    if asked.iter().any(is_asked) {
        text.push_str(part("short say"));
    }
    text
}

/// Returns the line that defines the operators, all of which return the object itself.
fn operator_methods(features: &Features) -> String {
    let methods = features.operators.iter().map(|n| format!("__{n}__ = "));
    let methods: String = methods.collect();
    let mirrored = features
        .operators
        .iter()
        .filter(|n| OPERATORS.iter().any(|(_, o)| o == *n));
    let mirrored: String = mirrored.map(|n| format!("__r{n}__ = ")).collect();
    format!("{methods}{mirrored}lambda self, *_: self")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_there_and_only_what_is_needed() {
        let all = Features {
            dunders: ["__version__".to_owned()].into(),
            ..Features::all()
        };
        let text = class(&all, true);
        for name in PARTS.lines().filter_map(|l| l.strip_prefix("#: ")) {
            assert!(!part(name).is_empty(), "{name}");
        }
        for wanted in ["__rsub__", "__ge__", "__version__", "__aiter__", "callback"] {
            assert!(text.contains(wanted), "{wanted}");
        }
        let least = class(&Features::default(), false);
        assert!(
            !least.contains("__enter__") && least.lines().count() < 30,
            "{least}"
        );
    }
}
