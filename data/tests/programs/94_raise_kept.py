last = None
for i in range(2):
    try:
        1 / 0
    except ZeroDivisionError as e:
        last = e
print("giving up")
raise last
