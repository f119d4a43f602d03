//! Turns the planned traces of one source into findings: equal ones are merged, with the sum of their
//! probabilities.

mod either_way;
mod made_up;
mod rests;
mod unchecked;

use std::collections::{BTreeMap, BTreeSet};

use codexec_data::errors::{Ending, ending, syntax_kind};
use codexec_data::syntax::{SyntaxError, taken_from};
use codexec_data::trace::{Outcome, SourceFile, Trace};

use self::either_way::without_made_up;
use self::rests::{given_to, surroundings};
use super::asked::{Asked, MadeUp};
use super::beside;
use super::blanked::without_expression;
use super::elsewhere::{Others, other_file};
use super::imports;
use super::other_types::{Doubt, doubt, may_fit, others};
use super::state;
use super::suppressions::{
    Bound, ENCODING, FILES, blames_call, blames_input, depends_on_encoding, depends_on_files,
    elsewhere_there, is_read_key, line_of, names_one_of, names_package, refusals,
};
use super::words::{distinct, limit, shown};
use super::world::{self, Judged};
use crate::blame::{Blame, blame};
use crate::evidence::{self, Given};
use crate::route::route;
use crate::{CallSite, Checked, End, Finding, Note, Source};
use codexec_engine::{Answer, Answered, Stopped, Unanswered};

/// Traces of one source so far.
pub(super) struct Gathered<'s> {
    source: &'s Source,
    /// Lines of `raise` and `assert` statements.
    refusals: BTreeSet<u32>,
    bound: Bound,
    found: BTreeMap<Key, Found>,
    elsewhere: Others,
    ends: BTreeMap<(Option<String>, Option<u32>), f64>,
    notes: BTreeMap<(Option<u32>, String), Vec<String>>,
    /// Functions with an error that injected arguments may cause, each with a call that had it.
    doubtful: BTreeMap<(String, Doubt), (Asked, u32)>,
    /// Those confirmed with other arguments.
    fitting: BTreeSet<(String, Doubt)>,
    /// Calls that a statement of the program itself kept from being reached, with the line of that statement.
    unreached: Vec<(Asked, u32)>,
    /// Programs whose planning ended at an unknown value, without injected input.
    undecided: Vec<Asked>,
    /// Errors that assumed facts may cause, each with the program that ends so.
    conditional: Vec<(Asked, Answered)>,
    /// Why the doubtful calls were not all tried again.
    left: Option<String>,
    /// Set where the source does not parse.
    refused: Option<Checked>,
}

/// Kind and line of an end, and its probability.
type Ended<'e> = (&'e (Option<String>, Option<u32>), &'e f64);

/// The identity of a finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    line: u32,
    kind: String,
    /// The function called with injected arguments.
    function: Option<String>,
}

struct Found {
    probability: f64,
    message: String,
    blame: Blame,
    calls: Vec<CallSite>,
    /// The first call or input that led there.
    example: Option<String>,
    /// On which condition, in words.
    condition: Option<String>,
    /// The number that did, and the total.
    inputs: (usize, usize),
    /// The highest probability that it may have.
    most: f64,
    /// For an injected call: its arguments.
    given: Option<Given>,
}

impl<'s> Gathered<'s> {
    pub(super) fn of(source: &'s Source) -> Self {
        Self {
            source,
            refusals: refusals(&source.text),
            bound: Bound::of(&source.text),
            found: BTreeMap::new(),
            elsewhere: Others::default(),
            ends: BTreeMap::new(),
            notes: BTreeMap::new(),
            doubtful: BTreeMap::new(),
            fitting: BTreeSet::new(),
            unreached: Vec::new(),
            undecided: Vec::new(),
            conditional: Vec::new(),
            left: None,
            refused: None,
        }
    }

    /// Leaves it unchanged: a doubtful error is not reported.
    pub(super) fn leave(&mut self, why: String) {
        self.left = Some(why);
    }

    /// Programs that end in errors which assumed facts may cause.
    pub(super) fn with_conditions(&self) -> Vec<Asked> {
        let conditional = self.conditional.iter();
        conditional
            .map(|(asked, _)| without_made_up(asked))
            .collect()
    }

