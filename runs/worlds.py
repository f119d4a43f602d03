"""How many lines of incomplete functions the worlds of made-up values reach together.

    python3 runs/worlds.py FUNCTIONS.jsonl.gz [--count N] [--seed N]

FUNCTIONS has a JSON object with `code` on each line. Needs the Python package (`pip install .`). Lines count as in a guided
run, whose share stands in the last row.
"""

import argparse
import gzip
import json
import random

import codexec

BEAMS = (1, 2, 4, 8, 16, 32)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    with gzip.open(options.functions, "rt", encoding="utf-8") as file:
        sources = [json.loads(line)["code"] for line in file]
    random.Random(options.seed).shuffle(sources)
    shares = {}
    for source in sources[: options.count]:
        worlds = codexec.trace(source, inject=True, beam=max(BEAMS)).worlds
        guided = codexec.guide(source)
        if not guided.lines:
            continue
        for beam in BEAMS:
            reached = {step.line for world in worlds[:beam] for step in world.steps if step.file == 0}
            shares.setdefault(str(beam), []).append(len(reached & guided.lines) / len(guided.lines))
        shares.setdefault("guided", []).append(len(guided.covered) / len(guided.lines))
    for name, all_shares in shares.items():
        mean = sum(all_shares) / len(all_shares)
        whole = sum(share == 1 for share in all_shares) / len(all_shares)
        print(f"{name:>7}  lines {mean:.3f}  all lines {whole:.3f}  of {len(all_shares)}")


if __name__ == "__main__":
    main()
