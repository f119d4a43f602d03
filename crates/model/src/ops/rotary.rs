//! Rotary positions (Su et al., "RoFormer", 2021, section 3.2): queries and keys are rotated by angles that grow with
//! their positions, so that a score depends on the distance of two tokens. Pairs are the two halves of a head.

use candle_core::{D, DType, Device, Result, Tensor};

/// Wavelengths reach from 2 pi to this times 2 pi.
const BASE: f64 = 10_000.0;

/// Cosines and sines for every position.
#[derive(Debug, Clone)]
pub struct RotaryTable {
    cos: Tensor,
    sin: Tensor,
}

/// Cosines and sines for the tokens of a batch.
#[derive(Debug, Clone)]
pub struct Rotation {
    /// (B,T,D/2) f32.
    pub cos: Tensor,
    /// (B,T,D/2) f32.
    pub sin: Tensor,
}

impl RotaryTable {
    /// For position ids below `positions` and heads of width `size`.
    ///
    /// # Errors
    /// Failures of the tensor library.
    pub fn new(positions: usize, size: usize, device: &Device) -> Result<Self> {
        let half = size / 2;
        let angle = |at: usize| {
            let (position, pair) = (at / half, at % half);
            position as f64 / BASE.powf(pair as f64 / half as f64)
        };
        let table = |f: fn(f64) -> f64| -> Result<Tensor> {
            let values: Vec<f32> = (0..positions * half)
                .map(|at| f(angle(at)) as f32)
                .collect();
            Tensor::from_vec(values, (positions, half), device)
        };
        Ok(Self {
            cos: table(f64::cos)?,
            sin: table(f64::sin)?,
        })
    }

    /// For tokens at `positions` (B,T) u32.
    ///
    /// # Errors
    /// If a position is beyond the table.
    pub fn at(&self, positions: &Tensor) -> Result<Rotation> {
        let (b, t) = positions.dims2()?;
        let ids = positions.flatten_all()?;
        let of = |table: &Tensor| table.index_select(&ids, 0)?.reshape((b, t, ()));
        Ok(Rotation {
            cos: of(&self.cos)?,
            sin: of(&self.sin)?,
        })
    }
}

/// Heads (B,heads,T,D) turned. D is even.
///
/// # Errors
/// If the shapes do not fit each other.
pub fn rotate(heads: &Tensor, rotation: &Rotation) -> Result<Tensor> {
    let half = heads.dim(D::Minus1)? / 2;
    let dtype = heads.dtype();
    let x = heads.to_dtype(DType::F32)?;
    let (a, b) = (x.narrow(3, 0, half)?, x.narrow(3, half, half)?);
    let (cos, sin) = (rotation.cos.unsqueeze(1)?, rotation.sin.unsqueeze(1)?); // (B,1,T,D/2)
    let first = (a.broadcast_mul(&cos)? - b.broadcast_mul(&sin)?)?;
    let second = (a.broadcast_mul(&sin)? + b.broadcast_mul(&cos)?)?;
    Tensor::cat(&[first, second], 3)?.to_dtype(dtype)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_depend_on_the_distance_alone() {
        let table = RotaryTable::new(64, 8, &Device::Cpu).unwrap();
        let head = |seed: f32| {
            let values: Vec<f32> = (0..8).map(|i| (seed * (i + 1) as f32).sin()).collect();
            Tensor::from_vec(values, (1, 1, 1, 8), &Device::Cpu).unwrap()
        };
        let turned = |x: &Tensor, at: u32| {
            let at = Tensor::new(&[[at]], &Device::Cpu).unwrap();
            rotate(x, &table.at(&at).unwrap()).unwrap()
        };
        let score = |q: u32, k: u32| {
            let (q, k) = (turned(&head(0.7), q), turned(&head(1.9), k));
            (q * k)
                .unwrap()
                .sum_all()
                .unwrap()
                .to_scalar::<f32>()
                .unwrap()
        };
        assert!((score(3, 10) - score(40, 47)).abs() < 1e-4);
        assert!((score(3, 10) - score(3, 11)).abs() > 1e-3);
        let same = turned(&head(0.7), 0);
        let same: Vec<f32> = same.flatten_all().unwrap().to_vec1().unwrap();
        let own: Vec<f32> = head(0.7).flatten_all().unwrap().to_vec1().unwrap();
        assert_eq!(same, own, "position 0 turns nothing");
    }
}
