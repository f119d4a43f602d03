//! `codexec pretrain`: trains a checkpoint from files of examples.

mod benchmark;
mod best;
mod errors;
mod online;
mod report;
mod search;
mod sets;
mod start;
mod values;
mod watch;

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use candle_core::{Device, Var};
use codexec_curriculum::{
    Ablation, Budget, Ended, Error as RunError, Metrics, PackLimits, RunConfig, Setup,
    has_checkpoints, pack, unpack,
};

use codexec_data::files::write_whole;
use codexec_data::mutants::TracedBy;

use self::best::Best;
use self::sets::Prepared;
use self::start::Start;
use self::watch::{Export, Watcher};
use super::sandbox::SandboxArgs;
use crate::model::{DeviceChoice, ModelConfig, device};
use crate::training::{ModelSettings, Task};

/// Train a checkpoint.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec data steps --out steps.jsonl.zst
  codexec data traces examples --mutants 20 --out traces.jsonl.zst
  codexec pretrain --config curriculum/stages/tiny.toml --data singleline=steps.jsonl.zst \\
    --data programs=traces.jsonl.zst --out run

The run can be killed at any time; --resume continues it. The checkpoint, in the layout of the \
Hugging Face hub, is written to OUT/checkpoint at the end of every stage. Ten minutes at a time, on \
machines that keep nothing:
  codexec pretrain --config FILE --data ... --out run --piece 10 --pack piece
  codexec pretrain --config FILE --data ... --out run --unpack piece --resume --pack piece
The curves of a run that goes on, in the browser:
  codexec pretrain --report run --serve
Fresh traces without end, planned beside the training:
  codexec pretrain --config FILE --tokenizer tokenizer.json --online programs=corpus/ \\
    --online lines=statements:templates.jsonl.zst --engine plan --out run

More: docs/pretraining.md.")]
pub(super) struct Args {
    /// Stages, model and optimizer: a TOML file such as those in curriculum/stages.
    #[arg(long, value_name = "FILE", required_unless_present_any = NO_RUN)]
    config: Option<PathBuf>,
    /// A data set and its file of examples, or a directory of shards (.jsonl, .jsonl.zst,
    /// .parquet). Repeat a name to add files. Stage mixes refer to these names.
    #[arg(long = "data", value_name = "NAME=PATH", value_parser = named_file)]
    data: Vec<(String, PathBuf)>,
    /// Validation examples, evaluated every `eval_every` steps and after each stage. Loss and share
    /// of exact predictions go to the metrics.
    #[arg(long, value_name = "NAME=PATH", value_parser = named_file)]
    valid: Vec<(String, PathBuf)>,
    /// A data set generated during training, without repetitions: mutants of the programs of a
    /// corpus (as for `codexec mutate`); `tutorial:CORPUS`, mutants of the tutorial's pages;
    /// `statements:FILE`, statements with random values (templates as for
    /// `codexec data singleline`); `generated:CORPUS` and `functions:CORPUS`, as for
    /// `codexec data generated`. The table [online] sets the amounts.
    #[arg(long, value_name = "NAME=CORPUS", value_parser = named_file)]
    online: Vec<(String, PathBuf)>,
    /// How such programs are traced: run, in the sandbox; plan, walked in this process, dropping
    /// programs that cannot be walked to the end.
    #[arg(long, default_value = "run", value_parser = engine)]
    engine: TracedBy,
    /// Threads that generate such data, and programs run in parallel (default: one less than the
    /// number of cores).
    #[arg(long, value_name = "N", requires = "online", value_parser = super::workers)]
    makers: Option<usize>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Threads that read shards. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = super::workers)]
    readers: Option<usize>,
    /// Directory of the run: metrics, checkpoints, result.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["report", "benchmark"])]
    out: Option<PathBuf>,
    /// Resume from the newest checkpoint in OUT, or start if there is none.
    #[arg(long)]
    resume: bool,
    /// Use the vocabulary of this tokenizer.json instead of training one on the examples.
    #[arg(long, value_name = "FILE", conflicts_with = "init")]
    tokenizer: Option<PathBuf>,
    /// Start from the weights and vocabulary of this checkpoint, such as OUT/checkpoint of another
    /// run. A predictor of values can start from the encoder of any UniXcoder-like checkpoint.
    #[arg(long, value_name = "DIR")]
    init: Option<PathBuf>,
    /// auto, cpu, or cuda (needs a build with the cuda feature).
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
    /// Train a variant: cel (each stage on its own data alone), no-curriculum (all data at once),
    /// full-states, joined-digits, no-steps.
    #[arg(long, value_name = "NAME", value_parser = ablation)]
    ablation: Option<Ablation>,
    /// Budget of the whole run, divided between the stages as in the file: minutes=30, tokens=5e6,
    /// steps=400.
    #[arg(long, value_name = "KIND=TOTAL", value_parser = budget)]
    budget: Option<Budget>,
    /// Stop with a checkpoint after this many minutes. --resume continues.
    #[arg(long, value_name = "MINUTES", value_parser = above_zero)]
    piece: Option<f64>,
    /// Write report.html, a page of curves, from a run's metrics.jsonl, and exit.
    #[arg(long, value_name = "RUN_DIR", conflicts_with_all = ["config", "data", "out", "pack", "unpack"])]
    report: Option<PathBuf>,
    /// With --report, serve the page on this machine only and reload it as the run proceeds.
    #[arg(long, requires = "report")]
    serve: bool,
    /// Port to serve on [default: any free port]
    #[arg(long, requires = "serve", value_name = "N")]
    port: Option<u16>,
    /// With --serve, do not open a browser; the address is printed.
    #[arg(long, requires = "serve")]
    no_open: bool,
    /// Time this many steps of the first stage on random tokens (default 20), print speed, memory
    /// and time per part, and exit.
    #[arg(long, value_name = "STEPS", num_args = 0..=1, default_missing_value = "20",
        conflicts_with_all = ["data", "out", "pack", "unpack"])]
    benchmark: Option<usize>,
    /// Measure CPU time instead of wall-clock time, so that other load affects neither a budget of
    /// minutes nor --benchmark. One second of every thread counts as one second.
    #[arg(long)]
    cpu_time: bool,
    /// With --benchmark, print one JSON document.
    #[arg(long, requires = "benchmark")]
    json: bool,
    /// Pack the newest checkpoint of OUT into PREFIX.00, PREFIX.01, ... of at most 15 MB each and
    /// 60 MB together. Works alone, or after the training of --config.
    #[arg(long, value_name = "PREFIX")]
    pack: Option<PathBuf>,
    /// Unpack such files into OUT, where --resume continues. Works alone, or before training.
    #[arg(long, value_name = "PREFIX")]
    unpack: Option<PathBuf>,
}

