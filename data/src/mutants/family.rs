//! One program: its mutants, their runs, and their records.
//!
//! A family depends only on the program, the settings and the seed, so every worker produces the
//! same. The store is queried only to save runs of certain duplicates.

use codexec_mutate::{MutateError, Mutator};

use super::BuildError;
use super::counts::{Fate, OperatorSet, Route, Sizes, operator_set};
use super::render::{Draft, draw_up};
use super::settings::{Keep, Settings};
use super::store::Store;
use crate::code_hash::{self, CodeHash, stable_number};
use crate::examples::build::is_unstable;
use crate::planner::Planner;
use crate::records::Kind;
use crate::sandbox::{Pool, SandboxError};
use crate::sources::CorpusProgram;
use crate::syntax::refused_by_cpython;
use crate::tokenizer::SourceText;
use crate::trace::{Outcome, Program, Step, Trace};

/// Programs whose traces are held in memory together.
const HELD: usize = 64;

/// How a program was processed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Treatment {
    Mutated,
    Duplicate,
    SyntaxError(String),
    TooLong,
    Unstable,
    OverLimit,
}

/// A program or a mutant, and its record if it has one.
#[derive(Debug)]
pub(crate) struct Member {
    pub code: CodeHash,
    /// Empty: the unchanged program.
    pub operators: OperatorSet,
    pub fate: Fate,
    pub sizes: Sizes,
    /// A line of JSON; empty without a record.
    pub line: Vec<u8>,
    pub route: Route,
    /// Where planning stopped, if it was executed instead.
    pub cause: Option<String>,
}

/// The parent's data for comparison with mutants.
pub(crate) type Parent = (Vec<Step>, Outcome);

/// Result for one program.
#[derive(Debug)]
pub(crate) struct Family {
    pub id: String,
    pub problem: Option<String>,
    pub treatment: Treatment,
    /// The program's hash as a parent, where it parses.
    pub parent: Option<CodeHash>,
    pub members: Vec<Member>,
}

/// Settings of every family.
pub(crate) struct FamilyGenerator<'a> {
    pub settings: &'a Settings,
    pub mutator: Mutator,
    /// None: nothing is run.
    pub pool: Option<&'a Pool>,
    /// `None`: nothing is planned.
    pub planner: Option<&'a dyn Planner>,
    pub store: &'a Store,
}

/// A program with one standard input, to be run or written.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub code: CodeHash,
    text: SourceText,
    /// Number of its original with the same input; its own number for an original.
    pub original: usize,
    /// An original with the first of its inputs: it becomes a record.
    pub first: bool,
    pub draft: Draft,
}

/// A text to mutate, and the inputs that its mutants use in turn.
struct Form {
    code: String,
    inputs: Vec<Option<String>>,
}

/// The program to run.
#[derive(Default)]
struct Work {
    originals: Vec<Candidate>,
    mutants: Vec<Candidate>,
}

