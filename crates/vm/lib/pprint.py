# Values on several lines, as `pprint` lays them out. `context` lists the containers being written,
# instead of CPython's dict of ids. Showing or comparing an id ends planning.
# Level: methods


def _known(cls):
    """The name of a class of the library that has a layout, else an empty text."""
    if cls is _List:
        return "list"
    if cls is _Dict:
        return "dict"
    known = cls.__module__ in ("builtins", "collections", "types") and cls.__name__ in _KINDS
    return cls.__name__ if known else ""


def _pp_kind(object):
    """The name of the class of the library whose `__repr__` an object has, else an empty text."""
    for base in _mro(_classof(object)):
        name = _known(base)
        if name != "":
            return name
        if _own_attribute(base, "__repr__") is not _END:
            return ""
    return ""


def _is_dataclass(object):
    """Whether the `__repr__` of an object is one that `dataclass` made."""
    if isinstance(object, type):
        return False
    for base in _mro(_classof(object)):
        if _own_attribute(base, "__repr__") is not _END:
            return _own_attribute(base, "_repr_of_fields_") is not _END
    return False


def _values(object):
    """The names and values of its fields that are in its text."""
    fields = object.__dataclass_fields__
    return [(name, getattr(object, name)) for name in _field_names(fields) if fields[name].repr]


def _shape(x):
    """A text that two values share if they have an order of their own; an empty one if that is not known."""
    cls = _classof(x)
    if cls is str or cls is bytes:
        return cls.__name__
    if cls is int or cls is bool or (cls is float and x == x):
        return "number"
    shapes = [_shape(y) for y in x] if cls is tuple else [""]
    return "" if "" in shapes else "(" + " ".join(shapes) + ")"


class _Key:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            names = (_str(_classof(self.value)), _str(_classof(other.value)))
        if names[0] == names[1]:
            _throw("an order by id")
        return names[0] < names[1]


def _pp_sorted(items, pairs):
    items = [x for x in items]
    shapes = [_shape(x[0] if pairs else x) for x in items]
    if True in [shape == "" or shape != shapes[0] for shape in shapes]:
        return sorted(items, key=lambda x: _Key(x[0] if pairs else x))
    return sorted(items, key=lambda x: x[0]) if pairs else sorted(items)


class _pp_Text:
    """A stream: standard output, or pieces that are joined. Also stands for a table that subclasses of some programs change."""

    def __init__(self, shown):
        self.shown = shown
        self.pieces = []

    def write(self, text):
        if self.shown:
            _write(text)
        else:
            self.pieces.append(text)

    def __getattr__(self, name):
        _throw("what is inside of pprint")

    def __setitem__(self, key, value):
        _throw("what is inside of pprint")


def _words(line):
    """Words with the blanks behind them; blanks before the first one are a piece."""
    pieces = []
    start = at = 0
    for word in line.split():
        at = line.find(word, at)
        if at > start:
            pieces.append(line[start:at])
            start = at
        at += _len(word)
    pieces.append(line[start:])
    return pieces


def _pp_filled(pieces, empty, room, last):
    """Texts of pieces, as many in one as there is room for; `last`: the room for the one with the last piece."""
    texts = []
    joined = empty
    for i, piece in enumerate(pieces):
        longer = joined + piece
        if _len(_repr(longer)) > (last if i == _len(pieces) - 1 else room):
            if joined != empty:
                texts.append(_repr(joined))
            longer = piece
        joined = longer
    if joined != empty:
        texts.append(_repr(joined))
    return texts


def _context(context):
    if isinstance(context, dict) and context:
        _throw("a context of pprint that the program made")
    return [] if isinstance(context, dict) else context


def _within(object, context):
    return True in [outer is object for outer in context]


