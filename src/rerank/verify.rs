//! Which samples are right, by running them with the tests that judge them.

use codexec_data::trace::Program;

use super::layout::{Check, SampleSet};
use super::test::Test;
use crate::engine::outputs::Told;

/// Ends a script that judges: that it comes here is what counts.
const CAME_HERE: &str = "codexec: every check passed";

/// What has to be run to judge every sample, sample by sample.
pub fn judging(set: &SampleSet) -> Vec<Program> {
    let mut programs = Vec::new();
    for (at, sample) in set.samples.iter().enumerate() {
        match &set.problems[sample.problem].check {
            Check::None => {}
            Check::Script(script) => programs.push(Program {
                id: at.to_string(),
                source: Some(format!(
                    "{}\n\n{script}\nprint({CAME_HERE:?})\n",
                    sample.code
                )),
                stdin: None,
            }),
            Check::Tests(tests) => {
                let one = |test: &Test| test.program(&at.to_string(), &sample.code);
                programs.extend(tests.iter().map(one));
            }
        }
    }
    programs
}

/// Whether each sample is right, by what running [`judging`] told; nothing for samples that no test judges.
pub fn right(set: &SampleSet, told: &[Told]) -> Vec<Option<bool>> {
    let mut told = told.iter();
    let one = |sample: &super::Sample| match &set.problems[sample.problem].check {
        Check::None => None,
        Check::Script(_) => {
            let text = told.next().and_then(Told::text).unwrap_or_default();
            Some(text.trim_end().ends_with(CAME_HERE))
        }
        Check::Tests(tests) => {
            let mut passed = true;
            for test in tests {
                let text = told.next().and_then(Told::text);
                passed &= text.and_then(|text| test.passes(text)) == Some(true);
            }
            Some(passed)
        }
    };
    set.samples.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::read_samples;
    use super::*;

    #[test]
    fn every_test_has_to_pass_and_a_script_has_to_end() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("s.jsonl");
        let text = "{\"id\": \"a\", \"code\": \"f = abs\", \"test_list\": [\"assert f(-2) == 2\"]}\n\
                    {\"id\": \"b\", \"code\": \"x\", \"public_test_cases\": [{\"input\": \"\", \"output\": \"1\"}], \"private_test_cases\": [{\"input\": \"2\", \"output\": \"2\"}]}\n\
                    {\"id\": \"c\", \"code\": \"x\"}\n";
        fs::write(&path, text).unwrap();
        let set = read_samples(&path, None).unwrap();
        let programs = judging(&set);
        assert_eq!(programs.len(), 3);
        let script = programs[0].source.as_deref().unwrap();
        assert!(
            script.contains("f = abs\n\n\nassert f(-2) == 2\n"),
            "{script}"
        );
        let prints = |text: &str| Told::Printed {
            text: text.to_owned(),
            confidence: 1.0,
        };
        let came = format!("something\n{CAME_HERE}\n");
        let told = [prints(&came), prints("1\n"), prints("2\n")];
        assert_eq!(right(&set, &told), [Some(true), Some(true), None]);
        let raises = Told::Failed {
            why: "raises AssertionError".to_owned(),
            confidence: 1.0,
        };
        let told = [raises, prints("1\n"), prints("3\n")];
        assert_eq!(right(&set, &told), [Some(false), Some(false), None]);
    }
}
