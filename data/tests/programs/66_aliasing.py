row = [0, 0]
grid = [row] * 2
grid[0][1] = 7
copy = [r[:] for r in grid]
row.append(1)
same = grid[0] is row
