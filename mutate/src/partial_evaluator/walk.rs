//! Walks a program in execution order, as far as that is certain, and notes the result of each read:
//! the state of the walk and its changes.
//!
//! If the next statement is uncertain, the walk continues as long as nothing more is read.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::Stmt;
use ruff_text_size::{Ranged, TextRange};

use super::binds::Binds;
use super::loops::collect_leaves;
use super::names::Names;
use super::scope::{Commit, Event, Exit, Flow, Frame, Layer, Leave, Stop, Take, Thing, Turn};
use super::value::Value;

/// Maximum statements and expressions before the walk gives up.
const MOST_STEPS: usize = 300_000;

/// Calls and comprehensions within each other.
const MOST_FRAMES: usize = 40;

pub(super) struct Walk<'a> {
    pub stdin: &'a str,
    pub names: &'a Names,
    pub position: usize,
    pub reads: usize,
    pub opened: bool,
    pub frames: Vec<Frame<'a>>,
    /// The frame that runs.
    pub here: usize,
    pub made: usize,
    pub events: Vec<Event>,
    pub commits: Vec<Commit>,
    pub exits: Vec<Exit>,
    /// The last commit before what made the order uncertain.
    pub uncertain: Option<usize>,
    /// Whether the statement runs exactly once, after all before it.
    pub linear: bool,
    pub conditional: usize,
    /// Inside an expression that is replaced as a whole.
    pub folding: usize,
    pub steps: usize,
    pub turns: Vec<Turn<'a>>,
    pub outer: u32,
    pub statement: u32,
    /// The call that is the whole statement.
    pub whole: Option<TextRange>,
}

/// State to restore if an expression does not fold.
pub(super) struct Mark {
    position: usize,
    reads: usize,
    opened: bool,
    frames: usize,
    here: usize,
    pub uncertain: Option<usize>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(stdin: &'a str, names: &'a Names) -> Self {
        let module = Frame {
            id: 0,
            parent: None,
            locals: HashSet::new(),
            things: HashMap::new(),
            inner: false,
            shared: false,
        };
        Self {
            stdin,
            names,
            position: 0,
            reads: 0,
            opened: false,
            frames: vec![module],
            here: 0,
            made: 1,
            events: Vec::new(),
            commits: Vec::new(),
            exits: Vec::new(),
            uncertain: None,
            linear: true,
            conditional: 0,
            folding: 0,
            steps: 0,
            turns: Vec::new(),
            outer: 0,
            statement: 0,
            whole: None,
        }
    }

    /// Walks the module. Returns the commit to go back to if it could not be walked to its end.
    pub(super) fn module(&mut self, body: &'a [Stmt]) -> Option<Commit> {
        for statement in body {
            self.outer = statement.range().start().into();
            self.commit(statement);
            if self.statement(statement).is_err() {
                let last = self.commits.len() - 1;
                let uncertain = self.uncertain.unwrap_or(last);
                let left = self.exits.iter().map(|e| e.commit).min().unwrap_or(last);
                return self.commits.get(last.min(uncertain).min(left)).copied();
            }
        }
        None
    }

    pub(super) fn commit(&mut self, statement: &Stmt) {
        self.commits.push(Commit {
            position: self.position,
            events: self.events.len(),
            statement: statement.range().start().into(),
            frame: self.frames[self.here].id,
            outer: self.outer,
        });
    }

