//! A moving average of the weights, so that any point of a run with a constant learning rate can be released (Izmailov
//! et al. 2018; as an exponential average in Polyak and Juditsky 1992). Training continues with the weights
//! themselves; the average is validated and exported.

use crate::error::Result;
use crate::parameters::Parameters;

/// Updates between two looks at the weights: they move little in these.
const EVERY: u64 = 8;

/// The average, and, while the model has it, the weights themselves.
#[derive(Debug)]
pub(crate) struct Average {
    decay: f64,
    values: Vec<Vec<f32>>,
    /// The weights for training, while the model has the average.
    set_aside: Option<Vec<Vec<f32>>>,
}

impl Average {
    /// Begins with the model's weights, or with those of a checkpoint.
    pub(crate) fn new(
        decay: f64,
        parameters: &Parameters,
        kept: Option<Vec<Vec<f32>>>,
    ) -> Result<Self> {
        let values = match kept {
            Some(values) => values,
            None => parameters.values()?,
        };
        Ok(Self {
            decay,
            values,
            set_aside: None,
        })
    }

    /// Takes the weights in after the update `applied`, counted from 1.
    pub(crate) fn update(&mut self, parameters: &Parameters, applied: u64) -> Result<()> {
        if !applied.is_multiple_of(EVERY) {
            return Ok(());
        }
        let decay = decay_at(self.decay, applied) as f32;
        for (mean, values) in self.values.iter_mut().zip(parameters.values()?) {
            for (mean, value) in mean.iter_mut().zip(values) {
                *mean = decay * *mean + (1.0 - decay) * value;
            }
        }
        Ok(())
    }

    /// Values in the model's order.
    pub(crate) fn values(&self) -> &[Vec<f32>] {
        &self.values
    }

    /// Switches the model to the average.
    pub(crate) fn put_in(&mut self, parameters: &Parameters) -> Result<()> {
        if self.set_aside.is_none() {
            self.set_aside = Some(parameters.values()?);
            parameters.set(&self.values)?;
        }
        Ok(())
    }

    /// Switches the model back to its weights.
    pub(crate) fn take_out(&mut self, parameters: &Parameters) -> Result<()> {
        match self.set_aside.take() {
            Some(weights) => parameters.set(&weights),
            None => Ok(()),
        }
    }
}

/// Decay of the average at an update: early ones count less, because the weights still move far.
fn decay_at(decay: f64, applied: u64) -> f64 {
    let updates = applied as f64;
    decay
        .min((1.0 + updates) / (10.0 + updates))
        .powi(EVERY as i32)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test that cannot make a tensor may panic.

    use candle_core::{Device, Var};

    use super::*;

    fn parameters(value: f32) -> (Parameters, Var) {
        let var = Var::from_slice(&[value, -value], 2, &Device::Cpu).unwrap();
        let parameters = Parameters::new(vec![("w".to_owned(), var.clone())]).unwrap();
        (parameters, var)
    }

    #[test]
    fn the_average_follows_the_weights() {
        let (parameters, _) = parameters(1.0);
        let mut average = Average::new(0.5, &parameters, None).unwrap();
        parameters.set(&[vec![3.0, 5.0]]).unwrap();
        average.update(&parameters, 7).unwrap();
        assert_eq!(average.values(), [vec![1.0, -1.0]], "not yet");
        average.update(&parameters, 8).unwrap();
        // Eight updates of 0.5 keep 1/256.
        let expected = [
            1.0 / 256.0 + 3.0 * 255.0 / 256.0,
            -1.0 / 256.0 + 5.0 * 255.0 / 256.0,
        ];
        for (mean, expected) in average.values()[0].iter().zip(expected) {
            assert!((mean - expected).abs() < 1e-6, "{mean} {expected}");
        }
    }

    #[test]
    fn the_model_gets_its_weights_back() {
        let (parameters, var) = parameters(1.0);
        let mut average = Average::new(0.9, &parameters, Some(vec![vec![7.0, 8.0]])).unwrap();
        average.put_in(&parameters).unwrap();
        average.put_in(&parameters).unwrap();
        assert_eq!(var.to_vec1::<f32>().unwrap(), [7.0, 8.0]);
        average.take_out(&parameters).unwrap();
        assert_eq!(var.to_vec1::<f32>().unwrap(), [1.0, -1.0]);
    }

    #[test]
    fn early_looks_keep_less() {
        assert!(decay_at(0.999, 8) < decay_at(0.999, 800));
        assert!((decay_at(0.999, 1_000_000) - 0.999_f64.powi(8)).abs() < 1e-12);
    }
}
