//! The grammar of a trace in its two text forms, so that whatever is decoded parses.
//!
//! ```text
//! paper := ([<output> text] <line> <k> <state> [entry (<dictsep> entry)*] </state>)* [<output> text]
//!          entry := name : value
//! delta := step* [<end> kind]
//!          step  := <line> <k> [<raise> name [: text]] [<return>] [<call> name] [<reset>]
//!                   [<state> entry (<dictsep> entry)* </state>] [<output> text]
//!          entry := name : value | <del> name
//! ```
//!
//! then `</s>`. `k` is a line of the program. In the delta form, strings in values are closed, calls
//! and returns form one call stack, and after a raise only the rest of its step may follow. With the
//! program's [`LineFlow`], lines follow its control flow, and the trace ends where the program can
//! (delta form only: the paper's does not mark calls). The meaning of values is not checked.

use std::sync::Arc;

use super::flow::{LineFlow, Place};

use super::grammar::{Allowed, Grammar};
use super::lexical::Lexical;
use super::token_classes::{ENDINGS, TokenClasses, class};
use crate::Form;

/// The grammar of the traces of one program.
#[derive(Debug, Clone)]
pub struct TraceGrammar {
    vocabulary: Arc<TokenClasses>,
    form: Form,
    line_tokens: Vec<u32>,
    flow: Option<Arc<LineFlow>>,
}

/// The owner of a name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Role {
    Entry,
    Deleted,
    Function,
    Exception,
}

/// A run of free text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Run {
    Value,
    Message,
    Output,
}

/// The parts of a delta step that may still come, each the first of the rest.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Part {
    Raise,
    Return,
    Call,
    Reset,
    State,
    Output,
}

#[derive(Debug, Clone, PartialEq)]
enum At {
    /// Before a step, or the end.
    Between,
    /// After `<line>`.
    Line,
    /// Paper form: after the line number.
    Number,
    /// Delta form: inside a step.
    Step(Part),
    /// Where an entry begins; `first` after `<state>`.
    Entry { first: bool },
    /// In a name; `begun` when it has a token.
    Name { role: Role, begun: bool },
    /// In free text.
    Text { run: Run, begun: bool },
    /// After `<end>`, with the kind so far.
    Ending(Vec<u8>),
}

/// State of a hypothesis in the grammar.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceState {
    at: At,
    lexical: Lexical,
    /// Frames below the innermost one.
    depth: u32,
    /// The step before entered a function.
    called: bool,
    /// This step enters one.
    calls: bool,
    /// No step may follow: an exception was raised, or the module was left.
    last: bool,
    /// Position of the lines in the program's flow.
    place: Place,
}

impl TraceGrammar {
    /// The grammar of `form` for a program of `lines` lines.
    pub fn new(vocabulary: Arc<TokenClasses>, form: Form, lines: usize) -> Self {
        let line_tokens = vocabulary.line_tokens(lines);
        Self {
            vocabulary,
            form,
            line_tokens,
            flow: None,
        }
    }

    /// Restricts the lines to the program's control flow.
    #[must_use]
    pub fn with_flow(mut self, flow: LineFlow) -> Self {
        if self.form == Form::Delta {
            self.flow = Some(Arc::new(flow));
        }
        self
    }

    /// Tokens of the possible next lines; all if none of them has a token.
    fn next_lines(&self, state: &TraceState) -> Vec<u32> {
        let Some(flow) = &self.flow else {
            return self.line_tokens.clone();
        };
        let lines = flow.allowed(&state.place).into_iter();
        let tokens: Vec<u32> = lines
            .filter_map(|line| self.line_tokens.get(line as usize - 1).copied())
            .collect();
        match tokens.is_empty() {
            true => self.line_tokens.clone(),
            false => tokens,
        }
    }

    /// The part of `set` that the flow allows between two steps.
    fn flowing(&self, state: &TraceState, set: u32) -> u32 {
        match &self.flow {
            Some(flow) if !state.last => {
                let may_go_on = !flow.allowed(&state.place).is_empty();
                let may_finish = flow.may_finish(&state.place);
                match (may_go_on, may_finish) {
                    (true, false) => set & !class::EOS,
                    (false, true) => set & !class::LINE,
                    _ => set,
                }
            }
            _ => set,
        }
    }

