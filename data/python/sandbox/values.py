"""Values as canonical text, by their exact builtin type; exceptions, and their places."""


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

# A program may replace `len` or `print`: definitions here keep the originals.
__builtins__ = dict(vars(builtins))

PROGRAM_FILE = "<prog>"


class _Files(dict):
    """What events of a file are marked with, by the file's name in code objects: nothing for the entry, a space and the
    path below the root for a module of the project, None for code that is not the program's. A file belongs to the
    innermost of the root and of the other `places`; `omits` says which of the root are left out, `includes` which of the
    others are traced, too, under their paths there."""

    root, places = None, ()
    omits = includes = staticmethod(lambda path: None)

    def __missing__(self, name):
        mark, root = None, self.root
        if root is not None and type(name) is str:
            inside = [place for place in self.places if name.startswith(place)]
            place = max(inside, key=len, default="")
            if name.startswith(root) and len(place) <= len(root):
                path = name[len(root) :]
                mark = None if self.omits(path) else " " + path
            elif place and self.includes(name[len(place) :]):
                mark = " " + name[len(place) :]
        self[name] = mark
        return mark


_FILES = _Files({PROGRAM_FILE: ""})
# Modules whose classes are the program's.
_OWN_MODULES = {"__main__"}
_MAX_CHARS = 512
_MAX_ITEMS = 256
_MAX_DEPTH = 8
_MAX_BITS = 2048
_MAX_INSTANCES = 32  # of one value
_MANY = 16  # items of a sequence whose text is kept
_MOST_SHOWN = 64  # such texts
_KEPT_DEPTH = 16
_ROOM = 100  # frames of ours on top of those that a program allows itself
_MOST_FRAMES = (1 << 31) - 1

# Bound by the interpreter, never by the program's text.
_HIDDEN = frozenset(
    "__path__ __name__ __builtins__ __doc__ __file__ __spec__ __loader__ __package__ __annotations__ "
    "__warningregistry__ __cached__ __module__ __qualname__ __firstlineno__ __static_attributes__ __class__ "
    "__classcell__ __classdict__ __classdictcell__ __conditional_annotations__ __annotate__ "
    "__annotate_func__ __annotations_cache__ __type_params__ .type_params .generic_base "
    ".defaults .kwdefaults .0".split()
)
_SKIPPED = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "__annotate__"))


# -- values ---------------------------------------------------------------------------------------


class _TooLarge(BaseException):
    """More text than any limit allows; a list of one list 256 times over is tiny but endless."""


_spent = [0, 1 << 60]
_type_name = type.__dict__["__name__"].__get__
_type_mro = type.__dict__["__mro__"].__get__
_type_dict = type.__dict__["__dict__"].__get__
_BIG = 1 << _MAX_BITS


# If references are requested: numbers of objects by identity, objects kept alive for that, and the numbers of the
# objects in the value being rendered.
_numbers, _kept_objects, _begun = {}, [], []
# Whether they are requested, whether objects are kept alive, the last number.
_references = [False, True, 0]
# Words of programs that could notice that an object is kept alive.
_TELLING = ("__del__", "weakref", "finalize", "yield", "async ")


def _begin(value):
    """Begins the text of an object."""
    if _references[0]:
        key = id(value)
        number = _numbers.get(key)
        if number is None:
            _references[2] += 1
            number = _numbers[key] = _references[2]
            _kept_objects.append(value if _references[1] else _ends(value, key))
        _begun.append(number)


def _ends(value, key):
    """Forgets the number of a dying object; None for a list or dict, whose death is unobservable."""
    forget = _numbers.pop
    try:
        return ref(value, lambda _: forget(key, None))
    except TypeError:
        return None


