//! Programs that do the same, found: an index made, added to, refused; a query; duplicates; scores.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{can_run, output_of, stderr, stdout, written};

pub(crate) const SUM: &str =
    "xs = [3, 4, 5]\ntotal = 0\nfor x in xs:\n    total += x\nprint(total)\n";

fn scripts(place: &Path) {
    written(place, "sum.py", SUM);
    written(place, "twelve.py", "print(6 + 6)\n");
    written(place, "greet.py", "name = 'Ada'\nprint('hello ' + name)\n");
}

pub(crate) fn indexed(place: &Path, more: &[&str]) -> String {
    let out = place.join("i.parquet").display().to_string();
    let scripts = place.join("scripts").display().to_string();
    let run = output_of(&[&["search", "index", &scripts, "--out", &out], more].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    out
}

pub(crate) fn place() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("scripts")).unwrap();
    scripts(&dir.path().join("scripts"));
    dir
}

pub(crate) fn found(args: &[&str]) -> Value {
    let run = output_of(&[&["search", "query"], args, &["--json"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).unwrap()
}

#[test]
fn a_program_finds_itself_first_and_what_prints_the_same() {
    let dir = place();
    let index = indexed(dir.path(), &[]);
    let snippet = written(dir.path(), "snippet.py", SUM);
    let all = found(&[&index, &snippet]);
    assert_eq!(all["output"], "12\n");
    let hits = all["found"].as_array().unwrap();
    assert_eq!(hits.len(), 3);
    assert!(hits[0]["id"].as_str().unwrap().ends_with("sum.py"), "{all}");
    assert!(
        (hits[0]["score"].as_f64().unwrap() - 1.2).abs() < 1e-3,
        "{all}"
    );
    let twelve = hits
        .iter()
        .find(|hit| hit["id"].as_str().unwrap().ends_with("twelve.py"));
    assert_eq!(twelve.unwrap()["output_similarity"], 1.0);
    let run = output_of(&["search", "query", &index, &snippet, "--top", "1"]);
    assert!(
        stdout(&run).starts_with("is predicted to print \"12\"\n"),
        "{}",
        stdout(&run)
    );
    // A snippet whose output nobody knows is found by its vector.
    let part = written(dir.path(), "part.py", "for x in unknown:\n    total += x\n");
    let run = output_of(&["search", "query", &index, &part]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(
        stderr(&run).contains("vectors alone decide"),
        "{}",
        stderr(&run)
    );
    let bad = written(dir.path(), "bad.py", "x = = 1\n");
    let run = output_of(&["search", "query", &index, &bad]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("bad.py:1:5: syntax error"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn programs_are_added_and_replaced_and_the_rest_stays() {
    let dir = place();
    let index = indexed(dir.path(), &["--no-outputs"]);
    let scripts = dir.path().join("scripts");
    written(&scripts, "new.py", "print('new')\n");
    written(&scripts, "greet.py", "print('changed')\n");
    written(&scripts, "broken.py", "x = = 1\n");
    let args = [
        "search",
        "index",
        &scripts.display().to_string(),
        "--out",
        &index,
        "--add",
        "--json",
    ];
    let run = output_of(&args);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("add --no-outputs"),
        "{}",
        stderr(&run)
    );
    let run = output_of(&[&args[..], &["--no-outputs"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(stderr(&run).contains("broken.py"), "{}", stderr(&run));
    let summary: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let counts = ["programs", "added", "replaced", "unchanged"].map(|name| summary[name].clone());
    assert_eq!(counts, [4, 1, 1, 2].map(|n| json!(n)), "{summary}");
    let snippet = written(dir.path(), "s.py", "print('changed')\n");
    let all = found(&[&index, &snippet, "--top", "1"]);
    assert!(
        all["found"][0]["id"]
            .as_str()
            .unwrap()
            .ends_with("greet.py"),
        "{all}"
    );
    let run = output_of(&[
        "search",
        "index",
        &scripts.display().to_string(),
        "--out",
        &index,
    ]);
    assert!(stderr(&run).contains("--force"), "{}", stderr(&run));
}

#[test]
fn foreign_and_damaged_indexes_are_refused() {
    let dir = place();
    let index = indexed(dir.path(), &["--no-outputs"]);
    let snippet = written(dir.path(), "s.py", "print(1)\n");
    let whole = std::fs::read(&index).unwrap();
    let text = dir.path().join("text.parquet").display().to_string();
    for (bytes, cause) in [
        (&b"no table"[..], "no index, or a damaged one"),
        (&whole[..whole.len() / 2], "damaged"),
        (&[], "damaged"),
    ] {
        std::fs::write(&text, bytes).unwrap();
        let run = output_of(&["search", "query", &text, &snippet]);
        let said = stderr(&run);
        assert_eq!(run.status.code(), Some(1), "{said}");
        assert!(
            said.contains("text.parquet: ") && said.contains(cause),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    // The same network with one weight changed is another encoder.
    let root = env!("CARGO_MANIFEST_DIR");
    let other = dir.path().join("other");
    std::fs::create_dir(&other).unwrap();
    for file in ["search/config.json", "default/tokenizer.json"] {
        let (_, name) = file.split_once('/').unwrap();
        std::fs::copy(format!("{root}/crates/model/src/{file}"), other.join(name)).unwrap();
    }
    let mut weights =
        std::fs::read(format!("{root}/crates/model/src/search/model.safetensors")).unwrap();
    let header = u64::from_le_bytes(weights[..8].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&weights[8..8 + header]).unwrap();
    let table = json
        .as_object()
        .unwrap()
        .iter()
        .find(|(name, _)| name.ends_with("word_embeddings.weight"));
    let start = table.unwrap().1["data_offsets"][0].as_u64().unwrap() as usize;
    weights[8 + header + start] ^= 0x10;
    std::fs::write(other.join("model.safetensors"), weights).unwrap();
    let run = output_of(&[
        "search",
        "query",
        &index,
        &snippet,
        "--model",
        &other.display().to_string(),
    ]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("its vectors were made by search"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn duplicates_print_the_same_predicted_and_run() {
    let dir = place();
    let scripts = dir.path().join("scripts").display().to_string();
    let executed = ["search", "duplicates", &scripts, "--execute"];
    let mut engines = vec![&executed[..3]];
    if can_run() {
        engines.push(&executed);
    }
    for args in engines {
        let run = output_of(args);
        let text = stdout(&run);
        assert!(run.status.success(), "{}", stderr(&run));
        assert!(text.starts_with("2 programs print 12"), "{text}");
        assert!(
            text.contains("sum.py\n") && text.contains("twelve.py\n"),
            "{text}"
        );
        assert!(text.contains("1 group; 3 of 3 programs"), "{text}");
    }
}

#[test]
fn searches_are_scored_by_problem() {
    let dir = tempfile::tempdir().unwrap();
    let program = |id: usize, problem: &str, code: String, out: &str| json!({"id": id.to_string(), "problem_id": problem, "code": code, "samples": [{"in": "", "out": out}]});
    let rows: Vec<String> = (0..6)
        .map(|k| match k % 2 {
            0 => program(k, "a", format!("print({k} + {})\n", 20 - k), "20\n"),
            _ => program(
                k,
                "b",
                format!("for _ in range({k}):\n    pass\nprint('abc')\n"),
                "abc\n",
            ),
        })
        .map(|row| format!("{row}\n"))
        .collect();
    let corpus = written(dir.path(), "c.jsonl", rows.concat());
    let run = output_of(&["eval", "search", &corpus, "--no-run", "--json"]);
    assert!(run.status.success(), "{}", stderr(&run));
    let scores: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(
        (&scores["queries"], &scores["problems"]),
        (&json!(6), &json!(2))
    );
    let row = |name: &str| {
        let rows = scores["rows"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap()["map"]["value"].as_f64()
    };
    // What they print tells them apart, and with it everything is found.
    assert_eq!(row("predicted outputs alone"), Some(1.0), "{scores}");
    assert!(row("contrastive and predicted outputs") >= row("encoder, contrastive"));
}

#[test]
fn of_an_index_in_cells_the_nearest_are_searched() {
    let dir = tempfile::tempdir().unwrap();
    let programs = super::search_training::problems(dir.path());
    let index = dir.path().join("i.parquet").display().to_string();
    let make = [
        "search",
        "index",
        &programs,
        "--out",
        &index,
        "--no-outputs",
    ];
    let run = output_of(&[&make[..], &["--approximate", "--json"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    let summary: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let cells = summary["cells"].as_u64().unwrap();
    assert!((2..=7).contains(&cells), "{summary}");
    let snippet = written(
        dir.path(),
        "s.py",
        "for i in range(7):\n    print('cd', i)\n",
    );
    let few = found(&[&index, &snippet, "--cells", "1", "--top", "3"]);
    let all = found(&[&index, &snippet, "--exact", "--top", "3"]);
    assert_eq!(
        (&all["programs"], &all["searched"]),
        (&json!(50), &json!(50))
    );
    assert!(few["searched"].as_u64().unwrap() < 50, "{few}");
    assert_eq!(few["found"][0]["id"], all["found"][0]["id"]);
    let run = output_of(&["search", "query", &index, &snippet, "--cells", "1"]);
    assert!(
        stderr(&run).contains("of 50 programs were compared"),
        "{}",
        stderr(&run)
    );
    // What is added has a cell, too.
    let more = written(
        dir.path(),
        "more.jsonl",
        "{\"id\": \"new\", \"code\": \"print('new')\"}\n",
    );
    let run = output_of(&[
        "search",
        "index",
        &more,
        "--out",
        &index,
        "--no-outputs",
        "--add",
    ]);
    assert!(stdout(&run).contains("51 programs"), "{}", stderr(&run));
    let new = written(dir.path(), "n.py", "print('new')\n");
    assert_eq!(
        found(&[&index, &new, "--cells", "1"])["found"][0]["id"],
        "new"
    );
}
