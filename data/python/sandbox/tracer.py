"""Runs one program and records what it does, step by step.

The rule, to the letter: take the events `call`, `line` and `return` of the program's own code
objects, without the module's own `call`: e1, e2, ...  There is one step per event but the last. Its
line, event, function and depth are those of e_k; its state is the locals of the frame of e_(k+1),
read when e_(k+1) fires; its output is what reached `sys.stdout` between the two.

Frames of comprehensions and generator expressions are left out. From CPython 3.12 on comprehensions
run inside the frame around them; `_inlined` finds them by position and `_careful` drops or restores
line events until the steps are those of 3.11.

Values become canonical text by their exact builtin type, instances of the program's classes by what
their dict and slots hold: no `__repr__`, `__str__`, `__class__`, metaclass, property or overridden
method of the program is ever called.

One file, standard library only, CPython 3.8 to 3.14; nothing runs when it is loaded. What it does
not do: isolate (the sandbox does), stop the clock, record writes that go around `sys.stdout` by other
file descriptors, trace threads of a program that names none of `has_threads`, or resist a
program that walks the interpreter to find it.
"""

import _functools
import builtins
import codecs
import collections
import io
import opcode
import os
import sys
import types
from _weakref import ref
from gc import get_objects, get_referents
from itertools import repeat
from operator import index, is_

# A program may put anything in place of `len` or `print`: what is defined here keeps what was there.
__builtins__ = dict(vars(builtins))

PROGRAM_FILE = "<prog>"
_MAX_CHARS = 512
_MAX_ITEMS = 256
_MAX_DEPTH = 8
_MAX_BITS = 2048
_MAX_INSTANCES = 32  # of one value
_KEPT_DEPTH = 16
_ROOM = 100  # frames of ours on top of those that a program allows itself
_MOST_FRAMES = (1 << 31) - 1

# Bound by the interpreter, never by the program's text.
_HIDDEN = frozenset(
    "__name__ __builtins__ __doc__ __file__ __spec__ __loader__ __package__ __annotations__ "
    "__warningregistry__ __cached__ __module__ __qualname__ __firstlineno__ __static_attributes__ __class__ "
    "__classcell__ __classdict__ __classdictcell__ __conditional_annotations__ __annotate__ "
    "__annotate_func__ __annotations_cache__ __type_params__ .type_params .generic_base "
    ".defaults .kwdefaults .0".split()
)
_SKIPPED = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "__annotate__"))


# -- values ---------------------------------------------------------------------------------------


class _TooLarge(BaseException):
    """More text than any limit lets through; a list of one list 256 times over is tiny but endless."""


_spent = [0, 1 << 60]
_type_name = type.__dict__["__name__"].__get__
_type_mro = type.__dict__["__mro__"].__get__
_type_dict = type.__dict__["__dict__"].__get__
_BIG = 1 << _MAX_BITS


def _spend(text):
    _spent[0] += len(text)
    if _spent[0] > _spent[1]:
        raise _TooLarge
    return text


def _int(value):
    if -_BIG < value < _BIG:
        return repr(value)
    return "<int %d bits>" % value.bit_length()


def _str(value):
    if len(value) <= _MAX_CHARS:
        return repr(value)
    return "%r...<%d more>" % (value[:_MAX_CHARS], len(value) - _MAX_CHARS)


def _uniform(values):
    """Whether all are of one scalar type and within its limits, so that `repr` is their text."""
    kind = type(next(iter(values)))
    if id(kind) not in _SCALARS or not all(map(is_, map(type, values), repeat(kind))):
        return False
    if kind is int:
        return max(values) < _BIG and min(values) > -_BIG
    if kind is str:
        return max(map(len, values)) <= _MAX_CHARS
    return kind is float or kind is bool


def _items(items, count, depth, seen):
    """Texts of the items of a sequence, joined."""
    depth += 1
    texts = []
    for item in items:
        if len(texts) == _MAX_ITEMS:
            texts.append("...<%d more>" % (count - _MAX_ITEMS))
            break
        texts.append(_render(item, depth, seen))
    return _spend(", ".join(texts))


def _sequence(opening, closing):
    """The renderer of lists and tuples, whose `repr` is their text where all items are plain."""
    empty, cycle = opening + closing, opening + "..." + closing

    def text(value, depth=0, seen=()):
        count = len(value)
        if not count:
            return empty
        if depth >= _MAX_DEPTH:
            return cycle
        if count <= _MAX_ITEMS and _uniform(value):
            return repr(value)
        key = id(value)
        if key in seen:
            return cycle
        comma = "," if count == 1 and opening == "(" else ""
        return opening + _items(value, count, depth, seen + (key,)) + comma + closing

    return text


def _deque(value, depth=0, seen=()):
    key = id(value)
    if value and (depth >= _MAX_DEPTH or key in seen):
        return "deque([...])"
    return "deque([" + _items(list(value), len(value), depth, seen + (key,)) + "])"


_INTS = frozenset((id(int), id(bool)))


def _sorted(value):
    """Items of a set in their own order, or None where that may ask the program."""
    kinds = set(map(id, map(type, value)))
    if kinds <= _INTS or kinds == {id(str)}:
        return sorted(value)
    if kinds == {id(float)}:
        return sorted(value, key=lambda x: (x != x, x))
    if kinds == {id(tuple)} and all(type(n) is int for x in value for n in x):
        return sorted(value)
    return None


def _set(value, depth=0, seen=()):
    if not value:
        return "set()"
    key = id(value)
    if depth >= _MAX_DEPTH or key in seen:
        return "{...}"
    seen += (key,)
    items = _sorted(value)
    if items is not None:
        return "{" + _items(items, len(items), depth, seen) + "}"
    texts = sorted([_render(item, depth + 1, seen) for item in value])
    if len(texts) > _MAX_ITEMS:
        texts[_MAX_ITEMS:] = ["...<%d more>" % (len(texts) - _MAX_ITEMS)]
    return _spend("{" + ", ".join(texts) + "}")


def _frozenset(value, depth=0, seen=()):
    return "frozenset(" + (_set(value, depth, seen) if value else "") + ")"


_BUILTINS = vars(builtins)


