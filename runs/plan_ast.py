"""Writes the classes of CPython's syntax tree: statements and the rest, a file each.

    python3.11 runs/plan_ast.py crates/vm/lib/_ast
"""

import _ast
import os
import sys

SHARED = ("_fields", "_attributes", "__match_args__")
ALONE = ("expr_context", "boolop", "operator", "unaryop", "cmpop")
HEAD = """# Classes of nodes, written by runs/plan_ast.py: their fields, places and what is not given.
# Level: methods
"""


def text_of(name, kind):
    lines = [f"\n\nclass {name}({kind.__base__.__name__}):"]
    if kind.__doc__:
        lines.append(f"    {kind.__doc__!r}")
    lines.append('    __module__ = "ast"')
    for member, value in vars(kind).items():
        if member in SHARED or value is None and not member.startswith("__"):
            lines.append(f"    {member} = {value!r}")
    return lines


def main():
    kinds = {name: kind for name, kind in vars(_ast).items() if isinstance(kind, type) and issubclass(kind, _ast.AST)}
    del kinds["AST"]
    # Bases stand before what is made of them.
    order = sorted(kinds, key=lambda name: len(kinds[name].__mro__))
    files = {"statements": [HEAD, "from _ast import AST"], "nodes": [HEAD, "from _ast import AST"]}
    for name in order:
        is_statement = issubclass(kinds[name], (_ast.stmt, _ast.mod))
        files["statements" if is_statement else "nodes"] += text_of(name, kinds[name])
    rest = files["nodes"]
    rest.append("\n\n# The one object of each class that has no fields.")
    rest += [f"_one_{name} = {name}()" for name in order if kinds[name].__base__.__name__ in ALONE]
    rest.append("\n# Flags of `compile`.")
    rest += [f"{name} = {value}" for name, value in vars(_ast).items() if name.startswith("PyCF")]
    for name, lines in files.items():
        with open(os.path.join(sys.argv[1], f"{name}.py"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


main()
