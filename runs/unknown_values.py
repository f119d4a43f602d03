#!/usr/bin/env python3
"""How much of incomplete programs is planned, and how much guided execution runs.

    runs/unknown_values.py FOLDER|FILE.jsonl.gz ... [--binary target/debug/codexec] [--skip N] [--limit N] [--show]

A folder has programs; a file of JSON lines has them under `code`. Of each program the lines count that `codexec guide`
counts. A program ends well if it ends without an exception and is not stopped. Prints, for planning without and with
`--inject` and for guided execution, how many programs end well, and the share of lines that are reached.
"""

import argparse
import ast
import concurrent.futures
import gzip
import json
import pathlib
import subprocess
import tempfile


#: How programs are planned.
FORMS = {"plan": [], "plan --inject": ["--inject"]}
ENDS = ("finished", "exited")


def programs(places):
    for place in map(pathlib.Path, places):
        if place.is_dir():
            for file in sorted(place.rglob("*.py")):
                yield file.name, file.read_text()
        else:
            with gzip.open(place, "rt") as rows:
                for row in map(json.loads, rows):
                    yield row["id"], row["code"]


def asked(binary, command, file):
    done = subprocess.run([binary, *command, str(file)], capture_output=True, text=True, timeout=120)
    try:
        return json.loads(done.stdout), done.stderr
    except ValueError:
        return None, done.stderr


def statement_of(source):
    """Of each line the lines of the statement that it is of: of a compound one its head."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno
            lines = range(node.lineno, max(end, node.lineno) + 1)
            for line in lines:
                if line not in found or len(found[line]) >= len(lines):
                    found[line] = lines
    return found


def measured(binary, name, source, folder):
    file = pathlib.Path(folder) / (name.replace("/", "_").removesuffix(".py") + ".py")
    file.write_text(source)
    guided, why = asked(binary, ["guide", "--json"], file)
    rows = {}
    if guided is None:
        return name, {form: (0, 1, False, why.strip(), []) for form in FORMS}
    try:
        statements = statement_of(source)
    except SyntaxError:
        statements = {}
    counted, ran = set(guided["counted"]), set(guided["covered"])
    ended = guided["outcome"]["kind"] in ENDS
    rows["guide"] = (len(ran), len(counted), ended, "" if ended else json.dumps(guided["outcome"]), sorted(counted - ran))
    for form, options in FORMS.items():
        planned, told = asked(binary, ["trace", "--format", "json", "--max-steps", "20000", *options], file)
        stopped = "" if planned and "stopped" not in told else told.strip()
        ended = planned is not None and planned["outcome"]["kind"] in ENDS and not stopped
        walked = {step["line"] for step in planned["steps"]} if planned else set()
        if planned and planned["outcome"]["kind"] == "raised":  # that line was not executed to its end
            walked.discard(planned["outcome"]["line"])
        walked = {line for one in walked for line in statements.get(one, ())} & counted
        why = "" if ended else stopped or json.dumps(planned["outcome"])
        rows[form] = (len(walked), len(counted), ended, why, sorted(counted - walked))
    return name, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+")
    parser.add_argument("--binary", default="target/debug/codexec")
    parser.add_argument("--skip", type=int, default=0, help="programs at the beginning that are left out")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", action="store_true", help="each program that does not end well")
    args = parser.parse_args()
    all_programs = list(programs(args.places))[args.skip :][: args.limit]
    totals = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(measured, args.binary, name, source, folder) for name, source in all_programs]
        for job in jobs:
            name, rows = job.result()
            for form, (some, most, done, *more) in rows.items():
                total = totals.setdefault(form, [0, 0, 0, 0.0])
                total[0] += done
                total[1] += 1
                total[3] += some / most if most else 1.0
                if args.show and form != "plan" and (not done or more[1]):
                    print(f"{name}: {form}: {some} of {most} lines, not {more[1]}: {more[0]}")
    print(f"{'':16} {'programs':>8} {'end well':>8} {'lines':>7}")
    for form, (done, count, _, share) in totals.items():
        print(f"{form:16} {count:8} {done:8} {share / count:7.1%}")


if __name__ == "__main__":
    main()