    /// Their results with these facts unknown, in order.
    pub(super) fn without_conditions(&mut self, open: Vec<Answer>) {
        let conditional = std::mem::take(&mut self.conditional).into_iter();
        for ((mut asked, answered), open) in conditional.zip(open) {
            let of_input = matches!(asked.made_up, MadeUp::Input(_));
            let of_call = matches!(asked.made_up, MadeUp::Call { .. });
            if let Some(stopped) = open.as_ref().ok().and_then(|open| open.stopped.as_ref()) {
                self.keep_undecided(&asked, stopped);
            }
            match world::judge(&answered, &open) {
                Judged::Same => {
                    // Whatever the arguments are, the name is missing.
                    if of_call && world::is_of_name(&answered) {
                        asked.weight = 1.0;
                    }
                    self.ended_anyway(asked, &answered);
                }
                // An injected value decides: real input has others.
                _ if of_input
                    && world::may_be_of_input(&answered, &self.bound, &self.source.text) =>
                {
                    self.note_of_input(&asked, &answered);
                }
                // The finding notes the injected value.
                _ if (of_input || of_call) && answered.assumed.is_empty() => {
                    match world::is_tried_again(&answered) {
                        true => asked.most = world::most_of_items(&answered, &self.source.text),
                        false if of_input => {
                            asked.weight *= world::left_by_input(&answered, &self.source.text)
                        }
                        false if world::is_of_name(&answered) => {
                            asked.weight = 1.0;
                            asked.most = world::FOR_SOME;
                        }
                        // An error of types, for which other types are tried.
                        false if !world::is_call_of_values(&asked, &answered) => {
                            asked.most = self.most_of_types(&asked);
                        }
                        false => asked.most = world::FOR_MADE_UP,
                    }
                    self.ended(&asked, &answered, None);
                }
                Judged::Open if !self.refuses(&answered) && !world::lacks_input(&answered) => {
                    asked.weight *= world::left_open(&answered, &self.source.text);
                    self.note_condition(&asked, &answered);
                    self.ended(&asked, &answered, world::condition(&answered.assumed));
                }
                Judged::Open | Judged::Other => self.note_condition(&asked, &answered),
            }
        }
    }

    /// Adds an error that occurs with any arguments. Others fill an object before they call its methods.
    fn ended_anyway(&mut self, mut asked: Asked, answered: &Answered) {
        if self.is_of_state(&asked, answered) {
            asked.most = asked.most.min(world::FOR_MADE_UP);
        }
        self.ended(&asked, answered, None);
    }

    /// Whether a statement of the project raised it by itself.
    fn refuses(&self, answered: &Answered) -> bool {
        match &answered.trace.outcome {
            Outcome::Raised { line, file, .. } => match other_file(&answered.trace, *file) {
                Some(file) => refusals(file.source.as_deref().unwrap_or_default()).contains(line),
                None => self.refusals.contains(line),
            },
            _ => false,
        }
    }

    /// Whether it is an error of a method that the contents of an object may decide, which is fresh
    /// here.
    fn is_of_state(&self, asked: &Asked, answered: &Answered) -> bool {
        let Outcome::Raised { line, file, .. } = &answered.trace.outcome else {
            return false;
        };
        let text = line_of(&self.source.text, *line);
        let names_fresh = || names_one_of(text, |name| self.bound.fresh.contains(name)).is_some();
        world::is_call_of_values(asked, answered)
            && other_file(&answered.trace, *file).is_none()
            && (text.contains("self.")
                || state::is_found_in_self(&self.source.text, *line)
                || state::reads_item_of_attribute(text)
                || beside::reads_what_is_bound(&self.source.path, text)
                || names_fresh())
    }

    /// Maximum probability of an error of types that a guessed argument may decide: low if the project calls the
    /// function, whose arguments are not guesses.
    fn most_of_types(&self, asked: &Asked) -> f64 {
        let MadeUp::Call { function, .. } = &asked.made_up else {
            return 1.0;
        };
        let name = function.rsplit('.').next().unwrap_or(function);
        match beside::has_call(&self.source.path, name) {
            true => world::FOR_MADE_UP,
            false => world::FOR_GUESSED_TYPES,
        }
    }

    /// An error that only an injected input may decide.
    fn note_of_input(&mut self, asked: &Asked, answered: &Answered) {
        if let Outcome::Raised {
            exception,
            message,
            line,
            file,
            ..
        } = &answered.trace.outcome
        {
            let own = other_file(&answered.trace, *file).is_none() && self.is_own(*line);
            self.note(
                own.then_some(*line),
                input_ends_so(exception, message),
                asked,
            );
        }
    }

