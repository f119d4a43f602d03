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
    compare_gradients(&device)?;
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

/// Largest relative error of a gradient whose products and values in between are bf16, through two blocks: their mantissa has 8
/// bits (0.026 of one block and 0.037 of two on an H200).
const GRADIENT_TOLERANCE: f32 = 0.06;

/// What a computation gives and the gradients of its arguments.
type Gradients = Vec<(String, Tensor)>;

/// Results and gradients of a block, of the loss and of look-ups with the kernels of this program, against the CPU's in f32.
fn compare_gradients(device: &Device) -> Result<()> {
    let (here, there) = (gradients(&Device::Cpu)?, gradients(device)?);
    let mut worst = (0f32, String::new());
    for ((name, wanted), (_, got)) in here.into_iter().zip(there) {
        let got = got.to_device(&Device::Cpu)?;
        let apart = (got - &wanted)?.sqr()?.sum_all()?.to_scalar::<f32>()?;
        let error = (apart / wanted.sqr()?.sum_all()?.to_scalar::<f32>()?).sqrt();
        // A NaN fails too.
        ensure!(
            error <= GRADIENT_TOLERANCE,
            "{name}: relative error {error}"
        );
        if error > worst.0 {
            worst = (error, name);
        }
    }
    println!(
        "gradients: relative errors of at most {:.1e} ({})",
        worst.0, worst.1
    );
    Ok(())
}

fn gradients(device: &Device) -> Result<Gradients> {
    let mut found = Vec::new();
    let limits: Vec<u32> = (0..3 * 40).map(|k| 1 + (k % 40).max(17)).collect();
    let mask = codexec::model::mask::prefix_mask(&limits, (3, 40), device)?;
    let positions: Vec<u32> = (0..3 * 40).map(|k| k % 40).collect();
    let positions = Tensor::from_vec(positions, (3, 40), device)?;
    let rotation = ops::RotaryTable::new(40, 32, device)?.at(&positions)?;
    let rows = Tensor::new(&[7u32, 119, 40, 3, 55], device)?;
    for (turned, chosen) in [(false, false), (true, false), (true, true)] {
        let name = format!("block, turned {turned}, rows {chosen}");
        let (h, f) = (128, 512);
        let shapes: [&[usize]; 17] = [
            &[3, 40, h],
            &[h, h],
            &[h],
            &[h, h],
            &[h],
            &[h, h],
            &[h],
            &[h, h],
            &[h],
            &[h],
            &[h],
            &[f, h],
            &[f],
            &[h, f],
            &[h],
            &[h],
            &[h],
        ];
        let values = |t: &[Tensor]| -> candle_core::Result<Tensor> {
            let dense = |at: usize| ops::Dense {
                weight: &t[at],
                bias: &t[at + 1],
            };
            let norm = |at: usize| ops::Norm {
                weight: &t[at],
                bias: &t[at + 1],
            };
            let layer = ops::EncoderLayer {
                query: dense(1),
                key: dense(3),
                value: dense(5),
                output: dense(7),
                attention_norm: norm(9),
                widen: dense(11),
                narrow: dense(13),
                output_norm: norm(15),
                heads: 4,
                eps: 1e-5,
                rotation: turned.then_some(&rotation),
                products: ops::Products::F32,
            };
            let x = t[0].to_dtype(products(device))?;
            match chosen {
                true => ops::encoder_layers(&x, &mask, &[layer, layer], &rows),
                false => ops::encoder_layer(&x, &mask, &layer),
            }
        };
        let mut block = differentiate(&name, &shapes, device, &values)?;
        // The bias of keys shifts all scores of a token alike where nothing is turned: its gradient is 0 but for rounding.
        block.remove(5);
        found.extend(block);
    }
    let targets = Tensor::new(&[0u32, 200, 3, 3, 7, 11], device)?;
    let weights = Tensor::new(&[1f32, 0.5, 0.0, 2.0, 1.0, 1.0], device)?;
    let loss = |t: &[Tensor]| {
        let hidden = t[0].to_dtype(products(device))?;
        let products = ops::Products::F32;
        Ok(ops::linear_cross_entropy_and_hits(&hidden, &t[1], &targets, &weights, products)?.0)
    };
    found.extend(differentiate(
        "loss",
        &[&[6, 128], &[300, 128]],
        device,
        &loss,
    )?);
    let ids: Vec<u32> = (0..3 * 40).map(|k| k * k % 50).collect();
    let ids = Tensor::from_vec(ids, (3, 40), device)?;
    let embed = |t: &[Tensor]| {
        let tables = ops::EmbeddingTables {
            words: &t[0],
            places: &t[1],
            bias: &t[2],
            norm: ops::Norm {
                weight: &t[3],
                bias: &t[4],
            },
            eps: 1e-5,
        };
        ops::embeddings(&ids, &positions, &tables, products(device))
    };
    let shapes: [&[usize]; 5] = [&[50, 128], &[40, 128], &[128], &[128], &[128]];
    found.extend(differentiate("embeddings", &shapes, device, &embed)?);
    let look_up = |t: &[Tensor]| ops::embedding(&positions, &t[0]);
    found.extend(differentiate("look-ups", &[&[50, 128]], device, &look_up)?);
    Ok(found)
}

/// The type of products on a device.
fn products(device: &Device) -> DType {
    if device.is_cpu() {
        DType::F32
    } else {
        DType::BF16
    }
}

/// A function of random tensors of these shapes: its result, and the gradients of a weighted sum of it.
fn differentiate(
    name: &str,
    shapes: &[&[usize]],
    device: &Device,
    function: &dyn Fn(&[Tensor]) -> candle_core::Result<Tensor>,
) -> Result<Gradients> {
    let number = |k: usize| {
        ((k * 7919 % 10_007) as f32 / 10_007.0 - 0.5) * if k.is_multiple_of(3) { 0.4 } else { 0.2 }
    };
    let make = |(at, shape): (usize, &&[usize])| -> Result<Var> {
        let count: usize = shape.iter().product();
        // The first is what goes in: of the size of what a normalisation gives.
        let size = if at == 0 { 5.0 } else { 1.0 };
        let numbers: Vec<f32> = (0..count).map(|k| size * number(k + 31 * at)).collect();
        Ok(Var::from_tensor(&Tensor::from_vec(
            numbers, *shape, device,
        )?)?)
    };
    let vars = shapes
        .iter()
        .enumerate()
        .map(make)
        .collect::<Result<Vec<_>>>()?;
    let tensors: Vec<Tensor> = vars.iter().map(|var| var.as_tensor().clone()).collect();
    let result = function(&tensors)?.to_dtype(DType::F32)?;
    let weights: Vec<f32> = (0..result.elem_count())
        .map(|k| number(3 * k + 1))
        .collect();
    let weights = Tensor::from_vec(weights, result.shape(), device)?;
    let gradients = (&result * weights)?.sum_all()?.backward()?;
    let mut found = vec![(format!("{name}: the result"), result.detach())];
    for (at, var) in vars.iter().enumerate() {
        let gradient = gradients
            .get(var)
            .with_context(|| format!("{name}: no gradient"))?;
        found.push((
            format!("{name}: the gradient of argument {at}"),
            gradient.clone(),
        ));
    }
    Ok(found)
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
