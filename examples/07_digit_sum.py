n = int(input())
digits = 0
total = 0
while n > 0:
    total += n % 10
    digits += 1
    n //= 10
print(digits)
print(total)
