# Functions that the machine calls.

import dataclasses
import enum
import threading


# -- functions that call back


def map(function, *iterables):
    if _len(iterables) == 0:
        raise TypeError("map() must have at least two arguments.")
    return _map(function, [iter(x) for x in iterables])


def _steps(it):
    """An iterator to loop over: `__iter__` of one of the program is not called once more."""
    return _stepped(it) if _kind(it) == "own" else it


def _stepped(it):
    while (x := _next(it)) is not _END:
        yield x


def _map(function, its):
    if _len(its) == 1:
        for x in _steps(its[0]):
            yield function(x)
        return
    while True:
        row = []
        for it in its:
            x = _next(it)
            if x is _END:
                return
            _push(row, x)
        yield function(*row)


def filter(function, iterable):
    return _filter(function, iter(iterable))


def _filter(function, it):
    for x in _steps(it):
        if function is None:
            if x:
                yield x
        elif function(x):
            yield x


def zip(*iterables, strict=False):
    return _zip([iter(x) for x in iterables], strict)


def _zip(its, strict):
    if _len(its) == 0:
        return
    while True:
        row = _row(its)
        if row is not _END:
            yield row
            continue
        row = []
        for it in its:
            x = _next(it)
            if x is _END:
                if strict:
                    n = _len(row)
                    if n != 0:
                        raise ValueError(f"zip() argument {n + 1} is shorter than argument{'s 1-' if n > 1 else ' '}{n}")
                    for i, other in enumerate(its):
                        if i != 0 and _next(other) is not _END:
                            raise ValueError(f"zip() argument {i + 1} is longer than argument{'s 1-' if i > 1 else ' '}{i}")
                return
            _push(row, x)
        yield (*row,)


def enumerate(iterable=_END, start=0):
    if iterable is _END:
        raise TypeError("enumerate() missing required argument 'iterable'")
    if not isinstance(start, int) and _find(start, "__index__") is _END:
        raise TypeError("'" + _type_name(start) + "' object cannot be interpreted as an integer")
    return _enumerate(iter(iterable), int(start) if isinstance(start, bool) else start)


def _enumerate(it, i):
    for x in _steps(it):
        yield (i, x)
        i += 1


def reversed(sequence):
    method = _find(sequence, "__reversed__")
    if method is None:
        raise TypeError("'" + _type_name(sequence) + "' object is not reversible")
    if method is not _END:
        return method()
    it = _reverse_iter(sequence)
    if it is not _END:
        return it
    if _find(sequence, "__len__") is not _END and _find(sequence, "__getitem__") is not _END:
        return _reversed(sequence, _find(sequence, "__len__")())
    if _find(sequence, "__getitem__") is not _END:
        raise TypeError("object of type '" + _type_name(sequence) + "' has no len()")
    raise TypeError("'" + _type_name(sequence) + "' object is not reversible")


def _reversed(sequence, n):
    while n > 0:
        try:
            x = sequence[n - 1]
        except (IndexError, StopIteration):
            return
        n -= 1
        yield x


def _iter_until(function, end):
    return _callable_iterator(function, end)


def _callable_iterator(function, end):
    while True:
        try:
            x = function()
        except StopIteration:
            return
        if x == end:
            return
        yield x


def any(iterable):
    for x in iterable:
        if x:
            return True
    return False


def all(iterable):
    for x in iterable:
        if not x:
            return False
    return True


def sum(iterable, /, start=0):
    items, start = _until_own(iterable, start)
    if items is _END:
        return start
    return _ask("sum", (items, start), {})


def _until_own(iterable, start):
    # The items and the start of a sum. With an item of the program all is added: (_END, the sum).
    it = _steps(iter(iterable))
    items = []
    is_number = isinstance(start, (int, float, complex))
    for x in it:
        if _own(x) or _own(start):
            # The items before it contain nothing of the program.
            for item in items:
                start = start + item
            start = start + x
            for x in it:
                start = start + x
            return (_END, start)
        _push(items, x)
        if is_number and not isinstance(x, (int, float, complex)):
            # The iterator is not advanced further if that cannot be added.
            for item in items:
                start = start + item
            items = []
            is_number = False
    return (items, start)


