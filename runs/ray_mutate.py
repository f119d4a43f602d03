#!/usr/bin/env python3
"""Builds a data set of mutants on a Ray cluster: one Ray task for each shard of the corpus, then
`codexec data merge`.

    ray start --head                                # or a cluster that is there already
    python runs/ray_mutate.py corpus.jsonl.zst --out mutants.jsonl.zst --shards 16 \
        -- --per-program 20 --seed 1

Everything after `--` goes to `codexec mutate`. The corpus, the directory of the shards (`--work`, by
default beside the output) and the `codexec` binary must be seen under the same paths by all nodes. Ray
decides which node builds which shard and starts a task again when its node is lost; the task goes on
where the shard was (`--resume`), and so does this script when it is run again.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import ray


@ray.remote(max_retries=3)
def build_shard(command):
    """Runs one `codexec mutate`; the node it ran on, what it said, and its exit code."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ray.get_runtime_context().get_node_id(), done.stdout, done.returncode


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    split = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(
        description="Build a data set of mutants on a Ray cluster.",
        epilog="Everything after -- goes to codexec mutate.",
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, required=True, help="how many; several for each node")
    parser.add_argument("--cpus", type=int, default=1, help="cores of each task")
    parser.add_argument("--work", type=Path, help="where shards go; OUT.shards without it")
    parser.add_argument("--codexec", default="codexec", help="the binary")
    parser.add_argument("--address", default="auto", help="of the Ray cluster")
    args = parser.parse_args(arguments[:split])
    if args.shards < 1 or args.cpus < 1:
        parser.error("--shards and --cpus count from 1")
    work = (args.work or Path(f"{args.out}.shards")).resolve()
    work.mkdir(parents=True, exist_ok=True)

    if not ray.is_initialized():
        ray.init(address=args.address, log_to_driver=False)
    outputs, tasks = [], {}
    for index in range(1, args.shards + 1):
        output = work / f"{index}-of-{args.shards}"
        outputs.append(output)
        command = [args.codexec, "mutate", str(args.corpus.resolve()), "--out", str(output)]
        command += ["--shard", f"{index}/{args.shards}", "--jobs", str(args.cpus), "--resume"]
        spread = build_shard.options(num_cpus=args.cpus, scheduling_strategy="SPREAD")
        task = spread.remote(command + arguments[split + 1 :])
        tasks[task] = index

    nodes = set()
    while tasks:
        (finished,), _ = ray.wait(list(tasks), num_returns=1)
        index = tasks.pop(finished)
        node, said, code = ray.get(finished)
        if code:
            for task in tasks:
                ray.cancel(task)
            print(said, file=sys.stderr, end="")
            print(f"shard {index}/{args.shards} failed on node {node}; run this again to go on", file=sys.stderr)
            return code
        nodes.add(node)
        print(f"shard {index}/{args.shards} is done; {len(tasks)} to go", file=sys.stderr)
    print(f"built on {len(nodes)} nodes; merging", file=sys.stderr)
    merge = [args.codexec, "data", "merge", *map(str, outputs), "--out", str(args.out)]
    return subprocess.run(merge).returncode


if __name__ == "__main__":
    sys.exit(main())
