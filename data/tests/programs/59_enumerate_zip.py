for i, (a, b) in enumerate(zip("xy", [1, 2]), start=1):
    print(i, a, b)
z = list(zip(*[(1, 2), (3, 4)]))
r = reversed(z)
