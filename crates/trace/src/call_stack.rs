//! The call stack implied by a trace, as used by the delta form: the last known state of every frame below a step's.
//! Here a resumed generator begins a new frame; [`super::Frames`] tells them apart. Independent of text forms.

use super::{Event, FormError, Outcome, State, Trace};

/// Name of the code object at the top.
pub(super) const MODULE: &str = "<module>";

/// The frames of the program, innermost last; never empty.
#[derive(Debug)]
pub(super) struct CallStack(Vec<(String, State)>);

impl CallStack {
    pub(super) fn new() -> Self {
        Self(vec![(MODULE.to_owned(), State::new())])
    }

    pub(super) fn enter(&mut self, function: &str) {
        self.0.push((function.to_owned(), State::new()));
    }

    /// Leaves the innermost frame. Leaving the module leaves a fresh module.
    pub(super) fn leave(&mut self) {
        self.0.pop();
        if self.0.is_empty() {
            *self = Self::new();
        }
    }

    pub(super) fn depth(&self) -> u32 {
        u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn function(&self) -> &str {
        self.0.last().map_or(MODULE, |(name, _)| name)
    }

    /// The last known state of the innermost frame.
    pub(super) fn state(&mut self) -> &mut State {
        if self.0.is_empty() {
            *self = Self::new();
        }
        let last = self.0.len() - 1;
        &mut self.0[last].1
    }
}

impl Trace {
    /// Whether events, functions and depths form one call stack that starts in the module, lines
    /// count from 1, and the outcome names an existing step.
    ///
    /// # Errors
    /// [`FormError::IllFormed`] with the first step that does not fit;
    /// [`FormError::StepOutOfRange`].
    pub fn check(&self) -> Result<(), FormError> {
        self.check_outcome()?;
        let mut frames = CallStack::new();
        for (k, step) in self.steps.iter().enumerate() {
            let ill = |why| Err(FormError::IllFormed { step: k, why });
            if step.line == 0 {
                return ill("lines count from 1");
            }
            if step.event == Event::Call {
                if k == 0 {
                    return ill("the first event is a call; the module's own call is no step");
                }
                frames.enter(&step.function);
            }
            if step.depth != frames.depth() {
                return ill("the depth does not follow from the calls and returns before it");
            }
            if step.function != frames.function() {
                return ill("the function is not the one at this depth");
            }
            if step.event == Event::Return {
                if step.depth == 0 && k + 1 < self.steps.len() {
                    return ill("steps follow after the module was left");
                }
                frames.leave();
            }
        }
        Ok(())
    }

    /// Whether every named file is listed; the entry need not be.
    pub(super) fn check_files(&self) -> Result<(), FormError> {
        let of_outcome = match self.outcome {
            Outcome::Raised { file, .. } => file,
            _ => 0,
        };
        let of_steps = self.steps.iter().map(|step| step.file);
        let of_causes = self.causes.iter().map(|cause| cause.file);
        match of_steps.chain([of_outcome]).chain(of_causes).max() {
            Some(file) if file > 0 && file as usize >= self.files.len() => {
                Err(FormError::FileOutOfRange {
                    file,
                    files: self.files.len(),
                })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_outcome(&self) -> Result<(), FormError> {
        let of_outcome = match self.outcome {
            Outcome::Raised { step, .. } => step,
            _ => None,
        };
        let of_causes = self.causes.iter().filter_map(|cause| cause.step);
        match of_causes.chain(of_outcome).max() {
            Some(step) if step as usize >= self.steps.len() => Err(FormError::StepOutOfRange {
                step,
                steps: self.steps.len(),
            }),
            _ => Ok(()),
        }
    }
}
