//! Guided execution in the sandbox: complete programs do what they do anyway, incomplete ones run,
//! and errors of their own stay theirs.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "support/skip.rs"]
mod skip;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use codexec::guide::{Abstraction, GuideOptions, Guided, guide};
use codexec::values::predictors::{DEFAULT, TypeUse, predictor};
use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::{Origin, Outcome, Program, Trace};

/// None, with a line on standard error, where no program can be run.
fn pool() -> Option<&'static Pool> {
    static POOL: OnceLock<Option<Pool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let config = PoolConfig {
            launcher: Some(PathBuf::from(env!("CARGO_BIN_EXE_codexec"))),
            ..PoolConfig::default()
        };
        Pool::new(config)
            .inspect_err(|error| skip::skip(error.to_string()))
            .ok()
    });
    pool.as_ref()
}

fn program(source: &str, stdin: Option<&str>) -> Program {
    Program {
        id: "test".to_owned(),
        source: Some(source.to_owned()),
        stdin: stdin.map(str::to_owned),
        ..Program::default()
    }
}

fn options() -> GuideOptions {
    GuideOptions {
        time: Duration::from_secs(1),
        ..GuideOptions::default()
    }
}

fn run_with(source: &str, name: &str, abstraction: Abstraction) -> Option<Guided> {
    let options = GuideOptions {
        abstraction,
        ..options()
    };
    let predictor = predictor(name, 0).unwrap();
    let guided = guide(
        pool()?,
        &program(source, None),
        predictor.as_ref(),
        &options,
    );
    Some(guided.unwrap())
}

fn run(source: &str) -> Option<Guided> {
    run_with(source, DEFAULT, Abstraction::Adaptive)
}

fn finishes(source: &str) -> Option<Guided> {
    let guided = run(source)?;
    assert_eq!(
        guided.trace.outcome,
        Outcome::Finished,
        "{source}\n{:?}",
        guided.injected
    );
    assert!(guided.coverage.is_full(), "{source}\n{:?}", guided.covered);
    Some(guided)
}

/// Whether a program ends because something is not there: that is what guidance changes.
fn misses(trace: &Trace) -> bool {
    let missing = [
        "NameError",
        "ImportError",
        "ModuleNotFoundError",
        "EOFError",
        "OSError",
        "FileNotFoundError",
        "PermissionError",
    ];
    match &trace.outcome {
        Outcome::Raised { exception, .. } => missing.contains(&exception.as_str()),
        _ => false,
    }
}

/// How long a program runs that is stopped may differ.
fn is_stopped(trace: &Trace) -> bool {
    matches!(
        trace.outcome,
        Outcome::Timeout | Outcome::OutputLimit | Outcome::TraceLimit
    )
}

fn sources_in(directory: &str) -> Vec<(String, String, Option<String>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "py") {
            let source = std::fs::read_to_string(&path).unwrap();
            let stdin = std::fs::read_to_string(path.with_extension("in")).ok();
            found.push((path.display().to_string(), source, stdin));
        }
    }
    found.sort();
    found
}

fn check_same(programs: &[(String, String, Option<String>)]) -> usize {
    let Some(pool) = pool() else { return 0 };
    let mut compared = 0;
    for (name, source, stdin) in programs {
        if stdin.is_none() && source.contains("stdin") {
            continue; // input that nobody gave is missing
        }
        let asked = program(source, stdin.as_deref());
        let plain = pool.run(&asked).unwrap();
        if misses(&plain) || is_stopped(&plain) {
            continue;
        }
        let guided = guide(pool, &asked, &TypeUse, &options()).unwrap();
        // It is slower: on a busy machine its time is over before its steps are.
        if guided.trace.outcome == Outcome::Timeout {
            continue;
        }
        compared += 1;
        assert_eq!(
            guided.trace.outcome, plain.outcome,
            "{name}: {:?}",
            guided.injected
        );
        for (k, (a, b)) in guided.trace.steps.iter().zip(&plain.steps).enumerate() {
            assert_eq!(a, b, "{name}: step {k}");
        }
        assert_eq!(guided.trace.steps.len(), plain.steps.len(), "{name}");
        assert_eq!(guided.injected, [], "{name}");
    }
    compared
}

