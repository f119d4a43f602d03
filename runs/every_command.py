#!/usr/bin/env python3
"""Programs of several files in every command: a table in Markdown.

    python runs/every_command.py tests/fixtures/projects/*/ --codexec target/release/codexec

Each project has a main.py; arguments stand in arguments.txt, one a line. The table of docs/trace.md comes from it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def ask(codexec, *words, cwd=None):
    """One command; its output, what it said, its status."""
    done = subprocess.run(
        [codexec, *map(str, words)], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, cwd=cwd
    )
    return done.stdout, done.stderr, done.returncode


def trace(codexec, main, arguments, engine):
    """The steps of a trace, what is printed and how it ends; None where there is none."""
    text, said, _ = ask(codexec, "trace", main, "--engine", engine, "--format", "json", "--", *arguments)
    if not text:
        return None, said
    told = json.loads(text)
    steps = [(step["event"], step.get("file", 0), step["line"]) for step in told["steps"]]
    output = "".join(step.get("output", "") for step in told["steps"])
    return (steps, output, told["outcome"]), told


def row(codexec, project):
    """A project in every command."""
    main = project / "main.py"
    given = project / "arguments.txt"
    arguments = given.read_text().splitlines() if given.is_file() else []
    planned, told = trace(codexec, main, arguments, "plan")
    ran, _ = trace(codexec, main, arguments, "run")
    files = len(told["files"]) if planned else 0
    kind = planned[2]["kind"] if planned else "-"
    cells = [project.name, str(files), f"{len(planned[0])} steps, {kind}" if planned else "no trace"]
    cells.append("equal" if planned == ran else "different")
    text, said, code = ask(codexec, "why", main, "--json", "--", *arguments)
    cells.append(f"{len(json.loads(text)['links'])} links" if code == 0 else said.strip().splitlines()[-1][:40])
    text, said, code = ask(codexec, "check", project, "--format", "json", "--quiet")
    checked = json.loads(text)
    found = sum(len(one["findings"]) for one in checked["files"])
    still = sum(bool(one["notes"]) for one in checked["files"])
    cells.append(f"{found} findings, notes on {still} of {len(checked['files'])} files")
    text, said, code = ask(codexec, "guide", main, "--json", "--", *arguments)
    guided = json.loads(text) if text else None
    cells.append(f"{guided['coverage']['covered']} of {guided['coverage']['lines']} lines" if guided else said[:40])
    text, said, code = ask(codexec, "prefix", main, "--json", "--", *arguments)
    found = json.loads(text) if text else None
    cells.append(f"{found['coverage']['covered']} of {found['coverage']['lines']} lines" if found else said[:40])
    with tempfile.TemporaryDirectory() as place:
        changed = Path(place) / project.name
        subprocess.run(["cp", "-r", str(project), str(changed)], check=True)
        text, said, code = ask(codexec, "diff", project, changed, "--json")
        same = code
        module = sorted(path for path in changed.rglob("*.py") if path.name != "main.py")[0]
        module.write_text(re.sub(r"^", "print('changed')\n", module.read_text(), count=1))
        text, said, code = ask(codexec, "diff", project, changed, "--json")
    cells.append(f"{'same' if same == 0 else same}, {'different' if code == 1 else code}")
    return cells


def main():
    parser = argparse.ArgumentParser(description="Programs of several files in every command.")
    parser.add_argument("projects", nargs="+", type=Path)
    parser.add_argument("--codexec", default="codexec", help="the binary")
    args = parser.parse_args()
    heads = ["project", "files", "trace", "run", "why", "check", "guide", "prefix", "diff of copy, of change"]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for project in args.projects:
        if (project / "main.py").is_file():
            print("| " + " | ".join(row(args.codexec, project.resolve())) + " |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
