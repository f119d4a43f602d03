def primes(n):
    alive = [True] * (n + 1)
    alive[0] = alive[1] = False
    for i in range(2, int(n ** 0.5) + 1):
        if alive[i]:
            for j in range(i * i, n + 1, i):
                alive[j] = False
    return [i for i, a in enumerate(alive) if a]


print(primes(10))
