"""Programs of projects: what is planned of them against what the sandbox does, step by step.

    python3 runs/real_projects.py ENTRIES [--codexec PATH] [--input TEXT] [--jobs N] [--max-steps N] [--python PATH]

ENTRIES is a file with a path on each line: scripts, or solutions' tests that call `unittest.main`. Each is traced in its
own directory, so that the modules and data beside it are there. A root, with a tab behind it, may stand before the path:
the directory in which its modules are found. Prints the programs that are not the same to the end, with the first
difference, and the counts: equal, stopped (a true prefix, and why it ends), differs (a step that is wrong), marked (a step
that is other than the sandbox's, of a trace that says that it has made-up values), end, and package (the sandbox ends at an
import that neither the library nor the project has, and planning goes another way).
With --python both engines know the packages that are installed for that interpreter.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import subprocess


def plain(value):
    """A part of a trace without what only predictions have."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in ("origin", "confidence")}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def traced(options, engine, entry):
    """The trace of an engine, or None, and what it says besides."""
    root, path = entry
    folder, name = os.path.split(path)
    command = [options.codexec, "trace", name, "--engine", engine, "--json", "--input", options.input]
    command += ["--root", root] if root else []
    command += ["--max-steps", str(options.max_steps)]
    command += ["--packages", "--python", options.python] if options.python else []
    try:
        run = subprocess.run(command, cwd=folder or ".", capture_output=True, text=True, timeout=120)
        return json.loads(run.stdout), run.stderr.strip()
    except subprocess.TimeoutExpired:
        return None, "out of time"
    except json.JSONDecodeError:
        return None, run.stderr.strip()


def is_marked(trace, steps, said):
    """Whether a trace says that a value up to some step was made up, or that it is not sure of itself."""
    return "values were made up" in said or trace.get("confidence", 1.0) < 1.0 or '"injected"' in json.dumps(trace["steps"][:steps])


def lacks_a_package(trace):
    """Whether a trace ends at an import of a module that is not there."""
    return trace["outcome"].get("exception") in ("ImportError", "ModuleNotFoundError")


def compared(options, line):
    """`(path, kind, what to say of it)`."""
    entry = line.rpartition("\t")[::2]
    path = entry[1]
    run, said = traced(options, "run", entry)
    if run is None:
        return path, "not run", said[-200:]
    planned, said = traced(options, "plan", entry)
    if planned is None:
        return path, "not planned", said[-200:]
    if lacks_a_package(run) and plain(run["steps"]) != plain(planned["steps"]):
        return path, "package", str(run["outcome"])[:120]
    stop = said.splitlines()[-1][:200] if said else ""
    pairs = zip(run["steps"], planned["steps"])
    at = next((k for k, (a, b) in enumerate(pairs) if plain(a) != plain(b)), None)
    counts = "%d of %d steps" % (len(planned["steps"]), len(run["steps"]))
    if at is not None:
        a, b = plain(run["steps"][at]), plain(planned["steps"][at])
        other = {key: (a.get(key), b.get(key)) for key in {**a, **b} if a.get(key) != b.get(key)}
        kind = "marked" if is_marked(planned, at + 1, said) else "differs"
        return path, kind, "step %d: %s %s" % (at + 1, str(other)[:300], stop)
    if len(run["steps"]) == len(planned["steps"]) and plain(run["outcome"]) == plain(planned["outcome"]):
        return path, "equal", run["outcome"]["kind"]
    return path, "stopped" if stop else "end", "%s, %s: %s" % (run["outcome"]["kind"], counts, stop)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entries")
    parser.add_argument("--codexec", default="codexec")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--input", default="", help="standard input of each program")
    parser.add_argument("--max-steps", type=int, default=5000)
    parser.add_argument("--python", help="the interpreter whose packages both engines know")
    options = parser.parse_args()
    with open(options.entries) as file:
        lines = file.read().split("\n")
    kinds, ends = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, kind, said in pool.map(lambda line: compared(options, line), filter(None, lines)):
            kinds[kind] += 1
            if kind == "equal":
                ends[said] += 1
            else:
                print(kind, path, said, flush=True)
    print("programs:", sum(kinds.values()), dict(kinds), "equal ones ended:", dict(ends))


main()