    /// Length of the longest prefix of `tokens` with complete steps: where to cut a truncated
    /// prediction so that it parses. The program need not be able to end there, since a truncated
    /// prediction does not claim that.
    pub fn complete_prefix(&self, tokens: &[u32]) -> usize {
        let mut state = self.start();
        let mut whole = 0;
        for (i, token) in tokens.iter().enumerate() {
            let fits = self.allowed(&state).contains(*token);
            let next_step = self.vocabulary.class(*token) & (class::LINE | class::END) != 0;
            let boundary = match self.form {
                // An output belongs to the step after it.
                Form::Paper => state.at == At::Between,
                Form::Delta => next_step && fits,
            };
            if boundary {
                whole = i;
            }
            if !fits {
                return whole;
            }
            state = self.advance(&state, *token);
        }
        match state.at {
            At::Between => tokens.len(),
            _ => whole,
        }
    }

    /// The classes allowed.
    fn set(&self, state: &TraceState) -> u32 {
        use class::*;
        let delta = self.form == Form::Delta;
        match &state.at {
            At::Between => self.between(state),
            At::Line => NUMBER,
            At::Number => STATE,
            At::Step(part) => self.parts(state, *part),
            At::Entry { first } => match (delta, first) {
                (true, _) => WORD | DEL,
                (false, true) => WORD | STATE_END,
                (false, false) => WORD,
            },
            At::Name { role, begun } => self.name(state, *role, *begun),
            At::Text { run, begun } => {
                if !state.lexical.may_end() {
                    return TEXT;
                }
                // Outputs may be empty lines, strings of the paper form empty.
                let may_end = *begun || *run == Run::Output || !delta;
                let (text, after) = match run {
                    Run::Value => (TEXT | VALUE, DICTSEP | STATE_END),
                    Run::Message => (TEXT, self.parts(state, Part::Return)),
                    Run::Output => (TEXT, self.between(state) & !OUTPUT),
                };
                if may_end { text | after } else { text }
            }
            At::Ending(kind) if ENDINGS.contains(&kind.as_slice()) => EOS,
            At::Ending(_) => WORD,
        }
    }

    /// Between steps: another one, or the end.
    fn between(&self, state: &TraceState) -> u32 {
        let set = match (self.form, state.last) {
            (_, true) => class::EOS,
            (Form::Paper, false) => class::LINE | class::OUTPUT | class::EOS,
            (Form::Delta, false) if self.vocabulary.begins_ending(&[]) => {
                class::LINE | class::END | class::EOS
            }
            (Form::Delta, false) => class::LINE | class::EOS,
        };
        self.flowing(state, set)
    }

    /// From `part` of a delta step on.
    fn parts(&self, state: &TraceState, part: Part) -> u32 {
        if state.place.must_leave() && !state.last {
            let marks = [(Part::Raise, class::RAISE), (Part::Return, class::RETURN)];
            let fits = marks.iter().filter(|(at, _)| part <= *at);
            return fits.fold(0, |set, (_, mark)| set | mark);
        }
        let may_call = self.flow.as_ref().is_none_or(|flow| flow.has_calls());
        let mut set = self.between(state);
        let marks = [
            (Part::Raise, class::RAISE, true),
            // A frame that was just entered begins with its call event.
            (Part::Return, class::RETURN, !state.called),
            // The step after a call is the callee's, so there must be one.
            (Part::Call, class::CALL, !state.last && may_call),
            (Part::Reset, class::RESET, true),
            (Part::State, class::STATE, true),
            (Part::Output, class::OUTPUT, true),
        ];
        for (at, mark, fits) in marks {
            if part <= at && fits {
                set |= mark;
            }
        }
        set
    }

    fn name(&self, state: &TraceState, role: Role, begun: bool) -> u32 {
        use class::*;
        let after = match role {
            Role::Entry => COLON,
            Role::Deleted => DICTSEP | STATE_END,
            Role::Function => self.parts(state, Part::Reset),
            Role::Exception => COLON | self.parts(state, Part::Return),
        };
        match (role, begun) {
            (Role::Function, false) => WORD | ANGLE,
            (_, false) => WORD,
            (Role::Entry | Role::Deleted, true) => WORD | DIGITS | after,
            (Role::Function | Role::Exception, true) => WORD | DIGITS | ANGLE | after,
        }
    }

    /// The text of a token in a name or a run of text, taken by the reader's eyes.
    fn fed(&self, state: &TraceState, token: u32) -> Option<Lexical> {
        let strings = matches!(
            state.at,
            At::Text {
                run: Run::Value,
                ..
            }
        );
        state
            .lexical
            .feed(self.vocabulary.text(token), self.form, strings)
    }

