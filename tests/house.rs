//! House rules that a machine can check: what ARCHITECTURE.md and CONTRIBUTING.md promise of every
//! file, and that the documents name what is there. It reads the sources of all crates and the
//! documents, and runs nothing.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of a module before its tests.
const MOST_LINES: usize = 800;

/// Lines of a file of tests, or of a module with its tests.
const MOST_LINES_WITH_TESTS: usize = 1000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The crates of the workspace below the root crate.
fn crates() -> Vec<PathBuf> {
    let own = ["mutate", "data", "curriculum", "python"];
    let mut found: Vec<PathBuf> = own.map(PathBuf::from).into();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        found.push(Path::new("crates").join(entry.unwrap().file_name()));
    }
    found.sort();
    found
}

fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for place in crates().into_iter().chain([PathBuf::new()]) {
        collect(&root().join(place).join("src"), &mut found);
    }
    assert!(
        found.len() > 30,
        "only {} sources found: is the path right?",
        found.len()
    );
    found
}

fn collect(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
    collect_ending(directory, "rs", found);
}

fn collect_ending(directory: &Path, ending: &str, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_ending(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
        }
    }
}

fn complain(rule: &str, offenders: &[String]) {
    assert!(
        offenders.is_empty(),
        "{rule}:\n  {}",
        offenders.join("\n  ")
    );
}

#[test]
fn every_module_says_what_it_is() {
    let silent: Vec<String> = sources()
        .iter()
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(path, _)| path.display().to_string())
        .collect();
    complain("modules without a `//!` header", &silent);
}

#[test]
fn modules_stay_readable() {
    let long: Vec<String> = sources()
        .iter()
        .filter_map(|(path, text)| {
            let lines = text.lines().take_while(|l| *l != "#[cfg(test)]").count();
            (lines > MOST_LINES).then(|| format!("{} ({lines} lines)", path.display()))
        })
        .collect();
    complain("modules too long", &long);
}

#[test]
fn files_of_tests_stay_readable() {
    let mut found = Vec::new();
    for place in crates().into_iter().chain([PathBuf::new()]) {
        for folder in ["src", "tests"] {
            let folder = root().join(&place).join(folder);
            if folder.is_dir() {
                collect(&folder, &mut found);
            }
        }
    }
    let long: Vec<String> = found
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MOST_LINES_WITH_TESTS)
        .map(|(path, lines)| format!("{} ({lines} lines)", path.display()))
        .collect();
    complain("files of tests too long", &long);
}

#[test]
fn python_files_stay_readable() {
    let mut found = Vec::new();
    for folder in ["crates/vm/lib", "data/python", "python", "runs"] {
        collect_ending(&root().join(folder), "py", &mut found);
    }
    assert!(found.len() > 150, "only {} found", found.len());
    let long: Vec<String> = found
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(path, lines)| format!("{} ({lines} lines)", path.display()))
        .collect();
    complain("Python files too long", &long);
}

#[test]
fn nothing_is_called_utils() {
    let vague: Vec<String> = sources()
        .iter()
        .filter(|(path, _)| {
            let name = path.file_stem().map(|n| n.to_string_lossy().into_owned());
            matches!(
                name.as_deref(),
                Some("utils" | "common" | "helpers" | "misc")
            )
        })
        .map(|(path, _)| path.display().to_string())
        .collect();
    complain("names that say nothing", &vague);
}

#[test]
fn crates_keep_to_their_own() {
    let mut strays = Vec::new();
    for (path, text) in sources() {
        let place = path.display().to_string();
        let mutate = place.starts_with("mutate");
        let data = place.starts_with("data");
        if (mutate || data) && text.contains("candle") && !text.contains("knows nothing of candle")
        {
            let used = text.lines().any(|l| l.starts_with("use candle"));
            if used {
                strays.push(format!("{place} uses candle"));
            }
        }
        if mutate && text.contains("std::fs") {
            strays.push(format!("{place} touches files"));
        }
        // `pretrain` replaces itself once to set a variable that the matrix library reads at start.
        let shipped = text.split("mod tests").next().unwrap_or_default();
        let starts = shipped.contains("Command::new(") && !shipped.contains(".exec()");
        let may = place.starts_with("data/src/sandbox")
            || [
                "data/src/recorder.rs",
                "data/src/installer.rs",
                "src/cli/diff/versions.rs",
            ]
            .contains(&place.as_str());
        if starts && !may {
            strays.push(format!("{place} starts a process"));
        }
    }
    complain("code that reaches beyond its crate", &strays);
}

