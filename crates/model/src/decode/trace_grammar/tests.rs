//! The grammars on text that they must accept, text that they must reject, and random walks.

use std::sync::Arc;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tokenizers::Tokenizer;

use super::*;
use crate::decode::Allowed;

/// A vocabulary of words and characters.
const WORDS: &str = "x y total Zero Division Error f line state time out killed step_limit s 1 2 9 \
    : , . < > / \\ ' \" [ ] - = ▁ é";
const SPECIAL: &str = "<s> <pad> </s> <unk> <mask0> <line> <state> </state> <dictsep> <output> \
    <call> <return> <raise> <del> <reset> <end> <function> <module> <class> <0> <1> <2> <3>";

fn tokenizer() -> Tokenizer {
    let special: Vec<&str> = SPECIAL.split_whitespace().collect();
    let words = special.iter().copied().chain(WORDS.split_whitespace());
    let vocab: serde_json::Map<_, _> = words
        .enumerate()
        .map(|(i, w)| (w.into(), i.into()))
        .collect();
    let added = special.iter().enumerate().map(|(i, w)| {
        serde_json::json!({"id": i, "content": w, "single_word": false, "lstrip": false,
            "rstrip": false, "normalized": false, "special": true})
    });
    let json = serde_json::json!({
        "version": "1.0",
        "added_tokens": added.collect::<Vec<_>>(),
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "<unk>"},
    });
    Tokenizer::from_bytes(json.to_string()).unwrap()
}

fn grammar(form: Form) -> (TraceGrammar, Tokenizer) {
    let tokenizer = tokenizer();
    let vocabulary = Arc::new(TokenClasses::new(&tokenizer));
    (TraceGrammar::new(vocabulary, form, 3), tokenizer)
}

/// The rejected word, or whether the text may end there.
fn verdict(form: Form, text: &str) -> Result<bool, String> {
    let (grammar, tokenizer) = grammar(form);
    let mut state = grammar.start();
    for word in text.split_whitespace() {
        let token = tokenizer
            .token_to_id(word)
            .ok_or(format!("`{word}` unknown"))?;
        if !grammar.allowed(&state).contains(token) {
            return Err(word.to_owned());
        }
        state = grammar.advance(&state, token);
    }
    let end = tokenizer.token_to_id("</s>").unwrap();
    Ok(grammar.allowed(&state).contains(end))
}

#[test]
fn paper_texts() {
    let whole = [
        "",
        "<line> <0> <state> </state>",
        "<line> <0> <state> x : 1 2 </state> <line> <2> <state> x : ' <dictsep> f : <function> </state>",
        "<line> <0> <state> s : </state> <output> x : > <line> <1> <state> x y 1 : [ 1 , 2 ] </state>",
        "<line> <0> <state> x : 1 </state> <output> 2",
    ];
    for text in whole {
        assert_eq!(verdict(Form::Paper, text), Ok(true), "{text}");
    }
    for text in [
        "<line>",
        "<line> <0>",
        "<line> <0> <state> x",
        "<line> <0> <state> x : 1",
    ] {
        assert_eq!(verdict(Form::Paper, text), Ok(false), "{text}");
    }
    let refused = [
        ("<state>", "<state>"),
        ("<line> <3>", "<3>"),
        ("<line> <0> <state> 1", "1"),
        ("<line> <0> <state> : 1", ":"),
        ("<line> <0> <state> x : 1 <line>", "<line>"),
        ("<line> <0> <state> x : 1 <dictsep> </state>", "</state>"),
        ("<line> <0> <call>", "<call>"),
        ("<output> < line >", ">"),
        ("<output> <function>", "<function>"),
        ("<mask0>", "<mask0>"),
        ("<pad>", "<pad>"),
    ];
    for (text, word) in refused {
        assert_eq!(verdict(Form::Paper, text), Err(word.to_owned()), "{text}");
    }
}

