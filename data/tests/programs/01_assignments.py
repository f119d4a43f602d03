a = 1
b = a + 2
a, b = b, a
c = d = a * b
c += 1
d //= 2
