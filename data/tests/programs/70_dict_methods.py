d = {"a": 1, "b": 2}
v = d.get("z", 0)
d.setdefault("c", []).append(3)
d.update(a=9)
p = d.pop("b")
ks = list(d)
items = d.items()
inv = {str(v): k for k, v in d.items()}
