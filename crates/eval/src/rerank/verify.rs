//! Which samples are right, by running them with the tests that judge them.

use codexec_data::trace::Program;

use super::layout::{Check, SampleSet, asked};
use super::test::Test;
use codexec_engine::outputs::Told;
use codexec_unknown::llm::digest;

/// Runs a sample and the script that judges it.
const JUDGE: &str = include_str!("judge.py");

/// Printed at the end of a script. A sample does not know it: it depends on its own text.
fn mark(code: &str, script: &str) -> String {
    let both = [code.as_bytes(), script.as_bytes()].join(&0);
    let of = digest("rerank", &both, code.len());
    format!("codexec: every check passed: {of}")
}

/// A program that writes the mark if the sample passes.
fn judged(code: &str, script: &str, asked: &[String]) -> String {
    // What JSON writes in a string, Python reads as the same text.
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let asked: Vec<String> = asked.iter().map(|name| text(name)).collect();
    format!(
        "{JUDGE}\n\njudge({}, {}, {}, [{}])\n",
        text(code),
        text(script),
        text(&mark(code, script)),
        asked.join(", ")
    )
}

/// The programs to run to judge every sample, sample by sample.
pub fn judging(set: &SampleSet) -> Vec<Program> {
    let mut programs = Vec::new();
    for (at, sample) in set.samples.iter().enumerate() {
        match &set.problems[sample.problem].check {
            Check::None => {}
            Check::Script(script) => programs.push(Program {
                id: at.to_string(),
                source: Some(judged(
                    &sample.code,
                    script,
                    &asked(&set.problems[sample.problem]),
                )),
                stdin: None,
                ..Program::default()
            }),
            Check::Tests(tests) => {
                let one = |test: &Test| test.program(&at.to_string(), &sample.code);
                programs.extend(tests.iter().map(one));
            }
        }
    }
    programs
}

/// Whether each sample is right, from the results of [`judging`]. `None` for samples without a judging
/// test.
pub fn right(set: &SampleSet, told: &[Told]) -> Vec<Option<bool>> {
    let mut told = told.iter();
    let one = |sample: &super::Sample| match &set.problems[sample.problem].check {
        Check::None => None,
        Check::Script(script) => {
            let text = told.next().and_then(Told::text).unwrap_or_default();
            let last = text.trim_end().lines().last().unwrap_or_default();
            Some(last == mark(&sample.code, script))
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
            script.contains(
                "judge(\"f = abs\", \"\\nassert f(-2) == 2\\n\", \"codexec: every check passed: "
            ),
            "{script}"
        );
        let prints = |text: &str| Told::Printed {
            text: text.to_owned(),
            confidence: 1.0,
        };
        let came = format!("something\n{}\n", mark("f = abs", "\nassert f(-2) == 2\n"));
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
