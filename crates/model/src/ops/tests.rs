//! Every fused operation against its composed form, forwards and backwards, and against finite
//! differences.

use candle_core::{DType, Device, Result, Tensor, Var};

use super::*;

mod gpu;

/// Largest difference allowed, relative to the largest value.
const CLOSE: f32 = 1e-5;

fn random(shape: &[usize], scale: f32, seed: u64) -> Tensor {
    use rand::{Rng, SeedableRng};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let n = shape.iter().product();
    let values: Vec<f32> = (0..n).map(|_| rng.random_range(-scale..scale)).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

fn values(x: &Tensor) -> Vec<f32> {
    x.flatten_all().unwrap().to_vec1().unwrap()
}

fn assert_close(what: &str, a: &Tensor, b: &Tensor) {
    assert_eq!(a.dims(), b.dims(), "{what}");
    let (a, b) = (values(a), values(b));
    let top = b.iter().fold(1f32, |m, v| m.max(v.abs()));
    for (i, (a, b)) in a.iter().zip(&b).enumerate() {
        assert!((a - b).abs() <= CLOSE * top, "{what}[{i}]: {a} != {b}");
    }
}

type Op<'a> = dyn Fn(&[Tensor]) -> Result<Tensor> + 'a;

/// A scalar that depends on every value of the result differently.
fn weigh(y: &Tensor) -> Tensor {
    let k = random(y.dims(), 1.0, 99);
    (y * k).unwrap().sum_all().unwrap()
}

/// Runs both on variables with these values; compares results and the gradient of every variable.
fn compare(name: &str, inputs: &[Tensor], fused: &Op, composed: &Op) {
    let run = |op: &Op| {
        let vars: Vec<Var> = inputs
            .iter()
            .map(|t| Var::from_tensor(t).unwrap())
            .collect();
        let tensors: Vec<Tensor> = vars.iter().map(|v| v.as_tensor().clone()).collect();
        let y = op(&tensors).unwrap();
        let grads = weigh(&y).backward().unwrap();
        let grads: Vec<Tensor> = vars
            .iter()
            .map(|v| grads.get(v).expect("a gradient").clone())
            .collect();
        (y, grads)
    };
    let ((y, grads), (expected, expected_grads)) = (run(fused), run(composed));
    assert_close(name, &y, &expected);
    for (i, (g, e)) in grads.iter().zip(&expected_grads).enumerate() {
        assert_close(&format!("{name}: gradient {i}"), g, e);
    }
    finite_differences(name, inputs, fused, &grads);
}

/// Moves some values of each input a little and compares the change with the gradient.
fn finite_differences(name: &str, inputs: &[Tensor], op: &Op, grads: &[Tensor]) {
    const STEP: f32 = 1e-2;
    let at = |inputs: &[Tensor]| weigh(&op(inputs).unwrap()).to_scalar::<f32>().unwrap();
    for (i, grad) in grads.iter().enumerate() {
        let grad = values(grad);
        for j in (0..grad.len()).step_by(grad.len().div_ceil(7)) {
            let moved = |by: f32| {
                let mut all = inputs.to_vec();
                let mut v = values(&inputs[i]);
                v[j] += by;
                all[i] = Tensor::from_vec(v, inputs[i].shape(), &Device::Cpu).unwrap();
                at(&all)
            };
            let slope = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
            let off = (slope - grad[j]).abs();
            assert!(
                off <= 0.02 + 0.02 * slope.abs(),
                "{name}: d/d{i}[{j}]: {slope} != {}",
                grad[j]
            );
        }
    }
}

/// Two sequences of five: the first sees all, the second is causal over its first three.
fn mask(fill: f32) -> Tensor {
    let (b, t) = (2, 5);
    let mut m = vec![0f32; b * t * t];
    for q in 0..t {
        for k in 0..t {
            if k > q || k >= 3 {
                m[t * t + q * t + k] = fill;
            }
        }
    }
    Tensor::from_vec(m, (b, 1, t, t), &Device::Cpu).unwrap()
}

#[test]
fn gelu_and_bias() {
    let x = random(&[3, 4, 19], 6.0, 1);
    compare("gelu", std::slice::from_ref(&x), &|t| gelu(&t[0]), &|t| {
        composed::gelu(&t[0])
    });
    let b = random(&[19], 1.0, 2);
    compare("bias_gelu", &[x, b], &|t| bias_gelu(&t[0], &t[1]), &|t| {
        composed::bias_gelu(&t[0], &t[1])
    });
}

#[test]
fn gelu_far_out() {
    let x = Tensor::new(
        &[-100f32, -30.0, -13.3, -6.0, 0.0, 6.0, 30.0, 1e4],
        &Device::Cpu,
    )
    .unwrap();
    assert_close("gelu", &gelu(&x).unwrap(), &composed::gelu(&x).unwrap());
}

#[test]
fn layer_norms() {
    let x = random(&[2, 3, 37], 3.0, 1);
    let r = random(&[2, 3, 37], 3.0, 2);
    let w = random(&[37], 2.0, 3);
    let b = random(&[37], 1.0, 4);
    compare(
        "layer_norm",
        &[x.clone(), w.clone(), b.clone()],
        &|t| layer_norm(&t[0], &t[1], &t[2], 1e-5),
        &|t| composed::layer_norm(&t[0], &t[1], &t[2], 1e-5),
    );
    compare(
        "residual_layer_norm",
        &[x, r, w, b],
        &|t| residual_layer_norm(&t[0], &t[1], &t[2], &t[3], 1e-5),
        &|t| composed::residual_layer_norm(&t[0], &t[1], &t[2], &t[3], 1e-5),
    );
}

#[test]
fn linear_of_any_rank_and_of_strided_input() {
    let x = random(&[2, 3, 8], 1.0, 1);
    let w = random(&[5, 8], 1.0, 2);
    let b = random(&[5], 1.0, 3);
    compare(
        "linear",
        &[x, w, b],
        &|t| linear(&t[0], &t[1], &t[2]),
        &|t| composed::linear(&t[0], &t[1], &t[2]),
    );
    let x = random(&[8, 6], 1.0, 4);
    let w = random(&[5, 8], 1.0, 5);
    let b = random(&[5], 1.0, 6);
    compare(
        "linear of a transpose",
        &[x, w, b],
        &|t| linear(&t[0].t()?, &t[1], &t[2]),
        &|t| composed::linear(&t[0].t()?, &t[1], &t[2]),
    );
}

#[test]
fn softmax_and_attention() {
    let scores = random(&[2, 3, 5, 5], 4.0, 1);
    let parts: Vec<_> = (2..5).map(|s| random(&[2, 3, 5, 4], 2.0, s)).collect();
    for fill in [MASKED, f32::NEG_INFINITY] {
        let m = mask(fill);
        compare(
            "masked_softmax",
            std::slice::from_ref(&scores),
            &|t| masked_softmax(&t[0], &m),
            &|t| composed::masked_softmax(&t[0], &m),
        );
        compare(
            "attention",
            &parts,
            &|t| attention(&t[0], &t[1], &t[2], &m),
            &|t| composed::attention(&t[0], &t[1], &t[2], &m),
        );
    }
}

#[test]
fn attention_of_few_queries_over_strided_keys() {
    let q = random(&[2, 3, 1, 4], 2.0, 1);
    let cache = random(&[2, 3, 9, 4], 2.0, 2);
    let m = Tensor::zeros((2, 1, 1, 5), DType::F32, &Device::Cpu).unwrap();
    compare(
        "attention over a cache",
        &[q, cache],
        &|t| attention(&t[0], &t[1].narrow(2, 2, 5)?, &t[1].narrow(2, 4, 5)?, &m),
        &|t| composed::attention(&t[0], &t[1].narrow(2, 2, 5)?, &t[1].narrow(2, 4, 5)?, &m),
    );
}

#[test]
fn rows_that_see_nothing_give_zeros() {
    for fill in [MASKED, f32::NEG_INFINITY, f32::MIN] {
        let m = Tensor::full(fill, (2, 1, 5, 5), &Device::Cpu).unwrap();
        let scores = Var::from_tensor(&random(&[2, 3, 5, 5], 4.0, 1)).unwrap();
        let probs = masked_softmax(&scores, &m).unwrap();
        assert!(values(&probs).iter().all(|p| *p == 0.0));
        let grads = weigh(&probs).backward().unwrap();
        assert!(
            values(grads.get(&scores).unwrap())
                .iter()
                .all(|g| *g == 0.0)
        );
    }
}

#[test]
fn cross_entropies() {
    let h = random(&[6, 8], 2.0, 1);
    let table = random(&[21, 8], 2.0, 2);
    let targets = Tensor::new(&[0u32, 20, 3, 3, 7, 11], &Device::Cpu).unwrap();
    let weights = Tensor::new(&[1f32, 0.5, 0.0, 2.0, 1.0, 1.0], &Device::Cpu).unwrap();
    compare(
        "cross_entropy",
        &[random(&[6, 21], 5.0, 3)],
        &|t| cross_entropy(&t[0], &targets, &weights)? * 0.25,
        &|t| composed::cross_entropy(&t[0], &targets, &weights)? * 0.25,
    );
    compare(
        "linear_cross_entropy",
        &[h, table],
        &|t| linear_cross_entropy(&t[0], &t[1], &targets, &weights)? * 0.25,
        &|t| composed::cross_entropy(&composed::project(&t[0], &t[1])?, &targets, &weights)? * 0.25,
    );
}

#[test]
fn cross_entropy_of_large_logits_is_finite() {
    let logits = Tensor::new(&[[1e4f32, -1e4, 0.0]], &Device::Cpu).unwrap();
    let weights = Tensor::new(&[1f32], &Device::Cpu).unwrap();
    for (target, expected) in [(0u32, 0.0), (1, 2e4), (2, 1e4)] {
        let target = Tensor::new(&[target], &Device::Cpu).unwrap();
        let loss = cross_entropy(&logits, &target, &weights).unwrap();
        assert_eq!(loss.to_scalar::<f32>().unwrap(), expected);
    }
}

#[test]
fn targets_out_of_range_are_refused() {
    let logits = random(&[2, 3], 1.0, 1);
    let weights = Tensor::ones(2, DType::F32, &Device::Cpu).unwrap();
    let targets = Tensor::new(&[0u32, 3], &Device::Cpu).unwrap();
    assert!(cross_entropy(&logits, &targets, &weights).is_err());
    assert!(embedding(&targets, &logits.narrow(0, 0, 2).unwrap()).is_err());
}

#[test]
fn hits_are_weighted() {
    let logits = Tensor::new(
        &[[1f32, 2.0, 0.0], [3.0, 2.0, 1.0], [0.0, 0.0, 1.0]],
        &Device::Cpu,
    )
    .unwrap();
    let targets = Tensor::new(&[1u32, 1, 2], &Device::Cpu).unwrap();
    let weights = Tensor::new(&[1f32, 4.0, 0.5], &Device::Cpu).unwrap();
    let found = weighted_hits(&logits, &targets, &weights).unwrap();
    assert_eq!(found.to_scalar::<f32>().unwrap(), 1.5);
    // With the identity for a table, hidden states are logits.
    let table = Tensor::eye(3, DType::F32, &Device::Cpu).unwrap();
    let (loss, hits) =
        linear_cross_entropy_and_hits(&logits, &table, &targets, &weights, Products::F32).unwrap();
    let whole = cross_entropy(&logits, &targets, &weights).unwrap();
    let difference = (loss - whole).unwrap().to_scalar::<f32>().unwrap();
    assert!(difference.abs() < 1e-5, "{difference}");
    assert_eq!(hits.to_scalar::<f32>().unwrap(), 1.5);
}

#[test]
fn embedding_adds_up_repeated_ids() {
    let ids = Tensor::new(&[[3u32, 0, 3], [1, 3, 1]], &Device::Cpu).unwrap();
    compare(
        "embedding",
        &[random(&[5, 7], 1.0, 1)],
        &|t| embedding(&ids, &t[0]),
        &|t| composed::embedding(&ids, &t[0]),
    );
}

/// The values of a block of width 12: its input, then its parameters.
fn block() -> Vec<Tensor> {
    let (h, f) = (12, 20);
    let dense = |out: usize, width: usize, seed| {
        [
            random(&[out, width], 0.5, seed),
            random(&[out], 0.5, seed + 50),
        ]
    };
    [
        vec![random(&[2, 5, h], 1.0, 1)],
        dense(h, h, 2).into(),
        dense(h, h, 3).into(),
        dense(h, h, 4).into(),
        dense(h, h, 5).into(),
        vec![random(&[h], 1.0, 6), random(&[h], 1.0, 7)],
        dense(f, h, 8).into(),
        dense(h, f, 9).into(),
        vec![random(&[h], 1.0, 10), random(&[h], 1.0, 11)],
    ]
    .concat()
}

fn layer(t: &[Tensor], products: Products) -> EncoderLayer<'_> {
    let dense = |i: usize| Dense {
        weight: &t[i],
        bias: &t[i + 1],
    };
    let norm = |i: usize| Norm {
        weight: &t[i],
        bias: &t[i + 1],
    };
    EncoderLayer {
        query: dense(1),
        key: dense(3),
        value: dense(5),
        output: dense(7),
        attention_norm: norm(9),
        widen: dense(11),
        narrow: dense(13),
        output_norm: norm(15),
        heads: 3,
        eps: 1e-5,
        rotation: None,
        products,
    }
}

