def add(a, b=2):
    total = a + b
    return total


x = add(3)
y = add(x, b=x) + add(1, 1)
print(x, y)