def _extreme(name, args, key, default, has_default):
    it = iter(args[0] if _len(args) == 1 else args)
    best = _next(it)
    if best is _END:
        if has_default:
            return default
        raise ValueError(name + "() arg is an empty sequence")
    least = best if key is None else key(best)
    for x in _steps(it):
        k = x if key is None else key(x)
        if k > least if name == "max" else k < least:
            best = x
            least = k
    return best


def min(*args, key=None, default=_END):
    return _extreme("min", args, key, default, default is not _END)


def max(*args, key=None, default=_END):
    return _extreme("max", args, key, default, default is not _END)


def sorted(iterable, /, *, key=None, reverse=False):
    items = _unordered(iterable)
    if items is _END:
        return _sorted(_list(iterable), key, reverse)
    if key is not None and _kind(key) != "other":
        # The program's function sees the order of the set.
        _guess_order(iterable)
        return _sorted(items, key, reverse)
    try:
        items = _sorted(items, key, reverse)
    except TypeError:
        # The message tells which two are compared first.
        _guess_order(iterable)
        raise
    keys = items if key is None else [key(x) for x in items]
    i = 1
    while i < _len(keys):
        if keys[i - 1] == keys[i]:
            # Equal ones keep their order.
            _guess_order(iterable)
            break
        i += 1
    return items


def _sorted(items, key, reverse):
    if key is None:
        keys = items
    else:
        keys = [key(x) for x in items]
    return _sorted_by(items, keys, reverse)


def _sorted_by(items, keys, reverse):
    for k in keys:
        if _own(k) or _kind(k) == "own":
            return _timsort(items, keys, reverse)
    return _sort_by(items, keys, reverse)


def _sort(items, *, key=None, reverse=False):
    # Code that runs in between sees an empty list.
    result = [*items]
    items[:] = []
    try:
        result = _sorted(result, key, reverse)
    finally:
        changed = _len(items) > 0
        items[:] = result
    if changed:
        raise ValueError("list modified during sort")


def _timsort(items, keys, reverse):
    # CPython's list.sort below 64 items: one run, then binary insertion.
    n = _len(items)
    if n >= 64:
        _throw("sorting that many objects")
    if n < 2:
        return items
    order = []
    i = 0
    while i < n:
        _push(order, i)
        i += 1
    if reverse:
        order = order[::-1]
    descending = False
    run = 2
    if keys[order[1]] < keys[order[0]]:
        descending = True
        while run < n and keys[order[run]] < keys[order[run - 1]]:
            run += 1
    else:
        while run < n and not (keys[order[run]] < keys[order[run - 1]]):
            run += 1
    if descending:
        order = [*order[:run][::-1], *order[run:]]
    while run < n:
        pivot = order[run]
        left = 0
        right = run
        while left < right:
            middle = (left + right) // 2
            if keys[pivot] < keys[order[middle]]:
                right = middle
            else:
                left = middle + 1
        order = [*order[:left], pivot, *order[left:run], *order[run + 1 :]]
        run += 1
    if reverse:
        order = order[::-1]
    return [items[i] for i in order]


def _anext(agen, error=None, sent=None):
    # Objects that an asynchronous generator waits for are passed to the event loop.
    while True:
        ended = False
        try:
            value = agen.send(sent) if error is None else agen.throw(error)
        except StopIteration:
            ended = True
        if ended:
            raise StopAsyncIteration
        inner = _unwrapped(value)
        if inner is not _END:
            return inner
        error = None
        try:
            sent = yield value
        except BaseException as e:
            error = e


class _Awaiting:
    def __init__(self, agen, error=None, sent=None):
        self.agen = agen
        self.error = error
        self.sent = sent

    def __await__(self):
        return _anext(self.agen, self.error, self.sent)


def _agen_next(agen):
    return _Awaiting(agen)


def _agen_send(agen, value):
    return _Awaiting(agen, None, value)


class _AgenClosing:
    def __init__(self, agen):
        self.agen = agen

    def __await__(self):
        try:
            yield from _anext(self.agen, GeneratorExit())
        except (StopAsyncIteration, GeneratorExit):
            return
        raise RuntimeError("async generator ignored GeneratorExit")


