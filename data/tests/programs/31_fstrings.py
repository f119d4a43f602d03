name = "Ada"
n = 3.14159
s = f"{name!r:>6}|{n:.2f}|{len(name)=}"
t = "%s has %d" % (name, 3)
u = "{0}-{k}".format(1, k="z")
print(s, t, u, sep="\n")