    fn note_condition(&mut self, asked: &Asked, answered: &Answered) {
        let Outcome::Raised {
            exception,
            message,
            line,
            file,
            ..
        } = &answered.trace.outcome
        else {
            return;
        };
        if self.is_unreached(asked, &answered.trace) {
            return;
        }
        let why = world::words(&answered.assumed);
        let error = match message.is_empty() {
            true => exception.clone(),
            false => format!("{exception}: {message}"),
        };
        let (line, place) = match other_file(&answered.trace, *file) {
            Some(file) => (None, format!("{}:{line}: ", file.path)),
            None => (self.is_own(*line).then_some(*line), String::new()),
        };
        self.note(
            line,
            format!("not checked further: {place}{why} ({error})"),
            asked,
        );
    }

    /// The calls that were not reached, of programs without the statements in the way.
    pub(super) fn without_statements_in_the_way(&mut self) -> Vec<Asked> {
        let unreached = std::mem::take(&mut self.unreached).into_iter();
        unreached
            .filter_map(|(mut asked, line)| {
                let source = asked.program.source.as_deref()?;
                asked.program.source = Some(without_expression(source, line)?);
                Some(asked)
            })
            .collect()
    }

    /// Calls that test whether injected arguments cause errors.
    pub(super) fn with_others(&mut self) -> Vec<Asked> {
        let doubtful = std::mem::take(&mut self.doubtful).into_iter();
        doubtful
            .flat_map(|((_, doubt), (asked, line))| others(&asked, doubt, line))
            .collect()
    }

    /// Adds the result of one of these.
    pub(super) fn add_other(&mut self, asked: &Asked, answer: &Answer) {
        if let MadeUp::Call {
            function,
            doubt: Some(doubt),
            ..
        } = &asked.made_up
            && (self.is_refused(answer) || may_fit(answer, *doubt, &self.source.text))
        {
            self.fitting.insert((function.clone(), doubt.0));
        }
    }

    /// Whether a project statement deliberately raised a program's exception: it checked the argument, and did not fail
    /// on its type.
    fn is_refused(&self, answer: &Answer) -> bool {
        answer.as_ref().is_ok_and(|answered| self.refuses(answered))
    }

    /// The source does not parse: it raises before it begins.
    pub(super) fn refuse(&mut self, error: &SyntaxError) {
        // A program for a later Python has no error.
        if let Some(version) = taken_from(&self.source.text) {
            let text = format!(
                "not checked: it is written for Python {version}, and codexec plans CPython 3.11: {}",
                error.message
            );
            self.refused = Some(Checked {
                path: self.source.path.clone(),
                notes: vec![Note {
                    line: Some(error.line.max(1)),
                    text,
                }],
                is_open: true,
                ..Checked::default()
            });
            return;
        }
        let kind = syntax_kind(&error.message);
        let column = error.column.max(1);
        let end = End {
            kind: Some(kind.to_owned()),
            line: Some(error.line.max(1)),
            probability: 1.0,
        };
        self.refused = Some(Checked {
            path: self.source.path.clone(),
            findings: vec![Finding {
                kind: kind.to_owned(),
                line: error.line.max(1),
                column,
                end_line: error.line.max(1),
                end_column: column + 1,
                probability: 1.0,
                message: error.message.clone(),
                values: None,
                when: None,
                calls: Vec::new(),
                evidence: None,
                of_call: false,
            }],
            error: 1.0,
            clean: 0.0,
            lines: BTreeMap::from([(error.line.max(1), 1.0)]),
            end: Some(end.clone()),
            raised: Some(end),
            is_open: false,
            ..Checked::default()
        });
    }

