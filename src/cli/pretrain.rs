//! `codexec pretrain`: trains a checkpoint from files of examples.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use candle_core::{DType, Device, Tensor};
use codexec_curriculum::{
    DataSets, Ended, Example, Notice, Observer, Precision, Record as Progress, RunConfig, Setup,
    SystemClock, export_safetensors,
};
use codexec_data::records::{Record, read_records};
use codexec_data::tokenizer::Vocabulary;

use crate::model::{DeviceChoice, device};
use crate::training::{ModelSettings, TrainableNetwork, encode_records, train_vocabulary};

/// Train a checkpoint.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec data steps --out steps.jsonl.zst
  codexec data traces examples --mutants 20 --out traces.jsonl.zst
  codexec pretrain --config curriculum/stages/tiny.toml --data singleline=steps.jsonl.zst \\
    --data programs=traces.jsonl.zst --out run

The run can be killed at any time and goes on with --resume. The checkpoint, in the layout of the
Hugging Face hub, is written to OUT/checkpoint at the end of every stage.")]
pub(super) struct Args {
    /// Stages, model and optimizer: a TOML file as in curriculum/stages.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// A data set and the file of its examples; names are those of the mixes.
    #[arg(long = "data", value_name = "NAME=FILE", required = true, value_parser = named_file)]
    data: Vec<(String, PathBuf)>,
    /// Directory of the run: metrics, checkpoints, result.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Go on from the newest checkpoint in OUT, or start where there is none.
    #[arg(long)]
    resume: bool,
    /// Take the vocabulary of this tokenizer.json instead of training one on the examples.
    #[arg(long, value_name = "FILE", conflicts_with = "init")]
    tokenizer: Option<PathBuf>,
    /// Start from the weights and the vocabulary of this checkpoint, as OUT/checkpoint of another run.
    #[arg(long, value_name = "DIR")]
    init: Option<PathBuf>,
    /// auto, cpu, or cuda (needs a build with the cuda feature).
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
}

/// The vocabulary in the directory of a run.
const TOKENIZER: &str = "tokenizer.json";

/// Weights and moments of a larger network would not fit the memory of the machines this is for.
const MOST_PARAMETERS: usize = 1 << 32;

fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(path)))
        }
        _ => Err("write NAME=FILE, as in --data steps=steps.jsonl.zst".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    super::single_threaded_products()?;
    let config = RunConfig::from_file(&args.config)?;
    let settings: ModelSettings = toml::Value::Table(config.model.clone())
        .try_into()
        .with_context(|| format!("{}: [model]", args.config.display()))?;
    if let Some((key, why)) = settings.complaint() {
        bail!("{}: [model]: `{key}` {why}", args.config.display());
    }
    let (device, chosen) = device(args.device)?;
    let records = args.read_data()?;
    let (vocabulary, is_kept) = args.vocabulary(&records, settings.vocabulary)?;
    let mut data = DataSets::new();
    for (name, records) in &records {
        let examples = encode_records(
            records,
            &vocabulary,
            settings.max_source,
            settings.max_target,
        )?;
        report(name, records.len(), &examples);
        data.insert(name.clone(), Box::new(examples));
    }
    drop(records);
    let model_config = settings.config(vocabulary.size());
    model_config.check(&args.config.display().to_string())?;
    ensure!(
        model_config.parameters() <= MOST_PARAMETERS,
        "{}: [model]: {} M parameters are more than can be trained here",
        args.config.display(),
        model_config.parameters() / 1_000_000
    );
    let compute = match config.dtype {
        Precision::F32 => DType::F32,
        Precision::Bf16 => DType::BF16,
    };
    let weights = args.init_weights()?;
    let complaint = || match &args.init {
        Some(from) => format!("{}: not of the sizes in [model]", from.display()),
        None => args.config.display().to_string(),
    };
    if let Some(weights) = &weights {
        let missing = model_config.tensors().into_iter();
        let mut missing = missing.filter(|(name, _)| !weights.contains_key(name));
        if let Some((name, _)) = missing.next() {
            bail!("{}: no tensor {name}", complaint());
        }
    }
    let network = TrainableNetwork::new(&model_config, config.seed, weights, compute, &device)
        .with_context(complaint)?;
    let chosen = match args.device {
        DeviceChoice::Auto if device.is_cpu() => format!("the CPU ({chosen})"),
        _ => chosen,
    };
    let millions = network.parameters() as f64 / 1e6;
    super::note(&format!("device: {chosen}; {millions:.2} M parameters"));
    let export = Export {
        directory: args.out.join("checkpoint"),
        config: serde_json::to_string_pretty(&model_config)?,
        tokenizer: vocabulary.to_json()?,
        network: &network,
    };
    let setup = Setup {
        config,
        model: &network,
        data,
        run_dir: args.out.clone(),
        clock: Box::new(SystemClock::default()),
    };
    let mut trainer = if args.resume {
        setup.resume_or_start()?
    } else {
        setup.start()?
    };
    if !is_kept {
        // Only now: a run that is refused leaves the directory as it was.
        args.keep(&export.tokenizer)?;
    }
    let mut observer = Watcher {
        export: &export,
        terminal: std::io::stderr().is_terminal(),
    };
    let ended = trainer.run(&mut observer)?;
    export.write()?;
    super::note(&export.directory.display().to_string());
    Ok(if ended == Ended::Finished {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

fn report(name: &str, records: usize, examples: &[Example]) {
    let tokens: usize = examples
        .iter()
        .map(|e| e.source.len() + e.target.len())
        .sum();
    let left_out = records - examples.len();
    super::note(&format!(
        "{name}: {} examples, {:.1} M tokens ({left_out} too long for the window)",
        examples.len(),
        tokens as f64 / 1e6,
    ));
}

impl Args {
    fn read_data(&self) -> anyhow::Result<BTreeMap<String, Vec<Record>>> {
        let mut sets: BTreeMap<String, Vec<Record>> = BTreeMap::new();
        for (name, path) in &self.data {
            let records = read_records(path)?;
            sets.entry(name.clone()).or_default().extend(records);
        }
        Ok(sets)
    }

    /// The weights of `--init`.
    fn init_weights(&self) -> anyhow::Result<Option<HashMap<String, Tensor>>> {
        let Some(from) = &self.init else {
            return Ok(None);
        };
        let path = from.join("model.safetensors");
        let weights = candle_core::safetensors::load(&path, &Device::Cpu)
            .with_context(|| path.display().to_string())?;
        Ok(Some(weights))
    }

    /// The vocabulary of this run: the one named, the one it began with, or a new one; and whether
    /// it is the one in the directory already.
    fn vocabulary(
        &self,
        records: &BTreeMap<String, Vec<Record>>,
        size: usize,
    ) -> anyhow::Result<(Vocabulary, bool)> {
        let kept = self.out.join(TOKENIZER);
        let init = self.init.as_ref().map(|from| from.join(TOKENIZER));
        let path = match self.tokenizer.as_ref().or(init.as_ref()) {
            Some(path) => Some(path),
            None if self.resume && kept.is_file() => Some(&kept),
            None => None,
        };
        let vocabulary = match path {
            Some(path) => {
                let json = fs::read(path).with_context(|| path.display().to_string())?;
                Vocabulary::from_json(&json).with_context(|| path.display().to_string())?
            }
            None => train_vocabulary(&records.values().flatten().collect::<Vec<_>>(), size)?,
        };
        Ok((vocabulary, path == Some(&kept)))
    }

    /// Writes the vocabulary beside the run; whole or not at all.
    fn keep(&self, tokenizer: &str) -> anyhow::Result<()> {
        let kept = self.out.join(TOKENIZER);
        let temporary = self.out.join(format!("{TOKENIZER}.new"));
        fs::write(&temporary, tokenizer)
            .and_then(|()| fs::rename(&temporary, &kept))
            .with_context(|| kept.display().to_string())
    }
}

/// Writes the network as a checkpoint in the hub's layout.
struct Export<'a> {
    directory: PathBuf,
    config: String,
    tokenizer: String,
    network: &'a TrainableNetwork,
}

impl Export<'_> {
    fn write(&self) -> anyhow::Result<()> {
        let name = || self.directory.display().to_string();
        let temporary = self.directory.with_extension("tmp");
        fs::create_dir_all(&temporary).with_context(name)?;
        fs::write(temporary.join("config.json"), &self.config).with_context(name)?;
        fs::write(temporary.join("tokenizer.json"), &self.tokenizer).with_context(name)?;
        let weights = temporary.join("model.safetensors");
        export_safetensors(&self.network.variables(), &weights, DType::F16)?;
        // The old one goes last, so that a kill at any moment leaves a whole checkpoint.
        let old = self.directory.with_extension("old");
        if self.directory.exists() {
            if old.exists() {
                fs::remove_dir_all(&old).with_context(name)?;
            }
            fs::rename(&self.directory, &old).with_context(name)?;
        }
        if let Err(error) = fs::rename(&temporary, &self.directory) {
            let _ = fs::rename(&old, &self.directory);
            return Err(error).with_context(name);
        }
        if old.exists() {
            fs::remove_dir_all(&old).with_context(name)?;
        }
        Ok(())
    }
}

/// Shows the run on standard error and exports the network after each stage and checkpoint.
struct Watcher<'a> {
    export: &'a Export<'a>,
    terminal: bool,
}

impl Observer for Watcher<'_> {
    fn record(&mut self, record: &Progress) {
        let left = record
            .eta
            .map_or_else(String::new, |s| format!("  {} left", minutes(s)));
        let line = format!(
            "{} step {}  loss {:.4}  accuracy {:.3}  lr {:.1e}  {:.0} tokens/s  {:.0} % real{left}",
            record.stage,
            record.step,
            record.loss,
            record.accuracy,
            record.lr,
            record.tokens_per_second,
            record.real_share * 100.0,
        );
        if self.terminal {
            let line = super::clean(&line);
            let _ = write!(anstream::stderr(), "\r{line:<118}");
        } else {
            super::note(&line);
        }
    }

    fn notice(&mut self, notice: &Notice) {
        if self.terminal {
            super::say("");
        }
        match notice {
            Notice::Stage {
                index,
                name,
                examples,
            } => {
                super::note(&format!(
                    "stage {}: {name}, {examples} examples an epoch",
                    index + 1
                ));
            }
            Notice::Skipped { step, in_a_row } => {
                super::warn(&format!(
                    "step {step}: gradient not finite, skipped ({in_a_row} in a row)"
                ));
            }
            Notice::Checkpoint { step, .. } => {
                if let Err(error) = self.export.write() {
                    super::warn(&format!(
                        "checkpoint after step {step} not exported: {error:#}"
                    ));
                }
            }
        }
    }
}

fn minutes(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    format!("{}:{:02}", whole / 60, whole % 60)
}