def _pairs(pairs, count, depth, seen):
    """Texts of keys and values, joined, without what `exec` adds to the names it is given."""
    depth += 1
    texts = []
    for name, item in pairs:
        if (item is _BUILTINS or item is builtins) and type(name) is str and name == "__builtins__":
            count -= 1
            continue
        if len(texts) == _MAX_ITEMS:
            texts.append("...<%d more>" % (count - _MAX_ITEMS))
            break
        texts.append(_render(name, depth, seen) + ": " + _render(item, depth, seen))
    return _spend("{" + ", ".join(texts) + "}")


def _dict(value, depth=0, seen=(), pairs=dict.items):
    count = len(value)
    if not count:
        return "{}"
    key = id(value)
    if depth >= _MAX_DEPTH or key in seen:
        return "{...}"
    if count <= _MAX_ITEMS and type(value) is dict:
        if _uniform(value) and _uniform(value.values()):
            return repr(value)
    return _pairs(pairs(value), count, depth, seen + (key,))


def _named_dict(name, pairs):
    return lambda value, depth=0, seen=(): name + "(" + _dict(value, depth, seen, pairs) + ")"


def _ordered_pairs(value, _items=collections.OrderedDict.items):
    """Walking an OrderedDict hashes its keys: only where no hash is the program's own."""
    if all(_hashes_as_builtins_do(key) for key in dict.keys(value)):
        return _items(value)
    return dict.items(value)


def _hashes_as_builtins_do(key, depth=0):
    if type(key) is tuple and depth < 8:
        return all(_hashes_as_builtins_do(part, depth + 1) for part in key)
    return id(type(key)) in _SCALARS


def _bytes(value):
    if len(value) <= _MAX_CHARS:
        return repr(value)
    return "%r...<%d more>" % (value[:_MAX_CHARS], len(value) - _MAX_CHARS)


_SCALARS = {
    int: _int,
    str: _str,
    bool: repr,
    float: repr,
    type(None): repr,
    complex: repr,
    bytes: _bytes,
}
_LEAVES = dict(_SCALARS)
_LEAVES[type(Ellipsis)] = repr
_LEAVES[types.ModuleType] = lambda value: "<module>"
_LEAVES[type] = lambda value: "<class>"
for _kind in (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    _functools._lru_cache_wrapper,
):
    _LEAVES[_kind] = lambda value: "<function>"
_NESTS = {
    list: _sequence("[", "]"),
    tuple: _sequence("(", ")"),
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    collections.deque: _deque,
    collections.defaultdict: _named_dict("defaultdict", dict.items),
    collections.Counter: _named_dict("Counter", dict.items),
    collections.OrderedDict: _named_dict("OrderedDict", _ordered_pairs),
}


def _range(value):
    """`repr` of a range calls that of its bounds, which are exact integers but may be enormous."""
    start, stop, step = map(_int, (value.start, value.stop, value.step))
    return "range(%s, %s%s)" % (start, stop, "" if step == "1" else ", " + step)


_LEAVES[range] = _range

# By identity: looking a type up by itself would call its metaclass's `__hash__` and `__eq__`, which
# may be the program's. None of these types ever dies.
_SCALARS, _LEAVES, _NESTS = [
    {id(kind): text for kind, text in table.items()} for table in (_SCALARS, _LEAVES, _NESTS)
]


def _render(value, depth=0, seen=()):
    """Canonical text of any value."""
    kind = type(value)
    leaf = _LEAVES.get(id(kind))
    if leaf is not None:
        return leaf(value)
    if not depth:
        _opened[0] = 0
    nest = _NESTS.get(id(kind))
    if nest is not None:
        return nest(value, depth, seen)
    if issubclass(kind, type):
        return "<class>"
    name = _type_name(kind)
    if type(name) is not str or not name.isidentifier():
        name = "object"
    known = _readers.get(id(kind))
    if known is None:
        known = _readers[id(kind)] = kind, _reader(kind)
    if known[1] is None:
        return "<%s>" % name
    return _instance(value, name, known[1], depth, seen)


# -- instances of classes of the program ----------------------------------------------------------

# By identity of the class, which is kept so that no other one gets its id.
_readers = {}
# Instances whose attributes the value that is being rendered has shown.
_opened = [0]
_named_only = [False]
_FIELD = getattr(collections, "_tuplegetter", None)  # of a `namedtuple`


def _own(kind, wanted):
    """What a class itself has under a name. A lookup could call the `__eq__` of an odd key."""
    for name, entry in _type_dict(kind).items():
        if type(name) is str and name == wanted:
            return entry
    return None


def _is_of_program(kind):
    module = _own(kind, "__module__")
    if type(module) is not str or module != "__main__":
        return False
    return not any(kind is ours for ours in globals().values())


def _reader(kind):
    """How to read the attributes of instances of a class: a getter of their dict, names and getters
    of their slots, and whether names with an underscore in front are some library's own business.
    None where attributes are not shown."""
    if _named_only[0] or kind is not types.SimpleNamespace and not _is_of_program(kind):
        return None
    space, slots, private = None, [], False
    for base in reversed(_type_mro(kind)):
        slotted = _own(base, "__slots__") is not None
        if type(_own(base, "__init__")) is types.FunctionType and not _is_of_program(base):
            private = True
        for name, entry in _type_dict(base).items():
            sort = type(entry)
            if type(name) is not str:
                continue
            if sort is types.GetSetDescriptorType or sort is types.MemberDescriptorType:
                if name == "__dict__":
                    space = space or entry.__get__
                elif slotted and sort is types.MemberDescriptorType and entry.__objclass__ is base:
                    slots.append((name, entry.__get__))
            elif sort is _FIELD:
                slots.append((name, entry.__get__))
    return space, slots, private


def _attributes(value, space, slots, private):
    """Names and values of an instance's attributes: slots, those of base classes first, then what
    its dict holds."""
    found = []
    for name, get in slots:
        try:
            found.append((name, get(value)))
        except (AttributeError, TypeError):
            pass  # not set
    if space is not None:
        try:
            found.extend(dict.items(space(value)))
        except (AttributeError, TypeError):
            pass  # a metaclass of the program may have made anything of its classes
    return [
        (name, item)
        for name, item in found
        if type(name) is str
        and name.isidentifier()
        and (name[0] != "_" or name in _ENUM or not private and name[-1] != "_")
    ]


