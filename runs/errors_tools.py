#!/usr/bin/env python3
"""Rows of other tools beside `codexec eval errors`: what they find in the programs of a file of records, as kinds of errors.

    python3 runs/errors_tools.py ERRORS.jsonl [--tools pylint,mypy] [--part test] [--limit N] [--jobs N]

As in the Exception IPA-GNN paper's Appendix G, a message that says that a line raises counts as that kind, and messages
about style, warnings and unused names count as nothing; the tables of messages are ours. Of several findings the first by line is
taken. A program without any is predicted to end without an error. A program that a tool does not finish in the time
limit counts so, too, and the script says how many there are. The tools are on PyPI (`pip install pylint mypy`); the
script says so and ends with 3 where one is not installed. Records packed by Zstandard need `zstd` on the path.
"""

import argparse
import collections
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NO_ERROR = "No error"

# pylint's messages of the category `error` or `fatal` that say which exception the line raises.
PYLINT = {
    "syntax-error": "SyntaxError",
    "return-outside-function": "SyntaxError",
    "yield-outside-function": "SyntaxError",
    "not-in-loop": "SyntaxError",
    "star-needs-assignment-target": "SyntaxError",
    "duplicate-argument-name": "SyntaxError",
    "nonlocal-without-binding": "SyntaxError",
    "continue-in-finally": "SyntaxError",
    "undefined-variable": "NameError",
    "undefined-loop-variable": "NameError",
    "used-before-assignment": "NameError",
    "possibly-used-before-assignment": "NameError",
    "undefined-all-variable": "NameError",
    "access-member-before-definition": "AttributeError",
    "no-member": "AttributeError",
    "no-name-in-module": "ImportError",
    "import-error": "ModuleNotFoundError",
    "relative-beyond-top-level": "ImportError",
    "no-value-for-parameter": "TypeError",
    "too-many-function-args": "TypeError",
    "unexpected-keyword-arg": "TypeError",
    "redundant-keyword-arg": "TypeError",
    "missing-kwoa": "TypeError",
    "not-callable": "TypeError",
    "not-an-iterable": "TypeError",
    "not-a-mapping": "TypeError",
    "unsubscriptable-object": "TypeError",
    "unsupported-membership-test": "TypeError",
    "unsupported-assignment-operation": "TypeError",
    "unsupported-delete-operation": "TypeError",
    "unsupported-binary-operation": "TypeError",
    "invalid-unary-operand-type": "TypeError",
    "invalid-sequence-index": "TypeError",
    "invalid-slice-index": "TypeError",
    "unhashable-member": "TypeError",
    "unhashable-dict-key": "TypeError",
    "bad-string-format-type": "TypeError",
    "too-few-format-args": "TypeError",
    "too-many-format-args": "TypeError",
    "format-needs-mapping": "TypeError",
    "raising-bad-type": "TypeError",
    "raising-non-exception": "TypeError",
    "notimplemented-raised": "TypeError",
    "assignment-from-no-return": "TypeError",
    "assignment-from-none": "TypeError",
    "abstract-class-instantiated": "TypeError",
    "no-method-argument": "TypeError",
    "unpacking-non-sequence": "TypeError",
    "unbalanced-tuple-unpacking": "ValueError",
    "unbalanced-dict-unpacking": "ValueError",
    "truncated-format-string": "ValueError",
    "bad-format-character": "ValueError",
    "bad-str-strip-call": "ValueError",
    "potential-index-error": "IndexError",
    "invalid-slice-step": "ValueError",
    "stop-iteration-return": "RuntimeError",
}


# mypy's error codes that say which exception the line raises; those about annotations alone say none.
MYPY = {
    "syntax": "SyntaxError",
    "name-defined": "NameError",
    "used-before-def": "NameError",
    "possibly-undefined": "NameError",
    "attr-defined": "AttributeError",
    "union-attr": "AttributeError",
    "call-arg": "TypeError",
    "call-overload": "TypeError",
    "arg-type": "TypeError",
    "operator": "TypeError",
    "index": "TypeError",
    "str-format": "TypeError",
    "abstract": "TypeError",
    "func-returns-value": "TypeError",
    "str-unpack": "ValueError",
}


def rows(path, part):
    if path.suffix == ".zst":
        text = subprocess.run(["zstd", "-dc", str(path)], check=True, capture_output=True).stdout.decode()
    else:
        text = path.read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.strip():
            row = json.loads(line)
            if row["split"] == part:
                yield row


def pylint(names, seconds):
    """Pairs of line and kind by file."""
    command = [sys.executable, "-m", "pylint", "--output-format=json", "--disable=all", "--persistent=n", "--jobs=1"]
    run = ran([*command, f"--enable={','.join(PYLINT)}", "--disable=import-error", *names], seconds)
    if run.returncode >= 32:
        raise SystemExit(f"pylint: {run.stderr.strip()[:400]}")
    found = collections.defaultdict(list)
    for message in json.loads(run.stdout or "[]"):
        kind = PYLINT.get(message["symbol"])
        if kind:
            found[pathlib.Path(message["path"]).stem].append((message["line"], kind))
    return found