    /// Adds the result of one program.
    pub(super) fn add(&mut self, asked: &Asked, answer: Answer) {
        let answered = match answer {
            Ok(answered) => answered,
            Err(Unanswered::Syntax(error)) => {
                // For a call: the lines after the source are at fault.
                if asked.made_up == MadeUp::Nothing || matches!(asked.made_up, MadeUp::Input(_)) {
                    self.refuse(&error);
                }
                return;
            }
            Err(Unanswered::Unreadable(error)) => return self.note(None, error.to_string(), asked),
        };
        // Unknowns in other files are notes in these.
        let own = |one: &&Stopped| other_file(&answered.trace, one.file).is_none();
        for unknown in answered.unknown.iter().filter(own) {
            let line = unknown.line.filter(|line| self.is_own(*line));
            let why = &unknown.why;
            let text = match unknown.skipped {
                true => format!("not checked: {why}"),
                false => {
                    format!("nothing is known of {why}: what comes from it is not checked")
                }
            };
            self.note(line, text, asked);
        }
        if let Some(stopped) = &answered.stopped {
            let line = stopped.line.filter(|line| self.is_own(*line));
            let (line, place) = match other_file(&answered.trace, stopped.file) {
                Some(file) => {
                    let line = stopped.line.unwrap_or_default();
                    (None, format!("{}:{line}: ", file.path))
                }
                None => (line, String::new()),
            };
            let text = format!("not checked further: {place}{}", stopped.why);
            self.keep_undecided(asked, stopped);
            return self.note(line, text, asked);
        }
        // A description defines the inputs.
        let is_guess =
            matches!(asked.made_up, MadeUp::Input(_)) && self.source.description.is_none();
        let of_call =
            world::is_call_of_values(asked, &answered) || world::is_call_of_types(asked, &answered);
        let depends = !answered.assumed.is_empty() || is_guess || of_call;
        if depends && matches!(answered.trace.outcome, Outcome::Raised { .. }) {
            // Without arguments and facts nothing could be suppressed.
            let has_none = matches!(asked.made_up, MadeUp::Call { unknown: None, .. });
            return match has_none && answered.assumed.is_empty() {
                true => self.ended_anyway(asked.clone(), &answered),
                false => self.conditional.push((asked.clone(), answered)),
            };
        }
        self.ended(asked, &answered, None);
    }

    /// Adds how a program ended; on which condition, in words.
    fn ended(&mut self, asked: &Asked, answered: &Answered, condition: Option<String>) {
        let sure = f64::from(answered.score.unwrap_or(0.0).exp());
        let probability = sure * asked.weight;
        match &answered.trace.outcome {
            Outcome::Raised {
                exception,
                message,
                line,
                file,
                ..
            } => match other_file(&answered.trace, *file) {
                Some(file) => {
                    let raised = (exception.as_str(), message.as_str(), *line);
                    let trace = (&answered.trace, file);
                    self.raised_elsewhere(asked, trace, raised, probability, condition);
                }
                None => {
                    let raised = (exception.as_str(), message.as_str(), *line);
                    self.raised(asked, answered, raised, probability, condition);
                }
            },
            Outcome::Finished | Outcome::Exited { .. } => {
                self.is_unreached(asked, &answered.trace);
                self.end(asked, None, None, probability);
            }
            Outcome::SyntaxError { .. } => {}
            other => self.note(None, limit(other), asked),
        }
    }

    fn raised(
        &mut self,
        asked: &Asked,
        answered: &Answered,
        (exception, message, line): (&str, &str, u32),
        probability: f64,
        condition: Option<String>,
    ) {
        let trace = &answered.trace;
        if let Some(why) = self.unchecked(exception, message, line) {
            let why = format!("not checked further: {why}");
            return self.note(self.is_own(line).then_some(line), why, asked);
        }
        let text_of_line = line_of(&self.source.text, line);
        let (function, example, of) = match &asked.made_up {
            MadeUp::Nothing => (None, None, 0),
            MadeUp::Input(of) => {
                let input = asked.program.stdin.as_deref().unwrap_or_default();
                if blames_input(exception, message) || is_read_key(exception, message, input) {
                    let why = input_ends_so(exception, message);
                    return self.note(Some(line), why, asked);
                }
                (None, Some(shown(input)), *of)
            }
            MadeUp::Call { function, text, .. } => {
                let raised = (exception, message, line);
                if self.blames_made_up(asked, trace, raised, text_of_line) {
                    return;
                }
                if let Some(doubt) = doubt(exception, message) {
                    let doubtful = self.doubtful.entry((function.clone(), doubt));
                    doubtful.or_insert_with(|| (asked.clone(), line));
                }
                (Some(function.clone()), Some(text.clone()), 0)
            }
        };
        let kind = match ending(&trace.outcome) {
            Ending::Error(kind, _) => kind.to_owned(),
            _ => exception.to_owned(),
        };
        self.end(asked, Some(kind), Some(line), probability);
        if of > 0 && self.refusals.contains(&line) {
            return;
        }
        let key = Key {
            line,
            kind: exception.to_owned(),
            function,
        };
        let text = &self.source.text;
        let found = self.found.entry(key).or_insert_with(|| Found {
            probability: 0.0,
            message: message.to_owned(),
            blame: blame(text, trace, (exception, message, line)),
            calls: route(trace, 0, text.lines().count()),
            example,
            condition,
            inputs: (0, of),
            most: 0.0,
            given: given_to(&asked.made_up),
        });
        let of_given = state::is_of_given_object(text_of_line, message, &asked.made_up);
        let most = match &asked.made_up {
            MadeUp::Call { .. } if of_given => world::FOR_GUESSED_TYPES,
            _ => 1.0,
        };
        found.most = found.most.max(asked.most.min(most));
        found.probability += probability;
        found.inputs.0 += 1;
    }

