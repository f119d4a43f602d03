# Libraries that leave no trace (warnings go to the standard error), and paths as far as they are texts.


# How threads sleep, where there are any.
_SLEEPERS = []
# How an event loop waits, where there are any.
_LOOP_WAITS = []

# The clock of the sandbox: it starts at 2020-01-01, a reading takes a millisecond, sleeping moves it.
_CLOCK_START = 1577836800000000000
_CLOCK = [0]
# Libraries of the runtime that read it where CPython's own do not, or more or less often.
_CLOCK_READERS = []


def _clock_read():
    if _len(_CLOCK_READERS) != 0:
        _throw("the clock beside asyncio or unittest")
    _CLOCK[0] += 1000000
    return _CLOCK[0]


def time__sleep(seconds, /):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if _len(_SLEEPERS) != 0:
        return _SLEEPERS[0](seconds)
    _CLOCK[0] += int(seconds * 1000000000)


def time__time_ns():
    return _CLOCK_START + _clock_read()


def time__time():
    return time__time_ns() / 1e9


def time__monotonic_ns():
    return _clock_read()


def time__monotonic():
    return _clock_read() / 1e9


def time__perf_counter_ns():
    return _clock_read()


def time__perf_counter():
    return _clock_read() / 1e9


def time__process_time_ns():
    return _clock_read()


def time__process_time():
    return _clock_read() / 1e9


def time__thread_time_ns():
    return _clock_read()


def time__thread_time():
    return _clock_read() / 1e9


def warnings__warn(message, category=None, stacklevel=1, source=None):
    if _STDERR is not None:
        _throw("warnings that the program reads")


def warnings__filterwarnings(action, *args, **kwargs):
    if action == "error":
        _throw("warnings as errors")


def warnings__simplefilter(action, *args, **kwargs):
    if action == "error":
        _throw("warnings as errors")


# -- paths


class os__stat_result:
    __module__ = "os"

    def __init__(self, size):
        self.st_size = size

    def __getattr__(self, name):
        _throw("os.stat_result." + name)

    def __repr__(self):
        _throw("the text of os.stat_result")


_rename(os__stat_result, "stat_result")


def _path_parts(texts):
    """Root and names of joined paths."""
    root = ""
    names = []
    for text in texts:
        if isinstance(text, pathlib__PurePosixPath):
            text = text._text
        elif not isinstance(text, str):
            raise TypeError("expected str, bytes or os.PathLike object, not " + _classof(text).__name__)
        if text[:1] == "/":
            root = "/"
            names = []
        name = ""
        for c in text + "/":
            if c != "/":
                name += c
            else:
                if name != "" and name != ".":
                    _push(names, name)
                name = ""
    return root, names


def _path_of(root, names, kind=None):
    path = _instance(pathlib__Path if kind is None else kind)
    path.__init__(root, *names)
    return path


class _PathParents:
    __module__ = "pathlib"
    _abstract_ = ("Sequence", "Reversible", "Collection", "Sized", "Iterable", "Container")

    def __init__(self, kind, paths):
        self._kind = kind
        self._paths = paths

    def __len__(self):
        return _len(self._paths)

    def __getitem__(self, index):
        return self._paths[index]

    def __iter__(self):
        return iter(self._paths)

    def __contains__(self, path):
        return path in self._paths

    def __repr__(self):
        return "<" + self._kind + ".parents>"


_rename(_PathParents, "_PathParents")


