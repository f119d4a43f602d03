#!/usr/bin/env python3
"""How often traces are right for what they say of themselves: random programs of the fuzzer are planned at `--fold operators`,
where the network is asked, and run; bins of the confidence, and the share that is right to the end.

    runs/calibration.py [--codexec FILE] [--fuzz FILE] [--seed 70000] [--count 300] [--level operators]

A trace is right where lines, events, functions, depths, values, output and outcome are those of the run. Programs that were not
planned to the end, or that a limit ended, are counted apart."""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile

BINS = [0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0]
LIMITS = {"step_limit", "timeout", "output_limit", "trace_limit", "memory_limit", "instruction_limit"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codexec", default="target/release/codexec")
    parser.add_argument("--fuzz", default="target/release/examples/fuzz")
    parser.add_argument("--seed", type=int, default=70_000)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--level", default="operators")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        for number in range(options.seed, options.seed + options.count):
            command = [options.fuzz, "--seed", str(number), "--count", "1", "--print"]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            pathlib.Path(directory, f"{number}.py").write_text(text)
        trace = [options.codexec, "trace", directory, "--format", "json"]
        planned = rows([*trace, "--fold", options.level])
        run = rows([*trace, "--engine", "run"])
    report(planned, run)


def rows(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    traces = [json.loads(line) for line in done.stdout.splitlines()]
    return {trace["program"]["id"]: trace for trace in traces}


def plain(trace):
    """What is compared: all but where values come from, and addresses."""

    def clean(value):
        if isinstance(value, dict):
            return {key: clean(item) for key, item in value.items() if key not in ("origin", "confidence")}
        return [clean(item) for item in value] if isinstance(value, list) else value

    return clean(trace["steps"]), clean(trace["outcome"])


def report(planned, run):
    right, total, apart = collections.Counter(), collections.Counter(), collections.Counter()
    for name, trace in planned.items():
        kind = trace["outcome"]["kind"]
        if kind == "killed" or trace.get("truncated"):
            apart["not planned to the end"] += 1
        elif name not in run or kind in LIMITS or run[name]["outcome"]["kind"] in LIMITS | {"killed", "syntax_error"}:
            apart["ended by a limit, or no program"] += 1
        elif "confidence" not in trace:
            total["nothing asked"] += 1
            right["nothing asked"] += plain(trace) == plain(run[name])
        else:
            at = max(low for low in BINS if low <= trace["confidence"])
            total[at] += 1
            right[at] += plain(trace) == plain(run[name])
    for at in [*BINS, "nothing asked"]:
        if total[at]:
            print(f"{at if isinstance(at, str) else f'from {at:.2f}':>15}  {right[at]:4} of {total[at]:4}  {right[at] / total[at]:.3f}")
    sure = [at for at in BINS if at >= 0.95]
    print(f"at least 0.95: {sum(right[at] for at in sure)} of {sum(total[at] for at in sure)} are right")
    print(", ".join(f"{what}: {number}" for what, number in apart.items()))


main()
