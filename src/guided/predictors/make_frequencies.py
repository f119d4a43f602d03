"""Makes src/guided/predictors/frequencies.tsv from recorded value-use events (JSON Lines on standard input).

    zstdcat events.jsonl.zst | python3 make_frequencies.py > frequencies.tsv

Every fifth package in alphabetical order is held out: `codexec eval guide --events` measures on those.
A row: kind, name, classes with counts. Names that fewer than two packages use are left out.
"""

import collections
import json
import sys

KINDS = {"variable": "name", "attribute": "attribute", "return value": "call"}

events = [json.loads(line) for line in sys.stdin]
packages = sorted({event["package"] for event in events})
held_out = set(packages[::5])
counts, users = collections.defaultdict(collections.Counter), collections.defaultdict(set)
for event in events:
    if event["package"] not in held_out:
        kind = KINDS[event.get("kind", "variable")] if event["kind"] in KINDS else event["kind"]
        for name in (event["name"], "*"):
            counts[kind, name][event["value"]] += 1
            users[kind, name].add(event["package"])
for (kind, name), found in sorted(counts.items()):
    if len(users[kind, name]) >= 2:
        top = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        if name != "*":
            top = top[:5]
        print(kind, name, *("%s:%d" % pair for pair in top), sep="\t")
