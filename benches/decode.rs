//! Beam search in tokens of the best hypothesis per second, random weights: `cargo bench --bench decode
//! [-- NAME]`.
//!
//! Networks: `published` (the size of the published checkpoints: 12 blocks of 768, 51,627 tokens) and
//! `own` (that of the embedded checkpoint: 4 of 256, 2,048 tokens); 200 source tokens; every search
//! runs to the number of tokens asked for. `decode_torch.py` beside this file measures the published
//! implementation and a cached one in PyTorch with the same sizes. Time is on the wall and, where
//! Linux tells it, CPU time of all threads.

use std::time::Instant;

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use codexec::decode::{Allowed, Grammar, SearchOptions, beam_search};
use codexec::model::{EncoderDecoder, ModelConfig, random_weights};

const SOURCE: usize = 200;
/// Id of `</s>`.
const END: u32 = 2;

/// Anything but the end.
struct Endless(Vec<u32>);

impl Grammar for Endless {
    type State = ();

    fn start(&self) {}

    fn allowed(&self, (): &()) -> Allowed<'_> {
        Allowed::Classes {
            of: &self.0,
            set: 1,
        }
    }

    fn advance(&self, (): &(), _token: u32) {}
}

fn main() -> codexec::error::Result<()> {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    println!("network    weights  beam  tokens   tokens/s   tokens/CPU s");
    for (name, vocabulary, hidden, layers, heads) in
        [("own", 2048, 256, 4, 8), ("published", 51_627, 768, 12, 12)]
    {
        if !asked.is_empty() && !asked.iter().any(|a| a == name) {
            continue;
        }
        let mut config = ModelConfig::new(vocabulary, hidden, layers, heads, 1024);
        config.codexec.max_target = 768;
        for quantised in [false, true] {
            let weights = random_weights(&config, 1, &Device::Cpu)?;
            let vb =
                VarBuilder::from_tensors(weights.into_iter().collect(), DType::F32, &Device::Cpu);
            let mut model = EncoderDecoder::new(&config, vb)?.for_inference()?;
            if quantised {
                model = model.quantise()?;
            }
            for (beam, tokens) in [(1, 128), (10, 16), (10, 64), (10, 128), (10, 256)] {
                measure(name, &model, quantised, beam, tokens)?;
            }
        }
    }
    Ok(())
}

fn measure(
    name: &str,
    model: &EncoderDecoder,
    quantised: bool,
    beam: usize,
    tokens: usize,
) -> codexec::error::Result<()> {
    let vocabulary = model.config().vocab_size;
    let source: Vec<u32> = (0..SOURCE)
        .map(|i| 4 + (i * 7919 % (vocabulary - 4)) as u32)
        .collect();
    let mut classes = vec![1; vocabulary];
    classes[END as usize] = 0;
    let grammar = Endless(classes);
    let options = SearchOptions {
        beam,
        max_tokens: tokens,
        ..SearchOptions::new(model, 3, END)
    };
    let search = || beam_search(model, &[&source], std::slice::from_ref(&grammar), &options);
    search()?;
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let mut made = 0;
    while wall.elapsed().as_secs_f64() < 3.0 || made == 0 {
        made += search()?[0][0].tokens.len();
    }
    let per = |seconds: f64| made as f64 / seconds;
    println!(
        "{name:<10} {:<7} {beam:>5} {tokens:>7} {:>10.1} {:>14.1}",
        if quantised { "8 bits" } else { "f32" },
        per(wall.elapsed().as_secs_f64()),
        per(cpu_seconds() - cpu),
    );
    Ok(())
}

/// CPU time of this process so far, in seconds; 0 where the system does not tell it.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").ok();
    let ticks = told.and_then(|text| {
        let fields = text.rsplit(')').next()?.split_whitespace();
        let times: Vec<f64> = fields
            .skip(11)
            .take(2)
            .filter_map(|t| t.parse().ok())
            .collect();
        (times.len() == 2).then(|| times.iter().sum::<f64>())
    });
    // The kernel counts hundredths of a second for every program.
    ticks.unwrap_or(0.0) / 100.0
}