fn engine(name: &str) -> Result<TracedBy, &'static str> {
    match name {
        "run" => Ok(TracedBy::Run),
        "plan" => Ok(TracedBy::Plan),
        _ => Err("use run or plan"),
    }
}

/// Actions that need no configured run.
const NO_RUN: [&str; 3] = ["report", "pack", "unpack"];

/// The vocabulary in a run's directory.
const TOKENIZER: &str = "tokenizer.json";

/// The weights and moments of a larger network would exceed the memory of typical machines.
const MOST_PARAMETERS: usize = 1 << 32;

fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(path)))
        }
        _ => Err("write NAME=PATH, as in --data steps=steps.jsonl.zst".to_owned()),
    }
}

fn ablation(name: &str) -> Result<Ablation, String> {
    let found = Ablation::ALL.into_iter().find(|a| a.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = Ablation::ALL.iter().map(|a| a.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

fn above_zero(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok();
    let number = number.filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or("expected a number above zero")
}

fn budget(text: &str) -> Result<Budget, &'static str> {
    let wanted = "write minutes=30, tokens=5e6, steps=400 or epochs=2";
    let (kind, total) = text.split_once('=').ok_or(wanted)?;
    let total = above_zero(total)?;
    match kind {
        "minutes" => Ok(Budget::Minutes(total)),
        "tokens" => Ok(Budget::Tokens((total as u64).max(1))),
        "steps" => Ok(Budget::Steps((total as u64).max(1))),
        "epochs" => Ok(Budget::Epochs(total)),
        _ => Err(wanted),
    }
}

/// The requested action: a report, packing, unpacking, or a run with packing around it.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(directory) = &args.report {
        if args.serve {
            let again = || report::made(directory);
            let first = again()?;
            return super::serve::serve(first, &again, args.port, !args.no_open);
        }
        let path = report::write(directory)?;
        super::note(&path.display().to_string());
        return Ok(ExitCode::SUCCESS);
    }
    if args.config.is_some() {
        super::single_threaded_products()?;
    }
    if let Some(prefix) = &args.unpack {
        let checkpoint = unpack(prefix, args.out())?;
        super::note(&checkpoint.display().to_string());
    }
    let code = match &args.config {
        Some(config) => train(args, config)?,
        None => ExitCode::SUCCESS,
    };
    if let Some(prefix) = &args.pack {
        let mut bytes = 0;
        let parts = pack(args.out(), prefix, PackLimits::default())?;
        for path in &parts {
            bytes += fs::metadata(path).map_or(0, |found| found.len());
            super::note(&path.display().to_string());
        }
        let megabytes = bytes as f64 / 1e6;
        super::note(&format!(
            "packed: {megabytes:.1} MB in {} files",
            parts.len()
        ));
    }
    Ok(code)
}