/// What of the workspace each crate may use: what is not here knows none of the others.
const BELOW: [(&str, &[&str]); 15] = [
    ("python", &["data", "mutate", "plan", "trace"]),
    ("data", &["mutate", "trace"]),
    ("curriculum", &["data", "tiles"]),
    ("crates/model", &["data", "trace", "tiles", "gpu"]),
    ("crates/unknown", &["data", "mutate", "model", "trace"]),
    ("crates/compile", &["trace"]),
    ("crates/query", &["trace"]),
    ("crates/page", &["data", "engine", "trace"]),
    ("crates/vm", &["trace", "compile"]),
    ("crates/plan", &["data", "trace", "compile", "vm"]),
    ("crates/engine", &["data", "model", "plan", "unknown"]),
    (
        "crates/check",
        &["curriculum", "data", "engine", "model", "unknown"],
    ),
    (
        "crates/eval",
        &["data", "engine", "model", "mutate", "tiles", "unknown"],
    ),
    (
        "crates/training",
        &["check", "curriculum", "data", "eval", "model", "unknown"],
    ),
    (
        "",
        &[
            "mutate",
            "data",
            "curriculum",
            "model",
            "unknown",
            "plan",
            "query",
            "page",
            "engine",
            "check",
            "eval",
            "training",
        ],
    ),
];

#[test]
fn crates_know_only_those_below_them() {
    let mut strays = Vec::new();
    for place in crates().into_iter().chain([PathBuf::new()]) {
        let manifest = fs::read_to_string(root().join(&place).join("Cargo.toml")).unwrap();
        let (_, dependencies) = manifest
            .split_once("\n[dependencies]\n")
            .unwrap_or_default();
        let own = dependencies.split("\n[").next().unwrap_or_default();
        let row = BELOW.iter().find(|(name, _)| place == Path::new(name));
        let may = row.map_or(&[][..], |(_, may)| may);
        for line in own.lines() {
            let Some(name) = line.strip_prefix("codexec-") else {
                continue;
            };
            let name = name.split(['.', ' ']).next().unwrap_or_default();
            if !may.contains(&name) {
                strays.push(format!("{} knows {name}", place.display()));
            }
        }
    }
    complain("crates that know others", &strays);
}

/// The rooms of a crate, and which of its others each may use.
type Rooms = &'static [(&'static str, &'static [&'static str])];

/// The crates that have rooms.
const ROOMS: [(&str, Rooms); 2] = [
    (
        "crates/unknown/src",
        &[
            ("analysis", &[]),
            ("values", &["analysis"]),
            ("guide", &["analysis", "values"]),
            ("llm", &[]),
            ("prefix", &["analysis", "values", "guide", "llm"]),
        ],
    ),
    (
        "crates/eval/src",
        &[
            ("statistics", &[]),
            ("rerank", &["statistics"]),
            ("search", &["rerank"]),
            ("metrics", &["statistics", "rerank", "search"]),
        ],
    ),
];

#[test]
fn rooms_use_only_those_below_them() {
    let mut strays = Vec::new();
    let rooms = ROOMS
        .iter()
        .flat_map(|(place, rooms)| rooms.iter().map(move |(room, may)| (place, *room, may)));
    for (place, room, may) in rooms {
        let folder = Path::new(place).join(room);
        let files = sources()
            .into_iter()
            .filter(|(path, _)| path.starts_with(&folder));
        for (path, text) in files {
            let code: Vec<&str> = text
                .lines()
                .filter(|l| !l.trim_start().starts_with("//"))
                .collect();
            let code = code.join("\n");
            for target in from_the_top(&code) {
                if target != room && !may.contains(&target) {
                    strays.push(format!("{} uses {target}", path.display()));
                }
            }
            // `super` again and again would leave the room unseen.
            let below = path.strip_prefix(&folder).unwrap();
            let is_root = below.file_stem().is_some_and(|n| n == "mod");
            let depth = below.components().count() - usize::from(is_root);
            let too_far = "super::".repeat(depth + 2);
            let outside = "super::".repeat(depth + 1);
            let leaves = |l: &str| l.starts_with("use") && l.contains(&outside);
            if code.contains(&too_far) || code.lines().any(leaves) {
                strays.push(format!("{} leaves its room by `super`", path.display()));
            }
        }
    }
    complain("arrows between rooms that point back", &strays);
}