#[test]
fn encoder_layers() {
    let m = mask(MASKED);
    compare(
        "encoder_layer",
        &block(),
        &|t| encoder_layer(&t[0], &m, &layer(t, Products::F32)),
        &|t| composed::encoder_layer(&t[0], &m, &layer(t, Products::F32)),
    );
}

/// For the tokens of [`mask`], in heads of width 4.
fn rotation() -> Rotation {
    let table = RotaryTable::new(16, 4, &Device::Cpu).unwrap();
    let positions = Tensor::new(&[[2u32, 3, 4, 5, 6], [2, 3, 4, 1, 1]], &Device::Cpu).unwrap();
    table.at(&positions).unwrap()
}

#[test]
fn encoder_layers_with_rotary_positions() {
    let m = mask(MASKED);
    let rotation = rotation();
    let run = |t: &[Tensor], op: fn(&Tensor, &Tensor, &EncoderLayer) -> Result<Tensor>| {
        let layer = EncoderLayer {
            rotation: Some(&rotation),
            ..layer(t, Products::F32)
        };
        op(&t[0], &m, &layer)
    };
    compare(
        "encoder_layer with rotation",
        &block(),
        &|t| run(t, encoder_layer),
        &|t| run(t, composed::encoder_layer),
    );
}

#[test]
fn rows_of_an_encoder_layer() {
    let m = mask(MASKED);
    let rows = Tensor::new(&[8u32, 1, 4], &Device::Cpu).unwrap();
    compare(
        "encoder_layer_rows",
        &block(),
        &|t| encoder_layer_rows(&t[0], &m, &layer(t, Products::F32), &rows),
        &|t| {
            let all = composed::encoder_layer(&t[0], &m, &layer(t, Products::F32))?;
            all.flatten_to(1)?.index_select(&rows, 0)
        },
    );
    let beyond = Tensor::new(&[10u32], &Device::Cpu).unwrap();
    let t = block();
    assert!(encoder_layer_rows(&t[0], &m, &layer(&t, Products::F32), &beyond).is_err());
}