/// Settings of the run: the file's, overridden by options.
fn settings(args: &Args, path: &Path) -> anyhow::Result<RunConfig> {
    let mut config = RunConfig::from_file(path)?;
    if let Some(ablation) = args.ablation {
        let of = ablation.of(&config).map_err(anyhow::Error::msg);
        config =
            of.with_context(|| format!("{}: --ablation {}", path.display(), ablation.name()))?;
    }
    if let Some(budget) = args.budget {
        let of = config.with_budget(budget).map_err(anyhow::Error::msg);
        config = of.with_context(|| format!("{}: --budget", path.display()))?;
    }
    Ok(config)
}

fn train(args: &Args, path: &Path) -> anyhow::Result<ExitCode> {
    check_sandbox(args)?;
    let config = settings(args, path)?;
    let settings = model_settings(&config, path)?;
    let (device, chosen) = device(args.device)?;
    if let Some(steps) = args.benchmark {
        return time(args, path, steps, &config, &settings, (&device, &chosen));
    }
    check_usage(args)?;
    check_names(args, &config)?;
    let sets = args.files()?;
    if !args.resume && has_checkpoints(args.out()) {
        // Before anything is written beside them.
        let dir = args.out().to_owned();
        return Err(RunError::RunExists { dir }.into());
    }
    let Prepared {
        vocabulary,
        is_kept,
        data,
        valid,
        model: model_config,
        weights,
    } = match settings.task {
        Task::Traces | Task::Answers => args.traces(&sets, &settings)?,
        Task::Values => args.values(&sets, &settings)?,
        Task::Errors => args.errors(&sets, &settings)?,
        Task::Search => args.search(&sets, &config, &settings)?,
    };
    let online = args.online(&config, &vocabulary, &settings)?;
    check_size(&model_config, path)?;
    let start = Start {
        settings: &settings,
        model: &model_config,
        vocabulary: &vocabulary,
        weights,
    };
    let network = start
        .network(&config, &device)
        .with_context(|| match &args.init {
            Some(from) => format!("{}: not of the sizes in [model]", from.display()),
            None => path.display().to_string(),
        })?;
    let chosen = match args.device {
        DeviceChoice::Auto if device.is_cpu() => format!("the CPU ({chosen})"),
        _ => chosen,
    };
    let count = |(_, var): &(String, Var)| var.elem_count();
    let millions = network.vars().iter().map(count).sum::<usize>() as f64 / 1e6;
    super::note(&format!("device: {chosen}; {millions:.2} M parameters"));
    let export = Export {
        directory: args.out().join("checkpoint"),
        config: serde_json::to_string_pretty(&model_config)?,
        tokenizer: vocabulary.to_json()?,
        network: network.as_ref(),
    };
    let clock = benchmark::clock(args.cpu_time, config.threads)?;
    let setup = Setup {
        config,
        model: &network,
        data,
        online,
        run_dir: args.out().to_owned(),
        clock,
    };
    let mut trainer = if args.resume {
        setup.resume_or_start()?
    } else {
        setup.start()?
    };
    if !is_kept {
        // Only now, so that a rejected run leaves the directory unchanged.
        args.keep(&export.tokenizer)?;
    }
    let mut observer = Watcher {
        valid,
        export: &export,
        terminal: std::io::stderr().is_terminal(),
        best: Best::new(args.out()),
        until: args
            .piece
            .map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0)),
    };
    let ended = trainer.run(&mut observer);
    finish(args, &export, ended, trainer.steps())
}

