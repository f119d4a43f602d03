def check(v):
    if v < 0:
        raise ValueError("negative: %d" % v)
    return v


def run(vs):
    out = []
    for v in vs:
        out.append(check(v))
    return out


run([1, -2, 3])
