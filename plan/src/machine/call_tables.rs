//! Which builtin and library functions the runtime walks, and which no oracle can answer: tables.

use crate::value::Value;

/// Functions that the runtime executes where an argument calls back or can be taken once only, and with folding.
pub(super) const ON_DEMAND: [&str; 6] = ["any", "all", "sum", "min", "max", "sorted"];

/// Functions that the runtime executes: they are made of operators alone, which are folded or asked.
pub(super) const WALKED: [&str; 70] = [
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

/// Modules and functions that depend on more than their arguments, or whose values no network can know.
pub(super) const STATEFUL: [&str; 58] = [
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
    "zoneinfo.",
];

/// Whether a function or class depends on more than its arguments: on files, processes, the clock, chance.
pub(super) fn is_stateful(name: &str) -> bool {
    name != "ast.literal_eval" && STATEFUL.iter().any(|prefix| name.starts_with(prefix))
}

/// Methods of classes, whose first argument is no receiver.
pub(super) const UNBOUND: [&str; 6] = [
    "str.maketrans",
    "bytes.maketrans",
    "bytearray.maketrans",
    "dict.fromkeys",
    "collections.OrderedDict.fromkeys",
    "int.from_bytes",
];

/// The function that a method of a value is which has nothing of the value: `''.maketrans` is `str.maketrans`.
pub(super) fn without_receiver(receiver: &Value, method: &str) -> Option<&'static str> {
    Some(match (receiver, method) {
        (Value::Str(_), "maketrans") => "str.maketrans",
        (Value::Bytes(_), "maketrans") => "bytes.maketrans",
        (Value::Bytes(_), "fromhex") => "bytes.fromhex",
        (Value::Int(_) | Value::Bool(_) | Value::BigInt(_), "from_bytes") => "int.from_bytes",
        _ => return None,
    })
}

/// The builtin class that `types` has under a name.
pub(super) fn kind_of_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "BuiltinFunctionType" | "BuiltinMethodType" => "builtin_function_or_method",
        "CoroutineType" => "coroutine",
        "EllipsisType" => "ellipsis",
        "FunctionType" | "LambdaType" => "function",
        "GeneratorType" => "generator",
        "MethodType" => "method",
        "ModuleType" => "module",
        "NoneType" => "NoneType",
        "NotImplementedType" => "NotImplementedType",
        _ => return None,
    })
}

/// Modules whose functions look into objects of the program, which no oracle can.
pub(super) const LOOK_INSIDE: [&str; 8] = [
    "dataclasses.",
    "functools.",
    "types.",
    "typing.",
    "json.",
    "copy.",
    "pprint.",
    "contextlib.",
];
