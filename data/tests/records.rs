//! Files of records as their users meet them: written by one tool and read by another, damaged,
//! interrupted, split.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use codexec_data::files::Existing;
use codexec_data::records::{
    Format, Kind, Record, RecordReader, RecordWriter, SplitConfig, read_records, record_files,
    split, write_records,
};
use codexec_data::sources::StatementKind;
use proptest::prelude::*;
use tempfile::tempdir;

const FORMATS: [Format; 4] = Format::ALL;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        ".*",
        Just(String::new()),
        Just("a = '\u{0}\r\n漢'\n".to_owned())
    ]
}

/// What is known is not empty: that stands for what is not.
fn maybe() -> impl Strategy<Value = Option<String>> {
    prop::option::of(text()).prop_map(|text| text.filter(|text| !text.is_empty()))
}

prop_compose! {
    fn record()(
        texts in prop::array::uniform5(text()),
        maybe in prop::array::uniform7(maybe()),
        operators in prop::collection::vec(text(), 0..4),
        kind in prop::sample::select(Kind::ALL.to_vec()),
        sites in prop::collection::vec(0..1_u64 << 53, 0..4),
        (differs, error_line, seed) in any::<(Option<bool>, Option<u32>, u64)>(),
    ) -> Record {
        let [id, code, code_tokens, trace_tokens, outcome] = texts;
        let [stdin, root, trace, problem, source, licence, parent] = maybe;
        let arguments = operators.clone();
        let environment = operators.iter().map(|text| format!("A={}", text.replace('\0', ""))).collect();
        Record {
            id, kind, code, stdin, root, arguments, environment, code_tokens, trace, trace_tokens, outcome, problem, source,
            licence, parent, operators,
            seeds: sites.iter().map(|site| seed ^ site).collect(),
            sites,
            differs,
            error_line: error_line.filter(|line| *line > 0),
            statement: error_line.map(|_| StatementKind::Print),
            seed,
        }
    }
}

fn named(k: usize) -> Record {
    Record {
        id: format!("r{k}"),
        code: format!("a = {k}\n"),
        outcome: "finished".to_owned(),
        problem: Some(format!("p{}", k / 3)),
        operators: vec!["CRP".to_owned(); k % 3],
        ..Record::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_format_gives_back_what_was_written(records in prop::collection::vec(record(), 0..12)) {
        let directory = tempdir().unwrap();
        for format in FORMATS {
            let path = directory.path().join(format!("x{}", format.suffix()));
            write_records(&path, records.iter()).unwrap();
            prop_assert_eq!(&read_records(&path).unwrap(), &records);
        }
    }
}

#[test]
fn a_table_of_several_row_groups_is_read_in_order() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("x.parquet");
    let mut writer = RecordWriter::create(&path).unwrap();
    let count = 70_000;
    for k in 0..count {
        writer.push(&named(k)).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), count as u64);
    for (k, record) in RecordReader::open(&path).unwrap().enumerate() {
        assert_eq!(record.unwrap(), named(k));
    }
}

#[test]
fn a_directory_of_shards_is_one_file_in_order_of_name() {
    let directory = tempdir().unwrap();
    let names = ["a.parquet", "b.jsonl.zst", "c.jsonl", "d.jsonl.gz"];
    let other_ends = ["x.csv", "x.json", "x.gz", "x"];
    for name in other_ends {
        let refused = RecordWriter::create(&directory.path().join(name))
            .err()
            .unwrap();
        assert!(refused.to_string().contains(".parquet"), "{refused}");
    }
    for (k, name) in names.iter().enumerate() {
        let records = [named(2 * k), named(2 * k + 1)];
        write_records(&directory.path().join(name), records.iter()).unwrap();
    }
    for other in ["manifest.json", "e.jsonl.tmp", "notes.txt"] {
        fs::write(directory.path().join(other), "{}").unwrap();
    }
    let records = read_records(directory.path()).unwrap();
    assert_eq!(records, (0..8).map(named).collect::<Vec<_>>());
    assert_eq!(record_files(directory.path()).unwrap().len(), 4);
    let empty = tempdir().unwrap();
    let error = read_records(empty.path()).unwrap_err().to_string();
    assert!(error.contains(".parquet"), "{error}");
}

