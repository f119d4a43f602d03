//! The network as a whole: decisions that are forced, gradients, batches, bad input.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use codexec_data::tokenizer::{Digits, Vocabulary};

use super::batch::Batch;
use super::config::{Architecture, Description, IpaConfig, IpaSettings, MilPooling, Scope};
use super::localise::{Range, contributions};
use super::program::Program;
use super::{IpaModel, NO_ERROR, Network, Query};
use codexec_model::ModelConfig;
use codexec_model::ops::{Execution, Flow, Modulation, Pooling};

const SOURCE: &str = "n = int(input())\ntotal = 0\nfor i in range(n):\n    total += i\ntry:\n    print(total / n)\nexcept ZeroDivisionError:\n    print(0)\n";

fn vocabulary() -> Vocabulary {
    Vocabulary::train([SOURCE, "x = 1 2 3"].into_iter(), 600, Digits::Apart).unwrap()
}

fn config(settings: IpaSettings, vocabulary: &Vocabulary) -> IpaConfig {
    let mut encoder = ModelConfig::new(vocabulary.size(), 16, 1, 2, 64);
    encoder.codexec.max_source = 40;
    encoder.codexec.max_target = 24;
    IpaConfig::new(encoder, settings)
}

fn weights(config: &IpaConfig) -> HashMap<String, Tensor> {
    config.random_weights(7, &Device::Cpu).unwrap()
}

fn model(settings: IpaSettings) -> IpaModel {
    let vocabulary = vocabulary();
    let config = config(settings, &vocabulary);
    let vb = VarBuilder::from_tensors(weights(&config), DType::F32, &Device::Cpu);
    IpaModel {
        network: Network::new(&config, vb).unwrap(),
        vocabulary,
    }
}

fn forms() -> Vec<IpaSettings> {
    let of = |architecture, encoder, pooling, description| IpaSettings {
        architecture,
        encoder,
        pooling,
        description,
        ..IpaSettings::default()
    };
    use Architecture::{ExceptionIpaGnn as Exception, IpaGnn, MilTransformer, Transformer};
    let statements = |encoder, mil_pooling| IpaSettings {
        mil_pooling,
        ..of(
            MilTransformer,
            encoder,
            Pooling::Mean,
            Description::Docstring,
        )
    };
    vec![
        statements(Scope::Local, MilPooling::Max),
        statements(Scope::Global, MilPooling::Mean),
        statements(Scope::Global, MilPooling::LogSumExp),
        of(
            Exception,
            Scope::Local,
            Pooling::Mean,
            Description::Docstring,
        ),
        of(Exception, Scope::Global, Pooling::First, Description::None),
        of(Exception, Scope::Local, Pooling::Max, Description::Film),
        of(
            Exception,
            Scope::Global,
            Pooling::Sum,
            Description::Attention,
        ),
        of(IpaGnn, Scope::Local, Pooling::Mean, Description::Docstring),
        of(
            Transformer,
            Scope::Global,
            Pooling::Mean,
            Description::Docstring,
        ),
    ]
}

#[test]
fn probabilities_sum_to_one_and_batches_change_nothing() {
    for settings in forms() {
        let model = model(settings);
        let short = Query {
            source: "x = 1\n",
            description: Some("one line: 3 int"),
        };
        let long = Query {
            source: SOURCE,
            description: None,
        };
        let both = model.predict(&[short, long, short], true, 2).unwrap();
        for (at, query) in [short, long, short].into_iter().enumerate() {
            let found = both[at].as_ref().unwrap();
            assert!(
                (found.kinds.iter().sum::<f32>() - 1.0).abs() < 1e-4,
                "{settings:?}"
            );
            assert!((found.error + found.kinds[NO_ERROR] - 1.0).abs() < 1e-4);
            let alone = model.predict(&[query], true, 1).unwrap();
            let alone = alone[0].as_ref().unwrap();
            assert!((alone.error - found.error).abs() < 1e-4, "{settings:?}");
            let names_lines = matches!(
                settings.architecture,
                Architecture::ExceptionIpaGnn | Architecture::MilTransformer
            );
            if names_lines {
                let sum: f32 = found.lines.iter().map(|(_, share)| share).sum();
                assert!((sum - found.error).abs() < 1e-3, "{sum} {}", found.error);
                let described = query.description.is_some();
                if !described || settings.description != Description::Docstring {
                    assert!(found.lines.iter().all(|(line, _)| *line > 0));
                }
            } else {
                assert!(found.lines.is_empty());
            }
            assert_eq!(found.pointer.is_some(), settings.architecture.walks());
            for step in found.pointer.iter().flat_map(|pointer| &pointer.steps) {
                assert!(
                    (step.iter().sum::<f32>() - 1.0).abs() < 1e-4,
                    "{settings:?}: {step:?}"
                );
            }
        }
    }
}

#[test]
fn the_description_counts_where_it_is_read() {
    for settings in forms() {
        let model = model(settings);
        let judged = |description| {
            let query = Query {
                source: SOURCE,
                description,
            };
            model
                .predict(&[query], false, 1)
                .unwrap()
                .remove(0)
                .unwrap()
                .kinds
        };
        let differs = judged(Some("two words")) != judged(Some("one int"));
        assert_eq!(
            differs,
            settings.description != Description::None,
            "{settings:?}"
        );
    }
}

