it = iter([1])
a = [next(it) for _ in range(2)]
