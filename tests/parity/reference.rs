//! Against the reference implementation, on its own vectors.

use super::*;

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