class pathlib__PurePosixPath:
    __module__ = "pathlib"

    def __init__(self, *texts):
        root, names = _path_parts(texts)
        text = ""
        for name in names:
            text += name if text == "" else "/" + name
        self._root = root
        self._names = names
        self._text = root + text if root + text != "" else "."

    def __truediv__(self, other):
        if not isinstance(other, (str, pathlib__PurePosixPath)):
            return NotImplemented
        return _classof(self)(self, other)

    def __rtruediv__(self, other):
        if not isinstance(other, str):
            return NotImplemented
        return _classof(self)(other, self)

    def joinpath(self, *others):
        return _classof(self)(self, *others)

    def __str__(self):
        return self._text

    def __fspath__(self):
        return self._text

    def as_posix(self):
        return self._text

    def __repr__(self):
        return _classof(self).__name__ + "(" + _repr(self._text) + ")"

    def __eq__(self, other):
        if not isinstance(other, pathlib__PurePosixPath):
            return NotImplemented
        return self._text == other._text

    def __lt__(self, other):
        if not isinstance(other, pathlib__PurePosixPath):
            return NotImplemented
        return self.parts < other.parts

    def __gt__(self, other):
        if not isinstance(other, pathlib__PurePosixPath):
            return NotImplemented
        return self.parts > other.parts

    @property
    def parts(self):
        return ((self._root, *self._names) if self._root else (*self._names,))

    @property
    def name(self):
        return self._names[-1] if self._names else ""

    @property
    def suffix(self):
        name = self.name
        dot = -1
        for at, c in enumerate(name):
            if c == ".":
                dot = at
        return name[dot:] if 0 < dot < _len(name) - 1 else ""

    @property
    def suffixes(self):
        name = self.name
        if name[-1:] == ".":
            return []
        found = []
        part = ""
        started = False
        for c in name:
            if c == "." and started:
                if part[:1] == ".":
                    _push(found, part)
                part = "."
            else:
                part += c
            if c != ".":
                started = True
        if part[:1] == "." and started and part != name:
            _push(found, part)
        return found

    @property
    def stem(self):
        name = self.name
        return name[: _len(name) - _len(self.suffix)]

    @property
    def root(self):
        return self._root

    @property
    def drive(self):
        return ""

    @property
    def anchor(self):
        return self._root

    @property
    def parent(self):
        return _path_of(self._root, self._names[:-1], _classof(self))

    @property
    def parents(self):
        found = []
        count = _len(self._names)
        while count > 0:
            count -= 1
            _push(found, _path_of(self._root, self._names[:count], _classof(self)))
        return _PathParents(_classof(self).__name__, (*found,))

    def is_absolute(self):
        return self._root != ""

    def with_name(self, name):
        if not self._names:
            raise ValueError(_repr(self) + " has an empty name")
        return _path_of(self._root, [*self._names[:-1], name], _classof(self))

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if suffix and suffix[:1] != "." or suffix == ".":
            raise ValueError("Invalid suffix " + _repr(suffix))
        return self.with_name(self.stem + suffix)

    def __getattr__(self, name):
        _throw("pathlib." + _classof(self).__name__ + "." + name)


_rename(pathlib__PurePosixPath, "PurePosixPath")
pathlib__PurePath = pathlib__PurePosixPath


class pathlib__Path(pathlib__PurePosixPath):
    __module__ = "pathlib"


_rename(pathlib__Path, "PosixPath")
pathlib__PosixPath = pathlib__Path


# -- templates


def _starts_name(c):
    return "a" <= c <= "z" or "A" <= c <= "Z" or c == "_"


def string__capwords(s, sep=None):
    return (" " if sep is None else sep).join([x.capitalize() for x in s.split(sep)])


class string__Template:
    __module__ = "string"
    delimiter = "$"
    idpattern = "(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None

    def __init__(self, template):
        self.template = template

    def _filled(self, mapping, safe):
        text = self.template
        mark = self.delimiter
        if hasattr(self, "pattern") or hasattr(self, "flags") or _len(mark) != 1:
            _throw("a template with a pattern of its own")
        out = ""
        at = 0
        while at < _len(text):
            if text[at] != mark:
                out += text[at]
                at += 1
                continue
            braced = text[at + 1 : at + 2] == "{"
            start = end = at + 2 if braced else at + 1
            words = self.idpattern
            if braced and self.braceidpattern is not None:
                words = self.braceidpattern
            if words == string__Template.idpattern:
                while end < _len(text) and (_starts_name(text[end]) or end > start and "0" <= text[end] <= "9"):
                    end += 1
            else:
                found = _re_find(words, 2, text, start, "match")
                end = start if found is None else found[0][0][1]
            name = text[start:end]
            after = end + 1 if braced else end
            if text[at + 1 : at + 2] == mark:
                out += mark
                at += 2
            elif name == "" or braced and text[end : end + 1] != "}":
                if not safe:
                    lines = text[: at + 1].splitlines(True)
                    column = at + 1 - _len("".join(lines[:-1]))
                    raise ValueError("Invalid placeholder in string: line %d, col %d" % (_len(lines), column))
                out += mark
                at += 1
            else:
                if name in mapping or not safe:
                    out += _str(mapping[name])
                else:
                    out += text[at:after]
                at = after
        return out

    def substitute(self, mapping=None, /, **kwargs):
        return self._filled(kwargs if mapping is None else {**mapping, **kwargs}, False)

    def safe_substitute(self, mapping=None, /, **kwargs):
        return self._filled(kwargs if mapping is None else {**mapping, **kwargs}, True)


