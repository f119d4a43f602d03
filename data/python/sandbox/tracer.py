"""Runs one program and records its execution step by step.

The rule, to the letter: take the events `call`, `line` and `return` of the program's own code
objects, without the module's own `call`: e1, e2, ...  There is one step per event but the last. Its
line, event, function and depth are those of e_k; its state is the locals of the frame of e_(k+1),
read when e_(k+1) fires; its output is what reached `sys.stdout` between the two.

Frames of comprehensions and generator expressions are omitted. From CPython 3.12 on comprehensions
run inside the frame around them; `_inlined` finds them by position and `_careful` drops or restores
line events until the steps are those of 3.11.

Values become canonical text by their exact builtin type, instances of the program's classes by the
contents of their dict and slots: no `__repr__`, `__str__`, `__class__`, metaclass, property or
overridden method of the program is ever called.

Standard library only, CPython 3.8 to 3.14; nothing runs when it is loaded. It uses values.py, inlined.py, ends.py and
outputs.py. It does not isolate (the sandbox does), stop the clock, record writes that bypass `sys.stdout` through other
file descriptors, trace threads of a program that names none of `has_threads`, or resist a program that walks the
interpreter to find it.
"""

if "_render" not in globals():  # a program of its own: what it uses comes first
    import os

    for _name in ("values.py", "inlined.py", "ends.py", "outputs.py"):
        _path = os.path.join(os.path.dirname(os.path.abspath(__file__)), _name)
        with open(_path, encoding="utf-8") as _file:
            exec(compile(_file.read(), _path, "exec"))


# -- the tracer -----------------------------------------------------------------------------------


_settrace, _gettrace, _excepthook = sys.settrace, sys.gettrace, sys.excepthook
_exit_process = os._exit


def _pairs_of(frame, order):
    """Names and values of a frame's locals, never through methods of the program, which may have
    given a class body its own kind of namespace.

    From 3.13 on the locals of a function are a view in the compiler's order; `order` (names only:
    values must die when the program releases them) converts it to the order of first binding.
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
    """The innermost frame of the program at or below this one, or None."""
    while frame is not None and _FILES[frame.f_code.co_filename] is None:
        frame = frame.f_back
    return frame


class _Unwind(BaseException):
    """Leaves a program whose result is already out, after `finish` returned."""


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
    project=None,
    references=False,
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
    where given, compiles the program and may end it before it is traced. `project`: where the program stands and what
    it is given (project.py). `references`: behind the text of a value stand a zero byte and the numbers of the objects
    in it, in the order in which their texts begin. Objects stay alive for that, but those of a program that could tell.

    The payload: `status` (finished, raised, syntax, steps, output, memory, timeout, tamper, settrace, abort),
    `kind` and `message` of the exception, `line`, `column` (1-based, 0 when unknown), `step` (index
    of the step at which an uncaught exception was raised, or None), `exit` where the program asked
    to leave with another status than 0 (`code`, that status, and `text`, what it gave) and `steps`, each
    `[line, "c" | "l" | "r", function, depth, [frame, name, text, ...], output]`, where a function or
    generator gave a value back with its text behind that. Behind the event's letter stand a space and the path of the
    file where that is not the entry's; `file` is that path for the line of an exception. `frame` is the number of the
    frame, as text, that the names are bound in; the names are those that have another text than in the state before of
    the same frame, in their order behind the others, or None for a text where they are gone. `frame` ends in "!" where
    what was bound before is to be forgotten.
    """
    steps = []
    ended = []

    def end(status, kind="", message="", line=0, column=0, step=None, exit=None, file="", causes=()):
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
        if file:
            payload["file"] = file[1:]
        if causes and not short:
            payload["causes"] = [[*cause[:4], cause[4][1:], cause[5]] for cause in causes]
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
    entry = source
    if project is not None:
        source = project.enter(module.__dict__, source)
    _references[:] = references, not any(word in source for word in _TELLING), 0
    recorder = _recorder(steps, raw, end, plans, max_steps, max_bytes, keep, short, max_names)
    _leave_by(end, recorder.complete)
    _trace_by(end, recorder.complete)
    _limit_by(recorder.allow)
    if project is not None or guide is None and "may_use_files" in globals() and may_use_files(source):
        keep_files_in_memory(source, project)
    if guide is not None:
        guide.prepare(module.__dict__)
    if "set_alarms_by_clock" in globals() and sets_alarms(source):
        set_alarms_by_clock()
    if "answer_debugger" in globals() and stops_for_debugger(source):
        answer_debugger(entry)
    write_held = _open_output_by_number(source, raw)
    package = "" if project is None else project.package
    _run(code, module.__dict__, recorder, end, source, steps, guide, write_held, package)


