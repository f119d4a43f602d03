import heapq

graph = {"a": [("b", 2), ("c", 5)], "b": [("c", 1)], "c": []}
dist = {"a": 0}
heap = [(0, "a")]
while heap:
    d, node = heapq.heappop(heap)
    for other, w in graph[node]:
        if d + w < dist.get(other, 99):
            dist[other] = d + w
            heapq.heappush(heap, (d + w, other))
print(dist)
