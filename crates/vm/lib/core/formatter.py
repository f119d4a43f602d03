# Functions that the machine calls.

import string


def _fmt_until(text, at, marks):
    """Where the first of some characters is, from a place on; the length where there is none."""
    while at < _len(text) and text[at] not in marks:
        at += 1
    return at


class _StrFormat(string.Formatter):
    """`str.format`, which numbers `{[0]}`, too, and has messages of its own."""

    _mixed = "cannot switch from automatic field numbering to manual field specification"

    def _first_of(self, name):
        return name[: _fmt_until(name, 0, ".[")]

    def get_value(self, key, args, kwargs):
        if not isinstance(key, int):
            return kwargs[key]
        if args is None:
            raise ValueError("Format string contains positional fields")
        if key >= _len(args):
            raise IndexError(f"Replacement index {key} out of range for positional args tuple")
        return args[key]


def _formatted(template, args, kwargs):
    return _StrFormat().vformat(template, args, kwargs)


def _formatted_map(template, mapping, /):
    return _StrFormat().vformat(template, None, mapping)
