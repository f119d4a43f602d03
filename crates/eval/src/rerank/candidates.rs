//! Problems with right and wrong programs, made of a corpus: a set to measure an order on, for which no language model
//! is needed.
//!
//! A program that passes its samples is a reference; without samples its own output is expected. Right candidates print
//! the same as the reference on every input: other programs of the problem, and mutants that the tests do not kill.
//! Wrong ones do not: other submissions, and killed mutants. The first input is a public test, all others are private.
//! Everything is run in the sandbox.

use std::collections::HashSet;

use codexec_data::sandbox::{Pool, SandboxError};
use codexec_data::sources::CorpusProgram;
use codexec_data::trace::{Outcome, Program};
use codexec_mutate::{Config, Mutator};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::test::lines;

/// Number and size.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateConfig {
    /// Problems.
    pub problems: usize,
    /// Candidates of each.
    pub candidates: usize,
    /// Maximum right ones; the number of a problem is drawn from 1 to this.
    pub most_right: usize,
    /// Maximum inputs of a problem.
    pub inputs: usize,
    /// Maximum lines of a reference.
    pub most_lines: usize,
    /// Seed of every draw.
    pub seed: u64,
}

impl Default for CandidateConfig {
    fn default() -> Self {
        Self {
            problems: 200,
            candidates: 20,
            most_right: 10,
            inputs: 3,
            most_lines: 60,
            seed: 0,
        }
    }
}

/// Mutants run per requested candidate.
const MUTANTS: usize = 8;
/// At most one in this many wrong mutants raises an exception: samples of language models seldom do.
const RAISING: usize = 4;
/// Each site is edited with this probability: most mutants have few changes.
const PROBABILITY: f64 = 0.15;

/// Programs that print something else each time, or that look at the machine.
const UNSTABLE: [&str; 10] = [
    "random",
    "time",
    "uuid",
    "thread",
    "getpid",
    "id(",
    "hash(",
    "open(",
    "subprocess",
    "urandom",
];

/// Origin of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// The corpus has it.
    Natural,
    /// It is a mutant.
    Mutant,
}

struct Candidate {
    code: String,
    made: Made,
    right: bool,
    raises: bool,
}

/// A problem of the corpus.
struct Task {
    id: String,
    programs: Vec<CorpusProgram>,
    inputs: Vec<Option<String>>,
    /// The expected output; the reference's if the corpus has none.
    outputs: Vec<Option<String>>,
}

/// Rows with `question_id`, `public_test_cases`, `private_test_cases`, `code_list`, and `right` and `made` of each
/// candidate, in a random order. `progress` hears of each problem that was tried.
///
/// # Errors
/// If nothing can be run.
pub fn candidates(
    pool: &Pool,
    corpus: &[CorpusProgram],
    config: &CandidateConfig,
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<Value>, SandboxError> {
    let mut tasks = tasks(corpus, config);
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    tasks.shuffle(&mut rng);
    let mut rows = Vec::new();
    let mut from = 0;
    while rows.len() < config.problems && from < tasks.len() {
        let together = &tasks[from..tasks.len().min(from + 16)];
        let one = |(at, task): (usize, &Task)| {
            let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
            rng.set_stream(1 + (from + at) as u64);
            let row = row(pool, task, config, &mut rng);
            progress();
            row
        };
        let made: Result<Vec<Option<Value>>, SandboxError> =
            together.par_iter().enumerate().map(one).collect();
        rows.extend(made?.into_iter().flatten());
        from += together.len();
    }
    rows.truncate(config.problems);
    Ok(rows)
}

/// The problems of a corpus: by problem if it has expected outputs, else each program separately.
fn tasks(corpus: &[CorpusProgram], config: &CandidateConfig) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut seen = HashSet::new();
    for program in corpus {
        let unstable = UNSTABLE.iter().any(|word| program.code.contains(word));
        if unstable || !seen.insert(program.code.clone()) {
            continue;
        }
        let judged: Vec<_> = program
            .samples
            .iter()
            .filter(|sample| sample.output.is_some())
            .take(config.inputs)
            .collect();
        let problem = program.problem.clone().filter(|_| !judged.is_empty());
        if let Some(problem) = &problem
            && let Some(task) = tasks.iter_mut().find(|task| task.id == *problem)
        {
            task.programs.push(program.clone());
            continue;
        }
        let (inputs, outputs) = match problem {
            Some(_) => judged
                .iter()
                .map(|sample| (sample.input.clone(), sample.output.clone()))
                .unzip(),
            None => {
                let inputs = program.inputs(config.inputs);
                let outputs = vec![None; inputs.len()];
                (inputs, outputs)
            }
        };
        tasks.push(Task {
            id: problem.unwrap_or_else(|| program.id.clone()),
            programs: vec![program.clone()],
            inputs,
            outputs,
        });
    }
    tasks
}

