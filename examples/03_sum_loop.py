prices = [120, 80, 250]
total = 0
for price in prices:
    total += price
print(total)
