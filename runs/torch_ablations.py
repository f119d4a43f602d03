#!/usr/bin/env python3
"""Forms of the network that answers the planner's questions, compared in PyTorch before any of them is built: the same
questions, the same CPU time or the same tokens, one table of exact answers.

    runs/torch_ablations.py --out DIR --train FILE... --valid FILE... [--whole-train FILE...] [--whole-valid FILE...]
                            [--minutes 30 | --tokens MILLIONS] [--seeds 2] [--width 256] [--layers 4]
                            [--init DIR [--peak-lr LR]] [--device cpu|cuda] [VARIANT...]
    runs/torch_ablations.py --out DIR --train FILE... --valid FILE... [--whole-...] --prepare

Variants:
    base          sources see themselves whole, targets see the source and the targets before them, as codexec trains
    copy          a word is drawn from a mixture of the vocabulary and the words of the source (See et al., 2017)
    source-loss   sources are read from left to right, and their words are predicted, too
    whole         answers say what a container is afterwards, not what changed (files of `codexec data plan --whole-values`)

FILEs are those of `codexec data plan`. MINUTES are CPU minutes of one thread for each row, so that other load changes no
row; with --tokens every row sees as many. An answer is exact if every word of it is the most probable one after the right words before it, which is when greedy
decoding writes it; its working counts here, as `codexec eval questions` does not. Rows that are done are not done again.

--prepare only turns FILEs into numbers, which are kept in DIR/ids by the names of the files and read from there: a machine with a GPU then needs DIR and
PyTorch alone. Rows that other processes train beside this one are not waited for: one process for each VARIANT fills a GPU.

--init begins with the weights of a checkpoint that codexec wrote: what a variant adds to a network that is trained already.
With --minutes 0 that network is scored as it is.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST_SOURCE, LONGEST_TARGET = 256, 512
PAD, BEGIN, END, KIND, MASK = "<pad>", "<s>", "</s>", "<encoder-decoder>", "<mask0>"
VARIANTS = ["base", "copy", "source-loss", "whole"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    for name in ("train", "valid"):
        parser.add_argument(f"--{name}", type=pathlib.Path, nargs="+", required=True)
        parser.add_argument(f"--whole-{name}", type=pathlib.Path, nargs="+", default=[])
    parser.add_argument("--tokenizer", type=pathlib.Path, default=ROOT / "crates/model/src/default/tokenizer.json")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--tokens", type=float, help="millions of tokens for each row, instead of minutes")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--prepare", action="store_true", help="read the files and keep them as numbers; train nothing")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--init", type=pathlib.Path, help="folder of a checkpoint with as many layers, as wide")
    parser.add_argument("--peak-lr", type=float, default=1.5e-3)
    parser.add_argument("--batch-tokens", type=int, default=8192)
    parser.add_argument("--questions", type=int, default=3000, help="of each file of --valid, taken evenly")
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    args = parser.parse_args()
    args.variants = args.variants or VARIANTS
    if unknown := [name for name in args.variants if name not in VARIANTS]:
        parser.error(f"unknown variant {unknown[0]}; there are {', '.join(VARIANTS)}")
    if "whole" in args.variants and not (args.whole_train and args.whole_valid):
        parser.error("the variant whole needs --whole-train and --whole-valid")
    return args


def encoded(file, tokenizer):
    """Pairs of source and target ids of a file of `codexec data plan`."""
    unpack = ["zstd", "-dcq"] if file.suffix == ".zst" else ["cat"]
    lines = subprocess.run([*unpack, str(file)], check=True, stdout=subprocess.PIPE).stdout.splitlines()
    records = [json.loads(line) for line in lines]
    ids = lambda texts: [found.ids for found in tokenizer.encode_batch(texts, add_special_tokens=False)]
    special = tokenizer.token_to_id
    kinds = {kind: ids([f"<{kind}>"])[0] for kind in {record["kind"] for record in records}}
    sources, targets = (ids([record[key] for record in records]) for key in ("code_tokens", "trace_tokens"))
    pairs = []
    for record, source, target in zip(records, sources, targets):
        source = [*map(special, (BEGIN, KIND, END)), *kinds[record["kind"]], *source, special(MASK), special(END)]
        target = [special(MASK), *target, special(END)]
        if len(source) <= LONGEST_SOURCE and len(target) <= LONGEST_TARGET:
            pairs.append((source, target))
    return pairs


def examples(file, out, most=None):
    """The pairs of a file, or some of them that are evenly apart, as `prepare` keeps them."""
    import numpy

    kept = numpy.load(out / "ids" / f"{file.name}.npz")
    ids, lengths = kept["ids"].tolist(), kept["lengths"]
    ends = lengths.sum(axis=1).cumsum()
    chosen = range(len(lengths))
    if most is not None and most < len(lengths):
        chosen = [k * len(lengths) // most for k in range(most)]
    pairs = []
    for k in chosen:
        begin = ends[k] - lengths[k].sum()
        pairs.append((ids[begin : begin + lengths[k][0]], ids[begin + lengths[k][0] : ends[k]]))
    return pairs


def prepare(args):
    """Keeps the ids of every file that is not kept yet."""
    import numpy

    kept = args.out / "ids"
    kept.mkdir(parents=True, exist_ok=True)
    special = kept / "special.json"
    tokenizer = None
    files = {*args.train, *args.valid, *args.whole_train, *args.whole_valid}
    if len({file.name for file in files}) < len(files):
        sys.exit("two files have one name, by which their ids are kept: rename one")
    for file in files:
        target = kept / f"{file.name}.npz"
        if target.exists() and special.exists():
            continue
        if tokenizer is None:
            import tokenizers

            tokenizer = tokenizers.Tokenizer.from_file(str(args.tokenizer))
        pairs = encoded(file, tokenizer)
        lengths = numpy.array([[len(s), len(t)] for s, t in pairs], dtype=numpy.uint16)
        ids = numpy.array([token for s, t in pairs for token in (*s, *t)], dtype=numpy.uint16)
        sizes = {"pad": tokenizer.token_to_id(PAD), "vocabulary": tokenizer.get_vocab_size()}
        special.write_text(json.dumps(sizes))
        part = target.with_name(f"part-{file.name}.npz")
        numpy.savez_compressed(part, ids=ids, lengths=lengths.astype(numpy.int64))
        part.rename(target)
        print(f"{file.name}: {len(pairs)} questions, {len(ids)} tokens", file=sys.stderr)
    return json.loads(special.read_text())


def batches(pairs, tokens, rng):
    """Batches of about so many tokens, of examples that are about as long, for ever."""
    while True:
        order = sorted(range(len(pairs)), key=lambda k: (sum(map(len, pairs[k])) // 4, rng.random()))
        groups, group, longest = [], [], 0
        for k in order:
            longest = max(longest, sum(map(len, pairs[k])))
            if group and longest * (len(group) + 1) > tokens:
                groups.append(group)
                group, longest = [], sum(map(len, pairs[k]))
            group.append(pairs[k])
        groups.append(group)
        rng.shuffle(groups)
        yield from groups


def networks(torch):
    nn, functional = torch.nn, torch.nn.functional

    def turned(x, turns):
        """Rotary positions: x is (B, heads, L, size)."""
        (cos, sin), (a, b) = turns, x.chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.heads = width // 32
            self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
            self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

        def forward(self, x, mask, turns):
            b, t, width = x.shape
            split = lambda y: y.view(b, t, self.heads, width // self.heads).transpose(1, 2)
            query, key = turned(split(self.query(x)), turns), turned(split(self.key(x)), turns)
            seen = functional.scaled_dot_product_attention(query, key, split(self.value(x)), attn_mask=mask)
            x = self.norm1(x + self.out(seen.transpose(1, 2).reshape(b, t, width)))
            return self.norm2(x + self.narrow(functional.gelu(self.widen(x))))

    class Network(nn.Module):
        def __init__(self, vocabulary, width, layers, variant):
            super().__init__()
            self.variant = variant
            self.words = nn.Embedding(vocabulary, width)
            self.positions = nn.Embedding(LONGEST_SOURCE + LONGEST_TARGET, width)
            self.norm = nn.LayerNorm(width)
            half = 16
            angles = torch.arange(LONGEST_SOURCE + LONGEST_TARGET)[:, None] * 10000.0 ** (-torch.arange(half) / half)
            self.register_buffer("cos", angles.cos(), persistent=False)
            self.register_buffer("sin", angles.sin(), persistent=False)
            self.blocks = nn.ModuleList(Block(width) for _ in range(layers))
            nn.init.normal_(self.words.weight, std=0.02)
            nn.init.normal_(self.positions.weight, std=0.02)
            if variant == "copy":
                self.asks, self.answers, self.gate = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, 1)
                nn.init.constant_(self.gate.bias, -1.0)

        def forward(self, group, pad):
            """Log-probabilities (N,V) of the words that are predicted, and what they should be (N); of sources, too,
            while a network learns with their loss."""
            longest = max(len(s) + len(t) for s, t in group)
            longest = (longest + 7) // 8 * 8
            device = self.words.weight.device
            there = lambda numbers: torch.tensor(numbers).to(device, non_blocking=True)
            ids = there([[*s, *t, *[pad] * (longest - len(s) - len(t))] for s, t in group])
            reads_on = self.variant == "source-loss"
            at = torch.arange(longest, device=device)
            sources = there([len(s) for s, _ in group])[:, None]
            ends = there([len(s) + len(t) for s, t in group])[:, None]
            limits = torch.where((at < sources) & (not reads_on), sources, torch.minimum(at + 1, ends))  # (B,L)
            mask = (at < limits[:, :, None])[:, None]  # (B,1,L,L)
            x = self.norm(self.words(ids) + self.positions(at))
            turns = self.cos[:longest], self.sin[:longest]
            for block in self.blocks:
                x = block(x, mask, turns)
            first = torch.zeros_like(sources) if reads_on and self.training else sources
            rows = (at >= first) & (at < ends - 1)  # (B,L)
            labels = ids.roll(-1, dims=1)[rows]
            x = x.float() if device.type == "cpu" else x
            spoken = functional.log_softmax((x[rows] @ self.words.weight.T).float(), dim=-1)  # (N,V)
            if self.variant != "copy":
                return spoken, labels
            scores = self.asks(x) @ self.answers(x).transpose(1, 2) / x.shape[-1] ** 0.5  # (B,L,L)
            scores = scores.float().masked_fill((at >= sources)[:, None], float("-inf"))
            weights = scores[rows].softmax(dim=-1)  # (N,L)
            words = ids[:, None].expand(-1, longest, -1)[rows]  # (N,L)
            gate = self.gate(x[rows]).float().sigmoid()  # (N,1)
            mixture = ((1 - gate) * spoken.exp()).scatter_add(1, words, gate * weights)
            return mixture.clamp_min(1e-9).log(), labels

    return Network


def checkpoint(torch, folder):
    """The tensors of a file in safetensors' format, in f32."""
    data = (folder / "model.safetensors").read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    types = {"F16": torch.float16, "F32": torch.float32}
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            flat = torch.frombuffer(bytearray(data[begin + first : begin + last]), dtype=types[entry["dtype"]])
            tensors[name] = flat.float().reshape(entry["shape"])
    return tensors