/// Writes the files of a finished run and prints where.
fn finish(
    args: &Args,
    export: &Export<'_>,
    ended: Result<Ended, RunError>,
    steps: u64,
) -> anyhow::Result<ExitCode> {
    if let Err(error) = report::write(args.out()) {
        super::warn(&format!("no report: {error:#}"));
    }
    for made in Metrics::read(args.out()).iter().flat_map(Metrics::made) {
        super::note(&report::said_of(&made));
    }
    let ended = ended?;
    export.write()?;
    super::note(&export.directory.display().to_string());
    if ended == Ended::Stopped {
        super::note(&format!("stopped after step {steps}: go on with --resume"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The contents of `[model]`.
fn model_settings(config: &RunConfig, path: &Path) -> anyhow::Result<ModelSettings> {
    let settings: ModelSettings = toml::Value::Table(config.model.clone())
        .try_into()
        .with_context(|| format!("{}: [model]", path.display()))?;
    if let Some((key, why)) = settings.complaint() {
        bail!("{}: [model]: `{key}` {why}", path.display());
    }
    Ok(settings)
}

/// Rejects an impossible or too large network.
fn check_size(model: &ModelConfig, path: &Path) -> anyhow::Result<()> {
    model.check(&path.display().to_string())?;
    ensure!(
        model.parameters() <= MOST_PARAMETERS,
        "{}: [model]: {} M parameters are more than can be trained here",
        path.display(),
        model.parameters() / 1_000_000
    );
    Ok(())
}

/// `--benchmark`: times a network with these settings.
fn time(
    args: &Args,
    path: &Path,
    steps: usize,
    config: &RunConfig,
    settings: &ModelSettings,
    device: (&Device, &str),
) -> anyhow::Result<ExitCode> {
    ensure!(
        matches!(settings.task, Task::Traces | Task::Answers),
        "{}: --benchmark times networks that write traces",
        path.display()
    );
    let model = settings.config(settings.vocabulary);
    model.check(&path.display().to_string())?;
    let asked = benchmark::Asked {
        steps,
        cpu_time: args.cpu_time,
        json: args.json,
    };
    benchmark::run(config, settings, &model, device, asked)?;
    Ok(ExitCode::SUCCESS)
}

/// Rejects sandbox options that would have no effect.
fn check_sandbox(args: &Args) -> anyhow::Result<()> {
    if args.engine.plans() && args.online.is_empty() {
        return Err(super::usage("--engine plan is for --online"));
    }
    match args.sandbox.given() {
        Some(option) if args.engine.plans() => Err(super::usage(&format!(
            "{option} is for programs that run, and none does with --engine plan"
        ))),
        Some(option) if args.online.is_empty() => Err(super::usage(&format!(
            "{option} is for --online, which runs programs"
        ))),
        _ => Ok(()),
    }
}

/// Rejects a run without data or without a vocabulary.
fn check_usage(args: &Args) -> anyhow::Result<()> {
    if args.data.is_empty() && args.online.is_empty() {
        return Err(super::usage(
            "--data is missing: name the data sets of the mixes",
        ));
    }
    let has_words = args.tokenizer.is_some() || args.init.is_some() || args.resume;
    if args.data.is_empty() && !has_words {
        return Err(super::usage(
            "--online alone needs --tokenizer or --init: there is no text to learn words from",
        ));
    }
    Ok(())
}

/// Rejects a mix of unknown sets before anything is read, and reports sets that no mix uses.
fn check_names(args: &Args, config: &RunConfig) -> anyhow::Result<()> {
    let given = || args.data.iter().chain(&args.online).map(|(name, _)| name);
    for stage in &config.stages {
        if let Some(name) = stage.mix.keys().find(|name| !given().any(|is| is == *name)) {
            return Err(RunError::UnknownDataSet {
                stage: stage.name.clone(),
                name: name.clone(),
                known: given().cloned().collect(),
            }
            .into());
        }
    }
    let in_no_mix = |name: &&String| {
        !config
            .stages
            .iter()
            .any(|stage| stage.mix.contains_key(*name))
    };
    for name in given().filter(in_no_mix) {
        super::warn(&format!(
            "data set {name} is in no mix of the stages; nothing of it is used"
        ));
    }
    Ok(())
}

impl Args {
    /// The directory of the run.
    fn out(&self) -> &Path {
        // Called only if the parser requires it.
        self.out.as_deref().unwrap_or(Path::new("."))
    }

    /// Writes the vocabulary beside the run, completely or not at all.
    fn keep(&self, tokenizer: &str) -> anyhow::Result<()> {
        let kept = self.out().join(TOKENIZER);
        write_whole(&kept, tokenizer.as_bytes()).with_context(|| kept.display().to_string())
    }
}
