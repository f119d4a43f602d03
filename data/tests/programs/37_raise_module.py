x = 1
y = x // 0
z = 2
