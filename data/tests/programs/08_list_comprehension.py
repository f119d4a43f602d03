nums = [3, 1, 2]
squares = [n * n for n in nums]
n = "kept"
evens = [n for n in squares if n % 2 == 0]
pairs = [(i, j) for i in range(2) for j in range(i, 2)]
print(evens, n, pairs)
