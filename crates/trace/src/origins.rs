//! Finds the values of a trace that were injected, or computed from injected ones.
//!
//! Engines report where they injected a value: its line and its text. Its consequences are inferred: a name rebound on
//! a line that reads an injected name depends on it. Arguments and return values carry it from frame to frame. A
//! condition on an injected value propagates nothing: it is a decision, and reported as one. A line that reads both
//! injected and known names makes all its values injected, so too many are marked rather than too few.

use std::collections::{BTreeSet, HashMap, HashSet};

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, Stmt};
use ruff_text_size::{Ranged, TextRange};

use super::syntax::with_parsed;
use super::{Event, Frames, Origin, State, Trace, Value, ValueType};

/// Values injected by an engine.
#[derive(Debug, Clone, Default)]
pub struct MadeUp {
    /// Index of the file, line, and canonical text of each.
    pub places: HashSet<(u32, u32, String)>,
    /// Values injected wherever they occur, such as exceptions raised by a world.
    pub texts: BTreeSet<String>,
}

/// The canonical text of stand-ins.
const STAND_INS: [&str; 2] = ["<StandIn>", "<DummyCallable>"];

/// The names that a line reads.
#[derive(Debug, Default)]
struct Reads {
    /// Names.
    names: HashSet<String>,
    /// Whether it hands a value back.
    gives: bool,
    /// Its literals, as written.
    literals: HashSet<String>,
}

/// Marks the values of a trace that were injected, or computed from injected ones, as
/// [`Origin::Injected`].
pub fn mark_injected(trace: &mut Trace, made_up: &MadeUp) {
    if made_up.places.is_empty() && made_up.texts.is_empty() && !has_stand_ins(trace) {
        return;
    }
    let files = trace.files.iter().map(|file| file.source.as_deref());
    let mut sources: Vec<Option<&str>> = files.collect();
    match sources.first_mut() {
        Some(first) => *first = first.or(trace.program.source.as_deref()),
        None => sources.push(trace.program.source.as_deref()),
    }
    let reads: Vec<HashMap<u32, Reads>> = sources
        .into_iter()
        .map(|source| source.map(reads_of_lines).unwrap_or_default())
        .collect();
    let frames = Frames::of(trace);
    let mut walk = Walk {
        made_up,
        reads: &reads,
        tainted: HashMap::new(),
        pending: HashSet::new(),
        lines: HashMap::new(),
        modules: HashMap::new(),
        known: HashSet::new(),
    };
    let mut last: HashMap<usize, usize> = HashMap::new();
    for at in 0..trace.steps.len() {
        let (from, to) = (frames.frame(at), frames.of_state(at));
        let (before, rest) = trace.steps.split_at_mut(at);
        let known = last.insert(to, at).map(|last| &before[last].state);
        let step = &mut rest[0];
        let place = (step.file, step.line);
        let depends = walk.enter(step.event, from, to, place, &step.function);
        let caller = match depends {
            Depends::Arguments(_) => last.get(&from).map(|last| &before[*last].state),
            _ => None,
        };
        walk.known_texts(from, caller, place);
        let mut marks = HashSet::new();
        for (name, value) in step.state.iter() {
            if walk.binds(to, name, value, known, place, depends) {
                marks.insert(name.to_owned());
            }
        }
        if !marks.is_empty() {
            let state = step.state.iter().map(|(name, value)| {
                let mut value = value.clone();
                if marks.contains(name) {
                    value.origin = Origin::Injected;
                }
                (name.to_owned(), value)
            });
            let state: State = state.collect();
            step.state = match known {
                Some(known) => state.following(known),
                None => state,
            };
        }
    }
}

fn has_stand_ins(trace: &Trace) -> bool {
    let mut states = trace.steps.iter().map(|step| &step.state);
    states.any(|state| state.iter().any(|(_, value)| is_stand_in(value)))
}

