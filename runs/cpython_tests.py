#!/usr/bin/env python3
"""Programs made of CPython's own tests, as JSON Lines: the doctests of the standard library, and one program for each test
method of some files of `test`, with the helpers that it names. An independent reference for the planner:

    runs/cpython_tests.py > programs.jsonl
    zstd programs.jsonl
    cargo run --release -p codexec-plan --example against_run -- programs.jsonl.zst

Python 3.11 with its tests is needed. Programs that do not come to their end in it are left out.
"""

import ast
import doctest
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FILES = (
    "abc asyncgen augassign base64 baseexception binop bisect bool builtin bytes calendar call class cmath collections colorsys "
    "compare complex contains context contextlib copy coroutines csv dataclasses decorators defaultdict deque dict dictviews "
    "difflib dynamicclassattribute enum enumerate eof except_star exception_group exceptions float fnmatch format fractions "
    "fstring funcattrs functools generators genericalias grammar graphlib hash heapq hmac html index int isinstance iter "
    "itertools json keyword keywordonlyarg lambda list listcomps long longexp math named_expressions numeric_tower operator "
    "ordered_dict patma pow print property queue raise range reprlib richcmp scope set shlex slice sort str string "
    "string_literals strftime struct subclassinit super textwrap time tuple typechecks types unary unpack unpack_ex userdict "
    "userlist userstring weakset with"
).split()
SECONDS = 10  # for one program
LIBRARY = pathlib.Path(os.__file__).parent


def doctests():
    parser = doctest.DocTestParser()
    for path in sorted([*LIBRARY.glob("*.py"), *(LIBRARY / "test").glob("*.py")]):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for number, text in enumerate(text for text in texts if ">>>" in text):
            try:
                examples = parser.get_examples(text)
            except ValueError:
                continue
            lines = [] if path.parent.name == "test" else [f"from {path.stem} import *", f"import {path.stem}"]
            lines += filter(None, map(statement, examples))
            yield f"{path.stem}.{number}", "\n".join(lines) + "\n"


def statement(example):
    """The source of an example, with its value printed and its exception caught."""
    source = example.source.rstrip("\n")
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return None
    if '"""' in source or "'''" in source:
        return None
    if example.exc_msg is not None:
        indented = "\n".join("    " + line for line in source.split("\n"))
        return f"try:\n{indented}\nexcept BaseException as _error:\n    print(type(_error).__name__, _error)"
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        return f"_value = {ast.unparse(body[0].value)}\nif _value is not None:\n    print(repr(_value))"
    return source


def bound_names(node):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        return [node.name]
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def test_methods(name):
    path = LIBRARY / "test" / f"test_{name}.py"
    if not path.exists():
        return
    head, cases = [], []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        text = ast.unparse(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if "test" not in text or "unittest" in text:
                head.append(node)
        elif isinstance(node, ast.ClassDef) and any(is_test(part) for part in node.body):
            cases.append(node)
        elif not (isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)) and not isinstance(node, ast.Expr):
            head.append(node)
    by_name = {case.name: case for case in cases}
    for case in cases:
        bases = [ast.unparse(base) for base in case.bases]
        if not any("TestCase" in base for base in bases):
            continue
        others = [by_name[base] for base in bases if base in by_name]
        for test in filter(is_test, case.body):
            test.decorator_list = [d for d in test.decorator_list if "support" not in ast.unparse(d)]
            body = [part for part in case.body if not is_test(part)] + [test]
            one = ast.ClassDef(name=case.name, bases=case.bases, keywords=case.keywords, body=body, decorator_list=[])
            chosen = needed(head, [*others, one])
            code = "import unittest\n" + ast.unparse(ast.Module(body=[*chosen, *others, one], type_ignores=[]))
            code += f"\n_test = {case.name}({test.name!r})\n_test.setUp()\n_test.{test.name}()\n"
            yield f"test_{name}.{case.name}.{test.name}", code


def is_test(node):
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def needed(head, nodes):
    """The nodes of the head that others name, and those that these name."""
    text = "".join(map(ast.unparse, nodes))
    chosen = {}
    while True:
        new = [n for n, node in enumerate(head) if n not in chosen and any(name in text for name in bound_names(node))]
        if not new:
            return [head[n] for n in sorted(chosen)]
        for n in new:
            chosen[n] = True
            text += ast.unparse(head[n])


def ends(code):
    """Whether CPython comes to the end of a program."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "prog.py"
        path.write_text(code, encoding="utf-8")
        environment = {"PYTHONHASHSEED": "0", "PATH": os.environ["PATH"]}
        try:
            run = subprocess.run(
                [sys.executable, str(path)], cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return False
    return run.returncode == 0


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    programs = [*doctests(), *(program for name in FILES for program in test_methods(name))]
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        ended = executor.map(lambda program: ends(program[1]), programs)
        for (name, code), is_whole in zip(programs, ended):
            if is_whole:
                print(json.dumps({"id": name, "code": code}))


if __name__ == "__main__":
    main()