/// The cosine of the angle between two gradients, taken as vectors.
fn cosine(a: &Tensor, b: &Tensor) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let (a, b) = (values(a), values(b));
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
}

/// Also if the processor has no such instruction: the sums are then computed differently.
#[test]
fn products_in_bf16_change_results_and_gradients_little() {
    let m = mask(MASKED);
    let table = random(&[40, 12], 0.5, 30);
    let targets = Tensor::arange(0u32, 10, &Device::Cpu).unwrap();
    let weights = Tensor::ones(10, DType::F32, &Device::Cpu).unwrap();
    let run = |products| {
        let tensors = block().into_iter().chain([table.clone()]);
        let vars: Vec<Var> = tensors.map(|t| Var::from_tensor(&t).unwrap()).collect();
        let t: Vec<Tensor> = vars.iter().map(|v| v.as_tensor().clone()).collect();
        let hidden = encoder_layer(&t[0], &m, &layer(&t, products)).unwrap();
        let rows = hidden.flatten_to(1).unwrap();
        let (loss, _) =
            linear_cross_entropy_and_hits(&rows, &t[17], &targets, &weights, products).unwrap();
        let grads = loss.backward().unwrap();
        let grads: Vec<Tensor> = vars
            .iter()
            .map(|v| grads.get(v).expect("a gradient").clone())
            .collect();
        (loss.to_scalar::<f32>().unwrap(), grads)
    };
    let ((exact, exact_grads), (near, near_grads)) = (run(Products::F32), run(Products::Bf16));
    assert_ne!(exact, near, "bf16 was used");
    assert!((exact - near).abs() < 0.01 * exact, "{exact} {near}");
    for (i, (a, b)) in exact_grads.iter().zip(&near_grads).enumerate() {
        // The bias of the keys moves every score of a row alike: its gradient is 0 but for rounding.
        if i != 4 {
            assert!(cosine(a, b) > 0.999, "{i}: {}", cosine(a, b));
        }
    }
}

#[test]
fn other_types_keep_their_gradient() {
    let x = Var::from_tensor(&random(&[2, 8], 1.0, 1).to_dtype(DType::BF16).unwrap()).unwrap();
    let w = random(&[8], 1.0, 2).to_dtype(DType::BF16).unwrap();
    let y = layer_norm(&gelu(&x).unwrap(), &w, &w, 1e-5).unwrap();
    assert_eq!(y.dtype(), DType::BF16);
    let loss = y
        .to_dtype(DType::F32)
        .unwrap()
        .sqr()
        .unwrap()
        .sum_all()
        .unwrap();
    assert!(loss.backward().unwrap().get(&x).is_some());
}