#[test]
fn an_interrupted_writer_leaves_nothing_and_the_file_before_it() {
    let directory = tempdir().unwrap();
    for format in FORMATS {
        let path = directory.path().join(format!("x{}", format.suffix()));
        write_records(&path, [named(1)].iter()).unwrap();
        let mut writer = RecordWriter::create(&path).unwrap();
        writer.push(&named(2)).unwrap();
        assert_eq!(read_records(&path).unwrap(), [named(1)]);
        drop(writer);
        assert_eq!(read_records(&path).unwrap(), [named(1)]);
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 4);
}

#[test]
fn gzip_and_the_mark_of_utf8_are_read_wherever_lines_are() {
    let directory = tempdir().unwrap();
    let text = "\u{feff}{\"code\": \"a = 1\"}\n{\"code\": \"b = 2\"}\n";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    fs::write(
        directory.path().join("x.jsonl.gz"),
        packed.finish().unwrap(),
    )
    .unwrap();
    let path = directory.path().join("x.json.gz");
    fs::copy(directory.path().join("x.jsonl.gz"), &path).unwrap();
    for path in [&path, directory.path()] {
        let codes: Vec<String> = read_records(path)
            .unwrap()
            .into_iter()
            .map(|r| r.code)
            .collect();
        assert_eq!(codes, ["a = 1", "b = 2"], "{}", path.display());
    }
    let corpus = codexec_data::sources::read_corpus(&path).unwrap();
    assert_eq!(corpus.len(), 2);
}

#[test]
fn a_split_that_is_there_is_not_overwritten_unasked() {
    let directory = tempdir().unwrap();
    let (input, out) = (
        directory.path().join("x.jsonl"),
        directory.path().join("out"),
    );
    write_records(&input, [named(1), named(2)].iter()).unwrap();
    let config = SplitConfig::default();
    let divided = |existing| split(&input, &out, Format::JsonLines, &config, existing);
    divided(Existing::Refuse).unwrap();
    fs::write(out.join("train.jsonl"), "mine").unwrap();
    let refused = divided(Existing::Refuse).unwrap_err().to_string();
    assert!(refused.contains("train.jsonl: exists already") && refused.contains("--force"));
    assert_eq!(fs::read_to_string(out.join("train.jsonl")).unwrap(), "mine");
    divided(Existing::Replace).unwrap();
    assert_ne!(fs::read_to_string(out.join("train.jsonl")).unwrap(), "mine");
}

/// The error that reading `path` ends with.
fn error(path: &Path) -> String {
    let read: Result<Vec<Record>, _> = RecordReader::open(path).and_then(Iterator::collect);
    read.unwrap_err().to_string()
}

#[test]
fn bad_lines_are_named_by_file_and_line() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("x.jsonl");
    fs::write(&path, "{\"code\": \"\"}\n\n{\"id\": \"x\"}\n").unwrap();
    assert!(error(&path).contains("x.jsonl:3: missing field `code`"));
    let compressed = directory.path().join("y.jsonl.zst");
    fs::write(&compressed, "no zstd").unwrap();
    assert!(error(&compressed).contains("y.jsonl.zst"));
}

#[test]
fn a_damaged_table_is_an_error_that_names_it_and_never_a_panic() {
    let directory = tempdir().unwrap();
    let whole = directory.path().join("x.parquet");
    let records: Vec<Record> = (0..200).map(named).collect();
    write_records(&whole, records.iter()).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let path = directory.path().join("y.parquet");
    for end in [0, 3, 4, 12, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..end]).unwrap();
        assert!(error(&path).contains("y.parquet"));
    }
    // Any byte may be wrong; what is read then may be wrong too, or an error.
    for at in (0..bytes.len()).step_by(17) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        fs::write(&path, &damaged).unwrap();
        if let Ok(reader) = RecordReader::open(&path) {
            let _ = reader.take(1000).collect::<Result<Vec<_>, _>>();
        }
    }
}

