//! What programs print, by an engine: with how sure it is, or why it cannot say.
//!
//! Equal programs are asked once. Predictions are stored in a file if one is given, so that a killed run can be
//! resumed. The engine `run` executes a program in one step, so that the step limit does not end it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use codexec_data::trace::{Outcome, Program, Trace};
use serde::{Deserialize, Serialize};

use super::{Answer, Answered, Engine, EngineError, Question, Row, Unanswered, run};
use codexec_unknown::llm::{Recorded, digest};

/// An engine's prediction of a program's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Told {
    /// It comes to its end, having printed this.
    Printed {
        /// Everything printed.
        text: String,
        /// The engine's probability; 1 if it was executed.
        confidence: f32,
    },
    /// It does not come to its end.
    Failed {
        /// Why, in words.
        why: String,
        /// The engine's probability.
        confidence: f32,
    },
    /// The engine stopped.
    Unknown {
        /// Why, in words.
        why: String,
    },
}

impl Told {
    /// The output, if known.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Printed { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The engine's confidence; 0 if it stopped.
    pub fn confidence(&self) -> f32 {
        match self {
            Self::Printed { confidence, .. } | Self::Failed { confidence, .. } => *confidence,
            Self::Unknown { .. } => 0.0,
        }
    }
}

/// An engine that predicts outputs.
pub struct Teller<'e> {
    engine: &'e dyn Engine,
    executes: bool,
    /// Programs run in one step.
    in_one_step: bool,
    identity: String,
    kept: Option<&'e Recorded<Told>>,
}

/// Programs asked together.
const TOGETHER: usize = 512;

impl<'e> Teller<'e> {
    /// With the engine of a row, and a file of stored predictions.
    ///
    /// # Errors
    /// If the engine's weights cannot be looked at.
    pub fn new(
        row: &Row,
        engine: &'e dyn Engine,
        kept: Option<&'e Recorded<Told>>,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            engine,
            executes: row.executes,
            in_one_step: row.name == run::ROW.name,
            identity: engine.identity()?,
            kept,
        })
    }

    /// The output of each program, in order. `progress` receives the number of newly known ones.
    ///
    /// # Errors
    /// If the engine cannot answer at all, or the file cannot be written.
    pub fn tell(
        &self,
        programs: &[Program],
        progress: &dyn Fn(usize),
    ) -> Result<Vec<Told>, EngineError> {
        let keys: Vec<String> = programs.iter().map(|p| self.key(p)).collect();
        let mut found: HashMap<&str, Told> = HashMap::new();
        let mut open: Vec<usize> = Vec::new();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for (at, key) in keys.iter().enumerate() {
            let count = times.entry(key).or_insert(0);
            *count += 1;
            if *count > 1 {
                continue;
            }
            match self.kept.and_then(|kept| kept.get(key)) {
                Some(told) => drop(found.insert(key, told)),
                None => open.push(at),
            }
        }
        progress(found.keys().map(|key| times[key]).sum());
        for together in open.chunks(TOGETHER) {
            let asked: Vec<Program> = together
                .iter()
                .map(|&at| self.asked(&programs[at]))
                .collect();
            let (mut next, mut failed) = (together.iter(), None);
            let mut done = |_: &Program, answer: Answer| {
                let Some(&at) = next.next() else {
                    return ControlFlow::Break(());
                };
                let told = read(answer, self.executes);
                let kept = self.kept.map_or(Ok(()), |kept| kept.keep(&keys[at], &told));
                if let Err(why) = kept {
                    failed = Some(EngineError::Server(why));
                    return ControlFlow::Break(());
                }
                progress(times[keys[at].as_str()]);
                found.insert(&keys[at], told);
                ControlFlow::Continue(())
            };
            self.engine.answer(&Question::of(&asked), &mut done)?;
            if let Some(error) = failed {
                return Err(error);
            }
        }
        let none = || Told::Unknown {
            why: "no answer".to_owned(),
        };
        let told = keys.iter().map(|key| found.get(key.as_str()).cloned());
        Ok(told.map(|told| told.unwrap_or_else(none)).collect())
    }

    fn key(&self, program: &Program) -> String {
        let body = serde_json::json!([program.source, program.stdin]).to_string();
        digest(&self.identity, body.as_bytes(), 0)
    }

    fn asked(&self, program: &Program) -> Program {
        if self.in_one_step {
            in_one_step(program)
        } else {
            program.clone()
        }
    }
}

/// An equivalent program with one step: its own lines belong to another file, which is not traced.
pub fn in_one_step(program: &Program) -> Program {
    let source = program.source.as_deref().unwrap_or_default();
    // What JSON writes in a string, Python reads as the same text.
    let text = serde_json::Value::from(source);
    let source =
        format!("exec(compile({text}, 'program.py', 'exec'), {{'__name__': '__main__'}})\n");
    Program {
        source: Some(source),
        ..program.clone()
    }
}

