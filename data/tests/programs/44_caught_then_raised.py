def risky(n):
    return 10 // n


try:
    risky(0)
except ZeroDivisionError:
    ok = True
x = risky(5)
y = risky(1) + risky(0)
