//! Calls two versions of a program with plain values: numbers, texts, containers of them, instances
//! of the program's own classes, files, and unknown objects whose calls are noted.
//!
//! `plain/cases.py` does this as one program in the sandbox that has both texts. It draws values of
//! the annotated types, or of types with which earlier calls worked, the same for both versions. It
//! compares what calls return, print, raise and change. A difference comes with the values that
//! show it. If there is none, it reports the statements that no case reached, the conditions that
//! had only one outcome, and the comparisons that never had equal sides. If none of these are left,
//! the versions count as the same.

use codexec_data::sandbox::{Pool, SandboxError};
use codexec_trace::{Outcome, Program};
use serde::Deserialize;

/// The program that compares.
const CASES: &str = concat!(
    include_str!("plain/noting.py"),
    include_str!("plain/drawing.py"),
    include_str!("plain/cases.py"),
);
/// Least number of cases for a function to count as tested.
const FEWEST: usize = 20;
/// Most characters shown of a value.
const SHOWN: usize = 200;

/// The result.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Plain {
    functions: Vec<Function>,
    /// Why nothing was compared.
    why: Option<String>,
    /// Whether both versions only define functions and names.
    #[serde(default)]
    passive: bool,
    /// Names of both modules with different values: name, old and new text.
    #[serde(default)]
    constants: Vec<(String, String, String)>,
}

/// A function of both versions, or the methods of a class.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Function {
    name: String,
    /// Why it was not called.
    why: Option<String>,
    /// Number of compared calls.
    #[serde(default)]
    cases: usize,
    difference: Option<Shown>,
    /// What no case reached.
    #[serde(default)]
    missed: Vec<String>,
}

/// Values that show a difference.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Shown {
    /// Names and texts.
    arguments: Vec<(String, String)>,
    what: String,
    old: String,
    new: String,
}

/// Name, old and new text.
type Values = Vec<(String, Option<String>, Option<String>)>;

/// Calls the functions of both versions.
///
/// # Errors
/// If nothing can be run.
pub(super) fn compared(
    pool: &Pool,
    old: &Program,
    new: &Program,
) -> Result<Option<Plain>, SandboxError> {
    let text = |program: &Program| {
        // A JSON string is a Python string, except for surrogate pairs, which these do not have.
        serde_json::to_string(program.source.as_deref().unwrap_or_default()).unwrap_or_default()
    };
    let cases = serde_json::to_string(CASES).unwrap_or_default();
    let source = format!(
        "exec(compile({cases}, 'cases.py', 'exec'), {{'__name__': 'cases', 'OLD': {}, 'NEW': {}}})\n",
        text(old),
        text(new)
    );
    let program = Program {
        source: Some(source),
        ..Program::default()
    };
    let trace = pool.run(&program)?;
    if trace.outcome != Outcome::Finished {
        return Ok(None);
    }
    let found: Option<Plain> = trace
        .output()
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok());
    Ok(found.filter(|found| found.why.is_none() && !found.functions.is_empty()))
}

impl Plain {
    /// Returns the first difference, and the values that show it.
    pub(super) fn difference(&self) -> Option<(Values, Vec<(String, String)>)> {
        let short = |text: &str| match text.char_indices().nth(SHOWN) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text.to_owned(),
        };
        let found = self.functions.iter().find_map(|function| {
            let shown = function.difference.as_ref()?;
            Some((function.name.as_str(), shown))
        });
        if let Some((name, shown)) = found {
            let what = format!("{name}, {}", shown.what);
            let values = vec![(what, Some(short(&shown.old)), Some(short(&shown.new)))];
            let arguments = shown.arguments.iter();
            let arguments = arguments.map(|(name, text)| (name.clone(), short(text)));
            return Some((values, arguments.collect()));
        }
        let constants = self.constants.iter();
        let values: Values = constants
            .map(|(name, old, new)| (name.clone(), Some(short(old)), Some(short(new))))
            .collect();
        (!values.is_empty()).then(|| (values, Vec::new()))
    }

    /// Whether nothing else can change the verdict.
    pub(super) fn decides(&self) -> bool {
        self.is_whole() || self.difference().is_some()
    }

    /// Whether every function was called often enough, and no other code is outside functions.
    pub(super) fn is_whole(&self) -> bool {
        self.passive && self.functions.iter().all(Function::is_told)
    }

    /// Whether a function, or the class of a method, was called often enough.
    pub(super) fn tells_of(&self, name: &str) -> bool {
        let name = name.split('.').next().unwrap_or(name);
        let mut functions = self.functions.iter();
        functions.any(|function| function.name == name && function.is_told())
    }

    /// Returns what is left open although no case differs.
    pub(super) fn open(&self) -> Vec<String> {
        let mut why = Vec::new();
        for function in &self.functions {
            match &function.why {
                Some(reason) => why.push(format!("{} was not called: {reason}", function.name)),
                None if function.cases < FEWEST => {
                    why.push(format!(
                        "{} was called {} times",
                        function.name, function.cases
                    ));
                }
                None => why.extend(function.missed.iter().cloned()),
            }
        }
        why
    }
}

impl Function {
    fn is_told(&self) -> bool {
        self.why.is_none() && (self.cases >= FEWEST || self.difference.is_some())
    }
}
