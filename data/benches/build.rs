//! What a data set of mutants costs end to end, in CPU time of everything that takes part, beside the
//! cost of the sandbox alone on the same programs: mutants per second and core, and what mutating,
//! rendering, deduplicating and writing add.
//!
//! Over every 40th program of `../shared/corpora/train_programs.jsonl.zst` (or of `$CORPUS`); skipped
//! where that is absent. One worker, so that CPU time is wall time on an idle machine.

use std::path::{Path, PathBuf};

use codexec_data::mutants::{Begin, Build, Keep, Output, Settings, Shard};
use codexec_data::records::{Record, read_records};
use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::sources::{CorpusProgram, read_corpus};
use codexec_data::trace::Program;

fn main() {
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    let default = default.join("train_programs.jsonl.zst");
    let corpus = std::env::var_os("CORPUS").map_or(default, PathBuf::from);
    if !corpus.exists() {
        println!("skipped: {} is absent", corpus.display());
        return;
    }
    if let Err(error) = measure(&corpus) {
        println!("failed: {error}");
    }
}

fn measure(corpus: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let place = tempfile::tempdir()?;
    let sample = place.path().join("sample.jsonl");
    let programs: Vec<CorpusProgram> = read_corpus(corpus)?.into_iter().step_by(40).collect();
    let mut text = String::new();
    for program in &programs {
        text.push_str(&serde_json::to_string(program)?);
        text.push('\n');
    }
    std::fs::write(&sample, text)?;
    let timeout_ms = 250;
    let build = |name: &str, keep, run| -> Result<(u64, f64), Box<dyn std::error::Error>> {
        let settings = Settings {
            keep,
            run,
            timeout_ms,
            ..Settings::default()
        };
        let begun = cpu();
        let pool = if run { Some(pool(&settings)?) } else { None };
        let output = Some(Output::named(&place.path().join(name)));
        let build = Build::new(
            &sample,
            settings,
            Shard::default(),
            None,
            output,
            Begin::Anew,
        )?;
        let report = build.run(pool.as_ref(), 1, &|_| {})?;
        drop(pool);
        println!("{name:10} {:?}", report.counts.outcomes);
        Ok((
            report.counts.mutants - report.counts.duplicates,
            cpu() - begun,
        ))
    };
    let (mutants, whole) = build("ok", Keep::Ok, true)?;
    let (_, unrun) = build("unrun", Keep::Ok, false)?;
    build("all.jsonl", Keep::All, true)?;
    let records = read_records(&place.path().join("all.jsonl"))?;
    let settings = Settings {
        timeout_ms,
        ..Settings::default()
    };
    let begun = cpu();
    let pool = pool(&settings)?;
    for family in records.chunk_by(|a, b| a.parent == b.parent) {
        let programs: Vec<Program> = family.iter().map(program).collect();
        pool.run_finishing(&programs, true)?;
    }
    drop(pool);
    let sandbox = cpu() - begun;
    let rate = |seconds: f64| mutants as f64 / seconds;
    println!(
        "{} programs, {mutants} mutants, {} runs",
        programs.len(),
        records.len()
    );
    println!(
        "end to end        {whole:8.2} s {:8.0} mutants/s/core",
        rate(whole)
    );
    println!(
        "not run           {unrun:8.2} s {:8.0} mutants/s/core",
        rate(unrun)
    );
    println!(
        "sandbox alone     {sandbox:8.2} s {:8.0} mutants/s/core",
        rate(sandbox)
    );
    println!(
        "end to end costs {:.1} % more than the sandbox",
        (whole / sandbox - 1.0) * 100.0
    );
    Ok(())
}

fn pool(settings: &Settings) -> Result<Pool, codexec_data::sandbox::SandboxError> {
    Pool::new(PoolConfig {
        workers: 1,
        limits: settings.limits(),
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    })
}

fn program(record: &Record) -> Program {
    Program {
        id: String::new(),
        source: Some(record.code.clone()),
        stdin: record.stdin.clone(),
        ..Program::default()
    }
}

/// User and system time of this process and of all processes that were waited for, seconds.
#[cfg(target_os = "linux")]
fn cpu() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN]
        .into_iter()
        .filter_map(|who| getrusage(who).ok())
        .flat_map(|usage| [usage.user_time(), usage.system_time()])
        .map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 * 1e-6)
        .sum()
}

/// Wall-clock time, where processor time is not available.
#[cfg(not(target_os = "linux"))]
fn cpu() -> f64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0.0, |d| d.as_secs_f64())
}
