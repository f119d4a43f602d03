//! ORCA's plans against what its authors stored with their data: the graphs of its programs, the replies of GPT-3.5 with
//! what their parser read in them, and the scores of each.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::io::Read;
use std::path::{Path, PathBuf};

use codexec::engine::orca::blocks::{Blocks, Next};
use codexec::engine::orca::reply::Plan;
use codexec::eval::orca_blocks::{
    BlockGuess, BlockPair, BlockTruth, METRICS, blocks_of, compare_blocks,
};
use codexec::eval::total;
use codexec_data::sources::{
    BlockPrediction, OrcaPredictions, OrcaProgram, read_orca_predictions, read_orca_set,
};
use serde_json::{Map, Value};

/// ORCA's files, or nothing, said aloud, where they are not at hand.
fn shared() -> Option<PathBuf> {
    let shared = std::env::var_os("CODEXEC_SHARED").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = shared
        .unwrap_or_else(|| root.join("../shared"))
        .join("orca");
    if !path.join("incomplete-orca-gpt35.json.gz").exists() {
        eprintln!("skipped: {} is not here", path.display());
        return None;
    }
    Some(path)
}

fn document(path: &Path) -> Map<String, Value> {
    let mut text = String::new();
    let file = codexec_data::files::open_packed(path);
    file.unwrap().read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The programs with their replies: what was stored, and what we read of that.
fn replies(shared: &Path) -> Vec<(OrcaProgram, BlockPrediction, Value)> {
    let stored = shared.join("incomplete-orca-gpt35.json.gz");
    let OrcaPredictions::Blocks(mut predictions) = read_orca_predictions(&stored).unwrap() else {
        panic!("ORCA predicts blocks")
    };
    let mut raw = document(&stored);
    let programs = read_orca_set(&shared.join("incomplete.json.gz")).unwrap();
    let pair = |program: OrcaProgram| {
        let (problem, submission) = program.id.split_once('_').unwrap();
        let raw = raw[problem][submission].take();
        let prediction = predictions.remove(&program.id).unwrap();
        (program, prediction, raw)
    };
    programs.into_iter().map(pair).collect()
}

/// Of 748 programs, 4 are divided in another way: code behind a `return`, a `return` and the body of a loop that are
/// missing there, and a line that is no statement there (`coding: utf-8`). 2 more have other ways: theirs ends in a `try`.
#[test]
fn graphs_are_those_of_the_authors() {
    let Some(shared) = shared() else { return };
    let raw = document(&shared.join("incomplete.json.gz"));
    let programs = read_orca_set(&shared.join("incomplete.json.gz")).unwrap();
    let (mut divided, mut connected) = (0, 0);
    for program in &programs {
        let Some(blocks) = blocks_of(program) else {
            continue;
        };
        divided += 1;
        let stored = &raw[&program.id]["cfg_next_block"];
        let same = (1..=blocks.len() as u32).all(|number| {
            let next = &stored[number.to_string()];
            let to = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
            let way = |name: &str| to(&next["with_condition"][name]);
            match blocks.get(number).unwrap().next {
                Next::Always(next_block) => to(&next["no_condition"]) == next_block,
                Next::If { yes, no } => (way("true"), way("false")) == (yes, no),
            }
        });
        connected += usize::from(same);
    }
    println!(
        "{divided} of {} programs have the authors' blocks, {connected} their ways",
        programs.len()
    );
    assert!(divided >= 744 && connected >= 742, "{divided} {connected}");
}

/// In 743 replies we read what the authors did; 3 requests had failed. In the other 2 the authors have neither class nor block,
/// though the reply states both, as `<class 'NameError'>`, which they read in 52 other replies.
#[test]
fn replies_are_read_as_the_authors_read_them() {
    let Some(shared) = shared() else { return };
    let (mut blocks, mut all, mut failed) = (0, 0, 0);
    let replies = replies(&shared);
    for (_, stored, raw) in &replies {
        let plan = Plan::read(&stored.reply);
        let pred = &raw["pred"];
        if pred.as_object().unwrap().is_empty() {
            assert_eq!(plan, Plan::default());
            failed += 1;
            continue;
        }
        let same_blocks = plan.blocks() == stored.blocks;
        let crash = plan.error.clone().unwrap_or_default();
        let class = crash.kind.as_deref().unwrap_or_default();
        let same = same_blocks
            && crash.block == stored.error_block
            && class == pred["error_type"].as_str().unwrap_or_default()
            && plan.error.is_some() == raw["accuracy"]["is_error"].as_bool().unwrap();
        blocks += usize::from(same_blocks);
        all += usize::from(same);
    }
    println!(
        "{} replies, {failed} failed: {blocks} with the same blocks, {all} with the same error",
        replies.len()
    );
    assert_eq!((replies.len(), failed), (748, 3));
    assert!(blocks >= 745 && all >= 743, "{blocks} {all}");
    // Symbol tables are not stored as read: most visits have one.
    let plans = replies
        .iter()
        .map(|(_, stored, _)| Plan::read(&stored.reply));
    let tables = plans
        .flat_map(|plan| plan.visits)
        .map(|visit| visit.table.is_some());
    let (with, count) = tables.fold((0, 0), |(with, all), has| {
        (with + usize::from(has), all + 1)
    });
    println!("{with} of {count} visits have a symbol table");
    assert!(with * 100 >= count * 85, "{with} of {count}");
}

#[test]
fn scores_are_those_that_are_stored() {
    let Some(shared) = shared() else { return };
    let mut pairs: Vec<BlockPair> = Vec::new();
    let (mut tables, mut refused, mut count) = (0, 0, 0);
    for (program, stored, raw) in replies(&shared) {
        let scores = &raw["accuracy"];
        let pair = compare_blocks(&BlockGuess::from(&stored), &BlockTruth::from(&program));
        pairs.push(pair);
        if scores.as_object().unwrap().is_empty() {
            continue;
        }
        count += 1;
        let id = &program.id;
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let same = |ours: Option<(f64, f64)>, name: &str| {
            let theirs = &scores[name];
            match (ours, theirs[0].as_f64().zip(theirs[1].as_f64())) {
                (Some(ours), Some(theirs)) => near(ours.0, theirs.0) && near(ours.1, theirs.1),
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            }
        };
        assert_eq!(pair.exact, scores["EM"] == 1, "{id}");
        assert!(same(pair.prefix, "PF"), "{id}: {:?}", pair.prefix);
        assert!(same(pair.transitions, "CF"), "{id}: {:?}", pair.transitions);
        assert!(same(pair.blocks, "BM"), "{id}: {:?}", pair.blocks);
        let right = |name: &str| Some(scores[name].as_f64()? == 1.0);
        assert_eq!(pair.error_block, right("EB"), "{id}");
        assert_eq!(pair.error_type, right("ET"), "{id}");
        match (pair.table_accuracy(), scores["ST"].as_f64()) {
            (Some(ours), Some(theirs)) => tables += usize::from(near(ours, theirs)),
            (None, None) => tables += 1,
            // One value that `eval` refuses, such as an address, leaves a program without a score. In all but a few of
            // these a compared value is no literal.
            (Some(_), None) => refused += 1,
            (None, Some(_)) => {}
        }
    }
    println!(
        "of {count} programs {tables} have the same score of symbol tables, {refused} have none there"
    );
    assert!(
        count == 745 && tables >= 715 && tables + refused >= 743,
        "{tables} {refused}"
    );
    for metric in METRICS {
        let share = total(pairs.iter().map(|pair| (metric.share)(pair)));
        println!("{}: {:.2}", metric.name, 100.0 * share.value().unwrap());
    }
}

/// Whatever a reply says, the graph of its program has text and numbers for it.
#[test]
fn graphs_have_text() {
    let Some(shared) = shared() else { return };
    for program in read_orca_set(&shared.join("incomplete.json.gz")).unwrap() {
        let blocks = Blocks::of(&program.code).unwrap();
        let text = blocks.text();
        assert!(
            text.starts_with("Block: 1\nStatement:\n    "),
            "{}: {text}",
            program.id
        );
    }
}
