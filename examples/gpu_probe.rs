//! The first thing to run on a GPU machine: is the device usable, does it compute what the CPU
//! computes, does every weight get a gradient, and how fast are matrix products?
//!
//! `gpu_probe [DEVICE]`, `cuda` if not given; exits with 1 if anything is wrong. Random weights,
//! no files. It does not time training: a benchmark's warm-up and batches are another matter.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use candle_core::{DType, Device, Tensor, Var};
use candle_nn::{AdamW, Optimizer, ParamsAdamW, VarBuilder, VarMap};
use codexec::model::{EncoderDecoder, JointBatch, ModelConfig, Row, device, ops, random_weights};

/// Largest difference of a logit: another order of summation in f32 (2.7e-5 on an H200); 8 bits of mantissa in bf16 (0.43
/// there).
const TOLERANCES: [(DType, f32); 2] = [(DType::F32, 1e-3), (DType::BF16, 1.0)];

fn main() -> Result<()> {
    let choice = std::env::args().nth(1);
    let choice = choice.as_deref().unwrap_or("cuda").parse()?;
    let (device, why) = device(choice)?;
    println!("device: {why}");
    for (dtype, tolerance) in TOLERANCES {
        compare_with_cpu(&device, dtype, tolerance)?;
    }
    train(&device)?;
    for dtype in [DType::F32, DType::BF16] {
        time_products(&device, dtype)?;
    }
    Ok(())
}

fn network(weights: VarBuilder, compute: DType) -> Result<EncoderDecoder> {
    Ok(EncoderDecoder::new(&config(), weights)?.with_compute_dtype(compute))
}

fn config() -> ModelConfig {
    ModelConfig::new(512, 128, 4, 4, 256)
}

/// Two programs of different lengths, so that there is padding and a mask to get wrong.
fn batch() -> JointBatch {
    let ids = |start: u32, n: u32| (0..n).map(|i| (start + 37 * i) % 512).collect();
    let pairs = [(ids(5, 60), ids(9, 100)), (ids(7, 20), ids(3, 41))];
    JointBatch::new(&pairs, config().pad_token_id)
}

/// Logits (N,V) of the batch, f32, by the joint pass of training.
fn logits(network: &EncoderDecoder) -> Result<Tensor> {
    let hidden = network.predicting_rows(&batch().to_device(network.device())?)?;
    Ok(network.logits(&hidden)?.to_dtype(DType::F32)?)
}

/// Logits (2,2,V) of the second token of two hypotheses of two programs, by the cache of decoding.
fn decoded(network: &EncoderDecoder) -> Result<Tensor> {
    let source: Vec<u32> = (0..40).collect();
    let rows = |tokens: [u32; 2]| {
        let row = |(parent, token)| Row { parent, token };
        vec![tokens.into_iter().enumerate().map(row).collect(); 2]
    };
    let mut cache = network.encode(&[&source, &source[..9]])?;
    network.decode_step(&mut cache, &rows([11, 12]))?;
    Ok(network.decode_step(&mut cache, &rows([13, 14]))?)
}

fn compare_with_cpu(device: &Device, dtype: DType, tolerance: f32) -> Result<()> {
    let on = |device: &Device, dtype| -> Result<Tensor> {
        // Larger than fresh weights: attention far from uniform shows more.
        let weights = random_weights(&config(), 1, &Device::Cpu)?.into_iter();
        let weights = weights.map(|(name, tensor)| {
            let scale = if tensor.rank() == 2 { 4.0 } else { 1.0 };
            Ok((name, (tensor * scale)?.to_device(device)?))
        });
        let weights = weights.collect::<candle_core::Result<_>>()?;
        let weights = VarBuilder::from_tensors(weights, DType::F32, device);
        let network = network(weights, dtype)?;
        let trained = logits(&network)?.flatten_all()?;
        let decoded = decoded(&network.for_inference()?)?.flatten_all()?;
        Ok(Tensor::cat(&[trained, decoded], 0)?.to_device(&Device::Cpu)?)
    };
    let difference = (on(device, dtype)? - on(&Device::Cpu, DType::F32)?)?.abs()?;
    let difference: f32 = difference.max_all()?.to_scalar()?;
    println!("logits, {dtype:?}: at most {difference:.1e} from the CPU's in f32");
    // A NaN fails too.
    ensure!(difference <= tolerance, "more than {tolerance}");
    Ok(())
}

/// Steps of AdamW on one batch: gradients for all weights, and a loss that falls.
fn train(device: &Device) -> Result<()> {
    let weights = VarMap::new();
    for (name, tensor) in random_weights(&config(), 1, device)? {
        let mut data = weights.data().lock().expect("no thread panicked");
        data.insert(name, Var::from_tensor(&tensor)?);
    }
    let network = network(
        VarBuilder::from_varmap(&weights, DType::F32, device),
        DType::BF16,
    )?;
    let mut optimizer = AdamW::new(weights.all_vars(), ParamsAdamW::default())?;
    let labels = batch().to_device(device)?.labels;
    let ones = Tensor::ones(labels.elem_count(), DType::F32, device)?;
    let mut losses = Vec::new();
    for _ in 0..5 {
        let loss =
            (ops::cross_entropy(&logits(&network)?, &labels, &ones)? / labels.elem_count() as f64)?;
        let gradients = loss.backward()?;
        for (name, var) in weights.data().lock().expect("no thread panicked").iter() {
            let gradient = gradients
                .get(var)
                .with_context(|| format!("{name}: none"))?;
            let sum: f32 = gradient.abs()?.sum_all()?.to_scalar()?;
            ensure!(sum.is_finite(), "the gradient of {name} is {sum}");
        }
        optimizer.step(&gradients)?;
        losses.push(loss.to_scalar::<f32>()?);
    }
    println!("loss, five steps in bf16: {losses:.3?}");
    ensure!(losses[4] < losses[0], "the loss does not fall");
    Ok(())
}

/// The rate of a square matrix product, the median of five timings.
fn time_products(device: &Device, dtype: DType) -> Result<()> {
    let (n, times) = if device.is_cpu() {
        (512, 4)
    } else {
        (8192, 20)
    };
    let a = Tensor::rand(-1f32, 1.0, (n, n), device)?.to_dtype(dtype)?;
    let product = || -> Result<f64> {
        device.synchronize()?;
        let start = Instant::now();
        for _ in 0..times {
            a.matmul(&a)?;
        }
        device.synchronize()?;
        Ok(start.elapsed().as_secs_f64() / times as f64)
    };
    product()?; // the first one loads kernels
    let mut seconds = (0..5).map(|_| product()).collect::<Result<Vec<_>>>()?;
    seconds.sort_by(f64::total_cmp);
    let rate = 2.0 * (n as f64).powi(3) / seconds[2] / 1e12;
    println!("{n}x{n} products, {dtype:?}: {rate:.2} TFLOP/s");
    Ok(())
}
