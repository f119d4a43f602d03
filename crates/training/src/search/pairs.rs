//! Training pairs of programs: two of one problem, or one under other names.

use std::collections::{BTreeMap, HashSet};

use codexec_curriculum::Example;
use codexec_data::sources::CorpusProgram;
use codexec_data::tokenizer::source::source_text;
use codexec_data::tokenizer::{Digits, Vocabulary, VocabularyError};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::rename::renamed;
use super::{Numbers, SearchSettings};
use codexec_eval::search::Frame;

/// Maximum programs that a vocabulary is trained on.
const VOCABULARY_SAMPLE: usize = 20_000;

/// Pairs and their sources.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The pairs: the source is a program, the target the other one and the number of their problem. The kind is 1
    /// if both are one program with two sets of names.
    pub examples: Vec<Example>,
    /// Problems with more than one program.
    pub problems: usize,
    /// Their programs.
    pub programs: usize,
    /// Programs without another of their problem.
    pub alone: usize,
    /// Programs that do not parse.
    pub left_out: usize,
}

/// Trains a vocabulary of `size` tokens on an even sample of programs.
///
/// # Errors
/// If the tokenizer library fails.
pub fn train_search_vocabulary(
    programs: &[&CorpusProgram],
    size: usize,
    digits: Digits,
) -> Result<Vocabulary, VocabularyError> {
    let stride = programs.len().div_ceil(VOCABULARY_SAMPLE).max(1);
    let sample: Vec<&&CorpusProgram> = programs.iter().step_by(stride).collect();
    let text = |program: &&&CorpusProgram| source_text(&program.code, None).map(|s| s.text);
    let texts: Vec<String> = sample.par_iter().flat_map_iter(text).collect();
    Vocabulary::train(texts.iter().map(String::as_str), size, digits)
}

/// The first window of a program. `None` if it does not parse.
fn window(
    code: &str,
    frame: &Frame,
    vocabulary: &Vocabulary,
) -> Result<Option<Vec<u32>>, VocabularyError> {
    let Ok(source) = source_text(code, None) else {
        return Ok(None);
    };
    let ids = vocabulary.encode(&source.text)?;
    Ok(frame.windows(&ids).into_iter().next())
}

/// Reads the first window of each program.
fn windows(
    programs: &[CorpusProgram],
    frame: &Frame,
    vocabulary: &Vocabulary,
) -> Result<Vec<Option<Vec<u32>>>, VocabularyError> {
    let one = |program: &CorpusProgram| window(&program.code, frame, vocabulary);
    programs.par_iter().map(one).collect()
}

/// A pair to be made.
struct Planned {
    one: usize,
    other: usize,
    problem: u32,
    /// Seed of the other one's names.
    names: Option<u64>,
}

/// The pairs of a corpus, with windows of `max_source` tokens; equal ones of a problem count once.
///
/// # Errors
/// If the tokenizer library fails.
pub fn search_pairs(
    programs: &[CorpusProgram],
    numbers: &mut Numbers,
    vocabulary: &Vocabulary,
    max_source: usize,
    settings: &SearchSettings,
    seed: u64,
) -> Result<Pairs, VocabularyError> {
    let frame = Frame::own(vocabulary, max_source)?;
    let read = windows(programs, &frame, vocabulary)?;
    let mut found = Pairs {
        left_out: read.iter().filter(|ids| ids.is_none()).count(),
        ..Pairs::default()
    };
    let mut of_problem: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut alone: Vec<(usize, u32)> = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        match (&program.problem, &read[at]) {
            (_, None) => {}
            (Some(problem), _) => of_problem.entry(problem).or_default().push(at),
            (None, _) => alone.push((at, numbers.of(None))),
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut planned = Vec::new();
    for (problem, mut members) in of_problem {
        let mut seen = HashSet::new();
        members.retain(|&at| seen.insert(&read[at]));
        let number = numbers.of(Some(problem));
        if let [only] = members[..] {
            alone.push((only, number));
            continue;
        }
        members.shuffle(&mut rng);
        members.truncate(settings.most_programs);
        found.problems += 1;
        found.programs += members.len();
        for (place, &one) in members.iter().enumerate() {
            let mut others: Vec<usize> = (0..members.len()).filter(|&k| k != place).collect();
            others.shuffle(&mut rng);
            for &other in others.iter().take(settings.partners) {
                let is_renamed = rng.random_bool(settings.renamed);
                planned.push(Planned {
                    one,
                    other: members[other],
                    problem: number,
                    names: is_renamed.then(|| rng.random()),
                });
            }
        }
    }
    found.alone = alone.len();
    if settings.renamed > 0.0 {
        planned.extend(alone.into_iter().map(|(at, problem)| Planned {
            one: at,
            other: at,
            problem,
            names: Some(rng.random()),
        }));
    }
    let made = |pair: &Planned| -> Result<Option<Example>, VocabularyError> {
        let other = pair.names.and_then(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            renamed(&programs[pair.other].code, &mut rng)
        });
        let ids = match &other {
            Some(code) => window(code, &frame, vocabulary)?,
            None => read[pair.other].clone(),
        };
        let (Some(source), Some(mut target)) = (read[pair.one].clone(), ids) else {
            return Ok(None);
        };
        // A program is not its own partner.
        if source == target {
            return Ok(None);
        }
        target.push(pair.problem);
        Ok(Some(Example {
            source,
            target,
            kind: u8::from(pair.one == pair.other),
        }))
    };
    let made: Vec<Option<Example>> = planned.par_iter().map(made).collect::<Result<_, _>>()?;
    found.examples = made.into_iter().flatten().collect();
    Ok(found)
}

