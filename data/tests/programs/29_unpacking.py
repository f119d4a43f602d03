a, (b, c), *rest = 1, (2, 3), 4, 5
*init, last = "xyz"
d = {**{"p": 1}, "q": 2}
for i, (k, v) in enumerate(d.items()):
    pass
[m, n] = [*rest]
