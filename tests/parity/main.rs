//! The network against itself (cache against joint pass, gradients) and against the reference
//! implementation on a tiny random checkpoint.

// The helpers below are test code too.
#![allow(clippy::unwrap_used)]

mod reference;
mod weights;

use std::sync::Arc;

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::VarBuilder;
use codexec::decode::{
    Grammar, Hypothesis, NoGrammar, Rule, SearchOptions, TokenClasses, TraceGrammar, beam_search,
    step_confidences,
};
use codexec::model::{
    Checkpoint, EncoderDecoder, Form, JointBatch, ModelConfig, Row, ops, random_weights,
};

fn max_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f32::max)
}

/// A network with weights large enough that attention is far from uniform.
fn lively(config: &ModelConfig, seed: u64) -> EncoderDecoder {
    let weights = random_weights(config, seed, &Device::Cpu).unwrap();
    let weights = weights
        .into_iter()
        .map(|(name, t)| {
            let t = if t.rank() == 2 { (t * 8.0).unwrap() } else { t };
            (name, t)
        })
        .collect();
    EncoderDecoder::new(
        config,
        VarBuilder::from_tensors(weights, DType::F32, &Device::Cpu),
    )
    .unwrap()
}

/// The logits of the row that predicts what follows `target`, by one joint pass.
fn joint_logits(model: &EncoderDecoder, source: &[u32], target: &[u32]) -> Vec<f32> {
    let batch = JointBatch::new(&[(source.to_vec(), target.to_vec())], 1);
    let batch = batch.to_device(&Device::Cpu).unwrap();
    let hidden = model
        .forward_joint(&batch.ids, &batch.positions, &batch.mask)
        .unwrap();
    let last = hidden
        .narrow(1, source.len() + target.len() - 1, 1)
        .unwrap();
    model
        .logits(&last)
        .unwrap()
        .flatten_all()
        .unwrap()
        .to_vec1()
        .unwrap()
}

#[test]
fn a_branching_cache_gives_what_a_joint_pass_gives() {
    let config = ModelConfig::new(60, 32, 2, 4, 400);
    compare_branches(&config);
    compare_branches(&config.with_rotary_positions());
}

fn compare_branches(config: &ModelConfig) {
    let training = lively(config, 3);
    let model = training.clone().for_inference().unwrap();
    let sources: [&[u32]; 2] = [&[0, 5, 9, 33, 2], &[0, 7, 2]];
    let mut cache = model.encode(&sources).unwrap();
    // What each program's rows stand for, kept by hand.
    let mut texts: Vec<Vec<Vec<u32>>> = vec![vec![vec![]]; 2];
    for step in 0..160u32 {
        // A beam that now and then drops a hypothesis and forks another; widths differ.
        let rows: Vec<Vec<Row>> = (0..2u32)
            .map(|p| {
                let width = if step == 0 { 1 } else { 3 + p as usize };
                (0..width)
                    .map(|r| {
                        let old = texts[p as usize].len();
                        let fork = step % 7 == 3 || r >= old;
                        let parent = if fork { (r / 2) % old } else { r };
                        let token = 3 + (step * 13 + p * 5 + r as u32 * 11) % 57;
                        Row { parent, token }
                    })
                    .collect()
            })
            .collect();
        texts = rows
            .iter()
            .zip(&texts)
            .map(|(rows, old)| {
                let text = |r: &Row| [old[r.parent].clone(), vec![r.token]].concat();
                rows.iter().map(text).collect()
            })
            .collect();
        let logits = model.decode_step(&mut cache, &rows).unwrap();
        if !matches!(step, 0 | 1 | 10 | 40 | 80 | 120 | 159) {
            continue;
        }
        for (p, texts) in texts.iter().enumerate() {
            for (r, text) in texts.iter().enumerate() {
                let got: Vec<f32> = logits.get(p).unwrap().get(r).unwrap().to_vec1().unwrap();
                let want = joint_logits(&training, sources[p], text);
                let difference = max_difference(&got, &want);
                assert!(
                    difference < 1e-4,
                    "step {step} program {p} row {r}: {difference}"
                );
            }
        }
    }
    // 160 steps of 4 rows are 640 nodes; those nobody reaches are gone.
    assert!(cache.slots() < 640, "{} slots", cache.slots());
    // A program that is done leaves; the other goes on as before.
    cache.keep(&[1]).unwrap();
    let row = Row {
        parent: 2,
        token: 12,
    };
    let logits = model.decode_step(&mut cache, &[vec![row]]).unwrap();
    let want = joint_logits(
        &training,
        sources[1],
        &[texts[1][2].clone(), vec![12]].concat(),
    );
    assert!(max_difference(&logits.flatten_all().unwrap().to_vec1().unwrap(), &want) < 1e-4);
}

