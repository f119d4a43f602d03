# `doctest`: docstring examples with the expected output. The report about others is unknown.
# Level: methods

import collections
import contextlib
import io
import traceback


DONT_ACCEPT_TRUE_FOR_1 = 1
DONT_ACCEPT_BLANKLINE = 2
NORMALIZE_WHITESPACE = 4
ELLIPSIS = 8
SKIP = 16
IGNORE_EXCEPTION_DETAIL = 32
_FLAGS = {
    "DONT_ACCEPT_TRUE_FOR_1": 1,
    "DONT_ACCEPT_BLANKLINE": 2,
    "NORMALIZE_WHITESPACE": 4,
    "ELLIPSIS": 8,
    "SKIP": 16,
    "IGNORE_EXCEPTION_DETAIL": 32,
}


def _indent(line):
    return _len(line) - _len(line.lstrip(" "))


def _examples(text):
    # Pairs of an example's source and its expected output.
    lines = text.expandtabs().split("\n")
    margins = [_indent(line) for line in lines if line.strip(" ") != ""]
    margin = min(margins) if margins else 0
    lines = [line[margin:] for line in lines]
    examples = []
    at = 0
    while at < _len(lines):
        indent = _indent(lines[at])
        if not lines[at][indent:].startswith(">>> ") and lines[at][indent:] != ">>>":
            if lines[at][indent:].startswith(">>>"):
                _throw("a doctest without a blank behind its prompt")
            at += 1
            continue
        source = [lines[at][indent + 4 :]]
        at += 1
        while at < _len(lines) and lines[at].lstrip(" ").startswith("..."):
            if _indent(lines[at]) != indent or lines[at][indent + 3 : indent + 4] not in ("", " "):
                _throw("a doctest with other indents")
            _push(source, lines[at][indent + 4 :])
            at += 1
        want = []
        while at < _len(lines) and lines[at].strip(" ") != "" and not lines[at].lstrip(" ").startswith(">>>"):
            if lines[at][:indent].strip(" ") != "":
                _throw("a doctest with other indents")
            _push(want, lines[at][indent:])
            at += 1
        if [line for line in source if line.strip(" ") != "" and not line.strip(" ").startswith("#")]:
            _push(examples, ("\n".join(source) + "\n", "\n".join(want) + "\n" if want else ""))
    return examples


def _options(source):
    # The flags that an example's directives switch on and off.
    on = off = 0
    for line in source.split("\n"):
        at = line.find("# doctest:")
        if at < 0:
            at = line.find("#doctest:")
        if at < 0:
            continue
        for word in line[at:].split(":", 1)[1].replace(",", " ").split():
            if word[1:] not in _FLAGS or word[0] not in "+-":
                _throw("an option of a doctest")
            if word[0] == "+":
                on |= _FLAGS[word[1:]]
            else:
                off |= _FLAGS[word[1:]]
    return on, off


def _doc_fits(pattern, text):
    # `...` matches anything.
    parts = pattern.split("...")
    if _len(parts) == 1:
        return pattern == text
    first = parts[0]
    last = parts[-1]
    if not text.startswith(first) or not text.endswith(last) or _len(first) + _len(last) > _len(text):
        return False
    at = _len(first)
    end = _len(text) - _len(last)
    for part in parts[1:-1]:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + _len(part)
    return True


def _same(want, got, flags):
    if got == want:
        return True
    if not flags & 1 and (got, want) in (("True\n", "1\n"), ("False\n", "0\n")):
        return True
    if not flags & 2:
        want = "\n".join(["" if line.strip(" ") == "<BLANKLINE>" else line for line in want.split("\n")])
        got = "\n".join(["" if line.strip() == "" else line for line in got.split("\n")])
        if got == want:
            return True
    if flags & 4:
        got = " ".join(got.split())
        want = " ".join(want.split())
        if got == want:
            return True
    return flags & 8 != 0 and _doc_fits(want, got)


def _message(want):
    # The message of the exception that an example should raise, if any.
    lines = want.split("\n")
    if lines[0] not in ("Traceback (most recent call last):", "Traceback (innermost last):"):
        return None
    for at in range(1, _len(lines)):
        if lines[at] != "" and lines[at][0] != " " and (lines[at][0].isalnum() or lines[at][0] == "_"):
            return "\n".join(lines[at:])
    return None


