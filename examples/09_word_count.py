words = input().split()
counts = {}
for word in words:
    counts[word] = counts.get(word, 0) + 1
best = ""
for word in sorted(counts):
    if best == "" or counts[word] > counts[best]:
        best = word
print(best, counts[best])
