"""Writes what CPython 3.11 compiles programs to, one JSON record a line.

    python3.11 dump_code.py FILE…

A FILE ends in `.py`, in `.txt` with programs between lines `# ---`, or in `.jsonl` or `.jsonl.zst` with programs under
`code` (and `id`). `-` answers lines of JSON on standard input one by one. Nothing is executed: programs are compiled only. The form of the code is that of `crates/compile/src/code.rs`: no caches and no
EXTENDED_ARG, jump targets are indices of instructions, indices of cells count from the first cell.
"""

import dis
import json
import struct
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(10_000)

JUMPS = set(dis.hasjrel) | set(dis.hasjabs)
BACKWARD = {op for op in JUMPS if "BACKWARD" in dis.opname[op]}
DEREF = {
    dis.opmap[name]
    for name in (
        "MAKE_CELL LOAD_CLOSURE LOAD_DEREF STORE_DEREF DELETE_DEREF LOAD_CLASSDEREF".split()
    )
}


def name_of(op):
    name = dis.opname[op]
    if name in ("JUMP_FORWARD", "JUMP_BACKWARD"):
        name = "JUMP"
    name = name.replace("_FORWARD", "").replace("_BACKWARD", "")
    return "".join(part.capitalize() for part in name.split("_"))


def text(value):
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)


def bits(value):
    return struct.pack(">d", value).hex()


def constant(value):
    kind = type(value)
    if value is None or value is ...:
        return repr(value)
    if kind is bool or kind is int:
        return [kind.__name__, hex(value)]
    if kind is float:
        return ["float", bits(value)]
    if kind is complex:
        return ["complex", bits(value.real), bits(value.imag)]
    if kind is str:
        return ["str", text(value)]
    if kind is bytes:
        return ["bytes", value.hex()]
    if kind is tuple:
        return ["tuple", [constant(item) for item in value]]
    if kind is frozenset:
        return ["frozenset", sorted((constant(item) for item in value), key=json.dumps)]
    return ["code", code(value)]


def code(co):
    raw = co.co_code
    lines = [line or 0 for line, *_ in co.co_positions()]
    index = {}  # offset -> instruction at or behind it
    found = []
    extended = 0
    pending = []
    for at in range(0, len(raw), 2):
        op, arg = raw[at], raw[at + 1] | extended
        pending.append(at)
        extended = 0
        if dis.opname[op] == "CACHE":
            continue
        if op == dis.EXTENDED_ARG:
            extended = arg << 8
            continue
        for offset in pending:
            index[offset] = len(found)
        pending = []
        found.append((at, op, arg))
    for offset in (*pending, len(raw)):
        index[offset] = len(found)
    own = [cell for cell in co.co_cellvars if cell not in co.co_varnames]
    derefs = [
        co.co_cellvars.index(name) if name in co.co_cellvars else -1
        for name in (*co.co_varnames, *own)
    ]
    derefs += [len(co.co_cellvars) + at for at in range(len(co.co_freevars))]
    caches = {}
    for at, op, arg in found:
        caches[at] = dis._inline_cache_entries[op]
    instructions = []
    for at, op, arg in found:
        if op in JUMPS:
            behind = at + 2 + 2 * caches[at]
            if op in dis.hasjabs:
                arg = index[arg * 2]
            else:
                arg = index[behind + (-arg if op in BACKWARD else arg) * 2]
        elif op in DEREF:
            arg = derefs[arg]
        elif op < dis.HAVE_ARGUMENT:
            arg = 0
        instructions.append([name_of(op), arg, lines[at // 2]])
    handlers = [
        [index[entry.start], index[entry.end], index[entry.target], entry.depth, entry.lasti]
        for entry in dis._parse_exception_table(co)
    ]
    flags = co.co_flags
    return {
        "name": text(co.co_name),
        "qualname": text(co.co_qualname),
        "first_line": co.co_firstlineno,
        "args": [co.co_argcount, co.co_posonlyargcount, co.co_kwonlyargcount],
        "flags": [bool(flags & bit) for bit in (0x4, 0x8, 0x20, 0x80, 0x200, 0x1)],
        "instructions": instructions,
        "handlers": handlers,
        "constants": [constant(value) for value in co.co_consts],
        "names": list(co.co_names),
        "var_names": list(co.co_varnames),
        "cell_vars": list(co.co_cellvars),
        "free_vars": list(co.co_freevars),
        "stack_size": co.co_stacksize,
    }


def programs(path):
    if path.endswith(".py"):
        with open(path, "rb") as file:
            yield path, file.read().decode("utf-8", "surrogateescape")
        return
    if path.endswith(".txt"):
        with open(path, encoding="utf-8", newline="") as file:
            for at, source in enumerate(file.read().split("# ---\n")):
                yield str(at), source
        return
    if path == "-":
        for line in sys.stdin:
            yield "-", json.loads(line)["code"]
        return
    if path.endswith(".zst"):
        data = subprocess.run(["zstdcat", path], stdout=subprocess.PIPE, check=True).stdout
    else:
        with open(path, "rb") as file:
            data = file.read()
    for at, line in enumerate(data.splitlines()):
        record = json.loads(line)
        yield str(record.get("id", at)), record["code"]


def main():
    for path in sys.argv[1:]:
        for name, source in programs(path):
            record = {"file": path, "id": name, "source": source}
            try:
                source.encode()
            except UnicodeEncodeError:
                if path != "-":
                    continue
            try:
                record["code"] = code(compile(source, "<p>", "exec", dont_inherit=True))
            except SyntaxError as error:
                record["error"] = [error.lineno or 0, error.offset or 0, text(str(error.msg))]
            except (ValueError, RecursionError, MemoryError) as error:
                record["error"] = [0, 0, text(str(error))]
            sys.stdout.write(json.dumps(record) + "\n")
            if path == "-":
                sys.stdout.flush()


main()
