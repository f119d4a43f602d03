//! The learning rate of a step: linear warm-up by steps, then a decay that follows the fraction of
//! the budget spent, whatever the budget is counted in. It looks at no clock itself.

use serde::{Deserialize, Serialize};

use crate::config::StageConfig;

/// Shape of the decay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// A straight line down to the floor.
    Linear,
    /// Half a cosine down to the floor.
    #[default]
    Cosine,
    /// No decay.
    Constant,
}

/// Position of a step in its stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// Steps of the stage completed before this one.
    pub step: u64,
    /// Fraction of the stage's budget spent before this step, 0 to 1.
    pub spent: f64,
    /// That fraction when the warm-up ended; 0 before.
    pub spent_at_warm_end: f64,
}

/// The learning rate at `position`.
#[must_use]
pub fn learning_rate(stage: &StageConfig, position: Position) -> f64 {
    if position.step < stage.warmup_steps {
        return stage.peak_lr * (position.step + 1) as f64 / stage.warmup_steps as f64;
    }
    let whole = 1.0 - position.spent_at_warm_end;
    let done = if whole > 0.0 {
        (position.spent - position.spent_at_warm_end) / whole
    } else {
        1.0
    };
    let done = done.clamp(0.0, 1.0);
    let height = match stage.schedule {
        Schedule::Linear => 1.0 - done,
        Schedule::Cosine => 0.5 * (1.0 + (std::f64::consts::PI * done).cos()),
        Schedule::Constant => 1.0,
    };
    stage.peak_lr * (stage.floor + (1.0 - stage.floor) * height)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(schedule: Schedule) -> StageConfig {
        StageConfig {
            name: "s".to_owned(),
            steps: Some(100),
            tokens: None,
            minutes: None,
            epochs: None,
            mix: [("x".to_owned(), 1.0)].into(),
            hardest: [].into(),
            batch_tokens: 64,
            micro_tokens: None,
            peak_lr: 1.0,
            warmup_steps: 20,
            schedule,
            floor: 0.1,
        }
    }

    fn rate(schedule: Schedule, step: u64) -> f64 {
        let spent_at_warm_end = if step < 20 { 0.0 } else { 0.2 };
        let spent = step as f64 / 100.0;
        learning_rate(
            &stage(schedule),
            Position {
                step,
                spent,
                spent_at_warm_end,
            },
        )
    }

    #[test]
    fn warm_up_is_a_line_that_ends_at_the_peak() {
        for schedule in [Schedule::Linear, Schedule::Cosine, Schedule::Constant] {
            assert!((rate(schedule, 0) - 0.05).abs() < 1e-12);
            assert!((rate(schedule, 9) - 0.5).abs() < 1e-12);
            assert!((rate(schedule, 19) - 1.0).abs() < 1e-12);
            assert!((rate(schedule, 20) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn decay_has_its_shape_and_ends_at_the_floor() {
        // Half of the decay: the line and the half cosine meet in the middle.
        assert!((rate(Schedule::Linear, 60) - 0.55).abs() < 1e-12);
        assert!((rate(Schedule::Cosine, 60) - 0.55).abs() < 1e-12);
        // A quarter: cos(π/4) = 0.70711.
        assert!((rate(Schedule::Linear, 40) - 0.775).abs() < 1e-12);
        assert!((rate(Schedule::Cosine, 40) - (0.1 + 0.9 * 0.853_553_390_593)).abs() < 1e-9);
        for schedule in [Schedule::Linear, Schedule::Cosine] {
            assert!((rate(schedule, 100) - 0.1).abs() < 1e-12);
            assert!((rate(schedule, 130) - 0.1).abs() < 1e-12, "past the end");
        }
        assert!((rate(Schedule::Constant, 100) - 1.0).abs() < 1e-12);
    }
}
