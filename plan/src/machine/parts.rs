//! Parts of the runtime that stand for packages: they are loaded for programs that name the package.

/// What stands for `numpy`; each file builds on those before it.
const NUMPY: [&str; 12] = [
    include_str!("runtime/numpy/types.py"),
    include_str!("runtime/numpy/scalars.py"),
    include_str!("runtime/numpy/arrays.py"),
    include_str!("runtime/numpy/subscripts.py"),
    include_str!("runtime/numpy/items.py"),
    include_str!("runtime/numpy/making.py"),
    include_str!("runtime/numpy/reductions.py"),
    include_str!("runtime/numpy/order.py"),
    include_str!("runtime/numpy/shapes.py"),
    include_str!("runtime/numpy/choosing.py"),
    include_str!("runtime/numpy/products.py"),
    include_str!("runtime/numpy/text.py"),
];

/// Regular expressions.
const PATTERNS: [&str; 1] = [include_str!("runtime/patterns.py")];

/// Dates and times; each file builds on those before it.
const DATES: [&str; 6] = [
    include_str!("runtime/datetime/dates.py"),
    include_str!("runtime/datetime/times.py"),
    include_str!("runtime/datetime/stamps.py"),
    include_str!("runtime/datetime/reads.py"),
    include_str!("runtime/datetime/calendars.py"),
    include_str!("runtime/datetime/tuples.py"),
];

/// JSON, CSV and HTML; the decoder of JSON builds on what encodes.
const FORMATS: [&str; 4] = [
    include_str!("runtime/texts/json_dumps.py"),
    include_str!("runtime/texts/json_loads.py"),
    include_str!("runtime/texts/csv.py"),
    include_str!("runtime/texts/html.py"),
];

/// Statistics, and texts in paragraphs.
const SUMMARIES: [&str; 2] = [
    include_str!("runtime/texts/statistics.py"),
    include_str!("runtime/texts/textwrap.py"),
];

/// Decimal numbers; each file builds on those before it.
const DECIMAL: [&str; 4] = [
    include_str!("runtime/decimal/core.py"),
    include_str!("runtime/decimal/arithmetic.py"),
    include_str!("runtime/decimal/text.py"),
    include_str!("runtime/decimal/number.py"),
];

/// The event loop of `asyncio`, and what waits in it.
const ASYNCIO: [&str; 2] = [
    include_str!("runtime/asyncio/loop.py"),
    include_str!("runtime/asyncio/sync.py"),
];

/// Random numbers after a seed.
const RANDOM: [&str; 1] = [include_str!("runtime/random.py")];

/// Contexts, and orders of graphs.
const CONTEXTS: [&str; 2] = [
    include_str!("runtime/rarer/contextvars.py"),
    include_str!("runtime/rarer/graphlib.py"),
];

/// `argparse`; each file builds on those before it.
const ARGUMENTS: [&str; 7] = [
    include_str!("runtime/argparse/names.py"),
    include_str!("runtime/argparse/actions.py"),
    include_str!("runtime/argparse/usage.py"),
    include_str!("runtime/argparse/formatters.py"),
    include_str!("runtime/argparse/containers.py"),
    include_str!("runtime/argparse/reading.py"),
    include_str!("runtime/argparse/parser.py"),
];

/// `unittest`; each file builds on those before it.
const TESTS: [&str; 9] = [
    include_str!("runtime/unittest/texts.py"),
    include_str!("runtime/unittest/differences.py"),
    include_str!("runtime/unittest/asserts.py"),
    include_str!("runtime/unittest/assertions.py"),
    include_str!("runtime/unittest/cases.py"),
    include_str!("runtime/unittest/special.py"),
    include_str!("runtime/unittest/results.py"),
    include_str!("runtime/unittest/suites.py"),
    include_str!("runtime/unittest/programs.py"),
];

/// Weak references.
const WEAK: [&str; 1] = [include_str!("runtime/rarer/weakref.py")];

/// Values over several lines.
const PRETTY: [&str; 1] = [include_str!("runtime/texts/pprint.py")];

/// Files of bytes in memory, and the base of the program's own.
const BYTE_FILES: [&str; 1] = [include_str!("runtime/rarer/bytes_io.py")];

/// Containers around a dict, a list or a text.
const USERS: [&str; 1] = [include_str!("runtime/rarer/users.py")];

/// Threads.
const THREADS: [&str; 1] = [include_str!("runtime/rarer/threading.py")];

/// Fractions.
const FRACTIONS: [&str; 1] = [include_str!("runtime/rarer/fraction.py")];

