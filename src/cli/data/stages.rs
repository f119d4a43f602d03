//! Programs that `codexec data plan` plans: those of a corpus, their mutants, and the Python
//! tutorial's examples.

use codexec_data::sandbox::Pool;
use codexec_data::sources::{CorpusProgram, Docs, read_docs};
use codexec_data::trace::Program;
use codexec_mutate::{Config, Mutator};

use super::operators;
use super::plan::Args;

/// Programs with their inputs: the corpus and its mutants, then the tutorial.
pub(super) fn programs(
    args: &Args,
    corpus: &[CorpusProgram],
    pool: &Pool,
) -> anyhow::Result<Vec<Program>> {
    let mutator = Mutator::new(match operators(&args.operators)?.as_slice() {
        [] => Config::default(),
        operators => Config {
            operators: operators.to_vec(),
            ..Config::default()
        },
    });
    let mut programs = Vec::new();
    for (number, program) in corpus.iter().enumerate() {
        for stdin in inputs(program, args.inputs) {
            let one = |text: &str, suffix: &str| Program {
                id: format!("{}{suffix}", program.id),
                source: Some(text.to_owned()),
                stdin: stdin.clone(),
                ..Program::default()
            };
            programs.push(one(&program.code, ""));
            if args.mutants == 0 {
                continue;
            }
            let seed = args.common.seed.wrapping_add(number as u64);
            // Code that does not parse has no mutants, and planning reports the error.
            if let Ok(mutants) = mutator.mutants(&program.code, seed) {
                let mutants = mutants.take(args.mutants).enumerate();
                programs.extend(mutants.map(|(k, mutant)| one(&mutant.text, &format!("/{k}"))));
            }
        }
    }
    if args.tutorial {
        let docs = read_docs(args.docs.as_deref(), &pool.isolation().version)?;
        programs.extend(tutorial(&docs));
    }
    Ok(programs)
}

/// The first sample inputs of a program, or none.
fn inputs(program: &CorpusProgram, most: usize) -> Vec<Option<String>> {
    let first = program.stdin.clone();
    let samples = program.samples.iter().map(|sample| sample.input.clone());
    let mut inputs: Vec<Option<String>> = first.map(Some).into_iter().chain(samples).collect();
    inputs.dedup();
    inputs.truncate(most.max(1));
    if inputs.is_empty() {
        inputs.push(None);
    }
    inputs
}

/// Each code block of the tutorial, alone and after the earlier blocks of its page, which it may
/// build on.
fn tutorial(docs: &Docs) -> impl Iterator<Item = Program> + '_ {
    docs.pages.iter().flat_map(|page| {
        let mut before = String::new();
        page.blocks.iter().flat_map(move |block| {
            let lines = block
                .entries
                .iter()
                .map(|entry| format!("{}\n", entry.code));
            let alone: String = lines.collect();
            before.push_str(&alone);
            [alone, before.clone()].map(|text| Program {
                id: format!("{}:{}", page.name, block.line),
                source: Some(text),
                stdin: None,
                ..Program::default()
            })
        })
    })
}
