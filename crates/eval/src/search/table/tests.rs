//! Tests of the index as a file.

use super::*;

fn index(rows: usize) -> Index {
    let entry = |at: usize| Entry {
        id: format!("p{at}"),
        problem: at.is_multiple_of(2).then(|| "a".to_owned()),
        code: "print(1)\n".to_owned(),
        input: None,
        output: (at != 1).then(|| format!("é{at}\n")),
        confidence: (at != 1).then_some(0.5),
        vector: vec![at as f32, -1.0, 0.25],
    };
    Index {
        model: "m".to_owned(),
        digest: "d".to_owned(),
        width: 3,
        outputs: "plan".to_owned(),
        entries: (0..rows).map(entry).collect(),
        cells: None,
    }
}

#[test]
fn an_index_comes_back_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("i.parquet");
    for rows in [0, 1, 5, GROUP_ROWS + 3] {
        write_index(&path, &index(rows)).unwrap();
        assert_eq!(read_index(&path).unwrap(), index(rows));
    }
}

#[test]
fn of_an_index_in_cells_only_the_nearest_are_read() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("i.parquet");
    let mut made = index(90);
    for (at, entry) in made.entries.iter_mut().enumerate() {
        entry.vector = vec![0.0; 3];
        entry.vector[at % 3] = 1.0;
    }
    let mut ids: Vec<String> = made.entries.iter().map(|e| e.id.clone()).collect();
    made.divide(9, 1);
    write_index(&path, &made).unwrap();
    assert_eq!(read_index(&path).unwrap(), made);
    let file = IndexFile::open(&path).unwrap();
    assert_eq!(file.programs(), 90);
    assert!(file.head().entries.is_empty());
    let near = file.read_near(&[0.0, 1.0, 0.0], 1).unwrap();
    assert!(!near.entries.is_empty() && near.entries.len() <= 30);
    assert!(near.entries.iter().all(|e| e.vector[1] == 1.0));
    let all = file.read_near(&[0.0, 1.0, 0.0], 100).unwrap();
    let mut found: Vec<String> = all.entries.iter().map(|e| e.id.clone()).collect();
    found.sort();
    ids.sort();
    assert_eq!(found, ids);
    // Later additions have no cell.
    made.entries.push(Entry::default());
    let error = write_index(&path, &made).unwrap_err().to_string();
    assert!(error.contains("not those that were divided"), "{error}");
    assert_eq!(read_index(&path).unwrap().entries.len(), 90);
}

#[test]
fn what_is_no_index_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("i.parquet");
    let cause = || read_index(&path).unwrap_err().to_string();
    assert!(cause().contains("i.parquet: No such file"), "{}", cause());
    std::fs::write(&path, "x").unwrap();
    assert!(
        cause().contains("no index, or a damaged one"),
        "{}",
        cause()
    );
    let records = [codexec_data::records::Record::default()];
    codexec_data::records::write_records(&path, records.iter()).unwrap();
    assert!(cause().contains("no index of programs"), "{}", cause());
    write_index(&path, &index(50)).unwrap();
    let whole = std::fs::read(&path).unwrap();
    // Wherever a bit is wrong: an error, or the same index, and no panic.
    let mut refused = 0;
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&path, &damaged).unwrap();
        match read_index(&path) {
            Ok(read) => assert_eq!(read, index(50), "byte {at}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > whole.len() / 4, "{refused} of {}", whole.len());
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(cause().contains("damaged"), "{}", cause());
    let mut other = index(1);
    other.entries[0].vector.pop();
    write_index(&path, &other).unwrap();
    assert!(cause().contains("not of 3 numbers"), "{}", cause());
}