#[test]
fn padding_a_batch_changes_nothing() {
    let model = lively(&ModelConfig::new(60, 32, 2, 4, 64), 4);
    let pairs = [
        (vec![0, 5, 9, 33, 2], vec![4, 8, 8, 2]),
        (vec![0, 2], vec![4, 2]),
    ];
    let predict = |pairs: &[(Vec<u32>, Vec<u32>)], multiple| {
        let batch = JointBatch::with_multiple(pairs, 1, multiple);
        let batch = batch.to_device(&Device::Cpu).unwrap();
        let rows = model.predicting_rows(&batch).unwrap();
        model
            .logits(&rows)
            .unwrap()
            .flatten_all()
            .unwrap()
            .to_vec1::<f32>()
            .unwrap()
    };
    let together = predict(&pairs, 16);
    let apart = [predict(&pairs[..1], 1), predict(&pairs[1..], 1)].concat();
    assert!(max_difference(&together, &apart) < 1e-4);
}

#[test]
fn gradient_reaches_every_weight() {
    let config = ModelConfig::new(40, 16, 2, 2, 32);
    let vars: Vec<(String, Var)> = random_weights(&config, 1, &Device::Cpu)
        .unwrap()
        .into_iter()
        .map(|(name, t)| (name, Var::from_tensor(&t).unwrap()))
        .collect();
    let tensors = vars
        .iter()
        .map(|(n, v)| (n.clone(), v.as_tensor().clone()))
        .collect();
    let vb = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
    let model = EncoderDecoder::new(&config, vb).unwrap();
    let pairs = [
        (vec![0, 5, 9, 2], vec![4, 8, 6, 2]),
        (vec![0, 7, 2], vec![4, 9, 2]),
    ];
    let batch = JointBatch::new(&pairs, 1).to_device(&Device::Cpu).unwrap();
    let logits = model
        .logits(&model.predicting_rows(&batch).unwrap())
        .unwrap();
    let weights = Tensor::ones(batch.labels.dims(), DType::F32, &Device::Cpu).unwrap();
    let loss = ops::cross_entropy(&logits, &batch.labels, &weights).unwrap();
    let grads = loss.backward().unwrap();
    for (name, var) in &vars {
        let grad = grads
            .get(var)
            .unwrap_or_else(|| panic!("{name} has no gradient"));
        let size = grad
            .abs()
            .unwrap()
            .max_all()
            .unwrap()
            .to_scalar::<f32>()
            .unwrap();
        // A bias on all keys moves every score of a row alike: softmax does not see it.
        let floor = if name.ends_with("key.bias") {
            -1.0
        } else {
            1e-12
        };
        assert!(size > floor && size.is_finite(), "{name}: {size}");
    }
}

const TINY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/fixtures/tiny_checkpoint"
);

fn open(dir: &str) -> Checkpoint {
    Checkpoint::open(dir, &Device::Cpu, DType::F32).unwrap()
}

/// Logits at all target positions of the reference's pairs, in one padded batch.
fn joint_of_pairs(model: &EncoderDecoder) -> Vec<f32> {
    let batch = JointBatch::new(&reference().pairs, 1)
        .to_device(&Device::Cpu)
        .unwrap();
    let rows = model.predicting_rows(&batch).unwrap();
    model
        .logits(&rows)
        .unwrap()
        .flatten_all()
        .unwrap()
        .to_vec1()
        .unwrap()
}

#[derive(serde::Deserialize)]
struct Reference {
    tokenised: Vec<Tokenised>,
    pairs: Vec<(Vec<u32>, Vec<u32>)>,
}

#[derive(serde::Deserialize)]
struct Tokenised {
    text: String,
    ids: Vec<u32>,
}

fn reference() -> Reference {
    let text = std::fs::read(format!("{TINY}/reference.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}