fn read(answer: Answer, executes: bool) -> Told {
    let answered = match answer {
        Ok(answered) => answered,
        Err(Unanswered::Syntax(error)) => {
            return Told::Failed {
                why: format!("is no Python, line {}: {}", error.line, error.message),
                confidence: 1.0,
            };
        }
        Err(Unanswered::Unreadable(error)) => {
            return Told::Unknown {
                why: error.to_string(),
            };
        }
    };
    if let Some(stopped) = &answered.stopped {
        return Told::Unknown {
            why: format!("planning stopped, {stopped}"),
        };
    }
    let trace = &answered.trace;
    let confidence = match executes {
        true => 1.0,
        false => confidence(&answered),
    };
    if trace.truncated {
        let why = "the predicted trace is too long".to_owned();
        return Told::Unknown { why };
    }
    let failed = |why: String| Told::Failed { why, confidence };
    let limit = |why: &str| match executes {
        true => failed(why.to_owned()),
        false => Told::Unknown {
            why: why.to_owned(),
        },
    };
    match &trace.outcome {
        Outcome::Finished => Told::Printed {
            text: trace.output(),
            confidence,
        },
        Outcome::Raised { exception, .. } if exception.is_empty() => failed("raises".to_owned()),
        Outcome::Raised { exception, .. } => failed(format!("raises {exception}")),
        Outcome::Exited { code, .. } => failed(format!("exits with status {code}")),
        Outcome::SyntaxError { line, message, .. } => {
            failed(format!("is no Python, line {line}: {message}"))
        }
        Outcome::Timeout => limit("takes too long"),
        Outcome::StepLimit => limit("makes too many steps"),
        Outcome::InstructionLimit => limit("takes too many instructions"),
        Outcome::OutputLimit => limit("prints too much"),
        Outcome::TraceLimit => limit("has states that are too large"),
        Outcome::MemoryLimit => limit("takes too much memory"),
        Outcome::Killed { why } => limit(&format!("dies: {why}")),
    }
}

/// The engine's probability of a trace.
fn confidence(answered: &Answered) -> f32 {
    let of_steps = |trace: &Trace| trace.steps.iter().filter_map(|s| s.confidence).product();
    let known = answered.trace.confidence.or(answered.score.map(f32::exp));
    known
        .unwrap_or_else(|| of_steps(&answered.trace))
        .clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use codexec_data::trace::{Engine as By, Event, State, Step};

    use super::*;

    /// Prints the standard input, and counts its queries.
    struct Echo(Mutex<usize>);

    impl Engine for Echo {
        fn heading(&self) -> String {
            "echo".to_owned()
        }

        fn label(&self, _: &Question<'_>) -> String {
            "echo".to_owned()
        }

        fn answer(
            &self,
            question: &Question<'_>,
            done: &mut crate::Done<'_>,
        ) -> Result<(), EngineError> {
            for program in question.programs {
                *self.0.lock().unwrap() += 1;
                let mut trace = Trace::new(By::Predict, program.clone());
                trace.confidence = Some(0.5);
                trace.steps.push(Step {
                    line: 1,
                    event: Event::Line,
                    function: "<module>".into(),
                    depth: 0,
                    file: 0,
                    state: State::new(),
                    output: program.stdin.clone().unwrap_or_default(),
                    value: None,
                    confidence: None,
                });
                if done(program, Ok(Answered::certain(trace))).is_break() {
                    break;
                }
            }
            Ok(())
        }
    }

    fn programs(inputs: &[&str]) -> Vec<Program> {
        let one = |input: &&str| Program {
            id: String::new(),
            source: Some("print(input())".to_owned()),
            stdin: Some((*input).to_owned()),
            ..Program::default()
        };
        inputs.iter().map(one).collect()
    }

    #[test]
    fn equal_programs_are_asked_about_once_and_kept_ones_never() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("outputs.jsonl");
        let row = crate::named("plan").unwrap();
        let texts = |told: &[Told]| -> Vec<String> {
            told.iter().map(|t| t.text().unwrap().to_owned()).collect()
        };
        for (inputs, asked) in [(["1", "2", "1"], 2), (["2", "3", "1"], 1)] {
            let kept = Recorded::open(&path).unwrap();
            let engine = Echo(Mutex::new(0));
            let teller = Teller::new(row, &engine, Some(&kept)).unwrap();
            let count = std::cell::Cell::new(0);
            let progress = |more: usize| count.set(count.get() + more);
            let told = teller.tell(&programs(&inputs), &progress).unwrap();
            assert_eq!(texts(&told), inputs);
            assert_eq!(told[0].confidence(), 0.5);
            assert_eq!(*engine.0.lock().unwrap(), asked);
            assert_eq!(count.get(), 3);
        }
    }

    #[test]
    fn what_ends_a_program_is_said_and_what_ends_an_engine_is_unknown() {
        let ends = |outcome: Outcome, executes| {
            let mut trace = Trace::new(By::Predict, Program::default());
            trace.outcome = outcome;
            read(Ok(Answered::certain(trace)), executes)
        };
        assert!(matches!(ends(Outcome::Timeout, true), Told::Failed { .. }));
        assert!(matches!(
            ends(Outcome::StepLimit, false),
            Told::Unknown { .. }
        ));
        let raised = Outcome::Raised {
            file: 0,
            exception: "KeyError".to_owned(),
            message: String::new(),
            line: 1,
            step: None,
        };
        let Told::Failed { why, .. } = ends(raised, false) else {
            panic!("a raised exception is a failure")
        };
        assert_eq!(why, "raises KeyError");
    }
}
