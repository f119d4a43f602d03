//! Calibrated probabilities: weights on the log-odds of checkers, fitted on programs that none of their networks was
//! trained on (Platt 1999; for two predictors, logistic regression on the log-odds of both).
//!
//! A network trained on equal numbers of programs that raise and programs that do not predicts errors too often.
//! `codexec eval errors --fit FILE` fits the weights and writes them; those of the embedded network are
//! `ipa/default/calibration.json`. A checkpoint directory may have its own `calibration.json`.

use serde::{Deserialize, Serialize};

/// Log-odds beyond this say no more: of a probability of 0.001.
const MOST_ODDS: f64 = 6.906_754_778_648_554;
/// Newton steps of a fit; a few suffice.
const MOST_STEPS: usize = 100;
/// Weight of the penalty on the weights, as `C = 1` of scikit-learn.
const PENALTY: f64 = 1.0;

/// How the probability of the network alone is corrected: `sigmoid(bias + weight · log-odds)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Single {
    /// Added.
    pub bias: f64,
    /// Of the network's log-odds.
    pub weight: f64,
}

/// How the planner and the network are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both {
    /// Added.
    pub bias: f64,
    /// Added where planning ended with an error.
    pub error: f64,
    /// Of the log-odds of the planned trace, where planning ended with an error.
    pub sure_of_error: f64,
    /// Of the log-odds of the planned trace, where planning ended without an error.
    pub sure_of_end: f64,
    /// Of the network's log-odds, where planning reached an end.
    pub ipa: f64,
    /// Added where planning could not finish.
    pub unfinished: f64,
    /// Of the network's log-odds where planning could not finish.
    pub alone: f64,
}

/// The data of the fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedOn {
    /// Programs.
    pub programs: usize,
    /// Number that raise.
    pub raise: usize,
    /// Programs whose planning could not finish.
    pub unfinished: usize,
}

/// The weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// For the network alone.
    pub ipa: Single,
    /// For both.
    pub both: Both,
    /// The data of the fit.
    pub fitted_on: FittedOn,
}

/// The planner's evidence about a program's end: the probabilities of its planned traces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends {
    /// Of traces that raise.
    pub error: f64,
    /// Of traces that do not.
    pub clean: f64,
}

/// One program of a fit, with the checkers' own probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known {
    /// The planner's. `None` if planning could not finish.
    pub plan: Option<Ends>,
    /// The network's.
    pub ipa: f64,
    /// Whether the program raises.
    pub raises: bool,
}

impl Calibration {
    /// Weights that keep the network's probability, and trust the planner if it finished.
    pub const NEUTRAL: Self = Self {
        ipa: Single {
            bias: 0.0,
            weight: 1.0,
        },
        both: Both {
            bias: -MOST_ODDS,
            error: MOST_ODDS,
            sure_of_error: 1.0,
            sure_of_end: 0.0,
            ipa: 0.0,
            unfinished: MOST_ODDS,
            alone: 1.0,
        },
        fitted_on: FittedOn {
            programs: 0,
            raise: 0,
            unfinished: 0,
        },
    };