    /// An error in another file of the project, which may be unable to handle an injected argument.
    fn raised_elsewhere(
        &mut self,
        asked: &Asked,
        (trace, file): (&Trace, &SourceFile),
        raised: (&str, &str, u32),
        probability: f64,
        condition: Option<String>,
    ) {
        let (exception, message, line) = raised;
        let text = file.source.as_deref().unwrap_or_default();
        let text_of_line = line_of(text, line);
        let names_package = exception == "ImportError" && names_package(message)
            || imports::lacks_package(exception, message);
        let why = match depends_on_files(exception, message) {
            true => Some(FILES),
            false if depends_on_encoding(exception, message, text_of_line) => Some(ENCODING),
            false => names_package.then_some(message),
        };
        let is_later = exception == "SyntaxError" && taken_from(text).is_some();
        let why = why.or(is_later.then_some("it is written for a later Python"));
        let why = why.or_else(|| elsewhere_there(exception, message));
        let why = why.or_else(|| imports::may_be_gone(self.source, message));
        if let Some(why) = why {
            let text = format!("not checked further: {}:{line}: {why}", file.path);
            return self.note(None, text, asked);
        }
        let example = match &asked.made_up {
            MadeUp::Nothing => None,
            MadeUp::Input(_) => {
                let input = asked.program.stdin.as_deref().unwrap_or_default();
                if blames_input(exception, message) || is_read_key(exception, message, input) {
                    return;
                }
                Some(format!("for the made-up input {}", shown(input)))
            }
            MadeUp::Call { function, text, .. } => {
                let is_made_up = !text.ends_with("()") || function.contains('.');
                if is_made_up || self.is_unreached(asked, trace) {
                    return;
                }
                Some(format!("when called as {text}"))
            }
        };
        let is_call = matches!(asked.made_up, MadeUp::Call { .. });
        if example.is_some() && refusals(text).contains(&line)
            || is_call && blames_call(exception, message, "", text_of_line)
        {
            return;
        }
        let kind = match ending(&trace.outcome) {
            Ending::Error(kind, _) => kind.to_owned(),
            _ => exception.to_owned(),
        };
        self.end(asked, Some(kind), None, probability);
        let example = world::joined(example, condition);
        let own = self.source.text.lines().count();
        self.elsewhere
            .add((trace, file), own, raised, (probability, is_call), example);
    }

    /// The outcome of the program itself.
    fn end(&mut self, asked: &Asked, kind: Option<String>, line: Option<u32>, probability: f64) {
        if !matches!(asked.made_up, MadeUp::Call { .. }) {
            *self.ends.entry((kind, line)).or_default() += probability;
        }
    }

    fn note(&mut self, line: Option<u32>, text: String, asked: &Asked) {
        let of = match &asked.made_up {
            MadeUp::Call { function, .. } => function.clone(),
            _ => String::new(),
        };
        let all = self.notes.entry((line, text)).or_default();
        if !all.contains(&of) {
            all.push(of);
        }
    }

    /// Whether a line is of the source, and not of a call behind it.
    fn is_own(&self, line: u32) -> bool {
        line >= 1 && line as usize <= self.source.text.lines().count()
    }

    /// Whether a trace ends before the call after the source. The call is then made without the statement that ended
    /// it.
    fn is_unreached(&mut self, asked: &Asked, trace: &Trace) -> bool {
        if !matches!(asked.made_up, MadeUp::Call { .. }) {
            return false;
        }
        let mut steps = trace.until_raise().iter().rev();
        let module = steps.find(|step| step.depth == 0).map(|step| step.line);
        match module {
            Some(line) if self.is_own(line) => {
                self.unreached.push((asked.clone(), line));
                true
            }
            Some(_) => false,
            None => true,
        }
    }

