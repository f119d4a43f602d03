"""What CPython 3.11 says of values nested about as deep as its recursion limit allows: `python3.11 nested_vectors.py >
fixtures/nested.txt`. A program stands behind
`nested.py`, and is followed by `----` and what it prints."""

import contextlib
import io
import pathlib

BEFORE = (pathlib.Path(__file__).parent / "fixtures/nested.py").read_text()
CASE = """\
# {name}, {depth} calls deep
def nested(n):
    x = {leaf}
    for _ in range(n): x = {made}
    return x
def at(depth, x, y):
    if depth: return at(depth - 1, x, y)
    try: {use}
    except RecursionError as error: return str(error)
    return 'fits'
for n in {counts}: print(n, at({depth}, nested(n), nested(n)))
"""
# How values hold one another, and how many calls each is.
TEXTS = {
    "list": ("[x]", 1), "tuple": ("(x,)", 1), "dict": ("{1: x}", 1), "deque": ("deque([x])", 2),
    "exceptions": ("ValueError(x)", 1), "arguments": ("ValueError(x, 1)", 2), "OrderedDict": ("OrderedDict(a=x)", 3),
    "defaultdict": ("defaultdict(int, a=x)", 1), "SimpleNamespace": ("SimpleNamespace(a=x)", 1), "values": ("{1: x}.values()", 2),
    "a class that calls repr": ("Own(x)", 3), "a class with !r": ("Shown(x)", 2), "a class in lists": ("[Own(x)]", 4),
    "dataclass": ("Data(x)", 3), "subclass of list": ("Sub([x])", 1),
}
EQUAL = {
    "list": ("[x]", 1), "tuple": ("(x,)", 1), "dict": ("{1: x}", 1), "deque": ("deque([x])", 1), "a class": ("Equal(x)", 2),
    "a class in lists": ("[Equal(x)]", 3), "dataclass": ("Data(x)", 3), "SimpleNamespace": ("SimpleNamespace(a=x)", 2),
}


def limit(make):
    """The largest number that fits."""
    low, high = 0, 1100
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if "fits" in printed(make([middle])) else (low, middle)
    return low


def printed(source):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(BEFORE + source, "prog.py", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def outer(source):
    """What it prints as a program of its own: `exec` here is frames deeper."""
    import subprocess
    import sys

    return subprocess.run([sys.executable, "-"], input=BEFORE + source, capture_output=True, text=True).stdout


def main():
    uses = [("repr", "repr(x)", TEXTS, "1"), ("!r", "f'{x!r}'", {name: TEXTS[name] for name in ("list", "dataclass")}, "1"), ("==", "x == y", EQUAL, "1")]
    cases = []
    for what, use, kinds, leaf in uses:
        for name, (made, calls) in kinds.items():
            for depth in (0, 500):
                def make(counts):
                    text = CASE.format(name=f"{what} of {name}", depth=depth, made=made, use=use, leaf=leaf, counts=counts)
                    return text.rstrip()

                low = limit(make)
                # Frames around `exec` are fewer in a program of its own.
                near = next(n for n in range(low, 1100) if "exceeded" in outer(make([n])))
                source = make([1, near - 1, near, near + 1, near + 90])
                cases.append(source + "\n----\n" + outer(source).rstrip())
    print("\n====\n".join(cases))


main()