def _coroutine_wrapper(coro):
    # `coro.__await__()`
    error = None
    while True:
        try:
            waits = coro.send(None) if error is None else coro.throw(error)
        except StopIteration as e:
            return e.value
        error = None
        try:
            yield waits
        except BaseException as e:
            error = e


def _getattr_or(value, name, default):
    try:
        return getattr(value, name)
    except AttributeError:
        return default


def _hasattr(value, name):
    try:
        getattr(value, name)
    except AttributeError:
        return False
    return True


def _has_of_protocol(value, protocol, name):
    if not _hasattr(value, name):
        return False
    return not callable(getattr(protocol, name, None)) or getattr(value, name) is not None


def _dict_with(mapping, /, **kwargs):
    """`dict(mapping, name=value)` of an object."""
    made = dict(mapping)
    made.update(kwargs)
    return made


def _generic_item(cls, params):
    return _generic(cls, params)


def _cached_property(function, instance, name):
    if _len(_SLEEPERS) != 0:
        return threading._cached(function, instance, name)
    value = function(instance)
    _set_own(instance, name, value)
    return value


def _by_getattr(value, name):
    """A method that the class lacks, where its `__getattr__` gives one."""
    if _find(value, "__getattr__") is _END:
        return _END
    try:
        return getattr(value, name)
    except AttributeError:
        return _END


def _with_state(made, state):
    if _len(state) != 0:
        # It is looked up again if it exists.
        if _by_getattr(made, "__setstate__") is not _END:
            made.__setstate__(state)
            return made
    for name, value in [*state.items()]:
        _set_own(made, name, value)
    return made


# For each deep copy in progress, the objects that were copied, with their copies.
_DEEP = []


def _deepcopy(x, memo=None):
    top = memo is None or _len(_DEEP) == 0
    if top:
        _push(_DEEP, [])
    try:
        return _deep_part(x, {} if memo is None else memo)
    finally:
        if top:
            _pop(_DEEP)


def _deep_part(x, memo):
    pairs = _DEEP[-1]
    for known, made in pairs:
        if known is x:
            return made
    kind = _classof(x)
    method = _END
    if _kind(x) == "own":
        method = _find(x, "__deepcopy__")
        if method is _END and _find(x, "__getattribute__") is not _END:
            _throw("a copy beside __getattribute__")
        if method is _END:
            method = _by_getattr(x, "__deepcopy__")
    if method is not _END and method is not None:
        made = method(memo)
        if made is not x:
            _push(pairs, (x, made))
    elif _kind(x) == "own" and _copies_plainly(x):
        made = _instance(kind)
        _push(pairs, (x, made))
        state = {name: _deep_part(value, memo) for name, value in [*x.__dict__.items()]}
        _with_state(made, state)
    elif kind is list:
        made = []
        _push(pairs, (x, made))
        for item in x:
            _push(made, _deep_part(item, memo))
    elif kind is dict:
        made = {}
        _push(pairs, (x, made))
        for key, value in x.items():
            made[_deep_part(key, memo)] = _deep_part(value, memo)
    elif kind is tuple or kind is set:
        items = [_deep_part(item, memo) for item in x]
        same = kind is tuple and all([items[i] is item for i, item in enumerate(x)])
        made = x if same else kind(items)
        _push(pairs, (x, made))
    else:
        made = _copied_deeply(x)
        if made is _END:
            made = _rebuilt(x, memo)
    return made


def _chain_of(iterable, /):
    return _chain(iter(iterable))


def _chain(iterables):
    for it in _steps(iterables):
        for x in it:
            yield x


# The program's replacements of standard input, output and error.
_STDIN = None
_STDOUT = None
_STDERR = None


def _redirect_stdout(target):
    """Where what is written goes from now on; gives where it went before."""
    global _STDOUT
    before = _STDOUT
    _STDOUT = target
    return before


def _redirect_stderr(target):
    """Where what is written goes from now on; gives where it went before."""
    global _STDERR
    before = _STDERR
    _STDERR = target
    return before


def _input_of(file, prompt):
    """`input()` where a stream is another."""
    for text in prompt:
        print(text, end="")
    if file is None:
        return input()
    line = file.readline()
    if not isinstance(line, str):
        raise TypeError("object.readline() returned non-string")
    if line == "":
        raise EOFError("EOF when reading a line")
    return line[:-1] if line[-1] == "\n" else line