    pub(super) fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(Stop);
        }
        Ok(())
    }

    /// The result of a `take` from `layer`.
    pub(super) fn read(&mut self, layer: Layer, take: Take) -> Result<Value, Stop> {
        let bytes = layer == Layer::Bytes;
        if self.uncertain.is_some() || (bytes && !self.stdin.is_ascii()) {
            return Err(Stop);
        }
        self.reads += 1;
        let left = &self.stdin[self.position..];
        let text = |text: &str| match bytes {
            true => Value::Bytes(text.to_owned()),
            false => Value::Str(text.to_owned()),
        };
        let line = left.split_inclusive('\n').next().unwrap_or_default();
        let (length, value) = match take {
            Take::Input if left.is_empty() => return Err(Stop),
            Take::Input => (line.len(), text(line.strip_suffix('\n').unwrap_or(line))),
            Take::Line => (line.len(), text(line)),
            Take::All => (left.len(), text(left)),
            Take::Lines => {
                let lines = left.split_inclusive('\n').map(text).collect();
                (left.len(), Value::List(lines))
            }
        };
        self.position += length;
        Ok(value)
    }

    /// Notes that `range` evaluates to `value` here.
    pub(super) fn note(
        &mut self,
        range: TextRange,
        value: Value,
        prompts: Vec<TextRange>,
        unpacked: bool,
    ) {
        let mut owner = self.here;
        while let (true, Some(parent)) = (self.frames[owner].inner, self.frames[owner].parent) {
            owner = parent;
        }
        let frame = self.frames[owner].id;
        let turn = self
            .turns
            .last()
            .filter(|t| t.frame == self.frames[self.here].id);
        let turn = turn.and_then(|turn| {
            let variable = turn.variable?;
            let known = self.lookup(variable);
            let same = matches!(known, Thing::Known(Value::Int(k)) if k == turn.count as i128);
            same.then(|| (turn.id, variable.to_owned(), turn.count))
        });
        self.events.push(Event {
            range,
            value,
            unpacked,
            prompts,
            statement: self.statement,
            frame,
            commit: self.commits.len() - 1,
            shared: self.frames.iter().any(|f| f.shared),
            conditional: self.conditional > 0,
            turn,
        });
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            position: self.position,
            reads: self.reads,
            opened: self.opened,
            frames: self.frames.len(),
            here: self.here,
            uncertain: self.uncertain,
        }
    }

    pub(super) fn reset(&mut self, mark: Mark) {
        self.position = mark.position;
        self.reads = mark.reads;
        self.opened = mark.opened;
        self.frames.truncate(mark.frames);
        self.here = mark.here;
        self.uncertain = mark.uncertain;
    }

    pub(super) fn unknown(&self, name: &str) -> Thing<'a> {
        if self.names.readers.contains(name) {
            Thing::Opaque
        } else {
            Thing::Data
        }
    }

    /// The meaning of `name` in the running frame.
    pub(super) fn lookup(&self, name: &'a str) -> Thing<'a> {
        if self.names.unsteady.contains(name) {
            return self.unknown(name);
        }
        let mut at = Some(self.here);
        while let Some(frame) = at.map(|at| &self.frames[at]) {
            if let Some(thing) = frame.things.get(name) {
                return thing.clone();
            }
            if frame.locals.contains(name) {
                return self.unknown(name);
            }
            at = frame.parent;
        }
        match name {
            "__name__" => Thing::Known(Value::Str("__main__".into())),
            "input" => Thing::Reader(Layer::Text, Take::Input),
            _ => Thing::Builtin(name),
        }
    }

    /// Sets the meaning of `name` in the running frame to `thing`.
    pub(super) fn bind(&mut self, name: &'a str, thing: Thing<'a>) {
        let thing = match thing {
            Thing::Known(value) if !value.is_fixed() => Thing::Data,
            thing => thing,
        };
        self.frames[self.here].things.insert(name, thing);
    }

    pub(super) fn forget(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            let unknown = self.unknown(name);
            self.bind(name, unknown);
        }
    }

    pub(super) fn forget_bound(&mut self, body: &'a [Stmt]) {
        self.forget(Binds::of(body).names);
    }

    /// Enters a scope.
    pub(super) fn enter(
        &mut self,
        parent: usize,
        locals: HashSet<&'a str>,
        inner: bool,
        shared: bool,
    ) -> Result<(), Stop> {
        if self.frames.len() >= MOST_FRAMES {
            return Err(Stop);
        }
        let id = self.made;
        self.made += 1;
        self.frames.push(Frame {
            id,
            parent: Some(parent),
            locals,
            things: HashMap::new(),
            inner,
            shared,
        });
        self.here = self.frames.len() - 1;
        Ok(())
    }

    pub(super) fn leave(&mut self, back: usize) {
        self.frames.pop();
        self.here = back;
    }

    /// Runs a function's statements in a frame that [`Walk::enter`] made, which this leaves.
    pub(super) fn call(
        &mut self,
        body: &'a [Stmt],
        back: usize,
        linear: bool,
    ) -> Result<Thing<'a>, Stop> {
        let (was, statement) = (self.linear, self.statement);
        self.linear = linear;
        let flow = self.block(body);
        self.linear = was;
        self.statement = statement;
        let id = self.frames[self.here].id;
        self.leave(back);
        let left = self.settle(Leave::Return, id);
        Ok(match flow? {
            Flow::Return(thing) if !left => thing,
            Flow::Next if !left => Thing::Data,
            Flow::Break | Flow::Continue => return Err(Stop),
            Flow::Return(Thing::Known(_) | Thing::Data) | Flow::Next => Thing::Data,
            Flow::Return(_) => return Err(Stop),
        })
    }

    pub(super) fn block(&mut self, body: &'a [Stmt]) -> Result<Flow<'a>, Stop> {
        for statement in body {
            if self.linear {
                self.commit(statement);
            }
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// As [`Walk::block`] where the statements may run more than once or not to their end.
    pub(super) fn inner_block(&mut self, body: &'a [Stmt]) -> Result<Flow<'a>, Stop> {
        let was = std::mem::replace(&mut self.linear, false);
        let flow = self.block(body);
        self.linear = was;
        flow
    }

    pub(super) fn may_leave(&mut self, leave: Leave, position: Option<usize>) {
        let of = match leave {
            Leave::Return => self.frames[self.here].id,
            _ => self.turns.len(),
        };
        self.exits.push(Exit {
            leave,
            of,
            position,
            commit: self.commits.len() - 1,
        });
    }

    /// At the end of a loop, an iteration or a function: whether it may have been left earlier.
    pub(super) fn settle(&mut self, leave: Leave, of: usize) -> bool {
        let position = Some(self.position);
        let (ended, open) = std::mem::take(&mut self.exits)
            .into_iter()
            .partition::<Vec<_>, _>(|e| e.leave == leave && e.of == of);
        self.exits = open;
        for exit in &ended {
            if exit.position != position {
                self.doubt(exit.commit);
            }
        }
        !ended.is_empty()
    }

    pub(super) fn doubt(&mut self, commit: usize) {
        let before = self.uncertain.unwrap_or(commit);
        self.uncertain = Some(before.min(commit));
    }

    /// Skips statements that read nothing.
    pub(super) fn skip(&mut self, body: &'a [Stmt], position: Option<usize>) {
        self.forget_bound(body);
        let mut leaves = Vec::new();
        collect_leaves(body, true, &mut leaves);
        for leave in leaves {
            let known = leave == Leave::Return || !self.turns.is_empty();
            if known {
                self.may_leave(leave, position);
            }
        }
    }
}
