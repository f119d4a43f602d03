"""Functions as programs: what comes of a call is what the call gives here."""

import functools
import importlib
import operator
import statistics
import sys
import textwrap
import types

import codexec
import pytest
from codexec import _functions

MODULE = '''
from __future__ import annotations

import enum
import functools
import os
from dataclasses import dataclass, field
from math import floor, sqrt as root

from . import money
from .money import euros, CURRENCY as NAME

RATE = 3
LIMIT = int(os.environ.get("CODEXEC_NOT_SET", "7"))
REGISTRY = {}
ROWS = [1, 2]
ROWS.append(3)
ROWS += [4]
try:
    import zzz_not_installed
except ImportError:
    zzz_not_installed = None
if RATE > 2:
    BIG = True
else:
    BIG = False


def register(function):
    REGISTRY[function.__name__] = function
    return function


def logged(function):
    @functools.wraps(function)
    def inner(*values):
        return function(*values) + 1
    return inner


def doubled(function):
    def inner(*values):
        return function(*values) * 2
    return inner


@register
def area(x):
    return x * x


@register
def cube(x):
    return x * x * x


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@logged
def up(x):
    return x + RATE


@doubled
def twice(x):
    return up(x)


@dataclass
class Point:
    x: int
    y: int = RATE
    tags: list = field(default_factory=list)

    def length(self, scale=1):
        return root(self.x ** 2 + self.y ** 2) * scale

    @classmethod
    def of(cls, x):
        return cls(x, x)

    @staticmethod
    def count(*points):
        return len(points)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def distance(one: Point, other: Point) -> float:
    return root((one.x - other.x) ** 2 + (one.y - other.y) ** 2)


def facts(color):
    return color.name, LIMIT, ROWS, BIG, zzz_not_installed, sorted(REGISTRY)


def make(n, k=2):
    text = """
  lines
that stand as they are"""

    def add(x, y=k, *, z=n):
        nonlocal n
        n += 1
        return x + n + y + z, text

    return add


def countdown(n):
    def down(k):
        return [] if k == 0 else [k + n, *down(k - 1)]
    return down


def compose(f, g):
    return lambda x: f(g(x))


def of_class():
    class Base:
        def value(self):
            return 1

    class Own(Base):
        def value(self):
            return super().value()
    return Own().value


def price(x):
    return euros(floor(x)), money.half(x), NAME


def mutual():
    def even(n):
        return n == 0 or odd(n - 1)

    def odd(n):
        return n != 0 and even(n - 1)

    return even


def f(x):
    return x + 100


def uses_late():
    return late


def apply(function, *values):
    return function(*values)


add3 = make(3)
square = lambda x: x * x
square_of = functools.partial(apply, square)
point = Point(3, 4)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


def total(n: int) -> int:
    found = 0
    for k in range(n):
        found += k
    return found


def fast_total(n: int) -> int:
    return max(n, 0) * (max(n, 0) - 1) // 2


def wrong_total(n: int) -> int:
    return max(n, 0) * (max(n, 0) + 1) // 2


def by_total(n: int) -> int:
    return total(n)


if __name__ == "__main__":
    RATE = print("executed as a program")
'''

