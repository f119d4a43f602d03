//! `codexec pretrain --benchmark`: the training speed of a configured network on this machine, and
//! where the time goes. Examples are random tokens; nothing is read or written.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::ensure;
use candle_core::{DType, Device, Tensor};
use codexec_curriculum::{
    Benchmark, Clock, DataSets, Example, Now, RunConfig, SystemClock, benchmark,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::model::ModelConfig;
use crate::training::{ModelSettings, TrainableNetwork};

/// Untimed steps: the first ones include memory allocation and, on a GPU, kernel compilation.
const WARM: usize = 3;
/// Examples of random tokens.
const EXAMPLES: usize = 4096;

/// The printed results.
#[derive(Debug, Serialize)]
struct Report {
    device: String,
    dtype: String,
    threads: usize,
    parameters: usize,
    hidden_size: usize,
    layers: usize,
    heads: usize,
    vocabulary: usize,
    steps: usize,
    tokens_per_second: f64,
    real_share: f64,
    seconds: f64,
    /// Share of the time, by part.
    forward: f64,
    backward: f64,
    optimizer: f64,
    data_wait: f64,
    /// Forward and backward floating-point operations of the model per token.
    flops_per_token: f64,
    flops_per_second: f64,
    /// Speed of matrix products alone on this machine.
    matrix_flops_per_second: f64,
    matrix_share: f64,
    peak_memory_bytes: Option<u64>,
    /// Lengths of source and target, by micro-batch, to repeat the measurement elsewhere.
    batches: Vec<Vec<(usize, usize)>>,
}

/// The requested benchmark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// Timed steps.
    pub steps: usize,
    /// Measure CPU time of the process.
    pub cpu_time: bool,
    /// Print JSON instead of a table.
    pub json: bool,
}

/// Times the network and prints the results.
pub(super) fn run(
    config: &RunConfig,
    settings: &ModelSettings,
    model: &ModelConfig,
    (device, name): (&Device, &str),
    asked: Asked,
) -> anyhow::Result<()> {
    if asked.cpu_time {
        CpuClock::new(config.threads)?;
    }
    let compute = super::start::compute_type(config);
    let network = TrainableNetwork::new(model, config.seed, None, compute, device)?;
    let mut first = config.clone();
    first.stages.truncate(1);
    first.stages[0].hardest.clear();
    let mut data = DataSets::new();
    for set in first.stages[0].mix.keys() {
        let examples = examples(settings, model.vocab_size, config.seed);
        data.insert(set.clone(), Box::new(examples));
    }
    let start = Instant::now();
    let now = move || match cpu_seconds().filter(|_| asked.cpu_time) {
        Some(seconds) => Duration::from_secs_f64(seconds),
        None => start.elapsed(),
    };
    let matrix = matrix_rate(device, compute, config.threads, &now)?;
    let timed = benchmark(&first, &network, &data, [WARM, asked.steps], &now)?;
    let flops = flops(&timed, settings, model.vocab_size);
    let share = |part: f64| part / timed.seconds;
    let report = Report {
        device: name.to_owned(),
        dtype: format!("{compute:?}").to_lowercase(),
        threads: config.threads,
        parameters: network.parameters(),
        hidden_size: settings.hidden_size,
        layers: settings.layers,
        heads: settings.heads,
        vocabulary: model.vocab_size,
        steps: timed.steps,
        tokens_per_second: timed.tokens_per_second(),
        real_share: timed.tokens as f64 / timed.positions as f64,
        seconds: timed.seconds,
        forward: share(timed.forward),
        backward: share(timed.backward),
        optimizer: share(timed.optimizer),
        data_wait: share(timed.data),
        flops_per_token: flops / timed.tokens as f64,
        flops_per_second: flops / timed.seconds,
        matrix_flops_per_second: matrix,
        matrix_share: flops / timed.seconds / matrix,
        peak_memory_bytes: peak_memory(),
        batches: timed.batches,
    };
    let mut out = std::io::stdout().lock();
    if asked.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        write!(out, "{}", shown(&report))?;
    }
    Ok(())
}

fn shown(report: &Report) -> String {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let memory = report.peak_memory_bytes.map_or_else(
        || "not known".to_owned(),
        |bytes| format!("{:.0} MB", bytes as f64 / 1e6),
    );
    let rows = [
        ("device", format!("{}, {}", report.device, report.dtype)),
        ("threads", report.threads.to_string()),
        (
            "parameters",
            format!("{:.2} M", report.parameters as f64 / 1e6),
        ),
        (
            "tokens per second",
            format!("{:.0}", report.tokens_per_second),
        ),
        ("positions that are no padding", percent(report.real_share)),
        ("forward", percent(report.forward)),
        ("backward", percent(report.backward)),
        ("optimizer", percent(report.optimizer)),
        ("waiting for data", percent(report.data_wait)),
        (
            "model flops per token",
            format!("{:.1} M", report.flops_per_token / 1e6),
        ),
        (
            "model rate",
            format!("{:.1} Gflop/s", report.flops_per_second / 1e9),
        ),
        (
            "matrix rate here",
            format!("{:.1} Gflop/s", report.matrix_flops_per_second / 1e9),
        ),
        ("share of it", percent(report.matrix_share)),
        ("peak memory of the process", memory),
    ];
    let line = |(name, value): &(&str, String)| format!("{name:30} {value}\n");
    rows.iter().map(line).collect()
}

