def double(v):
    return v * 2


def run(items):
    v = 0
    out = [double(v) for v in items]
    return out, v


print(run([1, 2]))
for i in [1, 2]: row = [i for i in [i, i]]