#[test]
fn delta_texts() {
    let whole = [
        "",
        "<line> <0>",
        "<line> <0> <state> x : 1 </state> <output> 2 <line> <1> <output> <line> <2>",
        "<line> <0> <call> f <line> <1> <state> x : ' y \\ ' ' </state> <line> <2> <return> <reset>",
        "<line> <0> <call> < f > <reset> <state> <del> x <dictsep> y : <class> </state>",
        "<line> <0> <raise> Zero Division Error : x ' s <return>",
        "<line> <0> <raise> Error <state> x : 1 </state> <output> s",
        "<line> <0> <state> x : < line ▁ x = ' > ' ▁ y = [ < f > , < s ▁ . . . > ] > </state> <line> <1>",
        "<line> <0> <end> time out",
        "<end> step_limit",
    ];
    for text in whole {
        assert_eq!(verdict(Form::Delta, text), Ok(true), "{text}");
    }
    let unfinished = [
        "<line> <0> <raise> Error :",
        "<line> <0> <state> x : ' 1",
        "<line> <0> <output> \\",
        "<line> <0> <call>",
        "<end> time",
    ];
    for text in unfinished {
        assert_eq!(verdict(Form::Delta, text), Ok(false), "{text}");
    }
    let refused = [
        ("<line> <3>", "<3>"),
        ("<line> <0> <return> <raise>", "<raise>"),
        ("<line> <0> <state> </state>", "</state>"),
        ("<line> <0> <state> x : </state>", "</state>"),
        ("<line> <0> <state> x : ' 1 </state>", "</state>"),
        ("<line> <0> <state> x : \\ </state>", "</state>"),
        ("<line> <0> <state> <del> x : 1", ":"),
        ("<line> <0> <raise> Error <line>", "<line>"),
        ("<line> <0> <raise> Error <call>", "<call>"),
        ("<line> <0> <return> <line>", "<line>"),
        ("<line> <0> <call> f <line> <1> <return>", "<return>"),
        ("<end> time x", "x"),
        ("<end> killed <line>", "<line>"),
        ("<line> <0> <output> <function>", "<function>"),
        ("<line> <0> <output> < / state >", ">"),
        ("<unk>", "<unk>"),
    ];
    for (text, word) in refused {
        assert_eq!(verdict(Form::Delta, text), Err(word.to_owned()), "{text}");
    }
}

/// A random text that the grammar takes, ended where it first may after `length` tokens.
fn walk(grammar: &TraceGrammar, rng: &mut ChaCha8Rng, length: usize, end: u32) -> Vec<u32> {
    let (mut state, mut tokens) = (grammar.start(), Vec::new());
    loop {
        let mut choices = Vec::new();
        grammar
            .allowed(&state)
            .for_each(1 << 20, |t| choices.push(t as u32));
        assert!(!choices.is_empty(), "stuck after {tokens:?} in {state:?}");
        let over = tokens.len() >= length;
        if choices.contains(&end) && (over || rng.random_bool(0.02)) {
            return tokens;
        }
        choices.retain(|t| *t != end);
        let Some(token) = choices.choose(rng) else {
            return tokens;
        };
        tokens.push(*token);
        state = grammar.advance(&state, *token);
    }
}

#[test]
fn random_walks_never_get_stuck_and_stay_texts_of_the_grammar() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for form in [Form::Paper, Form::Delta] {
        let (grammar, tokenizer) = grammar(form);
        let end = tokenizer.token_to_id("</s>").unwrap();
        for _ in 0..300 {
            let tokens = walk(&grammar, &mut rng, 60, end);
            // Each prefix, cut at a complete step, is valid in the grammar.
            for cut in (0..tokens.len()).step_by(7) {
                let whole = grammar.complete_prefix(&tokens[..cut]);
                let mut state = grammar.start();
                for token in &tokens[..whole] {
                    state = grammar.advance(&state, *token);
                }
                assert!(
                    grammar.allowed(&state).contains(end),
                    "{tokens:?} at {whole}"
                );
            }
            // What reads the text sees the marks that were written and no others.
            let words: Vec<String> = tokens
                .iter()
                .map(|t| tokenizer.id_to_token(*t).unwrap())
                .collect();
            let marks = words
                .iter()
                .filter(|w| SPECIAL.split_whitespace().any(|s| s == *w))
                .count();
            if form == Form::Paper {
                let text = words.join(" ");
                let read: usize = SPECIAL
                    .split_whitespace()
                    .map(|s| text.matches(s).count())
                    .sum();
                assert_eq!(read, marks, "{text}");
            }
        }
    }
}

#[test]
fn a_cut_prediction_keeps_its_whole_steps() {
    let (grammar, tokenizer) = grammar(Form::Delta);
    let ids = |text: &str| -> Vec<u32> {
        text.split_whitespace()
            .map(|w| tokenizer.token_to_id(w).unwrap())
            .collect()
    };
    let text = ids("<line> <0> <state> x : 1 </state> <output> 2 <line> <1> <state> x : ' 1");
    assert_eq!(grammar.complete_prefix(&text), 9);
    assert_eq!(grammar.complete_prefix(&text[..9]), 0);
    assert_eq!(grammar.complete_prefix(&[]), 0);
}