_rename(string__Template, "Template")


# -- annotations


_HINT_NAMES = {
    kind.__name__: kind
    for kind in (int, str, float, bool, complex, bytes, bytearray, list, dict, tuple, set, frozenset, object, type, range, Exception)
}


def _hint(value):
    if isinstance(value, str):
        # Names of functions are not found here, as by CPython.
        value = eval(value, {**_HINT_NAMES, **_program_names()})
    return _classof(None) if value is None else value


def typing__get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    if isinstance(obj, type):
        for base in reversed(_mro(obj)):
            annotations = _own_attribute(base, "__annotations__")
            if annotations is not _END:
                for name in annotations:
                    hints[name] = _hint(annotations[name])
        return hints
    annotations = getattr(obj, "__annotations__", None)
    if annotations is None:
        raise TypeError(_repr(obj) + " is not a module, class, method, or function.")
    for name in annotations:
        hints[name] = _hint(annotations[name])
    return hints


_shlex_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"


def shlex__quote(s):
    if not s:
        return "''"
    for c in s:
        if c not in _shlex_SAFE:
            return "'" + s.replace("'", "'\"'\"'") + "'"
    return s


def shlex__join(split_command):
    return " ".join([shlex__quote(arg) for arg in split_command])


def shlex__split(s, comments=False, posix=True):
    if s is None:
        raise ValueError("s argument must not be None")
    if not posix or not isinstance(s, str):
        _throw("a command that is split in another way")
    words = []
    word = None
    # Within which quotes, and whether a backslash came before.
    quote = ""
    escaped = False
    i = 0
    while i < _len(s):
        c = s[i]
        i += 1
        if escaped:
            if quote != "" and c != "\\" and c != quote:
                word += "\\"
            word += c
            escaped = False
        elif quote != "":
            if c == quote:
                quote = ""
            elif c == "\\" and quote == '"':
                escaped = True
            else:
                word += c
        elif c in " \t\r\n":
            if word is not None:
                _push(words, word)
            word = None
        elif comments and c == "#":
            if word is not None:
                _push(words, word)
            word = None
            while i < _len(s) and s[i - 1] != "\n":
                i += 1
        else:
            word = "" if word is None else word
            if c in "'\"":
                quote = c
            elif c == "\\":
                escaped = True
            else:
                word += c
    if escaped:
        raise ValueError("No escaped character")
    if quote != "":
        raise ValueError("No closing quotation")
    if word is not None:
        _push(words, word)
    return words


# -- times of code


_TIMED = """def inner(_it, _timer):
    {setup}
    _t0 = _timer()
    for _i in _it:
        {stmt}
        pass
    _t1 = _timer()
    return _t1 - _t0
"""


def timeit__timeit(stmt="pass", setup="pass", timer=None, number=1000000, globals=None):
    return timeit__Timer(stmt, setup, timer, globals).timeit(number)


def timeit__repeat(stmt="pass", setup="pass", timer=None, repeat=5, number=1000000, globals=None):
    return timeit__Timer(stmt, setup, timer, globals).repeat(repeat, number)


def timeit__default_timer():
    return time__perf_counter()


class timeit__Timer:
    __module__ = "timeit"

    def __init__(self, stmt="pass", setup="pass", timer=None, globals=None):
        self.timer = time__perf_counter if timer is None else timer
        space = {}
        texts = []
        for name, given, indent in (("setup", setup, 4), ("stmt", stmt, 8)):
            if isinstance(given, str):
                texts.append(given.replace("\n", "\n" + " " * indent))
            elif callable(given):
                space["_" + name] = given
                texts.append("_" + name + "()")
            else:
                raise ValueError(name + " is neither a string nor callable")
        self.src = _TIMED.replace("{setup}", texts[0]).replace("{stmt}", texts[1])
        if _len(space) != 0:
            # In CPython they are parameters.
            space = {**({} if globals is None else globals), **space}
            globals = None
        exec(self.src, space if globals is None else globals, space)
        self.inner = space["inner"]

    def timeit(self, number=1000000):
        return self.inner(itertools__repeat(None, number), self.timer)

    def repeat(self, repeat=5, number=1000000):
        return [self.timeit(number) for i in range(repeat)]

    def autorange(self, callback=None):
        _throw("timeit.Timer.autorange")


_rename(timeit__Timer, "Timer")
