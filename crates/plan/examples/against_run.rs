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
use codexec_plan::scheduler::{Planned, plan_each};
use codexec_plan::step_form::source;
use codexec_trace::{Origin, Program, Trace};

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

/// Returns the programs of a directory, of one file, or of compressed JSON Lines; `only` selects ids of the last.
fn read_programs(
    path: &str,
    only: Option<&str>,
) -> Result<Vec<Program>, Box<dyn std::error::Error>> {
    let mut programs = Vec::new();
    if std::path::Path::new(path).is_dir() {
        let files = std::fs::read_dir(path)?
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
        let source = Some(std::fs::read_to_string(path)?);
        let stdin = std::fs::read_to_string(path.replace(".py", ".in")).ok();
        programs.push(Program {
            id: path.to_owned(),
            source,
            stdin,
            ..Program::default()
        });
    } else {
        let reader = BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?);
        for line in reader.lines() {
            let record: serde_json::Value = serde_json::from_str(&line?)?;
            let id = record["id"].as_str().unwrap_or_default().to_string();
            let stdin = record["samples"][0]["in"].as_str().map(str::to_string);
            let source = record["code"].as_str().map(str::to_string);
            if only.is_none_or(|only| only.split(',').any(|only| only == id)) {
                programs.push(Program {
                    id,
                    source,
                    stdin,
                    ..Program::default()
                });
            }
        }
    }
    Ok(programs)
}

/// The programs compared so far.
struct Comparison<'p> {
    programs: &'p [Program],
    /// Whether to show the differences, and name more programs.
    detail: bool,
    tally: BTreeMap<String, usize>,
    examples: BTreeMap<String, Vec<String>>,
    same: usize,
    counted: usize,
    folded: u64,
    asked: u64,
}

impl<'p> Comparison<'p> {
    fn of(programs: &'p [Program]) -> Self {
        Self {
            programs,
            // `DETAIL=1` shows the differences, and names more programs.
            detail: std::env::var_os("DETAIL").is_some(),
            tally: BTreeMap::new(),
            examples: BTreeMap::new(),
            same: 0,
            counted: 0,
            folded: 0,
            asked: 0,
        }
    }

    /// Compares a planned program with its run.
    fn add(&mut self, number: usize, planned: &Planned, run: &Trace) {
        if difference::is_over_a_limit(&run.outcome) {
            *self
                .tally
                .entry(format!("not counted: {:?}", run.outcome))
                .or_default() += 1;
            return;
        }
        self.counted += 1;
        self.folded += planned.counts.folded;
        self.asked += planned.counts.asked;
        let why = match &planned.unsupported {
            Some(unsupported) => format!("unsupported: {}", unsupported.what),
            None => match difference::first(&planned.trace, run) {
                None => {
                    self.same += 1;
                    return;
                }
                Some(difference) if self.detail => format!("different: {difference}"),
                Some(difference) => format!("different: {}", difference.aspect.name()),
            },
        };
        *self.tally.entry(why.clone()).or_default() += 1;
        self.examples
            .entry(why)
            .or_default()
            .push(self.programs[number].id.clone());
        if self.programs.len() == 1 {
            println!(
                "planned: {:?} {:?}",
                planned.trace.outcome, planned.unsupported
            );
            println!("run:     {:?}", run.outcome);
            if let Some(difference) = difference::first(&planned.trace, run) {
                println!("{difference}");
            }
        }
    }

    /// Prints the differences, the most frequent ones first, and the totals.
    fn print(self) {
        let mut rows: Vec<_> = self.tally.into_iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (why, count) in rows {
            let most = if self.detail { 100 } else { 3 };
            let shown = self
                .examples
                .get(&why)
                .map(|ids| ids[..ids.len().min(most)].join(","))
                .unwrap_or_default();
            println!("{count:6}  {why}  {shown}");
        }
        println!(
            "{} of {} programs planned as they run; {} operations folded, {} asked",
            self.same, self.counted, self.folded, self.asked
        );
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    launcher_hook();
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("a file of programs is needed")?;
    let limit: usize = arguments.next().map_or(Ok(usize::MAX), |n| n.parse())?;
    let only = arguments.next();
    let mut programs = read_programs(&path, only.as_deref())?;
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
    let mut comparison = Comparison::of(&programs);
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
        match pool.run(&programs[number]) {
            Ok(run) => comparison.add(number, &planned, &run),
            Err(error) => eprintln!("{error}"),
        }
        ControlFlow::Continue(())
    })?;
    comparison.print();
    Ok(())
}
