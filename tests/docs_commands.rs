//! Every command that README.md and docs/*.md show in a block of shell: its arguments are those of a
//! command, and it does its work, with tiny files in place of those it names. What a test cannot run is
//! only parsed; [`only_parsed`] says what and why.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

/// A command with the place where it is shown.
struct Shown {
    place: String,
    /// The line of shell, whole.
    line: String,
    /// The words of its `codexec` command.
    words: Vec<String>,
}

/// Why a command is only parsed, if it is.
fn only_parsed(words: &[&str]) -> Option<&'static str> {
    let has = |word: &str| words.contains(&word);
    let ends = |end: &str| words.iter().any(|word| word.ends_with(end));
    Some(match words {
        _ if has("view") => "opens a browser, or serves; tests/cli/page.rs has both without one",
        _ if has("--watch") => "goes on until Ctrl-C; tests/cli/pages.rs has one that is ended",
        _ if has("--install") => "needs a package index",
        _ if has("llm") || has("--endpoint") => "needs a language model",
        _ if has("--piece") || has("--pack") || has("--unpack") => {
            "takes minutes, and a run before it"
        }
        _ if has("--benchmark") => "takes minutes",
        _ if has("--report") => "needs a finished run; tests/cli/pretrain.rs has one",
        _ if ends("venv/bin/python") => "needs an environment of the reader's own",
        _ if has("--other-inputs") => {
            "needs samples of several problems; tests/cli/data/errors.rs has some"
        }
        _ if has("--against") => "needs two trained checkpoints; tests/cli/ipa.rs has one",
        _ if has("--predictor-model") => "needs a trained checkpoint; tests/cli/values.rs has one",
        _ if ends("incomplete.json.gz") => "needs the data set of others",
        _ if ends("events.jsonl.zst") || has("--events") => {
            "needs recorded events; tests/cli/values.rs has some"
        }
        ["guide", "record", ..] => "needs a project with tests; tests/cli/record.rs has one",
        ["eval", "rerank" | "search", ..] | ["data", "candidates", ..] => {
            "needs a corpus of problems; tests/cli/rerank.rs and search.rs have small ones"
        }
        ["diff", range] if range.contains("..") => "needs a repository; tests/cli/diff.rs has one",
        ["search", "query", ..] => "needs an index; tests/cli/search.rs has one",
        ["search", ..] if has("run/checkpoint") => {
            "needs a trained checkpoint; tests/cli/search_training.rs has one"
        }
        ["search", "index", ..] if has("--add") => "needs an index; tests/cli/search.rs has one",
        ["eval", "compare", ..] => "needs two results; tests/cli/eval.rs has some",
        ["data", "merge", ..] => "needs finished builds; tests/cli/mutate has some",
        ["data", "tutorial", ..] => "needs the documentation of Python; tests/cli/sets.rs has some",
        ["data", "singleline", ..] if !has("--traces") => "reads the whole standard library",
        ["eval", "--data", ..] => "takes minutes; tests/cli/eval.rs has small ones",
        ["pretrain", ..] if !has("curriculum/stages/tiny.toml") => "takes hours",
        ["mutate", ..] if has("corpus/") && has("--resume") && has("--shard") => {
            "needs the other shards"
        }
        _ => return None,
    })
}

/// Words that stand for the rest of a command, and what they stand for.
const STAND_INS: [(&str, &str); 1] = [(
    "--data ...",
    "--data singleline=lines.jsonl.zst --data programs=traces.jsonl.zst",
)];

/// Options with numbers that are made small.
const SMALL: [(&str, &str); 6] = [
    ("--count", "30"),
    ("--mutants", "1"),
    ("--per-program", "1"),
    ("--limit", "1"),
    ("--bootstrap", "0"),
    ("--shard", "1/1"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// The `codexec` commands of a page's blocks of shell.
fn commands(page: &Path) -> Vec<Shown> {
    let text = fs::read_to_string(page).unwrap();
    let name = page.strip_prefix(root()).unwrap().display().to_string();
    let (mut found, mut block, mut whole, mut begun) = (Vec::new(), None, String::new(), 0);
    for (number, line) in text.lines().enumerate() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            block = match block {
                None => Some(kind.trim().to_owned()),
                Some(_) => None,
            };
            continue;
        }
        let prompted = match block.as_deref() {
            Some("sh" | "bash") => false,
            Some("console") => true,
            _ => continue,
        };
        if whole.is_empty() {
            begun = number + 1;
        }
        whole.push_str(line.trim_start());
        if let Some(start) = whole.strip_suffix('\\') {
            whole = format!("{} ", start.trim_end());
            continue;
        }
        let line = std::mem::take(&mut whole);
        let line = match prompted {
            true => line.strip_prefix("$ ").unwrap_or("").to_owned(),
            false => line,
        };
        let line = without_comment(&line);
        for (short, long) in STAND_INS {
            let line = line.replace(short, long);
            if let Some(words) = codexec_words(&line) {
                let place = format!("{name}:{begun}");
                found.push(Shown { place, line, words });
            }
        }
    }
    found
}