/// The modules of the crate that paths from its top name.
fn from_the_top(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for after in code.split("crate::").skip(1) {
        let named = |text: &'_ str| text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let group = after.strip_prefix('{').and_then(|g| g.split('}').next());
        for part in group.map_or(vec![after], |g| g.split(',').collect()) {
            let part = part.trim_start();
            found.push(&part[..named(part).unwrap_or(part.len())]);
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

#[test]
fn every_place_of_the_code_map_exists() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut missing = Vec::new();
    for row in map.lines().filter(|l| l.starts_with("| `")) {
        let places = row.split('|').nth(1).unwrap_or_default();
        for place in places.split('`').skip(1).step_by(2) {
            if !root().join(place).exists() {
                missing.push(place.to_owned());
            }
        }
    }
    complain("ARCHITECTURE.md names places that do not exist", &missing);
}

/// Lines of the README.
const MOST_README_LINES: usize = 150;

/// README, the other documents at the root, and the pages of `docs/`, each with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
    ] {
        let path = root().join(name);
        let text = fs::read_to_string(&path).unwrap();
        found.push((path, text));
    }
    pages(&root().join("docs"), &mut found);
    assert!(found.len() > 15, "only {} documents found", found.len());
    found
}

fn pages(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

/// The lines of a document outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// Phrases of translated prose, each with what an English writer puts there.
const STILTED: [(&str, &str); 18] = [
    ("nothing where", "`None` if"),
    ("none where", "`None` if"),
    ("what is followed", "name what is followed"),
    ("what it is called", "its name"),
    ("how many there are", "their number"),
    ("what became of", "the results of"),
    ("what came of", "the results of"),
    ("what comes of", "the results of"),
    ("what is said of", "the text about"),
    ("what was taken for granted", "the assumptions"),
    ("goes on with", "continues with"),
    ("go on with", "continue with"),
    ("stands in for", "replaces"),
    ("whoever", "the caller"),
    ("mended", "fixed"),
    ("likeliest", "most probable"),
    ("learnt", "learned"),
    ("so many ", "this many"),
];

/// Crates and pages whose prose has not been revised, and pages that programs write.
const UNREVISED: [&str; 5] = [
    "CHANGELOG.md",
    "docs/log/",
    "docs/results/guide.md",
    "docs/results/plan.md",
    "docs/results/speed.md",
];

/// The comments of a source, one block a line, without the marks and in lower case.
fn comments(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines().map(str::trim_start) {
        match line.strip_prefix("//") {
            Some(words) => {
                let words = words.trim_start_matches(['/', '!']).trim().to_lowercase();
                let block = blocks.last_mut().unwrap();
                *block += &format!("{words} ");
            }
            None => blocks.push(String::new()),
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

#[test]
fn prose_is_plain_english() {
    let mut texts = Vec::new();
    for (path, text) in sources() {
        texts.push((path.display().to_string(), comments(&text)));
    }
    for (path, text) in documents() {
        let place = path.strip_prefix(root()).unwrap().display().to_string();
        let lines: Vec<&str> = prose(&text).map(str::trim).collect();
        texts.push((place, vec![lines.join(" ").to_lowercase()]));
    }
    let revised = |place: &str| !UNREVISED.iter().any(|part| place.starts_with(part));
    let mut stilted = Vec::new();
    for (place, blocks) in texts.iter().filter(|(place, _)| revised(place)) {
        for (phrase, better) in STILTED {
            if blocks.iter().any(|block| block.contains(phrase)) {
                stilted.push(format!("{place}: \"{phrase}\": write \"{better}\""));
            }
        }
    }
    complain("phrases that read as translated", &stilted);
}

/// The targets of a document's links to files of this repository.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in prose(text) {
        for after in line.split("](").skip(1) {
            let target = after.split(')').next().unwrap_or_default();
            if !target.contains("://") {
                found.push(target);
            }
        }
    }
    found
}

/// The anchors of a document's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut broken = Vec::new();
    for (path, text) in documents() {
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            let place = path.strip_prefix(root()).unwrap().display();
            if !target.exists() {
                broken.push(format!("{place}: {link}"));
            } else if !anchor.is_empty() {
                let there = fs::read_to_string(&target).unwrap();
                if !anchors(&there).iter().any(|a| a == anchor) {
                    broken.push(format!("{place}: {link} (no such heading)"));
                }
            }
        }
    }
    complain("links that lead nowhere", &broken);
}

