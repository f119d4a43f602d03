#!/usr/bin/env python3
"""What `codexec diff` says of pairs of programs of which it is known whether they behave the same.

    runs/diff_pairs.py FOLDER [--binary target/debug/codexec] [--show] [--crosshair PYTHON] [--seconds N]

The folder has `equal/NAME/before.py` and `after.py`, which behave the same for values of the types that are meant, and
`changed/NAME/…`, which do not. Prints how often each verdict was given. `--crosshair` names an interpreter with
crosshair-tool, whose `crosshair diffbehavior` is asked of the same pairs: of each function that both files define, for
so many seconds a function.
"""

import argparse
import ast
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import tempfile
import time

VERDICTS = {0: "same", 1: "different", 3: "not distinguished"}


def verdict_of_codexec(pair, binary):
    command = [binary, "diff", str(pair / "before.py"), str(pair / "after.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return VERDICTS.get(done.returncode, "cannot be compared"), done.stdout + done.stderr


def functions(path):
    """Names that can be asked of: functions, and methods of classes."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef) and part.name != "__init__"}
    return names


def verdict_of_crosshair(pair, python, seconds):
    files = {part: pair / f"{part}.py" for part in ("before", "after")}
    shared = sorted(functions(files["before"]) & functions(files["after"]))
    if not shared:
        return "cannot be compared", "no function in both"
    said, verdicts = [], []
    with tempfile.TemporaryDirectory() as folder:
        for part, file in files.items():
            (pathlib.Path(folder) / f"{part}.py").write_text(file.read_text())
        for name in shared:
            command = [python, "-m", "crosshair", "diffbehavior", f"before.{name}", f"after.{name}", "--per_condition_timeout", str(seconds)]
            environment = {**os.environ, "PYTHONPATH": folder}
            try:
                done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=10 * seconds + 60)
            except subprocess.TimeoutExpired:
                verdicts.append("not distinguished")
                continue
            text = done.stdout + done.stderr
            said.append(f"{name}: {text}")
            if re.search("No differences found", text):
                verdicts.append("same" if "exhausted" in text.lower() or "all paths" in text.lower() else "not distinguished")
            elif done.returncode == 1 and "Given:" in text:
                verdicts.append("different")
            else:
                verdicts.append("cannot be compared")
    for verdict in ("different", "cannot be compared", "not distinguished"):
        if verdict in verdicts:
            return verdict, "\n".join(said)
    return "same", "\n".join(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--binary", default="target/debug/codexec")
    parser.add_argument("--show", action="store_true", help="print the names of the pairs with each verdict")
    parser.add_argument("--crosshair", metavar="PYTHON")
    parser.add_argument("--seconds", type=int, default=10)
    args = parser.parse_args()
    tools = {"codexec": lambda pair: verdict_of_codexec(pair, args.binary)}
    if args.crosshair:
        tools["crosshair"] = lambda pair: verdict_of_crosshair(pair, args.crosshair, args.seconds)
    for tool, verdict in tools.items():
        for kind in ("equal", "changed"):
            pairs = sorted((args.folder / kind).iterdir())
            begun = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(2) as threads:
                found = list(threads.map(verdict, pairs))
            took = (time.monotonic() - begun) / max(len(pairs), 1)
            counts = collections.Counter(verdict for verdict, _ in found)
            print(f"{tool}, {kind}: {len(pairs)} pairs, {took:.1f} s each: " + ", ".join(f"{count} {what}" for what, count in counts.most_common()))
            if args.show:
                for what in counts:
                    print(f"  {what}: " + " ".join(pair.name for pair, (one, _) in zip(pairs, found) if one == what))


if __name__ == "__main__":
    main()
