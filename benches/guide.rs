//! Speed of guided execution before anything runs: rewriting a program and reading off what its
//! values are used for, per 1,000 lines, and the predictions for all of its places.
//!
//! `cargo bench --bench guide`; the aim is at most 10 ms for 1,000 lines (the paper's rewrite took
//! 4.5 s).

use codexec::guide::prepare;
use codexec::values::Predictor;
use codexec::values::predictors::{TypeUse, predictor};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Lines of the kind that function bodies have.
const PIECE: &str = "\
def handle(request, limit=None, *args, **kwargs):
    if limit is None:
        limit = settings.DEFAULT_LIMIT
    for key, value in sorted(request.args.items()):
        if not value.strip() or key in IGNORED:
            continue
        try:
            entry = cache[key].lookup(value, limit - 1)
        except (KeyError, CacheError) as error:
            log.warning('%s: %r', key, error)
            raise BadRequest(f'{key!r} of {request.path}') from error
        total = sum(part.size for part in entry.parts if part.size > 0)
        yield Response(total, entry.body[:limit], headers={'Length': len(entry.body)})
";

fn bench(criterion: &mut Criterion) {
    let copies = 1000usize.div_ceil(PIECE.lines().count());
    let program = PIECE.repeat(copies);
    let mut group = criterion.benchmark_group("guide");
    group.throughput(Throughput::Elements(program.lines().count() as u64));
    group.sample_size(20);
    group.bench_function("prepare 1,000 lines", |b| {
        b.iter(|| prepare(&program).map(|p| p.instrumented.locations.len()));
    });
    let Ok(prepared) = prepare(&program) else {
        return;
    };
    let places = prepared.instrumented.locations.iter();
    let queries: Vec<_> = places.map(|p| prepared.query(&program, p)).collect();
    group.bench_function("predict 1,000 lines by use", |b| {
        b.iter(|| TypeUse.predict_all(&queries).len());
    });
    // A query at a time is what the network costs; all at once what a run waits for.
    let some = &queries[..queries.len().min(64)];
    group.throughput(Throughput::Elements(some.len() as u64));
    for name in ["neural", "combined"] {
        let Some(predictor) = predictor(name, 0) else {
            continue;
        };
        group.bench_function(format!("{name}: {} queries", some.len()), |b| {
            b.iter(|| predictor.predict_all(some).len());
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
