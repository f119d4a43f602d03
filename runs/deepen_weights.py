#!/usr/bin/env python3
"""A checkpoint with more layers that starts out as almost the same network, as f16 safetensors.

    runs/deepen_weights.py FROM LAYERS OUT [SEED]     LAYERS is a list such as 0,1,new,2,new,3

FROM is a directory as `codexec pretrain` writes it; OUT becomes one, to train on from with `--init`. What a new layer adds
to its input is nearly zero: were it zero, no gradient would reach the rest of the layer. Its two normalisations have the
mean and the deviation that the normalisation below gives, as good as that can be said of every position at once. The idea
is that of Net2Net (Chen et al. 2016): start the larger network as the function that the smaller one has learnt.
"""

import json
import pathlib
import random
import shutil
import struct
import sys

NORMS = ["attention.output.LayerNorm", "output.LayerNorm"]
SMALL = ["attention.output.dense.weight", "output.dense.weight"]


def read(path):
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    head = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in head.items():
        if name == "__metadata__":
            continue
        if entry["dtype"] != "F16":
            sys.exit(f"{name}: {entry['dtype']}, and only F16 is read")
        first, last = entry["data_offsets"]
        values = struct.unpack_from(f"<{(last - first) // 2}e", data, 8 + length + first)
        tensors[name] = (entry["shape"], values)
    return tensors, head.get("__metadata__")


def write(path, tensors, metadata):
    head, body = {}, bytearray()
    if metadata is not None:
        head["__metadata__"] = metadata
    for name in sorted(tensors):
        shape, values = tensors[name]
        packed = struct.pack(f"<{len(values)}e", *values)
        head[name] = {"dtype": "F16", "shape": shape, "data_offsets": [len(body), len(body) + len(packed)]}
        body += packed
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def fresh(rng, tensors, below, pattern):
    """A new layer with the shapes of layer `pattern`, above a normalisation of weights and biases `below`."""
    weights, biases = (tensors[f"{below}.{part}"][1] for part in ("weight", "bias"))
    mean = sum(biases) / len(biases)
    deviation = (sum(w * w for w in weights) / len(weights) + sum((b - mean) ** 2 for b in biases) / len(biases)) ** 0.5
    prefix = f"encoder.layer.{pattern}."
    layer = {}
    for name, (shape, values) in tensors.items():
        if not name.startswith(prefix):
            continue
        part = name[len(prefix) :]
        if any(part == f"{norm}.weight" for norm in NORMS):
            values = [deviation] * len(values)
        elif any(part == f"{norm}.bias" for norm in NORMS):
            values = [mean] * len(values)
        elif part.endswith(".bias"):
            values = [0.0] * len(values)
        elif part in SMALL:
            values = [rng.gauss(0.0, 0.001) for _ in values]
        else:
            values = [rng.gauss(0.0, 0.8 / shape[1] ** 0.5) for _ in values]
        layer[part] = (shape, values)
    return layer


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    source, plan, out = pathlib.Path(sys.argv[1]), sys.argv[2].split(","), pathlib.Path(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) == 5 else 1)
    config = json.loads((source / "config.json").read_text())
    if [layer for layer in plan if layer != "new"] != [str(i) for i in range(config["num_hidden_layers"])] or plan[0] == "new":
        sys.exit(f"{source} has the layers 0 to {config['num_hidden_layers'] - 1}; name each once, in order, the first first")
    tensors, metadata = read(source / "model.safetensors")
    deep = {name: tensor for name, tensor in tensors.items() if not name.startswith("encoder.layer.")}
    below = None
    for index, layer in enumerate(plan):
        if layer == "new":
            parts = fresh(rng, tensors, below, 0)
        else:
            prefix = f"encoder.layer.{layer}."
            parts = {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}
            below = prefix + "output.LayerNorm"
        deep.update({f"encoder.layer.{index}.{part}": t for part, t in parts.items()})
    config["num_hidden_layers"] = len(plan)
    shutil.copytree(source, out, ignore=shutil.ignore_patterns("model.safetensors", "config.json"))
    (out / "config.json").write_text(json.dumps(config, indent=2))
    write(out / "model.safetensors", deep, metadata)


if __name__ == "__main__":
    main()