def begin_with(torch, model, tensors):
    """Copies the weights of a checkpoint; what it lacks stays as it is."""
    first = 2  # position of the first word, as in RoBERTa
    places = tensors["embeddings.position_embeddings.weight"][first : first + len(model.positions.weight)]
    names = {"norm": "embeddings.LayerNorm"}
    for k in range(len(model.blocks)):
        block = f"encoder.layer.{k}"
        for part in ("query", "key", "value"):
            names[f"blocks.{k}.{part}"] = f"{block}.attention.self.{part}"
        names |= {
            f"blocks.{k}.out": f"{block}.attention.output.dense",
            f"blocks.{k}.norm1": f"{block}.attention.output.LayerNorm",
            f"blocks.{k}.widen": f"{block}.intermediate.dense",
            f"blocks.{k}.narrow": f"{block}.output.dense",
            f"blocks.{k}.norm2": f"{block}.output.LayerNorm",
        }
    state = {f"{ours}.{part}": tensors[f"{theirs}.{part}"] for ours, theirs in names.items() for part in ("weight", "bias")}
    state["words.weight"] = tensors["embeddings.word_embeddings.weight"]
    state["positions.weight"] = places + tensors["embeddings.token_type_embeddings.weight"][0]
    model.load_state_dict({**model.state_dict(), **state})