def mypy(names, seconds):
    """Pairs of line and kind by file."""
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--check-untyped-defs", "--no-error-summary"]
    command += ["--no-color-output", "--show-error-codes", f"--cache-dir={os.devnull}", "--no-site-packages"]
    found = collections.defaultdict(list)
    parsed = []
    for name in names:
        # One program that does not parse ends the check of all.
        try:
            compile(pathlib.Path(name).read_text(encoding="utf-8"), name, "exec", dont_inherit=True)
            parsed.append(name)
        except (SyntaxError, ValueError) as error:
            found[pathlib.Path(name).stem].append((getattr(error, "lineno", None) or 1, "SyntaxError"))
    if not parsed:
        return found
    run = ran([*command, *parsed], seconds)
    if run.returncode > 2:
        raise SystemExit(f"mypy: {run.stderr.strip()[:400]}")
    for line in run.stdout.splitlines():
        match = re.match(r"(.+?):(\d+): error: .*\[([a-z-]+)\]$", line)
        kind = match and MYPY.get(match[3])
        if kind:
            found[pathlib.Path(match[1]).stem].append((int(match[2]), kind))
    return found


# Programs that a tool is given at once.
TOOLS = {"pylint": (pylint, 25), "mypy": (mypy, 100)}


def ran(command, seconds):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)


def findings(tool, records, jobs, seconds):
    """For each record the kind and the line of the first finding that has a kind, and how many took too long."""
    check, together = TOOLS[tool]
    with tempfile.TemporaryDirectory() as directory:
        names = [f"{directory}/p{number}.py" for number in range(len(records))]
        for name, row in zip(names, records):
            pathlib.Path(name).write_text(row["code"], encoding="utf-8")

        def batch(some):
            try:
                return check(some, seconds * len(some)), 0
            except subprocess.TimeoutExpired:
                if len(some) == 1:
                    return {}, 1
                parts = [batch([name]) for name in some]
                return {key: value for found, _ in parts for key, value in found.items()}, sum(late for _, late in parts)

        batches = [names[at : at + together] for at in range(0, len(names), together)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            parts = list(pool.map(batch, batches))
    found = {key: value for part, _ in parts for key, value in part.items()}
    first = lambda number: min(found[f"p{number}"]) if found.get(f"p{number}") else (None, NO_ERROR)
    return [first(number) for number in range(len(records))], sum(late for _, late in parts)


def weighted(pairs, kinds):
    """The mean of the F1 of kinds, weighted by how often they are true."""
    total, weight = 0.0, 0
    for kind in kinds:
        truths = sum(truth == kind for truth, _ in pairs)
        predicted = sum(said == kind for _, said in pairs)
        right = sum(truth == said == kind for truth, said in pairs)
        if truths:
            total += truths * 2 * right / (truths + predicted)
            weight += truths
    return total / weight if weight else float("nan")


def row(tool, records, arguments):
    """The row of a tool, and what it said."""
    said, late = findings(tool, records, arguments.jobs, arguments.seconds)
    pairs = [(record["error"] or NO_ERROR, kind) for record, (_, kind) in zip(records, said)]
    kinds = sorted({kind for pair in pairs for kind in pair})
    lines = [(record, line, kind) for record, (line, kind) in zip(records, said) if record["error"]]
    both = [(record, line) for record, line, kind in lines if kind != NO_ERROR]
    raising = [pair for pair in pairs if pair[0] != NO_ERROR]
    alarms = [pair for pair in pairs if pair[1] != NO_ERROR]
    clean = [pair for pair in pairs if pair[0] == NO_ERROR]
    share = lambda part, of: 100 * sum(part) / len(of) if of else float("nan")
    found = sum(truth != NO_ERROR for truth, _ in alarms)
    cells = [
        share([truth == kind for truth, kind in pairs], pairs),
        100 * weighted(pairs, kinds),
        100 * weighted(pairs, [kind for kind in kinds if kind != NO_ERROR]),
        share([record["error_line"] == line for record, line in both], both),
        share([(truth == NO_ERROR) == (kind == NO_ERROR) for truth, kind in pairs], pairs),
        share([record["error_line"] == line for record, line, _ in lines], lines),
        share([truth != NO_ERROR for truth, _ in alarms], alarms),
        share([kind != NO_ERROR for _, kind in raising], raising),
        200 * found / (len(alarms) + len(raising)) if alarms or raising else float("nan"),
        share([kind != NO_ERROR for _, kind in clean], clean),
    ]
    text = f"| {tool} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |"
    return text, f"{tool}: {late} took too long; said {dict(collections.Counter(kind for _, kind in pairs))}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", type=pathlib.Path)
    parser.add_argument("--tools", default="pylint,mypy")
    parser.add_argument("--part", default="test", choices=["train", "valid", "test"])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=30, help="time limit of a program")
    arguments = parser.parse_args()
    tools = arguments.tools.split(",")
    for tool in tools:
        if tool not in TOOLS:
            parser.error(f"no tool is called {tool}: {', '.join(TOOLS)}")
        if importlib.util.find_spec(tool) is None:
            print(f"{tool} is not installed: pip install {tool}", file=sys.stderr)
            return 3
    records = list(rows(arguments.records, arguments.part))
    if arguments.limit:
        records = [records[k * len(records) // arguments.limit] for k in range(min(arguments.limit, len(records)))]
    if not records:
        print(f"no record of the part {arguments.part}", file=sys.stderr)
        return 1
    columns = ["predictor", "accuracy", "weighted F1", "weighted error F1", "line", "detection", "error line"]
    columns += ["precision", "recall", "detection F1", "false alarms"]
    print("| " + " | ".join(columns) + " |\n|---|" + "--:|" * (len(columns) - 1))
    notes = []
    for tool in tools:
        text, said = row(tool, records, arguments)
        print(text, flush=True)
        notes.append(said)
    raising = sum(record["error"] is not None for record in records)
    print(f"\n{len(records)} programs, {raising} of them raise.", *notes, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