#[test]
fn no_problem_is_in_two_parts() {
    let directory = tempdir().unwrap();
    let input = directory.path().join("x.parquet");
    let records: Vec<Record> = (0..3000).map(named).collect();
    write_records(&input, records.iter()).unwrap();
    let config = SplitConfig {
        fractions: [60.0, 20.0, 20.0],
        seed: 3,
        test_problems: HashSet::from(["p5".to_owned(), "p-not-there".to_owned()]),
    };
    let mut parts: Vec<Vec<Record>> = Vec::new();
    for format in FORMATS {
        let out = directory.path().join(format.suffix());
        let report = split(&input, &out, format, &config, Existing::Refuse).unwrap();
        assert_eq!(
            (report.test_problems_listed, report.test_problems_found),
            (2, 1)
        );
        let read: Vec<Vec<Record>> = report
            .parts
            .iter()
            .map(|part| read_records(&out.join(&part.file)).unwrap())
            .collect();
        for (records, part) in read.iter().zip(&report.parts) {
            let problems: HashSet<_> = records.iter().map(|r| &r.problem).collect();
            assert_eq!(part.records, records.len() as u64);
            assert_eq!(part.problems, problems.len() as u64);
        }
        let json = fs::read_to_string(out.join("split.json")).unwrap();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&json).unwrap(),
            serde_json::to_value(&report).unwrap()
        );
        // The format changes nothing.
        assert!(parts.is_empty() || parts == read);
        parts = read;
    }
    let mut place: HashMap<&str, usize> = HashMap::new();
    for (k, part) in parts.iter().enumerate() {
        assert!(!part.is_empty());
        for record in part {
            let problem = record.problem.as_deref().unwrap();
            assert_eq!(*place.entry(problem).or_insert(k), k);
        }
    }
    assert_eq!(place["p5"], 2);
    let mut all: Vec<Record> = parts.concat();
    all.sort_by_key(|r| r.id[1..].parse::<usize>().unwrap());
    assert_eq!(all, records);
}

#[test]
fn a_split_that_fails_leaves_nothing_and_never_replaces_its_input() {
    let directory = tempdir().unwrap();
    let input = directory.path().join("train.jsonl");
    let config = SplitConfig::default();
    fs::write(&input, "{\"code\": \"\"}\nnonsense\n").unwrap();
    let out = directory.path().join("out");
    let error = split(&input, &out, Format::JsonLines, &config, Existing::Refuse).unwrap_err();
    assert!(error.to_string().contains("train.jsonl:2"));
    assert!(!out.exists());
    // A directory that was there stays, empty.
    fs::create_dir(&out).unwrap();
    split(&input, &out, Format::JsonLines, &config, Existing::Refuse).unwrap_err();
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
    fs::write(&input, "{\"code\": \"\"}\n").unwrap();
    let error = split(
        &input,
        directory.path(),
        Format::JsonLines,
        &config,
        Existing::Refuse,
    )
    .unwrap_err();
    assert!(error.to_string().contains("replace"));
    assert_eq!(fs::read_to_string(&input).unwrap(), "{\"code\": \"\"}\n");
}

/// A Python that has a module, or why the test is skipped: `CODEXEC_TEST_PYTHON`, else `python3`.
fn python_with(module: &str) -> Option<PathBuf> {
    let python = std::env::var_os("CODEXEC_TEST_PYTHON").map_or("python3".into(), PathBuf::from);
    let import = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output();
    if import.is_ok_and(|o| o.status.success()) {
        return Some(python);
    }
    eprintln!(
        "skipped: {} cannot import {module}; see CODEXEC_TEST_PYTHON",
        python.display()
    );
    None
}

