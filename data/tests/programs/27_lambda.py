f = lambda x, y=1: x + y
g = f(2)
pairs = [(1, "b"), (0, "c")]
pairs.sort(key=lambda p: p[1], reverse=True)
h = list(map(lambda v: v * 2, [1]))