fn is_stand_in(value: &Value) -> bool {
    STAND_INS.iter().any(|text| value.text.contains(text))
}

/// What values that change on a line depend on.
#[derive(Debug, Clone, Copy)]
enum Depends {
    Nothing,
    /// An injected value.
    MadeUp,
    /// The same for arguments: literals, and known values of the caller, are not.
    Arguments((u32, u32)),
}

struct Walk<'m> {
    made_up: &'m MadeUp,
    /// Of each file, by line.
    reads: &'m [HashMap<u32, Reads>],
    /// For each frame, the names with injected values.
    tainted: HashMap<usize, HashSet<String>>,
    /// Frames that received an injected return value, not yet bound.
    pending: HashSet<usize>,
    /// Of each frame the line that it is at.
    lines: HashMap<usize, (u32, u32)>,
    /// Of each file the frame of its module.
    modules: HashMap<u32, usize>,
    /// Known values that a call passes on unchanged.
    known: HashSet<String>,
}

impl Walk<'_> {
    /// Processes an event of the frame `from`, whose step shows the frame `to`.
    fn enter(
        &mut self,
        event: Event,
        from: usize,
        to: usize,
        place: (u32, u32),
        function: &str,
    ) -> Depends {
        if function == "<module>" {
            self.modules.entry(place.0).or_insert(from);
        }
        if event == Event::Line {
            self.pending.remove(&from);
        }
        self.lines.insert(from, place);
        let here = self.depends(from, place);
        if event == Event::Return && from != to {
            let gives = self.reads_of(place).is_some_and(|reads| reads.gives);
            if gives && here {
                self.pending.insert(to);
            }
            let line = self.lines.get(&to).copied();
            let caller = line.is_some_and(|line| self.depends(to, line));
            return match caller {
                true => Depends::MadeUp,
                false => Depends::Nothing,
            };
        }
        match (here, from == to) {
            (false, _) => Depends::Nothing,
            (true, true) => Depends::MadeUp,
            (true, false) => Depends::Arguments(place),
        }
    }

    /// Notes the known values that a line passes to a call: those of the caller's names, from this state.
    fn known_texts(&mut self, frame: usize, caller: Option<&State>, place: (u32, u32)) {
        self.known.clear();
        let (Some(state), Some(reads)) = (caller, self.reads_of(place)) else {
            return;
        };
        let tainted = self.tainted.get(&frame);
        let is_known = |name: &str| tainted.is_none_or(|names| !names.contains(name));
        let known = state
            .iter()
            .filter(|(name, _)| reads.names.contains(*name) && is_known(name));
        self.known = known.map(|(_, value)| value.text.to_string()).collect();
    }

    fn reads_of(&self, (file, line): (u32, u32)) -> Option<&Reads> {
        self.reads.get(file as usize)?.get(&line)
    }

    /// Whether a line reads an injected value in a frame.
    fn depends(&self, frame: usize, place: (u32, u32)) -> bool {
        let holds = |frame: &usize, name: &String| {
            let names = self.tainted.get(frame);
            names.is_some_and(|names| names.contains(name))
        };
        let module = self.modules.get(&place.0);
        self.pending.contains(&frame)
            || self.reads_of(place).is_some_and(|reads| {
                let mut names = reads.names.iter();
                names.any(|name| {
                    holds(&frame, name) || module.is_some_and(|module| holds(module, name))
                })
            })
    }

    /// Whether the value of a name in a frame is injected. `known` is the previous state.
    fn binds(
        &mut self,
        frame: usize,
        name: &str,
        value: &Value,
        known: Option<&State>,
        (file, line): (u32, u32),
        depends: Depends,
    ) -> bool {
        let before = known.and_then(|known| known.get(name));
        let is_new = before.is_none_or(|before| before.text != value.text);
        let made = is_stand_in(value)
            || self.made_up.texts.contains(&*value.text)
            || is_new
                && self
                    .made_up
                    .places
                    .contains(&(file, line, value.text.to_string()));
        let names = self.tainted.entry(frame).or_default();
        if !is_new && !made {
            return names.contains(name);
        }
        let is_data = !matches!(
            value.ty,
            ValueType::Function | ValueType::Class | ValueType::Module
        );
        let spread = is_data
            && match depends {
                Depends::Nothing => false,
                Depends::MadeUp => true,
                Depends::Arguments((file, line)) => {
                    let reads = self.reads.get(file as usize).and_then(|all| all.get(&line));
                    !self.known.contains(&*value.text)
                        && reads.is_none_or(|reads| !reads.literals.contains(&*value.text))
                }
            };
        match made || spread {
            true => names.insert(name.to_owned()),
            false => names.remove(name),
        };
        made || spread
    }
}

