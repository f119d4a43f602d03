s = {3, 1, 2}
t = {"b", "a"}
m = {(1, 2), (0, 5), (10, 0)}
mixed = {1, "a", None, 2.5}
e = set()
f = frozenset({2, 1})
u = s | {True, 9}
s.discard(3)