class PrettyPrinter:
    _dispatch = _pp_Text(False)
    _pp_quiet = ""  # the text of a recursive object if only flags are requested

    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True,
                 underscore_numbers=False):
        self._indent_per_level = indent = int(indent)
        self._width = width = int(width)
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        if self._dispatch is not PrettyPrinter._dispatch:
            _throw("what is inside of pprint")
        self._depth = depth
        if stream is None:
            stream = _pp_Text(True) if _STDOUT is None else _STDOUT
        self._stream = stream
        self._compact = True if compact else False
        self._sort_dicts = sort_dicts
        self._underscore_numbers = underscore_numbers

    def pprint(self, object):
        if self._stream is not None:
            self._format(object, self._stream, 0, 0, [], 0)
            self._stream.write("\n")

    def pformat(self, object):
        text = _pp_Text(False)
        self._format(object, text, 0, 0, [], 0)
        return "".join(text.pieces)

    def isrecursive(self, object):
        return self._pp_flags(object)[2]

    def isreadable(self, object):
        text, readable, recursive = self._pp_flags(object)
        return readable and not recursive

    def _pp_flags(self, object):
        self._pp_quiet = "<Recursion>"
        flags = self.format(object, [], 0, 0)
        self._pp_quiet = ""
        return flags

    def _format(self, object, stream, indent, allowance, context, level):
        context = _context(context)
        if _within(object, context):
            _throw("the id of a recursive object")
        text = self._repr(object, context, level)
        if _len(text) > self._width - indent - allowance:
            kind = _pp_kind(object)
            if kind in _LAID or kind == "" and _is_dataclass(object):
                context.append(object)
                _lay(self, kind, object, stream, indent, allowance, context, level + 1)
                context.pop()
                return
        stream.write(text)

    def _pp_indented(self, stream, indent):
        if self._indent_per_level > 1:
            stream.write((self._indent_per_level - 1) * " ")
        return indent + self._indent_per_level

    def _format_items(self, items, stream, indent, allowance, context, level):
        indent = self._pp_indented(stream, indent)
        newline = ",\n" + " " * indent
        room = most = self._width - indent + 1
        before = ""
        it = iter(items)
        item = _next(it)
        while item is not _END:
            following = _next(it)
            last = following is _END
            if last:
                most -= allowance
                room -= allowance
            fits = False
            if self._compact:
                text = self._repr(item, context, level)
                size = _len(text) + 2
                if room < size:
                    room = most
                    before = newline if before != "" else ""
                fits = room >= size
            stream.write(before)
            if fits:
                room -= size
                before = ", "
                stream.write(text)
            else:
                before = newline
                self._format(item, stream, indent, allowance if last else 1, context, level)
            item = following

    def _pp_pairs(self, items, stream, indent, allowance, context, level, named):
        """Items of a dict, or `named` ones."""
        rest = len(items)
        if not named:
            indent = self._pp_indented(stream, indent)
        for text, value in items:
            rest -= 1
            if not named:
                text = self._repr(text, context, level)
            stream.write(text)
            stream.write("=" if named else ": ")
            if named and _within(value, context):
                stream.write("...")
            else:
                inner = indent + _len(text) + (1 if named else 2)
                self._format(value, stream, inner, 1 if rest else allowance, context, level)
            if rest:
                stream.write(",\n" + " " * indent)

    def _repr(self, object, context, level):
        text, readable, recursive = self.format(object, context.copy(), self._depth, level)
        if not readable:
            self._readable = False
        if recursive:
            self._recursive = True
        return text

    def format(self, object, context, maxlevels, level):
        return self._safe_repr(object, context, maxlevels, level)

    def _safe_repr(self, object, context, maxlevels, level):
        kind = _pp_kind(object)
        if kind == "int" and self._underscore_numbers:
            return f"{object:_d}", True, False
        if kind not in ("dict", "list", "tuple"):
            text = _repr(object)
            if kind == "int" or _classof(object) in _SCALARS:
                return text, True, False
            return text, text and not text.startswith("<"), False
        single = kind == "tuple" and len(object) == 1
        brackets = "{}" if kind == "dict" else "[]" if kind == "list" else "()"
        if not single and not object:
            return brackets, True, False
        closing = ",)" if single else brackets[1]
        context = _context(context)
        within = _within(object, context)
        if maxlevels and level >= maxlevels:
            return brackets[0] + "..." + closing, False, within
        if within:
            return self._pp_quiet or _throw("the id of a recursive object"), False, True
        context.append(object)
        readable = True
        recursive = False
        texts = []
        items = object
        if kind == "dict":
            items = _pp_sorted(object.items(), True) if self._sort_dicts else object.items()
        for item in items:
            parts = []
            for part in item if kind == "dict" else (item,):
                text, fine, again = self.format(part, context, maxlevels, level + 1)
                parts.append(text)
                if readable and not fine:
                    readable = fine if kind == "dict" else False
                if again:
                    recursive = True
            texts.append(": ".join(parts))
        context.pop()
        return brackets[0] + ", ".join(texts) + closing, readable, recursive


