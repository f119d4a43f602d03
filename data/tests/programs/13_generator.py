def countdown(n):
    while n:
        yield n
        n -= 1


total = 0
for v in countdown(2):
    total += v
print(total, list(countdown(1)))
