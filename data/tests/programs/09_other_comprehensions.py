words = ["b", "a", "b"]
lengths = {w: len(w) for w in words}
seen = {w for w in words}
total = sum(len(w) for w in words)
nested = [[c for c in w * 2] for w in words]
