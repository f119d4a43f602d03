"""Programs of two files: what is planned of them against what the program of one file prints in the sandbox.

    python3 runs/two_files.py PROGRAMS.jsonl.zst FOLDER [--skip N] [--count N] [--codexec PATH]

Functions and classes of a program go to `parts.py`, with its imports; the rest imports them. Programs whose other
statements these definitions need are left out, since there the two differ. Needs Python 3.11 and `zstandard`, or `zstd`.
"""

import argparse
import ast
import json
import pathlib
import subprocess

PARTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def programs(path):
    text = subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        record = json.loads(line)
        yield record.get("source") or record.get("code"), record.get("stdin") or record.get("input") or ""


def split(source):
    """`(parts, main)`, or `None`."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    parts = [node for node in tree.body if isinstance(node, PARTS)]
    rest = [node for node in tree.body if not isinstance(node, PARTS)]
    definitions = [node for node in parts if not isinstance(node, (ast.Import, ast.ImportFrom))]
    if not definitions or not rest:
        return None
    names = lambda nodes, kind: {
        x.id for node in nodes for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, kind)
    }
    bound = names(rest, ast.Store)
    if bound & names(parts, ast.Load) or any(isinstance(x, ast.Global) for node in parts for x in ast.walk(node)):
        return None
    # A future import of the program holds for both.
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in parts):
        return None
    imports = [node for node in parts if node not in definitions]
    taken = ", ".join(node.name for node in definitions)
    lines = [ast.unparse(node) for node in imports] + [f"from parts import {taken}"]
    lines += [ast.unparse(node) for node in rest]
    return "\n".join(map(ast.unparse, parts)) + "\n", "\n".join(lines) + "\n"


def traces(codexec, folder, *options):
    run = subprocess.run([codexec, "trace", folder, "--json", "--max-steps", "20000", *options], capture_output=True, text=True)
    found = {}
    for line in run.stdout.splitlines():
        trace = json.loads(line)
        found[trace["program"]["id"]] = trace
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--codexec", default="codexec")
    options = parser.parse_args()
    made = 0
    for at, (source, stdin) in enumerate(programs(options.programs)):
        if at < options.skip or not source:
            continue
        if made >= options.count:
            break
        pair = split(source)
        if pair is None:
            continue
        one, two = options.folder / "one" / f"{at}.py", options.folder / "two" / str(at)
        one.parent.mkdir(parents=True, exist_ok=True)
        two.mkdir(parents=True, exist_ok=True)
        one.write_text(source)
        (two / "parts.py").write_text(pair[0])
        (two / "main.py").write_text(pair[1])
        if stdin:
            one.with_suffix(".in").write_text(stdin)
            (two / "main.in").write_text(stdin)
        made += 1
    ran = traces(options.codexec, options.folder / "one", "--engine", "run")
    planned = traces(options.codexec, options.folder / "two")
    text = lambda trace: "".join(step.get("output", "") for step in trace["steps"])
    end = lambda trace: (trace["outcome"]["kind"], trace["outcome"].get("exception"), trace["outcome"].get("message"))
    equal = stopped = whole = 0
    for name, trace in ran.items():
        if trace["outcome"]["kind"] not in ("finished", "raised", "exited"):
            continue
        whole += 1
        number = pathlib.Path(name).stem
        other = planned[str(options.folder / "two" / number / "main.py")]
        if (text(trace), end(trace)) == (text(other), end(other)):
            equal += 1
        elif other.get("truncated"):
            stopped += 1
            print(f"{number}: {other['outcome'].get('why', 'stopped')}")
        else:
            print(f"{number}: differs: {end(trace)} {end(other)}")
    print(f"{whole} programs, {equal} equal in output and end ({100 * equal / max(whole, 1):.1f} %), {stopped} stopped")


if __name__ == "__main__":
    main()