/// The names that each line of a source reads; empty if it does not parse.
fn reads_of_lines(source: &str) -> HashMap<u32, Reads> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(source.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    with_parsed(source, |parsed| {
        let mut lines = Lines {
            source,
            starts,
            found: HashMap::new(),
        };
        lines.visit_body(parsed.suite());
        lines.found
    })
    .unwrap_or_default()
}

struct Lines<'s> {
    source: &'s str,
    starts: Vec<usize>,
    found: HashMap<u32, Reads>,
}

impl Lines<'_> {
    fn line(&self, at: usize) -> u32 {
        let line = self.starts.partition_point(|start| *start <= at);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// Notes the names that a part of a statement reads, for each of its lines.
    fn add(&mut self, range: TextRange, gives: bool, part: &dyn Fn(&mut Part<'_>)) {
        let mut reads = Part {
            source: self.source,
            reads: Reads::default(),
        };
        part(&mut reads);
        let Reads {
            names, literals, ..
        } = reads.reads;
        let (first, last) = (
            self.line(range.start().into()),
            self.line(range.end().into()),
        );
        for line in first..=last {
            let known = self.found.entry(line).or_default();
            known.names.extend(names.iter().cloned());
            known.literals.extend(literals.iter().cloned());
            known.gives |= gives;
        }
    }
}

impl Visitor<'_> for Lines<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        let headers: Vec<&Expr> = match statement {
            Stmt::For(one) => vec![&one.iter, &one.target],
            Stmt::While(one) => vec![&one.test],
            Stmt::If(one) => {
                let clauses = one.elif_else_clauses.iter();
                let tests = clauses.filter_map(|clause| clause.test.as_ref());
                std::iter::once(&*one.test).chain(tests).collect()
            }
            Stmt::With(one) => one.items.iter().map(|item| &item.context_expr).collect(),
            Stmt::Match(one) => vec![&one.subject],
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Try(_) => Vec::new(),
            simple => {
                let gives = matches!(simple, Stmt::Return(_))
                    || matches!(simple, Stmt::Expr(one) if one.value.is_yield_expr());
                self.add(simple.range(), gives, &|part| part.visit_stmt(simple));
                return;
            }
        };
        for header in headers {
            self.add(header.range(), false, &|part| part.visit_expr(header));
        }
        walk_stmt(self, statement);
    }
}

/// The names that a part of a statement reads, and its literals.
struct Part<'s> {
    source: &'s str,
    reads: Reads,
}

impl Visitor<'_> for Part<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        // `x += 1` reads its target.
        if let Stmt::AugAssign(one) = statement
            && let Expr::Name(name) = &*one.target
        {
            self.reads.names.insert(name.id.to_string());
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Name(name) if matches!(name.ctx, ExprContext::Load) => {
                self.reads.names.insert(name.id.to_string());
            }
            Expr::NumberLiteral(_)
            | Expr::StringLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_) => {
                let range = expr.range();
                let text = &self.source[range.start().into()..range.end().into()];
                self.reads.literals.insert(text.replace('"', "'"));
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}