#[test]
fn complete_programs_do_what_they_do_anyway() {
    let mut programs = sources_in("examples");
    programs.extend(sources_in("data/tests/programs"));
    programs.extend(sources_in("mutate/tests/fixtures"));
    let compared = check_same(&programs);
    assert!(pool().is_none() || compared > 90, "{compared}");
}

#[test]
fn programs_of_the_corpus_do_what_they_do_anyway() {
    let corpus = "../shared/corpora/valid_programs.jsonl.zst";
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(corpus);
    if !corpus.exists() {
        eprintln!("skipped: {} is not there", corpus.display());
        return;
    }
    let text = zstd::decode_all(std::fs::File::open(corpus).unwrap()).unwrap();
    let text = String::from_utf8(text).unwrap();
    let programs: Vec<_> = text
        .lines()
        .step_by(5)
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            let of = |value: &serde_json::Value| value.as_str().map(str::to_owned);
            let stdin = of(&record["samples"][0]["in"]);
            (
                of(&record["id"]).unwrap(),
                of(&record["code"]).unwrap(),
                stdin,
            )
        })
        .collect();
    let compared = check_same(&programs);
    assert!(pool().is_none() || compared > 100, "{compared}");
}

#[test]
fn what_is_missing_is_made_up_and_said() {
    let source = "\
def describe(item):
    return item.name.upper() + '!'

for item in load(config['path']):
    print(describe(item))
with open('there_is_none.txt') as f:
    print(f.read().split())
import not_installed.inner as inner
from .sibling import thing
inner.go(thing, 3)
";
    let Some(guided) = finishes(source) else {
        return;
    };
    let names: Vec<&str> = guided.injected.iter().map(|i| i.name.as_str()).collect();
    for name in ["load", "config", "name", "open", "not_installed.inner"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    let states = guided.trace.steps.iter().flat_map(|s| s.state.iter());
    let shown = states.filter(|(_, value)| value.origin == Origin::Injected);
    assert!(shown.count() > 0);
    assert_eq!(guided.trace.output(), "A!\nA!\n['a', '1', 'b', '2']\n");
}

#[test]
fn every_way_to_use_a_missing_value_works() {
    for source in [
        "x.y.z(1)[2] += 3\n",
        "a, (b, *c) = x\nprint(len(c))\n",
        "for a, b in pairs:\n    print(a + b, a < b, -a, a @ b, ~b)\n",
        "with lock as held:\n    held.go()\n",
        "class A(Base):\n    def f(self):\n        return self.inherited + 1\nA(1).f()\n",
        "@app.route('/')\ndef page(request):\n    return request.args['q']\n",
        "try:\n    fail(Broken(1, key=2))\n    go()\nexcept (Other, Broken.Inner) as e:\n    raise\n",
        "async def f():\n    async with session.get(url) as r:\n        async for x in r:\n            print(await x.text())\nimport asyncio\nasyncio.run(f())\n",
        "print(f'{x:>3} {x!r} {x.y}', '%s %d' % (x, x), '{}'.format(x))\n",
        "print(os.path.join(root, 'a'), math.sqrt(9), json.dumps({'a': 1}))\n",
        "print(re.match(pattern, text), int(number), sorted(things), {**options})\n",
        "match point:\n    case Point(x=0):\n        print('origin')\n    case Circle(a, b):\n        print('circle')\n    case _:\n        print('else')\n",
        "x = yes if condition else no\ny = [i.a for i in items if i.b]\n",
        "matrix[1:2, ::3] = rows[0] | rows[1]\ndel matrix['a'], matrix.b\n",
        "while queue:\n    queue.pop().run()\n",
        "super().__init__(name)\nself.__private = cls.__other__\n",
        "if isinstance(x, str):\n    print('text')\nif hasattr(y, 'z') and callable(y.z):\n    y.z()\n",
        "assert left == right and not wrong and len(rows) == 3\n",
        "xrange(3)\nprint(unicode('a'), d.iteritems())\nd = {}\n",
    ] {
        if source.starts_with("match") || source.contains("except") {
            // One of its two branches.
            let Some(guided) = run(source) else { return };
            assert_eq!(guided.trace.outcome, Outcome::Finished, "{source}");
            continue;
        }
        if finishes(source).is_none() {
            return;
        }
    }
}

#[test]
fn files_with_made_up_names_are_kept_in_memory() {
    let source = "with open(os.path.join(out, 'a.txt'), 'w') as f:\n    f.write('kept')\nprint(open(os.path.join(out, 'a.txt')).read())\n";
    let Some(guided) = finishes(source) else {
        return;
    };
    assert_eq!(guided.trace.output(), "kept\n");
}

#[test]
fn bodies_of_functions_run_as_they_are() {
    for source in [
        "if not items:\n    x = 1\nreturn items[0]\n",
        "for a in b:\n    yield a\n",
        "x = await fetch(url)\nreturn x\n",
        "async for a in b:\n    yield await a\n",
        "nonlocal count\ncount += 1\ndef inner():\n    return count\nreturn inner()\n",
        "total: int = 3\nreturn total\n",
    ] {
        if finishes(source).is_none() {
            return;
        }
    }
    let source = "x = 1\nif x:\n    return x\nprint('not reached')\n";
    let Some(guided) = run(source) else { return };
    assert_eq!(guided.trace.outcome, Outcome::Finished);
    assert_eq!(
        (guided.coverage.covered, guided.trace.output().as_str()),
        (3, "")
    );
}

#[test]
fn errors_of_the_program_stay_its_own() {
    let cases = [
        ("print(1 / 0)\n", "ZeroDivisionError", 1),
        ("x = missing\nprint([1][5])\n", "IndexError", 2),
        ("x = missing\nprint('a' + 1)\n", "TypeError", 2),
        ("x = missing.y\n{}['a']\n", "KeyError", 2),
        ("x = missing()\n[1].push(2)\n", "AttributeError", 2),
        (
            "def f():\n    print(x)\n    x = missing\nf()\n",
            "UnboundLocalError",
            2,
        ),
        ("x = missing\nint('a')\n", "ValueError", 2),
        (
            "def f(x):\n    return x.a + 1 + ''\nmissing(1)\nf(3)\n",
            "AttributeError",
            2,
        ),
        ("raise ValueError(missing)\n", "ValueError", 1),
    ];
    for (source, kind, at) in cases {
        let Some(guided) = run(source) else { return };
        match guided.trace.outcome {
            Outcome::Raised {
                exception, line, ..
            } => {
                assert_eq!((exception.as_str(), line), (kind, at), "{source}");
            }
            other => panic!("{source}: {other:?}"),
        }
    }
}

#[test]
fn made_up_exceptions_are_raised_and_caught() {
    let source =
        "try:\n    raise Broken(1, key=2)\nexcept (Other, Broken) as e:\n    print('caught')\n";
    let Some(guided) = run(source) else { return };
    assert_eq!(guided.trace.output(), "caught\n");
}

#[test]
fn what_a_program_expects_to_be_missing_is_missing() {
    for (source, want) in [
        (
            "try:\n    import not_there\nexcept ImportError:\n    not_there = None\nprint(not_there)\n",
            "None\n",
        ),
        (
            "try:\n    unicode\nexcept NameError:\n    unicode = str\nprint(unicode(1))\n",
            "1\n",
        ),
        (
            "try:\n    open('no')\nexcept FileNotFoundError:\n    print('none')\n",
            "none\n",
        ),
    ] {
        let Some(guided) = run(source) else { return };
        assert_eq!(guided.trace.output(), want, "{source}");
        assert_eq!(guided.injected, [], "{source}");
    }
}

#[test]
fn classes_become_the_papers_values() {
    let source = "x = count\nprint(x)\nprint(name)\n";
    let Some(fine) = run_with(source, "naive", Abstraction::Fine) else {
        return;
    };
    assert!(
        fine.injected
            .iter()
            .all(|i| i.class == "object" && i.text == "<DummyCallable>")
    );
    // Algorithm 1: an attribute that a plain value lacks, and a call of a dummy, are predicted.
    let chain = "x = thing\nprint(x.attribute)\ny = helper\nz = y()\n";
    let guided = run_with(chain, "naive", Abstraction::Fine).unwrap();
    assert!(
        guided
            .injected
            .iter()
            .any(|i| i.kind == "attribute" && i.name == "attribute")
    );
    let random = |seed| {
        let predictor = predictor("random", seed).unwrap();
        let options = GuideOptions {
            abstraction: Abstraction::CoarseRandom,
            seed,
            ..options()
        };
        let source = "print(a); print(b); print(c); print(d); print(e); print(f)\n";
        guide(
            pool().unwrap(),
            &program(source, None),
            predictor.as_ref(),
            &options,
        )
        .unwrap()
    };
    assert_eq!(random(1), random(1));
    assert_ne!(random(1).injected, random(2).injected);
}

#[test]
fn without_a_predictor_nothing_is_made_up() {
    let Some(guided) = run_with("x = 1\nprint(y)\n", "as-is", Abstraction::Adaptive) else {
        return;
    };
    assert!(misses(&guided.trace));
    assert_eq!(guided.injected, []);
    assert_eq!((guided.coverage.covered, guided.coverage.lines), (1, 2));
}

#[test]
fn a_run_is_the_same_every_time() {
    let source = "for x in xs:\n    if x.a > y:\n        print(x, go(x))\n    else:\n        print(z[x.b])\n";
    let Some(first) = run(source) else { return };
    assert_eq!(run(source), Some(first));
}

#[test]
fn a_program_that_never_ends_is_stopped_and_reported() {
    let source = "x = missing\nn = 0\nwhile True:\n    n = -n\n";
    let pool = match pool() {
        Some(pool) => pool,
        None => return,
    };
    let guided = guide(pool, &program(source, None), &TypeUse, &options()).unwrap();
    assert_eq!(guided.trace.outcome, Outcome::StepLimit);
    assert_eq!(guided.injected.len(), 1);
    assert!(guided.coverage.is_full());
    // One that never comes back to its lines is killed, and what is known of it is its steps.
    let stuck = "x = 1\nsum(iter(int, 1))\n";
    let guided = guide(pool, &program(stuck, None), &TypeUse, &options()).unwrap();
    assert_eq!(guided.trace.outcome, Outcome::Timeout);
}

#[test]
fn no_input_crashes_it() {
    for source in [
        "",
        "\n\n",
        "x = = 1\n",
        "def f(:\n",
        "\u{feff}x = 1\n",
        "return\n",
        "yield\n",
        "x = '\u{1F600}' + y\n",
    ] {
        if let Some(guided) = run(source) {
            let kind = guided.trace.outcome;
            assert!(
                matches!(kind, Outcome::Finished | Outcome::SyntaxError { .. }),
                "{source:?}: {kind:?}"
            );
        }
    }
}

#[test]
fn conditions_on_made_up_values_lead_further() {
    for source in [
        // Identity, also with `None`.
        "if a.kind is other.kind:\n    print(1)\n    print(2)\n",
        "if a.kind is not other.kind:\n    print(1)\n",
        "if con.link is None:\n    con.link = make()\n",
        "if con.link is not None:\n    print(con.link)\n",
        // A condition on lines of its own.
        "if (\n    a.late\n    and b.early\n):\n    print(1)\n",
        // Files that nobody has.
        "import os\nif os.path.exists(folder):\n    print(1)\nfor root, folders, files in os.walk(folder):\n    print(root)\n",
        "import glob\nfor name in glob.glob(pattern):\n    print(name)\n",
        // What an object has of its own, and what a module is.
        "own = self.__dict__\nprint(own['name'])\n",
        "import gone_for_good\nprint(gone_for_good.__version__.split('.')[0])\n",
        // The maker of decorators, and a function that an object is given.
        "keys = KeyBindings()\n@keys.add('c')\ndef pressed():\n    pass\nprint(pressed)\n",
        "def changed():\n    print(1)\nbutton.callback = changed\n",
    ] {
        if finishes(source).is_none() {
            return;
        }
    }
    // What leaves early costs what follows.
    let guided = run("if con.link is not None:\n    exit()\nprint(1)\nprint(2)\n");
    if let Some(guided) = guided {
        assert_eq!(guided.trace.outcome, Outcome::Finished);
    }
    // A complete program is as it is.
    let source = "x = []\ny = x\nprint(x is y, x is not y, x is None)\nif x is y:\n    print(1)\nif x is [] or x is None:\n    print(2)\n";
    if let Some(guided) = run(source) {
        assert_eq!(guided.trace.output(), "True False False\n1\n");
    }
}