def _with_objects(text):
    """A text with the numbers of the objects in it, after a zero byte."""
    if not _begun:
        return text
    text += "\0" + ",".join(map(str, _begun))
    _begun.clear()
    return text


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
    """Joined texts of the items of a sequence."""
    depth += 1
    texts = []
    for item in items:
        if len(texts) == _MAX_ITEMS:
            texts.append("...<%d more>" % (count - _MAX_ITEMS))
            break
        texts.append(_render(item, depth, seen))
    return _spend(", ".join(texts))


def _sequence(opening, closing):
    """The renderer of lists and tuples, whose `repr` is their text if all items are plain."""
    empty, cycle = opening + closing, opening + "..." + closing
    # By identity: plain items of a sequence, their number, and its text. Most sequences are unchanged.
    shown = {}

    def text(value, depth=0, seen=()):
        if opening == "[":
            _begin(value)
        count = len(value)
        if not count:
            return empty
        if depth >= _MAX_DEPTH:
            return cycle
        key = id(value)
        items = value if count <= _MAX_ITEMS else value[:_MAX_ITEMS]
        if count >= _MANY:
            known = shown.get(key)
            if known is not None and known[1] == count and all(map(is_, known[0], items)):
                return known[2]
        if _uniform(items):
            text = repr(items)
            if count > _MAX_ITEMS:
                text = "%s, ...<%d more>%s" % (text[:-1], count - _MAX_ITEMS, closing)
            if count >= _MANY:
                if len(shown) >= _MOST_SHOWN:
                    shown.clear()
                shown[key] = items[:], count, text
            return text
        if key in seen:
            return cycle
        comma = "," if count == 1 and opening == "(" else ""
        return opening + _items(value, count, depth, seen + (key,)) + comma + closing

    return text


def _deque(value, depth=0, seen=()):
    _begin(value)
    key = id(value)
    if value and (depth >= _MAX_DEPTH or key in seen):
        return "deque([...])"
    return "deque([" + _items(list(value), len(value), depth, seen + (key,)) + "])"


_INTS = frozenset((id(int), id(bool)))


def _sorted(value):
    """Items of a set in their own order, or None if that may call the program."""
    kinds = set(map(id, map(type, value)))
    if kinds <= _INTS or kinds == {id(str)}:
        return sorted(value)
    if kinds == {id(float)}:
        return sorted(value, key=lambda x: (x != x, x))
    if kinds == {id(tuple)} and all(type(n) is int for x in value for n in x):
        return sorted(value)
    return None


def _set(value, depth=0, seen=()):
    if type(value) is set:
        _begin(value)
    if not value:
        return "set()"
    key = id(value)
    if depth >= _MAX_DEPTH or key in seen:
        return "{...}"
    seen += (key,)
    items = _sorted(value)
    if items is not None:
        return "{" + _items(items, len(items), depth, seen) + "}"
    before = len(_begun)
    texts = sorted([_render(item, depth + 1, seen) for item in value])
    del _begun[before:]  # a set has no order
    if len(texts) > _MAX_ITEMS:
        texts[_MAX_ITEMS:] = ["...<%d more>" % (len(texts) - _MAX_ITEMS)]
    return _spend("{" + ", ".join(texts) + "}")


def _frozenset(value, depth=0, seen=()):
    return "frozenset(" + (_set(value, depth, seen) if value else "") + ")"


_BUILTINS = vars(builtins)


def _pairs(pairs, count, depth, seen):
    """Joined texts of keys and values, without names added by `exec`."""
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
    _begin(value)
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
    """Walking an OrderedDict hashes its keys: only if no hash is the program's own."""
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

# By identity: looking up a type by itself would call its metaclass's `__hash__` and `__eq__`, which
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
    if value is not NotImplemented:
        _begin(value)
    if known[1] is None:
        return "<%s>" % name
    return _instance(value, name, known[1], depth, seen)


# -- instances of classes of the program ----------------------------------------------------------

# By identity of the class, which is kept alive so that its id is not reused.
_readers = {}
# Instances whose attributes the current value has shown.
_opened = [0]
_named_only = [False]
_FIELD = getattr(collections, "_tuplegetter", None)  # of a `namedtuple`