    pub(super) fn checked(mut self) -> Checked {
        if let Some(checked) = self.refused {
            return checked;
        }
        if let Some(why) = &self.left {
            let note = self.notes.entry((None, why.clone())).or_default();
            note.push(String::new());
        }
        let mut findings: Vec<Finding> = Vec::new();
        let mut lines: BTreeMap<u32, f64> = BTreeMap::new();
        let mut of_module: BTreeMap<u32, f64> = BTreeMap::new();
        let mut around = None;
        let is_left = self.left.is_some();
        let fits = |key: &Key, message: &str| {
            let of = key.function.clone().zip(doubt(&key.kind, message));
            of.is_some_and(|of| is_left || self.fitting.contains(&of))
        };
        for (key, found) in self
            .found
            .into_iter()
            .filter(|(key, found)| !fits(key, &found.message))
        {
            let given = found.given.map(|given| match found.most >= 1.0 {
                true => given,
                false => Given::Some,
            });
            let raised = (key.kind.as_str(), found.message.as_str(), key.line);
            let around = around.get_or_insert_with(|| surroundings(self.source));
            // An error bounded by a separate rule rests on other evidence.
            let evidence =
                (found.most >= world::FOR_SOME).then(|| evidence::evidence(around, given, raised));
            let figure = evidence.as_deref().map_or(1.0, evidence::figure);
            let probability = found.probability.min(found.most).min(figure);
            let other = lines.entry(key.line).or_default();
            match key.function {
                Some(_) => *other = 1.0 - (1.0 - *other) * (1.0 - probability),
                // A program has one end: an exception for one input does not occur for another.
                None => *of_module.entry(key.line).or_default() += probability,
            }
            let when = match (&key.function, found.example, found.inputs) {
                (Some(_), Some(call), _) => Some(format!("when called as {call}")),
                (None, Some(input), (count, of)) => Some(match of {
                    1 => format!("for the made-up input {input}"),
                    of => format!("for {count} of {of} made-up inputs, as {input}"),
                }),
                _ => None,
            };
            let when = world::joined(when, found.condition);
            findings.push(Finding {
                kind: key.kind,
                line: key.line,
                column: found.blame.column,
                end_line: found.blame.end_line,
                end_column: found.blame.end_column,
                probability,
                message: found.message,
                values: found.blame.values,
                when,
                calls: found.calls,
                evidence,
                of_call: key.function.is_some(),
            });
        }
        for (line, probability) in of_module {
            let other = lines.entry(line).or_default();
            *other = 1.0 - (1.0 - *other) * (1.0 - probability.min(1.0));
        }
        let error = self.ends.iter().filter(|((kind, _), _)| kind.is_some());
        // From zero: the sum of nothing is -0.0.
        let error = error.fold(0.0, |sum, (_, probability)| sum + probability);
        let end = |((kind, line), probability): (&(Option<String>, Option<u32>), &f64)| End {
            kind: kind.clone(),
            line: *line,
            probability: probability.min(1.0),
        };
        let most = |all: &mut dyn Iterator<Item = Ended<'_>>| {
            all.max_by(|a, b| a.1.total_cmp(b.1)).map(end)
        };
        let clean = self.ends.iter().filter(|((kind, _), _)| kind.is_none());
        let clean = clean.map(|(_, probability)| probability).sum::<f64>();
        let raising = &mut self.ends.iter().filter(|((kind, _), _)| kind.is_some());
        Checked {
            path: self.source.path.clone(),
            findings: distinct(findings),
            error: error.min(1.0),
            clean: clean.min(1.0),
            lines,
            end: most(&mut self.ends.iter()),
            raised: most(raising),
            elsewhere: self.elsewhere.found(self.source),
            is_open: !self.notes.is_empty(),
            left: self.left,
            notes: notes(self.notes),
        }
    }
}

/// The note for an error that an injected input decides.
fn input_ends_so(exception: &str, message: &str) -> String {
    format!("a made-up input ends so: {exception}: {message}; give one with --stdin or --input")
}

fn notes(all: BTreeMap<(Option<u32>, String), Vec<String>>) -> Vec<Note> {
    let one = |((line, text), of): ((Option<u32>, String), Vec<String>)| {
        // What holds for the program holds for the calls behind it.
        let text = match of.iter().any(String::is_empty) {
            true => text,
            false => format!("in a call of {}: {text}", of.join(", ")),
        };
        Note { line, text }
    };
    all.into_iter().map(one).collect()
}
