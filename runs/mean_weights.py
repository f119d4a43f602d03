#!/usr/bin/env python3
"""The weighted mean of two checkpoints of one network, as f16 safetensors: what two ends of a run have in common.

    runs/mean_weights.py FIRST SECOND PART OUT      OUT is 1 - PART of FIRST and PART of SECOND

FIRST and SECOND are directories as `codexec pretrain` writes them; OUT becomes one, with the other files of SECOND.
"""

import json
import pathlib
import shutil
import struct
import sys


def read(directory):
    data = (directory / "model.safetensors").read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    return data, json.loads(data[8 : 8 + length]), 8 + length


def values(data, head, start, name):
    if head[name]["dtype"] != "F16":
        sys.exit(f"{name}: {head[name]['dtype']}, and only F16 is read")
    first, last = head[name]["data_offsets"]
    return struct.unpack_from(f"<{(last - first) // 2}e", data, start + first)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    first, second, out = (pathlib.Path(sys.argv[i]) for i in (1, 2, 4))
    part = float(sys.argv[3])
    (a, a_head, a_start), (b, b_head, b_start) = read(first), read(second)
    names = [name for name in b_head if name != "__metadata__"]
    if {name: a_head.get(name, {}).get("shape") for name in names} != {name: b_head[name]["shape"] for name in names}:
        sys.exit("the two networks have other tensors")
    mean = bytearray(b)
    for name in names:
        pairs = zip(values(a, a_head, a_start, name), values(b, b_head, b_start, name))
        numbers = [(1 - part) * x + part * y for x, y in pairs]
        struct.pack_into(f"<{len(numbers)}e", mean, b_start + b_head[name]["data_offsets"][0], *numbers)
    shutil.copytree(second, out)
    (out / "model.safetensors").write_bytes(mean)


if __name__ == "__main__":
    main()