def _doc_kind(message):
    # An exception's name without its module and message.
    end = _len(message)
    for mark in ":\n":
        at = message.find(mark)
        if 0 <= at < end:
            end = at
    return message[:end].split(".")[-1]


def _show(value):
    if value is not None:
        print(_repr(value))


class _Test:
    def __init__(self, name, text):
        self.name = name
        self.examples = _examples(text)


def _doc_text(value):
    if isinstance(value, property):
        value = value.fget
    text = getattr(value, "__doc__", None)
    return text if isinstance(text, str) else ""


def _is_part(value):
    if isinstance(value, type) or _type_name(value) == "function":
        return value.__module__ == "__main__"
    # The type of `lru_cache` objects.
    return _type_name(value).endswith("_lru_cache_wrapper") and value.__module__ == "__main__"


def _doc_find(found, name, value, seen):
    for one in seen:
        if one is value:
            return
    _push(seen, value)
    _push(found, _Test(name, _doc_text(value)))
    if not isinstance(value, type):
        return
    for inner, part in [*vars(value).items()]:
        if isinstance(part, staticmethod):
            part = getattr(value, inner)
        elif isinstance(part, classmethod):
            part = getattr(value, inner).__func__
        if isinstance(part, property) or _is_part(part):
            _doc_find(found, name + "." + inner, part, seen)


TestResults = collections.namedtuple("TestResults", "failed attempted")


def _indented(text):
    return "".join(["    " + line + "\n" for line in text.split("\n")[:-1]])


def _run(test, names, flags, verbose):
    names = {**names, "_doctest_show": _show}
    tried = 0
    for source, want in test.examples:
        on, off = _options(source)
        now = (flags | on) & ~off
        if now & 16:
            continue
        tried += 1
        if verbose:
            after = "Expecting:\n" + _indented(want) if want else "Expecting nothing\n"
            print("Trying:\n" + _indented(source) + after, end="")
        out = io.StringIO()
        message = None
        with contextlib.redirect_stdout(out):
            try:
                _doctest_run(source, names)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                message = traceback.format_exception_only(error)[-1]
        got = out.getvalue()
        if got != "" and got[-1] != "\n":
            got += "\n"
        wanted = _message(want)
        if message is None:
            good = wanted is None and _same(want, got, now)
        elif wanted is None:
            good = False
        else:
            good = _same(wanted, message, now) or now & 32 != 0 and _doc_kind(wanted) == _doc_kind(message)
        if not good:
            _throw("a doctest that fails")
        if verbose:
            print("ok")
    return tried


def testmod(
    m=None,
    name=None,
    globs=None,
    verbose=None,
    report=True,
    optionflags=0,
    extraglobs=None,
    raise_on_error=False,
    exclude_empty=False,
):
    if m is not None or globs is not None or raise_on_error:
        _throw("doctest.testmod with such arguments")
    names = _program_names()
    if "__test__" in names:
        _throw("__test__ of doctest")
    top = "__main__" if name is None else name
    found = [_Test(top, names["__doc__"] if isinstance(names.get("__doc__"), str) else "")]
    seen = []
    for inner, value in [*names.items()]:
        if _is_part(value):
            _doc_find(found, top + "." + inner, value, seen)
    found.sort(key=lambda test: test.name)
    tried = 0
    counts = []
    for test in found:
        count = _run(test, {**names, **(extraglobs or {})}, optionflags, verbose)
        tried += count
        _push(counts, (test.name, count))
    if verbose and report:
        _report(counts, tried)
    return TestResults(0, tried)


def _report(counts, tried):
    without = [name for name, count in counts if count == 0]
    passed = [(name, count) for name, count in counts if count != 0]
    if without:
        print(_len(without), "items had no tests:")
        for name in without:
            print("   ", name)
    if passed:
        print(_len(passed), "items passed all tests:")
        for name, count in passed:
            print(" %3d tests in %s" % (count, name))
    print(tried, "tests in", _len(counts), "items.")
    print(tried, "passed and", 0, "failed.")
    print("Test passed.")


def run_docstring_examples(f, globs, verbose=False, name="NoName", compileflags=None, optionflags=0):
    if verbose:
        _throw("doctest.run_docstring_examples that talks")
    found = []
    _doc_find(found, name, f, [])
    for test in found:
        _run(test, globs, optionflags, False)
