"""Writes frequencies.tsv from recorded value-use events (JSON Lines on standard input).

    zstdcat events.jsonl.zst | python3 make_frequencies.py > frequencies.tsv

Every fifth package in alphabetical order is held out, and every twentieth place of the others:
`codexec eval guide --events` measures on those (`crates/unknown/src/values/events.rs` divides).
A row: kind, name, classes with counts. Names used by fewer than two packages are omitted.
"""

import collections
import hashlib
import json
import sys

KINDS = {"variable": "name", "attribute": "attribute", "return value": "call"}


def is_held_out(event):
    """Whether an event is held out of training."""
    place = "\t".join(str(event[key]) for key in ("package", "file", "line", "name"))
    number = int.from_bytes(hashlib.sha256(place.encode()).digest()[:8], "big")
    return event["package"] in held_out or number % 20 == 0


events = [json.loads(line) for line in sys.stdin]
packages = sorted({event["package"] for event in events})
held_out = set(packages[::5])
counts, users = collections.defaultdict(collections.Counter), collections.defaultdict(set)
for event in events:
    if not is_held_out(event):
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
