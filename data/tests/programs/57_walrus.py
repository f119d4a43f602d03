data = [1, 5, 9]
if (n := len(data)) > 2:
    print(n)
i = 0
while (x := data[i]) < 9:
    i += 1
big = [y for v in data if (y := v * 2) > 5]
