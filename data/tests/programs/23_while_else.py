n = 0
while n < 2:
    n += 1
else:
    n = 10
while True:
    n -= 4
    if n < 0:
        break
    elif n == 2:
        continue
else:
    n = 99
print(n)