    /// Weights out of the file that [`Self::fit`] was written to.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_json(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The weights if `rate` of the programs raise instead of the share in the fit: odds change by the ratio of both
    /// odds (Saerens, Latinne and Decaestecker 2002, for a known rate). Unfitted weights are unchanged.
    ///
    /// ```
    /// use codexec_check::calibration::{Calibration, FittedOn};
    /// let fitted_on = FittedOn { programs: 100, raise: 10, unfinished: 0 };
    /// let fitted = Calibration { fitted_on, ..Calibration::NEUTRAL };
    /// assert!((fitted.of_network(0.1) - 0.1).abs() < 1e-9);
    /// assert!((fitted.at_base_rate(0.5).of_network(0.1) - 0.5).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn at_base_rate(mut self, rate: f64) -> Self {
        let FittedOn {
            programs, raise, ..
        } = self.fitted_on;
        if raise > 0 && raise < programs {
            let fitted = raise as f64 / programs as f64;
            let shift = log_odds(rate) - log_odds(fitted);
            self.ipa.bias += shift;
            self.both.bias += shift;
        }
        self
    }

    /// The probability of an error, of the network's own.
    pub fn of_network(&self, ipa: f64) -> f64 {
        sigmoid(self.ipa.bias + self.ipa.weight * log_odds(ipa))
    }

    /// The probability of an error, from the planner's (`None` if it could not finish) and the network's
    /// own.
    ///
    /// ```
    /// use codexec_check::calibration::{Calibration, Ends};
    /// let calibration = Calibration::NEUTRAL;
    /// let raises = Ends { error: 0.9, clean: 0.0 };
    /// assert!((calibration.of_both(Some(raises), 0.2) - 0.9).abs() < 1e-9);
    /// assert!((calibration.of_both(None, 0.2) - 0.2).abs() < 1e-9);
    /// ```
    pub fn of_both(&self, plan: Option<Ends>, ipa: f64) -> f64 {
        let weights = self.both.weights();
        let terms = features(plan, ipa).into_iter().zip(weights);
        sigmoid(terms.map(|(feature, weight)| feature * weight).sum())
    }

    /// Fits weights by maximum likelihood, with a penalty on all but the bias. Needs programs that raise and
    /// programs that do not.
    pub fn fit(known: &[Known]) -> Option<Self> {
        let raise = known.iter().filter(|one| one.raises).count();
        if raise == 0 || raise == known.len() {
            return None;
        }
        let rows = |of: fn(&Known) -> Vec<f64>| -> Vec<(Vec<f64>, bool)> {
            known.iter().map(|one| (of(one), one.raises)).collect()
        };
        let single = logistic(&rows(|one| vec![1.0, log_odds(one.ipa)]))?;
        let both = logistic(&rows(|one| features(one.plan, one.ipa).to_vec()))?;
        Some(Self {
            ipa: Single {
                bias: single[0],
                weight: single[1],
            },
            both: Both::of(&both)?,
            fitted_on: FittedOn {
                programs: known.len(),
                raise,
                unfinished: known.iter().filter(|one| one.plan.is_none()).count(),
            },
        })
    }
}

impl Both {
    /// In the order of [`features`].
    fn weights(&self) -> [f64; 7] {
        [
            self.bias,
            self.error,
            self.sure_of_error,
            self.sure_of_end,
            self.ipa,
            self.unfinished,
            self.alone,
        ]
    }

    fn of(weights: &[f64]) -> Option<Self> {
        let [
            bias,
            error,
            sure_of_error,
            sure_of_end,
            ipa,
            unfinished,
            alone,
        ] = *weights
        else {
            return None;
        };
        Some(Self {
            bias,
            error,
            sure_of_error,
            sure_of_end,
            ipa,
            unfinished,
            alone,
        })
    }
}

fn features(plan: Option<Ends>, ipa: f64) -> [f64; 7] {
    let ipa = log_odds(ipa);
    match plan {
        Some(Ends { error, clean }) => {
            let all = error + clean;
            let share = if all > 0.0 { error / all } else { 0.5 };
            let sure = log_odds(all);
            [
                1.0,
                share,
                share * sure,
                (1.0 - share) * sure,
                ipa,
                0.0,
                0.0,
            ]
        }
        None => [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, ipa],
    }
}

fn log_odds(probability: f64) -> f64 {
    if probability.is_nan() {
        return 0.0;
    }
    let p = probability.clamp(0.0, 1.0);
    (p / (1.0 - p)).ln().clamp(-MOST_ODDS, MOST_ODDS)
}

fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Logistic regression by Newton's method. The first feature is the constant, whose weight is not penalised.
fn logistic(rows: &[(Vec<f64>, bool)]) -> Option<Vec<f64>> {
    let size = rows.first()?.0.len();
    let mut weights = vec![0.0; size];
    for _ in 0..MOST_STEPS {
        // Gradient and Hessian of the penalised log-likelihood's negative.
        let mut system = vec![vec![0.0; size + 1]; size];
        for (k, row) in system.iter_mut().enumerate().skip(1) {
            row[k] = PENALTY;
            row[size] = PENALTY * weights[k];
        }
        for (features, raises) in rows {
            let odds: f64 = features.iter().zip(&weights).map(|(x, w)| x * w).sum();
            let p = sigmoid(odds);
            let error = p - f64::from(u8::from(*raises));
            for (i, row) in system.iter_mut().enumerate() {
                for (j, other) in features.iter().enumerate() {
                    row[j] += p * (1.0 - p) * features[i] * other;
                }
                row[size] += error * features[i];
            }
        }
        let step = solve(system)?;
        let mut largest = 0.0f64;
        for (weight, change) in weights.iter_mut().zip(step) {
            *weight -= change;
            largest = largest.max(change.abs());
        }
        if largest < 1e-10 {
            break;
        }
    }
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}

