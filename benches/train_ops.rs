//! Tokens per second and thread of a training step (forwards and backwards) on a stack of blocks of
//! the size we train, by four ways of building it: candle's operations, the fused operations, whole fused
//! blocks, and these with products in bf16 (on processors that have them). Prints a table; needs no data.
//!
//! `cargo bench --bench train_ops [-- NAME]`; time is CPU time of the thread where Linux tells it, so
//! that other load disturbs little. Set `RAYON_NUM_THREADS=1` to measure one thread.

use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor, Var};
use codexec::model::ops::{self, Dense, EncoderLayer, Norm, Products, composed};

const LAYERS: usize = 4;
const HIDDEN: usize = 256;
const WIDE: usize = 1024;
const HEADS: usize = 8;
const VOCAB: usize = 2048;
const BATCH: usize = 8;
const TOKENS: usize = 256;

/// How a step is built.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Composed,
    Operations,
    Blocks,
    Bf16,
}

impl Way {
    fn products(self) -> Products {
        match self {
            Self::Bf16 => Products::fastest(),
            _ => Products::F32,
        }
    }
}

struct Network {
    table: Var,
    layers: Vec<Vec<Var>>,
    ids: Tensor,
    targets: Tensor,
    rows: Tensor,
    weights: Tensor,
    mask: Tensor,
}

impl Network {
    fn new() -> Result<Self> {
        let device = Device::Cpu;
        let matrix = |out: usize, width: usize| Var::randn(0f32, 0.02, (out, width), &device);
        let row = |value: f64, n: usize| Var::from_tensor(&Tensor::full(value as f32, n, &device)?);
        let layer = || -> Result<Vec<Var>> {
            let mut vars = Vec::new();
            for (out, width) in [(HIDDEN, HIDDEN); 4] {
                vars.extend([matrix(out, width)?, row(0.0, out)?]);
            }
            vars.extend([row(1.0, HIDDEN)?, row(0.0, HIDDEN)?]);
            vars.extend([matrix(WIDE, HIDDEN)?, row(0.0, WIDE)?]);
            vars.extend([matrix(HIDDEN, WIDE)?, row(0.0, HIDDEN)?]);
            vars.extend([row(1.0, HIDDEN)?, row(0.0, HIDDEN)?]);
            Ok(vars)
        };
        let n = BATCH * TOKENS;
        let ids: Vec<u32> = (0..n).map(|i| (i * 7919 % VOCAB) as u32).collect();
        // the first half of a sequence is its source: only the second half is predicted
        let half = TOKENS / 2;
        let rows: Vec<u32> = (0..n)
            .filter(|i| i % TOKENS >= half)
            .map(|i| i as u32)
            .collect();
        let seen = |i: usize| i % TOKENS < half || i % TOKENS <= i / TOKENS % TOKENS;
        let open = |i: usize| if seen(i) { 0.0 } else { ops::MASKED };
        let mask: Vec<f32> = (0..BATCH * TOKENS * TOKENS).map(open).collect();
        Ok(Self {
            table: matrix(VOCAB, HIDDEN)?,
            layers: (0..LAYERS).map(|_| layer()).collect::<Result<_>>()?,
            ids: Tensor::from_vec(ids, (BATCH, TOKENS), &device)?,
            targets: Tensor::from_vec(
                rows.iter()
                    .map(|r| r * 31 % VOCAB as u32)
                    .collect::<Vec<_>>(),
                rows.len(),
                &device,
            )?,
            weights: Tensor::ones(rows.len(), DType::F32, &device)?,
            rows: Tensor::from_vec(rows, n / 2, &device)?,
            mask: Tensor::from_vec(mask, (BATCH, 1, TOKENS, TOKENS), &device)?,
        })
    }

