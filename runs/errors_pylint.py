#!/usr/bin/env python3
"""The row of pylint beside `codexec eval errors`: what it finds in the programs of a file of records, as kinds of errors.

    python3 runs/errors_pylint.py ERRORS.jsonl [--part test] [--limit N]

As in the Exception IPA-GNN paper's Appendix G, a message that says that a line raises counts as that kind, and messages
about style, warnings and unused names count as nothing; the table of messages is ours. Of several findings the first by line is
taken. A program without any is predicted to end without an error. pylint is on PyPI (`pip install pylint`); the
script says so and ends with 3 where it is not installed. Records packed by Zstandard need `zstd` on the path.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

NO_ERROR = "No error"

# Messages of the category `error` or `fatal` that say which exception the line raises.
KINDS = {
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


def findings(records):
    """For each record the kind and the line of the first finding that has a kind."""
    with tempfile.TemporaryDirectory() as directory:
        for number, row in enumerate(records):
            (pathlib.Path(directory) / f"p{number}.py").write_text(row["code"], encoding="utf-8")
        command = [sys.executable, "-m", "pylint", "--output-format=json", "--disable=all", "--persistent=n"]
        command += [f"--enable={','.join(KINDS)}", "--disable=import-error", "--jobs=0", directory + "/"]
        names = [f"{directory}/p{number}.py" for number in range(len(records))]
        found = {}
        for begin in range(0, len(names), 200):
            run = subprocess.run(command[:-1] + names[begin : begin + 200], capture_output=True, text=True, check=False)
            if run.returncode >= 32:
                raise SystemExit(f"pylint: {run.stderr.strip()[:400]}")
            for message in json.loads(run.stdout or "[]"):
                number = int(pathlib.Path(message["path"]).stem[1:])
                kind = KINDS.get(message["symbol"])
                if kind:
                    found.setdefault(number, []).append((message["line"], kind))
        return [min(found[n]) if n in found else (None, NO_ERROR) for n in range(len(records))]


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", type=pathlib.Path)
    parser.add_argument("--part", default="test", choices=["train", "valid", "test"])
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    if importlib.util.find_spec("pylint") is None:
        print("pylint is not installed: pip install pylint", file=sys.stderr)
        return 3
    records = list(rows(arguments.records, arguments.part))
    if arguments.limit:
        records = [records[k * len(records) // arguments.limit] for k in range(min(arguments.limit, len(records)))]
    if not records:
        print(f"no record of the part {arguments.part}", file=sys.stderr)
        return 1
    said = findings(records)
    pairs = [(row["error"] or NO_ERROR, kind) for row, (_, kind) in zip(records, said)]
    kinds = sorted({kind for pair in pairs for kind in pair})
    both = [(row, line) for row, (line, kind) in zip(records, said) if row["error"] and kind != NO_ERROR]
    raising = [pair for pair in pairs if pair[0] != NO_ERROR]
    alarms = [pair for pair in pairs if pair[1] != NO_ERROR]
    clean = [pair for pair in pairs if pair[0] == NO_ERROR]
    share = lambda part, of: 100 * sum(part) / len(of) if of else float("nan")
    cells = [
        share([truth == kind for truth, kind in pairs], pairs),
        100 * weighted(pairs, kinds),
        100 * weighted(pairs, [kind for kind in kinds if kind != NO_ERROR]),
        share([row["error_line"] == line for row, line in both], both),
        share([truth != NO_ERROR for truth, _ in alarms], alarms),
        share([kind != NO_ERROR for _, kind in raising], raising),
        share([kind != NO_ERROR for _, kind in clean], clean),
    ]
    print("| predictor | accuracy | weighted F1 | weighted error F1 | line | precision | recall | false alarms |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    print("| pylint | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")
    print(f"\n{len(records)} programs, {len(raising)} of them raise; said:", dict(collections.Counter(k for _, k in pairs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
