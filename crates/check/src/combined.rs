//! Combines planned execution and the network, weighted by [`calibration`](super::calibration).
//!
//! | of | who says it |
//! |---|---|
//! | whether the program raises | both; where planning could not finish, the network |
//! | kind, line, message, values | the planner where it has an error of the program, otherwise the network |
//! | functions that nothing calls, notes | the planner |
//!
//! A named checkpoint is the planner's; the network is the embedded one.

use std::ops::ControlFlow;

use super::calibration::{Calibration, Ends};
use super::explain::Section;
use super::{Checked, Checker, Done, End, Row, Settings, Source, network, plan};
use codexec_engine::{self as engine, EngineError};

/// Its row.
pub(super) const ROW: Row = Row {
    name: "combined",
    about: "Planned execution and the graph network, weighed by how often each is right; nothing is executed",
    open,
};

/// Programs that both check before results are handed on.
const TOGETHER: usize = 64;

struct Combined {
    plan: Box<dyn Checker>,
    ipa: Box<dyn Checker>,
    calibration: Calibration,
}

fn open(settings: &Settings) -> Result<Box<dyn Checker>, EngineError> {
    let calibration = match settings.calibrated {
        true => settings.at_base_rate(network::embedded_calibration()?),
        false => Calibration::NEUTRAL,
    };
    let of_network = Settings {
        calibrated: false,
        engine: engine::Settings {
            model: None,
            ..settings.engine.clone()
        },
        ..settings.clone()
    };
    Ok(Box::new(Combined {
        plan: (plan::ROW.open)(settings)?,
        ipa: (network::ROW.open)(&of_network)?,
        calibration,
    }))
}

impl Checker for Combined {
    fn heading(&self) -> String {
        format!("combined: {}; {}", self.plan.heading(), self.ipa.heading())
    }