#[test]
fn an_example_is_the_program_it_was_made_of() {
    let vocabulary = vocabulary();
    for settings in forms() {
        let config = config(settings, &vocabulary);
        let program = Program::read(SOURCE, Some("3 int"), &config, &vocabulary).unwrap();
        let example = program.example(9, 6, 1);
        assert_eq!(Program::of_example(&example), Some((program, 9, 6)));
        let mut cut = example.clone();
        cut.target.truncate(20);
        assert_eq!(Program::of_example(&cut), None);
    }
}

#[test]
fn bad_programs_have_errors_and_the_others_their_predictions() {
    let model = model(IpaSettings::default());
    let many = "x\n".repeat(5000);
    let sources = [
        "x = (",
        "",
        "x = 1\n",
        many.as_str(),
        "\u{0}",
        "def f():\n\treturn 1\n        x\n",
    ];
    let queries = sources.map(|source| Query {
        source,
        description: None,
    });
    let found = model.predict(&queries, true, 1).unwrap();
    let fine: Vec<bool> = found.iter().map(Result::is_ok).collect();
    assert_eq!(fine, [false, false, true, false, false, false]);
    assert!(
        found[0]
            .as_ref()
            .unwrap_err()
            .to_string()
            .starts_with("line 1")
    );
}

#[test]
fn configurations_that_cannot_be_are_refused() {
    let vocabulary = vocabulary();
    let good = config(IpaSettings::default(), &vocabulary);
    assert_eq!(IpaConfig::of(good.encoder.clone(), "c").unwrap(), good);
    let other = ModelConfig::new(40, 16, 1, 2, 64);
    assert!(
        IpaConfig::of(other, "c")
            .unwrap_err()
            .to_string()
            .contains("errors")
    );
    let bad = IpaSettings {
        rnn_layers: 0,
        ..IpaSettings::default()
    };
    assert!(IpaConfig::of(config(bad, &vocabulary).encoder, "c").is_err());
    let bad = IpaSettings {
        architecture: Architecture::Transformer,
        description: Description::Film,
        ..IpaSettings::default()
    };
    assert!(bad.complaint(16, 2).is_some());
}

/// Nodes with constant decisions: of width 2, the first output decides to raise, the second to go on
/// by `yes`; gates are fully open or closed.
fn forced(raise: bool, yes: bool) -> [f32; 8] {
    let cell = |on: bool| if on { 50.0 } else { -50.0 };
    // input 1, forget 0, cell +-1, output 1.
    [50.0, 50.0, -50.0, -50.0, cell(raise), cell(yes), 50.0, 50.0]
}

fn execution(flow: Flow) -> Execution {
    let plan = flow.plan(true).unwrap().into();
    Execution {
        flow: flow.into(),
        plan,
        hidden: 2,
        layers: 1,
        raises: true,
        modulation: Modulation::None,
        least: 0.0,
    }
}

/// Recurrent matrix zero; decisions by the outputs, times 500.
fn parameters() -> Tensor {
    let mut values = vec![0f32; 16];
    values.extend([500.0, 0.0, 0.0, 0.0, 0.0]);
    values.extend([0.0, 500.0, 0.0, 0.0, 0.0]);
    Tensor::new(values, &Device::Cpu).unwrap()
}

fn nodes(of: &[[f32; 8]]) -> Tensor {
    Tensor::new(of.concat(), &Device::Cpu)
        .unwrap()
        .reshape((of.len(), 8))
        .unwrap()
}

fn none() -> Tensor {
    Tensor::zeros(1, DType::F32, &Device::Cpu).unwrap()
}

/// The same by an interpreter that is at one node at a time.
fn interpreted(flow: &Flow, decisions: &[(bool, bool)]) -> Vec<u32> {
    let mut at = flow.starts[0];
    let mut walked = vec![at];
    for _ in 0..flow.steps[0] {
        if at != flow.exits[0] && at != flow.errors[0] {
            let node = at as usize;
            at = match decisions[node] {
                (true, _) => flow.raise[node],
                (false, true) => flow.yes[node],
                (false, false) => flow.no[node],
            };
        }
        walked.push(at);
    }
    walked
}

