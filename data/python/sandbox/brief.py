"""Ends a program early if only finished programs are useful, as for data sets.

Loaded between the tracer and the worker. A program with too many steps is detected by running it
once without looking at states, at a tenth of the cost of tracing; one in forty mutants would be
traced for nothing. A power with more than a million digits ends the program before it is computed:
most mutants that run out of time do so in one, and this way it does not depend on time.

It never changes the behaviour of a program that finishes.
"""

import re
import sys

_MOST_BITS = 1 << 22
_GUARD = "_codexec_exponent"
# `**` where it may be a power, except in strings and comments; powers of two literals such as
# `10 ** 6` are left to be folded, if no third one follows.
_POWERS = re.compile(
    r"#[^\n]*"
    r"|(?P<long>'''|\"\"\")(?:\\.|(?!(?P=long)).)*(?P=long)"
    r"|(?P<quote>['\"])(?:\\.|(?!(?P=quote))[^\n\\])*(?P=quote)"
    r"|\b[0-9]+\s*\*\*\s*[0-9]{1,2}(?![\w.]|\s*\*\*)"
    r"|(?P<power>\*\*=?)",
    re.DOTALL,
)
_OWN_POWER = re.compile(r"\b__[ri]?pow__\b")
# May prevent a program from being abandoned where it is.
_HOLDS_ON = frozenset(("BaseException", "finally", "with", "__exit__"))
_CATCHES_ALL = re.compile(r"except\s*:").search
# Without one of these no program makes more steps than it has lines.
_REPEATS = frozenset("for while def lambda class exec eval".split())


def _guarded(match):
    text = match[0]
    return text + " " + _GUARD + "**" if match["power"] else text


class Brief:
    """One program with these names; `again` restores its world so that it can be run a second time."""

    def __init__(self, names, again):
        self.names, self.again = names, again
        self.end = None
        self.left = False  # the program was left; nothing of it runs any more
        self.holds_on = not _HOLDS_ON.isdisjoint(names)

    def compile(self, source):
        self.holds_on = self.holds_on or _CATCHES_ALL(source) is not None
        if "**" in source and sys.version_info[:2] != (3, 12) and not _OWN_POWER.search(source):
            guarded = _POWERS.sub(_guarded, source)
            try:
                # `a ** b` becomes `a ** guard ** b`, which needs no syntax tree.
                return compile(guarded, PROGRAM_FILE, "exec", 0, True)
            except Exception:
                pass  # it has parameters like `**names`, or is at fault itself
        return _compile(source)

    def ends(self, code, max_steps, max_bytes, end):
        """Runs a program without looking at its states. Returns whether it has ended for good."""
        self.end = end
        builtins.__dict__[_GUARD] = _Guard(self)
        if sys.version_info >= (3, 12) or _REPEATS.isdisjoint(self.names):
            return False  # from 3.12 on not every event makes a step
        status = self.counted(code, max_steps, max_bytes)
        if status is not None:
            self.left = True
            end(status)
            return True
        self.again()
        builtins.__dict__[_GUARD] = _Guard(self)
        return False

    def counted(self, code, max_steps, max_bytes):
        """The limit that a program hits, of steps or of its own output; or None."""
        module, raw = _stage()
        count, begun, over = -1, False, None
        tell = raw.tell

        def stop(status):
            nonlocal over
            over = status
            if self.holds_on:
                self.end(status)
            raise _Unwind

        def local(frame, event, arg):
            nonlocal count
            if event != "exception":
                count += 1
                if count > max_steps:
                    stop("steps")
                if not count & 31 and not raw.closed and tell() > max_bytes:
                    stop("output")
            return local

        def enter(frame, event, arg):
            nonlocal begun
            code = frame.f_code
            if code.co_filename != PROGRAM_FILE:
                return None
            name = code.co_name
            if name[:1] == "<" and name not in ("<module>", "<lambda>") or name in _SKIPPED:
                return None
            if begun:
                local(frame, event, arg)
            begun = True
            return local

        _settrace(enter)
        try:
            exec(code, module.__dict__)
        except BaseException:
            pass  # it will do so again when it is traced
        _settrace(None)
        _set_limit(_LIMIT)  # the program may have left no room
        return over


class _Guard:
    """Inserted between a base and its exponent."""

    def __init__(self, brief):
        self.brief = brief

    def __pow__(self, exponent):
        if type(exponent) is not int or exponent < 2:
            return exponent
        checked = _Exponent(exponent)
        checked.brief = self.brief
        return checked


class _Exponent(int):
    """An exponent that checks the base before it is raised."""

    def __rpow__(self, base, modulus=None):
        exponent = int(self)
        if type(base) is int and base.bit_length() * exponent > _MOST_BITS and not -2 < base < 2:
            self.brief.end("timeout")
            raise _Unwind
        return base**exponent


_Exponent.__name__ = "int"  # in messages