def muon(matrices, steps=5):
    """The nearest semi-orthogonal matrices of (K,R,C), approximately, scaled as codexec scales them."""
    rows, columns = matrices.shape[1:]
    x = matrices.mT if rows > columns else matrices
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    x = x.mT if rows > columns else x
    return x * (0.2 * max(rows, columns) ** 0.5)


def train(torch, args, pairs, sizes, variant, seed):
    """A network after its minutes or tokens, and how many tokens it has seen."""
    torch.manual_seed(seed)
    model = networks(torch)(sizes["vocabulary"], args.width, args.layers, variant).to(args.device)
    if args.init:
        begin_with(torch, model, checkpoint(torch, args.init))
    if not args.minutes and not args.tokens:
        return model.eval(), 0
    of_shape = {}
    for p in model.blocks.parameters():
        if p.dim() == 2:
            of_shape.setdefault(tuple(p.shape), []).append(p)
    momenta = {shape: torch.zeros(len(some), *shape, device=args.device) for shape, some in of_shape.items()}
    chosen = {id(p) for some in of_shape.values() for p in some}
    adamw = torch.optim.AdamW((p for p in model.parameters() if id(p) not in chosen), betas=(0.9, 0.98), weight_decay=0.01)
    begun, tokens, step = time.process_time(), 0, 0
    for group in batches(pairs, args.batch_tokens, random.Random(seed)):
        if args.tokens:
            spent = tokens / (1e6 * args.tokens)
        else:
            spent = (time.process_time() - begun) / (60 * args.minutes)
        if spent >= 1:
            break
        rate = args.peak_lr * min((step + 1) / 30, 1 - 0.98 * spent)
        with torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.device == "cuda"):
            spoken, labels = model(group, sizes["pad"])
        loss = -spoken.gather(1, labels[:, None]).mean()
        model.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adamw.param_groups[0]["lr"] = rate
        adamw.step()
        with torch.no_grad():
            for shape, some in of_shape.items():
                grads = torch.stack([p.grad for p in some])
                momenta[shape].mul_(0.95).add_(grads)
                step_of = muon(grads + 0.95 * momenta[shape])
                torch._foreach_mul_(some, 1 - 0.01 * rate)
                torch._foreach_add_(some, list(step_of), alpha=-rate)
        tokens += sum(len(s) + len(t) for s, t in group)
        step += 1
        if step % 50 == 0:
            seen = f"{tokens / 1e6:.2f} M tokens, {spent:.0%}, {time.process_time() - begun:.0f} s"
            print(f"{variant} {seed}: step {step}, loss {loss.item():.3f}, {seen}", file=sys.stderr, flush=True)
    return model.eval(), tokens


