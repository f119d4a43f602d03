import sys

total = 0
for line in sys.stdin:
    a, b = map(int, line.split())
    total += a * b
print(total)
input()
