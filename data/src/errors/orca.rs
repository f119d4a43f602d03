//! ORCA's set as records: programs that end without an error or with the one that its authors observed, on the last
//! executed line.

use super::kinds::kind_of;
use super::record::{ErrorOrigin, ErrorRecord};
use crate::records::Part;
use crate::sources::{OrcaProgram, ending_at_returns};

/// The programs of a set as records of the test part. They read nothing, and lack imports that their authors gave them.
pub fn orca_error_records(programs: Vec<OrcaProgram>) -> Vec<ErrorRecord> {
    let one = |program: OrcaProgram| {
        let problem = program.id.split('_').next().unwrap_or_default();
        let error = program.raised.as_deref();
        ErrorRecord {
            problem: Some(problem.to_owned()),
            stdin: None,
            description: None,
            input_summary: None,
            error: error.map(|kind| kind_of(kind, "").unwrap_or(kind).to_owned()),
            error_line: error.and(program.order.last().copied()),
            origin: match error {
                Some(_) => ErrorOrigin::Natural,
                None => ErrorOrigin::Clean,
            },
            operators: Vec::new(),
            source: "ORCA".to_owned(),
            licence: String::new(),
            split: Part::Test,
            id: program.id,
            code: ending_at_returns(&program.code),
        }
    };
    programs.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_ran_raised() {
        let program = |raised: Option<&str>| OrcaProgram {
            id: "p00002_s1".to_owned(),
            code: "a = 1\na + ''\n".to_owned(),
            order: vec![1, 2],
            raised: raised.map(str::to_owned),
            ..OrcaProgram::default()
        };
        let records = orca_error_records(vec![program(Some("JSONDecodeError")), program(None)]);
        assert_eq!(
            (records[0].error.as_deref(), records[0].error_line),
            (Some("ValueError"), Some(2))
        );
        assert_eq!(
            (records[1].error.as_deref(), records[1].error_line),
            (None, None)
        );
        assert_eq!(records[1].problem.as_deref(), Some("p00002"));
    }
}