impl FamilyGenerator<'_> {
    /// Mutates, runs and records one program.
    pub(super) fn family(&self, program: &CorpusProgram) -> Result<Family, BuildError> {
        let mut family = Family {
            id: program.id.clone(),
            problem: program.problem.clone(),
            treatment: Treatment::Mutated,
            parent: None,
            members: Vec::new(),
        };
        family.treatment = self.treat(program, &mut family)?;
        Ok(family)
    }

    fn treat(&self, program: &CorpusProgram, family: &mut Family) -> Result<Treatment, BuildError> {
        if is_unstable(&program.code) {
            return Ok(Treatment::Unstable);
        }
        let (text, code) = match code_hash::read(&program.code, None) {
            Ok(read) => read,
            Err(error) => return Ok(Treatment::SyntaxError(error.to_string())),
        };
        if text.cut {
            return Ok(Treatment::TooLong);
        }
        let parent = code_hash::as_parent(code);
        family.parent = Some(parent);
        if self.store.has(&parent)? {
            return Ok(Treatment::Duplicate);
        }
        let mut work = Work::default();
        let forms = self.forms(program)?;
        for (number, form) in forms.iter().enumerate() {
            // The first forms get one more if the number cannot be divided.
            let wanted = (self.settings.per_program + forms.len() - 1 - number) / forms.len();
            match self.draw(program, number, form, wanted, &mut work, family) {
                Err(BuildError::Settings(error @ MutateError::Syntax { .. })) => {
                    let said = refused_by_cpython(&form.code).map(|said| said.to_string());
                    return Ok(Treatment::SyntaxError(said.unwrap_or(error.to_string())));
                }
                drawn => drawn?,
            }
        }
        let Work { originals, mutants } = work;
        match (self.planner, self.pool) {
            (Some(planner), _) => self.plan(planner, originals, mutants, family),
            (None, Some(pool)) => self.run(pool, originals, mutants, family),
            (None, None) => {
                let recorded = originals.into_iter().filter(|o| o.first);
                for candidate in recorded.chain(mutants) {
                    family.members.push(candidate.unrun(self.settings.kind));
                }
                Ok(Treatment::Mutated)
            }
        }
    }

    /// The text to mutate: the unchanged program with its inputs, or with its reads inlined.
    fn forms(&self, program: &CorpusProgram) -> Result<Vec<Form>, BuildError> {
        let inputs = program.inputs(self.settings.inputs.max(1));
        let mut forms: Vec<Form> = Vec::new();
        for stdin in inputs.into_iter().take(self.settings.per_program.max(1)) {
            if let (true, Some(text)) = (self.settings.inline_input, &stdin)
                // A program that does not parse here is found out when it is mutated.
                && let Ok(inlined) = codexec_mutate::inline_input(&program.code, text)
                && inlined.sites > 0
            {
                forms.push(Form {
                    code: inlined.source,
                    inputs: vec![(!inlined.stdin.is_empty()).then_some(inlined.stdin)],
                });
                continue;
            }
            match forms.iter_mut().find(|form| form.code == program.code) {
                Some(form) => form.inputs.push(stdin),
                None => forms.push(Form {
                    code: program.code.clone(),
                    inputs: vec![stdin],
                }),
            }
        }
        Ok(forms)
    }

    /// Draws the mutants of a form. Those that need no run are added to the family at once.
    fn draw(
        &self,
        program: &CorpusProgram,
        number: usize,
        form: &Form,
        wanted: usize,
        work: &mut Work,
        family: &mut Family,
    ) -> Result<(), BuildError> {
        let seed = self.seed(&form.code);
        let made = self.mutator.mutants(&form.code, seed)?;
        let parent = match number {
            0 => program.id.clone(),
            _ => format!("{}:{number}", program.id),
        };
        let draft = |text: String, stdin: &Option<String>| {
            let mut draft = Draft::new(program, text, stdin.clone(), seed);
            draft.parent.clone_from(&parent);
            draft
        };
        let before = work.originals.len();
        for (at, stdin) in form.inputs.iter().enumerate() {
            let Ok((text, code)) = code_hash::read(&form.code, stdin.as_deref()) else {
                // The inlined input nests too deeply.
                return Ok(());
            };
            let (original, first) = (work.originals.len(), at == 0);
            let mut draft = draft(form.code.clone(), stdin);
            draft.id.clone_from(&parent);
            work.originals.push(Candidate {
                code,
                text,
                original,
                first,
                draft,
            });
        }
        for (k, mutant) in made.take(wanted).enumerate() {
            let at = k % form.inputs.len();
            let (stdin, original) = (&form.inputs[at], before + at);
            let operators = operator_set(mutant.edits.iter().map(|e| e.operator));
            let mut drop = |code, fate| {
                family.members.push(Member {
                    code,
                    operators,
                    fate,
                    sizes: Sizes::default(),
                    line: Vec::new(),
                    route: Route::Only,
                    cause: None,
                });
            };
            match code_hash::read(&mutant.text, stdin.as_deref()) {
                Err(_) => drop(CodeHash::default(), Fate::Unfit("syntax_error")),
                Ok((_, code)) if self.store.has(&code)? => drop(code, Fate::Duplicate),
                Ok((text, code)) if text.cut => drop(code, Fate::Unfit("too_long")),
                Ok((text, code)) => {
                    let mut draft = draft(mutant.text, stdin);
                    draft.id = format!("{parent}/{k}");
                    draft.edits = mutant.edits;
                    work.mutants.push(Candidate {
                        code,
                        text,
                        original,
                        first: false,
                        draft,
                    });
                }
            }
        }
        Ok(())
    }

    /// Traces of executed programs; only the first one if it is `led` and runs out of time.
    pub(super) fn traced(
        &self,
        pool: &Pool,
        programs: Vec<Program>,
        led: bool,
    ) -> Result<Vec<Trace>, SandboxError> {
        if programs.is_empty() {
            return Ok(Vec::new());
        }
        match self.settings.keep {
            Keep::All => pool.run_brief(&programs, led),
            _ => pool.run_finishing(&programs, led),
        }
    }

    /// Runs the program with each input, and its mutants after it.
    pub(super) fn run(
        &self,
        pool: &Pool,
        originals: Vec<Candidate>,
        mut mutants: Vec<Candidate>,
        family: &mut Family,
    ) -> Result<Treatment, BuildError> {
        let first = HELD
            .saturating_sub(originals.len())
            .max(1)
            .min(mutants.len());
        let mut rest = mutants.split_off(first);
        let programs = originals.iter().chain(&mutants).map(Candidate::program);
        let mut traces = self.traced(pool, programs.collect(), true)?.into_iter();
        let mut parents = Vec::new();
        for original in originals {
            let Some(trace) = traces.next() else { break };
            parents.push((trace.steps.clone(), trace.outcome.clone()));
            let recorded = original.first;
            let mut member = self.member(original, trace, None);
            if !recorded {
                member.line.clear();
            }
            family.members.push(member);
        }
        let over = !mutants.is_empty() && traces.len() == 0;
        if over {
            return Ok(Treatment::OverLimit);
        }
        loop {
            for (mutant, trace) in mutants.drain(..).zip(traces) {
                let parent = parents.get(mutant.original);
                family.members.push(self.member(mutant, trace, parent));
            }
            if rest.is_empty() {
                return Ok(Treatment::Mutated);
            }
            let later = rest.split_off(HELD.min(rest.len()));
            mutants = std::mem::replace(&mut rest, later);
            let programs = mutants.iter().map(Candidate::program).collect();
            traces = self.traced(pool, programs, false)?.into_iter();
        }
    }

    /// The member made of a candidate and its trace; `parent` is `None` for the parent itself.
    pub(super) fn member(
        &self,
        candidate: Candidate,
        mut trace: Trace,
        parent: Option<&Parent>,
    ) -> Member {
        let Candidate {
            code,
            text,
            mut draft,
            ..
        } = candidate;
        let operators = operator_set(draft.edits.iter().map(|e| e.operator));
        let same = parent.is_none_or(|(steps, outcome)| {
            *outcome == trace.outcome
                && steps.len() == trace.steps.len()
                && steps.iter().zip(&trace.steps).all(|(a, b)| is_alike(a, b))
        });
        let mut fate = fate(&trace, same);
        let wanted = match fate {
            Fate::Differs | Fate::Same => true,
            Fate::Raised(_) => self.settings.keep != Keep::Ok,
            Fate::Limit(_) => self.settings.keep == Keep::All,
            _ => false,
        };
        let (mut line, mut sizes) = (Vec::new(), Sizes::default());
        if wanted {
            draft.differs = parent.map(|_| !same);
            match draw_up(draft, text, Some(&mut trace), self.settings.kind) {
                Ok(drawn) => (line, sizes) = drawn,
                Err(why) => fate = Fate::Unfit(why),
            }
        }
        Member {
            code,
            operators,
            fate,
            sizes,
            line,
            route: Route::Only,
            cause: None,
        }
    }

    /// The seed of a program's draws: from the build's seed and the program alone, so that neither
    /// its position in the corpus nor its shard matters. Short enough for every JSON reader.
    fn seed(&self, code: &str) -> u64 {
        stable_number(&[&self.settings.seed.to_le_bytes(), code.as_bytes()]) >> 11
    }
}