_ENUM = frozenset(("_name_", "_value_"))  # of a member of an enumeration


def _instance(value, name, reader, depth, seen):
    pairs = _attributes(value, *reader)
    if not pairs:
        return "<%s>" % name
    key = id(value)
    if depth >= _MAX_DEPTH or key in seen or _opened[0] == _MAX_INSTANCES:
        return "<%s ...>" % name
    _opened[0] += 1
    depth += 1
    seen += (key,)
    texts = [attribute + "=" + _render(item, depth, seen) for attribute, item in pairs[:_MAX_ITEMS]]
    if len(pairs) > _MAX_ITEMS:
        texts.append("...<%d more>" % (len(pairs) - _MAX_ITEMS))
    return _spend("<%s %s>" % (name, " ".join(texts)))


# -- exceptions -----------------------------------------------------------------------------------

_exception_args = BaseException.__dict__["args"].__get__
_exception_traceback = BaseException.__dict__["__traceback__"].__get__
_BUILTIN_ERRORS = frozenset(
    id(kind)
    for kind in vars(builtins).values()
    if type(kind) is type and issubclass(kind, BaseException)
)


def _is_data(value, depth=0):
    """True for exact builtin values all the way down: their `str` calls nothing of the program."""
    kind = type(value)
    if id(kind) in _SCALARS:
        return True
    if depth < _MAX_DEPTH and (kind is tuple or kind is list or kind is set or kind is frozenset):
        return all(_is_data(item, depth + 1) for item in value)
    if depth < _MAX_DEPTH and kind is dict:
        return all(_is_data(x, depth + 1) for pair in dict.items(value) for x in pair)
    return False


def _has_data(own, error):
    """Whether what `own`, a builtin class, adds to exceptions (`msg`, `filename`, ...) is plain."""
    for descriptor in _type_dict(own).values():
        if type(descriptor) in (types.MemberDescriptorType, types.GetSetDescriptorType):
            try:
                value = descriptor.__get__(error)
            except (AttributeError, TypeError):
                continue  # not set
            if not _is_data(value):
                return False
    return True


def _kind_and_message(error):
    """Name of an exception's class and its message, whatever it is: the trace outlives it."""
    # Of a subclass of `str`, `str`'s own characters.
    kind = _clean(str.__getitem__(_type_name(type(error)), slice(_MAX_CHARS)))
    try:
        return kind, _message(error)
    except BaseException:
        return kind, ""


def _message(error):
    """What `str(error)` would be, or nothing where that would call code of the program."""
    own = next(k for k in _type_mro(type(error)) if "__str__" in _type_dict(k))
    if own is AttributeError:
        own = BaseException  # its `__str__`, which does not look at the object that lacks the attribute
    args = _exception_args(error)
    if not all(map(_is_data, args)):
        return ""
    if own is BaseException or own is KeyError:
        if len(args) == 1 and own is BaseException:
            text = args[0] if type(args[0]) is str else _render(args[0])
        else:
            text = _render(args[0] if len(args) == 1 else args) if args else ""
    elif id(own) in _BUILTIN_ERRORS and _has_data(own, error):
        text = own.__str__(error)
        if own is ImportError:
            text = text.partition(" (/")[0]  # where this interpreter is installed
    else:
        text = ""
    return _clean(text[:_MAX_CHARS])


def _clean(text):
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _innermost_line(error):
    line, entry = 0, _exception_traceback(error)
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == PROGRAM_FILE:
            line = entry.tb_lineno or line
        entry = entry.tb_next
    return line


def _frame_below(entry):
    """The first traced frame below the one of this traceback entry, or None."""
    entry = entry.tb_next
    while entry is not None:
        code = entry.tb_frame.f_code
        if code.co_filename == PROGRAM_FILE and code.co_varnames[:1] != (".0",):
            return entry.tb_frame
        entry = entry.tb_next
    return None


_RETURNS = frozenset(
    code for name, code in opcode.opmap.items() if name in ("RETURN_VALUE", "RETURN_CONST")
)


def _returned(frame):
    """Whether a frame that was left came to a `return`; else an exception unwound it."""
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] in _RETURNS


# -- comprehensions inlined by CPython 3.12 and later ---------------------------------------------


