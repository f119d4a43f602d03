//! Mutants generated and parsed again, per second on one core: `cargo bench -p codexec-mutate`.
//!
//! Programs: the `.py` files in `short/` and `long/` of the folder that `CODEXEC_BENCH_PROGRAMS`
//! names (`benches/peers.py` fills one and runs other tools on the same files); otherwise 50 functions
//! of 13 lines and 50 files of about 180 lines from Python's standard library. Two rows each: as the
//! paper mutates, every site with probability 0.5, and one or two edits per mutant, as other tools
//! do. Reading programs and finding their sites is within the time.

#![allow(clippy::unwrap_used)] // A bench that cannot read its programs may panic.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use codexec_mutate::{Config, Mutator};

/// Mutants asked for from each program in one pass.
const MUTANTS: usize = 200;

fn main() {
    let folder = std::env::var_os("CODEXEC_BENCH_PROGRAMS").map(PathBuf::from);
    let sets = match &folder {
        Some(folder) => ["short", "long"].map(|name| (name, read(&folder.join(name)))),
        None => match stdlib() {
            Some(stdlib) => [("short", functions(&stdlib)), ("long", files(&stdlib))],
            None => {
                println!("no programs: set CODEXEC_BENCH_PROGRAMS");
                return;
            }
        },
    };
    println!("programs lines bytes edits mutants/s");
    for (name, programs) in &sets {
        for few in [false, true] {
            measure(name, programs, few);
        }
    }
}

fn measure(name: &str, programs: &[String], few: bool) {
    let mutators: Vec<Mutator> = programs
        .iter()
        .map(|p| Mutator::new(config(p, few)))
        .collect();
    let (mut made, mut edits, mut spent) = (0, 0, Duration::ZERO);
    while spent < Duration::from_secs(3) {
        let start = clock();
        for (program, mutator) in programs.iter().zip(&mutators) {
            for mutant in mutator.mutants(program, made as u64).unwrap().take(MUTANTS) {
                edits += black_box(&mutant).edits.len();
                made += 1;
            }
        }
        spent += clock() - start;
    }
    let mean = |f: fn(&String) -> usize| programs.iter().map(f).sum::<usize>() / programs.len();
    println!(
        "{} {name}, {} lines, {} bytes, {:.1} edits: {:.0} mutants/s",
        programs.len(),
        mean(|p| p.lines().count()),
        mean(String::len),
        edits as f64 / made as f64,
        made as f64 / spent.as_secs_f64()
    );
}

/// Time that this thread has had on a core, so that a busy machine does not count; where the system
/// does not say (it is not Linux), time on the wall.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn config(program: &str, few: bool) -> Config {
    let all = Config::default();
    if !few {
        return all;
    }
    let sites = Mutator::default().candidates(program).unwrap().len();
    Config {
        probability: 1.0 / sites.max(1) as f64,
        ..all
    }
}

fn read(folder: &Path) -> Vec<String> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "py"));
    paths.sort();
    usable(paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()))
}

fn usable(programs: impl Iterator<Item = String>) -> Vec<String> {
    programs
        .filter(|p| Mutator::default().candidates(p).is_ok_and(|c| c.len() > 2))
        .take(50)
        .collect()
}

fn stdlib() -> Option<PathBuf> {
    let minor = (8..20).rev();
    let places =
        minor.flat_map(|v| ["/usr/lib", "/usr/local/lib"].map(|l| format!("{l}/python3.{v}")));
    std::env::var_os("PYTHON_STDLIB")
        .map(PathBuf::from)
        .into_iter()
        .chain(places.map(PathBuf::from))
        .find(|p| p.join("ast.py").exists())
}

fn sources(stdlib: &Path) -> impl Iterator<Item = String> {
    let mut folders = vec![stdlib.to_owned()];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("site-packages") && !path.ends_with("test") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "py") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
        .into_iter()
        .filter_map(|p| std::fs::read_to_string(p).ok())
}

fn files(stdlib: &Path) -> Vec<String> {
    usable(sources(stdlib).filter(|s| (150..=210).contains(&s.lines().count())))
}

/// Functions at the top level that are 13 lines long.
fn functions(stdlib: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for source in sources(stdlib) {
        let lines: Vec<&str> = source.lines().collect();
        for start in (0..lines.len()).filter(|n| lines[*n].starts_with("def ")) {
            let body = lines[start + 1..].iter();
            let size = 1 + body
                .take_while(|l| l.is_empty() || l.starts_with([' ', ')']))
                .count();
            let text = lines[start..start + size].join("\n").trim_end().to_owned() + "\n";
            if text.lines().count() == 13 {
                all.push(text);
            }
        }
    }
    usable(all.into_iter())
}