def _stage():
    """A new module that the program becomes, and its standard output."""
    module = types.ModuleType("__main__")
    for name in ("__doc__", "__package__", "__loader__", "__spec__"):
        # Each name is looked up in each step; without them the lookup ends in the builtins.
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


def _run(code, namespace, recorder, end, source, steps, guide, write_held, package):
    """Executes the module under the recorder and returns its outcome."""
    enter_for, raised_at = recorder.enter_for, recorder.raised_at
    settrace, gettrace = _settrace, _gettrace
    threads = None
    if has_threads(source):
        import threading as threads

        # A thread runs until it waits, so the order of events is always the same.
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
        if package:
            __import__(package)
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
            # Its traceback comes first.
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
        # Either the program removed the trace function, or there was no stack left to call it: then
        # the steps end where it was lost.
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
    line, file = recorder.lines.get(id(error)) or _innermost(error)
    status = "memory" if type(error) is MemoryError else "raised"
    step = raised_at.get(id(error)) if watched else len(steps) - 1
    causes = _led_to(error, recorder.lines, raised_at if watched else {})
    return end(status, kind, message, line, 0, step, file=file, causes=causes)


def _call_hook(enter_for, error):
    """Calls the program's `sys.excepthook`. Returns whether the program kept the trace function, and what ends it."""
    kind, entry = type(error), _exception_traceback(error)
    if kind is _Unwind or issubclass(kind, SystemExit):
        return True, error
    while entry is not None and _FILES[entry.tb_frame.f_code.co_filename] is None:
        entry = entry.tb_next
    enter = enter_for(False)
    _settrace(enter)
    try:
        sys.excepthook(kind, error, entry)
    except BaseException as caught:
        # Any other exception is reported on standard error.
        if issubclass(type(caught), (SystemExit, _Unwind)):
            error = caught
    finally:
        watched = _gettrace() is enter
        _settrace(None)
    return watched, error


def _call_at_exit(enter_for):
    """Calls the program's exit functions, as the interpreter does after its threads have ended. Returns whether the
    program kept the trace function."""
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
    """Calls `__del__` of the remaining objects, in the order of the interpreter's last collection. Returns whether the
    program kept the trace function."""
    try:
        left = _last_order(namespace)
    except BaseException:
        return True  # too much to look at
    # Objects dropped by a finaliser are finalised immediately.
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


def has_threads(source):
    """Whether a program may have threads that are traced."""
    return any(name in source for name in ("threading", "concurrent", "to_thread", "run_in_executor"))


