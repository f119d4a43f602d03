def safe(xs):
    x = "mine"
    try:
        return [
            1 // x
            for x in xs
        ]
    except ZeroDivisionError:
        return x


print(safe([1]), safe([0]))
total = {k: 10 // k for k in (1, 0)}
