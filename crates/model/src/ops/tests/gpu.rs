//! The forms for GPUs, on the CPU.

use super::*;
use crate::ops::{gpu_layer, gpu_ops};

fn composed_rows(
    x: &Tensor,
    mask: &Tensor,
    layer: &EncoderLayer,
    rows: Option<&Tensor>,
) -> Result<Tensor> {
    let all = composed::encoder_layer(x, mask, layer)?;
    match rows {
        Some(rows) => all.flatten_to(1)?.index_select(rows, 0),
        None => Ok(all),
    }
}

#[test]
fn blocks_with_rows_and_rotation() {
    let m = mask(MASKED);
    let rotation = rotation();
    let rows = Tensor::new(&[8u32, 1, 4], &Device::Cpu).unwrap();
    for (turned, chosen) in [(false, false), (true, false), (false, true), (true, true)] {
        let rotation = turned.then_some(&rotation);
        type Layer = fn(&Tensor, &Tensor, &EncoderLayer, Option<&Tensor>) -> Result<Tensor>;
        let run = |t: &[Tensor], op: Layer, rows: Option<&Tensor>| {
            let layer = EncoderLayer {
                rotation,
                ..layer(t, Products::F32)
            };
            op(&t[0], &m, &layer, rows)
        };
        compare(
            &format!("rotation {turned}, rows {chosen}"),
            &block(),
            &|t| run(t, gpu_layer::encoder_layer, chosen.then_some(&rows)),
            &|t| run(t, composed_rows, chosen.then_some(&rows)),
        );
    }
    let beyond = Tensor::new(&[10u32], &Device::Cpu).unwrap();
    let t = block();
    let refused = gpu_layer::encoder_layer(&t[0], &m, &layer(&t, Products::F32), Some(&beyond));
    assert!(refused.is_err());
}

#[test]
fn blocks_one_after_the_other() {
    let m = mask(MASKED);
    let rows = Tensor::new(&[8u32, 1, 4], &Device::Cpu).unwrap();
    let mut inputs = block();
    inputs.extend(block().into_iter().skip(1).map(|t| (t * 0.7).unwrap()));
    let second = |t: &[Tensor]| [&t[..1], &t[block().len()..]].concat();
    compare(
        "two blocks",
        &inputs,
        &|t| {
            let second = second(t);
            let layers = [layer(t, Products::F32), layer(&second, Products::F32)];
            gpu_layer::encoder_layers(&t[0], &m, &layers, Some(&rows))
        },
        &|t| {
            let x = composed::encoder_layer(&t[0], &m, &layer(t, Products::F32))?;
            let second = second(t);
            composed_rows(&x, &m, &layer(&second, Products::F32), Some(&rows))
        },
    );
}

#[test]
fn embeddings_are_added_and_normalised() {
    let ids = Tensor::new(&[[3u32, 0, 3], [1, 3, 1]], &Device::Cpu).unwrap();
    let positions = Tensor::new(&[[0u32, 1, 2], [0, 1, 1]], &Device::Cpu).unwrap();
    let tables = |t: &[Tensor]| -> Result<Tensor> {
        let tables = EmbeddingTables {
            words: &t[0],
            places: &t[1],
            bias: &t[2],
            norm: Norm {
                weight: &t[3],
                bias: &t[4],
            },
            eps: 1e-5,
        };
        gpu_ops::embeddings([&ids, &positions], &tables, DType::F32)
    };
    compare(
        "embeddings",
        &[
            random(&[5, 8], 1.0, 1),
            random(&[3, 8], 1.0, 2),
            random(&[8], 1.0, 3),
            random(&[8], 1.0, 4),
            random(&[8], 1.0, 5),
        ],
        &tables,
        &|t| {
            let words = composed::embedding(&ids, &t[0])?;
            let sum = (words + composed::embedding(&positions, &t[1])?)?;
            composed::layer_norm(&sum.broadcast_add(&t[2])?, &t[3], &t[4], 1e-5)
        },
    );
}

#[test]
fn look_ups_and_the_loss() {
    let ids = Tensor::new(&[[3u32, 0, 3], [1, 3, 1]], &Device::Cpu).unwrap();
    compare(
        "embedding",
        &[random(&[5, 7], 1.0, 1)],
        &|t| gpu_ops::embedding(&ids, &t[0]),
        &|t| composed::embedding(&ids, &t[0]),
    );
    let targets = Tensor::new(&[0u32, 20, 3, 3, 7, 11], &Device::Cpu).unwrap();
    let weights = Tensor::new(&[1f32, 0.5, 0.0, 2.0, 1.0, 1.0], &Device::Cpu).unwrap();
    let loss =
        |t: &[Tensor]| gpu_ops::linear_cross_entropy_and_hits(&t[0], &t[1], &targets, &weights);
    let inputs = [random(&[6, 8], 2.0, 1), random(&[21, 8], 2.0, 2)];
    compare("cross entropy", &inputs, &|t| loss(t)?.0 * 0.25, &|t| {
        composed::cross_entropy(&composed::project(&t[0], &t[1])?, &targets, &weights)? * 0.25
    });
    let logits = composed::project(&inputs[0], &inputs[1]).unwrap();
    let expected = weighted_hits(&logits, &targets, &weights).unwrap();
    let hits = loss(&inputs).unwrap().1;
    assert_eq!(
        hits.to_scalar::<f32>().unwrap(),
        expected.to_scalar::<f32>().unwrap()
    );
}