def _lay(printer, kind, object, stream, indent, allowance, context, level):
    """Writes an object over several lines; a dataclass has no kind."""
    if kind == "dict":
        stream.write("{")
        items = []
        if len(object):
            items = _pp_sorted(object.items(), True) if printer._sort_dicts else object.items()
        printer._pp_pairs(items, stream, indent, allowance + 1, context, level, False)
        stream.write("}")
    elif kind == "list" or kind == "tuple":
        closing = "]" if kind == "list" else ",)" if len(object) == 1 else ")"
        stream.write("[" if kind == "list" else "(")
        printer._format_items(object, stream, indent, allowance + _len(closing), context, level)
        stream.write(closing)
    elif kind == "str" or kind == "bytes":
        _lay_text(printer, kind, object, stream, indent, allowance, level)
    elif kind == "bytearray":
        stream.write("bytearray(")
        _lay_text(printer, "bytes", bytes(object), stream, indent + 10, allowance + 1, level + 1)
        stream.write(")")
    elif kind == "UserDict" or kind == "UserList" or kind == "UserString":
        printer._format(object.data, stream, indent, allowance, context, level - 1)
    elif kind == "" or kind == "SimpleNamespace":
        name = "namespace" if _known(_classof(object)) != "" else object.__class__.__name__
        items = _values(object) if kind == "" else object.__dict__.items()
        stream.write(name + "(")
        printer._pp_pairs(items, stream, indent + _len(name) + 1, allowance, context, level, True)
        stream.write(")")
    elif kind != "mappingproxy" and not len(object.maps if kind == "ChainMap" else object):
        stream.write(_repr(object))
    else:
        _lay_named(printer, kind, object, stream, indent, allowance, context, level)


def _lay_named(printer, kind, object, stream, indent, allowance, context, level):
    """Writes a container with the name of its class before it."""
    opening = object.__class__.__name__ + "("
    closing = ")"
    inner = indent + _len(opening)
    if kind == "defaultdict":
        opening += printer._repr(object.default_factory, context, level) + ",\n" + " " * inner
    elif object.__class__ is set:
        opening = "{"
        closing = "}"
        inner = indent
    elif kind == "set" or kind == "frozenset" or kind == "Counter":
        opening += "{"
        closing = "})"
    stream.write(opening)
    allowance += _len(closing)
    if kind == "defaultdict":
        _lay(printer, "dict", object, stream, inner, allowance, context, level)
    elif kind == "OrderedDict":
        printer._format([pair for pair in object.items()], stream, inner, allowance, context, level)
    elif kind == "mappingproxy":
        printer._format(object.copy(), stream, inner, allowance, context, level)
    elif kind == "Counter":
        printer._pp_pairs(object.most_common(), stream, inner, allowance, context, level, False)
    elif kind == "ChainMap":
        rest = len(object.maps)
        for mapping in object.maps:
            rest -= 1
            printer._format(mapping, stream, inner, 1 if rest else allowance, context, level)
            if rest:
                stream.write(",\n" + " " * inner)
    elif kind == "deque":
        most = object.maxlen
        stream.write("[")
        printer._format_items(object, stream, inner, allowance + 1 if most is None else 2, context, level)
        if most is None:
            closing = "])"
        else:
            closing = "],\n" + " " * inner + "maxlen=" + printer._repr(most, context, level) + ")"
    else:
        printer._format_items(_pp_sorted(object, False), stream, inner, allowance, context, level)
    stream.write(closing)


def _lay_text(printer, kind, text, stream, indent, allowance, level):
    size = len(text)
    if size == 0 or kind == "bytes" and size <= 4:
        stream.write(_repr(text))
        return
    outer = 1 if level == 1 else 0
    indent += outer
    room = printer._width - indent
    last = room - allowance - outer
    texts = []
    if kind == "bytes":
        pieces = [text[at : at + 4] for at in range(0, size, 4)]
        # CPython leaves room for what follows only if the last piece is shorter than the others.
        texts = _pp_filled(pieces, b"", room, last if size % 4 else room)
    else:
        rest = text.splitlines(True)
        while rest:
            line = rest.pop(0)
            here = room if rest else last
            whole = _repr(line)
            if _len(whole) <= here:
                texts.append(whole)
            else:
                texts.extend(_pp_filled(_words(line), "", room, here))
        outer = outer and _len(texts) != 1
    if outer:
        stream.write("(")
    for i, text in enumerate(texts):
        if i or kind == "bytes":
            stream.write("\n" + " " * indent if i else "")
        stream.write(text)
    if outer:
        stream.write(")")


_LAID = (
    "dict", "list", "tuple", "set", "frozenset", "str", "bytes", "bytearray", "mappingproxy", "SimpleNamespace", "OrderedDict",
    "defaultdict", "Counter", "ChainMap", "deque", "UserDict", "UserList", "UserString",
)
_SCALARS = (str, bytes, bytearray, float, complex, bool, _classof(None))
_KINDS = _LAID + ("int", "float", "bool", "complex", "NoneType")


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
                   underscore_numbers=False):
    PrettyPrinter(stream=stream, indent=indent, width=width, depth=depth, compact=compact, sort_dicts=sort_dicts,
                          underscore_numbers=underscore_numbers).pprint(object)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent=indent, width=width, depth=depth, compact=compact, sort_dicts=sort_dicts,
                                 underscore_numbers=underscore_numbers).pformat(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._safe_repr(object, [], None, 0)[0]


def isreadable(object):
    return PrettyPrinter().isreadable(object)


def isrecursive(object):
    return PrettyPrinter().isrecursive(object)
