//! The network against itself (cache against joint pass, gradients) and against the reference
//! implementation on a tiny random checkpoint.

// The helpers below are test code too.
#![allow(clippy::unwrap_used)]

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
    let training = lively(&config, 3);
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

fn reference_logits() -> Vec<f32> {
    let file = format!("{TINY}/reference.safetensors");
    let tensors = candle_core::safetensors::load(file, &Device::Cpu).unwrap();
    tensors["joint"].flatten_all().unwrap().to_vec1().unwrap()
}

#[test]
fn joint_logits_are_the_references() {
    let difference = max_difference(&joint_of_pairs(&open(TINY).model), &reference_logits());
    assert!(difference < 1e-4, "{difference}");
    println!("joint logits: {difference:e}");
}

#[test]
fn cached_logits_are_the_references() {
    let got = cached_logits(&open(TINY).model);
    let difference = max_difference(&got, &reference_logits());
    assert!(difference < 1e-4, "{difference}");
    println!("cached logits: {difference:e}");
}

#[test]
fn weights_of_8_bits_give_nearly_the_references_logits() {
    let (got, want) = (
        cached_logits(&open(TINY).quantised().unwrap().model),
        reference_logits(),
    );
    let norm = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>().sqrt();
    let error =
        norm(&mut got.iter().zip(&want).map(|(a, b)| a - b)) / norm(&mut want.iter().copied());
    assert!(error > 0.0 && error < 0.06, "{error}");
    println!("relative error with 8 bits: {error}");
}

#[test]
fn widths_that_8_bits_cannot_have_are_refused() {
    let config = ModelConfig::new(50, 48, 1, 4, 64);
    let Err(error) = lively(&config, 1).quantise() else {
        panic!("48 is no multiple of 32");
    };
    assert!(error.to_string().contains("48"), "{error}");
}

/// The logits of every target token, decoded one by one.
fn cached_logits(model: &EncoderDecoder) -> Vec<f32> {
    let pairs = reference().pairs;
    let sources: Vec<&[u32]> = pairs.iter().map(|(s, _)| s.as_slice()).collect();
    let mut cache = model.encode(&sources).unwrap();
    let longest = pairs.iter().map(|(_, t)| t.len()).max().unwrap();
    let mut steps = Vec::new();
    for i in 0..longest - 1 {
        let token = |target: &Vec<u32>| Row {
            parent: 0,
            token: *target.get(i).unwrap_or(&7),
        };
        let rows: Vec<_> = pairs.iter().map(|(_, t)| vec![token(t)]).collect();
        let logits = model.decode_step(&mut cache, &rows).unwrap();
        steps.push(logits.squeeze(1).unwrap().to_vec2::<f32>().unwrap());
    }
    let mut got = Vec::new();
    for (p, (_, target)) in pairs.iter().enumerate() {
        got.extend(steps[..target.len() - 1].iter().flat_map(|s| s[p].clone()));
    }
    got
}

#[test]
fn text_becomes_the_references_ids() {
    let tokenizer = open(TINY).tokenizer;
    for case in reference().tokenised {
        let ids = tokenizer.encode(case.text.as_str(), false).unwrap();
        assert_eq!(
            ids.get_ids(),
            case.ids,
            "{:?}: {:?}",
            case.text,
            ids.get_tokens()
        );
    }
}

/// A copy of the tiny checkpoint without its weights.
fn without_weights() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in [
        "config.json",
        "vocab.json",
        "merges.txt",
        "added_tokens.json",
        "special_tokens_map.json",
    ] {
        std::fs::copy(format!("{TINY}/{name}"), dir.path().join(name)).unwrap();
    }
    dir
}

fn tiny_weights() -> std::collections::HashMap<String, Tensor> {
    candle_core::safetensors::load(format!("{TINY}/model.safetensors"), &Device::Cpu).unwrap()
}