def _standard_error():
    return _stderr() if _STDERR is None else _STDERR


def _evaluated(space):
    return space["_value_"]


def _executed(space):
    return None


def _metaclass(cls, meta, new, init, name, bases, namespace, keywords):
    if new is not None:
        made = new(meta, name, bases, namespace, **keywords)
        if made is not cls:
            return made
    else:
        _class_made(cls, keywords)
    if init is not None:
        init(cls, name, bases, namespace, **keywords)
    return cls


def _matched(subject, values, names):
    values = [*values]
    for name in names:
        value = getattr(subject, name, _END)
        if value is _END:
            return None
        _push(values, value)
    return (*values,)


def _any_kind(check, value, kinds):
    for kind in kinds:
        if check(value, kind):
            return True
    return False


def _checked(check, kind, value):
    return True if check(kind, value) else False


_HOOKED = {}


def _hooked(kind, cls):
    known = (kind, cls)
    if known not in _HOOKED:
        found = kind.__subclasshook__(cls)
        if found is NotImplemented:
            found = any([each is kind for each in _mro(cls)])
            for below in [] if found else kind.__subclasses__():
                if issubclass(cls, below):
                    found = True
                    break
        _HOOKED[known] = found
    return _HOOKED[known]


class _TypedDict:
    def __new__(cls, *args, **kwargs):
        return dict(*args, **kwargs)

    def __init_subclass__(cls, /, total=True):
        keys = {True: [], False: []}
        for base in _mro(cls)[1:]:
            for required, name in ((True, "__required_keys__"), (False, "__optional_keys__")):
                known = _own_attribute(base, name)
                if known is not _END:
                    keys[required] += [*known]
        own = _own_attribute(cls, "__annotations__")
        for name in [] if own is _END else own:
            kind = _str(own[name])
            required = kind[:16] == "typing.Required[" or total and kind[:19] != "typing.NotRequired["
            _push(keys[required], name)
        _set_own(cls, "__required_keys__", frozenset(keys[True]))
        _set_own(cls, "__optional_keys__", frozenset(keys[False]))
        _set_own(cls, "__total__", total)


def _call_with(function, iterable, keywords):
    return function(*_list(iterable), **keywords)


def _add_note(error, note, /):
    if not isinstance(note, str):
        raise TypeError("note must be a str, not '" + _classof(note).__name__ + "'")
    notes = getattr(error, "__notes__", _END)
    if notes is _END:
        notes = []
        error.__notes__ = notes
    notes.append(note)


def _field_names(fields):
    """Names of fields that instances have: all but those for `__post_init__` alone."""
    return [name for name in fields if not fields[name]._for_init]


def _hash_of(value):
    return hash(value._hash_values_())


def _annotation_text(kind):
    """An annotation as `inspect` shows it."""
    if isinstance(kind, type) and kind.__module__ != "typing":
        module = "" if kind.__module__ == "builtins" else kind.__module__ + "."
        return module + kind.__qualname__
    return _repr(kind) if isinstance(kind, str) else _repr(kind).replace("typing.", "")


def _plain(x, by_name):
    if _kind(x) == "sequence":
        items = [_plain(item, by_name) for item in x]
        return items if isinstance(x, list) else (*items,)
    if isinstance(x, dict):
        return {_plain(key, by_name): _plain(x[key], by_name) for key in x}
    if isinstance(x, set):
        return {item for item in x}
    if _own(x):
        if not dataclasses.is_dataclass(x):
            return _copied_deeply(x)
        if by_name:
            return {name: _plain(getattr(x, name), True) for name in _field_names(x.__dataclass_fields__)}
        return (*[_plain(getattr(x, name), False) for name in _field_names(x.__dataclass_fields__)],)
    return x


def _call_through_get(descriptor, instance, /, *args, **kwargs):
    return _classof(descriptor).__get__(descriptor, instance, _classof(instance))(*args, **kwargs)


def _initialised(cls, args, kwargs):
    instance = object.__new__(cls)
    _init(instance, args, kwargs)
    return instance


def _instantiate(cls, new, args, kwargs):
    instance = new(cls, *args, **kwargs)
    if isinstance(instance, cls) and not isinstance(instance, enum.Enum):
        _init(instance, args, kwargs)
    return instance
