//! Speed of the machine: instructions per second for programs that loop, call, look up names and
//! create objects, without and with steps.
//!
//! `cargo bench -p codexec-vm --bench walk`. The goals are 40 million instructions per second for
//! the first program, and a million steps in 5 s.

use std::time::Duration;

use codexec_trace::Program;
use codexec_vm::machine::{Machine, Recorded, Settings};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const LOOP: &str = "\
t = 0
for i in range(100_000):
    t += i * i % 7
";

const LOOP_IN_FUNCTION: &str = "\
def total(n):
    t = 0
    for i in range(n):
        t += i * i % 7
    return t
total(100_000)
";

const CALLS: &str = "\
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
fib(18)
";

const OBJECTS: &str = "\
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def norm(self):
        return self.x * self.x + self.y * self.y
def go(n):
    s = 0
    for i in range(n):
        p = Point(i, i + 1)
        if p.norm() > 100:
            s += p.x
    return s
go(10_000)
";

const LISTS: &str = "\
def sieve(n):
    flags = [True] * (n + 1)
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return [i for i, prime in enumerate(flags) if prime]
sieve(30_000)
";

const WORDS: &str = "\
words = 'the quick brown fox jumps over the lazy dog and runs away from the angry bear'.split()
counts = {}
for k in range(500):
    for word in words:
        counts[word] = counts.get(word, 0) + len(word)
        if word.startswith('t') and word in counts:
            counts[word] += 1
";

const METHODS: &str = "\
def go(n):
    lines, seen, places = [], set(), {}
    for i in range(n):
        name = 'Hello, World ' + str(i)
        parts = name.upper().split()
        line = f'{i}: ' + ','.join(parts).replace('L', 'l').strip()
        if line.startswith('1') and line not in seen:
            seen.add(line)
            lines.append(line)
        places.setdefault(len(line), []).append(i)
    return [(size, numbers) for size, numbers in places.items()]
go(2_000)
";

const GENERATORS: &str = "\
def pairs(numbers):
    for k, number in enumerate(numbers):
        yield k, number
def go(n):
    t = 0
    for k, number in pairs(range(n)):
        t += k * number
    return t + sum(k for k in range(n)) + sum(a * b for a, b in zip(range(n), range(1, n)))
go(5_000)
";

const BUILTINS: &str = "\
def go(n):
    t = 0
    for i in range(n):
        t += abs(-i) + min(i, 5) + max((i, 7)) + int(str(i)) + len((i, t))
        if isinstance(t, int) and any([t, i]):
            t += sum([i, 1]) + sorted([3, 1, i])[0]
    return t
go(3_000)
";

const OPERATORS: &str = "\
class Vector:
    def __init__(self, x, y=0):
        self.x, self.y = x, y
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)
    def __eq__(self, other):
        return self.x == other.x and self.y == other.y
    def __lt__(self, other):
        return self.x < other.x
def go(n):
    total, one = Vector(0), Vector(1, 2)
    for i in range(n):
        total = total + one
        if total == one or total < one:
            total += one
    return total.x
go(3_000)
";

fn machine(source: &str, recorded: Recorded) -> Machine {
    let program = Program {
        source: Some(source.to_owned()),
        ..Program::default()
    };
    let settings = Settings {
        max_steps: 1 << 30,
        max_instructions: 1 << 40,
        max_cpu: Duration::from_secs(600),
        max_text: 4 << 30,
        recorded,
        ..Settings::default()
    };
    Machine::new(&program, settings)
}

fn bench(criterion: &mut Criterion) {
    let programs = [
        ("loop", LOOP),
        ("loop in a function", LOOP_IN_FUNCTION),
        ("calls", CALLS),
        ("objects", OBJECTS),
        ("lists", LISTS),
        ("words", WORDS),
        ("methods", METHODS),
        ("generators", GENERATORS),
        ("builtins", BUILTINS),
        ("operators", OPERATORS),
    ];
    for (how, recorded) in [("walk", Recorded::Raises), ("record", Recorded::Steps)] {
        let mut group = criterion.benchmark_group(how);
        group.sample_size(10);
        for (name, source) in programs {
            let mut walked = machine(source, recorded);
            walked.advance();
            let count = match recorded {
                Recorded::Raises => walked.instructions(),
                Recorded::Steps => walked.into_trace(&Program::default()).steps.len() as u64,
            };
            group.throughput(Throughput::Elements(count));
            group.bench_function(name, |b| {
                b.iter(|| {
                    let mut machine = machine(source, recorded);
                    machine.advance();
                    machine.instructions()
                });
            });
        }
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
