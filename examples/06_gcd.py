def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


x, y = map(int, input().split())
g = gcd(x, y)
lcm = x * y // g
print(g, lcm)