#[test]
fn every_layout_of_the_weights_gives_the_same_network() {
    let want = joint_of_pairs(&open(TINY).model);
    let check = |dir: &tempfile::TempDir, what: &str, tolerance: f32| {
        let got = joint_of_pairs(&open(dir.path().to_str().unwrap()).model);
        let difference = max_difference(&got, &want);
        assert!(difference <= tolerance, "{what}: {difference}");
    };

    let dir = without_weights();
    std::fs::copy(
        format!("{TINY}/pytorch_model.bin"),
        dir.path().join("pytorch_model.bin"),
    )
    .unwrap();
    check(&dir, "pytorch_model.bin", 0.0);

    for prefix in ["roberta.", "encoder.", "model.encoder."] {
        let dir = without_weights();
        let named: std::collections::HashMap<String, Tensor> = tiny_weights()
            .into_iter()
            .map(|(n, t)| (format!("{prefix}{n}"), t))
            .collect();
        candle_core::safetensors::save(&named, dir.path().join("model.safetensors")).unwrap();
        check(&dir, prefix, 0.0);
    }

    let dir = without_weights();
    let (mut map, mut parts) = (serde_json::Map::new(), [vec![], vec![]]);
    for (i, (name, tensor)) in tiny_weights().into_iter().enumerate() {
        map.insert(
            name.clone(),
            format!("model-0000{}-of-00002.safetensors", i % 2 + 1).into(),
        );
        parts[i % 2].push((name, tensor));
    }
    for (i, part) in parts.into_iter().enumerate() {
        let part: std::collections::HashMap<_, _> = part.into_iter().collect();
        let file = dir
            .path()
            .join(format!("model-0000{}-of-00002.safetensors", i + 1));
        candle_core::safetensors::save(&part, file).unwrap();
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": map}).to_string();
    std::fs::write(dir.path().join("model.safetensors.index.json"), index).unwrap();
    check(&dir, "shards", 0.0);

    let dir = without_weights();
    let half: std::collections::HashMap<_, _> = tiny_weights()
        .into_iter()
        .map(|(n, t)| (n, t.to_dtype(DType::F16).unwrap()))
        .collect();
    candle_core::safetensors::save(&half, dir.path().join("model.safetensors")).unwrap();
    check(&dir, "f16", 0.1);
}

#[test]
fn a_checkpoint_opens_from_bytes() {
    let tiny = open(TINY);
    let tokenizer = tiny.tokenizer.to_string(false).unwrap();
    let read = |name: &str| std::fs::read(format!("{TINY}/{name}")).unwrap();
    let (config, weights) = (read("config.json"), read("model.safetensors"));
    let from = |weights: &[u8]| {
        Checkpoint::from_bytes(
            "built-in",
            &config,
            tokenizer.as_bytes(),
            weights,
            &Device::Cpu,
            DType::F32,
        )
    };
    let again = from(&weights).unwrap();
    assert_eq!(joint_of_pairs(&again.model), joint_of_pairs(&tiny.model));
    let text = "<line> <0> <state> s : [ x , 1.5 ] </state>";
    let ids = |c: &Checkpoint| c.tokenizer.encode(text, false).unwrap().get_ids().to_vec();
    assert_eq!(ids(&again), ids(&tiny));
    let message = from(&weights[..5000]).unwrap_err().to_string();
    assert!(
        message.starts_with("built-in: model.safetensors"),
        "{message}"
    );
}

/// What opening a directory complains of.
fn complaint(dir: &tempfile::TempDir) -> String {
    let path = dir.path().to_str().unwrap();
    match Checkpoint::open(path, &Device::Cpu, DType::F32) {
        Ok(_) => "nothing".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn damaged_checkpoints_say_which_file_and_why() {
    let weights = std::fs::read(format!("{TINY}/model.safetensors")).unwrap();
    let pickle = std::fs::read(format!("{TINY}/pytorch_model.bin")).unwrap();
    let with = |name: &str, bytes: &[u8]| {
        let dir = without_weights();
        std::fs::write(dir.path().join("model.safetensors"), &weights).unwrap();
        std::fs::write(dir.path().join(name), bytes).unwrap();
        complaint(&dir)
    };
    let saved = |change: &dyn Fn(&mut std::collections::HashMap<String, Tensor>)| {
        let mut tensors = tiny_weights();
        change(&mut tensors);
        let dir = without_weights();
        candle_core::safetensors::save(&tensors, dir.path().join("model.safetensors")).unwrap();
        complaint(&dir)
    };
    let zeros = Tensor::zeros((3, 32), DType::F32, &Device::Cpu).unwrap();
    let dense = "encoder.layer.1.output.dense.weight";
    let index = r#"{"weight_map": {"a": "../secret.safetensors"}}"#;
    let cases: Vec<(&str, String, &str)> = vec![
        (
            "none",
            complaint(&without_weights()),
            "no model.safetensors or pytorch_model.bin",
        ),
        (
            "cut",
            with("model.safetensors", &weights[..weights.len() / 2]),
            "model.safetensors: ",
        ),
        (
            "empty",
            with("model.safetensors", b""),
            "damaged or incomplete",
        ),
        (
            "huge header",
            with("model.safetensors", &[0xff; 64]),
            "damaged or incomplete",
        ),
        ("missing", saved(&|t| drop(t.remove(dense))), dense),
        (
            "all missing",
            saved(&|t| t.retain(|n, _| n.starts_with("pooler"))),
            "no tensor",
        ),
        (
            "shape",
            saved(&|t| drop(t.insert(dense.into(), zeros.clone()))),
            "[3, 32]",
        ),
        ("config", with("config.json", b"{"), "config.json: EOF"),
        (
            "config field",
            with("config.json", b"{\"vocab_size\": 3}"),
            "hidden_size",
        ),
        ("vocab", with("vocab.json", b"[1, 2]"), "vocab.json"),
        (
            "ids",
            with("vocab.json", b"{\"a\": 1, \"b\": 1}"),
            "same id",
        ),
        ("merges", with("merges.txt", b"x qqq\n"), "vocab.json"),
        (
            "added",
            with("added_tokens.json", b"{\"<x>\": 900}"),
            "the id 900",
        ),
        (
            "tokenizer.json",
            with("tokenizer.json", b"{}"),
            "tokenizer.json",
        ),
    ];
    for (what, message, wanted) in cases {
        assert!(message.contains(wanted), "{what}: {message}");
    }
    let dir = without_weights();
    std::fs::write(dir.path().join("model.safetensors.index.json"), index).unwrap();
    assert!(complaint(&dir).contains("secret"));
    for keep in [0, 10, pickle.len() / 2, pickle.len() - 30] {
        let dir = without_weights();
        std::fs::write(dir.path().join("pytorch_model.bin"), &pickle[..keep]).unwrap();
        assert!(
            complaint(&dir).contains("pytorch_model.bin: not a readable"),
            "{keep}"
        );
    }
    let nowhere = Checkpoint::open("/no/such/dir", &Device::Cpu, DType::F32).unwrap_err();
    assert!(nowhere.to_string().contains("/no/such/dir"));
}

#[test]
fn flipped_bytes_never_panic() {
    for (name, stride) in [
        ("model.safetensors", 97),
        ("pytorch_model.bin", 4001),
        ("vocab.json", 131),
    ] {
        let original = std::fs::read(format!("{TINY}/{name}")).unwrap();
        let dir = without_weights();
        if name == "vocab.json" {
            let weights = format!("{TINY}/model.safetensors");
            std::fs::copy(weights, dir.path().join("model.safetensors")).unwrap();
        }
        // The safetensors header is in the first 4 KB; the rest is numbers.
        let end = original
            .len()
            .min(if stride == 97 { 4096 } else { usize::MAX });
        for at in (0..end).step_by(stride) {
            let mut bytes = original.clone();
            bytes[at] ^= 0x55;
            std::fs::write(dir.path().join(name), bytes).unwrap();
            complaint(&dir);
        }
    }
}

#[derive(serde::Deserialize)]
struct Beams {
    beams: Vec<ReferenceBeam>,
}

#[derive(serde::Deserialize)]
struct ReferenceBeam {
    source: Vec<u32>,
    start: u32,
    limit: usize,
    size: usize,
    hypotheses: Vec<ReferenceHypothesis>,
}

#[derive(serde::Deserialize)]
struct ReferenceHypothesis {
    score: f32,
    tokens: Vec<u32>,
}

fn check_beam(got: &[Hypothesis], want: &ReferenceBeam) {
    assert_eq!(got.len(), want.hypotheses.len());
    for (got, want) in got.iter().zip(&want.hypotheses) {
        let ended = want.tokens.last() == Some(&2);
        let tokens = &want.tokens[..want.tokens.len() - usize::from(ended)];
        assert_eq!(got.tokens, tokens);
        assert_eq!(got.truncated, !ended);
        assert_eq!(got.logprobs.len(), want.tokens.len());
        assert!(
            (got.score - want.score).abs() < 1e-3,
            "{} {}",
            got.score,
            want.score
        );
        let sum: f32 = got.logprobs.iter().sum();
        assert!((sum - got.score).abs() < 1e-3);
    }
}

#[test]
fn beams_are_the_references_token_for_token() {
    let model = open(TINY).model;
    let text = std::fs::read(format!("{TINY}/reference.json")).unwrap();
    let beams = serde_json::from_slice::<Beams>(&text).unwrap().beams;
    let options = |b: &ReferenceBeam| SearchOptions {
        beam: b.size,
        max_tokens: b.limit,
        start: b.start,
        end: 2,
        length_penalty: 0.0,
        rule: Rule::Published,
    };
    // One at a time, greedy included.
    for want in &beams {
        let got = beam_search(&model, &[&want.source], &[NoGrammar], &options(want)).unwrap();
        check_beam(&got[0], want);
    }
    // All those with the same options at once.
    let together: Vec<_> = beams
        .iter()
        .filter(|b| b.size == 10 && b.limit == 24)
        .collect();
    let sources: Vec<&[u32]> = together.iter().map(|b| b.source.as_slice()).collect();
    let grammars = vec![NoGrammar; sources.len()];
    let got = beam_search(&model, &sources, &grammars, &options(together[0])).unwrap();
    for (got, want) in got.iter().zip(together) {
        check_beam(got, want);
    }
    let cut = |b: &ReferenceBeam| {
        b.hypotheses
            .iter()
            .filter(|h| h.tokens.last() != Some(&2))
            .count()
    };
    let cut: Vec<usize> = beams.iter().map(cut).collect();
    // The fixture has searches that end by either rule.
    assert!(cut.contains(&0) && cut.iter().any(|c| *c > 0), "{cut:?}");
}

#[test]
fn predictions_of_an_untrained_network_keep_to_the_grammar() {
    let tiny = open(TINY);
    let vocabulary = Arc::new(TokenClasses::new(&tiny.tokenizer));
    let pairs = reference().pairs;
    let sources: Vec<&[u32]> = pairs.iter().map(|(s, _)| s.as_slice()).collect();
    let grammar = |lines| TraceGrammar::new(vocabulary.clone(), Form::Paper, lines);
    let grammars: Vec<_> = (0..sources.len()).map(grammar).collect();
    let (start, line) = (
        tiny.token("<mask0>").unwrap(),
        tiny.token("<line>").unwrap(),
    );
    let mut options = SearchOptions::new(&tiny.model, start, 2);
    assert_eq!((options.beam, options.max_tokens), (10, 768));
    options.max_tokens = 30;
    let all = beam_search(&tiny.model, &sources, &grammars, &options).unwrap();
    let (mut whole, mut cut) = (0, 0);
    for (p, (hypotheses, grammar)) in all.iter().zip(&grammars).enumerate() {
        assert!(!hypotheses.is_empty() && hypotheses.len() <= 10);
        for hypothesis in hypotheses {
            let mut state = grammar.start();
            for token in &hypothesis.tokens {
                assert!(
                    grammar.allowed(&state).contains(*token),
                    "{p}: {hypothesis:?}"
                );
                state = grammar.advance(&state, *token);
            }
            assert_eq!(
                hypothesis.truncated,
                hypothesis.tokens.len() == 30,
                "{hypothesis:?}"
            );
            if !hypothesis.truncated {
                assert!(grammar.allowed(&state).contains(2), "{hypothesis:?}");
            }
            *(if hypothesis.truncated {
                &mut cut
            } else {
                &mut whole
            }) += 1;
            // A program without lines has no steps.
            assert!(p > 0 || !hypothesis.tokens.contains(&line));
            let steps = step_confidences(&hypothesis.tokens, &hypothesis.logprobs, line, None);
            assert!(steps.iter().all(|s| (0.0..=1.0).contains(&s.confidence)));
        }
    }
    assert!(whole > 0 && cut > 0, "{whole} whole, {cut} cut");
}

#[test]
fn a_source_that_leaves_no_room_is_an_error_and_a_long_one_is_cut() {
    let model = open(TINY).model;
    let options = SearchOptions {
        beam: 2,
        max_tokens: 768,
        start: 302,
        end: 2,
        length_penalty: 0.0,
        rule: Rule::Published,
    };
    let search = |len: usize| beam_search(&model, &[&vec![5; len]], &[NoGrammar], &options);
    // 100 positions: a source of 90 leaves room for 10 tokens.
    let got = search(90).unwrap().remove(0);
    assert!(
        got.iter()
            .all(|h| h.tokens.len() + usize::from(!h.truncated) <= 10)
    );
    assert!(search(99).is_ok());
    for len in [0, 100, 500] {
        let message = search(len).unwrap_err().to_string();
        assert!(message.contains(&format!("{len} tokens")), "{message}");
    }
}
