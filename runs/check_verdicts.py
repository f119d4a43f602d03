"""Findings of `codexec check` on people's programs, read by hand: how many are true, and whether their figures say so.

    python3 runs/check_verdicts.py sample FOLDER... --out FILE [--codexec PATH] [--seconds N]
    python3 runs/check_verdicts.py score FILE... [--sample LETTER]
    python3 runs/check_verdicts.py fit FILE [--out crates/check/src/figures.txt]
    python3 runs/check_verdicts.py validate FILE

`sample` checks the folders and adds what is found to FILE, one finding a line, each without a verdict; syntax errors are
left out, since CPython's compiler decides them. Whoever reads a finding writes its verdict: `true` (the program raises
this, there, when it is run or called as its author means it to be), `false`, or `open` (the text does not say). `score`
counts them: those shown as certain (from 0.95), and for each figure the share that is true beside it. The error of
calibration is the mean of the distances between the two, weighted by findings; `open` counts as half.

`fit` writes the figure of each kind of evidence (`crates/check/src/evidence.rs` has the words): the share of true findings
among those that were shown as certain, drawn towards that of the coarser kind as if four findings had it. A sample that is
two samples older counts half, and the findings of one repository and kind count as one. `validate` says what that gives on samples that it is not fitted on: for each sample, fitted on those
before it, and fitted on all others.

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
# Findings that count as drawn from the coarser kind, and samples after which a finding counts half.
DRAWN = 4.0
HALF = 2.0
# What is known of nothing at all.
UNKNOWN = 0.9
# Errors that are notes since, whatever the program.
NOTES = {"ModuleNotFoundError", "UnicodeDecodeError", "UnicodeEncodeError"}


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
                        "evidence": finding.get("evidence"),
                        "verdict": None,
                    }
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{name}: {len(files)} files, {found} findings")


def calibration(pairs):
    """The error of calibration of pairs of what was said and what is true, and the shares by figure."""
    by_figure = collections.defaultdict(list)
    for said, true in pairs:
        by_figure[round(said, 1)].append((said, true))
    error, shares = 0.0, []
    for figure, ones in sorted(by_figure.items()):
        said = sum(one for one, _ in ones) / len(ones)
        true = sum(one for _, one in ones) / len(ones)
        error += abs(said - true) * len(ones) / len(pairs)
        shares.append((figure, said, true, len(ones)))
    return error, shares


def score(options):
    """Prints shares."""
    read = [row for path in options.paths for row in rows(path) if row["verdict"]]
    if options.sample:
        read = [row for row in read if row.get("sample") in options.sample]
    certain = [row for row in read if row["probability"] >= CERTAIN]
    counts = collections.Counter(row["verdict"] for row in certain)
    print(f"{len(read)} findings read, {len(certain)} shown as certain: {dict(counts)}")
    if certain:
        print(f"true of those shown as certain: {counts['true'] / len(certain):.3f}")
        error, _ = calibration([(row["probability"], SAYS[row["verdict"]]) for row in certain])
        print(f"error of calibration of those: {error:.3f}")
    if read:
        error, shares = calibration([(row["probability"], SAYS[row["verdict"]]) for row in read])
        for figure, said, true, count in shares:
            print(f"  {figure:.1f}: said {said:.3f}, true {true:.3f} of {count}")
        print(f"error of calibration: {error:.3f}")


def evidence_of(path):
    """The findings that figures are fitted on: those that were shown as certain, or whose figure was fitted."""
    read = [row for row in rows(path) if row["verdict"] and row.get("evidence") and row["kind"] not in NOTES]
    return [row for row in read if row["probability"] >= CERTAIN or row.get("fitted")]


def prefixes(evidence):
    """The kinds that a kind of evidence is of, the coarsest first."""
    words = evidence.split(" ")
    return [tuple(words[:count]) for count in range(len(words) + 1)]


class Figures:
    """The figure of each kind of evidence, of findings up to the sample before `last`."""

    def __init__(self, read, last):
        self.counts = collections.defaultdict(float)
        self.true = collections.defaultdict(float)
        of_one = collections.Counter(self.author(row) for row in read)
        for row in read:
            weight = 0.5 ** (max(0, ord(last) - ord(row["sample"]) - 1) / HALF)
            weight /= of_one[self.author(row)]
            for kind in prefixes(row["evidence"]):
                self.counts[kind] += weight
                self.true[kind] += weight * SAYS[row["verdict"]]

    @staticmethod
    def author(row):
        """Findings of one repository with the same evidence often have one cause."""
        return row["sample"], row["repository"], row["evidence"]

    def of(self, evidence):
        """The figure of one kind."""
        figure = UNKNOWN
        for kind in prefixes(evidence):
            figure = (self.true[kind] + DRAWN * figure) / (self.counts[kind] + DRAWN)
        return figure


def fit(options):
    """Writes the figures."""
    read = evidence_of(options.paths[0])
    samples = sorted({row["sample"] for row in read})
    figures = Figures(read, chr(ord(samples[-1]) + 1))
    lines = [
        "# Figures of findings by evidence (evidence.rs), written by runs/check_verdicts.py fit from "
        f"docs/results/check_verdicts.jsonl, samples {samples[0]} to {samples[-1]}."
    ]
    kinds = {" ".join(kind) for row in read for kind in prefixes(row["evidence"]) if kind}
    lines += [f"{figures.of(kind):.3f} {kind}" for kind in sorted(kinds)]
    text = "\n".join(lines) + "\n"
    if options.out is None:
        print(text, end="")
    else:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text)


def validate(options):
    """Prints what figures give on samples that they are not fitted on."""
    read = evidence_of(options.paths[0])
    samples = sorted({row["sample"] for row in read})
    ways = [
        ("fitted on the samples before", samples[4:], lambda one, other: other < one),
        ("fitted on all other samples", samples, lambda one, other: other != one),
    ]
    for name, checked, takes in ways:
        all_pairs, all_certain = [], []
        print(name)
        for sample in checked:
            figures = Figures([row for row in read if takes(sample, row["sample"])], sample)
            own = [row for row in read if row["sample"] == sample]
            pairs = [(figures.of(row["evidence"]), row["verdict"]) for row in own]
            certain = [verdict for figure, verdict in pairs if figure >= CERTAIN]
            print(f"  {sample}: {certain.count('true')} of {len(certain)} shown as certain are true, of {len(own)} findings")
            all_certain += certain
            all_pairs += [(figure, SAYS[verdict]) for figure, verdict in pairs if figure >= 0.5]
        error, _ = calibration(all_pairs)
        print(f"  together: {all_certain.count('true')} of {len(all_certain)} ({all_certain.count('true') / len(all_certain):.3f}); "
              f"error of calibration of what is shown, from 0.5: {error:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["sample", "score", "fit", "validate"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--out")
    parser.add_argument("--sample", help="letters of samples")
    parser.add_argument("--codexec", default="codexec")
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    if options.what != "sample":
        {"score": score, "fit": fit, "validate": validate}[options.what](options)
    elif options.out is None:
        parser.error("sample needs --out FILE")
    else:
        options.codexec = os.path.abspath(options.codexec) if os.sep in options.codexec else options.codexec
        sample(options)


main()
