//! Searches of an index by vectors: `cargo bench --bench search [-- ROWS [WIDTH] | INDEX.parquet]`.
//!
//! Without an index, a million random vectors of 256 numbers, all directions alike (the worst for cells), and as many
//! around a thousand centres. With one, its own vectors. Times of a query, exact and among some of the cells, and how
//! many of the ten best those find (recall at 10); queries are vectors of the index with noise. On the wall.

use std::time::Instant;

use codexec::search::{Entry, Index, IndexFile, Query, read_index, usual_cells, write_index};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const QUERIES: usize = 50;
const TOP: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    if let Some(path) = asked.first().filter(|a| a.ends_with(".parquet")) {
        return measure(path, read_index(path.as_ref())?);
    }
    let number = |at: usize, usual: usize| asked.get(at).map_or(Ok(usual), |text| text.parse());
    let (rows, width) = (number(0, 1_000_000)?, number(1, 256)?);
    measure("random", random(rows, width, 0))?;
    measure("around 1000 centres", random(rows, width, 1000))
}

fn normal(rng: &mut ChaCha8Rng) -> f32 {
    // Twelve uniform numbers have the variance 1.
    (0..12).map(|_| rng.random::<f32>()).sum::<f32>() - 6.0
}

fn of_length_one(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

fn random(rows: usize, width: usize, centres: usize) -> Index {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut draw = |around: Option<&Vec<f32>>| {
        let zero = vec![0.0; width];
        let around = around.unwrap_or(&zero).iter();
        of_length_one(
            around
                .map(|x| 1.5 * x + normal(&mut rng) / (width as f32).sqrt())
                .collect(),
        )
    };
    let centres: Vec<Vec<f32>> = (0..centres).map(|_| draw(None)).collect();
    let entry = |at: usize| Entry {
        id: at.to_string(),
        vector: draw(centres.get(at % centres.len().max(1))),
        ..Entry::default()
    };
    Index {
        model: "random".to_owned(),
        digest: String::new(),
        width,
        outputs: "none".to_owned(),
        entries: (0..rows).map(entry).collect(),
        cells: None,
    }
}

fn measure(name: &str, mut index: Index) -> Result<(), Box<dyn std::error::Error>> {
    let place = tempfile::tempdir()?;
    let path = place.path().join("index.parquet");
    let rows = index.entries.len();
    println!("{name}: {rows} vectors of {}", index.width);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut query = || {
        let near = &index.entries[rng.random_range(0..rows)].vector;
        let scale = 0.5 / (near.len() as f32).sqrt();
        of_length_one(near.iter().map(|x| x + scale * normal(&mut rng)).collect())
    };
    let queries: Vec<Vec<f32>> = (0..QUERIES).map(|_| query()).collect();
    let best = |index: &Index, vector: &[f32]| -> Vec<String> {
        let query = Query {
            vector,
            output: None,
        };
        let hits = index.nearest(&query, TOP);
        hits.iter()
            .map(|hit| index.entries[hit.entry].id.clone())
            .collect()
    };
    let start = Instant::now();
    let exact: Vec<Vec<String>> = queries.iter().map(|q| best(&index, q)).collect();
    let each = start.elapsed().as_secs_f64() / QUERIES as f64;
    println!("  exact, in memory: {:.1} ms a query", 1e3 * each);
    let start = Instant::now();
    index.divide(usual_cells(rows), 0);
    println!(
        "  dividing into cells: {:.1} s",
        start.elapsed().as_secs_f64()
    );
    write_index(&path, &index)?;
    let cells = index.cells.as_ref().map_or(0, |cells| cells.rows.len());
    drop(index);
    let start = Instant::now();
    let all = read_index(&path)?;
    println!(
        "  reading all of the file: {:.1} s",
        start.elapsed().as_secs_f64()
    );
    drop(all);
    for count in [1, 4, 8, 16, 32, 64, 128] {
        let (mut found, mut searched) = (0, 0);
        let start = Instant::now();
        for (query, exact) in queries.iter().zip(&exact) {
            let near = IndexFile::open(&path)?.read_near(query, count)?;
            searched += near.entries.len();
            let ids = best(&near, query);
            found += exact.iter().filter(|id| ids.contains(id)).count();
        }
        let each = start.elapsed().as_secs_f64() / QUERIES as f64;
        println!(
            "  {count} of {cells} cells, from the file: {:.1} ms a query, {:.2} % of the vectors, recall at {TOP} {:.1} %",
            1e3 * each,
            100.0 * searched as f64 / (QUERIES * rows) as f64,
            100.0 * found as f64 / exact.iter().map(Vec::len).sum::<usize>() as f64
        );
    }
    Ok(())
}