def _compile(source):
    """Compiles the program.

    Under 3.12 a trace function makes the interpreter copy the variables of comprehensions of a
    module or class body over names of the same spelling around them, and back
    (https://github.com/python/cpython/issues/130809, mended in 3.13 and in the last 3.12s): the
    program itself would go wrong. There such a comprehension is compiled as the call of a function,
    which is what it was before.
    """
    code = compile(source, PROGRAM_FILE, "exec", 0, True)
    if sys.version_info[:2] != (3, 12):
        return code

    def inlined(code):
        return opcode.opmap["LOAD_FAST_AND_CLEAR"] in code.co_code[::2] and not code.co_flags & 1

    inner = [const for const in code.co_consts if type(const) is types.CodeType]
    if not inlined(code) and not any(map(inlined, inner)):
        return code
    import ast

    kinds = (ast.ListComp, ast.SetComp, ast.DictComp)

    def visit(node, apart):
        """Rewrites below one node; `apart` where the names around are not those of a function."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            apart = False
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = [visit(x, apart) if isinstance(x, ast.AST) else x for x in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, visit(value, apart))
        if not apart or not isinstance(node, kinds):
            return node
        if any(isinstance(x, (ast.NamedExpr, ast.Await)) for x in ast.walk(node)):
            return node
        argument = ast.arg(".0")
        first = node.generators[0].iter
        node.generators[0].iter = ast.copy_location(ast.Name(".0", ast.Load()), first)
        empty = dict(posonlyargs=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        function = ast.Lambda(ast.arguments(args=[argument], **empty), node)
        call = ast.Call(ast.copy_location(function, node), [first], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    tree = compile(source, PROGRAM_FILE, "exec", 0x400, True)
    return compile(visit(tree, True), PROGRAM_FILE, "exec", 0, True)


def _inlined(code, found):
    """Maps `id(code)` to what `_careful` needs, for a code object and those in it.

    The value is a list by instruction: None outside comprehensions, else `(opened, body)`: first
    lines of the comprehensions whose first iterable the instruction evaluates, outermost first, and
    the first line of the comprehension whose loop it belongs to, or 0, or minus that line for the
    instruction after the loop.
    """
    clear = opcode.opmap["LOAD_FAST_AND_CLEAR"]
    for const in code.co_consts:
        if type(const) is types.CodeType:
            _inlined(const, found)
    opcodes = code.co_code[::2]
    if clear not in opcodes:
        return found
    spans = [
        (p[0], p[2], p[1], p[3]) if None not in p else None for p in code.co_positions()
    ]
    loops = sorted(
        {spans[i] for i, op in enumerate(opcodes) if op == clear and spans[i]},
        key=lambda s: (s[0], s[1], -s[2], -s[3]),
    )
    plan = [None] * len(spans)
    exits = {}
    for loop in loops:
        _mark(plan, spans, opcodes, loop, clear, exits)
    for at, line in exits.items():
        plan[at] = plan[at] or ((), -line)
    found[id(code)] = plan
    return found


def _mark(plan, spans, opcodes, loop, clear, exits):
    """Notes one comprehension in the plan; outer ones come first and their loops hide inner ones."""
    inside = [
        s is not None and s[:2] >= loop[:2] and s[2:] <= loop[2:] for s in spans
    ]
    at = 0
    while at < len(spans):
        if not inside[at]:
            at += 1
            continue
        end = at
        while end < len(spans) and inside[end]:
            end += 1
        starts = [i for i in range(at, end) if opcodes[i] == clear and spans[i] == loop]
        first = starts[0] if starts else at
        for i in range(at, end):
            opened, body = plan[i] or ((), 0)
            if not body:
                plan[i] = (opened + (loop[0],), 0) if i < first else (opened, loop[0])
        if end < len(spans):
            exits[end] = loop[0]
        at = end


# -- the tracer -----------------------------------------------------------------------------------


_settrace, _gettrace, _excepthook = sys.settrace, sys.gettrace, sys.excepthook
_exit_process = os._exit
# The descriptor of standard output.
_OUTPUT = 1
_write = os.write


def _write_into(raw):
    """`os.write` that takes what goes to the descriptor of standard output for output."""

    def write(fd, data, /):
        return raw.write(data) if fd == _OUTPUT else _write(fd, data)

    return write


class _OutputFile(io.RawIOBase):
    """What `open(1, "w")` gives, below its buffers."""

    name, mode = _OUTPUT, "wb"

    def __init__(self, raw):
        self._raw = raw

    def writable(self):
        return True

    def fileno(self):
        return _OUTPUT

    def write(self, data, /):
        return self._raw.write(data)


def opens_output(source):
    """Whether a program may open the descriptor of standard output."""
    return "open" in source and ("open(1" in source or "open(fd" in source or "fileno" in source)


def _open_output_by_number(source, raw):
    """Has `open(1, "w")` and `os.fdopen(1, "w")` write where `print` does. Gives a function that writes what such
    files hold back when the program has ended."""
    if not opens_output(source):
        return lambda: None
    opens, made = io.open, []

    def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
        if type(file) is not int or file != _OUTPUT or type(mode) is not str or set("wa").isdisjoint(mode):
            return opens(file, mode, buffering, encoding, errors, newline, closefd, opener)
        # What it says of its arguments.
        opens(_OUTPUT, mode, buffering, encoding, errors, newline, False).close()
        stream = _OutputFile(raw)
        if buffering != 0:
            stream = io.BufferedWriter(stream, io.DEFAULT_BUFFER_SIZE if buffering in (-1, 1) else buffering)
        if "b" not in mode:
            encoding = "utf-8" if encoding in (None, "locale") else encoding
            stream = io.TextIOWrapper(stream, encoding, errors, newline, buffering == 1)
            stream.mode = mode
        made.append(ref(stream))
        return stream

    def write_held():
        for stream in [one() for one in made]:
            try:
                if stream is not None and not stream.closed:
                    stream.flush()
            except BaseException:
                pass  # as the interpreter does

    builtins.open = io.open = open
    return write_held


class BufferedWriter(io.BytesIO):
    """Standard output. Keeps what was written when the program closes it."""

    kept = b""

    def fileno(self):
        return _OUTPUT

    def close(self):
        if not self.closed:
            self.kept = self.getvalue()
        io.BytesIO.close(self)


def _pairs_of(frame, order):
    """Names and values of a frame's locals: never by methods of the program, which may have given
    a class body a namespace of its own kind.

    From 3.13 on the locals of a function are a view that has the order of the compiler; `order`
    (names only: values must die when the program lets go) turns it into the order of first binding.
    """
    space = frame.f_locals
    kind = type(space)
    if kind is dict:
        return space.items()
    if issubclass(kind, dict):
        return dict.items(space)
    if kind is not _PROXY:
        return ()
    pairs = dict(space.items())
    for name in [name for name in order if name not in pairs]:
        del order[name]
    for name in pairs:
        order[name] = None
    return [(name, pairs[name]) for name in order]


_PROXY = type((lambda: sys._getframe().f_locals)())


def _frame_of_program(frame):
    """The innermost frame of the program from this one on, or None."""
    while frame is not None and frame.f_code.co_filename != PROGRAM_FILE:
        frame = frame.f_back
    return frame


class _Unwind(BaseException):
    """Leaves a program whose result is out already, when `finish` came back."""


def trace_program(
    source,
    finish,
    max_steps=1024,
    max_bytes=2 << 20,
    keep=None,
    guide=None,
    short=False,
    brief=None,
    max_names=4096,
):
    """Compiles and runs `source`, then calls `finish(payload)` exactly once.

    `sys.stdin` is the caller's affair; `sys.stdout`, `sys.modules["__main__"]`, `builtins.exit`,
    `os._exit`, `os.abort`, `os.write`, where it is called for `open`, and the recursion limit of `sys` are replaced and stay so. `finish` may be called from inside the program, when a limit is met;
    if it returns, the program is unwound and this function returns. `keep(steps)`, where given, is
    called with the steps so far whenever one is added, but for those deep in calls, where there may
    be no room on the stack: the next call that is not has them, too. `keep.begin(step,
    count)` is called with each step when it begins, after `count` others. `guide`, where given, compiles
    and executes the program, and adds its report to the payload. `short`: instances are named by
    their class alone, and what functions give back and the exit status are left out. `brief`,
    where given, compiles the program and may end it before it is traced.

    The payload: `status` (finished, raised, syntax, steps, output, memory, timeout, tamper, settrace, abort),
    `kind` and `message` of the exception, `line`, `column` (1-based, 0 when unknown), `step` (index
    of the step at which an uncaught exception was raised, or None), `exit` where the program asked
    to leave with another status than 0 (`code`, that status, and `text`, what it gave) and `steps`, each
    `[line, "c" | "l" | "r", function, depth, [name, text, ...], output]`, where a function or
    generator gave a value back with its text behind that.
    """
    steps = []
    ended = []

    def end(status, kind="", message="", line=0, column=0, step=None, exit=None):
        if ended:
            return
        ended.append(status)
        payload = {
            "status": status,
            "kind": kind,
            "message": message,
            "line": line,
            "column": column,
            "step": step,
            "steps": steps,
        }
        if exit is not None and exit != [0, ""] and not short:
            payload["exit"] = {"code": exit[0], "text": exit[1]}
        if guide is not None:
            payload["guide"] = guide.report()
        finish(payload)

    try:
        compiles = _compile if guide is None else guide.compile
        code = (compiles if brief is None else brief.compile)(source.lstrip("\ufeff"))
        plans = _inlined(code, {}) if sys.version_info >= (3, 12) else {}
    except Exception as error:
        lineno, offset = getattr(error, "lineno", 0), getattr(error, "offset", 0)
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        kind = type(error).__name__
        return end("syntax", kind, _clean(text or kind)[:_MAX_CHARS], lineno or 0, offset or 0)

    if brief is not None and brief.ends(code, max_steps, max_bytes, end):
        return
    module, raw = _stage()
    recorder = _recorder(steps, raw, end, plans, max_steps, max_bytes, keep, short, max_names)
    _leave_by(end, recorder.complete)
    _trace_by(end, recorder.complete)
    _limit_by(recorder.allow)
    if guide is not None:
        guide.prepare(module.__dict__)
    elif "may_use_files" in globals() and may_use_files(source):
        keep_files_in_memory(source)
    if "set_alarms_by_clock" in globals() and sets_alarms(source):
        set_alarms_by_clock()
    if "answer_debugger" in globals() and stops_for_debugger(source):
        answer_debugger(source)
    write_held = _open_output_by_number(source, raw)
    _run(code, module.__dict__, recorder, end, source, steps, guide, write_held)


def _stage():
    """A new module that the program becomes, and its standard output."""
    module = types.ModuleType("__main__")
    for name in ("__doc__", "__package__", "__loader__", "__spec__"):
        # Each name is looked at in each step; without them the lookup ends in the builtins.
        module.__dict__.pop(name, None)
    builtins.__doc__ = builtins.__package__ = builtins.__spec__ = builtins.__cached__ = None
    module.__dict__.update(__builtins__=builtins, __file__="prog.py")
    sys.modules["__main__"] = module
    builtins.exit = builtins.quit = sys.exit
    raw = BufferedWriter()
    sys.stdout = io.TextIOWrapper(raw, "utf-8", "backslashreplace", "\n", write_through=True)
    sys.stdout.mode = "w"
    sys.__stdout__ = sys.stdout
    os.write = _write_into(raw)
    return module, raw


def _run(code, namespace, recorder, end, source, steps, guide, write_held):
    """Executes the module under the recorder and says how that ended."""
    enter_for, raised_at = recorder.enter_for, recorder.raised_at
    settrace, gettrace = _settrace, _gettrace
    threads = None
    if has_threads(source):
        import threading as threads

        # A thread runs until it waits: the order of events is then the same every time.
        sys.setswitchinterval(1000)
        if "take_turns" in globals():  # not where this file is used alone
            take_turns(threads, fixed_clock)
        threads.settrace(lambda frame, event, arg: _start_thread(enter_for, frame, event, arg))
    enter = enter_for(True)
    execute = exec
    if guide is not None:
        enter, execute = guide.watch(enter, end), guide.execute
    error = left_with = None
    settrace(enter)
    try:
        execute(code, namespace)
    except BaseException as caught:
        error = caught
    watched, whole = gettrace() is enter, recorder.is_whole()
    settrace(None)
    _set_limit(_LIMIT)
    if sys.version_info < (3, 10):
        builtins.__dict__.update(__builtins__)  # frames share those of the frame that calls
    if watched and error is not None and sys.__dict__.get("excepthook") is not _excepthook:
        watched, error = _call_hook(enter_for, error)
    if threads is not None:
        for leave in reversed(getattr(threads, "_threading_atexits", ())):
            leave()  # workers of executors end
        waited = [threads.current_thread()]
        while True:
            left = [x for x in threads.enumerate() if not (x.daemon or any(x is y for y in waited))]
            if not left:
                break
            for thread in left:
                waited.append(thread)
                try:
                    thread.join()
                except BaseException:
                    pass  # it may be a class of the program, or be this very thread
    if watched and type(error) is not _Unwind:
        if "__del__" in source and issubclass(type(error), SystemExit):
            # Its traceback goes before all else.
            left_with = _exit_of(error)
            settrace(enter_for(False))
            error = None
            settrace(None)
        if "atexit" in source or "finalize" in source:
            watched = _call_at_exit(enter_for)
        if "__del__" in source and watched:
            watched = _finalise_rest(enter_for, namespace)
    try:
        sys.stdout.flush()
    except BaseException:
        pass  # as the interpreter does for a stream that the program put there
    write_held()
    recorder.flush()
    if watched and not whole:
        return end("tamper")
    if not watched:
        # Either the program took the trace function away, or there was no room on the stack to call
        # it: then the steps end where it was lost.
        if not steps or steps[-1][3] * 8 < sys.getrecursionlimit():
            return end("tamper")
        if type(error) is not RecursionError:
            return end("steps")
    if left_with is not None:
        return end("finished", exit=left_with)
    if error is None:
        return end("finished")
    if issubclass(type(error), SystemExit):
        return end("finished", exit=_exit_of(error))
    kind, message = _kind_and_message(error)
    line = recorder.lines.get(id(error)) or _innermost_line(error)
    status = "memory" if type(error) is MemoryError else "raised"
    step = raised_at.get(id(error)) if watched else len(steps) - 1
    return end(status, kind, message, line, 0, step)


def _call_hook(enter_for, error):
    """Calls the `sys.excepthook` of the program. Whether the program left the trace function alone, and what ends it."""
    kind, entry = type(error), _exception_traceback(error)
    if kind is _Unwind or issubclass(kind, SystemExit):
        return True, error
    while entry is not None and entry.tb_frame.f_code.co_filename != PROGRAM_FILE:
        entry = entry.tb_next
    enter = enter_for(False)
    _settrace(enter)
    try:
        sys.excepthook(kind, error, entry)
    except BaseException as caught:
        # What else it raises is told on standard error.
        if issubclass(type(caught), (SystemExit, _Unwind)):
            error = caught
    finally:
        watched = _gettrace() is enter
        _settrace(None)
    return watched, error


def _call_at_exit(enter_for):
    """Calls what the program registered, as the interpreter does when its threads have ended. Whether the program left
    the trace function alone."""
    import atexit

    enter = enter_for(False)
    _settrace(enter)
    try:
        atexit._run_exitfuncs()
    except BaseException:
        pass  # before 3.10 the error of a handler comes back; it was told on standard error
    finally:
        watched = _gettrace() is enter
        _settrace(None)
    return watched


def _finalise_rest(enter_for, namespace):
    """Calls `__del__` of what is left, in the order of the interpreter's last collection. Whether the program left the
    trace function alone."""
    try:
        left = _last_order(namespace)
    except BaseException:
        return True  # too much to look at
    # What a finaliser drops is finalised then and there.
    pending = []
    while left:
        one = left.pop()
        try:
            pending.append(ref(one))
        except TypeError:
            pending.append(lambda one=one: one)
    one = None
    enter = enter_for(False)
    _settrace(enter)
    try:
        while pending:
            one = pending.pop()()
            if one is None:
                continue
            _FINALISED.append(one)  # not once more when it goes
            try:
                _final_of(one)(one)
            except _Unwind:
                break
            except BaseException:
                pass  # it is told on standard error
        return _gettrace() is enter
    finally:
        _settrace(None)


_FINALISED = []
# Objects that are looked at to find the order of the last collection.
_MOST_REACHED = 300_000
# Flag of the classes that are made by a program.
_HEAP_TYPE = 1 << 9


def _last_order(namespace):
    """The objects with `__del__`: what the module does not reach as it was made, then what it reaches.

    In 3.11 the collector comes to the module's names first: what is made behind its holder keeps its place, and what was
    made before moves to the end when its holder is come to. In other versions all was put aside before, and moves level by
    level.
    """
    known = {}
    made = get_objects(2) + get_objects(0) + get_objects(1)
    if len(made) > _MOST_REACHED or not any(_final_of(one, known) is not None for one in made):
        return []
    ahead = sys.version_info[:2] == (3, 11)
    reached = {id(namespace)}
    order, at = [namespace], 0
    aside = set() if ahead else {id(one) for one in made}
    if ahead:
        order += [one for one in made if one is not namespace]
        waiting = {id(one) for one in made}
    last = {}
    while at < len(order):
        one = order[at]
        at += 1
        if id(one) not in reached:
            aside.add(id(one))
            continue
        last[id(one)] = at
        for part in _parts_of(one, namespace):
            key = id(part)
            if key in reached or len(order) > 2 * _MOST_REACHED:
                continue
            if key in aside or not (ahead and key in waiting):
                order.append(part)
            reached.add(key)
    left = [one for one in made if id(one) not in reached and _final_of(one, known) is not None]
    moved = [one for at, one in enumerate(order, 1) if last.get(id(one)) == at]
    return left + [one for one in moved if _final_of(one, known) is not None]


def _parts_of(one, namespace):
    """What an object refers to, as the collector comes to it; modules and other modules' functions are left out."""
    kind = type(one)
    if kind is types.ModuleType or kind is types.FunctionType and one.__globals__ is not namespace:
        return ()
    if issubclass(kind, type) and not type.__dict__["__flags__"].__get__(one) & _HEAP_TYPE:
        return ()
    parts = get_referents(one)
    if sys.version_info >= (3, 11) and not issubclass(kind, (dict, type)) and kind is not types.FunctionType:
        # Instances refer to values; to a dict only where something has asked for it, as the tracer does.
        if type.__dict__["__flags__"].__get__(kind) & _HEAP_TYPE:
            parts = [x for part in parts for x in (dict.values(part) if type(part) is dict else (part,))]
    return parts


