"""Whether the lines of a chain of `codexec why` are enough to make the value that they explain.

    python3 runs/sufficient_chains.py ../shared/corpora/valid_programs.jsonl.zst FOLDER [--count N]

Of every program that CPython runs to its end, up to six variables of the module are asked for. All statements that the chain
does not name are replaced by `pass`, but for definitions, imports, jumps and what reads input; CPython runs what is left
with the same input, and the variable must have the same value. Where what is left does not run, the replacement is at fault (a
statement that reads input needs a name that is gone): such questions are not counted.
"""

import argparse
import ast
import contextlib
import io
import json
import pathlib
import signal
import subprocess
import sys

KEPT = ("input", "stdin", "next", "readline", "pop")
DEFINES = (
    ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal,
    ast.Break, ast.Continue, ast.Pass, ast.Return, ast.Raise, ast.Try, ast.With,
)  # fmt: skip


class Slicer(ast.NodeTransformer):
    """Replaces statements that have none of some lines."""

    def __init__(self, lines):
        self.lines = lines

    def is_kept(self, node, last):
        return not self.lines.isdisjoint(range(node.lineno, last + 1))

    def visit(self, node):
        if not isinstance(node, ast.stmt):
            return super().visit(node)
        text = ast.unparse(node)
        if isinstance(node, DEFINES):
            return self.generic_visit(node)
        if isinstance(node, (ast.If, ast.While, ast.For)):
            head = self.is_kept(node, max(node.body[0].lineno - 1, node.lineno))
            inside = any(getattr(n, "lineno", 0) in self.lines for n in ast.walk(node))
            self.generic_visit(node)
            if head or inside or any(word in ast.unparse(node) for word in KEPT):
                return node
        elif self.is_kept(node, node.end_lineno) or any(word in text for word in KEPT):
            return node
        return ast.copy_location(ast.Pass(), node)


def stop(*_):
    raise TimeoutError


def value(tree, given, name):
    """The variable's value when the program has ended."""
    names = {"__name__": "__main__"}
    sys.stdin = io.StringIO(given)
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 2)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            exec(compile(tree, "program", "exec"), names)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return repr(names.get(name))


def asked(codexec, path, *options):
    run = subprocess.run([codexec, *options, "--json", path], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def programs(corpus, folder, count):
    text = subprocess.run(["zstd", "-dc", corpus], capture_output=True, check=True, text=True)
    for number, line in enumerate(text.stdout.splitlines()[:count]):
        record = json.loads(line)
        if record["n_lines"] < 5 or not record.get("samples"):
            continue
        path = folder / f"p{number}.py"
        path.write_text(record["code"])
        path.with_suffix(".in").write_text(record["samples"][0]["in"])
        yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=None)
    parser.add_argument("--codexec", default="target/release/codexec")
    args = parser.parse_args()
    args.folder.mkdir(exist_ok=True)
    right, wrong, broken, shares = 0, 0, 0, []
    for path in programs(args.corpus, args.folder, args.count):
        source, given = path.read_text(), path.with_suffix(".in").read_text()
        last = asked(args.codexec, str(path), "trace", "--last", "1")
        if not last or last["outcome"]["kind"] not in ("finished", "exited") or not last["selected"]:
            continue
        state = last["selected"][0]["state"].items()
        for name, _ in [item for item in state if "<" not in item[1]["text"]][:6]:
            answer = asked(args.codexec, str(path), "why", "--var", name)
            if not answer:
                continue
            lines = {link["line"] for link in answer["links"]}
            sliced = ast.fix_missing_locations(Slicer(lines).visit(ast.parse(source)))
            try:
                whole = value(ast.parse(source), given, name)
                part = value(sliced, given, name)
            except Exception:
                broken += 1
                continue
            right, wrong = right + (whole == part), wrong + (whole != part)
            statements = {n.lineno for n in ast.walk(ast.parse(source)) if isinstance(n, ast.stmt)}
            shares.append(len(lines) / max(1, len(statements)))
            if whole != part:
                print(f"{path} {name}: {whole[:60]}, but {part[:60]} of lines {sorted(lines)}")
    print(f"{right} of {right + wrong} the same, of {sum(shares) / max(1, len(shares)):.0%} of the statements; {broken} not tried")


main()