#[test]
fn forced_decisions_walk_as_an_interpreter_does() {
    let vocabulary = vocabulary();
    let config = config(IpaSettings::default(), &vocabulary);
    let sources = [
        SOURCE,
        "try:\n    try:\n        a\n    finally:\n        b\nexcept E:\n    c\nwhile d:\n    e\n    if f:\n        break\n",
        "def f(x):\n    if x:\n        return 1\n    raise ValueError\ntry:\n    f(1)\nexcept KeyError:\n    pass\nfor a in b:\n    continue\n",
    ];
    for source in sources {
        let program = Program::read(source, None, &config, &vocabulary).unwrap();
        let batch = Batch::new(&[&program], &config, &Device::Cpu).unwrap();
        let count = batch.flow.yes.len();
        let mut ends = [0, 0];
        for seed in 0u32..200 {
            let bit = |k: usize, salt: u32| {
                let hash = (seed * 7919 + k as u32 * 104_729 + salt).wrapping_mul(2_654_435_761);
                (hash >> 16) % 8
            };
            let decisions: Vec<(bool, bool)> = (0..count)
                .map(|k| (bit(k, 1) == 0, bit(k, 2) < 4))
                .collect();
            let execution = execution(batch.flow.clone());
            let table: Vec<[f32; 8]> = decisions
                .iter()
                .map(|(raise, yes)| forced(*raise, *yes))
                .collect();
            let (outcome, recorded) = execution
                .record(&nodes(&table), &parameters(), &none())
                .unwrap();
            let walked = interpreted(&batch.flow, &decisions);
            for ((moment, recorded), at) in
                execution.plan.moments.iter().zip(&recorded).zip(&walked)
            {
                for (node, mass) in moment.nodes.iter().zip(&recorded.mass) {
                    let wanted = f32::from(u8::from(node == at));
                    assert!(
                        (mass - wanted).abs() < 1e-6,
                        "{source} {seed}: {node} has {mass}"
                    );
                }
            }
            let last = walked[walked.len() - 1];
            let outcome: Vec<f32> = outcome.flatten_all().unwrap().to_vec1().unwrap();
            for (k, end) in [batch.flow.exits[0], batch.flow.errors[0]]
                .into_iter()
                .enumerate()
            {
                assert!((outcome[k] - f32::from(u8::from(last == end))).abs() < 1e-6);
                ends[k] += usize::from(last == end);
            }
        }
        assert!(ends.iter().all(|n| *n > 5), "{source}: {ends:?}");
    }
}

/// Two statements: 0, then 1, then the exit 2; the error node is 3.
fn two() -> Flow {
    Flow {
        yes: vec![1, 2, 2, 3],
        no: vec![1, 2, 2, 3],
        raise: vec![3, 3, 2, 3],
        program: vec![0; 4],
        starts: vec![0],
        exits: vec![2],
        errors: vec![3],
        steps: vec![3],
        described: vec![0],
    }
}

#[test]
fn two_statements_by_hand() {
    // All gates are 0 but the cell's, which is ln 2 / 2: tanh of it is 1/3. Input and output gates are 1/2.
    let half = std::f32::consts::LN_2 / 2.0;
    let node = [0.0, 0.0, 0.0, 0.0, half, half, 0.0, 0.0];
    let mut values = vec![0f32; 16];
    // The bias of raising alone: probability 1/4 at every node.
    values.extend([0.0, 0.0, 0.0, 0.0, -(3f32.ln())]);
    values.extend([0.0; 5]);
    let parameters = Tensor::new(values, &Device::Cpu).unwrap();
    let execution = execution(two());
    let (outcome, recorded) = execution
        .record(&nodes(&[node; 4]), &parameters, &none())
        .unwrap();
    let outcome: Vec<f32> = outcome.flatten_all().unwrap().to_vec1().unwrap();
    // p(exit) = 3/4 * 3/4; p(error) = 1/4 + 3/4 * 1/4.
    assert!((outcome[0] - 9.0 / 16.0).abs() < 1e-6, "{outcome:?}");
    assert!((outcome[1] - 7.0 / 16.0).abs() < 1e-6, "{outcome:?}");
    // Cells: after one statement 1/2 * 1/3; after two, 1/2 of it and 1/6 again.
    let (one, both) = (1.0 / 6.0, 1.0 / 4.0);
    assert!((outcome[2 + 2] - both).abs() < 1e-5, "{outcome:?}");
    // At the error node, the mean by mass: 4/7 of the first, 3/7 of the second.
    let mean = (4.0 * one + 3.0 * both) / 7.0;
    assert!((outcome[2 + 4 + 2] - mean).abs() < 1e-5, "{outcome:?}");
    let range = Range { first: 0, error: 3 };
    for handlers in [false, true] {
        let shares = contributions(&execution.plan, &recorded, range, handlers);
        let wanted = [0.25, 0.1875, 0.0, 0.0];
        for (found, wanted) in shares.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{shares:?}");
        }
    }
}

#[test]
fn an_error_that_no_handler_takes_comes_from_the_statement() {
    // 0 raises to the handler 1, which leads to the error node by `no`, and by `yes` to the exit.
    let flow = Flow {
        yes: vec![2, 2, 2, 3],
        no: vec![2, 3, 2, 3],
        raise: vec![1, 3, 2, 3],
        ..two()
    };
    let execution = execution(flow);
    let table = [
        forced(true, true),
        forced(false, false),
        forced(false, true),
        forced(false, true),
    ];
    let (_, recorded) = execution
        .record(&nodes(&table), &parameters(), &none())
        .unwrap();
    let range = Range { first: 0, error: 3 };
    let shares = contributions(&execution.plan, &recorded, range, true);
    assert!(
        (shares[0] - 1.0).abs() < 1e-5 && shares[1].abs() < 1e-5,
        "{shares:?}"
    );
}
