//! Syntactic facts about the lines of a program: the statement of a line, the names that it reads and binds, its
//! calls, and the loop and condition around it.
//!
//! A *unit* corresponds to one line event: a simple statement, the header of a compound one, or all statements
//! that share a line. Names are not resolved here, and nothing describes what happens.

mod expressions;
mod statements;

use std::collections::HashSet;

use codexec_trace::Trace;
use codexec_trace::syntax::with_parsed;

/// Position of a read in a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// The argument of this number.
    Argument(usize),
    /// The argument of this keyword.
    Keyword(String),
    /// In `*args` or `**kwargs`.
    Spread,
    /// The receiver of a method call.
    Receiver,
    /// The callee.
    Function,
}

/// A name that is read.
#[derive(Debug, Clone)]
pub struct Read {
    /// The name.
    pub name: String,
    /// The attribute that is read.
    pub attribute: Option<String>,
    /// Calls around it, the outermost first: index in [`Unit::calls`].
    pub calls: Vec<(usize, Position)>,
}

impl Read {
    /// Whether the name is the callee of a call.
    pub fn is_function_of(&self, call: usize) -> bool {
        self.calls.last() == Some(&(call, Position::Function))
    }
}

/// A name that is bound.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The name.
    pub name: String,
    /// The reads that its value is made of, if they can be told from those of other names.
    pub from: Option<std::ops::Range<usize>>,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The last part of the callee: `f`, or `deposit` of `account.deposit`.
    pub name: Option<String>,
    /// Its number in the order in which calls are made.
    pub order: usize,
    /// Calls around it, the outermost first.
    pub calls: Vec<(usize, Position)>,
}

/// The kind of compound statement that it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// `if`, `elif`
    If,
    /// `while`. For a constant condition, the first line of its body: the header runs once.
    While {
        /// That line, if its condition is constant.
        forever: Option<u32>,
    },
    /// `for`
    For,
    /// `except`
    Except,
    /// `case`
    Case,
}

/// The statements of one line event.
#[derive(Debug, Clone, Default)]
pub struct Unit {
    /// First line, from 1.
    pub first: u32,
    /// Last line: of a compound statement that of its header.
    pub last: u32,
    /// The scope that it is in: index in [`Syntax::scopes`].
    pub scope: usize,
    /// Names that it reads.
    pub reads: Vec<Read>,
    /// Names that it binds.
    pub binds: Vec<Bound>,
    /// Names whose values it may change in place: `d` of `d[k] = v`, `xs` of `xs.append(x)`.
    pub touches: Vec<String>,
    /// Attributes that get another value, whatever they had: `self.total = 0`.
    pub stores: Vec<(String, String)>,
    /// Calls in it.
    pub calls: Vec<Call>,
    /// Its kind, if it is a header.
    pub head: Option<Head>,
    /// Lines of the body of a header.
    pub body: Option<(u32, u32)>,
    /// The header around it, and whether it is in the body or in the part for a false condition.
    pub parent: Option<(usize, bool)>,
    /// Earlier conditions that could have left the block.
    pub guards: Vec<usize>,
    /// Whether it is a `break`.
    pub breaks: bool,
    /// Several statements share the line: bindings may depend on the first.
    pub shared: bool,
}

/// A function, a class body or the module.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Its name; empty of the module.
    pub name: String,
    /// Qualified: `Account.deposit`.
    pub qualified: String,
    /// The scope around it.
    pub parent: Option<usize>,
    /// Whether it is a class body.
    pub is_class: bool,
    /// Whether it is a `staticmethod`.
    pub is_static: bool,
    /// First and last line, decorators included.
    pub lines: (u32, u32),
    /// Names of parameters in order, keyword-only ones last, without `*args` and `**kwargs`.
    pub parameters: Vec<String>,
    /// Names that it binds.
    pub locals: HashSet<String>,
    /// Names declared `global`.
    pub globals: HashSet<String>,
    /// Names declared `nonlocal`.
    pub nonlocals: HashSet<String>,
}

/// The units and scopes of a file.
#[derive(Debug, Clone, Default)]
pub struct Syntax {
    /// In the order in which they begin.
    pub units: Vec<Unit>,
    /// The module first.
    pub scopes: Vec<Scope>,
    of_line: Vec<Option<usize>>,
    lines: Vec<String>,
}

impl Syntax {
    /// Parses a program. Without valid syntax it has lines but no units.
    ///
    /// ```
    /// let syntax = codexec_query::syntax::Syntax::of("total = 0\nfor k in xs:\n    total += k\n");
    /// let unit = syntax.unit(3).unwrap();
    /// assert_eq!(syntax.units[unit].binds[0].name, "total");
    /// assert_eq!(syntax.units[unit].parent, Some((syntax.unit(2).unwrap(), true)));
    /// ```
    pub fn of(source: &str) -> Self {
        let lines: Vec<String> = source.lines().map(str::to_owned).collect();
        let read = with_parsed(source, |parsed| {
            statements::read(source, &parsed.syntax().body)
        });
        Self {
            lines,
            ..read.unwrap_or_default()
        }
    }

    /// The unit that a line belongs to.
    pub fn unit(&self, line: u32) -> Option<usize> {
        let at = (line as usize).checked_sub(1)?;
        self.of_line.get(at).copied().flatten()
    }

    /// The text of a line, without blanks around it.
    pub fn text(&self, line: u32) -> &str {
        let at = (line as usize).wrapping_sub(1);
        self.lines.get(at).map_or("", |line| line.trim())
    }

    /// Number of lines.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// The function or class of a name that begins on a line.
    pub fn scope_at(&self, name: &str, line: u32) -> Option<usize> {
        let found = self.scopes.iter().rposition(|scope| {
            scope.name == name && (scope.lines.0..=scope.lines.1).contains(&line)
        })?;
        Some(found)
    }
}

/// The files of a trace's program.
#[derive(Debug, Clone)]
pub struct Sources {
    files: Vec<Syntax>,
}

impl Sources {
    /// Parses the files whose text a trace has.
    pub fn of(trace: &Trace) -> Self {
        let entry = trace.program.source.as_deref();
        let first = trace.files.first().and_then(|file| file.source.as_deref());
        let entry = Syntax::of(entry.or(first).unwrap_or_default());
        let others = trace.files.iter().skip(1);
        let others = others.map(|file| Syntax::of(file.source.as_deref().unwrap_or_default()));
        Self {
            files: std::iter::once(entry).chain(others).collect(),
        }
    }

    /// A file.
    pub fn file(&self, file: u32) -> Option<&Syntax> {
        self.files.get(file as usize)
    }

    /// The unit of a line: its file and its index.
    pub fn unit(&self, file: u32, line: u32) -> Option<(u32, usize)> {
        Some((file, self.file(file)?.unit(line)?))
    }

    /// The loops around a unit, innermost first, and itself if it is the header of one.
    pub fn loops(&self, (file, unit): (u32, usize)) -> Vec<usize> {
        let mut loops = Vec::new();
        let (mut at, mut in_body) = (Some(unit), true);
        while let Some(unit) = at.and_then(|at| self.get((file, at))) {
            if in_body && matches!(unit.head, Some(Head::For | Head::While { .. })) {
                loops.extend(at);
            }
            (at, in_body) = match unit.parent {
                Some((parent, in_body)) => (Some(parent), in_body),
                None => (None, false),
            };
        }
        loops
    }

    /// The kind of a unit, if it has one.
    pub fn get(&self, (file, unit): (u32, usize)) -> Option<&Unit> {
        self.file(file)?.units.get(unit)
    }
}
