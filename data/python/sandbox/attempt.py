"""Runs one program behind a prefix, and reports the executed parts.

Loaded after guide.py, whose compilation of function bodies and recording of lines it shares; nothing is injected here.
Rust defines the limits of the report. The prefix is executed first, in the same namespace, then the program. Besides
lines and errors, the report has the program's operations on the prefix's stand-ins, if it has any: a class `StandIn`
with `_give(step)` and `_say(question)`, and a path for each.
"""

ATTEMPT_FILE = "<prefix>"


class Attempt(Guide):
    """One run of a program behind a prefix."""

    def __init__(self, request, clock, project):
        self.project = project
        self.source, self.prefix = request["source"], request["prefix"]
        self.text = self.source
        self.plan, self.clock = request, clock
        self.left = request["events"]
        self.done, self.begun, self.entered = set(), set(), set()
        self.errors, self.asked = {}, {}
        self.ended = False
        self.at_exit = lambda: None

    def run(self, finish):
        """Calls `finish(payload)` once."""
        try:
            prefix = compile(self.prefix, ATTEMPT_FILE, "exec", 0, True)
        except Exception as error:
            return self.end_with(finish, error, True, "syntax")
        try:
            code = self.compile(self.source.lstrip("\ufeff"))
        except Exception as error:
            return self.end_with(finish, error, False, "syntax")
        module = types.ModuleType("__main__")
        namespace = module.__dict__
        for name in ("__doc__", "__package__", "__loader__", "__spec__"):
            namespace.pop(name, None)
        namespace.update(__builtins__=builtins, __file__="prog.py")
        sys.modules["__main__"] = module
        builtins.exit = builtins.quit = sys.exit
        if self.project is not None:
            self.text = self.project.enter(namespace, self.prefix + "\n" + self.source)
            keep_files_in_memory(self.text, self.project)
        elif may_use_files(self.source) or may_use_files(self.prefix):
            keep_files_in_memory(self.prefix + self.source)
        import atexit

        before = atexit._ncallbacks()
        try:
            exec(prefix, namespace)
        except BaseException as error:
            return self.end_with(finish, error, True)
        if atexit._ncallbacks() > before:
            self.at_exit = atexit._run_exitfuncs
        self.listen(namespace.get("StandIn"))
        self.execute_watched(code, namespace, finish)

    def execute_watched(self, code, namespace, finish):
        def end(status):
            self.finish(finish, status)

        enter = self.watch(self.enter_for(end), end)
        settrace, error = _settrace, None
        if has_threads(self.text):
            import threading

            sys.setswitchinterval(1000)
            take_turns(threading, fixed_clock)
            threading.settrace(enter)
        settrace(enter)
        try:
            self.execute_body(code, namespace)
        except BaseException as caught:
            error = caught
        self.at_exit()
        settrace(None)
        if error is None:
            return end("finished")
        self.end_with(finish, error, False)

    def enter_for(self, end):
        """The trace function that records errors and counts lines."""

        def local(frame, event, arg):
            if event == "line":
                self.left -= 1
                if self.left < 0:
                    end("steps")
                    raise _Unwind
            elif event == "exception":
                kind, error, entry = arg
                if not issubclass(kind, (StopIteration, StopAsyncIteration, GeneratorExit)):
                    while entry is not None and entry.tb_frame.f_code.co_filename != PROGRAM_FILE:
                        entry = entry.tb_next
                    inner = entry
                    while inner is not None and inner.tb_next is not None:
                        inner = inner.tb_next
                        if inner.tb_frame.f_code.co_filename == PROGRAM_FILE:
                            return local  # it was noted there
                    self.note_error(frame.f_lineno, error)
            return local

        def enter(frame, event, arg):
            return local if frame.f_code.co_filename == PROGRAM_FILE else None

        return enter

    def note_error(self, line, error):
        kind, message = self.described(error)
        if len(self.errors) < MOST_ERRORS:
            self.errors.setdefault((line, kind, message))

    @staticmethod
    def described(error):
        if not isinstance(error, BaseException):
            return "TypeError", ""
        kind, message = _kind_and_message(error)
        if not message and type(error) in (AttributeError, NameError):
            # Their subject is part of them, and need not be plain.
            text = next(iter(error.args), "")
            message = _clean(text[:400]) if type(text) is str else ""
        return kind, message

    def end_with(self, finish, error, in_prefix, status="raised"):
        kind, message = self.described(error)
        column = 0
        if status == "syntax":
            line = getattr(error, "lineno", 0) or 0
            column = max(getattr(error, "offset", 0) or 0, 0)
            message = _clean(str(getattr(error, "msg", None) or message or kind))[:400]
        elif issubclass(type(error), SystemExit) and not in_prefix:
            kind, line, status = "SystemExit", _innermost_line(error), "finished"
        else:
            line = self.line_in(error, ATTEMPT_FILE if in_prefix else PROGRAM_FILE)
            if isinstance(error, MemoryError):
                status = "memory"
        self.finish(finish, status, kind, message, line, in_prefix, column)

    @staticmethod
    def line_in(error, file):
        line, entry = 0, error.__traceback__
        while entry is not None:
            if entry.tb_frame.f_code.co_filename == file:
                line = entry.tb_lineno or line
                if file == ATTEMPT_FILE:
                    break  # the statement of the prefix, not what it defines
            entry = entry.tb_next
        return line

    def finish(
        self, finish, status, kind="", message="", line=0, in_prefix=False, column=0
    ):
        if self.ended:
            return
        self.ended = True
        _settrace(None)
        finish(
            {
                "status": status, "kind": kind, "message": message, "line": line,
                "column": column, "step": None, "steps": [],
                "attempt": {
                    "in_prefix": in_prefix,
                    "done": sorted(self.done),
                    "begun": sorted(self.begun),
                    "errors": [dict(zip(("line", "exception", "message"), key)) for key in self.errors],
                    "asked": [
                        {"line": line, "what": what, "said": said}
                        for (line, what), said in self.asked.items()
                    ],
                },
            }
        )  # fmt: skip

    def listen(self, kind):
        """Records operations on stand-ins, with the line of the program."""
        give, say = getattr(kind, "_give", None), getattr(kind, "_say", None)
        if type(kind) is not type or type(give) is not types.FunctionType:
            return
        asked, plain = self.asked, object.__getattribute__

        def note(stand_in, step, value):
            line, _ = guide_line()
            key = (line, (plain(stand_in, "__dict__").get("_path", "") + step)[:LONGEST_ASKED])
            if key in asked:
                if value is not None and len(asked[key]) < MOST_ANSWERS:
                    asked[key].append(value)
            elif len(asked) < MOST_ASKED:
                asked[key] = [] if value is None else [value]

        def heard_give(self, step):
            note(self, step, None)
            return give(self, step)

        def heard_say(self, question, *otherwise):
            said = say(self, question, *otherwise)
            number = int(said) if type(said) in (bool, int) else 1
            note(self, " " + question, max(-99, min(number, 99)))
            return said

        kind._give = heard_give
        if type(say) is types.FunctionType:
            kind._say = heard_say
