//! Prints the steps of a planned program beside those of its run:
//! `cargo run -p codexec-plan --example show_plan -- PROGRAM.py`.

use codexec_data::sandbox::{Pool, PoolConfig, launcher_hook};
use codexec_plan::machine::Settings;
use codexec_plan::oracles::Cpython;
use codexec_plan::scheduler::plan;
use codexec_trace::{Program, Trace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    launcher_hook();
    let path = std::env::args().nth(1).ok_or("a program is needed")?;
    let source = Some(std::fs::read_to_string(&path)?);
    let stdin = std::fs::read_to_string(path.replace(".py", ".in")).ok();
    let program = Program {
        id: path,
        source,
        stdin,
        ..Program::default()
    };
    let pool = Pool::new(PoolConfig {
        workers: 1,
        ..PoolConfig::default()
    })?;
    let mut oracle = Cpython::new(&pool);
    let planned =
        plan(&program, &Settings::default(), &mut oracle)?.ok_or("nothing was planned")?;
    show("planned", &planned.trace);
    show("run", &pool.run(&program)?);
    Ok(())
}

fn show(name: &str, trace: &Trace) {
    println!("{name}: {:?}", trace.outcome);
    for (k, step) in trace.steps.iter().enumerate() {
        let state: Vec<String> = step
            .state
            .iter()
            .map(|(n, v)| format!("{n}={}", v.text))
            .collect();
        println!(
            "{k:4} {:4} {:?} {} {} {:?}",
            step.line,
            step.event,
            step.function,
            state.join(" "),
            step.output
        );
    }
}
