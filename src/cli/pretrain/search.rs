//! The data sets of a run that learns which programs solve the same problem.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use candle_core::Tensor;
use codexec_curriculum::{DataSets, Example, ExampleSource, RunConfig};
use codexec_data::sources::CorpusProgram;
use codexec_data::tokenizer::Vocabulary;

use super::super::data::corpus;
use super::super::note;
use super::Args;
use super::sets::{Batches, Files, Prepared, batches};
use crate::model::ModelConfig;
use crate::training::{
    ModelSettings, Numbers, Pairs, search_pairs, search_programs, train_search_vocabulary,
};

impl Args {
    /// Programs of corpora, paired by problem for training.
    pub(super) fn search(
        &self,
        sets: &Files,
        config: &RunConfig,
        settings: &ModelSettings,
    ) -> anyhow::Result<Prepared> {
        if !self.online.is_empty() {
            bail!(
                "--online generates traces, but searches are learned only from files of programs"
            );
        }
        let mut read: Vec<(&String, Vec<CorpusProgram>)> = Vec::new();
        for (name, files) in sets {
            let mut programs = Vec::new();
            for file in files {
                programs.extend(corpus::read(file)?);
            }
            read.push((name, programs));
        }
        let (vocabulary, is_kept) = match self.kept_vocabulary()? {
            (Some(vocabulary), is_kept) => (vocabulary, is_kept),
            (None, _) => {
                let programs: Vec<&CorpusProgram> = read.iter().flat_map(|(_, all)| all).collect();
                let made =
                    train_search_vocabulary(&programs, settings.vocabulary, settings.digits)?;
                (made, false)
            }
        };
        let model = settings.config(vocabulary.size());
        let weights = match self.init_weights()? {
            Some(weights) => Some(shortened(weights, &model)?),
            None => None,
        };
        if let (Some(weights), Some(init)) = (&weights, &self.init) {
            let mut missing = model.tensors().into_iter();
            if let Some((name, _)) = missing.find(|(name, _)| !weights.contains_key(name)) {
                bail!(
                    "{}: not of the sizes in [model]: no tensor {name}",
                    init.display()
                );
            }
        }
        let mut numbers = Numbers::default();
        let mut data = DataSets::new();
        for (at, (name, programs)) in (0..).zip(&read) {
            let seed = config.seed.wrapping_add(at);
            let search = settings.search.unwrap_or_default();
            let pairs = search_pairs(
                programs,
                &mut numbers,
                &vocabulary,
                settings.max_source,
                &search,
                seed,
            )?;
            said(name, &pairs)?;
            check_room(config, name, &pairs.examples)?;
            data.insert((*name).clone(), Box::new(pairs.examples));
        }
        Ok(Prepared {
            data,
            valid: self.search_validation(&vocabulary, settings)?,
            model,
            weights,
            vocabulary,
            is_kept,
        })
    }

    fn search_validation(
        &self,
        vocabulary: &Vocabulary,
        settings: &ModelSettings,
    ) -> anyhow::Result<Batches> {
        let one = |(name, path): &(String, PathBuf)| {
            let programs = corpus::read(path).with_context(|| format!("--valid {name}=..."))?;
            let examples = search_programs(&programs, vocabulary, settings.max_source)?;
            if examples.is_empty() {
                bail!("{}: no two programs of one problem", path.display());
            }
            Ok((name.clone(), batches(examples)))
        };
        self.valid.iter().map(one).collect()
    }
}

/// The weights with as many positions as the network has. A checkpoint that writes has more, for
/// its output.
fn shortened(
    mut weights: HashMap<String, Tensor>,
    model: &ModelConfig,
) -> anyhow::Result<HashMap<String, Tensor>> {
    const POSITIONS: &str = "embeddings.position_embeddings.weight";
    let rows = model.max_position_embeddings;
    if let Some(table) = weights.get_mut(POSITIONS)
        && table.dims2()?.0 > rows
    {
        *table = table.narrow(0, 0, rows)?.contiguous()?;
    }
    Ok(weights)
}

/// Reports the size of a data set, and rejects one without a pair from one problem.
fn said(name: &str, pairs: &Pairs) -> anyhow::Result<()> {
    note(&format!(
        "{name}: {} pairs; {} programs of {} problems, {} without another of their problem, {} that do not parse",
        pairs.examples.len(),
        pairs.programs,
        pairs.problems,
        pairs.alone,
        pairs.left_out
    ));
    ensure!(
        pairs.problems > 1,
        "--data {name}=...: fewer than two problems with two programs; programs need `problem_id`"
    );
    Ok(())
}

/// Rejects micro-batches of a single pair, which has nothing to contrast with.
fn check_room(config: &RunConfig, name: &str, examples: &Vec<Example>) -> anyhow::Result<()> {
    let positions = |at: usize| {
        let lengths = examples.lengths(at);
        (lengths.source + lengths.target) as usize
    };
    let longest = (0..examples.len()).map(positions).max().unwrap_or(0);
    let stages = config
        .stages
        .iter()
        .filter(|stage| stage.mix.contains_key(name));
    for stage in stages {
        let room = config.micro_tokens(stage);
        ensure!(
            room >= 2 * longest,
            "stage {}: micro_tokens = {room} does not hold two pairs of the longest programs, which have {longest} tokens each",
            stage.name
        );
    }
    Ok(())
}