/// Random tokens in sequences of a quarter to half of the window.
fn examples(settings: &ModelSettings, vocabulary: usize, seed: u64) -> Vec<Example> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ids = |most: usize| -> Vec<u32> {
        let length = rng.random_range(most.div_ceil(4).max(2)..=most.div_ceil(2).max(2));
        (0..length)
            .map(|_| rng.random_range(0..vocabulary as u32))
            .collect()
    };
    let one = |_| Example {
        source: ids(settings.max_source),
        target: ids(settings.max_target),
        kind: 0,
    };
    (0..EXAMPLES).map(one).collect()
}

/// Operations of the products of all batches: two per weight and position, as many again for each
/// pair of positions in both products of attention, and the vocabulary for predicted rows alone.
/// The gradient takes twice all that.
fn flops(timed: &Benchmark, settings: &ModelSettings, vocabulary: usize) -> f64 {
    let (width, layers) = (settings.hidden_size as f64, settings.layers as f64);
    let (mut positions, mut pairs, mut predicted) = (0.0, 0.0, 0.0);
    for batch in &timed.batches {
        let longest = batch.iter().map(|(s, t)| s + t).max().unwrap_or(0) as f64;
        positions += batch.len() as f64 * longest;
        pairs += batch.len() as f64 * longest * longest;
        predicted += batch.iter().map(|(_, t)| t - 1).sum::<usize>() as f64;
    }
    let forward = positions * layers * 24.0 * width * width
        + pairs * layers * 4.0 * width
        + predicted * 2.0 * width * vocabulary as f64;
    3.0 * forward
}

/// Operations per second of square matrix products, one per thread in parallel.
fn matrix_rate(device: &Device, dtype: DType, threads: usize, now: Now<'_>) -> anyhow::Result<f64> {
    let (size, rounds) = if device.is_cpu() {
        (768, 25)
    } else {
        (8192, 20)
    };
    let threads = if device.is_cpu() { threads } else { 1 };
    let one = || -> candle_core::Result<f64> {
        let matrix = Tensor::randn(0f32, 1.0, (size, size), device)?.to_dtype(dtype)?;
        matrix.matmul(&matrix)?;
        device.synchronize()?;
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let begun = now();
            for _ in 0..rounds {
                matrix.matmul(&matrix)?;
            }
            device.synchronize()?;
            let spent = now().saturating_sub(begun).as_secs_f64();
            best = best.min(spent.max(1e-9) / f64::from(rounds));
        }
        Ok(2.0 * (size as f64).powi(3) / best)
    };
    let rates: Result<Vec<f64>, candle_core::Error> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        running
            .into_iter()
            .map(|thread| match thread.join() {
                Ok(rate) => rate,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    });
    Ok(rates?.iter().sum())
}

/// The clock of a run: the system's, or CPU time.
pub(super) fn clock(is_cpu_time: bool, threads: usize) -> anyhow::Result<Box<dyn Clock>> {
    Ok(if is_cpu_time {
        Box::new(CpuClock::new(threads)?)
    } else {
        Box::new(SystemClock::default())
    })
}

/// CPU time of this process per thread: what a clock would show without other load.
struct CpuClock {
    threads: f64,
    last: Duration,
}

impl CpuClock {
    /// # Errors
    /// If the system does not report CPU time.
    fn new(threads: usize) -> anyhow::Result<Self> {
        ensure!(
            cpu_seconds().is_some(),
            "--cpu-time: this system does not tell it"
        );
        Ok(Self {
            threads: threads.max(1) as f64,
            last: Duration::ZERO,
        })
    }
}

impl Clock for CpuClock {
    fn now(&mut self) -> Duration {
        let seconds = cpu_seconds().unwrap_or_default() / self.threads;
        self.last = self.last.max(Duration::from_secs_f64(seconds));
        self.last
    }
}

/// CPU time of all threads of this process, if the system reports it, in hundredths of a second.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, can contain anything.
    let mut fields = text.rsplit_once(") ")?.1.split(' ').skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}

/// Peak memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_two_threads_shows_half_of_the_cpu_time() {
        let (mut one, mut two) = (CpuClock::new(1).unwrap(), CpuClock::new(2).unwrap());
        let begun = one.now();
        while one.now() < begun + Duration::from_millis(200) {
            std::hint::black_box((0..10_000).sum::<u64>());
        }
        let (whole, half) = (one.now(), two.now());
        assert!(half <= whole, "{half:?} {whole:?}");
        assert!(
            half * 2 + Duration::from_millis(40) >= whole,
            "{half:?} {whole:?}"
        );
    }

    #[test]
    fn operations_are_counted_by_hand() {
        let settings: ModelSettings = toml::from_str(
            "vocabulary = 1000\nhidden_size = 10\nlayers = 2\nheads = 1\nmax_source = 8\nmax_target = 8\n",
        )
        .unwrap();
        let timed = Benchmark {
            batches: vec![vec![(3, 2), (1, 3)]],
            ..Benchmark::default()
        };
        // 2 x 5 positions, 2 x 25 pairs, 1 + 2 predicted rows of 1,000 words.
        let forward =
            10.0 * 2.0 * 24.0 * 100.0 + 50.0 * 2.0 * 4.0 * 10.0 + 3.0 * 2.0 * 10.0 * 1000.0;
        assert_eq!(flops(&timed, &settings, 1000), 3.0 * forward);
    }
}