/// The validation programs of a corpus: those with another of their problem, without a partner.
///
/// # Errors
/// If the tokenizer library fails.
pub fn search_programs(
    programs: &[CorpusProgram],
    vocabulary: &Vocabulary,
    max_source: usize,
) -> Result<Vec<Example>, VocabularyError> {
    let frame = Frame::own(vocabulary, max_source)?;
    let read = windows(programs, &frame, vocabulary)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (program, _) in programs.iter().zip(&read).filter(|(_, ids)| ids.is_some()) {
        if let Some(problem) = &program.problem {
            *counts.entry(problem).or_default() += 1;
        }
    }
    let mut numbers = Numbers::default();
    let mut examples = Vec::new();
    for (program, ids) in programs.iter().zip(read) {
        let problem = program.problem.as_deref();
        let problem = problem.filter(|problem| counts.get(problem).is_some_and(|n| *n > 1));
        if let (Some(problem), Some(source)) = (problem, ids) {
            examples.push(Example {
                source,
                target: vec![numbers.of(Some(problem))],
                kind: 0,
            });
        }
    }
    Ok(examples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(problem: Option<&str>, code: &str) -> CorpusProgram {
        CorpusProgram {
            problem: problem.map(str::to_owned),
            code: code.to_owned(),
            ..CorpusProgram::default()
        }
    }

    #[test]
    fn pairs_are_of_one_problem_and_the_same_for_a_seed() {
        let programs = [
            program(Some("a"), "x = 1\nprint(x)\n"),
            program(Some("a"), "print(1)\n"),
            program(Some("a"), "print(1)  # again\n"),
            program(Some("a"), "print(2 - 1)\n"),
            program(Some("b"), "for i in [3]:\n    print(i)\n"),
            program(None, "print('none')\n"),
            program(Some("c"), "x = = 1\n"),
        ];
        let all: Vec<&CorpusProgram> = programs.iter().collect();
        let vocabulary = train_search_vocabulary(&all, 520, Digits::Apart).unwrap();
        let settings = SearchSettings {
            partners: 2,
            ..SearchSettings::default()
        };
        let of = |settings: &SearchSettings, seed| {
            let mut numbers = Numbers::default();
            search_pairs(&programs, &mut numbers, &vocabulary, 64, settings, seed).unwrap()
        };
        let found = of(&settings, 1);
        let counts = (found.problems, found.programs, found.alone, found.left_out);
        assert_eq!(counts, (1, 3, 2, 1));
        // Three programs with two partners each, and `b` under another name; `print('none')` has none.
        assert_eq!(found.examples.len(), 7);
        let (own, of_problem): (Vec<_>, Vec<_>) = found.examples.iter().partition(|e| e.kind == 1);
        assert_eq!(own.len(), 1);
        let number = |e: &Example| e.target.last().copied().unwrap();
        assert!(
            of_problem
                .iter()
                .all(|e| number(e) == number(of_problem[0]))
        );
        assert_ne!(number(own[0]), number(of_problem[0]));
        assert_eq!(of(&settings, 1).examples, found.examples);
        assert_ne!(of(&settings, 2).examples, found.examples);
        let plain = SearchSettings {
            renamed: 0.0,
            ..settings
        };
        assert_eq!(of(&plain, 1).examples.len(), 6);
        let valid = search_programs(&programs, &vocabulary, 64).unwrap();
        assert_eq!(valid.len(), 4);
        assert!(valid.iter().all(|e| e.target == [0]));
    }
}