#[test]
fn every_page_is_in_the_summary_once() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed = links(&summary);
    let mut found = Vec::new();
    pages(&docs, &mut found);
    let mut wrong = Vec::new();
    for (path, _) in found {
        let page = path.strip_prefix(&docs).unwrap().display().to_string();
        let times = listed.iter().filter(|link| **link == page).count();
        if times != 1 && page != "SUMMARY.md" {
            wrong.push(format!("{page} ({times} times)"));
        }
    }
    complain("pages that docs/SUMMARY.md does not list once", &wrong);
}

#[test]
fn the_readme_stays_short() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let lines = text.lines().count();
    assert!(lines <= MOST_README_LINES, "README.md has {lines} lines");
}

#[test]
fn every_file_that_contributing_names_exists() {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let mut missing = Vec::new();
    for line in prose(&text) {
        for name in line.split('`').skip(1).step_by(2) {
            let folder = [
                "src/",
                "mutate/",
                "data/",
                "curriculum/",
                "crates/",
                "tests/",
                "docs/",
                "runs/",
            ]
            .iter()
            .any(|folder| name.starts_with(folder));
            // `<name>` stands for what is to be added.
            let path = folder && !name.contains(['<', ' ']);
            if path && !root().join(name).exists() {
                missing.push(name.to_owned());
            }
        }
    }
    complain("CONTRIBUTING.md names files that do not exist", &missing);
}

/// `cargo build`, `cargo test` and the Python package share one build of every dependency: a feature that only one of them
/// turns on builds it, and all that need it, once more (`crates/trace/Cargo.toml`).
#[test]
fn every_selection_of_cargo_has_the_same_features() {
    let features = |arguments: &[&str]| -> BTreeMap<String, BTreeSet<String>> {
        let run = Command::new(env!("CARGO"))
            .current_dir(root())
            .args(["tree", "--offline", "--locked", "--prefix", "none"])
            .args(["--format", "{p}|{f}"])
            .args(arguments)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{said}");
        let mut found = BTreeMap::<String, BTreeSet<String>>::new();
        for line in String::from_utf8_lossy(&run.stdout).lines() {
            let Some((package, features)) = line.split_once('|') else {
                continue;
            };
            let name = package.trim_end_matches(" (proc-macro)");
            let features = features.trim_end_matches(" (*)").to_owned();
            found.entry(name.to_owned()).or_default().insert(features);
        }
        found
    };
    let tested = features(&["--workspace", "--edges", "normal,build,dev"]);
    let package = [
        "--manifest-path",
        "python/Cargo.toml",
        "--features",
        "whole",
    ];
    let selections = [
        features(&["--edges", "normal,build"]),
        features(&[&package[..], &["--edges", "normal,build"]].concat()),
    ];
    let others = selections.iter().flatten().filter(|(name, features)| {
        let is_own = name.starts_with("codexec");
        !is_own
            && tested
                .get(*name)
                .is_some_and(|all| !features.is_subset(all))
    });
    let others: Vec<String> = others
        .map(|(name, features)| format!("{name}: {features:?}, and with tests {:?}", tested[name]))
        .collect();
    complain("the same features in every selection", &others);
}
