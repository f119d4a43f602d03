"""Programs of projects: what is planned of them against what the sandbox does, step by step.

    python3 runs/real_projects.py ENTRIES [--codexec PATH] [--jobs N] [--max-steps N]

ENTRIES is a file with a path on each line: scripts, or solutions' tests that call `unittest.main`. Each is traced in its
own directory, so that the modules and data beside it are there. Prints the programs that are not the same to the end, with
the first difference, and the counts: equal, stopped (a true prefix, and why it ends), differs (a step that is wrong), end.
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


def traced(options, engine, path):
    """The trace of an engine, or None, and what it says besides."""
    folder, name = os.path.split(path)
    command = [options.codexec, "trace", name, "--engine", engine, "--json", "--input", ""]
    command += ["--max-steps", str(options.max_steps)]
    try:
        run = subprocess.run(command, cwd=folder or ".", capture_output=True, text=True, timeout=120)
        return json.loads(run.stdout), run.stderr.strip()
    except subprocess.TimeoutExpired:
        return None, "out of time"
    except json.JSONDecodeError:
        return None, run.stderr.strip()


def compared(options, path):
    """`(path, kind, what to say of it)`."""
    run, said = traced(options, "run", path)
    if run is None:
        return path, "not run", said[-200:]
    planned, said = traced(options, "plan", path)
    if planned is None:
        return path, "not planned", said[-200:]
    stop = said.splitlines()[-1][:200] if said else ""
    pairs = zip(run["steps"], planned["steps"])
    at = next((k for k, (a, b) in enumerate(pairs) if plain(a) != plain(b)), None)
    counts = "%d of %d steps" % (len(planned["steps"]), len(run["steps"]))
    if at is not None:
        a, b = plain(run["steps"][at]), plain(planned["steps"][at])
        other = {key: (a.get(key), b.get(key)) for key in {**a, **b} if a.get(key) != b.get(key)}
        return path, "differs", "step %d: %s %s" % (at + 1, str(other)[:300], stop)
    if len(run["steps"]) == len(planned["steps"]) and plain(run["outcome"]) == plain(planned["outcome"]):
        return path, "equal", run["outcome"]["kind"]
    return path, "stopped" if stop else "end", "%s, %s: %s" % (run["outcome"]["kind"], counts, stop)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entries")
    parser.add_argument("--codexec", default="codexec")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--max-steps", type=int, default=5000)
    options = parser.parse_args()
    with open(options.entries) as file:
        paths = file.read().split("\n")
    kinds, ends = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, kind, said in pool.map(lambda path: compared(options, path), filter(None, paths)):
            kinds[kind] += 1
            if kind == "equal":
                ends[said] += 1
            else:
                print(kind, path, said, flush=True)
    print("programs:", sum(kinds.values()), dict(kinds), "equal ones ended:", dict(ends))


main()
