//! Inputs of other problems: the behaviour of a program on an input that was not made for it depends only on the
//! description of the input.

use std::collections::HashMap;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::summary::{Shape, outline};
use crate::records::Part;
use crate::sources::CorpusProgram;

/// Draws of one input before giving up.
const TRIES: usize = 16;

/// An input of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct OtherInput<'c> {
    /// The problem. `None` if the program names none.
    pub problem: Option<&'c str>,
    pub text: &'c str,
}

/// The distinct inputs of one part.
#[derive(Debug, Default)]
struct Inputs<'c> {
    all: Vec<OtherInput<'c>>,
    /// Positions of inputs with equal beginnings.
    alike: HashMap<(Vec<Shape>, usize), Vec<usize>>,
}

/// The inputs of a corpus by part, so that drawing shares none between parts.
#[derive(Debug, Default)]
pub(super) struct OtherInputs<'c>([Inputs<'c>; 3]);

impl<'c> OtherInputs<'c> {
    /// All inputs of a corpus.
    pub(super) fn of(corpus: &'c [CorpusProgram], part: impl Fn(&CorpusProgram) -> Part) -> Self {
        let mut out = Self::default();
        let mut seen = std::collections::HashSet::new();
        for program in corpus {
            let inputs = &mut out.0[part(program) as usize];
            let samples = program.samples.iter().filter_map(|s| s.input.as_deref());
            for text in program.stdin.as_deref().into_iter().chain(samples) {
                let problem = program.problem.as_deref();
                let one = OtherInput { problem, text };
                if seen.insert((one, part(program))) {
                    let places = inputs.alike.entry(outline(text)).or_default();
                    places.push(inputs.all.len());
                    inputs.all.push(one);
                }
            }
        }
        out
    }

    /// Up to `count` inputs of other problems, alternating between any and one that begins like an input of
    /// the program.
    pub(super) fn draw(
        &self,
        program: &CorpusProgram,
        part: Part,
        count: usize,
        seed: u64,
    ) -> Vec<OtherInput<'c>> {
        let inputs = &self.0[part as usize];
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x0742);
        let own = program.inputs(usize::MAX);
        let own: Vec<&str> = own.iter().flatten().map(String::as_str).collect();
        let alike = own
            .first()
            .and_then(|text| inputs.alike.get(&outline(text)));
        let mut drawn: Vec<OtherInput<'c>> = Vec::new();
        for number in 0..count {
            for _ in 0..TRIES {
                let place = match alike {
                    Some(places) if number % 2 == 1 => places.choose(&mut rng).copied(),
                    _ => (!inputs.all.is_empty()).then(|| rng.random_range(0..inputs.all.len())),
                };
                let Some(one) = place.map(|place| inputs.all[place]) else {
                    break;
                };
                let is_own = one.problem.is_some() && one.problem == program.problem.as_deref()
                    || own.contains(&one.text);
                if !is_own && drawn.iter().all(|other| other.text != one.text) {
                    drawn.push(one);
                    break;
                }
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(problem: &str, stdin: &str) -> CorpusProgram {
        let text = serde_json::json!({"id": problem, "problem_id": problem, "code": "input()", "stdin": stdin});
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn inputs_are_of_other_problems_and_of_the_part() {
        let corpus = [
            program("a", "1 2\n"),
            program("a", "3 4\n"),
            program("b", "word\n"),
            program("c", "5 6\n"),
            program("d", "7 8\n"),
        ];
        let part = |p: &CorpusProgram| match p.problem.as_deref() {
            Some("d") => Part::Test,
            _ => Part::Train,
        };
        let others = OtherInputs::of(&corpus, part);
        for seed in 0..20 {
            let drawn = others.draw(&corpus[0], Part::Train, 2, seed);
            let texts: Vec<&str> = drawn.iter().map(|one| one.text).collect();
            assert!(
                texts == ["word\n", "5 6\n"] || texts == ["5 6\n"],
                "{texts:?}"
            );
            assert_eq!(drawn, others.draw(&corpus[0], Part::Train, 2, seed));
        }
        assert!(others.draw(&corpus[4], Part::Test, 3, 0).is_empty());
        assert!(others.draw(&corpus[4], Part::Valid, 3, 0).is_empty());
    }
}