/// The line without what follows a `#` that begins a word outside of quotes.
fn without_comment(line: &str) -> String {
    let (mut quote, mut blank) = (None, true);
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if blank => return line[..at].trim_end().to_owned(),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        blank = c.is_whitespace();
    }
    line.trim_end().to_owned()
}

/// The words of the `codexec` command in a line of shell, as the shell divides them.
fn codexec_words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    let mut commands: Vec<Vec<String>> = Vec::new();
    for c in line.chars().chain([' ']) {
        match (quote, c) {
            (None, '\'' | '"') => (quote, open) = (Some(c), true),
            (Some(end), c) if end == c => quote = None,
            (None, '|' | '>' | '<' | ';' | '&') => {
                commands.push(std::mem::take(&mut words));
                word.clear();
                open = false;
            }
            (None, c) if c.is_whitespace() => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (_, c) => word.push(c),
        }
    }
    commands.push(words);
    let is_ours = |words: &Vec<String>| {
        let program = words.first().map(|w| w.rsplit('/').next().unwrap_or(w));
        program == Some("codexec")
    };
    commands.into_iter().find(is_ours)
}

/// Tiny files under every name that a command reads.
fn provide(place: &Path, words: &[String]) {
    let subcommand: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let mut skip = false;
    for word in &words[1..] {
        // What follows these is written.
        if std::mem::replace(
            &mut skip,
            ["--out", "--save-templates", "--answers", "--outputs"].contains(&word.as_str()),
        ) {
            continue;
        }
        let name = word.split_once('=').map_or(word.as_str(), |(_, path)| path);
        let path = place.join(name);
        if name.starts_with('-') || path.exists() {
            continue;
        }
        if name.ends_with(".py") {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, PROGRAM).unwrap();
        } else if name.ends_with('/') {
            fs::create_dir_all(&path).unwrap();
            for other in ["a.py", "b.py"] {
                fs::write(path.join(other), PROGRAM).unwrap();
            }
        } else if [".jsonl", ".zst", ".gz", ".parquet"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            records(place, name, &subcommand);
        }
    }
}

const PROGRAM: &str = "total = 0\nfor k in range(3):\n    total += k\nprint(total)\n";

/// Records, a corpus or functions, whichever the command reads.
fn records(place: &Path, name: &str, subcommand: &[&str]) {
    let line = match subcommand {
        ["eval", "guide" | "prefix", ..] => json!({
            "id": "f", "file": "f.py", "code": PROGRAM, "source": PROGRAM, "body": PROGRAM, "text": PROGRAM,
        }),
        ["rerank", ..] => json!({
            "task_id": "t", "prompt": "def f(x):\n    \"\"\"f(1) == 2\"\"\"\n", "entry_point": "f",
            "completion": "    return x + 1\n", "test": "def check(f):\n    assert f(1) == 2\n",
        }),
        ["search", ..]
        | ["mutate", ..]
        | [
            "data",
            "codenetmut" | "traces" | "singleline" | "errors",
            ..,
        ] => {
            json!({
                "id": "p", "problem_id": "q", "code": PROGRAM,
            })
        }
        ["eval", "errors", ..] => json!({
            "id": "p", "problem": null, "code": PROGRAM, "stdin": null, "description": null, "input_summary": null,
            "error": null, "error_line": null, "origin": "clean", "operators": [], "source": "", "licence": "",
            "split": "train",
        }),
        _ => {
            // Real examples, made once.
            let made = place.join("made.jsonl");
            if !made.exists() {
                let mut make = codexec(place);
                make.args(["data", "steps", "--count", "60", "--out", "made.jsonl"]);
                assert!(make.output().unwrap().status.success());
            }
            return packed(&place.join(name), &fs::read_to_string(made).unwrap());
        }
    };
    packed(&place.join(name), &format!("{line}\n"));
}