MONEY = '''
CURRENCY = "euros"

def euros(x):
    return f"{x} {CURRENCY}"

def half(x):
    return x / 2
'''


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A module of a package of its own."""
    place = tmp_path_factory.mktemp("project")
    (place / "codexec_shop").mkdir()
    for name, text in {"__init__": "", "sales": MODULE, "money": MONEY}.items():
        (place / "codexec_shop" / f"{name}.py").write_text(text)
    sys.path.insert(0, str(place))
    yield importlib.import_module("codexec_shop.sales")
    sys.path.remove(str(place))


def result(function, *values):
    trace = codexec.trace(function, *values)
    assert trace.outcome == "finished" and not trace.stopped and not trace.injected, (trace.source, trace)
    return trace.value_of("result")


def test_calls_give_what_they_give_here(shop):
    point = shop.Point(1, 2)
    for function, *values in [
        (shop.area, 4),
        (shop.fibonacci, 12),
        (shop.up, 1),
        (shop.twice, 1),
        (shop.distance, point, shop.point),
        (shop.facts, shop.Color.BLUE),
        (shop.cube, 2),
        (shop.make(5), 1),
        (shop.make(5, k=9), 1, 2),
        (shop.countdown(4), 3),
        (shop.make(3), 1),
        (shop.square, 4),
        (shop.square_of, 5),
        (shop.compose(shop.square, shop.area), 3),
        (shop.compose(shop.make(2), len), [1, 2]),
        (shop.compose(shop.square, shop.f), 1),
        (shop.price, 3.5),
        (shop.Point.count, point, 1),
        (shop.Point.length, point, 2),
        (shop.point.length,),
        (shop.is_even, 4),
        (shop.apply, max, 1, 2),
        (shop.apply, operator.add, 1, 2),
        (shop.apply, statistics.median, [3, 1, 2]),
        (shop.apply, shop.fibonacci, 6),
        (shop.apply, functools.partial(shop.apply, shop.square), 3),
        (shop.apply, functools.partial(shop.apply, shop.square, 3)),
        (shop.apply, shop.Point.length, shop.Point.of(3)),
        (textwrap.dedent, "  a\n  b"),
        (operator.add, 1, 2),
        (len, [1]),
    ]:
        # A closure may be another one behind the call.
        found = result(function, *values)
        assert found.literal() == function(*values), (function, values)
    assert result(shop.Point, 1).text == result(shop.Point.of, 1).text.replace("y=1", "y=3")


def test_a_closure_has_what_it_keeps(shop):
    add = shop.make(5)
    found = result(add, 1)
    assert found.literal() == add(1)
    # Now it keeps a number that is one larger.
    assert result(add, 1).literal() == add(1) == (15, "\n  lines\nthat stand as they are")
    number = 3
    assert result(lambda x: x + number, 1).literal() == 4
    # One with a name at the top of its module is what the module's text makes.
    assert result(shop.add3, 1).literal() == shop.make(3)(1)


def test_only_what_is_needed_is_there(shop):
    assert codexec.trace(shop.square, 2).source == "from __future__ import annotations\nsquare = lambda x: x * x\nresult = square(2)\n"
    source = codexec.trace(shop.price, 2).source
    assert "from codexec_shop import money\n" in source and "from codexec_shop.money import euros, CURRENCY as NAME\n" in source
    assert "from math import floor\n" in source and "RATE" not in source and "enum" not in source
    # The registry is there since the decorator adds to it; what others add to it is not.
    source = codexec.trace(shop.cube, 2).source
    assert "REGISTRY = {}\n" in source and "def area" not in source


def test_settings_are_as_they_are_now(shop, monkeypatch):
    monkeypatch.setattr(shop, "RATE", 10)
    monkeypatch.setattr(shop, "LIMIT", 8)
    monkeypatch.setattr(shop, "ROWS", None)
    assert result(shop.up, 1).literal() == shop.up(1) == 12
    # What several statements make is that of the text.
    assert result(shop.facts, shop.Color.RED).literal()[1:3] == (8, [1, 2, 3, 4])


def test_modules_of_the_project_are_found(shop):
    trace = codexec.trace(shop.price, 3.5)
    assert any(name.endswith("money.py") for name in trace.files)
    without = codexec.trace(shop.price, 3.5, root=False)
    assert without.injected or without.stopped


def test_errors_say_what_cannot_be_had(shop, monkeypatch):
    with pytest.raises(codexec.CodexecError, match="argument 0: <object object .* is no literal"):
        codexec.trace(shop.area, object())
    with pytest.raises(codexec.CodexecError, match="argument 1: .*made in the module .*test_functions"):
        codexec.trace(shop.apply, 1, lambda x: x)
    with pytest.raises(codexec.CodexecError, match="super"):
        codexec.trace(shop.of_class().__func__, None)
    with pytest.raises(codexec.CodexecError, match="keep each other"):
        codexec.trace(shop.mutual(), 3)
    space = {}
    exec("def made(x):\n    return x\n", space)
    with pytest.raises(codexec.CodexecError, match="made>: its text cannot be had: only what `def`"):
        codexec.trace(space["made"], 1)
    # What was put into the module from outside has no text there.
    monkeypatch.setitem(vars(shop), "late", 5)
    assert result(shop.uses_late).literal() == 5
    monkeypatch.setitem(vars(shop), "late", object())
    with pytest.raises(codexec.CodexecError, match="late, which .*uses_late> needs: <object"):
        codexec.trace(shop.uses_late)
    keeps = object()
    with pytest.raises(codexec.CodexecError, match="keeps, which .*<lambda>> keeps: <object"):
        codexec.trace(lambda: keeps)
    with pytest.raises(TypeError, match="for functions"):
        codexec.trace("print(1)", 1)


def test_functions_are_compared(shop, sandbox):
    assert codexec.diff(shop.total, shop.by_total).verdict == "same"
    assert codexec.diff(shop.total, shop.fast_total).verdict != "different"
    different = codexec.diff(shop.total, shop.wrong_total)
    assert different.verdict == "different" and different.values
    assert codexec.diff(shop.area, shop.area).verdict == "same"
    with pytest.raises(codexec.CodexecError, match="compared"):
        codexec.diff(shop.area, shop.square)
    with pytest.raises(TypeError, match="one of each"):
        codexec.diff(shop.area, "print(1)\n")


def test_functions_of_many(shop):
    rows = [shop.area, {"program": shop.area, "call": [3]}, {"program": shop.point.length}]
    traces = list(codexec.trace_many(rows))
    assert [trace.outcome.kind for trace in traces] == ["raised", "finished", "finished"]
    assert traces[1].id == "<codexec_shop.sales.area>" and traces[2].value_of("result").literal() == 5.0


@pytest.mark.parametrize("name", ["calendar", "difflib", "heapq", "json.decoder", "plistlib", "statistics", "textwrap", "uuid"])
def test_whatever_a_module_defines_can_stand_alone(name):
    """As a program it defines what the module does, with nothing missing."""
    module = importlib.import_module(name)
    count = 0
    for value in list(vars(module).values()):
        if isinstance(value, (type, types.FunctionType)) and value.__module__ == name:
            made = _functions.program_of(value, None)
            space = {"__name__": "__main__"}
            exec(compile(made.text, f"<{name}>", "exec"), space)
            assert eval(made.name, space).__qualname__ == value.__qualname__
            count += 1
    assert count > 2