def _start_thread(enter_for, frame, event, arg):
    """Trace function of a new thread until its first event: then one with its own depth."""
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
    size = told = frames = 0
    left = 0  # id of the frame of the last return event, where that returned None or was unwound
    cut = False  # a frame was left without its event
    most = _MOST_FRAMES
    raised_at, lines = {}, {}
    begin = getattr(keep, "begin", None)
    files = _FILES
    recorder = types.SimpleNamespace(raised_at=raised_at, lines=lines)
    tell, leaf_of, hidden = raw.tell, _LEAVES.get, _HIDDEN
    references, with_objects, begun = _references, _with_objects, _begun
    proxied, apart = sys.version_info >= (3, 13), sys.version_info[:2] == (3, 12)

    def written(final=False):
        """New output since the last call; bytes of an incomplete character wait."""
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

    def close(pairs, known):
        """Completes the pending step with the state of the frame whose event has just fired. `known`: its number, and
        the texts and names of its previous state."""
        nonlocal size
        number, texts, order = known
        changed, names = [number], []
        begun.clear()
        for name, value in pairs:
            if type(name) is str and name not in hidden:
                leaf = leaf_of(id(type(value)))
                text = leaf(value) if leaf is not None else _render(value)
                names.append(name)
                length = len(text)
                if references[0]:
                    text = with_objects(text)
                if texts.get(name) != text:
                    changed.append(name)
                    changed.append(text)
                    size += len(name) + length
                    texts[name] = text
                else:
                    # As `record.rs` counts what a whole state repeats.
                    size += 8 + (len(name) + length) // 32
        _spent[0] = 0
        if len(names) > max_names:
            stop("output")
        if names != order:
            changed = settled(known, names, changed)
        pending[4] = changed
        if raw.closed or tell() != told:
            pending[5] = written()
        if len(steps) >= max_steps:
            stop("steps")
        steps.append(pending)
        if keep is not None and pending[3] < _KEPT_DEPTH:
            keep(steps)
        if size + told > max_bytes:
            stop("output")

    def settled(known, names, changed):
        """Changes in a state whose names differ from the previous ones, or their order."""
        number, texts, order = known
        known[2] = names
        if len(names) != len(texts):
            bound = set(names)
            for name in [name for name in texts if name not in bound]:
                del texts[name]
                changed += name, None
        if list(texts) != names:
            # A name that was unbound and rebound comes after the others.
            known[1] = texts = {name: texts[name] for name in names}
            changed = [number + "!"]
            for pair in texts.items():
                changed += pair
        return changed

    def give(frame, value):
        """Records the value returned or yielded by a function or generator. If that is None without
        a `return`, it was unwound, or yields nothing."""
        nonlocal size
        if short or not frame.f_code.co_flags & 1 or value is None and not _returned(frame):
            return
        begun.clear()
        leaf = leaf_of(id(type(value)))
        text = leaf(value) if leaf is not None else _render(value)
        pending.append(with_objects(text))
        size += len(text)

    def flush():
        text = written(True)
        if text and steps:
            steps[-1][5] += text

    def complete(frame):
        """Completes the pending step if the program leaves without another event."""
        if pending is not None and frame is not None:
            close(_pairs_of(frame, {}), getattr(frame.f_trace, "known", None) or ["0", {}, []])
        flush()

    def failed(error):
        """An error of the tracer itself, not of the program."""
        if isinstance(error, _TooLarge):
            stop("output")
        if isinstance(error, MemoryError):
            stop("memory")
        stop("steps")

    def saw(error, entry):
        """Records during which step an exception was last raised.

        It may have been raised before, and brings its old traceback along. It comes up from a call
        where that call was left unwound, by this exception; and it is thrown into a generator (by
        `with`, say) from where it was raised. Everything else raises it anew.
        """
        key = id(error)
        if key in raised_at and entry is not None and pending is not None and pending[1][0] != "l":
            below = _frame_below(entry)
            if below is not None and (
                pending[1][0] == "c" or id(below) == left and not _returned(below)
            ):
                return
        raised_at[key] = len(steps)

    def allow(frames):
        nonlocal most
        most = frames

    def exceeded(frame):
        """Raises the interpreter's error in a program beyond its recursion limit. The interpreter
        removes a trace function that raises; the profiler's next event restores it."""
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
        lines[id(error)] = (caller.f_lineno, files[caller.f_code.co_filename]) if caller is not None else (0, "")
        sys.setprofile(resume)
        raise error

    def own_module(namespace):
        """Classes of a project module are the program's."""
        name = namespace.get("__name__")
        if type(name) is str:
            _OWN_MODULES.add(name)

    def enter_for(main):
        depth = -1
        if main:
            recorder.is_whole = lambda: depth == -1 and not cut
        module = not main

        def plain(name, own, file, known):
            """Local trace function of one frame, up to 3.12 and without inlined comprehensions."""
            at_line, at_return, least = "l" + file, "r" + file, 1 if file else 0

            def local(frame, event, arg):
                nonlocal pending, depth, left, cut
                try:
                    if event == "line":
                        if pending is not None:
                            space = frame.f_locals
                            close(space.items() if type(space) is dict else _pairs_of(frame, {}), known)
                        if depth != own:
                            depth, cut = own, True
                        pending = [frame.f_lineno or least, at_line, name, own, [], ""]
                        if begin is not None:
                            begin(pending, len(steps))
                    elif event == "return":
                        if pending is not None:
                            space = frame.f_locals
                            close(space.items() if type(space) is dict else _pairs_of(frame, {}), known)
                        if depth != own or not frame.f_trace_lines:
                            cut = True
                        depth = own - 1
                        pending = [frame.f_lineno or least, at_return, name, own, [], ""]
                        left = id(frame) if arg is None else 0
                        give(frame, arg)
                        if begin is not None:
                            begin(pending, len(steps))
                    elif event == "exception":
                        saw(arg[1], arg[2])
                except (MemoryError, RecursionError, _TooLarge) as error:
                    failed(error)
                return local

            local.known = known
            return local

        def careful(name, own, plan, order, file, known):
            """The same for 3.12 and later: corrects line events of comprehensions, and keeps the
            name order of earlier versions (that of first binding)."""
            last, opened, looping = 0, 0, False
            at_line, at_return, least = "l" + file, "r" + file, 1 if file else 0

            def line_event(frame, line):
                nonlocal pending, last
                if pending is not None:
                    close(_pairs_of(frame, order), known)
                last = line
                pending = [line, at_line, name, own, [], ""]
                if begin is not None:
                    begin(pending, len(steps))

            def local(frame, event, arg):
                nonlocal pending, depth, left, cut, last, opened, looping
                try:
                    if event == "line":
                        line = frame.f_lineno or last or least
                        if depth != own:
                            depth, cut = own, True
                        at = plan[frame.f_lasti // 2] if plan is not None else None
                        if at is None:
                            opened, looping = 0, False
                            line_event(frame, line)
                            return local
                        firsts, body = at
                        if body < 0:
                            # Continues to the rest of a line that 3.11 has already reached.
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
                            close(_pairs_of(frame, order), known)
                        if depth != own or not frame.f_trace_lines:
                            cut = True
                        depth = own - 1
                        pending = [frame.f_lineno or last or least, at_return, name, own, [], ""]
                        left = id(frame) if arg is None else 0
                        give(frame, arg)
                        if begin is not None:
                            begin(pending, len(steps))
                    elif event == "exception":
                        saw(arg[1], arg[2])
                except (MemoryError, RecursionError, _TooLarge) as error:
                    failed(error)
                return local

            local.order, local.known = order, known
            return local

        def enter(frame, event, arg):
            nonlocal pending, depth, module, frames
            code = frame.f_code
            file = files[code.co_filename]
            if file is None or event != "call":
                return None
            name = code.co_name
            if file and name == "<module>":
                own_module(frame.f_globals)
            if name[:1] == "<" and name not in ("<module>", "<lambda>") or name in _SKIPPED:
                return None
            if apart and name == "<lambda>" and code.co_varnames[:1] == (".0",):
                return None
            depth += 1
            if depth >= most:
                depth -= 1
                exceeded(frame)
            plan = plans.get(id(code)) if plans else None
            # A resumed generator is the same frame.
            known = getattr(frame.f_trace, "known", None)
            if known is None:
                known = [str(frames), {}, []]
                frames += 1
            order = {}
            if proxied or plan is not None:
                # A resumed generator keeps its order.
                order = getattr(frame.f_trace, "order", order)
                local = careful(name, depth, plan, order, file, known)
            else:
                local = plain(name, depth, file, known)
            if not module and not file and name == "<module>":
                module = True
                return local
            try:
                if pending is not None:
                    close(_pairs_of(frame, order), known)
                pending = [frame.f_lineno or 1, "c" + file, name, depth, [], ""]
                if begin is not None:
                    begin(pending, len(steps))
            except (MemoryError, RecursionError, _TooLarge) as error:
                failed(error)
            return local

        return enter

    recorder.enter_for, recorder.allow = enter_for, allow
    recorder.flush, recorder.complete = flush, complete
    return recorder


def _write_out(steps):
    """Expands the changes of steps to whole states."""
    known = {}
    for step in steps:
        frame, *changed = step[4]
        if frame[-1] == "!":
            frame = frame[:-1]
            known[frame] = {}
        state = known.setdefault(frame, {})
        for name, text in zip(changed[::2], changed[1::2]):
            if text is None:
                del state[name]
            else:
                state[name] = text
        step[4] = [part for pair in state.items() for part in pair]


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
    _write_out(result[0]["steps"])
    json.dump(result[0], out, separators=(",", ":"))
    out.write("\n")
    out.flush()
    _exit_process(0)  # without what the program left behind


if __name__ == "__main__" and len(sys.argv) > 1 and sys.argv[1] == "--trace-file":
    _main(sys.argv[1:])