/// Whatever a name says, lines are read by what they are.
fn packed(path: &Path, text: &str) {
    if path.extension().is_some_and(|e| e == "parquet") {
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let records: Vec<codexec_data::records::Record> = lines.collect();
        codexec_data::records::write_records(path, records.iter()).unwrap();
    } else if path.extension().is_some_and(|e| e == "zst") {
        fs::write(path, zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
    } else if path.extension().is_some_and(|e| e == "gz") {
        use std::io::Write;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes()).unwrap();
        fs::write(path, packed.finish().unwrap()).unwrap();
    } else {
        fs::write(path, text).unwrap();
    }
}

fn binary() -> PathBuf {
    assert_cmd::cargo::cargo_bin("codexec")
}

fn codexec(place: &Path) -> Command {
    let mut command = Command::new(binary());
    command.current_dir(place);
    command
}

/// The line with small numbers, for the shell.
fn small(shown: &Shown) -> String {
    let mut line = shown.line.clone();
    for (option, number) in SMALL {
        let Some(at) = line.find(&format!("{option} ")) else {
            continue;
        };
        let value = at + option.len() + 1;
        let end = line[value..].find(' ').map_or(line.len(), |n| value + n);
        line.replace_range(value..end, number);
    }
    if shown.words.get(1).is_some_and(|w| w == "pretrain") {
        line.push_str(" --budget steps=2 --device cpu");
    }
    line
}

#[test]
fn every_command_parses() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for shown in pages().iter().flat_map(|page| commands(page)) {
        count += 1;
        if let Err(error) = codexec::cli::check_arguments(&shown.words)
            && error.use_stderr()
        {
            wrong.push(format!("{}: {}\n{error}", shown.place, shown.line));
        }
    }
    assert!(
        count > 10,
        "only {count} commands found: are blocks of shell marked ```sh?"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_that_a_test_can_run_runs() {
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", binary().parent().unwrap().display());
    let (mut wrong, mut ran, mut done) = (Vec::new(), 0, Vec::new());
    for shown in pages().iter().flat_map(|page| commands(page)) {
        let words: Vec<&str> = shown.words[1..].iter().map(String::as_str).collect();
        let why = match only_parsed(&words) {
            None if shown.line.contains("jq") && !has_program("jq") => Some("needs jq"),
            why => why,
        };
        if let Some(why) = why {
            println!("only parsed, {why}: {}", shown.line);
            continue;
        }
        if done.contains(&shown.line) {
            continue;
        }
        // A directory of its own: nothing depends on the commands before.
        let place = tempfile::tempdir().unwrap();
        for kept in ["curriculum", "examples"] {
            std::os::unix::fs::symlink(root().join(kept), place.path().join(kept)).unwrap();
        }
        for directory in [
            "src",
            "snippets",
            "corpus",
            "common",
            "old_project",
            "new_project",
        ] {
            fs::create_dir(place.path().join(directory)).unwrap();
            fs::write(place.path().join(directory).join("a.py"), PROGRAM).unwrap();
        }
        fs::create_dir(place.path().join("shop")).unwrap();
        for file in ["__init__.py", "__main__.py", "report.py"] {
            fs::write(place.path().join("shop").join(file), PROGRAM).unwrap();
        }
        provide(place.path(), &shown.words);
        for word in shown.line.split_whitespace().filter(|w| w.ends_with(".py")) {
            let file = place.path().join(word);
            if !file.exists() && !shown.line.contains(&format!("> {word}")) {
                fs::write(file, PROGRAM).unwrap();
            }
        }
        let output = Command::new("bash")
            .args(["-o", "pipefail", "-c", &small(&shown)])
            .current_dir(place.path())
            .env("PATH", &path)
            .env("XDG_CACHE_HOME", place.path().join("cache"))
            .env_remove("RAYON_NUM_THREADS")
            .output()
            .unwrap();
        // `diff` says by its code that two programs differ; what it compares here is the same.
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            wrong.push(format!("{}: {}\n{said}", shown.place, small(&shown)));
        }
        done.push(shown.line);
        ran += 1;
    }
    assert!(ran > 5, "only {ran} commands ran");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn has_program(name: &str) -> bool {
    let found = Command::new("which").arg(name).output();
    found.is_ok_and(|output| output.status.success())
}