/// `logging`; each file builds on those before it.
const LOGGING: [&str; 4] = [
    include_str!("runtime/logging/records.py"),
    include_str!("runtime/logging/formats.py"),
    include_str!("runtime/logging/handlers.py"),
    include_str!("runtime/logging/loggers.py"),
];

/// Loggers that only write to the standard error.
const LOGGERS: [&str; 1] = [include_str!("runtime/loggers.py")];

/// Identifiers.
const UUIDS: [&str; 1] = [include_str!("runtime/bytes/uuid.py")];

/// Views of bytes.
const VIEWS: [&str; 1] = [include_str!("runtime/bytes/views.py")];

/// Hashes, encodings and numbers as bytes.
const BYTES: [&str; 3] = [
    include_str!("runtime/bytes/hashes.py"),
    include_str!("runtime/bytes/encodings.py"),
    include_str!("runtime/bytes/struct.py"),
];

/// Threads that work off what is submitted.
const EXECUTORS: [&str; 1] = [include_str!("runtime/rarer/executors.py")];

/// Differences of sequences.
const DIFFERENCES: [&str; 1] = [include_str!("runtime/texts/difflib.py")];

/// What surrounds a program.
const ENVIRONMENT: [&str; 1] = [include_str!("runtime/rarer/environment.py")];

/// Signatures of functions.
const ARRAYS: [&str; 1] = [include_str!("runtime/rarer/number_arrays.py")];
const TRACEBACKS: [&str; 1] = [include_str!("runtime/rarer/tracebacks.py")];
const GROUPS: [&str; 1] = [include_str!("runtime/rarer/groups.py")];
const SIGNATURES: [&str; 1] = [include_str!("runtime/rarer/signatures.py")];

/// `urllib.parse`.
const ADDRESSES: [&str; 1] = [include_str!("runtime/texts/urls.py")];

/// `configparser`; the parser builds on the errors and the interpolation.
const SETTINGS: [&str; 2] = [
    include_str!("runtime/texts/config_values.py"),
    include_str!("runtime/texts/config_parser.py"),
];

/// What classes of the program come from in place of `int`, `float`, `str` and `tuple`.
const SUBCLASSES: [&str; 2] = [
    include_str!("runtime/subclasses/numbers.py"),
    include_str!("runtime/subclasses/sequences.py"),
];

/// What they come from in place of the mappings of `collections`.
const MAPPINGS: [&str; 1] = [include_str!("runtime/subclasses/mappings.py")];

/// What they come from in place of sets and `deque`.
const SETS: [&str; 1] = [include_str!("runtime/subclasses/sets.py")];

/// At which levels of folding a part is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Always.
    Always,
    /// Where methods are folded; elsewhere the packages are asked.
    Methods,
    /// Where methods are not folded: in place of another part.
    Below,
}

/// A part of the runtime.
struct Part {
    /// Packages that it stands for, or classes of packages.
    packages: &'static [&'static str],
    /// Python files, in order.
    files: &'static [&'static str],
    /// At which levels of folding it is there.
    when: When,
}