/// Gaussian elimination with pivoting, on rows whose last entry is the right-hand side.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = rows.len();
    for k in 0..size {
        let pivot = (k..size).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, pivot);
        let first = rows[k].clone();
        if first[k].abs() < 1e-12 {
            return None;
        }
        for (at, row) in rows.iter_mut().enumerate() {
            if at == k {
                continue;
            }
            let factor = row[k] / first[k];
            for (entry, above) in row.iter_mut().zip(&first) {
                *entry -= factor * above;
            }
        }
    }
    Some((0..size).map(|k| rows[k][size] / rows[k][k]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The planner's answer: the probability of its trace, negative if that does not raise.
    fn known(plan: Option<f64>, ipa: f64, raises: bool) -> Known {
        Known {
            plan: plan.map(ends),
            ipa,
            raises,
        }
    }

    fn ends(plan: f64) -> Ends {
        Ends {
            error: plan.max(0.0),
            clean: (-plan).max(0.0),
        }
    }

    fn some() -> Vec<Known> {
        let mut all = Vec::new();
        for k in 0..40 {
            let x = f64::from(k) / 40.0;
            let plan = (k % 5 != 0).then_some(if k % 3 == 0 { 0.5 + 0.4 * x } else { x - 0.99 });
            all.push(known(
                plan,
                0.2 + 0.7 * x,
                k % 3 == 0 || k % 7 == 0 && k > 20,
            ));
        }
        all
    }

    /// Weights of scikit-learn's `LogisticRegression(C=1)` on the same features.
    #[test]
    fn weights_are_those_of_scikit_learn() {
        let fitted = Calibration::fit(&some()).unwrap();
        let near = |found: f64, wanted: f64| {
            assert!((found - wanted).abs() < 1e-4, "{found} {wanted}");
        };
        near(fitted.ipa.bias, SINGLE[0]);
        near(fitted.ipa.weight, SINGLE[1]);
        for (found, wanted) in fitted.both.weights().into_iter().zip(BOTH) {
            near(found, wanted);
        }
        let on = fitted.fitted_on;
        assert_eq!((on.programs, on.raise, on.unfinished), (40, 16, 8));
    }

    const SINGLE: [f64; 2] = [-0.452_651_89, 0.211_127_04];
    const BOTH: [f64; 7] = [
        -1.425_647_77,
        1.875_679_07,
        1.383_651_29,
        -0.299_499_84,
        -0.397_415_95,
        0.931_660_10,
        0.320_553_26,
    ];

    #[test]
    fn what_says_too_much_is_corrected_and_the_planner_weighs_more() {
        let mut all = Vec::new();
        for k in 0..200 {
            // The network predicts 0.8 where one in five raises; the planner is nearly always
            // right.
            let raises = k % 5 == 0;
            all.push(known(Some(if raises { 0.99 } else { -0.99 }), 0.8, raises));
            all.push(known(Some(-0.99), 0.3, false));
        }
        let fitted = Calibration::fit(&all).unwrap();
        let alone = fitted.of_network(0.8);
        assert!((alone - 0.2).abs() < 0.02, "{alone}");
        assert!(fitted.of_both(Some(ends(0.99)), 0.3) > 0.5);
        assert!(fitted.of_both(Some(ends(-0.99)), 0.8) < 0.1);
    }

    #[test]
    fn the_file_comes_back_and_extremes_are_no_panic() {
        let fitted = Calibration::fit(&some()).unwrap();
        let json = serde_json::to_vec(&fitted).unwrap();
        let again = Calibration::from_json(&json).unwrap();
        // The last digit of a number may change.
        for (one, other) in fitted.both.weights().into_iter().zip(again.both.weights()) {
            assert!((one - other).abs() < 1e-12);
        }
        assert_eq!(again.fitted_on, fitted.fitted_on);
        assert!(Calibration::from_json(b"{}").is_err());
        for p in [0.0, 1.0, f64::NAN] {
            let both = fitted.of_both(Some(Ends { error: p, clean: p }), p);
            assert!((0.0..=1.0).contains(&both), "{both}");
        }
        assert_eq!(Calibration::fit(&[]), None);
        assert_eq!(Calibration::fit(&[known(None, 0.5, true)]), None);
    }
}
