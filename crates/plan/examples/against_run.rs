//! Plans programs with CPython as the oracle and compares with their runs:
//! `cargo run --release -p codexec-plan --example against_run -- FILE.jsonl.zst [LIMIT] [ID]`.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;

use codexec_data::sandbox::{Limits, Packages, Pool, PoolConfig, launcher_hook};
use codexec_plan::difference;
use codexec_plan::machine::{FoldLevel, Settings};
use codexec_plan::oracles::{Cpython, Oracle, OracleError, Spelled};
use codexec_plan::question::{Answer, AnswerError, Question};
use codexec_plan::scheduler::plan_each;
use codexec_plan::step_form::source;
use codexec_trace::{Origin, Program};

/// CPython, and each question on standard error.
struct Shown<'p>(Cpython<'p>);

impl Oracle for Shown<'_> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn origin(&self) -> Origin {
        self.0.origin()
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        for question in questions {
            eprintln!("asked: {}", source(question).unwrap_or_default());
        }
        self.0.answer(questions)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    launcher_hook();
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("a file of programs is needed")?;
    let limit: usize = arguments.next().map_or(Ok(usize::MAX), |n| n.parse())?;
    let only = arguments.next();
    let mut programs = Vec::new();
    if std::path::Path::new(&path).is_dir() {
        let files = std::fs::read_dir(&path)?
            .map(|e| e.map(|e| e.path()))
            .collect::<Result<Vec<_>, _>>()?;
        for file in files
            .into_iter()
            .filter(|f| f.extension().is_some_and(|e| e == "py"))
        {
            let source = Some(std::fs::read_to_string(&file)?);
            let stdin = std::fs::read_to_string(file.with_extension("in")).ok();
            programs.push(Program {
                id: file.display().to_string(),
                source,
                stdin,
                ..Program::default()
            });
        }
        programs.sort_by(|a, b| a.id.cmp(&b.id));
    } else if path.ends_with(".py") {
        let source = Some(std::fs::read_to_string(&path)?);
        let stdin = std::fs::read_to_string(path.replace(".py", ".in")).ok();
        programs.push(Program {
            id: path,
            source,
            stdin,
            ..Program::default()
        });
    } else {
        let reader = BufReader::new(zstd::Decoder::new(std::fs::File::open(&path)?)?);
        for line in reader.lines() {
            let record: serde_json::Value = serde_json::from_str(&line?)?;
            let id = record["id"].as_str().unwrap_or_default().to_string();
            let stdin = record["samples"][0]["in"].as_str().map(str::to_string);
            let source = record["code"].as_str().map(str::to_string);
            if only
                .as_ref()
                .is_none_or(|only| only.split(',').any(|only| only == id))
            {
                programs.push(Program {
                    id,
                    source,
                    stdin,
                    ..Program::default()
                });
            }
        }
    }
    programs.truncate(limit);
    let seconds = std::time::Duration::from_secs(20);
    // `MAX_STEPS=N` also compares longer programs.
    let max_steps =
        std::env::var("MAX_STEPS").map_or(Ok(Limits::default().max_steps), |n| n.parse())?;
    let run_limits = Limits {
        wall: seconds,
        cpu: seconds,
        max_steps,
        ..Limits::default()
    };
    // `PACKAGES=DIR` runs the programs with the packages of a directory, such as numpy.
    let packages = Packages {
        directories: std::env::var_os("PACKAGES")
            .map(Into::into)
            .into_iter()
            .collect(),
        ..Packages::default()
    };
    let pool = Pool::new(PoolConfig {
        workers: 2,
        limits: run_limits,
        packages,
        ..PoolConfig::default()
    })?;
    let limits = Limits {
        max_bytes: 16 << 20,
        wall: seconds,
        cpu: seconds,
        ..Limits::default()
    };
    let oracle_pool = Pool::new(PoolConfig {
        workers: 1,
        limits,
        ..PoolConfig::default()
    })?;
    // `DETAIL=1` shows the differences, and names more programs.
    let detail = std::env::var_os("DETAIL").is_some();
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    let mut examples: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut same, mut counted, mut folded, mut asked) = (0, 0, 0, 0);
    let mut cpython = Cpython::new(&oracle_pool);
    let mut spelled = Spelled(&mut cpython);
    let mut shown = Shown(Cpython::new(&oracle_pool));
    // Through the words of the step form, unchanged, or also written to standard error.
    let oracle: &mut dyn Oracle = if std::env::var_os("SPELLED").is_some() {
        &mut spelled
    } else if std::env::var_os("QUESTIONS").is_some() {
        &mut shown
    } else {
        &mut *spelled.0
    };
    let settings = Settings {
        fold: match std::env::var_os("NO_FOLD") {
            Some(_) => FoldLevel::Nothing,
            None => FoldLevel::default(),
        },
        max_steps: max_steps as usize,
        ..Settings::default()
    };
    plan_each(&programs, &settings, oracle, |number, planned| {
        let run = match pool.run(&programs[number]) {
            Ok(run) => run,
            Err(error) => {
                eprintln!("{error}");
                return ControlFlow::Continue(());
            }
        };
        if difference::is_over_a_limit(&run.outcome) {
            *tally
                .entry(format!("not counted: {:?}", run.outcome))
                .or_default() += 1;
            return ControlFlow::Continue(());
        }
        counted += 1;
        folded += planned.counts.folded;
        asked += planned.counts.asked;
        let why = match &planned.unsupported {
            Some(unsupported) => format!("unsupported: {}", unsupported.what),
            None => match difference::first(&planned.trace, &run) {
                None => {
                    same += 1;
                    return ControlFlow::Continue(());
                }
                Some(difference) if detail => format!("different: {difference}"),
                Some(difference) => format!("different: {}", difference.aspect.name()),
            },
        };
        *tally.entry(why.clone()).or_default() += 1;
        examples
            .entry(why)
            .or_default()
            .push(programs[number].id.clone());
        if programs.len() == 1 {
            println!(
                "planned: {:?} {:?}",
                planned.trace.outcome, planned.unsupported
            );
            println!("run:     {:?}", run.outcome);
            if let Some(difference) = difference::first(&planned.trace, &run) {
                println!("{difference}");
            }
        }
        ControlFlow::Continue(())
    })?;
    let mut rows: Vec<_> = tally.into_iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (why, count) in rows {
        let most = if detail { 100 } else { 3 };
        let shown = examples
            .get(&why)
            .map(|ids| ids[..ids.len().min(most)].join(","))
            .unwrap_or_default();
        println!("{count:6}  {why}  {shown}");
    }
    println!(
        "{same} of {counted} programs planned as they run; {folded} operations folded, {asked} asked"
    );
    Ok(())
}
