n = int(input())
heights = list(map(int, input().split()))
climbs = 0
for i in range(n):
    if heights[i + 1] > heights[i]:
        climbs += 1
    print(i, climbs)
print("climbs:", climbs)
