"""Writes which operators CPython refuses for the types of their operands.

    PYTHONHASHSEED=0 python3.11 crates/vm/tests/operator_types.py > crates/vm/tests/fixtures/operator_types.txt

A line is an expression of operands that are not both scalars or tuples, a tab, and `!TypeError: message`, or `?`
where the operator exists or another exception is raised.
"""

import operator
import warnings
from collections import Counter, deque

VALUES = """
1
2.5
None
'a'
(1,)
[1]
{1}
{1: 2}
Counter({1: 2})
deque([1])
range(3)
""".split("\n")[1:-1]
SCALARS = {"1", "2.5", "None", "'a'", "(1,)"}
PLAIN = "+ - * / // % ** & | ^ << >> @".split()
INPLACE = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "&": operator.iand, "|": operator.ior, "^": operator.ixor,
    "<<": operator.ilshift, ">>": operator.irshift, "@": operator.imatmul,
}


def inplace(symbol, a, b):
    return INPLACE[symbol](a, b)


def outcome(expression):
    try:
        eval(expression)
    except TypeError as error:
        return f"!TypeError: {error}"
    except Exception:
        pass
    return "?"


warnings.simplefilter("ignore")
for a in VALUES:
    for b in VALUES:
        if a in SCALARS and b in SCALARS:
            continue
        for symbol in PLAIN:
            for expression in (f"{a} {symbol} {b}", f"inplace({symbol!r}, {a}, {b})"):
                print(expression, outcome(expression), sep="\t")
