"""Findings of `codexec check` on people's programs, read by hand: how many are true, and whether their figures say so.

    python3 runs/check_verdicts.py sample FOLDER... --out FILE [--codexec PATH] [--seconds N]
    python3 runs/check_verdicts.py score FILE...

`sample` checks the folders and adds what is found to FILE, one finding a line, each without a verdict; syntax errors are
left out, since CPython's compiler decides them. Whoever reads a finding writes its verdict: `true` (the program raises
this, there, when it is run or called as its author means it to be), `false`, or `open` (the text does not say). `score`
counts them: those shown as certain (from 0.95), and for each figure the share that is true beside it. The error of
calibration is the mean of the distances between the two, weighted by findings; `open` counts as half.

`docs/results/check_verdicts.jsonl` has those that were read, by repository, path and line; the programs are not kept.
"""

import argparse
import collections
import json
import os
import subprocess

CERTAIN = 0.95
# Findings of one cause in copies of a file are one finding.
LEFT_OUT = {"SyntaxError", "IndentationError", "TabError"}
SAYS = {"true": 1.0, "open": 0.5, "false": 0.0}


def rows(path):
    """The findings of a file."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def sample(options):
    """Checks folders and writes what is found."""
    with open(options.out, "a", encoding="utf-8") as out:
        for folder in options.paths:
            top, name = os.path.split(os.path.abspath(folder))
            command = [options.codexec, "check", name, "--json"]
            run = subprocess.run(command, cwd=top, capture_output=True, text=True, timeout=options.seconds)
            files = json.loads(run.stdout)["files"]
            seen, found = set(), 0
            for file in files:
                for finding in file["findings"]:
                    key = (os.path.basename(file["path"]), finding["line"], finding["kind"], finding["message"])
                    if finding["kind"] in LEFT_OUT or key in seen:
                        continue
                    seen.add(key)
                    found += 1
                    row = {
                        "repository": name.replace("+", "/", 1),
                        "path": os.path.relpath(file["path"], name),
                        "line": finding["line"],
                        "kind": finding["kind"],
                        "message": finding["message"],
                        "when": finding.get("when"),
                        "probability": round(finding["probability"], 3),
                        "verdict": None,
                    }
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{name}: {len(files)} files, {found} findings")


def score(options):
    """Prints shares."""
    read = [row for path in options.paths for row in rows(path) if row["verdict"]]
    certain = [row for row in read if row["probability"] >= CERTAIN]
    counts = collections.Counter(row["verdict"] for row in certain)
    print(f"{len(read)} findings read, {len(certain)} shown as certain: {dict(counts)}")
    if certain:
        print(f"true of those shown as certain: {counts['true'] / len(certain):.3f}")
    by_figure = collections.defaultdict(list)
    for row in read:
        by_figure[round(row["probability"], 1)].append(row)
    error = 0.0
    for figure, ones in sorted(by_figure.items()):
        said = sum(row["probability"] for row in ones) / len(ones)
        true = sum(SAYS[row["verdict"]] for row in ones) / len(ones)
        error += abs(said - true) * len(ones) / len(read)
        print(f"  {figure:.1f}: said {said:.3f}, true {true:.3f} of {len(ones)}")
    if read:
        print(f"error of calibration: {error:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["sample", "score"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--out")
    parser.add_argument("--codexec", default="codexec")
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    if options.what == "score":
        score(options)
    elif options.out is None:
        parser.error("sample needs --out FILE")
    else:
        options.codexec = os.path.abspath(options.codexec) if os.sep in options.codexec else options.codexec
        sample(options)


main()
