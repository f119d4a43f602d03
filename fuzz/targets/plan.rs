//! Planning ends on any program, within its budgets, with a trace that can be written and read again.

#![no_main]

use std::time::Duration;

use codexec_plan::machine::Settings;
use codexec_plan::oracles::Nobody;
use codexec_plan::scheduler;
use codexec_trace::{Program, States, Trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    let program = Program { source: Some(source.to_owned()), ..Program::default() };
    let settings = Settings {
        max_steps: 300,
        max_instructions: 200_000,
        max_cpu: Duration::from_secs(2),
        max_memory: 64 << 20,
        max_text: 1 << 20,
        ..Settings::default()
    };
    let planned = scheduler::plan(&program, &settings, &mut Nobody).expect("nobody is asked");
    let Some(planned) = planned else { return };
    assert!(planned.trace.steps.len() <= 300);
    for states in [States::Full, States::Changes] {
        let text = serde_json::to_string(&planned.trace.form(states)).expect("a trace is written");
        let read: Trace = serde_json::from_str(&text).expect("what is written is read");
        assert!(read == planned.trace, "another trace is read");
    }
});
