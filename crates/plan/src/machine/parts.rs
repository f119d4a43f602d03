//! Parts of the runtime that stand for packages: they are loaded for programs that name the package.

use super::part_files::{
    ADDRESSES, ARGUMENTS, ARRAYS, ASYNCIO, AT_EXIT, BYTE_FILES, BYTES, CONTEXTS, DATES, DECIMAL,
    DIFFERENCES, DOCTESTS, ENVIRONMENT, EXECUTORS, FILES, FORMATS, FRACTIONS, GROUPS, LOGGERS,
    LOGGING, MAPPINGS, NUMPY, PATTERNS, PRETTY, RANDOM, RELATIVE_PATHS, SETS, SETTINGS, SIGNATURES,
    SUBCLASSES, SUMMARIES, TESTS, THREADS, TRACEBACKS, USERS, UUIDS, VIEWS, WEAK,
};

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

const PARTS: [Part; 38] = [
    Part {
        // `unittest` shows differences.
        packages: &["difflib", "unittest"],
        files: &DIFFERENCES,
        when: When::Methods,
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
        packages: &["relative_to", "relpath", "commonpath", "commonprefix"],
        files: &RELATIVE_PATHS,
        when: When::Always,
    },
    Part {
        packages: &["atexit", "finalize"],
        files: &AT_EXIT,
        when: When::Always,
    },
    Part {
        packages: &["UserDict", "UserList", "UserString"],
        files: &USERS,
        when: When::Always,
    },
    Part {
        packages: &[
            "open",
            "Path",
            "exists",
            "isfile",
            "isdir",
            "getsize",
            "listdir",
            "makedirs",
            "mkdir",
            "os.remove",
            "os.rename",
            "os.walk",
            "scandir",
            "glob",
            "shutil",
            "tempfile",
        ],
        files: &FILES,
        when: When::Methods,
    },
    Part {
        packages: &[
            "threading",
            "ThreadPoolExecutor",
            "to_thread",
            "run_in_executor",
        ],
        files: &THREADS,
        when: When::Always,
    },
    Part {
        packages: &["ThreadPoolExecutor", "to_thread", "run_in_executor"],
        files: &EXECUTORS,
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
        packages: &["from array import", "import array", "array.array"],
        files: &ARRAYS,
        when: When::Always,
    },
    Part {
        packages: &[
            "doctest",
            "traceback",
            "__traceback__",
            "exc_info",
            "logging",
        ],
        files: &TRACEBACKS,
        when: When::Always,
    },
    Part {
        packages: &["doctest"],
        files: &DOCTESTS,
        when: When::Methods,
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

/// The Python files of what stands for a builtin class as a base.
pub(super) fn of_base(builtin: &str) -> &'static [&'static str] {
    match builtin {
        "int" | "float" | "str" | "tuple" => &SUBCLASSES,
        "set" | "frozenset" | "collections.deque" => &SETS,
        _ => &MAPPINGS,
    }
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