def _final_of(one, known=None):
    """The `__del__` that the program gave the class of an object, or None. `known` has it by class."""
    kind = type(one)
    if known is not None and id(kind) in known:
        return known[id(kind)]
    found = None
    for base in type.__dict__["__mro__"].__get__(kind):
        # No key is compared that may have an `__eq__` of the program.
        methods = [value for key, value in type.__dict__["__dict__"].__get__(base).items() if type(key) is str and key == "__del__"]
        if methods:
            method = methods[0]
            if type(method) is types.FunctionType and method.__code__.co_filename == PROGRAM_FILE:
                found = method
            break
    if known is not None:
        known[id(kind)] = found
    return found


def _leave_by(end, complete):
    """Has `os._exit` and `os.abort` end the trace: with the process all of it would be gone."""

    def leave(status, exit=None):
        _settrace(None)
        complete(_frame_of_program(sys._getframe(2)))
        end(status, exit=exit)
        raise _Unwind

    def _exit(status):
        leave("finished", [index(status) & 255, ""])

    def abort():
        leave("abort")

    for module in filter(None, (os, sys.modules.get(os.name))):
        module._exit, module.abort = _exit, abort


def _trace_by(end, complete):
    """Has a trace function of the program end the trace: it would take the tracer's place. Where it asks for none, or
    which there is, it is told what it would be without the tracer."""

    def settrace(function, /):
        if type(function) is types.FunctionType and function.__globals__ is globals():
            return _settrace(function)  # of a thread
        if function is None:
            return None
        _settrace(None)
        complete(_frame_of_program(sys._getframe(1)))
        end("settrace")
        raise _Unwind

    sys.settrace, sys.gettrace = settrace, lambda: None