/// Whether two steps are the same, wherever their values come from.
fn is_alike(a: &Step, b: &Step) -> bool {
    let place = |s: &Step| (s.line, s.event, s.depth, s.file);
    place(a) == place(b)
        && a.function == b.function
        && a.output == b.output
        && a.state.len() == b.state.len()
        && a.state
            .iter()
            .zip(b.state.iter())
            .all(|((a, x), (b, y))| a == b && (std::ptr::eq(x, y) || x.text == y.text))
}

fn fate(trace: &Trace, same: bool) -> Fate {
    match &trace.outcome {
        Outcome::Finished | Outcome::Exited { .. } if trace.steps.is_empty() => {
            Fate::Unfit("no_steps")
        }
        Outcome::Finished | Outcome::Exited { .. } if same => Fate::Same,
        Outcome::Finished | Outcome::Exited { .. } => Fate::Differs,
        Outcome::Raised { exception, .. } => Fate::Raised(exception.clone()),
        Outcome::SyntaxError { .. } => Fate::Unfit("syntax_error"),
        Outcome::Timeout => Fate::Limit("timeout"),
        Outcome::StepLimit => Fate::Limit("step_limit"),
        Outcome::InstructionLimit => Fate::Limit("instruction_limit"),
        Outcome::OutputLimit => Fate::Limit("output_limit"),
        Outcome::TraceLimit => Fate::Limit("trace_limit"),
        Outcome::MemoryLimit => Fate::Limit("memory_limit"),
        Outcome::Killed { .. } => Fate::Limit("killed"),
    }
}

impl Candidate {
    pub(super) fn program(&self) -> Program {
        Program {
            id: String::new(),
            source: Some(self.draft.code.clone()),
            stdin: self.draft.stdin.clone(),
            ..Program::default()
        }
    }

    fn unrun(self, kind: Kind) -> Member {
        let operators = operator_set(self.draft.edits.iter().map(|e| e.operator));
        let drawn = draw_up(self.draft, self.text, None, kind);
        let (line, sizes) = drawn.unwrap_or_default();
        Member {
            code: self.code,
            operators,
            fate: Fate::NotRun,
            sizes,
            line,
            route: Route::Only,
            cause: None,
        }
    }
}
