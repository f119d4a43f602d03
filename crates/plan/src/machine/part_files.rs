//! Python files of the parts of the runtime.

/// What stands for `numpy`; each file builds on those before it.
pub(super) const NUMPY: [&str; 12] = [
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
pub(super) const PATTERNS: [&str; 1] = [include_str!("runtime/patterns.py")];

/// Dates and times; each file builds on those before it.
pub(super) const DATES: [&str; 6] = [
    include_str!("runtime/datetime/dates.py"),
    include_str!("runtime/datetime/times.py"),
    include_str!("runtime/datetime/stamps.py"),
    include_str!("runtime/datetime/reads.py"),
    include_str!("runtime/datetime/calendars.py"),
    include_str!("runtime/datetime/tuples.py"),
];

/// JSON, CSV and HTML; the decoder of JSON builds on what encodes.
pub(super) const FORMATS: [&str; 4] = [
    include_str!("runtime/texts/json_dumps.py"),
    include_str!("runtime/texts/json_loads.py"),
    include_str!("runtime/texts/csv.py"),
    include_str!("runtime/texts/html.py"),
];

/// Statistics, and texts in paragraphs.
pub(super) const SUMMARIES: [&str; 2] = [
    include_str!("runtime/texts/statistics.py"),
    include_str!("runtime/texts/textwrap.py"),
];

/// Decimal numbers; each file builds on those before it.
pub(super) const DECIMAL: [&str; 4] = [
    include_str!("runtime/decimal/core.py"),
    include_str!("runtime/decimal/arithmetic.py"),
    include_str!("runtime/decimal/text.py"),
    include_str!("runtime/decimal/number.py"),
];

/// The event loop of `asyncio`, and what waits in it.
pub(super) const ASYNCIO: [&str; 2] = [
    include_str!("runtime/asyncio/loop.py"),
    include_str!("runtime/asyncio/sync.py"),
];

/// Random numbers after a seed.
pub(super) const RANDOM: [&str; 1] = [include_str!("runtime/random.py")];

/// Contexts, and orders of graphs.
pub(super) const CONTEXTS: [&str; 2] = [
    include_str!("runtime/rarer/contextvars.py"),
    include_str!("runtime/rarer/graphlib.py"),
];

/// Paths beside others.
pub(super) const RELATIVE_PATHS: [&str; 1] = [include_str!("runtime/rarer/relative_paths.py")];

/// What is called at the end.
pub(super) const AT_EXIT: [&str; 1] = [include_str!("runtime/rarer/at_exit.py")];

/// `argparse`; each file builds on those before it.
pub(super) const ARGUMENTS: [&str; 7] = [
    include_str!("runtime/argparse/names.py"),
    include_str!("runtime/argparse/actions.py"),
    include_str!("runtime/argparse/usage.py"),
    include_str!("runtime/argparse/formatters.py"),
    include_str!("runtime/argparse/containers.py"),
    include_str!("runtime/argparse/reading.py"),
    include_str!("runtime/argparse/parser.py"),
];

/// `unittest`; each file builds on those before it.
pub(super) const TESTS: [&str; 9] = [
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
pub(super) const WEAK: [&str; 1] = [include_str!("runtime/rarer/weakref.py")];

/// Values over several lines.
pub(super) const PRETTY: [&str; 1] = [include_str!("runtime/texts/pprint.py")];

/// Files of bytes in memory, and the base of the program's own.
pub(super) const BYTE_FILES: [&str; 1] = [include_str!("runtime/rarer/bytes_io.py")];

/// Containers around a dict, a list or a text.
pub(super) const USERS: [&str; 1] = [include_str!("runtime/rarer/users.py")];

/// Files that the program makes.
pub(super) const FILES: [&str; 4] = [
    include_str!("runtime/rarer/memory_files.py"),
    include_str!("runtime/rarer/memory_names.py"),
    include_str!("runtime/rarer/memory_search.py"),
    include_str!("runtime/rarer/memory_temporary.py"),
];

/// Threads.
pub(super) const THREADS: [&str; 2] = [
    include_str!("runtime/rarer/threading.py"),
    include_str!("runtime/rarer/thread_sync.py"),
];

/// Fractions.
pub(super) const FRACTIONS: [&str; 1] = [include_str!("runtime/rarer/fraction.py")];

/// `logging`; each file builds on those before it.
pub(super) const LOGGING: [&str; 4] = [
    include_str!("runtime/logging/records.py"),
    include_str!("runtime/logging/formats.py"),
    include_str!("runtime/logging/handlers.py"),
    include_str!("runtime/logging/loggers.py"),
];

/// Loggers that only write to the standard error.
pub(super) const LOGGERS: [&str; 1] = [include_str!("runtime/loggers.py")];

/// Identifiers.
pub(super) const UUIDS: [&str; 1] = [include_str!("runtime/bytes/uuid.py")];

/// Views of bytes.
pub(super) const VIEWS: [&str; 1] = [include_str!("runtime/bytes/views.py")];

/// Hashes, encodings and numbers as bytes.
pub(super) const BYTES: [&str; 3] = [
    include_str!("runtime/bytes/hashes.py"),
    include_str!("runtime/bytes/encodings.py"),
    include_str!("runtime/bytes/struct.py"),
];

/// Threads that work off what is submitted.
pub(super) const EXECUTORS: [&str; 1] = [include_str!("runtime/rarer/executors.py")];

/// Differences of sequences.
pub(super) const DIFFERENCES: [&str; 1] = [include_str!("runtime/texts/difflib.py")];

/// What surrounds a program.
pub(super) const ENVIRONMENT: [&str; 1] = [include_str!("runtime/rarer/environment.py")];

/// Signatures of functions.
pub(super) const ARRAYS: [&str; 1] = [include_str!("runtime/rarer/number_arrays.py")];
pub(super) const TRACEBACKS: [&str; 1] = [include_str!("runtime/rarer/tracebacks.py")];
pub(super) const GROUPS: [&str; 1] = [include_str!("runtime/rarer/groups.py")];
pub(super) const SIGNATURES: [&str; 1] = [include_str!("runtime/rarer/signatures.py")];

/// `urllib.parse`.
pub(super) const ADDRESSES: [&str; 1] = [include_str!("runtime/texts/urls.py")];

/// `configparser`; the parser builds on the errors and the interpolation.
pub(super) const SETTINGS: [&str; 2] = [
    include_str!("runtime/texts/config_values.py"),
    include_str!("runtime/texts/config_parser.py"),
];

/// What classes of the program come from in place of `int`, `float`, `str` and `tuple`.
pub(super) const SUBCLASSES: [&str; 2] = [
    include_str!("runtime/subclasses/numbers.py"),
    include_str!("runtime/subclasses/sequences.py"),
];

/// What they come from in place of the mappings of `collections`.
pub(super) const MAPPINGS: [&str; 1] = [include_str!("runtime/subclasses/mappings.py")];

/// What they come from in place of sets and `deque`.
pub(super) const SETS: [&str; 1] = [include_str!("runtime/subclasses/sets.py")];

/// Examples of docstrings.
pub(super) const DOCTESTS: [&str; 1] = [include_str!("runtime/rarer/doctests.py")];
