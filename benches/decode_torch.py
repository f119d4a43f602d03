#!/usr/bin/env python3
"""Beam search in PyTorch, to compare with `cargo bench --bench decode`: same sizes, random weights.

    pip install torch numpy
    python3 benches/decode_torch.py [--network own] [--threads 2] [--seconds 3]

Two ways. `published` does what the released code does: keys and values of the source are kept, copied for
every hypothesis, and each step runs all target tokens so far again. `cached` keeps those of the target
too, reorders them with the beam, and shares the source among the hypotheses. Only the network and the choice
of the best continuations are timed; hypotheses never end. Tokens of the best hypothesis per second, as the
bench counts them.
"""

import argparse
import time

import torch
import torch.nn.functional as F

NETWORKS = {"own": (2048, 256, 4, 8), "published": (51627, 768, 12, 12)}
SOURCE = 200


class Network:
    def __init__(self, vocabulary, width, layers, heads):
        self.heads, self.width, self.vocabulary = heads, width, vocabulary
        make = lambda *shape: torch.randn(*shape) * 0.8 / width**0.5
        self.words, self.positions = make(vocabulary, width), make(1024, width)
        self.layers = [
            {
                "qkv": (make(3 * width, width), torch.zeros(3 * width)),
                "out": (make(width, width), torch.zeros(width)),
                "widen": (make(4 * width, width), torch.zeros(4 * width)),
                "narrow": (make(width, 4 * width), torch.zeros(width)),
            }
            for _ in range(layers)
        ]

    def norm(self, x):
        return F.layer_norm(x, (self.width,))

    def embed(self, ids, first):
        places = self.positions[first : first + ids.shape[1]]
        return self.norm(self.words[ids] + places)

    def block(self, layer, x, attend):
        b, t, h = x.shape
        q, k, v = F.linear(x, *layer["qkv"]).view(b, t, 3, self.heads, h // self.heads).permute(2, 0, 3, 1, 4)
        seen = attend(q, k, v).transpose(1, 2).reshape(b, t, h)
        x = self.norm(x + F.linear(seen, *layer["out"]))
        return self.norm(x + F.linear(F.gelu(F.linear(x, *layer["widen"])), *layer["narrow"]))

    def encode(self, source):
        x, kept = self.embed(source, 0), []

        def attend(q, k, v):
            kept.append((k, v))
            return F.scaled_dot_product_attention(q, k, v)

        for layer in self.layers:
            x = self.block(layer, x, attend)
        return kept

    def published(self, kept, ids):
        """Logits after the last of `ids` (beam, t); `kept` holds the source once per hypothesis."""
        t = ids.shape[1]
        mask = torch.ones(t, SOURCE + t, dtype=torch.bool).tril(SOURCE)
        x = self.embed(ids, SOURCE)
        for layer, (sk, sv) in zip(self.layers, kept):
            attend = lambda q, k, v: F.scaled_dot_product_attention(
                q, torch.cat([sk, k], 2), torch.cat([sv, v], 2), attn_mask=mask
            )
            x = self.block(layer, x, attend)
        return x[:, -1] @ self.words.T

    def cached(self, kept, target, ids, t):
        """The same for the last column of `ids` alone; `target` holds buffers of keys and values."""
        x = self.embed(ids, SOURCE + t)
        scale = (self.width // self.heads) ** -0.5
        for layer, (sk, sv), buffers in zip(self.layers, kept, target):

            def attend(q, k, v):
                buffers[0][:, :, t], buffers[1][:, :, t] = k[:, :, 0], v[:, :, 0]
                tk, tv = buffers[0][:, :, : t + 1], buffers[1][:, :, : t + 1]
                # the source as one product for all hypotheses: (heads, beam, D) x (heads, D, S)
                to_source = (q[:, :, 0].transpose(0, 1) @ sk[0].transpose(1, 2)).transpose(0, 1)
                to_target = (q @ tk.transpose(2, 3))[:, :, 0]
                share = torch.softmax(torch.cat([to_source, to_target], -1) * scale, -1)
                ours = (share[..., :SOURCE].transpose(0, 1) @ sv[0]).transpose(0, 1)
                return ours.unsqueeze(2) + share[..., SOURCE:].unsqueeze(2) @ tv

            x = self.block(layer, x, attend)
        return x[:, -1] @ self.words.T


def best(scores, logits, beam, first):
    scores = scores[:, None] + F.log_softmax(logits, -1)
    top = (scores[:1] if first else scores).flatten().topk(beam)
    return top.values, top.indices // logits.shape[1], top.indices % logits.shape[1]


def search(net, source, beam, tokens, way):
    kept = net.encode(source)
    scores, ids = torch.zeros(beam), torch.full((beam, 1), 3)
    if way == "published":
        kept = [(k.repeat(beam, 1, 1, 1), v.repeat(beam, 1, 1, 1)) for k, v in kept]
    else:
        shape = (beam, net.heads, tokens, net.width // net.heads)
        target = [[torch.zeros(shape), torch.zeros(shape)] for _ in net.layers]
    for t in range(tokens):
        logits = net.published(kept, ids) if way == "published" else net.cached(kept, target, ids[:, -1:], t)
        scores, parents, new = best(scores, logits, beam, t == 0)
        ids = torch.cat([ids[parents], new[:, None]], 1)
        if way == "cached" and beam > 1:
            for buffers in target:
                for i in (0, 1):
                    buffers[i][:, :, : t + 1] = buffers[i][parents, :, : t + 1]
    return tokens


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", choices=NETWORKS, action="append")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    print(f"torch {torch.__version__}, {args.threads} threads")
    print("network    way        beam  tokens   tokens/s   tokens/CPU s")
    with torch.inference_mode():
        for name in args.network or NETWORKS:
            vocabulary = NETWORKS[name][0]
            net = Network(*NETWORKS[name])
            source = torch.tensor([[4 + i * 7919 % (vocabulary - 4) for i in range(SOURCE)]])
            for way in ("cached", "published"):
                for beam, tokens in [(1, 128), (10, 16), (10, 64), (10, 128), (10, 256)]:
                    if way == "published" and tokens == 256 and name == "published":
                        continue  # over ten minutes a search
                    search(net, source, beam, 4, way)
                    wall, cpu, made = time.perf_counter(), time.process_time(), 0
                    while made == 0 or time.perf_counter() - wall < args.seconds:
                        made += search(net, source, beam, tokens, way)
                    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                    print(f"{name:<10} {way:<9} {beam:>5} {tokens:>7} {made / wall:>10.1f} {made / cpu:>14.1f}", flush=True)


if __name__ == "__main__":
    main()