    fn listed(&self, state: &TraceState, fits: impl Fn(u32) -> bool) -> Vec<u32> {
        let set = self.set(state);
        let classes = self.vocabulary.classes().iter().enumerate();
        classes
            .filter(|(_, class)| *class & set != 0)
            .map(|(token, _)| token as u32)
            .filter(|token| fits(*token))
            .collect()
    }

    /// The kind after `<end>` extended by one token. `None` if no kind begins like that.
    fn ending(&self, kind: &[u8], token: u32) -> Option<Vec<u8>> {
        let longer = [kind, self.vocabulary.text(token).trim_ascii()].concat();
        self.vocabulary.begins_ending(&longer).then_some(longer)
    }
}

impl Grammar for TraceGrammar {
    type State = TraceState;

    fn start(&self) -> TraceState {
        TraceState {
            at: At::Between,
            lexical: Lexical::default(),
            depth: 0,
            called: false,
            calls: false,
            last: false,
            place: Place::default(),
        }
    }

    fn allowed(&self, state: &TraceState) -> Allowed<'_> {
        match &state.at {
            At::Line => Allowed::Tokens(self.next_lines(state)),
            At::Ending(kind) if !ENDINGS.contains(&kind.as_slice()) => {
                Allowed::Tokens(self.listed(state, |t| self.ending(kind, t).is_some()))
            }
            _ if state.lexical.is_delicate() => Allowed::Tokens(self.listed(state, |t| {
                self.vocabulary.class(t) & class::TEXT == 0 || self.fed(state, t).is_some()
            })),
            // A program without lines has no steps.
            At::Between | At::Text { .. } if self.line_tokens.is_empty() => Allowed::Classes {
                of: self.vocabulary.classes(),
                set: self.set(state) & !class::LINE,
            },
            _ => Allowed::Classes {
                of: self.vocabulary.classes(),
                set: self.set(state),
            },
        }
    }

    fn advance(&self, state: &TraceState, token: u32) -> TraceState {
        let mut next = state.clone();
        let kind = self.vocabulary.class(token);
        if kind & (class::TEXT | class::VALUE) != 0 {
            self.advance_text(&mut next, state, token, kind);
            return next;
        }
        next.lexical = Lexical::default();
        next.at = match kind {
            class::LINE => {
                (next.called, next.calls) = (state.calls, false);
                if next.called {
                    next.depth += 1;
                }
                At::Line
            }
            class::NUMBER if self.form == Form::Paper => At::Number,
            class::NUMBER => {
                let at = self.line_tokens.iter().position(|t| *t == token);
                if let (Some(flow), Some(at)) = (&self.flow, at) {
                    flow.step(&mut next.place, at as u32 + 1);
                }
                At::Step(Part::Raise)
            }
            class::STATE => At::Entry { first: true },
            class::DICTSEP => At::Entry { first: false },
            class::STATE_END if self.form == Form::Paper => At::Between,
            class::STATE_END => At::Step(Part::Output),
            class::OUTPUT => text(Run::Output),
            class::RAISE => {
                next.last = true;
                name(Role::Exception)
            }
            class::RETURN => {
                next.last |= next.depth == 0;
                next.depth = next.depth.saturating_sub(1);
                next.place.leave();
                At::Step(Part::Call)
            }
            class::CALL => {
                next.calls = true;
                next.place.call();
                name(Role::Function)
            }
            class::RESET => At::Step(Part::State),
            class::DEL => name(Role::Deleted),
            class::END => At::Ending(Vec::new()),
            _ => At::Between,
        };
        next
    }
}

impl TraceGrammar {
    fn advance_text(&self, next: &mut TraceState, state: &TraceState, token: u32, kind: u32) {
        next.lexical = self.fed(state, token).unwrap_or_default();
        next.at = match &state.at {
            At::Entry { .. } => At::Name {
                role: Role::Entry,
                begun: true,
            },
            At::Name { role, .. } if kind == class::COLON => {
                next.lexical = Lexical::default();
                match role {
                    Role::Exception => text(Run::Message),
                    _ => text(Run::Value),
                }
            }
            At::Name { role, .. } => At::Name {
                role: *role,
                begun: true,
            },
            At::Text { run, .. } => At::Text {
                run: *run,
                begun: true,
            },
            At::Ending(kind) => At::Ending(self.ending(kind, token).unwrap_or_default()),
            other => other.clone(),
        };
    }
}

fn name(role: Role) -> At {
    At::Name { role, begun: false }
}

fn text(run: Run) -> At {
    At::Text { run, begun: false }
}

#[cfg(test)]
mod tests;