_LIMIT, _set_limit = sys.getrecursionlimit(), sys.setrecursionlimit


def _limit_by(allow):
    """Has the recursion limit count the program's frames alone: the interpreter's leaves room for
    the tracer besides, which notices when a call is one too many."""
    current = _LIMIT

    def setrecursionlimit(limit, /):
        nonlocal current
        limit = index(limit)
        used, frame = 0, sys._getframe(1)
        while frame is not None:
            used += frame.f_code.co_filename == PROGRAM_FILE
            frame = frame.f_back
        if limit < 1 or limit > _MOST_FRAMES:
            _set_limit(limit)  # which says why not
        if used >= limit:
            text = "cannot set the recursion limit to %d at the recursion depth %d: the limit is too low"
            raise RecursionError(text % (limit, used))
        _set_limit(min(limit + _ROOM, _MOST_FRAMES))
        allow(limit)
        current = limit

    sys.setrecursionlimit, sys.getrecursionlimit = setrecursionlimit, lambda: current
    _set_limit(_LIMIT + _ROOM)
    allow(_LIMIT)


_exit_code = SystemExit.__dict__["code"].__get__


def _exit_of(error):
    """Exit status and text of a `SystemExit`, which no `__str__` of the program is asked for."""
    value = _exit_code(error)
    if value is None:
        return [0, ""]
    kind = type(value)
    if issubclass(kind, int):
        return [int.__and__(value, 255), ""]
    text = value if kind is str else _render(value) if _is_data(value) else ""
    return [1, _clean(text[:_MAX_CHARS])]


