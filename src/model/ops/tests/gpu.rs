//! The forms for GPUs, on the CPU.

use super::*;
use crate::model::ops::{gpu_layer, gpu_ops};

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
