def div(a, b):
    try:
        q = a / b
    except ZeroDivisionError as e:
        q = None
    else:
        q += 1
    finally:
        done = True
    return q


print(div(1, 0))
print(div(1, 2))
