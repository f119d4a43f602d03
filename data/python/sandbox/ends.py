"""The end of a program: finalisers in execution order, exits, and limits."""


_FINALISED = []
# Maximum objects inspected to determine the order of the last collection.
_MOST_REACHED = 300_000
# Flag of classes created by a program.
_HEAP_TYPE = 1 << 9


def _last_order(namespace):
    """The objects with `__del__`: first those that the module does not reach, in creation order, then
    those that it reaches.

    In 3.11 the collector visits the module's names first: an object created after its holder keeps its place, one
    created before moves to the end when its holder is visited. In other versions all were set aside before, and move
    level by level.
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
    """The references of an object in the collector's order, without modules and other modules' functions."""
    kind = type(one)
    if kind is types.ModuleType or kind is types.FunctionType and one.__globals__ is not namespace:
        return ()
    if issubclass(kind, type) and not type.__dict__["__flags__"].__get__(one) & _HEAP_TYPE:
        return ()
    parts = get_referents(one)
    if sys.version_info >= (3, 11) and not issubclass(kind, (dict, type)) and kind is not types.FunctionType:
        # Instances refer to values; to a dict only if something has requested it, as the tracer does.
        if type.__dict__["__flags__"].__get__(kind) & _HEAP_TYPE:
            parts = [x for part in parts for x in (dict.values(part) if type(part) is dict else (part,))]
    return parts


def _final_of(one, known=None):
    """The `__del__` that the program defined for an object's class, or None. `known` caches it by
    class."""
    kind = type(one)
    if known is not None and id(kind) in known:
        return known[id(kind)]
    found = None
    for base in type.__dict__["__mro__"].__get__(kind):
        # No key is compared that may have an `__eq__` of the program.
        methods = [value for key, value in type.__dict__["__dict__"].__get__(base).items() if type(key) is str and key == "__del__"]
        if methods:
            method = methods[0]
            if type(method) is types.FunctionType and _FILES[method.__code__.co_filename] is not None:
                found = method
            break
    if known is not None:
        known[id(kind)] = found
    return found


def _leave_by(end, complete):
    """Makes `os._exit` and `os.abort` end the trace, which would be lost with the process."""

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
    """Makes a trace function of the program end the trace, since it would replace the tracer. Setting none, or
    reading it, behaves as without the tracer."""

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
    """Makes the recursion limit count only the program's frames: the interpreter's limit has extra
    room for the tracer, which detects excess calls."""
    current = _LIMIT

    def setrecursionlimit(limit, /):
        nonlocal current
        limit = index(limit)
        used, frame = 0, sys._getframe(1)
        while frame is not None:
            used += _FILES[frame.f_code.co_filename] is not None
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
    """Exit status and text of a `SystemExit`, without calling a `__str__` of the program."""
    value = _exit_code(error)
    if value is None:
        return [0, ""]
    kind = type(value)
    if issubclass(kind, int):
        return [int.__and__(value, 255), ""]
    text = value if kind is str else _render(value) if _is_data(value) else ""
    return [1, _clean(text[:_MAX_CHARS])]
