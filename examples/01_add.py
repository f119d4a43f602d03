a = int(input())
b = int(input())
total = a + b
product = a * b
print(total, product)
