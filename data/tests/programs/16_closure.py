def counter():
    n = 0

    def step(by=1):
        nonlocal n
        n += by
        return n

    return step


tick = counter()
print(tick(), tick(5))