def has_threads(source):
    """Whether a program may have threads that are traced."""
    return any(name in source for name in ("threading", "concurrent", "to_thread", "run_in_executor"))


def _start_thread(enter_for, frame, event, arg):
    """Trace function of a new thread until its first event: then one with a depth of its own."""
    enter = enter_for(False)
    _settrace(enter)
    return enter(frame, event, arg)


def _recorder(steps, raw, end, plans, max_steps, max_bytes, keep, short, max_names):
    """The trace functions.

    `enter_for(main)` makes the global trace function of a thread; `raised_at` maps the id of an
    exception to the index of the step that raised it (ids, so that no exception is kept alive),
    `lines` to its line where the tracer raised it; `flush` gives what was written after the last
    event to the last step; `complete(frame)` ends the pending step and flushes; `is_whole()` says whether every frame of the program was traced to its
    end; `allow(frames)` sets the recursion limit.
    """
    _spent[:] = 0, 8 * max_bytes
    _readers.clear()
    _named_only[0] = short
    pending = None
    size = told = 0
    left = 0  # id of the frame of the last return event, where that returned None or was unwound
    cut = False  # a frame was left without its event
    most = _MOST_FRAMES
    raised_at, lines = {}, {}
    begin = getattr(keep, "begin", None)
    recorder = types.SimpleNamespace(raised_at=raised_at, lines=lines)
    tell, leaf_of, hidden = raw.tell, _LEAVES.get, _HIDDEN
    proxied, apart = sys.version_info >= (3, 13), sys.version_info[:2] == (3, 12)

    def written(final=False):
        """What came since the last time; bytes of a character that is not whole wait for it."""
        nonlocal told
        if raw.closed:
            end, data = len(raw.kept), raw.kept[told:]
        else:
            end = tell()
            with raw.getbuffer() as view:
                data = bytes(view[told:])
        text, used = codecs.utf_8_decode(data, "replace", final)
        told = end - (len(data) - used)
        return text

    def stop(status):
        end(status)
        raise _Unwind

    def close(pairs):
        """Completes the pending step with the state of the frame whose event has just fired."""
        nonlocal size
        state = pending[4]
        for name, value in pairs:
            if type(name) is str and name not in hidden:
                leaf = leaf_of(id(type(value)))
                text = leaf(value) if leaf is not None else _render(value)
                state.append(name)
                state.append(text)
                size += len(name) + len(text)
        if len(state) > 2 * max_names:
            stop("output")
        if raw.closed or tell() != told:
            pending[5] = written()
        if len(steps) >= max_steps:
            stop("steps")
        steps.append(pending)
        if keep is not None and pending[3] < _KEPT_DEPTH:
            keep(steps)
        if size + told > max_bytes:
            stop("output")

    def give(frame, value):
        """Notes what a function or generator gives back. It was unwound, or yields nothing, where
        that is None and there was no `return`."""
        nonlocal size
        if short or not frame.f_code.co_flags & 1 or value is None and not _returned(frame):
            return
        leaf = leaf_of(id(type(value)))
        text = leaf(value) if leaf is not None else _render(value)
        pending.append(text)
        size += len(text)

    def flush():
        text = written(True)
        if text and steps:
            steps[-1][5] += text

    def complete(frame):
        """Completes the pending step where the program leaves without another event."""
        if pending is not None and frame is not None:
            close(_pairs_of(frame, {}))
        flush()

    def failed(error):
        """An error of the tracer itself, not of the program."""
        if isinstance(error, _TooLarge):
            stop("output")
        if isinstance(error, MemoryError):
            stop("memory")
        stop("steps")

    def saw(error, entry):
        """Remembers during which step an exception was last raised.

        It may have been raised before, and brings its old traceback along. It comes up from a call
        where that call was left unwound, by this exception; and it is thrown into a generator (by
        `with`, say) from where it was raised. Everything else raises it anew.
        """
        key = id(error)
        if key in raised_at and entry is not None and pending is not None and pending[1] != "l":
            below = _frame_below(entry)
            if below is not None and (
                pending[1] == "c" or id(below) == left and not _returned(below)
            ):
                return
        raised_at[key] = len(steps)

    def allow(frames):
        nonlocal most
        most = frames

    def exceeded(frame):
        """Raises in a program beyond its recursion limit what the interpreter would raise. It takes
        away a trace function that raises; the next event of the profiler brings it back."""
        tracing = _gettrace()

        def resume(frame, event, arg):
            sys.setprofile(None)
            _settrace(tracing)
            local = frame.f_trace
            if event == "return" and local is not None:
                local(frame, event, arg)

        caller = _frame_of_program(frame.f_back)
        error = RecursionError("maximum recursion depth exceeded")
        raised_at[id(error)] = len(steps)
        lines[id(error)] = caller.f_lineno if caller is not None else 0
        sys.setprofile(resume)
        raise error

    def enter_for(main):
        depth = -1
        if main:
            recorder.is_whole = lambda: depth == -1 and not cut
        module = not main

        def plain(name, own):
            """Local trace function of one frame, up to 3.12 and without inlined comprehensions."""

            def local(frame, event, arg):
                nonlocal pending, depth, left, cut
                try:
                    if event == "line":
                        if pending is not None:
                            space = frame.f_locals
                            close(space.items() if type(space) is dict else _pairs_of(frame, {}))
                        if depth != own:
                            depth, cut = own, True
                        pending = [frame.f_lineno, "l", name, own, [], ""]
                        if begin is not None:
                            begin(pending, len(steps))
                    elif event == "return":
                        if pending is not None:
                            space = frame.f_locals
                            close(space.items() if type(space) is dict else _pairs_of(frame, {}))
                        if depth != own or not frame.f_trace_lines:
                            cut = True
                        depth = own - 1
                        pending = [frame.f_lineno or 0, "r", name, own, [], ""]
                        left = id(frame) if arg is None else 0
                        give(frame, arg)
                        if begin is not None:
                            begin(pending, len(steps))
                    elif event == "exception":
                        saw(arg[1], arg[2])
                except (MemoryError, RecursionError, _TooLarge) as error:
                    failed(error)
                return local

            return local

        def careful(name, own, plan, order):
            """The same for 3.12 and later: mends line events of comprehensions, keeps the order of
            names that earlier versions have (that in which they were first bound)."""
            last, opened, looping = 0, 0, False

            def line_event(frame, line):
                nonlocal pending, last
                if pending is not None:
                    close(_pairs_of(frame, order))
                last = line
                pending = [line, "l", name, own, [], ""]
                if begin is not None:
                    begin(pending, len(steps))

            def local(frame, event, arg):
                nonlocal pending, depth, left, cut, last, opened, looping
                try:
                    if event == "line":
                        line = frame.f_lineno or last
                        if depth != own:
                            depth, cut = own, True
                        at = plan[frame.f_lasti // 2] if plan is not None else None
                        if at is None:
                            opened, looping = 0, False
                            line_event(frame, line)
                            return local
                        firsts, body = at
                        if body < 0:
                            # On to the rest of a line that 3.11 is on already.
                            if not looping or line != last:
                                opened, looping = 0, False
                                line_event(frame, line)
                            return local
                        for first in firsts[opened:]:
                            if first != last:
                                line_event(frame, first)
                        opened = len(firsts)
                        if body:
                            if not looping and line == body and line != last:
                                line_event(frame, line)
                            looping = True
                        else:
                            looping = False
                            if line != last:
                                line_event(frame, line)
                    elif event == "return":
                        if pending is not None:
                            close(_pairs_of(frame, order))
                        if depth != own or not frame.f_trace_lines:
                            cut = True
                        depth = own - 1
                        pending = [frame.f_lineno or last, "r", name, own, [], ""]
                        left = id(frame) if arg is None else 0
                        give(frame, arg)
                        if begin is not None:
                            begin(pending, len(steps))
                    elif event == "exception":
                        saw(arg[1], arg[2])
                except (MemoryError, RecursionError, _TooLarge) as error:
                    failed(error)
                return local

            local.order = order
            return local

        def enter(frame, event, arg):
            nonlocal pending, depth, module
            code = frame.f_code
            if code.co_filename != PROGRAM_FILE or event != "call":
                return None
            name = code.co_name
            if name[:1] == "<" and name not in ("<module>", "<lambda>") or name in _SKIPPED:
                return None
            if apart and name == "<lambda>" and code.co_varnames[:1] == (".0",):
                return None
            depth += 1
            if depth >= most:
                depth -= 1
                exceeded(frame)
            plan = plans.get(id(code)) if plans else None
            order = {}
            if proxied or plan is not None:
                # A generator that goes on keeps its order.
                order = getattr(frame.f_trace, "order", order)
                local = careful(name, depth, plan, order)
            else:
                local = plain(name, depth)
            if not module:
                module = True
                return local
            try:
                if pending is not None:
                    close(_pairs_of(frame, order))
                pending = [frame.f_lineno, "c", name, depth, [], ""]
                if begin is not None:
                    begin(pending, len(steps))
            except (MemoryError, RecursionError, _TooLarge) as error:
                failed(error)
            return local

        return enter

    recorder.enter_for, recorder.allow = enter_for, allow
    recorder.flush, recorder.complete = flush, complete
    return recorder


def _main(arguments):
    """`--trace-file P [--stdin F] [--max-steps N] [--max-bytes N]`: prints the payload as JSON."""
    import json

    options = dict(zip(arguments[::2], arguments[1::2]))
    with open(options["--trace-file"], encoding="utf-8", newline="") as file:
        source = file.read()
    text = ""
    if "--stdin" in options:
        with open(options["--stdin"], encoding="utf-8") as file:
            text = file.read()
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())), "utf-8")
    sys.argv = ["prog.py"]
    out = sys.stdout
    result = []
    try:
        trace_program(
            source,
            result.append,
            int(options.get("--max-steps", 1024)),
            int(options.get("--max-bytes", 2 << 20)),
        )
    except _Unwind:
        pass
    _settrace(None)
    sys.stdout = out  # the program's own is not to be flushed at exit
    json.dump(result[0], out, separators=(",", ":"))
    out.write("\n")
    out.flush()
    _exit_process(0)  # without what the program left behind


if __name__ == "__main__" and len(sys.argv) > 1 and sys.argv[1] == "--trace-file":
    _main(sys.argv[1:])
