import sys

n = int(input())
rows = [list(map(int, input().split())) for _ in range(n)]
rest = sys.stdin.read()
print(rows)
print(rest.strip().upper())
