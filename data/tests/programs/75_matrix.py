def matmul(a, b):
    n, m, k = len(a), len(b[0]), len(b)
    c = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            for t in range(k):
                c[i][j] += a[i][t] * b[t][j]
    return c


print(matmul([[1, 2]], [[3], [4]]))
