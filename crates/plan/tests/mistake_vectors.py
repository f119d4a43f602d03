"""Writes vectors for calls with wrong arguments: an expression and what CPython makes of it.

    python3.11 crates/plan/tests/mistake_vectors.py > crates/plan/tests/fixtures/mistake_vectors.txt

Each function, class and method that the machine knows is called with too few and too many arguments, with keywords that it has not
or has twice, and with values of every type, objects of the program's classes included (`SETUP`, which `calls.rs` has too). A line is
an expression, a tab, and the `repr` of its value or `!Kind: message`. Run it with CPython 3.11.7.
"""

import contextlib
import io
import pathlib
import random
import re
import signal
import sys
import types
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "runs"))
warnings.simplefilter("ignore")

from plan_callables import functions, receivers  # noqa: E402

SETUP = (pathlib.Path(__file__).parent / "fixtures" / "mistake_setup.py").read_text()
VALUES = (
    "None True 0 1 -1 2.5 1j '' 'a' 'ab' b'' b'ab' [] [1] ['a'] () (1,) {} {1:2} set() {1} frozenset() range(3) slice(2) ... len "
    "int f P() L() I() F() T() G() S('a') N(2) D() (x for x in [1]) iter([1]) bytearray(b'a')"
).replace("x for x in [1]", "x_for_x_in_[1]").split()
VALUES = [value.replace("_", " ") if value.startswith("(x") else value for value in VALUES]
# Without those that functions of Python call by the names of their bases in some messages.
OTHERS = [value for value in VALUES if value not in ("S('a')", "N(2)", "D()", "T()", "G()")]
KEYWORDS = ["zzz", "key", "start", "default", "base", "x", "sep", "encoding", "n"]
# The text of a receiver of each type, where its `repr` is none.
TEXTS = {
    "generator": ["(x for x in [1])"],
    "dict_keys": ["{1: 2}.keys()"],
    "dict_values": ["{1: 2}.values()"],
    "dict_items": ["{1: 2}.items()"],
    "property": ["property(len)"],
    "collections.deque": ["collections.deque([1, 2, 3])"],
    "collections.defaultdict": ["collections.defaultdict(list, {1: [2]})"],
    "collections.Counter": ["collections.Counter('aab')"],
    "collections.OrderedDict": ["collections.OrderedDict({1: 2})"],
    "re.Pattern": ["re.compile('a(b)?')"],
    "re.Match": ["re.match('a(b)?', 'ab')"],
    "array.array": ["array.array('i', [1, 2])"],
    "io.BytesIO": ["io.BytesIO(b'ab')"],
    "io.StringIO": ["io.StringIO('ab')"],
    "struct.Struct": ["struct.Struct('i')"],
    "random.Random": ["random.Random(1)"],
    "memoryview": ["memoryview(b'ab')"],
    "fractions.Fraction": ["fractions.Fraction(1, 2)"],
    "decimal.Decimal": ["decimal.Decimal('1.5')"],
    "slice": ["slice(1)"],
}
# What depends on more than its arguments, or stops or prints.
LEFT_OUT = re.compile(
    r"^(print|input|globals|locals|vars|id|hash|open|os\b|time|tempfile|shutil|glob|asyncio|threading|atexit|warnings|logging|weakref|"
    r"random\.(seed|Random|SystemRandom|getrandbits|random)$|concurrent|traceback|uuid|inspect|pathlib|linecache|contextvars|itertools\.(count|cycle|"
    r"repeat)|typing|calendar|functools.(singledispatch|lru_cache|cache|wraps|update_wrapper|total_ordering)|datetime\.datetime.(now|today)|"
    r"statistics.NormalDist|enum|dataclasses|abc|types|type$|super|unittest|pprint|copy|hashlib|hmac|decimal|binascii|base64|csv|configparser|"
    r"urllib|shlex|struct\.pack_into|datetime\.(datetime|time|date)$|itertools.chain:|operator.call|collections.namedtuple|"
    r"random.randrange|string.capwords|re.RegexFlag|struct.pack$)"
)


def alarm(*_):
    raise TimeoutError


def evaluated(line):
    before, _, expression = line.rpartition("; ")
    space = {}
    exec(SETUP, space)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(before or "pass", space)
            text = repr(eval(expression, space))
    except Exception as error:
        text = f"!{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return text.replace("\n", "\\n")


def callees():
    """Prefix, text of what is called, and how many vectors."""
    for name, value, _, _ in functions():
        if LEFT_OUT.match(name):
            continue
        module = name.rpartition(".")[0]
        own = "import " + module + "; " if module and not module.endswith("chain") and module not in BUILTIN_TYPES else ""
        own = "import itertools; " if module.endswith("chain") else own
        yield own, name, 8 if not module or isinstance(value, types.BuiltinFunctionType) else 4
    for kind, objects in receivers().items():
        if kind in ("array.array", "decimal.Decimal", "io.StringIO", "io.BytesIO", "random.Random") or kind.startswith("datetime."):
            continue
        texts = TEXTS.get(kind) or [repr(o) for o in objects]
        module = texts[0].partition(".")[0]
        own = f"import {module}; " if module in "collections re array io struct random fractions decimal datetime".split() else ""
        made = eval(texts[0], {name: __import__(name) for name in ([module] if own else [])})
        for method in dir(made):
            if method in ("scanner", "pack_into", "fromisocalendar") :
                continue
            if not method.startswith("_") and callable(getattr(made, method)) and not isinstance(getattr(made, method), type):
                yield own, f"({texts[0]}).{method}", 6 if kind in BUILTIN_TYPES else 3


BUILTIN_TYPES = "int float complex str bytes bytearray list tuple dict set frozenset range slice".split()


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    signal.signal(signal.SIGALRM, alarm)
    rng = random.Random(43)
    seen = set()
    for own, callee, count in callees():
        for turn in range(count):
            n = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 4]) if turn else rng.choice([0, 5, 6])
            values = VALUES if not own else OTHERS
            arguments = [rng.choice(values) for _ in range(n)]
            if rng.random() < 0.2:
                arguments.append(f"{rng.choice(KEYWORDS)}={rng.choice(VALUES)}")
            line = f"{own}{callee}({', '.join(arguments)})"
            if line in seen:
                continue
            seen.add(line)
            text = evaluated(line)
            # Chance decides what these give.
            if "random." in line and not text.startswith("!"):
                continue
            if "0x" not in text and "TimeoutError" not in text and len(text) < 300 and "\t" not in text:
                print(line, text, sep="\t")


main()