#[test]
fn a_cut_prediction_keeps_steps_behind_which_the_program_cannot_end() {
    // The loop may run forever, so only the limit is an end.
    let (grammar, tokenizer) = grammar(Form::Delta);
    let source = "x = 1\nwhile x:\n    x += 1\n";
    let grammar = grammar.with_flow(LineFlow::of(source).unwrap());
    let ids = |text: &str| -> Vec<u32> {
        text.split_whitespace()
            .map(|w| tokenizer.token_to_id(w).unwrap())
            .collect()
    };
    let text = ids("<line> <0> <state> x : 1 </state> <line> <1> <line> <2> <state> x :");
    assert_eq!(grammar.complete_prefix(&text), 9);
    assert_eq!(grammar.complete_prefix(&text[..8]), 7);
}

#[test]
fn without_lines_there_are_no_steps() {
    let tokenizer = tokenizer();
    let vocabulary = Arc::new(TokenClasses::new(&tokenizer));
    let grammar = TraceGrammar::new(vocabulary, Form::Delta, 0);
    let line = tokenizer.token_to_id("<line>").unwrap();
    let allowed: Allowed = grammar.allowed(&grammar.start());
    assert!(!allowed.contains(line));
    assert!(allowed.contains(tokenizer.token_to_id("</s>").unwrap()));
}

#[test]
fn what_the_grammar_takes_the_readers_read() {
    use codexec_trace::*;
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for form in [Form::Paper, Form::Delta] {
        let (grammar, tokenizer) = grammar(form);
        let end = tokenizer.token_to_id("</s>").unwrap();
        for _ in 0..2000 {
            let tokens = walk(&grammar, &mut rng, 60, end);
            let words: Vec<String> = tokens
                .iter()
                .map(|t| tokenizer.id_to_token(*t).unwrap())
                .collect();
            let text = words.join(" ");
            match form {
                Form::Paper => {
                    let read = paper::parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
                    let lines = words.iter().filter(|w| *w == "<line>").count();
                    assert_eq!(read.steps.len(), lines, "{text}");
                }
                Form::Delta => {
                    let read = delta_text::parse(
                        &text,
                        Engine::Predict,
                        Program::default(),
                        Origin::Predicted,
                    )
                    .unwrap_or_else(|e| panic!("{text}: {e}"));
                    let lines = words.iter().filter(|w| *w == "<line>").count();
                    assert_eq!(read.steps.len(), lines, "{text}");
                    full(&read)
                        .check()
                        .unwrap_or_else(|e| panic!("{text}: {e}"));
                }
            }
        }
    }
}

#[test]
fn lines_follow_the_flow_of_the_program() {
    // <0> x = 1, <1> if x:, <2> the branch, and nothing else.
    let source = "x = 1\nif x:\n    x = 2\n";
    let (grammar, tokenizer) = grammar(Form::Delta);
    let grammar = grammar.with_flow(LineFlow::of(source).unwrap());
    let verdict = |text: &str| {
        let mut state = grammar.start();
        for word in text.split_whitespace() {
            let token = tokenizer.token_to_id(word).unwrap();
            if !grammar.allowed(&state).contains(token) {
                return Err(word.to_owned());
            }
            state = grammar.advance(&state, token);
        }
        let end = tokenizer.token_to_id("</s>").unwrap();
        Ok(grammar.allowed(&state).contains(end))
    };
    assert_eq!(verdict("<line> <0> <line> <1>"), Ok(true));
    assert_eq!(verdict("<line> <0> <line> <1> <line> <2>"), Ok(true));
    assert_eq!(verdict("<line> <0>"), Ok(false), "the program goes on");
    assert_eq!(verdict("<line> <0> <raise> Error"), Ok(true));
    assert_eq!(verdict("<line> <1>"), Err("<1>".into()));
    assert_eq!(verdict("<line> <0> <line> <2>"), Err("<2>".into()));
    let over = "<line> <0> <line> <1> <line> <2> <line>";
    assert_eq!(verdict(over), Err("<line>".into()));
    assert_eq!(
        verdict("<line> <0> <call>"),
        Err("<call>".into()),
        "it has no function"
    );
}
