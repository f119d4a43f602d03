#!/usr/bin/env python3
"""The network of a configuration trained by PyTorch and by codexec, one after the other on this machine.

    runs/torch_train.py [--config FILE] [--codexec PROGRAM] [--threads N] [--steps N] [--rounds N]
                        [--dtype f32|bf16] [--device cpu|cuda]

Both train on random tokens in sequences of the same lengths, in the same micro-batches, with the same
optimizer (Muon for the matrices of the blocks, AdamW for the rest), on the CPU or a GPU. With `--dtype bf16` products are of bf16
(PyTorch: `torch.autocast`, and Muon in bf16 as its authors have it), weights are f32. Rounds alternate
and the best of each counts; with one thread, CPU time counts, so that other load does as little as it can. PyTorch does what is usual:
scaled_dot_product_attention with the mask, logits of predicting rows alone. Without PyTorch it says so and
ends with 0; a Python with PyTorch can be named instead: `VENV/bin/python runs/torch_train.py`.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    stages = ROOT / "curriculum/stages/codenet.toml"
    parser.add_argument("--config", type=pathlib.Path, default=stages)
    program = ROOT / "target/release/codexec"
    parser.add_argument("--codexec", type=pathlib.Path, default=program)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    return parser.parse_args()


def codexec(args):
    """What `codexec pretrain --benchmark` measures, with this number of threads."""
    text = args.config.read_text()
    text, found = re.subn(r"(?m)^threads *=.*$", f"threads = {args.threads}", text)
    if not found:
        text = f"threads = {args.threads}\n{text}"
    text = f'dtype = "{args.dtype}"\n' + re.sub(r"(?m)^dtype *=.*$", "", text)
    with tempfile.TemporaryDirectory() as directory:
        config = pathlib.Path(directory, "config.toml")
        config.write_text(text)
        command = [args.codexec, "pretrain", "--device", args.device, "--config", config]
        command += ["--benchmark", str(args.steps), "--json"]
        if args.threads == 1 and args.device == "cpu":
            command.append("--cpu-time")
        run = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def muon(matrix, dtype, steps=5):
    """The nearest semi-orthogonal matrix, approximately, scaled as codexec scales it."""
    rows, columns = matrix.shape
    x = (matrix.T if rows > columns else matrix).to(dtype)
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        gram = x @ x.T
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    x = x.T if rows > columns else x
    return x * (0.2 * max(rows, columns) ** 0.5)


def network(torch, sizes):
    nn, functional = torch.nn, torch.nn.functional
    width, heads = sizes["hidden_size"], sizes["heads"]

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
            self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

        def forward(self, x, mask):
            b, t, _ = x.shape
            split = lambda y: y.view(b, t, heads, width // heads).transpose(1, 2)
            parts = (split(layer(x)) for layer in (self.query, self.key, self.value))
            seen = functional.scaled_dot_product_attention(*parts, attn_mask=mask)
            x = self.norm1(x + self.out(seen.transpose(1, 2).reshape(b, t, width)))
            return self.norm2(x + self.narrow(functional.gelu(self.widen(x))))

    class Network(nn.Module):
        def __init__(self, positions):
            super().__init__()
            self.words = nn.Embedding(sizes["vocabulary"], width)
            self.positions = nn.Embedding(positions, width)
            self.norm = nn.LayerNorm(width)
            self.blocks = nn.ModuleList(Block() for _ in range(sizes["layers"]))
            nn.init.normal_(self.words.weight, std=0.02)
            nn.init.normal_(self.positions.weight, std=0.02)

        def forward(self, ids, positions, mask, rows, labels):
            x = self.norm(self.words(ids) + self.positions(positions))
            for block in self.blocks:
                x = block(x, mask)
            logits = x.flatten(0, 1)[rows] @ self.words.weight.T
            return functional.cross_entropy(logits, labels, reduction="sum")

    return Network(2048)


def batch(torch, lengths, vocabulary):
    """Random tokens in sequences of these (source, target) lengths, padded to the longest."""
    longest = max(s + t for s, t in lengths)
    ids = torch.randint(vocabulary, (len(lengths), longest))
    positions = torch.arange(longest).expand(len(lengths), longest)
    at, rows = torch.arange(longest), []
    limits = torch.empty((len(lengths), longest), dtype=torch.long)
    for index, (source, target) in enumerate(lengths):
        limits[index] = torch.where(at < source, source, torch.clamp(at + 1, max=source + target))
        rows += range(index * longest + source, index * longest + source + target - 1)
    mask = torch.where(at < limits[:, :, None], 0.0, float("-inf"))[:, None]
    rows = torch.tensor(rows)
    labels = torch.randint(vocabulary, (len(rows),))
    return ids, positions, mask, rows, labels


def pytorch(torch, args, sizes):
    """Tokens per second of PyTorch on the same lengths."""
    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    model = network(torch, sizes).to(args.device)
    groups = sizes["batches"]
    batches = [[x.to(args.device) for x in batch(torch, lengths, sizes["vocabulary"])] for lengths in groups]
    by_step = max(1, len(batches) // sizes["steps"])
    matrices = [p for p in model.blocks.parameters() if p.dim() == 2]
    momenta = [torch.zeros_like(p) for p in matrices]
    chosen = {id(p) for p in matrices}
    rest = [p for p in model.parameters() if id(p) not in chosen]
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[args.dtype]
    adamw = torch.optim.AdamW(rest, lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01)

    def step(some):
        model.zero_grad(set_to_none=True)
        for one in some:
            with torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.dtype == "bf16"):
                loss = model(*one)
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adamw.step()
        with torch.no_grad():
            for weight, momentum in zip(matrices, momenta):
                momentum.mul_(0.95).add_(weight.grad)
                weight.mul_(1 - 1e-5).sub_(muon(weight.grad + 0.95 * momentum, dtype), alpha=1e-3)

    def wait():
        if args.device == "cuda":
            torch.cuda.synchronize()

    for at in range(0, len(batches), by_step):  # the first steps pay for memory
        step(batches[at : at + by_step])
        if args.device == "cpu":
            break
    clock = time.process_time if args.threads == 1 and args.device == "cpu" else time.perf_counter
    wait()
    begun = clock()
    for at in range(0, len(batches), by_step):
        step(batches[at : at + by_step])
    wait()
    seconds = clock() - begun
    return sum(s + t for lengths in groups for s, t in lengths) / seconds


def main():
    args = arguments()
    try:
        import torch
    except ImportError:
        print("skipped: this Python has no PyTorch", file=sys.stderr)
        return
    if not args.codexec.exists():
        sys.exit(f"{args.codexec} is not there: cargo build --release")
    ours, theirs = 0.0, 0.0
    for _ in range(args.rounds):
        sizes = codexec(args)
        ours = max(ours, sizes["tokens_per_second"])
        theirs = max(theirs, pytorch(torch, args, sizes))
    shape = f"{sizes['layers']} x {sizes['hidden_size']}, {sizes['parameters'] / 1e6:.1f} M parameters"
    where = "on a GPU" if args.device == "cuda" else f"{args.threads} threads"
    print(f"{shape}, {where}, {args.dtype}")
    print(f"codexec          {ours:8.0f} tokens/s")
    print(f"PyTorch {torch.__version__:8} {theirs:8.0f} tokens/s")
    print(f"ratio            {ours / theirs:8.2f}")


if __name__ == "__main__":
    main()