    fn check(&self, sources: &[Source], done: &mut Done<'_>) -> Result<(), EngineError> {
        let mut number = 0;
        for together in sources.chunks(TOGETHER) {
            let mut of_network = Vec::with_capacity(together.len());
            self.ipa.check(together, &mut |_, checked| {
                of_network.push(checked);
                ControlFlow::Continue(())
            })?;
            let mut of_network = of_network.into_iter();
            let mut flow = ControlFlow::Continue(());
            self.plan.check(together, &mut |_, planned| {
                let read = of_network.next().unwrap_or_default();
                flow = done(number, both(planned, read, &self.calibration));
                number += 1;
                flow
            })?;
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn sections(&self, source: &Source) -> Result<Vec<Section>, EngineError> {
        self.ipa.sections(source)
    }
}

/// What both say together; `read` has the network's own probabilities.
fn both(mut planned: Checked, read: Checked, calibration: &Calibration) -> Checked {
    // A program that the network cannot read is the planner's alone.
    let Some(network) = &read.raised else {
        return planned;
    };
    // That it does not parse is known.
    if planned.error == 1.0 && planned.raised.as_ref().is_some_and(is_syntax) {
        return planned;
    }
    let finished = planned.end.is_some();
    let ends = finished.then_some(Ends {
        error: planned.error,
        clean: planned.clean,
    });
    let error = calibration.of_both(ends, read.error);
    let share = |own: f64| if own > 0.0 { error / own } else { 0.0 };
    match &planned.raised {
        Some(_) => {
            let factor = share(planned.error);
            for finding in &mut planned.findings {
                if !finding.of_call {
                    finding.probability = (finding.probability * factor).min(1.0);
                }
            }
        }
        None => {
            let found = read.findings.into_iter().map(|mut finding| {
                finding.probability = error;
                finding
            });
            planned.findings.extend(found);
            planned.findings.sort_by_key(|finding| finding.line);
            let factor = share(read.error);
            for (line, mass) in read.lines {
                let other = planned.lines.entry(line).or_default();
                *other = 1.0 - (1.0 - *other) * (1.0 - (mass * factor).min(1.0));
            }
        }
    }
    let raised = planned.raised.as_ref().unwrap_or(network);
    let raised = End {
        probability: error,
        ..raised.clone()
    };
    planned.end = Some(match error >= 0.5 {
        true => raised.clone(),
        false => End {
            kind: None,
            line: None,
            probability: 1.0 - error,
        },
    });
    planned.raised = Some(raised);
    planned.error = error;
    planned.clean = 1.0 - error;
    planned
}

fn is_syntax(end: &End) -> bool {
    let kind = end.kind.as_deref();
    kind.is_some_and(|kind| matches!(kind, "SyntaxError" | "IndentationError" | "TabError"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Finding;
    use crate::calibration::Both;

    fn said(kind: Option<&str>, line: u32, error: f64) -> Checked {
        let end = End {
            kind: kind.map(str::to_owned),
            line: kind.map(|_| line),
            probability: error,
        };
        let finding = kind.map(|kind| Finding {
            kind: kind.to_owned(),
            line,
            column: 1,
            end_line: line,
            end_column: 2,
            probability: error,
            message: String::new(),
            values: None,
            when: None,
            calls: Vec::new(),
            evidence: None,
            of_call: false,
        });
        Checked {
            findings: finding.into_iter().collect(),
            error: if kind.is_some() { error } else { 0.0 },
            clean: if kind.is_some() { 0.0 } else { error },
            lines: BTreeMap::from([(line, error)]),
            raised: kind.map(|_| end.clone()),
            end: Some(end),
            ..Checked::default()
        }
    }

    fn weights() -> Calibration {
        Calibration {
            both: Both {
                bias: -1.0,
                error: 2.0,
                sure_of_error: 0.5,
                sure_of_end: -0.5,
                ipa: 0.5,
                unfinished: 0.5,
                alone: 2.0,
            },
            ..Calibration::NEUTRAL
        }
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
    }

    #[test]
    fn the_planner_names_the_error_and_both_say_how_probable_it_is() {
        let plan = said(Some("KeyError"), 3, 0.8);
        let ipa = said(Some("TypeError"), 7, 0.5);
        let checked = both(plan, ipa, &weights());
        // Odds 4 of the planner and 1 of the network: -1 + 2 + ln(4) / 2 + 0.
        let wanted = 1.0 / (1.0 + (-1.0 - 0.5 * 4f64.ln()).exp());
        near(checked.error, wanted);
        assert_eq!(checked.findings.len(), 1);
        let finding = &checked.findings[0];
        assert_eq!((finding.kind.as_str(), finding.line), ("KeyError", 3));
        near(finding.probability, wanted);
        let end = checked.end.unwrap();
        assert_eq!((end.kind.as_deref(), end.line), (Some("KeyError"), Some(3)));
    }

    #[test]
    fn where_planning_does_not_finish_the_network_speaks() {
        let mut plan = Checked {
            is_open: true,
            ..Checked::default()
        };
        plan.notes.push(crate::Note {
            line: Some(1),
            text: "not checked further".to_owned(),
        });
        let checked = both(plan, said(Some("TypeError"), 7, 0.75), &weights());
        // -1 + 0.5 + 2 ln 3.
        let wanted = 1.0 / (1.0 + (0.5 - 2.0 * 3f64.ln()).exp());
        near(checked.error, wanted);
        assert_eq!(checked.findings[0].line, 7);
        near(checked.findings[0].probability, wanted);
        near(checked.lines[&7], wanted);
        assert_eq!(checked.end.unwrap().kind.as_deref(), Some("TypeError"));
        assert!(checked.is_open && checked.notes.len() == 1);
    }

    #[test]
    fn what_finishes_cleanly_and_what_does_not_parse_stay() {
        let clean = both(
            said(None, 0, 0.999),
            said(Some("TypeError"), 2, 0.9),
            &weights(),
        );
        // -1 - ln(999) / 2 + ln(9) / 2.
        assert!(clean.error < 0.05, "{}", clean.error);
        assert_eq!(clean.end.unwrap().kind, None);
        let syntax = said(Some("SyntaxError"), 1, 1.0);
        let checked = both(syntax.clone(), said(Some("TypeError"), 2, 0.1), &weights());
        assert_eq!(checked, syntax);
        let unread = both(
            said(Some("KeyError"), 3, 0.8),
            Checked::default(),
            &weights(),
        );
        near(unread.error, 0.8);
    }
}