    fn layer(vars: &[Var], products: Products) -> EncoderLayer<'_> {
        let dense = |i: usize| Dense {
            weight: &vars[i],
            bias: &vars[i + 1],
        };
        let norm = |i: usize| Norm {
            weight: &vars[i],
            bias: &vars[i + 1],
        };
        EncoderLayer {
            query: dense(0),
            key: dense(2),
            value: dense(4),
            output: dense(6),
            attention_norm: norm(8),
            widen: dense(10),
            narrow: dense(12),
            output_norm: norm(14),
            heads: HEADS,
            eps: 1e-5,
            rotation: None,
            products,
        }
    }

    fn loss(&self, way: Way) -> Result<Tensor> {
        let (table, targets, weights) = (self.table.as_tensor(), &self.targets, &self.weights);
        let mut x = match way {
            Way::Composed => composed::embedding(&self.ids, table)?,
            _ => ops::embedding(&self.ids, table)?,
        };
        for vars in &self.layers {
            let layer = Self::layer(vars, way.products());
            x = match way {
                Way::Composed => composed::encoder_layer(&x, &self.mask, &layer)?,
                Way::Operations => operations(&x, &self.mask, &layer)?,
                Way::Blocks | Way::Bf16 => ops::encoder_layer(&x, &self.mask, &layer)?,
            };
        }
        let hidden = x.flatten_to(1)?;
        match way {
            Way::Composed => {
                let logits = composed::project(&hidden.index_select(&self.rows, 0)?, table)?;
                composed::cross_entropy(&logits, targets, weights)
            }
            Way::Operations => {
                let logits = ops::project(&ops::embedding(&self.rows, &hidden)?, table)?;
                ops::cross_entropy(&logits, targets, weights)
            }
            Way::Blocks | Way::Bf16 => {
                let hidden = ops::embedding(&self.rows, &hidden)?;
                let products = way.products();
                let (loss, _) =
                    ops::linear_cross_entropy_and_hits(&hidden, table, targets, weights, products)?;
                Ok(loss)
            }
        }
    }
}

/// A block of single fused operations, as a model without whole blocks would have it.
fn operations(x: &Tensor, mask: &Tensor, layer: &EncoderLayer) -> Result<Tensor> {
    let (b, t, width) = x.dims3()?;
    let dense = |x: &Tensor, d: Dense| ops::linear(x, d.weight, d.bias);
    let close = |x: &Tensor, residual: &Tensor, n: Norm| {
        ops::residual_layer_norm(x, residual, n.weight, n.bias, layer.eps)
    };
    let split = |d: Dense| {
        dense(x, d)?
            .reshape((b, t, layer.heads, width / layer.heads))?
            .transpose(1, 2)?
            .contiguous()
    };
    let (q, k, v) = (split(layer.query)?, split(layer.key)?, split(layer.value)?);
    let seen = ops::attention(&q, &k, &v, mask)?;
    let seen = seen.transpose(1, 2)?.contiguous()?.reshape((b, t, width))?;
    let x = close(&dense(&seen, layer.output)?, x, layer.attention_norm)?;
    let wide = ops::bias_gelu(&ops::project(&x, layer.widen.weight)?, layer.widen.bias)?;
    close(&dense(&wide, layer.narrow)?, &x, layer.output_norm)
}

/// Seconds of CPU time of this thread, if the system tells.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// The fastest of some steps, in seconds, and the loss.
fn measure(network: &Network, way: Way) -> Result<(f64, f32)> {
    let (mut best, mut loss) = (f64::INFINITY, 0.0);
    for _ in 0..5 {
        let (wall, cpu) = (Instant::now(), cpu_seconds());
        let total = network.loss(way)?;
        let grads = total.backward()?;
        assert!(
            grads.get(&network.table).is_some(),
            "the table has a gradient"
        );
        let spent = match (cpu, cpu_seconds()) {
            (Some(from), Some(to)) => to - from,
            _ => wall.elapsed().as_secs_f64(),
        };
        best = best.min(spent);
        loss = total.to_scalar::<f32>()?;
    }
    Ok((best, loss))
}

fn main() -> Result<()> {
    let only: Option<String> = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let network = Network::new()?;
    println!("{LAYERS} x {HIDDEN}, {HEADS} heads, {BATCH} x {TOKENS} tokens, {VOCAB} words");
    for way in [Way::Composed, Way::Operations, Way::Blocks, Way::Bf16] {
        let name = format!("{way:?}").to_lowercase();
        if only.as_ref().is_some_and(|o| *o != name) {
            continue;
        }
        let (seconds, loss) = measure(&network, way)?;
        let rate = (BATCH * TOKENS) as f64 / seconds;
        println!(
            "{name:12} {:7.1} ms  {rate:6.0} tokens/s  loss {loss:.3}",
            seconds * 1e3
        );
    }
    Ok(())
}