def exact(torch, model, pairs, pad):
    """The share of answers whose every word is the most probable one."""
    right = 0
    with torch.no_grad():
        for begin in range(0, len(pairs), 32):
            group = pairs[begin : begin + 32]
            spoken, labels = model(group, pad)
            hits = (spoken.argmax(dim=1) == labels).tolist()
            at = 0
            for _, target in group:
                right += all(hits[at : at + len(target) - 1])
                at += len(target) - 1
    return right / len(pairs)


def main():
    args = arguments()
    try:
        sizes = prepare(args)
        if args.prepare:
            return
        import torch
    except ImportError as error:
        sys.exit(f"{error}: pip install torch tokenizers numpy")
    torch.set_num_threads(1)
    columns = [f"{file.name.partition('.')[0]}, exact (%)" for file in args.valid]
    print(f"| variant | seed | tokens | {' | '.join(columns)} |")
    print(f"|---|--:|--:|{'--:|' * len(args.valid)}")
    for variant in args.variants:
        whole = variant == "whole"
        pairs = None
        for seed in range(1, args.seeds + 1):
            kept = args.out / f"{variant}-{seed}.json"
            if not kept.exists():
                files = args.whole_train if whole else args.train
                pairs = pairs or [pair for file in files for pair in examples(file, args.out)]
                model, tokens = train(torch, args, pairs, sizes, variant, seed)
                asked = [examples(file, args.out, args.questions) for file in (args.whole_valid if whole else args.valid)]
                scores = [exact(torch, model, some, sizes["pad"]) for some in asked]
                kept.write_text(json.dumps({"tokens": tokens, "exact": scores}))
            row = json.loads(kept.read_text())
            shares = " | ".join(f"{100 * share:.1f}" for share in row["exact"])
            print(f"| {variant} | {seed} | {row['tokens'] / 1e6:.2f} M | {shares} |", flush=True)


if __name__ == "__main__":
    main()
