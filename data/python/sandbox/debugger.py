"""Replaces the debugger in `breakpoint()` and `pdb.set_trace()`.

The library's debugger would replace the tracer. It reads commands from standard input; here only the first one
counts: at the end of the input, or on a quit command, it raises `bdb.BdbQuit`, and on continue it continues. The
exception comes from the line of the call, as in CPython 3.13 (before, from the following line).

Other commands are not supported.
"""

CONTINUES = ("c", "cont", "continue")


def stops_for_debugger(source):
    return "breakpoint" in source or "set_trace" in source


def answer_debugger(source):
    """Makes breakpoints of the next program read one command."""
    import bdb

    lines = source.split("\n")

    def set_trace(self, frame=None, *_, **__):
        frame = _frame_of_program(sys._getframe(1))
        if frame is None:
            return
        name, line = frame.f_code.co_name, frame.f_lineno
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        sys.stdout.write("> %s(%d)%s()\n-> %s\n(Pdb) " % (os.path.abspath("prog.py"), line, name, text))
        command = sys.stdin.readline()
        if not command:
            sys.stdout.write("\n")
        if command.strip() not in CONTINUES:
            raise bdb.BdbQuit

    bdb.Bdb.set_trace = set_trace
