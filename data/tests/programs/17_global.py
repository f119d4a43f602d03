total = 0


def add(n):
    global total, last
    total += n
    last = n


add(2)
add(3)
print(total, last)
