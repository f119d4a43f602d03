//! Tables of the builtin and library functions that the runtime walks, and of those that no oracle
//! can answer.

use crate::value::Value;

/// Prefix of library modules with functions made of operators alone. The name of the module that
/// they replace follows.
pub(in crate::machine) const FOLDED: &str = "_folded.";

/// Functions that the runtime executes if an argument calls back or can be consumed only once, and
/// with folding.
pub(in crate::machine) const ON_DEMAND: [&str; 6] = ["any", "all", "sum", "min", "max", "sorted"];

/// Functions that the runtime executes: they are made of operators alone, which are folded or
/// asked.
pub(in crate::machine) const WALKED: [&str; 70] = [
    "abs",
    "divmod",
    "sum",
    "math.gcd",
    "math.lcm",
    "math.prod",
    "math.isqrt",
    "math.comb",
    "math.perm",
    "math.factorial",
    "heapq.heappush",
    "heapq.heappop",
    "heapq.heapify",
    "heapq.heapreplace",
    "heapq.heappushpop",
    "heapq.nlargest",
    "heapq.nsmallest",
    "heapq.merge",
    "bisect.bisect_left",
    "bisect.bisect_right",
    "bisect.bisect",
    "bisect.insort_left",
    "bisect.insort_right",
    "bisect.insort",
    "operator.add",
    "operator.sub",
    "operator.mul",
    "operator.truediv",
    "operator.floordiv",
    "operator.mod",
    "operator.pow",
    "operator.and_",
    "operator.or_",
    "operator.xor",
    "operator.lshift",
    "operator.rshift",
    "operator.eq",
    "operator.ne",
    "operator.lt",
    "operator.le",
    "operator.gt",
    "operator.ge",
    "operator.getitem",
    "operator.setitem",
    "operator.delitem",
    "operator.contains",
    "operator.concat",
    "operator.not_",
    "operator.truth",
    "operator.is_",
    "operator.is_not",
    "operator.neg",
    "operator.pos",
    "operator.inv",
    "operator.invert",
    "operator.countOf",
    "operator.indexOf",
    "operator.iadd",
    "operator.isub",
    "operator.imul",
    "operator.itruediv",
    "operator.ifloordiv",
    "operator.imod",
    "operator.ipow",
    "operator.iand",
    "operator.ior",
    "operator.ixor",
    "operator.iconcat",
    "operator.call",
    "operator.index",
];

/// Modules and functions that depend on more than their arguments, or whose values no network can
/// know.
pub(in crate::machine) const STATEFUL: [&str; 60] = [
    "argparse.",
    "array.",
    "ast.",
    "asyncio.",
    "bz2.",
    "codecs.",
    "concurrent.",
    "configparser.",
    "csv.",
    "datetime.date.today",
    "datetime.datetime.now",
    "difflib.",
    "doctest.",
    "email.",
    "fileinput.",
    "gc.",
    "getpass.",
    "glob.",
    "gzip.",
    "http.",
    "importlib.",
    "inspect.",
    "ipaddress.",
    "io.",
    "linecache.",
    "locale.",
    "logging.",
    "lzma.",
    "marshal.",
    "multiprocessing.",
    "optparse.",
    "os.",
    "pathlib.",
    "pickle.",
    "platform.",
    "random.",
    "secrets.",
    "shutil.",
    "sched.",
    "signal.",
    "socket.",
    "sqlite3.",
    "statistics.NormalDist",
    "subprocess.",
    "sys.",
    "tempfile.",
    "typing.",
    "threading.",
    "time.",
    "timeit.",
    "traceback.",
    "unittest.",
    "urllib.request.",
    "uuid.",
    "warnings.",
    "weakref.",
    "xml.",
    "zipfile.",
    "zipimport.",
    "zoneinfo.",
];

/// Whether a function or class depends on more than its arguments: files, processes, the clock or
/// randomness.
pub(in crate::machine) fn is_stateful(name: &str) -> bool {
    name != "ast.literal_eval" && STATEFUL.iter().any(|prefix| name.starts_with(prefix))
}

/// Methods of classes, whose first argument is not a receiver.
pub(in crate::machine) const UNBOUND: [&str; 7] = [
    "str.maketrans",
    "bytes.fromhex",
    "bytes.maketrans",
    "bytearray.maketrans",
    "dict.fromkeys",
    "collections.OrderedDict.fromkeys",
    "int.from_bytes",
];

/// Returns the function that ignores the value it is read from: `''.maketrans` is `str.maketrans`.
pub(in crate::machine) fn without_receiver(receiver: &Value, method: &str) -> Option<&'static str> {
    let class = match receiver {
        Value::Str(_) => "str",
        Value::Bytes(_) => "bytes",
        Value::Int(_) | Value::Bool(_) | Value::BigInt(_) => "int",
        _ => return None,
    };
    let is_it = |name: &&str| name.rsplit_once('.') == Some((class, method));
    UNBOUND.iter().copied().find(is_it)
}

/// Modules whose functions inspect objects of the program, which no oracle can do.
pub(in crate::machine) const LOOK_INSIDE: [&str; 8] = [
    "dataclasses.",
    "functools.",
    "types.",
    "typing.",
    "json.",
    "copy.",
    "pprint.",
    "contextlib.",
];