/// What a script prints; `arguments` are its `sys.argv[1:]`.
fn run(python: &Path, script: &str, arguments: &[&Path]) -> String {
    let output = Command::new(python)
        .arg("-c")
        .arg(script)
        .args(arguments)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// A record with every field and one with none but the required ones.
fn full_and_bare() -> Vec<Record> {
    let some = |t: &str| Some(t.to_owned());
    let full = Record {
        stdin: some("1\n"),
        code_tokens: "<0> a".to_owned(),
        trace: some("<line> <0>"),
        trace_tokens: "漢".to_owned(),
        source: some("s"),
        licence: some("MIT"),
        parent: some("q"),
        operators: vec!["CRP".to_owned(), "ROR".to_owned()],
        error_line: Some(3),
        sites: vec![0, 7],
        seeds: vec![u64::MAX, 1],
        differs: Some(false),
        seed: u64::MAX,
        ..named(0)
    };
    let bare = Record {
        code: "b\n".to_owned(),
        outcome: "finished".to_owned(),
        ..Record::default()
    };
    vec![full, bare]
}

#[test]
fn pyarrow_reads_our_tables_and_we_read_its_tables() {
    let Some(python) = python_with("pyarrow.parquet") else {
        return;
    };
    let directory = tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let records = full_and_bare();
    write_records(&at("x.parquet"), records.iter()).unwrap();
    write_records(&at("x.jsonl"), records.iter()).unwrap();
    // Row by row the same as the JSON, a missing field a null or an empty list.
    let script = r#"
import json, sys, pyarrow as pa, pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
rows = table.to_pylist()
lines = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
for row, line in zip(rows, lines, strict=True):
    assert {k: v for k, v in row.items() if v not in (None, [])} == line, (row, line)
operators = table.schema.field("operators").type
assert pa.types.is_list(operators) and operators.value_type == pa.string(), operators
assert table.schema.field("seed").type == pa.uint64()
pq.write_table(table, sys.argv[3], compression="snappy")
published = [{"id": 7, "code": "a = 1", "code_tokens": ["<0>", "a"], "trace": "<line> <0>",
              "trace_tokens": ["<line>", "<0>"], "when": 1.5}]
pq.write_table(pa.Table.from_pylist(published), sys.argv[4])
pq.write_table(pa.table({"code": pa.array(["x", None])}), sys.argv[5])
pq.write_table(pa.table({"text": pa.array(["x"])}), sys.argv[6])
pq.write_table(pa.table({"code": pa.array([1], pa.timestamp("us"))}), sys.argv[7])
print("ok")
"#;
    let paths: Vec<PathBuf> = [
        "x.parquet",
        "x.jsonl",
        "y.parquet",
        "z.parquet",
        "null.parquet",
        "other.parquet",
        "time.parquet",
    ]
    .map(at)
    .into();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    assert_eq!(run(&python, script, &paths).trim(), "ok");
    assert_eq!(read_records(&at("y.parquet")).unwrap(), records);
    let expected = Record {
        id: "7".to_owned(),
        code: "a = 1".to_owned(),
        code_tokens: "<0> a".to_owned(),
        trace: Some("<line> <0>".to_owned()),
        trace_tokens: "<line> <0>".to_owned(),
        outcome: "finished".to_owned(),
        ..Record::default()
    };
    assert_eq!(read_records(&at("z.parquet")).unwrap(), [expected]);
    let null = error(&at("null.parquet"));
    assert!(
        null.contains("null.parquet: row group 1, row 2: missing field `code`"),
        "{null}"
    );
    let other = error(&at("other.parquet"));
    assert!(
        other.contains("no column `code`; its columns are text"),
        "{other}"
    );
    assert!(error(&at("time.parquet")).contains("`code` has a type that is not read"));
}

#[test]
fn duckdb_reads_our_tables() {
    let Some(python) = python_with("duckdb") else {
        return;
    };
    let directory = tempdir().unwrap();
    let path = directory.path().join("x.parquet");
    write_records(&path, full_and_bare().iter()).unwrap();
    let script = r#"
import duckdb, sys
query = "select count(*), max(seed), max(len(operators)), count(stdin), max(trace_tokens) from read_parquet(?)"
print(duckdb.execute(query, [sys.argv[1]]).fetchone())
"#;
    let row = run(&python, script, &[&path]);
    assert_eq!(row.trim(), "(2, 18446744073709551615, 2, 1, '漢')");
}