const PARTS: [Part; 34] = [
    Part {
        // `unittest` shows differences.
        packages: &["difflib", "unittest"],
        files: &DIFFERENCES,
        when: When::Methods,
    },
    Part {
        packages: &["ThreadPoolExecutor"],
        files: &EXECUTORS,
        when: When::Always,
    },
    Part {
        packages: &[
            "environ",
            "fstat",
            "getenv",
            "keyword",
            "path",
            "version",
            "warnoptions",
        ],
        files: &ENVIRONMENT,
        when: When::Always,
    },
    Part {
        packages: &["numpy"],
        files: &NUMPY,
        when: When::Always,
    },
    Part {
        packages: &["re", "unittest"],
        files: &PATTERNS,
        when: When::Methods,
    },
    Part {
        packages: &[
            "datetime",
            "calendar",
            "gmtime",
            "localtime",
            "strftime",
            "strptime",
            "asctime",
            "ctime",
            "mktime",
        ],
        files: &DATES,
        when: When::Methods,
    },
    Part {
        packages: &["json", "csv", "html"],
        files: &FORMATS,
        when: When::Methods,
    },
    Part {
        packages: &["asyncio"],
        files: &ASYNCIO,
        when: When::Methods,
    },
    Part {
        packages: &["decimal"],
        files: &DECIMAL,
        when: When::Methods,
    },
    Part {
        // `argparse` wraps its texts.
        packages: &["statistics", "textwrap", "argparse"],
        files: &SUMMARIES,
        when: When::Methods,
    },
    Part {
        packages: &["random"],
        files: &RANDOM,
        when: When::Methods,
    },
    Part {
        packages: &["contextvars", "graphlib"],
        files: &CONTEXTS,
        when: When::Always,
    },
    Part {
        packages: &["UserDict", "UserList", "UserString"],
        files: &USERS,
        when: When::Always,
    },
    Part {
        packages: &["threading"],
        files: &THREADS,
        when: When::Always,
    },
    Part {
        packages: &["fractions"],
        files: &FRACTIONS,
        when: When::Methods,
    },
    Part {
        packages: &["pprint"],
        files: &PRETTY,
        when: When::Methods,
    },
    Part {
        packages: &["weakref"],
        files: &WEAK,
        when: When::Always,
    },
    Part {
        packages: &["argparse"],
        files: &ARGUMENTS,
        when: When::Methods,
    },
    Part {
        packages: &["logging", "unittest"],
        files: &LOGGING,
        when: When::Methods,
    },
    Part {
        packages: &["logging"],
        files: &LOGGERS,
        when: When::Below,
    },
    Part {
        packages: &["unittest"],
        files: &TESTS,
        when: When::Methods,
    },
    Part {
        packages: &["uuid"],
        files: &UUIDS,
        when: When::Methods,
    },
    Part {
        packages: &["memoryview"],
        files: &VIEWS,
        when: When::Always,
    },
    Part {
        packages: &["hashlib", "hmac", "base64", "binascii", "zlib", "struct"],
        files: &BYTES,
        when: When::Methods,
    },
    Part {
        packages: &["BytesIO", "IOBase"],
        files: &BYTE_FILES,
        when: When::Always,
    },
    Part {
        packages: &["from array import", "import array"],
        files: &ARRAYS,
        when: When::Always,
    },
    Part {
        packages: &["traceback", "__traceback__", "exc_info", "logging"],
        files: &TRACEBACKS,
        when: When::Always,
    },
    Part {
        packages: &[
            "ExceptionGroup",
            "BaseExceptionGroup",
            "except*",
            "except *",
            "TaskGroup",
        ],
        files: &GROUPS,
        when: When::Always,
    },
    Part {
        packages: &["urllib"],
        files: &ADDRESSES,
        when: When::Methods,
    },
    Part {
        packages: &["configparser"],
        files: &SETTINGS,
        when: When::Methods,
    },
    Part {
        packages: &["inspect"],
        files: &SIGNATURES,
        when: When::Always,
    },
    Part {
        // Ends of the first line of a class.
        packages: &[
            "(int):",
            "(float):",
            "(str):",
            "(tuple):",
            ", int):",
            ", float):",
            ", str):",
            ", tuple):",
        ],
        files: &SUBCLASSES,
        when: When::Always,
    },
    Part {
        packages: &["OrderedDict):", "Counter):", "defaultdict):"],
        files: &MAPPINGS,
        when: When::Always,
    },
    Part {
        packages: &["(set):", ", set):", "frozenset):", "deque):"],
        files: &SETS,
        when: When::Always,
    },
];

impl Part {
    fn is_there(&self, methods: bool) -> bool {
        match self.when {
            When::Always => true,
            When::Methods => methods,
            When::Below => !methods,
        }
    }
}

/// The set of parts that a program needs: those whose packages it names, where methods are folded or not.
pub(super) fn needed(source: &str, methods: bool) -> usize {
    let names = |package: &&str| {
        let mut places = source.match_indices(*package);
        places.any(|(at, _)| {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let after = &source[at + package.len()..];
            let apart = !package.starts_with(is_name) || !source[..at].ends_with(is_name);
            apart && (!package.ends_with(is_name) || !after.starts_with(is_name))
        })
    };
    let needed = PARTS
        .iter()
        .map(|part| part.is_there(methods) && part.packages.iter().any(names));
    needed
        .enumerate()
        .map(|(bit, needed)| usize::from(needed) << bit)
        .sum()
}

/// The Python files of a set, in order.
pub(super) fn files(set: usize) -> Vec<&'static str> {
    let parts = PARTS
        .iter()
        .enumerate()
        .filter(|(bit, _)| set >> bit & 1 == 1);
    parts
        .flat_map(|(_, part)| part.files.iter().copied())
        .collect()
}

/// Whether a package is asked where methods are not folded, though the runtime has it.
pub(super) fn is_of_methods(module: &str) -> bool {
    let package = module.split('.').next().unwrap_or(module);
    let has = |when: When| {
        let mut parts = PARTS.iter().filter(|part| part.when == when);
        parts.any(|part| part.packages.contains(&package))
    };
    has(When::Methods) && !has(When::Below)
}
