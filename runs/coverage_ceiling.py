#!/usr/bin/env python3
"""The most lines of programs that one execution could cover, whatever the values are.

    runs/coverage_ceiling.py FILE.jsonl.gz ...

Of two branches of a condition that is reached once only one is executed; what raises is not executed without crashing; what
follows a statement that leaves is not reached. Loops count as if they went round as often as is wanted, and saw all their
branches. Prints the mean share of lines, and the share of programs all of whose lines one execution could cover. The figures
of `codexec eval guide --programs` on the same file are to be seen beside these. Docstrings count, which makes the bound
a little too high.
"""

import argparse
import ast
import gzip
import json

LEAVES, JUMPS, GOES = "leaves", "jumps", "goes"
LOOPS = (ast.For, ast.While, ast.AsyncFor)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def either(one, other):
    """Of two sets of ways the longer one of each kind."""
    return {end: max(one.get(end, -1), other.get(end, -1)) for end in {*one, *other}}


def plus(ways, lines):
    return {end: count + lines for end, count in ways.items()}


def is_exit(statement):
    value = getattr(statement, "value", None)
    is_call = isinstance(statement, ast.Expr) and isinstance(value, ast.Call)
    return is_call and getattr(value.func, "id", "") in ("exit", "quit")


class Program:
    """A program, and which of its lines count."""

    def __init__(self, source):
        self.tree = ast.parse(source)
        lines = source.split("\n")
        spans = [range(n.lineno, n.end_lineno + 1) for n in ast.walk(self.tree) if isinstance(n, ast.stmt)]
        self.counted = {line for span in spans for line in span if lines[line - 1].strip(" \t")[:1] not in ("", "#")}

    def lines(self, first, last):
        return sum(line in self.counted for line in range(first, last + 1))

    def whole(self, block):
        return self.lines(block[0].lineno, block[-1].end_lineno) if block else 0

    def around(self, statement):
        """Lines of a loop but those that raise."""
        raised = [n for n in ast.walk(statement) if isinstance(n, ast.Raise)]
        return self.whole([statement]) - sum(self.whole([one]) for one in raised)

    def block(self, block):
        ways = {GOES: 0}
        for statement in block:
            if GOES not in ways:
                break
            before = ways.pop(GOES)
            ways = either(ways, plus(self.statement(statement), before))
        return ways

    def statement(self, one):
        body = getattr(one, "body", None)
        head = max(self.lines(one.lineno, body[0].lineno - 1), 1) if body else self.whole([one])
        if isinstance(one, ast.Raise):
            return {LEAVES: 0}
        if isinstance(one, ast.Return) or is_exit(one):
            return {LEAVES: head}
        if isinstance(one, (ast.Break, ast.Continue)):
            return {JUMPS: 1}
        if isinstance(one, ast.If):
            is_elif = len(one.orelse) == 1 and isinstance(one.orelse[0], ast.If) and one.orelse[0].col_offset == one.col_offset
            other = plus(self.block(one.orelse), 0 if is_elif or not one.orelse else 1)
            return plus(either(self.block(one.body), other), head)
        if isinstance(one, LOOPS):
            inside = self.block(one.body)
            leaves = {LEAVES: self.around(one)} if LEAVES in inside else {}
            return either({GOES: self.around(one)}, leaves)
        if isinstance(one, (ast.With, ast.AsyncWith)):
            return plus(self.block(one.body), head)
        if isinstance(one, (ast.Try, getattr(ast, "TryStar", ast.Try))):
            return self.attempt(one)
        return {GOES: self.whole([one]) if isinstance(one, DEFINITIONS) else head}

    def attempt(self, one):
        body = plus(self.block(one.body), 1)
        ways = {end: count for end, count in body.items() if end != GOES}
        if GOES in body:
            ways = either(ways, plus(self.block(one.orelse), body[GOES] + bool(one.orelse)))
        for handler in one.handlers:
            ways = either(ways, plus(self.block(handler.body), max(body.values())))
        return plus(ways, self.whole(one.finalbody) + bool(one.finalbody))

    def most(self):
        return min(max(self.block(self.tree.body).values()), len(self.counted)), len(self.counted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    for file in parser.parse_args().files:
        share = whole = programs = 0
        with gzip.open(file, "rt") as rows:
            for row in rows:
                try:
                    some, all_lines = Program(json.loads(row)["code"]).most()
                except SyntaxError:
                    continue
                programs += 1
                share += some / all_lines if all_lines else 1
                whole += some == all_lines
        print(f"{file}: {programs} programs, {share / programs:.1%} of the lines, {whole / programs:.1%} whole")


if __name__ == "__main__":
    main()
