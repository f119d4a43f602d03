a = [1]
a.append(a)
d = {"k": 1}
d["self"] = d
t = ([],)
t[0].append(t)
b = [[], []]
b[0].append(b[1])
b[1].append(b[0])
