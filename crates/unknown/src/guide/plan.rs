//! The plan of a guided run: a prediction for every place, and what the syntax shows of values that
//! no predictor is asked about. It is sent with the program.

use codexec_data::sandbox::{GuideClass, GuidePlace, GuidePlan, GuideValue, GuideWish};
use codexec_trace::Program;

use super::{Abstraction, GuideOptions, Prepared};
use crate::analysis::hints::hint;
use crate::values::predictors::of_derived;
use crate::values::{Predictor, Query};

/// Parts of a line that is split.
const PARTS: usize = 2;

impl Prepared {
    /// Returns lines of a missing file that fit the program's uses: with the unpacked number of
    /// parts, and with numbers if it reads some. `None` if it does not use any.
    fn file(&self, source: &str) -> Option<String> {
        if !source.contains("open(") {
            return None;
        }
        let hints = || self.evidence.iter().map(|(path, uses)| (path, hint(uses)));
        let is_split = |path: &str| path.contains(".split(") && path.ends_with(')');
        let letter = match hints().any(|(_, hint)| hint.digits) {
            true => "1",
            false => "a",
        };
        let parts = hints().filter(|(path, _)| is_split(path));
        let count = parts.filter_map(|(_, hint)| hint.count).max();
        let separator = hints().find_map(|(_, hint)| hint.separator);
        match (count, separator) {
            (None, None) => (letter == "1").then(|| "1\n".to_owned()),
            (count, separator) => {
                let parts = vec![letter; count.unwrap_or(PARTS)];
                let line = parts.join(separator.as_deref().unwrap_or(" "));
                Some(format!("{line}\n{line}\n"))
            }
        }
    }

    /// Returns the wishes for identity comparisons, by line: of two values, or with `None`.
    pub fn same_wishes(&self) -> impl Iterator<Item = GuideWish> {
        let lines = self.instrumented.same_lines.iter();
        lines.map(|(line, wanted)| wanted.wish(*line))
    }

    /// Returns what the runtime is told before the program runs.
    pub fn plan(
        &self,
        source: &str,
        program: &Program,
        predictor: &dyn Predictor,
        options: &GuideOptions,
    ) -> GuidePlan {
        let locations = &self.instrumented.locations;
        let queries: Vec<Query<'_>> = locations.iter().map(|p| self.query(source, p)).collect();
        let predicted = predictor.predict_all(&queries);
        let places = locations.iter().zip(predicted).map(|(place, predicted)| {
            let likely = predicted.first().map(|p| GuideClass {
                name: p.class.as_str(),
                sure: p.probability,
            });
            GuidePlace {
                kind: place.kind.as_str(),
                name: place.name.clone(),
                line: place.line,
                path: place.path.clone(),
                likely,
                wanted: place.wanted.map(|wanted| wanted.wish(place.line)),
            }
        });
        let adaptive = options.abstraction == Abstraction::Adaptive;
        let values = self
            .evidence
            .iter()
            .filter(|_| adaptive)
            .map(|(path, uses)| {
                let (class, sure) = of_derived(uses);
                let hint = serde_json::to_value(hint(uses)).unwrap_or_default();
                let name = class.as_str();
                let likely = GuideClass { name, sure };
                (path.to_owned(), GuideValue { likely, hint })
            });
        let attributes = self
            .evidence
            .iter()
            .filter(|(_, u)| !u.attributes.is_empty());
        let attributes = attributes.filter(|(path, _)| !path.contains(['.', '(', '[']));
        let called = self.evidence.iter().filter(|(_, u)| u.called || u.base);
        let called = called.filter(|(path, _)| !path.contains(['.', '(', '[']));
        let lines = self.instrumented.wanted_lines.iter();
        let wanted = lines.map(|(line, wanted)| wanted.wish(*line));
        GuidePlan {
            places: places.collect(),
            values: values.collect(),
            attributes: attributes
                .map(|(path, u)| (path.to_owned(), u.attributes.iter().cloned().collect()))
                .collect(),
            called: called.map(|(path, _)| path.to_owned()).collect(),
            wanted: wanted.collect(),
            caught: self.caught.clone(),
            statements: self.statements.spans.clone(),
            abstraction: options.abstraction.as_str(),
            inject: predictor.name() != "as-is",
            resolve: options.resolve && predictor.name() != "as-is",
            has_input: program.stdin.is_some(),
            deleted: self.instrumented.deleted.clone(),
            file: self.file(source),
            strict: options.strict,
            seed: options.seed,
            seconds: options.time.as_secs_f64() * 0.9,
            world: None,
        }
    }
}
