//! Ranks generated programs by predicted output: the samples of a language model, best first, without running any of
//! them, or by running them.
//!
//! | module | what |
//! |---|---|
//! | `layout` | problems and samples as people have them, in and out |
//! | `examples`, `inputs` | tests from a prompt, and calls drawn by types |
//! | `extract` | the code in what a model replied |
//! | `test`, `literal` | what a test asks, and when an output is right |
//! | `score` | the order |
//! | `verify` | which samples are right, by running them |
//! | `estimator`, `table` | pass@k, and the table of it |
//! | [`candidates`] | problems with right and wrong programs, made of a corpus |
//!
//! An engine ([`codexec_engine::outputs`]) predicts the output of a sample; nothing here asks a network.
//!
//! ```
//! # let place = tempfile::tempdir()?;
//! # let file = place.path().join("samples.jsonl");
//! # let rows = [2, 3].map(|k| format!(r#"{{"task_id": "a", "code": "print({k})", "samples": [{{"in": "", "out": "3"}}]}}"#));
//! # std::fs::write(&file, rows.join("\n"))?;
//! use codexec_engine::{Settings, outputs::Teller, plan};
//! use codexec_eval::rerank::{ranked_rows, read_samples, rerank};
//! let samples = read_samples(&file, None)?;
//! let engines = (plan::ROW.open)(&Settings::default())?;
//! let teller = Teller::new(&plan::ROW, engines[0].as_ref(), None)?;
//! let order = rerank(&samples, &teller, &|_| {})?;
//! let rows = ranked_rows(&samples, &order);
//! assert_eq!((&rows[0]["codexec_rank"], &rows[0]["code"]), (&1.into(), &"print(3)".into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The ranking alone, from known outputs:
//!
//! ```
//! use codexec_engine::outputs::Told;
//! use codexec_eval::rerank::{pass_at_k, rank, Test};
//! // Two samples for "print twice the input", and what an engine says they print for the input 2.
//! let test = Test::Input { stdin: "2\n".into(), expected: Some("4\n".into()) };
//! let says = |text: &str| vec![Told::Printed { text: text.into(), confidence: 0.9 }];
//! let order = rank(&[test], &[says("2\n"), says("4\n")]);
//! assert_eq!(order[0].sample, 1);
//! assert!(order[0].reasons[0].starts_with("passes"));
//! assert_eq!(pass_at_k(2, 1, 1), Some(0.5));
//! ```

pub mod candidates;
mod estimator;
mod examples;
mod extract;
mod inputs;
mod layout;
mod literal;
mod score;
mod table;
mod test;
mod verify;

use codexec_data::trace::Program;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

pub use estimator::pass_at_k;
pub use examples::{asserted, examples_of};
pub use extract::{Extracted, extract};
pub use layout::{Check, Fields, Problem, Sample, SampleSet, Verdict, ranked_rows, read_samples};
pub use literal::{Literal, literal};
pub use score::{Ranked, rank};
pub use table::{PassRow, PassTable, pass_table};
pub use test::{Test, lines};
pub use verify::{judging, right};

use codexec_engine::EngineError;
use codexec_engine::outputs::{Teller, Told};

/// Calls that are drawn for a function without examples.
const DRAWN: usize = 4;

/// Gives problems without a test calls of their function, drawn by the types of its parameters. Returns how many
/// problems now have a test.
pub fn draw_missing_tests(set: &mut SampleSet, seed: u64) -> usize {
    for at in 0..set.problems.len() {
        if !set.problems[at].tests.is_empty() {
            continue;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(at as u64);
        let Some(function) = set.problems[at].function.clone() else {
            // A program: its output without input is all there is.
            let stdin = String::new();
            let expected = None;
            set.problems[at].tests.push(Test::Input { stdin, expected });
            continue;
        };
        let codes = set.samples.iter().filter(|sample| sample.problem == at);
        let codes = codes.map(|sample| sample.code.as_str());
        let mut all = std::iter::once(set.problems[at].prompt.as_str()).chain(codes);
        let drawn = all
            .by_ref()
            .take(8)
            .map(|code| inputs::drawn_calls(code, &function, DRAWN, &mut rng))
            .find(|calls| !calls.is_empty());
        set.problems[at].tests = drawn.unwrap_or_default();
    }
    let tested = set.problems.iter().filter(|p| !p.tests.is_empty());
    tested.count()
}

/// The programs whose outputs decide: each sample with each test of its problem.
pub fn programs(set: &SampleSet) -> Vec<Program> {
    let of_sample = |(at, sample): (usize, &Sample)| {
        let tests = set.problems[sample.problem].tests.iter();
        let one =
            |(number, test): (usize, &Test)| test.program(&format!("{at}.{number}"), &sample.code);
        tests.enumerate().map(one).collect::<Vec<_>>()
    };
    set.samples.iter().enumerate().flat_map(of_sample).collect()
}

/// Ranks the samples of every problem by an engine's predictions. `progress` receives the number of newly
/// finished programs.
///
/// # Errors
/// If the engine cannot answer at all.
pub fn rerank(
    set: &SampleSet,
    teller: &Teller<'_>,
    progress: &dyn Fn(usize),
) -> Result<Vec<Verdict>, EngineError> {
    let told = teller.tell(&programs(set), progress)?;
    Ok(order(set, told))
}

/// The ranking of the samples of every problem, from the outputs of [`programs`].
pub fn order(set: &SampleSet, told: Vec<Told>) -> Vec<Verdict> {
    let mut told = told.into_iter();
    let mut of_problem: Vec<Vec<Vec<Told>>> = vec![Vec::new(); set.problems.len()];
    for sample in &set.samples {
        let count = set.problems[sample.problem].tests.len();
        of_problem[sample.problem].push(told.by_ref().take(count).collect());
    }
    let problems = set.problems.iter().zip(&of_problem);
    problems
        .map(|(problem, told)| Verdict {
            order: rank(&problem.tests, told),
            right: None,
        })
        .collect()
}