/// The outputs of programs on every input of a task. `None` for an input on which one does not finish.
fn printed(
    pool: &Pool,
    task: &Task,
    codes: &[String],
) -> Result<Vec<Vec<Result<String, Outcome>>>, SandboxError> {
    let mut programs = Vec::with_capacity(codes.len() * task.inputs.len());
    for code in codes {
        programs.extend(task.inputs.iter().map(|stdin| Program {
            id: task.id.clone(),
            source: Some(code.clone()),
            stdin: stdin.clone(),
            ..Program::default()
        }));
    }
    let traces = pool.run_brief(&programs, false)?;
    let read = |trace: &codexec_data::trace::Trace| match trace.outcome {
        Outcome::Finished => Ok(trace.output()),
        ref outcome => Err(outcome.clone()),
    };
    let found: Vec<Result<String, Outcome>> = traces.iter().map(read).collect();
    let of_program = found.chunks(task.inputs.len().max(1));
    Ok(of_program.map(<[_]>::to_vec).collect())
}

fn same(one: &str, other: &str) -> bool {
    lines(one).eq(lines(other))
}

/// The row of a task. `None` if it has no reference, or not enough candidates.
fn row(
    pool: &Pool,
    task: &Task,
    config: &CandidateConfig,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Value>, SandboxError> {
    let codes: Vec<String> = task.programs.iter().map(|p| p.code.clone()).collect();
    let found = printed(pool, task, &codes)?;
    let passes = |outputs: &Vec<Result<String, Outcome>>| {
        outputs.iter().zip(&task.outputs).all(|pair| match pair {
            (Ok(output), Some(wanted)) => same(output, wanted),
            (Ok(output), None) => !output.trim().is_empty(),
            _ => false,
        })
    };
    let fits = |code: &String| code.lines().count() <= config.most_lines;
    let reference = (0..codes.len()).find(|&at| passes(&found[at]) && fits(&codes[at]));
    let Some(reference) = reference else {
        return Ok(None);
    };
    let wanted: Vec<String> = found[reference].iter().flatten().cloned().collect();
    let judge = |code: String, outputs: &[Result<String, Outcome>], made| {
        let right = (outputs.iter().zip(&wanted))
            .all(|(output, wanted)| output.as_ref().is_ok_and(|output| same(output, wanted)));
        let raises = outputs.iter().any(Result::is_err);
        Candidate {
            code,
            made,
            right,
            raises,
        }
    };
    let mut all: Vec<Candidate> = codes
        .iter()
        .zip(&found)
        .map(|(code, outputs)| judge(code.clone(), outputs, Made::Natural))
        .collect();
    let mutator = Mutator::new(Config {
        probability: PROBABILITY,
        ..Config::default()
    });
    let mut seen: HashSet<String> = codes.iter().cloned().collect();
    let mut mutants = Vec::new();
    let parents: Vec<&Candidate> = all.iter().filter(|c| c.right && fits(&c.code)).collect();
    let each = (config.candidates * MUTANTS).div_ceil(parents.len().max(1));
    for parent in parents {
        if let Ok(made) = mutator.mutants(&parent.code, rng.random()) {
            let made = made.take(each).map(|mutant| mutant.text);
            mutants.extend(made.filter(|text| seen.insert(text.clone())));
        }
    }
    let found = printed(pool, task, &mutants)?;
    let mutants = mutants.into_iter().zip(&found);
    all.extend(mutants.map(|(code, outputs)| judge(code, outputs, Made::Mutant)));
    Ok(chosen(all, config, rng).map(|chosen| fields(task, &wanted, &chosen)))
}

/// As many right and wrong ones as are drawn; natural ones before mutants.
fn chosen(
    mut all: Vec<Candidate>,
    config: &CandidateConfig,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<Candidate>> {
    let mut wanted = rng.random_range(1..=config.most_right.max(1));
    all.shuffle(rng);
    all.sort_by_key(|candidate| candidate.made == Made::Mutant);
    let (mut right, wrong): (Vec<_>, Vec<_>) = all.into_iter().partition(|c| c.right);
    wanted = wanted.min(right.len()).min(config.candidates);
    right.truncate(wanted);
    let (mut chosen, mut raising) = (right, 0);
    let most_raising = config.candidates.saturating_sub(wanted) / RAISING;
    let mut spare = Vec::new();
    for candidate in wrong {
        let over = candidate.raises && candidate.made == Made::Mutant && raising >= most_raising;
        if over {
            spare.push(candidate);
        } else if chosen.len() < config.candidates {
            raising += usize::from(candidate.raises);
            chosen.push(candidate);
        }
    }
    let missing = config.candidates - chosen.len();
    chosen.extend(spare.into_iter().take(missing));
    chosen.shuffle(rng);
    (wanted > 0 && chosen.len() == config.candidates).then_some(chosen)
}

fn fields(task: &Task, wanted: &[String], chosen: &[Candidate]) -> Value {
    let case = |(input, output): (&Option<String>, &String)| {
        let input = input.as_deref().unwrap_or_default();
        json!({ "input": input, "output": output, "testtype": "stdin" })
    };
    let mut cases: Vec<Value> = task.inputs.iter().zip(wanted).map(case).collect();
    let private = cases.split_off(1.min(cases.len()));
    let of = |field: &dyn Fn(&Candidate) -> Value| chosen.iter().map(field).collect::<Vec<_>>();
    json!({
        "question_id": task.id,
        "public_test_cases": cases,
        "private_test_cases": private,
        "code_list": of(&|c| json!(c.code)),
        "right": of(&|c| json!(c.right)),
        "made": of(&|c| json!(c.made)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(code: usize, made: Made, right: bool, raises: bool) -> Candidate {
        Candidate {
            code: code.to_string(),
            made,
            right,
            raises,
        }
    }

    #[test]
    fn a_row_has_as_many_as_are_wanted_and_one_right_at_least() {
        let config = CandidateConfig {
            candidates: 8,
            most_right: 3,
            ..CandidateConfig::default()
        };
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let all = (0..30).map(|k| {
                let made = if k < 2 { Made::Natural } else { Made::Mutant };
                candidate(k, made, k % 3 == 0, k % 3 == 1 && k > 5)
            });
            let row = chosen(all.collect(), &config, &mut rng).unwrap();
            assert_eq!(row.len(), 8);
            let right = row.iter().filter(|c| c.right).count();
            assert!((1..=3).contains(&right));
            // The only natural ones of each kind.
            assert!(row.iter().any(|c| c.code == "0") && row.iter().any(|c| c.code == "1"));
            let raising = row.iter().filter(|c| c.raises).count();
            assert!(raising <= 1, "{raising}");
        }
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let wrong = (0..30).map(|k| candidate(k, Made::Mutant, false, false));
        assert!(chosen(wrong.collect(), &config, &mut rng).is_none());
        let few = (0..4).map(|k| candidate(k, Made::Mutant, k == 0, false));
        assert!(chosen(few.collect(), &config, &mut rng).is_none());
    }

    #[test]
    fn programs_without_known_outputs_are_problems_of_their_own() {
        let program = |id: &str, samples: &str| -> CorpusProgram {
            let text = format!(
                "{{\"id\": \"{id}\", \"code\": \"print('{id}')\", \"problem\": \"p\", \"samples\": {samples}}}"
            );
            serde_json::from_str(&text).unwrap()
        };
        let known = r#"[{"in": "1", "out": "2"}]"#;
        let corpus = [
            program("a", known),
            program("b", known),
            program("c", r#"[{"in": "1"}]"#),
            program("d", "[]"),
            program("d", "[]"),
        ];
        let found = tasks(&corpus, &CandidateConfig::default());
        let ids: Vec<(&str, usize)> = found.iter().map(|t| (&*t.id, t.programs.len())).collect();
        assert_eq!(ids, [("p", 2), ("c", 1), ("d", 1)]);
    }
}