def _own(kind, wanted):
    """A class's own attribute by name. A lookup could call the `__eq__` of an odd key."""
    for name, entry in _type_dict(kind).items():
        if type(name) is str and name == wanted:
            return entry
    return None


def _is_of_program(kind):
    module = _own(kind, "__module__")
    if type(module) is not str or module not in _OWN_MODULES:
        return False
    return not any(kind is ours for ours in globals().values())


def _reader(kind):
    """How to read the attributes of instances of a class: a getter of their dict, names and getters
    of their slots, and whether names with a leading underscore are a library's own. None if
    attributes are not shown."""
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
    """Names and values of an instance's attributes: slots, those of base classes first, then the
    contents of its dict."""
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
_exception_cause = BaseException.__dict__["__cause__"].__get__
_exception_context = BaseException.__dict__["__context__"].__get__
_exception_suppresses = BaseException.__dict__["__suppress_context__"].__get__
_BUILTIN_ERRORS = frozenset(
    id(kind)
    for kind in vars(builtins).values()
    if type(kind) is type and issubclass(kind, BaseException)
)


def _is_data(value, depth=0):
    """True for exact builtin values at every depth: their `str` calls nothing of the program."""
    kind = type(value)
    if id(kind) in _SCALARS:
        return True
    if depth < _MAX_DEPTH and (kind is tuple or kind is list or kind is set or kind is frozenset):
        return all(_is_data(item, depth + 1) for item in value)
    if depth < _MAX_DEPTH and kind is dict:
        return all(_is_data(x, depth + 1) for pair in dict.items(value) for x in pair)
    return False


def _has_data(own, error):
    """Whether the attributes that `own`, a builtin class, adds to exceptions (`msg`, `filename`,
    ...) are plain."""
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
    """The result of `str(error)`, or nothing if that would call code of the program."""
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
            places = (_FILES.root,) + _FILES.places if _FILES.root else ()
            if not any(" (" + place in text for place in places):
                text = text.partition(" (/")[0]  # where this interpreter is installed
    else:
        text = ""
    return _clean(text[:_MAX_CHARS])


def _clean(text):
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _innermost(error):
    """The innermost line of the program in an exception's traceback, and the mark of its file."""
    line, file, entry = 0, "", _exception_traceback(error)
    while entry is not None:
        mark = _FILES[entry.tb_frame.f_code.co_filename]
        if mark is not None and entry.tb_lineno:
            line, file = entry.tb_lineno, mark
        entry = entry.tb_next
    return line, file


def _led_to(error, lines, raised_at):
    """The exceptions that led to one, as its traceback shows them, the nearest first: for each how, its class, message,
    line, file and step."""
    found, seen = [], {id(error)}
    while len(found) < 20:
        how, other = "cause", _exception_cause(error)
        if other is None and not _exception_suppresses(error):
            how, other = "context", _exception_context(error)
        if other is None or id(other) in seen:
            break
        seen.add(id(other))
        line, file = lines.get(id(other)) or _innermost(other)
        found.append([how, *_kind_and_message(other), line, file, raised_at.get(id(other))])
        error = other
    return found


def _innermost_line(error):
    return _innermost(error)[0]


def _frame_below(entry):
    """The first traced frame below the one of this traceback entry, or None."""
    entry = entry.tb_next
    while entry is not None:
        code = entry.tb_frame.f_code
        if _FILES[code.co_filename] is not None and code.co_varnames[:1] != (".0",):
            return entry.tb_frame
        entry = entry.tb_next
    return None


_RETURNS = frozenset(
    code for name, code in opcode.opmap.items() if name in ("RETURN_VALUE", "RETURN_CONST")
)


def _returned(frame):
    """Whether an abandoned frame reached a `return`; otherwise an exception unwound it."""
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] in _RETURNS
